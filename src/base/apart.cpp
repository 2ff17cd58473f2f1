// A file in memory, posix_spawn, and a pair of sockets. The program has no terminal, default handling of all signals
// and a process group of its own, so that Ctrl-C is this process's business. Whatever becomes of it, it is killed and
// waited for at the end; where this process ignores SIGCHLD, or reaps all its children itself, only the reason of an
// early end is not known. Cost: a few milliseconds, whatever the size of this process.

#include "base/apart.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

namespace pliant {
namespace {

constexpr int kCannotRun = 127;             // exit status of a program whose libraries are missing
constexpr unsigned kMayBeExecuted = 0x10U;  // MFD_EXEC, which older systems neither have nor need

constexpr auto kTimeToEnd = std::chrono::seconds(1);  // by itself, once it has closed its socket

[[noreturn]] void not_started(const std::string& why) {
  throw std::runtime_error("no other process can be started: " + why);
}
[[noreturn]] void not_started(int problem) { not_started(std::generic_category().message(problem)); }

/// Closed at the end, unless released.
class File {
 public:
  explicit File(int id) : id_(id) {}
  ~File() {
    if (id_ >= 0) close(id_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int id() const { return id_; }
  int release() { return std::exchange(id_, -1); }
  /// The same file out of the way of the places that the program's own files take.
  int moved() const {
    const int copy = id_ < 0 ? -1 : fcntl(id_, F_DUPFD_CLOEXEC, Apart::kSocket + 1);
    if (copy < 0) not_started(errno);
    return copy;
  }

 private:
  int id_;
};

int file_in_memory(std::string_view content) {
  int id = memfd_create("pliant", MFD_CLOEXEC | kMayBeExecuted);
  if (id < 0 && errno == EINVAL) id = memfd_create("pliant", MFD_CLOEXEC);
  const File file(id);
  while (id >= 0 && !content.empty()) {
    const ssize_t written = write(id, content.data(), content.size());
    if (written < 0 && errno != EINTR) not_started(errno);
    if (written > 0) content.remove_prefix(static_cast<size_t>(written));
  }
  return file.moved();
}

/// What posix_spawn is told; freed at the end.
struct Manner {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  explicit Manner(int socket) {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, socket, Apart::kSocket);
    for (const int stream : {0, 1, 2}) posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
  }
  ~Manner() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  Manner(const Manner&) = delete;
  Manner& operator=(const Manner&) = delete;
};

}  // namespace

Apart::Apart(std::string_view program, const std::vector<std::string>& arguments, const ApartLimits& limits)
    : limits_(limits), deadline_(std::chrono::steady_clock::now() + std::chrono::seconds(limits.clock)) {
  const File file(file_in_memory(program));
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) not_started(errno);
  File ours(ends[0]);
  const File other(ends[1]), theirs(other.moved());

  std::vector<std::string> words = {"pliant-reader", std::to_string(limits.bytes), std::to_string(limits.seconds)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  char* const no_environment[] = {nullptr};
  const std::string path = "/proc/self/fd/" + std::to_string(file.id());
  const Manner manner(theirs.id());
  pid_t process = -1;
  if (const int problem =
          posix_spawn(&process, path.c_str(), &manner.files, &manner.attributes, argv.data(), no_environment)) {
    not_started(problem);
  }
  process_ = process;
  socket_ = ours.release();
}

Apart::~Apart() { end(); }

/// Kills it; returns how it ended, as waitpid says it, or -1 when nobody knows.
int Apart::end() {
  if (process_ < 0) return -1;
  close(socket_);
  kill(process_, SIGKILL);
  int status = 0;
  pid_t ended = -1;
  do {
    ended = waitpid(process_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  process_ = -1;
  return ended < 0 ? -1 : status;
}

void Apart::explain(Talk state) {
  if (state == Talk::kEnded && process_ >= 0) {
    // how it ends by itself is to be seen, and not that it was killed here
    shutdown(socket_, SHUT_RDWR);
    const Deadline most = std::chrono::steady_clock::now() + kTimeToEnd;
    siginfo_t ended{};
    while (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT | WNOHANG) == 0 && ended.si_pid == 0 &&
           std::chrono::steady_clock::now() < most) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  const int status = end();
  const auto took_more_than = [](unsigned seconds) {
    return std::runtime_error("it took more than " + std::to_string(seconds) + " s");
  };
  if (state == Talk::kTooLate) throw took_more_than(limits_.clock);
  if (status >= 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) throw took_more_than(limits_.seconds);
  if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemory)
    throw std::runtime_error("the reader ran out of memory");
  if (status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == kCannotRun)
    not_started("a library that it needs is not installed");
  throw std::runtime_error("the reader crashed");
}

void Apart::send(char kind, std::string_view bytes) {
  if (const Talk state = write_message(socket_, kind, bytes, deadline_); state != Talk::kFine) explain(state);
}

Message Apart::receive() {
  Message message;
  if (const Talk state = read_message(socket_, limits_.bytes, message, deadline_); state != Talk::kFine) explain(state);
  return message;
}

}  // namespace pliant

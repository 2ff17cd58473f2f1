// fork, limits, and a pipe for the answer. The copy touches no terminal and no file, leaves no core file, and ends without running
// anybody's exit handlers; handlers of signals that this process has are not for it. An answer counts when the copy ended well.
// Cost: about a millisecond, more when this process is large.

#include "base/apart.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdexcept>

namespace pliant {
namespace {

void limit(int resource, rlim_t most) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &now) != 0) return;
  now.rlim_cur = std::min(most, now.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

/// Address space that is in use [bytes]; 0 when the system does not say.
rlim_t address_space() {
  unsigned long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

bool write_all(int to, const std::string& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = write(to, bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) at += static_cast<size_t>(n);
  }
  return true;
}

[[noreturn]] void be_the_copy(const std::function<std::string()>& work, const ApartLimits& limits, int to) {
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGTERM, SIGINT, SIGPIPE}) {
    std::signal(number, SIG_DFL);
  }
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) dup2(nowhere, stream);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds);
  if (const rlim_t used = address_space()) limit(RLIMIT_AS, used + limits.bytes);
  bool fine = false;
  try {
    fine = write_all(to, work());
  } catch (...) {  // out of memory, most likely
  }
  _exit(fine ? 0 : 1);
}

std::string read_all(int from) {
  std::string bytes;
  char piece[1 << 16];
  for (;;) {
    const ssize_t n = read(from, piece, sizeof piece);
    if (n == 0 || (n < 0 && errno != EINTR)) return bytes;
    if (n > 0) bytes.append(piece, static_cast<size_t>(n));
  }
}

}  // namespace

std::string run_apart(const std::function<std::string()>& work, const ApartLimits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe to another process");
  const pid_t copy = fork();
  if (copy < 0) {
    close(ends[0]), close(ends[1]);
    throw std::runtime_error("no other process can be started");
  }
  if (copy == 0) be_the_copy(work, limits, ends[1]);
  close(ends[1]);
  std::string answer = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(copy, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return answer;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    throw std::runtime_error("it took more than " + std::to_string(limits.seconds) + " s");
  }
  throw std::runtime_error(WIFSIGNALED(status) ? "the reader crashed" : "the reader ran out of memory");
}

}  // namespace pliant

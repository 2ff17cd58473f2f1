// Output files: a temporary name beside the target, every error noticed, a rename at the end.

#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace pliant {
namespace fs = std::filesystem;
namespace {

constexpr size_t kBuffer = size_t{1} << 16;

[[noreturn]] void refuse(const fs::path& path, int reason) {
  throw std::runtime_error("cannot write " + (path.empty() ? "''" : path.string()) + ": " +
                           std::generic_category().message(reason));
}

/// Where a path leads, also when the last link of a chain points at nothing yet.
fs::path behind_links(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code problem;
  for (int i = 0; fs::is_symlink(path, problem); ++i) {
    const fs::path next = fs::read_symlink(path, problem);
    if (problem) break;
    if (i == kMostLinks) refuse(path, ELOOP);
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

/// A new file of a name nobody has: -1, with errno, when there can be none.
int make_temporary(const fs::path& folder, fs::path& name) {
  static std::atomic<unsigned> number = 0;
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    // short, so that a target with the longest name a folder allows can be written, too
    name = folder / (".pliant-" + std::to_string(getpid()) + "-" + std::to_string(number++));
    const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/// Likewise, with a name by which people find it: "out.plr.part", or with a number where that is taken. A file of that
/// name is what an earlier run has left, or another one is writing: it is not touched.
int make_part(const fs::path& target, fs::path& name) {
  constexpr int kTries = 1000;
  for (int i = 1; i <= kTries; ++i) {
    name = target;
    name += i == 1 ? ".part" : ".part-" + std::to_string(i);
    const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/// Owner and permissions of the file that is replaced.
bool take_over(int descriptor, const struct stat& old) {
  struct stat now;
  if (fstat(descriptor, &now) != 0) return false;
  // only root can give a file away: whoever else replaces it owns it
  if (now.st_uid != old.st_uid || now.st_gid != old.st_gid) {
    if (fchown(descriptor, old.st_uid, old.st_gid) != 0 && errno != EPERM) return false;
  }
  return fchmod(descriptor, old.st_mode & 07777) == 0;
}

}  // namespace

OutputFile::OutputFile(fs::path path, Sync sync, Unfinished unfinished)
    : path_(std::move(path)), sync_(sync), unfinished_(unfinished) {
  if (path_.empty()) refuse(path_, ENOENT);
  target_ = behind_links(path_);
  struct stat old;
  const bool exists = stat(target_.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) refuse(path_, errno);
  if (exists && S_ISDIR(old.st_mode)) refuse(path_, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse(path_, errno);
    return;
  }
  // a rename would replace a file that the user has protected
  if (exists && access(target_.c_str(), W_OK) != 0) refuse(path_, errno);
  const fs::path folder = target_.parent_path();
  if (unfinished_ == Unfinished::kKeep) descriptor_ = make_part(target_, temporary_);
  // also where a name with an ending is too long
  if (unfinished_ == Unfinished::kDiscard || (descriptor_ < 0 && errno == ENAMETOOLONG)) {
    descriptor_ = make_temporary(folder.empty() ? "." : folder, temporary_);
  }
  if (descriptor_ < 0) {
    const int reason = errno;
    temporary_.clear();
    refuse(path_, reason);
  }
  if (exists && !take_over(descriptor_, old)) fail(errno);
}

OutputFile::~OutputFile() { discard(); }

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      waiting_(std::move(other.waiting_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      sync_(other.sync_),
      unfinished_(other.unfinished_),
      handed_over_(other.handed_over_),
      kept_(other.kept_) {}

void OutputFile::write(std::string_view bytes) {
  if (descriptor_ < 0) throw std::logic_error("written to '" + path_.string() + "' after it was finished");
  if (waiting_.size() + bytes.size() < kBuffer) {
    waiting_ += bytes;
    return;
  }
  write_now(waiting_);
  waiting_.clear();
  write_now(bytes);
}

void OutputFile::write_now(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t moved = ::write(descriptor_, bytes.data(), bytes.size());
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) fail(errno);
    bytes.remove_prefix(static_cast<size_t>(moved));
    handed_over_ += static_cast<uint64_t>(moved);
  }
}

void OutputFile::keep_so_far() {
  if (descriptor_ < 0) throw std::logic_error("kept '" + path_.string() + "' after it was finished");
  write_now(waiting_);
  waiting_.clear();
  if (unfinished_ == Unfinished::kKeep) kept_ = handed_over_;
}

void OutputFile::commit() {
  if (descriptor_ < 0) return;
  write_now(waiting_);
  const bool is_regular = !temporary_.empty();
  if (is_regular && sync_ == Sync::kYes && fsync(descriptor_) != 0) fail(errno);
  // some systems name a full disk only here
  if (close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (is_regular && rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  kept_ = 0;
}

void OutputFile::discard() noexcept {
  if (kept_ > 0 && !temporary_.empty()) {
    // where it cannot be cut back, readers find the same end by themselves
    if (descriptor_ >= 0 && ftruncate(descriptor_, static_cast<off_t>(kept_)) == 0 && sync_ == Sync::kYes)
      fsync(descriptor_);
  } else if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    temporary_.clear();
  }
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  waiting_.clear();
}

void OutputFile::abandon() noexcept {
  kept_ = 0;
  discard();
}

void OutputFile::fail(int reason) {
  discard();
  refuse(path_, reason);
}

void write_whole_file(const fs::path& path, std::string_view bytes, OutputFile::Sync sync) {
  OutputFile file(path, sync);
  file.write(bytes);
  file.commit();
}

}  // namespace pliant

// PNG files, films and animations (ffmpeg reads pictures from a socket and writes beside the target), arrays of NumPy.

#include "film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "base/output_file.h"
#include "pliant/render.h"

extern char** environ;  // of POSIX; declared in no header

namespace pliant::app {
namespace {

namespace fs = std::filesystem;

const auto* bytes_of(std::span<const std::byte> picture) {
  return reinterpret_cast<const unsigned char*>(picture.data());
}

// ---- PNG ---------------------------------------------------------------------------------------

class PngFile : public PictureFile {
 public:
  PngFile(std::string path, PictureShape shape) : path_(std::move(path)), shape_(shape) {}
  void add(std::span<const std::byte> picture) override {
    write_png(path_, shape_.width, shape_.height, 3, bytes_of(picture));
  }
  void finish() override {}

 private:
  std::string path_;
  PictureShape shape_;
};

/// Where the number goes in "frames/%04d.png": first character, length, digits; length 0 if there is no such place.
struct NumberPlace {
  size_t at = 0, length = 0;
  int digits = 0;
};
NumberPlace number_place(const std::string& path) {
  const size_t at = path.find('%');
  if (at == std::string::npos) return {};
  size_t end = at + 1;
  int digits = 0;
  while (end < path.size() && path[end] >= '0' && path[end] <= '9' && digits < 10)
    digits = 10 * digits + path[end++] - '0';
  if (end >= path.size() || path[end] != 'd' || digits > 9) return {};
  return {at, end + 1 - at, digits};
}

class NumberedPngs : public PictureFile {
 public:
  NumberedPngs(std::string path, PictureShape shape)
      : path_(std::move(path)), shape_(shape), place_(number_place(path_)) {}
  void add(std::span<const std::byte> picture) override {
    const std::string number = fmt::format("{:0{}}", next_++, place_.digits);
    std::string name = path_;
    name.replace(place_.at, place_.length, number);
    write_png(name, shape_.width, shape_.height, 3, bytes_of(picture));
  }
  void finish() override {}

 private:
  std::string path_;
  PictureShape shape_;
  NumberPlace place_;
  int next_ = 0;
};

// ---- NumPy -------------------------------------------------------------------------------------

class NumpyFile : public PictureFile {
 public:
  NumpyFile(const std::string& path, std::string type, std::string shape)
      : file_(path), type_(std::move(type)), shape_(std::move(shape)) {}
  void add(std::span<const std::byte> picture) override {
    kept_.append(reinterpret_cast<const char*>(picture.data()), picture.size());
    ++count_;
  }
  /// One picture has the picture's shape; several have one axis more.
  void finish() override {
    const std::string axes = count_ == 1 ? shape_ : fmt::format("{}, {}", count_, shape_);
    std::string head = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type_, axes);
    constexpr size_t kAlignment = 64, kFixed = 10;
    head.append((kAlignment - (kFixed + head.size() + 1) % kAlignment) % kAlignment, ' ');
    head += '\n';
    std::string start = "\x93NUMPY";
    start += {'\x01', '\x00', static_cast<char>(head.size() & 255), static_cast<char>(head.size() >> 8)};
    file_.write(start + head);
    file_.write(kept_);
    file_.commit();
  }

 private:
  OutputFile file_;
  std::string type_, shape_, kept_;
  int64_t count_ = 0;
};

// ---- ffmpeg ------------------------------------------------------------------------------------

bool is_installed(const std::string& program) {
  const char* paths = std::getenv("PATH");
  std::string_view rest = paths ? paths : "/usr/local/bin:/usr/bin:/bin";
  while (!rest.empty()) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    if (access((fs::path(rest.substr(0, colon)) / program).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return false;
}

class FfmpegFilm : public PictureFile {
 public:
  FfmpegFilm(const std::string& path, PictureShape shape) : target_(path) {
    const bool gif = target_.extension() == ".gif";
    if (!is_installed("ffmpeg")) {
      throw std::runtime_error(
          "cannot write " + path +
          ": films and animations need the program ffmpeg, which is not installed (Debian, Ubuntu: apt install "
          "ffmpeg). "
          "Pictures do not: -o picture.png, -o 'frame_%04d.png' for one file per picture, -o pictures.npy");
    }
    if (!gif && (shape.width % 2 || shape.height % 2)) {
      throw std::invalid_argument(
          fmt::format("--size {}x{}: a film has an even width and height", shape.width, shape.height));
    }
    // shows now whether the place can be written, and ffmpeg wants to go back in its file
    temporary_ = target_.parent_path() /
                 fmt::format(".{}.{}{}", target_.stem().string(), getpid(), target_.extension().string());
    const int probe = open(temporary_.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (probe < 0) throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
    close(probe);
    start(shape, gif);
  }

  ~FfmpegFilm() override {
    if (socket_ >= 0) close(socket_);
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    if (messages_ >= 0) close(messages_);
    std::error_code ignored;
    if (!finished_) fs::remove(temporary_, ignored);
  }

  void add(std::span<const std::byte> picture) override {
    size_t at = 0;
    while (at < picture.size()) {
      const ssize_t sent = send(socket_, picture.data() + at, picture.size() - at, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) fail();
      at += static_cast<size_t>(sent);
    }
  }

  void finish() override {
    close(socket_);
    socket_ = -1;
    if (wait_for_child() != 0) fail();
    std::error_code problem;
    fs::rename(temporary_, target_, problem);
    if (problem) throw std::runtime_error("cannot write " + target_.string() + ": " + problem.message());
    finished_ = true;
  }

 private:
  void start(PictureShape shape, bool gif) {
    std::vector<std::string> words = {"ffmpeg",
                                      "-nostdin",
                                      "-loglevel",
                                      "error",
                                      "-y",
                                      "-f",
                                      "rawvideo",
                                      "-pix_fmt",
                                      "rgb24",
                                      "-s",
                                      fmt::format("{}x{}", shape.width, shape.height),
                                      "-r",
                                      fmt::format("{}", shape.fps),
                                      "-i",
                                      "pipe:0",
                                      "-an"};
    const std::vector<std::string> as_gif = {"-filter_complex", "[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse",
                                             "-f", "gif"};
    const std::vector<std::string> as_film = {
        "-c:v", "libx264",   "-pix_fmt",   "yuv420p", "-crf",
        "20",   "-movflags", "+faststart", "-f",      target_.extension() == ".mkv" ? "matroska" : "mp4"};
    for (const std::string& word : gif ? as_gif : as_film) words.push_back(word);
    words.push_back(temporary_.string());
    int ends[2], complaints[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 || pipe2(complaints, O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("cannot start ffmpeg: ") + std::strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, complaints[1], STDERR_FILENO);
    // in a group of its own, so that Ctrl-C is ours to answer
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int problem = posix_spawnp(&child_, "ffmpeg", &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    close(complaints[1]);
    socket_ = ends[0], messages_ = complaints[0];
    if (problem != 0) {
      child_ = -1;
      throw std::runtime_error(std::string("cannot start ffmpeg: ") + std::strerror(problem));
    }
  }

  int wait_for_child() {
    // what it says is short: it fits into the pipe until it has ended
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    return status;
  }

  [[noreturn]] void fail() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
    if (child_ > 0) wait_for_child();
    std::string said(2000, '\0');
    const ssize_t n = read(messages_, said.data(), said.size());
    said.resize(n > 0 ? static_cast<size_t>(n) : 0);
    while (!said.empty() && said.back() == '\n') said.pop_back();
    throw std::runtime_error("cannot write " + target_.string() + ": ffmpeg failed" +
                             (said.empty() ? "" : ": " + said));
  }

  fs::path target_, temporary_;
  int socket_ = -1, messages_ = -1;
  pid_t child_ = -1;
  bool finished_ = false;
};

}  // namespace

PictureKind picture_kind(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".png") return number_place(path).length ? PictureKind::kNumberedPng : PictureKind::kPng;
  if (extension == ".mp4" || extension == ".mkv" || extension == ".gif") return PictureKind::kFilm;
  if (extension == ".npy") return PictureKind::kNumbers;
  throw std::invalid_argument("-o " + path +
                              ": a picture ends in .png (several: frame_%04d.png), a film in .mp4, .mkv or .gif, "
                              "numbers in .npy");
}

std::unique_ptr<PictureFile> open_pictures(const std::string& path, const PictureShape& shape,
                                           const std::string& numpy_type, const std::string& numpy_shape) {
  switch (picture_kind(path)) {
    case PictureKind::kPng:
      return std::make_unique<PngFile>(path, shape);
    case PictureKind::kNumberedPng:
      return std::make_unique<NumberedPngs>(path, shape);
    case PictureKind::kNumbers:
      return std::make_unique<NumpyFile>(path, numpy_type, numpy_shape);
    default:
      return std::make_unique<FfmpegFilm>(path, shape);
  }
}

}  // namespace pliant::app

// Progress of long commands.

#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "console.h"

namespace pliant::app {
namespace {

constexpr double kFirst = 0.2, kRedraw = 0.1, kLines = 2;  // seconds

}  // namespace

void add_progress(Arguments& arguments) {
  arguments.flag(
      "--progress", [] { talk().progress = true; },
      "say how far it is, how fast and how much time is left, on standard error; on a terminal it does so anyway");
  arguments.exclusive("--progress", "--quiet");
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "unknown time";
  const auto whole = static_cast<int64_t>(std::min(std::ceil(seconds), 1e15));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(double total, const char* unit) : total_(total), unit_(unit), redraw_(isatty(STDERR_FILENO) != 0) {
  shown_ = talk().progress || (redraw_ && !talk().json && !talk().quiet);
  next_ = redraw_ ? kFirst : kLines;
}

Progress::~Progress() {
  if (drawn_ && redraw_) std::fputs("\r\033[K", stderr);
}

void Progress::update(double done, double simulated) {
  if (!shown_) return;
  const double wall = seconds();
  if (wall < next_) return;
  next_ = wall + (redraw_ ? kRedraw : kLines);
  drawn_ = true;
  const double share = total_ > 0 ? std::min(done / total_, 1.0) : 1, rate = done / wall;
  std::string line =
      fmt::format("{:3.0f} %  {:.4g} of {:.10g} {}  {:.4g} {}/s", 100 * share, done, total_, unit_, rate, unit_);
  if (simulated > 0) line += fmt::format("  {:.3g} x real time", simulated / wall);
  line += fmt::format("  {} left", duration_text(rate > 0 ? (total_ - done) / rate : INFINITY));
  if (redraw_) {
    constexpr int kWidth = 20;
    const int full = static_cast<int>(share * kWidth);
    line = fmt::format("\r\033[K[{:=<{}}{: <{}}] ", "", full, "", kWidth - full) + line;
  } else {
    line += '\n';
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace pliant::app

#pragma once
// How far a long command is: share, rate, and the time that is left, on standard error.
//
// On a terminal it is one line that is drawn again and again, and wiped away in the end; elsewhere there is nothing,
// but with --progress a line every two seconds, for logs. --quiet and --json keep it off, unless --progress asks for
// it.

#include <chrono>
#include <cstdint>
#include <string>

#include "arguments.h"

namespace pliant::app {

/// Adds --progress to a command that may take long.
void add_progress(Arguments& arguments);

class Progress {
 public:
  /// `unit`: what is counted, in the plural ("steps").
  Progress(double total, const char* unit);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `simulated`: simulated seconds until now, for their rate; 0 where nothing is simulated.
  void update(double done, double simulated = 0);

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  using Clock = std::chrono::steady_clock;
  double total_;
  const char* unit_;
  bool redraw_, shown_, drawn_ = false;
  double next_;  // time of the next line
  Clock::time_point begin_ = Clock::now();
};

/// "12 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

}  // namespace pliant::app

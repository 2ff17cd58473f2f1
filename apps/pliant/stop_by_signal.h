#pragma once
// Ctrl-C as a question that long commands ask themselves between two steps.

#include <csignal>

namespace pliant::app {

/// While it lives, Ctrl-C ends the work and not the program: what is finished is kept, what is not is tidied away.
class StopBySignal {
 public:
  StopBySignal() {
    asked_ = 0;
    interrupt_ = std::signal(SIGINT, [](int) { asked_ = 1; });
    terminate_ = std::signal(SIGTERM, [](int) { asked_ = 1; });
  }
  ~StopBySignal() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGTERM, terminate_);
  }
  StopBySignal(const StopBySignal&) = delete;
  StopBySignal& operator=(const StopBySignal&) = delete;

  static bool asked() { return asked_ != 0; }

 private:
  inline static volatile std::sig_atomic_t asked_ = 0;
  void (*interrupt_)(int);
  void (*terminate_)(int);
};

}  // namespace pliant::app

#pragma once
// Work that may crash or never end, in a program of its own.
//
// The program travels inside this library and is started from memory, so that a library without an installation folder
// can have one. It is a fresh process and no copy of this one: nothing in it depends on what the threads of this
// process were doing, no handler of fork runs (libraries with threads of their own hang in theirs), and no file of this
// process stays open in it.

#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"

namespace pliant {

struct ApartLimits {
  size_t bytes = size_t(2) << 30;  ///< of memory, beyond what the program needs to start
  unsigned seconds = 5;            ///< of processor time
  unsigned clock = 30;             ///< seconds by the clock: other programs want the processor, too
};

class Apart {
 public:
  /// Starts the program with this file content. It finds its socket at kSocket and its arguments after the two limits;
  /// it is the program's business to keep to them. Throws std::runtime_error when it cannot be started, as all
  /// functions do when it is no longer there.
  Apart(std::string_view program, const std::vector<std::string>& arguments, const ApartLimits& limits = {});
  ~Apart();  ///< ends it
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;

  void send(char kind, std::string_view bytes);
  Message receive();
  int process() const { return process_; }

  static constexpr int kSocket = 3;         ///< of the program
  static constexpr int kOutOfMemory = 101;  ///< its exit status then

 private:
  [[noreturn]] void explain(Talk state);
  int end();

  ApartLimits limits_;
  Deadline deadline_;
  int process_ = -1, socket_ = -1;
};

}  // namespace pliant

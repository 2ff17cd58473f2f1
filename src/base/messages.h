#pragma once
// Messages between two processes over a socket: a kind, a length, bytes. Neither side waits beyond its deadline, and
// neither dies of a partner that has ended (no SIGPIPE).

#include <chrono>
#include <string>
#include <string_view>

namespace pliant {

struct Message {
  char kind = 0;
  std::string bytes;
};

using Deadline = std::chrono::steady_clock::time_point;
inline constexpr Deadline kNoDeadline = Deadline::max();

enum class Talk {
  kFine,
  kEnded,   ///< the partner is gone, or what it says is no message
  kTooLate  ///< the deadline has passed
};

Talk write_message(int socket, char kind, std::string_view bytes, Deadline deadline = kNoDeadline);
/// Longer messages than `most` bytes are none.
Talk read_message(int socket, size_t most, Message& message, Deadline deadline = kNoDeadline);

}  // namespace pliant

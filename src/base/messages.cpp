// A message is one byte of kind, eight of length, and the bytes. Memory for them grows with what arrives, not with what
// was announced.

#include "base/messages.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace pliant {
namespace {

constexpr size_t kHead = 1 + sizeof(uint64_t), kPiece = size_t(1) << 20;

Talk wait_for(int socket, short event, Deadline deadline) {
  for (;;) {
    int milliseconds = -1;
    if (deadline != kNoDeadline) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
      if (left <= 0) return Talk::kTooLate;
      milliseconds = static_cast<int>(std::min<long long>(left, 1'000'000));
    }
    pollfd one{socket, event, 0};
    const int ready = poll(&one, 1, milliseconds);
    if (ready > 0) return Talk::kFine;
    if (ready < 0 && errno != EINTR) return Talk::kEnded;
  }
}

/// Whether to try again after a call that moved no bytes.
bool is_passing(ssize_t moved) { return moved < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK); }

Talk send_all(int socket, std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    if (const Talk state = wait_for(socket, POLLOUT, deadline); state != Talk::kFine) return state;
    const ssize_t moved = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (moved > 0) {
      bytes.remove_prefix(static_cast<size_t>(moved));
    } else if (!is_passing(moved)) {
      return Talk::kEnded;
    }
  }
  return Talk::kFine;
}

/// Appends `count` bytes.
Talk receive_all(int socket, size_t count, std::string& bytes, Deadline deadline) {
  while (count > 0) {
    if (const Talk state = wait_for(socket, POLLIN, deadline); state != Talk::kFine) return state;
    const size_t before = bytes.size(), piece = std::min(count, kPiece);
    bytes.resize(before + piece);
    const ssize_t moved = recv(socket, bytes.data() + before, piece, MSG_DONTWAIT);
    bytes.resize(before + static_cast<size_t>(std::max<ssize_t>(moved, 0)));
    if (moved <= 0 && !is_passing(moved)) return Talk::kEnded;
    count -= static_cast<size_t>(std::max<ssize_t>(moved, 0));
  }
  return Talk::kFine;
}

}  // namespace

Talk write_message(int socket, char kind, std::string_view bytes, Deadline deadline) {
  const uint64_t length = bytes.size();
  char head[kHead] = {kind};
  std::memcpy(head + 1, &length, sizeof length);
  const Talk state = send_all(socket, {head, kHead}, deadline);
  return state == Talk::kFine ? send_all(socket, bytes, deadline) : state;
}

Talk read_message(int socket, size_t most, Message& message, Deadline deadline) {
  std::string head;
  if (const Talk state = receive_all(socket, kHead, head, deadline); state != Talk::kFine) return state;
  uint64_t length = 0;
  std::memcpy(&length, head.data() + 1, sizeof length);
  if (length > most) return Talk::kEnded;
  message.kind = head[0];
  message.bytes.clear();
  return receive_all(socket, length, message.bytes, deadline);
}

}  // namespace pliant

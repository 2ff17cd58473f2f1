#pragma once
// The format of recordings (*.plr): a sequence of chunks, each with its length and checksums, that is only appended to.
//
// All numbers are little-endian. A file begins with 16 bytes {magic, version, order of bytes}. Then chunks, each a head
// of 32 bytes {mark, kind, number in the file, bytes of the payload, CRC-32 of the payload, CRC-32 of the head before
// it} and a payload. docs/recordings.md describes the payloads. Whoever reads stops at the first chunk that is not
// whole.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pliant {

inline constexpr char kPlrMagic[8] = {'P', 'L', 'I', 'A', 'N', 'T', 'R', '\n'};
inline constexpr uint32_t kPlrVersion = 1;
inline constexpr uint32_t kPlrOrder = 0x01020304;
inline constexpr size_t kPlrStartBytes = 16;
inline constexpr size_t kChunkHeadBytes = 32;

enum class ChunkKind : uint32_t { kHead = 1, kModel = 2, kRows = 3, kEvents = 4, kEnd = 5 };

struct ChunkHead {
  uint32_t mark;
  uint32_t kind;
  uint64_t number;  ///< 0, 1, 2 … in the file
  uint64_t bytes;   ///< of the payload
  uint32_t payload_crc;
  uint32_t head_crc;  ///< of the 28 bytes before
};
static_assert(sizeof(ChunkHead) == kChunkHeadBytes);

/// The first bytes of a file.
std::string plr_start();
/// The head of a chunk with this payload.
std::string chunk_head(ChunkKind kind, uint64_t number, std::string_view payload);
/// Whether bytes are the head of chunk `number`, undamaged.
bool read_chunk_head(std::string_view bytes, uint64_t number, ChunkHead& head);
/// CRC-32 as in zip and PNG files.
uint32_t crc_of(std::string_view bytes, uint32_t so_far = 0);
/// The bytes with numbers and checksums of all chunks made to fit, as somebody would who wants to get nonsense past the
/// reader. For tests.
std::string seal_plr(std::string bytes);

/// Puts values into a payload one by one.
class PayloadWriter {
 public:
  template <class T>
  void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    out_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  void bytes(const void* data, size_t n) { out_.append(static_cast<const char*>(data), n); }
  void text(std::string_view t) {
    value(static_cast<uint32_t>(t.size()));
    out_ += t;
  }
  /// Zeros up to a multiple of 8 bytes.
  void align() { out_.append((8 - out_.size() % 8) % 8, '\0'); }
  const std::string& get() const { return out_; }

 private:
  std::string out_;
};

/// Takes them back, from bytes that may be anything: fine() is false as soon as they end too soon.
class PayloadReader {
 public:
  explicit PayloadReader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T value() {
    T v{};
    if (const char* from = take(sizeof v)) std::memcpy(&v, from, sizeof v);
    return v;
  }
  std::string text() {
    const auto n = value<uint32_t>();
    const char* from = take(n);
    return from ? std::string(from, n) : std::string();
  }
  /// The next n bytes; nullptr when there are fewer.
  const char* take(size_t n) {
    if (n > left()) fine_ = false;
    if (!fine_) return nullptr;
    const char* from = bytes_.data() + at_;
    at_ += n;
    return from;
  }
  void align() { take((8 - at_ % 8) % 8); }
  bool fine() const { return fine_; }
  size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  bool fine_ = true;
};

}  // namespace pliant

#pragma once
// A 64-bit hash of bytes, the same however they are cut into pieces. Every step is a bijection of the
// running value, so a change of one word cannot be undone by the words after it: a flipped bit always
// shows. Four values run side by side, because each step waits for the one before.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pliant {

class Hash {
 public:
  void add(const void* data, size_t bytes) {
    const auto* p = static_cast<const unsigned char*>(data);
    bytes_ += bytes;
    if (kept_ > 0) {
      const size_t n = std::min(bytes, kBlock - kept_);
      std::memcpy(rest_ + kept_, p, n);
      kept_ += n;
      p += n;
      bytes -= n;
      if (kept_ < kBlock) return;
      mix_block(rest_);
      kept_ = 0;
    }
    for (; bytes >= kBlock; p += kBlock, bytes -= kBlock) mix_block(p);
    if (bytes > 0) std::memcpy(rest_, p, bytes);
    kept_ = bytes;
  }

  uint64_t value() const {
    Hash end = *this;
    std::memset(end.rest_ + end.kept_, 0, kBlock - end.kept_);
    end.mix_block(end.rest_);
    uint64_t h = bytes_;  // so that trailing zeros count
    for (uint64_t lane : end.lane_) h = mixed(h, lane);
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
    return h;
  }

 private:
  static constexpr size_t kLanes = 4, kBlock = 8 * kLanes;

  static uint64_t mixed(uint64_t h, uint64_t word) {
    h ^= word;
    h *= 0xFF51AFD7ED558CCDull;  // odd: multiplication is a bijection
    return (h << 31) | (h >> 33);
  }
  void mix_block(const unsigned char* p) {
    uint64_t word[kLanes];
    std::memcpy(word, p, kBlock);
    for (size_t i = 0; i < kLanes; ++i) lane_[i] = mixed(lane_[i], word[i]);
  }

  uint64_t lane_[kLanes] = {0x2545F4914F6CDD1Dull, 0x9E3779B97F4A7C15ull, 0xC2B2AE3D27D4EB4Full,
                            0x165667B19E3779F9ull};
  uint64_t bytes_ = 0;
  unsigned char rest_[kBlock] = {};
  size_t kept_ = 0;
};

}  // namespace pliant

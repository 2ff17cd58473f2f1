#pragma once
// A 64-bit hash of bytes, the same however they are cut into pieces. Every step is a bijection of
// the running value, so a change of one word cannot be undone by the words after it: a flipped bit
// always shows. Eight values run side by side in vector registers: files of tens of megabytes are
// to load in milliseconds.

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
      mix(lanes_, rest_);
      kept_ = 0;
    }
    Lanes lanes = lanes_;  // in registers: for all the compiler knows, the bytes could be lanes_ itself
    for (; bytes >= kBlock; p += kBlock, bytes -= kBlock) mix(lanes, p);
    lanes_ = lanes;
    if (bytes > 0) std::memcpy(rest_, p, bytes);
    kept_ = bytes;
  }

  uint64_t value() const {
    Hash end = *this;
    std::memset(end.rest_ + end.kept_, 0, kBlock - end.kept_);
    mix(end.lanes_, end.rest_);
    uint64_t h = bytes_;  // so that trailing zeros count
    for (int i = 0; i < kLanes; ++i) {
      h ^= end.lanes_[i];
      h *= 0xFF51AFD7ED558CCDull;  // odd: multiplication is a bijection
      h = (h << 31) | (h >> 33);
    }
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
    return h;
  }

 private:
  static constexpr int kLanes = 8, kHalf = kLanes / 2;
  static constexpr size_t kBlock = 8 * kLanes;
  /// Half of the lanes: what a vector register of today holds.
  using Half [[gnu::vector_size(8 * kHalf)]] = uint64_t;
  struct Lanes {
    Half low, high;
    uint64_t operator[](int i) const { return i < kHalf ? low[i] : high[i - kHalf]; }
  };

  static void mix(Half& lanes, const unsigned char* p) {
    Half words;
    std::memcpy(&words, p, sizeof words);
    lanes ^= words;
    lanes += lanes << 21;  // a multiplication by 2^21 + 1
    lanes ^= lanes >> 25;
  }
  static void mix(Lanes& lanes, const unsigned char* p) {
    mix(lanes.low, p);
    mix(lanes.high, p + sizeof(Half));
  }

  Lanes lanes_ = {{0x2545F4914F6CDD1Dull, 0x9E3779B97F4A7C15ull, 0xC2B2AE3D27D4EB4Full, 0x165667B19E3779F9ull},
                  {0x27D4EB2F165667C5ull, 0x85EBCA77C2B2AE63ull, 0xD6E8FEB86659FD93ull, 0xA0761D6478BD642Full}};
  uint64_t bytes_ = 0;
  unsigned char rest_[kBlock] = {};
  size_t kept_ = 0;
};

}  // namespace pliant

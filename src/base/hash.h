#pragma once
// A 64-bit hash of bytes, eight at a time. Every step is a bijection of the running value, so a change of
// one word cannot be undone by the words after it: a flipped bit always shows.

#include <cstdint>
#include <cstring>

namespace pliant {

class Hash {
 public:
  void add(const void* data, size_t bytes) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (; bytes >= 8; p += 8, bytes -= 8) {
      uint64_t word;
      std::memcpy(&word, p, 8);
      mix(word);
    }
    uint64_t tail = bytes;  // the length of the tail counts, so that trailing zeros do
    for (size_t i = 0; i < bytes; ++i) tail |= uint64_t{p[i]} << (8 * (i + 1));
    mix(tail);
  }
  uint64_t value() const {
    uint64_t h = h_;
    h ^= h >> 32;
    h *= 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
    return h;
  }

 private:
  void mix(uint64_t word) {
    h_ ^= word;
    h_ *= 0xFF51AFD7ED558CCDull;  // odd: multiplication is a bijection
    h_ = (h_ << 31) | (h_ >> 33);
  }
  uint64_t h_ = 0x2545F4914F6CDD1Dull;
};

}  // namespace pliant

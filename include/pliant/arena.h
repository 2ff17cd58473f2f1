#pragma once
// Memory for what a step finds out only while it runs: contacts and constraint rows.

#include <cstddef>
#include <memory>
#include <vector>

namespace pliant {

/// A stack of bytes that is emptied at the start of every step.
///
/// If it is full, another block is chained to it, so that addresses stay valid; the next reset() replaces the
/// chain by one block of the whole size. After a few steps nothing is allocated any more. With `fixed` set it
/// never grows: take() then answers nullptr, and whoever asked sets a fault.
class Arena {
 public:
  Arena() = default;
  explicit Arena(size_t bytes) { reserve(bytes); }
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;

  /// Empties it. Allocates only if blocks were chained since the last reset.
  void reset();
  /// Room for n values, aligned to a cache line and not initialised; nullptr only if `fixed` and full.
  template <class T>
  T* take(size_t n) {
    // a step asks some hundred times: the common case is a few instructions
    const size_t bytes = aligned(n * sizeof(T));
    if (blocks_.empty() || blocks_.back().bytes - used_ < bytes) return static_cast<T*>(take_from_new_block(bytes));
    std::byte* start = blocks_.back().start + used_;
    used_ += bytes;
    return reinterpret_cast<T*>(start);
  }
  /// More (or less) room for the values taken last: n of them become new_n, in place or, with their contents,
  /// elsewhere. nullptr only if `fixed` and full; the old values then stay.
  template <class T>
  T* grow(T* last, size_t n, size_t new_n) {
    return static_cast<T*>(grow_bytes(last, n * sizeof(T), new_n * sizeof(T)));
  }
  /// Empties it and makes room for this many bytes in one block.
  void reserve(size_t bytes);

  /// A place to go back to: everything taken after mark() is given back by release(). Only the last block's part is
  /// used again before the next reset.
  struct Mark {
    size_t block, used;
  };
  Mark mark() const { return {blocks_.empty() ? 0 : blocks_.size() - 1, used_}; }
  void release(Mark mark);

  /// Who keeps the block of something taken alive, beyond a reset or the arena itself; empty if it is not from here.
  std::shared_ptr<const void> owner(const void* taken) const;

  size_t bytes_used() const { return before_ + used_; }
  size_t high_water() const { return high_water_ > bytes_used() ? high_water_ : bytes_used(); }
  /// How often it had to grow.
  int growths() const { return growths_; }

  bool fixed = false;

 private:
  struct Block {
    std::shared_ptr<std::byte[]> memory;
    std::byte* start = nullptr;
    size_t bytes = 0;
  };
  static constexpr size_t kAlignment = 64;  // a cache line
  static constexpr size_t aligned(size_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }
  static Block make_block(size_t bytes);
  void* take_from_new_block(size_t bytes);
  void* grow_bytes(void* last, size_t bytes, size_t new_bytes);

  std::vector<Block> blocks_;
  size_t used_ = 0;        // of the last block
  size_t before_ = 0;      // taken from the blocks before it
  size_t high_water_ = 0;  // until something was last given back
  int growths_ = 0;
};

}  // namespace pliant

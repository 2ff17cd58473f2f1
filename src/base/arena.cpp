// A stack of bytes in one block, or a chain of blocks until the next reset.

#include "pliant/arena.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace pliant {
namespace {

constexpr size_t kSmallestBlock = 1 << 14;

}  // namespace

Arena::Block Arena::make_block(size_t bytes) {
  Block block;
  block.bytes = aligned(bytes);
  block.memory = std::shared_ptr<std::byte[]>(new std::byte[block.bytes + kAlignment]);
  const auto address = reinterpret_cast<uintptr_t>(block.memory.get());
  block.start = block.memory.get() + (aligned(address) - address);
  return block;
}

void Arena::reserve(size_t bytes) {
  high_water_ = high_water();
  if (blocks_.size() == 1 && blocks_[0].bytes >= bytes) {
    used_ = before_ = 0;
    return;
  }
  blocks_.clear();
  blocks_.push_back(make_block(bytes));
  used_ = before_ = 0;
}

void Arena::reset() {
  // half as much again: scenes that fall together grow their contacts step by step
  high_water_ = high_water();
  if (blocks_.size() > 1) reserve(high_water_ + high_water_ / 2);
  used_ = before_ = 0;
}

void* Arena::take_from_new_block(size_t bytes) {
  if (fixed && !blocks_.empty()) return nullptr;
  const size_t last = blocks_.empty() ? 0 : blocks_.back().bytes;
  before_ += used_;
  blocks_.push_back(make_block(std::max({bytes, 2 * last, kSmallestBlock})));
  used_ = bytes;
  ++growths_;
  return blocks_.back().start;
}

void* Arena::grow_bytes(void* last, size_t bytes, size_t new_bytes) {
  const bool is_last = !blocks_.empty() && last && blocks_.back().start + used_ - aligned(bytes) == last;
  if (is_last && used_ - aligned(bytes) + aligned(new_bytes) <= blocks_.back().bytes) {
    high_water_ = high_water();
    used_ += aligned(new_bytes) - aligned(bytes);
    return last;
  }
  void* moved = take<std::byte>(new_bytes);
  if (moved && last) std::memcpy(moved, last, std::min(bytes, new_bytes));
  return moved;
}

void Arena::release(Mark mark) {
  high_water_ = high_water();
  // blocks chained since then stay until the reset; only within one block can memory be handed out again
  if (!blocks_.empty() && mark.block == blocks_.size() - 1) used_ = mark.used;
}

std::shared_ptr<const void> Arena::owner(const void* taken) const {
  const auto* at = static_cast<const std::byte*>(taken);
  for (const Block& block : blocks_) {
    if (at >= block.start && at < block.start + block.bytes) return block.memory;
  }
  return nullptr;
}

}  // namespace pliant

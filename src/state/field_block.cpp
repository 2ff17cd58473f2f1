// The memory of State and Data.

#include "pliant/state.h"

#include <cstring>
#include <type_traits>

namespace pliant {
namespace {

// A cache line: a vector load never straddles two of them, and arrays of different worlds share none.
constexpr size_t kFieldAlignment = 64;
constexpr size_t aligned(size_t n) { return (n + kFieldAlignment - 1) / kFieldAlignment * kFieldAlignment; }

}  // namespace

size_t FieldBlock::field_bytes(int field) const {
  return aligned(scalar_bytes(fields_[field].scalar) * static_cast<size_t>(field_count(field)) *
                 static_cast<size_t>(field_width(field)));
}

void FieldBlock::allocate(const ModelSizes& sizes) {
  sizes_ = sizes;
  bytes_ = 0;
  for (size_t field = 0; field < fields_.size(); ++field) bytes_ += field_bytes(static_cast<int>(field));
  block_ = std::make_unique<std::byte[]>(bytes_ + kFieldAlignment);
  const auto address = reinterpret_cast<uintptr_t>(block_.get());
  start_ = block_.get() + (aligned(address) - address);
}

bool FieldBlock::fits(const ModelSizes& sizes) const {
  if (!block_) return false;
  // asked in every step of a rollout: nearly always of the same model
  static_assert(std::has_unique_object_representations_v<ModelSizes>);
  if (std::memcmp(&sizes_, &sizes, sizeof(ModelSizes)) == 0) return true;
  for (const StateFieldInfo& info : fields_) {
    if (info.count(sizes_) != info.count(sizes) || info.width(sizes_) != info.width(sizes)) return false;
  }
  return true;
}

}  // namespace pliant

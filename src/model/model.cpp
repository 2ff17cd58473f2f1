// Model: allocation of the one block, copies, names and the field tables.

#include "pliant/model.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "model/name_map.h"

namespace pliant {
namespace {

// 16 bytes: enough for aligned loads of two doubles, small enough that four hundred mostly short arrays
// waste little.
constexpr size_t kAlignment = Model::kAlignment;
constexpr size_t aligned(size_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }

constexpr FieldInfo kFields[] = {
#define FIELD(type, name, count, width, cls, unit, meaning) \
  {#name, Scalar::type, #count, #width, FieldClass::cls, unit, meaning},
#include "pliant/model_fields.def"
#undef FIELD
};

constexpr SizeInfo kSizes[] = {
#define SIZE(name, meaning) {#name, meaning},
#include "pliant/model_sizes.def"
#undef SIZE
};

enum FieldIndex : int {
#define FIELD(type, name, count, width, cls, unit, meaning) kField_##name,
#include "pliant/model_fields.def"
#undef FIELD
};

enum SizeIndex : int {
#define SIZE(name, meaning) kSize_##name,
#include "pliant/model_sizes.def"
#undef SIZE
};

}  // namespace

std::span<const FieldInfo> model_fields() { return kFields; }
std::span<const SizeInfo> model_sizes() { return kSizes; }

size_t scalar_bytes(Scalar scalar) {
  switch (scalar) {
    case Scalar::real:
    case Scalar::i64:
      return 8;
    case Scalar::f32:
    case Scalar::i32:
      return 4;
    case Scalar::u8:
    case Scalar::boolean:
    case Scalar::chr:
      return 1;
  }
  return 0;
}

int Model::field_count(int field) const {
  switch (field) {
#define FIELD(type, name, count, width, cls, unit, meaning) \
  case kField_##name:                                       \
    return count;
#include "pliant/model_fields.def"
#undef FIELD
  }
  return 0;
}

int Model::field_width(int field) const {
  switch (field) {
#define FIELD(type, name, count, width, cls, unit, meaning) \
  case kField_##name:                                       \
    return width;
#include "pliant/model_fields.def"
#undef FIELD
  }
  return 0;
}

void* Model::field_data(int field) const {
  switch (field) {
#define FIELD(type, name, count, width, cls, unit, meaning) \
  case kField_##name:                                       \
    return name;
#include "pliant/model_fields.def"
#undef FIELD
  }
  return nullptr;
}

int Model::size_value(int size) const {
  switch (size) {
#define SIZE(name, meaning) \
  case kSize_##name:        \
    return name;
#include "pliant/model_sizes.def"
#undef SIZE
  }
  return 0;
}

namespace {

/// Memory for a block. Large ones ask for large pages: first touches of small pages would take most of
/// the time in which a binary model is read.
std::byte* allocate_block(size_t bytes) {
  constexpr size_t kLargePage = size_t{1} << 21;
  const size_t alignment = bytes >= 2 * kLargePage ? kLargePage : kAlignment;
  const size_t whole = std::max((bytes + alignment - 1) / alignment, size_t{1}) * alignment;
  void* block = std::aligned_alloc(alignment, whole);
  if (!block) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  if (alignment == kLargePage) madvise(block, whole, MADV_HUGEPAGE);
#endif
  return static_cast<std::byte*>(block);
}

}  // namespace

void Model::FreeBlock::operator()(std::byte* block) const {
  if (mapping.start) {
    munmap(mapping.start, mapping.bytes);
  } else {
    std::free(block);
  }
}

Model::Model(const ModelSizes& sizes) : Model(sizes, Unfilled{}) { std::memset(block_.get(), 0, bytes_); }

Model::Model(const ModelSizes& sizes, Unfilled) : ModelSizes(sizes) { allocate(); }

Model::Model(const ModelSizes& sizes, FileMapping mapping, std::byte* block)
    : ModelSizes(sizes), block_(block, FreeBlock{mapping}), bytes_(block_bytes(sizes)) {
  place_arrays();
}

void Model::allocate() {
  bytes_ = block_bytes(*this);
  block_ = {allocate_block(bytes_), FreeBlock{}};
  place_arrays();
}

void Model::place_arrays() {
  std::byte* cursor = block_.get();
#define FIELD(type, name, count, width, cls, unit, meaning) \
  name = reinterpret_cast<scalar::type*>(cursor);           \
  cursor += aligned(sizeof(scalar::type) * static_cast<size_t>(count) * static_cast<size_t>(width));
#include "pliant/model_fields.def"
#undef FIELD
}

size_t Model::block_bytes(const ModelSizes& sizes) {
  Model shape;
  static_cast<ModelSizes&>(shape) = sizes;
  // neither a product of two 31-bit numbers overflows nor a sum that is cut off here
  constexpr size_t kAbsurd = size_t{1} << 58;
  size_t total = 0;
  for (int i = 0; i < static_cast<int>(std::size(kFields)); ++i) {
    const auto items = static_cast<size_t>(shape.field_count(i)) * static_cast<size_t>(shape.field_width(i));
    if (items > kAbsurd || total > kAbsurd) return kAbsurd;
    total += aligned(items * scalar_bytes(kFields[i].scalar));
  }
  return total;
}

// NOLINTNEXTLINE(bugprone-copy-constructor-init): the assignment copies the base, too
Model::Model(const Model& other) { *this = other; }

Model& Model::operator=(const Model& other) {
  if (this == &other) return *this;
  static_cast<ModelSizes&>(*this) = other;
  opt = other.opt;
  vis = other.vis;
  stat = other.stat;
  arena_bytes = other.arena_bytes;
  pending = other.pending;
  prepared_contacts = other.prepared_contacts;
  origins = other.origins;
  files = other.files;
  block_.reset();
  bytes_ = 0;
  if (!other.block_) return *this;
  allocate();
  // the first field starts the block in both
  std::memcpy(field_data(0), other.field_data(0), bytes_);
  return *this;
}

// Four hundred pointers: here once, not in every file that moves a Model.
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

int Model::count(ObjType type) const {
  if (type == ObjType::kXbody) type = ObjType::kBody;
  if (type == ObjType::kDof) return nv;
  for (const NamedKind& kind : kNamedKinds) {
    if (kind.type == type) return this->*kind.count;
  }
  return 0;
}

std::string_view Model::model_name() const { return nnames ? std::string_view(names) : ""; }

std::string_view Model::name(ObjType type, int id) const {
  if (type == ObjType::kXbody) type = ObjType::kBody;
  for (const NamedKind& kind : kNamedKinds) {
    if (kind.type != type) continue;
    if (id < 0 || id >= this->*kind.count) return {};
    return names + (this->*kind.address)[id];
  }
  return {};
}

int Model::id(ObjType type, std::string_view wanted) const {
  if (type == ObjType::kXbody) type = ObjType::kBody;
  if (wanted.empty()) return -1;
  const int32_t* table = names_map;
  for (const NamedKind& kind : kNamedKinds) {
    const int slots = kNameSlotsPerObject * this->*kind.count;
    if (kind.type != type) {
      table += slots;
      continue;
    }
    if (slots == 0) return -1;
    int slot = static_cast<int>(name_hash(wanted, slots));
    for (int probed = 0; probed < slots && table[slot] >= 0; ++probed, slot = (slot + 1) % slots) {
      if (name(type, table[slot]) == wanted) return table[slot];
    }
    return -1;
  }
  return -1;
}

std::string Model::origin(ObjType type, int id) const {
  if (type == ObjType::kXbody) type = ObjType::kBody;
  const auto found = origins.find(type);
  if (found == origins.end() || id < 0 || id >= static_cast<int>(found->second.size())) return {};
  const Origin at = found->second[id];
  if (at.file < 0 || at.file >= static_cast<int>(files.size())) return {};
  return files[at.file] + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

bool has_row_memory(const Model& m) { return traits(m.opt.solver).row_memory || has_anchors(m); }

}  // namespace pliant

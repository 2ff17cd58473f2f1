// Data: its arrays come from data_fields.def.

#include <algorithm>
#include <cstring>

#include "pliant/state.h"
#include "state/field_block.h"

namespace pliant {
namespace {

constexpr StateFieldInfo kFields[] = {
#define FIELD(owner, type, name, count, width, layout, unit, meaning)                              \
  {#owner, #name, Scalar::type, #count, #width, Layout::layout, unit, meaning, PLIANT_SIZE_OF(count), \
   PLIANT_SIZE_OF(width)},
#include "pliant/data_fields.def"
#undef FIELD
};

}  // namespace

std::span<const StateFieldInfo> data_fields() { return kFields; }

void Data::place_fields() {
  std::byte* cursor = start_;
  int field = 0;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  name = reinterpret_cast<scalar::type*>(cursor);                     \
  cursor += field_bytes(field++);
#include "pliant/data_fields.def"
#undef FIELD
}

void* Data::field_data(int field) const {
  int i = 0;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  if (i++ == field) return name;
#include "pliant/data_fields.def"
#undef FIELD
  return nullptr;
}

Data::Data(const Model& model) : FieldBlock(kFields), trial(model) {
  allocate(model);
  place_fields();
}

Data::Data(const Data& other) : FieldBlock(kFields) { *this = other; }

Data& Data::operator=(const Data& other) {
  if (this == &other) return *this;
  if (!other.block_) return *this = Data();
  if (!fits(other.sizes_)) {
    allocate(other.sizes_);
    place_fields();
  }
  std::memcpy(start_, other.start_, bytes_);
  copy_contacts(other);
  done = other.done;
  trial = other.trial;
  faults = other.faults;
  timing = other.timing;
  times = other.times;
  return *this;
}

void Data::copy_contacts(const Data& other) {
  arena.reset();
  ncon = other.ncon;
  contact = ncon ? arena.take<Contact>(static_cast<size_t>(ncon)) : nullptr;
  std::copy_n(other.contact, ncon, contact);
}

Data make_data(const Model& model) { return Data(model); }

void Data::reset() {
  std::memset(start_, 0, bytes_);
  arena.reset();
  ncon = 0;
  contact = nullptr;
  done = {};
  faults = {};
  times = {};
}

}  // namespace pliant

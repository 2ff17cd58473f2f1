// Data: its arrays come from data_fields.def.

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "base/hash.h"

#include "pliant/state.h"
#include "state/field_block.h"

namespace pliant {
namespace {

constexpr StateFieldInfo kFields[] = {
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  {#owner,                                                            \
   #name,                                                             \
   Scalar::type,                                                      \
   #count,                                                            \
   #width,                                                            \
   Layout::layout,                                                    \
   unit,                                                              \
   meaning,                                                           \
   PLIANT_SIZE_OF(count),                                             \
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

namespace {

/// Room for the separations of shapes without pair functions of their own: several for each, as far as it is little.
size_t separation_places(const Model& model) {
  size_t shapes = 0;
  for (int g = 0; g < model.ngeom; ++g) {
    const auto type = static_cast<GeomType>(model.geom_type[g]);
    shapes += type == GeomType::kMesh || type == GeomType::kCylinder || type == GeomType::kEllipsoid;
  }
  return shapes == 0 ? 0 : std::bit_ceil(std::clamp<size_t>(16 * shapes, 64, 8192));
}

}  // namespace

Data::Data(const Model& model)
    : FieldBlock(kFields),
      trial(model),
      followed(model.nfollower > 0 ? State(model) : State()),
      separations(separation_places(model)) {
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
  copy_rows(other);
  anchored = other.anchored;
  clamps = other.clamps;
  row_memory_dropped = other.row_memory_dropped;
  gyroscopic_explicit = other.gyroscopic_explicit;
  terms_explicit = other.terms_explicit;
  energy_uncorrected = other.energy_uncorrected;
  signorini_convex = other.signorini_convex;
  done = other.done;
  trial = other.trial;
  followed = other.followed;
  faults = other.faults;
  separations = other.separations;
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

bool take_rows(Arena& arena, int nrow, int nsegment, int nentry, Rows& rows) {
  rows = {};
  bool fits = true;
#define FIELD(owner, type, name, count, width, layout, unit, meaning)         \
  rows.name = arena.take<scalar::type>(static_cast<size_t>(count) * (width)); \
  fits = fits && rows.name;
#include "pliant/row_fields.def"
#undef FIELD
  rows.row_room = nrow, rows.segment_room = nsegment, rows.entry_room = nentry;
  if (!fits) rows = {};
  return fits;
}

void Data::copy_rows(const Data& other) {
  rows = {};
  islands = {};
  solver = {};
  metric = {};  // (its terms are not copied; the stage metric makes them anew, in the room behind the rows)
  const int nrow = other.rows.n, nsegment = other.rows.nsegment, nentry = other.rows.nentry;
  if (nrow == 0 || !take_rows(arena, other.rows.row_room, other.rows.segment_room, other.rows.entry_room, rows)) {
    return;
  }
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  std::copy_n(other.rows.name, static_cast<size_t>(count) * (width), rows.name);
#include "pliant/row_fields.def"
#undef FIELD
  rows.n = nrow, rows.nsegment = nsegment, rows.nentry = nentry;
  rows.ne = other.rows.ne, rows.nf = other.rows.nf, rows.nl = other.rows.nl;

  const auto copy = [&](const auto* from, int n, auto*& to) {
    to = nullptr;
    using T = std::remove_cvref_t<decltype(*from)>;
    if (from && (to = arena.take<T>(static_cast<size_t>(n)))) std::copy_n(from, n, to);
  };
  islands = other.islands;
  const int ntree = sizes_.ntree, nv = sizes_.nv, nisland = islands.n, nislanddof = islands.ndof;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  copy(other.islands.name, (count) * (width), islands.name);
#include "pliant/island_fields.def"
#undef FIELD
  solver.n = other.solver.n;
  copy(other.solver.report, solver.n, solver.report);
  copy(other.solver.last_force, nrow, solver.last_force);
  copy(other.solver.history, solver.islands_kept() * SolverReports::kMostIterations, solver.history);
}

Data make_data(const Model& model) { return Data(model); }

void for_each_step_array(const Data& d, const ModelSizes& sizes, const std::function<void(const StepArray&)>& visit) {
  const auto add = [&](const char* owner, const char* name, auto* data, size_t bytes, size_t stride, int count) {
    if (data && count > 0)
      visit({owner, name, const_cast<void*>(static_cast<const void*>(data)), bytes, stride, count});
  };
#define FIELD(owner, type, name, width, unit, meaning)                                                            \
  add(#owner, "contact." #name, d.contact ? &d.contact->name : nullptr, sizeof(d.contact->name), sizeof(Contact), \
      d.ncon);
#include "pliant/contact_fields.def"
#undef FIELD
  const int nrow = d.rows.n, nsegment = d.rows.nsegment, nentry = d.rows.nentry;
  const int ntree = sizes.ntree, nv = sizes.nv, nisland = d.islands.n, nislanddof = d.islands.ndof;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  add(#owner, #name, FROM.name, sizeof(scalar::type), sizeof(scalar::type), (count) * (width));
#define FROM d.rows
#include "pliant/row_fields.def"
#undef FROM
#define FROM d.islands
#include "pliant/island_fields.def"
#undef FROM
#undef FIELD
}

uint64_t Data::hash() const {
  Hash hash;
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (std::string_view(fields_[i].owner).ends_with("scratch")) continue;
    const int field = static_cast<int>(i);
    hash.add(field_data(field), scalar_bytes(fields_[i].scalar) * static_cast<size_t>(field_count(field)) *
                                    static_cast<size_t>(field_width(field)));
  }
  for_each_step_array(*this, sizes_, [&](const StepArray& array) {
    const auto* at = static_cast<const std::byte*>(array.data);
    for (int i = 0; i < array.count; ++i) hash.add(at + array.stride * static_cast<size_t>(i), array.bytes);
  });
  return hash.value();
}

void Data::reset() {
  std::memset(start_, 0, bytes_);
  arena.reset();
  ncon = 0;
  contact = nullptr;
  anchored = false;
  rows = {};
  islands = {};
  metric = {};
  solver = {};
  clamps = {};
  row_memory_dropped = gyroscopic_explicit = terms_explicit = energy_uncorrected = signorini_convex = 0;
  done = {};
  faults = {};
  times = {};
}

}  // namespace pliant

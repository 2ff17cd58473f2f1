// Data: its arrays come from data_fields.def.

#include <algorithm>
#include <cstring>
#include <type_traits>

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

Data::Data(const Model& model)
    : FieldBlock(kFields), trial(model), followed(model.nfollower > 0 ? State(model) : State()) {
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
  clamps = other.clamps;
  row_memory_dropped = other.row_memory_dropped;
  gyroscopic_explicit = other.gyroscopic_explicit;
  terms_explicit = other.terms_explicit;
  done = other.done;
  trial = other.trial;
  followed = other.followed;
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

bool take_rows(Arena& arena, int nrow, int nsegment, int nentry, Rows& rows) {
  rows = {};
  bool fits = true;
#define FIELD(owner, type, name, count, width, unit, meaning)                 \
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
#define FIELD(owner, type, name, count, width, unit, meaning) \
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
  copy(other.islands.tree_island, sizes_.ntree, islands.tree_island);
  copy(other.islands.dof_island, sizes_.nv, islands.dof_island);
  copy(other.islands.dof_place, sizes_.nv, islands.dof_place);
  copy(other.islands.island_dofadr, islands.n + 1, islands.island_dofadr);
  copy(other.islands.island_dof, islands.ndof, islands.island_dof);
  copy(other.islands.island_rowadr, islands.n + 1, islands.island_rowadr);
  copy(other.islands.island_row, nrow, islands.island_row);
  solver.n = other.solver.n;
  copy(other.solver.report, solver.n, solver.report);
  copy(other.solver.last_force, nrow, solver.last_force);
  copy(other.solver.history, solver.islands_kept() * SolverReports::kMostIterations, solver.history);
}

Data make_data(const Model& model) { return Data(model); }

void Data::reset() {
  std::memset(start_, 0, bytes_);
  arena.reset();
  ncon = 0;
  contact = nullptr;
  rows = {};
  islands = {};
  metric = {};
  solver = {};
  clamps = {};
  row_memory_dropped = gyroscopic_explicit = terms_explicit = 0;
  done = {};
  faults = {};
  times = {};
}

}  // namespace pliant

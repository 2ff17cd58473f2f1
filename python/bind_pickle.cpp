// Contacts, constraint rows, islands and reports of a Data, and the row forces that a State remembers, as bytes and
// back: what pickling needs beyond the arrays of the field lists. The bytes are for the build that wrote them: sizes
// are checked, meanings are not.

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "bind.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

/// Appends values to a text of bytes.
struct Packer {
  std::string bytes;
  template <class T>
  void number(T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void array(T*& values, size_t n) {
    bool there = values != nullptr;
    number(there);
    if (there) bytes.append(reinterpret_cast<const char*>(values), n * sizeof(T));
  }
  template <class T>
  void list(std::vector<T>& values) {
    size_t n = values.size();
    number(n);
    if (n) bytes.append(reinterpret_cast<const char*>(values.data()), n * sizeof(T));
  }
};

/// Takes them off again; arrays get room in an arena.
struct Unpacker {
  const char* at;
  const char* end;
  Arena& arena;
  void read(void* to, size_t n) {
    if (static_cast<size_t>(end - at) < n) throw std::invalid_argument("unpickling MjData: the bytes end too early");
    if (n) std::memcpy(to, at, n);
    at += n;
  }
  template <class T>
  void number(T& value) {
    read(&value, sizeof value);
  }
  template <class T>
  void array(T*& values, size_t n) {
    bool there = false;
    number(there);
    values = nullptr;
    if (!there) return;
    if (static_cast<size_t>(end - at) / sizeof(T) < n)
      throw std::invalid_argument("unpickling MjData: the bytes end too early");
    values = arena.take<T>(n);
    if (!values) throw std::invalid_argument("unpickling MjData: no room for contacts and rows");
    read(values, n * sizeof(T));
  }
  template <class T>
  void list(std::vector<T>& values) {
    size_t n = 0;
    number(n);
    if (static_cast<size_t>(end - at) / sizeof(T) < n)
      throw std::invalid_argument("unpickling MjData: the bytes end too early");
    values.resize(n);
    read(values.data(), n * sizeof(T));
  }
};

/// Visits everything in one order, for both directions.
template <class Visitor>
void visit(State& s, Data& d, const Model& m, Visitor& v) {
  static_assert(std::is_trivially_copyable_v<Contact> && std::is_trivially_copyable_v<SolverReport> &&
                std::is_trivially_copyable_v<RowMemory::Entry>);
  v.list(s.row_memory.entries), v.list(s.row_memory.force);
  v.number(d.ncon);
  v.array(d.contact, static_cast<size_t>(d.ncon));
  Rows& rows = d.rows;
  v.number(rows.n), v.number(rows.ne), v.number(rows.nf), v.number(rows.nl), v.number(rows.nsegment),
      v.number(rows.nentry);
  const size_t nrow = static_cast<size_t>(rows.n), nsegment = static_cast<size_t>(rows.nsegment),
               nentry = static_cast<size_t>(rows.nentry);
#define FIELD(owner, type, name, count, width, layout, unit, meaning) v.array(rows.name, (count) * (width));
#include "pliant/row_fields.def"
#undef FIELD
  Islands& islands = d.islands;
  v.number(islands.n), v.number(islands.ndof);
  const size_t ntree = static_cast<size_t>(m.ntree), nv = static_cast<size_t>(m.nv),
               nisland = static_cast<size_t>(islands.n), nislanddof = static_cast<size_t>(islands.ndof);
#define FIELD(owner, type, name, count, width, layout, unit, meaning) v.array(islands.name, (count) * (width));
#include "pliant/island_fields.def"
#undef FIELD
  v.number(d.solver.n);
  v.array(d.solver.report, static_cast<size_t>(d.solver.n));
  v.array(d.solver.last_force, nrow);
  v.array(d.solver.history, static_cast<size_t>(d.solver.islands_kept()) * SolverReports::kMostIterations);
}

nb::bytes pack(const PyModel& model, State& state, Data& data) {
  Packer packer;
  visit(state, data, model.model, packer);
  return nb::bytes(packer.bytes.data(), packer.bytes.size());
}

/// Forces that are remembered name their place among the numbers: it must be there.
void check_row_memory(const RowMemory& memory) {
  for (const RowMemory::Entry& entry : memory.entries) {
    if (is_within(entry, memory.force.size())) continue;
    throw std::invalid_argument("unpickling MjData: remembered forces lie beyond their end");
  }
}

void unpack(const PyModel& model, State& state, Data& data, const nb::bytes& bytes) {
  data.arena.reset();
  data.ncon = 0, data.contact = nullptr;
  data.rows = {}, data.islands = {}, data.solver = {};
  const auto* start = static_cast<const char*>(bytes.data());
  Unpacker unpacker{start, start + bytes.size(), data.arena};
  try {
    visit(state, data, model.model, unpacker);
    check_row_memory(state.row_memory);
  } catch (...) {
    state.row_memory.clear();
    data.reset();
    throw;
  }
}

}  // namespace

void bind_pickle(nb::module_& m) {
  m.def("pack_step", pack, "model"_a, "state"_a, "data"_a, "Contacts, rows, islands and remembered forces as bytes.");
  m.def("unpack_step", unpack, "model"_a, "state"_a, "data"_a, "bytes"_a, "Takes them back from bytes.");
}

}  // namespace pliant::python

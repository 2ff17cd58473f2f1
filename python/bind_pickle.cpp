// State and Data as bytes and back, for pickles: the arrays of the field lists, contacts, constraint rows, islands,
// reports, and the row forces that a State remembers. The bytes are for the version that wrote them, which they name;
// sizes are checked, meanings are not.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "bind.h"
#include "pliant/version.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

[[noreturn]] void too_short() { throw std::invalid_argument("unpickling: the bytes end too early"); }

/// Appends values to a text of bytes.
struct Packer {
  std::string bytes;
  template <class T>
  void number(T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void array(T*& values, size_t n, size_t /*room*/ = 0) {
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
    if (static_cast<size_t>(end - at) < n) too_short();
    if (n) std::memcpy(to, at, n);
    at += n;
  }
  template <class T>
  void number(T& value) {
    read(&value, sizeof value);
  }
  template <class T>
  void array(T*& values, size_t n, size_t room = 0) {
    bool there = false;
    number(there);
    values = nullptr;
    if (!there) return;
    if (static_cast<size_t>(end - at) / sizeof(T) < n) too_short();
    values = arena.take<T>(std::max(n, room));
    if (!values) throw std::invalid_argument("unpickling: no room for contacts and rows");
    read(values, n * sizeof(T));
  }
  template <class T>
  void list(std::vector<T>& values) {
    size_t n = 0;
    number(n);
    if (static_cast<size_t>(end - at) / sizeof(T) < n) too_short();
    values.resize(n);
    read(values.data(), n * sizeof(T));
  }
};

constexpr size_t kRowFields = 0
#define FIELD(owner, type, name, count, width, layout, unit, meaning) +1
#include "pliant/row_fields.def"
#undef FIELD
    ;

/// Whether counts and rooms of rows can be meant: there is room for what there is, and not for millions more.
bool has_room(const Rows& rows) {
  constexpr int64_t kMostSpare = 1 << 24;
  const auto fits = [](int64_t n, int64_t room) { return n >= 0 && room >= n && room - n <= kMostSpare; };
  return fits(rows.n, rows.row_room) && fits(rows.nsegment, rows.segment_room) && fits(rows.nentry, rows.entry_room);
}

/// Visits everything in one order, for both directions.
template <class Visitor>
void visit(RowMemory& memory, Visitor& v) {
  static_assert(std::is_trivially_copyable_v<RowMemory::Entry>);
  v.list(memory.entries), v.list(memory.force);
}

template <class Visitor>
void visit(Data& d, const ModelSizes& m, Visitor& v) {
  static_assert(std::is_trivially_copyable_v<Contact> && std::is_trivially_copyable_v<SolverReport>);
  v.number(d.ncon);
  v.array(d.contact, static_cast<size_t>(d.ncon));
  Rows& rows = d.rows;
  v.number(rows.n), v.number(rows.ne), v.number(rows.nf), v.number(rows.nl), v.number(rows.nsegment),
      v.number(rows.nentry);
  v.number(rows.row_room), v.number(rows.segment_room), v.number(rows.entry_room);
  if (!has_room(rows)) throw std::invalid_argument("unpickling: rows lie beyond their room");
  const auto numbers_of = [](int nrow, int nsegment, int nentry) {
    std::array<size_t, kRowFields> numbers;
    size_t field = 0;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  numbers[field++] = static_cast<size_t>(count) * (width);
#include "pliant/row_fields.def"
#undef FIELD
    return numbers;
  };
  // room behind the rows is where the integrator discrete puts its terms; copying a Data copies it
  const auto there = numbers_of(rows.n, rows.nsegment, rows.nentry),
             room = numbers_of(rows.row_room, rows.segment_room, rows.entry_room);
  size_t field = 0;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  v.array(rows.name, there[field], room[field]), ++field;
#include "pliant/row_fields.def"
#undef FIELD
  Islands& islands = d.islands;
  v.number(islands.n), v.number(islands.ndof);
  const size_t nrow = static_cast<size_t>(rows.n), ntree = static_cast<size_t>(m.ntree), nv = static_cast<size_t>(m.nv),
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
  visit(state.row_memory, packer);
  visit(data, model.model, packer);
  return nb::bytes(packer.bytes.data(), packer.bytes.size());
}

/// Forces that are remembered name their place among the numbers: it must be there.
void check_row_memory(const RowMemory& memory) {
  for (const RowMemory::Entry& entry : memory.entries) {
    if (is_within(entry, memory.force.size())) continue;
    throw std::invalid_argument("unpickling: remembered forces lie beyond their end");
  }
}

void unpack(const PyModel& model, State& state, Data& data, const nb::bytes& bytes) {
  data.arena.reset();
  data.ncon = 0, data.contact = nullptr;
  data.rows = {}, data.islands = {}, data.solver = {};
  const auto* start = static_cast<const char*>(bytes.data());
  Unpacker unpacker{start, start + bytes.size(), data.arena};
  try {
    visit(state.row_memory, unpacker);
    visit(data, model.model, unpacker);
    check_row_memory(state.row_memory);
  } catch (...) {
    state.row_memory.clear();
    data.reset();
    throw;
  }
}

// ---- State and Data alone ------------------------------------------------------------------------

/// The door to what State and Data keep for classes that derive from them: the sizes that they were made for, and
/// zeroed arrays of given sizes without a Model at hand.
template <class Block>
struct Opened : Block {
  explicit Opened(const ModelSizes& sizes) { this->allocate(sizes); }
  static const ModelSizes& sizes_of(const Block& block) { return block.*(&Opened::sizes_); }
};

template <class Block>
Block blank(const ModelSizes& sizes) {
  const Opened<Block> opened(sizes);
  return Block(opened);  // a copy has its arrays in their places
}

/// Which version wrote the bytes, of what, and how large its structures were.
struct Heading {
  char version[16] = {}, what[8] = {};
  uint32_t sizes = sizeof(ModelSizes), contact = sizeof(Contact), report = sizeof(SolverReport),
           entry = sizeof(RowMemory::Entry);
};

Heading heading(const char* what) {
  Heading heading;
  std::strncpy(heading.version, kVersion, sizeof heading.version - 1);
  std::strncpy(heading.what, what, sizeof heading.what - 1);
  return heading;
}

template <class Block>
size_t field_bytes(const Block& block, std::span<const StateFieldInfo> fields, int field) {
  return scalar_bytes(fields[static_cast<size_t>(field)].scalar) * static_cast<size_t>(block.field_count(field)) *
         static_cast<size_t>(block.field_width(field));
}

template <class Block>
void pack_fields(const char* what, const Block& block, std::span<const StateFieldInfo> fields, Packer& packer) {
  if (block.bytes() == 0) throw std::invalid_argument(std::string("pickling: this ") + what + " is empty");
  const Heading head = heading(what);
  packer.number(head);
  const ModelSizes& sizes = Opened<Block>::sizes_of(block);
  packer.number(sizes);
  for (size_t i = 0; i < fields.size(); ++i) {
    const int field = static_cast<int>(i);
    packer.bytes.append(static_cast<const char*>(block.field_data(field)), field_bytes(block, fields, field));
  }
}

/// A block of the sizes that the bytes name, after it is known that as many bytes as its arrays need are there.
template <class Block>
Block unpack_fields(const char* what, std::span<const StateFieldInfo> fields, Unpacker& unpacker) {
  Heading found;
  const Heading wanted = heading(what);
  unpacker.number(found);
  if (std::memcmp(&found, &wanted, sizeof found) != 0) {
    throw std::invalid_argument(std::string("unpickling: these are not the bytes of a ") + what + " of version " +
                                kVersion + " of Pliant; pickles are for the version that wrote them");
  }
  ModelSizes sizes;
  unpacker.number(sizes);
  size_t left = static_cast<size_t>(unpacker.end - unpacker.at);
  for (const StateFieldInfo& info : fields) {
    const int64_t count = info.count(sizes), width = info.width(sizes);
    if (count < 0 || width < 0) throw std::invalid_argument("unpickling: a size is negative");
    if (count == 0 || width == 0) continue;
    const auto numbers = static_cast<uint64_t>(count) * static_cast<uint64_t>(width);
    if (numbers > left / scalar_bytes(info.scalar)) too_short();
    left -= numbers * scalar_bytes(info.scalar);
  }
  Block block = blank<Block>(sizes);
  for (size_t i = 0; i < fields.size(); ++i) {
    const int field = static_cast<int>(i);
    unpacker.read(block.field_data(field), field_bytes(block, fields, field));
  }
  return block;
}

nb::bytes bytes_of(const Packer& packer) { return nb::bytes(packer.bytes.data(), packer.bytes.size()); }

nb::bytes pack_state(State& state) {
  Packer packer;
  pack_fields("State", state, state_fields(), packer);
  visit(state.row_memory, packer);
  return bytes_of(packer);
}

State unpack_state(const nb::bytes& bytes) {
  const auto* start = static_cast<const char*>(bytes.data());
  Arena none;
  Unpacker unpacker{start, start + bytes.size(), none};
  State state = unpack_fields<State>("State", state_fields(), unpacker);
  visit(state.row_memory, unpacker);
  check_row_memory(state.row_memory);
  return state;
}

/// Names of arrays that faults were found in are texts of the program: one of this content that stays for ever.
const char* lasting(const std::string& name) {
  static std::mutex lock;
  static std::set<std::string> names;
  const std::lock_guard guard(lock);
  return names.insert(name).first->c_str();
}

void visit_offence(Offence& o, Packer& v) {
  std::vector<char> name(o.field, o.field + std::strlen(o.field));
  v.list(name);
  v.number(o.index), v.number(o.value), v.number(o.time), v.number(o.row), v.number(o.geom2);
}

void visit_offence(Offence& o, Unpacker& v) {
  std::vector<char> name;
  v.list(name);
  if (name.size() > 64) throw std::invalid_argument("unpickling: the name of an array is too long");
  o.field = lasting({name.begin(), name.end()});
  v.number(o.index), v.number(o.value), v.number(o.time), v.number(o.row), v.number(o.geom2);
}

/// What Data counts and remembers beside arrays and rows: what copying it copies.
template <class Visitor>
void visit_rest(Data& d, Visitor& v) {
  v.number(d.npair_tested), v.number(d.clamps), v.number(d.row_memory_dropped), v.number(d.gyroscopic_explicit),
      v.number(d.terms_explicit), v.number(d.done), v.number(d.timing), v.number(d.times);
  for (FaultRecord& record : d.faults) {
    v.number(record.count);
    visit_offence(record.first, v), visit_offence(record.last, v);
  }
}

nb::bytes pack_data(Data& data) {
  Packer packer;
  pack_fields("Data", data, data_fields(), packer);
  visit(data, Opened<Data>::sizes_of(data), packer);
  visit_rest(data, packer);
  pack_fields("State", data.trial, state_fields(), packer);
  return bytes_of(packer);
}

/// The memory of separations, which changes no result, stays empty.
Data unpack_data(const nb::bytes& bytes) {
  const auto* start = static_cast<const char*>(bytes.data());
  Arena none;
  Unpacker outer{start, start + bytes.size(), none};
  Data data = unpack_fields<Data>("Data", data_fields(), outer);
  Unpacker unpacker{outer.at, outer.end, data.arena};
  const ModelSizes sizes = Opened<Data>::sizes_of(data);
  visit(data, sizes, unpacker);
  visit_rest(data, unpacker);
  data.trial = unpack_fields<State>("State", state_fields(), unpacker);
  if (!data.trial.fits(sizes)) throw std::invalid_argument("unpickling: an intermediate state has other sizes");
  if (sizes.nfollower > 0) data.followed = blank<State>(sizes);
  return data;
}

}  // namespace

void bind_pickle(nb::module_& m) {
  m.def("pack_step", pack, "model"_a, "state"_a, "data"_a, "Contacts, rows, islands and remembered forces as bytes.");
  m.def("unpack_step", unpack, "model"_a, "state"_a, "data"_a, "bytes"_a, "Takes them back from bytes.");
  nb::borrow<nb::class_<State>>(m.attr("State"))
      .def("__getstate__", pack_state)
      .def("__setstate__", [](State* self, const nb::bytes& bytes) { new (self) State(unpack_state(bytes)); });
  nb::borrow<nb::class_<Data>>(m.attr("Data"))
      .def("__getstate__", pack_data)
      .def("__setstate__", [](Data* self, const nb::bytes& bytes) { new (self) Data(unpack_data(bytes)); });
}

}  // namespace pliant::python

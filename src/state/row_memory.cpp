// Row memory: forces of rows, and slips of contacts, by what they come from.
//
// Rows of one constraint follow one another. A contact is found again as the nearest one of its two geoms that is still
// free: the order of a pair's contacts changes with the features that touch, their places move little.
// reads rows contact · writes row_force, State::row_memory. Cost: some hundred instructions per constraint; where a
// step's constraints are not sorted by kind and ids, a sort of them.

#include "state/row_memory.h"

#include <algorithm>

namespace pliant {
namespace {

/// Room taken at once where memory is fixed.
constexpr size_t kFixedEntries = 4096, kFixedForces = 4 * kFixedEntries;

RowMemory::Entry entry_of(const RowSource& source, int rows) {
  return {source.kind, {source.id[0], source.id[1]}, rows, 0, 0, {}};
}

/// The contact whose rows begin with row i.
RowMemory::Entry contact_at(const Data& d, int i) {
  const auto type = static_cast<RowType>(d.rows.row_type[i]);
  const Contact& contact = d.contact[d.rows.row_id[i]];
  const int friction = contact.dim - 1;
  RowMemory::Entry entry = entry_of({type, contact}, type == RowType::kContactFrictionless ? 1
                                                     : type == RowType::kContactElliptic   ? 1 + friction
                                                                                           : 2 * friction);
  for (int k = 0; k < 3; ++k) entry.place[k] = contact.pos[k];
  return entry;
}

/// The constraint whose rows begin with row i.
RowMemory::Entry constraint_at(const Data& d, int i) {
  const Rows& rows = d.rows;
  const auto type = static_cast<RowType>(rows.row_type[i]);
  if (type >= RowType::kContactFrictionless) return contact_at(d, i);
  if (type == RowType::kLimitJoint || type == RowType::kLimitTendon) {
    // both sides may have a row; they point in opposite directions
    const int side = rows.row_segnum[i] > 0 && rows.row_J[rows.row_Jadr[i]] < 0;
    return entry_of({rows.row_type[i], rows.row_id[i], side}, 1);
  }
  int n = 1;
  while (i + n < rows.n && rows.row_type[i + n] == rows.row_type[i] && rows.row_id[i + n] == rows.row_id[i]) ++n;
  return entry_of({rows.row_type[i], rows.row_id[i], 0}, n);
}

}  // namespace

bool RememberedRows::prepare() {
  if (used_ != nullptr) return true;
  mark_ = arena_.mark();
  used_ = arena_.take<bool>(static_cast<size_t>(count_));
  if (used_ == nullptr) return false;
  for (int i = 0; i < count_; ++i) used_[i] = i < next_;
  return true;
}

const RowMemory::Entry* RememberedRows::find(const RowSource& wanted, int rows, const double* place) {
  if (!prepare()) return nullptr;
  int best = -1;
  double nearest = 0;
  const RowMemory::Entry* const end = entries_ + count_;
  const auto* at = std::lower_bound(entries_, end, wanted,
                                    [](const auto& entry, const auto& source) { return RowSource(entry) < source; });
  for (auto i = static_cast<int>(at - entries_); i < count_ && RowSource(entries_[i]) == wanted; ++i) {
    if (used_[i] || (rows != kAnyRows && entries_[i].rows != rows)) continue;
    const double distance = square_distance(entries_[i], place);
    if (best >= 0 && distance >= nearest) continue;
    best = i;
    nearest = distance;
  }
  if (best < 0) return nullptr;
  used_[best] = true;
  next_ = best + 1;
  return entries_ + best;
}

RowMemoryWriter::RowMemoryWriter(Data& d, RowMemory& memory, size_t constraints, size_t numbers)
    : memory_(memory), dropped_(d.row_memory_dropped) {
  if (d.arena.fixed) {
    if (memory.entries.capacity() == 0) memory.reserve(kFixedEntries, kFixedForces);
    constraints = std::min(constraints, memory.entries.capacity());
    numbers = std::min(numbers, memory.force.capacity());
  } else {
    // (contacts come and go: with room to spare this rarely happens again)
    if (memory.entries.capacity() < constraints) memory.entries.reserve(2 * constraints);
    if (memory.force.capacity() < numbers) memory.force.reserve(2 * numbers);
  }
  if (memory.entries.size() != constraints) memory.entries.resize(constraints);
  if (memory.force.size() != numbers) memory.force.resize(numbers);
  first_ = entry_ = memory.entries.data();
  end_ = first_ + constraints;
  numbers_ = memory.force.data();
  room_ = static_cast<int>(numbers);
}

RowMemoryWriter::~RowMemoryWriter() {
  if (entry_ != end_) memory_.entries.resize(static_cast<size_t>(entry_ - first_));
  if (size_ != room_) memory_.force.resize(static_cast<size_t>(size_));
  if (sorted_) return;
  std::sort(first_, entry_, [](const auto& a, const auto& b) {
    return RowSource(a) == RowSource(b) ? a.start < b.start : RowSource(a) < RowSource(b);
  });
}

bool recall_row_forces(const RowMemory& memory, Data& d) {
  RememberedRows known(memory, d.arena);
  if (!known.any() || !known.prepare()) return false;
  for (int i = 0; i < d.rows.n;) {
    const RowMemory::Entry entry = constraint_at(d, i);
    if (const RowMemory::Entry* best = known.find(RowSource(entry), entry.rows, entry.place)) {
      std::copy_n(memory.force.data() + best->start, entry.rows, d.rows.row_force + i);
    } else {
      std::fill_n(d.rows.row_force + i, entry.rows, 0.0);
    }
    i += entry.rows;
  }
  return true;
}

void remember_rows(const Data& d, const double* force, int end, RowMemoryWriter& memory) {
  for (int i = 0; i < end;) {
    const RowMemory::Entry entry = constraint_at(d, i);
    if (double* to = memory.add(RowSource(entry), entry.rows, 0, entry.place)) std::copy_n(force + i, entry.rows, to);
    i += entry.rows;
  }
}

}  // namespace pliant

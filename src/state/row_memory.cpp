// Row memory: forces of rows, and slips of contacts, by what they come from.
//
// Rows of one constraint follow one another. A contact is found again as the nearest one of its two geoms that is still
// free: the order of a pair's contacts changes with the features that touch, their places move little.
// reads rows contact · writes row_force, State::row_memory. Cost: a sort of the constraints, a search for each.

#include "state/row_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace pliant {
namespace {

/// Room taken at once where memory is fixed.
constexpr size_t kFixedEntries = 4096, kFixedForces = 4 * kFixedEntries;

/// The constraint whose rows begin with row i.
RowMemory::Entry constraint_at(const Data& d, int i) {
  const Rows& rows = d.rows;
  const auto type = static_cast<RowType>(rows.row_type[i]);
  int n = 1;
  while (i + n < rows.n && rows.row_type[i + n] == rows.row_type[i] && rows.row_id[i + n] == rows.row_id[i]) ++n;
  if (type >= RowType::kContactFrictionless) return contact_entry(type, d.contact[rows.row_id[i]], n);
  if (type == RowType::kLimitJoint || type == RowType::kLimitTendon) {
    // both sides may have a row; they point in opposite directions
    const int side = rows.row_segnum[i] > 0 && rows.row_J[rows.row_Jadr[i]] < 0;
    return {rows.row_type[i], {rows.row_id[i], side}, 1, 0, 0, {}};
  }
  return {rows.row_type[i], {rows.row_id[i], 0}, n, 0, 0, {}};
}

int compare(const RowMemory::Entry& a, const RowMemory::Entry& b) {
  if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
  for (int k = 0; k < 2; ++k) {
    if (a.id[k] != b.id[k]) return a.id[k] < b.id[k] ? -1 : 1;
  }
  return 0;
}

double square_distance(const RowMemory::Entry& a, const RowMemory::Entry& b) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += (a.place[k] - b.place[k]) * (a.place[k] - b.place[k]);
  return sum;
}

/// Whether there is room for one more entry with so many numbers.
bool has_room(const RowMemory& memory, int numbers, bool fixed) {
  return !fixed || (memory.entries.size() < memory.entries.capacity() &&
                    memory.force.size() + static_cast<size_t>(numbers) <= memory.force.capacity());
}

/// The slip of a contact, in world coordinates, behind the numbers.
void add_slip(const Contact& contact, std::vector<double>& numbers) {
  RememberedSlip out{};
  const double* const frame = contact.frame;
  const double* const slip = contact.slip;
  for (int c = 0; c < 3; ++c) {
    out.normal[c] = frame[c];
    out.sliding[c] = slip[0] * frame[3 + c] + slip[1] * frame[6 + c];
    out.turning[c] = slip[2] * frame[c] + slip[3] * frame[3 + c] + slip[4] * frame[6 + c];
  }
  const size_t start = numbers.size();
  numbers.resize(start + kSlipNumbers);
  std::memcpy(numbers.data() + start, &out, sizeof out);
}

}  // namespace

RowMemory::Entry contact_entry(RowType type, const Contact& contact, int rows) {
  RowMemory::Entry entry{static_cast<int>(type), {contact.geom[0], contact.geom[1]}, rows, 0, 0, {}};
  std::copy_n(contact.pos, 3, entry.place);
  return entry;
}

RememberedSlip slip_of(const RowMemory& memory, const RowMemory::Entry& entry) {
  RememberedSlip out;
  std::memcpy(&out, memory.force.data() + entry.start + entry.rows, sizeof out);
  return out;
}

RememberedRows::RememberedRows(const RowMemory& memory, Arena& arena)
    : memory_(memory), arena_(arena), mark_(arena.mark()) {
  if (memory.entries.empty()) return;
  used_ = arena.take<uint8_t>(memory.entries.size());
  if (used_) std::fill_n(used_, memory.entries.size(), uint8_t{0});
}

const RowMemory::Entry* RememberedRows::find(const RowMemory::Entry& wanted) {
  const RowMemory::Entry *best = nullptr, *first = memory_.entries.data(), *end = first + memory_.entries.size();
  double nearest = 0;
  const auto* at = std::lower_bound(first, end, wanted, [](const auto& a, const auto& b) { return compare(a, b) < 0; });
  for (; at != end && compare(*at, wanted) == 0; ++at) {
    const double distance = square_distance(*at, wanted);
    if (used_[at - first] || at->rows != wanted.rows || (best && distance >= nearest)) continue;
    best = at;
    nearest = distance;
  }
  if (best) used_[best - first] = 1;
  return best;
}

bool recall_row_forces(const RowMemory& memory, Data& d) {
  RememberedRows known(memory, d.arena);
  if (!known.any()) return false;
  for (int i = 0; i < d.rows.n;) {
    const RowMemory::Entry entry = constraint_at(d, i);
    if (const RowMemory::Entry* best = known.find(entry)) {
      std::copy_n(memory.force.data() + best->start, entry.rows, d.rows.row_force + i);
    } else {
      std::fill_n(d.rows.row_force + i, entry.rows, 0.0);
    }
    i += entry.rows;
  }
  return true;
}

void remember_rows(Data& d, const double* force, bool all, bool slips, RowMemory& memory) {
  memory.clear();
  const bool fixed = d.arena.fixed;
  if (fixed && memory.entries.capacity() == 0) {
    memory.entries.reserve(kFixedEntries);
    memory.force.reserve(kFixedForces);
  } else if (const size_t numbers = static_cast<size_t>(d.rows.n) + (slips ? size_t{kSlipNumbers} * d.ncon : 0);
             !fixed && memory.force.capacity() < numbers) {
    memory.entries.reserve(2 * static_cast<size_t>(d.rows.n));
    memory.force.reserve(2 * numbers);
  }
  for (int i = 0; i < d.rows.n;) {
    RowMemory::Entry entry = constraint_at(d, i);
    const bool sticks = slips && entry.kind > static_cast<int>(RowType::kContactFrictionless);
    entry.slips = sticks ? kSlipNumbers : 0;
    if (all || sticks) {
      if (has_room(memory, entry.rows + entry.slips, fixed)) {
        entry.start = static_cast<int>(memory.force.size());
        memory.entries.push_back(entry);
        memory.force.insert(memory.force.end(), force + i, force + i + entry.rows);
        if (sticks) add_slip(d.contact[d.rows.row_id[i]], memory.force);
      } else {
        ++d.row_memory_dropped;
      }
    }
    i += entry.rows;
  }
  std::sort(memory.entries.begin(), memory.entries.end(), [](const auto& a, const auto& b) {
    const int order = compare(a, b);
    return order != 0 ? order < 0 : a.start < b.start;
  });
}

}  // namespace pliant

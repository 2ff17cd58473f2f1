// Row memory: forces of rows by what the rows come from.
//
// Rows of one constraint follow one another. A contact is found again as the nearest one of its two geoms that is still
// free: the order of a pair's contacts changes with the features that touch, their places move little.
// reads rows contact · writes row_force. Cost: a sort of the constraints, a search for each.

#include "state/row_memory.h"

#include <algorithm>
#include <cstdint>

namespace pliant {
namespace {

/// Room taken at once where memory is fixed.
constexpr size_t kFixedEntries = 4096, kFixedForces = 4 * kFixedEntries;

/// The constraint whose rows begin with row i.
RowMemory::Entry constraint_at(const Data& d, int i) {
  const Rows& rows = d.rows;
  RowMemory::Entry entry{rows.row_type[i], {rows.row_id[i], 0}, 1, 0, {0, 0, 0}};
  const auto type = static_cast<RowType>(entry.kind);
  if (type >= RowType::kContactFrictionless) {
    const Contact& contact = d.contact[rows.row_id[i]];
    std::copy_n(contact.geom, 2, entry.id);
    std::copy_n(contact.pos, 3, entry.place);
  } else if (type == RowType::kLimitJoint || type == RowType::kLimitTendon) {
    // both sides may have a row; they point in opposite directions
    entry.id[1] = rows.row_segnum[i] > 0 && rows.row_J[rows.row_Jadr[i]] < 0;
    return entry;
  }
  while (i + entry.rows < rows.n && rows.row_type[i + entry.rows] == entry.kind &&
         rows.row_id[i + entry.rows] == rows.row_id[i]) {
    ++entry.rows;
  }
  return entry;
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

/// Whether there is room for one more entry with so many rows.
bool has_room(const RowMemory& memory, int rows, bool fixed) {
  return !fixed || (memory.entries.size() < memory.entries.capacity() &&
                    memory.force.size() + static_cast<size_t>(rows) <= memory.force.capacity());
}

}  // namespace

bool recall_row_forces(const RowMemory& memory, Data& d) {
  if (memory.entries.empty()) return false;
  const Arena::Mark mark = d.arena.mark();
  const size_t known = memory.entries.size();
  uint8_t* used = d.arena.take<uint8_t>(known);
  if (!used) return false;
  std::fill_n(used, known, uint8_t{0});
  for (int i = 0; i < d.rows.n;) {
    const RowMemory::Entry entry = constraint_at(d, i);
    const RowMemory::Entry *best = nullptr, *first = memory.entries.data(), *end = first + known;
    double nearest = 0;
    const auto* at =
        std::lower_bound(first, end, entry, [](const auto& a, const auto& b) { return compare(a, b) < 0; });
    for (; at != end && compare(*at, entry) == 0; ++at) {
      const double distance = square_distance(*at, entry);
      if (used[at - first] || at->rows != entry.rows || (best && distance >= nearest)) continue;
      best = at;
      nearest = distance;
    }
    if (best) {
      used[best - first] = 1;
      std::copy_n(memory.force.data() + best->start, entry.rows, d.rows.row_force + i);
    } else {
      std::fill_n(d.rows.row_force + i, entry.rows, 0.0);
    }
    i += entry.rows;
  }
  d.arena.release(mark);
  return true;
}

void remember_row_forces(Data& d, const double* force, RowMemory& memory) {
  memory.clear();
  const bool fixed = d.arena.fixed;
  if (fixed && memory.entries.capacity() == 0) {
    memory.entries.reserve(kFixedEntries);
    memory.force.reserve(kFixedForces);
  } else if (!fixed && memory.force.capacity() < static_cast<size_t>(d.rows.n)) {
    memory.entries.reserve(2 * static_cast<size_t>(d.rows.n));
    memory.force.reserve(2 * static_cast<size_t>(d.rows.n));
  }
  for (int i = 0; i < d.rows.n;) {
    RowMemory::Entry entry = constraint_at(d, i);
    if (has_room(memory, entry.rows, fixed)) {
      entry.start = static_cast<int>(memory.force.size());
      memory.entries.push_back(entry);
      memory.force.insert(memory.force.end(), force + i, force + i + entry.rows);
    } else {
      ++d.row_memory_dropped;
    }
    i += entry.rows;
  }
  std::sort(memory.entries.begin(), memory.entries.end(), [](const auto& a, const auto& b) {
    const int order = compare(a, b);
    return order != 0 ? order < 0 : a.start < b.start;
  });
}

}  // namespace pliant

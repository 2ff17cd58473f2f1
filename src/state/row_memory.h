#pragma once
// Row forces and slips to and from State's row memory.

#include <cstdint>

#include "base/hd.h"
#include "pliant/rows.h"
#include "pliant/state.h"

namespace pliant {

/// What entries of the row memory are sorted by.
struct RowSource {
  int kind, id[2];

  explicit RowSource(const RowMemory::Entry& entry) : RowSource(entry.kind, entry.id[0], entry.id[1]) {}
  RowSource(RowType type, const Contact& contact)
      : RowSource(static_cast<int>(type), contact.geom[0], contact.geom[1]) {}
  RowSource(int kind, int first, int second) : kind(kind), id{first, second} {}

  bool operator==(const RowSource& other) const {
    return kind == other.kind && id[0] == other.id[0] && id[1] == other.id[1];
  }
  bool operator<(const RowSource& other) const {
    if (kind != other.kind) return kind < other.kind;
    return id[0] != other.id[0] ? id[0] < other.id[0] : id[1] < other.id[1];
  }
};

/// Finds constraints of this step among those of the last. Each of these is found once.
class RememberedRows {
 public:
  /// May take memory of the arena, as long as it is there.
  RememberedRows(const RowMemory& memory, Arena& arena)
      : entries_(memory.entries.data()), count_(static_cast<int>(memory.entries.size())), arena_(arena) {}
  ~RememberedRows() {
    if (used_ != nullptr) arena_.release(mark_);
  }
  RememberedRows(const RememberedRows&) = delete;
  RememberedRows& operator=(const RememberedRows&) = delete;

  bool any() const { return count_ > 0; }
  /// Takes the memory. False if the arena is fixed and full; nothing is then found.
  bool prepare();
  /// The same constraint; of the contacts of two geoms that nearest with so many rows. nullptr: there is none.
  const RowMemory::Entry* find(const RowSource& wanted, int rows, const double* place);
  /// The same with any number of rows, and without looking further if what followed the last one that was found is no
  /// farther away than `close`: constraints come in nearly the same order in every step.
  PLIANT_HD const RowMemory::Entry* find_close(const RowSource& wanted, const double* place, double close) {
    const RowMemory::Entry& next = entries_[next_];
    if (next_ < count_ && RowSource(next) == wanted && !(used_ != nullptr && used_[next_]) &&
        square_distance(next, place) <= close * close) {
      if (used_ != nullptr) used_[next_] = true;
      ++next_;
      return &next;
    }
    return find(wanted, kAnyRows, place);
  }

 private:
  static constexpr int kAnyRows = -1;
  static double square_distance(const RowMemory::Entry& entry, const double* place) {
    const double x = entry.place[0] - place[0], y = entry.place[1] - place[1], z = entry.place[2] - place[2];
    return x * x + y * y + z * z;
  }

  const RowMemory::Entry* entries_;
  int count_, next_ = 0;
  Arena& arena_;
  Arena::Mark mark_{};
  bool* used_ = nullptr;  // of every entry; nullptr: those before the next one
};

/// Writes the memory of a step, constraint by constraint. What is remembered goes at once.
class RowMemoryWriter {
 public:
  /// For at most so many constraints and numbers.
  RowMemoryWriter(Data& d, RowMemory& memory, size_t constraints, size_t numbers);
  RowMemoryWriter(const RowMemoryWriter&) = delete;
  RowMemoryWriter& operator=(const RowMemoryWriter&) = delete;
  /// Entries are sorted, and what there is no room for is counted.
  ~RowMemoryWriter();

  /// Place for forces of another constraint's rows, and the numbers of its slip. nullptr: there is no room.
  PLIANT_HD double* add(const RowSource& source, int rows, int slips, const double* place) {
    if (entry_ == end_ || size_ + rows + slips > room_) [[unlikely]] {
      ++dropped_;
      return nullptr;
    }
    sorted_ = sorted_ && (entry_ == first_ || !(source < RowSource(entry_[-1])));
    *entry_++ = {source.kind, {source.id[0], source.id[1]}, rows, size_, slips, {place[0], place[1], place[2]}};
    double* const numbers = numbers_ + size_;
    size_ += rows + slips;
    return numbers;
  }

 private:
  RowMemory& memory_;
  RowMemory::Entry *first_, *end_, *entry_;
  double* numbers_;
  int64_t& dropped_;
  int room_, size_ = 0;
  bool sorted_ = true;
};

/// row_force of the rows of Data from the memory; rows it does not know start at zero. False if there is none, or the
/// arena is fixed and full.
bool recall_row_forces(const RowMemory& memory, Data& d);
/// The given forces of Data's rows before row `end`, which is not within a constraint.
void remember_rows(const Data& d, const double* force, int end, RowMemoryWriter& memory);

}  // namespace pliant

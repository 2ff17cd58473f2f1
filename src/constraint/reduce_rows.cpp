// Rows of the Jacobian where joints follow others exactly: memory for reduce_rows_hd.h.

#include "constraint/reduce_rows.h"

#include "constraint/reduce_rows_hd.h"

namespace pliant {

RowRoom room_for_reduced_rows(const Model& m, int rows, int segments, int64_t entries) {
  if (!has_followers(m)) return {segments, entries};
  // a row keeps its columns or gets new ones: each follower's place may split a run, each leader may be a run of its
  // own
  return {2 * segments + rows * (m.nfollower + m.nmimiclead), 2 * entries + static_cast<int64_t>(rows) * m.nmimiclead};
}

Reduced reduce_rows(const Model& m, const State& s, Data& d) {
  if (!has_followers(m) || d.rows.n == 0) return Reduced::kDone;
  const Arena::Mark mark = d.arena.mark();
  int* integers = d.arena.take<int>(ReduceWork<double>::integers(m));
  double* numbers = d.arena.take<double>(ReduceWork<double>::numbers(m));
  if (!integers || !numbers) return Reduced::kOutOfMemory;
  const bool fits = reduce_rows(SerialTeam{}, m, s, d, ReduceWork<double>(m, integers, numbers));
  d.arena.release(mark);
  return fits ? Reduced::kDone : Reduced::kMiscounted;
}

}  // namespace pliant

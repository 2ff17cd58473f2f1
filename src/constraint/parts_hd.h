#pragma once
// Which trees of a world its rows tie together: parts that a solver of a team takes one after the other.
//
// The CPU's islands (islands.h) come with an order of rows of their own; here rows stay where they are.

#include <limits>

#include "base/team.h"
#include "pliant/types.h"

namespace pliant {

/// How much the largest parts have: dofs of one, rows of maybe another.
struct WorldParts {
  int dofs = 0, rows = 0;
};

/// Whether worlds of a Model may fall into parts.
template <class M>
PLIANT_HD bool has_parts(const M& m) {
  return m.ntree > 1 && !(m.opt.disableflags & kDisableIsland);
}

/// x = min(x, value), for members that write the same place.
PLIANT_HD void lower_to(int& x, int value) {
#ifdef __CUDA_ARCH__
  atomicMin(&x, value);
#else
  if (value < x) x = value;
#endif
}

/// The part of a row; one without any dof goes with the first tree's.
template <class M, class Rows>
PLIANT_HD int part_of_row(const M& m, const Rows& rows, int row, const int* part) {
  const int tree = rows.row_segnum[row] > 0 ? m.dof_treeid[rows.segment_dof[rows.row_segadr[row]]] : 0;
  return part[tree];
}

/// Writes the part of every tree: the number of its first tree.
template <class Team, class M, class Rows>
PLIANT_HD WorldParts find_parts(const Team& team, const M& m, const Rows& rows, int* part) {
  each(team, m.ntree, [&](int t) { part[t] = t; });
  for (bool changed = true; changed;) {
    bool mine = false;
    each(team, rows.n, [&](int i) {
      // (a segment may go on into the next tree)
      const auto each_tree = [&](auto&& f) {
        for (int s = rows.row_segadr[i], end = s + rows.row_segnum[i]; s < end; ++s) {
          const int dof = rows.segment_dof[s], last = m.dof_treeid[dof + rows.segment_len[s] - 1];
          for (int t = m.dof_treeid[dof]; t <= last; ++t) f(t);
        }
      };
      int least = std::numeric_limits<int>::max();
      each_tree([&](int t) { least = part[t] < least ? part[t] : least; });
      each_tree([&](int t) {
        if (part[t] <= least) return;
        lower_to(part[t], least);
        mine = true;
      });
    });
    changed = team.any(mine);
  }
  WorldParts largest;
  for (int t = 0; t < m.ntree; ++t) {
    if (part[t] != t) continue;
    int dofs = 0, nrow = 0, all_rows = 0;
    for (int u = t; u < m.ntree; ++u) dofs += part[u] == t ? m.tree_dofnum[u] : 0;
    for (int i = team.lane(); i < rows.n; i += team.size()) nrow += part_of_row(m, rows, i, part) == t;
    team.scan(nrow, all_rows);
    if (all_rows == 0) continue;
    largest.dofs = dofs > largest.dofs ? dofs : largest.dofs;
    largest.rows = all_rows > largest.rows ? all_rows : largest.rows;
  }
  return largest;
}

}  // namespace pliant

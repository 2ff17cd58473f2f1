#pragma once
// A team works on one world together. A kernel for a team says which of its loops are independent; a team of one
// (the CPU, or one thread of a GPU per world) runs them as plain loops.
//
// A team type has
//   kSerial             whether it has one member only
//   lane(), size()      which member this is, and of how many
//   sync()              waits until every member has come here; what they wrote is then seen by all
//   any(bool)           whether any member says yes
// All members call sync and any equally often, and so do the teams of other worlds that wait at the same barrier: what
// decides whether they are called must be the same for all worlds of a batch (sizes and options of the Model, never
// numbers of a State).

#include "base/hd.h"

namespace pliant {

struct SerialTeam {
  static constexpr bool kSerial = true;
  PLIANT_HD int lane() const { return 0; }
  PLIANT_HD int size() const { return 1; }
  PLIANT_HD void sync() const {}
  PLIANT_HD bool any(bool x) const { return x; }
};

/// f(0) … f(n - 1), shared out; they must not depend on each other. Waits for all of them.
template <class Team, class F>
PLIANT_HD void each(const Team& team, int n, F&& f) {
  for (int i = team.lane(); i < n; i += team.size()) f(i);
  team.sync();
}

/// f() by one member, for work that cannot be shared out. Waits for it.
template <class Team, class F>
PLIANT_HD void once(const Team& team, F&& f) {
  if (team.lane() == 0) f();
  team.sync();
}

/// Bodies 1 … nbody - 1, every one after its parent.
template <class Team, class M, class F>
PLIANT_HD void parents_first(const Team& team, const M& m, F&& f) {
  if constexpr (Team::kSerial) {
    for (int b = 1; b < m.nbody; ++b) f(b);
  } else {
    // level by level: bodies of one level do not know each other
    for (int level = 1; level < m.order.nlevel; ++level) {
      const int first = m.order.level_adr[level];
      each(team, m.order.level_adr[level + 1] - first, [&](int i) { f(m.order.level_body[first + i]); });
    }
  }
}

/// Bodies nbody - 1 … 1, every one after its children. f may write into the body's parent.
template <class Team, class M, class F>
PLIANT_HD void children_first(const Team& team, const M& m, F&& f) {
  if constexpr (Team::kSerial) {
    for (int b = m.nbody - 1; b > 0; --b) f(b);
  } else {
    // a member takes all children of a parent, the last first: nobody else writes there, and sums have the order of
    // the plain loop
    for (int level = m.order.nlevel - 2; level >= 0; --level) {
      const int first = m.order.level_adr[level];
      each(team, m.order.level_adr[level + 1] - first, [&](int i) {
        const int parent = m.order.level_body[first + i], adr = m.order.child_adr[parent];
        for (int c = m.order.child_adr[parent + 1] - 1; c >= adr; --c) f(m.order.child[c]);
      });
    }
  }
}

}  // namespace pliant

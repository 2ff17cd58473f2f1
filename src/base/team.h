#pragma once
// A team works on one world together. A kernel for a team says which of its loops are independent; a team of one
// (the CPU, or one thread of a GPU per world) runs them as plain loops.
//
// A team type has
//   kSerial             whether it has one member only
//   lane(), size()      which member this is, and of how many
//   sync()              waits until every member has come here; what they wrote is then seen by all
//   any(bool)           whether any member says yes
//   max(int)            the largest number that a member says
//   scan(int, total)    the sum of what members before this one say; total: of what all say
//   across(x, n)        what member lane() ^ n says; n: a power of two below size()
//   first(x)            what member 0 says
//   of(x, k)            what member k says
//   kMembers            size() where it is known when compiling (1, 2, 4 … 32, or a multiple of 32), else 0; sum_of
//                       needs it
//   said<T>(), agreed<T>()     beyond 32 members: room for a T of every member, and for one of all, for sum_of alone
// All members call these equally often, and so do the teams of other worlds that wait at the same barrier: what
// decides whether they are called must be the same for all worlds of a batch (sizes and options of the Model, never
// numbers of a State), unless the team of a world waits for nobody else (a warp).

#include "base/hd.h"

namespace pliant {

struct SerialTeam {
  static constexpr bool kSerial = true;
  static constexpr int kMembers = 1;
  PLIANT_HD int lane() const { return 0; }
  PLIANT_HD int size() const { return 1; }
  PLIANT_HD void sync() const {}
  PLIANT_HD bool any(bool x) const { return x; }
  PLIANT_HD int max(int x) const { return x; }
  PLIANT_HD int scan(int x, int& total) const {
    total = x;
    return 0;
  }
  template <class T>
  PLIANT_HD T across(T x, int) const {
    return x;
  }
  template <class T>
  PLIANT_HD T first(T x) const {
    return x;
  }
  template <class T>
  PLIANT_HD T of(T x, int) const {
    return x;
  }
};

/// f(0) … f(n - 1), shared out; they must not depend on each other. Waits for all of them.
template <class Team, class F>
PLIANT_HD void each(const Team& team, int n, F&& f) {
  for (int i = team.lane(); i < n; i += team.size()) f(i);
  team.sync();
}

/// The same, where a device shall have one copy of f: large loops, or those that rarely have a second round. (The
/// solver of a team waited more for its instructions than for its numbers.)
template <class Team, class F>
PLIANT_HD void each_rolled(const Team& team, int n, F&& f) {
  PLIANT_ROLLED
  for (int i = team.lane(); i < n; i += team.size()) f(i);
  team.sync();
}

/// put(i, get(i)) for 0 … n - 1; a member gets several before it waits for the first.
template <int batch, class Team, class Get, class Put>
PLIANT_HD void each_in_batches(const Team& team, int n, Get&& get, Put&& put) {
  PLIANT_ROLLED
  for (int first = team.lane(); first < n; first += batch * team.size()) {
    decltype(get(0)) x[batch];
    PLIANT_UNROLL
    for (int k = 0; k < batch; ++k) {
      const int i = first + k * team.size();
      if (i < n) x[k] = get(i);
    }
    PLIANT_UNROLL
    for (int k = 0; k < batch; ++k) {
      const int i = first + k * team.size();
      if (i < n) put(i, x[k]);
    }
  }
  team.sync();
}

/// f() by one member, for work that cannot be shared out. Waits for it.
template <class Team, class F>
PLIANT_HD void once(const Team& team, F&& f) {
  if (team.lane() == 0) f();
  team.sync();
}

/// Several sums at once.
template <class R, int n>
struct TeamSums {
  R x[n] = {};
  PLIANT_HD TeamSums& operator+=(const TeamSums& other) {
    PLIANT_UNROLL
    for (int k = 0; k < n; ++k) x[k] += other.x[k];
    return *this;
  }
};
template <class Team, class T>
PLIANT_HD T from_across(const Team& team, T x, int reach) {
  return team.across(x, reach);
}
template <class Team, class R, int n>
PLIANT_HD TeamSums<R, n> from_across(const Team& team, const TeamSums<R, n>& x, int reach) {
  TeamSums<R, n> other;
  PLIANT_UNROLL
  for (int k = 0; k < n; ++k) other.x[k] = team.across(x.x[k], reach);
  return other;
}

/// sum_of by at most 32 members.
template <class R, class Team, class F>
PLIANT_HD R sum_by_at_most_32(const Team& team, int n, F&& f) {
  constexpr int kSums = 32, kMembers = Team::kMembers;
  static_assert(kMembers > 0 && kSums % kMembers == 0);
  constexpr int kOwn = kSums / kMembers;
  R part[kOwn] = {};
  PLIANT_ROLLED
  for (int base = team.lane(); base < n; base += kSums) {
    for (int k = 0; k < kOwn; ++k) {
      const int i = base + kMembers * k;
      if (i < n) part[k] += f(i);
    }
  }
  for (int half = kOwn / 2; half > 0; half /= 2) {
    for (int k = 0; k < half; ++k) part[k] += part[k + half];
  }
  R sum = part[0];
  PLIANT_UNROLL
  for (int half = kMembers / 2; half > 0; half /= 2) sum += from_across(team, sum, half);
  return sum;
}

/// sum_of by more than 32 members: all of them compute numbers, the first 32 add.
template <class R, class Team, class F>
PLIANT_HD R sum_by_first_members(const Team& team, int n, F&& f) {
  constexpr int kSums = 32, kMembers = Team::kMembers;
  if (n <= 0) return R{};
  R* const said = team.template said<R>();
  R& agreed = team.template agreed<R>();
  const int lane = team.lane();
  R part{};
  PLIANT_ROLLED
  for (int base = 0; base < n; base += kMembers) {
    if (base > 0) team.sync();  // they were added
    if (base + lane < n) said[lane] = f(base + lane);
    team.sync();
    if (lane >= kSums) continue;
    PLIANT_UNROLL
    for (int k = lane; k < kMembers; k += kSums) {
      if (base + k < n) part += said[k];
    }
  }
  if (lane < kSums) {
    PLIANT_UNROLL
    for (int half = kSums / 2; half > 0; half /= 2) part += from_across(team, part, half);
    if (lane == 0) agreed = part;
  }
  team.sync();
  return agreed;  // (whoever is slow to read it: nobody writes there before all of them have waited again)
}

/// f(0) + … + f(n - 1), the same bits for every size of team and every member: numbers i with the same i mod 32 are
/// added in their order, then the 32 sums by halves. R: a number, or TeamSums.
template <class R, class Team, class F>
PLIANT_HD R sum_of(const Team& team, int n, F&& f) {
  if constexpr (Team::kMembers > 32) {
    return sum_by_first_members<R>(team, n, f);
  } else {
    return sum_by_at_most_32<R>(team, n, f);
  }
}

/// The largest of 0, f(0) … f(n - 1).
template <class R, class Team, class F>
PLIANT_HD R largest_of(const Team& team, int n, F&& f) {
  R most = 0;
  const auto take = [&](R x) { most = x > most ? x : most; };
  for (int i = team.lane(); i < n; i += team.size()) take(f(i));
  for (int half = Team::kMembers / 2; half > 0; half /= 2) take(team.across(most, half));
  return most;
}

/// place(i, first) for i = 0 … n - 1 with first = offset + count(0) + … + count(i - 1); returns offset plus all counts.
/// Who does it does not change where things go.
template <class Team, class Count, class Place>
PLIANT_HD int each_in_place(const Team& team, int n, int offset, Count&& count, Place&& place) {
  for (int start = 0; start < n; start += team.size()) {
    const int i = start + team.lane();
    int total = 0;
    const int first = offset + team.scan(i < n ? count(i) : 0, total);
    if (i < n) place(i, first);
    offset += total;
  }
  team.sync();
  return offset;
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

/// own(b) and add(parent, b) for bodies that are not the world: every body after all of its children were added to it,
/// the last first, by whoever does it. add may write into the parent alone.
template <class Team, class M, class Own, class Add>
PLIANT_HD void collect_children_first(const Team& team, const M& m, Own&& own, Add&& add) {
  if constexpr (Team::kSerial) {
    for (int b = m.nbody - 1; b > 0; --b) {
      own(b);
      if (const int parent = m.body_parentid[b]) add(parent, b);
    }
  } else {
    for (int level = m.order.nlevel - 1; level > 0; --level) {
      const int first = m.order.level_adr[level];
      each(team, m.order.level_adr[level + 1] - first, [&](int i) {
        const int b = m.order.level_body[first + i], adr = m.order.child_adr[b];
        for (int c = m.order.child_adr[b + 1] - 1; c >= adr; --c) add(b, m.order.child[c]);
        own(b);
      });
    }
  }
}

}  // namespace pliant

#pragma once
// Joints that follow others exactly: the map G from the speeds of independent joints to those of all,
//
//   v_follower = -Σ gear·v_leader,      M' = Gᵀ M G,   f' = Gᵀ f,   J' = J G
//
// Followers keep their places: in M' with their own inertia, coupled with nothing, in f' and J' with zeros. They are
// eliminated one after the other, each before its leaders, which resolves chains; accelerations, velocities and
// positions of followers are then filled in from the leaders on, in the opposite order. What is off (eq_active, flags)
// is left alone.
//
// reads follower_mimicid mimic_* eq_obj1id jnt_* · cost: per follower the dofs coupled with it

#include "base/hd.h"
#include "pliant/types.h"

namespace pliant {

/// An exact mimic as dofs.
template <class M>
struct Follower {
  const M& m;
  int mimic, equality, joint, dof;
  PLIANT_HD Follower(const M& m, int k)
      : m(m),
        mimic(m.follower_mimicid[k]),
        equality(m.mimic_eqid[mimic]),
        joint(m.eq_obj1id[equality]),
        dof(m.jnt_dofadr[joint]) {}
  PLIANT_HD int leaders() const { return m.mimic_leadnum[mimic]; }
  PLIANT_HD int leader_joint(int i) const { return m.mimic_leadid[m.mimic_leadadr[mimic] + i]; }
  PLIANT_HD int leader(int i) const { return m.jnt_dofadr[leader_joint(i)]; }
  /// ∂v_follower/∂v_leader.
  PLIANT_HD auto ratio(int i) const { return -m.mimic_gear[m.mimic_leadadr[mimic] + i]; }
};

/// Whether followers follow at all: mimics are equalities, and can be switched off with them.
template <class M>
PLIANT_HD bool has_followers(const M& m) {
  return m.nfollower > 0 && !(m.opt.disableflags & (kDisableConstraint | kDisableEquality));
}

/// Calls f(follower) for every exact mimic that is on, followers before their leaders.
template <class M, class S, class F>
PLIANT_HD void each_follower(const M& m, const S& s, F&& f) {
  if (!has_followers(m)) return;
  for (int k = 0; k < m.nfollower; ++k) {
    const Follower<M> follower(m, k);
    if (s.eq_active[follower.equality]) f(follower);
  }
}
/// Likewise, leaders before their followers.
template <class M, class S, class F>
PLIANT_HD void each_follower_leaders_first(const M& m, const S& s, F&& f) {
  if (!has_followers(m)) return;
  for (int k = m.nfollower - 1; k >= 0; --k) {
    const Follower<M> follower(m, k);
    if (s.eq_active[follower.equality]) f(follower);
  }
}

/// f becomes Gᵀ f: what pushes followers pushes their leaders.
template <class M, class S, class X>
PLIANT_HD void reduce_force(const M& m, const S& s, X f) {
  each_follower(m, s, [&](const Follower<M>& follower) {
    for (int i = 0; i < follower.leaders(); ++i) f[follower.leader(i)] += follower.ratio(i) * f[follower.dof];
    f[follower.dof] = 0;
  });
}

/// x becomes G x: velocities or accelerations of followers.
template <class M, class S, class X>
PLIANT_HD void fill_followers(const M& m, const S& s, X x) {
  each_follower_leaders_first(m, s, [&](const Follower<M>& follower) {
    auto sum = follower.ratio(0) * x[follower.leader(0)];
    for (int i = 1; i < follower.leaders(); ++i) sum += follower.ratio(i) * x[follower.leader(i)];
    x[follower.dof] = sum;
  });
}

/// Entries of followers become zero.
template <class M, class S, class X>
PLIANT_HD void clear_followers(const M& m, const S& s, X x) {
  each_follower(m, s, [&](const Follower<M>& follower) { x[follower.dof] = 0; });
}

/// Where the leaders put a follower.
template <class M, class Q>
PLIANT_HD auto follower_position(const Follower<M>& follower, const Q& qpos) {
  const M& m = follower.m;
  auto sum = follower.ratio(0) * qpos[m.jnt_qposadr[follower.leader_joint(0)]];
  for (int i = 1; i < follower.leaders(); ++i) sum += follower.ratio(i) * qpos[m.jnt_qposadr[follower.leader_joint(i)]];
  return sum - m.mimic_offset[follower.mimic];
}

/// Positions of followers.
template <class M, class S, class Q>
PLIANT_HD void place_followers(const M& m, const S& s, Q qpos) {
  each_follower_leaders_first(m, s, [&](const Follower<M>& follower) {
    qpos[m.jnt_qposadr[follower.joint]] = follower_position(follower, qpos);
  });
}

/// Gᵀ A G for one follower f with ratios c to its leaders l, without symmetry. With row and column of A at f:
///   A'(l, x) += c_l A(f, x),   A'(x, l) += c_l A(x, f),   A'(l, k) += c_l c_k A(f, f)   for all x ≠ f and leaders k;
/// then row and column of f are cleared. `others(g)` calls g(x) for the dofs x that share an entry with f.
template <class M, class At, class Others>
PLIANT_HD void eliminate_square(const Follower<M>& follower, At&& at, Others&& others) {
  const int f = follower.dof, n = follower.leaders();
  const auto own = at(f, f);
  others([&](int x) {
    auto &row = at(f, x), &column = at(x, f);
    if (row == 0 && column == 0) return;
    for (int i = 0; i < n; ++i) {
      at(follower.leader(i), x) += follower.ratio(i) * row;
      at(x, follower.leader(i)) += follower.ratio(i) * column;
    }
    row = column = 0;
  });
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k)
      at(follower.leader(i), follower.leader(k)) += follower.ratio(i) * follower.ratio(k) * own;
  }
  at(f, f) = 0;
}

/// Calls g(x) for every dof that shares an entry of M's pattern with f.
template <class M, class G>
PLIANT_HD void each_coupled(const M& m, int f, G&& g) {
  const int row = m.M_rowadr[f], end = f + m.D_rownnz[f] - m.D_diag[f];
  for (int c = 0; c < m.M_rownnz[f] - 1; ++c) g(m.M_colind[row + c]);
  for (int x = f + 1; x < end; ++x) g(x);
}

/// One follower of reduce_symmetric. An ancestor stands in every row at the place that its own depth gives.
template <class M, class F>
struct SymmetricElimination {
  const M& m;
  const Follower<M>& follower;
  F a;
  const int f = follower.dof, row = m.M_rowadr[f], depth = m.M_rownnz[f] - 1, end = f + m.D_rownnz[f] - m.D_diag[f];

  PLIANT_HD auto& at(int i, int j) const {
    return i > j ? a[m.M_rowadr[i] + m.M_rownnz[j] - 1] : a[m.M_rowadr[j] + m.M_rownnz[i] - 1];
  }
  // A'(l, x) += c A(f, x), twice where x is l: the general case. Zeros may stand where the leader has no places.
  template <class R>
  PLIANT_HD void add_to(int leader, R c) const {
    const auto add = [&](int x, R v) {
      if (v != 0) at(leader, x) += c * v * (leader == x ? 2 : 1);
    };
    for (int k = 0; k < depth; ++k) add(m.M_colind[row + k], a[row + k]);
    for (int x = f + 1; x < end; ++x) add(x, a[m.M_rowadr[x] + depth]);
  }
  // The same for a leader that is an ancestor in M's tree, `height` deep: runs of places.
  template <class R>
  PLIANT_HD void add_to_ancestor(int leader, int height, R c) const {
    const int to = m.M_rowadr[leader];
    for (int k = 0; k < height; ++k) a[to + k] += c * a[row + k];
    a[to + height] += 2 * c * a[row + height];
    for (int k = height + 1; k < depth; ++k) a[m.M_rowadr[m.M_colind[row + k]] + height] += c * a[row + k];
    for (int x = f + 1; x < end; ++x) a[m.M_rowadr[x] + height] += c * a[m.M_rowadr[x] + depth];
  }
  PLIANT_HD void operator()() const {
    const int n = follower.leaders();
    const auto own = a[row + depth];
    for (int i = 0; i < n; ++i) {
      const int leader = follower.leader(i), height = m.M_rownnz[leader] - 1;
      const auto c = follower.ratio(i);
      if (height < depth && m.M_colind[row + height] == leader) {
        add_to_ancestor(leader, height, c);
      } else {
        add_to(leader, c);
      }
      for (int k = 0; k < i; ++k) at(leader, follower.leader(k)) += c * follower.ratio(k) * own;
      a[m.M_rowadr[leader] + height] += c * c * own;
    }
    for (int k = 0; k < depth; ++k) a[row + k] = 0;
    for (int x = f + 1; x < end; ++x) a[m.M_rowadr[x] + depth] = 0;
  }
};

/// A symmetric matrix in the pattern of M becomes Gᵀ A G; diagonals of followers stay, so that it is as regular as it
/// was:
///   A'(l, x) += c_l A(f, x),   A'(l, k) += c_l c_k A(f, f)   for all x ≠ f and leaders l, k;   A'(f, x) = 0
/// Numbers other than 0 stand where mass_tree.cpp expects them, so that leaders have the same places.
template <class M, class S, class F>
PLIANT_HD void reduce_symmetric(const M& m, const S& s, F matrix) {
  each_follower(m, s, [&](const Follower<M>& follower) { SymmetricElimination<M, F>{m, follower, matrix}(); });
}

/// A square matrix in the pattern D becomes Gᵀ A G, with zeros for followers.
template <class M, class S, class F>
PLIANT_HD void reduce_square(const M& m, const S& s, F matrix) {
  const auto at = [&](int i, int j) -> auto& {
    return matrix[m.D_rowadr[i] + (j <= i ? m.D_diag[j] : m.D_diag[i] + j - i)];
  };
  each_follower(m, s, [&](const Follower<M>& follower) {
    eliminate_square(follower, at, [&](auto&& g) { each_coupled(m, follower.dof, g); });
  });
}

}  // namespace pliant

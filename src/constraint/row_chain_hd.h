#pragma once
// The columns of a row: which dofs take part, as runs of consecutive dofs, highest first.
//
// reads dof_parentid dof_chainnum ten_J_colind · a chain is a callable object: chain(f) calls f(first, length, side)
// for every run. `side` says which of two bodies the dofs move. Cost: the runs (limbs), not the dofs.

#include "kinematics/jacobian_hd.h"

namespace pliant {

/// Which of two bodies a dof moves.
enum class Side : int { kFirst, kSecond, kBoth };

/// One run of dofs.
struct RunChain {
  int first, length;
  template <class F>
  PLIANT_HD void operator()(F&& f) const {
    f(first, length, Side::kFirst);
  }
};

/// The dofs that move one of two bodies; with `common` also those that move both.
template <class M>
struct PairChain {
  const M& m;
  int body_a, body_b;
  bool common;

  template <class F>
  PLIANT_HD void operator()(F&& f) const {
    int a = last_dof(m, body_a), b = last_dof(m, body_b);
    // The higher of two dofs cannot be an ancestor of the lower: it belongs to one body only. Its run ends where it
    // meets the other chain, from where on both are the same.
    while (a != b) {
      const bool take_a = a > b;
      const int top = take_a ? a : b, other = take_a ? b : a;
      const int start = top - m.dof_chainnum[top];
      const int first = start > other ? start : other + 1;
      f(first, top - first + 1, take_a ? Side::kFirst : Side::kSecond);
      (take_a ? a : b) = m.dof_parentid[first];
    }
    if (!common) return;
    while (a >= 0) {
      const int first = a - m.dof_chainnum[a];
      f(first, a - first + 1, Side::kBoth);
      a = m.dof_parentid[first];
    }
  }
};

/// The dofs of one or two tendons (the second may be -1).
template <class M>
struct TendonChain {
  const M& m;
  int tendon_a, tendon_b;

  template <class F>
  PLIANT_HD void operator()(F&& f) const {
    int a = end(tendon_a) - 1, b = tendon_b < 0 ? -1 : end(tendon_b) - 1;
    const int start_a = m.ten_J_rowadr[tendon_a], start_b = tendon_b < 0 ? 0 : m.ten_J_rowadr[tendon_b];
    int top = -1, bottom = -1;  // the run so far
    while (a >= start_a || b >= start_b) {
      const int dof_a = a >= start_a ? m.ten_J_colind[a] : -1, dof_b = b >= start_b ? m.ten_J_colind[b] : -1;
      const int dof = dof_a > dof_b ? dof_a : dof_b;
      if (dof == dof_a) --a;
      if (dof == dof_b) --b;
      if (dof == bottom) continue;  // a joint that a tendon names twice
      if (top >= 0 && dof == bottom - 1) {
        bottom = dof;
        continue;
      }
      if (top >= 0) f(bottom, top - bottom + 1, Side::kFirst);
      top = bottom = dof;
    }
    if (top >= 0) f(bottom, top - bottom + 1, Side::kFirst);
  }

 private:
  PLIANT_HD int end(int tendon) const { return m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon]; }
};

}  // namespace pliant

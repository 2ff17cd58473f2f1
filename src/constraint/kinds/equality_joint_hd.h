#pragma once
// A joint that follows another: y - y0 = a0 + a1 Δ + a2 Δ² + a3 Δ³ + a4 Δ⁴ with Δ = x - x0; without a second joint
// it is held at y0 + a0.
//
// reads eq_* qpos qpos0 · one row

#include "constraint/kinds/one_row_hd.h"

namespace pliant {

/// A polynomial of degree 4 and its slope.
template <class R>
struct Polynomial4 {
  R value, slope;
  template <class P>
  PLIANT_HD Polynomial4(const P& a, R x) {
    value = mul_add(mul_add(mul_add(mul_add(R(a[4]), x, R(a[3])), x, R(a[2])), x, R(a[1])), x, R(a[0]));
    slope = mul_add(mul_add(mul_add(4 * R(a[4]), x, 3 * R(a[3])), x, 2 * R(a[2])), x, R(a[1]));
  }
};

/// The dofs of one or two joints (the second may be -1).
struct TwoDofChain {
  int a, b;
  template <class F>
  PLIANT_HD void operator()(F&& f) const {
    const int high = a > b ? a : b, low = a > b ? b : a;
    f(high, 1, Side::kFirst);
    if (low >= 0 && low != high) f(low, 1, Side::kFirst);
  }
};

struct JointEquality : OneRow {
  template <class M, class S, class D, class Sink>
  PLIANT_HD static void rows(const M& m, const S& s, const D&, int equality, Sink& sink) {
    using R = typename D::Real;
    const int a = m.eq_obj1id[equality], b = m.eq_obj2id[equality];
    const int dof_a = m.jnt_dofadr[a], dof_b = b < 0 ? -1 : m.jnt_dofadr[b];
    if (!sink.begin(RowType::kEquality, equality, 1, TwoDofChain{dof_a, dof_b})) return;

    const auto moved = [&](int joint) { return s.qpos[m.jnt_qposadr[joint]] - m.qpos0[m.jnt_qposadr[joint]]; };
    const auto data = m.eq_data + kNumEqData * equality;
    R residual = moved(a) - data[0], weight = m.dof_invweight0[dof_a];
    R* const J = sink.J(0);
    J[dof_b >= 0 && dof_b < dof_a ? 1 : 0] = 1;
    if (b >= 0) {
      const Polynomial4<R> leader(data, moved(b));
      residual = moved(a) - leader.value;
      weight += m.dof_invweight0[dof_b];
      // a joint that follows itself: both numbers in one column
      if (dof_a == dof_b) {
        J[0] = 1 - leader.slope;
      } else {
        J[dof_b < dof_a ? 0 : 1] = -leader.slope;
      }
    }
    sink.row(0, residual, R(0), weight);
    sink.finish(m.eq_solref + kNumRef * equality, m.eq_solimp + kNumImp * equality, residual);
  }

  template <class M, class Add>
  static void residuals(const M&, int, int row, Add&& add) {
    add("joint", row, 1);
  }

  template <class M>
  static double follower_at(const M& m, int equality, double q) {
    const int follower = m.eq_obj1id[equality], leader = m.eq_obj2id[equality];
    if (leader < 0) return NAN;
    const double *poly = m.eq_data + kNumEqData * equality, x = q - m.qpos0[m.jnt_qposadr[leader]];
    double sum = 0, power = 1;
    for (int k = 0; k < 5; ++k) sum += poly[k] * power, power *= x;
    return m.qpos0[m.jnt_qposadr[follower]] + sum;
  }
};

}  // namespace pliant

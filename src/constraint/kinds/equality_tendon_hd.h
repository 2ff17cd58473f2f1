#pragma once
// A tendon that follows another: as for joints, with lengths instead of positions.
//
// reads eq_* ten_length ten_J tendon_length0 · one row

#include "constraint/kinds/equality_joint_hd.h"

namespace pliant {

/// J += scale times the Jacobian of the tendon; J has the columns of `chain`.
template <class M, class D, class Chain, class R>
PLIANT_HD void add_tendon_row(const M& m, const D& d, const Chain& chain, int tendon, R scale, R* J, int length) {
  int place = length;
  int k = m.ten_J_rowadr[tendon] + m.ten_J_rownnz[tendon] - 1;
  const int start = m.ten_J_rowadr[tendon];
  // both descend
  chain([&](int dof, int run, Side) {
    place -= run;
    for (; k >= start && m.ten_J_colind[k] >= dof; --k) J[place + m.ten_J_colind[k] - dof] += scale * d.ten_J[k];
  });
}

/// How far a tendon is from its length at qpos0.
template <class M, class D>
PLIANT_HD auto tendon_moved(const M& m, const D& d, int tendon) {
  return d.ten_length[tendon] - m.tendon_length0[tendon];
}
/// Rate of the follower's length asked for per rate of the leader's.
template <class M, class D>
PLIANT_HD auto leader_slope(const M& m, const D& d, int equality) {
  using R = typename D::Real;
  return Polynomial4<R>(m.eq_data + kNumEqData * equality, tendon_moved(m, d, m.eq_obj2id[equality])).slope;
}

struct TendonEquality : OneRow {
  template <class M, class S, class D, class Sink>
  PLIANT_HD static void rows(const M& m, const S&, const D& d, int equality, Sink& sink) {
    using R = typename D::Real;
    const int a = m.eq_obj1id[equality], b = m.eq_obj2id[equality];
    if (m.ten_J_rownnz[a] == 0 && (b < 0 || m.ten_J_rownnz[b] == 0)) return;
    const TendonChain<M> chain{m, a, b};
    if (!sink.begin(RowType::kEquality, equality, 1, chain)) return;

    const auto data = m.eq_data + kNumEqData * equality;
    R* const J = sink.J(0);
    for (int k = 0; k < sink.length(); ++k) J[k] = 0;
    add_tendon_row(m, d, chain, a, R(1), J, sink.length());
    R residual = tendon_moved(m, d, a) - data[0], weight = m.tendon_invweight0[a];
    if (b >= 0) {
      const Polynomial4<R> leader(data, tendon_moved(m, d, b));
      residual = tendon_moved(m, d, a) - leader.value;
      weight += m.tendon_invweight0[b];
      add_tendon_row(m, d, chain, b, -leader.slope, J, sink.length());
    }
    sink.row(0, residual, R(0), weight);
    sink.finish(m.eq_solref + kNumRef * equality, m.eq_solimp + kNumImp * equality, residual);
  }

  template <class M, class D, class Push>
  PLIANT_HD static void body_forces(const M& m, const D& d, int row, int equality, Push&& push) {
    const auto force = d.rows.row_force[row];
    push.along(m.eq_obj1id[equality], force);
    if (const int leader = m.eq_obj2id[equality]; leader >= 0) {
      push.along(leader, -leader_slope(m, d, equality) * force);
    }
  }

  template <class M, class Add>
  static void residuals(const M&, int, int row, Add&& add) {
    add("tendon", row, 1);
  }
};

}  // namespace pliant

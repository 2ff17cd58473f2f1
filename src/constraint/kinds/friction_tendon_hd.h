#pragma once
// Dry friction of a tendon: one row that asks for a constant length, with a force of at most frictionloss.
//
// reads tendon_* ten_J · one row

#include "constraint/kinds/equality_tendon_hd.h"

namespace pliant {

template <class M, class S, class D, class Sink>
PLIANT_HD void friction_tendon_rows(const M& m, const S&, const D& d, int tendon, Sink& sink) {
  using R = typename D::Real;
  if (!(m.tendon_frictionloss[tendon] > 0) || m.ten_J_rownnz[tendon] == 0) return;
  const TendonChain<M> chain{m, tendon, -1};
  if (!sink.begin(RowType::kFrictionTendon, tendon, 1, chain)) return;
  R* const J = sink.J(0);
  for (int k = 0; k < sink.length(); ++k) J[k] = 0;
  add_tendon_row(m, d, chain, tendon, R(1), J, sink.length());
  sink.row(0, R(0), R(0), m.tendon_invweight0[tendon]);
  sink.bound(0, m.tendon_frictionloss[tendon]);
  sink.finish(m.tendon_solref_fri + kNumRef * tendon, m.tendon_solimp_fri + kNumImp * tendon, R(0), 0);
}

}  // namespace pliant

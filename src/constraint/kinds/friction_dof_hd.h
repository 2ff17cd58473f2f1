#pragma once
// Dry friction of a dof: one row that asks for rest, with a force of at most frictionloss.
//
// reads dof_* · one row

#include "constraint/row_sink_hd.h"

namespace pliant {

template <class M, class S, class D, class Sink>
PLIANT_HD void friction_dof_rows(const M& m, const S&, const D&, int dof, Sink& sink) {
  using R = typename D::Real;
  if (m.dof_frictionloss[dof] == 0) return;
  if (!sink.begin(RowType::kFrictionDof, dof, 1, RunChain{dof, 1})) return;
  sink.J(0)[0] = 1;
  sink.row(0, R(0), R(0), m.dof_invweight0[dof]);
  sink.bound(0, m.dof_frictionloss[dof]);
  sink.finish(m.dof_solref + kNumRef * dof, m.dof_solimp + kNumImp * dof, R(0), 0);
}

}  // namespace pliant

#pragma once
// The stages constraint and reference by a team, for worlds whose rows have room for a capacity.
//
// Islands are not looked for: a world is one problem.

#include "constraint/reduce_rows_hd.h"
#include "constraint/regularize_hd.h"
#include "constraint/rows_hd.h"

namespace pliant {

/// Whether rows are those of the reference's sparse Jacobian, which decides what becomes of rows of zeros.
template <class M>
PLIANT_HD bool has_sparse_rows(const M& m) {
  constexpr int kSparseDofs = 60;  // below the reference's Jacobian is dense
  return m.opt.jacobian == JacobianType::kSparse || (m.opt.jacobian == JacobianType::kAuto && m.nv >= kSparseDofs);
}

/// What the rows of a step have in common. `solver_step`: length of the part of a step that the solver takes at once.
template <class R, class M>
PLIANT_HD RowSettings<R> row_settings(const M& m, R solver_step) {
  RowSettings<R> settings;
  const bool safe = !(m.opt.disableflags & kDisableRefSafe);
  if (m.opt.integrator == Integrator::kDiscrete) {
    settings.step = m.opt.timestep;
    settings.resolve = safe;
  } else {
    settings.shortest_time = safe ? 2 * solver_step : R(0);
  }
  settings.impratio = m.opt.impratio;
  settings.drop_zero_rows = !has_sparse_rows(m);
  return settings;
}

/// Mimics by rows: natural frequency and damping ratio are those of the true response. They are the last equalities.
template <class Team, class M, class D>
PLIANT_HD void use_mimic_compliance(const Team& team, const M& m, D& d) {
  using R = typename D::Real;
  auto& rows = d.rows;
  int first = rows.ne;
  while (first > 0 && is_mimic_row(m, rows, first - 1)) --first;
  each_row_with_dofs(team, m, d, first, rows.ne, [&](int i, auto x) {
    set_mimic_compliance(m, rows, i, row_response(m, rows, i, d.qLD, d.qLDiagInv, x), R(m.opt.timestep));
  });
}

/// Rows of a world. False if there are more than there is room for; d.rows.n is then 0.
template <class Team, class M, class S, class D>
PLIANT_HD bool constraint_stage(const Team& team, const M& m, const S& s, D& d,
                                const ReduceWork<typename D::Real>& work) {
  using R = typename D::Real;
  auto& rows = d.rows;
  rows.n = rows.ne = rows.nf = rows.nl = rows.nsegment = rows.nentry = 0;
  const bool sparse = has_sparse_rows(m);
  each(team, d.ncon, [&](int i) { label_contact(m, d, i, sparse); });
  if (m.opt.disableflags & kDisableConstraint) return true;
  const RowSettings<R> settings = row_settings<R>(m, R(m.opt.timestep));
  RowWriter<std::remove_reference_t<decltype(rows)>, R> writer(rows, settings);
  all_rows(team, m, s, d, writer);
  team.sync();
  if (writer.overflowed() || !reduce_rows(team, m, s, d, work)) {
    rows.n = rows.ne = rows.nf = rows.nl = 0;
    each(team, d.ncon, [&](int i) { d.contact[i].row = -1; });
    return false;
  }
  // (under discrete the matrix is not known yet: finish_rows_in_metric sets R)
  if (m.opt.enableflags & kEnableDiagExact && !is_discrete(m.opt)) regularize_exactly(team, m, d, settings);
  if (m.nmimicrow) use_mimic_compliance(team, m, d);
  return true;
}

template <class Team, class M, class S, class D>
PLIANT_HD void reference_stage(const Team& team, const M& m, const S& s, D& d) {
  row_velocities(team, m, s, d);
  if (!is_discrete(m.opt)) row_accelerations(team, m, d, typename D::Real(0));
}

/// Integrator discrete: R and what the rows ask for, once the metric is known.
template <class Team, class M, class D>
PLIANT_HD void finish_rows_in_metric(const Team& team, const M& m, D& d) {
  using R = typename D::Real;
  if (d.rows.n == 0) return;
  const RowSettings<R> settings = row_settings<R>(m, R(m.opt.timestep));
  regularize_in_metric(team, m, d, settings, d.metric);
  row_accelerations(team, m, d, settings.step);
}

}  // namespace pliant

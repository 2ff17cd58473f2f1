#pragma once
// The stages constraint and reference by a team, for worlds whose rows have room for a capacity.
//
// What the CPU does besides is not here yet: exact followers (reduce_rows.h), diagexact, islands, the integrator
// discrete.

#include "constraint/reference_hd.h"
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

/// Rows of a world. False if there are more than there is room for; d.rows.n is then 0.
template <class Team, class M, class S, class D>
PLIANT_HD bool constraint_stage(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  auto& rows = d.rows;
  rows.n = rows.ne = rows.nf = rows.nl = rows.nsegment = rows.nentry = 0;
  const bool sparse = has_sparse_rows(m);
  each(team, d.ncon, [&](int i) { label_contact(m, d, i, sparse); });
  if (m.opt.disableflags & kDisableConstraint) return true;
  RowWriter<std::remove_reference_t<decltype(rows)>, R> writer(rows, row_settings<R>(m, R(m.opt.timestep)));
  all_rows(team, m, s, d, writer);
  team.sync();
  if (writer.overflowed()) {
    rows.n = rows.ne = rows.nf = rows.nl = 0;
    each(team, d.ncon, [&](int i) { d.contact[i].row = -1; });
    return false;
  }
  // mimics by rows: natural frequency and damping ratio are those of the true response
  once(team, [&] {
    if (m.nmimicrow == 0) return;
    for (int i = 0; i < m.nv; ++i) d.dof_scratch[i] = 0;
    for (int i = rows.ne - 1; i >= 0 && m.eq_mimicid[rows.row_id[i]] >= 0; --i) {
      const R* J = rows.row_J + rows.row_Jadr[i];
      int last = -1;
      for (int k = rows.row_segadr[i]; k < rows.row_segadr[i] + rows.row_segnum[i]; ++k) {
        for (int c = 0; c < rows.segment_len[k]; ++c) d.dof_scratch[last = rows.segment_dof[k] + c] = *J++;
      }
      const R response = inverse_quadratic_form(mass_pattern(m), d.qLD, d.qLDiagInv, d.dof_scratch, last);
      set_mimic_compliance(m, rows, i, response, R(m.opt.timestep));
    }
  });
  return true;
}

template <class Team, class M, class S, class D>
PLIANT_HD void reference_stage(const Team& team, const M& m, const S& s, D& d) {
  row_velocities(team, m, s, d);
  row_accelerations(team, m, d, typename D::Real(0));
}

}  // namespace pliant

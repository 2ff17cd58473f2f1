#pragma once
// Solves with the metric of a step by a team: its part in the pattern of M through its factors; with terms beyond the
// pattern as one dense triangle, T + Σ s w wᵀ.

#include "constraint/reference_hd.h"
#include "integrate/metric.h"
#include "math/dense_team.h"
#include "math/tree_matrix_team.h"

namespace pliant {

/// Row i of J as a dense vector's entry: dof of number c.
template <class Rows>
PLIANT_HD int dof_of_entry(const Rows& rows, int i, int c) {
  for (int s = rows.row_segadr[i];; ++s) {
    if (c < rows.segment_len[s]) return rows.segment_dof[s] + c;
    c -= rows.segment_len[s];
  }
}
/// Numbers of a row.
template <class Rows>
PLIANT_HD int row_width(const Rows& rows, int row) {
  int width = 0;
  for (int s = rows.row_segadr[row]; s < rows.row_segadr[row] + rows.row_segnum[row]; ++s) width += rows.segment_len[s];
  return width;
}

/// x becomes M̂⁻¹ x. `H`: memory for a triangle of all dofs, where there are terms; false if that is not positive
/// definite.
template <class Team, class M, class D, class R>
PLIANT_HD bool solve_metric(const Team& team, const M& m, const D& d, R* x, R* H) {
  const auto metric = metric_of(m, d);
  if (metric.nterm == 0) {
    solve_tree(team, mass_pattern(m), metric.LD, metric.inverse_D, x);
    team.sync();
    return true;
  }
  const auto& rows = d.rows;
  each(team, triangle_size(m.nv), [&](int i) { H[i] = 0; });
  each(team, m.nv, [&](int i) {
    const int row = m.M_rowadr[i];
    for (int c = 0; c < m.M_rownnz[i]; ++c) H[triangle_at(i, m.M_colind[row + c])] = metric.matrix[row + c];
  });
  for (int i = rows.n; i < rows.n + metric.nterm; ++i) {
    const R* w = rows.row_J + rows.row_Jadr[i];
    const R scale = rows.row_D[i];
    each_of_triangle(team, row_width(rows, i), [&](int a, int b) {
      H[triangle_at(dof_of_entry(rows, i, a), dof_of_entry(rows, i, b))] += scale * w[a] * w[b];
    });
  }
  if (!factor_triangle(team, H, m.nv)) return false;
  solve_triangle(team, static_cast<const R*>(H), m.nv, x);
  return true;
}

/// Integrator discrete: qacc_smooth = M̂⁻¹ qfrc_metric, the forces as they are at the end of the step. Where there are
/// terms that solvers see as rows, qacc_advance becomes what there would be without them. x: memory for all dofs.
template <class Team, class M, class D, class R>
PLIANT_HD bool metric_acceleration(const Team& team, const M& m, D& d, R* x, R* H) {
  each(team, m.nv, [&](int i) {
    x[i] = d.qfrc_metric[i] = d.qfrc_smooth[i] + d.efm_c[i] + d.efm_ca[i];
    d.qacc_advance[i] = x[i];
  });
  if (d.metric.nterm > 0) solve_tree(team, mass_pattern(m), d.metric.LD, d.metric.inverse_D, d.qacc_advance);
  const bool solved = solve_metric(team, m, d, x, H);
  each(team, m.nv, [&](int i) { d.qacc_smooth[i] = x[i]; });
  return solved;
}

}  // namespace pliant

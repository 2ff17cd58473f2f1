#pragma once
// R of the rows where it is not that of the model's inverse weights.
//
// reads rows M qLD efm_sdiag · writes row_R row_D row_diagA row_clamps contact.mu

#include "constraint/reference_hd.h"
#include "constraint/row_sink_hd.h"
#include "math/tree_matrix.h"

namespace pliant {

/// Rows that a team looks at together where each needs memory for all dofs (dof_scratch).
template <class Team>
inline constexpr int kRowsAtOnce = Team::kSerial ? 1 : 6;

/// J inv(A) J' of a row, A given by its factors in the pattern of M; x must be zero, and is again.
template <class M, class Rows, class F, class G, class X>
PLIANT_HD auto row_response(const M& m, const Rows& rows, int row, const F& LD, const G& inverse_D, X x) {
  int last = -1;
  const auto* J = rows.row_J + rows.row_Jadr[row];
  for (int s = rows.row_segadr[row], end = s + rows.row_segnum[row]; s < end; ++s) {
    for (int k = 0; k < rows.segment_len[s]; ++k) x[rows.segment_dof[s] + k] = *J++;
    last = rows.segment_dof[s] + rows.segment_len[s] - 1;
  }
  return inverse_quadratic_form(mass_pattern(m), LD, inverse_D, x, last);
}

/// f(i, x) for i = first … end - 1, with x zero for all dofs, and zero again.
template <class Team, class M, class D, class F>
PLIANT_HD void each_row_with_dofs(const Team& team, const M& m, D& d, int first, int end, F&& f) {
  constexpr int kAtOnce = kRowsAtOnce<Team>;
  each(team, kAtOnce * m.nv, [&](int i) PLIANT_INLINED { d.dof_scratch[i] = 0; });
  for (int i = first; i < end; i += kAtOnce) {
    const int n = end - i < kAtOnce ? end - i : kAtOnce;
    each(team, n, [&](int k) PLIANT_INLINED { f(i + k, d.dof_scratch + k * m.nv); });
  }
}

/// R of rows, R_of(i, clamps); those of a contact beyond the first follow from it. Mimics have theirs already.
template <class Team, class M, class D, class R, class F>
PLIANT_HD void regularize(const Team& team, const M& m, D& d, const RowSettings<R>& settings, F&& R_of) {
  auto& rows = d.rows;
  const bool elliptic = m.opt.cone == ConeType::kElliptic;
  const int floor = static_cast<int>(RowClamp::kRegularizer), stiffest = static_cast<int>(RowClamp::kStiffest);
  const auto set = [&](int i) PLIANT_INLINED {
    int& clamps = rows.row_clamps[i];
    clamps &= ~(floor | stiffest);
    rows.row_R[i] = R_of(i, clamps);
    if (!(rows.row_R[i] > R(kTiny))) clamps |= floor;
  };
  each(team, rows.ne + rows.nf + rows.nl, [&](int i) PLIANT_INLINED {
    if (is_mimic_row(m, rows, i)) return;
    set(i);
    finish_regularizer(rows, i);
  });
  each(team, d.ncon, [&](int c) PLIANT_INLINED {
    auto& contact = d.contact[c];
    const int i = contact.row;
    if (i < 0) return;
    const int n = contact_row_count(contact, elliptic);
    set(i);
    for (int k = i + 1; k < i + n; ++k) {
      rows.row_clamps[k] = (rows.row_clamps[k] & ~(floor | stiffest)) | (rows.row_clamps[i] & (floor | stiffest));
    }
    if (n > 1) regularize_friction(rows, i, contact, settings, elliptic);
    for (int k = i; k < i + n; ++k) finish_regularizer(rows, k);
  });
}

/// row_R of every row that regularize() will ask for: its response by the matrix with these factors.
template <class Team, class M, class D, class F, class G>
PLIANT_HD void find_responses(const Team& team, const M& m, D& d, const F& LD, const G& inverse_D) {
  auto& rows = d.rows;
  const int first_contact = rows.ne + rows.nf + rows.nl;
  each_row_with_dofs(team, m, d, 0, rows.n, [&](int i, auto x) PLIANT_INLINED {
    if (i < first_contact ? is_mimic_row(m, rows, i) : d.contact[rows.row_id[i]].row != i) return;
    rows.row_R[i] = row_response(m, rows, i, LD, inverse_D, x);
  });
}

/// Flag diagexact: J inv(M) J' itself instead of its estimate at qpos0, and R after it.
template <class Team, class M, class D, class R>
PLIANT_HD void regularize_exactly(const Team& team, const M& m, D& d, const RowSettings<R>& settings) {
  auto& rows = d.rows;
  find_responses(team, m, d, d.qLD, d.qLDiagInv);
  regularize(team, m, d, settings,
             [&](int i, int&) PLIANT_INLINED { return regularizer(rows.row_KBIP[4 * i + 2], rows.row_R[i]); });
}

/// How the response of a row to its own force changes where sdiag is added to the diagonal of M, and M is taken for its
/// diagonal: Σ J²/(M + S) over Σ J²/M. Both inverse diagonals are in dof_scratch.
template <class M, class D>
PLIANT_HD auto diagonal_ratio(const M& m, const D& d, int row) {
  using R = typename D::Real;
  const auto& rows = d.rows;
  const R* J = rows.row_J + rows.row_Jadr[row];
  R with = 0, without = 0;
  for (int s = rows.row_segadr[row], end = s + rows.row_segnum[row]; s < end; ++s) {
    const auto a = d.dof_scratch + rows.segment_dof[s], b = d.dof_scratch + (m.nv + rows.segment_dof[s]);
    const int length = rows.segment_len[s];
    for (int c = 0; c < length; ++c) {
      const R square = J[c] * J[c];
      with = mul_add(square, a[c], with);
      without = mul_add(square, b[c], without);
    }
    J += length;
  }
  return without > R(kTiny) ? with / without : R(1);
}

/// Integrator discrete: the same for rows that act at the end of the step, with the metric in place of M. Without
/// diagexact the estimate is corrected by how much the diagonals of the metric lower the row's response.
template <class Team, class M, class D, class R, class Metric>
PLIANT_HD void regularize_in_metric(const Team& team, const M& m, D& d, const RowSettings<R>& settings,
                                    const Metric& metric) {
  auto& rows = d.rows;
  const auto with = [&](auto&& diagonal) PLIANT_INLINED {
    regularize(team, m, d, settings, [&](int i, int& clamps) PLIANT_INLINED {
      return implicit_regularizer(static_cast<const R*>(rows.row_KBIP + 4 * i), settings.step, diagonal(i), clamps);
    });
  };
  if (m.opt.enableflags & kEnableDiagExact) {
    find_responses(team, m, d, metric.backbone_LD, metric.backbone_inverse_D);
    with([&](int i) PLIANT_INLINED { return rows.row_R[i]; });
  } else if (metric.plain) {
    with([&](int i) PLIANT_INLINED { return rows.row_weight[i]; });
  } else {
    const auto invert = [&](int i) PLIANT_INLINED {
      const R mass = d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
      d.dof_scratch[i] = 1 / at_least(R(kTiny), mass + d.efm_sdiag[i]);
      d.dof_scratch[m.nv + i] = 1 / at_least(R(kTiny), mass);
    };
    if (Team::kSerial && rows.nentry < m.nv) {  // a few rows with few dofs
      for (int s = 0; s < rows.nsegment; ++s) {
        for (int dof = rows.segment_dof[s], k = 0; k < rows.segment_len[s]; ++k) invert(dof + k);
      }
    } else {
      each(team, m.nv, invert);
    }
    with([&](int i) PLIANT_INLINED { return rows.row_weight[i] * diagonal_ratio(m, d, i); });
  }
}

}  // namespace pliant

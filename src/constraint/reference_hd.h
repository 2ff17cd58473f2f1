#pragma once
// What acceleration a row asks for.
//
//   vel = J qvel (+ the velocity of moving surfaces)         aref = -B vel - K d (pos - margin)
//
// and then, per kind: equalities subtract J̇ qvel, the acceleration their residual has by itself; adhesive
// contacts pull with R · adhesion. Under the integrator discrete spring and damper act at the end of the step
// (impedance_hd.h); mimics by rows are so by themselves (mimic_soft_hd.h).
//
// reads rows qvel contact cvel bias_acc geom_* · writes row_vel row_aref

#include "constraint/contact_directions_hd.h"
#include "constraint/equality_kinds_hd.h"
#include "kinematics/object_hd.h"
#include "math/short_rows.h"

namespace pliant {

/// Row i of J times a vector of dofs.
template <class Rows, class X>
PLIANT_HD auto row_times(const Rows& rows, int i, X x) {
  const auto* J = rows.row_J + rows.row_Jadr[i];
  ScalarOf<decltype(rows.row_J)> sum = 0;  // a row may be empty: J must not be looked at
  for (int s = rows.row_segadr[i], end = s + rows.row_segnum[i]; s < end; ++s) {
    sum += sum_products(J, x + rows.segment_dof[s], rows.segment_len[s]);
    J += rows.segment_len[s];
  }
  return sum;
}

/// to += Jᵀ f for one row.
template <class Rows, class R, class X>
PLIANT_HD void add_row_times(const Rows& rows, int i, R f, X to) {
  const auto* J = rows.row_J + rows.row_Jadr[i];
  for (int s = rows.row_segadr[i], end = s + rows.row_segnum[i]; s < end; ++s) {
    subtract_scaled(to + rows.segment_dof[s], J, -f, rows.segment_len[s]);
    J += rows.segment_len[s];
  }
}

/// Rows of a contact.
template <class C>
PLIANT_HD int contact_row_count(const C& contact, bool elliptic) {
  const int dim = contact_dim(contact);
  return dim == 1 ? 1 : elliptic ? dim : 2 * (dim - 1);
}

/// Adds moving surfaces to the velocities of a contact's rows: sliding and spinning count, approach and rolling do not.
template <class D, class C>
PLIANT_HD void add_surface_velocity(D& d, const C& contact, bool elliptic) {
  const auto* along = contact.surfacevel;
  const int dim = contact_dim(contact), most = dim < 4 ? dim : 4;
  if (contact.row < 0 || (along[0] == 0 && along[1] == 0 && along[2] == 0)) return;
  for (int k = 1; k < most; ++k) {
    if (elliptic) {
      d.rows.row_vel[contact.row + k] += along[k - 1];
      continue;
    }
    d.rows.row_vel[contact.row + 2 * k - 2] += contact.friction[k - 1] * along[k - 1];
    d.rows.row_vel[contact.row + 2 * k - 1] -= contact.friction[k - 1] * along[k - 1];
  }
}

/// An adhesive contact asks for as much more as its attraction needs.
template <class D, class C>
PLIANT_HD void add_adhesion(D& d, const C& contact, bool elliptic) {
  using R = typename D::Real;
  if (contact.row < 0 || !(contact.adhesion > 0)) return;
  const int n = contact_row_count(contact, elliptic);
  const bool pyramid = !elliptic && n > 1;
  const R share = pyramid ? R(contact.adhesion) / n : R(contact.adhesion);
  for (int k = 0; k < (pyramid ? n : 1); ++k) {
    d.rows.row_aref[contact.row + k] += d.rows.row_R[contact.row + k] * share;
  }
}

/// Velocities of the rows.
template <class Team, class M, class S, class D>
PLIANT_HD void row_velocities(const Team& team, const M& m, const S& s, D& d) {
  auto& rows = d.rows;
  const auto qvel = constant(s.qvel);
  each(team, rows.n, [&](int i) PLIANT_INLINED { rows.row_vel[i] = row_times(rows, i, qvel); });
  const bool elliptic = m.opt.cone == ConeType::kElliptic;
  each(team, d.ncon, [&](int i) PLIANT_INLINED { add_surface_velocity(d, d.contact[i], elliptic); });
}

/// What kinds of equalities subtract.
template <class M, class D>
PLIANT_HD void subtract_equality_bias(const M& m, D& d) {
  for (int i = 0; i < d.rows.ne;) {
    const int equality = d.rows.row_id[i];
    i += with_equality(m.eq_type[equality], [&](auto kind) PLIANT_INLINED {
      kind.subtract_bias(m, d, i, equality);
      return kind.kRows;
    });
  }
}

/// Whether a row's numbers are those of the end of the step already.
template <class M, class Rows>
PLIANT_HD bool is_mimic_row(const M& m, const Rows& rows, int i) {
  return i < rows.ne && m.eq_mimicid[rows.row_id[i]] >= 0;
}

/// Accelerations the rows ask for, from their velocities and R. `step`: of the integrator discrete, else 0.
template <class Team, class M, class D, class R>
PLIANT_HD void row_accelerations(const Team& team, const M& m, D& d, R step) {
  auto& rows = d.rows;
  const auto spring = [&](int i, R ahead) PLIANT_INLINED {
    const R* kbip = rows.row_KBIP + 4 * i;
    const R r = rows.row_pos[i] - rows.row_margin[i] + ahead * rows.row_vel[i];
    rows.row_aref[i] = -kbip[1] * rows.row_vel[i] - kbip[0] * kbip[2] * r;
  };
  each(team, rows.n, [&](int i) PLIANT_INLINED { spring(i, step); });
  once(team, [&]() PLIANT_INLINED { subtract_equality_bias(m, d); });
  if (step > 0) {
    each(team, rows.n, [&](int i) PLIANT_INLINED {
      rows.row_aref[i] /= implicit_factor(static_cast<const R*>(rows.row_KBIP + 4 * i), step);
    });
    each(team, m.nmimicrow ? rows.ne : 0, [&](int i) PLIANT_INLINED {
      if (is_mimic_row(m, rows, i)) spring(i, R(0));
    });
  }
  const bool elliptic = m.opt.cone == ConeType::kElliptic;
  each(team, d.ncon, [&](int i) PLIANT_INLINED { add_adhesion(d, d.contact[i], elliptic); });
}

}  // namespace pliant

#pragma once
// The stage metric by a team: under the integrator discrete the matrix that forces accelerate,
//
//   M̂ = M + h D + h² K,     M̂ a = f - h K v + Jᵀ λ,     v⁺ = v + h a,   q⁺ = q ⊕ h v⁺
//
// D and K are minus the derivatives of springs, dampers, servos and fluid drag with respect to velocity and position,
// at the state of the step's start; each entry that would be negative is left out, so that M̂ is positive definite.
// With them on the left, forces are those of the step's end to first order, and stiffness costs no stability.
//
//   joints     diagonal: d(force)/dv, d(force)/dq; ball and free joints k·1
//   tendons    (h b + h² k) J Jᵀ          k = 0 within the band of the spring
//   actuators  (h gv + h² gp) m mᵀ        m the moment; nothing where the force is at a bound
//   fluid      drag alone, symmetric, in the pattern of M
//
// Terms J Jᵀ whose dofs lie on one path of the tree fit into the pattern of M, and so does their factorisation. The
// others are kept as they are, behind the constraint rows: ½ s (w·a)² is what an equality with D = s costs that asks
// for no acceleration (solver/problem.h), so that solvers need to know nothing about them.
//
// reads M qpos qvel ten_* actuator_* qfrc_actuator ctrl act cdof rows · writes efm_* metric_M qH qHDiagInv,
// Data::metric, terms behind the rows · cost: a factorisation as that of M
// Joints and actuators are shared out; terms are added one after the other, entries of a term shared out.

#include <algorithm>
#include <type_traits>

#include "constraint/metric_terms_hd.h"
#include "force/polynomial_hd.h"
#include "force/spring_rest_hd.h"
#include "integrate/smooth_derivative_hd.h"
#include "joint/followers_hd.h"
#include "math/tree_matrix_team.h"

namespace pliant {

/// Memory of the stage; each may be nullptr where it is not needed.
template <class R>
struct MetricWork {
  R* backbone = nullptr;  // nC + nv: with diagexact or noslip, where terms can couple dofs
  R* term = nullptr;      // nv: where joints follow others
  int* term_dof = nullptr;
};

/// What went wrong, or was left to the start of the step.
struct MetricReport {
  bool overflow = false, miscounted = false;  // no room for a term
  int singular = -1, singular_backbone = -1;  // dof whose pivot is not positive
  int terms_explicit = 0;                     // tendons and actuators
};

template <class R>
struct ActuatorSlopes {
  R velocity, length;
};

// (apart, so that servos pay neither for this code nor for its registers)
template <class M, class S, class D>
PLIANT_HD_APART ActuatorSlopes<typename D::Real> slopes_of_any_law(const M& m, const S& s, const D& d, int i) {
  return {actuator_velocity_slope(m, s, d, i), actuator_length_slope(m, s, d, i)};
}

/// Derivatives of an actuator's force; those of a servo (affine bias, fixed gain) are its parameters.
template <class M, class S, class D>
PLIANT_HD ActuatorSlopes<typename D::Real> actuator_slopes(const M& m, const S& s, const D& d, int i) {
  const bool servo = static_cast<BiasType>(m.actuator_biastype[i]) == BiasType::kAffine &&
                     static_cast<GainType>(m.actuator_gaintype[i]) == GainType::kFixed;
  if (!servo) return slopes_of_any_law(m, s, d, i);
  return {m.actuator_biasprm[kNumBias * i + 2], m.actuator_biasprm[kNumBias * i + 1]};
}

/// TakeRows: bool(Rows&), called where a term needs a row and rows have no memory at all.
template <class Team, class M, class S, class D, class TakeRows>
class MetricBuilder {
 public:
  using R = typename D::Real;
  PLIANT_HD MetricBuilder(const Team& team, const M& m, const S& s, D& d, const MetricWork<R>& work,
                          const TakeRows& take_rows)
      : team_(team),
        m_(m),
        s_(s),
        d_(d),
        w_(work),
        take_rows_(take_rows),
        h_(m.opt.timestep),
        reduced_(has_followers(m)) {}

  PLIANT_HD MetricReport run() {
    clear(d_.efm_ck, m_.nv);
    clear(d_.efm_c, m_.nv);
    if (!(m_.opt.disableflags & kDisableSpring)) add_joint_springs();
    add_fluid();
    add_joints();
    // The diagonals of all terms are enough for the exact diagonal of rows and for the sweeps of noslip, as in the
    // reference: a matrix of their own where terms couple dofs.
    if (w_.backbone) copy(d_.metric_M, w_.backbone, m_.nC);
    d_.metric.nefmT = d_.metric.nefmA = 0;
    if (!has_metric_terms(m_)) {
      count_explicit();
    } else {
      for (int t = 0; t < m_.ntendon; ++t) {
        if (tendon_can_stiffen(m_, t)) add_tendon(t);
      }
      list_actuators();
      for (int k = 0; k < d_.metric.nefmA; ++k) add_actuator(k);
      team_.sync();
    }
    if (reduced_) {
      once(team_, [&]() PLIANT_INLINED {
        reduce_force(m_, s_, d_.efm_c);
        reduce_force(m_, s_, d_.efm_ca);
      });
    }
    finish();
    return report_;
  }

 private:
  template <class From, class To>
  PLIANT_HD void copy(const From& from, const To& to, int n) const {
    if constexpr (Team::kSerial && std::is_pointer_v<From> && std::is_pointer_v<To>) {
      std::copy_n(from, n, to);
    } else {
      each(team_, n, [&](int i) PLIANT_INLINED { to[i] = from[i]; });
    }
  }

  template <class To>
  PLIANT_HD void clear(const To& to, int n) const {
    if constexpr (Team::kSerial && std::is_pointer_v<To>) {
      std::fill_n(to, n, R(0));
    } else {
      each(team_, n, [&](int i) PLIANT_INLINED { to[i] = 0; });
    }
  }

  PLIANT_HD int diagonal_place(int dof) const { return m_.M_rowadr[dof] + m_.M_rownnz[dof] - 1; }

  // Whether row `high` of M has an entry for `low`, both having their ancestors as columns.
  PLIANT_HD bool is_on_path(int low, int high) const {
    const int above = m_.M_rownnz[low];
    return above < m_.M_rownnz[high] && m_.M_colind[m_.M_rowadr[high] + above - 1] == low;
  }

  // h k of joints, from the displacement of their springs.
  PLIANT_HD void add_joint_springs() {
    auto x = d_.dof_scratch;
    each(team_, m_.njnt, [&](int j) PLIANT_INLINED {
      const auto law = joint_spring_law(m_, j);
      if (law.none()) return;
      with_joint_type(m_.jnt_type[j], [&](auto type) PLIANT_INLINED {
        constexpr int kDofs = decltype(type)::kNumVel, kBlock = kDofs < 3 ? 1 : 3;
        const int first = m_.jnt_dofadr[j];
        spring_displacement(type, m_, s_, j, x, first);
        for (int dof = first; dof < first + kDofs; dof += kBlock) {
          R at = x[dof];
          if constexpr (kBlock > 1) at = norm(Vec3T<R>{x[dof], x[dof + 1], x[dof + 2]});
          const R k = at_least(R(0), R(law.slope(at)));
          if (k > 0) any_ = true;
          for (int c = 0; c < kBlock; ++c) {
            d_.efm_ck[dof + c] = h_ * k;
            d_.efm_c[dof + c] = -h_ * k * s_.qvel[dof + c];
          }
        }
      });
    });
  }

  PLIANT_HD void add_fluid() {
    // (without springs and dampers there are no passive forces at all)
    constexpr int kNoPassive = kDisableSpring | kDisableDamper;
    if ((m_.opt.disableflags & kNoPassive) == kNoPassive) return;
    if (m_.opt.viscosity > 0 || m_.opt.density > 0) any_ = fluid_ = true;
  }

  // metric_M becomes M plus what joints and fluid add, of followers passed to their leaders.
  PLIANT_HD void add_joints() {
    const bool damped = !(m_.opt.disableflags & kDisableDamper);
    if (reduced_) {
      clear(d_.metric_M, m_.nC);
    } else {
      copy(d_.M, d_.metric_M, m_.nC);
    }
    each(team_, m_.nv, [&](int i) PLIANT_INLINED {
      const R b = damped ? at_least(R(0), R(joint_damping(m_, i).slope(R(s_.qvel[i])))) : R(0);
      if (b > 0) any_ = true;
      const R added = h_ * b + h_ * d_.efm_ck[i];
      d_.efm_diag[i] = added;
      d_.metric_M[diagonal_place(i)] += added;
      d_.efm_sdiag[i] = d_.efm_ca[i] = 0;
    });
    if (fluid_) add_drag();
    if (!reduced_) return;
    once(team_, [&]() PLIANT_INLINED { reduce_symmetric(m_, s_, d_.metric_M); });
    each(team_, m_.nC, [&](int i) PLIANT_INLINED { d_.metric_M[i] += d_.M[i]; });
  }
  PLIANT_HD_NOINLINE void add_drag() { add_drag_slope(team_, m_, d_, -h_, d_.metric_M); }

  PLIANT_HD void add_tendon(int t) {
    const int n = m_.ten_J_rownnz[t], adr = m_.ten_J_rowadr[t];
    R k = 0, b = 0;
    if (!(m_.opt.disableflags & kDisableSpring)) {
      const R x = rest_lengths(m_, s_, t).stretch(R(d_.ten_length[t]));
      if (x != 0) k = at_least(R(0), R(tendon_spring_law(m_, t).slope(x)));
    }
    if (!(m_.opt.disableflags & kDisableDamper)) {
      b = at_least(R(0), R(tendon_damping(m_, t).slope(R(d_.ten_velocity[t]))));
    }
    const int at = d_.metric.nefmT++;
    const R scale = h_ * h_ * k + h_ * b, shift = h_ * k * d_.ten_velocity[t];
    if (team_.lane() == 0) d_.efm_tid[at] = t, d_.efm_ts[at] = scale, d_.efm_tk[at] = h_ * k;
    for (int c = adr + team_.lane(); shift != 0 && c < adr + n; c += team_.size()) {
      d_.efm_c[m_.ten_J_colind[c]] -= shift * d_.ten_J[c];
    }
    add_term(m_.ten_J_colind + adr, d_.ten_J + adr, n, scale);
    team_.sync();
  }

  // Actuators whose force changes with length or velocity, in their order.
  PLIANT_HD void list_actuators() {
    for (int first = 0; first < m_.nactuator; first += team_.size()) {
      const int i = first + team_.lane();
      R gv = 0, gp = 0;
      if (i < m_.nactuator && actuator_can_stiffen(m_, i) && !actuator_disabled(m_, i) &&
          !is_force_saturated(m_, d_, i)) {
        const ActuatorSlopes<R> slopes = actuator_slopes(m_, s_, d_, i);
        gv = at_least(R(0), -slopes.velocity), gp = at_least(R(0), -slopes.length);
      }
      const bool has = !(gv == 0 && gp == 0);
      int total = 0;
      const int at = d_.metric.nefmA + team_.scan(has, total);
      d_.metric.nefmA += total;
      if (has) d_.efm_aid[at] = i, d_.efm_as[at] = h_ * h_ * gp + h_ * gv, d_.efm_ak[at] = h_ * gp;
    }
    team_.sync();
  }

  PLIANT_HD void add_actuator(int k) {
    const int i = d_.efm_aid[k];
    const R scale = d_.efm_as[k];
    const int first = m_.actuator_outadr[i], end = first + m_.actuator_outnum[i];
    for (int out = first; out < end; ++out) {
      const int adr = d_.moment_rowadr[out], n = d_.moment_rownnz[out];
      const R shift = d_.efm_ak[k] * d_.actuator_velocity[out];
      if (n == 1 && !reduced_) {  // a joint's own
        any_ = any_ || scale != 0;
        if (team_.lane() != 0) continue;
        const int dof = d_.moment_colind[adr];
        const R w = d_.actuator_moment[adr];
        if (shift != 0) d_.efm_ca[dof] -= shift * w;
        d_.metric_M[diagonal_place(dof)] += scale * w * w;
        continue;
      }
      team_.sync();
      for (int c = adr + team_.lane(); shift != 0 && c < adr + n; c += team_.size()) {
        d_.efm_ca[d_.moment_colind[c]] -= shift * d_.actuator_moment[c];
      }
      add_term(d_.moment_colind + adr, d_.actuator_moment + adr, n, scale);
      team_.sync();
    }
  }

  // PGS as in the reference: what stays at the start of the step.
  PLIANT_HD void count_explicit() {
    int mine = 0;
    for (int t = team_.lane(); t < m_.ntendon; t += team_.size()) mine += tendon_can_stiffen(m_, t);
    for (int i = team_.lane(); i < m_.nactuator; i += team_.size()) {
      if (!actuator_can_stiffen(m_, i) || actuator_disabled(m_, i) || is_force_saturated(m_, d_, i)) continue;
      const ActuatorSlopes<R> slopes = actuator_slopes(m_, s_, d_, i);
      mine += slopes.velocity < 0 || slopes.length < 0;
    }
    team_.scan(mine, report_.terms_explicit);
  }

  // metric_M += scale w wᵀ, or a term behind the rows.
  template <class I, class W>
  PLIANT_HD void add_term(const I& columns, const W& w, int n, R scale) {
    if (n == 0 || scale == 0) return;
    any_ = true;
    if (reduced_) return add_reduced_term(columns, w, n, scale);
    if (!fits(columns, n)) return add_row(columns, w, n, scale);
    add_to_matrix(columns, w, n, scale);
  }

  template <class I>
  PLIANT_HD bool fits(const I& columns, int n) const {
    for (int c = 1; c < n; ++c) {
      if (!is_on_path(columns[c - 1], columns[c])) return false;
    }
    return true;
  }

  template <class I, class W>
  PLIANT_HD void add_to_matrix(const I& columns, const W& w, int n, R scale) {
    coupled_ = coupled_ || n > 1;
    for (int a = team_.lane(); a < n; a += team_.size()) {
      const auto row = d_.metric_M + m_.M_rowadr[columns[a]];
      for (int b = 0; b <= a; ++b) row[m_.M_rownnz[columns[b]] - 1] += scale * w[a] * w[b];
    }
  }

  // The same where joints follow others: w becomes Gᵀ w.
  template <class I, class W>
  PLIANT_HD_NOINLINE void add_reduced_term(const I& columns, const W& w, int n, R scale) {
    if (!w_.term || !w_.term_dof) {
      report_.overflow = true;
      return;
    }
    int count = 0;
    each(team_, m_.nv, [&](int i) PLIANT_INLINED { w_.term[i] = 0; });
    once(team_, [&]() PLIANT_INLINED {
      for (int c = 0; c < n; ++c) w_.term[columns[c]] += w[c];
      reduce_force(m_, s_, w_.term);
      for (int i = 0; i < m_.nv; ++i) {
        if (w_.term[i] == 0) continue;
        w_.term_dof[count] = i;
        w_.term[count++] = w_.term[i];
      }
    });
    count = team_.first(count);
    if (count > 0 && fits(w_.term_dof, count)) {
      add_to_matrix(w_.term_dof, w_.term, count, scale);
    } else if (count > 0) {
      add_row(w_.term_dof, w_.term, count, scale);
    }
    team_.sync();
  }

  // Whether a row has these dofs.
  template <class I>
  PLIANT_HD bool has_columns(int row, const I& columns, int n) const {
    const auto& rows = d_.rows;
    int c = 0;
    for (int s = rows.row_segadr[row]; s < rows.row_segadr[row] + rows.row_segnum[row]; ++s) {
      for (int k = 0; k < rows.segment_len[s]; ++k, ++c) {
        if (c == n || columns[c] != rows.segment_dof[s] + k) return false;
      }
    }
    return c == n;
  }

  // A row that asks for no acceleration, behind all others. One member writes it; all know where.
  template <class I, class W>
  PLIANT_HD_NOINLINE void add_row(const I& columns, const W& w, int n, R scale) {
    auto& rows = d_.rows;
    if (rows.row_room == 0 && !take_rows_(rows)) {
      report_.overflow = true;
      return;
    }
    const bool writes = team_.lane() == 0;
    const int i = rows.n + d_.metric.nterm, first_entry = rows.nentry + entry_;
    // a row on the dofs of the one before has its segments, so that solvers multiply with both at once
    const bool shares = i > 0 && has_columns(i - 1, columns, n) && rows.row_Jadr[i - 1] + n == first_entry;
    const int first = shares ? rows.row_segadr[i - 1] : rows.nsegment + segment_;
    int segments = 0;
    for (int c = 0; c < n && !shares; ++c) segments += c == 0 || columns[c] != columns[c - 1] + 1;
    if (i >= rows.row_room || n > rows.entry_room - first_entry ||
        segments > rows.segment_room - rows.nsegment - segment_) {
      report_.miscounted = true;
      return;
    }
    segment_ += segments;
    entry_ += n;
    ++d_.metric.nterm;
    if (!writes) return;
    rows.row_Jadr[i] = first_entry;
    rows.row_segadr[i] = first;
    rows.row_segnum[i] = shares ? rows.row_segnum[i - 1] : segments;
    int segment = first - 1;
    for (int c = 0; c < n; ++c) {
      if (!shares && (c == 0 || columns[c] != columns[c - 1] + 1)) {
        rows.segment_dof[++segment] = columns[c];
        rows.segment_len[segment] = 0;
      }
      if (!shares) ++rows.segment_len[segment];
      rows.row_J[first_entry + c] = w[c];
      d_.efm_sdiag[columns[c]] += scale * w[c] * w[c];
    }
    rows.row_type[i] = static_cast<int>(RowType::kEquality);
    rows.row_id[i] = -1;
    rows.row_D[i] = scale;
    rows.row_R[i] = 1 / scale;
    rows.row_pos[i] = rows.row_margin[i] = rows.row_vel[i] = rows.row_aref[i] = rows.row_force[i] = 0;
    rows.row_frictionloss[i] = rows.row_weight[i] = rows.row_diagA[i] = 0;
    for (int c = 0; c < 4; ++c) rows.row_KBIP[4 * i + c] = 0;
    rows.row_clamps[i] = rows.row_state[i] = 0;
    rows.row_island[i] = -1;
    if constexpr (requires { d_.islands; }) {
      if (d_.islands.n > 0) rows.row_island[i] = d_.islands.dof_island[columns[0]];
    }
  }

  PLIANT_HD void finish() {
    auto& metric = d_.metric;
    metric.discrete = true;
    if (!team_.any(any_)) {
      metric.plain = true;
      metric.matrix = d_.M;
      metric.LD = metric.backbone_LD = d_.qLD;
      metric.inverse_D = metric.backbone_inverse_D = d_.qLDiagInv;
      return;
    }
    each(team_, m_.nv, [&](int i) PLIANT_INLINED {
      const int at = diagonal_place(i);
      d_.efm_sdiag[i] += d_.metric_M[at] - d_.M[at];
    });
    metric.matrix = d_.metric_M;
    copy(d_.metric_M, d_.qH, m_.nC);
    report_.singular = factor_tree(team_, mass_pattern(m_), d_.qH, d_.qHDiagInv);
    metric.LD = metric.backbone_LD = d_.qH;
    metric.inverse_D = metric.backbone_inverse_D = d_.qHDiagInv;
    metric.coupled = coupled_ || metric.nterm > 0;
    if (w_.backbone && metric.coupled) factor_backbone();
  }
  PLIANT_HD_NOINLINE void factor_backbone() {
    auto& metric = d_.metric;
    each(team_, m_.nv,
         [&](int i) PLIANT_INLINED { w_.backbone[diagonal_place(i)] = d_.M[diagonal_place(i)] + d_.efm_sdiag[i]; });
    report_.singular_backbone = factor_tree(team_, mass_pattern(m_), w_.backbone, w_.backbone + m_.nC);
    point_to(metric.backbone_LD, w_.backbone);
    point_to(metric.backbone_inverse_D, w_.backbone + m_.nC);
  }
  PLIANT_HD static void point_to(const R*& array, R* numbers) { array = numbers; }
  template <class F>
  PLIANT_HD static void point_to(F& array, R* numbers) {
    array = {numbers, 1};
  }

  const Team& team_;
  const M& m_;
  const S& s_;
  D& d_;
  const MetricWork<R>& w_;
  const TakeRows& take_rows_;
  R h_;
  bool reduced_;                 // joints follow others
  bool any_ = false;             // M̂ is not M
  bool fluid_ = false;           // there is drag
  bool coupled_ = false;         // a term within the pattern couples dofs
  int segment_ = 0, entry_ = 0;  // behind the rows' own
  MetricReport report_;
};

/// Whether the stage needs MetricWork::backbone, where terms can couple dofs at all.
template <class M>
PLIANT_HD bool needs_backbone(const M& m) {
  return (m.opt.enableflags & kEnableDiagExact) || m.opt.noslip_iterations > 0;
}

/// The metric of a world, not yet that of its rows.
template <class Team, class M, class S, class D, class TakeRows>
PLIANT_HD MetricReport build_metric(const Team& team, const M& m, const S& s, D& d,
                                    const MetricWork<typename D::Real>& work, const TakeRows& take_rows) {
  return MetricBuilder<Team, M, S, D, TakeRows>(team, m, s, d, work, take_rows).run();
}

}  // namespace pliant

// The stage metric: under the integrator discrete the matrix that forces accelerate,
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
// Data::metric, terms behind the rows, row_R row_D row_diagA row_aref · cost: a factorisation as that of M

#include "integrate/metric.h"

#include <algorithm>
#include <cstring>

#include "constraint/metric_terms.h"
#include "force/polynomial_hd.h"
#include "force/spring_rest_hd.h"
#include "integrate/actuator_derivative_hd.h"
#include "integrate/smooth_derivative.h"
#include "joint/followers_hd.h"
#include "math/tree_matrix.h"
#include "state/fault.h"

namespace pliant {
namespace {

int diagonal_place(const Model& m, int dof) { return m.M_rowadr[dof] + m.M_rownnz[dof] - 1; }

// Whether row `high` of M has an entry for `low`, both having their ancestors as columns.
bool is_on_path(const Model& m, int low, int high) {
  const int above = m.M_rownnz[low];
  return above < m.M_rownnz[high] && m.M_colind[m.M_rowadr[high] + above - 1] == low;
}

struct Slopes {
  double velocity, length;
};

// (apart, so that servos pay neither for this code nor for its registers)
[[gnu::noinline]] Slopes slopes_of_any_law(const Model& m, const State& s, const Data& d, int i) {
  return {actuator_velocity_slope(m, s, d, i), actuator_length_slope(m, s, d, i)};
}

// Derivatives of an actuator's force; those of a servo (affine bias, fixed gain) are its parameters.
Slopes actuator_slopes(const Model& m, const State& s, const Data& d, int i) {
  const bool servo = static_cast<BiasType>(m.actuator_biastype[i]) == BiasType::kAffine &&
                     static_cast<GainType>(m.actuator_gaintype[i]) == GainType::kFixed;
  if (!servo) return slopes_of_any_law(m, s, d, i);
  const double* bias = m.actuator_biasprm + kNumBias * i;
  return {bias[2], bias[1]};
}

class MetricBuilder {
 public:
  MetricBuilder(const Model& m, const State& s, Data& d)
      : m_(m), s_(s), d_(d), h_(m.opt.timestep), reduced_(has_followers(m)) {}

  void run() {
    for (double* x : {d_.efm_ck, d_.efm_diag, d_.efm_sdiag, d_.efm_c, d_.efm_ca}) std::fill_n(x, m_.nv, 0.0);
    if (!(m_.opt.disableflags & kDisableSpring)) add_joint_springs();
    if (!(m_.opt.disableflags & kDisableDamper)) add_joint_dampers();
    add_fluid();
    add_diagonal();
    keep_backbone();
    d_.metric.nefmT = d_.metric.nefmA = 0;
    if (!has_metric_terms(m_)) {
      count_explicit();
    } else {
      for (int t = 0; t < m_.ntendon; ++t) {
        if (tendon_can_stiffen(m_, t)) add_tendon(t);
      }
      for (int i = 0; i < m_.nactuator; ++i) {
        if (actuator_can_stiffen(m_, i)) add_actuator(i);
      }
    }
    reduce_force(m_, s_, d_.efm_c);
    reduce_force(m_, s_, d_.efm_ca);
    finish();
  }

 private:
  // h k of joints, from the displacement of their springs.
  void add_joint_springs() {
    double* x = d_.dof_scratch;
    for (int j = 0; j < m_.njnt; ++j) {
      const auto law = joint_spring_law(m_, j);
      if (law.none()) continue;
      with_joint_type(m_.jnt_type[j], [&](auto type) {
        constexpr int kDofs = decltype(type)::kNumVel, kBlock = kDofs < 3 ? 1 : 3;
        const int first = m_.jnt_dofadr[j];
        spring_displacement(type, m_, s_, j, x, first);
        for (int dof = first; dof < first + kDofs; dof += kBlock) {
          const double at = kBlock == 1 ? x[dof] : norm(Vec3{x[dof], x[dof + 1], x[dof + 2]});
          const double k = at_least(0.0, law.slope(at));
          if (k > 0) any_ = true;
          for (int c = 0; c < kBlock; ++c) {
            d_.efm_ck[dof + c] = h_ * k;
            d_.efm_c[dof + c] = -h_ * k * s_.qvel[dof + c];
          }
        }
      });
    }
  }

  void add_joint_dampers() {
    for (int i = 0; i < m_.nv; ++i) {
      const double b = at_least(0.0, joint_damping(m_, i).slope(s_.qvel[i]));
      if (b > 0) any_ = true;
      d_.efm_diag[i] = h_ * b;
    }
  }

  void add_fluid() {
    // (without springs and dampers there are no passive forces at all)
    constexpr int kNoPassive = kDisableSpring | kDisableDamper;
    if ((m_.opt.disableflags & kNoPassive) == kNoPassive) return;
    if (m_.opt.viscosity > 0 || m_.opt.density > 0) any_ = fluid_ = true;
  }

  // metric_M becomes M plus what joints and fluid add, of followers passed to their leaders.
  void add_diagonal() {
    for (int i = 0; i < m_.nv; ++i) d_.efm_diag[i] += h_ * d_.efm_ck[i];
    const auto add = [&] {
      for (int i = 0; i < m_.nv; ++i) d_.metric_M[diagonal_place(m_, i)] += d_.efm_diag[i];
      if (fluid_) add_drag_slope(m_, d_, -h_, d_.metric_M);
    };
    if (!reduced_) {
      std::memcpy(d_.metric_M, d_.M, sizeof(double) * m_.nC);
      return add();
    }
    std::fill_n(d_.metric_M, m_.nC, 0.0);
    add();
    reduce_symmetric(m_, s_, d_.metric_M);
    for (int i = 0; i < m_.nC; ++i) d_.metric_M[i] += d_.M[i];
  }

  // The diagonals of all terms are enough for the exact diagonal of rows and for the sweeps of noslip, as in the
  // reference: a matrix of their own where terms couple dofs.
  void keep_backbone() {
    if (!(m_.opt.enableflags & kEnableDiagExact) && m_.opt.noslip_iterations <= 0) return;
    if (metric_term_room(m_).rows == 0) return;
    backbone_ = d_.arena.take<double>(static_cast<size_t>(m_.nC) + static_cast<size_t>(m_.nv));
    if (!backbone_) return full();
    std::copy_n(d_.metric_M, m_.nC, backbone_);
  }

  void add_tendon(int t) {
    const int n = m_.ten_J_rownnz[t], adr = m_.ten_J_rowadr[t];
    double k = 0, b = 0;
    if (!(m_.opt.disableflags & kDisableSpring)) {
      const double x = rest_lengths(m_, s_, t).stretch(d_.ten_length[t]);
      if (x != 0) k = at_least(0.0, tendon_spring_law(m_, t).slope(x));
    }
    if (!(m_.opt.disableflags & kDisableDamper)) b = at_least(0.0, tendon_damping(m_, t).slope(d_.ten_velocity[t]));
    const int at = d_.metric.nefmT++;
    d_.efm_tid[at] = t;
    d_.efm_ts[at] = h_ * h_ * k + h_ * b;
    d_.efm_tk[at] = h_ * k;
    const double shift = h_ * k * d_.ten_velocity[t];
    for (int c = adr; shift != 0 && c < adr + n; ++c) d_.efm_c[m_.ten_J_colind[c]] -= shift * d_.ten_J[c];
    add_term(m_.ten_J_colind + adr, d_.ten_J + adr, n, d_.efm_ts[at]);
  }

  void add_actuator(int i) {
    if (actuator_disabled(m_, i) || is_force_saturated(m_, d_, i)) return;
    const Slopes slopes = actuator_slopes(m_, s_, d_, i);
    const double gv = at_least(0.0, -slopes.velocity), gp = at_least(0.0, -slopes.length);
    if (gv == 0 && gp == 0) return;
    const int at = d_.metric.nefmA++;
    const double scale = h_ * h_ * gp + h_ * gv;
    d_.efm_aid[at] = i;
    d_.efm_as[at] = scale;
    d_.efm_ak[at] = h_ * gp;
    const int first = m_.actuator_outadr[i], end = first + m_.actuator_outnum[i];
    for (int out = first; out < end; ++out) {
      const int adr = d_.moment_rowadr[out], n = d_.moment_rownnz[out];
      const double shift = h_ * gp * d_.actuator_velocity[out];
      if (n == 1 && !reduced_) {  // a joint's own
        const int dof = d_.moment_colind[adr];
        const double w = d_.actuator_moment[adr];
        if (shift != 0) d_.efm_ca[dof] -= shift * w;
        d_.metric_M[diagonal_place(m_, dof)] += scale * w * w;
        any_ = any_ || scale != 0;
        continue;
      }
      for (int c = adr; shift != 0 && c < adr + n; ++c) d_.efm_ca[d_.moment_colind[c]] -= shift * d_.actuator_moment[c];
      add_term(d_.moment_colind + adr, d_.actuator_moment + adr, n, scale);
    }
  }

  // PGS as in the reference: what stays at the start of the step.
  void count_explicit() {
    for (int t = 0; t < m_.ntendon; ++t) d_.terms_explicit += tendon_can_stiffen(m_, t);
    for (int i = 0; i < m_.nactuator; ++i) {
      if (!actuator_can_stiffen(m_, i) || actuator_disabled(m_, i) || is_force_saturated(m_, d_, i)) continue;
      const Slopes slopes = actuator_slopes(m_, s_, d_, i);
      d_.terms_explicit += slopes.velocity < 0 || slopes.length < 0;
    }
  }

  // metric_M += scale w wᵀ, or a term behind the rows.
  void add_term(const int* columns, const double* w, int n, double scale) {
    if (n == 0 || scale == 0) return;
    any_ = true;
    if (reduced_) return add_reduced_term(columns, w, n, scale);
    if (!fits(columns, n)) return add_row(columns, w, n, scale);
    add_to_matrix(columns, w, n, scale);
  }

  bool fits(const int* columns, int n) const {
    for (int c = 1; c < n; ++c) {
      if (!is_on_path(m_, columns[c - 1], columns[c])) return false;
    }
    return true;
  }

  void add_to_matrix(const int* columns, const double* w, int n, double scale) {
    coupled_ = coupled_ || n > 1;
    for (int a = 0; a < n; ++a) {
      double* row = d_.metric_M + m_.M_rowadr[columns[a]];
      for (int b = 0; b <= a; ++b) row[m_.M_rownnz[columns[b]] - 1] += scale * w[a] * w[b];
    }
  }

  // The same where joints follow others: w becomes Gᵀ w.
  void add_reduced_term(const int* columns, const double* w, int n, double scale) {
    const Arena::Mark mark = d_.arena.mark();
    double* x = d_.arena.take<double>(static_cast<size_t>(m_.nv));
    int* dof = d_.arena.take<int>(static_cast<size_t>(m_.nv));
    if (!x || !dof) return full();
    std::fill_n(x, m_.nv, 0.0);
    for (int c = 0; c < n; ++c) x[columns[c]] += w[c];
    reduce_force(m_, s_, x);
    int count = 0;
    for (int i = 0; i < m_.nv; ++i) {
      if (x[i] == 0) continue;
      dof[count] = i;
      x[count++] = x[i];
    }
    if (count > 0 && fits(dof, count)) {
      add_to_matrix(dof, x, count, scale);
    } else if (count > 0) {
      add_row(dof, x, count, scale);
    }
    d_.arena.release(mark);
  }

  // A row that asks for no acceleration, behind all others.
  void add_row(const int* columns, const double* w, int n, double scale) {
    Rows& rows = d_.rows;
    if (rows.row_room == 0) {
      const CountedRows room = metric_term_room(m_);
      if (!take_rows(d_.arena, room.rows, room.segments, static_cast<int>(room.entries), rows)) return full();
    }
    const int i = rows.n + d_.metric.nterm;
    if (i >= rows.row_room || entry_ + n > rows.entry_room - rows.nentry) return miscounted();
    rows.row_Jadr[i] = rows.nentry + entry_;
    rows.row_segadr[i] = rows.nsegment + segment_;
    rows.row_segnum[i] = 0;
    for (int c = 0; c < n; ++c) {
      if (c == 0 || columns[c] != columns[c - 1] + 1) {
        if (rows.nsegment + segment_ >= rows.segment_room) return miscounted();
        rows.segment_dof[rows.nsegment + segment_] = columns[c];
        rows.segment_len[rows.nsegment + segment_++] = 0;
        ++rows.row_segnum[i];
      }
      ++rows.segment_len[rows.nsegment + segment_ - 1];
      rows.row_J[rows.nentry + entry_++] = w[c];
      d_.efm_sdiag[columns[c]] += scale * w[c] * w[c];
    }
    rows.row_type[i] = static_cast<int>(RowType::kEquality);
    rows.row_id[i] = -1;
    rows.row_D[i] = scale;
    rows.row_R[i] = 1 / scale;
    rows.row_pos[i] = rows.row_margin[i] = rows.row_vel[i] = rows.row_aref[i] = rows.row_force[i] = 0;
    rows.row_frictionloss[i] = rows.row_weight[i] = rows.row_diagA[i] = 0;
    std::fill_n(rows.row_KBIP + 4 * i, 4, 0.0);
    rows.row_clamps[i] = rows.row_state[i] = 0;
    rows.row_island[i] = d_.islands.n > 0 ? d_.islands.dof_island[columns[0]] : -1;
    ++d_.metric.nterm;
  }

  void full() { record_fault(s_, d_, Fault::kRowOverflow, "arena", -1, static_cast<double>(d_.arena.high_water())); }
  void miscounted() { record_fault(s_, d_, Fault::kRowMiscount, "rows", -1, d_.rows.row_room); }

  void factor(double* matrix, double* inverse) {
    const int bad = factor_tree(mass_pattern(m_), matrix, inverse);
    if (bad >= 0) record_fault(s_, d_, Fault::kSingularInertia, "qHDiagInv", bad, inverse[bad]);
  }

  void finish() {
    Metric& metric = d_.metric;
    metric.discrete = true;
    if (!any_) {
      metric.plain = true;
      metric.matrix = d_.M;
      metric.LD = metric.backbone_LD = d_.qLD;
      metric.inverse_D = metric.backbone_inverse_D = d_.qLDiagInv;
      return;
    }
    for (int i = 0; i < m_.nv; ++i) {
      const int at = diagonal_place(m_, i);
      d_.efm_sdiag[i] += d_.metric_M[at] - d_.M[at];
    }
    metric.matrix = d_.metric_M;
    std::copy_n(d_.metric_M, m_.nC, d_.qH);
    factor(d_.qH, d_.qHDiagInv);
    metric.LD = metric.backbone_LD = d_.qH;
    metric.inverse_D = metric.backbone_inverse_D = d_.qHDiagInv;
    metric.coupled = coupled_ || metric.nterm > 0;
    if (!backbone_ || !metric.coupled) return;
    for (int i = 0; i < m_.nv; ++i) backbone_[diagonal_place(m_, i)] = d_.M[diagonal_place(m_, i)] + d_.efm_sdiag[i];
    factor(backbone_, backbone_ + m_.nC);
    metric.backbone_LD = backbone_;
    metric.backbone_inverse_D = backbone_ + m_.nC;
  }

  const Model& m_;
  const State& s_;
  Data& d_;
  double h_;
  bool reduced_;          // joints follow others
  bool any_ = false;      // M̂ is not M
  bool fluid_ = false;    // there is drag
  bool coupled_ = false;  // a term within the pattern couples dofs
  double* backbone_ = nullptr;
  int segment_ = 0, entry_ = 0;  // behind the rows' own
};

}  // namespace

void run_metric(const Model& m, const State& s, Data& d) {
  d.metric = {};
  if (!is_discrete(m.opt)) return;
  MetricBuilder(m, s, d).run();
  finish_rows_in_metric(m, d);
}

}  // namespace pliant

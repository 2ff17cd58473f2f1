#pragma once
// A joint that follows others by a row, hard or soft:  C = q_follower + Σ gear·q_leader + offset.
//
//   u⁺ + cfm λ + erp C / h = 0      u⁺ = J v after the step (or the part of it that the solver takes), λ = h f the
//   impulse
//
// which is a⁺ + R f = aref with R = cfm, aref = -u/h - erp C/h²: B = 1/h and K d = erp/h². With r = J M⁻¹ Jᵀ
//   soft (natural frequency μ, damping ratio ζ; implicit spring kp = μ²/r, kd = 2ζμ/r):
//         s = h²μ² + 2ζμh,   cfm = r/s,   erp = hμ/(hμ + 2ζ)
//   hard: cfm = 1e-6 r, erp as given
// In the row's terms d = r/(r + R), so that diagA = r as everywhere else.
// (Mirtich-style soft constraints; Catto, "Soft constraints", GDC 2011.)
//
// reads mimic_* qpos qLD · one row

#include "constraint/kinds/equality_joint_hd.h"
#include "math/tree_matrix.h"

namespace pliant {

/// cfm of a hard row over r: as small as a strictly convex problem allows.
inline constexpr double kHardCompliance = 1e-6;

/// The dofs of a mimic, highest first. `count` of them, number 0 is the follower.
template <class M>
struct MimicChain {
  const M& m;
  int mimic;
  PLIANT_HD int count() const { return 1 + m.mimic_leadnum[mimic]; }
  PLIANT_HD int joint(int i) const {
    return i == 0 ? m.eq_obj1id[m.mimic_eqid[mimic]] : m.mimic_leadid[m.mimic_leadadr[mimic] + i - 1];
  }
  PLIANT_HD int dof(int i) const { return m.jnt_dofadr[joint(i)]; }
  PLIANT_HD auto coefficient(int i) const {
    using R = ScalarOf<decltype(m.mimic_gear)>;
    return i == 0 ? R(1) : R(m.mimic_gear[m.mimic_leadadr[mimic] + i - 1]);
  }
  template <class F>
  PLIANT_HD void operator()(F&& f) const {
    // few dofs: the next lower one is looked for
    for (int above = m.nv, next; (next = highest_below(above)) >= 0; above = next) f(next, 1, Side::kFirst);
  }
  PLIANT_HD int highest_below(int bound) const {
    int best = -1;
    for (int i = 0; i < count(); ++i) best = dof(i) < bound && dof(i) > best ? dof(i) : best;
    return best;
  }
};

/// One leader: the chain of a joint equality.
template <class M, class S, class D, class Sink>
PLIANT_HD void mimic_pair_row(const M& m, const S& s, const D&, int equality, int mimic, Sink& sink) {
  using R = typename D::Real;
  const int lead = m.mimic_leadadr[mimic], a = m.eq_obj1id[equality], b = m.mimic_leadid[lead];
  const int dof_a = m.jnt_dofadr[a], dof_b = m.jnt_dofadr[b];
  if (!sink.begin(RowType::kEquality, equality, 1, TwoDofChain{dof_a, dof_b})) return;
  const R gear = m.mimic_gear[lead];
  R* const J = sink.J(0);
  J[dof_b < dof_a ? 1 : 0] = 1;
  J[dof_b < dof_a ? 0 : 1] = gear;
  sink.row(0, m.mimic_offset[mimic] + s.qpos[m.jnt_qposadr[a]] + gear * s.qpos[m.jnt_qposadr[b]], R(0), R(1));
  sink.finish_without_impedance();
}

struct MimicEquality : OneRow {
  template <class M, class S, class D, class Sink>
  PLIANT_HD static void rows(const M& m, const S& s, const D& d, int equality, Sink& sink) {
    using R = typename D::Real;
    const int mimic = m.eq_mimicid[equality];
    if (m.mimic_leadnum[mimic] == 1) return mimic_pair_row(m, s, d, equality, mimic, sink);
    const MimicChain<M> chain{m, mimic};
    if (!sink.begin(RowType::kEquality, equality, 1, chain)) return;
    R residual = m.mimic_offset[chain.mimic];
    R* const J = sink.J(0);
    for (int i = 0; i < chain.count(); ++i) {
      residual += chain.coefficient(i) * s.qpos[m.jnt_qposadr[chain.joint(i)]];
      int place = 0;
      for (int k = 0; k < chain.count(); ++k) place += chain.dof(k) < chain.dof(i);
      J[place] = chain.coefficient(i);
    }
    // what depends on M comes when all rows are there: set_mimic_compliance
    sink.row(0, residual, R(0), R(1));
    sink.finish_without_impedance();
  }

  template <class M, class Add>
  static void residuals(const M&, int, int row, Add&& add) {
    add("mimic", row, 1);
  }

  /// With one leader, which is the equality's second joint.
  template <class M>
  static double follower_at(const M& m, int equality, double q) {
    const int mimic = m.eq_mimicid[equality];
    if (m.eq_obj2id[equality] < 0 || m.mimic_leadnum[mimic] != 1) return NAN;
    return -m.mimic_gear[m.mimic_leadadr[mimic]] * q - m.mimic_offset[mimic];
  }
};

/// R, D, K, B and d of a mimic's row, from r = J M⁻¹ Jᵀ and the time h that the solver takes at once.
template <class M, class Rows, class R>
PLIANT_HD void set_mimic_compliance(const M& m, Rows& rows, int row, R r, R h) {
  const int mimic = m.eq_mimicid[rows.row_id[row]];
  R cfm = R(kHardCompliance) * r, erp = m.mimic_erp[mimic];
  if (m.mimic_mode[mimic] == static_cast<int>(MimicMode::kSoft)) {
    const R turn = h * m.mimic_naturalfreq[mimic], damping = 2 * m.mimic_dampratio[mimic];
    cfm = r / (turn * (turn + damping));
    erp = turn / (turn + damping);
  }
  if (!(cfm >= R(kTiny))) {
    cfm = kTiny;
    rows.row_clamps[row] |= static_cast<int>(RowClamp::kRegularizer);
  }
  R* const kbip = rows.row_KBIP + 4 * row;
  kbip[2] = r / (r + cfm);
  kbip[0] = erp / (h * h) * (1 + cfm / r);
  kbip[1] = 1 / h;
  kbip[3] = 0;
  rows.row_R[row] = cfm;
  rows.row_D[row] = 1 / cfm;
  rows.row_diagA[row] = r;
}

}  // namespace pliant

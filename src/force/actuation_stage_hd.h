#pragma once
// The stage actuation for one world: controls in effect, activation rates, forces of actuators and their limits.
//
// reads ctrl history act actuator_length actuator_velocity actuator_moment qfrc_gravcomp
// writes ctrl_used ctrl_clamped act_dot actuator_force qfrc_actuator
// Order as in the reference: delay, clamp to ctrlrange, law, limit of the tendon's total, forcerange, motor
// mechanics, moment arms, gravity compensation of joints with actgravcomp, actfrcrange of joints. The last two
// belong to this stage: without actuators, or with actuation disabled, they do not happen.

#include "base/team.h"
#include "force/actuator_table.h"
#include "force/passive_gravcomp_hd.h"
#include "state/history_hd.h"

namespace pliant {

template <class M>
PLIANT_HD bool is_delayed(const M& m, int i) {
  return m.actuator_delay[i] != 0 && m.actuator_history[2 * i] > 0;
}
template <class M, class S>
PLIANT_HD auto delayed_controls(const M& m, const S& s, int i) {
  const auto time = s.time[0] - m.actuator_delay[i];
  return history_at(s.history, control_history(m, i), time, m.actuator_history[2 * i + 1]);
}

template <class M, class S, class D>
PLIANT_HD void apply_delay(const M& m, const S& s, D& d, int i) {
  if (!is_delayed(m, i)) return;
  const auto delayed = delayed_controls(m, s, i);
  for (int k = 0; k < m.actuator_ctrlnum[i]; ++k) {
    d.ctrl_used[m.actuator_ctrladr[i] + k] = delayed.value(s.history, k);
  }
}

/// A control of an actuator after delay and clamping, from State alone.
template <class R, class M, class S>
PLIANT_HD R control_in_effect(const M& m, const S& s, int i, int control = 0) {
  const int at = m.actuator_ctrladr[i] + control;
  const R given = is_delayed(m, i) ? R(delayed_controls(m, s, i).value(s.history, control)) : R(s.ctrl[at]);
  if (m.opt.disableflags & kDisableClampCtrl || !m.actuator_ctrllimited[at]) return given;
  return clamped(given, R(m.actuator_ctrlrange[2 * at]), R(m.actuator_ctrlrange[2 * at + 1]));
}

template <class D>
PLIANT_HD void count_clamped(D& d, int i, bool changed) {
  d.ctrl_clamped[i] += changed;
}

template <class Team, class M, class S, class D>
PLIANT_HD void set_controls(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  each(team, m.nu, [&](int i) PLIANT_INLINED { d.ctrl_used[i] = s.ctrl[i]; });
  if (m.nhistory) each(team, m.nactuator, [&](int i) PLIANT_INLINED { apply_delay(m, s, d, i); });
  if (m.opt.disableflags & kDisableClampCtrl) return;
  each(team, m.nu, [&](int i) PLIANT_INLINED {
    if (!m.actuator_ctrllimited[i]) return;
    const R given = d.ctrl_used[i];
    d.ctrl_used[i] = clamped(given, R(m.actuator_ctrlrange[2 * i]), R(m.actuator_ctrlrange[2 * i + 1]));
    count_clamped(d, i, d.ctrl_used[i] != given);
  });
}

template <class M>
PLIANT_HD bool pulls_tendon(const M& m, int actuator, int tendon) {
  return m.actuator_trntype[actuator] == static_cast<int>(TransmissionType::kTendon) &&
         m.actuator_trnid[2 * actuator] == tendon;
}

// Forces on one tendon are scaled together until their sum is within its range.
template <class M, class D>
PLIANT_HD void limit_tendon(const M& m, D& d, int tendon) {
  using R = typename D::Real;
  R total = 0;
  for (int i = 0; i < m.nactuator; ++i) {
    if (pulls_tendon(m, i, tendon)) total += d.actuator_force[m.actuator_outadr[i]];
  }
  const R allowed = clamped(total, R(m.tendon_actfrcrange[2 * tendon]), R(m.tendon_actfrcrange[2 * tendon + 1]));
  if (total == 0 || allowed == total) return;
  for (int i = 0; i < m.nactuator; ++i) {
    if (pulls_tendon(m, i, tendon)) d.actuator_force[m.actuator_outadr[i]] *= allowed / total;
  }
}

// forcerange bounds every output; of an orientation servo, the length of the torque.
template <class M, class D>
PLIANT_HD void limit_force(const M& m, D& d, int i) {
  using R = typename D::Real;
  const int out = m.actuator_outadr[i];
  const R low = m.actuator_forcerange[2 * i], high = m.actuator_forcerange[2 * i + 1];
  if (m.actuator_gaintype[i] == static_cast<int>(GainType::kSo3)) {
    const R size = norm(Vec3T<R>{d.actuator_force[out], d.actuator_force[out + 1], d.actuator_force[out + 2]});
    if (size <= high) return;
    for (int k = 0; k < 3; ++k) d.actuator_force[out + k] *= high / size;
  } else {
    for (int k = 0; k < m.actuator_outnum[i]; ++k) {
      d.actuator_force[out + k] = clamped(R(d.actuator_force[out + k]), low, high);
    }
  }
}

// qfrc_actuator += momentᵀ force of one output.
template <class D>
PLIANT_HD void map_output(D& d, int out) {
  using R = typename D::Real;
  const R force = d.actuator_force[out];
  if (is_zero(force)) return;
  const int first = d.moment_rowadr[out];
  for (int k = first; k < first + d.moment_rownnz[out]; ++k) {
    d.qfrc_actuator[d.moment_colind[k]] += d.actuator_moment[k] * force;
  }
}

// All outputs, then what is done per joint.
template <class Team, class M, class D>
PLIANT_HD void map_to_joints(const Team& team, const M& m, D& d) {
  using R = typename D::Real;
  bool shared_out = false;
  if constexpr (!Team::kSerial) shared_out = m.order.moments_disjoint;
  if (shared_out) {
    each(team, m.nout, [&](int out) PLIANT_INLINED { map_output(d, out); });
  } else {
    once(team, [&]() PLIANT_INLINED {
      for (int out = 0; out < m.nout; ++out) map_output(d, out);
    });
  }
  if (has_gravity(m)) {
    each(team, m.nv, [&](int i) PLIANT_INLINED {
      if (m.jnt_actgravcomp[m.dof_jntid[i]]) d.qfrc_actuator[i] += d.qfrc_gravcomp[i];
    });
  }
  each(team, m.njnt, [&](int j) PLIANT_INLINED {
    if (!m.jnt_actfrclimited[j]) return;
    const int dof = m.jnt_dofadr[j];
    d.qfrc_actuator[dof] =
        clamped(R(d.qfrc_actuator[dof]), R(m.jnt_actfrcrange[2 * j]), R(m.jnt_actfrcrange[2 * j + 1]));
  });
}

template <class Team, class M, class S, class D>
PLIANT_HD void actuation_stage(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  each(team, m.nv, [&](int i) PLIANT_INLINED { d.qfrc_actuator[i] = 0; });
  if (m.nactuator == 0) return;
  each(team, m.nout, [&](int i) PLIANT_INLINED { d.actuator_force[i] = 0; });
  if (m.opt.disableflags & kDisableActuation) {
    each(team, m.nu, [&](int i) PLIANT_INLINED { d.ctrl_used[i] = 0; });
    each(team, m.na, [&](int i) PLIANT_INLINED { d.act_dot[i] = 0; });
    return;
  }
  set_controls(team, m, s, d);
  each(team, m.nactuator, [&](int i) PLIANT_INLINED {
    activation_rates(m, s, d, i);
    if (!actuator_disabled(m, i)) actuator_law(m, s, d, i);
  });
  each(team, m.ntendon, [&](int t) PLIANT_INLINED {
    if (m.tendon_actfrclimited[t]) limit_tendon(m, d, t);
  });
  each(team, m.nactuator, [&](int i) PLIANT_INLINED {
    if (m.actuator_forcelimited[i]) limit_force(m, d, i);
    if (m.actuator_biastype[i] == static_cast<int>(BiasType::kDcMotor) && !actuator_disabled(m, i)) {
      d.actuator_force[m.actuator_outadr[i]] += dcmotor_mechanical<R>(m, s, d, i);
    }
  });
  map_to_joints(team, m, d);
}

}  // namespace pliant

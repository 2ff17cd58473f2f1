// The stage actuation: controls in effect, activation rates, forces of actuators and their limits.
//
// reads ctrl history act actuator_length actuator_velocity actuator_moment qfrc_gravcomp
// writes ctrl_used ctrl_clamped act_dot actuator_force qfrc_actuator
// Order as in the reference: delay, clamp to ctrlrange, law, limit of the tendon's total, forcerange, motor
// mechanics, moment arms, gravity compensation of joints with actgravcomp, actfrcrange of joints. The last two
// belong to this stage: without actuators, or with actuation disabled, they do not happen.

#include "force/actuator_table.h"
#include "force/passive_gravcomp_hd.h"
#include "state/history_hd.h"
#include "step/stages.h"

namespace pliant {
namespace {

// A delay shifts the first control only, as in the reference; the loader warns where there are more.
void apply_delays(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_delay[i] == 0 || m.actuator_history[2 * i] <= 0) continue;
    const double time = *s.time - m.actuator_delay[i];
    d.ctrl_used[m.actuator_ctrladr[i]] =
        history_at(s.history, control_history(m, i), time, m.actuator_history[2 * i + 1]).value(s.history, 0);
  }
}

void set_controls(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < m.nu; ++i) d.ctrl_used[i] = s.ctrl[i];
  if (m.nhistory) apply_delays(m, s, d);
  if (m.opt.disableflags & kDisableClampCtrl) return;
  for (int i = 0; i < m.nu; ++i) {
    if (!m.actuator_ctrllimited[i]) continue;
    const double given = d.ctrl_used[i];
    d.ctrl_used[i] = clamped(given, m.actuator_ctrlrange[2 * i], m.actuator_ctrlrange[2 * i + 1]);
    d.ctrl_clamped[i] += d.ctrl_used[i] != given;
  }
}

bool pulls_tendon(const Model& m, int actuator, int tendon) {
  return m.actuator_trntype[actuator] == static_cast<int>(TransmissionType::kTendon) &&
         m.actuator_trnid[2 * actuator] == tendon;
}

// Forces on one tendon are scaled together until their sum is within its range.
void limit_tendon(const Model& m, Data& d, int tendon) {
  double total = 0;
  for (int i = 0; i < m.nactuator; ++i) {
    if (pulls_tendon(m, i, tendon)) total += d.actuator_force[m.actuator_outadr[i]];
  }
  const double allowed = clamped(total, m.tendon_actfrcrange[2 * tendon], m.tendon_actfrcrange[2 * tendon + 1]);
  if (total == 0 || allowed == total) return;
  for (int i = 0; i < m.nactuator; ++i) {
    if (pulls_tendon(m, i, tendon)) d.actuator_force[m.actuator_outadr[i]] *= allowed / total;
  }
}

// forcerange bounds every output; of an orientation servo, the length of the torque.
void limit_force(const Model& m, Data& d, int i) {
  const int out = m.actuator_outadr[i];
  const double low = m.actuator_forcerange[2 * i], high = m.actuator_forcerange[2 * i + 1];
  if (m.actuator_gaintype[i] == static_cast<int>(GainType::kSo3)) {
    const double size = norm(Vec3{d.actuator_force[out], d.actuator_force[out + 1], d.actuator_force[out + 2]});
    if (size <= high) return;
    for (int k = 0; k < 3; ++k) d.actuator_force[out + k] *= high / size;
  } else {
    for (int k = 0; k < m.actuator_outnum[i]; ++k) {
      d.actuator_force[out + k] = clamped(d.actuator_force[out + k], low, high);
    }
  }
}

// qfrc_actuator = momentᵀ force, then what is done per joint.
void map_to_joints(const Model& m, Data& d) {
  for (int out = 0; out < m.nout; ++out) {
    const double force = d.actuator_force[out];
    if (force == 0) continue;
    const int first = d.moment_rowadr[out];
    for (int k = first; k < first + d.moment_rownnz[out]; ++k) {
      d.qfrc_actuator[d.moment_colind[k]] += d.actuator_moment[k] * force;
    }
  }
  if (has_gravity(m)) {
    for (int i = 0; i < m.nv; ++i) {
      if (m.jnt_actgravcomp[m.dof_jntid[i]]) d.qfrc_actuator[i] += d.qfrc_gravcomp[i];
    }
  }
  for (int j = 0; j < m.njnt; ++j) {
    if (!m.jnt_actfrclimited[j]) continue;
    double& force = d.qfrc_actuator[m.jnt_dofadr[j]];
    force = clamped(force, m.jnt_actfrcrange[2 * j], m.jnt_actfrcrange[2 * j + 1]);
  }
}

}  // namespace

void run_actuation(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < m.nv; ++i) d.qfrc_actuator[i] = 0;
  if (m.nactuator == 0) return;
  for (int i = 0; i < m.nout; ++i) d.actuator_force[i] = 0;
  if (m.opt.disableflags & kDisableActuation) {
    for (int i = 0; i < m.nu; ++i) d.ctrl_used[i] = 0;
    for (int i = 0; i < m.na; ++i) d.act_dot[i] = 0;
    return;
  }
  set_controls(m, s, d);
  for (int i = 0; i < m.nactuator; ++i) {
    activation_rates(m, s, d, i);
    if (!actuator_disabled(m, i)) actuator_law(m, s, d, i);
  }
  for (int t = 0; t < m.ntendon; ++t) {
    if (m.tendon_actfrclimited[t]) limit_tendon(m, d, t);
  }
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_forcelimited[i]) limit_force(m, d, i);
    if (m.actuator_biastype[i] == static_cast<int>(BiasType::kDcMotor) && !actuator_disabled(m, i)) {
      d.actuator_force[m.actuator_outadr[i]] += dcmotor_mechanical<double>(m, s, d, i);
    }
  }
  map_to_joints(m, d);
}

}  // namespace pliant

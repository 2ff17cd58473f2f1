// The table of integrators, and what they share.

#include "integrate/integrate.h"

#include <cstring>

#include "force/activation.h"
#include "joint/followers_hd.h"
#include "integrate/euler_hd.h"
#include "pliant/step.h"
#include "sensor/sensor.h"
#include "state/row_memory.h"
#include "step/fault.h"

namespace pliant {
namespace {

using AdvanceFn = void (*)(const Model&, State&, Data&);
constexpr AdvanceFn kIntegrators[] = {advance_euler, advance_rk4, advance_implicit, advance_implicitfast};

// What TGS starts the next step with.
void remember_rows(const Model& m, State& s, Data& d) {
  if (m.opt.solver == SolverType::kTgs) {
    remember_row_forces(d, d.solver.last_force ? d.solver.last_force : d.rows.row_force, s.row_memory);
  } else {
    s.row_memory.clear();
  }
}

}  // namespace

StepStatus advance(const Model& m, State& s, Data& d, Integrator integrator) {
  // The state before the step is kept until the new one is known to be good.
  std::memcpy(d.last_qpos, s.qpos, sizeof(double) * m.nq);
  std::memcpy(d.last_qvel, s.qvel, sizeof(double) * m.nv);
  std::memcpy(d.last_act, s.act, sizeof(double) * m.na);
  const double time = *s.time;
  const StageFaults stages(d);
  kIntegrators[static_cast<int>(integrator)](m, s, d);
  // (stages of Runge-Kutta may meet rows that are not finite)
  int faults = StageFaults::refusing(stages.met(d));
  if (!faults && first_bad(s.qpos, m.nq) < 0 && first_bad(s.qvel, m.nv) < 0 && first_bad(s.act, m.na) < 0) {
    remember_rows(m, s, d);
    return {};
  }
  faults |= check_state(m, s, d);
  std::memcpy(s.qpos, d.last_qpos, sizeof(double) * m.nq);
  std::memcpy(s.qvel, d.last_qvel, sizeof(double) * m.nv);
  std::memcpy(s.act, d.last_act, sizeof(double) * m.na);
  *s.time = time;
  return {faults};
}

void integrate_pos(const Model& m, double* qpos, const double* qvel, double h) {
  integrate_positions(SerialTeam{}, m, qpos, qvel, h);
}

void differentiate_pos(const Model& m, double* qvel, double h, const double* qpos_b, const double* qpos_a) {
  for (int j = 0; j < m.njnt; ++j) {
    with_joint_type(m.jnt_type[j], [&](auto type) {
      type.difference(qvel, m.jnt_dofadr[j], 1 / h, qpos_a, qpos_b, m.jnt_qposadr[j]);
    });
  }
}

void follow(const Model& m, State& s) {
  place_followers(m, s, s.qpos);
  fill_followers(m, s, s.qvel);
}

void advance_state(const Model& m, State& s, Data& d, const double* act_dot, const double* qacc, const double* qvel) {
  const double h = m.opt.timestep;
  push_controls(m, s);
  push_readings(m, s, d);
  advance_activations(m, s, d, act_dot);
  for (int i = 0; i < m.nv; ++i) s.qvel[i] += h * qacc[i];
  integrate_pos(m, s.qpos, qvel ? qvel : s.qvel, h);
  *s.time += h;
  std::memcpy(s.qacc_warmstart, d.qacc, sizeof(double) * m.nv);
  // exact followers go where their leaders went; solvers see them at rest
  follow(m, s);
  clear_followers(m, s, s.qacc_warmstart);
}

}  // namespace pliant

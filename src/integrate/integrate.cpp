// The table of integrators, and what they share.

#include "integrate/integrate.h"

#include <cstring>

#include "force/activation.h"
#include "joint/followers_hd.h"
#include "integrate/euler_hd.h"
#include "sensor/sensor.h"

namespace pliant {
namespace {

using AdvanceFn = void (*)(const Model&, State&, Data&, ForwardFn);
constexpr AdvanceFn kIntegrators[] = {advance_euler, advance_rk4, advance_implicit, advance_implicitfast};

}  // namespace

void integrate(const Model& m, State& s, Data& d, Integrator integrator, ForwardFn forward) {
  kIntegrators[static_cast<int>(integrator)](m, s, d, forward);
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

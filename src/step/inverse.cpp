// Inverse dynamics: the force that accelerations need.
//
//   qfrc_inverse = M qacc + qfrc_bias - qfrc_passive - qfrc_constraint
//
// and under the integrator discrete, whose qacc is (v⁺ - v)/h, the same with M̂ and the shift of the forces to the end
// of the step (integrate/metric.cpp).
//
// reads everything up to the velocity phase, and qacc · writes that, qfrc_inverse, qfrc_constraint, row_force,
// row_state, sensordata Constraint forces follow from qacc without a solve: f = -∇s(J qacc - aref).

#include <algorithm>
#include <cmath>
#include <cstring>

#include "integrate/integrate.h"
#include "integrate/metric.h"
#include "joint/followers_hd.h"
#include "pliant/inverse.h"
#include "kinematics/jacobian_hd.h"
#include "step/constraint_problem.h"
#include "step/free_bodies.h"
#include "step/metric_solve.h"
#include "state/fault.h"
#include "step/stages.h"

namespace pliant {
namespace {

// With accelerations `qacc` of the equations of motion. Forces of exact followers are those on their leaders.
void inverse_force(const Model& m, const State& s, Data& d, const double* qacc) {
  multiply_metric(m, d, qacc, d.qfrc_inverse);
  clear_followers(m, s, d.qfrc_inverse);
  if (metric_of(m, d).discrete) {
    multiply_free_bodies(m, s, d, qacc, d.qfrc_inverse);
    for (int i = 0; i < m.nv; ++i) d.qfrc_inverse[i] -= d.efm_c[i] + d.efm_ca[i];
  }
  for (int i = 0; i < m.nv; ++i) {
    d.qfrc_inverse[i] += d.qfrc_bias[i] - d.qfrc_passive[i] - d.qfrc_constraint[i];
  }
  reduce_force(m, s, d.qfrc_inverse);
}

const int kAccelerationSensors = place_of("acceleration sensors");

double distance(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

}  // namespace

StepStatus inverse(const Model& m, const State& s, Data& d) {
  if (const int faults = check_options(m, s, d) | check_histories(m, s, d)) return {faults};
  // forces follow from accelerations row by row in the convex problem only
  if (m.opt.resolution == Resolution::kSignorini) {
    return {refuse(s, d, Fault::kBadOption, "opt.resolution", -1, static_cast<int>(m.opt.resolution))};
  }
  run_phases(m, s, d, Phase::kPosition, Phase::kVelocity);
  // (forces of actuators, by which some are at a bound, are those of before, as in the reference)
  run_metric(m, s, d);
  // qacc is the caller's: it is given back as it came.
  const bool discrete = m.opt.enableflags & kEnableInvDiscrete;
  if (discrete) {
    std::memcpy(d.qacc_advance, d.qacc, sizeof(double) * m.nv);
    // Runge-Kutta has no such conversion; a model that asks for it was warned about when it was loaded.
    continuous_acceleration(m, s, d, d.qacc_advance, d.qacc);
  }
  constraint_forces_of(m, s, d, d.qacc);
  inverse_force(m, s, d, d.qacc);
  run_stage(m, s, d, kAccelerationSensors);
  if (discrete) std::memcpy(d.qacc, d.qacc_advance, sizeof(double) * m.nv);
  return {check_acceleration(m, s, d)};
}

ForwardInverse compare_forward_inverse(const Model& m, const State& s, Data& d) {
  // What inverse dynamics should find: every force that is neither passive nor a constraint's.
  double* applied = d.qacc_advance;
  for (int i = 0; i < m.nv; ++i) applied[i] = s.qfrc_applied[i] + d.qfrc_actuator[i];
  for (int b = 1; b < m.nbody; ++b) {
    const Spatial wrench = spatial(s.xfrc_applied, b);  // force first, torque second
    add_force_at(m, d, b, vec3(d.xipos, b), wrench.ang, wrench.lin, applied);
  }
  reduce_force(m, s, applied);
  // what the solver found is put back afterwards
  const size_t nv = static_cast<size_t>(m.nv), nrow = static_cast<size_t>(d.rows.n);
  const Arena::Mark mark = d.arena.mark();
  double *forward = d.arena.take<double>(nv), *force = d.arena.take<double>(nrow);
  int* state = d.arena.take<int>(nrow);
  d.solver_fwdinv[0] = 0;
  if (nrow > 0 && forward && force && state) {
    std::copy_n(d.qfrc_constraint, nv, forward);
    std::copy_n(d.rows.row_force, nrow, force);
    std::copy_n(d.rows.row_state, nrow, state);
    constraint_forces_of(m, s, d, d.qacc);
    d.solver_fwdinv[0] = distance(forward, d.qfrc_constraint, m.nv);
  }
  inverse_force(m, s, d, d.qacc);
  d.solver_fwdinv[1] = distance(applied, d.qfrc_inverse, m.nv);
  if (nrow > 0 && forward && force && state) {
    std::copy_n(forward, nv, d.qfrc_constraint);
    std::copy_n(force, nrow, d.rows.row_force);
    std::copy_n(state, nrow, d.rows.row_state);
  }
  d.arena.release(mark);
  return {d.solver_fwdinv[0], d.solver_fwdinv[1]};
}

}  // namespace pliant

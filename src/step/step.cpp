// forward and step: checks, stages, integration; the last good State is kept.

#include "pliant/step.h"

#include "integrate/integrate.h"
#include "pliant/query.h"
#include "step/fault.h"

namespace pliant {

StepStatus forward(const Model& m, const State& s, Data& d) {
  count_null_quaternions(m, s, d);
  const StageFaults stages(d);
  run_phases(m, s, d, Phase::kPosition, Phase::kAcceleration);
  return {check_acceleration(m, s, d) | stages.met(d)};
}

StepStatus step1(const Model& m, const State& s, Data& d) {
  const StepStatus status{check_state(m, s, d)};
  count_null_quaternions(m, s, d);
  const StageFaults stages(d);
  if (status.ok()) run_phases(m, s, d, Phase::kPosition, Phase::kVelocity);
  return {status.faults | stages.met(d)};
}

StepStatus step2(const Model& m, State& s, Data& d) {
  if (const int faults = check_state(m, s, d)) return {faults};
  const StageFaults stages(d);
  run_phases(m, s, d, Phase::kForce, Phase::kAcceleration);
  if (const int faults = check_acceleration(m, s, d) | StageFaults::refusing(stages.met(d))) return {faults};
  if (m.opt.enableflags & kEnableFwdInv) compare_forward_inverse(m, s, d);
  // A Runge-Kutta step would need the first half again: it becomes an Euler step.
  const bool rk4 = m.opt.integrator == Integrator::kRk4;
  const StepStatus status = advance(m, s, d, rk4 ? Integrator::kEuler : m.opt.integrator);
  return {status.faults | stages.met(d)};
}

StepStatus step(const Model& m, State& s, Data& d) {
  if (const int faults = check_state(m, s, d)) return {faults};
  count_null_quaternions(m, s, d);
  const StageFaults stages(d);
  run_phases(m, s, d, Phase::kPosition, Phase::kAcceleration);
  if (const int faults = check_acceleration(m, s, d) | StageFaults::refusing(stages.met(d))) return {faults};
  if (m.opt.enableflags & kEnableFwdInv) compare_forward_inverse(m, s, d);
  const StepStatus status = advance(m, s, d, m.opt.integrator);
  return {status.faults | stages.met(d)};
}

}  // namespace pliant

// forward and step: checks, stages, integration; the last good State is kept.

#include "pliant/step.h"

#include <cmath>

#include "integrate/integrate.h"
#include "joint/followers_hd.h"
#include "pliant/inverse.h"
#include "sensor/sensor.h"
#include "state/fault.h"
#include "step/advance.h"

namespace pliant {
namespace {

// The state to compute with: the given one, or where followers are not exactly where their leaders put them, a copy in
// which they are. What is off by more than the rounding of who sets it by hand is counted.
const State& followed(const Model& m, const State& s, Data& d) {
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): a step has its state from the caller
  if (!has_followers(m)) return s;
  constexpr double kAgreement = 1e-9;
  bool agree = true;
  const auto compare = [&](const char* field, int place, double given, double led) {
    agree = agree && given == led;
    if (std::abs(given - led) <= kAgreement * (1 + std::abs(led))) return;
    record_fault(s, d, Fault::kFollowerIgnored, field, place, given);
  };
  each_follower(m, s, [&](const Follower<Model>& follower) {
    const int place = m.jnt_qposadr[follower.joint];
    compare("qpos", place, s.qpos[place], follower_position(follower, s.qpos));
    double speed = 0;
    for (int i = 0; i < follower.leaders(); ++i) speed += follower.ratio(i) * s.qvel[follower.leader(i)];
    compare("qvel", follower.dof, s.qvel[follower.dof], speed);
  });
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): likewise
  if (agree) return s;
  d.followed = s;
  follow(m, d.followed);
  return d.followed;
}

}  // namespace

int check_results(const Model& m, const State& s, Data& d) {
  int faults = check_acceleration(m, s, d);
  if (m.opt.disableflags & kDisableSensor) return faults;
  if (const int bad = first_bad_reading(m, d); bad >= 0) {
    faults |= refuse(s, d, Fault::kBadReading, "sensordata", bad, d.sensordata[bad]);
  }
  return faults;
}

StepStatus forward(const Model& m, const State& given, Data& d) {
  if (const int faults = check_options(m, given, d)) return {faults};
  const State& s = followed(m, given, d);
  if (const int faults = check_histories(m, s, d)) return {faults};
  count_null_quaternions(m, s, d);
  const StageFaults stages(d);
  run_phases(m, s, d, Phase::kPosition, Phase::kAcceleration);
  return {check_results(m, s, d) | stages.met(d)};
}

StepStatus step1(const Model& m, const State& given, Data& d) {
  if (const int faults = check_options(m, given, d) | check_state(m, given, d)) return {faults};
  const State& s = followed(m, given, d);
  if (const int faults = &s == &given ? 0 : check_state(m, s, d)) return {faults};
  count_null_quaternions(m, s, d);
  const StageFaults stages(d);
  run_phases(m, s, d, Phase::kPosition, Phase::kVelocity);
  return {stages.met(d)};
}

StepStatus step2(const Model& m, State& s, Data& d) {
  if (const int faults = check_options(m, s, d) | check_state(m, s, d)) return {faults};
  const State& from = followed(m, s, d);
  if (const int faults = &from == &s ? 0 : check_state(m, from, d)) return {faults};
  const StageFaults stages(d);
  run_phases(m, from, d, Phase::kForce, Phase::kAcceleration);
  if (const int faults = check_results(m, from, d) | StageFaults::refusing(stages.met(d))) return {faults};
  // A Runge-Kutta step would need the first half again: it becomes an Euler step.
  const bool rk4 = m.opt.integrator == Integrator::kRk4;
  if (m.opt.enableflags & kEnableFwdInv) compare_forward_inverse(m, from, d);
  const StepStatus status = advance_from(m, from, s, d, rk4 ? Integrator::kEuler : m.opt.integrator);
  return {status.faults | stages.met(d)};
}

StepStatus step(const Model& m, State& s, Data& d) {
  if (const int faults = check_options(m, s, d) | check_state(m, s, d)) return {faults};
  const State& from = followed(m, s, d);
  if (const int faults = &from == &s ? 0 : check_state(m, from, d)) return {faults};
  count_null_quaternions(m, from, d);
  const StageFaults stages(d);
  if (!starts_in_the_middle(m)) {
    run_phases(m, from, d, Phase::kPosition, Phase::kAcceleration);
    if (const int faults = check_results(m, from, d) | StageFaults::refusing(stages.met(d))) return {faults};
    if (m.opt.enableflags & kEnableFwdInv) compare_forward_inverse(m, from, d);
  }
  const StepStatus status = advance_from(m, from, s, d, m.opt.integrator);
  return {status.faults | stages.met(d)};
}

}  // namespace pliant

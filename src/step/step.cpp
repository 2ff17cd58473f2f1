// forward and step: checks, stages, integration; the last good State is kept.

#include "pliant/step.h"

#include <cmath>

#include "integrate/integrate.h"
#include "joint/followers_hd.h"
#include "pliant/inverse.h"
#include "state/fault.h"

namespace pliant {
namespace {

// Followers that are not where their leaders put them are counted; true if there are any.
bool count_ignored_followers(const Model& m, const State& s, Data& d) {
  // rounding of who sets them by hand
  constexpr double kAgreement = 1e-9;
  const int64_t before = times_met(d, Fault::kFollowerIgnored);
  const auto compare = [&](const char* field, int place, double given, double led) {
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
  return times_met(d, Fault::kFollowerIgnored) > before;
}

// The state to compute with: the given one, or a copy in which followers follow.
const State& followed(const Model& m, const State& s, Data& d) {
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): a step has its state from the caller
  if (!has_followers(m) || !count_ignored_followers(m, s, d)) return s;
  d.trial = s;
  follow(m, d.trial);
  return d.trial;
}

void make_follow(const Model& m, State& s, Data& d) {
  if (!has_followers(m)) return;
  count_ignored_followers(m, s, d);
  follow(m, s);
}

}  // namespace

StepStatus forward(const Model& m, const State& given, Data& d) {
  const State& s = followed(m, given, d);
  count_null_quaternions(m, s, d);
  const StageFaults stages(d);
  run_phases(m, s, d, Phase::kPosition, Phase::kAcceleration);
  return {check_acceleration(m, s, d) | stages.met(d)};
}

StepStatus step1(const Model& m, const State& given, Data& d) {
  const State& s = followed(m, given, d);
  const StepStatus status{check_state(m, s, d)};
  count_null_quaternions(m, s, d);
  const StageFaults stages(d);
  if (status.ok()) run_phases(m, s, d, Phase::kPosition, Phase::kVelocity);
  return {status.faults | stages.met(d)};
}

StepStatus step2(const Model& m, State& s, Data& d) {
  make_follow(m, s, d);
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
  make_follow(m, s, d);
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

// The last part of a step: the integrator computes the next state into Data; State is written when that is known to be
// good, and not at all otherwise.

#include "step/advance.h"

#include "integrate/integrate.h"
#include "state/fault.h"

namespace pliant {
namespace {

// What Runge-Kutta computes of the states between.
void accelerations(const Model& m, const State& s, Data& d) {
  run_phases(m, s, d, Phase::kPosition, Phase::kAcceleration, /*sensors=*/false);
}

}  // namespace

StepStatus advance_from(const Model& m, const State& from, State& s, Data& d, Integrator integrator) {
  if (const int faults = compute_next(m, from, d, integrator, accelerations)) return {faults};
  commit(m, s, d);
  return {};
}

StepStatus advance(const Model& m, State& s, Data& d, Integrator integrator) {
  if (const int faults = check_options(m, s, d)) return {faults};
  const int number = static_cast<int>(integrator);
  if (number < 0 || number >= kNumIntegrators) {
    return {refuse(s, d, Fault::kBadOption, "opt.integrator", -1, number)};
  }
  return advance_from(m, s, s, d, integrator);
}

}  // namespace pliant

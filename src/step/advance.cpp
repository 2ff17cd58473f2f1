// The last part of a step: the integrator, and the check of what it made.

#include <cstring>

#include "integrate/integrate.h"
#include "pliant/step.h"
#include "state/fault.h"
#include "state/row_memory.h"

namespace pliant {
namespace {

// What Runge-Kutta computes of the states between.
void accelerations(const Model& m, const State& s, Data& d) {
  run_phases(m, s, d, Phase::kPosition, Phase::kAcceleration, /*sensors=*/false);
}

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
  integrate(m, s, d, integrator, accelerations);
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

}  // namespace pliant

// The table of integrators, and what they share.

#include "integrate/integrate.h"

#include <cstring>
#include <iterator>

#include "constraint/anchor.h"
#include "joint/followers_hd.h"
#include "integrate/conserving_spin.h"
#include "integrate/euler_hd.h"
#include "sensor/sensor.h"
#include "state/fault.h"
#include "state/row_memory.h"

namespace pliant {
namespace {

using AdvanceFn = void (*)(const Model&, const State&, Data&, ForwardFn);
constexpr AdvanceFn kIntegrators[] = {advance_euler,        advance_rk4,      advance_implicit,
                                      advance_implicitfast, advance_discrete, advance_midpoint};
static_assert(std::size(kIntegrators) == kNumIntegrators);

// What solvers with a memory start the next step with, and where friction sticks.
void remember(const Model& m, State& s, Data& d) {
  const bool all = traits(m.opt.solver).row_memory, anchored = d.anchored;
  if (!all && !anchored) return s.row_memory.clear();
  const double* const force = d.solver.last_force ? d.solver.last_force : d.rows.row_force;
  if (anchored) return remember_slips(m, s, d, all ? force : nullptr);
  const auto rows = static_cast<size_t>(d.rows.n);
  RowMemoryWriter memory(d, s.row_memory, rows, rows);
  remember_rows(d, force, d.rows.n, memory);
}

// Tendons as they are at the start of the step: integrators that look ahead write over them.
void keep_tendons(const Model& m, Data& d) {
  if (m.nplastic == 0) return;
  std::memcpy(d.yield_length, d.ten_length, sizeof(double) * m.ntendon);
  std::memcpy(d.yield_J, d.ten_J, sizeof(double) * m.nJten);
}

// And they stay so in Data: what yielded, yielded by these (as in the reference, which has it only where something can
// yield).
void restore_tendons(const Model& m, Data& d) {
  if (m.nplastic == 0) return;
  std::memcpy(d.ten_length, d.yield_length, sizeof(double) * m.ntendon);
  std::memcpy(d.ten_J, d.yield_J, sizeof(double) * m.nJten);
}

}  // namespace

int compute_next(const Model& m, const State& s, Data& d, Integrator integrator, ForwardFn forward) {
  if (integrator == Integrator::kMidpoint && (m.opt.enableflags & kEnableSpeculativeExact)) {
    // half a step is taken before contacts are looked for: what is predicted from there may be behind it
    return refuse(s, d, Fault::kBadOption, "opt.enableflags", -1, m.opt.enableflags);
  }
  const StageFaults stages(d);
  keep_tendons(m, d);
  // (before the integrator: Runge-Kutta leaves Data as of its last stage)
  const int bad_reading = measure_delayed(m, s, d);
  kIntegrators[static_cast<int>(integrator)](m, s, d, forward);
  if (integrator == Integrator::kRk4 || integrator == Integrator::kMidpoint) restore_tendons(m, d);
  // (stages of Runge-Kutta may meet rows that are not finite)
  return StageFaults::refusing(stages.met(d)) | check_next(m, s, d, bad_reading);
}

void commit(const Model& m, State& s, Data& d) {
  commit(SerialTeam{}, m, s, d, true);
  remember(m, s, d);
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

void advance_state(const Model& m, const State& s, Data& d, const double* act_dot, const double* qacc,
                   const double* qvel) {
  const double* moving = qvel ? qvel : d.next_qvel;
  advance_state(SerialTeam{}, m, s, d, act_dot, qacc, moving, static_cast<const double*>(d.yield_length),
                static_cast<const double*>(d.yield_J));
  const Integrator integrator = m.opt.integrator;
  if (m.opt.spin == SpinLaw::kConserving && (integrator == Integrator::kEuler || is_implicit(integrator))) {
    conserve_spins(m, s, d);
  }
}

}  // namespace pliant

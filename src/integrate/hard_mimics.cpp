// Hard mimics under implicit damping.
// reads rows mimic_* · writes the acceleration it is given

#include "integrate/hard_mimics.h"

#include "inertia/inertia.h"
#include "integrate/hard_mimics_hd.h"
#include "integrate/integrate.h"
#include "state/fault.h"

namespace pliant {
namespace {

/// Where the solver took the step in parts: the velocity that moves positions, its mimics as without damping.
void hold_mean_velocity(const Model& m, const State& s, Data& d, ImplicitSolve integrator) {
  const Arena::Mark mark = d.arena.mark();
  double* solved = d.arena.take<double>(static_cast<size_t>(m.nv));
  if (!solved) {
    record_fault(s, d, Fault::kRowOverflow, "arena", -1, static_cast<double>(d.arena.high_water()));
    return;
  }
  const int n = solver_substeps(m.opt);
  const double reach = m.opt.timestep * (n + 1) / (2.0 * n);
  for (int i = 0; i < m.nv; ++i) solved[i] = d.qfrc_smooth[i] + d.qfrc_advance[i];
  solve_mass(m, d, solved);
  for (int i = 0; i < m.nv; ++i) solved[i] = s.qvel[i] + reach * solved[i];
  hold_hard_mimics(m, s, d, integrator, solved, d.qvel_advance);
  d.arena.release(mark);
}

}  // namespace

void advance_implicitly(const Model& m, const State& s, Data& d, ImplicitSolve integrator) {
  const double* qvel = mean_velocity(m, s, d, [&](double* x) { integrator.solve(m, s, d, x); });
  if (has_hard_mimics(m, d)) {
    hold_hard_mimics(m, s, d, integrator, d.qacc, d.qacc_advance);
    if (qvel) hold_mean_velocity(m, s, d, integrator);
  }
  advance_state(m, s, d, d.act_dot, d.qacc_advance, qvel);
}

bool has_hard_mimics(const Model& m, const Data& d) {
  if (m.nmimicrow == 0) return false;
  for (int i = d.rows.ne - 1; i >= 0 && is_mimic_row(m, d.rows, i); --i) {
    if (is_hard_mimic(m, m.eq_mimicid[d.rows.row_id[i]])) return true;
  }
  return false;
}

void hold_hard_mimics(const Model& m, const State& s, Data& d, ImplicitSolve integrator, const double* solved,
                      double* advanced) {
  const Arena::Mark mark = d.arena.mark();
  const HardMimicMemory<double> work{d.arena.take<int>(static_cast<size_t>(m.nmimicrow)),
                                     d.arena.take<double>(hard_mimic_numbers(m.nmimicrow, m.nv))};
  if (work.row && work.number) {
    const auto solve = [&](double* x) { integrator.solve(m, s, d, x); };
    hold_hard_mimics(SerialTeam{}, m, d.rows, work, solve, solved, advanced);
  } else {
    record_fault(s, d, Fault::kRowOverflow, "arena", -1, static_cast<double>(d.arena.high_water()));
  }
  d.arena.release(mark);
}

}  // namespace pliant

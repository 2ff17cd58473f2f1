#pragma once
// Integrators: where the State goes in a step. They see a constant State and write where it goes into Data (next_qpos
// …); only when all of that is known to be good does `commit` write State. So a step that is refused changes nothing.

#include "model/position_lead.h"
#include "pliant/state.h"

namespace pliant {

/// Everything of a state up to its accelerations, without sensors: what an integrator calls that looks ahead.
using ForwardFn = void (*)(const Model& m, const State& s, Data& d);

// One integrator each; the table is in integrate.cpp.
void advance_euler(const Model& m, const State& s, Data& d, ForwardFn forward);         // euler.cpp
void advance_rk4(const Model& m, const State& s, Data& d, ForwardFn forward);           // rk4.cpp
void advance_implicit(const Model& m, const State& s, Data& d, ForwardFn forward);      // implicit.cpp
void advance_implicitfast(const Model& m, const State& s, Data& d, ForwardFn forward);  // implicit.cpp
void advance_discrete(const Model& m, const State& s, Data& d, ForwardFn forward);      // discrete.cpp
void advance_midpoint(const Model& m, const State& s, Data& d, ForwardFn forward);      // midpoint.cpp

/// Whether a step needs nothing of the state it starts from: the integrator is midpoint, whose forces are those of the
/// middle, and nobody measures anything at the start (sensors, energies, comparison with inverse dynamics).
bool starts_in_the_middle(const Model& m);

/// What all integrators end in: next_act, next_qvel, next_qpos, next_plastic. `qvel` moves positions; nullptr: the new
/// velocity does.
void advance_state(const Model& m, const State& s, Data& d, const double* act_dot, const double* qacc,
                   const double* qvel);

/// Everything that moves in a step from `s`, into Data. Returns the faults for which the step is refused.
int compute_next(const Model& m, const State& s, Data& d, Integrator integrator, ForwardFn forward);
/// State becomes what compute_next has left in Data. Nothing can go wrong here.
void commit(const Model& m, State& s, Data& d);

/// Puts exact followers where their leaders put them: qpos and qvel.
void follow(const Model& m, State& s);

/// The velocity that moves positions where the solver took the step in parts (TGS): their mean. The velocities at the
/// ends of n parts under a constant acceleration a have the mean qvel + h a (n + 1) / (2 n). What positions are ahead
/// of the parts (position_lead.h) is added. `solve` turns a force into
/// the acceleration the integrator gives to it. nullptr where there are no parts: the new velocity does.
template <class Solve>
const double* mean_velocity(const Model& m, const State& s, Data& d, Solve&& solve) {
  const int n = solver_substeps(m.opt);
  if (n == 1) return nullptr;
  const double reach = m.opt.timestep * (n + 1) / (2.0 * n), lead = position_lead(m) / reach;
  for (int i = 0; i < m.nv; ++i) d.qvel_advance[i] = d.qfrc_smooth[i] + d.qfrc_advance[i];
  if (lead > 0) {
    for (int i = 0; i < m.nv; ++i) d.qvel_advance[i] += lead * (d.qfrc_smooth[i] + d.qfrc_constraint[i]);
  }
  solve(d.qvel_advance);
  for (int i = 0; i < m.nv; ++i) d.qvel_advance[i] = s.qvel[i] + reach * d.qvel_advance[i];
  return d.qvel_advance;
}

/// qpos after time h with velocity qvel, joint by joint.
void integrate_pos(const Model& m, double* qpos, const double* qvel, double h);
/// The velocity that leads from qpos_b to qpos_a in time h.
void differentiate_pos(const Model& m, double* qvel, double h, const double* qpos_b, const double* qpos_a);

/// Whether Euler takes joint damping at the end of the step: one damped dof makes the whole step implicit.
bool has_implicit_damping(const Model& m);
/// qDeriv and qH = M - h qDeriv of implicitfast, not yet factored. Rows of free bodies that carry nothing hold M.
void assemble_implicitfast(const Model& m, const State& s, Data& d);

/// The acceleration that the integrator of the model's options would turn into qacc_discrete = (v(t+h) - v(t))/h. Needs
/// what forward leaves in Data. False for Runge-Kutta, which has no such answer: qacc is then qacc_discrete.
/// The arrays must not overlap.
bool continuous_acceleration(const Model& m, const State& s, Data& d, const double* qacc_discrete, double* qacc);

}  // namespace pliant

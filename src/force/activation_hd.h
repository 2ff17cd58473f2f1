#pragma once
// Activations and histories of controls at the end of a step, for one world.

#include "base/team.h"
#include "force/actuator_table.h"
#include "state/history_hd.h"

namespace pliant {

// A setpoint that is an angle and follows its control would grow with every turn: it is moved to the
// representative nearest to the angle, a rotation vector to its shortest form.
template <class M, class D, class A>
PLIANT_HD void rewind_setpoint(const M& m, const D& d, int i, A& act) {
  using R = typename D::Real;
  if (m.actuator_gaintype[i] == static_cast<int>(GainType::kSo3)) {
    const int adr = m.actuator_actadr[i];
    const Vec3T<R> shortest = shortest_rotation(Vec3T<R>{act[adr], act[adr + 1], act[adr + 2]});
    for (int k = 0; k < 3; ++k) act[adr + k] = shortest[k];
    return;
  }
  const int adr = last_activation(m, i);
  act[adr] = nearest_setpoint(R(act[adr]), R(d.actuator_length[m.actuator_outadr[i]]), setpoint_period<R>(m, i));
}

/// next_act: act after one timestep with rate act_dot, by the law of each actuator, clamped to its range.
template <class Team, class M, class S, class D, class A>
PLIANT_HD void advance_activations(const Team& team, const M& m, const S& s, D& d, const A& act_dot) {
  using R = typename D::Real;
  if (m.na == 0) return;
  each(team, m.na, [&](int i) PLIANT_INLINED { d.next_act[i] = s.act[i]; });
  if (m.opt.disableflags & kDisableActuation) return;
  each(team, m.nactuator, [&](int i) PLIANT_INLINED {
    const int first = m.actuator_actadr[i];
    const bool disabled = actuator_disabled(m, i);
    for (int k = 0; k < m.actuator_actnum[i]; ++k) {
      d.next_act[first + k] = next_activation(m, s, d, i, k, disabled ? R(0) : R(act_dot[first + k]));
    }
    const bool follows = with_dynamics(m.actuator_dyntype[i], [](auto law) PLIANT_INLINED { return law.kFollows; });
    if (follows) rewind_setpoint(m, d, i, d.next_act);
  });
}

/// Newest controls into the histories they are delayed in, if they are `good`.
template <class Team, class M, class S>
PLIANT_HD void push_controls(const Team& team, const M& m, S& s, bool good) {
  if (m.nhistory == 0) return;
  each(team, m.nactuator, [&](int i) PLIANT_INLINED {
    if (!good || m.actuator_history[2 * i] <= 0) return;
    const auto time = s.time[0];
    const int at = history_insert(s.history, control_history(m, i), time);
    for (int k = 0; k < m.actuator_ctrlnum[i]; ++k) s.history[at + k] = s.ctrl[m.actuator_ctrladr[i] + k];
  });
}

}  // namespace pliant

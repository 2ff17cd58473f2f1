// Activations and histories at the end of a step.

#include "force/activation.h"

#include "force/actuator_table.h"
#include "state/history_hd.h"

namespace pliant {
namespace {

// A setpoint that is an angle and integrates its control would grow with every turn: it is moved to the
// representative nearest to the angle, a rotation vector to its shortest form.
void rewind_setpoint(const Model& m, State& s, const Data& d, int i) {
  if (m.actuator_gaintype[i] == static_cast<int>(GainType::kSo3)) {
    double* act = s.act + m.actuator_actadr[i];
    const Vec3 shortest = shortest_rotation(Vec3{act[0], act[1], act[2]});
    for (int k = 0; k < 3; ++k) act[k] = shortest[k];
    return;
  }
  double& act = s.act[last_activation(m, i)];
  act = nearest_setpoint(act, d.actuator_length[m.actuator_outadr[i]], setpoint_period<double>(m, i));
}

}  // namespace

void advance_activations(const Model& m, State& s, const Data& d, const double* act_dot) {
  if (m.na == 0 || (m.opt.disableflags & kDisableActuation)) return;
  for (int i = 0; i < m.nactuator; ++i) {
    const int first = m.actuator_actadr[i];
    const bool disabled = actuator_disabled(m, i);
    for (int k = 0; k < m.actuator_actnum[i]; ++k) {
      s.act[first + k] = next_activation(m, s, d, i, k, disabled ? 0.0 : act_dot[first + k]);
    }
    if (m.actuator_dyntype[i] == static_cast<int>(DynType::kIntegrator)) rewind_setpoint(m, s, d, i);
  }
}

void push_controls(const Model& m, State& s) {
  if (m.nhistory == 0) return;
  const double time = *s.time;
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_history[2 * i] <= 0) continue;
    s.history[history_insert(s.history, control_history(m, i), time)] = s.ctrl[m.actuator_ctrladr[i]];
  }
}

}  // namespace pliant

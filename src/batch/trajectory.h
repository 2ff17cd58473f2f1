#pragma once
// One world under a sequence of controls: what rollouts and batches have in common.

#include <algorithm>
#include <cstring>

#include "pliant/rollout.h"

namespace pliant {

/// Where the numbers of one world come from and go to.
struct Trajectory {
  int nstep = 0;
  const double* control = nullptr;  ///< a row per step, or one row for all (control_stride 0)
  size_t control_stride = 0;
  unsigned control_parts = kStateCtrl;
  double* state = nullptr;  ///< nstep rows, or nullptr
  size_t state_size = 0;
  double* sensordata = nullptr;
  double* warmstarts = nullptr;
};

struct TrajectoryEnd {
  StepStatus status;
  int steps = 0;
};

/// Moves the state step by step. `asked_to_stop` is called before every step. When a step is refused, the rest of the
/// outputs repeats the last good ones.
template <class Stop>
TrajectoryEnd follow(const Model& m, State& s, Data& d, const Trajectory& t, Stop&& asked_to_stop) {
  const size_t nsensor = static_cast<size_t>(m.nsensordata);
  TrajectoryEnd end;
  for (int i = 0; i < t.nstep; ++i) {
    if (asked_to_stop()) return end;
    if (end.status.ok()) {
      if (t.control) set_state(m, s, t.control_parts, t.control + t.control_stride * static_cast<size_t>(i));
      end.status = step(m, s, d);
      end.steps += end.status.ok();
    }
    if (t.state) get_state(m, s, kStateFullPhysics, t.state + t.state_size * static_cast<size_t>(i));
    if (t.warmstarts && m.nv) {
      const size_t nv = static_cast<size_t>(m.nv);
      std::memcpy(t.warmstarts + nv * static_cast<size_t>(i), s.qacc_warmstart, nv * sizeof(double));
    }
    if (t.sensordata && nsensor) {
      std::memcpy(t.sensordata + nsensor * static_cast<size_t>(i), d.sensordata, nsensor * sizeof(double));
    }
  }
  return end;
}

}  // namespace pliant

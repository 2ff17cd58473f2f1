#pragma once
// Worlds under sequences of controls: what rollouts and batches have in common.

#include <algorithm>
#include <cstring>
#include <span>

#include "batch/lane_step.h"
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

/// A world on its way: its place in lanes, where its numbers go, and how far it has come.
struct Traveller {
  LaneWorld world;
  Trajectory way;
  int steps = 0;  ///< that were made
};

/// Moves up to four worlds step by step, together where `lanes` is given. `asked_to_stop` is called before every step.
/// When a step of a world is refused, the rest of its outputs repeats the last good ones.
template <class Stop>
void follow(const Model& m, LaneStep* lanes, std::span<Traveller> travellers, Stop&& asked_to_stop) {
  const size_t nsensor = static_cast<size_t>(m.nsensordata), nv = static_cast<size_t>(m.nv);
  const int nstep = travellers[0].way.nstep;
  for (int step = 0; step < nstep; ++step) {
    if (asked_to_stop()) return;
    const size_t i = static_cast<size_t>(step);
    LaneWorld going[kWorldsTogether];
    size_t n = 0;
    for (const Traveller& t : travellers) {
      if (!t.world.status.ok()) continue;
      if (t.way.control) set_state(m, *t.world.state, t.way.control_parts, t.way.control + t.way.control_stride * i);
      going[n++] = t.world;
    }
    if (lanes && n > 1) {
      lanes->step({going, n});
    } else {
      for (size_t k = 0; k < n; ++k) going[k].status = pliant::step(m, *going[k].state, *going[k].data);
    }
    n = 0;
    for (Traveller& t : travellers) {
      const Trajectory& way = t.way;
      const State& s = *t.world.state;
      if (t.world.status.ok()) {
        t.world.status = going[n++].status;
        t.steps += t.world.status.ok();
      }
      if (way.state) get_state(m, s, kStateFullPhysics, way.state + way.state_size * i);
      if (way.warmstarts && nv) std::memcpy(way.warmstarts + nv * i, s.qacc_warmstart, nv * sizeof(double));
      if (way.sensordata && nsensor) {
        std::memcpy(way.sensordata + nsensor * i, t.world.data->sensordata, nsensor * sizeof(double));
      }
    }
  }
}

/// How many worlds a thread takes at a time: as many as can be moved together, if all threads then have work.
inline int worlds_at_once(bool together, int nworld, int threads) {
  return together ? std::clamp(nworld / threads, 1, kWorldsTogether) : 1;
}

}  // namespace pliant

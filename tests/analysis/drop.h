#pragma once
// A body that falls on a floor, straight, in the simulator: what predictions are measured against.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "analysis/scalar_map.h"
#include "pliant/load.h"
#include "pliant/step.h"

namespace pliant {

/// A free body above (or on) a plane.
struct DropScene {
  Model model;
  double height = 0;  ///< of its origin when it touches

  void set_depth(State& s, double depth) const { s.qpos[2] = height - depth; }
  double depth(const State& s) const { return height - s.qpos[2]; }
};

/// No rotation.
inline void hold_level(State& s) {
  for (int k = 0; k < 3; ++k) s.qpos[4 + k] = s.qvel[3 + k] = 0;
  s.qpos[3] = 1;
}

/// Whether rows pushed in the last step.
inline bool is_pushed(const Data& d) {
  bool pushed = false;
  for (int i = 0; i < d.rows.n; ++i) pushed = pushed || d.rows.row_force[i] != 0;
  return pushed;
}

/// Arrives at `speed`, `phase` of a step above the floor. `level`: it cannot turn.
inline Bounce simulate_bounce(const DropScene& scene, double speed, double phase, double rest, bool settle,
                              bool level = false, int steps = 40000) {
  const Model& m = scene.model;
  const double h = m.opt.timestep;
  State s(m);
  Data d(m);
  scene.set_depth(s, -phase * speed * h);
  s.qvel[2] = -speed;
  Bounce out;
  out.steps = out.settle_time = std::numeric_limits<double>::infinity();
  int touched = -1, unsettled = 0, quiet = 0, still = 0;
  double arrived = speed;
  bool left = false;
  for (int n = 0; n < steps; ++n) {
    const double depth = scene.depth(s);
    if (touched < 0) arrived = std::max(arrived, -s.qvel[2]);
    if (touched < 0 && (depth > 0 || s.qvel[2] > 0)) touched = n;
    const bool apart = touched >= 0 && !left && depth <= 0;
    const double leaving = s.qvel[2];
    if (touched >= 0) {
      if (!left) out.max_depth = std::max(out.max_depth, depth);
      const bool near = std::abs(depth - rest) <= kSettledShare * rest;
      if (!near) unsettled = n;
      quiet = near ? quiet + 1 : 0;
      const bool slow = std::abs(s.qvel[2]) * h < 1e-6 * rest;
      still = std::abs(s.qvel[2]) < 1e-3 * speed ? still + 1 : 0;
      if ((!settle && (left || still > 50)) || (quiet > 50 && slow)) break;
    }
    if (!step(m, s, d).ok()) break;
    // it has left once nothing pushes it any more (TGS looks at the contact where it was a part of a step ago)
    if (apart && (leaving < 0 || !is_pushed(d))) {
      left = true;
      out.restitution = std::max(0.0, leaving / arrived);
      out.steps = n - touched;
    }
    if (level) hold_level(s);
  }
  if (quiet > 50) out.settle_time = (unsettled + 1 - touched) * h;
  return out;
}

/// The depth at which it comes to rest, found by stepping from `start` for `seconds`.
inline double simulate_rest(const DropScene& scene, double start, double seconds) {
  State s(scene.model);
  Data d(scene.model);
  scene.set_depth(s, start);
  const int n = static_cast<int>(seconds / scene.model.opt.timestep);
  for (int i = 0; i < n; ++i) {
    step(scene.model, s, d);
    if (i > 100 && std::abs(s.qvel[2]) < 1e-12) break;
  }
  return scene.depth(s);
}

/// The depth at which it comes to rest if it cannot tilt.
inline double simulate_rest_level(const DropScene& scene, double start) {
  State s(scene.model);
  Data d(scene.model);
  scene.set_depth(s, start);
  for (int i = 0; i < 20000; ++i) {
    step(scene.model, s, d);
    hold_level(s);
  }
  return scene.depth(s);
}

/// The same with a solver that leaves next to nothing undone.
inline DropScene converged(DropScene scene) {
  scene.model.opt.tolerance = 0;
  scene.model.opt.iterations = 300;
  scene.model.opt.tgs_sweeps = 50;
  return scene;
}

/// Growth per step from which on a state of rest counts as unstable: e-fold in five hundred steps.
inline constexpr double kGrowthSeen = 2e-3;

/// Whether a small disturbance of the state of rest, in all directions, stays small. What rolls may roll on; `flat`:
/// what stands on a face comes back to it.
inline bool is_stable_at(const DropScene& scene, double timestep, double rest, bool flat) {
  // a disturbance is often of nanometres, below what the usual tolerance leaves
  Model m = converged(scene).model;
  m.opt.timestep = timestep;
  State s(m);
  Data d(m);
  const double push = 1e-3 * rest, size = std::max(scene.height, m.geom_rbound[1]);
  scene.set_depth(s, rest + push);
  s.qpos[4] = 0.15 * push / size, s.qpos[5] = 0.1 * push / size;
  s.qvel[0] = 0.01 * push / timestep;
  for (int k = 0; k < 3; ++k) s.qvel[3 + k] = (k + 1) * 0.01 * push / (size * timestep);
  double before = 0, after = 0;
  for (int n = 0; n < 3000; ++n) {
    if (!step(m, s, d).ok()) return false;
    // slip is the velocity of the body at the floor
    const double slip = std::hypot(s.qvel[0] - s.qvel[4] * scene.height, s.qvel[1] + s.qvel[3] * scene.height);
    const double turning = std::hypot(s.qvel[3], s.qvel[4], s.qvel[5]) * size;
    const double now = std::max({std::abs(scene.depth(s) - rest), slip * timestep, turning * timestep});
    if (now > 20 * push) return false;
    if (n >= 1000 && n < 1500) before = std::max(before, now);
    if (n >= 2500) after = std::max(after, now);
    if (n == 1500 && before < 1e-4 * push) return true;
  }
  if (flat && 2 * std::hypot(s.qpos[4], s.qpos[5]) * size > push) return false;
  return after < before * std::exp(1500 * kGrowthSeen);
}

}  // namespace pliant

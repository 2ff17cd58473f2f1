#pragma once
// Random states for tests; needs no loader.

#include <cmath>
#include <random>
#include <vector>

#include "pliant/state.h"

namespace pliant {

void integrate_pos(const Model& m, double* qpos, const double* qvel, double h);

/// Moved configuration, velocities, controls, activations and applied forces; the same for the same seed.
inline void randomise(const Model& m, State& s, int seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const auto fill = [&](double* x, int n, double scale) {
    for (int i = 0; i < n; ++i) x[i] = scale * normal(generator);
  };
  std::vector<double> move(m.nv);
  fill(move.data(), m.nv, 0.3);
  integrate_pos(m, s.qpos, move.data(), 1);
  fill(s.qvel, m.nv, 0.5);
  fill(s.ctrl, m.nu, 0.2);
  for (int i = 0; i < m.na; ++i) s.act[i] = 0.5 + 0.2 * std::sin(i + seed);
  fill(s.qfrc_applied, m.nv, 0.01);
  fill(s.xfrc_applied + 6, 6 * (m.nbody - 1), 0.01);
}

}  // namespace pliant

#pragma once
// A system with every joint type, several trees and all kinds of frames, in a random state; and
// finite differences of whatever a forward computes there.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <vector>

#include "pliant/pliant.h"
#include "pliant/query.h"
#include "tests/step/scenes.h"
#include "tests/source_folder.h"

namespace pliant {

using Vector = std::vector<double>;
using Triple = std::array<double, 3>;

inline Triple triple(const double* x, int i = 0) { return {x[3 * i], x[3 * i + 1], x[3 * i + 2]}; }
/// Three numbers per column of a matrix 3 x nv.
inline Triple column(const Vector& matrix, int nv, int dof) {
  return {matrix[dof], matrix[nv + dof], matrix[2 * nv + dof]};
}
/// A product of such a matrix with nv numbers.
inline Triple product(const Vector& matrix, int nv, const double* x) {
  Triple y{};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < nv; ++i) y[k] += matrix[k * nv + i] * x[i];
  }
  return y;
}
inline void expect_near(const Triple& a, const Triple& b, double tolerance, const std::string& what) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance * (1 + std::abs(b[k]))) << what << " " << k;
}

struct System {
  Model m;
  State s;
  Data d;

  explicit System(int seed = 1)
      : System(load_model(source_folder() / "tests/parity/cases/dynamics_sensors_sites.xml"), seed) {}
  System(Model model, int seed) : m(std::move(model)), s(m), d(m) {
    m.opt.disableflags |= kDisableConstraint;
    randomise(m, s, seed);
    forward(m, s, d);
  }

  /// Derivative along a motion that starts with `velocity`; velocities change with `acceleration`.
  Triple slope(const double* velocity, const double* acceleration,
               const std::function<Triple(const Data&)>& read) const {
    constexpr double kStep = 1e-6;
    Triple value[2];
    for (int side = 0; side < 2; ++side) {
      const double h = side ? kStep : -kStep;
      State there = s;
      integrate_pos(m, there.qpos, velocity, h);
      for (int i = 0; acceleration && i < m.nv; ++i) there.qvel[i] += h * acceleration[i];
      Data data(m);
      forward(m, there, data);
      subtree_velocity(m, there, data);
      value[side] = read(data);
    }
    Triple result;
    for (int k = 0; k < 3; ++k) result[k] = (value[1][k] - value[0][k]) / (2 * kStep);
    return result;
  }
};

}  // namespace pliant

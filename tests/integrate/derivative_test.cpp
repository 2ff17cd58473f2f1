// qDeriv against finite differences, and the matrices the implicit integrators solve with.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "integrate/integrate.h"
#include "integrate/smooth_derivative.h"
#include "math/mat6.h"
#include "math/tree_lu.h"
#include "pliant/pliant.h"
#include "pliant/step.h"
#include "tests/step/scenes.h"
#include "tests/source_folder.h"

namespace pliant {
namespace {

using Vector = std::vector<double>;

Model case_model(const char* name) {
  return load_model(source_folder() / "tests/parity/cases" / (std::string(name) + ".xml"));
}

// Smooth forces that depend on velocity.
Vector smooth_force(const Model& m, const State& s) {
  Data d(m);
  forward(m, s, d);
  Vector f(m.nv);
  for (int i = 0; i < m.nv; ++i) f[i] = d.qfrc_passive[i] + d.qfrc_actuator[i] - d.qfrc_bias[i];
  return f;
}

// The largest difference of qDeriv from finite differences, in units of the largest entry.
double derivative_error(Model& m, int seed) {
  m.opt.disableflags |= kDisableConstraint;
  State s(m);
  randomise(m, s, seed);
  for (int i = 0; i < m.nu; ++i) s.ctrl[i] = std::abs(s.ctrl[i]);  // the derivative does not see clamping
  Data d(m);
  forward(m, s, d);
  compute_smooth_derivative(m, s, d, SmoothDerivative::kFull);
  const double h = 1e-5;
  double error = 0, size = 1e-3;
  for (int j = 0; j < m.nv; ++j) {
    State up = s, down = s;
    up.qvel[j] += h, down.qvel[j] -= h;
    const Vector a = smooth_force(m, up), b = smooth_force(m, down);
    for (int i = 0; i < m.nv; ++i) {
      for (int c = m.D_rowadr[i]; c < m.D_rowadr[i] + m.D_rownnz[i]; ++c) {
        if (m.D_colind[c] != j) continue;
        error = std::max(error, std::abs(d.qDeriv[c] - (a[i] - b[i]) / (2 * h)));
        size = std::max(size, std::abs(d.qDeriv[c]));
      }
    }
  }
  return error / size;
}

TEST(SmoothDerivative, IsTheFiniteDifferenceInScenes) {
  for (const char* name : kScenes) {
    Model m = load_scene(name);
    for (int seed = 1; seed < 4; ++seed) EXPECT_LT(derivative_error(m, seed), 1e-6) << name;
  }
}

TEST(SmoothDerivative, IsTheFiniteDifferenceWithFluidAndDampers) {
  Model m = case_model("fluid_and_dampers");
  // Denominators are kept above 1e-15, which areas of centimetres squared fall below: larger shapes
  // for the fluid.
  for (int i = 0; i < 3 * m.ngeom; ++i) m.geom_size[i] += 0.3;
  for (int seed = 1; seed < 4; ++seed) EXPECT_LT(derivative_error(m, seed), 1e-5) << seed;
}

// M - h D from the factors, against dense elimination.
TEST(TreeLu, SolvesWhatItFactored) {
  const Model m = load_scene("quadruped");
  const auto pattern = derivative_pattern(m);
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  Vector matrix(m.nD), x(m.nv), b(m.nv, 0);
  for (double& entry : matrix) entry = 0.1 * normal(generator);
  for (int i = 0; i < m.nv; ++i) {
    matrix[m.D_rowadr[i] + m.D_diag[i]] += 3;
    x[i] = normal(generator);
  }
  add_tree_product(pattern, matrix.data(), 1.0, x.data(), b.data());
  factor_tree_lu(pattern, matrix.data());
  solve_tree_lu(pattern, matrix.data(), b.data());
  for (int i = 0; i < m.nv; ++i) EXPECT_NEAR(b[i], x[i], 1e-12);
}

TEST(Mat6, SolvesWithRowExchanges) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  Mat6T<double> a;
  for (double& entry : a.m) entry = normal(generator);
  a(0, 0) = a(1, 1) = 0;
  double x[6], b[6] = {};
  for (double& value : x) value = normal(generator);
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) b[r] += a(r, c) * x[c];
  }
  EXPECT_TRUE(solve_lu(a, b));
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(b[i], x[i], 1e-12);
  Mat6T<double> zero;
  EXPECT_FALSE(solve_lu(zero, b));
}

}  // namespace
}  // namespace pliant

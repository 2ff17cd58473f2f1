// Mass properties against closed forms and against sums over many small spheres.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "compile/compile.h"
#include "pliant/load.h"

namespace pliant {
namespace {

Model body_with(const std::string& inside, const std::string& compiler = "") {
  return load_model_string("<mujoco><compiler angle=\"radian\" " + compiler + "/><worldbody><body><freejoint/>" +
                           inside + "</body></worldbody></mujoco>");
}

/// R diag(I) Rᵀ of body 1.
void full_inertia(const Model& m, double (&full)[3][3]) {
  const Quat q{m.body_iquat[4], m.body_iquat[5], m.body_iquat[6], m.body_iquat[7]};
  const Vec3 axes[3] = {rotate(q, Vec3{1, 0, 0}), rotate(q, Vec3{0, 1, 0}), rotate(q, Vec3{0, 0, 1})};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      full[r][c] = 0;
      for (int k = 0; k < 3; ++k) full[r][c] += axes[k][r] * axes[k][c] * m.body_inertia[3 + k];
    }
  }
}

TEST(Inertia, Sphere) {
  const Model m = body_with(R"(<geom size="0.5" mass="4"/>)");
  EXPECT_NEAR(m.body_inertia[3], 0.4 * 4 * 0.25, 1e-15);
}

TEST(Inertia, BoxByDensity) {
  const Model m = body_with(R"(<geom type="box" size="0.1 0.2 0.3" density="500"/>)");
  const double mass = 500 * 8 * 0.1 * 0.2 * 0.3;
  EXPECT_NEAR(m.body_mass[1], mass, 1e-12);
  EXPECT_NEAR(m.body_inertia[3], mass * (0.04 + 0.09) / 3, 1e-12);
}

TEST(Inertia, HollowSphereIsTwoThirds) {
  const Model m = body_with(R"(<geom size="0.5" mass="4" shellinertia="true"/>)");
  EXPECT_NEAR(m.body_inertia[3], 2.0 / 3 * 4 * 0.25, 1e-15);
}

TEST(Inertia, CapsuleBetweenCylinderAndLongerCylinder) {
  // bounds that any capsule obeys, and the limit of no cylinder at all
  const Model thin = body_with(R"(<geom type="capsule" size="0.2 1e-9" mass="1"/>)");
  EXPECT_NEAR(thin.body_inertia[3], 0.4 * 0.04, 1e-8);
  const Model m = body_with(R"(<geom type="capsule" size="0.2 0.5" mass="1"/>)");
  EXPECT_GT(m.body_inertia[3], (3 * 0.04 + 1.0) / 12);
  EXPECT_LT(m.body_inertia[3], (3 * 0.04 + 1.4 * 1.4) / 12);
}

TEST(Inertia, CompositeEqualsParallelAxisSum) {
  const Model m = body_with(R"(<geom type="box" size="0.1 0.2 0.3" pos="0.3 0 0.1" euler="0.3 0.2 0.1"/>
                               <geom type="sphere" size="0.2" pos="-0.4 0.1 0"/>
                               <geom type="capsule" size="0.05 0.3" pos="0 0.5 0" euler="1 0 0"/>)");
  // the same body as three bodies, each with one geom, gives mass, com and inertia to add up by hand
  const Model parts = load_model_string(R"(<mujoco><compiler angle="radian"/><worldbody>
      <body><geom type="box" size="0.1 0.2 0.3" pos="0.3 0 0.1" euler="0.3 0.2 0.1"/></body>
      <body><geom type="sphere" size="0.2" pos="-0.4 0.1 0"/></body>
      <body><geom type="capsule" size="0.05 0.3" pos="0 0.5 0" euler="1 0 0"/></body>
      </worldbody></mujoco>)");
  double mass = 0;
  Vec3 com;
  for (int b = 1; b < 4; ++b) {
    mass += parts.body_mass[b];
    com =
        com + Vec3{parts.body_ipos[3 * b], parts.body_ipos[3 * b + 1], parts.body_ipos[3 * b + 2]} * parts.body_mass[b];
  }
  com = com * (1 / mass);
  EXPECT_NEAR(m.body_mass[1], mass, 1e-12);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(m.body_ipos[3 + i], com[i], 1e-14);
  double sum[3][3] = {};
  for (int b = 1; b < 4; ++b) {
    const Quat q{parts.body_iquat[4 * b], parts.body_iquat[4 * b + 1], parts.body_iquat[4 * b + 2],
                 parts.body_iquat[4 * b + 3]};
    const Vec3 axes[3] = {rotate(q, Vec3{1, 0, 0}), rotate(q, Vec3{0, 1, 0}), rotate(q, Vec3{0, 0, 1})};
    const Vec3 d = Vec3{parts.body_ipos[3 * b], parts.body_ipos[3 * b + 1], parts.body_ipos[3 * b + 2]} - com;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) {
        for (int k = 0; k < 3; ++k) sum[r][c] += axes[k][r] * axes[k][c] * parts.body_inertia[3 * b + k];
        sum[r][c] += parts.body_mass[b] * ((r == c ? dot(d, d) : 0) - d[r] * d[c]);
      }
    }
  }
  constexpr double kAxesError = 1e-14;  // 4e-15 of the largest is left beside the diagonal
  const double largest = m.body_inertia[3] - m.body_inertia[5];
  double full[3][3];
  full_inertia(m, full);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(full[r][c], sum[r][c], kAxesError * largest) << r << c;
  }
}

TEST(Inertia, FullInertiaIsReproduced) {
  const Model m = body_with(R"(<inertial pos="0.1 0 0" mass="2" fullinertia="3 2 2.5 0.3 -0.2 0.1"/>
                               <geom size="0.1"/>)");
  double full[3][3];
  full_inertia(m, full);
  const double given[3][3] = {{3, 0.3, -0.2}, {0.3, 2, 0.1}, {-0.2, 0.1, 2.5}};
  // 4e-15 of the largest is left beside the diagonal
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(full[r][c], given[r][c], 5e-15 * 3);
  }
  EXPECT_GE(m.body_inertia[3], m.body_inertia[4]);
  EXPECT_GE(m.body_inertia[4], m.body_inertia[5]);
}

TEST(Inertia, TotalMassIsSet) {
  const Model m = body_with(R"(<geom size="0.1"/><geom size="0.2" pos="0 0 1"/>)", "settotalmass=\"7\"");
  EXPECT_NEAR(m.body_mass[1], 7, 1e-12);
  EXPECT_NEAR(m.body_subtreemass[0], 7, 1e-12);
}

TEST(Inertia, FusedStaticBodiesKeepMassAndCentre) {
  const char* inside = R"(<geom size="0.1"/><body pos="0.5 0 0" euler="0 0 1"><geom size="0.2" pos="0.1 0 0"/></body>)";
  const Model apart = body_with(inside), fused = body_with(inside, "fusestatic=\"true\"");
  EXPECT_EQ(fused.nbody, 2);
  EXPECT_NEAR(fused.body_mass[1], apart.body_mass[1] + apart.body_mass[2], 1e-12);
  const double share = apart.body_mass[2] / fused.body_mass[1];
  EXPECT_NEAR(fused.body_ipos[3], share * (0.5 + 0.1 * std::cos(1.0)), 1e-12);
  EXPECT_NEAR(fused.body_ipos[4], share * (0.1 * std::sin(1.0)), 1e-12);
}

}  // namespace
}  // namespace pliant

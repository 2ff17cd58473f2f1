// Tendons against closed forms and finite differences.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "integrate/integrate.h"
#include "kinematics/tendon_wrap_hd.h"
#include "pliant/pliant.h"
#include "pliant/step.h"
#include "step/stages.h"

namespace pliant {
namespace {

// The state after time h with the velocities of v.
State moved(const Model& m, const State& s, const std::vector<double>& v, double h) {
  State out = s;
  integrate_pos(m, out.qpos, v.data(), h);
  return out;
}

State random_state(const Model& m, std::mt19937& random) {
  std::normal_distribution<double> normal(0, 0.4);
  std::vector<double> v(m.nv);
  for (double& x : v) x = normal(random);
  State s = moved(m, State(m), v, 1);
  for (int i = 0; i < m.nv; ++i) s.qvel[i] = normal(random) * 2;
  return s;
}

Data tendons_at(const Model& m, const State& s) {
  Data d(m);
  run_poses(m, s, d);
  run_com(m, s, d);
  run_tendons(m, s, d);
  return d;
}

// The path over the top of a circle of radius r between ends at distances a and b from its centre,
// an angle apart: two tangents and an arc.
double circle_path(double a, double b, double angle, double r) {
  return std::sqrt(a * a - r * r) + std::sqrt(b * b - r * r) + r * (angle - std::acos(r / a) - std::acos(r / b));
}

TEST(TendonWrap, SphereIsAGreatCircleArc) {
  const Vec3 centre{.3, -.2, .1}, from{1.2, .3, -.4}, to{-1, -.5, .6};
  const double r = .4;
  const GeomWrap<double> wrap = wrap_geom<double>(from, to, centre, Mat3{}, r, false, nullptr);
  ASSERT_TRUE(wrap.wraps);
  const Vec3 a = from - centre, b = to - centre;
  const double angle = std::acos(dot(a, b) / (norm(a) * norm(b)));
  EXPECT_NEAR(norm(wrap.first - from) + wrap.length + norm(to - wrap.second), circle_path(norm(a), norm(b), angle, r),
              1e-13);
  // tangent at both points, which lie on the sphere
  EXPECT_NEAR(dot(wrap.first - centre, wrap.first - from), 0, 1e-13);
  EXPECT_NEAR(dot(wrap.second - centre, wrap.second - to), 0, 1e-13);
  EXPECT_NEAR(norm(wrap.first - centre), r, 1e-13);
}

TEST(TendonWrap, CylinderIsAHelix) {
  const Mat3 axes = matrix(normalized(Quat{.8, .3, -.4, .2}));
  const Vec3 centre{.1, .2, .3}, p0{1, .1, -.7}, p1{-.9, .2, .5};
  const double r = .5, a = std::hypot(p0.x, p0.y), b = std::hypot(p1.x, p1.y);
  const GeomWrap<double> wrap =
      wrap_geom<double>(axes * p0 + centre, axes * p1 + centre, centre, axes, r, true, nullptr);
  ASSERT_TRUE(wrap.wraps);
  // unrolled, the path is a straight line
  const double angle = std::acos((p0.x * p1.x + p0.y * p1.y) / (a * b));
  const double flat = circle_path(a, b, angle, r);
  const double length = norm(wrap.first - centre - axes * p0) + wrap.length + norm(axes * p1 + centre - wrap.second);
  EXPECT_NEAR(length, std::hypot(flat, p1.z - p0.z), 1e-13);
}

TEST(TendonWrap, SideSiteChoosesTheLongWay) {
  const Vec3 from{-1, .1, 0}, to{1, .1, 0}, above{0, 1, 0}, below{0, -1, 0};
  const double r = .3, a = norm(from), angle = std::acos(dot(from, to) / (a * a));
  const auto path = [&](const Vec3& side) {
    const auto w = wrap_geom<double>(from, to, Vec3{}, Mat3{}, r, false, &side);
    EXPECT_TRUE(w.wraps);
    return norm(w.first - from) + w.length + norm(to - w.second);
  };
  EXPECT_NEAR(path(above), circle_path(a, a, angle, r), 1e-13);
  EXPECT_NEAR(path(below), circle_path(a, a, 2 * kPi - angle, r), 1e-13);
}

// The path can be pulled tight from the way over the side site without crossing the circle: it goes round the centre by
// the same angle, meets the circle as a tangent, and the straight line is taken only where it goes round like that.
TEST(TendonWrap, GoesRoundAsTheWayOverTheSideSiteDoes) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-2, 2), size(.1, 1.2);
  const auto swept = [](Vec3 a, Vec3 b) { return std::atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y); };
  const auto clear = [](Vec3 a, Vec3 b, double r) {  // of the straight line from the circle
    const Vec3 span = b - a;
    const double along = std::clamp(-dot(span, a) / dot(span, span), 0.0, 1.0);
    return norm(a + span * along) - r;
  };
  int wrapped = 0, far_round = 0, straight = 0;
  for (int n = 0; n < 6000; ++n) {
    const Vec3 from{any(random), any(random), 0}, to{any(random), any(random), 0}, side{any(random), any(random), 0};
    const double r = size(random);
    if (norm(from) <= r || norm(to) <= r || norm(side) <= r) continue;
    const auto w = wrap_geom<double>(from, to, Vec3{}, Mat3{}, r, true, &side);
    const double wanted = swept(from, side) + swept(side, to);
    if (!w.wraps) {
      // either the straight line goes round like the way over the side site and is clear of the circle, or the two
      // tangents already turn further than that way does: nothing is left to wind
      ++straight;
      const double spare = std::abs(wanted) - std::acos(r / norm(from)) - std::acos(r / norm(to));
      EXPECT_LE(spare, 1e-12);
      EXPECT_NEAR(swept(from, to), wanted, 1e-12);
      EXPECT_GE(clear(from, to, r), -1e-12);
      continue;
    }
    ++wrapped;
    far_round += w.length > kPi * r;
    EXPECT_NEAR(norm(w.first), r, 1e-13);
    EXPECT_NEAR(norm(w.second), r, 1e-13);
    EXPECT_NEAR(dot(w.first, w.first - from), 0, 1e-12);
    EXPECT_NEAR(dot(w.second, w.second - to), 0, 1e-12);
    const double arc = std::copysign(w.length / r, wanted);
    EXPECT_NEAR(swept(from, w.first) + arc + swept(w.second, to), wanted, 1e-12);
    // the arc ends where it should, and neither tangent turns back
    EXPECT_NEAR(std::remainder(arc - swept(w.first, w.second), 2 * kPi), 0, 1e-12);
    EXPECT_GT(swept(from, w.first) * wanted, -1e-12);
    EXPECT_GT(swept(w.second, to) * wanted, -1e-12);
  }
  EXPECT_GT(wrapped, 500);
  EXPECT_GT(far_round, 50);
  EXPECT_GT(straight, 500);
}

TEST(TendonWrap, InsideTouchesOnceAndReflects) {
  const Vec3 centre{}, from{1, .2, 0}, to{.9, 1, 0}, side{.1, .1, 0};
  const double r = .6;
  const auto w = wrap_geom<double>(from, to, centre, Mat3{}, r, false, &side);
  ASSERT_TRUE(w.wraps);
  EXPECT_EQ(w.length, 0);
  EXPECT_EQ(norm(w.first - w.second), 0);
  EXPECT_NEAR(norm(w.first), r, 1e-13);
  // both pieces make the same angle with the radius (the search stops at 1e-6)
  EXPECT_NEAR(dot(normalized(from - w.first), w.first), dot(normalized(to - w.first), w.first), 1e-5);
}

TEST(TendonWrap, StraightWhereTheGeomIsOutOfTheWay) {
  const Vec3 side{0, 1, 0}, inside{0, .1, 0};
  const auto wraps = [](Vec3 from, Vec3 to, const Vec3* s) {
    return wrap_geom<double>(from, to, Vec3{}, Mat3{}, .5, false, s).wraps;
  };
  EXPECT_FALSE(wraps({-1, .6, 0}, {1, .6, 0}, nullptr));
  EXPECT_FALSE(wraps({-1, .6, 0}, {1, .6, 0}, &side));
  EXPECT_TRUE(wraps({-1, -.6, 0}, {1, -.6, 0}, &side));
  EXPECT_FALSE(wraps({-.3, .1, 0}, {1, .1, 0}, nullptr));  // an end inside
  EXPECT_FALSE(wraps({-1, .1, 0}, {1, .1, 0}, &inside));   // crosses the geom
}

const char* const kTendons = R"(<mujoco>
  <worldbody>
    <site name="wall" pos="-.8 .1 .4"/> <site name="post" pos=".9 0 .3"/>
    <body pos="0 0 .5">
      <freejoint/>
      <geom name="ball" size=".2"/>
      <geom name="drum" type="cylinder" size=".1 .2" pos=".1 .1 0" euler="60 20 0"/>
      <site name="out" pos="0 .4 .1"/> <site name="in" pos=".02 0 .05"/> <site name="skin" pos=".2 .1 .1"/>
      <body pos=".4 0 0">
        <joint name="ball" type="ball"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
        <site name="a" pos=".1 .05 0"/> <site name="tip" pos=".3 0 .05"/>
      </body>
    </body>
    <body pos=".5 .4 .8">
      <joint name="slide" type="slide" axis="1 0 .2" ref=".2"/> <joint name="hinge" axis="0 1 0" ref="10"/>
      <geom type="box" size=".05 .05 .1"/>
      <site name="cart" pos=".05 0 .1"/>
    </body>
  </worldbody>
  <tendon>
    <fixed><joint joint="slide" coef="2"/><joint joint="hinge" coef="-.5"/></fixed>
    <spatial><site site="wall"/><site site="skin"/><site site="tip"/><site site="cart"/></spatial>
    <spatial><site site="wall"/><geom geom="ball"/><site site="post"/></spatial>
    <spatial><site site="wall"/><geom geom="ball" sidesite="out"/><site site="cart"/></spatial>
    <spatial><site site="wall"/><geom geom="drum"/><site site="tip"/></spatial>
    <spatial><site site="post"/><geom geom="drum" sidesite="out"/><site site="wall"/></spatial>
    <spatial><site site="post"/><geom geom="ball" sidesite="in"/><site site="cart"/></spatial>
    <spatial>
      <site site="wall"/><geom geom="drum"/><site site="a"/>
      <pulley divisor="2"/>
      <site site="tip"/><site site="cart"/><geom geom="ball" sidesite="out"/><site site="wall"/>
    </spatial>
  </tendon>
</mujoco>)";

TEST(TendonDynamics, JacobianIsTheDerivativeOfLength) {
  const Model m = load_model_string(kTendons);
  std::mt19937 random(1);
  constexpr double kStep = 1e-5;
  int compared = 0;
  for (int n = 0; n < 40; ++n) {
    const State s = random_state(m, random);
    const Data d = tendons_at(m, s);
    for (int dof = 0; dof < m.nv; ++dof) {
      std::vector<double> unit(m.nv, 0.0);
      unit[dof] = 1;
      const Data after = tendons_at(m, moved(m, s, unit, kStep));
      const Data before = tendons_at(m, moved(m, s, unit, -kStep));
      for (int t = 0; t < m.ntendon; ++t) {
        if (after.ten_wrapnum[t] != before.ten_wrapnum[t]) continue;  // the path changes its course here
        double column = 0;
        for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
          if (m.ten_J_colind[k] == dof) column += d.ten_J[k];
        }
        const double difference = (after.ten_length[t] - before.ten_length[t]) / (2 * kStep);
        EXPECT_NEAR(column, difference, 1e-6) << "tendon " << t << " dof " << dof;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 3000);
}

// One chain, so that M has room for all of JᵀJ.
std::string chain(const std::string& armature) {
  return R"(<mujoco><worldbody><site name="w" pos="-.3 .2 .1"/>
    <body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/><site name="a" pos=".2 0 .1"/>
      <body pos=".3 0 0"><joint type="ball"/><geom type="box" size=".1 .05 .02" pos=".1 0 0"/>
        <site name="b" pos=".1 .1 0"/>
        <body pos=".2 0 0"><joint type="slide" axis="1 .2 0"/><joint axis="0 0 1"/><geom size=".05" pos=".1 0 0"/>
          <site name="c" pos=".1 .02 .03"/></body></body></body></worldbody>
    <tendon><spatial name="t" )" +
         armature + R"(><site site="w"/><site site="a"/><site site="c"/><pulley divisor="2"/>
      <site site="b"/><site site="w"/><site site="c"/></spatial></tendon></mujoco>)";
}

TEST(TendonDynamics, InertiaAndItsBiasForce) {
  const double inertia = .7, h = 1e-4;
  const Model with = load_model_string(chain("armature='.7'")), without = load_model_string(chain(""));
  std::mt19937 random(2);
  for (int n = 0; n < 20; ++n) {
    const State s = random_state(with, random);
    Data d1(with), d0(without);
    forward(with, s, d1);
    forward(without, s, d0);
    const int nv = with.nv;
    ASSERT_EQ(with.ten_J_rownnz[0], nv);

    // M grows by inertia J'J.
    for (int i = 0; i < nv; ++i) {
      for (int k = with.M_rowadr[i]; k < with.M_rowadr[i] + with.M_rownnz[i]; ++k) {
        EXPECT_NEAR(d1.M[k] - d0.M[k], inertia * d1.ten_J[i] * d1.ten_J[with.M_colind[k]], 1e-13);
      }
    }
    // The bias force is inertia J' times the acceleration of the length at constant qvel.
    const std::vector<double> v(s.qvel, s.qvel + nv);
    double acceleration = 0;
    for (const double side : {1.0, -1.0}) {
      const Data d = tendons_at(with, moved(with, s, v, side * h));
      for (int i = 0; i < nv; ++i) acceleration += side * d.ten_J[i] * v[i] / (2 * h);
    }
    for (int i = 0; i < nv; ++i) {
      const double expected = inertia * d1.ten_J[i] * acceleration;
      EXPECT_NEAR(d1.qfrc_bias[i] - d0.qfrc_bias[i], expected, 1e-5 * (1 + std::abs(expected)));
    }
  }
}

}  // namespace
}  // namespace pliant

// Identities of the smooth dynamics that need no reference: two ways to the same number.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "inertia/inertia.h"
#include "integrate/integrate.h"
#include "pliant/step.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

using Vector = std::vector<double>;

class Identities : public testing::TestWithParam<const char*> {
 protected:
  Identities() : m(load_scene(GetParam())), s(m), d(m) {
    m.opt.disableflags |= kDisableConstraint;
    randomise(m, s, 1);
    forward(m, s, d);
  }
  Model m;
  State s;
  Data d;
};

// M e_i = forces for unit acceleration of dof i minus forces for none, plus armature.
TEST_P(Identities, MassMatrixIsInverseDynamics) {
  Vector bias(m.nv), force(m.nv), column(m.nv), unit(m.nv);
  newton_euler(m, s, d, nullptr, bias.data());
  for (int i = 0; i < m.nv; ++i) {
    std::fill(unit.begin(), unit.end(), 0);
    unit[i] = 1;
    newton_euler(m, s, d, unit.data(), force.data());
    multiply_mass(m, d, unit.data(), column.data());
    for (int j = 0; j < m.nv; ++j) {
      const double armature = i == j ? column[j] - (force[j] - bias[j]) : 0;
      EXPECT_GE(armature, -1e-9 * (1 + std::abs(column[j])));
      EXPECT_NEAR(force[j] - bias[j] + armature, column[j], 1e-9 * (1 + std::abs(column[j]))) << i << " " << j;
    }
  }
}

TEST_P(Identities, SolveUndoesMultiply) {
  Vector x(m.nv), y(m.nv);
  for (int i = 0; i < m.nv; ++i) x[i] = std::sin(1.0 + i);
  multiply_mass(m, d, x.data(), y.data());
  solve_mass(m, d, y.data());
  for (int i = 0; i < m.nv; ++i) EXPECT_NEAR(y[i], x[i], 1e-8);
}

TEST_P(Identities, DifferenceUndoesIntegrate) {
  Vector qpos(s.qpos, s.qpos + m.nq), v(m.nv), back(m.nv);
  for (int i = 0; i < m.nv; ++i) v[i] = 0.3 * std::cos(2.0 * i);
  // quaternions of the start must have unit length for the difference to be exact
  integrate_pos(m, qpos.data(), Vector(m.nv, 0).data(), 1);
  Vector moved = qpos;
  integrate_pos(m, moved.data(), v.data(), 0.7);
  differentiate_pos(m, back.data(), 0.7, qpos.data(), moved.data());
  for (int i = 0; i < m.nv; ++i) EXPECT_NEAR(back[i], v[i], 1e-9);
}

// cdof and cvel describe how bodies really move.
TEST_P(Identities, BodyVelocitiesAreFiniteDifferences) {
  const double h = 1e-6;
  State before = s, after = s;
  integrate_pos(m, before.qpos, s.qvel, -h);
  integrate_pos(m, after.qpos, s.qvel, h);
  Data a(m), b(m);
  forward(m, before, a);
  forward(m, after, b);
  for (int body = 1; body < m.nbody; ++body) {
    const double* v = d.cvel + 6 * body;
    const double* c = d.subtree_com + 3 * m.body_rootid[body];
    const double* p = d.xipos + 3 * body;
    const double r[3] = {p[0] - c[0], p[1] - c[1], p[2] - c[2]};
    const double velocity[3] = {v[3] + v[1] * r[2] - v[2] * r[1], v[4] + v[2] * r[0] - v[0] * r[2],
                                v[5] + v[0] * r[1] - v[1] * r[0]};
    for (int k = 0; k < 3; ++k) {
      const double slope = (b.xipos[3 * body + k] - a.xipos[3 * body + k]) / (2 * h);
      EXPECT_NEAR(velocity[k], slope, 1e-5 * (1 + std::abs(slope))) << body << " " << k;
    }
  }
}

// cdof_dot is the derivative of cdof; the reference point moves, which shifts the linear part.
TEST_P(Identities, RotationColumnsChangeAsTheirDerivativeSays) {
  const double h = 1e-6;
  State before = s, after = s;
  integrate_pos(m, before.qpos, s.qvel, -h);
  integrate_pos(m, after.qpos, s.qvel, h);
  Data a(m), b(m);
  forward(m, before, a);
  forward(m, after, b);
  for (int i = 0; i < m.nv; ++i) {
    const auto type = static_cast<JointType>(m.jnt_type[m.dof_jntid[i]]);
    if (type != JointType::kHinge) continue;  // columns of others follow the body, not what carries it
    for (int k = 0; k < 3; ++k) {
      const double slope = (b.cdof[6 * i + k] - a.cdof[6 * i + k]) / (2 * h);
      EXPECT_NEAR(d.cdof_dot[6 * i + k], slope, 1e-6 * (1 + std::abs(slope))) << i << " " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Identities, testing::ValuesIn(kScenes));

}  // namespace
}  // namespace pliant

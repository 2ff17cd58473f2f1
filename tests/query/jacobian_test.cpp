// Jacobians against finite differences, and against each other.

#include "tests/query/system.h"

namespace pliant {
namespace {

class Jacobians : public testing::TestWithParam<int>, protected System {
 protected:
  Jacobians() : System(GetParam()), jacp(3 * m.nv), jacr(3 * m.nv) {}
  Vector unit(int dof) const {
    Vector x(m.nv);
    x[dof] = 1;
    return x;
  }
  Vector jacp, jacr;
};

TEST_P(Jacobians, AreDerivativesOfPositions) {
  for (int b = 0; b < m.nbody; ++b) {
    jacobian_body_com(m, d, b, jacp.data(), jacr.data());
    Vector origin(3 * m.nv), center(3 * m.nv);
    jacobian_body(m, d, b, origin.data(), nullptr);
    jacobian_subtree_com(m, d, b, center.data());
    for (int i = 0; i < m.nv; ++i) {
      const Vector along = unit(i);
      const std::string what = "body " + std::to_string(b) + " dof " + std::to_string(i);
      expect_near(column(jacp, m.nv, i),
                  slope(along.data(), nullptr, [&](const Data& x) { return triple(x.xipos, b); }), 1e-7, what);
      expect_near(column(origin, m.nv, i),
                  slope(along.data(), nullptr, [&](const Data& x) { return triple(x.xpos, b); }), 1e-7, what);
      expect_near(column(center, m.nv, i),
                  slope(along.data(), nullptr, [&](const Data& x) { return triple(x.subtree_com, b); }), 1e-7, what);
    }
  }
}

TEST_P(Jacobians, GiveVelocitiesOfObjects) {
  double velocity[6];
  for (int i = 0; i < m.nsite; ++i) {
    jacobian_site(m, d, i, jacp.data(), jacr.data());
    object_velocity(m, d, ObjType::kSite, i, false, velocity);
    expect_near(product(jacr, m.nv, s.qvel), triple(velocity), 1e-12, "site turns");
    expect_near(product(jacp, m.nv, s.qvel), triple(velocity, 1), 1e-12, "site moves");
  }
  for (int i = 0; i < m.ngeom; ++i) {
    jacobian_geom(m, d, i, jacp.data(), jacr.data());
    object_velocity(m, d, ObjType::kGeom, i, false, velocity);
    expect_near(product(jacr, m.nv, s.qvel), triple(velocity), 1e-12, "geom turns");
    expect_near(product(jacp, m.nv, s.qvel), triple(velocity, 1), 1e-12, "geom moves");
  }
}

TEST_P(Jacobians, AxisFollowsItsBody) {
  for (int i = 0; i < m.nsite; ++i) {
    // the x axis of a site
    const double axis[3] = {d.site_xmat[9 * i], d.site_xmat[9 * i + 3], d.site_xmat[9 * i + 6]};
    jacobian_point_axis(m, d, m.site_bodyid[i], d.site_xpos + 3 * i, axis, jacp.data(), jacr.data());
    const auto read = [&](const Data& x) {
      return Triple{x.site_xmat[9 * i], x.site_xmat[9 * i + 3], x.site_xmat[9 * i + 6]};
    };
    expect_near(product(jacr, m.nv, s.qvel), slope(s.qvel, nullptr, read), 1e-7, "axis");
  }
}

/// d/dt of the Jacobians of all sites, column by column, against finite differences.
void expect_dot_is_derivative(const System& system) {
  const Model& m = system.m;
  Vector dotp(3 * m.nv), dotr(3 * m.nv);
  for (int i = 0; i < m.nsite; ++i) {
    jacobian_dot(m, system.d, m.site_bodyid[i], system.d.site_xpos + 3 * i, dotp.data(), dotr.data());
    for (int dof = 0; dof < m.nv; ++dof) {
      const auto read = [&](bool turning) {
        return system.slope(system.s.qvel, nullptr, [&, turning](const Data& x) {
          Vector p(3 * m.nv), r(3 * m.nv);
          jacobian_site(m, x, i, p.data(), r.data());
          return column(turning ? r : p, m.nv, dof);
        });
      };
      expect_near(column(dotp, m.nv, dof), read(false), 1e-6, "jacp of site " + std::to_string(i));
      expect_near(column(dotr, m.nv, dof), read(true), 1e-6, "jacr of site " + std::to_string(i));
    }
  }
}

TEST_P(Jacobians, DotIsTheirDerivativeInTime) { expect_dot_is_derivative(*this); }

TEST(JacobiansOfABody, DotOfABallWithSlidesAfterIt) {
  for (const char* joints :
       {R"(<joint type="ball" pos=".1 0 .2"/><joint type="slide" axis="1 .3 .2"/>)",
        R"(<joint axis="0 1 0"/><joint type="ball" pos="0 .1 0"/>)",
        R"(<joint type="slide"/><joint type="ball"/><joint type="slide"/><joint type="slide" axis="0 1 1"/>)"}) {
    SCOPED_TRACE(joints);
    const std::string text = std::string(R"(<mujoco><worldbody><body pos="0 0 1"><joint axis="1 2 3"/><geom size=".1"/>
      <body pos=".3 0 .1">)") +
                             joints + R"(<geom size=".1"/><site pos=".1 .2 .05"/></body></body></worldbody></mujoco>)";
    expect_dot_is_derivative(System(load_model_string(text), 3));
  }
}

TEST_P(Jacobians, AngularMomentumMatrixGivesAngularMomentum) {
  subtree_velocity(m, s, d);
  Vector matrix(3 * m.nv);
  for (int b = 0; b < m.nbody; ++b) {
    angular_momentum_matrix(m, d, b, matrix.data());
    expect_near(product(matrix, m.nv, s.qvel), triple(d.subtree_angmom, b), 1e-12, "body " + std::to_string(b));
  }
}

TEST_P(Jacobians, TransposedTheyMapForces) {
  const double force[3] = {1, -2, 0.5}, torque[3] = {0.3, 0.1, -0.7};
  for (int i = 0; i < m.nsite; ++i) {
    jacobian_site(m, d, i, jacp.data(), jacr.data());
    Vector qfrc(m.nv);
    apply_force(m, d, m.site_bodyid[i], d.site_xpos + 3 * i, force, torque, qfrc.data());
    for (int dof = 0; dof < m.nv; ++dof) {
      double expected = 0;
      for (int k = 0; k < 3; ++k) expected += jacp[k * m.nv + dof] * force[k] + jacr[k * m.nv + dof] * torque[k];
      EXPECT_NEAR(qfrc[dof], expected, 1e-12);
    }
  }
}

TEST_P(Jacobians, HalvesOfTheMassMatrixMakeTheWhole) {
  Vector dense(m.nv * m.nv), x(m.nv), whole(m.nv), half(m.nv), other(m.nv);
  full_mass(m, d.M, dense.data());
  for (int i = 0; i < m.nv; ++i) x[i] = std::sin(1 + i);
  multiply_mass(m, d, x.data(), whole.data());
  double energy = 0, inverse_energy = 0, half_norm = 0, solved_norm = 0;
  for (int i = 0; i < m.nv; ++i) {
    double sum = 0;
    for (int j = 0; j < m.nv; ++j) sum += dense[i * m.nv + j] * x[j];
    EXPECT_NEAR(sum, whole[i], 1e-12 * (1 + std::abs(sum)));
    energy += x[i] * whole[i];
  }
  multiply_sqrt_mass(m, d, x.data(), half.data());
  other = x;
  solve_sqrt_mass(m, d, other.data());
  Vector solved = x;
  solve_mass(m, d, solved.data());
  for (int i = 0; i < m.nv; ++i) {
    half_norm += half[i] * half[i];
    solved_norm += other[i] * other[i];
    inverse_energy += x[i] * solved[i];
  }
  EXPECT_NEAR(half_norm, energy, 1e-10 * energy);
  EXPECT_NEAR(solved_norm, inverse_energy, 1e-10 * inverse_energy);
}

INSTANTIATE_TEST_SUITE_P(States, Jacobians, testing::Values(1, 2));

}  // namespace
}  // namespace pliant

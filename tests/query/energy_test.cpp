// Energy and momentum: closed forms, conservation.

#include "tests/query/system.h"

namespace pliant {
namespace {

// The work of gravity along each dof is what the bias force has to hold against.
TEST(Energy, GravityIsItsGradient) {
  System system;
  Model& m = system.m;
  m.opt.disableflags |= kDisableSpring;
  std::fill(system.s.qvel, system.s.qvel + m.nv, 0.0);
  forward(m, system.s, system.d);
  for (int i = 0; i < m.nv; ++i) {
    double value[2];
    for (int side = 0; side < 2; ++side) {
      State there = system.s;
      Vector along(m.nv);
      along[i] = 1;
      integrate_pos(m, there.qpos, along.data(), side ? 1e-6 : -1e-6);
      Data data(m);
      forward(m, there, data);
      potential_energy(m, there, data);
      value[side] = data.energy[0];
    }
    EXPECT_NEAR((value[1] - value[0]) / 2e-6, system.d.qfrc_bias[i], 1e-6) << i;
  }
}

TEST(Energy, SpringsByHand) {
  Model m = load_model_string(R"(
    <mujoco><option gravity="0 0 0"/><worldbody>
      <body><joint name="a" type="slide" stiffness="2 3 5"/><geom size="0.1"/></body>
      <body><joint type="ball" stiffness="4 1"/><geom size="0.1"/></body>
    </worldbody>
    <tendon><fixed stiffness="7" springlength="-1 0.1"><joint joint="a" coef="2"/></fixed></tendon></mujoco>)");
  m.tendon_lengthspring[0] = -1, m.tendon_lengthspring[1] = 0.1;
  State s(m);
  s.qpos[0] = 0.4;
  s.qpos[1] = std::cos(0.3), s.qpos[2] = std::sin(0.3);  // turned by 0.6
  Data d(m);
  forward(m, s, d);
  d.ten_length[0] = 0.8;
  potential_energy(m, s, d);
  const double slide = 2 * 0.16 / 2 + 3 * 0.064 / 3 + 5 * 0.0256 / 4;
  const double ball = 4 * 0.36 / 2 + 1 * 0.216 / 3;
  const double tendon = 7 * 0.49 / 2;
  EXPECT_NEAR(d.energy[0], slide + ball + tendon, 1e-12);
}

// A pendulum without friction keeps its energy; the semi-implicit step errs by a share of the
// timestep.
TEST(Energy, OfAPendulumStays) {
  Model m = load_model_string(R"(
    <mujoco><option timestep="1e-5"/><worldbody><body>
      <joint axis="0 1 0"/><geom size="0.1" pos="0.5 0 0" mass="2"/>
    </body></worldbody></mujoco>)");
  State s(m);
  Data d(m);
  const auto total = [&] {
    forward(m, s, d);
    potential_energy(m, s, d);
    kinetic_energy(m, s, d);
    return d.energy[0] + d.energy[1];
  };
  const double start = total();
  for (int i = 0; i < 20000; ++i) step(m, s, d);
  EXPECT_NEAR(total(), start, 1e-3);
  EXPECT_GT(d.energy[1], 0.5);  // it does swing
}

// Nothing but inner forces: momentum and angular momentum of a free tree do not change.
TEST(Momentum, OfAFreeTreeStays) {
  System system(3);
  Model& m = system.m;
  m.opt.disableflags |= kDisableGravity | kDisableSpring;
  State& s = system.s;
  std::fill(s.xfrc_applied, s.xfrc_applied + 6 * m.nbody, 0.0);
  const int body = m.id(ObjType::kBody, "float");
  for (int i = 0; i < 6; ++i) s.qfrc_applied[m.body_dofadr[body] + i] = 0;
  forward(m, s, system.d);
  const auto momentum = [&](const Data& x) { return triple(x.subtree_linvel, body); };
  const auto spin = [&](const Data& x) { return triple(x.subtree_angmom, body); };
  expect_near(system.slope(s.qvel, system.d.qacc, momentum), {}, 1e-7, "momentum");
  expect_near(system.slope(s.qvel, system.d.qacc, spin), {}, 1e-7, "angular momentum");
  // and nobody holds its root
  body_forces(m, s, system.d);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(system.d.cfrc_int[6 * body + k], 0, 1e-10) << k;
}

}  // namespace
}  // namespace pliant

// Inverse dynamics gives back what forward dynamics was given.

#include <algorithm>
#include <vector>

#include "pliant/step.h"
#include "tests/query/system.h"

namespace pliant {
namespace {

Vector given_force(const System& system) {
  const Model& m = system.m;
  Vector force(m.nv);
  for (int i = 0; i < m.nv; ++i) force[i] = system.s.qfrc_applied[i] + system.d.qfrc_actuator[i];
  for (int b = 1; b < m.nbody; ++b) {
    const double* wrench = system.s.xfrc_applied + 6 * b;
    apply_force(m, system.d, b, system.d.xipos + 3 * b, wrench, wrench + 3, force.data());
  }
  return force;
}

TEST(Inverse, StagesAreFollowedByTheProbe) {
  const Model m =
      load_model_string(R"(<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
    <sensor><jointpos joint="j"/><jointvel joint="j"/><framelinacc objtype="body" objname="b"/></sensor></mujoco>)");
  const State s(m);
  Data d(m);
  std::vector<int> seen;
  d.probe = [&](const Model&, const State&, Data&, int stage) { seen.push_back(stage); };
  ASSERT_TRUE(inverse(m, s, d).ok());
  for (const char* title : {"passive", "position sensors", "velocity sensors", "acceleration sensors"}) {
    EXPECT_EQ(std::count(seen.begin(), seen.end(), place_of(title)), 1) << title;
  }
  for (int i = 0; i < static_cast<int>(pipeline().size()); ++i) EXPECT_EQ(place_of(pipeline()[i].name), i);
  EXPECT_EQ(place_of("no such stage"), -1);
  seen.clear();
  run_stage(m, s, d, place_of("poses"));
  EXPECT_EQ(seen, std::vector<int>{place_of("poses")});
}

TEST(Inverse, UndoesForward) {
  System system(4);
  const Vector force = given_force(system);
  const Vector qacc(system.d.qacc, system.d.qacc + system.m.nv);
  EXPECT_LT(compare_forward_inverse(system.m, system.s, system.d).applied, 1e-10);
  // a Data that knows nothing but the accelerations
  Data fresh(system.m);
  std::copy(qacc.begin(), qacc.end(), fresh.qacc);
  inverse(system.m, system.s, fresh);
  for (int i = 0; i < system.m.nv; ++i) {
    EXPECT_NEAR(fresh.qfrc_inverse[i], force[i], 1e-10 * (1 + std::abs(force[i]))) << i;
    EXPECT_EQ(fresh.qacc[i], qacc[i]);
  }
}

TEST(Inverse, UndoesAStep) {
  System system(5);
  Model& m = system.m;
  m.opt.enableflags |= kEnableInvDiscrete;
  m.opt.integrator = Integrator::kEuler;
  for (int i = 0; i < m.nv; ++i) m.dof_damping[i] = 0.5 + 0.1 * i;
  forward(m, system.s, system.d);
  const Vector force = given_force(system);
  State next = system.s;
  Data d(m);
  step(m, next, d);
  for (int i = 0; i < m.nv; ++i) d.qacc[i] = (next.qvel[i] - system.s.qvel[i]) / m.opt.timestep;
  inverse(m, system.s, d);
  for (int i = 0; i < m.nv; ++i) EXPECT_NEAR(d.qfrc_inverse[i], force[i], 1e-7 * (1 + std::abs(force[i]))) << i;
}

}  // namespace
}  // namespace pliant

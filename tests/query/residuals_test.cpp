// Residuals of equalities and limits by name.

#include <gtest/gtest.h>

#include <cmath>

#include "pliant/pliant.h"
#include "pliant/query.h"

namespace pliant {
namespace {

TEST(Residuals, AreNamedAndMeasured) {
  const Model m = load_model_string(R"(<mujoco><worldbody>
    <body name="a" pos="0 0 1"><freejoint/><geom size=".1"/></body>
    <body name="b" pos="1 0 1"><freejoint/><geom size=".1"/></body>
    <body pos="2 0 1"><joint name="elbow" axis="0 1 0" range="-30 30"/><joint name="slider" type="slide"/>
      <geom size=".1"/></body></worldbody>
    <tendon><fixed name="cord" limited="true" range="-1 .2"><joint joint="slider" coef="1"/></fixed></tendon>
    <equality><connect name="hook" body1="a" anchor="0 0 0"/>
      <weld name="glue" body1="b" anchor="1 0 1" torquescale="2"/>
      <joint name="gear" joint1="slider" polycoef=".25 0 0 0 0"/><tendon tendon1="cord" active="false"/>
    </equality></mujoco>)");
  State s(m);
  Data d(m);
  s.qpos[0] += 0.03, s.qpos[1] += 0.04;                      // hook: 0.05 off
  s.qpos[7] += 0.02;                                         // glue: 0.02 off,
  s.qpos[10] = std::cos(0.15), s.qpos[13] = std::sin(0.15);  // turned by 0.3
  s.qpos[14] = 0.6, s.qpos[15] = 0.3;                        // both beyond their limits
  ASSERT_TRUE(forward(m, s, d).ok());
  const std::vector<Residual> found = constraint_residuals(m, d);
  const struct {
    const char *kind, *name;
    double value;
  } expected[] = {{"connect", "hook", 0.05},
                  {"weld position", "glue", 0.02},
                  {"weld rotation", "glue", 0.3},
                  {"joint", "gear", 0.05},
                  {"joint limit", "elbow", 30 * 3.14159265358979 / 180 - 0.6},
                  {"tendon limit", "cord", -0.1}};
  ASSERT_EQ(found.size(), std::size(expected));
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].kind, expected[i].kind);
    EXPECT_EQ(found[i].name, expected[i].name);
    EXPECT_NEAR(found[i].value, expected[i].value, 1e-12) << found[i].name;
    EXPECT_FALSE(found[i].origin.empty());
  }
  // every force of a row is in one of them
  EXPECT_EQ(found[3].force, d.rows.row_force[found[3].row]);
  EXPECT_EQ(found[0].force, std::hypot(d.rows.row_force[0], d.rows.row_force[1], d.rows.row_force[2]));
  EXPECT_GT(found[4].force, 0);
  EXPECT_EQ(d.rows.n, 3 + 6 + 1 + 2);
}

}  // namespace
}  // namespace pliant

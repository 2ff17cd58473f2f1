// Springs that yield, without a reference: closed forms of the return map, and what does not move the rest.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "pliant/pliant.h"
#include "pliant/rollout.h"

namespace pliant {
namespace {

Model loaded(const std::string& joint, const std::string& rest = "", const std::string& integrator = "Euler") {
  return load_model_string(
      "<mujoco><compiler angle=\"radian\"/><option timestep=\".01\" gravity=\"0 0 0\" integrator=\"" + integrator +
      "\"/><worldbody><body>" + joint + "<geom size=\".1\" mass=\"2\"/></body></worldbody>" + rest + "</mujoco>");
}

constexpr const char* kSlide = R"(<joint name="j" type="slide" stiffness="5" springref=".1" springyield=".05"/>)";

TEST(Plastic, StartsWhereTheSpringIsAtRest) {
  const Model m = loaded(kSlide, R"(<tendon><fixed name="t" springlength="0 .4" springyield=".1"><joint joint="j"
    coef="1"/></fixed></tendon>)");
  const State s(m);
  ASSERT_EQ(m.nplastic, 3);
  EXPECT_EQ(m.jnt_plasticadr[0], 0);
  EXPECT_EQ(m.tendon_plasticadr[0], 1);
  EXPECT_EQ(s.plastic[0], .1);
  EXPECT_EQ(s.plastic[1], 0);
  EXPECT_EQ(s.plastic[2], .4);
}

TEST(Plastic, KeepsWhatItYieldsAt) {
  for (const char* integrator : {"Euler", "RK4", "implicit", "implicitfast", "discrete"}) {
    const Model m = loaded(kSlide, "", integrator);
    for (const double start : {-.3, -.04, .06, .12, .14, .4}) {
      State s(m);
      Data d(m);
      s.qpos[0] = start;
      forward(m, s, d);
      EXPECT_EQ(s.plastic[0], .1);
      EXPECT_NEAR(d.qfrc_spring[0], -5 * (start - .1), 1e-15) << "all of it is elastic in this evaluation";
      ASSERT_TRUE(step(m, s, d).ok());
      const double e = s.qpos[0] - .1;
      EXPECT_NEAR(s.plastic[0], std::abs(e) > .05 ? s.qpos[0] - std::copysign(.05, e) : .1, 1e-15)
          << integrator << start;
    }
  }
}

// A turn by 1 about some axis: the rest follows by what is beyond the yield, about the same axis.
TEST(Plastic, BallsFollowAboutTheAxisTheyTurn) {
  const Model m = loaded(R"(<joint type="ball" stiffness="1" springyield=".3"/>)");
  State s(m);
  Data d(m);
  const double axis[3] = {.6, 0, .8};
  for (int k = 0; k < 3; ++k) s.qpos[1 + k] = axis[k] * std::sin(.5);
  s.qpos[0] = std::cos(.5);
  m.jnt_stiffness[0] = 0;  // stays where it is
  ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_NEAR(s.plastic[0], std::cos(.35), 1e-15);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(s.plastic[1 + k], axis[k] * std::sin(.35), 1e-15);
}

TEST(Plastic, RopesOnlyGetLonger) {
  for (const bool rope : {true, false}) {
    const std::string lengths = rope ? "0 .4" : ".1 .4";
    Model m = loaded(R"(<joint name="j" type="slide"/>)",
                     "<tendon><fixed name=\"t\" stiffness=\"1\" springlength=\"" + lengths +
                         R"(" springyield=".05"><joint joint="j" coef="2"/></fixed></tendon>)");
    m.tendon_stiffness[0] = 0;
    State s(m);
    Data d(m);
    const double low = s.plastic[0];
    s.qpos[0] = .5, s.qvel[0] = 1;
    ASSERT_TRUE(step(m, s, d).ok());
    EXPECT_NEAR(s.plastic[1], 2 * .51 - .05, 1e-15);
    EXPECT_NEAR(s.plastic[0], rope ? 0 : low + 2 * .51 - .05 - .4, 1e-15);
    // too short: both lengths follow
    const double high = s.plastic[1], before = s.plastic[0];
    s.qpos[0] = -1, s.qvel[0] = 0;
    ASSERT_TRUE(step(m, s, d).ok());
    EXPECT_NEAR(s.plastic[0], -2 + .05, 1e-15);
    EXPECT_NEAR(s.plastic[1] - s.plastic[0], high - before, 1e-15);
  }
}

TEST(Plastic, IsKeptInVectorsAndHashes) {
  const Model m = loaded(kSlide);
  State s(m);
  const uint64_t before = s.hash();
  s.plastic[0] = .7;
  EXPECT_NE(s.hash(), before);
  EXPECT_EQ(state_size(m, kStatePlastic), 1);
  double x = 0;
  get_state(m, s, kStatePlastic, &x);
  EXPECT_EQ(x, .7);
  State other(m);
  copy_state(m, s, kStateFullPhysics, other);
  EXPECT_EQ(other.plastic[0], .7);
  other.reset(m);
  EXPECT_EQ(other.plastic[0], .1);
}

TEST(Plastic, StaysWhenAStepIsRefused) {
  const Model m = loaded(kSlide);
  State s(m);
  Data d(m);
  s.qpos[0] = .9, s.qvel[0] = 9.9e9;
  s.qfrc_applied[0] = 9e9;
  for (int i = 0; i < 3 && step(m, s, d).ok(); ++i) s.plastic[0] = .1;
  const double rest = s.plastic[0];
  s.qvel[0] = 1.1e10;
  EXPECT_FALSE(step(m, s, d).ok());
  EXPECT_EQ(s.plastic[0], rest);
  s.qvel[0] = 0, s.plastic[0] = std::nan("");
  const StepStatus status = step(m, s, d);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(describe_status(m, d, status).find("plastic[0] (joint 'j'"), std::string::npos)
      << describe_status(m, d, status);
}

}  // namespace
}  // namespace pliant

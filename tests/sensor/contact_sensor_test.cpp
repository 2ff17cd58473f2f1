// Sensors of contacts, rays and distances without a reference: contacts and row forces written by
// hand, closed forms.

#include <gtest/gtest.h>

#include <cmath>

#include "pliant/pliant.h"
#include "pliant/query.h"

namespace pliant {
namespace {

const char* kScene = R"(
  <mujoco><worldbody>
    <geom name="floor" type="plane" size="0 0 1"/>
    <body name="a" pos="0 0 2"><freejoint/><geom name="ga" size="0.5"/>
      <site name="pad" type="box" size="1 1 0.1" pos="0 0 -0.5"/><site name="down" euler="180 0 0"/></body>
    <body name="b" pos="3 0 0.5"><freejoint/><geom name="gb" type="box" size="0.5 0.5 0.5"/></body>
  </worldbody>
  <sensor>
    <contact body1="a" data="found force torque dist pos normal tangent"/>
    <contact body1="a" body2="world" num="2" reduce="maxforce" data="found force normal tangent"/>
    <contact body2="a" reduce="netforce" data="found force torque pos"/>
    <touch site="pad"/>
    <rangefinder site="down"/>
    <distance geom1="ga" geom2="gb" cutoff="10"/>
    <fromto geom1="ga" geom2="floor" cutoff="10"/>
    <normal geom1="floor" geom2="ga" cutoff="10"/>
  </sensor></mujoco>)";

// Two contacts of ball a with the floor: rows of a pyramid and of a cone.
struct Touching {
  Model m = load_model_string(kScene);
  State s{m};
  Data d{m};

  Touching() {
    run_phases(m, s, d, Phase::kPosition, Phase::kPosition, false);
    d.arena.reset();
    d.ncon = 2;
    d.contact = d.arena.take<Contact>(2);
    for (int k = 0; k < 2; ++k) {
      Contact& c = d.contact[k] = {};
      c.dist = -0.01 * (k + 1);
      c.pos[0] = k == 0 ? -0.2 : 0.4;
      c.pos[2] = 1.5;
      const double frame[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};  // normal up, from the floor to the ball
      std::copy(frame, frame + 9, c.frame);
      c.friction[0] = c.friction[1] = 0.5;
      c.dim = 3;
      c.geom[0] = 0, c.geom[1] = 1;
      c.row = k == 0 ? 0 : 4;
    }
    d.rows = {};
    d.rows.n = 7;
    d.rows.row_type = d.arena.take<int>(7);
    d.rows.row_force = d.arena.take<double>(7);
    const double force[7] = {3, 1, 2, 2, 20, 0.5, -0.25};
    for (int i = 0; i < 7; ++i) {
      d.rows.row_type[i] = int(i < 4 ? RowType::kContactPyramidal : RowType::kContactElliptic);
      d.rows.row_force[i] = force[i];
    }
  }
  const double* read(int sensor) {
    for (const StageInfo& stage : pipeline()) {
      if (stage.is_sensor()) stage.run(m, s, d);
    }
    return d.sensordata + m.sensor_adr[sensor];
  }
};

void expect(const double* got, std::initializer_list<double> want, const char* what) {
  int k = 0;
  for (const double x : want) {
    EXPECT_NEAR(got[k], x, 1e-12) << what << " " << k;
    ++k;
  }
}

TEST(ContactSensors, ForceOfAPyramidIsTheSumOfItsEdges) {
  Touching t;
  double force[6];
  contact_force(t.d, 0, force);
  expect(force, {8, 1, 0, 0, 0, 0}, "pyramid");  // 3 + 1 + 2 + 2; (3 - 1) / 2; (2 - 2) / 2
  contact_force(t.d, 1, force);
  expect(force, {20, 0.5, -0.25, 0, 0, 0}, "cone");
  t.d.contact[1].row = -1;
  contact_force(t.d, 1, force);
  expect(force, {0, 0, 0, 0, 0, 0}, "no rows");
}

TEST(ContactSensors, NormalPointsAwayFromTheFirstObject) {
  Touching t;
  // the ball is the second geom: everything is turned round
  expect(t.read(0), {2, 8, 1, -0.0, 0, 0, 0, -0.01, -0.2, 0, 1.5, 0, 0, -1, -1, 0, 0}, "body1");
  // stronger contact first
  expect(t.read(1), {2, 20, 0.5, 0.25, 0, 0, -1, -1, 0, 0, 2, 8, 1, 0, 0, 0, -1, -1, 0, 0}, "maxforce");
}

TEST(ContactSensors, NetForceHasTheMomentOfAllAboutTheirCentre) {
  Touching t;
  const double* net = t.read(2);
  const double w0 = std::sqrt(65), w1 = std::sqrt(400 + 0.25 + 0.0625);
  const double x = (-0.2 * w0 + 0.4 * w1) / (w0 + w1);
  // forces in the world: (1, 0, 8) and (0.5, -0.25, 20)
  expect(net, {2, 1.5, -0.25, 28}, "force");
  expect(net + 4, {0, -((-0.2 - x) * 8 + (0.4 - x) * 20), (0.4 - x) * -0.25}, "torque");
  expect(net + 7, {x, 0, 1.5}, "point");
}

TEST(ContactSensors, TouchSumsNormalForcesOnItsPad) {
  Touching t;
  expect(t.read(3), {28}, "both");
  t.d.contact[1].pos[0] = 1.2;  // beside the pad: a line straight down misses it
  expect(t.read(3), {8}, "one");
  t.d.rows.row_force[0] = -10;  // pulls
  expect(t.read(3), {0}, "none");
}

TEST(ContactSensors, RaysAndDistances) {
  Touching t;
  expect(t.read(4), {2}, "range");
  const double apart = std::hypot(2.5, 1.0) - 0.5;  // to the edge of the box
  expect(t.read(5), {apart}, "distance");
  expect(t.read(6), {0, 0, 1.5, 0, 0, 0}, "fromto");
  expect(t.read(7), {0, 0, 1}, "normal");
}

TEST(GeomDistance, TurnsWithTheOrderOfTheGeoms) {
  Touching t;
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      if (a == b) continue;
      const GeomDistance one = geom_distance(t.m, t.d, a, b, 10), two = geom_distance(t.m, t.d, b, a, 10);
      EXPECT_EQ(one.distance, two.distance);
      for (int k = 0; k < 3; ++k) EXPECT_EQ(one.from[k], two.to[k]) << a << " " << b;
      // beyond the limit there is nothing
      const GeomDistance near = geom_distance(t.m, t.d, a, b, one.distance - 0.1);
      EXPECT_EQ(near.distance, one.distance - 0.1);
      EXPECT_EQ(near.from[2], 0);
    }
  }
}

}  // namespace
}  // namespace pliant

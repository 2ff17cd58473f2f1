// Things at rest stay at rest: stacks of boxes, cylinders and hulls for ten seconds. No drift, no flickering contacts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/step/scenes.h"

namespace pliant {
namespace {

// A contact: its geoms, and where it is.
struct Place {
  int geom[2];
  double pos[3];
  bool same_pair(const Place& other) const { return geom[0] == other.geom[0] && geom[1] == other.geom[1]; }
  double distance(const Place& other) const {
    return std::hypot(pos[0] - other.pos[0], pos[1] - other.pos[1], pos[2] - other.pos[2]);
  }
};

std::vector<Place> places(const Data& d) {
  std::vector<Place> all(static_cast<size_t>(d.ncon));
  for (int i = 0; i < d.ncon; ++i) {
    std::copy_n(d.contact[i].geom, 2, all[static_cast<size_t>(i)].geom);
    std::copy_n(d.contact[i].pos, 3, all[static_cast<size_t>(i)].pos);
  }
  return all;
}

// Farthest from a contact to the nearest of the same geoms in the step before.
double jump_between(const std::vector<Place>& before, const std::vector<Place>& now) {
  double farthest = 0;
  for (const Place& place : now) {
    double nearest = HUGE_VAL;
    for (const Place& old : before) {
      if (old.same_pair(place)) nearest = std::min(nearest, old.distance(place));
    }
    farthest = std::max(farthest, nearest);
  }
  return farthest;
}

// What happens from `settle` to `end` seconds.
struct Watch {
  int flickers = 0;  // steps after which a pair had another number of contacts
  double jump = 0;   // farthest that a contact moves from one step to the next [m]
  double drift = 0;  // farthest that a body moves from where it was at first [m]
  double speed = 0;  // largest of qvel
  int contacts = 0;
};

Watch watch(const Model& m, double settle, double end) {
  State s(m);
  Data d(m);
  Watch w;
  std::vector<Place> last;
  std::vector<double> start;
  const int steps = static_cast<int>(end / m.opt.timestep), from = static_cast<int>(settle / m.opt.timestep);
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(step(m, s, d).ok());
    if (i < from) continue;
    const std::vector<Place> now = places(d);
    if (i == from) {
      start.assign(d.xpos, d.xpos + 3 * m.nbody);
    } else {
      const bool same =
          now.size() == last.size() && std::equal(now.begin(), now.end(), last.begin(),
                                                  [](const Place& a, const Place& b) { return a.same_pair(b); });
      w.flickers += !same;
      w.jump = std::max(w.jump, jump_between(last, now));
    }
    for (int k = 0; k < 3 * m.nbody; ++k)
      w.drift = std::max(w.drift, std::abs(d.xpos[k] - start[static_cast<size_t>(k)]));
    for (int k = 0; k < m.nv; ++k) w.speed = std::max(w.speed, std::abs(s.qvel[k]));
    last = now;
  }
  w.contacts = d.ncon;
  return w;
}

// What is allowed: all of them keep their contacts.
struct Calm {
  int flickers;
  double jump, drift, speed;
};
constexpr Calm kStill{0, 1e-6, 2e-4, 1e-4};

void expect_rest(const Watch& w, const Calm& calm, const std::string& what) {
  std::printf("%s: %d contacts, %d flickers, jump %.1e m, drift %.1e m, speed %.1e\n", what.c_str(), w.contacts,
              w.flickers, w.jump, w.drift, w.speed);
  EXPECT_LE(w.flickers, calm.flickers) << what;
  EXPECT_LE(w.jump, calm.jump) << what;
  EXPECT_LE(w.drift, calm.drift) << what;
  EXPECT_LE(w.speed, calm.speed) << what;
  EXPECT_GE(w.contacts, 7) << what;
}

TEST(AtRest, TenBoxes) {
  const Model m = load_scene("stack_of_boxes");
  const Watch w = watch(m, 1, 10);
  EXPECT_GE(w.contacts, 40);
  expect_rest(w, {0, 1e-9, 1e-9, 1e-9}, "ten boxes");
}

// Two bodies of each of these shapes, turned against each other: one on the plane, one on the other.
TEST(AtRest, EveryShapeOnEveryShape) {
  const std::pair<const char*, const char*> shapes[] = {
      {"box", "type='box' size='.1 .1 .05'"},
      {"cylinder", "type='cylinder' size='.1 .05'"},
      {"hull", "type='mesh' mesh='prism'"},
      {"cube mesh", "type='mesh' mesh='cube'"},
  };
  // a prism of nine sides and a block of eight corners, both 0.1 high
  std::string prism, cube;
  for (int i = 0; i < 18; ++i) {
    const double angle = 2 * 3.14159265358979 * (i / 2) / 9;
    prism += std::to_string(0.1 * std::cos(angle)) + " " + std::to_string(0.1 * std::sin(angle)) +
             (i % 2 ? " .05 " : " -.05 ");
  }
  for (int i = 0; i < 8; ++i) {
    cube += std::string(i & 1 ? ".1 " : "-.1 ") + (i & 2 ? ".1 " : "-.1 ") + (i & 4 ? ".05 " : "-.05 ");
  }
  for (const auto& [lower, lower_geom] : shapes) {
    for (const auto& [upper, upper_geom] : shapes) {
      const Model m = load_model_string(
          "<mujoco><asset><mesh name='prism' vertex='" + prism + "'/><mesh name='cube' vertex='" + cube +
          "'/></asset>"
          "<worldbody><geom type='plane' size='2 2 1'/><body pos='0 0 .0499'><freejoint/><geom " +
          lower_geom +
          "/></body>"
          "<body pos='.01 0 .1497' euler='0 0 17'><freejoint/><geom " +
          upper_geom + "/></body></worldbody></mujoco>");
      const Watch w = watch(m, 1, 10);
      const std::string what = std::string(upper) + " on " + lower;
      expect_rest(w, kStill, what);
    }
  }
}

}  // namespace
}  // namespace pliant

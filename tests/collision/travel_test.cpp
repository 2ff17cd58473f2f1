// Pairs that are known to be apart: the same contacts, bit for bit, as in a Data that knows nothing; and it is known.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "collision/travel.h"
#include "pliant/pliant.h"
#include "pliant/step.h"
#include "step/stages.h"

namespace pliant {
namespace {

// Shapes of all kinds that are searched, on bodies that fly.
std::string scene() {
  const char* geoms[] = {
      R"(<geom type="box" size=".1 .06 .04"/>)",       R"(<geom type="cylinder" size=".06 .1"/>)",
      R"(<geom type="ellipsoid" size=".1 .05 .07"/>)", R"(<geom type="capsule" size=".04 .1"/>)",
      R"(<geom type="mesh" mesh="hull"/>)",            R"(<geom type="sphere" size=".08"/>)",
      R"(<geom type="mesh" mesh="hull" pos=".1 0 0"/><geom type="box" size=".05 .05 .05" pos="-.1 0 0" margin=".02"/>)",
  };
  std::string xml = R"(<mujoco><asset><mesh name="hull" vertex=".1 0 0 -.1 0 0 0 .08 0 0 -.08 0 0 0 .06 0 0 -.06 .05 .05 .05"/>
      </asset><option gravity="0 0 0"/><worldbody>)";
  for (int i = 0; i < 14; ++i) {
    xml += "<body pos='" + std::to_string(0.3 * (i % 4)) + " " + std::to_string(0.3 * (i / 4)) + " 0'><freejoint/>" +
           geoms[i % 7] + "</body>";
  }
  return xml + "</worldbody></mujoco>";
}

void collide(const Model& m, const State& s, Data& d) {
  run_poses(m, s, d);
  run_collision(m, s, d);
}

void expect_same_contacts(const Data& a, const Data& b, const std::string& where) {
  ASSERT_EQ(a.ncon, b.ncon) << where;
  for (int i = 0; i < a.ncon; ++i) ASSERT_EQ(std::memcmp(a.contact + i, b.contact + i, sizeof(Contact)), 0) << where;
  EXPECT_EQ(a.npair_tested, b.npair_tested) << where;
}

class Wanderers : public testing::Test {
 protected:
  Model m = load_model_string(scene());
  State s{m};
  Data knows{m};
  std::mt19937 random{7};
  std::normal_distribution<double> normal;

  // Everybody drifts and turns, and is drawn to the middle.
  void move() {
    for (int i = 0; i < m.nv; ++i) {
      const bool turns = i % 6 >= 3;
      s.qvel[i] = 0.95 * s.qvel[i] + (turns ? 0.4 : 0.05) * normal(random);
      if (!turns) s.qvel[i] -= 0.02 * (s.qpos[7 * (i / 6) + i % 6] - 0.4);
    }
    integrate_pos(m, s.qpos, s.qvel, 0.02);
  }
  // In a Data that remembers nothing: the contacts are the same. Returns whether there are any.
  bool compare(const std::string& where) {
    Data fresh(m);
    collide(m, s, knows);
    collide(m, s, fresh);
    expect_same_contacts(knows, fresh, where);
    return knows.ncon > 0;
  }
  int still_apart() {
    int count = 0;
    for (int a = 0; a < m.ngeom; ++a) {
      for (int b = a + 1; b < m.ngeom; ++b) {
        const int low = m.geom_type[a] > m.geom_type[b] ? b : a, high = low == a ? b : a;
        const Separation& known = knows.separations.of(low, high);
        count += is_still_apart(known, knows.separations.travel(low), knows.separations.travel(high), 0);
      }
    }
    return count;
  }
};

TEST_F(Wanderers, HaveTheSameContacts) {
  int touching = 0, apart = 0;
  for (int step = 0; step < 1500; ++step) {
    move();
    touching += compare(std::to_string(step));
    apart += still_apart();
  }
  EXPECT_GT(touching, 300);
  EXPECT_GT(apart, 1500) << "nothing is remembered";
}

TEST_F(Wanderers, MayGetOtherShapesAndMargins) {
  int touching = 0;
  for (int step = 0; step < 600; ++step) {
    if (step % 5 == 0) move();
    const int geom = static_cast<int>(random() % static_cast<unsigned>(m.ngeom));
    const double factor = std::exp(0.5 * normal(random));
    switch (step % 5) {
      case 1:  // only what the shape is made of: bounds are those of before
        for (int k = 0; k < 3; ++k) m.geom_size[3 * geom + k] *= factor;
        break;
      case 2:
        m.geom_rbound[geom] *= factor;
        break;
      case 3:
        m.geom_margin[geom] = std::abs(0.05 * normal(random));
        break;
      case 4:
        m.geom_pos[3 * geom] += 0.02 * normal(random);
        break;
      default:
        break;
    }
    touching += compare(std::to_string(step));
  }
  EXPECT_GT(touching, 50);
}

// A place that is no number, and a jump, are no travel that says anything.
TEST_F(Wanderers, MayBeNowhereForAWhile) {
  for (int step = 0; step < 40; ++step) {
    move();
    const double kept = s.qpos[0];
    if (step % 8 == 3) s.qpos[0] = std::nan("");
    if (step % 8 == 5) s.qpos[0] = 1e9;
    compare(std::to_string(step));
    s.qpos[0] = kept;
  }
}

// Travel bounds how far any point has moved.
TEST_F(Wanderers, TravelAtLeastAsFarAsTheirPoints) {
  collide(m, s, knows);
  Data start = knows;
  for (int step = 0; step < 50; ++step) {
    move();
    collide(m, s, knows);
    for (int g = 0; g < m.ngeom; ++g) {
      const double before = travel_of(m, start, start.separations, g).length;
      const Travel& travel = travel_of(m, knows, knows.separations, g);
      for (int corner = 0; corner < 8; ++corner) {
        Vec3 u = vec3(m.geom_aabb, 2 * g);
        for (int k = 0; k < 3; ++k) u[k] += (corner >> k & 1 ? 1 : -1) * m.geom_aabb[6 * g + 3 + k];
        const Vec3 then = times_plus(mat3(start.geom_xmat, g), u, vec3(start.geom_xpos, g));
        const Vec3 now = times_plus(mat3(knows.geom_xmat, g), u, vec3(knows.geom_xpos, g));
        EXPECT_LE(norm(now - then), travel.length - before) << g;
      }
    }
  }
}

}  // namespace
}  // namespace pliant

// Parameters of contacts from those of two geoms: every case of priority, solmix and signs, against the rules written
// out.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "pliant/pliant.h"
#include "pliant/query.h"
#include "pliant/step.h"

namespace pliant {
namespace {

struct GeomSays {
  int priority;
  double solmix;
  double solref[2];
};

// The rules in words: higher priority decides alone. Else solref and solimp are averaged by solmix, a weight below
// 1e-15 counts as none, two such weights as equal; but as soon as one solref is direct (first number not positive),
// each number is the smaller one. Friction and condim are the larger ones. Margins and gaps add up in any case.
struct Rule {
  double share;  // of the first geom
  bool smaller;
  Rule(const GeomSays& a, const GeomSays& b) {
    smaller = false;
    if (a.priority != b.priority) {
      share = a.priority > b.priority;
      return;
    }
    const bool counts_a = a.solmix >= 1e-15, counts_b = b.solmix >= 1e-15;
    share = counts_a == counts_b ? (counts_a ? a.solmix / (a.solmix + b.solmix) : 0.5) : counts_a;
    smaller = a.solref[0] <= 0 || b.solref[0] <= 0;
  }
};

TEST(Mixing, AllCases) {
  Model m = load_model_string(
      "<mujoco><worldbody><geom type='plane' size='1 1 1' friction='.5 .02 .003' condim='4' margin='.01' gap='.002' "
      "solimp='.8 .9 .01 .3 3'/><body pos='0 0 .099'><freejoint/><geom size='.1' friction='.7 .01 .001' condim='3' "
      "margin='.003' gap='.001' solimp='.4 .6 .002 .7 1'/></body></worldbody></mujoco>");
  const double references[][2] = {{0.02, 1}, {0.1, 0.3}, {-500, -20}, {-900, -5}, {0, -7}, {0.05, -2}};
  std::vector<GeomSays> geoms;
  for (int priority : {0, 1, -2}) {
    for (double solmix : {0.0, 1.0, 2.5, 1e-16, 1e-15}) {
      for (const auto& ref : references) geoms.push_back({priority, solmix, {ref[0], ref[1]}});
    }
  }
  State s(m);
  Data d(m);
  int cases = 0;
  for (const GeomSays& a : geoms) {
    for (const GeomSays& b : geoms) {
      const GeomSays* says[2] = {&a, &b};
      for (int k = 0; k < 2; ++k) {
        m.geom_priority[k] = says[k]->priority;
        m.geom_solmix[k] = says[k]->solmix;
        std::copy_n(says[k]->solref, 2, m.geom_solref + 2 * k);
      }
      forward(m, s, d);
      ASSERT_EQ(d.ncon, 1);
      const Contact& c = d.contact[0];
      const Rule rule(a, b);
      for (int i = 0; i < 2; ++i) {
        const double expected = rule.smaller ? std::min(a.solref[i], b.solref[i])
                                             : rule.share * a.solref[i] + (1 - rule.share) * b.solref[i];
        EXPECT_NEAR(c.solref[i], expected, 1e-15 * (1 + std::abs(expected)));
      }
      for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(c.solimp[i], rule.share * m.geom_solimp[i] + (1 - rule.share) * m.geom_solimp[5 + i], 1e-15 * 5);
      }
      const bool alone = a.priority != b.priority, first = a.priority > b.priority;
      const double slide = alone ? (first ? 0.5 : 0.7) : 0.7, spin = alone ? (first ? 0.02 : 0.01) : 0.02;
      EXPECT_EQ(c.friction[0], slide);
      EXPECT_EQ(c.friction[1], slide);
      EXPECT_EQ(c.friction[2], spin);
      EXPECT_EQ(c.dim, alone ? (first ? 4 : 3) : 4);
      EXPECT_NEAR(c.includemargin, 0.013, 1e-15);
      ++cases;
    }
  }
  EXPECT_EQ(cases, 90 * 90);
}

// ---- cones ---------------------------------------------------------------------------------------

// How much friction resists along each direction: a body that cannot turn is pulled far beyond what friction can hold.
TEST(Cones, DirectionSweep) {
  const double mu = 0.6, weight = 9.81;
  std::printf("direction  pyramidal  elliptic   (resistance along the pull / f_n, friction 0.6)\n");
  for (int degrees = 0; degrees <= 180; degrees += 15) {
    const double angle = degrees * 3.14159265358979323846 / 180, c = std::cos(angle), n = std::sin(angle);
    double ratio[2];
    for (ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
      Model m = load_model_string(
          "<mujoco><option tolerance='0'/><worldbody><geom type='plane' size='1 1 1' friction='.6'/><body pos='0 0 "
          ".0999'>"
          "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='slide' axis='0 0 1'/>"
          "<geom size='.1' mass='1' friction='.6'/></body></worldbody></mujoco>");
      m.opt.cone = cone;
      State s(m);
      Data d(m);
      double largest = 0;
      for (double pull : {0.1, 0.5, 1.0, 5.0, 100.0}) {
        s.qfrc_applied[0] = pull * weight * c, s.qfrc_applied[1] = pull * weight * n;
        ASSERT_TRUE(forward(m, s, d).ok());
        double force[6];
        contact_force(d, 0, force);
        const double tangent = std::hypot(force[1], force[2]);
        EXPECT_GE(force[0], 0);
        EXPECT_LE(tangent, mu * force[0] * (1 + 1e-9)) << "outside the cone at " << degrees;
        if (cone == ConeType::kPyramidal) {
          EXPECT_LE(std::abs(force[1]) + std::abs(force[2]), mu * force[0] * (1 + 1e-9))
              << "outside the pyramid at " << degrees;
          for (int i = 0; i < d.rows.n; ++i) EXPECT_GE(d.rows.row_force[i], 0);
        }
        const double* frame = d.contact[0].frame;
        const double resist[2] = {force[1] * frame[3] + force[2] * frame[6], force[1] * frame[4] + force[2] * frame[7]};
        largest = std::max(largest, -(resist[0] * c + resist[1] * n) / force[0]);
      }
      ratio[cone == ConeType::kElliptic] = largest;
    }
    std::printf("%9d  %9.4f  %8.4f\n", degrees, ratio[0], ratio[1]);
    EXPECT_NEAR(ratio[1], mu, 1e-9) << "the elliptic cone holds alike in all directions";
    // a diamond: full strength along its edges, 1/√2 of it between them
    EXPECT_NEAR(ratio[0], mu * std::max(std::abs(c), std::abs(n)), 1e-9) << degrees;
  }
}

}  // namespace
}  // namespace pliant

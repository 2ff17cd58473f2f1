// The doctor against closed forms and brute force: the nearest valid inertia, the bounds of the timestep, the list of
// counters.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "analysis/clamps.h"
#include "pliant/doctor.h"
#include "pliant/pliant.h"
#include "pliant/step.h"
#include "tests/source_folder.h"

namespace pliant {
namespace {

bool possible(const double* x) {
  const double sum = x[0] + x[1] + x[2], most = std::max({x[0], x[1], x[2]});
  return std::min({x[0], x[1], x[2]}) >= -1e-12 && most <= sum - most + 1e-9;
}

double distance(const double* a, const double* b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

TEST(NearestMoments, AreValidAndNoOthersAreNearer) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-0.2, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const double moments[3] = {any(random), any(random), any(random)};
    double valid[3];
    nearest_moments(moments, valid);
    ASSERT_TRUE(possible(valid));
    // points of the cone on a grid: second moments s ≥ 0
    constexpr int kGrid = 24;
    for (int i = 0; i <= kGrid; ++i) {
      for (int j = 0; j <= kGrid; ++j) {
        for (int k = 0; k <= kGrid; ++k) {
          const double a = double(i) / kGrid, b = double(j) / kGrid, c = double(k) / kGrid;
          const double other[3] = {b + c, a + c, a + b};
          ASSERT_GE(distance(other, moments), distance(valid, moments) - 1e-12);
        }
      }
    }
    if (possible(moments)) {
      EXPECT_LT(distance(valid, moments), 1e-9);
    }
  }
}

// Whether a small disturbance of the joint dies out in 2000 steps of length h.
bool settles(std::string xml, double h) {
  Model m = load_model_string(xml);
  m.opt.timestep = h;
  State s(m);
  Data d(m);
  s.qvel[0] = 1e-3;
  double late = 0;
  for (int i = 0; i < 2000; ++i) {
    if (!step(m, s, d).ok()) return false;
    if (i > 1900) late = std::max(late, std::abs(s.qvel[0]));
  }
  return late < 1e-3;
}

double limit_of(const std::string& xml, const std::string& kind) {
  for (const TimestepLimit& line : doctor(load_model_string(xml), nullptr, {0}).budget) {
    if (line.kind == kind) return line.limit;
  }
  return 0;
}

// A slider of 2 kg in no gravity with one stiff thing on it.
std::string slider(const std::string& joint, const std::string& rest, const std::string& option = "",
                   const std::string& flag = "") {
  return "<mujoco><option timestep='1e-4' gravity='0 0 0' " + option + "><flag " + flag +
         "/></option><worldbody><body><joint name='j' type='slide' " + joint +
         "/><geom size='.1' mass='2' contype='0' conaffinity='0'/></body><body pos='1 0 0'><joint name='k' "
         "type='slide' damping='1'/>"
         "<geom size='.1' mass='2' contype='0' conaffinity='0'/></body></worldbody>" +
         rest + "</mujoco>";
}

TEST(TimestepBudget, IsWhereTheSimulationBreaks) {
  const struct {
    const char* kind;
    std::string xml;
  } cases[] = {
      {"spring", slider("stiffness='5000' damping='1'", "")},
      {"spring", slider("stiffness='5000' damping='40'", "")},
      {"actuator", slider("damping='1'", "<actuator><position joint='j' kp='3000' kv='20'/></actuator>")},
      {"actuator", slider("damping='1'", "<actuator><position joint='j' kp='3000' kv='20'/></actuator>",
                          "integrator='implicitfast'")},
      {"actuator", slider("", "<actuator><velocity joint='j' kv='300'/></actuator>")},
      {"spring", slider("stiffness='5000' damping='10'", "", "integrator='RK4'")},
      {"mimic", slider("",
                       "<equality><joint joint1='j' joint2='k' polycoef='0 3 0 0 0' solref='-20000 -100' solimp='.9 .9 "
                       ".01'/></equality>")},
      {"mimic", slider("", "<equality><joint joint1='j' joint2='k' solref='.01 1' solimp='.95 .95 .001'/></equality>",
                       "", "refsafe='disable'")},
  };
  for (const auto& c : cases) {
    const double limit = limit_of(c.xml, c.kind);
    ASSERT_GT(limit, 0) << c.xml;
    EXPECT_TRUE(settles(c.xml, 0.95 * limit)) << limit << " " << c.xml;
    EXPECT_FALSE(settles(c.xml, 1.05 * limit)) << limit << " " << c.xml;
  }
}

// A counter that rises in the trial run is reported.
TEST(EngineCounters, AreReported) {
  const char* kXml =
      "<mujoco><worldbody><geom type='plane' size='1 1 1' friction='0'/><body pos='0 0 .09'><freejoint/>"
      "<geom size='.1' friction='0' solimp='.9 1.2 .001' solref='.001 1'/></body></worldbody></mujoco>";
  const DoctorReport report = doctor(load_model_string(kXml));
  for (const char* code : {"D501", "D502", "D503"}) {
    EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& f) {
      return f.code == code;
    })) << code;
  }
}

TEST(Doctor, IsTheSameTwice) {
  const Model m = load_model(source_folder().string() + "/models/quadruped.xml");
  EXPECT_EQ(doctor_json(doctor(m), "x"), doctor_json(doctor(m), "x"));
}

TEST(Doctor, CodesAscend) {
  for (size_t i = 1; i < doctor_codes().size(); ++i)
    EXPECT_LT(std::string(doctor_codes()[i - 1].code), doctor_codes()[i].code);
}

}  // namespace
}  // namespace pliant

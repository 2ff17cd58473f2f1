// The integrator midpoint: energy and momenta of chains, second order, work of dampers, actuators and contacts.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "integrate/tree_motion.h"
#include "tests/step/allocations.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

Model from(const std::string& options, const std::string& world, const std::string& more = "") {
  return load_model_string("<mujoco><option " + options + "/><worldbody>" + world + "</worldbody>" + more +
                           "</mujoco>");
}

/// Three rods of half a metre, held horizontally.
std::string rods(const std::string& joint = "", const std::string& last = "") {
  const std::string rod = "<joint axis='0 1 0' " + joint +
                          "/><geom type='capsule' size='.03' fromto='0 0 0 .5 0 0' contype='0' conaffinity='0'/>";
  return "<body pos='0 0 2'>" + rod + "<body pos='.5 0 0'>" + rod + "<body pos='.5 0 0'>" + rod + last +
         "</body></body></body>";
}

/// A satellite with two arms of two links, nothing along any axis.
const char* const kSatellite =
    "<body pos='3 2 1'><freejoint/><inertial pos='.02 .01 -.03' mass='5' diaginertia='.2 .25 .3' euler='10 20 30'/>"
    "<body pos='.3 0 0'><joint type='ball'/><inertial pos='.2 0 .05' mass='1' diaginertia='.01 .02 .03'/>"
    "<body pos='.4 0 0'><joint axis='0 1 .3'/><inertial pos='.2 .1 0' mass='.7' diaginertia='.01 .01 "
    ".02'/></body></body>"
    "<body pos='-.3 0 0'><joint axis='0 0 1'/><joint type='slide' axis='1 0 .2' stiffness='40'/>"
    "<inertial pos='-.2 0 0' mass='.8' diaginertia='.01 .02 .03'/></body></body>";

double energy(Model m, const State& s) {
  m.opt.enableflags |= kEnableEnergy;
  Data d(m);
  forward(m, s, d);
  return d.energy[0] + d.energy[1];
}

/// Momentum, and angular momentum about the world's origin.
std::vector<double> momenta(const Model& m, const State& s) {
  Data d(m);
  forward(m, s, d);
  std::vector<double> sum(6);
  for (int b = 1; b < m.nbody; ++b) {
    const double* v = d.cvel + 6 * b;
    const double* c = d.subtree_com + 3 * m.body_rootid[b];
    const Vec3 w{v[0], v[1], v[2]}, x{d.xipos[3 * b], d.xipos[3 * b + 1], d.xipos[3 * b + 2]};
    const Vec3 u = Vec3{v[3], v[4], v[5]} + cross(w, x - Vec3{c[0], c[1], c[2]});
    Mat3 axes;
    std::copy_n(d.ximat + 9 * b, 9, axes.m);
    const Vec3 local = transposed_times(axes, w), p = u * m.body_mass[b];
    const double* i = m.body_inertia + 3 * b;
    const Vec3 spin = axes * Vec3{i[0] * local.x, i[1] * local.y, i[2] * local.z} + cross(x, p);
    for (int k = 0; k < 3; ++k) {
      sum[static_cast<size_t>(k)] += p[k];
      sum[static_cast<size_t>(k) + 3] += spin[k];
    }
  }
  return sum;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

struct Drift {
  double most = 0, range = 0;
};
Drift energy_drift(Model m, int steps) {
  State s(m);
  Data d(m);
  const double start = energy(m, s);
  Model measured = m;
  measured.opt.enableflags |= kEnableEnergy;
  Data at(m);
  Drift drift;
  double low = 1e9, high = -1e9;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(step(m, s, d).ok());
    if (i % 10) continue;
    forward(measured, s, at);
    drift.most = std::max(drift.most, std::abs(at.energy[0] + at.energy[1] - start));
    low = std::min(low, at.energy[1]), high = std::max(high, at.energy[1]);
  }
  drift.range = high - low;
  EXPECT_EQ(d.energy_uncorrected, 0);
  return drift;
}

TEST(Midpoint, ATriplePendulumKeepsItsEnergyForAMinute) {
  const Drift drift = energy_drift(from("integrator='midpoint'", rods()), 30000);
  EXPECT_GT(drift.range, 20);
  EXPECT_LE(drift.most / drift.range, 1e-9);
}

// The others do not: the test above can fail.
TEST(Midpoint, IsNeeded) {
  for (const char* other : {"Euler", "implicit", "implicitfast"}) {
    const Drift drift = energy_drift(from(std::string("integrator='") + other + "'", rods()), 5000);
    EXPECT_GT(drift.most / drift.range, 1e-3) << other;
  }
}

TEST(Midpoint, SpringsAndArmatureHaveTheirEnergy) {
  const Drift drift =
      energy_drift(from("integrator='midpoint'", rods("stiffness='20' springref='30' armature='.01'")), 10000);
  EXPECT_LE(drift.most / drift.range, 1e-9);
}

// No force from outside: energy, momentum and angular momentum stay, whatever the arms do.
TEST(Midpoint, ASatelliteKeepsEnergyAndMomenta) {
  Model m = from("integrator='midpoint' gravity='0 0 0'", kSatellite);
  State s(m);
  Data d(m);
  for (int i = 0; i < m.nv; ++i) s.qvel[i] = 0.5 * std::cos(1.0 + i) * (i < 3 ? 1 : 4);
  const double start = energy(m, s);
  const std::vector<double> first = momenta(m, s);
  double most = 0, most_energy = 0;
  for (int i = 0; i < 10000; ++i) {
    ASSERT_TRUE(step(m, s, d).ok());
    if (i % 100) continue;
    most = std::max(most, apart(momenta(m, s), first));
    most_energy = std::max(most_energy, std::abs(energy(m, s) / start - 1));
  }
  EXPECT_EQ(d.energy_uncorrected, 0);
  EXPECT_LE(most, 1e-9);
  EXPECT_LE(most_energy, 1e-10);
  // and it has turned: the arms are elsewhere
  EXPECT_GT(std::abs(s.qpos[0] - 3), 0.1);
}

// Falling, it keeps its energy and its angular momentum about the centre of mass, and falls as a stone.
TEST(Midpoint, ASatelliteFalls) {
  Model m = from("integrator='midpoint'", kSatellite);
  State s(m);
  Data d(m);
  for (int i = 6; i < m.nv; ++i) s.qvel[i] = std::cos(1.0 + i);
  const double start = energy(m, s);
  const std::vector<double> first = momenta(m, s);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_NEAR(energy(m, s), start, 1e-9 * std::abs(start));
  const std::vector<double> last = momenta(m, s);
  double mass = 0;
  for (int b = 1; b < m.nbody; ++b) mass += m.body_mass[b];
  EXPECT_NEAR(last[2] - first[2], -9.81 * 2 * mass, 1e-8);
  EXPECT_NEAR(last[0], first[0], 1e-9);
}

// Half the step, a quarter of the error: with springs, dampers, a servo and a chain that floats.
TEST(Midpoint, IsOfTheSecondOrder) {
  const std::string servo = "<actuator><position joint='j' kp='5' kv='.3'/></actuator>";
  const std::string worlds[] = {
      rods("damping='.05' stiffness='1'", ""), kSatellite,
      "<body><freejoint/><inertial pos='.1 -.2 .05' mass='2' diaginertia='.02 .03 .045'/></body>",
      "<body><joint name='j' axis='0 1 0'/><geom size='.1' pos='.3 0 0'/></body>"};
  for (const std::string& world : worlds) {
    const bool driven = world.find("'j'") != std::string::npos;
    const auto end = [&](double h) {
      Model m = from("integrator='midpoint'", world, driven ? servo : "");
      m.opt.timestep = h;
      State s(m);
      Data d(m);
      for (int i = 0; i < m.nv; ++i) s.qvel[i] = std::cos(1.0 + i);
      if (driven) s.ctrl[0] = 1;
      for (int i = 0; i < std::lround(0.5 / h); ++i) EXPECT_TRUE(step(m, s, d).ok());
      std::vector<double> all(s.qpos, s.qpos + m.nq);
      all.insert(all.end(), s.qvel, s.qvel + m.nv);
      return all;
    };
    const std::vector<double> fine = end(1.0 / 8192);
    const double coarse = apart(end(1.0 / 128), fine), half = apart(end(1.0 / 256), fine);
    EXPECT_GT(coarse, 1e-9) << world;
    EXPECT_NEAR(coarse / half, 4, 0.4) << world;
  }
}

// RK4 with a small step ends where midpoint does.
TEST(Midpoint, GoesWhereRungeKuttaGoes) {
  const auto end = [&](const char* integrator, double h) {
    Model m = from(std::string("integrator='") + integrator + "'", rods("damping='.1'"));
    m.opt.timestep = h;
    State s(m);
    Data d(m);
    for (int i = 0; i < std::lround(0.5 / h); ++i) EXPECT_TRUE(step(m, s, d).ok());
    return std::vector<double>(s.qpos, s.qpos + m.nq);
  };
  EXPECT_LE(apart(end("midpoint", 1.0 / 4096), end("RK4", 1.0 / 1024)), 2e-5);
}

// A damped pendulum loses what its damper takes: energy falls, and ends at rest at the bottom.
TEST(Midpoint, DampersTakeEnergy) {
  Model m = from("integrator='midpoint'", rods("damping='2'"));
  State s(m);
  Data d(m);
  double last = energy(m, s);
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(step(m, s, d).ok());
    if (i % 50) continue;
    const double now = energy(m, s);
    EXPECT_LE(now, last + 1e-12 * std::abs(last));
    last = now;
  }
  EXPECT_NEAR(std::remainder(s.qpos[0] - M_PI / 2, 2 * M_PI), 0, 1e-3);
  EXPECT_EQ(d.energy_uncorrected, 0);
}

// A body by itself: as spin="conserving" has it.
TEST(Midpoint, ABodyByItselfTumblesForAMinute) {
  for (const double speed : {5.0, 20.0}) {
    Model m = from(
        "integrator='midpoint' gravity='0 0 0'",
        "<body><freejoint/><inertial pos='.1 -.2 .05' mass='2' diaginertia='.02 .03 .045' euler='20 30 40'/>"
        "<body pos='.1 .2 .3' euler='10 20 30'><inertial pos='.02 0 0' mass='.1' diaginertia='.001 .001 .001'/></body>"
        "</body>");
    State s(m);
    Data d(m);
    s.qvel[0] = 1, s.qvel[3] = 0.05 * speed, s.qvel[4] = speed, s.qvel[5] = 0.02 * speed;
    const double start = energy(m, s);
    const std::vector<double> first = momenta(m, s);
    for (int i = 0; i < 30000; ++i) ASSERT_TRUE(step(m, s, d).ok());
    EXPECT_NEAR(energy(m, s) / start, 1, 1e-9) << speed;
    // (about the world's origin: the body is 60 m away by now)
    EXPECT_LE(apart(momenta(m, s), first), 1e-8) << speed;
    EXPECT_EQ(d.gyroscopic_explicit, 0);
  }
}

// A stone goes up and comes down: the parabola is exact.
TEST(Midpoint, AParabolaIsExact) {
  Model m = from("integrator='midpoint'", "<body><freejoint/><geom size='.1'/></body>");
  State s(m);
  Data d(m);
  s.qvel[2] = 3;
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_NEAR(s.qpos[2], 3 - 9.81 / 2, 1e-11);
  EXPECT_NEAR(s.qvel[2], 3 - 9.81, 1e-11);
}

// Contacts: a box comes to rest on the floor at the depth that other integrators have.
TEST(Midpoint, ABoxComesToRest) {
  std::vector<double> depth;
  for (const char* integrator : {"implicitfast", "midpoint"}) {
    Model m = from(std::string("integrator='") + integrator + "'",
                   "<geom type='plane' size='5 5 .1'/><body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/>"
                   "</body>");
    State s(m);
    Data d(m);
    for (int i = 0; i < 3000; ++i) ASSERT_TRUE(step(m, s, d).ok());
    depth.push_back(s.qpos[2]);
    EXPECT_LE(std::abs(s.qvel[2]), 1e-9);
  }
  EXPECT_NEAR(depth[0], depth[1], 1e-9);
}

// An undamped spring of a contact gives back what it took: leapfrog within the contact.
TEST(Midpoint, ABallBounces) {
  Model m = from("integrator='midpoint' timestep='.0005'",
                 "<geom type='plane' size='5 5 .1' solref='-20000 0' priority='1' solimp='.9 .9 .1' friction='0'"
                 " condim='1'/><body pos='0 0 1'><freejoint/><geom size='.1' condim='1'/></body>");
  State s(m);
  Data d(m);
  double highest = 0;
  for (int i = 0; i < 20000; ++i) {
    ASSERT_TRUE(step(m, s, d).ok());
    if (i > 18000) highest = std::max(highest, s.qpos[2]);
  }
  EXPECT_NEAR(highest, 1, 0.02);
}

// A snapshot and a fresh Data in between change nothing; sensors and energies are those of the start of the step.
TEST(Midpoint, HasNoMemoryBeyondState) {
  Model m = from("integrator='midpoint'", rods("damping='.1'"));
  State s(m);
  Data d(m);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(step(m, s, d).ok());
  State copy = s;
  Data fresh(m);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(step(m, s, d).ok());
    ASSERT_TRUE(step(m, copy, fresh).ok());
  }
  for (int i = 0; i < m.nv; ++i) EXPECT_EQ(s.qpos[i], copy.qpos[i]);
  // who measures pays a pass, and changes nothing
  Model measured = m;
  measured.opt.enableflags |= kEnableEnergy;
  State other = s;
  Data reads(m);
  const double before = energy(m, s);
  ASSERT_TRUE(step(measured, other, reads).ok());
  ASSERT_TRUE(step(m, s, d).ok());
  for (int i = 0; i < m.nv; ++i) EXPECT_EQ(s.qvel[i], other.qvel[i]);
  EXPECT_EQ(reads.energy[0] + reads.energy[1], before);
}

// Steps that are far too long: what would have to be scaled by more than a hundredth is left, and counted. Momenta are
// kept all the same.
TEST(Midpoint, CountsWhatItDoesNotCorrect) {
  Model m = from("integrator='midpoint' gravity='0 0 0' timestep='.05'", kSatellite);
  State s(m);
  Data d(m);
  s.qvel[3] = 2, s.qvel[4] = 5, s.qvel[5] = 1;
  const std::vector<double> first = momenta(m, s);
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_GT(d.energy_uncorrected, 0);
  EXPECT_LE(apart(momenta(m, s), first), 1e-10);
}

// What stands, or turns as one piece, has nothing to correct, and nothing is counted.
TEST(Midpoint, CountsNothingAtRest) {
  Model m = load_scene("quadruped");
  m.opt.integrator = Integrator::kMidpoint;
  State s(m);
  Data d(m);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(step(m, s, d).ok());
  const int64_t before = d.energy_uncorrected;
  EXPECT_LE(before, 10);
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_EQ(d.energy_uncorrected, before);
  Model damped = from("integrator='midpoint' gravity='0 0 0'",
                      "<body><joint type='free' damping='.01'/><geom type='box' size='.1 .2 .3'/></body>");
  State t(damped);
  Data e(damped);
  t.qvel[3] = 1, t.qvel[4] = 5, t.qvel[5] = 1;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(step(damped, t, e).ok());
  EXPECT_EQ(e.energy_uncorrected, 0);
}

TEST(Midpoint, DoesNotAllocate) {
  Model m = from("integrator='midpoint'", std::string(kSatellite) + rods("damping='.1'") +
                                              "<geom type='plane' size='5 5 .1'/><body pos='0 0 .1'><freejoint/>"
                                              "<geom type='box' size='.1 .1 .1'/></body>");
  State s(m);
  Data d(m);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(step(m, s, d).ok());
  const long before = allocation_count();
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_EQ(allocation_count(), before);
}

// What it cannot do is refused by name.
TEST(Midpoint, RefusesPredictedContacts) {
  Model m = from("integrator='midpoint'", rods());
  m.opt.enableflags |= kEnableSpeculativeExact;
  State s(m);
  Data d(m);
  const StepStatus status = step(m, s, d);
  EXPECT_FALSE(status.ok());
  EXPECT_STREQ(d.faults[static_cast<int>(Fault::kBadOption)].last.field, "opt.enableflags");
  EXPECT_EQ(*s.time, 0);
}

// Energies of trees are those of the stages.
TEST(TreeMotion, IsWhatTheStagesSay) {
  Model m = from("", std::string(kSatellite) + rods("stiffness='3' armature='.02'"));
  m.opt.enableflags |= kEnableEnergy;
  State s(m);
  Data d(m);
  for (int i = 0; i < m.nv; ++i) s.qvel[i] = std::cos(1.0 + i);
  for (int i = 0; i < 20; ++i) step(m, s, d);
  forward(m, s, d);
  // two states at once: this one, and a later one
  State later = s;
  Data other(m);
  for (int i = 0; i < 20; ++i) step(m, later, other);
  forward(m, later, other);
  std::vector<std::byte> room(tree_motion_room(m) + 64);
  void* start = room.data();
  size_t space = room.size();
  std::align(64, tree_motion_room(m), start, space);
  std::vector<TreeMotion> trees(2 * static_cast<size_t>(m.ntree));
  const Measure wanted[] = {Measure::kMomenta, Measure::kEnergy};
  measure_trees(m, s, {{s.qpos, later.qpos}, {s.qvel, later.qvel}}, d.subtree_com, true, wanted,
                static_cast<std::byte*>(start), trees.data());
  EXPECT_NEAR(trees[0].kinetic + trees[2].kinetic, d.energy[1], 1e-12 * d.energy[1]);
  EXPECT_NEAR(trees[1].kinetic + trees[3].kinetic, other.energy[1], 1e-12 * other.energy[1]);
  double shift = 0;  // potentials count from the trees' centres
  for (int b = 1; b < m.nbody; ++b) shift += m.body_mass[b] * 9.81 * d.subtree_com[3 * m.body_rootid[b] + 2];
  EXPECT_NEAR(trees[0].potential + trees[2].potential + shift, d.energy[0], 1e-11 * std::abs(d.energy[0]));
  EXPECT_NEAR(trees[1].potential + trees[3].potential + shift, other.energy[0], 1e-11 * std::abs(other.energy[0]));
  EXPECT_TRUE(tree_floats(m, 0));
  EXPECT_FALSE(tree_floats(m, 1));
}

}  // namespace
}  // namespace pliant

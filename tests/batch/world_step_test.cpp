// Whole steps by teams, on the host: what a GPU will run, contacts, rows, solver and integrators included. In double
// the same bits for every size of team, and the CPU's step; in single precision what is missing to the equations of
// motion.

#include "batch/world_step_hd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "integrate/integrate.h"
#include "joint/followers_hd.h"
#include "pliant/step.h"
#include "step/free_bodies.h"
#include "step/metric_solve.h"
#include "tests/batch/team_world.h"
#include "tests/step/scenes.h"
#include "tests/source_folder.h"

namespace pliant {
namespace {

struct Scene {
  const char* name;
  int steps;                    // between looks
  const char* other = nullptr;  // path below PLIANT_MODELS; nullptr: ours
  bool randomly = false;
  const char* ours = nullptr;  // path below the root, of a scene that is not in models/
};

bool load(const Scene& scene, Model& m) {
  if (!scene.ours) return load_scene_or_other(scene.name, scene.other, m);
  m = load_model(source_folder() / scene.ours);
  return true;
}

constexpr int kLooks = 3;
// With sanitizers teams take fifty times as long: one look is enough for what they look for, the last, when things
// touch.
#ifdef __SANITIZE_ADDRESS__
constexpr int kFirstLook = kLooks - 1;
#else
constexpr int kFirstLook = 0;
#endif

using Case = std::tuple<Integrator, Scene>;
class WorldSteps : public testing::TestWithParam<Case> {};

const char* name_of(Integrator integrator) {
  switch (integrator) {
    case Integrator::kEuler:
      return "euler";
    case Integrator::kImplicit:
      return "implicit";
    case Integrator::kImplicitFast:
      return "implicitfast";
    default:
      return "discrete";
  }
}

double largest_difference(const std::vector<double>& a, const double* b, double floor = 1) {
  double most = 0, scale = floor;
  for (size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return most / scale;
}

template <class R>
std::vector<double> state_of(const TeamWorld<R>& world) {
  std::vector<double> all;
  const auto add = [&](const auto& x, int n) {
    for (int i = 0; i < n; ++i) all.push_back(static_cast<double>(x[i]));
  };
  const ModelView<R>& m = world.m;
  add(world.s.time, 1), add(world.s.qpos, m.nq), add(world.s.qvel, m.nv), add(world.s.act, m.na);
  add(world.s.qacc_warmstart, m.nv), add(world.d.qacc, m.nv), add(world.d.qfrc_constraint, m.nv);
  if (is_implicit(m.opt.integrator)) add(world.d.qDeriv, m.nD), add(world.d.qacc_advance, m.nv);
  if (is_discrete(m.opt)) add(world.d.metric_M, m.nC), add(world.d.efm_sdiag, m.nv), add(world.d.qacc_smooth, m.nv);
  add(world.s.history, m.nhistory), add(world.d.sensordata, m.nsensordata), add(world.d.next_reading, m.nsensordata);
  add(world.d.energy, 2), add(world.d.cam_xpos, 3 * m.ncam), add(world.d.cam_xmat, 9 * m.ncam);
  add(world.d.light_xpos, 3 * m.nlight), add(world.d.light_xdir, 3 * m.nlight);
  add(world.d.subtree_linvel, 3 * m.nbody), add(world.d.subtree_angmom, 3 * m.nbody);
  add(world.d.cacc, 6 * m.nbody), add(world.d.cfrc_int, 6 * m.nbody), add(world.d.cfrc_ext, 6 * m.nbody);
  return all;
}

// Readings, histories, energies, cameras and lights beside the CPU's, each array or sensor relative to its largest
// number or to the given one.
struct Tolerances {
  double poses, accelerations;  // of what follows from positions and velocities, and of what follows from qacc
  double largest_acceleration = 1;
};
// Sensors of accelerations and forces read differences of these.
double largest_force(const Model& m, const Data& d) {
  double most = 1;
  for (const double* x : {d.cacc, d.cfrc_int, d.cfrc_ext}) {
    for (int i = 0; i < 6 * m.nbody; ++i) most = std::max(most, std::abs(x[i]));
  }
  return most;
}
template <class R>
void expect_readings(const Model& m, const State& s, const Data& d, TeamWorld<R>& world, Tolerances tolerances,
                     const std::string& where) {
  const auto same = [&](const char* name, const auto& mine, const double* cpu, int n, double tolerance,
                        double scale = 1) {
    EXPECT_LE(largest_difference(world.numbers(mine, n), cpu, scale), tolerance) << where << ' ' << name;
  };
  same("energy", world.d.energy, d.energy, 2, tolerances.poses);
  same("cam_xpos", world.d.cam_xpos, d.cam_xpos, 3 * m.ncam, tolerances.poses);
  same("cam_xmat", world.d.cam_xmat, d.cam_xmat, 9 * m.ncam, tolerances.poses);
  same("light_xpos", world.d.light_xpos, d.light_xpos, 3 * m.nlight, tolerances.poses);
  same("light_xdir", world.d.light_xdir, d.light_xdir, 3 * m.nlight, tolerances.poses);
  for (int i = 0; i < m.nsensor; ++i) {
    const bool late = m.sensor_needstage[i] == static_cast<int>(Stage::kAcceleration);
    const double tolerance = late ? tolerances.accelerations : tolerances.poses;
    const double scale = late ? tolerances.largest_acceleration : 1;
    const std::string name = "sensor " + std::to_string(i) + " of type " + std::to_string(m.sensor_type[i]);
    const int adr = m.sensor_adr[i], dim = m.sensor_dim[i];
    same(name.c_str(), world.d.sensordata + adr, d.sensordata + adr, dim, tolerance, scale);
    if (m.sensor_history[2 * i] == 0) continue;
    const int history = m.sensor_historyadr[i], n = 2 + m.sensor_history[2 * i] * (1 + dim);
    same((name + ", history").c_str(), world.s.history + history, s.history + history, n, tolerance, scale);
  }
}

// What M qacc = forces lacks, relative to the forces; all numbers of a world, by a team or not, the matrix of the CPU.
// Under discrete it is that of the metric, with gyroscopic terms where bodies turn by themselves.
template <class World>
double missing(const Model& m, const State& s, Data& d, const World& world) {
  const bool discrete = m.opt.integrator == Integrator::kDiscrete;
  std::vector<double> a = TeamWorld<double>::numbers(world.qacc, m.nv), left(a.size());
  clear_followers(m, s, a.data());
  multiply_metric(m, d, a.data(), left.data());
  if (discrete) multiply_free_bodies(m, s, d, a.data(), left.data());
  double most = 0, scale = 1;
  for (int i = 0; i < m.nv; ++i) {
    const double smooth = discrete ? world.qfrc_metric[i] : world.qfrc_smooth[i];
    const double constraint = world.qfrc_constraint[i];
    most = std::max(most, std::abs(left[static_cast<size_t>(i)] - smooth - constraint));
    scale = std::max({scale, std::abs(smooth), std::abs(constraint), std::abs(d.qfrc_bias[i])});
  }
  return most / scale;
}

// Half of the last digit that the largest force of a row has in single precision, relative to what rows do together.
double last_digit_of_forces(const Model& m, const Data& d) {
  double largest = 0, together = 1;
  for (int i = 0; i < d.rows.n; ++i) largest = std::max(largest, std::abs(d.rows.row_force[i]));
  for (int i = 0; i < m.nv; ++i) together = std::max(together, std::abs(d.qfrc_constraint[i]));
  return 0.5 * std::numeric_limits<float>::epsilon() * largest / together;
}

bool has_hard_mimics(const Model& m) {
  return std::any_of(m.mimic_mode, m.mimic_mode + m.nmimic,
                     [](int mode) { return mode == static_cast<int>(MimicMode::kHard); });
}

bool is_hard_row(const Model& m, const RowsT<double>& rows, int row) {
  const int mimic = row < rows.ne ? m.eq_mimicid[rows.row_id[row]] : -1;
  return mimic >= 0 && m.mimic_mode[mimic] == static_cast<int>(MimicMode::kHard);
}

// (M - h D) qacc_advance = M qacc + Jᵀ Δf: what it lacks, relative to the forces. Δf are forces that hard mimics take
// besides so that they move as the solver said: R Δf = J qacc - J qacc_advance.
template <class R>
double missing_implicit(const Model& m, const State& s, Data& d, TeamWorld<R>& world) {
  const std::vector<double> advance = world.numbers(world.d.qacc_advance, m.nv),
                            qacc = world.numbers(world.d.qacc, m.nv);
  std::vector<double> difference(qacc.size()), force(qacc.size());
  continuous_acceleration(m, s, d, advance.data(), difference.data());
  for (size_t i = 0; i < qacc.size(); ++i) difference[i] -= qacc[i];
  clear_followers(m, s, difference.data());
  multiply_tree(mass_pattern(m), d.M, difference.data(), force.data());
  for (int i = 0; i < d.rows.ne; ++i) {
    if (!is_hard_row(m, d.rows, i)) continue;
    const double left = row_times(d.rows, i, qacc.data()) - row_times(d.rows, i, advance.data());
    add_row_times(d.rows, i, -left / d.rows.row_R[i], force.data());
  }
  double most = 0, scale = 1;
  for (int i = 0; i < m.nv; ++i) {
    most = std::max(most, std::abs(force[static_cast<size_t>(i)]));
    scale = std::max({scale, std::abs(d.qfrc_smooth[i]), std::abs(d.qfrc_constraint[i]), std::abs(d.qfrc_bias[i])});
  }
  return most / scale;
}

// The metric as its terms say, densely: M + Gᵀ (diagonals + Σ s w wᵀ) G, against what the team has in the pattern of M
// and behind the rows. The largest difference relative to the largest entry, over dofs that follow nobody.
double metric_difference(const Model& m, const State& s, const TeamWorld<double>& world) {
  const size_t n = static_cast<size_t>(m.nv);
  const DataView<double>& d = world.d;
  using Dense = std::vector<std::vector<double>>;
  Dense terms(n, std::vector<double>(n)), G(n, std::vector<double>(n)), want = terms, have = terms;
  const auto add = [&](Dense& to, double scale, int count, auto&& column, auto&& number) {
    for (int a = 0; a < count; ++a) {
      for (int b = 0; b < count; ++b) {
        to[static_cast<size_t>(column(a))][static_cast<size_t>(column(b))] += scale * number(a) * number(b);
      }
    }
  };
  for (size_t i = 0; i < n; ++i) terms[i][i] = d.efm_diag[static_cast<int>(i)];
  for (int k = 0; k < d.metric.nefmT; ++k) {
    const int t = d.efm_tid[k], adr = m.ten_J_rowadr[t];
    add(
        terms, d.efm_ts[k], m.ten_J_rownnz[t], [&](int c) { return m.ten_J_colind[adr + c]; },
        [&](int c) { return d.ten_J[adr + c]; });
  }
  for (int k = 0; k < d.metric.nefmA; ++k) {
    const int i = d.efm_aid[k];
    for (int out = m.actuator_outadr[i]; out < m.actuator_outadr[i] + m.actuator_outnum[i]; ++out) {
      const int adr = d.moment_rowadr[out];
      add(
          terms, d.efm_as[k], d.moment_rownnz[out], [&](int c) { return d.moment_colind[adr + c]; },
          [&](int c) { return d.actuator_moment[adr + c]; });
    }
  }
  for (size_t i = 0; i < n; ++i) {
    std::vector<double> x(n);
    x[i] = 1;
    clear_followers(m, s, x.data());
    const bool follows = x[i] == 0;
    fill_followers(m, s, x.data());
    for (size_t k = 0; k < n; ++k) G[k][i] = follows ? 0 : x[k];
  }
  const auto times = [&](const auto& at, const auto& b) {
    Dense c(n, std::vector<double>(n));
    for (size_t i = 0; i < n; ++i) {
      for (size_t k = 0; k < n; ++k) {
        if (at(i, k) == 0) continue;
        for (size_t j = 0; j < n; ++j) c[i][j] += at(i, k) * b[k][j];
      }
    }
    return c;
  };
  const Dense right = times([&](size_t i, size_t k) { return terms[i][k]; }, G);
  want = times([&](size_t i, size_t k) { return G[k][i]; }, right);
  for (int i = 0; i < m.nv; ++i) {
    for (int c = 0; c < m.M_rownnz[i]; ++c) {
      const int at = m.M_rowadr[i] + c;
      const size_t row = static_cast<size_t>(i), column = static_cast<size_t>(m.M_colind[at]);
      want[row][column] += d.M[at], have[row][column] += d.metric.matrix[at];
      if (row != column) want[column][row] += d.M[at], have[column][row] += d.metric.matrix[at];
    }
  }
  for (int i = d.rows.n; i < d.rows.n + d.metric.nterm; ++i) {
    add(
        have, d.rows.row_D[i], row_width(d.rows, i), [&](int c) { return dof_of_entry(d.rows, i, c); },
        [&](int c) { return d.rows.row_J[d.rows.row_Jadr[i] + c]; });
  }
  double most = 0, scale = 0;
  for (size_t i = 0; i < n; ++i) {
    if (G[i][i] == 0) continue;
    for (size_t j = 0; j < n; ++j) {
      if (G[j][j] == 0) continue;
      most = std::max(most, std::abs(want[i][j] - have[i][j]));
      scale = std::max(scale, std::abs(want[i][j]));
    }
  }
  return most / scale;
}

// How far accelerations of a world are from the CPU's, relative to the largest. Where they are no more than `light`
// apart and light bodies hang on heavy ones, the forces that this difference takes, relative to the largest, count.
template <class Field>
double accelerations_apart(const Model& m, const Data& d, const Field& mine, const double* theirs, double light) {
  std::vector<double> apart = TeamWorld<double>::numbers(mine, m.nv), force(apart.size());
  const double relative = largest_difference(apart, theirs);
  if (relative > light) return relative;
  double most = 0, scale = 1;
  for (size_t i = 0; i < apart.size(); ++i) apart[i] -= theirs[i];
  multiply_tree(mass_pattern(m), d.M, apart.data(), force.data());
  for (int i = 0; i < m.nv; ++i) {
    most = std::max(most, std::abs(force[static_cast<size_t>(i)]));
    scale = std::max({scale, std::abs(d.qfrc_smooth[i]), std::abs(d.qfrc_constraint[i]), std::abs(d.qfrc_bias[i])});
  }
  return std::min(relative, most / scale);
}

// A step from `before` by teams of 1, 8 and 32 members, in double and single precision, against the CPU's, which led to
// `after` and left d. What depends on the solver is the CPU's up to `solved`.
void expect_step(const Model& m, const State& before, const State& after, Data& d, const std::string& where,
                 double solved = 1e-12) {
  const TeamWorld<double>::Room room{d.ncon + 3, d.rows.n + d.metric.nterm + 5, d.rows.segment_room + 9,
                                     d.rows.entry_room + 50};
  TeamWorld<double> one(m, before, room), eight(m, before, room), warp(m, before, room);
  const WorldReport report = one.step<1>(1);
  ASSERT_EQ(report.status, 0) << where;
  eight.step<8>(2), warp.step<32>(3);
  const std::vector<double> mine = state_of(one);
  EXPECT_EQ(mine, state_of(eight)) << where;
  EXPECT_EQ(mine, state_of(warp)) << where;
  ASSERT_EQ(one.d.ncon, d.ncon) << where;
  ASSERT_EQ(one.d.rows.n, d.rows.n) << where;
  ASSERT_EQ(one.d.metric.nterm, d.metric.nterm) << where;
  const auto expect_near = [&](const auto& x, const double* want, int n, double near, const char* what) {
    EXPECT_LE(largest_difference(TeamWorld<double>::numbers(x, n), want), near) << where << ' ' << what;
  };
  expect_near(one.d.rows.row_J, d.rows.row_J, d.rows.nentry, 1e-12, "row_J");
  expect_near(one.d.rows.row_R, d.rows.row_R, d.rows.n, 1e-12, "row_R");
  expect_near(one.d.rows.row_aref, d.rows.row_aref, d.rows.n, 1e-12, "row_aref");
  expect_near(one.d.qacc_smooth, d.qacc_smooth, m.nv, 1e-12, "qacc_smooth");
  // (sweeps without slip are not refined: nothing takes their roundings back)
  const double light = m.opt.noslip_iterations > 0 ? 1e-11 : 0;
  EXPECT_LE(accelerations_apart(m, d, one.d.qacc, d.qacc, light), solved) << where << " qacc";
  expect_near(one.d.qfrc_constraint, d.qfrc_constraint, m.nv, solved, "qfrc_constraint");
  expect_near(one.s.qpos, after.qpos, m.nq, std::max(1e-13, 1e-3 * solved), "qpos");
  expect_near(one.s.qvel, after.qvel, m.nv, std::max(1e-12, 1e-1 * solved), "qvel");
  EXPECT_EQ(one.s.time[0], after.time[0]);
  expect_readings(m, after, d, one, {1e-12, std::max(1e-9, solved)}, where);
  // (some models allow few iterations: then the CPU does not come to the end, either)
  EXPECT_LE(missing(m, before, d, one.d), std::max(1e-12, 1.001 * missing(m, before, d, d))) << where;
  if (is_discrete(m.opt)) {
    expect_near(one.d.metric_M, d.metric_M, m.nC, 1e-12, "metric_M");
    expect_near(one.d.efm_sdiag, d.efm_sdiag, m.nv, 1e-12, "efm_sdiag");
    expect_near(one.d.qfrc_metric, d.qfrc_metric, m.nv, 1e-12, "qfrc_metric");
    if (m.opt.density == 0 && m.opt.viscosity == 0) {
      EXPECT_LE(metric_difference(m, before, one), 1e-14) << where;
    }
  }
  if (is_implicit(m.opt.integrator)) {
    expect_near(one.d.qDeriv, d.qDeriv, m.nD, 1e-12, "qDeriv");
    // a factorisation more, without refinement
    expect_near(one.d.qacc_advance, d.qacc_advance, m.nv, std::max(1e-10, solved), "qacc_advance");
    EXPECT_LE(missing_implicit(m, before, d, one), 1e-9) << where;
  }

  const TeamWorld<float>::Room more{4 * d.ncon + 20, 4 * d.rows.n + d.metric.nterm + 50, 4 * d.rows.segment_room + 99,
                                    4 * d.rows.entry_room + 500};
  // (in single precision a tolerance of zero would only stir the last digits)
  Model usual = m;
  usual.opt.tolerance = std::max(m.opt.tolerance, 1e-14);
  // (worlds with few rows are solved in less memory than rows may take)
  TeamWorld<float>::Room tight = more;
  tight.solver_rows = d.rows.n + d.metric.nterm;
  TeamWorld<float> single(usual, before, more), single_warp(usual, before, tight);
  ASSERT_EQ(single.step<1>(4).status, 0) << where;
  single_warp.step<32>(5);
  EXPECT_EQ(state_of(single), state_of(single_warp)) << where;
  EXPECT_TRUE(single.solver_stayed_inside() && single_warp.solver_stayed_inside()) << where;
  // (rows that oppose each other may each be hundreds of times their sum: of those the last digit is what counts)
  EXPECT_LE(missing(m, before, d, single.d), std::max(1e-5, last_digit_of_forces(m, d))) << where;
  expect_readings(m, after, d, single, {1e-4, 1e-4, largest_force(m, d)}, where);
  if (is_implicit(m.opt.integrator)) {
    // 1 / R of hard mimics would make too much of the last digits: they are seen by their accelerations, of which
    // single precision leaves three digits at worst (seen: 1e-3 to 3e-3 of the largest, by the order of sums)
    if (!has_hard_mimics(m)) {
      EXPECT_LE(missing_implicit(m, before, d, single), 1e-5) << where;
    } else {
      EXPECT_LE(largest_difference(single.numbers(single.d.qacc_advance, m.nv), d.qacc_advance), 5e-3) << where;
    }
  }
}

// Newton goes on until nothing more is to be gained (tolerance 0). With a tolerance both end after a step or two, and
// accelerations are then known to the rounding of one factorisation, cond(H) eps, by which two orders of sums may
// differ: 6.5e-12 for the light fingers of mimic_gripper at 1e-14. Every further step refines them.
void prepare(Model& m, Integrator integrator) {
  m.opt.integrator = integrator;
  m.opt.solver = SolverType::kNewton;
  m.opt.tolerance = 0;
  m.opt.noslip_iterations = 0;
  m.opt.disableflags |= kDisableIsland;
  m.opt.enableflags |= kEnableEnergy;
}

const char* name_of(ConeType cone) { return cone == ConeType::kElliptic ? " elliptic" : " pyramidal"; }

TEST_P(WorldSteps, AreThoseOfTheCpu) {
  Model m;
  const auto& [integrator, scene] = GetParam();
  if (!load(scene, m)) GTEST_SKIP() << "PLIANT_MODELS has no " << scene.other;
  prepare(m, integrator);
  int contacts = 0, rows = 0;
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    m.opt.cone = cone;
    State s(m);
    if (scene.randomly) randomise(m, s, 1);
    Data d(m);
    for (int look = 0; look < kLooks; ++look) {
      for (int k = 0; k < scene.steps; ++k) ASSERT_TRUE(step(m, s, d).ok());
      const State before = s;
      ASSERT_TRUE(step(m, s, d).ok());
      contacts += d.ncon, rows += d.rows.n;
      if (look < kFirstLook) continue;
      expect_step(m, before, s, d, std::string(scene.name) + " look " + std::to_string(look) + name_of(cone));
    }
  }
  EXPECT_GT(contacts + rows + m.nfollower, 0) << scene.name;
}

// Tendons and servos across branches and trees, a servo at its bound, springs of all joints, fluid on bodies and
// ellipsoids, free bodies that turn by themselves and on the floor.
constexpr const char* kCoupled = R"(<mujoco><option timestep=".004" density="1.2" viscosity=".05" wind="1 0 0"/>
<worldbody><geom type="plane" size="3 3 .1"/>
 <body pos="0 0 .5"><joint name="a1" axis="0 1 0" damping=".2" stiffness="3" range="-60 60"/>
  <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
  <body pos=".3 0 0"><joint name="a2" axis="0 1 0" damping=".1" frictionloss=".05"/>
   <geom type="capsule" size=".03" fromto="0 0 0 .3 0 -.1"/></body>
  <body pos=".3 .1 0"><joint name="a3" axis="0 0 1" springref="20" stiffness="2"/>
   <geom type="box" size=".05 .04 .1" fluidshape="ellipsoid"/></body></body>
 <body pos="0 .5 .4"><joint name="b1" axis="0 1 0"/><joint name="b2" axis="1 0 0" damping=".3"/>
  <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body>
 <body name="spin" pos="0 -1 2"><freejoint/><geom type="box" size=".1 .05 .02"/></body>
 <body name="top" pos="1 -1 .05"><freejoint/><geom type="ellipsoid" size=".1 .08 .05" fluidshape="ellipsoid"/></body>
 <body pos="1 1 .6"><joint type="ball" damping=".1" stiffness="1"/>
  <geom type="capsule" size=".04" fromto="0 0 0 0 0 -.3"/></body>
</worldbody>
<tendon>
 <fixed name="t" stiffness="40" damping="2" springlength=".1 .2">
  <joint joint="a2" coef="1"/><joint joint="b1" coef="-.7"/><joint joint="a3" coef=".5"/></fixed>
 <fixed name="u"><joint joint="a1" coef="1"/><joint joint="a2" coef=".5"/></fixed>
</tendon>
<actuator><position joint="a1" kp="50" kv="2"/><position tendon="t" kp="20" kv="1"/>
 <position tendon="u" kp="30" forcerange="-50 50"/><velocity joint="b2" kv="3"/><motor joint="a1" gear="2"/>
 <position joint="a3" kp="90" forcerange="-.01 .01"/></actuator></mujoco>)";

struct Choice {
  const char* name;
  Integrator integrator;
  SolverType solver = SolverType::kNewton;
  int noslip = 0;
  bool exact_diagonal = false, full = false, fluid = true;
};
constexpr Choice kChoices[] = {
    {"implicit", Integrator::kImplicit},
    {"implicitfast", Integrator::kImplicitFast},
    {"discrete", Integrator::kDiscrete},
    {"discrete in vacuum", Integrator::kDiscrete, SolverType::kNewton, 0, false, false, false},
    {"discrete in full, exact diagonal", Integrator::kDiscrete, SolverType::kNewton, 0, true, true},
    {"discrete without slip", Integrator::kDiscrete, SolverType::kNewton, 8},
    {"discrete by CG", Integrator::kDiscrete, SolverType::kCg},
};

TEST(WorldStep, CoupledBranchesAreThoseOfTheCpu) {
  for (const Choice& choice : kChoices) {
    Model m = load_model_string(kCoupled);
    prepare(m, choice.integrator);
    m.opt.solver = choice.solver;
    m.opt.tolerance = 1e-14, m.opt.iterations = 1000;
    m.opt.noslip_iterations = choice.noslip, m.opt.noslip_tolerance = 0;
    if (choice.exact_diagonal) m.opt.enableflags |= kEnableDiagExact;
    m.opt.discrete_full = choice.full;
    if (!choice.fluid) m.opt.density = m.opt.viscosity = 0;
    for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
      m.opt.cone = cone;
      State s(m);
      for (int i = 0; i < m.nv; ++i) s.qvel[i] = std::sin(3 * i + 1);
      for (int i = 0; i < m.nu; ++i) s.ctrl[i] = 0.3 * std::cos(i);
      Data d(m);
      int contacts = 0;
      for (int look = 0; look < 2; ++look) {
        for (int k = 0; k < 30; ++k) ASSERT_TRUE(step(m, s, d).ok());
        const State before = s;
        ASSERT_TRUE(step(m, s, d).ok());
        contacts += d.ncon;
        if (choice.integrator == Integrator::kDiscrete) {
          EXPECT_EQ(d.metric.nterm, 2) << "the tendon's and its servo's";
        }
        expect_step(m, before, s, d, std::string(choice.name) + name_of(cone),
                    choice.solver == SolverType::kCg ? 1e-7 : 1e-12);
      }
      EXPECT_GT(contacts, 0);
    }
  }
}

// A tangle of edges and faces: 24 boxes of the bin, thrown into a corner of it.
TEST(WorldStep, TangledBoxesAreThoseOfTheCpu) {
  constexpr int kBoxes = 24;
  std::ifstream file(source_folder() / "models/bin_of_boxes.xml");
  std::string text(std::istreambuf_iterator<char>(file), {});
  const size_t from = text.find("<body name=\"box" + std::to_string(kBoxes) + '"'), to = text.find("</worldbody>");
  ASSERT_LT(from, to);
  Model m = load_model_string(text.erase(from, to - from));
  ASSERT_EQ(m.nv, 6 * kBoxes);
  prepare(m, Integrator::kEuler);
  m.opt.gravity[0] = m.opt.gravity[1] = -9;  // towards the corner
  for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    m.opt.cone = cone;
    State s(m);
    Data d(m);
    for (int k = 0; k < 250; ++k) ASSERT_TRUE(step(m, s, d).ok());
    const State before = s;
    ASSERT_TRUE(step(m, s, d).ok());
    EXPECT_GT(d.ncon, 60);
    expect_step(m, before, s, d, std::string("tangled boxes") + name_of(cone));
  }
}

// No-slip sweeps: those of the CPU, whatever the team; normal forces stay as they were, and contacts that stick do what
// is asked of them, but for rounding, once sweeps have come to their end.
TEST(WorldStep, SweepsWithoutSlipAreThoseOfTheCpu) {
  int all_contacts = 0;
  for (const char* scene : {"gripper", "quadruped", "tendon_finger"}) {
    Model m = load_scene(scene);
    prepare(m, Integrator::kEuler);
    int contacts = 0, sticking = 0;
    for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
      m.opt.cone = cone;
      m.opt.noslip_iterations = 5, m.opt.noslip_tolerance = 0;
      State s(m);
      Data d(m);
      for (int k = 0; k < 100; ++k) ASSERT_TRUE(step(m, s, d).ok());
      const State before = s;
      ASSERT_TRUE(step(m, s, d).ok());
      contacts += d.ncon;
      const std::string where = std::string(scene) + name_of(cone);
      expect_step(m, before, s, d, where);

      const TeamWorld<double>::Room room{d.ncon + 3, d.rows.n + 5, d.rows.segment_room + 9, d.rows.entry_room + 50};
      m.opt.noslip_iterations = 0;
      TeamWorld<double> slips(m, before, room);
      slips.step<8>(1);
      m.opt.noslip_iterations = 6000, m.opt.noslip_tolerance = -1;  // all of them
      TeamWorld<double> sticks(m, before, room);
      sticks.step<1>(1);
      const auto* f = slips.d.rows.row_force;
      const auto* g = sticks.d.rows.row_force;
      const std::vector<double> qacc = sticks.numbers(sticks.d.qacc, m.nv);
      for (int c = 0; c < sticks.d.ncon; ++c) {
        const ContactT<double>& contact = sticks.d.contact[c];
        if (contact.row < 0 || contact.dim == 1) continue;
        const int first = contact.row;
        const auto residual = [&](int row) {
          return row_times(sticks.d.rows, row, qacc.data()) - sticks.d.rows.row_aref[row];
        };
        if (cone == ConeType::kElliptic) {
          // (with sweeps the solver has its rows in groups: another order of sums)
          EXPECT_NEAR(f[first], g[first], 1e-11 * (1 + f[first])) << where;
          double squares = 0;
          for (int k = 1; k < contact.dim; ++k) squares += std::pow(g[first + k] / contact.friction[k - 1], 2);
          EXPECT_LE(std::sqrt(squares), g[first] * (1 + 1e-12)) << where;
          if (sticks.d.rows.row_state[first] != 1) continue;
          ++sticking;
          for (int k = 1; k < contact.dim; ++k) EXPECT_NEAR(residual(first + k), 0, 1e-8) << where;
          continue;
        }
        for (int k = 0; k < 2 * (contact.dim - 1); k += 2) {
          EXPECT_NEAR(f[first + k] + f[first + k + 1], g[first + k] + g[first + k + 1], 1e-12) << where;
          EXPECT_GE(std::min(g[first + k], g[first + k + 1]), 0) << where;
          if (!(std::min(g[first + k], g[first + k + 1]) > 0)) continue;
          ++sticking;
          EXPECT_NEAR(residual(first + k), residual(first + k + 1), 1e-8) << where;
        }
      }
    }
    EXPECT_TRUE(contacts == 0 || sticking > 0) << scene;
    all_contacts += contacts;
  }
  EXPECT_GT(all_contacts, 0);
}

// A world without room says so and stays where it was.
TEST(WorldStep, OverflowLeavesTheState) {
  Model m = load_scene("drop");
  m.opt.integrator = Integrator::kEuler;
  State s(m);
  Data d(m);
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(step(m, s, d).ok());
  forward(m, s, d);
  ASSERT_GT(d.ncon, 1);
  const TeamWorld<double>::Room enough{d.ncon, d.rows.n, d.rows.nsegment, d.rows.nentry};
  TeamWorld<double> good(m, s, enough);
  EXPECT_EQ(good.step<8>(1).status, 0);
  for (int which = 0; which < 4; ++which) {
    TeamWorld<double>::Room room = enough;
    --(which == 0 ? room.contacts : which == 1 ? room.rows : which == 2 ? room.segments : room.entries);
    TeamWorld<double> world(m, s, room);
    const std::vector<double> qpos = world.numbers(world.s.qpos, m.nq), qvel = world.numbers(world.s.qvel, m.nv);
    EXPECT_EQ(world.step<8>(1).status, bit(which == 0 ? Fault::kContactOverflow : Fault::kRowOverflow)) << which;
    EXPECT_EQ(qpos, world.numbers(world.s.qpos, m.nq));
    EXPECT_EQ(qvel, world.numbers(world.s.qvel, m.nv));
    EXPECT_EQ(world.s.time[0], s.time[0]);
  }
}

// The scene that sensors are compared in has all of them, in all ways of measuring.
TEST(WorldStep, SceneHasEverySensor) {
  Model m;
  ASSERT_TRUE(load({"all_sensors", 0, nullptr, false, "tests/batch/all_sensors.xml"}, m));
  std::vector<bool> has(std::size(kSensorKinds));
  bool late = false, seldom = false, kept = false;
  for (int i = 0; i < m.nsensor; ++i) {
    has[static_cast<size_t>(m.sensor_type[i])] = true;
    if (m.sensor_history[2 * i] == 0) continue;
    late = late || m.sensor_delay[i] > 0;
    seldom = seldom || m.sensor_interval[2 * i] > 0;
    kept = kept || (m.sensor_delay[i] == 0 && m.sensor_interval[2 * i] == 0);
  }
  EXPECT_TRUE(late && seldom && kept);
  for (size_t type = 0; type < has.size(); ++type) {
    // (there are no plugins)
    EXPECT_EQ(has[type], type != static_cast<size_t>(SensorType::kPlugin)) << "type " << type;
  }
}

// Readings that are not finite and cursors that are no places are faults of the world, as on the CPU, and it stays.
TEST(WorldStep, BadReadingsAndHistoriesLeaveTheState) {
  const Model good = load_model_string(R"(
    <mujoco><option integrator="Euler"/><worldbody><body><joint name="j" type="slide"/><geom size="0.1"/>
      <site name="a" pos="0.1 0 0"/><site name="b" pos="0 0.1 0"/></body></worldbody>
    <actuator><motor joint="j" nsample="3" delay="0.003"/></actuator>
    <sensor><framepos objtype="site" objname="a"/>
      <framepos objtype="site" objname="b" nsample="4" delay="0.003"/>
      <user name="own" dim="2"/><subtreelinvel body="world" nsample="4" delay="0.003"/></sensor></mujoco>)");
  State start(good);
  Data d(good);
  start.qvel[0] = 1;
  for (int k = 0; k < 7; ++k) ASSERT_TRUE(step(good, start, d).ok());
  const double kNan = std::numeric_limits<double>::quiet_NaN();
  using Spoil = void (*)(Model&, State&, double);
  const Spoil spoils[] = {
      [](Model&, State&, double) {},
      [](Model& m, State&, double nan) { m.site_pos[0] = nan; },
      [](Model& m, State&, double nan) { m.site_pos[4] = nan; },
      [](Model& m, State&, double nan) { m.opt.disableflags |= kDisableSensor, m.site_pos[0] = nan; },
      [](Model& m, State&, double nan) { m.opt.disableflags |= kDisableSensor, m.site_pos[4] = nan; },
      [](Model& m, State& s, double) { s.history[m.sensor_historyadr[1] + 1] = 4; },
      [](Model& m, State& s, double) { s.history[m.sensor_historyadr[1] + 1] = -1e9; },
      [](Model& m, State& s, double nan) { s.history[m.actuator_historyadr[0] + 1] = nan; },
      [](Model& m, State& s, double nan) { s.ctrl[0] = m.site_pos[0] = nan; },
  };
  int faults = 0;
  for (size_t k = 0; k < std::size(spoils); ++k) {
    Model m = good;
    State s = start;
    spoils[k](m, s, kNan);
    const auto look = [&](auto members) {
      TeamWorld<double> world(m, s, {8, 8, 8, 8});
      State moved = s;
      Data data(m);
      const StepStatus cpu = step(m, moved, data);
      faults |= cpu.faults;
      EXPECT_EQ(world.template step<decltype(members)::value>(1).status, cpu.faults) << k;
      for (int i = 0; i < m.nhistory; ++i) {
        const double mine = world.s.history[i];
        EXPECT_TRUE(mine == moved.history[i] || (std::isnan(mine) && std::isnan(moved.history[i]))) << k << ' ' << i;
      }
      EXPECT_EQ(world.s.time[0], moved.time[0]) << k;
      EXPECT_EQ(world.s.qpos[0], moved.qpos[0]) << k;
    };
    look(std::integral_constant<int, 1>{}), look(std::integral_constant<int, 8>{});
    look(std::integral_constant<int, 32>{});
  }
  EXPECT_EQ(faults, bit(Fault::kBadReading) | bit(Fault::kBadHistory) | bit(Fault::kBadControl));
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  return std::string(std::get<Scene>(info.param).name) + "_" + name_of(std::get<Integrator>(info.param));
}
INSTANTIATE_TEST_SUITE_P(
    Scenes, WorldSteps,
    testing::Combine(testing::Values(Integrator::kEuler),
                     testing::Values(Scene{"beads", 40}, Scene{"drop", 100}, Scene{"rubber_balls", 260},
                                     Scene{"stack_of_boxes", 60},
                                     Scene{"rows_kinds", 30, nullptr, true, "tests/parity/cases/rows_kinds.xml"},
                                     Scene{"all_sensors", 30, nullptr, false, "tests/batch/all_sensors.xml"},
                                     Scene{"barkour", 20, "menagerie/google_barkour_vb/scene.xml"},
                                     Scene{"barkour_hills", 20, "menagerie/google_barkour_vb/scene_hfield_mjx.xml"})),
    name_of_case);
INSTANTIATE_TEST_SUITE_P(
    ScenesByAllIntegrators, WorldSteps,
    testing::Combine(
        testing::Values(Integrator::kEuler, Integrator::kImplicitFast, Integrator::kImplicit, Integrator::kDiscrete),
        testing::Values(Scene{"gripper", 60}, Scene{"quadruped", 100}, Scene{"tendon_finger", 20, nullptr, true},
                        Scene{"mimic_gripper", 60}, Scene{"mimic_hand", 20, nullptr, true},
                        Scene{"gear_chain", 30, nullptr, true}, Scene{"humanoid", 50, "mujoco/humanoid/humanoid.xml"},
                        Scene{"franka", 20, "menagerie/franka_emika_panda/scene.xml"},
                        Scene{"shadow_hand", 20, "menagerie/shadow_hand/scene_right.xml"})),
    name_of_case);

}  // namespace
}  // namespace pliant

// Whole steps with contacts and constraints: no allocation, snapshots, disposable Data, equal bits over threads; the
// same solution with and without islands and warm start, and in whatever order rows come.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "pliant/batch.h"
#include "pliant/query.h"
#include "tests/step/allocations.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

constexpr Integrator kIntegrators[] = {Integrator::kEuler, Integrator::kRk4, Integrator::kImplicit,
                                       Integrator::kImplicitFast, Integrator::kDiscrete};
constexpr const char* kTouching[] = {"beads", "drop", "gripper", "quadruped", "stack_of_boxes", "bin_of_boxes"};

State thrown(const Model& m) {
  State s(m);
  for (int i = 0; i < m.nv; ++i) s.qvel[i] = 0.3 * std::sin(7.0 * i + 1);
  return s;
}

class StepWithContacts : public testing::TestWithParam<const char*> {
 protected:
  StepWithContacts()
      : m(load_scene(GetParam())),
        steps(m.nv > 300                          ? 10
              : GetParam() == std::string("drop") ? 400
                                                  : 60) {}
  Model m;
  int steps;
};

// The same steps once more: memory has grown to what they need.
TEST_P(StepWithContacts, AllocatesNothing) {
  for (Integrator integrator : kIntegrators) {
    m.opt.integrator = integrator;
    for (SolverType solver : {SolverType::kPgs, SolverType::kCg, SolverType::kNewton}) {
      if (m.nv > 300 && solver != SolverType::kNewton) continue;
      m.opt.solver = solver;
      Data d(m);
      State s = thrown(m);
      for (int i = 0; i < steps; ++i) ASSERT_TRUE(step(m, s, d).ok());
      State again = thrown(m);
      int rows = 0;
      const long before = allocation_count();
      for (int i = 0; i < steps; ++i) {
        step(m, again, d);
        rows += d.rows.n;
      }
      EXPECT_EQ(allocation_count(), before) << static_cast<int>(integrator) << " " << static_cast<int>(solver);
      EXPECT_GT(rows, 0) << "nothing touches";
    }
  }
}

TEST_P(StepWithContacts, ContinuesFromASnapshotBitForBit) {
  for (Integrator integrator : kIntegrators) {
    m.opt.integrator = integrator;
    State s = thrown(m), restored;
    Data d(m);
    for (int i = 0; i < steps; ++i) step(m, s, d);
    const State snapshot = s;
    for (int i = 0; i < steps; ++i) step(m, s, d);
    // into a new Data, and into the used one
    for (bool fresh : {true, false}) {
      restored = snapshot;
      Data other(m);
      for (int i = 0; i < steps; ++i) step(m, restored, fresh ? other : d);
      EXPECT_EQ(restored.hash(), s.hash()) << static_cast<int>(integrator);
    }
  }
}

TEST_P(StepWithContacts, AFreshDataChangesNoBit) {
  State s = thrown(m), t = thrown(m);
  Data d(m);
  for (int i = 0; i < steps; ++i) {
    step(m, s, d);
    Data fresh(m);
    step(m, t, fresh);
    ASSERT_EQ(s.hash(), t.hash()) << i;
  }
}

TEST_P(StepWithContacts, ThreadsDoNotMatter) {
  constexpr int kWorlds = 6;
  std::vector<std::vector<double>> all;
  for (int threads : {1, 2, 5, 8}) {
    BatchOptions options;
    options.threads = threads;
    Batch batch(m, kWorlds, options);
    const BatchField qpos = batch.field("qpos"), qvel = batch.field("qvel");
    for (int w = 0; w < kWorlds; ++w) {
      double* v = static_cast<double*>(qvel.data) + w * qvel.world_stride;
      for (int i = 0; i < m.nv; ++i) v[i] = 0.2 * std::sin(7.0 * i + w);
    }
    batch.step(m.nv > 300 ? 2 : 20);
    std::vector<double> result;
    for (const BatchField& field : {qpos, qvel}) {
      for (int w = 0; w < kWorlds; ++w) {
        const double* x = static_cast<double*>(field.data) + w * field.world_stride;
        result.insert(result.end(), x, x + field.count);
      }
    }
    all.push_back(result);
    EXPECT_EQ(all[0], result) << threads << " threads";
  }
}

// ---- the same solution ---------------------------------------------------------------------------

// How far the cost may be from its minimum: the gaps of all islands, without their scales.
double cost_bound(const Model& m, const Data& d) {
  const auto diagonal = [&](int i) { return d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]; };
  const bool dual = m.opt.solver == SolverType::kPgs;
  double sum = 0;
  for (int k = 0; k < d.solver.n; ++k) {
    double inertia = m.stat.meaninertia * m.nv;
    if (d.islands.n > 0 && !dual) {
      inertia = 0;
      for (int i = d.islands.island_dofadr[k]; i < d.islands.island_dofadr[k + 1]; ++i)
        inertia += diagonal(d.islands.island_dof[i]);
    }
    sum += d.solver.report[k].gap * inertia;
  }
  return sum;
}

double norm_in_M(const Model& m, const Data& d, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  multiply_mass(m, d, x.data(), y.data());
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return std::sqrt(std::max(0.0, sum));
}

struct Solution {
  std::vector<double> qacc;
  double radius;  // |qacc - exact|_M is at most this: ½ |.|²_M ≤ cost - minimum ≤ gap
  Solution(const Model& m, const State& s, Data& d) {
    EXPECT_TRUE(forward(m, s, d).ok());
    qacc.assign(d.qacc, d.qacc + m.nv);
    radius = std::sqrt(2 * cost_bound(m, d));
  }
};

// Both are within their certificates of the minimum, so of each other. (Certificates of zero leave rounding.)
void expect_same(const Model& m, const Data& d, const Solution& a, const Solution& b, const std::string& what) {
  std::vector<double> difference(a.qacc.size());
  for (size_t i = 0; i < difference.size(); ++i) difference[i] = a.qacc[i] - b.qacc[i];
  const double rounding = 1e-9 * (1 + norm_in_M(m, d, a.qacc));
  EXPECT_LE(norm_in_M(m, d, difference), a.radius + b.radius + rounding) << what;
}

TEST_P(StepWithContacts, IslandsAndWarmStartGiveTheSameSolution) {
  for (SolverType solver : {SolverType::kPgs, SolverType::kCg, SolverType::kNewton}) {
    if (m.nv > 300 && solver != SolverType::kNewton) continue;
    m.opt.solver = solver;
    State s = thrown(m);
    Data d(m);
    for (int i = 0; i < steps; ++i) {
      m.opt.disableflags = 0;
      step(m, s, d);
      if (i % 10) continue;
      const Solution usual(m, s, d);
      const std::string what = "solver " + std::to_string(static_cast<int>(solver)) + " step " + std::to_string(i);
      m.opt.disableflags = kDisableIsland;
      Data other(m);
      expect_same(m, d, usual, Solution(m, s, other), what + " without islands");
      m.opt.disableflags = kDisableWarmStart;
      expect_same(m, d, usual, Solution(m, s, other), what + " without warm start");
      m.opt.disableflags = 0;
      const Solution again(m, s, other);
      EXPECT_EQ(usual.qacc, again.qacc) << what << ": the same settings, the same bits";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, StepWithContacts, testing::ValuesIn(kTouching));

// Elements written in another order: rows come in another order, the motion is the same.
TEST(RowOrder, DoesNotMatter) {
  std::vector<std::string> geoms,
      equalities = {"<connect body1='b' body2='c' anchor='.2 0 0'/>", "<weld body1='c' body2='d'/>",
                    "<joint joint1='x' joint2='y' polycoef='.1 .5 0 0 0'/>", "<connect body1='d' anchor='0 0 .1'/>"};
  for (int i = 0; i < 5; ++i) {
    geoms.push_back("<geom type='box' size='.05 .05 .05' pos='" + std::to_string(0.11 * i) + " 0 0'/>");
  }
  const auto model = [&](int turn) {
    std::vector<std::string> g = geoms, e = equalities;
    std::rotate(g.begin(), g.begin() + turn % 5, g.end());
    std::rotate(e.begin(), e.begin() + turn % 4, e.end());
    if (turn > 4) std::reverse(g.begin(), g.end());
    std::string all_geoms, all_equalities;
    for (const std::string& text : g) all_geoms += text;
    for (const std::string& text : e) all_equalities += text;
    return load_model_string(
        "<mujoco><worldbody><geom type='plane' size='3 3 1'/><body name='a' pos='0 0 .0495'><freejoint/>" + all_geoms +
        "</body><body name='b' pos='0 1 .2'><joint name='x' axis='0 1 0' range='-5 5'/><geom type='capsule' size='.03' "
        "fromto='0 0 0 .2 0 0'/><body name='e' pos='.2 0 0'><joint name='y' axis='0 1 0' frictionloss='.3'/><geom "
        "type='capsule' "
        "size='.03' fromto='0 0 0 .2 0 0'/></body></body><body name='c' pos='.2 1 .2'><freejoint/><geom "
        "size='.05'/></body>"
        "<body name='d' pos='.4 1 .2'><freejoint/><geom size='.05'/></body></worldbody><equality>" +
        all_equalities + "</equality></mujoco>");
  };
  for (SolverType solver : {SolverType::kPgs, SolverType::kCg, SolverType::kNewton}) {
    Model first = model(0);
    first.opt.solver = solver;
    State s = thrown(first);
    Data d(first);
    for (int i = 0; i < 30; ++i) {
      step(first, s, d);
      if (i % 6) continue;
      const Solution usual(first, s, d);
      ASSERT_GT(d.rows.n, 15);
      for (int turn = 1; turn < 9; ++turn) {
        Model other = model(turn);
        other.opt.solver = solver;
        Data e(other);
        expect_same(first, d, usual, Solution(other, s, e), "order " + std::to_string(turn));
        EXPECT_EQ(e.rows.n, d.rows.n);
      }
    }
  }
}

// Every model of the collection that loads.
TEST(StepWithContactsOfOtherModels, AllocatesNothing) {
  const int models = for_other_models([](const std::filesystem::path& path, Model& m) {
    for (Integrator integrator : kIntegrators) {
      if (m.nv > 300 && integrator != m.opt.integrator) continue;
      m.opt.integrator = integrator;
      Data d(m);
      for (int round = 0; round < 3; ++round) {
        State s(m);
        const long before = allocation_count();
        for (int i = 0; i < 5; ++i) step(m, s, d);
        // the first round makes the memory grow, the second puts it together, the third has all it needs
        const long expected = round == 2 ? before : allocation_count();
        EXPECT_EQ(allocation_count(), expected) << path << " " << static_cast<int>(integrator);
      }
    }
  });
  if (models < 0) GTEST_SKIP() << "PLIANT_MODELS is not set";
  EXPECT_GT(models, 50);
}

}  // namespace
}  // namespace pliant

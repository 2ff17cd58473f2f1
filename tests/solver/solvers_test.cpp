// Every solver of the table on the same random problems: all find the minimum, and say so only where it is true.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "solver/hessian.h"
#include "solver/solvers.h"
#include "tests/solver/problems.h"
#include "tests/step/allocations.h"

namespace pliant {
namespace {

using testing::exact_minimum;
using testing::exact_point;
using testing::ProblemChoice;
using testing::RandomProblem;

constexpr int kNewton = 2, kTgs = 3, kSolvers = 4;
constexpr double kTolerance = 1e-10;
/// CG and PGS stop where an iteration improves little, which is long before the gap is as small.
constexpr double kTight = 1e-15;
/// No rule of termination holds before rounding ends the search.
constexpr double kNever = 1e-30;
/// Of costs, relative to their size: sums of products of numbers up to 1e6 in double.
constexpr double kRounding = 1e-12;

/// Long versions of tests run if PLIANT_FULL is set.
bool full() { return std::getenv("PLIANT_FULL") != nullptr; }

ProblemChoice choice_of(int seed) {
  ProblemChoice c;
  c.dofs = 1 + seed % 35;
  c.groups = seed % 20;
  c.elliptic = seed % 2 == 1;
  c.awkward = seed % 5 == 4;
  if (seed % 7 == 3) c.free_bodies = 1 + seed % 9, c.groups = 3 * c.free_bodies;
  return c;
}

struct Answer {
  SolverReport report;
  std::vector<double> qacc, force;
  std::vector<int> state;
};

Answer run(int solver, SolverProblem p, const std::vector<double>& qacc, const std::vector<double>& force) {
  static Arena arena;
  arena.reset();
  p.opt.sweeps = p.opt.iterations;  // TGS in one substep: the problem is that of the others
  Answer a{{}, qacc, force, std::vector<int>(force.size())};
  a.report = solver_table()[solver].solve(p, arena, a.qacc, a.force, a.state);
  return a;
}
Answer run(int solver, const RandomProblem& problem, int iterations, double tolerance = kTolerance) {
  return run(solver, problem.view(iterations, tolerance), problem.qacc_smooth,
             std::vector<double>(problem.aref.size()));
}

long double cost(const RandomProblem& p, const std::vector<double>& a) {
  return exact_point(p, {a.begin(), a.end()}, false).cost;
}

TEST(Solvers, AgreeWithinTheirCertificates) {
  const int count = full() ? 10000 : 400;
  int converged[kSolvers] = {}, rounded = 0;
  for (int seed = 0; seed < count; ++seed) {
    const RandomProblem problem(seed, choice_of(seed));
    const auto minimum = exact_minimum(problem);
    const long double lowest = exact_point(problem, minimum, false).cost;
    const auto M = problem.dense_mass();
    for (int s = 0; s < kSolvers; ++s) {
      SCOPED_TRACE(std::string(solver_table()[s].name) + ", seed " + std::to_string(seed));
      const int iterations = s == kNewton ? 100 : s == kTgs ? 300 : 1000;
      const Answer a = run(s, problem, iterations, s == kNewton ? kTolerance : kTight);
      const SolverProblem p = problem.view();
      const double gap = a.report.gap / p.opt.scale;
      // what the terms of the cost amount to: their rounding is no matter of convergence
      double size = 1 + std::fabs(static_cast<double>(lowest));
      for (int i = 0; i < problem.n; ++i) {
        for (int j = 0; j < problem.n; ++j) size += std::fabs(a.qacc[i] * M[i * problem.n + j] * a.qacc[j]);
      }
      // the certificate holds, for the cost and for the distance in the norm of M
      EXPECT_LE(static_cast<double>(cost(problem, a.qacc) - lowest), gap + kRounding * size);
      long double distance = 0;
      for (int i = 0; i < problem.n; ++i) {
        for (int j = 0; j < problem.n; ++j)
          distance += (a.qacc[i] - minimum[i]) * M[i * problem.n + j] * (a.qacc[j] - minimum[j]);
      }
      EXPECT_LE(static_cast<double>(distance) / 2, gap + kRounding * size);
      // "converged" means what it says
      EXPECT_EQ(a.report.converged, a.report.status == SolverStatus::kConverged);
      if (a.report.converged) {
        EXPECT_LT(a.report.gap, s == kNewton ? kTolerance : kTight);
      }
      converged[s] += a.report.gap < kTolerance;
      if (s == kNewton && !a.report.converged) {
        // MuJoCo's rules of termination look at the improvement and the gradient and can hold one iteration before the
        // gap is small, which the report says; without them the gap falls below the tolerance or to the rounding of
        // costs
        EXPECT_TRUE(a.report.status == SolverStatus::kStopped || a.report.status == SolverStatus::kNoProgress);
        const double further = run(s, problem, 100, kNever).report.gap;
        EXPECT_TRUE(further < kTolerance || further / p.opt.scale < kRounding * size) << further;
        rounded += further >= kTolerance;
      }
      // forces within their bounds, and the accelerations are those of the forces up to the gradient
      Arena arena;
      const Certificate proof = certify(p, arena, a.qacc, a.force);
      EXPECT_LE(proof.cone_violation, 1e-12);
      EXPECT_LE(proof.gap, gap * 1.001 + kRounding * size);
    }
  }
  std::printf("%d problems; gaps below the tolerance: PGS %d, CG %d, Newton %d, all but %d if it goes on\n", count,
              converged[0], converged[1], converged[kNewton], rounded);
  EXPECT_GT(converged[1], 0.8 * count);
  EXPECT_GT(converged[0], 0.7 * count);
  EXPECT_GT(converged[kTgs], 0.6 * count);
}

TEST(Solvers, WarmStartAndOrderOfRowsDoNotMatter) {
  for (int seed = 0; seed < 60; ++seed) {
    ProblemChoice choice = choice_of(seed);
    choice.awkward = false;
    RandomProblem problem(seed, choice);
    std::vector<double> start = problem.qacc_smooth, force(problem.aref.size());
    for (double& x : start) x += problem.uniform(-5, 5);
    for (double& x : force) x = problem.uniform(-5, 5);
    const Answer cold = run(kNewton, problem, 100, 1e-14);
    // blocks in reverse order
    RandomProblem turned(seed, choice);
    std::reverse(turned.blocks.begin(), turned.blocks.end());
    std::vector<int> from;
    for (RowBlock& block : turned.blocks) {
      const int first = static_cast<int>(from.size());
      for (int i = 0; i < block.dim; ++i) from.push_back(block.first + i);
      block.first = first;
    }
    const auto permute = [&](auto& v, const auto& original) {
      for (size_t i = 0; i < from.size(); ++i) v[i] = original[from[i]];
    };
    permute(turned.Jadr, problem.Jadr);
    permute(turned.segadr, problem.segadr);
    permute(turned.segnum, problem.segnum);
    permute(turned.aref, problem.aref);
    permute(turned.D, problem.D);
    permute(turned.R, problem.R);
    for (int s = 0; s < kSolvers; ++s) {
      const SolverProblem p = problem.view(s == 0 ? 4000 : 500, 1e-14);
      for (const Answer& a : {run(s, p, start, force), run(s, turned, s == 0 ? 4000 : 500, 1e-14)}) {
        const double allowed = std::sqrt(2 * (a.report.gap + cold.report.gap) / p.opt.scale) + 1e-9;
        // |a - b| in the norm of M is below the root of twice both gaps; eigenvalues of M are above 0.01
        for (int i = 0; i < problem.n; ++i) EXPECT_NEAR(a.qacc[i], cold.qacc[i], 10 * allowed) << seed << " " << s;
      }
    }
  }
}

TEST(Solvers, SameInputSameBits) {
  for (int seed = 0; seed < 40; ++seed) {
    const RandomProblem problem(seed, choice_of(seed));
    for (int s = 0; s < kSolvers; ++s) {
      const Answer a = run(s, problem, 50), b = run(s, problem, 50);
      EXPECT_EQ(a.qacc, b.qacc);
      EXPECT_EQ(a.force, b.force);
      EXPECT_EQ(a.state, b.state);
    }
  }
}

TEST(Solvers, NoMemoryAfterWarmUp) {
  const RandomProblem problem(31, {.dofs = 30, .groups = 20});
  const SolverProblem p = problem.view();
  Arena arena;
  std::vector<double> qacc = problem.qacc_smooth, force(problem.aref.size());
  std::vector<int> state(force.size());
  for (int s = 0; s < kSolvers; ++s) {
    for (int k = 0; k < 3; ++k) {
      arena.reset();
      solver_table()[s].solve(p, arena, qacc, force, state);
    }
    const long before = allocation_count();
    arena.reset();
    std::copy(problem.qacc_smooth.begin(), problem.qacc_smooth.end(), qacc.begin());
    solver_table()[s].solve(p, arena, qacc, force, state);
    EXPECT_EQ(allocation_count(), before) << solver_table()[s].name;
    EXPECT_EQ(arena.bytes_used(), 0u) << "memory is given back";
  }
}

TEST(Solvers, NoRows) {
  const RandomProblem problem(3, {.dofs = 9, .groups = 0});
  for (int s = 0; s < kSolvers; ++s) {
    const Answer a = run(s, problem, 10);
    EXPECT_TRUE(a.report.converged);
    for (int i = 0; i < problem.n; ++i) EXPECT_NEAR(a.qacc[i], problem.qacc_smooth[i], 1e-12);
  }
}

TEST(Solvers, NotANumberIsReportedAndDoesNotSpread) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int s = 0; s < kSolvers; ++s) {
    for (const int place : {0, 1, 2, 3}) {
      RandomProblem problem(11, {.dofs = 12, .groups = 10});
      const int row = static_cast<int>(problem.aref.size()) / 2;
      if (place == 0) problem.aref[row] = nan;
      if (place == 1) problem.J[problem.Jadr[row]] = nan;
      if (place == 2) problem.D[row] = std::numeric_limits<double>::infinity();
      if (place == 3) problem.qfrc_smooth[2] = nan;
      const Answer a = run(s, problem, 50);
      SCOPED_TRACE(std::string(solver_table()[s].name) + " place " + std::to_string(place));
      EXPECT_FALSE(a.report.converged);
      EXPECT_EQ(a.report.status, SolverStatus::kNotFinite);
      EXPECT_EQ(a.report.bad_row, place == 3 ? -1 : row);
      for (const double x : a.qacc) EXPECT_TRUE(std::isfinite(x));
      for (const double x : a.force) EXPECT_EQ(x, 0);
    }
    // a warm start that is not a number is only a bad guess
    const RandomProblem problem(12, {.dofs = 12, .groups = 10});
    const Answer good = run(s, problem, 500);
    const Answer a = run(s, problem.view(500, kTolerance), std::vector<double>(problem.n, nan),
                         std::vector<double>(problem.aref.size(), nan));
    for (int i = 0; i < problem.n; ++i) EXPECT_NEAR(a.qacc[i], good.qacc[i], 1e-3);
  }
}

/// One body of three slides of mass 1, touching with friction 1; x = a - aref without force.
TEST(Solvers, LeaveTheApexOfTheCone) {
  RandomProblem problem(1, {.dofs = 3, .groups = 0});
  problem.parent = {-1, -1, -1};
  problem.chain = problem.rownnz = {1, 1, 1};
  problem.chain = {0, 0, 0};
  problem.rowadr = problem.colind = {0, 1, 2};
  problem.M = problem.LD = problem.inverse_D = {1, 1, 1};
  problem.qfrc_smooth = problem.qacc_smooth = {0, 0, 0};
  problem.segment_dof = {0};
  problem.segment_len = {3};
  problem.Jadr = {0, 3, 6};
  problem.segadr = {0, 0, 0};
  problem.segnum = {1, 1, 1};
  problem.J = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  problem.aref = {-0.5, -10, 0};  // it opens slowly and slides fast
  problem.R = {0.1, 0.1, 0.1};
  problem.D = {10, 10, 10};
  const double friction[2] = {1, 1};
  problem.blocks = {{{.first = 0, .dim = 3, .law = RowLaw::kElliptic, .mu = 1, .friction = friction}}};
  const Answer newton = run(kNewton, problem, 100, 1e-14);
  EXPECT_GT(newton.force[0], 1);
  for (int s = 0; s < 2; ++s) {
    const Answer a = run(s, problem, 1000, 1e-14);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.force[i], newton.force[i], 1e-6) << solver_table()[s].name;
  }
}

TEST(Hessian, IsTheDerivativeOfTheGradient) {
  for (int seed = 0; seed < 40; ++seed) {
    ProblemChoice choice = choice_of(seed);
    choice.awkward = false;
    if (seed >= 30) choice.free_bodies = 14 + seed % 10, choice.groups = 50;  // several nodes
    RandomProblem problem(seed, choice);
    const SolverProblem p = problem.view();
    Arena arena;
    RowGroups rows;
    ASSERT_TRUE(rows.build(p.rows, p.blocks, problem.n, arena));
    std::vector<double> a = problem.qacc_smooth, s(problem.n), x(problem.aref.size()), force(x.size());
    std::vector<int> state(x.size());
    for (double& v : a) v += problem.uniform(-3, 3);
    for (double& v : s) v = problem.uniform(-1, 1);
    rows.times(a.data(), x.data());
    for (size_t i = 0; i < x.size(); ++i) x[i] -= problem.aref[i];
    rows.evaluate(x.data(), force.data(), state.data());
    Hessian hessian;
    ASSERT_TRUE(hessian.build(p, rows, arena));
    ASSERT_TRUE(hessian.factor(x.data(), state.data()));
    if (seed >= 30) {
      EXPECT_GT(hessian.nodes(), 1);
    }
    // (gradient(a + e s) - gradient(a - e s)) / 2 e, in long double
    const long double e = 1e-9L;
    std::vector<long double> up(a.begin(), a.end()), down(a.begin(), a.end());
    for (int i = 0; i < problem.n; ++i) up[i] += e * s[i], down[i] -= e * s[i];
    const auto high = exact_point(problem, up, false).gradient, low = exact_point(problem, down, false).gradient;
    std::vector<double> Hs(problem.n);
    for (int i = 0; i < problem.n; ++i) Hs[i] = static_cast<double>((high[i] - low[i]) / (2 * e));
    hessian.solve(Hs.data());
    for (int i = 0; i < problem.n; ++i) EXPECT_NEAR(Hs[i], s[i], 1e-5) << "seed " << seed;
  }
}

TEST(Hessian, UpdatesEqualANewFactor) {
  for (int seed = 0; seed < 30; ++seed) {
    ProblemChoice choice{.dofs = 20 + seed, .groups = 15, .elliptic = false};
    if (seed >= 20) choice.free_bodies = 12, choice.groups = 36;
    RandomProblem problem(seed, choice);
    const SolverProblem p = problem.view();
    Arena arena;
    RowGroups rows;
    ASSERT_TRUE(rows.build(p.rows, p.blocks, problem.n, arena));
    const int n = static_cast<int>(problem.aref.size());
    std::vector<int> state(n), next;
    std::vector<double> x(n);
    for (int& s : state) s = problem.below(2);
    next = state;
    std::vector<int> changed;
    for (int k = 0; k < 3 && n > 0; ++k) changed.push_back(problem.below(n));
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const int row : changed) next[row] = 1 - next[row];
    Hessian one, other;
    ASSERT_TRUE(one.build(p, rows, arena));
    ASSERT_TRUE(other.build(p, rows, arena));
    ASSERT_TRUE(one.factor(x.data(), state.data()));
    ASSERT_TRUE(other.factor(x.data(), next.data()));
    if (one.update(changed, next.data()) < 0) continue;  // a new factor is cheaper
    std::vector<double> u(problem.n), v;
    for (double& value : u) value = problem.uniform(-1, 1);
    v = u;
    one.solve(u.data());
    other.solve(v.data());
    for (int i = 0; i < problem.n; ++i) EXPECT_NEAR(u[i], v[i], 1e-9) << "seed " << seed;
  }
}

// Newton factors once per direction, and asks for none where it stops: with contacts that slide every direction needs a
// factor of its own.
TEST(Solvers, NewtonFactorsNothingAfterItsLastStep) {
  int stopped = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const RandomProblem problem(seed, {.dofs = 12, .groups = 6, .elliptic = true});
    SolverProblem p = problem.view(100, 1e-6);
    std::vector<SolverIteration> history(100);
    p.opt.history = history;
    Arena arena;
    std::vector<double> qacc = problem.qacc_smooth, force(problem.aref.size());
    std::vector<int> state(force.size());
    const SolverReport report = solver_table()[kNewton].solve(p, arena, qacc, force, state);
    if (report.iterations == 0) continue;
    const SolverIteration& last = history[report.iterations - 1];
    if (!(last.gradient < 1e-6 || (last.improvement > 0 && last.improvement < 1e-6))) continue;
    ++stopped;
    EXPECT_LE(report.factorizations, report.iterations) << seed;
    EXPECT_EQ(last.updates, 0) << seed;
  }
  EXPECT_GT(stopped, 10);
}

TEST(Solvers, LargeIslandOfBodies) {
  // sparse panels and many nodes: Newton against CG
  const RandomProblem problem(7, {.groups = 150, .elliptic = true, .free_bodies = 60});
  const Answer newton = run(kNewton, problem, 100, 1e-12), cg = run(1, problem, 5000, 1e-12);
  EXPECT_TRUE(newton.report.converged);
  const SolverProblem p = problem.view();
  const double allowed = std::sqrt(2 * (newton.report.gap + cg.report.gap) / p.opt.scale) + 1e-9;
  for (int i = 0; i < problem.n; ++i) EXPECT_NEAR(newton.qacc[i], cg.qacc[i], 10 * allowed);
}

}  // namespace
}  // namespace pliant

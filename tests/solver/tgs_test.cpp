// TGS and sweeps with equalities solved together: closed forms of springs, chains and fans; TGS as so many steps of a
// substep's length; the whitened rows they work on.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <functional>
#include <numbers>
#include <random>

#include "solver/sweeper.h"
#include "tests/solver/problems.h"
#include "tests/solver/row_system.h"

namespace pliant {
namespace {

using testing::ProblemChoice;
using testing::RandomProblem;
using testing::reference_row;
using testing::rigid_row;
using testing::RowLawNumbers;
using testing::RowSystem;
using testing::spring_row;

enum Solver : int { kPgs, kCg, kNewton, kTgs };

// ---- one spring ---------------------------------------------------------------------------------

/// Two rotors of inertia 1 and 4, q_A + 2 q_B = 0 as a spring of 10 rad/s, critically damped; C = 0.1 at the start.
RowSystem rotor_pair(double h) {
  RowSystem s({1, 4});
  s.couplings.push_back({{0, 1}, {1, 2}, spring_row(s.r({0, 1}, {1, 2}), 10, 1, h)});
  s.q = {0.1, 0};
  return s;
}

/// C after N steps of x / mu: double root 1 / (1 + x).
double rotor_violation(double x, int N) { return 0.1 * (1 + N * x / (1 + x)) * std::pow(1 + x, -N); }

TEST(Rotors, FollowTheClosedFormWithEverySolver) {
  const double h = 0.01;
  for (int solver : {kPgs, kCg, kNewton, kTgs}) {
    for (int substeps : {1, 4, 16, 32}) {
      if (solver != kTgs && substeps > 1) continue;
      for (int sweeps : {1, 4, 32}) {
        if (solver != kPgs && solver != kTgs && sweeps < 32) continue;
        RowSystem s = rotor_pair(h / substeps);
        for (int n = 1; n <= 10; ++n) {
          s.step(solver, h, substeps, sweeps);
          EXPECT_NEAR(s.violation(0), rotor_violation(0.1 / substeps, n * substeps), 1e-12)
              << solver << " " << substeps << " " << sweeps;
          if (n == 1 && substeps == 1) {
            EXPECT_NEAR(s.row_force[0] * h, -0.5 / 12.1, 1e-12);
          }
          // momentum that the row does not touch
          EXPECT_NEAR(-2 * 1 * s.v[0] + 4 * s.v[1], 0, 1e-14);
        }
      }
    }
  }
}

TEST(Rotors, ConvergeWithTheNumberOfSubsteps) {
  const double expected[] = {0.0736037, 0.0735778, 0.0735760, 0.0735759};
  const int substeps[] = {1, 4, 16, 32};
  for (int k = 0; k < 4; ++k) {
    RowSystem s = rotor_pair(0.01 / substeps[k]);
    for (int n = 0; n < 10; ++n) s.step(kTgs, 0.01, substeps[k], 2);
    EXPECT_NEAR(s.violation(0), rotor_violation(0.1 / substeps[k], 10 * substeps[k]), 1e-13);
    EXPECT_NEAR(s.violation(0), expected[k], 1e-7) << substeps[k];
    EXPECT_NEAR(s.violation(0), 0.2 / std::numbers::e, 6e-5 / substeps[k]);  // the limit
  }
}

// E = 1/2 v'Mv + 1/2 kp C^2 falls by h kd u^2 + 1/2 dv'Mdv + 1/2 kp h^2 u^2 in every step of a substep's length.
TEST(Rotors, LoseEnergyAsTheImplicitStepSays) {
  const double h = 0.01, kp = 50, kd = 10;
  RowSystem s = rotor_pair(h);
  s.v = {0.4, -0.7};
  const auto energy = [&] {
    return 0.5 * (s.v[0] * s.v[0] + 4 * s.v[1] * s.v[1]) + 0.5 * kp * s.violation(0) * s.violation(0);
  };
  for (int n = 0; n < 50; ++n) {
    const double before = energy(), a = s.v[0], b = s.v[1];
    s.step(kTgs, h, 1, 2);
    const double u = s.v[0] + 2 * s.v[1], da = s.v[0] - a, db = s.v[1] - b;
    EXPECT_NEAR(energy() - before, -(h * kd * u * u + 0.5 * (da * da + 4 * db * db) + 0.5 * kp * h * h * u * u), 1e-13);
  }
}

TEST(Rotors, StayBoundedHoweverStiff) {
  for (double stiff : {1.0, 1e2, 1e4, 1e6}) {
    RowSystem s({1, 4});
    s.couplings.push_back({{0, 1}, {1, 2}, spring_row(2, stiff / 0.0025, 1, 0.0025)});
    s.q = {0.1, 0};
    for (int n = 0; n < 200; ++n) {
      s.step(kTgs, 0.01, 4, 2);
      ASSERT_LE(std::fabs(s.violation(0)), 0.1 + 1e-9) << stiff;
    }
    EXPECT_NEAR(s.violation(0), 0, 1e-3);
  }
}

// ---- chains -------------------------------------------------------------------------------------

/// Ten masses one below the other under gravity 10, each held by the one above.
RowSystem hanging_chain(double last, const std::function<RowLawNumbers(double r)>& law) {
  std::vector<double> masses(10, 1.0);
  masses[9] = last;
  RowSystem s(masses);
  for (int i = 0; i < 10; ++i) {
    const std::vector<int> dof = i ? std::vector<int>{i - 1, i} : std::vector<int>{0};
    const std::vector<double> gear = i ? std::vector<double>{-1, 1} : std::vector<double>{1};
    s.couplings.push_back({dof, gear, law(s.r(dof, gear))});
    s.force[i] = -10 * masses[i];
  }
  return s;
}

constexpr double kFrame = 1.0 / 60;
constexpr int kFrames = 300;

/// Deepest place of the last mass at the ends of frames.
double hang(RowSystem& s, int substeps, int sweeps) {
  double deepest = 0;
  for (int f = 0; f < kFrames; ++f) {
    s.step(kTgs, kFrame, substeps, sweeps);
    deepest = std::max(deepest, -s.q[9]);
  }
  return deepest;
}

// 60 Hz, damping ratio 2: sum of r_i F_i / mu^2 at rest.
TEST(Chain, OfSpringsSagsByItsWeightOverItsStiffness) {
  const double mu = 2 * std::numbers::pi * 60;
  for (int substeps : {4, 8, 16}) {
    RowSystem s = hanging_chain(1, [&](double r) { return spring_row(r, mu, 2, kFrame / substeps); });
    const double deepest = hang(s, substeps, 2);
    EXPECT_NEAR(-s.q[9], 0.0070362, 1e-7) << substeps;
    if (substeps == 16) {
      EXPECT_NEAR(deepest, 0.0103, 0.02 * 0.0103);
    }
  }
}

TEST(Chain, OfReferenceRowsSagsAsTheirLawSays) {
  for (int substeps : {4, 16}) {
    RowSystem s = hanging_chain(1, [&](double r) { return reference_row(r, 0.02, 1, 0.95); });
    hang(s, substeps, 2);
    EXPECT_NEAR(-s.q[9], 0.0200, 1e-6) << substeps;
  }
  // the shortest time that refsafe allows, two substeps, comes to rest with two sweeps
  for (double d : {0.95, 0.5}) {
    RowSystem s = hanging_chain(1, [&](double r) { return reference_row(r, 2 * kFrame / 8, 1, d); });
    hang(s, 8, 2);
    double sag = 0;
    for (int i = 0; i < 10; ++i) sag += (i ? 2 : 1) * 10.0 * (10 - i) * (1 - d) * std::pow(2 * kFrame / 8, 2);
    EXPECT_NEAR(-s.q[9], sag, 1e-4 * sag) << d;
  }
}

// As stiff as so few sweeps can hold; without shrinking what is carried over, both would diverge.
TEST(Chain, OfStiffSpringsComesToRest) {
  const double h = kFrame / 8;
  const double stiffness[] = {1.5, 3};  // mu h_s, for one and two sweeps
  for (int sweeps : {1, 2}) {
    const double mu = stiffness[sweeps - 1] / h;
    RowSystem s = hanging_chain(1, [&](double r) { return spring_row(r, mu, 1, h); });
    hang(s, 8, sweeps);
    double sag = 0;
    for (int i = 0; i < 10; ++i) sag += (i ? 2 : 1) * 10.0 * (10 - i) / (mu * mu);
    EXPECT_NEAR(-s.q[9], sag, 1e-3 * sag) << sweeps;
  }
  RowSystem s = hanging_chain(1, [&](double r) { return reference_row(r, 2 * h, 1, 0.95); });
  hang(s, 8, 1);
  EXPECT_NEAR(-s.q[9], 0.000868056, 1e-6);
}

TEST(Chain, WithoutWarmStartSagsTooFar) {
  RowSystem s = hanging_chain(1, [&](double r) { return reference_row(r, 0.02, 1, 0.95); });
  s.warm = false;
  hang(s, 4, 1);
  EXPECT_GT(-s.q[9], 3 * 0.02);
}

// Rigid rows with position feedback: carried forces replay the corrections. They start cold, or are solved together.
TEST(Chain, OfRigidRowsIsSafeColdOrTogether) {
  for (double last : {1.0, 100.0}) {
    for (int substeps : {4, 16}) {
      const auto law = [&](double r) { return rigid_row(r, 0.2, kFrame / substeps); };
      RowSystem replayed = hanging_chain(last, law), cold = hanging_chain(last, law),
                together = hanging_chain(last, law);
      cold.cold = true;
      together.together = true;
      hang(cold, substeps, 2);
      hang(together, substeps, 2);
      EXPECT_LT(std::fabs(cold.q[9]), last * 0.03) << substeps;
      EXPECT_LT(std::fabs(together.q[9]), 1e-5 * last) << substeps;
      if (substeps == 16 && last > 1) {
        EXPECT_GT(hang(replayed, substeps, 2), 1e3) << "no hazard: the rule would be idle";
      }
    }
  }
}

// ---- TGS is so many steps -----------------------------------------------------------------------

/// A random system of springs and reference rows.
RowSystem random_system(RandomProblem& random, double h) {
  std::vector<double> masses;
  for (int i = 0; i < 8; ++i) masses.push_back(random.uniform(0.3, 3));
  RowSystem s(masses);
  for (int row = 0; row < 6; ++row) {
    const int a = random.below(7);
    const std::vector<int> dof = {a, a + 1};
    const std::vector<double> gear = {random.uniform(0.5, 2), random.uniform(-2, 2)};
    const double r = s.r(dof, gear);
    s.couplings.push_back(
        {dof, gear, row % 2 ? spring_row(r, 20, 0.3, h) : reference_row(r, 0.1, 1, 0.8), random.uniform(-1, 1)});
  }
  for (int i = 0; i < 8; ++i) s.force[i] = random.uniform(-5, 5), s.v[i] = random.uniform(-1, 1);
  return s;
}

TEST(Tgs, IsSoManyStepsOfTheSubstepsLength) {
  const double h = 0.02;
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (int substeps : {2, 5}) {
      RandomProblem random(seed, {}), same(seed, {});
      RowSystem temporal = random_system(random, h / substeps), many = random_system(same, h / substeps);
      many.tolerance = 1e-30;
      for (int n = 0; n < 10; ++n) {
        temporal.step(kTgs, h, substeps, 300);
        for (int k = 0; k < substeps; ++k) many.step(kNewton, h / substeps, 1, 100);
      }
      for (int i = 0; i < 8; ++i) {
        EXPECT_NEAR(temporal.q[i], many.q[i], 1e-9) << seed;
        EXPECT_NEAR(temporal.v[i], many.v[i], 1e-8) << seed;
      }
    }
  }
}

TEST(Tgs, WithOneSubstepIsPgsBitForBit) {
  for (int seed = 0; seed < 60; ++seed) {
    const RandomProblem problem(seed, {.dofs = 5 + seed % 20, .groups = seed % 15, .elliptic = seed % 2 == 1});
    for (int sweeps : {1, 2, 7}) {
      SolverProblem p = problem.view(sweeps, 0);
      p.opt.sweeps = sweeps;
      Arena arena;
      std::vector<double> qacc[2], force[2];
      for (int k = 0; k < 2; ++k) {
        qacc[k] = problem.qacc_smooth;
        force[k].assign(problem.aref.size(), 0.5);
        std::vector<int> state(force[k].size());
        const SolverReport report = solver_table()[k ? kTgs : kPgs].solve(p, arena, qacc[k], force[k], state);
        EXPECT_EQ(report.iterations, problem.aref.empty() && !k ? report.iterations : sweeps);
      }
      EXPECT_EQ(qacc[0], qacc[1]) << seed;
      EXPECT_EQ(force[0], force[1]) << seed;
    }
  }
}

TEST(Tgs, CertifiesItsLastSubstep) {
  RandomProblem random(5, {});
  double before = HUGE_VAL;
  for (int sweeps : {1, 8, 64, 512}) {
    RandomProblem same(5, {});
    RowSystem s = random_system(same, 0.005);
    s.tolerance = 1e-12;
    const SolverReport report = s.step(kTgs, 0.02, 4, sweeps);
    EXPECT_EQ(report.iterations, 4 * sweeps);
    EXPECT_GE(report.gap, 0);
    EXPECT_LE(report.gap, before);
    EXPECT_EQ(report.converged, report.gap < s.tolerance);
    before = report.gap;
  }
  EXPECT_LT(before, 1e-12);
}

// ---- equalities solved together -----------------------------------------------------------------

/// A leader and seven followers of inertia 0.01 with ratio 1; a torque on the leader.
RowSystem fan(double leader) {
  RowSystem s({leader, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01, 0.01});
  for (int i = 1; i < 8; ++i) s.couplings.push_back({{i, 0}, {1, -1}, rigid_row(s.r({i, 0}, {1, -1}), 0.2, 0.01)});
  s.force[0] = 0.1;
  return s;
}

TEST(Together, ALightLeaderMovesItsFollowers) {
  for (double leader : {0.01, 0.001, 0.0001}) {
    const double exact = 0.1 / (leader + 0.07) * 0.01;
    for (int solver : {kPgs, kCg, kNewton, kTgs}) {
      RowSystem s = fan(leader);
      s.together = true;
      s.tolerance = 1e-20;
      s.step(solver, 0.01, 1, solver == kPgs || solver == kTgs ? 1 : 100);
      for (double v : s.v) EXPECT_NEAR(v, exact, 2e-4 * exact) << solver << " " << leader;
    }
  }
  // one by one the leader freezes
  RowSystem s = fan(0.001);
  s.step(kPgs, 0.01, 1, 4);
  EXPECT_LT(s.v[0], 0.1 * (0.1 / 0.071 * 0.01));
}

// Random problems whose equalities are one block: one sweep solves them, and no solver minds.
TEST(Together, GivesTheSameAnswers) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ProblemChoice choice{.dofs = 25, .groups = 14, .elliptic = seed % 2 == 1};
    const RandomProblem apart(seed, choice);
    RandomProblem joined(seed, choice);
    size_t equalities = 0;
    while (equalities < joined.blocks.size() && joined.blocks[equalities].law == RowLaw::kEquality) ++equalities;
    if (equalities < 2) continue;
    joined.blocks.erase(joined.blocks.begin() + 1, joined.blocks.begin() + static_cast<long>(equalities));
    joined.blocks[0].dim = static_cast<int>(equalities);
    Arena arena;
    for (int solver : {kPgs, kCg, kNewton, kTgs}) {
      std::vector<double> qacc[2], force[2];
      SolverReport report[2];
      for (int k = 0; k < 2; ++k) {
        SolverProblem p = (k ? joined : apart).view(1000, 1e-16);
        p.opt.sweeps = 1000;
        qacc[k] = apart.qacc_smooth;
        force[k].assign(apart.aref.size(), 0.0);
        std::vector<int> state(force[k].size());
        report[k] = solver_table()[solver].solve(p, arena, qacc[k], force[k], state);
        const Certificate proof = certify(p, arena, qacc[k], force[k]);
        // both are sums of forces times residuals, each rounded
        double terms = 0;
        for (size_t i = 0; i < force[k].size(); ++i) terms += std::abs(force[k][i] * apart.aref[i]);
        const double rounding = 2 * std::numeric_limits<double>::epsilon() * p.opt.scale * terms;
        EXPECT_NEAR(proof.gap * p.opt.scale, report[k].gap, rounding + 1e-3 * report[k].gap);
        EXPECT_EQ(state[0], 1);
      }
      for (int i = 0; i < apart.n; ++i) EXPECT_NEAR(qacc[0][i], qacc[1][i], 1e-4) << solver << " " << seed;
    }
    // equalities alone: one visit is the answer
    joined.blocks.resize(1);
    for (auto* v : {&joined.Jadr, &joined.segadr, &joined.segnum}) v->resize(equalities);
    for (auto* v : {&joined.aref, &joined.R, &joined.D}) v->resize(equalities);
    std::vector<double> qacc = joined.qacc_smooth, force(equalities);
    std::vector<int> state(equalities);
    EXPECT_LT(solver_table()[kPgs].solve(joined.view(1, 1e-20), arena, qacc, force, state).gap, 1e-20);
  }
}

// ---- what sweeps work on ------------------------------------------------------------------------

TEST(Whitened, ProductsOfRowsAreThoseThroughTheMassMatrix) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RandomProblem problem(seed, {.dofs = 15, .groups = 8});
    const SolverProblem p = problem.view();
    const int rows = p.rows.n, n = problem.n;
    Arena arena;
    WhitenedRows white;
    ASSERT_TRUE(white.build(p, arena));
    const std::vector<double> J = problem.dense_rows();
    std::vector<double> A(static_cast<size_t>(rows) * rows), work(n), x(n);
    white.rows_matrix(0, rows, work.data(), A.data());
    for (int i = 0; i < rows; ++i) {
      std::copy_n(J.begin() + i * n, n, x.begin());
      solve_tree(p.pattern, p.LD, p.inverse_D, x.data());
      for (int j = 0; j < rows; ++j) {
        double sum = 0;
        for (int c = 0; c < n; ++c) sum += J[j * n + c] * x[c];
        EXPECT_NEAR(A[i * rows + j], sum, 1e-9 * (1 + std::fabs(sum))) << seed;
      }
      // columns: those of J and their ancestors
      std::vector<bool> expected(n), found(n);
      for (int c = 0; c < n; ++c) {
        for (int up = c; J[i * n + c] != 0 && up >= 0; up = problem.parent[up]) expected[up] = true;
      }
      for (int s = white.view.segadr[i]; s < white.view.segadr[i] + white.view.segnum[i]; ++s) {
        for (int c = 0; c < white.view.segment_len[s]; ++c) found[white.view.segment_dof[s] + c] = true;
      }
      EXPECT_EQ(found, expected) << seed;
    }
  }
}

TEST(Sweeper, NeverRaisesTheDualCost) {
  for (int seed = 0; seed < 80; ++seed) {
    const bool by_matrix = seed >= 40;
    const RandomProblem problem(seed, {.dofs = 20, .groups = 12, .elliptic = seed % 2 == 1});
    const SolverProblem p = problem.view();
    Arena arena;
    Sweeper sweeper;
    std::vector<double> f(problem.aref.size());
    std::vector<int> order(p.blocks.size());
    for (size_t b = 0; b < order.size(); ++b) order[b] = static_cast<int>(b * 7 % order.size());
    ASSERT_TRUE(sweeper.build(p, arena, by_matrix) && sweeper.start(f.data()));
    double cost = sweeper.cost(f.data());
    for (int k = 0; k < 30; ++k) {
      const double gain = k % 2 || std::ranges::count(order, 0) != 1 ? sweeper.sweep_in_order(f.data())
                                                                     : sweeper.visit_all(order.data(), f.data()),
                   next = sweeper.cost(f.data());
      EXPECT_GE(gain, 0);
      EXPECT_NEAR(cost - next, gain, 1e-12 * (1 + std::fabs(cost) + std::fabs(next)));
      cost = next;
    }
  }
}

/// A problem of single rows by A, with its short way, by A block by block, and by w.
TEST(Sweeper, EveryWayVisitsAlike) {
  for (int seed = 0; seed < 40; ++seed) {
    const RandomProblem problem(seed, {.dofs = 5 + seed % 20, .groups = 1 + seed % 12});
    const SolverProblem p = problem.view();
    const int blocks = static_cast<int>(p.blocks.size());
    Arena arena[3];
    Sweeper sweeper[3];
    std::vector<double> f[3];
    std::mt19937 random(seed);
    std::vector<int> order(blocks);
    for (int b = 0; b < blocks; ++b) order[b] = b;
    for (int way = 0; way < 3; ++way) {
      f[way].assign(problem.aref.size(), 0.0);
      ASSERT_TRUE(sweeper[way].build(p, arena[way], way < 2) && sweeper[way].start(f[way].data()));
    }
    for (int k = 0; k < 20; ++k) {
      std::shuffle(order.begin(), order.end(), random);
      double gain[3] = {sweeper[0].visit_all(order.data(), f[0].data())};
      for (int way = 1; way < 3; ++way) {
        for (int b : order) gain[way] += sweeper[way].visit(b, f[way].data());
      }
      for (int way = 1; way < 3; ++way) {
        EXPECT_NEAR(gain[way], gain[0], 1e-9 * (1 + gain[0])) << seed;
        for (size_t i = 0; i < f[0].size(); ++i) EXPECT_NEAR(f[way][i], f[0][i], 1e-8 * (1 + std::fabs(f[0][i]))) << i;
      }
    }
  }
}

}  // namespace
}  // namespace pliant

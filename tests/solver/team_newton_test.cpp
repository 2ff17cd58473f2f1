// Newton's method by teams, on the random problems of the other solvers: the same bits for every size of team, the
// answer of the CPU's Newton, in double and float.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "solver/solvers.h"
#include "solver/team_newton_hd.h"
#include "tests/base/fiber_team.h"
#include "tests/solver/problems.h"

namespace pliant {
namespace {

using testing::ProblemChoice;
using testing::RandomProblem;

/// A random problem as teams see it, in any precision.
template <class R>
class TeamCase {
 public:
  TeamCase(const RandomProblem& p, double tolerance) {
    const auto copy = [](const std::vector<double>& from) { return std::vector<R>(from.begin(), from.end()); };
    M = copy(p.M), LD = copy(p.LD), inverse_D = copy(p.inverse_D), J = copy(p.J), aref = copy(p.aref), D = copy(p.D);
    regularizer = copy(p.R), qacc_smooth = copy(p.qacc_smooth), qfrc_smooth = copy(p.qfrc_smooth);
    const int nrow = static_cast<int>(aref.size());
    for (const RowBlock& b : p.blocks) {
      TeamBlock<R> block{b.first, b.dim, b.law, static_cast<R>(b.bound), static_cast<R>(b.mu), nullptr};
      if (b.friction) {
        frictions.emplace_back(b.friction, b.friction + b.dim - 1);
        block.friction = frictions.back().data();
      }
      blocks.push_back(block);
    }
    for (int i = 0; i < nrow; ++i) {
      if (!groups.empty()) {
        TeamGroup& last = groups.back();
        if (p.segadr[i] == last.segment && p.segnum[i] == last.segments &&
            p.Jadr[i] == last.J + last.rows * last.width) {
          ++last.rows;
          continue;
        }
      }
      int width = 0;
      for (int s = 0; s < p.segnum[i]; ++s) width += p.segment_len[p.segadr[i] + s];
      groups.push_back({i, 1, width, p.segadr[i], p.segnum[i], p.Jadr[i]});
    }
    // dofs by depth
    int deepest = 0;
    for (const int entries : p.rownnz) deepest = std::max(deepest, entries);
    for (int level = 0; level <= deepest; ++level) {
      level_adr.push_back(static_cast<int>(level_dof.size()));
      for (int i = 0; i < p.n; ++i) {
        if (p.rownnz[i] == level + 1) level_dof.push_back(i);
      }
    }
    problem.pattern = {p.n, p.rownnz.data(), p.rowadr.data(), p.colind.data(), p.parent.data(), p.chain.data()};
    problem.pattern.nlevel = deepest;
    problem.pattern.level_adr = level_adr.data(), problem.pattern.level_dof = level_dof.data();
    problem.M = M.data(), problem.LD = LD.data(), problem.inverse_D = inverse_D.data();
    problem.nrow = nrow, problem.nblock = static_cast<int>(blocks.size());
    problem.ngroup = static_cast<int>(groups.size());
    problem.block = blocks.data(), problem.group = groups.data();
    problem.segment_dof = p.segment_dof.data(), problem.segment_len = p.segment_len.data();
    problem.J = J.data(), problem.aref = aref.data(), problem.D = D.data(), problem.regularizer = regularizer.data();
    problem.qacc_smooth = qacc_smooth.data(), problem.qfrc_smooth = qfrc_smooth.data();
    problem.rules.tolerance = static_cast<R>(tolerance);
    problem.rules.scale = static_cast<R>(p.view().opt.scale);
  }

  struct Answer {
    SolverReport report;
    std::vector<R> qacc, force;
    std::vector<int> state;
  };

  template <int members>
  Answer solve(unsigned seed) const {
    Answer answer{{}, qacc_smooth, std::vector<R>(aref.size()), std::vector<int>(aref.size())};
    const int n = problem.pattern.n;
    std::vector<R> numbers(team_numbers(n, problem.nrow), std::numeric_limits<R>::quiet_NaN());
    std::vector<ConeLine<R>> cones(blocks.size());
    const TeamMemory<R> memory = team_memory(numbers.data(), cones.data(), n, problem.nrow);
    FiberTeam<members>::run(
        [&](const FiberTeam<members>& team) {
          const SolverReport report =
              solve_newton(team, problem, memory, answer.qacc.data(), answer.force.data(), answer.state.data());
          if (team.lane() == members / 2) answer.report = report;
        },
        seed);
    return answer;
  }

  TeamProblem<R> problem;
  std::vector<R> M, LD, inverse_D, J, aref, D, regularizer, qacc_smooth, qfrc_smooth;
  std::vector<TeamBlock<R>> blocks;
  std::vector<TeamGroup> groups;
  std::vector<std::vector<R>> frictions;
  std::vector<int> level_adr, level_dof;
};

ProblemChoice choice_of(int seed) {
  ProblemChoice c;
  c.dofs = 1 + seed % 35;
  c.groups = seed % 20;
  c.elliptic = seed % 2 == 1;
  if (seed % 7 == 3) c.free_bodies = 1 + seed % 5, c.groups = 3 * c.free_bodies;
  return c;
}

double largest(const std::vector<double>& x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

class TeamNewtons : public ::testing::TestWithParam<int> {};

TEST_P(TeamNewtons, HaveTheSameBitsForEverySize) {
  const RandomProblem problem(static_cast<unsigned>(GetParam()), choice_of(GetParam()));
  const TeamCase<double> doubles(problem, 1e-10);
  const auto one = doubles.solve<1>(1), eight = doubles.solve<8>(2), warp = doubles.solve<32>(3);
  EXPECT_EQ(one.qacc, eight.qacc);
  EXPECT_EQ(one.qacc, warp.qacc);
  EXPECT_EQ(one.force, warp.force);
  EXPECT_EQ(one.state, warp.state);
  EXPECT_EQ(one.report.iterations, warp.report.iterations);
  EXPECT_EQ(one.report.gap, warp.report.gap);
  const TeamCase<float> floats(problem, 1e-6);
  EXPECT_EQ(floats.solve<1>(4).qacc, floats.solve<32>(5).qacc);
}

TEST_P(TeamNewtons, AgreeWithTheCpu) {
  const RandomProblem problem(static_cast<unsigned>(GetParam()), choice_of(GetParam()));
  const SolverProblem view = problem.view(100, 1e-13);
  Arena arena;
  const size_t n = view.qacc_smooth.size(), nrow = static_cast<size_t>(view.rows.n);
  std::vector<double> qacc(view.qacc_smooth.begin(), view.qacc_smooth.end()), force(nrow);
  std::vector<int> state(nrow);
  constexpr int kNewton = 2;
  const SolverReport report = solver_table()[kNewton].solve(view, arena, qacc, force, state);
  const double scale = 1 + largest(qacc);

  const auto team = TeamCase<double>(problem, 1e-13).solve<8>(1);
  for (size_t i = 0; i < n; ++i) EXPECT_NEAR(team.qacc[i], qacc[i], 1e-9 * scale) << "dof " << i;
  EXPECT_LE(team.report.gap, 1e-12 + 10 * report.gap) << "certificate";

  // float: what is missing to the minimum, measured in double with the forces there
  const auto floats = TeamCase<float>(problem, 1e-6).solve<8>(1);
  const std::vector<double> answer(floats.qacc.begin(), floats.qacc.end());
  const Certificate certificate = certify(view, arena, answer, force);
  EXPECT_LE(view.opt.scale * certificate.gap, 1e-5 * (1 + scale)) << "of the float answer";
}

INSTANTIATE_TEST_SUITE_P(Seeds, TeamNewtons, ::testing::Range(1, 41));

}  // namespace
}  // namespace pliant

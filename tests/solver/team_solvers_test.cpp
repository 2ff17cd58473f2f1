// Newton's method and CG by teams, on the random problems of the other solvers: the same bits for every size of team,
// the answer of the CPU's, in double and float.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "solver/dense_newton_hd.h"
#include "solver/solvers.h"
#include "solver/team_cg_hd.h"
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
  TeamCase(const RandomProblem& p, double tolerance, int iterations = 1000) {
    const auto copy = [](const std::vector<double>& from) { return std::vector<R>(from.begin(), from.end()); };
    M = copy(p.M), LD = copy(p.LD), inverse_D = copy(p.inverse_D), J = copy(p.J), aref = copy(p.aref), D = copy(p.D);
    regularizer = copy(p.R), qacc_smooth = copy(p.qacc_smooth), qfrc_smooth = copy(p.qfrc_smooth);
    const int nrow = static_cast<int>(aref.size());
    for (const RowBlock& b : p.blocks) {
      LawBlock<R> block{b.first, b.dim, b.law, static_cast<R>(b.bound), b.edges, static_cast<R>(b.mu), nullptr};
      if (b.friction) {
        frictions.emplace_back(b.friction, b.friction + b.dim - 1);
        block.friction = frictions.back().data();
      }
      blocks.push_back(block);
    }
    for (int i = 0; i < nrow; ++i) {
      if (!groups.empty()) {
        TeamGroup<R>& last = groups.back();
        if (p.segadr[i] == last.segment && p.segnum[i] == last.segments &&
            J.data() + p.Jadr[i] == last.J + last.rows * last.stride) {
          ++last.rows;
          continue;
        }
      }
      int width = 0;
      for (int s = 0; s < p.segnum[i]; ++s) width += p.segment_len[p.segadr[i] + s];
      groups.push_back({i, 1, width, p.segadr[i], p.segnum[i], width, J.data() + p.Jadr[i]});
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
    problem.dofs = p.n;
    problem.pattern.nlevel = deepest;
    problem.pattern.level_adr = level_adr.data(), problem.pattern.level_dof = level_dof.data();
    problem.M = M.data(), problem.LD = LD.data(), problem.inverse_D = inverse_D.data();
    problem.nrow = nrow, problem.nblock = static_cast<int>(blocks.size());
    problem.ngroup = static_cast<int>(groups.size());
    problem.block = blocks.data(), problem.group = groups.data();
    problem.segment_dof = p.segment_dof.data(), problem.segment_len = p.segment_len.data();
    problem.aref = aref.data(), problem.regularizer = regularizer.data();
    row_Jadr = p.Jadr, row_segadr = p.segadr, row_segnum = p.segnum;
    problem.row_Jadr = row_Jadr.data(), problem.row_segadr = row_segadr.data(), problem.row_segnum = row_segnum.data();
    problem.row_J = J.data();
    for (int i = 0; i < p.n; ++i) entry_row.insert(entry_row.end(), static_cast<size_t>(p.rownnz[i]), i);
    problem.entry_row = entry_row.data();
    for (const LawBlock<R>& b : blocks) problem.has_cones = problem.has_cones || b.law == RowLaw::kElliptic;
    problem.qacc_smooth = qacc_smooth.data(), problem.qfrc_smooth = qfrc_smooth.data();
    // some equalities precondition CG: the minimum is the same
    for (size_t k = 0; k < blocks.size(); k += 2) {
      const LawBlock<R>& b = blocks[k];
      if (b.law != RowLaw::kEquality) continue;
      int g = 0;
      while (b.first >= groups[static_cast<size_t>(g)].first + groups[static_cast<size_t>(g)].rows) ++g;
      stiff.push_back({b.first, g});
    }
    problem.nstiff = static_cast<int>(stiff.size());
    problem.stiff = stiff.data();
    problem.rules.tolerance = static_cast<R>(tolerance);
    problem.rules.iterations = iterations;
    problem.rules.scale = static_cast<R>(p.view().opt.scale);
  }

  /// Numbers at a multiple of 16 bytes, none of them set.
  class Block {
   public:
    explicit Block(size_t n) : fours_(n / 4 + 1) {
      for (auto& four : fours_) std::fill_n(four.x, 4, std::numeric_limits<R>::quiet_NaN());
    }
    R* data() { return fours_.data()->x; }

   private:
    std::vector<FourNumbers<R>> fours_;
  };
  struct Answer {
    SolverReport report;
    std::vector<R> qacc, force;
    std::vector<int> state;
    std::vector<R> push;  // J' f, with dense matrices
  };
  template <class Memory>
  void set_laws(const Memory& memory) const {
    for (const LawBlock<R>& b : blocks) {
      for (int i = b.first; i < b.first + b.dim; ++i) set_law(memory, i, b.law, D[i], regularizer[i], b.bound);
    }
  }

  template <template <class, class> class Method, int members>
  Answer solve(unsigned seed) const {
    Answer answer{{}, qacc_smooth, std::vector<R>(aref.size()), std::vector<int>(aref.size()), {}};
    const int n = problem.pattern.n;
    Block numbers(team_numbers(n, problem.nrow) + Method<SerialTeam, R>::numbers(n, problem.nstiff));
    std::vector<ConeLine<R>> cones(blocks.size());
    const TeamMemory<R> memory = team_memory(numbers.data(), cones.data(), n, problem.nrow);
    std::copy(qacc_smooth.begin(), qacc_smooth.end(), memory.qacc);
    set_laws(memory);
    FiberTeam<members>::run(
        [&](const FiberTeam<members>& team) {
          R* const force = answer.force.data();
          int* const state = answer.state.data();
          Method<FiberTeam<members>, R> method(team, problem, memory);
          const bool good = method.start();
          const SolverReport report = minimise(method, good, team, problem, memory, force, state);
          if (team.lane() == members / 2) answer.report = report;
        },
        seed);
    std::copy_n(memory.qacc, n, answer.qacc.begin());
    return answer;
  }

  /// Dense matrices; from the acceleration of an earlier step, or from the one without rows.
  template <int members>
  Answer solve_dense(unsigned seed, const std::vector<R>& start = {}) const {
    return problem.has_cones ? run_dense<true, members>(seed, start) : run_dense<false, members>(seed, start);
  }
  template <bool cones, int members>
  Answer run_dense(unsigned seed, const std::vector<R>& start) const {
    Answer answer{{}, qacc_smooth, std::vector<R>(aref.size()), std::vector<int>(aref.size()), {}};
    const int n = problem.pattern.n;
    Block numbers(dense_numbers(n, problem.nrow));
    std::vector<ConeLine<R>> lines(blocks.size());
    const DenseMemory<R> memory = dense_memory(numbers.data(), lines.data(), n, problem.nrow);
    std::copy(qacc_smooth.begin(), qacc_smooth.end(), memory.qacc_smooth);
    std::copy(qfrc_smooth.begin(), qfrc_smooth.end(), memory.qfrc_smooth);
    std::copy(start.begin(), start.end(), memory.qacc);
    set_laws(memory);
    using Team = FiberTeam<members>;
    Team::run(
        [&](const Team& team) {
          DenseNewton<Team, R, cones> newton(team, problem, memory);
          newton.load();
          const SolverReport report = newton.run(!start.empty(), answer.force.data(), answer.state.data());
          if (team.lane() == members / 2) answer.report = report;
        },
        seed);
    std::copy_n(memory.qacc, n, answer.qacc.begin());
    answer.push.assign(memory.push, memory.push + n);
    return answer;
  }

  TeamProblem<R> problem;
  std::vector<R> M, LD, inverse_D, J, aref, D, regularizer, qacc_smooth, qfrc_smooth;
  std::vector<LawBlock<R>> blocks;
  std::vector<TeamGroup<R>> groups;
  std::vector<TeamStiffRow> stiff;
  std::vector<std::vector<R>> frictions;
  std::vector<int> level_adr, level_dof, entry_row, row_Jadr, row_segadr, row_segnum;
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

constexpr int kMostDense = 32;  // dofs

class TeamSolvers : public ::testing::TestWithParam<int> {};

/// solve(problem, integral_constant of members, seed)
template <class Solve>
void expect_same_bits(const RandomProblem& problem, Solve&& solve) {
  using std::integral_constant;
  constexpr integral_constant<int, 1> kOne;
  constexpr integral_constant<int, 8> kEight;
  constexpr integral_constant<int, 32> kWarp;
  const TeamCase<double> doubles(problem, 1e-10, 20);
  const auto one = solve(doubles, kOne, 1), eight = solve(doubles, kEight, 2), warp = solve(doubles, kWarp, 3);
  EXPECT_EQ(one.qacc, eight.qacc);
  EXPECT_EQ(one.qacc, warp.qacc);
  EXPECT_EQ(one.force, warp.force);
  EXPECT_EQ(one.state, warp.state);
  EXPECT_EQ(one.report.iterations, warp.report.iterations);
  EXPECT_EQ(one.report.gap, warp.report.gap);
  const TeamCase<float> floats(problem, 1e-6, 20);
  EXPECT_EQ(solve(floats, kOne, 4).qacc, solve(floats, kWarp, 5).qacc);
}

TEST_P(TeamSolvers, HaveTheSameBitsForEverySize) {
  const RandomProblem problem(static_cast<unsigned>(GetParam()), choice_of(GetParam()));
  expect_same_bits(problem, [](const auto& c, auto n, unsigned seed) {
    return c.template solve<TeamNewton, decltype(n)::value>(seed);
  });
  expect_same_bits(
      problem, [](const auto& c, auto n, unsigned seed) { return c.template solve<TeamCg, decltype(n)::value>(seed); });
  if (problem.n > kMostDense) return;
  expect_same_bits(
      problem, [](const auto& c, auto n, unsigned seed) { return c.template solve_dense<decltype(n)::value>(seed); });
}

TEST_P(TeamSolvers, DenseNewtonStartsWhereItIsTold) {
  const RandomProblem problem(static_cast<unsigned>(GetParam()), choice_of(GetParam()));
  if (problem.n > kMostDense || problem.aref.empty()) return;
  const TeamCase<double> doubles(problem, 1e-12);
  const auto cold = doubles.solve_dense<8>(1), again = doubles.solve_dense<8>(2, cold.qacc);
  EXPECT_LE(again.report.iterations, std::max(1, cold.report.iterations - 1));
  // what is worse than no force at all is not taken, nor what is no number
  std::vector<double> far(cold.qacc.size(), 1e12), none(cold.qacc.size(), std::nan(""));
  for (const std::vector<double>& start : {far, none}) {
    const auto other = doubles.solve_dense<8>(3, start);
    EXPECT_EQ(other.qacc, cold.qacc);
    EXPECT_EQ(other.report.iterations, cold.report.iterations);
  }
  // forces, projected
  for (size_t i = 0; i < cold.push.size(); ++i) {
    double sum = 0;
    for (size_t r = 0; r < cold.force.size(); ++r) {
      int at = doubles.row_Jadr[r];
      for (int s = 0; s < doubles.row_segnum[r]; ++s) {
        const int segment = doubles.row_segadr[r] + s;
        const int first = doubles.problem.segment_dof[segment], length = doubles.problem.segment_len[segment];
        const int column = static_cast<int>(i) - first;
        const double* J = doubles.J.data() + at;
        if (column >= 0 && column < length) sum += J[column] * cold.force[r];
        at += length;
      }
    }
    EXPECT_NEAR(cold.push[i], sum, 1e-10 * (1 + largest(cold.force))) << "dof " << i;
  }
}

TEST(DenseNewton, SaysWhatIsNotFinite) {
  RandomProblem problem(3, choice_of(3));
  problem.aref[0] = std::nan("");
  const auto answer = TeamCase<double>(problem, 1e-12).solve_dense<8>(1);
  EXPECT_EQ(answer.report.status, SolverStatus::kNotFinite);
  EXPECT_EQ(answer.qacc, problem.qacc_smooth);
  for (const double f : answer.force) EXPECT_EQ(f, 0);
}

TEST_P(TeamSolvers, AgreeWithTheCpu) {
  const RandomProblem problem(static_cast<unsigned>(GetParam()), choice_of(GetParam()));
  const SolverProblem view = problem.view(100, 1e-13);
  Arena arena;
  const size_t n = view.qacc_smooth.size(), nrow = static_cast<size_t>(view.rows.n);
  std::vector<double> qacc(view.qacc_smooth.begin(), view.qacc_smooth.end()), force(nrow);
  std::vector<int> state(nrow);
  constexpr int kNewton = 2;
  const SolverReport report = solver_table()[kNewton].solve(view, arena, qacc, force, state);
  const double scale = 1 + largest(qacc);

  const auto expect_answer = [&](const auto& newton) {
    for (size_t i = 0; i < n; ++i) EXPECT_NEAR(newton.qacc[i], qacc[i], 1e-9 * scale) << "dof " << i;
    EXPECT_LE(newton.report.gap, 1e-12 + 10 * report.gap) << "certificate";
  };
  expect_answer(TeamCase<double>(problem, 1e-13).solve<TeamNewton, 8>(1));
  if (problem.n <= kMostDense) expect_answer(TeamCase<double>(problem, 1e-13).solve_dense<8>(1));

  // what is missing to the minimum, with the forces there; CG stops by its rules, the gap may be larger than tolerance
  const auto gap_of = [&](const auto& answer) {
    const std::vector<double> a(answer.qacc.begin(), answer.qacc.end());
    return view.opt.scale * certify(view, arena, a, force).gap;
  };
  const auto cg = TeamCase<double>(problem, 1e-13).solve<TeamCg, 1>(1);
  EXPECT_LE(gap_of(cg), 1e-10 * scale) << "CG, " << cg.report.iterations << " iterations";
  // its own certificate is one, with forces of its own
  EXPECT_GE(cg.report.gap, -1e-18);
  const Certificate mine = certify(view, arena, cg.qacc, cg.force);
  EXPECT_NEAR(cg.report.gap, view.opt.scale * mine.gap, 1e-10 * scale);
  EXPECT_LE(gap_of(TeamCase<float>(problem, 1e-6).solve<TeamNewton, 8>(1)), 1e-5 * (1 + scale)) << "Newton, float";
  if (problem.n <= kMostDense) {
    EXPECT_LE(gap_of(TeamCase<float>(problem, 1e-6).solve_dense<8>(1)), 1e-5 * (1 + scale)) << "dense, float";
  }
  EXPECT_LE(gap_of(TeamCase<float>(problem, 1e-6).solve<TeamCg, 1>(1)), 1e-5 * (1 + scale)) << "CG, float";
}

INSTANTIATE_TEST_SUITE_P(Seeds, TeamSolvers, ::testing::Range(1, 41));

}  // namespace
}  // namespace pliant

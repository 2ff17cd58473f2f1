// Rows, reference accelerations, Newton's method and CG by teams, on the host: the stages that a GPU will run, from the
// contacts of the CPU, in both precisions. The same bits for every size of team; the CPU's rows and accelerations.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "pliant/step.h"
#include "tests/batch/team_world.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

/// One world with the contacts of the CPU.
template <class R>
class ConstrainedWorld : public TeamWorld<R> {
 public:
  ConstrainedWorld(const Model& model, const State& from, const Data& cpu)
      : TeamWorld<R>(model, from, {cpu.ncon, cpu.rows.n + 5, cpu.rows.nsegment + 9, cpu.rows.nentry + 50}) {
    this->worlds_.set(0, cpu);
    d.ncon = cpu.ncon;
    for (int k = 0; k < cpu.ncon; ++k) {
      ContactT<R>& to = d.contact[k];
      const Contact& contact = cpu.contact[k];
#define FIELD(owner, type, name, width, unit, meaning) copy_member(contact.name, to.name);
#include "pliant/contact_fields.def"
#undef FIELD
      if (to.exclude == ContactExclude::kNoDofs) to.exclude = ContactExclude::kNone;
      to.row = -7;
    }
  }

  template <int members>
  SolverReport solve(unsigned seed) {
    WorldReport report;
    RowsT<R> after;
    FiberTeam<members>::run(
        [&](const FiberTeam<members>& team) {
          DataView<R> mine = d;
          WorldReport its;
          WorldStages<FiberTeam<members>, ModelView<R>, StateView<R>, DataView<R>> stages{team, this->m,    this->s,
                                                                                          mine, this->work, its};
          stages.constraint();
          stages.reference();
          stages.solver();
          if (team.lane() == members - 1) report = its, after = mine.rows;
        },
        seed);
    EXPECT_EQ(report.status, 0);
    d.rows = after;
    return report.solver;
  }
  using TeamWorld<R>::d;

 private:
  template <class T, class U>
  static void copy_member(const T& from, U& to) {
    if constexpr (std::is_array_v<T>) {
      for (size_t i = 0; i < std::extent_v<T>; ++i) to[i] = static_cast<std::remove_extent_t<U>>(from[i]);
    } else {
      to = static_cast<U>(from);
    }
  }
};

double largest_difference(const std::vector<double>& a, const double* b) {
  double most = 0, scale = 1;
  for (size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return most / scale;
}

struct Scene {
  const char* name;
  int steps;  // until something touches
  bool randomly = false;
};
class TeamConstraints : public testing::TestWithParam<Scene> {};

TEST_P(TeamConstraints, AreThoseOfTheCpu) {
  for (const auto& [cone, solver] : {std::pair{ConeType::kPyramidal, SolverType::kNewton},
                                     {ConeType::kElliptic, SolverType::kNewton},
                                     {ConeType::kPyramidal, SolverType::kCg},
                                     {ConeType::kElliptic, SolverType::kCg}}) {
    Model m = load_scene(GetParam().name);
    m.opt.cone = cone;
    m.opt.integrator = Integrator::kEuler;
    m.opt.solver = solver;
    // Newton to the end of its numbers: with a tolerance the rounding of one factorisation remains
    const double tolerance = solver == SolverType::kNewton ? 0 : 1e-12;
    m.opt.tolerance = tolerance;
    m.opt.iterations = solver == SolverType::kNewton ? 50 : 1000;
    m.opt.noslip_iterations = 0;
    m.opt.disableflags |= kDisableIsland;
    State s(m);
    if (GetParam().randomly) randomise(m, s, 1);
    Data d(m);
    int compared = 0;
    const bool exact_diagonal = cone == ConeType::kElliptic;
    if (exact_diagonal) m.opt.enableflags |= kEnableDiagExact;
    for (int k = 0; k < GetParam().steps; ++k) {
      ASSERT_TRUE(step(m, s, d).ok());
      if ((k + 1) % (GetParam().steps / 4) != 0) continue;
      forward(m, s, d);
      if (d.rows.n == 0) continue;
      ++compared;
      const std::string where = std::string(GetParam().name) + " step " + std::to_string(k) +
                                (cone == ConeType::kElliptic ? " elliptic" : " pyramidal") +
                                (solver == SolverType::kCg ? " CG" : " Newton");
      ConstrainedWorld<double> one(m, s, d), eight(m, s, d), warp(m, s, d);
      const SolverReport report = one.solve<1>(1);
      eight.solve<8>(2), warp.solve<32>(3);
      const std::vector<double> qacc = one.numbers(one.d.qacc, m.nv);
      EXPECT_EQ(qacc, eight.numbers(eight.d.qacc, m.nv)) << where;
      EXPECT_EQ(qacc, warp.numbers(warp.d.qacc, m.nv)) << where;
      EXPECT_EQ(one.numbers(one.d.qfrc_constraint, m.nv), warp.numbers(warp.d.qfrc_constraint, m.nv)) << where;
      ASSERT_EQ(one.d.rows.n, d.rows.n) << where;
      ASSERT_EQ(one.d.rows.nentry, d.rows.nentry) << where;
      for (const auto& [mine, cpu, n] : {std::tuple{one.d.rows.row_J, d.rows.row_J, d.rows.nentry},
                                         std::tuple{one.d.rows.row_R, d.rows.row_R, d.rows.n},
                                         std::tuple{one.d.rows.row_pos, d.rows.row_pos, d.rows.n},
                                         std::tuple{one.d.rows.row_vel, d.rows.row_vel, d.rows.n},
                                         std::tuple{one.d.rows.row_aref, d.rows.row_aref, d.rows.n}}) {
        EXPECT_LE(largest_difference({mine, mine + n}, cpu), 1e-12) << where;
      }
      double trace = 0;
      for (int i = 0; i < m.nv; ++i) trace += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
      if (solver == SolverType::kNewton) {
        EXPECT_LE(largest_difference(qacc, d.qacc), 1e-12) << where;
        EXPECT_LE(largest_difference(one.numbers(one.d.qfrc_constraint, m.nv), d.qfrc_constraint), 1e-12) << where;
      } else {
        // both are within their certificates of the minimum: 1/2 |a - a_min|² in the norm of M is at most the gap
        std::vector<double> apart(qacc), product(qacc.size());
        for (int i = 0; i < m.nv; ++i) apart[static_cast<size_t>(i)] -= d.qacc[i];
        clear_followers(m, s, apart.data());
        multiply_tree(mass_pattern(m), d.M, apart.data(), product.data());
        const double energy = std::inner_product(apart.begin(), apart.end(), product.begin(), 0.0) / (2 * trace);
        const double bound = std::sqrt(report.gap) + std::sqrt(d.solver.gap());
        EXPECT_LE(energy, bound * bound + 1e-15) << where;
        EXPECT_LE(report.gap, 1e-8) << where;
      }
      EXPECT_TRUE(report.converged || report.gap <= 10 * d.solver.gap() + 1e-12) << where << " gap " << report.gap;

      m.opt.tolerance = 1e-8;
      ConstrainedWorld<float> single(m, s, d), single_warp(m, s, d);
      m.opt.tolerance = tolerance;
      single.solve<1>(4), single_warp.solve<32>(5);
      EXPECT_EQ(single.numbers(single.d.qacc, m.nv), single_warp.numbers(single_warp.d.qacc, m.nv)) << where;
      // what is missing to the equations of motion, M qacc = forces: Newton, relative to the forces; CG, which stops by
      // its tolerance, as energy
      double largest = 0, scale = 1;
      std::vector<double> missing(static_cast<size_t>(m.nv));
      std::vector<double> a = single.numbers(single.d.qacc, m.nv), f = single.numbers(single.d.qfrc_constraint, m.nv);
      clear_followers(m, s, a.data());  // leaders carry their momentum
      multiply_tree(mass_pattern(m), d.M, a.data(), missing.data());
      for (int i = 0; i < m.nv; ++i) {
        const size_t k = static_cast<size_t>(i);
        missing[k] -= d.qfrc_smooth[i] + f[k];
        largest = std::max(largest, std::abs(missing[k]));
        scale = std::max({scale, std::abs(d.qfrc_smooth[i]), std::abs(f[k])});
      }
      if (solver == SolverType::kNewton) {
        EXPECT_LE(largest / scale, 1e-5) << where;
      } else {
        const auto energy = [&](const std::vector<double>& force) {
          std::vector<double> inverse = force;
          solve_tree(mass_pattern(m), d.qLD, d.qLDiagInv, inverse.data());
          return std::inner_product(force.begin(), force.end(), inverse.begin(), 0.0) / (2 * trace);
        };
        // (what is lost in the rounding of the cost, 1e-6 of it, cannot be gained)
        EXPECT_LE(energy(missing), 1e-6 * std::max(1.0, energy(f))) << where;
      }
    }
    EXPECT_GT(compared, 0) << GetParam().name;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, TeamConstraints,
                         testing::Values(Scene{"beads", 100}, Scene{"drop", 300}, Scene{"gripper", 200},
                                         Scene{"quadruped", 300}, Scene{"tendon_finger", 40, true},
                                         Scene{"mimic_gripper", 200}, Scene{"mimic_hand", 40, true}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace pliant

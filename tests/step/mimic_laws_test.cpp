// The mimic-joint text's equations (5) to (29), impulse by impulse, and what follows from them:
// responses by test impulses, N joints, no work outside the row, roles swapped, the limit of a hard
// row, a dense solve of random systems; and beside them the reference's joint equality: its rest
// under a load and the edge of its stability.
//
//   C = q_0 + Σ G_i q_i + γ     b = erp C / h     r = J M⁻¹ Jᵀ     h f = -(b + J v) / (r + cfm) I_i
//   = G_i h f cfm = 1 / (h (h kp + kd))   erp = h kp / (h kp + kd)           μ² = kp r,  2 ζ μ = kd
//   r

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "constraint/reference_hd.h"
#include "inertia/inertia.h"
#include "pliant/mimic.h"
#include "pliant/pliant.h"
#include "pliant/step.h"

namespace pliant {
namespace {

constexpr SolverType kSolvers[] = {SolverType::kPgs, SolverType::kCg, SolverType::kNewton, SolverType::kTgs};
constexpr double kH = 0.004;

/// Three limbs on a base, scalar joints a b c d of both kinds; d lies behind c.
Model limbs(const std::string& base, const std::string& equality) {
  const auto link = [](const char* name, const char* type, const char* axis, const std::string& inside) {
    return std::string("<body pos='.1 .07 .05'><joint name='") + name + "' type='" + type + "' axis='" + axis +
           "' armature='.003'/><geom type='box' size='.05 .03 .08' pos='.03 .01 .05'/>" + inside + "</body>";
  };
  Model m = load_model_string(
      "<mujoco><option gravity='0 0 0' timestep='.004' tolerance='1e-24' "
      "iterations='300'/><default><geom contype='0' "
      "conaffinity='0'/></default><worldbody><body>" +
      base + "<geom type='box' size='.1 .08 .05'/>" + link("a", "hinge", "0 1 0", "") +
      link("b", "slide", "1 0 1", "") + link("c", "hinge", "1 1 0", link("d", "hinge", "0 0 1", "")) +
      "</body></worldbody><equality>" + equality + "</equality></mujoco>");
  m.opt.tgs_substeps = 1;
  m.opt.tgs_sweeps = 50;
  return m;
}

struct Row {
  std::vector<int> dof;
  std::vector<double> G;
  double gamma = 0;
};
Row row_of(const Model& m, int mimic = 0) {
  Row row{{m.jnt_dofadr[m.eq_obj1id[m.mimic_eqid[mimic]]]}, {1}, m.mimic_offset[mimic]};
  for (int i = m.mimic_leadadr[mimic]; i < m.mimic_leadadr[mimic] + m.mimic_leadnum[mimic]; ++i) {
    row.dof.push_back(m.jnt_dofadr[m.mimic_leadid[i]]);
    row.G.push_back(m.mimic_gear[i]);
  }
  return row;
}
double times(const Row& row, const double* v) {
  double sum = 0;
  for (size_t i = 0; i < row.dof.size(); ++i) sum += row.G[i] * v[row.dof[i]];
  return sum;
}
/// (hinge and slide: the place in qpos follows that in qvel, shifted by a free joint's quaternion)
double violation(const Model& m, const Row& row, const State& s) {
  return row.gamma + times(row, s.qpos + (m.nq - m.nv));
}

void scatter(const Model& m, State& s, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-0.4, 0.4);
  for (int i = 0; i < m.nv; ++i) s.qvel[i] = uniform(generator);
  for (int i = m.nv - 4; i < m.nv; ++i)
    s.qpos[i + m.nq - m.nv] = uniform(generator), s.qfrc_applied[i] = uniform(generator);
}

/// Velocity after a step without the mimic, with an impulse more on dof j (equations 9 and 10:
/// column j of M⁻¹).
std::vector<double> free_velocity(const Model& m, const State& start, int j, double impulse) {
  State s = start;
  for (int e = 0; e < m.neq; ++e) s.eq_active[e] = false;
  if (j >= 0) s.qfrc_applied[j] += impulse / m.opt.timestep;
  Data d(m);
  EXPECT_TRUE(step(m, s, d).ok());
  return {s.qvel, s.qvel + m.nv};
}

TEST(MimicText, ImpulseByImpulse) {
  const struct {
    const char *leaders, *gear, *law;
    double mu, zeta, erp;
  } cases[] = {{"b", "1.7", "mode='hard' erp='.35'", 0, 0, 0.35},
               {"b", "1.7", "mode='soft' naturalfreq='30' dampratio='.6'", 30, 0.6, 0},
               {"d", "-.8", "mode='soft' naturalfreq='300' dampratio='2'", 300, 2, 0},
               {"b c d", "1.7 -.6 .4", "mode='hard'", 0, 0, 0.2},
               {"b c d", "1.7 -.6 .4", "mode='soft' naturalfreq='55' dampratio='.3'", 55, 0.3, 0}};
  for (const char* base : {"", "<freejoint/>"}) {
    for (const auto& c : cases) {
      for (const SolverType solver : kSolvers) {
        Model m = limbs(base, std::string("<mimic name='m' joint1='a' joint2='") + c.leaders + "' gear='" + c.gear +
                                  "' offset='.13' " + c.law + "/>");
        m.opt.solver = solver;
        const Row row = row_of(m);
        State s(m);
        scatter(m, s, 7);
        const double C = violation(m, row, s);
        // test impulses on each of the row's dofs: r_ij, then (15), (19)
        const std::vector<double> v = free_velocity(m, s, -1, 0);
        double r = 0;
        std::vector<std::vector<double>> column;
        for (size_t j = 0; j < row.dof.size(); ++j) {
          column.push_back(free_velocity(m, s, row.dof[j], 1));
          for (int i = 0; i < m.nv; ++i) column[j][i] -= v[i];
          r += row.G[j] * times(row, column[j].data());
        }
        // (22) … (29): by kp and kd, and directly
        double cfm = 1e-6 * r, erp = c.erp;
        if (c.mu > 0) {
          const double kp = c.mu * c.mu / r, kd = 2 * c.zeta * c.mu / r;
          cfm = 1 / (kH * (kH * kp + kd));
          erp = kH * kp / (kH * kp + kd);
          EXPECT_NEAR(cfm, r / (kH * c.mu * (kH * c.mu + 2 * c.zeta)), 1e-12 * cfm);
          EXPECT_NEAR(erp, kH * c.mu / (kH * c.mu + 2 * c.zeta), 1e-15);
        }
        // (12), (16), (18)
        const double lambda = -(erp * C / kH + times(row, v.data())) / (r + cfm);
        State t = s;
        Data d(m);
        ASSERT_TRUE(step(m, t, d).ok());
        EXPECT_NEAR(d.rows.row_diagA[0], r, 1e-9 * r);
        EXPECT_NEAR(d.rows.row_force[0] * kH, lambda, 1e-9 * (1 + std::abs(lambda))) << base << c.law << int(solver);
        // (13), (14): every dof of the tree moves by what its impulses I_i = G_i λ do
        for (int i = 0; i < m.nv; ++i) {
          double expected = v[i];
          for (size_t j = 0; j < row.dof.size(); ++j) expected += column[j][i] * row.G[j] * lambda;
          EXPECT_NEAR(t.qvel[i], expected, 1e-8) << base << c.law << int(solver);
        }
        // (5) with the compliance of (18)
        EXPECT_NEAR(times(row, t.qvel) + erp * C / kH + cfm * lambda, 0, 1e-8);
      }
    }
  }
}

// Whatever the mode and the solver, momentum along every n with J n = 0 changes by the load only
// (11).
TEST(MimicText, ForcesDoNoWorkAlongTheManifold) {
  for (const char* mode : {"mode='exact'", "mode='hard'", "mode='soft' naturalfreq='40'"}) {
    for (const SolverType solver : kSolvers) {
      for (const int substeps : {1, 4}) {
        Model m = limbs("<freejoint/>", std::string("<mimic joint1='a' joint2='b d' gear='1.7 -.6' ") + mode + "/>");
        m.opt.solver = solver;
        m.opt.tgs_substeps = substeps;
        const Row row = row_of(m);
        State s(m);
        scatter(m, s, 3);
        project_state(m, s);
        State free = s;
        free.eq_active[0] = false;
        Data all(m), d(m);
        forward(m, free, all);
        State t = s;
        ASSERT_TRUE(step(m, t, d).ok());
        std::vector<double> a(static_cast<size_t>(m.nv)), rest(a);
        for (int i = 0; i < m.nv; ++i) a[i] = (t.qvel[i] - s.qvel[i]) / kH;
        multiply_mass(m, all, a.data(), rest.data());
        for (int i = 0; i < m.nv; ++i) rest[i] -= all.qfrc_smooth[i];
        // n: one unit of a dof, and what of the follower keeps J n = 0
        for (int i = 0; i < m.nv; ++i) {
          if (i == row.dof[0]) continue;
          double G = 0;
          for (size_t k = 1; k < row.dof.size(); ++k) G += row.dof[k] == i ? row.G[k] : 0;
          EXPECT_NEAR(rest[i] - G * rest[row.dof[0]], 0, 1e-8) << mode << int(solver) << " dof " << i;
        }
      }
    }
  }
}

TEST(MimicText, RolesCanBeSwappedUnderEverySolver) {
  for (const char* law : {"mode='soft' naturalfreq='30' dampratio='.3'", "mode='hard' erp='.3'", "mode='exact'"}) {
    for (const SolverType solver : kSolvers) {
      Model one = limbs("<freejoint/>", std::string("<mimic joint1='a' joint2='b' gear='4' offset='.3' ") + law + "/>");
      Model two =
          limbs("<freejoint/>", std::string("<mimic joint1='b' joint2='a' gear='.25' offset='.075' ") + law + "/>");
      State s(one), t(two);
      scatter(one, s, 5);
      project_state(one, s);
      for (int i = 0; i < one.nv; ++i) t.qvel[i] = s.qvel[i], t.qfrc_applied[i] = s.qfrc_applied[i];
      for (int i = 0; i < one.nq; ++i) t.qpos[i] = s.qpos[i];
      Data d(one), e(two);
      one.opt.solver = two.opt.solver = solver;
      for (int n = 0; n < 50; ++n) {
        ASSERT_TRUE(step(one, s, d).ok());
        ASSERT_TRUE(step(two, t, e).ok());
      }
      for (int i = 0; i < one.nq; ++i) EXPECT_NEAR(s.qpos[i], t.qpos[i], 1e-8) << law << int(solver);
    }
  }
}

// Half the regularisation of a hard row, half the difference from the limit; a hundredth of it
// still has an answer.
TEST(MimicText, AHardRowConvergesWithItsRegularisation) {
  for (const SolverType solver : {SolverType::kPgs, SolverType::kCg, SolverType::kNewton}) {
    Model m = limbs("<freejoint/>", "<mimic joint1='a' joint2='b' gear='1.7' mode='hard'/>");
    m.opt.solver = solver;
    m.opt.tolerance = 1e-30;
    State s(m);
    scatter(m, s, 9);
    Data d(m);
    forward(m, s, d);
    const double r = d.rows.row_diagA[0];
    const auto force = [&](double epsilon) {
      d.rows.row_R[0] = epsilon * r;
      d.rows.row_D[0] = 1 / (epsilon * r);
      run_phases(m, s, d, Phase::kAcceleration, Phase::kAcceleration, false);
      EXPECT_TRUE(std::isfinite(d.rows.row_force[0]));
      return d.rows.row_force[0];
    };
    const double limit = force(1e-8), whole = force(1e-6) - limit, half = force(5e-7) - limit;
    EXPECT_NEAR(whole, limit * -0.99e-6, 0.02e-6 * std::abs(limit)) << int(solver);
    EXPECT_NEAR(half / whole, 0.5, 0.02) << int(solver);
  }
}

// Several rows over random gears, M dense: M a = τ + J' f,  J a + R f = -u/h - erp C/h².
TEST(MimicText, ManyRowsAreADenseSolve) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (int trial = 0; trial < 20; ++trial) {
    const auto x = [&] { return std::to_string(uniform(generator)); };
    const std::string equality = "<mimic joint1='a' joint2='b c' gear='" + x() + " " + x() + "' offset='" + x() +
                                 "' mode='soft' naturalfreq='70' dampratio='.4'/>" +
                                 "<mimic joint1='d' joint2='b c a' gear='" + x() + " " + x() + " " + x() +
                                 "' mode='soft' naturalfreq='20' dampratio='1'/>";
    Model m = limbs(trial % 2 ? "<freejoint/>" : "", equality);
    for (const SolverType solver : kSolvers) {
      m.opt.solver = solver;
      State s(m);
      scatter(m, s, static_cast<unsigned>(trial));
      Data d(m);
      ASSERT_TRUE(forward(m, s, d).ok());
      ASSERT_EQ(d.rows.n, 2);
      std::vector<double> rest(static_cast<size_t>(m.nv));
      multiply_mass(m, d, d.qacc, rest.data());
      for (int i = 0; i < m.nv; ++i) rest[i] -= d.qfrc_smooth[i];
      for (int k = 0; k < 2; ++k) {
        const Row row = row_of(m, k);
        std::vector<double> z(static_cast<size_t>(m.nv), 0.0);
        for (size_t i = 0; i < row.dof.size(); ++i) z[row.dof[i]] = row.G[i];
        solve_mass(m, d, z.data());
        const double r = times(row, z.data()), mu = k ? 20 : 70, zeta = k ? 1 : 0.4;
        const double cfm = r / (kH * mu * (kH * mu + 2 * zeta)), erp = kH * mu / (kH * mu + 2 * zeta);
        const double f = d.rows.row_force[k];
        EXPECT_NEAR(times(row, d.qacc) + cfm * f, -times(row, s.qvel) / kH - erp * violation(m, row, s) / (kH * kH),
                    1e-7 * (1 + std::abs(f)))
            << trial << " " << int(solver);
        for (size_t i = 0; i < row.dof.size(); ++i) rest[row.dof[i]] -= row.G[i] * f;
      }
      for (double v : rest) EXPECT_NEAR(v, 0, 1e-8) << trial << " " << int(solver);
    }
  }
}

// ---- the same relation as the reference's joint equality
// ------------------------------------------------------

Model equality_of_rotors(const std::string& law, double h, bool safe = true) {
  const auto rotor = [](const char* name, const char* inertia) {
    return std::string("<body><inertial pos='0 0 0' mass='1' diaginertia='") + inertia + "'/><joint name='" + name +
           "' axis='0 0 1'/></body>";
  };
  return load_model_string("<mujoco><option gravity='0 0 0' tolerance='1e-24' timestep='" + std::to_string(h) +
                           "'><flag diagexact='enable' refsafe='" + (safe ? "enable" : "disable") +
                           "'/></option><worldbody>" + rotor("a", "1 1 1") + rotor("b", "4 4 4") +
                           "</worldbody><equality><joint joint1='a' joint2='b' polycoef='0 -2 0 0 "
                           "0' solimp='.95 .95 1' " +
                           law + "/></equality></mujoco>");
}

// At rest under a load J' f: f/kp for the spring, (1 - d) r f / k for this row.
TEST(JointEquality, RestsAtAFractionOfTheSprings) {
  Model m = equality_of_rotors("solref='.1 1'", 0.01);
  State s(m);
  Data d(m);
  s.qfrc_applied[0] = 3, s.qfrc_applied[1] = 6;
  for (int i = 0; i < 2000; ++i) ASSERT_TRUE(step(m, s, d).ok());
  EXPECT_NEAR(s.qpos[0] + 2 * s.qpos[1], 0.05 * 2 * 3 / 100, 1e-9);
}

// It decays while 4 - 2 h b - h² k > 0 with k = 1/(tc ζ)², b = 2/tc, and grows beyond: ζ = 0.3536
// at tc = 2h, tc = 1.207 h at ζ = 1. A soft mimic has no such edge
// (MimicRow.IsStableAtAnyFrequency).
TEST(JointEquality, IsStableUpToItsEdge) {
  const double h = 0.01;
  const auto grows = [&](double timeconst, double ratio) {
    Model m = equality_of_rotors("solref='" + std::to_string(timeconst) + " " + std::to_string(ratio) + "'", h, false);
    State s(m);
    Data d(m);
    s.qpos[0] = 1e-3;
    for (int i = 0; i < 600; ++i) {
      if (!step(m, s, d).ok()) return true;
    }
    return std::abs(s.qpos[0] + 2 * s.qpos[1]) > 1e-3;
  };
  EXPECT_TRUE(grows(2 * h, 0.350));
  EXPECT_FALSE(grows(2 * h, 0.357));
  EXPECT_TRUE(grows(1.20 * h, 1));
  EXPECT_FALSE(grows(1.215 * h, 1));
}

}  // namespace
}  // namespace pliant

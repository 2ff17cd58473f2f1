// Designs against simulation: the bounce, the height after many bounces, a static press.

#include "pliant/design.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>
#include <random>

#include "tests/analysis/drop.h"

namespace pliant {
namespace {

DropScene ball(const DesignResult& made, double timestep, double mass, const char* solver, const char* more = "",
               Integrator integrator = Integrator::kEuler) {
  return {load_model_string(fmt::format(
              "<mujoco><option timestep='{}' solver='{}' integrator='{}' cone='elliptic'/><worldbody>"
              "<geom type='plane' size='5 5 1'/><body pos='0 0 1'><freejoint/>"
              "<geom type='sphere' size='0.05' mass='{}' {} {}/></body></worldbody></mujoco>",
              timestep, solver, integrator_names()[static_cast<size_t>(integrator)], mass, made.attributes, more)),
          0.05};
}

double mean_bounce(const DropScene& scene, double speed) {
  double sum = 0;
  for (int i = 0; i < 32; ++i) sum += simulate_bounce(scene, speed, (i + 0.5) / 32, 1, false).restitution / 32;
  return sum;
}

TEST(Design, BouncesAsWanted) {
  double worst = 0;
  for (const double e : {0.0, 0.2, 0.5, 0.8, 1.0}) {
    for (const double dt : {0.0005, 0.001, 0.002, 0.005}) {
      for (const double mass : {0.01, 1.0, 50.0}) {
        // TGS takes a step in four parts, which the design has to know
        DesignResult made[2];
        for (int parts = 0; parts < 2; ++parts) {
          DesignRequest wish;
          wish.restitution = e, wish.timestep = dt, wish.mass = mass, wish.substeps = parts ? 4 : 1;
          made[parts] = design(wish);
          // in a long step of parts gravity is seen after the reversal: the nearest restitution is taken
          const bool refused = parts && e == 1 && dt == 0.005;
          ASSERT_EQ(made[parts].possible, !refused) << made[parts].refusal;
          if (refused) made[parts] = design(made[parts].nearest);
          ASSERT_TRUE(made[parts].possible) << made[parts].refusal;
        }
        for (const char* solver : {"Newton", "CG", "PGS", "TGS"}) {
          const DesignResult& chosen = made[std::string(solver) == "TGS"];
          const double found = mean_bounce(ball(chosen, dt, mass, solver), 1);
          // of what was refused the nearest, as the answer names it
          const double wanted = std::string(solver) == "TGS" && e == 1 && dt == 0.005 ? chosen.predict.restitution : e;
          worst = std::max(worst, std::abs(found - wanted));
          EXPECT_NEAR(found, wanted, 0.02) << chosen.mode << " dt " << dt << " mass " << mass << " " << solver;
        }
      }
    }
  }
  std::printf("worst difference of restitution %.4f\n", worst);
}

TEST(Design, KeepsItsHeight) {
  for (const char* solver : {"Newton", "CG", "PGS", "TGS"}) {
    DesignRequest wish;
    wish.restitution = 1;
    wish.substeps = std::string(solver) == "TGS" ? 4 : 1;
    const DesignResult made = design(wish);
    ASSERT_TRUE(made.possible) << made.refusal;
    const DropScene scene = ball(made, 0.002, 1, solver);
    State s(scene.model);
    Data d(scene.model);
    scene.set_depth(s, -0.2);
    int bounces = 0;
    double apex = 0;
    for (int n = 0; bounces < 100 && n < 200000; ++n) {
      const double before = s.qvel[2];
      step(scene.model, s, d);
      if (before < 0 && s.qvel[2] > 0) ++bounces;
    }
    for (; s.qvel[2] > 0; apex = std::max(apex, -scene.depth(s))) step(scene.model, s, d);
    EXPECT_EQ(bounces, 100);
    EXPECT_NEAR(apex, 0.2, 0.002) << solver << " mode " << made.mode;
  }
}

TEST(Design, StiffnessOfAStaticPress) {
  for (const double k : {200.0, 5e3, 1e5, 1e7}) {
    for (const double mass : {0.1, 1.0, 20.0}) {
      DesignRequest wish;
      wish.stiffness = k, wish.damping = 0.5 * std::sqrt(k * mass), wish.mass = mass;
      const DesignResult made = design(wish);
      ASSERT_TRUE(made.possible) << made.refusal;
      const DropScene scene = ball(made, 0.002, mass, "Newton", "condim='1'");
      // two weights: the difference of loads over the difference of depths
      double depth[2];
      for (int i = 0; i < 2; ++i) {
        State s(scene.model);
        Data d(scene.model);
        s.xfrc_applied[6 + 2] = -i * mass * 20;
        scene.set_depth(s, mass * (9.81 + 20 * i) / k);
        for (int n = 0; n < 5000; ++n) step(scene.model, s, d);
        depth[i] = scene.depth(s);
      }
      EXPECT_NEAR(mass * 20 / (depth[1] - depth[0]), k, 0.02 * k) << "mass " << mass << " d " << made.solimp[0];
    }
  }
}

TEST(Design, OtherWishes) {
  DesignRequest wish;
  wish.rest_depth = 0.0003;
  DesignResult made = design(wish);
  ASSERT_TRUE(made.possible) << made.refusal;
  EXPECT_NEAR(made.predict.rest_depth, 0.0003, 0.0003 * 0.02);
  EXPECT_NEAR(simulate_rest(ball(made, 0.002, 1, "Newton", "condim='1'"), 0.0003, 5), 0.0003, 0.0003 * 0.02);

  wish = {};
  wish.settle = 0.3;
  made = design(wish);
  ASSERT_TRUE(made.possible) << made.refusal;
  EXPECT_NEAR(made.predict.settle_time, 0.3, 0.015);

  wish = {};
  wish.restitution = 0.6, wish.max_depth = 0.02;
  made = design(wish);
  ASSERT_TRUE(made.possible) << made.refusal;
  EXPECT_EQ(made.mode, "spring");
  EXPECT_NEAR(made.predict.max_depth, 0.02, 0.001);
  EXPECT_NEAR(made.predict.restitution, 0.6, 0.02);
}

/// Longest time to settle over several places in a step; what leaves the answer unsettled is infinite.
double longest_settling(const DropScene& scene, double rest, double speed) {
  double most = 0;
  for (int i = 0; i < 8; ++i)
    most = std::max(most, simulate_bounce(scene, speed, (i + 0.5) / 8, rest, true).settle_time);
  return most;
}

// Every answer is simulated; every refusal names something that can be had, and nothing tried by brute force does
// better.
TEST(Design, SettlesInTime) {
  for (const double dt : {0.0005, 0.002, 0.005}) {
    for (const double mass : {0.05, 1.0, 40.0}) {
      for (const double settle : {0.03, 0.06, 0.12, 0.25, 0.6}) {
        DesignRequest wish;
        wish.settle = settle, wish.timestep = dt, wish.mass = mass;
        DesignResult made = design(wish);
        const double asked = made.possible ? settle : made.nearest.settle;
        if (!made.possible) {
          EXPECT_GT(asked, settle);
          EXPECT_NE(made.refusal.find("nearest"), std::string::npos) << made.refusal;
          made = design(made.nearest);
          ASSERT_TRUE(made.possible) << made.refusal;
        }
        const DropScene scene = ball(made, dt, mass, "Newton", "condim='1'");
        EXPECT_LE(longest_settling(scene, made.predict.rest_depth, 1), asked + 1.01 * dt)
            << "dt " << dt << " mass " << mass << " settle " << settle << " " << made.attributes;
      }
    }
  }
  // the case that was refused with 0.2585 s as the nearest
  DesignRequest wish;
  wish.settle = 0.12;
  EXPECT_TRUE(design(wish).possible);
}

TEST(Design, RefusedSettlingTimesCannotBeHad) {
  DesignRequest wish;
  wish.settle = 0.02;
  const DesignResult refused = design(wish);
  ASSERT_FALSE(refused.possible);
  EXPECT_NE(refused.refusal.find("timestep of"), std::string::npos) << refused.refusal;
  // all that a flat impedance and both formats of solref can say, over- and underdamped; and the usual solimp
  const double h = wish.timestep;
  double best = 1e9;
  for (const auto& [d0, dw] :
       {std::pair(0.9, 0.95), {0.9, 0.9}, {0.5, 0.5}, {0.01, 0.01}, {0.99, 0.99}, {0.05, 0.05}}) {
    for (double s = 1e-3; s < 4; s *= 1.35) {
      for (double c = 0.02; c < 2; c *= 1.25) {
        ScalarRow row;
        row.solref = {-s / (h * h), -c / h};
        row.solimp = {d0, dw, 0.001, 0.5, 2};
        const ScalarMap map(row);
        double most = 0;
        for (int i = 0; i < 8 && most <= best; ++i)
          most = std::max(
              most, bounce(map, 1, (i + 0.5) / 8, true, static_cast<int>(2 * refused.nearest.settle / h)).settle_time);
        best = std::min(best, most);
      }
    }
  }
  std::printf("nearest %.4f s, brute force %.4f s\n", refused.nearest.settle, best);
  EXPECT_LE(refused.nearest.settle, best + 1.01 * h);
}

TEST(Design, StiffAnswersAreSound) {
  for (const double dt : {0.0005, 0.002, 0.005}) {
    for (const double mass : {0.05, 1.0, 40.0}) {
      for (const double k : {1e4, 1e6, 1e8, 1e9, 1e10, 1e12}) {
        DesignRequest wish;
        wish.stiffness = k, wish.timestep = dt, wish.mass = mass;
        DesignResult made = design(wish);
        double wanted = k;
        if (!made.possible) {
          EXPECT_NE(made.refusal.find("nearest"), std::string::npos) << made.refusal;
          wanted = made.nearest.stiffness;
          EXPECT_LT(wanted, k);
          made = design(made.nearest);
          ASSERT_TRUE(made.possible) << made.refusal;
        }
        EXPECT_NEAR(made.predict.stiffness, wanted, 0.01 * wanted);
        EXPECT_GT(made.predict.stable_dt, dt);
        const DropScene scene = ball(made, dt, mass, "Newton", "condim='1'");
        for (int i = 0; i < 16; ++i) {
          EXPECT_LE(simulate_bounce(scene, 1, (i + 0.5) / 16, 1, false).restitution, 1.02)
              << "dt " << dt << " mass " << mass << " k " << k << " " << made.attributes;
        }
      }
    }
  }
}

/// Seconds of this thread that a design takes.
DesignResult timed_design(const DesignRequest& wish, double& longest) {
  const std::clock_t start = std::clock();
  DesignResult made = design(wish);
  longest = std::max(longest, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  return made;
}

struct WishCounts {
  int accepted = 0, refused = 0, without = 0;
  double longest = 0;
};

// Wishes and pairs of them, masses, timesteps and speeds of all sizes: what is accepted comes true in the simulator,
// what is named as the nearest is accepted, and every answer comes soon.
WishCounts check_random_wishes(int count, unsigned seed, Integrator integrator) {
  std::mt19937_64 random(seed);
  const auto share = [&] { return static_cast<double>(random() >> 11) / 9007199254740992.0; };
  const auto between = [&](double low, double high) { return low * std::pow(high / low, share()); };
  WishCounts out;
  for (int i = 0; i < count; ++i) {
    DesignRequest wish;
    wish.integrator = integrator;
    wish.mass = between(0.01, 1000), wish.timestep = between(0.0005, 0.01), wish.impact = between(0.1, 5);
    const bool parts = share() < 0.25 && integrator == Integrator::kEuler;
    wish.substeps = parts ? 4 : 1;
    const double settle = between(0.01, 2), restitution = 0.98 * share(), stiffness = between(1e3, 1e11);
    const double depth = between(1e-3, 0.1), rest = between(1e-6, 1e-2);
    // one wish, or two
    for (const int which : {i % 5, static_cast<int>(random() % 5)}) {
      if (which == 0) wish.settle = settle;
      if (which == 1) wish.restitution = restitution;
      if (which == 2) wish.max_depth = depth;
      if (which == 3) (wish.rest_depth > 0 ? wish.settle : wish.stiffness) = wish.rest_depth > 0 ? settle : stiffness;
      if (which == 4) (wish.stiffness > 0 ? wish.settle : wish.rest_depth) = wish.stiffness > 0 ? settle : rest;
    }
    const auto described = [&] {
      return fmt::format(
          "{}: mass {} timestep {} impact {} parts {} restitution {} depth {} stiffness {} rest {} "
          "settle {}",
          i, wish.mass, wish.timestep, wish.impact, wish.substeps, wish.restitution, wish.max_depth, wish.stiffness,
          wish.rest_depth, wish.settle);
    };
    DesignResult made = timed_design(wish, out.longest);
    const std::string said = made.refusal;
    if (!made.possible) {
      ++out.refused;
      if (said.find("the nearest is") == std::string::npos) {
        ++out.without;
        EXPECT_NE(said.find("no single number"), std::string::npos) << described() << said;
        continue;
      }
      wish = made.nearest;
      made = timed_design(wish, out.longest);
      EXPECT_TRUE(made.possible) << described() << ": " << said << "; asked for that: " << made.refusal;
      if (!made.possible) continue;
    }
    ++out.accepted;
    SCOPED_TRACE(described() + "; " + made.attributes + " " + said);
    const DropScene scene =
        ball(made, wish.timestep, wish.mass, parts ? "TGS" : "Newton", "condim='1'", wish.integrator);
    double mean = 0, deepest = 0, most = 0;
    const int phases = 24;
    for (int k = 0; k < phases; ++k) {
      const Bounce seen = simulate_bounce(scene, wish.impact, (k + 0.5) / phases, made.predict.rest_depth, false);
      mean += seen.restitution / phases;
      deepest = std::max(deepest, seen.max_depth);
      most = std::max(most, seen.restitution);
    }
    EXPECT_LE(most, 1.02);
    if (defined(wish.restitution)) {
      EXPECT_NEAR(mean, wish.restitution, 0.02);
    }
    if (defined(wish.max_depth)) {
      EXPECT_LE(deepest, 1.05 * wish.max_depth);
    }
    if (defined(wish.settle)) {
      EXPECT_LE(longest_settling(scene, made.predict.rest_depth, wish.impact), wish.settle + 1.01 * wish.timestep);
    }
    if (defined(wish.stiffness)) {
      EXPECT_NEAR(made.predict.stiffness, wish.stiffness, 0.01 * wish.stiffness);
    }
    if (defined(wish.rest_depth)) {
      EXPECT_NEAR(simulate_rest(scene, wish.rest_depth, 0.05), wish.rest_depth, 0.02 * wish.rest_depth);
    }
  }
  std::printf("%d accepted, %d refused, %d of these without a nearest, longest %.2f s\n", out.accepted, out.refused,
              out.without, out.longest);
#ifdef NDEBUG
  EXPECT_LT(out.longest, 5) << "about a second is promised";
#endif
  return out;
}

TEST(Design, RandomWishesComeTrue) {
  const WishCounts seen = check_random_wishes(120, 18, Integrator::kEuler);
  EXPECT_GE(seen.accepted, 110);
  EXPECT_LE(seen.without, 6);
}

TEST(Design, RandomWishesComeTrueUnderDiscrete) {
  const WishCounts seen = check_random_wishes(60, 19, Integrator::kDiscrete);
  EXPECT_GE(seen.accepted, 50);
  EXPECT_LE(seen.without, 4);
}

TEST(Design, RandomWishesComeTrueUnderRungeKutta) {
  const WishCounts seen = check_random_wishes(40, 20, Integrator::kRk4);
  EXPECT_GE(seen.accepted, 30);
  EXPECT_LE(seen.without, 4);
}

TEST(Design, AnswersSoonNearTheLimitOfStability) {
  DesignRequest wish;
  wish.restitution = 0.5, wish.stiffness = 3.7e9, wish.mass = 30, wish.impact = 3;
  double longest = 0;
  for (const double e : {0.05, 0.3, 0.5, 0.8, 0.95}) {
    wish.restitution = e;
    const DesignResult made = timed_design(wish, longest);
    if (!made.possible) {
      EXPECT_TRUE(design(made.nearest).possible) << made.refusal;
    }
  }
  EXPECT_LT(longest, 5);
}

TEST(Design, NonsenseIsNamed) {
  for (const auto& spoil : std::initializer_list<void (*)(DesignRequest&)>{
           [](DesignRequest& w) { w.substeps = 0; }, [](DesignRequest& w) { w.target = "wheel"; },
           [](DesignRequest& w) { w.stiffness = 1.0 / 0.0; }, [](DesignRequest& w) { w.gravity = 0, w.settle = 1; }}) {
    DesignRequest wish;
    spoil(wish);
    EXPECT_THROW(design(wish), std::invalid_argument);
  }
}

TEST(Design, RefusesTheImpossibleWithTheNearest) {
  const auto nearest_is_possible = [](const DesignRequest& wish) {
    const DesignResult refused = design(wish);
    EXPECT_FALSE(refused.possible);
    EXPECT_NE(refused.refusal.find("nearest"), std::string::npos) << refused.refusal;
    const DesignResult again = design(refused.nearest);
    EXPECT_TRUE(again.possible) << again.refusal;
  };
  DesignRequest wish;
  wish.restitution = 1.2;
  nearest_is_possible(wish);
  wish = {};
  wish.restitution = 0.5, wish.max_depth = 0.0005;
  nearest_is_possible(wish);
  wish = {};
  wish.settle = 0.002;
  nearest_is_possible(wish);
  wish = {};
  wish.stiffness = 1e13;
  nearest_is_possible(wish);
  wish = {};
  wish.rest_depth = 1e-9;
  nearest_is_possible(wish);
  // in one step nothing is left to choose
  wish = {};
  wish.stiffness = 1e4, wish.mode = "impact";
  nearest_is_possible(wish);
  wish = {};
  wish.rest_depth = 0.001, wish.restitution = 0.3, wish.mode = "impact";
  nearest_is_possible(wish);
  wish = {};
  wish.material = "cheese";
  EXPECT_THROW(design(wish), std::invalid_argument);
}

}  // namespace
}  // namespace pliant

// The laws of impedance_hd.h against their closed forms, edges included.

#include "constraint/impedance_hd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace pliant {
namespace {

using Five = double[5];

int bit(RowClamp clamp) { return static_cast<int>(clamp); }

double d_of(const Five& solimp, double r, int* clamps = nullptr) {
  int bits = 0;
  const Impedance<double> result = impedance_at(checked_solimp<double>(solimp, bits), r);
  if (clamps) *clamps = bits;
  return result.d;
}

// y(x) of the documentation, written with pow throughout.
double sigmoid(double x, double mid, double p) {
  if (x >= 1) return 1;
  return x <= mid ? std::pow(x, p) / std::pow(mid, p - 1) : 1 - std::pow(1 - x, p) / std::pow(1 - mid, p - 1);
}

TEST(Impedance, FollowsTheSigmoid) {
  for (double d0 : {0.0001, 0.2, 0.9}) {
    for (double dw : {0.5, 0.95, 0.9999}) {
      for (double width : {1e-4, 0.01, 2.0}) {
        for (double mid : {0.0001, 0.3, 0.5, 0.9999}) {
          for (double p : {1.0, 1.5, 2.0, 3.0, 6.0}) {
            for (double x : {0.001, 0.2, 0.3, 0.5, 0.77, 0.999, 1.0, 3.0}) {
              const Five solimp = {d0, dw, width, mid, p};
              const double expected = d0 + sigmoid(x, mid, p) * (dw - d0);
              EXPECT_NEAR(d_of(solimp, x * width), expected, 1e-13);
              EXPECT_EQ(d_of(solimp, x * width), d_of(solimp, -x * width)) << "only the size of the violation counts";
            }
          }
        }
      }
    }
  }
}

TEST(Impedance, HasTheseEdges) {
  EXPECT_EQ(d_of({0.3, 0.8, 0.1, 0.5, 2}, 0), 0.3) << "without violation d is d0, not 0";
  EXPECT_EQ(d_of({0.3, 0.8, 0.1, 0.5, 2}, 0.1), 0.8);
  EXPECT_EQ(d_of({0.3, 0.8, 0, 0.5, 2}, 0), 0.55) << "width 0: the mean";
  EXPECT_EQ(d_of({0.3, 0.8, 0, 0.5, 2}, 7), 0.55);
  EXPECT_EQ(d_of({0.3, 0.8, 1e-15, 0.5, 2}, 1), 0.55);
  EXPECT_EQ(d_of({0.3, 0.8, 1e-14, 0.5, 2}, 1), 0.8);
  EXPECT_EQ(d_of({0.7, 0.7, 0.1, 0.5, 2}, 0.03), 0.7);
  EXPECT_NEAR(d_of({0.2, 0.6, 0.1, 0.4, 2}, 0.04), 0.2 + 0.4 * 0.4, 1e-15)
      << "the value at the midpoint is the midpoint";
  EXPECT_NEAR(d_of({0.8, 0.3, 0.1, 0.5, 1}, 0.05), 0.55, 1e-15) << "it may fall, too";
}

TEST(Impedance, IsClampedAndSaysSo) {
  int clamps = 0;
  EXPECT_EQ(d_of({0, 0.9, 1, 0.5, 2}, 0, &clamps), 1e-4);
  EXPECT_EQ(clamps, bit(RowClamp::kImpedance));
  EXPECT_EQ(d_of({0.5, 1, 1, 0.5, 2}, 5, &clamps), 0.9999);
  EXPECT_EQ(clamps, bit(RowClamp::kImpedance));
  d_of({0.5, 0.9, 1, 0, 2}, 0.5, &clamps);
  EXPECT_EQ(clamps, bit(RowClamp::kImpedance));
  EXPECT_EQ(d_of({0.5, 0.9, -1, 0.5, 2}, 0.5, &clamps), 0.7);
  EXPECT_EQ(clamps, bit(RowClamp::kWidth));
  EXPECT_NEAR(d_of({0.5, 0.9, 1, 0.5, 0.1}, 0.25, &clamps), 0.6, 1e-15);
  EXPECT_EQ(clamps, bit(RowClamp::kPower));
  d_of({0.9, 0.95, 0.001, 0.5, 2}, 0.5, &clamps);
  EXPECT_EQ(clamps, 0) << "the default needs no clamping";
}

TEST(Impedance, SlopeIsTheDerivative) {
  for (double p : {1.0, 2.0, 2.7}) {
    for (double r : {-0.09, -0.03, 0.02, 0.07}) {
      const Five values = {0.2, 0.9, 0.1, 0.4, p};
      int bits = 0;
      const Solimp<double> solimp = checked_solimp<double>(values, bits);
      const double h = 1e-7;
      const double slope = (impedance_at(solimp, r + h).d - impedance_at(solimp, r - h).d) / (2 * h);
      EXPECT_NEAR(impedance_at(solimp, r).slope, slope, 1e-6);
    }
  }
}

TEST(Reference, BothFormats) {
  // timeconst t, dampratio ζ: K = 1 / (dw² t² ζ²), B = 2 / (dw t)
  const auto standard = spring_damper<double>({0.05, 0.7}, 0.9);
  EXPECT_NEAR(standard.K, 1 / (0.81 * 0.0025 * 0.49), 1e-9);
  EXPECT_NEAR(standard.B, 2 / (0.9 * 0.05), 1e-12);
  const auto direct = spring_damper<double>({-400, -30}, 0.9);
  EXPECT_NEAR(direct.K, 400 / 0.81, 1e-10);
  EXPECT_NEAR(direct.B, 30 / 0.9, 1e-12);
  const auto neither = spring_damper<double>({0, 0}, 0.9);
  EXPECT_EQ(neither.K, 0);
  EXPECT_EQ(neither.B, 0);
}

TEST(Reference, DampratioOneIsDampingTwoRootStiffness) {
  for (double time : {0.01, 0.05, 1.0}) {
    // stiffness 1 / t², damping 2 / t = 2 √stiffness
    const double stiffness = 1 / (time * time);
    const auto a = spring_damper<double>({time, 1}, 0.93);
    const auto b = spring_damper<double>({-stiffness, -2 * std::sqrt(stiffness)}, 0.93);
    EXPECT_NEAR(a.K, b.K, 1e-12 * a.K);
    EXPECT_NEAR(a.B, b.B, 1e-12 * a.B);
  }
}

TEST(Reference, MixedSignsAndShortTimes) {
  RowSettings<double> settings;
  settings.shortest_time = 0.004;
  const auto check = [&](double time, double ratio, double time_out, double ratio_out, int bits) {
    int clamps = 0;
    const double values[2] = {time, ratio};
    const Solref<double> ref = checked_solref<double>(values, settings, clamps);
    EXPECT_EQ(ref.time, time_out) << time << " " << ratio;
    EXPECT_EQ(ref.ratio, ratio_out) << time << " " << ratio;
    EXPECT_EQ(clamps, bits) << time << " " << ratio;
  };
  check(0.02, 1, 0.02, 1, 0);
  check(0.001, 1, 0.004, 1, bit(RowClamp::kRefsafe));
  check(-5, -1, -5, -1, 0);
  check(0, 0, 0, 0, 0);
  check(-5, 0, -5, 0, 0);
  check(0, -5, 0, -5, 0);
  check(0, 1, 0.02, 1, bit(RowClamp::kSolrefMixed));
  check(0.03, 0, 0.02, 1, bit(RowClamp::kSolrefMixed));
  check(0.03, -1, 0.02, 1, bit(RowClamp::kSolrefMixed));
  settings.shortest_time = 0.5;
  check(0.03, -1, 0.5, 1, bit(RowClamp::kSolrefMixed) | bit(RowClamp::kRefsafe));
  settings.shortest_time = 0;
  check(1e-9, 1, 1e-9, 1, 0);

  int clamps = 0;
  const double mixed[2] = {0.1, -1};
  const Solref<double> friction = checked_solreffriction<double>(mixed, settings, clamps);
  EXPECT_EQ(friction.time, 0);
  EXPECT_EQ(friction.ratio, 0);
  EXPECT_EQ(clamps, bit(RowClamp::kSolreffriction));
}

TEST(Regularizer, BlendsAccelerations) {
  // one row with diagonal A: a₁ = a₀ + A f, f = (aref - a₀) / (A + R), so R = (1-d)/d A gives a₁ = (1-d) a₀ + d aref
  for (double d : {1e-4, 0.1, 0.5, 0.95, 0.9999}) {
    for (double A : {1e-6, 1.0, 1e6}) {
      const double R = regularizer(d, A), a0 = -9.81, aref = 3;
      EXPECT_NEAR(a0 + A * (aref - a0) / (A + R), (1 - d) * a0 + d * aref, 1e-12 * (std::abs(a0) + aref));
    }
  }
  EXPECT_EQ(regularizer(0.5, 0.0), kTiny) << "R stays positive";
}

}  // namespace
}  // namespace pliant

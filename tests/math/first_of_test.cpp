// Searches four at a time against plain loops: random numbers with many equals, every length.

#include "math/first_of.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

TEST(FirstOf, Least) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const int n = round % 40;
    double x[44];
    for (int i = 0; i < 44; ++i) x[i] = i < n ? double(random() % 9) : 100;
    int place = -1;
    double least = 8;
    for (int i = 0; i < n; ++i) {
      if (x[i] < least) least = x[i], place = i;
    }
    double found = 8;
    ASSERT_EQ(first_least(x, n, found), place) << n;
    ASSERT_EQ(found, least);
  }
}

TEST(FirstOf, Farthest) {
  std::mt19937 random(4);
  for (int round = 0; round < 5000; ++round) {
    const int n = 1 + round % kMaxPacked;
    double point[3 * kMaxPacked] = {};
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) point[k * kMaxPacked + i] = double(random() % 5) - 2;
    }
    for (int i = n; i < (n + 3) / 4 * 4; ++i) {
      for (int k = 0; k < 3; ++k) point[k * kMaxPacked + i] = point[k * kMaxPacked];
    }
    const Vec3 d{double(random() % 7) - 3, double(random() % 7) - 3, double(random() % 7) - 3};
    int best = 0;
    const auto along = [&](int i) {
      return d.x * point[i] + d.y * point[kMaxPacked + i] + d.z * point[2 * kMaxPacked + i];
    };
    for (int i = 1; i < n; ++i) best = along(i) > along(best) ? i : best;
    ASSERT_EQ(first_farthest(point, n, d), best) << n;
  }
  // not a direction: any place there is
  const double point[3 * kMaxPacked] = {};
  const double nan = std::nan("");
  EXPECT_EQ(first_farthest(point, 5, Vec3{nan, 0, 0}), 0);
}

}  // namespace
}  // namespace pliant

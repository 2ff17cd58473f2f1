// Sines and cosines of many angles against the library's.

#include "math/sincos.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace pliant {
namespace {

void expect_equal(const std::vector<double>& angles) {
  std::vector<double> sine = angles, cosine(angles.size());
  sincos_many(sine.data(), cosine.data(), static_cast<int>(angles.size()));
  for (size_t i = 0; i < angles.size(); ++i) {
    EXPECT_NEAR(sine[i], std::sin(angles[i]), 4e-16) << angles[i];
    EXPECT_NEAR(cosine[i], std::cos(angles[i]), 4e-16) << angles[i];
  }
}

TEST(SinCos, AgreesWithTheLibrary) {
  std::vector<double> angles;
  for (int i = -20000; i <= 20000; ++i) angles.push_back(i * 0.37);
  for (int i = -64; i <= 64; ++i) angles.push_back(i * 1.57079632679489655800 / 4);
  for (double tiny = 1; tiny > 1e-300; tiny *= 0.1) angles.push_back(tiny);
  expect_equal(angles);
}

TEST(SinCos, LeavesLargeAnglesToTheLibrary) { expect_equal({0.3, 1e9, -7e15, 2}); }

TEST(SinCos, PassesOnWhatIsNoNumber) {
  double sine[2] = {std::numeric_limits<double>::quiet_NaN(), 1}, cosine[2];
  sincos_many(sine, cosine, 2);
  EXPECT_TRUE(std::isnan(sine[0]) && std::isnan(cosine[0]));
  EXPECT_EQ(sine[1], std::sin(1.0));
}

}  // namespace
}  // namespace pliant

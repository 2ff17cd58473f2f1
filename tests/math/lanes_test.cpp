// Numbers of four worlds: every operation has the bits that it has for one, and answers that differ are noticed.

#include "math/lanes.h"

#ifdef PLIANT_LANES

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

namespace pliant {
namespace {

constexpr double kOdd[] = {0.0,
                           -0.0,
                           1.0,
                           -1.0,
                           0.5,
                           1e-300,
                           -1e300,
                           1e-16,
                           3.0,
                           std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::denorm_min()};

/// Odd numbers among ordinary ones.
class Numbers {
 public:
  double next() {
    const int k = std::uniform_int_distribution<int>(0, 40)(random_);
    return k < static_cast<int>(std::size(kOdd)) ? kOdd[k] : std::normal_distribution<double>(0, 3)(random_);
  }
  Lanes lanes() {
    const double a = next(), b = next(), c = next(), d = next();
    return {a, b, c, d};
  }

 private:
  std::mt19937 random_{7};
};

bool same(double a, double b) { return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0; }

template <class F, class G, class... A>
void expect_same(const char* what, F&& together, G&& alone, const A&... x) {
  const Lanes result = together(x...);
  for (int k = 0; k < kLanes; ++k) {
    const double expected = alone(x[k]...);
    EXPECT_TRUE(same(result[k], expected)) << what << " of world " << k << ": " << result[k] << ", alone " << expected;
  }
}

TEST(Lanes, HaveTheBitsOfEveryWorldAlone) {
  Numbers numbers;
  for (int i = 0; i < 3000; ++i) {
    const Lanes a = numbers.lanes(), b = numbers.lanes(), c = numbers.lanes();
    const auto check = [&](const char* what, auto f) { expect_same(what, f, f, a, b, c); };
    check("+", [](auto x, auto y, auto) { return x + y; });
    check("-", [](auto x, auto y, auto) { return x - y; });
    check("*", [](auto x, auto y, auto) { return x * y; });
    check("/", [](auto x, auto y, auto) { return x / y; });
    check("- of one", [](auto x, auto, auto) { return -x; });
    check("mul_add", [](auto x, auto y, auto z) { return mul_add(x, y, z); });
    check("mul_add of -x", [](auto x, auto y, auto z) { return mul_add(-x, y, z); });
    check("sqrt", [](auto x, auto, auto) { return sqrt(x); });
    check("abs", [](auto x, auto, auto) { return abs(x); });
    check("floor", [](auto x, auto, auto) { return floor(x); });
    check("round", [](auto x, auto, auto) { return round(x); });
    check("sin", [](auto x, auto, auto) { return sin(x); });
    check("cos", [](auto x, auto, auto) { return cos(x); });
    check("exp", [](auto x, auto, auto) { return exp(x); });
    check("asin", [](auto x, auto, auto) { return asin(x); });
    check("atan2", [](auto x, auto y, auto) { return atan2(x, y); });
    check("at_least", [](auto x, auto y, auto) { return at_least(x, y); });
    check("clamped", [](auto x, auto y, auto z) { return clamped(x, y, z); });
    check("select", [](auto x, auto y, auto z) { return select(x < y, y, z); });
    check("either", [](auto x, auto y, auto z) { return select(either(x < y, y >= z), x, z); });
  }
}

TEST(Lanes, NormaliseAsOneWorldDoes) {
  Numbers numbers;
  for (int i = 0; i < 3000; ++i) {
    QuatT<Lanes> q{numbers.lanes(), numbers.lanes(), numbers.lanes(), numbers.lanes()};
    if (i % 3 == 0) q = normalized(q);  // those that are unit already take another way
    if (i % 7 == 0) q.w = {q.w[0], 0, q.w[2], 1}, q.x.v[1] = q.y.v[1] = q.z.v[1] = 0;
    const Vec3T<Lanes> v{q.x, q.y, q.z}, unit = normalized(v);
    const QuatT<Lanes> n = normalized(q), turned = axis_angle(unit, q.w);
    for (int k = 0; k < kLanes; ++k) {
      const Quat own{q.w[k], q.x[k], q.y[k], q.z[k]}, expected = normalized(own);
      const Vec3 direction = normalized(Vec3{own.x, own.y, own.z});
      const Quat turn = axis_angle(direction, own.w);
      for (int j = 0; j < 4; ++j) {
        EXPECT_TRUE(same(n[j][k], expected[j])) << own.w << " " << own.x << " " << own.y << " " << own.z;
        EXPECT_TRUE(same(turned[j][k], turn[j]));
        if (j < 3) EXPECT_TRUE(same(unit[j][k], direction[j]));
      }
    }
  }
}

TEST(Lanes, SumRowsInTheOrderOfOneWorld) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int n = 1; n < 20; ++n) {
    Lanes x[120], y[20], z[20], out[20], six[6];
    for (Lanes* row : {x, y, z}) {
      for (int i = 0; i < (row == x ? 120 : 20); ++i)
        row[i] = {normal(random), normal(random), normal(random), normal(random)};
    }
    for (int i = 0; i < 6; ++i) six[i] = y[i];
    const Lanes sum = sum_products(static_cast<const Lanes*>(x), static_cast<const Lanes*>(y), n);
    Lanes a = 1, b = 2;
    subtract_products(x, y, z, n, a, b);
    rows_of_six_times(x, six, out, n);
    for (int k = 0; k < kLanes; ++k) {
      double x1[120], y1[20], z1[20], out1[20], six1[6], a1 = 1, b1 = 2;
      for (int i = 0; i < 120; ++i) x1[i] = x[i][k];
      for (int i = 0; i < 20; ++i) y1[i] = y[i][k], z1[i] = z[i][k];
      for (int i = 0; i < 6; ++i) six1[i] = six[i][k];
      EXPECT_EQ(sum[k], sum_products(static_cast<const double*>(x1), static_cast<const double*>(y1), n));
      subtract_products(x1, y1, z1, n, a1, b1);
      EXPECT_EQ(a[k], a1);
      EXPECT_EQ(b[k], b1);
      rows_of_six_times(x1, six1, out1, n);
      for (int i = 0; i < n; ++i) EXPECT_EQ(out[i][k], out1[i]);
    }
  }
}

TEST(Lanes, NoticeWhereWorldsDisagree) {
  LaneSplit::clear();
  EXPECT_TRUE(Lanes(1, 2, 3, 4) < Lanes(5));
  EXPECT_FALSE(Lanes(1, 2, 3, 4) > Lanes(5));
  EXPECT_FALSE(LaneSplit::met());
  EXPECT_TRUE(Lanes(1, 2, 3, 4) < Lanes(3));
  EXPECT_TRUE(LaneSplit::met());
  LaneSplit::clear();
  EXPECT_FALSE(is_zero(Lanes(0, 0, 1, 0)));
  EXPECT_TRUE(is_zero(Lanes(0)));
  EXPECT_FALSE(all(Lanes(1, 2, 3, 4) < Lanes(3)));
  EXPECT_FALSE(LaneSplit::met());
  EXPECT_EQ(static_cast<int>(Lanes(7)), 7);
  EXPECT_FALSE(LaneSplit::met());
  EXPECT_EQ(static_cast<int>(Lanes(7, 7, 8, 7)), 7);
  EXPECT_TRUE(LaneSplit::met());
  LaneSplit::clear();
  // an angle beyond those that are reduced by hand
  Lanes sine[2] = {{1, 2, 3, 4}, {1, 2, 1e5, 4}}, cosine[2];
  sincos_many(sine, cosine, 2);
  EXPECT_TRUE(LaneSplit::met());
  LaneSplit::clear();
}

}  // namespace
}  // namespace pliant

#endif

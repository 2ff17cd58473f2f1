// Teams: sums, places and barriers do not depend on how many members share the work.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/team.h"
#include "tests/base/fiber_team.h"

namespace pliant {
namespace {

template <class R>
std::vector<R> random_numbers(int n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<double> exponent(-12, 12), sign(-1, 1);
  std::vector<R> x;
  for (int i = 0; i < n; ++i) x.push_back(static_cast<R>(std::copysign(std::pow(10, exponent(random)), sign(random))));
  return x;
}

template <class R, int members>
R team_sum(const std::vector<R>& x, unsigned seed) {
  std::vector<R> sums(members);
  FiberTeam<members>::run(
      [&](const FiberTeam<members>& team) {
        sums[static_cast<size_t>(team.lane())] =
            sum_of<R>(team, static_cast<int>(x.size()), [&](int i) { return x[static_cast<size_t>(i)]; });
      },
      seed);
  for (const R sum : sums) EXPECT_EQ(sum, sums[0]) << "members disagree";
  return sums[0];
}

template <class R>
void sums_are_equal() {
  for (const int n : {0, 1, 2, 7, 31, 32, 33, 64, 100, 1000}) {
    const std::vector<R> x = random_numbers<R>(n);
    const R serial = sum_of<R>(SerialTeam{}, n, [&](int i) { return x[static_cast<size_t>(i)]; });
    EXPECT_EQ(serial, (team_sum<R, 2>(x, 3))) << n;
    EXPECT_EQ(serial, (team_sum<R, 8>(x, 4))) << n;
    EXPECT_EQ(serial, (team_sum<R, 32>(x, 5))) << n;
    // and it is the sum: within rounding of the largest numbers
    long double exact = 0, size = 0;
    for (const R v : x) exact += v, size += std::abs(v);
    EXPECT_NEAR(static_cast<double>(serial), static_cast<double>(exact),
                static_cast<double>(size) * n * std::numeric_limits<R>::epsilon());
  }
}
TEST(Team, SumsHaveTheSameBits) {
  sums_are_equal<double>();
  sums_are_equal<float>();
}

template <int members>
std::vector<int> placed(const std::vector<int>& counts, int offset, int& end) {
  std::vector<int> out(200, -1);
  FiberTeam<members>::run([&](const FiberTeam<members>& team) {
    const int last = each_in_place(
        team, static_cast<int>(counts.size()), offset, [&](int i) { return counts[static_cast<size_t>(i)]; },
        [&](int i, int first) { std::fill_n(out.begin() + first, counts[static_cast<size_t>(i)], i); });
    if (team.lane() == 0) end = last;
  });
  return out;
}

TEST(Team, EverythingHasItsPlace) {
  const std::vector<int> counts = {3, 0, 1, 0, 0, 6, 2, 4, 0, 1, 1, 5, 0, 2, 3, 3, 3, 0, 0, 8, 1,
                                   1, 1, 1, 1, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 0, 1, 0, 1, 0, 1};
  std::vector<int> expected(200, -1);
  int at = 5;
  for (size_t i = 0; i < counts.size(); ++i) {
    for (int k = 0; k < counts[i]; ++k) expected[static_cast<size_t>(at++)] = static_cast<int>(i);
  }
  for (int test = 0; test < 3; ++test) {
    int end = 0;
    EXPECT_EQ(test == 0   ? placed<2>(counts, 5, end)
              : test == 1 ? placed<8>(counts, 5, end)
                          : placed<32>(counts, 5, end),
              expected);
    EXPECT_EQ(end, at);
  }
  EXPECT_EQ(each_in_place(
                SerialTeam{}, static_cast<int>(counts.size()), 5, [&](int i) { return counts[static_cast<size_t>(i)]; },
                [&](int i, int first) {
                  if (counts[static_cast<size_t>(i)] == 0) return;
                  EXPECT_EQ(expected[static_cast<size_t>(first)], i);
                }),
            at);
}

TEST(Team, MaxAndScan) {
  FiberTeam<8>::run([](const FiberTeam<8>& team) {
    EXPECT_EQ(team.max((team.lane() * 5) % 8), 7);
    int total = 0;
    EXPECT_EQ(team.scan(team.lane(), total), team.lane() * (team.lane() - 1) / 2);
    EXPECT_EQ(total, 28);
    EXPECT_TRUE(team.any(team.lane() == 6));
    EXPECT_FALSE(team.any(false));
  });
}

// The team of the tests finds what it is there for: work that forgot to wait.
TEST(Team, AMissingBarrierIsSeen) {
  bool seen = false;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    int shared = 0, wrong = 0;
    FiberTeam<8>::run(
        [&](const FiberTeam<8>& team) {
          if (team.lane() == 3) shared = 1;
          if (shared != 1) ++wrong;  // reads without waiting
          team.sync();
          EXPECT_EQ(shared, 1);
        },
        seed);
    seen = seen || wrong > 0;
  }
  EXPECT_TRUE(seen);
}

TEST(Team, MembersThatDoNotWaitAreAMistake) {
  EXPECT_THROW(FiberTeam<8>::run([](const FiberTeam<8>& team) {
                 if (team.lane() != 3) team.sync();
               }),
               std::logic_error);
}

}  // namespace
}  // namespace pliant

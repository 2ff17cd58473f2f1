// Text services: numbers read and print exactly, slips are recognised, words are split.

#include "base/text.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace pliant {
namespace {

double parsed(std::string_view word) {
  double value = -12345;
  EXPECT_EQ(parse_number(word, value), NumberError::kNone) << word;
  return value;
}

template <class Number>
NumberError problem(std::string_view word) {
  Number value = 7;
  const NumberError error = parse_number(word, value);
  // what cannot be read leaves the number as it was
  EXPECT_TRUE(error == NumberError::kNone || value == Number(7)) << word;
  return error;
}

TEST(Numbers, RoundTripBitForBit) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t bits = random();
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    if (!std::isfinite(x)) continue;
    EXPECT_EQ(std::bit_cast<uint64_t>(parsed(number_text(x))), bits);
  }
}

TEST(Numbers, FloatsRoundTripBitForBit) {
  std::mt19937 random(2);
  for (int i = 0; i < 200'000; ++i) {
    const uint32_t bits = random();
    const float x = std::bit_cast<float>(bits);
    if (!std::isfinite(x)) continue;
    float back = 0;
    ASSERT_EQ(parse_number(number_text(x), back), NumberError::kNone);
    EXPECT_EQ(std::bit_cast<uint32_t>(back), bits);
  }
}

TEST(Numbers, ExtremesRoundTrip) {
  using limits = std::numeric_limits<double>;
  for (const double x : {0.0, -0.0, 0.1, limits::min(), limits::max(), limits::lowest(), limits::denorm_min(), 1e22,
                         1e23, 4.35, 123456789012345680.0}) {
    EXPECT_EQ(std::bit_cast<uint64_t>(parsed(number_text(x))), std::bit_cast<uint64_t>(x)) << x;
  }
}

TEST(Numbers, AreExactlyRounded) {
  // half way cases, and more digits than a double holds
  EXPECT_EQ(parsed("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(parsed("9007199254740993.00000000000000000001"), 9007199254740994.0);
  EXPECT_EQ(parsed("2.2250738585072011e-308"), 2.2250738585072011e-308);
  EXPECT_EQ(parsed("1e-400"), 0.0);
  EXPECT_EQ(parsed("+1.5"), 1.5);
  EXPECT_EQ(parsed(".5"), 0.5);
  EXPECT_EQ(parsed("5."), 5.0);
  EXPECT_EQ(parsed("1E3"), 1000.0);
}

TEST(Numbers, NotFiniteIsRefused) {
  for (const char* word : {"nan", "NaN", "-nan", "inf", "-inf", "+inf", "Infinity", "1e309", "-1e999"}) {
    EXPECT_EQ(problem<double>(word), NumberError::kNotFinite) << word;
    EXPECT_EQ(problem<float>(word), NumberError::kNotFinite) << word;
  }
  EXPECT_EQ(problem<float>("1e39"), NumberError::kNotFinite);
  EXPECT_EQ(problem<int>("nan"), NumberError::kNotFinite);
}

TEST(Numbers, OtherTextIsRefused) {
  for (const char* word : {"", "+", "-", "--1", "+-1", "1,5", "1.5m", "0x10", "1e", "one", ".", "1.2.3", "1 2", "½"}) {
    EXPECT_EQ(problem<double>(word), NumberError::kNotANumber) << word;
    EXPECT_EQ(problem<int>(word), NumberError::kNotANumber) << word;
  }
}

TEST(Numbers, WholeNumbers) {
  int value = 0;
  EXPECT_EQ(parse_number("-2147483648", value), NumberError::kNone);
  EXPECT_EQ(value, std::numeric_limits<int>::min());
  EXPECT_EQ(parse_number("+2147483647", value), NumberError::kNone);
  EXPECT_EQ(value, std::numeric_limits<int>::max());
  EXPECT_EQ(problem<int>("2147483648"), NumberError::kOutOfRange);
  EXPECT_EQ(problem<int>("-99999999999999999999"), NumberError::kOutOfRange);
  EXPECT_EQ(problem<int>("1.0"), NumberError::kNotANumber);
  EXPECT_EQ(problem<int>("1e3"), NumberError::kNotANumber);
}

TEST(Words, AreSplitAtWhiteSpace) {
  EXPECT_EQ(split_words(" a\tbc\r\n d "), (std::vector<std::string_view>{"a", "bc", "d"}));
  EXPECT_TRUE(split_words("").empty());
  EXPECT_TRUE(split_words(" \n\t ").empty());
  size_t at = 0;
  EXPECT_EQ(next_word("x y", at), "x");
  EXPECT_EQ(next_word("x y", at), "y");
  EXPECT_EQ(next_word("x y", at), "");
}

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("geom", "geom"), 0);
  EXPECT_EQ(edit_distance("goem", "geom"), 1);  // neighbours swapped
  EXPECT_EQ(edit_distance("geoms", "geom"), 1);
  EXPECT_EQ(edit_distance("gem", "geom"), 1);
  EXPECT_EQ(edit_distance("gexm", "geom"), 1);
  EXPECT_EQ(edit_distance("GEOM", "geom"), 0);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(EditDistance, IsSymmetricAndObeysBounds) {
  std::mt19937 random(3);
  const auto word = [&] {
    std::string text(random() % 8, ' ');
    for (char& c : text) c = static_cast<char>('a' + random() % 4);
    return text;
  };
  for (int i = 0; i < 2000; ++i) {
    const std::string a = word(), b = word();
    const int distance = edit_distance(a, b);
    EXPECT_EQ(distance, edit_distance(b, a));
    EXPECT_EQ(distance == 0, a == b);
    EXPECT_LE(distance, static_cast<int>(std::max(a.size(), b.size())));
    EXPECT_GE(distance, std::abs(static_cast<int>(a.size()) - static_cast<int>(b.size())));
  }
}

TEST(DidYouMean, FindsSlipsOnly) {
  const std::array<std::string_view, 4> names = {"friction", "size", "pos", "rgba"};
  EXPECT_EQ(did_you_mean("frcition", names), "did you mean 'friction'?");
  EXPECT_EQ(did_you_mean("Friction", names), "did you mean 'friction'?");
  EXPECT_EQ(did_you_mean("pso", names), "did you mean 'pos'?");
  EXPECT_EQ(did_you_mean("wobble", names), "");
  EXPECT_EQ(did_you_mean("", names), "");
  EXPECT_EQ(did_you_mean(std::string(10'000, 'x'), names), "");
  EXPECT_EQ(closest("sizes", {}), "");
}

TEST(Quote, IsShortAndPrintable) {
  EXPECT_EQ(quote("abc"), "'abc'");
  EXPECT_EQ(quote("a\nb\x01"), "'a b '");
  EXPECT_EQ(quote("abcdef", 3), "'abc…'");
  const std::array<std::string_view, 3> words = {"a", "b", "c"};
  EXPECT_EQ(one_of(words), "'a', 'b' or 'c'");
}

}  // namespace
}  // namespace pliant

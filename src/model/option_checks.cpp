// Options against option_rules.def. The usual answer, that all is well, takes a few dozen comparisons and no branch.

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/text.h"
#include "pliant/option_checks.h"

namespace pliant {
namespace {

bool finite(double x) { return std::abs(x) <= std::numeric_limits<double>::max(); }
template <size_t n>
bool finite(const std::array<double, n>& values) {
  bool all = true;
  for (double x : values) all &= finite(x);
  return all;
}
bool positive(double x) { return (x > 0) & finite(x); }
bool not_negative(double x) { return (x >= 0) & finite(x); }
template <class E>
bool between(E value, int64_t least, int64_t most) {
  const auto number = static_cast<int64_t>(value);
  return (number >= least) & (number <= most);
}

/// The number to complain about; of an array the first that is not finite.
double culprit(double x, int&) { return x; }
template <class E>
  requires std::is_enum_v<E>
double culprit(E x, int&) {
  return static_cast<int>(x);
}
template <size_t n>
double culprit(const std::array<double, n>& values, int& index) {
  for (index = 0; index + 1 < static_cast<int>(n) && finite(values[static_cast<size_t>(index)]);) ++index;
  return values[static_cast<size_t>(index)];
}

bool all_fine(const Options& o) {
  bool fine = true;
#define POSITIVE(name) fine &= positive(o.name);
#define NOT_NEGATIVE(name) fine &= not_negative(o.name);
#define FINITE(name) fine &= finite(o.name);
#define CODE(name, last) fine &= between(o.name, 0, static_cast<int>(last));
#define COUNT(name, least, most) fine &= between(o.name, least, most);
#define FLAGS(name, bits) fine &= between(o.name, 0, (int64_t{1} << (bits)) - 1);
#include "model/option_rules.def"
  return fine;
}

std::string range_text(int64_t least, int64_t most) {
  return most == INT32_MAX ? "it must be at least " + std::to_string(least)
                           : "it must be " + std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace

OptionProblem option_problem(const Options& o, std::string_view only) {
  if (only.empty() && all_fine(o)) return {};
  const auto found = [&](const char* name, const auto& value) {
    OptionProblem problem{name, 0, -1};
    problem.value = culprit(value, problem.index);
    return problem;
  };
#define CHECK(name, fine) \
  if ((only.empty() || only == #name) && !(fine)) return found("opt." #name, o.name);
#define POSITIVE(name) CHECK(name, positive(o.name))
#define NOT_NEGATIVE(name) CHECK(name, not_negative(o.name))
#define FINITE(name) CHECK(name, finite(o.name))
#define CODE(name, last) CHECK(name, between(o.name, 0, static_cast<int>(last)))
#define COUNT(name, least, most) CHECK(name, between(o.name, least, most))
#define FLAGS(name, bits) CHECK(name, between(o.name, 0, (int64_t{1} << (bits)) - 1))
#include "model/option_rules.def"
#undef CHECK
  return {};
}

std::string option_range(std::string_view option) {
#define RANGE(name, text) \
  if (option == "opt." #name) return text;
#define POSITIVE(name) RANGE(name, "it must be finite and greater than 0")
#define NOT_NEGATIVE(name) RANGE(name, "it must be finite and at least 0")
#define FINITE(name) RANGE(name, "it must be finite")
#define CODE(name, last) RANGE(name, range_text(0, static_cast<int>(last)))
#define COUNT(name, least, most) RANGE(name, range_text(least, most))
#define FLAGS(name, bits) RANGE(name, range_text(0, (int64_t{1} << (bits)) - 1))
#include "model/option_rules.def"
#undef RANGE
  return {};
}

std::string to_text(const OptionProblem& problem) {
  std::string text = problem.option;
  if (problem.index >= 0) text += "[" + std::to_string(problem.index) + "]";
  const double x = problem.value;
  text += " is " + (std::isnan(x) ? "nan" : std::isinf(x) ? (x < 0 ? "-inf" : "inf") : number_text(x));
  return text + "; " + option_range(problem.option);
}

}  // namespace pliant

// Options: every member has a rule, and the text about one that breaks it names it.

#include "pliant/option_checks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace pliant {
namespace {

TEST(OptionChecks, EveryMemberHasARule) {
  int members = 0;
  Options options;
  visit_options(options, [&](auto&) { ++members; });
  std::set<std::string> rules;
#define RULE(name) rules.insert(#name);
#define POSITIVE(name) RULE(name)
#define NOT_NEGATIVE(name) RULE(name)
#define FINITE(name) RULE(name)
#define CODE(name, last) RULE(name)
#define COUNT(name, least, most) RULE(name)
#define FLAGS(name, bits) RULE(name)
#include "model/option_rules.def"
#undef RULE
  EXPECT_EQ(static_cast<int>(rules.size()), members);
  EXPECT_FALSE(option_problem(options));
}

TEST(OptionChecks, NameTheOptionItsValueAndWhatIsAllowed) {
  Options options;
  options.solver = static_cast<SolverType>(10);
  EXPECT_EQ(to_text(option_problem(options)), "opt.solver is 10; it must be 0 to 4");
  EXPECT_FALSE(option_problem(options, "cone"));
  EXPECT_TRUE(option_problem(options, "solver"));
  options = {};
  options.gravity[1] = NAN;
  EXPECT_EQ(to_text(option_problem(options)), "opt.gravity[1] is nan; it must be finite");
  options = {};
  options.iterations = -3;
  EXPECT_EQ(to_text(option_problem(options)), "opt.iterations is -3; it must be at least 0");
  options = {};
  options.timestep = 0;
  EXPECT_EQ(to_text(option_problem(options)), "opt.timestep is 0; it must be finite and greater than 0");
}

}  // namespace
}  // namespace pliant

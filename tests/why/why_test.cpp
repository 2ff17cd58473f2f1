// Why, from C++: pairs of changes where none works alone, and how far it is.

#include "pliant/why.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pliant/pliant.h"

namespace pliant {
namespace {

// Two pendulums on one foot whose dampers feed: one mended, the other still does it.
constexpr const char* kTwo = R"(<mujoco><option timestep="0.002"/><worldbody>
  <body pos="0 0 1"><joint name="foot" type="slide" axis="1 0 0" damping="1"/><geom size=".1" mass="1"/>
   <body><joint name="left" axis="0 1 0" damping="LEFT"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"
     contype="0" conaffinity="0"/></body>
   <body><joint name="right" axis="0 1 0" damping="RIGHT"/><geom type="capsule" size=".02" fromto="0 0 0 -.3 0 0"
     contype="0" conaffinity="0"/></body></body>
  </worldbody></mujoco>)";

WhyReport ask(const char* left, const char* right, const WhyOptions& options) {
  std::string xml = kTwo;
  xml.replace(xml.find("LEFT"), 4, left);
  xml.replace(xml.find("RIGHT"), 5, right);
  return why(load_model_string(xml), options);
}

TEST(Why, TwoChangesWhereNoneWorksAlone) {
  const WhyReport one = ask("-3", "0.1", {.seconds = 1});
  ASSERT_FALSE(one.fixes.empty());
  EXPECT_TRUE(one.fixes[0].worked);
  for (const TriedFix& fix : one.fixes) EXPECT_EQ(fix.what.find("; and "), std::string::npos) << fix.what;

  const WhyReport two = ask("-3", "-3", {.seconds = 1});
  ASSERT_GE(two.suspects.size(), 2u);
  EXPECT_EQ(two.suspects[0].kind, "damper");
  EXPECT_EQ(two.suspects[1].kind, "damper");
  ASSERT_FALSE(two.fixes.empty());
  const TriedFix& cure = two.fixes[0];
  EXPECT_TRUE(cure.worked) << why_text(two, true);
  EXPECT_NE(cure.what.find("; and "), std::string::npos) << cure.what;
  ASSERT_EQ(cure.edits.size(), 2u);
  EXPECT_NE(cure.edits[0].name, cure.edits[1].name);
  EXPECT_TRUE(std::all_of(two.fixes.begin() + 1, two.fixes.end(), [](const TriedFix& f) { return !f.worked; }));
}

TEST(Why, SaysHowFarItIs) {
  std::vector<std::pair<int, int>> seen;
  const WhyReport report =
      ask("-3", "-3", {.seconds = 1, .progress = [&](int done, int total) { seen.emplace_back(done, total); }});
  ASSERT_GT(seen.size(), report.fixes.size() / 2);
  for (size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].first, static_cast<int>(i));
    EXPECT_LT(seen[i].first, seen[i].second);
  }
}

}  // namespace
}  // namespace pliant

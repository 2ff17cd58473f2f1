// Tendon paths, limits and user data.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "pliant/load.h"

namespace pliant {
namespace {

Report with_tendon(const std::string& tendon, const std::string& head = "") {
  return load_report_string("<mujoco>" + head +
                            "<worldbody><site name='w'/><body><joint name='j'/><geom name='ball' size='.1'/><geom "
                            "name='box' "
                            "type='box' size='.1 .1 .1'/><site name='a' pos='.2 0 0'/><site name='b' pos='0 .2 0'/>"
                            "<body><joint name='k' type='ball'/><geom name='rod' type='cylinder' size='.1 .1'/><site "
                            "name='c'/>"
                            "</body></body></worldbody><tendon>" +
                            tendon + "</tendon></mujoco>");
}

std::string spatial(const std::string& path, const std::string& attributes = "") {
  return "<spatial name='t' " + attributes + ">" + path + "</spatial>";
}
std::string site(const char* name) { return "<site site='" + std::string(name) + "'/>"; }

TEST(Tendons, PathIsStoredWithSidesAndDivisors) {
  const Report r = with_tendon(spatial(site("w") + "<geom geom='rod' sidesite='b'/>" + site("c") +
                                       "<pulley divisor='2'/>" + site("a") + "<geom geom='ball'/>" + site("b")));
  ASSERT_TRUE(r.ok());
  const Model& m = *r.model;
  ASSERT_EQ(m.nwrap, 7);
  const int types[] = {3, 5, 3, 2, 3, 4, 3};
  const double prm[] = {0, 2, 0, 2, 0, -1, 0};
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(m.wrap_type[i], types[i]);
    EXPECT_EQ(m.wrap_prm[i], prm[i]);
  }
  EXPECT_EQ(m.wrap_objid[1], m.id(ObjType::kGeom, "rod"));
  EXPECT_EQ(m.wrap_objid[3], -1);
}

TEST(Tendons, BadPathsAreReported) {
  for (const std::string& bad :
       {spatial(""), spatial(site("a")), spatial(site("a") + site("a")), spatial("<geom geom='ball'/>" + site("a")),
        spatial(site("a") + "<geom geom='box'/>" + site("b")),
        spatial(site("a") + "<geom geom='ball'/><geom geom='rod'/>" + site("b")),
        spatial(site("a") + site("b") + "<pulley divisor='1'/>"),
        spatial(site("a") + "<pulley divisor='1'/>" + site("b") + site("c")),
        spatial(site("a") + site("b") + "<pulley divisor='-1'/>" + site("a") + site("b")),
        spatial(site("a") + site("b"), "width='0'"), spatial(site("a") + site("b"), "armature='-1'"),
        spatial(site("a") + "<geom geom='ball'/>" + site("b"), "armature='1'"), std::string("<fixed/>")}) {
    const Report r = with_tendon(bad);
    ASSERT_FALSE(r.ok()) << bad;
    EXPECT_EQ(r.diagnostics[0].code, Code::kBadTendon) << bad;
    EXPECT_GT(r.diagnostics[0].line, 0);
  }
  EXPECT_EQ(with_tendon(spatial(site("a") + site("zz"))).diagnostics[0].code, Code::kUnknownReference);
}

TEST(Tendons, Limits) {
  const std::string path = site("a") + site("w");
  EXPECT_TRUE(with_tendon(spatial(path, "range='0 1'")).model->tendon_limited[0]);
  EXPECT_FALSE(with_tendon(spatial(path)).model->tendon_limited[0]);
  for (const char* bad : {"limited='true'", "range='2 1' limited='true'", "springlength='2 1'",
                          "actuatorfrcrange='1 2' actuatorfrclimited='true'"}) {
    EXPECT_EQ(with_tendon(spatial(path, bad)).diagnostics[0].code, Code::kBadRange) << bad;
  }
  EXPECT_TRUE(with_tendon(spatial(path, "actuatorfrcrange='-1 2'")).model->tendon_actfrclimited[0]);
  EXPECT_EQ(with_tendon(spatial(path, "range='0 1'"), "<compiler autolimits='false'/>").diagnostics[0].code,
            Code::kMissingAttribute);
}

TEST(Tendons, SpringLengthTakesOneOrTwoNumbers) {
  const std::string path = site("a") + site("w");
  const Model one = *with_tendon(spatial(path, "springlength='.5'")).model;
  EXPECT_EQ(one.tendon_lengthspring[0], 0.5);
  EXPECT_EQ(one.tendon_lengthspring[1], 0.5);
  const auto waits = [](const Model& m, const char* field) {
    return std::count(m.pending.begin(), m.pending.end(), field) > 0;
  };
  EXPECT_FALSE(waits(one, "tendon_lengthspring"));
}

TEST(Tendons, UserDataIsPaddedAndChecked) {
  const std::string path = site("a") + site("w");
  const Model m = *with_tendon(spatial(path, "user='1 2'"), "<size nuser_tendon='3'/>").model;
  ASSERT_EQ(m.nuser_tendon, 3);
  EXPECT_EQ(m.tendon_user[1], 2);
  EXPECT_EQ(m.tendon_user[2], 0);
  EXPECT_EQ(with_tendon(spatial(path, "user='1 2'")).model->nuser_tendon, 2);
  EXPECT_EQ(with_tendon(spatial(path, "user='1 2'"), "<size nuser_tendon='1'/>").diagnostics[0].code, Code::kBadSize);
}

}  // namespace
}  // namespace pliant

// Equality constraints, contact pairs and exclusions: references, order, errors.

#include <gtest/gtest.h>

#include <string>

#include "pliant/load.h"

namespace pliant {
namespace {

Report with(const std::string& section) {
  return load_report_string(
      "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/><body name='a'><joint "
      "name='ja'/>"
      "<geom name='ga' size='.1'/><site name='sa'/></body><body name='b' pos='1 0 0'><joint "
      "name='jb'/>"
      "<geom name='gb' size='.1'/><site name='sb'/><body name='c'><joint name='jc' type='ball'/>"
      "<geom name='gc' size='.1'/></body></body></worldbody>" +
      section + "</mujoco>");
}

TEST(Equality, MissingBodyIsTheWorld) {
  const Report r = with("<equality><connect body1='b' anchor='0 0 1'/><joint joint1='ja'/></equality>");
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r.model->eq_obj1id[0], 2);
  EXPECT_EQ(r.model->eq_obj2id[0], 0);
  EXPECT_EQ(r.model->eq_objtype[0], static_cast<int>(ObjType::kBody));
  EXPECT_EQ(r.model->eq_obj2id[1], -1);
  EXPECT_EQ(r.model->eq_data[kNumEqData + 1], 1);  // polycoef 0 1 0 0 0
  EXPECT_EQ(r.model->nemax, 4);
}

TEST(Equality, GivenWeldQuaternionIsNormalised) {
  const Model m = *with("<equality><weld body1='a' body2='b' relpose='1 2 3 0 0 2 0'/></equality>").model;
  EXPECT_EQ(m.eq_data[3], 1);
  EXPECT_EQ(m.eq_data[8], 1);
  EXPECT_EQ(m.eq_data[10], 1);
}

TEST(Equality, ConnectBetweenSitesHasNoData) {
  const Model m = *with("<equality><connect site1='sa' site2='sb'/></equality>").model;
  for (int k = 0; k < kNumEqData; ++k) EXPECT_EQ(m.eq_data[k], 0);
  EXPECT_EQ(m.eq_objtype[0], static_cast<int>(ObjType::kSite));
}

TEST(Equality, ErrorsAreReported) {
  for (const char* bad :
       {"<connect body1='a' body2='a' anchor='0 0 0'/>", "<weld body1='world'/>", "<connect site1='sa' site2='sa'/>",
        "<joint joint1='ja' joint2='jc'/>", "<joint joint1='ja' joint2='ja'/>"}) {
    const Report r = with("<equality>" + std::string(bad) + "</equality>");
    ASSERT_FALSE(r.ok()) << bad;
    EXPECT_EQ(r.diagnostics[0].code, Code::kBadEquality) << bad;
  }
  const Report r = with("<equality><weld body1='aa'/></equality>");
  ASSERT_FALSE(r.ok());
  EXPECT_EQ(r.diagnostics[0].code, Code::kUnknownReference);
  EXPECT_NE(r.diagnostics[0].message.find("aa"), std::string::npos);
}

TEST(Contact, PairsAreSortedByBodiesAndKeepTheirNames) {
  const Report r = with(
      "<contact><pair name='p' geom1='gc' geom2='gb'/><pair name='q' geom1='gb' geom2='ga'/>"
      "<pair name='r' geom1='ga' geom2='gb'/><pair name='s' geom1='floor' geom2='gc'/></contact>");
  ASSERT_TRUE(r.ok());
  const Model& m = *r.model;
  const char* order[] = {"s", "q", "r", "p"};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(m.id(ObjType::kPair, order[i]), i);
    EXPECT_EQ(m.name(ObjType::kPair, i), order[i]);
    const int b1 = m.geom_bodyid[m.pair_geom1[i]], b2 = m.geom_bodyid[m.pair_geom2[i]];
    EXPECT_LE(b1, b2);
    EXPECT_EQ(m.pair_signature[i], (b1 << 16) + b2);
  }
}

TEST(Contact, ExcludesAreSymmetricAndPairsChecked) {
  const Model m = *with("<contact><exclude body1='c' body2='a'/><exclude body1='world' body2='b'/></contact>").model;
  EXPECT_EQ(m.exclude_signature[0], 2);
  EXPECT_EQ(m.exclude_signature[1], (1 << 16) + 3);
  EXPECT_EQ(with("<contact><pair geom1='ga' geom2='gb' condim='2'/></contact>").diagnostics[0].code, Code::kBadPair);
  EXPECT_EQ(with("<contact><pair geom1='ga' geom2='g'/><exclude body1='d' body2='b'/></contact>").diagnostics.size(),
            2u);
}

}  // namespace
}  // namespace pliant

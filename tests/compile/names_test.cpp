// Names: every named object is found again, whatever its kind; unnamed ones are not; paths of
// files.

#include <gtest/gtest.h>

#include <string>

#include "model/name_map.h"
#include "pliant/load.h"

namespace pliant {
namespace {

TEST(Names, EveryNameFindsItsObject) {
  std::string xml = "<mujoco model='many'><worldbody>";
  for (int i = 0; i < 300; ++i) {
    const std::string n = std::to_string(i * 7919 % 1000);
    xml += "<body name='body" + n + "' pos='" + std::to_string(i) + " 0 0'><joint name='" + n + "'/><geom size='.1'" +
           (i % 3 ? " name='g" + n + "'" : "") + "/><site name='x" + n + "'/><camera name='c" + n +
           "'/><light name='l" + n + "'/></body>";
  }
  xml +=
      "</worldbody><tendon><fixed name='t'><joint joint='0' coef='1'/></fixed></tendon><custom>"
      "<text name='t' data='t'/></custom><keyframe><key name='k'/><key/></keyframe></mujoco>";
  const Model m = load_model_string(xml);
  EXPECT_EQ(m.model_name(), "many");
  int named = 0;
  for (const NamedKind& kind : kNamedKinds) {
    for (int i = 0; i < m.count(kind.type); ++i) {
      const std::string_view name = m.name(kind.type, i);
      if (name.empty()) continue;
      ++named;
      EXPECT_EQ(m.id(kind.type, name), i) << name;
    }
  }
  EXPECT_EQ(named, 1 + 300 * 5 + 200 + 3);
  EXPECT_EQ(m.id(ObjType::kGeom, ""), -1);
  EXPECT_EQ(m.id(ObjType::kBody, "nobody"), -1);
  EXPECT_EQ(m.id(ObjType::kXbody, "world"), 0);
}

TEST(Names, BuffersAreFullAndAddressesAscend) {
  const Model m = load_model_string(
      "<mujoco><worldbody><body name='abc'><joint/><geom size='1' "
      "name='g'/></body></worldbody></mujoco>");
  EXPECT_EQ(std::string(m.names, m.nnames), std::string("MuJoCo Model\0world\0abc\0\0g\0", 26));
  EXPECT_EQ(m.name_bodyadr[1], 19);
  EXPECT_EQ(m.nnames_map, 2 * (2 + 1 + 1));
  EXPECT_EQ(m.npaths, 1);
}

}  // namespace
}  // namespace pliant

// Explanations: every counter has its line, text keeps its columns, JSON and prediction agree, attributes do what they
// say.

#include "pliant/explain.h"

#include <gtest/gtest.h>

#include "analysis/clamps.h"
#include "pliant/load.h"
#include "pliant/query.h"
#include "tests/analysis/drop.h"

namespace pliant {
namespace {

std::string ball_scene(const std::string& attributes, const std::string& option = "") {
  return "<mujoco><option timestep='0.002' cone='elliptic'" + option +
         "/><worldbody><geom name='floor' type='plane' size='5 5 1'/><body pos='0 0 1'><freejoint/>"
         "<geom name='ball' type='sphere' size='0.05' mass='2' " +
         attributes + "/></body></worldbody></mujoco>";
}

Explanation explained(const std::string& attributes) {
  const Model m = load_model_string(ball_scene(attributes));
  return explain_contact(m, State(m), m.id(ObjType::kGeom, "floor"), m.id(ObjType::kGeom, "ball"));
}

TEST(Clamps, EveryCounterOfTheEngineHasALine) {
  for (int i = 0; i < kNumRowClamps; ++i) EXPECT_NE(find_clamp("clamps", i), nullptr) << "RowClamp bit " << i;
  for (int i = 0; i < kNumFaults; ++i) EXPECT_NE(find_clamp("faults", i), nullptr) << "Fault " << i;
}

TEST(Explain, NamesEveryClampOfARow) {
  const auto has = [](const Explanation& e, const char* code) {
    for (const ClampNote& note : e.clamped) {
      if (note.code == code) return true;
    }
    return false;
  };
  EXPECT_TRUE(has(explained("priority='1' solref='0.001 1'"), "refsafe"));
  EXPECT_TRUE(has(explained("priority='1' solref='0.02 -1'"), "solref-mixed"));
  EXPECT_TRUE(has(explained("priority='1' solimp='0.9 1 0.001'"), "impedance"));
  EXPECT_TRUE(has(explained("priority='1' solimp='0.9 0.95 0.001 0.5 0.5'"), "power"));
  EXPECT_TRUE(has(explained("priority='1' friction='0 0 0'"), "friction"));
  EXPECT_TRUE(explained("").clamped.empty());
}

TEST(Explain, TextFitsAHundredColumns) {
  Explanation long_names = explained("priority='1' solref='0.001 1'");
  for (int i = 0; i < 12; ++i) long_names.origin += "/a_folder_with_a_long_name";
  long_names.title += std::string(130, 'x');
  const std::string text = explain_text(long_names);
  size_t width = 0;
  for (const char c : text) {
    if (c == '\n') {
      EXPECT_LE(width, 100u);
      width = 0;
    } else {
      width += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }
  }
  EXPECT_NE(text.find("refsafe"), std::string::npos);
}

TEST(Explain, SaysWhyGeomsNeverTouch) {
  const Model m = load_model_string(ball_scene("contype='0' conaffinity='0'"));
  try {
    explain_contact(m, State(m), 0, 1);
    FAIL() << "they cannot touch";
  } catch (const std::invalid_argument& problem) {
    EXPECT_NE(std::string(problem.what()).find("contype"), std::string::npos) << problem.what();
  }
}

TEST(Explain, LimitAndEquality) {
  const Model m = load_model_string(
      "<mujoco><worldbody><body name='a'><joint name='j' type='slide' axis='0 0 -1' range='0 0.1' limited='true'/>"
      "<geom size='0.1' mass='3'/></body><body pos='1 0 0'><freejoint/><geom size='0.1' mass='2'/><site "
      "name='s'/></body>"
      "<site name='t' pos='1 0 0'/></worldbody><equality><connect name='c' site1='s' site2='t'/></equality></mujoco>");
  const State s(m);
  const Explanation limit = explain_limit(m, s, 0);
  EXPECT_NEAR(limit.predict.load, 3 * 9.81, 1e-9);
  const Explanation held = explain_equality(m, s, 0);
  EXPECT_NEAR(held.predict.load, 2 * 9.81, 1e-6);
  // both at rest in simulation
  State run(m);
  Data d(m);
  for (int i = 0; i < 5000; ++i) step(m, run, d);
  EXPECT_NEAR(run.qpos[0] - 0.1, limit.predict.rest_depth, 0.02 * limit.predict.rest_depth);
  EXPECT_NEAR(0 - run.qpos[3], held.predict.rest_depth, 0.02 * held.predict.rest_depth);
}

TEST(Explain, SoftMimicSagsAsPredicted) {
  for (const char* solver : {"Newton", "TGS"}) {
    const Model m = load_model_string(std::string("<mujoco><option solver='") + solver +
                                      "'/><worldbody><body><joint name='lead' type='slide' axis='1 0 0' "
                                      "stiffness='1e4' damping='100'/><geom size='0.1' mass='5'/></body>"
                                      "<body pos='1 0 0'><joint name='hang' type='slide' axis='0 0 1' "
                                      "armature='0.5'/><geom size='0.1' mass='2'/></body></worldbody>"
                                      "<equality><mimic name='soft' joint1='hang' joint2='lead' gear='-0.1' "
                                      "mode='soft' naturalfreq='40' dampratio='0.5'/></equality></mujoco>");
    const Explanation e = explain_mimic(m, State(m), 0);
    State s(m);
    Data d(m);
    for (int i = 0; i < 3000; ++i) step(m, s, d);
    const double sag = 0.1 * s.qpos[0] - s.qpos[1];
    EXPECT_NEAR(e.predict.load / sag, e.predict.stiffness, 0.02 * e.predict.stiffness) << solver;
    EXPECT_NEAR(sag, e.predict.rest_depth, 0.02 * sag) << solver;
  }
}

TEST(Attributes, RestitutionAndStiffness) {
  for (const char* more : {"", " restitution_mode='impact'"}) {
    const DropScene scene{load_model_string(ball_scene(std::string("restitution='0.7'") + more)), 0.05};
    double mean = 0;
    for (int i = 0; i < 32; ++i) mean += simulate_bounce(scene, 1, (i + 0.5) / 32, 1, false).restitution / 32;
    EXPECT_NEAR(mean, 0.7, 0.02) << more;
  }
  const Model soft = load_model_string(ball_scene("stiffness='4000' damping_contact='60'"));
  EXPECT_NEAR(simulate_rest({soft, 0.05}, 0.004, 5), 2 * 9.81 / 4000, 0.02 * 2 * 9.81 / 4000);
  // a dt-independent bounce
  for (const double dt : {0.0005, 0.005}) {
    std::string xml = ball_scene("restitution='0.6' restitution_mode='impact'");
    xml.replace(xml.find("0.002"), 5, std::to_string(dt));
    const DropScene scene{load_model_string(xml), 0.05};
    EXPECT_NEAR(simulate_bounce(scene, 1, 0.5, 1, false).restitution, 0.6, 0.02) << dt;
  }
}

TEST(Attributes, AreRefusedWhereTheyContradict) {
  for (const char* wrong : {"restitution='0.5' solref='0.02 1'", "restitution='2'", "restitution_mode='impact'",
                            "stiffness='100' restitution='0.5' restitution_mode='impact'"}) {
    EXPECT_FALSE(load_report_string(ball_scene(wrong)).ok()) << wrong;
  }
  // files without them are as they were
  const Model plain = load_model_string(ball_scene(""));
  EXPECT_EQ(plain.geom_solref[2], 0.02);
  EXPECT_EQ(plain.geom_solmix[1], 1);
}

}  // namespace
}  // namespace pliant

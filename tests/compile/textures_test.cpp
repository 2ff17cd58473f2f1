// Built-in textures: patterns pixel by pixel, the fast gradient against the plain formula, size
// errors.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "pliant/load.h"

namespace pliant {
namespace {

using Pixel = std::array<int, 3>;

Model texture(const std::string& attributes) {
  return load_model_string("<mujoco><asset><texture name='t' " + attributes + "/></asset></mujoco>");
}

Pixel pixel(const Model& m, int row, int column) {
  const uint8_t* p = m.tex_data + 3 * (row * m.tex_width[0] + column);
  return {p[0], p[1], p[2]};
}

TEST(Textures, FlatCubeHasItsSecondColourBelow) {
  const Model m = texture("type='cube' builtin='flat' width='2' rgb1='1 0 0' rgb2='0 0 1'");
  EXPECT_EQ(m.tex_height[0], 12);
  EXPECT_EQ(m.ntexdata, 2 * 12 * 3);
  for (int face = 0; face < 6; ++face) {
    EXPECT_EQ(pixel(m, 2 * face, 0), face == 3 ? (Pixel{0, 0, 255}) : (Pixel{255, 0, 0}));
  }
}

TEST(Textures, CheckerHasEqualDiagonals) {
  const Model m = texture("type='2d' builtin='checker' width='5' height='4' rgb1='1 1 1' rgb2='0 0 0'");
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 5; ++c) {
      EXPECT_EQ(pixel(m, r, c)[0], (r < 2) == (c < 2) ? 255 : 0) << r << " " << c;
    }
  }
}

TEST(Textures, Marks) {
  const std::string base = "type='2d' builtin='flat' width='5' height='5' rgb1='0 0 0' markrgb='1 1 1' ";
  const Model edge = texture(base + "mark='edge'"), cross = texture(base + "mark='cross'");
  const Model dots = texture(base + "mark='random' random='0.5'");
  int marked = 0;
  for (int r = 0; r < 5; ++r) {
    for (int c = 0; c < 5; ++c) {
      EXPECT_EQ(pixel(edge, r, c)[0] > 0, r % 4 == 0 || c % 4 == 0);
      EXPECT_EQ(pixel(cross, r, c)[0] > 0, r == 2 || c == 2);
      marked += pixel(dots, r, c)[0] > 0;
    }
  }
  EXPECT_GT(marked, 0);
  EXPECT_LT(marked, 25);
}

// The formula, straight: elevation of the pixel's direction, blended through a sigmoid.
Pixel expected(double elevation, const double (&first)[3], const double (&second)[3]) {
  double w = 0.5 * (1 + elevation / std::sqrt(1 + elevation * elevation) / (1.0 / std::sqrt(2.0)));
  w = std::min(1.0, std::max(0.0, w));
  Pixel p;
  for (int k = 0; k < 3; ++k) p[k] = static_cast<int>(255 * (w * first[k] + (1 - w) * second[k]));
  return p;
}

class GradientTest : public testing::TestWithParam<int> {};

TEST_P(GradientTest, FastCubeEqualsTheFormula) {
  const int n = GetParam();
  const double first[3] = {0.3, 1, 0.75}, second[3] = {0, 1, 0.5}, half_pi = 0.5 * M_PI;
  const Model m =
      texture("type='skybox' builtin='gradient' rgb1='.3 1 .75' rgb2='0 1 .5' width='" + std::to_string(n) + "'");
  for (int r = 0; r < n; ++r) {
    for (int c = 0; c < n; ++c) {
      const double x = 2 * c / static_cast<double>(n - 1) - 1, y = 1 - 2 * r / static_cast<double>(n - 1);
      const double length = std::sqrt(1 + x * x + y * y);
      const double side = std::asin(y / length) / half_pi, up = 1 - std::acos(1.0 / length) / half_pi;
      for (int face : {0, 1, 4, 5}) {
        ASSERT_EQ(pixel(m, face * n + r, c), expected(side, first, second)) << r << " " << c;
      }
      ASSERT_EQ(pixel(m, 2 * n + r, c), expected(up, first, second)) << r << " " << c;
      ASSERT_EQ(pixel(m, 3 * n + r, c), expected(-up, first, second)) << r << " " << c;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, GradientTest, testing::Values(2, 3, 16, 129));

TEST(Textures, SizesAndKindsAreChecked) {
  for (const char* bad :
       {"type='2d' builtin='flat' width='0' height='1'", "type='2d' builtin='flat' width='1'",
        "type='cube' builtin='flat'", "type='cube' builtin='flat' width='90000'", "type='2d'", "type='cube'",
        "type='2d' fileright='a.png'", "type='2d' builtin='flat' width='2' height='2' nchannel='1'"}) {
    const Report report =
        load_report_string("<mujoco><asset><texture name='t' " + std::string(bad) + "/></asset></mujoco>");
    ASSERT_FALSE(report.ok()) << bad;
    EXPECT_EQ(report.diagnostics[0].code, Code::kBadAsset) << bad;
  }
}

TEST(Textures, OnlyASkyboxMayBeNameless) {
  EXPECT_TRUE(load_report_string("<mujoco><asset><texture type='skybox' builtin='flat' width='2'/>"
                                 "</asset></mujoco>")
                  .ok());
  const Report report =
      load_report_string("<mujoco><asset><texture type='cube' builtin='flat' width='2'/><material/></asset></mujoco>");
  ASSERT_EQ(report.diagnostics.size(), 2u);
  EXPECT_EQ(report.diagnostics[0].code, Code::kEmptyName);
}

TEST(Textures, DiscardVisualDropsMaterialsAndSaysSo) {
  const Report report = load_report_string(
      "<mujoco><compiler discardvisual='true'/><asset><texture name='t' type='2d' builtin='flat' "
      "width='1' "
      "height='1'/><material name='m' texture='t'/></asset><worldbody><geom size='.1' "
      "material='m'/>"
      "</worldbody></mujoco>");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.model->nmat + report.model->ntex, 0);
  EXPECT_EQ(report.model->geom_matid[0], -1);
  ASSERT_EQ(report.diagnostics.size(), 1u);
  EXPECT_EQ(report.diagnostics[0].code, Code::kDropped);
}

}  // namespace
}  // namespace pliant

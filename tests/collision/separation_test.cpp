// Remembered separations: the same contacts, bit for bit, as without memory; and it is used.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "collision/separation.h"
#include "shapes.h"

namespace pliant {
namespace {

bool same_bits(double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }
bool same_bits(const Vec3& a, const Vec3& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

std::vector<Shape> shapes_of(const Model& hulls) {
  return {primitive(GeomType::kSphere, {0.05, 0, 0}),
          primitive(GeomType::kCapsule, {0.03, 0.06, 0}),
          primitive(GeomType::kEllipsoid, {0.1, 0.06, 0.04}),
          primitive(GeomType::kCylinder, {0.05, 0.08, 0}),
          primitive(GeomType::kBox, {0.08, 0.05, 0.06}),
          hull_shape(hulls, 0),
          hull_shape(hulls, 1)};
}

// Shapes that wander in and out of touch: what is remembered changes no bit.
TEST(Separations, ChangeNoContact) {
  const Model hulls_model = hulls({20, 200}, 0.1);
  const std::vector<Shape> shapes = shapes_of(hulls_model);
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto turned = [&](const Mat3& mat) {
    const Vec3 w = Vec3{normal(random), normal(random), normal(random)} * 0.02;
    const Vec3 x = normalized(mat.column(0) + cross(w, mat.column(0)));
    const Vec3 y = normalized(cross(mat.column(2) + cross(w, mat.column(2)), x));
    const Vec3 z = cross(x, y);
    Mat3 out;
    for (int i = 0; i < 3; ++i) out(i, 0) = x[i], out(i, 1) = y[i], out(i, 2) = z[i];
    return out;
  };
  int apart = 0, touching = 0, quick = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    for (size_t j = std::max<size_t>(i, 2); j < shapes.size(); ++j) {
      for (const double margin : {0.0, 0.01}) {
        for (const bool single : {false, true}) {
          Shape a = shapes[i], b = shapes[j];
          place_touching(a, b, 0.002, random);
          Separation memory;
          for (int step = 0; step < poses(60, 2000); ++step) {
            ContactPoint out[kMaxConvexPoints] = {}, expected[kMaxConvexPoints] = {};
            if (memory.is_known()) {
              Separation copy = memory;
              quick += keeps_apart(a, b, margin, copy);
            }
            const int count = convex_remembering(a, b, margin, single, out, memory);
            const int wanted = single ? convex_single(a, b, margin, expected) : convex_convex(a, b, margin, expected);
            ASSERT_EQ(count, wanted) << i << " " << j << " " << step;
            for (int k = 0; k < count; ++k) {
              ASSERT_TRUE(same_bits(out[k].dist, expected[k].dist));
              ASSERT_TRUE(same_bits(out[k].pos, expected[k].pos));
              ASSERT_TRUE(same_bits(out[k].normal, expected[k].normal));
            }
            (count > 0 ? touching : apart) += 1;
            b.mat = turned(b.mat);
            // back to the other when far
            const Vec3 away = b.pos - a.pos;
            const double pull = norm(away) > 0.2 ? 0.02 : 0;
            b.pos = b.pos + Vec3{normal(random), normal(random), normal(random)} * 0.004 - away * pull;
          }
        }
      }
    }
  }
  // the walk is in touch and apart, and memory answers most of the time
  EXPECT_GT(touching, (apart + touching) / 20);
  EXPECT_GT(apart, (apart + touching) / 4);
  EXPECT_GT(quick, apart / 2) << "of " << apart;
}

// Just outside of the margin the search decides, whatever is remembered.
TEST(Separations, LeaveDoubtsToTheSearch) {
  Shape a = primitive(GeomType::kCylinder, {0.05, 0.08, 0}), b = a;
  a.mat = b.mat = matrix(Quat{1, 0, 0, 0});
  Separation memory;
  ContactPoint out[kMaxConvexPoints];
  for (const double gap : {0.01, 1e-6, 2e-8, 1e-9, 0.0, -1e-9, 1e-9, 2e-8, 1e-6}) {
    b.pos = {0, 0, 0.16 + gap};
    const int count = convex_remembering(a, b, 0.0, false, out, memory);
    EXPECT_EQ(count, convex_convex(a, b, 0.0, out)) << gap;
  }
}

// A hull that was replaced by a smaller one: the remembered vertex is not there any more.
TEST(Separations, SurviveAnotherMesh) {
  const Model model = hulls({8, 200}, 0.1);
  Shape a = hull_shape(model, 1), b = hull_shape(model, 1);
  a.mat = b.mat = matrix(Quat{1, 0, 0, 0});
  b.pos = {0.5, 0, 0};
  Separation memory;
  ContactPoint out[kMaxConvexPoints];
  EXPECT_EQ(convex_remembering(a, b, 0.0, false, out, memory), 0);
  EXPECT_TRUE(memory.is_known());
  memory.vertex1 = memory.vertex2 = 199;
  a.mesh = hull_shape(model, 0).mesh;
  EXPECT_EQ(convex_remembering(a, b, 0.0, false, out, memory), 0);
}

// Pairs that share a place take turns.
TEST(Separations, PlacesAreShared) {
  Separations few(1);
  few.of(1, 2).direction[0] = 1;
  EXPECT_TRUE(few.of(1, 2).is_known());
  EXPECT_FALSE(few.of(3, 4).is_known());
  EXPECT_FALSE(few.of(1, 2).is_known());
}

}  // namespace
}  // namespace pliant

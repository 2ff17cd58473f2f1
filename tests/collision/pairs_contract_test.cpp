// What every line of pairs.def promises, over random shapes and poses: as many points as it says, finite, unit normals,
// points between the surfaces, the same answer for the mirrored, moved and scaled problem and in single precision.
// The general routes are held to it with their one deepest point: several points are chosen as the reference does, with
// distances along the normal of a face or copied from the first.

#include <gtest/gtest.h>

#include <string>

#include "tests/collision/pair_shapes.h"

namespace pliant {
namespace {

struct PairLine {
  GeomType first, second;
  const char* function;
  int most;
  // by iteration, with tolerances of its own
  bool iterative() const {
    const std::string name = function;
    return name == "convex_convex" || name == "hfield_convex";
  }
};
const PairLine kLines[] = {
#define PAIR(a, b, function, count) {GeomType::k##a, GeomType::k##b, #function, count},
#include "collision/pairs.def"
#undef PAIR
};

class Pairs : public testing::TestWithParam<PairLine> {
 protected:
  /// Calls f with pairs that touch (or nearly), and demands that there are enough of them.
  template <class F>
  void for_poses(F f) {
    const PairLine line = GetParam();
    Random random(1000 * int(line.first) + int(line.second));
    const int poses = line.iterative() ? 250 : 1000;
    int hits = 0;
    for (int k = 0; k < poses; ++k) {
      OwnShape a = random_shape(random, line.first), b = random_shape(random, line.second);
      bring_near(random, a.shape, b.shape);
      // the prisms of a height field rise with the margin: distances mean something without one
      const double margin = k % 2 && line.first != GeomType::kHfield ? uniform(random, 0, 0.05) : 0;
      hits += !points_of(a.shape, b.shape, margin).empty();
      f(a, b, margin);
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(hits, poses / 5);
  }
  template <class R>
  auto deep_points(const ShapeT<R>& a, const ShapeT<R>& b, R margin = 0) const {
    return points_of(a, b, margin, true);
  }
  /// Whether as many points are found if everything is known to `slack` only.
  bool clear_cut(const Shape& a, const Shape& b, double margin, double slack) const {
    return deep_points(a, b, margin - slack).size() == deep_points(a, b, margin + slack).size();
  }
  double tolerance() const { return GetParam().iterative() ? 2e-6 : 1e-12; }
};

/// Whether the axis of a capsule enters a box: there the reference's points are taken where they lead out, whatever
/// their depth (PairsImproved.PiercedBoxesAreLeft has what holds of them).
bool pierces(const Shape& a, const Shape& b) {
  if (a.type != GeomType::kCapsule || b.type != GeomType::kBox) return false;
  const Vec3 from = transposed_times(b.mat, a.pos - b.pos), half = transposed_times(b.mat, a.mat.column(2) * a.size.y);
  double first = -1, last = 1;
  for (int i = 0; i < 3; ++i) {
    if (half[i] == 0) {
      if (std::abs(from[i]) > b.size[i]) return false;
      continue;
    }
    const double u = (-b.size[i] - from[i]) / half[i], v = (b.size[i] - from[i]) / half[i];
    first = std::max(first, std::min(u, v));
    last = std::min(last, std::max(u, v));
  }
  return first <= last;
}

TEST_P(Pairs, KeepTheirWord) {
  const PairLine line = GetParam();
  for_poses([&](const OwnShape& a, const OwnShape& b, double margin) {
    const auto points = points_of(a.shape, b.shape, margin);
    ASSERT_LE(int(points.size()), line.most);
    ASSERT_EQ(max_pair_points(line.first, line.second), line.most);
    for (const ContactPoint& point : points) {
      ASSERT_TRUE(std::isfinite(point.dist + norm(point.pos) + norm(point.tangent)));
      ASSERT_NEAR(norm(point.normal), 1, 1e-12);
      ASSERT_LE(point.dist, margin + tolerance());
    }
  });
}

TEST_P(Pairs, PointsLieBetweenTheSurfaces) {
  for_poses([&](const OwnShape& a, const OwnShape& b, double margin) {
    if (pierces(a.shape, b.shape)) return;
    const auto points = deep_points(a.shape, b.shape, margin);
    for (const ContactPoint& point : points) {
      const double most = std::abs(point.dist) / 2 + 10 * tolerance();
      for (const Shape* shape : {&a.shape, &b.shape}) {
        if (!has_surface_distance(shape->type)) continue;
        // points beside the deepest one may be deep inside a body that stands upright
        const double distance = surface_distance(*shape, point.pos);
        ASSERT_LE(distance, most);
        if (point.dist > deepest(points)) continue;
        ASSERT_GE(distance, -most);
      }
    }
  });
}

TEST_P(Pairs, NormalsPointFromTheFirstToTheSecond) {
  // moved apart along the normal of the deepest point by its depth, the shapes do not overlap any more
  for_poses([&](const OwnShape& a, OwnShape b, double) {
    auto points = deep_points(a.shape, b.shape);
    if (points.empty() || a.shape.type == GeomType::kHfield || pierces(a.shape, b.shape)) return;
    const auto least =
        std::min_element(points.begin(), points.end(), [](const auto& x, const auto& y) { return x.dist < y.dist; });
    b.shape.pos = b.shape.pos + least->normal * (-least->dist * (1 + 1e-9) + 10 * tolerance());
    ASSERT_GE(deepest(deep_points(a.shape, b.shape)), -0.06 * std::abs(least->dist) - 10 * tolerance());
  });
}

TEST_P(Pairs, StayFiniteWithoutSize) {
  if (GetParam().first == GeomType::kHfield) GTEST_SKIP() << "the loader refuses height fields without size";
  Random random(11);
  for_poses([&](OwnShape a, OwnShape b, double margin) {
    for (OwnShape* own : {&a, &b}) {
      for (int i = 0; i < 3; ++i) {
        if (random() % 2) own->shape.size[i] = 0;
      }
      if (random() % 4 == 0) own->shape.pos = {0, 0, 0};
      if (random() % 4 == 0) own->shape.mat = {};
    }
    for (const ContactPoint& point : points_of(a.shape, b.shape, margin)) {
      ASSERT_TRUE(std::isfinite(point.dist + norm(point.pos)));
      ASSERT_NEAR(norm(point.normal), 1, 1e-9);
    }
  });
}

TEST_P(Pairs, AreSymmetric) {
  if (GetParam().first != GetParam().second) GTEST_SKIP() << "the table has one order only";
  for_poses([&](const OwnShape& a, const OwnShape& b, double margin) {
    if (!clear_cut(a.shape, b.shape, margin, 10 * tolerance())) return;
    const auto forth = deep_points(a.shape, b.shape, margin), back = deep_points(b.shape, a.shape, margin);
    ASSERT_EQ(forth.empty(), back.empty());
    if (forth.empty()) return;
    ASSERT_NEAR(deepest(forth), deepest(back), 10 * tolerance());
    if (GetParam().iterative()) return;
    ASSERT_EQ(forth.size(), back.size());
    ASSERT_LT(norm(forth[0].normal + back[0].normal), 1e-9);
  });
}

TEST_P(Pairs, MoveWithTheWorld) {
  Random random(7);
  for_poses([&](const OwnShape& a, const OwnShape& b, double margin) {
    const Mat3 turn = random_turn(random);
    const Vec3 by = random_vector(random) * 10.0;
    if (!clear_cut(a.shape, b.shape, margin, 100 * tolerance())) return;
    const auto here = deep_points(a.shape, b.shape, margin);
    const auto there = deep_points(moved(a, turn, by).shape, moved(b, turn, by).shape, margin);
    ASSERT_EQ(here.empty(), there.empty());
    if (here.empty()) return;
    ASSERT_NEAR(deepest(here), deepest(there), 100 * tolerance());
    if (GetParam().iterative()) return;
    ASSERT_EQ(here.size(), there.size());
    for (size_t k = 0; k < here.size(); ++k) {
      ASSERT_LT(norm(turn * here[k].pos + by - there[k].pos), 1e-9);
      ASSERT_LT(norm(turn * here[k].normal - there[k].normal), 1e-9);
    }
  });
}

TEST_P(Pairs, ScaleWithTheWorld) {
  // powers of two change no digit; others round differently
  for (const double scale : {0.25, 8.0, 1e-3, 1e3}) {
    const bool exact = scale == 0.25 || scale == 8;
    for_poses([&](const OwnShape& a, const OwnShape& b, double margin) {
      if (pierces(a.shape, b.shape)) return;
      const double slack = exact ? 0 : 1e-6;
      if (!exact && !clear_cut(a.shape, b.shape, margin, slack)) return;
      if (GetParam().iterative() && !clear_cut(a.shape, b.shape, margin, 1e-4)) return;
      const auto small = deep_points(a.shape, b.shape, margin);
      const auto large = deep_points(scaled(a, scale).shape, scaled(b, scale).shape, margin * scale);
      if (GetParam().iterative()) {
        ASSERT_EQ(small.empty(), large.empty());
        if (small.empty()) return;
        ASSERT_NEAR(deepest(small) * scale, deepest(large), 1e-4 * scale);
        return;
      }
      ASSERT_EQ(small.size(), large.size()) << scale;
      for (size_t k = 0; k < small.size(); ++k) {
        if (exact) {
          ASSERT_EQ(small[k].dist * scale, large[k].dist);
          ASSERT_EQ(small[k].pos.x * scale, large[k].pos.x);
        } else {
          // vertices of meshes are floats
          const double limit = b.vertices.empty() ? 1e-9 : 1e-6;
          ASSERT_NEAR(small[k].dist, large[k].dist / scale, limit);
          ASSERT_LT(norm(small[k].pos - large[k].pos * (1 / scale)), limit);
        }
      }
    });
  }
}

TEST_P(Pairs, MarginsOnlyAddPoints) {
  if (GetParam().first == GeomType::kHfield) GTEST_SKIP() << "prisms rise with the margin";
  for_poses([&](const OwnShape& a, const OwnShape& b, double margin) {
    const auto few = deep_points(a.shape, b.shape, margin), many = deep_points(a.shape, b.shape, margin + 0.01);
    if (few.empty()) return;
    ASSERT_FALSE(many.empty());
    ASSERT_NEAR(deepest(few), deepest(many), 10 * tolerance());
    if (GetParam().iterative()) return;
    ASSERT_GE(many.size(), few.size());
  });
}

TEST_P(Pairs, AgreeInSinglePrecision) {
  constexpr double kError = 1e-5;  // of the size
  for_poses([&](const OwnShape& a, const OwnShape& b, double margin) {
    const double size = std::max(a.shape.rbound, b.shape.rbound) + norm(b.shape.pos);
    const auto exact = deep_points(a.shape, b.shape, margin);
    const auto single = deep_points(in_single(a.shape), in_single(b.shape), float(margin));
    for (const auto& point : single) {
      ASSERT_TRUE(std::isfinite(point.dist + norm(point.pos)));
      ASSERT_NEAR(norm(point.normal), 1, 1e-5);
    }
    if (!clear_cut(a.shape, b.shape, margin, kError * size)) return;
    ASSERT_EQ(exact.empty(), single.empty());
    if (exact.empty()) return;
    ASSERT_NEAR(deepest(exact), deepest(single), kError * size);
  });
}

std::string name_of(const testing::TestParamInfo<PairLine>& info) {
  const char* const names[] = {"Plane", "Hfield", "Sphere", "Capsule", "Ellipsoid", "Cylinder", "Box", "Mesh"};
  return std::string(names[int(info.param.first)]) + names[int(info.param.second)];
}
INSTANTIATE_TEST_SUITE_P(Table, Pairs, testing::ValuesIn(kLines), name_of);

TEST(PairTable, UnlistedPairsNeverCollide) {
  EXPECT_EQ(max_pair_points(GeomType::kPlane, GeomType::kPlane), 0);
  EXPECT_EQ(max_pair_points(GeomType::kHfield, GeomType::kHfield), 0);
  EXPECT_EQ(max_pair_points(GeomType::kPlane, GeomType::kHfield), 0);
  EXPECT_EQ(max_pair_points(GeomType::kMesh, GeomType::kBox), 0) << "lower type first";
  EXPECT_EQ(pair_function<double>(GeomType::kPlane, GeomType::kPlane), nullptr);
  int most = 0;
  for (const PairLine& line : kLines) most = std::max(most, line.most);
  EXPECT_EQ(most, kMaxPairPoints);
}

}  // namespace
}  // namespace pliant

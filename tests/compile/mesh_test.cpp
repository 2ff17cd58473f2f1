// Meshes against closed forms: volume, centre and inertia of a box and a tetrahedron, the hull of
// points with some inside, boxes that contain what is below them, and independence of the number of
// threads.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "pliant/load.h"

namespace pliant {
namespace {

const std::string kCube = "-1 -2 -3 1 -2 -3 1 2 -3 -1 2 -3 -1 -2 3 1 -2 3 1 2 3 -1 2 3";
const std::string kCubeFaces = "0 3 2 0 2 1 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7";

Model mesh_body(const std::string& mesh, const std::string& geom = "") {
  return load_model_string("<mujoco><asset><mesh name='m' " + mesh +
                           "/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='m' density='2' " + geom +
                           "/></body></worldbody></mujoco>");
}

void expect_box(const Model& m, double shift) {
  constexpr double kVolume = 48;
  EXPECT_NEAR(m.body_mass[1], 2 * kVolume, 1e-9);
  // moments m/3 (b² + c²), largest first
  EXPECT_NEAR(m.body_inertia[3], 2 * kVolume / 3 * (4 + 9), 1e-8);
  EXPECT_NEAR(m.body_inertia[4], 2 * kVolume / 3 * (1 + 9), 1e-8);
  EXPECT_NEAR(m.body_inertia[5], 2 * kVolume / 3 * (1 + 4), 1e-8);
  EXPECT_NEAR(m.body_ipos[3], shift, 1e-12);
}

TEST(Mesh, BoxHasTheInertiaOfABox) {
  for (const char* inertia : {"legacy", "exact", "convex"}) {
    expect_box(mesh_body("vertex='" + kCube + "' face='" + kCubeFaces + "' inertia='" + inertia + "'"), 0);
  }
  // points inside change nothing: the faces are those of the hull
  expect_box(mesh_body("vertex='" + kCube + " 0 0 0 .5 .5 .5 -.3 1 2'"), 0);
  expect_box(mesh_body("vertex='" + kCube + "' refpos='-4 0 0'"), 4);
}

TEST(Mesh, ShellOfABox) {
  const Model m = mesh_body("vertex='" + kCube + "' face='" + kCubeFaces + "' inertia='shell'");
  EXPECT_NEAR(m.body_mass[1], 2 * 8 * (1 * 2 + 2 * 3 + 3 * 1), 1e-9);
}

TEST(Mesh, TetrahedronHasASixthOfTheCube) {
  for (const char* scale : {"1 1 1", "-1 1 1", "1 -1 -1"}) {
    const Model m = mesh_body("vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='" + std::string(scale) + "'");
    EXPECT_NEAR(m.body_mass[1], 2.0 / 6, 1e-9);
    // ∫x² = 1/60 about the corner, 1/60 − 1/96 about the centre; the trace has each of three twice
    const double trace = m.body_inertia[3] + m.body_inertia[4] + m.body_inertia[5];
    EXPECT_NEAR(trace, 2 * 6 * (1.0 / 60 - 1.0 / 96), 1e-9) << scale;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(std::abs(m.body_ipos[3 + k]), 0.25, 1e-12);
  }
}

TEST(Mesh, HullOfACubeLeavesOutPointsInside) {
  const Model m = mesh_body("vertex='" + kCube + " 0 0 0 .5 .5 .5 -.3 1 2'");
  EXPECT_EQ(m.mesh_vertnum[0], 11);
  ASSERT_EQ(m.mesh_graphadr[0], 0);
  const int vertices = m.mesh_graph[0], faces = m.mesh_graph[1];
  EXPECT_EQ(vertices, 8);
  EXPECT_EQ(faces, 12);
  for (int v = 0; v < vertices; ++v) EXPECT_LT(m.mesh_graph[2 + vertices + v], 8);
  // coplanar triangles are one polygon: six sides with four corners, three sides at each vertex
  EXPECT_EQ(m.nmeshpoly, 6);
  for (int p = 0; p < m.nmeshpoly; ++p) EXPECT_EQ(m.mesh_polyvertnum[p], 4);
  for (int v = 0; v < 11; ++v) EXPECT_EQ(m.mesh_polymapnum[v], v < 8 ? 3 : 0);
  EXPECT_EQ(m.npolygonmax, 4);
  EXPECT_EQ(m.nmeshdegmax, 3);
}

TEST(Mesh, ExtremaAreSupportPoints) {
  const Model m = mesh_body("builtin='supersphere' params='8 .7 1.3'");
  const int vertices = m.mesh_graph[0];
  const int* id = m.mesh_graph + 2 + vertices;
  for (int cell = 0; cell < 27; ++cell) {
    const double d[3] = {cell / 9 - 1.0, cell / 3 % 3 - 1.0, cell % 3 - 1.0};
    const auto along = [&](int v) {
      const float* p = m.mesh_vert + 3 * id[v];
      return d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
    };
    const double best = along(m.mesh_extrema[cell]);
    for (int v = 0; v < vertices; ++v) EXPECT_LE(along(v), best + 1e-6);
  }
}

TEST(Mesh, TreeBoxesContainTheirFaces) {
  const Model m = mesh_body("builtin='sphere' params='2'");
  const int at = m.mesh_bvhadr[0], n = m.mesh_bvhnum[0];
  EXPECT_EQ(n, 2 * m.mesh_facenum[0] - 1);
  for (int i = 0; i < n; ++i) {
    const int face = m.bvh_nodeid[at + i];
    if (face < 0) continue;
    const double* box = m.bvh_aabb + 6 * (at + i);
    for (int k = 0; k < 3; ++k) {
      const float* v = m.mesh_vert + 3 * m.mesh_face[3 * face + k];
      for (int j = 0; j < 3; ++j) EXPECT_LE(std::abs(v[j] - box[j]), box[3 + j] + 1e-6);
    }
  }
}

TEST(Mesh, ThreadsDoNotChangeTheModel) {
  std::string assets;
  for (int i = 0; i < 12; ++i) {
    assets += "<mesh name='m" + std::to_string(i) + "' builtin='supertorus' params='" + std::to_string(5 + i) +
              " .4 .7 1.2'/>";
  }
  const auto load = [&](const char* threads) {
    return load_model_string("<mujoco><compiler usethread='" + std::string(threads) + "'/><asset>" + assets +
                             "</asset></mujoco>");
  };
  const Model a = load("true"), b = load("false");
  ASSERT_EQ(a.nmeshvert, b.nmeshvert);
  ASSERT_EQ(a.nbvh, b.nbvh);
  for (int i = 0; i < 3 * a.nmeshvert; ++i) ASSERT_EQ(a.mesh_vert[i], b.mesh_vert[i]);
  for (int i = 0; i < 6 * a.nbvh; ++i) ASSERT_EQ(a.bvh_aabb[i], b.bvh_aabb[i]);
}

TEST(Hfield, IsNormalisedFirstRowAtMinusY) {
  const Model m = load_model_string(
      "<mujoco><asset><hfield name='h' size='1 2 3 4' nrow='2' ncol='3' elevation='10 20 30 40 50 "
      "60'/>"
      "</asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
  const float expected[] = {.6f, .8f, 1, 0, .2f, .4f};
  ASSERT_EQ(m.nhfielddata, 6);
  for (int i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(m.hfield_data[i], expected[i]);
  EXPECT_DOUBLE_EQ(m.geom_aabb[2], -0.5);
  EXPECT_DOUBLE_EQ(m.geom_aabb[5], 3.5);
}

}  // namespace
}  // namespace pliant

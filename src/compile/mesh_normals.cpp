// Vertex normals: the sum of the normals of the faces around a vertex, weighted by area. Unless the
// mesh is smooth, faces that turn away from the sum by more than acos(0.8) are then taken out
// again, so that edges look sharp. Sums are single precision, as the reference keeps them.

#include <cmath>

#include "compile/mesh.h"

namespace pliant {
namespace {

struct FaceNormal {
  Vec3 unit;
  double twice_area;
};

FaceNormal face_normal(const MeshWork& mesh, const int* corner) {
  const Vec3 a = vertex_of(mesh, corner[0]);
  Vec3 n = cross(vertex_of(mesh, corner[1]) - a, vertex_of(mesh, corner[2]) - a);
  const double length = norm(n);
  // as everywhere in the compiler: a vector too short to have a direction becomes the x axis
  if (dot(n, n) < kCompileEps) return {n, length * length < kCompileEps ? 0.0 : length};
  if (std::abs(length - 1) > kCompileEps) n = {n.x / length, n.y / length, n.z / length};
  return {n, length};
}

void add(std::vector<float>& sum, int vertex, Vec3 v) {
  for (int k = 0; k < 3; ++k) {
    float& s = sum[3 * static_cast<size_t>(vertex) + k];
    s = static_cast<float>(s + v[k]);
  }
}

}  // namespace

void make_normals(const MeshSpec& spec, MeshWork& mesh) {
  constexpr double kSharp = 0.8;  // cosine of the angle at which an edge is drawn sharp
  mesh.normal.assign(mesh.vertex.size(), 0.0f);
  const int faces = face_count(mesh);
  for (int f = 0; f < faces; ++f) {
    const FaceNormal n = face_normal(mesh, &mesh.face[3 * f]);
    for (int k = 0; k < 3; ++k) add(mesh.normal, mesh.face[3 * f + k], n.unit * n.twice_area);
  }
  mesh.face_normal = mesh.face;
  if (!spec.smoothnormal) {
    std::vector<float> removed(mesh.normal.size(), 0.0f);
    for (int f = 0; f < faces; ++f) {
      const FaceNormal n = face_normal(mesh, &mesh.face[3 * f]);
      for (int k = 0; k < 3; ++k) {
        const int vertex = mesh.face[3 * f + k];
        const float* s = &mesh.normal[3 * static_cast<size_t>(vertex)];
        Vec3 sum{s[0], s[1], s[2]};
        const double length = norm(sum);
        if (length * length >= kCompileEps) sum = {sum.x / length, sum.y / length, sum.z / length};
        if (dot(n.unit, sum) < kSharp) add(removed, vertex, n.unit * n.twice_area);
      }
    }
    for (size_t i = 0; i < removed.size(); ++i) mesh.normal[i] -= removed[i];
  }
  for (size_t i = 0; i + 2 < mesh.normal.size(); i += 3) {
    float* n = &mesh.normal[i];
    const float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length > kMinVal) {
      for (int k = 0; k < 3; ++k) n[k] /= length;
    } else {
      n[0] = n[1] = 0, n[2] = 1;
    }
  }
}

}  // namespace pliant

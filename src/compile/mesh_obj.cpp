// Wavefront OBJ through tinyobjloader; the only file that sees it. All vertices of the file are
// kept, with the faces of its first shape. Materials are not read.
//
// Polygons are cut into triangles here: releases of the library differ in how they do it, and the
// triangles decide about volume and inertia. The rule is that of the release the reference uses. A quadrilateral is cut
// along its shorter diagonal. Larger ones lose ears: work in the two axes of the first proper corner; take the first
// corner from the current place on that turns as its first edge turns about the origin (which is not always the convex
// side) and whose triangle holds no other corner; single precision throughout.

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

#define TINYOBJLOADER_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#include <tiny_obj_loader.h>
#pragma GCC diagnostic pop

#include "base/text.h"
#include "compile/mesh.h"

namespace pliant {
namespace {

using Corner = tinyobj::index_t;
struct Point {
  float x, y;
};

/// The two coordinates to work in.
struct Plane {
  const std::vector<float>* vertex;
  int first = 1, second = 2;
  Point at(const Corner& corner) const {
    const size_t i = 3 * static_cast<size_t>(corner.vertex_index);
    return {(*vertex)[i + first], (*vertex)[i + second]};
  }
};

Plane plane_of(const std::vector<float>& vertex, const std::vector<Corner>& polygon) {
  Plane plane{&vertex};
  const size_t n = polygon.size();
  for (size_t k = 0; k < n; ++k) {
    const float* p[3];
    for (int j = 0; j < 3; ++j) p[j] = &vertex[3 * size_t(polygon[(k + j) % n].vertex_index)];
    float a[3], b[3];
    for (int j = 0; j < 3; ++j) a[j] = p[1][j] - p[0][j], b[j] = p[2][j] - p[1][j];
    const float x = std::fabs(a[1] * b[2] - a[2] * b[1]), y = std::fabs(a[2] * b[0] - a[0] * b[2]),
                z = std::fabs(a[0] * b[1] - a[1] * b[0]);
    constexpr float kEpsilon = std::numeric_limits<float>::epsilon();
    if (x <= kEpsilon && y <= kEpsilon && z <= kEpsilon) continue;
    if (!(x > y && x > z)) {
      plane.first = 0;
      if (z > x && z > y) plane.second = 1;
    }
    break;
  }
  return plane;
}

/// Even-odd rule.
bool is_inside(const Point (&t)[3], Point p) {
  bool inside = false;
  for (int i = 0, j = 2; i < 3; j = i++) {
    if ((t[i].y > p.y) != (t[j].y > p.y) && p.x < (t[j].x - t[i].x) * (p.y - t[i].y) / (t[j].y - t[i].y) + t[i].x) {
      inside = !inside;
    }
  }
  return inside;
}

/// Whether the corner after `at` can be cut off.
bool is_ear(const Plane& plane, const std::vector<Corner>& polygon, size_t at) {
  const size_t n = polygon.size();
  Point t[3];
  for (int k = 0; k < 3; ++k) t[k] = plane.at(polygon[(at + k) % n]);
  const float turn = (t[1].x - t[0].x) * (t[2].y - t[1].y) - (t[1].y - t[0].y) * (t[2].x - t[1].x);
  const float area = (t[0].x * t[1].y - t[0].y * t[1].x) * 0.5f;
  if (turn * area < 0) return false;
  for (size_t k = 3; k < n; ++k) {
    if (is_inside(t, plane.at(polygon[(at + k) % n]))) return false;
  }
  return true;
}

float squared_distance(const std::vector<float>& vertex, const Corner& a, const Corner& b) {
  const float *p = &vertex[3 * static_cast<size_t>(a.vertex_index)],
              *q = &vertex[3 * static_cast<size_t>(b.vertex_index)];
  const float x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
  return x * x + y * y + z * z;
}

void cut_polygon(const std::vector<float>& vertex, std::vector<Corner> polygon, std::vector<Corner>& out) {
  if (polygon.size() == 4) {
    const Corner &a = polygon[0], &b = polygon[1], &c = polygon[2], &d = polygon[3];
    if (squared_distance(vertex, a, c) < squared_distance(vertex, b, d)) {
      out.insert(out.end(), {a, b, c, a, c, d});
    } else {
      out.insert(out.end(), {a, b, d, b, c, d});
    }
    return;
  }
  if (polygon.size() > 3) {
    const Plane plane = plane_of(vertex, polygon);
    // a full round without an ear ends it: what is left is dropped
    size_t at = 0, tries = polygon.size();
    while (polygon.size() > 3 && tries > 0) {
      const size_t n = polygon.size();
      if (at >= n) at -= n;
      --tries;
      if (!is_ear(plane, polygon, at)) {
        ++at;
        continue;
      }
      for (size_t k = 0; k < 3; ++k) out.push_back(polygon[(at + k) % n]);
      polygon.erase(polygon.begin() + (at + 1) % n);
      tries = polygon.size() + 1;
    }
  }
  if (polygon.size() == 3) out.insert(out.end(), polygon.begin(), polygon.end());
}

/// The library reads a vertex that is not a number as 0.
void require_numbers(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.size() < 2 || line[0] != 'v' || line[1] != ' ') continue;
    if (line.find_first_of("nNiI") != std::string_view::npos) {
      throw "it has a vertex that is not a number: " + quote(line);
    }
  }
}

// Cutting takes the cube of the corners at worst: a second or two for so many.
constexpr size_t kMostCorners = 1024;

/// Corners of every face. The library counts them in one byte; where that was too small, its count is made good from
/// the lines of the text that have faces.
std::vector<size_t> face_sizes(const tinyobj::mesh_t& shape, std::string_view text) {
  std::vector<size_t> sizes(shape.num_face_vertices.begin(), shape.num_face_vertices.end());
  if (std::accumulate(sizes.begin(), sizes.end(), size_t{0}) == shape.indices.size()) return sizes;
  constexpr std::string_view kSpace = " \t";
  size_t face = 0, corners = 0;
  for (size_t at = 0; at < text.size() && face < sizes.size();) {
    const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
    if (line.size() < 2 || line[0] != 'f' || kSpace.find(line[1]) == std::string_view::npos) continue;
    size_t count = 0;
    for (size_t from = 1; (from = line.find_first_not_of(kSpace, from)) != std::string_view::npos; ++count) {
      from = std::min(line.find_first_of(kSpace, from), line.size());
    }
    if (count < 3) continue;  // left out by the library, too
    if (count % 256 != sizes[face] % 256) break;
    if (count > kMostCorners) {
      throw "it has a polygon with " + std::to_string(count) + " corners; at most " + std::to_string(kMostCorners) +
          " are taken";
    }
    corners += sizes[face++] = count;
  }
  if (face < sizes.size() || corners != shape.indices.size()) {
    throw std::string("it has a polygon with more than 255 corners in a form that is not understood");
  }
  return sizes;
}

}  // namespace

MeshData read_obj(const std::string& bytes) {
  if (bytes.empty()) throw std::string("the file is empty");
  if (bytes.find('\0') != std::string::npos) {
    throw std::string("it is not text, which an OBJ file is; is it a binary file under a wrong name?");
  }
  require_numbers(bytes);
  tinyobj::ObjReader reader;
  tinyobj::ObjReaderConfig config;
  config.triangulate = false;
  if (!reader.ParseFromString(bytes, std::string(), config) || !reader.Valid()) {
    std::string reason = reader.Error();
    reason = reason.substr(0, reason.find('\n'));
    throw "it is not a readable OBJ file" + (reason.empty() ? "" : ": " + reason);
  }
  MeshData data;
  data.vertex = reader.GetAttrib().vertices;
  if (data.vertex.empty()) throw std::string("it has no vertices");
  data.normal = reader.GetAttrib().normals;
  data.texcoord = reader.GetAttrib().texcoords;
  std::vector<Corner> corners;
  if (!reader.GetShapes().empty()) {
    const tinyobj::mesh_t& shape = reader.GetShapes()[0].mesh;
    const int vertices = static_cast<int>(data.vertex.size() / 3);
    for (const Corner& corner : shape.indices) {
      if (corner.vertex_index >= 0 && corner.vertex_index < vertices) continue;
      throw "a face names vertex " + std::to_string(corner.vertex_index + 1) + "; there are " +
          std::to_string(vertices);
    }
    size_t at = 0;
    for (const size_t n : face_sizes(shape, bytes)) {
      cut_polygon(data.vertex, {shape.indices.begin() + at, shape.indices.begin() + at + n}, corners);
      at += n;
    }
  }
  for (const Corner& corner : corners) {
    data.face.push_back(corner.vertex_index);
    if (!data.normal.empty()) data.face_normal.push_back(corner.normal_index);
    if (!data.texcoord.empty()) data.face_texcoord.push_back(corner.texcoord_index);
  }
  // images have their origin at the top
  for (size_t i = 1; i < data.texcoord.size(); i += 2) data.texcoord[i] = 1 - data.texcoord[i];
  return data;
}

}  // namespace pliant

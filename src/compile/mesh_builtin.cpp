// Built-in mesh shapes: sphere (subdivided icosahedron), hemisphere (subdivided half octahedron
// with a flat cap), cone (possibly truncated; its hull gives the faces), supersphere, supertorus,
// and the grids of taxels for tactile sensors: wedge (part of a sphere; its hull gives the faces)
// and plate. All of size 1. Taxels have three normals each: the axes of their local frame.
//
// Grids have counts and spacings: grid, and box with its images under a map to the round, cylinder and ellipsoid, as
// solids (points whose hull gives the faces) or as surfaces (without the face at +z); square and disc are flat.
//
// Vertices are single precision and listed as the reference lists them.

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "compile/mesh.h"

namespace pliant {
namespace {

constexpr int kMaxResolution = 180;  // 32400 vertices: a quarter of a second for the hull
constexpr int kMaxEdges = 1000;

void add_vertex(MeshData& data, double x, double y, double z) {
  for (double v : {x, y, z}) data.vertex.push_back(static_cast<float>(v));
}
void add_face(MeshData& data, int a, int b, int c) { data.face.insert(data.face.end(), {a, b, c}); }

/// Signed power: |cos|^p with the sign of the cosine.
double power_cos(double angle, double p) {
  const double c = std::cos(angle);
  return std::copysign(std::pow(std::abs(c), p), c);
}
double power_sin(double angle, double p) {
  const double s = std::sin(angle);
  return std::copysign(std::pow(std::abs(s), p), s);
}

// ---- sphere
// --------------------------------------------------------------------------------------------

/// The vertex in the middle of an edge, moved out to the sphere; made on first use.
int midpoint(MeshData& data, std::map<std::pair<int, int>, int>& known, int a, int b) {
  const auto [place, is_new] = known.emplace(std::minmax(a, b), static_cast<int>(data.vertex.size() / 3));
  if (!is_new) return place->second;
  float mid[3];
  for (int k = 0; k < 3; ++k) mid[k] = (data.vertex[3 * a + k] + data.vertex[3 * b + k]) / 2.0f;
  const float length = std::sqrt(mid[0] * mid[0] + mid[1] * mid[1] + mid[2] * mid[2]);
  for (float x : mid) data.vertex.push_back(x / length);
  return place->second;
}

MeshData sphere(int subdivisions) {
  constexpr int kFaces[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                 {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                 {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  const float golden = static_cast<float>((1.0 + std::sqrt(5.0)) / 2.0);
  const double length = std::sqrt(1.0 + golden * golden);
  MeshData data;
  // three golden rectangles, in the planes xy, yz and zx
  for (int plane = 0; plane < 3; ++plane) {
    for (int corner = 0; corner < 4; ++corner) {
      float v[3] = {};
      v[plane] = corner % 2 ? 1.0f : -1.0f;
      v[(plane + 1) % 3] = corner < 2 ? golden : -golden;
      for (float x : v) data.vertex.push_back(static_cast<float>(x / length));
    }
  }
  for (const auto& face : kFaces) add_face(data, face[0], face[1], face[2]);
  for (int s = 0; s < subdivisions; ++s) {
    std::map<std::pair<int, int>, int> known;
    const std::vector<int> faces = std::move(data.face);
    data.face.clear();
    for (size_t f = 0; f < faces.size(); f += 3) {
      const int a = faces[f], b = faces[f + 1], c = faces[f + 2];
      const int ab = midpoint(data, known, a, b), bc = midpoint(data, known, b, c), ca = midpoint(data, known, c, a);
      add_face(data, a, ab, ca);
      add_face(data, b, bc, ab);
      add_face(data, c, ca, bc);
      add_face(data, ab, bc, ca);
    }
  }
  return data;
}

// ---- hemisphere
// ----------------------------------------------------------------------------------------

/// Row r (from 0 at the pole's neighbours) has 4(r+1) vertices, starting at this one.
int row_start(int row) { return 2 * row * (row + 1) + 1; }

MeshData hemisphere(int resolution) {
  constexpr Vec3 kPole{0, 0, 1};
  constexpr Vec3 kEquator[4] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  MeshData data;
  add_vertex(data, 0, 0, 1);
  for (int row = 0; row <= resolution; ++row) {
    const double factor = static_cast<double>(row + 1) / (resolution + 1);
    for (int side = 0; side < 4; ++side) {
      const Vec3 start = kPole + factor * (kEquator[side] - kPole);
      const Vec3 end = kPole + factor * (kEquator[(side + 1) % 4] - kPole);
      const double n = row + 1;
      const Vec3 delta{(end.x - start.x) / n, (end.y - start.y) / n, (end.z - start.z) / n};
      for (int i = 0; i <= row; ++i) {
        const Vec3 p = start + static_cast<double>(i) * delta;
        const double length = norm(p);
        add_vertex(data, p.x / length, p.y / length, p.z / length);
      }
    }
  }
  const int center = static_cast<int>(data.vertex.size() / 3);
  add_vertex(data, 0, 0, 0);

  for (int k = 0; k < 4; ++k) add_face(data, 0, 1 + k, 1 + (k + 1) % 4);
  for (int row = 0; row < resolution; ++row) {
    const int above = row_start(row), above_count = 4 * (row + 1);
    const int below = row_start(row + 1), below_count = 4 * (row + 2);
    for (int side = 0; side < 4; ++side) {
      for (int i = 0; i < row + 2; ++i) {
        const int up = i + (row + 1) * side, down = i + (row + 2) * side;
        const int next = below + (down + 1) % below_count;
        add_face(data, above + up % above_count, below + down % below_count, next);
        if (i <= row) add_face(data, above + up % above_count, next, above + (up + 1) % above_count);
      }
    }
  }
  const int last = row_start(resolution), count = 4 * (resolution + 1);
  for (int i = 0; i < count; ++i) add_face(data, last + i, center, last + (i + 1) % count);
  return data;
}

// ---- the others
// ----------------------------------------------------------------------------------------

MeshData cone(int edges, double top) {
  MeshData data;
  for (int i = 0; i < edges; ++i) {
    add_vertex(data, std::cos(2 * i * kPi / edges), std::sin(2 * i * kPi / edges), -1);
  }
  if (top <= 0) add_vertex(data, 0, 0, 1);
  for (int i = edges; i < 2 * edges && top > 0; ++i) {
    add_vertex(data, top * std::cos(2 * i * kPi / edges), top * std::sin(2 * i * kPi / edges), 1);
  }
  return data;
}

/// |x|^(2/e) + |y|^(2/e) in the plane, combined with z by n.
MeshData supersphere(int resolution, double e, double n) {
  MeshData data;
  add_vertex(data, 0, 0, -1);
  for (int i = 1; i < resolution; ++i) {
    const double v = -kPi / 2 + i * kPi / resolution;
    for (int j = 0; j < resolution; ++j) {
      const double u = -kPi + j * 2 * kPi / resolution;
      add_vertex(data, power_cos(v, n) * power_cos(u, e), power_cos(v, n) * power_sin(u, e), power_sin(v, n));
    }
  }
  const int pole = static_cast<int>(data.vertex.size() / 3);
  add_vertex(data, 0, 0, 1);

  const auto at = [&](int ring, int j) { return 1 + ring * resolution + j % resolution; };
  for (int j = 0; j < resolution; ++j) add_face(data, 0, at(0, j + 1), at(0, j));
  for (int i = 0; i < resolution - 2; ++i) {
    for (int j = 0; j < resolution; ++j) {
      add_face(data, at(i, j), at(i, j + 1), at(i + 1, j));
      add_face(data, at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
    }
  }
  for (int j = 0; j < resolution; ++j) add_face(data, at(resolution - 2, j), at(resolution - 2, j + 1), pole);
  return data;
}

MeshData supertorus(int resolution, double radius, double s, double t) {
  MeshData data;
  for (int i = 0; i < resolution; ++i) {
    for (int j = 0; j < resolution; ++j) {
      const double u = 2 * kPi * i / resolution, v = 2 * kPi * j / resolution;
      add_vertex(data, (1 + radius * power_cos(v, s)) * power_cos(u, t),
                 (1 + radius * power_cos(v, s)) * power_sin(u, t), radius * power_sin(v, s));
    }
  }
  const auto at = [&](int i, int j) { return i % resolution * resolution + j % resolution; };
  for (int i = 0; i < resolution; ++i) {
    for (int j = 0; j < resolution; ++j) {
      add_face(data, at(i, j), at(i + 1, j), at(i, j + 1));
      add_face(data, at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return data;
}

// ---- grids of taxels
// -----------------------------------------------------------------------------------

/// Centres of `count` cells between -range and range. With gamma > 0 cells get smaller towards the
/// middle: their borders x (for a range of 1) move to gamma x^5 + (1 - gamma) x. Borders are summed up,
/// with the rounding that gives: a hull of points on a grid depends on the last bit.
std::vector<double> cell_centers(int count, double gamma, double range) {
  std::vector<double> border(count + 1), center(count);
  double x = -1;
  for (int i = 0; i <= count; ++i, x += 2.0 / count) {
    border[i] = (gamma * std::pow(x, 5) + (1 - gamma) * x) * range;
  }
  for (int i = 0; i < count; ++i) center[i] = (border[i] + border[i + 1]) / 2;
  return center;
}

void add_frame(MeshData& data, Vec3 normal, Vec3 tangent1, Vec3 tangent2) {
  for (const Vec3& axis : {normal, tangent1, tangent2}) {
    for (int k = 0; k < 3; ++k) data.normal.push_back(static_cast<float>(axis[k]));
  }
}

/// Azimuth about y from -z towards x, then elevation towards y; both in degrees.
MeshData wedge(int columns, int rows, double azimuth, double elevation, double gamma) {
  MeshData data;
  for (double a : cell_centers(columns, gamma, azimuth * kPi / 180)) {
    for (double e : cell_centers(rows, gamma, elevation * kPi / 180)) {
      const Vec3 out{std::cos(e) * std::sin(a), std::sin(e), -std::cos(e) * std::cos(a)};
      add_vertex(data, out.x, out.y, out.z);
      const Vec3 along{std::cos(a), 0, std::sin(a)};
      const Vec3 up{-std::sin(e) * std::sin(a), std::cos(e), std::sin(e) * std::cos(a)};
      add_frame(data, out, along, up);
    }
  }
  return data;
}

MeshData plate(int columns, int rows) {
  MeshData data;
  for (double u : cell_centers(columns, 0, 1)) {
    for (double v : cell_centers(rows, 0, 1)) {
      add_vertex(data, u, v, -1);
      add_frame(data, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
    }
  }
  const auto at = [&](int i, int j) { return i * rows + j; };
  for (int i = 0; i + 1 < columns; ++i) {
    for (int j = 0; j + 1 < rows; ++j) {
      add_face(data, at(i, j), at(i + 1, j), at(i, j + 1));
      add_face(data, at(i + 1, j + 1), at(i, j + 1), at(i + 1, j));
    }
  }
  return data;
}

// ---- grids ---------------------------------------------------------------------------------------------

/// The parameters that all of them have.
struct Grid {
  int count[3];
  double spacing[3];
  int dim = 3;

  double at(int axis, int i) const { return (i - 0.5 * (count[axis] - 1)) * spacing[axis]; }
  double half(int axis) const { return 0.5 * spacing[axis] * (count[axis] - 1); }
  /// The same between -1 and 1.
  double relative(int axis, int i) const { return 2.0 * i / (count[axis] - 1) - 1; }
};

Grid grid_of(const std::vector<double>& params) {
  Grid grid;
  for (int k = 0; k < 3; ++k) {
    grid.count[k] = static_cast<int>(params[k]);
    grid.spacing[k] = params[3 + k];
  }
  if (params.size() > 6) grid.dim = static_cast<int>(params[6]);
  return grid;
}

MeshData grid_points(const Grid& grid) {
  MeshData data;
  for (int i = 0; i < grid.count[0]; ++i) {
    for (int j = 0; j < grid.count[1]; ++j) {
      for (int k = 0; k < grid.count[2]; ++k) add_vertex(data, grid.at(0, i), grid.at(1, j), grid.at(2, k));
    }
  }
  return data;
}

/// Two triangles per cell; `other(i, j)` says where they meet along the other diagonal.
template <class F>
void add_cells(MeshData& data, const Grid& grid, F other) {
  const int columns = grid.count[0], rows = grid.count[1];
  for (int i = 0; i + 1 < columns; ++i) {
    for (int j = 0; j + 1 < rows; ++j) {
      const int a = i * rows + j, b = a + rows, c = b + 1, d = a + 1;
      if (other(i, j)) {
        add_face(data, a, b, d);
        add_face(data, b, c, d);
      } else {
        add_face(data, a, b, c);
        add_face(data, a, c, d);
      }
    }
  }
}

MeshData flat_grid(const Grid& grid) {
  MeshData data = grid_points(grid);
  add_cells(data, grid, [](int, int) { return false; });
  return data;
}

/// Squares around the centre become circles (of a radius that also grows with the size of the whole).
MeshData disc(const Grid& grid) {
  MeshData data;
  for (int i = 0; i < grid.count[0]; ++i) {
    for (int j = 0; j < grid.count[1]; ++j) {
      const double x = grid.at(0, i), y = grid.at(1, j);
      const double length = std::hypot(x, y), ring = std::max(std::abs(x), std::abs(y));
      if (length > 0) {
        add_vertex(data, x / length * ring * grid.half(0), y / length * ring * grid.half(1), 0);
      } else {
        add_vertex(data, 0, 0, 0);
      }
    }
  }
  add_cells(data, grid, [&](int i, int j) { return (grid.at(0, i) < 0) != (grid.at(1, j) < 0); });
  return data;
}

/// The surface of a box of points, or its image.
class BoxSurface {
 public:
  BoxSurface(const Grid& grid, MeshBuiltin shape) : grid_(grid), shape_(shape) {}

  MeshData solid() {
    add_vertex(data_, 0, 0, 0);
    for (int k : {0, last(2)}) add_side(2, k, 0, 1, 0, count(1));
    for (int j : {0, last(1)}) add_side(1, j, 0, 2, 1, last(2));
    for (int i : {0, last(0)}) add_side(0, i, 1, 2, 1, last(2));
    return std::move(data_);
  }

  MeshData open() {
    add_side(2, 0, 0, 1, 0, count(1));
    for (int j : {0, last(1)}) add_side(1, j, 0, 2, 1, count(2));
    for (int i : {0, last(0)}) add_side(0, i, 1, 2, 1, count(2));
    // every side seen from outside
    add_faces(0, 1, 2, 0, true);
    add_faces(0, 2, 1, 0, false);
    add_faces(0, 2, 1, last(1), true, true);
    add_faces(1, 2, 0, 0, true, true);
    add_faces(1, 2, 0, last(0), false);
    return std::move(data_);
  }

 private:
  int count(int axis) const { return grid_.count[axis]; }
  int last(int axis) const { return grid_.count[axis] - 1; }

  int& id(const int (&at)[3]) {
    return ids_.try_emplace({at[0], at[1], at[2]}, -1).first->second;
  }

  void add_point(const int (&at)[3]) {
    int& known = id(at);
    if (known >= 0) return;
    known = static_cast<int>(data_.vertex.size() / 3);
    double p[3], u[3];
    for (int k = 0; k < 3; ++k) {
      p[k] = grid_.at(k, at[k]);
      u[k] = grid_.relative(k, at[k]);
    }
    if (shape_ == MeshBuiltin::kCylinder) {
      const double length = std::hypot(u[0], u[1]), ring = std::max(std::abs(u[0]), std::abs(u[1]));
      for (int k = 0; k < 2 && length > 0; ++k) p[k] = u[k] / length * ring * grid_.half(k);
    } else if (shape_ == MeshBuiltin::kEllipsoid) {
      const double length = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      for (int k = 0; k < 3 && length > 0; ++k) p[k] = u[k] / length * grid_.half(k);
    }
    add_vertex(data_, p[0], p[1], p[2]);
  }

  /// Points with coordinate `value` along `fixed`; all of `outer`, and of `inner` those from `first` on.
  void add_side(int fixed, int value, int outer, int inner, int first, int end) {
    for (int a = 0; a < count(outer); ++a) {
      for (int b = first; b < end; ++b) {
        int at[3];
        at[fixed] = value, at[outer] = a, at[inner] = b;
        add_point(at);
      }
    }
  }

  void add_faces(int outer, int inner, int fixed, int value, bool turned, bool from_next = false) {
    const auto corner = [&](int a, int b) {
      int at[3];
      at[fixed] = value, at[outer] = a, at[inner] = b;
      return id(at);
    };
    for (int a = 0; a + 1 < count(outer); ++a) {
      for (int b = 0; b + 1 < count(inner); ++b) {
        const int p = corner(a, b), q = corner(a + 1, b), r = corner(a + 1, b + 1), s = corner(a, b + 1);
        if (from_next) {
          add_face(data_, q, p, s);
          add_face(data_, q, s, r);
        } else if (turned) {
          add_face(data_, p, r, q);
          add_face(data_, p, s, r);
        } else {
          add_face(data_, p, q, r);
          add_face(data_, p, r, s);
        }
      }
    }
  }

  const Grid& grid_;
  const MeshBuiltin shape_;
  MeshData data_;
  std::map<std::array<int, 3>, int> ids_;
};

}  // namespace

bool is_flat(const MeshSpec& spec) {
  switch (spec.builtin) {
    case MeshBuiltin::kSquare:
    case MeshBuiltin::kDisc:
      return true;
    case MeshBuiltin::kGrid:
    case MeshBuiltin::kBox:
    case MeshBuiltin::kCylinder:
    case MeshBuiltin::kEllipsoid:
      return spec.params.size() > 6 && static_cast<int>(spec.params[6]) == 2;
    default:
      return false;
  }
}

int64_t builtin_vertices(const MeshSpec& spec) {
  const double n = spec.params.empty() ? 0 : std::clamp(spec.params[0], 0.0, double(kMaxEdges));
  switch (spec.builtin) {
    case MeshBuiltin::kNone:
      return 0;
    case MeshBuiltin::kSphere:
      return 2 + (int64_t{10} << 2 * static_cast<int>(std::min(n, 4.0)));
    case MeshBuiltin::kCone:
      return static_cast<int64_t>(2 * n);
    case MeshBuiltin::kGrid:
    case MeshBuiltin::kBox:
    case MeshBuiltin::kCylinder:
    case MeshBuiltin::kEllipsoid:
    case MeshBuiltin::kSquare:
    case MeshBuiltin::kDisc: {
      double vertices = n;
      for (size_t k = 1; k < 3; ++k) {
        vertices *= spec.params.size() > k ? std::clamp(spec.params[k], 0.0, double(kMaxEdges)) : 0;
      }
      return static_cast<int64_t>(vertices);
    }
    case MeshBuiltin::kWedge:
    case MeshBuiltin::kPlate: {
      const double rows = spec.params.size() < 2 ? 0 : std::clamp(spec.params[1], 0.0, double(kMaxEdges));
      return static_cast<int64_t>(n * rows);
    }
    default:
      return static_cast<int64_t>(n * n);
  }
}

MeshData builtin_mesh(const MeshSpec& spec) {
  const std::vector<double>& p = spec.params;
  const auto expect = [&](size_t count, const char* names) {
    if (p.size() == count) return;
    throw MeshError{
        "this shape has " + std::to_string(count) + " parameters (" + names + "), not " + std::to_string(p.size()),
        "params",
        {}};
  };
  const auto between = [&](size_t i, double low, double high) {
    if (p[i] >= low && p[i] <= high) return;
    throw MeshError{"parameter " + std::to_string(i + 1) + " must be between " + number_text(low) + " and " +
                        number_text(high) + ", not " + number_text(p[i]),
                    "params",
                    {}};
  };
  constexpr double kTiny = 1e-10, kHuge = 1e10;
  switch (spec.builtin) {
    case MeshBuiltin::kSphere:
      expect(1, "subdivisions"), between(0, 0, 4);
      return sphere(static_cast<int>(p[0]));
    case MeshBuiltin::kHemisphere:
      expect(1, "resolution"), between(0, 0, 10);
      return hemisphere(static_cast<int>(p[0]));
    case MeshBuiltin::kCone:
      expect(2, "edges, radius of the top"), between(0, 3, kMaxEdges), between(1, 0, 1);
      return cone(static_cast<int>(p[0]), p[1]);
    case MeshBuiltin::kSupersphere:
      expect(3, "resolution, e, n"), between(0, 3, kMaxResolution), between(1, 0, kHuge), between(2, 0, kHuge);
      return supersphere(static_cast<int>(p[0]), p[1], p[2]);
    case MeshBuiltin::kSupertorus:
      expect(4, "resolution, radius, s, t"), between(0, 3, kMaxResolution), between(1, kTiny, 1),
          between(2, kTiny, kHuge), between(3, kTiny, kHuge);
      return supertorus(static_cast<int>(p[0]), p[1], p[2], p[3]);
    case MeshBuiltin::kWedge:
      expect(5, "columns, rows, azimuth, elevation, gamma"), between(0, 1, kMaxResolution),
          between(1, 1, kMaxResolution), between(2, kTiny, 180), between(3, kTiny, 90), between(4, 0, 1);
      return wedge(static_cast<int>(p[0]), static_cast<int>(p[1]), p[2], p[3], p[4]);
    case MeshBuiltin::kPlate:
      expect(2, "columns, rows"), between(0, 1, kMaxResolution), between(1, 1, kMaxResolution);
      return plate(static_cast<int>(p[0]), static_cast<int>(p[1]));
    case MeshBuiltin::kGrid:
    case MeshBuiltin::kBox:
    case MeshBuiltin::kCylinder:
    case MeshBuiltin::kEllipsoid:
    case MeshBuiltin::kSquare:
    case MeshBuiltin::kDisc:
      break;
    case MeshBuiltin::kNone:
      return {};
  }
  constexpr const char* kNames = "three counts, three spacings";
  const bool sheet = spec.builtin == MeshBuiltin::kSquare || spec.builtin == MeshBuiltin::kDisc;
  if (sheet || p.size() != 7) expect(6, sheet ? kNames : "three counts, three spacings, and optionally the dimension");
  if (p.size() == 7) between(6, 2, 3);
  const bool flat = is_flat(spec), level = sheet || (flat && spec.builtin == MeshBuiltin::kGrid);
  between(0, 2, kMaxEdges), between(1, 2, kMaxEdges), between(2, level ? 1 : 2, level ? 1 : kMaxEdges);
  const Grid grid = grid_of(p);
  if (spec.builtin == MeshBuiltin::kDisc) return disc(grid);
  if (level) return flat_grid(grid);
  if (spec.builtin == MeshBuiltin::kGrid) return grid_points(grid);
  BoxSurface surface(grid, spec.builtin);
  return flat ? surface.open() : surface.solid();
}

}  // namespace pliant

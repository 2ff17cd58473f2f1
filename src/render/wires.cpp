// Nets over shapes, and lines on a canvas.

#include "render/wires.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant::render {
namespace {

/// An edge in the frame of its item, between two pieces of surface with these normals.
struct Edge {
  Vec3 a, b, one, two;
};
using Net = std::vector<Edge>;

struct ProfilePoint {
  double radius, height;
};
using Profile = std::vector<ProfilePoint>;

/// The surface that a profile, from its lowest point to its highest, sweeps about z; then stretched.
void revolve(const Profile& profile, int slices, Vec3 stretch, Net& net) {
  const size_t pieces = profile.size() - 1;
  const auto turned = [&](double radius, double height, int slice) {
    const double angle = 2 * kPi * slice / slices;
    return Vec3{radius * std::cos(angle), radius * std::sin(angle), height};
  };
  const auto point = [&](size_t k, int slice) {
    const Vec3 p = turned(profile[k].radius, profile[k].height, slice);
    return Vec3{p.x * stretch.x, p.y * stretch.y, p.z * stretch.z};
  };
  const auto normal = [&](size_t piece, int slice) {
    const double out = profile[piece + 1].height - profile[piece].height;
    const double up = profile[piece].radius - profile[piece + 1].radius;
    const Vec3 n = turned(out, up, slice);
    return normalized(Vec3{n.x / stretch.x, n.y / stretch.y, n.z / stretch.z});
  };
  for (int slice = 0; slice < slices; ++slice) {
    for (size_t k = 0; k < pieces; ++k)
      net.push_back({point(k, slice), point(k + 1, slice), normal(k, slice), normal(k, slice)});
    for (size_t k = 0; k <= pieces; ++k) {
      if (!(profile[k].radius > 0)) continue;
      const size_t below = k > 0 ? k - 1 : 0, above = std::min(k, pieces - 1);
      net.push_back({point(k, slice), point(k, slice + 1), normal(below, slice), normal(above, slice)});
    }
  }
}

/// Part of a circle, from one angle above the horizon to another.
void add_arc(double radius, double middle, double from, double to, int count, Profile& profile) {
  for (int i = 0; i <= count; ++i) {
    const double angle = from + (to - from) * i / count;
    const bool pole = std::abs(angle) > 0.4999 * kPi;
    profile.push_back({pole ? 0 : radius * std::cos(angle), middle + radius * std::sin(angle)});
  }
}

void box_net(Vec3 size, int parts, Net& net) {
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const double side : {-1.0, 1.0}) {
      // lines within the faces across `axis`
      Vec3 normal;
      normal[axis] = side;
      for (int k = 1; k < parts; ++k) {
        const double at = 2.0 * k / parts - 1;
        for (const auto& [fixed, along] : {std::pair{u, v}, std::pair{v, u}}) {
          Vec3 a, b;
          a[axis] = b[axis] = side * size[axis];
          a[fixed] = b[fixed] = at * size[fixed];
          a[along] = -size[along], b[along] = size[along];
          net.push_back({a, b, normal, normal});
        }
      }
      // edges along `axis`, between two faces
      for (const double other : {-1.0, 1.0}) {
        Vec3 a, b, one, two;
        a[axis] = -size[axis], b[axis] = size[axis];
        a[u] = b[u] = side * size[u], a[v] = b[v] = other * size[v];
        one[u] = side, two[v] = other;
        net.push_back({a, b, one, two});
      }
    }
  }
}

/// The squares of a plane: of the size that the geom has for them, but not more than can be told apart. A plane
/// without end has them around the place below the eye.
void plane_net(const Item& item, const View& view, Net& net) {
  const Vec3 up{0, 0, 1}, eye = transposed_times(item.mat, view.eye - item.pos);
  double low[2], high[2];
  int parts[2];
  constexpr int kMostParts = 100;
  for (int k = 0; k < 2; ++k) {
    const double half = item.size[k] > 0 ? item.size[k] : view.far;
    const double spacing = std::max(item.look->size[2] > 0 ? item.look->size[2] : half, 2 * half / kMostParts);
    const double middle = item.size[k] > 0 ? 0 : spacing * std::round(eye[k] / spacing);
    low[k] = middle - half, high[k] = middle + half;
    parts[k] = static_cast<int>(std::lround(std::clamp(2 * half / spacing, 1.0, double(kMostParts))));
  }
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i <= parts[k]; ++i) {
      Vec3 a, b;
      a[k] = b[k] = low[k] + (high[k] - low[k]) * i / parts[k];
      a[1 - k] = low[1 - k], b[1 - k] = high[1 - k];
      net.push_back({a, b, up, -up});
    }
  }
}

void hfield_net(const HfieldShape& field, Net& net) {
  const HeightGrid<double> grid(field);
  const auto normal = [&](int r, int c) {
    const int r0 = std::max(r - 1, 0), r1 = std::min(r + 1, grid.nrow - 1), c0 = std::max(c - 1, 0),
              c1 = std::min(c + 1, grid.ncol - 1);
    const Vec3 along = grid.point(r, c1) - grid.point(r, c0), across = grid.point(r1, c) - grid.point(r0, c);
    return normalized(cross(along, across));
  };
  for (int r = 0; r < grid.nrow; ++r) {
    for (int c = 0; c < grid.ncol; ++c) {
      const Vec3 here = grid.point(r, c), up = normal(r, c);
      if (c + 1 < grid.ncol) net.push_back({here, grid.point(r, c + 1), up, up});
      if (r + 1 < grid.nrow) net.push_back({here, grid.point(r + 1, c), up, up});
    }
  }
  // the ground below: its corners and their edges
  const double base = -field.size[3];
  const int rows[4] = {0, 0, grid.nrow - 1, grid.nrow - 1}, columns[4] = {0, grid.ncol - 1, grid.ncol - 1, 0};
  const Vec3 walls[4] = {{0, -1, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}};
  for (size_t i = 0; i < 4; ++i) {
    const size_t next = (i + 1) % 4, before = (i + 3) % 4;
    const Vec3 top = grid.point(rows[i], columns[i]), foot{top.x, top.y, base};
    const Vec3 other = grid.point(rows[next], columns[next]);
    net.push_back({foot, top, walls[i], walls[before]});
    net.push_back({foot, {other.x, other.y, base}, walls[i], {0, 0, -1}});
  }
}

/// Edges of triangles that face the eye, each once.
void mesh_net(const Item& item, Vec3 eye, bool cull, Net& net) {
  struct Side {
    int a, b, face;
  };
  std::vector<Side> sides;
  const auto corner = [&](int face, int k) {
    const float* x = item.vert + 3 * static_cast<size_t>(item.face[3 * face + k]);
    return Vec3{x[0], x[1], x[2]};
  };
  const auto normal_of = [&](int face) {
    const Vec3 a = corner(face, 0);
    return cross(corner(face, 1) - a, corner(face, 2) - a);
  };
  for (int face = 0; face < item.tree->size(); ++face) {
    if (cull && !(dot(normal_of(face), corner(face, 0) - eye) < 0)) continue;
    for (int k = 0; k < 3; ++k) {
      const int a = item.face[3 * face + k], b = item.face[3 * face + (k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), face});
    }
  }
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& x, const Side& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  for (size_t i = 0; i < sides.size(); ++i) {
    if (i > 0 && sides[i].a == sides[i - 1].a && sides[i].b == sides[i - 1].b) continue;
    const Vec3 n = normalized(normal_of(sides[i].face));
    const float *a = item.vert + 3 * static_cast<size_t>(sides[i].a),
                *b = item.vert + 3 * static_cast<size_t>(sides[i].b);
    net.push_back({{a[0], a[1], a[2]}, {b[0], b[1], b[2]}, n, n});
  }
}

void primitive_net(const Model& m, const Item& item, Net& net) {
  const auto& quality = m.vis.quality;
  constexpr int kMost = 1000;
  const int slices = std::clamp(quality.numslices, 3, kMost), stacks = std::clamp(quality.numstacks, 2, kMost);
  const Vec3 plain{1, 1, 1};
  Profile profile;
  switch (item.type) {
    case GeomType::kSphere:
      add_arc(item.size.x, 0, -kPi / 2, kPi / 2, stacks, profile);
      return revolve(profile, slices, plain, net);
    case GeomType::kEllipsoid:
      add_arc(1, 0, -kPi / 2, kPi / 2, stacks, profile);
      return revolve(profile, slices, item.size, net);
    case GeomType::kCapsule:
      add_arc(item.size.x, -item.size.y, -kPi / 2, 0, (stacks + 1) / 2, profile);
      add_arc(item.size.x, item.size.y, 0, kPi / 2, (stacks + 1) / 2, profile);
      return revolve(profile, slices, plain, net);
    case GeomType::kCylinder:
      if (item.look->type == static_cast<int>(VisualType::kLine)) {
        net.push_back({{0, 0, -item.size.y}, {0, 0, item.size.y}, {0, 0, 1}, {0, 0, -1}});
        return;
      }
      profile = {{0, -item.size.y}, {item.size.x, -item.size.y}, {item.size.x, item.size.y}, {0, item.size.y}};
      return revolve(profile, slices, plain, net);
    case GeomType::kBox:
      return box_net(item.size, std::clamp(quality.numquads, 1, kMost), net);
    default:
      return;
  }
}

void arrow_net(const Model& m, const Item& item, Net& net) {
  const ArrowShape shape = arrow_shape(item);
  Profile profile = {{0, 0}, {shape.radius, 0}};
  if (shape.both) profile = {{0, -shape.shaft - shape.head}, {shape.wide, -shape.shaft}, {shape.radius, -shape.shaft}};
  profile.insert(profile.end(),
                 {{shape.radius, shape.shaft}, {shape.wide, shape.shaft}, {0, shape.shaft + shape.head}});
  revolve(profile, std::clamp(m.vis.quality.numslices, 3, 1000), {1, 1, 1}, net);
}

Net net_of(const Model& m, const Item& item, const View& view, bool cull) {
  Net net;
  switch (item.kind) {
    case ItemKind::kPrimitive:
      primitive_net(m, item, net);
      break;
    case ItemKind::kPlane:
      plane_net(item, view, net);
      break;
    case ItemKind::kMesh: {
      // far away along the axis where all rays are parallel
      const double away = 1e6 * (1 + item.radius);
      const Vec3 eye = view.orthographic ? item.center - away * view.forward : view.eye;
      mesh_net(item, transposed_times(item.mat, eye - item.pos), cull && !item.two_sided, net);
      break;
    }
    case ItemKind::kHfield:
      hfield_net(item.hfield, net);
      break;
    case ItemKind::kArrow:
      arrow_net(m, item, net);
      break;
    case ItemKind::kTriangle: {
      const Vec3 corners[3] = {{}, {item.size.x, 0, 0}, {0, item.size.y, 0}};
      for (size_t k = 0; k < 3; ++k) net.push_back({corners[k], corners[(k + 1) % 3], {0, 0, 1}, {0, 0, -1}});
      break;
    }
  }
  return net;
}

/// Cuts off what is nearer than the near end of the view or beyond its far end; false if nothing is left.
bool clip_depth(const View& view, Vec3& a, Vec3& b) {
  for (const auto& [limit, side] : {std::pair{view.near, 1.0}, std::pair{view.far, -1.0}}) {
    const double da = side * (a.z - limit), db = side * (b.z - limit);
    if (!(da >= 0) && !(db >= 0)) return false;
    if (da >= 0 && db >= 0) continue;
    const Vec3 cut = a + (da / (da - db)) * (b - a);
    (da < 0 ? a : b) = cut;
  }
  return true;
}

/// Cuts a line in pixels to the picture and a rim around it.
bool clip_window(const Canvas& canvas, double from[2], double to[2]) {
  double begin = 0, end = 1;
  const double size[2] = {double(canvas.width), double(canvas.height)};
  for (int k = 0; k < 2; ++k) {
    const double way = to[k] - from[k], low = -1 - from[k], high = size[k] + 1 - from[k];
    if (way == 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    begin = std::max(begin, std::min(low / way, high / way));
    end = std::min(end, std::max(low / way, high / way));
  }
  if (!(begin < end)) return false;
  for (int k = 0; k < 2; ++k) {
    const double start = from[k], way = to[k] - from[k];
    from[k] = start + begin * way, to[k] = start + end * way;
  }
  return true;
}

void blend(const Canvas& canvas, int x, int y, Color color, float share) {
  if (x < 0 || y < 0 || x >= canvas.width || y >= canvas.height || !(share > 0)) return;
  unsigned char* pixel =
      canvas.pixels + 3 * (static_cast<size_t>(y) * static_cast<size_t>(canvas.width) + static_cast<size_t>(x));
  for (int k = 0; k < 3; ++k) {
    const float old = pixel[k];
    pixel[k] = static_cast<unsigned char>(std::lround(old + (255 * color[k] - old) * std::min(share, 1.f)));
  }
}

/// One pixel wide: at every step along the longer side two pixels share the line.
void draw_line(const Canvas& canvas, const double from[2], const double to[2], Color color, float alpha) {
  const int along = std::abs(to[0] - from[0]) >= std::abs(to[1] - from[1]) ? 0 : 1, across = 1 - along;
  const bool forward = from[along] <= to[along];
  const double *a = forward ? from : to, *b = forward ? to : from;
  const double way = b[along] - a[along], slope = way > 0 ? (b[across] - a[across]) / way : 0;
  const int first = static_cast<int>(std::floor(a[along])), last = static_cast<int>(std::floor(b[along]));
  for (int i = first; i <= last; ++i) {
    // the part of this pixel's length that the line covers
    const double begin = std::max(a[along], double(i)), end = std::min(b[along], i + 1.0);
    const double at = a[across] + slope * (0.5 * (begin + end) - a[along]) - 0.5;
    const double cell = std::floor(at), rest = at - cell;
    const auto length = static_cast<float>(way > 0 ? std::max(end - begin, 0.0) : 1);
    for (int side = 0; side < 2; ++side) {
      const int other = static_cast<int>(cell) + side;
      const float share = alpha * length * static_cast<float>(side ? rest : 1 - rest);
      blend(canvas, along == 0 ? i : other, along == 0 ? other : i, color, share);
    }
  }
}

}  // namespace

std::vector<Wire> wires_of(const Model& m, const std::vector<Item>& items, const std::vector<Lamp>& lamps,
                           const View& view, bool cull) {
  std::vector<Wire> wires;
  for (const Item& item : items) {
    const VisualGeom& look = *item.look;
    for (const Edge& edge : net_of(m, item, view, cull)) {
      const Vec3 from = times_plus(item.mat, edge.a, item.pos), to = times_plus(item.mat, edge.b, item.pos);
      Surface place;
      place.point = 0.5 * (from + to);
      const Vec3 toward = view.orthographic ? -view.forward : normalized(view.eye - place.point);
      const Vec3 one = item.mat * edge.one, two = item.mat * edge.two;
      const bool front = dot(one, toward) > 0 || dot(two, toward) > 0;
      if (!front && cull) continue;
      const Vec3 normal = dot(one, toward) >= dot(two, toward) ? one : two;
      place.normal = place.flat = front ? normal : -normal;
      place.color = {1, 1, 1};
      place.plain = {look.rgba[0], look.rgba[1], look.rgba[2]};
      place.alpha = look.rgba[3];
      wires.push_back({from, to, lit(lamps, look, place, toward, nullptr), place.alpha});
    }
  }
  return wires;
}

void draw_wires(const Canvas& canvas, const View& view, std::vector<Wire> wires) {
  const auto finite = [](Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); };
  for (Wire& wire : wires) wire.from = view.seen(wire.from), wire.to = view.seen(wire.to);
  std::erase_if(wires, [&](const Wire& wire) { return !finite(wire.from) || !finite(wire.to); });
  std::stable_sort(wires.begin(), wires.end(),
                   [](const Wire& a, const Wire& b) { return a.from.z + a.to.z > b.from.z + b.to.z; });
  for (Wire& wire : wires) {
    if (!clip_depth(view, wire.from, wire.to)) continue;
    double from[2], to[2];
    view.place(wire.from, from[0], from[1]);
    view.place(wire.to, to[0], to[1]);
    const bool known = std::isfinite(from[0]) && std::isfinite(from[1]) && std::isfinite(to[0]) && std::isfinite(to[1]);
    if (known && clip_window(canvas, from, to)) draw_line(canvas, from, to, wire.color, wire.alpha);
  }
}

}  // namespace pliant::render

#pragma once
// Points at which two convex shapes touch, by portals: the search for models that switch the flag nativeccd off.
//
// A portal is a triangle on the difference A - B through which the ray from an inner point of the difference to the
// origin leaves it. It is moved outwards until it lies on the surface (Minkowski portal refinement, G. Snethen, in Game
// Programming Gems 7; steps, roundings and tolerances as in libccd and MuJoCo). The depth is that of the surface where
// the ray leaves it, not the least one: whoever needs that takes touch() of convex_hd.h. Normals of round shapes are
// then taken from the shape at the point found. Both shapes get a coat of half the margin. Cost: about 1 us for a
// point.

#include <limits>

#include "collision/convex_hd.h"
#include "collision/hfield_hd.h"
#include "collision/pair_table.h"
#include "collision/round_normal_hd.h"
#include "collision/turned_points_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// A corner of the difference A - B: w = a - b, in world axes.
template <class R>
struct PortalCorner {
  Vec3T<R> w, a, b;
};

/// One of the shapes. A height field stands for one prism of it.
template <class R>
struct PortalShape {
  const ShapeT<R>* shape;
  R margin = 0;                     // the coat is half of it
  const Vec3T<R>* prism = nullptr;  // three corners at the bottom, three at the top
  int start = 0;                    // hull vertex found last
};

template <class R>
struct PortalPair {
  PortalShape<R> a, b;
  PairRules<R> rules;
};

/// More moves than this lead nowhere.
inline constexpr int kMostPortals = 1000;

template <class R>
PLIANT_HD bool is_nothing(R x) {
  return std::fabs(x) < std::numeric_limits<R>::epsilon();
}
template <class R>
PLIANT_HD bool is_same(R x, R y) {
  const R apart = std::fabs(x - y), a = std::fabs(x), b = std::fabs(y);
  return is_nothing(apart) || apart < std::numeric_limits<R>::epsilon() * (b > a ? b : a);
}
template <class R>
PLIANT_HD bool is_origin(Vec3T<R> v) {
  return is_nothing(v.x) && is_nothing(v.y) && is_nothing(v.z);
}
template <class R>
PLIANT_HD Vec3T<R> unit(Vec3T<R> v) {
  return v * (1 / unfused_norm(v));
}

/// Vertex of a mesh farthest in direction d; where several are, the one that climbing from the last answer meets first.
template <class R>
PLIANT_HD int portal_vertex(const MeshShapeT<R>& mesh, Vec3T<R> d, int& start) {
  const auto along = [&](int v) {
    return d.x * R(mesh.vert[3 * v]) + d.y * R(mesh.vert[3 * v + 1]) + d.z * R(mesh.vert[3 * v + 2]);
  };
  int best = mesh.graph ? start : 0;
  if (!mesh.graph) {
    for (int i = 1; i < mesh.vertnum; ++i) best = along(i) > along(best) ? i : best;
    return best;
  }
  const int count = mesh.graph[0];
  const int *first = mesh.graph + 2, *vertex = first + count, *neighbour = vertex + count;
  R far = along(vertex[best]);
  for (int at = -1; at != best;) {
    at = best;
    // a farther neighbour is gone to at the end of the neighbours of its predecessor
    for (int i = first[at]; neighbour[i] >= 0; ++i) {
      const R s = along(vertex[neighbour[i]]);
      if (s > far) far = s, best = neighbour[i];
    }
  }
  start = best;
  return vertex[best];
}

/// Farthest point in direction n (unit). Unlike other supports: in the middle of an edge or face of a box across n.
template <class R>
PLIANT_HD_NOINLINE Vec3T<R> portal_support(PortalShape<R>& s, Vec3T<R> n) {
  if (s.prism) {
    int best = n.z < 0 ? 0 : 3;
    for (int i = best + 1, end = best + 3; i < end; ++i) {
      if (unfused_dot(s.prism[i], n) > unfused_dot(s.prism[best], n)) best = i;
    }
    return s.prism[best];
  }
  const ShapeT<R>& shape = *s.shape;
  const Vec3T<R> d = unfused_transposed_times(shape.mat, n), size = shape.size;
  const auto end = [](R along, R half) { return along > 0 ? half : along < 0 ? -half : R(0); };
  Vec3T<R> local{};
  switch (shape.type) {
    case GeomType::kSphere:
      local = d * size.x;
      break;
    case GeomType::kCapsule:
      local = d * size.x;
      local.z += end(d.z, size.y);
      break;
    case GeomType::kEllipsoid:
      local = unfused_normalized(Vec3T<R>{d.x * size.x, d.y * size.y, d.z * size.z});
      local = {local.x * size.x, local.y * size.y, local.z * size.z};
      break;
    case GeomType::kCylinder: {
      const R across = std::sqrt(d.x * d.x + d.y * d.y);
      if (across > R(kTiny)) local = {d.x / across * size.x, d.y / across * size.x, 0};
      local.z = end(d.z, size.y);
      break;
    }
    case GeomType::kBox:
      local = {end(d.x, size.x), end(d.y, size.y), end(d.z, size.z)};
      break;
    default: {
      const float* v = shape.mesh.vert + 3 * portal_vertex(shape.mesh, d, s.start);
      local = {R(v[0]), R(v[1]), R(v[2])};
    }
  }
  local = {local.x + d.x * s.margin / 2, local.y + d.y * s.margin / 2, local.z + d.z * s.margin / 2};
  return unfused_times_plus(shape.mat, local, shape.pos);
}

template <class R>
PLIANT_HD PortalCorner<R> portal_corner(PortalPair<R>& pair, Vec3T<R> n) {
  PortalCorner<R> c;
  c.a = portal_support(pair.a, n);
  c.b = portal_support(pair.b, -n);
  c.w = c.a - c.b;
  return c;
}

template <class R>
PLIANT_HD Vec3T<R> inner_point(const PortalShape<R>& s) {
  if (!s.prism) return s.shape->pos;
  Vec3T<R> sum{};
  for (int i = 0; i < 6; ++i) sum = sum + s.prism[i];
  return sum * R(1.0 / 6);
}

/// What a search knows.
enum class Portal {
  kApart,      // the origin is outside
  kOnCorner,   // the origin is corner 1
  kOnSegment,  // the origin lies between corners 0 and 1
  kFound,      // corners 1, 2, 3 are a portal, seen from corner 0 counter-clockwise
  kLost,       // rounding leads in circles
};

/// The first portal. Corner 0 is an inner point of the difference.
template <class R>
PLIANT_HD_NOINLINE Portal find_portal(PortalPair<R>& pair, PortalCorner<R> c[4]) {
  const auto is_outside = [](R along) { return is_nothing(along) || along < 0; };
  const auto across = [&] { return unit(unfused_cross(c[1].w - c[0].w, c[2].w - c[0].w)); };
  c[0].a = inner_point(pair.a), c[0].b = inner_point(pair.b);
  c[0].w = c[0].a - c[0].b;
  if (is_origin(c[0].w)) c[0].w.x += 10 * std::numeric_limits<R>::epsilon();

  Vec3T<R> n = unit(-c[0].w);
  c[1] = portal_corner(pair, n);
  if (is_outside(unfused_dot(c[1].w, n))) return Portal::kApart;
  n = unfused_cross(c[0].w, c[1].w);
  if (is_nothing(unfused_dot(n, n))) return is_origin(c[1].w) ? Portal::kOnCorner : Portal::kOnSegment;
  n = unit(n);
  c[2] = portal_corner(pair, n);
  if (is_outside(unfused_dot(c[2].w, n))) return Portal::kApart;

  n = across();
  if (unfused_dot(n, c[0].w) > 0) {
    const PortalCorner<R> swap = c[1];
    c[1] = c[2], c[2] = swap;
    n = -n;
  }
  for (int round = 0; round < kMostPortals; ++round) {
    c[3] = portal_corner(pair, n);
    if (is_outside(unfused_dot(c[3].w, n))) return Portal::kApart;
    // beside the ray: the new corner takes the place of the one on the other side
    const R left = unfused_dot(unfused_cross(c[1].w, c[3].w), c[0].w);
    const R right = unfused_dot(unfused_cross(c[3].w, c[2].w), c[0].w);
    if (left < 0 && !is_nothing(left)) {
      c[2] = c[3];
    } else if (right < 0 && !is_nothing(right)) {
      c[1] = c[3];
    } else {
      return Portal::kFound;
    }
    n = across();
  }
  return Portal::kLost;
}

/// Outwards from a portal.
template <class R>
PLIANT_HD Vec3T<R> portal_normal(const PortalCorner<R> c[4]) {
  return unit(unfused_cross(c[2].w - c[1].w, c[3].w - c[1].w));
}

/// Whether a portal is as far out as it can be; `next` is the farthest corner along its normal n.
template <class R>
PLIANT_HD bool has_arrived(const PortalPair<R>& pair, const PortalCorner<R> c[4], const PortalCorner<R>& next,
                           Vec3T<R> n) {
  R least = std::numeric_limits<R>::max();
  for (int i = 1; i < 4; ++i) {
    const R way = unfused_dot(next.w, n) - unfused_dot(c[i].w, n);
    least = way < least ? way : least;
  }
  return is_same(least, pair.rules.tolerance) || least < pair.rules.tolerance;
}

/// Moves the portal to `next`: of the three triangles that it makes with the sides, the one around the ray.
template <class R>
PLIANT_HD void move_portal(PortalCorner<R> c[4], const PortalCorner<R>& next) {
  const Vec3T<R> side = unfused_cross(next.w, c[0].w);
  if (unfused_dot(c[1].w, side) > 0) {
    c[unfused_dot(c[2].w, side) > 0 ? 1 : 3] = next;
  } else {
    c[unfused_dot(c[3].w, side) > 0 ? 2 : 1] = next;
  }
}

/// Moves the portal until the origin is behind it.
template <class R>
PLIANT_HD_NOINLINE Portal move_beyond_origin(PortalPair<R>& pair, PortalCorner<R> c[4]) {
  const auto is_inside = [](R along) { return is_nothing(along) || along > 0; };
  for (int round = 0; round < kMostPortals; ++round) {
    const Vec3T<R> n = portal_normal(c);
    if (is_inside(unfused_dot(n, c[1].w))) return Portal::kFound;
    const PortalCorner<R> next = portal_corner(pair, n);
    if (!is_inside(unfused_dot(next.w, n)) || has_arrived(pair, c, next, n)) return Portal::kApart;
    move_portal(c, next);
  }
  return Portal::kLost;
}

/// Point of a segment nearest to the origin.
template <class R>
PLIANT_HD Vec3T<R> nearest_on_segment(Vec3T<R> from, Vec3T<R> to) {
  const Vec3T<R> way = to - from;
  const R t = -unfused_dot(from, way) / unfused_dot(way, way);
  if (t < 0 || is_nothing(t)) return from;
  return t > 1 || is_same(t, R(1)) ? to : unfused_sum(t, way, from);
}

/// Point of a triangle nearest to the origin: p + s u + t v, where that lies inside.
template <class R>
PLIANT_HD Vec3T<R> nearest_on_triangle(Vec3T<R> p, Vec3T<R> q, Vec3T<R> r) {
  const Vec3T<R> u = q - p, v = r - p;
  const R uu = unfused_dot(u, u), vv = unfused_dot(v, v), uv = unfused_dot(u, v);
  const R pu = unfused_dot(p, u), pv = unfused_dot(p, v), area2 = vv * uu - uv * uv;
  if (!is_nothing(area2)) {
    const R s = (pv * uv - vv * pu) / area2, t = (-s * uv - pv) / vv;
    const auto inside = [](R low, R sum) { return (is_nothing(low) || low > 0) && (is_same(sum, R(1)) || sum < 1); };
    if (inside(s, s) && inside(t, t) && inside(R(1), t + s)) return unfused_sum(t, v, unfused_sum(s, u, p));
  }
  Vec3T<R> best = nearest_on_segment(p, q);
  const Vec3T<R> others[2] = {nearest_on_segment(p, r), nearest_on_segment(q, r)};
  for (const Vec3T<R>& other : others) {
    if (unfused_dot(other, other) < unfused_dot(best, best)) best = other;
  }
  return best;
}

/// Between the points of A and B that make the origin: by its coordinates in the tetrahedron, or in the portal if that
/// is flat.
template <class R>
PLIANT_HD Vec3T<R> middle_point(const PortalCorner<R> c[4]) {
  const auto volume = [&](int i, int j, int k) { return unfused_dot(unfused_cross(c[i].w, c[j].w), c[k].w); };
  R weight[4] = {volume(1, 2, 3), volume(3, 2, 0), volume(0, 1, 3), volume(2, 1, 0)};
  R sum = weight[0] + weight[1] + weight[2] + weight[3];
  if (is_nothing(sum) || sum < 0) {
    const Vec3T<R> n = portal_normal(c);
    weight[0] = 0;
    for (int i = 1; i < 4; ++i) weight[i] = unfused_dot(unfused_cross(c[i % 3 + 1].w, c[(i + 1) % 3 + 1].w), n);
    sum = weight[1] + weight[2] + weight[3];
  }
  Vec3T<R> on_a{}, on_b{};
  for (int i = 0; i < 4; ++i) on_a = on_a + c[i].a * weight[i], on_b = on_b + c[i].b * weight[i];
  return (on_a * (1 / sum) + on_b * (1 / sum)) * R(0.5);
}

/// The point where the ray leaves the difference; `dist` is minus the depth. kApart: none, kLost: not known.
template <class R>
PLIANT_HD_NOINLINE Portal portal_touch(PortalPair<R>& pair, ContactPointT<R>& point) {
  PortalCorner<R> c[4];
  Portal state = find_portal(pair, c);
  if (state == Portal::kOnCorner) return Portal::kApart;  // a bare touch has no normal
  if (state == Portal::kFound) state = move_beyond_origin(pair, c);
  if (state == Portal::kApart || state == Portal::kLost) return state;

  Vec3T<R> foot = c[1].w;
  point.pos = (c[1].a + c[1].b) * R(0.5);
  if (state == Portal::kFound) {
    for (int round = 0;; ++round) {
      const Vec3T<R> n = portal_normal(c);
      const PortalCorner<R> next = portal_corner(pair, n);
      if (has_arrived(pair, c, next, n) || round > pair.rules.rounds) break;
      move_portal(c, next);
    }
    foot = nearest_on_triangle(c[1].w, c[2].w, c[3].w);
    point.pos = middle_point(c);
  }
  const R depth = unfused_norm(foot);
  if (is_nothing(depth)) return Portal::kApart;
  point.dist = -depth;
  point.normal = unit(foot);
  point.tangent = {};
  return std::fabs(depth) < std::numeric_limits<R>::infinity() ? Portal::kFound : Portal::kLost;
}

/// One point of a pair, with the exact one if the search is lost. `a`, `b`: the shapes, where pair may have turned
/// ones.
template <class R>
PLIANT_HD_NOINLINE bool portal_point(PortalPair<R>& pair, const ShapeT<R>& a, const ShapeT<R>& b,
                                     ContactPointT<R>& point) {
  const Portal state = portal_touch(pair, point);
  if (state == Portal::kLost) return convex_single(*pair.a.shape, *pair.b.shape, pair.a.margin, &point) > 0;
  if (state == Portal::kApart) return false;
  point.dist = pair.a.margin + point.dist;
  set_round_normal(a, b, point);
  return true;
}

/// Pair function in place of convex_convex.
template <class R>
PLIANT_HD_NOINLINE int portal_convex(const ShapeT<R>& a, const ShapeT<R>& b, R margin, const PairRules<R>& rules,
                                     ContactPointT<R>* out) {
  PortalPair<R> pair{{&a, margin}, {&b, margin}, rules};
  if (!portal_point(pair, a, b, out[0])) return 0;
  const auto is_round = [](GeomType type) { return type == GeomType::kSphere || type == GeomType::kEllipsoid; };
  if (rules.single || is_round(a.type) || is_round(b.type)) return 1;
  const auto search = [&](const ShapeT<R>& ta, const ShapeT<R>& tb, ContactPointT<R>& point) {
    pair.a.shape = &ta, pair.b.shape = &tb;
    return portal_point(pair, a, b, point);
  };
  return turned_points(a, b, out[0].pos, out[0].normal, out, search);
}

/// Pair function in place of hfield_convex: `a` is the height field. The margin is a coat of the other shape.
template <class R>
PLIANT_HD_NOINLINE int portal_hfield(const ShapeT<R>& a, const ShapeT<R>& b, R margin, const PairRules<R>& rules,
                                     ContactPointT<R>* out) {
  ShapeT<R> moved = b;  // in the axes of the field
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) moved.mat(i, j) = unfused_dot(a.mat.column(i), b.mat.column(j));
  }
  moved.pos = unfused_transposed_times(a.mat, b.pos - a.pos);
  PortalPair<R> pair{{&a}, {&moved, 2 * margin}, rules};
  int count = 0;
  for_each_prism(a, b, margin, false, [&](DifferenceT<R>& d, Vec3T<R>) {
    pair.a.prism = d.a.prism;
    ContactPointT<R>& point = out[count];
    if (portal_touch(pair, point) != Portal::kFound) return true;
    point = contact_point(a.pos, a.mat, point.pos, point.normal, point.dist + margin);
    set_round_normal(a, b, point);
    return ++count < kMaxHfieldPoints;
  });
  return count;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant

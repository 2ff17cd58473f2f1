// Fast pairs: who is one, when they meet, and what their row needs. See speculative.h.
//
// The time of impact t, as a part of the step, is found from the separated side: with n the direction between the
// nearest points, no two points come closer along n than by v = n · (move1 - move2) + spin1 + spin2 per step, so the
// time (distance - goal) / v is safe to pass. The goal lies 2 % of the way before the margin; within half of that, or
// after 16 such moves and one of Newton's, that is the answer. Constants, tests and their order are the reference's:
// t and with it the distance of the contact depend on where the search ends.
// Cost: 1 to 16 distances of the pair, and for every point three rays past all geoms.

#include "collision/speculative.h"

#include <cmath>

#include "collision/convex_hd.h"
#include "geom/ray_hd.h"
#include "pliant/option_checks.h"

namespace pliant {
namespace {

constexpr double kGoal = 0.02;     // of the way to the margin: where the search goes
constexpr double kNearGoal = 0.5;  // of the goal's distance: where it ends
constexpr int kMaxMoves = 16;      // of the search
constexpr double kRayEnds = 1e-5;  // of a line of sight: does not count at either end
constexpr int kMaxPredicted = 4;
constexpr double kMinImpedance = 1e-4, kMaxImpedance = 0.9999;  // bounds of rows, as in constraint/impedance_hd.h

bool is_plane(const Model& m, int geom) { return m.geom_type[geom] == static_cast<int>(GeomType::kPlane); }

// Sphere to mesh: all that has a support function.
bool is_convex(const Model& m, int geom) {
  const auto type = static_cast<GeomType>(m.geom_type[geom]);
  return type >= GeomType::kSphere && type <= GeomType::kMesh;
}

bool is_exact(const Model& m) { return (m.opt.enableflags & kEnableSpeculativeExact) != 0; }

// Half of how thick the box around a geom is.
double thickness(const Model& m, int geom) {
  const Vec3 half = vec3(m.geom_aabb, 2 * geom + 1);
  return std::min({half.x, half.y, half.z});
}

// Of the thinner of two; planes do not count.
double pair_thickness(const Model& m, int geom1, int geom2) {
  const double thin1 = is_convex(m, geom1) ? thickness(m, geom1) : HUGE_VAL;
  return std::min(thin1, is_convex(m, geom2) ? thickness(m, geom2) : HUGE_VAL);
}

// ---- rows ---------------------------------------------------------------------------------------

struct RowLaw {
  double damping, stiffness;  // h b and h² k of a row whose impedance is the largest
};

// Of a contact's solref, at impedance solimp[1].
RowLaw row_law(const Options& o, const Contact& c) {
  double timeconst = c.solref[0], ratio = c.solref[1];
  if ((timeconst > 0) != (ratio > 0)) timeconst = kDefaultSolref[0], ratio = kDefaultSolref[1];
  const double h = o.timestep;
  if (!(timeconst > 0)) return {-h * ratio, -h * h * timeconst};
  const bool discrete = o.integrator == Integrator::kDiscrete, safe = !(o.disableflags & kDisableRefSafe);
  const double tau = safe && !discrete ? std::max(timeconst, 2 * h) : std::max(timeconst, kTiny);
  const double zeta = std::max(ratio, kTiny);
  RowLaw law{2 * h / tau, h * h / std::max(kTiny, tau * tau * zeta * zeta)};
  const double most = std::clamp(c.solimp[1], kMinImpedance, kMaxImpedance);
  if (discrete && safe && law.stiffness > most) {
    // the row that refsafe puts in place of it
    const double room = (1 - most) * kMaxImpedance / std::max(kTiny, most * (1 - kMaxImpedance)) - 2;
    law.damping = std::min(law.damping / std::sqrt(law.stiffness / most), most * std::max(0.0, room));
    law.stiffness = most;
  }
  return law;
}

// The distance with which a row takes away 1 - t of the approach w (metres per step), by the reference's rule.
double row_distance(const Options& o, const Contact& c, double t, double w) {
  const RowLaw law = row_law(o, c);
  double depth = std::max(c.solimp[2], kMinImpedance);  // a row without a spring
  if (o.timestep > 0 && law.stiffness > kTiny) {
    const bool discrete = o.integrator == Integrator::kDiscrete;
    const double lost = discrete ? t * (law.damping + law.stiffness) : law.damping;
    depth = (1 - t - lost) / law.stiffness * w;
  }
  return c.includemargin - depth;
}

// Flag speculative_exact: a row of its own that asks for the approach t w after the step, whatever it was before. Its
// impedance is the largest there is; what that leaves of the approach is part of the distance. (TGS moves distances
// along: there the row lets the pair go on until they touch, and then stops it.)
struct OwnLaw {
  double stiffness, damping;  // h² K d and h B
  double solref[kNumRef], solimp[kNumImp];
};
OwnLaw own_law(const Options& o) {
  // discrete: v⁺ = (v - stiffness dist / h) / (1 + damping + stiffness), stiff enough for v to be forgotten
  const bool discrete = o.integrator == Integrator::kDiscrete;
  const double d = kMaxImpedance, h = solver_timestep(o), stiffness = discrete ? 1e4 : 1, damping = discrete ? 0 : 1;
  // direct numbers: -K d² and -B d
  return {stiffness,
          damping,
          {-stiffness * d / (h * h), -damping * d / h},
          {d, d, kDefaultSolimp[2], kDefaultSolimp[3], kDefaultSolimp[4]}};
}
// The distance such a row needs.
double own_distance(const Options& o, double t, double w) {
  const double d = kMaxImpedance, aim = (t - (1 - d)) / d * w, stiffness = own_law(o).stiffness;
  return o.integrator == Integrator::kDiscrete ? ((1 + stiffness) * aim - w) / stiffness : aim;
}

// Steps that a soft contact needs to stop an approach, at most: of a spring alone or a damper alone, the less, each as
// weak as the impedance can make it.
double stopping_steps(const Model& m, int geom1, int geom2, int pair) {
  Contact c;
  set_parameters(m, geom1, geom2, pair, c);
  const RowLaw law = row_law(m.opt, c);
  const double most = std::clamp(c.solimp[1], kMinImpedance, kMaxImpedance),
               weak = std::clamp(c.solimp[0], kMinImpedance, kMaxImpedance) / most;
  const double spring = law.stiffness > 0 ? 1 / (weak * std::sqrt(law.stiffness)) : HUGE_VAL;
  const double damper = law.damping > 0 ? 1 / (weak * law.damping) : HUGE_VAL;
  return std::min(spring, damper);
}

// ---- distances ----------------------------------------------------------------------------------

struct Nearest {
  double dist = HUGE_VAL;
  Vec3 normal;                // from a to b
  Vec3 point_a, point_b;      // on the surfaces
  CornerT<double> corner[3];  // of the difference, between which they lie; not of planes
};

// The lowest point of a shape above a plane, and the number of its corner.
Vec3 lowest_point(const Shape& plane, const Shape& b, SupportMemory& memory) {
  const Vec3 n = plane.mat.column(2);
  const ConvexT<double> convex = convex_of(b);
  const Vec3 core = times_plus(b.mat, support_point(convex, transposed_times(b.mat, -n), memory), b.pos);
  return fused(-convex.coat, n, core);
}

// Nearest points of two shapes, a plane first if there is one; dist stays infinite if it is above `limit`.
Nearest nearest(const Shape& a, const Shape& b, double limit) {
  Nearest out;
  if (a.type == GeomType::kPlane) {
    SupportMemory memory;
    out.normal = a.mat.column(2);
    out.point_b = lowest_point(a, b, memory);
    out.dist = dot(out.normal, out.point_b - a.pos);
    out.point_a = fused(-out.dist, out.normal, out.point_b);
    return out;
  }
  DifferenceT<double> d = difference(a, b);
  // The direction counts as well as the distance, and is known to half as many digits only. Ellipsoids are polished.
  if (!d.ends && !has_ellipsoid(d)) d.size *= 1e-5;
  const TouchT<double> t = touch(d, limit);
  if (!t.found) return out;
  out.dist = t.dist;
  out.normal = a.mat * t.normal;
  out.point_a = times_plus(a.mat, t.point_a, a.pos);
  out.point_b = fused(t.dist, out.normal, out.point_a);
  std::copy_n(t.overlap.corner, 3, out.corner);
  return out;
}

void move_shape(const GeomMotion& motion, double time, Shape& shape) {
  shape.pos = fused(time, motion.move, shape.pos);
  const double length = norm(motion.turn), angle = time * length;
  if (angle < kTiny) return;
  const Vec3 axis = motion.turn * (std::sin(0.5 * angle) / length);
  shape.mat = matrix(Quat{std::cos(0.5 * angle), axis.x, axis.y, axis.z}) * shape.mat;
}

// A point of a shape that has moved, where it was before.
Vec3 where_it_was(const Shape& now, const Shape& before, Vec3 point) {
  return times_plus(before.mat, transposed_times(now.mat, point - now.pos), before.pos);
}

// ---- points -------------------------------------------------------------------------------------

struct PointPair {
  Vec3 a, b;
};

// The polygon or line with which a shape will come down on a plane: of a box or hull the face at its lowest corner that
// looks at the plane best, of a cylinder a cap, or its side as of a capsule if it lies.
void load_underside(const Shape& plane, const Shape& b, PolygonT<double>& out) {
  const Vec3 n = plane.mat.column(2), axis = b.mat.column(2);
  SupportMemory memory;
  const Vec3 lowest = lowest_point(plane, b, memory);
  out.count = 1;
  out.point[0] = lowest;
  const double tilt = dot(axis, n);
  int face = -1;
  if (b.type == GeomType::kCapsule) {
    if (std::fabs(tilt) >= kEdgeInFace<double>) return;
    for (int end = 0; end < 2; ++end) {
      out.point[end] = fused(-b.size.x, n, fused(end ? b.size.y : -b.size.y, axis, b.pos));
    }
    out.count = 2;
  } else if (b.type == GeomType::kCylinder && std::fabs(tilt) < kEdgeInFace<double>) {
    const Vec3 across_axis = fused(-tilt, axis, n), middle = fused(-b.size.x / norm(across_axis), across_axis, b.pos);
    for (int end = 0; end < 2; ++end) out.point[end] = fused(end ? b.size.y : -b.size.y, axis, middle);
    out.count = 2;
  } else if (b.type == GeomType::kCylinder) {
    face = tilt > 0;
  } else if (b.type == GeomType::kBox) {
    double best = 0;
    for (int k = 0; k < 3; ++k) {
      const double along = dot(b.mat.column(k), n);
      if (std::fabs(along) > best) best = std::fabs(along), face = 2 * k + (along > 0);
    }
  } else if (b.type == GeomType::kMesh && b.mesh.polynum > 0) {
    double best = 0;
    const int* faces = b.mesh.polymap + b.mesh.polymapadr[memory.corner];
    for (int i = 0; i < b.mesh.polymapnum[memory.corner]; ++i) {
      const double along = dot(face_normal(b, faces[i]), n);
      if (along < best) best = along, face = faces[i];
    }
  }
  if (face >= 0) load_face(b, face, out);
}

// Points at which two shapes will touch, in their poses at that time; not farther apart than `limit`. The reference
// looks for them on shapes with a coat of half the limit each, and takes the coats off along the normal of the nearest
// points, not along that of the face, and off capsules by moving the line of their surface: where these directions
// differ, its points lie beside the surfaces. `coats`: follow it.
int touching_points(const Shape& a, const Shape& b, const Nearest& near, double limit, bool single, bool coats,
                    PointPair* out) {
  const double coat = coats ? limit / 2 : 0;
  const Vec3 n = near.normal;
  const auto is_capsule = [](const Shape& shape) { return shape.type == GeomType::kCapsule; };
  if (a.type == GeomType::kPlane) {
    PolygonT<double> polygon;
    load_underside(a, b, polygon);
    int below = 0;
    for (int i = 0; i < polygon.count; ++i) {
      if (dot(n, polygon.point[i] - a.pos) <= limit) polygon.point[below++] = polygon.point[i];
    }
    polygon.count = below;
    int use[kMaxPredicted] = {0, 1, 2, 3};
    if (polygon.count > kMaxPredicted) widest_quad(polygon, n, use);
    const int count = std::min(polygon.count, kMaxPredicted);
    const Vec3 axis = b.mat.column(2);
    const Vec3 aside = is_capsule(b) && count > 1 ? axis * ((coat + b.size.x) * dot(n, axis)) : Vec3{};
    for (int i = 0; i < count; ++i) {
      const Vec3 point = polygon.point[use[i]] + aside;
      out[i] = {fused(-dot(n, point - a.pos), n, point), point};
    }
    return count;
  }
  out[0] = {near.point_a, near.point_b};
  if (single || !can_clip(a) || !can_clip(b)) return 1;
  const double coat_a = is_capsule(a) ? 0 : coat, coat_b = is_capsule(b) ? 0 : coat;
  const ManifoldT<double> m = clip_features(a, b, near.corner, n, fused(coat, n, near.point_a),
                                            fused(-coat, n, near.point_b), coats ? coat_a + coat_b : limit);
  const int count = std::min(m.count, kMaxPredicted);
  for (int i = 0; i < count; ++i) {
    const Vec3 half = m.normal * (0.5 * m.dist[i]);
    out[i].a = fused(-coat, n, fused(coat_a, m.normal, m.pos[i] - half));
    out[i].b = fused(coat, n, fused(-coat_b, m.normal, m.pos[i] + half));
  }
  return std::max(count, 1);
}

// ---- lines of sight -----------------------------------------------------------------------------

// An explicit pair of two geoms; -1 if there is none.
int explicit_pair(const Model& m, int geom1, int geom2) {
  for (int p = 0; p < m.npair; ++p) {
    const int a = m.pair_geom1[p], b = m.pair_geom2[p];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return p;
  }
  return -1;
}

// Whether a geom can come between `mover` and `other`: it collides with the mover and is no part of either.
bool can_hide(const Model& m, int geom, const GeomTag& mover, const GeomTag& other, int& pair) {
  const GeomTag tag = geom_tag(m, geom);
  if (tag.group == mover.group || (other.group != 0 && tag.group == other.group)) return false;
  pair = explicit_pair(m, mover.geom, geom);
  if (pair >= 0) return true;
  if (!bits_meet(tag.contype, tag.conaffinity, mover.contype, mover.conaffinity)) return false;
  const int low = std::min(tag.body, mover.body), high = std::max(tag.body, mover.body);
  if (is_excluded(m, body_signature(low, high))) return false;
  const bool filter_parent = !(m.opt.disableflags & kDisableFilterParent);
  return !filter_parent || tag.group == 0 || mover.group == 0 ||
         (mover.group != tag.carrier && tag.group != mover.carrier);
}

bool hits(const Model& m, const Data& d, int geom, Vec3 from, Vec3 way) {
  const Vec3 pos = vec3(d.geom_xpos, geom);
  const Mat3 mat = mat3(d.geom_xmat, geom);
  if (is_plane(m, geom)) {
    const Vec3 n = mat.column(2);
    const double begin = dot(n, from - pos), end = begin + dot(n, way);
    return begin * end <= 0 && (std::fabs(begin) > kRayEnds || std::fabs(end) > kRayEnds);
  }
  Vec3 normal;
  const double x = ray_geom_local(m, geom, transposed_times(mat, fused(kRayEnds, way, from) - pos),
                                  transposed_times(mat, way * (1 - 2 * kRayEnds)), 1.0, normal);
  return x >= 0 && x <= 1;
}

// Whether something stands between two points on the way of `mover` that it does not touch already.
bool is_hidden(const Model& m, const Data& d, const Motions& motions, int mover, int other, Vec3 from, Vec3 to) {
  const Vec3 way = to - from, middle = fused(0.5, way, from);
  const double length2 = dot(way, way), half = 0.5 * std::sqrt(length2);
  if (length2 < 1e-30) return false;
  const GeomTag tag1 = geom_tag(m, mover), tag2 = geom_tag(m, other);
  for (int g = 0; g < m.ngeom; ++g) {
    if (g == mover || g == other || !(is_plane(m, g) || is_convex(m, g))) continue;
    if (const double radius = m.geom_rbound[g]; radius > 0) {
      const Vec3 away = vec3(d.geom_xpos, g) - middle;
      if (dot(away, away) > (radius + half) * (radius + half)) continue;
    }
    int pair = -1;
    if (!can_hide(m, g, tag1, tag2, pair) || !hits(m, d, g, from, way)) continue;
    // what moves itself may be gone by then
    if (is_exact(m) && motions[g].reach > 0) continue;
    if (is_plane(m, g) && is_plane(m, mover)) return true;
    const double reach = pair_margin(m, mover, g, pair) + m.opt.ccd_tolerance;
    const int first = m.geom_type[mover] <= m.geom_type[g] ? mover : g, second = first == mover ? g : mover;
    const Nearest near = nearest(geom_shape(m, d, first), geom_shape(m, d, second), reach);
    if (near.dist > reach) return true;
  }
  return false;
}

// ---- the flag speculative_exact -------------------------------------------------------------------

void use_own_law(const Model& m, Prediction& out) {
  const OwnLaw law = own_law(m.opt);
  out.own_law = true;
  std::copy_n(law.solref, kNumRef, out.solref);
  std::copy_n(law.solimp, kNumImp, out.solimp);
}

// A corner that is held would let the rest go on, turning about it and through, and so would a face beside the centre
// of mass: that of the faster body is held as well. `first` is one of the points, `approach` that of the centre.
void hold_centre(const Model& m, const Data& d, int faster, double margin, const ContactPoint& first, bool alone,
                 double t, double approach, Prediction& out) {
  const Vec3 pos = vec3(d.xipos, m.geom_bodyid[faster]);
  const bool held = alone && norm(cross(first.pos - pos, first.normal)) < 1e-6 * m.geom_rbound[faster];
  if (held || !(approach > 0)) return;
  out.point[out.count++] = {margin + own_distance(m.opt, t, approach), pos, first.normal, {}};
}

}  // namespace

// ---- motions ------------------------------------------------------------------------------------

bool Motions::gather(const Model& m, const State& s, const Data& d, Arena& arena) {
  if (!(m.opt.enableflags & kEnableSpeculative) || m.opt.disableflags & kDisableNativeCcd) return true;
  body_ = arena.take<BodyMotion>(m.nbody);
  motion_ = arena.take<GeomMotion>(m.ngeom);
  if (!body_ || !motion_) {
    motion_ = nullptr;
    return false;
  }
  for (int b = 0; b < m.nbody; ++b) {
    body_[b] = {b > 0 ? body_[m.body_parentid[b]].velocity : Spatial{}, HUGE_VAL, 0};
    const int first = m.body_dofadr[b];
    for (int i = first; i < first + m.body_dofnum[b]; ++i) {
      body_[b].velocity = body_[b].velocity + spatial(d.cdof, i) * s.qvel[i];
    }
  }
  thinnest_ = is_exact(m) ? 0 : HUGE_VAL;
  for (int g = 0; g < m.ngeom; ++g) {
    GeomMotion& motion = motion_[g] = {};
    if (!is_convex(m, g)) continue;
    const int b = m.geom_bodyid[g];
    BodyMotion& body = body_[b];
    body.thin = std::min(body.thin, thickness(m, g));
    thinnest_ = std::min(thinnest_, body.thin);
    if (m.body_weldid[b] == 0) continue;
    const Vec3 offset = vec3(d.geom_xpos, g) - vec3(d.subtree_com, m.body_rootid[b]);
    motion.move = (body.velocity.lin + cross(body.velocity.ang, offset)) * m.opt.timestep;
    if (m.geom_type[g] != static_cast<int>(GeomType::kSphere)) motion.turn = body.velocity.ang * m.opt.timestep;
    motion.spin = norm(motion.turn) * m.geom_rbound[g];
    motion.reach = norm(motion.move) + motion.spin;
    // velocities that are no numbers are the step's business, not collision's
    if (!(motion.reach < HUGE_VAL)) motion = {};
    body.reach = std::max(body.reach, motion.reach);
  }
  return true;
}

Motions::Fast Motions::fast(const Model& m, int geom1, int geom2, int pair) const {
  const bool convex1 = is_convex(m, geom1), convex2 = is_convex(m, geom2);
  if (!(convex1 || is_plane(m, geom1)) || !(convex2 || is_plane(m, geom2))) return {};
  const double thin = pair_thickness(m, geom1, geom2);
  const double reach1 = motion_[geom1].reach, reach2 = motion_[geom2].reach;
  if (is_exact(m)) {
    // what a soft contact could not stop before they are through
    const double both = reach1 + reach2;
    if (!(both > 0) || both * (1 + 2 * stopping_steps(m, geom1, geom2, pair)) < thin) return {};
    return {reach1 > 0, reach2 > 0};
  }
  return {reach1 > 0 && reach1 >= thin, reach2 > 0 && reach2 >= thin};
}

bool Motions::is_fast(const Model& m, int geom1, int geom2, int pair) const {
  const Fast which = fast(m, geom1, geom2, pair);
  return which.first || which.second;
}

bool Motions::spheres_meet(const Model& m, const Data& d, int geom1, int geom2, int pair, double margin) const {
  const Fast which = fast(m, geom1, geom2, pair);
  const Vec3 away = vec3(d.geom_xpos, geom2) - vec3(d.geom_xpos, geom1);
  const Vec3 move = (which.second ? motion_[geom2].move : Vec3{}) - (which.first ? motion_[geom1].move : Vec3{});
  if (is_plane(m, geom1) || is_plane(m, geom2)) {
    const bool first = is_plane(m, geom1);
    const Vec3 n = mat3(d.geom_xmat, first ? geom1 : geom2).column(2);
    const double side = first ? 1 : -1, begin = side * dot(n, away), end = begin + side * dot(n, move);
    return std::min(begin, end) <= margin + m.geom_rbound[first ? geom2 : geom1];
  }
  const double speed2 = dot(move, move), reach = m.geom_rbound[geom1] + m.geom_rbound[geom2] + margin;
  const double time = speed2 > kTiny ? std::clamp(-dot(away, move) / speed2, 0.0, 1.0) : 0.0;
  const Vec3 closest = fused(time, move, away);
  return dot(closest, closest) <= reach * reach;
}

// ---- a pair -------------------------------------------------------------------------------------

Prediction predict_contacts(const Model& m, const Data& d, const Motions& motions, const Shape& a, const Shape& b,
                            int geom1, int geom2, int pair) {
  Prediction out;
  const GeomMotion &motion1 = motions[geom1], &motion2 = motions[geom2];
  const double reach = motion1.reach + motion2.reach, margin = pair_margin(m, geom1, geom2, pair);
  if (reach < kTiny) return out;
  const double limit = margin + reach;
  Nearest near = nearest(a, b, limit);
  const double start = near.dist;
  if (!(start > margin) || start - margin > reach) return out;

  // when they meet
  const double goal = margin + kGoal * (start - margin);
  const double enough = std::max(m.opt.ccd_tolerance, kNearGoal * (goal - margin));
  Shape a_then = a, b_then = b;
  double time = 0;
  for (int i = 0; i < kMaxMoves && near.dist - goal > enough; ++i) {
    const double closing = dot(near.normal, motion1.move - motion2.move) + motion1.spin + motion2.spin;
    if (closing <= kTiny) return out;
    const double dt = (near.dist - goal) / closing;
    time += dt;
    if (time >= 1) return out;
    move_shape(motion1, dt, a_then);
    move_shape(motion2, dt, b_then);
    near = nearest(a_then, b_then, limit);
    if (!(near.dist - margin <= (1 - time) * reach)) return out;
  }

  // how fast the nearest points approach each other, per step
  const Vec3 speed1 = motion1.move + cross(motion1.turn, near.point_a - a_then.pos),
             speed2 = motion2.move + cross(motion2.turn, near.point_b - b_then.pos);
  const double closing = dot(near.normal, speed1 - speed2);
  double impact = time;
  if (near.dist - goal > enough) {
    if (closing <= kTiny || near.dist - margin > (1 - time) * closing) return out;
    impact += (near.dist - goal) / closing;
  }
  const double approach = std::max(closing, (start - near.dist) / std::max(time, kTiny));
  if (!(approach > 0)) return out;

  // where
  const bool single = (m.opt.disableflags & kDisableMultiCcd) != 0;
  const double above = 2 * std::max(near.dist, 0.0) + approach * (1 - impact) + m.opt.ccd_tolerance;
  PointPair points[kMaxPredicted];
  const int count = touching_points(a_then, b_then, near, above, single, !is_exact(m), points);
  Contact common;
  set_parameters(m, geom1, geom2, pair, common);
  const bool exact = is_exact(m), first_is_faster = motion1.reach >= motion2.reach;
  const double dist =
      exact ? margin + own_distance(m.opt, impact, approach) : row_distance(m.opt, common, impact, approach);
  const int faster = first_is_faster ? geom1 : geom2, slower = first_is_faster ? geom2 : geom1;
  for (int i = 0; i < count; ++i) {
    const Vec3 on_a = where_it_was(a_then, a, points[i].a), on_b = where_it_was(b_then, b, points[i].b);
    if (is_hidden(m, d, motions, geom1, geom2, on_a, points[i].a) ||
        is_hidden(m, d, motions, geom2, geom1, on_b, points[i].b) ||
        is_hidden(m, d, motions, faster, slower, points[i].a, points[i].b)) {
      continue;
    }
    const Vec3 pos = on_a * (motion1.reach / reach) + on_b * (motion2.reach / reach);
    out.point[out.count++] = {dist, pos, near.normal, {}};
  }
  if (!exact || out.count == 0) return out;
  use_own_law(m, out);
  hold_centre(m, d, faster, margin, out.point[0], out.count == 1, impact, dot(near.normal, motion1.move - motion2.move),
              out);
  return out;
}

Prediction brake_contacts(const Model& m, const Data& d, const Motions& motions, int pair, Contact* contact,
                          int count) {
  Prediction out;
  use_own_law(m, out);
  const int geom1 = contact->geom[0], geom2 = contact->geom[1];
  const GeomMotion &motion1 = motions[geom1], &motion2 = motions[geom2];
  const Vec3 place1 = vec3(d.geom_xpos, geom1), place2 = vec3(d.geom_xpos, geom2);
  const double fast = pair_thickness(m, geom1, geom2) / (1 + 2 * stopping_steps(m, geom1, geom2, pair));
  ContactPoint first;
  int braked = 0;
  for (int i = 0; i < count; ++i) {
    Contact& c = contact[i];
    const Vec3 n{c.frame[0], c.frame[1], c.frame[2]}, pos{c.pos[0], c.pos[1], c.pos[2]};
    const double approach = dot(n, motion1.move + cross(motion1.turn, pos - place1)) -
                            dot(n, motion2.move + cross(motion2.turn, pos - place2));
    if (c.exclude != ContactExclude::kNone || !(approach >= fast)) continue;
    c.dist = c.includemargin + own_distance(m.opt, 0, approach);
    std::copy_n(out.solref, kNumRef, c.solref);
    std::copy_n(out.solimp, kNumImp, c.solimp);
    if (braked++ == 0) first = {c.dist, pos, n, {}};
  }
  const double centre = dot(first.normal, motion1.move - motion2.move);
  if (braked == 0 || !(centre >= fast)) return out;
  hold_centre(m, d, motion1.reach >= motion2.reach ? geom1 : geom2, contact->includemargin, first, braked == 1, 0,
              centre, out);
  return out;
}

bool is_predicted(const Model& m, const Contact& contact) {
  if (!is_exact(m) || contact.exclude != ContactExclude::kNone) return false;
  const OwnLaw law = own_law(m.opt);
  return std::equal(law.solref, law.solref + kNumRef, contact.solref) &&
         std::equal(law.solimp, law.solimp + kNumImp, contact.solimp);
}

}  // namespace pliant

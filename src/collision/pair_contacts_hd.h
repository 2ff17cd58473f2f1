#pragma once
// From a pair of geoms to its contacts: find_points says what a pair makes in this step and how many contacts that
// are, write_contacts puts them wherever the caller has found room for so many.
//
// Between the two nothing depends on who else has contacts, so that a team can share out pairs, and places follow from
// counts.

#include <cstddef>
#include <cstring>

#include "collision/contact_params_hd.h"
#include "collision/filter_hd.h"
#include "collision/pair_table.h"
#include "collision/speculative_hd.h"
#ifdef __CUDACC__
#include "collision/collide_pair_hd.h"
#endif

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// Two geoms to compare, the one of lower type first; their explicit pair, -1 if none.
struct GeomPair {
  int geom1, geom2, pair;
};

/// Whether a candidate is worth a comparison of its shapes: its spheres and its boxes meet now or, if the pair is fast,
/// its spheres at any time of the step.
template <class M, class D, class R>
PLIANT_HD bool candidate_meets(const M& m, const D& d, const MotionsT<R>& motions, const GeomPair& pair) {
  const auto type1 = static_cast<GeomType>(m.geom_type[pair.geom1]),
             type2 = static_cast<GeomType>(m.geom_type[pair.geom2]);
  if (max_pair_points(type1, type2) == 0) return false;
  const R margin = pair_margin(m, pair.geom1, pair.geom2, pair.pair) + pair_gap(m, pair.geom1, pair.geom2, pair.pair) +
                   motions.ahead(pair.geom1, pair.geom2);
  if (motions && motions.is_fast(m, pair.geom1, pair.geom2, pair.pair)) {
    return motions.spheres_meet(m, d, pair.geom1, pair.geom2, pair.pair, margin);
  }
  return spheres_meet(m, d, pair.geom1, pair.geom2, margin) &&
         boxes_may_meet(m, d, pair.geom1, pair.geom2, type1, type2, margin);
}

/// Two shapes, where Data has them. Consecutive pairs often share their first geom or a mesh: what is there already
/// stays.
template <class R>
struct PairShapes {
  ShapeT<R> a, b;
  int geom_a = -1, mesh_a = -1, mesh_b = -1;
};

/// geom_shape, but what its type does not use stays as it was, and so does a mesh that comes again.
template <class M, class R>
PLIANT_HD_NOINLINE void set_surface(const M& m, GeomType type, int id, ShapeT<R>& shape, int& last_mesh) {
  if (id < 0) return;
  if (type == GeomType::kHfield) {
    shape.hfield = hfield_shape(m, id);
  } else if (id != last_mesh) {
    shape.mesh = mesh_shape(m, id);
    shape.mesh.packed = packed_hull(m, id);
    last_mesh = id;
  }
}
template <class M, class D, class R>
PLIANT_HD void set_shape(const M& m, const D& d, int geom, ShapeT<R>& shape, int& last_mesh) {
  const auto type = static_cast<GeomType>(m.geom_type[geom]);
  // apart from the rest, which most pairs need nothing else of
  if (type == GeomType::kMesh || type == GeomType::kHfield) set_surface(m, type, m.geom_dataid[geom], shape, last_mesh);
  shape.type = type;
  shape.size = vec3(m.geom_size, geom);
  shape.pos = vec3(d.geom_xpos, geom);
  shape.mat = mat3(d.geom_xmat, geom);
  shape.rbound = m.geom_rbound[geom];
}

/// What a pair makes in this step.
template <class R>
struct PairPoints {
  PLIANT_HD PairPoints() {}  // points are set before they are used
  int count = 0;             // contacts
  int found = 0;             // the first ones; those after are predicted: they have rows though they are in their gap
  int bad = 0;               // points that are no numbers, which are left out
  R bad_dist = 0;            // distance of the last of them
  int bad_dim = 0;           // directions that no contact can have: there are none then
  union {
    ContactPointT<R> point[kMaxPairPoints + 1];
  };
};

/// Whether one of the points is within the margin, and not in the gap only.
template <class R>
PLIANT_HD bool has_touching(const PairPoints<R>& points, R margin) {
  for (int i = 0; i < points.count; ++i) {
    if (points.point[i].dist < margin) return true;
  }
  return false;
}

/// A shape that cannot be compared must not poison the step.
template <class R>
PLIANT_HD bool is_sound(const ContactPointT<R>& point) {
  return std::abs(point.dist) <= R(kHuge) && dot(point.normal, point.normal) > R(0.25) &&
         std::abs(point.pos.x) + std::abs(point.pos.y) + std::abs(point.pos.z) < std::numeric_limits<R>::infinity();
}
template <class R>
PLIANT_HD void drop_unsound(PairPoints<R>& points) {
  int kept = 0;
  for (int i = 0; i < points.count; ++i) {
    if (is_sound(points.point[i])) {
      if (kept != i) points.point[kept] = points.point[i];
      ++kept;
    } else {
      ++points.bad;
      points.bad_dist = points.point[i].dist;
    }
  }
  points.count = kept;
}

/// Flag speculative_exact: whether a contact of a fast pair is slowed down, and what it is then; `c` as it would be.
template <class M, class R>
PLIANT_HD bool brake_contact(const M& m, const Brake<R>& brake, ContactT<R>& c) {
  const Vec3T<R> n{c.frame[0], c.frame[1], c.frame[2]}, pos{c.pos[0], c.pos[1], c.pos[2]};
  const R approach = brake.approach(n, pos);
  if (c.exclude != ContactExclude::kNone || !(approach >= brake.fast)) return false;
  c.dist = c.includemargin + own_distance(m.opt, R(0), approach);
  use_own_law(m, c);
  return true;
}

/// Flag speculative_exact: the centre of a pair that is slowed down is held, too, as one more point.
template <class M, class D, class R>
PLIANT_HD_NOINLINE void hold_braked(const M& m, const D& d, const MotionsT<R>& motions, const GeomPair& pair,
                                    PairPoints<R>& points) {
  const Brake<R> brake = brake_of(m, d, motions, pair.geom1, pair.geom2, pair.pair);
  ContactT<R> c;
  set_parameters(m, pair.geom1, pair.geom2, pair.pair, c);
  ContactPointT<R> first;
  int braked = 0;
  for (int i = 0; i < points.count; ++i) {
    const ContactPointT<R>& point = points.point[i];
    ContactT<R> contact = c;
    set_frame(point, contact);
    set_place(point, contact);
    if (brake_contact(m, brake, contact) && braked++ == 0) first = {contact.dist, point.pos, point.normal, {}};
  }
  const R centre = dot(first.normal, brake.motion1.move - brake.motion2.move);
  if (braked == 0 || !(centre >= brake.fast)) return;
  const int faster = brake.motion1.reach >= brake.motion2.reach ? pair.geom1 : pair.geom2;
  points.count +=
      hold_centre(m, d, faster, c.includemargin, first, braked == 1, R(0), centre, points.point[points.count]);
}

/// Contacts that a fast pair will make, in place of those in its gap; false if it will not meet.
template <class M, class D, class R>
PLIANT_HD_NOINLINE bool predict_points(const M& m, const D& d, const MotionsT<R>& motions, const GeomPair& pair,
                                       const PairShapes<R>& shapes, PairPoints<R>& points) {
  PredictionT<R> prediction;
  predict_contacts(m, d, motions, shapes.a, shapes.b, pair.geom1, pair.geom2, pair.pair, prediction);
  if (prediction.count == 0) return false;
  for (int i = 0; i < prediction.count; ++i) points.point[i] = prediction.point[i];
  points.count = prediction.count;
  drop_unsound(points);
  points.found = 0;
  return true;
}

/// Condim is a parameter, so anybody may have written it; arrays have room for six directions.
PLIANT_HD bool is_dimension(int dim) {
  constexpr unsigned kAllowed = 1 << 1 | 1 << 3 | 1 << 4 | 1 << 6;
  return static_cast<unsigned>(dim) < 7 && (kAllowed >> dim & 1) != 0;
}

/// What a pair makes whose boxes meet (`near`) or that is fast.
template <class M, class D, class Motions, class R>
PLIANT_HD void compare_shapes(const M& m, const D& d, const Motions& motions, const PairRules<R>& rules,
                              const GeomPair& pair, R margin, bool near, bool fast, PairShapes<R>& shapes,
                              PairPoints<R>& points) {
  const int geom1 = pair.geom1, geom2 = pair.geom2;
  if (geom1 != shapes.geom_a) set_shape(m, d, geom1, shapes.a, shapes.mesh_a), shapes.geom_a = geom1;
  set_shape(m, d, geom2, shapes.b, shapes.mesh_b);
  points.count = points.found = points.bad = points.bad_dim = 0;
  if (near) {
#ifdef __CUDACC__
    points.count = collide_pair(shapes.a, shapes.b, margin, rules, points.point);
#else
    points.count = collide_shapes(shapes.a, shapes.b, margin, rules, points.point, geom1, geom2);
#endif
  }
  bool predicted = false;
  if constexpr (!Motions::kNone) {
    predicted = fast && !has_touching(points, R(pair_margin(m, geom1, geom2, pair.pair))) &&
                predict_points(m, d, motions, pair, shapes, points);
  }
  if (points.count == 0) return;
  if (const int dim = contact_dimension(m, geom1, geom2, pair.pair); !is_dimension(dim)) {
    points.count = points.found = 0, points.bad_dim = dim;
    return;
  }
  if (predicted) return;
  drop_unsound(points);
  points.found = points.count;
  if constexpr (!Motions::kNone) {
    if (fast && is_exact(m) && points.count > 0) hold_braked(m, d, motions, pair, points);
  }
}

/// Whether a contact pulls before it touches: then it is there before anyway, and has rows of another kind.
template <class M>
PLIANT_HD bool is_adhesive(const M& m, const GeomPair& pair) {
  if (pair.pair >= 0) return m.pair_adhesion[pair.pair] != 0;
  return m.geom_adhesion[pair.geom1] != 0 || m.geom_adhesion[pair.geom2] != 0;
}

/// A solver looks ahead: whether the step brings a point within the margin.
template <class M, class D, class R>
PLIANT_HD bool comes_to_touch(const M& m, const D& d, const MotionsT<R>& motions, const GeomPair& pair, R margin,
                              R dist, Vec3T<R> normal, Vec3T<R> point) {
  return dist < margin + motions.approach_ahead(m, d, pair.geom1, pair.geom2, normal, point) && !is_adhesive(m, pair);
}

/// A solver looks ahead: points that are not in reach go.
template <class M, class D, class R>
PLIANT_HD_NOINLINE void drop_far(const M& m, const D& d, const MotionsT<R>& motions, const GeomPair& pair,
                                 PairPoints<R>& points) {
  const R margin = pair_margin(m, pair.geom1, pair.geom2, pair.pair),
          gap = pair_gap(m, pair.geom1, pair.geom2, pair.pair);
  int kept = 0;
  for (int i = 0; i < points.count; ++i) {
    const ContactPointT<R> point = points.point[i];
    const bool stays =
        point.dist < margin + gap || comes_to_touch(m, d, motions, pair, margin, point.dist, point.normal, point.pos);
    if (stays) points.point[kept++] = point;
  }
  points.count = points.found = kept;
}

#ifdef __CUDACC__
/// Pairs of planes, spheres and capsules, of which no mesh or height field needs to be known: shapes then stay in
/// registers. False: another pair.
template <class M, class D, class R>
PLIANT_HD bool compare_round_shapes(const M& m, const D& d, const GeomPair& pair, GeomType type1, GeomType type2,
                                    R margin, PairPoints<R>& points) {
  const auto is_round = [](GeomType type) { return type == GeomType::kSphere || type == GeomType::kCapsule; };
  if (!is_round(type2) || !(is_round(type1) || type1 == GeomType::kPlane)) return false;
  const auto shape_of = [&](int geom, GeomType type) {
    ShapeT<R> shape;
    shape.type = type;
    shape.size = vec3(m.geom_size, geom);
    shape.pos = vec3(d.geom_xpos, geom);
    shape.mat = mat3(d.geom_xmat, geom);
    return shape;
  };
  const ShapeT<R> a = shape_of(pair.geom1, type1), b = shape_of(pair.geom2, type2);
  points.found = points.bad = points.bad_dim = 0;
  points.count = type1 == GeomType::kPlane    ? type2 == GeomType::kSphere ? plane_sphere(a, b, margin, points.point)
                                                                           : plane_capsule(a, b, margin, points.point)
                 : type2 == GeomType::kSphere ? sphere_sphere(a, b, margin, points.point)
                 : type1 == GeomType::kSphere ? sphere_capsule(a, b, margin, points.point)
                                              : capsule_capsule(a, b, margin, points.point);
  if (points.count == 0) return true;
  if (const int dim = contact_dimension(m, pair.geom1, pair.geom2, pair.pair); !is_dimension(dim)) {
    points.count = 0, points.bad_dim = dim;
    return true;
  }
  drop_unsound(points);
  points.found = points.count;
  return true;
}
#endif

/// What a pair makes whose spheres meet; `listed`: as candidate_meets has it. False: nothing, and nothing of `points`
/// was set.
template <bool listed = false, class M, class D, class Motions, class R>
PLIANT_HD bool find_points(const M& m, const D& d, const Motions& motions, const PairRules<R>& rules,
                           const GeomPair& pair, PairShapes<R>& shapes, PairPoints<R>& points) {
  const int geom1 = pair.geom1, geom2 = pair.geom2;
  const auto type1 = static_cast<GeomType>(m.geom_type[geom1]), type2 = static_cast<GeomType>(m.geom_type[geom2]);
  const R margin =
      pair_margin(m, geom1, geom2, pair.pair) + pair_gap(m, geom1, geom2, pair.pair) + motions.ahead(geom1, geom2);
  const bool fast = motions && motions.is_fast(m, geom1, geom2, pair.pair);
  const bool near = (listed && !fast) || boxes_may_meet(m, d, geom1, geom2, type1, type2, margin);
  if (!near && !fast) return false;
#ifdef __CUDACC__
  if (!fast && compare_round_shapes(m, d, pair, type1, type2, margin, points)) return true;
#endif
  compare_shapes(m, d, motions, rules, pair, margin, near, fast, shapes, points);
  if constexpr (!Motions::kNone) {
    if (motions.looks_ahead() && points.count > 0) drop_far(m, d, motions, pair, points);
  }
  return true;
}

/// All but dist and pos. In pieces: for the whole the compiler takes an instruction that is slow to start.
template <class R>
PLIANT_HD void copy_contact(const ContactT<R>& from, ContactT<R>& to) {
#ifdef __CUDA_ARCH__
  to = from;
#else
  using C = ContactT<R>;
  constexpr size_t kStart = offsetof(C, frame), kPiece = (sizeof(C) - kStart) / 2;
  static_assert(kStart + 2 * kPiece == sizeof(C) && offsetof(C, pos) < kStart);
  const char* source = reinterpret_cast<const char*>(&from) + kStart;
  char* target = reinterpret_cast<char*>(&to) + kStart;
  for (int i = 0; i < 2; ++i) std::memcpy(target + i * kPiece, source + i * kPiece, kPiece);
#endif
}

/// Flag speculative_exact: what is different about contacts of a fast pair.
template <class M, class D, class R>
PLIANT_HD_NOINLINE void brake_contacts(const M& m, const D& d, const MotionsT<R>& motions, const GeomPair& pair,
                                       int found, ContactT<R>* to) {
  const Brake<R> brake = brake_of(m, d, motions, pair.geom1, pair.geom2, pair.pair);
  for (int i = 0; i < found; ++i) brake_contact(m, brake, to[i]);
}

/// Writes `count` contacts, the first `found` of them not predicted (PairPoints); returns how many frictions had to be
/// raised.
template <class M, class D, class Motions, class R>
PLIANT_HD_FREE int write_contacts(const M& m, const D& d, const Motions& motions, const GeomPair& pair,
                                  const ContactPointT<R>* point, int count, int found, ContactT<R>* to) {
  const int raised = set_parameters(m, pair.geom1, pair.geom2, pair.pair, to[0]), dim = to[0].dim;
  for (int i = 0; i < count; ++i) {
    // points of a pair mostly share their normal, and with it the frame
    if (i > 0) copy_contact(to[0], to[i]);
    to[i].dim = dim;
    if (i == 0 || !same_frame(point[0], point[i])) set_frame(point[i], to[i]);
    set_place(point[i], to[i]);
  }
  if constexpr (!Motions::kNone) {
    if (motions) {
      // their dimension is that of the others
      for (int i = found; i < count; ++i) to[i].exclude = ContactExclude::kNone;
      if (is_exact(m)) {
        for (int i = found; i < count; ++i) use_own_law(m, to[i]);
        if (found > 0 && motions.is_fast(m, pair.geom1, pair.geom2, pair.pair)) {
          brake_contacts(m, d, motions, pair, found, to);
        }
      }
    }
    if (motions.looks_ahead()) {
      for (int i = 0; i < count; ++i) {
        if (to[i].exclude != ContactExclude::kInGap) continue;
        const R margin = to[i].includemargin;
        if (comes_to_touch(m, d, motions, pair, margin, point[i].dist, point[i].normal, point[i].pos)) {
          to[i].exclude = ContactExclude::kNone;
        }
      }
    }
  }
  if (surfaces_move(m, pair.geom1, pair.geom2)) {
    for (int i = 0; i < count; ++i) set_surface_velocity(m, d, to[i]);
  }
  return raised;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant

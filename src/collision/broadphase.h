#pragma once
// From geoms to pairs of geoms that may touch: what broad and mid phase share.

#include "collision/contact_params_hd.h"
#include "collision/filter_hd.h"
#include "collision/pair_table.h"
#include "collision/speculative.h"
#include "pliant/state.h"

namespace pliant {

/// A pair for the narrow phase, with its place in the order of contacts: by the two bodies, then by `order`. No two
/// candidates have both in common.
struct Candidate {
  uint32_t bodies;   // body_signature
  int pair;          // explicit pair; -1 if none
  uint64_t order;    // explicit pairs come first, by number; others by their geoms
  int geom1, geom2;  // the one of lower type first
};

/// Candidates in the arena. Nothing else may be taken from it while the list grows.
class CandidateList {
 public:
  explicit CandidateList(Arena& arena) : arena_(arena) {}
  void push(const Candidate& candidate) {
    if (n_ == capacity_ && !make_room()) return;
    data_[n_++] = candidate;
  }
  Candidate* begin() { return data_; }
  Candidate* end() { return data_ + n_; }
  int size() const { return n_; }
  /// Gives back what was not needed.
  void finish() {
    if (data_) arena_.grow(data_, capacity_, n_), capacity_ = n_;
  }
  /// Pairs that found no room.
  int dropped() const { return dropped_; }

 private:
  bool make_room();
  Arena& arena_;
  Candidate* data_ = nullptr;
  int n_ = 0, capacity_ = 0, dropped_ = 0;
};

/// Applies all filters to two geoms whose spheres may meet, and lists them if they pass.
class PairFilter {
 public:
  /// `follows`: whether there are motions.
  PairFilter(const Model& m, const Data& d, const Motions& motions, bool follows, CandidateList& list)
      : m_(m),
        d_(d),
        motions_(motions),
        follows_(follows),
        list_(list),
        filter_parent_(!(m.opt.disableflags & kDisableFilterParent)),
        mid_phase_(!(m.opt.disableflags & kDisableMidPhase)) {}

  /// How far a geom may come in the step, and two of them towards each other, where the solver looks ahead.
  double ahead(int geom) const { return motions_.ahead(geom); }
  double ahead(int geom1, int geom2) const { return motions_.ahead(geom1, geom2); }

  bool joints_may_allow(const GeomTag& a, const GeomTag& b) const { return joints_allow(a, b, filter_parent_); }

  void consider(const GeomTag& a, const GeomTag& b) {
    if (!joints_allow(a, b, filter_parent_) || !bits_allow(a, b)) return;
    accept(a, b);
  }

  /// An explicit pair: only the spheres decide.
  void consider_explicit(int pair) {
    const Model& m = m_;
    int geom1 = m.pair_geom1[pair], geom2 = m.pair_geom2[pair];
    if (geom1 == geom2) return;
    if (m.geom_type[geom1] > m.geom_type[geom2]) std::swap(geom1, geom2);
    const double margin = pair_margin(m, geom1, geom2, pair) + pair_gap(m, geom1, geom2, pair) + ahead(geom1, geom2);
    if (!may_meet(geom1, geom2, pair, margin)) return;
    if (!can_collide(geom1, geom2)) return;
    list_.push({static_cast<uint32_t>(m.pair_signature[pair]), pair, static_cast<uint64_t>(pair), geom1, geom2});
  }

 private:
  // the rest, for pairs that are likely to pass
  void accept(const GeomTag& tag1, const GeomTag& tag2) {
    const Model& m = m_;
    const bool in_order = tag1.body < tag2.body;
    const GeomTag &low = in_order ? tag1 : tag2, &high = in_order ? tag2 : tag1;
    const double margin =
        pair_margin(m, low.geom, high.geom, -1) + pair_gap(m, low.geom, high.geom, -1) + ahead(low.geom, high.geom);
    if (!may_meet(low.geom, high.geom, -1, margin)) return;
    const uint32_t signature = body_signature(low.body, high.body);
    if (low.excludes && high.excludes && is_excluded(m, signature)) return;
    if (m.npair > 0 && has_explicit_pair(m, signature, low.geom, high.geom)) return;
    const bool swapped = low.type > high.type;
    const int geom1 = swapped ? high.geom : low.geom, geom2 = swapped ? low.geom : high.geom;
    if (!can_collide(geom1, geom2)) return;
    // The mid phase of the reference sorts by geoms as stored, that is by type; without it, and for fast bodies, they
    // come in the order of bodies.
    const bool sorted = mid_phase_ && m.body_bvhadr[low.body] >= 0 && m.body_bvhadr[high.body] >= 0 &&
                        !(follows_ && bodies_are_fast(low.body, high.body));
    list_.push({signature, -1, sorted ? pack(geom1, geom2) : pack(low.geom, high.geom), geom1, geom2});
  }
  // now, or if they are fast at any time of the step
  bool may_meet(int geom1, int geom2, int pair, double margin) const {
    return follows_ ? ever_meet(geom1, geom2, pair, margin) : spheres_meet(m_, d_, geom1, geom2, margin);
  }
  bool ever_meet(int geom1, int geom2, int pair, double margin) const;
  bool bodies_are_fast(int body1, int body2) const;
  bool can_collide(int geom1, int geom2) const {
    return max_pair_points(static_cast<GeomType>(m_.geom_type[geom1]), static_cast<GeomType>(m_.geom_type[geom2])) > 0;
  }
  // above all explicit pairs
  static uint64_t pack(int high, int low) {
    return uint64_t{1} << 63 | static_cast<uint64_t>(high) << 32 | static_cast<uint32_t>(low);
  }

  const Model& m_;
  const Data& d_;
  const Motions& motions_;
  bool follows_;
  CandidateList& list_;
  bool filter_parent_, mid_phase_;
};

/// Geoms that can touch anything, as spheres, one array per number, by rank of their bodies; and working memory to
/// compare them. Arrays of spheres and clusters have room for a block more, in which nothing meets anything.
struct Spheres {
  int n = 0;
  double *x = nullptr, *y = nullptr, *z = nullptr;
  double* reach = nullptr;  // radius, margin and gap
  GeomTag* tag = nullptr;
  int* first = nullptr;              // per rank: the first sphere of that rank or a higher one; nbody + 1 of them
  int contype = 0, conaffinity = 0;  // bits of any of them: robots often touch nothing but the ground
  // not among the spheres
  int nplane = 0, ntree = 0;
  GeomTag* plane = nullptr;  // planes
  int* tree = nullptr;       // bodies with so many geoms that their tree is searched (midphase_bvh.cpp)
  int* stack = nullptr;      // to search one
  bool* excludes = nullptr;  // per body: whether it is in the list of excluded pairs
};

/// Spheres of one kinematic tree, or one sphere that cannot move, as boxes; sorted along an axis.
struct Clusters {
  int n = 0;
  double* low[3] = {};  // corners of boxes, per axis
  double* high[3] = {};
  int *first = nullptr, *end = nullptr;  // spheres
  // working memory
  double* box = nullptr;
  uint16_t *begins = nullptr, *sorted_begins = nullptr;
  int *order = nullptr, *other = nullptr;
};

/// Collects them; false if the arena is fixed and full. Spheres of what is fast hold all of its way.
bool gather_spheres(const Model& m, const Data& d, const Motions& motions, Arena& arena, Spheres& spheres,
                    Clusters& clusters);
/// Calls `filter` for all pairs of spheres, and of planes and spheres, that meet.
void find_sphere_pairs(const Model& m, const Data& d, const Spheres& spheres, Clusters& clusters, PairFilter& filter);

/// Whether a body's tree is searched in place of a list of its geoms: from so many geoms on it is faster. A tree of n
/// leaves has 2 n - 1 boxes.
inline constexpr int kTreeGeoms = 48;
inline bool uses_tree(const Model& m, int body) {
  return m.body_bvhnum[body] >= 2 * kTreeGeoms - 1 && m.body_bvhadr[body] >= 0;
}
/// Calls `filter` for the geoms in trees and all others that meet them.
void find_tree_pairs(const Model& m, const Data& d, const Spheres& spheres, PairFilter& filter);

/// Radius of what a geom can reach: bounding sphere, margin and gap; infinite if it has no sphere.
inline double reach_of(const Model& m, int geom) {
  const double radius = m.geom_rbound[geom];
  if (!(radius > 0)) return HUGE_VAL;
  const bool override_margin = m.opt.enableflags & kEnableOverride;
  const double margin = override_margin ? 0.5 * m.opt.o_margin : m.geom_margin[geom];
  // a few roundings on top: the exact test comes later
  return (radius + margin + m.geom_gap[geom]) + 1e-14 * (radius + std::abs(margin));
}

}  // namespace pliant

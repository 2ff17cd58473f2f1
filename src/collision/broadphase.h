#pragma once
// From geoms to pairs of geoms that may touch: what broad and mid phase share.

#include "collision/contact_params_hd.h"
#include "collision/filter_hd.h"
#include "collision/pair_table.h"
#include "pliant/state.h"

namespace pliant {

/// A pair for the narrow phase, with its place in the order of contacts: `group` is the pair of bodies, explicit pairs first;
/// `order` decides within it. No two candidates have both in common.
struct Candidate {
  uint64_t group, order;
  int geom1, geom2;  // the one of lower type first
  int pair;          // explicit pair; -1 if none
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
  PairFilter(const Model& m, const Data& d, CandidateList& list)
      : m_(m),
        d_(d),
        list_(list),
        filter_parent_(!(m.opt.disableflags & kDisableFilterParent)),
        mid_phase_(!(m.opt.disableflags & kDisableMidPhase)) {}

  bool bodies_may_touch(int body1, int body2) const { return joints_allow(m_, body1, body2, filter_parent_); }

  void consider(int geom1, int geom2) {
    const Model& m = m_;
    int body1 = m.geom_bodyid[geom1], body2 = m.geom_bodyid[geom2];
    if (body1 > body2) std::swap(body1, body2), std::swap(geom1, geom2);
    if (!bits_allow(m, body1, body2, geom1, geom2) || !joints_allow(m, body1, body2, filter_parent_)) return;
    const double margin = pair_margin(m, geom1, geom2, -1) + pair_gap(m, geom1, geom2, -1);
    if (!spheres_meet(m, d_, geom1, geom2, margin)) return;
    const uint32_t signature = body_signature(body1, body2);
    if (m.nexclude > 0 && is_excluded(m, signature)) return;
    if (m.npair > 0 && has_explicit_pair(m, signature, geom1, geom2)) return;
    // The mid phase of the reference sorts by geoms as stored, that is by type; without it they come in the order of bodies.
    const bool sorted = mid_phase_ && m.body_bvhadr[body1] >= 0 && m.body_bvhadr[body2] >= 0;
    uint64_t order = pack(geom1, geom2);
    if (m.geom_type[geom1] > m.geom_type[geom2]) std::swap(geom1, geom2);
    if (sorted) order = pack(geom1, geom2);
    if (max_pair_points(static_cast<GeomType>(m.geom_type[geom1]), static_cast<GeomType>(m.geom_type[geom2])) == 0) return;
    list_.push({2 * uint64_t{signature} + 1, order, geom1, geom2, -1});
  }

  /// An explicit pair: only the spheres decide.
  void consider_explicit(int pair) {
    const Model& m = m_;
    int geom1 = m.pair_geom1[pair], geom2 = m.pair_geom2[pair];
    if (geom1 == geom2) return;
    if (m.geom_type[geom1] > m.geom_type[geom2]) std::swap(geom1, geom2);
    const double margin = pair_margin(m, geom1, geom2, pair) + pair_gap(m, geom1, geom2, pair);
    if (!spheres_meet(m, d_, geom1, geom2, margin)) return;
    if (max_pair_points(static_cast<GeomType>(m.geom_type[geom1]), static_cast<GeomType>(m.geom_type[geom2])) == 0) return;
    const uint64_t group = 2 * uint64_t{static_cast<uint32_t>(m.pair_signature[pair])};
    list_.push({group, static_cast<uint64_t>(pair), geom1, geom2, pair});
  }

 private:
  static uint64_t pack(int high, int low) { return static_cast<uint64_t>(high) << 32 | static_cast<uint32_t>(low); }

  const Model& m_;
  const Data& d_;
  CandidateList& list_;
  bool filter_parent_, mid_phase_;
};

/// Geoms as spheres, one array per number. Arrays have room for a block more than n, in which nothing meets anything.
struct SphereArrays {
  int n = 0;
  double *x = nullptr, *y = nullptr, *z = nullptr;
  double* reach = nullptr;  // radius, margin and gap
  int* geom = nullptr;
};

/// Geoms that can touch anything, by rank of their bodies, and working memory to compare them.
struct Spheres : SphereArrays {
  int* first = nullptr;  // per rank: the first sphere of that rank or a higher one; nbody + 1 of them
  // not among the spheres
  int nplane = 0, ntree = 0;
  int* plane = nullptr;  // planes
  int* tree = nullptr;   // bodies with so many geoms that their tree is searched (midphase_bvh.cpp)
  // working memory
  SphereArrays sorted;
  uint16_t *begins = nullptr, *sorted_begins = nullptr;
  int *order = nullptr, *other = nullptr;
  int* stack = nullptr;
};

/// Collects them; false if the arena is fixed and full.
bool gather_spheres(const Model& m, const Data& d, Arena& arena, Spheres& spheres);
/// Calls `filter` for all pairs of spheres, and of planes and spheres, that meet.
void find_sphere_pairs(const Model& m, const Data& d, Spheres& spheres, PairFilter& filter);

/// Whether a body's tree is searched in place of a list of its geoms.
bool uses_tree(const Model& m, int body);
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

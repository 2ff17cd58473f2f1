// The stage collision: broad phase → mid phase → narrow phase → parameters of contacts.
//
// Reads geom_xpos, geom_xmat (xipos, ximat for trees) and the parameters of geoms and pairs; writes ncon, contact.
// Contacts come in the reference's order: by pair of bodies, explicit pairs before others; within, by geoms; within, as the
// pair function has them. Everything found lives in the arena, which this stage empties.

#include <algorithm>
#include <cmath>

#include "collision/broadphase.h"
#include "step/fault.h"
#include "step/stages.h"

namespace pliant {
namespace {

bool comes_before(const Candidate& a, const Candidate& b) {
  return a.group != b.group ? a.group < b.group : a.order < b.order;
}

// Candidates by their place in the order of contacts. Most lists are short or nearly sorted.
void sort_candidates(CandidateList& list) {
  constexpr int kShort = 24;
  if (list.size() > kShort) return std::sort(list.begin(), list.end(), comes_before);
  for (Candidate* i = list.begin(); i != list.end(); ++i) {
    const Candidate moved = *i;
    Candidate* at = i;
    for (; at != list.begin() && comes_before(moved, at[-1]); --at) *at = at[-1];
    *at = moved;
  }
}

// Boxes are looked at before shapes whose own test costs more than that.
bool boxes_first(GeomType type1, GeomType type2) {
  const auto round = [](GeomType type) { return type == GeomType::kSphere || type == GeomType::kCapsule; };
  if (type1 == GeomType::kPlane || (round(type1) && round(type2))) return false;
  return true;
}

/// Compares shapes and appends contacts.
class NarrowPhase {
 public:
  NarrowPhase(const Model& m, const State& s, Data& d)
      : m_(m), s_(s), d_(d), single_(m.opt.disableflags & kDisableMultiCcd) {}

  void run(const Candidate& candidate) {
    const int geom1 = candidate.geom1, geom2 = candidate.geom2, pair = candidate.pair;
    const auto type1 = static_cast<GeomType>(m_.geom_type[geom1]), type2 = static_cast<GeomType>(m_.geom_type[geom2]);
    const double margin = pair_margin(m_, geom1, geom2, pair) + pair_gap(m_, geom1, geom2, pair);
    if (boxes_first(type1, type2) && !boxes_meet(m_, d_, geom1, geom2, margin)) return;
    // consecutive candidates often share their first geom
    if (geom1 != last_geom1_) shape1_ = geom_shape(m_, d_, geom1), last_geom1_ = geom1;
    shape2_ = geom_shape(m_, d_, geom2);
    PairFn<double> function = pair_function<double>(type1, type2);
    if (single_ && function == &convex_convex<double>) function = &convex_single<double>;
    ++d_.npair_tested;
    const int n = function(shape1_, shape2_, margin, points_);
    if (n > 0) append(candidate, n);
  }

  /// Gives back what contacts did not need.
  void finish() {
    if (d_.contact) d_.arena.grow(d_.contact, capacity_, d_.ncon);
  }

 private:
  void append(const Candidate& candidate, int n) {
    if (d_.ncon + n > capacity_ && !make_room(n)) {
      record_fault(s_, d_, Fault::kContactOverflow, "geom_xpos", 3 * candidate.geom1, d_.ncon);
      return;
    }
    Contact common;
    if (set_parameters(m_, candidate.geom1, candidate.geom2, candidate.pair, common) > 0) {
      const bool by_pair = candidate.pair >= 0;
      record_fault(s_, d_, Fault::kFrictionFloor, by_pair ? "pair_friction" : "geom_friction",
                   by_pair ? 5 * candidate.pair : 3 * candidate.geom1, kMinMu);
    }
    for (int i = 0; i < n; ++i) {
      const ContactPoint& point = points_[i];
      // a shape that cannot be compared must not poison the step
      if (!(std::abs(point.dist) <= kHuge && dot(point.normal, point.normal) > 0.25 &&
            std::abs(point.pos.x) + std::abs(point.pos.y) + std::abs(point.pos.z) < HUGE_VAL)) {
        record_fault(s_, d_, Fault::kBadContact, "geom_xpos", 3 * candidate.geom1, point.dist);
        continue;
      }
      Contact& contact = d_.contact[d_.ncon++];
      contact = common;
      set_place(point, contact);
    }
  }

  bool make_room(int n) {
    constexpr int kFirst = 32;
    const int wanted = std::max({kFirst, 2 * capacity_, d_.ncon + n}), needed = d_.ncon + n;
    int room = wanted;
    Contact* grown = d_.arena.grow(d_.contact, capacity_, wanted);
    if (!grown) grown = d_.arena.grow(d_.contact, capacity_, room = needed);
    if (!grown) return false;
    d_.contact = grown;
    capacity_ = room;
    return true;
  }

  const Model& m_;
  const State& s_;
  Data& d_;
  bool single_;
  int capacity_ = 0, last_geom1_ = -1;
  Shape shape1_, shape2_;
  ContactPoint points_[kMaxPairPoints];
};

}  // namespace

void run_collision(const Model& m, const State& s, Data& d) {
  d.arena.reset();
  d.ncon = 0;
  d.contact = nullptr;
  d.npair_tested = 0;
  if (m.opt.disableflags & (kDisableConstraint | kDisableContact) || m.nbody < 2) return;

  Spheres spheres;
  if (!gather_spheres(m, d, d.arena, spheres)) {
    return record_fault(s, d, Fault::kContactOverflow, "geom_xpos", 0, 0);
  }
  CandidateList list(d.arena);
  PairFilter filter(m, d, list);
  find_sphere_pairs(m, d, spheres, filter);
  find_tree_pairs(m, d, spheres, filter);
  for (int p = 0; p < m.npair; ++p) filter.consider_explicit(p);
  if (list.dropped() > 0) record_fault(s, d, Fault::kContactOverflow, "geom_xpos", 0, list.dropped());

  sort_candidates(list);
  NarrowPhase narrow(m, s, d);
  for (const Candidate& candidate : list) narrow.run(candidate);
  narrow.finish();
}

}  // namespace pliant

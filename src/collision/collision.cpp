// The stage collision: broad phase → mid phase → narrow phase → parameters of contacts.
//
// Reads geom_xpos, geom_xmat (xipos, ximat for trees) and the parameters of geoms and pairs; writes ncon, contact.
// Contacts come in the reference's order: by pair of bodies, explicit pairs before others; within, by geoms; within, as
// the pair function has them. Everything found lives in the arena, which this stage empties.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "collision/broadphase.h"
#include "collision/speculative.h"
#include "geom/support_hd.h"
#include "pliant/option_checks.h"
#include "state/fault.h"
#include "collision/stages.h"

namespace pliant {
namespace {

bool comes_before(const Candidate& a, const Candidate& b) {
  return a.bodies < b.bodies || (a.bodies == b.bodies && a.order < b.order);
}

void insertion_sort(Candidate* begin, Candidate* end) {
  for (Candidate* i = begin; i != end; ++i) {
    if (i == begin || !comes_before(*i, i[-1])) continue;
    const Candidate moved = *i;
    Candidate* at = i;
    for (; at != begin && comes_before(moved, at[-1]); --at) *at = at[-1];
    *at = moved;
  }
}

// Stable sort by the 16 bits of `bodies` from `shift` on, by counting.
void sort_by_body(const Candidate* from, int n, int shift, int* count, int nbody, Candidate* to) {
  std::fill_n(count, nbody, 0);
  for (int i = 0; i < n; ++i) ++count[from[i].bodies >> shift & 0xffff];
  int at = 0;
  for (int b = 0; b < nbody; ++b) at += std::exchange(count[b], at);
  for (int i = 0; i < n; ++i) to[count[from[i].bodies >> shift & 0xffff]++] = from[i];
}

/// Puts candidates into the order of contacts; returns where they are. Long lists are first sorted by the higher body,
/// then by the lower one; what is left to do within a pair of bodies is little.
std::span<Candidate> sort_candidates(const Model& m, Arena& arena, CandidateList& list) {
  constexpr int kShort = 128;  // small scenes come nearly sorted
  const int n = list.size();
  std::span<Candidate> sorted{list.begin(), list.end()};
  if (n > kShort && 8 * n > m.nbody) {
    const Arena::Mark mark = arena.mark();
    int* count = arena.take<int>(m.nbody);
    Candidate* other = arena.take<Candidate>(n);
    if (count && other) {
      sort_by_body(list.begin(), n, 0, count, m.nbody, other);
      sort_by_body(other, n, 16, count, m.nbody, list.begin());
    } else {
      std::sort(sorted.begin(), sorted.end(), comes_before);
    }
    arena.release(mark);
  } else if (n > kShort) {
    std::sort(sorted.begin(), sorted.end(), comes_before);
  }
  insertion_sort(list.begin(), list.end());
  return sorted;
}

// Boxes are looked at before shapes whose own test costs more than that.
bool boxes_may_meet(const Model& m, const Data& d, int geom1, int geom2, GeomType type1, GeomType type2,
                    double margin) {
  const auto round = [](GeomType type) { return type == GeomType::kSphere || type == GeomType::kCapsule; };
  if (type1 == GeomType::kPlane) return type2 != GeomType::kMesh || box_meets_plane(m, d, geom1, geom2, margin);
  if (round(type1) && round(type2)) return true;
  return boxes_meet(m, d, geom1, geom2, margin);
}

/// Small hulls as supports like them best, prepared when a mesh is first met in a step. Each has its place; a mesh
/// whose place is taken does without.
class PackedHulls {
 public:
  const double* find(int id, const MeshShape& mesh) {
    int& owner = mesh_[id % kPlaces];
    double* packed = vertices_[id % kPlaces];
    if (owner < 0 && pack_hull(mesh, packed)) owner = id;
    return owner == id ? packed : nullptr;
  }
  PackedHulls() { std::fill_n(mesh_, kPlaces, -1); }

 private:
  static constexpr int kPlaces = 32;
  int mesh_[kPlaces];
  alignas(32) double vertices_[kPlaces][3 * kMaxPacked];
};

// All but dist and pos. In pieces: for the whole the compiler takes an instruction that is slow to start.
void copy_contact(const Contact& from, Contact& to) {
  constexpr size_t kStart = offsetof(Contact, frame), kPiece = (sizeof(Contact) - kStart) / 2;
  static_assert(kStart + 2 * kPiece == sizeof(Contact) && offsetof(Contact, pos) < kStart);
  const char* source = reinterpret_cast<const char*>(&from) + kStart;
  char* target = reinterpret_cast<char*>(&to) + kStart;
  for (int i = 0; i < 2; ++i) std::memcpy(target + i * kPiece, source + i * kPiece, kPiece);
}

/// Compares shapes and appends contacts.
class NarrowPhase {
 public:
  NarrowPhase(const Model& m, const State& s, Data& d, const Motions& motions)
      : m_(m),
        s_(s),
        d_(d),
        motions_(motions),
        exact_(m.opt.enableflags & kEnableSpeculativeExact),
        portals_(m.opt.disableflags & kDisableNativeCcd),
        rules_{m.opt.ccd_tolerance, m.opt.ccd_iterations, (m.opt.disableflags & kDisableMultiCcd) != 0} {}

  void run(const Candidate& candidate) {
    const int geom1 = candidate.geom1, geom2 = candidate.geom2, pair = candidate.pair;
    const auto type1 = static_cast<GeomType>(m_.geom_type[geom1]), type2 = static_cast<GeomType>(m_.geom_type[geom2]);
    const double margin = pair_margin(m_, geom1, geom2, pair) + pair_gap(m_, geom1, geom2, pair);
    const bool fast = motions_ && motions_.is_fast(m_, geom1, geom2, pair);
    const bool near = boxes_may_meet(m_, d_, geom1, geom2, type1, type2, margin);
    if (!near && !fast) return;
    // consecutive candidates often share their first geom
    if (geom1 != last_geom1_) set_shape(geom1, shape1_, mesh1_), last_geom1_ = geom1;
    set_shape(geom2, shape2_, mesh2_);
    ++d_.npair_tested;
    int n = 0;
    if (near) {
      n = portals_ ? collide_by_portals(shape1_, shape2_, margin, rules_, points_)
                   : pair_function<double>(type1, type2, rules_.single)(shape1_, shape2_, margin, points_);
    }
    if (fast && !touches(candidate, n) && append_predicted(candidate)) return;
    if (n == 0) return;
    const int first = d_.ncon;
    append(candidate, n);
    if (fast && exact_ && d_.ncon > first) brake(candidate, first);
  }

  /// Gives back what contacts did not need.
  void finish() {
    if (d_.contact) d_.arena.grow(d_.contact, capacity_, d_.ncon);
  }

 private:
  // geom_shape, but what its type does not use stays as it was, and so does a mesh that comes again
  void set_shape(int geom, Shape& shape, int& last_mesh) {
    const auto type = static_cast<GeomType>(m_.geom_type[geom]);
    if (type == GeomType::kMesh || type == GeomType::kHfield) set_surface(type, m_.geom_dataid[geom], shape, last_mesh);
    shape.type = type;
    shape.size = vec3(m_.geom_size, geom);
    shape.pos = vec3(d_.geom_xpos, geom);
    shape.mat = mat3(d_.geom_xmat, geom);
    shape.rbound = m_.geom_rbound[geom];
  }

  // apart from the above, which most pairs need nothing else of
  [[gnu::noinline]] void set_surface(GeomType type, int id, Shape& shape, int& last_mesh) {
    if (id < 0) return;
    if (type == GeomType::kHfield) {
      shape.hfield = hfield_shape(m_, id);
    } else if (id != last_mesh) {
      shape.mesh = mesh_shape(m_, id);
      shape.mesh.packed = hulls_.find(id, shape.mesh);
      last_mesh = id;
    }
  }

  // whether one of the points is within the margin, and not in the gap only
  bool touches(const Candidate& candidate, int n) const {
    const double margin = pair_margin(m_, candidate.geom1, candidate.geom2, candidate.pair);
    return std::any_of(points_, points_ + n, [&](const ContactPoint& point) { return point.dist < margin; });
  }

  // contacts of a fast pair, in place of those in its gap; false if it will not meet
  [[gnu::noinline]] bool append_predicted(const Candidate& candidate) {
    const Prediction prediction =
        predict_contacts(m_, d_, motions_, shape1_, shape2_, candidate.geom1, candidate.geom2, candidate.pair);
    append_predicted(candidate, prediction);
    return prediction.count > 0;
  }
  void append_predicted(const Candidate& candidate, const Prediction& prediction) {
    if (prediction.count == 0) return;
    std::copy_n(prediction.point, prediction.count, points_);
    const int first = d_.ncon;
    append(candidate, prediction.count);
    for (int i = first; i < d_.ncon; ++i) {
      Contact& contact = d_.contact[i];
      contact.exclude = ContactExclude::kNone;
      if (!prediction.own_law) continue;
      std::copy_n(prediction.solref, kNumRef, contact.solref);
      std::copy_n(prediction.solimp, kNumImp, contact.solimp);
    }
  }
  [[gnu::noinline]] void brake(const Candidate& candidate, int first) {
    append_predicted(candidate, brake_contacts(m_, d_, motions_, candidate.pair, d_.contact + first, d_.ncon - first));
  }

  void append(const Candidate& candidate, int n) {
    if (d_.ncon + n > capacity_ && !make_room(n)) {
      record_fault(s_, d_, Fault::kContactOverflow, "geom_xpos", 3 * candidate.geom1, d_.ncon);
      return;
    }
    Contact& common = d_.contact[d_.ncon];
    if (set_parameters(m_, candidate.geom1, candidate.geom2, candidate.pair, common) > 0) {
      const bool by_pair = candidate.pair >= 0;
      record_fault(s_, d_, Fault::kFrictionFloor, by_pair ? "pair_friction" : "geom_friction",
                   by_pair ? 5 * candidate.pair : 3 * candidate.geom1, kMinMu);
    }
    const int dim = common.dim;
    if (dim != 1 && dim != 3 && dim != 4 && dim != 6) return refuse_dimension(candidate, dim);
    const ContactPoint* first = nullptr;
    for (int i = 0; i < n; ++i) {
      const ContactPoint& point = points_[i];
      // a shape that cannot be compared must not poison the step
      if (!(std::abs(point.dist) <= kHuge && dot(point.normal, point.normal) > 0.25 &&
            std::abs(point.pos.x) + std::abs(point.pos.y) + std::abs(point.pos.z) < HUGE_VAL)) {
        record_fault(s_, d_, Fault::kBadContact, "geom_xpos", 3 * candidate.geom1, point.dist);
        continue;
      }
      // points of a pair mostly share their normal, and with it the frame
      Contact& contact = d_.contact[d_.ncon++];
      if (&contact != &common) copy_contact(common, contact);
      contact.dim = dim;
      if (!first || !same_frame(*first, point)) set_frame(point, contact);
      set_place(point, contact);
      if (!first) first = &point;
    }
  }

  // condim is a parameter, so anybody may have written it; arrays have room for six directions.
  [[gnu::noinline]] void refuse_dimension(const Candidate& candidate, int dim) {
    const bool by_pair = candidate.pair >= 0;
    const int geom = m_.geom_condim[candidate.geom1] == dim ? candidate.geom1 : candidate.geom2;
    record_fault(s_, d_, Fault::kBadParameter, by_pair ? "pair_dim" : "geom_condim", by_pair ? candidate.pair : geom,
                 dim);
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
  const Motions& motions_;
  bool exact_, portals_;
  PortalRules<double> rules_;
  int capacity_ = 0, last_geom1_ = -1, mesh1_ = -1, mesh2_ = -1;
  PackedHulls hulls_;
  Shape shape1_, shape2_;
  ContactPoint points_[kMaxPairPoints];
};

}  // namespace

void run_collision(const Model& m, const State& s, Data& d) {
  // what lay in the arena is gone
  d.arena.reset();
  d.ncon = 0;
  d.contact = nullptr;
  d.rows = {};
  d.islands = {};
  d.solver = {};
  d.metric = {};
  d.npair_tested = 0;
  if (m.opt.disableflags & (kDisableConstraint | kDisableContact) || m.nbody < 2) return;

  Motions motions;
  Spheres spheres;
  Clusters clusters;
  // with the flag speculative_exact the first stage of a Runge-Kutta step looks ahead for all of them
  // (integrate/rk4.cpp)
  const bool ahead = !((m.opt.enableflags & kEnableSpeculativeExact) && &s == &d.trial);
  if ((ahead && !motions.gather(m, s, d, d.arena)) || !gather_spheres(m, d, motions, d.arena, spheres, clusters)) {
    return record_fault(s, d, Fault::kContactOverflow, "geom_xpos", 0, 0);
  }
  CandidateList list(d.arena);
  PairFilter filter(m, d, motions, static_cast<bool>(motions), list);
  find_sphere_pairs(m, d, spheres, clusters, filter);
  find_tree_pairs(m, d, spheres, filter);
  for (int p = 0; p < m.npair; ++p) filter.consider_explicit(p);
  list.finish();
  if (list.dropped() > 0) record_fault(s, d, Fault::kContactOverflow, "geom_xpos", 0, list.dropped());

  NarrowPhase narrow(m, s, d, motions);
  for (const Candidate& candidate : sort_candidates(m, d.arena, list)) narrow.run(candidate);
  narrow.finish();
  for (int i = 0; i < d.ncon; ++i) set_surface_velocity(m, d, d.contact[i]);
}

}  // namespace pliant

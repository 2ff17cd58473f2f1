// The stage collision: broad phase → mid phase → narrow phase → parameters of contacts.
//
// Small scenes have their candidates listed in the Model (model/contact_candidates.h); others sweep for them. What
// becomes of a candidate is pair_contacts_hd.h, the same for teams (collision_stage_hd.h).
// Reads geom_xpos, geom_xmat (xipos, ximat for trees) and the parameters of geoms and pairs; writes ncon, contact.
// Contacts come in the reference's order: by pair of bodies, explicit pairs before others; within, by geoms; within, as
// the pair function has them. Everything found lives in the arena, which this stage empties.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>
#ifdef __AVX__
#include <immintrin.h>
#endif

#include "collision/broadphase.h"
#include "collision/pair_contacts_hd.h"
#include "model/contact_candidates.h"
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
/// then by the lower one; what is left to do within a pair of bodies is little. Not inlined: in its caller registers
/// are short.
[[gnu::noinline]] std::span<Candidate> sort_candidates(const Model& m, Arena& arena, CandidateList& list) {
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

/// Compares shapes and appends contacts.
class NarrowPhase {
 public:
  NarrowPhase(const Model& m, const State& s, Data& d, const Motions& motions)
      : m_(m), s_(s), d_(d), motions_(motions), rules_(pair_rules<double>(m.opt)) {
    if (!d.separations.empty()) rules_.separations = &d.separations;
  }

  // inlined by force: most pairs end at their boxes
  [[gnu::always_inline]] void run(GeomPair pair) {
    if (!find_points(m_, d_, motions_, rules_, pair, shapes_, points_)) return;
    ++d_.npair_tested;
    if (points_.bad > 0 || points_.bad_dim != 0) report_bad(pair);
    if (points_.count > 0) append(pair);
  }

  /// Gives back what contacts did not need.
  void finish() {
    if (d_.contact) d_.arena.grow(d_.contact, capacity_, d_.ncon);
  }

 private:
  [[gnu::noinline]] void append(GeomPair pair) {
    const int n = points_.count;
    if (d_.ncon + n > capacity_ && !make_room(n)) {
      record_fault(s_, d_, Fault::kContactOverflow, "geom_xpos", 3 * pair.geom1, d_.ncon);
      return;
    }
    if (write_contacts(m_, d_, motions_, pair, points_, d_.contact + d_.ncon) > 0) {
      const bool by_pair = pair.pair >= 0;
      record_fault(s_, d_, Fault::kFrictionFloor, by_pair ? "pair_friction" : "geom_friction",
                   by_pair ? 5 * pair.pair : 3 * pair.geom1, kMinMu);
    }
    d_.ncon += n;
  }

  [[gnu::noinline]] void report_bad(GeomPair pair) {
    if (points_.bad > 0) record_fault(s_, d_, Fault::kBadContact, "geom_xpos", 3 * pair.geom1, points_.bad_dist);
    const int dim = points_.bad_dim;
    if (dim == 0) return;
    const bool by_pair = pair.pair >= 0;
    const int geom = m_.geom_condim[pair.geom1] == dim ? pair.geom1 : pair.geom2;
    record_fault(s_, d_, Fault::kBadParameter, by_pair ? "pair_dim" : "geom_condim", by_pair ? pair.pair : geom, dim);
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
  PairRules<double> rules_;
  int capacity_ = 0;
  PairShapes<double> shapes_;
  PairPoints<double> points_;
};

// ---- small scenes -------------------------------------------------------------------------------

using Four = double __attribute__((vector_size(32)));

Four load_four(const double* p) {
  Four v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

/// One bit for each of four pairs of spheres that meet. A sphere is {x, y, z, reach}, the same again with reach < 0.
int meeting(const double* spheres, const PreparedContacts::Places* places) {
  constexpr int kSize = 8;
  const auto overlap = [&](int k) {
    const Four apart = load_four(spheres + kSize * places[k].first) - load_four(spheres + kSize * places[k].second + 4);
    return apart * (apart * Four{1, 1, 1, -1});
  };
  const Four a = overlap(0), b = overlap(1), c = overlap(2), d = overlap(3);
#ifdef __AVX__
  // x² + y² and z² - reach² of a and b, of c and d
  const __m256d ab = _mm256_hadd_pd(std::bit_cast<__m256d>(a), std::bit_cast<__m256d>(b)),
                cd = _mm256_hadd_pd(std::bit_cast<__m256d>(c), std::bit_cast<__m256d>(d));
  const __m256d sum = _mm256_add_pd(_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab, cd, 0x31));
  return _mm256_movemask_pd(_mm256_cmp_pd(sum, _mm256_setzero_pd(), _CMP_LE_OQ));
#else
  int bits = 0;
  const Four* all[4] = {&a, &b, &c, &d};
  for (int k = 0; k < 4; ++k) {
    const Four& o = *all[k];
    bits |= ((o[0] + o[1]) + (o[2] + o[3]) <= 0) << k;
  }
  return bits;
#endif
}

/// Candidates that the Model lists in the order of contacts: nothing to search, filter or sort. False if the arena is
/// fixed and full.
bool run_listed(const Model& m, Data& d, const PreparedContacts& prepared, NarrowPhase& narrow) {
  constexpr int kSize = 8;
  const auto n = static_cast<int>(prepared.geoms.size());
  auto* spheres = d.arena.take<double>(kSize * (static_cast<size_t>(n) + 1));
  if (!spheres) return false;
  for (int i = 0; i <= n; ++i) {
    double* s = spheres + kSize * i;
    const int geom = i < n ? prepared.geoms[i] : -1;
    for (int k = 0; k < 3; ++k) s[k] = s[4 + k] = geom < 0 ? 0 : d.geom_xpos[3 * geom + k];
    s[3] = geom < 0 ? HUGE_VAL : reach_of(m, geom);
    s[7] = -s[3];
  }
  const ListedPairs& list = prepared.candidates;
  const auto count = static_cast<int>(list.pairs.size());
  for (int start = 0; start < count; start += 4) {
    int bits = meeting(spheres, prepared.places.data() + start);
    if (count - start < 4) bits &= (1 << (count - start)) - 1;
    for (; bits; bits &= bits - 1) {
      const CandidatePair& c = list.pairs[start + std::countr_zero(static_cast<unsigned>(bits))];
      const GeomPair pair{c.geom1, c.geom2, c.pair};
      if (candidate_meets(m, d, Motions{}, pair)) narrow.run(pair);
    }
  }
  return true;
}

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
  const auto out_of_memory = [&] { record_fault(s, d, Fault::kContactOverflow, "geom_xpos", 0, 0); };
  // with the flag speculative_exact the first stage of a Runge-Kutta step looks ahead for all of them
  // (integrate/rk4.cpp)
  const bool ahead = !((m.opt.enableflags & kEnableSpeculativeExact) && &s == &d.trial);
  if (ahead && !take_motions(m, s, d, d.arena, motions)) return out_of_memory();
  NarrowPhase narrow(m, s, d, motions);
  const PreparedContacts* prepared = m.prepared_contacts.get();
  if (prepared && !motions && prepared->is_current(m)) {
    if (!run_listed(m, d, *prepared, narrow)) return out_of_memory();
    return narrow.finish();
  }

  Spheres spheres;
  Clusters clusters;
  if (!gather_spheres(m, d, motions, d.arena, spheres, clusters)) return out_of_memory();
  CandidateList list(d.arena);
  PairFilter filter(m, d, motions, static_cast<bool>(motions), list);
  find_sphere_pairs(m, d, spheres, clusters, filter);
  find_tree_pairs(m, d, spheres, filter);
  for (int p = 0; p < m.npair; ++p) filter.consider_explicit(p);
  list.finish();
  if (list.dropped() > 0) record_fault(s, d, Fault::kContactOverflow, "geom_xpos", 0, list.dropped());

  for (const Candidate& c : sort_candidates(m, d.arena, list)) narrow.run({c.geom1, c.geom2, c.pair});
  narrow.finish();
}

}  // namespace pliant

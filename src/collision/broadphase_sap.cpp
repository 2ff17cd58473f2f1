// Broad phase: pairs of geoms whose bounding spheres meet.
//
// Few geoms: each against the run of ranks that the compiled candidates leave it (rank_first), eight at a time. Many:
// sweep and prune over clusters, the boxes around the spheres of a kinematic tree. Clusters are sorted by where they
// begin along the axis of largest spread, in 65536 steps, by counting; each is compared with those that begin before it
// ends, and where boxes overlap, spheres are. The map to steps is monotone, so nothing is lost wherever in the world
// the scene lies. Which pairs are found does not depend on the order: candidates are sorted afterwards. Cost: n²/2
// short tests, or n + clusters that overlap along the axis; memory n.

#include "collision/broadphase.h"

#include "collision/speculative.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>
#ifdef __AVX__
#include <immintrin.h>
#endif

namespace pliant {
namespace {

constexpr int kBlock = 8;                                            // spheres or clusters tested at a time
constexpr int kSweepFrom = 96;                                       // spheres from which sorting pays
constexpr int kSteps = 1 << 16;                                      // along the sweep axis
constexpr double kNever = std::numeric_limits<double>::quiet_NaN();  // fails every comparison

using Four = double __attribute__((vector_size(32)));
using FourBits = long long __attribute__((vector_size(32)));

Four load_four(const double* p) {
  Four v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

// One bit per number that is set (all its bits are).
int bits_of(FourBits four) {
#ifdef __AVX__
  return _mm256_movemask_pd(std::bit_cast<__m256d>(four));
#else
  return static_cast<int>((four[0] & 1) | (four[1] & 2) | (four[2] & 4) | (four[3] & 8));
#endif
}

// Calls f(j + k) for the places k of a block that are set and before `end`.
template <class F>
inline void for_each_set(FourBits low, FourBits high, int j, int end, F&& f) {
  int bits = bits_of(low) | bits_of(high) << 4;
  if (end - j < kBlock) bits &= (1 << (end - j)) - 1;
  for (; bits; bits &= bits - 1) f(j + std::countr_zero(static_cast<unsigned>(bits)));
}

// Sphere i against spheres start … end - 1.
inline void meet_range(const Spheres& s, int i, int start, int end, PairFilter& filter) {
  const double x = s.x[i], y = s.y[i], z = s.z[i], reach = s.reach[i];
  const auto meets = [&](int at) -> FourBits {
    const Four dx = x - load_four(s.x + at), dy = y - load_four(s.y + at), dz = z - load_four(s.z + at);
    const Four r = reach + load_four(s.reach + at);
    return dx * dx + dy * dy + dz * dz <= r * r;
  };
  for (int j = start; j < end; j += kBlock) {
    for_each_set(meets(j), meets(j + 4), j, end, [&](int k) { filter.consider(s.tag[i], s.tag[k]); });
  }
}

// ---- memory ------------------------------------------------------------------------------------

bool take_spheres(const Model& m, Arena& arena, Spheres& s) {
  const size_t room = static_cast<size_t>(m.ngeom) + kBlock;
  s.first = arena.take<int>(static_cast<size_t>(m.nbody) + 1);
  s.plane = arena.take<GeomTag>(m.ngeom);
  s.tree = arena.take<int>(m.nbody);
  s.excludes = arena.take<bool>(m.nbody);
  s.x = arena.take<double>(room);
  s.y = arena.take<double>(room);
  s.z = arena.take<double>(room);
  s.reach = arena.take<double>(room);
  s.tag = arena.take<GeomTag>(room);
  return s.first && s.plane && s.tree && s.excludes && s.x && s.y && s.z && s.reach && s.tag;
}

bool take_working_memory(const Model& m, Arena& arena, Spheres& s, Clusters& c) {
  int boxes = 0;
  for (int t = 0; t < s.ntree; ++t) boxes = std::max(boxes, m.body_bvhnum[s.tree[t]]);
  if (boxes > 0 && !(s.stack = arena.take<int>(boxes))) return false;
  if (s.n < kSweepFrom) return true;
  const size_t room = static_cast<size_t>(s.n) + kBlock;
  c.box = arena.take<double>(6 * static_cast<size_t>(s.n));
  c.first = arena.take<int>(2 * static_cast<size_t>(s.n));
  c.end = arena.take<int>(s.n);
  c.begins = arena.take<uint16_t>(s.n);
  c.sorted_begins = arena.take<uint16_t>(s.n);
  c.order = arena.take<int>(s.n);
  c.other = arena.take<int>(s.n);
  for (int k = 0; k < 3; ++k) {
    if (!(c.low[k] = arena.take<double>(room)) || !(c.high[k] = arena.take<double>(room))) return false;
  }
  return c.box && c.first && c.end && c.begins && c.sorted_begins && c.order && c.other;
}

// ---- few geoms ---------------------------------------------------------------------------------

// Every sphere against all of higher rank that its joints let it touch.
void compare_all(const Model& m, const Spheres& s, PairFilter& filter) {
  for (int rank = 0; rank < m.nbody; ++rank) {
    const int partners = s.first[m.rank_first[rank]];
    for (int i = s.first[rank]; i < s.first[rank + 1]; ++i) meet_range(s, i, partners, s.n, filter);
  }
}

// ---- many geoms --------------------------------------------------------------------------------

// Boxes around the spheres of each kinematic tree, in c.box; c.first has the spheres.
void make_clusters(const Model& m, const Spheres& s, Clusters& c) {
  int last = -1;
  for (int i = 0; i < s.n; ++i) {
    const int tree = m.body_treeid[s.tag[i].body];
    const double at[3] = {s.x[i], s.y[i], s.z[i]};
    double* box = c.box + 6 * c.n;
    if (tree < 0 || tree != last) {
      c.first[c.n++] = i;
      for (int k = 0; k < 3; ++k) box[k] = at[k] - s.reach[i], box[3 + k] = at[k] + s.reach[i];
    } else {
      box -= 6;
      for (int k = 0; k < 3; ++k) {
        box[k] = std::min(box[k], at[k] - s.reach[i]);
        box[3 + k] = std::max(box[3 + k], at[k] + s.reach[i]);
      }
    }
    last = tree;
  }
}

// Stable sort of 0 … n - 1 by 16-bit keys, by counting twice.
void sort_by_key(const uint16_t* key, int* order, int* other, int n) {
  int count[2][256] = {};
  for (int i = 0; i < n; ++i) ++count[0][key[i] & 255], ++count[1][key[i] >> 8];
  for (auto& c : count) {
    int at = 0;
    for (int& k : c) at += std::exchange(k, at);
  }
  for (int i = 0; i < n; ++i) other[count[0][key[i] & 255]++] = i;
  for (int i = 0; i < n; ++i) order[count[1][key[other[i]] >> 8]++] = other[i];
}

// The axis along which the middles of boxes spread most.
int widest_axis(const Clusters& c) {
  double spread[3];
  for (int k = 0; k < 3; ++k) {
    double sum = 0, squares = 0;
    for (int i = 0; i < c.n; ++i) {
      // a box without bounds says nothing about where things are
      const double middle = 0.5 * (c.box[6 * i + k] + c.box[6 * i + 3 + k]),
                   at = std::abs(middle) < HUGE_VAL ? middle : 0;
      sum += at, squares += at * at;
    }
    spread[k] = squares - sum * sum / c.n;
  }
  return static_cast<int>(std::max_element(spread, spread + 3) - spread);
}

// Spheres of two clusters, the second of which is number k.
inline void meet_clusters(const Spheres& s, const Clusters& c, int axis, int first1, int end1, int first2, int end2,
                          int k, PairFilter& filter) {
  const double* const at[3] = {s.x, s.y, s.z};
  const double *u = at[axis], *v = at[(axis + 1) % 3], *w = at[(axis + 2) % 3];
  for (int i = first1; i < end1; ++i) {
    const double reach = s.reach[i];
    const bool apart = u[i] - reach > c.high[0][k] || u[i] + reach < c.low[0][k] || v[i] - reach > c.high[1][k] ||
                       v[i] + reach < c.low[1][k] || w[i] - reach > c.high[2][k] || w[i] + reach < c.low[2][k];
    if (!apart) meet_range(s, i, first2, end2, filter);
  }
}
// Two clusters of one sphere each.
inline void meet_single(const Spheres& s, int i, int j, PairFilter& filter) {
  const double dx = s.x[i] - s.x[j], dy = s.y[i] - s.y[j], dz = s.z[i] - s.z[j], reach = s.reach[i] + s.reach[j];
  if (dx * dx + dy * dy + dz * dz <= reach * reach) filter.consider(s.tag[i], s.tag[j]);
}

void sweep(const Model& m, const Spheres& s, Clusters& c, PairFilter& filter) {
  make_clusters(m, s, c);
  const int n = c.n, axis = widest_axis(c);
  // beginnings in steps of the range that boxes cover, clamped: monotone, whatever the numbers
  double start = HUGE_VAL, stop = -HUGE_VAL;
  for (int i = 0; i < n; ++i) {
    const double low = c.box[6 * i + axis], high = c.box[6 * i + 3 + axis];
    if (low > -HUGE_VAL) start = std::min(start, low);
    if (high < HUGE_VAL) stop = std::max(stop, high);
  }
  const double scale = stop > start ? (kSteps - 1) / (stop - start) : 0;
  const auto step_of = [&](double x) {
    const double step = (x - start) * scale;
    return static_cast<uint16_t>(step > 0 ? std::min(step, kSteps - 1.0) : 0.0);
  };
  for (int i = 0; i < n; ++i) c.begins[i] = step_of(c.box[6 * i + axis]);
  sort_by_key(c.begins, c.order, c.other, n);
  // corners in that order, the sweep axis first
  int* first = c.first + s.n;  // sorted
  for (int i = 0; i < n; ++i) {
    const int from = c.order[i];
    for (int k = 0; k < 3; ++k) {
      c.low[k][i] = c.box[6 * from + (axis + k) % 3];
      c.high[k][i] = c.box[6 * from + 3 + (axis + k) % 3];
    }
    first[i] = c.first[from];
    c.end[i] = from + 1 < n ? c.first[from + 1] : s.n;
    c.sorted_begins[i] = c.begins[from];
  }
  for (int k = 0; k < 3; ++k) std::fill_n(c.low[k] + n, kBlock, kNever), std::fill_n(c.high[k] + n, kBlock, kNever);
  for (int i = 0; i < n; ++i) {
    // within the cluster: what lies above its own group
    for (int a = first[i]; a + 1 < c.end[i]; ++a) meet_range(s, a, a + 1, c.end[i], filter);
    // with those that begin before it ends
    const uint16_t end = step_of(c.high[0][i]);
    const bool single = c.end[i] - first[i] == 1;
    const double low1 = c.low[1][i], high1 = c.high[1][i], low2 = c.low[2][i], high2 = c.high[2][i];
    const auto overlaps = [&](int at) -> FourBits {
      return (load_four(c.low[1] + at) <= high1) & (load_four(c.high[1] + at) >= low1) &
             (load_four(c.low[2] + at) <= high2) & (load_four(c.high[2] + at) >= low2);
    };
    for (int j = i + 1; j < n && c.sorted_begins[j] <= end; j += kBlock) {
      for_each_set(overlaps(j), overlaps(j + 4), j, n, [&](int k) {
        if (single && c.end[k] - first[k] == 1) return meet_single(s, first[i], first[k], filter);
        meet_clusters(s, c, axis, first[i], c.end[i], first[k], c.end[k], k, filter);
      });
    }
  }
}

// ---- planes ------------------------------------------------------------------------------------

// They have no bounds: height of every centre above each.
void compare_planes(const Model& m, const Data& d, const Spheres& s, PairFilter& filter) {
  for (int p = 0; p < s.nplane; ++p) {
    const int plane = s.plane[p].geom;
    const Vec3 origin = vec3(d.geom_xpos, plane), normal = mat3(d.geom_xmat, plane).column(2);
    const double margin = m.opt.enableflags & kEnableOverride ? 0.5 * m.opt.o_margin : m.geom_margin[plane];
    const double reach = margin + m.geom_gap[plane] + filter.ahead(plane) + 1e-14 * std::abs(margin);
    for (int i = 0; i < s.n; ++i) {
      const double height =
          (s.x[i] - origin.x) * normal.x + (s.y[i] - origin.y) * normal.y + (s.z[i] - origin.z) * normal.z;
      // the exact test is not far: a rounding error of the height must not decide
      if (height <= s.reach[i] + reach + 1e-14 * std::abs(height)) filter.consider(s.plane[p], s.tag[i]);
    }
  }
}

}  // namespace

bool CandidateList::make_room() {
  constexpr int kFirst = 64;
  int more = capacity_ == 0 ? kFirst : 2 * capacity_;
  Candidate* grown = arena_.grow(data_, capacity_, more);
  // in a fixed arena that is nearly full: as many as there are
  if (!grown) grown = arena_.grow(data_, capacity_, more = capacity_ + 1);
  if (!grown) {
    ++dropped_;
    return false;
  }
  data_ = grown;
  capacity_ = more;
  return true;
}

bool PairFilter::ever_meet(int geom1, int geom2, int pair, double margin) const {
  return motions_.is_fast(m_, geom1, geom2, pair) ? motions_.spheres_meet(m_, d_, geom1, geom2, pair, margin)
                                                  : spheres_meet(m_, d_, geom1, geom2, margin);
}
bool PairFilter::bodies_are_fast(int body1, int body2) const { return motions_.bodies_are_fast(body1, body2); }

bool gather_spheres(const Model& m, const Data& d, const Motions& motions, Arena& arena, Spheres& s,
                    Clusters& clusters) {
  if (!take_spheres(m, arena, s)) return false;
  std::fill_n(s.excludes, m.nbody, false);
  for (int i = 0; i < m.nexclude; ++i) {
    const auto bodies = static_cast<uint32_t>(m.exclude_signature[i]);
    s.excludes[bodies >> 16] = s.excludes[bodies & 0xffff] = true;
  }
  for (int rank = 0; rank < m.nbody; ++rank) {
    s.first[rank] = s.n;
    const int body = m.rank_bodyid[rank];
    if (!m.body_contype[body] && !m.body_conaffinity[body]) continue;
    GeomTag tag = body_tag(m, body);
    tag.excludes = s.excludes[body];
    // boxes of a tree are where they are now
    const bool in_tree = uses_tree(m, body) && !(motions && motions.body_matters(body));
    if (in_tree) s.tree[s.ntree++] = body;
    const int start = m.body_geomadr[body], end = start + m.body_geomnum[body];
    for (int g = start; g < end; ++g) {
      if (!m.geom_contype[g] && !m.geom_conaffinity[g]) continue;
      set_geom(m, g, tag);
      if (tag.type == static_cast<int>(GeomType::kPlane)) {
        s.plane[s.nplane++] = tag;
      } else if (!in_tree) {
        const Vec3 pos = vec3(d.geom_xpos, g);
        // what is nowhere touches nothing
        if (!(std::abs(pos.x) + std::abs(pos.y) + std::abs(pos.z) < HUGE_VAL)) continue;
        s.x[s.n] = pos.x, s.y[s.n] = pos.y, s.z[s.n] = pos.z;
        s.reach[s.n] = reach_of(m, g) + motions.ahead(g);
        if (motions && motions.matters(g)) {
          const Vec3 half = motions[g].move * 0.5;
          s.x[s.n] += half.x, s.y[s.n] += half.y, s.z[s.n] += half.z;
          s.reach[s.n] += norm(half) * (1 + 1e-14);
        }
        s.contype |= m.geom_contype[g], s.conaffinity |= m.geom_conaffinity[g];
        s.tag[s.n++] = tag;
      }
    }
  }
  s.first[m.nbody] = s.n;
  for (int k = s.n; k < s.n + kBlock; ++k) s.x[k] = s.y[k] = s.z[k] = s.reach[k] = kNever;
  return take_working_memory(m, arena, s, clusters);
}

void find_sphere_pairs(const Model& m, const Data& d, const Spheres& s, Clusters& clusters, PairFilter& filter) {
  compare_planes(m, d, s, filter);
  if (!(s.contype & s.conaffinity)) return;
  if (s.n >= kSweepFrom) {
    sweep(m, s, clusters, filter);
  } else {
    compare_all(m, s, filter);
  }
}

}  // namespace pliant

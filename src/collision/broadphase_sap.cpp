// Broad phase: pairs of geoms whose bounding spheres meet.
//
// Few geoms: each against the run of ranks that the compiled candidates leave it (rank_first), eight at a time. Many: sweep and
// prune. Spheres are sorted by where they begin along the axis of largest variance, in 65536 steps, by counting; each is
// then compared with those that begin before it ends. The map to steps is monotone, so nothing is lost wherever in the
// world the scene lies. Which pairs are found does not depend on the order: candidates are sorted afterwards.
// Cost n²/2 short tests, or n + pairs that overlap along the axis; memory n.

#include "collision/broadphase.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace pliant {
namespace {

constexpr int kBlock = 8;         // spheres tested at a time
constexpr int kSweepFrom = 128;   // spheres from which sorting pays
constexpr int kSteps = 1 << 16;   // along the sweep axis

using Four = double __attribute__((vector_size(32)));

Four load_four(const double* p) {
  Four v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

// Calls f(j) for the spheres of a block that meet the given one.
template <class F>
inline void meet_block(const SphereArrays& s, int j, double x, double y, double z, double reach, F&& f) {
  const auto meets = [&](int at) {
    const Four dx = x - load_four(s.x + at), dy = y - load_four(s.y + at), dz = z - load_four(s.z + at);
    const Four r = reach + load_four(s.reach + at);
    return dx * dx + dy * dy + dz * dz <= r * r;
  };
  const auto low = meets(j), high = meets(j + 4);
  const auto either = low | high;
  if (!(either[0] | either[1] | either[2] | either[3])) return;
  for (int k = 0; k < 4; ++k) {
    if (low[k]) f(j + k);
  }
  for (int k = 0; k < 4; ++k) {
    if (high[k]) f(j + 4 + k);
  }
}

// Room for n values and a block that meets nothing: NaN fails every comparison.
bool take_spheres(Arena& arena, int n, SphereArrays& s) {
  const size_t room = static_cast<size_t>(n) + kBlock;
  s.x = arena.take<double>(room);
  s.y = arena.take<double>(room);
  s.z = arena.take<double>(room);
  s.reach = arena.take<double>(room);
  s.geom = arena.take<int>(room);
  return s.x && s.y && s.z && s.reach && s.geom;
}
void end_spheres(SphereArrays& s) {
  constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
  for (int k = 0; k < kBlock; ++k) {
    s.x[s.n + k] = s.y[s.n + k] = s.z[s.n + k] = s.reach[s.n + k] = kNever;
    s.geom[s.n + k] = -1;
  }
}

bool take_working_memory(const Model& m, Arena& arena, Spheres& s) {
  int boxes = 0;
  for (int t = 0; t < s.ntree; ++t) boxes = std::max(boxes, m.body_bvhnum[s.tree[t]]);
  if (boxes > 0 && !(s.stack = arena.take<int>(boxes))) return false;
  if (s.n < kSweepFrom) return true;
  s.begins = arena.take<uint16_t>(s.n);
  s.sorted_begins = arena.take<uint16_t>(s.n);
  s.order = arena.take<int>(s.n);
  s.other = arena.take<int>(s.n);
  return s.begins && s.sorted_begins && s.order && s.other && take_spheres(arena, s.n, s.sorted);
}

// Every sphere against all of higher rank that its joints let it touch.
void compare_all(const Model& m, const Spheres& s, PairFilter& filter) {
  for (int rank = 0; rank < m.nbody; ++rank) {
    const int partners = s.first[m.rank_first[rank]];
    for (int i = s.first[rank]; i < s.first[rank + 1]; ++i) {
      for (int j = partners; j < s.n; j += kBlock) {
        meet_block(s, j, s.x[i], s.y[i], s.z[i], s.reach[i], [&](int k) { filter.consider(s.geom[i], s.geom[k]); });
      }
    }
  }
}

double variance(const double* x, int n) {
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  const double mean = sum / n;
  for (int i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  return squares;
}

// Stable sort of `order` by the 16-bit keys, by counting twice.
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

void sweep(Spheres& s, PairFilter& filter) {
  const int n = s.n;
  // axis
  const double spread[3] = {variance(s.x, n), variance(s.y, n), variance(s.z, n)};
  const double* const axes[3] = {s.x, s.y, s.z};
  const double* at = axes[std::max_element(spread, spread + 3) - spread];
  // beginnings and ends in steps of the range that centres cover, clamped: monotone, whatever the numbers
  const auto [low, high] = std::minmax_element(at, at + n);
  const double start = *low, scale = *high > start ? (kSteps - 1) / (*high - start) : 0;
  const auto step_of = [&](double x) {
    return static_cast<uint16_t>(std::clamp((x - start) * scale, 0.0, kSteps - 1.0));
  };
  SphereArrays& sorted = s.sorted;
  for (int i = 0; i < n; ++i) s.begins[i] = step_of(at[i] - s.reach[i]);
  sort_by_key(s.begins, s.order, s.other, n);
  sorted.n = n;
  for (int i = 0; i < n; ++i) {
    const int k = s.order[i];
    sorted.x[i] = s.x[k], sorted.y[i] = s.y[k], sorted.z[i] = s.z[k], sorted.reach[i] = s.reach[k];
    sorted.geom[i] = s.geom[k];
    s.sorted_begins[i] = s.begins[k];
  }
  end_spheres(sorted);
  const double* sorted_at = at == s.x ? sorted.x : at == s.y ? sorted.y : sorted.z;
  // sweep
  for (int i = 0; i < n; ++i) {
    const uint16_t end = step_of(sorted_at[i] + sorted.reach[i]);
    for (int j = i + 1; j < n && s.sorted_begins[j] <= end; j += kBlock) {
      meet_block(sorted, j, sorted.x[i], sorted.y[i], sorted.z[i], sorted.reach[i],
                 [&](int k) { filter.consider(sorted.geom[i], sorted.geom[k]); });
    }
  }
}

// Planes have no bounds: height of every centre above each.
void compare_planes(const Model& m, const Data& d, const Spheres& s, PairFilter& filter) {
  for (int p = 0; p < s.nplane; ++p) {
    const int plane = s.plane[p];
    const Vec3 origin = vec3(d.geom_xpos, plane), normal = mat3(d.geom_xmat, plane).column(2);
    const double margin = m.opt.enableflags & kEnableOverride ? 0.5 * m.opt.o_margin : m.geom_margin[plane];
    const double reach = margin + m.geom_gap[plane] + 1e-14 * std::abs(margin);
    for (int i = 0; i < s.n; ++i) {
      const double height =
          (s.x[i] - origin.x) * normal.x + (s.y[i] - origin.y) * normal.y + (s.z[i] - origin.z) * normal.z;
      // the exact test is not far: a rounding error of the height must not decide
      if (height <= s.reach[i] + reach + 1e-14 * std::abs(height)) filter.consider(plane, s.geom[i]);
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

bool gather_spheres(const Model& m, const Data& d, Arena& arena, Spheres& s) {
  s.first = arena.take<int>(static_cast<size_t>(m.nbody) + 1);
  s.plane = arena.take<int>(m.ngeom);
  s.tree = arena.take<int>(m.nbody);
  if (!s.first || !s.plane || !s.tree || !take_spheres(arena, m.ngeom, s)) return false;
  for (int rank = 0; rank < m.nbody; ++rank) {
    s.first[rank] = s.n;
    const int body = m.rank_bodyid[rank];
    if (!m.body_contype[body] && !m.body_conaffinity[body]) continue;
    const bool in_tree = uses_tree(m, body);
    if (in_tree) s.tree[s.ntree++] = body;
    const int start = m.body_geomadr[body], end = start + m.body_geomnum[body];
    for (int g = start; g < end; ++g) {
      if (!m.geom_contype[g] && !m.geom_conaffinity[g]) continue;
      if (m.geom_type[g] == static_cast<int>(GeomType::kPlane)) {
        s.plane[s.nplane++] = g;
      } else if (!in_tree) {
        const Vec3 pos = vec3(d.geom_xpos, g);
        // what is nowhere touches nothing
        if (!(std::abs(pos.x) + std::abs(pos.y) + std::abs(pos.z) < HUGE_VAL)) continue;
        s.x[s.n] = pos.x, s.y[s.n] = pos.y, s.z[s.n] = pos.z;
        s.reach[s.n] = reach_of(m, g);
        s.geom[s.n++] = g;
      }
    }
  }
  s.first[m.nbody] = s.n;
  end_spheres(s);
  return take_working_memory(m, arena, s);
}

void find_sphere_pairs(const Model& m, const Data& d, Spheres& s, PairFilter& filter) {
  compare_planes(m, d, s, filter);
  if (s.n >= kSweepFrom) {
    sweep(s, filter);
  } else {
    compare_all(m, s, filter);
  }
}

}  // namespace pliant

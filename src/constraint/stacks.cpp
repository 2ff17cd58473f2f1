// Impedance of contacts from what they move in their stack: docs of the method are in the header.

#include "constraint/stacks.h"

#include <algorithm>
#include <cmath>

#include "constraint/contact_directions_hd.h"
#include "constraint/reference_hd.h"
#include "math/constants.h"

namespace pliant {
namespace {

/// What cannot move, in masses of the body that pushes it: large, and far from where 3×3 matrices lose their digits.
constexpr double kFixed = 1e8;
/// The least part of R that is left: below it the rows of a contact are rigid to rounding.
constexpr double kLeast = 1e-6;
/// Sweeps end when no mass changes by more than this part of it; or after so many.
constexpr double kSettled = 1e-3;
constexpr int kMostSweeps = 100;
/// Cosine of the angle within which contacts of the same geoms are one.
constexpr double kSameNormal = 0.9;

/// Contacts of two geoms with one normal.
struct Touch {
  int body[2];      // of geom[0] and geom[1]
  int first;        // contact
  int end;          // the one after its last
  Vec3 normal;      // from body[0] to body[1]
  double mass[2];   // [k]: what body[k] has to move when it is pushed away from the other
  double share[2];  // [k]: part of mass[k] that the other body carries where several push body[k] this way
};

/// The touches of every body.
struct Graph {
  int n = 0;
  Touch* touches = nullptr;
  int* adr = nullptr;    // nbody + 1
  int* touch = nullptr;  // 2 per touch
};

/// In which direction a touch pushes its body k.
Vec3 push(const Touch& touch, int k) { return k == 1 ? touch.normal : -touch.normal; }

/// Of a touch at `body`, which of its two bodies that is.
int side_of(const Touch& touch, int body) { return touch.body[1] == body ? 1 : 0; }

bool build(const Model& m, Data& d, Graph& g) {
  g.touches = d.arena.take<Touch>(static_cast<size_t>(d.ncon));
  g.adr = d.arena.take<int>(static_cast<size_t>(m.nbody) + 1);
  g.touch = d.arena.take<int>(2 * static_cast<size_t>(d.ncon));
  if (!g.touches || !g.adr || !g.touch) return false;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& contact = d.contact[i];
    if (contact.row < 0) continue;
    const Vec3 normal = contact_axis<double>(contact, 0);
    const int a = m.geom_bodyid[contact.geom[0]], b = m.geom_bodyid[contact.geom[1]];
    if (g.n > 0) {
      Touch& last = g.touches[g.n - 1];
      const Contact& before = d.contact[last.first];
      if (before.geom[0] == contact.geom[0] && before.geom[1] == contact.geom[1] &&
          dot(last.normal, normal) > kSameNormal) {
        last.end = i + 1;
        continue;
      }
    }
    g.touches[g.n++] = {{a, b}, i, i + 1, normal, {}, {1, 1}};
  }
  std::fill_n(g.adr, m.nbody + 1, 0);
  for (int i = 0; i < g.n; ++i) {
    for (const int body : g.touches[i].body) ++g.adr[body + 1];
  }
  for (int b = 0; b < m.nbody; ++b) g.adr[b + 1] += g.adr[b];
  // (filled backwards, so that adr ends where it began)
  for (int i = 0; i < g.n; ++i) {
    for (const int body : g.touches[i].body) g.touch[g.adr[body]++] = i;
  }
  for (int b = m.nbody; b > 0; --b) g.adr[b] = g.adr[b - 1];
  g.adr[0] = 0;
  return true;
}

template <class F>
void each_touch(const Graph& g, int body, F&& f) {
  for (int k = g.adr[body]; k < g.adr[body + 1]; ++k) f(g.touches[g.touch[k]], g.touch[k]);
}

double response(const Model& m, int body) { return m.body_invweight0[2 * body]; }
bool is_fixed(const Model& m, int body) { return !(response(m, body) > kTiny); }
double own_mass(const Model& m, int body) { return is_fixed(m, body) ? HUGE_VAL : 1 / response(m, body); }

/// Who else pushes body k of a touch the same way.
double share(const Model& m, const Graph& g, const Touch& touch, int k) {
  if (is_fixed(m, touch.body[k])) return 1;
  const Vec3 along = push(touch, k);
  double sum = 0;
  each_touch(g, touch.body[k], [&](const Touch& other, int) {
    const double cosine = dot(push(other, side_of(other, touch.body[k])), along);
    if (cosine > 0) sum += cosine * cosine;
  });
  return sum > 1 ? 1 / sum : 1;
}

/// uᵀ P⁻¹ u for a symmetric, positive P of order 3 (its lower triangle: xx, yx, yy, zx, zy, zz).
double inverse_form(const double (&p)[6], Vec3 u) {
  const double l00 = p[0], l10 = p[1] / l00, d1 = p[2] - l10 * p[1], l20 = p[3] / l00;
  const double c21 = p[4] - l20 * p[1], l21 = c21 / d1, d2 = p[5] - l20 * p[3] - l21 * c21;
  const double y = u.y - l10 * u.x, z = u.z - l20 * u.x - l21 * y;
  return u.x * u.x / l00 + y * y / d1 + z * z / d2;
}

/// What body k of a touch has to move when this touch pushes it.
double moved_mass(const Model& m, const Graph& g, int index, int k) {
  const Touch& touch = g.touches[index];
  const int body = touch.body[k], from = touch.body[1 - k];
  if (is_fixed(m, body)) return HUGE_VAL;
  const double own = 1 / response(m, body), most = kFixed * own;
  const Vec3 u = push(touch, k);
  double p[6] = {own, 0, own, 0, 0, own};
  bool alone = true;
  each_touch(g, body, [&](const Touch& other, int i) {
    const int there = 1 - side_of(other, body);
    if (i == index || other.body[there] == from) return;
    const Vec3 v = push(other, there);
    if (!(dot(v, u) > 0)) return;
    const double mass = std::min(most, other.share[there] * other.mass[there]);
    const double x[6] = {v.x * v.x, v.y * v.x, v.y * v.y, v.z * v.x, v.z * v.y, v.z * v.z};
    for (int c = 0; c < 6; ++c) p[c] += mass * x[c];
    alone = false;
  });
  return alone ? own : 1 / inverse_form(p, u);
}

/// All touches with their masses. False if there is no room.
bool solve(const Model& m, Data& d, Graph& g) {
  if (!build(m, d, g)) return false;
  for (int i = 0; i < g.n; ++i) {
    for (int k = 0; k < 2; ++k) {
      Touch& touch = g.touches[i];
      touch.share[k] = share(m, g, touch, k);
      touch.mass[k] = own_mass(m, touch.body[k]);
    }
  }
  bool settled = false;
  for (int sweep = 0; sweep < kMostSweeps && !settled; ++sweep) {
    settled = true;
    for (int j = 0; j < g.n; ++j) {
      const int i = sweep % 2 == 0 ? j : g.n - 1 - j;
      for (int k = 0; k < 2; ++k) {
        double& mass = g.touches[i].mass[k];
        const double now = moved_mass(m, g, i, k);
        if (now != mass && !(std::abs(now - mass) <= kSettled * mass)) settled = false;
        mass = now;
      }
    }
  }
  return true;
}

/// R of a contact's rows, times a ratio.
void scale_rows(const Contact& contact, bool elliptic, double ratio, Rows& rows) {
  const int end = contact.row + contact_row_count(contact, elliptic);
  for (int row = contact.row; row < end; ++row) {
    if (ratio < kLeast) rows.row_clamps[row] |= static_cast<int>(RowClamp::kRegularizer);
    const double part = std::max(kLeast, ratio);
    rows.row_R[row] = std::max(kTiny, part * rows.row_R[row]);
    rows.row_D[row] = 1 / rows.row_R[row];
    rows.row_diagA[row] *= part;
  }
}

}  // namespace

bool stacked_masses(const Model& m, Data& d, int geom1, int geom2, StackedMasses& out) {
  const Arena::Mark mark = d.arena.mark();
  Graph g;
  bool found = false;
  if (solve(m, d, g)) {
    for (int i = 0; i < g.n && !found; ++i) {
      const Contact& contact = d.contact[g.touches[i].first];
      found = (contact.geom[0] == geom1 && contact.geom[1] == geom2) ||
              (contact.geom[0] == geom2 && contact.geom[1] == geom1);
      for (int k = 0; k < 2 && found; ++k) {
        const int side = contact.geom[0] == geom1 ? k : 1 - k;
        out.moved[side] = g.touches[i].mass[k];
        out.alone[side] = own_mass(m, g.touches[i].body[k]);
      }
    }
  }
  d.arena.release(mark);
  return found;
}

bool scale_by_stacks(const Model& m, Data& d) {
  if (d.ncon < 2) return true;
  const Arena::Mark mark = d.arena.mark();
  Graph g;
  if (!solve(m, d, g)) return false;
  const bool elliptic = m.opt.cone == ConeType::kElliptic;
  for (int i = 0; i < g.n; ++i) {
    const Touch& touch = g.touches[i];
    const double alone = response(m, touch.body[0]) + response(m, touch.body[1]);
    const double ratio = (1 / touch.mass[0] + 1 / touch.mass[1]) / alone;
    if (!(ratio < 1)) continue;  // (not a number: neither body moves)
    for (int c = touch.first; c < touch.end; ++c) {
      if (d.contact[c].row >= 0) scale_rows(d.contact[c], elliptic, ratio, d.rows);
    }
  }
  d.arena.release(mark);
  return true;
}

}  // namespace pliant

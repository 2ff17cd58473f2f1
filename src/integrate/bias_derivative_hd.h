#pragma once
// Derivative of the bias force (Newton-Euler at qacc = 0) with respect to qvel.
//
// Let x_k be cdof of dof k, v the velocity of a body, I its inertia, all about one point. A unit
// velocity of k changes v of every body k carries by x_k, and the body's acceleration by a_k + x_k
// × v, where a_k does not depend on the body. The body's force I a + v ×* I v then changes by
//
//   I a_k + S x_k + x_k ×* p,     S = v ×* I - I v×,     p = I v
//
// S is the rate at which the inertia changes while the body moves: again of the form of an inertia,
// with rotational part dI/dt, mass times offset p.lin, mass 0. I, dI/dt and p add up over bodies,
// so that the composites of the body of dof i give rows and columns as the composite inertia gives
// those of M:
//
//   d bias_k / d v_i = x_k · (I a_i + S x_i + x_i ×* p)        k an ancestor of i, or i
//   d bias_i / d v_k = I x_i · a_k + (S x_i - x_i ×* p) · x_k
//
// reads cdof cdof_dot cinert cvel crb · writes body_scratch (composite dI/dt and p), dof_scratch
// (a) Cost: a few hundred flops per body, two dot products per entry.

#include "joint/joint.h"
#include "pliant/types.h"
#include "kinematics/jacobian_hd.h"
#include "math/field_values.h"

namespace pliant {

/// Rate of the rotational inertia (xx yy zz xy xz yz), and momentum.
template <class R>
struct InertiaRate {
  R rate[6] = {};
  SpatialT<R> momentum;
};

/// dI/dt = [w]× I - I [w]× + 2 (h·u) 1 - u h' - h u' for velocity (w, u) and h = mass times offset.
template <class R>
PLIANT_HD InertiaRate<R> inertia_rate(const InertiaT<R>& inertia, SpatialT<R> v) {
  const auto& i = inertia.v;
  const Vec3T<R> w = v.ang, u = v.lin, h{i[6], i[7], i[8]};
  // columns of I turned by w: [w]× I
  const Vec3T<R> x = cross(w, Vec3T<R>{i[0], i[3], i[4]}), y = cross(w, Vec3T<R>{i[3], i[1], i[5]}),
                 z = cross(w, Vec3T<R>{i[4], i[5], i[2]});
  const R trace = 2 * dot(h, u);
  InertiaRate<R> r;
  r.rate[0] = 2 * x.x + trace - 2 * u.x * h.x;
  r.rate[1] = 2 * y.y + trace - 2 * u.y * h.y;
  r.rate[2] = 2 * z.z + trace - 2 * u.z * h.z;
  r.rate[3] = y.x + x.y - u.x * h.y - h.x * u.y;
  r.rate[4] = z.x + x.z - u.x * h.z - h.x * u.z;
  r.rate[5] = z.y + y.z - u.y * h.z - h.y * u.z;
  r.momentum = inertia * v;
  return r;
}

/// S x.
template <class R>
PLIANT_HD SpatialT<R> operator*(const InertiaRate<R>& r, SpatialT<R> x) {
  const Vec3T<R> p = r.momentum.lin;
  return InertiaT<R>{{r.rate[0], r.rate[1], r.rate[2], r.rate[3], r.rate[4], r.rate[5], p.x, p.y, p.z, 0}} * x;
}

template <class F>
PLIANT_HD InertiaRate<ScalarOf<F>> load_rate(const F& f, int body) {
  InertiaRate<ScalarOf<F>> r;
  for (int k = 0; k < 6; ++k) r.rate[k] = f[12 * body + k];
  r.momentum = {{f[12 * body + 6], f[12 * body + 7], f[12 * body + 8]},
                {f[12 * body + 9], f[12 * body + 10], f[12 * body + 11]}};
  return r;
}
template <class F, class R>
PLIANT_HD void store_rate(F& f, int body, const InertiaRate<R>& r) {
  for (int k = 0; k < 6; ++k) f[12 * body + k] = r.rate[k];
  for (int k = 0; k < 3; ++k) f[12 * body + 6 + k] = r.momentum.ang[k], f[12 * body + 9 + k] = r.momentum.lin[k];
}

/// a_k: twice cdof_dot, as the velocity both moves cdof and multiplies its rate. The three
/// rotations of a ball or free joint do not move each other's cdof, while x_k × v counts them:
/// taken out here.
template <class M, class S, class D>
PLIANT_HD void acceleration_slope(const M& m, const S& s, D& d, int dof) {
  using R = typename D::Real;
  SpatialT<R> a = spatial(d.cdof_dot, dof) * R(2);
  const int joint = m.dof_jntid[dof];
  const int turns = quaternion_of(m.jnt_type[joint]), first = m.jnt_dofadr[joint] + turns;
  if (turns >= 0 && dof >= first) {
    SpatialT<R> turn{};
    for (int k = first; k < first + 3; ++k) turn = turn + spatial(d.cdof, k) * R(s.qvel[k]);
    a = a - cross_motion(spatial(d.cdof, dof), turn);
  }
  set(d.dof_scratch, dof, a);
}

/// Entries of one dof: calls add(c, k, d bias_i/d v_k, d bias_k/d v_i) for its ancestors k, c
/// counting them from the root; the diagonal entry is returned.
template <class M, class D, class Add>
PLIANT_HD typename D::Real bias_derivative_row(const M& m, const D& d, int i, const InertiaRate<typename D::Real>& rate,
                                               Add add) {
  using R = typename D::Real;
  const InertiaT<R> inertia = spatial_inertia(d.crb, m.dof_bodyid[i]);
  const SpatialT<R> x = spatial(d.cdof, i), moved = rate * x, turned = cross_force(x, rate.momentum);
  const SpatialT<R> momentum = inertia * x, row = moved - turned;
  const SpatialT<R> column = inertia * spatial(d.dof_scratch, i) + moved + turned;
  const int start = m.D_rowadr[i];
  for (int c = 0; c < m.D_diag[i]; ++c) {
    const int k = m.D_colind[start + c];
    if (!moves_together(m, k, i)) continue;
    const SpatialT<R> other = spatial(d.cdof, k);
    add(c, k, dot(momentum, spatial(d.dof_scratch, k)) + dot(row, other), dot(other, column));
  }
  return dot(x, column);
}

}  // namespace pliant

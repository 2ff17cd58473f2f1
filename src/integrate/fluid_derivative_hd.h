#pragma once
// Derivative of the fluid's force on a body with respect to the body's velocity: a 6x6 matrix B,
// rows (torque, force), columns (angular, linear velocity), for the inertia-box and the ellipsoid
// model.
//
// v, w: velocity relative to the fluid and angular velocity, at the centre and in the axes of box
// or ellipsoid; s its semi-axes. The ellipsoid model sums, with rho the density, eta the viscosity
// and its own coefficients:
//
//   added mass   torque  (rho J w) × w + (rho m v) × v,  force  (rho m v) × w
//   Magnus       force   c w × v
//   Kutta lift   force   c A / (a∘u)² ((a∘u) × v) × v         u, a and the area A: EllipsoidFlow
//   drag         force   -(3 pi D eta + rho |v| (blunt A + slender (Amax - A))) v
//   torque       torque  -(pi D³ eta + rho |k∘w|) w,   k from the moments of the ellipsoid
//
// (Documentation of the reference: computation, fluid forces.)
// reads geom_xpos geom_xmat xipos ximat cvel subtree_com

#include "force/passive_fluid_hd.h"
#include "integrate/free_body_hd.h"
#include "math/mat6.h"

namespace pliant {

/// a / b; 0 where there is no flow.
template <class R>
PLIANT_HD R over(R a, R b) {
  return b > 0 ? a / b : R(0);
}
template <class R>
PLIANT_HD R pow4(R x) {
  return x * x * x * x;
}

/// Sizes of an ellipsoid that its drag depends on.
template <class R>
struct EllipsoidSizes {
  R diameter;         // of the sphere that stands for it
  R largest, middle;  // semi-axes
  PLIANT_HD explicit EllipsoidSizes(Vec3T<R> s) {
    diameter = R(2.0 / 3.0) * (s.x + s.y + s.z);
    largest = at_least(at_least(s.x, s.y), s.z);
    middle = s.x + s.y + s.z - largest + at_least(at_least(-s.x, -s.y), -s.z);
  }
};

template <class R>
PLIANT_HD void add_added_mass(Mat6T<R>& b, SpatialT<R> vel, Vec3T<R> mass, Vec3T<R> inertia) {
  const Vec3T<R> p = scaled(mass, vel.lin), l = scaled(inertia, vel.ang);
  const Mat3T<R> w = skew(vel.ang), v = skew(vel.lin);
  b.add_block(0, 0, skew(l) - w * diagonal(inertia));
  b.add_block(0, 1, skew(p) - v * diagonal(mass));
  b.add_block(1, 0, skew(p));
  b.add_block(1, 1, w * diagonal(mass) * R(-1));
}

template <class R>
PLIANT_HD void add_magnus(Mat6T<R>& b, SpatialT<R> vel, R coefficient) {
  b.add_block(1, 0, skew(vel.lin) * -coefficient);
  b.add_block(1, 1, skew(vel.ang) * coefficient);
}

/// d/dv of c A/den (a∘u × v) × v, with u, a, den of EllipsoidFlow: with g_i = Σ u_j² (a_i - a_j),
///   c π scale |v| / √den · ((2 (a_j - a_i) + g_i (a_j²/den - a_j + 1)) u_i u_j - δ_ij g_i)
template <class R>
PLIANT_HD Mat3T<R> lift_slope(const EllipsoidFlow<R>& flow, R coefficient) {
  if (!(flow.den > R(kTiny))) return Mat3T<R>{};
  const Vec3T<R> a = flow.a, u = flow.u, square = scaled(u, u);
  const R scale = R(kPi) * coefficient * flow.area_scale * flow.speed / sqrt(flow.den);
  const R sum = square.x + square.y + square.z, mean = dot(a, square);
  const Vec3T<R> g = a * sum - Vec3T<R>{mean, mean, mean};
  const Vec3T<R> one{1, 1, 1}, inner = scaled(a, a) * (1 / flow.den) - a + one;
  const Vec3T<R> au = scaled(a, u), gu = scaled(g, u), iu = scaled(inner, u);
  return ((outer(u, au) - outer(au, u)) * R(2) + outer(gu, iu) - diagonal(g)) * scale;
}

/// d/dv of -(lin + rho |v| q(A(v))) v.
template <class R>
PLIANT_HD Mat3T<R> drag_slope(const EllipsoidFlow<R>& flow, Vec3T<R> s, R density, R viscosity, R blunt, R slender) {
  const Vec3T<R> a = flow.a, u = flow.u, square = scaled(u, u), au = scaled(a, u);
  const R area = flow.area(), linear = 3 * R(kPi) * EllipsoidSizes<R>(s).diameter * viscosity;
  const R quadratic = density * (blunt * area + slender * (flow.largest_area() - area));
  // gradient of the area: π scale/√den · a_i u_i Σ_j a_j u_j² (a_i - a_j)
  const R change = flow.den > R(kTiny) ? R(kPi) * flow.area_scale / sqrt(flow.den) : R(0);
  const R share = dot(a, square), weighted = dot(scaled(a, a), square);
  const Vec3T<R> gradient = scaled(au, a * share - Vec3T<R>{weighted, weighted, weighted}) *
                            (density * flow.speed * (blunt - slender) * change);
  const R along = quadratic * flow.speed, same = along * dot(u, u) + linear;
  return outer(u, u * along + gradient) * R(-1) - diagonal(Vec3T<R>{same, same, same});
}

/// d/dw of -(lin + rho |k∘w|) w.
template <class R>
PLIANT_HD Mat3T<R> drag_torque_slope(Vec3T<R> w, Vec3T<R> s, R density, R viscosity, R slender, R angular) {
  const EllipsoidSizes<R> size(s);
  const R unit = R(8.0 / 15.0 * kPi), largest = unit * size.middle * pow4(size.largest);
  const auto moment = [&](R own, R b, R c) {
    const R i = unit * own * pow4(at_least(b, c));
    return angular * i + slender * (largest - i);
  };
  const Vec3T<R> k{moment(s.x, s.y, s.z), moment(s.y, s.z, s.x), moment(s.z, s.x, s.y)};
  const Vec3T<R> kw = scaled(k, w);
  const R scale = density / at_least(R(kTiny), norm(kw));  // the floor is the reference's
  const R same = scale * dot(kw, kw) + viscosity * R(kPi) * size.diameter * size.diameter * size.diameter;
  return outer(w, scaled(k, kw) * scale) * R(-1) - diagonal(Vec3T<R>{same, same, same});
}

/// What of the ellipsoid model's derivative is wanted.
enum class FluidPart {
  kAll,
  kSymmetric,  ///< the symmetric part, except for bodies that are solved by themselves
  kDrag,       ///< the symmetric part of drag: what is dissipated, without lift and added mass
};

/// B of a geom with the ellipsoid model, in the geom's axes.
template <class M, class D>
PLIANT_HD auto ellipsoid_slope(const M& m, const D& d, int body, int geom, FluidPart part) {
  using R = typename D::Real;
  const R density = m.opt.density, viscosity = m.opt.viscosity;
  const FluidEllipsoid<R> e = fluid_ellipsoid<R>(m, geom);
  const Vec3T<R> s = e.semiaxes;
  const SpatialT<R> vel = flow_velocity(m, d, body, vec3(d.geom_xpos, geom), mat3(d.geom_xmat, geom));
  const EllipsoidFlow<R> flow(s, vel.lin);
  Mat6T<R> b;
  if (part != FluidPart::kDrag) {
    add_magnus(b, vel, e.magnus * density * R(4.0 / 3.0 * kPi) * s.x * s.y * s.z);
    b.add_block(1, 1, lift_slope(flow, e.kutta * density));
  }
  b.add_block(1, 1, drag_slope(flow, s, density, viscosity, e.blunt, e.slender));
  b.add_block(0, 0, drag_torque_slope(vel.ang, s, density, viscosity, e.slender, e.angular));
  if (part != FluidPart::kDrag) add_added_mass(b, vel, e.mass * density, e.inertia * density);
  return part == FluidPart::kAll ? b : symmetric_part(b);
}

/// B of a body with the inertia-box model, in the axes of its inertia: diagonal.
template <class M, class D>
PLIANT_HD auto inertia_box_slope(const M& m, const D& d, int body) {
  using R = typename D::Real;
  const R density = m.opt.density, viscosity = m.opt.viscosity;
  const Vec3T<R> box = inertia_box(vec3(m.body_inertia, body), R(m.body_mass[body]));
  const SpatialT<R> vel = flow_velocity(m, d, body, vec3(d.xipos, body), mat3(d.ximat, body));
  const R diameter = (box.x + box.y + box.z) / 3;
  Mat6T<R> b;
  for (int k = 0; k < 3; ++k) {
    const R own = box[k], p = box[(k + 1) % 3], q = box[(k + 2) % 3];
    if (viscosity > 0) {
      b(k, k) -= R(kPi) * diameter * diameter * diameter * viscosity;
      b(3 + k, 3 + k) -= 3 * R(kPi) * diameter * viscosity;
    }
    if (density > 0) {
      b(k, k) -= density * own * (pow4(p) + pow4(q)) * abs(vel.ang[k]) / 32;
      b(3 + k, 3 + k) -= density * p * q * abs(vel.lin[k]);
    }
  }
  return b;
}

/// B of a body about the reference point of its tree, world axes.
template <class M, class D>
PLIANT_HD auto body_fluid_slope(const M& m, const D& d, int body, FluidPart part) {
  using R = typename D::Real;
  Mat6T<R> sum;
  if (m.body_mass[body] < R(kTiny)) return sum;
  const Vec3T<R> reference = vec3(d.subtree_com, m.body_rootid[body]);
  const auto add = [&](const Mat6T<R>& b, Vec3T<R> point, const Mat3T<R>& axes) {
    const Mat6T<R> moved = moved_to_reference(b, axes, point - reference);
    for (int k = 0; k < 36; ++k) sum.m[k] += moved.m[k];
  };
  if (part == FluidPart::kSymmetric && is_part_of_free_body(m, body)) part = FluidPart::kAll;
  if (!has_fluid_geom(m, body)) {
    add(inertia_box_slope(m, d, body), vec3(d.xipos, body), mat3(d.ximat, body));
    return sum;
  }
  const int first = m.body_geomadr[body], end = first + m.body_geomnum[body];
  for (int g = first; g < end; ++g) {
    if (m.geom_fluid[kNumFluid * g] == 0) continue;
    add(ellipsoid_slope(m, d, body, g, part), vec3(d.geom_xpos, g), mat3(d.geom_xmat, g));
  }
  return sum;
}

}  // namespace pliant

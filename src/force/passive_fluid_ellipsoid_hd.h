#pragma once
// Fluid model of a geom taken as an ellipsoid: added mass, Magnus force, Kutta lift, viscous and pressure
// drag (the model of the reference's manual, chapter "fluid forces"; Lamb, Hydrodynamics, for added mass).
//
// Everything in the geom's axes. Semiaxes s, density ρ, viscosity η, velocity v and ω:
//   added mass   force (m∘v) × ω, torque (m∘v) × v + (I∘ω) × ω      m, I: added mass and inertia times ρ
//   Magnus       force c_M ρ V ω × v                                V: volume
//   Kutta        force c_K ρ A cos α (n × v) × v                    A: area seen along v, n: its normal,
//                                                                   α: angle between v and n
//   drag         -(3π D η + ρ |v| (c_blunt A + c_slender (A_max - A))) v,   D: mean diameter
//                -(π D³ η + ρ |moment(ω)|) ω

#include "geom/primitive_hd.h"
#include "math/scalar.h"
#include "math/spatial.h"
#include "pliant/types.h"
#include "math/field_values.h"

namespace pliant {

template <class R>
struct FluidEllipsoid {
  Vec3T<R> semiaxes;
  R blunt, slender, angular, kutta, magnus;  ///< coefficients
  Vec3T<R> mass, inertia;                    ///< added, per unit density
};

template <class R, class M>
PLIANT_HD FluidEllipsoid<R> fluid_ellipsoid(const M& m, int geom) {
  const auto& f = m.geom_fluid;
  const int adr = kNumFluid * geom;
  const Vec3T<R> size = vec3(m.geom_size, geom);
  const Vec3T<R> axes = with_primitive(static_cast<GeomType>(m.geom_type[geom]), size,
                                       [&](auto shape) PLIANT_INLINED { return shape.half(size); });
  return {axes,
          f[adr + 1],
          f[adr + 2],
          f[adr + 3],
          f[adr + 4],
          f[adr + 5],
          {f[adr + 6], f[adr + 7], f[adr + 8]},
          {f[adr + 9], f[adr + 10], f[adr + 11]}};
}

template <class R>
PLIANT_HD Vec3T<R> scaled(Vec3T<R> a, Vec3T<R> b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

/// The ellipsoid as a flow along v sees it, in numbers without units, so that bodies of any size keep their digits:
/// u = v/|v|, a_i = (s_j s_k)² / Σ (s_j s_k)² u_i², and the area π L² √(Σ (s_j s_k/L²)² u_i²) √(Σ a² u²), L the largest
/// semiaxis.
template <class R>
struct EllipsoidFlow {
  R speed, largest, middle;
  Vec3T<R> u, a;
  R den;         ///< Σ a² u²
  R area_scale;  ///< area / (π √den)
  PLIANT_HD EllipsoidFlow(Vec3T<R> s, Vec3T<R> v) {
    largest = at_least(at_least(s.x, s.y), s.z);
    middle = s.x + s.y + s.z - largest + at_least(at_least(-s.x, -s.y), -s.z);
    speed = norm(v);
    u = v * (speed > R(kTiny) ? 1 / speed : R(0));
    s = s * (largest > R(kTiny) ? 1 / largest : R(0));
    const Vec3T<R> face{s.y * s.z, s.z * s.x, s.x * s.y}, square = scaled(u, u);
    a = scaled(face, face);
    const R num = dot(a, square);
    a = a * (num > R(kTiny) ? 1 / num : R(0));
    den = dot(scaled(a, a), square);
    area_scale = largest * largest * sqrt(num);
  }
  PLIANT_HD R area() const { return R(kPi) * area_scale * sqrt(den); }
  PLIANT_HD R largest_area() const { return R(kPi) * largest * middle; }
};

/// Force of the fluid that moves along. The part proportional to acceleration is not modelled.
template <class R>
PLIANT_HD SpatialT<R> added_mass_force(const FluidEllipsoid<R>& e, SpatialT<R> velocity, R density) {
  const Vec3T<R> momentum = scaled(e.mass, velocity.lin) * density;
  const Vec3T<R> spin = scaled(e.inertia, velocity.ang) * density;
  return {cross(momentum, velocity.lin) + cross(spin, velocity.ang), cross(momentum, velocity.ang)};
}

template <class R>
PLIANT_HD Vec3T<R> lift_and_drag_force(const FluidEllipsoid<R>& e, SpatialT<R> velocity, R density, R viscosity) {
  const Vec3T<R> s = e.semiaxes, v = velocity.lin;
  const R pi = R(kPi);
  // a∘u is the normal of the area seen along v, times |n|²/cos α
  const EllipsoidFlow<R> flow(s, v);
  const R area = flow.area();
  const R volume = R(4) / 3 * pi * s.x * s.y * s.z;
  const Vec3T<R> magnus = cross(velocity.ang, v) * (e.magnus * density * volume);
  const R lift = flow.den > R(kTiny) ? e.kutta * density * area / flow.den : R(0);
  const Vec3T<R> kutta = cross(cross(scaled(flow.a, flow.u), v) * lift, v);
  const R diameter = R(2) / 3 * (s.x + s.y + s.z);
  const R drag = viscosity * 3 * pi * diameter +
                 density * flow.speed * (area * e.blunt + e.slender * (flow.largest_area() - area));
  return magnus + kutta - v * drag;
}

template <class R>
PLIANT_HD Vec3T<R> drag_torque(const FluidEllipsoid<R>& e, Vec3T<R> w, R density, R viscosity) {
  const Vec3T<R> s = e.semiaxes;
  const R pi = R(kPi), unit = R(8) / 15 * pi;
  const auto fourth = [](R x) { return (x * x) * (x * x); };
  const R largest = at_least(at_least(s.x, s.y), s.z), smallest = -at_least(at_least(-s.x, -s.y), -s.z);
  const R middle = s.x + s.y + s.z - largest - smallest;
  const R moment_max = unit * middle * fourth(largest);
  Vec3T<R> moment;
  for (int i = 0; i < 3; ++i) {
    const R about = unit * s[i] * fourth(at_least(s[(i + 1) % 3], s[(i + 2) % 3]));
    moment[i] = w[i] * (e.angular * about + e.slender * (moment_max - about));
  }
  const R diameter = R(2) / 3 * (s.x + s.y + s.z);
  return w * -(viscosity * pi * diameter * diameter * diameter + density * norm(moment));
}

template <class R>
PLIANT_HD SpatialT<R> ellipsoid_force(const FluidEllipsoid<R>& e, SpatialT<R> velocity, R density, R viscosity) {
  SpatialT<R> force = added_mass_force(e, velocity, density);
  force.lin = force.lin + lift_and_drag_force(e, velocity, density, viscosity);
  force.ang = force.ang + drag_torque(e, velocity.ang, density, viscosity);
  return force;
}

}  // namespace pliant

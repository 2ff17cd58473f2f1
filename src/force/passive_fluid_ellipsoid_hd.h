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
  Vec3T<R> axes = vec3(m.geom_size, geom);
  switch (static_cast<GeomType>(m.geom_type[geom])) {
    case GeomType::kSphere:
      axes.y = axes.z = axes.x;
      break;
    case GeomType::kCapsule:
      axes.z = axes.y + axes.x, axes.y = axes.x;
      break;
    case GeomType::kCylinder:
      axes.z = axes.y, axes.y = axes.x;
      break;
    default:
      break;
  }
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
  const R speed = norm(v), pi = R(kPi);
  const R largest = at_least(at_least(s.x, s.y), s.z), smallest = -at_least(at_least(-s.x, -s.y), -s.z);
  const R middle = s.x + s.y + s.z - largest - smallest;

  // Area seen along v: its normal is that of the ellipsoid where v is orthogonal to the surface's shadow.
  const Vec3T<R> face{s.y * s.z, s.z * s.x, s.x * s.y};
  const Vec3T<R> normal = scaled(scaled(face, face), v);  // not of unit length
  const R normal2 = dot(normal, normal), along = dot(normal, v);
  const R area = along > 0 ? pi * std::sqrt(normal2 / along) : R(0);
  const R area_max = pi * largest * middle;
  // area times the cosine between v and the normal, over |normal|: normal stays unnormalised
  const R tilted = along > 0 ? pi * std::sqrt(along / normal2) / speed : R(0);

  const R volume = R(4) / 3 * pi * s.x * s.y * s.z;
  const Vec3T<R> magnus = cross(velocity.ang, v) * (e.magnus * density * volume);
  const Vec3T<R> kutta = cross(cross(normal, v) * (e.kutta * density * tilted), v);
  const R diameter = R(2) / 3 * (s.x + s.y + s.z);
  const R drag = viscosity * 3 * pi * diameter + density * speed * (area * e.blunt + e.slender * (area_max - area));
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

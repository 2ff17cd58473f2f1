#pragma once
// Fluid model of a body that knows only its inertia: a box of the same inertia, for pressure drag, and a
// sphere of the same mean size, for viscosity.
//
// With full sides b, mean side D, density ρ, viscosity η, velocity v and ω along the box axes i, j, k:
//   force_i  = -3π D η v_i - ½ ρ b_j b_k |v_i| v_i
//   torque_i = -π D³ η ω_i - ρ b_i (b_j⁴ + b_k⁴) |ω_i| ω_i / 64

#include "math/scalar.h"
#include "math/spatial.h"

namespace pliant {

/// Sides of the box of uniform density with this mass and these principal moments.
template <class R>
PLIANT_HD Vec3T<R> inertia_box(Vec3T<R> inertia, R mass) {
  const R sum = inertia.x + inertia.y + inertia.z;
  Vec3T<R> box;
  for (int i = 0; i < 3; ++i) box[i] = sqrt(at_least(R(kTiny), sum - 2 * inertia[i]) / mass * 6);
  return box;
}

template <class R>
PLIANT_HD SpatialT<R> box_drag(Vec3T<R> box, SpatialT<R> velocity, R density, R viscosity) {
  const R mean = (box.x + box.y + box.z) / 3;
  const R slow_turn = R(kPi) * mean * mean * mean * viscosity, slow = 3 * R(kPi) * mean * viscosity;
  SpatialT<R> force;
  for (int i = 0; i < 3; ++i) {
    const R side = box[i], a = box[(i + 1) % 3], b = box[(i + 2) % 3];
    const R v = velocity.lin[i], w = velocity.ang[i];
    force.lin[i] = -slow * v - density / 2 * a * b * abs(v) * v;
    force.ang[i] = -slow_turn * w - density * side * (a * a * a * a + b * b * b * b) * abs(w) * w / 64;
  }
  return force;
}

}  // namespace pliant

#pragma once
// A body in a fluid: which of the two models it uses, and its motion relative to the fluid.
//
// reads cvel poses subtree_com · writes qfrc_fluid
// One geom with fluidshape="ellipsoid" takes its body out of the inertia-box model; the body's other geoms
// then feel nothing, as in the reference.

#include "force/passive_fluid_box_hd.h"
#include "force/passive_fluid_ellipsoid_hd.h"
#include "kinematics/jacobian_hd.h"

namespace pliant {

/// Velocity of a body's point relative to the fluid, in the given axes.
template <class M, class D, class R>
PLIANT_HD SpatialT<R> flow_velocity(const M& m, const D& d, int body, Vec3T<R> point, const Mat3T<R>& axes) {
  const SpatialT<R> motion = spatial(d.cvel, body);
  const Vec3T<R> offset = point - vec3(d.subtree_com, m.body_rootid[body]);
  const Vec3T<R> wind{R(m.opt.wind[0]), R(m.opt.wind[1]), R(m.opt.wind[2])};
  return {transposed_times(axes, motion.ang), transposed_times(axes, motion.lin + cross(motion.ang, offset) - wind)};
}

template <class M>
PLIANT_HD bool has_fluid_geom(const M& m, int body) {
  const int first = m.body_geomadr[body];
  for (int g = first; g < first + m.body_geomnum[body]; ++g) {
    if (m.geom_fluid[kNumFluid * g] > 0) return true;
  }
  return false;
}

template <class M, class D>
PLIANT_HD void fluid_force(const M& m, D& d, int body) {
  using R = typename D::Real;
  if (m.body_mass[body] < R(kTiny) || last_dof(m, body) < 0) return;
  const R density = m.opt.density, viscosity = m.opt.viscosity;
  if (!has_fluid_geom(m, body)) {
    const Mat3T<R> axes = mat3(d.ximat, body);
    const Vec3T<R> point = vec3(d.xipos, body);
    const Vec3T<R> box = inertia_box(vec3(m.body_inertia, body), R(m.body_mass[body]));
    const SpatialT<R> force = box_drag(box, flow_velocity(m, d, body, point, axes), density, viscosity);
    add_force_at(m, d, body, point, axes * force.lin, axes * force.ang, d.qfrc_fluid);
    return;
  }
  const int first = m.body_geomadr[body];
  for (int g = first; g < first + m.body_geomnum[body]; ++g) {
    const R share = m.geom_fluid[kNumFluid * g];
    if (share == 0) continue;
    const Mat3T<R> axes = mat3(d.geom_xmat, g);
    const Vec3T<R> point = vec3(d.geom_xpos, g);
    const SpatialT<R> velocity = flow_velocity(m, d, body, point, axes);
    const SpatialT<R> force = ellipsoid_force(fluid_ellipsoid<R>(m, g), velocity, density, viscosity) * share;
    add_force_at(m, d, body, point, axes * force.lin, axes * force.ang, d.qfrc_fluid);
  }
}

}  // namespace pliant

#pragma once
// Slider-cranks: a rod of length r joins the crank site to a pin that slides along the z axis a of
// the slider site. With v from slider to crank site the pin stands at
//
//   l = a·v − √((a·v)² + r² − v·v),   or a·v where the rod is too short to reach the axis.
//
// The reference takes r from the wrong actuator where one with several outputs stands before it;
// this does not.
//
// reads site_xpos site_xmat cdof subtree_com

#include "force/moment_row_hd.h"
#include "kinematics/jacobian_hd.h"

namespace pliant {

template <class M, class D>
PLIANT_HD void slidercrank_transmission(const M& m, int actuator, MomentRow<D>& row) {
  using R = typename D::Real;
  const D& d = row.d;
  const int crank = m.actuator_trnid[2 * actuator], slider = m.actuator_trnid[2 * actuator + 1];
  const int output = m.actuator_outadr[actuator];
  const R rod = m.actuator_cranklength[actuator], gear = linear_gear(m, output).x;
  const Vec3T<R> pin = vec3(d.site_xpos, crank), origin = vec3(d.site_xpos, slider);
  const Vec3T<R> a = mat3(d.site_xmat, slider).column(2), v = pin - origin;
  const R along = dot(a, v), inside = along * along + rod * rod - dot(v, v);

  // Derivatives of l with respect to v and a.
  R length = along;
  Vec3T<R> by_v = a, by_a = v;
  if (inside > 0) {
    const R root = sqrt(inside);
    const R slope = 1 - along / root;
    length = along - root;
    by_v = a * slope + v * (1 / root);
    by_a = v * slope;
  }

  // a turns with the slider: by_a · (ω × a) = ω · (a × by_a).
  const Vec3T<R> force = by_v * gear, torque = cross(a, by_a) * gear;
  const int crank_body = m.site_bodyid[crank], slider_body = m.site_bodyid[slider];
  relative_row(m, d, slider_body, wrench_at(m, d, slider_body, origin, -force, torque), crank_body,
               wrench_at(m, d, crank_body, pin, force, Vec3T<R>{}),
               [&](int dof, R value) { row.put_nonzero(dof, value); });
  row.reverse();
  row.finish(output, gear * length);
}

}  // namespace pliant

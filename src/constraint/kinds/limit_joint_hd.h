#pragma once
// Limits of a joint: a row for each side that is nearer than the margin; ball joints have one for their angle.
//
// reads jnt_* qpos · slide and hinge: dist = q - low, high - q · ball: dist = largest angle - angle

#include "constraint/row_sink_hd.h"
#include "joint/joint.h"

namespace pliant {

template <class M, class S, class D, class Sink>
PLIANT_HD void ball_limit_row(const M& m, const S& s, const D&, int joint, Sink& sink) {
  using R = typename D::Real;
  const int adr = m.jnt_qposadr[joint], dof = m.jnt_dofadr[joint];
  const QuatT<R> q = normalized(QuatT<R>{s.qpos[adr], s.qpos[adr + 1], s.qpos[adr + 2], s.qpos[adr + 3]});
  // the turn as a positive angle about an axis
  R angle;
  const Vec3T<R> axis = normalized(rotation_vector(q), angle);
  const R low = m.jnt_range[2 * joint], high = m.jnt_range[2 * joint + 1], margin = m.jnt_margin[joint];
  const R dist = (low > high ? low : high) - angle;
  if (!(dist < margin)) return;
  if (!sink.begin(RowType::kLimitJoint, joint, 1, RunChain{dof, 3})) return;
  for (int k = 0; k < 3; ++k) sink.J(0)[k] = -axis[k];
  sink.row(0, dist, margin, m.dof_invweight0[dof]);
  sink.finish(m.jnt_solref + kNumRef * joint, m.jnt_solimp + kNumImp * joint, dist - margin);
}

template <class M, class S, class D, class Sink>
PLIANT_HD void limit_joint_rows(const M& m, const S& s, const D& d, int joint, Sink& sink) {
  using R = typename D::Real;
  if (!m.jnt_limited[joint]) return;
  if (is_ball(m.jnt_type[joint])) return ball_limit_row(m, s, d, joint, sink);
  if (floats(m.jnt_type[joint])) return;

  const int dof = m.jnt_dofadr[joint];
  const R value = s.qpos[m.jnt_qposadr[joint]], margin = m.jnt_margin[joint];
  for (int upper = 0; upper < 2; ++upper) {
    const R sign = upper ? R(1) : R(-1), dist = sign * (m.jnt_range[2 * joint + upper] - value);
    if (!(dist < margin)) continue;
    if (!sink.begin(RowType::kLimitJoint, joint, 1, RunChain{dof, 1})) continue;
    sink.J(0)[0] = -sign;
    sink.row(0, dist, margin, m.dof_invweight0[dof]);
    sink.finish(m.jnt_solref + kNumRef * joint, m.jnt_solimp + kNumImp * joint, dist - margin);
  }
}

}  // namespace pliant

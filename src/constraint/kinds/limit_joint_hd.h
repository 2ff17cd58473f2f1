#pragma once
// Limits of a joint: a row for each side that is nearer than the margin; ball joints have one for their angle. Where
// the solver takes the step in parts (TGS), sides that slide and hinge may reach within the step have one, too: it acts
// from the part on in which they are reached.
//
// reads jnt_* qpos, for TGS also qvel qacc_warmstart · slide and hinge: dist = q - low, high - q · ball: dist = largest
// angle - angle

#include "constraint/row_sink_hd.h"
#include "joint/joint.h"
#include "model/position_lead.h"

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

/// How far a joint may come towards a side in the step, by its velocity and the acceleration it had.
template <class R, class M, class S>
PLIANT_HD R limit_ahead(const M& m, const S& s, int dof, R sign) {
  const R h = m.opt.timestep;
  if (!(R(solver_timestep(m.opt)) < h)) return 0;
  const R speed = sign * s.qvel[dof], more = h * sign * s.qacc_warmstart[dof];
  // (what comes back may still be there where the solver looks at it)
  return at_least(h * (at_least(R(0), speed) + at_least(R(0), more)), -R(touching_time(m)) * speed);
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
    if (!(dist < margin + limit_ahead<R>(m, s, dof, sign))) continue;
    if (!sink.begin(RowType::kLimitJoint, joint, 1, RunChain{dof, 1})) continue;
    sink.J(0)[0] = -sign;
    sink.row(0, dist, margin, m.dof_invweight0[dof]);
    sink.finish(m.jnt_solref + kNumRef * joint, m.jnt_solimp + kNumImp * joint, dist - margin);
  }
}

}  // namespace pliant

#pragma once
// Springs that yield: where their rest goes in a step (the return map of ideal plasticity).
//
// reads plastic next_qpos, ten_length and ten_J of the start of the step · writes next_plastic · cost: linear
// Displaced by e from its rest, a spring that yields at y keeps no more than y of it: the rest follows until |e| = y,
//   scalar   p' = q' - y sign(e)                        e = q' - p
//   ball     p' = p exp((|e| - y) e/|e|)                e = log(p⁻¹ q')
//   tendon   both rest lengths move until the length L' is y beyond the nearer one.
// L' is not that of the new configuration but L + J Δq, with L and J of the start of the step and Δq what moved the
// positions, as in the reference: the path of a tendon is not searched for twice. A tendon that only pulls (low = 0,
// high > 0) keeps its lower length when it is stretched: it stays slack down to nothing.
// Forces see the new rest in the next step. A yield below 0 counts as 0. With the flag "spring" off nothing yields.

#include "base/team.h"
#include "force/spring_rest_hd.h"

namespace pliant {

template <class M, class S, class D>
PLIANT_HD void yield_joint(const M& m, const S& s, D& d, int joint) {
  using R = typename D::Real;
  const int plastic = m.jnt_plasticadr[joint], adr = m.jnt_qposadr[joint];
  if (plastic < 0) return;
  const R given = m.jnt_springyield[joint], yield = given < 0 ? R(0) : given;
  if (is_ball(m.jnt_type[joint])) {
    const QuatT<R> rest = normalized(
        QuatT<R>{s.plastic[plastic], s.plastic[plastic + 1], s.plastic[plastic + 2], s.plastic[plastic + 3]});
    const QuatT<R> to{d.next_qpos[adr], d.next_qpos[adr + 1], d.next_qpos[adr + 2], d.next_qpos[adr + 3]};
    R angle;
    const Vec3T<R> axis = normalized(difference(to, rest), angle);
    if (!(angle > yield)) return;
    const QuatT<R> moved = normalized(rest * axis_angle(axis, angle - yield));
    for (int k = 0; k < 4; ++k) d.next_plastic[plastic + k] = moved[k];
    return;
  }
  const R to = d.next_qpos[adr], e = to - s.plastic[plastic];
  if (e > yield) d.next_plastic[plastic] = to - yield;
  if (e < -yield) d.next_plastic[plastic] = to + yield;
}

/// How tendons were at the start of a step, and the velocity that moves the positions for time h.
template <class A, class V, class R>
struct TendonMotion {
  const A &length, &J;
  const V& qvel;
  R h;
};

template <class M, class S, class D, class A, class V, class R>
PLIANT_HD void yield_tendon(const M& m, const S& s, D& d, int tendon, const TendonMotion<A, V, R>& motion) {
  const int plastic = m.tendon_plasticadr[tendon];
  if (plastic < 0) return;
  const R given = m.tendon_springyield[tendon], yield = given < 0 ? R(0) : given;
  R speed = 0;
  const int first = m.ten_J_rowadr[tendon];
  for (int k = first; k < first + m.ten_J_rownnz[tendon]; ++k) speed += motion.J[k] * motion.qvel[m.ten_J_colind[k]];
  const R length = motion.length[tendon] + motion.h * speed;
  const RestLengths<R> rest = rest_lengths(m, s, tendon);
  if (length > rest.high + yield) {
    const bool only_pulls = rest.low == 0 && rest.high > 0;
    if (!only_pulls) d.next_plastic[plastic] = rest.low + (length - yield - rest.high);
    d.next_plastic[plastic + 1] = length - yield;
  } else if (length < rest.low - yield) {
    d.next_plastic[plastic] = length + yield;
    d.next_plastic[plastic + 1] = rest.high + (length + yield - rest.low);
  }
}

/// next_plastic, once next_qpos is known.
template <class Team, class M, class S, class D, class A, class V, class R>
PLIANT_HD void yield_springs(const Team& team, const M& m, const S& s, D& d, const TendonMotion<A, V, R>& motion) {
  if (m.nplastic == 0) return;
  each(team, m.nplastic, [&](int i) PLIANT_INLINED { d.next_plastic[i] = s.plastic[i]; });
  if (m.opt.disableflags & kDisableSpring) return;
  each(team, m.njnt, [&](int j) PLIANT_INLINED { yield_joint(m, s, d, j); });
  each(team, m.ntendon, [&](int t) PLIANT_INLINED { yield_tendon(m, s, d, t, motion); });
}

}  // namespace pliant

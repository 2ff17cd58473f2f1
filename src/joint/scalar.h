#pragma once
// What joints with one position and one velocity share.

#include "joint/frame.h"

namespace pliant {

template <JointType type>
struct ScalarJoint : JointTraits<type> {
  template <class Q, class V, class R>
  PLIANT_HD static void integrate(Q& qpos, int adr, const V& qvel, int dof, R h) {
    qpos[adr] += h * qvel[dof];
  }

  template <class F, class QA, class QB, class R>
  PLIANT_HD static void difference(F& out, int dof, R scale, const QA& qa, const QB& qb, int adr) {
    out[dof] = (qa[adr] - qb[adr]) * scale;
  }

  template <class Q, class R, class Row>
  PLIANT_HD static R transmission(const Q& qpos, int adr, int dof, const JointGear<R>& gear, Row& row) {
    row.put(dof, gear.linear.x);
    return gear.linear.x * qpos[adr];
  }

  template <class P>
  static void reference(const P&, double given, double* qpos) {
    qpos[0] = given;
  }
};

}  // namespace pliant

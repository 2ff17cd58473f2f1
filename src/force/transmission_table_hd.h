#pragma once
// The table of transmissions: what an actuator acts on decides its length and the row of its
// moment.

#include "base/team.h"
#include "force/transmission_body_hd.h"
#include "force/transmission_joint_hd.h"
#include "force/transmission_site_hd.h"
#include "force/transmission_slidercrank_hd.h"
#include "force/transmission_so3_hd.h"
#include "force/transmission_tendon_hd.h"
#include "pliant/types.h"

namespace pliant {

/// Length and moment of all outputs of one actuator, in the order of actuators.
template <class M, class S, class D>
PLIANT_HD void actuator_transmission(const M& m, const S& s, int actuator, MomentRow<D>& row) {
  switch (static_cast<TransmissionType>(m.actuator_trntype[actuator])) {
    case TransmissionType::kJoint:
    case TransmissionType::kJointInParent:
      return joint_transmission(m, s, actuator, row);
    case TransmissionType::kSliderCrank:
      return slidercrank_transmission(m, actuator, row);
    case TransmissionType::kTendon:
      return tendon_transmission(m, actuator, row);
    case TransmissionType::kSite:
      return site_transmission(m, actuator, row);
    case TransmissionType::kBody:
      return body_transmission(m, actuator, row);
    case TransmissionType::kSo3:
      return so3_transmission(m, s, actuator, row);
    case TransmissionType::kUndefined:
      return;
  }
}

/// The stage transmission. Rows of the moment follow one another; where the model alone decides how long they are,
/// members of a team know where each begins.
template <class Team, class M, class S, class D>
PLIANT_HD void transmission_stage(const Team& team, const M& m, const S& s, D& d) {
  if constexpr (!Team::kSerial) {
    if (m.order.moment_adr) {
      each(team, m.nactuator, [&](int i) PLIANT_INLINED {
        MomentRow<D> row{d, m.order.moment_adr[i]};
        actuator_transmission(m, s, i, row);
      });
      return;
    }
  }
  once(team, [&]() PLIANT_INLINED {
    MomentRow<D> row{d, 0};
    for (int i = 0; i < m.nactuator; ++i) actuator_transmission(m, s, i, row);
  });
}

}  // namespace pliant

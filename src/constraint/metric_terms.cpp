// Room for the terms of the metric.

#include "constraint/metric_terms.h"

#include "pliant/kinds.h"

namespace pliant {
namespace {

// Whether the moment of an actuator can have several dofs.
bool is_coupling(const Model& m, int actuator) {
  const auto type = static_cast<TransmissionType>(m.actuator_trntype[actuator]);
  if (type != TransmissionType::kJoint && type != TransmissionType::kJointInParent) return true;
  return joint_kind(m.jnt_type[m.actuator_trnid[2 * actuator]]).velocities > 1;
}

}  // namespace

CountedRows metric_term_room(const Model& m) {
  CountedRows room{0, 0, 0};
  if (!has_metric_terms(m)) return room;
  for (int t = 0; t < m.ntendon; ++t) {
    if (m.ten_J_rownnz[t] < 2 || !tendon_can_stiffen(m, t)) continue;
    ++room.rows;
    room.entries += m.ten_J_rownnz[t];
  }
  bool coupled = false;
  for (int i = 0; i < m.nactuator; ++i) {
    if (!is_coupling(m, i) || !actuator_can_stiffen(m, i)) continue;
    room.rows += m.actuator_outnum[i];
    coupled = true;
  }
  if (coupled) room.entries += m.nJmom;
  if (room.rows) room.entries += static_cast<int64_t>(room.rows) * m.nmimiclead;
  room.segments = static_cast<int>(room.entries);
  return room;
}

}  // namespace pliant

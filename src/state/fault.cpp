// Checks of State and accelerations.

#include "state/fault.h"

#include <cmath>

#include "math/constants.h"

namespace pliant {
namespace {

struct Checked {
  Fault fault;
  const char* name;
  const double* data;
  int n;
};

}  // namespace

int first_bad(const double* x, int n) {
  // One comparison per number: NaN fails it, too. Counting in 64 bits lets the compiler work on four at once.
  int64_t bad = 0;
  for (int i = 0; i < n; ++i) bad += !(std::abs(x[i]) <= kHuge);
  if (bad == 0) return -1;
  for (int i = 0; i < n; ++i) {
    if (!(std::abs(x[i]) <= kHuge)) return i;
  }
  return -1;
}

void count_null_quaternions(const Model& m, const State& s, Data& d) {
  const auto count_null = [&](const double* x, const char* name, int adr) {
    const double* q = x + adr;
    // squares are exact enough here: either all four numbers are tiny or the length is not
    const double squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (squared < kTiny * kTiny) record_fault(s, d, Fault::kNullQuaternion, name, adr, q[0]);
  };
  for (int j = 0; j < m.njnt; ++j) {
    const auto type = static_cast<JointType>(m.jnt_type[j]);
    if (type == JointType::kBall) count_null(s.qpos, "qpos", m.jnt_qposadr[j]);
    if (type == JointType::kFree) count_null(s.qpos, "qpos", m.jnt_qposadr[j] + 3);
  }
  for (int i = 0; i < m.nmocap; ++i) count_null(s.mocap_quat, "mocap_quat", 4 * i);
}

int check_state(const Model& m, const State& s, Data& d) {
  const Checked inputs[] = {
      {Fault::kBadPosition, "qpos", s.qpos, m.nq},
      {Fault::kBadVelocity, "qvel", s.qvel, m.nv},
      {Fault::kBadActivation, "act", s.act, m.na},
      {Fault::kBadControl, "ctrl", s.ctrl, m.nu},
      {Fault::kBadAppliedForce, "qfrc_applied", s.qfrc_applied, m.nv},
      {Fault::kBadAppliedForce, "xfrc_applied", s.xfrc_applied, 6 * m.nbody},
      {Fault::kBadMocap, "mocap_pos", s.mocap_pos, 3 * m.nmocap},
      {Fault::kBadMocap, "mocap_quat", s.mocap_quat, 4 * m.nmocap},
  };
  int status = 0;
  for (const Checked& input : inputs) {
    const int bad = first_bad(input.data, input.n);
    if (bad < 0) continue;
    record_fault(s, d, input.fault, input.name, bad, input.data[bad]);
    status |= 1 << static_cast<int>(input.fault);
  }
  return status;
}

int check_acceleration(const Model& m, const State& s, Data& d) {
  const int bad = first_bad(d.qacc, m.nv);
  if (bad < 0) return 0;
  record_fault(s, d, Fault::kBadAcceleration, "qacc", bad, d.qacc[bad]);
  return 1 << static_cast<int>(Fault::kBadAcceleration);
}

}  // namespace pliant

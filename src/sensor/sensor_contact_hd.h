#pragma once
// Sensors of contacts, limits, rays and distances. There are no contacts, constraint rows or rays
// yet:
//
//   touch, contact, limits    read what they read when nothing touches and no limit is reached: 0,
//   but the frame
//                             of a net force, which is the world's
//   rangefinder, distances    read 0, which is no measurement; loading the model says so
//   user                      reads 0; there are no callbacks

#include "base/hd.h"
#include "pliant/types.h"

namespace pliant {

/// How a contact sensor chooses (its second parameter): the sum of all forces is reported in world
/// axes.
inline constexpr int kReduceNetForce = 3;
/// What it reports (bits of its first parameter), in this order, with the size of each.
enum : int { kContactNormal = 5, kContactTangent = 6, kNumContactData = 7 };
inline constexpr int kContactDataSize[kNumContactData] = {1, 3, 3, 1, 3, 3, 3};

template <class M, class Out>
PLIANT_HD void read_zero(const M& m, int i, Out& out) {
  for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = 0;
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_contacts(const M& m, const S&, const D&, int i, Out& out) {
  read_zero(m, i, out);
  const bool contact = m.sensor_type[i] == static_cast<int>(SensorType::kContact);
  if (!contact || m.sensor_intprm[kNumSensorPrm * i + 1] != kReduceNetForce) return;
  // x axis as the normal, y axis as the tangent
  int adr = 0;
  for (int k = 0; k < kNumContactData; ++k) {
    if (!(m.sensor_intprm[kNumSensorPrm * i] >> k & 1)) continue;
    if (k == kContactNormal) out[adr] = 1;
    if (k == kContactTangent) out[adr + 1] = 1;
    adr += kContactDataSize[k];
  }
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_limit_rows(const M& m, const S&, const D&, int i, Out& out) {
  read_zero(m, i, out);
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_later(const M& m, const S&, const D&, int i, Out& out) {
  read_zero(m, i, out);
}

}  // namespace pliant

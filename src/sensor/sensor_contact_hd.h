#pragma once
// Sensors of contacts, limits, rays and distances. There are no contacts, constraint rows or rays yet:
//
//   touch, contact, limits    read what they read when nothing touches and no limit is reached: 0
//   rangefinder, distances    read 0, which is no measurement; loading the model says so
//   user                      reads 0; there are no callbacks

#include "base/hd.h"

namespace pliant {

template <class M, class Out> PLIANT_HD void read_zero(const M& m, int i, Out& out) {
  for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = 0;
}
template <class M, class S, class D, class Out> PLIANT_HD void sense_contacts(const M& m, const S&, const D&, int i, Out& out) {
  read_zero(m, i, out);
}
template <class M, class S, class D, class Out> PLIANT_HD void sense_limit_rows(const M& m, const S&, const D&, int i, Out& out) {
  read_zero(m, i, out);
}
template <class M, class S, class D, class Out> PLIANT_HD void sense_later(const M& m, const S&, const D&, int i, Out& out) {
  read_zero(m, i, out);
}

}  // namespace pliant

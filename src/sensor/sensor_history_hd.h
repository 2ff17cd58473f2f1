#pragma once
// Readings that come late or seldom: what a sensor with a history reports, and what enters its
// history.
//
// reads history time · writes the numbers of one sensor, or its history
//
//   delay      reports what the history says about the time `delay` ago
//   interval   measures when the next tick is due; in between reports the last measurement
//   neither    reports what it measures; the history is for the user
//
// The cutoff belongs to measuring: what is read from a history is not clipped again.
// What enters a history belongs to the start of the step, under every integrator.

#include "base/team.h"
#include "state/history_hd.h"

namespace pliant {

template <class M>
PLIANT_HD bool has_history(const M& m, int sensor) {
  return m.sensor_history[2 * sensor] > 0;
}
template <class M>
PLIANT_HD bool is_reading_delayed(const M& m, int sensor) {
  return m.sensor_delay[sensor] > 0;
}

/// Whether this step takes a measurement: always, or once per interval.
template <class M, class S>
PLIANT_HD bool measures_now(const M& m, const S& s, int sensor) {
  const auto interval = m.sensor_interval[2 * sensor];
  return !(interval > 0) || s.history[sensor_history(m, sensor).mark()] + interval <= s.time[0];
}

/// The reading at a time, by the sensor's own order of interpolation.
template <class M, class S, class R, class Out>
PLIANT_HD void recall_reading(const M& m, const S& s, int sensor, R time, int order, Out out) {
  const auto reading = history_at(s.history, sensor_history(m, sensor), time, order);
  for (int k = 0; k < m.sensor_dim[sensor]; ++k) out[k] = reading.value(s.history, k);
}

/// Makes room in the history for this step's measurement; returns where its first number goes.
template <class M, class S>
PLIANT_HD int place_for_reading(const M& m, S& s, int sensor) {
  const HistoryPlace place = sensor_history(m, sensor);
  // ticks follow each other by exactly one interval, whatever the timestep
  if (m.sensor_interval[2 * sensor] > 0) s.history[place.mark()] += m.sensor_interval[2 * sensor];
  return history_insert(s.history, place, s.time[0]);
}

/// Readings of this step into the histories of the sensors that have one, if they are `good`.
template <class Team, class M, class S, class D>
PLIANT_HD void push_readings(const Team& team, const M& m, S& s, const D& d, bool good) {
  if (m.nhistory == 0) return;
  each(team, m.nsensor, [&](int i) {
    if (!good || !has_history(m, i) || !measures_now(m, s, i)) return;
    const auto now = (is_reading_delayed(m, i) ? d.next_reading : d.sensordata) + m.sensor_adr[i];
    const int at = place_for_reading(m, s, i);
    for (int k = 0; k < m.sensor_dim[i]; ++k) s.history[at + k] = now[k];
  });
}

}  // namespace pliant

#pragma once
// A history: the last n samples of a control or of a sensor, each with its time, in State::history.
//
// One history takes 2 + n + n·dim numbers, the reference's layout:
//   [mark, cursor, n times, n values of `dim` numbers]
// mark is the time of the last reading of a sensor with an interval; cursor is the place of the newest
// sample. Samples are in order of time from the place after the cursor, around the end of the ring.
//
// Reading at a time between two samples gives the older one (order 0), a straight line (1) or a cubic
// with Catmull–Rom slopes (2); before the oldest and after the newest sample, that sample: never an
// extrapolation. Cost: log n to read, 1 to insert the newest.

#include "math/constants.h"
#include "math/field_values.h"

namespace pliant {

/// Where a history lies: first number in State::history, samples, numbers per sample.
struct HistoryPlace {
  int start, samples, dim;
  PLIANT_HD int mark() const { return start; }
  PLIANT_HD int cursor() const { return start + 1; }
  PLIANT_HD int time(int slot) const { return start + 2 + slot; }
  PLIANT_HD int value(int slot) const { return start + 2 + samples + slot * dim; }
};

/// Whether the cursor, which anybody may write, is one of the slots.
template <class F>
PLIANT_HD bool is_history_sound(const F& history, HistoryPlace place) {
  const auto cursor = history[place.cursor()];
  return cursor >= 0 && cursor < place.samples;
}

/// The slot of the sample of a rank: 0 is the oldest, samples - 1 the newest. (Worlds of a batch all run through a
/// step, those with a fault, too: a cursor that is no slot must not lead outside.)
template <class F>
PLIANT_HD int history_slot(const F& history, HistoryPlace place, int rank) {
  const int cursor = is_history_sound(history, place) ? static_cast<int>(history[place.cursor()]) : 0;
  return (cursor + 1 + rank) % place.samples;
}
template <class F>
PLIANT_HD auto history_time(const F& history, HistoryPlace place, int rank) {
  return history[place.time(history_slot(history, place, rank))];
}

/// Rank of the first sample at time t or later; `samples` if all are earlier.
template <class F, class R>
PLIANT_HD int history_rank(const F& history, HistoryPlace place, R t) {
  int low = 0, high = place.samples;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (history_time(history, place, middle) < t) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Makes room for a sample at time t and returns where its first number goes. A sample of the same time is
/// replaced; otherwise the oldest is dropped.
template <class F, class R>
PLIANT_HD int history_insert(F& history, HistoryPlace place, R t) {
  const int rank = history_rank(history, place, t);
  if (rank == place.samples) {  // the newest: takes the slot of the oldest
    const int slot = history_slot(history, place, 0);
    history[place.cursor()] = slot;
    history[place.time(slot)] = t;
    return place.value(slot);
  }
  const int found = history_slot(history, place, rank);
  if (abs(history[place.time(found)] - t) < R(kTiny)) return place.value(found);
  if (rank == 0) {  // older than all: replaces the oldest
    history[place.time(found)] = t;
    return place.value(found);
  }
  // Between two samples: the older ones move down by one.
  for (int k = 1; k < rank; ++k) {
    const int from = history_slot(history, place, k), to = history_slot(history, place, k - 1);
    history[place.time(to)] = R(history[place.time(from)]);
    for (int j = 0; j < place.dim; ++j) history[place.value(to) + j] = R(history[place.value(from) + j]);
  }
  const int slot = history_slot(history, place, rank - 1);
  history[place.time(slot)] = t;
  return place.value(slot);
}

/// Weights of at most four samples: the value at some time is Σ weight · history[first + k], k the component.
template <class R>
struct HistoryReading {
  int count = 0;
  int first[4];
  R weight[4];
  PLIANT_HD void add(int place, R w) { first[count] = place, weight[count++] = w; }
  template <class F>
  PLIANT_HD R value(const F& history, int component) const {
    R sum = weight[0] * history[first[0] + component];
    for (int i = 1; i < count; ++i) sum += weight[i] * history[first[i] + component];
    return sum;
  }
};

/// How to read a history at time t. `order` of interpolation: 0 hold, 1 linear, otherwise cubic.
template <class F, class R>
PLIANT_HD HistoryReading<R> history_at(const F& history, HistoryPlace place, R t, int order) {
  HistoryReading<R> reading;
  const auto only = [&](int rank) {
    reading.add(place.value(history_slot(history, place, rank)), R(1));
    return reading;
  };
  const int newest = place.samples - 1;
  if (t <= history_time(history, place, 0) + R(kTiny)) return only(0);
  if (t >= history_time(history, place, newest) - R(kTiny)) return only(newest);
  const int next = history_rank(history, place, t), last = next - 1;
  const R next_time = history_time(history, place, next), last_time = history_time(history, place, last);
  if (abs(t - next_time) < R(kTiny)) return only(next);
  if (order == 0) return only(last);

  const R span = next_time - last_time, x = (t - last_time) / span;
  const int from = place.value(history_slot(history, place, last));
  const int to = place.value(history_slot(history, place, next));
  if (order == 1) {
    reading.add(from, 1 - x);
    reading.add(to, x);
    return reading;
  }
  // Cubic Hermite; a slope is the difference of the neighbours, 0 at the ends of the history.
  const R x2 = x * x, x3 = x2 * x;
  R from_weight = 2 * x3 - 3 * x2 + 1, to_weight = 3 * x2 - 2 * x3;
  const R from_slope = x3 - 2 * x2 + x, to_slope = x3 - x2;
  R before = 0, after = 0;
  if (last > 0) {
    before = from_slope * span / (next_time - R(history_time(history, place, last - 1)));
    to_weight += before;
  }
  if (next < newest) {
    after = to_slope * span / (R(history_time(history, place, next + 1)) - last_time);
    from_weight -= after;
  }
  reading.add(from, from_weight);
  reading.add(to, to_weight);
  if (last > 0) reading.add(place.value(history_slot(history, place, last - 1)), -before);
  if (next < newest) reading.add(place.value(history_slot(history, place, next + 1)), after);
  return reading;
}

/// The history of an actuator's controls; only where actuator_history has samples.
template <class M>
PLIANT_HD HistoryPlace control_history(const M& m, int actuator) {
  return {m.actuator_historyadr[actuator], m.actuator_history[2 * actuator], m.actuator_ctrlnum[actuator]};
}
/// The history of a sensor's readings; only where sensor_history has samples.
template <class M>
PLIANT_HD HistoryPlace sensor_history(const M& m, int sensor) {
  return {m.sensor_historyadr[sensor], m.sensor_history[2 * sensor], m.sensor_dim[sensor]};
}
/// f(place) for every history, or for the share of a member of a team.
template <class M, class F>
PLIANT_HD void each_history(const M& m, int lane, int size, F&& f) {
  for (int i = lane; i < m.nactuator; i += size) {
    if (m.actuator_history[2 * i] > 0) f(control_history(m, i));
  }
  for (int i = lane; i < m.nsensor; i += size) {
    if (m.sensor_history[2 * i] > 0) f(sensor_history(m, i));
  }
}

}  // namespace pliant

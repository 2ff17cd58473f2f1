#pragma once
// The sensor stages for one world: each reads the sensors that need no more than the stages before it.
//
// reads almost everything · writes sensordata · cost: linear in the readings
// What only some sensors need (energies, subtree velocities, forces on bodies) is computed once, before the first of
// them; then every sensor is one member's. With the flag "sensor" disabled the readings stay as they are.
//
// A delayed sensor reports what its history holds (sensor_history_hd.h); it is measured at the end of the step.

#include <limits>

#include "balance/on_demand_hd.h"
#include "sensor/sensor_history_hd.h"
#include "sensor/sensor_table_hd.h"

namespace pliant {

/// Whether a sensor is measured in its stage, and not recalled.
template <class M, class S>
PLIANT_HD bool is_measured(const M& m, const S& s, int i) {
  return !has_history(m, i) || (!is_reading_delayed(m, i) && measures_now(m, s, i));
}
/// Whether it is measured at the end of the step.
template <class M, class S>
PLIANT_HD bool is_measured_late(const M& m, const S& s, int i) {
  return has_history(m, i) && is_reading_delayed(m, i) && measures_now(m, s, i);
}

/// Computes what the sensors of a stage need (kNone: those measured at the end of the step), where that was settled
/// when the batch was made.
template <class Team, class M, class S, class D>
PLIANT_HD void provide_for_stage(const Team& team, const M& m, const S& s, D& d, Stage stage) {
  if constexpr (requires { m.sensor_needs; }) {
    if (const int needs = m.sensor_needs.before(stage)) provide(team, m, s, d, needs);
  }
}

/// Measures a sensor. On the CPU, where sensors may be written between steps, the first that needs something asks for
/// it.
template <SensorPart part, class Team, class M, class S, class D, class Out>
PLIANT_HD void measure(const Team& team, const M& m, const S& s, D& d, int i, Out out) {
  if constexpr (!requires { m.sensor_needs; }) {
    static_assert(Team::kSerial);
    const SensorNeed need = kSensorKinds[m.sensor_type[i]].need;
    if (need != SensorNeed::kNothing && claim(d, bit(need))) provide(team, m, s, d, bit(need));
  }
  read_sensor_now<part>(m, s, d, i, out);
}

/// One sensor, from its history or from Data.
template <SensorPart part, class Team, class M, class S, class D>
PLIANT_HD void report_sensor(const Team& team, const M& m, const S& s, D& d, int i) {
  const auto out = d.sensordata + m.sensor_adr[i];
  if (is_measured(m, s, i)) {
    measure<part>(team, m, s, d, i, out);
  } else {
    const auto time = is_reading_delayed(m, i) ? s.time[0] - m.sensor_delay[i] : s.time[0];
    recall_reading(m, s, i, time, m.sensor_history[2 * i + 1], out);
  }
}

template <SensorPart part>
struct OfPart {
  static constexpr SensorPart kPart = part;
  template <class M>
  PLIANT_HD static bool has(const M& m, int i) {
    if constexpr (part == SensorPart::kAll) return true;
    return is_part<part>(static_cast<SensorType>(m.sensor_type[i]));
  }
};

/// f(part, m, s, d) for all sensors at once, or for larger teams for those that are inlined and those that are calls.
/// These get views of their own: they are taken by address, and views whose address is taken would not stay in
/// registers for the others. (10 kB for every thread: 0.2 ms for 8192 worlds on an H200, however few sensors.)
template <class Team, class M, class S, class D, class F>
PLIANT_HD void each_part(const Team&, const M& m, const S& s, D& d, F&& f) {
  if constexpr (Team::kSerial) {
    f(OfPart<SensorPart::kAll>(), m, s, d);
  } else {
    f(OfPart<SensorPart::kInlined>(), m, s, d);
    if (!m.sensor_needs.calls) return;
    const M own_model = m;
    const S own_state = s;
    D own_data = d;
    f(OfPart<SensorPart::kCalls>(), own_model, own_state, own_data);
  }
}

template <class Team, class M, class S, class D>
PLIANT_HD void report_sensors(const Team& team, const M& m, const S& s, D& d, Stage stage) {
  if (m.nsensor == 0 || (m.opt.disableflags & kDisableSensor)) return;
  provide_for_stage(team, m, s, d, stage);
  each_part(team, m, s, d, [&](auto part, const auto& model, const auto& state, auto& data) PLIANT_INLINED {
    each(team, model.nsensor, [&](int i) PLIANT_INLINED {
      if (model.sensor_needstage[i] != static_cast<int>(stage) || !part.has(model, i)) return;
      report_sensor<part.kPart>(team, model, state, data, i);
    });
  });
}

template <class Team, class M, class S, class D>
PLIANT_HD void position_sensors_stage(const Team& team, const M& m, const S& s, D& d) {
  report_sensors(team, m, s, d, Stage::kPosition);
}
template <class Team, class M, class S, class D>
PLIANT_HD void velocity_sensors_stage(const Team& team, const M& m, const S& s, D& d) {
  report_sensors(team, m, s, d, Stage::kVelocity);
}
template <class Team, class M, class S, class D>
PLIANT_HD void acceleration_sensors_stage(const Team& team, const M& m, const S& s, D& d) {
  report_sensors(team, m, s, d, Stage::kAcceleration);
}

/// Place of the first number of a sensor that is not finite; -1: none. Users may write what they like.
template <class M, class F>
PLIANT_HD int bad_reading_of(const M& m, const F& readings, int sensor) {
  using R = ScalarOf<F>;
  if (m.sensor_type[sensor] == static_cast<int>(SensorType::kUser)) return -1;
  for (int k = m.sensor_adr[sensor]; k < m.sensor_adr[sensor] + m.sensor_dim[sensor]; ++k) {
    if (!(std::abs(readings[k]) <= std::numeric_limits<R>::max())) return k;
  }
  return -1;
}

/// Place in sensordata of a reading that is not finite, the first that this member has found; -1 if none is.
template <class Team, class M, class D>
PLIANT_HD int first_bad_reading(const Team& team, const M& m, const D& d) {
  int bad = -1;
  for (int i = team.lane(); i < m.nsensor && bad < 0; i += team.size()) bad = bad_reading_of(m, d.sensordata, i);
  return bad;
}

/// next_reading: what delayed sensors measure now. What they report is older. Returns the place of a number that is not
/// finite, the first that this member has found; -1 if none is.
template <class Team, class M, class S, class D>
PLIANT_HD int measure_delayed(const Team& team, const M& m, const S& s, D& d) {
  if (m.nhistory == 0 || m.nsensor == 0) return -1;
  provide_for_stage(team, m, s, d, Stage::kNone);
  int bad = -1;
  each_part(team, m, s, d, [&](auto part, const auto& model, const auto& state, auto& data) {
    each(team, model.nsensor, [&](int i) {
      if (!is_measured_late(model, state, i) || !part.has(model, i)) return;
      measure<part.kPart>(team, model, state, data, i, data.next_reading + model.sensor_adr[i]);
      if (bad < 0) bad = bad_reading_of(model, data.next_reading, i);
    });
  });
  return bad;
}

}  // namespace pliant

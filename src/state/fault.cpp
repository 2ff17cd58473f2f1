// Checks of State and accelerations.

#include "state/fault.h"

#include <cmath>

#include "joint/joint.h"
#include "math/constants.h"
#include "pliant/option_checks.h"
#include "state/checks_hd.h"
#include "state/history_hd.h"

namespace pliant {
namespace {

int check_numbers(const State& s, Data& d, Fault fault, const char* name, const double* x, int n) {
  const int bad = first_bad(x, n);
  return bad >= 0 ? refuse(s, d, fault, name, bad, x[bad]) : 0;
}

}  // namespace

// A cursor is a number among numbers; used as a place, it must be one.
int check_histories(const Model& m, const State& s, Data& d) {
  if (m.nhistory == 0) return 0;
  int faults = 0;
  each_history(m, 0, 1, [&](HistoryPlace place) {
    if (is_history_sound(s.history, place)) return;
    faults |= refuse(s, d, Fault::kBadHistory, "history", place.cursor(), s.history[place.cursor()]);
  });
  return faults;
}

int first_bad(const double* x, int n) {
  // One comparison per number: NaN fails it, too. Counting in 64 bits lets the compiler work on four at once.
  int64_t bad = 0;
  for (int i = 0; i < n; ++i) bad += is_bad(x[i]);
  if (bad == 0) return -1;
  for (int i = 0; i < n; ++i) {
    if (is_bad(x[i])) return i;
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
    const int quaternion = quaternion_of(m.jnt_type[j]);
    if (quaternion < 0) continue;
    count_null(s.qpos, "qpos", m.jnt_qposadr[j] + quaternion);
    if (m.jnt_plasticadr[j] >= 0) count_null(s.plastic, "plastic", m.jnt_plasticadr[j] + quaternion);
  }
  for (int i = 0; i < m.nmocap; ++i) count_null(s.mocap_quat, "mocap_quat", 4 * i);
}

int check_options(const Model& m, const State& s, Data& d) {
  const OptionProblem problem = option_problem(m.opt);
  return problem ? refuse(s, d, Fault::kBadOption, problem.option, problem.index, problem.value) : 0;
}

int check_state(const Model& m, const State& s, Data& d) {
  int faults = 0;
  each_input(m, s, [&](Fault fault, const char* name, const double* x, int n) {
    faults |= check_numbers(s, d, fault, name, x, n);
  });
  return faults | check_histories(m, s, d);
}

int check_acceleration(const Model& m, const State& s, Data& d) {
  return check_numbers(s, d, Fault::kBadAcceleration, "qacc", d.qacc, m.nv);
}

int check_next(const Model& m, const State& s, Data& d, int bad_reading) {
  int faults = 0;
  each_result(m, d, [&](Fault fault, const char* name, const double* x, int n) {
    faults |= check_numbers(s, d, fault, name, x, n);
  });
  if (bad_reading >= 0) {
    faults |= refuse(s, d, Fault::kBadReading, "sensordata", bad_reading, d.next_reading[bad_reading]);
  }
  return faults;
}

}  // namespace pliant

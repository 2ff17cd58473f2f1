// Derivatives by finite differences: every input is nudged, a step is made, outputs are compared.
//
// Each thread has a State and a Data of its own and takes every n-th input. What a nudge cannot change is not computed
// again: controls and activations leave the position and velocity phases as they are, velocities the position phase.
// Therefore every thread goes through its inputs in the order controls, activations, velocities, positions. Cost: 2 nv
// + na + nu steps (twice that if centered), of which nv are whole ones.

#include "pliant/derivative.h"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/pool.h"
#include "pliant/query.h"

namespace pliant {
namespace {

using Vector = std::vector<double>;

int thread_count(const DifferenceOptions& options) {
  if (!(options.eps > 0) || !std::isfinite(options.eps)) {
    throw std::invalid_argument("finite differences: eps must be a positive number");
  }
  return options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
}

void copy(const double* from, int n, Vector& to) { to.assign(from, from + n); }

/// Next state and sensors of one step.
struct Outcome {
  Vector qpos, qvel, act, sensors;
};

/// One thread's place of work.
class Stepper {
 public:
  Stepper(const Model& m, const State& s, bool sensors) : m_(m), start_(s), state(s), data_(m), sensors_(sensors) {}

  State& back_to_start() {
    state = start_;
    return state;
  }

  /// A step of `state`; `first` is the first phase that its nudge changed.
  StepStatus run(Phase first, Outcome& out) {
    if (const int faults = run_phases_checked(first)) return {faults};
    const StepStatus status = advance(m_, state, data_, m_.opt.integrator);
    copy(state.qpos, m_.nq, out.qpos), copy(state.qvel, m_.nv, out.qvel), copy(state.act, m_.na, out.act);
    if (sensors_) copy(data_.sensordata, m_.nsensordata, out.sensors);
    return status;
  }

 private:
  int run_phases_checked(Phase first) {
    run_phases(m_, state, data_, first, Phase::kAcceleration, sensors_);
    for (int i = 0; i < m_.nv; ++i) {
      if (!std::isfinite(data_.qacc[i])) return 1 << static_cast<int>(Fault::kBadAcceleration);
    }
    return 0;
  }

  const Model& m_;
  const State& start_;

 public:
  State state;

 private:
  Data data_;
  bool sensors_;
};

/// The matrices as columns: one per input, first (dq, qvel, act), then controls.
class TransitionColumns {
 public:
  TransitionColumns(const Model& m, const Transition& result) : m_(m), result_(result), nx_(2 * m.nv + m.na) {}

  int nx() const { return nx_; }
  /// Column `input` = (b - a) / h.
  void write(int input, const Outcome& a, const Outcome& b, double h) const {
    const bool is_state = input < nx_;
    const int column = is_state ? input : input - nx_, width = is_state ? nx_ : m_.nu;
    if (double* matrix = is_state ? result_.A : result_.B) {
      Vector dq(static_cast<size_t>(m_.nv));
      differentiate_pos(m_, dq.data(), h, a.qpos.data(), b.qpos.data());
      for (int i = 0; i < m_.nv; ++i) matrix[i * width + column] = dq[i];
      for (int i = 0; i < m_.nv; ++i) matrix[(m_.nv + i) * width + column] = (b.qvel[i] - a.qvel[i]) / h;
      for (int i = 0; i < m_.na; ++i) matrix[(2 * m_.nv + i) * width + column] = (b.act[i] - a.act[i]) / h;
    }
    if (double* matrix = is_state ? result_.C : result_.D) {
      for (int i = 0; i < m_.nsensordata; ++i) matrix[i * width + column] = (b.sensors[i] - a.sensors[i]) / h;
    }
  }
  bool wants_states() const { return result_.A || result_.C; }
  bool wants_controls() const { return result_.B || result_.D; }
  bool wants_sensors() const { return result_.C || result_.D; }

 private:
  const Model& m_;
  const Transition& result_;
  int nx_;
};

/// Moves input `input` of a state by `by`.
void nudge(const Model& m, State& s, int input, double by) {
  const int nv = m.nv;
  if (input < nv) {
    Vector unit(static_cast<size_t>(nv), 0.0);
    unit[input] = 1;
    integrate_pos(m, s.qpos, unit.data(), by);
  } else if (input < 2 * nv) {
    s.qvel[input - nv] += by;
  } else if (input < 2 * nv + m.na) {
    s.act[input - 2 * nv] += by;
  } else {
    s.ctrl[input - 2 * nv - m.na] += by;
  }
}

/// First phase of a step that an input has an effect on.
Phase first_phase(const Model& m, int input) {
  if (m.opt.integrator == Integrator::kRk4) return Phase::kPosition;
  return input < m.nv ? Phase::kPosition : input < 2 * m.nv ? Phase::kVelocity : Phase::kForce;
}

/// Whether an input may be moved by `by`: controls stay in their range.
bool may_nudge(const Model& m, const State& s, int input, double by) {
  const int control = input - 2 * m.nv - m.na;
  if (control < 0 || !m.actuator_ctrllimited[control]) return true;
  const double *range = m.actuator_ctrlrange + 2 * control, now = s.ctrl[control], then = now + by;
  return now >= range[0] && now <= range[1] && then >= range[0] && then <= range[1];
}

/// The column of one input.
StepStatus difference(const Model& m, const State& s, const DifferenceOptions& options, const Outcome& base, int input,
                      const TransitionColumns& columns, Stepper& stepper) {
  const double eps = options.eps;
  const bool forth = may_nudge(m, s, input, eps);
  const bool back = (options.centered || !forth) && may_nudge(m, s, input, -eps);
  Outcome plus = base, minus = base;
  if (forth) {
    nudge(m, stepper.back_to_start(), input, eps);
    if (const StepStatus status = stepper.run(first_phase(m, input), plus); !status.ok()) return status;
  }
  if (back) {
    nudge(m, stepper.back_to_start(), input, -eps);
    if (const StepStatus status = stepper.run(first_phase(m, input), minus); !status.ok()) return status;
  }
  columns.write(input, minus, plus, forth && back ? 2 * eps : eps);
  return {};
}

/// Faults of all threads, in the order of threads.
StepStatus first_fault(const std::vector<StepStatus>& statuses) {
  for (const StepStatus& status : statuses) {
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace

StepStatus transition_derivative(const Model& m, const State& s, const DifferenceOptions& options,
                                 const Transition& result) {
  const TransitionColumns columns(m, result);
  std::vector<int> inputs;  // in the order in which phases can be kept
  const int nx = columns.nx();
  if (columns.wants_controls()) {
    for (int i = nx; i < nx + m.nu; ++i) inputs.push_back(i);
  }
  if (columns.wants_states()) {
    for (int i = 2 * m.nv; i < nx; ++i) inputs.push_back(i);
    for (int i = m.nv; i < 2 * m.nv; ++i) inputs.push_back(i);
    for (int i = 0; i < m.nv; ++i) inputs.push_back(i);
  }
  Pool pool(thread_count(options));
  std::vector<StepStatus> statuses(static_cast<size_t>(pool.size()));
  pool.run(pool.size(), [&](int thread, int, int) {
    Stepper stepper(m, s, columns.wants_sensors());
    Outcome base;
    StepStatus& status = statuses[static_cast<size_t>(thread)];
    status = stepper.run(Phase::kPosition, base);
    for (size_t i = static_cast<size_t>(thread); i < inputs.size() && status.ok(); i += statuses.size()) {
      status = difference(m, s, options, base, inputs[i], columns, stepper);
    }
  });
  return first_fault(statuses);
}

namespace {

/// Force, sensors and mass matrix of one state and acceleration.
struct InverseOutcome {
  Vector force, sensors, mass;
};

StepStatus run_inverse(const Model& m, const State& s, Data& d, bool without_actuation, InverseOutcome& out) {
  const StepStatus status = inverse(m, s, d);
  copy(d.qfrc_inverse, m.nv, out.force), copy(d.sensordata, m.nsensordata, out.sensors), copy(d.M, m.nC, out.mass);
  if (without_actuation) {
    run_phases(m, s, d, Phase::kForce, Phase::kForce, false);
    for (int i = 0; i < m.nv; ++i) out.force[i] -= d.qfrc_actuator[i];
  }
  return status;
}

void write_row(double* matrix, int row, const Vector& a, const Vector& b, double h) {
  if (!matrix) return;
  for (size_t i = 0; i < a.size(); ++i) matrix[static_cast<size_t>(row) * a.size() + i] = (b[i] - a[i]) / h;
}

}  // namespace

StepStatus inverse_derivative(const Model& m, const State& s, const double* qacc, bool without_actuation,
                              const DifferenceOptions& options, const InverseDerivative& r) {
  const int nv = m.nv;
  const double eps = options.eps;
  Pool pool(thread_count(options));
  std::vector<StepStatus> statuses(static_cast<size_t>(pool.size()));
  pool.run(pool.size(), [&](int thread, int, int) {
    StepStatus& status = statuses[static_cast<size_t>(thread)];
    State state(s);
    Data data(m);
    InverseOutcome base, nudged;
    const auto run_at = [&](int input, InverseOutcome& out) {  // input: dof of q, v, a; -1: none
      state = s;
      std::memcpy(data.qacc, qacc, sizeof(double) * static_cast<size_t>(nv));
      if (input >= 2 * nv) {
        data.qacc[input - 2 * nv] += eps;
      } else if (input >= 0) {
        nudge(m, state, input, eps);
      }
      return run_inverse(m, state, data, without_actuation, out);
    };
    status = run_at(-1, base);
    for (int input = thread; input < 3 * nv && status.ok(); input += pool.size()) {
      double* const force[] = {r.DfDq, r.DfDv, r.DfDa};
      double* const sensor[] = {r.DsDq, r.DsDv, r.DsDa};
      const int kind = input / nv, dof = input % nv;
      if (!force[kind] && !sensor[kind] && !(kind == 0 && r.DmDq)) continue;
      status = run_at(input, nudged);
      write_row(force[kind], dof, base.force, nudged.force, eps);
      write_row(sensor[kind], dof, base.sensors, nudged.sensors, eps);
      if (kind == 0) write_row(r.DmDq, dof, base.mass, nudged.mass, eps);
    }
  });
  return first_fault(statuses);
}

}  // namespace pliant

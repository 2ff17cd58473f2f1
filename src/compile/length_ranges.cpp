// Length ranges of actuators that are neither given nor taken from limits: found by pulling the mechanism to both ends.
//
// The actuator alone pulls, with a force that would give the mechanism an acceleration of <lengthrange accel>, first
// towards short, then towards long; velocities are damped with `timeconst`. Limits and equalities stop it. After
// `inttotal` seconds the extreme lengths of the last `interval` seconds are the range, if they have settled to
// within `tolrange`. Contacts, friction loss, springs, dampers, gravity and actuators are off, as in the reference.
// Cost: 2 inttotal / timestep steps per actuator.

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.h"
#include "compile/compile.h"
#include "inertia/inertia.h"
#include "pliant/step.h"

namespace pliant {
namespace {

// A document of a few characters must not ask for hours.
constexpr double kMaxSteps = 1e6;
// Shortest time constant of the damping, the reference's number [s].
constexpr double kMinTimeconst = 0.01;

struct Reach {
  double low = 0, high = 0;
  bool any = false;
  void add(double length) {
    low = any ? std::min(low, length) : length;
    high = any ? std::max(high, length) : length;
    any = true;
  }
};

double norm(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

class LengthRanges {
 public:
  LengthRanges(Work& work, Model& model)
      : work_(work), m_(model), options_(work.spec.compilers[0].lengthrange), state_(model), data_(model) {}

  void find(int actuator) {
    Reach reach[2];
    for (int side = 0; side < 2; ++side) {
      if (!pull(m_.actuator_outadr[actuator], side, reach[side])) return report(actuator, "the simulation is unstable");
    }
    double* range = m_.actuator_lengthrange + 2 * m_.actuator_outadr[actuator];
    range[0] = reach[0].low;
    range[1] = reach[1].high;
    const double width = range[1] - range[0];
    const std::string found = "(" + number_text(range[0]) + ", " + number_text(range[1]) + ")";
    if (!(width > 0)) return report(actuator, "it came out as " + found);
    for (const Reach& end : reach) {
      if (end.high - end.low > options_.tolrange * width) {
        return report(actuator, "the simulation did not settle: at one end the length still moves between " +
                                    number_text(end.low) + " and " + number_text(end.high) + ", of " + found);
      }
    }
  }

 private:
  // Simulates with the actuator pulling towards one end; false if a step was refused.
  bool pull(int out, int side, Reach& reach) {
    state_.reset(m_);
    data_.reset();
    const double damping = std::exp(-m_.opt.timestep / std::max(kMinTimeconst, options_.timeconst));
    while (*state_.time < options_.inttotal) {
      for (int i = 0; i < m_.nv; ++i) state_.qvel[i] *= damping;
      if (!step1(m_, state_, data_).ok()) return false;
      apply_force(out, side ? 1 : -1);
      if (!step2(m_, state_, data_).ok()) return false;
      if (*state_.time > options_.inttotal - options_.interval) reach.add(data_.actuator_length[out]);
    }
    return true;
  }

  // A force along the actuator's moment whose acceleration has the wanted size.
  void apply_force(int out, double sign) {
    double *force = state_.qfrc_applied, *acceleration = data_.dof_scratch;
    std::fill_n(force, m_.nv, 0.0);
    const int adr = data_.moment_rowadr[out];
    for (int k = adr; k < adr + data_.moment_rownnz[out]; ++k) force[data_.moment_colind[k]] = data_.actuator_moment[k];
    std::copy_n(force, m_.nv, acceleration);
    solve_mass(m_, data_, acceleration);
    double scale = sign * options_.accel / std::max(kTiny, norm(acceleration, m_.nv));
    const double size = std::abs(scale) * norm(force, m_.nv);
    if (options_.maxforce > 0 && size > options_.maxforce) scale *= options_.maxforce / std::max(kTiny, size);
    for (int i = 0; i < m_.nv; ++i) force[i] *= scale;
  }

  void report(int actuator, const std::string& what) {
    work_.error(Code::kBadActuator, work_.spec.actuators[static_cast<size_t>(actuator)], "",
                "has no length range: it is found by simulation, and " + what,
                "give it 'lengthrange', or limits to the joints it moves");
  }

  Work& work_;
  Model& m_;
  const LengthRangeSpec& options_;
  State state_;
  Data data_;
};

bool affordable(Work& work, const Model& model) {
  const LengthRangeSpec& options = work.spec.compilers[0].lengthrange;
  const double timestep = options.timestep > 0 ? options.timestep : model.opt.timestep;
  const double steps = options.inttotal / timestep;
  if (steps <= kMaxSteps) return true;
  work.diagnostics.error(
      Code::kTooLarge, Origin{0, 0, 0}, "lengthrange",
      "length ranges are found by simulation, which would take " + number_text(steps) + " steps for each actuator",
      "lower 'inttotal' or raise 'timestep' of <lengthrange>");
  return false;
}

}  // namespace

void write_length_ranges(Work& work, Model& model) {
  const auto wanted = [](const ActuatorWork& actuator) { return actuator.simulate_range; };
  if (std::none_of(work.actuators.begin(), work.actuators.end(), wanted) || !affordable(work, model)) return;
  const Options own = model.opt;
  model.opt.disableflags =
      kDisableFrictionLoss | kDisableContact | kDisableSpring | kDisableDamper | kDisableGravity | kDisableActuation;
  if (const double timestep = work.spec.compilers[0].lengthrange.timestep; timestep > 0) model.opt.timestep = timestep;
  LengthRanges ranges(work, model);
  for (size_t i = 0; i < work.actuators.size(); ++i) {
    if (wanted(work.actuators[i])) ranges.find(static_cast<int>(i));
  }
  model.opt = own;
}

}  // namespace pliant

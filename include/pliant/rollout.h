#pragma once
// Many trajectories of one Model (or of Models of the same sizes) from given states under given controls.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pliant/state_vector.h"
#include "pliant/step.h"

namespace pliant {

/// The parts of a State that rollouts start from and write: time, qpos, qvel, act, history, plastic.
inline constexpr unsigned kStateFullPhysics =
    kStateTime | kStateQpos | kStateQvel | kStateAct | kStateHistory | kStatePlugin | kStatePlastic;
/// The parts that controls of a rollout may set.
inline constexpr unsigned kStateUser = kStateCtrl | kStateQfrcApplied | kStateXfrcApplied | kStateEqActive |
                                       kStateMocapPos | kStateMocapQuat | kStateUserdata;

/// Numbers with a row per world, or one row for all of them.
struct RowsOf {
  const double* data = nullptr;
  int rows = 0;  ///< 1 or nworld
  const double* row(int world, size_t width) const {
    return data ? data + width * static_cast<size_t>(rows == 1 ? 0 : world) : nullptr;
  }
};

/// A parameter of the Model that differs from world to world ("body_mass", "geom_friction" …).
struct WorldParameter {
  std::string name;
  RowsOf values;
};

struct RolloutInput {
  std::vector<const Model*> models;  ///< one, or one per world; all of the same sizes
  int nworld = 0, nstep = 0;
  RowsOf state;      ///< state_size(kStateFullPhysics) numbers each; everything else starts as State::reset leaves it
  RowsOf warmstart;  ///< qacc_warmstart; zero where not given
  /// Controls: parts `control_parts` of the State, per world and step; 1 or nstep of them per world.
  RowsOf control;
  int control_steps = 0;
  unsigned control_parts = kStateCtrl;
  std::vector<WorldParameter> parameters;
  bool set_const = false;  ///< recompute what follows from the parameters (inverse weights …), per world
};

/// Status of a world whose parameters set_const refuses; it makes no step.
inline constexpr int kRefusedParameters = -1;

/// Where results go; nullptr: not wanted.
struct RolloutOutput {
  double* state = nullptr;       ///< nworld x nstep x state_size(kStateFullPhysics): after every step
  double* sensordata = nullptr;  ///< nworld x nstep x nsensordata
  double* warmstart = nullptr;   ///< nworld x nv: what a rollout that continues must be given
  double* warmstarts = nullptr;  ///< nworld x nstep x nv: the same after every step
  int32_t* status = nullptr;     ///< nworld: bits of Fault of the step that was refused, kRefusedParameters, or 0
  int32_t* steps = nullptr;      ///< nworld: steps that were made
};

/// A world whose step was refused.
struct RolloutFault {
  int world = 0, step = 0;
  std::string message;
};

/// Threads with a State and a Data each, kept between rollouts. Results do not depend on the number of threads.
class Rollout {
 public:
  /// Threads in all, the caller's included; 0: one per core.
  explicit Rollout(int threads = 0);
  ~Rollout();

  int threads() const;
  /// Moves every world. A world whose step is refused stays where it is: the rest of its outputs repeats the last good
  /// ones, zeros for sensors if there was none. Returns those worlds, in order. Where `stop` is given, the calling
  /// thread asks it some ten times per second, and ends all work when it says so. Throws std::invalid_argument when
  /// sizes do not fit.
  std::vector<RolloutFault> run(const RolloutInput& input, const RolloutOutput& output,
                                const std::function<bool()>& stop = {});

 private:
  struct Workers;
  std::unique_ptr<Workers> workers_;
};

}  // namespace pliant

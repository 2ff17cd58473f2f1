#pragma once
// Many simulations of one Model whose states are the rows of one matrix, to be read and written between calls. What is
// behind pliant.mujoco.batch; `Batch` (batch.h) has an array per field instead, and GPUs.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/state_vector.h"
#include "pliant/step.h"

namespace pliant {

/// An array with a row of `count` scalars per simulation.
struct SimArray {
  void* data = nullptr;  ///< nullptr: there is no such array
  Scalar scalar = Scalar::real;
  size_t count = 0;
};

/// What a rollout keeps after every step: an array of State or Data by name, or a state vector.
struct SimRecord {
  std::string name;      ///< "": parts of the state
  unsigned parts = 0;    ///< bits of StatePart
  void* data = nullptr;  ///< a row per simulation of the call and step
  size_t bytes = 0;      ///< of all of it, as the caller has made it
};

/// Simulation i is row i of `state` (all parts of StatePart); a call loads rows, runs, copies out what is kept of Data,
/// and saves the rows, on several threads. Bits of the results do not depend on their number. Where a step is refused,
/// the row stays as it was before the call.
class StateBatch {
 public:
  /// threads 0: one per core. persistent: every simulation keeps its Data from call to call. Throws
  /// std::invalid_argument.
  StateBatch(const Model& model, int nsim, int threads = 0, bool persistent = false);
  ~StateBatch();
  StateBatch(const StateBatch&) = delete;
  StateBatch& operator=(const StateBatch&) = delete;

  int nsim() const;
  int threads() const;
  int nstate() const;
  bool persistent() const;
  const Model& model() const;

  /// nsim x nstate numbers.
  double* state();
  /// Bits of Fault per simulation, of its last call; -1: another error.
  std::span<const int> status() const;
  /// nsim x kNumFaults x 2: place of the last fault of each kind, and how many there were.
  int* faults();
  /// Why the last call of a simulation failed; "" if it did not.
  const std::string& error(int sim) const;

  /// An array of Data, or a count (ncon, nefc …), copied out after every call from now on.
  SimArray output(std::string_view name);
  /// A parameter of the Model ("body_mass") or option ("opt.gravity") with a row per simulation; the first call gives
  /// all of them the Model's own.
  SimArray expand(std::string_view name);
  /// Likewise, as far as it is so already.
  SimArray expanded(std::string_view name) const;
  /// Called after every stage of every pass (Data::probe), by the threads that run simulations; empty: nothing is.
  using Probe = std::function<void(const Model&, const State&, Data&, int stage)>;
  void set_probe(Probe probe);
  /// Other models, of the same sizes, one per simulation or one for all; empty: the batch's own. They must live as
  /// long as they are used.
  void set_models(std::vector<const Model*> models);
  /// The model of a simulation, written over one of the same sizes.
  void get_model(int sim, Model& model) const;
  /// The state of a simulation and, where it is kept, its Data.
  void get_data(int sim, State& state, Data& data) const;

  // Calls. `ids` ascend; an empty optional (nullptr data with all = true) stands for all simulations. They return how
  // many simulations failed. `stop` is asked now and then by the thread that calls; what had not begun then stays as
  // it was.
  struct Call {
    std::span<const int> ids;
    bool all = true;
    std::function<bool()> stop;
  };
  /// Steps, then the stages up to `stage` at the new state.
  int step(const Call& call, int steps, Stage stage);
  int forward(const Call& call, Stage stage);
  /// To keyframes (-1: the start), one per simulation of the call.
  int reset(const Call& call, std::span<const int> keys, Stage stage);
  /// Recomputes derived constants from expanded parameters; they become rows, too.
  int set_const(const Call& call);
  /// Steps with controls (parts of the state, a row per simulation and step; nullptr: as they are) and records. A
  /// simulation whose step is refused stops where it is; that is no failure.
  int rollout(const Call& call, int steps, const double* control, unsigned control_parts,
              std::span<const SimRecord> records);
  /// Jacobians of points of bodies, a row per simulation of the call: 3 x nv each; nullptr: not wanted.
  int jacobians(const Call& call, const int* bodies, const double* points, double* jacp, double* jacr);
  /// Rays as ray() in query.h has them, nray per simulation of the call.
  struct Rays {
    int n = 0;
    const double *points = nullptr, *directions = nullptr;
    const uint8_t* groups = nullptr;
    bool fixed = true;
    const int* excluded = nullptr;
    double *distances = nullptr, *normals = nullptr;
    int* geoms = nullptr;
  };
  int rays(const Call& call, const Rays& rays);

  /// Bytes that a record of this name or these parts needs per simulation and step; 0 if there is none.
  size_t record_bytes(const SimRecord& record) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pliant

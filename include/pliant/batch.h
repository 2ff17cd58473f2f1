#pragma once
// Many worlds of one Model, moved together: on the threads of the CPU, or on a GPU.

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/state.h"

namespace pliant {

enum class BatchDevice { kCpu, kCuda };

struct BatchOptions {
  BatchDevice device = BatchDevice::kCpu;
  /// Numbers of 32 instead of 64 bits; GPU only.
  bool single_precision = false;
  /// Threads on the CPU; 0: one per core. Results do not depend on it.
  int threads = 0;
  /// Room for contacts and rows of a world at the start; 0: what the start state suggests. GPU only.
  int contacts = 0, rows = 0;
  /// A world that outgrows its room stays where it is, with a fault. Otherwise memory grows, and the world has moved
  /// when step returns. GPU only.
  bool fixed_memory = false;
  /// Arrays of Data to keep for every world, on the CPU. (A GPU keeps all it computes.)
  std::vector<std::string> outputs = {"sensordata"};
};

/// An array of all worlds. Number i of world w is at data + (w world_stride + i element_stride) scalars.
struct BatchField {
  void* data = nullptr;
  Scalar scalar = Scalar::real;  ///< f32 where the batch has single precision
  int nworld = 0, count = 0;
  int64_t world_stride = 0, element_stride = 1;
  bool on_gpu = false;
};

/// Several steps at once: controls and results of every step, world by world.
struct BatchRollout {
  int steps = 0;
  const double* ctrl = nullptr;  ///< nworld x steps x nu; nullptr: controls stay as they are
  double* state = nullptr;       ///< nworld x steps x state_size(kStateFullPhysics); nullptr: not wanted
  double* sensordata = nullptr;  ///< nworld x steps x nsensordata; nullptr: not wanted
};

/// Which worlds a call is about: those with a non-zero byte; without bytes all of them.
struct WorldMask {
  WorldMask() = default;
  template <class Bytes>
    requires std::convertible_to<const Bytes&, std::span<const uint8_t>>
  WorldMask(const Bytes& bytes) : WorldMask(bytes, 0) {}
  bool all() const { return size == 0; }
  const uint8_t* data = nullptr;
  size_t size = 0;
  bool on_gpu = false;  ///< where the bytes are; then the worlds are on a GPU, too

 private:
  WorldMask(std::span<const uint8_t> bytes, int) : data(bytes.data()), size(bytes.size()) {}
};

/// What the last step of a world had, and how its solver did.
struct WorldStatistics {
  int contacts = 0, rows = 0;
  int iterations = 0, evaluations = 0;  ///< of the solver, and of its line searches
  double gap = 0;                       ///< the cost is within this of the minimum
  bool converged = true;                ///< proven to be within the tolerance; a world without rows is
};

/// Time that a stage took [s], of all worlds.
struct BatchStageTime {
  std::string name;
  double seconds = 0;
};

class BatchWorker;

/// Many worlds of one Model. World w moves exactly as it would alone: its bits depend neither on its place nor on the
/// number of worlds or threads.
///
/// On a GPU, what a Model asks for and is not computed there is refused (docs/gpu.md).
class Batch {
 public:
  /// Throws std::invalid_argument if the device cannot do what the Model asks for, std::runtime_error if there is none.
  Batch(const Model& model, int nworld, const BatchOptions& options = {});
  ~Batch();
  /// Its worlds refer to its Model: a Batch stays where it is.
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  int nworld() const { return nworld_; }
  const Model& model() const { return model_; }
  const BatchOptions& options() const { return options_; }

  /// Moves every world by `steps` timesteps. A world with a fault stays where it was (see status). `stop` is asked now
  /// and then; when it answers true, the call ends with all worlds after the same number of steps.
  void step(int steps = 1, const std::function<bool()>& stop = {});
  /// How many worlds stopped in the last call of step and had not stopped before, and why the first of them did: "2 of
  /// 64 worlds stopped; first: world 3, step 17: qvel[2] …". "" if there are none. CPU only.
  std::string trouble();
  /// Moves every world by several timesteps, each with its own controls, and keeps what follows. Continues from where
  /// the worlds are: a long rollout cut into chunks gives the same bits. A world with a fault repeats its last good
  /// state. `stop` as in step(): outputs of the steps that were not made are not written then.
  void rollout(const BatchRollout& rollout, const std::function<bool()>& stop = {});
  /// Computes the arrays of Data that are kept, without moving the worlds: all, or those of the mask.
  void forward(const WorldMask& mask = {});
  /// Back to a keyframe (-1: the start): all worlds, or those of the mask.
  void reset(const WorldMask& mask = {}, int keyframe = -1);
  /// Likewise, each to a keyframe of its own; one number per world.
  void reset(const WorldMask& mask, std::span<const int> keyframes);
  /// Bits of Fault of every world, of its last step.
  std::span<const int> status();
  /// Likewise as an array where the worlds are, which the next call writes.
  BatchField status_field();
  /// Contacts, rows and solver of every world in its last step.
  std::vector<WorldStatistics> statistics();
  /// Time of every stage, the mean of `repeats` steps, which move the worlds. GPU only.
  std::vector<BatchStageTime> time_stages(int repeats);
  /// Waits until everything asked for is done.
  void wait();
  /// The CUDA stream (a cudaStream_t) whose work the worlds follow and precede from now on; nullptr, as at the start:
  /// the default stream. GPU only.
  void use_stream(void* stream);
  void* stream() const { return stream_; }

  /// An array of State ("qpos", "ctrl" …) or of Data ("sensordata", "xpos" …) of all worlds, without copying. Throws
  /// std::invalid_argument with the names there are if there is none of this one.
  BatchField field(std::string_view name);
  /// Numbers of a Model parameter ("body_mass", "geom_friction" …) of every world, to be written. What the compiler
  /// derived from the parameter stays as it is: give that per world, too, where it matters.
  ///
  /// "opt.gravity" is a parameter, too.
  BatchField parameter(std::string_view name);
  /// Writes the numbers of an array of the caller's into an array of this batch, of field() or parameter(), in whatever
  /// precision both are. One row (nworld = 1) goes to every world. The caller's may be in the memory of the host or,
  /// where the worlds are there, of the GPU.
  void write(const BatchField& to, const BatchField& from);
  /// Numbers of such an array, in the memory of the host, [world][number], in the array's precision.
  void read(const BatchField& from, void* to);

  /// Everything that its worlds are, as bytes for the version that wrote them: states with remembered rows, kept
  /// outputs, parameters of their own, status. CPU only.
  std::string save() const;
  /// Back to what save() gave, of a batch of the same model, number of worlds and outputs: it continues with the same
  /// bits. Throws std::invalid_argument and changes nothing where the bytes do not fit.
  void restore(std::string_view bytes);

  /// Device memory (or host memory) per world.
  size_t bytes_per_world() const;

 private:
  void check_mask(const WorldMask& mask) const;

  Model model_;
  int nworld_;
  BatchOptions options_;
  void* stream_ = nullptr;
  std::unique_ptr<BatchWorker> worker_;  // moves the worlds: one implementation for the CPU, one for GPUs
};

/// Why there is no GPU to work on: "" if there is one.
std::string cuda_unavailable();

}  // namespace pliant

#pragma once
// What moves the worlds of a Batch.

#include "pliant/batch.h"

namespace pliant {

/// Stands for opt.gravity among the places of arrays of Model.
inline constexpr int kGravity = -1;

/// What moves the worlds: one implementation for the CPU, one for GPUs. Functions do what those of Batch say.
class BatchWorker {
 public:
  virtual ~BatchWorker() = default;
  virtual void step(int steps, const std::function<bool()>& stop = {}) = 0;
  /// About worlds that stopped in the last call of step and had not stopped before; "" if there are none, or on a GPU.
  virtual std::string trouble() { return {}; }
  /// Many steps with controls and outputs of their own; see Batch::rollout.
  virtual void rollout(const BatchRollout& rollout, const std::function<bool()>& stop = {}) = 0;
  /// Everything that follows from the states, into the kept arrays of Data.
  virtual void forward(const WorldMask& mask) = 0;
  /// To keyframes: one for all worlds, or one per world; -1 is the start.
  virtual void reset(const WorldMask& mask, std::span<const int> keyframes) = 0;
  virtual std::span<const int> status() = 0;
  virtual BatchField status_field() = 0;
  virtual std::vector<WorldStatistics> statistics() = 0;
  virtual std::vector<BatchStageTime> time_stages(int repeats);
  /// An array of State, or of Data as far as it is kept; data = nullptr if there is none of that name.
  virtual BatchField field(std::string_view name) = 0;
  /// An array of Model, or kGravity, with a row per world; the first call gives every world the Model's own numbers.
  virtual BatchField parameter(int model_field) = 0;
  virtual void write(const BatchField& to, const BatchField& from) = 0;
  virtual void read(const BatchField& from, void* to) = 0;
  /// A cudaStream_t to work on.
  virtual void use_stream(void* stream);
  /// Waits until everything asked for is done.
  virtual void wait() = 0;
  virtual size_t bytes_per_world() const = 0;
  /// All that the worlds are, and back; see Batch::save.
  virtual std::string save() const;
  virtual void restore(std::string_view bytes);
};

/// Copies numbers between arrays in the memory of the host; `from` may have one row for all worlds.
void copy_numbers(const BatchField& to, const BatchField& from);

std::unique_ptr<BatchWorker> make_cpu_worker(const Model& model, int nworld, const BatchOptions& options);
/// In src/cuda, or in no_cuda.cpp where the library is built without.
std::unique_ptr<BatchWorker> make_cuda_worker(const Model& model, int nworld, const BatchOptions& options);

}  // namespace pliant

#pragma once
// What moves the worlds of a Batch.

#include "pliant/batch.h"

namespace pliant {

/// What moves the worlds: one implementation for the CPU, one for GPUs. Functions do what those of Batch say.
class BatchWorker {
 public:
  virtual ~BatchWorker() = default;
  virtual void step(int steps, const std::function<bool()>& stop = {}) = 0;
  /// About worlds that stopped in the last call of step and had not stopped before; "" if there are none, or on a GPU.
  virtual std::string trouble() { return {}; }
  /// Many steps with controls and outputs of their own; see Batch::rollout.
  virtual void rollout(const BatchRollout& rollout, const std::function<bool()>& stop = {});
  /// Everything that follows from the states, into the kept arrays of Data; an empty mask means all worlds.
  virtual void forward(std::span<const uint8_t> mask);
  /// Worlds with a non-zero mask start again; an empty mask means all of them.
  virtual void reset(std::span<const uint8_t> mask) = 0;
  virtual std::span<const int> status() = 0;
  /// An array of State, or of Data as far as it is kept; data = nullptr if there is none of that name.
  virtual BatchField field(std::string_view name) = 0;
  /// An array of Model with a row per world; the first call gives every world the Model's own numbers.
  virtual BatchField parameter(int model_field) = 0;
  /// Waits until everything asked for is done.
  virtual void wait() = 0;
  virtual size_t bytes_per_world() const = 0;
  /// All that the worlds are, and back; see Batch::save.
  virtual std::string save() const;
  virtual void restore(std::string_view bytes);
};

std::unique_ptr<BatchWorker> make_cpu_worker(const Model& model, int nworld, const BatchOptions& options);
/// In src/cuda, or in no_cuda.cpp where the library is built without.
std::unique_ptr<BatchWorker> make_cuda_worker(const Model& model, int nworld, const BatchOptions& options);

}  // namespace pliant

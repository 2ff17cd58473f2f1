// Many worlds of one Model: names, sizes and messages; the work is done by a BatchWorker.

#include "pliant/batch.h"

#include <stdexcept>

#include "batch/workers.h"
#include "state/batch_views.h"

namespace pliant {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("pliant::Batch: " + what); }

std::string joined_names(std::span<const StateFieldInfo> fields) {
  std::string names;
  for (const StateFieldInfo& field : fields) names += (names.empty() ? "" : ", ") + std::string(field.name);
  return names;
}

}  // namespace

void BatchWorker::rollout(const BatchRollout&, const std::function<bool()>&) { refuse("rollouts run on the CPU only"); }
void BatchWorker::forward(std::span<const uint8_t>) { refuse("forward runs on the CPU only"); }
std::string BatchWorker::save() const { refuse("worlds on a GPU cannot be saved; copy the arrays of State"); }
void BatchWorker::restore(std::string_view) { refuse("worlds on a GPU cannot be restored; copy the arrays of State"); }

Batch::Batch(const Model& model, int nworld, const BatchOptions& options)
    : model_(model), nworld_(nworld), options_(options) {
  if (nworld < 1) refuse("nworld is " + std::to_string(nworld) + ", it must be at least 1");
  if (model_.nbody < 1) refuse("the model is empty");
  const bool cuda = options.device == BatchDevice::kCuda;
  if (options.single_precision && !cuda) refuse("single precision is for GPUs; the CPU computes with 64 bits");
  worker_ = cuda ? make_cuda_worker(model_, nworld, options) : make_cpu_worker(model_, nworld, options);
}

Batch::~Batch() = default;

void Batch::step(int steps, const std::function<bool()>& stop) { worker_->step(steps, stop); }
std::string Batch::trouble() { return worker_->trouble(); }
void Batch::rollout(const BatchRollout& rollout, const std::function<bool()>& stop) { worker_->rollout(rollout, stop); }
std::span<const int> Batch::status() { return worker_->status(); }
void Batch::wait() { worker_->wait(); }
size_t Batch::bytes_per_world() const { return worker_->bytes_per_world(); }
std::string Batch::save() const { return worker_->save(); }
void Batch::restore(std::string_view bytes) { worker_->restore(bytes); }

void Batch::check_mask(std::span<const uint8_t> mask) const {
  if (!mask.empty() && mask.size() != static_cast<size_t>(nworld_)) {
    refuse("the mask has " + std::to_string(mask.size()) + " entries for " + std::to_string(nworld_) + " worlds");
  }
}

void Batch::reset(std::span<const uint8_t> mask) {
  check_mask(mask);
  worker_->reset(mask);
}

void Batch::forward(std::span<const uint8_t> mask) {
  check_mask(mask);
  worker_->forward(mask);
}

BatchField Batch::field(std::string_view name) {
  const BatchField found = worker_->field(name);
  if (found.data || found.nworld) return found;
  for (const StateFieldInfo& info : data_fields()) {
    if (name != info.name) continue;
    refuse("\"" + std::string(name) + "\" is not kept for every world" +
           (options_.device == BatchDevice::kCpu ? "; name it in BatchOptions::outputs" : " on a GPU"));
  }
  refuse("there is no array \"" + std::string(name) + "\"; State has " + joined_names(state_fields()));
}

BatchField Batch::parameter(std::string_view name) {
  int index = 0;
  for (const FieldInfo& info : model_fields()) {
    if (name == info.name) {
      if (!is_batchable(info.scalar, info.cls)) {
        refuse("\"" + std::string(name) + "\" cannot differ from world to world: it is " +
               (info.scalar == Scalar::real ? "structure" : "not a real number"));
      }
      return worker_->parameter(index);
    }
    ++index;
  }
  refuse("Model has no array \"" + std::string(name) + "\"");
}

}  // namespace pliant

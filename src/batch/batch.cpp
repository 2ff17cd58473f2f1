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

std::vector<BatchStageTime> BatchWorker::time_stages(int) {
  refuse("times of stages are measured on a GPU only; on the CPU Data has timers");
}
void BatchWorker::use_stream(void*) { refuse("worlds on the CPU work on no CUDA stream"); }
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

BatchField Batch::status_field() { return worker_->status_field(); }
std::vector<WorldStatistics> Batch::statistics() { return worker_->statistics(); }

std::vector<BatchStageTime> Batch::time_stages(int repeats) {
  if (repeats < 1) refuse("time_stages: repeats is " + std::to_string(repeats) + ", it must be at least 1");
  return worker_->time_stages(repeats);
}

void Batch::use_stream(void* stream) {
  worker_->use_stream(stream);
  stream_ = stream;
}

void Batch::check_mask(const WorldMask& mask) const {
  if (!mask.all() && mask.size != static_cast<size_t>(nworld_)) {
    refuse("the mask has " + std::to_string(mask.size) + " entries for " + std::to_string(nworld_) + " worlds");
  }
  if (mask.on_gpu && options_.device == BatchDevice::kCpu) refuse("the mask is on a GPU, the worlds are not");
}

void Batch::reset(const WorldMask& mask, int keyframe) { reset(mask, std::span<const int>(&keyframe, 1)); }

void Batch::reset(const WorldMask& mask, std::span<const int> keyframes) {
  check_mask(mask);
  if (keyframes.size() != 1 && keyframes.size() != static_cast<size_t>(nworld_)) {
    refuse("reset: there are " + std::to_string(keyframes.size()) + " keyframes for " + std::to_string(nworld_) +
           " worlds");
  }
  for (const int key : keyframes) {
    if (key >= -1 && key < model_.nkey) continue;
    refuse("reset: there is no keyframe " + std::to_string(key) + "; the model has " + std::to_string(model_.nkey) +
           ", and -1 is the start");
  }
  worker_->reset(mask, keyframes);
}

void Batch::forward(const WorldMask& mask) {
  check_mask(mask);
  worker_->forward(mask);
}

void Batch::write(const BatchField& to, const BatchField& from) {
  if (from.count != to.count || (from.nworld != nworld_ && from.nworld != 1)) {
    const auto shape = [](int rows, int columns) {
      return "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
    };
    refuse("write: the numbers have the shape " + shape(from.nworld, from.count) + ", the array has " +
           shape(nworld_, to.count));
  }
  if (from.on_gpu && !to.on_gpu) refuse("write: the numbers are on a GPU, the worlds are not");
  if (to.count) worker_->write(to, from);
}

void Batch::read(const BatchField& from, void* to) {
  if (from.count) worker_->read(from, to);
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
  if (name == "opt.gravity") return worker_->parameter(kGravity);
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
  const bool option = name.starts_with("opt.");
  refuse("Model has no array \"" + std::string(name) + "\"" +
         (option ? "; of the options only opt.gravity can differ from world to world" : ""));
}

}  // namespace pliant

// Worlds on a GPU: memory of Model, State and Data, copies, launches.

#include "cuda/cuda_worker.h"

#include <cuda_runtime.h>

#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>

#include "batch/place_arrays.h"
#include "batch/tree_order.h"
#include "integrate/integrate.h"

namespace pliant {
namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(error));
}

/// A block of device memory.
class DeviceBlock {
 public:
  DeviceBlock() = default;
  explicit DeviceBlock(size_t bytes) : bytes_(bytes) {
    if (bytes) check(cudaMalloc(&memory_, bytes), "cudaMalloc");
    if (bytes) check(cudaMemset(memory_, 0, bytes), "cudaMemset");
  }
  DeviceBlock(DeviceBlock&& other) noexcept { swap(other); }
  DeviceBlock& operator=(DeviceBlock&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceBlock() { cudaFree(memory_); }
  std::byte* data() const { return static_cast<std::byte*>(memory_); }
  size_t bytes() const { return bytes_; }

 private:
  void swap(DeviceBlock& other) {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
  }
  void* memory_ = nullptr;
  size_t bytes_ = 0;
};

/// What a GPU cannot do yet is refused, with what would help.
void check_supported(const Model& m) {
  const auto refuse = [](const std::string& what) {
    throw std::invalid_argument("pliant::Batch: device \"cuda\": " + what);
  };
  if (m.opt.integrator != Integrator::kEuler) refuse("only the integrator Euler runs on a GPU; set opt.integrator");
  // (their branches are joined in M, whether they are on or not)
  if (m.nfollower > 0) refuse("exact mimic joints do not run on a GPU yet; use device \"cpu\", or mode=\"hard\"");
  if (traits(m.opt.solver).substeps) {
    refuse(std::string("the solver ") + traits(m.opt.solver).keyword + " does not run on a GPU; set opt.solver");
  }
  if (m.opt.enableflags & kEnableSpeculative) {
    refuse(
        "predicted contacts (flag speculative) do not run on a GPU; use device \"cpu\", or clear the flag in "
        "opt.enableflags");
  }
  if (m.opt.disableflags & kDisableConstraint) return;
  std::string wanted;
  const auto want = [&](bool present, int flag, const char* name) {
    if (present && !(m.opt.disableflags & flag)) wanted += (wanted.empty() ? "" : ", ") + std::string(name);
  };
  bool limits = false, friction = false, contacts = m.npair > 0;
  for (int j = 0; j < m.njnt; ++j) limits = limits || m.jnt_limited[j];
  for (int t = 0; t < m.ntendon; ++t) {
    limits = limits || m.tendon_limited[t];
    friction = friction || m.tendon_frictionloss[t] > 0;
  }
  for (int i = 0; i < m.nv; ++i) friction = friction || m.dof_frictionloss[i] != 0;
  for (int g = 0; g < m.ngeom; ++g) contacts = contacts || m.geom_contype[g] || m.geom_conaffinity[g];
  want(m.neq > 0, kDisableEquality, "equality constraints");
  want(friction, kDisableFrictionLoss, "friction loss");
  want(limits, kDisableLimit, "limits");
  want(contacts, kDisableContact, "contacts");
  if (!wanted.empty()) {
    refuse("the model has " + wanted +
           ", which a GPU does not compute yet; switch them off (opt.disableflags |= mjDSBL_CONSTRAINT) or use device "
           "\"cpu\"");
  }
}

/// Whether a field of Data has a place in the block of all worlds; what only some sensors need, where there are such.
bool is_kept(const StateFieldInfo& info, const LaunchPlan& plan, const SensorNeeds& needs) {
  const std::string_view owner = info.owner;
  if (owner == "subtree" && !needs.has(SensorNeed::kSubtree)) return false;
  if (owner == "body_forces" && !needs.has(SensorNeed::kBodyForces)) return false;
  return is_on_device(owner) && (plan.shape != KernelShape::kWarp || stays_global(info.name));
}

/// Few worlds leave most of the GPU idle unless many threads share each; many worlds fill it, and sharing only costs.
/// (H200, Shadow hand, world-steps per µs at 1024 / 8192 / 65536 worlds: 16 lanes 4.8/19.5/21, 8 lanes 4.4/24.6/33,
/// 4 lanes 3.5/20/41, 2 lanes 2.5/14.6/45.)
int lanes_for(int nworld) { return nworld <= 4096 ? 16 : nworld <= 24576 ? 8 : nworld <= 49152 ? 4 : 2; }

template <class R>
class CudaWorker : public BatchWorker {
 public:
  CudaWorker(const Model& model, int nworld, const LaunchPlan& plan);
  ~CudaWorker() override {
    if (graph_) cudaGraphExecDestroy(graph_);
    if (stream_) cudaStreamDestroy(stream_);
  }
  void step(int steps, const std::function<bool()>& stop) override;
  void reset(std::span<const uint8_t> mask) override;
  std::span<const int> status() override;
  BatchField field(std::string_view name) override;
  BatchField parameter(int model_field) override;
  void wait() override { check(cudaStreamSynchronize(stream_), "step"); }
  size_t bytes_per_world() const override {
    return (states_.bytes() + datas_.bytes()) / static_cast<size_t>(args_.layout.places) + sizeof(int);
  }
  StepTimes time(int repeats);

 private:
  void upload_model();
  void place_worlds();
  void run_step();
  void launch_checked(int stage) {
    if (const char* error = launch(args_, plan_, stage, stream_))
      throw std::runtime_error(std::string("CUDA: ") + error);
  }
  BatchField view(void* data, Scalar scalar, Layout layout, int count) const;
  BatchField view(void* data, const StateFieldInfo& info) const;

  const Model& model_;
  LaunchPlan plan_;
  BatchArgs<R> args_;
  DeviceBlock models_, order_, states_, datas_, statuses_;
  std::map<int, DeviceBlock> parameters_;  // by place in model_fields()
  std::vector<int> status_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;  // the kernels of a step as one launch
};

template <class R>
CudaWorker<R>::CudaWorker(const Model& model, int nworld, const LaunchPlan& plan) : model_(model), plan_(plan) {
  check_supported(model);
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  if (plan_.lanes == 0) plan_.lanes = lanes_for(nworld);
  args_.nworld = nworld;
  // whole tiles: places beyond the last world are computed, but nobody looks at them
  args_.layout.places = (nworld + kWorldsPerTile - 1) / kWorldsPerTile * kWorldsPerTile;
  args_.layout.one_world_after_the_other = plan.shape == KernelShape::kWarp;
  upload_model();
  place_worlds();
  statuses_ = DeviceBlock(sizeof(int) * args_.layout.places);
  args_.status = reinterpret_cast<int*>(statuses_.data());
  status_.resize(args_.layout.places);
  reset({});
}

// ---- memory ----------------------------------------------------------------------------------------

/// Gives a field a place in shared memory if it belongs there; `total` is what is taken so far.
template <class R>
void place_in_shared(const Model& model, const StateFieldInfo& info, size_t& total, int& place) {
  constexpr size_t kSharedAlignment = 16;
  if (!is_on_device(info.owner) || stays_global(info.name)) return;
  place = static_cast<int>(total);
  const size_t bytes = scalar_bytes(batch_scalar<R>(info.scalar)) * numbers_per_world(info, model);
  total += (bytes + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
}

template <class R>
size_t shared_places(const Model& model, SharedPlaces& places) {
  size_t total = 0;
  int i = 0;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  place_in_shared<R>(model, data_fields()[i++], total, places.name);
#include "pliant/data_fields.def"
#undef FIELD
  return total;
}

template <class R>
void CudaWorker<R>::upload_model() {
  std::vector<std::byte> host(place_model(args_.m, model_, nullptr, nullptr));
  models_ = DeviceBlock(host.size());
  place_model(args_.m, model_, host.data(), models_.data());
  check(cudaMemcpy(models_.data(), host.data(), host.size(), cudaMemcpyHostToDevice), "copy of the Model");
  args_.m.may_be_damped = has_implicit_damping(model_);

  const TreeOrderTable order = make_tree_order(model_);
  const size_t order_bytes = sizeof(int) * order.numbers.size();
  order_ = DeviceBlock(order_bytes);
  check(cudaMemcpy(order_.data(), order.numbers.data(), order_bytes, cudaMemcpyHostToDevice), "copy of the tree order");
  args_.m.order = order.view(reinterpret_cast<const int*>(order_.data()));
}

template <class R>
void CudaWorker<R>::place_worlds() {
  const int places = args_.layout.places;
  const auto kept = [this](const StateFieldInfo& info) { return is_kept(info, plan_, args_.m.sensor_needs); };
  states_ = DeviceBlock(place_state(args_.s, model_, places, nullptr));
  place_state(args_.s, model_, places, states_.data());
  datas_ = DeviceBlock(place_data(args_.d, model_, places, nullptr, kept));
  place_data(args_.d, model_, places, datas_.data(), kept);
  if (plan_.shape == KernelShape::kWarp) args_.shared_bytes = static_cast<int>(shared_places<R>(model_, args_.shared));
}

template <class R>
BatchField CudaWorker<R>::view(void* data, Scalar scalar, Layout layout, int count) const {
  const bool interleaved = layout == Layout::interleaved && !args_.layout.one_world_after_the_other;
  return {data,  batch_scalar<R>(scalar), args_.nworld,
          count, interleaved ? 1 : count, interleaved ? args_.layout.places : 1,
          true};
}

template <class R>
BatchField CudaWorker<R>::view(void* data, const StateFieldInfo& info) const {
  return view(data, info.scalar, info.layout, numbers_per_world(info, model_));
}

template <class R>
BatchField CudaWorker<R>::field(std::string_view name) {
  int i = 0;
#define FIELD(type, field_name, count, width, layout, unit, meaning)           \
  if (name == #field_name) return view(args_.s.field_name, state_fields()[i]); \
  ++i;
#include "pliant/state_fields.def"
#undef FIELD
  i = 0;
#define FIELD(owner, type, field_name, count, width, layout, unit, meaning)   \
  if (name == #field_name) {                                                  \
    const bool kept = is_kept(data_fields()[i], plan_, args_.m.sensor_needs); \
    return kept ? view(args_.d.field_name, data_fields()[i]) : BatchField{};  \
  }                                                                           \
  ++i;
#include "pliant/data_fields.def"
#undef FIELD
  return {};
}

template <class R>
BatchField CudaWorker<R>::parameter(int field) {
  const int count = model_.field_count(field) * model_.field_width(field), places = args_.layout.places;
  DeviceBlock& block = parameters_[field];
  if (!block.data()) {
    block = DeviceBlock(std::max<size_t>(1, sizeof(R) * count * static_cast<size_t>(places)));
    const auto* from = static_cast<const double*>(model_.field_data(field));
    std::vector<R> host(static_cast<size_t>(count) * places);
    for (int i = 0; i < count; ++i) {
      for (int w = 0; w < places; ++w) host[static_cast<size_t>(i) * places + w] = static_cast<R>(from[i]);
    }
    check(cudaMemcpy(block.data(), host.data(), sizeof(R) * host.size(), cudaMemcpyHostToDevice), "parameter");
    int i = 0;
#define FIELD(type, name, count_, width, cls, unit, meaning)                                     \
  if (i++ == field) {                                                                            \
    if constexpr (is_batchable(Scalar::type, FieldClass::cls)) {                                 \
      args_.m.name = {reinterpret_cast<const typename Scalars<R>::type*>(block.data()), places}; \
    }                                                                                            \
  }
#include "pliant/model_fields.def"
#undef FIELD
    // a world might now be damped
    args_.m.may_be_damped = !(model_.opt.disableflags & (kDisableEulerDamp | kDisableDamper));
    if (graph_) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }
  return {block.data(), batch_scalar<R>(Scalar::real), args_.nworld, count, 1, places, true};
}

// ---- work --------------------------------------------------------------------------------------------

template <class R>
void CudaWorker<R>::run_step() {
  if (plan_.shape == KernelShape::kWarp) return launch_checked(-1);
  if (!graph_) {
    cudaGraph_t graph;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capture");
    for (int stage = 0; stage < kNumSmoothStages; ++stage) {
      if (!is_needed(model_, kSmoothStages[stage].condition)) continue;
      launch_checked(stage);
    }
    check(cudaStreamEndCapture(stream_, &graph), "capture");
    check(cudaGraphInstantiate(&graph_, graph, 0), "graph");
    cudaGraphDestroy(graph);
  }
  check(cudaGraphLaunch(graph_, stream_), "launch");
}

template <class R>
void CudaWorker<R>::step(int steps, const std::function<bool()>& stop) {
  constexpr int kStepsPerLook = 256;  // launches run ahead of the GPU: whoever wants to stop waits for this many
  for (int i = 0; i < steps; ++i) {
    if (stop && i > 0 && i % kStepsPerLook == 0) {
      wait();
      if (stop()) return;
    }
    run_step();
  }
}

template <class R>
std::span<const int> CudaWorker<R>::status() {
  wait();
  check(cudaMemcpy(status_.data(), args_.status, sizeof(int) * status_.size(), cudaMemcpyDeviceToHost), "status");
  return {status_.data(), static_cast<size_t>(args_.nworld)};
}

template <class R>
void CudaWorker<R>::reset(std::span<const uint8_t> mask) {
  wait();
  const State start(model_);
  const int places = args_.layout.places;
  for (size_t f = 0; f < state_fields().size(); ++f) {
    const StateFieldInfo& info = state_fields()[f];
    const BatchField target = field(info.name);
    if (target.count == 0) continue;
    const size_t size = scalar_bytes(target.scalar), bytes = size * target.count * static_cast<size_t>(places);
    std::vector<std::byte> host(bytes);
    if (!mask.empty()) check(cudaMemcpy(host.data(), target.data, bytes, cudaMemcpyDeviceToHost), "reset");
    for (int w = 0; w < places; ++w) {
      if (!mask.empty() && (w >= args_.nworld || !mask[w])) continue;
      for (int i = 0; i < target.count; ++i) {
        std::byte* to = host.data() + size * (w * target.world_stride + i * target.element_stride);
        if (info.scalar == Scalar::real) {
          const R value = static_cast<R>(static_cast<const double*>(start.field_data(static_cast<int>(f)))[i]);
          std::memcpy(to, &value, sizeof value);
        } else {
          std::memcpy(to, static_cast<const std::byte*>(start.field_data(static_cast<int>(f))) + size * i, size);
        }
      }
    }
    check(cudaMemcpy(target.data, host.data(), bytes, cudaMemcpyHostToDevice), "reset");
  }
}

template <class R>
StepTimes CudaWorker<R>::time(int repeats) {
  cudaEvent_t start, end;
  check(cudaEventCreate(&start), "event");
  check(cudaEventCreate(&end), "event");
  const auto measure = [&](auto&& work) {
    work();
    check(cudaEventRecord(start, stream_), "event");
    for (int i = 0; i < repeats; ++i) work();
    check(cudaEventRecord(end, stream_), "event");
    wait();
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, end), "event");
    return 1e3 * ms / repeats;
  };
  StepTimes times;
  times.step = measure([&] { run_step(); });
  if (plan_.shape != KernelShape::kWarp) {
    for (int i = 0; i < kNumSmoothStages; ++i) times.stages[i] = measure([&] { launch_checked(i); });
  }
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  return times;
}

}  // namespace

std::string cuda_unavailable() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) return std::string("no usable GPU (") + cudaGetErrorString(error) + ")";
  return count == 0 ? "no GPU found" : "";
}

std::unique_ptr<BatchWorker> make_cuda_worker(const Model& model, int nworld, const BatchOptions& options,
                                              const LaunchPlan& plan) {
  if (const std::string why = cuda_unavailable(); !why.empty()) {
    throw std::runtime_error("device \"cuda\": " + why + "; device \"cpu\" works everywhere");
  }
  if (options.single_precision) return std::make_unique<CudaWorker<float>>(model, nworld, plan);
  return std::make_unique<CudaWorker<double>>(model, nworld, plan);
}

std::unique_ptr<BatchWorker> make_cuda_worker(const Model& model, int nworld, const BatchOptions& options) {
  return make_cuda_worker(model, nworld, options, LaunchPlan{});
}

StepTimes time_cuda_step(BatchWorker& worker, int repeats) {
  if (auto* f = dynamic_cast<CudaWorker<float>*>(&worker)) return f->time(repeats);
  if (auto* d = dynamic_cast<CudaWorker<double>*>(&worker)) return d->time(repeats);
  return {};
}

size_t shared_bytes_per_world(const Model& model, bool single_precision) {
  SharedPlaces places;
  return single_precision ? shared_places<float>(model, places) : shared_places<double>(model, places);
}

}  // namespace pliant

// Worlds on a GPU: memory of Model, State and Data, copies, launches.

#include "cuda/cuda_worker.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>

#include "batch/place_arrays.h"
#include "batch/tree_order.h"
#include "batch/world_memory_hd.h"
#include "cuda/worlds.cuh"
#include "integrate/integrate.h"
#include "model/contact_candidates.h"
#include "pliant/step.h"

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
  DeviceBlock& operator=(DeviceBlock other) noexcept {
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

bool has_constraints(const Model& m) { return !(m.opt.disableflags & kDisableConstraint); }

/// What a GPU cannot do yet is refused, with what would help.
void check_supported(const Model& m) {
  const auto refuse = [](const std::string& what) {
    throw std::invalid_argument("pliant::Batch: device \"cuda\": " + what);
  };
  const Integrator integrator = m.opt.integrator;
  if (integrator != Integrator::kEuler && !is_implicit(integrator)) {
    refuse("of the integrators Euler, implicit and implicitfast run on a GPU; set opt.integrator");
  }
  if (m.opt.spin == SpinLaw::kConserving) {
    refuse("conserving spins are not computed on a GPU; set opt.spin to plain (0)");
  }
  if (has_constraints(m) && m.opt.resolution == Resolution::kSignorini) {
    refuse("Signorini's resolution of contacts does not run on a GPU; set opt.resolution to convex (0)");
  }
  if (has_constraints(m) && m.opt.friction == FrictionLaw::kAnchored) {
    refuse("anchored friction does not run on a GPU; set opt.friction to regularized (0)");
  }
  if (has_constraints(m) && m.opt.enableflags & kEnableDiagStack) {
    refuse("the flag diagstack does not run on a GPU; disable it in opt.enableflags");
  }
  if (has_constraints(m) && m.opt.solver != SolverType::kNewton && m.opt.solver != SolverType::kCg) {
    refuse(std::string("the solver ") + traits(m.opt.solver).keyword +
           " does not run on a GPU; set opt.solver to Newton or CG");
  }
}

/// Whether a field of Data has a place in the block of all worlds; what only some integrators or sensors need, where
/// there are such.
bool is_kept(const StateFieldInfo& info, Integrator integrator, const SensorNeeds& needs) {
  const std::string_view owner = info.owner;
  if (owner == "subtree" && !needs.has(SensorNeed::kSubtree)) return false;
  if (owner == "body_forces" && !needs.has(SensorNeed::kBodyForces)) return false;
  return is_on_device(owner, integrator);
}

/// Few worlds leave most of the GPU idle unless many threads share each; many worlds fill it, and sharing only costs.
/// (H200, Shadow hand, world-steps per µs at 1024 / 8192 / 65536 worlds: 16 lanes 4.8/19.5/21, 8 lanes 4.4/24.6/33,
/// 4 lanes 3.5/20/41, 2 lanes 2.5/14.6/45.)
int lanes_for(int nworld) { return nworld <= 4096 ? 16 : nworld <= 24576 ? 8 : nworld <= 49152 ? 4 : 2; }

template <class R>
class CudaWorker : public BatchWorker {
 public:
  CudaWorker(const Model& model, int nworld, const BatchOptions& options, const LaunchPlan& plan);
  ~CudaWorker() override {
    forget_graph();
    if (lacks_memory_) cudaFreeHost(lacks_memory_);
    if (stream_) cudaStreamDestroy(stream_);
  }
  void step(int steps, const std::function<bool()>& stop) override;
  void reset(std::span<const uint8_t> mask) override;
  std::span<const int> status() override;
  BatchField field(std::string_view name) override;
  BatchField parameter(int model_field) override;
  void wait() override { check(cudaStreamSynchronize(stream_), "step"); }
  size_t bytes_per_world() const override {
    return (states_.bytes() + datas_.bytes() + rows_.bytes() + solvers_.bytes() + copies_.bytes()) /
               static_cast<size_t>(args_.layout.places) +
           2 * sizeof(int);
  }
  StepTimes time(int repeats);
  std::vector<WorldCounts> counts() { return of_every_world(args_.memory.counts); }
  std::vector<SolverReport> reports() { return of_every_world(args_.memory.solver); }

 private:
  /// What a kernel with a warp per world wants copied before it starts.
  struct Copies {
    DataArrays<R> arrays;
    DeviceBlock items, chunks;
    GatherTable<R> table;
  };
  template <class T>
  std::vector<T> of_every_world(const T* from) {
    wait();
    std::vector<T> out(from ? static_cast<size_t>(nworld_) : 0);
    if (from) check(cudaMemcpy(out.data(), from, sizeof(T) * out.size(), cudaMemcpyDeviceToHost), "counts");
    return out;
  }
  bool is_kept(const StateFieldInfo& info) const {
    return pliant::is_kept(info, model_.opt.integrator, args_.m.sensor_needs);
  }
  void upload_model();
  void upload_candidates();
  void place_worlds();
  WorldRooms rooms_at_start() const;
  void place_rows(const WorldRooms& room);
  void place_copies();
  bool fits_shared_memory(size_t bytes) const;
  WorldRooms room_for(const std::vector<int>& lagging);
  void catch_up();
  void run_step();
  void run_stages();
  void forget_graph() {
    if (graph_) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }
  /// A kernel with a warp per world, and the copies that it reads.
  void launch_with(const Copies& copies, const char* (*kernel)(const BatchArgs<R>&, void*)) {
    check_launch(launch_gather(args_, copies.table, stream_));
    args_.near = copies.arrays;
    check_launch(kernel(args_, stream_));
  }
  void launch_checked(SmoothStage stage) { check_launch(launch(args_, plan_, stage, stream_)); }
  static void check_launch(const char* error) {
    if (error) throw std::runtime_error(std::string("CUDA: ") + error);
  }
  BatchField view(void* data, Scalar scalar, Layout layout, int count) const;
  BatchField view(void* data, const StateFieldInfo& info) const;

  const Model& model_;
  LaunchPlan plan_;
  BatchArgs<R> args_;
  bool fixed_memory_;
  int nworld_;
  Copies for_collision_, for_constraint_, for_solver_;
  DeviceBlock copies_;  // shared by the three
  DeviceBlock models_, order_, candidates_, states_, datas_, statuses_, dones_, lists_, rows_, solvers_;
  int* lacks_memory_ = nullptr;            // the host's own, which kernels write
  unsigned asked_ = 0;                     // steps, of every world
  std::map<int, DeviceBlock> parameters_;  // by place in model_fields()
  std::vector<int> status_;
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;  // the kernels of a step as one launch
};

template <class R>
CudaWorker<R>::CudaWorker(const Model& model, int nworld, const BatchOptions& options, const LaunchPlan& plan)
    : model_(model), plan_(plan), fixed_memory_(options.fixed_memory), nworld_(nworld) {
  check_supported(model);
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  if (plan_.lanes == 0) plan_.lanes = lanes_for(nworld);
  // whole tiles: places beyond the last world are computed, but nobody looks at them; and one more tile of such places,
  // for launches of a few worlds
  args_.count = (nworld + kWorldsPerTile - 1) / kWorldsPerTile * kWorldsPerTile;
  args_.layout.places = args_.count + kWorldsPerTile;
  upload_model();
  place_worlds();
  statuses_ = DeviceBlock(sizeof(int) * args_.layout.places);
  args_.status = reinterpret_cast<int*>(statuses_.data());
  status_.resize(args_.layout.places);
  dones_ = DeviceBlock(sizeof(unsigned) * args_.layout.places);
  args_.done = reinterpret_cast<unsigned*>(dones_.data());
  if (has_constraints(model)) {
    check(cudaHostAlloc(&lacks_memory_, sizeof(int), cudaHostAllocMapped), "memory of the host");
    *lacks_memory_ = 0;
    check(cudaHostGetDevicePointer(&args_.lacks_memory, lacks_memory_, 0), "memory of the host");
    lists_ = DeviceBlock(sizeof(int) * args_.layout.places);
    upload_candidates();
    place_copies();
    WorldRooms room = rooms_at_start();
    if (options.contacts > 0) room.contacts = room.survivors = options.contacts;
    if (options.rows > 0) {
      room.rows = room.segments = options.rows;
      room.entries = options.rows * model.nv;
    }
    place_rows(room);
  }
  reset({});
}

// ---- memory ----------------------------------------------------------------------------------------

template <class R>
void CudaWorker<R>::upload_model() {
  std::vector<std::byte> host(place_model(args_.m, model_, nullptr, nullptr));
  models_ = DeviceBlock(host.size());
  place_model(args_.m, model_, host.data(), models_.data());
  check(cudaMemcpy(models_.data(), host.data(), host.size(), cudaMemcpyHostToDevice), "copy of the Model");
  args_.m.may_be_damped = has_implicit_damping(model_);
  args_.m.may_attract = may_attract(model_);

  const TreeOrderTable order = make_tree_order(model_);
  const size_t order_bytes = sizeof(int) * order.numbers.size();
  order_ = DeviceBlock(order_bytes);
  check(cudaMemcpy(order_.data(), order.numbers.data(), order_bytes, cudaMemcpyHostToDevice), "copy of the tree order");
  args_.m.order = order.view(reinterpret_cast<const int*>(order_.data()));
}

template <class R>
void CudaWorker<R>::place_worlds() {
  const int places = args_.layout.places;
  const auto kept = [this](const StateFieldInfo& info) { return is_kept(info); };
  states_ = DeviceBlock(place_state(args_.s, model_, places, nullptr));
  place_state(args_.s, model_, places, states_.data());
  datas_ = DeviceBlock(place_data(args_.d, model_, places, nullptr, kept));
  place_data(args_.d, model_, places, datas_.data(), kept);
}

template <class R>
void CudaWorker<R>::upload_candidates() {
  const ListedPairs listed = list_pairs(model_, std::numeric_limits<int>::max());
  const size_t bytes = sizeof(CandidatePair) * listed.pairs.size();
  candidates_ = DeviceBlock(bytes);
  if (bytes) {
    check(cudaMemcpy(candidates_.data(), listed.pairs.data(), bytes, cudaMemcpyHostToDevice), "copy of the pairs");
  }
  args_.m.candidates = listed.table();
  args_.m.candidates.pair = reinterpret_cast<const CandidatePair*>(candidates_.data());
}

/// What the stages of a kernel read, by stages.def.
std::string reads_of(std::initializer_list<std::string_view> stages) {
  std::string words;
#define TEAM_STAGE(name, title, phase, condition, writes, reads)
#define HOST_STAGE(name, title, phase, condition, writes, reads) \
  for (const std::string_view stage : stages) {                  \
    if (stage == #name) words += std::string(" ") + reads;       \
  }
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef HOST_STAGE
  return words;
}

template <class R>
void CudaWorker<R>::place_copies() {
  struct Wish {
    Copies& copies;
    std::string reads;
  } wishes[] = {{for_collision_, reads_of({"collision"})},
                {for_constraint_, reads_of({"constraint"})},
                {for_solver_, reads_of({"reference", "solver"}) + " qLD qLDiagInv"}};
  const size_t places = static_cast<size_t>(args_.layout.places);
  // first how much, then where
  size_t most = 0;
  for (const bool placing : {false, true}) {
    if (placing) copies_ = DeviceBlock(most);
    for (Wish& wish : wishes) {
      std::vector<GatherItem<R>> items;
      std::vector<GatherChunk> chunks;
      size_t total = 0;
      int i = 0;
      const auto add = [&]<class T>(const StateFieldInfo& info, const T* from, T*& copy) {
        const int n = numbers_per_world(info, model_);
        if (!from || n == 0 || info.layout != Layout::interleaved || !has_word(wish.reads, info.name)) return;
        if constexpr (std::is_same_v<T, R>) {
          copy = reinterpret_cast<R*>(copies_.data() + total);
          for (int first = 0; first < n; first += 32) chunks.push_back({static_cast<int>(items.size()), first});
          items.push_back({from, copy, n});
          total += batch_aligned(sizeof(R) * static_cast<size_t>(n) * places);
        }
      };
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  add(data_fields()[i++], args_.d.name, wish.copies.arrays.name);
#include "pliant/data_fields.def"
#undef FIELD
      most = std::max(most, total);
      if (!placing || items.empty()) continue;
      const auto upload = [](DeviceBlock& block, const auto& list) {
        const size_t bytes = sizeof(list[0]) * list.size();
        block = DeviceBlock(bytes);
        check(cudaMemcpy(block.data(), list.data(), bytes, cudaMemcpyHostToDevice), "list of copies");
      };
      upload(wish.copies.items, items);
      upload(wish.copies.chunks, chunks);
      wish.copies.table = {reinterpret_cast<const GatherItem<R>*>(wish.copies.items.data()),
                           reinterpret_cast<const GatherChunk*>(wish.copies.chunks.data()),
                           static_cast<int>(chunks.size())};
    }
  }
}

/// Room for rows that come with so many contacts, friction loss and equalities included.
WorldRooms rooms_for(const Model& m, int contacts, int survivors, int rows) {
  const int per_contact = m.opt.cone == ConeType::kElliptic ? 3 : 4;
  WorldRooms room;
  room.contacts = contacts;
  room.survivors = survivors;
  room.rows = std::max(rows, per_contact * contacts);
  room.segments = 2 * room.rows;
  const int64_t entries = std::min<int64_t>(static_cast<int64_t>(room.rows) * m.nv, std::numeric_limits<int>::max());
  room.entries = static_cast<int>(entries);
  return room;
}

template <class R>
WorldRooms CudaWorker<R>::rooms_at_start() const {
  constexpr int kFewContacts = 16, kFewRows = 16;
  State s(model_);
  Data d(model_);
  pliant::forward(model_, s, d);
  const int contacts = std::max(kFewContacts, 2 * d.ncon);
  return rooms_for(model_, contacts, 4 * contacts, d.rows.n - d.rows.nl + 2 * d.rows.nl + kFewRows);
}

template <class R>
bool CudaWorker<R>::fits_shared_memory(size_t bytes) const {
  int device = 0, most = 0;
  check(cudaGetDevice(&device), "device");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "device");
  return bytes <= static_cast<size_t>(most);
}

/// Memory for so much; what worlds have there moves along.
template <class R>
void CudaWorker<R>::place_rows(const WorldRooms& room) {
  forget_graph();
  const int places = args_.layout.places;
  WorldArrays<R> before = args_.memory;
  const DeviceBlock rows_before = std::move(rows_);
  args_.memory = {};
  args_.memory.room = room;
  rows_ = DeviceBlock(place_arrays(model_, args_.memory, places, nullptr));
  place_arrays(model_, args_.memory, places, rows_.data());
  if (rows_before.data()) {
    struct Array {
      void* data;
      size_t bytes;  // of a world
    };
    const auto arrays_of = [&](WorldArrays<R>& arrays) {
      std::vector<Array> list;
      each_array(model_, arrays, [&]<class T>(T*& array, int n) { list.push_back({array, sizeof(T) * n}); });
      return list;
    };
    const std::vector<Array> from = arrays_of(before), to = arrays_of(args_.memory);
    for (size_t i = 0; i < from.size(); ++i) {
      const size_t bytes = std::min(from[i].bytes, to[i].bytes);
      if (bytes == 0) continue;
      check(cudaMemcpy2D(to[i].data, to[i].bytes, from[i].data, from[i].bytes, bytes, static_cast<size_t>(places),
                         cudaMemcpyDeviceToDevice),
            "more memory");
    }
  }
  SolverArrays<R> solver;
  args_.solver_bytes = place_arrays(model_, room, solver, nullptr);
  args_.solver_memory = nullptr;
  solvers_ = DeviceBlock();
  if (plan_.solver_in_global_memory || !fits_shared_memory(shared_bytes(args_, args_.solver_bytes))) {
    solvers_ = DeviceBlock(args_.solver_bytes * static_cast<size_t>(places));
    args_.solver_memory = solvers_.data();
  }
}

template <class R>
BatchField CudaWorker<R>::view(void* data, Scalar scalar, Layout layout, int count) const {
  const bool interleaved = layout == Layout::interleaved;
  return {data, batch_scalar<R>(scalar), nworld_, count, interleaved ? 1 : count, interleaved ? args_.layout.places : 1,
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
#define FIELD(owner, type, field_name, count, width, layout, unit, meaning)                       \
  if (name == #field_name) {                                                                      \
    return is_kept(data_fields()[i]) ? view(args_.d.field_name, data_fields()[i]) : BatchField{}; \
  }                                                                                               \
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
    args_.parameters = true;
    if (args_.memory.counts) place_rows(args_.memory.room);  // shared memory has to hold more
    // a world might now be damped, and its contacts might attract
    args_.m.may_be_damped = !(model_.opt.disableflags & (kDisableEulerDamp | kDisableDamper));
    args_.m.may_attract = true;
    forget_graph();
  }
  return {block.data(), batch_scalar<R>(Scalar::real), nworld_, count, 1, places, true};
}

// ---- work --------------------------------------------------------------------------------------------

/// All launches of a step, in the order of stages.def.
template <class R>
void CudaWorker<R>::run_stages() {
  const auto smooth = [&](SmoothStage stage) {
    if (is_needed(model_, kSmoothStages[static_cast<int>(stage)].condition)) launch_checked(stage);
  };
  struct Host {
    CudaWorker& worker;
    void collision() { worker.launch_with(worker.for_collision_, launch_collision<R>); }
    void constraint() { worker.launch_with(worker.for_constraint_, launch_constraint<R>); }
    void reference() {}  // the solver's kernel begins with it
    void solver() { worker.launch_with(worker.for_solver_, launch_solver<R>); }
    void metric() {}  // (discrete is refused)
  } host{*this};
  const bool constrained = args_.memory.counts;
  smooth(SmoothStage::check);
#define TEAM_STAGE(name, title, phase, condition, writes, reads) smooth(SmoothStage::name);
#define HOST_STAGE(name, title, phase, condition, writes, reads) \
  if (constrained) host.name();
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef HOST_STAGE
  smooth(SmoothStage::implicit);
  smooth(SmoothStage::measure);
  smooth(SmoothStage::integrate);
}

template <class R>
void CudaWorker<R>::run_step() {
  if (!graph_) {
    cudaGraph_t graph;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "capture");
    run_stages();
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
    if (i > 0 && i % kStepsPerLook == 0) {
      catch_up();
      if (stop) wait();
      if (stop && stop()) return;
    }
    run_step();
    ++asked_;
  }
  catch_up();
}

// ---- worlds that lack memory -------------------------------------------------------------------------

/// Room for the contacts that some worlds wanted; for rows, where it was they that did not fit, twice as much as now.
template <class R>
WorldRooms CudaWorker<R>::room_for(const std::vector<int>& lagging) {
  const std::vector<WorldCounts> wishes = counts();
  const std::span<const int> faults = status();
  WorldRooms room = args_.memory.room;
  bool rows = false;
  for (const int world : lagging) {
    const WorldCounts& wanted = wishes[static_cast<size_t>(world)];
    rows = rows || faults[static_cast<size_t>(world)] & bit(Fault::kRowOverflow);
    // a little more: the next world is likely to want more, too
    if (wanted.wanted_contacts > room.contacts) room.contacts = wanted.wanted_contacts * 5 / 4 + 1;
    if (wanted.wanted_survivors > room.survivors) room.survivors = wanted.wanted_survivors * 5 / 4 + 1;
  }
  const WorldRooms larger = rooms_for(model_, room.contacts, room.survivors, rows ? 2 * room.rows : room.rows);
  room.rows = std::max(room.rows, larger.rows);
  room.segments = std::max(rows ? 2 * room.segments : room.segments, larger.segments);
  room.entries = std::max(room.entries, larger.entries);
  return room;
}

/// A world that lacks memory does not move. Memory grows, and these worlds alone make the steps that they did not make.
template <class R>
void CudaWorker<R>::catch_up() {
  if (!args_.memory.counts || fixed_memory_) return;
  wait();
  while (*lacks_memory_) {
    *lacks_memory_ = 0;
    const std::vector<unsigned> done = of_every_world(args_.done);
    std::vector<int> lagging;
    unsigned most = 0;
    for (int world = 0; world < nworld_; ++world) {
      const unsigned behind = asked_ - done[static_cast<size_t>(world)];
      if (behind > 0) lagging.push_back(world);
      most = std::max(most, behind);
    }
    if (lagging.empty()) return;
    place_rows(room_for(lagging));
    const int all = args_.count;
    for (unsigned behind = most; behind > 0; --behind) {
      std::vector<int> list;
      for (const int world : lagging) {
        if (asked_ - done[static_cast<size_t>(world)] >= behind) list.push_back(world);
      }
      for (int spare = all; list.size() % kWorldsPerTile != 0; ++spare) list.push_back(spare);
      check(cudaMemcpy(lists_.data(), list.data(), sizeof(int) * list.size(), cudaMemcpyHostToDevice), "list");
      args_.list = reinterpret_cast<const int*>(lists_.data());
      args_.count = static_cast<int>(list.size());
      run_stages();
      wait();
    }
    args_.list = nullptr;
    args_.count = all;
  }
}

template <class R>
std::span<const int> CudaWorker<R>::status() {
  wait();
  check(cudaMemcpy(status_.data(), args_.status, sizeof(int) * status_.size(), cudaMemcpyDeviceToHost), "status");
  return {status_.data(), static_cast<size_t>(nworld_)};
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
      if (!mask.empty() && (w >= nworld_ || !mask[w])) continue;
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
  for (int i = 0; i < kNumSmoothStages; ++i) {
    times.stages[i] = measure([&] { launch_checked(static_cast<SmoothStage>(i)); });
  }
  if (args_.memory.counts) {
    times.collision = measure([&] { launch_with(for_collision_, launch_collision<R>); });
    times.constraint = measure([&] { launch_with(for_constraint_, launch_constraint<R>); });
    times.solver = measure([&] { launch_with(for_solver_, launch_solver<R>); });
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
  if (options.single_precision) return std::make_unique<CudaWorker<float>>(model, nworld, options, plan);
  return std::make_unique<CudaWorker<double>>(model, nworld, options, plan);
}

std::unique_ptr<BatchWorker> make_cuda_worker(const Model& model, int nworld, const BatchOptions& options) {
  return make_cuda_worker(model, nworld, options, LaunchPlan{});
}

StepTimes time_cuda_step(BatchWorker& worker, int repeats) {
  if (auto* f = dynamic_cast<CudaWorker<float>*>(&worker)) return f->time(repeats);
  if (auto* d = dynamic_cast<CudaWorker<double>*>(&worker)) return d->time(repeats);
  return {};
}

std::vector<WorldCounts> world_counts(BatchWorker& worker) {
  if (auto* f = dynamic_cast<CudaWorker<float>*>(&worker)) return f->counts();
  if (auto* d = dynamic_cast<CudaWorker<double>*>(&worker)) return d->counts();
  return {};
}
std::vector<SolverReport> solver_reports(BatchWorker& worker) {
  if (auto* f = dynamic_cast<CudaWorker<float>*>(&worker)) return f->reports();
  if (auto* d = dynamic_cast<CudaWorker<double>*>(&worker)) return d->reports();
  return {};
}

}  // namespace pliant

// Worlds on a GPU: memory of Model, State and Data, launches, worlds that lack memory.

#include <algorithm>
#include <exception>
#include <functional>
#include <limits>

#include "batch/tree_order.h"
#include "batch/world_memory_hd.h"
#include "cuda/worker_class.h"
#include "cuda/teams.h"
#include "cuda/worlds.cuh"
#include "integrate/integrate.h"
#include "model/contact_candidates.h"
#include "pliant/step.h"

namespace pliant {
namespace {

/// Few worlds leave most of the GPU idle unless many threads share each; many worlds fill it, and sharing only costs.
/// (H200, Shadow hand, world-steps per µs at 1024 / 8192 / 65536 worlds: 16 lanes 4.8/19.5/21, 8 lanes 4.4/24.6/33,
/// 4 lanes 3.5/20/41, 2 lanes 2.5/14.6/45.)
int lanes_for(int nworld) { return nworld <= 4096 ? 16 : nworld <= 24576 ? 8 : nworld <= 49152 ? 4 : 2; }

/// Threads that share what a solver takes at once.
int solver_members_for(int dofs) {
  constexpr int kDofsOfEight = 12;
  return dofs <= kDofsOfEight ? 8 : dofs <= kDofsOfWarp ? 32 : dofs <= 2 * kDofsOfWarp ? 128 : 256;
}

template <SolverShape shape, class R>
const char* launch_dense_solver(const BatchArgs<R>& args, const SolverBin& bin, void* stream) {
  if (bin.members == 8) return launch_solver<shape, 8>(args, bin, stream);
  if (bin.members == 32) return launch_solver<shape, 32>(args, bin, stream);
  if (bin.members == 128) return launch_solver<shape, 128>(args, bin, stream);
  return launch_solver<shape, 256>(args, bin, stream);
}

template <class R>
const char* launch_bin(const BatchArgs<R>& args, const SolverBin& bin, void* stream) {
  switch (solver_shape(args.m)) {
    case SolverShape::kDense:
      return launch_dense_solver<SolverShape::kDense>(args, bin, stream);
    case SolverShape::kDenseCones:
      return launch_dense_solver<SolverShape::kDenseCones>(args, bin, stream);
    case SolverShape::kGrouped:
      return launch_solver<SolverShape::kGrouped, 32>(args, bin, stream);
  }
  return "no such solver";
}

}  // namespace

template <class R>
CudaWorker<R>::CudaWorker(const Model& model, int nworld, const BatchOptions& options, const LaunchPlan& plan)
    : model_(model), plan_(plan), fixed_memory_(options.fixed_memory), nworld_(nworld) {
  if (const std::string why = not_on_gpu(model); !why.empty()) {
    throw std::invalid_argument("pliant::Batch: device \"cuda\": " + why);
  }
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
  lists_ = DeviceBlock(sizeof(int) * args_.layout.places);
  listed_ = DeviceBlock(sizeof(int));
  if (has_constraints(model)) {
    check(cudaHostAlloc(&host_.flag, sizeof(int), cudaHostAllocMapped), "memory of the host");
    lacks_memory_ = host_.flag;
    *lacks_memory_ = 0;
    check(cudaHostGetDevicePointer(&args_.lacks_memory, lacks_memory_, 0), "memory of the host");
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
  place_reset();
  constexpr int kStart = -1;
  reset({}, std::span(&kStart, 1));
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
static std::string reads_of(std::initializer_list<std::string_view> stages) {
  std::string words;
#define TEAM_STAGE(name, title, phase, condition, writes, reads)
#define WORLD_STAGE(name, title, phase, condition, writes, reads) \
  for (const std::string_view stage : stages) {                   \
    if (stage == #name) words += std::string(" ") + reads;        \
  }
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
  return words;
}

template <class R>
void CudaWorker<R>::place_copies() {
  const bool factors = solver_shape(args_.m) == SolverShape::kGrouped;
  struct Wish {
    Copies& copies;
    std::string reads;
  } wishes[] = {{for_collision_, reads_of({"collision"})},
                {for_constraint_, reads_of({"constraint"})},
                {for_solver_, reads_of({"reference", "solver"}) + (factors ? " qLD qLDiagInv" : "")}};
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
static WorldRooms rooms_for(const Model& m, int contacts, int survivors, int rows) {
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

/// Worlds whose parts have more than `dofs_above` and at most `dofs` dofs: in one bin, or those with few rows in one of
/// their own. False if there is no room for one.
template <class R>
bool CudaWorker<R>::add_bins(const WorldRooms& room, int dofs_above, int dofs, std::vector<SolverBin>& bins) const {
  const auto limit = [](cudaDeviceAttr attribute) {
    int device = 0, number = 0;
    check(cudaGetDevice(&device), "device");
    check(cudaDeviceGetAttribute(&number, attribute, device), "device");
    return static_cast<size_t>(number);
  };
  const bool grouped = solver_shape(args_.m) == SolverShape::kGrouped;
  const int members = grouped ? 32 : plan_.solver_members ? plan_.solver_members : solver_members_for(dofs);
  const auto bytes_for = [&](int rows) {
    SolverArrays<R> solver;
    return place_arrays(model_, for_solver(room, rows, dofs), solver, nullptr);
  };
  constexpr int kAll = std::numeric_limits<int>::max();
  const SolverBin all{-1, kAll, dofs_above, dofs, members, bytes_for(room.rows)};
  const size_t of_team = members <= 32 ? 0 : shared_bytes_of_block_team(members);
  if (shared_bytes(args_, all.bytes) + of_team > limit(cudaDevAttrMaxSharedMemoryPerBlockOptin)) return false;
  const size_t of_processor = limit(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
               reserved = limit(cudaDevAttrReservedSharedMemoryPerBlock) + of_team,
               wanted = static_cast<size_t>(32 * kSolverWarps<R> / members);
  const auto at_a_time = [&](int rows) { return of_processor / (shared_bytes(args_, bytes_for(rows)) + reserved); };
  // as many rows as leave room for all of them, by halving; unless that is hardly any
  int few = 0, many = room.rows;
  while (many - few > 1) {
    const int rows = (few + many) / 2;
    (at_a_time(rows) >= wanted ? few : many) = rows;
  }
  constexpr int kHardlyAny = 8;
  if (few < kHardlyAny) few = room.rows / 2;
  if (at_a_time(room.rows) >= wanted) few = 0;
  if (few > 0) bins.push_back({-1, few, dofs_above, dofs, members, bytes_for(few)});
  bins.push_back(all);
  if (few > 0) bins.back().rows_above = few;
  return true;
}

/// Launches of the solver; none if its memory does not fit into shared memory.
template <class R>
std::vector<SolverBin> CudaWorker<R>::bins_for(const WorldRooms& room) const {
  std::vector<SolverBin> bins;
  if (plan_.solver_in_global_memory) return bins;
  const int* trees = model_.tree_dofnum;
  const bool small_trees = std::all_of(trees, trees + model_.ntree, [](int dofs) { return dofs <= kDofsOfWarp; });
  const bool parts =
      has_parts(model_) && small_trees && model_.nv > kDofsOfWarp && solver_shape(args_.m) != SolverShape::kGrouped;
  if (parts && !add_bins(room, -1, kDofsOfWarp, bins)) return {};
  if (!add_bins(room, parts ? kDofsOfWarp : -1, model_.nv, bins)) return {};
  return bins;
}

/// Memory for so much; what worlds have there moves along. Where the GPU has no room for it, everything stays.
template <class R>
void CudaWorker<R>::place_rows(const WorldRooms& room) {
  const int places = args_.layout.places;
  WorldArrays<R> grown;
  grown.room = room;
  DeviceBlock rows(place_arrays(model_, grown, places, nullptr), "contacts and rows");
  place_arrays(model_, grown, places, rows.data());
  if (rows_.data()) {
    struct Array {
      void* data;
      size_t bytes;  // of a world
    };
    const auto arrays_of = [&](WorldArrays<R>& arrays) {
      std::vector<Array> list;
      each_array(model_, arrays, [&]<class T>(T*& array, int n) { list.push_back({array, sizeof(T) * n}); });
      return list;
    };
    const std::vector<Array> from = arrays_of(args_.memory), to = arrays_of(grown);
    for (size_t i = 0; i < from.size(); ++i) {
      const size_t bytes = std::min(from[i].bytes, to[i].bytes);
      if (bytes == 0) continue;
      check(cudaMemcpy2D(to[i].data, to[i].bytes, from[i].data, from[i].bytes, bytes, static_cast<size_t>(places),
                         cudaMemcpyDeviceToDevice),
            "more memory");
    }
  }
  SolverArrays<R> solver;
  const size_t solver_bytes = place_arrays(model_, room, solver, nullptr);
  DeviceBlock solvers;
  std::vector<SolverBin> bins = bins_for(room);
  if (bins.empty()) {
    solvers = DeviceBlock(solver_bytes * static_cast<size_t>(places), "working memory of the solver");
    bins = {SolverBin()};
    if (solver_shape(args_.m) != SolverShape::kGrouped) bins[0].members = solver_members_for(model_.nv);
  }
  forget_graphs();
  args_.memory = grown;
  args_.solver_bytes = solver_bytes;
  args_.solver_memory = solvers.data();
  args_.solver_bins = static_cast<int>(bins.size());
  std::copy(bins.begin(), bins.end(), args_.solver_bin);
  rows_ = std::move(rows);
  solvers_ = std::move(solvers);
  if (!start_of_.empty()) list_reset_items();
}

// ---- work --------------------------------------------------------------------------------------------

/// Bins beside each other: the last worlds of one leave most of the GPU to the others.
template <class R>
void CudaWorker<R>::launch_solver_stage() {
  gather(for_solver_, now_);
  const bool several = args_.solver_bins > 1;
  if (several) let_wait(host_.beside, now_);
  // those with many rows take longest
  for (int i = args_.solver_bins - 1; i >= 0; --i) {
    check_launch(launch_bin(args_, args_.solver_bin[i], i == 0 ? now_ : host_.beside));
  }
  if (several) let_wait(now_, host_.beside);
}

/// All launches of a step or of forward, in the order of stages.def, but for this: contacts and rows go on beside the
/// stages up to the solver, which read nothing of them unless contacts attract. (They wait for memory most of the
/// time.)
template <class R>
void CudaWorker<R>::run_stages(Job job) {
  bool beside = false;
  const std::function<void()> join = [&] {
    if (beside) let_wait(now_, host_.beside);
    beside = false;
  };
  const auto smooth = [&](SmoothStage stage) {
    if (!is_needed(model_, kSmoothStages[static_cast<int>(stage)].condition)) return;
    if (stage == SmoothStage::passive && args_.m.may_attract) join();
    launch_checked(stage);
  };
  struct Host {
    CudaWorker& worker;
    bool& beside;
    const std::function<void()>& join;
    void collision() {
      worker.let_wait(worker.host_.beside, worker.now_);
      beside = true;
      worker.launch_collision_stage(worker.host_.beside);
    }
    void constraint() { worker.launch_constraint_stage(worker.host_.beside); }
    void reference() {}  // the solver's kernel begins with it
    void solver() {
      join();
      worker.launch_solver_stage();
    }
    void metric() {}  // (discrete is refused)
  } host{*this, beside, join};
  const bool constrained = args_.memory.counts;
  smooth(SmoothStage::check);
#define TEAM_STAGE(name, title, phase, condition, writes, reads) smooth(SmoothStage::name);
#define WORLD_STAGE(name, title, phase, condition, writes, reads) \
  if (constrained) host.name();
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
  if (job == Job::kForward) return check_launch(launch_check_results(args_, now_));
  smooth(SmoothStage::implicit);
  smooth(SmoothStage::measure);
  smooth(SmoothStage::integrate);
}

/// The kernels of a job as one launch.
template <class R>
void CudaWorker<R>::run(Job job, Of worlds) {
  cudaGraphExec_t& graph = graphs_[2 * static_cast<size_t>(job) + static_cast<size_t>(worlds)];
  if (!graph) {
    if (worlds == Of::kListed) {
      args_.list = reinterpret_cast<const int*>(lists_.data());
      args_.listed = reinterpret_cast<const int*>(listed_.data());
    }
    cudaGraph_t captured;
    check(cudaStreamBeginCapture(host_.capturing, cudaStreamCaptureModeThreadLocal), "capture");
    now_ = host_.capturing;
    std::exception_ptr refused;
    try {
      run_stages(job);
    } catch (...) {
      refused = std::current_exception();
    }
    now_ = queue_;
    args_.list = args_.listed = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(host_.capturing, &captured);
    if (refused) std::rethrow_exception(refused);
    check(ended, "capture");
    const cudaError_t error = cudaGraphInstantiate(&graph, captured, 0);
    cudaGraphDestroy(captured);
    check(error, "graph");
  }
  check(cudaGraphLaunch(graph, queue_), "launch");
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
    run(Job::kStep, Of::kAll);
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
      run_stages(Job::kStep);
      wait();
    }
    args_.list = nullptr;
    args_.count = all;
  }
}

template <class R>
StepTimes CudaWorker<R>::time(int repeats) {
  cudaEvent_t start, end;
  check(cudaEventCreate(&start), "event");
  check(cudaEventCreate(&end), "event");
  const auto measure = [&](auto&& work) {
    work();
    check(cudaEventRecord(start, queue_), "event");
    for (int i = 0; i < repeats; ++i) work();
    check(cudaEventRecord(end, queue_), "event");
    wait();
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, end), "event");
    return 1e3 * ms / repeats;
  };
  StepTimes times;
  times.step = measure([&] { run(Job::kStep, Of::kAll); });
  for (int i = 0; i < kNumSmoothStages; ++i) {
    if (!is_needed(model_, kSmoothStages[i].condition)) continue;
    times.stages[i] = measure([&] { launch_checked(static_cast<SmoothStage>(i)); });
  }
  if (args_.memory.counts) {
    times.collision = measure([&] { launch_collision_stage(now_); });
    times.constraint = measure([&] { launch_constraint_stage(now_); });
    times.solver = measure([&] { launch_solver_stage(); });
  }
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  return times;
}

template <class R>
std::vector<BatchStageTime> CudaWorker<R>::time_stages(int repeats) {
  const StepTimes times = time(repeats);
  std::vector<BatchStageTime> list;
  const auto add = [&](const char* name, double microseconds) {
    if (microseconds > 0) list.push_back({name, 1e-6 * microseconds});
  };
  add("step", times.step);
  for (int i = 0; i < kNumSmoothStages; ++i) add(kSmoothStages[i].name, times.stages[i]);
  add("collision", times.collision);
  add("constraint", times.constraint);
  add("solver", times.solver);
  return list;
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

// Arrays of all worlds on a GPU: views, copies, parameters, fresh worlds, forward, rollout.

#include <algorithm>

#include "cuda/worker_class.h"
#include "pliant/rollout.h"

namespace pliant {
namespace {

/// Numbers between the first and the last of an array of so many worlds, with both.
size_t span_of(const BatchField& f) {
  if (f.count == 0 || f.nworld == 0) return 0;
  return static_cast<size_t>((f.nworld - 1) * f.world_stride + (f.count - 1) * f.element_stride) + 1;
}

DeviceNumbers numbers_of(const BatchField& f) {
  return {static_cast<std::byte*>(f.data), f.scalar, f.count, f.world_stride, f.element_stride};
}

}  // namespace

// ---- views -------------------------------------------------------------------------------------------

/// Whether a field of Data has a place in the block of all worlds; what only some integrators or sensors need, where
/// there are such.
template <class R>
bool CudaWorker<R>::is_kept(const StateFieldInfo& info) const {
  const std::string_view owner = info.owner;
  const SensorNeeds& needs = args_.m.sensor_needs;
  if (owner == "subtree" && !needs.has(SensorNeed::kSubtree)) return false;
  if (owner == "body_forces" && !needs.has(SensorNeed::kBodyForces)) return false;
  return is_on_device(owner, model_.opt.integrator);
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
  const bool gravity = field == kGravity;
  const int count = gravity ? 3 : model_.field_count(field) * model_.field_width(field), places = args_.layout.places;
  DeviceBlock& block = parameters_[field];
  if (!block.data()) {
    wait();
    DeviceBlock numbers(std::max<size_t>(1, sizeof(R) * count * static_cast<size_t>(places)), "a parameter of worlds");
    const auto* from = gravity ? model_.opt.gravity.data() : static_cast<const double*>(model_.field_data(field));
    std::vector<R> host(static_cast<size_t>(count) * places);
    for (int i = 0; i < count; ++i) {
      for (int w = 0; w < places; ++w) host[static_cast<size_t>(i) * places + w] = static_cast<R>(from[i]);
    }
    check(cudaMemcpy(numbers.data(), host.data(), sizeof(R) * host.size(), cudaMemcpyHostToDevice), "parameter");
    block = std::move(numbers);
    if (gravity) args_.m.gravity_of_worlds = {reinterpret_cast<const R*>(block.data()), places};
    int i = 0;
#define FIELD(type, name, count_, width, cls, unit, meaning)                                     \
  if (i++ == field) {                                                                            \
    if constexpr (is_batchable(Scalar::type, FieldClass::cls)) {                                 \
      args_.m.name = {reinterpret_cast<const typename Scalars<R>::type*>(block.data()), places}; \
    }                                                                                            \
  }
#include "pliant/model_fields.def"
#undef FIELD
    forget_graphs();
    if (gravity) return parameter(field);
    args_.parameters = true;
    if (args_.memory.counts) place_rows(args_.memory.room);  // shared memory has to hold more
    // a world might now be damped, and its contacts might attract
    args_.m.may_be_damped = !(model_.opt.disableflags & (kDisableEulerDamp | kDisableDamper));
    args_.m.may_attract = true;
  }
  return {block.data(), batch_scalar<R>(Scalar::real), nworld_, count, 1, places, true};
}

// ---- copies ------------------------------------------------------------------------------------------

template <class R>
std::byte* CudaWorker<R>::staged(const void* data, size_t bytes) {
  if (staging_.bytes() < bytes) {
    wait();
    staging_ = DeviceBlock(bytes, "numbers of the caller");
  }
  check(cudaMemcpyAsync(staging_.data(), data, bytes, cudaMemcpyHostToDevice, queue_), "numbers of the caller");
  return staging_.data();
}

template <class R>
void CudaWorker<R>::write(const BatchField& to, const BatchField& from) {
  BatchField source = from;
  if (!from.on_gpu) source.data = staged(from.data, scalar_bytes(from.scalar) * span_of(from));
  DeviceNumbers numbers = numbers_of(source);
  if (from.nworld == 1) numbers.world_stride = 0;
  copy(numbers_of(to), numbers);
}

template <class R>
void CudaWorker<R>::read(const BatchField& from, void* to) {
  wait();
  std::vector<std::byte> host(scalar_bytes(from.scalar) * span_of(from));
  check(cudaMemcpy(host.data(), from.data, host.size(), cudaMemcpyDeviceToHost), "numbers of worlds");
  BatchField source = from;
  source.data = host.data();
  copy_numbers({to, from.scalar, from.nworld, from.count, from.count, 1, false}, source);
}

template <class R>
void CudaWorker<R>::use_stream(void* stream) {
  const auto next = static_cast<cudaStream_t>(stream);
  if (next == queue_) return;
  check(cudaEventRecord(host_.order, queue_), "a change of streams");
  check(cudaStreamWaitEvent(next, host_.order), "a change of streams");
  queue_ = now_ = next;
}

template <class R>
std::span<const int> CudaWorker<R>::status() {
  wait();
  check(cudaMemcpy(status_.data(), args_.status, sizeof(int) * status_.size(), cudaMemcpyDeviceToHost), "status");
  return {status_.data(), static_cast<size_t>(nworld_)};
}

template <class R>
std::vector<WorldStatistics> CudaWorker<R>::statistics() {
  const std::vector<WorldCounts> had = counts();
  const std::vector<SolverReport> did = reports();
  std::vector<WorldStatistics> list(static_cast<size_t>(nworld_));
  for (size_t w = 0; w < had.size(); ++w) {
    list[w].contacts = had[w].contacts, list[w].rows = had[w].rows;
    if (had[w].rows == 0) continue;
    list[w].iterations = did[w].iterations, list[w].evaluations = did[w].evaluations;
    list[w].gap = did[w].gap, list[w].converged = did[w].converged;
  }
  return list;
}

// ---- fresh worlds ------------------------------------------------------------------------------------

/// The start and all keyframes, a row each.
template <class R>
void CudaWorker<R>::place_reset() {
  State s(model_);
  std::vector<double> rows;
  for (int key = -1; key < model_.nkey; ++key) {
    if (key >= 0) s.reset(model_, key);
    for (size_t f = 0; f < state_fields().size(); ++f) {
      const StateFieldInfo& info = state_fields()[f];
      const int n = numbers_per_world(info, model_);
      if (key < 0) start_of_[info.name] = rows.size();
      const size_t begin = rows.size();
      rows.resize(begin + static_cast<size_t>(n));
      const BatchField from{const_cast<void*>(s.field_data(static_cast<int>(f))), info.scalar, 1, n, n, 1, false};
      copy_numbers({rows.data() + begin, Scalar::real, 1, n, n, 1, false}, from);
    }
    if (key < 0) reset_table_.row = static_cast<int>(rows.size());
  }
  starts_ = DeviceBlock(sizeof(double) * rows.size(), "keyframes");
  check(cudaMemcpy(starts_.data(), rows.data(), sizeof(double) * rows.size(), cudaMemcpyHostToDevice), "keyframes");
  list_reset_items();
}

/// Arrays of a fresh world: State from a row of starts_; zeros in what is kept of Data, and no contacts.
template <class R>
void CudaWorker<R>::list_reset_items() {
  std::vector<ResetItem> items;
  for (const StateFieldInfo& info : state_fields()) {
    const BatchField f = field(info.name);
    if (f.count)
      items.push_back({numbers_of(f), reinterpret_cast<const double*>(starts_.data()) + start_of_[info.name]});
  }
  for (const StateFieldInfo& info : data_fields()) {
    const BatchField f = field(info.name);
    if (f.data && f.count) items.push_back({numbers_of(f), nullptr});
  }
  const auto zeros = [&](auto* array) {
    constexpr int kBytes = sizeof *array;
    if (array) items.push_back({{reinterpret_cast<std::byte*>(array), Scalar::u8, kBytes, kBytes, 1}, nullptr});
  };
  zeros(args_.memory.counts);
  zeros(args_.memory.solver);
  const size_t bytes = sizeof(ResetItem) * items.size();
  wait();
  reset_items_ = DeviceBlock(bytes);
  check(cudaMemcpy(reset_items_.data(), items.data(), bytes, cudaMemcpyHostToDevice), "list of arrays");
  reset_table_.item = reinterpret_cast<const ResetItem*>(reset_items_.data());
  reset_table_.items = static_cast<int>(items.size());
}

/// The bytes of a mask where kernels can read them; nullptr: all worlds.
template <class R>
const uint8_t* CudaWorker<R>::on_device(const WorldMask& mask) {
  if (mask.all() || mask.on_gpu) return mask.all() ? nullptr : mask.data;
  if (!mask_.data()) mask_ = DeviceBlock(static_cast<size_t>(args_.layout.places));
  check(cudaMemcpyAsync(mask_.data(), mask.data, mask.size, cudaMemcpyHostToDevice, queue_), "mask");
  return reinterpret_cast<const uint8_t*>(mask_.data());
}

template <class R>
void CudaWorker<R>::reset(const WorldMask& mask, std::span<const int> keyframes) {
  const int* keys = nullptr;
  if (keyframes.size() > 1) {
    const size_t bytes = sizeof(int) * keyframes.size();
    if (!keys_.data()) keys_ = DeviceBlock(sizeof(int) * static_cast<size_t>(args_.layout.places));
    check(cudaMemcpyAsync(keys_.data(), keyframes.data(), bytes, cudaMemcpyHostToDevice, queue_), "keyframes");
    keys = reinterpret_cast<const int*>(keys_.data());
  }
  const uint8_t* chosen = on_device(mask);
  // places without a world hold the start, too: launches of whole tiles work on them
  const bool places = !chosen && !keys;
  check_launch(launch_reset(reset_table_, chosen, keyframes[0], keys, args_.status,
                            places ? args_.layout.places : nworld_, queue_));
}

// ---- forward and rollout -------------------------------------------------------------------------------

/// The next run() Of::kListed is about these worlds. Where only sound ones are, the others count as moved.
template <class R>
void CudaWorker<R>::select(const uint8_t* mask, bool sound_ones) {
  Selection selection;
  selection.mask = mask;
  selection.sound = sound_ones ? args_.status : nullptr;
  selection.done = sound_ones ? args_.done : nullptr;
  selection.nworld = nworld_;
  selection.spare = args_.count;
  selection.list = reinterpret_cast<int*>(lists_.data());
  selection.listed = reinterpret_cast<int*>(listed_.data());
  check_launch(launch_select(selection, queue_));
}

template <class R>
void CudaWorker<R>::forward(const WorldMask& mask) {
  const uint8_t* chosen = on_device(mask);
  const auto compute = [&] {
    if (chosen) select(chosen, false);
    run(Job::kForward, chosen ? Of::kListed : Of::kAll);
  };
  compute();
  if (!args_.memory.counts || fixed_memory_) return;
  wait();
  // what lacks memory is computed again, with more
  while (*lacks_memory_) {
    *lacks_memory_ = 0;
    const std::span<const int> faults = status();
    std::vector<int> lacking;
    for (int world = 0; world < nworld_; ++world) {
      if (faults[static_cast<size_t>(world)] & (bit(Fault::kContactOverflow) | bit(Fault::kRowOverflow))) {
        lacking.push_back(world);
      }
    }
    if (lacking.empty()) return;
    place_rows(room_for(lacking));
    compute();
    wait();
  }
}

/// Controls go to the GPU and results come back in pieces of some steps. A world that is refused stays out of the rest.
template <class R>
void CudaWorker<R>::rollout(const BatchRollout& wanted, const std::function<bool()>& stop) {
  constexpr size_t kMostBytes = size_t{64} << 20;  // of a piece
  static constexpr struct {
    unsigned part;
    const char* name;
  } kParts[] = {{kStateTime, "time"}, {kStateQpos, "qpos"},       {kStateQvel, "qvel"},
                {kStateAct, "act"},   {kStateHistory, "history"}, {kStatePlastic, "plastic"}};
  const size_t nu = static_cast<size_t>(model_.nu), nstate = static_cast<size_t>(state_size(model_, kStateFullPhysics)),
               nsensor = static_cast<size_t>(model_.nsensordata), nworld = static_cast<size_t>(nworld_);
  const size_t numbers = std::max<size_t>(1, nworld * (nu + nstate + nsensor));
  const int piece = static_cast<int>(
      std::clamp<size_t>(kMostBytes / (sizeof(double) * numbers), 1, static_cast<size_t>(std::max(1, wanted.steps))));
  const auto room = [&](bool needed, size_t n, int rows) {
    return DeviceBlock(needed ? sizeof(double) * nworld * n * static_cast<size_t>(rows) : 0, "a rollout");
  };
  DeviceBlock ctrl = room(wanted.ctrl, nu, piece), states = room(wanted.state, nstate, piece);
  // (one row more: the readings before, which a world that is refused repeats)
  DeviceBlock readings = room(wanted.sensordata, nsensor, piece + 1);
  // row `row` of all worlds in such a block
  const auto row_of = [&](DeviceBlock& block, int row, size_t n, int rows, size_t first, int count) {
    std::byte* data = block.data() + sizeof(double) * (static_cast<size_t>(row) * n + first);
    return DeviceNumbers{data, Scalar::real, count, static_cast<int64_t>(n) * rows, 1};
  };
  const auto width = [](size_t n, int rows) { return sizeof(double) * n * static_cast<size_t>(rows); };
  check(cudaMemsetAsync(args_.status, 0, sizeof(int) * nworld, queue_), "status");
  for (int first = 0; first < wanted.steps; first += piece) {
    const int steps = std::min(piece, wanted.steps - first);
    if (ctrl.data()) {
      check(cudaMemcpy2DAsync(ctrl.data(), width(nu, piece), wanted.ctrl + nu * static_cast<size_t>(first),
                              width(nu, wanted.steps), width(nu, steps), nworld, cudaMemcpyHostToDevice, queue_),
            "controls");
    }
    int made = 0;
    bool stopped = false;
    for (; made < steps && !stopped; ++made) {
      if (ctrl.data()) copy(numbers_of(field("ctrl")), row_of(ctrl, made, nu, piece, 0, model_.nu), CopyFor::kSound);
      select(nullptr, true);
      run(Job::kStep, Of::kListed);
      ++asked_;
      catch_up();
      size_t at = 0;
      for (const auto& [part, name] : kParts) {
        const BatchField from = field(name);
        if (states.data()) copy(row_of(states, made, nstate, piece, at, from.count), numbers_of(from));
        at += static_cast<size_t>(from.count);
      }
      if (readings.data()) {
        const int n = model_.nsensordata;
        const DeviceNumbers now = row_of(readings, made + 1, nsensor, piece + 1, 0, n),
                            before = row_of(readings, made, nsensor, piece + 1, 0, n);
        copy(now, numbers_of(field("sensordata")), CopyFor::kSound);
        copy(now, before, CopyFor::kFaulty);
      }
      stopped = stop && first + made + 1 < wanted.steps && stop();
    }
    wait();
    const auto fetch = [&](double* to, DeviceBlock& block, size_t n, int rows, int from_row) {
      if (!block.data()) return;
      check(cudaMemcpy2D(to + n * static_cast<size_t>(first), width(n, wanted.steps), block.data() + width(n, from_row),
                         width(n, rows), width(n, made), nworld, cudaMemcpyDeviceToHost),
            "results");
    };
    fetch(wanted.state, states, nstate, piece, 0);
    fetch(wanted.sensordata, readings, nsensor, piece + 1, 1);
    if (stopped) return;
    if (readings.data()) {
      const int n = model_.nsensordata;
      copy(row_of(readings, 0, nsensor, piece + 1, 0, n), row_of(readings, made, nsensor, piece + 1, 0, n));
    }
  }
}

// The class is made in cuda_worker.cu.
#define PLIANT_OF(R)                                                          \
  template bool CudaWorker<R>::is_kept(const StateFieldInfo&) const;          \
  template BatchField CudaWorker<R>::view(void*, Scalar, Layout, int) const;  \
  template BatchField CudaWorker<R>::field(std::string_view);                 \
  template BatchField CudaWorker<R>::parameter(int);                          \
  template void CudaWorker<R>::write(const BatchField&, const BatchField&);   \
  template void CudaWorker<R>::read(const BatchField&, void*);                \
  template void CudaWorker<R>::use_stream(void*);                             \
  template std::span<const int> CudaWorker<R>::status();                      \
  template std::vector<WorldStatistics> CudaWorker<R>::statistics();          \
  template void CudaWorker<R>::place_reset();                                 \
  template void CudaWorker<R>::list_reset_items();                            \
  template void CudaWorker<R>::reset(const WorldMask&, std::span<const int>); \
  template void CudaWorker<R>::forward(const WorldMask&);                     \
  template void CudaWorker<R>::rollout(const BatchRollout&, const std::function<bool()>&);
PLIANT_OF(float)
PLIANT_OF(double)
#undef PLIANT_OF

}  // namespace pliant

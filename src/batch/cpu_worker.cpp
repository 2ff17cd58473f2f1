// Worlds on the threads of the CPU: a few Data per thread, States as arrays with a row per world.
//
// A thread copies the States of a few worlds into its own, moves them and copies them back: some hundred numbers
// against the thousands of operations of a step, and every stage works on the memory it was written for.

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/pool.h"
#include "batch/trajectory.h"
#include "batch/workers.h"
#include "pliant/step.h"
#include "pliant/version.h"
#include "state/batch_views.h"

namespace pliant {
namespace {

/// Rows of one array of State, Data or Model, one per world.
struct Rows {
  int field = 0;     // place in its field list; or kGravity
  size_t bytes = 0;  // of a row
  Scalar scalar = Scalar::real;
  int count = 0;
  std::vector<std::byte> memory;
  std::byte* row(int world) { return memory.data() + bytes * static_cast<size_t>(world); }
};

/// Takes values off the front of saved bytes.
struct SavedBytes {
  std::string_view left;
  void read(void* to, size_t n) {
    if (left.size() < n) throw std::invalid_argument("pliant::Batch: restore: the bytes end too early");
    if (n) std::memcpy(to, left.data(), n);
    left.remove_prefix(n);
  }
  template <class T>
  T number() {
    T value;
    read(&value, sizeof value);
    return value;
  }
  template <class T>
  void list(std::vector<T>& values) {
    const auto n = number<uint64_t>();
    if (left.size() / sizeof(T) < n) throw std::invalid_argument("pliant::Batch: restore: the bytes end too early");
    values.resize(n);
    read(values.data(), n * sizeof(T));
  }
};

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <class T>
void append(std::string& bytes, const std::vector<T>& values) {
  append(bytes, static_cast<uint64_t>(values.size()));
  if (!values.empty()) bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

class CpuWorker : public BatchWorker {
 public:
  CpuWorker(const Model& model, int nworld, const BatchOptions& options);
  void step(int steps, const std::function<bool()>& stop) override;
  std::string trouble() override;
  void rollout(const BatchRollout& rollout, const std::function<bool()>& stop) override;
  void forward(const WorldMask& mask) override;
  void reset(const WorldMask& mask, std::span<const int> keyframes) override;
  std::span<const int> status() override { return status_; }
  BatchField status_field() override { return {status_.data(), Scalar::i32, nworld_, 1, 1, 1, false}; }
  std::vector<WorldStatistics> statistics() override { return statistics_; }
  BatchField field(std::string_view name) override;
  BatchField parameter(int model_field) override;
  void write(const BatchField& to, const BatchField& from) override { copy_numbers(to, from); }
  void read(const BatchField& from, void* to) override {
    copy_numbers({to, from.scalar, from.nworld, from.count, from.count, 1, false}, from);
  }
  void wait() override {}
  size_t bytes_per_world() const override;
  std::string save() const override;
  void restore(std::string_view bytes) override;

 private:
  /// Memory of a world.
  struct Place {
    State state;
    Data data;
  };
  /// What a thread works with.
  struct Bench {
    std::vector<Place> places;        // of worlds that it moves together; one, where it moves each by itself
    std::unique_ptr<LaneStep> lanes;  // where it moves several
    Model model;                      // a copy, if worlds have parameters of their own
    // of the last step(): worlds that stopped and had not before, and the first of them
    int stopped = 0, world = -1, steps = 0;
    std::string why;
  };
  void step_worlds(Bench& bench, int at_once, int first, int end, int done, int steps);
  void follow_worlds(Bench& bench, int at_once, int first, int end, int done, int steps, const BatchRollout& wanted);
  Rows make_rows(int field, Scalar scalar, int count) const;
  std::string saved_heading() const;
  BatchField view(Rows& rows) const;
  int make_room_together();
  template <class F>
  void each_group(int at_once, int first, int end, F&& f) const;
  Traveller load(Bench& bench, Place& place, int world);
  void store(Place& place, int world) { store_state(place, world), store_outputs(place, world); }
  void store_state(Place& place, int world);
  void store_outputs(Place& place, int world);
  void keep_statistics(const Data& d, int world);

  const Model& model_;
  int nworld_;
  Pool pool_;
  std::vector<Bench> benches_;
  std::vector<Rows> states_, outputs_, parameters_;
  std::vector<RowMemory> memories_;  // per world
  std::vector<WorldStatistics> statistics_;
  std::vector<int> status_, before_;  // before_: when the last step() began; views of status_ stay valid
};

/// The numbers of a parameter, or kGravity.
void* parameter_of(Model& m, int field) { return field == kGravity ? m.opt.gravity.data() : m.field_data(field); }
const void* parameter_of(const Model& m, int field) {
  return field == kGravity ? m.opt.gravity.data() : m.field_data(field);
}
size_t parameter_size(const Model& m, int field) {
  if (field == kGravity) return std::size(m.opt.gravity);
  return static_cast<size_t>(m.field_count(field)) * static_cast<size_t>(m.field_width(field));
}

/// The row before, `count` times.
void repeat_row(double* rows, size_t size, int count) {
  for (int i = 0; i < count; ++i) std::copy_n(rows - size, size, rows + size * static_cast<size_t>(i));
}

Rows CpuWorker::make_rows(int field, Scalar scalar, int count) const {
  Rows rows{field, scalar_bytes(scalar) * static_cast<size_t>(count), scalar, count, {}};
  rows.memory.resize(rows.bytes * static_cast<size_t>(nworld_));
  return rows;
}

CpuWorker::CpuWorker(const Model& model, int nworld, const BatchOptions& options)
    : model_(model),
      nworld_(nworld),
      pool_(options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency())),
      memories_(nworld),
      statistics_(nworld),
      status_(nworld, 0),
      before_(nworld, 0) {
  const std::span<const StateFieldInfo> state_list = state_fields(), data_list = data_fields();
  for (size_t i = 0; i < state_list.size(); ++i) {
    const StateFieldInfo& info = state_list[i];
    states_.push_back(make_rows(static_cast<int>(i), info.scalar, info.count(model) * info.width(model)));
  }
  for (const std::string& name : options.outputs) {
    bool found = false;
    for (size_t i = 0; i < data_list.size() && !found; ++i) {
      const StateFieldInfo& info = data_list[i];
      found = name == info.name;
      if (found) outputs_.push_back(make_rows(static_cast<int>(i), info.scalar, info.count(model) * info.width(model)));
    }
    if (!found) throw std::invalid_argument("pliant::Batch: outputs: Data has no array \"" + name + "\"");
  }
  for (int t = 0; t < pool_.size(); ++t) {
    benches_.emplace_back();
    benches_.back().places.push_back({State(model), Data(model)});
  }
  constexpr int kStart = -1;
  reset({}, std::span(&kStart, 1));
}

// Room for as many worlds as a thread moves together, and how many these are; with parameters of their own each moves
// alone.
int CpuWorker::make_room_together() {
  const int at_once = worlds_at_once(parameters_.empty() && LaneStep::is_for(model_), nworld_, pool_.size());
  if (at_once == 1) return 1;
  for (Bench& bench : benches_) {
    while (static_cast<int>(bench.places.size()) < at_once) bench.places.push_back({State(model_), Data(model_)});
    if (!bench.lanes) {
      std::vector<int> outputs;
      for (const Rows& rows : outputs_) outputs.push_back(rows.field);
      bench.lanes = std::make_unique<LaneStep>(model_, bench.places[0].data, outputs);
    }
  }
  return at_once;
}

// The world's State into a place; the world as it sets out.
Traveller CpuWorker::load(Bench& bench, Place& place, int world) {
  std::swap(place.state.row_memory, memories_[world]);
  for (Rows& rows : states_) {
    if (rows.bytes) std::memcpy(place.state.field_data(rows.field), rows.row(world), rows.bytes);
  }
  for (Rows& rows : parameters_) std::memcpy(parameter_of(bench.model, rows.field), rows.row(world), rows.bytes);
  Traveller traveller;
  traveller.world = {&place.state, &place.data, {}};
  return traveller;
}

void CpuWorker::store_state(Place& place, int world) {
  std::swap(place.state.row_memory, memories_[world]);
  for (Rows& rows : states_) {
    if (rows.bytes) std::memcpy(rows.row(world), place.state.field_data(rows.field), rows.bytes);
  }
}

void CpuWorker::store_outputs(Place& place, int world) {
  for (Rows& rows : outputs_) {
    if (rows.bytes) std::memcpy(rows.row(world), place.data.field_data(rows.field), rows.bytes);
  }
}

void CpuWorker::keep_statistics(const Data& d, int world) {
  WorldStatistics& kept = statistics_[world];
  kept = {d.ncon, d.rows.n, d.solver.iterations(), 0, d.solver.gap(), d.rows.n == 0 || d.solver.converged()};
  for (int i = 0; i < d.solver.n; ++i) kept.evaluations += d.solver.report[i].evaluations;
}

// f(worlds, how many) for those of first … end - 1 that have not stopped, as many as are moved together.
template <class F>
void CpuWorker::each_group(int at_once, int first, int end, F&& f) const {
  int group[kWorldsTogether], n = 0;
  for (int world = first; world < end; ++world) {
    if (!status_[world]) group[n++] = world;
    if (n == at_once || (n > 0 && world == end - 1)) f(std::span<const int>(group, static_cast<size_t>(n))), n = 0;
  }
}

// Steps done + 1 … done + steps of some worlds. Those that have stopped stay where they are.
void CpuWorker::step_worlds(Bench& bench, int at_once, int first, int end, int done, int steps) {
  const Model& model = parameters_.empty() ? model_ : bench.model;
  each_group(at_once, first, end, [&](std::span<const int> worlds) {
    Traveller travellers[kWorldsTogether];
    for (size_t k = 0; k < worlds.size(); ++k) {
      travellers[k] = load(bench, bench.places[k], worlds[k]);
      travellers[k].way.nstep = steps;
    }
    follow(model, bench.lanes.get(), {travellers, worlds.size()}, [] { return false; });
    for (size_t k = 0; k < worlds.size(); ++k) {
      const int world = worlds[k];
      const StepStatus status = travellers[k].world.status;
      status_[world] = status.faults;
      store(bench.places[k], world);
      keep_statistics(bench.places[k].data, world);
      if (status.ok() || before_[world]) continue;
      ++bench.stopped;
      if (bench.world >= 0 && bench.world < world) continue;
      bench.world = world, bench.steps = done + travellers[k].steps;
      bench.why = describe_status(model, bench.places[k].data, status);
    }
  });
}

/// some_steps(done, n) until all steps are done or `stop` says so: as many at once as pass between two looks; without
/// anybody to ask, all of them.
template <class F>
void until_stopped(int steps, const std::function<bool()>& stop, F&& some_steps) {
  constexpr auto kAskEvery = std::chrono::milliseconds(50);
  int chunk = stop ? 1 : std::max(1, steps);
  for (int done = 0; done < steps;) {
    const int n = std::min(chunk, steps - done);
    const auto start = std::chrono::steady_clock::now();
    some_steps(done, n);
    done += n;
    if (done == steps || !stop) continue;
    if (stop()) return;
    if (std::chrono::steady_clock::now() - start < kAskEvery / 2) chunk = std::min(2 * chunk, 1 << 20);
  }
}

void CpuWorker::step(int steps, const std::function<bool()>& stop) {
  before_ = status_;
  std::fill(status_.begin(), status_.end(), 0);
  for (Bench& bench : benches_) bench.stopped = 0, bench.world = -1;
  const int at_once = make_room_together();
  until_stopped(steps, stop, [&](int done, int n) {
    pool_.run(nworld_,
              [&](int thread, int first, int end) { step_worlds(benches_[thread], at_once, first, end, done, n); });
  });
}

std::string CpuWorker::trouble() {
  int stopped = 0;
  const Bench* first = nullptr;
  for (const Bench& bench : benches_) {
    stopped += bench.stopped;
    if (bench.world >= 0 && (!first || bench.world < first->world)) first = &bench;
  }
  if (!first) return {};
  return std::to_string(stopped) + " of " + std::to_string(nworld_) + " worlds stopped; first: world " +
         std::to_string(first->world) + ", step " + std::to_string(first->steps) + ": " + first->why;
}

// Steps done + 1 … done + steps of a rollout of some worlds. Those that have stopped repeat their last rows.
void CpuWorker::follow_worlds(Bench& bench, int at_once, int first, int end, int done, int steps,
                              const BatchRollout& wanted) {
  const size_t nu = static_cast<size_t>(model_.nu), nstate = static_cast<size_t>(state_size(model_, kStateFullPhysics)),
               nsensor = static_cast<size_t>(model_.nsensordata);
  const Model& model = parameters_.empty() ? model_ : bench.model;
  const auto row_of = [&](int world) {
    return static_cast<size_t>(world) * static_cast<size_t>(wanted.steps) + static_cast<size_t>(done);
  };
  const auto state_of = [&](int world) { return wanted.state ? wanted.state + row_of(world) * nstate : nullptr; };
  const auto readings_of = [&](int world) {
    return wanted.sensordata ? wanted.sensordata + row_of(world) * nsensor : nullptr;
  };
  for (int world = first; world < end; ++world) {
    if (!status_[world]) continue;
    if (double* state = state_of(world)) repeat_row(state, nstate, steps);
    if (double* readings = readings_of(world)) repeat_row(readings, nsensor, steps);
  }
  each_group(at_once, first, end, [&](std::span<const int> worlds) {
    Traveller travellers[kWorldsTogether];
    for (size_t k = 0; k < worlds.size(); ++k) {
      const int world = worlds[k];
      Data& data = bench.places[k].data;
      travellers[k] = load(bench, bench.places[k], world);
      double* const readings = readings_of(world);
      travellers[k].way = {steps,
                           wanted.ctrl ? wanted.ctrl + row_of(world) * nu : nullptr,
                           nu,
                           kStateCtrl,
                           state_of(world),
                           nstate,
                           readings,
                           nullptr};
      // of another world; a step that is refused leaves the readings of the one before
      if (done == 0) std::fill_n(data.sensordata, nsensor, 0.0);
      if (done > 0 && readings) std::copy_n(readings - nsensor, nsensor, data.sensordata);
    }
    follow(model, bench.lanes.get(), {travellers, worlds.size()}, [] { return false; });
    for (size_t k = 0; k < worlds.size(); ++k) {
      Place& place = bench.places[k];
      status_[worlds[k]] = travellers[k].world.status.faults;
      store_state(place, worlds[k]);
      keep_statistics(place.data, worlds[k]);
      // Data of a step that is refused at once may still be of another world
      if (done == 0 || travellers[k].steps > 0) store_outputs(place, worlds[k]);
    }
  });
}

void CpuWorker::rollout(const BatchRollout& wanted, const std::function<bool()>& stop) {
  std::fill(status_.begin(), status_.end(), 0);
  const int at_once = make_room_together();
  until_stopped(wanted.steps, stop, [&](int done, int n) {
    pool_.run(nworld_, [&](int thread, int first, int end) {
      follow_worlds(benches_[thread], at_once, first, end, done, n, wanted);
    });
  });
}

void CpuWorker::forward(const WorldMask& mask) {
  pool_.run(nworld_, [&](int thread, int first, int end) {
    Bench& bench = benches_[thread];
    for (int world = first; world < end; ++world) {
      if (!mask.all() && !mask.data[world]) continue;
      Place& place = bench.places[0];
      load(bench, place, world);
      status_[world] = pliant::forward(parameters_.empty() ? model_ : bench.model, place.state, place.data).faults;
      store(place, world);
      keep_statistics(place.data, world);
    }
  });
}

void CpuWorker::reset(const WorldMask& mask, std::span<const int> keyframes) {
  Place& place = benches_[0].places[0];
  for (int world = 0; world < nworld_; ++world) {
    if (!mask.all() && !mask.data[world]) continue;
    const int key = keyframes[keyframes.size() == 1 ? 0 : static_cast<size_t>(world)];
    if (key < 0) place.state.reset(model_);
    if (key >= 0) place.state.reset(model_, key);
    place.data.reset();
    store(place, world);
    status_[world] = 0;
    statistics_[world] = {};
  }
}

BatchField CpuWorker::view(Rows& rows) const {
  return {rows.memory.data(), rows.scalar, nworld_, rows.count, rows.count, 1, false};
}

BatchField CpuWorker::field(std::string_view name) {
  for (Rows& rows : states_) {
    if (name == state_fields()[rows.field].name) return view(rows);
  }
  for (Rows& rows : outputs_) {
    if (name == data_fields()[rows.field].name) return view(rows);
  }
  return {};
}

BatchField CpuWorker::parameter(int field) {
  for (Rows& rows : parameters_) {
    if (rows.field == field) return view(rows);
  }
  if (parameters_.empty()) {
    for (Bench& bench : benches_) bench.model = model_;
  }
  Rows rows = make_rows(field, Scalar::real, static_cast<int>(parameter_size(model_, field)));
  for (int world = 0; world < nworld_; ++world) {
    if (rows.bytes) std::memcpy(rows.row(world), parameter_of(model_, field), rows.bytes);
  }
  parameters_.push_back(std::move(rows));
  return view(parameters_.back());
}

size_t CpuWorker::bytes_per_world() const {
  size_t bytes = sizeof(int);
  for (const auto* list : {&states_, &outputs_, &parameters_}) {
    for (const Rows& rows : *list) bytes += rows.bytes;
  }
  return bytes;
}

/// What saved bytes begin with: sizes that must be this batch's.
std::string CpuWorker::saved_heading() const {
  std::string heading("pliant batch ");
  heading.append(kVersion).push_back('\0');
  append(heading, nworld_);
  append(heading, sizeof(RowMemory::Entry));
  for (const auto* list : {&states_, &outputs_}) {
    append(heading, list->size());
    for (const Rows& rows : *list) append(heading, rows.field), append(heading, rows.bytes);
  }
  return heading;
}

std::string CpuWorker::save() const {
  std::string bytes = saved_heading();
  append(bytes, parameters_.size());
  for (const Rows& rows : parameters_) append(bytes, rows.field), append(bytes, rows.memory);
  for (const auto* list : {&states_, &outputs_}) {
    for (const Rows& rows : *list) append(bytes, rows.memory);
  }
  for (const RowMemory& memory : memories_) append(bytes, memory.entries), append(bytes, memory.force);
  append(bytes, status_), append(bytes, before_);
  return bytes;
}

void CpuWorker::restore(std::string_view bytes) {
  const std::string heading = saved_heading();
  if (!bytes.starts_with(heading)) {
    throw std::invalid_argument(
        "pliant::Batch: restore: the bytes are of another version, model, number of worlds or "
        "outputs");
  }
  SavedBytes saved{bytes.substr(heading.size())};
  const auto rows_like = [&](size_t wanted) {
    std::vector<std::byte> memory;
    saved.list(memory);
    if (memory.size() != wanted) throw std::invalid_argument("pliant::Batch: restore: an array has another size");
    return memory;
  };
  // all of it first: bytes that turn out to be wrong change nothing
  std::vector<std::pair<int, std::vector<std::byte>>> own;
  for (auto n = saved.number<size_t>(); n > 0; --n) {
    const int field = saved.number<int>();
    const std::span<const FieldInfo> all = model_fields();
    const bool array = field >= 0 && field < static_cast<int>(all.size());
    if (field != kGravity && !(array && is_batchable(all[field].scalar, all[field].cls))) {
      throw std::invalid_argument("pliant::Batch: restore: there is no such parameter");
    }
    const size_t numbers = parameter_size(model_, field) * static_cast<size_t>(nworld_);
    own.emplace_back(field, rows_like(scalar_bytes(Scalar::real) * numbers));
  }
  std::vector<std::vector<std::byte>> arrays;
  for (const auto* list : {&states_, &outputs_}) {
    for (const Rows& rows : *list) arrays.push_back(rows_like(rows.memory.size()));
  }
  std::vector<RowMemory> memories(memories_.size());
  for (RowMemory& memory : memories) {
    saved.list(memory.entries), saved.list(memory.force);
    for (const RowMemory::Entry& entry : memory.entries) {
      if (!is_within(entry, memory.force.size())) {
        throw std::invalid_argument("pliant::Batch: restore: remembered forces lie beyond their end");
      }
    }
  }
  std::vector<int> status, before;
  saved.list(status), saved.list(before);
  if (status.size() != status_.size() || before.size() != before_.size() || !saved.left.empty()) {
    throw std::invalid_argument("pliant::Batch: restore: the bytes have another length");
  }
  // parameters that the saved batch did not have go back to the model's
  for (Rows& rows : parameters_) {
    for (int world = 0; world < nworld_; ++world) {
      if (rows.bytes) std::memcpy(rows.row(world), parameter_of(model_, rows.field), rows.bytes);
    }
  }
  for (const auto& [field, memory] : own) {
    const BatchField to = parameter(field);
    if (!memory.empty()) std::memcpy(to.data, memory.data(), memory.size());
  }
  size_t next = 0;
  for (auto* list : {&states_, &outputs_}) {
    // views of the arrays stay valid: their memory stays where it is
    for (Rows& rows : *list) std::copy(arrays[next].begin(), arrays[next].end(), rows.memory.begin()), ++next;
  }
  memories_ = std::move(memories);
  std::copy(status.begin(), status.end(), status_.begin());
  std::copy(before.begin(), before.end(), before_.begin());
}

}  // namespace

std::unique_ptr<BatchWorker> make_cpu_worker(const Model& model, int nworld, const BatchOptions& options) {
  return std::make_unique<CpuWorker>(model, nworld, options);
}

}  // namespace pliant

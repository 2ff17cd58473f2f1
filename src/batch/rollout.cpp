// Trajectories of many worlds on the threads of the CPU.
//
// Worlds are handed out in chunks to whichever thread is free. Every world starts from its own numbers and writes to
// its own rows, and Data remembers nothing between steps, so results do not depend on who moved which world.

#include "pliant/rollout.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>

#include "base/pool.h"
#include "batch/trajectory.h"
#include "state/batch_views.h"

namespace pliant {
namespace {

constexpr int kChunksPerThread = 10;  // as few as keep threads busy to the end
constexpr auto kAskEvery = std::chrono::milliseconds(50);
constexpr int kStepsPerLook = 16;

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("pliant::Rollout: " + what); }

bool same_sizes(const Model& a, const Model& b) {
  for (size_t i = 0; i < model_sizes().size(); ++i) {
    if (a.size_value(static_cast<int>(i)) != b.size_value(static_cast<int>(i))) return false;
  }
  return true;
}

void check_rows(const char* name, const RowsOf& rows, int nworld) {
  if (rows.data && rows.rows != 1 && rows.rows != nworld) {
    refuse(std::string(name) + " has " + std::to_string(rows.rows) + " rows for " + std::to_string(nworld) + " worlds");
  }
}

void check(const RolloutInput& in) {
  if (in.nworld < 1 || in.nstep < 0) refuse("there must be at least one world and no negative number of steps");
  if (in.models.size() != 1 && in.models.size() != static_cast<size_t>(in.nworld)) {
    refuse(std::to_string(in.models.size()) + " models for " + std::to_string(in.nworld) + " worlds");
  }
  for (const Model* model : in.models) {
    if (model != in.models[0] && !same_sizes(*model, *in.models[0])) refuse("the models differ in their sizes");
  }
  if (!in.state.data) refuse("there are no initial states");
  check_rows("state", in.state, in.nworld);
  check_rows("warmstart", in.warmstart, in.nworld);
  check_rows("control", in.control, in.nworld);
  if (in.control.data && in.control_steps != 1 && in.control_steps != in.nstep) {
    refuse("controls for " + std::to_string(in.control_steps) + " of " + std::to_string(in.nstep) + " steps");
  }
  if (in.control_parts & ~kStateUser)
    refuse("controls are parts of the user's input (ctrl, applied forces, mocap …) only");
}

/// A parameter found in the Model.
struct Parameter {
  int field = 0;
  size_t count = 0;
  RowsOf values;
};

std::vector<Parameter> find_parameters(const RolloutInput& in) {
  std::vector<Parameter> found;
  for (const WorldParameter& wanted : in.parameters) {
    int field = 0;
    const std::span<const FieldInfo> fields = model_fields();
    while (field < static_cast<int>(fields.size()) && wanted.name != fields[field].name) ++field;
    if (field == static_cast<int>(fields.size())) refuse("Model has no array \"" + wanted.name + "\"");
    if (!is_batchable(fields[field].scalar, fields[field].cls)) {
      refuse("\"" + wanted.name + "\" cannot differ from world to world");
    }
    check_rows(wanted.name.c_str(), wanted.values, in.nworld);
    const Model& m = *in.models[0];
    found.push_back({field, static_cast<size_t>(m.field_count(field)) * m.field_width(field), wanted.values});
  }
  return found;
}

}  // namespace

/// Memory of a world.
struct RolloutPlace {
  State state;
  Data data;
};

/// What a thread works with.
struct RolloutBench {
  std::vector<RolloutPlace> places;  // of worlds that it moves together
  std::optional<LaneStep> lanes;
  Model model;  // a copy, where worlds have parameters of their own
  const Model* copied = nullptr;
  std::vector<RolloutFault> faults;
};

struct Rollout::Workers {
  explicit Workers(int threads) : pool(threads), benches(static_cast<size_t>(pool.size())) {}
  Pool pool;
  std::vector<RolloutBench> benches;
};

Rollout::Rollout(int threads)
    : workers_(
          std::make_unique<Workers>(threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency()))) {}
Rollout::~Rollout() = default;
int Rollout::threads() const { return workers_->pool.size(); }

namespace {

/// Everything about one call that threads share.
struct Job {
  const RolloutInput& in;
  const RolloutOutput& out;
  const std::vector<Parameter>& parameters;
  size_t state_size, control_size;

  const Model& model_of(RolloutBench& bench, int world) const {
    const Model& given = *in.models[in.models.size() == 1 ? 0 : world];
    if (parameters.empty()) return given;
    if (bench.copied != &given) bench.model = given, bench.copied = &given;
    for (const Parameter& p : parameters) {
      if (p.count) std::memcpy(bench.model.field_data(p.field), p.values.row(world, p.count), p.count * sizeof(double));
    }
    if (in.set_const) set_const(bench.model);
    return bench.model;
  }

  /// A world whose parameters no Model of this structure can have stays where it is.
  void refuse_world(RolloutBench& bench, int world, const char* why) const {
    const Model& m = *in.models[0];
    const size_t w = static_cast<size_t>(world), nstep = static_cast<size_t>(in.nstep);
    const size_t nv = static_cast<size_t>(m.nv), sensors = static_cast<size_t>(m.nsensordata);
    for (size_t k = 0; k < nstep && out.state; ++k) {
      std::copy_n(in.state.row(world, state_size), state_size, out.state + (w * nstep + k) * state_size);
    }
    if (out.sensordata) std::fill_n(out.sensordata + w * nstep * sensors, nstep * sensors, 0.0);
    for (size_t k = 0; k < nstep && out.warmstarts && nv; ++k) {
      double* to = out.warmstarts + (w * nstep + k) * nv;
      in.warmstart.data ? std::copy_n(in.warmstart.row(world, nv), nv, to) : std::fill_n(to, nv, 0.0);
    }
    if (out.warmstart && nv) {
      if (in.warmstart.data) {
        std::copy_n(in.warmstart.row(world, nv), nv, out.warmstart + w * nv);
      } else {
        std::fill_n(out.warmstart + w * nv, nv, 0.0);
      }
    }
    if (out.status) out.status[w] = kRefusedParameters;
    if (out.steps) out.steps[w] = 0;
    bench.faults.push_back({world, 0, std::string("set_const: ") + why});
  }

  template <class Stop>
  void run_worlds(RolloutBench& bench, int first, int end, Stop&& stop) const {
    try {
      run_worlds(bench, first, end, model_of(bench, first), stop);
    } catch (const std::invalid_argument& problem) {  // of set_const, where every world has parameters of its own
      refuse_world(bench, first, problem.what());
    }
  }

  template <class Stop>
  void run_worlds(RolloutBench& bench, int first, int end, const Model& m, Stop&& stop) const {
    Traveller travellers[kWorldsTogether];
    const size_t n = static_cast<size_t>(end - first);
    for (size_t k = 0; k < n; ++k) set_out(bench.places[k], first + static_cast<int>(k), m, travellers[k]);
    follow(m, bench.lanes ? &*bench.lanes : nullptr, {travellers, n}, stop);
    for (size_t k = 0; k < n; ++k) arrive(bench, first + static_cast<int>(k), m, travellers[k]);
  }

  void set_out(RolloutPlace& place, int world, const Model& m, Traveller& traveller) const {
    State& s = place.state;
    const size_t w = static_cast<size_t>(world), nv = static_cast<size_t>(m.nv);
    s.reset(m);
    set_state(m, s, kStateFullPhysics, in.state.row(world, state_size));
    if (in.warmstart.data && nv) std::memcpy(s.qacc_warmstart, in.warmstart.row(world, nv), nv * sizeof(double));
    std::fill_n(place.data.sensordata, m.nsensordata, 0.0);

    traveller.world = {&s, &place.data, {}};
    Trajectory& t = traveller.way;
    t.nstep = in.nstep;
    t.control_parts = in.control_parts;
    t.control = in.control.row(world, control_size * static_cast<size_t>(in.control_steps));
    t.control_stride = in.control_steps == 1 ? 0 : control_size;
    t.state_size = state_size;
    const size_t first = w * static_cast<size_t>(in.nstep);
    if (out.state) t.state = out.state + first * state_size;
    if (out.sensordata) t.sensordata = out.sensordata + first * static_cast<size_t>(m.nsensordata);
    if (out.warmstarts) t.warmstarts = out.warmstarts + first * nv;
  }

  void arrive(RolloutBench& bench, int world, const Model& m, const Traveller& traveller) const {
    const size_t w = static_cast<size_t>(world), nv = static_cast<size_t>(m.nv);
    const auto& [state, data, status] = traveller.world;
    if (out.warmstart && nv) std::memcpy(out.warmstart + w * nv, state->qacc_warmstart, nv * sizeof(double));
    if (out.status) out.status[w] = status.faults;
    if (out.steps) out.steps[w] = traveller.steps;
    if (!status.ok()) bench.faults.push_back({world, traveller.steps, describe_status(m, *data, status)});
  }
};

}  // namespace

std::vector<RolloutFault> Rollout::run(const RolloutInput& in, const RolloutOutput& out,
                                       const std::function<bool()>& stop) {
  check(in);
  const Model& first = *in.models[0];
  const std::vector<Parameter> parameters = find_parameters(in);
  const bool one_model = parameters.empty() && std::all_of(in.models.begin(), in.models.end(),
                                                           [&](const Model* model) { return model == in.models[0]; });
  const int at_once = worlds_at_once(one_model && LaneStep::is_for(first), in.nworld, workers_->pool.size());
  for (RolloutBench& bench : workers_->benches) {
    bench.places.resize(std::max(bench.places.size(), static_cast<size_t>(at_once)));
    for (RolloutPlace& place : bench.places) {
      if (!place.state.fits(first)) place.state = State(first);
      if (!place.data.fits(first)) place.data = Data(first);
    }
    bench.lanes.reset();
    if (at_once > 1) bench.lanes.emplace(first, bench.places[0].data);
    bench.copied = nullptr;
    bench.faults.clear();
  }
  const Job job{in, out, parameters, static_cast<size_t>(state_size(first, kStateFullPhysics)),
                static_cast<size_t>(state_size(first, in.control_parts))};

  std::atomic<int> next{0};
  std::atomic<bool> stopped{false};
  const int most = std::max(1, in.nworld / (workers_->pool.size() * kChunksPerThread));
  const int chunk = (most + at_once - 1) / at_once * at_once;
  const auto ask = [&] {
    if (stop && !stopped && stop()) stopped = true;
  };
  const auto work = [&](int thread, int, int) {
    RolloutBench& bench = workers_->benches[static_cast<size_t>(thread)];
    auto asked = std::chrono::steady_clock::now();
    int steps = 0;
    const auto asked_to_stop = [&] {
      // steps of large models take milliseconds, those of small ones about as long as looking at the clock a few times
      if (thread == 0 && stop && ++steps % kStepsPerLook == 0 && std::chrono::steady_clock::now() - asked > kAskEvery) {
        ask();
        asked = std::chrono::steady_clock::now();
      }
      return stopped.load(std::memory_order_relaxed);
    };
    for (int begin = next.fetch_add(chunk); begin < in.nworld && !stopped; begin = next.fetch_add(chunk)) {
      const int end = std::min(in.nworld, begin + chunk);
      for (int world = begin; world < end; world += at_once) {
        job.run_worlds(bench, world, std::min(end, world + at_once), asked_to_stop);
      }
    }
  };
  workers_->pool.run(workers_->pool.size(), work, kAskEvery, ask);

  std::vector<RolloutFault> faults;
  for (RolloutBench& bench : workers_->benches) faults.insert(faults.end(), bench.faults.begin(), bench.faults.end());
  std::sort(faults.begin(), faults.end(), [](const auto& a, const auto& b) { return a.world < b.world; });
  return faults;
}

}  // namespace pliant

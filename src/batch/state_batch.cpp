// Simulations as rows of one matrix of states.
//
// A thread loads a row into its own State (or that of the simulation, where it keeps its Data), runs, and saves the row
// if nothing went wrong. Where simulations have parameters of their own, the thread writes them into its own copy of
// the Model first; integers among them are checked there, since the engine does not look at them again.

#include "pliant/state_batch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <thread>

#include "base/pool.h"
#include "pliant/model_checks.h"
#include "pliant/query.h"
#include "step/stages.h"

namespace pliant {
namespace {

constexpr unsigned kAllParts = (1u << kNumStateParts) - 1;
constexpr auto kAskEvery = std::chrono::milliseconds(50);

/// Where the numbers of an output or record are.
struct Source {
  enum class Kind { kState, kData, kCount, kIterations } kind = Kind::kData;
  int index = 0;
  size_t count = 0;
  Scalar scalar = Scalar::real;
  size_t bytes() const { return count * scalar_bytes(scalar); }
};

constexpr std::string_view kCounts[] = {"ncon", "ne", "nf", "nl", "nefc", "nJ", "nisland", "nidof"};

int count_of(const Model& m, const Data& d, int which) {
  // as the reference has them: all columns in dense Jacobians
  const bool sparse = m.opt.jacobian == JacobianType::kSparse || (m.opt.jacobian == JacobianType::kAuto && m.nv >= 60);
  const int counts[] = {d.ncon,      d.rows.ne,     d.rows.nf,
                        d.rows.nl,   d.rows.n,      sparse ? d.rows.nentry : d.rows.n * m.nv,
                        d.islands.n, d.islands.ndof};
  return counts[which];
}

std::optional<Source> find_source(const Model& m, std::string_view name) {
  const auto among = [&](std::span<const StateFieldInfo> fields, Source::Kind kind) -> std::optional<Source> {
    for (size_t i = 0; i < fields.size(); ++i) {
      if (name != fields[i].name) continue;
      return Source{kind, static_cast<int>(i), static_cast<size_t>(fields[i].count(m)) * fields[i].width(m),
                    fields[i].scalar};
    }
    return std::nullopt;
  };
  if (const auto state = among(state_fields(), Source::Kind::kState)) return state;
  if (const auto data = among(data_fields(), Source::Kind::kData)) return data;
  if (name == "solver_niter") return Source{Source::Kind::kIterations, 0, SolverReports::kMostIslands, Scalar::i32};
  const auto* at = std::find(std::begin(kCounts), std::end(kCounts), name);
  if (at == std::end(kCounts)) return std::nullopt;
  return Source{Source::Kind::kCount, static_cast<int>(at - kCounts), 1, Scalar::i32};
}

void copy_out(const Source& source, const Model& m, const State& s, const Data& d, void* to) {
  if (source.count == 0) return;
  switch (source.kind) {
    case Source::Kind::kState:
      std::memcpy(to, s.field_data(source.index), source.bytes());
      break;
    case Source::Kind::kData:
      std::memcpy(to, d.field_data(source.index), source.bytes());
      break;
    case Source::Kind::kCount:
      *static_cast<int*>(to) = count_of(m, d, source.index);
      break;
    case Source::Kind::kIterations: {
      int* out = static_cast<int*>(to);
      std::fill_n(out, source.count, 0);
      for (int i = 0; i < d.solver.islands_kept(); ++i) out[i] = d.solver.report[i].iterations;
      break;
    }
  }
}

/// An option that simulations may have of their own.
struct OptionField {
  std::string_view name;
  Scalar scalar;
  size_t count;
  void* (*at)(Options&);
};

#define REAL(name) {"opt." #name, Scalar::real, 1, [](Options& o) -> void* { return &o.name; }}
#define REALS(name)                                                        \
  {"opt." #name, Scalar::real, std::tuple_size_v<decltype(Options::name)>, \
   [](Options& o) -> void* { return o.name.data(); }}
#define INT(name) {"opt." #name, Scalar::i32, 1, [](Options& o) -> void* { return &o.name; }}
constexpr OptionField kOptions[] = {REAL(timestep),
                                    REAL(impratio),
                                    REAL(tolerance),
                                    REAL(ls_tolerance),
                                    REAL(noslip_tolerance),
                                    REAL(ccd_tolerance),
                                    REAL(sleep_tolerance),
                                    REALS(gravity),
                                    REALS(wind),
                                    REALS(magnetic),
                                    REAL(density),
                                    REAL(viscosity),
                                    REAL(o_margin),
                                    REALS(o_solref),
                                    REALS(o_solimp),
                                    REALS(o_friction),
                                    INT(integrator),
                                    INT(cone),
                                    INT(jacobian),
                                    INT(solver),
                                    INT(iterations),
                                    INT(ls_iterations),
                                    INT(noslip_iterations),
                                    INT(ccd_iterations),
                                    INT(disableflags),
                                    INT(enableflags),
                                    INT(disableactuator),
                                    INT(sdf_initpoints),
                                    INT(sdf_iterations)};
#undef REAL
#undef REALS
#undef INT

/// What all simulations share: assets and the trees over them.
bool is_asset(std::string_view name) {
  for (const std::string_view prefix : {"mesh_", "hfield_", "skin_", "tex_", "oct_", "bvh_"}) {
    if (name.starts_with(prefix)) return name != "bvh_aabb";
  }
  return false;
}

/// A parameter with a row per simulation.
struct Parameter {
  std::string name;
  int field = -1;                       // in model_fields(), or
  const OptionField* option = nullptr;  // an option
  Scalar scalar = Scalar::real;
  size_t count = 0;
  bool asked = false;  // by the user; otherwise set_const made it
  std::vector<std::byte> memory;

  size_t bytes() const { return count * scalar_bytes(scalar); }
  std::byte* row(int sim) { return memory.data() + bytes() * static_cast<size_t>(sim); }
  const std::byte* row(int sim) const { return memory.data() + bytes() * static_cast<size_t>(sim); }
  void* place(Model& m) const { return option ? option->at(m.opt) : m.field_data(field); }
};

/// A Model in which a thread writes the parameters of one simulation after the other.
struct OwnModel {
  Model model;
  const Model* copied = nullptr;
};

struct Bench {
  State state;
  Data data;
  OwnModel own;
};

[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument("Batch: " + what); }

}  // namespace

struct StateBatch::Impl {
  Impl(const Model& given, int nsim, int threads, bool persistent)
      : model(given),
        nsim(nsim),
        persistent(persistent),
        nstate(state_size(given, kAllParts)),
        pool(threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency())),
        state(static_cast<size_t>(nsim) * nstate),
        status(nsim, 0),
        faults(static_cast<size_t>(nsim) * kNumFaults * 2, 0),
        errors(nsim),
        memories(nsim),
        benches(pool.size()) {
    for (Bench& bench : benches) bench.state = State(model), bench.data = Data(model);
    for (int i = 0; i < nsim; ++i) get_state(model, benches[0].state, kAllParts, row(i));
    if (!persistent) return;
    kept.reserve(nsim);
    for (int i = 0; i < nsim; ++i) kept.push_back(Data(model));
  }

  double* row(int sim) { return state.data() + static_cast<size_t>(nstate) * sim; }

  const Model& base(int sim) const { return models.empty() ? model : *models[models.size() == 1 ? 0 : sim]; }

  /// The model of a simulation; what is wrong with its integers goes to `problem`.
  const Model& model_of(OwnModel& own, int sim, std::string& problem) const {
    const Model& given = base(sim);
    if (parameters.empty()) return given;
    if (own.copied != &given) own.model = given, own.copied = &given;
    for (const Parameter& p : parameters) {
      if (p.bytes()) std::memcpy(p.place(own.model), p.row(sim), p.bytes());
    }
    if (integers) problem = integer_problem(own.model);
    return own.model;
  }

  /// What a call leaves behind.
  enum class Leaves { kNothing, kOutputs, kOutputsAndState };
  /// job(model, bench, data, sim, place in the call) → status, for every simulation of a call.
  template <class Job>
  int run(const Call& call, Leaves leaves, Job&& job);

  void fail(int sim, int bits, std::string message) {
    status[sim] = bits;
    errors[sim] = std::move(message);
  }
  void count_faults(int sim, const Data& d) {
    int* out = faults.data() + static_cast<size_t>(sim) * kNumFaults * 2;
    for (int k = 0; k < kNumFaults; ++k) {
      if (d.faults[k].count == 0) continue;
      out[2 * k] = d.faults[k].last.index;
      out[2 * k + 1] += static_cast<int>(d.faults[k].count);
    }
  }

  Parameter* find(std::string_view name) {
    for (Parameter& p : parameters) {
      if (p.name == name) return &p;
    }
    return nullptr;
  }
  Parameter* expand(std::string_view name);

  Model model;
  int nsim;
  bool persistent;
  int nstate;
  Pool pool;
  std::vector<double> state;
  std::vector<int> status, faults;
  std::vector<std::string> errors;
  std::vector<RowMemory> memories;  // forces that TGS starts with, per simulation
  std::vector<Bench> benches;       // per thread
  std::vector<Data> kept;           // per simulation, where it is persistent
  struct Output {
    std::string name;
    Source source;
    std::vector<std::byte> memory;
  };
  std::vector<Output> outputs;
  std::vector<Parameter> parameters;
  bool integers = false;  // whether parameters have integers that must be checked
  std::vector<const Model*> models;
  StateBatch::Probe probe;
};

template <class Job>
int StateBatch::Impl::run(const Call& call, Leaves leaves, Job&& job) {
  const int n = call.all ? nsim : static_cast<int>(call.ids.size());
  std::atomic<int> next{0}, failed{0};
  std::atomic<bool> stopped{false};
  const auto ask = [&] {
    if (call.stop && !stopped && call.stop()) stopped = true;
  };
  const auto one = [&](Bench& bench, int place) {
    const int sim = call.all ? place : call.ids[place];
    State& s = bench.state;
    Data& d = persistent ? kept[sim] : bench.data;
    fail(sim, 0, {});
    try {
      std::string problem;
      const Model& m = model_of(bench.own, sim, problem);
      if (!problem.empty()) throw std::invalid_argument(problem);
      d.faults = {};
      set_state(m, s, kAllParts, row(sim));
      std::swap(s.row_memory, memories[sim]);
      if (probe) d.probe = std::cref(probe);
      const StepStatus result = job(m, bench, d, sim, place);
      d.probe = nullptr;
      std::swap(s.row_memory, memories[sim]);
      count_faults(sim, d);
      if (!result.ok()) fail(sim, result.faults, describe_status(m, d, result));
      for (Output& out : outputs) {
        if (leaves != Leaves::kNothing) copy_out(out.source, m, s, d, out.memory.data() + out.source.bytes() * sim);
      }
      if (leaves == Leaves::kOutputsAndState && result.ok()) get_state(m, s, kAllParts, row(sim));
    } catch (const std::exception& error) {
      d.probe = nullptr;
      fail(sim, -1, error.what());
    }
    if (status[sim] != 0) ++failed;
  };
  const int chunk = std::max(1, n / (pool.size() * 8));
  pool.run(
      pool.size(),
      [&](int thread, int, int) {
        auto asked = std::chrono::steady_clock::now();
        for (int begin = next.fetch_add(chunk); begin < n; begin = next.fetch_add(chunk)) {
          for (int place = begin; place < std::min(n, begin + chunk) && !stopped; ++place) {
            one(benches[static_cast<size_t>(thread)], place);
            if (thread != 0 || !call.stop || std::chrono::steady_clock::now() - asked < kAskEvery) continue;
            ask();
            asked = std::chrono::steady_clock::now();
          }
        }
      },
      kAskEvery, ask);
  return failed;
}

Parameter* StateBatch::Impl::expand(std::string_view name) {
  if (Parameter* found = find(name)) return found;
  Parameter p;
  p.name = name;
  for (const OptionField& option : kOptions) {
    if (option.name == name) p.option = &option, p.scalar = option.scalar, p.count = option.count;
  }
  const std::span<const FieldInfo> fields = model_fields();
  for (int f = 0; f < static_cast<int>(fields.size()) && !p.option; ++f) {
    if (name != fields[f].name || is_asset(name)) continue;
    p.field = f, p.scalar = fields[f].scalar;
    p.count = static_cast<size_t>(model.field_count(f)) * model.field_width(f);
    // boxes of meshes come after those of bodies, and are the mesh's
    if (name == "bvh_aabb" && model.nmesh > 0) p.count = static_cast<size_t>(model.mesh_bvhadr[0]) * 6;
    integers = integers || is_checked_field(f);
  }
  if (!p.option && p.field < 0) return nullptr;
  p.memory.resize(p.bytes() * static_cast<size_t>(nsim));
  for (int i = 0; i < nsim && p.bytes(); ++i) std::memcpy(p.row(i), p.place(model), p.bytes());
  parameters.push_back(std::move(p));
  return &parameters.back();
}

StateBatch::StateBatch(const Model& model, int nsim, int threads, bool persistent) {
  if (nsim < 1) refuse("nsim must be at least 1, not " + std::to_string(nsim));
  if (threads < 0) refuse("nthread must not be negative, it is " + std::to_string(threads));
  impl_ = std::make_unique<Impl>(model, nsim, threads, persistent);
}
StateBatch::~StateBatch() = default;

int StateBatch::nsim() const { return impl_->nsim; }
int StateBatch::threads() const { return impl_->pool.size(); }
int StateBatch::nstate() const { return impl_->nstate; }
bool StateBatch::persistent() const { return impl_->persistent; }
const Model& StateBatch::model() const { return impl_->model; }
double* StateBatch::state() { return impl_->state.data(); }
std::span<const int> StateBatch::status() const { return impl_->status; }
int* StateBatch::faults() { return impl_->faults.data(); }
const std::string& StateBatch::error(int sim) const { return impl_->errors.at(sim); }

SimArray StateBatch::output(std::string_view name) {
  for (Impl::Output& out : impl_->outputs) {
    if (out.name == name) return {out.memory.data(), out.source.scalar, out.source.count};
  }
  const std::optional<Source> source = find_source(impl_->model, name);
  if (!source || source->kind == Source::Kind::kState) return {};
  Impl::Output out{std::string(name), *source, {}};
  // (memory even where there are no numbers: the array exists)
  out.memory.resize(std::max<size_t>(1, source->bytes() * static_cast<size_t>(impl_->nsim)));
  impl_->outputs.push_back(std::move(out));
  return {impl_->outputs.back().memory.data(), source->scalar, source->count};
}

SimArray StateBatch::expand(std::string_view name) {
  if (!impl_->models.empty()) refuse("models of the caller are set (set_models): parameters cannot be expanded");
  Parameter* p = impl_->expand(name);
  if (!p) return {};
  p->asked = true;
  static std::byte none;
  return {p->memory.empty() ? &none : p->memory.data(), p->scalar, p->count};
}

SimArray StateBatch::expanded(std::string_view name) const {
  Parameter* p = impl_->find(name);
  if (!p) return {};
  static std::byte none;
  return {p->memory.empty() ? &none : p->memory.data(), p->scalar, p->count};
}

void StateBatch::set_models(std::vector<const Model*> models) {
  if (!models.empty() && !impl_->parameters.empty()) {
    refuse("parameters are per-simulation (expand, set_const): models of the caller cannot be set");
  }
  if (models.size() > 1 && static_cast<int>(models.size()) != impl_->nsim) {
    refuse("one model per simulation is needed: " + std::to_string(impl_->nsim) + ", not " +
           std::to_string(models.size()));
  }
  for (const Model* m : models) {
    if (!impl_->benches[0].state.fits(*m) || !impl_->benches[0].data.fits(*m)) {
      refuse("a model has other sizes than the batch's");
    }
  }
  impl_->models = std::move(models);
}

void StateBatch::set_probe(Probe probe) { impl_->probe = std::move(probe); }

void StateBatch::get_model(int sim, Model& model) const {
  const Model& from = impl_->base(sim);
  if (!impl_->benches[0].state.fits(model)) refuse("the model to write into has other sizes than the batch's");
  model = from;
  for (const Parameter& p : impl_->parameters) {
    if (p.bytes()) std::memcpy(p.place(model), p.row(sim), p.bytes());
  }
}

void StateBatch::get_data(int sim, State& state, Data& data) const {
  const Model& m = impl_->base(sim);
  if (!state.fits(m) || !data.fits(m)) refuse("the data to write into belong to a model of other sizes");
  set_state(m, state, kAllParts, impl_->row(sim));
  state.row_memory = impl_->memories[sim];
  if (impl_->persistent) data = impl_->kept[sim];
}

namespace {

/// The stages of `forward` up to one of them.
StepStatus run_to(const Model& m, const State& s, Data& d, Stage stage) {
  if (stage == Stage::kNone) return {};
  if (stage == Stage::kAcceleration) return pliant::forward(m, s, d);
  run_phases(m, s, d, Phase::kPosition, stage == Stage::kPosition ? Phase::kPosition : Phase::kVelocity);
  return {};
}

/// Poses and centres of mass: what Jacobians and rays need.
void run_poses_only(const Model& m, const State& s, Data& d) {
  run_poses(m, s, d);
  run_com(m, s, d);
}

}  // namespace

int StateBatch::step(const Call& call, int steps, Stage stage) {
  return impl_->run(call, Impl::Leaves::kOutputsAndState, [&](const Model& m, Bench& bench, Data& d, int, int) {
    StepStatus status;
    for (int i = 0; i < steps && status.ok(); ++i) status = pliant::step(m, bench.state, d);
    return status.ok() ? run_to(m, bench.state, d, stage) : status;
  });
}

int StateBatch::forward(const Call& call, Stage stage) {
  return impl_->run(call, Impl::Leaves::kOutputs,
                    [&](const Model& m, Bench& bench, Data& d, int, int) { return run_to(m, bench.state, d, stage); });
}

int StateBatch::reset(const Call& call, std::span<const int> keys, Stage stage) {
  return impl_->run(call, Impl::Leaves::kOutputsAndState,
                    [&](const Model& m, Bench& bench, Data& d, int sim, int place) {
                      State& s = bench.state;
                      const int key = keys.empty() ? -1 : keys[place];
                      if (key < 0) {
                        s.reset(m);
                      } else {
                        s.reset(m, key);
                      }
                      d.reset();
                      std::fill_n(impl_->faults.data() + static_cast<size_t>(sim) * kNumFaults * 2, kNumFaults * 2, 0);
                      return run_to(m, s, d, stage);
                    });
}

int StateBatch::set_const(const Call& call) {
  if (!impl_->models.empty()) refuse("models of the caller are set (set_models): set their constants yourself");
  // what follows from parameters has rows from now on, where it is not that of the model in all simulations
  std::vector<Parameter>& parameters = impl_->parameters;
  const auto known = static_cast<std::ptrdiff_t>(parameters.size());
  for (const std::string_view name : set_const_fields()) impl_->expand(name);
  const int failed = impl_->run(call, Impl::Leaves::kNothing, [&](const Model&, Bench& bench, Data&, int sim, int) {
    Model& own = bench.own.model;  // there are parameters, so this is the simulation's
    pliant::set_const(own);
    for (Parameter& p : parameters) {
      if (p.bytes()) std::memcpy(p.row(sim), p.place(own), p.bytes());
    }
    return StepStatus{};
  });
  const auto is_the_models = [&](const Parameter& p) {
    for (int i = 0; i < impl_->nsim && p.bytes(); ++i) {
      if (std::memcmp(p.row(i), p.place(impl_->model), p.bytes()) != 0) return false;
    }
    return true;
  };
  parameters.erase(std::remove_if(parameters.begin() + known, parameters.end(), is_the_models), parameters.end());
  return failed;
}

size_t StateBatch::record_bytes(const SimRecord& record) const {
  if (record.name.empty()) return sizeof(double) * static_cast<size_t>(state_size(impl_->model, record.parts));
  const std::optional<Source> source = find_source(impl_->model, record.name);
  return source ? source->bytes() : 0;
}

int StateBatch::rollout(const Call& call, int steps, const double* control, unsigned control_parts,
                        std::span<const SimRecord> records) {
  struct Line {
    std::optional<Source> source;
    unsigned parts;
    size_t bytes;
    std::byte* data;
  };
  std::vector<Line> lines;
  for (const SimRecord& r : records) {
    const std::optional<Source> source = r.name.empty() ? std::nullopt : find_source(impl_->model, r.name);
    if (!r.name.empty() && !source) refuse("rollout: there is no array \"" + r.name + "\" to record");
    lines.push_back({source, r.parts, record_bytes(r), static_cast<std::byte*>(r.data)});
  }
  const size_t width = static_cast<size_t>(state_size(impl_->model, control_parts)), n = static_cast<size_t>(steps);
  return impl_->run(call, Impl::Leaves::kOutputsAndState, [&](const Model& m, Bench& bench, Data& d, int, int place) {
    State& s = bench.state;
    StepStatus status;
    for (size_t k = 0; k < n; ++k) {
      const size_t at = static_cast<size_t>(place) * n + k;
      if (status.ok()) {
        if (control) set_state(m, s, control_parts, control + at * width);
        status = pliant::step(m, s, d);
      }
      for (const Line& line : lines) {
        std::byte* to = line.data + line.bytes * at;
        if (line.source) {
          copy_out(*line.source, m, s, d, to);
        } else {
          get_state(m, s, line.parts, reinterpret_cast<double*>(to));
        }
      }
    }
    return StepStatus{};  // one that stopped is where it stopped; `faults` tells of it
  });
}

int StateBatch::jacobians(const Call& call, const int* bodies, const double* points, double* jacp, double* jacr) {
  const size_t size = 3 * static_cast<size_t>(impl_->model.nv);
  return impl_->run(call, Impl::Leaves::kNothing, [&](const Model& m, Bench& bench, Data& d, int, int place) {
    run_poses_only(m, bench.state, d);
    jacobian(m, d, bodies[place], points + 3 * place, jacp ? jacp + size * place : nullptr,
             jacr ? jacr + size * place : nullptr);
    return StepStatus{};
  });
}

int StateBatch::rays(const Call& call, const Rays& rays) {
  return impl_->run(call, Impl::Leaves::kNothing, [&](const Model& m, Bench& bench, Data& d, int, int place) {
    run_poses_only(m, bench.state, d);
    RayFilter filter;
    filter.fixed = rays.fixed;
    for (size_t g = 0; rays.groups && g < filter.group.size(); ++g) filter.group[g] = rays.groups[g] != 0;
    for (int k = 0; k < rays.n; ++k) {
      const size_t at = static_cast<size_t>(place) * rays.n + k;
      filter.exclude_body = rays.excluded[at];
      const RayHit hit = ray(m, d, rays.points + 3 * at, rays.directions + 3 * at, filter);
      rays.distances[at] = hit.distance;
      rays.geoms[at] = hit.geom;
      if (rays.normals) std::copy_n(hit.normal, 3, rays.normals + 3 * at);
    }
    return StepStatus{};
  });
}

}  // namespace pliant

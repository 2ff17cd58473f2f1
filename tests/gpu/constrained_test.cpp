// Checks and benchmark of worlds that touch, on a GPU: needs a GPU and compiled models (.plm), nothing else.
//
//   pliant_gpu_constrained [--check] [--bench] [--small] [--worlds N] FILE.plm …
//
// Newton and Euler, whatever the files say. Worlds start along trajectories of the CPU with random controls.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "cuda/cuda_worker.h"
#include "pliant/model_io.h"
#include "pliant/step.h"
#include "tests/gpu/device_fields.h"

namespace pliant {
namespace {

constexpr const char* kInputs[] = {"qpos", "qvel", "act", "ctrl", "qacc_warmstart", "plastic"};

/// States along trajectories with random controls, and their accelerations in the next step.
struct Trajectory {
  std::vector<std::vector<double>> inputs{std::size(kInputs)};
  std::vector<double> qacc, next_qpos, next_qvel;
  std::vector<int> contacts, rows;
  int states = 0;
};

void random_controls(const Model& m, std::mt19937& random, State& s) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < m.nu; ++i) {
    const bool limited = m.actuator_ctrllimited[i];
    const double low = limited ? m.actuator_ctrlrange[2 * i] : -1, high = limited ? m.actuator_ctrlrange[2 * i + 1] : 1;
    s.ctrl[i] = 0.5 * (low + high) + 0.5 * (high - low) * uniform(random);
  }
}

Trajectory simulate(const Model& m, int states, int between) {
  Trajectory out;
  State s(m);
  Data d(m);
  std::mt19937 random(1);
  for (int i = 0; out.states < states; ++i) {
    if (i % (40 * between) == 0) {  // start again: things at rest are dull
      s.reset(m);
      std::normal_distribution<double> normal;
      for (int k = 0; k < m.nv; ++k) s.qvel[k] = 0.3 * normal(random);
    }
    random_controls(m, random, s);
    const bool kept = i % between == between - 1;
    if (kept) {
      const struct {
        const double* data;
        int n;
      } fields[] = {{s.qpos, m.nq}, {s.qvel, m.nv},           {s.act, m.na},
                    {s.ctrl, m.nu}, {s.qacc_warmstart, m.nv}, {s.plastic, m.nplastic}};
      for (size_t f = 0; f < std::size(fields); ++f) {
        out.inputs[f].insert(out.inputs[f].end(), fields[f].data, fields[f].data + fields[f].n);
      }
    }
    if (!step(m, s, d).ok()) {
      s.reset(m);
      if (kept) return out;
      continue;
    }
    if (!kept) continue;
    ++out.states;
    out.qacc.insert(out.qacc.end(), d.qacc, d.qacc + m.nv);
    out.next_qpos.insert(out.next_qpos.end(), s.qpos, s.qpos + m.nq);
    out.next_qvel.insert(out.next_qvel.end(), s.qvel, s.qvel + m.nv);
    out.contacts.push_back(d.ncon);
    out.rows.push_back(d.rows.n);
  }
  return out;
}

/// Worlds of a batch in states of a trajectory: world w in state first + w, again and again.
void put(BatchWorker& worker, const Trajectory& from, int nworld) {
  for (size_t f = 0; f < std::size(kInputs); ++f) {
    const size_t width = from.inputs[f].size() / static_cast<size_t>(from.states);
    std::vector<double> values;
    for (int w = 0; w < nworld; ++w) {
      const auto at = from.inputs[f].begin() + static_cast<ptrdiff_t>(width * static_cast<size_t>(w % from.states));
      values.insert(values.end(), at, at + static_cast<ptrdiff_t>(width));
    }
    if (width) upload(worker, kInputs[f], values);
  }
}

std::unique_ptr<BatchWorker> make_worker(const Model& m, int nworld, bool single, const LaunchPlan& plan = {},
                                         int contacts = 0, int rows = 0) {
  BatchOptions options;
  options.device = BatchDevice::kCuda;
  options.single_precision = single;
  options.contacts = contacts;
  options.rows = rows;
  return make_cuda_worker(m, nworld, options, plan);
}

/// Largest difference of a world's numbers, relative to the largest of them.
double difference_of_world(const std::vector<double>& a, const std::vector<double>& b, int world, int n) {
  double scale = 1e-3, error = 0;
  for (size_t i = static_cast<size_t>(world) * n; i < static_cast<size_t>(world + 1) * n; ++i) {
    scale = std::max(scale, std::abs(b[i]));
    error = std::max(error, std::isfinite(a[i]) ? std::abs(a[i] - b[i]) : INFINITY);
  }
  return error / scale;
}

void check_step(const Model& m, const Trajectory& from, bool single) {
  auto worker = make_worker(m, from.states, single);
  put(*worker, from, from.states);
  worker->step(1);
  const std::vector<double> qacc = download(*worker, "qacc"), qpos = download(*worker, "qpos");
  const std::vector<WorldCounts> counts = world_counts(*worker);
  const std::span<const int> status = worker->status();
  int other = 0, faults = 0, off = 0;
  std::vector<double> errors;
  double worst_qpos = 0;
  for (int w = 0; w < from.states; ++w) {
    faults += status[static_cast<size_t>(w)] != 0;
    const WorldCounts& count = counts[static_cast<size_t>(w)];
    if (count.contacts != from.contacts[static_cast<size_t>(w)] || count.rows != from.rows[static_cast<size_t>(w)]) {
      ++other;
      continue;
    }
    errors.push_back(difference_of_world(qacc, from.qacc, w, m.nv));
    off += errors.back() > 1e-10;
    worst_qpos = std::max(worst_qpos, difference_of_world(qpos, from.next_qpos, w, m.nq));
  }
  std::sort(errors.begin(), errors.end());
  const double worst = errors.empty() ? 0 : errors.back(), median = errors.empty() ? 0 : errors[errors.size() / 2];
  const bool good = single ? median < 1e-3 : worst < 1e-7 && off * 1000 <= from.states;
  expect(good && faults == 0, std::string(single ? "float32" : "float64") + " GPU = CPU, " +
                                  std::to_string(from.states) + " states: qacc worst " + number(worst) + ", median " +
                                  number(median) + ", beyond 1e-10 " + std::to_string(off) + ", qpos " +
                                  number(worst_qpos) + ", other contacts " + std::to_string(other) + ", faults " +
                                  std::to_string(faults));
}

std::vector<double> run(const Model& m, const Trajectory& from, int nworld, bool single, int steps,
                        const LaunchPlan& plan = {}, int contacts = 0, int rows = 0) {
  auto worker = make_worker(m, nworld, single, plan, contacts, rows);
  put(*worker, from, nworld);
  worker->step(steps);
  const std::vector<double> qpos = download(*worker, "qpos"), qvel = download(*worker, "qvel");
  std::vector<double> out;
  for (int w = 0; w < nworld; ++w) {
    out.insert(out.end(), qpos.begin() + static_cast<ptrdiff_t>(w) * m.nq,
               qpos.begin() + static_cast<ptrdiff_t>(w + 1) * m.nq);
    out.insert(out.end(), qvel.begin() + static_cast<ptrdiff_t>(w) * m.nv,
               qvel.begin() + static_cast<ptrdiff_t>(w + 1) * m.nv);
  }
  return out;
}

bool same_start(const std::vector<double>& a, const std::vector<double>& b) {
  return std::memcmp(a.data(), b.data(), 8 * std::min(a.size(), b.size())) == 0;
}

void check_bits(const Model& m, const Trajectory& from, bool single, int large) {
  const int few = std::min(1000, large);
  const std::vector<double> first = run(m, from, few, single, 5);
  const bool runs = same_start(first, run(m, from, few, single, 5)),
             one = same_start(first, run(m, from, 1, single, 5));
  const bool many = same_start(first, run(m, from, large, single, 5));
  const bool lanes = same_start(first, run(m, from, few, single, 5, {2}));
  const bool global = same_start(first, run(m, from, few, single, 5, {0, true}));
  bool teams = true;
  for (const int n : {8, 32, 128, 256}) teams = teams && same_start(first, run(m, from, few, single, 5, {0, false, n}));
  const bool grown = same_start(first, run(m, from, few, single, 5, {}, 1, 1));
  expect(runs && one && many && lanes && global && teams && grown,
         std::string("same bits, ") + (single ? "float32" : "float64") + ": runs " + (runs ? "yes" : "NO") +
             ", batches of 1 and " + std::to_string(large) + " " + (one && many ? "yes" : "NO") + ", 2 lanes " +
             (lanes ? "yes" : "NO") + ", solver in global memory " + (global ? "yes" : "NO") +
             ", 8, 32, 128 and 256 threads per solver " + (teams ? "yes" : "NO") + ", from room for one contact " +
             (grown ? "yes" : "NO"));
}

void bench(const Model& m, const Trajectory& from, bool single, const LaunchPlan& plan, const std::vector<int>& sizes) {
  for (int nworld : sizes) {
    if (nworld * 8 * m.nv > 40000000) continue;
    auto worker = make_worker(m, nworld, single, plan);
    put(*worker, from, nworld);
    worker->step(10);
    const StepTimes times = time_cuda_step(*worker, 20);
    const std::vector<WorldCounts> counts = world_counts(*worker);
    const std::vector<SolverReport> reports = solver_reports(*worker);
    double contacts = 0, rows = 0, iterations = 0, converged = 0, evaluations = 0;
    for (int w = 0; w < nworld; ++w) {
      contacts += counts[static_cast<size_t>(w)].contacts;
      rows += counts[static_cast<size_t>(w)].rows;
      iterations += reports[static_cast<size_t>(w)].iterations;
      evaluations += reports[static_cast<size_t>(w)].evaluations;
      converged += reports[static_cast<size_t>(w)].converged || counts[static_cast<size_t>(w)].rows == 0;
    }
    std::printf(
        "  %s%s %6d worlds: %8.1f us, %6.2f M world-steps/s; contacts %.1f, rows %.1f, iterations %.2f, "
        "evaluations %.1f, converged %.2f %%, %zu bytes per world\n",
        single ? "float32" : "float64", plan.solver_in_global_memory ? " (global)" : "", nworld, times.step,
        nworld / times.step, contacts / nworld, rows / nworld, iterations / nworld, evaluations / nworld,
        100 * converged / nworld, worker->bytes_per_world());
    std::printf("    [us] collision %.1f constraint %.1f solver %.1f", times.collision, times.constraint, times.solver);
    for (int i = 0; i < kNumSmoothStages; ++i) std::printf(" %s %.1f", kSmoothStages[i].name, times.stages[i]);
    std::printf("\n");
  }
}

int main(int argc, char** argv) {
  bool checks = false, benches = false, small = false;
  std::vector<int> sizes = {1024, 8192, 65536};  // of the benchmark
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--check")
      checks = true;
    else if (a == "--bench")
      benches = true;
    else if (a == "--small")
      small = checks = true;
    else if (a == "--worlds" && i + 1 < argc)
      sizes = {std::atoi(argv[++i])};
    else
      files.push_back(a);
  }
  if (files.empty()) {
    std::printf("usage: pliant_gpu_constrained [--check] [--bench] [--small] [--worlds N] FILE.plm …\n");
    return 2;
  }
  if (const std::string why = cuda_unavailable(); !why.empty()) {
    std::printf("%s\n", why.c_str());
    return 2;
  }
  if (!checks && !benches) checks = benches = true;
  for (const std::string& file : files) {
    Model m = load_plm(file);
    m.opt.integrator = Integrator::kEuler;
    m.opt.solver = SolverType::kNewton;
    m.opt.noslip_iterations = 0;
    std::printf("%s: %d bodies, %d dofs, %d geoms\n", file.c_str(), m.nbody, m.nv, m.ngeom);
    if (checks) {
      Model exact = m;
      exact.opt.tolerance = 1e-14;
      const Trajectory states = simulate(exact, small ? 40 : 1000, 10);
      check_step(exact, states, false);
      const Trajectory usual = simulate(m, small ? 40 : 1000, 10);
      check_step(m, usual, true);
      check_bits(m, usual, true, small ? 64 : 8192);
      check_bits(m, usual, false, small ? 64 : 2048);
    }
    if (benches) {
      Model single = m;
      single.opt.tolerance = 1e-6;
      const Trajectory states = simulate(single, 512, 10);
      bench(single, states, true, {}, sizes);
      bench(single, states, true, {0, true}, sizes);
      bench(m, states, false, {}, sizes);
    }
    std::fflush(stdout);
  }
  std::printf("%d failures\n", failures);
  return failures ? 1 : 0;
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) { return pliant::main(argc, argv); }

// Checks and benchmark of the GPU part, in one program: needs a GPU and compiled models (.plm), nothing else.
//
//   pliant_gpu_test [--check] [--bench] [--small] FILE.plm …
//
// Constraints are switched off and the integrator is Euler, whatever the files say. With --small a few worlds and steps
// only, for tools that watch every memory access.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "cuda/cuda_worker.h"
#include "math/tree_matrix.h"
#include "pliant/model_io.h"
#include "pliant/step.h"
#include "tests/batch/host_worlds.h"
#include "tests/gpu/device_fields.h"
#include "tests/step/random_state.h"

namespace pliant {
namespace {

const std::chrono::steady_clock::time_point kProgramStart = std::chrono::steady_clock::now();
double seconds_since_start() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - kProgramStart).count();
}

constexpr const char* kInputs[] = {"qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied"};

/// Random states of `n` worlds: world w of every batch starts in the state of seed order[w].
struct Start {
  std::vector<std::vector<double>> inputs;
};
Start random_start(const Model& m, const std::vector<int>& order) {
  Start start;
  start.inputs.resize(std::size(kInputs));
  State s(m);
  for (int seed : order) {
    s.reset(m);
    randomise(m, s, seed);
    const struct {
      const double* data;
      int n;
    } fields[] = {{s.qpos, m.nq}, {s.qvel, m.nv},         {s.act, m.na},
                  {s.ctrl, m.nu}, {s.qfrc_applied, m.nv}, {s.xfrc_applied, 6 * m.nbody}};
    for (size_t f = 0; f < std::size(fields); ++f) {
      start.inputs[f].insert(start.inputs[f].end(), fields[f].data, fields[f].data + fields[f].n);
    }
  }
  return start;
}
void put(BatchWorker& worker, const Start& start) {
  for (size_t f = 0; f < std::size(kInputs); ++f) upload(worker, kInputs[f], start.inputs[f]);
}
std::vector<int> counting(int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 1);
  return order;
}

std::unique_ptr<BatchWorker> make_worker(const Model& m, int nworld, bool single, const LaunchPlan& plan) {
  BatchOptions options;
  options.device = BatchDevice::kCuda;
  options.single_precision = single;
  return make_cuda_worker(m, nworld, options, plan);
}

struct Shape {
  const char* name;
  LaunchPlan plan;
};
constexpr Shape kShapes[] = {{"1 lane per world", {1}},
                             {"2 lanes per world", {2}},
                             {"4 lanes per world", {4}},
                             {"8 lanes per world", {8}},
                             {"16 lanes per world", {16}}};

// ---- checks ------------------------------------------------------------------------------------------

/// Largest difference, relative to the largest number of that field and world.
double difference(const std::vector<double>& a, const std::vector<double>& b, int per_world) {
  double worst = 0;
  for (size_t first = 0; per_world && first < a.size(); first += per_world) {
    double scale = 1e-3, error = 0;
    for (size_t i = first; i < first + per_world; ++i) {
      scale = std::max(scale, std::abs(b[i]));
      error = std::max(error, std::isfinite(a[i]) ? std::abs(a[i] - b[i]) : INFINITY);
    }
    worst = std::max(worst, error / scale);
  }
  return worst;
}

/// One step in double precision against the CPU.
void check_double(const Model& m, int nworld, const Shape& shape) {
  const std::vector<int> order = counting(nworld);
  const Start start = random_start(m, order);
  auto worker = make_worker(m, nworld, false, shape.plan);
  put(*worker, start);
  worker->step(1);
  const std::vector<double> qpos = download(*worker, "qpos"), qvel = download(*worker, "qvel"),
                            qacc = download(*worker, "qacc_warmstart"), act = download(*worker, "act");
  State s(m);
  Data d(m);
  std::vector<double> want_qpos, want_qvel, want_qacc, want_act;
  for (int seed : order) {
    s.reset(m);
    randomise(m, s, seed);
    if (!step(m, s, d).ok()) expect(false, "CPU step of seed " + std::to_string(seed));
    want_qpos.insert(want_qpos.end(), s.qpos, s.qpos + m.nq);
    want_qvel.insert(want_qvel.end(), s.qvel, s.qvel + m.nv);
    want_qacc.insert(want_qacc.end(), d.qacc, d.qacc + m.nv);
    want_act.insert(want_act.end(), s.act, s.act + m.na);
  }
  const double worst = std::max({difference(qpos, want_qpos, m.nq), difference(qvel, want_qvel, m.nv),
                                 difference(qacc, want_qacc, m.nv), difference(act, want_act, m.na)});
  expect(worst <= 1e-12, std::string("float64 GPU = CPU, ") + shape.name + ", " + std::to_string(nworld) +
                             " states: " + number(worst) + " of scale");
}

/// One step in single precision against the same kernels on the CPU. Accelerations of light bodies amplify rounding, so
/// they are judged by the forces they need: |M qacc - forces| in double precision, relative to the forces.
void check_single(const Model& m, int nworld, const Shape& shape) {
  const std::vector<int> order = counting(nworld);
  const Start start = random_start(m, order);
  auto worker = make_worker(m, nworld, true, shape.plan);
  put(*worker, start);
  worker->step(1);
  const std::vector<double> qpos = download(*worker, "qpos"), qacc = download(*worker, "qacc_warmstart");
  HostWorlds<float> host(m, 1);
  State s(m);
  Data d(m);
  double worst_qpos = 0, worst_gpu = 0, worst_cpu = 0;
  for (int w = 0; w < nworld; ++w) {
    StateView<float> hs = host.state(0);
    for (int i = 0; i < m.nq; ++i) hs.qpos[i] = static_cast<float>(start.inputs[0][static_cast<size_t>(w) * m.nq + i]);
    for (int i = 0; i < m.nv; ++i) hs.qvel[i] = static_cast<float>(start.inputs[1][static_cast<size_t>(w) * m.nv + i]);
    for (int i = 0; i < m.na; ++i) hs.act[i] = static_cast<float>(start.inputs[2][static_cast<size_t>(w) * m.na + i]);
    for (int i = 0; i < m.nu; ++i) hs.ctrl[i] = static_cast<float>(start.inputs[3][static_cast<size_t>(w) * m.nu + i]);
    for (int i = 0; i < m.nv; ++i) {
      hs.qfrc_applied[i] = static_cast<float>(start.inputs[4][static_cast<size_t>(w) * m.nv + i]);
    }
    for (int i = 0; i < 6 * m.nbody; ++i) {
      hs.xfrc_applied[i] = static_cast<float>(start.inputs[5][static_cast<size_t>(w) * 6 * m.nbody + i]);
    }
    for (int i = 0; i < 3 * m.nmocap; ++i) hs.mocap_pos[i] = static_cast<float>(s.mocap_pos[i]);
    for (int i = 0; i < 4 * m.nmocap; ++i) hs.mocap_quat[i] = static_cast<float>(s.mocap_quat[i]);
    host.step(SerialTeam{}, 0);
    double scale = 1e-3;
    for (int i = 0; i < m.nq; ++i) scale = std::max(scale, std::abs(qpos[static_cast<size_t>(w) * m.nq + i]));
    for (int i = 0; i < m.nq; ++i) {
      worst_qpos = std::max(worst_qpos, std::abs(qpos[static_cast<size_t>(w) * m.nq + i] - hs.qpos[i]) / scale);
    }
    // forces of this state in double precision
    s.reset(m);
    randomise(m, s, order[w]);
    forward(m, s, d);
    const auto residual = [&](auto&& acceleration) {
      std::vector<double> x(m.nv), y(m.nv, 0.0);
      for (int i = 0; i < m.nv; ++i) x[i] = acceleration(i);
      multiply_tree(mass_pattern(m), d.M, x.data(), y.data());
      double error = 0, size = 0;
      for (int i = 0; i < m.nv; ++i) {
        error += (y[i] - d.qfrc_smooth[i]) * (y[i] - d.qfrc_smooth[i]);
        const double force = std::abs(d.qfrc_passive[i]) + std::abs(d.qfrc_bias[i]) + std::abs(d.qfrc_actuator[i]);
        size += force * force;
      }
      return std::sqrt(error) / std::max(std::sqrt(size), 1e-3);
    };
    worst_gpu = std::max(worst_gpu, residual([&](int i) { return qacc[static_cast<size_t>(w) * m.nv + i]; }));
    worst_cpu = std::max(worst_cpu, residual([&](int i) { return double(hs.qacc_warmstart[i]); }));
  }
  expect(worst_qpos <= 1e-5 && worst_gpu <= std::max(1e-5, 2 * worst_cpu),
         std::string("float32 GPU = float32 CPU, ") + shape.name + ": qpos " + number(worst_qpos) +
             ", residual of qacc GPU " + number(worst_gpu) + ", CPU " + number(worst_cpu));
}

/// Everything a world is, after some steps.
std::vector<double> run_worlds(const Model& m, const std::vector<int>& order, bool single, const LaunchPlan& plan) {
  auto worker = make_worker(m, static_cast<int>(order.size()), single, plan);
  put(*worker, random_start(m, order));
  worker->step(5);
  std::vector<double> qpos = download(*worker, "qpos"), qvel = download(*worker, "qvel"), out;
  for (size_t w = 0; w < order.size(); ++w) {
    out.insert(out.end(), qpos.begin() + w * m.nq, qpos.begin() + (w + 1) * m.nq);
    out.insert(out.end(), qvel.begin() + w * m.nv, qvel.begin() + (w + 1) * m.nv);
  }
  return out;
}

/// Same bits over runs, places in the batch and sizes of the batch.
void check_bits(const Model& m, bool single, const Shape& shape, int large) {
  const int width = m.nq + m.nv, few = std::min(1024, large);
  std::vector<int> order = counting(few);
  const std::vector<double> first = run_worlds(m, order, single, shape.plan);
  bool runs = true, permuted = true, sizes = true;
  for (int i = 0; i < 2; ++i) runs = runs && run_worlds(m, order, single, shape.plan) == first;
  std::vector<int> shuffled = order;
  for (int w = 0; w < few; ++w) shuffled[w] = 1 + (w * 37 + 11) % few;  // 37 and the power of two have no common factor
  const std::vector<double> other = run_worlds(m, shuffled, single, shape.plan);
  const auto same = [&](const std::vector<double>& a, int i, const std::vector<double>& b, int k) {
    return std::memcmp(&a[static_cast<size_t>(i) * width], &b[static_cast<size_t>(k) * width], 8 * width) == 0;
  };
  for (int w = 0; w < few; ++w) permuted = permuted && same(other, w, first, shuffled[w] - 1);
  sizes = same(run_worlds(m, {1}, single, shape.plan), 0, first, 0);
  const std::vector<double> many = run_worlds(m, counting(large), single, shape.plan);
  for (int w = 0; w < few; ++w) sizes = sizes && same(many, w, first, w);
  expect(runs && permuted && sizes, std::string("same bits, ") + (single ? "float32, " : "float64, ") + shape.name +
                                        ": 3 runs " + (runs ? "yes" : "NO") + ", permutation " +
                                        (permuted ? "yes" : "NO") + ", batches of 1, " + std::to_string(few) + ", " +
                                        std::to_string(large) + " " + (sizes ? "yes" : "NO"));
}

/// Threads per world do not change a bit.
void check_lanes(const Model& m, bool single) {
  const std::vector<int> order = counting(100);
  const std::vector<double> first = run_worlds(m, order, single, {1});
  bool same = true;
  for (int lanes : {2, 3, 4, 8, 16}) same = same && run_worlds(m, order, single, {lanes}) == first;
  expect(same,
         std::string("same bits with 1, 2, 3, 4, 8 and 16 threads per world, ") + (single ? "float32" : "float64"));
}

/// A world with bad input stays where it is and says so; its neighbours do not notice.
void check_faults(const Model& m) {
  Start start = random_start(m, counting(64));
  auto good = make_worker(m, 64, true, {});
  put(*good, start);
  good->step(1);
  const std::vector<double> want = download(*good, "qvel");
  start.inputs[1][static_cast<size_t>(7) * m.nv] = NAN;
  auto worker = make_worker(m, 64, true, {});
  put(*worker, start);
  worker->step(1);
  const std::span<const int> status = worker->status();
  const std::vector<double> got = download(*worker, "qvel");
  bool ok = status[7] & bit(Fault::kBadVelocity);
  for (int w = 0; w < 64; ++w) {
    if (w == 7) continue;
    ok = ok && status[w] == 0 &&
         std::memcmp(&got[static_cast<size_t>(w) * m.nv], &want[static_cast<size_t>(w) * m.nv], 8 * m.nv) == 0;
  }
  for (int i = 1; i < m.nv; ++i) ok = ok && got[7 * m.nv + i] == static_cast<float>(start.inputs[1][7 * m.nv + i]);
  expect(ok, "a world with NaN stays as it was, with its status; its neighbours move on");
}

/// Every number of State of one world.
std::vector<double> whole_state(BatchWorker& worker, int world) {
  std::vector<double> all;
  for (const StateFieldInfo& info : state_fields()) {
    const std::vector<double> values = download(worker, info.name);
    const int count = worker.field(info.name).count;
    const auto first = values.begin() + static_cast<ptrdiff_t>(world) * count;
    all.insert(all.end(), first, first + count);
  }
  return all;
}

/// A world whose step is refused, for its input or for its result, keeps every number of its State; mended, it goes on.
void check_refused_steps(const Model& m, bool single, const LaunchPlan& plan) {
  const Start good = random_start(m, counting(64));
  auto worker = make_worker(m, 64, single, plan);
  put(*worker, good);
  worker->step(2);  // so that warm start and histories hold something
  const std::vector<double> forces = download(*worker, "qfrc_applied"), qvel = download(*worker, "qvel");
  bool ok = true;
  int count = 0;
  const auto refused = [&](const char* field, const std::vector<double>& values, double bad) {
    std::vector<double> changed = values;
    for (int i = 0; i < m.nv; ++i) changed[static_cast<size_t>(9) * m.nv + i] = bad;
    upload(*worker, field, changed);
    const std::vector<double> before = whole_state(*worker, 9), neighbour = whole_state(*worker, 8);
    worker->step(1);
    const bool stopped = worker->status()[9] != 0;
    ok = ok && worker->status()[8] == 0 && whole_state(*worker, 8) != neighbour && (stopped || !std::isnan(bad));
    const std::vector<double> after = whole_state(*worker, 9);
    if (stopped) ok = ok && std::memcmp(after.data(), before.data(), 8 * before.size()) == 0;
    count += stopped;
    // back to what it was; the other worlds keep where they are
    std::vector<double> now = download(*worker, field);
    for (int i = 0; i < m.nv; ++i) now[static_cast<size_t>(9) * m.nv + i] = values[static_cast<size_t>(9) * m.nv + i];
    upload(*worker, field, now);
  };
  refused("qfrc_applied", forces, NAN);
  // input within bounds, result beyond them (where the model is light enough)
  refused("qfrc_applied", forces, 9.9e9);
  refused("qvel", qvel, 9.9e9);
  const std::vector<double> before = whole_state(*worker, 9);
  worker->step(1);
  ok = ok && worker->status()[9] == 0 && whole_state(*worker, 9) != before;
  expect(ok, std::string("a refused step changes no number of State, ") + (single ? "float32" : "float64") + ", " +
                 std::to_string(count) + " of 3 refused");
}

/// Worlds with masses of their own move as Models with these masses.
void check_parameters(const Model& m) {
  constexpr int kWorlds = 40;
  auto worker = make_worker(m, kWorlds, false, {});
  put(*worker, random_start(m, std::vector<int>(kWorlds, 1)));
  int field = 0;
  while (std::strcmp(model_fields()[field].name, "body_mass") != 0) ++field;
  const BatchField mass = worker->parameter(field);
  std::vector<double> raw(static_cast<size_t>(mass.count) * mass.element_stride);
  cudaMemcpy(raw.data(), mass.data, 8 * raw.size(), cudaMemcpyDeviceToHost);
  for (int w = 0; w < kWorlds; ++w) {
    for (int b = 0; b < mass.count; ++b) raw[b * mass.element_stride + w * mass.world_stride] *= 1 + 0.01 * w;
  }
  cudaMemcpy(mass.data, raw.data(), 8 * raw.size(), cudaMemcpyHostToDevice);
  worker->step(1);
  const std::vector<double> qvel = download(*worker, "qvel");
  Model other = m;
  State s(m);
  Data d(m);
  std::vector<double> want;
  for (int w = 0; w < kWorlds; ++w) {
    for (int b = 0; b < m.nbody; ++b) other.body_mass[b] = m.body_mass[b] * (1 + 0.01 * w);
    s.reset(m);
    randomise(m, s, 1);
    step(other, s, d);
    want.insert(want.end(), s.qvel, s.qvel + m.nv);
  }
  const double worst = difference(qvel, want, m.nv);
  expect(worst <= 1e-12, "masses per world: " + number(worst) + " of scale");
}

// ---- benchmark --------------------------------------------------------------------------------------------

void bench(const Model& m, bool single) {
  std::printf("  %s, one step [µs] and world-steps/s at 1024, 8192, 65536 worlds; bytes per world\n",
              single ? "float32" : "float64");
  for (const Shape& shape : kShapes) {
    std::printf("    %-20s", shape.name);
    size_t bytes = 0;
    for (int nworld : {1024, 8192, 65536}) {
      auto worker = make_worker(m, nworld, single, shape.plan);
      std::vector<int> order = counting(nworld);
      for (int& seed : order) seed = 1 + seed % 64;
      put(*worker, random_start(m, order));
      const StepTimes times = time_cuda_step(*worker, nworld > 10000 ? 10 : 30);
      std::printf("  %9.1f %8.2fM", times.step, nworld / times.step);
      bytes = worker->bytes_per_world();
    }
    std::printf("  %zu\n", bytes);
  }
}

void bench_stages(const Model& m, bool single, const LaunchPlan& plan, int nworld) {
  auto worker = make_worker(m, nworld, single, plan);
  std::vector<int> order = counting(nworld);
  for (int& seed : order) seed = 1 + seed % 64;
  put(*worker, random_start(m, order));
  const StepTimes times = time_cuda_step(*worker, 20);
  std::printf("  stages [µs], %s, %d lanes, %d worlds:", single ? "float32" : "float64", plan.lanes, nworld);
  for (int i = 0; i < kNumSmoothStages; ++i) std::printf(" %s %.1f", kSmoothStages[i].name, times.stages[i]);
  std::printf("\n");
}

int main(int argc, char** argv) {
  bool checks = false, benches = false, small = false;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--check")
      checks = true;
    else if (a == "--bench")
      benches = true;
    else if (a == "--small")
      small = checks = true;
    else
      files.push_back(a);
  }
  if (files.empty()) {
    std::printf("usage: pliant_gpu_test [--check] [--bench] [--small] FILE.plm …\n");
    return 2;
  }
  if (const std::string why = cuda_unavailable(); !why.empty()) {
    std::printf("%s\n", why.c_str());
    return 2;
  }
  if (!checks && !benches) checks = benches = true;
  bool first = true;
  for (const std::string& file : files) {
    Model m = load_plm(file);
    m.opt.disableflags |= kDisableConstraint;
    m.opt.integrator = Integrator::kEuler;
    if (first) {
      auto worker = make_worker(m, 1024, true, {});
      worker->step(1);
      worker->wait();
      std::printf("first step %.3f s after the start of the program (%s)\n", seconds_since_start(), file.c_str());
      if (!small) expect(seconds_since_start() <= 1, "first step within 1 s");
      first = false;
    }
    std::printf("%s: %d bodies, %d dofs, %d geoms, %d actuators, %d tendons\n", file.c_str(), m.nbody, m.nv, m.ngeom,
                m.nactuator, m.ntendon);
    if (checks) {
      const int states = small ? 40 : 1000, large = small ? 64 : 8192;
      for (const Shape& shape : kShapes) {
        check_double(m, states, shape);
        check_single(m, states, shape);
      }
      check_bits(m, false, {"lanes by the number of worlds", {}}, large);
      check_bits(m, true, {"lanes by the number of worlds", {}}, large);
      check_lanes(m, true);
      check_lanes(m, false);
      check_faults(m);
      check_bits(m, true, {"4 lanes per world", {4}}, large);
      for (bool single : {true, false}) check_refused_steps(m, single, {});
      check_parameters(m);
    }
    if (benches) {
      bench(m, true);
      bench(m, false);
      for (const Shape& shape : kShapes) bench_stages(m, true, shape.plan, 8192);
    }
    std::fflush(stdout);
  }
  std::printf("%d failures\n", failures);
  return failures ? 1 : 0;
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) { return pliant::main(argc, argv); }

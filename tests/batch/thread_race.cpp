// Threads on one Model, for the thread sanitizer: 8 threads that step their own State and Data, rollouts and
// derivatives on 8 threads. Models are given as .plm files, so that the engine alone is built with the sanitizer. Ends
// with 0 if all results are equal.

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "pliant/batch.h"
#include "pliant/derivative.h"
#include "pliant/model_io.h"
#include "pliant/rollout.h"

using namespace pliant;

namespace {

constexpr int kThreads = 8, kSteps = 60;

uint64_t hash_after_steps(const Model& m) {
  State s(m);
  Data d(m);
  for (int i = 0; i < kSteps; ++i) {
    for (int k = 0; k < m.nu; ++k) s.ctrl[k] = 0.1 * ((i + k) % 7 - 3);
    step(m, s, d);
  }
  return s.hash();
}

bool steps_agree(const Model& m) {
  const uint64_t expected = hash_after_steps(m);
  std::vector<uint64_t> hashes(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([&, t] { hashes[t] = hash_after_steps(m); });
  for (std::thread& thread : threads) thread.join();
  for (const uint64_t hash : hashes) {
    if (hash != expected) return false;
  }
  return true;
}

std::vector<double> rollout_on(int threads, const Model& m) {
  const int nworld = 12, nstep = 20;
  const size_t nstate = static_cast<size_t>(state_size(m, kStateFullPhysics));
  std::vector<double> start(nstate), control(static_cast<size_t>(nworld) * nstep * m.nu),
      mass(static_cast<size_t>(nworld) * m.nbody);
  get_state(m, State(m), kStateFullPhysics, start.data());
  for (size_t i = 0; i < control.size(); ++i) control[i] = 0.05 * static_cast<double>(i % 11) - 0.25;
  for (size_t i = 0; i < mass.size(); ++i)
    mass[i] = m.body_mass[i % m.nbody] * (1 + 0.01 * static_cast<double>(i / m.nbody));
  RolloutInput in;
  in.models = {&m}, in.nworld = nworld, in.nstep = nstep, in.control_steps = nstep, in.set_const = true;
  in.state = {start.data(), 1}, in.control = {control.data(), nworld};
  in.parameters.push_back({"body_mass", {mass.data(), nworld}});
  std::vector<double> states(nstate * nworld * nstep);
  RolloutOutput out;
  out.state = states.data();
  Rollout rollout(threads);
  rollout.run(in, out, [] { return false; });
  return states;
}

std::vector<double> derivative_on(int threads, const Model& m) {
  const size_t nx = 2 * static_cast<size_t>(m.nv) + static_cast<size_t>(m.na);
  std::vector<double> A(nx * nx);
  transition_derivative(m, State(m), {1e-6, false, threads}, {A.data()});
  return A;
}

std::vector<double> batch_on(int threads, const Model& m) {
  BatchOptions options;
  options.threads = threads;
  Batch batch(m, 16, options);
  batch.step(20);
  const BatchField qpos = batch.field("qpos");
  const auto* numbers = static_cast<const double*>(qpos.data);
  return std::vector<double>(numbers, numbers + 16 * m.nq);
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  bool good = argc > 1;
  for (int i = 1; i < argc; ++i) {
    const Model m = load_plm(argv[i]);
    const bool steps = steps_agree(m), rollouts = same(rollout_on(1, m), rollout_on(kThreads, m)),
               derivatives = same(derivative_on(1, m), derivative_on(kThreads, m)),
               batches = same(batch_on(1, m), batch_on(kThreads, m));
    std::printf("%s: steps %d rollouts %d derivatives %d batches %d\n", argv[i], steps, rollouts, derivatives, batches);
    good = good && steps && rollouts && derivatives && batches;
  }
  return good ? 0 : 1;
}

#pragma once
// Worlds on a GPU, with the choices that tests and benchmarks compare.

#include "batch/workers.h"
#include "cuda/launch.h"

namespace pliant {

/// Throws like make_cuda_worker.
std::unique_ptr<BatchWorker> make_cuda_worker(const Model& model, int nworld, const BatchOptions& options,
                                              const LaunchPlan& plan);

/// Time of every stage and of a whole step [µs], mean over `repeats`. Moves the worlds.
struct StepTimes {
  double step = 0;
  double stages[kNumSmoothStages] = {};
  double collision = 0, constraint = 0, solver = 0;  // of worlds with constraints
};
StepTimes time_cuda_step(BatchWorker& worker, int repeats);

/// Contacts and rows of every world, and how its solver did, in the last step; empty if worlds have no constraints.
std::vector<WorldCounts> world_counts(BatchWorker& worker);
std::vector<SolverReport> solver_reports(BatchWorker& worker);

}  // namespace pliant

#pragma once
// What the kernels of a batch are given, and how they are launched. No CUDA types: the host side includes this.

#include <limits>

#include "batch/smooth_step_hd.h"
#include "batch/world_arrays_hd.h"
#include "step/solver_shape_hd.h"

namespace pliant {

/// Worlds that a block of a smooth stage works on: neighbouring threads take neighbouring worlds.
inline constexpr int kWorldsPerTile = 32;

inline constexpr int kMostLanes = 16;

/// How threads share the work of a batch. Results do not depend on it.
struct LaunchPlan {
  /// Threads per world of a smooth stage, 1 … kMostLanes; 0: by the number of worlds.
  int lanes = 0;
  /// Otherwise it lies in shared memory if there is room.
  bool solver_in_global_memory = false;
  /// Threads per world of Newton's method with dense matrices, 8, 32, 128 or 256; 0: by the number of dofs.
  int solver_members = 0;
};

/// An array with worlds innermost, and its copy with one world after the other.
template <class R>
struct GatherItem {
  const R* from;
  R* to;
  int count;  // numbers of a world
};
/// 32 numbers of an array.
struct GatherChunk {
  int item, first;
};
/// What a kernel wants copied; in device memory.
template <class R>
struct GatherTable {
  const GatherItem<R>* item = nullptr;
  const GatherChunk* chunk = nullptr;
  int chunks = 0;
};

/// Worlds whose largest part has more than `rows_above` and at most `rows` rows, likewise dofs; how many threads
/// share one, and what its solver needs in shared memory.
struct SolverBin {
  int rows_above = -1, rows = std::numeric_limits<int>::max();
  int dofs_above = -1, dofs = std::numeric_limits<int>::max();
  int members = 32;
  size_t bytes = 0;
};
/// Most worlds have far fewer rows than the one with most: they are solved by a launch of their own, and more of them
/// at a time; so are those whose parts are small enough for a warp. (A launch skips worlds that are not its own.)
inline constexpr int kSolverBins = 4;
/// Warps that a multiprocessor shall solve worlds with at a time, where shared memory allows: more would leave a thread
/// too few registers.
template <class R>
inline constexpr int kSolverWarps = sizeof(R) == 4 ? 16 : 8;

template <class R>
struct BatchArgs {
  ModelView<R> m;
  StateArrays<R> s;
  DataArrays<R> d;
  DataArrays<R> near;         // copies for a kernel with a warp per world; nullptr: it reads the array itself
  int* status = nullptr;      // faults of every world
  int count = 0;              // worlds that a launch works on, whole tiles
  const int* list = nullptr;  // which they are; nullptr: the first
  const int* listed =
      nullptr;              // how many of them the list has, whole tiles, where only the device knows; nullptr: count
  bool parameters = false;  // some numbers of the Model differ from world to world
  BatchLayout layout;
  // Contacts, rows and their solver; counts = nullptr: the Model has none.
  WorldArrays<R> memory;
  size_t solver_bytes = 0;             // working memory of a world's solver
  std::byte* solver_memory = nullptr;  // where that lies, one world after the other; nullptr: shared memory
  SolverBin solver_bin[kSolverBins];   // launches of the solver
  int solver_bins = 1;
  unsigned* done = nullptr;     // steps of every world; one that lacks memory does not count
  int* lacks_memory = nullptr;  // some world does
};

/// Stages whose kernels are compiled together, in a file of their own: compilers take minutes for all of them.
enum class LaunchPart : int {
  kPosition,
  kVelocity,
  kForce,
  kPositionSensors,
  kVelocitySensors,
  kAccelerationSensors,
  kDelayedSensors,
  kEnds
};

/// The part of a stage: sensors and what a step begins and ends with apart, the others by their phase.
constexpr LaunchPart part_of(SmoothStage stage) {
  const auto by_phase = [](Phase phase, bool sensors) {
    if (phase == Phase::kPosition) return sensors ? LaunchPart::kPositionSensors : LaunchPart::kPosition;
    if (phase == Phase::kVelocity) return sensors ? LaunchPart::kVelocitySensors : LaunchPart::kVelocity;
    return sensors ? LaunchPart::kAccelerationSensors : LaunchPart::kForce;
  };
  switch (stage) {
    case SmoothStage::check:
    case SmoothStage::implicit:
    case SmoothStage::integrate:
      return LaunchPart::kEnds;
    case SmoothStage::measure:
      return LaunchPart::kDelayedSensors;
#define TEAM_STAGE(name, title, phase, condition, writes, reads) \
  case SmoothStage::name:                                        \
    return by_phase(Phase::phase, StageCondition::condition == StageCondition::kReadings);
#define WORLD_STAGE(name, title, phase, condition, writes, reads)
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
  }
  return LaunchPart::kEnds;
}

template <LaunchPart part, class R>
const char* launch_part(const BatchArgs<R>& args, const LaunchPlan& plan, SmoothStage stage, void* stream);

/// Launches one smooth stage on a stream (a cudaStream_t). Returns an error text or nullptr.
template <class R>
const char* launch(const BatchArgs<R>& args, const LaunchPlan& plan, SmoothStage stage, void* stream) {
  switch (part_of(stage)) {
    case LaunchPart::kPosition:
      return launch_part<LaunchPart::kPosition>(args, plan, stage, stream);
    case LaunchPart::kVelocity:
      return launch_part<LaunchPart::kVelocity>(args, plan, stage, stream);
    case LaunchPart::kForce:
      return launch_part<LaunchPart::kForce>(args, plan, stage, stream);
    case LaunchPart::kPositionSensors:
      return launch_part<LaunchPart::kPositionSensors>(args, plan, stage, stream);
    case LaunchPart::kVelocitySensors:
      return launch_part<LaunchPart::kVelocitySensors>(args, plan, stage, stream);
    case LaunchPart::kAccelerationSensors:
      return launch_part<LaunchPart::kAccelerationSensors>(args, plan, stage, stream);
    case LaunchPart::kDelayedSensors:
      return launch_part<LaunchPart::kDelayedSensors>(args, plan, stage, stream);
    case LaunchPart::kEnds:
      return launch_part<LaunchPart::kEnds>(args, plan, stage, stream);
  }
  return "no such stage";
}

/// Makes copies for the next kernel.
template <class R>
const char* launch_gather(const BatchArgs<R>& args, const GatherTable<R>& table, void* stream);

// Stages of worlds with constraints, a warp for each; they need `memory`.
template <class R>
const char* launch_collision(const BatchArgs<R>& args, void* stream);
template <class R>
const char* launch_constraint(const BatchArgs<R>& args, void* stream);
/// What the rows ask for, and the solver, of the worlds of a bin.
template <SolverShape shape, int members, class R>
const char* launch_solver(const BatchArgs<R>& args, const SolverBin& bin, void* stream);
}  // namespace pliant

#pragma once
// What the kernels of a batch are given, and how they are launched. No CUDA types: the host side includes this.

#include "batch/world_memory_hd.h"
#include "state/batch_views.h"

namespace pliant {

/// How threads share the work of a batch.
enum class KernelShape : int {
  kTile,  ///< worlds innermost, one or a few threads per world, a kernel per stage
  kWarp,  ///< a warp per world, Data in shared memory, the whole step in one kernel
};

/// Worlds that a block of kTile works on: neighbouring threads take neighbouring worlds.
inline constexpr int kWorldsPerTile = 32;

inline constexpr int kMostLanes = 16;

struct LaunchPlan {
  KernelShape shape = KernelShape::kTile;
  /// Threads per world of kTile, 1 … kMostLanes; 0: by the number of worlds. Results do not depend on it.
  int lanes = 0;
  /// Otherwise it lies in shared memory if there is room.
  bool solver_in_global_memory = false;
};

/// Where fields of Data lie in the shared memory of a world, in bytes; -1: in global memory.
struct SharedPlaces {
#define FIELD(owner, type, name, count, width, layout, unit, meaning) int name = -1;
#include "pliant/data_fields.def"
#undef FIELD
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
  unsigned* done = nullptr;            // steps of every world; one that lacks memory does not count
  int* lacks_memory = nullptr;         // some world does
  SharedPlaces shared;
  int shared_bytes = 0;  // per world
};

/// Launches one stage (with kWarp: the whole smooth step) on a stream (a cudaStream_t). Returns an error text or
/// nullptr.
template <class R>
const char* launch(const BatchArgs<R>& args, const LaunchPlan& plan, int stage, void* stream);
extern template const char* launch<float>(const BatchArgs<float>&, const LaunchPlan&, int, void*);
extern template const char* launch<double>(const BatchArgs<double>&, const LaunchPlan&, int, void*);

/// Makes copies for the next kernel.
template <class R>
const char* launch_gather(const BatchArgs<R>& args, const GatherTable<R>& table, void* stream);

// Stages of worlds with constraints, a warp for each; they need `memory`.
template <class R>
const char* launch_collision(const BatchArgs<R>& args, void* stream);
template <class R>
const char* launch_constraint(const BatchArgs<R>& args, void* stream);
/// What the rows ask for, and the solver.
template <class R>
const char* launch_solver(const BatchArgs<R>& args, void* stream);

/// Fields that kWarp leaves in global memory: large, written once, and read by few.
constexpr bool stays_global(std::string_view name) {
  return name == "geom_xpos" || name == "geom_xquat" || name == "geom_xmat" || name == "site_xpos" ||
         name == "site_xquat" || name == "site_xmat" || name == "xiquat" || name == "wrap_xpos" || name == "wrap_obj" ||
         name == "next_qpos" || name == "next_qvel" || name == "next_act" || name == "next_plastic" ||
         name == "ctrl_clamped" || name == "qDeriv" || name == "qLU" || name == "fluid_slope" ||
         name == "body_scratch" || name == "metric_M" || name.starts_with("efm_") || name == "cam_xpos" ||
         name == "cam_xmat" || name == "light_xpos" || name == "light_xdir" || name == "sensordata" ||
         name == "next_reading" || name == "energy" || name == "subtree_linvel" || name == "subtree_angmom" ||
         name == "cacc" || name == "cfrc_int" || name == "cfrc_ext";
}

}  // namespace pliant

#pragma once
// What the kernels of a batch are given, and how they are launched. No CUDA types: the host side includes this.

#include "batch/smooth_step_hd.h"
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
};

/// Where fields of Data lie in the shared memory of a world, in bytes; -1: in global memory.
struct SharedPlaces {
#define FIELD(owner, type, name, count, width, layout, unit, meaning) int name = -1;
#include "pliant/data_fields.def"
#undef FIELD
};

template <class R>
struct BatchArgs {
  ModelView<R> m;
  StateArrays<R> s;
  DataArrays<R> d;
  int* status = nullptr;  // faults of every world
  int nworld = 0;
  BatchLayout layout;
  SharedPlaces shared;
  int shared_bytes = 0;  // per world
};

/// Launches one stage (with kWarp: the whole step) on a stream (a cudaStream_t). Returns an error text or nullptr.
template <class R>
const char* launch(const BatchArgs<R>& args, const LaunchPlan& plan, int stage, void* stream);
extern template const char* launch<float>(const BatchArgs<float>&, const LaunchPlan&, int, void*);
extern template const char* launch<double>(const BatchArgs<double>&, const LaunchPlan&, int, void*);

/// Fields that kWarp leaves in global memory: large, written once, and read by few.
constexpr bool stays_global(std::string_view name) {
  return name == "geom_xpos" || name == "geom_xquat" || name == "geom_xmat" || name == "site_xpos" ||
         name == "site_xquat" || name == "site_xmat" || name == "xiquat" || name == "wrap_xpos" || name == "wrap_obj" ||
         name == "next_qpos" || name == "next_qvel" || name == "next_act" || name == "next_plastic" ||
         name == "ctrl_clamped" || name == "cam_xpos" || name == "cam_xmat" || name == "light_xpos" ||
         name == "light_xdir" || name == "sensordata" || name == "next_reading" || name == "energy" ||
         name == "subtree_linvel" || name == "subtree_angmom" || name == "cacc" || name == "cfrc_int" ||
         name == "cfrc_ext";
}

}  // namespace pliant

// Contacts of worlds up to their points: pairs that meet, by a warp per world; then a thread for every such
// pair. The kernel of rows places the contacts.

#include "cuda/world_kernel.cuh"

namespace pliant {
namespace {

struct Run {
  template <class Stages, class Memory>
  __device__ __forceinline__ static void run(Stages& stages, const Memory& mine) {
    stages.survivors();
    if (stages.team.lane() == 0) {
      mine.counts->wanted_survivors = stages.report.collision.survivors;
      mine.counts->points = 0;
    }
  }
};

template <class R, bool parameters>
__global__ void __launch_bounds__(32 * kTeamsPerBlock) survivors_kernel(const __grid_constant__ BatchArgs<R> a) {
  with_world<Run, WarpTeam, parameters>(a);
}

constexpr int kPairsPerBlock = 4, kPairsPerWorld = 16;  // threads; of 32 worlds side by side

/// plain: no parameters of worlds, nothing speculative. (Views then dissolve into registers.)
template <class R, bool plain>
__global__ void __launch_bounds__(kWorldsPerTile* kPairsPerBlock) pairs_kernel(const __grid_constant__ BatchArgs<R> a) {
  const int world = world_at(a, blockIdx.x * kWorldsPerTile + threadIdx.x);
  const auto work = [&](const ModelView<R>& m, const auto& motions_of) {
    const WorldArrays<R> mine = of_world(m, a.memory, world);
    const int survivors = mine.counts->survivors;
    int i = blockIdx.y * kPairsPerBlock + threadIdx.y;
    if (i >= survivors || a.status[world] & ~bit(Fault::kSingularInertia)) return;
    DataView<R> d = data_of_world(a.d, m, world, a.layout);
    use_memory(mine, d);
    const auto motions = motions_of(m, d);
    const PairRules<R> rules = pair_rules<R>(m.opt);
    for (; i < survivors; i += kPairsPerWorld) {
      PairPoints<R> points;
      PairResult result = compare_survivor(m, d, motions, rules, i, points);
      if (result.count > 0) result.first = atomicAdd(&mine.counts->points, result.count);
      keep_points(d, i, result, points);
    }
  };
  if constexpr (plain) {
    work(a.m, [](const auto&, const auto&) { return NoMotions<R>(); });
  } else {
    work(of_world(a.m, world), [](const auto& m, const auto& d) { return gathered_motions(m, d); });
  }
}

}  // namespace

template <class R>
const char* launch_collision(const BatchArgs<R>& a, void* stream) {
  const auto survivors = a.parameters ? survivors_kernel<R, true> : survivors_kernel<R, false>;
  const char* error = launch_teams<WarpTeam>(a, survivors, kTeamsPerBlock, 0, stream);
  if (error) return error;
  const auto kernel = a.parameters || wants_motions(a.m) ? pairs_kernel<R, false> : pairs_kernel<R, true>;
  const dim3 grid(a.count / kWorldsPerTile, kPairsPerWorld / kPairsPerBlock), block(kWorldsPerTile, kPairsPerBlock);
  kernel<<<grid, block, 0, static_cast<cudaStream_t>(stream)>>>(a);
  return launch_error();
}
template const char* launch_collision<float>(const BatchArgs<float>&, void*);
template const char* launch_collision<double>(const BatchArgs<double>&, void*);

}  // namespace pliant

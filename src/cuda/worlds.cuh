#pragma once
// What kernels share: which world a thread works on, and its memory.

#include "cuda/launch.h"

namespace pliant {

/// Worlds of a block where a warp works on each; a solver has a block of its own, whose memory is free when it is done.
inline constexpr int kTeamsPerBlock = 4;
inline constexpr int kLacksMemory = bit(Fault::kContactOverflow) | bit(Fault::kRowOverflow);

/// Shared memory of a team: the working memory of the solver, and its Model where worlds have their own.
template <class R>
inline size_t shared_bytes(const BatchArgs<R>& a, size_t solver_bytes) {
  return solver_bytes + (a.parameters ? sizeof(ModelView<R>) : 0);
}

/// Ends threads beyond the end of a list whose length only the device knows: whole blocks, nobody waits for them.
template <class R>
__device__ int world_at(const BatchArgs<R>& a, int place) {
  if (a.listed && place >= *a.listed) asm volatile("exit;");
  return a.list ? a.list[place] : place;
}

namespace detail {
template <class R>
struct CopiesOfWorld : ModelSizes {
  __device__ void operator()(const DataArrays<R>& near, int world, DataView<R>& d) const {
#define FIELD(owner, type, name, count, width, layout, unit, meaning)                                            \
  if constexpr (is_on_device(#owner) && Scalar::type == Scalar::real && Layout::layout == Layout::interleaved) { \
    if (near.name) d.name = {near.name + static_cast<ptrdiff_t>(world) * ((count) * (width)), 1};                \
  }
#include "pliant/data_fields.def"
#undef FIELD
  }
};
}  // namespace detail

/// The world's Data reads copies where there are any.
template <class R>
__device__ void use_copies(const BatchArgs<R>& a, const ModelSizes& sizes, int world, DataView<R>& d) {
  static_cast<const detail::CopiesOfWorld<R>&>(sizes)(a.near, world, d);
}

/// Contacts and rows of a world, as the stage before left them.
template <class R>
__device__ WorldArrays<R> use_memory_of(const BatchArgs<R>& a, const ModelView<R>& m, int world, DataView<R>& d) {
  const WorldArrays<R> mine = of_world(m, a.memory, world);
  use_memory(mine, d);
  recall_counts(*mine.counts, d);
  return mine;
}

}  // namespace pliant

#pragma once
// Work on arrays of all worlds: copies between precisions, fresh worlds, lists of worlds. No CUDA types.

#include "cuda/launch.h"

namespace pliant {

/// An array of worlds on the device; with world_stride 0 one row for all.
struct DeviceNumbers {
  std::byte* data = nullptr;
  Scalar scalar = Scalar::real;
  int count = 0;
  int64_t world_stride = 0, element_stride = 1;
};

/// Which worlds a copy is for, by the faults that they have.
enum class CopyFor { kAll, kSound, kFaulty };

/// Numbers of worlds 0 … nworld - 1, one by one. Returns an error text or nullptr, as all that follow.
const char* launch_copy(const DeviceNumbers& to, const DeviceNumbers& from, int nworld, CopyFor worlds,
                        const int* status, void* stream);

/// What a fresh world has in an array.
struct ResetItem {
  DeviceNumbers to;
  const double* from = nullptr;  // a row for the start and every keyframe; nullptr: zeros
};
struct ResetTable {
  const ResetItem* item = nullptr;  // in device memory
  int items = 0;
  int row = 0;  // numbers in a row of `from`
};
/// Worlds with a non-zero byte of `mask` (nullptr: all) start again, at `key` or at one of their own; -1 is the start.
const char* launch_reset(const ResetTable& table, const uint8_t* mask, int key, const int* keys, int* status,
                         int nworld, void* stream);

/// The worlds of a mask (nullptr: all) that have no fault, where that is asked for, in ascending order and followed by
/// places without a world up to a whole tile; `listed` is how many that are. done of the others grows if it is given.
struct Selection {
  const uint8_t* mask = nullptr;
  const int* sound = nullptr;  // status; nullptr: faults do not matter
  unsigned* done = nullptr;
  int nworld = 0, spare = 0;  // spare: the first place without a world
  int* list = nullptr;
  int* listed = nullptr;
};
const char* launch_select(const Selection& selection, void* stream);

/// The faults of results that `forward` finds.
template <class R>
const char* launch_check_results(const BatchArgs<R>& args, void* stream);

}  // namespace pliant

#pragma once
// One world on the host with all memory that a whole step by a team needs, in any precision.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "batch/world_memory_hd.h"
#include "constraint/constraint.h"
#include "model/contact_candidates.h"
#include "tests/base/fiber_team.h"
#include "tests/batch/host_worlds.h"

namespace pliant {

template <class R>
class TeamWorld {
 public:
  struct Room {
    int contacts, rows, segments, entries;
    int solver_rows = std::numeric_limits<int>::max();  // of the solver's memory
  };
  TeamWorld(const Model& model, const State& from, const Room& room)
      : worlds_(model, 1), pairs_(list_pairs(model, std::numeric_limits<int>::max())), m(worlds_.m) {
    m.candidates = pairs_.table();
    s = worlds_.state(0);
    d = worlds_.data(0);
    worlds_.set(0, from);
    const int terms = metric_term_room(model).rows;
    arrays_.room = {room.contacts, 16 * room.contacts + 64, room.rows, room.segments, room.entries, terms};
    place_arrays(m, arrays_, 1, block(place_arrays(m, arrays_, 1, nullptr)));
    use_memory(arrays_, d);
    SolverArrays<R> solver;
    const WorldRooms rooms = for_solver(arrays_.room, room.solver_rows, 0);
    const size_t bytes = place_arrays(m, rooms, solver, nullptr);
    std::byte* const at = block(bytes);
    place_arrays(m, rooms, solver, at);
    behind_solver_ = {at + bytes, memory_.back().data() + memory_.back().size()};
    work = world_work(m, arrays_, solver);
  }
  TeamWorld(const TeamWorld&) = delete;

  /// By a team of so many members: 1, 8, 32, in single precision 1, 32. (In files of their own: a whole step takes long
  /// to compile.)
  template <int members>
  WorldReport step(unsigned seed);

  /// Nothing was written behind the solver's memory.
  bool solver_stayed_inside() const {
    return std::all_of(behind_solver_.begin(), behind_solver_.end(), [](std::byte b) { return b == kUntouched; });
  }

  template <class T>
  static std::vector<double> numbers(const T& x, int n) {
    std::vector<double> out;
    for (int i = 0; i < n; ++i) out.push_back(x[i]);
    return out;
  }

 private:
  std::byte* block(size_t bytes) {
    memory_.emplace_back(bytes + kAlignment + kGuard, kUntouched);
    const auto at = reinterpret_cast<uintptr_t>(memory_.back().data());
    return memory_.back().data() + (kAlignment - at % kAlignment);
  }
  static constexpr size_t kAlignment = 256, kGuard = 4096;
  static constexpr std::byte kUntouched{0x7f};
  std::deque<std::vector<std::byte>> memory_;
  WorldArrays<R> arrays_;
  std::span<const std::byte> behind_solver_;

 protected:
  HostWorlds<R> worlds_;
  ListedPairs pairs_;

 public:
  ModelView<R>& m;
  StateView<R> s;
  DataView<R> d;
  WorldWork<R> work;
};

}  // namespace pliant

#pragma once
// One world on the host with all memory that a whole step by a team needs, in any precision.

#include <cstring>
#include <deque>
#include <limits>
#include <vector>

#include "batch/world_step_hd.h"
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
  };
  TeamWorld(const Model& model, const State& from, const Room& room)
      : worlds_(model, 1), pairs_(list_pairs(model, std::numeric_limits<int>::max())), m(worlds_.m) {
    m.candidates = pairs_.table();
    s = worlds_.state(0);
    d = worlds_.data(0);
    worlds_.set(0, from);
    take(room.contacts, d.contact), d.contact_room = room.contacts;
    const int survivors = 16 * room.contacts + 64;
    take(survivors, d.collision.survivor), d.collision.survivor_room = survivors;
    take(model.ngeom, d.collision.geom_motion), take(model.nbody, d.collision.body_motion);
    d.rows.row_room = room.rows, d.rows.segment_room = room.segments, d.rows.entry_room = room.entries;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) take((count) * (width), d.rows.name);
    const int nrow = room.rows, nsegment = room.segments, nentry = room.entries;
#include "pliant/row_fields.def"
#undef FIELD
    SolverWork<R>& solver = work.solver;
    take(model.nC, solver.M), take(model.nC, solver.LD);
    for (R** x : {&solver.inverse_D, &solver.qacc_smooth, &solver.qfrc_smooth, &solver.qacc}) take(model.nv, *x);
    R* numbers;
    const size_t method = method_numbers<R>(model, model.nmimicrow, metric_term_room(model).rows);
    take(static_cast<int>(team_numbers(model.nv, nrow) + method), numbers);
    ConeLine<R>* cones;
    take(nrow, cones);
    take(nrow, solver.block), take(nrow, solver.group), take(nrow, solver.stiff);
    solver.solver = team_memory(numbers, cones, model.nv, nrow);
    take(static_cast<int>(ReduceWork<R>::integers(model)), work.reduce_integers);
    take(static_cast<int>(ReduceWork<R>::numbers(model)), work.reduce_numbers);
    if (model.opt.noslip_iterations > 0) {
      take(static_cast<int>(TeamNoSlip<SerialTeam, R>::numbers(model.nv, nrow)), solver.noslip);
    }
    take(model.nv, work.touched);
    take(model.nv, work.metric.term), take(model.nv, work.metric.term_dof);
    if (needs_backbone(model) && metric_term_room(model).rows > 0) take(model.nC + model.nv, work.metric.backbone);
  }
  TeamWorld(const TeamWorld&) = delete;

  template <int members>
  WorldReport step(unsigned seed) {
    WorldReport report;
    DataView<R> after;
    FiberTeam<members>::run(
        [&](const FiberTeam<members>& team) {
          StateView<R> my_state = s;
          DataView<R> mine = d;
          const WorldReport its = world_step(team, m, my_state, mine, work);
          if (team.lane() == members - 1) report = its, after = mine;
        },
        seed);
    d = after;
    return report;
  }

  template <class T>
  static std::vector<double> numbers(const T& x, int n) {
    std::vector<double> out;
    for (int i = 0; i < n; ++i) out.push_back(x[i]);
    return out;
  }

 protected:
  template <class T>
  void take(int n, T*& to) {
    memory_.emplace_back(sizeof(T) * static_cast<size_t>(n + 1), std::byte{0x7f});
    to = reinterpret_cast<T*>(memory_.back().data());
  }
  HostWorlds<R> worlds_;
  ListedPairs pairs_;
  std::deque<std::vector<std::byte>> memory_;

 public:
  ModelView<R>& m;
  StateView<R> s;
  DataView<R> d;
  WorldWork<R> work;
};

}  // namespace pliant

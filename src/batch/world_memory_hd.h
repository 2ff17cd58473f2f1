#pragma once
// Memory of worlds: that of world_arrays_hd.h, and the working memory of the solver.

#include "batch/world_arrays_hd.h"
#include "batch/world_step_hd.h"

namespace pliant {

/// Working memory of the solver: of a world, or of a team that works on one world after the other.
template <class R>
struct SolverArrays {
  WorldRooms room{};  // what it was placed for: maybe fewer rows than the world has room for
  R *dofs = nullptr, *numbers = nullptr;
  R *M = nullptr, *LD = nullptr, *inverse_D = nullptr;
  ConeLine<R>* cone = nullptr;
  TeamMemory<R>* memory = nullptr;
  TeamProblem<R>* problem = nullptr;
  LawBlock<R>* block = nullptr;
  TeamGroup<R>* group = nullptr;
  R* J = nullptr;
  TeamStiffRow* stiff = nullptr;
  R* noslip = nullptr;
  int *row_of = nullptr, *dof_of = nullptr, *place_of = nullptr;
};
/// The same for a solver of at most so many rows and dofs at once.
PLIANT_HD WorldRooms for_solver(WorldRooms room, int rows, int dofs) {
  room.rows = rows < room.rows ? rows : room.rows;
  room.dofs = dofs;
  return room;
}
/// Numbers of rows that a solver copies (copy_groups): more would leave room for fewer worlds at a time.
PLIANT_HD int near_numbers(const WorldRooms& room) {
  constexpr int kMost = 1536;
  return room.entries < kMost ? room.entries : kMost;
}
template <class M, class R, class Visit>
PLIANT_HD void each_array(const M& m, const WorldRooms& room, SolverArrays<R>& a, Visit&& visit) {
  const bool cones = m.opt.cone == ConeType::kElliptic, dense = solver_shape(m) != SolverShape::kGrouped;
  const size_t grouped = team_numbers(m.nv, room.rows) + method_numbers<R>(m, m.nmimicrow, room.terms);
  const int dofs = room.dofs > 0 && room.dofs < m.nv ? room.dofs : m.nv;
  visit(a.numbers, static_cast<int>(dense ? dense_numbers(dofs, room.rows) : grouped));
  visit(a.block, wants_blocks(m) ? room.rows : 0);
  visit(a.cone, cones ? room.rows : 0);
  visit(a.memory, dense ? 0 : 1);
  visit(a.problem, dense ? 0 : 1);
  visit(a.dofs, dense ? 0 : 2 * m.nv);
  visit(a.M, dense ? 0 : m.nC);
  visit(a.LD, dense ? 0 : m.nC);
  visit(a.inverse_D, dense ? 0 : m.nv);
  visit(a.group, dense ? 0 : room.rows);
  visit(a.J, dense ? 0 : near_numbers(room));
  visit(a.stiff, dense ? 0 : m.nmimicrow + room.terms);
  const bool sweeps = m.opt.noslip_iterations > 0;
  const bool parts = dense && has_parts(m);
  visit(a.row_of, parts ? room.rows : 0);
  visit(a.dof_of, parts ? dofs : 0);
  visit(a.place_of, parts ? m.nv : 0);
  visit(a.noslip, sweeps ? static_cast<int>(TeamNoSlip<SerialTeam, R>::numbers(m.nv, room.rows)) : 0);
}

template <class M, class R>
PLIANT_HD SolverWork<R> solver_work(const M& m, const SolverArrays<R>& a) {
  SolverWork<R> work;
  work.M = a.M, work.LD = a.LD, work.inverse_D = a.inverse_D;
  work.qacc_smooth = a.dofs;
  work.qfrc_smooth = a.dofs + m.nv;
  work.numbers = a.numbers, work.cone = a.cone;
  work.dofs = m.nv, work.row_room = a.room.rows;
  work.solver = a.memory, work.problem = a.problem;
  work.block = a.block, work.group = a.group, work.stiff = a.stiff;
  work.J = a.J, work.J_room = near_numbers(a.room);
  work.noslip = a.noslip;
  work.row_of = a.row_of, work.dof_of = a.dof_of, work.place_of = a.place_of;
  return work;
}

/// Working memory of a step, of a world and its solver.
template <class M, class R>
PLIANT_HD WorldWork<R> world_work(const M& m, const WorldArrays<R>& mine, const SolverArrays<R>& solver) {
  WorldWork<R> work;
  work.reduce_integers = mine.reduce_integers;
  work.reduce_numbers = mine.reduce_numbers;
  work.touched = mine.touched, work.part = mine.part;
  work.metric = mine.metric;
  if (!needs_backbone(m) || mine.room.terms == 0) work.metric.backbone = nullptr;
  work.solver = solver_work(m, solver);
  return work;
}

template <class M, class R>
PLIANT_HD size_t place_arrays(const M& m, const WorldRooms& room, SolverArrays<R>& a, std::byte* base) {
  detail::Placer placer{base, 1, 16};
  a.room = room;
  each_array(m, room, a, placer);
  return (placer.total + 15) / 16 * 16;
}

}  // namespace pliant

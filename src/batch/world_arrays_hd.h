#pragma once
// Memory of worlds for contacts and rows: arrays with a capacity, one world after the other.
//
// each_array is the one list of them: it gives their sizes, places them in a block, and moves them to a world.

#include "constraint/parts_hd.h"
#include "constraint/reduce_rows_hd.h"
#include "integrate/metric_hd.h"
#include "pliant/solver_report.h"
#include "state/batch_views.h"

namespace pliant {

/// What a world has room for.
struct WorldRooms {
  int contacts = 0, survivors = 0, rows = 0, segments = 0, entries = 0;
  int terms = 0;  // of the metric behind the rows, at most (metric_term_room); the rows have room for them
  int dofs = 0;   // of what a solver takes at once; 0: all of the Model's
};

/// How much of it a step filled; and what it needed, where that was more.
struct WorldCounts {
  int survivors = 0, points = 0;  // of the collision; points: taken so far
  int contacts = 0, rows = 0, ne = 0, nf = 0, nl = 0, segments = 0, entries = 0;
  WorldParts parts;  // where has_parts
  int wanted_survivors = 0, wanted_contacts = 0;
  int bad_points = 0, raised = 0;  // as in CollisionReport
};

template <class R>
struct WorldArrays {
  WorldRooms room;
  WorldCounts* counts = nullptr;
  SolverReport* solver = nullptr;
  ContactT<R>* contact = nullptr;
  int* survivor = nullptr;
  PairResult* result = nullptr;
  ContactPointT<R>* point = nullptr;
  GeomMotionT<R>* geom_motion = nullptr;
  BodyMotionT<R>* body_motion = nullptr;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) typename Scalars<R>::type* name = nullptr;
#include "pliant/row_fields.def"
#undef FIELD
  int* reduce_integers = nullptr;
  R* reduce_numbers = nullptr;
  int* touched = nullptr;
  int* part = nullptr;  // of every tree (parts_hd.h)
  MetricWork<R> metric;
  HardMimicMemory<R> hard_mimics;
};

/// visit(address, how many per world) for every array. m: a Model or a view of one.
template <class M, class R, class Visit>
PLIANT_HD void each_array(const M& m, WorldArrays<R>& a, Visit&& visit) {
  visit(a.counts, 1);
  visit(a.solver, 1);
  visit(a.contact, a.room.contacts);
  visit(a.survivor, a.room.survivors);
  visit(a.result, a.room.survivors);
  visit(a.point, a.room.contacts);
  const bool motions = m.opt.enableflags & kEnableSpeculative;
  visit(a.geom_motion, motions ? m.ngeom : 0);
  visit(a.body_motion, motions ? m.nbody : 0);
  const int nrow = a.room.rows, nsegment = a.room.segments, nentry = a.room.entries;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) visit(a.name, (count) * (width));
#include "pliant/row_fields.def"
#undef FIELD
  visit(a.reduce_integers, static_cast<int>(ReduceWork<R>::integers(m)));
  visit(a.reduce_numbers, static_cast<int>(ReduceWork<R>::numbers(m)));
  const bool discrete = is_discrete(m.opt);
  visit(a.touched, m.nv);
  visit(a.part, has_parts(m) ? m.ntree : 0);
  visit(a.metric.term, discrete ? m.nv : 0);
  visit(a.metric.term_dof, discrete ? m.nv : 0);
  visit(a.hard_mimics.row, discrete ? 0 : m.nmimicrow);
  visit(a.hard_mimics.number, discrete ? 0 : static_cast<int>(hard_mimic_numbers(m.nmimicrow, m.nv)));
  visit(a.metric.backbone, discrete && needs_backbone(m) && a.room.terms > 0 ? m.nC + m.nv : 0);
}

/// The memory of one world.
template <class M, class R>
PLIANT_HD WorldArrays<R> of_world(const M& m, WorldArrays<R> a, int world) {
  each_array(m, a, [&](auto*& array, int n) { array += static_cast<ptrdiff_t>(n) * world; });
  return a;
}

/// Contacts and rows of a world's Data lie in this memory; what is in them stays.
template <class R>
PLIANT_HD void use_memory(const WorldArrays<R>& mine, DataView<R>& d) {
  d.contact = mine.contact;
  d.contact_room = mine.room.contacts;
  d.collision.survivor = mine.survivor;
  d.collision.result = mine.result;
  d.collision.point = mine.point;
  d.collision.survivor_room = mine.room.survivors;
  d.collision.geom_motion = mine.geom_motion;
  d.collision.body_motion = mine.body_motion;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) d.rows.name = mine.name;
#include "pliant/row_fields.def"
#undef FIELD
  d.hard_mimics = mine.hard_mimics;
  d.rows.row_room = mine.room.rows;
  d.rows.segment_room = mine.room.segments;
  d.rows.entry_room = mine.room.entries;
}
template <class R>
PLIANT_HD void recall_counts(const WorldCounts& counts, DataView<R>& d) {
  d.collision.survivors = counts.survivors;
  d.ncon = counts.contacts;
  d.rows.n = counts.rows;
  d.rows.ne = counts.ne, d.rows.nf = counts.nf, d.rows.nl = counts.nl;
  d.rows.nsegment = counts.segments, d.rows.nentry = counts.entries;
}
template <class R>
PLIANT_HD void keep_counts(const DataView<R>& d, WorldCounts& counts) {
  counts.survivors = d.collision.survivors;
  counts.contacts = d.ncon;
  counts.rows = d.rows.n;
  counts.ne = d.rows.ne, counts.nf = d.rows.nf, counts.nl = d.rows.nl;
  counts.segments = d.rows.nsegment, counts.entries = d.rows.nentry;
}

namespace detail {
/// A visitor of each_array that gives arrays of so many worlds their places in a block, and adds up its bytes.
struct Placer {
  std::byte* base;  // nullptr: only the size is wanted
  size_t worlds, alignment, total = 0;
  template <class T>
  PLIANT_HD void operator()(T*& array, int n) {
    total = (total + alignment - 1) / alignment * alignment;
    array = base ? reinterpret_cast<T*>(base + total) : nullptr;
    total += sizeof(T) * static_cast<size_t>(n) * worlds;
  }
};
}  // namespace detail

/// Places the arrays of so many worlds; returns the bytes they need. base = nullptr: only that.
template <class M, class R>
PLIANT_HD size_t place_arrays(const M& m, WorldArrays<R>& a, int worlds, std::byte* base) {
  detail::Placer placer{base, static_cast<size_t>(worlds), 256};
  each_array(m, a, placer);
  return placer.total;
}
}  // namespace pliant

// Groups kinematic trees that rows connect, by union-find; islands are numbered by their lowest tree.
//
// reads rows tree_dof* dof_treeid · writes islands row_island · cost: linear in segments, rows and dofs
// Dofs of an island ascend, rows keep their order: the same problem always has the same numbers in the same places.

#include "constraint/islands.h"

#include <algorithm>

#include "constraint/metric_terms.h"

namespace pliant {
namespace {

int root_of(int* parent, int tree) {
  while (parent[tree] != tree) tree = parent[tree] = parent[parent[tree]];
  return tree;
}

// The lower root wins: a group is named after its lowest tree.
int join(int* parent, int a, int b) {
  a = root_of(parent, a), b = root_of(parent, b);
  if (a > b) std::swap(a, b);
  return parent[b] = a;
}

constexpr int kUntouched = -1;

// Joins the trees of every row; parent[t] stays kUntouched for trees that no row touches.
void join_trees(const Model& m, const Rows& rows, int* parent) {
  std::fill_n(parent, m.ntree, kUntouched);
  int last_segment = -1;
  for (int i = 0; i < rows.n; ++i) {
    const int segment = rows.row_segadr[i], end = segment + rows.row_segnum[i];
    if (segment == last_segment || segment == end) continue;  // the same columns as the row before
    last_segment = segment;
    const int first = m.dof_treeid[rows.segment_dof[segment]];
    for (int s = segment; s < end; ++s) {
      // neighbouring trees may share a segment
      const int from = m.dof_treeid[rows.segment_dof[s]];
      const int to = m.dof_treeid[rows.segment_dof[s] + rows.segment_len[s] - 1];
      for (int tree = from; tree <= to; ++tree) {
        if (parent[tree] == kUntouched) parent[tree] = tree;
        join(parent, first, tree);
      }
    }
  }
}

// Trees that a spring or a servo of the metric joins have one island, with rows or without.
void join_through_metric(const Model& m, const Data& d, int* parent) {
  each_joined_trees(m, d, [&](int a, int b) {
    if (parent[a] == kUntouched) parent[a] = a;
    if (parent[b] == kUntouched) parent[b] = b;
    join(parent, a, b);
  });
}

// Trees that exact mimics join in M belong to one island if any of them belongs to one.
void join_through_mass(const Model& m, int* parent) {
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < m.nv; ++i) {
      const int above = m.M_parentid[i];
      if (above < 0 || m.dof_treeid[above] == m.dof_treeid[i]) continue;
      const int a = m.dof_treeid[above], b = m.dof_treeid[i];
      if (parent[a] == kUntouched && parent[b] == kUntouched) continue;
      if (parent[a] == kUntouched) parent[a] = a;
      if (parent[b] == kUntouched) parent[b] = b;
      if (root_of(parent, a) == root_of(parent, b)) continue;
      join(parent, a, b);
      changed = true;
    }
  }
}

// adr[k] becomes the start of group k, adr[n] the end; group(i) of each element is -1 for none.
template <class G>
void list_by_group(int n, int elements, const G& group, int* adr, int* list) {
  std::fill_n(adr, n + 1, 0);
  for (int i = 0; i < elements; ++i) {
    if (group(i) >= 0) ++adr[group(i) + 1];
  }
  for (int k = 0; k < n; ++k) adr[k + 1] += adr[k];
  for (int i = 0; i < elements; ++i) {
    if (group(i) >= 0) list[adr[group(i)]++] = i;
  }
  // each start has moved to its end
  for (int k = n; k > 0; --k) adr[k] = adr[k - 1];
  adr[0] = 0;
}

// All rows of a model of one tree, as most robots are, are one island: nothing to search for.
void list_one_tree(const Model& m, const Rows& rows, Islands& islands) {
  int n = 0;
  for (int i = 0; i < rows.n; ++i) {
    if (rows.row_segnum[i]) rows.row_island[i] = 0, islands.island_row[n++] = i;
  }
  const bool touched = n > 0;
  islands.n = touched;
  islands.ndof = touched ? m.nv : 0;
  islands.tree_island[0] = touched ? 0 : kUntouched;
  for (int i = 0; i < m.nv; ++i) {
    islands.dof_island[i] = islands.tree_island[0];
    islands.dof_place[i] = touched ? i : -1;
    islands.island_dof[i] = i;
  }
  islands.island_dofadr[0] = islands.island_rowadr[0] = 0;
  islands.island_dofadr[islands.n] = islands.ndof;
  islands.island_rowadr[islands.n] = n;
}

}  // namespace

bool find_islands(const Model& m, Data& d) {
  Islands& islands = d.islands;
  islands = {};
  const Rows& rows = d.rows;
  std::fill_n(rows.row_island, rows.n, -1);
  if (rows.n == 0 || m.opt.disableflags & kDisableIsland) return true;

  islands.tree_island = d.arena.take<int>(static_cast<size_t>(m.ntree));
  islands.dof_island = d.arena.take<int>(static_cast<size_t>(m.nv));
  islands.dof_place = d.arena.take<int>(static_cast<size_t>(m.nv));
  islands.island_dof = d.arena.take<int>(static_cast<size_t>(m.nv));
  islands.island_row = d.arena.take<int>(static_cast<size_t>(rows.n));
  if (!islands.tree_island || !islands.dof_island || !islands.dof_place || !islands.island_dof || !islands.island_row) {
    islands = {};
    return false;
  }

  if (m.ntree == 1) {
    islands.island_dofadr = d.arena.take<int>(2);
    islands.island_rowadr = d.arena.take<int>(2);
    if (!islands.island_dofadr || !islands.island_rowadr) {
      islands = {};
      return false;
    }
    list_one_tree(m, rows, islands);
    return true;
  }

  // parents come before children: one pass turns roots into numbers
  int* tree = islands.tree_island;
  join_trees(m, rows, tree);
  join_through_metric(m, d, tree);
  if (m.nfollower) join_through_mass(m, tree);
  int n = 0;
  for (int t = 0; t < m.ntree; ++t) {
    if (tree[t] != kUntouched) tree[t] = tree[t] == t ? n++ : tree[tree[t]];
  }
  islands.island_dofadr = d.arena.take<int>(static_cast<size_t>(n) + 1);
  islands.island_rowadr = d.arena.take<int>(static_cast<size_t>(n) + 1);
  if (!islands.island_dofadr || !islands.island_rowadr) {
    islands = {};
    return false;
  }
  islands.n = n;

  for (int i = 0; i < m.nv; ++i) islands.dof_island[i] = tree[m.dof_treeid[i]];
  for (int i = 0; i < rows.n; ++i) {
    if (rows.row_segnum[i]) rows.row_island[i] = islands.dof_island[rows.segment_dof[rows.row_segadr[i]]];
  }
  list_by_group(n, m.nv, [&](int i) { return islands.dof_island[i]; }, islands.island_dofadr, islands.island_dof);
  list_by_group(n, rows.n, [&](int i) { return rows.row_island[i]; }, islands.island_rowadr, islands.island_row);
  islands.ndof = islands.island_dofadr[n];
  for (int i = 0; i < m.nv; ++i) islands.dof_place[i] = -1;
  for (int k = 0; k < n; ++k) {
    const int start = islands.island_dofadr[k];
    for (int i = start; i < islands.island_dofadr[k + 1]; ++i) islands.dof_place[islands.island_dof[i]] = i - start;
  }
  return true;
}

}  // namespace pliant

// Symbolic part of the Hessian: atoms, order of elimination, nodes, places. Runs once per solve;
// cost is that of the order (ordering.cpp) plus one visit per pair of pieces of a group and per
// number of M.

#include <algorithm>
#include <bit>

#include "math/dense.h"
#include "solver/dense_mass.h"
#include "solver/hessian.h"
#include "solver/ordering.h"

namespace pliant {
namespace {

/// Beyond so many atoms whole kinematic trees are taken as one: sets of bits grow with the square.
constexpr int kMostAtoms = 2048;
/// Merging columns that differ stores zeros: up to this share of the merged panel, …
constexpr double kMergeShare = 0.2;
/// … or this share where the panel stays narrow.
constexpr double kNarrowShare = 0.45;
constexpr int kNarrowColumns = 16;
/// Where M alone has this share of the numbers that a matrix can have no order saves much: a long chain is one panel.
constexpr double kDenseShare = 0.6;

bool is_nearly_dense(const TreePattern<const int*>& tree) {
  const double n = tree.n, numbers = tree.rowadr[tree.n - 1] + tree.rownnz[tree.n - 1];
  return numbers >= kDenseShare * 0.5 * n * (n + 1);
}

}  // namespace

bool Hessian::build(const SolverProblem& problem, const RowGroups& groups, Arena& arena, const double* dense_mass) {
  p_ = &problem;
  rows_ = &groups;
  arena_ = &arena;
  dense_mass_ = dense_mass;
  n_ = problem.pattern.n;
  return make_atoms() && make_nodes() && make_panels() && place_mass() && place_groups();
}

bool Hessian::make_atoms() {
  const auto& tree = p_->pattern;
  atom_of_dof_ = arena_->take<int>(n_);
  atoms_ = arena_->take<Atom>(n_);
  uint8_t* cut = arena_->take<uint8_t>(n_ + 1);
  if (!atom_of_dof_ || !atoms_ || !cut) return false;
  const auto collect = [&] {
    atom_count_ = 0;
    for (int i = 0; i < n_; ++i) {
      if (cut[i]) atoms_[atom_count_++] = {i, 0, 0, 0};
      ++atoms_[atom_count_ - 1].size;
      atom_of_dof_[i] = atom_count_ - 1;
    }
  };
  std::fill(cut, cut + n_ + 1, uint8_t{0});
  cut[0] = 1;
  // (up to kDenseDofs the matrix is one dense panel: its factor costs less than the order would)
  if (n_ > kDenseDofs && !is_nearly_dense(tree)) {
    // where branches begin and end
    for (int i = 0; i < n_; ++i) {
      if (tree.parent[i] == i - 1) continue;
      cut[i] = 1;
      if (tree.parent[i] >= 0) cut[tree.parent[i] + 1] = 1;
    }
    // where columns of rows begin and end; a row of one column adds to the diagonal only
    for (const RowGroup& group : rows_->groups) {
      if (group.width <= 1) continue;
      for (int s = group.segment; s < group.segment + group.segments; ++s) {
        const int dof = rows_->view->segment_dof[s];
        cut[dof] = cut[dof + rows_->view->segment_len[s]] = 1;
      }
    }
  }
  collect();
  if (atom_count_ > kMostAtoms) {
    for (int i = 1; i < n_; ++i) cut[i] = tree.parent[i] < 0;
    collect();
  }
  return true;
}

bool Hessian::make_nodes() {
  nodes_ = arena_->take<Node>(atom_count_);
  if (!nodes_) return false;
  if (atom_count_ == 1) {
    nodes_[0] = {0, n_, 0, 0, 0, 0, nullptr, -1};
    node_count_ = 1;
    return true;
  }
  // who meets whom: columns of a group, a dof and its ancestors
  BlockSets sets{atom_count_, (atom_count_ + 63) / 64, nullptr};
  const size_t words = static_cast<size_t>(sets.count) * sets.words;
  sets.bits = arena_->take<uint64_t>(words);
  int* touched = arena_->take<int>(atom_count_);
  if (!sets.bits || !touched) return false;
  std::fill(sets.bits, sets.bits + words, uint64_t{0});
  const auto join = [&](int a, int b) {
    if (a == b) return;
    sets.add(a, b);
    sets.add(b, a);
  };
  for (const RowGroup& group : rows_->groups) {
    if (group.width <= 1) continue;
    int count = 0;
    for (int s = group.segment; s < group.segment + group.segments; ++s) {
      const int dof = rows_->view->segment_dof[s], last = dof + rows_->view->segment_len[s] - 1;
      if (last < dof) continue;
      for (int a = atom_of_dof_[dof]; a <= atom_of_dof_[last]; ++a) touched[count++] = a;
    }
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < i; ++j) join(touched[i], touched[j]);
    }
  }
  for (int a = 0; a < atom_count_; ++a) {
    for (int i = atoms_[a].dof; i < atoms_[a].dof + atoms_[a].size; ++i) {
      for_each_run(p_->pattern, i, [&](int first, int length, int) {
        for (int b = atom_of_dof_[first]; b <= atom_of_dof_[first + length - 1]; ++b) join(a, b);
      });
    }
  }
  // order, and how many dofs each column reaches
  const size_t count = atom_count_;
  int* order = arena_->take<int>(count);
  int* parent = arena_->take<int>(count);
  int* reach = arena_->take<int>(count);
  int* node_end = arena_->take<int>(count);
  if (!order || !parent || !reach || !node_end) return false;
  if (!order_blocks(sets, *arena_, {order, count}, {parent, count})) return false;
  int total = 0;
  for (int a = 0; a < atom_count_; ++a) {
    reach[a] = 0;
    for (int w = 0; w < sets.words; ++w) {
      for (uint64_t rest = sets.row(a)[w]; rest; rest &= rest - 1) {
        reach[a] += atoms_[64 * w + std::countr_zero(rest)].size;
      }
    }
    total += std::popcount(sets.row(a)[0]);
    for (int w = 1; w < sets.words; ++w) total += std::popcount(sets.row(a)[w]);
  }
  merge_into_nodes(order, parent, reach, node_end);
  // rows below a node: those of its last atom, by place
  below_ = arena_->take<RowAtom>(total);
  if (!below_) return false;
  int at = 0;
  for (int k = 0; k < node_count_; ++k) {
    Node& node = nodes_[k];
    node.first_below = at;
    const uint64_t* pattern = sets.row(order[node_end[k] - 1]);
    for (int w = 0; w < sets.words; ++w) {
      for (uint64_t rest = pattern[w]; rest; rest &= rest - 1) below_[at++].atom = 64 * w + std::countr_zero(rest);
    }
    std::sort(below_ + node.first_below, below_ + at,
              [&](RowAtom a, RowAtom b) { return atoms_[a.atom].place < atoms_[b.atom].place; });
    node.below = at - node.first_below;
    node.parent = node.below > 0 ? atoms_[below_[node.first_below].atom].node : -1;
  }
  return true;
}

/// Atoms in the order given become nodes; node_end[k] is the place in `order` after the last atom
/// of node k.
void Hessian::merge_into_nodes(const int* order, const int* parent, const int* reach, int* node_end) {
  node_count_ = 0;
  places_ = 0;
  int below = 0;  // dofs that the node at hand reaches
  for (int k = 0; k < atom_count_; ++k) {
    Atom& atom = atoms_[order[k]];
    bool merge = false;
    if (k > 0 && parent[order[k - 1]] == order[k]) {
      const int columns = nodes_[node_count_ - 1].columns, all = columns + atom.size;
      const double zeros = static_cast<double>(columns) * (atom.size + reach[order[k]] - below);
      const double area = static_cast<double>(all) * (all + reach[order[k]]);
      merge = zeros <= area * (all <= kNarrowColumns ? kNarrowShare : kMergeShare);
    }
    if (!merge) {
      nodes_[node_count_++] = {places_, 0, 0, 0, 0, 0, nullptr, -1};
    }
    Node& node = nodes_[node_count_ - 1];
    atom.node = node_count_ - 1;
    atom.place = node.place + node.columns;
    node.columns += atom.size;
    places_ = node.place + padded(node.columns);
    below = reach[order[k]];
    node_end[node_count_ - 1] = k + 1;
  }
}

bool Hessian::make_panels() {
  entries_ = 0;
  int tallest = 0, most_below = 0;
  factor_cost_ = 200;
  for (int k = 0; k < node_count_; ++k) {
    Node& node = nodes_[k];
    int below = 0;
    for (int b = node.first_below; b < node.first_below + node.below; ++b) {
      below_[b].offset = padded(node.columns) + below;
      below += atoms_[below_[b].atom].size;
    }
    node.rows = padded(node.columns) + padded(below);
    // columns that lie 2^k bytes apart share cache lines
    node.stride = node.rows % 64 == 0 ? node.rows + 4 : node.rows;
    entries_ += static_cast<size_t>(padded(node.columns)) * node.stride;
    tallest = std::max(tallest, node.rows);
    most_below = std::max(most_below, padded(below));
    // h^3 / 6 - (h - c)^3 / 6 multiplications and additions, four in a cycle; and a square root and
    // a division per column
    const double h = node.rows, rest = h - node.columns;
    factor_cost_ += (h * h * h - rest * rest * rest) / 24 + 30.0 * node.columns + (below > 0 ? 100 : 0);
  }
  if (node_count_ == 1 && atom_count_ == 1) places_ = padded(n_);
  memory_ = arena_->take<double>(entries_ + 4);  // zeros are added behind columns
  inverse_ = arena_->take<double>(places_);
  vector_ = arena_->take<double>(places_ + 4);
  panel_vector_ = arena_->take<double>(tallest + 4);
  square_ = arena_->take<double>(static_cast<size_t>(most_below) * most_below);
  node_of_place_ = arena_->take<int>(places_ / 4 + 1);
  if (!node_of_place_ || !memory_ || !inverse_ || !vector_ || !panel_vector_ || !square_) return false;
  std::fill(vector_, vector_ + places_, 0.0);
  std::fill(memory_ + entries_, memory_ + entries_ + 4, 0.0);
  size_t at = 0;
  for (int k = 0; k < node_count_; ++k) {
    nodes_[k].panel = memory_ + at;
    for (int q = 0; q < padded(nodes_[k].columns); q += 4) node_of_place_[(nodes_[k].place + q) / 4] = k;
    at += static_cast<size_t>(padded(nodes_[k].columns)) * nodes_[k].stride;
  }
  return true;
}

int Hessian::row_in_node(const Node& node, int atom) const {
  const RowAtom* first = below_ + node.first_below;
  const int place = atoms_[atom].place;
  const RowAtom* found =
      std::partition_point(first, first + node.below, [&](RowAtom r) { return atoms_[r.atom].place < place; });
  return found->offset;
}

double* Hessian::entry(int row_place, int row_atom, int column_place, int column_atom, bool* transposed) const {
  *transposed = row_place < column_place;
  if (*transposed) {
    std::swap(row_place, column_place);
    std::swap(row_atom, column_atom);
  }
  const Node& node = nodes_[atoms_[column_atom].node];
  const int row = atoms_[row_atom].node == atoms_[column_atom].node
                      ? row_place - node.place
                      : row_in_node(node, row_atom) + row_place - atoms_[row_atom].place;
  return node.panel + static_cast<size_t>(column_place - node.place) * node.stride + row;
}

bool Hessian::place_mass() {
  if (atom_count_ <= 1) return true;  // places are dofs
  const auto& tree = p_->pattern;
  const int numbers = tree.rowadr[n_ - 1] + tree.rownnz[n_ - 1];
  mass_entry_ = arena_->take<double*>(numbers);
  if (!mass_entry_) return false;
  for (int i = 0; i < n_; ++i) {
    const int atom = atom_of_dof_[i], place = atoms_[atom].place + i - atoms_[atom].dof;
    bool transposed;
    mass_entry_[tree.rowadr[i] + tree.rownnz[i] - 1] = entry(place, atom, place, atom, &transposed);
    // ancestors: runs of dofs, which may cross atoms
    for_each_run(tree, i, [&](int first, int length, int offset) {
      for (int j = first; j < first + length;) {
        const Atom& other = atoms_[atom_of_dof_[j]];
        const int end = std::min(first + length, other.dof + other.size);
        double* at = entry(place, atom, other.place + j - other.dof, atom_of_dof_[j], &transposed);
        const int step = transposed ? 1 : nodes_[other.node].stride;
        for (double** to = mass_entry_ + tree.rowadr[i] + offset + j - first; j < end; ++j, ++to, at += step) *to = at;
      }
    });
  }
  return true;
}

bool Hessian::place_groups() {
  const RowsView& view = *rows_->view;
  const int groups = static_cast<int>(rows_->groups.size());
  int most_rows = 0;
  for (const RowGroup& group : rows_->groups) {
    // a factor begins with all products of rows
    if (group.rows > 1) {
      const double width = group.width;
      factor_cost_ += 200 + width * (8 + width * (0.5 + 0.25 * group.rows));
    } else {
      factor_cost_ += 10 + 3.0 * group.width;
    }
    most_rows = std::max(most_rows, group.rows);
  }
  // (four numbers may be written at the end of a row)
  const size_t room = static_cast<size_t>(most_rows) * rows_->widest + 4;
  packed_ = arena_->take<double>(room);
  weighted_ = arena_->take<double>(room);
  if (!packed_ || !weighted_) return false;
  if (is_one_panel()) return true;  // places are dofs, pieces are segments

  piece_begin_ = arena_->take<int>(groups + 1);
  pair_begin_ = arena_->take<int>(groups + 1);
  if (!piece_begin_ || !pair_begin_) return false;
  // pieces of a group, written or only counted
  const auto cut_group = [&](const RowGroup& group, Piece* to) {
    int count = 0, column = 0;
    for (int s = group.segment; s < group.segment + group.segments; ++s) {
      const int end = view.segment_dof[s] + view.segment_len[s];
      for (int dof = view.segment_dof[s]; dof < end;) {
        const Atom& atom = atoms_[atom_of_dof_[dof]];
        const int length = std::min(end, atom.dof + atom.size) - dof;
        if (to) to[count] = {atom.place + dof - atom.dof, length, column};
        ++count;
        dof += length;
        column += length;
      }
    }
    return count;
  };
  int pieces = 0, pairs = 0;
  for (int g = 0; g < groups; ++g) {
    const int count = cut_group(rows_->groups[g], nullptr);
    piece_begin_[g] = pieces;
    pair_begin_[g] = pairs;
    pieces += count;
    pairs += count * (count + 1) / 2;
  }
  piece_begin_[groups] = pieces;
  pair_begin_[groups] = pairs;
  pieces_ = arena_->take<Piece>(pieces);
  pair_ = arena_->take<uintptr_t>(pairs);
  int* atom_of_place = arena_->take<int>(places_);
  if (!pieces_ || !pair_ || !atom_of_place) return false;
  for (int a = 0; a < atom_count_; ++a) {
    for (int i = 0; i < atoms_[a].size; ++i) atom_of_place[atoms_[a].place + i] = a;
  }
  for (int g = 0; g < groups; ++g) {
    Piece* piece = pieces_ + piece_begin_[g];
    const int count = cut_group(rows_->groups[g], piece);
    uintptr_t* pair = pair_ + pair_begin_[g];
    for (int a = 0; a < count; ++a) {
      for (int b = 0; b <= a; ++b) {
        bool transposed;
        const double* at = entry(piece[a].place, atom_of_place[piece[a].place], piece[b].place,
                                 atom_of_place[piece[b].place], &transposed);
        *pair++ = reinterpret_cast<uintptr_t>(at) | (transposed ? 1 : 0);
      }
    }
  }
  return true;
}

}  // namespace pliant

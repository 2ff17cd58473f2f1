#pragma once
// The Hessian of the primal cost, H = M + J' W J, and its Cholesky factor, by blocks.
//
// W is D on rows in their quadratic state, the cone's second derivative on sliding elliptic
// contacts, and 0 elsewhere. Dofs that always appear together (a free body, a limb) are an atom;
// atoms are put in an order of little fill (ordering.h), and neighbours in it whose columns look
// alike are merged into a node: a dense panel of columns with the rows below that they reach. A
// small problem is one node with all dofs and needs no order. All arithmetic is on dense panels
// (math/dense.h), large or small.
//
// When few rows change state the factor is updated row by row (rank 1); else, or when a downdate
// would lose too many digits, or while contacts slide on elliptic cones, it is computed anew.

#include <cstdint>
#include <span>

#include "pliant/arena.h"
#include "solver/row_groups.h"

namespace pliant {

class Hessian {
 public:
  /// Symbolic part: order, panels, places of all numbers. False if the arena is full. `dense_mass`: M of a problem of
  /// at most kDenseDofs, where the caller has it (dense_mass.h).
  bool build(const SolverProblem& problem, const RowGroups& groups, Arena& arena, const double* dense_mass = nullptr);

  /// Assembles H for these states and factors it. False if a pivot is not positive.
  bool factor(const double* x, const int* state);
  /// Brings the factor from the states before to those now, `changed` being the rows whose
  /// quadratic state changed. Returns the number of rank-1 updates, -1 if factor() must be called
  /// instead (cheaper, or digits were lost).
  int update(std::span<const int> changed, const int* state);
  /// x = inv(H) x.
  void solve(double* x);

  int nodes() const { return node_count_; }
  /// Numbers in the panels.
  size_t entries() const { return entries_; }

 private:
  struct Atom {
    int dof, size;  // dofs
    int place;      // in vectors ordered by nodes
    int node;
  };
  struct RowAtom {
    int atom, offset;  // row of the panel
  };
  struct Node {
    int place, columns;  // places are padded: each node starts at a multiple of four
    int rows, stride;    // of the panel, columns included
    int first_below, below;
    double* panel;
    int parent;
  };
  struct Piece {
    int place, length, column;  // columns of a group that are contiguous in H
  };

  bool make_atoms();
  bool make_nodes();
  bool make_panels();
  bool place_mass();
  bool place_groups();
  void merge_into_nodes(const int* order, const int* parent, const int* reach, int* node_end);
  int row_in_node(const Node& node, int atom) const;
  double* entry(int row_place, int row_atom, int column_place, int column_atom, bool* transposed) const;

  void assemble(const double* x, const int* state);
  void add_mass();
  void add_single_row(const RowGroup& group, int index);
  void add_single_row_to_panel(const RowGroup& group);
  void add_group(const RowGroup& group, int index, const double* x, const int* state);
  void add_rows_to_panel(const RowGroup& group, const double* J, int count);
  void add_rows_to_nodes(const RowGroup& group, int index, const double* J, int count);
  int weigh_rows(const RowGroup& group, const double* x, const int* state, const double** J);
  void weigh_contact(const RowBlock& block, const double* x, const double* J, int width, double* to) const;
  bool is_one_panel() const { return atom_count_ == 1; }
  int group_of(int row) const;
  int first_node(int group) const;
  void spread_row(int row, int group, double factor);
  void eliminate(const Node& node);
  bool update_row(int row, double weight);

  const SolverProblem* p_ = nullptr;
  const RowGroups* rows_ = nullptr;
  Arena* arena_ = nullptr;
  int n_ = 0, places_ = 0;
  Atom* atoms_ = nullptr;
  int atom_count_ = 0;
  int* atom_of_dof_ = nullptr;
  Node* nodes_ = nullptr;
  int node_count_ = 0;
  RowAtom* below_ = nullptr;
  double* memory_ = nullptr;
  size_t entries_ = 0;
  const double* dense_mass_ = nullptr;
  double** mass_entry_ = nullptr;  // of every number of M, where there are several atoms
  // per group, where there are several atoms: pieces and where products of two of them go (the lowest bit: transposed)
  Piece* pieces_ = nullptr;
  int* piece_begin_ = nullptr;
  uintptr_t* pair_ = nullptr;
  int* pair_begin_ = nullptr;
  int* node_of_place_ = nullptr;       // by places / 4
  const RowBlock* contact_ = nullptr;  // while groups are added in order: the last that slid
  double factor_cost_ = 0;             // estimate, in cycles
  // work
  double *inverse_ = nullptr, *vector_ = nullptr, *panel_vector_ = nullptr;
  double *square_ = nullptr, *packed_ = nullptr, *weighted_ = nullptr;
};

}  // namespace pliant

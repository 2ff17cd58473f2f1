#pragma once
// Sweeps over forces, block by block (PGS, TGS): each block takes the forces that are best while all others hold.
//
// Dual cost 1/2 f' (A + R) f + f' b within the bounds of the forces, A = J inv(M) J' = Y Y' (whitened.h), b = J a_s -
// aref. A scalar row is minimised in closed form, an elliptic contact exactly over its whole cone (cone_problems_hd.h),
// equalities that belong together (mimic joints of a tree) through the factors of their part of A + R. Residuals
// contain R f, so it does not matter how often a row is visited. Cost of a visit: two passes over the block's numbers
// in Y; or one over its columns of A, where there are so few rows that A is at hand: then the residuals of all rows are
// kept. (A product of a row of A with the forces would be as long, but wait for the force of the visit before.)

#include <cstdint>

#include "solver/cone_problems_hd.h"
#include "solver/whitened.h"

namespace pliant {

/// Minimises over one block at a time.
struct Sweeper {
  const SolverProblem* p = nullptr;
  WhitenedRows white;
  const bool* asleep = nullptr;  // by block: sweep_in_order leaves it out (TGS)

  /// False if the arena is full. `may_use_matrix`: nobody else needs w, so that a problem of few rows may be swept by A
  /// without it.
  /// `joins_edges`: sweep_in_order visits the edges of a pyramid together.
  bool build(const SolverProblem& problem, Arena& arena, bool may_use_matrix = false, bool joins_edges = false);
  /// w, or the residuals, after forces were changed by others than visits.
  void follow(const double* force);
  /// Minimises over block b; returns by how much the cost falls.
  double visit(int b, double* force);
  /// Minimises over all blocks in the order given; returns by how much the cost falls.
  double visit_all(const int* order, double* force);
  /// Into the bounds: boxes, and for cones shrinks the tangent.
  void project(double* force) const;
  /// 1/2 f' (A + R) f + f' b; w or the residuals belong to f.
  double cost(const double* f) const;
  /// Minimises over all blocks, one after the other; returns by how much the cost falls.
  double sweep_in_order(double* force);
  /// Visits rigid rows (RowBlock::cold_start) once more, after the last sweep: what too few sweeps leave open is left
  /// to rows that can give way; a rigid row would drift by it.
  void hold_rigid_rows(double* force);
  /// Takes the force of a block away.
  void remove_force(int b, double* force);
  /// Makes all forces smaller by the factor that lowers the cost most, if one does; with w.
  void shrink_to_best(double* force);

  /// Where a solve begins: the forces given, if they are finite and better than none. False if the problem is not
  /// finite.
  bool start(double* force);

 private:
  /// Factors of A + R of equalities solved together.
  struct Together {
    int stride = 0;
    double *panel = nullptr, *inverse = nullptr;
  };
  bool fill_matrix(Arena& arena);
  template <int kEdges>
  void fill_edges(int b, double* to) const;
  bool factor_together(const RowBlock& block, Arena& arena, Together& to);
  double visit_together(int b, double* force);
  template <int kDim>
  double visit_cone(int b, double* force);
  template <int kEdges>
  double visit_edges(int b, double* force);
  /// Residuals of a block's rows without R f.
  void residual(int b, double* out) const;
  /// Y Y' of the block.
  void block_matrix(int b, double* A) const;
  void apply(int b, const double* change);
  void apply_row(int row, double change);
  double visit_scalar_rows(const int* order, double* force);

  double* matrix_ = nullptr;    // A, all rows, where there are few
  int stride_ = 0;              // of its rows, of which there are as many
  double* residual_ = nullptr;  // A f + free of all rows, padded, where A is at hand
  bool scalar_ = false;         // every block is one row

  double *lower_ = nullptr, *upper_ = nullptr;                // bounds of the forces of scalar rows
  double *diagonal_ = nullptr, *inverse_diagonal_ = nullptr;  // of A + R, scalar rows
  ConeBlock<double>* cones_ = nullptr;                        // of elliptic blocks
  double* cone_matrix_ = nullptr;                             // of each: A + R, kMaxConeDim^2 numbers
  double* edges_ = nullptr;                                   // of pyramids visited together: edge_numbers each
  bool joins_edges_ = false;
  Together* together_ = nullptr;  // of equalities solved together
  int* place_ = nullptr;          // by block: its place in one of the three
  double* change_ = nullptr;      // work: room for the largest block of equalities, padded
};

/// Sweeps over all blocks in shuffled order (fixed generator), with forces extrapolated between them (Nesterov) and a
/// restart whenever that leads uphill; as in MuJoCo, so that for scalar rows the iterates are its own.
struct Sweeps {
  bool build(const SolverProblem& problem, Arena& arena);
  /// The next sweep is the first of a problem: without momentum.
  void restart(const double* f);
  /// Returns by how much the cost fell.
  double sweep(Sweeper& sweeper, double* f);

 private:
  /// PCG32 (O'Neill 2014): state 0, increment 1, the first number thrown away.
  struct Shuffler {
    uint64_t state = 0;
    Shuffler() { next(); }
    uint32_t next();
    void shuffle(int* order, int n);
  };
  int rows_ = 0, blocks_ = 0, momentum_ = 0;
  int* order_ = nullptr;
  double *last_ = nullptr, *previous_ = nullptr;  // forces before a sweep, not extrapolated; and before the one before
  double* ahead_ = nullptr;                       // extrapolated
  Shuffler shuffler_;
};

}  // namespace pliant

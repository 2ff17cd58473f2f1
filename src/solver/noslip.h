#pragma once
// Sweeps over friction without its regularisation, on rows that a solver has whitened (noslip.cpp, tgs.cpp).

#include "solver/whitened.h"

namespace pliant {

struct NoSlip {
  WhitenedRows& white;

  /// Sweeps until one gains less than the tolerance, at most so many times (p.opt.noslip_*): forces, and w after them.
  SolverReport run(const SolverProblem& p, double* force);

 private:
  double replace(const WhitenedRows::Block& block, const double* A, const double* residual, const double* next,
                 double* f);
  double friction_loss(const WhitenedRows::Block& block, double* f);
  double edges(const WhitenedRows::Block& first, double* f);
  double elliptic(const WhitenedRows::Block& block, double* f);
  double sweep(double* force);
};

}  // namespace pliant

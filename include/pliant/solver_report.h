#pragma once
// How a solver did: iterations, certificate, why it stopped.

#include <cstdint>

namespace pliant {

/// What one iteration did.
struct SolverIteration {
  double improvement = 0;  ///< scale x decrease of the cost
  double gradient = 0;     ///< scale x |g|; 0 for dual solvers
  double slope = 0;        ///< scale x slope that the line search left
  int active = 0;          ///< rows that push
  int changes = 0;         ///< rows that changed state
  int evaluations = 0;     ///< of the cost, in the line search
  int updates = 0;         ///< rank-1 updates of the factor; the number of rows for a new factorisation
};

/// Why a solver returned.
enum class SolverStatus : uint8_t {
  kConverged,       ///< gap below the tolerance: proven
  kStopped,         ///< the rules of termination held, but the gap is not below the tolerance
  kIterationLimit,  ///< out of iterations
  kNoProgress,      ///< the line search found nothing better (the limit of rounding)
  kNotFinite,       ///< NaN or infinity came in (bad_row says where): qacc is qacc_smooth or zero, forces are zero
  kNotPositive,     ///< M or the Hessian is not positive definite: the best point so far is returned
  kOutOfMemory,     ///< the arena is fixed and full: as for kNotFinite
};

/// What solver="auto" took for an island, and why (solver_choice_text).
enum class SolverChoice : uint8_t {
  kNone,       ///< another solver was asked for
  kStart,      ///< nothing: where it starts is proven to be within the tolerance
  kSingleRow,  ///< CG: two steps are exact
  kLongRows,   ///< CG: rows reach so many dofs that a Hessian costs more than many steps
  kUnproven,   ///< CG for the same reason, and from where it ended Newton, since nothing was proven
  kShortRows,  ///< Newton
};
/// In a few words; empty for kNone.
constexpr const char* solver_choice_text(SolverChoice choice) {
  switch (choice) {
    case SolverChoice::kStart:
      return "nothing to do: the start is proven to be within the tolerance";
    case SolverChoice::kSingleRow:
      return "CG: one row, for which its first two steps are exact";
    case SolverChoice::kLongRows:
      return "CG: rows reach so many dofs that a Hessian costs more than many steps";
    case SolverChoice::kUnproven:
      return "CG, since rows reach many dofs, and from where it ended Newton";
    case SolverChoice::kShortRows:
      return "Newton: rows reach few dofs";
    default:
      return "";
  }
}

/// How it went; the certificate of the answer.
struct SolverReport {
  SolverStatus status = SolverStatus::kConverged;
  int iterations = 0;         ///< TGS: sweeps in all substeps
  int evaluations = 0;        ///< of line searches
  int factorizations = 0;     ///< of the Hessian
  int updates = 0;            ///< rank-1 updates of its factor
  int bad_row = -1;           ///< kNotFinite: first row with such a number; -1: it is in the vectors of dofs
  double gap = 0;             ///< scale x 1/2 g' inv(M) g: the cost is within this of the minimum (TGS: last substep)
  double gradient = 0;        ///< scale x |g|
  double improvement = 0;     ///< scale x decrease of the cost in the last iteration
  double cone_violation = 0;  ///< largest violation of the forces' bounds, relative to the force
  bool converged = false;     ///< status is kConverged: gap < tolerance
  SolverChoice choice = SolverChoice::kNone;
  int resolutions = 0;  ///< resolution="signorini": convex problems that were solved; 0 for convex
  double lift = 0;      ///< and the largest distance from "what slides is not lifted", relative (signorini.h)
  bool convex = true;   ///< forces are those of the convex problem; false: of Signorini's
};

/// Reports of the last step, one per island (one in all where islands are off); memory in Data's arena.
struct SolverReports {
  static constexpr int kMostIslands = 20, kMostIterations = 200;  ///< of which the history is kept; MuJoCo's numbers

  int n = 0;
  SolverReport* report = nullptr;
  SolverIteration* history = nullptr;  ///< kMostIterations lines for each of the first islands
  double* last_force = nullptr;        ///< TGS: forces of the rows in the last substep; row_force is the mean

  int islands_kept() const { return n < kMostIslands ? n : kMostIslands; }

  /// The most iterations of an island.
  int iterations() const {
    int most = 0;
    for (int i = 0; i < n; ++i) most = report[i].iterations > most ? report[i].iterations : most;
    return most;
  }
  /// The largest gap.
  double gap() const {
    double largest = 0;
    for (int i = 0; i < n; ++i) largest = report[i].gap > largest ? report[i].gap : largest;
    return largest;
  }
  /// Whether all islands are proven to be within tolerance.
  bool converged() const {
    for (int i = 0; i < n; ++i) {
      if (!report[i].converged) return false;
    }
    return true;
  }
};

}  // namespace pliant

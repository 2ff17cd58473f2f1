#pragma once
// Derivatives of a whole step, and of inverse dynamics, by finite differences on several threads.
//
// Coordinates of a state are (dq, qvel, act), 2 nv + na numbers: dq is a small motion of each dof, so that quaternions
// make no trouble. Matrices are dense, row by row; nullptr: not wanted. Results do not depend on the number of threads.

#include "pliant/step.h"

namespace pliant {

struct DifferenceOptions {
  double eps = 1e-6;      ///< size of a nudge
  bool centered = false;  ///< two nudges per input, forth and back; otherwise forth only
  int threads = 1;        ///< 0: one per core
};

/// x' = A x + B u and sensors = C x + D u around a state and its controls, for one step.
struct Transition {
  double* A = nullptr;  ///< (2 nv + na) x (2 nv + na)
  double* B = nullptr;  ///< (2 nv + na) x nu
  double* C = nullptr;  ///< nsensordata x (2 nv + na)
  double* D = nullptr;  ///< nsensordata x nu
};

/// Controls at a limit of their range are nudged to the inside. The warm start is the state's in every step, and
/// histories are not nudged. A step that is refused ends in its status; the matrices are then useless.
StepStatus transition_derivative(const Model& m, const State& s, const DifferenceOptions& options,
                                 const Transition& result);

/// Inverse dynamics f(q, v, a): row i of each matrix belongs to a nudge of dof i.
struct InverseDerivative {
  double *DfDq = nullptr, *DfDv = nullptr, *DfDa = nullptr;  ///< nv x nv, of qfrc_inverse
  double *DsDq = nullptr, *DsDv = nullptr, *DsDa = nullptr;  ///< nv x nsensordata, of sensordata
  double* DmDq = nullptr;                                    ///< nv x nC, of M
};

/// With the accelerations `qacc`. `without_actuation`: f is qfrc_inverse - qfrc_actuator. Forward differences.
StepStatus inverse_derivative(const Model& m, const State& s, const double* qacc, bool without_actuation,
                              const DifferenceOptions& options, const InverseDerivative& result);

}  // namespace pliant

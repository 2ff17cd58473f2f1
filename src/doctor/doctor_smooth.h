#pragma once
// Springs, dampers and actuator gains as one list: direction, stiffness and damping of each.

#include <vector>

#include "doctor/doctor_case.h"

namespace pliant::doctoring {

struct Smooth {
  const char* kind;  ///< "spring", "damper", "actuator"
  ObjType type;
  int id;
  std::vector<double> j;  ///< direction in which it acts, nv
  double k = 0, b = 0;    ///< force per length and per speed along j
  bool implicit = false;  ///< the integrator takes b implicitly
  bool centred = false;   ///< half at the start and half at the end of the step: b sets no limit (midpoint)
};

/// All of a model at a pose. Laws that are not affine (muscles, motors …) are differentiated numerically.
std::vector<Smooth> smooth_elements(const Model& m, const Pose& pose);

/// Per unit of inertia: stiffness, and damping by how the integrator takes it.
struct SmoothRates {
  double k = 0, c_explicit = 0, c_implicit = 0;
};

/// Along p = inv(M) j of one element (pMp = j' p), with everything else that acts there; `alone`: without.
SmoothRates rates_along(const std::vector<Smooth>& all, const std::vector<double>& p, double pMp, bool alone,
                        const Smooth& own);
/// Whether a step of length h keeps the motion bounded.
bool smooth_stable(const SmoothRates& r, double h, bool rk4);

/// Exact followers move with their leaders: what acts on a follower acts on these, times minus the gear.
void to_leaders(const Model& m, std::vector<double>& j);

/// A row of a sparse matrix as nv numbers.
std::vector<double> sparse_row(int nv, const int* columns, const double* values, int n);

}  // namespace pliant::doctoring

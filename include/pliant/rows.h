#pragma once
// Constraint rows of a step: memory in Data's arena, arrays from row_fields.def.

#include "pliant/model.h"

namespace pliant {

/// What a row comes from. MuJoCo's numbers (mjtConstraint).
enum class RowType : int {
  kEquality, kFrictionDof, kFrictionTendon, kLimitJoint, kLimitTendon, kContactFrictionless, kContactPyramidal,
  kContactElliptic
};

/// Part of its law a row is in. MuJoCo's numbers (mjtConstraintState).
enum class RowState : int { kSatisfied, kQuadratic, kLinearNeg, kLinearPos, kCone };

/// What was clamped or replaced to get the numbers of a row, as bits of row_clamps.
enum class RowClamp : int {
  kSolrefMixed = 1,      ///< one positive and one negative number in solref: the default was used
  kRefsafe = 2,          ///< timeconst below two timesteps was raised to them
  kImpedance = 4,        ///< d0, dwidth or midpoint of solimp outside [0.0001, 0.9999]
  kWidth = 8,            ///< negative width
  kPower = 16,           ///< power below 1
  kFriction = 32,        ///< friction below 1e-5
  kSolreffriction = 64,  ///< mixed signs in solreffriction: zeros were used
  kRegularizer = 128,    ///< R at its lower bound
};

struct Rows {
  int n = 0;                     ///< nefc
  int ne = 0, nf = 0, nl = 0;    ///< rows of equalities, friction loss and limits; the rest are contacts'
  int nsegment = 0, nentry = 0;
#define FIELD(owner, type, name, count, width, unit, meaning) scalar::type* name = nullptr;
#include "pliant/row_fields.def"
#undef FIELD
};

}  // namespace pliant

#pragma once
// Constraint rows of a step: memory in Data's arena, arrays from row_fields.def and island_fields.def.

#include "pliant/arena.h"
#include "pliant/model.h"

namespace pliant {

/// What a row comes from. MuJoCo's numbers (mjtConstraint).
enum class RowType : int {
  kEquality,
  kFrictionDof,
  kFrictionTendon,
  kLimitJoint,
  kLimitTendon,
  kContactFrictionless,
  kContactPyramidal,
  kContactElliptic
};

/// Part of its law a row is in. MuJoCo's numbers (mjtConstraintState).
enum class RowState : int { kSatisfied, kQuadratic, kLinearNeg, kLinearPos, kCone };

/// What was clamped or replaced to get the numbers of a row, as bits of row_clamps.
enum class RowClamp : int {
  kSolrefMixed = 1,  ///< one positive and one negative number in solref: the default was used
  kRefsafe = 2,      ///< timeconst below two timesteps was raised to them; discrete: h² K d above 1 was lowered to it
  kImpedance = 4,    ///< d0, dwidth or midpoint of solimp outside [0.0001, 0.9999]
  kWidth = 8,        ///< negative width
  kPower = 16,       ///< power below 1
  kFriction = 32,    ///< friction below 1e-5
  kSolreffriction = 64,  ///< mixed signs in solreffriction: zeros were used
  kRegularizer = 128,    ///< R at its lower bound
  kStiffest = 256,       ///< discrete: the row's impedance at the end of the step at its upper bound 0.9999
};
inline constexpr int kNumRowClamps = 9;

/// R: the scalar, double on the CPU.
template <class R>
struct RowsT {
  using Real = R;
  int n = 0;                   ///< nefc
  int ne = 0, nf = 0, nl = 0;  ///< rows of equalities, friction loss and limits; the rest are contacts'
  int nsegment = 0, nentry = 0;
  int row_room = 0, segment_room = 0, entry_room = 0;  ///< what the arrays have room for
#define FIELD(owner, type, name, count, width, layout, unit, meaning) typename Scalars<R>::type* name = nullptr;
#include "pliant/row_fields.def"
#undef FIELD
};
using Rows = RowsT<double>;

/// Room for rows in the arena: counts are zero, arrays point to memory that is not initialised. False if the arena is
/// fixed and full.
bool take_rows(Arena& arena, int nrow, int nsegment, int nentry, Rows& rows);

/// Groups of kinematic trees that constraints connect, numbered by their lowest tree. Each can be solved alone. Trees
/// without rows belong to none (-1). Memory in Data's arena; empty where islands are off.
struct Islands {
  int n = 0;
  int ndof = 0;  ///< dofs in all islands
#define FIELD(owner, type, name, count, width, layout, unit, meaning) scalar::type* name = nullptr;
#include "pliant/island_fields.def"
#undef FIELD
};

}  // namespace pliant

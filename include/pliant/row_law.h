#pragma once
// The penalty of a constraint row.

#include <cstdint>

namespace pliant {

/// What a row costs, as a function of J a - aref; its kind has it (constraint/kinds.def). Formulas: solver/laws_hd.h.
enum class RowLaw : uint8_t {
  kEquality,    ///< quadratic
  kFriction,    ///< quadratic, linear beyond ±bound (Huber)
  kUnilateral,  ///< quadratic where negative: limits, frictionless contacts, edges of friction pyramids
  kElliptic,    ///< cone over the rows of a contact
};

}  // namespace pliant

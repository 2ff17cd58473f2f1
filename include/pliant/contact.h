#pragma once
// A contact: where two geoms touch, and with which parameters they push each other apart. Members from
// contact_fields.def.

#include <type_traits>

namespace pliant {

/// Why a contact has no constraint rows.
enum class ContactExclude : int {
  kNone,        ///< it has rows
  kInGap,       ///< farther away than its margin, found because of its gap
  kNoDofs = 3,  ///< neither side can move
};

/// R: the scalar, double on the CPU.
template <class R>
struct ContactT {
  using Real = R;
  using real = R;
  using i32 = int;
  template <class T, int width>
  using Member = std::conditional_t<width == 1, T, T[width]>;
#define FIELD(owner, type, name, width, unit, meaning) Member<type, width> name;
#include "pliant/contact_fields.def"
#undef FIELD
};
using Contact = ContactT<double>;

}  // namespace pliant

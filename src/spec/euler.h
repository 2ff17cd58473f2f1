#pragma once
// Euler angles in any of MJCF's sequences: lower-case letters turn about moving axes (post-multiply),
// upper-case letters about fixed ones (pre-multiply). The product of three unit quaternions is unit to rounding and
// stays as it is, as in the reference: boxes of flat geoms have sides that tie but for the last bit.

#include <cmath>
#include <string_view>

#include "math/quat.h"

namespace pliant {

inline Quat quat_from_euler(const double (&angles)[3], std::string_view sequence, bool degree) {
  constexpr double kPiEuler = 3.14159265358979323846;
  Quat q;
  for (int i = 0; i < 3; ++i) {
    const double angle = degree ? angles[i] / 180.0 * kPiEuler : angles[i];
    Quat turn{std::cos(angle / 2), 0, 0, 0};
    const double s = std::sin(angle / 2);
    switch (sequence[i]) {
      case 'x':
      case 'X':
        turn.x = s;
        break;
      case 'y':
      case 'Y':
        turn.y = s;
        break;
      default:
        turn.z = s;
        break;
    }
    const bool moving = sequence[i] >= 'a';
    q = moving ? q * turn : turn * q;
  }
  return q;
}

}  // namespace pliant

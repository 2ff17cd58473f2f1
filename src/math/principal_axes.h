#pragma once
// Principal axes and moments of a symmetric 3×3 matrix, to the last bits: cyclic Jacobi rotations until nothing is left
// beside the diagonal. (The compiler's own procedure is the reference's, which stops at angles of 1e-6; its users'
// numbers depend on it.)

#include <algorithm>
#include <cmath>

#include "math/quat.h"

namespace pliant {

/// I = R(axes) diag(moments) R(axes)', moments in descending order.
inline void principal_axes(const double (&full)[3][3], double (&moments)[3], Quat& axes) {
  double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // columns of v: axes
  std::copy(&full[0][0], &full[0][0] + 9, &a[0][0]);
  constexpr int kSweeps = 60;  // five are enough
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    if (a[0][1] == 0 && a[0][2] == 0 && a[1][2] == 0) break;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        // the turn by t = tan φ that makes a[p][q] zero
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1 / std::hypot(t, 1.0), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
          const double vx = v[k][p], vy = v[k][q];
          v[k][p] = c * vx - s * vy, v[k][q] = s * vx + c * vy;
        }
        a[p][q] = a[q][p] = 0;
      }
    }
  }
  int order[3] = {0, 1, 2};
  std::stable_sort(order, order + 3, [&](int i, int j) { return a[i][i] > a[j][j]; });
  double r[3][3];
  for (int k = 0; k < 3; ++k) {
    moments[k] = a[order[k]][order[k]];
    for (int i = 0; i < 3; ++i) r[i][k] = v[i][order[k]];
  }
  const double det = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
                     r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
                     r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
  if (det < 0) {
    for (int i = 0; i < 3; ++i) r[i][2] = -r[i][2];
  }
  // matrix to quaternion, from its largest component
  const double trace[4] = {r[0][0] + r[1][1] + r[2][2], r[0][0] - r[1][1] - r[2][2], r[1][1] - r[0][0] - r[2][2],
                           r[2][2] - r[0][0] - r[1][1]};
  const int most = static_cast<int>(std::max_element(trace, trace + 4) - trace);
  const double w = r[2][1] - r[1][2], x = r[0][2] - r[2][0], y = r[1][0] - r[0][1];
  const double xy = r[0][1] + r[1][0], xz = r[0][2] + r[2][0], yz = r[1][2] + r[2][1], own = 1 + trace[most];
  const Quat q = most == 0   ? Quat{own, w, x, y}
                 : most == 1 ? Quat{w, own, xy, xz}
                 : most == 2 ? Quat{x, xy, own, yz}
                             : Quat{y, xz, yz, own};
  axes = normalized(q);
}

}  // namespace pliant

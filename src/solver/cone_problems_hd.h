#pragma once
// Small problems over one friction cone, for sweeps over contacts: the exact minimum over the whole
// cone (PGS), and over the tangential forces with the normal force held (no-slip).
//
// Whole cone: minimise 1/2 f' A f + c' f over f_0 >= 0, sum (f_j / m_j)^2 <= f_0^2. Scaled by y =
// (f_0, f_j / m_j) the cone is a round one and Q, q take the place of A, c. For a given normal
// force r the best tangent is z = -inv(Q_tt + nu) (q_t + r Q_tn) with the smallest nu >= 0 that
// gives |z| <= r; what remains is a convex function of r with the slope
//
//   phi'(r) = Q_nn r + q_n + Q_tn z - nu r,      phi'(0+) = q_n - |q_t|,
//
// whose root a Newton iteration for r and nu finds, or a bracketed one. So the apex is left whenever that lowers the
// cost, also where the normal residual alone would not ask for it (a sweep that moves normal and tangent one after the
// other stays there for ever). Q_tt is kept by its eigenvectors (Jacobi), so that every trial costs dim divisions.

#include <cmath>

#include "base/hd.h"
#include "solver/cones_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// A block of A, prepared.
template <class R>
struct ConeBlock {
  int dim;
  R scale[kMaxConeDim];                             // 1, m_j
  R normal;                                         // Q_nn
  R value[kMaxConeDim - 1];                         // eigenvalues of Q_tt
  R inverse[kMaxConeDim - 1];                       // 1 / value
  R vector[(kMaxConeDim - 1) * (kMaxConeDim - 1)];  // rows: its eigenvectors
  R coupling[kMaxConeDim - 1];                      // Q_tn in that basis
  R share[kMaxConeDim - 1];                         // coupling / value
  R inside;                                         // Q_nn without what the best tangent takes of it
  R nu;                                             // of the last answer on the surface: where to look for the next
};

/// Eigenvalues and eigenvectors (rows of `vectors`) of a symmetric n x n matrix, which is spent.
/// Jacobi rotations.
template <class R>
PLIANT_HD void eigen_symmetric(int n, R* a, R* values, R* vectors) {
  for (int i = 0; i < n * n; ++i) vectors[i] = i % (n + 1) == 0;
  const int kMaxSweeps = 30;  // 4 to 6 are enough for n = 5
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    R off = 0, diagonal = 0;
    for (int i = 0; i < n; ++i) {
      diagonal += a[i * n + i] * a[i * n + i];
      for (int j = 0; j < i; ++j) off += a[i * n + j] * a[i * n + j];
    }
    if (!(off > R(1e-40) * diagonal)) break;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        if (a[p * n + q] == 0) continue;
        const R theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
        const R t = (theta >= 0 ? R(1) : R(-1)) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const R c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < n; ++k) {
          const R x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - s * y;
          a[k * n + q] = s * x + c * y;
        }
        for (int k = 0; k < n; ++k) {
          const R x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - s * y;
          a[q * n + k] = s * x + c * y;
          const R u = vectors[p * n + k], v = vectors[q * n + k];
          vectors[p * n + k] = c * u - s * v;
          vectors[q * n + k] = s * u + c * v;
        }
      }
    }
  }
  for (int i = 0; i < n; ++i) values[i] = a[i * n + i];
}

/// A: dim x dim, positive definite.
template <class R>
PLIANT_HD void prepare_cone_block(int dim, const R* A, const R* friction, ConeBlock<R>& block) {
  const int n = dim - 1;
  block.dim = dim;
  block.scale[0] = 1;
  for (int j = 1; j < dim; ++j) block.scale[j] = friction[j - 1];
  block.normal = A[0];
  R tangential[(kMaxConeDim - 1) * (kMaxConeDim - 1)];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      tangential[i * n + j] = A[(i + 1) * dim + j + 1] * block.scale[i + 1] * block.scale[j + 1];
  }
  eigen_symmetric(n, tangential, block.value, block.vector);
  for (int i = 0; i < n; ++i) {
    R sum = 0;
    for (int j = 0; j < n; ++j) sum = mul_add(block.vector[i * n + j], A[j + 1] * block.scale[j + 1], sum);
    block.coupling[i] = sum;
  }
  block.inside = block.normal;
  block.nu = 0;
  for (int i = 0; i < n; ++i) {
    block.inverse[i] = 1 / block.value[i];
    block.share[i] = block.coupling[i] * block.inverse[i];
    block.inside -= block.coupling[i] * block.share[i];
  }
}

/// The best tangent (eigenbasis) at normal force r: z, nu, slope and curvature of phi. `nu` is its
/// first guess on entry.
template <class R>
struct ConeTangent {
  R z[kMaxConeDim - 1];
  R nu, slope, curvature;
};
template <class R>
PLIANT_HD void best_tangent(const ConeBlock<R>& b, R q_normal, const R* q, R r, ConeTangent<R>& t) {
  const int n = b.dim - 1;
  const int kMaxIterations = 50;  // 2 to 5 are usual: Newton for 1 / |z| is monotone from the left
  R squares = 0, falling = 0;     // |z|^2, sum z^2 / (value + nu)
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    squares = falling = 0;
    for (int i = 0; i < n; ++i) {
      const R inverse = 1 / (b.value[i] + t.nu);
      t.z[i] = -(q[i] + r * b.coupling[i]) * inverse;
      squares += t.z[i] * t.z[i];
      falling += t.z[i] * t.z[i] * inverse;
    }
    const R length = std::sqrt(squares);
    if (length <= r && t.nu == 0) break;
    const R next = t.nu + (length / r - 1) * squares / falling;
    const R before = t.nu;
    t.nu = next > 0 ? next : R(0);
    if (std::fabs(t.nu - before) <= R(4e-16) * t.nu) break;
  }
  t.slope = b.normal * r + q_normal - t.nu * r;
  t.curvature = b.normal - t.nu;
  R bent = 0, stiff = 0, along = 0;  // over i: g^2 / (v + nu), z^2 / (v + nu), z g / (v + nu)
  for (int i = 0; i < n; ++i) {
    const R inverse = 1 / (b.value[i] + t.nu), g = b.coupling[i];
    t.slope = mul_add(g, t.z[i], t.slope);
    bent += g * g * inverse;
    stiff += t.z[i] * t.z[i] * inverse;
    along += t.z[i] * g * inverse;
  }
  t.curvature -= bent;
  // with nu > 0 the tangent stays on the cone: dnu/dr = -(r + along) / stiff, dz/dr = -(g + dnu/dr
  // z) / (value + nu)
  if (t.nu > 0 && stiff > 0) t.curvature += (r + along) * (r + along) / stiff;
}

/// Normal force and multiplier of a point on the surface, both at once, by Newton from a guess of both (r > 0, nu >=
/// 0): 1 / |z| = 1 / r, which is nearly linear in nu, and phi'(r) = 0. From a near guess, as the last visit of a
/// contact leaves it, two or three steps. False: it leads nowhere from there.
template <int kTangents, class R>
PLIANT_HD bool find_surface(const ConeBlock<R>& b, R q_normal, const R* q, R& r, R& nu, R* z) {
  constexpr int kMaxSteps = 12;
  constexpr R kNear = sizeof(R) == 8 ? R(1e-12) : R(1e-5);  // the next step would be far below it
  const int n = kTangents > 0 ? kTangents : b.dim - 1;
  bool near = false;
  for (int step = 0; step <= kMaxSteps; ++step) {
    R squares = 0, stiff = 0, along = 0, bent = 0, slope = (b.normal - nu) * r + q_normal;
    for (int i = 0; i < n; ++i) {
      const R g = b.coupling[i], inverse = 1 / (b.value[i] + nu);
      z[i] = -(q[i] + r * g) * inverse;
      const R bend = z[i] * inverse;
      squares = mul_add(z[i], z[i], squares);
      stiff = mul_add(z[i], bend, stiff);
      along = mul_add(g, bend, along);
      bent = mul_add(g * g, inverse, bent);
      slope = mul_add(g, z[i], slope);
    }
    if (near) return true;
    const R stretch = std::sqrt(squares) / r, soft = (along + r) / stiff;
    const R miss = squares * (1 - stretch), tilt = mul_add(squares / r, stretch, along);
    const R curvature = b.normal - nu - bent + soft * tilt;
    if (!(stiff > 0) || !(curvature > 0)) return false;
    R change = -(slope + soft * miss) / curvature, next = nu - (miss + tilt * change) / stiff;
    near = std::fabs(change) <= kNear * r && std::fabs(next - nu) <= kNear * (next + b.value[0]);
    // beyond the bounds: half the way to them
    if (!(r + change > 0)) change = -r / 2;
    if (!(next >= 0)) next = nu / 2;
    r += change;
    nu = next;
  }
  return false;
}

/// The same by a bracketed search for the root of the slope, from any guess.
template <class R>
PLIANT_HD_NOINLINE void search_surface(const ConeBlock<R>& b, R q_normal, const R* q, R& r, R& nu, R* z) {
  ConeTangent<R> t{};
  R low = 0, high = 0;  // high = 0: no upper end yet
  const int kMaxIterations = 100;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    best_tangent(b, q_normal, q, r, t);
    if (t.slope == 0) break;
    (t.slope < 0 ? low : high) = r;
    R next = r - t.slope / t.curvature;
    if (!(next > low)) next = high > 0 ? (low + high) / 2 : 2 * r;
    if (high > 0 && !(next < high)) next = (low + high) / 2;
    const R change = std::fabs(next - r);
    if (!(next > 0) || !(next < R(1e300))) break;
    r = next;
    if (change <= R(4e-16) * r) break;
  }
  best_tangent(b, q_normal, q, r, t);
  nu = t.nu;
  for (int i = 0; i < b.dim - 1; ++i) z[i] = t.z[i];
}

/// f becomes the minimum over the cone; on entry it is a guess. kTangents: b.dim - 1, or 0 if that is not known.
template <int kTangents = 0, class R>
PLIANT_HD_NOINLINE void solve_cone_block(ConeBlock<R>& b, const R* c, R* f) {
  const int n = kTangents > 0 ? kTangents : b.dim - 1;
  R scaled[kMaxConeDim - 1], q[kMaxConeDim - 1], z[kMaxConeDim - 1], squares = 0;
  for (int j = 0; j < n; ++j) {
    scaled[j] = c[j + 1] * b.scale[j + 1];
    squares += scaled[j] * scaled[j];
  }
  // apex
  if (c[0] >= 0 && c[0] * c[0] >= squares) {
    for (int j = 0; j <= n; ++j) f[j] = 0;
    return;
  }
  R top = -c[0];
  for (int i = 0; i < n; ++i) {
    q[i] = 0;
    for (int j = 0; j < n; ++j) q[i] = mul_add(b.vector[i * n + j], scaled[j], q[i]);
    top = mul_add(b.share[i], q[i], top);
  }
  // inside the cone
  R r = 0, norm = 0;
  bool done = false;
  if (b.inside > 0 && top > 0) {
    r = top / b.inside;
    for (int i = 0; i < n; ++i) {
      z[i] = -(q[i] + r * b.coupling[i]) * b.inverse[i];
      norm = mul_add(z[i], z[i], norm);
    }
    done = norm <= r * r;
  }
  // on its surface
  if (!done) {
    r = f[0];
    if (!(r > 0)) {
      // the best point of the ray on the surface that falls most steeply
      const R length = std::sqrt(squares);
      R curvature = b.normal;
      for (int i = 0; i < n && length > 0; ++i) {
        const R u = -q[i] / length;
        curvature += u * (2 * b.coupling[i] + b.value[i] * u);
      }
      r = (length - c[0]) / curvature;
    }
    const R guess = r;
    if (!find_surface<kTangents>(b, c[0], static_cast<const R*>(q), r, b.nu, z)) {
      r = guess;
      search_surface(b, c[0], static_cast<const R*>(q), r, b.nu, z);
    }
    norm = 0;
    for (int i = 0; i < n; ++i) norm = mul_add(z[i], z[i], norm);
  }
  // back to forces; rounding must not leave the cone
  const R shrink = norm > r * r ? r / std::sqrt(norm) : R(1);
  f[0] = r;
  for (int j = 0; j < n; ++j) {
    R sum = 0;
    for (int i = 0; i < n; ++i) sum = mul_add(b.vector[i * n + j], z[i], sum);
    f[j + 1] = sum * shrink * b.scale[j + 1];
  }
}

/// Minimises 1/2 x' A x + x' b subject to sum (x_i / d_i)^2 <= r^2, n <= 5, as the reference does,
/// so that no-slip gives its numbers: Newton on the multiplier from 0, at most 20 iterations.
/// Returns whether the bound holds x back; a singular matrix gives x = 0.
template <class R>
PLIANT_HD_NOINLINE bool solve_qcqp(int n, const R* A, const R* b, const R* d, R r, R* x) {
  const R kSmall = R(1e-10);  // the reference's, for determinants, pivots and steps
  R matrix[25], right[5], factor[25], v[5], w[5], lambda = 0;
  for (int i = 0; i < n; ++i) {
    right[i] = b[i] * d[i];
    x[i] = 0;
    for (int j = 0; j < n; ++j) matrix[i * n + j] = A[i * n + j] * d[i] * d[j];
  }
  for (int iteration = 0; iteration < 20; ++iteration) {
    // A + lambda = L L'
    R determinant = 1;
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) {
        R sum = matrix[i * n + j] + (i == j ? lambda : 0);
        for (int k = 0; k < j; ++k) sum -= factor[i * n + k] * factor[j * n + k];
        if (i == j) {
          determinant *= sum;
          if (sum < (n > 3 ? kSmall : R(kTiny * kTiny))) return false;
          factor[j * n + j] = std::sqrt(sum);
        } else {
          factor[i * n + j] = sum / factor[j * n + j];
        }
      }
    }
    if (n <= 3 && determinant < kSmall) return false;
    // v = -inv(A + lambda) b, w = inv(L) v
    const auto forward = [&](const R* from, R* to) {
      for (int i = 0; i < n; ++i) {
        R sum = from[i];
        for (int k = 0; k < i; ++k) sum -= factor[i * n + k] * to[k];
        to[i] = sum / factor[i * n + i];
      }
    };
    forward(right, v);
    R squares = 0, slope = 0;
    for (int i = n - 1; i >= 0; --i) {
      R sum = v[i];
      for (int k = i + 1; k < n; ++k) sum -= factor[k * n + i] * v[k];
      v[i] = sum / factor[i * n + i];
    }
    for (int i = 0; i < n; ++i) v[i] = -v[i], squares += v[i] * v[i];
    const R excess = squares - r * r;
    if (excess < kSmall) break;
    forward(v, w);
    for (int i = 0; i < n; ++i) slope -= 2 * w[i] * w[i];
    const R step = -excess / slope;
    if (step < kSmall) break;
    lambda += step;
  }
  for (int i = 0; i < n; ++i) x[i] = v[i] * d[i];
  return lambda != 0;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant

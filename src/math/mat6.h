#pragma once
// 6x6 matrices over spatial vectors [angular, linear], and matrices made from vectors.

#include "math/spatial.h"

namespace pliant {

/// [a]×: skew(a) b = a × b.
template <class R>
PLIANT_HD Mat3T<R> skew(Vec3T<R> a) {
  return {{0, -a.z, a.y, a.z, 0, -a.x, -a.y, a.x, 0}};
}
/// a b'.
template <class R>
PLIANT_HD Mat3T<R> outer(Vec3T<R> a, Vec3T<R> b) {
  return {{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z}};
}
template <class R>
PLIANT_HD Mat3T<R> diagonal(Vec3T<R> a) {
  return {{a.x, 0, 0, 0, a.y, 0, 0, 0, a.z}};
}
template <class R>
PLIANT_HD Mat3T<R> operator+(const Mat3T<R>& a, const Mat3T<R>& b) {
  Mat3T<R> c;
  for (int i = 0; i < 9; ++i) c.m[i] = a.m[i] + b.m[i];
  return c;
}
template <class R>
PLIANT_HD Mat3T<R> operator-(const Mat3T<R>& a, const Mat3T<R>& b) {
  Mat3T<R> c;
  for (int i = 0; i < 9; ++i) c.m[i] = a.m[i] - b.m[i];
  return c;
}
template <class R>
PLIANT_HD Mat3T<R> operator*(const Mat3T<R>& a, R s) {
  Mat3T<R> c;
  for (int i = 0; i < 9; ++i) c.m[i] = a.m[i] * s;
  return c;
}

template <class Real>
struct Mat6T {
  Real m[36] = {};
  PLIANT_HD Real& operator()(int r, int c) { return m[6 * r + c]; }
  PLIANT_HD const Real& operator()(int r, int c) const { return m[6 * r + c]; }

  /// One of the four 3x3 blocks.
  PLIANT_HD Mat3T<Real> block(int r, int c) const {
    Mat3T<Real> b;
    for (int i = 0; i < 9; ++i) b.m[i] = m[6 * (3 * r + i / 3) + 3 * c + i % 3];
    return b;
  }
  PLIANT_HD void add_block(int r, int c, const Mat3T<Real>& b) {
    for (int i = 0; i < 9; ++i) m[6 * (3 * r + i / 3) + 3 * c + i % 3] += b.m[i];
  }
};

template <class R>
PLIANT_HD SpatialT<R> operator*(const Mat6T<R>& a, SpatialT<R> x) {
  R y[6];
  for (int i = 0; i < 6; ++i) {
    const R* row = a.m + 6 * i;
    y[i] =
        row[0] * x.ang.x + row[1] * x.ang.y + row[2] * x.ang.z + row[3] * x.lin.x + row[4] * x.lin.y + row[5] * x.lin.z;
  }
  return {{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
}
template <class R>
PLIANT_HD Mat6T<R> transpose(const Mat6T<R>& a) {
  Mat6T<R> b;
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) b(r, c) = a(c, r);
  }
  return b;
}
template <class R>
PLIANT_HD Mat6T<R> symmetric_part(const Mat6T<R>& a) {
  Mat6T<R> b;
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) b(r, c) = (a(r, c) + a(c, r)) / 2;
  }
  return b;
}

/// A map from velocity to force, both in the axes `axes` at the point `offset`, as a map between
/// vectors about the reference point in world axes. With B its blocks in world axes and [o]× of the
/// offset:
///   [Baa + [o] Bla - (Bal + [o] Bll) [o],  Bal + [o] Bll]
///   [Bla - Bll [o],                        Bll          ]
template <class R>
PLIANT_HD Mat6T<R> moved_to_reference(const Mat6T<R>& a, const Mat3T<R>& axes, Vec3T<R> offset) {
  const Mat3T<R> back = transpose(axes), o = skew(offset);
  const Mat3T<R> ll = axes * a.block(1, 1) * back, la = axes * a.block(1, 0) * back;
  const Mat3T<R> al = axes * a.block(0, 1) * back + o * ll;
  Mat6T<R> b;
  b.add_block(0, 0, axes * a.block(0, 0) * back + o * la - al * o);
  b.add_block(0, 1, al);
  b.add_block(1, 0, la - ll * o);
  b.add_block(1, 1, ll);
  return b;
}

/// x becomes the solution of a x = x, by elimination with row exchanges; `a` is overwritten. If the
/// matrix is singular, x is left as it was and the answer is false.
template <class R>
PLIANT_HD bool solve_lu(Mat6T<R>& a, R (&x)[6]) {
  R y[6];
  for (int i = 0; i < 6; ++i) y[i] = x[i];
  for (int k = 0; k < 6; ++k) {
    int pivot = k;
    for (int r = k + 1; r < 6; ++r) {
      if (abs(a(r, k)) > abs(a(pivot, k))) pivot = r;
    }
    if (a(pivot, k) == 0) return false;
    if (pivot != k) {
      for (int c = k; c < 6; ++c) {
        const R t = a(k, c);
        a(k, c) = a(pivot, c), a(pivot, c) = t;
      }
      const R t = y[k];
      y[k] = y[pivot], y[pivot] = t;
    }
    const R scale = 1 / a(k, k);
    for (int r = k + 1; r < 6; ++r) {
      const R factor = a(r, k) * scale;
      if (factor == 0) continue;
      for (int c = k + 1; c < 6; ++c) a(r, c) -= factor * a(k, c);
      y[r] -= factor * y[k];
    }
  }
  for (int i = 5; i >= 0; --i) {
    for (int c = i + 1; c < 6; ++c) y[i] -= a(i, c) * y[c];
    y[i] /= a(i, i);
  }
  for (int i = 0; i < 6; ++i) x[i] = y[i];
  return true;
}

}  // namespace pliant

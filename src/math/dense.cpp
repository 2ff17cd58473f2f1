// Dense kernels: tiles of 12, 8 or 4 rows by 4 columns are held in registers while the inner index
// runs.

#include "math/dense.h"

#include <cmath>

#include "math/four.h"

namespace pliant {
namespace {

/// tile[q][v] = sum over k of a[4 v + lane, k] b[q, k]: columns are `stride_a` and `stride_b`
/// apart.
template <int V>
[[gnu::always_inline]] inline void multiply_tile(const double* a, int stride_a, const double* b, int stride_b,
                                                 int inner, Four (&tile)[4][V]) {
  for (int q = 0; q < 4; ++q) {
    for (int v = 0; v < V; ++v) tile[q][v] = Four(0.0);
  }
  for (int k = 0; k < inner; ++k) {
    Four left[V];
    for (int v = 0; v < V; ++v) left[v] = Four::load(a + 4 * v);
    for (int q = 0; q < 4; ++q) {
      const Four right(b[q]);
      for (int v = 0; v < V; ++v) tile[q][v] = mul_add(left[v], right, tile[q][v]);
    }
    a += stride_a;
    b += stride_b;
  }
}

/// Calls f.template operator()<V>(row) for row = first … rows - 1 in tiles of 4 V rows.
template <class F>
[[gnu::always_inline]] inline void for_tiles(int first, int rows, F f) {
  int i = first;
  for (; i + 12 <= rows; i += 12) f.template operator()<3>(i);
  if (i + 8 <= rows) {
    f.template operator()<2>(i);
    i += 8;
  }
  if (i + 4 <= rows) f.template operator()<1>(i);
}

/// Rows of four columns of a panel, `row` and below: minus what the columns before them contribute.
template <int V>
[[gnu::always_inline]] inline void reduced_tile(const double* panel, int stride, int row, int column,
                                                Four (&tile)[4][V]) {
  multiply_tile<V>(panel + row, stride, panel + column, stride, column, tile);
  for (int q = 0; q < 4; ++q) {
    for (int v = 0; v < V; ++v) tile[q][v] = Four::load(panel + (column + q) * stride + row + 4 * v) - tile[q][v];
  }
}

template <int V>
[[gnu::always_inline]] inline void store_tile(double* to, int stride, const Four (&tile)[4][V]) {
  for (int q = 0; q < 4; ++q) {
    for (int v = 0; v < V; ++v) tile[q][v].store(to + q * stride + 4 * v);
  }
}

/// Cholesky of four columns at the diagonal. Returns the first bad pivot of the four, -1 if none. Pivots wait for one
/// another: so from one to the next there is a division only, and the roots come after it.
int factor_corner(double* corner, int stride, double smallest, double* inverse) {
  int bad = -1;
  double u[4][4], pivot[4], inverse_pivot[4];  // columns before they are divided by the root of their pivot
  // (unrolled, so that all of it stays in registers)
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
#pragma GCC unroll 4
    for (int i = j; i < 4; ++i) u[j][i] = corner[j * stride + i];
  }
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    const bool good = u[j][j] > smallest;
    bad = good || bad >= 0 ? bad : j;
    pivot[j] = good ? u[j][j] : smallest;
    inverse_pivot[j] = 1 / pivot[j];
#pragma GCC unroll 4
    for (int k = j + 1; k < 4; ++k) {
      const double factor = u[j][k] * inverse_pivot[j];
#pragma GCC unroll 4
      for (int i = k; i < 4; ++i) u[k][i] = mul_add(-factor, u[j][i], u[k][i]);
    }
  }
  const double root[4] = {std::sqrt(inverse_pivot[0]), std::sqrt(inverse_pivot[1]), std::sqrt(inverse_pivot[2]),
                          std::sqrt(inverse_pivot[3])};
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    inverse[j] = root[j];
    corner[j * stride + j] = pivot[j] * root[j];
#pragma GCC unroll 4
    for (int i = j + 1; i < 4; ++i) corner[j * stride + i] = u[j][i] * root[j];
  }
  return bad;
}

}  // namespace

// ---- packed rows -------------------------------------------------------------------------------

namespace {

/// Products of R rows of J with x.
template <int R>
[[gnu::always_inline]] inline void some_rows_times(const double* J, int width, int stride, const double* x,
                                                   Four (&total)[R]) {
  for (int r = 0; r < R; ++r) total[r] = Four(0.0);
  int c = 0;
  for (; c + 4 <= width; c += 4) {
    const Four four = Four::load(x + c);
    for (int r = 0; r < R; ++r) total[r] = mul_add(Four::load(J + r * stride + c), four, total[r]);
  }
  if (c < width) {
    const Four four = Four::load_part(x + c, width - c);
    for (int r = 0; r < R; ++r) total[r] = mul_add(Four::load_part(J + r * stride + c, width - c), four, total[r]);
  }
}

}  // namespace

void rows_times(const double* J, int rows, int width, int stride, const double* x, double* out) {
  int r = 0;
  for (; r + 4 <= rows; r += 4) {
    Four t[4];
    some_rows_times<4>(J + r * stride, width, stride, x, t);
    sums(t[0], t[1], t[2], t[3]).store(out + r);
  }
  if (r + 2 <= rows) {
    Four t[2];
    some_rows_times<2>(J + r * stride, width, stride, x, t);
    out[r] = sum(t[0]);
    out[r + 1] = sum(t[1]);
    r += 2;
  }
  if (r < rows) {
    Four t[1];
    some_rows_times<1>(J + r * stride, width, stride, x, t);
    out[r] = sum(t[0]);
  }
}

void rows_times(const double* J, int rows, int width, const double* x, double* out) {
  rows_times(J, rows, width, width, x, out);
}

void add_rows_transposed_times(const double* J, int rows, int width, const double* f, double* out) {
  for (int c = 0; c < width; c += 4) {
    Four total = Four::load(out + c);
    const int left = width - c;
    if (left >= 4) {
      for (int r = 0; r < rows; ++r) total = mul_add(Four::load(J + r * width + c), Four(f[r]), total);
    } else {
      for (int r = 0; r < rows; ++r) total = mul_add(Four::load_part(J + r * width + c, left), Four(f[r]), total);
    }
    total.store(out + c);
  }
}

double dot(const double* x, const double* y, int n) {
  Four a(0.0), b(0.0);
  int c = 0;
  for (; c + 8 <= n; c += 8) {
    a = mul_add(Four::load(x + c), Four::load(y + c), a);
    b = mul_add(Four::load(x + c + 4), Four::load(y + c + 4), b);
  }
  if (c + 4 <= n) {
    a = mul_add(Four::load(x + c), Four::load(y + c), a);
    c += 4;
  }
  double total = sum(a + b);
  for (; c < n; ++c) total = mul_add(x[c], y[c], total);
  return total;
}

void add_scaled(double* y, const double* x, double a, int n) {
  int c = 0;
  for (const Four four(a); c + 4 <= n; c += 4) mul_add(Four::load(x + c), four, Four::load(y + c)).store(y + c);
  for (; c < n; ++c) y[c] = mul_add(x[c], a, y[c]);
}

namespace {

/// Q columns of 4 V rows, of which the last four are `last` only.
template <int Q, int V>
[[gnu::always_inline]] inline void add_products_tile(const double* a, const double* b, int rows, int width, int last,
                                                     double* out, int stride) {
  Four tile[Q][V];
  for (int q = 0; q < Q; ++q) {
    for (int v = 0; v < V; ++v) tile[q][v] = Four(0.0);
  }
  for (int r = 0; r < rows; ++r) {
    Four left[V];
    for (int v = 0; v + 1 < V; ++v) left[v] = Four::load(a + 4 * v);
    left[V - 1] = last == 4 ? Four::load(a + 4 * (V - 1)) : Four::load_part(a + 4 * (V - 1), last);
    for (int q = 0; q < Q; ++q) {
      const Four right(b[q]);
      for (int v = 0; v < V; ++v) tile[q][v] = mul_add(left[v], right, tile[q][v]);
    }
    a += width;
    b += width;
  }
  for (int q = 0; q < Q; ++q) {
    for (int v = 0; v < V; ++v) {
      double* to = out + q * stride + 4 * v;
      (Four::load(to) + tile[q][v]).store(to);
    }
  }
}

/// Q columns of all rows.
template <int Q>
void add_products_columns(const double* a, const double* b, int rows, int width, int height, double* out, int stride) {
  int i = 0;
  for (; height - i > 8; i += 12) {
    const int last = height - i < 12 ? height - i - 8 : 4;
    add_products_tile<Q, 3>(a + i, b, rows, width, last, out + i, stride);
  }
  if (const int left = height - i; left > 4) {
    add_products_tile<Q, 2>(a + i, b, rows, width, left - 4, out + i, stride);
  } else if (left > 0) {
    add_products_tile<Q, 1>(a + i, b, rows, width, left, out + i, stride);
  }
}

}  // namespace

void add_products(const double* A, const double* B, int rows, int width, int height, int columns, bool triangle,
                  double* out, int stride) {
  for (int j = 0; j < columns; j += 4) {
    const int i = triangle ? j : 0, left = columns - j;
    const auto add = left >= 4   ? add_products_columns<4>
                     : left == 3 ? add_products_columns<3>
                     : left == 2 ? add_products_columns<2>
                                 : add_products_columns<1>;
    add(A + i, B + j, rows, width, height - i, out + j * stride + i, stride);
  }
}

// ---- panels ------------------------------------------------------------------------------------

int factor_panel(double* panel, int stride, int columns, int rows, double smallest, double* inverse) {
  int bad = -1;
  for (int j = 0; j < padded(columns); j += 4) {
    double* corner = panel + j * stride + j;
    Four diagonal[4][1];
    reduced_tile<1>(panel, stride, j, j, diagonal);
    store_tile<1>(corner, stride, diagonal);
    const int found = factor_corner(corner, stride, smallest, inverse + j);
    if (found >= 0 && bad < 0) bad = j + found;
    // the rows below: X L44' = reduced tile
    const Four l10(corner[1]), l20(corner[2]), l30(corner[3]), l21(corner[stride + 2]), l31(corner[stride + 3]);
    const Four l32(corner[2 * stride + 3]), i0(inverse[j]), i1(inverse[j + 1]), i2(inverse[j + 2]), i3(inverse[j + 3]);
    for_tiles(j + 4, rows, [&]<int V>(int row) {
      Four t[4][V];
      reduced_tile<V>(panel, stride, row, j, t);
      for (int v = 0; v < V; ++v) {
        t[0][v] = t[0][v] * i0;
        t[1][v] = mul_subtract(t[0][v], l10, t[1][v]) * i1;
        t[2][v] = mul_subtract(t[1][v], l21, mul_subtract(t[0][v], l20, t[2][v])) * i2;
        t[3][v] = mul_subtract(t[2][v], l32, mul_subtract(t[1][v], l31, mul_subtract(t[0][v], l30, t[3][v]))) * i3;
      }
      store_tile<V>(panel + j * stride + row, stride, t);
    });
  }
  return bad;
}

void square_of_rows(const double* below, int stride, int columns, int rows, double* out, int out_stride) {
  for (int j = 0; j < rows; j += 4) {
    for_tiles(j, rows, [&]<int V>(int row) {
      Four t[4][V];
      multiply_tile<V>(below + row, stride, below + j, stride, columns, t);
      store_tile<V>(out + j * out_stride + row, out_stride, t);
    });
  }
}

void solve_panel_forward(const double* panel, int stride, int columns, int rows, const double* inverse, double* x,
                         double* tail) {
  const int n = padded(columns);
  for (int j = 0; j < n; j += 4) {
    // x_j = (b_j - sum of l_jk x_k) / l_jj; what does not wait for an x is multiplied first
    const double* l = panel + j * stride + j;
    const double i1 = inverse[j + 1], i2 = inverse[j + 2], i3 = inverse[j + 3];
    const double x0 = x[j] * inverse[j];
    const double x1 = mul_add(-l[1] * i1, x0, x[j + 1] * i1);
    const double x2 = mul_add(-l[stride + 2] * i2, x1, mul_add(-l[2] * i2, x0, x[j + 2] * i2));
    const double x3 =
        mul_add(-l[2 * stride + 3] * i3, x2, mul_add(-l[stride + 3] * i3, x1, mul_add(-l[3] * i3, x0, x[j + 3] * i3)));
    Four(x0, x1, x2, x3).store(x + j);
    const Four y0(x0), y1(x1), y2(x2), y3(x3);
    const double* c = panel + j * stride;
    const auto reduce = [&](int row, double* to) {
      Four t = mul_subtract(Four::load(c + row), y0, Four::load(to));
      t = mul_subtract(Four::load(c + stride + row), y1, t);
      t = mul_subtract(Four::load(c + 2 * stride + row), y2, t);
      mul_subtract(Four::load(c + 3 * stride + row), y3, t).store(to);
    };
    for (int i = j + 4; i < n; i += 4) reduce(i, x + i);
    for (int i = n; i < rows; i += 4) reduce(i, tail + i - n);
  }
}

void solve_panel_backward(const double* panel, int stride, int columns, int rows, const double* inverse, double* x,
                          const double* tail) {
  const int n = padded(columns);
  for (int j = n - 4; j >= 0; j -= 4) {
    Four t[4] = {Four(0.0), Four(0.0), Four(0.0), Four(0.0)};
    const double* c = panel + j * stride;
    const auto collect = [&](int row, const double* from) {
      const Four y = Four::load(from);
      for (int q = 0; q < 4; ++q) t[q] = mul_add(Four::load(c + q * stride + row), y, t[q]);
    };
    for (int i = j + 4; i < n; i += 4) collect(i, x + i);
    for (int i = n; i < rows; i += 4) collect(i, tail + i - n);
    double s[4];
    (Four::load(x + j) - sums(t[0], t[1], t[2], t[3])).store(s);
    const double* l = panel + j * stride + j;
    const double i0 = inverse[j], i1 = inverse[j + 1], i2 = inverse[j + 2];
    const double x3 = s[3] * inverse[j + 3];
    const double x2 = mul_add(-l[2 * stride + 3] * i2, x3, s[2] * i2);
    const double x1 = mul_add(-l[stride + 2] * i1, x2, mul_add(-l[stride + 3] * i1, x3, s[1] * i1));
    const double x0 = mul_add(-l[1] * i0, x1, mul_add(-l[2] * i0, x2, mul_add(-l[3] * i0, x3, s[0] * i0)));
    // (stored together, as they are loaded: a load of what was stored in pieces waits for all of them)
    Four(x0, x1, x2, x3).store(x + j);
  }
}

bool update_panel(double* panel, int stride, int columns, int rows, double& weight, double smallest_ratio,
                  double* inverse, double* x) {
  // L = U sqrt(D) with ones on the diagonal of U, and so far U D U' + weight x x' is what is left to factor. Column k:
  //   d <- d_k + weight x_k^2,   x_i <- x_i - x_k U_ik,   U_ik <- U_ik + weight x_k / d x_i,   weight <- weight d_k / d
  // (from column to column there is a division, and no root: Gill et al., Methods for Modifying Matrix Factorizations)
  for (int k = 0; k < columns; ++k) {
    if (x[k] == 0) continue;
    double* column = panel + k * stride;
    const double before = column[k] * column[k], at = x[k], weighted = weight * at;
    const double now = mul_add(weighted, at, before);
    if (!(now > smallest_ratio * before)) return false;
    const double inverse_now = 1 / now, inverse_root = std::sqrt(inverse_now), root = now * inverse_root;
    weight *= before * inverse_now;
    const Four slope(at * inverse[k]), keep(inverse[k] * root), add(weighted * inverse_root);
    // from the block of four that holds row k: what is above it has no meaning
    for (int i = k & ~3; i < rows; i += 4) {
      const Four l = Four::load(column + i), rest = mul_subtract(slope, l, Four::load(x + i));
      rest.store(x + i);
      mul_add(add, rest, keep * l).store(column + i);
    }
    column[k] = root;
    inverse[k] = inverse_root;
  }
  return true;
}

}  // namespace pliant

#pragma once
// Dense kernels for matrices of a dozen to a few hundred rows: products with packed rows, Cholesky
// of panels, products of panels, rank-1 updates, triangular solves. Every sum has a fixed order.
//
// A panel is a matrix stored by columns, `stride` numbers apart, stride and number of rows
// multiples of four, aligned to 32 bytes. Its first `columns` rows are a lower triangle (what is
// above the diagonal has no meaning), the rest lies below. Columns are padded to a multiple of
// four, too: padding has 1 on the diagonal and 0 elsewhere.

namespace pliant {

constexpr int padded(int n) { return (n + 3) & ~3; }

/// out[r] = sum over c of J[r width + c] x[c].
void rows_times(const double* J, int rows, int width, const double* x, double* out);
/// The same where rows of J begin `stride` numbers apart.
void rows_times(const double* J, int rows, int width, int stride, const double* x, double* out);
/// out[c] += sum over r of J[r width + c] f[r]; out has room for padded(width).
void add_rows_transposed_times(const double* J, int rows, int width, const double* f, double* out);
double dot(const double* x, const double* y, int n);
/// y += a x.
void add_scaled(double* y, const double* x, double a, int n);

/// out[j stride + i] += sum over r of A[r width + i] B[r width + j] for i < height, j < columns; with `triangle` only
/// for i >= j, and for what shares blocks of four with the diagonal. Rows from height up to padded(height) get zeros
/// added.
void add_products(const double* A, const double* B, int rows, int width, int height, int columns, bool triangle,
                  double* out, int stride);

/// In place: the triangle becomes L with A = L L', the rows below become A L^-T. inverse[k] = 1 /
/// L_kk. Returns the first column whose pivot is not above `smallest`, -1 if all are.
int factor_panel(double* panel, int stride, int columns, int rows, double smallest, double* inverse);

/// out (rows x rows, lower triangle by blocks of four, `out_stride` apart) = B B', B = `below` with
/// so many columns.
void square_of_rows(const double* below, int stride, int columns, int rows, double* out, int out_stride);

/// x (padded columns) becomes inv(L) x, then tail -= B x, B being the rows below the triangle.
void solve_panel_forward(const double* panel, int stride, int columns, int rows, const double* inverse, double* x,
                         double* tail);
/// x becomes inv(L') (x - B' tail).
void solve_panel_backward(const double* panel, int stride, int columns, int rows, const double* inverse, double* x,
                          const double* tail);

/// L L' + weight x x' = new L L', x has as many numbers as the panel has rows; afterwards x and weight are what is left
/// for the panels that the rows below its triangle stand for. False if a pivot of a downdate (weight < 0) would lose
/// more than `smallest_ratio` allows; the panel is then worthless.
bool update_panel(double* panel, int stride, int columns, int rows, double& weight, double smallest_ratio,
                  double* inverse, double* x);

}  // namespace pliant

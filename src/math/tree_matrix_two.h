#pragma once
// Solves with the factors of tree_matrix.h for two right sides at once.

#include "math/tree_matrix.h"

namespace pliant {

/// x and y become M⁻¹ x and M⁻¹ y, each with the bits that solve_tree gives it: rows are looked up once for both.
template <class I, class F, class G, class X>
PLIANT_HD void solve_tree_for_both(const TreePattern<I>& p, F factors, const G& inverse, X x, X y) {
  for (int i = p.n - 1; i >= 0; --i) {
    const int row = p.rowadr[i], last = p.rownnz[i] - 1;
    if (last == 0) continue;
    const auto a = x[i], b = y[i];
    if (!is_pair(p, i)) {
      for_each_run(p, i, [&](int dof, int length, int offset) {
        subtract_scaled(x + dof, factors + row + offset, a, length);
        subtract_scaled(y + dof, factors + row + offset, b, length);
      });
      continue;
    }
    const int above = p.rowadr[i - 1];
    const auto factor = -factors[row + last - 1];
    const auto next_a = x[i - 1] = mul_add(factor, a, x[i - 1]), next_b = y[i - 1] = mul_add(factor, b, y[i - 1]);
    for_each_run(p, i - 1, [&](int dof, int length, int offset) {
      subtract_two(x + dof, factors + row + offset, a, factors + above + offset, next_a, length);
      subtract_two(y + dof, factors + row + offset, b, factors + above + offset, next_b, length);
    });
    --i;
  }
  for (int i = 0; i < p.n; ++i) {
    auto a = x[i] * inverse[i], b = y[i] * inverse[i];
    const int row = p.rowadr[i];
    if (i + 1 >= p.n || !is_pair(p, i + 1)) {
      for_each_run(p, i, [&](int dof, int length, int offset) {
        a -= sum_products(factors + row + offset, x + dof, length);
        b -= sum_products(factors + row + offset, y + dof, length);
      });
      x[i] = a, y[i] = b;
      continue;
    }
    auto next_a = x[i + 1] * inverse[i + 1], next_b = y[i + 1] * inverse[i + 1];
    const int below = p.rowadr[i + 1];
    for_each_run(p, i, [&](int dof, int length, int offset) {
      subtract_products(factors + row + offset, factors + below + offset, x + dof, length, a, next_a);
      subtract_products(factors + row + offset, factors + below + offset, y + dof, length, b, next_b);
    });
    const auto factor = -factors[below + p.rownnz[i + 1] - 2];
    x[i] = a, y[i] = b;
    x[i + 1] = mul_add(factor, a, next_a), y[i + 1] = mul_add(factor, b, next_b);
    ++i;
  }
}

}  // namespace pliant

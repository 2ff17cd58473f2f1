#pragma once
// Rows of two bodies: how directions at points of them, or rotations, change with each dof.
//
// A direction f at a point is a wrench (offset × f, f) about the reference point of the body's tree, a rotation about
// an axis is (axis, 0); the number of a dof is cdof · wrench. Each side has its own wrenches; a dof that moves both
// bodies sees their sum.

#include "constraint/row_chain_hd.h"

namespace pliant {

/// Wrenches of n directions on the two sides, about the reference points of their trees.
template <class R, int n>
struct PairDirections {
  SpatialT<R> first[n], second[n];
};

/// Calls put(place, values) for every dof of the chain, place counting from its lowest dof; values[k] is the number of
/// the dof in direction k.
template <int n, class Chain, class D, class R, class F>
PLIANT_HD void for_pair_columns(const Chain& chain, const D& d, const PairDirections<R, n>& directions, int length,
                                F&& put) {
  int place = length;
  chain([&](int dof, int run, Side side) {
    SpatialT<R> wrench[n];
    for (int k = 0; k < n; ++k) {
      wrench[k] = side == Side::kFirst    ? directions.first[k]
                  : side == Side::kSecond ? directions.second[k]
                                          : directions.first[k] + directions.second[k];
    }
    place -= run;
    for (int i = 0; i < run; ++i) {
      const SpatialT<R> column = spatial(d.cdof, dof + i);
      R values[n];
      for (int k = 0; k < n; ++k) values[k] = dot(column, wrench[k]);
      put(place + i, values);
    }
  });
}

}  // namespace pliant

#pragma once
// Elliptic contacts four at a time: the formulas of cones_hd.h without branches, lane by lane the same bits.

#include "math/four.h"
#include "solver/cones_hd.h"
#include "solver/laws_hd.h"

namespace pliant {

/// Which lanes are in which zone; the others are in the middle.
struct FourZones {
  FourMask top, bottom;
};

inline FourZones cone_zones(Four N, Four T, Four mu) {
  const Four zero(0.0);
  const FourMask flat = T <= zero, below = N < zero, all = zero <= zero;
  const FourMask top = select(flat, without(all, below), mu * T <= N);
  return {top, without(select(flat, below, mu * N + T <= zero), top)};
}

/// Four contacts of one dimension.
struct FourContacts {
  int dim;
  int first[4];  // rows
  const double* friction[4];
  Four mu;

  /// The first `count` of `blocks`; the others are the first once more.
  FourContacts(const RowBlock* blocks, int count) : dim(blocks[0].dim) {
    double slope[4];
    for (int lane = 0; lane < 4; ++lane) {
      const RowBlock& block = blocks[lane < count ? lane : 0];
      first[lane] = block.first, friction[lane] = block.friction, slope[lane] = block.mu;
    }
    mu = Four::load(slope);
  }
  /// Row j of each.
  Four of(const double* rows, int j) const {
    return Four::gather(rows + first[0] + j, rows + first[1] + j, rows + first[2] + j, rows + first[3] + j);
  }
  Four scale(int j) const {
    return Four::gather(friction[0] + j - 1, friction[1] + j - 1, friction[2] + j - 1, friction[3] + j - 1);
  }
};

/// How many of up to four blocks have the dimension of the first.
inline int alike(const RowBlock* blocks, int count) {
  int n = 1;
  while (n < count && n < 4 && blocks[n].dim == blocks[0].dim) ++n;
  return n;
}

inline Four cone_stiffness(Four D0, Four mu) { return D0 / (mu * mu * (Four(1.0) + mu * mu)); }

/// cone_line.
inline ConeLine<Four> cone_lines(const FourContacts& c, const double* rows_x, const double* rows_v,
                                 const double* rows_D) {
  const Four zero(0.0), half(0.5), D0 = c.of(rows_D, 0), x0 = c.of(rows_x, 0), v0 = c.of(rows_v, 0);
  const Four Dx0 = D0 * x0, Dv0 = D0 * v0;
  Four twice = mul_add(Dx0, x0, zero);
  ConeLine<Four> line{};
  line.slope = mul_add(Dx0, v0, zero);
  line.curvature = mul_add(Dv0, v0, zero);
  line.UU = line.UV = line.VV = zero;
  for (int j = 1; j < c.dim; ++j) {
    const Four D = c.of(rows_D, j), x = c.of(rows_x, j), v = c.of(rows_v, j), scale = c.scale(j);
    const Four Dx = D * x, Dv = D * v, U = scale * x, V = scale * v;
    twice = mul_add(Dx, x, twice);
    line.slope = mul_add(Dx, v, line.slope);
    line.curvature = mul_add(Dv, v, line.curvature);
    line.UU = mul_add(U, U, line.UU);
    line.UV = mul_add(U, V, line.UV);
    line.VV = mul_add(V, V, line.VV);
  }
  line.U0 = c.mu * x0;
  line.V0 = c.mu * v0;
  line.mu = c.mu;
  line.stiffness = cone_stiffness(D0, c.mu);
  const Four T = square_root(line.UU), depth = line.U0 - c.mu * T;
  const FourZones zone = cone_zones(line.U0, T, c.mu);
  line.bottom = half * twice;
  line.start = select(zone.top, zero, select(zone.bottom, line.bottom, half * line.stiffness * depth * depth));
  return line;
}

/// cone_along_line: what it adds.
inline LineTerms<Four> cones_along_line(const ConeLine<Four>& c, Four alpha) {
  const Four zero(0.0), half(0.5);
  const Four N = c.U0 + alpha * c.V0, squares = c.UU + alpha * (Four(2.0) * c.UV + alpha * c.VV);
  const Four T = select(zero < squares, square_root(squares), zero);
  const FourZones zone = cone_zones(N, T, c.mu);
  const Four T1 = (c.UV + alpha * c.VV) / T, T2 = (c.VV - T1 * T1) / T;
  const Four depth = N - c.mu * T, depth1 = c.V0 - c.mu * T1;
  const LineTerms<Four> middle{half * c.stiffness * depth * depth - c.start, c.stiffness * depth * depth1,
                               c.stiffness * (depth1 * depth1 - c.mu * depth * T2)};
  const LineTerms<Four> bottom{(c.bottom - c.start) + alpha * (c.slope + half * alpha * c.curvature),
                               c.slope + alpha * c.curvature, c.curvature};
  return {select(zone.top, zero - c.start, select(zone.bottom, bottom.cost, middle.cost)),
          select(zone.top, zero, select(zone.bottom, bottom.slope, middle.slope)),
          select(zone.top, zero, select(zone.bottom, bottom.curvature, middle.curvature))};
}

/// cone_force of contacts: forces, zones, and the cost of each added to `cost` one after the other.
inline void cone_forces(const FourContacts& c, int count, const double* rows_x, const double* rows_D, double* force,
                        ConeZone* zones, double& cost) {
  const Four zero(0.0), half(0.5), D0 = c.of(rows_D, 0), x0 = c.of(rows_x, 0), U0 = c.mu * x0;
  Four U[kMaxConeDim], squares = zero;
  for (int j = 1; j < c.dim; ++j) {
    U[j] = c.scale(j) * c.of(rows_x, j);
    squares = mul_add(U[j], U[j], squares);
  }
  const Four T = square_root(squares);
  const FourZones zone = cone_zones(U0, T, c.mu);
  const Four stiffness = cone_stiffness(D0, c.mu), depth = U0 - c.mu * T;
  double forces[kMaxConeDim][4], bottom[kMaxConeDim][4], middle[4], depths[4];
  // (of an answer that is finite 0 - x and -x differ in the sign of a zero only)
  const auto put = [&](int j, Four x, Four D, Four sliding) {
    const Four sticking = zero - D * x;
    (half * D * x).store(bottom[j]);
    select(zone.top, zero, select(zone.bottom, sticking, sliding)).store(forces[j]);
  };
  const Four along = (zero - stiffness) * depth * c.mu, across = zero - along / T;
  put(0, x0, D0, along);
  for (int j = 1; j < c.dim; ++j) put(j, c.of(rows_x, j), c.of(rows_D, j), across * U[j] * c.scale(j));
  (half * stiffness * depth).store(middle);
  depth.store(depths);
  const int top = mask_bits(zone.top), sticks = mask_bits(zone.bottom);
  for (int lane = 0; lane < count; ++lane) {
    const int first = c.first[lane];
    for (int j = 0; j < c.dim; ++j) force[first + j] = forces[j][lane];
    if (top >> lane & 1) {
      zones[lane] = ConeZone::kTop;
    } else if (sticks >> lane & 1) {
      zones[lane] = ConeZone::kBottom;
      for (int j = 0; j < c.dim; ++j) cost = mul_add(bottom[j][lane], rows_x[first + j], cost);
    } else {
      zones[lane] = ConeZone::kMiddle;
      cost = mul_add(middle[lane], depths[lane], cost);
    }
  }
}

}  // namespace pliant

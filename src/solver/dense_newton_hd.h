#pragma once
// Newton's method by a team for up to a hundred dofs (kMostDenseDofs), with J, M and the Hessian as dense matrices in
// memory that the team shares.
//
// All of it is one loop: from point to point every part is needed once, so a device loads its code once, and what
// members keep in registers stays there. A way down has four kinds of points:
//
//   kDescend    Newton's direction, tests of termination, exact search along the direction
//   kPolished   single precision: the end of the last direction, whole. It stays if the gradient is smaller there;
//               costs end to tell before gradients do
//   kReturned   otherwise the point before it
//   kSettled    … and where there is no such direction
//
// At the last one the direction is that of M alone: half its decrement is the gap (certificate.cpp). Rules of
// termination are those of descend(), laws and search those of the CPU.
//
// Every number has one member that computes it, by the same operations in the same order whoever that is; sums over
// members have a fixed shape. So results have the same bits for teams of any size.

#include <cmath>
#include <limits>

#include "base/team.h"
#include "solver/team_problem_hd.h"

namespace pliant {

/// Memory of a team, from a multiple of 16 bytes on, for so many dofs and rows. Vectors of dofs have zeros up to a
/// multiple of four; rows of matrices are dense_stride apart, with zeros beyond the last dof and, in J, in rows up to a
/// multiple of four.
template <class R>
struct DenseMemory {
  R *qacc, *qacc_smooth, *qfrc_smooth;  // dofs; qacc: where to start, and the answer
  R *gradient, *push, *direction;       // push: J' f
  R *Ma, *x;                            // M a, and behind it J a - aref: products with M and J are one loop
  R *Ms, *Js;                           // the same of the direction
  R *weight, *force, *D, *low, *high;   // rows; weight: of their J' J in the Hessian
                                        // low, high: where s is quadratic (laws_hd.h), both 0 in cones
  R *M, *J, *H;                         // (J stands behind M)
  ConeLine<R>* cone;                    // blocks, with cones

  static constexpr int kPerDof = 8, kPerRow = 7;
};
PLIANT_HD size_t dense_numbers(int dofs, int rows) {
  const auto n = static_cast<size_t>(four_places(dofs)), m = static_cast<size_t>(four_places(rows));
  const auto stride = static_cast<size_t>(dense_stride(dofs));
  return n * DenseMemory<float>::kPerDof + m * DenseMemory<float>::kPerRow + (2 * n + m) * stride;
}
template <class R>
PLIANT_HD DenseMemory<R> dense_memory(R* numbers, ConeLine<R>* cones, int dofs, int rows) {
  const int n = four_places(dofs), m = four_places(rows), stride = dense_stride(dofs);
  DenseMemory<R> memory;
  const auto take = [&](int count) {
    R* at = numbers;
    numbers += count;
    return at;
  };
  memory.qacc = take(n), memory.qacc_smooth = take(n), memory.qfrc_smooth = take(n);
  memory.gradient = take(n), memory.push = take(n), memory.direction = take(n);
  memory.Ma = take(n), memory.x = take(m), memory.Ms = take(n), memory.Js = take(m);
  memory.weight = take(m), memory.force = take(m), memory.D = take(m), memory.low = take(m), memory.high = take(m);
  memory.M = take(n * stride), memory.J = take(m * stride), memory.H = take(n * stride);
  memory.cone = cones;
  return memory;
}

/// cones: there may be elliptic contacts. The problem's blocks are then all of them.
template <class Team, class R, bool cones>
class DenseNewton {
 public:
  PLIANT_HD DenseNewton(const Team& team, const TeamProblem<R>& problem, const DenseMemory<R>& memory)
      : team_(team),
        p_(problem),
        w_(memory),
        n_(problem.dofs),
        places_(four_places(n_)),
        stride_(dense_stride(n_)),
        rows_(problem.nrow) {}

  /// M and J from where they are. Laws, qacc, and smooth accelerations and forces are for the caller to write.
  PLIANT_HD void load() {
    const FourNumbers<R> zeros{};
    each_rolled(team_, (places_ + four_places(rows_)) * stride_ / 4, [&](int i) { store_four(w_.M + 4 * i, zeros); });
    each_rolled(team_, places_ - n_, [&](int k) {
      const int i = n_ + k;
      w_.qacc[i] = w_.qacc_smooth[i] = w_.qfrc_smooth[i] = w_.gradient[i] = 0;
      w_.M[i * stride_ + i] = 1;
    });
    each_rolled(team_, four_places(rows_) - rows_, [&](int k) { w_.weight[rows_ + k] = w_.force[rows_ + k] = 0; });
    // (dofs of a tree stand together, in a part as in the pattern)
    const auto& tree = p_.pattern;
    PLIANT_ROLLED
    for (int first = 0; first < n_;) {
      const int dof = p_.dof_of ? p_.dof_of[first] : 0;
      int count = n_;
      if (p_.dof_of) {
        for (count = 1; first + count < n_ && p_.dof_of[first + count] == dof + count;) ++count;
      }
      const int begin = tree.rowadr[dof], last = dof + count - 1, shift = first - dof;
      each_in_batches<4>(
          team_, tree.rowadr[last] + tree.rownnz[last] - begin,
          [&](int e) {
            return Entry{p_.entry_row[begin + e] + shift, tree.colind[begin + e] + shift, p_.M[begin + e]};
          },
          [&](int, const Entry& e) { w_.M[e.row * stride_ + e.column] = w_.M[e.column * stride_ + e.row] = e.value; });
      first += count;
    }
    each_rolled(team_, rows_, [&](int i) {
      const int row = row_of(i);
      const R* from = p_.row_J + p_.row_Jadr[row];
      PLIANT_ROLLED
      for (int s = p_.row_segadr[row], end = s + p_.row_segnum[row]; s < end; ++s) {
        R* const to = w_.J + i * stride_ + place_of(p_.segment_dof[s]);
        const int length = p_.segment_len[s];
        PLIANT_ROLLED
        for (int c = 0; c < length; c += 4) {  // four loads before anybody waits for one
          R x[4];
          PLIANT_UNROLL
          for (int k = 0; k < 4; ++k) x[k] = c + k < length ? from[c + k] : R(0);
          PLIANT_UNROLL
          for (int k = 0; k < 4; ++k) {
            if (c + k < length) to[c + k] = x[k];
          }
        }
        from += length;
      }
    });
  }

  /// From the memory's qacc, or from the smooth acceleration if that is better or `warm` says so, to the minimum: the
  /// memory's qacc and push, forces and states are the answer. All members get the report.
  PLIANT_HD SolverReport run(bool warm, R* force, int* state) {
    SolverReport report;
    const DescentRules<R>& rules = p_.rules;
    SolverStatus status = SolverStatus::kIterationLimit;
    Place place = Place::kDescend;
    R improvement = 0, gradient_before = 0, gap = 0;
    bool finite = choose_start(warm);
    PLIANT_ROLLED
    while (finite) {
      refresh();
      R alpha = 0;
      if (place == Place::kPolished && !(gradient_ < gradient_before)) {
        place = Place::kReturned;
        alpha = -1;
      } else {
        const bool last = place != Place::kDescend;
        const bool positive = find_direction(last, report);
        const R decrement = R(-0.5) * along_.gs;
        report.gradient = rules.scale * R(std::sqrt(gradient_));
        if (last) {
          gap = decrement > 0 ? decrement : R(0);
          break;
        }
        const bool first = report.iterations == 0;
        if (first && !std::isfinite(report.gradient)) {
          finite = false;
          break;
        }
        const bool small_gradient = report.gradient < rules.tolerance;
        const bool small_decrement = positive && rules.scale * decrement < rules.tolerance;
        const bool small_improvement = improvement > 0 && improvement < rules.tolerance;
        bool stops = true;
        if (first ? small_gradient && small_decrement : small_improvement || small_gradient) {
          status = SolverStatus::kStopped;
        } else if (!positive) {
          status = SolverStatus::kNotPositive;
        } else if (small_decrement && !first) {
          status = SolverStatus::kStopped;
        } else if (report.iterations < rules.iterations) {
          stops = !search(alpha, improvement, report);
          if (stops) status = SolverStatus::kNoProgress;
        }
        if (stops) {
          const bool polish = sizeof(R) < sizeof(double) && positive;
          place = polish ? Place::kPolished : Place::kSettled;
          gradient_before = gradient_;
          alpha = polish ? R(1) : R(0);
        }
      }
      if (alpha != 0) move(alpha);
    }
    if (!finite) {
      each_rolled(team_, n_, [&](int i) { w_.qacc[i] = w_.qacc_smooth[i], w_.push[i] = 0; });
      each_rolled(team_, rows_, [&](int i) { force[row_of(i)] = 0, state[row_of(i)] = 0; });
      report = {};
      report.status = SolverStatus::kNotFinite;
      return report;
    }
    report.gap = rules.scale * gap;
    report.converged = report.gap < rules.tolerance;
    report.status = report.converged ? SolverStatus::kConverged : status;
    give(force, state);
    return report;
  }

 private:
  enum class Place : int { kDescend, kPolished, kReturned, kSettled };
  struct Entry {
    int row, column;
    R value;
  };

  // ---- the point -----------------------------------------------------------------------------------------------

  PLIANT_HD int row_of(int i) const { return p_.row_of ? p_.row_of[i] : i; }
  PLIANT_HD int place_of(int dof) const { return p_.place_of ? p_.place_of[dof] : dof; }
  PLIANT_HD RowInterval<R> interval(int row) const { return {w_.low[row], w_.high[row]}; }
  PLIANT_HD bool is_in_cone(int row) const { return cones && !(w_.low[row] < w_.high[row]); }

  /// M a and J a - aref of the warm start, unless no force at all costs less; false if neither is finite.
  PLIANT_HD bool choose_start(bool warm) {
    R *const a = w_.qacc, *const rest = w_.qacc_smooth;
    each_rolled(team_, places_ + rows_, [&](int i) {
      const R* row = w_.M + i * stride_;
      R product = 0, product_at_rest = 0;
      PLIANT_ROLLED
      for (int c = 0; c < places_; c += 4) {
        const FourNumbers<R> four = load_four(row + c);
        product = add_products(four, load_four(a + c), product);
        product_at_rest = add_products(four, load_four(rest + c), product_at_rest);
      }
      const R asked = i < places_ ? R(0) : R(p_.aref[row_of(i - places_)]);
      w_.Ma[i] = product - asked;
      w_.Ms[i] = product_at_rest - asked;
    });
    using Costs = TeamSums<R, 2>;
    Costs cost = sum_of<Costs>(team_, rows_ > n_ ? rows_ : n_, [&](int i) {
      Costs sum;
      if (i < rows_ && !is_in_cone(i)) {
        const RowInterval<R> bounds = interval(i);
        const R D = w_.D[i];
        sum.x[0] = row_cost(w_.x[i], D, bounds), sum.x[1] = row_cost(w_.Js[i], D, bounds);
      }
      if (i < n_) sum.x[0] += R(0.5) * (w_.Ma[i] - w_.qfrc_smooth[i]) * (a[i] - rest[i]);
      return sum;
    });
    if constexpr (cones) {
      cost += sum_of<Costs>(team_, p_.nblock, [&](int k) {
        const LawBlock<R>& b = p_.block[k];
        Costs sum;
        if (b.law != RowLaw::kElliptic) return sum;
        sum.x[0] = cone_cost(b, w_.x), sum.x[1] = cone_cost(b, w_.Js);
        return sum;
      });
    }
    if (!warm || !(cost.x[0] <= cost.x[1])) {
      if (!std::isfinite(cost.x[1])) return false;
      team_.sync();
      each_rolled(team_, places_ + rows_, [&](int i) {
        if (i < places_) a[i] = rest[i];
        w_.Ma[i] = w_.Ms[i];
      });
    }
    team_.sync();
    return true;
  }
  PLIANT_HD R cone_cost(const LawBlock<R>& b, const R* x) const {
    const Cone cone = cone_at(b, x);
    if (cone.zone == ConeZone::kTop) return 0;
    if (cone.zone == ConeZone::kMiddle) {
      const R depth = cone.N - b.mu * cone.T;
      return R(0.5) * cone.stiffness * depth * depth;
    }
    R cost = 0;
    PLIANT_ROLLED
    for (int r = b.first; r < b.first + b.dim; ++r) cost = mul_add(R(0.5) * w_.D[r] * x[r], x[r], cost);
    return cost;
  }

  /// Where an elliptic contact is (cones_hd.h), without arrays of its own.
  struct Cone {
    ConeZone zone;
    R N, T, stiffness;
  };
  PLIANT_HD Cone cone_at(const LawBlock<R>& b, const R* x) const {
    R squares = 0;
    PLIANT_ROLLED
    for (int j = 1; j < b.dim; ++j) {
      const R U = b.friction[j - 1] * x[b.first + j];
      squares = mul_add(U, U, squares);
    }
    const R N = b.mu * x[b.first], T = std::sqrt(squares);
    return {cone_zone(N, T, b.mu), N, T, cone_stiffness(w_.D[b.first], b.mu)};
  }
  /// Its second derivative where it slides is stiffness (w w' + bend (1 - u u')) in scaled coordinates, u the direction
  /// of slip, w = (1, -mu u), bend = mu² - mu N / T > 0.
  PLIANT_HD static R cone_bend(const LawBlock<R>& b, const Cone& cone) { return b.mu * (b.mu - cone.N / cone.T); }

  /// Forces, weights and cost from x; push and gradient M a - tau - J' f.
  PLIANT_HD void refresh() {
    bool changed = false, sliding = false;
    const auto set_weight = [&](int row, R weight) {
      changed = changed || w_.weight[row] != weight;
      w_.weight[row] = weight;
    };
    each_rolled(team_, rows_, [&](int i) {
      if (is_in_cone(i)) return;
      const RowInterval<R> bounds = interval(i);
      const R x = w_.x[i], D = w_.D[i];
      w_.force[i] = force_of_row(x, D, bounds);
      set_weight(i, is_quadratic(x, bounds) ? D : R(0));
    });
    R cost_of_cones = 0;
    if constexpr (cones) {
      cost_of_cones = sum_of<R>(team_, p_.nblock, [&](int k) {
        const LawBlock<R>& b = p_.block[k];
        if (b.law != RowLaw::kElliptic) return R(0);
        const Cone cone = cone_at(b, w_.x);
        const bool slides = cone.zone == ConeZone::kMiddle, sticks = cone.zone == ConeZone::kBottom;
        sliding = sliding || slides;
        const R depth = cone.N - b.mu * cone.T, normal = -cone.stiffness * depth * b.mu;
        const R bend = slides ? cone.stiffness * cone_bend(b, cone) : R(0);
        R cost = slides ? R(0.5) * cone.stiffness * depth * depth : R(0);
        PLIANT_ROLLED
        for (int j = 0; j < b.dim; ++j) {
          const int r = b.first + j;
          const R x = w_.x[r], D = w_.D[r], mu = j == 0 ? R(1) : R(b.friction[j - 1]);
          R f = 0, weight = 0;
          if (sticks) {
            f = -D * x;
            weight = D;
            cost = mul_add(R(0.5) * D * x, x, cost);
          } else if (slides) {
            f = j == 0 ? normal : -(normal / cone.T) * mu * x * mu;
            weight = j == 0 ? R(0) : bend * mu * mu;
          }
          w_.force[r] = f;
          set_weight(r, weight);
        }
        return cost;
      });
      sliding = team_.any(sliding);
      team_.sync();
    }
    changed = team_.any(changed);
    stale_ = stale_ || changed || sliding || sliding_;
    sliding_ = sliding;
    const auto sums = sum_of<TeamSums<R, 2>>(team_, rows_ > n_ ? rows_ : n_, [&](int i) {
      TeamSums<R, 2> sum;
      if (i < rows_ && !is_in_cone(i)) sum.x[0] = row_cost(w_.x[i], w_.D[i], interval(i));
      if (i >= n_) return sum;
      R part[4] = {};
      const R* J = w_.J + i;
      PLIANT_ROLLED
      for (int r = 0; r < rows_; r += 4) {
        const FourNumbers<R> f = load_four(w_.force + r);
        PLIANT_UNROLL
        for (int k = 0; k < 4; ++k) part[k] = mul_add(J[k * stride_], f.x[k], part[k]);
        J += 4 * stride_;
      }
      const R push = (part[0] + part[1]) + (part[2] + part[3]);
      const R motion = w_.Ma[i] - w_.qfrc_smooth[i], g = motion - push;
      w_.push[i] = push;
      w_.gradient[i] = g;
      sum.x[0] = mul_add(R(0.5) * motion, w_.qacc[i] - w_.qacc_smooth[i], sum.x[0]);
      sum.x[1] = g * g;
      return sum;
    });
    cost_ = sums.x[0] + cost_of_cones;
    gradient_ = sums.x[1];
    team_.sync();
  }

  /// (M a and J a - aref are not computed afresh: in single precision accelerations have too few digits to say what
  /// stiff rows ask for.)
  PLIANT_HD void move(R alpha) {
    each_rolled(team_, places_ + rows_, [&](int i) {
      if (i < places_) w_.qacc[i] = mul_add(alpha, w_.direction[i], w_.qacc[i]);
      w_.Ma[i] = mul_add(alpha, w_.Ms[i], w_.Ma[i]);
    });
  }
  /// A row of M, or behind them of J, times v.
  PLIANT_HD R product(int i, const R* v) const {
    const R* row = w_.M + i * stride_;
    R sum = 0;
    PLIANT_ROLLED
    for (int c = 0; c < places_; c += 4) sum = add_products(load_four(row + c), load_four(v + c), sum);
    return sum;
  }

  // ---- the direction -------------------------------------------------------------------------------------------

  /// Direction -inv(H) g, its products with M and J, and what a search needs of it. `of_mass`: with M instead of H, and
  /// no products. False if the matrix is not positive.
  PLIANT_HD bool find_direction(bool of_mass, SolverReport& report) {
    bool positive = true;
    if (stale_ || of_mass) {
      fill_hessian(of_mass ? 0 : rows_, !of_mass && sliding_);
      positive = factor_by_fours(team_, w_.H, places_, stride_);
      stale_ = !positive;
      if (!of_mass) ++report.factorizations;
    }
    each_rolled(team_, places_, [&](int i) { w_.Ms[i] = positive ? -w_.gradient[i] : R(0); });
    solve_by_fours(team_, static_cast<const R*>(w_.H), places_, stride_, w_.Ms, w_.direction);
    each_rolled(team_, of_mass ? 0 : places_ + rows_, [&](int i) { w_.Ms[i] = product(i, w_.direction); });
    const auto sums = sum_of<TeamSums<R, 4>>(team_, n_, [&](int i) {
      const R s = w_.direction[i], g = w_.gradient[i];
      return TeamSums<R, 4>{{g * s, s * s, s * (w_.Ma[i] - w_.qfrc_smooth[i]), s * w_.Ms[i]}};
    });
    along_ = {sums.x[0], sums.x[1], sums.x[2], sums.x[3]};
    return positive;
  }

  /// M + J' weight J, and what contacts add that slide: lower tiles of four by four.
  PLIANT_HD void fill_hessian(int rows, bool sliding) {
    const int across = places_ / 4;
    each_rolled(team_, triangle_size(across), [&](int t) {
      const TilePlace place = tile_place(t);
      const int row = 4 * place.row, column = 4 * place.column;
      FourNumbers<R> tile[4];
      PLIANT_UNROLL
      for (int k = 0; k < 4; ++k) tile[k] = load_four(w_.M + (row + k) * stride_ + column);
      if constexpr (cones) {
        if (sliding) add_sliding(row, column, tile);
      }
      PLIANT_ROLLED
      for (int first = 0; first < rows; first += 4) {
        const FourNumbers<R> four = load_four(w_.weight + first);  // (those beyond the last row are 0)
        const R* J = w_.J + first * stride_;
        PLIANT_UNROLL
        for (int r = 0; r < 4; ++r) {
          if (four.x[r] != 0) {
            add_outer(four.x[r], load_four(J + r * stride_ + row), load_four(J + r * stride_ + column), tile);
          }
        }
      }
      PLIANT_UNROLL
      for (int k = 0; k < 4; ++k) store_four(w_.H + (row + k) * stride_ + column, tile[k]);
    });
  }
  PLIANT_HD static void add_outer(R factor, const FourNumbers<R>& a, const FourNumbers<R>& b, FourNumbers<R>* tile) {
    PLIANT_UNROLL
    for (int i = 0; i < 4; ++i) {
      const R x = factor * a.x[i];
      PLIANT_UNROLL
      for (int j = 0; j < 4; ++j) tile[i].x[j] = mul_add(x, b.x[j], tile[i].x[j]);
    }
  }
  /// Weights have the part of 1 in cone_bend; these are w w' and u u'.
  PLIANT_HD void add_sliding(int row, int column, FourNumbers<R>* tile) {
    PLIANT_ROLLED
    for (int k = 0; k < p_.nblock; ++k) {
      const LawBlock<R>& b = p_.block[k];
      if (b.law != RowLaw::kElliptic) continue;
      const Cone cone = cone_at(b, w_.x);
      if (cone.zone != ConeZone::kMiddle) continue;
      FourNumbers<R> slip_a{}, slip_b{};  // J' u
      const R* J = w_.J + b.first * stride_;
      PLIANT_ROLLED
      for (int j = 1; j < b.dim; ++j) {
        const R mu = b.friction[j - 1], u = mu * mu * w_.x[b.first + j] / cone.T;
        const FourNumbers<R> a = load_four(J + j * stride_ + row), c = load_four(J + j * stride_ + column);
        PLIANT_UNROLL
        for (int i = 0; i < 4; ++i) {
          slip_a.x[i] = mul_add(u, a.x[i], slip_a.x[i]);
          slip_b.x[i] = mul_add(u, c.x[i], slip_b.x[i]);
        }
      }
      FourNumbers<R> w_a = load_four(J + row), w_b = load_four(J + column);
      PLIANT_UNROLL
      for (int i = 0; i < 4; ++i) w_a.x[i] -= slip_a.x[i], w_b.x[i] -= slip_b.x[i];
      add_outer(cone.stiffness * b.mu * b.mu, w_a, w_b, tile);
      add_outer(-cone.stiffness * cone_bend(b, cone), slip_a, slip_b, tile);
    }
  }

  // ---- the line ------------------------------------------------------------------------------------------------

  /// The step along the direction, and by how much the scaled cost falls; false if there is none.
  PLIANT_HD bool search(R& alpha, R& improvement, SolverReport& report) {
    const R length = R(std::sqrt(along_.ss));
    if (!(length >= R(kTiny))) return false;
    if constexpr (cones) {
      each_rolled(team_, p_.nblock, [&](int k) {
        const LawBlock<R>& b = p_.block[k];
        if (b.law != RowLaw::kElliptic) return;
        w_.cone[k] = cone_line(b.dim, w_.x + b.first, w_.Js + b.first, w_.D + b.first, b.mu, b.friction);
      });
    }
    // the start is known: slope g' s, and curvature s' H s with H s = -g
    int evaluations = 1;
    const LinePointT<R> start{R(0), R(0), along_.gs, -along_.gs};
    const R tolerance = p_.rules.tolerance * p_.rules.ls_tolerance * length / p_.rules.scale;
    const LinePointT<R> best = search_line(
        start,
        [&](R at) {
          ++evaluations;
          return evaluate(at);
        },
        [&] { return evaluations; }, tolerance, p_.rules.ls_iterations, kCostRounding<R> * R(std::fabs(cost_)));
    report.evaluations += evaluations;
    if (best.alpha == 0 || !std::isfinite(best.alpha) || !std::isfinite(best.cost)) return false;
    alpha = best.alpha;
    improvement = p_.rules.scale * -best.cost;
    report.improvement = improvement;
    ++report.iterations;
    return true;
  }
  PLIANT_HD LinePointT<R> evaluate(R alpha) {
    using Terms = TeamSums<R, 3>;
    Terms terms = sum_of<Terms>(team_, rows_, [&](int i) {
      // (in cones c = 0: no terms)
      const LineTerms<R> row = row_along_line(w_.x[i], w_.Js[i], w_.D[i], alpha, interval(i));
      return Terms{{row.cost, row.slope, row.curvature}};
    });
    if constexpr (cones) {
      terms += sum_of<Terms>(team_, p_.nblock, [&](int k) {
        Terms sum;
        if (p_.block[k].law == RowLaw::kElliptic) cone_along_line(w_.cone[k], alpha, sum.x[0], sum.x[1], sum.x[2]);
        return sum;
      });
    }
    LinePointT<R> point{alpha, alpha * (along_.slope + R(0.5) * alpha * along_.curvature) + terms.x[0],
                        along_.slope + alpha * along_.curvature + terms.x[1], along_.curvature + terms.x[2]};
    if (!(point.curvature > 0)) point.curvature = R(kTiny);
    return point;
  }

  // ---- the answer ----------------------------------------------------------------------------------------------

  /// Forces and states of the rows.
  PLIANT_HD void give(R* force, int* state) const {
    each_rolled(team_, rows_, [&](int i) {
      force[row_of(i)] = w_.force[i];
      if (is_in_cone(i)) return;
      const RowInterval<R> bounds = interval(i);
      const bool friction = bounds.low > -std::numeric_limits<R>::infinity() && bounds.high > 0;
      state[row_of(i)] = row_state_at(w_.x[i], friction ? RowLaw::kFriction : RowLaw::kUnilateral, bounds);
    });
    if constexpr (cones) {
      each_rolled(team_, p_.nblock, [&](int k) {
        const LawBlock<R>& b = p_.block[k];
        if (b.law != RowLaw::kElliptic) return;
        const int said = state_of(cone_at(b, w_.x).zone);
        PLIANT_ROLLED
        for (int r = b.first; r < b.first + b.dim; ++r) state[row_of(r)] = said;
      });
    }
  }

  /// Sums over dofs along the direction s: g' s, |s|², and slope and curvature of the cost without rows.
  struct Along {
    R gs = 0, ss = 0, slope = 0, curvature = 0;
  };

  const Team& team_;
  const TeamProblem<R> p_;
  const DenseMemory<R> w_;
  const int n_, places_, stride_, rows_;  // places_: dofs, up to a multiple of four
  R cost_ = 0, gradient_ = 0;             // gradient_: |g|²
  Along along_;
  bool sliding_ = false;  // some contact slides
  bool stale_ = true;     // H is not that of this point
};

}  // namespace pliant

// Dense kernels, laws, cones and the order of elimination, each against the plainest form of itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "math/dense.h"
#include "solver/cone_problems_hd.h"
#include "solver/cones_in_lanes.h"
#include "solver/laws_hd.h"
#include "solver/ordering.h"

namespace pliant {
namespace {

std::mt19937 generator(5);
double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator); }

/// A positive definite panel: the first columns of A = B B' + 1, all rows.
struct Panel {
  int columns, rows, stride;
  std::vector<double> A, memory;
  double* data;
  Panel(int c, int below) : columns(c), rows(padded(c) + padded(below)), stride(rows) {
    const int n = c + below;
    std::vector<double> B(n * n);
    for (double& x : B) x = uniform(-1, 1);
    A.assign(n * n, 0);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        A[i * n + j] = i == j;
        for (int k = 0; k < n; ++k) A[i * n + j] += B[i * n + k] * B[j * n + k];
      }
    }
    memory.assign(static_cast<size_t>(padded(c)) * stride + 4, 0.0);
    data = memory.data();
    while (reinterpret_cast<uintptr_t>(data) % 32) ++data;
    for (int j = 0; j < padded(c); ++j) {
      if (j >= c) data[j * stride + j] = 1;
      for (int i = j; i < n && j < c; ++i) data[j * stride + (i < c ? i : padded(c) + i - c)] = A[i * n + j];
    }
  }
  double L(int i, int j) const { return data[j * stride + (i < columns ? i : padded(columns) + i - columns)]; }
};

TEST(Dense, PanelTimesItselfIsTheMatrix) {
  for (int columns = 1; columns < 40; columns += 3) {
    for (const int below : {0, 1, 6, 13}) {
      Panel p(columns, below);
      const int n = columns + below;
      std::vector<double> inverse(padded(columns));
      ASSERT_EQ(factor_panel(p.data, p.stride, columns, p.rows, 1e-15, inverse.data()), -1);
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i && j < columns; ++j) {
          double sum = 0;
          for (int k = 0; k <= j; ++k) sum += p.L(i, k) * p.L(j, k);
          EXPECT_NEAR(sum, p.A[i * n + j], 1e-12 * n);
        }
      }
      for (int j = 0; j < columns; ++j) EXPECT_NEAR(inverse[j] * p.L(j, j), 1, 1e-15);
      // the rows below, squared
      if (below == 0) continue;
      const int rows = padded(below);
      std::vector<double> square(rows * rows);
      square_of_rows(p.data + padded(columns), p.stride, columns, rows, square.data(), rows);
      for (int i = 0; i < below; ++i) {
        for (int j = 0; j <= i; ++j) {
          double sum = 0;
          for (int k = 0; k < columns; ++k) sum += p.L(columns + i, k) * p.L(columns + j, k);
          EXPECT_NEAR(square[j * rows + i], sum, 1e-12 * n);
        }
      }
    }
  }
}

TEST(Dense, BadPivotIsNamed) {
  Panel p(9, 0);
  for (int i = 5; i < 9; ++i) p.data[5 * p.stride + i] = p.data[2 * p.stride + i];
  p.data[5 * p.stride + 5] = -3;
  std::vector<double> inverse(12);
  EXPECT_EQ(factor_panel(p.data, p.stride, 9, p.rows, 1e-15, inverse.data()), 5);
}

TEST(Dense, UpdateAndDowndate) {
  for (const int columns : {1, 4, 7, 22}) {
    const int below = 5, n = columns + below;
    Panel p(columns, below), q(columns, below);
    q.A = p.A;
    q.memory = p.memory;
    std::copy(p.data, p.data + padded(columns) * p.stride, q.data);
    std::vector<double> inverse(padded(columns)), other(padded(columns)), x(p.rows, 0.0), spent;
    for (int i = 0; i < n; ++i) x[i < columns ? i : padded(columns) + i - columns] = uniform(-1, 1);
    // q holds A + x x'
    for (int j = 0; j < columns; ++j) {
      for (int i = j; i < p.rows; ++i) q.data[j * q.stride + i] += x[j] * x[i];
    }
    factor_panel(p.data, p.stride, columns, p.rows, 1e-15, inverse.data());
    factor_panel(q.data, q.stride, columns, q.rows, 1e-15, other.data());
    const auto before = p.memory;
    spent = x;
    // what the columns take from the rows below: B B' + weight x x' stays
    const auto below_diagonal = [&](const std::vector<double>& rest, double weight, int i, int j) {
      double sum = weight * rest[padded(columns) + i] * rest[padded(columns) + j];
      for (int k = 0; k < columns; ++k) sum += p.L(columns + i, k) * p.L(columns + j, k);
      return sum;
    };
    std::vector<double> whole(below * below);
    for (int i = 0; i < below * below; ++i) whole[i] = below_diagonal(x, 1, i / below, i % below);
    double weight = 1;
    ASSERT_TRUE(update_panel(p.data, p.stride, columns, p.rows, weight, 1e-9, inverse.data(), spent.data()));
    EXPECT_TRUE(weight > 0 && weight < 1);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i && j < columns; ++j) EXPECT_NEAR(p.L(i, j), q.L(i, j), 1e-12 * n);
    }
    for (int j = 0; j < columns; ++j) EXPECT_NEAR(inverse[j] * p.L(j, j), 1, 1e-15);
    for (int i = 0; i < below * below; ++i) {
      EXPECT_NEAR(below_diagonal(spent, weight, i / below, i % below), whole[i], 1e-12 * n);
    }
    spent = x;
    weight = -1;
    ASSERT_TRUE(update_panel(p.data, p.stride, columns, p.rows, weight, 1e-9, inverse.data(), spent.data()));
    const size_t shift = p.data - p.memory.data();
    for (int j = 0; j < columns; ++j) {
      for (int i = j; i < p.rows; ++i) {
        EXPECT_NEAR(p.data[j * p.stride + i], before[shift + j * p.stride + i], 1e-11 * n);
      }
    }
    // taking away what is not there
    for (double& v : x) v *= 100;
    weight = -1;
    EXPECT_FALSE(update_panel(p.data, p.stride, columns, p.rows, weight, 1e-9, inverse.data(), x.data()));
  }
}

TEST(Dense, RowsOfEveryShape) {
  for (int rows = 1; rows <= 7; ++rows) {
    for (int width = 1; width <= 14; ++width) {
      std::vector<double> J(rows * width), x(width), f(rows), out(rows), back(padded(width), 0.0);
      for (auto* v : {&J, &x, &f}) {
        for (double& value : *v) value = uniform(-1, 1);
      }
      rows_times(J.data(), rows, width, x.data(), out.data());
      add_rows_transposed_times(J.data(), rows, width, f.data(), back.data());
      for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int c = 0; c < width; ++c) sum += J[r * width + c] * x[c];
        EXPECT_NEAR(out[r], sum, 1e-14);
      }
      for (int c = 0; c < width; ++c) {
        double sum = 0;
        for (int r = 0; r < rows; ++r) sum += J[r * width + c] * f[r];
        EXPECT_NEAR(back[c], sum, 1e-14);
      }
    }
  }
}

// Products of parts of packed rows, added to a part of a matrix; nothing else of it changes but by a zero.
TEST(Dense, ProductsOfEveryShape) {
  for (int rows = 1; rows <= 5; ++rows) {
    for (int height = 1; height <= 17; ++height) {
      for (int columns = 1; columns <= 9; ++columns) {
        for (const bool triangle : {false, true}) {
          if (triangle && columns > height) continue;
          const int width = std::max(height, columns) + 3, stride = padded(height) + 4;
          std::vector<double> A(rows * width), B(rows * width), before(columns * stride + 4), out;
          for (auto* v : {&A, &B, &before}) {
            for (double& value : *v) value = uniform(-1, 1);
          }
          out = before;
          add_products(A.data() + 1, B.data() + 2, rows, width, height, columns, triangle, out.data(), stride);
          for (int j = 0; j < columns; ++j) {
            for (int i = 0; i < stride; ++i) {
              double sum = before[j * stride + i];
              for (int r = 0; r < rows; ++r) sum += i < height ? A[r * width + 1 + i] * B[r * width + 2 + j] : 0;
              if (triangle && i < j) continue;
              EXPECT_NEAR(out[j * stride + i], sum, 1e-13) << i << " " << j;
              if (i >= height) {
                EXPECT_EQ(out[j * stride + i], before[j * stride + i]);
              }
            }
          }
        }
      }
    }
  }
}

TEST(Laws, ForceIsMinusTheSlopeOfTheCost) {
  for (const RowLaw law : {RowLaw::kEquality, RowLaw::kFriction, RowLaw::kUnilateral}) {
    const double R = 0.3, D = 1 / R;
    const auto interval = row_interval(law, R, 2.0);
    for (double x = -2; x < 2; x += 0.0371) {
      const double e = 1e-6, slope = (row_cost(x + e, D, interval) - row_cost(x - e, D, interval)) / (2 * e);
      EXPECT_NEAR(force_of_row(x, D, interval), -slope, 1e-6);
      // along a line: the same cost, slope and curvature
      const double start = 0.4, v = -1.3, alpha = (x - start) / v;
      const auto line = row_along_line(start, v, D, alpha, interval);
      EXPECT_NEAR(line.cost, row_cost(x, D, interval) - row_cost(start, D, interval), 1e-13);
      EXPECT_NEAR(line.slope, slope * v, 1e-6);
      EXPECT_NEAR(line.curvature, is_quadratic(x, interval) ? D * v * v : 0, 1e-12);
      // no gap at the force of x, a gap elsewhere
      const double f = force_of_row(x, D, interval);
      EXPECT_NEAR(row_duality_gap(x, f, D, R, interval), 0, 1e-14);
      const double other = law == RowLaw::kFriction ? f * 0.5 + 0.1 : f + 0.4;
      const double expected = row_cost(x, D, interval) + 0.5 * R * other * other + other * x;
      EXPECT_NEAR(row_duality_gap(x, other, D, R, interval), expected, 1e-12);
      EXPECT_GE(expected, -1e-14);
    }
  }
}

struct Contact {
  int dim;
  double mu, D[6], R[6], friction[5];
  explicit Contact(int d) : dim(d) {
    for (double& m : friction) m = uniform(0.05, 1.2);
    mu = friction[0] / std::sqrt(uniform(0.5, 5));
    R[0] = uniform(0.05, 1);
    for (int j = 1; j < 6; ++j) R[j] = R[0] * mu * mu / (friction[j - 1] * friction[j - 1]);
    for (int j = 0; j < 6; ++j) D[j] = 1 / R[j];
  }
};

TEST(Cones, DerivativesAndLine) {
  int zones[3] = {};
  for (int k = 0; k < 3000; ++k) {
    const int dims[] = {3, 4, 6};
    const Contact c(dims[k % 3]);
    double x[6], v[6], force[6], cost = 0;
    for (int j = 0; j < 6; ++j) x[j] = uniform(-1, 1), v[j] = uniform(-1, 1);
    const ConeZone zone = cone_force(c.dim, x, c.D, c.mu, c.friction, force, cost);
    ++zones[static_cast<int>(zone)];
    double H[36];
    if (zone == ConeZone::kMiddle) cone_hessian(c.dim, x, c.D, c.mu, c.friction, H);
    const auto line = cone_line(c.dim, x, v, c.D, c.mu, c.friction);
    const auto at = [&](double alpha, double* f) {
      double y[6], total = 0;
      for (int j = 0; j < c.dim; ++j) y[j] = x[j] + alpha * v[j];
      cone_force(c.dim, y, c.D, c.mu, c.friction, f, total);
      return total;
    };
    // the line is the cost, its slope the force
    const double alpha = uniform(-2, 2);
    double terms[3] = {}, f[6];
    cone_along_line(line, alpha, terms[0], terms[1], terms[2]);
    EXPECT_NEAR(terms[0], at(alpha, f) - cost, 1e-10 * (1 + cost));
    double slope = 0;
    for (int j = 0; j < c.dim; ++j) slope -= f[j] * v[j];
    EXPECT_NEAR(terms[1], slope, 1e-9 * (1 + std::fabs(slope)));
    // force by differences of the cost, second derivative by differences of the force
    const double e = 1e-6;
    double up[6], down[6];
    const double difference = (at(e, up) - at(-e, down)) / (2 * e);
    slope = 0;
    for (int j = 0; j < c.dim; ++j) slope -= force[j] * v[j];
    EXPECT_NEAR(slope, difference, 1e-4 * (1 + std::fabs(slope)));
    if (zone != ConeZone::kMiddle) continue;
    double T = 0;
    for (int j = 1; j < c.dim; ++j) T += c.friction[j - 1] * x[j] * c.friction[j - 1] * x[j];
    const double N = c.mu * x[0], margin = 1e-2;
    if (std::sqrt(T) < 0.05 || N > c.mu * std::sqrt(T) - margin || c.mu * N + std::sqrt(T) < margin) continue;
    for (int j = 0; j < c.dim; ++j) {
      double product = 0;
      for (int i = 0; i < c.dim; ++i) product += H[j * c.dim + i] * v[i];
      EXPECT_NEAR(product, -(up[j] - down[j]) / (2 * e), 1e-3 * (1 + std::fabs(product)));
    }
  }
  for (const int count : zones) EXPECT_GT(count, 50);
}

// What the solver computes of four contacts at once is what it computes of each, bit for bit.
TEST(Cones, FourAtATimeHaveTheSameBits) {
  int zones[3] = {};
  for (int k = 0; k < 2000; ++k) {
    const int dims[] = {3, 4, 6}, dim = dims[k % 3], count = 1 + k % 4;
    RowBlock blocks[4];
    double friction[4][5], x[24], v[24], D[24], alpha = k % 7 == 0 ? 0 : uniform(-2, 2);
    for (int i = 0; i < 4; ++i) {
      const Contact c(dim);
      std::copy_n(c.friction, 5, friction[i]);
      blocks[i].law = RowLaw::kElliptic;
      blocks[i].first = i * dim, blocks[i].dim = dim, blocks[i].mu = c.mu, blocks[i].friction = friction[i];
      for (int j = 0; j < dim; ++j) {
        // some without friction, some on the axis
        x[i * dim + j] = j > 0 && k % 5 == i ? 0 : uniform(-1, 1), v[i * dim + j] = uniform(-1, 1);
        D[i * dim + j] = c.D[j];
      }
    }
    ASSERT_EQ(alike(blocks, 4), 4);
    const FourContacts four(blocks, count);
    double force[24], expected[24], cost = 0.25, expected_cost = 0.25;
    ConeZone zone[4];
    cone_forces(four, count, x, D, force, zone, cost);
    const ConeLine<Four> lines = cone_lines(four, x, v, D);
    const LineTerms<Four> terms = cones_along_line(lines, Four(alpha));
    double of_cost[4], of_slope[4], of_curvature[4];
    terms.cost.store(of_cost), terms.slope.store(of_slope), terms.curvature.store(of_curvature);
    for (int i = 0; i < count; ++i) {
      const RowBlock& b = blocks[i];
      const int first = b.first;
      EXPECT_EQ(zone[i], cone_force(dim, x + first, D + first, b.mu, b.friction, expected + first, expected_cost));
      ++zones[static_cast<int>(zone[i])];
      for (int j = first; j < first + dim; ++j) EXPECT_EQ(force[j], expected[j]);
      double one[3] = {};
      cone_along_line(cone_line(dim, x + first, v + first, D + first, b.mu, b.friction), alpha, one[0], one[1], one[2]);
      EXPECT_EQ(of_cost[i], one[0]);
      EXPECT_EQ(of_slope[i], one[1]);
      EXPECT_EQ(of_curvature[i], one[2]);
    }
    EXPECT_EQ(cost, expected_cost);
  }
  for (const int count : zones) EXPECT_GT(count, 50);
}

TEST(Cones, BlockMinimumMeetsItsConditions) {
  int apex = 0, surface = 0, inside = 0;
  for (int k = 0; k < 4000; ++k) {
    const int dims[] = {3, 4, 6}, dim = dims[k % 3];
    const Contact contact(dim);
    double B[36], A[36], c[6], f[6];
    for (double& x : B) x = uniform(-1, 1);
    for (int i = 0; i < dim; ++i) {
      c[i] = uniform(-1, 1) * (k % 2 ? 1 : 100);
      f[i] = 0;
      for (int j = 0; j < dim; ++j) {
        A[i * dim + j] = i == j ? contact.R[i] * (k % 5 ? 1 : 1e-3) : 0;
        for (int l = 0; l < dim; ++l) A[i * dim + j] += B[i * dim + l] * B[j * dim + l];
      }
    }
    f[0] = k % 4 == 0 ? uniform(0, 10) : 0;
    ConeBlock<double> block;
    prepare_cone_block(dim, A, contact.friction, block);
    solve_cone_block(block, c, f);
    // z = A f + c lies in the dual cone z_0 >= |(m_j z_j)| and is orthogonal to f
    double z[6], size = 0, product = 0, tangent = 0, dual = 0;
    for (int i = 0; i < dim; ++i) {
      z[i] = c[i];
      for (int j = 0; j < dim; ++j) z[i] += A[i * dim + j] * f[j];
      size += std::fabs(c[i]);
      product += z[i] * f[i];
      if (i == 0) continue;
      tangent += std::pow(f[i] / contact.friction[i - 1], 2);
      dual += std::pow(z[i] * contact.friction[i - 1], 2);
    }
    EXPECT_LE(std::sqrt(tangent), f[0] * (1 + 1e-12));
    EXPECT_LE(std::sqrt(dual), z[0] + 1e-9 * size) << k;
    EXPECT_NEAR(product, 0, 1e-9 * size * (1 + f[0])) << k;
    (f[0] == 0 ? apex : std::sqrt(tangent) < f[0] * (1 - 1e-9) ? inside : surface) += 1;
  }
  EXPECT_GT(apex, 100);
  EXPECT_GT(surface, 100);
  EXPECT_GT(inside, 100);
}

TEST(Cones, TangentsWithinABound) {
  for (int k = 0; k < 2000; ++k) {
    const int sizes[] = {2, 3, 5}, n = sizes[k % 3];
    double B[25], A[25], b[5], d[5], x[5];
    const double r = uniform(1, 5);  // twenty iterations are not enough for very small bounds
    for (double& v : B) v = uniform(-1, 1);
    for (int i = 0; i < n; ++i) {
      b[i] = uniform(-5, 5);
      d[i] = uniform(0.2, 1.5);
      for (int j = 0; j < n; ++j) {
        A[i * n + j] = i == j ? 0.1 : 0;
        for (int l = 0; l < n; ++l) A[i * n + j] += B[i * n + l] * B[j * n + l];
      }
    }
    const bool held = solve_qcqp(n, A, b, d, r, x);
    double squares = 0, multiplier = 0;
    for (int i = 0; i < n; ++i) squares += x[i] / d[i] * (x[i] / d[i]);
    EXPECT_LE(squares, r * r + 1e-6);
    for (int i = 0; i < n; ++i) {
      // A x + b = -lambda x / d^2
      double g = b[i];
      for (int j = 0; j < n; ++j) g += A[i * n + j] * x[j];
      if (!held) {
        EXPECT_NEAR(g, 0, 1e-8);
      } else {
        const double here = -g * d[i] * d[i] / x[i];
        if (i > 0) {
          EXPECT_NEAR(here, multiplier, 1e-3 * (1 + std::fabs(here)) / std::min(1.0, std::fabs(x[i])));
        }
        multiplier = here;
        EXPECT_GT(here, -1e-6);
      }
    }
  }
}

TEST(Ordering, PatternIsThatOfTheElimination) {
  for (int k = 0; k < 40; ++k) {
    const int n = 2 + k * 3;
    Arena arena;
    BlockSets sets{n, (n + 63) / 64, nullptr};
    sets.bits = arena.take<uint64_t>(static_cast<size_t>(n) * sets.words);
    std::fill(sets.bits, sets.bits + n * sets.words, uint64_t{0});
    std::vector<std::vector<char>> graph(n, std::vector<char>(n, 0));
    for (int e = 0; e < 2 * n; ++e) {
      const int a = static_cast<int>(generator() % n), b = static_cast<int>(generator() % n);
      if (a == b) continue;
      sets.add(a, b), sets.add(b, a);
      graph[a][b] = graph[b][a] = 1;
    }
    std::vector<int> order(n), parent(n), place(n);
    ASSERT_TRUE(order_blocks(sets, arena, order, parent));
    std::vector<char> seen(n, 0);
    for (int i = 0; i < n; ++i) place[order[i]] = i, ++seen[order[i]];
    for (const char s : seen) EXPECT_EQ(s, 1);
    // eliminate in this order by hand: what remains of each row is inside its set
    for (const int v : order) {
      for (int i = 0; i < n; ++i) {
        if (place[i] <= place[v] || !graph[v][i]) continue;
        EXPECT_TRUE(sets.has(v, i));
        for (int j = 0; j < n; ++j) {
          if (j != i && place[j] > place[v] && graph[v][j]) graph[i][j] = 1;
        }
      }
      if (parent[v] >= 0) {
        EXPECT_GT(place[parent[v]], place[v]);
      }
    }
  }
}

}  // namespace
}  // namespace pliant

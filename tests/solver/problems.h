#pragma once
// Random problems for solvers: kinematic forests, rows of every law, both kinds of cones, and the awkward ones (rows
// twice, rows against each other, masses a million to one); and an exact solver in long double to compare with.

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "math/tree_matrix.h"
#include "solver/problem.h"

namespace pliant::testing {

struct ProblemChoice {
  int dofs = 20, groups = 12;
  bool elliptic = true;
  bool awkward = false;  // duplicates, opposing rows, mass ratios of 10^6
  int free_bodies = 0;   // instead of random trees: so many bodies of six dofs
};

/// A problem that owns its numbers.
class RandomProblem {
 public:
  RandomProblem(unsigned seed, const ProblemChoice& choice) : random_(seed), choice_(choice) {
    make_forest();
    make_mass();
    make_rows();
    make_vectors();
  }
  RandomProblem(const RandomProblem&) = delete;

  SolverProblem view(int iterations = 100, double tolerance = 1e-8) const {
    SolverProblem p;
    p.pattern = {n, rownnz.data(), rowadr.data(), colind.data(), parent.data(), chain.data()};
    p.M = M.data();
    p.LD = LD.data();
    p.inverse_D = inverse_D.data();
    p.rows = {.n = static_cast<int>(aref.size()),
              .Jadr = Jadr.data(),
              .segadr = segadr.data(),
              .segnum = segnum.data(),
              .segment_dof = segment_dof.data(),
              .segment_len = segment_len.data(),
              .J = J.data(),
              .aref = aref.data(),
              .D = D.data(),
              .R = R.data()};
    p.blocks = blocks;
    p.qvel = qvel;
    p.qacc_smooth = qacc_smooth;
    p.qfrc_smooth = qfrc_smooth;
    p.timestep = 0.002;
    p.opt.iterations = iterations;
    p.opt.tolerance = tolerance;
    double trace = 0;
    for (int i = 0; i < n; ++i) trace += M[rowadr[i] + rownnz[i] - 1];
    p.opt.scale = n > 0 ? 1 / trace : 1;
    return p;
  }

  /// Dense copies.
  std::vector<double> dense_mass() const {
    std::vector<double> full(n * n, 0.0);
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < rownnz[i]; ++c) {
        const int j = colind[rowadr[i] + c];
        full[i * n + j] = full[j * n + i] = M[rowadr[i] + c];
      }
    }
    return full;
  }
  std::vector<double> dense_rows() const {
    std::vector<double> full(aref.size() * n, 0.0);
    for (size_t r = 0; r < aref.size(); ++r) {
      const double* from = J.data() + Jadr[r];
      for (int s = segadr[r]; s < segadr[r] + segnum[r]; ++s) {
        for (int c = 0; c < segment_len[s]; ++c) full[r * n + segment_dof[s] + c] = *from++;
      }
    }
    return full;
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  int n = 0;
  std::vector<int> parent, chain, rownnz, rowadr, colind;
  std::vector<double> M, LD, inverse_D;
  std::vector<int> Jadr, segadr, segnum, segment_dof, segment_len;
  std::vector<double> J, aref, D, R;
  std::vector<RowBlock> blocks;
  std::vector<std::unique_ptr<double[]>> frictions;
  std::vector<double> qvel, qacc_smooth, qfrc_smooth;

 private:
  void make_forest() {
    n = choice_.free_bodies > 0 ? 6 * choice_.free_bodies : choice_.dofs;
    parent.resize(n);
    chain.resize(n);
    rownnz.resize(n);
    rowadr.resize(n);
    for (int i = 0; i < n; ++i) {
      parent[i] = i - 1;
      if (choice_.free_bodies > 0) {
        if (i % 6 == 0) parent[i] = -1;
      } else if (i > 0) {
        // mostly chains; branches start anywhere in the tree before it, trees at the world
        const int kind = below(10);
        if (kind == 0) parent[i] = -1;
        if (kind == 1) {
          int up = i - 1;
          for (int k = below(4); k > 0 && parent[up] >= 0; --k) up = parent[up];
          parent[i] = up;
        }
      }
      chain[i] = i > 0 && parent[i] == i - 1 ? chain[i - 1] + 1 : 0;
      rownnz[i] = parent[i] >= 0 ? rownnz[parent[i]] + 1 : 1;
      rowadr[i] = static_cast<int>(colind.size());
      const std::vector<int> up = ancestors(i);
      colind.insert(colind.end(), up.begin(), up.end());
    }
  }
  std::vector<int> ancestors(int i) const {
    std::vector<int> list;
    for (; i >= 0; i = parent[i]) list.insert(list.begin(), i);
    return list;
  }

  void make_mass() {
    // M = L' D L from a random L
    std::vector<double> L(colind.size()), pivot(n);
    for (int i = 0; i < n; ++i) {
      pivot[i] = choice_.awkward ? std::pow(10, uniform(-3, 3)) : uniform(0.2, 3);
      for (int c = 0; c < rownnz[i]; ++c) L[rowadr[i] + c] = uniform(-0.8, 0.8);
      L[rowadr[i] + rownnz[i] - 1] = 1;
    }
    M.assign(colind.size(), 0.0);
    for (int k = 0; k < n; ++k) {
      for (int a = 0; a < rownnz[k]; ++a) {
        const int i = colind[rowadr[k] + a];
        for (int b = 0; b <= a; ++b) M[rowadr[i] + b] += L[rowadr[k] + a] * pivot[k] * L[rowadr[k] + b];
      }
    }
    LD = M;
    inverse_D.resize(n);
    factor_tree(TreePattern<const int*>{n, rownnz.data(), rowadr.data(), colind.data(), parent.data(), chain.data()},
                LD.data(), inverse_D.data());
  }

  /// Columns of one or two chains as segments; returns their number of dofs.
  int add_segments(std::vector<int> dofs) {
    std::sort(dofs.begin(), dofs.end());
    dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
    for (size_t k = 0; k < dofs.size(); ++k) {
      if (k == 0 || dofs[k] != dofs[k - 1] + 1) segment_dof.push_back(dofs[k]), segment_len.push_back(0);
      ++segment_len.back();
    }
    return static_cast<int>(dofs.size());
  }
  std::vector<int> chain_of(int dof) const {
    return choice_.free_bodies > 0 ? ancestors(dof / 6 * 6 + 5) : ancestors(dof);
  }

  void add_row(const std::vector<double>& numbers, int segment, int segments, double target, double regularizer) {
    Jadr.push_back(static_cast<int>(J.size()));
    segadr.push_back(segment);
    segnum.push_back(segments);
    J.insert(J.end(), numbers.begin(), numbers.end());
    aref.push_back(target);
    R.push_back(regularizer);
    D.push_back(1 / regularizer);
  }

  /// R of a row relative to its own J inv(M) J', as impedances between 0.9999 and 0.1 make it.
  double random_regularizer(const std::vector<double>& numbers, int segment, int segments) {
    std::vector<double> column(n, 0.0);
    const double* from = numbers.data();
    for (int s = segment; s < segment + segments; ++s) {
      for (int c = 0; c < segment_len[s]; ++c) column[segment_dof[s] + c] = *from++;
    }
    const double A = inverse_quadratic_form(view().pattern, LD.data(), inverse_D.data(), column.data(), n - 1);
    return A * std::pow(10, choice_.awkward ? uniform(-4, 1) : uniform(-2, 0.5));
  }

  void make_rows() {
    const auto numbers = [&](int width) {
      std::vector<double> row(width);
      for (double& x : row) x = uniform(-1, 1);
      return row;
    };
    std::vector<int> laws;
    for (int g = 0; g < choice_.groups; ++g) laws.push_back(below(choice_.awkward ? 7 : 6));
    std::sort(laws.begin(), laws.end());  // equalities, friction, limits, contacts: the order of rows
    for (const int law : laws) {
      const int segment = static_cast<int>(segment_dof.size());
      const bool single = law == 1 || law == 2;
      std::vector<int> dofs = single ? std::vector<int>{below(n)} : chain_of(below(n));
      if (!single && below(3) > 0) {
        for (const int d : chain_of(below(n))) dofs.push_back(d);
      }
      const int width = add_segments(dofs), segments = static_cast<int>(segment_dof.size()) - segment;
      const double target = uniform(-20, 20);
      const auto first = single ? std::vector<double>{below(2) ? 1.0 : -1.0} : numbers(width);
      const double regularizer = random_regularizer(first, segment, segments);
      if (law == 0) {
        for (int r = 1 + below(3); r > 0; --r) {
          const auto row = numbers(width);
          add_row(row, segment, segments, uniform(-20, 20), random_regularizer(row, segment, segments));
          add_block(RowLaw::kEquality, 1, 0, 0);
        }
      } else if (law == 1) {
        add_row({1.0}, segment, segments, target, regularizer);
        add_block(RowLaw::kFriction, 1, uniform(0.1, 10), 0);
      } else if (law == 2) {
        add_row(first, segment, segments, target, regularizer);
        add_block(RowLaw::kUnilateral, 1, 0, 0);
      } else if (law == 3) {
        add_row(first, segment, segments, target, regularizer);
        add_block(RowLaw::kUnilateral, 1, 0, 0);
      } else if (law == 4 || law == 5) {
        add_contact(segment, segments, first, target, regularizer, numbers);
      } else {
        // the same row twice, and against itself
        const auto& row = first;
        auto opposite = row;
        for (double& x : opposite) x = -x;
        for (const auto& numbers_of : {row, row, opposite}) {
          add_row(numbers_of, segment, segments, target, regularizer);
          add_block(RowLaw::kUnilateral, 1, 0, 0);
        }
      }
    }
  }

  template <class F>
  void add_contact(int segment, int segments, const std::vector<double>& normal, double target, double regularizer,
                   F numbers) {
    const int width = static_cast<int>(normal.size());
    const int dims[] = {3, 4, 6}, dim = dims[below(3)];
    auto friction = std::make_unique<double[]>(5);
    friction[0] = friction[1] = uniform(0.1, 1.5);
    if (below(2)) friction[1] = uniform(0.1, 1.5);
    friction[2] = uniform(0.005, 0.3);
    friction[3] = friction[4] = uniform(0.001, 0.1);
    if (!choice_.elliptic) {
      for (int j = 1; j < dim; ++j) {
        const auto tangent = numbers(width);
        for (const double sign : {1.0, -1.0}) {
          auto row = normal;
          for (int c = 0; c < width; ++c) row[c] += sign * friction[j - 1] * tangent[c];
          add_row(row, segment, segments, target + sign * friction[j - 1], regularizer);
          add_block(RowLaw::kUnilateral, 1, 0, 0);
          if (j == 1 && sign > 0) blocks.back().edges = 2 * (dim - 1);
        }
      }
      return;
    }
    // R_j m_j^2 = R_0 mu^2 for all tangents
    const double impratio = uniform(0.5, 10), mu = friction[0] / std::sqrt(impratio);
    for (int j = 0; j < dim; ++j) {
      add_row(j == 0 ? normal : numbers(width), segment, segments, j == 0 ? target : uniform(-10, 10),
              j == 0 ? regularizer : regularizer * mu * mu / (friction[j - 1] * friction[j - 1]));
    }
    add_block(RowLaw::kElliptic, dim, 0, mu);
    blocks.back().friction = friction.get();
    frictions.push_back(std::move(friction));
  }

  void add_block(RowLaw law, int dim, double bound, double mu) {
    blocks.push_back(
        {{.first = static_cast<int>(aref.size()) - dim, .dim = dim, .law = law, .bound = bound, .mu = mu}});
  }

  void make_vectors() {
    qfrc_smooth.resize(n);
    qvel.assign(n, 0.0);
    for (double& x : qfrc_smooth) x = uniform(-10, 10);
    qacc_smooth = qfrc_smooth;
    solve_tree(view().pattern, LD.data(), inverse_D.data(), qacc_smooth.data());
  }

  std::mt19937 random_;
  ProblemChoice choice_;
};

/// Cost and its derivatives at a, dense and in long double.
struct ExactPoint {
  long double cost = 0;
  std::vector<long double> gradient, hessian;
};

ExactPoint exact_point(const RandomProblem& problem, const std::vector<long double>& a, bool with_hessian);
/// The minimum, by damped Newton in long double.
std::vector<long double> exact_minimum(const RandomProblem& problem);

}  // namespace pliant::testing

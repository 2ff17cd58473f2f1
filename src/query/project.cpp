// A state that satisfies its equalities, by Gauss-Newton in the metric of kinetic energy.
//
//   Δq = -M⁻¹ J' (J M⁻¹ J')⁻¹ C,   v ← v - M⁻¹ J' (J M⁻¹ J')⁻¹ J v
//
// reads rows of equalities, qLD · writes qpos qvel of the State · allocates: not for use within a step
// J M⁻¹ J' may be singular (equalities that repeat each other): its eigenvalues are lifted by a hair.

#include <algorithm>
#include <cmath>

#include "constraint/kinds/mimic_soft_hd.h"
#include "constraint/reference_hd.h"
#include "inertia/inertia.h"
#include "integrate/integrate.h"
#include "joint/followers_hd.h"
#include "pliant/mimic.h"
#include "step/stages.h"

namespace pliant {
namespace {

// Followers of hard and soft mimics, too, go where their leaders put them: chains need as many passes as links.
void snap_followers(const Model& m, State& s) {
  for (int pass = 0; pass < m.nmimic; ++pass) {
    bool moved = false;
    for (int i = 0; i < m.nmimic; ++i) {
      if (!s.eq_active[m.mimic_eqid[i]]) continue;
      const MimicChain<Model> chain{m, i};
      double position = -m.mimic_offset[i], speed = 0;
      for (int k = 1; k < chain.count(); ++k) {
        position -= chain.coefficient(k) * s.qpos[m.jnt_qposadr[chain.joint(k)]];
        speed -= chain.coefficient(k) * s.qvel[chain.dof(k)];
      }
      double &q = s.qpos[m.jnt_qposadr[chain.joint(0)]], &v = s.qvel[chain.dof(0)];
      moved = moved || q != position || v != speed;
      q = position;
      v = speed;
    }
    if (!moved) return;
  }
}

class Projector {
 public:
  Projector(const Model& m, State& s) : m_(m), s_(s), d_(m) {}

  Projection run() {
    constexpr int kMostIterations = 50;
    constexpr double kEnough = 1e-12;
    Projection result;
    result.before = evaluate();
    if (!(m_.opt.disableflags & (kDisableConstraint | kDisableEquality))) snap_followers(m_, s_);
    result.after = evaluate();
    while (result.after > kEnough && result.iterations < kMostIterations) {
      ++result.iterations;
      move(residual_, [&](const std::vector<double>& step) { integrate_pos(m_, s_.qpos, step.data(), 1); });
      follow(m_, s_);
      const double now = evaluate();
      if (!(now < result.after)) {
        result.after = now;
        break;
      }
      result.after = now;
    }
    // velocities, once
    std::vector<double> speed(residual_.size());
    for (size_t i = 0; i < speed.size(); ++i) speed[i] = row_times(d_.rows, static_cast<int>(i), s_.qvel);
    move(speed, [&](const std::vector<double>& change) {
      for (int i = 0; i < m_.nv; ++i) s_.qvel[i] += change[i];
    });
    follow(m_, s_);
    return result;
  }

 private:
  // Rows at the state; the largest residual of an equality.
  double evaluate() {
    for (const auto run : {run_poses, run_com, run_tendons, run_inertia, run_collision, run_constraint})
      run(m_, s_, d_);
    residual_.assign(d_.rows.row_pos, d_.rows.row_pos + d_.rows.ne);
    double largest = 0;
    for (const double x : residual_) largest = std::max(largest, std::abs(x));
    // exact ones have no rows
    each_follower(m_, s_, [&](const Follower<Model>& f) {
      largest = std::max(largest, std::abs(mimic_residual(m_, s_, f.mimic)));
    });
    return largest;
  }

  // apply(-M⁻¹ J' (J M⁻¹ J')⁻¹ c).
  template <class F>
  void move(const std::vector<double>& c, F&& apply) {
    const int n = static_cast<int>(c.size()), nv = m_.nv;
    if (n == 0) return;
    std::vector<double> X(static_cast<size_t>(n) * nv, 0.0), A(static_cast<size_t>(n) * n), x = c;
    for (int i = 0; i < n; ++i) {
      add_row_times(d_.rows, i, 1.0, X.data() + i * nv);
      solve_mass(m_, d_, X.data() + i * nv);
      for (int k = 0; k <= i; ++k) A[i * n + k] = row_times(d_.rows, k, X.data() + i * nv);
    }
    solve_lifted(A, x, n);
    std::vector<double> step(static_cast<size_t>(nv), 0.0);
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < nv; ++k) step[k] -= x[i] * X[i * nv + k];
    }
    fill_followers(m_, s_, step.data());
    apply(step);
  }

  // x becomes (A + lift)⁻¹ x by Cholesky; the lower half of A is read, and spent.
  static void solve_lifted(std::vector<double>& A, std::vector<double>& x, int n) {
    constexpr double kLift = 1e-13;
    double most = 0;
    for (int i = 0; i < n; ++i) most = std::max(most, A[i * n + i]);
    for (int i = 0; i < n; ++i) {
      A[i * n + i] += kLift * most;
      for (int k = 0; k <= i; ++k) {
        double sum = A[i * n + k];
        for (int c = 0; c < k; ++c) sum -= A[i * n + c] * A[k * n + c];
        A[i * n + k] = k < i ? sum / A[k * n + k] : std::sqrt(std::max(sum, kLift * most));
      }
    }
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < i; ++c) x[i] -= A[i * n + c] * x[c];
      x[i] /= A[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int c = i + 1; c < n; ++c) x[i] -= A[c * n + i] * x[c];
      x[i] /= A[i * n + i];
    }
  }

  const Model& m_;
  State& s_;
  Data d_;
  std::vector<double> residual_;
};

}  // namespace

Projection project_state(const Model& m, State& s) { return Projector(m, s).run(); }

}  // namespace pliant

#pragma once
// A system small enough for closed forms: masses that move along one axis each, coupled by linear rows
// C = sum of G_i q_i + offset, moved step by step by a solver alone.

#include <cmath>
#include <vector>

#include "solver/solvers.h"

namespace pliant::testing {

/// How a row answers to its violation: a+ + R f = -B u - Kd C.
struct RowLawNumbers {
  double R, B, Kd;
};
/// Spring of natural frequency mu [rad/s] and damping ratio zeta, implicit over steps of h; r = J inv(M) J'.
inline RowLawNumbers spring_row(double r, double mu, double zeta, double h) {
  const double s = h * mu * (h * mu + 2 * zeta);
  return {r / s, 1 / h, mu / (h * mu + 2 * zeta) / h};
}
/// Rigid, with a share erp of the violation corrected per step.
inline RowLawNumbers rigid_row(double r, double erp, double h) { return {1e-6 * r, 1 / h, erp / (h * h)}; }
/// solref (timeconst, dampratio) and a flat impedance d.
inline RowLawNumbers reference_row(double r, double timeconst, double dampratio, double d) {
  return {(1 - d) / d * r, 2 / (d * timeconst), 1 / (d * timeconst * timeconst * dampratio * dampratio)};
}

class RowSystem {
 public:
  struct Coupling {
    std::vector<int> dof;
    std::vector<double> gear;
    RowLawNumbers law;
    double offset = 0;
  };

  explicit RowSystem(std::vector<double> masses)
      : mass(std::move(masses)), q(mass.size()), v(mass.size()), force(mass.size()) {
    const int n = static_cast<int>(mass.size());
    for (int i = 0; i < n; ++i) {
      rownnz_.push_back(1);
      rowadr_.push_back(i);
      colind_.push_back(i);
      parent_.push_back(-1);
      chain_.push_back(0);
      inverse_.push_back(1 / mass[i]);
    }
  }

  double r(const std::vector<int>& dof, const std::vector<double>& gear) const {
    double sum = 0;
    for (size_t k = 0; k < dof.size(); ++k) sum += gear[k] * gear[k] / mass[dof[k]];
    return sum;
  }
  double violation(int row) const { return product(row, q) + couplings[row].offset; }

  /// One step of h with solver number `solver` of the table.
  SolverReport step(int solver, double h, int substeps, int sweeps) {
    const int n = static_cast<int>(mass.size()), rows = static_cast<int>(couplings.size());
    row_force.resize(rows);
    last_force.resize(rows);
    std::vector<double> smooth(n), qacc(n), moving(rows), aref(rows), D(rows), R(rows), pos(rows), vel(rows),
        KBIP(4 * rows);
    std::vector<double> margin(rows), J;
    std::vector<int> Jadr, segadr, segnum, segment_dof, segment_len, state(rows);
    std::vector<RowBlock> blocks;
    for (int i = 0; i < n; ++i) smooth[i] = force[i] / mass[i];
    for (int i = 0; i < rows; ++i) {
      const Coupling& c = couplings[i];
      Jadr.push_back(static_cast<int>(J.size()));
      segadr.push_back(static_cast<int>(segment_dof.size()));
      segnum.push_back(static_cast<int>(c.dof.size()));
      for (size_t k = 0; k < c.dof.size(); ++k) {
        J.push_back(c.gear[k]);
        segment_dof.push_back(c.dof[k]);
        segment_len.push_back(1);
      }
      pos[i] = violation(i);
      vel[i] = product(i, v);
      KBIP[4 * i] = c.law.Kd;
      KBIP[4 * i + 1] = c.law.B;
      KBIP[4 * i + 2] = 1;
      aref[i] = -c.law.B * vel[i] - c.law.Kd * pos[i];
      R[i] = c.law.R;
      D[i] = 1 / R[i];
      if (together && i > 0) continue;
      RowBlock& block = blocks.emplace_back();
      block.first = i;
      block.dim = together ? rows : 1;
      block.cold_start = cold;
    }
    SolverProblem p;
    p.pattern = {n, rownnz_.data(), rowadr_.data(), colind_.data(), parent_.data(), chain_.data()};
    p.M = mass.data();
    p.LD = mass.data();
    p.inverse_D = inverse_.data();
    p.rows = {.n = rows,
              .Jadr = Jadr.data(),
              .segadr = segadr.data(),
              .segnum = segnum.data(),
              .segment_dof = segment_dof.data(),
              .segment_len = segment_len.data(),
              .J = J.data(),
              .aref = aref.data(),
              .D = D.data(),
              .R = R.data(),
              .pos = pos.data(),
              .margin = margin.data(),
              .vel = vel.data(),
              .KBIP = KBIP.data()};
    p.blocks = blocks;
    p.qvel = v;
    p.qacc_smooth = smooth;
    p.qfrc_smooth = force;
    p.timestep = h;
    p.opt.substeps = substeps;
    p.opt.sweeps = sweeps;
    p.opt.iterations = sweeps;
    p.opt.tolerance = tolerance;
    p.opt.last_force = last_force;
    p.opt.moving_force = moving;
    const bool temporal = solver == 3;
    row_force = temporal ? memory_ : row_force;
    row_force.resize(rows);
    if (!warm) std::fill(row_force.begin(), row_force.end(), 0.0);
    qacc = smooth;
    arena_.reset();
    const SolverReport report = solver_table()[solver].solve(p, arena_, qacc, row_force, state);
    memory_ = last_force;
    // velocities with the mean force, positions with the mean velocity
    const double reach = temporal ? h * (substeps + 1) / (2.0 * substeps) : h;
    std::vector<double> felt = smooth;
    for (int i = 0; i < rows; ++i) {
      for (size_t k = 0; k < couplings[i].dof.size(); ++k) {
        const int dof = couplings[i].dof[k];
        felt[dof] += couplings[i].gear[k] * (temporal ? moving[i] : row_force[i]) / mass[dof];
      }
    }
    for (int i = 0; i < n; ++i) {
      q[i] += h * (v[i] + reach * felt[i]);
      v[i] += h * qacc[i];
    }
    return report;
  }

  std::vector<double> mass, q, v, force;
  std::vector<Coupling> couplings;
  std::vector<double> row_force, last_force;
  bool together = false, warm = true, cold = false;
  double tolerance = 0;

 private:
  double product(int row, const std::vector<double>& x) const {
    double sum = 0;
    for (size_t k = 0; k < couplings[row].dof.size(); ++k) sum += couplings[row].gear[k] * x[couplings[row].dof[k]];
    return sum;
  }
  std::vector<int> rownnz_, rowadr_, colind_, parent_, chain_;
  std::vector<double> inverse_, memory_;
  Arena arena_;
};

}  // namespace pliant::testing

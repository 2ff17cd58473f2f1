// implicit and implicitfast: velocities change as the forces at the end of the step say, to first
// order,
//
//   (M - h D) qacc = qfrc_smooth + qfrc_constraint,   D = d(smooth forces)/d(qvel)
//
// implicit takes the whole of D and solves by tree-sparse LU. implicitfast leaves the bias force
// out, which makes M - h D symmetric: L'DL factors in the pattern of M; bodies that float alone are
// solved in full, six by six. Constraint forces are not differentiated.
//
// reads M qfrc_smooth qfrc_constraint and what smooth_derivative.cpp reads
// writes qDeriv, qLU or qH and qHDiagInv, qacc_advance

#include <algorithm>

#include "integrate/free_body_hd.h"
#include "integrate/integrate.h"
#include "integrate/smooth_derivative.h"
#include "math/tree_lu.h"
#include "math/tree_matrix.h"
#include "state/fault.h"

namespace pliant {
namespace {

void set_force(const Model& m, Data& d) {
  for (int i = 0; i < m.nv; ++i) d.qacc_advance[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
}

}  // namespace

void advance_implicit(const Model& m, const State& s, Data& d, ForwardFn) {
  const double h = m.opt.timestep;
  compute_smooth_derivative(m, s, d, SmoothDerivative::kFull);
  for (int i = 0; i < m.nD; ++i) {
    const int from = m.mapM2D[i];
    d.qLU[i] = (from >= 0 ? d.M[from] : 0) - h * d.qDeriv[i];
  }
  factor_tree_lu(derivative_pattern(m), d.qLU);
  set_force(m, d);
  const auto solve = [&](double* x) { solve_tree_lu(derivative_pattern(m), d.qLU, x); };
  solve(d.qacc_advance);
  advance_state(m, s, d, d.act_dot, d.qacc_advance, mean_velocity(m, s, d, solve));
}

void assemble_implicitfast(const Model& m, const State& s, Data& d) {
  const double h = m.opt.timestep;
  compute_smooth_derivative(m, s, d, SmoothDerivative::kSymmetric);
  for (int i = 0; i < m.nC; ++i) d.qH[i] = d.M[i] - h * d.qDeriv[m.mapD2M[i]];
  // Bodies that float alone are solved by themselves; their place in qH only has to be regular.
  for (int j = 0; j < m.njnt; ++j) {
    if (!is_free_body(m, j)) continue;
    const int first = m.M_rowadr[m.jnt_dofadr[j]], last = m.jnt_dofadr[j] + 5;
    for (int i = first; i < m.M_rowadr[last] + m.M_rownnz[last]; ++i) d.qH[i] = d.M[i];
  }
}

namespace {

// x becomes the acceleration that belongs to the force x; qH is factored. Free bodies are trees with a matrix of their
// own; where it is singular, qH serves.
void solve_implicitfast(const Model& m, const State& s, Data& d, double* x) {
  int solved = 0;  // dofs before this one are done
  for (int j = 0; j < m.njnt; ++j) {
    if (!is_free_body(m, j)) continue;
    const int first = m.jnt_dofadr[j];
    Mat6T<double> a = free_body_matrix(m, s, d, j, m.opt.timestep);
    double body[6];
    std::copy_n(x + first, 6, body);
    if (!solve_lu(a, body)) continue;
    solve_tree(mass_pattern(m), d.qH, d.qHDiagInv, x, solved, first);
    std::copy_n(body, 6, x + first);
    solved = first + 6;
  }
  solve_tree(mass_pattern(m), d.qH, d.qHDiagInv, x, solved, m.nv);
}

}  // namespace

void advance_implicitfast(const Model& m, const State& s, Data& d, ForwardFn) {
  assemble_implicitfast(m, s, d);
  const int bad = factor_tree(mass_pattern(m), d.qH, d.qHDiagInv);
  if (bad >= 0) record_fault(s, d, Fault::kSingularInertia, "qHDiagInv", bad, d.qHDiagInv[bad]);
  set_force(m, d);
  const auto solve = [&](double* x) { solve_implicitfast(m, s, d, x); };
  solve(d.qacc_advance);
  advance_state(m, s, d, d.act_dot, d.qacc_advance, mean_velocity(m, s, d, solve));
}

}  // namespace pliant

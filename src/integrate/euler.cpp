// Semi-implicit Euler on the CPU.

#include "integrate/euler_hd.h"

#include <algorithm>

#include "inertia/inertia.h"
#include "integrate/integrate.h"
#include "joint/followers_hd.h"
#include "math/tree_matrix.h"
#include "state/fault.h"

namespace pliant {

bool has_implicit_damping(const Model& m) { return has_implicit_damping(SerialTeam{}, m); }

namespace {

// qH = M + h Gᵀ B G where joints follow others exactly. With one leader each B stays diagonal, with several it does
// not.
void add_damping_with_followers(const Model& m, const State& s, Data& d) {
  const auto diagonal = [&](int i) -> double& { return d.qH[m.M_rowadr[i] + m.M_rownnz[i] - 1]; };
  double* b = d.dof_scratch;
  for (int i = 0; i < m.nv; ++i) b[i] = m.opt.timestep * joint_damping(m, i).slope(s.qvel[i]);
  bool several = false;
  each_follower(m, s, [&](const Follower<Model>& follower) {
    several = several || follower.leaders() > 1;
    b[follower.leader(0)] += follower.ratio(0) * follower.ratio(0) * b[follower.dof];
  });
  if (!several) {
    std::copy_n(d.M, m.nC, d.qH);
    for (int i = 0; i < m.nv; ++i) diagonal(i) += b[i];
    return;
  }
  std::fill_n(d.qH, m.nC, 0.0);
  for (int i = 0; i < m.nv; ++i) diagonal(i) = m.opt.timestep * joint_damping(m, i).slope(s.qvel[i]);
  reduce_symmetric(m, s, d.qH);
  for (int i = 0; i < m.nC; ++i) d.qH[i] += d.M[i];
}

int implicit_damping_with_followers(const Model& m, const State& s, Data& d) {
  add_damping_with_followers(m, s, d);
  for (int i = 0; i < m.nv; ++i) d.qacc_advance[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  const int bad = factor_tree(mass_pattern(m), d.qH, d.qHDiagInv);
  solve_tree(mass_pattern(m), d.qH, d.qHDiagInv, d.qacc_advance);
  return bad;
}

}  // namespace

void advance_euler(const Model& m, const State& s, Data& d, ForwardFn) {
  if (!has_implicit_damping(m)) {
    advance_state(m, s, d, d.act_dot, d.qacc, mean_velocity(m, s, d, [&](double* x) { solve_mass(m, d, x); }));
    return;
  }
  const int bad = m.nfollower ? implicit_damping_with_followers(m, s, d) : implicit_damping(SerialTeam{}, m, s, d);
  if (bad >= 0) record_fault(s, d, Fault::kSingularInertia, "qHDiagInv", bad, d.qHDiagInv[bad]);
  const double* qvel = mean_velocity(m, s, d, [&](double* x) { solve_tree(mass_pattern(m), d.qH, d.qHDiagInv, x); });
  advance_state(m, s, d, d.act_dot, d.qacc_advance, qvel);
}

}  // namespace pliant

// Springs, dampers and actuator gains of a model: where each acts, how stiff, how damped, and what a step makes of it.

#include "doctor/doctor_smooth.h"

#include <algorithm>
#include <complex>

namespace pliant::doctoring {
namespace {

void add_joints(const Model& m, bool euler_damp, bool implicit, std::vector<Smooth>& out) {
  for (int dof = 0; dof < m.nv; ++dof) {
    const int joint = m.dof_jntid[dof];
    const double k = m.opt.disableflags & kDisableSpring ? 0 : m.jnt_stiffness[joint];
    const double b = m.opt.disableflags & kDisableDamper ? 0 : m.dof_damping[dof];
    if (k == 0 && b == 0) continue;
    Smooth e{k > 0 ? "spring" : "damper", ObjType::kJoint, joint, std::vector<double>(m.nv), k, b,
             implicit || euler_damp};
    e.j[dof] = 1;
    out.push_back(std::move(e));
  }
}

void add_tendons(const Model& m, const Data& d, bool implicit, std::vector<Smooth>& out) {
  for (int t = 0; t < m.ntendon; ++t) {
    const double k = m.opt.disableflags & kDisableSpring ? 0 : m.tendon_stiffness[t];
    const double b = m.opt.disableflags & kDisableDamper ? 0 : m.tendon_damping[t];
    if (k == 0 && b == 0) continue;
    const int adr = m.ten_J_rowadr[t];
    out.push_back({k > 0 ? "spring" : "damper", ObjType::kTendon, t,
                   sparse_row(m.nv, m.ten_J_colind + adr, d.ten_J + adr, m.ten_J_rownnz[t]), k, b, implicit});
  }
}

// Force of an actuator's output after the state moved by a small amount.
double force_at(const Model& m, const State& s, Data& d, int out) {
  run_phases(m, s, d, Phase::kPosition, Phase::kForce, false);
  return d.actuator_force[out];
}

// Slope of the force along p = inv(M) j by difference: for laws that are not affine.
void numeric_slopes(const Model& m, const Pose& pose, int out, const std::vector<double>& j, double& k, double& b) {
  std::vector<double> p;
  const double a = inverse_inertia(m, pose.data, j, &p);
  if (!(a > 0)) return;
  constexpr double kSmall = 1e-5;
  State s = pose.state;
  Data d(m);
  const double before = force_at(m, s, d, out);
  for (int i = 0; i < m.nv; ++i) s.qvel[i] += kSmall * p[i] / a;
  b = -(force_at(m, s, d, out) - before) / kSmall;
  s = pose.state;
  for (double& x : p) x /= a;
  integrate_pos(m, s.qpos, p.data(), kSmall);
  k = -(force_at(m, s, d, out) - before) / kSmall;
}

void add_actuators(const Model& m, const Pose& pose, bool implicit, std::vector<Smooth>& out) {
  if (m.opt.disableflags & kDisableActuation) return;
  const Data& d = pose.data;
  for (int i = 0; i < m.nactuator; ++i) {
    for (int o = m.actuator_outadr[i]; o < m.actuator_outadr[i] + m.actuator_outnum[i]; ++o) {
      const int adr = d.moment_rowadr[o];
      Smooth e{"actuator", ObjType::kActuator,
               i,          sparse_row(m.nv, d.moment_colind + adr, d.actuator_moment + adr, d.moment_rownnz[o]),
               0,          0,
               implicit};
      const auto gain = static_cast<GainType>(m.actuator_gaintype[i]);
      const auto bias = static_cast<BiasType>(m.actuator_biastype[i]);
      if ((gain == GainType::kFixed || gain == GainType::kAffine) &&
          (bias == BiasType::kNone || bias == BiasType::kAffine)) {
        const double* g = m.actuator_gainprm + kNumGain * i;
        const double* b = m.actuator_biasprm + kNumBias * i;
        const bool affine = bias == BiasType::kAffine;
        const double input =
            gain == GainType::kAffine && m.actuator_ctrlnum[i] > 0 ? pose.state.ctrl[m.actuator_ctrladr[i]] : 0;
        e.k = -((affine ? b[1] : 0) + g[1] * input);
        e.b = -((affine ? b[2] : 0) + g[2] * input);
      } else {
        numeric_slopes(m, pose, o, e.j, e.k, e.b);
      }
      if (e.k > 0 || e.b > 0) out.push_back(std::move(e));
    }
  }
}

}  // namespace

std::vector<double> sparse_row(int nv, const int* columns, const double* values, int n) {
  std::vector<double> x(nv);
  for (int i = 0; i < n; ++i) x[columns[i]] = values[i];
  return x;
}

void to_leaders(const Model& m, std::vector<double>& j) {
  // a leader may follow in turn: at most as many rounds as there are mimics
  bool moved = true;
  for (int round = 0; moved && round < m.nmimic; ++round) {
    moved = false;
    for (int i = 0; i < m.nmimic; ++i) {
      const int eq = m.mimic_eqid[i], follower = m.jnt_dofadr[m.eq_obj1id[eq]];
      if (static_cast<MimicMode>(m.mimic_mode[i]) != MimicMode::kExact || j[follower] == 0) continue;
      for (int k = m.mimic_leadadr[i]; k < m.mimic_leadadr[i] + m.mimic_leadnum[i]; ++k) {
        j[m.jnt_dofadr[m.mimic_leadid[k]]] -= m.mimic_gear[k] * j[follower];
      }
      j[follower] = 0;
      moved = true;
    }
  }
}

std::vector<Smooth> smooth_elements(const Model& m, const Pose& pose) {
  const auto integrator = m.opt.integrator;
  const bool implicit = integrator == Integrator::kImplicit || integrator == Integrator::kImplicitFast;
  const bool euler_damp = integrator == Integrator::kEuler && !(m.opt.disableflags & kDisableEulerDamp);
  std::vector<Smooth> all;
  add_joints(m, euler_damp, implicit, all);
  add_tendons(m, pose.data, implicit, all);
  add_actuators(m, pose, implicit, all);
  for (Smooth& e : all) {
    to_leaders(m, e.j);
    e.centred = integrator == Integrator::kMidpoint;
  }
  return all;
}

bool smooth_stable(const SmoothRates& r, double h, bool rk4) {
  if (!rk4) return 2 * h * r.c_explicit + h * h * r.k < 4 + 2 * h * r.c_implicit;
  const double c = r.c_explicit + r.c_implicit;
  const std::complex<double> root = std::sqrt(std::complex<double>(c * c / 4 - r.k));
  for (const auto& lambda : {-c / 2 + root, -c / 2 - root}) {
    const std::complex<double> z = h * lambda;
    if (std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)))) > 1 + 1e-6) return false;
  }
  return true;
}

// Rates along p = inv(M) j of one element, with everything else that acts there.
SmoothRates rates_along(const std::vector<Smooth>& all, const std::vector<double>& p, double pMp, bool alone,
                        const Smooth& own) {
  SmoothRates r;
  for (const Smooth& e : all) {
    if (alone && &e != &own) continue;
    double s = 0;
    for (size_t i = 0; i < p.size(); ++i) s += e.j[i] * p[i];
    const double share = s * s / pMp;
    r.k += std::max(e.k, 0.0) * share;
    if (!e.centred) (e.implicit ? r.c_implicit : r.c_explicit) += std::max(e.b, 0.0) * share;
  }
  return r;
}

}  // namespace pliant::doctoring

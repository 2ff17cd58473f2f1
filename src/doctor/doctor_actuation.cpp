// Loops without damping, and actuators against what they move: vibration, gain, strength.
//
// An actuator with stiffness k and damping c per unit of the inertia it feels swings with ω = √k and damping ratio
// ζ = c / (2 √k); it takes 2π/(ω h) timesteps per period.

#include <algorithm>

#include "doctor/doctor_smooth.h"

namespace pliant::doctoring {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kUndamped = 0.02;  // damping ratio: 20 swings until half is gone
constexpr double kFewSteps = 10;    // per period

// Dofs on the way from a body to the world.
std::vector<int> chain(const Model& m, int body) {
  return {m.B_colind + m.B_rowadr[body], m.B_colind + m.B_rowadr[body] + m.B_rownnz[body]};
}

bool damped(const Model& m, int dof) {
  return m.dof_damping[dof] > 0 || m.dof_frictionloss[dof] > 0 || m.dof_dampingpoly[kNumPoly * dof] != 0 ||
         m.dof_dampingpoly[kNumPoly * dof + 1] != 0;
}

bool free_dof(const Model& m, int dof) { return joint_kind(m.jnt_type[m.dof_jntid[dof]]).floats(); }

// Dofs that only one of the two sides has: those of the loop that joining them closes.
std::vector<int> loop_dofs(const Model& m, int body1, int body2) {
  const std::vector<int> a = chain(m, body1), b = chain(m, body2);
  std::vector<int> loop;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(loop));
  return loop;
}

int body_of(const Model& m, int e, int object) {
  if (object < 0) return 0;
  return static_cast<ObjType>(m.eq_objtype[e]) == ObjType::kSite ? m.site_bodyid[object] : object;
}

}  // namespace

void check_loops(Case& c, const Pose& pose) {
  const Model& m = c.m;
  if (m.opt.integrator == Integrator::kRk4 && m.opt.viscosity > 0) return;
  std::vector<char> driven(m.nv);  // by an actuator that damps
  for (const Smooth& e : smooth_elements(m, pose)) {
    for (int i = 0; i < m.nv; ++i) driven[i] |= e.b > 0 && e.j[i] != 0;
  }
  for (int e = 0; e < m.neq; ++e) {
    if (!equality_kind(m.eq_type[e]).holds_poses() || !m.eq_active0[e]) continue;
    const std::vector<int> loop = loop_dofs(m, body_of(m, e, m.eq_obj1id[e]), body_of(m, e, m.eq_obj2id[e]));
    if (loop.size() < 2 || std::any_of(loop.begin(), loop.end(), [&](int i) { return free_dof(m, i); })) continue;
    if (std::any_of(loop.begin(), loop.end(), [&](int i) { return damped(m, i) || driven[i]; })) continue;
    std::string joints;
    double inertia = 0;
    int last = -1, count = 0;
    for (const int i : loop) {
      inertia = std::max(inertia, m.dof_M0[i]);
      if (m.dof_jntid[i] == last) continue;
      last = m.dof_jntid[i];
      if (++count <= 4) joints += (joints.empty() ? "" : ", ") + element_text(m, ObjType::kJoint, last);
    }
    if (count > 4) joints += " …";
    add(c, "D701", FindingSeverity::kWarning, ObjType::kEquality, e,
        element_text(m, ObjType::kEquality, e) + " closes a loop of " + std::to_string(count) +
            " joints without damping or friction (" + joints + "): what the constraint stirs up never dies",
        {{"joints", double(count), ""}, {"largest inertia", inertia, "kg|kg m^2"}},
        "damping=\"" + number(inertia) + "\" at these joints halves a swing in about a second", 1);
  }
}

void check_gains(Case& c, const Pose& pose) {
  const Model& m = c.m;
  const double h = m.opt.timestep;
  const std::vector<Smooth> all = smooth_elements(m, pose);
  for (const Smooth& own : all) {
    if (own.type != ObjType::kActuator) continue;
    std::vector<double> p;
    const double a = inverse_inertia(m, pose.data, own.j, &p);
    if (!(a > 0)) continue;
    const SmoothRates r = rates_along(all, p, a, false, own);
    const double omega = std::sqrt(r.k), ratio = omega > 0 ? (r.c_explicit + r.c_implicit) / (2 * omega) : 1;
    bool dry = false;
    for (int i = 0; i < m.nv; ++i) dry |= own.j[i] != 0 && m.dof_frictionloss[i] > 0;
    const std::string name = element_text(m, ObjType::kActuator, own.id);
    if (own.k > 0 && ratio < kUndamped && !dry) {
      add(c, "D702", FindingSeverity::kWarning, ObjType::kActuator, own.id,
          name + " pulls like a spring (gain " + number(own.k) + ") on an inertia of " + number(1 / a) +
              " with a damping ratio of " + number(ratio) + ": an undamped loop, it swings about its target at " +
              number(omega / (2 * kPi)) + " Hz",
          {{"damping ratio", ratio, ""}, {"frequency", omega / (2 * kPi), "Hz"}, {"inertia felt", 1 / a, "kg|kg m^2"}},
          "dampratio=\"1\", or kv=\"" + number(2 * std::sqrt(own.k / a)) + "\" (critical damping)",
          1 + kUndamped / (ratio + kUndamped));
    }
    // where swings are damped away there is nothing to follow
    const double steps = omega > 0 ? 2 * kPi / (omega * h) : kNever;
    if (own.k > 0 && steps < kFewSteps && ratio < 1) {
      add(c, "D703", FindingSeverity::kWarning, ObjType::kActuator, own.id,
          name + " has a gain of " + number(own.k) +
              " against a reflected inertia (what it has to move, through gears) of " + number(1 / a) +
              ": it vibrates at " + number(omega / (2 * kPi)) + " Hz, " + number(steps) + " timesteps per period",
          {{"gain kp", own.k, "N/m|N m/rad"},
           {"reflected inertia", 1 / a, "kg|kg m^2"},
           {"steps per period", steps, ""}},
          "kp=\"" + number(own.k * steps * steps / (4 * kFewSteps * kFewSteps)) + "\", or armature=\"" +
              number(4 * kFewSteps * kFewSteps / (steps * steps) / a) + "\" at the joint, or timestep=\"" +
              number(h * steps / (2 * kFewSteps)) + "\"",
          kFewSteps / steps);
    }
  }
  // strength against gravity, where the joint has to hold something up
  if (gravity_size(m) == 0) return;
  for (int i = 0; i < m.nactuator; ++i) {
    const int j = m.actuator_trnid[2 * i], out = m.actuator_outadr[i];
    if (static_cast<TransmissionType>(m.actuator_trntype[i]) != TransmissionType::kJoint || !scalar_joint(m, j))
      continue;
    const int dof = m.jnt_dofadr[j];
    if (free_dof(m, m.tree_dofadr[m.dof_treeid[dof]])) continue;
    const double load = std::abs(pose.data.qfrc_bias[dof] - pose.data.qfrc_passive[dof]) - m.dof_frictionloss[dof];
    const double gear = std::abs(m.actuator_gear[6 * out]);
    double most = kNever;
    if (m.actuator_forcelimited[i]) {
      most = gear * std::max(std::abs(m.actuator_forcerange[2 * i]), std::abs(m.actuator_forcerange[2 * i + 1]));
    }
    if (m.jnt_actfrclimited[j]) {
      most = std::min(most, std::max(std::abs(m.jnt_actfrcrange[2 * j]), std::abs(m.jnt_actfrcrange[2 * j + 1])));
    }
    const std::string name = element_text(m, ObjType::kActuator, i), joint = element_text(m, ObjType::kJoint, j);
    if (load > most) {
      add(c, "D704", FindingSeverity::kWarning, ObjType::kActuator, i,
          name + " gives at most " + number(most) + " N or N m at " + joint + ", but gravity asks for " + number(load) +
              " at the start",
          {{"most", most, "N|N m"}, {"needed", load, "N|N m"}},
          "forcerange of at least ±" + number(1.5 * load / gear) + ", more gear, or less mass",
          load / std::max(most, 1e-9));
      continue;
    }
    const double stiffness = -m.actuator_biasprm[kNumBias * i + 1] * gear * gear;
    const bool servo = static_cast<BiasType>(m.actuator_biastype[i]) == BiasType::kAffine && stiffness > 0;
    const double sag = servo ? load / stiffness : 0;
    const double bound = m.jnt_limited[j] ? 0.2 * (m.jnt_range[2 * j + 1] - m.jnt_range[2 * j]) : 0.5;
    if (sag > bound) {
      add(c, "D704", FindingSeverity::kWarning, ObjType::kActuator, i,
          name + " sags by " + number(sag) + " m or rad: gravity asks for " + number(load) + " N or N m at " + joint +
              ", its gain is " + number(stiffness) + " per m or rad",
          {{"sag", sag, "m|rad"}, {"load", load, "N|N m"}},
          "kp=\"" + number(10 * load / bound / (gear * gear)) + "\", or gravcomp=\"1\" at what it carries",
          sag / bound);
    }
  }
}

}  // namespace pliant::doctoring

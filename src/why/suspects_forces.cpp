// Springs, dampers, actuators and constraint rows as suspects.
//
// Rules. A filter of controls: h / τ below 2, below 2.78 with RK4. A smooth element along p = M⁻¹ j: 2 h c_e + h² k
// must stay below 4 + 2 h c_i (doctor_timestep.cpp). A row of constraint: h b + h² k / 2 below 2, with b and k its
// spring and damper per unit of inertia as the step has them, R included. Stiffness and damping must not be negative. A
// force must not accelerate what it acts on by more than 100 g.

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "doctor/doctor_smooth.h"
#include "why/remedies.h"
#include "why/suspect.h"

namespace pliant::whys {

using doctoring::element_text;
using doctoring::inverse_inertia;
using doctoring::number;
using doctoring::Smooth;
using doctoring::SmoothRates;

namespace {

constexpr double kUsualGravity = 9.81;
constexpr size_t kMostLooks = 12;  // states before the trouble at which rows are looked at
constexpr int kMostRows = 400;

double decades(double ratio) { return ratio > 0 && std::isfinite(ratio) ? std::log10(ratio) : -1; }

/// Largest acceleration [m/s²] of the dofs under a generalised force along j of this size.
double push_of(const Model& m, const std::vector<double>& p, double force) {
  double most = 0;
  for (int i = 0; i < m.nv; ++i) {
    most = std::max(most, std::abs(p[static_cast<size_t>(i)] * force) * std::max(m.dof_length[i], 1e-3));
  }
  return most;
}

// ---- springs, dampers, actuators

/// Slopes with their signs: of laws that are affine, or by what doctor_smooth found.
struct Slopes {
  double k = 0, b = 0;
};

Slopes slopes_of(const Model& m, const State& s, int actuator) {
  const auto gain = static_cast<GainType>(m.actuator_gaintype[actuator]);
  const auto bias = static_cast<BiasType>(m.actuator_biastype[actuator]);
  const double* g = m.actuator_gainprm + kNumGain * actuator;
  const double* b = m.actuator_biasprm + kNumBias * actuator;
  Slopes out;
  if (gain != GainType::kFixed && gain != GainType::kAffine) return out;
  const double input =
      gain == GainType::kAffine && m.actuator_ctrlnum[actuator] > 0 ? s.ctrl[m.actuator_ctrladr[actuator]] : 0;
  if (!std::isfinite(input)) return out;
  const bool affine = bias == BiasType::kAffine;
  out.k = -((affine ? b[1] : 0) + g[1] * input);
  out.b = -((affine ? b[2] : 0) + g[2] * input);
  return out;
}

struct SmoothRule {
  double ratio = 0;  ///< of the bound
  double h2k = 0, hc = 0;
};

SmoothRule smooth_rule(const Model& m, const SmoothRates& r) {
  const double h = m.opt.timestep;
  SmoothRule out;
  out.h2k = h * h * r.k, out.hc = 2 * h * r.c_explicit;
  out.ratio = (out.h2k + out.hc) / (4 + 2 * h * r.c_implicit);
  if (m.opt.integrator == Integrator::kRk4) out.ratio = std::max(out.h2k / 8, 0.5 * out.hc / 2.78);
  if (is_discrete(m.opt)) out.ratio = 0;
  return out;
}

void joint_remedies(const Model& m, int joint, double k, double b, double inertia, double bound_ratio, bool spring,
                    Suspect& s) {
  const double h = m.opt.timestep;
  const int dof = m.jnt_dofadr[joint];
  const double armature = std::max(1.5 * k * h * h, 2 * std::abs(b) * h) + m.dof_armature[dof];
  if (m.jnt_stiffness[joint] < 0) s.remedies.push_back(joint_number(m, joint, "stiffness", -m.jnt_stiffness[joint]));
  if (m.dof_damping[dof] < 0) s.remedies.push_back(joint_number(m, joint, "damping", -m.dof_damping[dof]));
  if (spring && k > 0 && b < 0.1 * std::sqrt(k * inertia))
    s.remedies.push_back(joint_number(m, joint, "damping", 2 * std::sqrt(k * inertia)));
  if (bound_ratio > 0.5 && k > 0) s.remedies.push_back(joint_number(m, joint, "armature", armature));
  if (spring && bound_ratio > 0.5) s.remedies.push_back(joint_number(m, joint, "stiffness", 0.25 * k / bound_ratio));
  if (!spring && b > 0 && bound_ratio > 0.5)
    s.remedies.push_back(joint_number(m, joint, "damping", 0.25 * b / bound_ratio));
}

void actuator_remedies(const Model& m, int a, const Slopes& slopes, double inertia, double ratio, double push,
                       int joint, Suspect& s) {
  const double h = m.opt.timestep;
  if (slopes.b < 0 || slopes.k < 0) s.remedies.push_back(actuator_turned(m, a, slopes.k < 0, slopes.b < 0));
  if (ratio > 0.5) {
    s.remedies.push_back(actuator_scaled(m, a, 0.25 / ratio, "a smaller gain of " + s.element));
    if (joint >= 0 && slopes.k + slopes.b > 0)
      s.remedies.push_back(
          joint_number(m, joint, "armature",
                       std::max(1.5 * slopes.k * h * h, 2 * slopes.b * h) + m.dof_armature[m.jnt_dofadr[joint]]));
  }
  if (slopes.k > 0 && slopes.b < 0.1 * std::sqrt(slopes.k * inertia))
    s.remedies.push_back(actuator_damping(m, a, std::sqrt(slopes.k * inertia)));
  if (push > kUsualPush) {
    // to what a machine can do, by a power of ten
    const double factor = std::pow(10, -std::ceil(std::log10(push / (0.1 * kUsualPush))));
    s.remedies.push_back(actuator_gear(m, a, factor));
  }
}

int joint_of_actuator(const Model& m, int a) {
  const auto type = static_cast<TransmissionType>(m.actuator_trntype[a]);
  return type == TransmissionType::kJoint || type == TransmissionType::kJointInParent ? m.actuator_trnid[2 * a] : -1;
}

void add_smooth(const Scene& scene, const std::vector<Smooth>& all, const Smooth& own, std::vector<Suspect>& out) {
  const Model& m = scene.m;
  std::vector<double> p;
  const double a = inverse_inertia(m, scene.pose.data, own.j, &p);
  if (!(a > 0)) return;
  const SmoothRates mine = doctoring::rates_along(all, p, a, true, own);
  const SmoothRule rule = smooth_rule(m, mine);
  const double inertia = 1 / a, h = m.opt.timestep;
  Suspect s;
  s.kind = own.kind, s.type = own.type, s.id = own.id;
  s.element = element_text(m, own.type, own.id), s.origin = m.origin(own.type, own.id);
  s.near = scene.touches(own.j);
  s.broken = decades(rule.ratio);
  s.evidence = {{own.type == ObjType::kActuator ? "gain" : "stiffness", own.k, "N/m|N m/rad"},
                {"damping", own.b, "N s/m|N m s/rad"},
                {"inertia felt", inertia, "kg|kg m^2"},
                {"h^2 k/m + 2 h c/m (bound 4 with what is implicit)", rule.h2k + rule.hc, ""}};
  const bool spring = rule.h2k >= rule.hc;
  if (s.broken > 0) {
    s.rule =
        spring
            ? "a timestep can follow a spring while h² k/m stays below 4: here it is " + number(rule.h2k) +
                  " (k = " + number(own.k) + ", m = " + number(inertia) + ", h = " + doctoring::time_text(h) + ")"
            : "a timestep can follow a damper that is taken at its beginning while 2 h c/m stays below 4: here it is " +
                  number(rule.hc) + " (c = " + number(own.b) + ", m = " + number(inertia) +
                  ", h = " + doctoring::time_text(h) + ")";
  }
  if (own.type == ObjType::kActuator) {
    actuator_remedies(m, own.id, {own.k, own.b}, inertia, rule.ratio, 0, joint_of_actuator(m, own.id), s);
    s.without = actuator_off(m, own.id);
  } else if (own.type == ObjType::kJoint) {
    joint_remedies(m, own.id, own.k, own.b, inertia, rule.ratio, spring && own.k > 0, s);
    s.without = joint_number(m, own.id, spring && own.k > 0 ? "stiffness" : "damping", 0);
  } else {
    if (spring && rule.ratio > 0.5)
      s.remedies.push_back(tendon_number(m, own.id, "stiffness", 0.25 * own.k / rule.ratio));
    if (spring && own.b < 0.1 * std::sqrt(own.k * inertia))
      s.remedies.push_back(tendon_number(m, own.id, "damping", 2 * std::sqrt(own.k * inertia)));
    if (!spring && rule.ratio > 0.5)
      s.remedies.push_back(tendon_number(m, own.id, "damping", 0.25 * own.b / rule.ratio));
    s.without = tendon_number(m, own.id, spring ? "stiffness" : "damping", 0);
  }
  out.push_back(std::move(s));
}

Suspect* find(std::vector<Suspect>& all, ObjType type, int id, std::string_view kind = {}) {
  for (Suspect& s : all) {
    if (s.type == type && s.id == id && (kind.empty() || s.kind == kind)) return &s;
  }
  return nullptr;
}

Suspect& find_or_add(const Model& m, std::vector<Suspect>& all, const char* kind, ObjType type, int id) {
  if (Suspect* old = find(all, type, id)) return *old;
  Suspect s;
  s.kind = kind, s.type = type, s.id = id;
  s.element = element_text(m, type, id), s.origin = m.origin(type, id);
  all.push_back(std::move(s));
  return all.back();
}

constexpr double kNegative = 2.5;  // decades that a wrong sign counts for

/// Signs that feed energy.
void add_negative(const Scene& scene, std::vector<Suspect>& out) {
  const Model& m = scene.m;
  const auto feeds = [&](const char* kind, ObjType type, int id, const char* what, double value,
                         bool near) -> Suspect& {
    Suspect& s = find_or_add(m, out, kind, type, id);
    s.kind = kind, s.near = s.near || near;
    s.broken = std::max(s.broken, kNegative);
    s.rule = std::string("a ") + what + " must not be negative, or it pushes whatever moves ever further: here it is " +
             number(value);
    s.evidence.insert(s.evidence.begin(), {what, value, ""});
    return s;
  };
  for (int dof = 0; dof < m.nv; ++dof) {
    const int joint = m.dof_jntid[dof];
    std::vector<double> j(static_cast<size_t>(m.nv));
    j[static_cast<size_t>(dof)] = 1;
    if (m.dof_damping[dof] < 0) {
      Suspect& s = feeds("damper", ObjType::kJoint, joint, "damping", m.dof_damping[dof], scene.touches(j));
      if (s.remedies.empty()) joint_remedies(m, joint, 0, m.dof_damping[dof], 1, 0, false, s);
      s.without = joint_number(m, joint, "damping", 0);
    }
    if (m.jnt_stiffness[joint] < 0 && dof == m.jnt_dofadr[joint]) {
      Suspect& s = feeds("spring", ObjType::kJoint, joint, "stiffness", m.jnt_stiffness[joint], scene.touches(j));
      if (s.remedies.empty()) joint_remedies(m, joint, m.jnt_stiffness[joint], 0, 1, 0, false, s);
      s.without = joint_number(m, joint, "stiffness", 0);
    }
  }
  const Data& d = scene.pose.data;
  for (int t = 0; t < m.ntendon; ++t) {
    for (const bool stiff : {true, false}) {
      const double value = stiff ? m.tendon_stiffness[t] : m.tendon_damping[t];
      if (value >= 0) continue;
      const int adr = m.ten_J_rowadr[t];
      Suspect& s =
          feeds(stiff ? "spring" : "damper", ObjType::kTendon, t, stiff ? "stiffness" : "damping", value,
                scene.touches(doctoring::sparse_row(m.nv, m.ten_J_colind + adr, d.ten_J + adr, m.ten_J_rownnz[t])));
      s.remedies.push_back(tendon_number(m, t, stiff ? "stiffness" : "damping", -value));
      s.without = tendon_number(m, t, stiff ? "stiffness" : "damping", 0);
    }
  }
  for (int a = 0; a < m.nactuator; ++a) {
    const Slopes slopes = slopes_of(m, scene.pose.state, a);
    if (slopes.k >= 0 && slopes.b >= 0) continue;
    const int o = m.actuator_outadr[a], adr = d.moment_rowadr[o];
    const auto j = doctoring::sparse_row(m.nv, d.moment_colind + adr, d.actuator_moment + adr, d.moment_rownnz[o]);
    Suspect& s =
        feeds("actuator", ObjType::kActuator, a, slopes.b < 0 ? "feedback of velocity" : "feedback of position",
              slopes.b < 0 ? slopes.b : slopes.k, scene.touches(j));
    if (s.remedies.empty()) actuator_remedies(m, a, slopes, 1, 0, 0, joint_of_actuator(m, a), s);
    s.without = actuator_off(m, a);
  }
}

/// Forces no machine has for what it moves.
void add_pushes(const Scene& scene, std::vector<Suspect>& out) {
  const Model& m = scene.m;
  const double bound = kUsualPush * kUsualGravity;
  // at the trouble, and at the beginning: where it grows, forces are large whatever began it
  doctoring::Pose first{"", -1, scene.past.states[scene.from], Data(m)};
  if (!forward(m, first.state, first.data).ok()) return;
  const Data& d = first.data;
  for (int a = 0; a < m.nactuator; ++a) {
    for (int o = m.actuator_outadr[a]; o < m.actuator_outadr[a] + m.actuator_outnum[a]; ++o) {
      const int adr = d.moment_rowadr[o];
      const auto j = doctoring::sparse_row(m.nv, d.moment_colind + adr, d.actuator_moment + adr, d.moment_rownnz[o]);
      std::vector<double> p;
      inverse_inertia(m, d, j, &p);
      // of the largest force in the past: controls come and go
      double force = std::abs(d.actuator_force[o]);
      const Data& late = scene.pose.data;
      if (const Slopes own = slopes_of(m, scene.pose.state, a); own.k == 0 && own.b == 0)
        force = std::max(force, std::abs(late.actuator_force[o]));
      const double push = push_of(m, p, force) / kUsualGravity;
      Suspect& s = find_or_add(m, out, "actuator", ObjType::kActuator, a);
      s.near = s.near || scene.touches(j);
      if (!s.without) s.without = actuator_off(m, a);
      if (!(push > kUsualPush)) continue;
      const double broken = decades(push / kUsualPush);
      actuator_remedies(m, a, {}, 1, 0, push, joint_of_actuator(m, a), s);
      if (broken <= s.broken) continue;
      s.broken = broken;
      s.rule = "a force that accelerates what it moves by " + number(push) + " g (" + number(force) +
               " N or N m) is no machine's";
      s.evidence.push_back({"acceleration", push * kUsualGravity, "m/s^2"});
    }
  }
  for (int dof = 0; dof < m.nv; ++dof) {
    const int joint = m.dof_jntid[dof];
    if (d.qfrc_spring[dof] == 0 || m.jnt_stiffness[joint] == 0) continue;
    std::vector<double> j(static_cast<size_t>(m.nv)), p;
    j[static_cast<size_t>(dof)] = 1;
    inverse_inertia(m, d, j, &p);
    const double push = push_of(m, p, d.qfrc_spring[dof]);
    if (!(push > bound)) continue;
    Suspect& s = find_or_add(m, out, "spring", ObjType::kJoint, joint);
    if (decades(push / bound) <= s.broken) continue;
    s.broken = decades(push / bound);
    s.rule = "its spring is stretched so far at the beginning that it accelerates by " + number(push / kUsualGravity) +
             " g (" + number(d.qfrc_spring[dof]) + " N or N m): check springref and its unit";
    s.near = s.near || scene.touches(j);
    s.without = joint_number(m, joint, "stiffness", 0);
    if (m.jnt_type[joint] == static_cast<int>(JointType::kHinge)) s.remedies.push_back(springref_in_radians(m, joint));
  }
}

/// Filters of controls that are faster than the timestep.
void add_filters(const Scene& scene, std::vector<Suspect>& out) {
  const Model& m = scene.m;
  const double bound = m.opt.integrator == Integrator::kRk4 ? 2.78 : 2;
  for (int a = 0; a < m.nactuator; ++a) {
    if (static_cast<DynType>(m.actuator_dyntype[a]) != DynType::kFilter) continue;
    const double tau = std::max(m.actuator_dynprm[kNumDyn * a], 1e-15), ratio = m.opt.timestep / tau;
    if (!(ratio > bound)) continue;
    Suspect& s = find_or_add(m, out, "actuator", ObjType::kActuator, a);
    if (decades(ratio / bound) <= s.broken) continue;
    s.broken = decades(ratio / bound);
    s.rule = "a timestep can follow a filter of time constant τ while h/τ stays below " + number(bound) +
             ": here it is " + number(ratio) + " (τ = " + doctoring::time_text(tau) +
             ", h = " + doctoring::time_text(m.opt.timestep) + ")";
    s.evidence.push_back({"h/tau (bound " + number(bound) + ")", ratio, ""});
    s.remedies.insert(s.remedies.begin(), {actuator_filter(m, a, m.opt.timestep), actuator_filter_exact(m, a)});
    if (!s.without) s.without = actuator_off(m, a);
  }
}

// ---- rows

constexpr int kFriction = -2;              // for the second id: dry friction of a joint or tendon
using RowKey = std::tuple<int, int, int>;  // kind of object, id, second id

struct RowFacts {
  double rule = 0;      // h b + h² k / 2
  double push = 0;      // largest acceleration that its force gives [g]
  double residual = 0;  // as a share of what is allowed
  double depth = 0, force = 0, stiffness = 0, damping = 0;
  bool at_start = false, limit = false;
  double start_pos = 0;  // violation at the start
  int pair = -1;
  std::vector<double> j;
  double signed_force = 0;
  double normal[3] = {};
};

RowKey key_of(const Model& m, const Data& d, int row) {
  const int id = d.rows.row_id[row];
  switch (static_cast<RowType>(d.rows.row_type[row])) {
    case RowType::kEquality:
      return {static_cast<int>(ObjType::kEquality), id, -1};
    case RowType::kLimitJoint:
      return {static_cast<int>(ObjType::kJoint), id, -1};
    case RowType::kLimitTendon:
      return {static_cast<int>(ObjType::kTendon), id, -1};
    case RowType::kFrictionDof:
      return {static_cast<int>(ObjType::kJoint), m.dof_jntid[id], kFriction};
    case RowType::kFrictionTendon:
      return {static_cast<int>(ObjType::kTendon), id, kFriction};
    default: {
      const Contact& c = d.contact[id];
      return {static_cast<int>(ObjType::kGeom), c.geom[0], c.geom[1]};
    }
  }
}

void look_at_rows(const Scene& scene, const State& state, Data& d, bool start, std::map<RowKey, RowFacts>& facts) {
  const Model& m = scene.m;
  if (!forward(m, state, d).ok() && d.rows.n == 0) return;
  const double h = solver_timestep(m.opt);
  const double extent = std::min(std::max(m.stat.extent, 0.1), 10.0);
  for (int row = 0; row < std::min(d.rows.n, kMostRows); ++row) {
    const auto type = static_cast<RowType>(d.rows.row_type[row]);
    std::vector<double> j = doctoring::row_vector(m, d.rows, row), p;
    const double A = inverse_inertia(m, d, j, &p);
    if (!(A > 0)) continue;
    RowFacts& f = facts[key_of(m, d, row)];
    const double share = A / (A + d.rows.row_R[row]);
    const double* kbip = d.rows.row_KBIP + 4 * row;
    const double b = share * kbip[1], k = share * kbip[0] * kbip[2];
    const double rule = h * b + 0.5 * h * h * k;
    if (rule > f.rule && !is_discrete(m.opt)) f.rule = rule, f.stiffness = k, f.damping = b;
    const double push = push_of(m, p, d.rows.row_force[row]) / kUsualGravity;
    if (push > f.push) {
      f.push = push, f.j = j, f.force = std::abs(d.rows.row_force[row]), f.signed_force = d.rows.row_force[row];
      if (start) f.at_start = true;
    }
    const double pos = d.rows.row_pos[row];
    double most = 0.02 * extent;
    if (type == RowType::kLimitJoint) {
      most = std::max(0.05 * std::abs(m.jnt_range[2 * std::get<1>(key_of(m, d, row)) + 1] -
                                      m.jnt_range[2 * std::get<1>(key_of(m, d, row))]),
                      1e-3);
      f.limit = true;
    } else if (type == RowType::kLimitTendon) {
      f.limit = true;
      most = 0.01 * extent;
    } else if (type == RowType::kEquality) {
      const int eq = d.rows.row_id[row], j0 = equality_kind(m.eq_type[eq]).ties_joints() ? m.eq_obj1id[eq] : -1;
      if (j0 >= 0) most = static_cast<JointType>(m.jnt_type[j0]) == JointType::kSlide ? most : 0.05;
      if (j0 >= 0 && m.jnt_limited[j0])
        most = std::min(most, std::max(0.1 * std::abs(m.jnt_range[2 * j0 + 1] - m.jnt_range[2 * j0]), 1e-3));
    } else if (type >= RowType::kContactFrictionless) {
      const Contact& c = d.contact[d.rows.row_id[row]];
      f.pair = c.pair;
      std::copy(c.frame, c.frame + 3, f.normal);
      double thin = doctoring::kNever;
      for (const int g : {c.geom[0], c.geom[1]}) {
        const auto shape = static_cast<GeomType>(m.geom_type[g]);
        if (shape == GeomType::kPlane || shape == GeomType::kHfield) continue;
        const double* half = m.geom_aabb + 6 * g + 3;
        thin = std::min({thin, half[0], half[1], half[2]});
      }
      most = 0.2 * thin;
    }
    const double beyond = type == RowType::kEquality ? std::abs(pos) : std::max(0.0, -pos);
    f.depth = std::max(f.depth, beyond);
    f.residual = std::max(f.residual, beyond / most);
    if (start) f.start_pos = std::max(f.start_pos, beyond);
    if (f.j.empty()) f.j = std::move(j);
  }
}

/// Another constraint that pulls the other way, "" if there is none.
std::string opponent(const Scene& scene, const std::map<RowKey, RowFacts>& facts, const RowKey& own) {
  const Model& m = scene.m;
  const RowFacts& f = facts.at(own);
  if (f.j.empty()) return {};
  std::vector<double> p;
  const double A = inverse_inertia(m, scene.pose.data, f.j, &p);
  std::string best;
  double most = 0.5;
  for (const auto& [key, other] : facts) {
    if (key == own || other.j.empty() || !(other.push > 0.1 * f.push)) continue;
    const double B = inverse_inertia(m, scene.pose.data, other.j);
    double cross = 0;
    for (int i = 0; i < m.nv; ++i) cross += p[static_cast<size_t>(i)] * other.j[static_cast<size_t>(i)];
    const double against =
        -cross * f.signed_force * other.signed_force / (std::sqrt(A * B) * f.force * other.force + 1e-300);
    if (against <= most) continue;
    most = against;
    const auto type = static_cast<ObjType>(std::get<0>(key));
    best = (other.limit                     ? "the limit of "
            : std::get<2>(key) == kFriction ? "the friction of "
                                            : "") +
           element_text(m, type, std::get<1>(key)) +
           (std::get<2>(key) >= 0 ? " and " + element_text(m, type, std::get<2>(key)) : "");
  }
  return best;
}

void contact_remedies(const Scene& scene, const RowKey& key, const RowFacts& f, Suspect& s) {
  const Model& m = scene.m;
  const int g1 = std::get<1>(key), g2 = std::get<2>(key), b1 = m.geom_bodyid[g1], b2 = m.geom_bodyid[g2];
  const double h = m.opt.timestep;
  if (f.start_pos > 0.1 * f.depth && f.residual > 0.5) {
    // apart by what they overlap, along the normal (from the first to the second)
    for (const bool second : {true, false}) {
      const int body = second ? b2 : b1;
      if (!doctoring::floats(m, body)) continue;
      const double by = (second ? 1 : -1) * (f.start_pos + 1e-4);
      const double shift[3] = {by * f.normal[0], by * f.normal[1], by * f.normal[2]};
      const bool from_start = scene.from == 0 && scene.past.forgotten == 0;
      s.remedies.push_back(body_moved(m, body, shift, from_start ? &scene.past.states[0] : nullptr));
    }
  }
  // contacts with the world or with what only contacts hold are wanted
  const bool machine =
      !doctoring::floats(m, b1) && !doctoring::floats(m, b2) && (m.body_treeid[b1] == m.body_treeid[b2]);
  const bool links = m.body_treeid[b1] >= 0 && m.body_treeid[b1] == m.body_treeid[b2];
  if (machine || links) s.remedies.push_back(bodies_excluded(m, b1, b2));
  s.remedies.push_back(contact_solref(m, g1, g2, f.pair, std::max(4 * h, 0.02), 1));
  if (scene.seen.band == Band::kDepth) s.remedies.push_back(contact_stiffer(m, g1, g2, f.pair));
  s.without = bodies_excluded(m, b1, b2);
}

void limit_remedies(const Scene& scene, ObjType type, int id, const RowFacts& f, Suspect& s) {
  const Model& m = scene.m;
  const bool joint = type == ObjType::kJoint;
  const double* range = (joint ? m.jnt_range : m.tendon_range) + 2 * id;
  if (f.start_pos > 0) {
    // wide enough for where it starts
    double at = 0;
    if (joint) {
      at = scene.past.states[scene.from].qpos[m.jnt_qposadr[id]];
    } else {
      Data d(m);
      run_phases(m, scene.past.states[scene.from], d, Phase::kPosition, Phase::kPosition, false);
      at = d.ten_length[id];
    }
    if (joint && scene.from == 0 && scene.past.forgotten == 0) {
      for (const bool degrees : {true, false}) {
        if (auto v = start_in_ranges(m, scene.past.states[0], degrees)) s.remedies.push_back(*v);
      }
    }
    const double room = 0.02 * std::abs(range[1] - range[0]) + 1e-3;
    const double low = std::min(range[0], at - room), high = std::max(range[1], at + room);
    s.remedies.push_back(joint
                             ? joint_range(m, id, low, high, "a range of " + s.element + " that has the start in it")
                             : tendon_range(m, id, low, high, "a range of " + s.element + " that has the start in it"));
  }
  s.remedies.push_back(limit_solref(m, type, id, std::max(4 * m.opt.timestep, 0.02), 1));
  s.without = without_limit(m, type, id);
  s.remedies.push_back(*s.without);
}

void add_row(const Scene& scene, const std::map<RowKey, RowFacts>& facts, const RowKey& key,
             std::vector<Suspect>& out) {
  const Model& m = scene.m;
  const RowFacts& f = facts.at(key);
  const auto type = static_cast<ObjType>(std::get<0>(key));
  const int id = std::get<1>(key), id2 = std::get<2>(key);
  Suspect s;
  s.kind = type == ObjType::kGeom       ? "contact"
           : type == ObjType::kEquality ? "equality"
           : id2 == kFriction           ? "friction"
                                        : "limit";
  s.type = type, s.id = id, s.id2 = id2;
  s.element = type == ObjType::kGeom ? doctoring::geom_pair_text(m, id, id2) : element_text(m, type, id);
  s.origin = m.origin(type, id2 >= 0 ? id2 : id);
  if (s.origin.empty() && id2 >= 0) s.origin = m.origin(type, id);
  s.near = scene.touches(f.j) || (scene.seen.type == type && scene.seen.id == id);
  s.evidence = {{"b h + k h^2/2 (bound 2)", f.rule, ""},
                {"largest force", f.force, "N|N m"},
                {"acceleration by it", f.push, "g"},
                {"largest violation", f.depth, "m|rad"}};
  const std::string against = f.residual > 1 ? opponent(scene, facts, key) : "";
  const double stiff = decades(f.rule / 2), off = decades(f.residual), push = decades(f.push / kUsualPush);
  if (stiff > 0) {
    s.broken = stiff;
    s.rule = "a timestep can follow the spring and damper of solref while b h + k h²/2 stays below 2: here it is " +
             number(f.rule);
  }
  if (off > 0 && off > s.broken) {
    s.broken = std::min(off + (against.empty() ? 0 : 0.5), 2.5);
    const std::string size = doctoring::length_text(f.depth);
    if (s.kind == "contact") {
      s.rule = "geoms that are " + size + " inside each other " + (f.start_pos > 0.5 * f.depth ? "at the start " : "") +
               "are pushed apart with " + number(f.push) + " g";
    } else {
      s.rule = std::string("a constraint should hold: this one is off by ") + number(f.depth) +
               (f.start_pos > 0.5 * f.depth ? " at the start" : "") + " and pulls with " + number(f.force) +
               " N or N m" + (against.empty() ? "" : ", against " + against);
    }
  } else if (push > 0 && push > s.broken && f.at_start) {
    s.broken = push;
    s.rule =
        "a constraint that accelerates what it acts on by " + number(f.push) + " g is violated too far or too stiff";
  }
  if (s.kind == "contact") contact_remedies(scene, key, f, s);
  if (s.kind == "friction") {
    s.remedies.push_back(friction_solref(m, type, id, std::max(4 * m.opt.timestep, 0.02), 1));
    s.without =
        type == ObjType::kJoint ? joint_number(m, id, "frictionloss", 0) : tendon_number(m, id, "frictionloss", 0);
  }
  if (s.kind == "limit") limit_remedies(scene, type, id, f, s);
  if (s.kind == "equality") {
    if (equality_kind(m.eq_type[id]).ties_joints() && m.eq_obj2id[id] >= 0)
      s.remedies.push_back(equality_flipped(m, id));
    s.remedies.push_back(equality_solref(m, id, std::max(4 * m.opt.timestep, 0.02), 1));
    s.without = equality_off(m, id);
    s.remedies.push_back(*s.without);
  }
  out.push_back(std::move(s));
}

}  // namespace

void suspect_smooth(const Scene& scene, std::vector<Suspect>& out) {
  const std::vector<Smooth> all = doctoring::smooth_elements(scene.m, scene.pose);
  for (const Smooth& own : all) add_smooth(scene, all, own, out);
  add_negative(scene, out);
  add_pushes(scene, out);
  add_filters(scene, out);
}

void suspect_rows(const Scene& scene, std::vector<Suspect>& out) {
  std::map<RowKey, RowFacts> facts;
  Data d(scene.m);
  if (scene.past.forgotten == 0 || scene.from > 0)
    look_at_rows(scene, scene.past.states[scene.from], d, scene.from == 0, facts);
  const size_t last = scene.at, first = last > kMostLooks ? std::max(scene.from, last - kMostLooks) : scene.from;
  for (size_t i = std::max(first, scene.from + 1); i <= last && i < scene.past.states.size(); ++i)
    look_at_rows(scene, scene.past.states[i], d, false, facts);
  for (const auto& [key, f] : facts) add_row(scene, facts, key, out);
}

}  // namespace pliant::whys

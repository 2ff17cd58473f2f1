// Changes of actuators: damping ratios, defaults that shortcuts share, servos at the limit of their joint, sites that
// are turned against a reference site.

#include <algorithm>
#include <span>

#include "changes/changes.h"
#include "math/field_values.h"

namespace pliant::changes {
namespace {

// ---- defaults of shortcuts

/// A number of the record that all shortcuts of a class shared in 3.12, as one of them calls it.
enum Slot : int { kGain0, kGain2, kBias0, kBias1, kBias2, kDyn0 };
struct Own {
  const char* shortcut;
  const char* attribute;
  Slot slot;
  const char* instead;  ///< another attribute of the shortcut that sets the same number; nullptr: none
  bool reads;           ///< whether the shortcut starts from what the record has (else it only writes)
};
constexpr Own kOwn[] = {
    {"position", "kp", kGain0, nullptr, true},         {"position", "kv", kBias2, "dampratio", true},
    {"position", "dampratio", kBias2, "kv", false},    {"position", "timeconst", kDyn0, nullptr, false},
    {"velocity", "kv", kGain0, nullptr, true},         {"velocity", "kv", kBias2, nullptr, false},
    {"intvelocity", "kp", kGain0, nullptr, true},      {"intvelocity", "kv", kBias2, "dampratio", true},
    {"intvelocity", "dampratio", kBias2, "kv", false}, {"damper", "kv", kGain2, nullptr, false},
    {"cylinder", "timeconst", kDyn0, nullptr, true},   {"cylinder", "area", kGain0, "diameter", true},
    {"cylinder", "diameter", kGain0, "area", false},   {"cylinder", "bias", kBias0, nullptr, true},
    {"adhesion", "gain", kGain0, nullptr, true},       {"muscle", "range", kGain0, nullptr, true},
    {"muscle", "timeconst", kDyn0, nullptr, true},
};

bool is_shortcut(std::string_view tag) {
  return std::any_of(std::begin(kOwn), std::end(kOwn), [&](const Own& own) { return tag == own.shortcut; });
}

struct DefaultLine {
  std::string class_name;
  const Element* element;
};

/// Elements of actuators in the defaults that lead to a class, outermost first; false if it is not below.
bool chain_of(const Element& at, std::string_view name, bool top, std::vector<DefaultLine>& lines) {
  const Attribute* own = at.find("class");
  const std::string here = own ? std::string(own->value) : top ? "main" : "";
  const size_t before = lines.size();
  for (const Element& child : at.children) {
    if (child.tag == "general" || child.tag == "pid" || is_shortcut(child.tag)) lines.push_back({here, &child});
  }
  if (here == name) return true;
  for (const Element& child : at.children) {
    if (child.tag == "default" && chain_of(child, name, false, lines)) return true;
  }
  lines.resize(before);
  return false;
}

void each_actuator(const Element& root, const std::function<void(const Element&)>& visit) {
  for (const Element& section : root.children) {
    if (section.tag != "actuator") continue;
    for (const Element& actuator : section.children) visit(actuator);
  }
}

// ---- saturation

/// The Model whose actuators know no limit of joints and tendons.
Model without_force_limits(const Model& m) {
  Model free = m;
  std::fill_n(free.jnt_actfrclimited, m.njnt, false);
  std::fill_n(free.tendon_actfrclimited, m.ntendon, false);
  return free;
}

}  // namespace

void find_damping_ratios(Case& c) {
  const Model& m = c.m;
  if (m.nactuator != static_cast<int>(c.spec.actuators.size())) return;
  State start(m);
  Data d(m);
  if (!forward(m, start, d).ok()) return;
  struct Servo {
    int actuator;
    double before, after, ratio;
  };
  std::vector<Servo> servos;
  Model before = m;
  for (int a = 0; a < m.nactuator; ++a) {
    const double ratio = c.spec.actuators[a].biasprm[2], kp = -m.actuator_biasprm[kNumBias * a + 1];
    const double after = -m.actuator_biasprm[kNumBias * a + 2];
    if (!(ratio > 0) || !(after >= 0) || !(kp > 0)) continue;
    // 3.12: the inertias of all dofs, each as if it were alone, at the first output
    const int output = m.actuator_outadr[a];
    double mass = 0;
    for (int k = d.moment_rowadr[output]; k < d.moment_rowadr[output] + d.moment_rownnz[output]; ++k) {
      const double squared = d.actuator_moment[k] * d.actuator_moment[k];
      if (squared > 1e-15) mass += m.dof_M0[d.moment_colind[k]] / squared;
    }
    const double old = 2 * ratio * std::sqrt(kp * mass);
    if (std::abs(old - after) <= 1e-12 * std::max(old, after)) continue;
    servos.push_back({a, old, after, ratio});
    before.actuator_biasprm[kNumBias * a + 2] = -old;
  }
  if (servos.empty()) return;
  const Largest all = effect_on_acceleration(c, before);
  for (const Servo& s : servos) {
    Change& change = add(c, "C103", ObjType::kActuator, s.actuator,
                         "dampratio " + number(s.ratio) + ": kv " + number(s.before) + " → " + number(s.after) +
                             (s.before > 0 ? " (" + std::string(s.after > s.before ? "+" : "") +
                                                 number(100 * (s.after / s.before - 1)) + " %)"
                                           : "") +
                             ". All such actuators together: " + all.text());
    // damping shows as soon as something moves, also beyond the states looked at
    change.seen = all.seen();
    change.size = all.size;
    change.numbers = {{"kv", s.before, s.after, "N s/m|N m s"}};
  }
}

void find_shortcut_defaults(Case& c) {
  if (c.urdf) return;
  each_actuator(c.document.root, [&](const Element& actuator) {
    if (!is_shortcut(actuator.tag) && actuator.tag != "pid") return;
    const Attribute* given = actuator.find("class");
    std::vector<DefaultLine> chain;
    for (const Element& section : c.document.root.children) {
      if (section.tag == "default" && chain_of(section, given ? given->value : "main", true, chain)) break;
    }
    const Attribute* name = actuator.find("name");
    const std::string element =
        "actuator" + (name ? " '" + std::string(name->value) + "'" : " <" + std::string(actuator.tag) + ">");
    if (actuator.tag == "pid") {
      const auto gives = [](const Element& e) { return e.find("kp") || e.find("gainprm") || e.find("biasprm"); };
      if (gives(actuator) || std::any_of(chain.begin(), chain.end(), [&](const DefaultLine& line) {
            return (line.element->tag == "pid" || line.element->tag == "general") && gives(*line.element);
          })) {
        return;
      }
      Change& change =
          add(c.changes, "C104", element, origin_text(c.spec, actuator.at), "<pid> without kp: kp is 1, and was 0");
      change.seen = true;
      change.numbers = {{"kp", 0, 1, "N/m|N m"}};
      return;
    }
    for (const Own& wanted : kOwn) {
      if (actuator.tag != wanted.shortcut || !wanted.reads || actuator.find(wanted.attribute)) continue;
      if (wanted.instead && actuator.find(wanted.instead)) continue;
      // who wrote the number last
      const DefaultLine* writer = nullptr;
      const Attribute* written = nullptr;
      for (const DefaultLine& line : chain) {
        if (line.element->tag == actuator.tag || line.element->tag == "general") {
          if (line.element->find(wanted.attribute) || (wanted.instead && line.element->find(wanted.instead)) ||
              line.element->find("gainprm") || line.element->find("biasprm")) {
            writer = nullptr;
          }
          continue;
        }
        for (const Own& own : kOwn) {
          if (line.element->tag != own.shortcut || own.slot != wanted.slot) continue;
          if (const Attribute* value = line.element->find(own.attribute)) writer = &line, written = value;
        }
      }
      if (!writer) continue;
      Change& change = add(c.changes, "C104", element, origin_text(c.spec, actuator.at),
                           "<" + std::string(actuator.tag) + "> without " + wanted.attribute + ": 3.12 took it from <" +
                               std::string(writer->element->tag) + " " + std::string(written->name) + "=\"" +
                               std::string(written->value) + "\"> of the default class '" + writer->class_name + "' (" +
                               origin_text(c.spec, written->value_at) + "); 4.0 looks at <" +
                               std::string(actuator.tag) + "> and <general> defaults only");
      change.seen = true;
    }
  });
}

void find_saturation(Case& c) {
  const Model& m = c.m;
  const auto integrator = static_cast<Integrator>(m.opt.integrator);
  if (integrator != Integrator::kImplicit && integrator != Integrator::kImplicitFast) return;
  // actuators with a velocity term whose joint or tendon has a limit on the sum of forces
  const Model free = without_force_limits(m);
  Data d(m), unlimited(m);
  std::vector<Largest> most(m.nactuator);
  std::vector<double> force(m.nactuator), allowed(m.nactuator);
  const auto limit_of = [&](int a, double range[2]) {
    const int target = m.actuator_trnid[2 * a];
    const auto type = static_cast<TransmissionType>(m.actuator_trntype[a]);
    const bool joint = type == TransmissionType::kJoint || type == TransmissionType::kJointInParent;
    const bool limited =
        joint ? m.jnt_actfrclimited[target] : type == TransmissionType::kTendon && m.tendon_actfrclimited[target];
    if (!limited) return false;
    const double* from = (joint ? m.jnt_actfrcrange : m.tendon_actfrcrange) + 2 * target;
    range[0] = from[0], range[1] = from[1];
    return true;
  };
  bool concerned = false;
  for (int a = 0; a < m.nactuator; ++a) {
    double range[2];
    const bool damps = m.actuator_biasprm[kNumBias * a + 2] != 0 || m.actuator_gainprm[kNumGain * a + 2] != 0 ||
                       static_cast<BiasType>(m.actuator_biastype[a]) != BiasType::kAffine;
    const bool law = static_cast<BiasType>(m.actuator_biastype[a]) != BiasType::kNone ||
                     static_cast<GainType>(m.actuator_gaintype[a]) != GainType::kFixed;
    concerned = concerned || (damps && law && limit_of(a, range));
  }
  if (!concerned) return;
  for (const Look& look : c.looks) {
    if (!forward(free, look.state, unlimited).ok()) continue;
    if (difference(unlimited.qfrc_actuator, look.data.qfrc_actuator, m.nv) <= kSame) continue;
    // the step of 3.12: the force is cut, but the actuator is differentiated as if it were not
    State before = look.state, after = look.state;
    for (int i = 0; i < m.nv; ++i) before.qfrc_applied[i] += look.data.qfrc_actuator[i] - unlimited.qfrc_actuator[i];
    if (!step(free, before, d).ok() || !step(m, after, d).ok()) continue;
    const double size = difference(before.qvel, after.qvel, m.nv);
    for (int a = 0; a < m.nactuator; ++a) {
      double range[2];
      if (!limit_of(a, range)) continue;
      // joints limit what reaches them, tendons what actuators give
      const int output = m.actuator_outadr[a];
      const bool tendon = static_cast<TransmissionType>(m.actuator_trntype[a]) == TransmissionType::kTendon;
      const double f = unlimited.actuator_force[output] * (tendon ? 1 : m.actuator_gear[6 * output]);
      if (f >= range[0] && f <= range[1]) continue;
      if (size > most[a].size) force[a] = f, allowed[a] = std::clamp(f, range[0], range[1]);
      most[a].see(size, look.name);
    }
  }
  for (int a = 0; a < m.nactuator; ++a) {
    double range[2];
    if (!limit_of(a, range)) continue;
    const auto type = static_cast<TransmissionType>(m.actuator_trntype[a]);
    const std::string target = element_text(m, type == TransmissionType::kTendon ? ObjType::kTendon : ObjType::kJoint,
                                            m.actuator_trnid[2 * a]);
    const bool seen = most[a].seen();
    const bool velocity = m.actuator_biasprm[kNumBias * a + 2] != 0 || m.actuator_gainprm[kNumGain * a + 2] != 0;
    if (!seen && !velocity) continue;
    Change& change =
        add(c, "C301", ObjType::kActuator, a,
            "when actuatorfrcrange of " + target + " (" + number(range[0]) + " … " + number(range[1]) +
                ") cuts its force, it no longer damps" +
                (seen ? ": at " + most[a].where + " it asks for " + number(force[a]) + " and gets " +
                            number(allowed[a]) + "; velocities after the step change by up to " + number(most[a].size)
                      : " within the step; not met at the states looked at"));
    change.seen = seen;
    change.size = most[a].size;
  }
}

void find_turned_sites(Case& c) {
  const Model& m = c.m;
  for (int a = 0; a < m.nactuator; ++a) {
    const int site = m.actuator_trnid[2 * a], reference = m.actuator_trnid[2 * a + 1];
    if (static_cast<TransmissionType>(m.actuator_trntype[a]) != TransmissionType::kSite || reference < 0) continue;
    const double* gear = m.actuator_gear + 6 * m.actuator_outadr[a];
    const Vec3 angular{gear[3], gear[4], gear[5]};
    if (dot(angular, angular) == 0) continue;
    // 3.12 multiplied the quaternions of site and body in the wrong order
    Largest most;
    double before = 0, after = 0;
    for (const Look& look : c.looks) {
      const auto turn = [&](bool body_first) {
        const auto of = [&](int s) {
          const Quat own = quat(m.site_quat, s), body = quat(look.data.xquat, m.site_bodyid[s]);
          return body_first ? body * own : own * body;
        };
        return dot(difference(of(site), of(reference)), angular);
      };
      const double old = turn(false), now = turn(true);
      if (std::abs(now - old) > most.size) before = old, after = now;
      most.see(std::abs(now - old), look.name);
    }
    if (!most.seen()) continue;
    Change& change = add(c, "C306", ObjType::kActuator, a,
                         "its site is turned in its body: the angle to the reference site, times gear, is " +
                             number(after) + " and was " + number(before) + " at " + most.where);
    change.seen = true;
    change.size = most.size;
    change.numbers = {{"actuator_length (rotation)", before, after, "rad"}};
  }
}

}  // namespace pliant::changes

#include "why/remedies.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "math/constants.h"

namespace pliant::whys {

using doctoring::number;

namespace {

std::string numbers(std::initializer_list<double> values) {
  std::string out;
  for (const double x : values) out += (out.empty() ? "" : " ") + number(x);
  return out;
}

/// Four digits are enough for a person, and what is tried is what is offered.
double rounded(double x) { return std::stod(number(x)); }

MjcfEdit edit_of(const Model& m, const char* tag, ObjType type, int id, const char* attribute, std::string value) {
  return {tag, std::string(m.name(type, id)), m.origin(type, id), attribute, std::move(value), "", "", ""};
}

MjcfEdit option_edit(const char* attribute, std::string value) {
  return {"option", "", "", attribute, std::move(value), "", "", ""};
}

const char* joint_tag(const Model& m, int joint) {
  return static_cast<JointType>(m.jnt_type[joint]) == JointType::kFree ? "joint|freejoint" : "joint";
}

const char* tendon_tag(const Model& m, int tendon) {
  return static_cast<TendonType>(m.tendon_type[tendon]) == TendonType::kFixed ? "fixed" : "spatial";
}

const char* equality_tag(const Model& m, int id) {
  switch (static_cast<EqualityType>(m.eq_type[id])) {
    case EqualityType::kConnect:
      return "connect";
    case EqualityType::kWeld:
      return "weld";
    case EqualityType::kTendon:
      return "tendon";
    default:
      return m.eq_mimicid[id] >= 0 ? "mimic" : "joint";
  }
}

/// Something switched off by a flag: `flag` of the Model, `attribute` of the file.
Variant switched_off(const Model& m, const char* tag, ObjType type, int id, const char* attribute, std::string what,
                     bool* Model::* flag) {
  Variant v;
  v.own_truth = true;
  v.what = std::move(what);
  v.edits = {edit_of(m, tag, type, id, attribute, "false")};
  v.change = [=](Model& x) { (x.*flag)[id] = false; };
  return v;
}

bool is_affine(const Model& m, int a) { return static_cast<BiasType>(m.actuator_biastype[a]) == BiasType::kAffine; }
bool is_position_servo(const Model& m, int a) {
  return is_affine(m, a) && m.actuator_gainprm[kNumGain * a] == -m.actuator_biasprm[kNumBias * a + 1] &&
         m.actuator_gainprm[kNumGain * a] != 0;
}
bool is_velocity_servo(const Model& m, int a) {
  return is_affine(m, a) && m.actuator_biasprm[kNumBias * a + 1] == 0 &&
         m.actuator_gainprm[kNumGain * a] == -m.actuator_biasprm[kNumBias * a + 2] &&
         m.actuator_gainprm[kNumGain * a] != 0;
}

/// Elements that make such an actuator, the likeliest first.
const char* actuator_tags(const Model& m, int a) {
  if (is_position_servo(m, a)) return "position|general";
  if (is_velocity_servo(m, a)) return "velocity|general";
  if (static_cast<GainType>(m.actuator_gaintype[a]) == GainType::kMuscle) return "muscle|general";
  const bool plain = static_cast<BiasType>(m.actuator_biastype[a]) == BiasType::kNone &&
                     static_cast<DynType>(m.actuator_dyntype[a]) == DynType::kNone;
  return plain ? "motor|general" : "general|motor";
}

}  // namespace

std::string mjcf_of(const std::vector<MjcfEdit>& edits) {
  std::string out;
  for (const MjcfEdit& e : edits) {
    out += out.empty() ? "" : "  ";
    if (!e.line.empty()) {
      out += e.line + " in <" + e.section + ">";
      continue;
    }
    out += "<" + e.tag.substr(0, e.tag.find('|')) + (e.name.empty() ? "" : " name=\"" + e.name + "\"") + " " +
           e.attribute + "=\"" + e.value + "\"/>" + (e.unit == "rad" ? " (in radians)" : "") +
           // one of many: the place says which
           (e.name.empty() && !e.origin.empty() ? " at " + e.origin : "");
  }
  return out;
}

Variant finer_timestep(const Model& m, int parts) {
  Variant v;
  v.what = "smaller timestep";
  v.parts = parts;
  v.edits = {option_edit("timestep", number_text(m.opt.timestep / parts))};
  return v;
}

Variant with_integrator(Integrator integrator, const char* keyword) {
  Variant v;
  v.what = std::string("integrator ") + keyword;
  v.change = [integrator](Model& m) { m.opt.integrator = integrator; };
  v.edits = {option_edit("integrator", keyword)};
  return v;
}

Variant with_solver(SolverType solver, const char* keyword, int iterations) {
  Variant v;
  v.what = std::string("solver ") + keyword + " with " + std::to_string(iterations) + " iterations";
  v.own_truth = true;  // what a solver does that stops early is not what the model says
  v.change = [=](Model& m) { m.opt.solver = solver, m.opt.iterations = iterations, m.opt.tolerance = 1e-8; };
  v.edits = {option_edit("solver", keyword), option_edit("iterations", std::to_string(iterations)),
             option_edit("tolerance", "1e-08")};
  return v;
}

Variant with_gravity(const Model& m, double size) {
  Variant v;
  v.own_truth = true;
  const auto g = m.opt.gravity;
  const double now = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), f = now > 0 ? size / now : 0;
  v.what = "gravity of the Earth, in metres";
  v.change = [=](Model& x) { x.opt.gravity = {g[0] * f, g[1] * f, g[2] * f}; };
  v.edits = {option_edit("gravity", numbers({g[0] * f, g[1] * f, g[2] * f}))};
  return v;
}

Variant joint_number(const Model& m, int joint, const char* attribute, double value) {
  Variant v;
  const std::string_view a = attribute;
  value = rounded(value);
  v.own_truth =
      (a == "stiffness" && m.jnt_stiffness[joint] < 0) || (a == "damping" && m.dof_damping[m.jnt_dofadr[joint]] < 0);
  v.what = std::string(attribute) + " " + number(value) + " at " + doctoring::element_text(m, ObjType::kJoint, joint);
  v.edits = {edit_of(m, joint_tag(m, joint), ObjType::kJoint, joint, attribute, number(value))};
  const std::string word(a);
  v.change = [=](Model& x) {
    const int first = x.jnt_dofadr[joint];
    if (word == "stiffness") x.jnt_stiffness[joint] = value;
    for (int i = first; i < x.nv && x.dof_jntid[i] == joint; ++i) {
      if (word == "damping") x.dof_damping[i] = value;
      if (word == "armature") x.dof_armature[i] = value;
      if (word == "frictionloss") x.dof_frictionloss[i] = value;
    }
  };
  return v;
}

Variant tendon_number(const Model& m, int tendon, const char* attribute, double value) {
  Variant v;
  value = rounded(value);
  const std::string_view written = attribute;
  v.own_truth = (written == "stiffness" && m.tendon_stiffness[tendon] < 0) ||
                (written == "damping" && m.tendon_damping[tendon] < 0);
  v.what = std::string(attribute) + " " + number(value) + " at " + doctoring::element_text(m, ObjType::kTendon, tendon);
  v.edits = {edit_of(m, tendon_tag(m, tendon), ObjType::kTendon, tendon, attribute, number(value))};
  const std::string word(attribute);
  v.change = [=](Model& x) {
    if (word == "stiffness") x.tendon_stiffness[tendon] = value;
    if (word == "damping") x.tendon_damping[tendon] = value;
    if (word == "armature") x.tendon_armature[tendon] = value;
    if (word == "frictionloss") x.tendon_frictionloss[tendon] = value;
  };
  return v;
}

Variant joint_range(const Model& m, int joint, double low, double high, std::string what) {
  Variant v;
  v.own_truth = true;
  low = rounded(low), high = rounded(high);
  v.what = std::move(what);
  v.edits = {edit_of(m, "joint", ObjType::kJoint, joint, "range", numbers({low, high}))};
  if (static_cast<JointType>(m.jnt_type[joint]) != JointType::kSlide) v.edits[0].unit = "rad";
  v.change = [=](Model& x) { x.jnt_range[2 * joint] = low, x.jnt_range[2 * joint + 1] = high; };
  return v;
}

Variant tendon_range(const Model& m, int tendon, double low, double high, std::string what) {
  Variant v;
  v.own_truth = true;
  low = rounded(low), high = rounded(high);
  v.what = std::move(what);
  v.edits = {edit_of(m, tendon_tag(m, tendon), ObjType::kTendon, tendon, "range", numbers({low, high}))};
  v.change = [=](Model& x) { x.tendon_range[2 * tendon] = low, x.tendon_range[2 * tendon + 1] = high; };
  return v;
}

Variant springref_in_radians(const Model& m, int joint) {
  Variant v;
  v.own_truth = true;
  const int at = m.jnt_qposadr[joint];
  const double value = rounded(m.qpos_spring[at] * M_PI / 180);
  v.what = "springref of " + doctoring::element_text(m, ObjType::kJoint, joint) + " read as degrees";
  v.edits = {edit_of(m, "joint", ObjType::kJoint, joint, "springref", number(value))};
  v.edits[0].unit = "rad";
  v.change = [=](Model& x) { x.qpos_spring[at] = value; };
  return v;
}

namespace {

/// A start as a line of the file: that of the keyframe it came from, or a keyframe to be added.
MjcfEdit start_edit(const Model& m, const State& start, const std::vector<double>& qpos) {
  std::string text;
  for (const double q : qpos) text += (text.empty() ? "" : " ") + number_text(q);
  int key = 0;
  while (key < m.nkey && !std::equal(start.qpos, start.qpos + m.nq, m.key_qpos + m.nq * key)) ++key;
  if (key < m.nkey) return edit_of(m, "key", ObjType::kKey, key, "qpos", text);
  MjcfEdit e;
  e.section = "keyframe", e.line = "<key name=\"start\" qpos=\"" + text + "\"/>";
  return e;
}

}  // namespace

std::optional<Variant> start_in_ranges(const Model& m, const State& start, bool degrees) {
  std::vector<std::pair<int, double>> moved;  // places in qpos
  std::string names;
  for (int j = 0; j < m.njnt; ++j) {
    const auto type = static_cast<JointType>(m.jnt_type[j]);
    const int at = m.jnt_qposadr[j];
    if (!m.jnt_limited[j] || (type != JointType::kHinge && type != JointType::kSlide)) continue;
    const double low = m.jnt_range[2 * j], high = m.jnt_range[2 * j + 1], q = start.qpos[at];
    // what is read as degrees is all of it, also angles that happen to be allowed
    const bool inside = q >= low && q <= high;
    if (degrees && type == JointType::kHinge) {
      const double as_degrees = q * kPi / 180;
      if (!inside && (as_degrees < low || as_degrees > high)) return {};
      if (as_degrees < low || as_degrees > high) continue;
      if (q != 0) moved.push_back({at, rounded(as_degrees)});
    } else if (!inside) {
      moved.push_back({at, q < low ? low : high});
    }
    // a slide has no degrees: it is moved along, but is no reason
    if (!inside && (!degrees || type == JointType::kHinge))
      names += (names.empty() ? "" : ", ") + doctoring::element_text(m, ObjType::kJoint, j);
  }
  if (names.empty()) return {};
  Variant v;
  v.own_truth = true;
  v.what = (degrees ? "angles of the start are radians (" : "a start within the limits (") + names + ")";
  std::vector<double> qpos(start.qpos, start.qpos + m.nq);
  for (const auto& [at, value] : moved) qpos[static_cast<size_t>(at)] = value;
  v.edits = {start_edit(m, start, qpos)};
  v.start = [moved](const Model&, State& s) {
    for (const auto& [at, value] : moved) s.qpos[at] = value;
  };
  return v;
}

Variant without_limit(const Model& m, ObjType type, int id) {
  const bool joint = type == ObjType::kJoint;
  return switched_off(m, joint ? "joint" : tendon_tag(m, id), type, id, "limited",
                      "without the limit of " + doctoring::element_text(m, type, id),
                      joint ? &Model::jnt_limited : &Model::tendon_limited);
}

namespace {

/// A row with this time constant and damping ratio, and impedances as by default.
void soften(double* ref, double* imp, double time, double ratio) {
  ref[0] = time, ref[1] = ratio;
  std::copy(kDefaultSolimp.begin(), kDefaultSolimp.end(), imp);
}

/// The same in the file, by the names of the two attributes.
std::vector<MjcfEdit> soft_edits(const Model& m, const char* tag, ObjType type, int id, const char* solref,
                                 const char* solimp, double time, double ratio) {
  return {edit_of(m, tag, type, id, solref, numbers({time, ratio})),
          edit_of(m, tag, type, id, solimp, "0.9 0.95 0.001 0.5 2")};
}

}  // namespace

Variant limit_solref(const Model& m, ObjType type, int id, double time, double ratio) {
  Variant v;
  time = rounded(time);
  v.what = "softer limit of " + doctoring::element_text(m, type, id);
  const bool joint = type == ObjType::kJoint;
  v.edits = soft_edits(m, joint ? "joint" : tendon_tag(m, id), type, id, "solreflimit", "solimplimit", time, ratio);
  v.change = [=](Model& x) {
    soften((joint ? x.jnt_solref : x.tendon_solref_lim) + kNumRef * id,
           (joint ? x.jnt_solimp : x.tendon_solimp_lim) + kNumImp * id, time, ratio);
  };
  return v;
}

Variant friction_solref(const Model& m, ObjType type, int id, double time, double ratio) {
  Variant v;
  time = rounded(time);
  v.what = "softer friction of " + doctoring::element_text(m, type, id);
  const bool joint = type == ObjType::kJoint;
  v.edits =
      soft_edits(m, joint ? "joint" : tendon_tag(m, id), type, id, "solreffriction", "solimpfriction", time, ratio);
  v.change = [=](Model& x) {
    if (!joint) return soften(x.tendon_solref_fri + kNumRef * id, x.tendon_solimp_fri + kNumImp * id, time, ratio);
    for (int i = x.jnt_dofadr[id]; i < x.nv && x.dof_jntid[i] == id; ++i)
      soften(x.dof_solref + kNumRef * i, x.dof_solimp + kNumImp * i, time, ratio);
  };
  return v;
}

Variant actuator_scaled(const Model& m, int a, double factor, std::string what) {
  Variant v;
  v.what = std::move(what);
  const double* g = m.actuator_gainprm + kNumGain * a;
  const double* b = m.actuator_biasprm + kNumBias * a;
  // the position and the velocity part shrink alike: what was critically damped is a little more damped then
  const double gain = rounded(g[0] * factor);
  const double exact = g[0] != 0 ? gain / g[0] : factor;
  const double kv = rounded(-b[2] * std::sqrt(exact));
  if (is_position_servo(m, a)) {
    v.edits = {edit_of(m, "position|general", ObjType::kActuator, a, "kp", number(gain))};
    if (b[2] != 0) v.edits.push_back(edit_of(m, "position|general", ObjType::kActuator, a, "kv", number(kv)));
  } else if (is_velocity_servo(m, a)) {
    v.edits = {edit_of(m, "velocity|general", ObjType::kActuator, a, "kv", number(gain))};
  } else {
    v.edits = {edit_of(m, "general", ObjType::kActuator, a, "gainprm", numbers({gain, g[1] * exact, g[2] * exact}))};
    if (is_affine(m, a))
      v.edits.push_back(
          edit_of(m, "general", ObjType::kActuator, a, "biasprm", numbers({b[0] * exact, b[1] * exact, b[2] * exact})));
  }
  const bool position = is_position_servo(m, a);
  v.change = [=](Model& x) {
    double* gx = x.actuator_gainprm + kNumGain * a;
    double* bx = x.actuator_biasprm + kNumBias * a;
    gx[0] = gain, gx[1] *= exact, gx[2] *= exact;
    bx[0] *= exact, bx[1] *= exact;
    bx[2] = position ? -kv : bx[2] * exact;
  };
  return v;
}

Variant actuator_turned(const Model& m, int a, bool position, bool velocity) {
  Variant v;
  v.own_truth = true;
  v.what = "the sign of " + doctoring::element_text(m, ObjType::kActuator, a) + " turned";
  const double* g = m.actuator_gainprm + kNumGain * a;
  const double* b = m.actuator_biasprm + kNumBias * a;
  // where gain and feedback push the same way, the servo holds its target as soon as the feedback alone is turned; with
  // the gain turned as well it would hold the mirrored one
  const bool gain = is_position_servo(m, a)   ? position
                    : is_velocity_servo(m, a) ? velocity
                                              : position && g[0] * b[1] < 0;
  const double gain_now = gain ? -g[0] : g[0], k = position ? -b[1] : b[1], kv = velocity ? -b[2] : b[2];
  if (is_position_servo(m, a)) {
    if (position) v.edits.push_back(edit_of(m, "position|general", ObjType::kActuator, a, "kp", number(gain_now)));
    if (velocity) v.edits.push_back(edit_of(m, "position|general", ObjType::kActuator, a, "kv", number(-kv)));
  } else if (is_velocity_servo(m, a)) {
    v.edits = {edit_of(m, "velocity|general", ObjType::kActuator, a, "kv", number(gain_now))};
  } else {
    if (gain)
      v.edits.push_back(edit_of(m, "general", ObjType::kActuator, a, "gainprm", numbers({gain_now, g[1], g[2]})));
    v.edits.push_back(edit_of(m, "general", ObjType::kActuator, a, "biasprm", numbers({b[0], k, kv})));
  }
  v.change = [=](Model& x) {
    x.actuator_gainprm[kNumGain * a] = gain_now;
    x.actuator_biasprm[kNumBias * a + 1] = k, x.actuator_biasprm[kNumBias * a + 2] = kv;
  };
  return v;
}

Variant actuator_damping(const Model& m, int a, double kv) {
  Variant v;
  kv = rounded(kv);
  const bool position = is_position_servo(m, a);
  v.what = "feedback of velocity kv " + number(kv) + " at " + doctoring::element_text(m, ObjType::kActuator, a);
  const double* b = m.actuator_biasprm + kNumBias * a;
  v.edits = {position ? edit_of(m, "position|general", ObjType::kActuator, a, "kv", number(kv))
                      : edit_of(m, "general", ObjType::kActuator, a, "biasprm", numbers({b[0], b[1], -kv}))};
  v.change = [=](Model& x) { x.actuator_biasprm[kNumBias * a + 2] = -kv; };
  return v;
}

Variant actuator_gear(const Model& m, int a, double factor) {
  Variant v;
  v.own_truth = true;
  const int o = m.actuator_outadr[a];
  const double* g = m.actuator_gear + 6 * o;
  int last = 0;
  for (int i = 0; i < 6; ++i) last = g[i] != 0 ? i : last;
  std::string text;
  std::vector<double> gear(6);
  for (int i = 0; i < 6; ++i) gear[static_cast<size_t>(i)] = rounded(g[i] * factor);
  for (int i = 0; i <= last; ++i) text += (i ? " " : "") + number(gear[static_cast<size_t>(i)]);
  v.what = "gear of " + doctoring::element_text(m, ObjType::kActuator, a) + " times " + number(factor);
  v.edits = {edit_of(m, actuator_tags(m, a), ObjType::kActuator, a, "gear", text)};
  const int n = m.actuator_outnum[a];
  v.change = [=](Model& x) {
    for (int k = o; k < o + n; ++k) {
      for (int i = 0; i < 6; ++i)
        x.actuator_gear[6 * k + i] = n == 1 ? gear[static_cast<size_t>(i)] : x.actuator_gear[6 * k + i] * factor;
    }
  };
  return v;
}

Variant actuator_filter(const Model& m, int a, double time) {
  Variant v;
  time = rounded(time);
  v.what = "a filter of " + number(time) + " s at " + doctoring::element_text(m, ObjType::kActuator, a);
  v.edits = {edit_of(m, "general", ObjType::kActuator, a, "dynprm", number(time))};
  v.change = [=](Model& x) { x.actuator_dynprm[kNumDyn * a] = time; };
  return v;
}

Variant actuator_filter_exact(const Model& m, int a) {
  Variant v;
  v.what = "the filter of " + doctoring::element_text(m, ObjType::kActuator, a) + " integrated exactly";
  v.edits = {edit_of(m, "general", ObjType::kActuator, a, "dyntype", "filterexact")};
  v.change = [=](Model& x) { x.actuator_dyntype[a] = static_cast<int>(DynType::kFilterExact); };
  return v;
}

Variant actuator_off(const Model& m, int a) {
  Variant v;
  v.what = "without " + doctoring::element_text(m, ObjType::kActuator, a);
  v.change = [=](Model& x) { std::fill_n(x.actuator_gear + 6 * x.actuator_outadr[a], 6 * x.actuator_outnum[a], 0.0); };
  return v;
}

namespace {

Variant contact_numbers(const Model& m, int geom1, int geom2, int pair, double time, double ratio,
                        const Reals<kNumImp>& solimp) {
  Variant v;
  const std::string imp = numbers({solimp[0], solimp[1], solimp[2], solimp[3], solimp[4]});
  if (pair >= 0) {
    v.edits = {edit_of(m, "pair", ObjType::kPair, pair, "solref", numbers({time, ratio})),
               edit_of(m, "pair", ObjType::kPair, pair, "solimp", imp)};
  } else {
    for (const int g : {geom1, geom2}) {
      v.edits.push_back(edit_of(m, "geom", ObjType::kGeom, g, "solref", numbers({time, ratio})));
      v.edits.push_back(edit_of(m, "geom", ObjType::kGeom, g, "solimp", imp));
    }
  }
  v.change = [=](Model& x) {
    const auto set = [&](double* ref, double* to) {
      ref[0] = time, ref[1] = ratio;
      std::copy(solimp.begin(), solimp.end(), to);
    };
    if (pair >= 0) {
      set(x.pair_solref + kNumRef * pair, x.pair_solimp + kNumImp * pair);
    } else {
      for (const int g : {geom1, geom2}) set(x.geom_solref + kNumRef * g, x.geom_solimp + kNumImp * g);
    }
  };
  return v;
}

}  // namespace

Variant contact_solref(const Model& m, int geom1, int geom2, int pair, double time, double ratio) {
  Variant v = contact_numbers(m, geom1, geom2, pair, rounded(time), ratio, kDefaultSolimp);
  v.what = "softer contact of " + doctoring::geom_pair_text(m, geom1, geom2);
  return v;
}

Variant contact_stiffer(const Model& m, int geom1, int geom2, int pair) {
  Variant v = contact_numbers(m, geom1, geom2, pair, rounded(2 * m.opt.timestep), 1, {0.99, 0.9999, 0.001, 0.5, 2});
  v.own_truth = true;
  v.what = "stiffer contact of " + doctoring::geom_pair_text(m, geom1, geom2);
  return v;
}

Variant bodies_excluded(const Model& m, int body1, int body2) {
  Variant v;
  v.own_truth = true;
  v.what = "contacts of " + doctoring::element_text(m, ObjType::kBody, body1) + " and " +
           doctoring::element_text(m, ObjType::kBody, body2) + " excluded";
  const std::string a = doctoring::body_name(m, body1), b = doctoring::body_name(m, body2);
  if (!a.empty() && !b.empty()) {
    MjcfEdit e;
    e.section = "contact", e.line = "<exclude body1=\"" + a + "\" body2=\"" + b + "\"/>";
    v.edits = {e};
  }
  v.apart = {body1, body2};
  return v;
}

Variant body_moved(const Model& m, int body, const double shift[3], const State* start) {
  Variant v;
  v.own_truth = true;
  const int root = m.body_rootid[body];
  const int place =
      m.body_jntnum[root] > 0 && static_cast<JointType>(m.jnt_type[m.body_jntadr[root]]) == JointType::kFree
          ? m.jnt_qposadr[m.body_jntadr[root]]
          : -1;
  if (start && place >= 0 && !std::equal(start->qpos, start->qpos + m.nq, m.qpos0)) {
    // it does not start where the file puts the body: pos of the body would change nothing
    std::vector<double> qpos(start->qpos, start->qpos + m.nq);
    std::array<double, 3> to{};
    for (size_t k = 0; k < 3; ++k) to[k] = rounded(start->qpos[static_cast<size_t>(place) + k] + shift[k]);
    std::copy(to.begin(), to.end(), qpos.begin() + place);
    v.what = "start of " + doctoring::element_text(m, ObjType::kBody, root) + " moved by " +
             doctoring::length_text(std::hypot(shift[0], shift[1], shift[2]));
    v.edits = {start_edit(m, *start, qpos)};
    v.start = [to, place](const Model&, State& s) { std::copy(to.begin(), to.end(), s.qpos + place); };
    return v;
  }
  const double* p = m.body_pos + 3 * root;
  const double to[3] = {rounded(p[0] + shift[0]), rounded(p[1] + shift[1]), rounded(p[2] + shift[2])};
  v.what = "start of " + doctoring::element_text(m, ObjType::kBody, root) + " moved by " +
           doctoring::length_text(std::hypot(shift[0], shift[1], shift[2]));
  v.edits = {edit_of(m, "body", ObjType::kBody, root, "pos", numbers({to[0], to[1], to[2]}))};
  const double by[3] = {to[0] - p[0], to[1] - p[1], to[2] - p[2]};
  const int joint = m.body_jntnum[root] > 0 ? m.body_jntadr[root] : -1;
  const bool free = joint >= 0 && static_cast<JointType>(m.jnt_type[joint]) == JointType::kFree;
  const std::array<double, 3> move = {by[0], by[1], by[2]};
  v.change = [=](Model& x) {
    for (size_t k = 0; k < 3; ++k) {
      x.body_pos[3 * root + static_cast<int>(k)] += move[k];
      if (free) x.qpos0[x.jnt_qposadr[joint] + static_cast<int>(k)] += move[k];
    }
  };
  v.start = [=](const Model& x, State& s) {
    for (size_t k = 0; k < 3 && free; ++k) s.qpos[x.jnt_qposadr[joint] + static_cast<int>(k)] += move[k];
  };
  return v;
}

Variant equality_solref(const Model& m, int id, double time, double ratio) {
  Variant v;
  time = rounded(time);
  v.what = "softer " + doctoring::element_text(m, ObjType::kEquality, id);
  v.edits = soft_edits(m, equality_tag(m, id), ObjType::kEquality, id, "solref", "solimp", time, ratio);
  v.change = [=](Model& x) { soften(x.eq_solref + kNumRef * id, x.eq_solimp + kNumImp * id, time, ratio); };
  return v;
}

Variant equality_off(const Model& m, int id) {
  Variant v = switched_off(m, equality_tag(m, id), ObjType::kEquality, id, "active",
                           "without " + doctoring::element_text(m, ObjType::kEquality, id), &Model::eq_active0);
  v.off = id;
  return v;
}

Variant equality_flipped(const Model& m, int id) {
  Variant v;
  v.own_truth = true;
  const int mimic = m.eq_mimicid[id];
  v.what = doctoring::element_text(m, ObjType::kEquality, id) + " with the other sign";
  if (mimic >= 0) {
    std::string gear;
    for (int k = m.mimic_leadadr[mimic]; k < m.mimic_leadadr[mimic] + m.mimic_leadnum[mimic]; ++k)
      gear += (gear.empty() ? "" : " ") + number(-m.mimic_gear[k]);
    v.edits = {edit_of(m, "mimic", ObjType::kEquality, id, "gear", gear)};
    v.change = [=](Model& x) {
      for (int k = x.mimic_leadadr[mimic]; k < x.mimic_leadadr[mimic] + x.mimic_leadnum[mimic]; ++k)
        x.mimic_gear[k] *= -1;
    };
  } else {
    const double* c = m.eq_data + kNumEqData * id;
    v.edits = {
        edit_of(m, equality_tag(m, id), ObjType::kEquality, id, "polycoef", numbers({c[0], -c[1], c[2], -c[3], c[4]}))};
    v.change = [=](Model& x) { x.eq_data[kNumEqData * id + 1] *= -1, x.eq_data[kNumEqData * id + 3] *= -1; };
  }
  return v;
}

namespace {

MjcfEdit inertial_line(const Model& m, int body, const double pos[3], double mass, const double moments[3]) {
  const double* q = m.body_iquat + 4 * body;
  MjcfEdit e;
  e.section = "body name=\"" + doctoring::body_name(m, body) + "\"";
  e.name = doctoring::body_name(m, body), e.origin = m.origin(ObjType::kBody, body);
  e.line = "<inertial pos=\"" + numbers({pos[0], pos[1], pos[2]}) + "\" quat=\"" + numbers({q[0], q[1], q[2], q[3]}) +
           "\" mass=\"" + number(mass) + "\" diaginertia=\"" + numbers({moments[0], moments[1], moments[2]}) + "\"/>";
  return e;
}

}  // namespace

Variant body_inertial(const Model& m, int body, double mass, const double moments[3], std::string what) {
  Variant v;
  v.own_truth = true;
  v.what = std::move(what);
  mass = rounded(mass);
  std::array<double, 3> set;
  for (size_t k = 0; k < 3; ++k) set[k] = rounded(moments[k]);
  v.edits = {inertial_line(m, body, m.body_ipos + 3 * body, mass, set.data())};
  v.change = [=](Model& x) {
    x.body_mass[body] = mass;
    std::copy(set.begin(), set.end(), x.body_inertia + 3 * body);
  };
  return v;
}

Variant body_centre(const Model& m, int body, const double at[3], std::string what) {
  Variant v;
  v.own_truth = true;
  v.what = std::move(what);
  const std::array<double, 3> set = {rounded(at[0]), rounded(at[1]), rounded(at[2])};
  v.edits = {inertial_line(m, body, set.data(), m.body_mass[body], m.body_inertia + 3 * body)};
  v.change = [=](Model& x) { std::copy(set.begin(), set.end(), x.body_ipos + 3 * body); };
  return v;
}

Variant body_gravcomp(const Model& m, int body, double share) {
  Variant v;
  v.own_truth = true;
  v.what = "gravcomp " + number(share) + " at " + doctoring::element_text(m, ObjType::kBody, body);
  v.edits = {edit_of(m, "body", ObjType::kBody, body, "gravcomp", number(share))};
  v.change = [=](Model& x) { x.body_gravcomp[body] = share; };
  return v;
}

}  // namespace pliant::whys

// Reads one actuator: <general> as it stands, every shortcut turned into the general form, that is
// dynamics, gain and bias types with their parameters, onto a record that holds the class's
// defaults.
//
// All actuator elements of a class share one record. Ranges, gears and the like come from it whatever wrote it. The law
// does so for <general> only: a shortcut sets the whole law. Its own parameters (kp, area, …) come from a class that
// was written with the same shortcut, or with <general> and the shortcut's type of gain: the own class, or else the
// nearest one above it; if there is none, from the shortcut's own defaults. dcmotor has its own file.

#include "load/mjcf_actuator.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/text.h"

namespace pliant {
namespace {

struct Shortcut {
  MjcfReader& reader;
  const Element& element;
  const ElementSchema& schema;
  ActuatorSpec& actuator;
  const ActuatorSpec* from;  ///< whose parameters are inherited; null: the shortcut's own defaults

  /// The attribute, or what is inherited when it is absent.
  double value(const char* attribute, double inherited) const {
    reader.real(element, attribute, inherited);
    return inherited;
  }
  /// Whether a value is as it must be; reports it otherwise.
  bool non_negative(const char* attribute, double value) const {
    if (value >= 0) return true;
    report_at(reader, Code::kBadActuator, element, attribute,
              "needs '" + std::string(attribute) + "' ≥ 0, got " + number_text(value));
    return false;
  }
};

std::string tag_of(const Element& element) { return "<" + std::string(element.tag) + ">"; }

// the attribute is there, but has no effect: says so in the diagnostics and in the ledger
void note_ignored(MjcfReader& reader, const Element& element, const Attribute& attribute, const std::string& why) {
  reader.diagnostics.warning(Code::kIgnoredAttribute, attribute.value_at, element.tag,
                             tag_of(element) + " attribute '" + std::string(attribute.name) + "' is ignored: " + why);
  reader.ledger.change(attribute.value_at, Fate::kIgnored, why);
}

// ---- transmission -------------------------------------------------------------------------------

std::vector<std::string_view> target_names(const ElementSchema& schema) {
  std::vector<std::string_view> names;
  for (const TargetWord& target : kTargets) {
    if (schema.find(target.attribute)) names.push_back(target.attribute);
  }
  return names;
}

// an attribute that belongs to one kind of transmission, with a target of another kind
void check_belongs(const Shortcut& s, const char* attribute, TransmissionType owner, const char* owner_attribute) {
  if (!s.element.find(attribute)) return;
  if (s.actuator.trntype == owner || s.actuator.trntype == TransmissionType::kUndefined) return;
  report_at(s.reader, Code::kAttributeConflict, s.element, attribute,
            "has '" + std::string(attribute) + "', which works only with '" + owner_attribute + "' as the target",
            "remove it, or name the target with '" + std::string(owner_attribute) + "'");
}

void read_transmission(const Shortcut& s) {
  const Attribute* chosen = nullptr;
  for (const TargetWord& target : kTargets) {
    if (!s.reader.text(s.element, target.attribute, s.actuator.target)) continue;
    if (chosen) {
      note_ignored(s.reader, s.element, *chosen,
                   "an actuator has one target, and '" + std::string(target.attribute) + "' is given as well");
    }
    chosen = s.element.find(target.attribute);
    s.actuator.trntype = target.type;
  }
  check_belongs(s, "cranklength", TransmissionType::kSliderCrank, "cranksite");
  check_belongs(s, "slidersite", TransmissionType::kSliderCrank, "cranksite");
  check_belongs(s, "refsite", TransmissionType::kSite, "site");
  if (!s.schema.in_default && s.actuator.trntype == TransmissionType::kUndefined) {
    s.reader.error(Code::kMissingAttribute, s.element, tag_of(s.element) + " has no transmission target",
                   "say what it acts on: " + one_of(target_names(s.schema)));
  }
}

// ---- shortcuts ----------------------------------------------------------------------------------

// Forgets the law of the class; parameters are those of a fresh record.
void set_law(ActuatorSpec& a, DynType dyn, GainType gain, BiasType bias, int input = 0) {
  const ActuatorSpec fresh;
  a.dynprm = fresh.dynprm, a.gainprm = fresh.gainprm, a.biasprm = fresh.biasprm;
  a.actdim = fresh.actdim, a.actearly = fresh.actearly, a.actlimited = fresh.actlimited;
  a.dyntype = dyn, a.gaintype = gain, a.biastype = bias, a.ctrlspec = input;
}

// kv is stored as −kv, a damping ratio as +dampratio: the compiler turns the latter into a kv later. A
// schema rule reports the two together.
double damping(const Shortcut& s) {
  double stored = s.from ? s.from->biasprm[2] : 0, kv = 0, dampratio = 0;
  if (s.reader.real(s.element, "kv", kv) && s.non_negative("kv", kv)) stored = -kv;
  if (s.reader.real(s.element, "dampratio", dampratio) && s.non_negative("dampratio", dampratio)) stored = dampratio;
  return stored;
}

// A range is given or inherited from the target, and what the element says replaces what its class says of the other.
void settle_inheritrange(const Shortcut& s, Reals<2>& range, std::initializer_list<const char*> attributes) {
  double& inherit = s.actuator.inheritrange;
  const bool inherits = s.element.find("inheritrange");
  const char* given = nullptr;
  for (const char* attribute : attributes) {
    if (s.element.find(attribute)) given = attribute;
  }
  if (!inherits) inherit = s.from ? s.from->inheritrange : 0;
  if (given && !inherits) inherit = 0;
  if (inherits && !given && inherit > 0) range = {};
  if (inherit <= 0 || (range[0] == 0 && range[1] == 0)) return;
  report_at(s.reader, Code::kAttributeConflict, s.element, "inheritrange",
            "has both 'inheritrange' and '" + std::string(given ? given : *attributes.begin()) + "'",
            "remove one of them; either may come from a default class");
}

void lower_general(const Shortcut& s) {
  // an input belongs to a type of gain
  if (s.from && s.actuator.gaintype != s.from->gaintype) s.actuator.ctrlspec = 0;
  read_input(s.reader, s.element, s.schema, s.actuator.ctrlspec);
}

void lower_motor(const Shortcut& s) { set_law(s.actuator, DynType::kNone, GainType::kFixed, BiasType::kNone); }

// force = kp·(u − length) − kv·velocity
void set_servo(const Shortcut& s, DynType dyn, GainType gain, BiasType bias, int input) {
  const double kp = s.value("kp", s.from ? s.from->gainprm[0] : 1), damped = damping(s);
  set_law(s.actuator, dyn, gain, bias, input);
  s.actuator.gainprm[0] = kp;
  s.actuator.biasprm[1] = -kp;
  s.actuator.biasprm[2] = damped;
}

void lower_position(const Shortcut& s) {
  const bool inherited = s.from && s.from->dyntype == DynType::kFilterExact;
  double timeconst = inherited ? s.from->dynprm[0] : 0;
  const bool given = s.reader.real(s.element, "timeconst", timeconst) && s.non_negative("timeconst", timeconst);
  set_servo(s, timeconst > 0 ? DynType::kFilterExact : DynType::kNone, GainType::kFixed, BiasType::kAffine, kInputPos);
  if (inherited || given) s.actuator.dynprm[0] = timeconst;
  settle_inheritrange(s, s.actuator.ctrlrange, {"ctrlrange"});
}

void lower_intvelocity(const Shortcut& s) {
  set_servo(s, DynType::kIntegrator, GainType::kFixed, BiasType::kAffine, kInputVel);
  settle_inheritrange(s, s.actuator.actrange, {"actrange"});
  // limited wherever there is a range, as in the reference
  if (const Attribute* given = s.element.find("actlimited"); given && given->value != "auto") {
    note_ignored(s.reader, s.element, *given, "an <intvelocity> is limited when it has an 'actrange', and only then");
  }
}

void lower_velocity(const Shortcut& s) {
  const double kv = s.value("kv", s.from ? s.from->gainprm[0] : 1);
  set_law(s.actuator, DynType::kNone, GainType::kFixed, BiasType::kAffine, kInputVel);
  s.actuator.gainprm[0] = kv;
  s.actuator.biasprm[2] = -kv;
}

void lower_orientation(const Shortcut& s) {
  set_servo(s, DynType::kNone, GainType::kSo3, BiasType::kSo3, s.from ? s.from->ctrlspec : 0);
  read_input(s.reader, s.element, s.schema, s.actuator.ctrlspec);
}

void lower_pid(const Shortcut& s) {
  const ActuatorSpec* from = s.from;
  ActuatorSpec& a = s.actuator;
  const double kp = s.value("kp", from ? -from->biasprm[1] : 1), damped = damping(s);
  const double ki = s.value("ki", from ? from->gainprm[0] : 0);
  const double imax = s.value("imax", from ? from->dynprm[0] : 0);
  const double slewmax = s.value("slewmax", from ? from->dynprm[1] : 0);
  if (s.schema.in_default) s.non_negative("slewmax", slewmax);  // elsewhere: compile says so
  const DynType dyn = ki != 0 || slewmax != 0 ? DynType::kPid : DynType::kNone;
  set_law(a, dyn, GainType::kPid, BiasType::kAffine, from ? from->ctrlspec : 0);
  a.gainprm[0] = ki;
  a.biasprm[1] = -kp;
  a.biasprm[2] = damped;
  a.dynprm[0] = ki != 0 ? imax : 0;
  a.dynprm[1] = slewmax;

  read_input(s.reader, s.element, s.schema, a.ctrlspec);
  // posrange is another name of ctrlrange, the range of the position input; it wins over the latter
  if (s.reader.reals(s.element, "posrange", a.ctrlrange) && s.element.find("ctrlrange")) {
    note_ignored(s.reader, s.element, *s.element.find("ctrlrange"), "'posrange' means the same");
  }
  settle_inheritrange(s, a.ctrlrange, {"posrange", "ctrlrange"});
}

// one-sided actuators: damper and adhesion are always limited, to a range that must not be negative
void set_one_sided(const Shortcut& s) {
  s.actuator.ctrllimited = Limited::kTrue;
  const Reals<2>& range = s.actuator.ctrlrange;
  if (range[0] >= 0 && range[1] >= 0) return;
  report_at(
      s.reader, Code::kBadRange, s.element, "ctrlrange",
      "needs a control range without negative numbers, got " + number_text(range[0]) + " " + number_text(range[1]));
}

void lower_damper(const Shortcut& s) {
  const double kv = s.value("kv", s.from ? -s.from->gainprm[2] : 0);
  s.non_negative("kv", kv);
  set_law(s.actuator, DynType::kNone, GainType::kAffine, BiasType::kNone);
  s.actuator.gainprm[0] = 0;
  s.actuator.gainprm[2] = -kv;
  set_one_sided(s);
}

void lower_cylinder(const Shortcut& s) {
  double timeconst = s.value("timeconst", s.from ? s.from->dynprm[0] : 1);
  double area = s.value("area", s.from ? s.from->gainprm[0] : 1);
  double bias[3] = {};
  if (s.from) std::copy_n(s.from->biasprm.begin(), 3, bias);
  s.reader.reals(s.element, "bias", bias);
  constexpr double kQuarterPi = 3.14159265358979323846 / 4;
  double diameter = 0;
  if (s.reader.real(s.element, "diameter", diameter)) {
    if (diameter >= 0) {
      area = kQuarterPi * diameter * diameter;
    } else {
      note_ignored(s.reader, s.element, *s.element.find("diameter"), "it is negative, 'area' is used");
    }
  }
  set_law(s.actuator, DynType::kFilter, GainType::kFixed, BiasType::kAffine, kInputPressure);
  s.actuator.dynprm[0] = timeconst;
  s.actuator.gainprm[0] = area;
  std::copy_n(bias, 3, s.actuator.biasprm.begin());
}

// one parameter of a muscle: where it is stored, and its own default, which a negative number stands for
struct MuscleParameter {
  const char* attribute;
  int first, count;
  bool in_dynprm;
  double normal[2];
};
constexpr MuscleParameter kMuscleParameters[] = {
    {"timeconst", 0, 2, true, {0.01, 0.04}}, {"range", 0, 2, false, {0.75, 1.05}}, {"force", 2, 1, false, {-1, 0}},
    {"scale", 3, 1, false, {200, 0}},        {"lmin", 4, 1, false, {0.5, 0}},      {"lmax", 5, 1, false, {1.6, 0}},
    {"vmax", 6, 1, false, {1.5, 0}},         {"fpmax", 7, 1, false, {1.3, 0}},     {"fvmax", 8, 1, false, {1.2, 0}},
};
constexpr int kNumMuscleGain = 9;

void lower_muscle(const Shortcut& s) {
  ActuatorSpec law;
  law.gainprm = {};
  law.dynprm = {};
  for (const MuscleParameter& p : kMuscleParameters) {
    auto& prm = p.in_dynprm ? law.dynprm : law.gainprm;
    double value[2];
    for (int i = 0; i < p.count; ++i) {
      value[i] = !s.from ? p.normal[i] : p.in_dynprm ? s.from->dynprm[p.first + i] : s.from->gainprm[p.first + i];
    }
    s.reader.reals(s.element, p.attribute, std::span(value, p.count));
    for (int i = 0; i < p.count; ++i) {
      prm[p.first + i] = value[i] >= 0 ? value[i] : p.normal[i];
      if (prm[p.first + i] == value[i]) continue;
      const std::string why = number_text(value[i]) + " is negative, " + number_text(p.normal[i]) + " is used";
      if (const Attribute* given = s.element.find(p.attribute)) note_ignored(s.reader, s.element, *given, why);
    }
  }
  law.dynprm[2] = s.value("tausmooth", s.from ? s.from->dynprm[2] : 0);
  s.non_negative("tausmooth", law.dynprm[2]);
  set_law(s.actuator, DynType::kMuscle, GainType::kMuscle, BiasType::kMuscle);
  s.actuator.dynprm = law.dynprm;
  s.actuator.gainprm = law.gainprm;
  for (int i = 0; i < kNumMuscleGain; ++i) s.actuator.biasprm[i] = law.gainprm[i];
}

void lower_adhesion(const Shortcut& s) {
  const double gain = s.value("gain", s.from ? s.from->gainprm[0] : 1);
  s.non_negative("gain", gain);
  set_law(s.actuator, DynType::kNone, GainType::kFixed, BiasType::kNone);
  s.actuator.gainprm[0] = gain;
  set_one_sided(s);
}

void lower_dc(const Shortcut& s) { lower_dcmotor(s.reader, s.element, s.schema, s.from, s.actuator); }

constexpr struct {
  std::string_view tag;
  ActuatorKind kind;
  GainType gain;  ///< of a <general> that the shortcut can take its parameters from
  void (*lower)(const Shortcut&);
} kShortcuts[] = {{"general", ActuatorKind::kGeneral, GainType::kFixed, lower_general},
                  {"motor", ActuatorKind::kMotor, GainType::kFixed, lower_motor},
                  {"position", ActuatorKind::kPosition, GainType::kFixed, lower_position},
                  {"velocity", ActuatorKind::kVelocity, GainType::kFixed, lower_velocity},
                  {"intvelocity", ActuatorKind::kIntVelocity, GainType::kFixed, lower_intvelocity},
                  {"orientation", ActuatorKind::kOrientation, GainType::kSo3, lower_orientation},
                  {"pid", ActuatorKind::kPid, GainType::kPid, lower_pid},
                  {"damper", ActuatorKind::kDamper, GainType::kAffine, lower_damper},
                  {"cylinder", ActuatorKind::kCylinder, GainType::kFixed, lower_cylinder},
                  {"muscle", ActuatorKind::kMuscle, GainType::kMuscle, lower_muscle},
                  {"adhesion", ActuatorKind::kAdhesion, GainType::kFixed, lower_adhesion},
                  {"dcmotor", ActuatorKind::kDcMotor, GainType::kDcMotor, lower_dc}};

}  // namespace

void report_at(MjcfReader& reader, Code code, const Element& element, const char* attribute, std::string message,
               std::string hint) {
  message = tag_of(element) + " " + message;
  if (const Attribute* found = element.find(attribute)) {
    reader.error_at(code, *found, element, std::move(message), std::move(hint));
  } else {
    reader.error(code, element, std::move(message), std::move(hint));
  }
}

void read_input(MjcfReader& reader, const Element& element, const ElementSchema& schema, int& ctrlspec) {
  const std::vector<int> words = reader.words(element, schema, "input");
  if (words.empty()) return;
  int signature = 0;
  for (const int word : words) {
    // charts and "none" are whole signatures; the others are bits
    if (words.size() > 1 && (word >= kInputNone)) {
      report_at(reader, Code::kBadKeyword, element, "input",
                "has an input signature that mixes words which stand alone",
                "'expmap', 'quat', 'none' and 'pressure' cannot be combined with anything");
      return;
    }
    const int bit = word & ~kChartMark;
    if (bit <= signature) {
      report_at(reader, Code::kBadKeyword, element, "input",
                "has inputs out of order or repeated: " + quote(element.find("input")->value),
                "list each input once, in the order pos vel ff voltage");
      return;
    }
    signature |= bit;
  }
  ctrlspec = signature;
}

void MjcfReader::read_actuator(const Element& element, const ElementSchema& schema, int klass, ActuatorSpec& actuator) {
  const ActuatorSpec slot = actuator;  // what the class says
  read_attributes(element, schema, &actuator);
  actuator.source = source_of(element);
  for (const auto& shortcut : kShortcuts) {
    if (element.tag != shortcut.tag) continue;
    const auto inherits = [&](const ActuatorSpec& other) {
      if (shortcut.kind == ActuatorKind::kGeneral || other.kind == shortcut.kind) return true;
      return other.kind == ActuatorKind::kGeneral && other.gaintype == shortcut.gain;
    };
    const ActuatorSpec* from = &slot;
    while (!inherits(*from)) {
      klass = spec.classes[klass].parent;
      if (klass < 0) break;
      from = &spec.classes[klass].actuator;
    }
    const Shortcut reading = {*this, element, schema, actuator, klass < 0 ? nullptr : from};
    read_transmission(reading);
    shortcut.lower(reading);
    actuator.kind = shortcut.kind;
  }
}

}  // namespace pliant

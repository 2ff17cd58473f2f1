// Reads one actuator: <general> as it stands, every shortcut turned into the general form, that is
// dynamics, gain and bias types with their parameters, onto a record that holds the class's
// defaults.
//
// A shortcut sets only what belongs to it; what it does not set stays as inherited, because all
// actuator elements of a class share one record (a default <position kp="40"/> also changes what
// <general> means). dcmotor has its own file.

#include "load/mjcf_actuator.h"

#include <cmath>

#include "base/text.h"

namespace pliant {
namespace {

struct Shortcut {
  MjcfReader& reader;
  const Element& element;
  const ElementSchema& schema;
  ActuatorSpec& actuator;

  /// The attribute, or what the class says when it is absent.
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

// kv is stored as −kv, a damping ratio as +dampratio: set_const turns the latter into a kv later. A
// schema rule reports the two together.
void read_damping(const Shortcut& s) {
  double kv = 0, dampratio = 0;
  if (s.reader.real(s.element, "kv", kv) && s.non_negative("kv", kv)) s.actuator.biasprm[2] = -kv;
  if (s.reader.real(s.element, "dampratio", dampratio) && s.non_negative("dampratio", dampratio)) {
    s.actuator.biasprm[2] = dampratio;
  }
}

// a range cannot be both given and inherited from the target
bool check_inheritrange(const Shortcut& s, const Reals<2>& range, const char* attribute) {
  if (s.actuator.inheritrange <= 0 || (range[0] == 0 && range[1] == 0)) return true;
  report_at(s.reader, Code::kAttributeConflict, s.element, "inheritrange",
            "has both 'inheritrange' and '" + std::string(attribute) + "'",
            "remove one of them; either may come from a default class");
  return false;
}

void lower_general(const Shortcut& s) { read_input(s.reader, s.element, s.schema, s.actuator.ctrlspec); }

void lower_motor(const Shortcut& s) {
  s.actuator.gainprm[0] = 1;
  s.actuator.dyntype = DynType::kNone;
  s.actuator.gaintype = GainType::kFixed;
  s.actuator.biastype = BiasType::kNone;
}

// force = kp·(u − length) − kv·velocity
void set_servo_gains(const Shortcut& s) {
  const double kp = s.value("kp", s.actuator.gainprm[0]);
  s.actuator.gainprm[0] = kp;
  s.actuator.biasprm[1] = -kp;
  read_damping(s);
}

void lower_position(const Shortcut& s) {
  set_servo_gains(s);
  double timeconst = 0;
  if (s.reader.real(s.element, "timeconst", timeconst) && s.non_negative("timeconst", timeconst)) {
    s.actuator.dynprm[0] = timeconst;
    s.actuator.dyntype = timeconst == 0 ? DynType::kNone : DynType::kFilterExact;
  }
  check_inheritrange(s, s.actuator.ctrlrange, "ctrlrange");
  s.actuator.gaintype = GainType::kFixed;
  s.actuator.biastype = BiasType::kAffine;
}

void lower_intvelocity(const Shortcut& s) {
  set_servo_gains(s);
  s.actuator.dyntype = DynType::kIntegrator;
  check_inheritrange(s, s.actuator.actrange, "actrange");
  // The reference runs the checks of a position servo here, drops their verdict, and leaves the
  // types as inherited when ctrlrange comes with inheritrange. Pliant makes the same model, but
  // says so.
  const Reals<2>& range = s.actuator.ctrlrange;
  if (s.actuator.inheritrange > 0 && (range[0] != 0 || range[1] != 0)) {
    if (s.actuator.gaintype != GainType::kFixed || s.actuator.biastype != BiasType::kAffine) {
      s.reader.warning(Code::kIgnoredAttribute, s.element,
                       "<intvelocity> with both 'ctrlrange' and 'inheritrange' has no feedback: like "
                       "MuJoCo, Pliant leaves its gain and bias types as inherited",
                       "give 'actrange' instead of 'inheritrange'");
    }
    return;
  }
  s.actuator.gaintype = GainType::kFixed;
  s.actuator.biastype = BiasType::kAffine;
}

void lower_velocity(const Shortcut& s) {
  const double kv = s.value("kv", s.actuator.gainprm[0]);
  s.actuator.biasprm = {};
  s.actuator.gainprm[0] = kv;
  s.actuator.biasprm[2] = -kv;
  s.actuator.dyntype = DynType::kNone;
  s.actuator.gaintype = GainType::kFixed;
  s.actuator.biastype = BiasType::kAffine;
}

void lower_orientation(const Shortcut& s) {
  set_servo_gains(s);
  read_input(s.reader, s.element, s.schema, s.actuator.ctrlspec);
  s.actuator.dyntype = DynType::kNone;
  s.actuator.gaintype = GainType::kSo3;
  s.actuator.biastype = BiasType::kSo3;
}

void lower_pid(const Shortcut& s) {
  ActuatorSpec& a = s.actuator;
  a.biasprm[1] = -s.value("kp", -a.biasprm[1]);
  read_damping(s);

  // integral gain, its clamp and the slew limit are inherited only from a class with such states
  const bool inherited = a.dyntype == DynType::kPid;
  const double ki = s.value("ki", inherited ? a.gainprm[0] : 0);
  const double imax = s.value("imax", inherited ? a.dynprm[0] : 0);
  const double slewmax = s.value("slewmax", inherited ? a.dynprm[1] : 0);
  if (s.schema.in_default) s.non_negative("slewmax", slewmax);  // elsewhere: compile says so
  a.gainprm[0] = ki;
  a.dynprm[1] = slewmax;
  a.dyntype = ki != 0 || slewmax != 0 ? DynType::kPid : DynType::kNone;
  if (ki != 0) a.dynprm[0] = imax;

  read_input(s.reader, s.element, s.schema, a.ctrlspec);
  // posrange is another name of ctrlrange, the range of the position input; it wins over the latter
  if (s.reader.reals(s.element, "posrange", a.ctrlrange) && s.element.find("ctrlrange")) {
    note_ignored(s.reader, s.element, *s.element.find("ctrlrange"), "'posrange' means the same");
  }
  check_inheritrange(s, a.ctrlrange, "posrange");
  a.gaintype = GainType::kPid;
  a.biastype = BiasType::kAffine;
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
  ActuatorSpec& a = s.actuator;
  const double kv = s.value("kv", a.gaintype == GainType::kAffine ? -a.gainprm[2] : 0);
  s.non_negative("kv", kv);
  a.gainprm = {};
  a.gainprm[2] = -kv;
  a.dyntype = DynType::kNone;
  a.gaintype = GainType::kAffine;
  a.biastype = BiasType::kNone;
  set_one_sided(s);
}

void lower_cylinder(const Shortcut& s) {
  ActuatorSpec& a = s.actuator;
  a.dynprm[0] = s.value("timeconst", a.dynprm[0]);
  a.gainprm[0] = s.value("area", a.gainprm[0]);
  s.reader.reals(s.element, "bias", std::span(a.biasprm).first<3>());
  constexpr double kQuarterPi = 3.14159265358979323846 / 4;
  double diameter = 0;
  if (s.reader.real(s.element, "diameter", diameter)) {
    if (diameter >= 0) {
      a.gainprm[0] = kQuarterPi * diameter * diameter;
    } else {
      note_ignored(s.reader, s.element, *s.element.find("diameter"), "it is negative, 'area' is used");
    }
  }
  a.dyntype = DynType::kFilter;
  a.gaintype = GainType::kFixed;
  a.biastype = BiasType::kAffine;
}

// one parameter of a muscle: where it is stored, the value that means "not set", and its own
// default
struct MuscleParameter {
  const char* attribute;
  int first, count;
  bool in_dynprm;
  double unset[2], normal[2];
};
constexpr MuscleParameter kMuscleParameters[] = {
    {"timeconst", 0, 2, true, {1, 0}, {0.01, 0.04}}, {"range", 0, 2, false, {1, 0}, {0.75, 1.05}},
    {"force", 2, 1, false, {0, 0}, {-1, 0}},         {"scale", 3, 1, false, {0, 0}, {200, 0}},
    {"lmin", 4, 1, false, {0, 0}, {0.5, 0}},         {"lmax", 5, 1, false, {0, 0}, {1.6, 0}},
    {"vmax", 6, 1, false, {0, 0}, {1.5, 0}},         {"fpmax", 7, 1, false, {0, 0}, {1.3, 0}},
    {"fvmax", 8, 1, false, {0, 0}, {1.2, 0}},
};
constexpr int kNumMuscleGain = 9;

void lower_muscle(const Shortcut& s) {
  ActuatorSpec& a = s.actuator;
  for (const MuscleParameter& p : kMuscleParameters) {
    double given[2] = {-1, -1};
    const int n = s.reader.reals(s.element, p.attribute, std::span(given, p.count));
    for (int i = 0; i < p.count; ++i) {
      double& slot = p.in_dynprm ? a.dynprm[p.first + i] : a.gainprm[p.first + i];
      if (slot == p.unset[i]) slot = p.normal[i];
      if (given[i] >= 0) {
        slot = given[i];
      } else if (n > 0 && slot != given[i]) {
        note_ignored(s.reader, s.element, *s.element.find(p.attribute),
                     number_text(given[i]) + " is negative, " + number_text(slot) + " is used");
      }
    }
  }
  a.dynprm[2] = s.value("tausmooth", a.dynprm[2]);
  s.non_negative("tausmooth", a.dynprm[2]);
  for (int i = 0; i < kNumMuscleGain; ++i) a.biasprm[i] = a.gainprm[i];
  a.dyntype = DynType::kMuscle;
  a.gaintype = GainType::kMuscle;
  a.biastype = BiasType::kMuscle;
}

void lower_adhesion(const Shortcut& s) {
  s.actuator.gainprm[0] = s.value("gain", s.actuator.gainprm[0]);
  s.non_negative("gain", s.actuator.gainprm[0]);
  s.actuator.gaintype = GainType::kFixed;
  s.actuator.biastype = BiasType::kNone;
  set_one_sided(s);
}

void lower_dc(const Shortcut& s) { lower_dcmotor(s.reader, s.element, s.schema, s.actuator); }

constexpr struct {
  std::string_view tag;
  void (*lower)(const Shortcut&);
} kShortcuts[] = {{"general", lower_general},
                  {"motor", lower_motor},
                  {"position", lower_position},
                  {"velocity", lower_velocity},
                  {"intvelocity", lower_intvelocity},
                  {"orientation", lower_orientation},
                  {"pid", lower_pid},
                  {"damper", lower_damper},
                  {"cylinder", lower_cylinder},
                  {"muscle", lower_muscle},
                  {"adhesion", lower_adhesion},
                  {"dcmotor", lower_dc}};

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
                "'expmap', 'quat' and 'none' cannot be combined with anything");
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

void MjcfReader::read_actuator(const Element& element, const ElementSchema& schema, ActuatorSpec& actuator) {
  read_attributes(element, schema, &actuator);
  actuator.source = source_of(element);
  const Shortcut shortcut = {*this, element, schema, actuator};
  read_transmission(shortcut);
  for (const auto& kind : kShortcuts) {
    if (element.tag == kind.tag) kind.lower(shortcut);
  }
}

}  // namespace pliant

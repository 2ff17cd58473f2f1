// The MJCF schema of actuators: <general>, its shortcuts, and the reduced forms they have in
// <default>.
//
// Every shortcut describes the same ActuatorSpec. Rows bound to a member are read mechanically; the
// unbound ones (gains, motor data, transmission targets, inputs) are turned into that general form
// by mjcf_actuator.cpp.

#include <array>
#include <memory>
#include <type_traits>

#include "load/mjcf_actuator.h"
#include "load/mjcf_schema.h"

namespace pliant {
namespace {

using A = ActuatorSpec;
using Rows = std::vector<AttributeSchema>;

/// Words of actuator_laws.def, in the order of their numbers.
template <class Kinds>
constexpr auto keywords_of(const Kinds& kinds) {
  std::array<Keyword, std::extent_v<Kinds>> words{};
  for (size_t i = 0; i < words.size(); ++i) words[i] = {kinds[i].keyword, static_cast<int>(i)};
  return words;
}
constexpr auto kDynList = keywords_of(kDynamicsKinds);
constexpr auto kGainList = keywords_of(kGainKinds);
constexpr auto kBiasList = keywords_of(kBiasKinds);

// Charts share their numbers with servo inputs, so they carry a mark; see mjcf_actuator.h.
constexpr Keyword kChartList[] = {{"expmap", kChartMark | kChartExpmap}, {"quat", kChartMark | kChartQuat}};
constexpr Keyword kServoInputList[] = {{"pos", kInputPos}, {"vel", kInputVel}, {"ff", kInputFf}};
constexpr Keyword kMotorInputList[] = {
    {"pos", kInputPos}, {"vel", kInputVel}, {"ff", kInputFf}, {"voltage", kInputVoltage}, {"none", kInputNone}};
constexpr Keyword kAnyInputList[] = {{"pos", kInputPos},
                                     {"vel", kInputVel},
                                     {"ff", kInputFf},
                                     {"voltage", kInputVoltage},
                                     {"none", kInputNone},
                                     {"pressure", kInputPressure},
                                     {"expmap", kChartMark | kChartExpmap},
                                     {"quat", kChartMark | kChartQuat}};

constexpr AttributeSchema input_row(std::span<const Keyword> keywords, int most) {
  AttributeSchema r = unbound("input", ValueKind::kFlags, 1, most);
  r.keywords = keywords;
  return r;
}

constexpr AttributeSchema gain(const char* name) { return unbound(name, ValueKind::kReal); }
constexpr AttributeSchema reals(const char* name, int lo, int hi) { return unbound(name, ValueKind::kReal, lo, hi); }
constexpr AttributeSchema target(const char* name, ObjType to) { return unbound_ref(name, to).outside_defaults(); }

// ---- groups of rows that several elements share -------------------------------------------------

Rows base_rows() {
  return {name_row<A>(),
          class_row(),
          row<A, &A::group>("group"),
          row<A, &A::nsample>("nsample"),
          word<A, &A::interp>("interp", kWordsInterp),
          row<A, &A::delay>("delay"),
          row<A, &A::ctrlrange>("ctrlrange"),
          row<A, &A::user>("user")};
}

Rows ctrl_limit_rows() { return {word<A, &A::ctrllimited>("ctrllimited", kWordsLimited)}; }

Rows force_rows() {
  return {word<A, &A::forcelimited>("forcelimited", kWordsLimited), row<A, &A::forcerange>("forcerange")};
}

Rows act_rows() { return {word<A, &A::actlimited>("actlimited", kWordsLimited), row<A, &A::actrange>("actrange")}; }

Rows dynamics_rows() {
  return {row<A, &A::lengthrange>("lengthrange").outside_defaults(), upto<A, &A::gear>("gear"),
          upto<A, &A::damping>("damping"), row<A, &A::armature>("armature"), row<A, &A::cranklength>("cranklength")};
}

// what a muscle can pull on: everything but sites
Rows path_rows() {
  return {target("joint", ObjType::kJoint), target("jointinparent", ObjType::kJoint),
          target("tendon", ObjType::kTendon), target("cranksite", ObjType::kSite),
          refers<A, &A::slidersite>("slidersite", ObjType::kSite).outside_defaults()};
}

Rows site_rows() {
  return {target("site", ObjType::kSite), refers<A, &A::refsite>("refsite", ObjType::kSite).outside_defaults()};
}

Rows servo_range_rows() { return {row<A, &A::velrange>("velrange"), row<A, &A::ffrange>("ffrange")}; }

Rows joined(std::initializer_list<Rows> groups) {
  Rows all;
  for (const Rows& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

Rows transmission_rows() { return joined({path_rows(), site_rows()}); }
Rows limit_rows() { return joined({ctrl_limit_rows(), force_rows()}); }

// most shortcuts: everything general but the law itself
Rows scalar_rows(Rows own) {
  return joined({base_rows(), limit_rows(), dynamics_rows(), transmission_rows(), std::move(own)});
}

// ---- one function per element: the rows of its own ----------------------------------------------

Rows general_rows() {
  return joined({base_rows(),
                 limit_rows(),
                 act_rows(),
                 dynamics_rows(),
                 transmission_rows(),
                 servo_range_rows(),
                 {target("body", ObjType::kBody), row<A, &A::actdim>("actdim"), input_row(kAnyInputList, 4),
                  row<A, &A::inheritrange>("inheritrange"), word<A, &A::dyntype>("dyntype", kDynList),
                  word<A, &A::gaintype>("gaintype", kGainList), word<A, &A::biastype>("biastype", kBiasList),
                  upto<A, &A::dynprm>("dynprm"), upto<A, &A::gainprm>("gainprm"), upto<A, &A::biasprm>("biasprm"),
                  row<A, &A::actearly>("actearly")}});
}

Rows motor_rows() { return scalar_rows({}); }

Rows position_rows() {
  return scalar_rows(
      {row<A, &A::inheritrange>("inheritrange"), gain("kp"), gain("kv"), gain("dampratio"), gain("timeconst")});
}

Rows velocity_rows() { return scalar_rows({gain("kv")}); }

Rows intvelocity_rows() {
  return joined(
      {scalar_rows({row<A, &A::inheritrange>("inheritrange"), gain("kp"), gain("kv"), gain("dampratio")}), act_rows()});
}

Rows orientation_rows() {
  return joined({base_rows(),
                 force_rows(),
                 {target("joint", ObjType::kJoint)},
                 site_rows(),
                 {gain("kp"), gain("kv"), gain("dampratio"), input_row(kChartList, 1)}});
}

Rows pid_rows() {
  return joined(
      {scalar_rows({row<A, &A::inheritrange>("inheritrange"), gain("kp"), gain("kv"), gain("dampratio"), gain("ki"),
                    gain("imax"), gain("slewmax"), input_row(kServoInputList, 3), reals("posrange", 2, 2)}),
       servo_range_rows()});
}

Rows damper_rows() { return joined({base_rows(), force_rows(), dynamics_rows(), transmission_rows(), {gain("kv")}}); }

Rows cylinder_rows() { return scalar_rows({gain("timeconst"), gain("area"), gain("diameter"), reals("bias", 3, 3)}); }

Rows muscle_rows() {
  return joined({base_rows(),
                 limit_rows(),
                 dynamics_rows(),
                 path_rows(),
                 {reals("timeconst", 2, 2), gain("tausmooth").outside_defaults(), reals("range", 2, 2), gain("force"),
                  gain("scale"), gain("lmin"), gain("lmax"), gain("vmax"), gain("fpmax"), gain("fvmax")}});
}

Rows adhesion_rows() { return joined({base_rows(), force_rows(), {target("body", ObjType::kBody), gain("gain")}}); }

Rows dcmotor_rows() {
  return joined({base_rows(),
                 ctrl_limit_rows(),
                 dynamics_rows(),
                 transmission_rows(),
                 {reals("motorconst", 1, 2), gain("resistance"), reals("nominal", 1, 3), reals("saturation", 1, 3),
                  reals("inductance", 1, 2), reals("cogging", 1, 3), reals("controller", 1, 6), reals("thermal", 1, 6),
                  reals("lugre", 1, 5), input_row(kMotorInputList, 4)}});
}

struct Shortcut {
  const char* tag;
  const char* default_id;
  Rows (*rows)();
  bool damped;  ///< has both kv and dampratio, of which only one may be given
};

constexpr Shortcut kShortcuts[] = {
    {"general", "default_general", general_rows, false},
    {"motor", "default_motor", motor_rows, false},
    {"position", "default_position", position_rows, true},
    {"velocity", "default_velocity", velocity_rows, false},
    {"intvelocity", "default_intvelocity", intvelocity_rows, true},
    {"orientation", "default_orientation", orientation_rows, true},
    {"pid", "default_pid", pid_rows, true},
    {"damper", "default_damper", damper_rows, false},
    {"cylinder", "default_cylinder", cylinder_rows, false},
    {"muscle", "default_muscle", muscle_rows, false},
    {"adhesion", "default_adhesion", adhesion_rows, false},
    {"dcmotor", "default_dcmotor", dcmotor_rows, false},
};

ElementSchema& add(SchemaTable& table, const char* tag, const char* id, Rows rows) {
  auto element = std::make_unique<ElementSchema>();
  element->tag = tag;
  element->id = id;
  element->attributes = std::move(rows);
  table.push_back(std::move(element));
  return *table.back();
}

Rows without_single_object_rows(const Rows& rows) {
  Rows reduced;
  for (const AttributeSchema& r : rows) {
    if (r.kind == ValueKind::kName || r.kind == ValueKind::kClass || r.no_default) continue;
    reduced.push_back(r);
  }
  return reduced;
}

}  // namespace

void add_actuator_schema(SchemaTable& table) {
  std::vector<ElementSchema::Child> children;
  for (const Shortcut& shortcut : kShortcuts) {
    std::vector<Rule> rules;
    if (shortcut.damped) rules.push_back({RuleKind::kExclusive, {{"kv"}, {"dampratio"}}});

    ElementSchema& element = add(table, shortcut.tag, shortcut.tag, shortcut.rows());
    element.rules = rules;
    children.push_back({&element, Often::kAny});

    ElementSchema& reduced = add(table, shortcut.tag, shortcut.default_id, without_single_object_rows(shortcut.rows()));
    reduced.rules = rules;
    reduced.in_default = true;
  }

  ElementSchema& plugin = add(table, "plugin", "actuator_plugin", {});
  plugin.support = Support::kUnsupported;
  plugin.note = "engine plugins are not supported";
  children.push_back({&plugin, Often::kAny});

  add(table, "actuator", "actuator", {}).children = std::move(children);
}

}  // namespace pliant

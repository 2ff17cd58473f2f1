// The MJCF schema of sensors: one element per sensor type, built from the table in mjcf_sensor.h.

#include <memory>

#include "load/mjcf_schema.h"
#include "load/mjcf_sensor.h"

namespace pliant {
namespace {

using S = SensorSpec;
using Rows = std::vector<AttributeSchema>;

// bit numbers of the data a sensor reports; words must come in this order
constexpr Keyword kRayDataList[] = {{"dist", 0}, {"dir", 1}, {"origin", 2}, {"point", 3}, {"normal", 4}, {"depth", 5}};
constexpr Keyword kContactDataList[] = {{"found", 0}, {"force", 1},  {"torque", 2}, {"dist", 3},
                                        {"pos", 4},   {"normal", 5}, {"tangent", 6}, {"linvel", 7},
                                        {"angvel", 8}};
constexpr Keyword kReduceList[] = {{"none", 0}, {"mindist", 1}, {"maxforce", 2}, {"netforce", 3}};
constexpr Keyword kDataTypeList[] = {{"real", 0}, {"positive", 1}, {"axis", 2}, {"quaternion", 3}};
constexpr Keyword kStageList[] = {{"none", 0}, {"pos", 1}, {"vel", 2}, {"acc", 3}};

constexpr Keyword kind(const char* text, ObjType type) { return {text, static_cast<int>(type)}; }
// what a user sensor may point at
constexpr Keyword kObjectList[] = {
    kind("body", ObjType::kBody),       kind("xbody", ObjType::kXbody),       kind("joint", ObjType::kJoint),
    kind("geom", ObjType::kGeom),       kind("site", ObjType::kSite),         kind("camera", ObjType::kCamera),
    kind("light", ObjType::kLight),     kind("mesh", ObjType::kMesh),         kind("skin", ObjType::kSkin),
    kind("hfield", ObjType::kHfield),   kind("texture", ObjType::kTexture),   kind("material", ObjType::kMaterial),
    kind("pair", ObjType::kPair),       kind("exclude", ObjType::kExclude),   kind("equality", ObjType::kEquality),
    kind("tendon", ObjType::kTendon),   kind("actuator", ObjType::kActuator), kind("sensor", ObjType::kSensor),
    kind("numeric", ObjType::kNumeric), kind("text", ObjType::kText),         kind("tuple", ObjType::kTuple),
    kind("key", ObjType::kKey)};

constexpr AttributeSchema data_row(std::span<const Keyword> keywords) {
  AttributeSchema r = unbound("data", ValueKind::kFlags, 1, static_cast<int>(keywords.size()));
  r.keywords = keywords;
  return r;
}

Rows base_rows() {
  return {name_row<S>(),
          row<S, &S::nsample>("nsample"),
          word<S, &S::interp>("interp", kWordsInterp),
          row<S, &S::delay>("delay"),
          upto<S, &S::interval>("interval"),
          row<S, &S::cutoff>("cutoff"),
          row<S, &S::noise>("noise"),
          row<S, &S::user>("user")};
}

Rows frame_rows() {
  return {word<S, &S::objtype>("objtype", kWordsFrameObject).must(),
          refers<S, &S::objname>("objname", ObjType::kUnknown).must()};
}

Rows own_rows(const SensorTag& sensor) {
  const AttributeSchema geom1 = unbound_ref("geom1", ObjType::kGeom), geom2 = unbound_ref("geom2", ObjType::kGeom),
                        body1 = unbound_ref("body1", ObjType::kBody), body2 = unbound_ref("body2", ObjType::kBody);
  switch (sensor.form) {
    case SensorForm::kObject:
      return {refers<S, &S::objname>(sensor.attribute, sensor.objtype).must()};
    case SensorForm::kProjection:
      return {refers<S, &S::objname>("site", ObjType::kSite).must(),
              refers<S, &S::refname>("camera", ObjType::kCamera).must()};
    case SensorForm::kRange:
      return {unbound_ref("site", ObjType::kSite), unbound_ref("camera", ObjType::kCamera), data_row(kRayDataList)};
    case SensorForm::kFrame:
      return frame_rows();
    case SensorForm::kRelative: {
      Rows rows = frame_rows();
      rows.push_back(word<S, &S::reftype>("reftype", kWordsFrameObject));
      rows.push_back(refers<S, &S::refname>("refname", ObjType::kUnknown));
      return rows;
    }
    case SensorForm::kInside: {
      Rows rows = frame_rows();
      rows.push_back(refers<S, &S::refname>("site", ObjType::kSite).must());
      rows.push_back(unbound("enclosed", ValueKind::kBool));
      return rows;
    }
    case SensorForm::kDistance:
      return {geom1, geom2, body1, body2};
    case SensorForm::kContact:
      return {geom1,
              geom2,
              body1,
              body2,
              unbound_ref("subtree1", ObjType::kBody),
              unbound_ref("subtree2", ObjType::kBody),
              unbound_ref("site", ObjType::kSite),
              unbound("num", ValueKind::kInt),
              data_row(kContactDataList),
              unbound_word("reduce", kReduceList)};
    case SensorForm::kUser:
      return {word<S, &S::objtype>("objtype", kObjectList), refers<S, &S::objname>("objname", ObjType::kUnknown),
              word<S, &S::datatype>("datatype", kDataTypeList), word<S, &S::needstage>("needstage", kStageList),
              row<S, &S::dim>("dim").must()};
    case SensorForm::kTactile:
      return {refers<S, &S::refname>("geom", ObjType::kGeom).must(),
              refers<S, &S::objname>("mesh", ObjType::kMesh).must()};
    case SensorForm::kGlobal:
      return {};
  }
  return {};
}

std::vector<Rule> rules_of(SensorForm form) {
  switch (form) {
    case SensorForm::kRange:
      return {{RuleKind::kExclusive, {{"site"}, {"camera"}}}, {RuleKind::kOneOf, {{"site"}, {"camera"}}}};
    case SensorForm::kRelative:
      return {{RuleKind::kTogether, {{"reftype"}, {"refname"}}}};
    case SensorForm::kDistance:
      return {{RuleKind::kExclusive, {{"geom1"}, {"body1"}}},
              {RuleKind::kOneOf, {{"geom1"}, {"body1"}}},
              {RuleKind::kExclusive, {{"geom2"}, {"body2"}}},
              {RuleKind::kOneOf, {{"geom2"}, {"body2"}}}};
    case SensorForm::kContact:
      return {{RuleKind::kExclusive, {{"geom1"}, {"body1"}, {"subtree1"}, {"site"}}},
              {RuleKind::kExclusive, {{"geom2"}, {"body2"}, {"subtree2"}}}};
    case SensorForm::kUser:
      return {{RuleKind::kTogether, {{"objtype"}, {"objname"}}}};
    default:
      return {};
  }
}

ElementSchema& add(SchemaTable& table, const char* tag, const char* id, Rows rows) {
  auto element = std::make_unique<ElementSchema>();
  element->tag = tag;
  element->id = id;
  element->attributes = std::move(rows);
  table.push_back(std::move(element));
  return *table.back();
}

// tags that mean something else elsewhere need an id of their own
const char* id_of(const SensorTag& sensor) {
  if (sensor.form == SensorForm::kContact) return "sensor_contact";
  if (sensor.form == SensorForm::kUser) return "sensor_user";
  return sensor.tag;
}

}  // namespace

void add_sensor_schema(SchemaTable& table) {
  std::vector<ElementSchema::Child> children;
  for (const SensorTag& sensor : kSensorTags) {
    Rows rows = base_rows();
    if (sensor.form == SensorForm::kUser) {
      // a callback fills it in: no history of its own
      std::erase_if(rows, [](const AttributeSchema& r) {
        const std::string_view name = r.name;
        return name == "nsample" || name == "interp" || name == "delay" || name == "interval";
      });
    }
    for (const AttributeSchema& r : own_rows(sensor)) rows.push_back(r);
    if (sensor.form == SensorForm::kTactile) {
      std::erase_if(rows, [](const AttributeSchema& r) { return std::string_view(r.name) == "noise"; });
    }
    ElementSchema& element = add(table, sensor.tag, id_of(sensor), rows);
    element.rules = rules_of(sensor.form);
    children.push_back({&element, Often::kAny});
  }

  ElementSchema& plugin = add(table, "plugin", "sensor_plugin", {});
  plugin.support = Support::kUnsupported;
  plugin.note = "engine plugins are not supported";
  children.push_back({&plugin, Often::kAny});

  add(table, "sensor", "sensor", {}).children = std::move(children);
}

}  // namespace pliant

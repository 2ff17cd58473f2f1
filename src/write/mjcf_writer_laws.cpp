// Tendons, equalities, actuators and sensors as text: the mirror image of their readers.
//
// Actuators are written as <general>, the form that all shortcuts are read into.

#include "base/text.h"
#include "load/mjcf_actuator.h"
#include "load/mjcf_sensor.h"
#include "write/mjcf_writer.h"
#include "spec/actuator_shape.h"

namespace pliant {

// ---- tendons --------------------------------------------------------------------------------------------

void MjcfWriter::write_tendons() {
  if (spec.tendons.empty()) return;
  xml.open("tendon");
  for (const TendonSpec& tendon : spec.tendons) {
    const char* tag = tendon.spatial ? "spatial" : "fixed";
    xml.open(tag);
    // a fixed tendon has no looks of its own, but a class can give it some
    TendonSpec looks;
    looks.width = tendon.width;
    looks.material = tendon.material;
    looks.rgba = tendon.rgba;
    if (!keep_classes_ && !tendon.spatial && differs(mjcf_element("default_tendon"), looks)) {
      XmlText content(3);
      std::swap(xml, content);
      xml.open("tendon");
      bound(mjcf_element("default_tendon"), looks);
      xml.close();
      std::swap(xml, content);
      xml.attribute("class", class_with("looks", content.text()));
    }
    bound(mjcf_element(tag), tendon, fresh_of(tendon));
    write_class_of(tendon);
    for (const WrapSpec& wrap : tendon.path) {
      const char* id = wrap.type == WrapType::kJoint    ? "tendon_joint"
                       : wrap.type == WrapType::kSite   ? "tendon_site"
                       : wrap.type == WrapType::kPulley ? "pulley"
                                                        : "tendon_geom";
      const ElementSchema& schema = mjcf_element(id);
      xml.open(schema.tag);
      bound(schema, wrap);
      xml.close();
    }
    xml.close();
  }
  xml.close();
}

// ---- equalities -----------------------------------------------------------------------------------------

void MjcfWriter::write_equalities() {
  if (spec.equalities.empty()) return;
  xml.open("equality");
  for (const EqualitySpec& equality : spec.equalities) {
    const EqualityKind& kind = equality_kind(equality.type);
    const ElementSchema& schema = mjcf_element(kind.element);
    const int source = equality.source;
    const bool weld = equality.type == EqualityType::kWeld, sites = equality.objtype == ObjType::kSite;
    EqualitySpec fresh = fresh_of(equality);
    fresh.data = kFreshEqData;
    xml.open(schema.tag);
    bound(schema, equality, fresh);
    write_class_of(equality);
    if (equality.type == EqualityType::kMimic) {
      write_leaders(equality);
    } else if (kind.holds_poses()) {
      text(sites ? "site1" : "body1", equality.object1, source);
      if (sites || !equality.object2.empty()) text(sites ? "site2" : "body2", equality.object2, source);
      if (!sites) numbers("anchor", {equality.data.data(), 3}, source);
      if (weld && !sites) numbers("relpose", {equality.data.data() + 3, 7}, source);
      if (weld) numbers("torquescale", {equality.data.data() + kTorqueScale, 1}, source);
    }
    xml.close();
  }
  xml.close();
}

void MjcfWriter::write_leaders(const EqualitySpec& mimic) {
  std::string leaders;
  for (const std::string& leader : mimic.leaders) {
    if (split_words(leader).size() != 1) {
      diagnostics.error(Code::kNotWritable, spec.origin(mimic.source, "joint2"), "mimic",
                        "the joint " + quote(leader) + " cannot stand in a list of leaders: its name has spaces");
    }
    leaders += (leaders.empty() ? "" : " ") + leader;
  }
  text("joint2", leaders, mimic.source);
}

// ---- actuators ------------------------------------------------------------------------------------------

void MjcfWriter::write_actuators() {
  if (spec.actuators.empty()) return;
  const ElementSchema& schema = mjcf_element("general");
  xml.open("actuator");
  for (const ActuatorSpec& actuator : spec.actuators) {
    ActuatorSpec fresh;
    xml.open("general");
    // the length of a crank where there is none: only a class can give that
    const bool crank = actuator.trntype == TransmissionType::kSliderCrank;
    if (!crank && actuator.cranklength != 0) {
      fresh.cranklength = actuator.cranklength;
      XmlText content(3);
      std::swap(xml, content);
      xml.open("general");
      bound(schema, fresh);
      xml.close();
      std::swap(xml, content);
      xml.attribute("class", class_with("actuator", content.text()));
    }
    bound(schema, actuator, fresh);
    for (const TargetWord& target : kTargets) {
      if (target.type == actuator.trntype) text(target.attribute, actuator.target, actuator.source);
    }
    write_actuator_input(actuator);
    xml.close();
  }
  xml.close();
}

void MjcfWriter::write_actuator_input(const ActuatorSpec& actuator) {
  if (actuator.ctrlspec == 0) return;
  std::string words;
  for (const Keyword& keyword : mjcf_element("general").find("input")->keywords) {
    const bool chart = keyword.value & kChartMark;
    if (chart != is_so3(actuator)) continue;
    const int bits = keyword.value & ~kChartMark;
    const bool has = chart ? bits == actuator.ctrlspec : (bits & actuator.ctrlspec) != 0;
    if (has) words += (words.empty() ? "" : " ") + std::string(keyword.text);
  }
  xml.attribute("input", words);
}

// ---- sensors --------------------------------------------------------------------------------------------

namespace {

/// Bits as the words of a list whose values are bit numbers.
std::string field_words(const ElementSchema& schema, int fields) {
  std::string words;
  for (const Keyword& keyword : schema.find("data")->keywords) {
    if (fields & (1 << keyword.value)) words += (words.empty() ? "" : " ") + std::string(keyword.text);
  }
  return words;
}

}  // namespace

void MjcfWriter::write_sensors() {
  if (spec.sensors.empty()) return;
  xml.open("sensor");
  for (const SensorSpec& sensor : spec.sensors) write_sensor(sensor);
  xml.close();
}

void MjcfWriter::write_sensor(const SensorSpec& sensor) {
  const SensorTag* tag = nullptr;
  for (const SensorTag& known : kSensorTags) {
    if (known.type == sensor.type) tag = &known;
  }
  if (!tag) return loss(sensor, "", "has no form in MJCF and is left out");
  const ElementSchema& schema = *mjcf_element("sensor").find_child(tag->tag);
  const auto choose = [&](std::span<const ObjectChoice> choices, ObjType type, const std::string& name) {
    for (const ObjectChoice& choice : choices) {
      if (choice.type == type) text(choice.attribute, name, sensor.source);
    }
  };
  xml.open(tag->tag);
  bound(schema, sensor);
  switch (tag->form) {
    case SensorForm::kRange:
      choose(kRangeObjects, sensor.objtype, sensor.objname);
      xml.attribute("data", field_words(schema, sensor.intprm[0]));
      break;
    case SensorForm::kDistance:
      choose(kDistanceFirst, sensor.objtype, sensor.objname);
      choose(kDistanceSecond, sensor.reftype, sensor.refname);
      break;
    case SensorForm::kContact:
      choose(kContactFirst, sensor.objtype, sensor.objname);
      choose(kContactSecond, sensor.reftype, sensor.refname);
      xml.attribute("data", field_words(schema, sensor.intprm[0]));
      word(schema, "reduce", sensor.intprm[1]);
      xml.attribute("num", std::to_string(sensor.intprm[2]));
      break;
    case SensorForm::kInside:
      if (sensor.intprm[0]) xml.attribute("enclosed", "true");
      break;
    default:
      break;
  }
  xml.close();
}

}  // namespace pliant

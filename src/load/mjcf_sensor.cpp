// Reads one sensor: its type from the tag, what it measures, and what it reports.
//
// Attributes bound by the schema are read mechanically; here are the sensors that choose between
// kinds of objects (rangefinder, distance, contact) and the lists of data fields.

#include "load/mjcf_sensor.h"

#include "base/text.h"
#include "load/mjcf_reader.h"

namespace pliant {
namespace {

void choose(const MjcfReader& reader, const Element& element, std::span<const ObjectChoice> choices, ObjType& type,
            std::string& name) {
  for (const ObjectChoice& choice : choices) {
    if (!reader.text(element, choice.attribute, name)) continue;
    type = choice.type;
    return;
  }
}

// the data fields as bits; the first one when none are listed
int read_data_fields(MjcfReader& reader, const Element& element, const ElementSchema& schema) {
  int fields = 0, last = -1;
  for (const int bit : reader.words(element, schema, "data")) {
    if (bit <= last) {
      std::string order;
      for (const Keyword& keyword : schema.find("data")->keywords) {
        order += (order.empty() ? "" : " ") + std::string(keyword.text);
      }
      const Attribute& data = *element.find("data");
      reader.error_at(
          Code::kBadKeyword, data, element,
          "<" + std::string(element.tag) + "> has data fields out of order or repeated: " + quote(data.value),
          "list each field once, in the order " + order);
      break;
    }
    fields |= 1 << bit;
    last = bit;
  }
  return fields ? fields : 1;
}

void read_contact(MjcfReader& reader, const Element& element, const ElementSchema& schema, SensorSpec& sensor) {
  choose(reader, element, kContactFirst, sensor.objtype, sensor.objname);
  choose(reader, element, kContactSecond, sensor.reftype, sensor.refname);
  sensor.intprm = {read_data_fields(reader, element, schema), 0, 1};
  reader.word(element, schema, "reduce", sensor.intprm[1]);
  if (reader.integer(element, "num", sensor.intprm[2]) && sensor.intprm[2] <= 0) {
    reader.error_at(Code::kBadSensor, *element.find("num"), element,
                    "<contact> needs 'num' ≥ 1, got " + std::to_string(sensor.intprm[2]));
  }
}

}  // namespace

void MjcfReader::read_sensor(const Element& element, const ElementSchema& schema, SensorSpec& sensor) {
  const SensorTag* tag = nullptr;
  for (const SensorTag& known : kSensorTags) {
    if (element.tag == known.tag) tag = &known;
  }
  if (!tag) return;
  read_attributes(element, schema, &sensor);
  sensor.source = source_of(element);
  sensor.type = tag->type;
  switch (tag->form) {
    case SensorForm::kObject:
      sensor.objtype = tag->objtype;
      break;
    case SensorForm::kProjection:
      sensor.objtype = ObjType::kSite;
      sensor.reftype = ObjType::kCamera;
      break;
    case SensorForm::kRange:
      choose(*this, element, kRangeObjects, sensor.objtype, sensor.objname);
      sensor.intprm[0] = read_data_fields(*this, element, schema);
      break;
    case SensorForm::kInside: {
      sensor.reftype = ObjType::kSite;
      bool enclosed = false;
      if (boolean(element, "enclosed", enclosed)) sensor.intprm[0] = enclosed;
      break;
    }
    case SensorForm::kDistance:
      choose(*this, element, kDistanceFirst, sensor.objtype, sensor.objname);
      choose(*this, element, kDistanceSecond, sensor.reftype, sensor.refname);
      break;
    case SensorForm::kContact:
      read_contact(*this, element, schema, sensor);
      break;
    case SensorForm::kTactile:
      sensor.objtype = ObjType::kMesh;
      sensor.reftype = ObjType::kGeom;
      break;
    case SensorForm::kFrame:
    case SensorForm::kRelative:
    case SensorForm::kGlobal:
    case SensorForm::kUser:
      break;
  }
}

}  // namespace pliant

// Faults in words: array, place, object with its origin, value, time.

#include <cmath>
#include <string>

#include "base/text.h"
#include "pliant/option_checks.h"
#include "pliant/place.h"
#include "pliant/step.h"

namespace pliant {
namespace {

std::string value_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return number_text(value);
}

/// "joint 'elbow' at arm.xml:12:7"; "" if there is no object.
std::string object_and_origin(const Model& m, const FieldPlace& place) {
  const std::string object = object_text(m, place);
  if (object.empty()) return {};
  std::string origin = m.origin(place.type, place.id);
  if (!origin.empty() && origin[0] == ':') origin = "line " + origin.substr(1);  // text in memory has no file name
  return object + (origin.empty() ? "" : " at " + origin);
}

/// "row 4 (contact of geom 'floor' at scene.xml:3:5 and geom 'ball' at scene.xml:8:7)", "row 0 (limit of joint 'elbow'
/// at …)"
std::string row_where(const Model& m, const Offence& offence) {
  const std::string_view source = offence.field;
  const size_t of = source.find(" of ");
  std::string text = "row " + std::to_string(offence.row) + " (";
  if (of != std::string_view::npos) text += std::string(source.substr(0, of + 4));
  text += object_and_origin(m, place_of(m, offence.field, offence.index));
  if (offence.geom2 >= 0) text += " and " + object_and_origin(m, {ObjType::kGeom, offence.geom2});
  return text + ")";
}

/// "qpos[7] (joint 'elbow' at arm.xml:12:7)"
std::string where(const Model& m, const Offence& offence) {
  if (offence.row >= 0) return row_where(m, offence);
  if (offence.index < 0) return offence.field;
  const std::string text = std::string(offence.field) + "[" + std::to_string(offence.index) + "]";
  const std::string object = object_and_origin(m, place_of(m, offence.field, offence.index));
  return object.empty() ? text : text + " (" + object + ")";
}

/// What is wrong with the value; `verb` is "is" or "was".
std::string verdict(Fault fault, const Offence& offence, const char* verb) {
  const std::string value = std::string(" ") + verb + " " + value_text(offence.value);
  const std::string time = " at t = " + number_text(offence.time);
  switch (fault) {
    case Fault::kNullQuaternion:
      return std::string(" ") + verb + " a quaternion of length zero" + time + ": no rotation";
    case Fault::kRowOverflow:
      return ":" + value + " bytes of memory for contacts and constraint rows are too few" + time +
             "; there are no rows";
    case Fault::kBadRow:
      return value + time + ": no constraint forces";
    case Fault::kRowMiscount:
      return ": there are more constraint rows than the " + value_text(offence.value) + " counted before" + time +
             "; this is a mistake of Pliant, please report it with the model";
    case Fault::kBadOption:
      return value + time + "; " + option_range(offence.field);
    case Fault::kBadParameter:
      return value + time +
             (offence.field == std::string_view("wrap_prm")
                  ? "; it must be the number of the geom's side site, or -1 if it has none"
                  : "; it must be 1, 3, 4 or 6");
    case Fault::kBadHistory:
      return value + time + ": a cursor that is not one of the history's places";
    case Fault::kBadReading:
      return value + time + ": a sensor that reads no number; look at what it is attached to";
    case Fault::kSolverFailed:
      return ": the solver met a matrix that is not positive definite in the island of this row" + time +
             "; the best accelerations so far were used";
    case Fault::kContactOverflow:
      return time + ": the arena is fixed and full, contacts were dropped";
    case Fault::kBadContact:
      return time + ": a contact that is not finite was dropped";
    case Fault::kFrictionFloor:
      return time + ": friction below 1e-5 counts as 1e-5";
    case Fault::kFollowerIgnored:
      return value + time + ": not where its leaders put it; it was taken from them";
    case Fault::kSingularInertia:
      return value + time + ": the mass matrix is not positive definite; give the dof mass, inertia or armature";
    default:
      return value + (std::isfinite(offence.value) ? ", beyond 1e10," : "") + time;
  }
}

}  // namespace

std::string describe_status(const Model& m, const Data& d, StepStatus status) {
  std::string text;
  for (int i = 0; i < kNumFaults; ++i) {
    if (!(status.faults >> i & 1)) continue;
    const Offence& offence = d.faults[i].last;
    if (!text.empty()) text += '\n';
    const auto fault = static_cast<Fault>(i);
    text += where(m, offence) + verdict(fault, offence, "is");
    if (fault != Fault::kContactOverflow && fault != Fault::kRowOverflow) text += "; the state was not changed";
  }
  return text;
}

std::string describe_faults(const Model& m, const Data& d) {
  std::string text;
  for (int i = 0; i < kNumFaults; ++i) {
    const FaultRecord& record = d.faults[i];
    if (record.count == 0) continue;
    if (!text.empty()) text += '\n';
    text += where(m, record.first) + verdict(static_cast<Fault>(i), record.first, "was");
    if (record.count > 1) text += "; " + std::to_string(record.count - 1) + " more since";
  }
  return text;
}

}  // namespace pliant

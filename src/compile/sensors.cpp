// Sensors: the objects they measure, the size and kind of what they report; and the sensor fields.
//
// Reads the working Spec's sensors and everything they can name (compile_actuators must have run:
// an actuator sensor reports one value per output). Writes Work::sensors, the sizes nsensor
// nsensordata nhistory nuser_sensor, then sensor_*. A geom that a sensor names is no longer visual
// only.

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "compile/actuators.h"
#include "compile/compile.h"
#include "model/sensor_kinds.h"

namespace pliant {
namespace {

constexpr int64_t kMost = std::numeric_limits<int>::max();

struct SensorDesk {
  Work& work;
  SensorSpec& spec;
  SensorWork& out;
  const SensorKind& kind;
  SensorObject needs;

  void error(Code code, std::string_view attribute, std::string message, std::string hint = {}) const {
    work.error(code, spec, attribute, std::move(message), std::move(hint));
  }
};

// ---- objects ------------------------------------------------------------------------------------

// the attribute of the element that names the first or the second object
std::string_view name_attribute(const SensorDesk& desk, bool first) {
  constexpr std::string_view kFirst[] = {"objname", "site",  "joint",    "tendon", "actuator", "body",
                                         "geom1",   "body1", "subtree1", "camera", "mesh"};
  constexpr std::string_view kSecond[] = {"refname", "geom2", "body2", "subtree2", "camera", "site", "geom"};
  const std::span<const std::string_view> names =
      first ? std::span<const std::string_view>(kFirst) : std::span<const std::string_view>(kSecond);
  for (const std::string_view name : names) {
    if (desk.work.spec.has_attribute(desk.spec.source, name)) return name;
  }
  return first ? "objname" : "refname";
}

// An element that lacks a name has been reported by the reader; a sensor made in code has not.
bool reader_reported(const SensorDesk& desk, std::string_view attribute) {
  return desk.spec.source >= 0 && desk.work.diagnostics.has_errors() &&
         !desk.work.spec.has_attribute(desk.spec.source, attribute);
}

int resolve_object(const SensorDesk& desk, ObjType type, const std::string& name, bool first) {
  if (type == ObjType::kUnknown) return -1;
  if (name.empty()) {
    const std::string_view attribute = name_attribute(desk, first);
    if (!reader_reported(desk, attribute)) {
      desk.error(Code::kEmptyName, attribute, "does not name the object it measures");
    }
    return -1;
  }
  const ObjType list = type == ObjType::kXbody ? ObjType::kBody : type;
  const int id = desk.work.resolve(list, name, desk.spec.source, name_attribute(desk, first));
  if (id >= 0 && type == ObjType::kGeom) desk.work.geoms[id].visual = false;
  return id;
}

bool has_frame(ObjType type) {
  return type == ObjType::kBody || type == ObjType::kXbody || type == ObjType::kGeom || type == ObjType::kSite ||
         type == ObjType::kCamera;
}

void check_joint(const SensorDesk& desk, bool right, const char* needed) {
  if (right) return;
  desk.error(Code::kWrongReference, "joint",
             "needs " + std::string(needed) + "; " + quote(desk.spec.objname) + " is none");
}

void check_limited(const SensorDesk& desk, bool limited, const char* attribute) {
  if (limited) return;
  desk.error(Code::kWrongReference, attribute, "measures a limit, but " + quote(desk.spec.objname) + " has none",
             "give it a range, or remove the sensor");
}

void check_pair(const SensorDesk& desk) {
  const SensorSpec& spec = desk.spec;
  if (spec.objtype == spec.reftype && desk.out.objid == desk.out.refid) {
    desk.error(Code::kBadSensor, name_attribute(desk, false),
               "measures between two things, but " + quote(spec.objname) + " is named twice");
  }
  const auto is_hfield = [&](ObjType type, int id) {
    return type == ObjType::kGeom && desk.work.spec.geoms[id].type == GeomType::kHfield;
  };
  if (is_hfield(spec.objtype, desk.out.objid) || is_hfield(spec.reftype, desk.out.refid)) {
    desk.error(Code::kWrongReference, "", "cannot measure the distance to a height field");
  }
}

// the geom's body must have something that others can touch
void check_touchable(const SensorDesk& desk) {
  const Work& work = desk.work;
  for (int g : work.bodies[work.spec.geoms[desk.out.refid].body].geoms) {
    const GeomSpec& geom = work.spec.geoms[g];
    if (geom.contype || geom.conaffinity) return;
  }
  desk.error(Code::kWrongReference, "geom",
             "feels contacts of the body of geom " + quote(desk.spec.refname) + ", which has no geom that can collide");
}

// the object is of the kind that this sensor measures; reports and returns false otherwise
bool check_object_types(const SensorDesk& desk) {
  const SensorSpec& spec = desk.spec;
  const ObjType type = spec.objtype, ref = spec.reftype;
  const auto body_or_geom = [](ObjType t) { return t == ObjType::kBody || t == ObjType::kGeom; };
  bool right = true;
  switch (desk.needs) {
    case SensorObject::kNothing:
      break;
    case SensorObject::kSite:
      right = type == ObjType::kSite;
      break;
    case SensorObject::kSiteOrCamera:
      right = type == ObjType::kSite || type == ObjType::kCamera;
      break;
    case SensorObject::kScalarJoint:
    case SensorObject::kBallJoint:
    case SensorObject::kLimitedJoint:
      right = type == ObjType::kJoint;
      break;
    case SensorObject::kTendon:
    case SensorObject::kLimitedTendon:
      right = type == ObjType::kTendon;
      break;
    case SensorObject::kActuator:
      right = type == ObjType::kActuator;
      break;
    case SensorObject::kFrame:
      right = has_frame(type);
      break;
    case SensorObject::kBody:
      right = type == ObjType::kBody;
      break;
    case SensorObject::kTwoBodiesOrGeoms:
      right = body_or_geom(type) && body_or_geom(ref);
      break;
    case SensorObject::kMeshOnGeom:
      right = type == ObjType::kMesh && ref == ObjType::kGeom;
      break;
  }
  if (spec.type == SensorType::kCamProjection) right = right && ref == ObjType::kCamera;
  if (spec.type == SensorType::kInsideSite) right = right && ref == ObjType::kSite;
  if (!right) {
    const bool incomplete = (type == ObjType::kUnknown && reader_reported(desk, "objtype")) ||
                            (ref == ObjType::kUnknown && reader_reported(desk, "reftype"));
    if (!incomplete) {
      desk.error(Code::kWrongReference, "", "is attached to the wrong kind of object, or to none");
    }
  } else if (ref != ObjType::kUnknown && !has_frame(ref)) {
    desk.error(Code::kWrongReference, "reftype", "needs a body, xbody, geom, site or camera as its frame of reference");
    return false;
  }
  return right;
}

// Shapes whose distances to a site are those of a convex body of finite size.
bool is_compact(GeomType type) {
  return type == GeomType::kSphere || type == GeomType::kCapsule || type == GeomType::kEllipsoid ||
         type == GeomType::kCylinder || type == GeomType::kBox || type == GeomType::kMesh;
}

// What is to be enclosed must have a volume.
void check_enclosed(const SensorDesk& desk) {
  const SensorSpec& spec = desk.spec;
  const Work& work = desk.work;
  if (spec.objtype == ObjType::kCamera) {
    desk.error(Code::kWrongReference, "objtype", "asks whether a camera is enclosed, which has no volume",
               "leave out enclosed=\"true\" to ask for its position");
    return;
  }
  const auto check_geom = [&](int geom) {
    if (is_compact(work.spec.geoms[geom].type)) return;
    const std::string& name = work.spec.geoms[geom].name;
    desk.error(Code::kWrongReference, "objname",
               "asks whether geom " + (name.empty() ? std::to_string(geom) : quote(name)) +
                   " is enclosed, which is no convex body of finite size",
               "planes, height fields and SDFs cannot be enclosed");
  };
  if (spec.objtype == ObjType::kGeom) return check_geom(desk.out.objid);
  if (spec.objtype == ObjType::kSite) return;
  int found = 0;
  for (int b = desk.out.objid; b < static_cast<int>(work.bodies.size()); ++b) {
    int above = b;
    while (spec.objtype == ObjType::kXbody && above > desk.out.objid) above = work.spec.bodies[above].parent;
    if (above != desk.out.objid) continue;
    for (int g : work.bodies[b].geoms) check_geom(g), ++found;
  }
  if (found == 0) {
    desk.error(Code::kWrongReference, "objname",
               "asks whether the geoms of " + quote(spec.objname) + " are enclosed, but there are none");
  }
}

void check_objects(const SensorDesk& desk) {
  const Work& work = desk.work;
  const int id = desk.out.objid;
  switch (desk.needs) {
    case SensorObject::kScalarJoint:
      check_joint(desk, joint_kind(work.spec.joints[id].type).is_scalar(), "a hinge or slide joint");
      break;
    case SensorObject::kBallJoint:
      check_joint(desk, joint_kind(work.spec.joints[id].type).is_ball(), "a ball joint");
      break;
    case SensorObject::kLimitedJoint:
      check_limited(desk, work.joint_limited[id], "joint");
      break;
    case SensorObject::kLimitedTendon:
      check_limited(desk, work.tendons[id].limited, "tendon");
      break;
    case SensorObject::kTwoBodiesOrGeoms:
      check_pair(desk);
      break;
    case SensorObject::kMeshOnGeom:
      check_touchable(desk);
      break;
    default:
      break;
  }
  if (is_enclosed(desk.spec.type, desk.spec.intprm[0])) check_enclosed(desk);
  const bool projects = desk.spec.type == SensorType::kCamProjection;
  if (projects || (desk.spec.type == SensorType::kRangefinder && desk.spec.objtype == ObjType::kCamera)) {
    const Ints<2>& resolution = work.spec.cameras[projects ? desk.out.refid : id].resolution;
    const bool reported = resolution[0] < 0 || resolution[1] < 0;  // at the camera
    if (!reported && (resolution[0] == 0 || resolution[1] == 0)) {
      desk.error(Code::kWrongReference, "camera",
                 (projects ? "projects onto camera " : "sends a ray through every pixel of camera ") +
                     quote(projects ? desk.spec.refname : desk.spec.objname) + ", which has no pixels",
                 "give the camera a resolution greater than 0");
    }
  }
}

bool resolve_objects(const SensorDesk& desk) {
  const SensorSpec& spec = desk.spec;
  if (!check_object_types(desk)) return false;
  desk.out.objid = resolve_object(desk, spec.objtype, spec.objname, true);
  desk.out.refid = resolve_object(desk, spec.reftype, spec.refname, false);
  const bool found = (spec.objtype == ObjType::kUnknown || desk.out.objid >= 0) &&
                     (spec.reftype == ObjType::kUnknown || desk.out.refid >= 0);
  if (found) check_objects(desk);
  return found;
}

// ---- what it reports ----------------------------------------------------------------------------

int64_t data_size(int fields, std::span<const int> sizes) {
  int64_t size = 0;
  for (size_t bit = 0; bit < sizes.size(); ++bit) {
    if (fields >> bit & 1) size += sizes[bit];
  }
  return size;
}

bool has_bit(int fields, ContactData field) { return fields >> static_cast<int>(field) & 1; }

// A contact sensor is read as soon as what it reports, and what it sorts contacts by, is known.
Stage contact_stage(const SensorDesk& desk) {
  const int fields = desk.spec.intprm[0];
  const auto reduce = static_cast<ContactReduce>(desk.spec.intprm[1]);
  const bool forces = reduce == ContactReduce::kMaxForce || reduce == ContactReduce::kNetForce ||
                      has_bit(fields, ContactData::kForce) || has_bit(fields, ContactData::kTorque);
  const bool velocities = has_bit(fields, ContactData::kLinVel) || has_bit(fields, ContactData::kAngVel);
  if (velocities && reduce == ContactReduce::kNetForce) {
    desk.error(Code::kBadSensor, "data",
               "adds up the forces of all contacts (reduce=\"netforce\"), which have no common velocity",
               "leave out linvel and angvel, or use another reduce");
  }
  return forces ? Stage::kAcceleration : velocities ? Stage::kVelocity : Stage::kPosition;
}

int64_t own_dimension(const SensorDesk& desk) {
  const SensorSpec& spec = desk.spec;
  switch (spec.type) {
    case SensorType::kActuatorPos:
    case SensorType::kActuatorVel:
    case SensorType::kActuatorFrc:
      return desk.work.actuators[desk.out.objid].outnum;
    case SensorType::kRangefinder: {
      int64_t rays = 1;
      if (spec.objtype == ObjType::kCamera) {
        const Ints<2>& resolution = desk.work.spec.cameras[desk.out.objid].resolution;
        rays = static_cast<int64_t>(std::max(resolution[0], 0)) * std::max(resolution[1], 0);
      }
      // two 32-bit factors and a small one: the product of a hostile file still fits
      return std::min(rays, kMost) * data_size(spec.intprm[0], kRayDataSizes);
    }
    case SensorType::kContact:
      return spec.intprm[2] * data_size(spec.intprm[0], kContactDataSizes);
    case SensorType::kTactile:
      // a force in the local frame of every vertex
      return int64_t{3} * static_cast<int64_t>(desk.work.meshes[desk.out.objid].vertex.size() / 3);
    case SensorType::kUser:
      return spec.dim;
    default:
      return 0;
  }
}

void resolve_report(const SensorDesk& desk) {
  const SensorSpec& spec = desk.spec;
  SensorWork& out = desk.out;
  const bool user = spec.type == SensorType::kUser;
  out.datatype = user ? spec.datatype : desk.kind.datatype;
  out.needstage = user ? spec.needstage : desk.kind.stage;
  if (spec.type == SensorType::kContact) out.needstage = contact_stage(desk);
  if (is_enclosed(spec.type, spec.intprm[0])) out.datatype = DataType::kReal;  // a signed distance
  const int64_t dim = desk.kind.size == kOwnSize ? own_dimension(desk) : desk.kind.size;
  if (dim > kMost) {
    desk.error(Code::kTooLarge, "", "reports " + std::to_string(dim) + " numbers, which is too many");
  }
  out.dim = static_cast<int>(std::clamp<int64_t>(dim, 0, kMost));
  if (user) {
    if (dim < 0) desk.error(Code::kBadSensor, "dim", "needs dim ≥ 0, got " + std::to_string(dim));
    const int needed = out.datatype == DataType::kAxis ? 3 : out.datatype == DataType::kQuaternion ? 4 : -1;
    if (needed > 0 && dim != needed) {
      desk.error(Code::kBadSensor, "dim",
                 "has a datatype of " + std::to_string(needed) + " numbers, not of " + std::to_string(dim));
    }
    desk.work.warning(Code::kUserCallback, spec, "",
                      "is a user sensor: it reads 0 until the program provides a callback");
  }
  // clipping the components of a direction would turn it; the contact normal is allowed it all the
  // same
  const bool direction = out.datatype == DataType::kQuaternion ||
                         (out.datatype == DataType::kAxis && spec.type != SensorType::kGeomNormal);
  if (spec.cutoff > 0 && direction) {
    desk.error(Code::kBadSensor, "cutoff", "reports a direction or quaternion, which has no cutoff");
  }
}

void check_common(const SensorDesk& desk) {
  const SensorSpec& spec = desk.spec;
  if (spec.noise < 0) {
    desk.error(Code::kBadSensor, "noise", "needs noise ≥ 0, got " + number_text(spec.noise));
  }
  if (spec.cutoff < 0) {
    desk.error(Code::kBadSensor, "cutoff", "needs cutoff ≥ 0, got " + number_text(spec.cutoff));
  }
  const double period = spec.interval[0], phase = spec.interval[1];
  if (period < 0) {
    desk.error(Code::kBadSensor, "interval", "needs a period ≥ 0, got " + number_text(period));
  } else if (phase > 0 || (period > 0 && phase <= -period)) {
    desk.error(Code::kBadSensor, "interval",
               "needs a phase between −period (excluded) and 0, got " + number_text(phase));
  }
  if (spec.delay > 0 && spec.nsample <= 0) {
    desk.error(Code::kBadSensor, "delay", "has a delay, but no history to take it from",
               "add nsample: at least delay / timestep + 1");
  }
  if (spec.nsample > kMaxHistorySamples) {
    desk.error(Code::kBadSensor, "nsample",
               "keeps at most " + std::to_string(kMaxHistorySamples) + " samples, not " + std::to_string(spec.nsample));
  }
  if (spec.nsample < 0) {
    desk.work.warning(Code::kIgnoredAttribute, spec, "nsample", "has a negative nsample: no history");
  }
  const int allowed = desk.work.spec.size.nuser_sensor, given = static_cast<int>(spec.user.size());
  if (allowed >= 0 && given > allowed) {
    desk.error(
        Code::kWrongCount, "user",
        "has " + std::to_string(given) + " user values, but <size nuser_sensor> allows " + std::to_string(allowed));
  }
}

// Files say these as words, which the reader checks; programs write the numbers.
bool check_parameters(const SensorDesk& desk) {
  const SensorSpec& spec = desk.spec;
  const bool contact = spec.type == SensorType::kContact;
  if (!contact && spec.type != SensorType::kRangefinder) return true;
  const int bits = static_cast<int>(contact ? std::size(kContactDataSizes) : std::size(kRayDataSizes));
  const auto wrong = [&](const char* attribute, std::string message) {
    desk.error(Code::kBadSensor, attribute, std::move(message));
    return false;
  };
  const auto one_of = [](ObjType type, std::initializer_list<ObjType> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  if (contact &&
      !one_of(spec.objtype, {ObjType::kUnknown, ObjType::kBody, ObjType::kXbody, ObjType::kGeom, ObjType::kSite})) {
    return wrong("", "looks for contacts of a body, geom or site: objtype is another");
  }
  if (contact && !one_of(spec.reftype, {ObjType::kUnknown, ObjType::kBody, ObjType::kXbody, ObjType::kGeom})) {
    return wrong("", "looks for contacts with a body or geom: reftype is another");
  }
  if (spec.intprm[0] <= 0 || spec.intprm[0] >= 1 << bits) {
    return wrong("data", "needs bits of its data fields in intprm[0], from 1 to " + std::to_string((1 << bits) - 1) +
                             ", not " + std::to_string(spec.intprm[0]));
  }
  if (!contact) return true;
  if (spec.intprm[1] < 0 || spec.intprm[1] > static_cast<int>(ContactReduce::kNetForce)) {
    return wrong("reduce", "has no reduction with the number " + std::to_string(spec.intprm[1]) + " in intprm[1]");
  }
  if (spec.intprm[2] <= 0) {
    return wrong("num",
                 "needs a number of contacts greater than 0 in intprm[2], not " + std::to_string(spec.intprm[2]));
  }
  return true;
}

int64_t actuator_history(const Work& work) {
  int64_t size = 0;
  for (const ActuatorSpec& actuator : work.spec.actuators) {
    size += history_size(actuator);
  }
  return size;
}

void count_sensors(Work& work) {
  // histories of actuators come first
  int64_t ndata = 0, nhistory = std::min(actuator_history(work), kMost), nuser = 0;
  for (size_t i = 0; i < work.sensors.size(); ++i) {
    const SensorSpec& spec = work.spec.sensors[i];
    ndata += work.sensors[i].dim;
    nhistory += history_size(spec.nsample, work.sensors[i].dim);
    nuser = std::max<int64_t>(nuser, spec.user.size());
    if (ndata > kMost || nhistory > kMost) {
      work.error(Code::kTooLarge, spec, ndata > kMost ? "" : "nsample",
                 "makes the sensor data too large for 32-bit addresses");
      ndata = nhistory = 0;
    }
  }
  work.sizes.nsensor = static_cast<int>(work.sensors.size());
  work.sizes.nsensordata = static_cast<int>(ndata);
  work.sizes.nhistory = static_cast<int>(nhistory);
  const int allowed = work.spec.size.nuser_sensor;
  work.sizes.nuser_sensor = allowed >= 0 ? allowed : static_cast<int>(nuser);
}

}  // namespace

void compile_sensors(Work& work) {
  const size_t count = work.spec.sensors.size();
  work.sensors.assign(count, {});
  for (size_t i = 0; i < count; ++i) {
    SensorSpec& spec = work.spec.sensors[i];
    const int type = static_cast<int>(spec.type);
    const SensorDesk desk = {work, spec, work.sensors[i], kSensorKinds[type], kSensorKinds[type].object};
    check_common(desk);
    if (spec.type == SensorType::kPlugin) {
      desk.error(Code::kUnsupportedElement, "", "is not supported");
    } else if (check_parameters(desk) && resolve_objects(desk)) {
      resolve_report(desk);
    }
  }
  count_sensors(work);
}

void write_sensors(const Work& work, Model& model) {
  int address = 0;
  int64_t history = actuator_history(work);
  for (int i = 0; i < model.nsensor; ++i) {
    const SensorSpec& spec = work.spec.sensors[i];
    const SensorWork& out = work.sensors[i];
    model.sensor_type[i] = static_cast<int>(spec.type);
    model.sensor_datatype[i] = static_cast<int>(out.datatype);
    model.sensor_needstage[i] = static_cast<int>(out.needstage);
    model.sensor_objtype[i] = static_cast<int>(spec.objtype);
    model.sensor_objid[i] = out.objid;
    model.sensor_reftype[i] = static_cast<int>(spec.reftype);
    model.sensor_refid[i] = out.refid;
    std::copy(spec.intprm.begin(), spec.intprm.end(), model.sensor_intprm + kNumSensorPrm * i);
    model.sensor_dim[i] = out.dim;
    model.sensor_adr[i] = address;
    address += out.dim;
    model.sensor_cutoff[i] = spec.cutoff;
    model.sensor_noise[i] = spec.noise;
    model.sensor_history[2 * i] = spec.nsample;
    model.sensor_history[2 * i + 1] = spec.interp;
    model.sensor_historyadr[i] = spec.nsample > 0 ? static_cast<int>(history) : -1;
    history += history_size(spec.nsample, out.dim);
    model.sensor_delay[i] = spec.delay;
    std::copy(spec.interval.begin(), spec.interval.end(), model.sensor_interval + 2 * i);
    std::copy(spec.user.begin(), spec.user.end(), model.sensor_user + model.nuser_sensor * i);
    model.sensor_plugin[i] = -1;
  }
}

}  // namespace pliant

// Scaling of what stands outside the tree: it follows the objects that it is measured against.
//
//   one owner        its gauge                                     actuators, connect, most sensors
//   two owners       geometric means of their gauges               pairs, welds, distances, slider-cranks
//   a path           the gauge of the lowest body or frame that contains all of it      tendons
//   two coordinates  each its own                                  coefficients of joint and tendon equalities
//
// What refers to an unknown name stays as it is; that is reported where names are resolved.

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "compile/gauge.h"
#include "spec/actuator_shape.h"
#include "spec/plastic.h"

namespace pliant {
namespace {

class ReferenceScaler {
 public:
  ReferenceScaler(Work& work, const Gauges& gauges) : work_(work), spec_(work.spec), gauges_(gauges) {
    index(spec_.bodies, bodies_);
    index(spec_.joints, joints_);
    index(spec_.geoms, geoms_);
    index(spec_.sites, sites_);
    index(spec_.cameras, cameras_);
    bodies_["world"] = 0;
  }

  void run() {
    for (TendonSpec& tendon : spec_.tendons) find_tendon_gauge(tendon);
    index(spec_.tendons, tendons_);
    for (ActuatorSpec& actuator : spec_.actuators) find_actuator_gauge(actuator);
    index(spec_.actuators, actuators_);
    // gauges are known; from here on numbers change
    scale_keys();
    for (size_t i = 0; i < spec_.tendons.size(); ++i) scale_tendon(spec_.tendons[i], tendon_gauges_[i]);
    for (size_t i = 0; i < spec_.actuators.size(); ++i) scale_actuator(spec_.actuators[i], actuator_gauges_[i]);
    for (PairSpec& pair : spec_.pairs) scale_pair(pair);
    for (EqualitySpec& equality : spec_.equalities) scale_equality(equality);
    for (SensorSpec& sensor : spec_.sensors) scale_sensor(sensor);
    for (SkinSpec& skin : spec_.skins) scale_skin(skin);
  }

 private:
  using Names = std::map<std::string, int, std::less<>>;

  template <class T>
  static void index(const std::vector<T>& list, Names& names) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (!list[i].name.empty()) names.emplace(list[i].name, static_cast<int>(i));
    }
  }
  static int find(const Names& names, const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? -1 : found->second;
  }

  /// Gauge of an object that is named; none when there is no such object.
  const Gauge* gauge_of(ObjType type, const std::string& name) const {
    const auto in = [&](const auto& list, const Names& names) -> const Gauge* {
      const int id = find(names, name);
      return id < 0 ? nullptr : &gauges_.of(list[id]);
    };
    switch (type) {
      case ObjType::kBody:
      case ObjType::kXbody: {
        const int id = find(bodies_, name);
        return id < 0 ? nullptr : &gauges_.inside_body(id);
      }
      case ObjType::kJoint:
        return in(spec_.joints, joints_);
      case ObjType::kGeom:
        return in(spec_.geoms, geoms_);
      case ObjType::kSite:
        return in(spec_.sites, sites_);
      case ObjType::kCamera:
        return in(spec_.cameras, cameras_);
      default:
        return nullptr;
    }
  }
  std::optional<Gauge> mean_of(ObjType type1, const std::string& name1, ObjType type2, const std::string& name2) const {
    const Gauge *first = gauge_of(type1, name1), *second = gauge_of(type2, name2);
    if (!first || !second) return {};
    return mean(*first, *second);
  }

  CoordinateGauge coordinate_of_joint(const std::string& name) const {
    const int id = find(joints_, name);
    return id < 0 ? CoordinateGauge{} : joint_gauge(spec_.joints[id], gauges_.of(spec_.joints[id]));
  }
  CoordinateGauge coordinate_of_tendon(const std::string& name) const {
    const int id = find(tendons_, name);
    return id < 0 ? CoordinateGauge{} : tendon_gauges_[id].coordinate;
  }

  // ---- tendons -------------------------------------------------------------------------------------------

  struct TendonGauge {
    CoordinateGauge coordinate;
    Gauge gauge;
  };

  void find_tendon_gauge(const TendonSpec& tendon) {
    int place = -1;
    bool angle = true;
    const auto include = [&](const auto& list, const Names& names, const std::string& name) {
      const int id = find(names, name);
      if (id < 0) return;
      const int own = gauges_.place_of(list[id]);
      place = place < 0 ? own : gauges_.lowest_common(place, own);
    };
    for (const WrapSpec& wrap : tendon.path) {
      switch (wrap.type) {
        case WrapType::kJoint: {
          include(spec_.joints, joints_, wrap.object);
          const int id = find(joints_, wrap.object);
          angle &= id >= 0 && !joint_kind(spec_.joints[id].type).is_length();
          break;
        }
        case WrapType::kSite:
          include(spec_.sites, sites_, wrap.object);
          break;
        case WrapType::kSphere:
        case WrapType::kCylinder:
          include(spec_.geoms, geoms_, wrap.object);
          break;
        default:
          break;
      }
    }
    TendonGauge& result = tendon_gauges_.emplace_back();
    if (place < 0) return;
    result.gauge = gauges_.inside(place);
    result.coordinate = angle && !tendon.spatial ? angle_gauge(result.gauge) : length_gauge(result.gauge);
  }

  void scale_tendon(TendonSpec& tendon, const TendonGauge& gauge) {
    for (double& length : tendon.springlength) {
      if (length != -1) length *= gauge.coordinate.unit;
    }
    tendon.width *= gauge.gauge.length;
    scale_coordinate(tendon, gauge.coordinate);
    for (WrapSpec& wrap : tendon.path) {
      if (wrap.type == WrapType::kJoint) wrap.prm *= gauge.coordinate.unit / coordinate_of_joint(wrap.object).unit;
    }
  }

  // ---- actuators -----------------------------------------------------------------------------------------

  struct ActuatorGauge {
    CoordinateGauge coordinate;
    Gauge gauge;
    double lever = 1;  ///< of the turning part of a gear that also has a translating one
  };

  void find_actuator_gauge(const ActuatorSpec& actuator) {
    ActuatorGauge& result = actuator_gauges_.emplace_back();
    const auto& gear = actuator.gear;
    // a wrench: a length when it pushes at all, and its torques then have a lever
    const auto wrench = [&](const Gauge& gauge) {
      const bool pushes = gear[0] != 0 || gear[1] != 0 || gear[2] != 0;
      result.coordinate = pushes ? length_gauge(gauge) : angle_gauge(gauge);
      if (pushes) result.lever = gauge.length;
    };
    const Gauge* gauge = nullptr;
    switch (actuator.trntype) {
      case TransmissionType::kJoint:
      case TransmissionType::kJointInParent: {
        const int id = find(joints_, actuator.target);
        if (id < 0) return;
        gauge = &gauges_.of(spec_.joints[id]);
        result.coordinate = joint_gauge(spec_.joints[id], *gauge);
        if (joint_kind(spec_.joints[id].type).floats()) wrench(*gauge);
        break;
      }
      case TransmissionType::kTendon: {
        const int id = find(tendons_, actuator.target);
        if (id < 0) return;
        result.coordinate = tendon_gauges_[id].coordinate;
        result.gauge = tendon_gauges_[id].gauge;
        return;
      }
      case TransmissionType::kSliderCrank:
        if (const auto both = mean_of(ObjType::kSite, actuator.target, ObjType::kSite, actuator.slidersite)) {
          result.gauge = *both;
          result.coordinate = length_gauge(*both);
        }
        return;
      case TransmissionType::kSite:
      case TransmissionType::kSo3:
        gauge = gauge_of(ObjType::kSite, actuator.target);
        if (gauge) wrench(*gauge);
        break;
      case TransmissionType::kBody:
        gauge = gauge_of(ObjType::kBody, actuator.target);
        if (gauge) result.coordinate = length_gauge(*gauge);
        break;
      case TransmissionType::kUndefined:
        break;
    }
    if (gauge) result.gauge = *gauge;
  }

  struct Control {
    double shown = 1;   ///< of the numbers that users send
    double in_law = 1;  ///< of the same as the gain sees them
  };

  static Control control_of(const ActuatorSpec& actuator, const ActuatorGauge& gauge) {
    if (actuator.gaintype != GainType::kFixed && actuator.gaintype != GainType::kAffine) return {};
    if (actuator.ctrlspec & (kInputPos | kInputVel)) return {gauge.coordinate.unit, gauge.coordinate.force_unit};
    if (actuator.ctrlspec & kInputPressure) {
      const double pressure = gauge.gauge.force_mass / gauge.gauge.force_length;
      return {pressure, pressure};
    }
    return {};
  }

  void scale_actuator(ActuatorSpec& actuator, const ActuatorGauge& gauge) {
    const CoordinateGauge& q = gauge.coordinate;
    const bool opaque = !gain_kind(actuator.gaintype).scales || !bias_kind(actuator.biastype).scales ||
                        actuator.dyntype == DynType::kUser || actuator.dyntype == DynType::kDcMotor;
    if (opaque && gauge.gauge.changes_forces()) {
      work_.error(Code::kBadActuator, actuator, "", "has parameters that cannot be scaled with the frame of its target",
                  "use scaling=\"geometry\" in that frame");
      return;
    }
    const Control control = control_of(actuator, gauge);
    const bool motor = actuator.gaintype == GainType::kDcMotor;
    // (of a motor without a position among its inputs it is that of a voltage)
    const double position = motor && !(actuator.ctrlspec & kInputPos) ? 1 : q.unit;
    for (double& limit : actuator.ctrlrange) {
      limit *= motor || actuator.gaintype == GainType::kPid ? position : control.shown;
    }
    for (double& limit : actuator.velrange) limit *= q.unit;
    for (double& limit : actuator.ffrange) limit *= q.force;
    for (double& limit : actuator.actrange) limit *= control.shown;
    for (double& limit : actuator.forcerange) limit *= q.force;
    for (double& length : actuator.lengthrange) length *= q.unit;
    for (int k = 3; k < 6; ++k) actuator.gear[k] *= gauge.lever;
    actuator.cranklength *= gauge.gauge.length;
    for (int k = 0; k < 3; ++k) actuator.damping[k] *= q.per_unit(k + 1);
    actuator.armature *= q.per_unit();
    // what orients makes torques; the reference does not ask its gear for that, but it does for the range of forces
    const CoordinateGauge law = is_so3(actuator) ? angle_gauge(gauge.gauge) : q;
    scale_gain(actuator, law, control);
    scale_bias(actuator, law);
    if (actuator.dyntype == DynType::kPid) {
      for (int k = 0; k < 2; ++k) actuator.dynprm[k] *= q.unit;
    } else if (actuator.dyntype == DynType::kDcMotor) {
      for (int k = 7; k < 9; ++k) actuator.dynprm[k] *= q.unit;
    }
  }

  static void scale_gain(ActuatorSpec& actuator, const CoordinateGauge& q, const Control& control) {
    auto& gain = actuator.gainprm;
    switch (actuator.gaintype) {
      case GainType::kAffine:
        gain[1] *= q.per_unit() / control.in_law;
        gain[2] *= q.per_unit() / control.in_law;
        [[fallthrough]];
      case GainType::kFixed:
        gain[0] *= q.force / control.in_law;
        break;
      case GainType::kMuscle:
        if (gain[2] > 0) gain[2] *= q.force;
        break;
      case GainType::kPid:
      case GainType::kSo3:
        gain[0] *= q.per_unit();
        break;
      default:
        break;
    }
  }

  static void scale_bias(ActuatorSpec& actuator, const CoordinateGauge& q) {
    auto& bias = actuator.biasprm;
    switch (actuator.biastype) {
      case BiasType::kAffine:
        bias[0] *= q.force;
        [[fallthrough]];
      case BiasType::kSo3:  // (which has no constant part)
        bias[1] *= q.per_unit();
        if (bias[2] < 0) bias[2] *= q.per_unit();  // a positive one is a damping ratio
        break;
      case BiasType::kMuscle:
        if (bias[2] > 0) bias[2] *= q.force;
        break;
      default:
        break;
    }
  }

  // ---- contacts, equalities, skins -----------------------------------------------------------------------

  void scale_pair(PairSpec& pair) {
    const auto gauge = mean_of(ObjType::kGeom, pair.geom1, ObjType::kGeom, pair.geom2);
    if (!gauge) return;
    pair.margin *= gauge->length;
    pair.gap *= gauge->length;
    pair.solimp[2] *= gauge->length;
    for (int k = 2; k < 5; ++k) pair.friction[k] *= gauge->length;
    pair.adhesion *= gauge->force();
    pair.stiffness *= gauge->force_mass;
    pair.damping_contact *= gauge->force_mass;
  }

  void scale_equality(EqualitySpec& equality) {
    if (equality.type == EqualityType::kMimic) return scale_mimic(equality);
    const EqualityKind& kind = equality_kind(equality.type);
    if (kind.holds_poses()) return scale_attachment(equality);
    const auto unit = [&](const std::string& object) {
      return (kind.ties_joints() ? coordinate_of_joint(object) : coordinate_of_tendon(object)).unit;
    };
    const double a = unit(equality.object1), b = unit(equality.object2);
    double factor = 1;
    bool below = false;
    int number = 0;
    for (const char c : std::string_view(kind.data)) {  // "a a/b …": units of numbers, one after the other
      if (c == 'a' || c == 'b') {
        const double unit_of = c == 'a' ? a : b;
        factor = below ? factor / unit_of : factor * unit_of;
      }
      if (c == '/') below = true;
      if (c != ' ') continue;
      equality.data[number++] *= factor;
      factor = 1;
      below = false;
    }
    equality.data[number] *= factor;
    equality.solimp[2] *= a;
  }

  void scale_mimic(EqualitySpec& mimic) {
    const double follower = coordinate_of_joint(mimic.object1).unit;
    mimic.gear.resize(mimic.leaders.size(), 1);
    for (size_t i = 0; i < mimic.leaders.size(); ++i) {
      mimic.gear[i] *= follower / coordinate_of_joint(mimic.leaders[i]).unit;
    }
    mimic.offset *= follower;
  }

  void scale_attachment(EqualitySpec& equality) {
    const bool sites = equality.objtype == ObjType::kSite, weld = equality.type == EqualityType::kWeld;
    const ObjType type = sites ? ObjType::kSite : ObjType::kBody;
    const std::string second = !sites && equality.object2.empty() ? "world" : equality.object2;
    const Gauge *first = gauge_of(type, equality.object1), *other = gauge_of(type, second);
    if (!first || !other) return;
    auto& data = equality.data;
    const auto move = [&](int at, const Gauge& gauge) {
      const Vec3 moved = gauge(Vec3{data[at], data[at + 1], data[at + 2]});
      for (int k = 0; k < 3; ++k) data[at + k] = moved[k];
    };
    if (!sites) {
      move(0, weld ? *other : *first);
      if (weld) move(3, *first);
    }
    const double both = mean(*first, *other).length;
    equality.solimp[2] *= sites || weld ? both : first->length;
    if (weld) data[kTorqueScale] *= both;
  }

  void scale_skin(SkinSpec& skin) {
    const Gauge* gauge = nullptr;
    for (const SkinBoneSpec& bone : skin.bones) {
      const Gauge* own = gauge_of(ObjType::kBody, bone.body);
      if (!own) return;
      if (!gauge) gauge = own;
      if (!gauge->same_shape(*own)) {
        work_.error(Code::kBadAsset, skin, "", "has bones that are scaled differently",
                    "all bones of a skin must stand in frames of the same scale");
        return;
      }
    }
    if (!gauge) return;
    const auto move = [&](float* at) {
      const Vec3 moved = (*gauge)(Vec3{at[0], at[1], at[2]});
      for (int k = 0; k < 3; ++k) at[k] = static_cast<float>(moved[k]);
    };
    for (size_t v = 0; v + 2 < skin.vertex.size(); v += 3) move(&skin.vertex[v]);
    for (SkinBoneSpec& bone : skin.bones) move(bone.bindpos.data());
    skin.inflate = static_cast<float>(skin.inflate * gauge->length);
  }

  // ---- sensors -------------------------------------------------------------------------------------------

  void scale_sensor(SensorSpec& sensor) {
    const auto multiply = [&](double factor) {
      sensor.cutoff *= factor;
      sensor.noise *= factor;
    };
    const Gauge* object = gauge_of(sensor.objtype, sensor.objname);
    const auto both = mean_of(sensor.objtype, sensor.objname, sensor.reftype, sensor.refname);
    switch (sensor.type) {
      case SensorType::kTouch:
      case SensorType::kForce:
        return object ? multiply(object->force()) : void();
      case SensorType::kTorque:
      case SensorType::kSubtreeAngMom:
        return object ? multiply(object->torque()) : void();
      case SensorType::kAccelerometer:
      case SensorType::kVelocimeter:
      case SensorType::kRangefinder:
      case SensorType::kFramePos:
      case SensorType::kFrameLinVel:
      case SensorType::kFrameLinAcc:
      case SensorType::kSubtreeCom:
      case SensorType::kSubtreeLinVel:
        return object ? multiply(object->length) : void();
      case SensorType::kJointPos:
      case SensorType::kJointVel:
      case SensorType::kJointLimitPos:
      case SensorType::kJointLimitVel:
        return multiply(coordinate_of_joint(sensor.objname).unit);
      case SensorType::kJointActFrc:
      case SensorType::kJointLimitFrc:
        return multiply(coordinate_of_joint(sensor.objname).force);
      case SensorType::kTendonPos:
      case SensorType::kTendonVel:
      case SensorType::kTendonLimitPos:
      case SensorType::kTendonLimitVel:
        return multiply(coordinate_of_tendon(sensor.objname).unit);
      case SensorType::kTendonActFrc:
      case SensorType::kTendonLimitFrc:
        return multiply(coordinate_of_tendon(sensor.objname).force);
      case SensorType::kActuatorPos:
      case SensorType::kActuatorVel:
      case SensorType::kActuatorFrc: {
        const int id = find(actuators_, sensor.objname);
        if (id < 0) return;
        const CoordinateGauge& q = actuator_gauges_[id].coordinate;
        return multiply(sensor.type == SensorType::kActuatorFrc ? q.force : q.unit);
      }
      case SensorType::kGeomDist:
      case SensorType::kGeomFromTo:
        return both ? multiply(both->length) : void();
      case SensorType::kGeomNormal:  // its cutoff is that of the distance
        if (both) sensor.cutoff *= both->length;
        return;
      case SensorType::kInsideSite:
        if (both && sensor.intprm[0]) multiply(both->length);
        return;
      case SensorType::kTactile:
        if (const Gauge* geom = gauge_of(sensor.reftype, sensor.refname); geom && !geom->same_shape(Gauge{})) {
          work_.error(Code::kBadSensor, sensor, "", "a tactile sensor cannot be scaled");
        }
        return;
      default:
        return;
    }
  }

  // ---- keyframes -----------------------------------------------------------------------------------------

  void scale_keys() {
    for (KeySpec& key : spec_.keys) {
      size_t at_qpos = 0, at_qvel = 0, at_plastic = 0;
      for (const JointSpec& joint : spec_.joints) {
        scale_joint_state(joint, slice(key.qpos, at_qpos, joint_kind(joint.type).positions),
                          slice(key.qvel, at_qvel, joint_kind(joint.type).velocities),
                          slice(key.plastic, at_plastic, plastic_count(joint)));
      }
      for (size_t i = 0; i < spec_.tendons.size(); ++i) {
        if (spec_.tendons[i].springyield <= 0) continue;
        for (double& value : slice(key.plastic, at_plastic, kTendonPlastic)) value *= tendon_gauges_[i].coordinate.unit;
      }
      size_t at_act = 0, at_ctrl = 0, at_mocap = 0;
      for (size_t i = 0; i < spec_.actuators.size(); ++i) {
        const ActuatorSpec& actuator = spec_.actuators[i];
        scale_actuator_state(actuator, actuator_gauges_[i], slice(key.act, at_act, states_of(actuator)),
                             slice(key.ctrl, at_ctrl, control_count(actuator)));
      }
      for (const BodySpec& body : spec_.bodies) {
        if (body.mocap) move(slice(key.mpos, at_mocap, 3), body.frame);
      }
      for (KeyState& state : key.states) scale_state(state);
    }
  }

  /// The part that belongs to one object, as far as it is given.
  static std::span<double> slice(std::vector<double>& values, size_t& at, int count) {
    const size_t first = std::min(at, values.size()), last = std::min(at + count, values.size());
    at += count;
    return {values.data() + first, last - first};
  }

  static int states_of(const ActuatorSpec& actuator) {
    if (actuator.dyntype == DynType::kDcMotor && actuator.actdim < 0) return dcmotor_states(actuator);
    return state_count(actuator);
  }

  void move(std::span<double> position, int frame) const {
    if (position.size() < 3) return;
    const Vec3 moved = gauges_.moved({position[0], position[1], position[2]}, frame);
    for (int k = 0; k < 3; ++k) position[k] = moved[k];
  }

  void scale_joint_state(const JointSpec& joint, std::span<double> qpos, std::span<double> qvel,
                         std::span<double> plastic) const {
    if (joint_kind(joint.type).floats()) {
      const int frame = spec_.bodies[joint.body].frame;
      move(qpos, frame);
      if (qvel.size() < 3) return;
      const Vec3 moved = gauges_.moved_velocity({qvel[0], qvel[1], qvel[2]}, frame);
      for (int k = 0; k < 3; ++k) qvel[k] = moved[k];
    } else if (joint_kind(joint.type).is_length()) {
      const double unit = joint_gauge(joint, gauges_.of(joint)).unit;
      for (auto part : {qpos, qvel, plastic}) {
        for (double& value : part) value *= unit;
      }
    }
  }

  void scale_actuator_state(const ActuatorSpec& actuator, const ActuatorGauge& gauge, std::span<double> act,
                            std::span<double> ctrl) const {
    const CoordinateGauge& q = gauge.coordinate;
    if (actuator.gaintype == GainType::kPid || actuator.gaintype == GainType::kDcMotor) {
      const bool motor = actuator.gaintype == GainType::kDcMotor;
      const int inputs = actuator.ctrlspec ? actuator.ctrlspec : motor ? kInputVoltage : kInputPos | kInputVel;
      size_t i = 0;
      for (const int input : {kInputPos, kInputVel, kInputFf}) {
        if ((inputs & input) && i < ctrl.size()) ctrl[i++] *= input == kInputFf ? q.force : q.unit;
      }
      if (motor) return;
      for (double& state : act) state *= q.unit;
      return;
    }
    const double shown = control_of(actuator, gauge).shown;
    for (double& value : act) value *= shown;
    for (double& value : ctrl) value *= shown;
  }

  /// Part of a keyframe that came with an attached model.
  void scale_state(KeyState& state) {
    const auto find_tag = [&](const auto& list) -> int {
      for (size_t i = 0; i < list.size(); ++i) {
        if (list[i].tag && list[i].tag == state.tag) return static_cast<int>(i);
      }
      return -1;
    };
    if (const int j = find_tag(spec_.joints); j >= 0) {
      scale_joint_state(spec_.joints[j], state.qpos, state.qvel, state.plastic);
    } else if (const int a = find_tag(spec_.actuators); a >= 0) {
      scale_actuator_state(spec_.actuators[a], actuator_gauges_[a], state.act, state.ctrl);
    } else if (const int t = find_tag(spec_.tendons); t >= 0) {
      for (double& value : state.plastic) value *= tendon_gauges_[t].coordinate.unit;
    } else if (const int b = find_tag(spec_.bodies); b >= 0) {
      move(state.mpos, spec_.bodies[b].frame);
    }
  }

  Work& work_;
  Spec& spec_;
  const Gauges& gauges_;
  Names bodies_, joints_, geoms_, sites_, cameras_, tendons_, actuators_;
  std::vector<TendonGauge> tendon_gauges_;
  std::vector<ActuatorGauge> actuator_gauges_;
};

}  // namespace

void scale_references(Work& work, const Gauges& gauges) { ReferenceScaler(work, gauges).run(); }

}  // namespace pliant

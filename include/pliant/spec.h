#pragma once
// Spec: the editable description of a model, as its author wrote it. Names, classes, frames and the
// origin of every element are kept; nothing here is used while stepping. compile() turns it into Model.
//
// All objects live in flat lists; `body`, `parent` and `frame` are indices into them. An object read
// from a file knows its SourceElement, so that a finding made much later still names file:line:column.
// A quantity that was not given and has no fixed default is NaN (the readers refuse NaN in input).

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/diagnostics.h"
#include "pliant/kinds.h"
#include "pliant/options.h"
#include "pliant/types.h"

namespace pliant {

/// One attribute as it stood in the file.
struct SourceAttribute {
  std::string name, value;
  Origin name_at, value_at;
};
/// One element as it stood in the file: what a finding about an object points at.
struct SourceElement {
  std::string tag;
  Origin at;
  int first_attribute = 0, attribute_count = 0;  ///< range in Spec::source_attributes
};

/// What every named object has.
struct SpecObject {
  std::string name;
  int source = -1;   ///< index into Spec::sources; -1 = made in code
  int compiler = 0;  ///< index into Spec::compilers: attached models keep their own settings
  int tag = 0;       ///< identity, for keyframes that came with an attached model; 0 = none
  int klass = 0;     ///< index into Spec::classes: the default class it started from
  std::string info;  ///< what the author wants said in findings about it
};

/// Which quantities a frame's scale changes: all, as a change of units would, or lengths and masses alone.
enum class Scaling : int { kSimilar, kGeometry };
/// Assets that stay outside the Model, which has their paths instead.
enum class Passthrough : int { kNone, kTextures };
/// Whether the pixels of a texture are in the Model; kAuto: as <compiler passthrough> says.
enum class Embed : int { kFalse, kTrue, kAuto };

/// An orientation is a quaternion unless one of the alternatives was given.
enum class OrientationKind : int { kQuat, kAxisAngle, kXyAxes, kZAxis, kEuler };
struct Orientation {
  OrientationKind kind = OrientationKind::kQuat;
  Reals<4> quat = {1, 0, 0, 0};
  Reals<6> value = {};  ///< axis+angle (4), x and y axes (6), z axis (3) or Euler angles (3)
};

struct LengthRangeSpec {
  LengthRangeMode mode = LengthRangeMode::kMuscle;
  bool useexisting = true, uselimit = false;
  double accel = 20, maxforce = 0, timeconst = 1, timestep = 0.01, inttotal = 10, interval = 2, tolrange = 0.05;
};

struct CompilerSpec {
  bool autolimits = true;
  double boundmass = 0, boundinertia = 0, settotalmass = -1;
  /// By which share of itself the largest moment of an inertia may be larger than the sum of the other two; it is kept
  /// as written, with a warning. Many URDFs have such inertias. Not in the reference.
  double inertiatolerance = 0;
  bool balanceinertia = false, strippath = false, degree = true, fitaabb = false;
  std::string eulerseq = "xyz";
  std::string meshdir, texturedir;
  bool discardvisual = false, usethread = true, fusestatic = false;
  InertiaFromGeom inertiafromgeom = InertiaFromGeom::kAuto;
  Ints<2> inertiagrouprange = {0, 5};
  bool saveinertial = false, savecompiled = true, savecanonical = true, alignfree = false;
  int conflict = 0;
  Passthrough passthrough = Passthrough::kNone;
  LengthRangeSpec lengthrange;
  int source = -1;        ///< the last <compiler> element read
  std::string model_dir;  ///< folder of the main file, with trailing separator; "" in memory
};

struct SizeSpec {
  int64_t memory = -1;  ///< bytes; -1 = automatic
  int njmax = -1, nconmax = -1, nstack = -1, nuserdata = 0, nkey = 0;
  int nuser_body = -1, nuser_jnt = -1, nuser_geom = -1, nuser_site = -1, nuser_cam = -1, nuser_tendon = -1,
      nuser_actuator = -1, nuser_sensor = -1;
};

struct FrameSpec : SpecObject {
  int body = 0;     ///< body whose content it encloses
  int parent = -1;  ///< enclosing frame of the same body
  Reals<3> pos = {};
  Orientation orientation;
  /// What stands inside is resized about the frame's origin (compile/scaling.h); the frame's own pose is not.
  Reals<3> scale = {1, 1, 1};
  Scaling scaling = Scaling::kSimilar;
  double massscale = 0;    ///< factor of masses; 0 = product of `scale`
  std::string childclass;  ///< default class of what stands inside; already applied, kept for writers
};

struct BodySpec : SpecObject {
  int parent = -1;  ///< -1 only for the world (index 0)
  int frame = -1;   ///< enclosing frame of the parent body
  Reals<3> pos = {};
  Orientation orientation;
  bool mocap = false;
  double gravcomp = 0;
  SleepPolicy sleep = SleepPolicy::kAuto;
  bool simple_allowed = true, fuse_allowed = true;
  std::string childclass;  ///< as of a frame
  std::vector<double> user;
  // <inertial>
  bool has_inertial = false;
  int inertial_source = -1;
  int inertial_frame = -1;  ///< frame of this body that encloses it
  double mass = 0;
  Reals<3> ipos = {kUndefined, kUndefined, kUndefined}, inertia = {};
  Orientation iorientation;
  Reals<6> fullinertia = {kUndefined, 0, 0, 0, 0, 0};  ///< xx yy zz xy xz yz
};

struct JointSpec : SpecObject {
  int body = 0, frame = -1;
  JointType type = JointType::kHinge;
  int group = 0;
  Reals<3> pos = {}, axis = {0, 0, 1};
  double ref = 0, springref = 0;
  double springyield = 0;          ///< displacement at which the spring gives way; 0 = never
  Limited align = Limited::kAuto;  ///< free joints only
  Reals<3> stiffness = {}, damping = {};
  Reals<2> springdamper = {};
  Limited limited = Limited::kAuto, actuatorfrclimited = Limited::kAuto;
  Reals<2> range = {}, actuatorfrcrange = {};
  double margin = 0, armature = 0, frictionloss = 0;
  Reals<kNumRef> solreflimit = kDefaultSolref, solreffriction = kDefaultSolref;
  Reals<kNumImp> solimplimit = kDefaultSolimp, solimpfriction = kDefaultSolimp;
  bool actuatorgravcomp = false;
  std::vector<double> user;
};

/// How the attributes of a contact choose its numbers: a spring where it is resolved, or a reversal within one step.
enum class RestitutionMode : int { kAuto, kImpact };
/// Behaviour in place of solref (not in the reference); NaN: not given. See docs/physics.md.
struct ContactWish {
  double restitution = kUndefined;      ///< speed after an impact / speed before, at 1 m/s
  double stiffness = kUndefined;        ///< force per depth of a slow press, per contact point [N/m]
  double damping_contact = kUndefined;  ///< force per speed [N·s/m]
  RestitutionMode restitution_mode = RestitutionMode::kAuto;
};

struct GeomSpec : SpecObject, ContactWish {
  int body = 0, frame = -1;
  GeomType type = GeomType::kSphere;
  Reals<3> pos = {}, size = {};
  Orientation orientation;
  Reals<6> fromto = {kUndefined, 0, 0, 0, 0, 0};
  int contype = 1, conaffinity = 1, condim = 3, priority = 0, group = 0;
  Reals<3> friction = {1, 0.005, 0.0001};
  OwnFrictionLaw friction_law = OwnFrictionLaw::kOption;
  double solmix = 1;
  Reals<kNumRef> solref = kDefaultSolref;
  Reals<kNumImp> solimp = kDefaultSolimp;
  double margin = 0, gap = 0;
  Reals<6> surfacevel = {};
  double adhesion = 0;
  double mass = kUndefined, density = 1000;
  bool shellinertia = false;
  bool fluid_ellipsoid = false;
  Reals<5> fluidcoef = {0.5, 0.25, 1.5, 1, 1};
  std::string material, hfield, mesh;
  double fitscale = 1;
  bool castshadow = true;
  Floats<4> rgba = {0.5f, 0.5f, 0.5f, 1};
  std::vector<double> user;
};

struct SiteSpec : SpecObject {
  int body = 0, frame = -1;
  GeomType type = GeomType::kSphere;
  Reals<3> pos = {}, size = {0.005, 0.005, 0.005};
  Orientation orientation;
  Reals<6> fromto = {kUndefined, 0, 0, 0, 0, 0};
  std::string material, mesh;
  int group = 0;
  Floats<4> rgba = {0.5f, 0.5f, 0.5f, 1};
  std::vector<double> user;
};

struct CameraSpec : SpecObject {
  int body = 0, frame = -1;
  Reals<3> pos = {};
  Orientation orientation;
  CamLightMode mode = CamLightMode::kFixed;
  std::string target;
  int projection = 0;  ///< 0 perspective, 1 orthographic
  Ints<2> resolution = {1, 1};
  int output = 1;
  double fovy = 45, ipd = 0.068;
  Floats<2> sensorsize = {}, focal = {}, focalpixel = {}, principal = {}, principalpixel = {};
  std::vector<double> user;
};

struct LightSpec : SpecObject {
  int body = 0, frame = -1;
  Reals<3> pos = {}, dir = {0, 0, -1};
  CamLightMode mode = CamLightMode::kFixed;
  std::string target, texture;
  LightType type = LightType::kSpot;
  bool castshadow = true, active = true;
  float bulbradius = 0.02f, intensity = 0, range = 10, cutoff = 45, softness = 0.2f, exponent = 10;
  Floats<3> attenuation = {1, 0, 0}, ambient = {}, diffuse = {0.7f, 0.7f, 0.7f}, specular = {0.3f, 0.3f, 0.3f};
};

struct MeshSpec : SpecObject {
  std::string content_type, file, material;
  std::vector<float> vertex, normal, texcoord;
  std::vector<int> face;
  Reals<3> refpos = {};
  Reals<4> refquat = {1, 0, 0, 0};
  Reals<3> scale = {1, 1, 1};
  Reals<9> stretch = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< applied after `scale`: of frames that stretch askew (row by row)
  bool smoothnormal = false;
  MeshInertia inertia = MeshInertia::kLegacy;
  int maxhullvert = -1;
  MeshBuiltin builtin = MeshBuiltin::kNone;
  std::vector<double> params;
  bool optional = false;  ///< only looked at: when its file cannot be used, it is left out with a warning
};

struct HfieldSpec : SpecObject {
  std::string content_type, file;
  Reals<4> size = {};
  int nrow = 0, ncol = 0;
  std::vector<float> elevation;
};

struct SkinBoneSpec {
  std::string body;
  Floats<3> bindpos = {};
  Floats<4> bindquat = {1, 0, 0, 0};
  std::vector<int> vertid;
  std::vector<float> vertweight;
};
struct SkinSpec : SpecObject {
  std::string file, material;
  Floats<4> rgba = {0.5f, 0.5f, 0.5f, 1};
  float inflate = 0;
  int group = 0;
  std::vector<float> vertex, texcoord;
  std::vector<int> face;
  std::vector<SkinBoneSpec> bones;
  std::string file_prefix;  ///< of an attached model: goes before the names of bodies that the file has
};

struct TextureSpec : SpecObject {
  TextureType type = TextureType::kCube;
  ColorSpace colorspace = ColorSpace::kAuto;
  std::string content_type, file;
  std::array<std::string, 6> cubefiles;  ///< right left up down front back
  Ints<2> gridsize = {1, 1};
  std::string gridlayout = "............";
  TextureBuiltin builtin = TextureBuiltin::kNone;
  Reals<3> rgb1 = {0.8, 0.8, 0.8}, rgb2 = {0.5, 0.5, 0.5}, markrgb = {};
  TextureMark mark = TextureMark::kNone;
  double random = 0.01;
  int width = 0, height = 0, nchannel = 3;
  bool hflip = false, vflip = false;
  Embed embed = Embed::kAuto;
  std::vector<uint8_t> pixels;  ///< width × height × nchannel bytes in place of a file; set by programs
};

struct MaterialSpec : SpecObject {
  std::array<std::string, kNumTexRole> textures;  ///< by role: user rgb occlusion roughness …
  bool texuniform = false;
  Floats<2> texrepeat = {1, 1};
  float emission = 0, specular = 0.5f, shininess = 0.5f, reflectance = 0, metallic = -1, roughness = -1;
  Floats<4> rgba = {1, 1, 1, 1};
};

struct PairSpec : SpecObject, ContactWish {
  std::string geom1, geom2;
  int condim = 3;
  Reals<5> friction = {1, 1, 0.005, 0.0001, 0.0001};
  OwnFrictionLaw friction_law = OwnFrictionLaw::kOption;
  Reals<kNumRef> solref = kDefaultSolref, solreffriction = {};
  Reals<kNumImp> solimp = kDefaultSolimp;
  double margin = 0, gap = 0, adhesion = 0;
};

struct ExcludeSpec : SpecObject {
  std::string body1, body2;
};

/// Numbers of an equality that says nothing about them.
inline constexpr Reals<kNumEqData> kFreshEqData = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1};

struct EqualitySpec : SpecObject {
  EqualityType type = EqualityType::kConnect;
  ObjType objtype = ObjType::kUnknown;  ///< kBody or kSite for connect and weld
  std::string object1, object2;
  bool active = true;
  Reals<kNumRef> solref = kDefaultSolref;
  Reals<kNumImp> solimp = kDefaultSolimp;
  /// connect: anchor(3). weld: anchor(3) relpose(7) torquescale(1). joint, tendon: polycoef(5).
  Reals<kNumEqData> data = {};
  /// mimic: q(object1) + Σ gear·q(leader) + offset = 0 in absolute joint positions [rad|m].
  std::vector<std::string> leaders;
  std::vector<double> gear;  ///< one per leader; none = 1 each
  double offset = 0;
  MimicMode mode = MimicMode::kExact;
  double naturalfreq = 0, dampratio = 1;  ///< soft: [rad/s], 1 = critically damped
  double erp = 0.2;                       ///< hard: share of the residual removed per step
};

struct WrapSpec {
  WrapType type = WrapType::kNone;  ///< geoms are kSphere until compile looks at them
  std::string object, sidesite;
  double prm = 0;  ///< joint: coefficient; pulley: divisor
  int source = -1;
};

struct TendonSpec : SpecObject {
  bool spatial = true;
  int group = 0;
  Limited limited = Limited::kAuto, actuatorfrclimited = Limited::kAuto;
  Reals<2> range = {}, actuatorfrcrange = {}, springlength = {-1, -1};
  double margin = 0, armature = 0, frictionloss = 0, width = 0.003;
  double springyield = 0;  ///< as of a joint
  Reals<3> stiffness = {}, damping = {};
  Reals<kNumRef> solreflimit = kDefaultSolref, solreffriction = kDefaultSolref;
  Reals<kNumImp> solimplimit = kDefaultSolimp, solimpfriction = kDefaultSolimp;
  std::string material;
  Floats<4> rgba = {0.5f, 0.5f, 0.5f, 1};
  std::vector<double> user;
  std::vector<WrapSpec> path;
};

/// The element an actuator, or the actuator of a default class, was written with.
enum class ActuatorKind : int {
  kGeneral,
  kMotor,
  kPosition,
  kVelocity,
  kIntVelocity,
  kOrientation,
  kPid,
  kDamper,
  kCylinder,
  kMuscle,
  kAdhesion,
  kDcMotor
};

struct ActuatorSpec : SpecObject {
  ActuatorKind kind = ActuatorKind::kGeneral;
  GainType gaintype = GainType::kFixed;
  BiasType biastype = BiasType::kNone;
  DynType dyntype = DynType::kNone;
  Reals<kNumGain> gainprm = {1};
  Reals<kNumBias> biasprm = {};
  Reals<kNumDyn> dynprm = {1};
  int actdim = -1;   ///< -1 = from dyntype
  int ctrlspec = 0;  ///< input signature; 0 = the gain type's own; a declaration where the gain is fixed or affine
  bool actearly = false;
  TransmissionType trntype = TransmissionType::kUndefined;
  Reals<6> gear = {1, 0, 0, 0, 0, 0};
  std::string target, refsite, slidersite;
  double cranklength = 0;
  Reals<2> lengthrange = {};
  double inheritrange = 0;
  Reals<3> damping = {};
  double armature = 0;
  Limited ctrllimited = Limited::kAuto, forcelimited = Limited::kAuto, actlimited = Limited::kAuto;
  Reals<2> ctrlrange = {}, forcerange = {}, actrange = {}, velrange = {}, ffrange = {};
  int group = 0, nsample = 0, interp = 0;
  double delay = 0;
  std::vector<double> user;
};

struct SensorSpec : SpecObject {
  SensorType type = SensorType::kTouch;
  ObjType objtype = ObjType::kUnknown, reftype = ObjType::kUnknown;
  std::string objname, refname;
  Ints<kNumSensorPrm> intprm = {};
  DataType datatype = DataType::kReal;     ///< user sensors; others: set by compile
  Stage needstage = Stage::kAcceleration;  ///< likewise
  int dim = 0;                             ///< likewise
  double cutoff = 0, noise = 0, delay = 0;
  int nsample = 0, interp = 0;
  Reals<2> interval = {};
  std::vector<double> user;
};

struct NumericSpec : SpecObject {
  std::vector<double> data;
  int size = -1;  ///< -1 = length of data
};
struct TextSpec : SpecObject {
  std::string data;
};
struct TupleElementSpec {
  ObjType objtype = ObjType::kUnknown;
  std::string objname;
  double prm = 0;
  int source = -1;
};
struct TupleSpec : SpecObject {
  std::vector<TupleElementSpec> elements;
};

/// Part of a keyframe that came with an attached model: values of one joint, actuator or mocap body.
struct KeyState {
  int tag = 0;  ///< SpecObject::tag of the object
  std::vector<double> qpos, qvel, act, ctrl, mpos, mquat, plastic;
};
struct KeySpec : SpecObject {
  double time = 0;
  std::vector<double> qpos, qvel, act, ctrl, mpos, mquat, plastic;  ///< empty = not given
  bool attached = false;  ///< came with an attached model: only `states` is given, the rest is
                          ///< the reference configuration
  std::vector<KeyState> states;
};

/// Everything a default class can set, one record per kind; all actuator shortcuts share one record.
struct DefaultClass {
  std::string name = "main";
  int parent = -1;
  int source = -1;
  JointSpec joint;
  GeomSpec geom;
  SiteSpec site;
  CameraSpec camera;
  LightSpec light;
  MeshSpec mesh;
  MaterialSpec material;
  TextureSpec texture;
  PairSpec pair;
  EqualitySpec equality;
  TendonSpec tendon;
  ActuatorSpec actuator;
};

struct Spec {
  Spec();  ///< one compiler, class "main", and the world body
  // in spec.cpp: thirty lists are copied and destroyed by code that every file would otherwise compile again
  Spec(const Spec&);
  Spec(Spec&&) noexcept;
  Spec& operator=(const Spec&);
  Spec& operator=(Spec&&) noexcept;
  ~Spec();

  std::string model_name = "MuJoCo Model";
  std::vector<CompilerSpec> compilers;  ///< [0] is this model's own
  Options option;
  int option_source = -1;  ///< the last <option> element read
  SizeSpec size;
  Statistic statistic;
  Visual visual;
  std::vector<DefaultClass> classes;  ///< [0] is "main"

  std::vector<BodySpec> bodies;  ///< [0] is the world; a parent stands before its children
  std::vector<FrameSpec> frames;
  std::vector<JointSpec> joints;
  std::vector<GeomSpec> geoms;
  std::vector<SiteSpec> sites;
  std::vector<CameraSpec> cameras;
  std::vector<LightSpec> lights;
  std::vector<MeshSpec> meshes;
  std::vector<HfieldSpec> hfields;
  std::vector<SkinSpec> skins;
  std::vector<TextureSpec> textures;
  std::vector<MaterialSpec> materials;
  std::vector<PairSpec> pairs;
  std::vector<ExcludeSpec> excludes;
  std::vector<EqualitySpec> equalities;
  std::vector<TendonSpec> tendons;
  std::vector<ActuatorSpec> actuators;
  std::vector<SensorSpec> sensors;
  std::vector<NumericSpec> numerics;
  std::vector<TextSpec> texts;
  std::vector<TupleSpec> tuples;
  std::vector<KeySpec> keys;

  /// Files given in memory (LoadOptions::assets), by name; null when there are none.
  std::shared_ptr<const std::map<std::string, std::string>> assets;

  std::vector<std::string> files;  ///< Origin::file indexes this
  std::vector<SourceElement> sources;
  std::vector<SourceAttribute> source_attributes;

  /// Where the element stands; with an attribute name, where that attribute's value stands (the
  /// element itself when the value came from a default).
  Origin origin(int source, std::string_view attribute = {}) const;
  int next_tag = 1;
  /// The tag of a source element, "" if unknown.
  std::string_view tag(int source) const;
  /// Whether the element itself carries the attribute.
  bool has_attribute(int source, std::string_view attribute) const;
};

}  // namespace pliant

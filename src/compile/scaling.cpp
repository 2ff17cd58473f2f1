// <frame scale>: every number inside is multiplied as the frame's gauge asks for, before anything is derived from it.
// What compiling finds afterwards (inertia of geoms, lengths of tendons, damping ratios) follows by itself.
//
// A mesh or height field that is used at several scales becomes several assets: the first use keeps the name, others
// are called name@1, name@2, …; geoms are asked before sites, in the order of their ids.

#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>

#include "compile/gauge.h"
#include "compile/mesh.h"

namespace pliant {
namespace {

/// How far a stretched axis may turn (sine), or two factors differ (relative), and still count as aligned or equal.
constexpr double kAligned = 0.0349;

bool scales(const FrameSpec& frame) { return frame.scale != Reals<3>{1, 1, 1} || frame.massscale > 0; }

/// Reports factors that cannot be used, and goes on without them.
void check_scale(Work& work, FrameSpec& frame) {
  const auto& s = frame.scale;
  if (!(s[0] > 0 && s[1] > 0 && s[2] > 0)) {
    work.error(Code::kBadRange, frame, "scale", "needs a scale greater than 0",
               "meshes are mirrored by their own 'scale'");
    frame.scale = {1, 1, 1};
  } else if ((s[0] != s[1] || s[1] != s[2]) && frame.scaling != Scaling::kGeometry) {
    work.error(Code::kAttributeConflict, frame, "scale",
               "can scale directions differently only with scaling=\"geometry\"",
               "forces and stiffnesses have no direction that they could follow");
    frame.scale = {1, 1, 1};
  }
  if (frame.massscale < 0) {
    work.error(Code::kBadRange, frame, "massscale", "needs a massscale that is not negative",
               "0 keeps densities: masses grow with the volume");
    frame.massscale = 0;
  }
}

constexpr Vec3 kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// Whether a stretch leaves the direction as it is.
bool keeps_direction(const Gauge& gauge, Vec3 direction) {
  if (!gauge.stretches) return true;
  const Vec3 image = gauge(direction);
  return norm(cross(direction, image)) <= kAligned * norm(image);
}

bool equal_factors(double a, double b) { return std::abs(a - b) <= kAligned * std::max(a, b); }

class Scaler {
 public:
  explicit Scaler(Work& work) : work_(work), spec_(work.spec), gauges_(work) {}

  void run() {
    scale_references(work_, gauges_);
    // assets need the gauges of those who use them, and fromto as it was written
    instance_meshes();
    instance_hfields();
    for (JointSpec& joint : spec_.joints) scale_joint(joint);
    for (GeomSpec& geom : spec_.geoms) scale_geom(geom);
    for (SiteSpec& site : spec_.sites) scale_site(site);
    for (CameraSpec& camera : spec_.cameras) scale_camera(camera);
    for (LightSpec& light : spec_.lights) scale_light(light);
    for (size_t b = 1; b < spec_.bodies.size(); ++b) scale_body(spec_.bodies[b], static_cast<int>(b));
    for (FrameSpec& frame : spec_.frames) frame.pos = gauges_.at(frame.body, frame.parent)(frame.pos);
    for (FrameSpec& frame : spec_.frames) {
      frame.scale = {1, 1, 1};
      frame.massscale = 0;
    }
  }

 private:
  // ---- the tree ------------------------------------------------------------------------------------------

  void scale_body(BodySpec& body, int id) {
    body.pos = gauges_.at(body.parent, body.frame)(body.pos);
    if (!body.has_inertial) return;
    const Gauge& gauge = gauges_.at(id, body.inertial_frame);
    body.ipos = gauge(body.ipos);
    body.mass *= gauge.mass;
    if (gauge.stretches) return stretch_inertia(body, gauge);
    const double factor = gauge.mass * gauge.length * gauge.length;
    for (double& moment : body.inertia) moment *= factor;
    for (double& entry : body.fullinertia) entry *= factor;
  }

  /// A stretch acts on the second moments of mass, Σ = ½ tr(I) − I, as A Σ Aᵀ.
  void stretch_inertia(BodySpec& body, const Gauge& gauge) const {
    double inertia[3][3] = {};
    const auto& f = body.fullinertia;
    if (defined(f[0])) {
      const double full[3][3] = {{f[0], f[3], f[4]}, {f[3], f[1], f[5]}, {f[4], f[5], f[2]}};
      std::copy_n(&full[0][0], 9, &inertia[0][0]);
    } else {
      const Quat q = quiet_orientation(work_, body, body.iorientation);
      for (int k = 0; k < 3; ++k) {
        const Vec3 axis = rotate(q, kAxes[k]);
        for (int r = 0; r < 3; ++r) {
          for (int c = 0; c < 3; ++c) inertia[r][c] += body.inertia[k] * axis[r] * axis[c];
        }
      }
    }
    const double half_trace = (inertia[0][0] + inertia[1][1] + inertia[2][2]) / 2;
    double moment[3][3], image[3][3] = {};
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) moment[r][c] = (r == c ? half_trace : 0) - inertia[r][c];
    }
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) {
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) {
            image[r][c] += gauge.mass * gauge.map[r][i] * moment[i][j] * gauge.map[c][j];
          }
        }
      }
    }
    const double trace = image[0][0] + image[1][1] + image[2][2];
    body.fullinertia = {trace - image[0][0], trace - image[1][1], trace - image[2][2],
                        -image[0][1],        -image[0][2],        -image[1][2]};
    body.iorientation = {};
  }

  void scale_joint(JointSpec& joint) {
    const Gauge& gauge = gauges_.of(joint);
    joint.pos = gauge(joint.pos);
    if (joint_kind(joint.type).floats()) return;  // a free body is not attached by anything that could scale
    const bool has_axis = joint_kind(joint.type).is_scalar();
    if (has_axis && !keeps_direction(gauge, unit(vec3(joint.axis)))) {
      work_.error(Code::kBadJoint, joint, "axis", "its axis is not along an axis of the frame that scales it",
                  "with three different factors, hinges and slides must be aligned with the frame");
      return;
    }
    const CoordinateGauge q = joint_gauge(joint, gauge);
    joint.ref *= q.unit;
    joint.springref *= q.unit;
    scale_coordinate(joint, q);
  }

  /// The gauge in the axes of a geom or site, as its orientation was written.
  template <class T>
  Gauge own_gauge(const T& object) const {
    const Gauge& around = gauges_.of(object);
    if (!around.stretches) return around;
    const auto& e = object.fromto;
    if (!defined(e[0])) return turned(around, quiet_orientation(work_, object, object.orientation));
    return turned(around, quat_from_z(unit(Vec3{e[0] - e[3], e[1] - e[4], e[2] - e[5]})));
  }

  template <class T>
  void move_ends(T& object) const {
    const Gauge& around = gauges_.of(object);
    object.pos = around(object.pos);
    if (!defined(object.fromto[0])) return;
    auto& e = object.fromto;
    const Vec3 from = around(Vec3{e[0], e[1], e[2]}), to = around(Vec3{e[3], e[4], e[5]});
    e = {from.x, from.y, from.z, to.x, to.y, to.z};
  }

  /// Whether the shape can have the form it is stretched into; reports it when not.
  bool check_shape(const GeomSpec& geom, const Gauge& own, const double (&factor)[3]) {
    const char* hint = "with three different factors, shapes must be aligned with the frame; meshes need not be";
    if (geom.type == GeomType::kSphere) {
      if (equal_factors(factor[0], factor[1]) && equal_factors(factor[1], factor[2]) &&
          equal_factors(factor[0], factor[2])) {
        return true;
      }
      work_.error(Code::kBadGeom, geom, "type", "a sphere cannot be scaled by different factors", "use an ellipsoid");
      return false;
    }
    const bool round = geom.type == GeomType::kCapsule || geom.type == GeomType::kCylinder;
    for (const Vec3& axis : kAxes) {
      if (keeps_direction(own, axis)) continue;
      work_.error(Code::kBadGeom, geom, "", "is not aligned with the axes of the frame that scales it", hint);
      return false;
    }
    if ((round || defined(geom.fromto[0])) && !equal_factors(factor[0], factor[1])) {
      work_.error(Code::kBadGeom, geom, "", "can only be scaled by equal factors across its axis");
      return false;
    }
    return true;
  }

  void scale_geom(GeomSpec& geom) {
    const Gauge own = own_gauge(geom);
    const double factor[3] = {own.along(kAxes[0]), own.along(kAxes[1]), own.along(kAxes[2])};
    const bool from_mesh = !geom.mesh.empty();
    if (own.stretches && !from_mesh && !check_shape(geom, own, factor)) return;
    move_ends(geom);
    if (!from_mesh) scale_size(geom, own, factor);
    if (geom.type == GeomType::kPlane) geom.size[2] *= own.length;
    geom.margin *= own.length;
    geom.gap *= own.length;
    geom.friction[1] *= own.length;
    geom.friction[2] *= own.length;
    geom.solimp[2] *= own.length;
    const Vec3 surface = own(Vec3{geom.surfacevel[0], geom.surfacevel[1], geom.surfacevel[2]});
    for (int k = 0; k < 3; ++k) geom.surfacevel[k] = surface[k];
    geom.adhesion *= own.force();
    geom.stiffness *= own.force_mass;
    geom.damping_contact *= own.force_mass;
    geom.mass *= own.mass;
    // mass per area where only the surface has mass
    geom.density *= own.mass / (own.length * own.length * (is_shell(geom) ? 1 : own.length));
  }

  bool is_shell(const GeomSpec& geom) const {
    if (geom.type != GeomType::kMesh) return geom.shellinertia;
    const auto mesh = std::find_if(spec_.meshes.begin(), spec_.meshes.end(),
                                   [&](const MeshSpec& other) { return other.name == geom.mesh; });
    return mesh != spec_.meshes.end() && has_shell_inertia(*mesh);
  }

  template <class T>
  static void scale_size(T& object, const Gauge& own, const double (&factor)[3]) {
    const double across = own.stretches ? std::sqrt(factor[0] * factor[1]) : own.length;
    auto& size = object.size;
    const bool from_ends = defined(object.fromto[0]);  // the length follows from the ends
    switch (object.type) {
      case GeomType::kSphere:
        // (of factors that differ a little: a geom takes those along its own axes, a site those of the frame)
        size[0] *=
            own.stretches && std::is_same_v<T, GeomSpec> ? std::cbrt(factor[0] * factor[1] * factor[2]) : own.length;
        break;
      case GeomType::kCapsule:
      case GeomType::kCylinder:
        size[0] *= across;
        if (!from_ends) size[1] *= factor[2];
        break;
      case GeomType::kEllipsoid:
      case GeomType::kBox:
        for (int k = 0; k < 3; ++k) size[k] *= from_ends ? across : factor[k];
        break;
      case GeomType::kPlane:
        size[0] *= factor[0];
        size[1] *= factor[1];
        break;
      default:
        break;
    }
  }

  void scale_site(SiteSpec& site) {
    const Gauge own = own_gauge(site);
    const double factor[3] = {own.along(kAxes[0]), own.along(kAxes[1]), own.along(kAxes[2])};
    move_ends(site);
    scale_size(site, own, factor);
  }

  void scale_camera(CameraSpec& camera) {
    const Gauge& gauge = gauges_.of(camera);
    camera.pos = gauge(camera.pos);
    camera.ipd *= gauge.length;
    for (auto* pair : {&camera.sensorsize, &camera.focal, &camera.principal}) {
      for (float& length : *pair) length = static_cast<float>(length * gauge.length);
    }
  }

  void scale_light(LightSpec& light) {
    const Gauge& gauge = gauges_.of(light);
    light.pos = gauge(light.pos);
    light.bulbradius = static_cast<float>(light.bulbradius * gauge.length);
    light.range = static_cast<float>(light.range * gauge.length);
    light.attenuation[1] = static_cast<float>(light.attenuation[1] / gauge.length);
    light.attenuation[2] = static_cast<float>(light.attenuation[2] / (gauge.length * gauge.length));
  }

  // ---- assets --------------------------------------------------------------------------------------------

  /// Instances of the assets of one kind, by name and what they are scaled by.
  template <class Asset, class Scale>
  class Instances {
   public:
    Instances(Work& work, std::vector<Asset>& assets) : work_(work), assets_(assets), originals_(assets) {
      for (size_t i = 0; i < assets.size(); ++i) ids_.emplace(assets[i].name, i);
    }

    /// The name of the asset at that scale; made when it is not there.
    std::string at(const std::string& name, const Scale& scale) {
      const auto id = ids_.find(name);
      if (id == ids_.end()) return name;  // reported where names are resolved
      auto& made = made_[id->second];
      for (const auto& [other, instance] : made) {
        if (other == scale) return instance;
      }
      if (made.empty()) {
        scale.apply(assets_[id->second]);
        made.emplace_back(scale, name);
        return name;
      }
      Asset copy = originals_[id->second];
      copy.name = name + "@" + std::to_string(made.size());
      if (ids_.count(copy.name)) {
        work_.error(Code::kRepeatedName, copy, "name",
                    "is used at several scales, and the name " + copy.name + " of one of them is taken",
                    "names that end in @ and a number are given to copies of scaled assets");
        return name;
      }
      scale.apply(copy);
      made.emplace_back(scale, copy.name);
      assets_.push_back(std::move(copy));
      return made.back().second;
    }

   private:
    Work& work_;
    std::vector<Asset>& assets_;
    const std::vector<Asset> originals_;
    std::map<std::string, size_t> ids_;
    std::map<size_t, std::vector<std::pair<Scale, std::string>>> made_;
  };

  struct MeshScale {
    Gauge gauge;
    bool operator==(const MeshScale& other) const { return gauge.same_shape(other.gauge); }
    void apply(MeshSpec& mesh) const {
      const auto& m = gauge.map;
      const bool askew = gauge.stretches &&
                         (m[0][1] != 0 || m[0][2] != 0 || m[1][0] != 0 || m[1][2] != 0 || m[2][0] != 0 || m[2][1] != 0);
      for (int k = 0; k < 3 && !askew; ++k) mesh.scale[k] *= gauge.stretches ? m[k][k] : gauge.length;
      if (askew) std::copy_n(&m[0][0], 9, mesh.stretch.begin());
    }
  };

  struct HfieldScale {
    Reals<3> factor;
    bool operator==(const HfieldScale& other) const { return factor == other.factor; }
    void apply(HfieldSpec& hfield) const {
      hfield.size[0] *= factor[0];
      hfield.size[1] *= factor[1];
      hfield.size[2] *= factor[2];
      hfield.size[3] *= factor[2];
    }
  };

  void instance_meshes() {
    Instances<MeshSpec, MeshScale> instances(work_, spec_.meshes);
    for (GeomSpec& geom : spec_.geoms) {
      if (!geom.mesh.empty()) geom.mesh = instances.at(geom.mesh, {own_gauge(geom)});
    }
    for (SiteSpec& site : spec_.sites) {
      if (site.type == GeomType::kMesh && !site.mesh.empty()) {
        site.mesh = instances.at(site.mesh, {own_gauge(site)});
      }
    }
  }

  void instance_hfields() {
    Instances<HfieldSpec, HfieldScale> instances(work_, spec_.hfields);
    for (GeomSpec& geom : spec_.geoms) {
      if (geom.hfield.empty() || geom.type != GeomType::kHfield) continue;
      const Gauge own = own_gauge(geom);
      geom.hfield = instances.at(geom.hfield, {{own.along(kAxes[0]), own.along(kAxes[1]), own.along(kAxes[2])}});
    }
  }

  Work& work_;
  Spec& spec_;
  const Gauges gauges_;
};

}  // namespace

void scale_spec(Spec& spec, Diagnostics& diagnostics) {
  Work work(spec, diagnostics);
  scale_frames(work);
  spec = std::move(work.spec);
}

void scale_frames(Work& work) {
  auto& frames = work.spec.frames;
  for (FrameSpec& frame : frames) check_scale(work, frame);
  if (std::any_of(frames.begin(), frames.end(), scales)) Scaler(work).run();
}

}  // namespace pliant

// Decorations: what explains a scene and is no part of the model. Sizes and colours are those of <visual>.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "math/quat.h"
#include "pliant/query.h"
#include "render/scene.h"

namespace pliant::render {
namespace {

constexpr int kUnknown = static_cast<int>(ObjType::kUnknown);
constexpr int kSphere = static_cast<int>(GeomType::kSphere), kBox = static_cast<int>(GeomType::kBox),
              kCylinder = static_cast<int>(GeomType::kCylinder), kCapsule = static_cast<int>(GeomType::kCapsule),
              kEllipsoid = static_cast<int>(GeomType::kEllipsoid);
constexpr int kArrow = static_cast<int>(VisualType::kArrow), kArrow1 = static_cast<int>(VisualType::kArrow1),
              kArrow2 = static_cast<int>(VisualType::kArrow2), kLine = static_cast<int>(VisualType::kLine);

/// Adds decorations to a scene that may be full.
struct Decorator {
  const Model& m;
  const State& s;
  const Data& d;
  const VisualOptions& options;
  VisualScene& scene;
  double size;  // of things in the model, on average

  // both give what was added, or nullptr where the scene is full
  VisualGeom* connect(int type, double width, const double* from, const double* to, const Floats<4>& rgba, int objtype,
                      int id) {
    VisualGeom* geom = scene.add(type, objtype, id, kCategoryDecor);
    if (!geom) return geom;
    connect_geom(*geom, type, width, from, to);
    std::copy_n(rgba.data(), 4, geom->rgba);
    return geom;
  }
  VisualGeom* connect(int type, double width, Vec3 from, Vec3 to, const Floats<4>& rgba, int objtype, int id) {
    return connect(type, width, &from.x, &to.x, rgba, objtype, id);
  }
  VisualGeom* put(int type, Vec3 sizes, const double* pos, const double* mat, const Floats<4>& rgba, int objtype,
                  int id) {
    VisualGeom* geom = scene.add(type, objtype, id, kCategoryDecor);
    if (!geom) return geom;
    init_geom(*geom, type, nullptr, pos, mat, rgba.data());
    for (int k = 0; k < 3; ++k) geom->size[k] = sizes[k];
    return geom;
  }
  void label(VisualGeom* geom, VisualLabel kind, ObjType type, int id) {
    if (geom) set_label(m, options, kind, type, id, *geom);
  }
  /// A label that belongs to no other geom.
  void text(const double* pos, const double* mat, std::string words, int id) {
    VisualGeom* geom = scene.add(static_cast<int>(VisualType::kLabel), kUnknown, id, kCategoryDecor);
    if (!geom) return;
    init_geom(*geom, static_cast<int>(VisualType::kLabel), nullptr, pos, mat, nullptr);
    geom->label = std::move(words);
  }
  void frame(const double* pos, const double* mat, double scale, int id) {
    const double length = scale * double(m.vis.scale.framelength) * size;
    const double width = scale * double(m.vis.scale.framewidth) * size;
    for (int axis = 0; axis < 3; ++axis) {
      Floats<4> rgba = {0, 0, 0, 1};
      rgba[static_cast<size_t>(axis)] = 0.9f;
      const Vec3 from{pos[0], pos[1], pos[2]};
      const Vec3 along{mat[axis], mat[3 + axis], mat[6 + axis]};
      connect(kCylinder, width, from, fused(length, along, from), rgba, kUnknown, id);
    }
  }

  void contacts();
  VisualGeom* contact_arrow(const Contact& contact, int id, Vec3 force, const Floats<4>& rgba, bool one_way);
  void joints();
  void actuators();
  void inertias();
  void centers_of_mass();
  void connections();
  void cameras_and_lights();
  void rangefinders();
  void applied_forces();
  void equalities();
  void frames();
  void body_labels();
  void island_labels();
  Floats<4> joint_color(int joint) const;
};

/// How two geoms of a contact are named together: short where they have no names.
std::string pair_label(const Model& m, const Contact& contact) {
  const auto name = [&m](int geom) {
    const std::string_view given = m.name(ObjType::kGeom, geom);
    return given.empty() ? std::string("g").append(std::to_string(geom)) : std::string(given);
  };
  return name(contact.geom[0]) + " | " + name(contact.geom[1]);
}

std::string force_label(double force) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", force);
  return text;
}

/// An arrow from the contact toward the body of the higher number.
VisualGeom* Decorator::contact_arrow(const Contact& contact, int id, Vec3 force, const Floats<4>& rgba, bool one_way) {
  const int body0 = m.geom_bodyid[contact.geom[0]], body1 = m.geom_bodyid[contact.geom[1]];
  const double scale = double(m.vis.map.force) / m.stat.meanmass * (body0 > body1 ? -1 : 1);
  const Vec3 from{contact.pos[0], contact.pos[1], contact.pos[2]};
  const bool both = body0 > 0 && body1 > 0 && !one_way;
  return connect(both ? kArrow2 : kArrow, double(m.vis.scale.forcewidth) * size, from, fused(scale, force, from), rgba,
                 kUnknown, id);
}

void Decorator::contacts() {
  const bool points = options.flags[kVisContactPoint], forces = options.flags[kVisContactForce];
  const bool frames = options.frame == VisualFrame::kContact;
  if (!points && !forces && !frames) return;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& contact = d.contact[i];
    const double* f = contact.frame;
    const Vec3 normal{f[0], f[1], f[2]}, one{f[3], f[4], f[5]}, two{f[6], f[7], f[8]};
    const Mat3 disc = columns(one, two, normal), axes = columns(normal, one, two);
    if (points) {
      const double wide = double(m.vis.scale.contactwidth) * size;
      const double high = std::max(double(m.vis.scale.contactheight) * size, -contact.dist / 2);
      VisualGeom* point = put(kCylinder, {wide, wide, high}, contact.pos, disc.m,
                              contact.row >= 0 ? m.vis.rgba.contactpoint : m.vis.rgba.contactgap, kUnknown, i);
      if (point && options.label == VisualLabel::kContactPoint) point->label = pair_label(m, contact);
    }
    if (frames) frame(contact.pos, axes.m, 0.5, i);
    if (!forces || contact.row < 0) continue;
    double wrench[6] = {};
    contact_force(d, i, wrench);
    const Vec3 push = wrench[0] * normal, rub = contact.dim > 1 ? wrench[1] * one + wrench[2] * two : Vec3{};
    if (norm(push + rub) < kTiny) continue;
    const bool split = options.flags[kVisContactSplit] && contact.dim > 1;
    VisualGeom* arrow = contact_arrow(contact, i, split ? push : push + rub, m.vis.rgba.contactforce, split);
    if (arrow && options.label == VisualLabel::kContactForce) arrow->label = force_label(norm(push + rub));
    if (split) contact_arrow(contact, i, rub, m.vis.rgba.contactfriction, true);
  }
}

/// Toward the colour of constraints where a limit holds the joint, as far as that limit is hard.
Floats<4> Decorator::joint_color(int joint) const {
  Floats<4> rgba = m.vis.rgba.joint;
  for (int row = 0; row < d.rows.n; ++row) {
    if (static_cast<RowType>(d.rows.row_type[row]) != RowType::kLimitJoint || d.rows.row_id[row] != joint) continue;
    const auto share = static_cast<float>(d.rows.row_KBIP[4 * row + 2]);
    for (size_t k = 0; k < 4; ++k) rgba[k] = (1 - share) * m.vis.rgba.joint[k] + share * m.vis.rgba.constraint[k];
  }
  return rgba;
}

void Decorator::joints() {
  if (!options.flags[kVisJoint]) return;
  const double length = double(m.vis.scale.jointlength) * size, width = double(m.vis.scale.jointwidth) * size;
  const int kind = static_cast<int>(ObjType::kJoint);
  for (int i = 0; i < m.njnt; ++i) {
    if (!in_group(options.jointgroup, m.jnt_group[i])) continue;
    const auto type = static_cast<JointType>(m.jnt_type[i]);
    const double* anchor = d.xanchor + 3 * i;
    if (type == JointType::kFree || type == JointType::kBall) {
      const double edge = 0.3 * length;
      label(put(type == JointType::kFree ? kBox : kSphere, {edge, edge, edge}, anchor, d.xmat + 9 * m.jnt_bodyid[i],
                joint_color(i), kind, i),
            VisualLabel::kJoint, ObjType::kJoint, i);
    } else {
      const Vec3 from = vec3(anchor, 0), axis = vec3(d.xaxis, i);
      label(connect(type == JointType::kSlide ? kArrow : kArrow1, width, from, fused(length, axis, from),
                    joint_color(i), kind, i),
            VisualLabel::kJoint, ObjType::kJoint, i);
    }
  }
}

/// The boxes (or ellipsoids) that have the inertia of bodies.
void Decorator::inertias() {
  if (!options.flags[kVisInertia]) return;
  for (int i = 1; i < m.nbody; ++i) {
    if (!(m.body_mass[i] > 0)) continue;
    const double* inertia = m.body_inertia + 3 * i;
    const double factor = m.vis.global.ellipsoidinertia ? 5.0 / 2 : 3.0 / 2;
    Vec3 half;
    for (int k = 0; k < 3; ++k) {
      const double sum = inertia[(k + 1) % 3] + inertia[(k + 2) % 3] - inertia[k];
      half[k] = std::sqrt(std::max(sum, 0.0) * factor / m.body_mass[i]);
    }
    if (options.flags[kVisScaledInertia]) {
      // as large as it would be of water
      constexpr double kWater = 1000;
      const double volume = (m.vis.global.ellipsoidinertia ? 4 * kPi / 3 : 8) * half.x * half.y * half.z;
      const double scale = std::cbrt(m.body_mass[i] / (kWater * volume));
      if (std::isfinite(scale)) half = scale * half;
    }
    label(put(m.vis.global.ellipsoidinertia ? kEllipsoid : kBox, half, d.xipos + 3 * i, d.ximat + 9 * i,
              m.vis.rgba.inertia, static_cast<int>(ObjType::kBody), i),
          VisualLabel::kBody, ObjType::kBody, i);
  }
}

/// Names of bodies that have no box to write them on.
void Decorator::body_labels() {
  if (options.label != VisualLabel::kBody || options.flags[kVisInertia]) return;
  for (int i = 1; i < m.nbody; ++i) text(d.xpos + 3 * i, d.xmat + 9 * i, label_of(m, ObjType::kBody, i), i);
}

/// Numbers of islands, on bodies.
void Decorator::island_labels() {
  if (options.label != VisualLabel::kIsland || d.islands.n == 0) return;
  for (int i = 1; i < m.nbody; ++i) {
    const int island = m.body_treeid[i] < 0 ? -1 : d.islands.tree_island[m.body_treeid[i]];
    if (island >= 0) text(d.xipos + 3 * i, d.ximat + 9 * i, std::to_string(island), i);
  }
}

void Decorator::centers_of_mass() {
  if (!options.flags[kVisCom]) return;
  const double r = double(m.vis.scale.com) * size;
  for (int i = 1; i < m.nbody; ++i) {
    if (m.body_rootid[i] == i) put(kSphere, {r, r, r}, d.subtree_com + 3 * i, nullptr, m.vis.rgba.com, kUnknown, i);
  }
}

/// From each centre of mass through the joints to the parent's.
void Decorator::connections() {
  if (!options.flags[kVisAutoConnect]) return;
  const double width = double(m.vis.scale.connect) * size;
  for (int i = 1; i < m.nbody; ++i) {
    if (m.body_parentid[i] == 0) continue;
    const double* at = d.xipos + 3 * i;
    for (int j = m.body_jntadr[i] + m.body_jntnum[i] - 1; m.body_jntnum[i] > 0 && j >= m.body_jntadr[i]; --j) {
      connect(kCapsule, width, at, d.xanchor + 3 * j, m.vis.rgba.connect, kUnknown, i);
      at = d.xanchor + 3 * j;
    }
    connect(kCapsule, width, at, d.xipos + 3 * m.body_parentid[i], m.vis.rgba.connect, kUnknown, i);
  }
}

void Decorator::cameras_and_lights() {
  if (options.flags[kVisCamera]) {
    const double scale = double(m.vis.scale.camera) * size;
    for (int i = 0; i < m.ncam; ++i) {
      const int kind = static_cast<int>(ObjType::kCamera);
      label(put(kBox, {scale, 0.8 * scale, 0.4 * scale}, d.cam_xpos + 3 * i, d.cam_xmat + 9 * i, m.vis.rgba.camera,
                kind, i),
            VisualLabel::kCamera, ObjType::kCamera, i);
      const Vec3 lens = fused(-0.6 * scale, mat3(d.cam_xmat, i).column(2), vec3(d.cam_xpos, i));
      Floats<4> dark = m.vis.rgba.camera;
      for (size_t k = 0; k < 3; ++k) dark[k] *= 0.5f;
      put(kCylinder, {0.4 * scale, 0.4 * scale, 0.3 * scale}, &lens.x, d.cam_xmat + 9 * i, dark, kind, i);
      if (options.frame == VisualFrame::kCamera) frame(d.cam_xpos + 3 * i, d.cam_xmat + 9 * i, 1, i);
    }
  }
  if (options.flags[kVisLight]) {
    const double scale = double(m.vis.scale.light) * size;
    for (int i = 0; i < m.nlight; ++i) {
      const Vec3 along = normalized(vec3(d.light_xdir, i));
      const Vec3 at = fused(-scale - 1e-4, along, vec3(d.light_xpos, i));
      const Mat3 mat = turned_to(along);
      label(put(kCylinder, {0.8 * scale, 0.8 * scale, scale}, &at.x, mat.m, m.vis.rgba.light,
                static_cast<int>(ObjType::kLight), i),
            VisualLabel::kLight, ObjType::kLight, i);
      if (options.frame == VisualFrame::kLight) frame(d.light_xpos + 3 * i, mat.m, 1, i);
    }
  }
}

/// Rays of rangefinders at sites, and the shortest ways that distance sensors have found.
void Decorator::rangefinders() {
  if (!options.flags[kVisRangefinder]) return;
  constexpr double kWidth = 3;  // pixels
  const int kind = static_cast<int>(ObjType::kSensor);
  for (int i = 0; i < m.nsensor; ++i) {
    const auto type = static_cast<SensorType>(m.sensor_type[i]);
    const double* value = d.sensordata + m.sensor_adr[i];
    if (type == SensorType::kRangefinder && m.sensor_objtype[i] == static_cast<int>(ObjType::kSite) &&
        m.sensor_dim[i] == 1 && value[0] >= 0) {
      const int site = m.sensor_objid[i];
      const Vec3 from = vec3(d.site_xpos, site), axis = mat3(d.site_xmat, site).column(2);
      connect(kLine, kWidth, from, fused(value[0], axis, from), m.vis.rgba.rangefinder, kind, i);
    } else if (type == SensorType::kGeomFromTo && std::any_of(value, value + 6, [](double x) { return x != 0; })) {
      connect(kLine, kWidth, value, value + 3, m.vis.rgba.rangefinder, kind, i);
    }
  }
}

void Decorator::applied_forces() {
  if (!options.flags[kVisPerturbForce]) return;
  for (int i = 1; i < m.nbody; ++i) {
    const Vec3 force = vec3(s.xfrc_applied, 2 * i), from = vec3(d.xipos, i);
    if (norm(force) <= kTiny) continue;
    const double scale = double(m.vis.map.force) / m.stat.meanmass;
    connect(kArrow, double(m.vis.scale.forcewidth) * size, from, fused(scale, force, from), m.vis.rgba.force, kUnknown,
            i);
  }
}

/// The two points that a connect or weld holds together.
void Decorator::equalities() {
  if (!options.flags[kVisConstraint]) return;
  const double r = double(m.vis.scale.constraint) * size;
  for (int i = 0; i < m.neq; ++i) {
    const auto type = static_cast<EqualityType>(m.eq_type[i]);
    const bool weld = type == EqualityType::kWeld;
    if (!s.eq_active[i] || (!weld && type != EqualityType::kConnect)) continue;
    const int a = m.eq_obj1id[i], b = m.eq_obj2id[i];
    const bool sites = m.eq_objtype[i] == static_cast<int>(ObjType::kSite);
    const double* data = m.eq_data + kNumEqData * i;
    const Vec3 in_a = vec3(data + (weld ? 3 : 0), 0), in_b = vec3(data + (weld ? 0 : 3), 0);
    const Vec3 one = sites ? vec3(d.site_xpos, a) : times_plus(mat3(d.xmat, a), in_a, vec3(d.xpos, a));
    const Vec3 two = sites ? vec3(d.site_xpos, b) : times_plus(mat3(d.xmat, b), in_b, vec3(d.xpos, b));
    const int kind = static_cast<int>(ObjType::kEquality);
    const double* mat = sites ? d.site_xmat : d.xmat;
    label(put(kSphere, {r, r, r}, &one.x, mat + 9 * a, m.vis.rgba.connect, kind, i), VisualLabel::kConstraint,
          ObjType::kEquality, i);
    label(put(kSphere, {r, r, r}, &two.x, mat + 9 * b, m.vis.rgba.constraint, kind, i), VisualLabel::kConstraint,
          ObjType::kEquality, i);
  }
}

void Decorator::frames() {
  const Mat3 upright;
  const Vec3 origin;
  switch (options.frame) {
    case VisualFrame::kWorld:
      return frame(&origin.x, upright.m, 2, 0);
    case VisualFrame::kBody:
      for (int i = 1; i < m.nbody; ++i) {
        const bool inertial = options.flags[kVisInertia];
        frame((inertial ? d.xipos : d.xpos) + 3 * i, (inertial ? d.ximat : d.xmat) + 9 * i, 1, i);
      }
      return;
    case VisualFrame::kGeom:
      for (int i = 0; i < m.ngeom; ++i) {
        const bool seen = alpha_of(m, m.geom_matid[i], m.geom_rgba + 4 * i) != 0;
        if (seen && in_group(options.geomgroup, m.geom_group[i])) frame(d.geom_xpos + 3 * i, d.geom_xmat + 9 * i, 1, i);
      }
      return;
    case VisualFrame::kSite:
      for (int i = 0; i < m.nsite; ++i) {
        const bool seen = alpha_of(m, m.site_matid[i], m.site_rgba + 4 * i) != 0;
        if (seen && in_group(options.sitegroup, m.site_group[i])) frame(d.site_xpos + 3 * i, d.site_xmat + 9 * i, 1, i);
      }
      return;
    default:
      return;  // those of contacts, cameras and lights are drawn with them
  }
}

/// Drives, coloured by how far the control is in its range.
void Decorator::actuators() {
  if (!options.flags[kVisActuator]) return;
  const int kind = static_cast<int>(ObjType::kActuator);
  for (int i = 0; i < m.nactuator; ++i) {
    if (!in_group(options.actuatorgroup, m.actuator_group[i])) continue;
    const int control = m.actuator_ctrladr[i], target = m.actuator_trnid[2 * i];
    double low = -1, high = 1;
    if (m.actuator_ctrllimited[control])
      low = m.actuator_ctrlrange[2 * control], high = m.actuator_ctrlrange[2 * control + 1];
    const double middle = low >= 0 ? low : high <= 0 ? high : 0;
    const double at = std::clamp(s.ctrl[control], std::min(low, -1.0 * (low >= 0)), std::max(high, 1.0 * (high <= 0)));
    const double reach = at < middle ? middle - std::min(low, middle - 1e-9) : std::max(high, middle + 1e-9) - middle;
    const float share = static_cast<float>(std::clamp(std::abs(at - middle) / reach, 0.0, 1.0));
    const Floats<4>& end = at < middle ? m.vis.rgba.actuatornegative : m.vis.rgba.actuatorpositive;
    Floats<4> rgba;
    for (size_t k = 0; k < 4; ++k) rgba[k] = (1 - share) * m.vis.rgba.actuator[k] + share * end[k];
    const auto transmission = static_cast<TransmissionType>(m.actuator_trntype[i]);
    if (transmission == TransmissionType::kJoint || transmission == TransmissionType::kJointInParent) {
      const auto type = static_cast<JointType>(m.jnt_type[target]);
      const double length = double(m.vis.scale.actuatorlength) * size;
      const Vec3 from = vec3(d.xanchor, target);
      if (type == JointType::kHinge || type == JointType::kSlide) {
        label(connect(type == JointType::kSlide ? kArrow : kArrow1, double(m.vis.scale.actuatorwidth) * size, from,
                      fused(length, vec3(d.xaxis, target), from), rgba, kind, i),
              VisualLabel::kActuator, ObjType::kActuator, i);
      } else {
        const double edge = 0.33 * double(m.vis.scale.jointlength) * size;
        label(put(type == JointType::kBall ? kSphere : kBox, {edge, edge, edge}, &from.x,
                  d.xmat + 9 * m.jnt_bodyid[target], rgba, kind, i),
              VisualLabel::kActuator, ObjType::kActuator, i);
      }
    } else if (transmission == TransmissionType::kTendon) {
      for (int k = d.ten_wrapadr[target]; k < d.ten_wrapadr[target] + d.ten_wrapnum[target] - 1; ++k) {
        if (d.wrap_obj[k] == -2 || d.wrap_obj[k + 1] == -2) continue;
        const bool inside = d.wrap_obj[k] >= 0 && d.wrap_obj[k + 1] >= 0;
        const double width = m.tendon_width[target] * (inside ? 0.5 : 1) * double(m.vis.map.actuatortendon);
        label(connect(kCapsule, width, d.wrap_xpos + 3 * k, d.wrap_xpos + 3 * k + 3, rgba, kind, i),
              VisualLabel::kActuator, ObjType::kActuator, i);
      }
    }
  }
}

}  // namespace

void add_decorations(const Model& m, const State& s, const Data& d, const VisualOptions& options, VisualScene& scene) {
  Decorator decorate{m, s, d, options, scene, m.stat.meansize};
  decorate.inertias();
  decorate.body_labels();
  decorate.frames();
  decorate.joints();
  decorate.actuators();
  decorate.island_labels();
  decorate.cameras_and_lights();
  decorate.centers_of_mass();
  decorate.connections();
  decorate.rangefinders();
  decorate.applied_forces();
  decorate.equalities();
  decorate.contacts();
}

}  // namespace pliant::render

// Bodies: pose, inertia, the joints, geoms, sites, cameras and lights they own, free-joint alignment.
//
// Reads the working Spec in id order; writes Work::bodies and, through the compile_* pieces, the rest.
// A body's own pose enters a massless body's inertial frame before the enclosing frame is applied: a
// meaningless value that the reference shows to its users, so it is kept.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "compile/compile.h"

namespace pliant {
namespace {

void read_inertial(Work& work, int id) {
  const BodySpec& spec = work.spec.bodies[id];
  BodyWork& body = work.bodies[id];
  if (!spec.has_inertial) return;
  body.has_inertia = true;
  body.mass = spec.mass;
  body.inertial.pos = vec3(spec.ipos);
  body.inertia = spec.inertia;
  const auto& f = spec.fullinertia;
  if (!defined(f[0])) {
    body.inertial.quat = resolve_orientation(work, spec, spec.inertial_source, spec.iorientation);
    return;
  }
  const double full[3][3] = {{f[0], f[3], f[4]}, {f[3], f[1], f[5]}, {f[4], f[5], f[2]}};
  diagonalize(full, body.inertia, body.inertial.quat);
  if (!usable_moments(work.compiler(spec), body.inertia)) {
    work.error_at(Code::kBadInertia, spec.inertial_source, "fullinertia",
                  describe(work.spec, spec) + " has a fullinertia that is not positive definite");
    body.inertia = {1, 1, 1};  // one finding is enough
  }
}

/// Bounds, signs and the triangle inequality; after this the inertia is that of a real body.
void check_inertia(Work& work, int id) {
  const BodySpec& spec = work.spec.bodies[id];
  const CompilerSpec& compiler = work.compiler(spec);
  BodyWork& body = work.bodies[id];
  const int source = spec.has_inertial ? spec.inertial_source : spec.source;
  const double smallest = *std::min_element(body.inertia.begin(), body.inertia.end());
  const bool bounded = (compiler.boundmass > 0 && body.mass < compiler.boundmass) ||
                       (compiler.boundinertia > 0 && smallest < compiler.boundinertia);
  body.adjusted = bounded;
  if (bounded && body.has_inertia) {
    work.warning(Code::kBoundApplied, spec, "", "its mass or inertia is raised to the bounds set in <compiler>");
  }
  body.adjusted = bounded;
  body.mass = std::max(body.mass, compiler.boundmass);
  // (a bound of 0 would hide negative moments, which are to be kept or refused)
  if (compiler.boundinertia > 0 || compiler.inertiatolerance == 0) {
    for (double& moment : body.inertia) moment = std::max(moment, compiler.boundinertia);
  }
  if (body.mass < 0) {
    work.error_at(Code::kBadMass, source, "mass",
                  describe(work.spec, spec) + " has a negative mass: " + number_text(body.mass));
  }
  auto& i = body.inertia;
  const double largest = *std::max_element(i.begin(), i.end());
  const double excess = 2 * largest - (i[0] + i[1] + i[2]);  // over the sum of the other two
  const std::string moments = number_text(i[0]) + " " + number_text(i[1]) + " " + number_text(i[2]);
  const bool negative = i[0] < 0 || i[1] < 0 || i[2] < 0;
  if (!negative && excess <= 0) return;
  // (the sums of the reference, which rounds differently)
  if (!negative && i[0] + i[1] >= i[2] && i[0] + i[2] >= i[1] && i[1] + i[2] >= i[0]) return;
  if (!compiler.balanceinertia && compiler.inertiatolerance > 0 && excess <= compiler.inertiatolerance * largest) {
    work.warning(Code::kBadInertia, spec, "",
                 "no body has its moments of inertia, " + moments +
                     ": the largest is more than the sum of the others by " +
                     number_text(std::round(1000 * excess / largest) / 10) + " % of itself; kept as written");
  } else if (negative) {
    work.error_at(Code::kBadInertia, source, "diaginertia",
                  describe(work.spec, spec) + " has a negative inertia: " + moments);
  } else if (compiler.balanceinertia) {
    work.warning(Code::kBoundApplied, spec, "",
                 "its inertia is impossible; balanceinertia replaces all three moments by their mean");
    i[0] = i[1] = i[2] = (i[0] + i[1] + i[2]) / 3.0;
    body.adjusted = true;
  } else {
    work.error_at(Code::kBadInertia, source, defined(spec.fullinertia[0]) ? "fullinertia" : "diaginertia",
                  describe(work.spec, spec) + " has an inertia no body can have: " + moments,
                  "each moment is at most the sum of the other two; <compiler balanceinertia=\"true\"/> "
                  "replaces them by their mean");
  }
}

void check_joints(Work& work, int id) {
  const BodySpec& spec = work.spec.bodies[id];
  BodyWork& body = work.bodies[id];
  bool has_ball = false, has_free = false;
  body.dofnum = 0;
  for (int j : body.joints) {
    const JointSpec& joint = work.spec.joints[j];
    const JointKind& kind = joint_kind(joint.type);
    if (kind.rotates() && has_ball) {
      work.error(Code::kBadJoint, joint, "type", "a ball joint cannot be followed by another rotation");
    }
    has_ball |= kind.is_ball();
    if (kind.floats()) {
      if (has_free || body.joints.size() > 1) {
        work.error(Code::kBadJoint, joint, "type", "a free joint must be the only joint of its body");
      }
      has_free = true;
    }
    body.dofnum += kind.velocities;
  }
  if (body.dofnum > 6) {
    work.error(Code::kBadJoint, spec, "",
               "has " + std::to_string(body.dofnum) + " degrees of freedom; a body can have 6");
  }
  if (spec.mocap && (body.dofnum > 0 || spec.parent != 0)) {
    work.error(Code::kBadBody, spec, "mocap", "a mocap body is a child of the world and has no joints");
  }
}

/// A free joint with align describes the inertial frame: body frame moved there, content re-expressed.
void align_free_body(Work& work, int id) {
  BodyWork& body = work.bodies[id];
  if (body.joints.size() != 1 || !body.children.empty()) return;
  const JointSpec& joint = work.spec.joints[body.joints[0]];
  if (!joint_kind(joint.type).floats()) return;
  const bool align =
      joint.align == Limited::kTrue || (joint.align == Limited::kAuto && work.compiler(work.spec.bodies[id]).alignfree);
  if (!align) return;
  const Pose& i = body.inertial;
  const Quat inverse = conjugate(i.quat);
  const Pose back{-rotate(inverse, i.pos), inverse};
  body.pose = compose(body.pose, i);
  for (int g : body.geoms) work.geoms[g].pose = compose(back, work.geoms[g].pose);
  for (int s : body.sites) work.sites[s].pose = compose(back, work.sites[s].pose);
  for (int c : body.cameras) work.cameras[c].pose = compose(back, work.cameras[c].pose);
  for (int l : body.lights) {
    LightWork& light = work.lights[l];
    light.pos = back.pos + rotate(back.quat, light.pos);
    light.dir = rotate(back.quat, light.dir);
  }
  body.inertial = {};
}

void compile_body(Work& work, int id) {
  const BodySpec& spec = work.spec.bodies[id];
  BodyWork& body = work.bodies[id];
  const CompilerSpec& compiler = work.compiler(spec);
  body.pose = {vec3(spec.pos), resolve_orientation(work, spec, spec.source, spec.orientation)};
  read_inertial(work, id);
  if (spec.has_inertial && spec.inertial_frame >= 0) {
    body.inertial = compose(work.frames[spec.inertial_frame], body.inertial);
  }

  const bool always = compiler.inertiafromgeom == InertiaFromGeom::kTrue;
  for (int g : body.geoms) {
    const int group = work.spec.geoms[g].group;
    const bool infer = id > 0 && (!spec.has_inertial || always) && group >= compiler.inertiagrouprange[0] &&
                       group <= compiler.inertiagrouprange[1];
    compile_geom(work, g, infer);
  }
  if (id > 0 && (always || (!spec.has_inertial && compiler.inertiafromgeom == InertiaFromGeom::kAuto))) {
    inertia_from_geoms(work, id);  // without geoms that count, an <inertial> stays
  }
  if (!body.has_inertia) body.inertial = body.pose;
  if (id > 0) check_inertia(work, id);
  if (spec.frame >= 0) body.pose = compose(work.frames[spec.frame], body.pose);

  for (int j : body.joints) compile_joint(work, j);
  check_joints(work, id);
  for (int s : body.sites) compile_site(work, s);
  for (int c : body.cameras) compile_camera(work, c);
  for (int l : body.lights) compile_light(work, l);
}

}  // namespace

void compile_bodies(Work& work) {
  work.geoms.resize(work.spec.geoms.size());
  work.sites.resize(work.spec.sites.size());
  work.cameras.resize(work.spec.cameras.size());
  work.lights.resize(work.spec.lights.size());
  work.joint_limited.assign(work.spec.joints.size(), false);
  work.joint_actfrclimited.assign(work.spec.joints.size(), false);
  for (size_t b = 0; b < work.bodies.size(); ++b) compile_body(work, static_cast<int>(b));
}

void align_free_bodies(Work& work) {
  for (size_t b = 1; b < work.bodies.size(); ++b) align_free_body(work, static_cast<int>(b));
}

void check_free_joints(Work& work) {
  for (const JointSpec& joint : work.spec.joints) {
    const BodySpec& body = work.spec.bodies[joint.body];
    if (!joint_kind(joint.type).floats() || body.parent == 0) continue;
    work.error(Code::kBadJoint, joint, "type",
               "a free joint can only be in a child of the world, and body '" + body.name + "' is inside another body");
  }
}

}  // namespace pliant

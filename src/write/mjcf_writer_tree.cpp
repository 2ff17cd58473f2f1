// The kinematic tree as text. Objects of one kind keep their order, which is that of their ids; a frame around some of
// them is opened and closed as that order asks for.

#include <algorithm>

#include "write/mjcf_writer.h"

namespace pliant {

void MjcfWriter::write_tree() {
  content_.assign(spec.bodies.size(), {});
  frame_written_.assign(spec.frames.size(), false);
  const auto sort_out = [&](const auto& list, std::vector<int> Content::* kind) {
    for (size_t i = 0; i < list.size(); ++i) (content_[list[i].body].*kind).push_back(static_cast<int>(i));
  };
  sort_out(spec.joints, &Content::joints);
  sort_out(spec.geoms, &Content::geoms);
  sort_out(spec.sites, &Content::sites);
  sort_out(spec.cameras, &Content::cameras);
  sort_out(spec.lights, &Content::lights);
  for (size_t b = 1; b < spec.bodies.size(); ++b) {
    content_[spec.bodies[b].parent].bodies.push_back(static_cast<int>(b));
  }
  xml.open("worldbody");
  write_content(0);
  xml.close();
}

void MjcfWriter::enter_frame(int frame) {
  std::vector<int> wanted;
  for (int f = frame; f >= 0; f = spec.frames[f].parent) wanted.insert(wanted.begin(), f);
  // what both have in common stays open
  size_t common = 0;
  while (common < wanted.size() && common < open_frames_.size() && wanted[common] == open_frames_[common]) ++common;
  for (; open_frames_.size() > common; open_frames_.pop_back()) xml.close();
  for (; open_frames_.size() < wanted.size(); open_frames_.push_back(wanted[open_frames_.size()])) {
    const int f = wanted[open_frames_.size()];
    xml.open("frame");
    bound(mjcf_element("frame"), spec.frames[f], FrameSpec{}, {frame_written_[f] ? "name" : ""});
    orientation(spec.frames[f].orientation, spec.frames[f].source);
    if (keep_classes_ && !spec.frames[f].childclass.empty()) text("childclass", spec.frames[f].childclass, -1);
    if (const auto& scale = spec.frames[f].scale; scale != FrameSpec{}.scale) {
      const bool uniform = scale[0] == scale[1] && scale[1] == scale[2];
      numbers("scale", {scale.data(), uniform ? size_t{1} : size_t{3}}, spec.frames[f].source);
    }
    frame_written_[f] = true;
  }
}

void MjcfWriter::write_content(int body) {
  // frames of this body; those around it wait until it is done
  std::vector<int> outer = std::move(open_frames_);
  open_frames_.clear();
  const Content& content = content_[body];
  if (const BodySpec& owner = spec.bodies[body]; owner.has_inertial) {
    enter_frame(owner.inertial_frame);
    write_inertial(owner);
  }
  const auto each = [&](const std::vector<int>& ids, const auto& list, auto write) {
    for (const int i : ids) {
      enter_frame(list[i].frame);
      (this->*write)(list[i]);
    }
  };
  each(content.joints, spec.joints, &MjcfWriter::write_joint);
  each(content.geoms, spec.geoms, &MjcfWriter::write_geom);
  each(content.sites, spec.sites, &MjcfWriter::write_site);
  each(content.cameras, spec.cameras, &MjcfWriter::write_camera);
  each(content.lights, spec.lights, &MjcfWriter::write_light);
  for (const int child : content.bodies) {
    enter_frame(spec.bodies[child].frame);
    write_body(child);
  }
  enter_frame(-1);
  open_frames_ = std::move(outer);
}

void MjcfWriter::write_body(int id) {
  const BodySpec& body = spec.bodies[id];
  const ElementSchema& schema = mjcf_element("body");
  xml.open("body");
  bound(schema, body);
  orientation(body.orientation, body.source);
  if (keep_classes_ && !body.childclass.empty()) text("childclass", body.childclass, body.source);
  if (!body.simple_allowed) word(schema, "simple", 0);
  if (!body.fuse_allowed) word(schema, "fuse", 0);
  write_content(id);
  xml.close();
}

void MjcfWriter::write_inertial(const BodySpec& body) {
  const ElementSchema& schema = mjcf_element("inertial");
  xml.open("inertial");
  if (!defined(body.ipos[0])) xml.attribute("pos", "0 0 0");
  const bool full = defined(body.fullinertia[0]);
  // the two forms exclude each other, and the full one carries its own axes
  bound(schema, body, BodySpec{}, {full ? "diaginertia" : "fullinertia"});
  if (!full) orientation(body.iorientation, body.inertial_source);
  xml.close();
}

bool is_plain_free_joint(const JointSpec& joint) {
  JointSpec fresh;
  fresh.type = JointType::kFree;
  return !MjcfWriter::differs(mjcf_element("joint"), joint, fresh, {"name", "group"});
}

void MjcfWriter::write_joint(const JointSpec& joint) {
  const ElementSchema& schema = mjcf_element("joint");
  if (joint_kind(joint.type).floats()) {
    const bool plain = is_plain_free_joint(joint);
    if (!plain && joint.align != Limited::kAuto) {
      loss(joint, "align", "has 'align', which a free joint with other attributes cannot say; it is left out");
    }
    if (plain) {
      xml.open("freejoint");
      bound(mjcf_element("freejoint"), joint);
      xml.close();
      return;
    }
  }
  xml.open("joint");
  bound(schema, joint, fresh_of(joint));
  write_class_of(joint, inherited_class(joint.body, joint.frame));
  xml.close();
}

void MjcfWriter::write_geom(const GeomSpec& geom) {
  const ElementSchema& schema = mjcf_element("geom");
  const GeomSpec& fresh = fresh_of(geom);
  xml.open("geom");
  bound(schema, geom, fresh);
  write_class_of(geom, inherited_class(geom.body, geom.frame));
  orientation(geom.orientation, geom.source, fresh.orientation);
  if (geom.fluid_ellipsoid != fresh.fluid_ellipsoid) word(schema, "fluidshape", geom.fluid_ellipsoid ? 1 : 0);
  xml.close();
}

void MjcfWriter::write_site(const SiteSpec& site) {
  xml.open("site");
  bound(mjcf_element("site"), site, fresh_of(site));
  write_class_of(site, inherited_class(site.body, site.frame));
  orientation(site.orientation, site.source, fresh_of(site).orientation);
  xml.close();
}

void MjcfWriter::write_camera(const CameraSpec& camera) {
  const ElementSchema& schema = mjcf_element("camera");
  const CameraSpec fresh;
  xml.open("camera");
  // fovy and sensorsize exclude each other in one element; a class can hold the former
  const bool both = camera.fovy != fresh.fovy && camera.sensorsize != fresh.sensorsize;
  if (both) {
    XmlText content(3);
    std::swap(xml, content);
    CameraSpec view;
    view.fovy = camera.fovy;
    xml.open("camera");
    bound(schema, view);
    xml.close();
    std::swap(xml, content);
    xml.attribute("class", class_with("view", content.text()));
  }
  bound(schema, camera, fresh, {both ? "fovy" : ""});
  orientation(camera.orientation, camera.source);
  xml.close();
}

void MjcfWriter::write_light(const LightSpec& light) {
  const ElementSchema& schema = mjcf_element("light");
  xml.open("light");
  bound(schema, light);
  if (light.type != LightType::kSpot) word(schema, "type", static_cast<int>(light.type));
  xml.close();
}

}  // namespace pliant

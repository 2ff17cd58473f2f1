// The kinematic tree: bodies, frames, joints, geoms, sites, cameras, lights, replication.
//
// A <replicate> is read once into a fragment (a Spec of which only the tree is used) and appended count
// times with growing pose and suffix; elements of other sections that refer to its content are copied
// along. Nested replicates work because the inner one is appended to the outer one's fragment.

#include <cmath>

#include "base/text.h"
#include "load/mjcf_reader.h"
#include "math/quat.h"
#include "spec/euler.h"
#include "spec/tree.h"

namespace pliant {

void MjcfReader::read_tree(const Element& element, const ElementSchema& schema, const Place& place) {
  for_children(element, schema, [&](const Element& child, const ElementSchema& child_schema) {
    read_tree_child(child, child_schema, place);
  });
}

void MjcfReader::read_tree_child(const Element& element, const ElementSchema& schema, const Place& place) {
  const std::string_view tag = element.tag;
  if (tag == "body") return read_body(element, schema, place);
  if (tag == "frame") return read_frame(element, schema, place);
  if (tag == "replicate") return read_replicate(element, schema, place);
  if (tag == "attach") return read_attach(element, schema, place);
  if (tag == "inertial") return read_inertial(element, schema, place);
  if (tag == "joint" || tag == "freejoint") return read_joint(element, schema, place);

  const DefaultClass& defaults = spec.classes[class_of(element, place.klass)];
  const auto put = [&](auto& object) -> auto& {
    object.body = place.body;
    object.frame = place.frame;
    return object;
  };
  if (tag == "geom") {
    read_geom(element, schema, put(add(tree_->geoms, element, defaults.geom)));
  } else if (tag == "site") {
    SiteSpec& site = put(add(tree_->sites, element, defaults.site));
    read_attributes(element, schema, &site);
    read_orientation(element, site.orientation);
  } else if (tag == "camera") {
    CameraSpec& camera = put(add(tree_->cameras, element, defaults.camera));
    read_attributes(element, schema, &camera);
    read_orientation(element, camera.orientation);
  } else if (tag == "light") {
    read_light(element, schema, put(add(tree_->lights, element, defaults.light)));
  }
}

void MjcfReader::read_joint(const Element& element, const ElementSchema& schema, const Place& place) {
  const bool in_world = place.body == 0 && tree_ == &spec;
  if (in_world) {
    error(Code::kBadJoint, element, "the world cannot have joints", "put the joint inside a <body>");
  } else if (place.replicate && place.body == 0) {
    error(Code::kBadJoint, element, "a joint cannot stand directly inside <replicate>",
          "put it into a <body> inside the <replicate>");
  }
  JointSpec free_joint;
  free_joint.type = JointType::kFree;
  const bool is_free = element.tag == "freejoint";
  // <freejoint> takes no defaults, <joint type="free"> does
  const JointSpec& defaults = is_free ? free_joint : spec.classes[class_of(element, place.klass)].joint;
  JointSpec& joint = add(tree_->joints, element, defaults);
  joint.body = place.body;
  joint.frame = place.frame;
  read_attributes(element, schema, &joint);
  if (in_world || (place.replicate && place.body == 0)) tree_->joints.pop_back();
}

void MjcfReader::read_geom(const Element& element, const ElementSchema& schema, GeomSpec& geom) {
  read_attributes(element, schema, &geom);
  int fluid = 0;
  if (word(element, schema, "fluidshape", fluid)) geom.fluid_ellipsoid = fluid == 1;
  read_orientation(element, geom.orientation);
  for_children(element, schema, [](const Element&, const ElementSchema&) {});
}

void MjcfReader::read_light(const Element& element, const ElementSchema& schema, LightSpec& light) {
  read_attributes(element, schema, &light);
  bool directional = false;
  if (boolean(element, "directional", directional)) {
    light.type = directional ? LightType::kDirectional : LightType::kSpot;
  }
  int type = 0;
  if (word(element, schema, "type", type)) light.type = static_cast<LightType>(type);
}

void MjcfReader::read_inertial(const Element& element, const ElementSchema& schema, const Place& place) {
  BodySpec scratch;
  const bool in_world = place.body == 0;
  if (in_world) {
    error(Code::kBadBody, element,
          tree_ == &spec ? "the world cannot have an inertia" : "<inertial> cannot stand directly inside <replicate>");
  }
  BodySpec& body = in_world ? scratch : tree_->bodies[place.body];
  if (body.has_inertial) {
    error(Code::kRepeatedElement, element, "<inertial> may appear once in a body");
  }
  body.has_inertial = true;
  body.inertial_source = source_of(element);
  body.inertial_frame = place.frame;
  read_attributes(element, schema, &body);
  read_orientation(element, body.iorientation);
}

void MjcfReader::read_body(const Element& element, const ElementSchema& schema, const Place& place) {
  const int index = static_cast<int>(tree_->bodies.size());
  BodySpec& body = add(tree_->bodies, element, BodySpec{});
  body.parent = place.body;
  body.frame = place.frame;
  read_attributes(element, schema, &body);
  read_orientation(element, body.orientation);
  int simple = 1;
  if (word(element, schema, "simple", simple)) body.simple_allowed = simple != 0;
  int fuse = 1;
  if (word(element, schema, "fuse", fuse)) body.fuse_allowed = fuse != 0;
  Place inside{index, -1, place.klass, nullptr};
  if (const Attribute* childclass = element.find("childclass")) {
    const int found = find_class(*childclass, element);
    if (found >= 0) inside.klass = found;
    body.childclass = childclass->value;
  }
  read_tree(element, schema, inside);
}

void MjcfReader::read_frame(const Element& element, const ElementSchema& schema, const Place& place) {
  const int index = static_cast<int>(tree_->frames.size());
  FrameSpec& frame = add(tree_->frames, element, FrameSpec{});
  frame.body = place.body;
  frame.parent = place.frame;
  read_attributes(element, schema, &frame);
  read_orientation(element, frame.orientation);
  read_scale(element, frame);
  Place inside = place;
  inside.frame = index;
  if (const Attribute* childclass = element.find("childclass")) {
    const int found = find_class(*childclass, element);
    if (found >= 0) inside.klass = found;
    frame.childclass = childclass->value;
  }
  read_tree(element, schema, inside);
}

void MjcfReader::read_scale(const Element& element, FrameSpec& frame) {
  double factors[3] = {};
  const Attribute* scale = element.find("scale");
  const int count = reals(element, "scale", factors);
  if (count == 2) {
    error_at(Code::kWrongCount, *scale, element, "attribute 'scale' of <frame> needs 1 or 3 numbers, not 2",
             "one number scales all directions alike");
  } else if (count > 0) {
    for (int k = 0; k < 3; ++k) frame.scale[k] = factors[count == 1 ? 0 : k];
  }
}

void MjcfReader::read_replicate(const Element& element, const ElementSchema& schema, const Place& place) {
  read_attributes(element, schema, nullptr);
  int count = 1;
  if (integer(element, "count", count) && count < 1) {
    error_at(Code::kBadReplicate, *element.find("count"), element,
             "count of <replicate> must be at least 1, not " + std::to_string(count));
    count = 1;
  }
  double offset[3] = {}, euler[3] = {};
  reals(element, "offset", offset);
  reals(element, "euler", euler);
  std::string separator;
  text(element, "sep", separator);
  if (element.find("prefix")) {
    diagnostics.warning(Code::kIgnoredAttribute, element.find("prefix")->name_at, element.tag,
                        "attribute 'prefix' of <replicate> has no effect; copies differ by suffix");
  }
  Place inside{0, -1, place.klass, &element};
  if (const Attribute* childclass = element.find("childclass")) {
    const int found = find_class(*childclass, element);
    if (found >= 0) inside.klass = found;
  }

  // the content, once
  Spec fragment;
  Spec* const outer = tree_;
  tree_ = &fragment;
  read_tree(element, schema, inside);
  tree_ = outer;

  // a frame for every copy, and its content
  if (!may_copy(count * (1 + tree_size(fragment)), element)) return;

  const CompilerSpec& compiler = spec.compilers[0];
  const size_t digits = std::to_string(count).size();
  Vec3 pos;
  std::vector<Renaming> copies;
  for (int i = 0; i < count; ++i) {
    // the angle is multiplied, not accumulated, so that a full turn closes
    const double turned[3] = {i * euler[0], i * euler[1], i * euler[2]};
    const Quat turn = quat_from_euler(turned, compiler.eulerseq, compiler.degree);
    FrameSpec frame;
    frame.source = source_of(element);
    frame.body = place.body;
    frame.parent = place.frame;
    frame.pos = {pos.x, pos.y, pos.z};
    frame.orientation.quat = {turn.w, turn.x, turn.y, turn.z};
    const int frame_index = static_cast<int>(tree_->frames.size());
    tree_->frames.push_back(std::move(frame));
    pos = pos + rotate(turn, Vec3{offset[0], offset[1], offset[2]});

    std::string number = std::to_string(i);
    number.insert(0, digits - number.size(), '0');
    copies.push_back({"", separator + number});
    append_tree(*tree_, place.body, frame_index, fragment, copies.back(), 0, 0, i == 0);
  }
  const int64_t left = options.max_copies - copied_;
  const int64_t referring = replicate_references(spec, fragment, copies, left);
  may_copy(referring, element);
}

bool MjcfReader::may_copy(int64_t objects, const Element& element) {
  if (copied_ > options.max_copies) return false;  // said before
  copied_ += objects;
  if (copied_ <= options.max_copies) return true;
  error(Code::kTooLarge, element,
        "<" + std::string(element.tag) + "> would make " + std::to_string(objects) +
            " objects; replication and attachment may make " + std::to_string(options.max_copies) + " together",
        "raise LoadOptions::max_copies if this is meant");
  return false;
}

int64_t MjcfReader::tree_size(const Spec& fragment) const {
  return static_cast<int64_t>(fragment.bodies.size() + fragment.joints.size() + fragment.geoms.size() +
                              fragment.sites.size() + fragment.cameras.size() + fragment.lights.size() +
                              fragment.frames.size()) -
         1;
}

int64_t MjcfReader::list_size(const Spec& model) const {
  return static_cast<int64_t>(model.pairs.size() + model.excludes.size() + model.tendons.size() +
                              model.equalities.size() + model.actuators.size() + model.sensors.size() +
                              model.tuples.size() + model.keys.size() + model.skins.size());
}

}  // namespace pliant

// The document as a whole: elements in the order of the file, then the tree. Every link and joint is read, whether the
// tree can be built or not, so that one load lists all problems.

#include "load/urdf_reader.h"

#include <algorithm>

#include "base/text.h"
#include "load/urdf_screen.h"
#include "spec/euler.h"

namespace pliant {
namespace {

// Longer chains of links are no robot; recursive functions over the tree rely on the bound.
constexpr int kMaxDepth = 1000;
constexpr size_t kMostExcludes = 10'000;  // pairs of the base with its neighbours
// Every other robot has a link whose numbers no body can have: rounded to a digit, copied, estimated. They are kept as
// written, with a warning, unless most of them is wrong.
constexpr double kInertiaTolerance = 1.5;

std::string listed(const std::vector<std::string>& names) {
  constexpr size_t kMost = 8;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMost); ++i) text += (i ? ", " : "") + quote(names[i]);
  return names.size() > kMost ? text + " and " + std::to_string(names.size() - kMost) + " more" : text;
}

}  // namespace

void UrdfReader::read(Document& document, bool in_memory) {
  directory_ = document.directory;
  in_memory_ = in_memory;
  Element& robot = document.root;
  screen_urdf(robot, ledger_, diagnostics_);
  CompilerSpec& compiler = spec_.compilers[0];
  compiler.model_dir = document.directory;
  if (const Element* block = child(robot, "mujoco")) services_.read_settings(*block);
  if (const Attribute* angle =
          compiler.source >= 0 ? child(*child(robot, "mujoco"), "compiler")->find("angle") : nullptr) {
    if (angle->value == "degree") {
      diagnostics_.warning(Code::kIgnoredAttribute, angle->value_at, "compiler",
                           "angles in a URDF are radians; angle=\"degree\" is ignored");
      ledger_.change_recent(angle->value_at, Fate::kIgnored, "angles in a URDF are radians");
    }
  }
  compiler.degree = false;
  if (!spec_.has_attribute(compiler.source, "inertiatolerance")) compiler.inertiatolerance = kInertiaTolerance;
  compiler.fusestatic |= options_.urdf.fuse_fixed;
  // files are looked for here (package_path.h); what the compiler gets are their paths
  meshdir_ = compiler.meshdir;
  compiler.meshdir.clear();
  compiler.strippath = false;

  services_.read_attributes(robot, urdf_schema(), nullptr);
  services_.text(robot, "name", spec_.model_name);
  collect(robot, false);
  read_elements(robot);
  int root = -1;
  const bool connected = connect();
  if (!check_tree(robot, root) || !connected) return;
  settle_masses();
  split_floating();
  build(root);
  exclude_neighbours_of_base();
  read_mimics();
  make_actuators();
}

void UrdfReader::read_elements(const Element& robot) {
  services_.for_children(robot, urdf_schema(), [&](const Element& element, const ElementSchema& schema) {
    if (element.tag == "link") {
      read_link(element);
    } else if (element.tag == "joint") {
      read_joint(element);
    } else if (element.tag == "material") {
      services_.read_attributes(element, schema, nullptr);
      services_.for_children(element, schema, [&](const Element& part, const ElementSchema& part_schema) {
        services_.read_attributes(part, part_schema, nullptr);
      });
    }
  });
  read_transmissions(robot);
  report_guesses();
  if (speed_limits_.count > 0) {
    diagnostics_.warning(Code::kIgnoredAttribute, speed_limits_.at, "limit",
                         "speeds are not limited: 'velocity' of " + std::to_string(speed_limits_.count) +
                             (speed_limits_.count == 1 ? " joint" : " joints") + " has no effect");
  }
}

bool UrdfReader::take_name(const Element& element, Ids& ids, size_t id, std::string& name) {
  services_.text(element, "name", name);
  const Attribute* given = element.find("name");
  const std::string kind(element.tag);
  const bool is_new = ids.try_emplace(name, static_cast<int>(id)).second;
  if (given && name.empty()) services_.error_at(Code::kEmptyName, *given, element, "a " + kind + " has an empty name");
  if (given && !is_new)
    services_.error_at(Code::kRepeatedName, *given, element, "two " + kind + "s are called " + quote(name));
  return is_new;
}

/// Joins joints with the links they name; false when one is missing or has two parents.
bool UrdfReader::connect() {
  bool fine = true;
  std::vector<std::string_view> names;
  for (const auto& [name, id] : link_ids_) names.push_back(name);
  for (size_t j = 0; j < joints_.size(); ++j) {
    Joint& joint = joints_[j];
    const auto resolve = [&](const char* tag, int& link) {
      const Element* end = child(*joint.element, tag);
      const Attribute* given = end ? end->find("link") : nullptr;
      if (!end) {
        services_.error(Code::kMissingAttribute, *joint.element,
                        "joint " + quote(joint.name) + " has no <" + std::string(tag) + ">");
      }
      if (!given) {
        fine = false;
        return;
      }
      const auto found = link_ids_.find(given->value);
      if (found != link_ids_.end()) {
        link = found->second;
        return;
      }
      services_.error_at(Code::kUnknownReference, *given, *end, "there is no link " + quote(given->value),
                         did_you_mean(given->value, names));
      fine = false;
    };
    resolve("parent", joint.parent);
    resolve("child", joint.child);
    if (joint.parent < 0 || joint.child < 0) continue;
    if (joint.parent == joint.child) {
      services_.error(Code::kBadTree, *joint.element, "joint " + quote(joint.name) + " joins a link with itself");
      fine = false;
      continue;
    }
    Link& below = links_[joint.child];
    if (below.parent_joint >= 0) {
      services_.error_at(Code::kBadTree, *child(*joint.element, "child")->find("link"), *joint.element,
                         "link " + quote(below.body.name) + " is the child of two joints, " +
                             quote(joints_[below.parent_joint].name) + " and " + quote(joint.name),
                         "a closed chain is no tree: close it with an equality constraint in MJCF");
      fine = false;
      continue;
    }
    below.parent_joint = static_cast<int>(j);
    links_[joint.parent].child_joints.push_back(static_cast<int>(j));
  }
  return fine;
}

bool UrdfReader::check_tree(const Element& robot, int& root) {
  if (links_.empty()) {
    services_.error(Code::kBadTree, robot, "the robot has no <link>");
    return false;
  }
  std::vector<std::string> roots;
  for (size_t i = 0; i < links_.size(); ++i) {
    if (links_[i].parent_joint >= 0) continue;
    if (root < 0) root = static_cast<int>(i);
    roots.push_back(links_[i].body.name);
  }
  bool fine = true;
  if (roots.size() > 1) {
    const Link& second =
        *std::find_if(links_.begin(), links_.end(), [&](const Link& l) { return l.body.name == roots[1]; });
    services_.error(
        Code::kBadTree, *second.element,
        "the robot has " + std::to_string(roots.size()) + " roots: " + listed(roots) + " are children of no joint",
        "join them, or put each robot into a file of its own");
    fine = false;
  }
  // whoever is not reached from a root hangs in a circle
  std::vector<int> todo, depth(links_.size(), -1);
  for (size_t i = 0; i < links_.size(); ++i) {
    if (links_[i].parent_joint >= 0) continue;
    todo.push_back(static_cast<int>(i));
    depth[i] = 0;
  }
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    for (int j : links_[at].child_joints) {
      const int below = joints_[j].child;
      depth[below] = depth[at] + 1;
      if (depth[below] == kMaxDepth) {
        services_.error(Code::kTooDeep, *links_[below].element,
                        "a chain of links is longer than " + std::to_string(kMaxDepth));
        fine = false;
      }
      if (depth[below] < kMaxDepth) todo.push_back(below);
    }
  }
  for (size_t i = 0; i < links_.size() && fine; ++i) {
    if (depth[i] >= 0) continue;
    std::string circle;
    size_t at = i;
    for (size_t steps = 0; steps < links_.size(); ++steps) at = joints_[links_[at].parent_joint].parent;  // now on it
    const size_t first = at;
    do {
      circle = " → " + quote(links_[at].body.name) + circle;
      at = joints_[links_[at].parent_joint].parent;
    } while (at != first && circle.size() < 400);
    circle = quote(links_[first].body.name) + circle;
    services_.error(Code::kBadTree, *joints_[links_[first].parent_joint].element,
                    std::string(roots.empty() ? "the robot has no root: " : "") + "joints form a circle: " + circle);
    return false;
  }
  return fine;
}

void UrdfReader::build(int root) {
  Link& base = links_[root];
  if (base.body.name == "world") {
    // as in the reference, a root of this name is the world itself
    base.id = 0;
    spec_.bodies[0].source = base.body.source;
    if (base.body.mass > 0) {
      services_.warning(Code::kIgnoredAttribute, *base.element,
                        "the root link 'world' is the world: its mass has no effect");
    }
    if (options_.urdf.floating_base) {
      services_.warning(Code::kIgnoredAttribute, *base.element, "the root link 'world' is the world: it cannot float");
    }
    for (GeomSpec& geom : base.geoms) spec_.geoms.push_back(geom);
    for (int j : base.child_joints) place(joints_[j].child, 0, joints_[j].origin);
    return;
  }
  place(root, 0, Pose{});
  if (options_.urdf.floating_base) add_floating_base(base);
}

/// Links with one joint between them do not collide. Between bodies that move the engine sees to that, but it takes a
/// base that stands still for a part of the world, with which everything collides.
void UrdfReader::exclude_neighbours_of_base() {
  if (!options_.urdf.self_collision) return;
  const auto collides = [](const Link& link) {
    return std::any_of(link.geoms.begin(), link.geoms.end(),
                       [](const GeomSpec& g) { return g.contype || g.conaffinity; });
  };
  std::vector<int> base;
  for (size_t i = 0; i < links_.size(); ++i) {
    if (is_static(static_cast<int>(i)) && collides(links_[i])) base.push_back(static_cast<int>(i));
  }
  for (const Joint& joint : joints_) {
    const bool other = joint.type == UrdfJointType::kFixed || joint.type == UrdfJointType::kFloating;
    if (base.empty() || other || !is_static(joint.parent)) continue;
    // the link behind the joint, with what is fixed to it
    std::vector<int> behind = {joint.child};
    for (size_t i = 0; i < behind.size(); ++i) {
      for (int j : links_[behind[i]].child_joints) {
        if (joints_[j].type == UrdfJointType::kFixed) behind.push_back(joints_[j].child);
      }
    }
    std::erase_if(behind, [&](int link) { return !collides(links_[link]); });
    if (spec_.excludes.size() + base.size() * behind.size() > kMostExcludes) {
      services_.warning(
          Code::kIgnoredAttribute, *joint.element,
          "the base has too many links with shapes: it collides with what is behind joint " + quote(joint.name));
      continue;
    }
    for (int above : base) {
      for (int below : behind) {
        ExcludeSpec pair;
        pair.source = source_of(*joint.element);
        pair.body1 = links_[above].body.name;
        pair.body2 = links_[below].body.name;
        spec_.excludes.push_back(std::move(pair));
      }
    }
  }
}

/// A free joint belongs to a child of the world. A link that floats relative to one that moves has the same freedom
/// from three slides and a ball.
void UrdfReader::split_floating() {
  for (Joint& joint : joints_) {
    if (joint.type != UrdfJointType::kFloating || is_static(joint.parent)) continue;
    const JointSpec whole = joint.parts[0];
    joint.parts.clear();
    static constexpr const char* kSuffixes[] = {"_TX", "_TY", "_TZ", "_R"};
    for (int k = 0; k < 4; ++k) {
      JointSpec part = whole;
      part.name = joint.name + kSuffixes[k];
      part.type = k < 3 ? JointType::kSlide : JointType::kBall;
      part.axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k >= 2 ? 1.0 : 0.0};
      joint.parts.push_back(std::move(part));
    }
  }
}

/// `pose`: in the parent body.
void UrdfReader::place(int link, int parent_body, const Pose& pose) {
  Link& at = links_[link];
  Pose own = pose;
  const int joint = at.parent_joint;
  if (joint >= 0 && joints_[joint].type == UrdfJointType::kFloating && is_static(joints_[joint].parent)) {
    // what floats free is no part of what stands still: a free joint belongs to a child of the world
    for (int up = joints_[joint].parent; links_[up].parent_joint >= 0; up = joints_[links_[up].parent_joint].parent) {
      own = joints_[links_[up].parent_joint].origin * own;
    }
    parent_body = 0;
  }
  at.id = static_cast<int>(spec_.bodies.size());
  at.body.parent = parent_body;
  at.body.pos = {own.pos.x, own.pos.y, own.pos.z};
  at.body.orientation.quat = {own.quat.w, own.quat.x, own.quat.y, own.quat.z};
  spec_.bodies.push_back(at.body);
  if (joint >= 0) {
    for (JointSpec& part : joints_[joint].parts) {
      part.body = at.id;
      spec_.joints.push_back(part);
    }
  }
  for (GeomSpec& geom : at.geoms) {
    geom.body = at.id;
    spec_.geoms.push_back(geom);
  }
  const int id = at.id;
  for (int j : at.child_joints) place(joints_[j].child, id, joints_[j].origin);
}

void UrdfReader::add_floating_base(const Link& root) {
  JointSpec free;
  free.type = JointType::kFree;
  free.source = root.body.source;
  free.body = root.id;
  free.name = root.body.name + "_free_joint";
  if (joint_ids_.count(free.name)) free.name += "_";
  spec_.joints.push_back(std::move(free));
}

bool UrdfReader::is_static(int link) const {
  if (options_.urdf.floating_base) return false;
  for (int j = links_[link].parent_joint; j >= 0; j = links_[joints_[j].parent].parent_joint) {
    if (joints_[j].type != UrdfJointType::kFixed) return false;
  }
  return true;
}

Pose UrdfReader::origin_of(const Element& element) {
  Pose pose;
  const Element* origin = child(element, "origin");
  if (!origin) return pose;
  double xyz[3], angles[3], quat[4];
  if (services_.reals(*origin, "xyz", xyz) == 3) pose.pos = {xyz[0], xyz[1], xyz[2]};
  if (services_.reals(*origin, "rpy", angles) == 3) {
    // roll, pitch, yaw turn about the fixed axes x, y, z
    pose.quat = quat_from_euler(angles, "XYZ", false);
    constexpr double kFullTurn = 6.3;  // 2π, rounded up
    if (std::any_of(angles, angles + 3, [](double a) { return std::abs(a) > kFullTurn; })) {
      diagnostics_.warning(
          Code::kUnitsSuspect, origin->find("rpy")->value_at, "origin",
          "rpy=" + quote(origin->find("rpy")->value) + " turns by more than a full circle: are these degrees?",
          "angles in a URDF are radians");
    }
  }
  if (services_.reals(*origin, "quat_xyzw", quat) == 4) {
    const Quat given{quat[3], quat[0], quat[1], quat[2]};
    if (norm(given) < 1e-9) {
      services_.error_at(Code::kBadOrientation, *origin->find("quat_xyzw"), *origin, "the quaternion is zero");
    } else {
      pose.quat = normalized(given);
    }
  }
  return pose;
}

const Element* UrdfReader::child(const Element& element, std::string_view tag) const {
  for (const Element& candidate : element.children) {
    if (candidate.tag == tag) return &candidate;
  }
  return nullptr;
}

}  // namespace pliant

// Operations on the tree of a Spec. A fragment is a Spec of which only the tree lists are used; its world
// stands for the body it will be attached to.

#include "spec/tree.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "spec/references.h"

namespace pliant {
namespace {

using NameSets = std::array<std::unordered_set<std::string>, kNumObjTypes>;

template <class T>
void collect_names(const std::vector<T>& list, std::unordered_set<std::string>& names, size_t from = 0) {
  for (size_t i = from; i < list.size(); ++i) {
    if (!list[i].name.empty()) names.insert(list[i].name);
  }
}

NameSets tree_names(const Spec& fragment) {
  NameSets names;
  collect_names(fragment.bodies, names[static_cast<int>(ObjType::kBody)], 1);
  collect_names(fragment.joints, names[static_cast<int>(ObjType::kJoint)]);
  collect_names(fragment.geoms, names[static_cast<int>(ObjType::kGeom)]);
  collect_names(fragment.sites, names[static_cast<int>(ObjType::kSite)]);
  collect_names(fragment.cameras, names[static_cast<int>(ObjType::kCamera)]);
  collect_names(fragment.lights, names[static_cast<int>(ObjType::kLight)]);
  return names;
}

bool contains(const NameSets& names, ObjType kind, const std::string& name) {
  const int k = static_cast<int>(kind);
  return k >= 0 && k < kNumObjTypes && names[k].count(name) > 0;
}

/// Whether any reference is to one of the names.
template <class T>
bool refers(const T& object, const NameSets& names) {
  T copy = object;
  bool any = false;
  visit_references(copy, [&](ObjType kind, std::string& name) { any |= contains(names, kind, name); });
  return any;
}

template <class T>
void rename_references(T& object, const NameSets& names, const Renaming& renaming) {
  visit_references(object, [&](ObjType kind, std::string& name) {
    if (contains(names, kind, name)) name = renaming(name);
  });
}

template <class T>
void shift(T& object, int source_offset, int compiler_offset) {
  if (object.source >= 0) object.source += source_offset;
  object.compiler += compiler_offset;
  // classes of another model do not come along; what they say is in the object
  if (compiler_offset > 0) {
    object.klass = 0;
    if constexpr (requires { object.childclass; }) object.childclass.clear();
  }
}

template <class T>
std::vector<T> permuted(std::vector<T>& list, const std::vector<int>& order) {
  std::vector<T> out;
  out.reserve(list.size());
  for (int i : order) out.push_back(std::move(list[i]));
  return out;
}

/// Stable order of body-owned objects by their (new) body index.
template <class T>
void sort_by_body(std::vector<T>& list, const std::vector<int>& new_body) {
  for (T& object : list) object.body = new_body[object.body];
  if (std::is_sorted(list.begin(), list.end(), [](const T& a, const T& b) { return a.body < b.body; })) {
    return;
  }
  std::vector<int> order(list.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return list[a].body < list[b].body; });
  list = permuted(list, order);
}

}  // namespace

void sort_tree(Spec& spec) {
  const int n = static_cast<int>(spec.bodies.size());
  std::vector<std::vector<int>> children(n);
  for (int b = 1; b < n; ++b) children[spec.bodies[b].parent].push_back(b);
  std::vector<int> order, stack = {0};
  while (!stack.empty()) {
    const int b = stack.back();
    stack.pop_back();
    order.push_back(b);
    for (auto c = children[b].rbegin(); c != children[b].rend(); ++c) stack.push_back(*c);
  }
  std::vector<int> new_body(n);
  for (int i = 0; i < n; ++i) new_body[order[i]] = i;
  if (!std::is_sorted(order.begin(), order.end())) spec.bodies = permuted(spec.bodies, order);
  for (BodySpec& body : spec.bodies) {
    if (body.parent >= 0) body.parent = new_body[body.parent];
  }
  for (FrameSpec& frame : spec.frames) frame.body = new_body[frame.body];
  sort_by_body(spec.joints, new_body);
  sort_by_body(spec.geoms, new_body);
  sort_by_body(spec.sites, new_body);
  sort_by_body(spec.cameras, new_body);
  sort_by_body(spec.lights, new_body);
}

void append_tree(Spec& target, int body, int frame, const Spec& fragment, const Renaming& renaming, int source_offset,
                 int compiler_offset, bool keep_tags) {
  const NameSets names = tree_names(fragment);
  const int first_body = static_cast<int>(target.bodies.size()) - 1;
  const int first_frame = static_cast<int>(target.frames.size());
  const auto new_body = [&](int b) { return b == 0 ? body : first_body + b; };
  const auto new_frame = [&](int f) { return f < 0 ? frame : first_frame + f; };
  const auto adopt = [&](auto object) {
    object.name = renaming(object.name);
    shift(object, source_offset, compiler_offset);
    if (!keep_tags) object.tag = 0;
    return object;
  };
  for (const FrameSpec& original : fragment.frames) {
    FrameSpec f = adopt(original);
    f.body = new_body(f.body);
    // frames of bodies inside the fragment stay below their own body
    f.parent = original.parent >= 0 ? first_frame + original.parent : (original.body == 0 ? frame : -1);
    target.frames.push_back(std::move(f));
  }
  const auto enclosing = [&](int f, int owner) { return f < 0 && owner != 0 ? -1 : new_frame(f); };
  for (size_t i = 1; i < fragment.bodies.size(); ++i) {
    BodySpec b = adopt(fragment.bodies[i]);
    const int parent = b.parent;
    b.parent = new_body(parent);
    b.frame = enclosing(b.frame, parent);
    if (b.inertial_source >= 0) b.inertial_source += source_offset;
    if (b.inertial_frame >= 0) b.inertial_frame += first_frame;
    target.bodies.push_back(std::move(b));
  }
  const auto add = [&](const auto& from, auto& to) {
    for (const auto& original : from) {
      auto object = adopt(original);
      const int owner = object.body;
      object.body = new_body(owner);
      object.frame = enclosing(object.frame, owner);
      if constexpr (requires { object.target; }) rename_references(object, names, renaming);
      to.push_back(std::move(object));
    }
  };
  add(fragment.joints, target.joints);
  add(fragment.geoms, target.geoms);
  add(fragment.sites, target.sites);
  add(fragment.cameras, target.cameras);
  add(fragment.lights, target.lights);
}

int64_t replicate_references(Spec& spec, const Spec& fragment, const std::vector<Renaming>& copies, int64_t most) {
  NameSets names = tree_names(fragment);
  int64_t made = 0;
  // lists in an order in which references point backwards: tendons → equalities, actuators → sensors …
  const auto replicate = [&](auto& list, ObjType kind) {
    using T = typename std::decay_t<decltype(list)>::value_type;
    std::vector<T> originals, kept;
    for (T& object : list) {
      (refers(object, names) ? originals : kept).push_back(std::move(object));
    }
    made += static_cast<int64_t>(originals.size() * copies.size());
    if (!originals.empty() && made <= most) {
      for (const Renaming& renaming : copies) {
        for (const T& original : originals) {
          T copy = original;
          copy.name = renaming(copy.name);
          rename_references(copy, names, renaming);
          if (&renaming != &copies.front()) copy.tag = 0;
          kept.push_back(std::move(copy));
        }
      }
      collect_names(originals, names[static_cast<int>(kind)]);
    }
    list = std::move(kept);
  };
  replicate(spec.pairs, ObjType::kPair);
  replicate(spec.excludes, ObjType::kExclude);
  replicate(spec.tendons, ObjType::kTendon);
  replicate(spec.equalities, ObjType::kEquality);
  replicate(spec.actuators, ObjType::kActuator);
  replicate(spec.sensors, ObjType::kSensor);
  replicate(spec.tuples, ObjType::kTuple);
  return made;
}

std::vector<std::string> append_attached(Spec& target, const Spec& child, const Spec& fragment,
                                         const Renaming& renaming, int source_offset, int compiler_offset,
                                         const Spec* replicated) {
  NameSets names = tree_names(fragment);
  std::vector<std::string> left_out;
  const bool own = &child == &target;  // assets are shared then, and the lists grow while they are read
  // assets and custom data come along whole
  const auto take_all = [&](const auto& from, auto& to, ObjType kind) {
    for (auto object : from) {
      if (!object.name.empty()) names[static_cast<int>(kind)].insert(object.name);
      object.name = renaming(object.name);
      shift(object, source_offset, compiler_offset);
      if constexpr (requires { object.textures; }) {
        for (std::string& texture : object.textures) texture = renaming(texture);
      }
      if constexpr (requires { object.material; }) object.material = renaming(object.material);
      to.push_back(std::move(object));
    }
  };
  if (!own) {
    take_all(child.meshes, target.meshes, ObjType::kMesh);
    take_all(child.hfields, target.hfields, ObjType::kHfield);
    take_all(child.textures, target.textures, ObjType::kTexture);
    take_all(child.materials, target.materials, ObjType::kMaterial);
    take_all(child.numerics, target.numerics, ObjType::kNumeric);
    take_all(child.texts, target.texts, ObjType::kText);
  }
  // the rest when everything it refers to is attached
  // or, for pairs, excludes, tendons and sensors, at least one thing is, and the others are objects of the
  // target, or its world
  NameSets others = tree_names(target), shared;
  if (replicated) {
    const NameSets beside = tree_names(*replicated);
    for (size_t kind = 0; kind < others.size(); ++kind) others[kind].insert(beside[kind].begin(), beside[kind].end());
  }
  others[static_cast<int>(ObjType::kBody)].insert("world");
  if (own) {
    collect_names(target.meshes, shared[static_cast<int>(ObjType::kMesh)]);
    collect_names(target.hfields, shared[static_cast<int>(ObjType::kHfield)]);
    collect_names(target.textures, shared[static_cast<int>(ObjType::kTexture)]);
    collect_names(target.materials, shared[static_cast<int>(ObjType::kMaterial)]);
    collect_names(target.numerics, shared[static_cast<int>(ObjType::kNumeric)]);
    collect_names(target.texts, shared[static_cast<int>(ObjType::kText)]);
  }
  const auto complete = [&](const auto& original, bool& any) {
    auto object = original;
    using T = decltype(object);
    constexpr bool kMixes = std::is_same_v<T, PairSpec> || std::is_same_v<T, ExcludeSpec> ||
                            std::is_same_v<T, TendonSpec> || std::is_same_v<T, SensorSpec>;
    bool all = true, found = true, shares = false;
    visit_references(object, [&](ObjType kind, std::string& name) {
      // what both have decides nothing
      if (contains(shared, kind, name)) {
        shares = true;
        return;
      }
      const bool attached = contains(names, kind, name);
      any |= attached;
      all &= attached;
      found &= attached || contains(others, kind, name);
    });
    return (all && (any || !shares)) || (kMixes && any && found);
  };
  const auto take = [&](const auto& from, auto& to, ObjType kind) {
    for (size_t i = 0, count = from.size(); i < count; ++i) {
      auto object = from[i];
      const std::string name = object.name;
      bool any = false;
      if constexpr (requires { object.file_prefix; }) {
        // bones in a file name bodies that are there already, or all of them come along
        if (own && object.bones.empty()) continue;
        object.file_prefix = renaming.prefix + object.file_prefix;
      }
      if (!complete(object, any)) {
        if (any || !own) left_out.push_back(name.empty() ? "(unnamed)" : name);
        continue;
      }
      object.name = renaming(object.name);
      shift(object, source_offset, compiler_offset);
      rename_references(object, names, renaming);
      if constexpr (requires { object.material; }) {
        if (!own) object.material = renaming(object.material);
      }
      if constexpr (requires { object.path; }) {
        for (WrapSpec& wrap : object.path) {
          if (wrap.source >= 0) wrap.source += source_offset;
        }
      }
      if constexpr (requires { object.elements; }) {
        for (TupleElementSpec& element : object.elements) {
          if (element.source >= 0) element.source += source_offset;
        }
      }
      to.push_back(std::move(object));
      if (!name.empty()) names[static_cast<int>(kind)].insert(name);
    }
  };
  take(child.skins, target.skins, ObjType::kSkin);
  take(child.pairs, target.pairs, ObjType::kPair);
  take(child.excludes, target.excludes, ObjType::kExclude);
  take(child.tendons, target.tendons, ObjType::kTendon);
  take(child.equalities, target.equalities, ObjType::kEquality);
  take(child.actuators, target.actuators, ObjType::kActuator);
  take(child.sensors, target.sensors, ObjType::kSensor);
  take(child.tuples, target.tuples, ObjType::kTuple);
  return left_out;
}

void append_keys(Spec& target, const Spec& child, const Renaming& renaming, int source_offset, int compiler_offset) {
  for (KeySpec key : child.keys) {
    // a keyframe without a name gets the prefix for one, if it is free
    const std::string given = key.name.empty() ? renaming.prefix : renaming(key.name);
    const bool taken =
        std::any_of(target.keys.begin(), target.keys.end(), [&](const KeySpec& other) { return other.name == given; });
    key.name = key.name.empty() && taken ? "" : given;
    shift(key, source_offset, compiler_offset);
    target.keys.push_back(std::move(key));
  }
}

Spec extract_tree(const Spec& spec, int body, int frame) {
  Spec fragment;
  const int n = static_cast<int>(spec.bodies.size());
  // which bodies: the subtree of `body`, or what stands inside `frame`, or all
  const auto inside = [&](int f) {
    for (; f >= 0; f = spec.frames[f].parent) {
      if (f == frame) return true;
    }
    return false;
  };
  std::vector<int> new_body(n, -1);
  const bool whole = body == 0 && frame < 0;
  const int home = frame >= 0 ? spec.frames[frame].body : 0;  // objects here belong to the fragment's world
  for (int b = 1; b < n; ++b) {
    const BodySpec& original = spec.bodies[b];
    bool taken = false, top = false;
    if (whole)
      taken = true;
    else if (frame >= 0)
      taken = top = original.parent == home && inside(original.frame);
    else
      taken = top = b == body;
    if (!taken && original.parent > 0 && new_body[original.parent] > 0) taken = true;
    if (!taken) continue;
    new_body[b] = static_cast<int>(fragment.bodies.size());
    fragment.bodies.push_back(original);
    BodySpec& copy = fragment.bodies.back();
    copy.parent = top || original.parent == 0 ? 0 : new_body[original.parent];
    if (top && frame < 0) copy.frame = -1;  // attaching a body puts it into the new frame alone
  }
  // frames of the bodies taken, and those inside the frame itself
  std::vector<int> new_frame(spec.frames.size(), -1);
  for (size_t f = 0; f < spec.frames.size(); ++f) {
    const FrameSpec& original = spec.frames[f];
    const bool at_home =
        frame >= 0 ? original.body == home && inside(static_cast<int>(f)) : whole && original.body == 0;
    if (!at_home && (original.body == 0 || new_body[original.body] < 0)) continue;
    new_frame[f] = static_cast<int>(fragment.frames.size());
    fragment.frames.push_back(original);
    FrameSpec& copy = fragment.frames.back();
    copy.body = at_home ? 0 : new_body[original.body];
    copy.parent = original.parent >= 0 ? new_frame[original.parent] : -1;
  }
  for (size_t b = 1; b < fragment.bodies.size(); ++b) {
    BodySpec& copy = fragment.bodies[b];
    if (copy.frame >= 0) copy.frame = new_frame[copy.frame];
    if (copy.inertial_frame >= 0) copy.inertial_frame = new_frame[copy.inertial_frame];
  }
  const auto take = [&](const auto& from, auto& to) {
    for (const auto& original : from) {
      const bool at_home = frame >= 0 ? original.body == home && inside(original.frame) : whole && original.body == 0;
      if (!at_home && (original.body == 0 || new_body[original.body] < 0)) continue;
      to.push_back(original);
      auto& copy = to.back();
      copy.body = at_home ? 0 : new_body[original.body];
      if (copy.frame >= 0) copy.frame = new_frame[copy.frame];
    }
  };
  take(spec.joints, fragment.joints);
  take(spec.geoms, fragment.geoms);
  take(spec.sites, fragment.sites);
  take(spec.cameras, fragment.cameras);
  take(spec.lights, fragment.lights);
  return fragment;
}

}  // namespace pliant

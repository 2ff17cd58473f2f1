// SpecTree: elements with places, from a Spec and back; adding and removing them. Attachment is in attach.cpp.

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "edit/elements.h"

namespace pliant {
namespace {

constexpr size_t kMostCells = 12;  // of the grid of a texture

struct KindInfo {
  const char* name;
  ObjType type;
};
constexpr KindInfo kKinds[] = {
    {"body", ObjType::kBody},       {"frame", ObjType::kFrame},       {"joint", ObjType::kJoint},
    {"geom", ObjType::kGeom},       {"site", ObjType::kSite},         {"camera", ObjType::kCamera},
    {"light", ObjType::kLight},     {"mesh", ObjType::kMesh},         {"hfield", ObjType::kHfield},
    {"skin", ObjType::kSkin},       {"texture", ObjType::kTexture},   {"material", ObjType::kMaterial},
    {"pair", ObjType::kPair},       {"exclude", ObjType::kExclude},   {"equality", ObjType::kEquality},
    {"tendon", ObjType::kTendon},   {"actuator", ObjType::kActuator}, {"sensor", ObjType::kSensor},
    {"numeric", ObjType::kNumeric}, {"text", ObjType::kText},         {"tuple", ObjType::kTuple},
    {"key", ObjType::kKey}};
static_assert(std::size(kKinds) == kNumElementKinds);

template <class Record>
struct ElementType {
  using Type = ElementOf<Record>;
};
template <>
struct ElementType<BodySpec> {
  using Type = BodyElement;
};
template <>
struct ElementType<FrameSpec> {
  using Type = FrameElement;
};

std::unique_ptr<SpecElement> make_element(ElementKind kind) {
  switch (kind) {
#define ELEMENT(kind, record, list, element) \
  case ElementKind::k##kind:                 \
    return std::make_unique<typename ElementType<record>::Type>();
#include "pliant/elements.def"
#undef ELEMENT
    case ElementKind::kCount:
      break;
  }
  throw std::invalid_argument("there is no such kind of element");
}

/// Everything of a Spec but its elements.
Spec settings_of(const Spec& spec) {
  Spec settings;
  settings.model_name = spec.model_name;
  settings.option = spec.option;
  settings.size = spec.size;
  settings.statistic = spec.statistic;
  settings.visual = spec.visual;
  settings.assets = spec.assets;
  return settings;
}

bool encloses(const FrameElement& outer, const FrameElement* inner) {
  for (; inner; inner = inner->frame) {
    if (inner == &outer) return true;
  }
  return false;
}

std::vector<SpecElement*>& children_of(BodyElement& body, ElementKind kind) {
  return body.children[static_cast<int>(kind)];
}

void collect_below(const BodyElement& body, ElementKind kind, std::vector<SpecElement*>& out) {
  // ids follow the tree, parents first; a chain of bodies can be long, so no recursion
  std::vector<const BodyElement*> stack = {&body};
  while (!stack.empty()) {
    const BodyElement* at = stack.back();
    stack.pop_back();
    if (kind == ElementKind::kBody) {
      if (at != &body) out.push_back(const_cast<BodyElement*>(at));
    } else {
      const auto& own = at->children[static_cast<int>(kind)];
      out.insert(out.end(), own.begin(), own.end());
    }
    const auto& bodies = at->children[static_cast<int>(ElementKind::kBody)];
    for (auto child = bodies.rbegin(); child != bodies.rend(); ++child) {
      stack.push_back(static_cast<BodyElement*>(*child));
    }
  }
}

/// Files list the rows of a height field from its far side, programs from its near one.
void turn_rows(HfieldSpec& hfield) {
  auto& values = hfield.elevation;
  const auto columns = static_cast<size_t>(std::max(hfield.ncol, 0));
  if (hfield.nrow <= 0 || values.size() != columns * static_cast<size_t>(hfield.nrow)) return;
  for (size_t first = 0, last = values.size() - columns; first < last; first += columns, last -= columns) {
    std::swap_ranges(values.begin() + first, values.begin() + first + columns, values.begin() + last);
  }
}

}  // namespace

std::string_view kind_name(ElementKind kind) { return kKinds[static_cast<int>(kind)].name; }
ObjType object_type(ElementKind kind) { return kKinds[static_cast<int>(kind)].type; }

int fresh_tag() {
  static std::atomic<int> next{1};
  return next++;
}

// ---- construction ---------------------------------------------------------------------------------------

template <class T>
T& SpecTree::own(std::unique_ptr<T> element) {
  T& made = *element;
  made.tree = this;
  made.compiler = compiler;
  owned_.push_back(std::move(element));
  ++revision_;
  return made;
}

SpecTree::SpecTree() : SpecTree(Spec{}) {}

SpecTree::SpecTree(const Spec& spec) : settings(settings_of(spec)) {
  const auto sources = std::make_shared<SourceTable>();
  sources->files = spec.files;
  sources->elements = spec.sources;
  sources->attributes = spec.source_attributes;
  std::vector<std::shared_ptr<CompilerSpec>> compilers;
  for (const CompilerSpec& each : spec.compilers) compilers.push_back(std::make_shared<CompilerSpec>(each));
  compiler = compilers.front();

  for (const DefaultClass& original : spec.classes) {
    auto klass = std::make_unique<DefaultElement>();
    klass->tree = this;
    klass->name = original.name;
    klass->source = original.source;
    const bool nested = original.parent >= 0 && original.parent < static_cast<int>(classes_.size());
    klass->parent = nested ? classes_[original.parent].get() : nullptr;
    if (nested) klass->parent->children.push_back(klass.get());
    klass->joint.value = original.joint;
    klass->geom.value = original.geom;
    klass->site.value = original.site;
    klass->camera.value = original.camera;
    klass->light.value = original.light;
    klass->mesh.value = original.mesh;
    klass->material.value = original.material;
    klass->texture.value = original.texture;
    klass->pair.value = original.pair;
    klass->equality.value = original.equality;
    klass->tendon.value = original.tendon;
    klass->actuator.value = original.actuator;
    for_records(*klass, [&](auto& element) {
      element.tree = this;
      element.compiler = compiler;
      element.sources = sources;
    });
    classes_.push_back(std::move(klass));
  }

  // tags of keyframes become numbers that no other model has, so that models can be attached to each other
  std::unordered_map<int, int> tags = {{0, 0}};
  const auto own_tag = [&](int tag) {
    const auto [entry, is_new] = tags.try_emplace(tag, 0);
    if (is_new) entry->second = fresh_tag();
    return entry->second;
  };
  const auto make = [&](const auto& original) -> auto& {
    using Record = std::decay_t<decltype(original)>;
    auto& element = own(std::make_unique<typename ElementType<Record>::Type>());
    element.value = original;
    element.value.tag = own_tag(original.tag);
    if constexpr (std::is_same_v<Record, KeySpec>) {
      for (KeyState& state : element.value.states) state.tag = own_tag(state.tag);
    }
    if constexpr (std::is_same_v<Record, HfieldSpec>) turn_rows(element.value);
    element.sources = sources;
    element.compiler = compilers[original.compiler];
    const bool known = original.klass >= 0 && original.klass < static_cast<int>(classes_.size());
    element.klass = classes_[known ? original.klass : 0].get();
    return element;
  };
  std::vector<BodyElement*> bodies;
  std::vector<FrameElement*> frames;
  for (const BodySpec& original : spec.bodies) bodies.push_back(&make(original));
  for (const FrameSpec& original : spec.frames) frames.push_back(&make(original));
  world_ = bodies.front();
  const auto frame_of = [&](int index) { return index < 0 ? nullptr : frames[index]; };
  for (size_t i = 0; i < bodies.size(); ++i) {
    bodies[i]->inertial_frame = frame_of(spec.bodies[i].inertial_frame);
    if (i > 0) place(*bodies[i], *bodies[spec.bodies[i].parent], frame_of(spec.bodies[i].frame));
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    place(*frames[i], *bodies[spec.frames[i].body], frame_of(spec.frames[i].parent));
  }
  const auto add_list = [&](const auto& list) {
    for (const auto& original : list) {
      auto& element = make(original);
      if constexpr (requires { original.body; }) {
        place(element, *bodies[original.body], frame_of(original.frame));
      } else {
        lists_[static_cast<int>(element.kind)].push_back(&element);
      }
    }
  };
  add_list(spec.joints), add_list(spec.geoms), add_list(spec.sites), add_list(spec.cameras), add_list(spec.lights);
  add_list(spec.meshes), add_list(spec.hfields), add_list(spec.skins), add_list(spec.textures);
  add_list(spec.materials), add_list(spec.pairs), add_list(spec.excludes), add_list(spec.equalities);
  add_list(spec.tendons), add_list(spec.actuators), add_list(spec.sensors), add_list(spec.numerics);
  add_list(spec.texts), add_list(spec.tuples), add_list(spec.keys);
}

SpecTree::~SpecTree() = default;

std::shared_ptr<SpecTree> SpecTree::copy() const { return std::make_shared<SpecTree>(to_spec()); }

// ---- looking around -------------------------------------------------------------------------------------

std::vector<SpecElement*> SpecTree::below(const BodyElement& body, ElementKind kind) {
  std::vector<SpecElement*> out;
  collect_below(body, kind, out);
  return out;
}

std::vector<SpecElement*> SpecTree::elements(ElementKind kind) const {
  if (!is_tree_kind(kind)) return lists_[static_cast<int>(kind)];
  std::vector<SpecElement*> out;
  if (kind == ElementKind::kBody) out.push_back(world_);
  collect_below(*world_, kind, out);
  return out;
}

SpecElement* SpecTree::find(ElementKind kind, std::string_view name) const {
  if (name.empty()) return nullptr;
  for (SpecElement* element : elements(kind)) {
    if (element->name() == name) return element;
  }
  return nullptr;
}

DefaultElement* SpecTree::find_class(std::string_view name) const {
  for (const auto& klass : classes_) {
    if (klass->name == name) return klass.get();
  }
  return nullptr;
}

int SpecTree::id(SpecElement& element) const {
  if (element.tree != this) return -1;
  if (element.id_revision_ != revision_) {
    int next = 0;
    for (SpecElement* each : elements(element.kind)) {
      each->id_ = next++;
      each->id_revision_ = revision_;
    }
    if (element.id_revision_ != revision_) return -1;
  }
  return element.id_;
}

// ---- adding ---------------------------------------------------------------------------------------------

DefaultElement* SpecTree::inherited_class(const BodyElement& body, const FrameElement* frame) const {
  for (; frame; frame = frame->frame) {
    if (!frame->value.childclass.empty()) return find_class(frame->value.childclass);
  }
  for (const BodyElement* at = &body; at; at = at->body) {
    if (!at->value.childclass.empty()) return find_class(at->value.childclass);
    for (const FrameElement* around = at->frame; around; around = around->frame) {
      if (!around->value.childclass.empty()) return find_class(around->value.childclass);
    }
  }
  return nullptr;
}

void SpecTree::place(SpecElement& element, BodyElement& body, FrameElement* frame) {
  element.body = &body;
  element.frame = frame;
  children_of(body, element.kind).push_back(&element);
  ++revision_;
}

SpecElement& SpecTree::add(ElementKind kind, BodyElement& body, FrameElement* frame, DefaultElement* klass) {
  if (!is_tree_kind(kind)) throw std::invalid_argument(std::string(kind_name(kind)) + " does not stand in a body");
  if (body.tree != this || (frame && frame->tree != this)) {
    throw std::invalid_argument("the body or frame is not in this model: it was removed, or belongs to another one");
  }
  if (!klass) klass = inherited_class(body, frame);
  if (!klass || klass->tree != this) klass = &main_class();
  SpecElement& element = own(make_element(kind));
  with_record(element, [&](auto& typed) {
    using Record = std::decay_t<decltype(typed.value)>;
    if (auto* defaults = default_record<Record>(*klass)) typed.value = defaults->value;
    if constexpr (std::is_same_v<Record, BodySpec>) typed.value.ipos = {kUndefined, 0, 0};
  });
  element.object().name.clear();
  element.object().source = -1;
  element.klass = klass;
  place(element, body, frame);
  return element;
}

SpecElement& SpecTree::add(ElementKind kind, DefaultElement* klass) {
  if (is_tree_kind(kind)) throw std::invalid_argument(std::string(kind_name(kind)) + " needs a body to stand in");
  if (!klass || klass->tree != this) klass = &main_class();
  SpecElement& element = own(make_element(kind));
  with_record(element, [&](auto& typed) {
    using Record = std::decay_t<decltype(typed.value)>;
    if (auto* defaults = default_record<Record>(*klass)) typed.value = defaults->value;
    if constexpr (std::is_same_v<Record, EqualitySpec>) typed.value.data = kFreshEqData;
  });
  element.object().name.clear();
  element.object().source = -1;
  element.klass = klass;
  lists_[static_cast<int>(kind)].push_back(&element);
  return element;
}

DefaultElement& SpecTree::adopt_class(const DefaultElement& other, DefaultElement& parent, std::string name) {
  auto klass = std::make_unique<DefaultElement>();
  auto& original = const_cast<DefaultElement&>(other);  // for_records visits both alike
  klass->joint.value = original.joint.value;
  klass->geom.value = original.geom.value;
  klass->site.value = original.site.value;
  klass->camera.value = original.camera.value;
  klass->light.value = original.light.value;
  klass->mesh.value = original.mesh.value;
  klass->material.value = original.material.value;
  klass->texture.value = original.texture.value;
  klass->pair.value = original.pair.value;
  klass->equality.value = original.equality.value;
  klass->tendon.value = original.tendon.value;
  klass->actuator.value = original.actuator.value;
  for_records(*klass, [&](auto& element) {
    element.tree = this;
    element.compiler = original.geom.compiler;
    element.value.source = -1;
  });
  klass->tree = this;
  klass->name = std::move(name);
  klass->parent = &parent;
  parent.children.push_back(klass.get());
  classes_.push_back(std::move(klass));
  ++revision_;
  return *classes_.back();
}

DefaultElement& SpecTree::add_class(std::string name, DefaultElement& parent) {
  if (name.empty()) throw std::invalid_argument("a default class needs a name");
  if (find_class(name)) throw std::invalid_argument("the default class " + quote(name) + " exists already");
  if (parent.tree != this) throw std::invalid_argument("the parent class is not in this model");
  return adopt_class(parent, parent, std::move(name));
}

void SpecTree::rename(SpecElement& element, std::string name) {
  if (!name.empty() && name != element.name() && element.tree) {
    SpecElement* other = element.tree->find(element.kind, name);
    if (other && other != &element) {
      throw std::invalid_argument("Error: repeated name " + quote(name) + " in " +
                                  std::string(kind_name(element.kind)));
    }
  }
  element.object().name = std::move(name);
  if (element.tree) ++element.tree->revision_;
}

// ---- moving and removing --------------------------------------------------------------------------------

void SpecTree::set_frame(SpecElement& element, FrameElement* frame) {
  if (!element.body)
    throw std::invalid_argument("the world does not stand in a frame, nor does what is no part of the tree");
  if (element.tree != this || (frame && frame->tree != this)) {
    throw std::invalid_argument("the element or the frame is not in this model");
  }
  if (frame && element.kind == ElementKind::kFrame && encloses(static_cast<FrameElement&>(element), frame)) {
    throw std::invalid_argument("a frame cannot stand inside itself");
  }
  if (frame && frame->body != element.body) {
    if (element.kind == ElementKind::kFrame) {
      throw std::invalid_argument("a frame stays in its body: the frames belong to different bodies");
    }
    for (const BodyElement* at = frame->body; at; at = at->body) {
      if (at == &element) throw std::invalid_argument("a body cannot stand inside itself");
    }
    erase(children_of(*element.body, element.kind), &element);
    place(element, *frame->body, frame);
    return;
  }
  element.frame = frame;
  ++revision_;
}

FrameElement& SpecTree::to_frame(BodyElement& body) {
  if (body.tree != this || !body.body)
    throw std::invalid_argument("only a body of this model, not its world, becomes a frame");
  BodyElement& home = *body.body;
  auto& frame = static_cast<FrameElement&>(add(ElementKind::kFrame, home, body.frame));
  frame.value.name = find(ElementKind::kFrame, body.value.name) ? "" : body.value.name;
  frame.value.pos = body.value.pos;
  frame.value.orientation = body.value.orientation;
  frame.value.childclass = body.value.childclass;
  frame.program = body.program;
  frame.program_line = body.program_line;
  remove_all(std::vector<SpecElement*>(children_of(body, ElementKind::kJoint)), true);
  for (int kind = 0; kind < kNumTreeKinds; ++kind) {
    for (SpecElement* child : std::vector<SpecElement*>(body.children[kind])) {
      FrameElement* inside = child->frame ? child->frame : &frame;
      if (child->kind == ElementKind::kFrame && child->frame == nullptr) inside = &frame;
      place(*child, home, inside);
    }
    body.children[kind].clear();
  }
  remove_all({&body}, true);
  return frame;
}

void SpecTree::forget(SpecElement& element) {
  if (element.body) erase(children_of(*element.body, element.kind), &element);
  if (!is_tree_kind(element.kind)) erase(lists_[static_cast<int>(element.kind)], &element);
  element.tree = nullptr;
  element.body = nullptr;
  element.frame = nullptr;
  ++revision_;
}

void SpecTree::remove_all(const std::vector<SpecElement*>& first, bool referring) {
  std::vector<SpecElement*> doomed = first;
  std::unordered_set<SpecElement*> marked(first.begin(), first.end());
  const auto mark = [&](SpecElement* element) {
    if (marked.insert(element).second) doomed.push_back(element);
  };
  // what stands inside
  for (size_t i = 0; i < doomed.size(); ++i) {
    if (doomed[i]->kind == ElementKind::kBody) {
      for (const auto& list : static_cast<BodyElement*>(doomed[i])->children) {
        for (SpecElement* child : list) mark(child);
      }
    } else if (doomed[i]->kind == ElementKind::kFrame && doomed[i]->body) {
      for (const auto& list : doomed[i]->body->children) {
        for (SpecElement* child : list) {
          if (child->frame == doomed[i]) mark(child);
        }
      }
    }
  }
  // what refers to it, and to that
  using Name = std::pair<ObjType, std::string>;
  std::set<Name> names;
  size_t named = 0;
  bool again = referring;
  while (again) {
    again = false;
    for (; named < doomed.size(); ++named) {
      if (!doomed[named]->name().empty()) names.emplace(object_type(doomed[named]->kind), doomed[named]->name());
    }
    for (const ElementKind kind : {ElementKind::kPair, ElementKind::kExclude, ElementKind::kEquality,
                                   ElementKind::kTendon, ElementKind::kActuator, ElementKind::kSensor}) {
      for (SpecElement* element : lists_[static_cast<int>(kind)]) {
        if (marked.count(element)) continue;
        bool refers = false;
        with_record(*element, [&](auto& typed) {
          if constexpr (requires { visit_references(typed.value, [](ObjType, std::string&) {}); }) {
            visit_references(typed.value,
                             [&](ObjType type, std::string& name) { refers |= names.count({type, name}) > 0; });
          }
        });
        if (refers) {
          mark(element);
          again = true;
        }
      }
    }
  }
  for (SpecElement* element : doomed) forget(*element);
}

void SpecTree::remove(SpecElement& element) {
  if (attached_whole) throw std::invalid_argument("Cannot delete element from an attached mjSpec.");
  if (element.tree != this) throw std::invalid_argument(std::string(kind_name(element.kind)) + " is not in this model");
  if (&element == world_) throw std::invalid_argument("the world cannot be removed");
  if (!element.klass) throw std::invalid_argument("a record of a default class cannot be removed; remove the class");
  // as in mjSpec: who refers to a single joint or geom that is gone hears of it when the model is compiled
  remove_all({&element}, element.kind == ElementKind::kBody || element.kind == ElementKind::kFrame);
}

void SpecTree::remove(DefaultElement& klass) {
  if (klass.tree != this) throw std::invalid_argument("the default class is not in this model");
  if (!klass.parent) throw std::invalid_argument("the default class 'main' cannot be removed");
  while (!klass.children.empty()) remove(*klass.children.back());
  // elements keep their values
  for (const auto& element : owned_) {
    if (element->klass == &klass) element->klass = klass.parent;
  }
  auto& siblings = klass.parent->children;
  siblings.erase(std::remove(siblings.begin(), siblings.end(), &klass), siblings.end());
  klass.tree = nullptr;
  for_records(klass, [](auto& element) { element.tree = nullptr; });
  const auto found =
      std::find_if(classes_.begin(), classes_.end(), [&](const auto& own) { return own.get() == &klass; });
  old_classes_.push_back(std::move(*found));
  classes_.erase(found);
  ++revision_;
}

// ---- as lists -------------------------------------------------------------------------------------------

Spec SpecTree::to_spec() const {
  if (attached_whole) {
    throw std::invalid_argument("this model is attached to another one: compile, write or copy that one");
  }
  // what was moved to another model is still listed here
  const auto elements = [this](ElementKind kind) {
    std::vector<SpecElement*> own = this->elements(kind);
    std::erase_if(own, [this](const SpecElement* element) { return element->tree != this; });
    return own;
  };
  const std::string& sequence = compiler->eulerseq;
  if (sequence.size() != 3 || sequence.find_first_not_of("xyzXYZ") != std::string::npos) {
    throw std::invalid_argument("eulerseq has three of the letters xyzXYZ, which " + quote(sequence) + " has not");
  }
  Spec spec = settings_of(settings);
  std::vector<CompilerSpec>& compilers = spec.compilers;
  compilers.assign(1, *compiler);
  std::map<const CompilerSpec*, int> compiler_index = {{compiler.get(), 0}};
  std::map<const SourceTable*, int> source_offset;
  std::map<std::string, int> program_files;
  std::map<const DefaultElement*, int> class_index;

  const auto offset_of = [&](const SourceTable* table) {
    const auto [entry, is_new] = source_offset.try_emplace(table, static_cast<int>(spec.sources.size()));
    if (is_new) {
      const int first_file = static_cast<int>(spec.files.size());
      const int first_attribute = static_cast<int>(spec.source_attributes.size());
      const auto shifted = [&](Origin at) {
        if (at.file >= 0) at.file += first_file;
        return at;
      };
      spec.files.insert(spec.files.end(), table->files.begin(), table->files.end());
      for (SourceElement element : table->elements) {
        element.first_attribute += first_attribute;
        element.at = shifted(element.at);
        spec.sources.push_back(std::move(element));
      }
      for (SourceAttribute attribute : table->attributes) {
        attribute.name_at = shifted(attribute.name_at);
        attribute.value_at = shifted(attribute.value_at);
        spec.source_attributes.push_back(std::move(attribute));
      }
    }
    return entry->second;
  };
  // the model's own files come first, as its readers numbered them
  if (world_->sources) offset_of(world_->sources.get());

  const auto fill = [&](SpecElement& element, auto& record) {
    const auto [entry, is_new] = compiler_index.try_emplace(element.compiler.get(), static_cast<int>(compilers.size()));
    if (is_new) compilers.push_back(*element.compiler);
    record.compiler = entry->second;
    const auto klass = class_index.find(element.klass);
    record.klass = klass == class_index.end() ? 0 : klass->second;
    if (record.source >= 0 && element.sources) {
      record.source += offset_of(element.sources.get());
      return;
    }
    // made by a program: findings name its line
    SourceElement source;
    source.tag = kind_name(element.kind);
    if (!element.program.empty()) {
      const auto [file, unknown] = program_files.try_emplace(element.program, static_cast<int>(spec.files.size()));
      if (unknown) spec.files.push_back(element.program);
      source.at = {file->second, element.program_line, 0};
    }
    record.source = static_cast<int>(spec.sources.size());
    spec.sources.push_back(std::move(source));
  };

  spec.classes.clear();
  // parents before children
  std::vector<const DefaultElement*> order = {&main_class()};
  for (size_t i = 0; i < order.size(); ++i) {
    class_index[order[i]] = static_cast<int>(i);
    for (const DefaultElement* child : order[i]->children) order.push_back(child);
  }
  for (const DefaultElement* klass : order) {
    DefaultClass out;
    out.name = klass->name;
    out.parent = klass->parent ? class_index[klass->parent] : -1;
    const int index = class_index[klass];
    const auto copy = [&](const auto& element, auto& record) {
      record = element.value;
      record.klass = index;
      record.source = -1;
      record.compiler = 0;
    };
    copy(klass->joint, out.joint), copy(klass->geom, out.geom), copy(klass->site, out.site);
    copy(klass->camera, out.camera), copy(klass->light, out.light), copy(klass->mesh, out.mesh);
    copy(klass->material, out.material), copy(klass->texture, out.texture), copy(klass->pair, out.pair);
    copy(klass->equality, out.equality), copy(klass->tendon, out.tendon), copy(klass->actuator, out.actuator);
    spec.classes.push_back(std::move(out));
  }

  std::unordered_map<const SpecElement*, int> body_index, frame_index;
  spec.bodies.clear();
  for (SpecElement* element : elements(ElementKind::kBody)) {
    auto& body = static_cast<BodyElement&>(*element);
    BodySpec record = body.value;
    if (&body != world_) {
      fill(body, record);
    } else {
      record.source = -1;
      record.compiler = 0;
      record.klass = 0;
    }
    record.parent = body.body && &body != world_ ? body_index.at(body.body) : -1;
    record.inertial_source = record.source;
    // as in mjSpec: an inertia counts when it has a place, or when there is nothing else to have one from
    const bool given = defined(record.ipos[0]) || (record.mass > 0 && children_of(body, ElementKind::kGeom).empty());
    if (!record.has_inertial && given && &body != world_) record.has_inertial = true;
    if (record.has_inertial && !defined(record.ipos[0])) record.ipos = {0, 0, 0};
    body_index[element] = static_cast<int>(spec.bodies.size());
    spec.bodies.push_back(std::move(record));
  }
  // frames around frames come first
  const auto add_frame = [&](auto& self, SpecElement* element) -> int {
    if (const auto known = frame_index.find(element); known != frame_index.end()) return known->second;
    auto& frame = static_cast<FrameElement&>(*element);
    const auto owner = body_index.find(frame.body);
    if (owner == body_index.end()) return -1;
    FrameSpec record = frame.value;
    fill(frame, record);
    record.body = owner->second;
    record.parent = frame.frame ? self(self, frame.frame) : -1;
    const int index = static_cast<int>(spec.frames.size());
    frame_index[element] = index;
    spec.frames.push_back(std::move(record));
    return index;
  };
  for (SpecElement* element : elements(ElementKind::kFrame)) add_frame(add_frame, element);
  const auto frame_of = [&](const FrameElement* frame) {
    const auto found = frame_index.find(frame);
    return found == frame_index.end() ? -1 : found->second;
  };
  for (SpecElement* element : elements(ElementKind::kBody)) {
    BodySpec& record = spec.bodies[body_index.at(element)];
    record.frame = element == world_ ? -1 : frame_of(element->frame);
    record.inertial_frame = frame_of(static_cast<BodyElement*>(element)->inertial_frame);
  }
  const auto list = [&](auto& out) {
    using Record = typename std::decay_t<decltype(out)>::value_type;
    for (SpecElement* element : elements(KindOf<Record>::kKind)) {
      Record record = static_cast<ElementOf<Record>&>(*element).value;
      fill(*element, record);
      if constexpr (requires { record.body; }) {
        record.body = body_index.at(element->body);
        record.frame = frame_of(element->frame);
      }
      if constexpr (requires { record.path; }) {
        for (WrapSpec& wrap : record.path) wrap.source = record.source;
      }
      if constexpr (std::is_same_v<Record, HfieldSpec>) turn_rows(record);
      if constexpr (requires { record.gridlayout; }) {  // one letter per cell, and never fewer
        std::replace(record.gridlayout.begin(), record.gridlayout.end(), '\0', '.');
        record.gridlayout.resize(kMostCells, '.');
      }
      if constexpr (requires { record.elements; }) {
        for (TupleElementSpec& each : record.elements) each.source = record.source;
      }
      out.push_back(std::move(record));
    }
  };
  list(spec.joints), list(spec.geoms), list(spec.sites), list(spec.cameras), list(spec.lights), list(spec.meshes);
  list(spec.hfields), list(spec.skins), list(spec.textures), list(spec.materials), list(spec.pairs);
  list(spec.excludes), list(spec.equalities), list(spec.tendons), list(spec.actuators), list(spec.sensors);
  list(spec.numerics), list(spec.texts), list(spec.tuples), list(spec.keys);
  for (CompilerSpec& each : compilers) each.source = -1;
  spec.next_tag = fresh_tag();
  return spec;
}

}  // namespace pliant

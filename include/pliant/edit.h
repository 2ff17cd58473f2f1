#pragma once
// A model to build and to change in code: elements with addresses that stay, in place of the lists of a Spec.
//
//   SpecTree tree;
//   auto& arm = tree.add<BodySpec>(tree.world());
//   arm.value.pos = {0, 0, 1};
//   tree.add<JointSpec>(arm);
//   Compiled compiled = compile(tree.to_spec(), diagnostics);
//
// An element is a record of Spec (spec.h) with its place: body, frame, default class. References between elements are
// names, as in files. What is wrong with a model is said when it is compiled; adding, removing and attaching throw
// std::invalid_argument when the place itself makes no sense, and leave everything as it was.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/diagnostics.h"
#include "pliant/spec.h"

namespace pliant {

enum class ElementKind : int {
#define ELEMENT(kind, record, list, element) k##kind,
#include "pliant/elements.def"
#undef ELEMENT
  kCount
};
inline constexpr int kNumElementKinds = static_cast<int>(ElementKind::kCount);
/// Kinds that stand in a body come first.
inline constexpr int kNumTreeKinds = static_cast<int>(ElementKind::kLight) + 1;
constexpr bool is_tree_kind(ElementKind kind) { return static_cast<int>(kind) < kNumTreeKinds; }

/// "body", "hfield": the word used in messages.
std::string_view kind_name(ElementKind kind);
/// Kind of object that others refer to it as; kUnknown for frames.
ObjType object_type(ElementKind kind);

template <class Record>
struct KindOf;
#define ELEMENT(kind, record, list, element)                   \
  template <>                                                  \
  struct KindOf<record> {                                      \
    static constexpr ElementKind kKind = ElementKind::k##kind; \
  };
#include "pliant/elements.def"
#undef ELEMENT

class SpecTree;
struct BodyElement;
struct FrameElement;
struct DefaultElement;

/// Places in model files that elements were read from; shared by all elements of one file.
struct SourceTable {
  std::vector<std::string> files;
  std::vector<SourceElement> elements;
  std::vector<SourceAttribute> attributes;
};

struct SpecElement {
  explicit SpecElement(ElementKind kind) : kind(kind) {}
  SpecElement(const SpecElement&) = delete;
  SpecElement& operator=(const SpecElement&) = delete;
  virtual ~SpecElement() = default;

  const ElementKind kind;
  SpecTree* tree = nullptr;         ///< null once it was removed
  BodyElement* body = nullptr;      ///< the body it stands in; null for the world and outside the kinematic tree
  FrameElement* frame = nullptr;    ///< enclosing frame of that body
  DefaultElement* klass = nullptr;  ///< its default class; null for a record of a default class
  std::shared_ptr<CompilerSpec> compiler;
  std::shared_ptr<const SourceTable> sources;
  std::string program;  ///< file of the program that made it; "" when it was read from a model file
  int program_line = 0;

  virtual SpecObject& object() = 0;
  /// The record, as the member functions of the schema take it.
  virtual void* record() = 0;
  const std::string& name() { return object().name; }

 private:
  friend class SpecTree;
  int id_ = -1;
  uint64_t id_revision_ = 0;
};

template <class Record>
struct ElementOf : SpecElement {
  ElementOf() : SpecElement(KindOf<Record>::kKind) {}
  Record value;
  SpecObject& object() override { return value; }
  void* record() override { return &value; }
};

struct FrameElement : ElementOf<FrameSpec> {};

struct BodyElement : ElementOf<BodySpec> {
  std::vector<SpecElement*> children[kNumTreeKinds];  ///< by kind, in the order of their ids
  FrameElement* inertial_frame = nullptr;
};

/// A default class: one record per kind that can have defaults.
struct DefaultElement {
  std::string name = "main";
  DefaultElement* parent = nullptr;
  SpecTree* tree = nullptr;
  std::vector<DefaultElement*> children;
  int source = -1;
  ElementOf<JointSpec> joint;
  ElementOf<GeomSpec> geom;
  ElementOf<SiteSpec> site;
  ElementOf<CameraSpec> camera;
  ElementOf<LightSpec> light;
  ElementOf<MeshSpec> mesh;
  ElementOf<MaterialSpec> material;
  ElementOf<TextureSpec> texture;
  ElementOf<PairSpec> pair;
  ElementOf<EqualitySpec> equality;
  ElementOf<TendonSpec> tendon;
  ElementOf<ActuatorSpec> actuator;
};

class SpecTree : public std::enable_shared_from_this<SpecTree> {
 public:
  SpecTree();
  explicit SpecTree(const Spec& spec);
  ~SpecTree();
  SpecTree(const SpecTree&) = delete;
  SpecTree& operator=(const SpecTree&) = delete;

  /// The model as lists, for compile() and write_mjcf(); every object knows the line that made it.
  Spec to_spec() const;
  /// A model of its own with equal elements.
  std::shared_ptr<SpecTree> copy() const;

  BodyElement& world() const { return *world_; }
  DefaultElement& main_class() const { return *classes_.front(); }
  /// All elements of a kind, in the order of their ids.
  std::vector<SpecElement*> elements(ElementKind kind) const;
  /// What stands below a body, the body itself left out, in the order of ids.
  static std::vector<SpecElement*> below(const BodyElement& body, ElementKind kind);
  SpecElement* find(ElementKind kind, std::string_view name) const;
  DefaultElement* find_class(std::string_view name) const;
  std::span<const std::unique_ptr<DefaultElement>> classes() const { return classes_; }
  /// Id of an element in the compiled model; -1 once it was removed.
  int id(SpecElement& element) const;

  /// Adds an element of the kinematic tree to a body, or inside a frame; without a class it takes that of the
  /// `childclass` around it.
  SpecElement& add(ElementKind kind, BodyElement& body, FrameElement* frame = nullptr, DefaultElement* klass = nullptr);
  /// Adds any other element.
  SpecElement& add(ElementKind kind, DefaultElement* klass = nullptr);
  template <class Record>
  ElementOf<Record>& add(BodyElement& body, DefaultElement* klass = nullptr) {
    return static_cast<ElementOf<Record>&>(add(KindOf<Record>::kKind, body, nullptr, klass));
  }
  template <class Record>
  ElementOf<Record>& add(DefaultElement* klass = nullptr) {
    return static_cast<ElementOf<Record>&>(add(KindOf<Record>::kKind, klass));
  }
  DefaultElement& add_class(std::string name, DefaultElement& parent);

  /// Refuses a name that another element of the kind has.
  void rename(SpecElement& element, std::string name);
  /// Puts an element of the kinematic tree into a frame, of whichever body; null = out of any.
  void set_frame(SpecElement& element, FrameElement* frame);
  /// Replaces a body by a frame with its pose; joints and inertia of the body are lost.
  FrameElement& to_frame(BodyElement& body);
  /// Removes an element. A body or frame goes with everything inside it and everything that refers to that.
  void remove(SpecElement& element);
  void remove(DefaultElement& klass);

  /// Moves a body of another model, with everything that belongs to it, into a frame of this one. Names get the prefix
  /// and suffix. Elements stay what they are: changing them later changes this model. A part of this model itself, or
  /// with `copy`, is copied.
  BodyElement& attach(BodyElement& part, FrameElement& to, const std::string& prefix, const std::string& suffix,
                      bool copy = false);
  FrameElement& attach(FrameElement& part, BodyElement& to, const std::string& prefix, const std::string& suffix,
                       bool copy = false);
  /// The whole of another model, in a new frame.
  FrameElement& attach(SpecTree& child, FrameElement& to, const std::string& prefix, const std::string& suffix,
                       bool copy = false);
  /// The model that this one was attached to as a whole, or in parts.
  SpecTree* attached_to() const { return attached_to_.get(); }
  bool attached_whole = false;

  /// Counts changes of what there is: ids of a compiled model are good while it stays.
  uint64_t revision() const { return revision_; }
  /// Of the model compiled last, as its owner counts; good while signature_revision == revision().
  uint64_t signature = 0, signature_revision = 0;

  /// Everything but elements: options, sizes, statistics, settings of viewers, name, files in memory.
  Spec settings;
  /// Settings of the compiler; attached elements keep those of their own model.
  std::shared_ptr<CompilerSpec> compiler;

 private:
  struct Moved;
  template <class T>
  T& own(std::unique_ptr<T> element);
  DefaultElement* inherited_class(const BodyElement& body, const FrameElement* frame) const;
  void place(SpecElement& element, BodyElement& body, FrameElement* frame);
  void forget(SpecElement& element);
  void remove_all(const std::vector<SpecElement*>& elements, bool referring);
  DefaultElement& adopt_class(const DefaultElement& other, DefaultElement& parent, std::string name);
  void move_from(SpecTree& child, const std::vector<SpecElement*>& tree, const std::string& prefix,
                 const std::string& suffix);

  std::vector<std::unique_ptr<SpecElement>> owned_;  // removed elements included: somebody may hold them
  std::vector<std::unique_ptr<DefaultElement>> classes_;
  std::vector<std::unique_ptr<DefaultElement>> old_classes_;
  BodyElement* world_ = nullptr;
  std::vector<SpecElement*> lists_[kNumElementKinds];  // those outside the kinematic tree
  std::shared_ptr<SpecTree> attached_to_;              // keeps moved elements alive
  uint64_t revision_ = 1;
};

// ---- attributes by name --------------------------------------------------------------------------------

enum class FieldType : uint8_t { kReal, kFloat, kInt, kBool, kText, kRealList, kFloatList, kIntList, kByteList };

/// An attribute of an element as MuJoCo's mjSpec names it.
struct ElementField {
  std::string name;
  FieldType type = FieldType::kReal;
  int count = 1;  ///< numbers or texts; 1 = a single value; lists have any number
  void* (*member)(void* record) = nullptr;
  std::vector<int> allowed;  ///< values of an enumeration; empty = any number
  int flags = 0;             ///< bits that may be set; 0 = no matter of bits
};
/// Made from the schema of MJCF, with the names and the few additions that mjSpec has.
std::span<const ElementField> element_fields(ElementKind kind);
std::span<const ElementField> compiler_fields();

}  // namespace pliant

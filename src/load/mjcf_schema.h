#pragma once
// The MJCF schema: one table of elements, attributes and their rules. It drives the reader, the ledger,
// the did-you-mean hints and the reference page (docs/mjcf.md, `pliant schema`).
//
// A row that names a Spec member is read without further code; the other rows are checked (type, count,
// keyword) by the same machinery and fetched by the element's own reader function.

#include <climits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "pliant/spec.h"

namespace pliant {

enum class ValueKind : uint8_t {
  kReal,     // double, double array, or std::vector<double> when max == kMany
  kFloat,    // float likewise
  kInt,      // int likewise
  kBool,     // "true" / "false"
  kKeyword,  // one word of a list, stored as int or enum
  kFlags,    // several words of a list, or-ed
  kText,     // free text
  kName,     // declares the name of this object
  kRef,      // names another object
  kClass,    // names a default class
  kFile,     // a file
};

/// How an attribute or element is treated.
enum class Support : uint8_t {
  kKept,         // changes the Model
  kViewing,      // kept in the Model for viewers; no effect on physics
  kNoEffect,     // checked, but has no effect on the Model: the note says why
  kUnsupported,  // an error (a warning with LoadOptions::allow_unsupported)
};

struct Keyword {
  const char* text;
  int value;
};

inline constexpr int kMany = INT_MAX;

struct AttributeSchema {
  const char* name = nullptr;
  ValueKind kind = ValueKind::kReal;
  int min = 1, max = 1;  ///< number of values; fewer than max leave the rest as inherited
  void* (*member)(void*) = nullptr;
  std::span<const Keyword> keywords = {};
  ObjType ref = ObjType::kUnknown;
  Support support = Support::kKept;
  const char* note = nullptr;
  bool required = false;
  bool no_default = false;  ///< not allowed in <default>

  // fluent modifiers, so that a row reads as one line
  constexpr AttributeSchema must() const {
    auto r = *this;
    r.required = true;
    return r;
  }
  constexpr AttributeSchema outside_defaults() const {
    auto r = *this;
    r.no_default = true;
    return r;
  }
  constexpr AttributeSchema viewing() const {
    auto r = *this;
    r.support = Support::kViewing;
    return r;
  }
  constexpr AttributeSchema no_effect(const char* why) const {
    auto r = *this;
    r.support = Support::kNoEffect;
    r.note = why;
    return r;
  }
  constexpr AttributeSchema unsupported(const char* why) const {
    auto r = *this;
    r.support = Support::kUnsupported;
    r.note = why;
    return r;
  }
  constexpr AttributeSchema values(int lo, int hi) const {
    auto r = *this;
    r.min = lo;
    r.max = hi;
    return r;
  }
};

/// Presence rules over attributes; a group "a+b" counts as present when any, complete when all appear.
enum class RuleKind : uint8_t { kExclusive, kTogether, kOneOf };
struct Rule {
  RuleKind kind;
  std::vector<std::vector<const char*>> groups;
};

enum class Often : uint8_t { kOnce, kAny };

struct ElementSchema {
  const char* tag = nullptr;
  const char* id = nullptr;  ///< unique; differs from tag where one tag means several things
  std::vector<AttributeSchema> attributes;
  struct Child {
    const ElementSchema* element;
    Often often;
  };
  std::vector<Child> children;
  std::vector<Rule> rules;
  Support support = Support::kKept;
  const char* note = nullptr;
  bool in_default = false;  ///< reduced form inside <default>: no name, class or no_default rows

  const AttributeSchema* find(std::string_view name) const;
  const ElementSchema* find_child(std::string_view tag, Often* often = nullptr) const;
};

/// The root, <mujoco>; everything else hangs below it.
const ElementSchema& mjcf_schema();
/// Any element by its unique id ("joint", "equality_joint", "default_joint", …).
const ElementSchema& mjcf_element(std::string_view id);
/// All elements in the order of the reference page.
const std::vector<const ElementSchema*>& mjcf_elements();

// ---- building rows -----------------------------------------------------------------------------------

template <class T, auto kMember>
void* member_of(void* object) {
  return &(static_cast<T*>(object)->*kMember);
}

/// A row bound to a member of Spec struct T; kind and count follow from the member's type.
template <class T, auto kMember>
constexpr AttributeSchema row(const char* name) {
  using M = std::remove_reference_t<decltype(std::declval<T&>().*kMember)>;
  AttributeSchema r;
  r.name = name;
  r.member = &member_of<T, kMember>;
  if constexpr (std::is_same_v<M, double>)
    r.kind = ValueKind::kReal;
  else if constexpr (std::is_same_v<M, float>)
    r.kind = ValueKind::kFloat;
  else if constexpr (std::is_same_v<M, bool>)
    r.kind = ValueKind::kBool;
  else if constexpr (std::is_same_v<M, int>)
    r.kind = ValueKind::kInt;
  else if constexpr (std::is_same_v<M, std::string>)
    r.kind = ValueKind::kText;
  else if constexpr (std::is_same_v<M, std::vector<double>>) {
    r.kind = ValueKind::kReal;
    r.min = 0;
    r.max = kMany;
  } else if constexpr (std::is_same_v<M, std::vector<float>>) {
    r.kind = ValueKind::kFloat;
    r.min = 0;
    r.max = kMany;
  } else if constexpr (std::is_same_v<M, std::vector<int>>) {
    r.kind = ValueKind::kInt;
    r.min = 0;
    r.max = kMany;
  } else {
    r.min = r.max = static_cast<int>(std::tuple_size_v<M>);
    using V = typename M::value_type;
    r.kind = std::is_same_v<V, double>  ? ValueKind::kReal
             : std::is_same_v<V, float> ? ValueKind::kFloat
                                        : ValueKind::kInt;
  }
  return r;
}
/// As row(), but 1..n values are accepted.
template <class T, auto kMember>
constexpr AttributeSchema upto(const char* name) {
  AttributeSchema r = row<T, kMember>(name);
  r.min = 1;
  return r;
}
/// As upto(), of `count` numbers of an array from number `first` on.
template <class T, auto kMember, int first, int count>
constexpr AttributeSchema part(const char* name) {
  AttributeSchema r = upto<T, kMember>(name);
  r.member = [](void* object) -> void* { return (static_cast<T*>(object)->*kMember).data() + first; };
  r.max = count;
  return r;
}
/// A word of a list; the member is an int or an enum with int underneath.
template <class T, auto kMember>
constexpr AttributeSchema word(const char* name, std::span<const Keyword> keywords) {
  AttributeSchema r;
  r.name = name;
  r.kind = ValueKind::kKeyword;
  r.member = &member_of<T, kMember>;
  r.keywords = keywords;
  return r;
}
template <class T, auto kMember>
constexpr AttributeSchema refers(const char* name, ObjType to) {
  AttributeSchema r;
  r.name = name;
  r.kind = ValueKind::kRef;
  r.member = &member_of<T, kMember>;
  r.ref = to;
  return r;
}
template <class T>
constexpr AttributeSchema name_row() {
  AttributeSchema r;
  r.name = "name";
  r.kind = ValueKind::kName;
  r.member = &member_of<T, &T::name>;
  return r;
}
/// Rows without a member: checked, then fetched by the element's reader.
constexpr AttributeSchema unbound(const char* name, ValueKind kind, int lo = 1, int hi = 1) {
  AttributeSchema r;
  r.name = name;
  r.kind = kind;
  r.min = lo;
  r.max = hi;
  return r;
}
constexpr AttributeSchema unbound_word(const char* name, std::span<const Keyword> keywords) {
  AttributeSchema r = unbound(name, ValueKind::kKeyword);
  r.keywords = keywords;
  return r;
}
constexpr AttributeSchema unbound_ref(const char* name, ObjType to) {
  AttributeSchema r = unbound(name, ValueKind::kRef);
  r.ref = to;
  return r;
}
constexpr AttributeSchema class_row() { return unbound("class", ValueKind::kClass); }

// keyword lists shared by several elements
extern const std::span<const Keyword> kWordsBool, kWordsLimited, kWordsJointType, kWordsGeomType, kWordsCamLight,
    kWordsLightType, kWordsInterp, kWordsFrameObject, kWordsEnable, kWordsMimicMode, kWordsRestitutionMode,
    kWordsFrictionLaw;

/// Adds the elements of one family to the table; each is defined in its own file.
using SchemaTable = std::vector<std::unique_ptr<ElementSchema>>;
ElementSchema& add_element(SchemaTable& table, const char* tag, const char* id,
                           std::vector<AttributeSchema> attributes);
void add_body_schema(SchemaTable& table);
void add_actuator_schema(SchemaTable& table);
void add_sensor_schema(SchemaTable& table);

}  // namespace pliant

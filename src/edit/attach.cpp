// Attachment: parts of one model become parts of another.
//
// Elements are moved, not copied, so that who holds one can go on changing it. With the part of the tree come all
// assets and custom data of its model, and of the other elements those whose references the part satisfies (the rule of
// append_attached in spec/tree.cpp). Names get the prefix and suffix; so do default classes, which come along whole
// below the class main of the other model. Keyframes are tied to joints, actuators and mocap bodies.

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_set>

#include "base/text.h"
#include "edit/elements.h"
#include "load/mjcf_attach.h"
#include "load/mjcf_conflict.h"

namespace pliant {
namespace {

using Name = std::pair<ObjType, std::string>;

constexpr ElementKind kAssets[] = {ElementKind::kMesh,     ElementKind::kHfield,  ElementKind::kTexture,
                                   ElementKind::kMaterial, ElementKind::kNumeric, ElementKind::kText};
// in an order in which references point backwards
constexpr ElementKind kReferring[] = {ElementKind::kSkin,   ElementKind::kPair,     ElementKind::kExclude,
                                      ElementKind::kTendon, ElementKind::kEquality, ElementKind::kActuator,
                                      ElementKind::kSensor, ElementKind::kTuple};

constexpr bool may_mix(ElementKind kind) {
  return kind == ElementKind::kPair || kind == ElementKind::kExclude || kind == ElementKind::kTendon ||
         kind == ElementKind::kSensor;
}

template <class F>
void visit_element(SpecElement& element, F&& visit) {
  with_record(element, [&](auto& typed) {
    if constexpr (requires { visit_references(typed.value, visit); }) visit_references(typed.value, visit);
  });
}

/// A body with all below it, or a frame with all inside it.
std::vector<SpecElement*> part_of(SpecElement& root) {
  std::vector<SpecElement*> part = {&root};
  for (size_t i = 0; i < part.size(); ++i) {
    if (part[i]->kind == ElementKind::kBody) {
      for (const auto& list : static_cast<BodyElement*>(part[i])->children)
        part.insert(part.end(), list.begin(), list.end());
    } else if (part[i] == &root && root.kind == ElementKind::kFrame) {
      const auto inside = [&](const SpecElement* element) {
        for (const FrameElement* at = element->frame; at; at = at->frame) {
          if (at == &root) return true;
        }
        return false;
      };
      for (const auto& list : root.body->children) {
        std::copy_if(list.begin(), list.end(), std::back_inserter(part), inside);
      }
    }
  }
  return part;
}

}  // namespace

void SpecTree::move_from(SpecTree& child, const std::vector<SpecElement*>& tree, const std::string& prefix,
                         const std::string& suffix) {
  const auto renamed = [&](const std::string& name) { return name.empty() ? name : prefix + name + suffix; };

  // what comes along
  std::vector<SpecElement*> moved = tree;
  std::set<Name> attached, here = {{ObjType::kBody, "world"}};
  const auto note = [](SpecElement& element, std::set<Name>& names) {
    if (!element.name().empty()) names.emplace(object_type(element.kind), element.name());
  };
  for (SpecElement* element : tree) note(*element, attached);
  for (int kind = 0; kind < kNumElementKinds; ++kind) {
    for (SpecElement* element : elements(static_cast<ElementKind>(kind))) note(*element, here);
  }
  for (const ElementKind kind : kAssets) {
    for (SpecElement* element : child.elements(kind)) {
      if (element->tree != &child) continue;
      moved.push_back(element);
      note(*element, attached);
    }
  }
  for (const ElementKind kind : kReferring) {
    for (SpecElement* element : child.elements(kind)) {
      if (element->tree != &child) continue;
      bool all = true, any = false, found = true;
      visit_element(*element, [&](ObjType type, std::string& name) {
        const bool inside = attached.count({type, name}) > 0;
        all &= inside;
        any |= inside;
        found &= inside || here.count({type, name}) > 0;
      });
      if (!all && !(may_mix(kind) && any && found)) continue;
      moved.push_back(element);
      note(*element, attached);
    }
  }

  // everything that can be wrong is found before anything is changed
  for (SpecElement* element : moved) {
    const std::string name = renamed(element->name());
    if (!name.empty() && here.count({object_type(element->kind), name})) {
      throw std::invalid_argument("attaching would make a repeated name " + quote(name) + " in " +
                                  std::string(kind_name(element->kind)) + "; give another prefix");
    }
  }
  Spec merged = settings;
  merged.compilers[0] = *compiler;
  Spec other = child.settings;
  other.compilers[0] = *child.compiler;
  const MergedSettings result = merge_settings(merged, {}, other, {});
  if (!result.refused.empty()) {
    throw std::invalid_argument("settings of the attached model contradict those of this one: " + result.refused +
                                "; make them equal, or set compiler.conflict to warning");
  }
  for (const ElementKind kind :
       {ElementKind::kJoint, ElementKind::kActuator, ElementKind::kBody, ElementKind::kTendon}) {
    for (SpecElement* element : child.elements(kind)) {
      if (!element->object().tag) element->object().tag = fresh_tag();
    }
  }
  Spec tied = child.to_spec();
  Diagnostics findings;
  for (const std::string& file : tied.files) findings.add_file(file);
  tie_keyframes(tied, findings);
  if (findings.has_errors()) throw std::invalid_argument(to_text(findings.list()));

  // classes
  std::map<const DefaultElement*, DefaultElement*> class_of;
  std::vector<const DefaultElement*> order = {&child.main_class()};
  for (size_t i = 0; i < order.size(); ++i) {
    const DefaultElement& klass = *order[i];
    DefaultElement* known = find_class(renamed(klass.name));
    DefaultElement& parent = klass.parent ? *class_of.at(klass.parent) : main_class();
    class_of[&klass] = known ? known : &adopt_class(klass, parent, renamed(klass.name));
    order.insert(order.end(), klass.children.begin(), klass.children.end());
  }

  // names, also in what stays behind and refers to what goes
  const auto rename_reference = [&](ObjType type, std::string& name) {
    if (attached.count({type, name})) name = renamed(name);
  };
  const std::unordered_set<SpecElement*> going(moved.begin(), moved.end());
  for (const auto& element : child.owned_) {
    with_record(*element, [&](auto& typed) { visit_all_references(typed.value, rename_reference); });
  }
  for (SpecElement* element : moved) {
    element->object().name = renamed(element->object().name);
    with_record(*element, [&](auto& typed) {
      if constexpr (requires { typed.value.childclass; }) typed.value.childclass = renamed(typed.value.childclass);
    });
    const auto klass = class_of.find(element->klass);
    element->klass = klass == class_of.end() ? &main_class() : klass->second;
    element->tree = this;
    if (!is_tree_kind(element->kind)) lists_[static_cast<int>(element->kind)].push_back(element);
  }
  for (auto& element : child.owned_) {
    if (going.count(element.get())) owned_.push_back(std::move(element));
  }
  std::erase(child.owned_, nullptr);
  if (!child.attached_to_) child.attached_to_ = shared_from_this();

  settings.option = merged.option;
  settings.visual = merged.visual;
  settings.size = merged.size;
  for (const KeySpec& original : tied.keys) {
    const std::string name = original.name.empty() ? prefix : renamed(original.name);
    const bool taken = find(ElementKind::kKey, name) != nullptr;
    auto& key = add<KeySpec>();
    key.value = original;
    key.value.source = -1;
    key.value.klass = 0;
    key.value.name = taken ? "" : name;
  }
  ++revision_;
  ++child.revision_;
}

BodyElement& SpecTree::attach(BodyElement& part, FrameElement& to, const std::string& prefix, const std::string& suffix,
                              bool copy) {
  if (to.tree != this) throw std::invalid_argument("the frame to attach to is not in this model");
  if (!part.tree) throw std::invalid_argument("the body to attach was removed from its model");
  if (!part.body) throw std::invalid_argument("the world of a model is attached with the model: attach(model, …)");
  if (part.tree == this || copy) {
    const auto twin = part.tree->copy();
    return attach(static_cast<BodyElement&>(*twin->elements(ElementKind::kBody)[part.tree->id(part)]), to, prefix,
                  suffix);
  }
  SpecTree& child = *part.tree;
  move_from(child, part_of(part), prefix, suffix);
  place(part, *to.body, &to);
  return part;
}

FrameElement& SpecTree::attach(FrameElement& part, BodyElement& to, const std::string& prefix,
                               const std::string& suffix, bool copy) {
  if (to.tree != this) throw std::invalid_argument("the body to attach to is not in this model");
  if (!part.tree) throw std::invalid_argument("the frame to attach was removed from its model");
  if (part.tree == this || copy) {
    const auto twin = part.tree->copy();
    return attach(static_cast<FrameElement&>(*twin->elements(ElementKind::kFrame)[part.tree->id(part)]), to, prefix,
                  suffix);
  }
  SpecTree& child = *part.tree;
  const std::vector<SpecElement*> all = part_of(part);
  const BodyElement* const home = part.body;
  move_from(child, all, prefix, suffix);
  for (SpecElement* element : all) {
    if (element == &part) {
      place(part, to, nullptr);
    } else if (element->body == home) {
      place(*element, to, element->frame);
    }
  }
  return part;
}

FrameElement& SpecTree::attach(SpecTree& child, FrameElement& to, const std::string& prefix, const std::string& suffix,
                               bool copy) {
  if (to.tree != this) throw std::invalid_argument("the frame to attach to is not in this model");
  if (&child == this || copy) return attach(*child.copy(), to, prefix, suffix);
  if (child.attached_whole) throw std::invalid_argument("the model is attached already; attach a copy of it");
  std::vector<SpecElement*> all;
  for (int kind = 0; kind < kNumTreeKinds; ++kind) {
    for (SpecElement* element : child.elements(static_cast<ElementKind>(kind))) {
      if (element != child.world_ && element->tree == &child) all.push_back(element);
    }
  }
  move_from(child, all, prefix, suffix);
  child.attached_whole = true;
  auto& frame = static_cast<FrameElement&>(add(ElementKind::kFrame, *to.body, &to));
  for (SpecElement* element : all) {
    if (element->body == child.world_) place(*element, *to.body, element->frame ? element->frame : &frame);
  }
  return frame;
}

}  // namespace pliant

#pragma once
// Elements by their kind: from an element to its record, and every reference that records hold.

#include <utility>

#include "pliant/edit.h"
#include "spec/references.h"

namespace pliant {

/// Calls f(ElementOf<Record>&) with the element's own type.
template <class F>
decltype(auto) with_record(SpecElement& element, F&& f) {
  switch (element.kind) {
#define ELEMENT(kind, record, list, element_name) \
  case ElementKind::k##kind:                      \
    return f(static_cast<ElementOf<record>&>(element));
#include "pliant/elements.def"
#undef ELEMENT
    case ElementKind::kCount:
      break;
  }
  std::abort();  // there are no others
}

/// visit(ObjType kind, std::string& name) for every name of another element that a record holds, assets included.
template <class Record, class F>
void visit_all_references(Record& record, F&& visit) {
  if constexpr (requires { visit_references(record, visit); }) visit_references(record, visit);
  const auto given = [&](ObjType kind, std::string& name) {
    if (!name.empty()) visit(kind, name);
  };
  if constexpr (requires { record.material; }) given(ObjType::kMaterial, record.material);
  if constexpr (requires { record.mesh; }) given(ObjType::kMesh, record.mesh);
  if constexpr (requires { record.hfield; }) given(ObjType::kHfield, record.hfield);
  if constexpr (requires { record.texture; }) given(ObjType::kTexture, record.texture);
  if constexpr (requires { record.textures; }) {
    for (std::string& texture : record.textures) given(ObjType::kTexture, texture);
  }
}

/// Visits the twelve records of a default class.
template <class F>
void for_records(DefaultElement& klass, F&& f) {
  f(klass.joint), f(klass.geom), f(klass.site), f(klass.camera), f(klass.light), f(klass.mesh);
  f(klass.material), f(klass.texture), f(klass.pair), f(klass.equality), f(klass.tendon), f(klass.actuator);
}

/// The record of a class for elements of this type; null where a class has none.
template <class Record>
ElementOf<Record>* default_record(DefaultElement& klass) {
  ElementOf<Record>* found = nullptr;
  for_records(klass, [&](auto& element) {
    if constexpr (std::is_same_v<std::decay_t<decltype(element)>, ElementOf<Record>>) found = &element;
  });
  return found;
}

/// A number that no other element of any model has.
int fresh_tag();

}  // namespace pliant

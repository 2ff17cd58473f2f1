#pragma once
// What the schema's JSON form and its reference page say in words about rows and elements.

#include <string>
#include <vector>

#include "load/mjcf_schema.h"

namespace pliant {

/// A Spec member as the row's attribute says it; numbers read back exactly. "" for what is undefined (NaN).
std::string stored_text(const AttributeSchema& row, const void* member);
/// The default as one would write it; "" where there is none.
std::string default_text(const ElementSchema& element, const AttributeSchema& row);
const char* kind_text(ValueKind kind);
const char* support_text(Support support);
/// Kind of object a reference names; "" when it varies.
const char* object_text(ObjType type);

/// The form an element has inside <default>; null when it cannot stand there.
const ElementSchema* default_form(const ElementSchema& element);
bool allowed_in_default(const ElementSchema& element, const AttributeSchema& row);
std::vector<const ElementSchema*> parents_of(const ElementSchema& element);

}  // namespace pliant

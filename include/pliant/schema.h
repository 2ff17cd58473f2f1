#pragma once
// The MJCF that Pliant reads, as data and as a reference page: every element and attribute, its type,
// default and support level. Both come from the table that drives the reader.

#include <string>
#include <string_view>

namespace pliant {

/// {"elements": [{"id", "tag", "parents", "children", "support", "note", "rules", "attributes"}]}
std::string schema_json();
/// The reference page, docs/mjcf.md.
std::string schema_markdown();

/// A text as a JSON string, with its quotes. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(std::string_view text);

}  // namespace pliant

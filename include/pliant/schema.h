#pragma once
// The MJCF that Pliant reads, as data and as a reference page: every element and attribute, its
// type, default and support level. Both come from the table that drives the reader.

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// {"elements": [{"id", "tag", "parents", "children", "support", "note", "rules", "attributes"}]}
std::string schema_json();
/// The reference page, docs/mjcf.md; with a tag, the part about elements of that tag ("" if none).
std::string schema_markdown(std::string_view tag = {});
/// Tags of all elements, each once, in the order of that page.
std::vector<std::string> schema_tags();

}  // namespace pliant

// The reference page of MJCF, docs/mjcf.md: one table per element, from the schema.

#include <algorithm>
#include <cctype>

#include "load/schema_text.h"
#include "pliant/schema.h"

namespace pliant {
namespace {

std::string angled(std::string_view tag) { return "`<" + std::string(tag) + ">`"; }

std::string type_cell(const AttributeSchema& row) {
  const bool numeric = row.kind == ValueKind::kReal || row.kind == ValueKind::kFloat || row.kind == ValueKind::kInt;
  if (numeric) {
    const char* one = row.kind == ValueKind::kInt ? "integer" : "real";
    if (row.max == kMany) return std::string(one) + "s";
    if (row.max == 1 && row.min == 1) return one;
    const std::string most = std::to_string(row.max);
    return (row.min == row.max ? most : std::to_string(row.min) + "–" + most) + " " + one + "s";
  }
  switch (row.kind) {
    case ValueKind::kBool:
      return "`true` `false`";
    case ValueKind::kKeyword:
    case ValueKind::kFlags: {
      std::string words = row.kind == ValueKind::kFlags ? "words: " : "";
      for (const Keyword& keyword : row.keywords) words += "`" + std::string(keyword.text) + "` ";
      words.pop_back();
      return words;
    }
    case ValueKind::kRef:
      return *object_text(row.ref) ? "name of a " + std::string(object_text(row.ref)) : "name";
    case ValueKind::kClass:
      return "default class";
    default:
      return kind_text(row.kind);
  }
}

std::string notes_cell(const ElementSchema& element, const AttributeSchema& row) {
  std::vector<std::string> notes;
  if (row.required) notes.push_back("required");
  const bool names = row.kind == ValueKind::kName || row.kind == ValueKind::kClass;
  if (default_form(element) && !allowed_in_default(element, row) && !names) {
    notes.push_back("not in `<default>`");
  }
  if (row.support == Support::kViewing) notes.push_back("for viewing");
  if (row.support == Support::kNoEffect) notes.push_back("no effect: " + std::string(row.note));
  if (row.support == Support::kUnsupported) {
    notes.push_back("**not supported**: " + std::string(row.note));
  }
  std::string text;
  for (const std::string& note : notes) text += (text.empty() ? "" : "; ") + note;
  return text;
}

std::string rule_line(const Rule& rule) {
  const char* lead = rule.kind == RuleKind::kExclusive  ? "At most one of: "
                     : rule.kind == RuleKind::kTogether ? "Given together or not at all: "
                                                        : "One of these is needed: ";
  std::string out = lead;
  for (size_t i = 0; i < rule.groups.size(); ++i) {
    out += i ? "; " : "";
    for (size_t k = 0; k < rule.groups[i].size(); ++k) {
      out += (k ? " with `" : "`") + std::string(rule.groups[i][k]) + "`";
    }
  }
  return out + ".\n";
}

std::vector<std::string> places_of(const ElementSchema& element) {
  std::vector<std::string> places;
  for (const ElementSchema* parent : parents_of(element)) {
    if (!parent->in_default) places.push_back(parent->tag);
  }
  return places;
}

/// `<geom>`, or "`<geom>` in `<spatial>`" where the tag means several things.
std::string title(const ElementSchema& element) {
  const std::vector<std::string> places = places_of(element);
  const bool several = std::count_if(mjcf_elements().begin(), mjcf_elements().end(), [&](const ElementSchema* other) {
                         return !other->in_default && std::string_view(other->tag) == element.tag;
                       }) > 1;
  return angled(element.tag) + (several && !places.empty() ? " in " + angled(places.front()) : "");
}

/// The anchor that renderers make of a heading: letters, digits and dashes.
std::string anchor(const std::string& heading) {
  std::string out;
  for (const char c : heading) {
    if (c == ' ')
      out += '-';
    else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      out += c;
  }
  return out;
}

std::string element_page(const ElementSchema& element) {
  const std::vector<std::string> inside = places_of(element);
  std::string out = "## " + title(element) + "\n\n";
  if (!inside.empty()) {
    out += "Inside";
    for (size_t i = 0; i < inside.size(); ++i) out += (i ? ", " : " ") + angled(inside[i]);
    out += ". ";
  }
  if (!element.children.empty()) {
    out += "Contains";
    bool first = true;
    for (const ElementSchema::Child& child : element.children) {
      out += (first ? " " : ", ") + angled(child.element->tag);
      out += child.often == Often::kOnce ? " (once)" : "";
      first = false;
    }
    out += ".";
  }
  while (out.back() == ' ') out.pop_back();
  out += "\n";
  if (element.support == Support::kUnsupported) {
    return out + "\n**Not supported**: " + element.note + ".\n\n";
  }
  if (!element.attributes.empty()) {
    out += "\n| attribute | type | default | notes |\n|---|---|---|---|\n";
    for (const AttributeSchema& row : element.attributes) {
      const std::string value = default_text(element, row);
      out += "| `" + std::string(row.name) + "` | " + type_cell(row) + " | " +
             (value.empty() ? "" : "`" + value + "`") + " | " + notes_cell(element, row) + " |\n";
    }
  }
  for (const Rule& rule : element.rules) out += "\n" + rule_line(rule);
  return out + "\n";
}

constexpr const char* kPageHead =
    "# MJCF elements and attributes\n\n"
    "Made by `pliant schema --markdown` (`scripts/make-docs` writes it here); do not edit.\n\n"
    "Everything below is read and checked; anything else in a file is an error. Elements and "
    "defaults\n"
    "are those of MuJoCo 4.0.1.\n\n"
    "- Fewer numbers than the largest count leave the rest at their default.\n"
    "- A default stands only where there is one: no entry means *not given*. A default class may\n"
    "  change it, unless the notes say *not in* `<default>`.\n"
    "- *for viewing*: kept in the model, without effect on the physics.\n"
    "- *no effect*: checked, but nothing in Pliant depends on it.\n"
    "- *not supported*: an error, or a warning with `--allow-unsupported`.\n"
    "- Inside `<default>`, actuators, geoms, joints and so on take the attributes of their own "
    "section.\n";

// in the order of a document, each element once
void collect(const ElementSchema& element, std::vector<const ElementSchema*>& all) {
  if (element.in_default || std::find(all.begin(), all.end(), &element) != all.end()) return;
  all.push_back(&element);
  for (const ElementSchema::Child& child : element.children) collect(*child.element, all);
}

}  // namespace

std::string schema_markdown(std::string_view tag) {
  std::vector<const ElementSchema*> all;
  collect(mjcf_schema(), all);
  if (!tag.empty()) {
    std::string some;
    for (const ElementSchema* element : all) {
      if (tag == element->tag) some += element_page(*element);
    }
    return some;
  }
  std::string out = kPageHead;
  // a line of links per section
  const ElementSchema* root = all.front();
  for (const ElementSchema* element : all) {
    if (element == root) continue;
    const bool section = root->find_child(element->tag) == element;
    const std::string heading = title(*element);
    out += (section ? "\n- " : " ") + ("[" + heading + "](#" + anchor(heading) + ")");
  }
  out += "\n\n";
  for (const ElementSchema* element : all) out += element_page(*element);
  out.pop_back();  // one empty line too many at the end
  return out;
}

std::vector<std::string> schema_tags() {
  std::vector<const ElementSchema*> all;
  collect(mjcf_schema(), all);
  std::vector<std::string> tags;
  for (const ElementSchema* element : all) {
    if (std::find(tags.begin(), tags.end(), element->tag) == tags.end()) tags.emplace_back(element->tag);
  }
  return tags;
}

}  // namespace pliant

// URDF files are full of extensions: simulators, controllers and sensors of others. The format says to leave them
// alone, so they are no errors; but nothing is left out silently either. One warning per kind keeps a file with a
// thousand <gazebo> elements readable; the ledger has every attribute and text of them.

#include "load/urdf_screen.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/text.h"
#include "load/urdf_schema.h"

namespace pliant {
namespace {

std::string tagged(std::string_view tag) { return "<" + std::string(tag) + ">"; }

class Screen {
 public:
  Screen(Ledger& ledger, Diagnostics& diagnostics) : ledger_(ledger), diagnostics_(diagnostics) {}

  void clean(Element& element, const ElementSchema& schema) {
    std::erase_if(element.attributes, [&](const Attribute& attribute) { return !knows(element, schema, attribute); });
    take_text(element, schema);
    std::erase_if(element.children, [&](Element& child) {
      const ElementSchema* known = schema.find_child(child.tag);
      if (!known) {
        note_extension(child, element, schema);
        return true;
      }
      if (std::string_view(known->id) != "mujoco_block") clean(child, *known);
      return false;
    });
  }

  void report() {
    for (const auto& [kind, found] : found_) {
      std::string message = found.what;
      if (found.count > 1) message += " (" + std::to_string(found.count) + " times)";
      diagnostics_.warning(found.code, found.at, found.element, std::move(message), found.hint);
    }
  }

 private:
  struct Found {
    int count = 0;
    Code code = Code::kExtension;
    Origin at;
    std::string element, what, hint;
  };

  bool knows(const Element& element, const ElementSchema& schema, const Attribute& attribute) {
    if (attribute.name != kTextAttribute && schema.find(attribute.name)) return true;
    const bool is_namespace = attribute.name == "xmlns" || attribute.name.starts_with("xmlns:");
    ledger_.add(Fate::kIgnored, attribute.value_at, element.tag, attribute.name, attribute.value,
                is_namespace ? "names of other formats" : "no part of URDF");
    if (is_namespace) return false;
    Found& found = found_["@" + std::string(element.tag) + "/" + std::string(attribute.name)];
    if (found.count++ == 0) {
      std::vector<std::string_view> names;
      for (const AttributeSchema& row : schema.attributes) names.push_back(row.name);
      found.code = Code::kIgnoredAttribute;
      found.at = attribute.name_at;
      found.element = element.tag;
      found.what = tagged(element.tag) + " has no attribute " + quote(attribute.name) + " in URDF; it is ignored";
      found.hint = did_you_mean(attribute.name, names);
    }
    return false;
  }

  /// Text becomes an attribute where the schema knows what to do with it.
  void take_text(Element& element, const ElementSchema& schema) {
    if (is_blank(element.text)) return;
    if (schema.find(kTextAttribute)) {
      element.attributes.push_back({kTextAttribute, element.text, element.text_at, element.text_at});
      return;
    }
    ledger_.add(Fate::kIgnored, element.text_at, element.tag, kTextAttribute, element.text, "no part of URDF");
    diagnostics_.warning(Code::kStrayText, element.text_at, element.tag,
                         "text inside " + tagged(element.tag) + " is ignored: " + quote(element.text, 40));
  }

  void note_extension(const Element& child, const Element& parent, const ElementSchema& schema) {
    add_all(child);
    Found& found = found_[std::string(parent.tag) + "/" + std::string(child.tag)];
    if (found.count++ > 0) return;
    found.at = child.at;
    found.element = child.tag;
    found.what = tagged(child.tag) + " in " + tagged(parent.tag) + " is no part of URDF; it is left out";
    if (child.tag.starts_with("xacro:")) {
      found.hint = "the file is a template: run xacro first, and load what it writes";
    } else {
      std::vector<std::string_view> tags;
      for (const auto& known : schema.children) tags.push_back(known.element->tag);
      found.hint = did_you_mean(child.tag, tags);
    }
  }

  void add_all(const Element& element) {
    for (const Attribute& attribute : element.attributes) {
      ledger_.add(Fate::kIgnored, attribute.value_at, element.tag, attribute.name, attribute.value, "no part of URDF");
    }
    const bool has_text = !is_blank(element.text);
    if (has_text || (element.attributes.empty() && element.children.empty())) {
      ledger_.add(Fate::kIgnored, has_text ? element.text_at : element.at, element.tag, kTextAttribute,
                  has_text ? element.text : std::string_view(), "no part of URDF");
    }
    for (const Element& child : element.children) add_all(child);
  }

  Ledger& ledger_;
  Diagnostics& diagnostics_;
  std::map<std::string, Found> found_;  // by kind: parent/child, or @element/attribute
};

}  // namespace

void screen_urdf(Element& robot, Ledger& ledger, Diagnostics& diagnostics) {
  Screen screen(ledger, diagnostics);
  screen.clean(robot, urdf_schema());
  screen.report();
}

}  // namespace pliant

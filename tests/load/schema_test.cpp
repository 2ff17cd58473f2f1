// The schema table is sound: unique ids and rows, everything reachable, every keyword list usable;
// and its JSON form says the same.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "load/mjcf_schema.h"
#include "load/schema_text.h"
#include "pliant/json.h"
#include "pliant/schema.h"

namespace pliant {
namespace {

void reach(const ElementSchema& element, std::set<const ElementSchema*>& seen) {
  if (!seen.insert(&element).second) return;
  for (const ElementSchema::Child& child : element.children) reach(*child.element, seen);
}

TEST(Schema, IdsAreUnique) {
  std::set<std::string> ids;
  for (const ElementSchema* element : mjcf_elements()) {
    EXPECT_TRUE(ids.insert(element->id).second) << element->id;
    EXPECT_EQ(&mjcf_element(element->id), element);
  }
  EXPECT_GT(ids.size(), 140u);
}

TEST(Schema, EveryElementIsReachable) {
  std::set<const ElementSchema*> seen;
  reach(mjcf_schema(), seen);
  for (const ElementSchema* element : mjcf_elements()) {
    EXPECT_TRUE(seen.count(element)) << element->id << " stands nowhere";
  }
  EXPECT_EQ(seen.size(), mjcf_elements().size());
}

TEST(Schema, RowsAreUniqueAndSound) {
  for (const ElementSchema* element : mjcf_elements()) {
    std::set<std::string> names;
    for (const AttributeSchema& row : element->attributes) {
      const std::string what = std::string(element->id) + "." + row.name;
      EXPECT_TRUE(names.insert(row.name).second) << what << " twice";
      EXPECT_LE(row.min, row.max) << what;
      EXPECT_EQ(element->find(row.name), &row) << what;
      const bool words = row.kind == ValueKind::kKeyword || row.kind == ValueKind::kFlags;
      EXPECT_EQ(words, !row.keywords.empty()) << what;
      const bool explained = row.support == Support::kKept || row.support == Support::kViewing;
      EXPECT_TRUE(explained || row.note) << what << " needs a reason";
      EXPECT_FALSE(element->in_default && row.required) << what;
    }
    EXPECT_TRUE(element->support != Support::kUnsupported || element->note) << element->id;
  }
}

TEST(Schema, ChildTagsAreUniqueInAParent) {
  for (const ElementSchema* element : mjcf_elements()) {
    std::set<std::string> tags;
    for (const ElementSchema::Child& child : element->children) {
      EXPECT_TRUE(tags.insert(child.element->tag).second)
          << element->id << " has two children <" << child.element->tag << ">";
    }
  }
}

TEST(Schema, RulesNameRows) {
  for (const ElementSchema* element : mjcf_elements()) {
    for (const Rule& rule : element->rules) {
      for (const auto& group : rule.groups) {
        for (const char* name : group) EXPECT_TRUE(element->find(name)) << element->id << "." << name;
      }
    }
  }
}

TEST(Schema, DefaultFormsHaveNoNameAndNothingNew) {
  for (const ElementSchema* element : mjcf_elements()) {
    if (!element->in_default) continue;
    EXPECT_EQ(std::string(element->id).rfind("default_", 0), 0u) << element->id;
    for (const AttributeSchema& row : element->attributes) {
      EXPECT_NE(row.kind, ValueKind::kName) << element->id;
      EXPECT_NE(row.kind, ValueKind::kClass) << element->id;
    }
  }
}

std::string default_of(const char* element, const char* attribute) {
  const ElementSchema& schema = mjcf_element(element);
  return default_text(schema, *schema.find(attribute));
}

TEST(Schema, DefaultsAreReadFromTheSpec) {
  EXPECT_EQ(default_of("option", "timestep"), "0.002");
  EXPECT_EQ(default_of("option", "gravity"), "0 0 -9.81");
  EXPECT_EQ(default_of("option", "integrator"), "Euler");
  EXPECT_EQ(default_of("geom", "solimp"), "0.9 0.95 0.001 0.5 2");
  EXPECT_EQ(default_of("default_geom", "type"), "sphere");
  EXPECT_EQ(default_of("geom", "mass"), "");  // from the density
  EXPECT_EQ(default_of("geom", "fromto"), "");
  EXPECT_EQ(default_of("joint", "limited"), "auto");
  EXPECT_EQ(default_of("flag", "gravity"), "enable");
  EXPECT_EQ(default_of("flag", "energy"), "disable");
  EXPECT_EQ(default_of("muscle", "lmax"), "1.6");
  EXPECT_EQ(default_of("spatial", "actuatorfrclimited"), "auto");
  EXPECT_EQ(default_of("inertial", "mass"), "");  // required
}

TEST(Schema, JsonNamesEveryElement) {
  const std::string json = schema_json();
  for (const ElementSchema* element : mjcf_elements()) {
    EXPECT_NE(json.find("\"id\": \"" + std::string(element->id) + "\""), std::string::npos);
  }
  const std::string page = schema_markdown();
  EXPECT_NE(page.find("## `<geom>` in `<body>`"), std::string::npos);
  EXPECT_TRUE(schema_markdown("nonsense").empty());
}

TEST(JsonText, EscapesWhatItMust) {
  EXPECT_EQ(json_text("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(json_text("\n\x01"), "\"\\u000a\\u0001\"");
  EXPECT_EQ(json_text("ä…"), "\"ä…\"");
  EXPECT_EQ(json_text("\xFFx\xC3"), "\"\\ufffdx\\ufffd\"");
}

}  // namespace
}  // namespace pliant

// The schema as JSON, and what the reference page (schema_page.cpp) needs to know about its rows.
//
// Defaults are not written down here: they are read from a default-constructed Spec object through
// the accessor the reader uses. Only rows without a Spec member, which an element's own reader
// turns into something else, have their default in kUnboundDefaults.

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>

#include "base/text.h"
#include "load/schema_text.h"
#include "pliant/json.h"
#include "pliant/schema.h"

namespace pliant {
namespace {

// ---- defaults
// ------------------------------------------------------------------------------------------

struct UnboundDefault {
  const char* element;  // id; "" = every element that has the row
  const char* attribute;
  const char* text;
};
constexpr UnboundDefault kUnboundDefaults[] = {
    {"", "quat", "1 0 0 0"},
    {"mujoco", "model", "MuJoCo Model"},
    {"compiler", "coordinate", "local"},
    {"compiler", "angle", "degree"},
    {"flag", "override", "disable"},
    {"flag", "energy", "disable"},
    {"flag", "fwdinv", "disable"},
    {"flag", "invdiscrete", "disable"},
    {"flag", "sleep", "disable"},
    {"flag", "diagexact", "disable"},
    {"flag", "ipc", "disable"},
    {"flag", "speculative", "disable"},
    {"flag", "speculative_exact", "disable"},
    {"flag", "diagstack", "disable"},
    {"size", "memory", "-1"},
    {"geom", "fluidshape", "none"},
    {"light", "type", "spot"},
    {"light", "directional", "false"},
    {"body", "simple", "auto"},
    {"replicate", "offset", "0 0 0"},
    {"replicate", "euler", "0 0 0"},
    {"connect", "anchor", "0 0 0"},
    {"weld", "anchor", "0 0 0"},
    {"weld", "relpose", "0 1 0 0 0 0 0"},
    {"weld", "torquescale", "1"},
    {"position", "kp", "1"},
    {"position", "kv", "0"},
    {"position", "timeconst", "0"},
    {"velocity", "kv", "1"},
    {"intvelocity", "kp", "1"},
    {"intvelocity", "kv", "0"},
    {"orientation", "kp", "1"},
    {"orientation", "kv", "0"},
    {"orientation", "input", "expmap"},
    {"pid", "kp", "0"},
    {"pid", "kv", "0"},
    {"pid", "ki", "0"},
    {"pid", "imax", "0"},
    {"pid", "slewmax", "0"},
    {"pid", "input", "pos vel"},
    {"damper", "kv", "0"},
    {"cylinder", "timeconst", "1"},
    {"cylinder", "area", "1"},
    {"cylinder", "bias", "0 0 0"},
    {"muscle", "timeconst", "0.01 0.04"},
    {"muscle", "tausmooth", "0"},
    {"muscle", "range", "0.75 1.05"},
    {"muscle", "force", "-1"},
    {"muscle", "scale", "200"},
    {"muscle", "lmin", "0.5"},
    {"muscle", "lmax", "1.6"},
    {"muscle", "vmax", "1.5"},
    {"muscle", "fpmax", "1.3"},
    {"muscle", "fvmax", "1.2"},
    {"adhesion", "gain", "1"},
    {"rangefinder", "data", "dist"},
    {"sensor_contact", "num", "1"},
    {"sensor_contact", "data", "found"},
    {"sensor_contact", "reduce", "none"},
};

using Maker = std::function<std::shared_ptr<void>()>;
template <class T>
Maker made() {
  return [] { return std::make_shared<T>(); };
}

/// What a row's accessor is applied to, by element id.
const std::map<std::string_view, Maker>& default_objects() {
  static const std::map<std::string_view, Maker> kObjects = [] {
    std::map<std::string_view, Maker> objects = {
        {"lengthrange", made<LengthRangeSpec>()},
        {"compiler", made<CompilerSpec>()},
        {"option", made<Options>()},
        {"size", made<SizeSpec>()},
        {"statistic", made<Statistic>()},
        {"global", made<decltype(Visual::global)>()},
        {"quality", made<decltype(Visual::quality)>()},
        {"headlight", made<decltype(Visual::headlight)>()},
        {"map", made<decltype(Visual::map)>()},
        {"scale", made<decltype(Visual::scale)>()},
        {"rgba", made<decltype(Visual::rgba)>()},
        {"mesh", made<MeshSpec>()},
        {"hfield", made<HfieldSpec>()},
        {"bone", made<SkinBoneSpec>()},
        {"skin", made<SkinSpec>()},
        {"texture", made<TextureSpec>()},
        {"material", made<MaterialSpec>()},
        {"joint", made<JointSpec>()},
        {"freejoint", made<JointSpec>()},
        {"geom", made<GeomSpec>()},
        {"site", made<SiteSpec>()},
        {"camera", made<CameraSpec>()},
        {"light", made<LightSpec>()},
        {"inertial", made<BodySpec>()},
        {"body", made<BodySpec>()},
        {"frame", made<FrameSpec>()},
        {"pair", made<PairSpec>()},
        {"exclude", made<ExcludeSpec>()},
        {"numeric", made<NumericSpec>()},
        {"text", made<TextSpec>()},
        {"tuple_element", made<TupleElementSpec>()},
        {"tuple", made<TupleSpec>()},
        {"key", made<KeySpec>()},
    };
    const Maker equality = [] {
      const auto fresh = std::make_shared<EqualitySpec>();
      fresh->data = kFreshEqData;
      return fresh;
    };
    for (const EqualityKind& kind : kEqualityKinds) objects[kind.element] = equality;
    objects["equality"] = equality;
    for (const char* id : {"tendon_site", "tendon_geom", "tendon_joint", "pulley"}) {
      objects[id] = made<WrapSpec>();
    }
    for (const char* id : {"spatial", "fixed", "tendon"}) objects[id] = made<TendonSpec>();
    for (const ElementSchema::Child& child : mjcf_element("actuator").children) {
      objects[child.element->id] = made<ActuatorSpec>();
    }
    for (const ElementSchema::Child& child : mjcf_element("sensor").children) {
      objects[child.element->id] = made<SensorSpec>();
    }
    return objects;
  }();
  return kObjects;
}

constexpr std::string_view kDefaultPrefix = "default_";

/// "geom" for "default_geom".
std::string_view plain_id(const ElementSchema& element) {
  std::string_view id = element.id;
  if (element.in_default && id.substr(0, kDefaultPrefix.size()) == kDefaultPrefix) {
    id.remove_prefix(kDefaultPrefix.size());
  }
  return id;
}

template <class Number>
std::string numbers_text(const Number* first, int n) {
  if (n > 0 && std::isnan(static_cast<double>(first[0]))) return {};
  std::string text;
  for (int i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<Number, int>)
      text += (i ? " " : "") + std::to_string(first[i]);
    else
      text += (i ? " " : "") + number_text(first[i]);
  }
  return text;
}

template <class Number>
std::string stored_numbers(const AttributeSchema& row, const void* member) {
  if (row.max == kMany) {
    const auto& all = *static_cast<const std::vector<Number>*>(member);
    return numbers_text(all.data(), static_cast<int>(all.size()));
  }
  return numbers_text(static_cast<const Number*>(member), row.max);
}

std::string stored_words(const AttributeSchema& row, const void* member) {
  int value = 0;
  std::memcpy(&value, member, sizeof value);
  std::string text;
  for (const Keyword& keyword : row.keywords) {
    // several words may mean the same: the first is written
    if (row.kind != ValueKind::kFlags && value == keyword.value) return std::string(keyword.text);
    if (row.kind == ValueKind::kFlags && (value & keyword.value) != 0) {
      text += (text.empty() ? "" : " ") + std::string(keyword.text);
    }
  }
  return text;
}

}  // namespace

std::string stored_text(const AttributeSchema& row, const void* member) {
  switch (row.kind) {
    case ValueKind::kReal:
      return stored_numbers<double>(row, member);
    case ValueKind::kFloat:
      return stored_numbers<float>(row, member);
    case ValueKind::kInt:
      return stored_numbers<int>(row, member);
    case ValueKind::kBool:
      return *static_cast<const bool*>(member) ? "true" : "false";
    case ValueKind::kKeyword:
    case ValueKind::kFlags:
      return stored_words(row, member);
    default:
      return *static_cast<const std::string*>(member);
  }
}

std::string default_text(const ElementSchema& element, const AttributeSchema& row) {
  const std::string_view id = plain_id(element);
  if (row.required) return {};
  const auto found = default_objects().find(id);
  if (row.member && found != default_objects().end()) {
    const std::shared_ptr<void> object = found->second();
    return stored_text(row, row.member(object.get()));
  }
  if (id == "flag" && row.kind == ValueKind::kKeyword) {
    for (const UnboundDefault& d : kUnboundDefaults) {
      if (id == d.element && std::strcmp(row.name, d.attribute) == 0) return d.text;
    }
    return "enable";
  }
  for (const UnboundDefault& d : kUnboundDefaults) {
    if (std::strcmp(row.name, d.attribute) == 0 && (!*d.element || id == d.element)) return d.text;
  }
  return {};
}

// ---- words
// ---------------------------------------------------------------------------------------------

const char* kind_text(ValueKind kind) {
  switch (kind) {
    case ValueKind::kReal:
      return "real";
    case ValueKind::kFloat:
      return "float";
    case ValueKind::kInt:
      return "int";
    case ValueKind::kBool:
      return "bool";
    case ValueKind::kKeyword:
      return "keyword";
    case ValueKind::kFlags:
      return "flags";
    case ValueKind::kText:
      return "text";
    case ValueKind::kName:
      return "name";
    case ValueKind::kRef:
      return "reference";
    case ValueKind::kClass:
      return "class";
    case ValueKind::kFile:
      return "file";
  }
  return "";
}

const char* support_text(Support support) {
  switch (support) {
    case Support::kKept:
      return "kept";
    case Support::kViewing:
      return "viewing";
    case Support::kNoEffect:
      return "no_effect";
    case Support::kUnsupported:
      return "unsupported";
  }
  return "";
}

const char* object_text(ObjType type) {
  switch (type) {
    case ObjType::kBody:
      return "body";
    case ObjType::kJoint:
      return "joint";
    case ObjType::kGeom:
      return "geom";
    case ObjType::kSite:
      return "site";
    case ObjType::kCamera:
      return "camera";
    case ObjType::kMesh:
      return "mesh";
    case ObjType::kHfield:
      return "hfield";
    case ObjType::kTexture:
      return "texture";
    case ObjType::kMaterial:
      return "material";
    case ObjType::kTendon:
      return "tendon";
    case ObjType::kActuator:
      return "actuator";
    default:
      return "";
  }
}

const ElementSchema* default_form(const ElementSchema& element) {
  if (element.in_default) return &element;
  const std::string_view id = element.id;
  std::string_view family = id;
  if (id == "spatial" || id == "fixed") family = "tendon";
  for (const EqualityKind& kind : kEqualityKinds) {
    if (id == kind.element) family = "equality";
  }
  const std::string wanted = std::string(kDefaultPrefix) + std::string(family);
  for (const ElementSchema* candidate : mjcf_elements()) {
    if (wanted == candidate->id && candidate->in_default) {
      // <tendon> and <equality> themselves are sections, not objects
      return family == id && element.attributes.empty() ? nullptr : candidate;
    }
  }
  return nullptr;
}

bool allowed_in_default(const ElementSchema& element, const AttributeSchema& row) {
  const ElementSchema* form = default_form(element);
  return form && form->find(row.name);
}

std::vector<const ElementSchema*> parents_of(const ElementSchema& element) {
  std::vector<const ElementSchema*> parents;
  for (const ElementSchema* candidate : mjcf_elements()) {
    for (const ElementSchema::Child& child : candidate->children) {
      if (child.element == &element) parents.push_back(candidate);
    }
  }
  return parents;
}

namespace {

// ---- JSON
// ----------------------------------------------------------------------------------------------

const char* rule_text(RuleKind kind) {
  switch (kind) {
    case RuleKind::kExclusive:
      return "exclusive";
    case RuleKind::kTogether:
      return "together";
    case RuleKind::kOneOf:
      return "one_of";
  }
  return "";
}

const char* json_bool(bool value) { return value ? "true" : "false"; }

std::string attribute_json(const ElementSchema& element, const AttributeSchema& row) {
  std::string out = "{\"name\": " + json_text(row.name) + ", \"kind\": " + json_text(kind_text(row.kind));
  out += ", \"min\": " + std::to_string(row.min);
  out += ", \"max\": " + (row.max == kMany ? std::string("null") : std::to_string(row.max));
  out += ", \"keywords\": [";
  for (size_t i = 0; i < row.keywords.size(); ++i) {
    out += (i ? ", " : "") + json_text(row.keywords[i].text);
  }
  out += "], \"ref\": " + json_text(object_text(row.ref));
  out += std::string(", \"required\": ") + json_bool(row.required);
  out += std::string(", \"in_default\": ") + json_bool(allowed_in_default(element, row));
  out += ", \"support\": " + json_text(support_text(row.support));
  out += ", \"note\": " + json_text(row.note ? row.note : "");
  return out + ", \"default\": " + json_text(default_text(element, row)) + "}";
}

std::string rules_json(const ElementSchema& element) {
  std::string out;
  for (const Rule& rule : element.rules) {
    out += (out.empty() ? "" : ", ") + ("{\"kind\": " + json_text(rule_text(rule.kind)));
    out += ", \"groups\": [";
    for (size_t i = 0; i < rule.groups.size(); ++i) {
      out += i ? ", [" : "[";
      for (size_t k = 0; k < rule.groups[i].size(); ++k) {
        out += (k ? ", " : "") + json_text(rule.groups[i][k]);
      }
      out += "]";
    }
    out += "]}";
  }
  return out;
}

std::string element_json(const ElementSchema& element) {
  std::string out = "  {\"id\": " + json_text(element.id) + ", \"tag\": " + json_text(element.tag);
  out += ", \"parents\": [";
  bool first = true;
  for (const ElementSchema* parent : parents_of(element)) {
    out += (first ? "" : ", ") + json_text(parent->id);
    first = false;
  }
  out += "], \"children\": [";
  first = true;
  for (const ElementSchema::Child& child : element.children) {
    out += (first ? "" : ", ") + ("{\"id\": " + json_text(child.element->id));
    out += std::string(", \"once\": ") + json_bool(child.often == Often::kOnce) + "}";
    first = false;
  }
  out += "], \"support\": " + json_text(support_text(element.support));
  out += ", \"note\": " + json_text(element.note ? element.note : "");
  out += std::string(", \"in_default\": ") + json_bool(element.in_default);
  out += ", \"rules\": [" + rules_json(element) + "], \"attributes\": [";
  for (size_t i = 0; i < element.attributes.size(); ++i) {
    out += (i ? ",\n    " : "\n    ") + attribute_json(element, element.attributes[i]);
  }
  return out + "]}";
}

}  // namespace

std::string schema_json() {
  std::string out = "{\"elements\": [\n";
  bool first = true;
  for (const ElementSchema* element : mjcf_elements()) {
    out += (first ? "" : ",\n") + element_json(*element);
    first = false;
  }
  return out + "\n]}\n";
}

}  // namespace pliant

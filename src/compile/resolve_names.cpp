// Names: tables per kind, repeated names, references with did-you-mean; findings about objects.

#include <algorithm>

#include "base/text.h"
#include "compile/compile.h"

namespace pliant {
namespace {

template <class T>
void index_kind(Work& work, ObjType kind, const std::vector<T>& list) {
  auto& table = work.names[static_cast<int>(kind)];
  table.clear();
  for (size_t i = 0; i < list.size(); ++i) {
    const T& object = list[i];
    if (object.name.empty()) continue;
    const auto [entry, is_new] = table.emplace(object.name, static_cast<int>(i));
    if (is_new) continue;
    const Origin first = work.spec.origin(list[entry->second].source, "name");
    work.error(Code::kRepeatedName, object, "name",
               "has a name that is taken" +
                   (first.line > 0 ? ": it was given in line " + std::to_string(first.line) : std::string()));
  }
}

const char* kind_name(ObjType kind) {
  static constexpr const char* kNames[kNumObjTypes] = {
      "object", "body",     "body",   "joint",   "dof",     "geom",     "site",     "camera",  "light",
      "flex",   "mesh",     "skin",   "hfield",  "texture", "material", "pair",     "exclude", "equality",
      "tendon", "actuator", "sensor", "numeric", "text",    "tuple",    "keyframe", "plugin"};
  const int k = static_cast<int>(kind);
  return k >= 0 && k < kNumObjTypes ? kNames[k] : "object";
}

}  // namespace

void index_names(Work& work) {
  const Spec& s = work.spec;
  index_kind(work, ObjType::kBody, s.bodies);
  index_kind(work, ObjType::kJoint, s.joints);
  index_kind(work, ObjType::kGeom, s.geoms);
  index_kind(work, ObjType::kSite, s.sites);
  index_kind(work, ObjType::kCamera, s.cameras);
  index_kind(work, ObjType::kLight, s.lights);
  index_kind(work, ObjType::kMesh, s.meshes);
  index_kind(work, ObjType::kSkin, s.skins);
  index_kind(work, ObjType::kHfield, s.hfields);
  index_kind(work, ObjType::kTexture, s.textures);
  index_kind(work, ObjType::kMaterial, s.materials);
  index_kind(work, ObjType::kPair, s.pairs);
  index_kind(work, ObjType::kExclude, s.excludes);
  index_kind(work, ObjType::kEquality, s.equalities);
  index_kind(work, ObjType::kTendon, s.tendons);
  index_kind(work, ObjType::kActuator, s.actuators);
  index_kind(work, ObjType::kSensor, s.sensors);
  index_kind(work, ObjType::kNumeric, s.numerics);
  index_kind(work, ObjType::kText, s.texts);
  index_kind(work, ObjType::kTuple, s.tuples);
  index_kind(work, ObjType::kKey, s.keys);
  // frames have names too, though no ids
  std::unordered_map<std::string, int> frames;
  for (const FrameSpec& frame : s.frames) {
    if (!frame.name.empty() && !frames.emplace(frame.name, 0).second) {
      work.error(Code::kRepeatedName, frame, "name", "has a name that is taken");
    }
  }
}

int Work::find(ObjType type, std::string_view name) const {
  if (type == ObjType::kXbody) type = ObjType::kBody;
  const int kind = static_cast<int>(type);
  if (kind < 0 || kind >= kNumObjTypes) return -1;
  const auto found = names[kind].find(std::string(name));
  return found == names[kind].end() ? -1 : found->second;
}

int Work::resolve(ObjType type, const std::string& name, int source, std::string_view attribute) {
  const int id = find(type, name);
  if (id >= 0) return id;
  // a required reference that is missing altogether was reported by the reader
  if (name.empty() && source >= 0 && !spec.has_attribute(source, attribute)) return -1;
  if (type == ObjType::kXbody) type = ObjType::kBody;
  // a file with this many unknown names has one cause, and comparing all with all takes long
  constexpr int kMaxHints = 50;
  std::vector<std::string_view> known;
  if (++unknown_names <= kMaxHints) {
    for (const auto& entry : names[static_cast<int>(type)]) known.push_back(entry.first);
  }
  // an unordered table must not decide between equally close names
  std::sort(known.begin(), known.end());
  error_at(Code::kUnknownReference, source, attribute,
           "<" + std::string(spec.tag(source)) + "> refers to the " + kind_name(type) + " " + quote(name) +
               ", which does not exist",
           did_you_mean(name, known));
  return -1;
}

std::string describe(const Spec& spec, const SpecObject& object) {
  std::string_view tag = spec.tag(object.source);
  std::string text = "<" + std::string(tag.empty() ? "object" : tag);
  if (!object.name.empty()) text += " name='" + object.name + "'";
  return text + ">";
}

void Work::error(Code code, const SpecObject& object, std::string_view attribute, std::string message,
                 std::string hint) {
  diagnostics.error(code, spec.origin(object.source, attribute), spec.tag(object.source),
                    describe(spec, object) + " " + message, std::move(hint));
}

void Work::warning(Code code, const SpecObject& object, std::string_view attribute, std::string message,
                   std::string hint) {
  diagnostics.warning(code, spec.origin(object.source, attribute), spec.tag(object.source),
                      describe(spec, object) + " " + message, std::move(hint));
}

void Work::error_at(Code code, int source, std::string_view attribute, std::string message, std::string hint) {
  diagnostics.error(code, spec.origin(source, attribute), spec.tag(source), std::move(message), std::move(hint));
}

void check_autolimits(Work& work, const SpecObject& object, Limited limited, const std::array<double, 2>& range,
                      const char* range_attribute, const char* limited_attribute) {
  if (work.compiler(object).autolimits || limited != Limited::kAuto) return;
  if (range[0] == 0 && range[1] == 0) return;
  work.error(Code::kMissingAttribute, object, range_attribute,
             "has '" + std::string(range_attribute) + "' but not '" + limited_attribute + "', and autolimits is off",
             "add " + std::string(limited_attribute) + "=\"true\" or remove autolimits=\"false\"");
}

}  // namespace pliant

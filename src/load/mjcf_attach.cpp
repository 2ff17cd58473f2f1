// Attached models: <asset><model file/></asset> reads another MJCF file into a Spec of its own, and
// <attach> copies a body, a frame or the whole of it to a place in this model's tree. Names get the
// prefix; the child's compiler settings stay with its objects; its options do not come along.

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "load/archive.h"
#include "load/asset_path.h"
#include "load/mjcf_attach.h"
#include "load/mjcf_reader.h"
#include "spec/references.h"
#include "spec/tree.h"

namespace pliant {
namespace {

// models within models within models …
constexpr size_t kMaxModelDepth = 20;

template <class T>
void shift_tags(std::vector<T>& list, int offset) {
  for (T& object : list) {
    if (object.tag) object.tag += offset;
  }
}

size_t member_bytes(const AttributeSchema& row) {
  switch (row.kind) {
    case ValueKind::kReal:
      return sizeof(double) * row.max;
    case ValueKind::kFloat:
      return sizeof(float) * row.max;
    case ValueKind::kBool:
      return sizeof(bool);
    case ValueKind::kInt:
      return sizeof(int) * row.max;
    case ValueKind::kKeyword:
      return sizeof(int);
    default:
      return 0;
  }
}

/// Settings that the child changes from their default, but that are different (or default) in the parent.
template <class T>
void list_conflicts(const char* element, T child, T parent, std::string& out) {
  T defaults{};
  for (const AttributeSchema& row : mjcf_element(element).attributes) {
    const size_t n = row.member ? member_bytes(row) : 0;
    if (n == 0) continue;
    const void* own = row.member(&child);
    if (std::memcmp(own, row.member(&defaults), n) == 0) continue;
    if (std::memcmp(own, row.member(&parent), n) == 0) continue;
    out += (out.empty() ? "" : ", ") + std::string(element) + "/" + row.name;
  }
}

std::string conflicts(const Spec& child, const Spec& parent) {
  std::string list;
  list_conflicts("option", child.option, parent.option, list);
  if (child.option.disableflags & ~parent.option.disableflags ||
      child.option.enableflags & ~parent.option.enableflags) {
    list += (list.empty() ? "" : ", ") + std::string("option/flag");
  }
  list_conflicts("global", child.visual.global, parent.visual.global, list);
  list_conflicts("quality", child.visual.quality, parent.visual.quality, list);
  list_conflicts("headlight", child.visual.headlight, parent.visual.headlight, list);
  list_conflicts("map", child.visual.map, parent.visual.map, list);
  list_conflicts("scale", child.visual.scale, parent.visual.scale, list);
  list_conflicts("rgba", child.visual.rgba, parent.visual.rgba, list);
  return list;
}

}  // namespace

void MjcfReader::read_model_asset(const Element& element) {
  std::string file;
  if (!text(element, "file", file)) return;
  ChildModel child;
  std::string given_name;
  text(element, "name", given_name);
  const Attribute& attribute = *element.find("file");
  // relative to the file that says so, which may be an included one
  const auto& files = diagnostics.files();
  const bool from_file = element.at.file >= 0 && element.at.file < static_cast<int>(files.size());
  const std::string directory = from_file ? directory_of(files[element.at.file]) : directory_;
  std::string path = file;
  if (!find_asset(options, file) && !file.empty() && file[0] != '/') path = directory + file;
  if (std::find(models_above_.begin(), models_above_.end(), path) != models_above_.end() ||
      models_above_.size() >= kMaxModelDepth) {
    error_at(Code::kIncludeCircular, attribute, element, "model file " + quote(file, 200) + " contains itself");
    unread_models_.insert(given_name);
    return;
  }
  Document document;
  const int errors = diagnostics.errors();
  std::optional<LoadOptions> unpacked;  // only an archive adds files to those in memory
  if (is_archive(path)) unpacked = options;
  const LoadOptions& own = unpacked ? *unpacked : options;
  std::string inside = path;
  if ((unpacked && !open_archive(inside, *unpacked, diagnostics)) ||
      !read_document(inside, {}, own, diagnostics, document)) {
    error_at(Code::kBadAsset, attribute, element, "model file " + quote(file, 200) + " cannot be read");
    unread_models_.insert(given_name);
    return;
  }
  child.spec = std::make_unique<Spec>();
  std::vector<std::string> above = models_above_;
  above.push_back(path);
  MjcfReader reader(*child.spec, ledger, diagnostics, own, std::move(above));
  reader.read(document);
  if (unpacked) add_assets(spec, own.assets);
  if (child.spec->assets) add_assets(spec, *child.spec->assets);
  child.name = child.spec->model_name;
  text(element, "name", child.name);
  child.given = std::move(reader.given_);
  if (diagnostics.errors() == errors) tie_keyframes(*child.spec, diagnostics);
  child_models_.push_back(std::move(child));
}

void MjcfReader::read_attach(const Element& element, const ElementSchema& schema, const Place& place) {
  read_attributes(element, schema, nullptr);
  std::string model, body, frame, prefix;
  text(element, "prefix", prefix);
  const bool has_body = text(element, "body", body);
  const bool has_frame = text(element, "frame", frame);
  if (!text(element, "model", model)) return self_attach(element, place, body, frame, prefix);
  ChildModel* child = nullptr;
  std::vector<std::string_view> names;
  for (ChildModel& candidate : child_models_) {
    names.push_back(candidate.name);
    if (candidate.name == model && !child) child = &candidate;  // of several, the first
  }
  if (!child && unread_models_.count(model)) return;  // reported at the asset
  if (!child) {
    error_at(Code::kUnknownReference, *element.find("model"), element,
             "there is no <model> asset named " + quote(model), did_you_mean(model, names));
    return;
  }
  const Spec& source = *child->spec;
  const auto find = [&](const auto& list, const std::string& name, const char* attribute) {
    std::vector<std::string_view> known;
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i].name == name) return static_cast<int>(i);
      known.push_back(list[i].name);
    }
    error_at(Code::kUnknownReference, *element.find(attribute), element,
             "model " + quote(model) + " has no " + attribute + " named " + quote(name), did_you_mean(name, known));
    return -1;
  };
  int body_index = 0, frame_index = -1;
  if (has_body && (body_index = find(source.bodies, body, "body")) < 0) return;
  if (has_frame && (frame_index = find(source.frames, frame, "frame")) < 0) return;
  merge_settings(source, child->given, element);
  if (child->source_offset < 0) {
    child->source_offset = static_cast<int>(spec.sources.size());
    child->compiler_offset = static_cast<int>(spec.compilers.size());
    const int first_attribute = static_cast<int>(spec.source_attributes.size());
    for (SourceElement copy : source.sources) {
      copy.first_attribute += first_attribute;
      spec.sources.push_back(std::move(copy));
    }
    spec.source_attributes.insert(spec.source_attributes.end(), source.source_attributes.begin(),
                                  source.source_attributes.end());
    spec.compilers.insert(spec.compilers.end(), source.compilers.begin(), source.compilers.end());
  }
  attach_fragment(extract_tree(source, body_index, frame_index), source, element, place, prefix);
}

void MjcfReader::warn_left_out(const std::vector<std::string>& left_out, const Element& element, const char* reason) {
  constexpr size_t kMostNamed = 8;
  if (left_out.empty()) return;
  std::string list;
  for (size_t i = 0; i < std::min(left_out.size(), kMostNamed); ++i) {
    list += (i ? ", " : "") + left_out[i];
  }
  warning(Code::kDropped, element,
          std::to_string(left_out.size()) + reason + list + (left_out.size() > kMostNamed ? ", …" : ""));
}

void MjcfReader::attach_fragment(Spec fragment, const Spec& child, const Element& element, const Place& place,
                                 const std::string& prefix) {
  if (!may_copy(1 + tree_size(fragment) + list_size(child), element)) return;
  const ChildModel& model = *std::find_if(child_models_.begin(), child_models_.end(),
                                          [&](const ChildModel& m) { return m.spec.get() == &child; });
  const Renaming renaming{prefix, ""};
  // assets of the child come along under the prefix
  for (GeomSpec& geom : fragment.geoms) {
    geom.material = renaming(geom.material);
    geom.mesh = renaming(geom.mesh);
    geom.hfield = renaming(geom.hfield);
  }
  for (SiteSpec& site : fragment.sites) {
    site.material = renaming(site.material);
    site.mesh = renaming(site.mesh);
  }
  for (LightSpec& light : fragment.lights) light.texture = renaming(light.texture);

  // identities must stay unique when the same model is attached twice
  const int tag_offset = spec.next_tag;
  spec.next_tag += child.next_tag;
  shift_tags(fragment.joints, tag_offset);
  shift_tags(fragment.bodies, tag_offset);

  FrameSpec frame;
  frame.source = source_of(element);
  frame.body = place.body;
  frame.parent = place.frame;
  const int frame_index = static_cast<int>(tree_->frames.size());
  tree_->frames.push_back(std::move(frame));
  append_tree(*tree_, place.body, frame_index, fragment, renaming, model.source_offset, model.compiler_offset, true);
  const size_t first_key = spec.keys.size(), first_actuator = spec.actuators.size(), first_tendon = spec.tendons.size();
  const std::vector<std::string> left_out = append_attached(spec, child, fragment, renaming, model.source_offset,
                                                            model.compiler_offset, tree_ == &spec ? nullptr : tree_);
  append_keys(spec, child, renaming, model.source_offset, model.compiler_offset);
  for (size_t i = first_actuator; i < spec.actuators.size(); ++i) {
    if (spec.actuators[i].tag) spec.actuators[i].tag += tag_offset;
  }
  for (size_t i = first_tendon; i < spec.tendons.size(); ++i) {
    if (spec.tendons[i].tag) spec.tendons[i].tag += tag_offset;
  }
  for (size_t i = first_key; i < spec.keys.size(); ++i) {
    for (KeyState& state : spec.keys[i].states) state.tag += tag_offset;
  }
  if (const std::string list = conflicts(child, spec); !list.empty()) {
    warning(Code::kDropped, element, "settings of the attached model differ from this one's and are not used: " + list);
  }
  warn_left_out(left_out, element,
                " elements of the attached model refer to objects that are not attached and are left "
                "out: ");
}

}  // namespace pliant

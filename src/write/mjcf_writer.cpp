// Sections of an MJCF document, in the order people expect; and the machinery that turns schema rows into text.

#include "write/mjcf_writer.h"

#include <algorithm>

#include "base/text.h"
#include "load/mjcf_tables.h"
#include "load/schema_text.h"

namespace pliant {
namespace {

bool contains(MjcfWriter::Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_numeric(const AttributeSchema& row) {
  return row.kind == ValueKind::kReal || row.kind == ValueKind::kFloat || row.kind == ValueKind::kInt;
}

std::string member_text(const AttributeSchema& row, const void* object) {
  // the accessor is made for reading into the object; here it only finds the member
  return stored_text(row, row.member(const_cast<void*>(object)));
}

/// Values at the end that are as in a fresh record need not be written where fewer are accepted.
std::string without_fresh_end(const AttributeSchema& row, std::string text, const std::string& fresh) {
  // (one springlength means two equal ones)
  if (!is_numeric(row) || row.max == kMany || row.min == row.max || row.name == std::string_view("springlength")) {
    return text;
  }
  const auto words = split_words(text), others = split_words(fresh);
  size_t n = words.size();
  if (others.size() != n) return text;
  const size_t least = std::max(row.min, 1);
  while (n > least && words[n - 1] == others[n - 1]) --n;
  if (n < words.size()) text.resize(words[n - 1].data() + words[n - 1].size() - text.data());
  return text;
}

/// An empty line between sections, which are what stands two spaces deep.
std::string with_empty_lines(const std::string& text) {
  std::string out;
  bool before = false;  // whether a section has ended
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line(text.data() + at, end - at);
    const bool section = line.size() > 3 && line.starts_with("  <") && line[3] != '/';
    if (section && before) out += '\n';
    before |= section;
    out += line;
    at = end;
  }
  return out;
}

}  // namespace

// ---- rows -----------------------------------------------------------------------------------------------

void MjcfWriter::not_writable(int source, std::string_view attribute, const char* why) {
  diagnostics.error(Code::kNotWritable, spec.origin(source, attribute), spec.tag(source),
                    "'" + std::string(attribute) + "' " + why);
}

void MjcfWriter::loss(const SpecObject& object, std::string_view attribute, std::string message) {
  std::string tag(spec.tag(object.source));
  if (tag.empty()) tag = "object";
  diagnostics.warning(Code::kWriteLoss, spec.origin(object.source, attribute), tag,
                      "<" + tag + (object.name.empty() ? "" : " name='" + object.name + "'") + "> " + message);
}

void MjcfWriter::bound_members(const ElementSchema& schema, const void* object, const void* fresh, int source,
                               Names without) {
  for (const AttributeSchema& row : schema.attributes) {
    if (!row.member || contains(without, row.name)) continue;
    const std::string stored = member_text(row, object), usual = member_text(row, fresh);
    if (stored == usual && !row.required) continue;
    if (!is_numeric(row)) {
      text(row.name, stored, source);
    } else if (stored.find('n') != std::string::npos) {  // "nan" and "inf", which no reader takes
      not_writable(source, row.name, "is not finite and cannot be written");
    } else if (!stored.empty()) {
      xml.numbers(row.name, whole_rows_ ? stored : without_fresh_end(row, stored, usual));
    }
  }
}

bool MjcfWriter::members_differ(const ElementSchema& schema, const void* object, const void* fresh, Names without) {
  return std::any_of(schema.attributes.begin(), schema.attributes.end(), [&](const AttributeSchema& row) {
    return row.member && !contains(without, row.name) && member_text(row, object) != member_text(row, fresh);
  });
}

void MjcfWriter::word(const ElementSchema& schema, std::string_view attribute, int value) {
  for (const Keyword& keyword : schema.find(attribute)->keywords) {
    if (keyword.value == value) return xml.attribute(attribute, keyword.text);
  }
}

void MjcfWriter::numbers(std::string_view attribute, std::span<const double> values, int source) {
  std::string list;
  for (const double value : values) list += (list.empty() ? "" : " ") + number_text(value);
  if (list.find('n') != std::string::npos)
    return not_writable(source, attribute, "is not finite and cannot be written");
  xml.numbers(attribute, list);
}

void MjcfWriter::text(std::string_view attribute, const std::string& value, int source) {
  if (value.find('\0') != std::string::npos) {
    return not_writable(source, attribute, "contains a zero byte and cannot be written");
  }
  xml.attribute(attribute, value);
}

void MjcfWriter::orientation(const Orientation& orientation, int source, const Orientation& fresh) {
  const bool quat = orientation.kind == OrientationKind::kQuat;
  if (orientation.kind == fresh.kind && (quat ? orientation.quat == fresh.quat : orientation.value == fresh.value))
    return;
  for (const OrientationForm& form : kOrientationForms) {
    if (form.kind != orientation.kind) continue;
    const double* values = form.kind == OrientationKind::kQuat ? orientation.quat.data() : orientation.value.data();
    numbers(form.name, {values, static_cast<size_t>(form.count)}, source);
  }
}

std::string MjcfWriter::class_with(const char* purpose, const std::string& content) {
  const auto [entry, is_new] = classes_.try_emplace(content);
  if (is_new) {
    entry->second = purpose + std::to_string(classes_.size());
    class_texts_.push_back("    <default class=\"" + entry->second + "\">\n" + content + "    </default>\n");
  }
  return entry->second;
}

template <class T>
void MjcfWriter::write_list(const char* section, const char* element, const std::vector<T>& list) {
  if (list.empty()) return;
  const ElementSchema& schema = mjcf_element(element);
  xml.open(section);
  for (const T& object : list) {
    xml.open(schema.tag);
    bound(schema, object, fresh_of(object));
    write_class_of(object);
    xml.close();
  }
  xml.close();
}

// ---- sections -------------------------------------------------------------------------------------------

std::string MjcfWriter::write() {
  write_settings();
  whole_rows_ = reference_form_;
  write_classes();
  whole_rows_ = false;
  const std::string head = xml.text();
  xml = XmlText(1);
  write_assets();
  write_tree();
  write_skins();
  write_contact();
  write_tendons();
  write_equalities();
  write_actuators();
  write_sensors();
  write_custom();
  write_keys();
  const std::string rest = xml.text();

  // classes are known once everything that may need one is written
  xml = XmlText();
  xml.open("mujoco");
  text("model", spec.model_name, -1);
  xml.insert(head);
  if (!class_texts_.empty()) {
    xml.insert("  <default>\n");
    for (const std::string& content : class_texts_) xml.insert(content);
    xml.insert("  </default>\n");
  }
  xml.insert(rest);
  xml.close();
  return reference_form_ ? with_empty_lines(xml.text()) : xml.text();
}

void MjcfWriter::write_settings() {
  const CompilerSpec& compiler = spec.compilers[0];
  const ElementSchema& schema = mjcf_element("compiler");
  xml.open("compiler");
  xml.attribute("angle", compiler.degree ? "degree" : "radian");
  bound(schema, compiler);
  const ElementSchema& lengthrange = mjcf_element("lengthrange");
  if (differs(lengthrange, compiler.lengthrange)) {
    xml.open("lengthrange");
    bound(lengthrange, compiler.lengthrange);
    xml.close();
  }
  xml.close();
  write_option();
  write_size();
  if (const ElementSchema& statistic = mjcf_element("statistic"); differs(statistic, spec.statistic)) {
    xml.open("statistic");
    bound(statistic, spec.statistic);
    xml.close();
  }
  write_visual();
}

void MjcfWriter::write_option() {
  const Options& option = spec.option;
  const ElementSchema& schema = mjcf_element("option");
  const bool flags = option.disableflags != 0 || option.enableflags != 0;
  if (!differs(schema, option) && !flags && option.disableactuator == 0) return;
  xml.open("option");
  bound(schema, option);
  std::string groups;
  for (int group = 0; group < 31; ++group) {
    if (option.disableactuator & (1 << group)) groups += (groups.empty() ? "" : " ") + std::to_string(group);
  }
  if (!groups.empty()) xml.attribute("actuatorgroupdisable", groups);
  if (flags) {
    xml.open("flag");
    for (const FlagBit& flag : kFlagBits) {
      if (!((flag.disables ? option.disableflags : option.enableflags) & flag.bit)) continue;
      xml.attribute(flag.name, flag.disables ? "disable" : "enable");
    }
    xml.close();
  }
  xml.close();
}

void MjcfWriter::write_size() {
  const ElementSchema& schema = mjcf_element("size");
  if (differs(schema, spec.size)) {
    xml.open("size");
    bound(schema, spec.size);
    xml.close();
  }
  // an element of its own: memory cannot stand beside njmax
  if (spec.size.memory < 0) return;
  xml.open("size");
  xml.attribute("memory", std::to_string(spec.size.memory));
  xml.close();
}

void MjcfWriter::write_visual() {
  XmlText outer = std::move(xml);
  xml = XmlText(2);
  const auto group = [&](const char* tag, const auto& values) {
    const ElementSchema& schema = mjcf_element(tag);
    if (!differs(schema, values)) return;
    xml.open(tag);
    bound(schema, values);
    xml.close();
  };
  group("global", spec.visual.global);
  group("quality", spec.visual.quality);
  group("headlight", spec.visual.headlight);
  group("map", spec.visual.map);
  group("scale", spec.visual.scale);
  group("rgba", spec.visual.rgba);
  const std::string content = xml.text();
  xml = std::move(outer);
  if (content.empty()) return;
  xml.open("visual");
  xml.insert(content);
  xml.close();
}

void MjcfWriter::write_assets() {
  if (spec.textures.empty() && spec.materials.empty() && spec.meshes.empty() && spec.hfields.empty()) return;
  xml.open("asset");
  for (const TextureSpec& texture : spec.textures) write_texture(texture);
  for (const MaterialSpec& material : spec.materials) write_material(material);
  for (const MeshSpec& mesh : spec.meshes) {
    if (mesh.stretch != MeshSpec{}.stretch) {
      loss(mesh, "", "is stretched askew by the frames around it, which the text cannot say; it is written without");
    }
    xml.open("mesh");
    bound(mjcf_element("mesh"), mesh, fresh_of(mesh));
    write_class_of(mesh);
    xml.close();
  }
  for (const HfieldSpec& hfield : spec.hfields) {
    xml.open("hfield");
    bound(mjcf_element("hfield"), hfield);
    xml.close();
  }
  xml.close();
}

void MjcfWriter::write_texture(const TextureSpec& texture) {
  xml.open("texture");
  bound(mjcf_element("texture"), texture, fresh_of(texture));
  write_class_of(texture);
  for (int side = 0; side < 6; ++side) {
    if (!texture.cubefiles[side].empty()) text(kTextureSides[side], texture.cubefiles[side], texture.source);
  }
  xml.close();
}

void MjcfWriter::write_material(const MaterialSpec& material) {
  xml.open("material");
  bound(mjcf_element("material"), material, fresh_of(material));
  write_class_of(material);
  if (material.textures == fresh_of(material).textures) {
    xml.close();
    return;
  }
  bool layers = false;
  for (int role = 0; role < kNumTexRole; ++role) layers |= role != kRoleRgb && !material.textures[role].empty();
  if (!layers) {
    if (!material.textures[kRoleRgb].empty()) text("texture", material.textures[kRoleRgb], material.source);
  } else {
    for (int role = 0; role < kNumTexRole; ++role) {
      if (material.textures[role].empty()) continue;
      xml.open("layer");
      word(mjcf_element("layer"), "role", role);
      text("texture", material.textures[role], material.source);
      xml.close();
    }
  }
  xml.close();
}

void MjcfWriter::write_skins() {
  if (spec.skins.empty()) return;
  xml.open("deformable");
  for (const SkinSpec& skin : spec.skins) {
    xml.open("skin");
    bound(mjcf_element("skin"), skin);
    for (const SkinBoneSpec& bone : skin.bones) {
      xml.open("bone");
      bound(mjcf_element("bone"), bone);
      xml.close();
    }
    xml.close();
  }
  xml.close();
}

void MjcfWriter::write_contact() {
  write_list("contact", "pair", spec.pairs);
  write_list("contact", "exclude", spec.excludes);
}

void MjcfWriter::write_custom() {
  write_list("custom", "numeric", spec.numerics);
  write_list("custom", "text", spec.texts);
  if (spec.tuples.empty()) return;
  xml.open("custom");
  for (const TupleSpec& tuple : spec.tuples) {
    xml.open("tuple");
    bound(mjcf_element("tuple"), tuple);
    for (const TupleElementSpec& element : tuple.elements) {
      xml.open("element");
      for (const ObjectWord& kind : kTupleTypes) {
        if (kind.type == element.objtype) xml.attribute("objtype", kind.word);
      }
      bound(mjcf_element("tuple_element"), element);
      xml.close();
    }
    xml.close();
  }
  xml.close();
}

void MjcfWriter::write_keys() { write_list("keyframe", "key", spec.keys); }

}  // namespace pliant

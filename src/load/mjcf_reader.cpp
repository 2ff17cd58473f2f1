// Sections of an MJCF document. The order of sections in the file does not matter: they are read in the
// order below, repeated sections one after the other.

#include "load/mjcf_reader.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "base/text.h"
#include "load/asset_path.h"
#include "load/mjcf_tables.h"
#include "spec/asset_location.h"

namespace pliant {
namespace {

// defaults must be known before they are used, and the tree comes last: replication copies what the other
// sections say about its content
constexpr const char* kSectionOrder[] = {"compiler",  "option",   "size",   "visual",   "statistic",  "default",
                                         "extension", "custom",   "asset",  "contact",  "deformable", "equality",
                                         "tendon",    "actuator", "sensor", "keyframe", "worldbody"};

// Values of flags that ask for something the engine does not do, and what happens instead.
struct FlagWithoutEffect {
  const char* name;
  const char* value;
  const char* message;
};
constexpr FlagWithoutEffect kFlagsWithoutEffect[] = {
    {"sleep", "enable", "is on, but has no effect yet: every body is simulated at every step"}};

/// "100M" → bytes; -1 when malformed.
int64_t parse_memory(std::string_view text) {
  size_t at = 0;
  const std::string_view word = next_word(text, at);
  if (word.empty() || !next_word(text, at).empty()) return -1;
  std::string digits(word);
  int shift = 0;
  const size_t suffix = std::string_view("kmgtpe").find(static_cast<char>(std::tolower(word.back())));
  if (suffix != std::string_view::npos) {
    shift = 10 * (static_cast<int>(suffix) + 1);
    digits.pop_back();
  }
  if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos) {
    return -1;
  }
  const int64_t base = std::stoll(digits);
  return base > (INT64_MAX >> shift) ? -1 : base << shift;
}

// Files that elements of included files name are looked for in the folders of the model first, and where there is none
// beside the included file, without meshdir and texturedir, as the reference does.
void find_beside_included_files(Spec& spec, const std::vector<std::string>& files, const std::string& main_folder,
                                const LoadOptions& options) {
  namespace fs = std::filesystem;
  const CompilerSpec own = spec.compilers[0];
  if (own.strippath) return;
  const auto exists = [&](const std::string& path) {
    std::error_code ignored;
    return find_asset(options, path) || fs::is_regular_file(path, ignored);
  };
  std::map<std::string, int> settings;  // index into Spec::compilers by folder of the included file
  const auto settings_for = [&](const std::string& folder) {
    const auto [entry, is_new] = settings.try_emplace(folder, static_cast<int>(spec.compilers.size()));
    if (is_new) {
      spec.compilers.push_back(own);
      spec.compilers.back().model_dir = folder;
      spec.compilers.back().meshdir.clear();
      spec.compilers.back().texturedir.clear();
    }
    return entry->second;
  };
  const auto look = [&](SpecObject& asset, const std::string& directory, std::span<const std::string> names) {
    if (asset.compiler != 0 || asset.source < 0) return;  // attached models were read by themselves
    const int file = spec.sources[asset.source].at.file;
    if (file < 0) return;
    const std::string folder = directory_of(files[file]);
    if (folder == main_folder) return;
    for (const std::string& name : names) {
      if (name.empty() || fs::path(name).is_absolute()) continue;
      if (exists(asset_path(own, directory, name))) return;
      if (!exists(fs::path(folder + name).lexically_normal().string())) continue;
      asset.compiler = settings_for(folder);
      return;
    }
  };
  for (MeshSpec& mesh : spec.meshes) look(mesh, own.meshdir, {&mesh.file, 1});
  for (HfieldSpec& hfield : spec.hfields) look(hfield, own.meshdir, {&hfield.file, 1});
  for (SkinSpec& skin : spec.skins) look(skin, own.meshdir, {&skin.file, 1});
  for (TextureSpec& texture : spec.textures) {
    look(texture, own.texturedir, {&texture.file, 1});
    look(texture, own.texturedir, texture.cubefiles);
  }
}

}  // namespace

void MjcfReader::read(const Document& document) {
  directory_ = document.directory;
  spec.compilers[0].model_dir = document.directory;
  const Element& root = document.root;
  if (root.tag != "mujoco") {
    std::string hint, lower(root.tag);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (root.tag == "robot")
      hint = "a URDF file stands alone: it cannot be part of another model";
    else if (root.tag == "mujocoinclude")
      hint = "this file is made to be included by another";
    else if (lower == "robot" || lower == "mujoco")
      hint = "names of elements are lower case: <" + lower + ">";
    else
      hint = "an MJCF file starts with <mujoco>, a URDF file with <robot>";
    error(Code::kWrongRoot, root, "the root element is <" + std::string(root.tag) + ">, not <mujoco>", std::move(hint));
    return;
  }
  const ElementSchema& schema = mjcf_schema();
  read_attributes(root, schema, nullptr);
  text(root, "model", spec.model_name);
  std::vector<std::pair<const Element*, const ElementSchema*>> sections;
  for_children(root, schema, [&](const Element& child, const ElementSchema& child_schema) {
    sections.emplace_back(&child, &child_schema);
  });
  for (const char* id : kSectionOrder) {
    for (const auto& [element, section] : sections) {
      if (std::string_view(section->id) == id) read_section(*element, *section);
    }
  }
  find_beside_included_files(spec, diagnostics.files(), document.directory, options);
}

void MjcfReader::read_settings(const Element& block) {
  read_attributes(block, mjcf_schema(), nullptr);
  for_children(block, mjcf_schema(), [&](const Element& child, const ElementSchema& schema) {
    const std::string_view id = schema.id;
    if (id == "compiler" || id == "option" || id == "size") return read_section(child, schema);
    error(Code::kMisplacedElement, child,
          "<" + std::string(child.tag) + "> cannot stand in the <mujoco> block of a URDF",
          "it takes <compiler>, <option> and <size>");
  });
}

void MjcfReader::for_children(const Element& element, const ElementSchema& schema, const ChildVisitor& visit) {
  std::vector<const ElementSchema*> once;
  for (const Element& child : element.children) {
    Often often = Often::kAny;
    const ElementSchema* found = schema.find_child(child.tag, &often);
    if (!found) {
      std::vector<std::string_view> tags;
      for (const auto& c : schema.children) tags.push_back(c.element->tag);
      std::string hint = did_you_mean(child.tag, tags);
      const bool elsewhere = std::any_of(mjcf_elements().begin(), mjcf_elements().end(),
                                         [&](const ElementSchema* e) { return child.tag == e->tag; });
      if (hint.empty() && tags.empty()) hint = "<" + std::string(element.tag) + "> has no elements inside";
      error(elsewhere ? Code::kMisplacedElement : Code::kUnknownElement, child,
            elsewhere ? "<" + std::string(child.tag) + "> cannot stand inside <" + std::string(element.tag) + ">"
                      : "there is no element <" + std::string(child.tag) + "> in <" + std::string(element.tag) + ">",
            std::move(hint));
      continue;
    }
    if (often == Often::kOnce) {
      if (std::find(once.begin(), once.end(), found) != once.end()) {
        error(Code::kRepeatedElement, child,
              "<" + std::string(child.tag) + "> may appear once in <" + std::string(element.tag) + ">");
        continue;
      }
      once.push_back(found);
    }
    if (found->support == Support::kUnsupported) {
      std::string message = "<" + std::string(child.tag) + "> is not supported: " + found->note;
      if (options.allow_unsupported) {
        warning(Code::kUnsupportedElement, child, message + "; it is left out");
      } else {
        error(Code::kUnsupportedElement, child, std::move(message));
      }
      // its attributes end in the ledger all the same
      for (const Attribute& attribute : child.attributes) {
        ledger.add(Fate::kUnsupported, attribute.value_at, child.tag, attribute.name, attribute.value, found->note);
      }
      continue;
    }
    visit(child, *found);
  }
}

void MjcfReader::read_section(const Element& element, const ElementSchema& schema) {
  const std::string_view id = schema.id;
  if (id == "default") return read_default(element, -1);
  if (id == "compiler") return read_compiler(element, schema);
  if (id == "option") return read_option(element, schema);
  if (id == "size") return read_size(element, schema);
  if (id == "statistic") {
    if (const Attribute* given = element.find("meaninertia")) {
      diagnostics.warning(Code::kDeprecated, given->name_at, element.tag,
                          "attribute 'meaninertia' of <statistic> is deprecated: solvers no longer use it");
    }
    return read_attributes(element, schema, &spec.statistic);
  }
  read_attributes(element, schema, nullptr);
  if (id == "visual") return read_visual(element, schema);
  if (id == "worldbody") return read_tree(element, schema, Place{});
  for_children(element, schema, [&](const Element& child, const ElementSchema& child_schema) {
    const int klass = class_of(child, 0);
    const DefaultClass& defaults = spec.classes[klass];
    if (id == "asset") {
      read_asset(child, child_schema);
    } else if (id == "deformable") {
      read_skin(child, child_schema);
    } else if (id == "custom") {
      read_custom(child, child_schema);
    } else if (id == "contact" && child.tag == "pair") {
      read_attributes(child, child_schema, &add(spec.pairs, child, defaults.pair));
    } else if (id == "contact") {
      read_attributes(child, child_schema, &add(spec.excludes, child, ExcludeSpec{}));
    } else if (id == "equality") {
      read_equality(child, child_schema);
    } else if (id == "tendon") {
      read_tendon(child, child_schema);
    } else if (id == "actuator") {
      read_actuator(child, child_schema, klass, add(spec.actuators, child, defaults.actuator));
    } else if (id == "sensor") {
      read_sensor(child, child_schema, add(spec.sensors, child, SensorSpec{}));
    } else if (id == "keyframe") {
      read_attributes(child, child_schema, &add(spec.keys, child, KeySpec{}));
    }
  });
}

void MjcfReader::read_compiler(const Element& element, const ElementSchema& schema) {
  CompilerSpec& compiler = spec.compilers[0];
  compiler.source = source_of(element);
  std::string directory;
  if (text(element, "assetdir", directory)) compiler.meshdir = compiler.texturedir = directory;
  const std::string sequence = compiler.eulerseq;
  read_attributes(element, schema, &compiler);
  int value = 0;
  if (word(element, schema, "angle", value)) compiler.degree = value == 1;
  if (word(element, schema, "coordinate", value) && value == 1) {
    error_at(Code::kUnsupportedValue, *element.find("coordinate"), element, "global coordinates are not supported",
             "write positions and orientations relative to the parent body");
  }
  if (const Attribute* given = element.find("settotalmass")) {
    diagnostics.warning(Code::kDeprecated, given->name_at, element.tag,
                        "attribute 'settotalmass' of <compiler> is deprecated",
                        "scale masses and densities in the model, or the mass of the compiled model");
  }
  if (const Attribute* given = element.find("eulerseq")) {
    const std::string_view letters = given->value;
    if (letters.size() != 3 || letters.find_first_not_of("xyzXYZ") != std::string_view::npos) {
      error_at(Code::kBadText, *given, element, "eulerseq needs three letters of 'xyzXYZ', not " + quote(letters));
      compiler.eulerseq = sequence;
    }
  }
  for_children(element, schema, [&](const Element& child, const ElementSchema& child_schema) {
    read_attributes(child, child_schema, &compiler.lengthrange);
  });
}

void MjcfReader::read_option(const Element& element, const ElementSchema& schema) {
  spec.option_source = source_of(element);
  for (const Attribute& attribute : element.attributes) given_.names.emplace(attribute.name);
  read_attributes(element, schema, &spec.option);
  double groups[31];
  const int n = reals(element, "actuatorgroupdisable", groups);
  for (int i = 0; i < n; ++i) {
    if (groups[i] < 0 || groups[i] > 30) {
      error_at(Code::kBadRange, *element.find("actuatorgroupdisable"), element,
               "actuator groups go from 0 to 30, not " + number_text(groups[i]));
      continue;
    }
    spec.option.disableactuator |= 1 << static_cast<int>(groups[i]);
  }
  for_children(element, schema, [&](const Element& child, const ElementSchema& child_schema) {
    read_attributes(child, child_schema, nullptr);
    for (const FlagBit& flag : kFlagBits) {
      int enable = 0;
      if (!word(child, child_schema, flag.name, enable)) continue;
      (flag.disables ? given_.disableflags : given_.enableflags) |= flag.bit;
      int& bits = flag.disables ? spec.option.disableflags : spec.option.enableflags;
      const bool set = flag.disables ? enable == 0 : enable == 1;
      bits = set ? bits | flag.bit : bits & ~flag.bit;
    }
    if (const Attribute* ipc = child.find("ipc"); ipc && ipc->value == "enable") {
      error_at(Code::kUnsupportedValue, *ipc, child,
               "<flag> ipc is on, but is not supported: it is about contacts of deformable bodies");
    }
    for (const FlagWithoutEffect& flag : kFlagsWithoutEffect) {
      const Attribute* given = child.find(flag.name);
      if (!given || given->value != flag.value) continue;
      diagnostics.warning(Code::kIgnoredAttribute, given->value_at, child.tag,
                          "<flag> " + std::string(flag.name) + " " + flag.message);
    }
  });
}

void MjcfReader::read_size(const Element& element, const ElementSchema& schema) {
  read_attributes(element, schema, &spec.size);
  if (const Attribute* memory = element.find("memory"); memory && memory->value != "-1") {
    const int64_t bytes = parse_memory(memory->value);
    if (bytes < 0) {
      error_at(Code::kBadNumber, *memory, element,
               "attribute 'memory' of <size> needs a number of bytes, not " + quote(memory->value),
               "a suffix K, M, G, T, P or E is allowed, as in '100M'");
    } else {
      spec.size.memory = bytes;
    }
  }
  for (const AttributeSchema& row : schema.attributes) {
    int value = 0;
    if (row.kind == ValueKind::kInt && integer(element, row.name, value) && value < -1) {
      error_at(Code::kBadRange, *element.find(row.name), element,
               std::string(row.name) + " must be at least -1, not " + std::to_string(value));
      *static_cast<int*>(row.member(&spec.size)) = -1;
    }
  }
}

void MjcfReader::read_visual(const Element& element, const ElementSchema& schema) {
  for_children(element, schema, [&](const Element& child, const ElementSchema& child_schema) {
    Visual& visual = spec.visual;
    void* group = child.tag == "global"      ? static_cast<void*>(&visual.global)
                  : child.tag == "quality"   ? static_cast<void*>(&visual.quality)
                  : child.tag == "headlight" ? static_cast<void*>(&visual.headlight)
                  : child.tag == "map"       ? static_cast<void*>(&visual.map)
                  : child.tag == "scale"     ? static_cast<void*>(&visual.scale)
                                             : static_cast<void*>(&visual.rgba);
    read_attributes(child, child_schema, group);
    if (child.tag == "map" || child.tag == "global") {
      for (const Attribute& attribute : child.attributes) given_.names.emplace(attribute.name);
    }
    // (one that an element before it gave was reported there)
    if (const Attribute* given = child.find("znear"); given && child.tag == "map" && visual.map.znear <= 0) {
      error_at(Code::kBadRange, *given, child, "znear must be greater than 0");
    }
    if (const Attribute* given = child.find("realtime");
        given && child.tag == "global" && visual.global.realtime <= 0) {
      error_at(Code::kBadRange, *given, child, "realtime must be greater than 0");
    }
  });
}

void MjcfReader::read_asset(const Element& element, const ElementSchema& schema) {
  const DefaultClass& defaults = spec.classes[class_of(element, 0)];
  const std::string_view id = schema.id;
  if (id == "texture") {
    TextureSpec& texture = add(spec.textures, element, defaults.texture);
    read_texture(element, schema, texture);
    if (texture.name.empty()) texture.name = file_stem(texture.file);
  } else if (id == "material") {
    read_material(element, schema, add(spec.materials, element, defaults.material));
  } else if (id == "mesh") {
    MeshSpec& mesh = add(spec.meshes, element, defaults.mesh);
    read_attributes(element, schema, &mesh);
    if (mesh.name.empty()) mesh.name = file_stem(mesh.file);
    if (mesh.maxhullvert != -1 && mesh.maxhullvert < 4) {
      const char* message = "maxhullvert must be at least 4";
      // the number may come from a default class
      if (const Attribute* given = element.find("maxhullvert")) {
        error_at(Code::kBadRange, *given, element, message);
      } else {
        error(Code::kBadRange, element, message);
      }
    }
  } else if (id == "hfield") {
    HfieldSpec& hfield = add(spec.hfields, element, HfieldSpec{});
    read_attributes(element, schema, &hfield);
    if (hfield.name.empty()) hfield.name = file_stem(hfield.file);
  } else if (id == "skin") {
    read_skin(element, schema);
  } else if (id == "asset_model") {
    read_attributes(element, schema, nullptr);
    read_model_asset(element);
  }
}

void MjcfReader::read_texture(const Element& element, const ElementSchema& schema, TextureSpec& texture) {
  const Ints<2> inherited = texture.gridsize;
  read_attributes(element, schema, &texture);
  // a layout belongs to the grid it was written for
  if (texture.gridsize != inherited && !element.find("gridlayout")) texture.gridlayout = TextureSpec{}.gridlayout;
  for (int i = 0; i < 6; ++i) text(element, kTextureSides[i], texture.cubefiles[i]);
  if (const Attribute* layout = element.find("gridlayout")) {
    const int64_t cells = int64_t{texture.gridsize[0]} * texture.gridsize[1];
    if (static_cast<int64_t>(layout->value.size()) != cells || cells > 12) {
      error_at(Code::kBadText, *layout, element, "gridlayout needs one letter per cell of gridsize, at most 12");
    }
  }
}

void MjcfReader::read_material(const Element& element, const ElementSchema& schema, MaterialSpec& material) {
  read_attributes(element, schema, &material);
  const bool has_texture = text(element, "texture", material.textures[kRoleRgb]);
  for_children(element, schema, [&](const Element& child, const ElementSchema& child_schema) {
    read_attributes(child, child_schema, nullptr);
    if (has_texture) {
      error(Code::kAttributeConflict, child, "a material with the attribute 'texture' cannot have <layer> elements");
    }
    int role = 0;
    if (word(child, child_schema, "role", role)) text(child, "texture", material.textures[role]);
  });
}

void MjcfReader::read_skin(const Element& element, const ElementSchema& schema) {
  SkinSpec& skin = add(spec.skins, element, SkinSpec{});
  read_attributes(element, schema, &skin);
  if (skin.name.empty()) skin.name = file_stem(skin.file);
  if (skin.group < 0 || skin.group > 5) {
    error_at(Code::kBadRange, *element.find("group"), element, "the group of a skin goes from 0 to 5");
  }
  for_children(element, schema, [&](const Element& child, const ElementSchema& child_schema) {
    skin.bones.emplace_back();
    read_attributes(child, child_schema, &skin.bones.back());
  });
}

void MjcfReader::read_equality(const Element& element, const ElementSchema& schema) {
  EqualitySpec& equality = add(spec.equalities, element, spec.classes[class_of(element, 0)].equality);
  const std::string_view id = schema.id;
  const EqualityKind& kind = *std::find_if(std::begin(kEqualityKinds), std::end(kEqualityKinds),
                                           [&](const EqualityKind& known) { return id == known.element; });
  equality.type = kind.type;
  if (equality.type != EqualityType::kMimic) equality.data = kFreshEqData;
  read_attributes(element, schema, &equality);
  if (!kind.holds_poses()) {
    equality.objtype = kind.ties_joints() ? ObjType::kJoint : ObjType::kTendon;
    if (equality.type == EqualityType::kMimic) read_leaders(element, equality);
    return;
  }
  const bool sites = element.find("site1") || element.find("site2");
  equality.objtype = sites ? ObjType::kSite : ObjType::kBody;
  text(element, sites ? "site1" : "body1", equality.object1);
  text(element, sites ? "site2" : "body2", equality.object2);
  if (id == "weld" && !sites) equality.data[1] = 0;
  reals(element, "anchor", {equality.data.data(), 3});
  if (id == "weld") {
    reals(element, "relpose", {equality.data.data() + 3, 7});
    real(element, "torquescale", equality.data[kTorqueScale]);
  }
}

void MjcfReader::read_leaders(const Element& element, EqualitySpec& mimic) {
  std::string leaders;
  text(element, "joint2", leaders);
  size_t at = 0;
  for (std::string_view w = next_word(leaders, at); !w.empty(); w = next_word(leaders, at)) {
    mimic.leaders.emplace_back(w);
  }
}

void MjcfReader::read_tendon(const Element& element, const ElementSchema& schema) {
  TendonSpec& tendon = add(spec.tendons, element, spec.classes[class_of(element, 0)].tendon);
  read_attributes(element, schema, &tendon);
  tendon.spatial = element.tag == "spatial";
  double length[2];
  if (reals(element, "springlength", length) == 1) tendon.springlength[1] = length[0];
  for_children(element, schema, [&](const Element& child, const ElementSchema& child_schema) {
    tendon.path.emplace_back();
    WrapSpec& wrap = tendon.path.back();
    read_attributes(child, child_schema, &wrap);
    wrap.type = child.tag == "joint"    ? WrapType::kJoint
                : child.tag == "site"   ? WrapType::kSite
                : child.tag == "pulley" ? WrapType::kPulley
                                        : WrapType::kSphere;
    wrap.source = source_of(child);
  });
}

void MjcfReader::read_custom(const Element& element, const ElementSchema& schema) {
  if (element.tag == "numeric") {
    read_attributes(element, schema, &add(spec.numerics, element, NumericSpec{}));
    return;
  }
  if (element.tag == "text") {
    TextSpec& custom = add(spec.texts, element, TextSpec{});
    read_attributes(element, schema, &custom);
    if (element.cdata_sections > 1) {
      error(Code::kBadCustom, element, "a custom text may have one CDATA section");
    } else if (element.cdata_sections == 1 && element.find("data")) {
      error(Code::kBadCustom, element, "a custom text has its data as attribute or as CDATA, not both");
    } else if (element.cdata_sections == 1) {
      custom.data = element.cdata;
    }
    return;
  }
  TupleSpec& tuple = add(spec.tuples, element, TupleSpec{});
  read_attributes(element, schema, &tuple);
  for_children(element, schema, [&](const Element& child, const ElementSchema& child_schema) {
    TupleElementSpec entry;
    read_attributes(child, child_schema, &entry);
    entry.source = source_of(child);
    std::string type;
    text(child, "objtype", type);
    std::vector<std::string_view> names;
    for (const ObjectWord& known : kTupleTypes) {
      names.push_back(known.word);
      if (type == known.word) entry.objtype = known.type;
    }
    if (entry.objtype == ObjType::kUnknown && child.find("objtype")) {
      error_at(Code::kBadKeyword, *child.find("objtype"), child, "there is no object type " + quote(type),
               did_you_mean(type, names));
    }
    tuple.elements.push_back(std::move(entry));
  });
}

}  // namespace pliant

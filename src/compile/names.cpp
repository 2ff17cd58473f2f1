// Names and file paths of the Model.
//
// Reads the lists of the working Spec, in id order. Writes names (the model's own name first, then
// every kind in the order of kNamedKinds, each name ended by a zero), name_*adr, names_map (one
// hash table per kind, -1 = empty slot, linear probing, unnamed objects left out) and paths with
// hfield_pathadr, mesh_pathadr, skin_pathadr and tex_pathadr (-1 = not from a file), and after them content types of textures.

#include <algorithm>
#include <type_traits>

#include "compile/compile.h"
#include "compile/counts.h"
#include "model/name_map.h"
#include "spec/asset_location.h"

namespace pliant {
namespace {

// Calls visit(list) for every named kind, in the order of kNamedKinds.
template <class Visit>
void for_each_kind(const Spec& spec, Visit visit) {
  visit(spec.bodies), visit(spec.joints), visit(spec.geoms), visit(spec.sites);
  visit(spec.cameras), visit(spec.lights), visit(spec.meshes), visit(spec.skins);
  visit(spec.hfields), visit(spec.textures), visit(spec.materials), visit(spec.pairs);
  visit(spec.excludes), visit(spec.equalities), visit(spec.tendons), visit(spec.actuators);
  visit(spec.sensors), visit(spec.numerics), visit(spec.texts), visit(spec.tuples);
  visit(spec.keys);
}
static_assert(std::size(kNamedKinds) == 21, "for_each_kind must name the same kinds");

// Where the file of an asset was read from, so that a Model says it without its document.
template <class Asset>
std::string stored_path(const Work& work, const Asset& asset) {
  CompilerSpec compiler = work.compiler(asset);
  if constexpr (std::is_same_v<Asset, TextureSpec>) {
    // a built-in texture never opens its file, and is not stripped in the reference
    if (asset.builtin != TextureBuiltin::kNone) compiler.strippath = false;
    return asset_path(compiler, compiler.texturedir, asset.file);
  }
  return asset_path(compiler, compiler.meshdir, asset.file);
}

template <class List>
size_t paths_length(const Work& work, const List& list) {
  size_t length = 0;
  for (const auto& asset : list) {
    if (!asset.file.empty()) length += stored_path(work, asset).size() + 1;
  }
  return length;
}

// Copies text and its closing zero; returns the address after it.
int append(std::string_view text, char* buffer, int at) {
  std::copy(text.begin(), text.end(), buffer + at);
  buffer[at + static_cast<int>(text.size())] = '\0';
  return at + static_cast<int>(text.size()) + 1;
}

template <class List>
int write_paths(const Work& work, const List& list, int32_t* address, char* paths, int at) {
  for (size_t i = 0; i < list.size(); ++i) {
    address[i] = -1;
    if (list[i].file.empty()) continue;
    address[i] = at;
    at = append(stored_path(work, list[i]), paths, at);
  }
  return at;
}

}  // namespace

void count_names(Work& work) {
  const Spec& spec = work.spec;
  size_t length = spec.model_name.size() + 1, objects = 0;
  for_each_kind(spec, [&](const auto& list) {
    for (const auto& object : list) length += object.name.size() + 1;
    objects += list.size();
  });
  work.sizes.nnames = static_cast<int>(length);
  work.sizes.nnames_map = static_cast<int>(kNameSlotsPerObject * objects);

  // the buffer is never empty, so that its address can be taken
  size_t paths = paths_length(work, spec.hfields) + paths_length(work, spec.meshes) + paths_length(work, spec.skins) +
                 paths_length(work, spec.textures);
  for (const TextureSpec& texture : spec.textures) {
    if (!texture.content_type.empty()) paths += texture.content_type.size() + 1;
  }
  work.sizes.npaths = static_cast<int>(std::max<size_t>(paths, 1));
}

void write_names(const Work& work, Model& model) {
  const Spec& spec = work.spec;
  int at = append(spec.model_name, model.names, 0);
  std::fill_n(model.names_map, model.nnames_map, -1);

  const NamedKind* kind = kNamedKinds;
  int32_t* table = model.names_map;
  for_each_kind(spec, [&](const auto& list) {
    const int slots = kNameSlotsPerObject * static_cast<int>(list.size());
    int32_t* address = model.*(kind->address);
    for (size_t i = 0; i < list.size(); ++i) {
      const std::string& name = list[i].name;
      address[i] = at;
      at = append(name, model.names, at);
      if (name.empty()) continue;
      // twice as many slots as objects: a free one is always found
      uint64_t slot = name_hash(name, slots);
      while (table[slot] != -1) slot = (slot + 1) % slots;
      table[slot] = static_cast<int32_t>(i);
    }
    table += slots;
    ++kind;
  });

  model.paths[0] = '\0';
  at = write_paths(work, spec.hfields, model.hfield_pathadr, model.paths, 0);
  at = write_paths(work, spec.meshes, model.mesh_pathadr, model.paths, at);
  at = write_paths(work, spec.skins, model.skin_pathadr, model.paths, at);
  at = write_paths(work, spec.textures, model.tex_pathadr, model.paths, at);
  for (size_t i = 0; i < spec.textures.size(); ++i) {
    const std::string& type = spec.textures[i].content_type;
    model.tex_contenttypeadr[i] = type.empty() ? -1 : at;
    if (!type.empty()) at = append(type, model.paths, at);
  }
}

}  // namespace pliant

// Assets: names, references between assets and from objects to materials, and their Model arrays.
//
// resolve_assets gives unnamed meshes, height fields, textures and skins the stem of their file,
// drops materials and textures under discardvisual, and resolves
// materials of geoms, sites, tendons and skins and textures of materials. write_assets fills tex_*,
// mat_* and skin_*. Paths are names.cpp's business; meshes and height fields have passes of their
// own.

#include <algorithm>
#include <cctype>
#include <cstring>
#include <limits>
#include <set>

#include "base/text.h"
#include "compile/asset_files.h"
#include "compile/compile.h"
#include "compile/counts.h"
#include "spec/references.h"

namespace pliant {
namespace {

std::string stem_of(const std::string& path) {
  const std::string name = path.substr(path.find_last_of("/\\") + 1);
  return name.substr(0, name.find_last_of('.'));
}

// The name tables were made before these names existed.
template <class List>
void name_after_files(Work& work, List& list, ObjType type) {
  auto& table = work.names[static_cast<int>(type)];
  for (size_t i = 0; i < list.size(); ++i) {
    auto& asset = list[i];
    if (!asset.name.empty() || asset.file.empty()) continue;
    asset.name = stem_of(asset.file);
    if (asset.name.empty()) continue;
    if (!table.emplace(asset.name, static_cast<int>(i)).second) {
      work.error(Code::kRepeatedName, asset, "file",
                 "the name " + quote(asset.name) + ", taken from its file, is already in use",
                 "give one of the two an explicit name");
    }
  }
}

template <class List>
void require_names(Work& work, const List& list) {
  for (const auto& asset : list) {
    if (!asset.name.empty()) continue;
    // a skybox is found by its type, not by its name
    if constexpr (std::is_same_v<List, std::vector<TextureSpec>>) {
      if (asset.type == TextureType::kSkybox) continue;
    }
    work.error(Code::kEmptyName, asset, "", "needs a name", "add name=\"…\"");
  }
}

// Counted, so that the finding says what is gone. What sensors and tuples name stays; but when anything goes, nothing
// is drawn with the rest either.
void drop_visual_assets(Work& work) {
  Spec& spec = work.spec;
  std::set<std::string> kept[2];
  const auto collect = [&](auto& list) {
    for (auto& object : list) {
      visit_references(object, [&](ObjType kind, std::string& name) {
        if (kind == ObjType::kMaterial) kept[0].insert(name);
        if (kind == ObjType::kTexture) kept[1].insert(name);
      });
    }
  };
  collect(spec.sensors);
  collect(spec.tuples);
  const auto drop = [&](auto& list, const std::set<std::string>& names, ObjType type) {
    const size_t dropped = std::erase_if(list, [&](const auto& asset) { return !names.count(asset.name); });
    auto& ids = work.names[static_cast<int>(type)];
    ids.clear();
    for (size_t i = 0; i < list.size(); ++i) ids.emplace(list[i].name, static_cast<int>(i));
    return dropped;
  };
  const size_t materials = drop(spec.materials, kept[0], ObjType::kMaterial);
  const size_t textures = drop(spec.textures, kept[1], ObjType::kTexture);
  if (materials + textures == 0) return;
  for (MaterialSpec& material : spec.materials) material.textures = {};
  for (GeomSpec& geom : spec.geoms) geom.material.clear();
  for (SiteSpec& site : spec.sites) site.material.clear();
  for (TendonSpec& tendon : spec.tendons) tendon.material.clear();
  for (SkinSpec& skin : spec.skins) skin.material.clear();
  for (MeshSpec& mesh : spec.meshes) mesh.material.clear();
  for (LightSpec& light : spec.lights) light.texture.clear();
  work.diagnostics.warning(Code::kDropped, spec.origin(spec.compilers[0].source, "discardvisual"), "compiler",
                           std::to_string(materials) + " materials and " + std::to_string(textures) +
                               " textures were discarded, because discardvisual=\"true\"");
}

// Meshes that nothing uses are not even looked at.
void drop_unused_meshes(Work& work) {
  Spec& spec = work.spec;
  std::set<std::string> used;
  for (const GeomSpec& geom : spec.geoms) used.insert(geom.mesh);
  for (const SiteSpec& site : spec.sites) used.insert(site.mesh);
  const auto collect = [&](auto& list) {
    for (auto& object : list) {
      visit_references(object, [&](ObjType kind, std::string& name) {
        if (kind == ObjType::kMesh) used.insert(name);
      });
    }
  };
  collect(spec.sensors);
  collect(spec.tuples);
  const size_t dropped = std::erase_if(spec.meshes, [&](const MeshSpec& mesh) { return !used.count(mesh.name); });
  if (dropped == 0) return;
  auto& ids = work.names[static_cast<int>(ObjType::kMesh)];
  ids.clear();
  for (size_t i = 0; i < spec.meshes.size(); ++i) ids.emplace(spec.meshes[i].name, static_cast<int>(i));
  work.diagnostics.warning(
      Code::kDropped, spec.origin(spec.compilers[0].source, "discardvisual"), "compiler",
      std::to_string(dropped) + " meshes that nothing uses were discarded, because discardvisual=\"true\"");
}

int material_of(Work& work, const std::string& name, int source) {
  return name.empty() ? -1 : work.resolve(ObjType::kMaterial, name, source, "material");
}

// Of a geom or site: its own, or that which its mesh brings.
template <class S>
int material_of_shape(Work& work, const S& shape) {
  const int mesh = shape.mesh.empty() ? -1 : work.find(ObjType::kMesh, shape.mesh);
  if (mesh < 0 || !shape.material.empty()) return material_of(work, shape.material, shape.source);
  return material_of(work, work.spec.meshes[mesh].material, work.spec.meshes[mesh].source);
}

void resolve_materials(Work& work) {
  Spec& spec = work.spec;
  // passes that fill these lists run later
  if (work.geoms.size() < spec.geoms.size()) work.geoms.resize(spec.geoms.size());
  if (work.sites.size() < spec.sites.size()) work.sites.resize(spec.sites.size());
  if (work.tendons.size() < spec.tendons.size()) work.tendons.resize(spec.tendons.size());

  for (size_t i = 0; i < spec.geoms.size(); ++i) work.geoms[i].material = material_of_shape(work, spec.geoms[i]);
  for (size_t i = 0; i < spec.sites.size(); ++i) work.sites[i].material = material_of_shape(work, spec.sites[i]);
  for (size_t i = 0; i < spec.tendons.size(); ++i) {
    work.tendons[i].material = material_of(work, spec.tendons[i].material, spec.tendons[i].source);
  }
}

void resolve_textures(Work& work) {
  work.material_textures.resize(work.spec.materials.size());
  for (size_t i = 0; i < work.spec.materials.size(); ++i) {
    const MaterialSpec& material = work.spec.materials[i];
    for (int role = 0; role < kNumTexRole; ++role) {
      const std::string& name = material.textures[role];
      work.material_textures[i][role] =
          name.empty() ? -1 : work.resolve(ObjType::kTexture, name, material.source, "texture");
    }
  }
}

// ---- skins
// -----------------------------------------------------------------------------------------

bool ends_with_skn(const std::string& file) {
  constexpr std::string_view kExtension = ".skn";
  if (file.size() < kExtension.size()) return false;
  return std::equal(kExtension.begin(), kExtension.end(), file.end() - kExtension.size(),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

bool has_data(const SkinSpec& skin) {
  return !skin.vertex.empty() || !skin.texcoord.empty() || !skin.face.empty() || !skin.bones.empty();
}

// Little-endian numbers of a .skn file, one after the other; `good` ends when they run out.
struct SkinReader {
  const std::string& bytes;
  size_t at = 0;
  bool good = true;

  template <class T>
  std::vector<T> values(int64_t count) {
    std::vector<T> out;
    good = good && count >= 0 && static_cast<uint64_t>(count) <= (bytes.size() - at) / sizeof(T);
    if (!good) return out;
    out.resize(count);
    if (count > 0) std::memcpy(out.data(), bytes.data() + at, count * sizeof(T));
    at += count * sizeof(T);
    return out;
  }
  int integer() {
    const std::vector<int> one = values<int>(1);
    return one.empty() ? -1 : one[0];
  }
};

// Four counts; vertices, texture coordinates, faces; then per bone a name of 40 characters,
// position, quaternion, and as many vertex ids and weights as it says.
bool read_skn(const std::string& bytes, SkinSpec& skin) {
  constexpr int kNameLength = 40;
  SkinReader in{bytes};
  const int64_t vertices = in.integer(), texcoords = in.integer(), faces = in.integer();
  const int bones = in.integer();
  skin.vertex = in.values<float>(3 * vertices);
  skin.texcoord = in.values<float>(2 * texcoords);
  skin.face = in.values<int>(3 * faces);
  for (int i = 0; i < bones && in.good; ++i) {
    SkinBoneSpec bone;
    const std::vector<char> name = in.values<char>(kNameLength);
    const std::vector<float> pos = in.values<float>(3), quat = in.values<float>(4);
    const int count = in.integer();
    bone.vertid = in.values<int>(count);
    bone.vertweight = in.values<float>(count);
    if (!in.good) break;
    bone.body.assign(name.begin(), std::find(name.begin(), name.end() - 1, '\0'));
    std::copy(pos.begin(), pos.end(), bone.bindpos.begin());
    std::copy(quat.begin(), quat.end(), bone.bindquat.begin());
    if (!bone.body.empty()) bone.body = skin.file_prefix + bone.body;
    skin.bones.push_back(std::move(bone));
  }
  return in.good && bones >= 0 && in.at == bytes.size();
}

constexpr const char* kNoData = "needs vertices, faces and bones, or a file";

// Of a skin that cannot be read nothing is kept, so that there is nothing more to check. A missing or broken file costs
// the picture, not the model.
void load_skin_file(Work& work, SkinSpec& skin) {
  const auto clear = [&] { skin.vertex.clear(), skin.texcoord.clear(), skin.face.clear(), skin.bones.clear(); };
  if (has_data(skin)) {
    work.error(Code::kBadAsset, skin, "file", "has both a file and data of its own");
    return clear();
  }
  if (!ends_with_skn(skin.file)) {
    work.error(Code::kBadAsset, skin, "file", "the skin file " + quote(skin.file) + " is of an unknown type",
               "skins are read from .skn files");
    return;
  }
  std::string bytes, problem;
  const CompilerSpec& compiler = work.compiler(skin);
  bool good = read_asset(work, asset_path(compiler, compiler.meshdir, skin.file), bytes, problem);
  if (good && !read_skn(bytes, skin)) {
    good = false;
    problem = "the file " + quote(skin.file) + " is damaged";
  }
  if (!good) {
    work.warning(Code::kVisualFileMissing, skin, "file", problem + "; the skin is kept without vertices");
    return clear();
  }
  if (skin.vertex.empty()) work.error(Code::kBadAsset, skin, "", kNoData);
}

// Sum of weights over all bones, per vertex; single precision, as stored.
std::vector<float> vertex_weights(const SkinSpec& skin) {
  std::vector<float> total(skin.vertex.size() / 3, 0.0f);
  for (const SkinBoneSpec& bone : skin.bones) {
    for (size_t k = 0; k < bone.vertid.size(); ++k) total[bone.vertid[k]] += bone.vertweight[k];
  }
  return total;
}

// True when every bone's vertices exist.
bool check_bones(Work& work, const SkinSpec& skin) {
  const int vertices = static_cast<int>(skin.vertex.size() / 3);
  bool good = true;
  for (const SkinBoneSpec& bone : skin.bones) {
    // (an empty name would pass for an attribute the reader has missed already)
    if (bone.body.empty()) {
      work.error(Code::kBadAsset, skin, skin.file.empty() ? "" : "file", "has a bone without a body");
      good = false;
    }
    work.resolve(ObjType::kBody, bone.body, skin.source, "body");
    if (bone.vertid.empty() || bone.vertid.size() != bone.vertweight.size()) {
      work.error(Code::kBadAsset, skin, "",
                 "the bone of body " + quote(bone.body) + " has " + std::to_string(bone.vertid.size()) +
                     " vertid and " + std::to_string(bone.vertweight.size()) + " vertweight",
                 "both must have the same, positive length");
      good = false;
    }
    for (int id : bone.vertid) {
      if (id >= 0 && id < vertices) continue;
      work.error(Code::kBadAsset, skin, "",
                 "the bone of body " + quote(bone.body) + " names vertex " + std::to_string(id) + "; there are " +
                     std::to_string(vertices));
      good = false;
      break;
    }
  }
  return good;
}

bool check_faces(Work& work, const SkinSpec& skin) {
  const int vertices = static_cast<int>(skin.vertex.size() / 3);
  for (int id : skin.face) {
    if (id >= 0 && id < vertices) continue;
    work.error(Code::kBadAsset, skin, skin.file.empty() ? "face" : "file",
               "a face names vertex " + std::to_string(id) + "; there are " + std::to_string(vertices));
    return false;
  }
  return true;
}

void check_skin(Work& work, SkinSpec& skin) {
  material_of(work, skin.material, skin.source);
  if (!skin.file.empty() && skin.vertex.empty()) return;  // read_skins has said why
  if (skin.vertex.empty() || skin.face.empty() || skin.bones.empty()) {
    work.error(Code::kBadAsset, skin, "", kNoData);
    return;
  }
  const auto multiple = [&](const auto& data, size_t of, const char* attribute) {
    if (data.size() % of == 0) return true;
    work.error(Code::kBadAsset, skin, attribute,
               "the number of values in '" + std::string(attribute) + "', " + std::to_string(data.size()) +
                   ", is not a multiple of " + std::to_string(of));
    return false;
  };
  bool good = multiple(skin.vertex, 3, "vertex");
  good &= multiple(skin.face, 3, "face");
  if (!skin.texcoord.empty() && skin.texcoord.size() != 2 * skin.vertex.size() / 3) {
    work.error(Code::kBadAsset, skin, "texcoord", "every vertex needs one pair of texture coordinates");
  }
  if (!good || !check_faces(work, skin) || !check_bones(work, skin)) return;
  const std::vector<float> total = vertex_weights(skin);
  for (size_t v = 0; v < total.size(); ++v) {
    if (total[v] > kMinVal) continue;
    work.error(Code::kBadAsset, skin, "",
               "vertex " + std::to_string(v) + " needs a positive total weight over all bones");
    break;
  }
}

void write_bone(const Work& work, const SkinBoneSpec& bone, const std::vector<float>& total, int at, int vertex_at,
                Model& model) {
  model.skin_bonevertadr[at] = vertex_at;
  model.skin_bonevertnum[at] = static_cast<int>(bone.vertid.size());
  model.skin_bonebodyid[at] = work.find(ObjType::kBody, bone.body);
  std::copy(bone.bindpos.begin(), bone.bindpos.end(), model.skin_bonebindpos + 3 * at);
  const Quat q = normalized({bone.bindquat[0], bone.bindquat[1], bone.bindquat[2], bone.bindquat[3]});
  for (int k = 0; k < 4; ++k) model.skin_bonebindquat[4 * at + k] = static_cast<float>(q[k]);
  for (size_t k = 0; k < bone.vertid.size(); ++k) {
    model.skin_bonevertid[vertex_at + k] = bone.vertid[k];
    model.skin_bonevertweight[vertex_at + k] = bone.vertweight[k] / total[bone.vertid[k]];
  }
}

void write_skins(const Work& work, Model& model) {
  int vertex = 0, texcoord = 0, face = 0, bone_at = 0, bone_vertex = 0;
  for (size_t i = 0; i < work.spec.skins.size(); ++i) {
    const SkinSpec& skin = work.spec.skins[i];
    model.skin_matid[i] = skin.material.empty() ? -1 : work.find(ObjType::kMaterial, skin.material);
    model.skin_group[i] = skin.group;
    std::copy(skin.rgba.begin(), skin.rgba.end(), model.skin_rgba + 4 * i);
    model.skin_inflate[i] = skin.inflate;
    model.skin_vertadr[i] = vertex;
    model.skin_vertnum[i] = static_cast<int>(skin.vertex.size() / 3);
    model.skin_texcoordadr[i] = skin.texcoord.empty() ? -1 : texcoord;
    model.skin_faceadr[i] = face;
    model.skin_facenum[i] = static_cast<int>(skin.face.size() / 3);
    model.skin_boneadr[i] = bone_at;
    model.skin_bonenum[i] = static_cast<int>(skin.bones.size());
    std::copy(skin.vertex.begin(), skin.vertex.end(), model.skin_vert + 3 * vertex);
    std::copy(skin.texcoord.begin(), skin.texcoord.end(), model.skin_texcoord + 2 * texcoord);
    std::copy(skin.face.begin(), skin.face.end(), model.skin_face + 3 * face);

    const std::vector<float> total = vertex_weights(skin);
    for (const SkinBoneSpec& bone : skin.bones) {
      write_bone(work, bone, total, bone_at++, bone_vertex, model);
      bone_vertex += static_cast<int>(bone.vertid.size());
    }
    vertex += model.skin_vertnum[i];
    texcoord += static_cast<int>(skin.texcoord.size() / 2);
    face += model.skin_facenum[i];
  }
}

void write_textures(const Work& work, Model& model) {
  int64_t at = 0;
  for (size_t i = 0; i < work.textures.size(); ++i) {
    const TextureSpec& spec = work.spec.textures[i];
    const TextureWork& texture = work.textures[i];
    model.tex_type[i] = static_cast<int>(spec.type);
    model.tex_colorspace[i] = static_cast<int>(texture.colorspace);
    model.tex_height[i] = texture.height;
    model.tex_width[i] = texture.width;
    model.tex_nchannel[i] = spec.nchannel;
    model.tex_adr[i] = texture.by_reference ? -1 : at;
    std::copy(texture.data.begin(), texture.data.end(), model.tex_data + at);
    at += static_cast<int64_t>(texture.data.size());
  }
}

void write_materials(const Work& work, Model& model) {
  for (size_t i = 0; i < work.spec.materials.size(); ++i) {
    const MaterialSpec& material = work.spec.materials[i];
    std::copy(work.material_textures[i].begin(), work.material_textures[i].end(), model.mat_texid + kNumTexRole * i);
    model.mat_texuniform[i] = material.texuniform;
    std::copy(material.texrepeat.begin(), material.texrepeat.end(), model.mat_texrepeat + 2 * i);
    model.mat_emission[i] = material.emission;
    model.mat_specular[i] = material.specular;
    model.mat_shininess[i] = material.shininess;
    model.mat_reflectance[i] = material.reflectance;
    model.mat_metallic[i] = material.metallic;
    model.mat_roughness[i] = material.roughness;
    std::copy(material.rgba.begin(), material.rgba.end(), model.mat_rgba + 4 * i);
  }
}

}  // namespace

void read_skins(Work& work) {
  for (SkinSpec& skin : work.spec.skins) {
    if (!skin.file.empty()) load_skin_file(work, skin);
  }
}

void put_skins_inline(Spec& spec, Diagnostics& diagnostics, bool (*wanted)(const SkinSpec&)) {
  if (std::none_of(spec.skins.begin(), spec.skins.end(), wanted)) return;
  Work work(spec, diagnostics);
  for (SkinSpec& skin : work.spec.skins) {
    if (skin.file.empty() || !wanted(skin)) continue;
    load_skin_file(work, skin);
    if (skin.vertex.empty()) continue;  // a file that cannot be read is named in the text as before
    if (skin.name.empty()) skin.name = stem_of(skin.file);
    skin.file.clear(), skin.file_prefix.clear();
  }
  spec = std::move(work.spec);
}

void resolve_assets(Work& work) {
  Spec& spec = work.spec;
  name_after_files(work, spec.meshes, ObjType::kMesh);
  name_after_files(work, spec.hfields, ObjType::kHfield);
  name_after_files(work, spec.textures, ObjType::kTexture);
  name_after_files(work, spec.skins, ObjType::kSkin);
  require_names(work, spec.meshes);
  require_names(work, spec.hfields);
  require_names(work, spec.textures);
  require_names(work, spec.materials);
  if (spec.compilers[0].discardvisual) {
    drop_visual_assets(work);
    drop_unused_meshes(work);
  }
  resolve_materials(work);
  resolve_textures(work);
  for (SkinSpec& skin : spec.skins) check_skin(work, skin);
}

void count_assets(Work& work) {
  ModelSizes& sizes = work.sizes;
  const Spec& spec = work.spec;
  sizes.ntex = static_cast<int>(spec.textures.size());
  sizes.nmat = static_cast<int>(spec.materials.size());
  sizes.nskin = static_cast<int>(spec.skins.size());
  size_t pixels = 0, vertices = 0, texcoords = 0, faces = 0, bones = 0, bone_vertices = 0;
  for (const TextureWork& texture : work.textures) pixels += texture.data.size();
  for (const SkinSpec& skin : spec.skins) {
    vertices += skin.vertex.size() / 3;
    texcoords += skin.texcoord.size() / 2;
    faces += skin.face.size() / 3;
    bones += skin.bones.size();
    for (const SkinBoneSpec& bone : skin.bones) bone_vertices += bone.vertid.size();
  }
  if (pixels > static_cast<size_t>(std::numeric_limits<int>::max())) {
    work.error(Code::kBadAsset, spec.textures[0], "", "the textures together are larger than 2 GiB");
    pixels = 0;
  }
  sizes.ntexdata = static_cast<int>(pixels);
  sizes.nskinvert = static_cast<int>(vertices);
  sizes.nskintexvert = static_cast<int>(texcoords);
  sizes.nskinface = static_cast<int>(faces);
  sizes.nskinbone = static_cast<int>(bones);
  sizes.nskinbonevert = static_cast<int>(bone_vertices);
}

void write_assets(const Work& work, Model& model) {
  write_textures(work, model);
  write_materials(work, model);
  write_skins(work, model);
}

}  // namespace pliant

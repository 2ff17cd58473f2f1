// COLLADA and glTF through Assimp; the only file that sees it. What robots carry in these formats is geometry: triangles of all
// meshes in the scene, each with the transforms of the nodes above it, in the axes the file is written in (as ROS reads
// them: no turn from y-up to z-up) and, for COLLADA, in metres by the file's own unit. Materials, cameras and skins stay behind.
//
// Files come from strangers. Only the two importers are registered, bytes come from memory, the importer can open nothing but files
// beside the mesh (buffers of glTF), sizes are bounded, exceptions are caught, and what comes out is checked like any other mesh.
// And since the importers themselves fail on what is no such file, they run in a process of their own (base/apart.h).

#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cstring>
#include <pugixml.hpp>
#include <stdexcept>
#include <utility>

#include "base/apart.h"
#include "compile/mesh.h"

namespace pliant {
namespace {

constexpr size_t kMaxFaces = 10'000'000;
constexpr size_t kMaxNodes = 100'000;
constexpr size_t kMemoryPerByte = 50;       // of a file, while it is read
constexpr size_t kBytesPerSecond = 500'000;  // a tenth of what it reads

/// Bytes in memory.
class MemoryStream : public Assimp::IOStream {
 public:
  explicit MemoryStream(std::string bytes) : bytes_(std::move(bytes)) {}
  size_t Read(void* out, size_t size, size_t count) override {
    if (size == 0) return 0;
    const size_t whole = std::min(count, (bytes_.size() - at_) / size);
    std::memcpy(out, bytes_.data() + at_, whole * size);
    at_ += whole * size;
    return whole;
  }
  size_t Write(const void*, size_t, size_t) override { return 0; }
  aiReturn Seek(size_t offset, aiOrigin origin) override {
    const size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at_ : bytes_.size();
    if (offset > bytes_.size() - from) return aiReturn_FAILURE;
    at_ = from + offset;
    return aiReturn_SUCCESS;
  }
  size_t Tell() const override { return at_; }
  size_t FileSize() const override { return bytes_.size(); }
  void Flush() override {}

 private:
  std::string bytes_;
  size_t at_ = 0;
};

/// The mesh itself, and files beside it by their names; nothing else exists.
class MemoryFiles : public Assimp::IOSystem {
 public:
  MemoryFiles(std::string name, const std::string& bytes, const FetchSibling& fetch)
      : name_(std::move(name)), bytes_(bytes), fetch_(fetch) {}
  bool Exists(const char* file) const override {
    std::string content;
    return get(file, content);
  }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    std::string content;
    if (std::strchr(mode, 'w') || !get(file, content)) return nullptr;
    return new MemoryStream(std::move(content));
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  bool get(const std::string& file, std::string& content) const {
    if (file == name_) {
      content = bytes_;
      return true;
    }
    const std::string plain = file.starts_with("./") ? file.substr(2) : file;
    if (plain.empty() || plain[0] == '/' || plain.find("..") != std::string::npos) return false;
    return fetch_ && fetch_(plain, content);
  }

  std::string name_;
  const std::string& bytes_;
  const FetchSibling& fetch_;
};

void append(const aiMesh& mesh, const aiMatrix4x4& to_scene, MeshData& data) {
  if (!mesh.HasPositions() || !mesh.HasFaces()) return;
  const int first = static_cast<int>(data.vertex.size() / 3);
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    const aiVector3D p = to_scene * mesh.mVertices[v];
    data.vertex.insert(data.vertex.end(), {p.x, p.y, p.z});
  }
  // a transform that mirrors turns faces inside out
  const bool mirrored = to_scene.Determinant() < 0;
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    if (face.mNumIndices != 3) continue;  // points and lines
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned corner = face.mIndices[mirrored ? 2 - k : k];
      if (corner >= mesh.mNumVertices) throw std::string("a face names a vertex that is not there");
      data.face.push_back(first + static_cast<int>(corner));
    }
  }
  if (data.face.size() > 3 * kMaxFaces) throw std::string("it has more than 10 million triangles");
}

MeshData flatten(const aiScene& scene) {
  MeshData data;
  std::vector<std::pair<const aiNode*, aiMatrix4x4>> todo = {{scene.mRootNode, aiMatrix4x4()}};
  for (size_t visited = 0; !todo.empty(); ++visited) {
    if (visited > kMaxNodes) throw std::string("its scene has too many nodes");
    const auto [node, above] = todo.back();
    todo.pop_back();
    const aiMatrix4x4 to_scene = above * node->mTransformation;
    for (unsigned m = 0; m < node->mNumMeshes; ++m) {
      if (node->mMeshes[m] < scene.mNumMeshes) append(*scene.mMeshes[node->mMeshes[m]], to_scene, data);
    }
    for (unsigned c = node->mNumChildren; c-- > 0;) todo.emplace_back(node->mChildren[c], to_scene);
  }
  if (data.face.empty()) throw std::string("it has no triangles");
  return data;
}

MeshData import(const std::string& bytes, const std::string& extension, const FetchSibling& fetch) {
  Assimp::Importer importer;
  // everything else would only be a way in for files that call themselves something else
  for (size_t i = importer.GetImporterCount(); i-- > 0;) {
    const aiImporterDesc* description = importer.GetImporterInfo(i);
    const std::string kinds = description ? description->mFileExtensions : "";
    if (kinds.find("dae") != std::string::npos || kinds.find("gltf") != std::string::npos) continue;
    importer.UnregisterLoader(importer.GetImporter(i));
  }
  const std::string name = "mesh." + extension;
  importer.SetIOHandler(new MemoryFiles(name, bytes, fetch));  // the importer owns it
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* scene = importer.ReadFile(name, aiProcess_Triangulate);
  if (!scene || !scene->mRootNode) {
    const std::string reason = importer.GetErrorString();
    throw "it is not readable" + (reason.empty() ? "" : ": " + reason.substr(0, reason.find('\n')));
  }
  return flatten(*scene);
}

// ---- the way from one process to the other: a kind, then the reason, or the number of vertices, vertices and faces -----------

constexpr char kRefused = 'r', kRead = 'm';

std::string answer(const std::string& bytes, const std::string& extension, const FetchSibling& fetch) {
  std::string out;
  try {
    const MeshData mesh = import(bytes, extension, fetch);
    const auto append = [&](const void* data, size_t size) { out.append(static_cast<const char*>(data), size); };
    const size_t count = mesh.vertex.size();
    out += kRead;
    append(&count, sizeof count);
    append(mesh.vertex.data(), count * sizeof(float));
    append(mesh.face.data(), mesh.face.size() * sizeof(int));
  } catch (const std::string& reason) {
    out = kRefused + reason;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    out = kRefused + ("it is not readable: " + std::string(problem.what()));
  }
  return out;
}

MeshData understand(const std::string& answer) {
  if (!answer.empty() && answer[0] == kRefused) throw answer.substr(1);
  MeshData mesh;
  mesh.merge_vertices = true;
  size_t count = 0;
  const size_t head = 1 + sizeof count;
  if (answer.size() < head || answer[0] != kRead) throw std::string("it is not readable");
  std::memcpy(&count, answer.data() + 1, sizeof count);
  const size_t rest = answer.size() - head;
  if (count > rest / sizeof(float)) throw std::string("it is not readable");
  mesh.vertex.resize(count);
  std::memcpy(mesh.vertex.data(), answer.data() + head, count * sizeof(float));
  mesh.face.resize((rest - count * sizeof(float)) / sizeof(int));
  std::memcpy(mesh.face.data(), answer.data() + head + count * sizeof(float), mesh.face.size() * sizeof(int));
  return mesh;
}

}  // namespace

MeshData read_scene(const std::string& bytes, const std::string& extension, const FetchSibling& fetch) {
  if (bytes.empty()) throw std::string("the file is empty");
  // the importer never ends on some texts that are no XML
  if (extension == "dae") {
    const pugi::xml_parse_result parsed = pugi::xml_document().load_buffer(bytes.data(), bytes.size());
    if (!parsed) throw "it is not readable: " + std::string(parsed.description());
  }
  ApartLimits limits;
  limits.bytes += kMemoryPerByte * bytes.size();
  limits.seconds += static_cast<unsigned>(bytes.size() / kBytesPerSecond);
  try {
    return understand(run_apart([&] { return answer(bytes, extension, fetch); }, limits));
  } catch (const std::runtime_error& problem) {
    throw "it is not readable: " + std::string(problem.what());
  }
}

}  // namespace pliant

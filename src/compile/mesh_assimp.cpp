// The program that reads COLLADA and glTF: triangles of all meshes in the scene, each with the transforms of the nodes
// above it, in the axes the file is written in (as ROS reads them: no turn from y-up to z-up) and, for COLLADA, in
// metres by the file's own unit. Materials, cameras and skins stay behind. The only file that sees Assimp;
// mesh_scene.cpp starts it and talks to it.
//
// Files come from strangers, and the importers fail on what is no such file; hence a program of its own (base/apart.h)
// that limits itself. Only the two importers are registered, bytes come from memory, the importer can open nothing but
// files beside the mesh (buffers of glTF), which the other side hands over, and sizes are bounded.

#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/apart.h"
#include "compile/scene_messages.h"

namespace pliant {
namespace {

constexpr size_t kMaxFaces = 10'000'000;
constexpr size_t kMaxNodes = 100'000;

struct Triangles {
  std::vector<float> vertex;
  std::vector<int> face;
};

/// Asks the other side for a file beside the mesh.
std::optional<std::string> fetch(const std::string& name, size_t most) {
  Message answer;
  if (write_message(Apart::kSocket, kWantsSibling, name) != Talk::kFine) std::_Exit(EXIT_FAILURE);
  if (read_message(Apart::kSocket, most, answer) != Talk::kFine) std::_Exit(EXIT_FAILURE);
  if (answer.kind != kFile) return std::nullopt;
  return std::move(answer.bytes);
}

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
  MemoryFiles(std::string name, const std::string& bytes, size_t most)
      : name_(std::move(name)), bytes_(bytes), most_(most) {}
  bool Exists(const char* file) const override { return get(file) != nullptr; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    const std::string* content = std::strchr(mode, 'w') ? nullptr : get(file);
    return content ? new MemoryStream(*content) : nullptr;
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  const std::string* get(const std::string& file) const {
    if (file == name_) return &bytes_;
    const std::string plain = file.starts_with("./") ? file.substr(2) : file;
    if (plain.empty() || plain[0] == '/' || plain.find("..") != std::string::npos) return nullptr;
    const auto [known, is_new] = siblings_.try_emplace(plain);
    if (is_new) known->second = fetch(plain, most_);
    return known->second ? &*known->second : nullptr;
  }

  std::string name_;
  const std::string& bytes_;
  size_t most_;
  mutable std::map<std::string, std::optional<std::string>> siblings_;
};

void append(const aiMesh& mesh, const aiMatrix4x4& to_scene, Triangles& data) {
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

Triangles flatten(const aiScene& scene) {
  Triangles data;
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

Triangles import(const std::string& bytes, const std::string& extension, size_t most) {
  Assimp::Importer importer;
  // everything else would only be a way in for files that call themselves something else
  for (size_t i = importer.GetImporterCount(); i-- > 0;) {
    const aiImporterDesc* description = importer.GetImporterInfo(i);
    const std::string kinds = description ? description->mFileExtensions : "";
    if (kinds.find("dae") != std::string::npos || kinds.find("gltf") != std::string::npos) continue;
    importer.UnregisterLoader(importer.GetImporter(i));
  }
  const std::string name = "mesh." + extension;
  importer.SetIOHandler(new MemoryFiles(name, bytes, most));  // the importer owns it
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  const aiScene* scene = importer.ReadFile(name, aiProcess_Triangulate);
  if (!scene || !scene->mRootNode) {
    const std::string reason = importer.GetErrorString();
    throw "it is not readable" + (reason.empty() ? "" : ": " + reason.substr(0, reason.find('\n')));
  }
  return flatten(*scene);
}

// ---- the program: limits, one request, one answer
// ------------------------------------------------------------------------

void limit(__rlimit_resource_t resource, rlim_t most) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) return;
  now.rlim_cur = std::min(most, now.rlim_max);
  setrlimit(resource, &now);
}

/// Address space that is in use [bytes]; 0 when the system does not say.
rlim_t address_space() {
  unsigned long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

Talk answer(const std::string& bytes, const std::string& extension, size_t most) {
  std::string reason;
  try {
    const Triangles mesh = import(bytes, extension, most);
    const auto all = [](const auto& values) {
      return std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
    };
    const Talk state = write_message(Apart::kSocket, kVertices, all(mesh.vertex));
    return state == Talk::kFine ? write_message(Apart::kSocket, kFaces, all(mesh.face)) : state;
  } catch (const std::string& why) {
    reason = why;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& problem) {
    reason = "it is not readable: " + std::string(problem.what());
  }
  return write_message(Apart::kSocket, kRefused, reason);
}

int run(int argc, char** argv) {
  if (argc != 4) return EXIT_FAILURE;
  const size_t bytes = std::strtoull(argv[1], nullptr, 10), seconds = std::strtoull(argv[2], nullptr, 10);
  close_range(Apart::kSocket + 1, ~0U, 0);  // files that the other side has open are not for this one
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, seconds);
  if (const rlim_t used = address_space()) limit(RLIMIT_AS, used + bytes);
  Message request;
  if (read_message(Apart::kSocket, bytes, request) != Talk::kFine || request.kind != kFile) return EXIT_FAILURE;
  return answer(request.bytes, argv[3], bytes) == Talk::kFine ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  int status = pliant::Apart::kOutOfMemory;
  try {
    status = pliant::run(argc, argv);
  } catch (...) {  // out of memory, most likely
  }
  std::_Exit(status);  // memory goes back faster without destructors
}

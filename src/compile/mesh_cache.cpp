// Meshes kept on disk between loads, when the user names a folder for it.
//
// An entry is named after a hash of everything it was made from: the bytes of the mesh's file,
// every attribute that affects it, whether a hull was wanted, the version of Pliant and the source
// code that makes meshes. It holds the finished mesh bit for bit, that key once more, and a
// checksum: an entry that does not fit is reported and made anew. Programs that share the folder see
// whole entries or none (base/output_file.h).
//
// Changes by accident are noticed; the folder is not meant to be written by people one does not
// trust.

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "base/hash.h"
#include "base/output_file.h"
#include "base/text.h"
#include "pliant/version.h"
#include "compile/mesh.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'P', 'L', 'I', 'M', 'E', 'S', 'H', '1'};

struct Wide {
  uint64_t a, b;
};

/// 128 bits: the same hash from two starting points.
Wide hash_of(const void* data, size_t bytes) {
  constexpr uint64_t kSalt = 0x9E3779B97F4A7C15ull;
  Hash plain, salted;
  salted.add(&kSalt, sizeof kSalt);
  plain.add(data, bytes);
  salted.add(data, bytes);
  return {plain.value(), salted.value()};
}

class Writer {
 public:
  template <class T>
  void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  template <class T>
  void list(const std::vector<T>& v) {
    value(static_cast<uint64_t>(v.size()));
    bytes_.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
  }
  void lists(const std::vector<std::vector<int>>& v) {
    value(static_cast<uint64_t>(v.size()));
    for (const auto& part : v) list(part);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Reads what Writer has written; `good` turns false when the bytes run out.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  void value(T& v) {
    copy(&v, sizeof v);
  }
  template <class T>
  void list(std::vector<T>& v) {
    v.resize(size(sizeof(T)));
    copy(v.data(), v.size() * sizeof(T));
  }
  void lists(std::vector<std::vector<int>>& v) {
    v.resize(size(sizeof(uint64_t)));
    for (auto& part : v) list(part);
  }
  bool good() const { return good_ && bytes_.empty(); }

 private:
  size_t size(size_t each) {
    uint64_t count = 0;
    value(count);
    if (count > bytes_.size() / each) good_ = false;
    return good_ ? count : 0;
  }
  void copy(void* to, size_t n) {
    if (n > bytes_.size()) good_ = false;
    if (!good_ || n == 0) return;
    std::memcpy(to, bytes_.data(), n);
    bytes_.remove_prefix(n);
  }
  std::string_view bytes_;
  bool good_ = true;
};

/// Every member of a finished mesh, for both directions.
template <class Stream, class Mesh>
void visit_mesh(Stream& stream, Mesh& mesh) {
  stream.list(mesh.vertex), stream.list(mesh.normal), stream.list(mesh.texcoord);
  stream.list(mesh.face), stream.list(mesh.face_normal), stream.list(mesh.face_texcoord);
  stream.list(mesh.graph);
  stream.lists(mesh.polygons), stream.lists(mesh.vertex_polygons);
  stream.list(mesh.polygon_normal);
  stream.value(mesh.extrema), stream.value(mesh.pose), stream.value(mesh.volume);
  stream.value(mesh.box), stream.value(mesh.low), stream.value(mesh.high);
  stream.value(mesh.inside_out);
  stream.list(mesh.bvh.aabb), stream.list(mesh.bvh.child);
  stream.list(mesh.bvh.depth), stream.list(mesh.bvh.nodeid);
}

std::string entry_name(const std::string& key) {
  const Wide hash = hash_of(key.data(), key.size());
  char name[48];
  std::snprintf(name, sizeof name, "%016llx%016llx.mesh", static_cast<unsigned long long>(hash.a),
                static_cast<unsigned long long>(hash.b));
  return name;
}

/// Magic, key, payload, then a hash of all three.
std::string pack(const std::string& key, const std::string& payload) {
  Writer out;
  out.value(kMagic);
  out.value(static_cast<uint64_t>(key.size()));
  std::string bytes = out.take() + key + payload;
  const Wide hash = hash_of(bytes.data(), bytes.size());
  bytes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  return bytes;
}

/// The payload of an entry that is whole and has this key; empty otherwise.
std::string_view unpack(std::string_view bytes, const std::string& key) {
  const std::string head = pack(key, {}).substr(0, sizeof kMagic + sizeof(uint64_t) + key.size());
  if (bytes.size() < head.size() + sizeof(Wide) || bytes.substr(0, head.size()) != head) return {};
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof(Wide));
  const Wide hash = hash_of(content.data(), content.size());
  if (std::memcmp(&hash, bytes.data() + content.size(), sizeof hash) != 0) return {};
  return content.substr(head.size());
}

}  // namespace

std::string mesh_key(const MeshSpec& spec, const MeshWork& mesh, const std::string& bytes) {
  Writer key;
  constexpr std::string_view kMaker = kVersion;
  for (char c : kMaker) key.value(c);
  for (char c : std::string_view(PLIANT_MESH_CODE)) key.value(c);
  key.value(static_cast<uint64_t>(bytes.size()));
  key.value(hash_of(bytes.data(), bytes.size()));
  key.value(mesh_format(spec));
  key.value(spec.refpos), key.value(spec.refquat), key.value(spec.scale), key.value(spec.stretch);
  key.value(spec.smoothnormal), key.value(spec.inertia), key.value(spec.maxhullvert);
  key.value(mesh.needs_hull);
  key.list(spec.vertex), key.list(spec.normal), key.list(spec.texcoord), key.list(spec.face);
  return key.take();
}

bool load_cached_mesh(const std::string& folder, const std::string& key, MeshWork& mesh, std::string& problem) {
  const std::string name = entry_name(key);
  std::ifstream stream(fs::path(folder) / name, std::ios::binary | std::ios::ate);
  if (!stream) return false;
  std::string bytes(static_cast<size_t>(std::max<std::streamoff>(stream.tellg(), 0)), '\0');
  stream.seekg(0);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  MeshWork found;
  Reader reader(stream ? unpack(bytes, key) : std::string_view());
  visit_mesh(reader, found);
  if (!reader.good()) {
    problem = "the entry " + quote(name) + " of the mesh cache is damaged and was not used";
    return false;
  }
  found.needs_hull = mesh.needs_hull;
  mesh = std::move(found);
  return true;
}

void store_cached_mesh(const std::string& folder, const std::string& key, const MeshWork& mesh, std::string& problem) {
  std::error_code error;
  fs::create_directories(folder, error);
  Writer payload;
  visit_mesh(payload, mesh);
  try {
    // an entry that did not reach the disk before a crash is found out by its checksum
    write_whole_file(fs::path(folder) / entry_name(key), pack(key, payload.take()), OutputFile::Sync::kNo);
  } catch (const std::runtime_error& failed) {
    problem = std::string("the mesh cache keeps nothing: ") + failed.what();
  }
}

}  // namespace pliant

// Binary Model files (.plm): start in milliseconds, refuse everything that is not exactly what was saved.
//
// Layout, little-endian: header {magic, version, layout, payload bytes, checksum}, then sizes, options,
// statistic, visual, arrays in the order of model_fields.def (tightly packed), texts. `layout` hashes the
// field list, so that a file of another version of the lists is refused by name and not misread; the
// checksum covers header and payload, so that a flipped bit anywhere is refused.

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>

#include "base/hash.h"
#include "model/array_checks.h"
#include "model/plm_format.h"
#include "pliant/model_io.h"

namespace pliant {
namespace {

constexpr char kMagic[8] = {'P', 'L', 'I', 'A', 'N', 'T', 'M', '\n'};
constexpr uint32_t kVersion = 2;
constexpr uint32_t kEndian = 0x01020304;

struct Header {
  char magic[8];
  uint32_t version, endian;
  uint64_t layout, bytes, checksum;
};
static_assert(sizeof(Header) == kPlmHeaderBytes);

uint64_t layout_hash() {
  Hash hash;
  const auto text = [&](const char* t) { hash.add(t, std::strlen(t)); };
  for (const SizeInfo& size : model_sizes()) text(size.name);
  for (const FieldInfo& field : model_fields()) {
    text(field.name);
    text(field.count_name);
    text(field.width_name);
    const auto scalar = static_cast<uint64_t>(field.scalar);
    hash.add(&scalar, sizeof scalar);
  }
  return hash.value();
}

/// The part of the checksum that the header contributes.
Hash start_checksum(Header header) {
  header.checksum = 0;
  Hash hash;
  hash.add(&header, sizeof header);
  return hash;
}

class Writer {
 public:
  explicit Writer(size_t expected) { out_.reserve(expected); }
  template <class T> void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    out_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  void bytes(const void* data, size_t n) { out_.append(static_cast<const char*>(data), n); }
  void text(const std::string& t) {
    value(static_cast<uint64_t>(t.size()));
    out_ += t;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Takes the payload piece by piece from wherever it is, counts down and adds to the checksum: arrays go
/// straight into the Model, without a copy of the file in between.
class Reader {
 public:
  using Fetch = std::function<bool(void* to, size_t bytes)>;
  Reader(Fetch fetch, uint64_t bytes, Hash hash)
      : fetch_(std::move(fetch)), left_(bytes), hash_(hash) {}

  void bytes(void* to, size_t n) {
    if (n > left_) fine_ = false;
    if (!fine_) return;
    // in pieces, so that the checksum finds them in the cache
    constexpr size_t kPiece = size_t{1} << 17;
    auto* at = static_cast<char*>(to);
    for (size_t piece; n > 0 && fine_; n -= piece, at += piece) {
      piece = std::min(n, kPiece);
      fine_ = fetch_(at, piece);
      left_ -= piece;
      hash_.add(at, piece);
    }
  }
  template <class T> void value(T& v) { bytes(&v, sizeof v); }
  void text(std::string& t) {
    uint64_t n = 0;
    value(n);
    if (n > left_) fine_ = false;
    if (!fine_) return;
    t.resize(n);
    bytes(t.data(), n);
  }
  bool fine() const { return fine_; }
  uint64_t left() const { return left_; }

  /// Checksum of everything, what was left unread included.
  uint64_t checksum() {
    char piece[4096];
    fine_ = true;
    while (left_ > 0 && fine_) bytes(piece, std::min<uint64_t>(left_, sizeof piece));
    return hash_.value();
  }

 private:
  Fetch fetch_;
  uint64_t left_;
  Hash hash_;
  bool fine_ = true;
};

template <class V> void write_settings(Writer& out, V& model) {
  const auto put = [&](const auto& v) { out.value(v); };
  visit_options(model.opt, put);
  visit_statistic(model.stat, put);
  visit_visual(model.vis, put);
  out.value(model.arena_bytes);
}

std::string payload_of(const Model& model) {
  Writer out(model.bytes());
  const int nsize = static_cast<int>(model_sizes().size());
  for (int i = 0; i < nsize; ++i) out.value(static_cast<int32_t>(model.size_value(i)));
  write_settings(out, model);
  const auto fields = model_fields();
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const size_t n = size_t(model.field_count(i)) * model.field_width(i) * scalar_bytes(fields[i].scalar);
    if (n > 0) out.bytes(model.field_data(i), n);
  }
  const auto texts = [&](const std::vector<std::string>& list) {
    out.value(static_cast<uint64_t>(list.size()));
    for (const std::string& t : list) out.text(t);
  };
  texts(model.pending);
  texts(model.files);
  out.value(static_cast<uint64_t>(model.origins.size()));
  for (const auto& [type, origins] : model.origins) {
    out.value(static_cast<int32_t>(type));
    out.value(static_cast<uint64_t>(origins.size()));
    for (const Origin& origin : origins) out.value(origin);
  }
  return out.take();
}

constexpr const char* kDoesNotFit = "its content does not fit its sizes";

/// "" when the payload has the form of a Model, else what is wrong with it.
std::string read_payload(Reader& in, Model& model) {
  ModelSizes sizes;
  int32_t value = 0;
#define SIZE(name, meaning) \
  in.value(value);          \
  sizes.name = value;
#include "pliant/model_sizes.def"
#undef SIZE
  Model settings;
  bool is_bool = true;
  const auto get = [&]<class T>(T& v) {
    if constexpr (std::is_same_v<T, bool>) {
      // a byte that is neither must not become a bool
      uint8_t byte = 0;
      in.value(byte);
      is_bool &= byte <= 1;
      v = byte == 1;
    } else {
      in.value(v);
    }
  };
  visit_options(settings.opt, get);
  visit_statistic(settings.stat, get);
  visit_visual(settings.vis, get);
  in.value(settings.arena_bytes);
  if (!in.fine()) return kDoesNotFit;
  if (!is_bool) return "a switch is neither on nor off";
  // nothing is allocated before the sizes have been compared with the bytes that are there
  if (std::string problem = size_problem(sizes); !problem.empty()) return problem;
  if (static_cast<uint64_t>(array_bytes(sizes)) > in.left()) return kDoesNotFit;
  model = Model(sizes, Model::Unfilled{});
  model.opt = settings.opt;
  model.stat = settings.stat;
  model.vis = settings.vis;
  model.arena_bytes = settings.arena_bytes;
  const auto fields = model_fields();
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const size_t n = size_t(model.field_count(i)) * model.field_width(i) * scalar_bytes(fields[i].scalar);
    if (n > 0) in.bytes(model.field_data(i), n);
  }
  const auto texts = [&](std::vector<std::string>& list) {
    uint64_t n = 0;
    in.value(n);
    for (uint64_t i = 0; i < n && in.fine(); ++i) in.text(list.emplace_back());
  };
  texts(model.pending);
  texts(model.files);
  uint64_t kinds = 0;
  in.value(kinds);
  for (uint64_t k = 0; k < kinds && in.fine(); ++k) {
    int32_t type = 0;
    uint64_t n = 0;
    in.value(type);
    in.value(n);
    if (n > in.left() / sizeof(Origin)) return kDoesNotFit;
    auto& origins = model.origins[static_cast<ObjType>(type)];
    origins.resize(n);
    in.bytes(origins.data(), n * sizeof(Origin));
  }
  return in.fine() && in.left() == 0 ? "" : kDoesNotFit;
}

[[noreturn]] void refuse(const std::string& path, std::string message, std::string hint = {}) {
  Diagnostic diagnostic;
  diagnostic.code = Code::kFileUnreadable;
  diagnostic.file = path;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  throw LoadError({diagnostic});
}

}  // namespace

std::string seal_plm(std::string_view payload) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.endian = kEndian;
  header.layout = layout_hash();
  header.bytes = payload.size();
  Hash hash = start_checksum(header);
  hash.add(payload.data(), payload.size());
  header.checksum = hash.value();
  std::string file(reinterpret_cast<const char*>(&header), sizeof header);
  return file.append(payload);
}

std::string write_plm(const Model& model) { return seal_plm(payload_of(model)); }

void save_plm(const Model& model, const std::filesystem::path& path) {
  const std::string bytes = write_plm(model);
  // written beside and renamed, so that a reader never meets half a file
  const std::filesystem::path part = path.string() + ".part";
  {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) {
      std::error_code ignored;
      std::filesystem::remove(part, ignored);
      throw std::runtime_error("save_plm: cannot write '" + path.string() + "'");
    }
  }
  std::filesystem::rename(part, path);
}

namespace {

/// `bytes` is the length of the file; `fetch` delivers them in order.
Model read_file(const Reader::Fetch& fetch, uint64_t bytes, const std::string& name) {
  Header header;
  if (bytes < sizeof header) refuse(name, "the file is too short to be a Pliant model");
  if (!fetch(&header, sizeof header)) refuse(name, "the file cannot be read");
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) {
    refuse(name, "the file is not a Pliant model");
  }
  if (header.version != kVersion || header.endian != kEndian || header.layout != layout_hash()) {
    refuse(name, "the file was made by another version of Pliant",
           "make it again from the MJCF file with `pliant compile`");
  }
  if (header.bytes != bytes - sizeof header) refuse(name, "the file is cut short or too long");
  Model model;
  Reader in(fetch, header.bytes, start_checksum(header));
  std::string problem = read_payload(in, model);
  // damage explains whatever else was found
  if (in.checksum() != header.checksum) refuse(name, "the file is damaged: its checksum does not match");
  if (problem.empty()) problem = array_problem(model);
  if (!problem.empty()) refuse(name, "the file holds no usable model: " + problem);
  return model;
}

}  // namespace

Model read_plm(std::string_view bytes, const std::string& name) {
  size_t at = 0;
  const auto fetch = [&](void* to, size_t n) {
    if (n > bytes.size() - at) return false;
    std::memcpy(to, bytes.data() + at, n);
    at += n;
    return true;
  };
  return read_file(fetch, bytes.size(), name);
}

Model load_plm(const std::filesystem::path& path) {
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  // a folder or a device has no size to trust
  if (error || !std::filesystem::is_regular_file(path, error)) {
    refuse(path.string(), "the file cannot be read");
  }
  std::ifstream stream(path, std::ios::binary);
  const auto fetch = [&](void* to, size_t n) {
    return bool(stream.read(static_cast<char*>(to), static_cast<std::streamsize>(n)));
  };
  return read_file(fetch, size, path.string());
}

}  // namespace pliant

// Binary Model files (.plm): start in milliseconds, refuse everything that is not exactly what was saved.
//
// Layout, little-endian: header {magic, version, layout, payload bytes, checksum}, then sizes, options,
// statistic, visual, arrays in the order of model_fields.def (tightly packed), texts. `layout` hashes the
// field list, so that a file of another version of the lists is refused by name and not misread; the
// checksum covers header and payload, so that a flipped bit anywhere is refused.

#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/hash.h"
#include "pliant/model_io.h"

namespace pliant {
namespace {

constexpr char kMagic[8] = {'P', 'L', 'I', 'A', 'N', 'T', 'M', '\n'};
constexpr uint32_t kVersion = 1;
constexpr uint32_t kEndian = 0x01020304;

struct Header {
  char magic[8];
  uint32_t version, endian;
  uint64_t layout, bytes, checksum;
};
static_assert(sizeof(Header) == 40);

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

uint64_t checksum(Header header, const char* payload) {
  header.checksum = 0;
  Hash hash;
  hash.add(&header, sizeof header);
  hash.add(payload, header.bytes);
  return hash.value();
}

class Writer {
 public:
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

class Reader {
 public:
  Reader(const char* data, size_t n) : p_(data), left_(n) {}
  bool bytes(void* to, size_t n) {
    if (n > left_) return fine_ = false;
    std::memcpy(to, p_, n);
    p_ += n;
    left_ -= n;
    return true;
  }
  template <class T> void value(T& v) { bytes(&v, sizeof v); }
  void text(std::string& t) {
    uint64_t n = 0;
    value(n);
    if (!fine_ || n > left_) { fine_ = false; return; }
    t.assign(p_, n);
    p_ += n;
    left_ -= n;
  }
  bool fine() const { return fine_; }
  size_t left() const { return left_; }
  void fail() { fine_ = false; }

 private:
  const char* p_;
  size_t left_;
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
  Writer out;
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

/// Bytes of all arrays for these sizes, or -1 when a size is negative or the sum absurd.
int64_t array_bytes(const ModelSizes& sizes) {
  class Shape : public Model {
   public:
    explicit Shape(const ModelSizes& s) { static_cast<ModelSizes&>(*this) = s; }
  } shape(sizes);
  long double total = 0;
  const auto fields = model_fields();
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const int count = shape.field_count(i), width = shape.field_width(i);
    if (count < 0 || width < 0) return -1;
    total += static_cast<long double>(count) * width * scalar_bytes(fields[i].scalar);
  }
  return total > 1e15L ? -1 : static_cast<int64_t>(total);
}

bool read_payload(Reader& in, Model& model) {
  ModelSizes sizes;
  int32_t value = 0;
#define SIZE(name, meaning) \
  in.value(value);          \
  sizes.name = value;
#include "pliant/model_sizes.def"
#undef SIZE
  const Model settings_holder;
  Model settings = settings_holder;
  const auto get = [&](auto& v) { in.value(v); };
  visit_options(settings.opt, get);
  visit_statistic(settings.stat, get);
  visit_visual(settings.vis, get);
  in.value(settings.arena_bytes);
  const int64_t expected = array_bytes(sizes);
  if (!in.fine() || expected < 0 || static_cast<uint64_t>(expected) > in.left()) return false;
  model = Model(sizes);
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
    if (n > in.left() / sizeof(Origin)) return false;
    auto& origins = model.origins[static_cast<ObjType>(type)];
    origins.resize(n);
    for (Origin& origin : origins) in.value(origin);
  }
  return in.fine() && in.left() == 0;
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

std::string plm_bytes(const Model& model) {
  const std::string payload = payload_of(model);
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.endian = kEndian;
  header.layout = layout_hash();
  header.bytes = payload.size();
  header.checksum = checksum(header, payload.data());
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + payload;
}

void save_plm(const Model& model, const std::filesystem::path& path) {
  const std::string bytes = plm_bytes(model);
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

Model read_plm(std::string_view bytes, const std::string& name) {
  if (bytes.size() < sizeof(Header)) refuse(name, "the file is too short to be a Pliant model");
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) refuse(name, "the file is not a Pliant model");
  if (header.version != kVersion || header.endian != kEndian || header.layout != layout_hash()) {
    refuse(name, "the file was made by another version of Pliant",
           "make it again from the MJCF file with `pliant compile`");
  }
  const std::string_view payload = bytes.substr(sizeof header);
  if (header.bytes != payload.size()) refuse(name, "the file is cut short or too long");
  if (checksum(header, payload.data()) != header.checksum) {
    refuse(name, "the file is damaged: its checksum does not match");
  }
  Model model;
  Reader in(payload.data(), payload.size());
  if (!read_payload(in, model)) refuse(name, "the file is damaged: its content does not fit its sizes");
  return model;
}

Model load_plm(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) refuse(path.string(), "the file cannot be read");
  std::string bytes(static_cast<size_t>(stream.tellg()), '\0');
  stream.seekg(0);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!stream) refuse(path.string(), "the file cannot be read");
  return read_plm(bytes, path.string());
}

}  // namespace pliant

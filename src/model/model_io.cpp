// Binary Model files (.plm): start in milliseconds, refuse everything that is not exactly what was saved.
//
// Layout, little-endian: header {magic, version, layout, payload bytes, checksum}; preface {sizes, options,
// statistic, visual, texts, origins}; zeros up to a multiple of 64 bytes; the block of the Model as it lies
// in memory. `layout` hashes the field list, so that a file of another version of the lists is refused by
// name and not misread; the checksum covers everything, so that a flipped bit anywhere is refused.
//
// Large files are mapped, not read: the arrays of the Model are the pages of the file, private to the
// process and copied by the system when they are written to. Cost: one pass for the checksum, one for
// array_checks.h; no allocation, no copy.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <future>
#include <system_error>
#include <utility>

#include "base/file_names.h"
#include "base/hash.h"
#include "base/output_file.h"
#include "model/array_checks.h"
#include "model/contact_candidates.h"
#include "model/plm_format.h"
#include "pliant/model_io.h"

namespace pliant {
namespace {

constexpr char kMagic[8] = {'P', 'L', 'I', 'A', 'N', 'T', 'M', '\n'};
constexpr uint32_t kVersion = 4;
constexpr uint32_t kEndian = 0x01020304;

struct Header {
  char magic[8];
  uint32_t version, endian;
  uint64_t layout, bytes, checksum;
  uint64_t reserved[3];
};
static_assert(sizeof(Header) == kPlmHeaderBytes);
static_assert(kPlmBlockAlignment % Model::kAlignment == 0);

constexpr size_t gap_before(size_t offset, size_t alignment) { return (alignment - offset % alignment) % alignment; }

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

/// Checksum of a whole file, its own place counted as zero.
uint64_t checksum_of(Header header, std::string_view payload) {
  header.checksum = 0;
  Hash hash;
  hash.add(&header, sizeof header);
  hash.add(payload.data(), payload.size());
  return hash.value();
}

// ---- writing

class Writer {
 public:
  /// Leaves room for the header.
  explicit Writer(size_t expected) {
    out_.reserve(expected);
    out_.resize(sizeof(Header));
  }
  template <class T>
  void value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    out_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  void bytes(const void* data, size_t n) { out_.append(static_cast<const char*>(data), n); }
  void text(const std::string& t) {
    value(static_cast<uint64_t>(t.size()));
    out_ += t;
  }
  void texts(const std::vector<std::string>& list) {
    value(static_cast<uint64_t>(list.size()));
    for (const std::string& t : list) text(t);
  }
  /// Zeros up to a multiple of `alignment` from the start of the file.
  void align(size_t alignment) { out_.append(gap_before(out_.size(), alignment), '\0'); }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

void write_preface(Writer& out, const Model& model, Places places) {
  const int nsize = static_cast<int>(model_sizes().size());
  for (int i = 0; i < nsize; ++i) out.value(static_cast<int32_t>(model.size_value(i)));
  const auto put = [&](const auto& v) { out.value(v); };
  visit_options(model.opt, put);
  visit_statistic(model.stat, put);
  visit_visual(model.vis, put);
  out.value(model.arena_bytes);
  out.texts(model.pending);
  if (places == Places::kLeftOut) {
    out.texts({});
    return out.value(uint64_t{0});
  }
  out.texts(model.files);
  out.value(static_cast<uint64_t>(model.origins.size()));
  for (const auto& [type, origins] : model.origins) {
    out.value(static_cast<int32_t>(type));
    out.value(static_cast<uint64_t>(origins.size()));
    for (const Origin& origin : origins) out.value(origin);
  }
}

/// The block array by array, so that gaps are zero whatever memory holds there.
void write_block(Writer& out, const Model& model) {
  out.align(kPlmBlockAlignment);
  const auto fields = model_fields();
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const size_t n = size_t(model.field_count(i)) * model.field_width(i) * scalar_bytes(fields[i].scalar);
    if (n > 0) out.bytes(model.field_data(i), n);
    out.align(Model::kAlignment);
  }
}

/// Fills the header of a file that is otherwise complete.
void seal(std::string& file) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.endian = kEndian;
  header.layout = layout_hash();
  header.bytes = file.size() - sizeof header;
  header.checksum = checksum_of(header, std::string_view(file).substr(sizeof header));
  std::memcpy(file.data(), &header, sizeof header);
}

// ---- reading

/// Takes values one by one from bytes that may end too soon.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  void bytes(void* to, size_t n) {
    if (n > left()) fine_ = false;
    if (!fine_ || n == 0) return;
    std::memcpy(to, bytes_.data() + at_, n);
    at_ += n;
  }
  template <class T>
  void value(T& v) {
    bytes(&v, sizeof v);
  }
  void texts(std::vector<std::string>& list) {
    uint64_t count = 0;
    value(count);
    for (uint64_t i = 0; i < count && fine_; ++i) {
      uint64_t n = 0;
      value(n);
      if (n > left()) fine_ = false;
      if (!fine_) return;
      list.emplace_back(bytes_.substr(at_, n));
      at_ += n;
    }
  }
  /// Passes zeros up to a multiple of `alignment` from the start of all bytes.
  void align(size_t alignment) {
    for (size_t n = gap_before(at_, alignment); n > 0 && fine_; --n) {
      char zero = 1;
      value(zero);
      fine_ &= zero == 0;
    }
  }
  void skip(size_t n) { at_ += n; }
  bool fine() const { return fine_; }
  size_t at() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  bool fine_ = true;
};

constexpr const char* kDoesNotFit = "its content does not fit its sizes";

/// Sizes into `sizes`, settings, texts and origins into `model`, which has no arrays yet. "" when they can
/// be those of a Model, else what is wrong with them.
std::string read_preface(Reader& in, ModelSizes& sizes, Model& model) {
  int32_t value = 0;
#define SIZE(name, meaning) \
  in.value(value);          \
  sizes.name = value;
#include "pliant/model_sizes.def"
#undef SIZE
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
  visit_options(model.opt, get);
  visit_statistic(model.stat, get);
  visit_visual(model.vis, get);
  in.value(model.arena_bytes);
  if (!in.fine()) return kDoesNotFit;
  if (!is_bool) return "a switch is neither on nor off";
  if (std::string problem = size_problem(sizes); !problem.empty()) return problem;
  in.texts(model.pending);
  in.texts(model.files);
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
  in.align(kPlmBlockAlignment);
  // no memory is asked for before the sizes have been compared with the bytes that are there
  return in.fine() && in.left() == Model::block_bytes(sizes) ? "" : kDoesNotFit;
}

[[noreturn]] void refuse(const std::string& path, std::string message, std::string hint = {},
                         Code code = Code::kFileUnreadable) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.file = path;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  throw LoadError({diagnostic});
}

/// Refuses what is not a whole file of this version; damage is another matter.
Header checked_header(std::string_view file, const std::string& name) {
  Header header;
  if (file.size() < sizeof header) refuse(name, "the file is too short to be a Pliant model");
  std::memcpy(&header, file.data(), sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) {
    refuse(name, "the file is not a Pliant model");
  }
  if (header.version != kVersion || header.endian != kEndian || header.layout != layout_hash()) {
    refuse(name, "the file was made by another version of Pliant",
           "make it again from the MJCF file with `pliant compile`");
  }
  if (header.bytes != file.size() - sizeof header) refuse(name, "the file is cut short or too long");
  return header;
}

/// Runs both at the same time if there is a thread to be had, else one after the other.
template <class A, class B>
void side_by_side(A a, B b) {
  std::future<void> other;
  try {
    other = std::async(std::launch::async, a);
  } catch (const std::system_error&) {
    a();
  }
  b();
  if (other.valid()) other.get();
}

/// `with_block` makes a Model whose block holds the bytes from a place in the file on.
template <class WithBlock>
Model model_in(std::string_view file, const std::string& name, WithBlock with_block) {
  const Header header = checked_header(file, name);
  ModelSizes sizes;
  Model preface, model;
  Reader in(file);
  in.skip(sizeof header);
  std::string problem = read_preface(in, sizes, preface), numbers;
  if (problem.empty()) {
    model = with_block(sizes, in.at());
    model.opt = preface.opt;
    model.stat = preface.stat;
    model.vis = preface.vis;
    model.arena_bytes = preface.arena_bytes;
    model.pending = std::move(preface.pending);
    model.files = std::move(preface.files);
    model.origins = std::move(preface.origins);
  }
  // the checks bear whatever a damaged file holds
  bool damaged = false;
  const bool readable = problem.empty();
  const auto check_bits = [&] {
    damaged = checksum_of(header, file.substr(sizeof header)) != header.checksum;
    if (readable && !damaged) numbers = number_problem(model);
  };
  const auto check_links = [&] {
    if (readable) problem = link_problem(model);
  };
  constexpr size_t kWorthAThread = size_t{4} << 20;
  if (file.size() >= kWorthAThread) {
    side_by_side(check_bits, check_links);
  } else {
    check_bits();
    check_links();
  }
  // damage explains whatever else was found
  if (damaged) refuse(name, "the file is damaged: its checksum does not match");
  if (problem.empty()) problem = std::move(numbers);
  if (!problem.empty()) refuse(name, "the file holds no usable model: " + problem);
  prepare_contacts(model);
  return model;
}

// ---- files

/// A regular file open for reading.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    // a folder or a device has no size to trust
    fine_ = descriptor_ >= 0 && fstat(descriptor_, &at_first_) == 0 && S_ISREG(at_first_.st_mode);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  bool fine() const { return fine_; }
  int descriptor() const { return descriptor_; }
  size_t bytes() const { return static_cast<size_t>(at_first_.st_size); }

  /// Whether it is still as long and as old as when it was opened.
  bool is_unchanged() const {
    struct stat now;
    return fstat(descriptor_, &now) == 0 && now.st_size == at_first_.st_size &&
           now.st_mtim.tv_sec == at_first_.st_mtim.tv_sec && now.st_mtim.tv_nsec == at_first_.st_mtim.tv_nsec;
  }
  /// All bytes; fewer when it ends too soon or cannot be read.
  std::string read_all() const {
    std::string all(bytes(), '\0');
    size_t at = 0;
    while (at < all.size()) {
      const ssize_t n = read(descriptor_, all.data() + at, all.size() - at);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      at += static_cast<size_t>(n);
    }
    all.resize(at);
    return all;
  }

 private:
  int descriptor_;
  struct stat at_first_ = {};
  bool fine_ = false;
};

/// A private mapping of a file, until a Model takes it over; empty where the system does not map it.
class PrivateMapping {
 public:
  explicit PrivateMapping(const OpenFile& file) {
    void* start = mmap(nullptr, file.bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE, file.descriptor(), 0);
    if (start == MAP_FAILED) return;
    mapping_ = {start, file.bytes()};
#ifdef MADV_POPULATE_READ
    // all pages at once instead of a fault for every few of them
    madvise(start, file.bytes(), MADV_POPULATE_READ);
#endif
  }
  PrivateMapping(const PrivateMapping&) = delete;
  PrivateMapping& operator=(const PrivateMapping&) = delete;
  ~PrivateMapping() {
    if (mapping_.start) munmap(mapping_.start, mapping_.bytes);
  }
  std::string_view bytes() const { return {static_cast<const char*>(mapping_.start), mapping_.bytes}; }
  FileMapping give_away() { return std::exchange(mapping_, {}); }

 private:
  FileMapping mapping_;
};

}  // namespace

std::string seal_plm(std::string_view payload) {
  std::string file(sizeof(Header), '\0');
  file += payload;
  seal(file);
  return file;
}

std::string write_plm(const Model& model, Places places) {
  constexpr size_t kUsualPreface = size_t{1} << 16;
  Writer out(model.bytes() + kUsualPreface);
  write_preface(out, model, places);
  write_block(out, model);
  std::string file = out.take();
  seal(file);
  return file;
}

void save_plm(const Model& model, const std::filesystem::path& path) { write_whole_file(path, write_plm(model)); }

Model read_plm(std::string_view bytes, const std::string& name) {
  return model_in(bytes, name, [&](const ModelSizes& sizes, size_t at) {
    Model model(sizes, Model::Unfilled{});
    std::memcpy(model.field_data(0), bytes.data() + at, model.bytes());
    return model;
  });
}

Model load_plm(const std::filesystem::path& path) {
  // copying less than this takes no time, and a copy cannot be pulled away
  constexpr size_t kSmall = size_t{1} << 20;
  const std::string name = path.string();
  const OpenFile file(path);
  std::error_code problem;
  if (!file.fine() && !std::filesystem::exists(path, problem)) {
    refuse(name, "there is no file '" + name + "'", did_you_mean_file(path), Code::kFileNotFound);
  }
  if (!file.fine()) refuse(name, "the file cannot be read");
  if (file.bytes() < kSmall) return read_plm(file.read_all(), name);
  PrivateMapping mapping(file);
  const std::string_view bytes = mapping.bytes();
  if (bytes.empty()) return read_plm(file.read_all(), name);
  Model model = model_in(bytes, name, [&](const ModelSizes& sizes, size_t at) {
    const FileMapping given = mapping.give_away();
    return Model(sizes, given, static_cast<std::byte*>(given.start) + at);
  });
  if (!file.is_unchanged()) refuse(name, "the file was changed while it was read");
  return model;
}

}  // namespace pliant

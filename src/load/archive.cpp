// Zip archives: the directory at the end names every file and where it begins; files are stored as they are or deflated.

#include "load/archive.h"

#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/text.h"
#include "load/asset_path.h"

namespace pliant {
namespace {

constexpr uint32_t kEndMark = 0x06054b50, kDirectoryMark = 0x02014b50, kFileMark = 0x04034b50;
constexpr size_t kEndBytes = 22, kDirectoryBytes = 46, kFileBytes = 30;
constexpr size_t kMaxComment = 65535;
constexpr uint16_t kEncrypted = 1, kStored = 0, kDeflated = 8;

/// Numbers at a place in the bytes; the caller has checked that they are there.
uint16_t number16(const std::string& bytes, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<uint16_t>(static_cast<unsigned char>(bytes[at + i])); };
  return static_cast<uint16_t>(byte(0) | byte(1) << 8);
}
uint32_t number32(const std::string& bytes, size_t at) {
  return number16(bytes, at) | static_cast<uint32_t>(number16(bytes, at + 2)) << 16;
}

struct Entry {
  std::string name;
  uint16_t flags = 0, method = 0;
  uint32_t checksum = 0;
  size_t packed = 0, size = 0, header = 0;
};

class ArchiveReader {
 public:
  ArchiveReader(const std::string& path, const std::string& bytes, int64_t most, Diagnostics& diagnostics,
                ArchiveFiles& files)
      : path_(path), bytes_(bytes), left_(most), most_(most), diagnostics_(diagnostics), files_(files) {}

  bool read() {
    const std::optional<size_t> end = find_end();
    if (!end) return fail("is not a zip archive, or is cut off");
    const size_t count = number16(bytes_, *end + 10);
    size_t at = number32(bytes_, *end + 16);
    if (count == 0xffff || at == 0xffffffff) {
      return fail("is a zip64 archive, which is not read", "pack fewer than 65535 files, of less than 4 GiB together");
    }
    if (number16(bytes_, *end + 4) != 0) return fail("is one part of an archive of several files");
    for (size_t i = 0; i < count; ++i) {
      Entry entry;
      if (!read_entry(at, entry)) return false;
      if (entry.name.empty() || entry.name.back() == '/') continue;  // a folder
      std::string content;
      if (!unpack(entry, content)) return false;
      if (!files_.emplace(path_ + "/" + entry.name, std::move(content)).second) {
        return fail("holds " + quote(entry.name, 200) + " twice");
      }
    }
    return true;
  }

 private:
  bool fail(const std::string& message, const std::string& hint = {}, Code code = Code::kBadArchive) {
    diagnostics_.error(code, Origin{diagnostics_.add_file(path_), 0, 0}, "", quote(path_, 200) + " " + message, hint);
    return false;
  }

  bool there(size_t at, size_t count) const { return at <= bytes_.size() && count <= bytes_.size() - at; }

  /// The end of the directory stands before a comment of any length.
  std::optional<size_t> find_end() const {
    if (bytes_.size() < kEndBytes) return {};
    const size_t last = bytes_.size() - kEndBytes;
    for (size_t back = 0; back <= std::min(last, kMaxComment); ++back) {
      const size_t at = last - back;
      if (number32(bytes_, at) == kEndMark && number16(bytes_, at + 20) == back) return at;
    }
    return {};
  }

  bool read_entry(size_t& at, Entry& entry) {
    if (!there(at, kDirectoryBytes) || number32(bytes_, at) != kDirectoryMark) {
      return fail("has a damaged list of files");
    }
    entry.flags = number16(bytes_, at + 8);
    entry.method = number16(bytes_, at + 10);
    entry.checksum = number32(bytes_, at + 16);
    entry.packed = number32(bytes_, at + 20);
    entry.size = number32(bytes_, at + 24);
    entry.header = number32(bytes_, at + 42);
    const size_t name = number16(bytes_, at + 28);
    const size_t rest = size_t{number16(bytes_, at + 30)} + number16(bytes_, at + 32);
    if (!there(at + kDirectoryBytes, name + rest)) return fail("has a damaged list of files");
    entry.name = bytes_.substr(at + kDirectoryBytes, name);
    std::replace(entry.name.begin(), entry.name.end(), '\\', '/');
    at += kDirectoryBytes + name + rest;
    return check_name(entry.name);
  }

  /// Names stay inside the archive.
  bool check_name(const std::string& name) {
    bool inside = name.find('\0') == std::string::npos && name.rfind('/', 0) != 0 && name.find(':') == std::string::npos;
    for (size_t at = 0; at <= name.size() && inside;) {
      const size_t slash = std::min(name.find('/', at), name.size());
      inside = name.compare(at, slash - at, "..") != 0;
      at = slash + 1;
    }
    return inside || fail("holds a file that would lie outside of it: " + quote(name, 200));
  }

  bool unpack(const Entry& entry, std::string& content) {
    const std::string what = "holds " + quote(entry.name, 200) + ", which ";
    if (entry.flags & kEncrypted) return fail(what + "is encrypted");
    if (entry.method != kStored && entry.method != kDeflated) {
      return fail(what + "is packed by method " + std::to_string(entry.method), "methods 0 (stored) and 8 (deflate) are read");
    }
    if (static_cast<int64_t>(entry.size) > left_) {
      return fail("holds more than " + std::to_string(most_) + " bytes of files",
                  "raise LoadOptions::max_archive_bytes if this is meant", Code::kTooLarge);
    }
    left_ -= static_cast<int64_t>(entry.size);
    if (!there(entry.header, kFileBytes) || number32(bytes_, entry.header) != kFileMark) {
      return fail(what + "is not where the list says");
    }
    const size_t begin = entry.header + kFileBytes + number16(bytes_, entry.header + 26) +
                         size_t{number16(bytes_, entry.header + 28)};
    if (!there(begin, entry.packed)) return fail(what + "is cut off");
    if (entry.method == kStored) {
      if (entry.packed != entry.size) return fail(what + "has two different sizes");
      content = bytes_.substr(begin, entry.size);
    } else if (!inflate_into(begin, entry, content)) {
      return fail(what + "is damaged");
    }
    const auto* data = reinterpret_cast<const Bytef*>(content.data());
    if (crc32_z(crc32_z(0, nullptr, 0), data, content.size()) != entry.checksum) {
      return fail(what + "is damaged: its checksum is wrong");
    }
    return true;
  }

  /// Exactly as many bytes as the list says, no more: the budget was asked for these.
  bool inflate_into(size_t begin, const Entry& entry, std::string& content) const {
    // deflate packs at most about 1032 to 1: what claims more is lying, and memory is not given to it
    if (entry.size / 1040 > entry.packed + 64) return false;
    content.resize(entry.size);
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + begin));
    stream.avail_in = static_cast<uInt>(entry.packed);
    char nothing;
    stream.next_out = reinterpret_cast<Bytef*>(content.empty() ? &nothing : content.data());
    stream.avail_out = static_cast<uInt>(entry.size);
    const int result = inflate(&stream, Z_FINISH);
    const bool whole = result == Z_STREAM_END && stream.total_out == entry.size;
    inflateEnd(&stream);
    return whole;
  }

  const std::string& path_;
  const std::string& bytes_;
  int64_t left_;
  const int64_t most_;
  Diagnostics& diagnostics_;
  ArchiveFiles& files_;
};

}  // namespace

bool is_archive(const std::string& path) {
  const std::string_view name = file_name(path);
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  std::string extension(name.substr(dot));
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension == ".mjz" || extension == ".zip";
}

bool read_archive(const std::string& path, const std::string& bytes, int64_t most, Diagnostics& diagnostics,
                  ArchiveFiles& files) {
  return ArchiveReader(path, bytes, most, diagnostics, files).read();
}

std::string archive_model(const std::string& path, const ArchiveFiles& files, Diagnostics& diagnostics) {
  const std::string name(file_stem(path));
  for (const std::string& candidate :
       {std::string("model.xml"), name + ".xml", name + "/" + name + ".xml", name + "/model.xml"}) {
    if (files.count(path + "/" + candidate)) return path + "/" + candidate;
  }
  diagnostics.error(Code::kBadArchive, Origin{diagnostics.add_file(path), 0, 0}, "",
                    quote(path, 200) + " holds no model",
                    "it is looked for as model.xml, " + name + ".xml, " + name + "/" + name + ".xml and " + name +
                        "/model.xml");
  return "";
}

}  // namespace pliant

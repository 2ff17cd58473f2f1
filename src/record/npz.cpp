// The zip archive (stored, no compression) and the heads of arrays.

#include "record/npz.h"

#include <algorithm>
#include <stdexcept>

#include "record/chunks.h"

namespace pliant {
namespace {

void put(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
}

/// The fields that a file's own head and its line in the directory share.
std::string file_fields(uint32_t crc, uint32_t size, size_t name_length) {
  std::string out;
  put(out, 20, 2);      // version that can read it
  put(out, 0x0800, 2);  // names are UTF-8
  put(out, 0, 2);       // stored
  put(out, 0, 2);       // time: none, so that equal recordings are equal files
  put(out, 0x0021, 2);  // date: 1980-01-01
  put(out, crc, 4);
  put(out, size, 4);  // compressed
  put(out, size, 4);  // and not
  put(out, name_length, 2);
  put(out, 0, 2);  // no extra field
  return out;
}

std::string array_head(std::string_view type, const std::vector<int64_t>& shape) {
  std::string text = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const int64_t n : shape) text += std::to_string(n) + ", ";
  text += "), }";
  // "(3, )" is how Python writes a single axis, but for the space
  constexpr size_t kAlignment = 64, kFixed = 10;
  const size_t length = kFixed + text.size() + 1;
  text.append((kAlignment - length % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string head = "\x93NUMPY";
  head += '\x01';
  head += '\x00';
  put(head, text.size(), 2);
  return head + text;
}

/// Code points of UTF-8; what is not UTF-8 becomes U+FFFD.
std::u32string decode(std::string_view text) {
  std::u32string out;
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const int more = first < 0x80 ? 0 : first >> 5 == 6 ? 1 : first >> 4 == 14 ? 2 : first >> 3 == 30 ? 3 : -1;
    char32_t point = more <= 0 ? first : first & (0x3f >> more);
    bool valid = more >= 0 && i + static_cast<size_t>(more) < text.size();
    for (int k = 1; valid && k <= more; ++k) {
      const auto next = static_cast<unsigned char>(text[i + static_cast<size_t>(k)]);
      valid = next >> 6 == 2;
      point = point << 6 | (next & 0x3f);
    }
    out += valid ? point : U'\ufffd';
    i += valid ? static_cast<size_t>(more) + 1 : 1;
  }
  return out;
}

}  // namespace

void NpzWriter::add(std::string_view name, std::string_view type, const std::vector<int64_t>& shape,
                    std::span<const std::byte> data) {
  add(name, type, shape, data.size(), [&](const auto& take) { take(data); });
}

void NpzWriter::add(std::string_view name, std::string_view type, const std::vector<int64_t>& shape, uint64_t bytes,
                    const Pieces& produce) {
  const std::string head = array_head(type, shape), file = std::string(name) + ".npy";
  if (bytes > kMaxNpzBytes || offset_ > kMaxNpzBytes) {
    throw std::runtime_error("a recording as .npz cannot be larger than 4 GB");
  }
  const auto text = [](std::span<const std::byte> piece) {
    return std::string_view(reinterpret_cast<const char*>(piece.data()), piece.size());
  };
  uint32_t crc = crc_of(head);
  uint64_t counted = 0;
  produce([&](std::span<const std::byte> piece) {
    crc = crc_of(text(piece), crc);
    counted += piece.size();
  });
  if (counted != bytes) throw std::logic_error("an array of a recording has another size than its shape");
  const auto size = static_cast<uint32_t>(head.size() + bytes);
  std::string start = "PK\x03\x04";
  start += file_fields(crc, size, file.size()) + file;
  entries_.push_back({file, crc, size, static_cast<uint32_t>(offset_)});
  out_.write(start);
  out_.write(head);
  produce([&](std::span<const std::byte> piece) { out_.write(text(piece)); });
  offset_ += start.size() + size;
}

void NpzWriter::add(std::string_view name, const std::vector<std::string>& words) {
  std::vector<std::u32string> decoded;
  size_t longest = 1;
  for (const std::string& word : words) {
    decoded.push_back(decode(word));
    longest = std::max(longest, decoded.back().size());
  }
  std::u32string block;
  for (std::u32string& word : decoded) {
    word.resize(longest);
    block += word;
  }
  add(name, "<U" + std::to_string(longest), {static_cast<int64_t>(words.size())},
      std::as_bytes(std::span(block.data(), block.size())));
}

void NpzWriter::finish() {
  std::string directory;
  for (const Entry& entry : entries_) {
    directory += "PK\x01\x02";
    put(directory, 20, 2);  // version that wrote it
    directory += file_fields(entry.crc, entry.size, entry.name.size());
    put(directory, 0, 2);  // no comment
    put(directory, 0, 2);  // first disk
    put(directory, 0, 2);  // binary
    put(directory, 0, 4);  // no attributes
    put(directory, entry.offset, 4);
    directory += entry.name;
  }
  std::string end = "PK\x05\x06";
  put(end, 0, 4);  // one disk
  put(end, entries_.size(), 2);
  put(end, entries_.size(), 2);
  put(end, directory.size(), 4);
  put(end, offset_, 4);
  put(end, 0, 2);  // no comment
  out_.write(directory);
  out_.write(end);
}

}  // namespace pliant

// Reading .npz: the directory of the archive, files stored or deflated, heads of arrays. Every place and length is
// checked before it is used: files come from strangers.

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "record/npz.h"
#include "base/text.h"

namespace pliant {
namespace {

constexpr size_t kMostBytes = size_t{1} << 34;  // of one array: a few bytes can ask for thousands of times as many

[[noreturn]] void damaged(const std::string& what) { throw std::runtime_error("it is no .npz or .npy file: " + what); }

uint64_t number_at(std::string_view bytes, size_t at, int width) {
  if (at > bytes.size() || bytes.size() - at < static_cast<size_t>(width)) damaged("it ends too early");
  uint64_t out = 0;
  for (int i = 0; i < width; ++i) {
    out |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at + static_cast<size_t>(i)])) << (8 * i);
  }
  return out;
}

std::string_view part_at(std::string_view bytes, size_t at, size_t length) {
  if (at > bytes.size() || bytes.size() - at < length) damaged("it ends too early");
  return bytes.substr(at, length);
}

std::string inflated(std::string_view packed, size_t size) {
  if (size > kMostBytes || packed.size() > 0xffffffffu) damaged("an array is larger than 16 GB");
  std::string out(size, '\0');
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) damaged("not enough memory");
  int status = Z_OK;
  size_t at = 0;
  while (status == Z_OK && at < size) {
    const size_t room = std::min<size_t>(size - at, 1u << 30);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + at);
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    const size_t got = room - stream.avail_out;
    if (got == 0) break;
    at += got;
  }
  inflateEnd(&stream);
  if (at != size) damaged("a compressed array is damaged");
  return out;
}

/// The value of a key in the head of an array, which is a dictionary as Python writes it.
std::string_view value_of(std::string_view head, std::string_view key) {
  const size_t at = head.find(key);
  if (at == std::string_view::npos) damaged("an array's head does not say its " + std::string(key));
  const size_t colon = head.find(':', at);
  if (colon == std::string_view::npos) damaged("an array's head is damaged");
  return head.substr(colon + 1);
}

NpzArray array_of(std::string_view file) {
  if (part_at(file, 0, 6) != "\x93NUMPY") damaged("it holds something that is no array");
  const bool old = number_at(file, 6, 1) == 1;
  const size_t length = number_at(file, 8, old ? 2 : 4), start = old ? 10 : 12;
  const std::string_view head = part_at(file, start, length);
  NpzArray out;
  const std::string_view type = value_of(head, "descr");
  const size_t quote1 = type.find('\''),
               quote2 = quote1 == std::string_view::npos ? quote1 : type.find('\'', quote1 + 1);
  if (quote2 == std::string_view::npos) damaged("an array has numbers of several kinds");
  out.type = type.substr(quote1 + 1, quote2 - quote1 - 1);
  const std::string_view order = value_of(head, "fortran_order");
  const std::string_view shape = value_of(head, "shape");
  size_t at = shape.find('(');
  const size_t end = shape.find(')');
  if (at == std::string_view::npos || end == std::string_view::npos) damaged("an array's head is damaged");
  for (++at; at < end;) {
    int64_t n = 0;
    const auto read = std::from_chars(shape.data() + at, shape.data() + end, n);
    if (read.ec != std::errc()) {
      ++at;
      continue;
    }
    out.shape.push_back(n);
    at = static_cast<size_t>(read.ptr - shape.data());
  }
  if (order.find("True") < order.find("False") && out.shape.size() > 1) damaged("an array is in the order of Fortran");
  out.bytes = file.substr(start + length);
  return out;
}

template <class T>
std::vector<double> numbers_as(const std::string& bytes) {
  std::vector<double> out(bytes.size() / sizeof(T));
  for (size_t i = 0; i < out.size(); ++i) {
    T x;
    std::memcpy(&x, bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = static_cast<double>(x);
  }
  return out;
}

}  // namespace

std::vector<double> NpzArray::numbers() const {
  if (type == "<f8") return numbers_as<double>(bytes);
  if (type == "<f4") return numbers_as<float>(bytes);
  if (type == "<i4") return numbers_as<int32_t>(bytes);
  if (type == "<i8") return numbers_as<int64_t>(bytes);
  if (type == "|b1" || type == "|u1") return numbers_as<uint8_t>(bytes);
  throw std::runtime_error("an array has the type " + quote(type) + ", not numbers that are known here");
}

std::vector<std::string> NpzArray::words() const {
  size_t width = 0;
  if (!type.starts_with("<U") || std::from_chars(type.data() + 2, type.data() + type.size(), width).ec != std::errc() ||
      width == 0)
    return {};
  std::vector<std::string> out;
  for (size_t at = 0; at + 4 * width <= bytes.size(); at += 4 * width) {
    std::string word;
    for (size_t i = 0; i < width; ++i) {
      const auto code = static_cast<uint32_t>(number_at(bytes, at + 4 * i, 4));
      if (code == 0) break;
      if (code < 0x80) {
        word += static_cast<char>(code);
      } else if (code < 0x800) {
        word += static_cast<char>(0xc0 | code >> 6);
        word += static_cast<char>(0x80 | (code & 63));
      } else if (code < 0x10000) {
        word += static_cast<char>(0xe0 | code >> 12);
        word += static_cast<char>(0x80 | (code >> 6 & 63));
        word += static_cast<char>(0x80 | (code & 63));
      } else {
        word += static_cast<char>(0xf0 | (code >> 18 & 7));
        word += static_cast<char>(0x80 | (code >> 12 & 63));
        word += static_cast<char>(0x80 | (code >> 6 & 63));
        word += static_cast<char>(0x80 | (code & 63));
      }
    }
    out.push_back(std::move(word));
  }
  return out;
}

NpzArray read_npy(std::string_view bytes) { return array_of(bytes); }

std::map<std::string, NpzArray> read_npz(std::string_view bytes) {
  constexpr size_t kEnd = 22;  // bytes of the end of the directory
  constexpr std::string_view kEndMark = "PK\x05\x06";
  const size_t end = bytes.size() < kEnd ? std::string_view::npos : bytes.rfind(kEndMark, bytes.size() - kEnd);
  if (end == std::string_view::npos) damaged("it has no directory");
  const size_t count = number_at(bytes, end + 10, 2);
  size_t at = number_at(bytes, end + 16, 4);
  std::map<std::string, NpzArray> out;
  for (size_t i = 0; i < count; ++i) {
    if (part_at(bytes, at, 4) != "PK\x01\x02") damaged("its directory is damaged");
    const auto method = number_at(bytes, at + 10, 2);
    const size_t packed = number_at(bytes, at + 20, 4), size = number_at(bytes, at + 24, 4);
    const size_t name_length = number_at(bytes, at + 28, 2);
    const size_t others = number_at(bytes, at + 30, 2) + number_at(bytes, at + 32, 2);
    const size_t header = number_at(bytes, at + 42, 4);
    constexpr size_t kElsewhere = 0xffffffffu;
    if (packed == kElsewhere || size == kElsewhere || header == kElsewhere) damaged("it is larger than 4 GB");
    std::string name(part_at(bytes, at + 46, name_length));
    at += 46 + name_length + others;
    const size_t data = header + 30 + number_at(bytes, header + 26, 2) + number_at(bytes, header + 28, 2);
    const std::string_view file = part_at(bytes, data, packed);
    if (method != 0 && method != 8) damaged("an array is packed in a way that is not known here");
    if (!name.ends_with(".npy")) continue;
    name.resize(name.size() - 4);
    out[name] = method == 0 ? array_of(file) : array_of(inflated(file, size));
  }
  return out;
}

}  // namespace pliant

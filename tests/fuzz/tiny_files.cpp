#include "tiny_files.h"

#include <cstdint>
#include <cstring>

namespace pliant::fuzz {
namespace {

constexpr float kVertex[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr int32_t kFace[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

uint32_t crc32(const char* data, size_t n) {
  uint32_t crc = ~uint32_t{0};
  for (size_t i = 0; i < n; ++i) {
    crc ^= static_cast<unsigned char>(data[i]);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

void append_big(std::string& out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

void append_chunk(std::string& out, const std::string& name, const std::string& data) {
  append_big(out, static_cast<uint32_t>(data.size()));
  out += name + data + "????";  // the checksum comes last, for all chunks together
}

}  // namespace

std::string tiny_obj() {
  std::string out;
  for (const auto& v : kVertex) {
    out += "v " + std::to_string(v[0]) + " " + std::to_string(v[1]) + " " + std::to_string(v[2]) + "\n";
  }
  for (const auto& f : kFace) {
    out += "f " + std::to_string(f[0] + 1) + " " + std::to_string(f[1] + 1) + " " + std::to_string(f[2] + 1) + "\n";
  }
  return out;
}

std::string tiny_stl() {
  std::string out(80, '\0');
  append(out, int32_t{4});
  for (const auto& f : kFace) {
    out.append(3 * sizeof(float), '\0');
    for (int corner : f) append(out, kVertex[corner]);
    out.append(2, '\0');
  }
  return out;
}

std::string tiny_msh() {
  std::string out;
  for (int32_t count : {4, 0, 0, 4}) append(out, count);
  append(out, kVertex);
  append(out, kFace);
  return out;
}

std::string tiny_hfield() {
  std::string out;
  for (int32_t size : {2, 3}) append(out, size);
  for (float height : {0.f, 1.f, 2.f, 1.f, 0.f, 3.f}) append(out, height);
  return out;
}

std::string tiny_png() {
  std::string out = "\x89PNG\r\n\x1a\n", header;
  for (uint32_t side : {2, 2}) append_big(header, side);
  header += std::string("\x08\x00\x00\x00\x00", 5);  // 8 bits, grey
  append_chunk(out, "IHDR", header);
  // a stored block: two rows, each a filter byte and two pixels
  const std::string rows("\x00\x10\x80\x00\xff\x40", 6);
  std::string data("\x78\x01\x01\x06\x00\xf9\xff", 7);
  uint32_t a = 1, b = 0;
  for (unsigned char byte : rows) a = (a + byte) % 65521, b = (b + a) % 65521;
  data += rows;
  append_big(data, b << 16 | a);
  append_chunk(out, "IDAT", data);
  append_chunk(out, "IEND", "");
  return with_png_checksums(out);
}

std::string with_png_checksums(std::string png) {
  constexpr size_t kSignature = 8, kAround = 12;  // length, name and checksum
  const auto byte = [&](size_t i) { return uint32_t{static_cast<unsigned char>(png[i])}; };
  for (size_t at = kSignature; at + kAround <= png.size();) {
    const size_t length = byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
    if (length > png.size() - at - kAround) break;
    std::string crc;
    append_big(crc, crc32(png.data() + at + 4, length + 4));
    png.replace(at + 8 + length, 4, crc);
    at += length + kAround;
  }
  return png;
}

}  // namespace pliant::fuzz

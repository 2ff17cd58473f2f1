// Every string behind a key "uri" of the JSON text. Of a .glb (magic, version, length; then chunks of length, kind,
// bytes) that is the first chunk.

#include "base/file_names.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace pliant {
namespace {

std::string_view json_of(std::string_view bytes) {
  constexpr size_t kHead = 12, kChunkHead = 8;
  if (!bytes.starts_with("glTF") || bytes.size() < kHead + kChunkHead) return bytes;
  uint32_t length = 0;
  std::memcpy(&length, bytes.data() + kHead, sizeof length);
  return bytes.substr(kHead + kChunkHead, length);
}

/// The string that begins after the quotation mark at `at`; `at` is behind its end afterwards.
std::string read_string(std::string_view text, size_t& at) {
  std::string out;
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    // names of files need no other escape than \/ and \\ and \"
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    out += text[at];
  }
  ++at;
  return out;
}

void skip_space(std::string_view text, size_t& at) {
  at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

}  // namespace

std::vector<std::string> gltf_files(std::string_view bytes) {
  const std::string_view text = json_of(bytes);
  std::vector<std::string> names;
  for (size_t at = text.find('"'); at < text.size(); at = text.find('"', at)) {
    const bool is_uri = read_string(text, at) == "uri";
    skip_space(text, at);
    if (!is_uri || at >= text.size() || text[at] != ':') continue;
    skip_space(text, ++at);
    if (at >= text.size() || text[at] != '"') continue;
    std::string name = read_string(text, at);
    if (name.empty() || name.starts_with("data:")) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string percent_decoded(std::string_view name) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string out;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool coded = name[i] == '%' && i + 2 < name.size() && digit(name[i + 1]) >= 0 && digit(name[i + 2]) >= 0;
    const int code = coded ? 16 * digit(name[i + 1]) + digit(name[i + 2]) : 0;
    out += code > 0 ? static_cast<char>(code) : name[i];  // no file name has a zero in it
    if (code > 0) i += 2;
  }
  return out;
}

}  // namespace pliant

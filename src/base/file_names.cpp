// Names of files.
//
// Of glTF: every string behind a key "uri" of the JSON text. Of a .glb (magic, version, length; then chunks of length,
// kind, bytes) that is the first chunk.

#include "base/file_names.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/text.h"

namespace pliant {
namespace fs = std::filesystem;
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

/// The entry of a folder whose name is closest to one that is not there; "" if none is close.
std::string closest_entry(const fs::path& folder, const fs::path& name, bool folders) {
  constexpr size_t kMostEntries = 20'000;  // a folder that large is no place to guess in
  std::vector<std::string> same_kind, others;
  std::error_code problem;
  fs::directory_iterator entry(folder.empty() ? "." : folder, problem);
  for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
    if (entry->is_directory(problem) != folders) continue;
    const fs::path found = entry->path().filename();
    if (!folders && name.extension().empty() && found.stem() == name) return found.string();
    // what follows the point says nothing about likeness: a.stl and b.stl
    if (found.extension() == name.extension()) same_kind.push_back(found.stem().string());
    others.push_back(found.string());
    if (others.size() > kMostEntries) return {};
  }
  const auto closest_of = [](const std::string& word, std::vector<std::string>& list) {
    std::sort(list.begin(), list.end());  // folders have no order of their own
    return std::string(closest(word, std::vector<std::string_view>(list.begin(), list.end())));
  };
  const std::string stem = closest_of(name.stem().string(), same_kind);
  if (!stem.empty()) return stem + name.extension().string();
  const std::string other = closest_of(name.string(), others);
  // one slip at most, where the kind of file differs
  return edit_distance(other, name.string()) <= 1 ? other : std::string();
}

/// The path that exists and is most like this one; "" if none is close.
fs::path closest_path(const fs::path& missing, bool folder) {
  std::error_code problem;
  fs::path parent = missing.parent_path();
  if (!parent.empty() && parent != missing && !fs::is_directory(parent, problem)) {
    parent = closest_path(parent, true);
    if (parent.empty()) return {};
    if (fs::exists(parent / missing.filename(), problem)) return parent / missing.filename();
  }
  const std::string entry = closest_entry(parent, missing.filename(), folder);
  return entry.empty() ? fs::path() : parent / entry;
}

}  // namespace

std::string did_you_mean_file(const fs::path& missing) {
  std::error_code problem;
  if (const fs::path target = fs::read_symlink(missing, problem); !problem)
    return "it is a link to '" + target.string() + "', which is not there";
  const fs::path found = closest_path(missing, false);
  return found.empty() ? std::string() : "did you mean '" + found.string() + "'?";
}

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

#pragma once
// Text in lines of at most 100 columns.

#include <string>
#include <string_view>

#include "base/text.h"

namespace pliant {

inline constexpr size_t kColumns = 100;

/// Characters as they stand in a line: bytes that continue a UTF-8 character do not count.
inline size_t width_of(std::string_view text) {
  size_t n = 0;
  for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return n;
}

/// Words into lines; those after the first are indented.
inline std::string wrapped(const std::string& text, const std::string& first, size_t indent) {
  std::string out, line = first;
  size_t at = 0;
  bool empty = true;
  for (std::string_view word = next_word(text, at); !word.empty(); word = next_word(text, at)) {
    if (!empty && width_of(line) + 1 + width_of(word) > kColumns) {
      out += line + "\n";
      line = std::string(indent, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + std::string(word);
    empty = false;
  }
  return out + line + "\n";
}

inline std::string padded(std::string text, size_t width) {
  const size_t have = width_of(text);
  return have < width ? text + std::string(width - have, ' ') : text + " ";
}

}  // namespace pliant

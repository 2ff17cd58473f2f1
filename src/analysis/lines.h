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

/// The longest piece of a word (a path) that fits: up to a slash in its later half, or as much as there is room for.
inline size_t fitting_piece(std::string_view word, size_t room) {
  size_t end = 0, slash = 0;
  for (size_t width = 0; end < word.size(); ++end) {
    const bool starts = (static_cast<unsigned char>(word[end]) & 0xC0) != 0x80;
    if (starts && ++width > room) break;
    if (word[end] == '/') slash = end + 1;
  }
  return end < word.size() && slash > end / 2 ? slash : end;
}

/// Words into lines; those after the first are indented. Words longer than a line are broken.
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
    line += empty ? "" : " ";
    for (size_t room = kColumns - width_of(line); width_of(word) > room && room > 0; room = kColumns - indent) {
      const size_t cut = fitting_piece(word, room);
      out += line + std::string(word.substr(0, cut)) + "\n";
      word.remove_prefix(cut);
      line = std::string(indent, ' ');
    }
    line += word;
    empty = false;
  }
  return out + line + "\n";
}

inline std::string padded(std::string text, size_t width) {
  const size_t have = width_of(text);
  return have < width ? text + std::string(width - have, ' ') : text + " ";
}

}  // namespace pliant

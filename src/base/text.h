#pragma once
// Text services: words of an attribute value, numbers that read and print exactly, did-you-mean.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// The next whitespace-separated word of `text` from `at` on; empty at the end. Advances `at`.
std::string_view next_word(std::string_view text, size_t& at);
/// Whether there is none.
inline bool is_blank(std::string_view text) {
  size_t at = 0;
  return next_word(text, at).empty();
}
/// All of them.
std::vector<std::string_view> split_words(std::string_view text);

enum class NumberError { kNone, kNotANumber, kNotFinite, kOutOfRange };
/// Exactly rounded, independent of the locale; a leading '+' is accepted. NaN and infinity are refused
/// as kNotFinite, also when a literal overflows.
NumberError parse_number(std::string_view word, double& out);
NumberError parse_number(std::string_view word, float& out);
NumberError parse_number(std::string_view word, int& out);

/// Shortest text that reads back as the same number.
std::string number_text(double x);
std::string number_text(float x);

/// Edits (insert, delete, replace, swap of neighbours) from a to b, case ignored.
int edit_distance(std::string_view a, std::string_view b);
/// The candidate closest to `word`, or "" when none is close enough to be a likely slip.
std::string_view closest(std::string_view word, std::span<const std::string_view> candidates);
/// "did you mean 'x'?", or "" when nothing is close.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

/// `'a', 'b' or 'c'`.
std::string one_of(std::span<const std::string_view> words);
/// The word in quotes, shortened and with control characters made visible.
std::string quote(std::string_view word, size_t limit = 60);

}  // namespace pliant

// Text services: numbers are parsed with from_chars (exact, locale-free), misspellings by edit distance.

#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace pliant {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <class Real>
NumberError parse_real(std::string_view word, Real& out) {
  if (word.empty()) return NumberError::kNotANumber;
  const char* first = word.data();
  const char* last = first + word.size();
  if (*first == '+' && word.size() > 1 && first[1] != '-' && first[1] != '+') ++first;
  Real value = 0;
  const auto result = std::from_chars(first, last, value);
  if (result.ec == std::errc::invalid_argument || result.ptr != last) return NumberError::kNotANumber;
  if (result.ec == std::errc::result_out_of_range) {
    // too large is refused; too small is the nearest representable number, which strtod gives
    value = static_cast<Real>(std::strtod(std::string(first, last).c_str(), nullptr));
    if (!std::isfinite(value)) return NumberError::kNotFinite;
  }
  if (!std::isfinite(value)) return NumberError::kNotFinite;
  out = value;
  return NumberError::kNone;
}

template <class Real>
std::string real_text(Real x) {
  // shortest that reads back the same; people write 0.0001, not 1e-04
  constexpr Real kSmallest = static_cast<Real>(1e-5), kLargest = static_cast<Real>(1e7);
  const bool plain = x == 0 || (std::abs(x) >= kSmallest && std::abs(x) < kLargest);
  char buffer[64];
  const auto result = plain ? std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::fixed)
                            : std::to_chars(buffer, buffer + sizeof buffer, x);
  return std::string(buffer, result.ptr);
}

}  // namespace

std::string_view next_word(std::string_view text, size_t& at) {
  while (at < text.size() && is_space(text[at])) ++at;
  const size_t start = at;
  while (at < text.size() && !is_space(text[at])) ++at;
  return text.substr(start, at - start);
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  size_t at = 0;
  for (std::string_view word = next_word(text, at); !word.empty(); word = next_word(text, at)) {
    words.push_back(word);
  }
  return words;
}

NumberError parse_number(std::string_view word, double& out) { return parse_real(word, out); }
NumberError parse_number(std::string_view word, float& out) { return parse_real(word, out); }

NumberError parse_number(std::string_view word, int& out) {
  if (word.empty()) return NumberError::kNotANumber;
  const char* first = word.data();
  const char* last = first + word.size();
  if (*first == '+' && word.size() > 1 && first[1] != '-' && first[1] != '+') ++first;
  int value = 0;
  const auto result = std::from_chars(first, last, value);
  if (result.ec == std::errc::result_out_of_range && result.ptr == last) return NumberError::kOutOfRange;
  if (result.ec != std::errc() || result.ptr != last) {
    double real = 0;
    return parse_real(word, real) == NumberError::kNotFinite ? NumberError::kNotFinite : NumberError::kNotANumber;
  }
  out = value;
  return NumberError::kNone;
}

std::string number_text(double x) { return real_text(x); }
std::string number_text(float x) { return real_text(x); }

int edit_distance(std::string_view a, std::string_view b) {
  // Damerau–Levenshtein (optimal string alignment), three rows
  std::vector<int> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int replace = previous[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replace});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::string_view closest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > 64) return {};
  // a slip changes about one letter in three
  int best = static_cast<int>(word.size()) / 3 + 2;
  std::string_view found;
  for (std::string_view candidate : candidates) {
    if (candidate.empty() || candidate.size() > 2 * word.size() + 4) continue;
    // the distance is at least the difference in length
    const int longer =
        static_cast<int>(std::max(candidate.size(), word.size()) - std::min(candidate.size(), word.size()));
    if (longer >= best) continue;
    const int distance = edit_distance(word, candidate);
    if (distance < best && distance < static_cast<int>(candidate.size())) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view found = closest(word, candidates);
  return found.empty() ? std::string() : "did you mean '" + std::string(found) + "'?";
}

std::string one_of(std::span<const std::string_view> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += "'" + std::string(words[i]) + "'";
  }
  return text;
}

std::string quote(std::string_view word, size_t limit) {
  std::string text = "'";
  for (char c : word.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 32 || byte == 127)
      text += ' ';
    else
      text += c;
  }
  if (word.size() > limit) text += "…";
  return text + "'";
}

}  // namespace pliant

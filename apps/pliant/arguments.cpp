// The parser of the command line and its help texts.

#include "arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace pliant::app {
namespace {

bool is_option(const std::string& word) { return word.size() > 2 && word.starts_with("--"); }

std::string allowed(const Range& range) {
  const std::string low = number_text(range.low), high = number_text(range.high);
  if (std::isinf(range.low) && std::isinf(range.high)) return "a number";
  if (std::isinf(range.high)) return range.above ? "a number above " + low : "a number of at least " + low;
  return "a number " + (range.above ? "above " + low + ", at most " + high : "from " + low + " to " + high);
}

double real_number(const std::string& text, const Range& range) {
  double value = 0;
  const NumberError problem = parse_number(text, value);
  if (problem == NumberError::kNotANumber)
    throw UsageError(quote(text) + " is not a number; it takes " + allowed(range));
  const bool inside =
      problem == NumberError::kNone && value <= range.high && (range.above ? value > range.low : value >= range.low);
  if (!inside) throw UsageError(quote(text) + " is out of range; it takes " + allowed(range));
  return value;
}

int64_t whole_number(const std::string& text, const WholeRange& range) {
  const std::string wanted = "a whole number from " + std::to_string(range.low) + " to " + std::to_string(range.high);
  const char* first = text.data() + (text.size() > 1 && text[0] == '+' && text[1] != '-' ? 1 : 0);
  const char* last = text.data() + text.size();
  int64_t value = 0;
  const auto [end, problem] = std::from_chars(first, last, value);
  if (problem == std::errc::invalid_argument || end != last) {
    throw UsageError(quote(text) + " is not a whole number; it takes " + wanted);
  }
  if (problem != std::errc() || value < range.low || value > range.high) {
    throw UsageError(quote(text) + " is out of range; it takes " + wanted);
  }
  return value;
}

/// Letters, not bytes of their encoding.
size_t width(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Breaks lines at spaces and indents all but the first; breaks that are there stay.
std::string wrapped(const std::string& text, size_t indent, size_t columns = 100) {
  std::string out;
  size_t at = indent;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", i), text.size());
    const std::string word = text.substr(i, end - i);
    if (at > indent && at + width(word) > columns) {
      while (!out.empty() && out.back() == ' ') out.pop_back();
      out += "\n" + std::string(indent, ' ');
      at = indent;
    }
    out += word;
    at += width(word);
    if (end < text.size() && text[end] == '\n') {
      out += "\n" + std::string(end + 1 < text.size() && text[end + 1] != '\n' ? indent : 0, ' ');
      at = indent;
    } else if (end < text.size()) {
      out += ' ';
      ++at;
    }
    i = end + 1;
  }
  return out;
}

}  // namespace

// ---- description

Arguments::Item& Arguments::add(const char* name, const char* value_name, const char* help,
                                std::function<void(const std::string&)> set) {
  Item item;
  item.name = name;
  item.value_name = value_name;
  item.help = help;
  item.group = group_;
  item.set = std::move(set);
  options_.push_back(std::move(item));
  return options_.back();
}

void Arguments::positional(const char* name, std::string& value, const char* help, bool required) {
  Item item;
  item.name = name;
  item.help = help;
  item.required = required;
  item.set = [&value](const std::string& text) { value = text; };
  positionals_.push_back(std::move(item));
}

void Arguments::flag(const char* name, bool& value, const char* help) {
  flag(name, [&value] { value = true; }, help);
}

void Arguments::flag(const char* name, std::function<void()> set, const char* help) {
  Item& item = add(name, "", help, [set = std::move(set)](const std::string&) { set(); });
  item.takes = 0;
  item.repeats = true;
}

void Arguments::option(const char* name, const char* value_name, std::string& value, const char* help) {
  add(name, value_name, help, [&value](const std::string& text) {
    if (text.empty()) throw UsageError("the value is empty");
    value = text;
  });
}

void Arguments::option(const char* name, const char* value_name, double& value, const char* help, Range range) {
  add(name, value_name, help, [&value, range](const std::string& text) { value = real_number(text, range); });
}

void Arguments::option(const char* name, const char* value_name, int64_t& value, const char* help, WholeRange range) {
  add(name, value_name, help, [&value, range](const std::string& text) { value = whole_number(text, range); });
}

void Arguments::option(const char* name, const char* value_name, int& value, const char* help, WholeRange range) {
  add(name, value_name, help,
      [&value, range](const std::string& text) { value = static_cast<int>(whole_number(text, range)); });
}

void Arguments::choice(const char* name, const char* value_name, std::vector<std::string> words, const char* help,
                       std::function<void(size_t)> set) {
  add(name, value_name, help, [words = std::move(words), set = std::move(set)](const std::string& text) {
    const auto found = std::find(words.begin(), words.end(), text);
    if (found == words.end()) throw UsageError("there is no " + quote(text) + suggestion(text, words));
    set(static_cast<size_t>(found - words.begin()));
  });
}

void Arguments::list(const char* name, const char* value_name, std::vector<std::string>& values, const char* help) {
  add(name, value_name, help, [&values](const std::string& text) { values.push_back(text); }).repeats = true;
}

void Arguments::pair(const char* name, const char* value_names, std::vector<std::string>& values, const char* help) {
  add(name, value_names, help, [&values](const std::string& text) { values.push_back(text); }).takes = 2;
}

// ---- use

Arguments::Item& Arguments::find(const std::string& name) {
  std::vector<std::string> known = {"--help"};
  for (Item& item : options_) {
    if (item.name == name) return item;
    known.push_back(item.name);
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string hint = did_you_mean(name, views);
  throw UsageError("there is no option " + quote(name) + (hint.empty() ? "" : "; " + hint));
}

void Arguments::take(Item& item, const std::string& value) {
  try {
    item.set(value);
  } catch (const UsageError& problem) {
    throw UsageError(item.name + ": " + problem.what());
  }
}

bool Arguments::parse(std::span<const std::string> words) {
  size_t place = 0;  // of the next positional
  bool options_end = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!options_end && word == "--") {
      options_end = true;
      continue;
    }
    if (!options_end && (word == "--help" || word == "-h")) return false;
    if (options_end || !word.starts_with("-") || word == "-") {
      if (place == positionals_.size()) throw UsageError("there is one argument too many: " + quote(word));
      positionals_[place].given = true;
      take(positionals_[place++], word);
      continue;
    }
    const size_t equals = is_option(word) ? word.find('=') : std::string::npos;
    Item& item = find(word.substr(0, equals));
    if (item.given && !item.repeats) throw UsageError(item.name + " is given twice");
    item.given = true;
    if (item.takes == 0) {
      if (equals != std::string::npos) throw UsageError(item.name + " takes no value");
      take(item, {});
      continue;
    }
    size_t taken = 0;
    if (equals != std::string::npos) {
      take(item, word.substr(equals + 1));
      ++taken;
    }
    for (; taken < item.takes; ++taken) {
      const bool there = i + 1 < words.size() && !is_option(words[i + 1]);
      if (!there) {
        throw UsageError(item.name + " needs " + item.value_name +
                         (i + 1 < words.size() ? ", but " + quote(words[i + 1]) + " follows" : ""));
      }
      take(item, words[++i]);
    }
  }
  for (const auto& [one, other] : exclusive_) {
    if (given(one) && given(other)) throw UsageError(one + " and " + other + " exclude each other");
  }
  for (const Item& item : positionals_) {
    if (item.required && !item.given) throw UsageError(item.name + " is missing: " + item.help);
  }
  return true;
}

bool Arguments::given(std::string_view name) const {
  return std::any_of(options_.begin(), options_.end(),
                     [&](const Item& item) { return item.given && item.name == name; });
}

bool Arguments::knows(std::string_view name) const {
  return std::any_of(options_.begin(), options_.end(), [&](const Item& item) { return item.name == name; });
}

std::string Arguments::help(const std::string& program, const std::string& summary) const {
  constexpr size_t kIndent = 2, kColumn = 26;
  std::string out = summary + "\n\nUsage: " + program + " " + command_;
  for (const Item& item : positionals_) out += item.required ? " " + item.name : " [" + item.name + "]";
  out += " [OPTIONS]\n";
  const auto line = [&](const std::string& left, const std::string& help) {
    const std::string start = std::string(kIndent, ' ') + left;
    const bool fits = width(start) + 2 <= kColumn;
    out += start + (fits ? std::string(kColumn - width(start), ' ') : "\n" + std::string(kColumn, ' ')) +
           wrapped(help, kColumn) + "\n";
  };
  if (!positionals_.empty()) out += "\n";
  for (const Item& item : positionals_) line(item.name, item.help);
  std::vector<std::string> groups;
  for (const Item& item : options_) {
    if (std::find(groups.begin(), groups.end(), item.group) == groups.end()) groups.push_back(item.group);
  }
  if (groups.empty()) groups.emplace_back();
  for (const std::string& group : groups) {
    out += "\n" + (group.empty() ? "Options" : group) + ":\n";
    for (const Item& item : options_) {
      if (item.group == group) line(item.name + (item.takes ? " " + item.value_name : ""), item.help);
    }
    if (group == groups.front()) line("-h, --help", "print this");
  }
  if (!note_.empty()) out += "\n" + wrapped(note_, 0) + "\n";
  if (examples_.size() == 1) out += "\nExample: " + program + " " + command_ + " " + examples_[0] + "\n";
  if (examples_.size() > 1) {
    out += "\nExamples:\n";
    for (const std::string& example : examples_) out += "  " + program + " " + command_ + " " + example + "\n";
  }
  return out;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> out;
  size_t at = 0;
  while (!text.empty() && at <= text.size()) {
    const size_t comma = std::min(text.find(',', at), text.size());
    out.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string hint = did_you_mean(name, views);
  if (!hint.empty()) return "; " + hint;
  constexpr size_t kMostListed = 12;
  if (views.empty() || views.size() > kMostListed) return {};
  std::string list;
  for (const std::string_view word : views) list += (list.empty() ? "" : ", ") + quote(word);
  return "; there are " + list;
}

}  // namespace pliant::app

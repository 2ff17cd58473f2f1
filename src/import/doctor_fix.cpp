// Cures of the doctor, tried one after the other on the text of a model file.
//
// A finding says what to write instead: attributes with their values, of its element or of <option>, or an <exclude>.
// The text of the file is changed there and nowhere else, so that everything else in it stays as its author wrote it.

#include "pliant/doctor_fix.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "analysis/lines.h"
#include "base/output_file.h"

namespace pliant {
namespace {

/// One way to cure a finding.
struct Candidate {
  std::string attribute, value;  // of the element, or of <option> for its attributes
  std::string line;              // or an element for <contact>
};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }

/// Attributes with values that the words of a finding have, in their order.
std::vector<Candidate> candidates_of(const std::string& change) {
  std::vector<Candidate> out;
  size_t at = 0;
  if (const size_t start = change.find("<exclude "); start != std::string::npos) {
    const size_t end = change.find("/>", start);
    // a body without a name cannot be excluded
    if (end != std::string::npos && change.substr(start, end - start).find("…") == std::string::npos)
      out.push_back({"", "", change.substr(start, end + 2 - start)});
    at = end == std::string::npos ? change.size() : end;
  }
  while ((at = change.find("=\"", at)) != std::string::npos) {
    size_t first = at;
    while (first > 0 && is_name(change[first - 1])) --first;
    const size_t end = change.find('"', at + 2);
    if (end == std::string::npos) break;
    if (first < at) out.push_back({change.substr(first, at - first), change.substr(at + 2, end - at - 2), ""});
    at = end + 1;
  }
  return out;
}

bool is_option(const std::string& attribute) {
  return attribute == "timestep" || attribute == "integrator" || attribute == "solver" || attribute == "iterations";
}

/// Place of "file:line:column" in a text; none when it is of another file.
std::optional<size_t> offset_of(const std::string& text, const std::string& origin, const std::string& file) {
  const size_t second = origin.rfind(':'), first = second == std::string::npos ? second : origin.rfind(':', second - 1);
  if (first == std::string::npos || origin.substr(0, first) != file) return std::nullopt;
  const long line = std::strtol(origin.c_str() + first + 1, nullptr, 10),
             column = std::strtol(origin.c_str() + second + 1, nullptr, 10);
  size_t at = 0;
  for (long i = 1; i < line; ++i) {
    at = text.find('\n', at);
    if (at == std::string::npos) return std::nullopt;
    ++at;
  }
  at += static_cast<size_t>(std::max(column - 1, 0L));
  if (at >= text.size()) return std::nullopt;
  return at;
}

/// The element around a place: from its '<' to behind its '>'.
std::optional<std::pair<size_t, size_t>> element_at(const std::string& text, size_t place) {
  const size_t start = text.rfind('<', place);
  if (start == std::string::npos) return std::nullopt;
  char quote = 0;
  for (size_t i = start; i < text.size(); ++i) {
    if (quote) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (text[i] == '>') {
      return std::pair(start, i + 1);
    }
  }
  return std::nullopt;
}

/// Where an attribute's value stands in an element, without its quotes.
std::optional<std::pair<size_t, size_t>> value_in(const std::string& text, std::pair<size_t, size_t> element,
                                                  const std::string& name) {
  char quote = 0;
  for (size_t i = element.first; i < element.second; ++i) {
    if (quote) {
      if (text[i] == quote) quote = 0;
      continue;
    }
    if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
      continue;
    }
    if (text.compare(i, name.size(), name) != 0 || is_name(text[i - 1])) continue;
    size_t k = i + name.size();
    while (k < element.second && std::isspace(static_cast<unsigned char>(text[k]))) ++k;
    if (k >= element.second || text[k] != '=') continue;
    k = text.find_first_of("\"'", k);
    if (k == std::string::npos || k >= element.second) return std::nullopt;
    const size_t end = text.find(text[k], k + 1);
    if (end == std::string::npos) return std::nullopt;
    return std::pair(k + 1, end);
  }
  return std::nullopt;
}

std::string indent_at(const std::string& text, size_t place) {
  const size_t line = text.rfind('\n', place == 0 ? 0 : place - 1);
  const size_t first = line == std::string::npos ? 0 : line + 1;
  std::string out = text.substr(first, place - first);
  return out.find_first_not_of(" \t") == std::string::npos ? out : std::string();
}

/// XML allows no "--" in comments.
std::string comment(const std::string& words) {
  std::string out = words;
  for (size_t at = out.find("--"); at != std::string::npos; at = out.find("--", at)) out.replace(at, 2, "- -");
  return "<!-- pliant doctor: " + out + " -->";
}

struct Changed {
  std::string text, words;
};

/// Sets an attribute of an element, with a comment before it.
std::optional<Changed> set_attribute(std::string text, size_t place, const Candidate& c, const Finding& f) {
  const auto element = element_at(text, place);
  if (!element) return std::nullopt;
  Changed out;
  const auto value = value_in(text, *element, c.attribute);
  const std::string old = value ? text.substr(value->first, value->second - value->first) : "";
  if (value && old == c.value) return std::nullopt;
  out.words = c.attribute + "=\"" + c.value + "\"" + (value ? " (was \"" + old + "\")" : " (was not given)");
  if (value) {
    text.replace(value->first, value->second - value->first, c.value);
  } else {
    const size_t end = element->second - (text[element->second - 2] == '/' ? 2 : 1);
    text.insert(end, " " + c.attribute + "=\"" + c.value + "\"");
  }
  text.insert(element->first,
              comment(f.code + " " + f.title + ": " + out.words) + "\n" + indent_at(text, element->first));
  out.text = std::move(text);
  return out;
}

/// The start of an element that stands directly in <mujoco>.
std::optional<size_t> find_tag(const std::string& text, const std::string& tag) {
  for (size_t at = text.find("<" + tag); at != std::string::npos; at = text.find("<" + tag, at + 1)) {
    const char next = at + tag.size() + 1 < text.size() ? text[at + tag.size() + 1] : ' ';
    // not inside a comment
    const size_t open = text.rfind("<!--", at), close = text.rfind("-->", at);
    if (!is_name(next) && (open == std::string::npos || (close != std::string::npos && close > open))) return at;
  }
  return std::nullopt;
}

std::optional<Changed> apply(const std::string& text, const Candidate& c, const Finding& f, const std::string& file) {
  if (!c.line.empty() || is_option(c.attribute)) {
    const bool option = c.line.empty();
    if (option) {
      if (const auto at = find_tag(text, "option")) return set_attribute(text, *at, c, f);
    }
    const size_t end = text.rfind("</mujoco>");
    if (end == std::string::npos) return std::nullopt;
    const std::string line =
        option ? "<option " + c.attribute + "=\"" + c.value + "\"/>" : "<contact>" + c.line + "</contact>";
    Changed out;
    out.words = option ? line : c.line;
    out.text = text.substr(0, end) + "  " + comment(f.code + " " + f.title + ": added") + "\n  " + line + "\n" +
               text.substr(end);
    return out;
  }
  const auto place = offset_of(text, f.origin, file);
  return place ? set_attribute(text, *place, c, f) : std::nullopt;
}

using Key = std::pair<std::string, std::string>;

std::set<Key> keys_of(const DoctorReport& r) {
  std::set<Key> out;
  for (const Finding& f : r.findings) {
    if (f.severity != FindingSeverity::kNote) out.emplace(f.code, f.element);
  }
  return out;
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// A file that is gone when this is.
struct Scratch {
  std::filesystem::path path;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  void write(const std::string& text) const {
    OutputFile out(path, OutputFile::Sync::kNo);
    out.write(text);
    out.commit();
  }
};

}  // namespace

int DoctorFixReport::cured() const {
  return static_cast<int>(std::count_if(cures.begin(), cures.end(), [](const DoctorCure& c) { return c.cured; }));
}

DoctorFixReport doctor_fix(const std::filesystem::path& model, const std::filesystem::path& scratch_path,
                           const LoadOptions& load_options, const DoctorOptions& options) {
  DoctorFixReport out;
  out.text = read_text(model);
  const Scratch scratch{scratch_path};
  const std::string file = scratch_path.string();
  scratch.write(out.text);
  const auto look = [&] { return doctor_file(scratch_path, load_options, options); };
  out.before = look();
  const DoctorReport original = doctor_file(model, load_options, {0});
  if (original.loaded && !out.before.loaded)
    throw std::runtime_error("the model names files relative to its folder: write the changed one beside it");
  DoctorReport now = out.before;
  std::set<Key> done;
  for (;;) {
    // the first that was not looked at; places in the text move with every change, so the report is always the last
    const auto next = std::find_if(now.findings.begin(), now.findings.end(), [&](const Finding& f) {
      return f.severity != FindingSeverity::kNote && !done.contains({f.code, f.element});
    });
    if (next == now.findings.end()) break;
    const Finding finding = *next;
    done.emplace(finding.code, finding.element);
    DoctorCure cure;
    cure.finding = finding;
    cure.reason = "the doctor names no number to write";
    for (const Candidate& candidate : candidates_of(finding.change)) {
      const auto changed = apply(out.text, candidate, finding, file);
      if (!changed) {
        cure.reason = "the element is not in this file, or says so already";
        continue;
      }
      scratch.write(changed->text);
      DoctorReport after = look();
      const std::set<Key> had = keys_of(now), has = keys_of(after);
      const bool gone = !has.contains({finding.code, finding.element}) && (after.loaded || !now.loaded);
      std::string traded;
      for (const Key& key : has) {
        // what could not be looked at before, in a model that did not load, is no trade
        if (!had.contains(key) && now.loaded) traded = key.first + " of " + key.second;
      }
      if (!gone || !traded.empty() || after.count(FindingSeverity::kError) > now.count(FindingSeverity::kError)) {
        cure.reason = candidate.attribute + candidate.line +
                      (candidate.value.empty() ? "" : "=\"" + candidate.value + "\"") +
                      (!traded.empty() ? " would bring " + traded
                       : !gone         ? " does not cure it"
                                       : " would bring another error");
        continue;
      }
      cure.cured = true, cure.change = changed->words, cure.reason.clear();
      out.text = changed->text;
      now = std::move(after);
      break;
    }
    out.cures.push_back(std::move(cure));
  }
  scratch.write(out.text);
  out.after = look();
  return out;
}

std::string doctor_fix_text(const DoctorFixReport& report, const std::string& title, const std::string& output) {
  std::string out = wrapped(title, "", 0);
  for (const DoctorCure& c : report.cures) {
    out +=
        wrapped(c.finding.code + " " + c.finding.title + ", " + c.finding.element, c.cured ? "cured  " : "left   ", 7);
    out += wrapped(c.cured ? c.change : c.reason, "       ", 7);
  }
  const auto counts = [](const DoctorReport& r) {
    return std::to_string(r.count(FindingSeverity::kError)) + " errors and " +
           std::to_string(r.count(FindingSeverity::kWarning)) + " warnings";
  };
  out += wrapped("before: " + counts(report.before) + "; after: " + counts(report.after), "", 0);
  out += output.empty() ? "nothing was written: nothing could be cured\n" : wrapped("written: " + output, "", 0);
  return out;
}

}  // namespace pliant

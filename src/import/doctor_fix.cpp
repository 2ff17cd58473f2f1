// Cures of the doctor, tried one after the other on the text of a model file.
//
// A finding says what to write instead: attributes with their values, of its element or of <option>, or an <exclude>.
// The text of the file is changed there and nowhere else, so that everything else in it stays as its author wrote it.

#include "pliant/doctor_fix.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "analysis/lines.h"
#include "base/output_file.h"
#include "base/text.h"
#include "doctor/doctor_case.h"

namespace pliant {
namespace {

/// One way to cure a finding.
struct Candidate {
  std::string attribute, value;    // of the element
  std::string line;                // or an element for <contact>
  std::string tag;                 // of the element where the words name it: "option", "compiler"
  std::vector<std::string> names;  // or all joints of these names
};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }

bool is_option(const std::string& attribute) {
  return attribute == "timestep" || attribute == "integrator" || attribute == "solver" || attribute == "iterations";
}

/// Names in quotes behind a word: of "joint 'a', joint 'b'".
std::vector<std::string> names_after(const std::string& text, const std::string& word) {
  std::vector<std::string> out;
  for (size_t at = text.find(word + " '"); at != std::string::npos; at = text.find(word + " '", at + 1)) {
    const size_t first = at + word.size() + 2, end = text.find('\'', first);
    if (end != std::string::npos) out.push_back(text.substr(first, end - first));
  }
  return out;
}

/// Attributes with values that the words of a finding have, in their order. `degrees`: angles of the file are.
std::vector<Candidate> candidates_of(const Finding& f, bool degrees) {
  const std::string& change = f.change;
  std::vector<Candidate> out;
  size_t at = 0;
  if (const size_t start = change.find("<exclude "); start != std::string::npos) {
    const size_t end = change.find("/>", start);
    // a body without a name cannot be excluded
    if (end != std::string::npos && change.substr(start, end - start).find("…") == std::string::npos)
      out.push_back({"", "", change.substr(start, end + 2 - start), "", {}});
    at = end == std::string::npos ? change.size() : end;
  }
  while ((at = change.find("=\"", at)) != std::string::npos) {
    size_t first = at;
    while (first > 0 && is_name(change[first - 1])) --first;
    const size_t end = change.find('"', at + 2);
    if (end == std::string::npos) break;
    Candidate c{change.substr(first, at - first), change.substr(at + 2, end - at - 2), "", "", {}};
    at = end + 1;
    if (c.attribute.empty()) continue;
    if (is_option(c.attribute)) c.tag = "option";
    if (const size_t open = change.rfind('<', first); open != std::string::npos && change.find('>', open) > first) {
      size_t name = open + 1;
      while (name < change.size() && is_name(change[name])) ++name;
      c.tag = change.substr(open + 1, name - open - 1);
    }
    if (change.find("at these joints") != std::string::npos) c.names = names_after(f.message, "joint");
    const bool angle = c.attribute == "ref" || c.attribute == "range" || c.attribute == "springref";
    if (degrees && angle) {
      // hinges want degrees; a slide keeps its number, which comes second
      Candidate turned = c;
      turned.value.clear();
      std::istringstream words(c.value);
      for (double x = 0; words >> x;)
        turned.value += (turned.value.empty() ? "" : " ") + doctoring::number(x * 180 / M_PI);
      out.push_back(std::move(turned));
    }
    out.push_back(std::move(c));
  }
  return out;
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
  } else if (const auto full = c.attribute == "diaginertia" ? value_in(text, *element, "fullinertia") : std::nullopt) {
    // the one stands for the other; a tensor with axes of its own is left to its author
    std::istringstream numbers(text.substr(full->first, full->second - full->first));
    double x[6] = {};
    for (double& number : x) numbers >> number;
    std::string moments;
    if (f.code == "D302") {
      moments = c.value;  // of the wrong size: those of the shape, which are alike about all axes
    } else {
      if (x[3] != 0 || x[4] != 0 || x[5] != 0) return std::nullopt;
      // by the axes of the file, where the doctor's are those of the principal frame; a hair inside, for the rounding
      double valid[3];
      nearest_moments(x, valid);
      const double floor = 1e-3 * std::max({valid[0], valid[1], valid[2]});
      for (const double v : valid)
        moments += (moments.empty() ? "" : " ") + doctoring::number(std::max(v, floor) * (1 + 1e-3) + floor * 1e-2);
    }
    const size_t name = text.rfind("fullinertia", full->first);
    const char quote = text[full->first - 1];  // the one that is left behind the value
    text.replace(name, full->second - name, c.attribute + "=" + quote + moments);
    out.words = c.attribute + "=\"" + moments + "\" (in place of fullinertia)";
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

/// The element that an attribute belongs to: mass and moments of a body stand in its <inertial>, or are its geom's.
std::optional<size_t> owner_of(const std::string& text, size_t place, const std::string& attribute) {
  const auto element = element_at(text, place);
  if (!element) return std::nullopt;
  const bool body = text.compare(element->first, 5, "<body") == 0;
  if (!body || (attribute != "mass" && attribute != "diaginertia")) return element->first;
  const size_t end = std::min(text.find("<body", element->second), text.find("</body", element->second));
  const size_t inertial = text.find("<inertial", element->second), geom = text.find("<geom", element->second);
  if (inertial < end) return inertial;
  const bool one = geom < end && !(text.find("<geom", geom + 1) < end);
  return attribute == "mass" && one ? std::optional(geom) : std::nullopt;
}

/// The element of a name.
std::optional<size_t> find_named(const std::string& text, const std::string& tag, const std::string& name) {
  for (size_t at = text.find("<" + tag + " "); at != std::string::npos; at = text.find("<" + tag + " ", at + 1)) {
    const auto element = element_at(text, at);
    const auto value = element ? value_in(text, *element, "name") : std::nullopt;
    if (value && text.substr(value->first, value->second - value->first) == name) return at;
  }
  return std::nullopt;
}

std::optional<Changed> apply(const std::string& text, const Candidate& c, const Finding& f, const std::string& file) {
  if (!c.names.empty()) {
    Changed out{text, ""};
    for (const std::string& name : c.names) {
      const auto at = find_named(out.text, "joint", name);
      const auto changed = at ? set_attribute(out.text, *at, c, f) : std::nullopt;
      if (!changed) return std::nullopt;
      out.text = changed->text,
      out.words += (out.words.empty() ? "" : "; ") + ("joint '" + name + "': " + changed->words);
    }
    return out;
  }
  if (!c.line.empty() || (!c.tag.empty() && c.tag != "inertial")) {
    if (!c.tag.empty()) {
      if (const auto at = find_tag(text, c.tag)) return set_attribute(text, *at, c, f);
    }
    const size_t end = text.rfind("</mujoco>");
    if (end == std::string::npos) return std::nullopt;
    const std::string line = c.line.empty() ? "<" + c.tag + " " + c.attribute + "=\"" + c.value + "\"/>"
                                            : "<contact>" + c.line + "</contact>";
    Changed out;
    out.words = c.line.empty() ? line : c.line;
    out.text = text.substr(0, end) + "  " + comment(f.code + " " + f.title + ": added") + "\n  " + line + "\n" +
               text.substr(end);
    return out;
  }
  const auto place = offset_of(text, f.origin, file);
  const auto owner = place ? owner_of(text, *place, c.tag == "inertial" ? "diaginertia" : c.attribute) : std::nullopt;
  return owner ? set_attribute(text, *owner, c, f) : std::nullopt;
}

/// "start body 'ball' further off by 80 mm along (0 0 1) (qpos of keyframe 'low')": in the keyframe, or where the body
/// stands.
std::optional<Changed> move_off(const std::string& text, const Finding& f, const std::filesystem::path& file,
                                const LoadOptions& options) {
  static const std::regex kWords(R"(start body '([^']+)' further off by ([0-9.e+-]+) (µm|mm|m) along \(([^)]*)\))"
                                 R"((?: \(qpos of keyframe '([^']+)'\))?)");
  std::smatch found;
  if (!std::regex_search(f.change, found, kWords)) return std::nullopt;
  const double unit = found[3] == "m" ? 1 : found[3] == "mm" ? 1e-3 : 1e-6, depth = 1.01 * unit * std::stod(found[2]);
  double along[3] = {};
  std::istringstream words(found[4]);
  if (!(words >> along[0] >> along[1] >> along[2])) return std::nullopt;
  const bool key = found[5].matched;
  const auto at = key ? find_named(text, "key", found[5]) : find_named(text, "body", found[1]);
  const auto element = at ? element_at(text, *at) : std::nullopt;
  const auto value = element ? value_in(text, *element, key ? "qpos" : "pos") : std::nullopt;
  if (!value) return std::nullopt;
  std::vector<double> numbers;
  std::istringstream old(text.substr(value->first, value->second - value->first));
  for (double x = 0; old >> x;) numbers.push_back(x);
  size_t first = 0;
  if (key) {
    const Report loaded = load_report(file, options);
    const int body = loaded.model ? loaded.model->id(ObjType::kBody, found[1].str()) : -1;
    if (body < 0 || loaded.model->body_jntnum[body] != 1) return std::nullopt;
    const int joint = loaded.model->body_jntadr[body];
    if (static_cast<JointType>(loaded.model->jnt_type[joint]) != JointType::kFree) return std::nullopt;
    first = static_cast<size_t>(loaded.model->jnt_qposadr[joint]);
  }
  if (numbers.size() < first + 3) return std::nullopt;
  Candidate c{key ? "qpos" : "pos", "", "", "", {}};
  for (size_t k = 0; k < 3; ++k) numbers[first + k] += depth * along[k];
  for (const double x : numbers) c.value += (c.value.empty() ? "" : " ") + number_text(x);
  return set_attribute(text, *at, c, f);
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
  const Loaded read = load(model, load_options);
  const Spec* spec = read.spec ? &*read.spec : read.partial.get();
  const bool degrees = spec && !spec->compilers.empty() && spec->compilers[0].degree;
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
    std::vector<Candidate> candidates = candidates_of(finding, degrees);
    if (finding.change.starts_with("start body "))
      candidates.insert(candidates.begin(), Candidate{"start", "", "", "", {}});
    for (const Candidate& candidate : candidates) {
      const auto changed = candidate.attribute == "start" ? move_off(out.text, finding, scratch_path, load_options)
                                                          : apply(out.text, candidate, finding, file);
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
    const auto some = [](int n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); };
    return some(r.count(FindingSeverity::kError), "error") + " and " +
           some(r.count(FindingSeverity::kWarning), "warning");
  };
  out += wrapped("before: " + counts(report.before) + "; after: " + counts(report.after), "", 0);
  if (!output.empty())
    out += wrapped("written: " + output, "", 0);
  else
    out += std::string("nothing was written: ") +
           (report.cures.empty() ? "there is nothing to cure" : "nothing could be cured") + "\n";
  return out;
}

}  // namespace pliant

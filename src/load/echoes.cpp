// Echoes: errors that vanish when another one is mended.
//
// An error belongs to the element of the document that it points into. Causes are what was not understood (elements,
// attributes, values, classes, files); what is missing or wrong elsewhere because of them is an echo. A rule needs more
// than that both are there: the same element and an attribute that the second is about, a name that was lost with the
// first, a body whose own content has errors. In doubt an error is no echo.

#include "load/echoes.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <tuple>

namespace pliant {
namespace {

using Words = std::set<std::string, std::less<>>;

/// Words in single quotes.
std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = text.find('\''); at != std::string::npos;) {
    const size_t end = text.find('\'', at + 1);
    if (end == std::string::npos) break;
    out.push_back(text.substr(at + 1, end - at - 1));
    at = text.find('\'', end + 1);
  }
  return out;
}

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool mentions(const std::string& text, const std::string& word) {
  if (word.empty()) return false;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_name_char(text[at - 1])) && (end == text.size() || !is_name_char(text[end]))) return true;
  }
  return false;
}

/// "a/b/link.stl" names a mesh "link".
std::string stem(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return std::string(path.substr(0, path.find_last_of('.')));
}

/// Something was not understood: its place says where, but what it would have meant is not known.
bool is_cause(Code code) {
  const int n = static_cast<int>(code);
  return (n >= 201 && n <= 212 && code != Code::kMissingAttribute) || code == Code::kUnknownClass;
}

class Echoes {
 public:
  Echoes(const std::vector<Diagnostic>& all, const Document& document, const std::vector<std::string>& files)
      : all_(all) {
    visit(document.root, -1);
    for (size_t i = 0; i < nodes_.size(); ++i) places_.emplace_back(key(nodes_[i].element->at), static_cast<int>(i));
    std::sort(places_.begin(), places_.end());
    for (size_t i = 0; i < files.size(); ++i) file_ids_.try_emplace(files[i], static_cast<int>(i));
    for (const Diagnostic& d : all) owners_.push_back(d.severity == Severity::kError ? owner(d) : -1);
    for (size_t i = 0; i < all.size(); ++i) collect(i);
  }

  bool is_echo(size_t i) const {
    const Diagnostic& d = all_[i];
    const int at = owners_[i];
    if (d.severity != Severity::kError || at < 0 || is_cause_not_class(d.code)) return false;
    switch (d.code) {
      case Code::kBadMass:
        return tag(at) == "body" && mentions(d.message, "moves") && spoilt_body(at, i);
      case Code::kUnknownReference:
      case Code::kUnknownClass:
        return lost_name(d);
      case Code::kBadKeyframe:
        return lost_joint_;
      case Code::kMissingAttribute:
      case Code::kEmptyName:
        return about(at, d, {"name", "file", "class", "joint", "tendon", "site", "body", "geom"});
      case Code::kBadSize:
      case Code::kBadGeom:
        return about(at, d, {"type", "size", "fromto", "mesh", "hfield"}) ||
               (leans_on_class(at) && !own(at, d.code == Code::kBadSize ? "size" : "type"));
      case Code::kBadRange:
        return about(at, d, {}) || (leans_on_class(at) && !own(at, "range") && !own(at, "ctrlrange"));
      case Code::kBadAsset:
        return about(at, d, {"file", "vertex", "builtin", "class"});
      case Code::kBadMimic:
        return about(at, d, {"joint1", "joint2", "gear"});
      default:
        return about(at, d, {});
    }
  }

 private:
  struct Node {
    const Element* element;
    int parent;
  };
  using Key = std::tuple<int, int, int>;

  static Key key(const Origin& at) { return {at.file, at.line, at.column}; }
  static bool is_cause_not_class(Code code) { return is_cause(code) && code != Code::kUnknownClass; }

  void visit(const Element& element, int parent) {
    const int self = static_cast<int>(nodes_.size());
    nodes_.push_back({&element, parent});
    for (const Element& child : element.children) visit(child, self);
  }

  /// The last element that begins at or before the place: attributes stand before children.
  int owner(const Diagnostic& d) const {
    const auto file = file_ids_.find(d.file);
    // (an <include> is not in the document: its content is)
    if (file == file_ids_.end() || d.line == 0 || d.element == "include") return -1;
    const auto after =
        std::upper_bound(places_.begin(), places_.end(),
                         std::pair(Key(file->second, d.line, d.column), static_cast<int>(nodes_.size())));
    if (after == places_.begin() || std::get<0>(std::prev(after)->first) != file->second) return -1;
    return std::prev(after)->second;
  }

  std::string_view tag(int node) const { return nodes_[node].element->tag; }
  bool own(int node, std::string_view attribute) const { return nodes_[node].element->find(attribute); }
  bool inside(int node, std::string_view wanted) const {
    for (; node >= 0; node = nodes_[node].parent) {
      if (tag(node) == wanted) return true;
    }
    return false;
  }
  /// The <default> that an element is, or stands in; -1: none.
  int default_around(int node) const {
    while (node >= 0 && tag(node) != "default") node = nodes_[node].parent;
    return node;
  }
  bool is_top_default(int node) const { return default_around(nodes_[node].parent) < 0; }
  /// The class whose defaults an element takes: its own, that of a body around it, or the top one ("").
  std::string_view class_of(int node) const {
    if (const Attribute* own_class = nodes_[node].element->find("class")) return own_class->value;
    for (; node >= 0; node = nodes_[node].parent) {
      if (const Attribute* around = nodes_[node].element->find("childclass")) return around->value;
    }
    return "";
  }
  /// A <default> that the element takes values from, or one around that, has errors.
  bool takes_faulty_defaults(int node) const {
    const std::string_view wanted = class_of(node);
    for (const int faulty : faulty_defaults_) {
      // the top one may stand in several sections, and everything takes from it
      if (is_top_default(faulty)) return true;
      for (size_t i = 0; i < nodes_.size(); ++i) {
        const Attribute* name = nodes_[i].element->find("class");
        if (tag(static_cast<int>(i)) != "default" || !name || name->value != wanted) continue;
        for (int at = static_cast<int>(i); at >= 0; at = nodes_[at].parent) {
          if (at == faulty) return true;
        }
      }
    }
    return false;
  }
  /// The body that an element is content of.
  int body_of(int node) const {
    for (node = nodes_[node].parent; node >= 0; node = nodes_[node].parent) {
      if (tag(node) == "body" || tag(node) == "worldbody") return node;
    }
    return -1;
  }

  /// Names that go with an element: those it gives, and those an attribute would have given that was not understood.
  void lose(const Element& element, bool unknown, const Diagnostic& d) {
    const auto words = quoted(d.message);
    const bool names = mentions(d.hint, "name") || mentions(d.hint, "class") || mentions(d.hint, "file");
    for (const Attribute& a : element.attributes) {
      const bool meant = names && std::find(words.begin(), words.end(), a.name) != words.end();
      if (!meant && !(unknown && (a.name == "name" || a.name == "class" || a.name == "file"))) continue;
      lost_.emplace(a.value);
      lost_.insert(stem(a.value));
    }
    if (!unknown) return;
    for (const Element& child : element.children) lose(child, true, d);
  }

  /// What an error takes with it.
  void collect(size_t i) {
    const Diagnostic& d = all_[i];
    const int at = owners_[i];
    if (d.severity != Severity::kError) return;
    if (at < 0) return;
    const bool unknown = d.code == Code::kUnknownElement || d.code == Code::kMisplacedElement;
    if (is_cause_not_class(d.code) || d.code == Code::kMissingAttribute) {
      lose(*nodes_[at].element, unknown, d);
      if (const int around = default_around(at); around >= 0) faulty_defaults_.insert(around);
      if (unknown && inside(at, "worldbody")) lost_joint_ = true;
    }
    if (is_cause(d.code)) causes_[at].push_back(i);
    const bool nameless = d.code == Code::kEmptyName || (d.code == Code::kMissingAttribute &&
                                                         (mentions(d.message, "name") || mentions(d.message, "class")));
    if (nameless) nameless_.emplace(tag(at));
    if (d.code == Code::kUnknownReference || d.code == Code::kUnknownClass) missing_[kind_of(d)].insert(name_of(d));
  }

  /// A cause at the same element names one of these attributes, or one that the finding speaks of.
  bool about(int at, const Diagnostic& d, std::initializer_list<const char*> attributes) const {
    const auto causes = causes_.find(at);
    if (causes == causes_.end()) return false;
    for (const size_t i : causes->second) {
      const Diagnostic& cause = all_[i];
      std::vector<std::string> words = quoted(cause.message);
      for (std::string& word : quoted(cause.hint)) words.push_back(std::move(word));
      if (cause.code == Code::kUnknownClass) words = {"class"};
      for (const std::string& word : words) {
        if (mentions(d.message, word)) return true;
        if (std::find(attributes.begin(), attributes.end(), word) != attributes.end()) return true;
      }
    }
    return false;
  }

  /// Its defaults are not what the file means: a class is unknown, here or around it, or a <default> it takes from has
  /// errors.
  bool leans_on_class(int node) const {
    if (takes_faulty_defaults(node)) return true;
    for (; node >= 0; node = nodes_[node].parent) {
      const auto causes = causes_.find(node);
      if (causes == causes_.end()) continue;
      for (const size_t i : causes->second) {
        if (all_[i].code == Code::kUnknownClass || mentions(all_[i].hint, "childclass") ||
            mentions(all_[i].hint, "class"))
          return true;
      }
    }
    return false;
  }

  /// The body has content (or a part that is welded to it has) with an error: nobody knows what it weighs.
  bool spoilt_body(int body, size_t self) const {
    for (size_t i = 0; i < all_.size(); ++i) {
      const int at = owners_[i];
      if (i == self || at < 0 || all_[i].code == Code::kBadMass) continue;
      const std::string_view what = tag(at);
      if (what == "joint" || what == "freejoint" || what == "site" || what == "camera" || what == "light") continue;
      if (what == "mesh" && uses_mesh(body, at)) return true;
      if (at != body && !welded_to(at, body)) continue;
      // of a body itself only what decides about its content
      if (what == "body" && !mentions(all_[i].message + all_[i].hint, "childclass") &&
          all_[i].code != Code::kUnknownClass)
        continue;
      return true;
    }
    return false;
  }

  bool has_joint(int body) const {
    const auto& children = nodes_[body].element->children;
    return std::any_of(children.begin(), children.end(),
                       [](const Element& child) { return child.tag == "joint" || child.tag == "freejoint"; });
  }
  bool welded_to(int node, int body) const {
    for (int at = body_of(node); at >= 0; at = body_of(at)) {
      if (at == body) return true;
      if (has_joint(at)) return false;
    }
    return false;
  }
  bool uses_mesh(int body, int mesh) const {
    const Attribute *name = nodes_[mesh].element->find("name"), *file = nodes_[mesh].element->find("file");
    const std::string wanted = name ? std::string(name->value) : file ? stem(file->value) : "";
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Attribute* used = tag(static_cast<int>(i)) == "geom" ? nodes_[i].element->find("mesh") : nullptr;
      if (used && used->value == wanted && welded_to(static_cast<int>(i), body)) return true;
    }
    return false;
  }

  static std::string name_of(const Diagnostic& d) {
    const auto words = quoted(d.message);
    return words.empty() ? "" : words.back();
  }
  /// "mesh" of "refers to the mesh 'a', which does not exist".
  static std::string kind_of(const Diagnostic& d) {
    if (d.code == Code::kUnknownClass) return "default";
    std::string name = name_of(d);
    name.insert(0, " '").push_back('\'');
    const size_t end = d.message.rfind(name);
    if (end == std::string::npos || end == 0) return "";
    const size_t start = d.message.rfind(' ', end - 1);
    return d.message.substr(start + 1, end - start - 1);
  }
  bool lost_name(const Diagnostic& d) const {
    if (lost_.count(name_of(d))) return true;
    // one element without a name, and one name without an element
    const auto missing = missing_.find(kind_of(d));
    return missing != missing_.end() && missing->second.size() == 1 && nameless_.count(missing->first);
  }

  const std::vector<Diagnostic>& all_;
  std::vector<Node> nodes_;
  std::vector<std::pair<Key, int>> places_;
  std::map<std::string, int> file_ids_;
  std::vector<int> owners_;                    ///< element of each error, -1 if there is none
  std::map<int, std::vector<size_t>> causes_;  ///< by element
  Words lost_;                                 ///< values that stood in elements with errors: names among them
  Words nameless_;                             ///< tags of elements without the name they need
  std::map<std::string, Words> missing_;       ///< by kind: names that nothing has
  std::set<int> faulty_defaults_;              ///< <default> elements with errors in them
  bool lost_joint_ = false;
};

}  // namespace

std::vector<Diagnostic> without_echoes(const std::vector<Diagnostic>& all, size_t found_by_load,
                                       const Document& document, const std::vector<std::string>& files) {
  std::set<std::tuple<std::string, int, int>> unread;
  std::vector<Diagnostic> kept;
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::kError; };
  std::vector<bool> echo(all.size());
  if (std::count_if(all.begin(), all.end(), is_error) > 1) {
    const Echoes echoes(all, document, files);
    for (size_t i = 0; i < all.size(); ++i) echo[i] = echoes.is_echo(i);
  }
  for (size_t i = 0; i < all.size(); ++i) {
    const Diagnostic& d = all[i];
    const auto place = std::tuple{d.file, d.line, d.column};
    if (i < found_by_load && is_error(d) && d.line > 0) unread.insert(place);
    if (echo[i] || (i >= found_by_load && unread.count(place))) continue;
    kept.push_back(d);
  }
  // whatever the rules say: what cannot be loaded has a reason
  if (std::any_of(all.begin(), all.end(), is_error) && std::none_of(kept.begin(), kept.end(), is_error)) kept = all;
  std::stable_sort(kept.begin(), kept.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  return kept;
}

}  // namespace pliant

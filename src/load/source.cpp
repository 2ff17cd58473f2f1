// Source layer: pugixml parses a copy of the text in place, so the pointers of names and values give
// byte offsets; a table of line starts turns them into line and column. Includes are spliced in here, so
// that nobody else has to know about them.

#include "load/source.h"

#include <algorithm>
#include <fstream>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <system_error>

#include "base/file_names.h"
#include "base/text.h"
#include "load/archive.h"
#include "load/asset_path.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

// Deeper nesting than this is no robot; recursive readers rely on the bound.
constexpr int kMaxDepth = 1000;
// Larger files are refused before they are read into memory.
constexpr uintmax_t kMaxFileBytes = uintmax_t{1} << 31;

class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }
  Origin at(int file, size_t offset) const {
    offset = std::min(offset, text_.size());
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const size_t line = next - starts_.begin();
    // columns count characters, not bytes of their encoding; from the place asked for last when it is on
    // this line, or a document in one long line would take the square of its length
    if (starts_[line - 1] > known_offset_ || offset < known_offset_) {
      known_offset_ = starts_[line - 1];
      known_column_ = 1;
    }
    for (; known_offset_ < offset; ++known_offset_) {
      known_column_ += (static_cast<unsigned char>(text_[known_offset_]) & 0xC0) != 0x80;
    }
    return {file, static_cast<int>(line), known_column_};
  }

 private:
  std::string_view text_;
  std::vector<size_t> starts_;
  mutable size_t known_offset_ = 0;
  mutable int known_column_ = 1;
};

/// Bytes of a file; problems are reported at `from`, the element that asked for it.
bool fetch_file(const std::string& path, const LoadOptions& options, Diagnostics& diagnostics, Origin from,
                bool is_include, std::string& out) {
  if (const std::string* asset = find_asset(options, path)) {
    out = *asset;
    return true;
  }
  const Code missing = is_include ? Code::kIncludeMissing : Code::kFileNotFound;
  std::error_code problem;
  const auto fail = [&](Code code, const std::string& message, const std::string& hint = {}) {
    const Origin at = from.file >= 0 ? from : Origin{diagnostics.add_file(path), 0, 0};
    diagnostics.error(code, at, is_include ? "include" : "", message, hint);
    return false;
  };
  const fs::file_status status = fs::status(path, problem);
  if (!fs::exists(status)) {
    return fail(missing, "there is no file " + quote(path, 200), did_you_mean_file(path));
  }
  if (!fs::is_regular_file(status)) {
    return fail(Code::kFileUnreadable, quote(path, 200) + " is not a regular file");
  }
  if (fs::file_size(path, problem) > kMaxFileBytes) {
    return fail(Code::kTooLarge, quote(path, 200) + " is larger than 2 GiB");
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  if (!stream || !(content << stream.rdbuf() || stream.peek() == EOF)) {
    return fail(Code::kFileUnreadable, "cannot read " + quote(path, 200));
  }
  out = std::move(content).str();
  return true;
}

class DocumentReader {
 public:
  DocumentReader(const LoadOptions& options, Diagnostics& diagnostics, Document& document)
      : options_(options), diagnostics_(diagnostics), document_(document) {}

  bool read_file(const std::string& path, Element& root) {
    auto text = std::make_unique<std::string>();
    if (!fetch(path, *text, Origin{}, false)) return false;
    included_.insert(normal(path));
    stack_.push_back(normal(path));
    return parse(path, std::move(text), root);
  }

  bool read_text(std::string_view text, Element& root) { return parse("", std::make_unique<std::string>(text), root); }

 private:
  static std::string normal(const std::string& path) {
    std::error_code ignored;
    const fs::path full = fs::weakly_canonical(fs::path(path), ignored);
    return ignored ? path : full.string();
  }

  bool fetch(const std::string& path, std::string& out, Origin from, bool is_include) {
    return fetch_file(path, options_, diagnostics_, from, is_include, out);
  }

  bool check_text(const std::string& text, int file) {
    const Origin whole{file, 0, 0};
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
      diagnostics_.error(Code::kEmptyFile, whole, "", "the file is empty");
      return false;
    }
    const auto starts = [&](std::string_view magic) { return text.compare(0, magic.size(), magic) == 0; };
    if (starts("\xFF\xFE") || starts("\xFE\xFF")) {
      diagnostics_.error(Code::kNotText, whole, "", "the file is UTF-16 text", "save it as UTF-8");
      return false;
    }
    if (text.find('\0') != std::string::npos) {
      diagnostics_.error(Code::kNotText, whole, "", "the file is not text: it contains zero bytes");
      return false;
    }
    return true;
  }

  bool parse(const std::string& path, std::unique_ptr<std::string> text, Element& root) {
    const int file = diagnostics_.add_file(path);
    if (!check_text(*text, file)) return false;
    const Lines lines(*text);
    auto buffer = std::make_unique<std::string>(*text);
    pugi::xml_document xml;
    // line breaks in attributes are kept, as in the reference; a <text> may have several lines
    // (fragments: what stands beside the root element is kept, to be reported)
    const unsigned flags =
        (pugi::parse_default & ~pugi::parse_wconv_attribute) | pugi::parse_doctype | pugi::parse_fragment;
    const pugi::xml_parse_result result =
        xml.load_buffer_inplace(buffer->data(), buffer->size(), flags, pugi::encoding_utf8);
    if (!result) {
      // pugixml reports the end of a multi-byte problem at or after the end of the text
      report_parse_error(result, *text, lines, file);
      return false;
    }
    pugi::xml_node first;
    bool fine = true;
    const auto tag_at = [&](const pugi::xml_node& node) {
      return lines.at(file, text->rfind('<', node.offset_debug()));
    };
    for (pugi::xml_node node : xml.children()) {
      if (!first && node.type() == pugi::node_element) first = node;
    }
    if (!first) {
      diagnostics_.error(Code::kMalformedXml, Origin{file, 1, 1}, "", "there is no XML element");
      return false;
    }
    bool after_root = false;
    for (pugi::xml_node node : xml.children()) {
      if (node.type() == pugi::node_doctype) {
        diagnostics_.error(Code::kDoctype, tag_at(node), "", "document type declarations are not accepted",
                           "entities are never expanded; write the values out");
        fine = false;
      } else if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
        const char* words = node.value() + std::string_view(node.value()).find_first_not_of(" \t\r\n");
        const Origin at = lines.at(file, static_cast<size_t>(words - buffer->data()));
        // as in the reference: before the root element it does no harm, after it it is an error
        if (after_root) {
          diagnostics_.error(Code::kMalformedXml, at, "", "text after the root element: " + quote(words, 40));
          fine = false;
        } else {
          diagnostics_.warning(Code::kStrayText, at, "",
                               "text before the root element is ignored: " + quote(words, 40));
        }
      } else if (node.type() == pugi::node_element) {
        if (after_root) {
          diagnostics_.error(Code::kMalformedXml, tag_at(node), node.name(),
                             "a second root element <" + std::string(node.name()) + ">");
          fine = false;
        }
        after_root = true;
      }
    }
    if (fine) {
      if (stack_.size() <= 1) is_urdf_ = std::string_view(first.name()) == "robot";
      const Source source{buffer->data(), &lines, file, path};
      convert(first, source, root, 0);
    }
    document_.buffers.push_back(std::move(buffer));
    return fine;
  }

  void report_parse_error(const pugi::xml_parse_result& result, const std::string& text, const Lines& lines, int file) {
    std::string message;
    switch (result.status) {
      case pugi::status_end_element_mismatch:
        message = "an end tag does not match its start tag";
        break;
      case pugi::status_bad_start_element:
        message = "malformed start tag";
        break;
      case pugi::status_bad_attribute:
        message = "malformed attribute";
        break;
      case pugi::status_bad_end_element:
        message = "malformed end tag";
        break;
      case pugi::status_bad_comment:
        message = "a comment is not closed";
        break;
      case pugi::status_bad_cdata:
        message = "a CDATA section is not closed";
        break;
      case pugi::status_bad_doctype:
        message = "malformed document type declaration";
        break;
      case pugi::status_no_document_element:
        message = "there is no XML element";
        break;
      case pugi::status_unrecognized_tag:
        message = "malformed tag";
        break;
      default:
        message = result.description();
        break;
    }
    const size_t offset = std::min(static_cast<size_t>(result.offset), text.size());
    if (result.status == pugi::status_end_element_mismatch &&
        text.find_first_not_of(" \t\r\n", offset) == std::string::npos) {
      message = "an element is not closed";
    }
    size_t end = text.find('\n', offset);
    if (end == std::string::npos) end = text.size();
    const std::string near = text.substr(offset, std::min<size_t>(end - offset, 40));
    if (!near.empty())
      message += " near " + quote(near);
    else if (offset >= text.size())
      message += " at the end of the file";
    diagnostics_.error(Code::kMalformedXml, lines.at(file, offset), "", std::move(message));
  }

  struct Source {
    const char* base;
    const Lines* lines;
    int file;
    std::string path;
    Origin at(const char* pointer) const { return lines->at(file, pointer - base); }
  };

  void convert(const pugi::xml_node& node, const Source& source, Element& out, int depth) {
    out.tag = node.name();
    out.at = source.at(node.name());
    out.at.column -= 1;  // point at '<'
    if (++elements_ == options_.max_elements + 1) {
      diagnostics_.error(Code::kTooLarge, out.at, out.tag,
                         "the document has more than " + std::to_string(options_.max_elements) + " elements",
                         "raise LoadOptions::max_elements if this is meant");
    }
    if (elements_ > options_.max_elements) return;
    if (depth > kMaxDepth) {
      diagnostics_.error(Code::kTooDeep, out.at, out.tag,
                         "elements are nested more than " + std::to_string(kMaxDepth) + " deep");
      return;
    }
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const Attribute read{attribute.name(), attribute.value(), source.at(attribute.name()),
                           source.at(attribute.value())};
      if (out.find(read.name)) {
        diagnostics_.error(Code::kRepeatedAttribute, read.name_at, out.tag,
                           "<" + std::string(out.tag) + "> has the attribute '" + std::string(read.name) + "' twice");
        continue;
      }
      out.attributes.push_back(read);
    }
    for (const pugi::xml_node& child : node.children()) convert_child(child, source, out, depth);
  }

  void convert_child(const pugi::xml_node& child, const Source& source, Element& out, int depth) {
    switch (child.type()) {
      case pugi::node_element:
        if (!is_urdf_ && std::string_view(child.name()) == "include") {
          include(child, source, out, depth);
        } else {
          out.children.emplace_back();
          // a reference into the vector would die when a nested include grows it
          Element element;
          convert(child, source, element, depth + 1);
          out.children.back() = std::move(element);
        }
        break;
      case pugi::node_cdata:
        out.cdata = child.value();
        ++out.cdata_sections;
        break;
      case pugi::node_pcdata:
        if (is_urdf_) {
          if (out.text.empty()) {
            out.text = child.value();
            out.text_at = source.at(child.value());
          }
          break;
        }
        diagnostics_.warning(Code::kStrayText, source.at(child.value()), out.tag,
                             "text inside <" + std::string(out.tag) + "> is ignored: " + quote(child.value(), 40));
        break;
      default:
        break;
    }
  }

  void include(const pugi::xml_node& node, const Source& source, Element& out, int depth) {
    Origin at = source.at(node.name());
    at.column -= 1;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      if (std::string_view(attribute.name()) != "file") {
        diagnostics_.error(Code::kUnknownAttribute, source.at(attribute.name()), "include",
                           "<include> has no attribute " + quote(attribute.name()), "its only attribute is 'file'");
      }
    }
    const std::string name = node.attribute("file").value();
    if (name.empty()) {
      diagnostics_.error(Code::kMissingAttribute, at, "include", "<include> needs the attribute 'file'");
      return;
    }
    const Origin value_at = source.at(node.attribute("file").value());
    const std::string path = locate(name, source.path);
    const std::string key = normal(path);
    if (std::find(stack_.begin(), stack_.end(), key) != stack_.end()) {
      diagnostics_.error(Code::kIncludeCircular, value_at, "include", "file " + quote(name, 200) + " includes itself");
      return;
    }
    if (!included_.insert(key).second) {
      diagnostics_.error(Code::kIncludeRepeated, value_at, "include",
                         "file " + quote(name, 200) + " was already included",
                         "a file may be included once; use <replicate> or <attach> for copies");
      return;
    }
    auto text = std::make_unique<std::string>();
    if (!fetch(path, *text, value_at, true)) return;
    stack_.push_back(key);
    Element root;
    if (parse(path, std::move(text), root)) {
      // the root of an included file is only a wrapper
      for (const Attribute& attribute : root.attributes) {
        if (attribute.name == "model") continue;
        diagnostics_.warning(Code::kIgnoredAttribute, attribute.name_at, root.tag,
                             "attributes of an included file's root element are ignored: " + quote(attribute.name));
      }
      if (depth + 1 > kMaxDepth) {
        diagnostics_.error(Code::kTooDeep, at, "include", "includes are nested too deep");
      } else {
        for (Element& child : root.children) out.children.push_back(std::move(child));
      }
    }
    stack_.pop_back();
  }

  // relative to the main file first, then to the file that includes
  std::string locate(const std::string& name, const std::string& from) const {
    if (find_asset(options_, name)) return name;
    const fs::path given(name);
    if (given.is_absolute()) return name;
    const fs::path beside_main = fs::path(document_.directory) / given;
    std::error_code ignored;
    if (find_asset(options_, beside_main.string()) || fs::exists(beside_main, ignored)) {
      return beside_main.string();
    }
    const fs::path beside_file = fs::path(from).parent_path() / given;
    const bool there = find_asset(options_, beside_file.string()) || fs::exists(beside_file, ignored);
    if (!from.empty() && there) return beside_file.string();
    return beside_main.string();
  }

  const LoadOptions& options_;
  Diagnostics& diagnostics_;
  Document& document_;
  std::set<std::string> included_;
  std::vector<std::string> stack_;
  int64_t elements_ = 0;
  bool is_urdf_ = false;  // no includes, and text may mean something
};

}  // namespace

const Attribute* Element::find(std::string_view name) const {
  for (const Attribute& attribute : attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

bool open_archive(std::string& path, LoadOptions& options, Diagnostics& diagnostics) {
  std::string bytes;
  if (!fetch_file(path, options, diagnostics, Origin{}, false, bytes)) return false;
  ArchiveFiles files;
  if (!read_archive(path, bytes, options.max_archive_bytes, diagnostics, files)) return false;
  path = archive_model(path, files, diagnostics);
  options.assets.merge(files);
  return !path.empty();
}

bool read_document(const std::string& path, std::string_view text, const LoadOptions& options, Diagnostics& diagnostics,
                   Document& document) {
  document.directory = path.empty() ? std::string() : directory_of(path);
  DocumentReader reader(options, diagnostics, document);
  return path.empty() ? reader.read_text(text, document.root) : reader.read_file(path, document.root);
}

}  // namespace pliant

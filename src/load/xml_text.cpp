#include "load/xml_text.h"

namespace pliant {
namespace {

constexpr size_t kLongLine = 120;

/// Appends the value so that a parser that keeps line breaks in attributes gets it back byte for byte.
void append_escaped(std::string& text, std::string_view value) {
  for (const char c : value) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          text += "&#" + std::to_string(static_cast<int>(c)) + ";";
        } else {
          text += c;
        }
    }
  }
}

}  // namespace

void XmlText::indent() { text_.append(2 * (depth_ + tags_.size()), ' '); }

void XmlText::finish_tag() {
  if (in_tag_) text_ += ">\n";
  in_tag_ = false;
}

void XmlText::open(std::string_view tag) {
  finish_tag();
  indent();
  text_ += '<';
  text_ += tag;
  tags_.emplace_back(tag);
  in_tag_ = true;
}

void XmlText::attribute(std::string_view name, std::string_view value) {
  text_ += ' ';
  text_ += name;
  text_ += "=\"";
  append_escaped(text_, value);
  text_ += '"';
}

void XmlText::numbers(std::string_view name, std::string_view value) {
  if (value.size() <= kLongLine) return attribute(name, value);
  text_ += ' ';
  text_ += name;
  text_ += "=\"";
  while (value.size() > kLongLine) {
    const size_t space = value.rfind(' ', kLongLine);
    if (space == std::string_view::npos) break;
    text_ += value.substr(0, space);
    text_ += '\n';
    indent();
    value.remove_prefix(space + 1);
  }
  text_ += value;
  text_ += '"';
}

void XmlText::close() {
  const std::string tag = std::move(tags_.back());
  tags_.pop_back();
  if (in_tag_) {
    text_ += "/>\n";
  } else {
    indent();
    text_ += "</" + tag + ">\n";
  }
  in_tag_ = false;
}

void XmlText::insert(std::string_view text) {
  if (text.empty()) return;
  finish_tag();
  text_ += text;
}

}  // namespace pliant

#pragma once
// XML text in the making: elements open and close, attributes are escaped, long lists of numbers are broken into lines.

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

class XmlText {
 public:
  explicit XmlText(int depth = 0) : depth_(depth) {}

  void open(std::string_view tag);
  /// Of the element opened last, before anything is inside it.
  void attribute(std::string_view name, std::string_view value);
  /// As attribute(), for numbers: a long list takes several lines.
  void numbers(std::string_view name, std::string_view value);
  void close();
  /// Text made elsewhere, as content of the open element.
  void insert(std::string_view text);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

 private:
  void finish_tag();
  void indent();

  std::string text_;
  std::vector<std::string> tags_;
  int depth_;
  bool in_tag_ = false;
};

}  // namespace pliant

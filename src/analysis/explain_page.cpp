// An explanation as one HTML page: numbers to slide or type, what they will do, curves, the line of MJCF to copy.
// Nothing is fetched: style, script and numbers are in the page (pages/). The column "as written" is the JSON itself.

#include <string>

#include "pages/explain.h"
#include "pliant/explain.h"
#include "pliant/json.h"

namespace pliant {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>)";

/// JSON that may stand in a script: no "</" and no "<!--".
std::string for_script(std::string json) {
  for (size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at + 6)) json.replace(at, 1, "\\u003c");
  return json;
}

std::string for_html(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

}  // namespace

std::string explain_page(const Explanation& e, const std::string& playing) {
  const bool mimic = e.kind == "mimic";
  std::string numbers = explain_json(e);
  numbers.pop_back();  // its last brace
  numbers += ",\n  \"playing\": " + json_text(playing) + ",\n  \"tuning\": " + e.tuning + "}";
  std::string page = kHead;
  page.append(for_html(e.title)).append("</title><style>\n").append(kText_style_css).append("</style></head><body>\n");
  page.append(mimic ? kText_mimic_html : kText_tuning_html);
  page.append("<script>\nconst E = ").append(for_script(numbers)).append(";\n").append(kText_parts_js);
  if (mimic) {
    page.append(kText_mimic_law_js).append(kText_mimic_js);
  } else {
    page.append(kText_scalar_map_js).append(kText_tuning_law_js).append(kText_tuning_js);
  }
  return page.append("</script></body></html>\n");
}

}  // namespace pliant

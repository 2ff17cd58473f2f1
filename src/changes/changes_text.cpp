// The report for people (at most 100 columns) and for programs (JSON).

#include "analysis/lines.h"
#include "base/text.h"
#include "changes/changes.h"
#include "pliant/json.h"

namespace pliant {
namespace {

std::string json_number(double x) { return std::isfinite(x) ? number_text(x) : std::string("null"); }

std::string paragraph(const std::string& text, const std::string& indent) {
  return text.empty() ? "" : wrapped(text, indent, indent.size());
}

std::string line_of(const Change& c) {
  const std::string head = c.code + " " + c.title + " (" + c.version + ")";
  return paragraph((c.origin.empty() ? "" : c.origin + ": ") + head, "") +
         paragraph(c.message.starts_with(c.element) ? c.message : c.element + ": " + c.message, "    ");
}

}  // namespace

std::string changes_text(const ChangeReport& report, const std::string& title) {
  std::string out = paragraph(title, "");
  if (!report.loaded) out += "the model cannot be loaded: only what its file says was looked at\n";
  const std::string states = "at " + std::to_string(report.states) + " states";
  out += paragraph(report.differs() ? "moves differently than in MuJoCo " + report.since + " (looked " + states + ")"
                   : report.loaded  ? "moves as in MuJoCo " + report.since + " (looked " + states + ")"
                                    : "nothing known that " + report.since + " read and 4.0 refuses",
                   "");
  for (const bool seen : {true, false}) {
    bool first = true;
    for (const Change& c : report.changes) {
      if (c.seen != seen) continue;
      if (first) out += seen ? "\n" : "\nof another law, without effect at these states\n\n";
      first = false;
      out += line_of(c);
    }
  }
  return out;
}

std::string changes_json(const ChangeReport& report, const std::string& file) {
  std::string out = "{\n  \"file\": " + json_text(file) + ",\n  \"since\": " + json_text(report.since) +
                    ",\n  \"loaded\": " + (report.loaded ? "true" : "false") +
                    ",\n  \"states\": " + std::to_string(report.states) +
                    ",\n  \"differs\": " + (report.differs() ? "true" : "false") + ",\n  \"changes\": [";
  for (size_t i = 0; i < report.changes.size(); ++i) {
    const Change& c = report.changes[i];
    out += std::string(i ? "," : "") + "\n    {\"code\": " + json_text(c.code) + ", \"title\": " + json_text(c.title) +
           ", \"version\": " + json_text(c.version) + ", \"effect\": " + json_text(effect_name(c.effect)) +
           ", \"seen\": " + (c.seen ? "true" : "false") + ",\n     \"element\": " + json_text(c.element) +
           ", \"origin\": " + json_text(c.origin) + ",\n     \"message\": " + json_text(c.message) +
           ",\n     \"size\": " + json_number(c.size) + ", \"numbers\": [";
    for (size_t k = 0; k < c.numbers.size(); ++k) {
      const ChangedNumber& n = c.numbers[k];
      out += std::string(k ? ", " : "") + "{\"name\": " + json_text(n.name) + ", \"before\": " + json_number(n.before) +
             ", \"after\": " + json_number(n.after) + ", \"unit\": " + json_text(n.unit) + "}";
    }
    out += "]}";
  }
  return out + (report.changes.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace pliant

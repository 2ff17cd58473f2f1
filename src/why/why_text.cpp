// Reports of `why` for people (at most 100 columns), for programs (JSON) and as an HTML page.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/lines.h"
#include "base/text.h"
#include "doctor/doctor_case.h"
#include "pliant/json.h"
#include "pliant/why.h"

namespace pliant {

using doctoring::number;

namespace {

constexpr size_t kSuspects = 3, kFixes = 6, kLedgerLines = 8;

std::string json_number(double x) { return std::isfinite(x) ? number_text(x) : std::string("null"); }
std::string json_flag(bool x) { return x ? "true" : "false"; }

std::string paragraph(const std::string& text, const std::string& first, size_t indent) {
  return text.empty() ? "" : wrapped(text, first, indent);
}

std::string at_origin(const std::string& origin) { return origin.empty() ? "" : " (" + origin + ")"; }

std::string verdict(const TriedFix& f) {
  if (f.worked) return "worked";
  if (f.in_band) return "ran, moves otherwise";
  if (f.note.starts_with("not tried") || f.note.starts_with("it cannot") || f.note.starts_with("there was no time"))
    return "not tried";
  return "did not work";
}

/// The ledger as a table: a line per step, a column per element.
std::string ledger_text(const WhyReport& r) {
  if (r.ledger.empty() || r.ledger_elements.empty()) return "";
  std::string out = "\nenergy ledger of the last steps, work in J:\n";
  const size_t columns = std::min<size_t>(r.ledger_elements.size(), 5);
  for (size_t k = 0; k < columns; ++k)
    out += paragraph(std::string(1, static_cast<char>('A' + k)) + " = " + r.ledger_elements[k], "  ", 6);
  char text[64];
  out += "        t [s]    kinetic";
  for (size_t k = 0; k < columns; ++k) {
    std::snprintf(text, sizeof text, "%11c", static_cast<char>('A' + k));
    out += text;
  }
  out += "  integration\n";
  for (size_t i = r.ledger.size() - std::min(r.ledger.size(), kLedgerLines); i < r.ledger.size(); ++i) {
    const LedgerStep& row = r.ledger[i];
    std::snprintf(text, sizeof text, "  %11.6g%11.3g", row.time, row.kinetic_change);
    out += text;
    for (size_t k = 0; k < columns; ++k) {
      std::snprintf(text, sizeof text, "%11.3g", row.work[k]);
      out += text;
    }
    std::snprintf(text, sizeof text, "%13.3g", row.integration);
    out += std::string(text) + "\n";
  }
  return out;
}

std::string for_html(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

}  // namespace

std::string why_text(const WhyReport& r, bool all) {
  std::string out = paragraph(r.title, "", 0);
  if (!r.problem.empty()) out += paragraph(r.problem, "", 0);
  if (!r.trouble) {
    out += "nothing is wrong that can be seen\n";
  } else if (!r.departures.empty()) {
    const Departure& d = r.departures.front();
    out += "\nwhat happened\n" + paragraph(d.text, "  ", 4);
    out += paragraph(d.at_start ? "in the first state that is known"
                                : "in step " + std::to_string(d.step) + ", at t = " + number(d.time) + " s",
                     "  ", 4);
    for (size_t i = 1; i < r.departures.size(); ++i)
      out += paragraph("also, at t = " + number(r.departures[i].time) + " s: " + r.departures[i].text, "  ", 4);
    if (!r.fault.empty() && d.text != r.fault) out += paragraph("in the end: " + r.fault, "  ", 4);
  }
  if (!r.suspects.empty()) {
    const WhySuspect& s = r.suspects.front();
    out += std::string("\n") + (r.known && r.trouble ? "culprit" : "to look at first") + "\n";
    out += paragraph(s.kind + ": " + s.element + at_origin(s.origin), "  ", 4);
    out += paragraph(s.rule, "  rule broken: ", 4);
    std::string numbers;
    for (const Evidence& e : s.evidence)
      numbers +=
          (numbers.empty() ? "" : ", ") + e.name + " = " + number(e.value) + (e.unit.empty() ? "" : " " + e.unit);
    out += paragraph(numbers, "  numbers: ", 4);
  }
  if (r.chain.size() > 1) {
    out += "\nhow it came to that\n";
    for (const std::string& link : r.chain) out += paragraph(link, "  ← ", 4);
  }
  if (!r.fixes.empty()) {
    out += "\nfixes that were tried, by simulating again from t = " + number(r.from) + " s\n";
    size_t shown = 0;
    for (const TriedFix& f : r.fixes) {
      if (!all && shown >= kFixes) break;
      ++shown;
      out += paragraph(
          f.what + (f.error >= 0 ? " (" + number(100 * f.error) + " % from the motion with a fine timestep)" : ""),
          "  [" + verdict(f) + "] ", 4);
      out += paragraph(f.mjcf, "      ", 6);
      if (!f.worked) out += paragraph(f.note, "      ", 6);
    }
    if (shown < r.fixes.size()) out += "  and " + std::to_string(r.fixes.size() - shown) + " more (--all)\n";
  }
  if (r.suspects.size() > 1) {
    out += "\nother suspects\n";
    for (size_t i = 1; i < r.suspects.size() && (all || i <= kSuspects); ++i) {
      const WhySuspect& s = r.suspects[i];
      out +=
          paragraph(s.kind + ": " + s.element + at_origin(s.origin) + (s.rule.empty() ? "" : ": " + s.rule), "  ", 4);
    }
  }
  out += ledger_text(r);
  for (const std::string& note : r.notes) out += "\n" + paragraph("note: " + note, "", 2);
  return out;
}

std::string why_json(const WhyReport& r, const std::string& file) {
  std::string out = "{\n  \"file\": " + json_text(file) + ",\n  \"problem\": " + json_text(r.problem) +
                    ",\n  \"trouble\": " + json_flag(r.trouble) + ",\n  \"known\": " + json_flag(r.known) +
                    ",\n  \"nature\": " + json_text(r.nature) + ",\n  \"steps\": " + std::to_string(r.steps) +
                    ",\n  \"timestep\": " + json_number(r.timestep) + ",\n  \"fault\": " + json_text(r.fault) +
                    ",\n  \"departures\": [";
  const auto comma = [](size_t i) { return i ? "," : ""; };
  for (size_t i = 0; i < r.departures.size(); ++i) {
    const Departure& d = r.departures[i];
    out += std::string(comma(i)) + "\n    {\"quantity\": " + json_text(d.quantity) +
           ", \"element\": " + json_text(d.element) + ", \"origin\": " + json_text(d.origin) +
           ", \"value\": " + json_number(d.value) + ", \"band\": " + json_number(d.band) +
           ", \"unit\": " + json_text(d.unit) + ", \"step\": " + std::to_string(d.step) +
           ", \"time\": " + json_number(d.time) + ", \"at_start\": " + json_flag(d.at_start) +
           ", \"text\": " + json_text(d.text) + "}";
  }
  out += "],\n  \"chain\": [";
  for (size_t i = 0; i < r.chain.size(); ++i) out += std::string(comma(i)) + "\n    " + json_text(r.chain[i]);
  out += "],\n  \"suspects\": [";
  for (size_t i = 0; i < r.suspects.size(); ++i) {
    const WhySuspect& s = r.suspects[i];
    out += std::string(comma(i)) + "\n    {\"kind\": " + json_text(s.kind) + ", \"element\": " + json_text(s.element) +
           ", \"origin\": " + json_text(s.origin) + ", \"rule\": " + json_text(s.rule) +
           ", \"fed\": " + json_number(s.fed) + ", \"without_it_fine\": " + json_flag(s.without_it_fine) +
           ", \"score\": " + json_number(s.score) + ", \"evidence\": [";
    for (size_t k = 0; k < s.evidence.size(); ++k)
      out += std::string(comma(k)) + "{\"name\": " + json_text(s.evidence[k].name) +
             ", \"value\": " + json_number(s.evidence[k].value) + ", \"unit\": " + json_text(s.evidence[k].unit) + "}";
    out += "]}";
  }
  out += "],\n  \"from\": " + json_number(r.from) + ",\n  \"fixes\": [";
  for (size_t i = 0; i < r.fixes.size(); ++i) {
    const TriedFix& f = r.fixes[i];
    out += std::string(comma(i)) + "\n    {\"what\": " + json_text(f.what) + ", \"mjcf\": " + json_text(f.mjcf) +
           ", \"verdict\": " + json_text(verdict(f)) + ", \"worked\": " + json_flag(f.worked) +
           ", \"finite\": " + json_flag(f.finite) + ", \"in_band\": " + json_flag(f.in_band) +
           ", \"error\": " + (f.error < 0 ? "null" : json_number(f.error)) +
           ", \"suspect\": " + std::to_string(f.suspect) + ", \"note\": " + json_text(f.note) + ", \"edits\": [";
    for (size_t k = 0; k < f.edits.size(); ++k) {
      const MjcfEdit& e = f.edits[k];
      out += std::string(comma(k)) + "{\"tag\": " + json_text(e.tag) + ", \"name\": " + json_text(e.name) +
             ", \"origin\": " + json_text(e.origin) + ", \"attribute\": " + json_text(e.attribute) +
             ", \"value\": " + json_text(e.value) + ", \"section\": " + json_text(e.section) +
             ", \"line\": " + json_text(e.line) + ", \"unit\": " + json_text(e.unit) + "}";
    }
    out += "]}";
  }
  out += "],\n  \"ledger\": {\"elements\": [";
  for (size_t i = 0; i < r.ledger_elements.size(); ++i) out += std::string(comma(i)) + json_text(r.ledger_elements[i]);
  out += "], \"steps\": [";
  for (size_t i = 0; i < r.ledger.size(); ++i) {
    const LedgerStep& s = r.ledger[i];
    out += std::string(comma(i)) + "\n    {\"step\": " + std::to_string(s.step) + ", \"time\": " + json_number(s.time) +
           ", \"kinetic_change\": " + json_number(s.kinetic_change) +
           ", \"integration\": " + json_number(s.integration) + ", \"work\": [";
    for (size_t k = 0; k < s.work.size(); ++k) out += std::string(comma(k)) + json_number(s.work[k]);
    out += "]}";
  }
  out += "]},\n  \"notes\": [";
  for (size_t i = 0; i < r.notes.size(); ++i) out += std::string(comma(i)) + json_text(r.notes[i]);
  return out + "]\n}\n";
}

std::string why_page(const WhyReport& r) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\"><title>why: " +
      for_html(r.title) +
      "</title><style>body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
      "h2{font-size:1.1em;margin:1.6em 0 .3em}code{background:#f2f2ee;padding:.1em "
      ".3em}table{border-collapse:collapse;font-size:13px}"
      "td,th{text-align:right;padding:.15em .6em;border-bottom:1px solid "
      "#ddd}td.t,th.t{text-align:left}.worked{color:#176b2c}.not{color:#a33}"
      ".bar{display:inline-block;height:.7em;background:#c96}</style></head><body>\n<h1>Why</h1><p>" +
      for_html(r.title) + "</p>\n";
  if (!r.problem.empty()) out += "<p><b>" + for_html(r.problem) + "</b></p>\n";
  if (!r.trouble) out += "<p>Nothing is wrong that can be seen.</p>\n";
  if (!r.departures.empty()) {
    out += "<h2>What happened</h2><ul>";
    for (const Departure& d : r.departures)
      out += "<li>" + for_html(d.text) + " (step " + std::to_string(d.step) + ", t = " + number(d.time) + " s)</li>";
    if (!r.fault.empty()) out += "<li>in the end: " + for_html(r.fault) + "</li>";
    out += "</ul>\n";
  }
  if (!r.suspects.empty()) {
    const WhySuspect& s = r.suspects.front();
    out += std::string("<h2>") + (r.known && r.trouble ? "Culprit" : "To look at first") + "</h2><p><b>" +
           for_html(s.kind + ": " + s.element) + "</b> " + for_html(s.origin) + "<br>" + for_html(s.rule) + "</p>\n";
  }
  if (!r.chain.empty()) {
    out += "<h2>How it came to that</h2><ol>";
    for (const std::string& link : r.chain) out += "<li>" + for_html(link) + "</li>";
    out += "</ol>\n";
  }
  if (!r.fixes.empty()) {
    out += "<h2>Fixes, simulated again from t = " + number(r.from) +
           " s</h2><table><tr><th class=t>tried</th><th class=t>result</th><th>off the fine timestep</th><th "
           "class=t>change to copy</th></tr>";
    for (const TriedFix& f : r.fixes) {
      out += "<tr><td class=t>" + for_html(f.what) + "</td><td class=\"t " + (f.worked ? "worked" : "not") + "\">" +
             verdict(f) + (f.worked ? "" : "<br><small>" + for_html(f.note) + "</small>") + "</td><td>" +
             (f.error < 0 ? "" : number(100 * f.error) + " %") + "</td><td class=t><code>" + for_html(f.mjcf) +
             "</code></td></tr>";
    }
    out += "</table>\n";
  }
  if (!r.ledger.empty()) {
    out += "<h2>Energy ledger, work in J</h2><table><tr><th>t [s]</th><th>kinetic</th>";
    for (const std::string& e : r.ledger_elements) out += "<th>" + for_html(e) + "</th>";
    out += "<th>integration</th></tr>";
    for (const LedgerStep& s : r.ledger) {
      out += "<tr><td>" + number(s.time) + "</td><td>" + number(s.kinetic_change) + "</td>";
      for (const double w : s.work) out += "<td>" + number(w) + "</td>";
      out += "<td>" + number(s.integration) + "</td></tr>";
    }
    out += "</table>\n";
  }
  if (r.suspects.size() > 1) {
    out += "<h2>Other suspects</h2><ul>";
    for (size_t i = 1; i < r.suspects.size(); ++i)
      out += "<li>" +
             for_html(r.suspects[i].kind + ": " + r.suspects[i].element + at_origin(r.suspects[i].origin) +
                      (r.suspects[i].rule.empty() ? "" : ": " + r.suspects[i].rule)) +
             "</li>";
    out += "</ul>\n";
  }
  for (const std::string& note : r.notes) out += "<p><small>note: " + for_html(note) + "</small></p>\n";
  return out + "</body></html>\n";
}

}  // namespace pliant

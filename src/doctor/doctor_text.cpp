// Reports of the doctor for people (at most 100 columns) and for programs (JSON).

#include <algorithm>
#include <cstdio>

#include "doctor/doctor_case.h"
#include "analysis/lines.h"
#include "base/text.h"
#include "pliant/json.h"

namespace pliant {
namespace {

constexpr size_t kBudgetLines = 5;

std::string wrapped(const std::string& text, const std::string& indent) {
  return text.empty() ? "" : pliant::wrapped(text, indent, indent.size());
}

// First word of a line that is wrapped under it: "    change: …".
std::string labelled(const char* label, const std::string& text) {
  return wrapped(std::string(label) + " " + text, "    ");
}

std::string evidence_text(const Finding& f) {
  std::string text;
  for (const Evidence& e : f.evidence) {
    text +=
        (text.empty() ? "" : ", ") + e.name + " = " + doctoring::number(e.value) + (e.unit.empty() ? "" : " " + e.unit);
  }
  return text;
}

std::string json_number(double x) { return std::isfinite(x) ? number_text(x) : std::string("null"); }

}  // namespace

std::string doctor_text(const DoctorReport& report, const std::string& title) {
  std::string out = wrapped(title, "");
  if (!report.loaded) out += "the model cannot be loaded: only what its file says was looked at\n";
  if (report.loaded) {
    std::string line = doctoring::timestep_text(report);
    if (!report.budget.empty() && !report.budget[0].origin.empty()) line += " at " + report.budget[0].origin;
    out += wrapped(line, "");
    for (size_t i = 1; i < std::min(report.budget.size(), kBudgetLines); ++i) {
      const TimestepLimit& b = report.budget[i];
      out += wrapped("then " + doctoring::time_text(b.limit) + " by " + b.element + " (" + b.kind + ")", "  ");
    }
    out += wrapped("looked at " + std::to_string(report.poses) + (report.poses == 1 ? " pose" : " poses") +
                       (report.no_trial.empty() ? " and a trial run of " + std::to_string(report.trial_steps) + " steps"
                                                : "; no trial run: " + report.no_trial),
                   "");
  }
  for (const Finding& f : report.findings) {
    out +=
        "\n" + wrapped(f.origin.empty() ? std::string(severity_name(f.severity)) + "[" + f.code + "] " + f.title
                                        : f.origin + ": " + severity_name(f.severity) + "[" + f.code + "] " + f.title,
                       "");
    out += wrapped(f.message, "    ");
    if (!f.evidence.empty()) out += labelled("numbers:", evidence_text(f));
    if (!f.change.empty()) out += labelled("change: ", f.change);
  }
  const int errors = report.count(FindingSeverity::kError), warnings = report.count(FindingSeverity::kWarning),
            notes = report.count(FindingSeverity::kNote);
  out += "\n" + std::to_string(errors) + (errors == 1 ? " error, " : " errors, ") + std::to_string(warnings) +
         (warnings == 1 ? " warning, " : " warnings, ") + std::to_string(notes) + (notes == 1 ? " note\n" : " notes\n");
  return out;
}

std::string doctor_codes_text() {
  std::string out;
  for (const DoctorCode& line : doctor_codes()) {
    out += std::string(line.code) + "  " + line.title + "\n" + wrapped(line.meaning, "      ");
  }
  return out;
}

std::string doctor_json(const DoctorReport& report, const std::string& file) {
  std::string out = "{\n  \"file\": " + json_text(file) + ",\n  \"loaded\": " + (report.loaded ? "true" : "false") +
                    ",\n  \"timestep\": " + json_number(report.timestep) +
                    ",\n  \"trial_steps\": " + std::to_string(report.trial_steps) +
                    ", \"no_trial\": " + json_text(report.no_trial) +
                    ",\n  \"errors\": " + std::to_string(report.count(FindingSeverity::kError)) +
                    ", \"warnings\": " + std::to_string(report.count(FindingSeverity::kWarning)) +
                    ", \"notes\": " + std::to_string(report.count(FindingSeverity::kNote)) + ",\n  \"budget\": [";
  for (size_t i = 0; i < report.budget.size(); ++i) {
    const TimestepLimit& b = report.budget[i];
    out += std::string(i ? "," : "") + "\n    {\"kind\": " + json_text(b.kind) +
           ", \"element\": " + json_text(b.element) + ", \"origin\": " + json_text(b.origin) +
           ", \"limit\": " + json_number(b.limit) + "}";
  }
  out += report.budget.empty() ? "],\n  \"findings\": [" : "\n  ],\n  \"findings\": [";
  for (size_t i = 0; i < report.findings.size(); ++i) {
    const Finding& f = report.findings[i];
    out += std::string(i ? "," : "") + "\n    {\"code\": " + json_text(f.code) +
           ", \"severity\": " + json_text(severity_name(f.severity)) + ", \"title\": " + json_text(f.title) +
           ", \"element\": " + json_text(f.element) + ", \"origin\": " + json_text(f.origin) +
           ",\n     \"message\": " + json_text(f.message) + ",\n     \"evidence\": [";
    for (size_t k = 0; k < f.evidence.size(); ++k) {
      const Evidence& e = f.evidence[k];
      out += std::string(k ? ", " : "") + "{\"name\": " + json_text(e.name) + ", \"value\": " + json_number(e.value) +
             ", \"unit\": " + json_text(e.unit) + "}";
    }
    out += "],\n     \"change\": " + json_text(f.change) + "}";
  }
  return out + (report.findings.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace pliant

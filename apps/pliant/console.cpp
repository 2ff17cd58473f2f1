// Printing, with every failure of it noticed.

#include "console.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <system_error>

#include "base/text.h"
#include "cmd.h"
#include "pliant/json.h"

namespace pliant::app {
namespace {

[[noreturn]] void refuse_output(int reason) {
  // what is still in the buffer would fail again, and again at the end of the program
  std::clearerr(stdout);
  throw std::runtime_error("cannot write to standard output: " + std::generic_category().message(reason));
}

}  // namespace

Talk& talk() {
  static Talk now;
  return now;
}

void print(std::string_view text) {
  if (talk().quiet && !talk().json) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) refuse_output(errno);
}

void finish_printing() {
  if (std::fflush(stdout) != 0) refuse_output(errno);
}

void print_findings(const std::vector<Diagnostic>& diagnostics) {
  std::vector<Diagnostic> said = diagnostics;
  if (talk().quiet) std::erase_if(said, [](const Diagnostic& d) { return d.severity != Severity::kError; });
  if (!said.empty()) std::fprintf(stderr, "%s\n", to_text(said).c_str());
}

std::string written_json(const std::string& file, const std::string& output, const std::string& more,
                         const std::vector<Diagnostic>& diagnostics) {
  return "{\n  \"file\": " + json_text(file) + ",\n  \"ok\": true,\n  \"diagnostics\": [" +
         diagnostics_json(diagnostics) + "],\n  \"output\": " + json_text(output) + more + "\n}\n";
}

void print_findings_by_kind(const std::vector<Diagnostic>& diagnostics) {
  if (talk().quiet) return print_findings(diagnostics);
  constexpr int kShown = 3;
  std::map<Code, int> seen;
  std::vector<Diagnostic> shown;
  for (const Diagnostic& d : diagnostics) {
    if (d.severity == Severity::kError || seen[d.code]++ < kShown) shown.push_back(d);
  }
  if (shown.size() == diagnostics.size()) return print_findings(diagnostics);
  for (const Diagnostic& d : shown) std::fprintf(stderr, "%s\n", d.text().c_str());
  size_t errors = diagnostics.size();
  for (const auto& [code, count] : seen) {
    errors -= static_cast<size_t>(count);
    if (count <= kShown) continue;
    std::fprintf(stderr, "%d more warnings of the kind W%d\n", count - kShown, static_cast<int>(code));
  }
  std::fprintf(stderr, "%zu error%s, %zu warnings; pliant info lists them all\n", errors, errors == 1 ? "" : "s",
               diagnostics.size() - errors);
}

std::string diagnostics_json(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics) {
    const bool error = d.severity == Severity::kError;
    out += std::string(out.empty() ? "\n    " : ",\n    ") + "{\"severity\": \"" + (error ? "error" : "warning") +
           "\", \"code\": \"" + (error ? "E" : "W") + std::to_string(static_cast<int>(d.code)) +
           "\", \"file\": " + json_text(d.file) + ", \"line\": " + std::to_string(d.line) +
           ", \"column\": " + std::to_string(d.column) + ", \"element\": " + json_text(d.element) +
           ", \"message\": " + json_text(d.message) + ", \"hint\": " + json_text(d.hint) + "}";
  }
  return out;
}

std::string json_number(double value) { return std::isfinite(value) ? number_text(value) : "null"; }

int refuse_model(const std::string& file, const std::vector<Diagnostic>& diagnostics, bool json) {
  print_findings(diagnostics);
  if (json) {
    print("{\n  \"file\": " + json_text(file) + ",\n  \"ok\": false,\n  \"diagnostics\": [" +
          diagnostics_json(diagnostics) + "]\n}\n");
  }
  return kFailed;
}

std::string failure_json(std::string_view message) {
  return "{\n  \"ok\": false,\n  \"message\": " + json_text(message) + ",\n  \"diagnostics\": []\n}\n";
}

}  // namespace pliant::app

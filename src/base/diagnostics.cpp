// Findings: the sink, their text form and the table of codes.

#include "pliant/diagnostics.h"

namespace pliant {
namespace {

std::string join(const std::vector<Diagnostic>& diagnostics) {
  return diagnostics.empty() ? "model could not be loaded" : to_text(diagnostics);
}

}  // namespace

std::string Diagnostic::text() const {
  std::string out;
  if (!file.empty())
    out += file;
  else
    out += "<string>";
  if (line > 0) out += ":" + std::to_string(line) + ":" + std::to_string(column);
  const bool is_error = severity == Severity::kError;
  out += is_error ? ": error[E" : ": warning[W";
  out += std::to_string(static_cast<int>(code)) + "] " + message;
  if (!hint.empty()) out += "\n  hint: " + hint;
  return out;
}

int Diagnostics::add_file(std::string name) {
  files_.push_back(std::move(name));
  return static_cast<int>(files_.size()) - 1;
}

void Diagnostics::add(Severity severity, Code code, Origin at, std::string_view element, std::string message,
                      std::string hint) {
  // a replicated element is read many times: the same finding at the same place is kept once
  std::string key = std::to_string(static_cast<int>(code)) + ":" + std::to_string(at.file) + ":" +
                    std::to_string(at.line) + ":" + std::to_string(at.column) + ":" + message;
  if (!seen_.insert(std::move(key)).second) return;
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = code;
  if (at.file >= 0 && at.file < static_cast<int>(files_.size())) diagnostic.file = files_[at.file];
  diagnostic.line = at.line;
  diagnostic.column = at.column;
  diagnostic.element = element;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  list_.push_back(std::move(diagnostic));
  ++(severity == Severity::kError ? errors_ : warnings_);
}

void Diagnostics::error(Code code, Origin at, std::string_view element, std::string message, std::string hint) {
  add(Severity::kError, code, at, element, std::move(message), std::move(hint));
}

void Diagnostics::warning(Code code, Origin at, std::string_view element, std::string message, std::string hint) {
  add(Severity::kWarning, code, at, element, std::move(message), std::move(hint));
}

LoadError::LoadError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(join(diagnostics)), diagnostics_(std::move(diagnostics)) {}

std::string to_text(const std::vector<Diagnostic>& diagnostics) {
  std::string out;
  int errors = 0, warnings = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    out += diagnostic.text() + "\n";
    ++(diagnostic.severity == Severity::kError ? errors : warnings);
  }
  out += std::to_string(errors) + (errors == 1 ? " error, " : " errors, ") + std::to_string(warnings) +
         (warnings == 1 ? " warning" : " warnings");
  return out;
}

}  // namespace pliant

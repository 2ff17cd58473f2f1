// pliant codes: what the codes of findings mean. docs/errors.md is the page about the loader's.

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cmd.h"
#include "console.h"
#include "pliant/changed_since.h"
#include "pliant/diagnostics.h"
#include "pliant/doctor.h"
#include "pliant/json.h"

namespace pliant::app {
namespace {

constexpr const char* kHead =
    "# Findings\n\n"
    "Made by `pliant codes --markdown` (`scripts/make-docs` writes it here); do not edit.\n\n"
    "A finding is an error (`E`) when the input cannot be represented: there is no model then. It "
    "is a\n"
    "warning (`W`) when the input was accepted with consequences. Numbers are stable; the letter "
    "says\n"
    "how serious the finding is in this load. All findings of a model are reported at once.\n\n"
    "`pliant codes 202` explains one of them.\n";

// by the hundreds of a code
constexpr const char* kGroups[] = {"",
                                   "Files and XML",
                                   "Elements and attributes",
                                   "Names and references",
                                   "Values that make no model",
                                   "Valid MJCF that is not supported",
                                   "Accepted, with consequences"};

std::string markdown() {
  std::string out = kHead;
  int group = 0;
  for (const CodeInfo& info : code_table()) {
    const int number = static_cast<int>(info.code);
    if (number / 100 != group) {
      group = number / 100;
      out += "\n## " + std::string(kGroups[group]) + "\n\n| code | finding | meaning |\n|---|---|---|\n";
    }
    std::string meaning = info.meaning;
    for (size_t at = 0; (at = meaning.find_first_of("<>|", at)) != std::string::npos; at += 2) {
      meaning.insert(at, "\\");
    }
    out += "| " + std::to_string(number) + " | " + info.title + " | " + meaning + " |\n";
  }
  return out;
}

struct CodeLine {
  std::string name;  // as messages write it: "202" for the loader's, "D201" for the doctor's, "C103" for changes
  const char *title, *meaning;
};

std::vector<CodeLine> all_codes() {
  std::vector<CodeLine> codes;
  for (const CodeInfo& info : code_table()) {
    codes.push_back({std::to_string(static_cast<int>(info.code)), info.title, info.meaning});
  }
  for (const DoctorCode& info : doctor_codes()) codes.push_back({info.code, info.title, info.meaning});
  for (const ChangeCode& info : change_codes()) codes.push_back({info.code, info.title, info.meaning});
  return codes;
}

std::string text_of(const CodeLine& code) {
  return code.name + std::string(code.name.size() < 5 ? 5 - code.name.size() : 1, ' ') + code.title + "\n     " +
         code.meaning + "\n";
}

std::string json_of(const CodeLine& code) {
  return "\n  {\"code\": " + json_text(code.name) + ", \"title\": " + json_text(code.title) +
         ", \"meaning\": " + json_text(code.meaning) + "}";
}

/// The name in the table: of the loader's codes the letter says only how serious a finding was (E202, W202), of the
/// others it is part of the name.
std::string name_of(std::string code) {
  for (char& c : code) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return code.size() == 4 && (code[0] == 'E' || code[0] == 'W') ? code.substr(1) : code;
}

/// What may have been meant: the letter may be wrong, or a digit.
std::string hint_for(const std::string& name, const std::vector<CodeLine>& codes) {
  const auto number = [](const std::string& code) {
    return code.substr(std::min(code.size(), code.find_first_of("0123456789")));
  };
  std::string same_number;
  std::vector<std::string_view> same_kind;
  for (const CodeLine& code : codes) {
    if (number(code.name) == number(name)) same_number += (same_number.empty() ? "'" : " or '") + code.name + "'";
    const auto kind = [](const std::string& code) { return code.empty() || std::isdigit(code[0]) ? '0' : code[0]; };
    if (kind(code.name) == kind(name)) same_kind.push_back(code.name);
  }
  if (!same_number.empty()) return "; did you mean " + same_number + "?";
  const std::string hint = did_you_mean(name, same_kind);
  return "; " + (hint.empty() ? "'pliant codes' lists all" : hint);
}

}  // namespace

Run add_codes(Arguments& arguments) {
  struct Options {
    bool as_page = false, json = false;
    std::string code;
  };
  auto options = std::make_shared<Options>();
  arguments.positional("CODE", options->code, "explain this one only, for example E202 or D201", false);
  arguments.flag("--markdown", options->as_page, "print a Markdown page, docs/errors.md");
  arguments.flag("--json", options->json, "print a JSON list");
  arguments.exclusive("--markdown", "--json");
  arguments.note(
      "Codes E and W are of the loader, D of the doctor, C of changes since MuJoCo 3.12 (pliant info "
      "--changed-since).");
  arguments.example("E202");
  arguments.example("D201");
  return [options] {
    if (options->as_page) {
      print(markdown());
      return kOk;
    }
    const std::vector<CodeLine> codes = all_codes();
    const std::string wanted = name_of(options->code);
    std::string text;
    for (const CodeLine& code : codes) {
      if (!wanted.empty() && code.name != wanted) continue;
      text += options->json ? (text.empty() ? "" : ",") + json_of(code) : text_of(code);
    }
    if (text.empty()) throw UsageError("there is no code '" + options->code + "'" + hint_for(wanted, codes));
    print(options->json ? "[" + text + "\n]\n" : text);
    return kOk;
  };
}

}  // namespace pliant::app

// pliant codes: what the codes of findings mean. docs/errors.md is the page it prints.

#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <memory>
#include <string>

#include "cmd.h"
#include "pliant/diagnostics.h"

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

std::string plain(int only) {
  std::string out;
  for (const CodeInfo& info : code_table()) {
    const int number = static_cast<int>(info.code);
    if (only > 0 && number != only) continue;
    out += std::to_string(number) + "  " + info.title + "\n     " + info.meaning + "\n";
  }
  return out;
}

// "E202", "w601" or "202"; 0 when it is none of these
int number_of(const std::string& code) {
  const size_t start = !code.empty() && std::isalpha(static_cast<unsigned char>(code[0])) ? 1 : 0;
  const std::string digits = code.substr(start);
  if (digits.size() != 3 || digits.find_first_not_of("0123456789") != std::string::npos) return 0;
  return std::stoi(digits);
}

}  // namespace

Run add_codes(CLI::App& command) {
  struct Options {
    bool as_page = false;
    std::string code;
  };
  auto options = std::make_shared<Options>();
  command.add_option("CODE", options->code, "Explain this one only, for example E202");
  command.add_flag("--markdown", options->as_page, "Print a Markdown page, docs/errors.md");
  return [options] {
    const int only = number_of(options->code);
    const std::string text = options->as_page ? markdown() : plain(only);
    if (text.empty() || (!options->code.empty() && only == 0)) {
      std::fprintf(stderr, "pliant codes: there is no code '%s'\n", options->code.c_str());
      return kFailed;
    }
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kOk;
  };
}

}  // namespace pliant::app

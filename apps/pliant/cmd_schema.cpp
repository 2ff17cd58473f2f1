// pliant schema: the MJCF that Pliant reads.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cmd.h"
#include "pliant/schema.h"

namespace pliant::app {

Run add_schema(CLI::App& command) {
  struct Options {
    std::string element;
    bool json = false, as_page = false;
  };
  auto options = std::make_shared<Options>();
  command.add_option("ELEMENT", options->element, "Only elements with this tag, for example geom");
  CLI::Option* json = command.add_flag("--json", options->json, "Print everything as JSON, for programs");
  command.add_flag("--markdown", options->as_page, "Print a Markdown page (this is the normal form)")->excludes(json);
  command.footer(
      "For every element: where it stands, and its attributes with type, default and support.\n"
      "The whole page is also at docs/mjcf.md.");
  return [options] {
    const std::string text = options->json ? schema_json() : schema_markdown(options->element);
    if (text.empty()) {
      std::fprintf(stderr, "pliant schema: there is no element <%s>\n", options->element.c_str());
      return kFailed;
    }
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kOk;
  };
}

}  // namespace pliant::app

// pliant schema: the MJCF that Pliant reads.

#include <memory>
#include <string>

#include "cmd.h"
#include "console.h"
#include "pliant/schema.h"

namespace pliant::app {

Run add_schema(Arguments& arguments) {
  struct Options {
    std::string element;
    bool json = false, as_page = false;
  };
  auto options = std::make_shared<Options>();
  arguments.positional("ELEMENT", options->element, "only elements with this tag, for example geom", false);
  arguments.flag("--json", options->json, "print everything as JSON, for programs");
  arguments.flag("--markdown", options->as_page, "print a Markdown page (this is the normal form)");
  arguments.exclusive("--json", "--markdown");
  arguments.note(
      "For every element: where it stands, and its attributes with type, default and support.\n"
      "The whole page is also at docs/mjcf.md.");
  arguments.example("geom");
  return [options] {
    const std::string text = options->json ? schema_json() : schema_markdown(options->element);
    if (text.empty()) {
      throw UsageError("there is no element <" + options->element + ">" + suggestion(options->element, schema_tags()));
    }
    print(text);
    return kOk;
  };
}

}  // namespace pliant::app

// The commands of the program `pliant`, for `python -m pliant`.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "pliant/cmd.h"
#include "pliant/schema.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {

namespace {

/// Names of files need not be text: the words are bytes.
int run(const std::string& program, const std::vector<nb::bytes>& words) {
  std::vector<std::string> arguments;
  for (const nb::bytes& word : words) arguments.emplace_back(word.c_str(), word.size());
  const nb::gil_scoped_release others_may_run;
  return app::run_program(program, arguments);
}

}  // namespace

void bind_commands(nb::module_& m) {
  m.def("run_program", run, "program"_a, "words"_a,
        "Runs a command line, `words` without the program's name; prints, and returns the exit status.");
  m.def("_schema_text", [] { return schema_markdown(); }, "The elements and attributes of MJCF that Pliant reads.");
}

}  // namespace pliant::python

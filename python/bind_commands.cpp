// The commands of the program `pliant`, for `python -m pliant`.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "pliant/cmd.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {

void bind_commands(nb::module_& m) {
  m.def(
      "run_program",
      [](const std::string& program, const std::vector<std::string>& words) {
        return app::run_program(program, words);
      },
      "program"_a, "words"_a, nb::call_guard<nb::gil_scoped_release>(),
      "Runs a command line, `words` without the program's name; prints, and returns the exit status.");
}

}  // namespace pliant::python

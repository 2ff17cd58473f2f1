// Spec: a model before it is compiled, for writing it as MJCF.

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "pliant/write.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

/// A Spec with what was found while reading and writing it.
struct PySpec {
  Spec spec;
  Diagnostics diagnostics;
};

void construct(PySpec* self, const std::optional<std::filesystem::path>& path, const std::optional<std::string>& xml,
               const std::optional<Assets>& assets, bool allow_unsupported) {
  if (path.has_value() == xml.has_value()) throw std::invalid_argument("Spec: give either a path or xml");
  const LoadOptions options = options_of(assets, allow_unsupported, {});
  Loaded loaded = path ? load(*path, options) : load_string(*xml, options);
  if (!loaded.spec) raise_load_error(loaded.diagnostics.list());
  new (self) PySpec{std::move(*loaded.spec), std::move(loaded.diagnostics)};
}

nb::object to_xml(PySpec& self, bool for_mujoco, std::optional<std::filesystem::path> file) {
  const int errors = self.diagnostics.errors();
  const std::string xml = write_mjcf(self.spec, self.diagnostics, {for_mujoco, file.value_or("")});
  if (self.diagnostics.errors() > errors) raise_load_error(self.diagnostics.list());
  return text(xml);
}

void save(PySpec& self, const std::filesystem::path& path, bool for_mujoco,
          std::optional<std::filesystem::path> copy_assets, bool force) {
  if (!save_mjcf(self.spec, path, self.diagnostics, {for_mujoco, copy_assets.value_or(""), force})) {
    raise_load_error(self.diagnostics.list());
  }
}

}  // namespace

void bind_spec(nb::module_& m) {
  nb::class_<PySpec>(m, "Spec",
                     "A model as its author wrote it, before it is compiled; can be written as one MJCF file.")
      .def("__init__", construct, "path"_a = nb::none(), nb::kw_only(), "xml"_a = nb::none(), "assets"_a = nb::none(),
           "allow_unsupported"_a = false)
      .def("to_xml", to_xml, nb::kw_only(), "for_mujoco"_a = false, "file"_a = nb::none(),
           "The model as MJCF text. Files are named relative to the folder of `file`, or by absolute paths.")
      .def("save", save, "path"_a, nb::kw_only(), "for_mujoco"_a = false, "copy_assets"_a = nb::none(),
           "force"_a = false,
           "Writes the model as an MJCF file, whole or not at all; `copy_assets` names a folder beside it for copies "
           "of meshes and textures. A file that the model was read from is overwritten with `force` only.")
      .def_prop_ro(
          "diagnostics", [](const PySpec& self) { return self.diagnostics.list(); },
          "findings of reading and writing; losses are W650");
}

}  // namespace pliant::python

// Findings, the ledger and LoadError.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"

namespace nb = nanobind;

namespace pliant::python {
namespace {

// The exception type; owned by the module, which is never unloaded.
PyObject* load_error_type = nullptr;

const char* severity_text(const Diagnostic& diagnostic) {
  return diagnostic.severity == Severity::kError ? "error" : "warning";
}

}  // namespace

nb::object text(std::string_view bytes) {
  PyObject* decoded = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace");
  if (!decoded) throw nb::python_error();
  return nb::steal(decoded);
}

std::string code_text(const Diagnostic& diagnostic) {
  const char letter = diagnostic.severity == Severity::kError ? 'E' : 'W';
  return letter + std::to_string(static_cast<int>(diagnostic.code));
}

void raise_load_error(const std::vector<Diagnostic>& diagnostics) {
  nb::object error = nb::handle(load_error_type)(text(to_text(diagnostics)));
  error.attr("diagnostics") = nb::cast(diagnostics);
  PyErr_SetObject(load_error_type, error.ptr());
  throw nb::python_error();
}

void bind_diagnostics(nb::module_& m) {
  nb::class_<Diagnostic>(m, "Diagnostic", "One finding about a model file.")
      .def_prop_ro("severity", severity_text, "'error' or 'warning'")
      .def_prop_ro("code", code_text, "stable code such as 'E202'; see docs/errors.md")
      .def_prop_ro(
          "file", [](const Diagnostic& d) { return text(d.file); }, "as the user wrote it; '' for text given in memory")
      .def_ro("line", &Diagnostic::line, "from 1; 0 for the file as a whole")
      .def_ro("column", &Diagnostic::column, "from 1")
      .def_prop_ro(
          "element", [](const Diagnostic& d) { return text(d.element); }, "tag of the element concerned")
      .def_prop_ro("message", [](const Diagnostic& d) { return text(d.message); })
      .def_prop_ro(
          "hint", [](const Diagnostic& d) { return text(d.hint); }, "what to do about it; may be empty")
      .def_prop_ro(
          "text", [](const Diagnostic& d) { return text(d.text()); },
          "file:line:column: severity[code] message, and the hint")
      .def("__str__", [](const Diagnostic& d) { return text(d.text()); })
      .def("__repr__", [](const Diagnostic& d) { return text("<Diagnostic " + d.text() + ">"); });

  nb::class_<LedgerEntry>(m, "LedgerEntry", "The fate of one attribute of a model file.")
      .def_prop_ro(
          "fate", [](const LedgerEntry& e) { return fate_name(e.fate); }, "kept, approximated, ignored or unsupported")
      .def_prop_ro("line", [](const LedgerEntry& e) { return e.at.line; })
      .def_prop_ro("column", [](const LedgerEntry& e) { return e.at.column; })
      .def_prop_ro("element", [](const LedgerEntry& e) { return text(e.element); })
      .def_prop_ro("attribute", [](const LedgerEntry& e) { return text(e.attribute); })
      .def_prop_ro("value", [](const LedgerEntry& e) { return text(e.value); })
      .def_prop_ro("note", [](const LedgerEntry& e) { return text(e.note); })
      .def("__repr__", [](const LedgerEntry& e) {
        return text("<LedgerEntry " + e.element + "." + e.attribute + "='" + e.value + "' " + fate_name(e.fate) + ">");
      });

  // A ValueError, because that is what the reference raises for a bad model.
  load_error_type = PyErr_NewExceptionWithDoc(
      "pliant.LoadError", "A model could not be loaded. `diagnostics` lists every finding, warnings included.",
      PyExc_ValueError, nullptr);
  if (!load_error_type) throw nb::python_error();
  nb::handle(load_error_type).attr("diagnostics") = nb::list();
  m.attr("LoadError") = nb::handle(load_error_type);

  m.def(
      "code_table",
      [] {
        nb::list rows;
        for (const CodeInfo& info : code_table()) {
          rows.append(nb::make_tuple(static_cast<int>(info.code), info.title, info.meaning));
        }
        return rows;
      },
      "Every code of a finding: (number, title, meaning).");
}

}  // namespace pliant::python

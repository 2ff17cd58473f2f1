#pragma once
// The parts of the extension module _pliant, one function per file.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <string_view>
#include <vector>

#include "pliant/pliant.h"

namespace pliant::python {

/// A Model as Python holds it: with everything that was found while loading it. Arrays seen from
/// Python point into `model` and keep this object alive.
struct PyModel {
  Model model;
  Ledger ledger;
  std::vector<Diagnostic> diagnostics;
};

void bind_diagnostics(nanobind::module_& m);
void bind_options(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_state(nanobind::module_& m);

/// Element type of an array of the field lists.
nanobind::dlpack::dtype dtype_of(Scalar scalar);

/// Raises pliant.LoadError carrying the findings.
[[noreturn]] void raise_load_error(const std::vector<Diagnostic>& diagnostics);

/// Text of a file for Python; bytes that are not UTF-8 are replaced, never an error.
nanobind::object text(std::string_view bytes);

/// "E202" or "W601", as in the text of a finding.
std::string code_text(const Diagnostic& diagnostic);

}  // namespace pliant::python

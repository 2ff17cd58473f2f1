#pragma once
// The parts of the extension module _pliant, one function per file.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/pliant.h"

namespace pliant::python {

/// A Model as Python holds it: with everything that was found while loading it. Arrays seen from Python point into
/// `model` and keep `owner`, not this object, so that it may hold them without a cycle.
struct PyModel {
  PyModel(Model compiled, Ledger read, std::vector<Diagnostic> found)
      : owner(std::make_shared<Model>(std::move(compiled))),
        model(*owner),
        ledger(std::move(read)),
        diagnostics(std::move(found)) {}
  PyModel(const PyModel& other) : PyModel(other.model, other.ledger, other.diagnostics) {}
  PyModel(PyModel&& other) noexcept
      : owner(std::move(other.owner)),
        model(*owner),
        ledger(std::move(other.ledger)),
        diagnostics(std::move(other.diagnostics)) {}
  PyModel& operator=(const PyModel&) = delete;
  ~PyModel() = default;

  std::shared_ptr<Model> owner;
  Model& model;
  Ledger ledger;
  std::vector<Diagnostic> diagnostics;
};

/// Time spent in whole calls: what MuJoCo's timers step and forward count.
struct CallTime {
  double seconds = 0;
  int calls = 0;
};

/// A State and its Data as one object: what MuJoCo calls mjData. Views of arrays keep the parts alive, not this
/// object, so that it may hold them without a cycle.
struct PyWorld {
  nanobind::object model, state, data;
  const PyModel* m;
  State* s;
  Data* d;
  CallTime steps, forwards;
};

void bind_diagnostics(nanobind::module_& m);
void bind_doctor(nanobind::module_& m);
void bind_changes(nanobind::module_& m);
void bind_explain(nanobind::module_& m);
void bind_options(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_spec(nanobind::module_& m);
void bind_spec_tree(nanobind::module_& m);
void bind_state(nanobind::module_& m);
void bind_state_batch(nanobind::module_& m);
void bind_world(nanobind::module_& m);
void bind_query(nanobind::module_& m);
void bind_geometry(nanobind::module_& m);
void bind_collision(nanobind::module_& m);
void bind_batch(nanobind::module_& m);
void bind_pickle(nanobind::module_& m);
void bind_rollout(nanobind::module_& m);
void bind_recording(nanobind::module_& m);
void bind_render(nanobind::module_& m);
void bind_solver(nanobind::module_& m);
void bind_constraint(nanobind::module_& m);
void bind_commands(nanobind::module_& m);
void bind_callbacks(nanobind::module_& m);

/// Files given in memory, by name.
using Assets = std::map<std::string, nanobind::bytes>;
/// Options of load() as Python says them.
LoadOptions options_of(const std::optional<Assets>& assets, bool allow_unsupported,
                       const std::optional<std::filesystem::path>& cache_dir);

/// How a solver did, member by member; `status` as its number.
nanobind::dict report_dict(const SolverReport& report);

/// Element type of an array of the field lists.
nanobind::dlpack::dtype dtype_of(Scalar scalar);

/// Throws when the arrays were made for a model of other sizes.
void check_fit(const PyModel& model, const PyWorld& world, const char* function);
/// Raises pliant.StepError when the status says so.
void check_status(const PyModel& model, const Data& data, StepStatus status);
/// Raises pliant.FatalError.
[[noreturn]] void raise_fatal(const std::string& message);

/// Numbers given by the user: any array or list of the size, or TypeError naming function, argument and sizes.
class Input {
 public:
  Input(const char* function, const char* argument, nanobind::handle value, size_t size);
  operator const double*() const { return array_.data(); }

 private:
  nanobind::ndarray<const double, nanobind::c_contig, nanobind::device::cpu> array_;
};

/// An array of the user to write into: of this size, contiguous, float64. None is allowed where `optional`.
class Output {
 public:
  Output(const char* function, const char* argument, nanobind::handle value, size_t rows, size_t columns,
         bool optional = false);
  operator double*() const { return data_; }

 private:
  nanobind::ndarray<double, nanobind::c_contig, nanobind::device::cpu> array_;
  double* data_ = nullptr;
};

/// Whether Ctrl-C (or another signal's handler) wants to end the call: then a Python error is set. For threads without
/// the GIL.
bool interrupted();

/// Raises pliant.LoadError carrying the findings.
[[noreturn]] void raise_load_error(const std::vector<Diagnostic>& diagnostics);

/// Text of a file for Python; bytes that are not UTF-8 are replaced, never an error.
nanobind::object text(std::string_view bytes);

/// "E202" or "W601", as in the text of a finding.
std::string code_text(const Diagnostic& diagnostic);

}  // namespace pliant::python

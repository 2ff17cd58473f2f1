// The doctor for files: what loading said, and what the Spec tells where there is no Model.

#include "pliant/doctor_file.h"

#include <algorithm>

#include "doctor/doctor_case.h"

namespace pliant {

using namespace doctoring;

DoctorReport doctor_file(const std::filesystem::path& path, const LoadOptions& load_options,
                         const DoctorOptions& options) {
  Report loaded = load_report(path, load_options);
  if (loaded.model) {
    DoctorReport report = doctor(*loaded.model, &loaded.diagnostics, options);
    const auto replaced = [](const Diagnostic& d) { return d.code == Code::kBoundApplied; };
    if (std::none_of(loaded.diagnostics.begin(), loaded.diagnostics.end(), replaced)) return report;
    // the compiler put other moments in place of impossible ones: say which would have been nearest
    Case c{*loaded.model, &report.budget, std::move(report.findings), {}};
    if (const Loaded read = load(path, load_options); read.spec)
      check_spec_inertia(c, *read.spec, FindingSeverity::kWarning);
    finish(c, report);
    return report;
  }
  // no model: the Spec may still tell more than the loader did
  DoctorReport report;
  const Model none;
  Case c{none, &report.budget, {}, {}};
  const Loaded read = load(path, load_options);
  if (const Spec* spec = read.spec ? &*read.spec : read.partial.get())
    check_spec_inertia(c, *spec, FindingSeverity::kError);
  add_diagnostics(c, loaded.diagnostics);
  finish(c, report);
  return report;
}

}  // namespace pliant

// The doctor for files: what loading said, and what the Spec tells where there is no Model.

#include "pliant/doctor_file.h"

#include <algorithm>

#include "doctor/doctor_case.h"
#include "pliant/changed_since.h"

namespace pliant {

using namespace doctoring;

namespace {

// What the model meant in 3.12: a note per cause that makes a difference; `pliant info --changed-since` names all
// elements.
void add_changes(Case& c, const ChangeReport& report) {
  for (const Change& change : report.changes) {
    if (!change.seen) continue;
    const auto old =
        std::find_if(c.findings.begin(), c.findings.end(), [&](const Finding& f) { return f.code == change.code; });
    if (old != c.findings.end()) {
      old->evidence[0].value += 1;
      continue;
    }
    Finding f;
    f.code = change.code;
    f.severity = FindingSeverity::kNote;
    f.title = change.title + " (MuJoCo " + change.version + ")";
    f.element = change.element;
    f.origin = change.origin;
    f.message = change.message.starts_with(change.element) ? change.message : change.element + ": " + change.message;
    f.evidence = {{"elements", 1, ""}};
    f.change = "nothing, if the model was made for 4.0; `pliant info --changed-since " + report.since +
               "` names every element";
    f.weight = -1;  // behind notes about the model itself
    c.findings.push_back(std::move(f));
  }
}

}  // namespace

DoctorReport doctor_file(const std::filesystem::path& path, const LoadOptions& load_options,
                         const DoctorOptions& options) {
  Report loaded = load_report(path, load_options);
  if (loaded.model) {
    DoctorReport report = doctor(*loaded.model, &loaded.diagnostics, options);
    const auto replaced = [](const Diagnostic& d) { return d.code == Code::kBoundApplied; };
    Case c{*loaded.model, &report.budget, std::move(report.findings), {}};
    if (std::any_of(loaded.diagnostics.begin(), loaded.diagnostics.end(), replaced)) {
      // the compiler put other moments in place of impossible ones: say which would have been nearest
      if (const Loaded read = load(path, load_options); read.spec)
        check_spec_inertia(c, *read.spec, FindingSeverity::kWarning);
    }
    if (path.extension() != ".plm") add_changes(c, changed_since(path, load_options));
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
  if (path.extension() != ".plm") add_changes(c, changed_since(path, load_options));
  finish(c, report);
  return report;
}

}  // namespace pliant

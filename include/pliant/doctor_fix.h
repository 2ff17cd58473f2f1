#pragma once
// The doctor's cures written into a model file: each tried before it is kept.

#include <filesystem>
#include <string>
#include <vector>

#include "pliant/doctor_file.h"

namespace pliant {

/// What became of a finding.
struct DoctorCure {
  Finding finding;
  bool cured = false;
  std::string change;  ///< what was written: `kp="200" (was "1e5")`
  std::string reason;  ///< why nothing was, where nothing was
};

struct DoctorFixReport {
  std::string text;               ///< the changed file; with a comment before every change
  std::vector<DoctorCure> cures;  ///< of errors and warnings, in the order of the report
  DoctorReport before, after;
  int cured() const;
};

/// Tries the changes that the findings of a model file name, one after the other, and keeps those after which the
/// finding is gone and no other error or warning has come: each is looked at by the whole doctor, trial run included.
/// Only elements in the file itself are changed, not those of files it includes. `scratch` is where candidates are
/// written, to be loaded; it must be beside the model where that names further files. Throws std::runtime_error when a
/// file cannot be read or written.
DoctorFixReport doctor_fix(const std::filesystem::path& model, const std::filesystem::path& scratch,
                           const LoadOptions& load = {}, const DoctorOptions& options = {});

/// For people: at most 100 columns.
std::string doctor_fix_text(const DoctorFixReport& report, const std::string& title, const std::string& output);

}  // namespace pliant

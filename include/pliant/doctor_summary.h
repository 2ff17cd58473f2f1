#pragma once
// The doctor's report on one screen.

#include <string>

#include "pliant/doctor.h"

namespace pliant {

/// Findings of one code are one group, shown by its worst; the five groups that matter first, how many more there are,
/// and the counts. At most 100 columns. doctor_text has everything.
std::string doctor_summary(const DoctorReport& report, const std::string& title);

}  // namespace pliant

#pragma once
// The doctor for files.

#include <filesystem>

#include "pliant/doctor.h"
#include "pliant/load.h"

namespace pliant {

/// Loads a file and looks at it; what cannot be loaded is reported like everything else.
DoctorReport doctor_file(const std::filesystem::path& path, const LoadOptions& load = {},
                         const DoctorOptions& options = {});

}  // namespace pliant

#pragma once
// Recordings in other formats, a chunk in memory at a time.

#include <string>
#include <vector>

#include "base/output_file.h"
#include "pliant/recording.h"

namespace pliant {

/// These fields of a recording (all where none are named; time in any case) as an archive of NumPy. Throws
/// std::invalid_argument for a field that the recording does not have.
void write_npz(const RecordingFile& from, OutputFile& out, const std::vector<std::string>& fields);
/// Likewise as text.
void write_csv(const RecordingFile& from, OutputFile& out, const std::vector<std::string>& fields);

}  // namespace pliant

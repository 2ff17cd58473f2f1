#pragma once
// The model that a recording is of.

#include <string>

#include "pliant/load.h"
#include "pliant/recording.h"

namespace pliant::app {

/// Whether a file is taken for a recording: by its ending, or by how it begins (run.plr.part).
bool is_recording(const std::string& path);

struct RecordedModel {
  Report report;
  std::string path;  ///< of the model; that of the recording where it is inside
};
/// What `given` (--model) names; else the model inside the recording; else the file that the recording names, here or
/// beside it. A model inside that another version of Pliant wrote is replaced by that file, with a note on standard
/// error. Throws std::invalid_argument when there is none.
RecordedModel model_of_recording(const std::string& recording, const std::string& model_file, const std::string& given,
                                 const LoadOptions& options);

/// What is missing of a recording, on standard error.
void say_note(const char* command, const std::string& note);

}  // namespace pliant::app

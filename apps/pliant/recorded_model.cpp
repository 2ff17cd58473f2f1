#include "recorded_model.h"

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "pliant/diagnostics.h"

namespace pliant::app {

bool is_recording(const std::string& path) {
  return path.ends_with(".npz") || path.ends_with(".csv") || path.ends_with(".plr") || RecordingFile::is_one(path);
}

RecordedModel model_of_recording(const std::string& recording, const std::string& model_file, const std::string& given,
                                 const LoadOptions& options) {
  if (!given.empty()) return {load_report(given, options), given};
  std::string why;
  if (RecordingFile::is_one(recording)) {
    try {
      Report inside;
      inside.model = RecordingFile(recording).model();
      if (inside.model) return {std::move(inside), recording};
    } catch (const LoadError& problem) {
      why = problem.diagnostics().front().message;
    }
  }
  if (model_file.empty()) {
    throw std::invalid_argument(
        recording + (why.empty() ? " does not say which model it shows" : ": the model inside cannot be used, " + why) +
        "; add --model FILE");
  }
  std::error_code ignored;
  std::filesystem::path found = model_file;
  const std::filesystem::path beside = std::filesystem::path(recording).parent_path() / found.filename();
  if (!std::filesystem::exists(found, ignored) && std::filesystem::exists(beside, ignored)) found = beside;
  if (!why.empty()) {
    std::fprintf(stderr, "%s: the model inside cannot be used, %s; %s is used instead\n", recording.c_str(),
                 why.c_str(), found.c_str());
  }
  return {load_report(found, options), found.string()};
}

void say_note(const char* command, const std::string& note) {
  if (!note.empty()) std::fprintf(stderr, "pliant %s: %s\n", command, note.c_str());
}

}  // namespace pliant::app

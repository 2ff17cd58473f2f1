#include "inputs.h"

#include <filesystem>
#include <stdexcept>

#include "base/input_files.h"
#include "pliant/write.h"

namespace pliant::app {

void keep_inputs(const std::string& target, const std::string& model, const LoadOptions& options,
                 const std::vector<std::string>& others, const std::string& way_out) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(target, problem)) return;  // nothing that could be lost
  InputFiles inputs;
  inputs.add(model);
  for (const std::string& file : others) inputs.add(file);
  if (!inputs.contains(target) && !model.ends_with(".plm")) {
    if (const Loaded loaded = load(model, options); loaded.spec) {
      for (const std::string& file : files_of(*loaded.spec)) inputs.add(file);
    }
  }
  if (!inputs.contains(target)) return;
  throw std::invalid_argument("'" + target + "' is read by this command and not overwritten; choose another name" +
                              way_out);
}

}  // namespace pliant::app

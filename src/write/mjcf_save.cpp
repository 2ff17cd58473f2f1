// Doors: Spec → MJCF text or file.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/whole_file.h"
#include "write/mjcf_writer.h"
#include "pliant/write.h"

namespace pliant {
namespace fs = std::filesystem;
namespace {

struct Written {
  std::string text;
  std::vector<AssetCopy> copies;
};

Written write_flat(Spec spec, Diagnostics& diagnostics, bool for_mujoco, const std::string& folder,
                   const std::string& copy_folder) {
  if (diagnostics.files().empty()) {
    for (const std::string& file : spec.files) diagnostics.add_file(file);
  }
  Written written;
  if (!flatten(spec, diagnostics)) return written;
  if (for_mujoco && !use_standard_forms(spec, diagnostics)) return written;
  written.copies = place_assets(spec, folder, copy_folder, diagnostics);
  written.text = MjcfWriter(spec, diagnostics).write();
  return written;
}

std::string folder_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  return folder.empty() ? "." : folder.string();
}

void copy_asset(const AssetCopy& copy) {
  std::error_code problem;
  if (!copy.bytes && fs::equivalent(copy.from, copy.to, problem)) return;  // it is there already
  std::string bytes;
  if (copy.bytes) {
    bytes = *copy.bytes;
  } else {
    std::ifstream in(copy.from, std::ios::binary);
    std::ostringstream content;
    if (in.peek() != EOF) content << in.rdbuf();
    if (!in.is_open() || in.bad()) throw std::runtime_error("cannot read '" + copy.from + "'");
    bytes = std::move(content).str();
  }
  write_whole_file(copy.to, bytes);
}

}  // namespace

std::string write_mjcf(const Spec& spec, Diagnostics& diagnostics, const WriteOptions& options) {
  const std::string folder = options.file.empty() ? std::string() : folder_of(options.file);
  return write_flat(spec, diagnostics, options.for_mujoco, folder, {}).text;
}

bool save_mjcf(const Spec& spec, const fs::path& path, Diagnostics& diagnostics, const SaveOptions& options) {
  const int errors = diagnostics.errors();
  const std::string folder = folder_of(path);
  const Written written = write_flat(spec, diagnostics, options.for_mujoco, folder, options.copy_assets.string());
  if (diagnostics.errors() > errors) return false;
  const auto failed = [&](const std::string& what) {
    diagnostics.error(Code::kNotWritable, Origin{}, "", what);
    return false;
  };
  // files first: a text that is there names files that are there
  std::error_code problem;
  for (const AssetCopy& copy : written.copies) {
    if (!copy.bytes && !fs::is_regular_file(copy.from, problem)) {
      diagnostics.warning(Code::kWriteLoss, Origin{}, "", "there is no file '" + copy.from + "' to copy");
      continue;
    }
    fs::create_directories(fs::path(copy.to).parent_path(), problem);
    try {
      copy_asset(copy);
    } catch (const std::exception& error) {
      return failed(error.what());
    }
  }
  try {
    write_whole_file(path, written.text);
  } catch (const std::exception& error) {
    return failed(error.what());
  }
  return true;
}

}  // namespace pliant

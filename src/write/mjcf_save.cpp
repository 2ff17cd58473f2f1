// Doors: Spec → MJCF text or file.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "base/input_files.h"
#include "base/output_file.h"
#include "write/mjcf_writer.h"
#include "pliant/write.h"
#include "pliant/write_form.h"

namespace pliant {
namespace fs = std::filesystem;
namespace {

struct Written {
  std::string text;
  std::vector<AssetCopy> copies;
};

/// Whether all files are looked for in the same folders.
bool same_folders(const Spec& spec) {
  const CompilerSpec& own = spec.compilers[0];
  return std::all_of(spec.compilers.begin(), spec.compilers.end(), [&](const CompilerSpec& other) {
    return other.meshdir == own.meshdir && other.texturedir == own.texturedir && other.model_dir == own.model_dir &&
           other.strippath == own.strippath;
  });
}

Written write_flat(Spec spec, Diagnostics& diagnostics, const WriteOptions& options, const std::string& folder,
                   const std::string& copy_folder, bool reference_form = false) {
  const bool keep_paths = options.keep_paths && same_folders(spec);
  if (diagnostics.files().empty()) {
    for (const std::string& file : spec.files) diagnostics.add_file(file);
  }
  Written written;
  if (!flatten(spec, diagnostics, reference_form)) return written;
  if (options.for_mujoco && !use_standard_forms(spec, diagnostics)) return written;
  if (!keep_paths) written.copies = place_assets(spec, folder, copy_folder, diagnostics);
  written.text = MjcfWriter(spec, diagnostics, options.keep_classes, reference_form).write();
  return written;
}

std::string folder_of(const fs::path& file) {
  const fs::path folder = file.parent_path();
  return folder.empty() ? "." : folder.string();
}

std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  if (in.peek() != EOF) content << in.rdbuf();
  if (!in.is_open() || in.bad()) throw std::runtime_error("cannot read '" + file + "'");
  return std::move(content).str();
}

/// Copies and the text, all of them or the reason why not. Files first: a text that is there names files that are
/// there.
void write_all(const Written& written, const fs::path& path, Diagnostics& diagnostics, Origin at) {
  InputFiles targets;
  targets.add(path);
  for (const AssetCopy& copy : written.copies) targets.add(copy.to);
  std::error_code problem;
  std::map<std::string, std::string> kept;  // content of files that another will be written over
  for (const AssetCopy& copy : written.copies) {
    const bool stays = copy.bytes || fs::equivalent(copy.from, copy.to, problem);
    if (!stays && targets.contains(copy.from)) kept.try_emplace(copy.from, content_of(copy.from));
  }
  for (const AssetCopy& copy : written.copies) {
    if (!copy.bytes && fs::equivalent(copy.from, copy.to, problem)) continue;  // it is there already
    if (!copy.bytes && !fs::is_regular_file(copy.from, problem)) {
      diagnostics.warning(Code::kWriteLoss, at, "", "there is no file '" + copy.from + "' to copy");
      continue;
    }
    fs::create_directories(fs::path(copy.to).parent_path(), problem);
    const auto known = kept.find(copy.from);
    write_whole_file(copy.to, copy.bytes ? *copy.bytes : known != kept.end() ? known->second : content_of(copy.from));
  }
  write_whole_file(path, written.text);
}

}  // namespace

std::string write_mjcf(const Spec& spec, Diagnostics& diagnostics, const WriteOptions& options) {
  const std::string folder = options.file.empty() ? std::string() : folder_of(options.file);
  return write_flat(spec, diagnostics, options, folder, {}).text;
}

std::string write_mjcf_in_reference_form(const Spec& spec, Diagnostics& diagnostics, const WriteOptions& options) {
  const std::string folder = options.file.empty() ? std::string() : folder_of(options.file);
  return write_flat(spec, diagnostics, options, folder, {}, true).text;
}

bool save_mjcf(const Spec& spec, const fs::path& path, Diagnostics& diagnostics, const SaveOptions& options) {
  const int errors = diagnostics.errors();
  const std::string folder = folder_of(path);
  WriteOptions how;
  how.for_mujoco = options.for_mujoco;
  const Written written = write_flat(spec, diagnostics, how, folder, options.copy_assets.string());
  if (diagnostics.errors() > errors) return false;
  // what is said here is about the file that is written
  const Origin at{diagnostics.add_file(path.string()), 0, 0};
  if (!options.overwrite_inputs) {
    InputFiles inputs;
    for (const std::string& file : files_of(spec)) inputs.add(file);
    const auto check = [&](const fs::path& target) {
      if (!inputs.contains(target)) return;
      diagnostics.error(Code::kNotWritable, at, "",
                        "'" + target.string() + "' is a file that the model was read from: it is not overwritten",
                        "choose another name, or use --force (in Python: force=True)");
    };
    check(path);
    std::error_code problem;
    for (const AssetCopy& copy : written.copies) {
      if (copy.bytes || !fs::equivalent(copy.from, copy.to, problem)) check(copy.to);
    }
    if (diagnostics.errors() > errors) return false;
  }
  try {
    write_all(written, path, diagnostics, at);
  } catch (const std::exception& failed) {
    diagnostics.error(Code::kNotWritable, at, "", failed.what());
    return false;
  }
  return true;
}

}  // namespace pliant

#pragma once
// Spec back into MJCF text: what a reader of the text makes of it is the same model again.
//
// Everything is written out: included, attached and replicated content stands where it acts, default classes are
// resolved, attached models take the angles and file names of the whole. Numbers are the shortest that read back
// exactly. What the text cannot say is a finding (W650), one per element.

#include <filesystem>
#include <string>
#include <vector>

#include "pliant/diagnostics.h"
#include "pliant/spec.h"

namespace pliant {

struct WriteOptions {
  /// Write only what MuJoCo reads: Pliant's extensions take their closest standard form, and every loss is a finding.
  bool for_mujoco = false;
  /// Where the text will be stored: files it names are relative to that folder. "" = they get absolute paths.
  std::filesystem::path file;
  /// Write default classes, and of elements only what differs from theirs, in place of everything.
  bool keep_classes = false;
  /// Leave file names and folders as they are, whatever `file` says: the text will be read where the model was, or with
  /// its files in memory.
  bool keep_paths = false;
};

/// The Spec as MJCF text. Losses are reported to the sink; with an error there the text is not the model.
std::string write_mjcf(const Spec& spec, Diagnostics& diagnostics, const WriteOptions& options = {});

struct SaveOptions {
  bool for_mujoco = false;  ///< as in WriteOptions
  /// Folder, relative to that of the file, which gets copies of all files the model names, so that both can be moved
  /// together; "" = none are made, the text names the files where they are.
  std::filesystem::path copy_assets;
  /// Whether files that the Spec was read from may be written over; otherwise that is an error.
  bool overwrite_inputs = false;
};

/// Writes the Spec into a file, whole or not at all. False, with errors in the sink, when that is not possible.
bool save_mjcf(const Spec& spec, const std::filesystem::path& path, Diagnostics& diagnostics,
               const SaveOptions& options = {});

/// Every file that the Spec was read from or refers to: the model, what it includes and attaches, meshes, textures.
std::vector<std::string> files_of(const Spec& spec);

}  // namespace pliant

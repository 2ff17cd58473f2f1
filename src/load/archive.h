#pragma once
// Models packed in zip archives (.mjz, .zip). An archive is a folder of its own: what it holds is known under
// PATH-OF-ARCHIVE/NAME, and nothing outside it is looked at.

#include <map>
#include <string>

#include "pliant/diagnostics.h"

namespace pliant {

/// Whether a path names an archive, by its extension.
bool is_archive(const std::string& path);

/// Files by the path under which the loader knows them.
using ArchiveFiles = std::map<std::string, std::string>;

/// Unpacks `bytes` into files below `path`; problems are reported at the file. `most` bounds the bytes of all files together:
/// a few bytes can ask for thousands of times as many.
bool read_archive(const std::string& path, const std::string& bytes, int64_t most, Diagnostics& diagnostics,
                  ArchiveFiles& files);

/// The model of an archive: PATH/model.xml, PATH/NAME.xml, PATH/NAME/NAME.xml or PATH/NAME/model.xml, where PATH is
/// …/NAME.mjz; "" when there is none, with an error.
std::string archive_model(const std::string& path, const ArchiveFiles& files, Diagnostics& diagnostics);

}  // namespace pliant

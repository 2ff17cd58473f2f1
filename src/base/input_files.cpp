#include "base/input_files.h"

#include <sys/stat.h>

namespace pliant {

void InputFiles::add(const std::filesystem::path& file) {
  struct stat found;
  if (stat(file.c_str(), &found) == 0) known_.emplace(found.st_dev, found.st_ino);
}

bool InputFiles::contains(const std::filesystem::path& file) const {
  struct stat found;
  return stat(file.c_str(), &found) == 0 && known_.contains({found.st_dev, found.st_ino});
}

}  // namespace pliant

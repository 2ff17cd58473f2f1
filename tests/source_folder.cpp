#include "tests/source_folder.h"

namespace pliant {

std::filesystem::path source_folder() { return PLIANT_SOURCE_DIR; }

}  // namespace pliant

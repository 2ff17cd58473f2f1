#include "base/whole_file.h"

#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace pliant {

void write_whole_file(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path part = path.string() + ".part";
  std::error_code problem;
  {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) problem = std::make_error_code(std::errc::io_error);
  }
  if (!problem) std::filesystem::rename(part, path, problem);
  if (!problem) return;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  throw std::runtime_error("cannot write '" + path.string() + "'");
}

}  // namespace pliant

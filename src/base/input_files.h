#pragma once
// Files that have been read, recognised under whatever name they are met again.

#include <filesystem>
#include <set>
#include <utility>

namespace pliant {

class InputFiles {
 public:
  /// Files that do not exist are not remembered.
  void add(const std::filesystem::path& file);
  /// Whether this is one of them: links and other ways to write the path make no difference.
  bool contains(const std::filesystem::path& file) const;

 private:
  std::set<std::pair<unsigned long long, unsigned long long>> known_;  // device and number on it
};

}  // namespace pliant

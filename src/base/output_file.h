#pragma once
// Files that appear whole or not at all.
//
// Bytes go to a temporary file beside the target, which takes the target's name when everything is on disk: a reader
// never meets half a file, and a full disk or a crash leaves what was there before.

#include <filesystem>
#include <string>
#include <string_view>

namespace pliant {

/// A symbolic link is followed and stays a link; a file that is replaced keeps its permissions; what is no regular file
/// (/dev/stdout, a pipe) is written directly. Every function throws std::runtime_error, "cannot write out.csv: No space
/// left on device".
class OutputFile {
 public:
  enum class Sync : bool {
    kNo,  ///< leave it to the system when bytes reach the disk: for what can be made again
    kYes
  };

  /// Opens the temporary file, so that a place that cannot be written is known before there is anything to write.
  explicit OutputFile(std::filesystem::path path, Sync sync = Sync::kYes);
  /// Without commit() there is nothing left of it.
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::string_view bytes);
  /// Gives the file its name. Nothing can be written afterwards.
  void commit();

  const std::filesystem::path& path() const { return path_; }

 private:
  void write_now(std::string_view bytes);
  void discard() noexcept;
  [[noreturn]] void fail(int reason);

  std::filesystem::path path_;       ///< as the user wrote it
  std::filesystem::path target_;     ///< behind symbolic links
  std::filesystem::path temporary_;  ///< empty when the target is written directly
  std::string waiting_;              ///< bytes that are not written yet
  int descriptor_ = -1;
  Sync sync_;
};

/// All bytes at once.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes,
                      OutputFile::Sync sync = OutputFile::Sync::kYes);

}  // namespace pliant

#pragma once
// Files that appear whole or not at all.
//
// Bytes go to a temporary file beside the target, which takes the target's name when everything is on disk: a reader
// never meets half a file, and a full disk or a crash leaves what was there before.
//
// Files whose beginning is worth something without their end (recordings) say so as they go: keep_so_far().

#include <cstdint>
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

  enum class Unfinished : bool {
    kDiscard,  ///< the temporary file has a hidden name and goes when it does not come to commit()
    kKeep      ///< it is called out.plr.part (or .part-2 …), and what keep_so_far() was told to keep stays there
  };

  /// Opens the temporary file, so that a place that cannot be written is known before there is anything to write.
  explicit OutputFile(std::filesystem::path path, Sync sync = Sync::kYes, Unfinished unfinished = Unfinished::kDiscard);
  /// Without commit() there is nothing left of it but what keep_so_far() has kept.
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  void write(std::string_view bytes);
  /// Hands everything written until now to the system: there it survives the end of this process, however it ends.
  /// With Unfinished::kKeep it also survives a failure: the temporary file is cut back to here and stays.
  void keep_so_far();
  /// Gives the file its name. Nothing can be written afterwards.
  void commit();
  /// Ends without a file, whatever was to be kept.
  void abandon() noexcept;

  const std::filesystem::path& path() const { return path_; }
  /// Where the bytes are until commit(); empty when the target is written directly.
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Whether something stays under the name temporary() if it does not come to commit().
  bool keeps_something() const { return kept_ > 0; }

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
  Unfinished unfinished_;
  uint64_t handed_over_ = 0;  ///< bytes that the system has
  uint64_t kept_ = 0;         ///< of them, those that stay
};

/// All bytes at once.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes,
                      OutputFile::Sync sync = OutputFile::Sync::kYes);

}  // namespace pliant

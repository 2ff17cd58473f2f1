#pragma once
// NumPy's .npz: a zip archive, uncompressed, of .npy arrays.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"

namespace pliant {

/// Most data of one archive: places in a plain zip have 32 bits, and heads and names need some
/// room.
inline constexpr uint64_t kMaxNpzBytes = 0xf0000000u;

class NpzWriter {
 public:
  explicit NpzWriter(OutputFile& out) : out_(out) {}
  /// `type` as NumPy writes it ("<f8"), shape from the slowest axis on.
  void add(std::string_view name, std::string_view type, const std::vector<int64_t>& shape,
           std::span<const std::byte> data);
  /// An array of text.
  void add(std::string_view name, const std::vector<std::string>& words);
  /// Writes the directory; nothing may be added afterwards.
  void finish();

 private:
  struct Entry {
    std::string name;
    uint32_t crc, size, offset;
  };
  OutputFile& out_;
  std::vector<Entry> entries_;
  uint64_t offset_ = 0;
};

}  // namespace pliant

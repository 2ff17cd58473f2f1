#pragma once
// NumPy's .npz: a zip archive, uncompressed, of .npy arrays.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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
  /// An array whose bytes come in pieces: `produce` gives them to the function it is handed, twice, in the same order.
  using Pieces = std::function<void(const std::function<void(std::span<const std::byte>)>&)>;
  void add(std::string_view name, std::string_view type, const std::vector<int64_t>& shape, uint64_t bytes,
           const Pieces& produce);
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

/// An array of an archive.
struct NpzArray {
  std::string type;  ///< as NumPy writes it
  std::vector<int64_t> shape;
  std::string bytes;
  /// Its numbers, whatever their type. Throws std::runtime_error for what are no numbers.
  std::vector<double> numbers() const;
  /// Its words.
  std::vector<std::string> words() const;
};
/// The one array of a .npy file. Throws std::runtime_error with what is wrong.
NpzArray read_npy(std::string_view bytes);
/// Arrays by name; stored or deflated. Throws std::runtime_error with what is wrong.
std::map<std::string, NpzArray> read_npz(std::string_view bytes);

}  // namespace pliant

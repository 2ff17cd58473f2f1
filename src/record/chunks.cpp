#include "record/chunks.h"

#include <zlib.h>

#include <algorithm>
#include <bit>

namespace pliant {
namespace {

static_assert(std::endian::native == std::endian::little, "recordings are written as numbers lie in memory");

constexpr uint32_t kMark = 0x4b4e4843;  // "CHNK"
constexpr size_t kBeforeHeadCrc = kChunkHeadBytes - sizeof(uint32_t);

std::string sealed(ChunkHead head) {
  std::string out(reinterpret_cast<const char*>(&head), sizeof head);
  head.head_crc = crc_of(std::string_view(out).substr(0, kBeforeHeadCrc));
  std::memcpy(out.data(), &head, sizeof head);
  return out;
}

}  // namespace

uint32_t crc_of(std::string_view bytes, uint32_t so_far) {
  return static_cast<uint32_t>(crc32_z(so_far, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string plr_start() {
  std::string out(kPlrMagic, sizeof kPlrMagic);
  out.append(reinterpret_cast<const char*>(&kPlrVersion), sizeof kPlrVersion);
  out.append(reinterpret_cast<const char*>(&kPlrOrder), sizeof kPlrOrder);
  return out;
}

std::string chunk_head(ChunkKind kind, uint64_t number, std::string_view payload) {
  return sealed({kMark, static_cast<uint32_t>(kind), number, payload.size(), crc_of(payload), 0});
}

bool read_chunk_head(std::string_view bytes, uint64_t number, ChunkHead& head) {
  if (bytes.size() < sizeof head) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  return head.mark == kMark && head.number == number && head.head_crc == crc_of(bytes.substr(0, kBeforeHeadCrc));
}

std::string seal_plr(std::string bytes) {
  const std::string start = plr_start();
  bytes.resize(std::max(bytes.size(), start.size()));
  std::copy(start.begin(), start.end(), bytes.begin());
  size_t at = start.size();
  for (uint64_t number = 0; bytes.size() - at >= kChunkHeadBytes; ++number) {
    ChunkHead head;
    std::memcpy(&head, bytes.data() + at, sizeof head);
    head.mark = kMark;
    head.number = number;
    const size_t first = at + sizeof head;
    head.bytes = std::min<uint64_t>(head.bytes, bytes.size() - first);
    head.payload_crc = crc_of(std::string_view(bytes).substr(first, head.bytes));
    const std::string fixed = sealed(head);
    std::copy(fixed.begin(), fixed.end(), bytes.begin() + static_cast<ptrdiff_t>(at));
    at = first + head.bytes;
  }
  return bytes;
}

}  // namespace pliant

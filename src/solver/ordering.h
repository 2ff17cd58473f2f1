#pragma once
// Order of elimination for a symmetric matrix whose blocks form a graph: minimum degree, and with
// it the pattern of the factor.

#include <cstdint>
#include <span>

#include "pliant/arena.h"

namespace pliant {

/// Sets of blocks as bits, one row of words per block.
struct BlockSets {
  int count = 0, words = 0;
  uint64_t* bits = nullptr;
  uint64_t* row(int i) const { return bits + static_cast<size_t>(i) * words; }
  bool has(int i, int j) const { return row(i)[j >> 6] >> (j & 63) & 1; }
  void add(int i, int j) const { row(i)[j >> 6] |= uint64_t{1} << (j & 63); }
};

/// `neighbours` (symmetric, without the diagonal) becomes, row by row, the blocks that remain when
/// the row is eliminated: the pattern of its column of the factor. order[k] is the block that goes
/// at place k, in an order in which every block comes before its parent (first to go of its
/// pattern), children directly before their parent where they can. False if the arena is full.
bool order_blocks(const BlockSets& neighbours, Arena& arena, std::span<int> order, std::span<int> parent);

}  // namespace pliant

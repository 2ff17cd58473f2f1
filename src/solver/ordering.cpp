// Minimum degree on bit sets. Exact degrees, ties to the last block (leaves of kinematic trees have
// high numbers); the elimination is carried out on the sets, which leaves the pattern of the factor
// behind. Cost: about (sum of squared degrees) / 64 words plus count^2 for the choices; for 125
// boxes in a bin some ten microseconds.

#include "solver/ordering.h"

#include <bit>
#include <utility>

namespace pliant {
namespace {

int count_bits(const uint64_t* row, int words) {
  int total = 0;
  for (int w = 0; w < words; ++w) total += std::popcount(row[w]);
  return total;
}

template <class F>
void for_each_bit(const uint64_t* row, int words, F f) {
  for (int w = 0; w < words; ++w) {
    for (uint64_t rest = row[w]; rest; rest &= rest - 1) f(64 * w + std::countr_zero(rest));
  }
}

}  // namespace

bool order_blocks(const BlockSets& sets, Arena& arena, std::span<int> order, std::span<int> parent) {
  const int n = sets.count, words = sets.words;
  int* degree = arena.take<int>(n);
  int* place = arena.take<int>(n);
  int* child = arena.take<int>(n + 1);
  int* sibling = arena.take<int>(n);
  int* size = arena.take<int>(n);
  int* stack = arena.take<int>(n + 1);
  if (!degree || !place || !child || !sibling || !size || !stack) return false;
  // eliminate
  constexpr int kGone = 1 << 30;
  for (int i = 0; i < n; ++i) degree[i] = count_bits(sets.row(i), words);
  for (int k = 0; k < n; ++k) {
    int best = n - 1;
    for (int i = n - 2; i >= 0; --i) {
      if (degree[i] < degree[best]) best = i;
    }
    place[best] = k;
    size[best] = degree[best];
    degree[best] = kGone;
    const uint64_t* pattern = sets.row(best);
    for_each_bit(pattern, words, [&](int i) {
      uint64_t* row = sets.row(i);
      for (int w = 0; w < words; ++w) row[w] |= pattern[w];
      row[i >> 6] &= ~(uint64_t{1} << (i & 63));
      row[best >> 6] &= ~(uint64_t{1} << (best & 63));
      degree[i] = count_bits(row, words);
    });
  }
  // tree of elimination; children with the largest pattern last, so that they come directly before
  // their parent
  for (int i = 0; i <= n; ++i) child[i] = -1;
  for (int i = 0; i < n; ++i) {
    int up = n;
    for_each_bit(sets.row(i), words, [&](int j) {
      if (up == n || place[j] < place[up]) up = j;
    });
    parent[i] = up;
    // a list sorted by falling size, equal ones by number
    int* link = &child[up];
    while (*link >= 0 && size[*link] >= size[i]) link = &sibling[*link];
    sibling[i] = *link;
    *link = i;
  }
  // depth first from the roots, written from the back: a parent, then its children by falling size
  int at = n, top = 0;
  for (int root = child[n]; root >= 0; root = sibling[root]) {
    stack[top++] = root;
    while (top > 0) {
      const int i = stack[--top];
      order[--at] = i;
      // the largest child must come next: it goes on the stack last
      const int base = top;
      for (int c = child[i]; c >= 0; c = sibling[c]) stack[top++] = c;
      for (int a = base, b = top - 1; a < b; ++a, --b) std::swap(stack[a], stack[b]);
    }
  }
  for (int i = 0; i < n; ++i) parent[i] = parent[i] == n ? -1 : parent[i];
  return true;
}

}  // namespace pliant

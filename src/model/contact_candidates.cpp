// Candidates for contact that follow from the tree alone.
//
// Reads body_weldid and body_dofnum; writes rank_bodyid and rank_first. Bodies are ranked rigid group by rigid group,
// those that cannot move first. The bodies that one may touch then are all ranks above its group (for a group that
// cannot move: above all such groups), which a broad phase walks as one run; only the group it carries itself is still
// to be left out, because that is a matter of a flag. Bits are no part of it: they are read in every step.

#include "model/contact_candidates.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "model/array_checker.h"

namespace pliant {
namespace {

struct Ranks {
  std::vector<int> body, first;
};

Ranks rank_bodies(const Model& m) {
  Ranks ranks;
  ranks.body.resize(m.nbody);
  ranks.first.resize(m.nbody);
  std::iota(ranks.body.begin(), ranks.body.end(), 0);
  const auto moves = [&](int b) { return m.body_dofnum[m.body_weldid[b]] > 0; };
  std::stable_sort(ranks.body.begin(), ranks.body.end(), [&](int a, int b) {
    if (moves(a) != moves(b)) return moves(b);
    return m.body_weldid[a] < m.body_weldid[b];
  });
  // from the back: the end of the group it is in, or of all groups without dofs
  int end = m.nbody;
  for (int r = m.nbody - 1; r >= 0; --r) {
    const int b = ranks.body[r];
    if (r + 1 < m.nbody) {
      const int next = ranks.body[r + 1];
      const bool together = moves(b) ? m.body_weldid[b] == m.body_weldid[next] : !moves(next);
      if (!together) end = r + 1;
    }
    ranks.first[r] = end;
  }
  return ranks;
}

}  // namespace

void write_contact_candidates(Model& model) {
  const Ranks ranks = rank_bodies(model);
  std::copy(ranks.body.begin(), ranks.body.end(), model.rank_bodyid);
  std::copy(ranks.first.begin(), ranks.first.end(), model.rank_first);
}

void ArrayChecker::contact_candidates() {
  if (!fine()) return;
  const Ranks ranks = rank_bodies(m);
  for (int r = 0; r < nbody && fine(); ++r) {
    between("rank_bodyid", r, m.rank_bodyid[r], ranks.body[r], ranks.body[r]);
    between("rank_first", r, m.rank_first[r], ranks.first[r], ranks.first[r]);
  }
}

}  // namespace pliant

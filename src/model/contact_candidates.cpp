// Candidates for contact that follow from the Model alone.
//
// Ranks. // Reads body_weldid and body_dofnum; writes rank_bodyid and rank_first. Bodies are ranked rigid group by
// rigid group, those that cannot move first. The bodies that one may touch then are all ranks above its group (for a
// group that cannot move: above all such groups), which a broad phase walks as one run; only the group it carries
// itself is still to be left out, because that is a matter of a flag. Bits are no part of it: they are read in every
// step.
//
// Lists. For scenes with few pairs all of them are written down, in the order of contacts, with everything decided that
// the Model decides. The step then compares spheres, and nothing has to be sorted.

#include "model/contact_candidates.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "geom/support_hd.h"

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

/// From so many pairs on, finding those that meet by sorting is cheaper than looking at all (bench/instructions.py).
constexpr size_t kMostPrepared = 1024;

constexpr int kFlagsSeen = kDisableFilterParent | kDisableMidPhase;

/// The arrays of integers that a list of candidates follows from, one after the other. (Not those of the tree: what
/// writes them is refused, as ranks follow from them.)
template <class F>
void each_seen(const Model& m, F&& f) {
  const auto visit = [&](const int* array, int n) { f(std::span<const int>(array, static_cast<size_t>(n))); };
  for (const int* array : {m.geom_type, m.geom_contype, m.geom_conaffinity}) visit(array, m.ngeom);
  for (const int* array : {m.body_contype, m.body_conaffinity}) visit(array, m.nbody);
  for (const int* array : {m.pair_geom1, m.pair_geom2, m.pair_signature}) visit(array, m.npair);
  visit(m.exclude_signature, m.nexclude);
}

/// Collects candidates pair of bodies by pair of bodies.
class CandidateFinder {
 public:
  CandidateFinder(const Model& m, size_t most) : m_(m), most_(most) {
    for (int b = 0; b < m.nbody; ++b) {
      if (m.body_contype[b] || m.body_conaffinity[b]) bodies_.push_back(b);
    }
  }

  ListedPairs run() {
    // pairs of bodies are cheap to look at, but not for ever
    constexpr size_t kMostBodies = 8192;
    if (bodies_.size() > std::min(kMostBodies, 2 * most_)) return {};
    for (size_t i = 0; i < bodies_.size(); ++i) {
      for (size_t j = i + 1; j < bodies_.size(); ++j) {
        if (!add_bodies(bodies_[i], bodies_[j])) return {};
      }
    }
    add_explicit_up_to(m_.npair);
    if (list_.pairs.size() > most_) return {};
    list_.complete = true;
    return std::move(list_);
  }

 private:
  bool add_bodies(int low, int high) {
    const uint32_t signature = body_signature(low, high);
    const GeomTag tag1 = body_tag(m_, low), tag2 = body_tag(m_, high);
    if (!joints_allow(tag1, tag2, filter_parent_) || is_excluded(m_, signature)) return true;
    if (!bits_meet(tag1.body_contype, tag1.body_conaffinity, tag2.body_contype, tag2.body_conaffinity)) return true;
    int next = explicit_;
    while (next < m_.npair && static_cast<uint32_t>(m_.pair_signature[next]) <= signature) ++next;
    add_explicit_up_to(next);
    const auto first = static_cast<int>(list_.pairs.size());
    found_.clear();
    for (int g = m_.body_geomadr[low]; g < m_.body_geomadr[low] + m_.body_geomnum[low]; ++g) {
      for (int h = m_.body_geomadr[high]; h < m_.body_geomadr[high] + m_.body_geomnum[high]; ++h) {
        if (!bits_meet(m_.geom_contype[g], m_.geom_conaffinity[g], m_.geom_contype[h], m_.geom_conaffinity[h]) ||
            has_explicit_pair(m_, signature, g, h)) {
          continue;
        }
        const bool swapped = m_.geom_type[g] > m_.geom_type[h];
        found_.push_back({swapped ? h : g, swapped ? g : h, -1, static_cast<int>(found_.size())});
        if (first + found_.size() > most_) return false;
      }
    }
    // The mid phase of the reference sorts by geoms as stored, that is by type. (by_body: so far the place among these)
    if (mid_phase_ && m_.body_bvhadr[low] >= 0 && m_.body_bvhadr[high] >= 0) {
      std::sort(found_.begin(), found_.end(), [](const CandidatePair& a, const CandidatePair& b) {
        return std::pair(a.geom1, a.geom2) < std::pair(b.geom1, b.geom2);
      });
    }
    list_.pairs.insert(list_.pairs.end(), found_.begin(), found_.end());
    for (size_t k = 0; k < found_.size(); ++k) {
      list_.pairs[static_cast<size_t>(first) + found_[k].by_body].by_body = first + static_cast<int>(k);
    }
    return true;
  }

  void add_explicit_up_to(int end) {
    for (; explicit_ < end; ++explicit_) {
      int geom1 = m_.pair_geom1[explicit_], geom2 = m_.pair_geom2[explicit_];
      if (geom1 == geom2) continue;
      if (m_.geom_type[geom1] > m_.geom_type[geom2]) std::swap(geom1, geom2);
      list_.pairs.push_back({geom1, geom2, explicit_, static_cast<int>(list_.pairs.size())});
    }
  }

  const Model& m_;
  const size_t most_;
  const bool filter_parent_ = !(m_.opt.disableflags & kDisableFilterParent);
  const bool mid_phase_ = !(m_.opt.disableflags & kDisableMidPhase);
  std::vector<int> bodies_;
  int explicit_ = 0;  // explicit pairs come by signature
  std::vector<CandidatePair> found_;
  ListedPairs list_;
};

void number_geoms(const Model& m, PreparedContacts& prepared) {
  std::vector<int> place(static_cast<size_t>(m.ngeom), -1);
  for (const CandidatePair& c : prepared.candidates.pairs) place[c.geom1] = place[c.geom2] = 0;
  for (int g = 0; g < m.ngeom; ++g) {
    if (place[g] < 0) continue;
    place[g] = static_cast<int>(prepared.geoms.size());
    prepared.geoms.push_back(g);
  }
  const auto everywhere = static_cast<int>(prepared.geoms.size());
  for (const CandidatePair& c : prepared.candidates.pairs) {
    prepared.places.push_back({place[c.geom1], c.pair >= 0 ? everywhere : place[c.geom2]});
  }
  constexpr size_t kBlock = 4;
  prepared.places.resize((prepared.places.size() + kBlock - 1) / kBlock * kBlock, {everywhere, everywhere});
}

void pack_hulls(const Model& m, PreparedContacts& prepared) {
  prepared.hull_adr.assign(static_cast<size_t>(m.nmesh), -1);
  double packed[3 * kMaxPacked] = {};
  for (int mesh = 0; mesh < m.nmesh; ++mesh) {
    if (!pack_hull(mesh_shape(m, mesh), packed)) continue;
    prepared.hull_adr[static_cast<size_t>(mesh)] = static_cast<int>(prepared.hull_vert.size());
    prepared.hull_vert.insert(prepared.hull_vert.end(), packed, packed + 3 * kMaxPacked);
  }
}

}  // namespace

ListedPairs list_pairs(const Model& m, size_t most) { return CandidateFinder(m, most).run(); }

bool PreparedContacts::follows_from(const Model& m) const {
  bool same = (m.opt.disableflags & kFlagsSeen) == flags;
  const int* then = seen.data();
  each_seen(m, [&](std::span<const int> now) {
    same = same && (now.empty() || std::memcmp(now.data(), then, now.size_bytes()) == 0);
    then += now.size();
  });
  return same;
}

void prepare_contacts(Model& model) {
  auto prepared = std::make_shared<PreparedContacts>();
  const PreparedContacts* before = model.prepared_contacts.get();
  if (before && before->follows_from(model)) {
    *prepared = *before;
    prepared->hull_vert.clear();
  } else {
    prepared->candidates = list_pairs(model, kMostPrepared);
    prepared->flags = model.opt.disableflags & kFlagsSeen;
    number_geoms(model, *prepared);
    each_seen(model,
              [&](std::span<const int> now) { prepared->seen.insert(prepared->seen.end(), now.begin(), now.end()); });
  }
  pack_hulls(model, *prepared);
  model.prepared_contacts = std::move(prepared);
}

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

#pragma once
// Candidates for contact that follow from the Model alone.

#include <cstdint>
#include <vector>

#include "model/contact_rules_hd.h"
#include "pliant/model.h"

namespace pliant {

/// Fills rank_bodyid and rank_first from body_weldid and body_dofnum.
void write_contact_candidates(Model& model);

/// All pairs that may touch, as the Model is now: tree, bits, <exclude>, <pair>, the flags filterparent and midphase.
/// Empty, and `complete` false, if there are more than `most`.
struct ListedPairs {
  std::vector<CandidatePair> pairs;
  bool complete = false;
  CandidateTable table() const { return {static_cast<int>(pairs.size()), pairs.data(), complete}; }
};
ListedPairs list_pairs(const Model& m, size_t most);

/// What a step would find out again and again, made once: by the compiler, by whoever reads a binary file, by
/// set_const.
struct PreparedContacts {
  /// Candidates of a small scene. Bits, types and lists of pairs can be written between steps: `seen` is what the list
  /// follows from, and a list that is not current is not used.
  ListedPairs candidates;
  std::vector<int> seen;
  int flags = 0;
  /// Geoms of these candidates, and which of them each candidate has. An explicit pair has its own margin: it has the
  /// place after the last, which stands for a sphere without bounds.
  struct Places {
    int first, second;
  };
  std::vector<int> geoms;
  std::vector<Places> places;  // filled up to a multiple of four
  bool follows_from(const Model& m) const;
  bool is_current(const Model& m) const { return candidates.complete && follows_from(m); }

  /// Vertices of small hulls, by coordinates (geom/support_hd.h); per mesh its place, -1 if it has none.
  std::vector<int> hull_adr;
  std::vector<double> hull_vert;
  const double* hull(int mesh) const { return hull_adr[mesh] < 0 ? nullptr : hull_vert.data() + hull_adr[mesh]; }
};
void prepare_contacts(Model& model);

/// A small hull as supports like it best; nullptr if there is none.
inline const double* packed_hull(const Model& m, int mesh) {
  return m.prepared_contacts ? m.prepared_contacts->hull(mesh) : nullptr;
}

}  // namespace pliant

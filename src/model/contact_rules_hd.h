#pragma once
// Which pairs of geoms may touch, as far as the tree, bits and lists of pairs decide: the reference's rules.
//
// Bodies of one rigid group (body_weldid) never touch, nor do two groups without dofs, nor, unless the flag
// filterparent is off, a group and the group that carries it; children of the world collide with it. Then come bits
// (contype against conaffinity) and <exclude>. Explicit <pair>s skip all of it.

#include <cstdint>

#include "base/hd.h"

namespace pliant {

/// Two bodies as one number that sorts like (lower, higher). As pair_signature and exclude_signature.
PLIANT_HD uint32_t body_signature(int low, int high) {
  return (static_cast<uint32_t>(low) << 16) + static_cast<uint32_t>(high);
}

/// What filters need to know of a geom, in one place.
struct GeomTag {
  int geom, type, contype, conaffinity;
  int body, body_contype, body_conaffinity;
  int group, carrier;  // rigid group of its body, and the group that carries that one
  bool moves;          // whether the group has dofs
  bool excludes;       // whether the body may be in the list of excluded pairs
};
/// The body's part of it.
template <class M>
PLIANT_HD GeomTag body_tag(const M& m, int body) {
  const int group = m.body_weldid[body];
  return {-1,
          0,
          0,
          0,
          body,
          m.body_contype[body],
          m.body_conaffinity[body],
          group,
          m.body_weldid[m.body_parentid[group]],
          m.body_dofnum[group] > 0,
          true};
}
template <class M>
PLIANT_HD void set_geom(const M& m, int geom, GeomTag& tag) {
  tag.geom = geom;
  tag.type = m.geom_type[geom];
  tag.contype = m.geom_contype[geom];
  tag.conaffinity = m.geom_conaffinity[geom];
}
template <class M>
PLIANT_HD GeomTag geom_tag(const M& m, int geom) {
  GeomTag tag = body_tag(m, m.geom_bodyid[geom]);
  set_geom(m, geom, tag);
  return tag;
}

/// Whether the joints between two bodies let them collide.
PLIANT_HD bool joints_allow(const GeomTag& a, const GeomTag& b, bool filter_parent) {
  if (a.group == b.group || !(a.moves || b.moves)) return false;
  return !filter_parent || a.group == 0 || b.group == 0 || (a.group != b.carrier && b.group != a.carrier);
}

PLIANT_HD bool bits_meet(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) || (contype2 & conaffinity1);
}
/// Bits of two geoms and of their bodies. Those of bodies are the union at load, or what the user wrote.
PLIANT_HD bool bits_allow(const GeomTag& a, const GeomTag& b) {
  return bits_meet(a.contype, a.conaffinity, b.contype, b.conaffinity) &&
         bits_meet(a.body_contype, a.body_conaffinity, b.body_contype, b.body_conaffinity);
}

/// Place of the first entry that is not below `signature`, in a sorted list of signatures.
PLIANT_HD int first_signature(const int* list, int n, uint32_t signature) {
  int low = 0;
  while (n > 0) {
    const int half = n / 2;
    if (static_cast<uint32_t>(list[low + half]) < signature) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}
template <class M>
PLIANT_HD bool is_excluded(const M& m, uint32_t signature) {
  const int at = first_signature(m.exclude_signature, m.nexclude, signature);
  return at < m.nexclude && static_cast<uint32_t>(m.exclude_signature[at]) == signature;
}
/// Whether an explicit pair speaks for these two geoms.
template <class M>
PLIANT_HD bool has_explicit_pair(const M& m, uint32_t signature, int geom1, int geom2) {
  int at = first_signature(m.pair_signature, m.npair, signature);
  for (; at < m.npair && static_cast<uint32_t>(m.pair_signature[at]) == signature; ++at) {
    const int a = m.pair_geom1[at], b = m.pair_geom2[at];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return true;
  }
  return false;
}

/// Two geoms that may touch, as far as the rules above and explicit pairs decide.
struct CandidatePair {
  int geom1, geom2;  // the one of lower type first
  int pair;          // explicit pair; -1 if none
  // Place of the candidate that stands here where geoms of two bodies come in the order of the bodies, not by type: the
  // reference's order for fast bodies.
  int by_body;
};

/// Candidates in the order that their contacts have: by the two bodies; explicit pairs first, by number; then by geoms.
struct CandidateTable {
  int count = 0;
  const CandidatePair* pair = nullptr;
  bool is_complete = false;  // otherwise nobody has made the list, or there are too many
};

}  // namespace pliant

#pragma once
// The stage collision by a team, for worlds whose contacts have room for a capacity.
//
// reads geom_xpos geom_xmat, with the flag speculative also cdof subtree_com xipos qvel · writes contact
//
// In three parts, which a device runs in kernels of their own:
//   list_survivors     candidates (m.candidates) stand in the order of contacts. Members look at their spheres and
//                      boxes; a prefix sum gives those that meet their places in the list of survivors.
//   compare_survivor   one member compares a pair; its points go anywhere, the list says where.
//   place_contacts     the numbers of points give the contacts their places.
// So neither the order nor any bit depends on who did what. What does not fit is counted and not written: a world
// without room has no contacts, and the report says how much it needs.
// The number of survivors differs from world to world: the team of a world must not wait for others (a warp).

#include "collision/pair_contacts_hd.h"
#include "state/batch_views.h"

namespace pliant {

/// What became of the contacts of a world.
struct CollisionReport {
  bool unlisted = false;  // nobody has listed the candidates of this Model: nothing was looked at
  int survivors = 0;      // candidates that meet; more than there was room for: there are no contacts
  int contacts = 0;       // likewise
  bool overflow = false;
  bool miscount = false;  // somebody wrote another number of contacts than were counted: there are none
  int tested = 0;         // pairs whose shapes were compared
  int bad_points = 0;     // points that were no numbers, and were left out
  int raised = 0;         // frictions below the least one
  int bad_dims = 0;       // pairs with a condim that no contact can have: they have no contacts, and the step is wrong
};

/// Hulls are searched through their graphs here: the answer is that of packed ones.
template <class R>
PLIANT_HD const R* packed_hull(const ModelView<R>&, int) {
  return nullptr;
}

/// Which candidate stands at a place: geoms of fast bodies come in another order.
template <class M, class R>
PLIANT_HD int candidate_at(const M& m, const MotionsT<R>& motions, int place) {
  if (!motions) return place;
  const CandidatePair& here = m.candidates.pair[place];
  const bool fast = motions.bodies_are_fast(m.geom_bodyid[here.geom1], m.geom_bodyid[here.geom2]);
  return fast ? here.by_body : place;
}

template <class M>
PLIANT_HD GeomPair pair_of_candidate(const M& m, int candidate) {
  const CandidatePair& c = m.candidates.pair[candidate];
  return {c.geom1, c.geom2, c.pair};
}
/// Motions that list_survivors has gathered; none without the flag speculative.
template <class M, class D>
PLIANT_HD auto gathered_motions(const M& m, const D& d) {
  using R = typename D::Real;
  return wants_motions(m) ? MotionsT<R>(d.collision.geom_motion, d.collision.body_motion) : MotionsT<R>();
}

/// Candidates that are worth a comparison, into d.collision.survivor.
template <class Team, class M, class S, class D>
PLIANT_HD CollisionReport list_survivors(const Team& team, const M& m, const S& s, D& d) {
  CollisionReport report;
  d.ncon = d.collision.survivors = 0;
  if (m.opt.disableflags & (kDisableConstraint | kDisableContact) || m.nbody < 2) return report;
  report.unlisted = !m.candidates.is_complete;
  if (report.unlisted) return report;

  auto motions = gathered_motions(m, d);
  if (motions) motions.gather(team, m, s, d);
  const int room = d.collision.survivor_room;
  int candidate = 0;
  bool meets = false;
  report.survivors = each_in_place(
      team, m.candidates.count, 0,
      [&](int i) {
        candidate = candidate_at(m, motions, i);
        meets = candidate_meets(m, d, motions, pair_of_candidate(m, candidate));
        return meets ? 1 : 0;
      },
      [&](int, int place) {
        if (meets && place < room) d.collision.survivor[place] = candidate;
      });
  report.overflow = report.survivors > room;
  if (!report.overflow) d.collision.survivors = report.survivors;
  return report;
}

/// Compares survivor i: its points, and what became of it but where they go.
template <class M, class D, class Motions, class R>
PLIANT_HD PairResult compare_survivor(const M& m, const D& d, const Motions& motions, const PairRules<R>& rules, int i,
                                      PairPoints<R>& points) {
  const GeomPair pair = pair_of_candidate(m, d.collision.survivor[i]);
  PairShapes<R> shapes;
  PairResult result{};
  result.tested = find_points<true>(m, d, motions, rules, pair, shapes, points);
  if (!result.tested) return result;
  result.count = points.count, result.found = points.found;
  result.bad = points.bad, result.bad_dim = points.bad_dim != 0;
  return result;
}
/// Its points from place result.first on, as far as there is room.
template <class D, class R>
PLIANT_HD void keep_points(D& d, int i, const PairResult& result, const PairPoints<R>& points) {
  d.collision.result[i] = result;
  for (int k = 0; k < result.count && result.first + k < d.contact_room; ++k) {
    d.collision.point[result.first + k] = points.point[k];
  }
}

/// Contacts from the points of all survivors.
template <class Team, class M, class D, class Motions>
PLIANT_HD void place_contacts(const Team& team, const M& m, D& d, const Motions& motions, CollisionReport& report) {
  using R = typename D::Real;
  const int survivors = d.collision.survivors;
  const PairResult* result = d.collision.result;
  int tested = 0, bad = 0, raised = 0, bad_dims = 0, all = 0, written = 0, all_written = 0;
  // (points of worlds with too many have no places)
  int own = 0;
  for (int i = team.lane(); i < survivors; i += team.size()) own += result[i].count;
  team.scan(own, all);
  report.contacts = all;
  report.overflow = report.overflow || all > d.contact_room;
  if (report.overflow) return;
  each_in_place(
      team, survivors, 0,
      [&](int i) {
        tested += result[i].tested, bad += result[i].bad, bad_dims += result[i].bad_dim;
        return result[i].count;
      },
      [&](int i, int place) {
        const int count = result[i].count;
        if (count == 0 || place + count > d.contact_room) return;
        raised += write_contacts(m, d, motions, pair_of_candidate(m, d.collision.survivor[i]),
                                 static_cast<const ContactPointT<R>*>(d.collision.point + result[i].first), count,
                                 result[i].found, d.contact + place);
        written += count;
      });
  team.scan(tested, report.tested);
  team.scan(bad, report.bad_points);
  team.scan(raised, report.raised);
  team.scan(bad_dims, report.bad_dims);
  team.scan(written, all_written);
  report.miscount = all_written != all;
  if (!report.miscount) d.ncon = all;
}

template <class Team, class M, class S, class D>
PLIANT_HD CollisionReport collision_stage(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  CollisionReport report = list_survivors(team, m, s, d);
  if (report.unlisted || report.overflow) return report;
  const auto motions = gathered_motions(m, d);
  const PairRules<R> rules = pair_rules<R>(m.opt);
  int taken = 0;
  for (int start = 0; start < d.collision.survivors; start += team.size()) {
    const int i = start + team.lane();
    PairPoints<R> points;
    PairResult result{};
    if (i < d.collision.survivors) result = compare_survivor(m, d, motions, rules, i, points);
    int total = 0;
    result.first = taken + team.scan(result.count, total);
    if (i < d.collision.survivors) keep_points(d, i, result, points);
    taken += total;
  }
  team.sync();
  place_contacts(team, m, d, motions, report);
  return report;
}

}  // namespace pliant

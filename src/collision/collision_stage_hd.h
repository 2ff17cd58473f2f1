#pragma once
// The stage collision by a team, for worlds whose contacts have room for a capacity.
//
// reads geom_xpos geom_xmat, with the flag speculative also cdof subtree_com xipos qvel · writes contact
//
// Candidates (m.candidates) stand in the order of contacts. Members look at their spheres; a prefix sum gives those
// that meet their places in the list of survivors. Then every survivor is compared by one member, and the number of its
// points gives the contacts their places. So neither the order nor any bit depends on who did what. What does not fit
// is counted and not written: a world without room has no contacts, and the report says how much it needs.
// The number of survivors differs from world to world: the team of a world must not wait for others (a warp).

#include "collision/pair_contacts_hd.h"
#include "state/batch_views.h"

namespace pliant {

/// What became of the contacts of a world.
struct CollisionReport {
  bool unlisted = false;  // nobody has listed the candidates of this Model: nothing was looked at
  int survivors = 0;      // candidates whose spheres meet; more than there was room for: there are no contacts
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

template <class Team, class M, class S, class D>
PLIANT_HD CollisionReport collision_stage(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  CollisionReport report;
  d.ncon = 0;
  if (m.opt.disableflags & (kDisableConstraint | kDisableContact) || m.nbody < 2) return report;
  report.unlisted = !m.candidates.is_complete;
  if (report.unlisted) return report;

  MotionsT<R> motions;
  if (wants_motions(m)) {
    motions = MotionsT<R>(d.collision.geom_motion, d.collision.body_motion);
    motions.gather(team, m, s, d);
  }
  const auto pair_at = [&](int candidate) -> GeomPair {
    const CandidatePair& c = m.candidates.pair[candidate];
    return {c.geom1, c.geom2, c.pair};
  };

  // whose spheres meet
  const int room = d.collision.survivor_room;
  int candidate = 0;
  bool meets = false;
  report.survivors = each_in_place(
      team, m.candidates.count, 0,
      [&](int i) {
        candidate = candidate_at(m, motions, i);
        meets = candidate_meets(m, d, motions, pair_at(candidate));
        return meets ? 1 : 0;
      },
      [&](int, int place) {
        if (meets && place < room) d.collision.survivor[place] = candidate;
      });
  if (report.survivors > room) {
    report.overflow = true;
    return report;
  }

  // what they make
  const PairRules<R> rules = pair_rules<R>(m.opt);
  PairShapes<R> shapes;
  PairPoints<R> points;
  int tested = 0, bad = 0, raised = 0, bad_dims = 0, written = 0;
  report.contacts = each_in_place(
      team, report.survivors, 0,
      [&](int i) {
        points.count = 0;
        if (!find_points(m, d, motions, rules, pair_at(d.collision.survivor[i]), shapes, points)) return 0;
        ++tested;
        bad += points.bad;
        bad_dims += points.bad_dim != 0;
        return points.count;
      },
      [&](int i, int place) {
        if (points.count == 0 || place + points.count > d.contact_room) return;
        raised += write_contacts(m, d, motions, pair_at(d.collision.survivor[i]), points, d.contact + place);
        written += points.count;
      });
  team.scan(tested, report.tested);
  team.scan(bad, report.bad_points);
  team.scan(raised, report.raised);
  team.scan(bad_dims, report.bad_dims);
  int all_written = 0;
  team.scan(written, all_written);
  report.overflow = report.contacts > d.contact_room;
  report.miscount = !report.overflow && all_written != report.contacts;
  if (!report.overflow && !report.miscount) d.ncon = report.contacts;
  return report;
}

}  // namespace pliant

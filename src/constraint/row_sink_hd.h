#pragma once
// Where kinds put their rows: RowCounter counts, RowWriter writes, with one interface.
//
//   if (!sink.begin(type, id, n, chain)) return;      the counter answers false: nothing else is computed
//   sink.J(k)[place] …; sink.row(k, pos, margin, diagA); sink.finish(solref, solimp, violation);
//
// writes all fields of rows but those of the stages reference and solver.

#include <cstdint>

#include "base/team.h"
#include "constraint/impedance_hd.h"
#include "constraint/row_chain_hd.h"

namespace pliant {

/// What rows count as: ne, nf, nl of Rows, and the rest.
enum class RowSection : int { kEquality, kFriction, kLimit, kContact };

/// Walks a chain, highest run first; neighbouring runs are one segment.
struct SegmentCount {
  int segments = 0, length = 0;
  template <class Chain>
  PLIANT_HD explicit SegmentCount(const Chain& chain) {
    int bottom = -1;  // first dof of the run before
    chain([&](int first, int run, Side) {
      length += run;
      segments += first + run != bottom;
      bottom = first;
    });
  }
};

/// How many rows, segments and numbers there are; at most, where rows of zeros are dropped.
template <class R>
class RowCounter {
 public:
  int rows = 0, segments = 0;
  int64_t entries = 0;

  /// `shares`: it has the columns, and uses the segments, of the rows before it.
  template <class Chain>
  PLIANT_HD bool begin(RowType, int, int n, const Chain& chain, bool shares = false) {
    rows += n;
    if (!shares || length_ < 0) {
      const SegmentCount count(chain);
      length_ = count.length;
      if (!shares) segments += count.segments;
    }
    entries += static_cast<int64_t>(n) * length_;
    return false;
  }

  // never reached: begin answers false
  PLIANT_HD R* J(int) { return nullptr; }
  PLIANT_HD int length() const { return length_; }
  PLIANT_HD void row(int, R, R, R) {}
  PLIANT_HD void bound(int, R) {}
  template <class... Args>
  PLIANT_HD void finish(const Args&...) {}
  template <class C>
  PLIANT_HD void finish_contact(C&, int) {}
  PLIANT_HD void finish_without_impedance() {}

  template <class F>
  PLIANT_HD void one_by_one(const SerialTeam&, int n, RowSection, F&& rows_of) {
    for (int i = 0; i < n; ++i) rows_of(i, *this);
  }
  template <class F>
  PLIANT_HD void shared_out(const SerialTeam& team, int n, RowSection section, F&& rows_of) {
    one_by_one(team, n, section, rows_of);
  }

 private:
  int length_ = -1;
};

/// Second pass for the rows of a contact with friction: one R for all directions, softer or harder by impratio.
///   elliptic: R_j μ_j² is the same for all directions of friction; pyramidal: 2 μ² R of the first edge for all edges
template <class Rows, class C, class R>
PLIANT_HD void regularize_friction(Rows& rows, int first, C& contact, const RowSettings<R>& settings, bool elliptic) {
  const R normal = rows.row_R[first];
  const R sliding = normal / at_least(R(kTiny), settings.impratio), mu = contact.friction[0];
  contact.mu = mu * std::sqrt(sliding / normal);
  if (!elliptic) {
    const R edge = 2 * contact.mu * contact.mu * normal;
    for (int k = 0; k < 2 * (contact.dim - 1); ++k) rows.row_R[first + k] = edge;
    return;
  }
  rows.row_R[first + 1] = sliding;
  for (int k = 2; k < contact.dim; ++k) {
    rows.row_R[first + k] = sliding * mu * mu / (contact.friction[k - 1] * contact.friction[k - 1]);
  }
}

/// D = 1 / R, and the diagonal that belongs to R.
template <class Rows>
PLIANT_HD void finish_regularizer(Rows& rows, int row) {
  const auto r = rows.row_R[row], d = rows.row_KBIP[4 * row + 2];
  rows.row_D[row] = 1 / r;
  rows.row_diagA[row] = r * d / (1 - d);
}

/// Where rows go.
struct RowPlace {
  int row = 0, segment = 0, entry = 0;
};

/// Writes rows from a place on. Every member of a team has one; they agree on `place()` whenever all have come
/// together.
template <class Rows, class R>
class RowWriter {
 public:
  PLIANT_HD RowWriter(Rows& rows, const RowSettings<R>& settings, RowPlace place = {})
      : rows_(rows), settings_(settings), place_(place) {}

  /// Whether more rows came than there was room for, or others than were counted. Nothing was written beyond the room.
  PLIANT_HD bool overflowed() const { return overflowed_; }
  PLIANT_HD RowPlace place() const { return place_; }

  /// Rows of elements of which each says itself how many it has. One member writes them all.
  template <class Team, class F>
  PLIANT_HD void one_by_one(const Team& team, int n, RowSection section, F&& rows_of) {
    const int first = place_.row;
    if (Team::kSerial || team.lane() == 0) {
      for (int i = 0; i < n; ++i) rows_of(i, *this);
    }
    if constexpr (!Team::kSerial) {
      place_ = {team.first(place_.row), team.first(place_.segment), team.first(place_.entry)};
      overflowed_ = team.any(overflowed_);
    }
    length_ = -1;
    count(section, place_.row - first);
  }

  /// Rows of elements that can be counted without being computed. Each has its place, whoever writes it.
  template <class Team, class F>
  PLIANT_HD void shared_out(const Team& team, int n, RowSection section, F&& rows_of) {
    if constexpr (Team::kSerial) {
      one_by_one(team, n, section, rows_of);
    } else {
      const int before = place_.row;
      for (int start = 0; start < n; start += team.size()) {
        const int i = start + team.lane();
        RowCounter<R> count;
        if (i < n) rows_of(i, count);
        RowPlace total, first = place_;
        first.row += team.scan(count.rows, total.row);
        first.segment += team.scan(count.segments, total.segment);
        first.entry += team.scan(static_cast<int>(count.entries), total.entry);
        if (count.rows > 0) {
          RowWriter mine(rows_, settings_, first);
          rows_of(i, mine);
          const RowPlace end = mine.place_;
          overflowed_ = overflowed_ || mine.overflowed_ || end.row != first.row + count.rows ||
                        end.segment != first.segment + count.segments || end.entry != first.entry + count.entries;
        }
        place_ = {place_.row + total.row, place_.segment + total.segment, place_.entry + total.entry};
      }
      overflowed_ = team.any(overflowed_);
      count(section, place_.row - before);
    }
  }

  /// Columns and labels of n rows. Numbers of J are not initialised. False if there is no room for them.
  template <class Chain>
  PLIANT_HD bool begin(RowType type, int id, int n, const Chain& chain, bool shares = false) {
    if (!shares) {
      write_segments(chain);
    } else if (length_ < 0) {
      const SegmentCount count(chain);
      length_ = count.length;
      segment_ = place_.segment - count.segments;
    }
    overflowed_ = overflowed_ || n > rows_.row_room - place_.row ||
                  static_cast<int64_t>(n) * length_ > rows_.entry_room - place_.entry;
    if (overflowed_) return false;
    type_ = type;
    n_ = n;
    clamps_ = 0;
    for (int k = 0; k < n; ++k) {
      const int i = place_.row + k;
      rows_.row_type[i] = static_cast<int>(type);
      rows_.row_id[i] = id;
      rows_.row_Jadr[i] = place_.entry + k * length_;
      rows_.row_segadr[i] = segment_;
      rows_.row_segnum[i] = place_.segment - segment_;
      rows_.row_frictionloss[i] = 0;
    }
    return true;
  }

  /// Numbers of row k, in the order of its segments; `length` of them.
  PLIANT_HD R* J(int k) { return rows_.row_J + place_.entry + k * length_; }
  PLIANT_HD int length() const { return length_; }

  PLIANT_HD void row(int k, R pos, R margin, R diagA) {
    const int i = place_.row + k;
    rows_.row_pos[i] = pos;
    rows_.row_margin[i] = margin;
    rows_.row_weight[i] = rows_.row_diagA[i] = diagA;
  }
  PLIANT_HD void bound(int k, R frictionloss) { rows_.row_frictionloss[place_.row + k] = frictionloss; }

  /// Impedance of all rows from one violation; rows k ≥ first_friction have damping but no stiffness.
  template <class P, class Q>
  PLIANT_HD void finish(const P& solref, const Q& solimp, R violation, int first_friction = 6) {
    if (settings_.drop_zero_rows && all_zero()) return;
    const Solref<R> ref = checked_solref(solref, settings_, clamps_);
    write_impedance(ref, ref, solimp, violation, first_friction);
    finish_regularizers();
    commit();
  }

  /// For rows whose R and reference are set when all rows are there.
  PLIANT_HD void finish_without_impedance() {
    for (int k = 0; k < n_; ++k) {
      const int i = place_.row + k;
      for (int c = 0; c < 4; ++c) rows_.row_KBIP[4 * i + c] = 0;
      rows_.row_R[i] = rows_.row_D[i] = 1;
      rows_.row_clamps[i] = 0;
    }
    commit();
  }

  /// The same for a contact, whose friction has its own solref and R.
  template <class C>
  PLIANT_HD void finish_contact(C& contact, int dim) {
    const bool elliptic = type_ == RowType::kContactElliptic;
    const Solref<R> ref = checked_solref(contact.solref, settings_, clamps_);
    Solref<R> friction = checked_solreffriction(contact.solreffriction, settings_, clamps_);
    if (friction.time == 0 && friction.ratio == 0) friction = ref;
    for (int k = 0; k + 1 < dim; ++k) {
      if (contact.friction[k] <= R(kMinFriction)) clamps_ |= static_cast<int>(RowClamp::kFriction);
    }
    write_impedance(ref, friction, contact.solimp, contact.dist - contact.includemargin, elliptic ? 1 : n_,
                    contact.anchored != 0);
    if (settings_.step == 0 && dim > 1) regularize_friction(rows_, place_.row, contact, settings_, elliptic);
    finish_regularizers();
    contact.row = place_.row;
    commit();
  }

 private:
  // (with a step the rows' R is set when the metric is known: regularize.h)
  PLIANT_HD void finish_regularizers() {
    for (int k = 0; k < n_; ++k) {
      const int i = place_.row + k;
      if (settings_.step != 0) {
        rows_.row_D[i] = 0;
      } else if (k > 0 && rows_.row_R[i] == rows_.row_R[i - 1]) {
        // rows of an element have one impedance
        rows_.row_D[i] = rows_.row_D[i - 1];
        rows_.row_diagA[i] = rows_.row_diagA[i - 1];
      } else {
        finish_regularizer(rows_, i);
      }
    }
  }

  // Runs come highest first; rows have their columns in ascending order, neighbours joined.
  template <class Chain>
  PLIANT_HD void write_segments(const Chain& chain) {
    segment_ = place_.segment;
    length_ = 0;
    int n = segment_;
    chain([&](int first, int length, Side) {
      length_ += length;
      if (n > segment_ && rows_.segment_dof[n - 1] == first + length) {
        rows_.segment_dof[n - 1] = first;
        rows_.segment_len[n - 1] += length;
        return;
      }
      if (n == rows_.segment_room) {
        overflowed_ = true;
        return;
      }
      rows_.segment_dof[n] = first;
      rows_.segment_len[n++] = length;
    });
    for (int a = segment_, b = n - 1; a < b; ++a, --b) {
      const int dof = rows_.segment_dof[a], length = rows_.segment_len[a];
      rows_.segment_dof[a] = rows_.segment_dof[b], rows_.segment_len[a] = rows_.segment_len[b];
      rows_.segment_dof[b] = dof, rows_.segment_len[b] = length;
    }
    place_.segment = n;
  }

  PLIANT_HD bool all_zero() const {
    const R* x = rows_.row_J + place_.entry;
    for (int k = 0; k < n_ * length_; ++k) {
      if (x[k] != 0) return false;
    }
    return true;
  }

  template <class Q>
  PLIANT_HD void write_impedance(Solref<R> ref, Solref<R> ref_friction, const Q& solimp, R violation,
                                 int first_friction, bool anchored = false) {
    const Solimp<R> imp = checked_solimp<R>(solimp, clamps_);
    const Impedance<R> impedance = impedance_at(imp, violation);
    SpringDamper<R> along = spring_damper(ref, imp.dwidth);
    // (most have one solref for both, and divisions are what takes time here)
    const bool same = ref_friction.time == ref.time && ref_friction.ratio == ref.ratio;
    const SpringDamper<R> across = same ? along : spring_damper(ref_friction, imp.dwidth);
    if (settings_.resolve && type_ >= RowType::kLimitJoint) {
      along = resolved_spring(along, ref, impedance.d, settings_.step, clamps_);
    }
    const R holding = anchored ? across.K : R(0);
    for (int k = 0; k < n_; ++k) {
      const int i = place_.row + k;
      const bool friction = k >= first_friction;
      R* kbip = rows_.row_KBIP + 4 * i;
      kbip[0] = friction ? holding : along.K;
      kbip[1] = friction ? across.B : along.B;
      kbip[2] = impedance.d;
      kbip[3] = impedance.slope;
      const bool as_before = k > 0 && rows_.row_diagA[i] == rows_.row_diagA[i - 1];
      rows_.row_R[i] = as_before ? rows_.row_R[i - 1] : regularizer(impedance.d, rows_.row_diagA[i]);
      rows_.row_clamps[i] = clamps_ | (rows_.row_R[i] > R(kTiny) ? 0 : static_cast<int>(RowClamp::kRegularizer));
    }
  }

  PLIANT_HD void commit() {
    place_.row += n_;
    place_.entry += n_ * length_;
  }

  PLIANT_HD void count(RowSection section, int added) {
    if (section == RowSection::kEquality) rows_.ne += added;
    if (section == RowSection::kFriction) rows_.nf += added;
    if (section == RowSection::kLimit) rows_.nl += added;
    rows_.n = place_.row, rows_.nsegment = place_.segment, rows_.nentry = place_.entry;
  }

  Rows& rows_;
  RowSettings<R> settings_;
  RowType type_ = RowType::kEquality;
  RowPlace place_;
  int n_ = 0, segment_ = 0, length_ = -1, clamps_ = 0;
  bool overflowed_ = false;
};

}  // namespace pliant

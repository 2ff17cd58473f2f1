#pragma once
// J G: a row that has a follower and its leaders among its columns gets other numbers, with 0 for the follower; one
// that lacks a leader gets new columns, behind all others.
//
// reads rows follower_mimicid mimic_* · writes row_J row_Jadr row_seg* segment_* · cost: the numbers of such rows
// Which columns a row gets follows from its columns, never from their numbers: it always has some. Rows with the same
// columns are rewritten together, by members of a team.

#include <cstddef>
#include <cstdint>

#include "base/team.h"
#include "joint/followers_hd.h"

namespace pliant {

/// Memory for reduce_rows.
template <class R>
struct ReduceWork {
  int* marked;            // nv
  int* before;            // nv + 1: followers among the dofs before this one
  int* link;              // 3 nfollower: dof, first and end of leaders
  int* hit;               // nfollower: links
  int* leader;            // nmimiclead
  int* move;              // 3 nmimiclead: from which number of a row to which, and whether it is the follower's last
  R *ratio, *move_ratio;  // nmimiclead each

  template <class M>
  PLIANT_HD static size_t integers(const M& m) {
    const int n = 2 * m.nv + 1 + 4 * m.nfollower + 4 * m.nmimiclead;
    return static_cast<size_t>(n);
  }
  template <class M>
  PLIANT_HD static size_t numbers(const M& m) {
    const int n = 2 * m.nmimiclead;
    return static_cast<size_t>(n);
  }
  template <class M>
  PLIANT_HD ReduceWork(const M& m, int* integers, R* numbers)
      : marked(integers),
        before(marked + m.nv),
        link(before + m.nv + 1),
        hit(link + 3 * m.nfollower),
        leader(hit + m.nfollower),
        move(leader + m.nmimiclead),
        ratio(numbers),
        move_ratio(numbers + m.nmimiclead) {}
};

template <class Team, class M, class S, class D>
class RowReducer {
 public:
  using R = typename D::Real;
  PLIANT_HD RowReducer(const Team& team, const M& m, const S& s, D& d, const ReduceWork<R>& work)
      : team_(team), m_(m), rows_(d.rows), d_(d), w_(work) {
    each(team, m.nv, [&](int i) { w_.marked[i] = 0; });
    each(team, m.nv + 1, [&](int i) { w_.before[i] = 0; });
    each(team, kRows * m.nv, [&](int i) { d.dof_scratch[i] = 0; });
    // followers as dofs, once for all rows
    once(team, [&] {
      int lead = 0, links = 0;
      each_follower(m, s, [&](const Follower<M>& follower) {
        w_.before[follower.dof + 1] = 1;
        int* link = w_.link + 3 * links++;
        link[0] = follower.dof, link[1] = lead, link[2] = lead + follower.leaders();
        for (int i = 0; i < follower.leaders(); ++i, ++lead) {
          w_.leader[lead] = follower.leader(i);
          w_.ratio[lead] = follower.ratio(i);
        }
      });
      for (int i = 0; i < m.nv; ++i) w_.before[i + 1] += w_.before[i];
    });
    nlink_ = w_.before[m.nv];
  }

  /// False if there is no room.
  PLIANT_HD bool run() {
    for (int i = 0, end; i < rows_.n; i = end) {
      end = same_columns(i);
      if (!has_follower(i)) continue;
      once(team_, [&] { found_ = list_moves(i); });
      if (const int moves = team_.first(found_); moves >= 0) {
        each(team_, end - i, [&](int k) { move(rows_.row_J + rows_.row_Jadr[i + k], moves); });
      } else if (!rewrite(i, end)) {
        return false;
      }
    }
    return true;
  }

 private:
  // Rows that are rewritten at once, each with memory for all dofs.
  static constexpr int kRows = Team::kSerial ? 1 : 6;

  // First row after i with other columns. (Rows without columns begin where the next ones do.)
  PLIANT_HD int same_columns(int i) const {
    int end = i + 1;
    while (end < rows_.n && rows_.row_segadr[end] == rows_.row_segadr[i] &&
           rows_.row_segnum[end] == rows_.row_segnum[i])
      ++end;
    return end;
  }

  // f(first dof, length, first number) for every segment of a row.
  template <class F>
  PLIANT_HD void each_segment(int i, F&& f) const {
    for (int k = rows_.row_segadr[i], at = 0; k < rows_.row_segadr[i] + rows_.row_segnum[i]; ++k) {
      f(rows_.segment_dof[k], rows_.segment_len[k], at);
      at += rows_.segment_len[k];
    }
  }

  PLIANT_HD bool has_follower(int i) const {
    bool any = false;
    each_segment(i, [&](int first, int length, int) { any = any || w_.before[first + length] != w_.before[first]; });
    return any;
  }

  // Which number of row i is that of a dof; -1 if none.
  PLIANT_HD int place(int i, int dof) const {
    for (int k = rows_.row_segadr[i], at = 0; k < rows_.row_segadr[i] + rows_.row_segnum[i];
         at += rows_.segment_len[k++]) {
      const int column = dof - rows_.segment_dof[k];
      if (column >= 0 && column < rows_.segment_len[k]) return at + column;
    }
    return -1;
  }

  // Where row i has a column for every leader of its followers: what is added to what, and how many; else -1.
  PLIANT_HD int list_moves(int i) const {
    int n = 0;
    for (const int* link = w_.link; link < w_.link + 3 * nlink_; link += 3) {
      const int from = place(i, link[0]);
      if (from < 0) continue;
      for (int l = link[1]; l < link[2]; ++l) {
        const int to = place(i, w_.leader[l]);
        if (to < 0) return -1;
        int* move = w_.move + 3 * n;
        move[0] = from, move[1] = to, move[2] = l + 1 == link[2];
        w_.move_ratio[n++] = w_.ratio[l];
      }
    }
    return n;
  }

  // Followers before their leaders, so that chains are carried on.
  PLIANT_HD void move(R* J, int moves) const {
    for (int k = 0; k < moves; ++k) {
      const int* move = w_.move + 3 * k;
      J[move[1]] += w_.move_ratio[k] * J[move[0]];
      if (move[2]) J[move[0]] = 0;
    }
  }

  // New segments of row i, from `segment` on, and how many numbers they have; `hit` lists the followers that it loses.
  // `segment` becomes -1 if there is no room.
  PLIANT_HD int write_columns(int i, int& segment, int& hits) const {
    int low = m_.nv, high = 0, length = 0;
    const auto mark = [&](int first, int n) {
      for (int dof = first; dof < first + n; ++dof) w_.marked[dof] = 1;
      low = first < low ? first : low;
      high = first + n > high ? first + n : high;
    };
    each_segment(i, [&](int first, int n, int) { mark(first, n); });
    hits = 0;
    for (int k = 0; k < nlink_; ++k) {
      const int* link = w_.link + 3 * k;
      if (!w_.marked[link[0]]) continue;
      w_.hit[hits++] = k;
      w_.marked[link[0]] = 0;
      for (int l = link[1]; l < link[2]; ++l) mark(w_.leader[l], 1);
    }
    for (int dof = low; dof < high; ++dof) {
      if (!w_.marked[dof]) continue;
      const int first = dof;
      while (dof < high && w_.marked[dof]) w_.marked[dof++] = 0;
      if (segment >= 0 && segment < rows_.segment_room) {
        rows_.segment_dof[segment] = first;
        rows_.segment_len[segment++] = dof - first;
      } else {
        segment = -1;
      }
      length += dof - first;
    }
    return length;
  }

  // Row with its old columns, its new place in J known.
  PLIANT_HD void rewrite_row(int row, int place, int segment, int end, int hits, int scratch) const {
    const auto x = d_.dof_scratch + scratch;
    const R* J = rows_.row_J + rows_.row_Jadr[row];
    each_segment(row, [&](int first, int length, int at) {
      for (int c = 0; c < length; ++c) x[first + c] = J[at + c];
    });
    for (int k = 0; k < hits; ++k) {
      const int* link = w_.link + 3 * w_.hit[k];
      for (int l = link[1]; l < link[2]; ++l) x[w_.leader[l]] += w_.ratio[l] * x[link[0]];
      x[link[0]] = 0;
    }
    rows_.row_Jadr[row] = place;
    rows_.row_segadr[row] = segment;
    rows_.row_segnum[row] = end - segment;
    for (int k = segment; k < end; ++k) {
      for (int c = rows_.segment_dof[k]; c < rows_.segment_dof[k] + rows_.segment_len[k]; ++c) {
        rows_.row_J[place++] = x[c];
        x[c] = 0;
      }
    }
  }

  // Rows i … end - 1, which have the same columns. False if there is no room.
  PLIANT_HD bool rewrite(int i, int end) {
    int segment = rows_.nsegment, hits = 0, length = 0;
    once(team_, [&] { length = write_columns(i, segment, hits); });
    segment = team_.first(segment), hits = team_.first(hits), length = team_.first(length);
    if (segment < 0 || static_cast<int64_t>(end - i) * length > rows_.entry_room - rows_.nentry) return false;
    for (int first = i; first < end; first += kRows) {
      const int n = end - first < kRows ? end - first : kRows;
      each(team_, n, [&](int k) {
        rewrite_row(first + k, rows_.nentry + (first + k - i) * length, rows_.nsegment, segment, hits, k * m_.nv);
      });
    }
    rows_.nentry += (end - i) * length;
    rows_.nsegment = segment;
    return true;
  }

  const Team& team_;
  const M& m_;
  decltype(D::rows)& rows_;
  D& d_;
  const ReduceWork<R>& w_;
  int nlink_ = 0, found_ = -1;
};

/// Rows of followers become rows of their leaders. False if there is no room for new columns.
template <class Team, class M, class S, class D>
PLIANT_HD bool reduce_rows(const Team& team, const M& m, const S& s, D& d, const ReduceWork<typename D::Real>& work) {
  if (!has_followers(m) || d.rows.n == 0) return true;
  return RowReducer<Team, M, S, D>(team, m, s, d, work).run();
}

}  // namespace pliant

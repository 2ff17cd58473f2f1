// J G: a row that has a follower and its leaders among its columns gets other numbers, with 0 for the follower; one
// that lacks a leader gets new columns, behind all others.
//
// reads rows follower_mimicid mimic_* · writes row_J row_Jadr row_seg* segment_* · cost: the numbers of such rows
// Which columns a row gets follows from its columns, never from their numbers: it always has some.

#include "constraint/reduce_rows.h"

#include <algorithm>

#include "joint/followers_hd.h"

namespace pliant {
namespace {

class RowReducer {
 public:
  RowReducer(const Model& m, const State& s, Data& d) : m_(m), d_(d), rows_(d.rows), x_(d.dof_scratch) {
    fits_ = take(marked_, m.nv) && take(before_, m.nv + 1) && take(links_, m.nfollower) && take(hit_, m.nfollower) &&
            take(leader_, m.nmimiclead) && take(ratio_, m.nmimiclead) && take(moves_, m.nmimiclead);
    if (!fits_) return;
    std::fill_n(marked_, m.nv, 0);
    std::fill_n(before_, m.nv + 1, 0);
    std::fill_n(x_, m.nv, 0.0);
    // followers as dofs, once for all rows
    int lead = 0;
    each_follower(m, s, [&](const Follower<Model>& follower) {
      before_[follower.dof + 1] = 1;
      links_[nlink_++] = {follower.dof, lead, lead + follower.leaders()};
      for (int i = 0; i < follower.leaders(); ++i, ++lead) {
        leader_[lead] = follower.leader(i);
        ratio_[lead] = follower.ratio(i);
      }
    });
    for (int i = 0; i < m.nv; ++i) before_[i + 1] += before_[i];
  }

  Reduced run() {
    if (!fits_) return Reduced::kOutOfMemory;
    for (int i = 0, end; i < rows_.n; i = end) {
      end = same_columns(i);
      if (!has_follower(i)) continue;
      if (has_all_leaders(i)) {
        move(i, end);
      } else if (!rewrite(i, end)) {
        return Reduced::kMiscounted;
      }
    }
    return Reduced::kDone;
  }

 private:
  struct Link {
    int dof, first, end;  // leaders
  };
  struct Move {
    int from, to;  // numbers of a row
    bool last;     // of the follower
    double ratio;
  };
  template <class T>
  bool take(T*& array, int n) {
    return (array = d_.arena.take<T>(static_cast<size_t>(n))) != nullptr;
  }

  // First row after i with other columns.
  int same_columns(int i) const {
    int end = i + 1;
    // (rows without columns begin where the next ones do)
    while (end < rows_.n && rows_.row_segadr[end] == rows_.row_segadr[i] &&
           rows_.row_segnum[end] == rows_.row_segnum[i])
      ++end;
    return end;
  }

  bool has_follower(int i) const {
    for (int k = rows_.row_segadr[i]; k < rows_.row_segadr[i] + rows_.row_segnum[i]; ++k) {
      const int first = rows_.segment_dof[k];
      if (before_[first + rows_.segment_len[k]] != before_[first]) return true;
    }
    return false;
  }

  // Which number of row i is that of a dof; -1 if none.
  int place(int i, int dof) const {
    for (int k = rows_.row_segadr[i], at = 0; k < rows_.row_segadr[i] + rows_.row_segnum[i];
         at += rows_.segment_len[k++]) {
      const int column = dof - rows_.segment_dof[k];
      if (column >= 0 && column < rows_.segment_len[k]) return at + column;
    }
    return -1;
  }

  // Whether row i has a column for every leader of its followers; `moves_` then lists what is added to what.
  bool has_all_leaders(int i) {
    nmove_ = 0;
    for (int k = 0; k < nlink_; ++k) {
      const int from = place(i, links_[k].dof);
      if (from < 0) continue;
      for (int l = links_[k].first; l < links_[k].end; ++l) {
        const int to = place(i, leader_[l]);
        if (to < 0) return false;
        moves_[nmove_++] = {from, to, l + 1 == links_[k].end, ratio_[l]};
      }
    }
    return true;
  }

  // Rows i … end - 1, which have the same columns: followers before their leaders, so that chains are carried on.
  void move(int i, int end) {
    for (int row = i; row < end; ++row) {
      double* const J = rows_.row_J + rows_.row_Jadr[row];
      for (int k = 0; k < nmove_; ++k) {
        J[moves_[k].to] += moves_[k].ratio * J[moves_[k].from];
        if (moves_[k].last) J[moves_[k].from] = 0;
      }
    }
  }

  // New segments of row i, and how many numbers they have; `hit_` lists the followers that it loses. -1: no room.
  int write_columns(int i) {
    int low = m_.nv, high = 0, length = 0;
    const auto mark = [&](int first, int length) {
      std::fill_n(marked_ + first, length, 1);
      low = std::min(low, first);
      high = std::max(high, first + length);
    };
    for (int k = rows_.row_segadr[i]; k < rows_.row_segadr[i] + rows_.row_segnum[i]; ++k) {
      mark(rows_.segment_dof[k], rows_.segment_len[k]);
    }
    nhit_ = 0;
    for (int k = 0; k < nlink_; ++k) {
      if (!marked_[links_[k].dof]) continue;
      hit_[nhit_++] = k;
      marked_[links_[k].dof] = 0;
      for (int l = links_[k].first; l < links_[k].end; ++l) mark(leader_[l], 1);
    }
    for (int dof = low; dof < high; ++dof) {
      if (!marked_[dof]) continue;
      const int first = dof;
      while (dof < high && marked_[dof]) marked_[dof++] = 0;
      if (rows_.nsegment == rows_.segment_room) return -1;
      rows_.segment_dof[rows_.nsegment] = first;
      rows_.segment_len[rows_.nsegment++] = dof - first;
      length += dof - first;
    }
    return length;
  }

  // Rows i … end - 1, which have the same columns. False if there is no room.
  bool rewrite(int i, int end) {
    const int segment = rows_.nsegment, length = write_columns(i);
    if (length < 0 || static_cast<int64_t>(end - i) * length > rows_.entry_room - rows_.nentry) return false;
    for (int row = i; row < end; ++row) {
      const double* J = rows_.row_J + rows_.row_Jadr[row];
      for (int k = rows_.row_segadr[row]; k < rows_.row_segadr[row] + rows_.row_segnum[row]; ++k) {
        std::copy_n(J, rows_.segment_len[k], x_ + rows_.segment_dof[k]);
        J += rows_.segment_len[k];
      }
      for (int k = 0; k < nhit_; ++k) {
        const Link& link = links_[hit_[k]];
        for (int l = link.first; l < link.end; ++l) x_[leader_[l]] += ratio_[l] * x_[link.dof];
        x_[link.dof] = 0;
      }
      rows_.row_Jadr[row] = rows_.nentry;
      for (int k = segment; k < rows_.nsegment; ++k) {
        double* from = x_ + rows_.segment_dof[k];
        std::copy_n(from, rows_.segment_len[k], rows_.row_J + rows_.nentry);
        std::fill_n(from, rows_.segment_len[k], 0.0);
        rows_.nentry += rows_.segment_len[k];
      }
      rows_.row_segadr[row] = segment;
      rows_.row_segnum[row] = rows_.nsegment - segment;
    }
    return true;
  }

  const Model& m_;
  Data& d_;
  Rows& rows_;
  double* x_;               // a row, dense; zero between rows
  char* marked_ = nullptr;  // per dof
  int* before_ = nullptr;   // followers among the dofs before this one
  Link* links_ = nullptr;
  int *hit_ = nullptr, *leader_ = nullptr;
  double* ratio_ = nullptr;
  Move* moves_ = nullptr;
  int nlink_ = 0, nhit_ = 0, nmove_ = 0;
  bool fits_ = false;
};

}  // namespace

RowRoom room_for_reduced_rows(const Model& m, int rows, int segments, int64_t entries) {
  if (!has_followers(m)) return {segments, entries};
  // a row keeps its columns or gets new ones: each follower's place may split a run, each leader may be a run of its
  // own
  return {2 * segments + rows * (m.nfollower + m.nmimiclead), 2 * entries + static_cast<int64_t>(rows) * m.nmimiclead};
}

Reduced reduce_rows(const Model& m, const State& s, Data& d) {
  if (!has_followers(m) || d.rows.n == 0) return Reduced::kDone;
  const Arena::Mark mark = d.arena.mark();
  const Reduced reduced = RowReducer(m, s, d).run();
  d.arena.release(mark);
  return reduced;
}

}  // namespace pliant

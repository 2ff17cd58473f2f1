// J G: every row that has a follower among its columns gets new columns and numbers, behind all others.
//
// reads rows follower_mimicid mimic_* · writes row_J row_Jadr row_seg* segment_* · cost: the numbers of such rows, and a
// copy of the others
// Which columns a row gets follows from its columns, never from their numbers: it always has some.

#include "constraint/reduce_rows.h"

#include <algorithm>

#include "joint/followers_hd.h"

namespace pliant {
namespace {

class RowReducer {
 public:
  RowReducer(const Model& m, const State& s, Data& d) : m_(m), s_(s), d_(d), rows_(d.rows) {}

  bool run() {
    const Arena::Mark start = d_.arena.mark();
    if (!(marked_ = d_.arena.take<char>(static_cast<size_t>(m_.nv)))) return false;
    std::fill_n(marked_, m_.nv, 0);
    std::fill_n(d_.dof_scratch, m_.nv, 0.0);

    // count, reserve, write
    int segments = 0, entries = 0;
    for (int i = 0, end; i < rows_.n; i = end) {
      end = same_columns(i);
      if (!mark_columns(i)) continue;
      int length = 0;
      each_run([&](int, int n) { ++segments, length += n; });
      entries += (end - i) * length;
    }
    if (segments == 0) {
      d_.arena.release(start);
      return true;
    }
    if (!grow(segments, entries)) return false;
    for (int i = 0, end; i < rows_.n; i = end) {
      end = same_columns(i);
      if (mark_columns(i)) rewrite(i, end);
    }
    return true;
  }

 private:
  // First row after i with other columns.
  int same_columns(int i) const {
    int end = i + 1;
    while (end < rows_.n && rows_.row_segadr[end] == rows_.row_segadr[i]) ++end;
    return end;
  }

  // Marks the columns that row i has once followers are gone; false, and no marks, if it has none of them.
  bool mark_columns(int i) {
    for (int k = rows_.row_segadr[i]; k < rows_.row_segadr[i] + rows_.row_segnum[i]; ++k) {
      std::fill_n(marked_ + rows_.segment_dof[k], rows_.segment_len[k], 1);
    }
    bool any = false;
    each_follower(m_, s_, [&](const Follower<Model>& follower) {
      if (!marked_[follower.dof]) return;
      any = true;
      marked_[follower.dof] = 0;
      for (int k = 0; k < follower.leaders(); ++k) marked_[follower.leader(k)] = 1;
    });
    if (!any) std::fill_n(marked_, m_.nv, 0);
    return any;
  }

  // Calls f(first, length) for the runs of marked columns, ascending, and takes the marks away.
  template <class F> void each_run(F&& f) {
    for (int i = 0; i < m_.nv; ++i) {
      if (!marked_[i]) continue;
      const int first = i;
      while (i < m_.nv && marked_[i]) marked_[i++] = 0;
      f(first, i - first);
    }
  }

  bool grow(int segments, int entries) {
    const auto more = [&]<class T>(T*& array, int have, int extra) {
      T* larger = d_.arena.take<T>(static_cast<size_t>(have) + static_cast<size_t>(extra));
      if (!larger) return false;
      std::copy_n(array, have, larger);
      array = larger;
      return true;
    };
    return more(rows_.row_J, rows_.nentry, entries) && more(rows_.segment_dof, rows_.nsegment, segments) &&
           more(rows_.segment_len, rows_.nsegment, segments);
  }

  // Rows i … end - 1, whose new columns are marked.
  void rewrite(int i, int end) {
    const int segment = rows_.nsegment;
    each_run([&](int first, int n) {
      rows_.segment_dof[rows_.nsegment] = first;
      rows_.segment_len[rows_.nsegment++] = n;
    });
    double* x = d_.dof_scratch;
    for (int row = i; row < end; ++row) {
      const double* J = rows_.row_J + rows_.row_Jadr[row];
      for (int k = rows_.row_segadr[row]; k < rows_.row_segadr[row] + rows_.row_segnum[row]; ++k) {
        for (int c = 0; c < rows_.segment_len[k]; ++c) x[rows_.segment_dof[k] + c] = *J++;
      }
      reduce_force(m_, s_, x);
      rows_.row_Jadr[row] = rows_.nentry;
      for (int k = segment; k < rows_.nsegment; ++k) {
        for (int c = 0; c < rows_.segment_len[k]; ++c) {
          double& value = x[rows_.segment_dof[k] + c];
          rows_.row_J[rows_.nentry++] = value;
          value = 0;
        }
      }
      rows_.row_segadr[row] = segment;
      rows_.row_segnum[row] = rows_.nsegment - segment;
    }
  }

  const Model& m_;
  const State& s_;
  Data& d_;
  Rows& rows_;
  char* marked_ = nullptr;  // per dof
};

}  // namespace

bool reduce_rows(const Model& m, const State& s, Data& d) {
  return !has_followers(m) || d.rows.n == 0 || RowReducer(m, s, d).run();
}

}  // namespace pliant

// Free bodies under the integrator discrete, on the CPU.

#include "step/free_bodies.h"

#include "step/free_bodies_hd.h"

namespace pliant {
namespace {

// Calls f(joint) for every free body that is solved by itself.
template <class F>
void each_turning_body(const Model& m, const State& s, Data& d, bool count, F&& f) {
  if (m.nq == m.nv) return;  // no free joint
  const Arena::Mark mark = d.arena.mark();
  char* touched = nullptr;
  bool marked = false;
  for (int j = 0; j < m.njnt; ++j) {
    if (!is_free_body(m, j)) continue;
    // before anything turns, so that the first step finds what memory is needed
    if (!touched) touched = d.arena.take<char>(static_cast<size_t>(m.nv));
    if (!touched) return;
    if (!is_spinning_body(m, s, j)) continue;
    if (!marked) mark_touched(SerialTeam{}, m, d, touched);
    marked = true;
    if (turns_by_itself(m, j, touched)) {
      f(j);
    } else {
      d.gyroscopic_explicit += count;
    }
  }
  d.arena.release(mark);
}

}  // namespace

void turn_free_bodies(const Model& m, const State& s, Data& d) {
  each_turning_body(m, s, d, true, [&](int j) { turn_free_body(m, s, d, j); });
}

void multiply_free_bodies(const Model& m, const State& s, Data& d, const double* x, double* qfrc) {
  each_turning_body(m, s, d, false, [&](int j) {
    const int first = m.jnt_dofadr[j];
    const Mat6T<double> a = turning_matrix(m, s, d, j);
    for (int r = 0; r < 6; ++r) {
      qfrc[first + r] = 0;
      for (int c = 0; c < 6; ++c) qfrc[first + r] += a(r, c) * x[first + c];
    }
  });
}

}  // namespace pliant

// The solvers alone, for tests: a problem as arrays of the reference, the answer and its certificate back.

#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <vector>

#include "bind.h"
#include "math/tree_matrix.h"
#include "solver/solvers.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

using Doubles = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<const int, nb::c_contig, nb::device::cpu>;

/// Numbers of the reference as a SolverProblem; J dense.
struct Problem {
  std::vector<int> chain, Jadr, segadr, segnum, segment_dof, segment_len;
  std::vector<double> LD, inverse_D, J;
  std::vector<RowBlock> blocks;
  SolverProblem view;

  void add_rows(const double* dense, int first, int rows, int n) {
    // columns that any of the rows uses
    std::vector<char> used(n, 0);
    for (int r = first; r < first + rows; ++r) {
      for (int i = 0; i < n; ++i) used[i] |= dense[static_cast<size_t>(r) * n + i] != 0;
    }
    const int segment = static_cast<int>(segment_dof.size());
    for (int i = 0; i < n; ++i) {
      if (!used[i]) continue;
      if (i == 0 || !used[i - 1]) segment_dof.push_back(i), segment_len.push_back(0);
      ++segment_len.back();
    }
    for (int r = first; r < first + rows; ++r) {
      Jadr.push_back(static_cast<int>(J.size()));
      segadr.push_back(segment);
      segnum.push_back(static_cast<int>(segment_dof.size()) - segment);
      for (int i = 0; i < n; ++i) {
        if (used[i]) J.push_back(dense[static_cast<size_t>(r) * n + i]);
      }
    }
  }
};

constexpr int kFrictionDof = 1, kFrictionTendon = 2, kPyramid = 6, kElliptic = 7;  // mjtConstraint

nb::dict solve(int solver, nb::dict model, nb::dict rows, nb::dict vectors, nb::dict options, int repeat) {
  const auto ints = [](nb::dict from, const char* name) { return nb::cast<Ints>(from[name]); };
  const auto doubles = [](nb::dict from, const char* name) { return nb::cast<Doubles>(from[name]); };
  const auto number = [&](const char* name) { return nb::cast<double>(options[name]); };
  const Ints rownnz = ints(model, "rownnz"), rowadr = ints(model, "rowadr"), colind = ints(model, "colind");
  const Ints parent = ints(model, "parent"), type = ints(rows, "type"), id = ints(rows, "id"), dim = ints(rows, "dim");
  const Doubles M = doubles(model, "M"), J = doubles(rows, "J"), aref = doubles(rows, "aref"), D = doubles(rows, "D");
  const Doubles R = doubles(rows, "R"), loss = doubles(rows, "frictionloss"), mu = doubles(rows, "mu");
  const Doubles friction = doubles(rows, "friction"), smooth = doubles(vectors, "qacc_smooth");
  const Doubles force_smooth = doubles(vectors, "qfrc_smooth"), start = doubles(vectors, "qacc");
  const Doubles start_force = doubles(vectors, "force");
  const int n = static_cast<int>(parent.size()), count = static_cast<int>(type.size());
  if (solver < 0 || solver >= static_cast<int>(solver_table().size())) throw std::invalid_argument("no such solver");

  Problem p;
  for (int i = 0; i < n; ++i) p.chain.push_back(i > 0 && parent.data()[i] == i - 1 ? p.chain[i - 1] + 1 : 0);
  p.view.pattern = {n, rownnz.data(), rowadr.data(), colind.data(), parent.data(), p.chain.data()};
  p.LD.assign(M.data(), M.data() + M.size());
  p.inverse_D.resize(n);
  factor_tree(p.view.pattern, p.LD.data(), p.inverse_D.data());
  for (int i = 0; i < count;) {
    // rows of one contact or equality share their columns
    int end = i + 1;
    while (end < count && type.data()[end] == type.data()[i] && id.data()[end] == id.data()[i] &&
           type.data()[i] != kFrictionDof)
      ++end;
    p.add_rows(J.data(), i, end - i, n);
    for (int r = i; r < end; ++r) {
      RowBlock block{{.first = r, .dim = 1, .law = RowLaw::kUnilateral}};
      if (type.data()[i] == 0) block.law = RowLaw::kEquality;
      if (type.data()[i] == kFrictionDof || type.data()[i] == kFrictionTendon) {
        block.law = RowLaw::kFriction;
        block.bound = loss.data()[r];
      }
      if (type.data()[i] == kPyramid && r == i) block.edges = end - i;
      if (type.data()[i] == kElliptic) {
        block.law = RowLaw::kElliptic;
        block.dim = dim.data()[id.data()[i]];
        block.mu = mu.data()[id.data()[i]];
        block.friction = friction.data() + 5 * id.data()[i];
        r = end;
      }
      p.blocks.push_back(block);
    }
    i = end;
  }
  p.view.M = M.data();
  p.view.LD = p.LD.data();
  p.view.inverse_D = p.inverse_D.data();
  p.view.rows = {.n = count,
                 .Jadr = p.Jadr.data(),
                 .segadr = p.segadr.data(),
                 .segnum = p.segnum.data(),
                 .segment_dof = p.segment_dof.data(),
                 .segment_len = p.segment_len.data(),
                 .J = p.J.data(),
                 .aref = aref.data(),
                 .D = D.data(),
                 .R = R.data()};
  p.view.blocks = p.blocks;
  p.view.qacc_smooth = {smooth.data(), smooth.size()};
  p.view.qfrc_smooth = {force_smooth.data(), force_smooth.size()};
  p.view.opt = {.iterations = static_cast<int>(number("iterations")),
                .tolerance = number("tolerance"),
                .ls_iterations = static_cast<int>(number("ls_iterations")),
                .ls_tolerance = number("ls_tolerance"),
                .scale = number("scale"),
                .noslip_iterations = static_cast<int>(number("noslip_iterations")),
                .noslip_tolerance = number("noslip_tolerance"),
                .history = {},
                .last_force = {},
                .moving_force = {}};

  Arena arena;
  std::vector<double> qacc(n), force(count);
  std::vector<int> state(count);
  SolverReport report;
  double best = 1e300;
  for (int k = 0; k < repeat; ++k) {
    arena.reset();
    std::copy(start.data(), start.data() + n, qacc.begin());
    std::copy(start_force.data(), start_force.data() + count, force.begin());
    const auto before = std::chrono::steady_clock::now();
    report = solver_table()[solver].solve(p.view, arena, qacc, force, state);
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - before;
    best = std::min(best, time.count());
  }
  if (p.view.opt.noslip_iterations > 0) {
    report.iterations += solve_noslip(p.view, arena, qacc, force, state).iterations;
  }
  nb::dict out = report_dict(report);
  out["qacc"] = qacc;
  out["force"] = force;
  out["state"] = state;
  out["microseconds"] = best;
  return out;
}

}  // namespace

void bind_solver(nb::module_& m) {
  m.def("solve", &solve, "solver"_a, "model"_a, "rows"_a, "vectors"_a, "options"_a, "repeat"_a = 1,
        "Runs one solver on a problem given as arrays of the reference; for tests.");
}

}  // namespace pliant::python

// Constraint rows, islands and what the solver reported, as NumPy arrays. Rows live in memory that the next step uses
// again: arrays are copies.

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bind.h"
#include "pliant/mimic.h"
#include "pliant/query.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

struct RowField {
  const char *owner, *name, *count, *unit, *meaning;
  Scalar scalar;
  int width;
  void* (*data)(const Rows&);
};

constexpr RowField kRowFields[] = {
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  {#owner, #name, #count, unit, meaning, Scalar::type, width, [](const Rows& rows) -> void* { return rows.name; }},
#include "pliant/row_fields.def"
#undef FIELD
};

const RowField& row_field(std::string_view name) {
  for (const RowField& field : kRowFields) {
    if (name == field.name) return field;
  }
  throw std::invalid_argument("rows have no array '" + std::string(name) + "'");
}

size_t row_count(const Rows& rows, const RowField& field) {
  const std::string_view count = field.count;
  return static_cast<size_t>(count == "nrow" ? rows.n : count == "nsegment" ? rows.nsegment : rows.nentry);
}

template <class T>
nb::object copied(const T* from, size_t rows, size_t columns) {
  T* copy = new T[std::max<size_t>(1, rows * columns)];
  if (from) std::copy_n(from, rows * columns, copy);
  nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  const size_t shape[2] = {rows, columns};
  return nb::cast(nb::ndarray<nb::numpy, T>(copy, columns == 1 ? 1 : 2, shape, owner));
}

nb::object row_array(const Data& data, const std::string& name) {
  const RowField& field = row_field(name);
  const size_t n = row_count(data.rows, field), width = static_cast<size_t>(field.width);
  if (field.scalar == Scalar::i32) return copied(static_cast<const int*>(field.data(data.rows)), n, width);
  return copied(static_cast<const double*>(field.data(data.rows)), n, width);
}

void set_row_array(Data& data, const std::string& name, nb::handle value) {
  const RowField& field = row_field(name);
  if (field.scalar != Scalar::real) throw std::invalid_argument("set_row_array: " + name + " does not hold reals");
  const size_t n = row_count(data.rows, field) * static_cast<size_t>(field.width);
  const Input numbers("set_row_array", name.c_str(), value, n);
  std::copy_n(static_cast<const double*>(numbers), n, static_cast<double*>(field.data(data.rows)));
}

nb::list row_fields() {
  nb::list list;
  for (const RowField& field : kRowFields) {
    nb::dict row;
    row["name"] = field.name;
    row["owner"] = field.owner;
    row["dtype"] = field.scalar == Scalar::real ? "float64" : "int32";
    row["count"] = field.count;
    row["width"] = field.width;
    row["unit"] = field.unit;
    row["meaning"] = field.meaning;
    list.append(row);
  }
  return list;
}

nb::dict row_counts(const Data& data) {
  nb::dict counts;
  counts["nefc"] = data.rows.n;
  counts["ne"] = data.rows.ne;
  counts["nf"] = data.rows.nf;
  counts["nl"] = data.rows.nl;
  counts["nJ"] = data.rows.nentry;
  counts["nisland"] = data.islands.n;
  counts["nidof"] = data.islands.ndof;
  return counts;
}

// The Jacobian as a dense matrix nefc x nv.
nb::object dense_jacobian(const PyModel& model, const Data& data) {
  const Rows& rows = data.rows;
  const size_t nv = static_cast<size_t>(model.model.nv), n = static_cast<size_t>(rows.n);
  double* dense = new double[std::max<size_t>(1, n * nv)]();
  for (int i = 0; i < rows.n; ++i) {
    const double* J = rows.row_J + rows.row_Jadr[i];
    for (int s = rows.row_segadr[i]; s < rows.row_segadr[i] + rows.row_segnum[i]; ++s) {
      for (int k = 0; k < rows.segment_len[s]; ++k) dense[static_cast<size_t>(i) * nv + rows.segment_dof[s] + k] = *J++;
    }
  }
  nb::capsule owner(dense, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  const size_t shape[2] = {n, nv};
  return nb::cast(nb::ndarray<nb::numpy, double>(dense, 2, shape, owner));
}

// (values, rownnz, rowadr, colind) of the Jacobian, compressed by rows.
nb::tuple sparse_jacobian(const Data& data) {
  const Rows& rows = data.rows;
  const size_t n = static_cast<size_t>(rows.n);
  std::vector<int> nnz(n), adr(n), columns;
  std::vector<double> values;
  for (int i = 0; i < rows.n; ++i) {
    const double* J = rows.row_J + rows.row_Jadr[i];
    adr[i] = static_cast<int>(columns.size());
    for (int s = rows.row_segadr[i]; s < rows.row_segadr[i] + rows.row_segnum[i]; ++s) {
      for (int k = 0; k < rows.segment_len[s]; ++k) {
        columns.push_back(rows.segment_dof[s] + k);
        values.push_back(*J++);
      }
    }
    nnz[i] = static_cast<int>(columns.size()) - adr[i];
  }
  return nb::make_tuple(copied(values.data(), values.size(), 1), copied(nnz.data(), n, 1), copied(adr.data(), n, 1),
                        copied(columns.data(), columns.size(), 1));
}

nb::object island_array(const PyModel& model, const Data& data, const std::string& name) {
  const Islands& islands = data.islands;
  const bool dofs = name == "dof_island";
  if (!dofs && name != "tree_island") throw std::invalid_argument("islands have no array '" + name + "'");
  const size_t n = static_cast<size_t>(dofs ? model.model.nv : model.model.ntree);
  const int* from = dofs ? islands.dof_island : islands.tree_island;
  const std::vector<int> none(n, -1);
  return copied(from ? from : none.data(), n, 1);
}

const char* status_text(SolverStatus status) {
  switch (status) {
    case SolverStatus::kConverged:
      return "converged";
    case SolverStatus::kStopped:
      return "stopped";
    case SolverStatus::kIterationLimit:
      return "iteration limit";
    case SolverStatus::kNoProgress:
      return "no progress";
    case SolverStatus::kNotFinite:
      return "not finite";
    case SolverStatus::kNotPositive:
      return "not positive definite";
    case SolverStatus::kOutOfMemory:
      return "out of memory";
  }
  return "";
}

nb::list solver_reports(const Data& data) {
  nb::list list;
  for (int i = 0; i < data.solver.n; ++i) {
    nb::dict row = report_dict(data.solver.report[i]);
    row["status"] = status_text(data.solver.report[i].status);
    list.append(row);
  }
  return list;
}

// Per island a list of (gradient, improvement, slope, active, changes, evaluations, updates) of its iterations.
nb::list solver_history(const Data& data) {
  nb::list islands;
  for (int k = 0; k < data.solver.islands_kept(); ++k) {
    nb::list lines;
    const int n = std::min(data.solver.report[k].iterations, SolverReports::kMostIterations);
    for (int i = 0; data.solver.history && i < n; ++i) {
      const SolverIteration& line = data.solver.history[k * SolverReports::kMostIterations + i];
      lines.append(nb::make_tuple(line.gradient, line.improvement, line.slope, line.active, line.changes,
                                  line.evaluations, line.updates));
    }
    islands.append(lines);
  }
  return islands;
}

// Columns of a list of contacts as the reference has it: an attribute per member, one row per contact.
class ContactColumns {
 public:
  explicit ContactColumns(nb::handle contacts) : contacts_(contacts), n_(nb::len(contacts)) {}
  size_t size() const { return n_; }
  template <class F>
  void read(const char* name, size_t width, F&& put) const {
    if (n_ == 0) return;
    const nb::object column = contacts_.attr(name);
    const Input numbers("set_contacts", name, column, n_ * width);
    const double* x = numbers;
    for (size_t i = 0; i < n_; ++i) {
      for (size_t k = 0; k < width; ++k) put(i, k, *x++);
    }
  }

 private:
  nb::handle contacts_;
  size_t n_;
};

void set_contacts(Data& data, nb::handle contacts) {
  const ContactColumns columns(contacts);
  data.arena.reset();
  data.rows = {};
  data.islands = {};
  data.solver = {};
  data.ncon = static_cast<int>(columns.size());
  data.contact = columns.size() ? data.arena.take<Contact>(columns.size()) : nullptr;
  std::fill_n(data.contact, columns.size(), Contact{});
  Contact* c = data.contact;
  columns.read("dist", 1, [&](size_t i, size_t, double x) { c[i].dist = x; });
  columns.read("pos", 3, [&](size_t i, size_t k, double x) { c[i].pos[k] = x; });
  columns.read("frame", 9, [&](size_t i, size_t k, double x) { c[i].frame[k] = x; });
  columns.read("includemargin", 1, [&](size_t i, size_t, double x) { c[i].includemargin = x; });
  columns.read("friction", 5, [&](size_t i, size_t k, double x) { c[i].friction[k] = x; });
  columns.read("solref", 2, [&](size_t i, size_t k, double x) { c[i].solref[k] = x; });
  columns.read("solreffriction", 2, [&](size_t i, size_t k, double x) { c[i].solreffriction[k] = x; });
  columns.read("solimp", 5, [&](size_t i, size_t k, double x) { c[i].solimp[k] = x; });
  columns.read("adhesion", 1, [&](size_t i, size_t, double x) { c[i].adhesion = x; });
  columns.read("surfacevel", 3, [&](size_t i, size_t k, double x) { c[i].surfacevel[k] = x; });
  columns.read("dim", 1, [&](size_t i, size_t, double x) { c[i].dim = static_cast<int>(x); });
  columns.read("geom", 2, [&](size_t i, size_t k, double x) { c[i].geom[k] = static_cast<int>(x); });
  columns.read("exclude", 1,
               [&](size_t i, size_t, double x) { c[i].exclude = static_cast<ContactExclude>(static_cast<int>(x)); });
  columns.read("efc_address", 1, [&](size_t i, size_t, double x) { c[i].row = static_cast<int>(x); });
  for (int i = 0; i < data.ncon; ++i) c[i].pair = -1;
}

nb::object residuals(const PyModel& model, const Data& data) {
  nb::list out;
  for (const Residual& residual : constraint_residuals(model.model, data)) {
    nb::dict line;
    line["kind"] = text(residual.kind);
    line["name"] = text(residual.name);
    line["value"] = residual.value;
    line["force"] = residual.force;
    line["origin"] = text(residual.origin);
    line["row"] = residual.row;
    out.append(line);
  }
  return out;
}

nb::dict mimic_dict(const MimicReport& report) {
  nb::dict line;
  line["name"] = text(report.name);
  line["follower"] = text(report.follower);
  line["origin"] = text(report.origin);
  line["sentence"] = text(report.sentence);
  line["mode"] = mimic_mode_text(report.mode);
  line["active"] = report.active;
  line["residual"] = report.residual;
  line["rate"] = report.rate;
  line["force"] = report.force;
  line["power"] = report.power;
  return line;
}

nb::object mimics(const PyModel& model, const State& state, const Data& data) {
  nb::list out;
  for (const MimicReport& report : mimic_reports(model.model, state, data)) out.append(mimic_dict(report));
  return out;
}

// Attributes of <mimic> for PhysX's; the joints are the caller's.
nb::dict mimic_of_physx(double gearing, double offset, double naturalFrequency, double dampingRatio, bool degrees,
                        bool follower_turns, bool leader_turns) {
  const EqualitySpec mimic = mimic_from_physx("", "", {gearing, offset, naturalFrequency, dampingRatio},
                                              {degrees, follower_turns, leader_turns});
  nb::dict line;
  line["gear"] = mimic.gear[0];
  line["offset"] = mimic.offset;
  line["mode"] = mimic.mode == MimicMode::kSoft ? "soft" : "hard";
  if (mimic.mode == MimicMode::kSoft) {
    line["naturalfreq"] = mimic.naturalfreq;
    line["dampratio"] = mimic.dampratio;
  }
  return line;
}

EqualitySpec mimic_of_numbers(nb::handle gear, double offset, const std::string& mode, double naturalfreq,
                              double dampratio) {
  EqualitySpec mimic;
  mimic.type = EqualityType::kMimic;
  if (nb::isinstance<nb::sequence>(gear)) {
    for (nb::handle g : nb::borrow<nb::sequence>(gear)) mimic.gear.push_back(nb::cast<double>(g));
  } else {
    mimic.gear = {nb::cast<double>(gear)};
  }
  mimic.leaders.assign(mimic.gear.size(), "");
  mimic.offset = offset;
  for (const MimicMode known : {MimicMode::kExact, MimicMode::kHard, MimicMode::kSoft}) {
    if (mode == mimic_mode_text(known)) mimic.mode = known;
  }
  if (mode != mimic_mode_text(mimic.mode))
    throw std::invalid_argument("a mimic is 'exact', 'hard' or 'soft', not '" + mode + "'");
  mimic.naturalfreq = naturalfreq;
  mimic.dampratio = dampratio;
  return mimic;
}

nb::object physx_of_mimic(nb::handle gear, double offset, const std::string& mode, double naturalfreq, double dampratio,
                          bool degrees, bool follower_turns, bool leader_turns) {
  const auto physx = physx_from_mimic(mimic_of_numbers(gear, offset, mode, naturalfreq, dampratio),
                                      {degrees, follower_turns, leader_turns});
  if (!physx) return nb::none();
  nb::dict line;
  line["gearing"] = physx->gearing;
  line["offset"] = physx->offset;
  line["naturalFrequency"] = physx->natural_frequency;
  line["dampingRatio"] = physx->damping_ratio;
  return line;
}

nb::object mimic_of_polycoef(nb::handle polycoef, double qpos0_joint1, double qpos0_joint2) {
  EqualitySpec equality;
  equality.type = EqualityType::kJoint;
  equality.object2 = "leader";
  equality.data = {};
  size_t n = 0;
  for (nb::handle a : nb::borrow<nb::sequence>(polycoef)) {
    if (n == 5) throw std::invalid_argument("mimic_from_polycoef: polycoef has at most 5 numbers");
    equality.data[n++] = nb::cast<double>(a);
  }
  const auto mimic = mimic_from_joint_equality(equality, qpos0_joint1, qpos0_joint2);
  if (!mimic) return nb::none();
  nb::dict line;
  line["gear"] = mimic->gear[0];
  line["offset"] = mimic->offset;
  return line;
}

nb::object polycoef_of_mimic(nb::handle gear, double offset, double qpos0_joint1, double qpos0_joint2) {
  const auto equality =
      joint_equality_from_mimic(mimic_of_numbers(gear, offset, "exact", 0, 0), qpos0_joint1, qpos0_joint2);
  if (!equality) return nb::none();
  nb::list line;
  for (int k = 0; k < 5; ++k) line.append(equality->data[static_cast<size_t>(k)]);
  return line;
}

nb::dict projected(const PyModel& model, State& state) {
  const Projection result = project_state(model.model, state);
  nb::dict line;
  line["before"] = result.before;
  line["after"] = result.after;
  line["iterations"] = result.iterations;
  return line;
}

nb::object clamp_counts(const Data& data) { return copied(data.clamps.data(), data.clamps.size(), 1); }

}  // namespace

nb::dict report_dict(const SolverReport& report) {
  nb::dict row;
  row["status"] = static_cast<int>(report.status);
  row["iterations"] = report.iterations;
  row["evaluations"] = report.evaluations;
  row["factorizations"] = report.factorizations;
  row["updates"] = report.updates;
  row["bad_row"] = report.bad_row;
  row["gap"] = report.gap;
  row["gradient"] = report.gradient;
  row["improvement"] = report.improvement;
  row["cone_violation"] = report.cone_violation;
  row["resolutions"] = report.resolutions;
  row["lift"] = report.lift;
  row["convex"] = report.convex;
  row["converged"] = report.converged;
  row["choice"] = solver_choice_text(report.choice);
  return row;
}

void bind_constraint(nb::module_& m) {
  m.def("row_fields", row_fields, "Every array of constraint rows.");
  m.def("row_array", row_array, "data"_a, "name"_a, "A copy of one of those arrays.");
  m.def("set_row_array", set_row_array, "data"_a, "name"_a, "values"_a, "Writes one of them; for tests.");
  m.def("row_counts", row_counts, "data"_a, "Numbers of rows and islands.");
  m.def("row_jacobian", dense_jacobian, "model"_a, "data"_a, "The rows' Jacobian as a matrix nefc x nv.");
  m.def("row_jacobian_sparse", sparse_jacobian, "data"_a, "(values, rownnz, rowadr, colind) of the rows' Jacobian.");
  m.def("island_array", island_array, "model"_a, "data"_a, "name"_a, "Islands of dofs or trees; -1: none.");
  m.def("solver_reports", solver_reports, "data"_a, "How the solver did, one dict per island.");
  m.def("solver_history", solver_history, "data"_a, "What each iteration of the solver did, one list per island.");
  m.def("constraint_residuals", residuals, "model"_a, "data"_a,
        "How far equalities and limits are from holding: kind, name, value, force, origin and first row of each.");
  m.def("mimic_reports", mimics, "model"_a, "state"_a, "data"_a,
        "Mimic joints after a forward: name, follower, mode, residual, rate, force and power of each.");
  m.def(
      "mimic_report",
      [](const PyModel& model, const State& state, const Data& data, const std::string& name) {
        return mimic_dict(mimic_report(model.model, state, data, name));
      },
      "model"_a, "state"_a, "data"_a, "name"_a, "One of them, by its name or that of the follower.");
  m.def("mimic_from_physx", mimic_of_physx, "gearing"_a = 1.0, "offset"_a = 0.0, "naturalFrequency"_a = 0.0,
        "dampingRatio"_a = 0.0, "degrees"_a = false, "follower_turns"_a = true, "leader_turns"_a = true,
        "Attributes of <mimic> that mean what PhysX attributes say: q + gearing q_reference + offset = 0.");
  m.def("physx_from_mimic", physx_of_mimic, "gear"_a, "offset"_a = 0.0, "mode"_a = "hard", "naturalfreq"_a = 0.0,
        "dampratio"_a = 0.0, "degrees"_a = false, "follower_turns"_a = true, "leader_turns"_a = true,
        "PhysX attributes that mean what <mimic> says; None where PhysX cannot say it: several leaders, exact, soft "
        "without damping.");
  m.def("mimic_from_polycoef", mimic_of_polycoef, "polycoef"_a, "qpos0_joint1"_a = 0.0, "qpos0_joint2"_a = 0.0,
        "gear and offset of the <mimic> that a joint equality with this polycoef is, its positions counting from "
        "qpos0; None where it is not linear.");
  m.def("polycoef_from_mimic", polycoef_of_mimic, "gear"_a, "offset"_a = 0.0, "qpos0_joint1"_a = 0.0,
        "qpos0_joint2"_a = 0.0, "polycoef of the joint equality with the same relation; None for several leaders.");
  m.def("project_state", projected, "model"_a, "state"_a,
        "Moves qpos and qvel to where all mimics and equalities hold; residuals before and after.");
  m.def("clamp_counts", clamp_counts, "data"_a, "How often each bit of row_clamps was set since the Data was made.");
  m.def(
      "body_forces",
      [](const PyModel& model, const State& state, Data& data) { body_forces(model.model, state, data); }, "model"_a,
      "state"_a, "data"_a, "Accelerations of bodies and forces on them.");
  m.def(
      "inverse",
      [](const PyModel& model, const State& state, Data& data) { return inverse(model.model, state, data).faults; },
      "model"_a, "state"_a, "data"_a, "The force that qacc needs; returns bits of faults.");
  m.def("set_contacts", set_contacts, "data"_a, "contacts"_a,
        "Replaces the contacts by others, given as the reference's list of contacts; for tests.");
}

}  // namespace pliant::python

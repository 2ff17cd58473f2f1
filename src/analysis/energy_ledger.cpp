#include "pliant/energy_ledger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <tuple>

#include "pliant/place.h"
#include "pliant/query.h"

namespace pliant {
namespace {

/// Whose work it is.
struct Who {
  const char* kind;
  ObjType type;
  int id, id2 = -1;  // two geoms of a contact
  auto operator<=>(const Who& other) const {
    return std::tuple(std::string_view(kind), type, id, id2) <=>
           std::tuple(std::string_view(other.kind), other.type, other.id, other.id2);
  }
};

struct Account {
  double work = 0, step = 0, last = 0, most_fed = 0, fed_at = 0;
};

double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// Velocity of a row's violation for these velocities of dofs.
double row_velocity(const Rows& rows, int row, const double* v) {
  const double* J = rows.row_J + rows.row_Jadr[row];
  double sum = 0;
  for (int s = rows.row_segadr[row]; s < rows.row_segadr[row] + rows.row_segnum[row]; ++s) {
    sum += dot(J, v + rows.segment_dof[s], rows.segment_len[s]);
    J += rows.segment_len[s];
  }
  return sum;
}

Who source_of(const Rows& rows, int row) {
  const int id = rows.row_id[row];
  switch (static_cast<RowType>(rows.row_type[row])) {
    case RowType::kEquality:
      return {"equality", ObjType::kEquality, id};
    case RowType::kFrictionDof:
      return {"friction loss", ObjType::kDof, id};
    case RowType::kFrictionTendon:
      return {"friction loss", ObjType::kTendon, id};
    case RowType::kLimitJoint:
      return {"limit", ObjType::kJoint, id};
    default:
      return {"limit", ObjType::kTendon, id};
  }
}

}  // namespace

struct EnergyLedger::Parts {
  const Model& m;
  Data now, then;
  std::map<Who, Account> accounts;
  int64_t steps = 0;
  double kinetic_change = 0, works = 0, integration = 0, flow = 0;
  // of the step that is accounted for
  std::vector<double> mean;   // velocity
  std::vector<double> force;  // all that is listed
  std::vector<double> jacp, jacr, product;

  explicit Parts(const Model& model) : m(model), now(model), then(model) {
    const auto nv = static_cast<size_t>(m.nv);
    mean.resize(nv), force.resize(nv), product.resize(nv);
    jacp.resize(3 * nv), jacr.resize(3 * nv);
  }

  void book(const Who& who, double work) { accounts[who].step += work; }

  /// Forces on dofs, booked by the joints of the dofs.
  void book_dofs(const char* kind, const double* forces) {
    for (int i = 0; i < m.nv; ++i) {
      if (forces[i] == 0) continue;
      book({kind, ObjType::kJoint, m.dof_jntid[i]}, m.opt.timestep * forces[i] * mean[static_cast<size_t>(i)]);
      force[static_cast<size_t>(i)] += forces[i];
    }
  }

  /// A force and a torque at the centre of mass of a body.
  void book_body(const char* kind, int body, const double f[3], const double* torque) {
    jacobian_body_com(m, now, body, jacp.data(), jacr.data());
    double work = 0;
    for (int k = 0; k < 3; ++k) {
      const double* p = jacp.data() + k * m.nv;
      const double* r = jacr.data() + k * m.nv;
      work += f[k] * dot(p, mean.data(), m.nv) + (torque ? torque[k] * dot(r, mean.data(), m.nv) : 0);
      for (int i = 0; i < m.nv; ++i) force[static_cast<size_t>(i)] += f[k] * p[i] + (torque ? torque[k] * r[i] : 0);
    }
    book({kind, ObjType::kBody, body}, m.opt.timestep * work);
  }

  void book_actuators() {
    for (int o = 0; o < m.nout; ++o) {
      const int first = now.moment_rowadr[o], n = now.moment_rownnz[o];
      double speed = 0;
      for (int k = first; k < first + n; ++k) {
        const auto dof = static_cast<size_t>(now.moment_colind[k]);
        speed += now.actuator_moment[k] * mean[dof];
        force[dof] += now.actuator_force[o] * now.actuator_moment[k];
      }
      const FieldPlace place = place_of(m, "actuator_force", o);
      book({"actuator", ObjType::kActuator, place.id}, m.opt.timestep * now.actuator_force[o] * speed);
    }
  }

  void book_rows() {
    const Rows& rows = now.rows;
    for (int row = 0; row < rows.n;) {
      const auto type = static_cast<RowType>(rows.row_type[row]);
      if (type < RowType::kContactFrictionless) {
        book(source_of(rows, row), m.opt.timestep * rows.row_force[row] * row_velocity(rows, row, mean.data()));
        ++row;
        continue;
      }
      // rows of one contact follow one another
      const int first = row;
      double all = 0, pushed = 0;
      for (; row < rows.n && rows.row_type[row] == rows.row_type[first] && rows.row_id[row] == rows.row_id[first];
           ++row) {
        all += rows.row_force[row] * row_velocity(rows, row, mean.data());
        pushed += rows.row_force[row];
      }
      double normal = all;
      if (type == RowType::kContactElliptic) {
        normal = rows.row_force[first] * row_velocity(rows, first, mean.data());
      } else if (type == RowType::kContactPyramidal && row - first > 1) {
        // two opposite edges of the pyramid: their tangents cancel
        normal = pushed * 0.5 * (row_velocity(rows, first, mean.data()) + row_velocity(rows, first + 1, mean.data()));
      }
      const Contact& c = now.contact[rows.row_id[first]];
      book({"contact normal", ObjType::kGeom, c.geom[0], c.geom[1]}, m.opt.timestep * normal);
      book({"contact friction", ObjType::kGeom, c.geom[0], c.geom[1]}, m.opt.timestep * (all - normal));
    }
    for (int i = 0; i < m.nv; ++i) force[static_cast<size_t>(i)] += now.qfrc_constraint[i];
  }

  double kinetic(const Data& d, const double* v) {
    multiply_mass(m, d, v, product.data());
    return 0.5 * dot(product.data(), v, m.nv);
  }

  void close_step(double time) {
    for (auto& [who, account] : accounts) {
      account.work += account.step;
      works += account.step;
      flow += std::abs(account.step);
      if (account.step > account.most_fed) account.most_fed = account.step, account.fed_at = time;
      account.last = account.step, account.step = 0;
    }
    ++steps;
  }

  void add(const State& before, const State& after) {
    forward(m, before, now);
    run_phases(m, after, then, Phase::kPosition, Phase::kPosition, /*sensors=*/false);
    for (int i = 0; i < m.nv; ++i) mean[static_cast<size_t>(i)] = 0.5 * (before.qvel[i] + after.qvel[i]);
    std::fill(force.begin(), force.end(), 0.0);

    book_actuators();
    book_dofs("spring", now.qfrc_spring);
    book_dofs("damper", now.qfrc_damper);
    book_dofs("gravity compensation", now.qfrc_gravcomp);
    book_dofs("fluid", now.qfrc_fluid);
    book_dofs("adhesion", now.qfrc_adhesion);
    book_dofs("applied", before.qfrc_applied);
    for (int b = 1; b < m.nbody; ++b) {
      const double* x = before.xfrc_applied + 6 * b;
      if (std::any_of(x, x + 6, [](double f) { return f != 0; })) book_body("applied", b, x, x + 3);
      if (m.opt.disableflags & kDisableGravity) continue;
      const double mass = m.body_mass[b];
      const double weight[3] = {mass * m.opt.gravity[0], mass * m.opt.gravity[1], mass * m.opt.gravity[2]};
      if (mass > 0) book_body("gravity", b, weight, nullptr);
    }
    book_rows();

    // what moved the dofs beyond the forces that are listed, and what the change of the mass matrix did
    const double h = m.opt.timestep;
    std::vector<double> change(static_cast<size_t>(m.nv));
    for (int i = 0; i < m.nv; ++i) change[static_cast<size_t>(i)] = after.qvel[i] - before.qvel[i];
    multiply_mass(m, now, change.data(), product.data());
    double rest = 0;
    for (size_t i = 0; i < mean.size(); ++i) rest += (product[i] - h * force[i]) * mean[i];
    const double with_new = kinetic(then, after.qvel), with_old = kinetic(now, after.qvel);
    integration += rest + with_new - with_old;
    kinetic_change += with_new - kinetic(now, before.qvel);
    close_step(*before.time);
  }
};

EnergyLedger::EnergyLedger(const Model& model) : parts_(std::make_unique<Parts>(model)) {}
EnergyLedger::~EnergyLedger() = default;
EnergyLedger::EnergyLedger(EnergyLedger&&) noexcept = default;

void EnergyLedger::add(const State& before, const State& after) {
  if (!before.fits(parts_->m) || !after.fits(parts_->m)) {
    throw std::invalid_argument("EnergyLedger::add: a state belongs to a model of other sizes");
  }
  parts_->add(before, after);
}

int64_t EnergyLedger::steps() const { return parts_->steps; }
double EnergyLedger::kinetic_change() const { return parts_->kinetic_change; }
double EnergyLedger::works() const { return parts_->works; }
double EnergyLedger::integration() const { return parts_->integration; }
double EnergyLedger::flow() const { return parts_->flow; }

std::vector<EnergyEntry> EnergyLedger::entries() const {
  const Model& m = parts_->m;
  std::vector<EnergyEntry> out;
  for (const auto& [who, account] : parts_->accounts) {
    EnergyEntry entry;
    entry.kind = who.kind;
    // a dof is a part of its joint
    const ObjType type = who.type == ObjType::kDof ? ObjType::kJoint : who.type;
    const int id = who.type == ObjType::kDof ? m.dof_jntid[who.id] : who.id;
    entry.element = object_text(m, {type, id});
    if (who.id2 >= 0) entry.element += " – " + object_text(m, {type, who.id2});
    entry.origin = m.origin(type, who.id2 >= 0 ? who.id2 : id);
    entry.work = account.work;
    entry.most_fed = account.most_fed;
    entry.fed_at = account.fed_at;
    entry.last = account.last;
    entry.type = type, entry.id = id, entry.id2 = who.id2;
    out.push_back(std::move(entry));
  }
  std::sort(out.begin(), out.end(), [](const EnergyEntry& a, const EnergyEntry& b) {
    return std::tuple(-std::abs(a.work), a.kind, a.element) < std::tuple(-std::abs(b.work), b.kind, b.element);
  });
  return out;
}

std::string energy_text(const EnergyLedger& ledger, size_t most) {
  std::string out;
  char line[256];
  const auto put = [&](double work, const std::string& what) {
    std::snprintf(line, sizeof line, "%+13.5g J  ", work);
    out += line + what + "\n";
  };
  const std::vector<EnergyEntry> entries = ledger.entries();
  double others = 0;
  size_t left = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const EnergyEntry& e = entries[i];
    if (i >= most) {
      others += e.work, ++left;
      continue;
    }
    std::string what = (e.element.starts_with(e.kind) ? "" : e.kind + " of ") + e.element +
                       (e.origin.empty() ? "" : " (" + e.origin + ")");
    if (e.most_fed > 0) {
      std::snprintf(line, sizeof line, "; most in a step %.3g J at t = %g", e.most_fed, e.fed_at);
      what += line;
    }
    put(e.work, what);
  }
  if (left) put(others, std::to_string(left) + " others");
  put(ledger.integration(), "integration: what the timestep made or lost");
  put(ledger.kinetic_change(), "change of the kinetic energy in " + std::to_string(ledger.steps()) + " steps");
  return out;
}

}  // namespace pliant

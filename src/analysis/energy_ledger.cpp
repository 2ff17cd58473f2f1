// The step is made again, and every evaluation of forces on its way (one; four of Runge-Kutta) is booked with its
// weight. With v̄ = (v0 + v1)/2, accelerations a of the evaluations and weights b, the change of kinetic energy is
//
//   ½ v1'M1v1 - ½ v0'M0v0 = v̄'M0(v1 - v0) + ½ v1'(M1 - M0)v1
//   M0 (v1 - v0) = h Σ b M a  -  h Σ b (M - M0) a  +  M0 (v1 - v0 - h Σ b a)
//   M a = forces of elements - Coriolis forces + what is missing to the equations of motion
//
// and nothing is left over. Every term is computed from its own numbers, not as the difference of the others.

#include "pliant/energy_ledger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "integrate/integrate.h"
#include "joint/followers_hd.h"
#include "pliant/place.h"
#include "pliant/query.h"
#include "pliant/step.h"
#include "step/free_bodies.h"
#include "step/metric_solve.h"

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

namespace {

/// Weights of the evaluations of a step by Runge-Kutta.
constexpr double kRungeKutta[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

int solver_stage() {
  const std::span<const StageInfo> stages = pipeline();
  const auto at = std::find_if(stages.begin(), stages.end(),
                               [](const StageInfo& stage) { return std::string_view(stage.name) == "solver"; });
  return static_cast<int>(at - stages.begin());
}

}  // namespace

struct EnergyLedger::Parts {
  const Model& m;
  const int solver = solver_stage();
  Data now, then;
  State again;
  std::map<Who, Account> accounts;
  int64_t steps = 0;
  double kinetic_change = 0, works = 0, flow = 0;
  EnergyOfIntegration integration;
  // of the step that is accounted for
  int evaluations = 0;
  double weight = 1;               // of this evaluation
  std::vector<double> mean, free;  // velocity, of all dofs and with followers at rest
  std::vector<double> momentum;    // M0 v̄
  std::vector<double> gained;      // h Σ b a, followers at rest
  EnergyOfIntegration step_integration;
  std::vector<double> jacp, jacr, product, scratch;

  explicit Parts(const Model& model) : m(model), now(model), then(model), again(model) {
    const auto nv = static_cast<size_t>(m.nv);
    for (auto* v : {&mean, &free, &momentum, &gained, &product, &scratch}) v->resize(nv);
    jacp.resize(3 * nv), jacr.resize(3 * nv);
    now.probe = [this](const Model&, const State& s, Data&, int stage) {
      if (stage == solver) book_evaluation(s);
    };
  }

  double duration() const { return weight * m.opt.timestep; }
  double book(const Who& who, double power) {
    accounts[who].step += duration() * power;
    return power;
  }

  // What elements do: each books its power, and returns it.

  /// Forces on dofs, booked by the joints of the dofs.
  double book_dofs(const char* kind, const double* forces) {
    double sum = 0;
    for (int i = 0; i < m.nv; ++i) {
      if (forces[i] == 0) continue;
      sum += book({kind, ObjType::kJoint, m.dof_jntid[i]}, forces[i] * mean[static_cast<size_t>(i)]);
    }
    return sum;
  }

  /// A force and a torque at the centre of mass of a body.
  double book_body(const char* kind, int body, const double f[3], const double* torque) {
    jacobian_body_com(m, now, body, jacp.data(), jacr.data());
    double power = 0;
    for (int k = 0; k < 3; ++k) {
      power += f[k] * dot(jacp.data() + k * m.nv, mean.data(), m.nv);
      if (torque) power += torque[k] * dot(jacr.data() + k * m.nv, mean.data(), m.nv);
    }
    return book({kind, ObjType::kBody, body}, power);
  }

  /// Actuators, and what ranges of forces of joints take from them.
  double book_actuators() {
    double sum = 0;
    std::vector<double>& cut = scratch;
    std::copy_n(now.qfrc_actuator, m.nv, cut.begin());
    for (int o = 0; o < m.nout; ++o) {
      const int first = now.moment_rowadr[o], n = now.moment_rownnz[o];
      double speed = 0;
      for (int k = first; k < first + n; ++k) {
        const auto dof = static_cast<size_t>(now.moment_colind[k]);
        speed += now.actuator_moment[k] * mean[dof];
        cut[dof] -= now.actuator_force[o] * now.actuator_moment[k];
      }
      const FieldPlace place = place_of(m, "actuator_force", o);
      sum += book({"actuator", ObjType::kActuator, place.id}, now.actuator_force[o] * speed);
    }
    for (int i = 0; i < m.nv; ++i) {
      const int joint = m.dof_jntid[i];
      if (m.jnt_actgravcomp[joint]) cut[static_cast<size_t>(i)] -= now.qfrc_gravcomp[i];
      if (!m.jnt_actfrclimited[joint]) cut[static_cast<size_t>(i)] = 0;  // roundings
    }
    return sum + book_dofs("force range", cut.data());
  }

  double book_rows() {
    const Rows& rows = now.rows;
    double sum = 0;
    for (int row = 0; row < rows.n;) {
      const auto type = static_cast<RowType>(rows.row_type[row]);
      if (type < RowType::kContactFrictionless) {
        sum += book(source_of(rows, row), rows.row_force[row] * row_velocity(rows, row, mean.data()));
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
      sum += book({"contact normal", ObjType::kGeom, c.geom[0], c.geom[1]}, normal);
      sum += book({"contact friction", ObjType::kGeom, c.geom[0], c.geom[1]}, all - normal);
    }
    return sum;
  }

  double book_gravity() {
    double sum = 0;
    for (int b = 1; b < m.nbody && !(m.opt.disableflags & kDisableGravity); ++b) {
      const double mass = m.body_mass[b];
      const double force[3] = {mass * m.opt.gravity[0], mass * m.opt.gravity[1], mass * m.opt.gravity[2]};
      if (mass > 0) sum += book_body("gravity", b, force, nullptr);
    }
    return sum;
  }

  double book_applied(const State& s) {
    double sum = book_dofs("applied", s.qfrc_applied);
    for (int b = 1; b < m.nbody; ++b) {
      const double* x = s.xfrc_applied + 6 * b;
      if (std::any_of(x, x + 6, [](double f) { return f != 0; })) sum += book_body("applied", b, x, x + 3);
    }
    return sum;
  }

  /// product = M x, of x with followers at rest.
  void multiply(const Data& d, const double* x) {
    multiply_mass(m, d, x, product.data());
    clear_followers(m, again, product.data());
  }

  /// One evaluation of forces and accelerations, in `now`.
  void book_evaluation(const State& s) {
    const bool runge_kutta = evaluations > 0;
    if (evaluations == 1) {  // there are more: the first has its weight, too
      for (auto& [who, account] : accounts) account.step *= kRungeKutta[0];
      for (double& x : gained) x *= kRungeKutta[0];
      EnergyOfIntegration& parts = step_integration;
      for (double* x : {&parts.turning, &parts.implicit, &parts.solver, &parts.rest}) *x *= kRungeKutta[0];
    }
    weight = runge_kutta ? kRungeKutta[std::min(evaluations, 3)] : 1;
    ++evaluations;

    double smooth = book_actuators();
    smooth += book_dofs("spring", now.qfrc_spring);
    smooth += book_dofs("damper", now.qfrc_damper);
    smooth += book_dofs("gravity compensation", now.qfrc_gravcomp);
    smooth += book_dofs("fluid", now.qfrc_fluid);
    smooth += book_dofs("adhesion", now.qfrc_adhesion);
    smooth += book_applied(s);
    const double gravity = book_gravity(), rows = book_rows();
    const double coriolis = dot(now.qfrc_bias, mean.data(), m.nv) + gravity;

    // M a and M0 a, with followers at rest
    std::vector<double>& a = scratch;
    std::copy_n(now.qacc, m.nv, a.begin());
    clear_followers(m, again, a.data());
    multiply(now, free.data());
    if (!runge_kutta) momentum = product;
    const double pushed = dot(product.data(), a.data(), m.nv), first = dot(momentum.data(), a.data(), m.nv);
    step_integration.turning += duration() * (first - pushed - coriolis);
    for (size_t i = 0; i < a.size(); ++i) gained[i] += duration() * a[i];

    // what is missing to the equations of motion; under discrete these have a matrix and a force of their own
    double left = pushed, acting = dot(now.qfrc_smooth, free.data(), m.nv);
    rest(acting - (smooth + gravity - coriolis));
    if (now.metric.discrete) {
      multiply_metric(m, now, a.data(), product.data());
      multiply_free_bodies(m, s, now, a.data(), product.data());
      left = dot(product.data(), free.data(), m.nv);
      const double ahead = dot(now.qfrc_metric, free.data(), m.nv);
      step_integration.implicit += duration() * (pushed - left + ahead - acting);
      acting = ahead;
    }
    const double constraint = dot(now.qfrc_constraint, free.data(), m.nv);
    rest(constraint - rows);
    step_integration.solver += duration() * (left - acting - constraint);
  }
  void rest(double power) { step_integration.rest += duration() * power; }

  double kinetic(const Data& d, const double* v) {
    std::copy_n(v, m.nv, scratch.begin());
    clear_followers(m, again, scratch.data());
    multiply(d, scratch.data());
    return 0.5 * dot(product.data(), scratch.data(), m.nv);
  }

  void close_step(double time) {
    for (auto& [who, account] : accounts) {
      account.work += account.step;
      works += account.step;
      flow += std::abs(account.step);
      if (account.step > account.most_fed) account.most_fed = account.step, account.fed_at = time;
      account.last = account.step, account.step = 0;
    }
    integration.turning += step_integration.turning;
    integration.implicit += step_integration.implicit;
    integration.solver += step_integration.solver;
    integration.rest += step_integration.rest;
    ++steps;
  }

  void add(const State& before, const State& after) {
    again = before;
    follow(m, again);  // as the step does
    for (int i = 0; i < m.nv; ++i) {
      const auto k = static_cast<size_t>(i);
      free[k] = mean[k] = 0.5 * (before.qvel[i] + after.qvel[i]);
    }
    clear_followers(m, before, free.data());
    mean = free;
    fill_followers(m, before, mean.data());
    std::fill(gained.begin(), gained.end(), 0.0);
    step_integration = {};
    evaluations = 0;
    const bool made = step(m, again, now).ok();
    if (evaluations == 0) forward(m, before, now);  // a state that no step begins with
    if (evaluations == 0) book_evaluation(before);  // nor that: the numbers as they are
    run_phases(m, after, then, Phase::kPosition, Phase::kPosition, /*sensors=*/false);

    // velocities beyond accelerations: the integrator's, or a step that is not the model's own
    for (int i = 0; i < m.nv; ++i) {
      const auto k = static_cast<size_t>(i);
      const double own = made ? again.qvel[i] : before.qvel[i] + gained[k];
      step_integration.implicit += momentum[k] * (own - before.qvel[i] - gained[k]);
      step_integration.rest += momentum[k] * (after.qvel[i] - own);
    }
    again = before;
    follow(m, again);
    // M0 once more, where Data is as of a later evaluation
    if (evaluations > 1) run_phases(m, again, now, Phase::kPosition, Phase::kPosition, /*sensors=*/false);
    const double with_new = kinetic(then, after.qvel);
    step_integration.turning += with_new - kinetic(now, after.qvel);
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
double EnergyLedger::integration() const { return parts_->integration.sum(); }
EnergyOfIntegration EnergyLedger::parts_of_integration() const { return parts_->integration; }
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
  const EnergyOfIntegration parts = ledger.parts_of_integration();
  put(ledger.integration(), "integration: what the timestep made or lost, of which");
  put(parts.turning, "  turning: Coriolis forces of the start of a step against inertias that change during it");
  put(parts.implicit, "  implicit: forces that the integrator takes at the end of a step");
  put(parts.solver, "  solver: what it left of the equations of motion");
  put(parts.rest, "  not explained");
  put(ledger.kinetic_change(), "change of the kinetic energy in " + std::to_string(ledger.steps()) + " steps");
  return out;
}

}  // namespace pliant

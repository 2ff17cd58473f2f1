// Bands of a simulation.
//
// Energy. E is kinetic energy and the potential of gravity and springs. Everything that is passive (dampers, contacts,
// friction, limits, equalities) only takes from it, but for what a constraint that is violated has stored; inputs feed
// it. So E - E(earlier) - work of inputs that feed must not rise by more than the energies that there were. Work of
// inputs that brake is not counted: under implicit integrators the force at the beginning of a step says too much.

#include "why/watch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "doctor/doctor_case.h"
#include "pliant/place.h"
#include "pliant/query.h"

namespace pliant::whys {

using doctoring::element_text;
using doctoring::number;

namespace {

constexpr double kSoundSpeed = 343, kFastest = 2000;  // m/s; rad/s, 19 000 rpm
constexpr double kUsualGravity = 9.81;
constexpr double kReleased = 0.25;  // share of a potential that was released which may be wrong
constexpr size_t kWindow = 20;      // steps in which energy must not appear
constexpr int kTurns = 12;          // a velocity that turns that often in a row, every step, follows no physics
constexpr double kTurnSize = 10;    // in units of what gravity does in a step
constexpr double kResidualShare = 0.02, kResidualAngle = 0.05, kLimitShare = 0.05;
constexpr double kPatience = 0.2;  // s: constraints that are violated at the start need some time

double hold_size(double x, double low, double high) { return std::min(std::max(x, low), high); }

double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

bool is_angle(const Model& m, int joint) {
  const auto type = static_cast<JointType>(m.jnt_type[joint]);
  return type == JointType::kHinge || type == JointType::kBall;
}

/// Half the thickness of a geom; infinite for what has none.
double half_thickness(const Model& m, int geom) {
  const auto type = static_cast<GeomType>(m.geom_type[geom]);
  if (type == GeomType::kPlane || type == GeomType::kHfield) return doctoring::kNever;
  const double* half = m.geom_aabb + 6 * geom + 3;
  return std::min({half[0], half[1], half[2]});
}

bool is_driven(const Model& m) {
  bool belts = false;
  for (int i = 0; i < 6 * m.ngeom; ++i) belts = belts || m.geom_surfacevel[i] != 0;
  return m.nmocap > 0 || belts;
}

}  // namespace

Watch::Watch(const Model& m) : m_(m) {
  const auto nv = static_cast<size_t>(m.nv);
  mean_.resize(nv), force_.resize(nv), change_.resize(nv), turns_.resize(nv);
  equality_.resize(static_cast<size_t>(m.neq)), joint_.resize(static_cast<size_t>(m.njnt));
  tendon_.resize(static_cast<size_t>(m.ntendon));
  if (m.opt.integrator == Integrator::kRk4) own_ = Data(m);
  double mass = 0;
  for (int b = 1; b < m.nbody; ++b) {
    if (m.body_treeid[b] >= 0) mass += m.body_mass[b];
  }
  constexpr double kCreep = 0.05;   // m/s: slower is rest
  constexpr double kSettle = 1e-3;  // m: what begins a little inside something is lifted out of it
  const double gravity = std::hypot(m.opt.gravity[0], m.opt.gravity[1], m.opt.gravity[2]);
  floor_ = 0.5 * mass * kCreep * kCreep + mass * gravity * kSettle;
}

const Seen* Watch::worst() const {
  for (const Seen& seen : seen_) {
    if (is_fatal(seen.band)) return &seen;
  }
  return seen_.empty() ? nullptr : &seen_.front();
}

void Watch::add(Band band, Seen seen) {
  seen.band = band;
  seen.step = step_;
  seen.text.step = step_;
  seen.text.at_start = step_ == 0 && !is_fatal(band);
  if (seen.text.element.empty() && seen.id >= 0) {
    seen.text.element = element_text(m_, seen.type, seen.id);
    if (seen.id2 >= 0) seen.text.element += " and " + element_text(m_, seen.type, seen.id2);
    seen.text.origin = m_.origin(seen.type, seen.id2 >= 0 ? seen.id2 : seen.id);
  }
  found_[static_cast<int>(band)] = true;
  seen_.push_back(std::move(seen));
}

void Watch::look_at_energy(const State& before, Data& d, const State& after) {
  const double h = m_.opt.timestep;
  d.done = {};
  potential_energy(m_, before, d);
  kinetic_energy(m_, before, d);
  const double gain = d.energy[0] + d.energy[1] - fed_, kinetic = d.energy[1];
  if (!std::isfinite(gain)) return;
  if (!has(Band::kEnergy) && !gains_.empty()) {
    const double least = *std::min_element(gains_.begin(), gains_.end());
    double lately = 0;
    for (const double w : feeds_) lately += w;
    // what falls or springs back is known to the timestep's first order only
    const auto [low, high] = std::minmax_element(potentials_.begin(), potentials_.end());
    const double band = 2 * (most_kinetic_ + lately + floor_) + kReleased * (*high - *low);
    if (gain - least > band) {
      Seen seen;
      int fastest = 0;
      std::vector<double> momentum(static_cast<size_t>(m_.nv));
      multiply_mass(m_, d, before.qvel, momentum.data());
      for (int i = 1; i < m_.nv; ++i) {
        if (momentum[static_cast<size_t>(i)] * before.qvel[i] >
            momentum[static_cast<size_t>(fastest)] * before.qvel[fastest])
          fastest = i;
      }
      seen.dof = fastest;
      seen.type = ObjType::kJoint;
      seen.id = m_.dof_jntid[fastest];
      seen.text.quantity = "mechanical energy";
      seen.text.value = gain - least, seen.text.band = band, seen.text.unit = "J", seen.text.time = *before.time;
      seen.text.text = "mechanical energy rose by " + number(gain - least) + " J in " + std::to_string(gains_.size()) +
                       " steps although nothing fed it (at most " + number(band) +
                       " J could have come from what there was), most of it in " +
                       element_text(m_, ObjType::kJoint, seen.id);
      add(Band::kEnergy, std::move(seen));
    }
  }
  gains_.push_back(gain), kinetics_.push_back(kinetic), potentials_.push_back(d.energy[0]);
  if (potentials_.size() > kWindow) potentials_.erase(potentials_.begin());
  if (kinetics_.size() > kWindow) {
    // what is older than the window is what there was
    most_kinetic_ = std::max(most_kinetic_, kinetics_.front());
    kinetics_.erase(kinetics_.begin());
  }
  if (gains_.size() > kWindow) gains_.erase(gains_.begin());

  // what inputs feed in this step
  for (int i = 0; i < m_.nv; ++i) mean_[static_cast<size_t>(i)] = 0.5 * (before.qvel[i] + after.qvel[i]);
  double fed = 0;
  for (int o = 0; o < m_.nout; ++o) {
    double speed = 0;
    for (int k = d.moment_rowadr[o]; k < d.moment_rowadr[o] + d.moment_rownnz[o]; ++k) {
      speed += d.actuator_moment[k] * mean_[static_cast<size_t>(d.moment_colind[k])];
    }
    fed += std::max(0.0, h * d.actuator_force[o] * speed);
  }
  const bool wind = m_.opt.wind[0] != 0 || m_.opt.wind[1] != 0 || m_.opt.wind[2] != 0;
  std::fill(force_.begin(), force_.end(), 0.0);
  for (int b = 1; b < m_.nbody; ++b) {
    const double* x = before.xfrc_applied + 6 * b;
    if (std::any_of(x, x + 6, [](double f) { return f != 0; }))
      apply_force(m_, d, b, d.xipos + 3 * b, x, x + 3, force_.data());
  }
  for (int i = 0; i < m_.nv; ++i) {
    const double v = mean_[static_cast<size_t>(i)];
    fed += std::max(0.0, h * v * (before.qfrc_applied[i] + force_[static_cast<size_t>(i)]));
    fed += std::max(0.0, h * v * (d.qfrc_gravcomp[i] + d.qfrc_adhesion[i]));
    if (wind) fed += std::max(0.0, h * v * d.qfrc_fluid[i]);
  }
  if (is_driven(m_)) fed += std::max(0.0, h * dot(d.qfrc_constraint, mean_.data(), m_.nv));
  if (std::isfinite(fed)) fed_ += fed;
  feeds_.push_back(std::isfinite(fed) ? fed : 0);
  if (feeds_.size() > kWindow) feeds_.erase(feeds_.begin());
}

void Watch::look_at_speed(const State& before, const State& after) {
  const double h = m_.opt.timestep;
  for (int i = 0; i < m_.nv; ++i) {
    const auto dof = static_cast<size_t>(i);
    const int joint = m_.dof_jntid[i];
    const bool linear = !is_angle(m_, joint) && !(static_cast<JointType>(m_.jnt_type[joint]) == JointType::kFree &&
                                                  i - m_.jnt_dofadr[joint] >= 3);
    const double speed = std::abs(after.qvel[i]), most = linear ? kSoundSpeed : kFastest;
    Seen seen;
    seen.type = ObjType::kJoint, seen.id = joint, seen.dof = i;
    seen.text.time = *after.time, seen.text.unit = linear ? "m/s" : "rad/s";
    if (speed > most && !has(Band::kSpeed)) {
      seen.text.quantity = "speed of " + element_text(m_, ObjType::kJoint, joint);
      seen.text.value = speed, seen.text.band = most;
      seen.text.text = element_text(m_, ObjType::kJoint, joint) + " moves at " + number(speed) + " " + seen.text.unit +
                       "; no machine is faster than " + number(most);
      add(Band::kSpeed, seen);
    }
    const double change = after.qvel[i] - before.qvel[i], size = std::abs(change);
    const double length = linear ? 1 : std::max(m_.dof_length[i], 1e-3);
    const double least = kTurnSize * kUsualGravity * h / length;
    const bool turned = change * change_[dof] < 0 && size > least && size > 0.5 * std::abs(change_[dof]);
    turns_[dof] = turned ? turns_[dof] + 1 : 0;
    change_[dof] = change;
    if (turns_[dof] >= kTurns && !has(Band::kAlternates)) {
      seen.text.quantity = "velocity of " + element_text(m_, ObjType::kJoint, joint);
      seen.text.value = size, seen.text.band = least;
      seen.text.text = "the velocity of " + element_text(m_, ObjType::kJoint, joint) + " jumps by " + number(size) +
                       " " + seen.text.unit +
                       " up and down, every step the other way: nothing real vibrates with the timestep";
      add(Band::kAlternates, seen);
    }
  }
}

void Watch::look_at_rows(const State& before, const Data& d) {
  const double extent = hold_size(m_.stat.extent, 0.1, 10);
  const int patience = std::max(10, static_cast<int>(kPatience / m_.opt.timestep));
  std::vector<bool> off_equality(equality_.size()), off_joint(joint_.size()), off_tendon(tendon_.size());
  const auto report = [&](Band band, ObjType type, int id, double value, double most, const char* unit) {
    if (has(band)) return;
    Seen seen;
    seen.type = type, seen.id = id;
    const std::string element = element_text(m_, type, id);
    seen.text.value = value, seen.text.band = most, seen.text.unit = unit, seen.text.time = *before.time;
    seen.text.quantity = (band == Band::kLimit ? "limit of " : "residual of ") + element;
    seen.text.text = band == Band::kLimit ? element + " is " + number(value) + " " + unit + " beyond its limit" +
                                                (step_ == 0 ? " at the start" : "")
                                          : element + " does not hold: it is off by " + number(value) + " " + unit +
                                                (step_ == 0 ? " at the start" : "");
    add(band, std::move(seen));
  };
  for (int row = 0; row < d.rows.n; ++row) {
    const int id = d.rows.row_id[row];
    const auto place = static_cast<size_t>(id);
    const double pos = d.rows.row_pos[row];
    switch (static_cast<RowType>(d.rows.row_type[row])) {
      case RowType::kEquality: {
        const bool joints = equality_kind(m_.eq_type[id]).ties_joints();
        const bool angle = joints && is_angle(m_, m_.eq_obj1id[id]);
        double most = angle ? kResidualAngle : kResidualShare * extent;
        // a coupling that is off by a tenth of what the joint can do at all
        if (const int j = joints ? m_.eq_obj1id[id] : -1; j >= 0 && m_.jnt_limited[j])
          most = std::min(most, std::max(0.1 * std::abs(m_.jnt_range[2 * j + 1] - m_.jnt_range[2 * j]), 1e-3));
        if (std::abs(pos) <= most || off_equality[place]) break;
        off_equality[place] = true;
        if (++equality_[place] >= patience || (step_ == 0 && std::abs(pos) > 4 * most))
          report(Band::kResidual, ObjType::kEquality, id, std::abs(pos), most, angle ? "rad" : "m");
        break;
      }
      case RowType::kLimitJoint: {
        const double range = m_.jnt_range[2 * id + 1] - m_.jnt_range[2 * id],
                     most = std::max(kLimitShare * std::abs(range), 1e-3);
        if (-pos <= most) break;
        off_joint[place] = true;
        if (++joint_[place] >= patience || step_ == 0)
          report(Band::kLimit, ObjType::kJoint, id, -pos, most, is_angle(m_, id) ? "rad" : "m");
        break;
      }
      case RowType::kLimitTendon: {
        const double range = m_.tendon_range[2 * id + 1] - m_.tendon_range[2 * id],
                     most = std::max(kLimitShare * std::abs(range), 1e-3);
        if (-pos <= most) break;
        off_tendon[place] = true;
        if (++tendon_[place] >= patience || step_ == 0) report(Band::kLimit, ObjType::kTendon, id, -pos, most, "m");
        break;
      }
      default:
        break;
    }
  }
  const auto forget = [](std::vector<int>& counts, const std::vector<bool>& off) {
    for (size_t i = 0; i < counts.size(); ++i) {
      if (!off[i]) counts[i] = 0;
    }
  };
  forget(equality_, off_equality), forget(joint_, off_joint), forget(tendon_, off_tendon);
}

void Watch::look_at_contacts(const State& before, const Data& d) {
  if (has(Band::kDepth)) return;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& c = d.contact[i];
    if (c.row < 0) continue;
    const double thin = std::min(half_thickness(m_, c.geom[0]), half_thickness(m_, c.geom[1]));
    if (!(thin < doctoring::kNever) || -c.dist <= 1.01 * thin) continue;
    Seen seen;
    seen.type = ObjType::kGeom, seen.id = c.geom[0], seen.id2 = c.geom[1];
    seen.text.quantity = "depth of " + doctoring::geom_pair_text(m_, c.geom[0], c.geom[1]);
    seen.text.value = -c.dist, seen.text.band = thin, seen.text.unit = "m", seen.text.time = *before.time;
    seen.text.text = doctoring::geom_pair_text(m_, c.geom[0], c.geom[1]) + " are " + doctoring::length_text(-c.dist) +
                     " inside each other, more than half of the thinner one" + (step_ == 0 ? ", at the start" : "");
    add(Band::kDepth, std::move(seen));
    return;
  }
}

void Watch::look(const State& before, Data& d, const State& after, StepStatus status) {
  if (!status.ok()) {
    if (!has(Band::kRefused)) {
      Seen seen;
      seen.text.quantity = "step";
      seen.text.time = *before.time;
      seen.text.text = describe_status(m_, d, status);
      for (const FaultRecord& fault : d.faults) {
        if (fault.count == 0 || fault.last.time != *before.time) continue;
        const FieldPlace place = place_of(m_, fault.last.field, fault.last.index);
        seen.type = place.type, seen.id = place.id;
        seen.text.quantity = fault.last.field;
        seen.text.value = fault.last.value;
        if (std::string_view(fault.last.field).starts_with("q") && place.type == ObjType::kJoint)
          seen.dof = m_.jnt_dofadr[place.id];
        break;
      }
      add(Band::kRefused, std::move(seen));
    }
    return;
  }
  Data* at = &d;
  if (m_.opt.integrator == Integrator::kRk4) {
    forward(m_, before, own_);
    at = &own_;
  }
  look_at_energy(before, *at, after);
  look_at_speed(before, after);
  look_at_rows(before, *at);
  look_at_contacts(before, *at);
  unconverged_ += !d.solver.converged();
  ++step_;
}

}  // namespace pliant::whys

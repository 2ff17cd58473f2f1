// Runge-Kutta of fourth order: rates of change at the start, twice in the middle and at the end of
// the step, each from the one before, averaged with weights 1/6, 1/3, 1/3, 1/6.
//
// A rate is (rate of the position, qacc, act_dot). Rotations are not added: the orientation of a stage is q0 exp(u),
// and the rate of u that belongs to the angular velocity ω (body axes) is
//
//   dexp⁻¹(u, ω) = ω + ½ u × ω + c u × (u × ω),   c = (1 - |u|/2 cot |u|/2) / |u|²
//
// (Munthe-Kaas 1998: without it the method is of second order in rotations). dexp⁻¹ is singular at whole turns, so u is
// taken as the shortest rotation to the same orientation. Everywhere else the rate is qvel.
// Constraints are solved anew in every stage with the warm start of the step; sensors are read in the first stage only.
// Data is left as of the last stage, as in the reference.
//
// writes trial (the state of a stage), rate (the average), qvel_advance (rate of positions of a stage), and what all
// stages write

#include <algorithm>
#include <cmath>
#include <cstring>

#include "collision/speculative.h"
#include "force/actuator_table.h"
#include "integrate/integrate.h"
#include "math/field_values.h"
#include "pliant/kinds.h"

namespace pliant {
namespace {

struct RateView {
  double *qvel, *qacc, *act_dot;
};

void add_rate(const Model& m, const Data& d, const double* qvel, double weight, RateView sum) {
  for (int i = 0; i < m.nv; ++i) sum.qvel[i] += weight * qvel[i];
  for (int i = 0; i < m.nv; ++i) sum.qacc[i] += weight * d.qacc[i];
  for (int i = 0; i < m.na; ++i) sum.act_dot[i] += weight * d.act_dot[i];
}

// Bristles of motors relax within a step by an exponential of the velocity at its start, as in the reference: rates of
// stages mean nothing to them. Calls f(actuator, state) for each.
template <class F>
void each_bristle(const Model& m, F&& f) {
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_dyntype[i] != static_cast<int>(DynType::kDcMotor)) continue;
    if (const int bristle = dcmotor_slots(m, i).bristle; bristle >= 0) f(i, bristle);
  }
}

// c of dexp⁻¹; near zero by its series, where the difference of nearly equal numbers has few digits.
double dexp_coefficient(double square) {
  constexpr double kSeries = 1e-2;
  if (square < kSeries) return 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square / 1209600));
  const double half = 0.5 * std::sqrt(square);
  return (1 - half / std::tan(half)) / square;
}

// Rates of positions of a stage that is `dt` along `last` away from the start and has the velocity qvel: into `rate`,
// which may be `last`.
void position_rates(const Model& m, const double* qvel, const double* last, double dt, double* rate) {
  for (int j = 0; j < m.njnt; ++j) {
    const JointKind& kind = joint_kind(m.jnt_type[j]);
    const int first = m.jnt_dofadr[j], linear = kind.has_quaternion() ? kind.quaternion : kind.velocities;
    for (int i = first; i < first + linear; ++i) rate[i] = qvel[i];
    if (!kind.has_quaternion()) continue;
    const int at = first + linear;
    const Vec3 u = shortest_rotation(Vec3{last[at], last[at + 1], last[at + 2]} * dt);
    const Vec3 w{qvel[at], qvel[at + 1], qvel[at + 2]};
    const Vec3 turned = cross(u, w), k = w + turned * 0.5 + cross(u, turned) * dexp_coefficient(dot(u, u));
    for (int i = 0; i < 3; ++i) rate[at + i] = k[i];
  }
}

}  // namespace

void advance_rk4(const Model& m, const State& s, Data& d, ForwardFn forward) {
  // Flag speculative_exact: nothing is smooth where something fast is being stopped: the row's aim is where the end of
  // the step is, and an average over stages would miss it.
  const auto predicted = [&](const Contact& contact) { return is_predicted(m, contact); };
  if (std::any_of(d.contact, d.contact + d.ncon, predicted)) return advance_euler(m, s, d, forward);
  // how far the next stage goes, and the weight of each
  constexpr double kReach[] = {0.5, 0.5, 1}, kWeight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const double h = m.opt.timestep;
  const RateView mean{d.rate, d.rate + m.nv, d.rate + 2 * m.nv};
  std::memset(d.rate, 0, sizeof(double) * (2 * m.nv + m.na));
  State& trial = d.trial;
  trial = s;
  double* const rate = d.qvel_advance;
  std::memcpy(rate, s.qvel, sizeof(double) * m.nv);
  add_rate(m, d, rate, kWeight[0], mean);
  const bool moves = !(m.opt.disableflags & kDisableActuation);
  each_bristle(m, [&](int i, int k) {
    const int at = m.actuator_actadr[i] + k;
    d.next_act[at] = moves ? next_activation(m, s, d, i, k, actuator_disabled(m, i) ? 0.0 : d.act_dot[at]) : s.act[at];
  });
  for (int stage = 1; stage < 4; ++stage) {
    // from the start of the step along the rate of the stage before
    const double dt = kReach[stage - 1] * h;
    std::memcpy(trial.qpos, s.qpos, sizeof(double) * m.nq);
    integrate_pos(m, trial.qpos, rate, dt);
    for (int i = 0; i < m.nv; ++i) trial.qvel[i] = s.qvel[i] + dt * d.qacc[i];
    for (int i = 0; i < m.na; ++i) trial.act[i] = s.act[i] + dt * d.act_dot[i];
    follow(m, trial);
    *trial.time = *s.time + dt;
    forward(m, trial, d);
    position_rates(m, trial.qvel, rate, dt, rate);
    add_rate(m, d, rate, kWeight[stage], mean);
  }
  // (next_act is written now: what bristles become waits where their mean rates would be)
  each_bristle(m, [&](int i, int k) { mean.act_dot[m.actuator_actadr[i] + k] = d.next_act[m.actuator_actadr[i] + k]; });
  advance_state(m, s, d, mean.act_dot, mean.qacc, mean.qvel);
  each_bristle(m, [&](int i, int k) { d.next_act[m.actuator_actadr[i] + k] = mean.act_dot[m.actuator_actadr[i] + k]; });
}

}  // namespace pliant

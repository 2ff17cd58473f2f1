// Runge-Kutta of fourth order: rates of change at the start, twice in the middle and at the end of
// the step, each from the one before, averaged with weights 1/6, 1/3, 1/3, 1/6.
//
// A rate is (qvel, qacc, act_dot). Positions of the stages and of the result follow from velocities
// joint by joint; constraints are solved anew in every stage with the warm start of the step;
// sensors are read in the first stage only. Data is left as of the last stage, as in the reference.
//
// writes trial (the state of a stage), rate (the average), and what all stages write

#include <algorithm>
#include <cstring>

#include "collision/speculative.h"
#include "integrate/integrate.h"

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
  add_rate(m, d, s.qvel, kWeight[0], mean);
  for (int stage = 1; stage < 4; ++stage) {
    // from the start of the step along the rate of the stage before
    const double dt = kReach[stage - 1] * h;
    std::memcpy(trial.qpos, s.qpos, sizeof(double) * m.nq);
    integrate_pos(m, trial.qpos, trial.qvel, dt);
    for (int i = 0; i < m.nv; ++i) trial.qvel[i] = s.qvel[i] + dt * d.qacc[i];
    for (int i = 0; i < m.na; ++i) trial.act[i] = s.act[i] + dt * d.act_dot[i];
    follow(m, trial);
    *trial.time = *s.time + dt;
    forward(m, trial, d);
    add_rate(m, d, trial.qvel, kWeight[stage], mean);
  }
  advance_state(m, s, d, mean.act_dot, mean.qacc, mean.qvel);
}

}  // namespace pliant

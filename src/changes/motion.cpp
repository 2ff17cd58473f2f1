// Changes in how a state moves on: orientations under Runge-Kutta, when solvers stop, lift in a fluid.

#include <algorithm>
#include <cstring>

#include "changes/changes.h"
#include "math/vec3.h"
#include "math/quat.h"
#include "math/field_values.h"
#include "pliant/kinds.h"

namespace pliant::changes {
namespace {

// The step of 3.12 under RK4: orientations follow the mean of the angular velocities of the four stages as if turns
// could be added.
void mean_velocity_step(const Model& m, const State& start, Data& d, double* qpos) {
  constexpr double kReach[] = {0.5, 0.5, 1}, kWeight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const double h = m.opt.timestep;
  State trial = start;
  std::vector<double> mean(start.qvel, start.qvel + m.nv), act_dot(m.na);
  for (double& v : mean) v *= kWeight[0];
  forward(m, trial, d);
  for (int stage = 1; stage < 4; ++stage) {
    const double dt = kReach[stage - 1] * h;
    std::copy_n(start.qpos, m.nq, trial.qpos);
    integrate_pos(m, trial.qpos, trial.qvel, dt);
    for (int i = 0; i < m.nv; ++i) trial.qvel[i] = start.qvel[i] + dt * d.qacc[i];
    for (int i = 0; i < m.na; ++i) trial.act[i] = start.act[i] + dt * d.act_dot[i];
    *trial.time = *start.time + dt;
    forward(m, trial, d);
    for (int i = 0; i < m.nv; ++i) mean[i] += kWeight[stage] * trial.qvel[i];
  }
  std::copy_n(start.qpos, m.nq, qpos);
  integrate_pos(m, qpos, mean.data(), h);
}

// The floor of 3.12 under the product of speed and |normal|² by which the lift of an ellipsoid was divided.
constexpr double kLiftFloor = 1e-15;
constexpr int kKutta = 4;  // place of the coefficient in geom_fluid

// Of the ellipsoid that a geom is to the fluid.
Vec3 semiaxes(const Model& m, int g) {
  const Vec3 s = vec3(m.geom_size, g);
  switch (static_cast<GeomType>(m.geom_type[g])) {
    case GeomType::kSphere:
      return {s.x, s.x, s.x};
    case GeomType::kCapsule:
      return {s.x, s.x, s.y + s.x};
    case GeomType::kCylinder:
      return {s.x, s.x, s.y};
    default:
      return s;
  }
}

}  // namespace

void find_quaternion_steps(Case& c) {
  const Model& m = c.m;
  if (static_cast<Integrator>(m.opt.integrator) != Integrator::kRk4) return;
  std::vector<int> joints;
  for (int j = 0; j < m.njnt; ++j) {
    if (joint_kind(m.jnt_type[j]).has_quaternion()) joints.push_back(j);
  }
  if (joints.empty()) return;
  Data d(m);
  std::vector<double> old_qpos(m.nq), turn(m.nv);
  std::vector<Largest> most(joints.size());
  for (const Look& look : c.looks) {
    mean_velocity_step(m, look.state, d, old_qpos.data());
    State next = look.state;
    if (!step(m, next, d).ok()) continue;
    differentiate_pos(m, turn.data(), 1, old_qpos.data(), next.qpos);
    for (size_t k = 0; k < joints.size(); ++k) {
      const int j = joints[k], dof = m.jnt_dofadr[j] + joint_kind(m.jnt_type[j]).quaternion;
      most[k].see(std::sqrt(turn[dof] * turn[dof] + turn[dof + 1] * turn[dof + 1] + turn[dof + 2] * turn[dof + 2]),
                  look.name);
    }
  }
  for (size_t k = 0; k < joints.size(); ++k) {
    Change& change = add(
        c, "C302", ObjType::kJoint, joints[k],
        most[k].seen() ? "after one step of RK4 its orientation differs by up to " + number(most[k].size) + " rad (" +
                             most[k].where + "): 3.12 averaged the angular velocities of the stages, 4.0 composes turns"
                       : "RK4 composes its turns instead of averaging angular velocities; no difference "
                         "in one step from the states looked at");
    change.seen = most[k].seen();
    change.size = most[k].size;
    change.numbers = {{"turn within one step, difference", 0, most[k].size, "rad"}};
  }
}

void find_solver_tolerance(Case& c) {
  const Model& m = c.m;
  const bool pgs = static_cast<SolverType>(m.opt.solver) == SolverType::kPgs, noslip = m.opt.noslip_iterations > 0,
             whole = (m.opt.disableflags & kDisableIsland) != 0;
  if (!pgs && !noslip && !whole) return;
  // 3.12 compared with stat.meaninertia · nv; 4.0 with trace(M), of an island where there are islands: the tolerance of
  // 3.12 in today's measure is another. Trees bound what an island has.
  Largest largest;
  double least = 1, most = 1;
  Data now(m), before(m);
  for (const Look& look : c.looks) {
    if (look.data.rows.n == 0) continue;
    double all = 0, smallest = std::numeric_limits<double>::infinity();
    std::vector<double> trace(m.ntree);
    for (int i = 0; i < m.nv; ++i) {
      const double diagonal = look.data.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
      all += diagonal;
      trace[m.dof_treeid[i]] += diagonal;
    }
    for (double t : trace) smallest = std::min(smallest, t > 0 ? t : smallest);
    const double scale = m.stat.meaninertia * std::max(1, m.nv);
    for (const double measure : {all, whole ? all : smallest}) {
      if (!(measure > 0) || !std::isfinite(measure)) continue;
      const double ratio = scale / measure;
      least = std::min(least, ratio), most = std::max(most, ratio);
      // as the model asks for, and as far as it goes
      for (const double tolerance : {c.own.opt.tolerance, m.opt.tolerance}) {
        Model today = m;
        today.opt.tolerance = tolerance;
        Model old = today;
        old.opt.tolerance *= ratio;
        old.opt.noslip_tolerance *= ratio;
        if (!forward(today, look.state, now).ok() || !forward(old, look.state, before).ok()) continue;
        largest.see(difference(before.qacc, now.qacc, m.nv), look.name);
      }
    }
  }
  Change& change = add(
      c.changes, "C304", "<option>", origin_text(c.spec, c.spec.origin(c.spec.option_source)),
      std::string(pgs      ? "solver PGS"
                  : noslip ? "noslip"
                           : "solver without islands") +
          " measures its improvement by trace(M) of what moves instead of meaninertia · nv: its tolerance is worth " +
          number(1 / most) + " … " + number(1 / least) + " times that of 3.12 at the states looked at; " +
          largest.text());
  change.seen = largest.seen();
  change.size = largest.size;
  change.numbers = {{"tolerance", c.own.opt.tolerance, c.own.opt.tolerance / most, ""}};
}

void find_fluid_lift(Case& c) {
  const Model& m = c.m;
  if (!(m.opt.density > 0)) return;
  std::vector<Largest> most(m.ngeom);
  std::vector<double> share(m.ngeom, 1.0);
  Largest all;
  Data d(m);
  for (const Look& look : c.looks) {
    // without what 3.12 did not give
    State before = look.state;
    bool any = false;
    for (int g = 0; g < m.ngeom; ++g) {
      const double* fluid = m.geom_fluid + kNumFluid * g;
      const int body = m.geom_bodyid[g];
      if (!(fluid[0] > 0) || fluid[kKutta] == 0 || !doctoring::can_move(m, body)) continue;
      double velocity[6];
      object_velocity(m, look.data, ObjType::kGeom, g, true, velocity);
      const Mat3 axes = mat3(look.data.geom_xmat, g);
      const Vec3 wind{m.opt.wind[0], m.opt.wind[1], m.opt.wind[2]};
      const Vec3 v = Vec3{velocity[3], velocity[4], velocity[5]} - transposed_times(axes, wind);
      const Vec3 s = semiaxes(m, g), face{s.y * s.z, s.z * s.x, s.x * s.y};
      const Vec3 normal{face.x * face.x * v.x, face.y * face.y * v.y, face.z * face.z * v.z};
      const double normal2 = dot(normal, normal), product = norm(v) * normal2, along = dot(normal, v);
      if (!(along > 0) || !(product > 0) || product >= kLiftFloor) continue;
      const double area = kPi * std::sqrt(normal2 / along), cosine = along / product;
      const Vec3 lift = cross(cross(normal, v), v) * (fluid[kKutta] * m.opt.density * cosine * area);
      const Vec3 missing = axes * (lift * (product / kLiftFloor - 1));
      const double none[3] = {}, force[3] = {missing.x, missing.y, missing.z};
      apply_force(m, look.data, body, look.data.geom_xpos + 3 * g, force, none, before.qfrc_applied);
      any = true;
      if (norm(missing) > most[g].size) share[g] = product / kLiftFloor;
      most[g].see(norm(missing), look.name);
    }
    if (!any || !forward(m, before, d).ok()) continue;
    all.see(difference(d.qacc, look.data.qacc, m.nv), look.name);
  }
  for (int g = 0; g < m.ngeom; ++g) {
    if (most[g].size == 0) continue;
    Change& change = add(c, "C305", ObjType::kGeom, g,
                         "small or slow as it is, it got " + number(share[g]) +
                             " of its lift in the fluid from 3.12, at " + most[g].where + "; 4.0 gives all of it (" +
                             number(most[g].size) + " N more). All such geoms together: " + all.text());
    change.seen = all.seen();
    change.size = all.size;
    change.numbers = {{"share of the lift", share[g], 1, ""}};
  }
}

}  // namespace pliant::changes

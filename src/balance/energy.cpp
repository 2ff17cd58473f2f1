// Potential and kinetic energy. Constraints, actuators and fluids have no share in them.
//
// reads xipos qpos plastic ten_length M qvel · writes energy · cost: linear, plus one product with M

#include "inertia/inertia.h"
#include "joint/followers_hd.h"
#include "balance/energy_hd.h"
#include "balance/balance.h"

namespace pliant {

void run_energy_pos(const Model& m, const State& s, Data& d) {
  // Gravity: -Σ mass g·x.
  double energy = 0;
  if (!(m.opt.disableflags & kDisableGravity)) {
    const Vec3 gravity = vec3(m.opt.gravity, 0);
    for (int b = 1; b < m.nbody; ++b) energy -= m.body_mass[b] * dot(gravity, vec3(d.xipos, b));
  }
  if (!(m.opt.disableflags & kDisableSpring)) {
    for (int j = 0; j < m.njnt; ++j) energy += joint_potential(m, s, j);
    for (int t = 0; t < m.ntendon; ++t) energy += tendon_potential(m, s, d, t);
  }
  d.energy[0] = energy;
  d.done.energy_pos = true;
}

void run_energy_vel(const Model& m, const State& s, Data& d) {
  double* momentum = d.dof_scratch;
  multiply_mass(m, d, s.qvel, momentum);
  clear_followers(m, s, momentum);  // leaders carry it
  double twice = 0;
  for (int i = 0; i < m.nv; ++i) twice += momentum[i] * s.qvel[i];
  d.energy[1] = twice / 2;
  d.done.energy_vel = true;
}

}  // namespace pliant

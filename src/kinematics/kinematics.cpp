// The stages poses, com and velocity: loops over bodies, parents first (or last), around the kernels.

#include "kinematics/cameras_hd.h"
#include "kinematics/com_hd.h"
#include "kinematics/poses_hd.h"
#include "kinematics/velocity_hd.h"
#include "math/sincos.h"
#include "step/stages.h"

namespace pliant {

void run_poses(const Model& m, const State& s, Data& d) {
  // The world stands still.
  set(d.xpos, 0, Vec3{});
  set(d.xquat, 0, Quat{});
  set(d.xmat, 0, Mat3{});
  set(d.xipos, 0, Vec3{});
  set(d.ximat, 0, Mat3{});
  // Half the angle of every hinge (and something harmless for the others), all sines and cosines together.
  for (int j = 0; j < m.njnt; ++j) {
    const int adr = m.jnt_qposadr[j];
    d.hinge_sin[j] = 0.5 * (s.qpos[adr] - m.qpos0[adr]);
  }
  sincos_many(d.hinge_sin, d.hinge_cos, m.njnt);
  // Geoms and sites are numbered in the order of their bodies, so the body's frame is read once for all of
  // them.
  int geom = 0, site = 0;
  for (int b = 0; b < m.nbody; ++b) {
    if (b) body_pose(m, s, d, b);
    const int geoms = geom + m.body_geomnum[b];
    const bool has_sites = site < m.nsite && m.site_bodyid[site] == b;
    if (geom == geoms && !has_sites) continue;
    const Carrier<double> body = carrier(d, b);
    for (; geom < geoms; ++geom) geom_pose(m, d, body, geom);
    for (; site < m.nsite && m.site_bodyid[site] == b; ++site) site_pose(m, d, body, site);
  }
}

void run_com(const Model& m, const State&, Data& d) {
  for (int b = 0; b < m.nbody; ++b) set(d.subtree_com, b, vec3(d.xipos, b) * m.body_mass[b]);
  for (int b = m.nbody - 1; b >= 0; --b) gather_com(m, d, b);
  set(d.cinert, 0, Inertia{});
  for (int b = 1; b < m.nbody; ++b) body_inertia_about_com(m, d, b);
  for (int j = 0; j < m.njnt; ++j) joint_columns(m, d, j);
  for (int c = 0; c < m.ncam; ++c) camera_pose(m, d, c);
  for (int l = 0; l < m.nlight; ++l) light_pose(m, d, l);
}

void run_velocity(const Model& m, const State& s, Data& d) {
  set(d.cvel, 0, Spatial{});
  for (int b = 1; b < m.nbody; ++b) body_velocity(m, s, d, b);
  for (int t = 0; t < m.ntendon; ++t) {
    double velocity = 0;
    const int adr = m.ten_J_rowadr[t];
    for (int k = adr; k < adr + m.ten_J_rownnz[t]; ++k) velocity += d.ten_J[k] * s.qvel[m.ten_J_colind[k]];
    d.ten_velocity[t] = velocity;
  }
  const bool actuated = !(m.opt.disableflags & kDisableActuation);  // without it they read zero
  for (int i = 0; i < m.nout; ++i) {
    double velocity = 0;
    const int adr = d.moment_rowadr[i];
    for (int k = adr; k < adr + d.moment_rownnz[i]; ++k) {
      velocity += d.actuator_moment[k] * s.qvel[d.moment_colind[k]];
    }
    d.actuator_velocity[i] = actuated ? velocity : 0;
  }
}

}  // namespace pliant

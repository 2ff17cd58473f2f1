#pragma once
// The stages poses, com and velocity for one world: loops over bodies, joints and geoms around the kernels. (The stage
// cameras is in cameras_hd.h.)

#include "base/team.h"
#include "kinematics/cameras_hd.h"
#include "kinematics/com_hd.h"
#include "kinematics/poses_hd.h"
#include "kinematics/velocity_hd.h"
#include "math/sincos.h"

namespace pliant {

/// Sine and cosine of half the angle of every hinge (and something harmless for the other joints).
template <class Team, class M, class S, class D>
PLIANT_HD void hinge_angles(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  const auto half_angle = [&](int j) {
    const int adr = m.jnt_qposadr[j];
    return R(0.5) * (s.qpos[adr] - m.qpos0[adr]);
  };
  if constexpr (Team::kSerial && requires { sincos_many(d.hinge_sin, d.hinge_cos, 0); }) {
    for (int j = 0; j < m.njnt; ++j) d.hinge_sin[j] = half_angle(j);
    sincos_many(d.hinge_sin, d.hinge_cos, m.njnt);  // all together: the processor does four at a time
  } else {
    each(team, m.njnt, [&](int j) PLIANT_INLINED {
      const R x = half_angle(j);
      d.hinge_sin[j] = sin(x);
      d.hinge_cos[j] = cos(x);
    });
  }
}

/// Bodies with their geoms and sites, one body after the other. Geoms and sites are numbered in the order of their
/// bodies, so a body's frame is read once for all of them; and they keep the processor busy while the next body waits
/// for its parent (measured: a tenth of a step).
template <class M, class S, class D>
PLIANT_HD void poses_in_order(const M& m, const S& s, D& d) {
  using R = typename D::Real;
  int geom = 0, site = 0;
  for (int b = 0; b < m.nbody; ++b) {
    if (b) body_pose(m, s, d, b);
    const int geoms = geom + m.body_geomnum[b];
    const bool has_sites = site < m.nsite && m.site_bodyid[site] == b;
    if (geom == geoms && !has_sites) continue;
    const Carrier<R> body = carrier(d, b);
    for (; geom < geoms; ++geom) geom_pose(m, d, body, geom);
    for (; site < m.nsite && m.site_bodyid[site] == b; ++site) site_pose(m, d, body, site);
  }
}

template <class Team, class M, class S, class D>
PLIANT_HD void poses_stage(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  once(team, [&]() PLIANT_INLINED {  // the world stands still
    set(d.xpos, 0, Vec3T<R>{});
    set(d.xquat, 0, QuatT<R>{});
    set(d.xmat, 0, Mat3T<R>{});
    set(d.xipos, 0, Vec3T<R>{});
    set(d.xiquat, 0, QuatT<R>{});
    set(d.ximat, 0, Mat3T<R>{});
  });
  hinge_angles(team, m, s, d);
  if constexpr (Team::kSerial) {
    poses_in_order(m, s, d);
  } else {
    parents_first(team, m, [&](int b) PLIANT_INLINED { body_pose(m, s, d, b); });
    each(team, m.ngeom, [&](int geom) PLIANT_INLINED { geom_pose(m, d, carrier(d, m.geom_bodyid[geom]), geom); });
    each(team, m.nsite, [&](int site) PLIANT_INLINED { site_pose(m, d, carrier(d, m.site_bodyid[site]), site); });
  }
}

template <class Team, class M, class S, class D>
PLIANT_HD void com_stage(const Team& team, const M& m, const S&, D& d) {
  using R = typename D::Real;
  each(team, m.nbody, [&](int b) PLIANT_INLINED { set(d.subtree_com, b, vec3(d.xipos, b) * R(m.body_mass[b])); });
  children_first(team, m, [&](int b) PLIANT_INLINED { gather_com(m, d, b); });
  once(team, [&]() PLIANT_INLINED {
    gather_com(m, d, 0);
    set(d.cinert, 0, InertiaT<R>{});
  });
  each(team, m.nbody - 1, [&](int i) PLIANT_INLINED { body_inertia_about_com(m, d, i + 1); });
  each(team, m.njnt, [&](int j) PLIANT_INLINED { joint_columns(m, d, j); });
}

template <class Team, class M, class S, class D>
PLIANT_HD void velocity_stage(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  once(team, [&]() PLIANT_INLINED { set(d.cvel, 0, SpatialT<R>{}); });
  parents_first(team, m, [&](int b) PLIANT_INLINED { body_velocity(m, s, d, b); });
  each(team, m.ntendon, [&](int t) PLIANT_INLINED {
    R velocity = 0;
    const int adr = m.ten_J_rowadr[t];
    for (int k = adr; k < adr + m.ten_J_rownnz[t]; ++k) velocity += d.ten_J[k] * s.qvel[m.ten_J_colind[k]];
    d.ten_velocity[t] = velocity;
  });
  const bool actuated = !(m.opt.disableflags & kDisableActuation);  // without it they read zero
  each(team, m.nout, [&](int i) PLIANT_INLINED {
    R velocity = 0;
    const int adr = d.moment_rowadr[i];
    for (int k = adr; k < adr + d.moment_rownnz[i]; ++k) {
      velocity += d.actuator_moment[k] * s.qvel[d.moment_colind[k]];
    }
    d.actuator_velocity[i] = actuated ? velocity : R(0);
  });
}

}  // namespace pliant

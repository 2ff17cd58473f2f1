#pragma once
// Tendons: lengths, paths, Jacobian rows; inertia along a tendon and the force its change needs.
//
// reads qpos, poses cdof subtree_com; for the bias force cvel bias_acc
// writes ten_length ten_J ten_wrapadr ten_wrapnum wrap_obj wrap_xpos; M; qfrc_bias
// A fixed tendon is a weighted sum of joint positions. A spatial tendon is a path over sites,
// around geoms and over pulleys: its length is Σ |pieces| / divisor of the pulley before them.
// Cost: pieces times the depth of the bodies below their common ancestor.

#include "base/team.h"
#include "kinematics/tendon_wrap_hd.h"
#include "pliant/types.h"
#include "kinematics/jacobian_hd.h"
#include "math/field_values.h"

namespace pliant {

/// Whether the tendon is a sum of joint positions.
template <class M>
PLIANT_HD bool is_fixed_tendon(const M& m, int tendon) {
  return m.wrap_type[m.tendon_adr[tendon]] == static_cast<int>(WrapType::kJoint);
}

/// Whether an element of a path is a geom to go around.
template <class M>
PLIANT_HD bool is_wrapped_geom(const M& m, int wrap) {
  const auto type = static_cast<WrapType>(m.wrap_type[wrap]);
  return type == WrapType::kSphere || type == WrapType::kCylinder;
}

/// Whether wrap_prm of a geom names its side site: -1 if there is none, or the number of a site.
template <class M>
PLIANT_HD bool names_side_site(const M& m, int wrap) {
  const auto side = round(m.wrap_prm[wrap]);
  return side >= -1 && side < m.nsite;
}

/// The side site of a geom on a path; -1 if there is none, or none of this number (first_bad_side tells of that).
template <class M>
PLIANT_HD int side_site(const M& m, int wrap) {
  return names_side_site(m, wrap) ? static_cast<int>(round(m.wrap_prm[wrap])) : -1;
}

/// The first geom of a path whose side site does not exist: they are kept among real numbers that anybody may write.
/// -1 if all is well.
template <class M>
PLIANT_HD int first_bad_side(const M& m) {
  for (int k = 0; k < m.nwrap; ++k) {
    if (is_wrapped_geom(m, k) && !names_side_site(m, k)) return k;
  }
  return -1;
}

/// One step along a spatial tendon: from a site, around a geom if there is one, to the next site.
template <class R>
struct TendonStep {
  int site0, site1;
  int wrap;   ///< element of the path with the geom, -1 if there is none
  R divisor;  ///< of the last pulley
  bool last;  ///< whether the branch ends here
};

/// Walks along a spatial tendon: pulley() at each pulley, step(TendonStep) between sites.
template <class M, class P, class F>
PLIANT_HD void walk_tendon(const M& m, int tendon, P&& pulley, F&& step) {
  using R = ScalarOf<decltype(m.wrap_prm)>;
  const auto type = [&](int k) { return static_cast<WrapType>(m.wrap_type[k]); };
  const int end = m.tendon_adr[tendon] + m.tendon_num[tendon] - 1;
  R divisor = 1;
  for (int k = m.tendon_adr[tendon]; k < end;) {
    if (type(k) == WrapType::kPulley) {
      divisor = m.wrap_prm[k];
      pulley();
      ++k;
      continue;
    }
    if (type(k + 1) == WrapType::kPulley) {
      ++k;
      continue;
    }
    const bool around = type(k + 1) != WrapType::kSite;
    const int next = k + (around ? 2 : 1);
    const bool last = next == end || type(next + 1) == WrapType::kPulley;
    step(TendonStep<R>{m.wrap_objid[k], m.wrap_objid[next], around ? k + 1 : -1, divisor, last});
    k = next;
  }
}

/// row (by dof) += scale times the Jacobian of the distance between two points; returns the
/// distance.
template <class M, class D, class R, class F>
PLIANT_HD R add_straight_piece(const M& m, const D& d, int body0, Vec3T<R> p0, int body1, Vec3T<R> p1, R scale,
                               F& row) {
  R length;
  const Vec3T<R> along = normalized(p1 - p0, length);
  if (body0 == body1) return length;
  const Vec3T<R> pull = along * scale;
  relative_row(m, d, body0, wrench_at(m, d, body0, p0, -pull, Vec3T<R>{}), body1,
               wrench_at(m, d, body1, p1, pull, Vec3T<R>{}), [&](int dof, R value) { row[dof] += value; });
  return length;
}

/// Path, length and Jacobian row (by dof) of a spatial tendon; `point` is the next free one of
/// wrap_xpos.
template <class M, class D, class F>
PLIANT_HD void spatial_tendon(const M& m, D& d, int tendon, int& point, F& row) {
  using R = typename D::Real;
  constexpr int kOnSite = -1, kOnPulley = -2;
  const auto write = [&](Vec3T<R> pos, int object) {
    set(d.wrap_xpos, point, pos);
    d.wrap_obj[point++] = object;
  };
  R length = 0;
  walk_tendon(
      m, tendon, [&] { write(Vec3T<R>{}, kOnPulley); },
      [&](const TendonStep<R>& step) {
        const Vec3T<R> from = vec3(d.site_xpos, step.site0), to = vec3(d.site_xpos, step.site1);
        const int body0 = m.site_bodyid[step.site0], body1 = m.site_bodyid[step.site1];
        const R scale = 1 / step.divisor;
        write(from, kOnSite);
        GeomWrap<R> wrap;
        const int geom = step.wrap < 0 ? -1 : m.wrap_objid[step.wrap];
        if (geom >= 0) {
          const int side = side_site(m, step.wrap);
          const Vec3T<R> side_pos = side < 0 ? Vec3T<R>{} : vec3(d.site_xpos, side);
          wrap = wrap_geom(from, to, vec3(d.geom_xpos, geom), mat3(d.geom_xmat, geom), R(m.geom_size[3 * geom]),
                           m.wrap_type[step.wrap] == static_cast<int>(WrapType::kCylinder),
                           side < 0 ? nullptr : &side_pos);
        }
        if (wrap.wraps) {
          // The piece on the geom has one length for all motions of the geom.
          const int body = m.geom_bodyid[geom];
          length += (add_straight_piece(m, d, body0, from, body, wrap.first, scale, row) + wrap.length +
                     add_straight_piece(m, d, body, wrap.second, body1, to, scale, row)) *
                    scale;
          write(wrap.first, geom);
          write(wrap.second, geom);
        } else {
          length += add_straight_piece(m, d, body0, from, body1, to, scale, row) * scale;
        }
        if (step.last) write(to, kOnSite);
      });
  d.ten_length[tendon] = length;
}

/// Length and Jacobian row (by dof) of a fixed tendon.
template <class M, class S, class D, class F>
PLIANT_HD void fixed_tendon(const M& m, const S& s, D& d, int tendon, F& row) {
  using R = typename D::Real;
  const int adr = m.tendon_adr[tendon];
  R length = 0;
  for (int k = adr; k < adr + m.tendon_num[tendon]; ++k) {
    const int joint = m.wrap_objid[k];
    length += m.wrap_prm[k] * s.qpos[m.jnt_qposadr[joint]];
    row[m.jnt_dofadr[joint]] += m.wrap_prm[k];
  }
  d.ten_length[tendon] = length;
}

/// Everything about one tendon, in the order of tendons; `point` counts the points of all paths.
template <class M, class S, class D>
PLIANT_HD void tendon_geometry(const M& m, const S& s, D& d, int tendon, int& point) {
  d.ten_wrapadr[tendon] = point;
  // Summed by dof, then gathered into the sparse row.
  auto& row = d.dof_scratch;
  const int adr = m.ten_J_rowadr[tendon], end = adr + m.ten_J_rownnz[tendon];
  for (int k = adr; k < end; ++k) row[m.ten_J_colind[k]] = 0;
  if (is_fixed_tendon(m, tendon)) {
    fixed_tendon(m, s, d, tendon, row);
  } else {
    spatial_tendon(m, d, tendon, point, row);
  }
  for (int k = adr; k < end; ++k) {
    // A joint that a fixed tendon names twice has two columns: the first holds the sum.
    const int dof = m.ten_J_colind[k];
    d.ten_J[k] = row[dof];
    row[dof] = 0;
  }
  d.ten_wrapnum[tendon] = point - d.ten_wrapadr[tendon];
}

/// Inertia along the tendon: its own and that of its actuators, times gear².
template <class M>
PLIANT_HD auto tendon_inertia(const M& m, int tendon) {
  using R = ScalarOf<decltype(m.tendon_armature)>;
  R sum = m.tendon_armature[tendon];
  const int id = m.tendon_actuatorid[tendon];
  if (id == -1) return sum;
  // Below -1: several actuators share the tendon.
  const int first = id >= 0 ? id : 0, end = id >= 0 ? id + 1 : m.nactuator;
  for (int i = first; i < end; ++i) {
    if (m.actuator_trntype[i] != static_cast<int>(TransmissionType::kTendon)) continue;
    if (m.actuator_trnid[2 * i] != tendon) continue;
    const R gear = m.actuator_gear[6 * m.actuator_outadr[i]];
    sum += m.actuator_armature[i] * gear * gear;
  }
  return sum;
}

/// M += inertia JᵀJ, as far as M has the entries: dofs of different branches stay uncoupled.
template <class M, class D, class R>
PLIANT_HD void add_inertia_along(const M& m, D& d, int tendon, R inertia) {
  const int adr = m.ten_J_rowadr[tendon], end = adr + m.ten_J_rownnz[tendon];
  for (int i = adr; i < end; ++i) {
    const int dof = m.ten_J_colind[i];
    const R momentum = inertia * d.ten_J[i];
    // Columns ascend in both rows.
    int entry = m.M_rowadr[dof];
    const int row_end = entry + m.M_rownnz[dof];
    for (int j = adr; j <= i; ++j) {
      const int column = m.ten_J_colind[j];
      while (entry < row_end && m.M_colind[entry] < column) ++entry;
      if (entry == row_end || m.M_colind[entry] != column) continue;
      if (!moves_together(m, column, dof)) continue;
      d.M[entry] += momentum * d.ten_J[j];
    }
  }
}

/// Acceleration of the length without qacc, J̇ qvel, of a spatial tendon that touches no geoms.
template <class M, class D>
PLIANT_HD auto tendon_bias_acceleration(const M& m, const D& d, int tendon) {
  using R = typename D::Real;
  // Of a point: a + α × r + ω × v. Gravity, part of bias_acc everywhere, drops out of differences.
  const auto acceleration = [&](int body, Vec3T<R> point, Vec3T<R> velocity) {
    const SpatialT<R> a = spatial(d.bias_acc, body);
    const Vec3T<R> offset = point - vec3(d.subtree_com, m.body_rootid[body]);
    return a.lin + cross(a.ang, offset) + cross(spatial(d.cvel, body).ang, velocity);
  };
  R sum = 0;
  walk_tendon(
      m, tendon, [] {},
      [&](const TendonStep<R>& step) {
        const int body0 = m.site_bodyid[step.site0], body1 = m.site_bodyid[step.site1];
        if (body0 == body1) return;
        const Vec3T<R> p0 = vec3(d.site_xpos, step.site0), p1 = vec3(d.site_xpos, step.site1);
        const Vec3T<R> v0 = point_velocity(m, d, body0, p0), v1 = point_velocity(m, d, body1, p1);
        R length;
        const Vec3T<R> along = normalized(p1 - p0, length);
        // d²|Δ|/dt² = u · Δ̈ + |Δ̇ across u|² / |Δ|
        const Vec3T<R> speed = v1 - v0, across = speed - along * dot(along, speed);
        const R turning = length > R(kTiny) ? dot(across, across) / length : R(0);
        sum += (dot(along, acceleration(body1, p1, v1) - acceleration(body0, p0, v0)) + turning) / step.divisor;
      });
  return sum;
}

/// The stage tendons. Points of all paths follow one another and rows share one array: one member does them all.
template <class Team, class M, class S, class D>
PLIANT_HD void tendons_stage(const Team& team, const M& m, const S& s, D& d) {
  if (m.ntendon == 0) return;
  once(team, [&]() PLIANT_INLINED {
    int point = 0;
    for (int t = 0; t < m.ntendon; ++t) tendon_geometry(m, s, d, t, point);
  });
}

}  // namespace pliant

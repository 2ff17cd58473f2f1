#pragma once
// Two points held together: three rows, p1 - p2 in world axes.
//
// reads eq_* xpos xmat site_xpos cdof subtree_com · body form: anchors in both body frames; site form: the sites
// One impedance for all rows, from the distance of the points.

#include "constraint/body_pair_hd.h"
#include "constraint/kinds/one_row_hd.h"
#include "kinematics/object_hd.h"

namespace pliant {

/// The two bodies of a connect or weld, and where their anchors are.
template <class R>
struct HeldBodies {
  int body_a, body_b;
  Vec3T<R> point_a, point_b;
};

template <class M>
PLIANT_HD bool holds_sites(const M& m, int equality) {
  return m.eq_objtype[equality] == static_cast<int>(ObjType::kSite);
}

/// data_a and data_b: first number of each body's anchor in eq_data.
template <class M, class D>
PLIANT_HD auto held_bodies(const M& m, const D& d, int equality, int data_a, int data_b) {
  using R = typename D::Real;
  const int a = m.eq_obj1id[equality], b = m.eq_obj2id[equality];
  if (holds_sites(m, equality)) {
    return HeldBodies<R>{m.site_bodyid[a], m.site_bodyid[b], vec3(d.site_xpos, a), vec3(d.site_xpos, b)};
  }
  const auto data = m.eq_data + kNumEqData * equality;
  return HeldBodies<R>{a, b, vec3(d.xpos, a) + mat3(d.xmat, a) * vec3(data + data_a, 0),
                       vec3(d.xpos, b) + mat3(d.xmat, b) * vec3(data + data_b, 0)};
}

template <class M, class D>
PLIANT_HD auto connected_bodies(const M& m, const D& d, int equality) {
  return held_bodies(m, d, equality, 0, 3);
}

/// World axis k at the two points, with opposite signs: directions k of the difference p1 - p2.
template <class M, class D, class R, int n>
PLIANT_HD void difference_directions(const M& m, const D& d, const HeldBodies<R>& held, PairDirections<R, n>& out) {
  for (int k = 0; k < 3; ++k) {
    Vec3T<R> axis{};
    axis[k] = 1;
    out.first[k] = wrench_at(m, d, held.body_a, held.point_a, axis, Vec3T<R>{});
    out.second[k] = wrench_at(m, d, held.body_b, held.point_b, -axis, Vec3T<R>{});
  }
}

/// The bodies that a connect or weld holds together.
template <class M>
PLIANT_HD PairChain<M> held_chain(const M& m, int equality) {
  const bool sites = holds_sites(m, equality);
  const int a = m.eq_obj1id[equality], b = m.eq_obj2id[equality];
  return {m, sites ? m.site_bodyid[a] : a, sites ? m.site_bodyid[b] : b, true};
}

/// Asks for the rows of a connect or weld, before any pose is looked at; false if there are none to write.
template <class M, class Sink>
PLIANT_HD bool begin_held_rows(const M& m, int equality, int rows, const PairChain<M>& chain, Sink& sink) {
  if (last_dof(m, chain.body_a) < 0 && last_dof(m, chain.body_b) < 0) return false;
  return sink.begin(RowType::kEquality, equality, rows, chain);
}

/// Acceleration of a point of a body without qacc; gravity, part of bias_acc everywhere, drops out of differences.
template <class M, class D, class R>
PLIANT_HD Vec3T<R> bias_acceleration_at(const M& m, const D& d, int body, Vec3T<R> point) {
  const SpatialT<R> a = spatial(d.bias_acc, body), v = spatial(d.cvel, body);
  const Vec3T<R> offset = point - vec3(d.subtree_com, m.body_rootid[body]);
  const Vec3T<R> velocity = v.lin + cross(v.ang, offset);
  return a.lin + cross(a.ang, offset) + cross(v.ang, velocity);
}

/// J̇ qvel of the three rows of a point held.
template <class M, class D, class R>
PLIANT_HD void subtract_point_bias(const M& m, D& d, int row, const HeldBodies<R>& held) {
  const Vec3T<R> bias =
      bias_acceleration_at(m, d, held.body_a, held.point_a) - bias_acceleration_at(m, d, held.body_b, held.point_b);
  for (int k = 0; k < 3; ++k) d.rows.row_aref[row + k] -= bias[k];
}

/// A point of a body in the world, and the other way round.
template <class D>
Vec3 to_world(const D& d, int body, Vec3 local) {
  return mat3(d.xmat, body) * local + vec3(d.xpos, body);
}
template <class D>
Vec3 to_body(const D& d, int body, Vec3 world) {
  return transposed_times(mat3(d.xmat, body), world - vec3(d.xpos, body));
}
template <class M>
int second_body(const M& m, int equality) {
  return m.eq_obj2id[equality] < 0 ? 0 : m.eq_obj2id[equality];
}

struct ConnectEquality : OneRow {
  static constexpr int kRows = 3;

  template <class M, class S, class D, class Sink>
  PLIANT_HD static void rows(const M& m, const S&, const D& d, int equality, Sink& sink) {
    using R = typename D::Real;
    const PairChain<M> chain = held_chain(m, equality);
    if (!begin_held_rows(m, equality, 3, chain, sink)) return;

    const HeldBodies<R> held = connected_bodies(m, d, equality);
    PairDirections<R, 3> directions;
    difference_directions(m, d, held, directions);
    R* const J = sink.J(0);
    const int length = sink.length();
    for_pair_columns(chain, d, directions, length, [&](int place, const R* values) {
      for (int k = 0; k < 3; ++k) J[k * length + place] = values[k];
    });

    const Vec3T<R> residual = held.point_a - held.point_b;
    const R weight = m.body_invweight0[2 * held.body_a] + m.body_invweight0[2 * held.body_b];
    for (int k = 0; k < 3; ++k) sink.row(k, residual[k], R(0), weight);
    sink.finish(m.eq_solref + kNumRef * equality, m.eq_solimp + kNumImp * equality, norm(residual));
  }

  template <class M, class D>
  PLIANT_HD static void subtract_bias(const M& m, D& d, int row, int equality) {
    subtract_point_bias(m, d, row, connected_bodies(m, d, equality));
  }

  template <class M, class D, class Push>
  PLIANT_HD static void body_forces(const M& m, const D& d, int row, int equality, Push&& push) {
    using R = typename D::Real;
    const auto held = connected_bodies(m, d, equality);
    const Vec3T<R> force = vec3(d.rows.row_force + row, 0);
    push.at(held.body_a, held.point_a, force, Vec3T<R>{});
    push.at(held.body_b, held.point_b, -force, -Vec3T<R>{});
  }

  template <class M, class Add>
  static void residuals(const M&, int, int row, Add&& add) {
    add("connect", row, 3);
  }

  /// Where the second body holds the anchor.
  template <class M, class D>
  static void fit(M& m, const D& d, int equality) {
    if (holds_sites(m, equality)) return;
    double* data = m.eq_data + kNumEqData * equality;
    set(data, 1, to_body(d, second_body(m, equality), to_world(d, m.eq_obj1id[equality], vec3(data, 0))));
  }
};

}  // namespace pliant

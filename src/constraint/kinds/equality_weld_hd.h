#pragma once
// Two frames held together: three rows for the points, p1 - p2, three for the rotation.
//
//   rotation residual = torquescale · vec(q2* ⊗ q1 ⊗ relquat) = torquescale · sin(angle / 2) · axis
//   its derivative for an angular velocity ω of body 1 relative to body 2: torquescale / 2 · vec(q2* ⊗ ω ⊗ q1 ⊗
//   relquat)
//
// reads eq_* xpos xmat xquat site_* cdof subtree_com. One impedance for all rows, from the norm of all six residuals.

#include "constraint/kinds/equality_connect_hd.h"

namespace pliant {

template <class M, class D>
PLIANT_HD auto welded_bodies(const M& m, const D& d, int equality) {
  return held_bodies(m, d, equality, 3, 0);
}

template <class R>
struct WeldRotation {
  QuatT<R> first;        ///< q1 ⊗ relquat
  QuatT<R> second_back;  ///< q2*
  R scale;               ///< torquescale
  PLIANT_HD Vec3T<R> residual() const {
    const QuatT<R> q = second_back * first;
    return Vec3T<R>{q.x, q.y, q.z} * scale;
  }
  /// vec(q2* ⊗ (w, v) ⊗ q1 relquat) · torquescale / 2
  PLIANT_HD Vec3T<R> between(QuatT<R> middle) const {
    const QuatT<R> q = second_back * middle * first;
    return Vec3T<R>{q.x, q.y, q.z} * (R(0.5) * scale);
  }
  PLIANT_HD Vec3T<R> rate(Vec3T<R> w) const { return between({0, w.x, w.y, w.z}); }
  /// The torque on body 1 [N m, world axes] of forces f in the three rows: the transpose of rate.
  PLIANT_HD Vec3T<R> torque(Vec3T<R> f) const {
    return {dot(rate({1, 0, 0}), f), dot(rate({0, 1, 0}), f), dot(rate({0, 0, 1}), f)};
  }
};

template <class M, class D>
PLIANT_HD auto weld_rotation(const M& m, const D& d, int equality) {
  using R = typename D::Real;
  const auto data = m.eq_data + kNumEqData * equality;
  const int a = m.eq_obj1id[equality], b = m.eq_obj2id[equality];
  const R scale = data[kTorqueScale];
  if (holds_sites(m, equality)) {
    const QuatT<R> first = quat(d.xquat, m.site_bodyid[a]) * quat(m.site_quat, a);
    const QuatT<R> second = quat(d.xquat, m.site_bodyid[b]) * quat(m.site_quat, b);
    return WeldRotation<R>{first, conjugate(second), scale};
  }
  const QuatT<R> relative{data[6], data[7], data[8], data[9]};
  return WeldRotation<R>{quat(d.xquat, a) * relative, conjugate(quat(d.xquat, b)), scale};
}

struct WeldEquality : OneRow {
  static constexpr int kRows = 6;

  template <class M, class S, class D, class Sink>
  PLIANT_HD static void rows(const M& m, const S&, const D& d, int equality, Sink& sink) {
    using R = typename D::Real;
    const PairChain<M> chain = held_chain(m, equality);
    if (!begin_held_rows(m, equality, 6, chain, sink)) return;

    const HeldBodies<R> held = welded_bodies(m, d, equality);
    const WeldRotation<R> rotation = weld_rotation(m, d, equality);
    PairDirections<R, 6> directions;
    difference_directions(m, d, held, directions);
    // the rate is linear in ω: its matrix, column by column
    const Vec3T<R> x = rotation.rate({1, 0, 0}), y = rotation.rate({0, 1, 0}), z = rotation.rate({0, 0, 1});
    for (int k = 0; k < 3; ++k) {
      const Vec3T<R> axis{x[k], y[k], z[k]};
      directions.first[3 + k] = {axis, {}};
      directions.second[3 + k] = {-axis, {}};
    }
    R* const J = sink.J(0);
    const int length = sink.length();
    for_pair_columns(chain, d, directions, length, [&](int place, const R* values) {
      for (int k = 0; k < 6; ++k) J[k * length + place] = values[k];
    });

    const Vec3T<R> apart = held.point_a - held.point_b, turned = rotation.residual();
    for (int k = 0; k < 3; ++k) {
      sink.row(k, apart[k], R(0), m.body_invweight0[2 * held.body_a] + m.body_invweight0[2 * held.body_b]);
      sink.row(3 + k, turned[k], R(0), m.body_invweight0[2 * held.body_a + 1] + m.body_invweight0[2 * held.body_b + 1]);
    }
    sink.finish(m.eq_solref + kNumRef * equality, m.eq_solimp + kNumImp * equality,
                std::sqrt(dot(apart, apart) + dot(turned, turned)));
  }

  /// J̇ qvel of a weld's rotation: with ω = ω1 - ω2 the product q2* ⊗ ω ⊗ q1 changes in all three factors,
  ///   d/dt = q2* ⊗ (ω̇ - ½ ω2 ω + ½ ω ω1) ⊗ q1
  template <class M, class D>
  PLIANT_HD static void subtract_bias(const M& m, D& d, int row, int equality) {
    using R = typename D::Real;
    const auto held = welded_bodies(m, d, equality);
    subtract_point_bias(m, d, row, held);
    const Vec3T<R> w1 = spatial(d.cvel, held.body_a).ang, w2 = spatial(d.cvel, held.body_b).ang, w = w1 - w2;
    const Vec3T<R> rate = spatial(d.bias_acc, held.body_a).ang - spatial(d.bias_acc, held.body_b).ang;
    const QuatT<R> before = QuatT<R>{0, w2.x, w2.y, w2.z} * QuatT<R>{0, w.x, w.y, w.z};
    const QuatT<R> after = QuatT<R>{0, w.x, w.y, w.z} * QuatT<R>{0, w1.x, w1.y, w1.z};
    const R half = R(0.5);
    const QuatT<R> middle{half * (after.w - before.w), rate.x + half * (after.x - before.x),
                          rate.y + half * (after.y - before.y), rate.z + half * (after.z - before.z)};
    const Vec3T<R> bias = weld_rotation(m, d, equality).between(middle);
    for (int k = 0; k < 3; ++k) d.rows.row_aref[row + 3 + k] -= bias[k];
  }

  template <class M, class D, class Push>
  PLIANT_HD static void body_forces(const M& m, const D& d, int row, int equality, Push&& push) {
    const auto held = welded_bodies(m, d, equality);
    const auto force = vec3(d.rows.row_force + row, 0);
    const auto torque = weld_rotation(m, d, equality).torque(vec3(d.rows.row_force + row, 1));
    push.at(held.body_a, held.point_a, force, torque);
    push.at(held.body_b, held.point_b, -force, -torque);
  }

  template <class M, class Add>
  static void residuals(const M& m, int equality, int row, Add&& add) {
    add("weld position", row, 3);
    auto& rotation = add("weld rotation", row + 3, 3);
    // rows measure torquescale times the sine of half the angle
    const double scale = m.eq_data[kNumEqData * equality + kTorqueScale];
    const double sine = scale > 0 ? rotation.value / scale : 0;
    rotation.value = 2 * std::asin(sine < 1 ? sine : 1);
  }

  /// How the bodies stand to each other, unless that was given.
  template <class M, class D>
  static void fit(M& m, const D& d, int equality) {
    double* data = m.eq_data + kNumEqData * equality;
    if (holds_sites(m, equality) || data[kWeldPoseAtQpos0] == 0) return;
    double* relative = data + 6;
    const int body1 = m.eq_obj1id[equality], body2 = second_body(m, equality);
    set(data, 1, to_body(d, body1, to_world(d, body2, vec3(data, 0))));
    set(relative, 0, conjugate(quat(d.xquat, body1)) * quat(d.xquat, body2));
  }
};

}  // namespace pliant

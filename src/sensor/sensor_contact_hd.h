#pragma once
// Sensors of contacts and limits: touch, contact, jointlimit…, tendonlimit….
//
// reads contact rows site_xpos site_xmat cvel · writes the numbers of one sensor
// cost: linear in contacts or rows; sorted contact sensors: contacts times slots

#include "constraint/contact_force_hd.h"
#include "geom/ray_hd.h"
#include "kinematics/object_hd.h"
#include "math/scalar.h"
#include "model/sensor_kinds.h"
#include "sensor/sensor_enclosure_hd.h"
#include "sensor/sensor_position_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

template <class M, class Out>
PLIANT_HD void read_zero(const M& m, int i, Out& out) {
  for (int k = 0; k < m.sensor_dim[i]; ++k) out[k] = 0;
}
/// user and tactile sensors and plugins: nothing measures them here.
template <class M, class S, class D, class Out>
PLIANT_HD void sense_nothing(const M& m, const S&, const D&, int i, Out& out) {
  read_zero(m, i, out);
}

// ---- limits
// ----------------------------------------------------------------------------------------------------

/// The row of a limit that is reached; -1 if it is not.
template <class D>
PLIANT_HD int limit_row(const D& d, RowType type, int id) {
  for (int row = d.rows.ne + d.rows.nf; row < d.rows.ne + d.rows.nf + d.rows.nl; ++row) {
    if (static_cast<RowType>(d.rows.row_type[row]) == type && d.rows.row_id[row] == id) return row;
  }
  return -1;
}
template <class M, class S, class D, class Out>
PLIANT_HD void sense_limit(const M& m, const S&, const D& d, int i, Out& out) {
  const auto type = static_cast<SensorType>(m.sensor_type[i]);
  const bool joint =
      type == SensorType::kJointLimitPos || type == SensorType::kJointLimitVel || type == SensorType::kJointLimitFrc;
  const int row = limit_row(d, joint ? RowType::kLimitJoint : RowType::kLimitTendon, m.sensor_objid[i]);
  out[0] = 0;
  if (row < 0) return;
  // (under TGS there may be a row for a limit that will be reached within the step)
  const bool reached = d.rows.row_pos[row] < d.rows.row_margin[row];
  if (type == SensorType::kJointLimitPos || type == SensorType::kTendonLimitPos) {
    if (reached) out[0] = d.rows.row_pos[row] - d.rows.row_margin[row];
  } else if (type == SensorType::kJointLimitVel || type == SensorType::kTendonLimitVel) {
    if (reached) out[0] = d.rows.row_vel[row];
  } else if (d.rows.row_force != nullptr) {
    out[0] = d.rows.row_force[row];
  }
}

// ---- touch
// -----------------------------------------------------------------------------------------------------

/// Sum of the normal forces on the site's body whose line of action, followed from the contact into
/// the body's outside, meets the site's volume.
template <class M, class S, class D, class Out>
PLIANT_HD void sense_touch(const M& m, const S&, const D& d, int i, Out& out) {
  using R = typename D::Real;
  const int site = m.sensor_objid[i], body = m.site_bodyid[site];
  const Mat3T<R> axes = mat3(d.site_xmat, site);
  const Vec3T<R> center = vec3(d.site_xpos, site);
  R sum = 0;
  for (int k = 0; k < d.ncon; ++k) {
    const auto& c = d.contact[k];
    const int first = m.geom_bodyid[c.geom[0]], second = m.geom_bodyid[c.geom[1]];
    if (c.row < 0 || (first != body && second != body)) continue;
    const R force = contact_wrench(d, k).force.x;
    if (!(force > 0)) continue;
    Vec3T<R> away{R(c.frame[0]), R(c.frame[1]), R(c.frame[2])};
    if (second == body) away = -away;
    const Vec3T<R> pos{R(c.pos[0]), R(c.pos[1]), R(c.pos[2])};
    Vec3T<R> normal;
    const R x = ray_primitive(static_cast<GeomType>(m.site_type[site]), Vec3T<R>(vec3(m.site_size, site)),
                              transposed_times(axes, pos - center), transposed_times(axes, away), normal);
    if (x >= 0) sum += force;
  }
  out[0] = sum;
}

// ---- contact
// ---------------------------------------------------------------------------------------------------

/// Whether a side of a contact is what the sensor asks for: a geom, a body, or a body with
/// everything it carries.
template <class M>
PLIANT_HD bool is_side(const M& m, int geom, ObjType type, int id) {
  switch (type) {
    case ObjType::kGeom:
      return geom == id;
    case ObjType::kBody:
      return m.geom_bodyid[geom] == id;
    case ObjType::kXbody: {
      int body = m.geom_bodyid[geom];
      while (body > id) body = m.body_parentid[body];
      return body == id;
    }
    default:
      return true;  // nothing asked for, or a site, which has been tested
  }
}

/// 1: the contact matches; -1: it does with its sides exchanged; 0: it does not.
template <class M, class D, class C>
PLIANT_HD int match_contact(const M& m, const D& d, int i, const C& c) {
  using R = typename D::Real;
  const auto type1 = static_cast<ObjType>(m.sensor_objtype[i]), type2 = static_cast<ObjType>(m.sensor_reftype[i]);
  const int id1 = m.sensor_objid[i], id2 = m.sensor_refid[i];
  if (type1 == ObjType::kSite) {
    if (!is_inside_site(m, d, id1, Vec3T<R>{R(c.pos[0]), R(c.pos[1]), R(c.pos[2])})) return 0;
  }
  const bool first1 = is_side(m, c.geom[0], type1, id1), second1 = is_side(m, c.geom[1], type1, id1);
  const bool first2 = is_side(m, c.geom[0], type2, id2), second2 = is_side(m, c.geom[1], type2, id2);
  if ((!first1 && !second1) || (!first2 && !second2)) return 0;
  if (type1 != ObjType::kUnknown && type2 != ObjType::kUnknown) {
    return first1 && second2 ? 1 : second1 && first2 ? -1 : 0;
  }
  if (type1 != ObjType::kUnknown) return first1 ? 1 : -1;   // the normal points away from object 1
  if (type2 != ObjType::kUnknown) return second2 ? 1 : -1;  // towards object 2
  return 1;
}

/// Writes the fields that were asked for one after the other.
template <class Out, class R>
struct ContactFields {
  Out& out;
  int wanted, at;
  PLIANT_HD bool wants(ContactData field) const { return wanted >> static_cast<int>(field) & 1; }
  PLIANT_HD void number(ContactData field, R x) {
    if (wants(field)) out[at++] = x;
  }
  PLIANT_HD void vector(ContactData field, Vec3T<R> v) {
    if (!wants(field)) return;
    out[at] = v.x, out[at + 1] = v.y, out[at + 2] = v.z;
    at += 3;
  }
};

/// Velocity of the second body against the first at a contact, in its frame: separating is positive.
template <class M, class D, class C>
PLIANT_HD auto contact_velocity(const M& m, const D& d, const C& c) {
  using R = typename D::Real;
  const Vec3T<R> point{R(c.pos[0]), R(c.pos[1]), R(c.pos[2])};
  const SpatialT<R> apart =
      velocity_at(m, d, m.geom_bodyid[c.geom[1]], point) - velocity_at(m, d, m.geom_bodyid[c.geom[0]], point);
  Mat3T<R> frame;  // rows are the axes
  for (int j = 0; j < 9; ++j) frame.m[j] = R(c.frame[j]);
  return SpatialT<R>{frame * apart.ang, frame * apart.lin};
}

/// One contact. Exchanging its sides turns its frame half way round about the second tangent.
template <class M, class D, class Fields>
PLIANT_HD void write_contact(const M& m, const D& d, int contact, bool flip, int found, Fields& fields) {
  using R = typename D::Real;
  const auto& c = d.contact[contact];
  ContactForceT<R> wrench = contact_wrench(d, contact);
  const R sign = flip ? R(-1) : R(1);
  wrench.force.z *= sign, wrench.torque.z *= sign;
  fields.number(ContactData::kFound, R(found));
  fields.vector(ContactData::kForce, wrench.force);
  fields.vector(ContactData::kTorque, wrench.torque);
  fields.number(ContactData::kDist, R(c.dist));
  fields.vector(ContactData::kPos, Vec3T<R>{R(c.pos[0]), R(c.pos[1]), R(c.pos[2])});
  fields.vector(ContactData::kNormal, sign * Vec3T<R>{R(c.frame[0]), R(c.frame[1]), R(c.frame[2])});
  fields.vector(ContactData::kTangent, sign * Vec3T<R>{R(c.frame[3]), R(c.frame[4]), R(c.frame[5])});
  if (!fields.wants(ContactData::kLinVel) && !fields.wants(ContactData::kAngVel)) return;
  SpatialT<R> velocity = contact_velocity(m, d, c);
  velocity.lin.z *= sign, velocity.ang.z *= sign;
  fields.vector(ContactData::kLinVel, velocity.lin);
  fields.vector(ContactData::kAngVel, velocity.ang);
}

/// All of them as one force in world axes, at the mean of their positions weighted by force. There is no velocity of
/// all of them: the compiler refuses it.
template <class M, class D, class Fields>
PLIANT_HD void write_net_force(const M& m, const D& d, int i, Fields& fields) {
  using R = typename D::Real;
  Vec3T<R> point, force, torque;
  R weights = 0;
  int found = 0;
  for (int k = 0; k < d.ncon; ++k) {
    if (match_contact(m, d, i, d.contact[k]) == 0) continue;
    const R weight = norm(contact_wrench(d, k).force);
    const auto& pos = d.contact[k].pos;
    point = fused(weight, Vec3T<R>{R(pos[0]), R(pos[1]), R(pos[2])}, point);
    weights += weight;
    ++found;
  }
  if (found == 0) return;
  point = point * (1 / at_least(R(kTiny), weights));
  for (int k = 0; k < d.ncon; ++k) {
    const auto& c = d.contact[k];
    const int match = match_contact(m, d, i, c);
    if (match == 0) continue;
    const ContactForceT<R> wrench = contact_wrench(d, k);
    Mat3T<R> frame;
    for (int j = 0; j < 9; ++j) frame.m[j] = R(c.frame[j]);
    const Vec3T<R> f = R(match) * transposed_times(frame, wrench.force);
    force = force + f;
    torque = torque + R(match) * transposed_times(frame, wrench.torque);
    torque = torque + cross(Vec3T<R>{R(c.pos[0]), R(c.pos[1]), R(c.pos[2])} - point, f);
  }
  fields.number(ContactData::kFound, R(found));
  fields.vector(ContactData::kForce, force);
  fields.vector(ContactData::kTorque, torque);
  fields.number(ContactData::kDist, R(0));
  fields.vector(ContactData::kPos, point);
  fields.vector(ContactData::kNormal, Vec3T<R>{1, 0, 0});
  fields.vector(ContactData::kTangent, Vec3T<R>{0, 1, 0});
}

/// What contacts are sorted by, ascending; of equal ones the lower number comes first.
template <class D>
PLIANT_HD typename D::Real contact_rank(const D& d, int contact, ContactReduce reduce) {
  using R = typename D::Real;
  if (reduce == ContactReduce::kMinDist) return R(d.contact[contact].dist);
  if (reduce != ContactReduce::kMaxForce) return 0;
  const Vec3T<R> force = contact_wrench(d, contact).force;
  return -dot(force, force);
}

template <class M, class S, class D, class Out>
PLIANT_HD_NOINLINE void sense_contact(const M& m, const S&, const D& d, int i, Out& out) {
  using R = typename D::Real;
  read_zero(m, i, out);
  ContactFields<Out, R> fields{out, m.sensor_intprm[kNumSensorPrm * i], 0};
  const auto reduce = static_cast<ContactReduce>(m.sensor_intprm[kNumSensorPrm * i + 1]);
  if (reduce == ContactReduce::kNetForce) return write_net_force(m, d, i, fields);
  int found = 0;
  for (int k = 0; k < d.ncon; ++k) found += match_contact(m, d, i, d.contact[k]) != 0;
  // slot after slot: the least contact that comes after the last one
  int last = -1;
  R last_rank = 0;
  for (int slot = 0; slot < found && fields.at < m.sensor_dim[i]; ++slot) {
    int best = -1, flip = 0;
    R best_rank = 0;
    for (int k = 0; k < d.ncon; ++k) {
      const int match = match_contact(m, d, i, d.contact[k]);
      if (match == 0) continue;
      const R rank = contact_rank(d, k, reduce);
      const bool done = last >= 0 && (rank < last_rank || (rank == last_rank && k <= last));
      if (done || (best >= 0 && !(rank < best_rank))) continue;
      best = k, best_rank = rank, flip = match < 0;
    }
    if (best < 0) break;
    write_contact(m, d, best, flip, found, fields);
    last = best, last_rank = best_rank;
  }
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant

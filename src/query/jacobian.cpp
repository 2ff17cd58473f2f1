// Jacobians as dense matrices of three rows.
//
// reads cdof cdof_dot cvel subtree_com xanchor crb · writes nothing of Data · cost: the dofs that matter,
// after clearing

#include <algorithm>

#include "kinematics/object_hd.h"
#include "pliant/kinds.h"
#include "pliant/query.h"
#include "kinematics/jacobian_hd.h"

namespace pliant {
namespace {

void clear(const Model& m, double* matrix) {
  if (matrix) std::fill(matrix, matrix + 3 * m.nv, 0.0);
}
void put_column(const Model& m, double* matrix, int dof, Vec3 column) {
  if (!matrix) return;
  for (int k = 0; k < 3; ++k) matrix[k * m.nv + dof] = column[k];
}

// Calls f(dof, part) for every dof that moves something of a subtree; `part` is the body whose
// subtree it moves there: `body` itself for dofs below it, a descendant otherwise.
template <class F>
void for_dofs_of_subtree(const Model& m, int body, F&& f) {
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) f(dof, body);
  // bodies of a subtree are consecutive
  for (int b = body + 1; b < m.nbody && m.body_parentid[b] >= body; ++b) {
    for (int dof = m.body_dofadr[b]; dof < m.body_dofadr[b] + m.body_dofnum[b]; ++dof) f(dof, b);
  }
}

// The velocity before the joint, from what it does to the three columns of a ball (cdof_dot = before × column): for any
// three axes e at right angles, sum of e × (w × e) = 2 w.
Spatial velocity_before_ball(const Data& d, int first_dof) {
  Spatial before{};
  for (int dof = first_dof; dof < first_dof + 3; ++dof)
    before.ang = before.ang + cross(spatial(d.cdof, dof).ang, spatial(d.cdof_dot, dof).ang) * 0.5;
  for (int dof = first_dof; dof < first_dof + 3; ++dof) {
    const Spatial column = spatial(d.cdof, dof);
    before.lin = before.lin + cross(column.ang, spatial(d.cdof_dot, dof).lin - cross(before.ang, column.lin)) * 0.5;
  }
  return before;
}

// Columns of rotations about the body's own axes turn with the body, that is after the joint, not before it; their
// anchor moves with what is before it. (Without further joints of the body, both are the motion of the body.)
Spatial column_rate(const Model& m, const Data& d, int dof) {
  const int joint = m.dof_jntid[dof], body = m.dof_bodyid[dof];
  const JointKind& kind = joint_kind(m.jnt_type[joint]);
  const bool turns_with_body = kind.has_quaternion() && dof >= m.jnt_dofadr[joint] + kind.quaternion;
  if (!turns_with_body) return spatial(d.cdof_dot, dof);
  Spatial motion = spatial(d.cvel, body);
  if (kind.is_ball() && joint + 1 < m.body_jntadr[body] + m.body_jntnum[body]) {
    const Spatial before = velocity_before_ball(d, m.jnt_dofadr[joint]);
    const Vec3 anchor = offset_in_tree(m, d, body, vec3(d.xanchor, joint));
    motion.lin = before.lin + cross(before.ang - motion.ang, anchor);
  }
  return cross_motion(motion, spatial(d.cdof, dof));
}

}  // namespace

void jacobian(const Model& m, const Data& d, int body, const double point[3], double* jacp, double* jacr) {
  clear(m, jacp);
  clear(m, jacr);
  const Vec3 offset = offset_in_tree(m, d, body, vec3(point, 0));
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    const Spatial column = motion_at(d, dof, offset);
    put_column(m, jacp, dof, column.lin);
    put_column(m, jacr, dof, column.ang);
  }
}

void jacobian_body(const Model& m, const Data& d, int body, double* jacp, double* jacr) {
  jacobian(m, d, body, d.xpos + 3 * body, jacp, jacr);
}
void jacobian_body_com(const Model& m, const Data& d, int body, double* jacp, double* jacr) {
  jacobian(m, d, body, d.xipos + 3 * body, jacp, jacr);
}
void jacobian_geom(const Model& m, const Data& d, int geom, double* jacp, double* jacr) {
  jacobian(m, d, m.geom_bodyid[geom], d.geom_xpos + 3 * geom, jacp, jacr);
}
void jacobian_site(const Model& m, const Data& d, int site, double* jacp, double* jacr) {
  jacobian(m, d, m.site_bodyid[site], d.site_xpos + 3 * site, jacp, jacr);
}

void jacobian_subtree_com(const Model& m, const Data& d, int body, double* jacp) {
  clear(m, jacp);
  const double mass = m.body_subtreemass[body];
  for_dofs_of_subtree(m, body, [&](int dof, int part) {
    // the part moves as one; its centre counts by its mass
    const double share = part == body ? 1 : mass < kTiny ? 0 : m.body_subtreemass[part] / mass;
    const Vec3 offset = offset_in_tree(m, d, part, vec3(d.subtree_com, part));
    put_column(m, jacp, dof, motion_at(d, dof, offset).lin * share);
  });
}

void jacobian_point_axis(const Model& m, const Data& d, int body, const double point[3], const double axis[3],
                         double* jacp, double* jacaxis) {
  clear(m, jacp);
  clear(m, jacaxis);
  const Vec3 offset = offset_in_tree(m, d, body, vec3(point, 0)), direction = vec3(axis, 0);
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    const Spatial column = motion_at(d, dof, offset);
    put_column(m, jacp, dof, column.lin);
    put_column(m, jacaxis, dof, cross(column.ang, direction));
  }
}

void jacobian_dot(const Model& m, const Data& d, int body, const double point[3], double* jacp, double* jacr) {
  clear(m, jacp);
  clear(m, jacr);
  const Vec3 offset = offset_in_tree(m, d, body, vec3(point, 0));
  const Vec3 velocity = velocity_at(m, d, body, vec3(point, 0)).lin;
  for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof]) {
    // d/dt (lin + ang × offset): the column changes, and the point moves
    const Spatial rate = moved_motion(column_rate(m, d, dof), offset);
    put_column(m, jacp, dof, rate.lin + cross(spatial(d.cdof, dof).ang, velocity));
    put_column(m, jacr, dof, rate.ang);
  }
}

void angular_momentum_matrix(const Model& m, const Data& d, int body, double* matrix) {
  clear(m, matrix);
  for_dofs_of_subtree(m, body, [&](int dof, int part) {
    // momentum of the part about its tree's reference point, then about the subtree's centre of
    // mass
    if (part == 0) return;
    const Spatial momentum = spatial_inertia(d.crb, part) * spatial(d.cdof, dof);
    put_column(m, matrix, dof, moved_force(momentum, offset_in_tree(m, d, part, vec3(d.subtree_com, body))).ang);
  });
}

}  // namespace pliant

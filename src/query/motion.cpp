// Velocities and accelerations of objects, forces at points, products with the mass matrix,
// coordinates.

#include <algorithm>
#include <cmath>

#include "joint/joint.h"
#include "kinematics/object_hd.h"
#include "math/tree_matrix.h"
#include "pliant/kinds.h"
#include "pliant/query.h"
#include "kinematics/jacobian_hd.h"

namespace pliant {

void object_velocity(const Model& m, const Data& d, ObjType type, int id, bool local, double velocity[6]) {
  const ObjectFrame<double> frame = object_frame(m, d, type, id);
  const Spatial v = velocity_at(m, d, frame.body, frame.pos);
  set(velocity, 0, local ? in_axes(frame.axes, v) : v);
}

void object_acceleration(const Model& m, const Data& d, ObjType type, int id, bool local, double acceleration[6]) {
  const ObjectFrame<double> frame = object_frame(m, d, type, id);
  const Spatial a = acceleration_at(m, d, frame.body, frame.pos);
  set(acceleration, 0, local ? in_axes(frame.axes, a) : a);
}

void apply_force(const Model& m, const Data& d, int body, const double point[3], const double force[3],
                 const double torque[3], double* qfrc) {
  add_force_at(m, d, body, vec3(point, 0), vec3(force, 0), vec3(torque, 0), qfrc);
}

void full_mass(const Model& m, const double* values, double* dense) {
  std::fill(dense, dense + m.nv * m.nv, 0.0);
  for (int i = 0; i < m.nv; ++i) {
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
      const int j = m.M_colind[k];
      dense[i * m.nv + j] = dense[j * m.nv + i] = values[k];
    }
  }
}

void multiply_sqrt_mass(const Model& m, const Data& d, const double* x, double* y) {
  for (int i = 0; i < m.nv; ++i) {
    const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
    double sum = x[i];
    for (int c = 0; c < last; ++c) sum += d.qLD[row + c] * x[m.M_colind[row + c]];
    y[i] = sum * std::sqrt(d.qLD[row + last]);
  }
}

void solve_sqrt_mass(const Model& m, const Data& d, double* x) {
  for (int i = m.nv - 1; i >= 0; --i) {
    const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
    for (int c = 0; c < last; ++c) x[m.M_colind[row + c]] -= d.qLD[row + c] * x[i];
  }
  for (int i = 0; i < m.nv; ++i) x[i] *= std::sqrt(d.qLDiagInv[i]);
}

void normalize_pos(const Model& m, double* qpos) {
  for (int j = 0; j < m.njnt; ++j) {
    const JointKind& kind = joint_kind(m.jnt_type[j]);
    if (!kind.has_quaternion()) continue;
    double* q = qpos + m.jnt_qposadr[j] + kind.quaternion;
    set(q, 0, normalized(quat(q, 0)));
  }
}

}  // namespace pliant

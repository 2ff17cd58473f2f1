// Constants that need poses or the mass matrix, at qpos0 (and at qpos_spring for tendons): inverse weights,
// reference lengths, poses of cameras and lights, missing equality data, damping from damping ratios,
// statistics. set_const is also for users who changed parameters of a Model.
//
// Inverse weights are diagonals of J M⁻¹ J'. With M = L'DL that is Σ (L⁻ᵀj)²/D, and L⁻ᵀ only reaches
// ancestors: the cost is the depth of the tree, squared, not the size of the model.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "constraint/equality_kinds_hd.h"
#include "inertia/composite_hd.h"
#include "joint/followers_hd.h"
#include "joint/joint.h"
#include "kinematics/cameras_hd.h"
#include "math/tree_matrix.h"
#include "model/contact_candidates.h"
#include "compile/constants.h"
#include "pliant/step.h"
#include "kinematics/jacobian_hd.h"
#include "step/stages.h"

namespace pliant {
namespace {

class Constants {
 public:
  explicit Constants(Model& model) : m(model), state(model), d(model), row(model.nv) {}

  /// Returns a dof whose inertia vanishes at qpos0, -1 if there is none.
  int fill() {
    fill_fixed(m);
    poses();
    bodies();
    joints();
    tendons();
    actuators();
    equalities();
    cameras_and_lights();
    dof_lengths();
    return d.faults[static_cast<int>(Fault::kSingularInertia)].first.index;
  }

  /// What a document may leave to be found: damping from a damping ratio, statistics, lengths of springs. A Model that
  /// was compiled has these numbers, and who changes it sets them himself.
  void resolve() {
    damping_ratios();
    statistics();
    spring_lengths();
  }

 private:
  void poses() {
    run_poses(m, state, d);
    run_com(m, state, d);
    diagonal_mass();
    run_tendons(m, state, d);
    run_inertia(m, state, d);
    run_transmission(m, state, d);
  }

  // dof_M0 comes first: the mass matrix of simple bodies is made of it.
  void diagonal_mass() {
    std::copy_n(d.cinert, 10 * m.nbody, d.crb);
    for (int b = m.nbody - 1; b > 0; --b) {
      if (const int parent = m.body_parentid[b]) {
        set(d.crb, parent, spatial_inertia(d.crb, parent) + spatial_inertia(d.crb, b));
      }
    }
    for (int i = 0; i < m.nv; ++i) m.dof_M0[i] = mass_diagonal(m, d, i);
  }

  double inverse_weight(int last) {
    if (m.nfollower) {
      reduce_force(m, state, row.data());
      last = m.nv - 1;
    }
    return inverse_quadratic_form(mass_pattern(m), d.qLD, d.qLDiagInv, row.data(), last);
  }

  // Mean response of the centre of mass to unit forces, and of the body to unit torques.
  void bodies() {
    for (int b = 0; b < m.nbody; ++b) {
      double* weight = m.body_invweight0 + 2 * b;
      weight[0] = weight[1] = 0;
      if (m.body_weldid[b] == 0) continue;
      if (m.body_simple[b] == 2) {
        weight[0] = 1 / std::max(kTiny, m.body_mass[b]);
        continue;
      }
      const Vec3 offset = vec3(d.xipos, b) - vec3(d.subtree_com, m.body_rootid[b]);
      const int last = last_dof(m, b);
      for (int axis = 0; axis < 3; ++axis) {
        for (int i = last; i >= 0; i = m.dof_parentid[i]) row[i] = motion_at(d, i, offset).lin[axis];
        weight[0] += inverse_weight(last) / 3;
        for (int i = last; i >= 0; i = m.dof_parentid[i]) row[i] = motion_at(d, i, offset).ang[axis];
        weight[1] += inverse_weight(last) / 3;
      }
    }
  }

  // Mean over the translations and over the rotations of a joint.
  void joints() {
    for (int j = 0; j < m.njnt; ++j) {
      const int first = m.jnt_dofadr[j], body = m.jnt_bodyid[j];
      if (m.body_simple[body] == 2) {
        m.dof_invweight0[first] = 1 / std::max(kTiny, m.body_mass[body]);
        continue;
      }
      const int dofs = with_joint_type(m.jnt_type[j], [](auto type) { return type.kNumVel; });
      const int group = std::min(dofs, 3);
      for (int start = first; start < first + dofs; start += group) {
        double sum = 0;
        for (int i = start; i < start + group; ++i) {
          row[i] = 1;
          sum += inverse_weight(i);
        }
        std::fill_n(m.dof_invweight0 + start, group, sum / group);
      }
    }
  }

  void tendons() {
    for (int t = 0; t < m.ntendon; ++t) {
      m.tendon_length0[t] = d.ten_length[t];
      int last = -1;
      for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
        row[m.ten_J_colind[k]] = d.ten_J[k];
        last = std::max(last, m.ten_J_colind[k]);
      }
      m.tendon_invweight0[t] = inverse_weight(last);
    }
  }

  // Size of M⁻¹ moment'. Trees the actuator does not touch stay still.
  void actuators() {
    for (int i = 0; i < m.nout; ++i) {
      m.actuator_length0[i] = d.actuator_length[i];
      const int begin = d.moment_rowadr[i], end = begin + d.moment_rownnz[i];
      for (int k = begin; k < end; ++k) row[d.moment_colind[k]] = d.actuator_moment[k];
      double squares = 0;
      if (m.nfollower) {
        reduce_force(m, state, row.data());
        solve_tree(mass_pattern(m), d.qLD, d.qLDiagInv, row.data());
        fill_followers(m, state, row.data());
        for (double& x : row) squares += x * x, x = 0;
        m.actuator_acc0[i] = std::sqrt(squares);
        continue;
      }
      for (int k = begin; k < end; ++k) {
        const int tree = m.dof_treeid[d.moment_colind[k]];
        const int first = m.tree_dofadr[tree], past = first + m.tree_dofnum[tree];
        const auto touched = std::any_of(row.begin() + first, row.begin() + past, [](double x) { return x != 0; });
        if (!touched) continue;
        solve_tree(mass_pattern(m), d.qLD, d.qLDiagInv, row.data(), first, past);
        for (int dof = first; dof < past; ++dof) squares += row[dof] * row[dof], row[dof] = 0;
      }
      m.actuator_acc0[i] = std::sqrt(squares);
    }
  }

  // What equalities take from the reference pose.
  void equalities() {
    for (int e = 0; e < m.neq; ++e) with_equality(m.eq_type[e], [&](auto kind) { kind.fit(m, d, e); });
  }

  void cameras_and_lights() {
    for (int c = 0; c < m.ncam; ++c) {
      Vec3 pos;
      Mat3 axes;
      carried_camera(m, d, c, pos, axes);
      const int body = m.cam_bodyid[c], target = m.cam_targetbodyid[c];
      set(m.cam_pos0, c, pos - vec3(d.xpos, body));
      set(m.cam_poscom0, c, pos - vec3(d.subtree_com, target >= 0 ? target : body));
      set(m.cam_mat0, c, axes);
    }
    for (int l = 0; l < m.nlight; ++l) {
      Vec3 pos, direction;
      carried_light(m, d, l, pos, direction);
      const int body = m.light_bodyid[l], target = m.light_targetbodyid[l];
      set(m.light_pos0, l, pos - vec3(d.xpos, body));
      set(m.light_poscom0, l, pos - vec3(d.subtree_com, target >= 0 ? target : body));
      set(m.light_dir0, l, normalized(direction));
    }
  }

  // A positive biasprm[2] of what looks like a position servo is a damping ratio:
  // kv = ratio · 2 √(kp · mass), with the mass felt at the actuator, 1 / (J M⁻¹ J').
  void damping_ratios() {
    for (int i = 0; i < m.nactuator; ++i) {
      double* bias = m.actuator_biasprm + kNumBias * i;
      const double kp = -bias[1];
      const bool pid = static_cast<GainType>(m.actuator_gaintype[i]) == GainType::kPid;
      if (bias[2] <= 0 || !(pid || m.actuator_gainprm[kNumGain * i] == kp)) continue;
      const double weight = mean_inverse_weight(i);
      const double mass = weight > kTiny ? 1 / weight : 0;
      bias[2] = -bias[2] * 2 * std::sqrt(kp * mass);
    }
  }

  // Mean over the outputs of an actuator.
  double mean_inverse_weight(int actuator) {
    double sum = 0;
    const int first = m.actuator_outadr[actuator], count = m.actuator_outnum[actuator];
    for (int output = first; output < first + count; ++output) {
      int last = -1;
      for (int k = d.moment_rowadr[output]; k < d.moment_rowadr[output] + d.moment_rownnz[output]; ++k) {
        row[d.moment_colind[k]] = d.actuator_moment[k];
        last = std::max(last, d.moment_colind[k]);
      }
      sum += inverse_weight(last);
    }
    return sum / count;
  }

  void statistics();
  void dof_lengths();
  std::vector<double> body_sizes() const;

  // Springs without a given length pull nothing at qpos_spring.
  void spring_lengths() {
    if (m.ntendon == 0) return;
    std::copy_n(m.qpos_spring, m.nq, state.qpos);
    run_poses(m, state, d);
    run_com(m, state, d);
    run_tendons(m, state, d);
    for (int t = 0; t < m.ntendon; ++t) {
      double* length = m.tendon_lengthspring + 2 * t;
      if (length[0] == -1 && length[1] == -1) length[0] = length[1] = d.ten_length[t];
    }
  }

  Model& m;
  State state;
  Data d;
  std::vector<double> row;  // a row of a Jacobian; zero between uses
};

// Smallest size of a body or of the whole model [m].
constexpr double kSmallestSize = 1e-5;

/// A box that grows.
struct Bounds {
  Vec3 low{kHuge, kHuge, kHuge}, high{-kHuge, -kHuge, -kHuge};
  void add(Vec3 point, double radius = 0) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], point[k] - radius);
      high[k] = std::max(high[k], point[k] + radius);
    }
  }
};

// How far a geom reaches for the statistics: shapes without a bounding sphere count with a tenth of their size.
double reach(const Model& m, int g) {
  constexpr double kShare = 0.1, kInfinitePlane = 0.01;
  if (m.geom_rbound[g] > 0) return m.geom_rbound[g];
  const auto type = static_cast<GeomType>(m.geom_type[g]);
  if (type == GeomType::kPlane) {
    const double size = std::max(m.geom_size[3 * g], m.geom_size[3 * g + 1]);
    return size > 0 ? size * kShare : kInfinitePlane;
  }
  if (type == GeomType::kHfield) {
    const double* size = m.hfield_size + 4 * m.geom_dataid[g];
    return *std::max_element(size, size + 4) * kShare;
  }
  return 0;
}

// Distances from the centre of mass to joints and to the far side of geoms; the largest counts.
std::vector<double> Constants::body_sizes() const {
  std::vector<double> size(m.nbody, 0);
  const auto grow = [&](int body, Vec3 point, double radius) {
    size[body] = std::max(size[body], radius + norm(vec3(d.xipos, body) - point));
  };
  for (int j = 0; j < m.njnt; ++j) {
    const int body = m.jnt_bodyid[j];
    grow(body, vec3(d.xanchor, j), 0);
    grow(m.body_parentid[body], vec3(d.xanchor, j), 0);
  }
  size[0] = 0;
  for (int g = 0; g < m.ngeom; ++g) {
    const int body = m.geom_bodyid[g];
    if (body && m.geom_rbound[g] > 0) grow(body, vec3(d.geom_xpos, g), m.geom_rbound[g]);
  }
  for (int b = 1; b < m.nbody; ++b) size[b] = std::max(size[b], kSmallestSize);
  return size;
}

// What an angle is multiplied with to be compared with lengths.
void Constants::dof_lengths() {
  const std::vector<double> size = body_sizes();
  for (int i = 0; i < m.nv; ++i) {
    const int joint = m.dof_jntid[i];
    const JointKind& kind = joint_kind(m.jnt_type[joint]);
    const bool slides = kind.is_length() || (kind.floats() && i - m.jnt_dofadr[joint] < kind.quaternion);
    m.dof_length[i] = slides ? 1 : size[m.dof_bodyid[i]];
  }
}

void Constants::statistics() {
  Bounds box;
  for (int b = 1; b < m.nbody; ++b) box.add(vec3(d.xpos, b)), box.add(vec3(d.xipos, b));
  for (int j = 0; j < m.njnt; ++j) box.add(vec3(d.xanchor, j));
  for (int s = 0; s < m.nsite; ++s) box.add(vec3(d.site_xpos, s));
  for (int g = 0; g < m.ngeom; ++g) box.add(vec3(d.geom_xpos, g), reach(m, g));
  for (int k = 0; k < 3; ++k) m.stat.center[k] = (box.low[k] + box.high[k]) / 2;
  if (box.high.x > box.low.x) {
    const Vec3 span = box.high - box.low;
    m.stat.extent = std::max({kSmallestSize, span.x, span.y, span.z});
  }

  const std::vector<double> size = body_sizes();
  if (m.nbody > 1) {
    m.stat.meansize = m.stat.meanmass = 0;
    for (int b = 1; b < m.nbody; ++b) {
      m.stat.meansize += size[b] / (m.nbody - 1);
      m.stat.meanmass += m.body_mass[b] / (m.nbody - 1);
    }
  }
  m.stat.extent = std::max(m.stat.extent, 2 * m.stat.meansize);

  if (m.nv) {
    m.stat.meaninertia = 0;
    for (int i = 0; i < m.nv; ++i) m.stat.meaninertia += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
    m.stat.meaninertia /= m.nv;
  }
}

}  // namespace

int fill_constants(Model& model) {
  Constants constants(model);
  const int singular = constants.fill();
  constants.resolve();
  return singular;
}

std::span<const std::string_view> set_const_fields() {
  static constexpr std::string_view kFields[] = {"body_treeid",
                                                 "body_sameframe",
                                                 "body_subtreemass",
                                                 "body_invweight0",
                                                 "body_margin",
                                                 "body_contype",
                                                 "body_conaffinity",
                                                 "bvh_aabb",
                                                 "jnt_actuatorid",
                                                 "dof_invweight0",
                                                 "dof_M0",
                                                 "dof_length",
                                                 "tree_bodyadr",
                                                 "tree_bodynum",
                                                 "tree_dofadr",
                                                 "tree_dofnum",
                                                 "tree_sleep_policy",
                                                 "geom_sameframe",
                                                 "geom_size",
                                                 "geom_aabb",
                                                 "geom_rbound",
                                                 "geom_fluid",
                                                 "site_sameframe",
                                                 "cam_poscom0",
                                                 "cam_pos0",
                                                 "cam_mat0",
                                                 "light_poscom0",
                                                 "light_pos0",
                                                 "light_dir0",
                                                 "eq_data",
                                                 "tendon_actuatorid",
                                                 "tendon_treenum",
                                                 "tendon_treeid",
                                                 "ten_J_rownnz",
                                                 "ten_J_rowadr",
                                                 "ten_J_colind",
                                                 "tendon_length0",
                                                 "tendon_invweight0",
                                                 "actuator_acc0",
                                                 "actuator_length0"};
  return kFields;
}

void renew_constants(Model& model) { Constants(model).fill(); }

void set_const(Model& model) {
  if (const std::string problem = set_const_problem(model); !problem.empty()) throw std::invalid_argument(problem);
  renew_constants(model);
  prepare_contacts(model);
}

}  // namespace pliant

// Filling the Model: bodies, joints, dofs, geoms, sites, cameras, lights, options.
//
// What follows from these numbers is left to write_constants.cpp.

#include <algorithm>
#include <cmath>

#include "compile/compile.h"
#include "joint/joint.h"
#include "spec/plastic.h"

namespace pliant {
namespace {

template <class T>
void put(T* to, int id, Vec3 v) {
  to[3 * id] = v.x, to[3 * id + 1] = v.y, to[3 * id + 2] = v.z;
}
template <class T>
void put(T* to, int id, Quat q) {
  to[4 * id] = q.w, to[4 * id + 1] = q.x, to[4 * id + 2] = q.y, to[4 * id + 3] = q.z;
}
template <class T, size_t n>
void put(T* to, int id, const std::array<T, n>& values) {
  std::copy(values.begin(), values.end(), to + n * id);
}
/// User data, padded with zeros.
void put_user(double* to, int id, int width, const std::vector<double>& values) {
  for (int i = 0; i < width && i < static_cast<int>(values.size()); ++i) to[width * id + i] = values[i];
}

class TreeWriter {
 public:
  TreeWriter(const Work& work, Model& model) : work_(work), spec_(work.spec), m_(model) {}

  void write() {
    m_.opt = spec_.option;
    m_.vis = spec_.visual;
    m_.arena_bytes = spec_.size.memory;
    for (int b = 0; b < m_.nbody; ++b) write_body(b);
    write_trees();
    for (int g = 0; g < m_.ngeom; ++g) write_geom(g);
    for (int s = 0; s < m_.nsite; ++s) write_site(s);
    for (int c = 0; c < m_.ncam; ++c) write_camera(c);
    for (int l = 0; l < m_.nlight; ++l) write_light(l);
  }

 private:
  void write_body(int b) {
    const BodySpec& spec = spec_.bodies[b];
    const BodyWork& body = work_.bodies[b];
    const int parent = b == 0 ? 0 : spec.parent;
    m_.body_parentid[b] = parent;
    m_.body_rootid[b] = b == 0 || parent == 0 ? b : m_.body_rootid[parent];
    m_.body_weldid[b] = body.weldid;
    m_.body_mocapid[b] = body.mocapid;
    m_.body_jntnum[b] = static_cast<int>(body.joints.size());
    m_.body_jntadr[b] = body.joints.empty() ? -1 : body.joints[0];
    m_.body_dofnum[b] = body.dofnum;
    m_.body_dofadr[b] = body.dofnum ? dof_ : -1;
    m_.body_geomnum[b] = static_cast<int>(body.geoms.size());
    m_.body_geomadr[b] = body.geoms.empty() ? -1 : body.geoms[0];
    put(m_.body_pos, b, body.pose.pos);
    put(m_.body_quat, b, body.pose.quat);
    put(m_.body_ipos, b, body.inertial.pos);
    put(m_.body_iquat, b, body.inertial.quat);
    m_.body_mass[b] = body.mass;
    put(m_.body_inertia, b, body.inertia);
    m_.body_gravcomp[b] = spec.gravcomp;
    m_.body_plugin[b] = -1;
    if (b == 0) m_.body_sameframe[b] = static_cast<uint8_t>(SameFrame::kBody);
    put_user(m_.body_user, b, m_.nuser_body, spec.user);
    last_dof_.push_back(b == 0 ? -1 : last_dof_[parent]);
    for (int j : body.joints) write_joint(b, j);
  }

  void write_joint(int b, int j) {
    const JointSpec& joint = spec_.joints[j];
    m_.jnt_type[j] = static_cast<int>(joint.type);
    m_.jnt_qposadr[j] = qpos_;
    m_.jnt_dofadr[j] = dof_;
    m_.jnt_bodyid[j] = b;
    m_.jnt_group[j] = joint.group;
    m_.jnt_plasticadr[j] = joint.springyield > 0 ? plastic_ : -1;
    plastic_ += plastic_count(joint);
    m_.jnt_springyield[j] = joint.springyield;
    m_.jnt_limited[j] = work_.joint_limited[j];
    m_.jnt_actfrclimited[j] = work_.joint_actfrclimited[j];
    m_.jnt_actgravcomp[j] = joint.actuatorgravcomp;
    put(m_.jnt_solref, j, joint.solreflimit);
    put(m_.jnt_solimp, j, joint.solimplimit);
    put(m_.jnt_pos, j, joint.pos);
    put(m_.jnt_axis, j, joint.axis);
    m_.jnt_stiffness[j] = joint.stiffness[0];
    std::copy_n(joint.stiffness.begin() + 1, kNumPoly, m_.jnt_stiffnesspoly + kNumPoly * j);
    put(m_.jnt_range, j, joint.range);
    put(m_.jnt_actfrcrange, j, joint.actuatorfrcrange);
    m_.jnt_margin[j] = joint.margin;
    put_user(m_.jnt_user, j, m_.nuser_jnt, joint.user);

    const Pose& pose = work_.bodies[b].pose;
    double* q = m_.qpos0 + qpos_;
    double* spring = m_.qpos_spring + qpos_;
    const JointKind& kind = joint_kind(joint.type);
    const int nq = kind.positions;
    with_joint_type(m_.jnt_type[j], [&](auto type) { type.reference(pose, joint.ref, q); });
    std::copy(q, q + nq, spring);
    if (nq == 1) spring[0] = joint.springref;
    qpos_ += nq;

    for (int i = 0; i < kind.velocities; ++i, ++dof_) {
      m_.dof_bodyid[dof_] = b;
      m_.dof_jntid[dof_] = j;
      m_.dof_parentid[dof_] = last_dof_[b];
      m_.dof_chainnum[dof_] = dof_ > 0 && last_dof_[b] == dof_ - 1 ? m_.dof_chainnum[dof_ - 1] + 1 : 0;
      last_dof_[b] = dof_;
      put(m_.dof_solref, dof_, joint.solreffriction);
      put(m_.dof_solimp, dof_, joint.solimpfriction);
      m_.dof_frictionloss[dof_] = joint.frictionloss;
      m_.dof_armature[dof_] = joint.armature;
      m_.dof_damping[dof_] = joint.damping[0];
      std::copy_n(joint.damping.begin() + 1, kNumPoly, m_.dof_dampingpoly + kNumPoly * dof_);
    }
  }

  void write_trees() {
    int tree = -1;
    for (int i = 0; i < m_.nv; ++i) {
      if (m_.dof_parentid[i] == -1) ++tree;
      m_.dof_treeid[i] = tree;
    }
  }

  void write_geom(int g) {
    const GeomSpec& spec = spec_.geoms[g];
    const GeomWork& geom = work_.geoms[g];
    m_.geom_type[g] = static_cast<int>(spec.type);
    m_.geom_contype[g] = spec.contype;
    m_.geom_conaffinity[g] = spec.conaffinity;
    m_.geom_condim[g] = spec.condim;
    m_.geom_bodyid[g] = spec.body;
    m_.geom_dataid[g] = geom.data;
    m_.geom_matid[g] = geom.material;
    m_.geom_group[g] = spec.group;
    m_.geom_priority[g] = spec.priority;
    m_.geom_frictionlaw[g] = static_cast<int>(spec.friction_law);
    m_.geom_plugin[g] = -1;
    m_.geom_castshadow[g] = spec.castshadow;
    m_.geom_solmix[g] = spec.solmix;
    put(m_.geom_solref, g, spec.solref);
    put(m_.geom_solimp, g, spec.solimp);
    put(m_.geom_size, g, spec.size);
    put(m_.geom_aabb, g, geom.bounds.aabb);
    m_.geom_rbound[g] = geom.bounds.rbound;
    put(m_.geom_pos, g, geom.pose.pos);
    put(m_.geom_quat, g, geom.pose.quat);
    put(m_.geom_friction, g, spec.friction);
    m_.geom_margin[g] = spec.margin;
    m_.geom_gap[g] = spec.gap;
    put(m_.geom_surfacevel, g, spec.surfacevel);
    m_.geom_adhesion[g] = spec.adhesion;
    put(m_.geom_fluid, g, geom.fluid);
    put_user(m_.geom_user, g, m_.nuser_geom, spec.user);
    put(m_.geom_rgba, g, spec.rgba);
  }

  void write_site(int s) {
    const SiteSpec& spec = spec_.sites[s];
    const SiteWork& site = work_.sites[s];
    m_.site_type[s] = static_cast<int>(spec.type);
    m_.site_bodyid[s] = spec.body;
    m_.site_matid[s] = site.material;
    m_.site_group[s] = spec.group;
    m_.site_dataid[s] = site.data;
    put(m_.site_size, s, spec.size);
    put(m_.site_pos, s, site.pose.pos);
    put(m_.site_quat, s, site.pose.quat);
    put_user(m_.site_user, s, m_.nuser_site, spec.user);
    put(m_.site_rgba, s, spec.rgba);
  }

  void write_camera(int c) {
    const CameraSpec& spec = spec_.cameras[c];
    const CameraWork& camera = work_.cameras[c];
    m_.cam_mode[c] = static_cast<int>(spec.mode);
    m_.cam_bodyid[c] = spec.body;
    m_.cam_targetbodyid[c] = camera.target;
    put(m_.cam_pos, c, camera.pose.pos);
    put(m_.cam_quat, c, camera.pose.quat);
    m_.cam_projection[c] = spec.projection;
    m_.cam_fovy[c] = camera.fovy;
    m_.cam_ipd[c] = spec.ipd;
    put(m_.cam_resolution, c, spec.resolution);
    m_.cam_output[c] = spec.output;
    put(m_.cam_sensorsize, c, spec.sensorsize);
    put(m_.cam_intrinsic, c, camera.intrinsic);
    put_user(m_.cam_user, c, m_.nuser_cam, spec.user);
  }

  void write_light(int l) {
    const LightSpec& spec = spec_.lights[l];
    const LightWork& light = work_.lights[l];
    m_.light_mode[l] = static_cast<int>(spec.mode);
    m_.light_bodyid[l] = spec.body;
    m_.light_targetbodyid[l] = light.target;
    m_.light_type[l] = static_cast<int>(spec.type);
    m_.light_texid[l] = light.texture;
    m_.light_castshadow[l] = spec.castshadow;
    m_.light_bulbradius[l] = spec.bulbradius;
    m_.light_intensity[l] = spec.intensity;
    m_.light_range[l] = spec.range;
    m_.light_active[l] = spec.active;
    put(m_.light_pos, l, light.pos);
    put(m_.light_dir, l, light.dir);
    put(m_.light_attenuation, l, spec.attenuation);
    m_.light_cutoff[l] = spec.cutoff;
    m_.light_softness[l] = spec.softness;
    m_.light_exponent[l] = spec.exponent;
    put(m_.light_ambient, l, spec.ambient);
    put(m_.light_diffuse, l, spec.diffuse);
    put(m_.light_specular, l, spec.specular);
  }

  const Work& work_;
  const Spec& spec_;
  Model& m_;
  int dof_ = 0, qpos_ = 0, plastic_ = 0;
  std::vector<int> last_dof_;  // per body: the last dof on the way from the root
};

}  // namespace

void write_tree(const Work& work, Model& model) { TreeWriter(work, model).write(); }

void scale_total_mass(const Work& work, Model& model) {
  const double wanted = work.spec.compilers[0].settotalmass;
  if (wanted <= 0) return;
  double total = 0;
  for (int b = 1; b < model.nbody; ++b) total += model.body_mass[b];
  const double scale = std::max(kMinVal, wanted) / std::max(kMinVal, total);
  for (int b = 1; b < model.nbody; ++b) {
    model.body_mass[b] *= scale;
    for (int i = 0; i < 3; ++i) model.body_inertia[3 * b + i] *= scale;
  }
}

}  // namespace pliant

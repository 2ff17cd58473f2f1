// Constants of a Model that need no poses: which frames coincide, bounds of geoms and bodies, what bodies can touch,
// kinematic trees, columns of tendons, whose damping and armature act where, and who may sleep.
//
// Structure that sizes of the Model depend on stays as compiled; where a changed Model would need another one,
// set_const_problem says so.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "compile/bounds.h"
#include "compile/constants.h"
#include "kinematics/jacobian_hd.h"
#include "kinematics/tendon_hd.h"
#include "math/field_values.h"
#include "math/quat.h"

namespace pliant {
namespace {

/// Frames closer than this are the same frame.
constexpr double kNear = 1e-6;

bool same(Vec3 a, Vec3 b) {
  return std::abs(a.x - b.x) < kNear && std::abs(a.y - b.y) < kNear && std::abs(a.z - b.z) < kNear;
}
bool same(Quat a, Quat b) {
  bool plus = true, minus = true;
  for (int i = 0; i < 4; ++i) {
    plus &= std::abs(a[i] - b[i]) < kNear;
    minus &= std::abs(a[i] + b[i]) < kNear;
  }
  return plus || minus;
}

Pose inertial_pose(const Model& m, int b) { return {vec3(m.body_ipos, b), quat(m.body_iquat, b)}; }

SameFrame frame_of_body(const Model& m, int b) {
  const Pose inertial = inertial_pose(m, b);
  if (!same(inertial.quat, Quat{})) return SameFrame::kNone;
  return same(inertial.pos, Vec3{}) ? SameFrame::kBody : SameFrame::kBodyRot;
}

/// How the frame of a geom or site relates to its body: known coincidences save work in kinematics.
SameFrame frame_in_body(const Pose& pose, const Pose& inertial) {
  if (same(pose.quat, Quat{})) return same(pose.pos, Vec3{}) ? SameFrame::kBody : SameFrame::kBodyRot;
  if (same(pose.quat, inertial.quat)) {
    return same(pose.pos, inertial.pos) ? SameFrame::kInertia : SameFrame::kInertiaRot;
  }
  return SameFrame::kNone;
}

void frames(Model& m) {
  for (int b = 1; b < m.nbody; ++b) m.body_sameframe[b] = static_cast<uint8_t>(frame_of_body(m, b));
  for (int g = 0; g < m.ngeom; ++g) {
    const Pose pose{vec3(m.geom_pos, g), quat(m.geom_quat, g)};
    m.geom_sameframe[g] = static_cast<uint8_t>(frame_in_body(pose, inertial_pose(m, m.geom_bodyid[g])));
  }
  for (int s = 0; s < m.nsite; ++s) {
    const Pose pose{vec3(m.site_pos, s), quat(m.site_quat, s)};
    m.site_sameframe[s] = static_cast<uint8_t>(frame_in_body(pose, inertial_pose(m, m.site_bodyid[s])));
  }
}

/// Bounds of a mesh are the compiler's: they do not follow from its size.
void geoms(Model& m) {
  for (int g = 0; g < m.ngeom; ++g) {
    const auto type = static_cast<GeomType>(m.geom_type[g]);
    double* size = m.geom_size + 3 * g;
    if (type == GeomType::kHfield) {
      const auto own = hfield_geom_size(m.hfield_size + 4 * m.geom_dataid[g]);
      std::copy(own.begin(), own.end(), size);
    }
    if (type != GeomType::kMesh) {
      const GeomBounds bounds =
          type == GeomType::kHfield ? hfield_bounds(m.hfield_size + 4 * m.geom_dataid[g]) : shape_bounds(type, size);
      std::copy(bounds.aabb.begin(), bounds.aabb.end(), m.geom_aabb + 6 * g);
      m.geom_rbound[g] = bounds.rbound;
    }
    double* fluid = m.geom_fluid + kNumFluid * g;
    if (fluid[0] > 0) {
      const AddedMass added = added_mass(type, size);
      std::copy(added.begin(), added.end(), fluid + kAddedMass);
    }
  }
}

/// What the geoms of a body have together.
void bodies(Model& m) {
  std::fill_n(m.body_contype, m.nbody, 0);
  std::fill_n(m.body_conaffinity, m.nbody, 0);
  std::fill_n(m.body_margin, m.nbody, 0.0);
  for (int g = 0; g < m.ngeom; ++g) {
    const int b = m.geom_bodyid[g];
    m.body_contype[b] |= m.geom_contype[g];
    m.body_conaffinity[b] |= m.geom_conaffinity[g];
    m.body_margin[b] = std::max(m.body_margin[b], m.geom_margin[g] + m.geom_gap[g]);
  }
  for (int b = 0; b < m.nbody; ++b) m.body_subtreemass[b] = m.body_mass[b];
  for (int b = m.nbody - 1; b > 0; --b) m.body_subtreemass[m.body_parentid[b]] += m.body_subtreemass[b];
  m.ngravcomp =
      static_cast<int>(std::count_if(m.body_gravcomp, m.body_gravcomp + m.nbody, [](double g) { return g > 0; }));
}

void meshes(Model& m) {
  const auto most = [](const int32_t* counts, int n) { return n ? *std::max_element(counts, counts + n) : 0; };
  m.npolygonmax = most(m.mesh_polyvertnum, m.nmeshpoly);
  m.nmeshdegmax = most(m.mesh_polymapnum, m.nmeshvert);
}

/// Which tree a body moves with; -1 if it stands still.
int tree_of(const Model& m, int b) {
  const int weld = m.body_weldid[b];
  return m.body_dofnum[weld] ? m.dof_treeid[m.body_dofadr[weld]] : -1;
}

void trees(Model& m) {
  std::fill_n(m.tree_bodynum, m.ntree, 0);
  std::fill_n(m.tree_dofnum, m.ntree, 0);
  for (int b = 0; b < m.nbody; ++b) {
    const int tree = m.body_treeid[b] = tree_of(m, b);
    if (tree >= 0 && m.tree_bodynum[tree]++ == 0) m.tree_bodyadr[tree] = b;
  }
  for (int i = 0; i < m.nv; ++i) {
    const int tree = m.dof_treeid[i];
    if (m.tree_dofnum[tree]++ == 0) m.tree_dofadr[tree] = i;
  }
}

// ---- tendons and actuators ----------------------------------------------------------------------

/// Body of what a tendon's path names at a place; -1 for pulleys.
int body_on_path(const Model& m, int place) {
  const int id = m.wrap_objid[place];
  switch (static_cast<WrapType>(m.wrap_type[place])) {
    case WrapType::kJoint:
      return m.jnt_bodyid[id];
    case WrapType::kSite:
      return m.site_bodyid[id];
    case WrapType::kSphere:
    case WrapType::kCylinder:
      return m.geom_bodyid[id];
    default:
      return -1;
  }
}

/// Trees along a tendon's path, in the order they are met.
std::vector<int> trees_of_tendon(const Model& m, int t) {
  std::vector<int> found;
  for (int k = m.tendon_adr[t]; k < m.tendon_adr[t] + m.tendon_num[t]; ++k) {
    const int body = body_on_path(m, k), tree = body < 0 ? -1 : tree_of(m, body);
    if (tree >= 0 && std::find(found.begin(), found.end(), tree) == found.end()) found.push_back(tree);
  }
  return found;
}

/// Dofs a tendon's length depends on, ascending. A joint named twice on a fixed tendon counts twice.
std::vector<int> columns_of_tendon(const Model& m, int t) {
  std::vector<int> columns;
  const int first = m.tendon_adr[t], end = first + m.tendon_num[t];
  const bool fixed = first < end && static_cast<WrapType>(m.wrap_type[first]) == WrapType::kJoint;
  for (int k = first; k < end; ++k) {
    if (fixed) {
      columns.push_back(m.jnt_dofadr[m.wrap_objid[k]]);
      continue;
    }
    const int body = body_on_path(m, k);
    for (int i = body < 0 ? -1 : last_dof(m, body); i >= 0; i = m.dof_parentid[i]) columns.push_back(i);
  }
  std::sort(columns.begin(), columns.end());
  if (!fixed) columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

void tendons(Model& m) {
  int at = 0;
  for (int t = 0; t < m.ntendon; ++t) {
    const std::vector<int> met = trees_of_tendon(m, t);
    m.tendon_treenum[t] = static_cast<int>(met.size());
    for (size_t k = 0; k < 2; ++k) m.tendon_treeid[2 * t + k] = k < met.size() ? met[k] : -1;
    const std::vector<int> columns = columns_of_tendon(m, t);
    m.ten_J_rowadr[t] = at;
    m.ten_J_rownnz[t] = static_cast<int>(columns.size());
    std::copy(columns.begin(), columns.end(), m.ten_J_colind + at);
    at += static_cast<int>(columns.size());
  }
}

bool is_joint(TransmissionType type) {
  return type == TransmissionType::kJoint || type == TransmissionType::kJointInParent;
}

bool is_zero(const double* numbers, int count) {
  return std::all_of(numbers, numbers + count, [](double x) { return x == 0; });
}

/// Which actuator adds damping or armature to a joint or a tendon: none (-1), one, or several (-2).
struct Contributors {
  std::vector<int> joint, tendon;
};
Contributors contributors(const Model& m) {
  constexpr int kNone = -1, kSeveral = -2;
  Contributors found{std::vector<int>(m.njnt, kNone), std::vector<int>(m.ntendon, kNone)};
  for (int a = 0; a < m.nactuator; ++a) {
    const auto type = static_cast<TransmissionType>(m.actuator_trntype[a]);
    if (!is_joint(type) && type != TransmissionType::kTendon) continue;
    const bool damps = m.actuator_damping[a] != 0 || !is_zero(m.actuator_dampingpoly + kNumPoly * a, kNumPoly);
    if (!damps && m.actuator_armature[a] == 0) continue;
    int& by = (is_joint(type) ? found.joint : found.tendon)[m.actuator_trnid[2 * a]];
    by = by == kNone ? a : kSeveral;
  }
  return found;
}

/// Trees an actuator acts on: of both sites, where it has two.
std::vector<int> trees_of_actuator(const Model& m, int a) {
  const int id = m.actuator_trnid[2 * a], second = m.actuator_trnid[2 * a + 1];
  std::vector<int> acted_on;
  switch (static_cast<TransmissionType>(m.actuator_trntype[a])) {
    case TransmissionType::kJoint:
    case TransmissionType::kJointInParent:
      acted_on = {m.jnt_bodyid[id]};
      break;
    case TransmissionType::kSite:
    case TransmissionType::kSliderCrank:
      acted_on = {m.site_bodyid[id]};
      if (second >= 0) acted_on.push_back(m.site_bodyid[second]);
      break;
    case TransmissionType::kBody:
      acted_on = {id};
      break;
    case TransmissionType::kSo3:
      if (second >= 0) {
        acted_on = {m.site_bodyid[id], m.site_bodyid[second]};
      } else {
        acted_on = {m.jnt_bodyid[id]};
      }
      break;
    case TransmissionType::kTendon:
      return trees_of_tendon(m, id);
    case TransmissionType::kUndefined:
      break;
  }
  for (int& b : acted_on) b = tree_of(m, b);
  std::erase(acted_on, -1);
  return acted_on;
}

// ---- sleep --------------------------------------------------------------------------------------

/// Whether forces can pass between trees through this tendon, so that they must be awake together.
bool couples_trees(const Model& m, int t, size_t count, const Contributors& by) {
  if (count < 2) return false;
  return count > 2 || m.tendon_stiffness[t] != 0 || !is_zero(m.tendon_stiffnesspoly + kNumPoly * t, kNumPoly) ||
         m.tendon_damping[t] != 0 || !is_zero(m.tendon_dampingpoly + kNumPoly * t, kNumPoly) || by.tendon[t] != -1;
}

SleepPolicy policy_of(const Model& m, int tree) { return static_cast<SleepPolicy>(m.tree_sleep_policy[tree]); }

/// What nobody asked for is decided: trees that are actuated, or coupled by a tendon, never sleep.
void sleep(Model& m, const Contributors& by) {
  const auto decided = [&](int tree) {
    const SleepPolicy policy = policy_of(m, tree);
    return policy == SleepPolicy::kNever || policy == SleepPolicy::kAllowed || policy == SleepPolicy::kInit;
  };
  const auto set = [&](int tree, SleepPolicy policy) {
    if (!decided(tree)) m.tree_sleep_policy[tree] = static_cast<int>(policy);
  };
  for (int tree = 0; tree < m.ntree; ++tree) set(tree, SleepPolicy::kAutoAllowed);
  for (int a = 0; a < m.nactuator; ++a) {
    for (const int tree : trees_of_actuator(m, a)) set(tree, SleepPolicy::kAutoNever);
  }
  for (int t = 0; t < m.ntendon; ++t) {
    const std::vector<int> met = trees_of_tendon(m, t);
    if (!couples_trees(m, t, met.size(), by)) continue;
    for (const int tree : met) set(tree, SleepPolicy::kAutoNever);
  }
}

// ---- what a Model cannot become -----------------------------------------------------------------

std::string named(const Model& m, ObjType type, const char* kind, int id) {
  const std::string_view name = m.name(type, id);
  return std::string(kind) + " " + std::to_string(id) + (name.empty() ? "" : " ('" + std::string(name) + "')");
}

std::string body_problem(const Model& m) {
  for (int b = 1; b < m.nbody; ++b) {
    if (m.body_simple[b] && frame_of_body(m, b) != SameFrame::kBody) {
      return named(m, ObjType::kBody, "body", b) +
             " was compiled as simple, and its inertial frame is no longer that of the body; give the body "
             "simple=\"false\" in the file";
    }
    if (m.body_simple[b] == 2 && m.body_weldid[b] != 0 && m.body_mass[b] == 0) {
      return named(m, ObjType::kBody, "body", b) + " moves, and has no mass";
    }
  }
  return {};
}

std::string geom_problem(const Model& m) {
  std::vector<bool> in_tree(m.ngeom, false);
  for (int b = 0; b < m.nbody; ++b) {
    for (int i = 0; i < m.body_bvhnum[b]; ++i) {
      if (const int g = m.bvh_nodeid[m.body_bvhadr[b] + i]; g >= 0) in_tree[g] = true;
    }
  }
  for (int g = 0; g < m.ngeom; ++g) {
    if ((m.geom_contype[g] || m.geom_conaffinity[g]) && !in_tree[g]) {
      return named(m, ObjType::kGeom, "geom", g) +
             " can collide now, and could not when the model was compiled; give it contype or conaffinity in the file";
    }
  }
  return {};
}

std::string side_problem(const Model& m) {
  const int bad = first_bad_side(m);
  if (bad < 0) return {};
  return "wrap_prm[" + std::to_string(bad) + "] names side site " + number_text(m.wrap_prm[bad]) +
         "; it must be -1 to " + std::to_string(m.nsite - 1);
}

std::string tendon_problem(const Model& m) {
  const Contributors by = contributors(m);
  size_t entries = 0;
  for (int t = 0; t < m.ntendon; ++t) {
    entries += columns_of_tendon(m, t).size();
    const std::vector<int> met = trees_of_tendon(m, t);
    if (!couples_trees(m, t, met.size(), by)) continue;
    for (const int tree : met) {
      const SleepPolicy policy = policy_of(m, tree);
      if (policy != SleepPolicy::kAllowed && policy != SleepPolicy::kInit) continue;
      return "tree " + std::to_string(tree) + " may not sleep: " + named(m, ObjType::kTendon, "tendon", t) +
             (met.size() > 2 ? " connects more than two trees" : " passes force to another tree") +
             "; its tree_sleep_policy can be kNever or kAuto";
    }
  }
  if (entries > static_cast<size_t>(m.nJten)) {
    return "the tendons depend on " + std::to_string(entries) + " dofs together, and the model was compiled for " +
           std::to_string(m.nJten);
  }
  return {};
}

}  // namespace

std::string set_const_problem(const Model& m) {
  for (const auto problem : {body_problem, geom_problem, side_problem, tendon_problem}) {
    if (std::string text = problem(m); !text.empty()) return text;
  }
  return {};
}

void fill_fixed(Model& m) {
  frames(m);
  geoms(m);
  refit_bvh(m);
  bodies(m);
  meshes(m);
  trees(m);
  tendons(m);
  const Contributors by = contributors(m);
  std::copy(by.joint.begin(), by.joint.end(), m.jnt_actuatorid);
  std::copy(by.tendon.begin(), by.tendon.end(), m.tendon_actuatorid);
  sleep(m, by);
}

}  // namespace pliant

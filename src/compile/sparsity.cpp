// Patterns that follow from the kinematic tree: which entries of M, D and B exist, the kinematic
// trees and their sleep policy, and the columns of tendon and actuator Jacobians.
//
// Reads bodies, joints, sites, geoms, tendons and actuators of Work. Writes body_simple,
// dof_simplenum, dof_Madr, M_*, mapM2M, D_*, mapM2D, mapD2M, B_*, and the wishes in
// tree_sleep_policy; sizes of the rest, which constants_fixed.cpp fills.
//
// Bodies are in depth-first order, so a subtree is a contiguous range of bodies and of dofs. With
// depth = number of ancestor dofs, row i of D is then: ancestors in ascending order, i itself at
// place depth, and the range up to the end of the subtree. Every index map below is arithmetic on
// depths.

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "compile/compile.h"
#include "compile/counts.h"
#include "compile/mimic.h"
#include "model/mass_tree.h"

namespace pliant {
namespace {

struct Tree {
  int nbody = 0, nv = 0, ntree = 0;
  std::vector<int> body_parent, body_dofadr, body_dofnum;
  std::vector<int> body_lastdof;                  // own last dof, else that of the nearest ancestor; -1 = none
  std::vector<int> body_first_dof, body_end_dof;  // range of the subtree's dofs
  std::vector<int> joint_dofadr;
  std::vector<int> dof_body, dof_parent, dof_depth, dof_tree;
  // the same for rows of M and D, which exact mimics can join across branches (model/mass_tree.h)
  std::vector<int> row_parent, row_depth, row_end;
  std::vector<uint8_t> body_simple;
  std::vector<int> dof_simplenum;

  int body_tree(int body) const { return body_lastdof[body] < 0 ? -1 : dof_tree[body_lastdof[body]]; }
};

bool is_null(const Vec3& v) {
  return std::abs(v.x) < kFrameEps && std::abs(v.y) < kFrameEps && std::abs(v.z) < kFrameEps;
}

// The identity rotation has two quaternions.
bool is_null(const Quat& q) { return std::abs(std::abs(q.w) - 1) < kFrameEps && is_null(Vec3{q.x, q.y, q.z}); }

bool is_axis_aligned(const std::array<double, 3>& axis) {
  return std::count_if(axis.begin(), axis.end(), [](double x) { return std::abs(x) > kCompileEps; }) == 1;
}

// Joints that keep the inertia matrix of a single body constant and diagonal: through the body's
// origin, along its axes, and nothing after a rotation.
bool are_joints_simple(const Work& work, int body) {
  bool rotation_found = false;
  for (int id : work.bodies[body].joints) {
    const JointSpec& joint = work.spec.joints[id];
    const JointKind& kind = joint_kind(joint.type);
    if (rotation_found || (!kind.floats() && !is_null(vec3(joint.pos))) ||
        (kind.is_scalar() && !is_axis_aligned(joint.axis)) || kind.motion == JointMotion::kScrew) {
      return false;
    }
    rotation_found |= kind.rotates();
  }
  return true;
}

// Body of a site or geom on a tendon's path; -1 for joints and pulleys.
int wrap_body(const Work& work, const WrapWork& wrap) {
  if (wrap.object < 0) return -1;
  switch (wrap.type) {
    case WrapType::kSite:
      return work.spec.sites[wrap.object].body;
    case WrapType::kSphere:
    case WrapType::kCylinder:
      return work.spec.geoms[wrap.object].body;
    default:
      return -1;
  }
}

// 0 = general, 1 = M of this body is constant and diagonal, 2 = and all its joints are slides.
// Where elimination of exact followers changes M it is neither.
void mark_simple(const Work& work, Tree& tree, std::span<const FollowerDof> followers) {
  tree.body_simple.assign(tree.nbody, 0);
  for (int b = 0; b < tree.nbody; ++b) {
    const BodyWork& body = work.bodies[b];
    const int parent = tree.body_parent[b];
    const bool near_world = parent == 0 || (tree.body_parent[parent] == 0 && tree.body_dofnum[parent] == 0);
    const bool leaf = b == 0 || body.children.empty();
    if (!is_null(body.inertial.pos) || !is_null(body.inertial.quat) || !near_world || !leaf ||
        !work.spec.bodies[b].simple_allowed || !are_joints_simple(work, b)) {
      continue;
    }
    const bool slides = std::all_of(body.joints.begin(), body.joints.end(),
                                    [&](int j) { return joint_kind(work.spec.joints[j].type).is_length(); });
    tree.body_simple[b] = !body.joints.empty() && slides ? 2 : 1;
  }

  const std::vector<uint8_t> touched = touched_by_followers(tree.dof_parent, tree.row_parent, followers);
  for (int i = 0; i < tree.nv; ++i) {
    if (touched[i]) tree.body_simple[tree.dof_body[i]] = 0;
  }

  // a tendon with armature, its own or an actuator's, couples the bodies it runs over
  std::vector<bool> has_armature(work.tendons.size());
  for (size_t t = 0; t < work.tendons.size(); ++t) has_armature[t] = work.spec.tendons[t].armature != 0;
  for (size_t a = 0; a < work.actuators.size(); ++a) {
    const ActuatorWork& actuator = work.actuators[a];
    const bool on_tendon = actuator.trntype == TransmissionType::kTendon && actuator.trnid[0] >= 0;
    if (on_tendon && work.spec.actuators[a].armature != 0) has_armature[actuator.trnid[0]] = true;
  }
  for (size_t t = 0; t < work.tendons.size(); ++t) {
    if (!has_armature[t]) continue;
    for (const WrapWork& wrap : work.tendons[t].path) {
      const bool joint = wrap.type == WrapType::kJoint && wrap.object >= 0;
      const int body = joint ? work.spec.joints[wrap.object].body : wrap_body(work, wrap);
      if (body >= 0) tree.body_simple[body] = 0;
    }
  }

  // length of the run of simple dofs that starts here
  tree.dof_simplenum.assign(tree.nv, 0);
  for (int i = tree.nv - 1, run = 0; i >= 0; --i) {
    run = tree.body_simple[tree.dof_body[i]] ? run + 1 : 0;
    tree.dof_simplenum[i] = run;
  }
}

// Dofs that follow others exactly, before their leaders.
std::vector<FollowerDof> follower_dofs(const Work& work, const Tree& tree) {
  std::vector<FollowerDof> followers;
  for (const int e : elimination_order(work)) {
    const EqualityWork& equality = work.equalities[e];
    FollowerDof follower{tree.joint_dofadr[equality.obj1], {}};
    for (const int leader : equality.leaders) follower.leaders.push_back(tree.joint_dofadr[leader]);
    followers.push_back(std::move(follower));
  }
  return followers;
}

Tree make_tree(const Work& work) {
  Tree tree;
  tree.nbody = static_cast<int>(work.bodies.size());
  tree.body_parent.assign(tree.nbody, 0);
  tree.body_dofadr.assign(tree.nbody, -1);
  tree.body_dofnum.assign(tree.nbody, 0);
  tree.body_lastdof.assign(tree.nbody, -1);
  tree.joint_dofadr.assign(work.spec.joints.size(), -1);

  for (int b = 0; b < tree.nbody; ++b) {
    const int parent = b ? work.spec.bodies[b].parent : 0;
    tree.body_parent[b] = parent;
    int last = b ? tree.body_lastdof[parent] : -1;
    for (int j : work.bodies[b].joints) {
      tree.joint_dofadr[j] = tree.nv;
      for (int k = joint_kind(work.spec.joints[j].type).velocities; k > 0; --k) {
        tree.dof_body.push_back(b);
        tree.dof_parent.push_back(last);
        tree.dof_depth.push_back(last < 0 ? 0 : tree.dof_depth[last] + 1);
        if (last < 0) ++tree.ntree;
        tree.dof_tree.push_back(tree.ntree - 1);
        last = tree.nv++;
      }
    }
    if (!work.bodies[b].joints.empty()) tree.body_dofadr[b] = tree.joint_dofadr[work.bodies[b].joints[0]];
    tree.body_lastdof[b] = last;
    tree.body_dofnum[b] = tree.body_dofadr[b] < 0 ? 0 : tree.nv - tree.body_dofadr[b];
  }

  // where each body's own dofs begin and end; then the ends of subtrees, children first
  tree.body_first_dof.assign(tree.nbody, 0);
  tree.body_end_dof.assign(tree.nbody, 0);
  for (int b = 0, seen = 0; b < tree.nbody; ++b) {
    tree.body_first_dof[b] = seen;
    tree.body_end_dof[b] = seen += tree.body_dofnum[b];
  }
  for (int b = tree.nbody - 1; b > 0; --b) {
    int& end = tree.body_end_dof[tree.body_parent[b]];
    end = std::max(end, tree.body_end_dof[b]);
  }
  const std::vector<FollowerDof> followers = follower_dofs(work, tree);
  tree.row_parent = mass_tree_parents(tree.dof_parent, followers);
  tree.row_depth.assign(tree.nv, 0);
  tree.row_end.assign(tree.nv, 0);
  for (int i = 0; i < tree.nv; ++i) {
    const int parent = tree.row_parent[i];
    tree.row_depth[i] = parent < 0 ? 0 : tree.row_depth[parent] + 1;
    for (int k = i; k >= 0; k = tree.row_parent[k]) tree.row_end[k] = i + 1;
  }
  mark_simple(work, tree, followers);
  return tree;
}

// ---- columns of Jacobian rows
// ----------------------------------------------------------------------

// Number of dofs that move either body, without those that move both when `skip_common`.
int merged_chain(const Tree& tree, int body1, int body2, bool skip_common) {
  int a = tree.body_lastdof[body1], b = tree.body_lastdof[body2], count = 0;
  while (a >= 0 || b >= 0) {
    if (a == b && skip_common) break;
    const int dof = std::max(a, b);
    if (a == dof) a = tree.dof_parent[a];
    if (b == dof) b = tree.dof_parent[b];
    ++count;
  }
  return count;
}

bool is_fixed(const TendonWork& tendon) { return !tendon.path.empty() && tendon.path[0].type == WrapType::kJoint; }

// Dofs a tendon's length depends on, ascending. A joint named twice on a fixed tendon counts twice,
// as in the reference: the row keeps one entry per path element.
std::vector<int> tendon_columns(const Work& work, const Tree& tree, const TendonWork& tendon) {
  std::vector<int> columns;
  if (is_fixed(tendon)) {
    for (const WrapWork& wrap : tendon.path) {
      if (wrap.object >= 0) columns.push_back(tree.joint_dofadr[wrap.object]);
    }
    std::sort(columns.begin(), columns.end());
    return columns;
  }
  std::vector<bool> used(tree.nv, false);
  for (const WrapWork& wrap : tendon.path) {
    const int body = wrap_body(work, wrap);
    // an ancestor already marked has all of its own ancestors marked
    for (int i = body < 0 ? -1 : tree.body_lastdof[body]; i >= 0 && !used[i]; i = tree.dof_parent[i]) {
      used[i] = true;
    }
  }
  for (int i = 0; i < tree.nv; ++i) {
    if (used[i]) columns.push_back(i);
  }
  return columns;
}

// Entries the reference reserves for the moment rows of one actuator.
int moment_entries(const Work& work, const Tree& tree, const ActuatorWork& actuator) {
  const int id = actuator.trnid[0], id2 = actuator.trnid[1];
  if (id < 0) return 0;
  const auto site_body = [&](int site) { return site < 0 ? 0 : work.spec.sites[site].body; };
  switch (actuator.trntype) {
    case TransmissionType::kJoint:
    case TransmissionType::kJointInParent:
      return joint_kind(work.spec.joints[id].type).velocities;
    case TransmissionType::kSliderCrank:
      return merged_chain(tree, site_body(id), site_body(id2), false);
    case TransmissionType::kTendon:
      return static_cast<int>(tendon_columns(work, tree, work.tendons[id]).size());
    case TransmissionType::kSite:
      return merged_chain(tree, site_body(id), site_body(id2), true);
    case TransmissionType::kBody:
      return tree.nv;
    case TransmissionType::kSo3:
      return id2 >= 0 ? 3 * tree.nv : 3;
    case TransmissionType::kUndefined:
      break;
  }
  return 0;
}

// ---- trees that touch each other, and sleep
// --------------------------------------------------------

int wrap_tree(const Work& work, const Tree& tree, const WrapWork& wrap) {
  int body = wrap_body(work, wrap);
  if (wrap.type == WrapType::kJoint && wrap.object >= 0) body = work.spec.joints[wrap.object].body;
  return body < 0 ? -1 : tree.body_tree(body);
}

// Trees along a tendon's path, in the order they are met.
std::vector<int> tendon_trees(const Work& work, const Tree& tree, const TendonWork& tendon) {
  std::vector<int> trees;
  for (const WrapWork& wrap : tendon.path) {
    const int id = wrap_tree(work, tree, wrap);
    if (id >= 0 && std::find(trees.begin(), trees.end(), id) == trees.end()) trees.push_back(id);
  }
  return trees;
}

bool is_zero(const Reals<3>& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0; }

// The actuator whose damping and armature act on a joint or tendon; -2 when there are several.
std::vector<int> actuators_on(const Work& work, ObjType kind, size_t count) {
  std::vector<int> ids(count, -1);
  for (size_t a = 0; a < work.actuators.size(); ++a) {
    const ActuatorWork& actuator = work.actuators[a];
    const ActuatorSpec& spec = work.spec.actuators[a];
    const bool on_joint =
        actuator.trntype == TransmissionType::kJoint || actuator.trntype == TransmissionType::kJointInParent;
    const bool matches = kind == ObjType::kJoint ? on_joint : actuator.trntype == TransmissionType::kTendon;
    const int id = actuator.trnid[0];
    if (!matches || id < 0 || (is_zero(spec.damping) && spec.armature == 0)) continue;
    ids[id] = ids[id] == -1 ? static_cast<int>(a) : -2;
  }
  return ids;
}

// Whether forces can pass between trees through this tendon, so that they must be awake together.
bool couples_trees(const TendonSpec& tendon, size_t trees, int actuator) {
  if (trees < 2) return false;
  return trees > 2 || !is_zero(tendon.stiffness) || !is_zero(tendon.damping) || actuator != -1;
}

void check_sleep(Work& work, const Tree& tree) {
  std::vector<int> root(tree.ntree, -1);
  for (int b = 1; b < tree.nbody; ++b) {
    const int id = tree.body_tree(b);
    const bool is_root = id >= 0 && root[id] < 0;
    if (is_root) root[id] = b;
    if (work.spec.bodies[b].sleep != SleepPolicy::kAuto && !is_root) {
      work.error(Code::kBadBody, work.spec.bodies[b], "sleep",
                 "only the first moving body of a kinematic tree can have a sleep policy");
    }
  }
  const std::vector<int> on_tendon = actuators_on(work, ObjType::kTendon, work.tendons.size());
  for (size_t t = 0; t < work.tendons.size(); ++t) {
    const std::vector<int> trees = tendon_trees(work, tree, work.tendons[t]);
    if (!couples_trees(work.spec.tendons[t], trees.size(), on_tendon[t])) continue;
    for (int id : trees) {
      const BodySpec& body = work.spec.bodies[root[id]];
      if (body.sleep != SleepPolicy::kAllowed && body.sleep != SleepPolicy::kInit) continue;
      work.error(Code::kBadBody, body, "sleep",
                 "the tree may not sleep: " + describe(work.spec, work.spec.tendons[t]) +
                     (trees.size() > 2 ? " connects more than two trees" : " passes force to another tree"),
                 "leave out sleep, or use sleep=\"never\"");
    }
  }
}

// ---- writing
// ---------------------------------------------------------------------------------------

void write_dof_patterns(const Tree& tree, Model& model) {
  int madr = 0, m = 0, d = 0;
  for (int i = 0; i < tree.nv; ++i) {
    const int depth = tree.row_depth[i];
    const int end = tree.row_end[i];
    model.dof_simplenum[i] = tree.dof_simplenum[i];
    model.dof_Madr[i] = madr;
    madr += depth + 1;
    model.M_rowadr[i] = m;
    m += model.M_rownnz[i] = tree.dof_simplenum[i] ? 1 : depth + 1;
    model.D_rowadr[i] = d;
    d += model.D_rownnz[i] = depth + end - i;
    model.D_diag[i] = depth;
    const int parent = tree.row_parent[i];
    model.M_parentid[i] = parent;
    model.M_chainnum[i] = i > 0 && parent == i - 1 ? model.M_chainnum[i - 1] + 1 : 0;
  }

  // columns: an ancestor stands at the place given by its own depth
  for (int i = 0; i < tree.nv; ++i) {
    const int depth = tree.row_depth[i], end = tree.row_end[i];
    const bool reduced = tree.dof_simplenum[i] > 0;
    for (int j = i; j >= 0; j = tree.row_parent[j]) {
      const int place = tree.row_depth[j];
      const int d_index = model.D_rowadr[i] + place;
      model.D_colind[d_index] = j;
      if (reduced && j != i) continue;
      const int m_index = model.M_rowadr[i] + (reduced ? 0 : place);
      model.M_colind[m_index] = j;
      model.mapD2M[m_index] = d_index;
      model.mapM2M[m_index] = model.dof_Madr[i] + depth - place;
    }
    int32_t* own = model.D_colind + model.D_rowadr[i] + depth;
    std::iota(own, own + end - i, i);
  }

  // entry (i, j) of D takes its value from row max(i, j) of M; -1 where M has no such entry
  for (int i = 0; i < tree.nv; ++i) {
    for (int k = 0; k < model.D_rownnz[i]; ++k) {
      const int j = model.D_colind[model.D_rowadr[i] + k];
      const int row = std::max(i, j), place = tree.row_depth[std::min(i, j)];
      int source = model.M_rowadr[row] + place;
      if (tree.dof_simplenum[row]) source = i == j ? model.M_rowadr[row] : -1;
      model.mapM2D[model.D_rowadr[i] + k] = source;
    }
  }
}

// Row of B: dofs of ancestor bodies, then the range of the body's own subtree.
void write_body_rows(const Tree& tree, Model& model) {
  int at = 0;
  for (int b = 0; b < tree.nbody; ++b) {
    const int above = b ? tree.body_lastdof[tree.body_parent[b]] : -1;
    const int ancestors = above < 0 ? 0 : tree.dof_depth[above] + 1;
    const int first = tree.body_first_dof[b], end = tree.body_end_dof[b];
    int32_t* columns = model.B_colind + at;
    for (int i = above; i >= 0; i = tree.dof_parent[i]) columns[tree.dof_depth[i]] = i;
    std::iota(columns + ancestors, columns + ancestors + end - first, first);
    model.B_rowadr[b] = at;
    at += model.B_rownnz[b] = ancestors + end - first;
  }
}

// What the document asks for; the rest is decided with the other constants.
void write_sleep_wishes(const Work& work, const Tree& tree, Model& model) {
  std::fill_n(model.tree_sleep_policy, tree.ntree, static_cast<int>(SleepPolicy::kAuto));
  for (int b = 1; b < tree.nbody; ++b) {
    const SleepPolicy wanted = work.spec.bodies[b].sleep;
    const int id = tree.body_tree(b);
    if (wanted != SleepPolicy::kAuto && id >= 0) model.tree_sleep_policy[id] = static_cast<int>(wanted);
  }
}

}  // namespace

void count_sparsity(Work& work) {
  const Tree tree = make_tree(work);
  ModelSizes& sizes = work.sizes;
  sizes.ntree = tree.ntree;
  sizes.nM = sizes.nC = sizes.nB = sizes.nD = sizes.nJten = sizes.nJmom = 0;
  int64_t nM = 0, nC = 0, nB = 0;
  for (int i = 0; i < tree.nv; ++i) {
    nM += tree.row_depth[i] + 1;
    nC += tree.dof_simplenum[i] ? 1 : tree.row_depth[i] + 1;
  }
  for (int b = 0; b < tree.nbody; ++b) {
    const int above = b ? tree.body_lastdof[tree.body_parent[b]] : -1;
    nB += (above < 0 ? 0 : tree.dof_depth[above] + 1) + tree.body_end_dof[b] - tree.body_first_dof[b];
  }
  // long chains with many branches grow with the square of their length
  constexpr int64_t kMaxEntries = int64_t{1} << 24;
  if (std::max(nM, nB) > kMaxEntries) {
    work.diagnostics.error(Code::kTooLarge, Origin{0, 0, 0}, "",
                           "the mass matrix would have " + std::to_string(std::max(nM, nB)) + " entries, more than " +
                               std::to_string(kMaxEntries));
    return;
  }
  sizes.nM = static_cast<int>(nM);
  sizes.nC = static_cast<int>(nC);
  sizes.nB = static_cast<int>(nB);
  sizes.nD = 2 * sizes.nM - tree.nv;
  for (const TendonWork& tendon : work.tendons) {
    sizes.nJten += static_cast<int>(tendon_columns(work, tree, tendon).size());
  }
  for (const ActuatorWork& actuator : work.actuators) sizes.nJmom += moment_entries(work, tree, actuator);
  check_sleep(work, tree);
}

void write_sparsity(const Work& work, Model& model) {
  const Tree tree = make_tree(work);
  std::copy(tree.body_simple.begin(), tree.body_simple.end(), model.body_simple);
  write_dof_patterns(tree, model);
  write_body_rows(tree, model);
  write_sleep_wishes(work, tree, model);
}

}  // namespace pliant

// What the stages of a step rely on beyond ranges: bodies, joints and dofs tell one story, the
// moment matrix has room for its entries, and every sensor measures what its type can and delivers
// as many numbers as its type says.

#include <numeric>
#include <vector>

#include "model/array_checker.h"
#include "model/sensor_kinds.h"
#include "pliant/kinds.h"

namespace pliant {
namespace {

bool has_frame(ObjType type) {
  return type == ObjType::kBody || type == ObjType::kXbody || type == ObjType::kGeom || type == ObjType::kSite ||
         type == ObjType::kCamera;
}

/// Last dof on the way from the root to each body; -1 if it cannot move.
std::vector<int> last_dofs(const Model& m) {
  std::vector<int> last(m.nbody, -1);
  for (int b = 1; b < m.nbody; ++b) {
    const int own = m.body_dofnum[b];
    last[b] = own > 0 ? m.body_dofadr[b] + own - 1 : last[m.body_parentid[b]];
  }
  return last;
}

/// Dofs that move either body, without those that move both when `skip_common`.
int64_t merged_chain(const Model& m, int a, int b, bool skip_common) {
  int64_t count = 0;
  while (a >= 0 || b >= 0) {
    if (a == b && skip_common) break;
    const int dof = std::max(a, b);
    if (a == dof) a = m.dof_parentid[a];
    if (b == dof) b = m.dof_parentid[b];
    ++count;
  }
  return count;
}

}  // namespace

/// Joints follow each other in the order of their bodies, dofs and positions in the order of
/// joints.
void ArrayChecker::tree_shape() {
  std::vector<int> last(nbody, -1);
  int joint = 0, dof = 0, position = 0, geom = 0;
  for (int b = 0; b < nbody && fine(); ++b) {
    const int joints = m.body_jntnum[b], first_dof = dof, geoms = m.body_geomnum[b];
    const int parent = m.body_parentid[b];
    last[b] = b > 0 ? last[parent] : -1;
    // the root of its tree, and the nearest body above that moves against its parent
    const int root = b == 0 || parent == 0 ? b : m.body_rootid[parent];
    const int weld = b == 0 || joints > 0 || m.body_mocapid[b] >= 0 ? b : m.body_weldid[parent];
    between("body_rootid", b, m.body_rootid[b], root, root);
    between("body_weldid", b, m.body_weldid[b], weld, weld);
    between("body_jntadr", b, m.body_jntadr[b], joints ? joint : -1, joints ? joint : -1);
    for (int end = joint + joints; joint < end && fine(); ++joint) {
      between("jnt_bodyid", joint, m.jnt_bodyid[joint], b, b);
      between("jnt_dofadr", joint, m.jnt_dofadr[joint], dof, dof);
      between("jnt_qposadr", joint, m.jnt_qposadr[joint], position, position);
      position += joint_kind(m.jnt_type[joint]).positions;
      for (int stop = dof + joint_kind(m.jnt_type[joint]).velocities; dof < stop && fine(); ++dof) {
        between("dof_bodyid", dof, m.dof_bodyid[dof], b, b);
        between("dof_jntid", dof, m.dof_jntid[dof], joint, joint);
        between("dof_parentid", dof, m.dof_parentid[dof], last[b], last[b]);
        last[b] = dof;
      }
    }
    between("body_dofnum", b, m.body_dofnum[b], dof - first_dof, dof - first_dof);
    between("body_dofadr", b, m.body_dofadr[b], dof > first_dof ? first_dof : -1, dof > first_dof ? first_dof : -1);
    between("body_geomadr", b, m.body_geomadr[b], geoms ? geom : -1, geoms ? geom : -1);
    for (int end = geom + geoms; geom < end && fine(); ++geom) {
      between("geom_bodyid", geom, m.geom_bodyid[geom], b, b);
    }
  }
  // poses of sites are computed body by body
  for (int s = 1; s < nsite && fine(); ++s)
    between("site_bodyid", s, m.site_bodyid[s], m.site_bodyid[s - 1], nbody - 1);
  if (joint != njnt || dof != nv || position != nq || geom != ngeom) {
    fail("joints, dofs, positions or geoms belong to no body");
  }
}

/// dof_simplenum counts how many dofs of simple bodies follow, itself included. A body that is no longer called simple
/// may keep its counts, as in the reference: programs write body_simple when they move an inertial frame, and rows of
/// the mass matrix stay as they are.
void ArrayChecker::simple_dofs() {
  for (int i = nv - 1, run = 0; i >= 0 && fine(); --i) {
    const bool counted = m.body_simple[m.dof_bodyid[i]] || m.dof_simplenum[i];
    run = counted ? run + 1 : 0;
    between("dof_simplenum", i, m.dof_simplenum[i], run, run);
  }
}

/// A dof without a parent begins a tree; bodies belong to the tree of the last dof that moves them.
void ArrayChecker::trees() {
  const std::vector<int> last = last_dofs(m);
  std::vector<int> dofs(ntree, 0), bodies(ntree, 0);
  int tree = 0;
  for (int i = 0; i < nv && fine(); ++i) {
    const int parent = m.dof_parentid[i], id = parent >= 0 ? m.dof_treeid[parent] : tree++;
    between("dof_treeid", i, m.dof_treeid[i], id, id);
    if (fine() && dofs[id]++ == 0) between("tree_dofadr", id, m.tree_dofadr[id], i, i);
  }
  for (int b = 0; b < nbody && fine(); ++b) {
    const int id = last[b] >= 0 ? m.dof_treeid[last[b]] : -1;
    between("body_treeid", b, m.body_treeid[b], id, id);
    if (id >= 0 && bodies[id]++ == 0) between("tree_bodyadr", id, m.tree_bodyadr[id], b, b);
  }
  if (tree != ntree) return fail("ntree is " + std::to_string(ntree) + "; there are " + std::to_string(tree));
  for (int id = 0; id < ntree && fine(); ++id) {
    between("tree_dofnum", id, m.tree_dofnum[id], dofs[id], dofs[id]);
    between("tree_bodynum", id, m.tree_bodynum[id], bodies[id], bodies[id]);
  }
}

/// Rows of D and B: the dofs above, then the subtree's dofs from this one (or the body's first) on.
void ArrayChecker::dof_patterns() {
  const std::vector<int> last = last_dofs(m);
  std::vector<int> first(nbody, 0), end(nbody, 0);  // dofs of each subtree
  for (int b = 0, seen = 0; b < nbody; ++b) {
    first[b] = seen;
    end[b] = seen += m.body_dofnum[b];
  }
  for (int b = nbody - 1; b > 0; --b) {
    end[m.body_parentid[b]] = std::max(end[m.body_parentid[b]], end[b]);
  }
  // read backwards: to-1 … from, then `above` and its ancestors, and nothing else
  const auto row = [&](const char* name, const int32_t* columns, int at, int count, int above, int from, int to,
                       const int32_t* parent) {
    for (int k = at + count - 1; k >= at && fine(); --k) {
      const int wanted = to > from ? --to : above;
      between(name, k, columns[k], wanted, wanted);
      if (wanted == above && wanted >= 0) above = parent[above];
    }
    if (fine() && (to > from || above >= 0)) fail(std::string(name) + " has a row that is too short");
  };
  // rows of D follow the columns of M
  std::vector<int> row_end(nv);
  for (int i = nv - 1; i >= 0; --i) {
    row_end[i] = std::max(row_end[i], i + 1);
    if (m.M_parentid[i] >= 0 && m.M_parentid[i] < i)
      row_end[m.M_parentid[i]] = std::max(row_end[m.M_parentid[i]], row_end[i]);
  }
  for (int i = 0; i < nv && fine(); ++i) {
    row("D_colind", m.D_colind, m.D_rowadr[i], m.D_rownnz[i], m.M_parentid[i], i, row_end[i], m.M_parentid);
  }
  for (int b = 0; b < nbody && fine(); ++b) {
    const int above = b > 0 ? last[m.body_parentid[b]] : -1;
    row("B_colind", m.B_colind, m.B_rowadr[b], m.B_rownnz[b], above, first[b], end[b], m.dof_parentid);
  }
}

void ArrayChecker::moment_entries() {
  const std::vector<int> last = last_dofs(m);
  const auto site = [&](int id) { return id < 0 ? -1 : last[m.site_bodyid[id]]; };
  int64_t entries = 0;
  for (int a = 0; a < nactuator; ++a) {
    const int id = m.actuator_trnid[2 * a], other = m.actuator_trnid[2 * a + 1];
    switch (static_cast<TransmissionType>(m.actuator_trntype[a])) {
      case TransmissionType::kJoint:
      case TransmissionType::kJointInParent:
        entries += joint_kind(m.jnt_type[id]).velocities;
        break;
      case TransmissionType::kSliderCrank:
        entries += merged_chain(m, site(id), site(other), false);
        break;
      case TransmissionType::kTendon:
        entries += m.ten_J_rownnz[id];
        break;
      case TransmissionType::kSite:
        entries += merged_chain(m, site(id), site(other), true);
        break;
      case TransmissionType::kBody:
        entries += nv;
        break;
      case TransmissionType::kSo3:
        entries += other >= 0 ? 3 * int64_t{nv} : 3;
        break;
      default:
        break;
    }
  }
  if (fine() && entries != nJmom) {
    fail("nJmom is " + std::to_string(nJmom) + "; the actuators have " + std::to_string(entries) + " entries");
  }
}

/// Sizes of a State that no array of the file bounds are what their users add up to.
void ArrayChecker::state_sizes() {
  const auto total = [](const int32_t* numbers, int n) { return std::accumulate(numbers, numbers + n, int64_t{0}); };
  const struct {
    const char* name;
    int64_t size, used;
  } sums[] = {{"nu", nu, total(m.actuator_ctrlnum, nactuator)},
              {"nout", nout, total(m.actuator_outnum, nactuator)},
              {"na", na, total(m.actuator_actnum, nactuator)},
              {"nsensordata", nsensordata, total(m.sensor_dim, nsensor)}};
  for (const auto& [name, size, used] : sums) {
    if (size == used) continue;
    fail(std::string(name) + " is " + std::to_string(size) + "; " + std::to_string(used) + " are used");
  }
}

void ArrayChecker::sensor_kinds() {
  const auto is = [&](int sensor, std::initializer_list<ObjType> types) {
    const auto type = static_cast<ObjType>(m.sensor_objtype[sensor]);
    return m.sensor_objid[sensor] >= 0 && std::find(types.begin(), types.end(), type) != types.end();
  };
  const auto is_joint = [&](int sensor, bool ball, bool scalar) {
    if (!is(sensor, {ObjType::kJoint})) return false;
    const JointKind& kind = joint_kind(m.jnt_type[m.sensor_objid[sensor]]);
    return kind.is_ball() ? ball : kind.is_scalar() && scalar;
  };
  for (int s = 0; s < nsensor && fine(); ++s) {
    const auto type = static_cast<SensorType>(m.sensor_type[s]);
    const auto ref = static_cast<ObjType>(m.sensor_reftype[s]);
    bool right = false;
    switch (kSensorKinds[m.sensor_type[s]].object) {
      case SensorObject::kNothing:
        right = true;
        break;
      case SensorObject::kSite:
        right = is(s, {ObjType::kSite});
        break;
      case SensorObject::kSiteOrCamera:
        right = is(s, {ObjType::kSite, ObjType::kCamera});
        break;
      case SensorObject::kScalarJoint:
        right = is_joint(s, false, true);
        break;
      case SensorObject::kBallJoint:
        right = is_joint(s, true, false);
        break;
      case SensorObject::kLimitedJoint:
        right = is_joint(s, true, true);
        break;
      case SensorObject::kTendon:
      case SensorObject::kLimitedTendon:
        right = is(s, {ObjType::kTendon});
        break;
      case SensorObject::kActuator:
        right = is(s, {ObjType::kActuator});
        break;
      case SensorObject::kFrame:
        right = has_frame(static_cast<ObjType>(m.sensor_objtype[s])) && m.sensor_objid[s] >= 0;
        break;
      case SensorObject::kBody:
        right = is(s, {ObjType::kBody});
        break;
      case SensorObject::kTwoBodiesOrGeoms:
        right = is(s, {ObjType::kBody, ObjType::kGeom}) && (ref == ObjType::kBody || ref == ObjType::kGeom);
        break;
      case SensorObject::kMeshOnGeom:
        right = is(s, {ObjType::kMesh}) && ref == ObjType::kGeom;
        break;
    }
    if (!right) fail(item_text("sensor_objtype", s) + " is not what its sensor measures");
    // whatever has a type has an object; frames of reference are frames
    const bool right_object = m.sensor_objtype[s] == static_cast<int>(ObjType::kUnknown) || m.sensor_objid[s] >= 0;
    if (!right_object) fail(item_text("sensor_objid", s) + " names nothing");
    const bool right_reference = type == SensorType::kCamProjection ? ref == ObjType::kCamera
                                 : type == SensorType::kInsideSite  ? ref == ObjType::kSite
                                                                    : ref == ObjType::kUnknown || has_frame(ref);
    if (!right_reference || (ref != ObjType::kUnknown && m.sensor_refid[s] < 0)) {
      fail(item_text("sensor_reftype", s) + " is not what its sensor measures");
    }
    if (const int size = kSensorKinds[m.sensor_type[s]].size; size != kOwnSize) {
      between("sensor_dim", s, m.sensor_dim[s], size, size);
    }
  }
}

}  // namespace pliant

// Bodies by depth, children of bodies, dofs by depth, places of moments.

#include "batch/tree_order.h"

#include <algorithm>

#include "pliant/kinds.h"

namespace pliant {
namespace {

/// Appends addresses and members of classes 0 … classes - 1, members ascending within a class.
void append_classes(const std::vector<int>& class_of, int classes, std::vector<int>& numbers, size_t& adr,
                    size_t& member) {
  const int n = static_cast<int>(class_of.size());
  adr = numbers.size();
  std::vector<int> first(classes + 1, 0);
  for (int c : class_of) {
    if (c >= 0) ++first[c + 1];
  }
  for (int c = 0; c < classes; ++c) first[c + 1] += first[c];
  numbers.insert(numbers.end(), first.begin(), first.end());
  member = numbers.size();
  numbers.resize(member + n);
  for (int i = 0; i < n; ++i) {
    if (class_of[i] >= 0) numbers[member + first[class_of[i]]++] = i;
  }
}

/// Entries an actuator writes into actuator_moment if the model alone decides it; -1 otherwise.
int moment_entries(const Model& m, int actuator) {
  const int target = m.actuator_trnid[2 * actuator];
  switch (static_cast<TransmissionType>(m.actuator_trntype[actuator])) {
    case TransmissionType::kJoint:
    case TransmissionType::kJointInParent:
      return joint_kind(m.jnt_type[target]).velocities;
    case TransmissionType::kTendon:
      return m.ten_J_rownnz[target];
    default:
      return -1;
  }
}

void append_moments(const Model& m, TreeOrderTable& table) {
  std::vector<int> users(m.nv, 0);
  int adr = 0;
  table.moment_adr = table.numbers.size();
  table.has_moment_adr = table.moments_disjoint = true;
  for (int i = 0; i < m.nactuator; ++i) {
    const int entries = moment_entries(m, i);
    if (entries < 0) {
      table.has_moment_adr = table.moments_disjoint = false;
      return;
    }
    table.numbers.push_back(adr);
    adr += entries;
    const int target = m.actuator_trnid[2 * i];
    const bool joint = m.actuator_trntype[i] != static_cast<int>(TransmissionType::kTendon);
    for (int k = 0; k < entries; ++k) {
      const int dof = joint ? m.jnt_dofadr[target] + k : m.ten_J_colind[m.ten_J_rowadr[target] + k];
      if (users[dof]++) table.moments_disjoint = false;
    }
  }
}

}  // namespace

TreeOrderTable make_tree_order(const Model& m) {
  TreeOrderTable table;
  std::vector<int> depth(m.nbody, 0), parent(m.nbody, -1);
  for (int b = 1; b < m.nbody; ++b) {
    parent[b] = m.body_parentid[b];
    depth[b] = depth[parent[b]] + 1;
    table.nlevel = std::max(table.nlevel, depth[b]);
  }
  ++table.nlevel;
  append_classes(depth, table.nlevel, table.numbers, table.level_adr, table.level_body);
  append_classes(parent, m.nbody, table.numbers, table.child_adr, table.child);
  std::vector<int> dof_depth(m.nv, 0);
  for (int i = 0; i < m.nv; ++i) {
    dof_depth[i] = m.M_rownnz[i] - 1;
    table.ndof_level = std::max(table.ndof_level, dof_depth[i] + 1);
  }
  append_classes(dof_depth, table.ndof_level, table.numbers, table.dof_level_adr, table.level_dof);
  table.entry_row = table.numbers.size();
  for (int i = 0; i < m.nv; ++i) table.numbers.insert(table.numbers.end(), static_cast<size_t>(m.M_rownnz[i]), i);
  append_moments(m, table);
  return table;
}

TreeOrder TreeOrderTable::view(const int* base) const {
  TreeOrder order;
  order.nlevel = nlevel;
  order.level_adr = base + level_adr;
  order.level_body = base + level_body;
  order.child_adr = base + child_adr;
  order.child = base + child;
  order.ndof_level = ndof_level;
  order.dof_level_adr = base + dof_level_adr;
  order.level_dof = base + level_dof;
  order.entry_row = base + entry_row;
  order.moment_adr = has_moment_adr ? base + moment_adr : nullptr;
  order.moments_disjoint = moments_disjoint;
  return order;
}

}  // namespace pliant

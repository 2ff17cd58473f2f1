// The pattern of M after followers are eliminated, M' = Gᵀ M G.
//
// Reads dof_parentid and who follows whom. Moving the entries of a follower to its leaders couples each leader with all
// that the follower was coupled with, which may lie in other branches. Elimination without fill needs a forest in
// which coupled dofs lie on one path to the root; tree_lu.h also needs descendants to be the dofs that follow. Both
// hold for nested intervals: dof j's interval reaches to the last dof it is coupled with, and grows until intervals are
// nested. Where nothing new is coupled this is the kinematic tree.
// Cost: for every follower the dofs above and below it, once, at load.

#include "model/mass_tree.h"

#include <algorithm>
#include <set>

#include "model/array_checker.h"

namespace pliant {
namespace {

/// One past the last descendant of every dof; children have higher numbers than parents.
std::vector<int> subtree_ends(std::span<const int> parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> end(parent.size());
  for (int i = 0; i < n; ++i) end[i] = i + 1;
  for (int i = n - 1; i >= 0; --i) {
    if (parent[i] >= 0) end[parent[i]] = std::max(end[parent[i]], end[i]);
  }
  return end;
}

}  // namespace

std::vector<int> mass_tree_parents(std::span<const int> dof_parent, std::span<const FollowerDof> followers) {
  if (followers.empty()) return {dof_parent.begin(), dof_parent.end()};
  const int n = static_cast<int>(dof_parent.size());
  std::vector<int> end = subtree_ends(dof_parent);
  const std::vector<int> kinematic = end;

  // pairs that become coupled, beyond those of the tree
  std::vector<std::set<int>> coupled(dof_parent.size());
  for (const auto& [follower, leaders] : followers) {
    std::set<int> others = coupled[follower];
    for (int i = dof_parent[follower]; i >= 0; i = dof_parent[i]) others.insert(i);
    for (int i = follower + 1; i < kinematic[follower]; ++i) others.insert(i);
    others.insert(leaders.begin(), leaders.end());
    others.erase(follower);
    for (const int leader : leaders) {
      for (const int other : others) {
        if (other == leader) continue;
        coupled[leader].insert(other);
        coupled[other].insert(leader);
      }
    }
  }

  // intervals, nested: from the last dof on, each swallows those that begin in it
  for (int j = n - 1; j >= 0; --j) {
    if (!coupled[j].empty()) end[j] = std::max(end[j], *coupled[j].rbegin() + 1);
    for (int k = j + 1; k < end[j]; k = end[k]) end[j] = std::max(end[j], end[k]);
  }
  std::vector<int> parent(dof_parent.size(), -1), open;
  for (int i = 0; i < n; ++i) {
    while (!open.empty() && end[open.back()] <= i) open.pop_back();
    parent[i] = open.empty() ? -1 : open.back();
    open.push_back(i);
  }
  return parent;
}

std::vector<uint8_t> touched_by_followers(std::span<const int> dof_parent, std::span<const int> row_parent,
                                          std::span<const FollowerDof> followers) {
  std::vector<uint8_t> touched(dof_parent.size(), 0);
  for (const auto& [follower, leaders] : followers) {
    touched[follower] = 1;
    for (const int leader : leaders) touched[leader] = 1;
  }
  for (size_t i = 0; i < dof_parent.size(); ++i) {
    if (row_parent[i] == dof_parent[i]) continue;
    touched[i] = 1;
    if (row_parent[i] >= 0) touched[row_parent[i]] = 1;
  }
  return touched;
}

void ArrayChecker::mass_tree() {
  std::vector<FollowerDof> followers;
  for (int k = 0; k < nfollower; ++k) {
    const int mimic = m.follower_mimicid[k];
    FollowerDof follower{m.jnt_dofadr[m.eq_obj1id[m.mimic_eqid[mimic]]], {}};
    for (int i = 0; i < m.mimic_leadnum[mimic]; ++i) {
      follower.leaders.push_back(m.jnt_dofadr[m.mimic_leadid[m.mimic_leadadr[mimic] + i]]);
    }
    followers.push_back(std::move(follower));
  }
  const std::span<const int> kinematic(m.dof_parentid, static_cast<size_t>(nv));
  const std::vector<int> parent = mass_tree_parents(kinematic, followers);
  const std::vector<uint8_t> touched = touched_by_followers(kinematic, parent, followers);
  for (int i = 0; i < nv && fine(); ++i) {
    between("M_parentid", i, m.M_parentid[i], parent[i], parent[i]);
    const int before = i > 0 && parent[i] == i - 1 ? m.M_chainnum[i - 1] + 1 : 0;
    between("M_chainnum", i, m.M_chainnum[i], before, before);
    if (touched[i]) between("dof_simplenum", i, m.dof_simplenum[i], 0, 0);
  }
}

}  // namespace pliant

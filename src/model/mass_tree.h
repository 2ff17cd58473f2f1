#pragma once
// The pattern of the mass matrix where joints follow others exactly.

#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

/// A dof that follows others, in the order of elimination.
struct FollowerDof {
  int dof;
  std::vector<int> leaders;
};

/// For every dof the next column of its row of M towards the first, -1 if none. Without followers that is `dof_parent`.
std::vector<int> mass_tree_parents(std::span<const int> dof_parent, std::span<const FollowerDof> followers);

/// Whether elimination changes the row or the column of a dof, or gives it another place: then M is not constant there.
/// `row_parent` is what mass_tree_parents returns.
std::vector<uint8_t> touched_by_followers(std::span<const int> dof_parent, std::span<const int> row_parent,
                                          std::span<const FollowerDof> followers);

}  // namespace pliant

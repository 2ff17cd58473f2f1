#pragma once
// How the bodies and dofs of a Model can be shared out among members of a team.

#include <vector>

#include "state/batch_views.h"

namespace pliant {

/// Owns what a TreeOrder points to, as one array of integers that can be copied to a device.
struct TreeOrderTable {
  std::vector<int> numbers;
  /// The view, with `numbers` lying at `base` (a device address, or numbers.data()).
  TreeOrder view(const int* base) const;

  int nlevel = 0, ndof_level = 0;
  size_t level_adr = 0, level_body = 0, child_adr = 0, child = 0, dof_level_adr = 0, level_dof = 0, entry_row = 0,
         moment_adr = 0;
  bool has_moment_adr = false, moments_disjoint = false;
};

TreeOrderTable make_tree_order(const Model& model);

}  // namespace pliant

// Two right sides at once.

#include "math/tree_matrix_two.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "pliant/pliant.h"
#include "pliant/step.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

// Trees with chains, branches, pairs of dofs and dofs that stand alone.
TEST(TreeMatrix, TwoRightSidesHaveTheBitsOfEach) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const char* scene : {"quadruped", "gripper", "tendon_finger", "drop", "mimic_hand", "stack_of_boxes"}) {
    const Model m = load_scene(scene);
    State s(m);
    Data d(m);
    ASSERT_TRUE(forward(m, s, d).ok());
    const auto pattern = mass_pattern(m);
    std::vector<double> x(static_cast<size_t>(m.nv)), y(x.size());
    for (double& value : x) value = number(random);
    for (double& value : y) value = number(random) < 0 ? 0 : number(random);
    std::vector<double> one = x, other = y;
    solve_tree(pattern, d.qLD, d.qLDiagInv, one.data());
    solve_tree(pattern, d.qLD, d.qLDiagInv, other.data());
    solve_tree_for_both(pattern, d.qLD, d.qLDiagInv, x.data(), y.data());
    EXPECT_EQ(x, one) << scene;
    EXPECT_EQ(y, other) << scene;
  }
}

}  // namespace
}  // namespace pliant

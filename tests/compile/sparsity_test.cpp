// Patterns of M, D and B against ancestor sets found by brute force; trees, tendon rows, sleep.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "pliant/load.h"

namespace pliant {
namespace {

// A random forest of bodies with all joint types.
std::string random_model(int seed) {
  std::mt19937 rng(seed);
  std::string xml = "<mujoco><worldbody>";
  int depth = 0;
  for (int i = 0; i < 25; ++i) {
    while (depth > 0 && rng() % 3 == 0) xml += "</body>", --depth;
    xml += "<body pos='.1 0 " + std::to_string(i) + "'>";
    if (depth++ == 0 && rng() % 4 == 0) {
      xml += "<freejoint/>";
    } else {
      for (unsigned k = rng() % 3; k > 0; --k) {
        const char* types[] = {"hinge", "slide"};
        xml += std::string("<joint type='") + types[rng() % 2] + "' pos='0 0 " + (rng() % 2 ? "0" : ".1") + "'/>";
      }
      if (rng() % 5 == 0) xml += "<joint type='ball'/>";
    }
    xml += "<geom size='.1'/><site name='s" + std::to_string(i) + "'/>";
  }
  for (; depth > 0; --depth) xml += "</body>";
  return xml +
         "</worldbody><tendon><spatial name='t'><site site='s3'/><site site='s9'/><site "
         "site='s20'/>"
         "</spatial></tendon></mujoco>";
}

std::set<int> ancestors_and_self(const Model& m, int dof) {
  std::set<int> out;
  for (int i = dof; i >= 0; i = m.dof_parentid[i]) out.insert(i);
  return out;
}

std::vector<int> row(const int32_t* columns, int at, int n) { return {columns + at, columns + at + n}; }

class SparsityTest : public testing::TestWithParam<int> {};

TEST_P(SparsityTest, MAndDRowsAreAncestorsAndDescendants) {
  const Model m = load_model_string(random_model(GetParam()));
  int entries = 0;
  for (int i = 0; i < m.nv; ++i) {
    const std::set<int> above = ancestors_and_self(m, i);
    EXPECT_EQ(m.dof_Madr[i], entries);
    entries += static_cast<int>(above.size());
    std::vector<int> want(above.begin(), above.end());
    if (m.dof_simplenum[i]) want = {i};
    EXPECT_EQ(row(m.M_colind, m.M_rowadr[i], m.M_rownnz[i]), want);

    std::set<int> both = above;
    for (int j = 0; j < m.nv; ++j) {
      if (ancestors_and_self(m, j).count(i)) both.insert(j);
    }
    EXPECT_EQ(row(m.D_colind, m.D_rowadr[i], m.D_rownnz[i]), std::vector<int>(both.begin(), both.end()));
    EXPECT_EQ(m.D_colind[m.D_rowadr[i] + m.D_diag[i]], i);
  }
  EXPECT_EQ(m.nM, entries);
  EXPECT_EQ(m.nD, 2 * m.nM - m.nv);
}

TEST_P(SparsityTest, MapsPointAtTheSameEntry) {
  const Model m = load_model_string(random_model(GetParam()));
  for (int i = 0; i < m.nv; ++i) {
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
      const int d = m.mapD2M[k];
      EXPECT_EQ(m.D_colind[d], m.M_colind[k]);
      EXPECT_TRUE(d >= m.D_rowadr[i] && d < m.D_rowadr[i] + m.D_rownnz[i]);
      EXPECT_EQ(m.mapM2D[d], k);
      // legacy order: the diagonal, then parents going up
      int place = 0;
      for (int j = i; j != m.M_colind[k]; j = m.dof_parentid[j]) ++place;
      EXPECT_EQ(m.mapM2M[k], m.dof_Madr[i] + place);
    }
    // the upper triangle takes the value of the lower one
    for (int k = m.D_rowadr[i]; k < m.D_rowadr[i] + m.D_rownnz[i]; ++k) {
      const int low = std::max(i, m.D_colind[k]), high = std::min(i, m.D_colind[k]);
      if (m.mapM2D[k] < 0) {
        EXPECT_TRUE(m.dof_simplenum[low] > 0 && low != high);
        continue;
      }
      EXPECT_EQ(m.M_colind[m.mapM2D[k]], high);
      EXPECT_GE(m.mapM2D[k], m.M_rowadr[low]);
    }
  }
}

TEST_P(SparsityTest, BRowsAreDofsAboveAndBelowTheBody) {
  const Model m = load_model_string(random_model(GetParam()));
  const auto is_above = [&](int a, int b) {
    while (b > a) b = m.body_parentid[b];
    return a == b;
  };
  int entries = 0;
  for (int b = 0; b < m.nbody; ++b) {
    std::vector<int> want;
    for (int i = 0; i < m.nv; ++i) {
      const int body = m.dof_bodyid[i];
      if (is_above(body, b) || is_above(b, body)) want.push_back(i);
    }
    EXPECT_EQ(row(m.B_colind, m.B_rowadr[b], m.B_rownnz[b]), want) << "body " << b;
    entries += m.B_rownnz[b];
  }
  EXPECT_EQ(m.nB, entries);
}

TEST_P(SparsityTest, TreesAndTendonRows) {
  const Model m = load_model_string(random_model(GetParam()));
  int dofs = 0;
  for (int t = 0; t < m.ntree; ++t) {
    EXPECT_EQ(m.tree_dofadr[t], dofs);
    dofs += m.tree_dofnum[t];
    EXPECT_EQ(m.dof_parentid[m.tree_dofadr[t]], -1);
    EXPECT_EQ(m.dof_bodyid[m.tree_dofadr[t]], m.tree_bodyadr[t]);
  }
  EXPECT_EQ(dofs, m.nv);
  std::set<int> used;
  for (const char* name : {"s3", "s9", "s20"}) {
    for (int b = m.site_bodyid[m.id(ObjType::kSite, name)]; b > 0; b = m.body_parentid[b]) {
      for (int k = 0; k < m.body_dofnum[b]; ++k) used.insert(m.body_dofadr[b] + k);
    }
  }
  EXPECT_EQ(row(m.ten_J_colind, m.ten_J_rowadr[0], m.ten_J_rownnz[0]), std::vector<int>(used.begin(), used.end()));
}

INSTANTIATE_TEST_SUITE_P(Seeds, SparsityTest, testing::Range(1, 9));

TEST(Sparsity, ArmatureOfASpatialTendonEndsSimplicity) {
  const std::string xml =
      "<mujoco><worldbody><site name='w'/><body><freejoint/><geom size='.1'/>"
      "<site name='a'/></body></worldbody><tendon><spatial armature='ARM'>"
      "<site site='w'/><site site='a'/></spatial></tendon></mujoco>";
  for (const char* armature : {"0", "1"}) {
    std::string text = xml;
    text.replace(text.find("ARM"), 3, armature);
    const Model m = load_model_string(text);
    EXPECT_EQ(m.body_simple[1], armature[0] == '0' ? 1 : 0);
    EXPECT_EQ(m.nC, armature[0] == '0' ? 6 : 21);
  }
}

TEST(Sparsity, ActuatedTreesDoNotSleepByThemselves) {
  const Model m = load_model_string(
      "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/></body><body><joint/>"
      "<geom size='.1'/></body></worldbody><actuator><motor joint='a'/></actuator></mujoco>");
  EXPECT_EQ(m.tree_sleep_policy[0], static_cast<int>(SleepPolicy::kAutoNever));
  EXPECT_EQ(m.tree_sleep_policy[1], static_cast<int>(SleepPolicy::kAutoAllowed));
}

TEST(Sparsity, SleepBelongsToTheFirstBodyOfATree) {
  const Report report = load_report_string(
      "<mujoco><worldbody><body><joint/><geom size='.1'/><body sleep='never'><joint/>"
      "<geom size='.1'/></body></body></worldbody></mujoco>");
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.diagnostics[0].code, Code::kBadBody);
}

}  // namespace
}  // namespace pliant

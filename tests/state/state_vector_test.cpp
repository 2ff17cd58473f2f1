// State as a vector: sizes, round trips, parts of parts.

#include "pliant/state_vector.h"

#include <gtest/gtest.h>

#include <vector>

#include "pliant/pliant.h"
#include "tests/source_folder.h"

namespace pliant {
namespace {

constexpr unsigned kAll = (1u << kNumStateParts) - 1;

class StateVector : public testing::Test {
 protected:
  Model m = load_model(source_folder().string() + "/tests/parity/cases/named_objects.xml");
  State s = make_state(m);

  void SetUp() override {
    *s.time = 3;
    for (int i = 0; i < m.nq; ++i) s.qpos[i] = i + 1;
    for (int i = 0; i < m.nv; ++i) s.qvel[i] = -i;
    for (int i = 0; i < m.nu; ++i) s.ctrl[i] = 0.5 * i;
    for (int i = 0; i < m.neq; ++i) s.eq_active[i] = true;
  }
};

TEST_F(StateVector, EverythingRoundTrips) {
  std::vector<double> vector(state_size(m, kAll));
  get_state(m, s, kAll, vector.data());
  State other = make_state(m);
  set_state(m, other, kAll, vector.data());
  EXPECT_EQ(other.hash(), s.hash());
}

TEST_F(StateVector, SizesAdd) {
  int sum = 0;
  for (int bit = 0; bit < kNumStateParts; ++bit) sum += state_size(m, 1u << bit);
  EXPECT_EQ(sum, state_size(m, kAll));
  EXPECT_EQ(state_size(m, kStateQpos | kStateCtrl), m.nq + m.nu);
  EXPECT_EQ(state_size(m, kStatePlugin), 0);
}

TEST_F(StateVector, OtherPartsStay) {
  std::vector<double> vector(m.nq, 7);
  set_state(m, s, kStateQpos, vector.data());
  EXPECT_EQ(s.qpos[0], 7);
  EXPECT_EQ(s.qvel[1], -1);
  State other = make_state(m);
  copy_state(m, s, kStateQvel, other);
  EXPECT_EQ(other.qvel[1], -1);
  EXPECT_EQ(other.qpos[0], m.qpos0[0]);
}

TEST_F(StateVector, PartsOfAVector) {
  const unsigned from = kStateTime | kStateQpos | kStateCtrl, to = kStateCtrl;
  std::vector<double> whole(state_size(m, from)), part(state_size(m, to));
  get_state(m, s, from, whole.data());
  extract_state(m, whole.data(), from, part.data(), to);
  EXPECT_EQ(part, std::vector<double>(s.ctrl, s.ctrl + m.nu));
  EXPECT_THROW(extract_state(m, part.data(), to, whole.data(), from), std::invalid_argument);
}

TEST_F(StateVector, Misuse) {
  EXPECT_THROW(state_size(m, 1u << kNumStateParts), std::invalid_argument);
  const Model other = load_model_string("<mujoco/>");
  std::vector<double> vector(state_size(m, kAll));
  EXPECT_THROW(get_state(other, s, kAll, vector.data()), std::invalid_argument);
}

}  // namespace
}  // namespace pliant

// pliant_c.h: what C gets is what C++ has, and nothing it is given ends the program.

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "pliant/load.h"
#include "pliant/pliant_c.h"
#include "pliant/step.h"

namespace pliant {
namespace {

constexpr const char* kScene = R"(<mujoco model="scene">
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 0.095">
      <joint name="up" type="slide" axis="0 0 1"/>
      <geom name="ball" size="0.1" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="up"/></actuator>
  <sensor><jointpos joint="up"/></sensor>
  <keyframe><key name="high" qpos="0.5"/></keyframe>
</mujoco>)";

template <class T>
using Handle = std::unique_ptr<T, void (*)(T*)>;

struct Scene {
  Handle<pliant_model> model{pliant_load_model_string(kScene, std::strlen(kScene)), pliant_free_model};
  Handle<pliant_state> state{pliant_new_state(model.get()), pliant_free_state};
  Handle<pliant_data> data{pliant_new_data(model.get()), pliant_free_data};
};

std::string taken(char* text) {
  std::string copy = text ? text : "";
  pliant_free_text(text);
  return copy;
}

TEST(CInterface, MovesAsCppDoes) {
  Scene c;
  const Model model = load_model_string(kScene);
  State state(model);
  Data data(model);
  for (int i = 0; i < 500; ++i) {
    pliant_state_ctrl(c.state.get(), nullptr)[0] = state.ctrl[0] = 0.01 * i;
    ASSERT_EQ(pliant_step(c.model.get(), c.state.get(), c.data.get()), 0);
    ASSERT_EQ(step(model, state, data).faults, 0);
  }
  EXPECT_EQ(pliant_hash_state(c.state.get()), state.hash());
  ASSERT_EQ(pliant_contact_count(c.data.get()), data.ncon);
  ASSERT_GT(data.ncon, 0);
  EXPECT_EQ(*pliant_contact_dist(c.data.get(), 0), data.contact[0].dist);
  EXPECT_EQ(pliant_contact_geom(c.data.get(), 0)[1], data.contact[0].geom[1]);
  double force[6];
  EXPECT_EQ(pliant_contact_force(c.data.get(), 0, force), 0);
  EXPECT_GT(force[0], 0);
}

TEST(CInterface, HasEveryArrayByFunctionByNameAndByNumber) {
  Scene c;
  size_t length = 0;
  EXPECT_EQ(pliant_model_nbody(c.model.get()), 2);
  const double* mass = pliant_model_body_mass(c.model.get(), &length);
  EXPECT_EQ(length, 2u);
  EXPECT_EQ(mass[1], 1);
  const double* xpos = pliant_data_xpos(c.data.get(), &length);
  EXPECT_EQ(length, 6u);

  pliant_array found;
  ASSERT_EQ(pliant_find_model_array(c.model.get(), "body_mass", &found), 0);
  EXPECT_EQ(found.data, mass);
  EXPECT_TRUE(found.writable);
  EXPECT_STREQ(found.unit, "kg");
  ASSERT_EQ(pliant_find_data_array(c.data.get(), "xpos", &found), 0);
  EXPECT_EQ(found.data, xpos);
  EXPECT_EQ(found.count, 2);
  EXPECT_EQ(found.width, 3);
  EXPECT_FALSE(found.writable);

  ASSERT_EQ(pliant_model_array_count(), static_cast<int>(model_fields().size()));
  for (int i = 0; i < pliant_model_array_count(); ++i) {
    ASSERT_EQ(pliant_get_model_array(c.model.get(), i, &found), 0);
    EXPECT_STREQ(found.name, model_fields()[static_cast<size_t>(i)].name);
  }
  for (int i = 0; i < pliant_state_array_count(); ++i) {
    ASSERT_EQ(pliant_get_state_array(c.state.get(), i, &found), 0);
    EXPECT_TRUE(found.writable);
  }
  EXPECT_EQ(pliant_get_state_array(c.state.get(), pliant_state_array_count(), &found), PLIANT_FAILED);
}

TEST(CInterface, NamesOptionsAndKeyframes) {
  Scene c;
  EXPECT_EQ(pliant_find_id(c.model.get(), PLIANT_BODY, "ball"), 1);
  EXPECT_STREQ(pliant_name_of(c.model.get(), PLIANT_ACTUATOR, 0), "push");
  EXPECT_EQ(pliant_name_of(c.model.get(), PLIANT_ACTUATOR, 1), nullptr);
  double gravity[3] = {};
  EXPECT_EQ(pliant_get_option(c.model.get(), "gravity", gravity, 3), 3);
  EXPECT_EQ(gravity[2], -9.81);
  const double timestep = 0.001, none = 0, half = 0.5;
  EXPECT_EQ(pliant_set_option(c.model.get(), "timestep", &timestep, 1), 0);
  EXPECT_EQ(pliant_set_option(c.model.get(), "timestep", &none, 1), PLIANT_FAILED);
  EXPECT_NE(std::string(pliant_last_error()).find("opt.timestep is 0"), std::string::npos) << pliant_last_error();
  EXPECT_EQ(pliant_set_option(c.model.get(), "solver", &half, 1), PLIANT_FAILED);
  double now = 0;
  pliant_get_option(c.model.get(), "timestep", &now, 1);
  EXPECT_EQ(now, timestep);
  ASSERT_EQ(pliant_reset_state(c.model.get(), c.state.get(), 0), 0);
  EXPECT_EQ(pliant_state_qpos(c.state.get(), nullptr)[0], 0.5);
  EXPECT_EQ(pliant_reset_state(c.model.get(), c.state.get(), 7), PLIANT_FAILED);
}

TEST(CInterface, SaysWhatItThinksOfConstraints) {
  Scene c;
  const std::string text = taken(pliant_explain_contact(c.model.get(), c.state.get(), 0, 1, 1, false));
  EXPECT_NE(text.find("ball"), std::string::npos);
  EXPECT_EQ(taken(pliant_explain_all(c.model.get(), c.state.get(), 1, true))[0], '[');
  EXPECT_EQ(taken(pliant_doctor(c.model.get(), true))[0], '{');
  EXPECT_EQ(pliant_explain_contact(c.model.get(), c.state.get(), 0, 99, 1, true), nullptr);
  EXPECT_NE(std::string(pliant_last_error()).find("no geom 99"), std::string::npos);
}

TEST(CInterface, ManyWorldsMoveAsOne) {
  Scene c;
  const Handle<pliant_batch> batch{pliant_new_batch(c.model.get(), 3, 2), pliant_free_batch};
  pliant_array qpos;
  ASSERT_EQ(pliant_find_batch_array(batch.get(), "qpos", &qpos), 0);
  ASSERT_EQ(qpos.count * qpos.width, 3);
  ASSERT_EQ(pliant_step_batch(batch.get(), 50), 0);
  EXPECT_EQ(pliant_batch_faults(batch.get())[2], 0);

  const int size = pliant_state_vector_size(c.model.get(), PLIANT_STATE_PHYSICS);
  ASSERT_EQ(size, 3);  // time, one position, one velocity
  std::vector<double> start(6), states(2 * 50 * 3), sensors(2 * 50);
  for (int world = 0; world < 2; ++world) {
    ASSERT_EQ(pliant_get_state_vector(c.model.get(), c.state.get(), PLIANT_STATE_PHYSICS, &start[3 * world]), 3);
  }
  std::vector<int32_t> faults(2, -7);
  ASSERT_EQ(
      pliant_rollout(c.model.get(), 2, 50, 1, start.data(), nullptr, states.data(), sensors.data(), faults.data()), 0);
  EXPECT_EQ(faults, (std::vector<int32_t>{0, 0}));
  for (int i = 0; i < 50; ++i) pliant_step(c.model.get(), c.state.get(), c.data.get());
  const double alone = *pliant_state_qpos(c.state.get(), nullptr);
  EXPECT_EQ(states[50 * 3 - 2], alone);
  EXPECT_EQ(static_cast<double*>(qpos.data)[2], alone);
}

TEST(CInterface, RefusesNonsense) {
  Scene c;
  EXPECT_EQ(pliant_load_model_string("<mujoco><geom/></mujoco>", 24), nullptr);
  EXPECT_NE(std::string(pliant_last_error()).find("error[E"), std::string::npos);
  EXPECT_EQ(pliant_load_model(nullptr), nullptr);
  EXPECT_STREQ(pliant_last_error(), "pliant_load_model: path is NULL");
  EXPECT_EQ(pliant_step(c.model.get(), nullptr, c.data.get()), PLIANT_FAILED);
  EXPECT_EQ(pliant_model_nbody(nullptr), 0);
  size_t length = 7;
  EXPECT_EQ(pliant_model_body_mass(nullptr, &length), nullptr);
  EXPECT_EQ(length, 0u);
  EXPECT_EQ(pliant_contact_dist(c.data.get(), 0), nullptr);

  // a state of another model
  const char* other = "<mujoco><worldbody><body><freejoint/><geom size=\"1\"/></body></worldbody></mujoco>";
  const Handle<pliant_model> free_ball{pliant_load_model_string(other, std::strlen(other)), pliant_free_model};
  EXPECT_EQ(pliant_step(free_ball.get(), c.state.get(), c.data.get()), PLIANT_FAILED);
  EXPECT_NE(std::string(pliant_last_error()).find("other sizes"), std::string::npos);

  // a number that is none: the step is refused and says where
  const uint64_t before = pliant_hash_state(c.state.get());
  pliant_state_ctrl(c.state.get(), nullptr)[0] = std::numeric_limits<double>::quiet_NaN();
  const int faults = pliant_step(c.model.get(), c.state.get(), c.data.get());
  EXPECT_GT(faults, 0);
  EXPECT_NE(taken(pliant_describe_faults(c.model.get(), c.data.get(), faults)).find("actuator 'push'"),
            std::string::npos);
  pliant_state_ctrl(c.state.get(), nullptr)[0] = 0;
  EXPECT_EQ(pliant_hash_state(c.state.get()), before);
}

TEST(CInterface, ErrorsBelongToTheirThread) {
  pliant_load_model(nullptr);
  std::string other;
  std::thread([&] { other = pliant_last_error(); }).join();
  EXPECT_EQ(other, "");
  EXPECT_STRNE(pliant_last_error(), "");
}

}  // namespace
}  // namespace pliant

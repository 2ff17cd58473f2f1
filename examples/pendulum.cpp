// A double pendulum: load a model, move it, watch its energy.
//
//   build/examples/pendulum [FILE]

#include <cstdio>

#include "pliant/pliant.h"

namespace {

constexpr const char* kPendulum = R"(
<mujoco model="double pendulum">
  <option integrator="RK4" timestep="0.002"><flag energy="enable"/></option>
  <worldbody>
    <body name="upper" pos="0 0 2">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03" mass="1"/>
      <body name="lower" pos="0 0 -0.5">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03" mass="1"/>
        <site name="tip" pos="0 0 -0.5"/>
      </body>
    </body>
  </worldbody>
  <contact><exclude body1="upper" body2="lower"/></contact>
</mujoco>)";

}  // namespace

int main(int argc, char** argv) try {
  const pliant::Model model = argc > 1 ? pliant::load_model(argv[1]) : pliant::load_model_string(kPendulum);

  // State is what must be kept to continue; Data is what a step computes and can be thrown away.
  pliant::State state = pliant::make_state(model);
  pliant::Data data = pliant::make_data(model);
  if (model.nv > 0) state.qvel[0] = 5;

  const int tip = model.id(pliant::ObjType::kSite, "tip");
  std::printf("%8s %12s %12s %12s\n", "time", "tip x", "tip z", "energy");
  for (int i = 0; i <= 1000; ++i) {
    if (i % 100 == 0) {
      pliant::forward(model, state, data);
      pliant::potential_energy(model, state, data);
      pliant::kinetic_energy(model, state, data);
      std::printf("%8.2f %12.6f %12.6f %12.6f\n", *state.time, tip < 0 ? 0 : data.site_xpos[3 * tip],
                  tip < 0 ? 0 : data.site_xpos[3 * tip + 2], data.energy[0] + data.energy[1]);
    }
    const pliant::StepStatus status = pliant::step(model, state, data);
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", pliant::describe_status(model, data, status).c_str());
      return 1;
    }
  }
  return 0;
} catch (const pliant::LoadError& error) {
  std::fprintf(stderr, "%s\n", error.what());  // every finding, with its place
  return 2;
}

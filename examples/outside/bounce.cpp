// A ball that falls: what the contact will do, and what it does. The same program in C is bounce.c.
//
//   bounce FILE GEOM1 GEOM2

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include <pliant/pliant.h>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s FILE GEOM1 GEOM2\n", argv[0]);
    return 2;
  }
  const pliant::Model model = pliant::load_model(argv[1]);
  pliant::State state = pliant::make_state(model);
  pliant::Data data = pliant::make_data(model);

  const int first = model.id(pliant::ObjType::kGeom, argv[2]), second = model.id(pliant::ObjType::kGeom, argv[3]);
  if (first < 0 || second < 0) throw std::invalid_argument("the model has no geom of that name");
  const pliant::Explanation contact = pliant::explain_contact(model, state, first, second);
  std::printf("predicted: depth at rest %.6f m, bounce %.3f\n", contact.predict.rest_depth,
              contact.predict.restitution);

  double deepest = 0;
  for (int i = 0; i < 2000; ++i) {
    const pliant::StepStatus status = pliant::step(model, state, data);
    if (!status.ok()) throw std::runtime_error(pliant::describe_status(model, data, status));
    for (const pliant::Contact& touch : pliant::arrays(model, data).contacts()) {
      deepest = std::max(deepest, -touch.dist);
    }
  }
  std::printf("simulated: %.3f s, deepest contact %.6f m\n", *state.time, deepest);
  std::printf("state %016llx\n", static_cast<unsigned long long>(state.hash()));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());  // of a file: every finding, with its place
  return 1;
}

// Batches and rollouts for C.

#include "capi/handles.h"
#include "pliant/rollout.h"

using pliant::capi::guarded;
using pliant::capi::needed;

extern "C" {

pliant_batch* pliant_new_batch(const pliant_model* model, int nworld, int threads) {
  return guarded(__func__, nullptr, [&] {
    pliant::BatchOptions options;
    options.threads = threads;
    return new pliant_batch{pliant::Batch(needed(model, "model").model, nworld, options)};
  });
}

void pliant_free_batch(pliant_batch* batch) { delete batch; }

int pliant_step_batch(pliant_batch* batch, int steps) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    pliant::Batch& all = needed(batch, "batch").batch;
    if (steps < 0) throw std::invalid_argument("steps is " + std::to_string(steps) + ", it must not be negative");
    all.step(steps);
    return 0;
  });
}

int pliant_reset_batch(pliant_batch* batch, const uint8_t* mask) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    pliant::Batch& all = needed(batch, "batch").batch;
    all.reset(mask ? std::span(mask, static_cast<size_t>(all.nworld())) : std::span<const uint8_t>());
    return 0;
  });
}

const int* pliant_batch_faults(pliant_batch* batch) {
  return guarded(__func__, nullptr, [&] { return needed(batch, "batch").batch.status().data(); });
}

int pliant_find_batch_array(pliant_batch* batch, const char* name, pliant_array* found) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const pliant::BatchField field = needed(batch, "batch").batch.field(&needed(name, "name"));
    // rows of a CPU batch lie one after the other
    needed(found, "found") = {
        name, static_cast<pliant_scalar>(field.scalar), field.data, field.nworld, field.count, true, "", ""};
    return 0;
  });
}

int pliant_rollout(const pliant_model* model, int nworld, int nstep, int threads, const double* state,
                   const double* control, double* states, double* sensordata, int32_t* faults) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    pliant::RolloutInput input;
    input.models = {&needed(model, "model").model};
    input.nworld = nworld;
    input.nstep = nstep;
    input.state = {&needed(state, "state"), nworld};
    input.control = {control, nworld};
    input.control_steps = control ? nstep : 0;
    pliant::RolloutOutput output;
    output.state = states;
    output.sensordata = sensordata;
    output.status = faults;
    return static_cast<int>(pliant::Rollout(threads).run(input, output).size());
  });
}

}  // extern "C"

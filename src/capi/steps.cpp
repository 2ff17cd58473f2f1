// States, data, steps and contacts for C.

#include "capi/handles.h"
#include "pliant/query.h"
#include "pliant/rollout.h"
#include "pliant/state_vector.h"
#include "pliant/step.h"

namespace pliant::capi {
namespace {

static_assert(PLIANT_STATE_PHYSICS == kStateFullPhysics);

/// A model, a state and data that belong together.
template <class StateHandle>
struct Together {
  const Model& model;
  decltype((std::declval<StateHandle&>().state)) state;
  Data& data;
};
template <class StateHandle>
Together<StateHandle> together(const pliant_model* model, StateHandle* state, pliant_data* data) {
  Together<StateHandle> all{needed(model, "model").model, needed(state, "state").state, needed(data, "data").data};
  must_fit(all.model, all.state, "state");
  must_fit(all.model, all.data, "data");
  return all;
}

}  // namespace
}  // namespace pliant::capi

using pliant::capi::guarded;
using pliant::capi::must_fit;
using pliant::capi::needed;
using pliant::capi::together;

extern "C" {

pliant_state* pliant_new_state(const pliant_model* model) {
  return guarded(__func__, nullptr, [&] { return new pliant_state{pliant::State(needed(model, "model").model)}; });
}

pliant_state* pliant_copy_state(const pliant_state* state) {
  return guarded(__func__, nullptr, [&] { return new pliant_state(needed(state, "state")); });
}

void pliant_free_state(pliant_state* state) { delete state; }

int pliant_reset_state(const pliant_model* model, pliant_state* state, int key) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const pliant::Model& m = needed(model, "model").model;
    pliant::State& s = needed(state, "state").state;
    must_fit(m, s, "state");
    key == -1 ? s.reset(m) : s.reset(m, key);
    return 0;
  });
}

uint64_t pliant_hash_state(const pliant_state* state) { return state ? state->state.hash() : 0; }

pliant_data* pliant_new_data(const pliant_model* model) {
  return guarded(__func__, nullptr, [&] { return new pliant_data{pliant::Data(needed(model, "model").model)}; });
}

void pliant_free_data(pliant_data* data) { delete data; }

int pliant_state_vector_size(const pliant_model* model, unsigned parts) {
  return guarded(__func__, PLIANT_FAILED, [&] { return pliant::state_size(needed(model, "model").model, parts); });
}

int pliant_get_state_vector(const pliant_model* model, const pliant_state* state, unsigned parts, double* vector) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const pliant::Model& m = needed(model, "model").model;
    must_fit(m, needed(state, "state").state, "state");
    const int size = pliant::state_size(m, parts);
    pliant::get_state(m, state->state, parts, size ? &needed(vector, "vector") : vector);
    return size;
  });
}

int pliant_set_state_vector(const pliant_model* model, pliant_state* state, unsigned parts, const double* vector) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const pliant::Model& m = needed(model, "model").model;
    must_fit(m, needed(state, "state").state, "state");
    const int size = pliant::state_size(m, parts);
    pliant::set_state(m, state->state, parts, size ? &needed(vector, "vector") : vector);
    return size;
  });
}

int pliant_step(const pliant_model* model, pliant_state* state, pliant_data* data) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const auto all = together(model, state, data);
    return pliant::step(all.model, all.state, all.data).faults;
  });
}

int pliant_forward(const pliant_model* model, const pliant_state* state, pliant_data* data) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const auto all = together(model, state, data);
    return pliant::forward(all.model, all.state, all.data).faults;
  });
}

int pliant_step1(const pliant_model* model, const pliant_state* state, pliant_data* data) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const auto all = together(model, state, data);
    return pliant::step1(all.model, all.state, all.data).faults;
  });
}

int pliant_step2(const pliant_model* model, pliant_state* state, pliant_data* data) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const auto all = together(model, state, data);
    return pliant::step2(all.model, all.state, all.data).faults;
  });
}

char* pliant_describe_faults(const pliant_model* model, const pliant_data* data, int faults) {
  return guarded(__func__, nullptr, [&] {
    const pliant::Model& m = needed(model, "model").model;
    must_fit(m, needed(data, "data").data, "data");
    return pliant::capi::new_text(pliant::describe_status(m, data->data, {faults}));
  });
}

int pliant_contact_count(const pliant_data* data) { return data ? data->data.ncon : 0; }

int pliant_contact_force(const pliant_data* data, int contact, double force[6]) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const pliant::Data& d = needed(data, "data").data;
    if (contact < 0 || contact >= d.ncon) {
      throw std::invalid_argument("there is no contact " + std::to_string(contact) + ", but " + std::to_string(d.ncon));
    }
    pliant::contact_force(d, contact, &needed(force, "force"));
    return 0;
  });
}

}  // extern "C"

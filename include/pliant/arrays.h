#pragma once
// Arrays with their lengths. Members of Model, State and Data are bare addresses; here each of them is a function of
// the same name that answers a span of all its numbers:
//
//   for (double mass : arrays(model).body_mass()) …
//   arrays(model, state).ctrl()[0] = 1;      // an array of State or Data needs the Model it was made for
//
// A matrix is its rows one after the other. The functions come from the field lists.

#include <cstddef>
#include <span>

#include "pliant/state.h"

namespace pliant {

/// Spans of a Model's arrays.
class ModelSpans : private ModelSizes {
 public:
  explicit ModelSpans(const Model& model) : ModelSizes(model), model_(&model) {}

#define FIELD(type, name, count, width, cls, unit, meaning)                         \
  std::span<scalar::type> name() const {                                            \
    return {model_->name, static_cast<size_t>(count) * static_cast<size_t>(width)}; \
  }
#include "pliant/model_fields.def"
#undef FIELD

 private:
  const Model* model_;
};

/// Spans of a State's arrays.
class StateSpans : private ModelSizes {
 public:
  StateSpans(const ModelSizes& sizes, const State& state) : ModelSizes(sizes), state_(&state) {}

#define FIELD(type, name, count, width, layout, unit, meaning)                      \
  std::span<scalar::type> name() const {                                            \
    return {state_->name, static_cast<size_t>(count) * static_cast<size_t>(width)}; \
  }
#include "pliant/state_fields.def"
#undef FIELD

 private:
  const State* state_;
};

/// Spans of Data's arrays.
class DataSpans : private ModelSizes {
 public:
  DataSpans(const ModelSizes& sizes, const Data& data) : ModelSizes(sizes), data_(&data) {}

#define FIELD(owner, type, name, count, width, layout, unit, meaning)              \
  std::span<scalar::type> name() const {                                           \
    return {data_->name, static_cast<size_t>(count) * static_cast<size_t>(width)}; \
  }
#include "pliant/data_fields.def"
#undef FIELD

  /// Contacts of the last step.
  std::span<Contact> contacts() const { return {data_->contact, static_cast<size_t>(data_->ncon)}; }

 private:
  const Data* data_;
};

inline ModelSpans arrays(const Model& model) { return ModelSpans(model); }
inline StateSpans arrays(const Model& model, const State& state) { return {model, state}; }
inline DataSpans arrays(const Model& model, const Data& data) { return {model, data}; }

}  // namespace pliant

// Arrays for C: a function per line of the field lists, and the same by name and by number.

#include <string_view>

#include "capi/handles.h"
#include "pliant/arrays.h"

namespace pliant::capi {
namespace {

#define SAME(c, cpp) static_assert(static_cast<int>(Scalar::cpp) == PLIANT_##c);
SAME(REAL, real)
SAME(F32, f32)
SAME(I32, i32)
SAME(I64, i64)
SAME(U8, u8)
SAME(BOOLEAN, boolean)
SAME(CHR, chr)
#undef SAME
static_assert(sizeof(ContactExclude) == sizeof(pliant_ContactExclude));

pliant_array described(const Model& m, int i) {
  const FieldInfo& info = model_fields()[static_cast<size_t>(i)];
  return {info.name,        static_cast<pliant_scalar>(info.scalar), m.field_data(i), m.field_count(i),
          m.field_width(i), info.cls == FieldClass::parameter,       info.unit,       info.meaning};
}

template <class Block>
pliant_array described(const Block& block, std::span<const StateFieldInfo> fields, int i, bool writable) {
  const StateFieldInfo& info = fields[static_cast<size_t>(i)];
  return {info.name,
          static_cast<pliant_scalar>(info.scalar),
          block.field_data(i),
          block.field_count(i),
          block.field_width(i),
          writable,
          info.unit,
          info.meaning};
}
pliant_array described(const State& state, int i) { return described(state, state_fields(), i, true); }
pliant_array described(const Data& data, int i) { return described(data, data_fields(), i, false); }

template <class Fields>
int place_of(const Fields& fields, const char* name) {
  const std::string_view wanted = &needed(name, "name");
  int place = 0;
  for (const auto& info : fields) {
    if (wanted == info.name) return place;
    ++place;
  }
  throw std::invalid_argument("there is no array '" + std::string(name) + "'");
}

template <class Fields, class Owner>
int describe(const Owner& owner, const Fields& fields, int index, pliant_array* found) {
  if (index < 0 || static_cast<size_t>(index) >= fields.size()) {
    throw std::invalid_argument("there is no array " + std::to_string(index) + ", but " +
                                std::to_string(fields.size()) + " from 0");
  }
  needed(found, "found") = described(owner, index);
  return 0;
}

size_t product(int count, int width) { return static_cast<size_t>(count) * static_cast<size_t>(width); }

// Places of the fields of State and Data in their lists.
enum StatePlace : int {
#define FIELD(type, name, count, width, layout, unit, meaning) kState_##name,
#include "pliant/state_fields.def"
#undef FIELD
};
enum DataPlace : int {
#define FIELD(owner, type, name, count, width, layout, unit, meaning) kData_##name,
#include "pliant/data_fields.def"
#undef FIELD
};

}  // namespace
}  // namespace pliant::capi

using pliant::capi::guarded;
using pliant::capi::needed;

extern "C" {

#define SIZE(name, meaning) \
  int pliant_model_##name(const pliant_model* model) { return model ? model->model.name : 0; }
#include "pliant/model_sizes.def"
#undef SIZE

#define FIELD(type, name, count, width, cls, unit, meaning)                                                         \
  PLIANT_ACCESS_##cls pliant_##type* pliant_model_##name(PLIANT_ACCESS_##cls pliant_model* model, size_t* length) { \
    if (length) *length = model ? pliant::arrays(model->model).name().size() : 0;                                   \
    return model ? model->model.name : nullptr;                                                                     \
  }
#include "pliant/model_fields.def"
#undef FIELD

#define FIELD(type, name, count, width, layout, unit, meaning)                                                         \
  pliant_##type* pliant_state_##name(pliant_state* state, size_t* length) {                                            \
    using namespace pliant::capi;                                                                                      \
    if (length) {                                                                                                      \
      *length = state ? product(state->state.field_count(kState_##name), state->state.field_width(kState_##name)) : 0; \
    }                                                                                                                  \
    return state ? state->state.name : nullptr;                                                                        \
  }
#include "pliant/state_fields.def"
#undef FIELD

#define FIELD(owner, type, name, count, width, layout, unit, meaning)                                           \
  const pliant_##type* pliant_data_##name(const pliant_data* data, size_t* length) {                            \
    using namespace pliant::capi;                                                                               \
    if (length) {                                                                                               \
      *length = data ? product(data->data.field_count(kData_##name), data->data.field_width(kData_##name)) : 0; \
    }                                                                                                           \
    return data ? data->data.name : nullptr;                                                                    \
  }
#include "pliant/data_fields.def"
#undef FIELD

#define FIELD(owner, type, name, width, unit, meaning)                                \
  const pliant_##type* pliant_contact_##name(const pliant_data* data, int contact) {  \
    if (!data || contact < 0 || contact >= data->data.ncon) return nullptr;           \
    return reinterpret_cast<const pliant_##type*>(&data->data.contact[contact].name); \
  }
#include "pliant/contact_fields.def"
#undef FIELD

int pliant_model_array_count() { return static_cast<int>(pliant::model_fields().size()); }
int pliant_state_array_count() { return static_cast<int>(pliant::state_fields().size()); }
int pliant_data_array_count() { return static_cast<int>(pliant::data_fields().size()); }

int pliant_get_model_array(pliant_model* model, int index, pliant_array* found) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    return pliant::capi::describe(needed(model, "model").model, pliant::model_fields(), index, found);
  });
}
int pliant_get_state_array(pliant_state* state, int index, pliant_array* found) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    return pliant::capi::describe(needed(state, "state").state, pliant::state_fields(), index, found);
  });
}
int pliant_get_data_array(pliant_data* data, int index, pliant_array* found) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    return pliant::capi::describe(needed(data, "data").data, pliant::data_fields(), index, found);
  });
}

int pliant_find_model_array(pliant_model* model, const char* name, pliant_array* found) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const auto fields = pliant::model_fields();
    return pliant::capi::describe(needed(model, "model").model, fields, pliant::capi::place_of(fields, name), found);
  });
}
int pliant_find_state_array(pliant_state* state, const char* name, pliant_array* found) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const auto fields = pliant::state_fields();
    return pliant::capi::describe(needed(state, "state").state, fields, pliant::capi::place_of(fields, name), found);
  });
}
int pliant_find_data_array(pliant_data* data, const char* name, pliant_array* found) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const auto fields = pliant::data_fields();
    return pliant::capi::describe(needed(data, "data").data, fields, pliant::capi::place_of(fields, name), found);
  });
}

}  // extern "C"

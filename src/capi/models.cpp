// Models for C: files, names, options.

#include <algorithm>
#include <array>
#include <string_view>

#include "capi/handles.h"
#include "pliant/load.h"
#include "pliant/model_io.h"
#include "pliant/option_checks.h"
#include "pliant/step.h"

namespace pliant::capi {
namespace {

#define OBJECT(name, number, enumerator) static_assert(static_cast<int>(ObjType::enumerator) == PLIANT_##name);
PLIANT_OBJECTS(OBJECT)
#undef OBJECT

// Options as lists of numbers: one function for those that are one number, one for arrays.
template <class T>
size_t numbers_of(const T&) {
  return 1;
}
template <size_t n>
size_t numbers_of(const std::array<double, n>&) {
  return n;
}
template <class T>
double number(const T& option, size_t) {
  return static_cast<double>(option);
}
template <size_t n>
double number(const std::array<double, n>& option, size_t i) {
  return option[i];
}
void put(double& option, size_t, double value) { option = value; }
template <size_t n>
void put(std::array<double, n>& option, size_t i, double value) {
  option[i] = value;
}
// Codes, counts and flags: numbers that are no integers stand for no option.
template <class T>
void put(T& option, size_t, double value) {
  const int integer = value >= -2147483648.0 && value <= 2147483647.0 ? static_cast<int>(value) : 0;
  if (static_cast<double>(integer) != value) throw std::invalid_argument("the option takes an integer");
  option = static_cast<T>(integer);
}

/// Calls `visit` with the member of that name, from the list of rules; false if there is none.
template <class Visit, class SomeOptions>
bool with_option(SomeOptions& options, std::string_view wanted, Visit&& visit) {
  bool found = false;
  const auto look = [&](std::string_view name, auto& option) {
    if (name != wanted) return;
    visit(option);
    found = true;
  };
#define POSITIVE(name) look(#name, options.name);
#define NOT_NEGATIVE(name) look(#name, options.name);
#define FINITE(name) look(#name, options.name);
#define CODE(name, last) look(#name, options.name);
#define COUNT(name, least, most) look(#name, options.name);
#define FLAGS(name, bits) look(#name, options.name);
#include "model/option_rules.def"
  return found;
}

[[noreturn]] void refuse_option(const char* name) {
  throw std::invalid_argument("there is no option '" + std::string(name) + "'");
}

}  // namespace
}  // namespace pliant::capi

using pliant::capi::guarded;
using pliant::capi::needed;

extern "C" {

pliant_model* pliant_load_model(const char* path) {
  return guarded(__func__, nullptr, [&] { return new pliant_model{pliant::load_model(&needed(path, "path"))}; });
}

pliant_model* pliant_load_model_string(const char* text, size_t length) {
  return guarded(__func__, nullptr,
                 [&] { return new pliant_model{pliant::load_model_string({&needed(text, "text"), length})}; });
}

pliant_model* pliant_copy_model(const pliant_model* model) {
  return guarded(__func__, nullptr, [&] { return new pliant_model(needed(model, "model")); });
}

void pliant_free_model(pliant_model* model) { delete model; }

int pliant_save_model(const pliant_model* model, const char* path) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    pliant::save_plm(needed(model, "model").model, &needed(path, "path"));
    return 0;
  });
}

int pliant_set_const(pliant_model* model) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    pliant::set_const(needed(model, "model").model);
    return 0;
  });
}

int pliant_find_id(const pliant_model* model, pliant_object kind, const char* name) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    const int id = needed(model, "model").model.id(static_cast<pliant::ObjType>(kind), &needed(name, "name"));
    if (id < 0) throw std::invalid_argument("there is no object '" + std::string(name) + "' of that kind");
    return id;
  });
}

const char* pliant_name_of(const pliant_model* model, pliant_object kind, int id) {
  return guarded(__func__, nullptr, [&]() -> const char* {
    const auto type = static_cast<pliant::ObjType>(kind);
    const pliant::Model& m = needed(model, "model").model;
    if (id < 0 || id >= m.count(type)) {
      throw std::invalid_argument("there is no object " + std::to_string(id) + " of kind " + std::to_string(kind) +
                                  "; the model has " + std::to_string(m.count(type)));
    }
    return m.name(type, id).data();
  });
}

int pliant_get_option(const pliant_model* model, const char* name, double* values, size_t capacity) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    int count = 0;
    const bool found =
        pliant::capi::with_option(needed(model, "model").model.opt, &needed(name, "name"), [&](const auto& option) {
          const size_t n = pliant::capi::numbers_of(option);
          for (size_t i = 0; i < std::min(n, capacity); ++i) {
            (&needed(values, "values"))[i] = pliant::capi::number(option, i);
          }
          count = static_cast<int>(n);
        });
    if (!found) pliant::capi::refuse_option(name);
    return count;
  });
}

int pliant_set_option(pliant_model* model, const char* name, const double* values, size_t count) {
  return guarded(__func__, PLIANT_FAILED, [&] {
    pliant::Options options = needed(model, "model").model.opt;
    needed(values, "values");
    const bool found = pliant::capi::with_option(options, &needed(name, "name"), [&](auto& option) {
      const size_t n = pliant::capi::numbers_of(option);
      if (count != n) {
        throw std::invalid_argument("'" + std::string(name) + "' has " + std::to_string(n) + " numbers, not " +
                                    std::to_string(count));
      }
      for (size_t i = 0; i < n; ++i) pliant::capi::put(option, i, values[i]);
    });
    if (!found) pliant::capi::refuse_option(name);
    if (const pliant::OptionProblem problem = pliant::option_problem(options, name)) {
      throw std::invalid_argument(pliant::to_text(problem));
    }
    model->model.opt = options;
    return 0;
  });
}

}  // extern "C"

#pragma once
// What the handles of pliant_c.h hold, and how exceptions become answers: none may reach C.

#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "pliant/batch.h"
#include "pliant/pliant_c.h"
#include "pliant/state.h"

struct pliant_model {
  pliant::Model model;
};
struct pliant_state {
  pliant::State state;
};
struct pliant_data {
  pliant::Data data;
};
struct pliant_batch {
  pliant::Batch batch;
};

namespace pliant::capi {

/// Kept for pliant_last_error(); never throws.
void remember_error(const char* function, const char* what) noexcept;

/// Runs `work`. What it throws is remembered, and `failed` answered.
template <class Work, class Answer = std::invoke_result_t<Work>>
Answer guarded(const char* function, std::type_identity_t<Answer> failed, Work&& work) noexcept {
  try {
    return std::forward<Work>(work)();
  } catch (const std::exception& error) {
    remember_error(function, error.what());
  } catch (...) {
    remember_error(function, "something that is no std::exception was thrown");
  }
  return failed;
}

/// A pointer that must not be NULL.
template <class T>
T& needed(T* pointer, const char* name) {
  if (!pointer) throw std::invalid_argument(std::string(name) + " is NULL");
  return *pointer;
}

inline void must_fit(const Model& model, const FieldBlock& block, const char* name) {
  if (!block.fits(model)) throw std::invalid_argument(std::string(name) + " was made for a model of other sizes");
}

/// A copy for pliant_free_text.
char* new_text(const std::string& text);

}  // namespace pliant::capi

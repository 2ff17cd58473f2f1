// Why a call failed, and texts that are handed out.

#include <cstdlib>
#include <cstring>
#include <new>

#include "capi/handles.h"
#include "pliant/version.h"

namespace pliant::capi {
namespace {

std::string& last_error() {
  thread_local std::string text;
  return text;
}

}  // namespace

void remember_error(const char* function, const char* what) noexcept {
  try {
    last_error() = std::string(function) + ": " + what;
  } catch (const std::bad_alloc&) {
    last_error().clear();
  }
}

char* new_text(const std::string& text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace pliant::capi

extern "C" {

const char* pliant_version() { return pliant::kVersion; }

const char* pliant_last_error() { return pliant::capi::last_error().c_str(); }

void pliant_free_text(char* text) { std::free(text); }

}  // extern "C"

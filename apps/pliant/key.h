#pragma once
// The option --key of commands that start from a keyframe.

#include <stdexcept>
#include <string>

#include "pliant/pliant.h"

namespace pliant::app {

inline void set_key(const Model& m, const std::string& key, State& s) {
  if (key.empty()) return;
  int id = m.id(ObjType::kKey, key);
  const bool number = key.find_first_not_of("0123456789") == std::string::npos && key.size() < 9;
  if (id < 0 && number) id = std::stoi(key);
  if (id < 0 || id >= m.nkey) {
    std::string known;
    for (int i = 0; i < m.nkey; ++i) {
      const std::string_view name = m.name(ObjType::kKey, i);
      known += (i ? ", " : "") + (name.empty() ? std::to_string(i) : "'" + std::string(name) + "'");
    }
    throw std::invalid_argument("--key: there is no keyframe '" + key + "'; " +
                                (known.empty() ? "the model has none" : "there are " + known));
  }
  s.reset(m, id);
}

}  // namespace pliant::app

#include "names.h"

#include <charconv>
#include <stdexcept>
#include <vector>

#include "arguments.h"
#include "base/text.h"

namespace pliant::app {

int find_object(const Model& m, ObjType type, const std::string& name, const char* kind) {
  if (const int id = m.id(type, name); id >= 0) return id;
  const int count = m.count(type);
  int number = 0;
  const char* end = name.data() + name.size();
  if (const auto read = std::from_chars(name.data(), end, number);
      read.ptr == end && read.ec != std::errc::invalid_argument) {
    if (read.ec == std::errc() && number >= 0 && number < count) return number;
    throw std::invalid_argument("there is no " + std::string(kind) + " " + quote(name) + "; the model has " +
                                (count ? std::to_string(count) + ", from 0 on" : "none"));
  }
  std::vector<std::string> known;
  for (int i = 0; i < count; ++i) {
    if (const std::string_view each = m.name(type, i); !each.empty()) known.emplace_back(each);
  }
  throw std::invalid_argument("there is no " + std::string(kind) + " " + quote(name) +
                              (count == 0 ? "; the model has none"
                               : known.empty()
                                   ? "; the model's " + std::to_string(count) + " have no names, only numbers"
                                   : suggestion(name, known)));
}

void set_key(const Model& m, const std::string& key, State& s) {
  if (!key.empty()) s.reset(m, find_object(m, ObjType::kKey, key, "keyframe"));
}

}  // namespace pliant::app

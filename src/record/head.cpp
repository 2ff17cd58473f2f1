// What a recording says about itself: fields with the names of their numbers, options, who wrote it.

#include <stdexcept>

#include "base/text.h"
#include "pliant/kinds.h"
#include "pliant/place.h"
#include "pliant/recording.h"
#include "pliant/version.h"

namespace pliant {
namespace {

/// "qpos.elbow", "qpos.root[3]", "xpos.body 4[0]", "energy[1]"
std::string column_name(const Model& m, const char* field, int index, bool several) {
  const FieldPlace place = place_of(m, field, index);
  std::string name = field;
  if (place.type == ObjType::kUnknown) return several ? name + "[" + std::to_string(index) + "]" : name;
  const std::string_view object = m.name(place.type, place.id);
  name += "." +
          (object.empty() ? kind_word(place.type) + std::string(" ") + std::to_string(place.id) : std::string(object));
  if (place.components > 1) name += "[" + std::to_string(place.component) + "]";
  return name;
}

RecordedField described(const Model& m, const StateFieldInfo& info, bool of_state) {
  RecordedField out;
  out.name = info.name;
  out.scalar = info.scalar;
  out.of_state = of_state;
  out.count = info.count(m);
  out.width = info.width(m);
  out.has_width = std::string_view(info.width_name) != "1";
  const int n = out.count * out.width;
  for (int k = 0; k < n; ++k) out.names.push_back(column_name(m, info.name, k, n > 1));
  return out;
}

RecordedField find_field(const Model& m, const std::string& name) {
  std::vector<std::string_view> known;
  for (const bool of_state : {true, false}) {
    for (const StateFieldInfo& info : of_state ? state_fields() : data_fields()) {
      known.push_back(info.name);
      if (name == info.name) return described(m, info, of_state);
    }
  }
  const std::string hint = did_you_mean(name, known);
  throw std::invalid_argument("there is no field " + quote(name) + " to record" + (hint.empty() ? "" : ": " + hint));
}

bool has(const RecordingHead& head, const std::string& name) {
  for (const RecordedField& field : head.fields) {
    if (field.name == name) return true;
  }
  return false;
}

constexpr const char* kIntegrators[] = {"Euler", "RK4", "implicit", "implicitfast", "discrete", "midpoint"};
constexpr const char* kCones[] = {"pyramidal", "elliptic"};

template <size_t N>
std::string word(const char* const (&words)[N], int i) {
  return i >= 0 && i < static_cast<int>(N) ? words[i] : std::to_string(i);
}

}  // namespace

RecordingHead recording_head(const Model& m, const std::vector<std::string>& fields, bool whole_state, int worlds) {
  RecordingHead head;
  head.version = kVersion;
#ifdef __x86_64__
  head.build = "x86-64, compiler " __VERSION__;
#else
  head.build = "compiler " __VERSION__;
#endif
  if (!m.files.empty()) head.model_file = m.files.front();
  head.options = {{"timestep", number_text(m.opt.timestep)},
                  {"integrator", word(kIntegrators, static_cast<int>(m.opt.integrator))},
                  {"cone", word(kCones, static_cast<int>(m.opt.cone))},
                  {"solver", traits(m.opt.solver).keyword},
                  {"iterations", std::to_string(m.opt.iterations)},
                  {"tolerance", number_text(m.opt.tolerance)},
                  {"disableflags", std::to_string(m.opt.disableflags)},
                  {"enableflags", std::to_string(m.opt.enableflags)}};
  head.worlds = worlds;
  head.fields.push_back(find_field(m, "time"));
  if (whole_state) {
    for (const StateFieldInfo& info : state_fields()) {
      if (!has(head, info.name) && info.count(m) * info.width(m) > 0) head.fields.push_back(described(m, info, true));
    }
  }
  for (const std::string& name : fields) {
    if (has(head, name)) continue;
    RecordedField field = find_field(m, name);
    // of State everything that has numbers is there already
    if (!whole_state || !field.of_state) head.fields.push_back(std::move(field));
  }
  return head;
}

}  // namespace pliant

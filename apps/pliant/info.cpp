// Facts about a model for `pliant info`: labels, changed options, and the JSON form.

#include "info.h"

#include <fmt/format.h>

#include <iterator>
#include <type_traits>

#include "console.h"
#include "pliant/kinds.h"
#include "pliant/mimic.h"
#include "pliant/json.h"
#include "pliant/option_checks.h"

namespace pliant::app {
namespace {

constexpr Fate kFates[] = {Fate::kKept, Fate::kApproximated, Fate::kIgnored, Fate::kUnsupported};

// bits of disableflags and enableflags, in order
constexpr const char* kDisableBits[] = {"constraint",   "equality",  "frictionloss", "limit",     "contact",
                                        "spring",       "damper",    "gravity",      "clampctrl", "warmstart",
                                        "filterparent", "actuation", "refsafe",      "sensor",    "midphase",
                                        "eulerdamp",    "autoreset", "nativeccd",    "island",    "multiccd"};
constexpr const char* kEnableBits[] = {"override",  "energy", "fwdinv",      "invdiscrete",       "sleep",
                                       "diagexact", "ipc",    "speculative", "speculative_exact", "diagstack"};
static_assert(std::size(kDisableBits) == kNumDisableFlags && std::size(kEnableBits) == kNumEnableFlags);

constexpr const char* kIntegrators[] = {"Euler", "RK4", "implicit", "implicitfast", "discrete", "midpoint"};
static_assert(std::size(kIntegrators) == kNumIntegrators);
constexpr const char* kCones[] = {"pyramidal", "elliptic"};
constexpr const char* kFrictions[] = {"regularized", "anchored"};
constexpr const char* kSpins[] = {"plain", "conserving"};
constexpr const char* kResolutions[] = {"convex", "signorini"};
constexpr const char* kJacobians[] = {"dense", "sparse", "auto"};

template <class T>
std::string value_text(const T& value) {
  if constexpr (std::is_same_v<T, Integrator>)
    return kIntegrators[static_cast<int>(value)];
  else if constexpr (std::is_same_v<T, ConeType>)
    return kCones[static_cast<int>(value)];
  else if constexpr (std::is_same_v<T, FrictionLaw>)
    return kFrictions[static_cast<int>(value)];
  else if constexpr (std::is_same_v<T, SpinLaw>)
    return kSpins[static_cast<int>(value)];
  else if constexpr (std::is_same_v<T, Resolution>)
    return kResolutions[static_cast<int>(value)];
  else if constexpr (std::is_same_v<T, JacobianType>)
    return kJacobians[static_cast<int>(value)];
  else if constexpr (std::is_same_v<T, SolverType>)
    return traits(value).keyword;
  else if constexpr (std::is_arithmetic_v<T>)
    return fmt::format("{}", value);
  else {
    std::string text;
    for (const auto x : value) text += (text.empty() ? "" : " ") + fmt::format("{}", x);
    return text;
  }
}

std::string bodies_json(const Model& model) {
  std::string out;
  for (int b = 0; b < model.nbody; ++b) {
    out += b ? ",\n    " : "\n    ";
    out +=
        fmt::format("{{\"id\": {}, \"name\": {}, \"parent\": {}, \"mass\": {}, \"joints\": [", b,
                    json_text(model.name(ObjType::kBody, b)), model.body_parentid[b], json_number(model.body_mass[b]));
    for (int k = 0; k < model.body_jntnum[b]; ++k) {
      const int j = model.body_jntadr[b] + k;
      out += fmt::format("{}{{\"id\": {}, \"name\": {}, \"type\": \"{}\", \"limited\": {}, \"range\": [{}, {}]}}",
                         k ? ", " : "", j, json_text(model.name(ObjType::kJoint, j)), joint_word(model.jnt_type[j]),
                         model.jnt_limited[j], json_number(model.jnt_range[2 * j]),
                         json_number(model.jnt_range[2 * j + 1]));
    }
    out += "]}";
  }
  return out;
}

std::string model_json(const Model& model) {
  std::string out = ",\n  \"name\": " + json_text(model.model_name()) + ",\n  \"sizes\": {";
  for (size_t i = 0; i < model_sizes().size(); ++i) {
    out += fmt::format("{}\"{}\": {}", i ? ", " : "", model_sizes()[i].name, model.size_value(static_cast<int>(i)));
  }
  out += fmt::format("}},\n  \"bytes\": {},\n  \"total_mass\": {},\n  \"bodies\": [{}]", model.bytes(),
                     json_number(total_mass(model)), bodies_json(model));
  out += ",\n  \"options\": {";
  bool first = true;
  for (const auto& [name, value] : changed_options(model.opt)) {
    out += (first ? "" : ", ") + json_text(name) + ": " + json_text(value);
    first = false;
  }
  out += "}";
  for (const ListInfo& list : kLists) {
    out += fmt::format(",\n  \"{}\": [", list.title);
    for (int i = 0; i < model.count(list.type); ++i) {
      out += (i ? ", " : "") + json_text(model.name(list.type, i));
    }
    out += "]";
  }
  out += ",\n  \"mimics\": [";
  const std::vector<MimicLine> mimics = mimic_lines(model);
  for (size_t i = 0; i < mimics.size(); ++i) {
    out += fmt::format("{}\n    {{\"name\": {}, \"mode\": \"{}\", \"active\": {}, \"sentence\": {}, \"residual\": {}}}",
                       i ? "," : "", json_text(mimics[i].name), mimics[i].mode, mimics[i].active,
                       json_text(mimics[i].sentence), json_number(mimics[i].residual));
  }
  out += "],\n  \"pending\": [";
  for (size_t i = 0; i < model.pending.size(); ++i) {
    out += (i ? ", " : "") + json_text(model.pending[i]);
  }
  return out + "]";
}

std::string ledger_json(const Ledger& ledger, bool with_entries) {
  std::string out = "{\"counts\": {";
  for (const Fate fate : kFates) {
    out += fmt::format("{}\"{}\": {}", fate == kFates[0] ? "" : ", ", fate_name(fate), ledger.count(fate));
  }
  out += "}";
  if (with_entries) {
    out += ", \"entries\": [";
    bool first = true;
    for (const LedgerEntry& entry : ledger.entries()) {
      out += fmt::format(
          "{}{{\"fate\": \"{}\", \"at\": {}, \"element\": {}, \"attribute\": {}, \"value\": {}, "
          "\"note\": {}}}",
          first ? "\n    " : ",\n    ", fate_name(entry.fate), json_text(place(ledger, entry)),
          json_text(entry.element), json_text(entry.attribute), json_text(entry.value), json_text(entry.note));
      first = false;
    }
    out += "]";
  }
  return out + "}";
}

}  // namespace

std::string label(const Model& model, ObjType type, const char* kind, int id) {
  const std::string_view name = model.name(type, id);
  return name.empty() ? fmt::format("{} {}", kind, id) : std::string(name);
}

const char* joint_word(int type) { return joint_kind(type).keyword; }

std::vector<std::pair<std::string, std::string>> changed_options(const Options& options) {
  const Options normal;
  std::vector<std::pair<std::string, std::string>> changed;
  const auto compare = [&](const char* name, auto member) {
    if (options.*member != normal.*member) changed.emplace_back(name, value_text(options.*member));
  };
  compare("timestep", &Options::timestep);
  compare("integrator", &Options::integrator);
  compare("solver", &Options::solver);
  compare("cone", &Options::cone);
  compare("jacobian", &Options::jacobian);
  compare("iterations", &Options::iterations);
  compare("tolerance", &Options::tolerance);
  compare("ls_iterations", &Options::ls_iterations);
  compare("ls_tolerance", &Options::ls_tolerance);
  compare("noslip_iterations", &Options::noslip_iterations);
  compare("noslip_tolerance", &Options::noslip_tolerance);
  compare("tgs_substeps", &Options::tgs_substeps);
  compare("tgs_sweeps", &Options::tgs_sweeps);
  compare("spin", &Options::spin);
  compare("friction", &Options::friction);
  compare("resolution", &Options::resolution);
  compare("discrete_full", &Options::discrete_full);
  compare("ccd_iterations", &Options::ccd_iterations);
  compare("ccd_tolerance", &Options::ccd_tolerance);
  compare("sleep_tolerance", &Options::sleep_tolerance);
  compare("impratio", &Options::impratio);
  compare("gravity", &Options::gravity);
  compare("wind", &Options::wind);
  compare("magnetic", &Options::magnetic);
  compare("density", &Options::density);
  compare("viscosity", &Options::viscosity);
  compare("o_margin", &Options::o_margin);
  compare("o_solref", &Options::o_solref);
  compare("o_solimp", &Options::o_solimp);
  compare("o_friction", &Options::o_friction);
  compare("sdf_initpoints", &Options::sdf_initpoints);
  compare("sdf_iterations", &Options::sdf_iterations);
  for (size_t bit = 0; bit < std::size(kDisableBits); ++bit) {
    if (options.disableflags >> bit & 1) changed.emplace_back(fmt::format("flag {}", kDisableBits[bit]), "disable");
  }
  for (size_t bit = 0; bit < std::size(kEnableBits); ++bit) {
    if (options.enableflags >> bit & 1) changed.emplace_back(fmt::format("flag {}", kEnableBits[bit]), "enable");
  }
  std::string groups;
  for (int group = 0; group < 31; ++group) {
    if (options.disableactuator >> group & 1) groups += fmt::format("{}{}", groups.empty() ? "" : " ", group);
  }
  if (!groups.empty()) changed.emplace_back("actuatorgroupdisable", groups);
  return changed;
}

std::vector<MimicLine> mimic_lines(const Model& model) {
  std::vector<MimicLine> lines;
  const State start(model);
  for (int i = 0; i < model.nmimic; ++i) {
    const int equality = model.mimic_eqid[i];
    lines.push_back({label(model, ObjType::kEquality, "equality", equality),
                     mimic_mode_text(static_cast<MimicMode>(model.mimic_mode[i])), mimic_sentence(model, i),
                     mimic_residual(model, start, i), model.eq_active0[equality] != 0});
  }
  return lines;
}

double total_mass(const Model& model) {
  double mass = 0;
  for (int b = 0; b < model.nbody; ++b) mass += model.body_mass[b];
  return mass;
}

std::string place(const Ledger& ledger, const LedgerEntry& entry) {
  const bool known = entry.at.file >= 0 && entry.at.file < static_cast<int>(ledger.files.size());
  return fmt::format("{}:{}:{}", known ? ledger.files[entry.at.file] : "", entry.at.line, entry.at.column);
}

std::string info_json(const std::string& path, const Report& report, bool with_ledger) {
  std::string out = "{\n  \"file\": " + json_text(path) + ",\n  \"ok\": " + (report.ok() ? "true" : "false");
  if (report.ok()) out += model_json(*report.model);
  out += ",\n  \"diagnostics\": [" + diagnostics_json(report.diagnostics) + "]";
  return out + ",\n  \"ledger\": " + ledger_json(report.ledger, with_ledger) + "\n}\n";
}

}  // namespace pliant::app

// A design as lines for people and as JSON for programs.

#include <cmath>

#include "analysis/lines.h"
#include "analysis/numbers.h"
#include "pliant/design.h"
#include "pliant/json.h"

namespace pliant {
namespace {

std::string json_number(double x) { return std::isfinite(x) ? number_text(x) : "null"; }

std::string line(const char* name, const std::string& value, const char* gloss) {
  return wrapped(gloss, "  " + padded(name, 20) + padded(value, 24), 46);
}

std::string wish_json(const DesignRequest& w) {
  std::string out = "{\"restitution\": " + json_number(w.restitution) + ", \"impact\": " + json_number(w.impact);
  out += ", \"max_depth\": " + json_number(w.max_depth) + ", \"stiffness\": " + json_number(w.stiffness);
  out += ", \"damping\": " + json_number(w.damping) + ", \"mass\": " + json_number(w.mass);
  out += ", \"rest_depth\": " + json_number(w.rest_depth) + ", \"settle\": " + json_number(w.settle);
  return out + ", \"timestep\": " + json_number(w.timestep) +
         ", \"integrator\": " + json_text(integrator_names()[static_cast<size_t>(w.integrator)]) + "}";
}

}  // namespace

std::span<const char* const> integrator_names() {
  static constexpr const char* kNames[] = {"Euler", "RK4", "implicit", "implicitfast", "discrete", "midpoint"};
  return kNames;
}

std::string design_text(const DesignResult& r) {
  if (!r.possible) return wrapped(r.refusal, "not possible: ", 2);
  const Prediction& p = r.predict;
  std::string out = "write\n" + wrapped(r.attributes, "  ", 2) + "and it will\n";
  out += line("bounce back with", short_text(p.restitution) + " of the speed",
              ("after an impact at " + short_text(p.impact) + " m/s, mean over where in a step it falls").c_str());
  out += line("range", short_text(p.restitution_range[0]) + " to " + short_text(p.restitution_range[1]),
              "over those places");
  out += line("sink in by", short_text(1e3 * p.max_depth) + " mm", "at most, in that impact");
  out += line("rest at", std::isfinite(p.rest_depth) ? short_text(1e3 * p.rest_depth) + " mm" : "no depth: it sinks",
              "under its weight");
  out += std::isfinite(p.settle_time) ? line("settle within", short_text(p.settle_time) + " s", "from the first touch")
                                      : line("keep moving", "without coming to rest", "as far as it was followed");
  out += line("feel like", short_text(p.stiffness) + " N/m", "stiffness: force per depth of a slow press");
  out += line("damp with", short_text(p.damping) + " N·s/m", "force per speed at a constant load");
  out += line("stay stable",
              std::isfinite(p.stable_dt) ? "below " + short_text(1e3 * p.stable_dt) + " ms" : "at any timestep",
              "timestep");
  for (const std::string& note : r.notes) out += wrapped(note, "  - ", 4);
  return out;
}

std::string design_json(const DesignResult& r) {
  const Prediction& p = r.predict;
  std::string out = std::string("{\n  \"possible\": ") + (r.possible ? "true" : "false") +
                    ",\n  \"refusal\": " + json_text(r.refusal) + ",\n  \"nearest\": " + wish_json(r.nearest) +
                    ",\n  \"mode\": " + json_text(r.mode) + ",\n  \"attributes\": " + json_text(r.attributes) +
                    ",\n  \"solref\": [" + json_number(r.solref[0]) + ", " + json_number(r.solref[1]) +
                    "],\n  \"solimp\": [";
  for (int i = 0; i < kNumImp; ++i) out += (i ? ", " : "") + json_number(r.solimp[i]);
  out += "],\n  \"notes\": [";
  for (size_t i = 0; i < r.notes.size(); ++i) out += (i ? ", " : "") + json_text(r.notes[i]);
  out += "]";
  const auto add = [&](const char* name, double value) {
    out += ",\n  \"" + std::string(name) + "\": " + json_number(value);
  };
  add("restitution", p.restitution);
  out += ",\n  \"restitution_range\": [" + json_number(p.restitution_range[0]) + ", " +
         json_number(p.restitution_range[1]) + "]";
  add("contact_steps", p.contact_steps);
  add("max_depth", p.max_depth);
  add("rest_depth", p.rest_depth);
  add("settle_time", p.settle_time);
  add("stiffness", p.stiffness);
  add("damping", p.damping);
  add("frequency", p.frequency);
  add("dampratio", p.dampratio);
  add("stable_dt", p.stable_dt);
  return out + "\n}";
}

std::string materials_text() {
  std::string out = "material       restitution  friction  source of the restitution\n";
  for (const Material& m : materials()) {
    out += wrapped(m.source,
                   padded(m.name, 15) + padded(short_text(m.restitution), 13) + padded(short_text(m.friction), 10), 38);
  }
  return out + wrapped(
                   "Typical numbers for a ball of some centimetres on a hard floor at about 1 m/s; restitution falls "
                   "with speed.",
                   "", 0);
}

}  // namespace pliant

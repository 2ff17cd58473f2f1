// An explanation as lines for people and as JSON for programs. Text keeps to 100 columns; every term has its gloss.

#include <cmath>
#include <string>
#include <vector>

#include "analysis/lines.h"
#include "analysis/numbers.h"
#include "base/text.h"
#include "pliant/explain.h"
#include "pliant/json.h"

namespace pliant {
namespace {

/// "  rest depth        0.35 mm          how deep it lies under its weight"
std::string line(const char* name, const std::string& value, const char* gloss) {
  return wrapped(gloss, "  " + padded(name, 22) + padded(value, 26), 50);
}

std::string millimetres(double x, bool length) {
  if (!std::isfinite(x)) return "unlimited";
  return length ? short_text(1e3 * x) + " mm" : short_text(x) + " rad";
}
std::string numbers(const std::vector<double>& values) {
  std::string out;
  for (const double x : values) out += (out.empty() ? "" : " ") + short_text(x);
  return out;
}

std::string rule_gloss(const std::string& rule) {
  if (rule == "pair") return "set by an explicit <pair>";
  if (rule == "priority") return "of the geom with the higher priority";
  if (rule == "solmix") return "mean of both geoms, weighted by solmix";
  if (rule == "smaller") return "the smaller numbers, because one solref is negative";
  if (rule == "larger") return "the larger of both geoms";
  if (rule == "sum") return "sum of both geoms";
  if (rule == "override") return "set by the flag override";
  return "of the element";
}

std::string predictions(const Explanation& e) {
  const Prediction& p = e.predict;
  const bool contact = e.kind == "contact", length = contact || e.sentence.find("rad") == std::string::npos;
  const char* force = length ? " N" : " N·m";
  std::string out = "what it will do (timestep " + short_text(1e3 * e.timestep) + " ms)\n";
  out += line("load", short_text(p.load) + force,
              contact ? "force that presses it on: its weight" : "force it has to hold");
  out += line("depth at rest", millimetres(p.rest_depth, length), "how far it gives way under that load");
  if (e.kind != "equality") {
    out += line("restitution",
                short_text(p.restitution) + "  (" + short_text(p.restitution_range[0]) + " to " +
                    short_text(p.restitution_range[1]) + ")",
                "speed after an impact / speed before; mean, and range over where in a step the impact falls");
    out += line("impact speed", short_text(p.impact) + (length ? " m/s" : " rad/s"),
                "of the impact these numbers are about");
    out += line("contact lasts",
                std::isfinite(p.contact_steps) ? short_text(p.contact_steps) + " steps" : std::string("until it rests"),
                "steps of the first contact; below 10 the bounce is coarse");
    out += line("deepest", millimetres(p.max_depth, length), "in that impact");
    out += line("largest force", short_text(p.max_force) + force, "in that impact");
    out += std::isfinite(p.settle_time)
               ? line("settles within", short_text(p.settle_time) + " s",
                      "from the first touch until the depth stays within 5 % of that at rest")
               : line("does not settle", "", "as far as it was followed after that impact, it does not come to rest");
  }
  if (contact) {
    const bool creeps = std::isfinite(p.creep_speed);
    out += line("creeps", creeps ? short_text(1e3 * p.creep_speed) + " mm/s" : std::string("slides freely"),
                "slow slip on the steepest slope that friction holds");
    if (creeps)
      out +=
          line("on a slope of", short_text(std::atan(p.creep_slope) * 180 / M_PI) + " degrees", "that steepest slope");
  }
  out += line("stiffness", short_text(p.stiffness) + (length ? " N/m" : " N·m/rad"), "force per depth of a slow press");
  out +=
      line("damping", short_text(p.damping) + (length ? " N·s/m" : " N·m·s/rad"), "force per speed at a constant load");
  out += line("stiffness of a blow", short_text(p.impact_stiffness) + (length ? " N/m" : " N·m/rad"),
              "smaller: a soft constraint yields to acceleration");
  out += line("natural frequency", short_text(p.frequency) + " Hz", "of small oscillations about rest");
  out += line("damping ratio", short_text(p.dampratio), "below 1 it oscillates, at 1 it returns fastest");
  out += line("stable timestep", std::isfinite(p.stable_dt) ? "below " + short_text(1e3 * p.stable_dt) + " ms" : "any",
              "above it the state of rest shakes");
  return out;
}

}  // namespace

std::string explain_text(const Explanation& e) {
  std::string out = wrapped(e.title, e.kind + "  ", 2);
  if (!e.sentence.empty()) out += wrapped(e.sentence, "  ", 2);
  if (!e.origin.empty()) out += wrapped("at " + e.origin, "  ", 2);
  out += line(e.kind == "contact" ? "overlap now" : "residual now", short_text(e.residual),
              e.kind == "contact" ? "[m]; negative: they are apart"
                                  : "distance from holding [m or rad]; limits: positive is beyond");
  if (!e.sources.empty()) out += "parameters (numbers as written, before clamps)\n";
  for (const ContactParameter& p : e.sources) {
    out += wrapped(numbers(p.value), "  " + padded(p.name, 16), 18);
    std::string from;
    for (const std::string& origin : p.origins) from += (from.empty() ? "" : " , ") + origin;
    out += wrapped(rule_gloss(p.rule) + (from.empty() ? "" : ": " + from), std::string(18, ' '), 20);
  }
  out += e.clamped.empty() ? "clamps: none\n" : "clamps in force\n";
  for (const ClampNote& note : e.clamped) out += wrapped(note.text, "  " + padded(note.code, 16), 18);
  if (e.kind == "mimic") {
    // a spring between joints: it has no depth, bounce or impedance
    if (e.predict.frequency > 0) {
      out +=
          line("natural frequency", short_text(e.predict.frequency) + " Hz", "of the spring that closes the residual");
      out += line("damping ratio", short_text(e.predict.dampratio), "below 1 it swings, at 1 it closes fastest");
    }
  } else if (e.response > 0) {
    out += "the row (one constraint direction) in force\n";
    out += line("solref", numbers({e.solref[0], e.solref[1]}),
                e.solref[0] > 0 ? "time constant [s] and damping ratio of the motion it asks for"
                                : "minus stiffness [1/s²] and minus damping [1/s] of the motion it asks for");
    out +=
        line("solimp", numbers({e.solimp.begin(), e.solimp.end()}),
             "impedance: share of its wish that comes true, at the surface and beyond the width [m]; midpoint, power");
    out += line("K and B", short_text(e.row_stiffness) + " 1/s², " + short_text(e.row_damping) + " 1/s",
                "spring and damper behind solref: wish = −B speed − K impedance depth");
    if (e.contacts > 0)
      out += line(e.kind == "contact" ? "points" : "rows", std::to_string(e.contacts), "that share the load");
    out += line("inverse mass", short_text(e.response) + " 1/kg", "acceleration per newton of all of them together");
    out += line("its estimate", short_text(e.estimate) + " 1/kg",
                "what the softness is scaled with, from the reference pose");
    out += predictions(e);
  }
  if (!e.note.empty()) out += wrapped(e.note, "note: ", 2);
  return out;
}

// ---- JSON

namespace {

std::string json_number(double x) { return std::isfinite(x) ? number_text(x) : "null"; }
template <class L>
std::string json_numbers(const L& list) {
  std::string out;
  for (const double x : list) out += (out.empty() ? "" : ", ") + json_number(x);
  return "[" + out + "]";
}

}  // namespace

std::string explain_json(const Explanation& e) {
  const Prediction& p = e.predict;
  std::string out = "{\n  \"kind\": " + json_text(e.kind) + ",\n  \"title\": " + json_text(e.title) +
                    ",\n  \"origin\": " + json_text(e.origin) + ",\n  \"sentence\": " + json_text(e.sentence) +
                    ",\n  \"note\": " + json_text(e.note);
  const auto add = [&](const char* name, const std::string& value) {
    out += ",\n  \"" + std::string(name) + "\": " + value;
  };
  const auto number = [&](const char* name, double value) { add(name, json_number(value)); };
  number("timestep", e.timestep);
  number("residual", e.residual);
  add("range", json_numbers(e.range));
  number("contacts", e.contacts);
  add("solref", json_numbers(e.solref));
  add("solimp", json_numbers(e.solimp));
  number("row_stiffness", e.row_stiffness);
  number("row_damping", e.row_damping);
  number("response", e.response);
  number("estimate", e.estimate);
  number("substeps", e.substeps);
  add("runge_kutta", e.runge_kutta ? "true" : "false");
  add("discrete", e.discrete ? "true" : "false");
  add("two_sided", e.two_sided ? "true" : "false");
  number("load", p.load);
  number("mass", p.mass);
  number("rest_depth", p.rest_depth);
  number("impact", p.impact);
  number("restitution", p.restitution);
  add("restitution_range", json_numbers(p.restitution_range));
  number("contact_steps", p.contact_steps);
  number("max_depth", p.max_depth);
  number("max_force", p.max_force);
  number("settle_time", p.settle_time);
  number("creep_speed", p.creep_speed);
  number("creep_slope", p.creep_slope);
  number("stiffness", p.stiffness);
  number("damping", p.damping);
  number("impact_stiffness", p.impact_stiffness);
  number("impact_damping", p.impact_damping);
  number("frequency", p.frequency);
  number("dampratio", p.dampratio);
  number("stable_dt", p.stable_dt);
  number("stable_dt_sliding", p.stable_dt_sliding);
  number("tipping_rate", p.tipping_rate);
  out += ",\n  \"clamped\": [";
  for (size_t i = 0; i < e.clamped.size(); ++i) {
    out += std::string(i ? "," : "") + "\n    {\"code\": " + json_text(e.clamped[i].code) +
           ", \"text\": " + json_text(e.clamped[i].text) + "}";
  }
  out += "],\n  \"sources\": {";
  for (size_t i = 0; i < e.sources.size(); ++i) {
    const ContactParameter& s = e.sources[i];
    std::string origins;
    for (const std::string& origin : s.origins) origins += (origins.empty() ? "" : ", ") + json_text(origin);
    out += std::string(i ? "," : "") + "\n    " + json_text(s.name) + ": {\"value\": " + json_numbers(s.value) +
           ", \"rule\": " + json_text(s.rule) + ", \"origins\": [" + origins + "]}";
  }
  return out + "}\n}";
}

}  // namespace pliant

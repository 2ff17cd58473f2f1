// pliant solvers: how every solver does on a model's constraints.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "cmd.h"
#include "console.h"
#include "inputs.h"
#include "names.h"
#include "pliant/analysis.h"
#include "pliant/pliant.h"
#include "pliant/json.h"
#include "pliant/step.h"
#include "progress.h"
#include "urdf_options.h"

namespace pliant::app {
namespace {

struct SolverCommand {
  UrdfOptions urdf;
  std::string path, key, html, playing;
  double after = 0;
  int curve = 50;
  bool json = false, allow_unsupported = false;
};

/// Islands that are alike once, with their number; in the order of the first of each.
std::vector<std::pair<int, IslandChoice>> counted(const std::vector<IslandChoice>& choices) {
  std::vector<std::pair<int, IslandChoice>> out;
  for (const IslandChoice& choice : choices) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const auto& known) { return known.second == choice; });
    same == out.end() ? (void)out.emplace_back(1, choice) : (void)++same->first;
  }
  return out;
}

std::string text_of(const SolverComparison& c) {
  std::string out = fmt::format("{} dofs, {} contacts, {} rows, {} islands, tolerance {:g}\n", c.dofs, c.contacts,
                                c.rows, c.islands, c.tolerance);
  out += fmt::format("the checked answer: two long runs agree to {:.1e}\n\n", c.disagreement);
  out += fmt::format("{:10}{:>12}{:>12}{:>12}{:>14}   {}\n", "solver", "iterations", "time [us]", "gap",
                     "error of qacc", "proven");
  for (const SolverTrial& t : c.trials) {
    out += fmt::format("{:10}{:12}{:12.1f}{:12.1e}{:14.1e}   {}{}\n", t.solver, t.iterations, t.microseconds, t.gap,
                       t.error, t.converged ? "yes" : "no", t.solver == c.chosen ? "   (the model's)" : "");
  }
  if (!c.choices.empty()) out += "\nwhat auto takes, by islands\n";
  for (const auto& [count, choice] : counted(c.choices)) {
    out += fmt::format("  {} of {} dofs, {} rows: {}\n", count == 1 ? "one" : std::to_string(count), choice.dofs,
                       choice.rows, choice.why);
  }
  if (!c.mimics.empty()) out += "\njoints that follow others, under the model's solver\n";
  for (const MimicReport& mimic : c.mimics) {
    out += fmt::format("  {}  {}{}  {}  residual {:.2e}  force {:.3g}  power {:.3g} W\n", mimic.name,
                       mimic_mode_text(mimic.mode), mimic.active ? "" : ", off", mimic.sentence, mimic.residual,
                       mimic.force, mimic.power);
  }
  return out + "\n" + solver_advice(c) + "\n";
}

std::string json_list(const std::vector<double>& values) {
  std::string out;
  for (const double v : values) out += (out.empty() ? "" : ", ") + json_number(v);
  return "[" + out + "]";
}

std::string json_of(const SolverComparison& c, const std::string& path, const std::vector<Diagnostic>& diagnostics) {
  std::string out = fmt::format(
      "{{\n  \"file\": {}, \"ok\": true, \"diagnostics\": [{}],\n  \"dofs\": {}, \"contacts\": {}, \"rows\": {}, "
      "\"islands\": {}, \"tolerance\": {}, "
      "\"disagreement\": {}, \"chosen\": {},\n  \"solvers\": [",
      json_text(path), diagnostics_json(diagnostics), c.dofs, c.contacts, c.rows, c.islands, json_number(c.tolerance),
      json_number(c.disagreement), json_text(c.chosen));
  for (size_t i = 0; i < c.trials.size(); ++i) {
    const SolverTrial& t = c.trials[i];
    out += fmt::format(
        "{}\n    {{\"solver\": {}, \"iterations\": {}, \"microseconds\": {}, \"gap\": {}, \"error\": {}, "
        "\"converged\": {},\n"
        "     \"gaps\": {},\n     \"errors\": {},\n     \"times\": {}}}",
        i ? "," : "", json_text(t.solver), t.iterations, json_number(t.microseconds), json_number(t.gap),
        json_number(t.error), t.converged, json_list(t.gaps), json_list(t.errors), json_list(t.times));
  }
  out += "\n  ],\n  \"choices\": [";
  for (size_t i = 0; i < c.choices.size(); ++i) {
    out += fmt::format("{}\n    {{\"dofs\": {}, \"rows\": {}, \"why\": {}}}", i ? "," : "", c.choices[i].dofs,
                       c.choices[i].rows, json_text(c.choices[i].why));
  }
  out += "\n  ],\n  \"mimics\": [";
  for (size_t i = 0; i < c.mimics.size(); ++i) {
    const MimicReport& mimic = c.mimics[i];
    out += fmt::format(
        "{}\n    {{\"name\": {}, \"follower\": {}, \"mode\": \"{}\", \"active\": {}, \"sentence\": {}, \"residual\": "
        "{}, \"force\": {}, "
        "\"power\": {}}}",
        i ? "," : "", json_text(mimic.name), json_text(mimic.follower), mimic_mode_text(mimic.mode), mimic.active,
        json_text(mimic.sentence), json_number(mimic.residual), json_number(mimic.force), json_number(mimic.power));
  }
  return out + fmt::format("\n  ],\n  \"advice\": {}\n}}\n", json_text(solver_advice(c)));
}

int compare(const SolverCommand& options) {
  if (!options.playing.empty() && options.html.empty()) throw std::invalid_argument("--playing needs --html");
  LoadOptions load_options;
  load_options.allow_unsupported = options.allow_unsupported;
  load_options.urdf = options.urdf;
  const Report report = load_report(options.path, load_options);
  if (!report.ok()) return refuse_model(options.path, report.diagnostics, options.json);
  print_findings_by_kind(report.diagnostics);
  if (!options.html.empty()) keep_inputs(options.html, options.path, load_options);
  const Model& m = *report.model;
  State s(m);
  set_key(m, options.key, s);
  Data d(m);
  Progress progress(options.after, "s");
  const double begin = *s.time;
  for (const double end = begin + options.after; *s.time < end - m.opt.timestep / 2;) {
    progress.update(*s.time - begin);
    if (const StepStatus status = step(m, s, d); !status.ok()) {
      std::fprintf(stderr, "%s\n", describe_status(m, d, status).c_str());
      return kFault;
    }
  }
  const SolverComparison comparison = compare_solvers(m, s, options.curve);
  if (!options.html.empty())
    write_whole_file(options.html, solver_page(comparison, "Solvers on " + options.path, options.playing));
  print(options.json ? json_of(comparison, options.path, report.diagnostics) : text_of(comparison));
  return kOk;
}

}  // namespace

Run add_solvers(Arguments& arguments) {
  constexpr Range kLongest{0, 1e6};
  auto options = std::make_shared<SolverCommand>();
  arguments.positional("MODEL", options->path, "MJCF or URDF file, or binary model");
  arguments.option("--key", "KEY", options->key, "keyframe to look at, by name or number");
  arguments.option("--after", "S", options->after, "simulate this long first [s]", kLongest);
  arguments.option("--html", "FILE", options->html, "write table and curves of convergence to this file");
  arguments.option("--curve", "N", options->curve, "iterations the curves show, 50 by default", {1, 1000});
  arguments.option("--playing", "PAGE", options->playing,
                   "with --html: a page that plays (pliant view --html), to link to");
  arguments.flag("--json", options->json, "print JSON");
  add_progress(arguments);
  arguments.flag("--allow-unsupported", options->allow_unsupported, "ignore what Pliant does not support");
  add_urdf_options(arguments, options->urdf);
  arguments.note(
      "Solves the constraints of one state with every solver. 'gap' is the certificate: the cost is within it of its "
      "minimum (scaled, compare with the tolerance); 'error' is the largest error of an acceleration, relative to the "
      "largest acceleration, against a run to 1e-15 that two solvers agree on; 'proven' whether the gap is below the "
      "tolerance. TGS solves another problem, that of its substeps: its gap is that of the last one, its error is "
      "against the same with 1000 sweeps. auto takes one of the others for each island, which is listed. Mimic joints "
      "are listed with mode, relation, residual, force and power.");
  arguments.example("models/stack_of_boxes.xml --after 0.5");
  return [options] { return compare(*options); };
}

}  // namespace pliant::app

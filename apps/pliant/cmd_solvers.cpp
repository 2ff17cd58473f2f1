// pliant solvers: how every solver does on a model's constraints.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "cmd.h"
#include "key.h"
#include "pliant/analysis.h"
#include "pliant/pliant.h"
#include "pliant/json.h"
#include "pliant/step.h"
#include "urdf_options.h"

namespace pliant::app {
namespace {

struct SolverCommand {
  UrdfOptions urdf;
  std::string path, key, html;
  double after = 0;
  int curve = 50;
  bool json = false, allow_unsupported = false;
};

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
  for (const double v : values) out += (out.empty() ? "" : ", ") + fmt::format("{}", v);
  return "[" + out + "]";
}

std::string json_of(const SolverComparison& c, const std::string& path) {
  std::string out = fmt::format(
      "{{\n  \"file\": {}, \"dofs\": {}, \"contacts\": {}, \"rows\": {}, \"islands\": {}, \"tolerance\": {}, "
      "\"disagreement\": {}, \"chosen\": {},\n  \"solvers\": [",
      json_text(path), c.dofs, c.contacts, c.rows, c.islands, c.tolerance, c.disagreement, json_text(c.chosen));
  for (size_t i = 0; i < c.trials.size(); ++i) {
    const SolverTrial& t = c.trials[i];
    out += fmt::format(
        "{}\n    {{\"solver\": {}, \"iterations\": {}, \"microseconds\": {}, \"gap\": {}, \"error\": {}, "
        "\"converged\": {},\n"
        "     \"gaps\": {},\n     \"errors\": {},\n     \"times\": {}}}",
        i ? "," : "", json_text(t.solver), t.iterations, t.microseconds, t.gap, t.error, t.converged, json_list(t.gaps),
        json_list(t.errors), json_list(t.times));
  }
  out += "\n  ],\n  \"mimics\": [";
  for (size_t i = 0; i < c.mimics.size(); ++i) {
    const MimicReport& mimic = c.mimics[i];
    out += fmt::format(
        "{}\n    {{\"name\": {}, \"follower\": {}, \"mode\": \"{}\", \"active\": {}, \"sentence\": {}, \"residual\": "
        "{}, \"force\": {}, "
        "\"power\": {}}}",
        i ? "," : "", json_text(mimic.name), json_text(mimic.follower), mimic_mode_text(mimic.mode), mimic.active,
        json_text(mimic.sentence), mimic.residual, mimic.force, mimic.power);
  }
  return out + fmt::format("\n  ],\n  \"advice\": {}\n}}\n", json_text(solver_advice(c)));
}

int compare(const SolverCommand& options) {
  LoadOptions load_options;
  load_options.allow_unsupported = options.allow_unsupported;
  load_options.urdf = options.urdf;
  const Report report = load_report(options.path, load_options);
  if (!report.diagnostics.empty()) std::fprintf(stderr, "%s\n", to_text(report.diagnostics).c_str());
  if (!report.model) return kFailed;
  const Model& m = *report.model;
  State s(m);
  set_key(m, options.key, s);
  Data d(m);
  for (const double end = *s.time + options.after; *s.time < end - m.opt.timestep / 2;) {
    if (const StepStatus status = step(m, s, d); !status.ok()) {
      std::fprintf(stderr, "%s\n", describe_status(m, d, status).c_str());
      return kFault;
    }
  }
  const SolverComparison comparison = compare_solvers(m, s, options.curve);
  const std::string text = options.json ? json_of(comparison, options.path) : text_of(comparison);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (options.html.empty()) return kOk;
  std::ofstream file(options.html);
  file << solver_page(comparison, "Solvers on " + options.path);
  file.close();
  if (!file) throw std::runtime_error("cannot write " + options.html);
  return kOk;
}

}  // namespace

Run add_solvers(CLI::App& command) {
  auto options = std::make_shared<SolverCommand>();
  command.add_option("MODEL", options->path, "MJCF or URDF file, or binary model")->required();
  command.add_option("--key", options->key, "keyframe to look at, by name or number")->type_name("KEY");
  command.add_option("--after", options->after, "simulate this long first [s]")
      ->type_name("S")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--html", options->html, "write table and curves of convergence to this file")->type_name("FILE");
  command.add_option("--curve", options->curve, "iterations the curves show")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command.add_flag("--json", options->json, "print JSON");
  command.add_flag("--allow-unsupported", options->allow_unsupported, "ignore what Pliant does not support");
  add_urdf_options(command, options->urdf);
  command.footer(
      "Solves the constraints of one state with every solver. 'gap' is the certificate: the cost is within it of its "
      "minimum "
      "(scaled, compare with the tolerance); 'error' is the largest error of an acceleration, relative to the largest "
      "acceleration, against a run to 1e-15 that two solvers agree on; 'proven' whether the gap is below the "
      "tolerance. TGS solves "
      "another problem, that of its substeps: its gap is that of the last one, its error is against the same with 1000 "
      "sweeps. Mimic joints "
      "are listed with mode, relation, residual, force and power.");
  return [options] { return compare(*options); };
}

}  // namespace pliant::app

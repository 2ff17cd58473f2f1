// pliant explain: what a contact, limit, equality or mimic will do before it does it.

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "cmd.h"
#include "console.h"
#include "inputs.h"
#include "names.h"
#include "pliant/explain.h"
#include "progress.h"
#include "urdf_options.h"
#include "with_spec.h"

namespace pliant::app {
namespace {

struct ExplainOptions {
  UrdfOptions urdf;
  std::string path, key, joint, equality, mimic, html, playing;
  std::vector<std::string> geoms;
  double impact = 1;
  bool all = false, json = false, allow_unsupported = false;
};

std::vector<Explanation> explanations(const ExplainOptions& o, const Model& m, const State& s, const Spec* spec) {
  if (o.all) {
    std::optional<Progress> progress;
    return explain_all(m, s, o.impact, spec, [&](double done, double total) {
      if (!progress) progress.emplace(total, "explanations");
      progress->update(done);
    });
  }
  if (!o.joint.empty()) return {explain_limit(m, s, find_object(m, ObjType::kJoint, o.joint, "joint"), o.impact)};
  if (!o.equality.empty()) {
    return {explain_equality(m, s, find_object(m, ObjType::kEquality, o.equality, "equality"), o.impact)};
  }
  if (!o.mimic.empty()) return {explain_mimic(m, s, find_object(m, ObjType::kEquality, o.mimic, "mimic"), o.impact)};
  if (o.geoms.size() != 2)
    throw std::invalid_argument("say what to explain: --geoms A B, --joint, --equality, --mimic or --all");
  return {explain_contact(m, s, find_object(m, ObjType::kGeom, o.geoms[0], "geom"),
                          find_object(m, ObjType::kGeom, o.geoms[1], "geom"), o.impact, spec)};
}

int explain(const ExplainOptions& options) {
  const LoadOptions load_options = options_of(options.allow_unsupported, options.urdf);
  const LoadedModel loaded = load_with_spec(options.path, load_options);
  if (!loaded.model) return refuse_model(options.path, loaded.diagnostics, options.json);
  print_findings_by_kind(loaded.diagnostics);
  const Model& m = *loaded.model;
  State s(m);
  set_key(m, options.key, s);
  const auto list = explanations(options, m, s, loaded.spec ? &*loaded.spec : nullptr);
  if (!options.playing.empty() && options.html.empty()) throw std::invalid_argument("--playing needs --html");
  if (!options.html.empty()) {
    if (list.size() != 1) throw std::invalid_argument("--html shows one explanation: say which, not --all");
    keep_inputs(options.html, options.path, load_options);
    write_whole_file(options.html, explain_page(list[0], options.playing));
  }
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) {
    text += options.json ? (i ? ",\n" : "") + explain_json(list[i]) : (i ? "\n" : "") + explain_text(list[i]);
  }
  if (options.json) text = options.all ? "[" + text + "]\n" : text + "\n";
  if (!options.json && list.empty()) text = "nothing to explain: no contacts now, no pairs, limits or equalities\n";
  print(text);
  return kOk;
}

}  // namespace

Run add_explain(Arguments& arguments) {
  auto options = std::make_shared<ExplainOptions>();
  arguments.positional("MODEL", options->path, "MJCF or URDF file, or binary model");
  arguments.pair("--geoms", "A B", options->geoms, "two geoms, by name or number");
  arguments.option("--joint", "NAME", options->joint, "limits of a joint");
  arguments.option("--equality", "NAME", options->equality, "an equality constraint");
  arguments.option("--mimic", "NAME", options->mimic, "a mimic (a joint that follows others)");
  arguments.flag("--all", options->all, "everything: touching geoms, pairs, limits, equalities, mimics");
  arguments.option("--impact", "V", options->impact, "speed of the impact to predict [m/s], 1 by default", kAboveZero);
  arguments.option("--key", "KEY", options->key, "keyframe to look at, by name or number");
  arguments.flag("--json", options->json, "print JSON; numbers without limit are null");
  add_progress(arguments);
  arguments.option("--html", "FILE", options->html, "also write a page with curves, and numbers to try");
  arguments.option("--playing", "PAGE", options->playing,
                   "with --html: a page that plays (pliant view --html), to link to");
  arguments.flag("--allow-unsupported", options->allow_unsupported, "ignore what Pliant does not support");
  constexpr const char* kOneOf[] = {"--geoms", "--joint", "--equality", "--mimic", "--all"};
  for (size_t i = 0; i < std::size(kOneOf); ++i) {
    for (size_t k = 0; k < i; ++k) arguments.exclusive(kOneOf[k], kOneOf[i]);
  }
  add_urdf_options(arguments, options->urdf);
  arguments.note(
      "Prints the parameters in force and where each was written, what was clamped, and predictions at the model's "
      "timestep: depth at rest, bounce, settling, creep, stiffness, longest stable timestep. Geoms that do not touch "
      "are brought together along the shortest way.");
  arguments.example("models/gripper.xml --geoms block table");
  arguments.example("models/quadruped.xml --geoms FL_foot floor --impact 0.5 --html foot.html");
  arguments.example("models/quadruped.xml --joint FL_knee --json");
  arguments.example("models/quadruped.xml --all");
  return [options] { return explain(*options); };
}

}  // namespace pliant::app

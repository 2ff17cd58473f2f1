// pliant explain: what a contact, limit, equality or mimic will do before it does it.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cmd.h"
#include "key.h"
#include "pliant/explain.h"
#include "urdf_options.h"
#include "with_spec.h"

namespace pliant::app {
namespace {

struct ExplainOptions {
  UrdfOptions urdf;
  std::string path, key, joint, equality, mimic, html;
  std::vector<std::string> geoms;
  double impact = 1;
  bool all = false, json = false, allow_unsupported = false;
};

/// An object by name, or by number where nothing has that name.
int find(const Model& m, ObjType type, const std::string& name, int count, const char* kind) {
  int id = m.id(type, name);
  const bool number = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos && name.size() < 9;
  if (id < 0 && number) id = std::stoi(name);
  if (id < 0 || id >= count) throw std::invalid_argument("there is no " + std::string(kind) + " '" + name + "'");
  return id;
}

std::vector<Explanation> explanations(const ExplainOptions& o, const Model& m, const State& s, const Spec* spec) {
  if (o.all) return explain_all(m, s, o.impact, spec);
  if (!o.joint.empty()) return {explain_limit(m, s, find(m, ObjType::kJoint, o.joint, m.njnt, "joint"), o.impact)};
  if (!o.equality.empty()) {
    return {explain_equality(m, s, find(m, ObjType::kEquality, o.equality, m.neq, "equality"), o.impact)};
  }
  if (!o.mimic.empty()) return {explain_mimic(m, s, find(m, ObjType::kEquality, o.mimic, m.neq, "mimic"), o.impact)};
  if (o.geoms.size() != 2)
    throw std::invalid_argument("say what to explain: --geoms A B, --joint, --equality, --mimic or --all");
  return {explain_contact(m, s, find(m, ObjType::kGeom, o.geoms[0], m.ngeom, "geom"),
                          find(m, ObjType::kGeom, o.geoms[1], m.ngeom, "geom"), o.impact, spec)};
}

int explain(const ExplainOptions& options) {
  const LoadedModel loaded = load_with_spec(options.path, options.allow_unsupported, options.urdf);
  if (!loaded.diagnostics.empty()) std::fprintf(stderr, "%s\n", to_text(loaded.diagnostics).c_str());
  if (!loaded.model) return kFailed;
  const Model& m = *loaded.model;
  State s(m);
  set_key(m, options.key, s);
  const auto list = explanations(options, m, s, loaded.spec ? &*loaded.spec : nullptr);
  if (!options.html.empty()) {
    if (list.size() != 1) throw std::invalid_argument("--html shows one explanation: say which, not --all");
    std::ofstream file(options.html, std::ios::binary);
    if (!(file << explain_page(list[0]))) throw std::runtime_error("cannot write " + options.html);
  }
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) {
    text += options.json ? (i ? ",\n" : "") + explain_json(list[i]) : (i ? "\n" : "") + explain_text(list[i]);
  }
  if (options.json) text = options.all ? "[" + text + "]\n" : text + "\n";
  if (!options.json && list.empty()) text = "nothing to explain: no contacts now, no pairs, limits or equalities\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kOk;
}

}  // namespace

Run add_explain(CLI::App& command) {
  auto options = std::make_shared<ExplainOptions>();
  command.add_option("MODEL", options->path, "MJCF or URDF file, or binary model")->required();
  command.add_option("--geoms", options->geoms, "two geoms, by name or number")->expected(2)->type_name("A B");
  command.add_option("--joint", options->joint, "limits of a joint")->type_name("NAME");
  command.add_option("--equality", options->equality, "an equality constraint")->type_name("NAME");
  command.add_option("--mimic", options->mimic, "a mimic (a joint that follows others)")->type_name("NAME");
  command.add_flag("--all", options->all, "everything: touching geoms, pairs, limits, equalities, mimics");
  command.add_option("--impact", options->impact, "speed of the impact to predict [m/s], 1 by default")->type_name("V");
  command.add_option("--key", options->key, "keyframe to look at, by name or number")->type_name("KEY");
  command.add_flag("--json", options->json, "print JSON; numbers without limit are null");
  command.add_option("--html", options->html, "also write a page with curves and sliders")->type_name("FILE");
  command.add_flag("--allow-unsupported", options->allow_unsupported, "ignore what Pliant does not support");
  add_urdf_options(command, options->urdf);
  command.footer(
      "Prints the parameters in force and where each was written, what was clamped, and predictions at the\n"
      "model's timestep: depth at rest, bounce, settling, creep, stiffness, longest stable timestep.\n"
      "Geoms that do not touch are brought together along the shortest way.\n\n"
      "Examples:\n"
      "  pliant explain models/drop.xml --geoms ball floor\n"
      "  pliant explain robot.xml --geoms foot floor --impact 0.5 --html foot.html\n"
      "  pliant explain robot.xml --joint elbow --json");
  return [options] { return explain(*options); };
}

}  // namespace pliant::app

// pliant design: behaviour in, solref and solimp out.

#include "pliant/design.h"

#include <memory>
#include <string>
#include <vector>

#include "cmd.h"
#include "console.h"

namespace pliant::app {
namespace {

struct DesignOptions {
  DesignRequest wish;
  bool json = false, list = false;
};

int run_design(const DesignOptions& options) {
  if (options.list) {
    print(materials_text());
    return kOk;
  }
  const DesignResult result = design(options.wish);
  print(options.json ? design_json(result) + "\n" : design_text(result));
  return result.possible ? kOk : kWarnings;
}

}  // namespace

Run add_design(Arguments& arguments) {
  auto options = std::make_shared<DesignOptions>();
  DesignRequest& wish = options->wish;
  std::vector<std::string> names;
  for (const Material& material : materials()) names.emplace_back(material.name);
  static const std::vector<std::string> kTargets = {"geom", "pair", "limit", "equality", "mimic"};
  static const std::vector<std::string> kModes = {"auto", "spring", "impact"};
  static const std::vector<std::string> kIntegrators(integrator_names().begin(), integrator_names().end());
  arguments.option("--restitution", "E", wish.restitution, "speed after an impact / speed before, 0 to 1", kZeroOrMore);
  arguments.option("--impact", "V", wish.impact,
                   "speed at which that holds [m/s], 1 by default; after a fall from h: √(2·9.81·h)", kAboveZero);
  arguments.option("--max-depth", "D", wish.max_depth, "how deep that impact may go [m]", kAboveZero);
  arguments.option("--stiffness", "K", wish.stiffness, "force per depth of a slow press [N/m]", kAboveZero);
  arguments.option("--damping", "B", wish.damping, "force per speed [N·s/m]", kZeroOrMore);
  arguments.option("--mass", "M", wish.mass, "mass that rests on it [kg], 1 by default", kAboveZero);
  arguments.option("--rest-depth", "D", wish.rest_depth, "exactly this depth under the weight of that mass [m]",
                   kAboveZero);
  arguments.option("--settle", "T", wish.settle, "time from touch to rest [s]", kAboveZero);
  arguments.choice("--material", "NAME", names, "rubber, steel, wood, foam …; --list shows all",
                   [&wish, names](size_t chosen) { wish.material = names[chosen]; });
  arguments.choice("--for", "WHAT", kTargets, "geom, pair, limit, equality or mimic: whose attributes to write",
                   [&wish](size_t chosen) { wish.target = kTargets[chosen]; });
  arguments.choice("--mode", "MODE", kModes, "spring (many steps), impact (one step) or auto",
                   [&wish](size_t chosen) { wish.mode = kModes[chosen]; });
  arguments.option("--timestep", "DT", wish.timestep, "of the model [s], 0.002 by default", kAboveZero);
  arguments.choice("--integrator", "NAME", kIntegrators,
                   "of the model: discrete and RK4 step a constraint otherwise than Euler, implicit and implicitfast",
                   [&wish](size_t chosen) { wish.integrator = static_cast<Integrator>(chosen); });
  arguments.option("--substeps", "N", wish.substeps, "of the solver TGS, 1 for the others", {1, 1000});
  arguments.option("--gravity", "G", wish.gravity, "[m/s²], 9.81 by default", kAboveZero);
  arguments.flag("--list", options->list, "list the materials and where their numbers come from");
  arguments.flag("--json", options->json, "print JSON");
  arguments.note(
      "Prints MJCF attributes and what they will do; says what was traded. What is impossible is refused with the "
      "nearest possible, and the exit status is 1.");
  arguments.example("--restitution 0.8 --impact 2 --timestep 0.001");
  arguments.example("--stiffness 20000 --damping 50 --mass 1.5");
  arguments.example("--material rubber --for pair");
  arguments.example("--rest-depth 0.0005");
  arguments.example("--restitution 0.6 --integrator discrete");
  return [options] { return run_design(*options); };
}

}  // namespace pliant::app

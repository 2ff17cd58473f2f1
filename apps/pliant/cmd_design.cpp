// pliant design: behaviour in, solref and solimp out.

#include "pliant/design.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cmd.h"

namespace pliant::app {
namespace {

struct DesignOptions {
  DesignRequest wish;
  bool json = false, list = false;
};

int run_design(const DesignOptions& options) {
  if (options.list) {
    std::fputs(materials_text().c_str(), stdout);
    return kOk;
  }
  const DesignResult result = design(options.wish);
  const std::string text = options.json ? design_json(result) + "\n" : design_text(result);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return result.possible ? kOk : kWarnings;
}

}  // namespace

Run add_design(CLI::App& command) {
  auto options = std::make_shared<DesignOptions>();
  DesignRequest& wish = options->wish;
  command.add_option("--restitution", wish.restitution, "speed after an impact / speed before, 0 to 1")->type_name("E");
  command.add_option("--impact", wish.impact, "speed at which that holds [m/s], 1 by default")->type_name("V");
  command.add_option("--max-depth", wish.max_depth, "how deep that impact may go [m]")->type_name("D");
  command.add_option("--stiffness", wish.stiffness, "force per depth of a slow press [N/m]")->type_name("K");
  command.add_option("--damping", wish.damping, "force per speed [N·s/m]")->type_name("B");
  command.add_option("--mass", wish.mass, "mass that rests on it [kg], 1 by default")->type_name("M");
  command.add_option("--rest-depth", wish.rest_depth, "depth under the weight of that mass [m]")->type_name("D");
  command.add_option("--settle", wish.settle, "time from touch to rest [s]")->type_name("T");
  command.add_option("--material", wish.material, "rubber, steel, wood, foam …; --list shows all")->type_name("NAME");
  command.add_option("--for", wish.target, "geom, pair, limit, equality or mimic: whose attributes to write")
      ->type_name("WHAT");
  command.add_option("--mode", wish.mode, "spring (many steps), impact (one step) or auto")->type_name("MODE");
  command.add_option("--timestep", wish.timestep, "of the model [s], 0.002 by default")->type_name("DT");
  command.add_option("--substeps", wish.substeps, "of the solver TGS, 1 for the others")->type_name("N");
  command.add_option("--gravity", wish.gravity, "[m/s²], 9.81 by default")->type_name("G");
  command.add_flag("--list", options->list, "list the materials and where their numbers come from");
  command.add_flag("--json", options->json, "print JSON");
  command.footer(
      "Prints MJCF attributes and what they will do; says what was traded. What is impossible is refused\n"
      "with the nearest possible, and the exit status is 1.\n\n"
      "Examples:\n"
      "  pliant design --restitution 0.8 --impact 2 --timestep 0.001\n"
      "  pliant design --stiffness 20000 --damping 50 --mass 1.5\n"
      "  pliant design --material rubber --for pair\n"
      "  pliant design --rest-depth 0.0005");
  return [options] { return run_design(*options); };
}

}  // namespace pliant::app

// pliant: the command line. Each command lives in its own cmd_<name>.cpp.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

#include "cmd.h"
#include "pliant/load.h"

namespace {

struct Command {
  const char* name;
  const char* summary;
  pliant::app::Run (*add)(CLI::App&);
};

constexpr Command kCommands[] = {
    {"info", "Describe a model: sizes, bodies, contents, and everything the loader has to say", pliant::app::add_info},
    {"run", "Simulate a model: controls, recording, timers", pliant::app::add_run},
    {"contacts", "List contacts: pairs, depth, parameters and where each comes from", pliant::app::add_contacts},
    {"explain", "Say what a contact, limit, equality or mimic will do before it does it", pliant::app::add_explain},
    {"design", "Find solref and solimp for a wanted bounce, stiffness or depth", pliant::app::add_design},
    {"doctor", "Find what in a model will misbehave, with the change that cures it", pliant::app::add_doctor},
    {"solvers", "Compare the solvers on a model: iterations, time, certificate, error", pliant::app::add_solvers},
    {"compile", "Write a model as a binary file that loads in milliseconds", pliant::app::add_compile},
    {"convert", "Write a model as one MJCF file, for Pliant or for MuJoCo", pliant::app::add_convert},
    {"schema", "List the MJCF elements and attributes that Pliant reads", pliant::app::add_schema},
    {"codes", "Explain the codes of errors and warnings", pliant::app::add_codes},
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Pliant, a rigid-body simulator that reads MJCF and URDF models.", "pliant");
  program.set_version_flag("--version", pliant::kVersion);
  program.require_subcommand(1);
  program.footer("'pliant COMMAND --help' explains a command.");

  std::vector<std::pair<CLI::App*, pliant::app::Run>> commands;
  for (const Command& command : kCommands) {
    CLI::App* parser = program.add_subcommand(command.name, command.summary);
    commands.emplace_back(parser, command.add(*parser));
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return program.exit(problem) == 0 ? pliant::app::kOk : pliant::app::kFailed;
  }
  try {
    for (const auto& [parser, run] : commands) {
      if (parser->parsed()) return run();
    }
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "pliant: %s\n", problem.what());
  }
  return pliant::app::kFailed;
}

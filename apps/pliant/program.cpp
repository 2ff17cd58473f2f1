// The program as a function, for main() and for `python -m pliant`. Each command lives in its own cmd_<name>.cpp.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "cmd.h"
#include "console.h"
#include "pliant/load.h"

namespace pliant::app {
namespace {

struct Command {
  const char* name;
  const char* summary;
  Run (*add)(Arguments&);
};

constexpr Command kCommands[] = {
    {"info", "Describe a model: sizes, bodies, contents, and everything the loader has to say", add_info},
    {"run", "Simulate a model: controls, recording, timers", add_run},
    {"render", "Draw pictures and films of a model, a simulation or a recording", add_render},
    {"view", "Look at a model or a recording in a browser, or as a page that plays", add_view},
    {"plot", "Draw numbers of a recording over time as a picture", add_plot},
    {"recording", "Say what is in a recording, or write it as .npz or .csv", add_recording},
    {"replay", "Simulate a recording again: the same bits, or where they begin to differ", add_replay},
    {"why", "Say why a simulation went wrong: the culprit, the rule it broke, fixes that were tried", add_why},
    {"contacts", "List contacts: pairs, depth, parameters and where each comes from", add_contacts},
    {"explain", "Say what a contact, limit, equality or mimic will do before it does it", add_explain},
    {"design", "Find solref and solimp for a wanted bounce, stiffness or depth", add_design},
    {"doctor", "Find what in a model will misbehave, with the change that cures it", add_doctor},
    {"solvers", "Compare the solvers on a model: iterations, time, certificate, error", add_solvers},
    {"compile", "Write a model as a binary file that loads in milliseconds", add_compile},
    {"convert", "Write a model as one MJCF file, for Pliant or for MuJoCo", add_convert},
    {"schema", "List the MJCF elements and attributes that Pliant reads", add_schema},
    {"codes", "Explain the codes of errors, warnings and findings", add_codes},
};

std::string help_text(const std::string& program) {
  std::string out = "Pliant, a rigid-body simulator that reads MJCF and URDF models.\n\nUsage: " + program +
                    " COMMAND [ARGUMENTS]\n\nSubcommands:\n";
  for (const Command& command : kCommands) {
    out += "  " + std::string(command.name) + std::string(11 - std::string(command.name).size(), ' ') +
           command.summary + "\n";
  }
  return out + "\nOptions:\n  -h, --help print this\n  --version  print the version\n\n'" + program +
         " COMMAND --help' explains a command.\n";
}

/// Wrong usage before a command is known.
int refuse(const std::string& program, const std::string& why) {
  std::fprintf(stderr, "pliant: %s\n'%s --help' lists the commands.\n", why.c_str(), program.c_str());
  return kFailed;
}

int refuse_command(const std::string& program, const std::string& word) {
  if (word.starts_with("-")) {
    return refuse(program,
                  "there is no option '" + word + "' before a command" + suggestion(word, {"--help", "--version"}));
  }
  std::error_code problem;
  if (std::filesystem::exists(word, problem)) {
    return refuse(program, "'" + word + "' is a file; name a command first: " + program + " info " + word);
  }
  if (word == "help") {
    return refuse(program,
                  "there is no command 'help'; write " + program + " --help, or " + program + " COMMAND --help");
  }
  if (word == "version") return refuse(program, "there is no command 'version'; did you mean '--version'?");
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return refuse(program, "there is no command '" + word + "'" + suggestion(word, names));
}

int run_command(const std::string& program, const Command& command, std::span<const std::string> words) {
  Arguments arguments(command.name);
  talk() = {};
  const Run run = command.add(arguments);
  arguments.flag("--quiet", [] { talk().quiet = true; }, "print nothing but errors (and JSON, with --json)");
  const bool json = arguments.knows("--json") && std::find(words.begin(), words.end(), "--json") != words.end();
  const auto complain = [&](const std::string& message) {
    std::fprintf(stderr, "pliant %s: %s\n", command.name, message.c_str());
    // programs that read JSON get the reason as JSON, too
    talk().json = json;
    if (json) print(failure_json(message));
    finish_printing();
    return kFailed;
  };
  try {
    if (!arguments.parse(words)) {
      talk() = {};
      print(arguments.help(program, command.summary));
      finish_printing();
      return kOk;
    }
  } catch (const UsageError& problem) {
    const int status = complain(problem.what());
    std::fprintf(stderr, "'%s %s --help' explains the command.\n", program.c_str(), command.name);
    return status;
  }
  talk().json = json;
  try {
    const int status = run();
    finish_printing();
    return status;
  } catch (const std::exception& problem) {
    return complain(problem.what());
  }
}

}  // namespace

int run_program(const std::string& program, std::span<const std::string> words) {
  try {
    if (words.empty()) {
      std::fprintf(stderr, "pliant: name a command\n\n%s", help_text(program).c_str());
      return kFailed;
    }
    if (words[0] == "--help" || words[0] == "-h") {
      print(help_text(program));
    } else if (words[0] == "--version") {
      print(std::string(kVersion) + "\n");
    } else {
      const auto command = std::find_if(std::begin(kCommands), std::end(kCommands),
                                        [&](const Command& c) { return words[0] == c.name; });
      if (command == std::end(kCommands)) return refuse_command(program, words[0]);
      return run_command(program, *command, words.subspan(1));
    }
    finish_printing();
    return kOk;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "pliant: %s\n", problem.what());
    return kFailed;
  }
}

}  // namespace pliant::app

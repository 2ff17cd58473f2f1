#pragma once
// The commands of the program `pliant`: one file each.
//
// A command adds its options to the parser and hands back the function that runs it; that function
// gives the exit status. 0: fine. 1: warnings, and --strict; a step that was refused. 2: the model
// cannot be loaded, or wrong usage. 130: stopped by Ctrl-C.

#include <functional>

namespace CLI {
class App;
}

namespace pliant::app {

inline constexpr int kOk = 0, kWarnings = 1, kFault = 1, kFailed = 2, kStopped = 130;

using Run = std::function<int()>;

Run add_info(CLI::App& command);
Run add_schema(CLI::App& command);
Run add_compile(CLI::App& command);
Run add_convert(CLI::App& command);
Run add_run(CLI::App& command);
Run add_contacts(CLI::App& command);
Run add_doctor(CLI::App& command);
Run add_solvers(CLI::App& command);
Run add_explain(CLI::App& command);
Run add_design(CLI::App& command);
Run add_codes(CLI::App& command);

}  // namespace pliant::app

#pragma once
// The commands of the program `pliant`: one file each.
//
// A command describes its arguments and hands back the function that runs it; that function gives the exit status.
// 0: fine. 1: warnings, and --strict; a step that was refused. 2: the model cannot be loaded, a file cannot be written,
// or wrong usage. 130: stopped by Ctrl-C.

#include <functional>
#include <span>
#include <string>

#include "arguments.h"

namespace pliant::app {

inline constexpr int kOk = 0, kWarnings = 1, kFault = 1, kFailed = 2, kStopped = 130;

using Run = std::function<int()>;

Run add_info(Arguments& arguments);
Run add_schema(Arguments& arguments);
Run add_compile(Arguments& arguments);
Run add_convert(Arguments& arguments);
Run add_run(Arguments& arguments);
Run add_render(Arguments& arguments);
Run add_contacts(Arguments& arguments);
Run add_doctor(Arguments& arguments);
Run add_solvers(Arguments& arguments);
Run add_explain(Arguments& arguments);
Run add_design(Arguments& arguments);
Run add_codes(Arguments& arguments);
Run add_view(Arguments& arguments);
Run add_plot(Arguments& arguments);
Run add_recording(Arguments& arguments);
Run add_replay(Arguments& arguments);
Run add_why(Arguments& arguments);

/// The whole program: `words` are the arguments, `program` is how it was called, for help texts. Never throws; gives
/// the exit status.
int run_program(const std::string& program, std::span<const std::string> words);

}  // namespace pliant::app

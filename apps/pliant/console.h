#pragma once
// What commands print: results on standard output, findings on standard error, both as JSON where that was asked for.

#include <string>
#include <string_view>
#include <vector>

#include "pliant/diagnostics.h"

namespace pliant::app {

/// How much is said: --json, --quiet and --progress of the command that runs. run_program sets it anew for every
/// command.
struct Talk {
  bool json = false, quiet = false, progress = false;
};
Talk& talk();

/// To standard output; nothing with --quiet, but JSON that was asked for. Throws std::runtime_error when it cannot be
/// written, as on a full disk.
void print(std::string_view text);
/// Sees to it that everything printed has arrived; throws likewise.
void finish_printing();

/// Findings to standard error; nothing if there are none. With --quiet errors only.
void print_findings(const std::vector<Diagnostic>& diagnostics);

/// Likewise, for commands that do something else than report: of warnings of one kind the first few, and how many more
/// there are. `pliant info` lists all.
void print_findings_by_kind(const std::vector<Diagnostic>& diagnostics);

/// The elements of a JSON list.
std::string diagnostics_json(const std::vector<Diagnostic>& diagnostics);
/// Shortest text that reads back; null for what JSON cannot say.
std::string json_number(double value);

/// A model that did not load: findings on standard error, with `json` as an object on standard output as well. Gives
/// the exit status.
int refuse_model(const std::string& file, const std::vector<Diagnostic>& diagnostics, bool json);
/// The object for a command that wrote a file; `more`: further members, each with its comma before it.
std::string written_json(const std::string& file, const std::string& output, const std::string& more,
                         const std::vector<Diagnostic>& diagnostics);
/// The object for a command that failed for another reason.
std::string failure_json(std::string_view message);

}  // namespace pliant::app

// pliant info: loads a model and says what is in it and what became of it.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cmd.h"
#include "console.h"
#include "info.h"
#include "pliant/changed_since.h"
#include "urdf_options.h"

namespace pliant::app {
namespace {

struct InfoOptions {
  std::string path;
  bool ledger = false, strict = false, json = false, allow_unsupported = false;
  std::string cache, changed_since;
  UrdfOptions urdf;
};

// shown even when they are zero
constexpr const char* kMainSizes[] = {"nbody", "njnt", "nv", "ngeom", "nu", "nq", "na"};

std::string sizes_text(const Model& model) {
  std::string out = "sizes\n";
  const auto sizes = model_sizes();
  const auto line = [&](size_t i) {
    out += fmt::format("  {:<15}{:>10}  {}\n", sizes[i].name, model.size_value(static_cast<int>(i)), sizes[i].meaning);
  };
  const auto is_main = [](std::string_view name) {
    return std::find(std::begin(kMainSizes), std::end(kMainSizes), name) != std::end(kMainSizes);
  };
  for (const char* name : kMainSizes) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (std::string_view(sizes[i].name) == name) line(i);
    }
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!is_main(sizes[i].name) && model.size_value(static_cast<int>(i)) > 0) line(i);
  }
  return out;
}

std::string joint_text(const Model& model, int joint) {
  const char* word = joint_word(model.jnt_type[joint]);
  std::string out = fmt::format("{} {}", word, label(model, ObjType::kJoint, "joint", joint));
  if (model.jnt_limited[joint]) {
    out += fmt::format(" [{:.4g} … {:.4g}]", model.jnt_range[2 * joint], model.jnt_range[2 * joint + 1]);
  }
  return out;
}

std::string tree_text(const Model& model) {
  std::string out = "bodies, with mass and joints\n";
  // a parent stands before its children, and siblings in the order of the file
  std::vector<int> depth(model.nbody, 0);
  for (int b = 0; b < model.nbody; ++b) {
    if (b > 0) depth[b] = depth[model.body_parentid[b]] + 1;
    out += fmt::format("  {:{}}{}", "", 2 * depth[b], label(model, ObjType::kBody, "body", b));
    if (b > 0) out += fmt::format("  {:.6g} kg", model.body_mass[b]);
    for (int k = 0; k < model.body_jntnum[b]; ++k) {
      out += (k ? ", " : "  ") + joint_text(model, model.body_jntadr[b] + k);
    }
    if (model.body_mocapid[b] >= 0) out += "  mocap";
    out += "\n";
  }
  return out + fmt::format("total mass {:.6g} kg\n", total_mass(model));
}

std::string lists_text(const Model& model) {
  std::string out;
  const auto changed = changed_options(model.opt);
  out += changed.empty() ? "options: all at their defaults\n" : "options that differ from their defaults\n";
  for (const auto& [name, value] : changed) out += fmt::format("  {:<22}{}\n", name, value);
  for (const ListInfo& list : kLists) {
    const int n = model.count(list.type);
    if (n == 0) continue;
    out += fmt::format("{} ({}):", list.title, n);
    for (int i = 0; i < n; ++i) out += (i ? ", " : " ") + label(model, list.type, list.kind, i);
    out += "\n";
  }
  const std::vector<MimicLine> mimics = mimic_lines(model);
  if (!mimics.empty()) out += "joints that follow others: mode, relation, residual at the start\n";
  for (const MimicLine& mimic : mimics) {
    out += fmt::format("  {:<15}{:<7}{}  {:.3g}{}\n", mimic.name, mimic.mode, mimic.sentence, mimic.residual,
                       mimic.active ? "" : "  off");
  }
  return out;
}

std::string ledger_text(const Ledger& ledger) {
  struct Line {
    const char* fate;
    std::string at, what;
    const std::string* note;
  };
  std::vector<Line> lines;
  size_t widest_place = 0, widest_what = 0;
  constexpr size_t kWidest = 60;  // longer entries stick out
  for (const LedgerEntry& entry : ledger.entries()) {
    Line line{fate_name(entry.fate), place(ledger, entry),
              fmt::format("<{}> {}=\"{}\"", entry.element, entry.attribute, entry.value), &entry.note};
    widest_place = std::max(widest_place, std::min(line.at.size(), kWidest));
    widest_what = std::max(widest_what, std::min(line.what.size(), kWidest));
    lines.push_back(std::move(line));
  }
  std::string out = "ledger: the fate of every attribute\n";
  for (const Line& line : lines) {
    std::string text =
        fmt::format("  {:<13}{:<{}}  {:<{}}  {}", line.fate, line.at, widest_place, line.what, widest_what, *line.note);
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  for (const Fate fate : {Fate::kKept, Fate::kApproximated, Fate::kIgnored, Fate::kUnsupported}) {
    out += fmt::format("{}{} {}", fate == Fate::kKept ? "attributes: " : ", ", ledger.count(fate), fate_name(fate));
  }
  return out + "\n";
}

std::string model_text(const std::string& path, const Model& model) {
  std::string out = fmt::format("model  {}\nfile   {}\nmemory {} bytes\n", model.model_name(), path, model.bytes());
  out += "\n" + sizes_text(model) + "\n" + tree_text(model) + "\n" + lists_text(model);
  if (!model.pending.empty()) {
    out += "filled by later stages:";
    for (size_t i = 0; i < model.pending.size(); ++i) out += (i ? ", " : " ") + model.pending[i];
    out += "\n";
  }
  return out;
}

int run_changes(const InfoOptions& options, const LoadOptions& load_options) {
  const auto& known = change_versions();
  if (std::find(known.begin(), known.end(), options.changed_since) == known.end()) {
    throw UsageError("--changed-since: changes are known since MuJoCo " + known[0] + ", not since '" +
                     options.changed_since + "'");
  }
  const ChangeReport report = changed_since(options.path, load_options, {options.changed_since, {}});
  print(options.json ? changes_json(report, options.path) : changes_text(report, options.path));
  if (!report.loaded) {
    if (!options.json) print_findings(load_report(options.path, load_options).diagnostics);
    return kFailed;
  }
  return options.strict && report.differs() ? kWarnings : kOk;
}

int run(const InfoOptions& options) {
  LoadOptions load_options;
  load_options.allow_unsupported = options.allow_unsupported;
  load_options.cache_dir = options.cache;
  load_options.urdf = options.urdf;
  if (!options.changed_since.empty()) return run_changes(options, load_options);
  const Report report = load_report(options.path, load_options);
  const bool warned = !report.diagnostics.empty();
  if (options.json) {
    print(info_json(options.path, report, options.ledger));
  } else if (report.ok()) {
    print(model_text(options.path, *report.model));
    print(warned ? "\nfindings\n" + to_text(report.diagnostics) + "\n" : "findings: none\n");
    if (options.ledger) print("\n" + ledger_text(report.ledger));
  } else {
    if (options.ledger) print(ledger_text(report.ledger));
    print_findings(report.diagnostics);
  }
  if (!report.ok()) return kFailed;
  return options.strict && warned ? kWarnings : kOk;
}

}  // namespace

Run add_info(Arguments& arguments) {
  auto options = std::make_shared<InfoOptions>();
  arguments.positional("FILE", options->path, "MJCF or URDF model to load");
  arguments.flag("--ledger", options->ledger,
                 "also list what became of every attribute of the file: kept, approximated, ignored or unsupported");
  arguments.flag("--strict", options->strict, "exit with status 1 when there are warnings");
  arguments.flag("--json", options->json, "print one JSON object, errors included");
  arguments.flag("--allow-unsupported", options->allow_unsupported,
                 "leave out what Pliant does not support, with a warning, instead of failing");
  arguments.option("--changed-since", "VERSION", options->changed_since,
                   "say instead which elements mean something else in MuJoCo 4.0 than in VERSION (3.12), where they "
                   "stand, and how much it changes; with --strict the exit status is 1 if the model moves differently");
  arguments.option("--cache", "DIR", options->cache, "folder that keeps meshes between loads");
  add_urdf_options(arguments, options->urdf);
  arguments.note(
      "Exit status: 0 the model loads; 1 it loads with warnings and --strict was given; 2 it does not load, and every "
      "problem is on standard error with file, line and column. 'pliant codes' explains the codes of errors and "
      "warnings.");
  arguments.example("models/quadruped.xml");
  arguments.example("models/quadruped.xml --ledger --json");
  arguments.example("models/quadruped.xml --changed-since 3.12");
  return [options] { return run(*options); };
}

}  // namespace pliant::app

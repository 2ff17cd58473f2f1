// pliant view, pliant plot: what is written in Python is started from here.
//
// The arguments are described and checked here, so that --help and refusals are those of the other commands; then this
// process becomes Python with the package `pliant`.

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cmd.h"
#include "console.h"
#include "inputs.h"
#include "pliant/json.h"
#include "progress.h"
#include "urdf_options.h"
#include "with_spec.h"

namespace pliant::app {
namespace {

// Says what is missing where `python -m pliant.viewer` would say "No module named …".
constexpr const char* kStart =
    "import sys\n"
    "try:\n"
    "    from pliant.viewer.__main__ import main\n"
    "except ModuleNotFoundError as problem:\n"
    "    sys.exit(f'pliant {sys.argv[1]}: {sys.executable} has no package {problem.name!r}. Install Pliant there "
    "(pip install pliant[viewer]), or set PLIANT_PYTHON to a Python that has it.')\n"
    "sys.exit(main(sys.argv[1:]))\n";

/// The folder of this program; empty where it cannot be known.
std::filesystem::path own_folder() {
  std::error_code problem;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? std::filesystem::path() : self.parent_path();
}

/// $PLIANT_PYTHON; in a build folder the environment beside it; otherwise what the PATH has.
std::string find_python() {
  if (const char* chosen = std::getenv("PLIANT_PYTHON"); chosen && *chosen) return chosen;
  std::error_code problem;
  const auto folder = own_folder();
  const auto beside = folder.parent_path() / ".venv" / "bin" / "python";
  if (!folder.empty() && std::filesystem::exists(folder / "python" / "pliant", problem) &&
      std::filesystem::exists(beside, problem))
    return beside.string();
  return "python3";
}

int become_python(std::vector<std::string> words) {
  finish_printing();
  const std::string python = find_python();
  words.insert(words.begin(), {python, "-c", kStart});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(python.c_str(), pointers.data());
  throw std::runtime_error(
      fmt::format("it is written in Python, and '{}' cannot be started ({}). Install Python 3.10 or later with the "
                  "package pliant[viewer], or set PLIANT_PYTHON",
                  python, std::strerror(errno)));
}

/// How much the command says, for its other half.
std::vector<std::string> talk_words() {
  std::vector<std::string> words;
  if (talk().json) words.emplace_back("--json");
  if (talk().quiet) words.emplace_back("--quiet");
  if (talk().progress) words.emplace_back("--progress");
  return words;
}

struct ViewOptions {
  UrdfOptions urdf;
  std::string path, model, key, html, camera, host;
  int port = -1;
  double seconds = 10, speed = 1, fps = 60;
  bool no_browser = false, paused = false, allow_unsupported = false, json = false;
};

std::string urdf_json(const UrdfOptions& urdf) {
  constexpr const char* kKinds[] = {"none", "effort", "position"};
  std::string paths;
  for (const std::string& path : urdf.package_paths) paths += (paths.empty() ? "" : ", ") + json_text(path);
  return fmt::format(
      "{{\"package_paths\": [{}], \"actuators\": \"{}\", \"fuse_fixed\": {}, \"floating_base\": {}, "
      "\"self_collision\": {}}}",
      paths, kKinds[static_cast<int>(urdf.actuators)], urdf.fuse_fixed, urdf.floating_base, urdf.self_collision);
}

int view(const ViewOptions& o, const std::vector<std::string>& given) {
  if (!o.html.empty()) {
    keep_inputs(o.html, o.model.empty() ? o.path : o.model, options_of(o.allow_unsupported, o.urdf), {o.path});
  }
  std::vector<std::string> words = {"view", o.path};
  const auto option = [&](const char* name, const std::string& value) {
    for (const std::string& known : given) {
      if (known == name) words.insert(words.end(), {name, value});
    }
  };
  option("--model", o.model);
  option("--key", o.key);
  option("--html", o.html);
  option("--camera", o.camera);
  option("--host", o.host);
  option("--port", std::to_string(o.port));
  option("--seconds", fmt::format("{}", o.seconds));
  option("--speed", fmt::format("{}", o.speed));
  option("--fps", fmt::format("{}", o.fps));
  if (o.no_browser) words.emplace_back("--no-browser");
  for (std::string& word : talk_words()) words.push_back(std::move(word));
  if (o.paused) words.emplace_back("--paused");
  if (o.allow_unsupported) words.emplace_back("--allow-unsupported");
  if (o.path.ends_with(".urdf") || o.model.ends_with(".urdf")) {
    words.insert(words.end(), {"--urdf", urdf_json(o.urdf)});
  }
  return become_python(std::move(words));
}

struct PlotOptions {
  std::string path, fields, out = "plot.svg";
  bool json = false;
};

}  // namespace

Run add_view(Arguments& arguments) {
  auto options = std::make_shared<ViewOptions>();
  ViewOptions& o = *options;
  arguments.positional("FILE", o.path, "model (*.xml, *.urdf, *.plm) or recording (*.plr, *.npz, *.csv)");
  arguments.option("--html", "OUT", o.html, "write a page that plays, one file, instead of opening a viewer");
  arguments.option("--model", "MODEL", o.model, "model of a recording; *.plr has it inside, *.npz knows its file");
  arguments.option("--key", "KEY", o.key, "start from this keyframe, by name or number");
  arguments.option("--seconds", "S", o.seconds, "how long to simulate a model for --html, 10 by default", kAboveZero);
  arguments.option("--camera", "NAME", o.camera, "camera of the model to look through");
  arguments.option("--speed", "S", o.speed, "how fast to play, 1 by default: in real time", kAboveZero);
  arguments.option("--fps", "N", o.fps, "frames per second of a page, 60 by default", kPictureRates);
  arguments.option("--port", "N", o.port, "port to listen on; by default 8080, or a free one if that is taken",
                   {0, 65535});
  arguments.option("--host", "ADDRESS", o.host,
                   "address to listen on instead of 127.0.0.1; whoever opens the page must then have the token that "
                   "is printed");
  arguments.flag("--json", o.json, "print JSON: what was written, or the address of the viewer as soon as it is open");
  add_progress(arguments);
  arguments.flag("--paused", o.paused, "do not start to play");
  arguments.flag("--no-browser", o.no_browser, "print the address and open nothing");
  arguments.flag("--allow-unsupported", o.allow_unsupported, "ignore what Pliant does not support");
  add_urdf_options(arguments, o.urdf);
  arguments.note(
      "The viewer runs in a browser and needs the Python package viser (pip install pliant[viewer]); --html "
      "needs neither. docs/viewer.md explains both.");
  arguments.example("models/gripper.xml --seconds 1 --html gripper.html");
  return [options, &arguments] {
    std::vector<std::string> given;
    for (const char* name :
         {"--model", "--key", "--html", "--camera", "--host", "--port", "--seconds", "--speed", "--fps"}) {
      if (arguments.given(name)) given.emplace_back(name);
    }
    return view(*options, given);
  };
}

Run add_plot(Arguments& arguments) {
  auto options = std::make_shared<PlotOptions>();
  arguments.positional("RECORDING", options->path, "file of pliant run --record: *.plr, *.npz or *.csv");
  arguments.option("--fields", "LIST", options->fields,
                   "what to plot, separated by commas: fields (qpos) or single columns (qpos.elbow); by default all "
                   "fields");
  arguments.option("-o", "OUT", options->out, "picture to write, plot.svg by default");
  arguments.flag("--json", options->json, "print one JSON object, errors included");
  arguments.note(
      "Draws numbers of a recording over time, a panel per field, as SVG.\n\n"
      "Example, with the recording that it draws:\n"
      "  pliant run models/drop.xml --seconds 0.5 --record drop.csv\n"
      "  pliant plot drop.csv --fields qpos -o drop.svg");
  return [options] {
    std::error_code problem;
    if (std::filesystem::equivalent(options->out, options->path, problem)) {
      throw std::invalid_argument("'" + options->out +
                                  "' is read by this command and not overwritten; choose another name");
    }
    if (std::filesystem::path(options->out).extension() != ".svg") {
      throw std::invalid_argument("-o " + options->out + ": the picture is SVG; choose a name that ends in .svg");
    }
    std::vector<std::string> words = {"plot", options->path, options->out, options->fields};
    for (std::string& word : talk_words()) words.push_back(std::move(word));
    return become_python(std::move(words));
  };
}

}  // namespace pliant::app

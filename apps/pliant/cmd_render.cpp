// pliant render: pictures and films of a model, a simulation or a recording.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cmd.h"
#include "console.h"
#include "film.h"
#include "frames.h"
#include "inputs.h"
#include "names.h"
#include "pliant/json.h"
#include "pliant/pliant.h"
#include "pliant/render.h"
#include "progress.h"
#include "recorded_model.h"
#include "stop_by_signal.h"
#include "urdf_options.h"

namespace pliant::app {
namespace {

struct RenderOptions {
  UrdfOptions urdf;
  std::string path, model, output, camera, track, lookat, key, controls, groups;
  std::string size = "640x480";
  double fps = 30, from = kUndefined, to = kUndefined, seconds = -1;
  double distance = kUndefined, azimuth = kUndefined, elevation = kUndefined;
  int samples = 4, threads = 0;
  bool depth = false, segmentation = false, contacts = false, shadows = true, wireframe = false, hulls = false;
  VisualLabel label = VisualLabel::kNone;
  bool json = false, allow_unsupported = false;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// ---- what the arguments mean -------------------------------------------------------------------

PictureShape wanted_shape(const RenderOptions& options) {
  const size_t cross = options.size.find('x');
  PictureShape shape{0, 0, options.fps};
  const bool ok = cross != std::string::npos &&
                  parse_number(options.size.substr(0, cross), shape.width) == NumberError::kNone &&
                  parse_number(options.size.substr(cross + 1), shape.height) == NumberError::kNone;
  constexpr int kMost = 1 << 15;
  if (!ok || shape.width < 1 || shape.height < 1 || shape.width > kMost || shape.height > kMost) {
    throw std::invalid_argument(
        "--size " + quote(options.size) +
        " is no size of a picture; give pixels as WIDTHxHEIGHT, such as 640x480, each from 1 to " +
        std::to_string(kMost));
  }
  return shape;
}

VisualCamera wanted_camera(const RenderOptions& options, const Model& m) {
  VisualCamera camera = default_free_camera(m);
  const bool placed = !options.track.empty() || !options.lookat.empty() || defined(options.distance) ||
                      defined(options.azimuth) || defined(options.elevation);
  if (!options.camera.empty() && options.camera != "free") {
    if (placed) {
      throw std::invalid_argument(
          "--camera names a camera of the model, which has its place; --track, --lookat, --distance, --azimuth and "
          "--elevation place the free camera");
    }
    camera.type = CameraType::kFixed;
    camera.fixedcamid = find_object(m, ObjType::kCamera, options.camera, "camera");
    return camera;
  }
  if (!options.track.empty()) {
    camera.type = CameraType::kTracking;
    camera.trackbodyid = find_object(m, ObjType::kBody, options.track, "body");
  }
  if (!options.lookat.empty()) {
    std::string words = options.lookat;
    std::replace(words.begin(), words.end(), ',', ' ');
    const auto parts = split_words(words);
    bool ok = parts.size() == 3;
    for (size_t k = 0; ok && k < 3; ++k) ok = parse_number(parts[k], camera.lookat[k]) == NumberError::kNone;
    if (!ok) throw std::invalid_argument("--lookat " + quote(options.lookat) + ": give a point as X,Y,Z");
  }
  if (defined(options.distance)) camera.distance = options.distance;
  if (defined(options.azimuth)) camera.azimuth = options.azimuth;
  if (defined(options.elevation)) camera.elevation = options.elevation;
  return camera;
}

VisualOptions wanted_options(const RenderOptions& options) {
  VisualOptions out;
  if (options.contacts) out.flags[kVisContactPoint] = out.flags[kVisContactForce] = 1;
  out.flags[kVisConvexHull] = options.hulls;
  out.label = options.label;
  if (options.groups.empty()) return out;
  out.geomgroup = {};
  for (const char c : options.groups) {
    if (c == ',') continue;
    if (c < '0' || c > '5')
      throw std::invalid_argument("--groups " + quote(options.groups) + ": groups are numbers 0 to 5, such as 0,1,3");
    out.geomgroup[static_cast<size_t>(c - '0')] = 1;
  }
  return out;
}

// ---- pictures as bytes -------------------------------------------------------------------------

/// Draws scenes as the options want them.
class Painter {
 public:
  Painter(const Model& m, const RenderOptions& options, PictureShape shape, bool numbers)
      : renderer_(m, options.threads), options_(options), shape_(shape), numbers_(numbers) {
    renderer_.set_samples(options.samples);
    scene_.flags[kRenderShadow] = options.shadows;
    scene_.flags[kRenderWireframe] = options.wireframe;
  }
  VisualScene& scene() { return scene_; }

  std::span<const std::byte> draw() {
    const size_t pixels = static_cast<size_t>(shape_.width) * static_cast<size_t>(shape_.height);
    if (options_.depth) return draw_depth(pixels);
    if (options_.segmentation) return draw_segmentation(pixels);
    bytes_.resize(3 * pixels);
    renderer_.rgb(scene_, shape_.width, shape_.height, bytes_.data());
    return std::as_bytes(std::span(bytes_));
  }
  /// What the greys of a depth picture mean; "" for other pictures.
  std::string legend() const {
    if (!options_.depth || numbers_) return "";
    return fmt::format("white is {:.4g} m away, dark grey {:.4g} m or more, black is nothing", nearest_, farthest_);
  }

 private:
  std::span<const std::byte> draw_depth(size_t pixels) {
    depth_.resize(pixels);
    renderer_.depth(scene_, shape_.width, shape_.height, depth_.data());
    if (numbers_) {
      single_.assign(depth_.begin(), depth_.end());
      return std::as_bytes(std::span(single_));
    }
    // greys mean the same in all pictures of a film: those of the first
    const double far = scene_.camera[0].frustum_far;
    if (!(nearest_ <= farthest_)) {
      for (const double d : depth_) {
        if (d < far) nearest_ = std::min(nearest_, d), farthest_ = std::max(farthest_, d);
      }
    }
    bytes_.resize(3 * pixels);
    constexpr double kDarkest = 30, kWhite = 255;
    for (size_t i = 0; i < pixels; ++i) {
      const double share = std::clamp((depth_[i] - nearest_) / std::max(farthest_ - nearest_, 1e-9), 0.0, 1.0);
      const double grey = depth_[i] < far ? kWhite + share * (kDarkest - kWhite) : 0;
      for (size_t k = 0; k < 3; ++k) bytes_[3 * i + k] = static_cast<unsigned char>(std::lround(grey));
    }
    return std::as_bytes(std::span(bytes_));
  }

  std::span<const std::byte> draw_segmentation(size_t pixels) {
    objects_.resize(pixels);
    renderer_.segmentation(scene_, shape_.width, shape_.height, objects_.data());
    if (numbers_) return std::as_bytes(std::span(objects_));
    bytes_.resize(3 * pixels);
    for (size_t i = 0; i < pixels; ++i) {
      // colours that are far apart for numbers that are near: steps of the golden ratio around the circle of hues
      const PixelObject object = objects_[i];
      const double hue = std::fmod(0.618033988749895 * (object.id + 1) + 0.13 * object.type, 1.0);
      for (size_t k = 0; k < 3; ++k) {
        const double wave = std::abs(std::fmod(hue * 6 + 6 - 2 * static_cast<double>(k), 6.0) - 3) - 1;
        const double value = object.type < 0 ? 0 : 60 + 180 * std::clamp(wave, 0.0, 1.0);
        bytes_[3 * i + k] = static_cast<unsigned char>(std::lround(value));
      }
    }
    return std::as_bytes(std::span(bytes_));
  }

  Renderer renderer_;
  VisualScene scene_;
  const RenderOptions& options_;
  PictureShape shape_;
  bool numbers_;
  double nearest_ = 1e300, farthest_ = -1e300;
  std::vector<unsigned char> bytes_;
  std::vector<double> depth_;
  std::vector<float> single_;
  std::vector<PixelObject> objects_;
};

// ---- the command -------------------------------------------------------------------------------

struct Result {
  int64_t pictures = 0, wanted = 0;
  double start = 0, end = 0, wall = 0;
  bool stopped = false;
  std::string problem;
};

Result draw_all(const RenderOptions& options, const Model& m, Frames& frames, const VisualCamera& camera,
                Painter& painter, PictureFile& file, bool moving) {
  Result result;
  const VisualOptions visible = wanted_options(options);
  result.start = defined(options.from) ? options.from : moving || options.seconds < 0 ? frames.start() : frames.end();
  result.end = moving ? (defined(options.to) ? options.to : frames.end()) : result.start;
  // a picture at the start, and one more for every whole interval
  result.wanted = 1 + static_cast<int64_t>(std::floor((result.end - result.start) * options.fps + 1e-6));
  const double begin = now();
  Progress progress(static_cast<double>(result.wanted), "pictures");
  const StopBySignal signals;
  while (result.pictures < result.wanted && !StopBySignal::asked()) {
    if (!frames.go_to(result.start + static_cast<double>(result.pictures) / options.fps)) {
      result.problem = frames.problem();
      break;
    }
    update_scene(m, frames.state(), frames.data(), visible, camera, painter.scene());
    file.add(painter.draw());
    ++result.pictures;
    progress.update(static_cast<double>(result.pictures));
  }
  result.stopped = StopBySignal::asked();
  if (result.pictures > 0 && !result.stopped) file.finish();
  result.wall = now() - begin;
  return result;
}

void check_times(const RenderOptions& options, const Frames& frames, bool moving) {
  if (!moving && defined(options.to)) {
    throw std::invalid_argument("--to is the end of a film; " + options.output + " shows one time: --from");
  }
  if (defined(options.from) && (options.from < frames.start() - 1e-9 || options.from > frames.end() + 1e-9)) {
    throw std::invalid_argument(
        fmt::format("--from {:g}: there are states from {:g} to {:g} s", options.from, frames.start(), frames.end()));
  }
  if (defined(options.to) && (options.to > frames.end() + 1e-9 ||
                              options.to < (defined(options.from) ? options.from : frames.start()) - 1e-9)) {
    throw std::invalid_argument(
        fmt::format("--to {:g}: it must be after --from, and there are states from {:g} to {:g} s", options.to,
                    frames.start(), frames.end()));
  }
}

int report(const RenderOptions& options, const Model& m, const Result& result, PictureShape shape,
           const std::string& legend, const std::vector<Diagnostic>& diagnostics) {
  const bool written = result.pictures > 0 && !result.stopped;
  const std::string note = !result.problem.empty() ? result.problem
                           : result.stopped        ? "stopped by Ctrl-C; a film that is not finished is not kept"
                                                   : legend;
  if (options.json) {
    print(fmt::format(
        "{{\n  \"file\": {},\n  \"ok\": {},\n  \"diagnostics\": [{}],\n  \"model\": {},\n  \"output\": {},\n"
        "  \"pictures\": {},\n  \"width\": {},\n  \"height\": {},\n  \"start\": {},\n  \"end\": {},\n"
        "  \"wall_time\": {},\n  \"message\": {}\n}}\n",
        json_text(options.path), written && result.problem.empty(), diagnostics_json(diagnostics),
        json_text(m.model_name()), json_text(options.output), result.pictures, shape.width, shape.height,
        json_number(result.start), json_number(result.end), json_number(result.wall), json_text(note)));
  } else if (written) {
    const std::string many = result.wanted == 1 ? fmt::format("t = {:g}", result.start)
                                                : fmt::format("{} pictures, t = {:g} … {:g}, {:g} per second",
                                                              result.pictures, result.start, result.end, options.fps);
    print(fmt::format("{}: {} x {} pixels, {}, in {:.3g} s\n", options.output, shape.width, shape.height, many,
                      result.wall));
    if (!legend.empty()) print("depth: " + legend + "\n");
  }
  finish_printing();
  if (!result.problem.empty()) {
    fmt::print(stderr, "pliant render: {}{}\n", result.problem,
               written ? fmt::format("; {} has the {} pictures before", options.output, result.pictures) : "");
    return kFault;
  }
  if (result.stopped) fmt::print(stderr, "pliant render: {}\n", note);
  return result.stopped ? kStopped : kOk;
}

int run(const RenderOptions& options) {
  if (options.output.empty()) throw UsageError("-o is missing: the file to write, such as -o picture.png");
  if (options.depth && options.segmentation) throw UsageError("--depth and --segmentation exclude each other");
  const PictureKind kind = picture_kind(options.output);
  const PictureShape shape = wanted_shape(options);
  const bool recorded = is_recording(options.path);
  if (!recorded && !options.model.empty())
    throw UsageError("--model belongs to a recording; " + options.path + " is taken for a model itself");
  if (recorded && (options.seconds >= 0 || !options.key.empty() || !options.controls.empty()))
    throw UsageError("--seconds, --key and --ctrl simulate; a recording is shown as it is (--from, --to)");
  if (!recorded && options.seconds < 0 && (kind == PictureKind::kFilm || kind == PictureKind::kNumberedPng))
    throw UsageError(
        "a film of a model needs --seconds, how long to simulate; or give a recording instead of the model");

  Recording recording;
  if (recorded) recording = read_recording(options.path);
  LoadOptions load_options;
  load_options.allow_unsupported = options.allow_unsupported;
  load_options.urdf = options.urdf;
  const RecordedModel found = recorded
                                  ? model_of_recording(options.path, recording.model_file, options.model, load_options)
                                  : RecordedModel{load_report(options.path, load_options), options.path};
  const auto& [loaded, path] = found;
  if (!loaded.ok()) return refuse_model(path, loaded.diagnostics, options.json);
  print_findings_by_kind(loaded.diagnostics);
  const Model& m = *loaded.model;
  if (recorded && !recording.fields.contains("qpos"))
    throw std::invalid_argument(options.path + " has no qpos; record it with --fields qpos,…");
  if (recorded) {
    const std::vector<double>& times = recording.fields["time"];
    if (!std::is_sorted(times.begin(), times.end()))
      throw std::invalid_argument(options.path + ": its times are not in order (the simulation was set back): no film");
    say_note("render", recording.note);
  }

  const VisualCamera camera = wanted_camera(options, m);
  wanted_options(options);  // complains before anything is written
  keep_inputs(options.output, path, load_options, {options.path, options.controls});
  Frames frames =
      recorded ? Frames(m, recording) : Frames(m, options.key, options.controls, std::max(options.seconds, 0.0));
  // one picture, or as many as there are
  const bool moving = kind != PictureKind::kPng && (recorded || options.seconds >= 0);
  check_times(options, frames, moving);
  const bool numbers = kind == PictureKind::kNumbers;
  const std::string sides = fmt::format("{}, {}", shape.height, shape.width);
  const auto file = open_pictures(options.output, shape,
                                  options.depth          ? "<f4"
                                  : options.segmentation ? "<i4"
                                                         : "|u1",
                                  options.depth ? sides : sides + (options.segmentation ? ", 2" : ", 3"));
  Painter painter(m, options, shape, numbers);
  const Result result = draw_all(options, m, frames, camera, painter, *file, moving);
  return report(options, m, result, shape, painter.legend(), loaded.diagnostics);
}

}  // namespace

Run add_render(Arguments& arguments) {
  auto options = std::make_shared<RenderOptions>();
  arguments.positional("FILE", options->path,
                       "model (*.xml, *.urdf, *.plm), or a recording of `pliant run` (*.plr, *.npz, *.csv)");
  arguments.option("-o", "OUTPUT", options->output,
                   "*.png, frame_%04d.png for one file per picture, *.mp4, *.mkv or *.gif (ffmpeg), *.npy for numbers");
  arguments.option("--size", "WxH", options->size, "pixels, 640x480 by default");
  arguments.flag("--depth", options->depth, "distance along the camera's axis: greys; exact metres in *.npy");
  arguments.flag("--segmentation", options->segmentation,
                 "a colour per object; in *.npy pairs of id and type of object, -1 for the background");
  arguments.flag("--contacts", options->contacts, "show contact points and forces");
  arguments.flag("--hulls", options->hulls, "meshes that collide as the convex hulls they collide with");
  arguments.flag("--wireframe", options->wireframe, "edges in place of surfaces");
  arguments.choice("--labels", "KIND", {"bodies", "geoms", "sites"}, "names of bodies, geoms or sites",
                   [options](size_t chosen) {
                     constexpr VisualLabel kKinds[] = {VisualLabel::kBody, VisualLabel::kGeom, VisualLabel::kSite};
                     options->label = kKinds[chosen];
                   });
  arguments.choice("--shadows", "on|off", {"on", "off"}, "shadows of lights that cast them, on by default",
                   [options](size_t chosen) { options->shadows = chosen == 0; });
  arguments.option("--groups", "LIST", options->groups, "groups of geoms to show, 0,1,2 by default");
  arguments.option("--samples", "N", options->samples, "rays per pixel on edges: 1, 4 (default) or 16", {1, 16});
  arguments.option("--threads", "N", options->threads, "0 (default): all cores; pixels are the same for any number",
                   {0, 1024});
  arguments.group("What is shown");
  arguments.option("--model", "FILE", options->model, "model of a recording that does not name it");
  arguments.option("--seconds", "S", options->seconds, "simulate the model for so long", kZeroOrMore);
  arguments.option("--key", "KEY", options->key, "start from this keyframe, by name or number");
  arguments.option("--ctrl", "CONTROLS", options->controls, "controls of the simulation, as for `pliant run`");
  arguments.option("--from", "T", options->from, "first time shown [s]; the only one of a picture");
  arguments.option("--to", "T", options->to, "last time shown [s]");
  arguments.option("--fps", "N", options->fps, "pictures per second, 30 by default", kPictureRates);
  arguments.group("Camera");
  arguments.option("--camera", "NAME", options->camera,
                   "camera of the model, by name or number; free (default) sees the whole model");
  arguments.option("--track", "BODY", options->track, "the free camera follows this body");
  arguments.option("--lookat", "X,Y,Z", options->lookat, "what the free camera looks at");
  arguments.option("--distance", "M", options->distance, "how far the free camera is from it", kAboveZero);
  arguments.option("--azimuth", "D", options->azimuth, "the free camera's direction about z [deg]");
  arguments.option("--elevation", "D", options->elevation, "its angle above the horizon [deg]; negative looks down");
  arguments.group("Output");
  arguments.flag("--json", options->json, "print one JSON object, errors included");
  add_progress(arguments);
  arguments.flag("--allow-unsupported", options->allow_unsupported,
                 "leave out what Pliant does not support, with a warning, instead of failing");
  add_urdf_options(arguments, options->urdf);
  arguments.note(
      "Needs no display, graphics driver or GPU; films need the program ffmpeg. A *.png of a simulation (--seconds) "
      "shows its end, of anything else the "
      "start, unless --from says otherwise. Exit status: 0 written; 1 a step was refused; 2 wrong usage, a file cannot "
      "be read or written; 130 stopped by Ctrl-C.");
  arguments.example("models/quadruped.xml -o quadruped.png");
  arguments.example("models/newtons_cradle.xml -o cradle_%02d.png --seconds 0.1 --size 320x240");
  arguments.example("models/gripper.xml -o depth.npy --depth --size 320x240");
  return [options] { return run(*options); };
}

}  // namespace pliant::app

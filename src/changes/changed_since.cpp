// Looks at one file with the eyes of 3.12 and 4.0: loads it, goes to a few states, and asks every cause.
//
// States: qpos0, keyframes, and eight along each of two runs from where the author means the model to start, with
// controls at rest and with random ones. Cost: these runs, and one `forward` per state for every cause that concerns
// the model.

#include "pliant/changed_since.h"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "changes/changes.h"
#include "load/load_document.h"
#include "pliant/compile.h"

namespace pliant {
namespace changes {
namespace {

constexpr int kMostKeys = 8;
constexpr int kMarks[] = {20, 60, 100, 150, 200, 300, 450, 600};  // steps after which a run is looked at
constexpr double kRunWork = 2e7;                                  // bound on steps x (dofs + geoms + 10)^1.5
constexpr int kControlSteps = 20;                                 // for which random controls are held

// In the order of the codes.
constexpr void (*kCauses[])(Case&) = {
    find_inertia_frames,   find_damping_ratios,  find_shortcut_defaults, find_saturation, find_turned_sites,
    find_tendon_limits,    find_tendon_armature, find_side_sites,        find_contacts,   find_quaternion_steps,
    find_solver_tolerance, find_fluid_lift,      find_sensors,           find_keyframes,  find_mimics};

// Two versions are compared where both have solved to the last bits; what their tolerance leaves is a cause of its own.
Model tightened(const Model& model) {
  Model m = model;
  m.opt.tolerance = 1e-15;
  m.opt.iterations = std::max(m.opt.iterations, 200);
  return m;
}

bool all_finite(const double* x, int n) {
  return std::all_of(x, x + n, [](double v) { return std::isfinite(v); });
}

void look(Case& c, std::string name, const State& state) {
  Look next{std::move(name), state, Data(c.m)};
  if (forward(c.m, next.state, next.data).ok() && all_finite(next.data.qacc, c.m.nv))
    c.looks.push_back(std::move(next));
}

void random_controls(const Model& m, std::mt19937& random, State& s) {
  // (std::uniform_real_distribution differs between libraries)
  const auto share = [&] { return static_cast<double>(random()) / 4294967296.0; };
  for (int i = 0; i < m.nu; ++i) {
    const bool limited = m.actuator_ctrllimited[i];
    const double low = limited ? m.actuator_ctrlrange[2 * i] : -1, high = limited ? m.actuator_ctrlrange[2 * i + 1] : 1;
    s.ctrl[i] = low + (high - low) * share();
  }
}

void run(Case& c, bool random) {
  const Model& m = c.own;
  State s(m);
  if (m.nkey > 0) s.reset(m, 0);
  Data d(m);
  std::mt19937 generator(1);
  const double work = std::pow(m.nv + m.ngeom + 10.0, 1.5);
  const int steps = std::clamp(static_cast<int>(kRunWork / work), kMarks[0], *std::rbegin(kMarks));
  const char* how = random ? " under random controls" : " of a run";
  for (int i = 1; i <= steps; ++i) {
    if (random && i % kControlSteps == 1) random_controls(m, generator, s);
    if (!step(m, s, d).ok()) return;
    if (std::find(std::begin(kMarks), std::end(kMarks), i) != std::end(kMarks))
      look(c, "step " + std::to_string(i) + how, s);
  }
}

void look_around(Case& c) {
  const Model& m = c.m;
  look(c, "the start (qpos0)", State(m));
  for (int key = 0; key < std::min(m.nkey, kMostKeys); ++key) {
    State s(m);
    s.reset(m, key);
    const std::string_view name = m.name(ObjType::kKey, key);
    look(c, "keyframe " + (name.empty() ? std::to_string(key) : "'" + std::string(name) + "'"), s);
  }
  if (m.nv == 0) return;
  run(c, false);
  if (m.nu > 0) run(c, true);
}

void look_at(Case& c, const std::vector<GivenState>& states) {
  const Model& m = c.m;
  for (size_t i = 0; i < states.size(); ++i) {
    const GivenState& given = states[i];
    State s(m);
    const auto copy = [&](const char* name, const std::vector<double>& from, double* to, int count) {
      if (from.empty()) return;
      if (static_cast<int>(from.size()) != count) {
        throw std::invalid_argument("states[" + std::to_string(i) + "]: " + name + " has " +
                                    std::to_string(from.size()) + " numbers, the model " + std::to_string(count));
      }
      std::copy(from.begin(), from.end(), to);
    };
    copy("qpos", given.qpos, s.qpos, m.nq);
    copy("qvel", given.qvel, s.qvel, m.nv);
    copy("act", given.act, s.act, m.na);
    copy("ctrl", given.ctrl, s.ctrl, m.nu);
    copy("mocap_pos", given.mocap_pos, s.mocap_pos, 3 * m.nmocap);
    copy("mocap_quat", given.mocap_quat, s.mocap_quat, 4 * m.nmocap);
    look(c, "state " + std::to_string(i), s);
  }
}

ChangeReport report_of(const std::string& path, std::string_view text, const LoadOptions& load,
                       const ChangeOptions& options) {
  const std::string_view version = options.since;
  const auto& known = change_versions();
  if (std::find(known.begin(), known.end(), version) == known.end()) {
    throw std::invalid_argument("changes are known since MuJoCo " + known[0] + ", not since '" + std::string(version) +
                                "'");
  }
  ChangeReport report;
  report.since = version;
  Document document;
  Loaded loaded = load_document(path, text, load, document);
  const Spec* spec = loaded.spec ? &*loaded.spec : loaded.partial.get();
  if (!spec) return report;
  find_refused(document, *spec, report.changes);
  const auto too_large = [](const Diagnostic& d) { return d.code == Code::kTooLarge; };
  const auto& found = loaded.diagnostics.list();
  if (!loaded.diagnostics.has_errors() && std::none_of(found.begin(), found.end(), too_large)) {
    const std::optional<Model> model = compile(*spec, loaded.diagnostics, {load.cache_dir}).model;
    if (model) {
      report.loaded = true;
      const Model tight = tightened(*model);
      Case c{document, *spec, tight, loaded.urdf, *model, {}, std::move(report.changes)};
      if (options.states.empty()) {
        look_around(c);
      } else {
        look_at(c, options.states);
      }
      report.states = static_cast<int>(c.looks.size());
      if (!c.looks.empty()) {
        for (const auto cause : kCauses) cause(c);
      }
      report.changes = std::move(c.changes);
    } else {
      find_lost_ranges(*spec, loaded.diagnostics.list(), report.changes);
    }
  }
  std::stable_sort(report.changes.begin(), report.changes.end(),
                   [](const Change& a, const Change& b) { return a.seen != b.seen ? a.seen : a.code < b.code; });
  return report;
}

}  // namespace

Change& add(std::vector<Change>& changes, const char* code, std::string element, std::string origin,
            std::string message) {
  Change change;
  change.code = code;
  for (const ChangeCode& line : change_codes()) {
    if (change.code != line.code) continue;
    change.title = line.title, change.version = line.version, change.effect = line.effect;
  }
  change.element = std::move(element);
  change.origin = std::move(origin);
  change.message = std::move(message);
  changes.push_back(std::move(change));
  return changes.back();
}

std::string origin_text(const Spec& spec, Origin at) {
  if (at.file < 0 || at.file >= static_cast<int>(spec.files.size())) return "";
  return spec.files[at.file] + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

double difference(const double* before, const double* after, int n) {
  double most = 0;
  for (int i = 0; i < n; ++i) {
    most = std::max(most, std::abs(after[i] - before[i]) / std::max(1.0, std::abs(before[i])));
  }
  return most;
}

std::string Largest::text() const {
  return seen() ? "accelerations change by up to " + number(size) + " (relative), at " + where
                : "no acceleration changes by more than " + number(kSame);
}

Largest effect_on_acceleration(const Case& c, const Model& before) {
  Largest largest;
  Data d(before);
  for (const Look& look : c.looks) {
    if (!forward(before, look.state, d).ok()) continue;
    largest.see(difference(d.qacc, look.data.qacc, before.nv), look.name);
  }
  return largest;
}

}  // namespace changes

bool ChangeReport::differs() const {
  return std::any_of(changes.begin(), changes.end(), [](const Change& c) {
    return c.seen && c.effect != ChangeEffect::kReading && c.effect != ChangeEffect::kNumbers;
  });
}

const std::vector<std::string>& change_versions() {
  static const std::vector<std::string> kVersions = {"3.12"};
  return kVersions;
}

ChangeReport changed_since(const std::filesystem::path& path, const LoadOptions& load, const ChangeOptions& options) {
  return changes::report_of(path.string(), {}, load, options);
}
ChangeReport changed_since_string(std::string_view xml, const LoadOptions& load, const ChangeOptions& options) {
  return changes::report_of({}, xml, load, options);
}

}  // namespace pliant

// All solvers on one problem: iterations, time, certificate, error against a long run that was checked.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include "pliant/analysis.h"
#include "pliant/step.h"

namespace pliant {
namespace {

constexpr double kLongTolerance = 1e-15;
constexpr int kLongIterations = 10000;
constexpr int kLongSweeps = 1000;                      // per substep
constexpr int kTimedRuns = 31, kTimedRunsOfCurve = 5;  // odd: the median is one of them

std::vector<double> acceleration(const Model& m, const State& s, Data& d) {
  run_phases(m, s, d, Phase::kAcceleration, Phase::kAcceleration, false);
  return {d.qacc, d.qacc + m.nv};
}

double relative_error(const std::vector<double>& a, const std::vector<double>& b) {
  double error = 0, scale = 1e-12;
  for (size_t i = 0; i < a.size(); ++i) {
    error = std::max(error, std::abs(a[i] - b[i]));
    scale = std::max(scale, std::abs(b[i]));
  }
  return error / scale;
}

// Seconds that this thread has run: other work on the machine does not count.
double thread_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median_time(const Model& m, const State& s, Data& d, int runs) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const double start = thread_seconds();
    run_phases(m, s, d, Phase::kAcceleration, Phase::kAcceleration, false);
    times.push_back(1e6 * (thread_seconds() - start));
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[static_cast<size_t>(runs / 2)];
}

std::vector<IslandChoice> choices_of(const Model& m, const Data& d) {
  std::vector<IslandChoice> out;
  for (int k = 0; d.rows.n && k < d.solver.n; ++k) {
    const bool all = d.islands.n == 0;  // islands are off
    const int rows = all ? d.rows.n : d.islands.island_rowadr[k + 1] - d.islands.island_rowadr[k];
    const int dofs = all ? m.nv : d.islands.island_dofadr[k + 1] - d.islands.island_dofadr[k];
    const SolverChoice choice = d.solver.report[k].choice;
    if (rows > 0 && choice != SolverChoice::kNone) out.push_back({dofs, rows, solver_choice_text(choice)});
  }
  return out;
}

}  // namespace

SolverComparison compare_solvers(const Model& model, const State& state, int curve) {
  Model m = model;
  Data d(m);
  forward(m, state, d);
  SolverComparison out;
  out.dofs = m.nv;
  out.contacts = d.ncon;
  out.rows = d.rows.n;
  out.islands = d.rows.n ? d.solver.n : 0;
  out.tolerance = model.opt.tolerance;
  out.mimics = mimic_reports(m, state, d);
  for (const SolverTraits& solver : kSolvers) {
    if (solver.type == model.opt.solver) out.chosen = solver.keyword;
  }

  // The answer, twice: two methods that share the cost but not the way down.
  const auto long_run = [&](SolverType type) {
    m.opt = model.opt;
    m.opt.solver = type;
    m.opt.tolerance = kLongTolerance;
    m.opt.iterations = kLongIterations;
    m.opt.tgs_sweeps = kLongSweeps;
    m.opt.noslip_iterations = 0;
    return acceleration(m, state, d);
  };
  const std::vector<double> answer = long_run(SolverType::kNewton);
  out.disagreement = relative_error(long_run(SolverType::kCg), answer);
  const std::vector<double> answer_of_substeps = long_run(SolverType::kTgs);

  for (const SolverTraits& solver : kSolvers) {
    SolverTrial trial;
    trial.solver = solver.keyword;
    m.opt = model.opt;
    m.opt.solver = solver.type;
    m.opt.noslip_iterations = 0;
    const std::vector<double>& right = solver.substeps ? answer_of_substeps : answer;
    trial.error = relative_error(acceleration(m, state, d), right);
    trial.iterations = d.solver.iterations();
    trial.gap = d.solver.gap();
    trial.converged = d.solver.converged();
    trial.microseconds = median_time(m, state, d, kTimedRuns);
    if (solver.type == SolverType::kAuto) out.choices = choices_of(m, d);
    // the curve: the same run, stopped earlier and earlier
    m.opt.tolerance = 0;
    for (int k = 1; k <= curve && d.rows.n; ++k) {
      m.opt.iterations = m.opt.tgs_sweeps = k;
      trial.errors.push_back(relative_error(acceleration(m, state, d), right));
      trial.gaps.push_back(d.solver.gap());
      trial.times.push_back(median_time(m, state, d, kTimedRunsOfCurve));
      if (d.solver.iterations() < k) break;  // it found nothing better
    }
    out.trials.push_back(std::move(trial));
  }
  return out;
}

std::string solver_advice(const SolverComparison& c) {
  if (c.rows == 0) return "There are no constraints in this state: every solver has nothing to do.";
  const SolverTrial *fastest = nullptr, *chosen = nullptr;
  for (const SolverTrial& trial : c.trials) {
    if (trial.solver == c.chosen) chosen = &trial;
    // (TGS has another problem than the others, and auto is two of them)
    if (!trial.converged || trial.solver == "TGS" || trial.solver == "auto") continue;
    if (!fastest || trial.microseconds < fastest->microseconds) fastest = &trial;
  }
  if (!fastest) {
    return "No solver reaches the tolerance within opt.iterations: raise iterations, or look for constraints that "
           "contradict "
           "each other or for extreme ratios of masses.";
  }
  std::string text = fastest->solver + " is the fastest that is proven to be within the tolerance here.";
  if (chosen && chosen->solver == "TGS") {
    text += " The model's own choice, TGS, answers for its substeps.";
  } else if (chosen && !chosen->converged) {
    text += " The model's own choice, " + chosen->solver + ", is not proven to be.";
  } else if (chosen && fastest != chosen) {
    char ratio[32];
    std::snprintf(ratio, sizeof ratio, "%.1f", chosen->microseconds / fastest->microseconds);
    text += " The model's own choice, " + chosen->solver + ", takes " + ratio + " times as long.";
  }
  return text +
         " Newton needs the fewest iterations and is the safe choice; CG is cheaper per iteration and wins with many "
         "dofs and few active rows; PGS needs many sweeps where masses differ, but stops anywhere with forces within "
         "their bounds. TGS takes the step in substeps: it is stiffer in stacks and between unequal masses for the "
         "same work; "
         "judge it by the motion.";
}

namespace {

constexpr const char* kColours[] = {"#1b6ca8", "#c8553d", "#4c956c", "#8a5a9e", "#666666"};

/// Curves over iterations, logarithmic, as an SVG picture.
std::string plot(const SolverComparison& c, const char* title, std::vector<double> SolverTrial::* curve) {
  constexpr double kWidth = 640, kHeight = 320, kLeft = 60, kBottom = 40, kTop = 30, kLowest = 1e-17;
  size_t most = 2;
  double high = 1e-15;
  for (const SolverTrial& t : c.trials) {
    most = std::max(most, (t.*curve).size());
    for (double v : t.*curve) high = std::max(high, std::isfinite(v) ? v : 0);
  }
  const double top = std::ceil(std::log10(high)), bottom = std::log10(kLowest);
  const auto x = [&](size_t i) {
    return kLeft + (kWidth - kLeft - 20) * static_cast<double>(i) / static_cast<double>(most - 1);
  };
  const auto y = [&](double v) {
    const double exponent = std::log10(std::max(v, kLowest));
    return kTop + (kHeight - kTop - kBottom) * (top - exponent) / (top - bottom);
  };
  char text[256];
  std::string out;
  std::snprintf(text, sizeof text, "<svg viewBox=\"0 0 %g %g\" width=\"%g\"><text x=\"%g\" y=\"18\">%s</text>", kWidth,
                kHeight, kWidth, kLeft, title);
  out += text;
  for (double e = std::ceil(bottom); e <= top; e += 4) {
    std::snprintf(
        text, sizeof text,
        "<line x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"6\" y=\"%.1f\">1e%.0f</text>",
        kLeft, kWidth - 20, y(std::pow(10, e)), y(std::pow(10, e)), y(std::pow(10, e)) + 4, e);
    out += text;
  }
  std::snprintf(text, sizeof text, "<text x=\"%g\" y=\"%g\">1</text><text x=\"%g\" y=\"%g\">%zu iterations</text>",
                kLeft, kHeight - 16, kWidth - 110, kHeight - 16, most);
  out += text;
  for (size_t k = 0; k < c.trials.size(); ++k) {
    const std::vector<double>& values = c.trials[k].*curve;
    out += "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" + std::string(kColours[k % std::size(kColours)]) +
           "\" points=\"";
    for (size_t i = 0; i < values.size(); ++i) {
      std::snprintf(text, sizeof text, "%.1f,%.1f ", x(i), y(values[i]));
      out += text;
    }
    std::snprintf(text, sizeof text, "\"/><text fill=\"%s\" x=\"%g\" y=\"%g\">%s</text>",
                  kColours[k % std::size(kColours)], kWidth - 90, kTop + 16.0 * static_cast<double>(k + 1),
                  c.trials[k].solver.c_str());
    out += text;
  }
  return out + "</svg>";
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string solver_page(const SolverComparison& c, const std::string& title, const std::string& playing) {
  char text[512];
  std::string out =
      "<!doctype html><meta charset=\"utf-8\"><title>" + escaped(title) +
      "</title><style>body{font:15px sans-serif;max-width:46em;margin:2em auto}td,th{padding:.2em .8em;text-align:"
      "right}td:first-child,th:first-child{text-align:left}svg{font-size:12px}</style><h1>" +
      escaped(title) + "</h1>";
  if (!playing.empty()) out += "<p><a href=\"" + escaped(playing) + "\">see it move</a></p>";
  std::snprintf(text, sizeof text,
                "<p>%d dofs, %d contacts, %d rows, %d islands. The checked answer: two long runs agree to %.1e.</p>",
                c.dofs, c.contacts, c.rows, c.islands, c.disagreement);
  out += text;
  out += "<table><tr><th>solver<th>iterations<th>time [µs]<th>gap<th>error of qacc<th>proven</tr>";
  for (const SolverTrial& t : c.trials) {
    std::snprintf(text, sizeof text, "<tr><td>%s%s<td>%d<td>%.1f<td>%.1e<td>%.1e<td>%s</tr>", t.solver.c_str(),
                  t.solver == c.chosen ? " (the model's)" : "", t.iterations, t.microseconds, t.gap, t.error,
                  t.converged ? "yes" : "no");
    out += text;
  }
  out += "</table>";
  if (!c.mimics.empty()) {
    out +=
        "<h2>Joints that follow others</h2><table><tr><th>mimic<th>mode<th>relation<th>residual<th>force<th>power "
        "[W]</tr>";
    for (const MimicReport& mimic : c.mimics) {
      out += "<tr><td>" + escaped(mimic.name) + "<td>" + mimic_mode_text(mimic.mode) + (mimic.active ? "" : ", off") +
             "<td>" + escaped(mimic.sentence);
      std::snprintf(text, sizeof text, "<td>%.2e<td>%.3g<td>%.3g</tr>", mimic.residual, mimic.force, mimic.power);
      out += text;
    }
    out += "</table>";
  }
  out += "<p>" + escaped(solver_advice(c)) + "</p>";
  if (c.rows) {
    out += plot(c, "gap: the cost is within this of its minimum", &SolverTrial::gaps);
    out += plot(c, "error of qacc, relative", &SolverTrial::errors);
  }
  return out + "\n";
}

}  // namespace pliant

// Why a simulation went wrong: what left its band, who broke a rule there, and what cures it when it is tried.
//
// 1. The past is watched (watch.h) for the first quantity that leaves its band.
// 2. The same is simulated again with fine timesteps: if nothing leaves its band then, the timestep is too long for
//    something; otherwise the model itself does it.
// 3. Elements are suspected (suspect.h) by rules that hold for all models, at the state of the trouble.
// 4. Each is taken out, and its remedies are tried, by simulating from before the trouble (rerun.h). Where no change
//    works alone, two of them are tried together.
// 5. The order is by all that together.

#include "pliant/why.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "base/text.h"
#include "pliant/energy_ledger.h"
#include "why/remedies.h"
#include "why/suspect.h"

namespace pliant {

using namespace whys;
using doctoring::number;

namespace {

constexpr int64_t kLongBefore = 2000;          // steps: closer to the start, fixes are tried from the start
constexpr double kBefore = 0.5, kAfter = 0.1;  // s
constexpr int kFine = 16, kFiner = 128;
constexpr int kFinestTimestep = 100;  // parts of the timestep that are offered at most
constexpr double kNearTruth = 0.1;
constexpr size_t kPairSuspects = 4, kPairRemedies = 2;  // that are tried in pairs
constexpr size_t kFewestAlike = 3, kMostAlike = 64;     // suspects of one rule that are tried together
constexpr size_t kLedgerSteps = 40, kLedgerElements = 8;

class Inquiry {
 public:
  Inquiry(const Model& m, Past past, const WhyOptions& options)
      : m_(m), past_(std::move(past)), options_(options), budget_(options.most_steps) {}

  WhyReport answer() {
    report_.timestep = m_.opt.timestep;
    report_.steps = static_cast<int64_t>(past_.states.size()) - 1;
    report_.fault = past_.fault;
    report_.notes = past_.notes;
    if (past_.forgotten > 0)
      report_.notes.push_back("the first " + std::to_string(past_.forgotten) + " states are not known any more");
    watch_past();
    note_foreign();
    const Seen* worst = watch_->worst();
    if (!worst) {
      nothing_seen();
      return std::move(report_);
    }
    seen_ = *worst;
    report_.trouble = true;
    put_departures();
    choose_from();
    find_nature();
    Scene scene = scene_of(m_, past_, seen_, from_, report_.nature == "timestep", watch_->unconverged());
    scene.outside = report_.nature == "outside";
    keep_ledger();
    gather(scene);
    if (!scene.outside) try_all();  // nothing is to be cured in the model
    rank();
    put_chain(scene);
    put_out();
    return std::move(report_);
  }

 private:
  void watch_past() {
    watch_.emplace(m_);
    Data d(m_);
    for (size_t i = 0; i < past_.states.size(); ++i) {
      State s = past_.states[i];
      if (i + 1 == past_.states.size() && past_.fault.empty()) break;
      const StepStatus status = step(m_, s, d);
      if (past_.others && status.ok() && i + 1 < past_.states.size()) {
        if (const auto foreign = foreign_step(m_, i, past_.states[i], past_.states[i + 1], s))
          past_.foreign.push_back(*foreign);
      }
      // what a trajectory of others has next is what happened
      watch_->look(past_.states[i], d, status.ok() && i + 1 < past_.states.size() ? past_.states[i + 1] : s, status);
      if (!status.ok()) {
        if (past_.fault.empty()) report_.fault = describe_status(m_, d, status);
        break;
      }
    }
  }

  void note_foreign() {
    if (past_.foreign.empty()) return;
    const Foreign& f = past_.foreign.front();
    const std::string dof = doctoring::element_text(m_, ObjType::kJoint, m_.dof_jntid[f.dof]);
    report_.notes.push_back(
        std::to_string(past_.foreign.size()) + " of " + std::to_string(report_.steps) +
        " steps are not those that the model makes from the row before, with the inputs that the rows have; the first "
        "at t = " +
        number_text(*past_.states[f.row].time) + " s: " + dof + (f.position ? " moved" : " has") +
        (f.position ? " at " : " a velocity of ") + number(f.given) + (f.position ? ", not " : ", and not ") +
        number(f.simulated) +
        " (m/s or rad/s). Something that is not in the rows acted: a control, a force, a state that was set");
  }

  /// A trajectory in which the trouble came from outside: what the model does by itself is fine.
  bool came_from_outside() const {
    if (past_.foreign.empty() || past_.foreign.front().row > static_cast<size_t>(seen_.step)) return false;
    const auto inside = [&](const Foreign& f) { return f.row >= from_ && f.row <= static_cast<size_t>(seen_.step); };
    return std::any_of(past_.foreign.begin(), past_.foreign.end(), inside) && is_fine(rerun_->run({}));
  }

  void nothing_seen() {
    report_.nature = "unknown";
    report_.notes.push_back("nothing left its band in " + std::to_string(report_.steps) +
                            " steps: no step was refused, no energy appeared, nothing is too fast, shakes with the "
                            "timestep, is deep inside "
                            "another or far from what a constraint asks");
    // what breaks a rule all the same, with what would mend it; nobody saw it do harm
    seen_ = {};
    seen_.band = Band::kLimit;
    seen_.step = std::max<int64_t>(report_.steps - 1, 0);
    if (m_.nv == 0 || report_.steps < 1) return;
    choose_from();
    length_ = std::min(length_, std::max<int64_t>(static_cast<int64_t>(kBefore / m_.opt.timestep), 50));
    rerun_.emplace(m_, past_, from_, length_, budget_);
    if (Outcome out = rerun_->run({}, kFine); is_fine(out)) truth_ = std::move(out);
    gather(scene_of(m_, past_, seen_, from_, false, watch_->unconverged()));
    std::erase_if(suspects_, [](const Suspect& s) { return s.broken < 0.1 || s.kind == "timestep"; });
    for (Suspect& s : suspects_) s.without.reset();
    try_all();
    rank();
    put_out();
    report_.known = false;
    if (!report_.suspects.empty())
      report_.notes.push_back("the elements listed break a rule, but were not seen to do harm here");
  }

  void put_departures() {
    report_.departures.push_back(seen_.text);
    for (const Seen& s : watch_->seen()) {
      if (s.band != seen_.band) report_.departures.push_back(s.text);
    }
    for (Departure& d : report_.departures) d.step += past_.forgotten;
  }

  void choose_from() {
    const auto at = static_cast<size_t>(seen_.step);
    const auto back = static_cast<size_t>(std::max<double>(kBefore / m_.opt.timestep, 50));
    from_ = at <= kLongBefore || at < back ? 0 : at - back;
    const auto after = static_cast<int64_t>(std::max<double>(kAfter / m_.opt.timestep, 50));
    length_ = static_cast<int64_t>(at - from_) + after;
    // steps of a large model cost more
    const double size = std::max(1.0, std::pow((m_.nv + m_.ngeom + 10) / 30.0, 1.5));
    budget_ = std::max(static_cast<int64_t>(static_cast<double>(budget_) / size), 8 * length_);
    report_.from = *past_.states[from_].time;
    rerun_.emplace(m_, past_, from_, length_, budget_);
  }

  /// Whether a run is free of what was seen.
  bool is_fine(const Outcome& out) const {
    if (!out.tried || !out.finite) return false;
    for (const Seen& s : out.seen) {
      if (is_fatal(s.band) || !is_fatal(seen_.band)) return false;
    }
    return true;
  }

  void find_nature() {
    const bool input = std::any_of(past_.offences.begin(), past_.offences.end(), [](const Offence& o) {
      const std::string_view field = o.field;
      return field == "ctrl" || field == "qfrc_applied" || field == "xfrc_applied" || field.starts_with("mocap") ||
             field == "act";
    });
    if (input) {
      report_.nature = "input";
      return;
    }
    if (seen_.text.at_start) {
      report_.nature = "start";
      return;
    }
    if (came_from_outside()) {
      report_.nature = "outside";
      return;
    }
    for (const int fine : {kFine, kFiner}) {
      Outcome out = rerun_->run({}, fine);
      if (!out.tried) break;
      if (is_fine(out)) {
        report_.nature = "timestep";
        truth_ = std::move(out);
        fine_ = fine;
        // a truth is one when a finer timestep says the same
        for (const int finer : {4 * kFine, 16 * kFine}) {
          if (fine >= finer) continue;
          Outcome check = rerun_->run({}, finer);
          if (!is_fine(check)) break;
          const double apart = rerun_->distance(truth_, check);
          truth_ = std::move(check);
          if (apart < 0.2 * kNearTruth) break;
        }
        return;
      }
    }
    report_.nature = "model";
  }

  void keep_ledger() {
    const size_t last = std::min(static_cast<size_t>(seen_.step) + 1, past_.states.size() - 1);
    const size_t first = last > kLedgerSteps ? std::max(from_, last - kLedgerSteps) : from_;
    EnergyLedger ledger(m_);
    std::map<std::string, std::vector<double>> works;
    std::map<std::string, double> largest;
    double kinetic = 0, integration = 0;
    for (size_t i = first; i < last; ++i) {
      ledger.add(past_.states[i], past_.states[i + 1]);
      LedgerStep row;
      row.step = static_cast<int64_t>(i) + past_.forgotten, row.time = *past_.states[i].time;
      row.kinetic_change = ledger.kinetic_change() - kinetic, row.integration = ledger.integration() - integration;
      kinetic = ledger.kinetic_change(), integration = ledger.integration();
      for (const EnergyEntry& e : ledger.entries()) {
        const std::string name = (e.element.starts_with(e.kind) ? "" : e.kind + " of ") + e.element +
                                 (e.origin.empty() ? "" : " (" + e.origin + ")");
        auto& list = works[name];
        list.resize(i - first, 0.0);
        list.push_back(e.last);
        if (std::isfinite(e.last)) largest[name] = std::max(largest[name], std::abs(e.last));
      }
      report_.ledger.push_back(std::move(row));
    }
    for (const EnergyEntry& e : ledger.entries()) fed_.push_back(e);
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [name, size] : largest) order.emplace_back(-size, name);
    std::sort(order.begin(), order.end());
    if (order.empty()) return;
    const size_t shown = std::min(order.size(), kLedgerElements);
    for (size_t i = 0; i < shown; ++i) report_.ledger_elements.push_back(order[i].second);
    report_.ledger_elements.emplace_back("others");
    for (size_t i = 0; i < report_.ledger.size(); ++i) {
      double others = 0;
      for (size_t k = 0; k < order.size(); ++k) {
        auto& list = works[order[k].second];
        list.resize(report_.ledger.size(), 0.0);
        if (k < shown)
          report_.ledger[i].work.push_back(list[i]);
        else
          others += list[i];
      }
      report_.ledger[i].work.push_back(others);
    }
  }

  void gather(const Scene& scene) {
    suspect_inputs(scene, suspects_);
    suspect_smooth(scene, suspects_);
    suspect_rows(scene, suspects_);
    suspect_bodies(scene, suspects_);
    suspect_options(scene, suspects_);
    share_blame(scene, suspects_);
    suspect_findings(scene, options_.diagnostics, suspects_);
    // who fed: positive work in the steps before
    double all = 0;
    for (const EnergyEntry& e : fed_) all += std::isfinite(e.work) ? std::max(0.0, e.work) : 0;
    for (Suspect& s : suspects_) {
      for (const EnergyEntry& e : fed_) {
        const bool same = e.type == s.type && e.id == s.id && (s.id2 < 0 || e.id2 == s.id2) && s.id >= 0;
        const bool kind = e.kind.starts_with(s.kind) || (s.kind == "contact" && e.kind.starts_with("contact"));
        if (same && kind && all > 0 && std::isfinite(e.work)) s.fed += std::max(0.0, e.work) / all;
      }
    }
    for (Suspect& s : suspects_) s.score = evidence(s);
    std::stable_sort(suspects_.begin(), suspects_.end(),
                     [](const Suspect& a, const Suspect& b) { return a.score > b.score; });
  }

  static double evidence(const Suspect& s) {
    return std::clamp(s.broken, -1.0, 3.0) + s.prior + std::min(s.fed, 1.0) + (s.near ? 0.5 : 0) +
           (s.without_fine ? 1 : 0) + (s.cured ? 1 : 0);
  }

  /// Tries a change; -1 as the suspect for those of no element alone.
  void try_fix(const Variant& v, int suspect) {
    if (options_.stop && options_.stop()) return;
    TriedFix fix;
    fix.what = v.what, fix.edits = v.edits, fix.suspect = suspect;
    for (const TriedFix& old : report_.fixes) {
      if (old.what == v.what && old.edits.size() == v.edits.size() &&
          std::equal(v.edits.begin(), v.edits.end(), old.edits.begin(),
                     [](const MjcfEdit& a, const MjcfEdit& b) { return a.value == b.value && a.line == b.line; })) {
        if (suspect >= 0) suspects_[static_cast<size_t>(suspect)].cured |= old.worked;
        return;
      }
    }
    const Outcome out = tried(v);
    fix.finite = out.finite;
    fix.in_band = is_fine(out);
    if (!out.tried) {
      fix.note = out.refused;
    } else if (!fix.in_band) {
      const Seen* left = nullptr;
      for (const Seen& s : out.seen) {
        if (!left || (is_fatal(s.band) && !is_fatal(left->band))) left = &s;
      }
      fix.note = left ? left->text.text : "it ends before the trouble";
    } else {
      // truth: the model as it is where a fine timestep cures it, otherwise the changed one with a fine timestep
      const bool own = !truth_.tried || v.own_truth || v.good_inputs;
      Outcome fine;
      if (own) {
        fine = rerun_->run(v, kFine);
        if (!is_fine(fine)) {
          fix.note = fine.tried ? "with a fine timestep something leaves its band"
                                : "there was no time to compare it with a fine timestep";
          fix.in_band = fix.in_band && !fine.tried;
        }
      }
      const double error = rerun_->distance(out, own ? fine : truth_);
      fix.error = std::isfinite(error) ? error : -1;
      fix.worked = fix.in_band && fix.error >= 0 && fix.error < kNearTruth;
      if (!fix.worked && fix.note.empty())
        fix.note = "nothing leaves its band, but it moves otherwise than " +
                   std::string(own ? "it does" : "the model as it is") + " with a fine timestep (by " +
                   number(100 * error) + " %)";
    }
    if (suspect >= 0) suspects_[static_cast<size_t>(suspect)].cured |= fix.worked;
    report_.fixes.push_back(std::move(fix));
  }
  Outcome tried(const Variant& v) {
    if (options_.progress) options_.progress(trials_, std::max(planned_, trials_ + 1));
    ++trials_;
    return rerun_->run(v);
  }

  /// Changes of no element alone.
  std::vector<Variant> options_to_try() const {
    std::vector<Variant> out;
    if (report_.nature != "timestep" && report_.nature != "model") return out;
    if (m_.opt.integrator != Integrator::kImplicitFast)
      out.push_back(with_integrator(Integrator::kImplicitFast, "implicitfast"));
    if (m_.opt.integrator != Integrator::kDiscrete) out.push_back(with_integrator(Integrator::kDiscrete, "discrete"));
    if (m_.opt.solver != SolverType::kNewton && m_.neq + m_.ngeom > 0)
      out.push_back(with_solver(SolverType::kNewton, "Newton", 100));
    for (const int parts : {4, 20}) out.push_back(finer_timestep(m_, parts));
    return out;
  }

  void try_all() {
    const size_t most = std::min<size_t>(suspects_.size(), static_cast<size_t>(options_.most_suspects));
    const std::vector<Variant> options = options_to_try();
    planned_ = trials_ + static_cast<int>(options.size());
    for (size_t i = 0; i < most; ++i)
      planned_ += (suspects_[i].without ? 1 : 0) + static_cast<int>(suspects_[i].remedies.size());
    for (size_t i = 0; i < most; ++i) {
      if (options_.stop && options_.stop()) return;
      Suspect& s = suspects_[i];
      if (s.without) s.without_fine = is_fine(tried(*s.without));
      for (const Variant& v : s.remedies) try_fix(v, static_cast<int>(i));
    }
    for (const Variant& v : options) try_fix(v, -1);
    // a motion that wants a timestep this small is rare, and costs as many steps
    if (report_.nature == "timestep" && !any_worked()) try_fix(finer_timestep(m_, kFinestTimestep), -1);
    if (report_.trouble && !any_worked()) try_alike();
    if (report_.trouble && !any_worked()) try_pairs(options);
  }
  bool any_worked() const {
    return std::any_of(report_.fixes.begin(), report_.fixes.end(), [](const TriedFix& fix) { return fix.worked; });
  }

  /// The rule that a suspect breaks, without its numbers.
  static std::string broken_rule(const Suspect& s) {
    return s.kind + ": " + s.rule.substr(0, s.rule.find_first_of("0123456789:"));
  }

  /// Elements that break the same rule, as those of one default class do: all changed at once. Ends with the first
  /// change that works.
  void try_alike() {
    std::vector<bool> looked(suspects_.size());
    for (size_t i = 0; i < suspects_.size(); ++i) {
      if (looked[i] || suspects_[i].broken <= 0) continue;
      std::vector<size_t> alike;
      for (size_t k = i; k < suspects_.size() && alike.size() < kMostAlike; ++k) {
        if (suspects_[k].broken <= 0 || broken_rule(suspects_[k]) != broken_rule(suspects_[i])) continue;
        looked[k] = true;
        alike.push_back(k);
      }
      if (alike.size() < kFewestAlike) continue;  // two are tried as a pair
      for (size_t r = 0; r < std::min(suspects_[i].remedies.size(), kPairRemedies); ++r) {
        std::optional<Variant> all = suspects_[i].remedies[r];
        for (size_t k = 1; k < alike.size() && all; ++k) {
          const std::vector<Variant>& remedies = suspects_[alike[k]].remedies;
          all = r < remedies.size() ? both(*all, remedies[r]) : std::nullopt;
        }
        if (!all) continue;
        all->what =
            suspects_[i].remedies[r].what + kAnd + "the same of " + std::to_string(alike.size() - 1) + " others";
        const size_t before = report_.fixes.size();
        try_fix(*all, static_cast<int>(i));
        if (report_.fixes.size() == before || !report_.fixes.back().worked) continue;
        for (const size_t k : alike) suspects_[k].cured = true;
        return;
      }
    }
  }

  /// Two changes at once: of two suspects, or of one and an option. Ends with the first that works.
  void try_pairs(const std::vector<Variant>& options) {
    struct Part {
      const Variant* change;
      int suspect;
    };
    std::vector<Part> parts;
    for (size_t i = 0; i < std::min(suspects_.size(), kPairSuspects); ++i) {
      const std::vector<Variant>& remedies = suspects_[i].remedies;
      for (size_t k = 0; k < std::min(remedies.size(), kPairRemedies); ++k) {
        parts.push_back({&remedies[k], static_cast<int>(i)});
      }
    }
    for (const Variant& v : options) parts.push_back({&v, -1});
    std::vector<std::pair<Part, Part>> pairs;
    for (size_t i = 0; i < parts.size(); ++i) {
      for (size_t k = i + 1; k < parts.size(); ++k) {
        if (parts[i].suspect >= 0 && parts[i].suspect != parts[k].suspect) pairs.emplace_back(parts[i], parts[k]);
      }
    }
    // those of the strongest suspects first
    const auto place = [](const Part& part) {
      return part.suspect < 0 ? static_cast<int>(kPairSuspects) : part.suspect;
    };
    std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
      return place(a.first) + place(a.second) < place(b.first) + place(b.second);
    });
    planned_ += static_cast<int>(pairs.size());
    for (const auto& [first, second] : pairs) {
      const std::optional<Variant> together = both(*first.change, *second.change);
      if (!together) continue;
      const size_t before = report_.fixes.size();
      try_fix(*together, first.suspect);
      if (report_.fixes.size() == before || !report_.fixes.back().worked) continue;
      if (second.suspect >= 0) suspects_[static_cast<size_t>(second.suspect)].cured = true;
      return;
    }
  }

  void rank() {
    for (Suspect& s : suspects_) s.score = evidence(s);
    std::vector<int> order(suspects_.size()), place(suspects_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return suspects_[static_cast<size_t>(a)].score > suspects_[static_cast<size_t>(b)].score;
    });
    for (size_t i = 0; i < order.size(); ++i) place[static_cast<size_t>(order[i])] = static_cast<int>(i);
    std::vector<Suspect> sorted;
    for (const int i : order) sorted.push_back(std::move(suspects_[static_cast<size_t>(i)]));
    suspects_ = std::move(sorted);
    for (TriedFix& f : report_.fixes) {
      if (f.suspect >= 0) f.suspect = place[static_cast<size_t>(f.suspect)];
    }
    // what worked first; of those the culprit's own, then the smaller change of the motion
    std::stable_sort(report_.fixes.begin(), report_.fixes.end(), [](const TriedFix& a, const TriedFix& b) {
      // to take an element out is the last resort
      const auto rank = [](const TriedFix& f) {
        const bool pair = f.what.find(kAnd) != std::string::npos;
        return std::tuple(!f.worked, !f.in_band, pair, f.suspect < 0 ? 1000 : f.suspect, f.what.starts_with("without"));
      };
      return rank(a) < rank(b);
    });
  }

  void put_chain(const Scene& scene) {
    report_.chain.push_back(seen_.text.text + (seen_.text.at_start ? "" : " at t = " + number(seen_.text.time) + " s"));
    const EnergyEntry* most = nullptr;
    double all = 0;
    for (const EnergyEntry& e : fed_) {
      if (!std::isfinite(e.work) || e.work <= 0) continue;
      all += e.work;
      if (!most || e.work > most->work) most = &e;
    }
    if (most && all > 0 && !report_.ledger.empty()) {
      report_.chain.push_back("in the " + std::to_string(report_.ledger.size()) + " steps before, " +
                              number(100 * most->work / all) + " % of the energy that was fed (" + number(most->work) +
                              " J) came from " + (most->element.starts_with(most->kind) ? "" : most->kind + " of ") +
                              most->element + (most->origin.empty() ? "" : " (" + most->origin + ")"));
    }
    if (report_.nature == "timestep")
      report_.chain.push_back(
          "with a timestep " + std::to_string(fine_) +
          " times smaller nothing leaves its band: the motion is sound, the timestep is too long for it");
    if (report_.nature == "outside")
      report_.chain.push_back(
          "simulated from t = " + number(report_.from) +
          " s on, the model does not do this by itself: something that the trajectory does not tell of acted");
    if (report_.nature == "model") report_.chain.push_back("smaller timesteps do not help: the model itself does it");
    if (!suspects_.empty()) {
      const Suspect& s = suspects_.front();
      if (!s.rule.empty())
        report_.chain.push_back(s.element + (s.origin.empty() ? "" : " (" + s.origin + ")") + ": " + s.rule);
      if (s.without_fine) report_.chain.push_back("without it (" + s.kind + ") nothing leaves its band");
    }
    (void)scene;
  }

  void put_out() {
    for (TriedFix& f : report_.fixes) {
      for (MjcfEdit& e : f.edits) to_degrees(e);
      f.mjcf = mjcf_of(f.edits);
    }
    for (const Suspect& s : suspects_) {
      WhySuspect out;
      out.kind = s.kind, out.element = s.element, out.origin = s.origin, out.rule = s.rule, out.evidence = s.evidence;
      out.fed = s.fed, out.without_it_fine = s.without_fine, out.score = s.score;
      report_.suspects.push_back(std::move(out));
    }
    if (!suspects_.empty()) {
      const Suspect& s = suspects_.front();
      report_.known = s.broken > 0 || s.cured || (s.without_fine && s.near);
    }
    if (!report_.known && report_.trouble)
      report_.notes.push_back(
          std::string("no element was found that breaks a rule, and ") +
          (std::any_of(report_.fixes.begin(), report_.fixes.end(), [](const TriedFix& f) { return f.worked; })
               ? "what cures it tells of no element"
               : "no change of one or two cures it") +
          ": the first in the list is a guess");
    if (budget_ <= 0) report_.notes.push_back("not everything was tried: the budget of steps is used up");
  }

  void to_degrees(MjcfEdit& e) const {
    if (e.unit != "rad" || !options_.degrees) return;
    std::string out;
    size_t at = 0;
    for (std::string_view word = next_word(e.value, at); !word.empty(); word = next_word(e.value, at))
      out += (out.empty() ? "" : " ") + number(std::stod(std::string(word)) * 180 / M_PI);
    e.value = out, e.unit = "deg";
  }

  const Model& m_;
  Past past_;
  const WhyOptions& options_;
  int64_t budget_;
  WhyReport report_;
  std::optional<Watch> watch_;
  Seen seen_;
  size_t from_ = 0;
  int64_t length_ = 0;
  std::optional<Rerun> rerun_;
  Outcome truth_;
  int fine_ = 1, trials_ = 0, planned_ = 0;
  std::vector<EnergyEntry> fed_;
  std::vector<Suspect> suspects_;
};

}  // namespace

WhyReport why(const Model& model, const WhyOptions& options) {
  return Inquiry(model, run_model(model, options), options).answer();
}

WhyReport why(const Model& model, const RecordingFile& recording, const WhyOptions& options) {
  recording.check(model);
  return Inquiry(model, past_of(model, recording, options), options).answer();
}

WhyReport why(const Model& model, const std::vector<State>& states, const WhyOptions& options) {
  return Inquiry(model, past_of(model, states), options).answer();
}

WhyReport why_refused(const DoctorReport& found, const std::vector<RefusedCure>& cures) {
  WhyReport out;
  out.problem = "the model cannot be loaded: what its file says is all there is";
  out.nature = "model";
  for (size_t i = 0; i < found.findings.size(); ++i) {
    const Finding& f = found.findings[i];
    if (f.severity != FindingSeverity::kError && !out.suspects.empty()) continue;
    WhySuspect s;
    s.kind = "model", s.element = f.element, s.origin = f.origin, s.rule = f.message, s.evidence = f.evidence,
    s.score = 1;
    out.suspects.push_back(std::move(s));
    TriedFix fix;
    fix.what = f.change, fix.suspect = static_cast<int>(out.suspects.size()) - 1;
    fix.note = "not tried: the doctor names no number to write";
    for (const RefusedCure& cure : cures) {
      if (cure.finding != i) continue;
      fix.mjcf = cure.change, fix.worked = fix.finite = fix.in_band = cure.loads;
      fix.note = cure.loads ? "" : "it does not load, or does not run, with that alone";
    }
    if (!f.change.empty()) out.fixes.push_back(std::move(fix));
  }
  std::stable_sort(out.fixes.begin(), out.fixes.end(),
                   [](const TriedFix& a, const TriedFix& b) { return a.worked > b.worked; });
  out.trouble = true;
  out.known = !out.suspects.empty();
  return out;
}

}  // namespace pliant

#include "pliant/doctor_summary.h"

#include <algorithm>
#include <vector>

#include "analysis/lines.h"
#include "doctor/doctor_case.h"

namespace pliant {
namespace {

constexpr size_t kGroups = 5, kNamed = 4, kOthers = 12;

struct Group {
  const Finding* worst;
  std::vector<const Finding*> others;
};

/// Findings of one code and severity together, in the order of the worst of each.
std::vector<Group> groups_of(const DoctorReport& report) {
  std::vector<Group> groups;
  for (const Finding& f : report.findings) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      return g.worst->code == f.code && g.worst->severity == f.severity;
    });
    if (same == groups.end()) {
      groups.push_back({&f, {}});
    } else {
      same->others.push_back(&f);
    }
  }
  return groups;
}

std::string plural(int n, const char* word) { return std::to_string(n) + " " + word + (n == 1 ? "" : "s"); }

}  // namespace

std::string doctor_summary(const DoctorReport& report, const std::string& title) {
  std::string out = wrapped(title, "", 0);
  if (!report.loaded) out += "the model cannot be loaded: only what its file says was looked at\n";
  if (report.loaded) {
    out += wrapped(doctoring::timestep_text(report), "", 0);
    if (!report.no_trial.empty()) out += wrapped("no trial run: " + report.no_trial, "", 0);
  }
  const std::vector<Group> groups = groups_of(report);
  for (size_t i = 0; i < std::min(groups.size(), kGroups); ++i) {
    const Finding& f = *groups[i].worst;
    const std::string head = std::string(severity_name(f.severity)) + "[" + f.code + "] " + f.title;
    out += "\n" + wrapped(f.origin.empty() ? head : f.origin + ": " + head, "", 0);
    out += wrapped(f.message, "    ", 4);
    if (!f.change.empty()) out += wrapped(f.change, "    change: ", 4);
    const auto& others = groups[i].others;
    if (others.empty()) continue;
    std::string names;
    for (size_t k = 0; k < std::min(others.size(), kNamed); ++k) names += (k ? "; " : "") + others[k]->element;
    out += wrapped(std::to_string(others.size()) + " more like it: " + names + (others.size() > kNamed ? "; …" : ""),
                   "    ", 4);
  }
  if (groups.size() > kGroups) {
    std::string names;
    for (size_t i = kGroups; i < std::min(groups.size(), kGroups + kOthers); ++i) {
      const Group& g = groups[i];
      names += (names.empty() ? "" : ", ") + g.worst->code + " " + g.worst->title +
               (g.others.empty() ? "" : " (" + std::to_string(g.others.size() + 1) + ")");
    }
    if (groups.size() > kGroups + kOthers) names += ", …";
    out += "\n" + wrapped("of other kinds: " + names + "; --all lists them", "", 2);
  }
  out += "\n" + plural(report.count(FindingSeverity::kError), "error") + ", " +
         plural(report.count(FindingSeverity::kWarning), "warning") + ", " +
         plural(report.count(FindingSeverity::kNote), "note") + "\n";
  return out;
}

}  // namespace pliant

// Settings of an attached model against those of the model it is attached to: options, sizes and three
// viewer settings. <compiler conflict="…"> of the latter decides:
//   warning  its own settings stay
//   merge    what it does not set is taken from the attached model; what both set becomes the smaller
//            (tolerances, timestep, …) or the larger value (iterations, sizes, …), or is an error
//   error    what both set must be equal
// A setting counts as set when it is written in the file, sizes when they differ from their default.

#include "load/mjcf_conflict.h"

#include <algorithm>

#include "base/text.h"
#include "load/mjcf_reader.h"

namespace pliant {
namespace {

enum Policy { kKeepOwn = 0, kMerge = 1, kRefuse = 2 };  // as CompilerSpec::conflict
enum class Both { kMin, kMax, kError };                 // when both models set a value

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

struct Settings {
  int policy;
  const GivenSettings& own;
  const GivenSettings& other;
  std::vector<std::string> kept, taken, refused;

  template <class T>
  void value(const char* name, T& ours, const T& theirs, const T& normal, Both both) {
    if (ours == theirs) return;
    bool we = own.names.count(name) > 0, they = other.names.count(name) > 0;
    if (!we && !they) we = ours != normal, they = theirs != normal;
    if (!they) return;
    if (we && policy != kKeepOwn && (policy == kRefuse || both == Both::kError)) {
      refused.push_back(name);
      return;
    }
    const T before = ours;
    if (policy == kMerge) {
      if (!we)
        ours = theirs;
      else if constexpr (std::is_arithmetic_v<T>) {
        ours = both == Both::kMin ? std::min(ours, theirs) : std::max(ours, theirs);
      }
    }
    (ours == before ? kept : taken).push_back(name);
  }

  // bits that are set add up when merged; a bit that both models speak of must agree under "error"
  void bits(const char* name, int& ours, int theirs, int we, int they) {
    const int set = theirs & they;
    if (policy == kMerge) {
      if (set & ~ours) taken.push_back(name);
      ours |= set;
    } else if ((ours ^ theirs) & we & they) {
      (policy == kRefuse ? refused : kept).push_back(name);
    } else if (set & ~ours) {
      kept.push_back(name);
    }
  }
};

void visit_option(Settings& s, Options& ours, const Options& theirs) {
  const Options normal;
  const auto value = [&](const char* name, auto member, Both both) {
    s.value(name, ours.*member, theirs.*member, normal.*member, both);
  };
  value("timestep", &Options::timestep, Both::kMin);
  value("tolerance", &Options::tolerance, Both::kMin);
  value("ls_tolerance", &Options::ls_tolerance, Both::kMin);
  value("noslip_tolerance", &Options::noslip_tolerance, Both::kMin);
  value("ccd_tolerance", &Options::ccd_tolerance, Both::kMin);
  value("sleep_tolerance", &Options::sleep_tolerance, Both::kMin);
  value("iterations", &Options::iterations, Both::kMax);
  value("ls_iterations", &Options::ls_iterations, Both::kMax);
  value("noslip_iterations", &Options::noslip_iterations, Both::kMax);
  value("ccd_iterations", &Options::ccd_iterations, Both::kMax);
  value("sdf_iterations", &Options::sdf_iterations, Both::kMax);
  value("sdf_initpoints", &Options::sdf_initpoints, Both::kMax);
  value("tgs_substeps", &Options::tgs_substeps, Both::kMax);
  value("tgs_sweeps", &Options::tgs_sweeps, Both::kMax);
  value("discrete_full", &Options::discrete_full, Both::kMax);
  value("impratio", &Options::impratio, Both::kError);
  value("density", &Options::density, Both::kError);
  value("viscosity", &Options::viscosity, Both::kError);
  value("o_margin", &Options::o_margin, Both::kError);
  value("integrator", &Options::integrator, Both::kError);
  value("cone", &Options::cone, Both::kError);
  value("friction", &Options::friction, Both::kError);
  value("spin", &Options::spin, Both::kError);
  value("resolution", &Options::resolution, Both::kError);
  value("jacobian", &Options::jacobian, Both::kError);
  value("solver", &Options::solver, Both::kError);
  value("gravity", &Options::gravity, Both::kError);
  value("wind", &Options::wind, Both::kError);
  value("magnetic", &Options::magnetic, Both::kError);
  value("o_solref", &Options::o_solref, Both::kError);
  value("o_solimp", &Options::o_solimp, Both::kError);
  value("o_friction", &Options::o_friction, Both::kError);
  s.bits("flags that disable", ours.disableflags, theirs.disableflags, s.own.disableflags, s.other.disableflags);
  s.bits("flags that enable", ours.enableflags, theirs.enableflags, s.own.enableflags, s.other.enableflags);
  // groups are only ever switched off, so two lists never contradict each other
  s.bits("actuatorgroupdisable", ours.disableactuator, theirs.disableactuator, ours.disableactuator,
         theirs.disableactuator);
}

void visit_size(Settings& s, SizeSpec& ours, const SizeSpec& theirs) {
  const SizeSpec normal;
  const auto value = [&](const char* name, auto member) {
    s.value(name, ours.*member, theirs.*member, normal.*member, Both::kMax);
  };
  value("memory", &SizeSpec::memory);
  value("njmax", &SizeSpec::njmax);
  value("nconmax", &SizeSpec::nconmax);
  value("nuserdata", &SizeSpec::nuserdata);
  value("nkey", &SizeSpec::nkey);
  value("nuser_body", &SizeSpec::nuser_body);
  value("nuser_jnt", &SizeSpec::nuser_jnt);
  value("nuser_geom", &SizeSpec::nuser_geom);
  value("nuser_site", &SizeSpec::nuser_site);
  value("nuser_cam", &SizeSpec::nuser_cam);
  value("nuser_tendon", &SizeSpec::nuser_tendon);
  value("nuser_actuator", &SizeSpec::nuser_actuator);
  value("nuser_sensor", &SizeSpec::nuser_sensor);
}

}  // namespace

MergedSettings merge_settings(Spec& ours, const GivenSettings& own, const Spec& theirs, const GivenSettings& other) {
  Settings s{ours.compilers[0].conflict, own, other, {}, {}, {}};
  visit_option(s, ours.option, theirs.option);
  const Visual normal;
  Visual& visual = ours.visual;
  s.value("znear", visual.map.znear, theirs.visual.map.znear, normal.map.znear, Both::kMin);
  s.value("zfar", visual.map.zfar, theirs.visual.map.zfar, normal.map.zfar, Both::kMax);
  s.value("realtime", visual.global.realtime, theirs.visual.global.realtime, normal.global.realtime, Both::kMin);
  visit_size(s, ours.size, theirs.size);
  return {joined(s.kept), joined(s.taken), joined(s.refused), s.policy == kKeepOwn};
}

void MjcfReader::merge_settings(const Spec& child, const GivenSettings& given, const Element& element) {
  const MergedSettings s = pliant::merge_settings(spec, given_, child, given);
  const std::string from = " of the attached model " + quote(child.model_name);
  if (!s.refused.empty()) {
    error(Code::kAttributeConflict, element, "settings" + from + " contradict those of this one: " + s.refused,
          "remove them from one of the models, or set conflict=\"warning\" in <compiler>");
  }
  if (!s.kept.empty()) {
    warning(Code::kDropped, element, "settings" + from + " are not used: " + s.kept,
            s.keeps_own ? "conflict=\"merge\" in <compiler> takes them over" : "");
  }
  if (!s.taken.empty()) {
    warning(Code::kDropped, element, "settings" + from + " replace those of this one: " + s.taken);
  }
}

}  // namespace pliant

// Numbers for the tuning page. reads Model and a ContactPatch · cost: fifteen calls of a pair function

#include "analysis/tuning_numbers.h"

#include <array>
#include <cmath>
#include <vector>

#include "analysis/clamps.h"
#include "analysis/patch_motion.h"
#include "base/text.h"
#include "math/field_values.h"
#include "pliant/json.h"

namespace pliant {
namespace {

/// Step of differences, relative to the depth at rest: that of PatchMotion.
constexpr double kDifference = 1e-4;

std::string number(double x) { return std::isfinite(x) ? number_text(x) : "null"; }
std::string flag(bool x) { return x ? "true" : "false"; }

template <class L>
std::string numbers(const L& list) {
  std::string out;
  for (const double x : list) out += (out.empty() ? "" : ",") + number(x);
  return "[" + out + "]";
}

std::string field(const char* name, const std::string& value) { return ",\"" + std::string(name) + "\":" + value; }

/// A point of contact as numbers: violation, arm, three axes.
using PointNumbers = std::array<double, 13>;

PointNumbers numbers_of(const PatchMotion::Touch& touch) {
  PointNumbers out{touch.r};
  for (int i = 0; i < 3; ++i) out[1 + i] = touch.arm[i];
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) out[4 + 3 * k + i] = touch.axes[k][i];
  }
  return out;
}

/// Points at a depth, and their slopes: six displacements of the body, and the depth itself.
std::string points_json(const PatchMotion& motion, double depth) {
  const double step = kDifference * std::max(depth, 1e-9);
  const auto at = motion.touches({}, depth);
  struct Pair {
    std::vector<PatchMotion::Touch> ahead, behind;
    double way;
  };
  std::vector<Pair> pairs;
  for (int k = 0; k < 6; ++k) {
    const double way = step / (k < 3 ? 1 : motion.size());
    Six there{}, back{};
    there[k] = way, back[k] = -way;
    pairs.push_back({motion.touches(there, depth), motion.touches(back, depth), way});
  }
  pairs.push_back({motion.touches({}, depth + step), motion.touches({}, depth - step), step});
  std::string out;
  for (size_t i = 0; i < at.size(); ++i) {
    std::string slopes;
    for (const Pair& pair : pairs) {
      PointNumbers slope{};
      // a point that appears or goes within so small a motion is taken to stay where it is
      if (pair.ahead.size() == at.size() && pair.behind.size() == at.size()) {
        const PointNumbers one = numbers_of(pair.ahead[i]), other = numbers_of(pair.behind[i]);
        for (size_t k = 0; k < slope.size(); ++k) slope[k] = (one[k] - other[k]) / (2 * pair.way);
      }
      slopes += (slopes.empty() ? "" : ",") + numbers(slope);
    }
    out += (out.empty() ? "" : ",") + ("{\"at\":" + numbers(numbers_of(at[i])) + ",\"by\":[" + slopes + "]}");
  }
  return "[" + out + "]";
}

/// Texts of all clamps of rows, by code.
std::string clamps_json() {
  std::string out;
  for (const ClampNote& note : clamp_notes((1 << kNumRowClamps) - 1)) {
    out += (out.empty() ? "" : ",") + json_text(note.code) + ":" + json_text(note.text);
  }
  return "{" + out + "}";
}

std::string row_fields(const ScalarRow& row) {
  return "{\"refsafe\":" + flag(row.refsafe) + field("leads", flag(row.leads)) +
         field("free_accel", number(row.free_accel)) + field("clamps", clamps_json());
}

}  // namespace

std::string tuning_numbers(const ScalarRow& row) { return row_fields(row) + "}"; }

std::string tuning_numbers(const ContactPatch& patch, const Model& m) {
  const ScalarRow row = patch.row(m);
  const Contact& c = patch.contact;
  const PatchMotion motion(patch, m);
  const double found = ScalarMap(row).rest_depth(patch.load), depth = std::isfinite(found) && found > 0 ? found : 1e-6;
  std::string p = "{\"count\":" + std::to_string(patch.points.size());
  p += field("dim", std::to_string(c.dim)) + field("elliptic", flag(patch.elliptic)) +
       field("impratio", number(patch.impratio)) + field("friction", numbers(c.friction)) +
       field("solreffriction", numbers(c.solreffriction)) + field("margin", number(c.includemargin)) +
       field("estimate_parts", numbers(patch.estimate_parts)) + field("explicit_pair", flag(c.pair >= 0));
  // the slope that it creeps on
  const Vec3 normal = vec3(c.frame, 0) * (patch.pressing_side ? 1.0 : -1.0);
  const Vec3 axes[2] = {vec3(c.frame, 1), vec3(c.frame, 2)};
  std::string arms;
  double height = 0;
  for (const Vec3& point : patch.slope_points) {
    const Vec3 arm = point - patch.centre;
    arms += (arms.empty() ? "" : ",") + numbers(std::array{dot(arm, axes[0]), dot(arm, axes[1])});
    height -= dot(arm, normal) / static_cast<double>(patch.points.size());
  }
  p += field("slope_arms", "[" + arms + "]") + field("height", number(height)) +
       field("free_body", flag(patch.free_body));
  // small motions about rest
  const Vec3 load = normal * -patch.load;
  std::string response;
  for (const Six& line : patch.twist_response) response += (response.empty() ? "" : ",") + numbers(line);
  p += field("load", numbers(std::array{load[0], load[1], load[2]})) + field("twist_response", "[" + response + "]") +
       field("thickness", number(patch.thickness)) + field("size", number(motion.size())) +
       field("depth", number(depth)) + field("points", points_json(motion, depth)) + "}";
  return row_fields(row) + field("patch", p) + "}";
}

std::string tuning_numbers(const Model& m, int mimic, double response) {
  const auto mode = static_cast<MimicMode>(m.mimic_mode[mimic]);
  const char* word = mode == MimicMode::kSoft ? "soft" : mode == MimicMode::kHard ? "hard" : "exact";
  return "{\"mode\":" + json_text(word) + field("naturalfreq", number(m.mimic_naturalfreq[mimic])) +
         field("dampratio", number(m.mimic_dampratio[mimic])) + field("erp", number(m.mimic_erp[mimic])) +
         field("response", number(response)) + field("substeps", std::to_string(solver_substeps(m.opt))) + "}";
}

}  // namespace pliant

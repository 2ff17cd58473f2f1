#pragma once
// What the causes of changes share: the document, the Spec and the Model of one file, the states it is looked at in,
// and how a change is written.
//
// A cause is a line of the table in causes.cpp and a function here. Where a law of 3.12 is a matter of numbers in the
// Model (moments of inertia, gains), its function makes a copy of the Model with the numbers of 3.12 and compares
// accelerations by the one engine there is. Where it is a matter of the law (contact points, paths of tendons), the law
// is written down here, once, as a function of numbers.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "doctor/doctor_case.h"
#include "load/source.h"
#include "pliant/changed_since.h"
#include "pliant/step.h"

namespace pliant::changes {

using doctoring::element_text;
using doctoring::number;

/// A difference below this, relative with floor 1, is rounding.
inline constexpr double kSame = 1e-9;

/// A state with what `forward` makes of it.
struct Look {
  std::string name;  ///< "the start (qpos0)", "keyframe 'home'", "step 100 under random controls"
  State state;
  Data data;
};

struct Case {
  const Document& document;
  const Spec& spec;
  const Model& m;  ///< as loaded, but solved to the last bits
  bool urdf = false;
  const Model& own;  ///< as loaded
  std::vector<Look> looks;
  std::vector<Change> changes;
  /// Objects of the Spec by their place in the file, kind by kind; made when first asked for.
  mutable std::map<ObjType, std::map<std::array<int, 3>, int>> places = {};
};

/// Adds a change; title, version and effect come from the table of codes.
Change& add(std::vector<Change>& changes, const char* code, std::string element, std::string origin,
            std::string message);
inline Change& add(Case& c, const char* code, ObjType type, int id, std::string message) {
  return add(c.changes, code, element_text(c.m, type, id), c.m.origin(type, id), std::move(message));
}
std::string origin_text(const Spec& spec, Origin at);

/// Largest difference of n numbers, relative to the first ones with floor 1.
double difference(const double* before, const double* after, int n);

/// Where a difference is largest, and how large.
struct Largest {
  double size = 0;
  std::string where;
  void see(double value, const std::string& name) {
    if (value > size) size = value, where = name;
  }
  bool seen() const { return size > kSame; }
  std::string text() const;
};
/// What becomes of qacc if the Model has the numbers of `before`.
Largest effect_on_acceleration(const Case& c, const Model& before);

/// The place in the Spec of what stands at an object's origin; -1: none. Copies of an element share it.
template <class List>
int spec_index(const Case& c, const List& list, ObjType type, int id) {
  const auto origins = c.m.origins.find(type);
  if (origins == c.m.origins.end() || id >= static_cast<int>(origins->second.size())) return -1;
  auto& places = c.places[type];
  if (places.empty()) {
    for (size_t i = 0; i < list.size(); ++i) {
      const Origin at = c.spec.origin(list[i].source);
      places.emplace(std::array<int, 3>{at.file, at.line, at.column}, static_cast<int>(i));
    }
  }
  const Origin at = origins->second[id];
  const auto found = places.find({at.file, at.line, at.column});
  return found == places.end() ? -1 : found->second;
}

// ---- causes, in the order of their codes

void find_inertia_frames(Case& c);     // frames.cpp
void find_damping_ratios(Case& c);     // actuators.cpp
void find_shortcut_defaults(Case& c);  // actuators.cpp
void find_saturation(Case& c);         // actuators.cpp
void find_turned_sites(Case& c);       // actuators.cpp
void find_tendon_limits(Case& c);      // tendons.cpp
void find_tendon_armature(Case& c);
void find_side_sites(Case& c);        // tendons.cpp
void find_contacts(Case& c);          // contacts.cpp
void find_quaternion_steps(Case& c);  // motion.cpp
void find_solver_tolerance(Case& c);  // motion.cpp
void find_fluid_lift(Case& c);        // motion.cpp
void find_sensors(Case& c);           // documents.cpp
void find_keyframes(Case& c);         // documents.cpp
void find_mimics(Case& c);            // documents.cpp
/// Muscles whose length range 4.0 does not find, because their tendon goes another way; from errors of the compiler.
void find_lost_ranges(const Spec& spec, const std::vector<Diagnostic>& errors,
                      std::vector<Change>& changes);  // tendons.cpp
/// What 4.0 refuses and 3.12 took; needs no Model.
void find_refused(const Document& document, const Spec& spec, std::vector<Change>& changes);  // documents.cpp

}  // namespace pliant::changes

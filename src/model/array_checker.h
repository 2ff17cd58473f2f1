#pragma once
// The class behind array_checks.h. Sizes are its base, so that model_links.def can use their names.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "model/sensor_kinds.h"
#include "pliant/kinds.h"
#include "pliant/model.h"

namespace pliant {

class ArrayChecker : private ModelSizes {
 public:
  explicit ArrayChecker(const Model& model) : ModelSizes(model), m(model) {}
  /// The first problem of one half of the checks; "" if there is none.
  std::string check_links();
  std::string check_numbers();

 private:
  bool fine() const { return problem_.empty(); }
  void fail(std::string problem) {
    if (fine()) problem_ = std::move(problem);
  }

  // rows of model_links.def (array_checks.cpp)
  void links();
  /// Every value of an array, or of the part of it that starts at `place`.
  template <class T>
  void all_between(const char* name, const T* array, size_t n, int64_t low, int64_t high, size_t place = 0);
  void between(const char* name, size_t place, int64_t value, int64_t low, int64_t high);
  void above(const char* name, const int32_t* data, size_t n, int lowest);
  void span(const char* name, const int32_t* address, const int32_t* number, size_t n, int size);
  void object(const char* name, const int32_t* data, const int32_t* kind, size_t n);
  void bodies(const char* name, const int32_t* data, size_t n);

  // numbers and texts (array_checks.cpp)
  void settings();
  void finite_numbers();
  void truth_values();
  void texts();
  void origins();

  // SPECIAL rows (array_checks_special.cpp)
  void joint_places();
  void plastic_places();
  void packed_mass_matrix();
  void mass_matrix_rows();
  void geom_data();
  void site_shapes();
  void height_samples();
  void texture_bytes();
  void equality_objects();
  void mimic_joints();
  void followers();
  void contact_dimensions();
  void tendon_paths();
  void tendon_columns();
  void actuator_targets();
  void name_tables();
  void skins();
  // what a step relies on (array_checks_step.cpp)
  void tree_shape();
  void trees();
  void dof_patterns();
  void mass_tree();  // mass_tree.cpp
  void moment_entries();
  void state_sizes();
  void contact_candidates();
  void simple_dofs();
  void sensor_kinds();
  void scalar_joint(int joint);
  // laws of actuators and sensors (array_checks_actuators.cpp)
  void actuator_shapes();
  void sensor_shapes();
  void histories();
  // meshes (array_checks_mesh.cpp)
  void bounding_boxes();
  void mesh_faces();
  void mesh_hulls();
  void mesh_polygons();

  void boxes_of(int address, int number, int first, int leaves, bool bare, std::vector<int>& below);

  const Model& m;
  std::string problem_;
};

/// Text for messages: field[place].
inline std::string item_text(const char* field, size_t place) {
  return std::string(field) + "[" + std::to_string(place) + "]";
}

template <class T>
void ArrayChecker::all_between(const char* name, const T* array, size_t n, int64_t low, int64_t high, size_t place) {
  if (!fine() || n == 0) return;
  const T* data = array + place;
  // least and most first, the culprit only when there is one: the usual pass has no branches
  T least = data[0], most = data[0];
  for (size_t i = 1; i < n; ++i) {
    least = std::min(least, data[i]);
    most = std::max(most, data[i]);
  }
  if (int64_t{least} >= low && int64_t{most} <= high) return;
  const T* bad = std::find_if(data, data + n, [&](T x) { return int64_t{x} < low || int64_t{x} > high; });
  between(name, bad - array, int64_t{*bad}, low, high);
}

}  // namespace pliant

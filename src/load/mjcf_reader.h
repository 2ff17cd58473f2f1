#pragma once
// The MJCF reader: element tree → Spec, driven by the schema.
//
// mjcf_reader.cpp walks the sections, mjcf_tree.cpp the kinematic tree with replication, mjcf_attach.cpp
// attached models (mjcf_conflict.cpp: their settings), mjcf_defaults.cpp the classes; mjcf_actuator.cpp and
// mjcf_sensor.cpp read what the schema cannot bind; mjcf_attributes.cpp holds the machinery they all use.

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <unordered_map>

#include "load/mjcf_conflict.h"
#include "load/mjcf_schema.h"
#include "load/source.h"
#include "pliant/ledger.h"
#include "pliant/load_spec.h"

namespace pliant {

class MjcfReader {
 public:
  /// `models` counts the models above this one, so that attachments cannot nest without end.
  MjcfReader(Spec& spec, Ledger& ledger, Diagnostics& diagnostics, const LoadOptions& options,
             std::vector<std::string> models = {})
      : spec(spec),
        ledger(ledger),
        diagnostics(diagnostics),
        options(options),
        tree_(&spec),
        models_above_(std::move(models)) {}

  /// Reads the settings in a URDF's <mujoco> block: <compiler>, <option> and <size>.
  void read_settings(const Element& block);
  /// Reads a whole document, root included.
  void read(const Document& document);

  // ---- services for the element readers --------------------------------------------------------------

  /// Writes every attribute that the schema binds to a member of `object`, checks the others, notes the
  /// fate of each in the ledger. Unknown attributes, wrong types, counts and keywords are reported.
  void read_attributes(const Element& element, const ElementSchema& schema, void* object);

  /// Calls `visit` for every child element that belongs here and is supported; reports the others.
  using ChildVisitor = std::function<void(const Element&, const ElementSchema&)>;
  void for_children(const Element& element, const ElementSchema& schema, const ChildVisitor& visit);

  /// Values of an attribute that is not bound to a member. They return 0 / false when it is absent or
  /// was already reported as wrong, and leave `out` untouched then.
  int reals(const Element& element, std::string_view attribute, std::span<double> out) const;
  bool real(const Element& element, std::string_view attribute, double& out) const;
  bool integer(const Element& element, std::string_view attribute, int& out) const;
  bool boolean(const Element& element, std::string_view attribute, bool& out) const;
  bool word(const Element& element, const ElementSchema& schema, std::string_view attribute, int& out) const;
  /// Several words; values in the order written.
  std::vector<int> words(const Element& element, const ElementSchema& schema, std::string_view attribute) const;
  bool text(const Element& element, std::string_view attribute, std::string& out) const;

  /// Registers the element so that findings can point at it later; the same element keeps its number.
  int source_of(const Element& element);

  void error(Code code, const Element& element, std::string message, std::string hint = {});
  void error_at(Code code, const Attribute& attribute, const Element& element, std::string message,
                std::string hint = {});
  void warning(Code code, const Element& element, std::string message, std::string hint = {});

  Spec& spec;
  Ledger& ledger;
  Diagnostics& diagnostics;
  const LoadOptions& options;

  // ---- element readers, one per family (mjcf_*.cpp) ---------------------------------------------------

  /// Index of the class an element uses: its own `class`, else the one given (mjcf_defaults.cpp).
  int class_of(const Element& element, int inherited);
  int find_class(const Attribute& attribute, const Element& element);
  void read_default(const Element& element, int parent);
  /// One actuator, shortcut or general, onto a record that holds the class's defaults
  /// (mjcf_actuator.cpp).
  /// `actuator` holds what the class `klass` says.
  void read_actuator(const Element& element, const ElementSchema& schema, int klass, ActuatorSpec& actuator);
  /// One sensor; the element's tag is its type (mjcf_sensor.cpp).
  void read_sensor(const Element& element, const ElementSchema& schema, SensorSpec& sensor);

 private:
  void check_rules(const Element& element, const ElementSchema& schema);
  bool read_value(const Element& element, const AttributeSchema& row, const Attribute& attribute, void* object);
  void read_orientation(const Element& element, Orientation& orientation);

  // sections (mjcf_reader.cpp)
  void read_section(const Element& element, const ElementSchema& schema);
  void read_compiler(const Element& element, const ElementSchema& schema);
  void read_option(const Element& element, const ElementSchema& schema);
  void read_size(const Element& element, const ElementSchema& schema);
  void read_visual(const Element& element, const ElementSchema& schema);
  void read_asset(const Element& element, const ElementSchema& schema);
  void read_texture(const Element& element, const ElementSchema& schema, TextureSpec& texture);
  void read_material(const Element& element, const ElementSchema& schema, MaterialSpec& material);
  void read_skin(const Element& element, const ElementSchema& schema);
  void read_equality(const Element& element, const ElementSchema& schema);
  void read_leaders(const Element& element, EqualitySpec& mimic);
  void read_tendon(const Element& element, const ElementSchema& schema);
  void read_custom(const Element& element, const ElementSchema& schema);

  // kinematic tree (mjcf_tree.cpp); objects go to *tree_, which is the Spec or a fragment of it
  struct Place {
    int body = 0, frame = -1, klass = 0;
    const Element* replicate = nullptr;  // set directly inside <replicate>
  };
  void read_tree(const Element& element, const ElementSchema& schema, const Place& place);
  void read_tree_child(const Element& element, const ElementSchema& schema, const Place& place);
  void read_joint(const Element& element, const ElementSchema& schema, const Place& place);
  void read_geom(const Element& element, const ElementSchema& schema, GeomSpec& geom);
  void read_light(const Element& element, const ElementSchema& schema, LightSpec& light);
  void read_inertial(const Element& element, const ElementSchema& schema, const Place& place);
  void read_body(const Element& element, const ElementSchema& schema, const Place& place);
  void read_frame(const Element& element, const ElementSchema& schema, const Place& place);
  void read_scale(const Element& element, FrameSpec& frame);
  void read_replicate(const Element& element, const ElementSchema& schema, const Place& place);

  // attached models (mjcf_attach.cpp)
  void read_model_asset(const Element& element);
  void read_attach(const Element& element, const ElementSchema& schema, const Place& place);
  void attach_fragment(Spec fragment, const Spec& child, const Element& element, const Place& place,
                       const std::string& prefix);
  void self_attach(const Element& element, const Place& place, const std::string& body, const std::string& frame,
                   const std::string& prefix);
  void warn_left_out(const std::vector<std::string>& left_out, const Element& element, const char* reason);
  int64_t tree_size(const Spec& fragment) const;
  int64_t list_size(const Spec& model) const;  ///< elements outside the tree
  /// Counts objects about to be made; false, with an error, when they are too many.
  bool may_copy(int64_t objects, const Element& element);
  void merge_settings(const Spec& child, const GivenSettings& given, const Element& element);

  template <class T>
  T& add(std::vector<T>& list, const Element& element, const T& defaults);

  Spec* tree_;
  std::unordered_map<const Element*, int> source_ids_;
  std::string directory_;
  std::vector<std::string> models_above_;
  struct ChildModel {
    std::string name;
    std::unique_ptr<Spec> spec;
    GivenSettings given;
    int source_offset = -1;  // where its sources and compilers stand in ours, once attached
    int compiler_offset = 0;
  };
  std::vector<ChildModel> child_models_;
  std::set<std::string> unread_models_;  // names of assets that could not be read
  GivenSettings given_;
  int64_t copied_ = 0;  // objects made by replication and attachment
};

template <class T>
T& MjcfReader::add(std::vector<T>& list, const Element& element, const T& defaults) {
  list.push_back(defaults);
  T& object = list.back();
  object.name.clear();
  object.source = source_of(element);
  object.compiler = 0;
  return object;
}

}  // namespace pliant

#pragma once
// The MJCF writer: Spec → text, driven by the schema.
//
// An attribute that the schema binds to a Spec member is written when its text differs from that of a fresh record;
// the others are written by the element's own function, the mirror image of its reader. mjcf_writer.cpp writes the
// sections, mjcf_writer_tree.cpp the kinematic tree, mjcf_writer_laws.cpp tendons, equalities, actuators and sensors.
// Before that the Spec is brought into a form that one file can say: mjcf_flatten.cpp (one set of compiler settings,
// keyframes of the whole), mjcf_contact_wishes.cpp, mjcf_asset_files.cpp (where files are, seen from the text),
// mjcf_for_mujoco.cpp.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "load/mjcf_schema.h"
#include "load/xml_text.h"
#include "pliant/diagnostics.h"
#include "pliant/model.h"
#include "pliant/spec.h"

namespace pliant {

class MjcfWriter {
 public:
  MjcfWriter(const Spec& spec, Diagnostics& diagnostics, bool keep_classes = false, bool reference_form = false)
      : spec(spec), diagnostics(diagnostics), keep_classes_(keep_classes), reference_form_(reference_form) {}

  /// The whole document.
  std::string write();

  // ---- services for the element writers ---------------------------------------------------------------

  using Names = std::initializer_list<std::string_view>;

  /// Writes what the schema binds to members of `object` and differs from `fresh`, which must be of the same type.
  template <class T>
  void bound(const ElementSchema& schema, const T& object, const T& fresh = T{}, Names without = {}) {
    bound_members(schema, &object, &fresh, object_source(object), without);
  }
  /// Whether bound() would write anything.
  template <class T>
  static bool differs(const ElementSchema& schema, const T& object, const T& fresh = T{}, Names without = {}) {
    return members_differ(schema, &object, &fresh, without);
  }
  /// Writes an attribute by the row's list of words.
  void word(const ElementSchema& schema, std::string_view attribute, int value);
  void numbers(std::string_view attribute, std::span<const double> values, int source);
  void text(std::string_view attribute, const std::string& value, int source);
  void orientation(const Orientation& orientation, int source, const Orientation& fresh = {});

  /// The name of a default class that holds `content` (one element as text); the same content gets the same class.
  std::string class_with(const char* purpose, const std::string& content);

  /// Something that the text cannot say.
  void loss(const SpecObject& object, std::string_view attribute, std::string message);

  const Spec& spec;
  Diagnostics& diagnostics;
  XmlText xml{1};

 private:
  void bound_members(const ElementSchema& schema, const void* object, const void* fresh, int source, Names without);
  static bool members_differ(const ElementSchema& schema, const void* object, const void* fresh, Names without);
  void not_writable(int source, std::string_view attribute, const char* why);
  template <class T>
  static int object_source(const T& object) {
    if constexpr (requires { object.source; }) return object.source;
    return -1;
  }

  // default classes (mjcf_writer_classes.cpp): what a reader of the text starts from
  template <class T>
  const T& fresh_of(const T& object) const;
  void write_classes();
  void write_class(int index, const std::vector<std::vector<int>>& nested);
  /// The attribute `class`, unless the element has it from the childclass around it.
  void write_class_of(const SpecObject& object, int inherited = 0);
  /// Index of the class that elements in a frame of a body, or in the body itself, have without saying so.
  int inherited_class(int body, int frame) const;

  // sections (mjcf_writer.cpp)
  void write_settings();
  void write_option();
  void write_size();
  void write_visual();
  void write_assets();
  void write_texture(const TextureSpec& texture);
  void write_material(const MaterialSpec& material);
  void write_skins();
  void write_contact();
  void write_custom();
  void write_keys();
  template <class T>
  void write_list(const char* section, const char* element, const std::vector<T>& list);

  // the kinematic tree (mjcf_writer_tree.cpp)
  struct Content {
    std::vector<int> joints, geoms, sites, cameras, lights, bodies;
  };
  void write_tree();
  void write_content(int body);
  void write_body(int body);
  void enter_frame(int frame);
  void write_joint(const JointSpec& joint);
  void write_geom(const GeomSpec& geom);
  void write_site(const SiteSpec& site);
  void write_camera(const CameraSpec& camera);
  void write_light(const LightSpec& light);
  void write_inertial(const BodySpec& body);

  // laws (mjcf_writer_laws.cpp)
  void write_tendons();
  void write_equalities();
  void write_leaders(const EqualitySpec& mimic);
  void write_actuators();
  void write_actuator_input(const ActuatorSpec& actuator);
  void write_sensors();
  void write_sensor(const SensorSpec& sensor);

  std::vector<Content> content_;                // by body
  std::vector<int> open_frames_;                // from the outermost on
  std::vector<bool> frame_written_;             // a frame that is opened again goes without its name
  std::map<std::string, std::string> classes_;  // content → name
  std::vector<std::string> class_texts_;
  bool keep_classes_;
  bool reference_form_;
  bool whole_rows_ = false;  // all numbers of a row, those of a fresh record included
};

// What a class of the text can say: everything but cameras, lights and actuators, which are written whole.
template <class T>
const T& MjcfWriter::fresh_of(const T& object) const {
  static const T kFresh{};
  const bool known = object.klass >= 0 && object.klass < static_cast<int>(spec.classes.size());
  if (!keep_classes_ || !known) return kFresh;
  const DefaultClass& klass = spec.classes[object.klass];
  if constexpr (std::is_same_v<T, JointSpec>) return klass.joint;
  if constexpr (std::is_same_v<T, GeomSpec>) return klass.geom;
  if constexpr (std::is_same_v<T, SiteSpec>) return klass.site;
  if constexpr (std::is_same_v<T, MeshSpec>) return klass.mesh;
  if constexpr (std::is_same_v<T, MaterialSpec>) return klass.material;
  if constexpr (std::is_same_v<T, TextureSpec>) return klass.texture;
  if constexpr (std::is_same_v<T, PairSpec>) return klass.pair;
  if constexpr (std::is_same_v<T, EqualitySpec>) return klass.equality;
  if constexpr (std::is_same_v<T, TendonSpec>) return klass.tendon;
  return kFresh;
}

/// Whether <freejoint> can say everything about it.
bool is_plain_free_joint(const JointSpec& joint);

/// A file that the model names: where it is (or its bytes, when it is given in memory), and the name of its copy.
struct AssetCopy {
  std::string from, to;
  const std::string* bytes = nullptr;
};

/// Angles, limits, inertias and keyframes of attached models as one set of compiler settings says them. False, with
/// errors in the sink, when the model does not compile, which some of them need.
/// `reference_form`: as write_form.h says.
bool flatten(Spec& spec, Diagnostics& diagnostics, bool reference_form = false);

/// Whether some tendon would not be scaled as it is, because the text opens the frame around it several times
/// (mjcf_torn_frames.cpp). The Spec must be in the order of the tree.
bool tendons_lose_scale(const Spec& spec);

/// The Model, for what only compiling knows; its warnings are none of the writer's.
std::optional<Model> compile_to_write(const Spec& spec, Diagnostics& diagnostics);

/// Wishes of contacts as their own elements can say them (mjcf_contact_wishes.cpp), or as solref and solimp, with
/// losses. False, with errors in the sink, when the model does not compile.
bool settle_contact_wishes(Spec& spec, Diagnostics& diagnostics);
bool compute_contact_wishes(Spec& spec, Diagnostics& diagnostics);

/// Names files as seen from `folder` ("" = absolute paths), or as copies in `copy_folder` beneath it; returns what is
/// to be copied.
std::vector<AssetCopy> place_assets(Spec& spec, const std::string& folder, const std::string& copy_folder,
                                    Diagnostics& diagnostics);

/// Pliant's extensions in their closest standard form. False, with errors in the sink, when the model does not compile.
bool use_standard_forms(Spec& spec, Diagnostics& diagnostics);

}  // namespace pliant

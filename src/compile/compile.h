#pragma once
// The compiler's desk: a working copy of the Spec plus what the passes find out about it.
//
// compile.cpp lists the passes in order. A pass reads and writes Work and reports into
// Work::diagnostics; it never stops at the first problem. After tree_order every list of the working
// Spec is in id order: index == id. When no pass has reported an error, sizes are known, the Model is
// allocated, and the write_* functions fill it.

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "compile/bounds.h"
#include "math/quat.h"
#include "pliant/model.h"
#include "pliant/compile.h"
#include "pliant/spec.h"

namespace pliant {

/// Smallest magnitude the compiler divides by or accepts as a length, as in the reference.
inline constexpr double kCompileEps = 1e-14;
/// Smallest mass and inertia of a moving body.
inline constexpr double kMinVal = 1e-15;
/// Frames closer than this are the same frame.
inline constexpr double kFrameEps = 1e-6;
inline constexpr double kMaxVal = 1e10;

struct BodyWork {
  std::vector<int> children, joints, geoms, sites, cameras, lights;  ///< ids, in order
  Pose pose;                                                         ///< in the parent body
  Pose inertial;                                                     ///< ipos, iquat
  double mass = 0;
  std::array<double, 3> inertia = {};
  bool has_inertia = false;  ///< given by <inertial> or found from geoms
  bool adjusted = false;     ///< its inertia was raised to a bound, or balanced
  int weldid = 0, mocapid = -1, dofnum = 0;
};

struct GeomWork {
  Pose pose;  ///< in the body
  double mass = 0;
  std::array<double, 3> inertia = {};
  GeomBounds bounds;
  std::array<double, kNumFluid> fluid = {};
  int material = -1, data = -1;
  bool visual = false;  ///< cannot collide and nothing refers to it
};

struct SiteWork {
  Pose pose;
  int material = -1, data = -1;
};

struct CameraWork {
  Pose pose;
  int target = -1;
  double fovy = 45;
  std::array<float, 4> intrinsic = {};
};

struct LightWork {
  Vec3 pos, dir;
  int target = -1, texture = -1;
};

struct TextureWork {
  int width = 0, height = 0;
  ColorSpace colorspace = ColorSpace::kAuto;
  bool by_reference = false;  ///< its pixels stay in its file
  std::vector<uint8_t> data;
};

struct PairWork {
  int geom1 = -1, geom2 = -1, signature = -1;
};
struct ExcludeWork {
  int signature = -1;
};
struct EqualityWork {
  int obj1 = -1, obj2 = -1;
  ObjType objtype = ObjType::kUnknown;
  std::vector<int> leaders;  ///< mimic
};

struct WrapWork {
  WrapType type = WrapType::kNone;
  int object = -1;
  double prm = 0;
};
struct TendonWork {
  int material = -1;
  bool limited = false, actfrclimited = false;
  std::vector<WrapWork> path;
};

struct ActuatorWork {
  TransmissionType trntype = TransmissionType::kUndefined;
  int trnid[2] = {-1, -1};
  int actdim = 0, ctrlnum = 1, outnum = 1, ctrlspec = 0;
  bool forcelimited = false, actlimited = false;
  bool simulate_range = false;                   ///< lengthrange is found by simulation
  std::vector<bool> ctrllimited;                 ///< per input
  std::vector<std::array<double, 2>> ctrlrange;  ///< per input
};

struct SensorWork {
  int objid = -1, refid = -1, dim = 0;
  DataType datatype = DataType::kReal;
  Stage needstage = Stage::kAcceleration;
};

/// Nodes of one body's bounding-volume tree, as the reference stores them.
struct BvhWork {
  std::vector<double> aabb;  ///< 6 per node
  std::vector<int> child;    ///< 2 per node, -1 = none
  std::vector<int> depth, nodeid;
  int size() const { return static_cast<int>(depth.size()); }
};

/// A mesh as it is written to the Model; filled by compile_meshes.
struct MeshWork {
  std::vector<double> vertex;                         ///< 3 per vertex, in the principal frame when done
  std::vector<float> normal, texcoord;                ///< 3 and 2 per item
  std::vector<int> face, face_normal, face_texcoord;  ///< 3 per triangle
  std::vector<int> graph;                             ///< convex hull, in the layout of mesh_graph; empty = none
  std::vector<std::vector<int>> polygons;             ///< vertices of each polygon of the hull
  std::vector<std::vector<int>> vertex_polygons;      ///< polygons that meet at each vertex
  std::vector<double> polygon_normal;                 ///< 3 per polygon
  std::array<int, 27> extrema = {};
  Pose pose;                ///< principal frame in the file's frame
  double volume = 0;        ///< or area, with inertia="shell"
  Vec3 box;                 ///< half sizes of the box with the same inertia
  Vec3 low, high;           ///< bounds in the principal frame
  BvhWork bvh;              ///< over faces
  bool inside_out = false;  ///< its volume is negative, and taken as positive
  bool needs_hull = false;  ///< some geom that can collide uses it
  bool failed = false;      ///< an error has been reported: nothing above is complete
};

struct HfieldWork {
  int rows = 0, columns = 0;
  std::vector<float> data;  ///< between 0 and 1, first row at -y
};

struct Work {
  Work(const Spec& spec, Diagnostics& diagnostics) : spec(spec), diagnostics(diagnostics) {}

  Spec spec;
  Diagnostics& diagnostics;
  std::string cache_dir;  ///< of meshes; "" = none
  ModelSizes sizes;

  std::vector<BodyWork> bodies;
  std::vector<GeomWork> geoms;
  std::vector<SiteWork> sites;
  std::vector<CameraWork> cameras;
  std::vector<LightWork> lights;
  std::vector<TextureWork> textures;
  std::vector<MeshWork> meshes;
  std::vector<HfieldWork> hfields;
  std::vector<std::array<int, kNumTexRole>> material_textures;
  std::vector<PairWork> pairs;
  std::vector<ExcludeWork> excludes;
  std::vector<EqualityWork> equalities;
  std::vector<TendonWork> tendons;
  std::vector<ActuatorWork> actuators;
  std::vector<SensorWork> sensors;
  std::vector<BvhWork> bvh;  ///< per body
  std::vector<bool> joint_limited, joint_actfrclimited;
  std::vector<Pose> frames;  ///< composed: in the body

  /// Fields (or "stat.x") that a later stage must fill; the Model lists them.
  std::vector<std::string> pending;

  /// Id of a named object, -1 if there is none (resolve_names.cpp; valid after tree_order).
  int find(ObjType type, std::string_view name) const;
  /// As find, but reports an unknown name as E302 with a did-you-mean hint, at the attribute's value.
  int resolve(ObjType type, const std::string& name, int source, std::string_view attribute);
  std::array<std::unordered_map<std::string, int>, kNumObjTypes> names;
  int unknown_names = 0;  ///< asked for so far

  const CompilerSpec& compiler(const SpecObject& object) const { return spec.compilers[object.compiler]; }

  /// Findings about an object: at the attribute when its element carries it, else at the element. The
  /// message is prefixed with the element's tag and name: "<geom name='foot'> …".
  void error(Code code, const SpecObject& object, std::string_view attribute, std::string message,
             std::string hint = {});
  void warning(Code code, const SpecObject& object, std::string_view attribute, std::string message,
               std::string hint = {});
  void error_at(Code code, int source, std::string_view attribute, std::string message, std::string hint = {});
};

/// `<tag name='x'>` or `<tag>`.
std::string describe(const Spec& spec, const SpecObject& object);

/// Whether a limit is on: said so, or "auto" and range[0] < range[1].
inline bool is_limited(Limited limited, const std::array<double, 2>& range) {
  return limited == Limited::kTrue || (limited == Limited::kAuto && range[0] < range[1]);
}
/// With autolimits="false" a range without its `…limited` attribute is an error; reports it.
void check_autolimits(Work& work, const SpecObject& object, Limited limited, const std::array<double, 2>& range,
                      const char* range_attribute, const char* limited_attribute);

// ---- passes, in the order of compile.cpp ---------------------------------------------------------------
void drop_missing_visuals(Work& work);   // missing_visuals.cpp: meshes without a file, if only looked at
void drop_unusable_visuals(Work& work);  // missing_visuals.cpp: meshes that failed, if only looked at
void tree_order(Work& work);             // tree_order.cpp: bodies depth first, everything in id order
void scale_frames(Work& work);           // scaling.cpp: <frame scale> multiplied into what stands inside
void count_user_sizes(Work& work);       // sizes.cpp: lengths of user data
void index_tree(Work& work);             // tree_order.cpp: who owns what, from the Spec's indices
void reindex(Work& work);                // tree_order.cpp: new ids after the owners' lists have changed
void index_names(Work& work);            // resolve_names.cpp: name tables, repeated names
void resolve_assets(Work& work);         // assets.cpp: materials, textures, meshes named by others
void compile_textures(Work& work);       // textures.cpp: built-in patterns
void compile_hfields(Work& work);        // hfields.cpp: heights, read and normalised
void compile_meshes(Work& work);         // meshes.cpp: files, hulls, inertia, bounding boxes
void compile_frames(Work& work);         // orientation.cpp: frames composed
void compile_bodies(Work& work);         // bodies.cpp: poses, joints, geoms, sites, inertia of each body
void fuse_static(Work& work);            // fuse_static.cpp
void align_free_bodies(Work& work);      // bodies.cpp: free joints that describe inertial frames
void check_free_joints(Work& work);      // bodies.cpp
void compile_pairs(Work& work);          // contact_pairs.cpp
void compile_equalities(Work& work);     // equality.cpp
void compile_tendons(Work& work);        // tendons.cpp
void compile_actuators(Work& work);      // actuators.cpp
void check_mimics(Work& work);           // mimic.cpp: mimics together, and what acts on their followers
void compile_sensors(Work& work);        // sensors.cpp
void compile_custom(Work& work);         // custom.cpp
void discard_visual(Work& work);
void build_bvh(Work& work);            // bvh.cpp
void check_model(Work& work);          // check_model.cpp: ranges, clamps, masses of moving bodies
void check_moving_masses(Work& work);  // compile.cpp
void count_sizes(Work& work);          // sizes.cpp: everything the Model is allocated by

// ---- filling the Model ---------------------------------------------------------------------------------
void write_tree(const Work& work, Model& model);        // bodies, joints, dofs, geoms, sites, …
void scale_total_mass(const Work& work, Model& model);  // write_tree.cpp
void write_constants(Work& work, Model& model);         // write_constants.cpp: set_const and statistics
void write_contact_wishes(Work& work, Model& model);    // contact_wishes.cpp: restitution … to solref
void write_length_ranges(Work& work, Model& model);     // length_ranges.cpp: simulated ones
void write_assets(const Work& work, Model& model);      // textures, materials, skins
void write_hfields(const Work& work, Model& model);     // hfields.cpp
void write_meshes(const Work& work, Model& model);      // meshes.cpp
void write_contact(const Work& work, Model& model);     // pairs, excludes
void write_equalities(const Work& work, Model& model);
void write_tendons(const Work& work, Model& model);  // also wraps
void write_actuators(const Work& work, Model& model);
void write_sensors(const Work& work, Model& model);
void write_custom(const Work& work, Model& model);          // numerics, texts, tuples
void expand_attached_keys(Work& work, const Model& model);  // attached_keys.cpp
void write_keyframes(Work& work, Model& model);             // after the tree: needs nq, nv, qpos0
void write_names(const Work& work, Model& model);           // names, names_map, paths
void check_finite(Work& work, const Model& model);          // check_finite.cpp: after everything is written
void write_sparsity(const Work& work, Model& model);        // simple bodies, M, D, B patterns, tendon rows

// ---- shared pieces -------------------------------------------------------------------------------------
/// Quaternion of an orientation given in any of its forms; reports what is wrong and returns identity then.
Quat resolve_orientation(Work& work, const SpecObject& object, int source, const Orientation& orientation);
/// As resolve_orientation, for who needs it before that has reported what is wrong.
Quat quiet_orientation(const Work& work, const SpecObject& object, const Orientation& orientation);
/// Normalised copy; unchanged when the norm is too small or close enough to 1.
Quat normalized(Quat q);
/// parent ∘ child, with the quaternion normalised.
Pose compose(const Pose& parent, const Pose& child);
/// Minimal rotation that takes +z to the given unit vector.
Quat quat_from_z(Vec3 z);
/// Principal axes and moments of a symmetric 3×3 matrix, moments in descending order; the reference's
/// Jacobi procedure, so that equal moments give the same axes.
/// What is left beside the diagonal is at most `tolerance` of the largest entry, or rounding.
void diagonalize(const double (&full)[3][3], std::array<double, 3>& moments, Quat& axes, double tolerance = 0);
/// Whether moments of diagonalize() are those of a body, or so little below zero that <compiler boundinertia> can raise
/// them.
bool usable_moments(const CompilerSpec& compiler, const std::array<double, 3>& moments);
/// Pixels from image files (texture_files.cpp); called by compile_textures.
void load_texture_files(Work& work, const TextureSpec& texture, TextureWork& out);
/// Whether the Model is to have the path of a texture in place of its pixels; reports when that cannot be.
bool stays_in_file(Work& work, const TextureSpec& texture);  // texture_files.cpp
/// <frame scale> multiplied into the Spec itself, whose lists are in the order of the tree (scaling.cpp).
void scale_spec(Spec& spec, Diagnostics& diagnostics);
// pieces of compile_bodies
void compile_joint(Work& work, int id);                  // joints.cpp
void compile_geom(Work& work, int id, bool infer_mass);  // geoms.cpp
void compile_site(Work& work, int id);                   // geoms.cpp
void compile_camera(Work& work, int id);                 // cameras_lights.cpp
void compile_light(Work& work, int id);                  // cameras_lights.cpp
/// Volume (or area, for shells) and diagonal inertia of a primitive of unit density.
double geom_volume(const GeomSpec& geom);
std::array<double, 3> geom_inertia(const GeomSpec& geom, double mass);
/// Mass, com and inertia of a body from its geoms.
void inertia_from_geoms(Work& work, int body);
/// Adds the mass of a child that becomes part of the body.
void accumulate_inertia(Work& work, int body, int child);

inline Vec3 vec3(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
inline Quat quat(const std::array<double, 4>& a) { return {a[0], a[1], a[2], a[3]}; }

}  // namespace pliant

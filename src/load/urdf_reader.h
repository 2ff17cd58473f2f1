#pragma once
// The URDF reader: element tree → Spec.
//
// Links become bodies and joints the joints of their child link's body. urdf_reader.cpp reads the document and builds
// the tree, urdf_link.cpp reads what a link has (inertia, shapes, colours, meshes), urdf_joint.cpp what a joint has
// (type, limits, mimics), urdf_mass.cpp looks after links without mass, urdf_actuators.cpp makes actuators where they
// are asked for. The schema drives attributes and ledger as it does for MJCF: MjcfReader's services read them.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "load/mjcf_reader.h"
#include "load/urdf_schema.h"
#include "math/quat.h"

namespace pliant {

/// Moments below are rounding errors of exporters [kg m²].
inline constexpr double kNoInertia = 1e-15;

class UrdfReader {
 public:
  UrdfReader(Spec& spec, Ledger& ledger, Diagnostics& diagnostics, const LoadOptions& options)
      : spec_(spec),
        ledger_(ledger),
        diagnostics_(diagnostics),
        options_(options),
        services_(spec, ledger, diagnostics, options) {}

  /// Reads a whole document, whose root is <robot>; takes out of it what is no URDF.
  void read(Document& document, bool in_memory);

 private:
  struct Link {
    const Element* element = nullptr;
    BodySpec body;
    std::vector<GeomSpec> geoms;
    int parent_joint = -1;          ///< -1 = root
    std::vector<int> child_joints;  ///< in the order of the file
    int id = -1;                    ///< of the body, once it stands in the tree
  };
  struct Joint {
    const Element* element = nullptr;
    std::string name;
    UrdfJointType type = UrdfJointType::kFixed;
    int parent = -1, child = -1;   ///< links
    Pose origin;                   ///< of the child link in the parent link
    std::vector<JointSpec> parts;  ///< planar joints have three
    double effort = 0;             ///< 0 = no limit
    // q = multiplier · q_leader + offset
    const Element* mimic = nullptr;
    std::string leader;
    double multiplier = 1, offset = 0;
  };

  // urdf_reader.cpp
  void read_elements(const Element& robot);
  bool connect();
  bool check_tree(const Element& robot, int& root);
  void split_floating();
  void build(int root);
  void place(int link, int parent_body, const Pose& pose);
  void add_floating_base(const Link& root);
  void exclude_neighbours_of_base();
  Pose origin_of(const Element& element);
  using Ids = std::map<std::string, int, std::less<>>;
  /// Reads the name of a link or joint; reports an empty or repeated one. Whether it is a new one.
  bool take_name(const Element& element, Ids& ids, size_t id, std::string& name);
  const Element* child(const Element& element, std::string_view tag) const;
  /// Is at rest in the world whatever the joints do: only fixed joints above.
  bool is_static(int link) const;

  // urdf_link.cpp
  void read_link(const Element& element);
  void read_inertial(const Element& element, BodySpec& body);
  void read_shape(const Element& element, Link& link, Floats<4>& rgba, bool collides);
  bool read_geometry(const Element& geometry, GeomSpec& geom, bool collides);
  bool read_mesh(const Element& element, GeomSpec& geom, bool collides);
  /// Named colours, and meshes that collide: both may be used before they are defined.
  void collect(const Element& element, bool collides);
  void report_guesses();

  // urdf_joint.cpp
  void read_joint(const Element& element);
  void read_parts(const Element& element, Joint& joint);
  void read_limit(const Element& element, Joint& joint);
  void read_mimics();
  void make_mimic(Joint& follower);
  Joint* leader_of(const Joint& follower);

  // urdf_mass.cpp
  void settle_masses();
  bool carries_mass(int link) const;
  // urdf_actuators.cpp
  void read_transmissions(const Element& robot);
  void make_actuators();

  int source_of(const Element& element) { return services_.source_of(element); }

  Spec& spec_;
  Ledger& ledger_;
  Diagnostics& diagnostics_;
  const LoadOptions& options_;
  MjcfReader services_;

  std::string directory_, meshdir_;
  bool in_memory_ = false;
  std::vector<Link> links_;
  std::vector<Joint> joints_;
  Ids link_ids_, joint_ids_;
  std::map<std::string, Floats<4>, std::less<>> materials_;
  std::map<std::string, std::string> mesh_names_;  ///< by file and scale
  std::set<std::string> used_mesh_names_, geom_names_;
  std::set<std::string> colliding_meshes_;  ///< files and scales, as written, that some <collision> uses
  std::vector<std::string> transmitted_;    ///< joints that a <transmission> drives
  struct Guess {
    int count = 0;
    Origin at;
    std::string name, path;
  } guess_;
  struct Unlimited {
    int count = 0;
    Origin at;
  } speed_limits_;
};

}  // namespace pliant

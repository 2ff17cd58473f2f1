#pragma once
// Files into Specs.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/diagnostics.h"
#include "pliant/ledger.h"
#include "pliant/spec.h"

namespace pliant {

/// What a URDF file leaves open; without effect on MJCF.
struct UrdfOptions {
  enum class Actuators : int {
    kNone,      ///< joints move passively
    kEffort,    ///< a motor per actuated joint, limited by the joint's effort
    kPosition,  ///< a position servo per actuated joint, limited likewise
  };
  Actuators actuators = Actuators::kNone;
  /// Stiffness of position servos [N m/rad or N/m]; 0 = ten times the effort limit, or 100 without one.
  double position_kp = 0;
  bool fuse_fixed = false;     ///< links on fixed joints become part of their parent
  bool floating_base = false;  ///< the root link gets a free joint
  bool self_collision = true;  ///< links collide with each other, except neighbours over a joint
  /// Folders that hold packages, for package://NAME/… (or that are a package called NAME themselves). Looked
  /// through before the environment's ROS_PACKAGE_PATH and the folders above the file.
  std::vector<std::string> package_paths;
};

struct LoadOptions {
  /// Accept elements and attributes that Pliant does not support: they become warnings and are left out.
  bool allow_unsupported = false;
  /// Files given in memory, by the name the model uses for them; looked up before the file system.
  std::map<std::string, std::string> assets;
  /// Most elements a document may have, includes counted.
  int64_t max_elements = 2'000'000;
  /// Most objects that replication and attachment may make: a few lines can ask for billions.
  int64_t max_copies = 400'000;
  /// Most bytes that the files of an archive (.mjz, .zip) may have together.
  int64_t max_archive_bytes = int64_t{1} << 30;
  /// Folder for meshes made from files, so that the next load need not make them again; "" = none. It is
  /// created when needed, may be shared by several programs at once, and may be deleted at any time.
  std::string cache_dir;
  UrdfOptions urdf;
};

struct Loaded {
  std::optional<Spec> spec;       ///< absent when there were errors
  std::shared_ptr<Spec> partial;  ///< what could be read when there were errors; for further checks only
  Ledger ledger;
  Diagnostics diagnostics;
  bool urdf = false;  ///< whether the file was URDF
};

/// Reads a model file: MJCF, or URDF when its root element is <robot>, or an archive (.mjz, .zip) that holds one. Never throws for bad input: look at diagnostics.
Loaded load(const std::filesystem::path& path, const LoadOptions& options = {});
/// Reads a model from text.
Loaded load_string(std::string_view xml, const LoadOptions& options = {});

}  // namespace pliant

// Spec → Model: the list of passes.

#include "compile/compile.h"

#include <algorithm>

#include "compile/asset_files.h"
#include "compile/counts.h"
#include "model/contact_candidates.h"

namespace pliant {
namespace {

struct Pass {
  const char* name;
  void (*run)(Work&);
};

// In this order; a pass may rely on everything above it.
constexpr Pass kPasses[] = {
    {"missing visuals", drop_missing_visuals},  // before anything has an id
    {"tree order", tree_order},                 // ids
    {"skins", read_skins},                      // whose bones may be scaled
    {"scaled frames", scale_frames},            // as if authored at that size; may copy assets
    {"names", index_names},                     // repeated names
    {"assets", resolve_assets},                 // materials, textures
    {"textures", compile_textures},             //
    {"height fields", compile_hfields},
    {"meshes", compile_meshes},          // before geoms: size, mass, pose
    {"keyframes", expand_keyframes},     // as many as <size> asks for
    {"frames", compile_frames},          //
    {"bodies", compile_bodies},          // poses, joints, geoms, sites, inertia
    {"visual geoms", discard_visual},    // changes ids
    {"static bodies", fuse_static},      // changes ids for the last time
    {"user sizes", count_user_sizes},    // of what is left
    {"free joints", check_free_joints},  // fusing may have brought them to the top
    {"free frames", align_free_bodies},  // … or left them without children
    {"bounding volumes", build_bvh},     //
    {"contact pairs", compile_pairs},
    {"tendons", compile_tendons},
    {"equalities", compile_equalities},
    {"actuators", compile_actuators},
    {"mimic joints", check_mimics},
    {"sensors", compile_sensors},
    {"custom data", compile_custom},
    {"checks", check_model},
    {"moving masses", check_moving_masses},
    {"sizes", count_sizes},
};

void keep_origins(const Work& work, Model& model) {
  const auto keep = [&](ObjType type, const auto& list) {
    auto& origins = model.origins[type];
    origins.reserve(list.size());
    for (const auto& object : list) origins.push_back(work.spec.origin(object.source));
  };
  const Spec& s = work.spec;
  keep(ObjType::kBody, s.bodies);
  keep(ObjType::kJoint, s.joints);
  keep(ObjType::kGeom, s.geoms);
  keep(ObjType::kSite, s.sites);
  keep(ObjType::kCamera, s.cameras);
  keep(ObjType::kLight, s.lights);
  keep(ObjType::kMesh, s.meshes);
  keep(ObjType::kHfield, s.hfields);
  keep(ObjType::kTexture, s.textures);
  keep(ObjType::kMaterial, s.materials);
  keep(ObjType::kPair, s.pairs);
  keep(ObjType::kExclude, s.excludes);
  keep(ObjType::kEquality, s.equalities);
  keep(ObjType::kTendon, s.tendons);
  keep(ObjType::kActuator, s.actuators);
  keep(ObjType::kSensor, s.sensors);
  keep(ObjType::kNumeric, s.numerics);
  keep(ObjType::kText, s.texts);
  keep(ObjType::kTuple, s.tuples);
  keep(ObjType::kKey, s.keys);
  model.files = work.diagnostics.files();
}

/// A few characters can ask for any amount of user data, keyframes and histories. What comes from files is
/// counted by its files, and what is copied by LoadOptions::max_copies.
bool fits_memory(Work& work) {
  constexpr int64_t kMaxBytes = int64_t{1} << 27;
  ModelSizes rest = work.sizes;
  rest.nuser_body = rest.nuser_jnt = rest.nuser_geom = rest.nuser_site = rest.nuser_cam = 0;
  rest.nuser_tendon = rest.nuser_actuator = rest.nuser_sensor = rest.nkey = 0;
  const int64_t state = int64_t{rest.na} + rest.nuserdata + rest.nhistory + rest.nsensordata;
  const int64_t bytes = static_cast<int64_t>(Model::block_bytes(work.sizes) - Model::block_bytes(rest)) + 8 * state;
  if (bytes <= kMaxBytes) return true;
  work.diagnostics.error(Code::kTooLarge, Origin{0, 0, 0}, "",
                         "user data, keyframes, activations, histories and sensors would take " +
                             std::to_string(bytes) + " bytes, more than " + std::to_string(kMaxBytes),
                         "look for sizes that are too large");
  return false;
}

}  // namespace

void check_moving_masses(Work& work) {
  // a moving body needs mass and inertia of its own, or from a static child (and so on)
  const auto heavy = [&](auto&& self, int b) -> bool {
    const BodyWork& body = work.bodies[b];
    // an inertia that is kept although no body has it counts by its largest moment
    const bool kept = work.compiler(work.spec.bodies[b]).inertiatolerance > 0;
    const auto [least, most] = std::minmax_element(body.inertia.begin(), body.inertia.end());
    if (body.mass >= kMinVal && (kept ? *most : *least) >= kMinVal) return true;
    for (int c : body.children) {
      if (work.bodies[c].joints.empty() && self(self, c)) return true;
    }
    return false;
  };
  for (size_t b = 1; b < work.bodies.size(); ++b) {
    if (work.bodies[b].joints.empty() || heavy(heavy, static_cast<int>(b))) continue;
    work.error(Code::kBadMass, work.spec.bodies[b], "", "moves, but has no mass or no inertia about some axis",
               "give it a geom or an <inertial>");
  }
}

Compiled compile(const Spec& spec, Diagnostics& diagnostics, const CompileOptions& options) {
  Work work(spec, diagnostics);
  work.cache_dir = options.cache_dir;
  for (const Pass& pass : kPasses) pass.run(work);
  Compiled compiled;
  if (diagnostics.has_errors()) return compiled;

  if (!fits_memory(work)) return compiled;
  Model model(work.sizes);
  write_tree(work, model);
  write_bvh(work, model);
  write_assets(work, model);
  write_hfields(work, model);
  write_meshes(work, model);
  write_contact(work, model);
  write_contact_candidates(model);
  write_tendons(work, model);
  write_equalities(work, model);
  write_actuators(work, model);
  write_sensors(work, model);
  write_custom(work, model);
  write_sparsity(work, model);
  scale_total_mass(work, model);
  write_constants(work, model);
  write_contact_wishes(work, model);
  write_length_ranges(work, model);
  expand_attached_keys(work, model);
  write_keyframes(work, model);
  write_names(work, model);
  keep_origins(work, model);
  model.pending = work.pending;
  check_finite(work, model);
  prepare_contacts(model);
  if (!diagnostics.has_errors()) compiled.model = std::move(model);
  return compiled;
}

}  // namespace pliant

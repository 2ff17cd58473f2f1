// What MuJoCo does not read, in the closest form that it reads; each loss is a finding.
//
//   mimic with one leader     <equality><joint>, which counts from the reference position:
//                             q_f − f0 = a0 + a1 (q_l − l0) with a1 = −g and a0 = −(f0 + g l0 + offset)
//   mimic with more           a fixed tendon of length L = q_f + Σ g q_l, held at −offset: a0 = −(L0 + offset)
//   how it holds              a soft constraint: as stiff as the timestep allows for 'exact' and 'hard', and
//                             k = ω², b = 2ζω for 'soft', whose solref is (1/(ζ ω dmax), ζ)
//   solver TGS                Newton
//   restitution, stiffness …  the solref and solimp that compiling makes of them
//   inertias of no body       (inertiatolerance) the nearest moments that a body can have
//   COLLADA, glTF, text STL   vertices and faces in the text itself
//   meshes without a file     left out with the geoms that show them: MuJoCo refuses the model otherwise

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "write/mjcf_writer.h"
#include "math/principal_axes.h"
#include "pliant/option_checks.h"
#include "spec/asset_location.h"
#include "spec/mesh_inline.h"

namespace pliant {
namespace {

constexpr double kLeastMoment = 1e-15;  // [kg m²]; MuJoCo moves no body with less
constexpr double kRounding = 4e-16;     // of a sum of moments

class StandardForms {
 public:
  StandardForms(Spec& spec, Diagnostics& diagnostics) : spec_(spec), diagnostics_(diagnostics) {}

  bool use() {
    replace_options();
    if (!compute_contact_wishes(spec_, diagnostics_)) return false;
    repair_inertias();
    for (EqualitySpec& equality : spec_.equalities) {
      if (equality.type == EqualityType::kMimic) replace_mimic(equality);
    }
    inline_meshes();
    drop_missing_meshes();
    drop_missing_textures();
    return true;
  }

 private:
  void loss(int source, std::string_view attribute, std::string_view tag, std::string message) {
    diagnostics_.warning(Code::kWriteLoss, spec_.origin(source, attribute), tag, std::move(message));
  }

  template <class Elements>
  void leave_friction_laws(Elements& elements, const char* tag) {
    for (auto& element : elements) {
      if (element.friction_law == OwnFrictionLaw::kAnchored) {
        loss(element.source, "friction_law", tag,
             std::string("<") + tag + (element.name.empty() ? "" : " name=" + quote(element.name)) +
                 "> friction_law is left out: in MuJoCo friction holds a load by creeping");
      }
      element.friction_law = OwnFrictionLaw::kOption;
    }
  }

  // ---- options ------------------------------------------------------------------------------------------

  void replace_options() {
    Options& option = spec_.option;
    const Options fresh;
    if (const SolverTraits& solver = traits(option.solver); !solver.reference) {
      option.solver = fresh.solver;
      loss(spec_.option_source, "solver", "option",
           std::string("<option> MuJoCo has no solver ") + solver.keyword + "; Newton stands in its place");
    } else if (option.tgs_substeps != fresh.tgs_substeps || option.tgs_sweeps != fresh.tgs_sweeps) {
      loss(spec_.option_source, "tgs_substeps", "option",
           "<option> tgs_substeps and tgs_sweeps are left out: MuJoCo has no solver TGS");
    }
    option.tgs_substeps = fresh.tgs_substeps;
    option.tgs_sweeps = fresh.tgs_sweeps;
    if (option.discrete_full != fresh.discrete_full && is_discrete(option)) {
      loss(spec_.option_source, "discrete_full", "option",
           "<option> discrete_full is left out: in MuJoCo gyroscopic terms of free bodies with contacts, and tendons "
           "and actuators under PGS, are explicit");
    }
    option.discrete_full = fresh.discrete_full;
    if (option.friction != fresh.friction) {
      loss(spec_.option_source, "friction", "option",
           "<option> friction is left out: in MuJoCo friction holds a load by creeping");
    }
    option.friction = fresh.friction;
    leave_friction_laws(spec_.geoms, "geom");
    leave_friction_laws(spec_.pairs, "pair");
    if (option.spin != fresh.spin) {
      loss(spec_.option_source, "spin", "option",
           "<option> spin is left out: in MuJoCo spinning bodies gain or lose energy, as the integrator has it");
    }
    option.spin = fresh.spin;
    if (option.enableflags & kEnableDiagStack) {
      option.enableflags &= ~kEnableDiagStack;
      loss(spec_.option_source, "diagstack", "flag",
           "<flag> diagstack is left out: in MuJoCo a light body under a heavy one sinks by the ratio of their masses");
    }
    if (option.resolution != fresh.resolution) {
      loss(spec_.option_source, "resolution", "option",
           "<option> resolution is left out: in MuJoCo contacts that slide are lifted in proportion to their speed");
    }
    option.resolution = fresh.resolution;
    if (option.integrator == Integrator::kMidpoint) {
      option.integrator = Integrator::kImplicitFast;
      loss(spec_.option_source, "integrator", "option",
           "<option> integrator=\"midpoint\" becomes implicitfast: MuJoCo has no integrator that conserves");
    }
    if (option.enableflags & kEnableSpeculativeExact) {
      option.enableflags &= ~kEnableSpeculativeExact;
      loss(spec_.option_source, "speculative_exact", "flag",
           "<flag> speculative_exact is left out: in MuJoCo what is fast can still pass through what is thin, "
           "depending on integrator, solref and solimp");
    }
  }

  // ---- inertias -----------------------------------------------------------------------------------------

  /// MuJoCo has no inertiatolerance: it refuses what Pliant keeps with a warning.
  void repair_inertias() {
    for (BodySpec& body : spec_.bodies) {
      const CompilerSpec& compiler = spec_.compilers[body.compiler];
      if (body.has_inertial && compiler.inertiatolerance > 0 && !compiler.balanceinertia) repair_inertia(body);
    }
    for (CompilerSpec& compiler : spec_.compilers) compiler.inertiatolerance = 0;
  }

  void repair_inertia(BodySpec& body) {
    Reals<3> before = body.inertia;
    Quat axes;
    const bool full = defined(body.fullinertia[0]);
    if (full) {
      const auto& f = body.fullinertia;
      const double matrix[3][3] = {{f[0], f[3], f[4]}, {f[3], f[1], f[5]}, {f[4], f[5], f[2]}};
      double moments[3];
      principal_axes(matrix, moments, axes);
      std::copy_n(moments, 3, before.begin());
    }
    if (*std::max_element(before.begin(), before.end()) <= 0) return;  // none at all
    Reals<3> after;
    std::transform(before.begin(), before.end(), after.begin(),
                   [](double moment) { return std::max(moment, kLeastMoment); });
    // the nearest that a body can have: what the largest exceeds the others by, shared among the three
    const auto largest = std::max_element(after.begin(), after.end());
    double others = 0;
    for (auto moment = after.begin(); moment != after.end(); ++moment) others += moment == largest ? 0 : *moment;
    if (const double excess = *largest - others; excess > 0) {
      for (double& moment : after) moment += excess / 3;
      *largest = (others + 2 * excess / 3) * (1 - kRounding);
    }
    if (after == before) return;
    const auto text = [](const Reals<3>& m) {
      return number_text(m[0]) + " " + number_text(m[1]) + " " + number_text(m[2]);
    };
    loss(body.inertial_source, "", "inertial",
         "<body name='" + body.name + "'> has the moments of inertia " + text(before) + ", which MuJoCo refuses; " +
             text(after) + " stand in their place");
    body.inertia = after;
    if (!full) return;
    body.iorientation = {};
    body.iorientation.quat = {axes.w, axes.x, axes.y, axes.z};
    body.fullinertia[0] = kUndefined;
  }

  // ---- mimics -------------------------------------------------------------------------------------------

  /// Position in the reference configuration, as compiling will have it.
  double reference(const std::string& name) const {
    for (const JointSpec& joint : spec_.joints) {
      if (joint.name != name) continue;
      const bool degrees = spec_.compilers[0].degree && joint_kind(joint.type).is_angle();
      return degrees ? joint.ref * (3.14159265358979323846 / 180.0) : joint.ref;
    }
    return 0;
  }

  /// solref and solimp; returns how the message calls them.
  std::string soften(EqualitySpec& mimic) {
    if (mimic.mode == MimicMode::kSoft && mimic.naturalfreq > 0 && mimic.dampratio > 0) {
      mimic.solimp = kDefaultSolimp;
      mimic.solref = {1 / (mimic.dampratio * mimic.naturalfreq * mimic.solimp[1]), mimic.dampratio};
      return "naturalfreq and dampratio become solref, which acts on the constraint's own inertia and is bounded below "
             "by the timestep";
    }
    mimic.solref = {2 * spec_.option.timestep, 1};
    mimic.solimp = {0.99, 0.999, 0.001, 0.5, 2};
    return std::string(mimic.mode == MimicMode::kHard ? "the hard" : "the exact") + " coupling becomes a stiff spring";
  }

  void replace_mimic(EqualitySpec& mimic) {
    std::vector<double> gear = mimic.gear;
    gear.resize(mimic.leaders.size(), 1);
    // value of q_f + Σ g q_l + offset in the reference configuration
    double residual = reference(mimic.object1) + mimic.offset;
    for (size_t i = 0; i < gear.size(); ++i) residual += gear[i] * reference(mimic.leaders[i]);

    const std::string softness = soften(mimic), follower = mimic.object1;
    mimic.data = {};
    mimic.data[0] = -residual;
    mimic.data[kTorqueScale] = 1;
    std::string form = "<joint>";
    if (mimic.leaders.size() == 1) {
      mimic.type = EqualityType::kJoint;
      mimic.object2 = mimic.leaders[0];
      mimic.data[1] = -gear[0];
    } else {
      form = "<tendon> on a fixed tendon, because it has several leaders";
      hang_tendon(mimic, gear);
    }
    loss(mimic.source, "", "mimic",
         "<mimic> of joint " + quote(follower) + " becomes an equality " + form + ": " + softness);
    mimic.leaders.clear();
    mimic.gear.clear();
  }

  void hang_tendon(EqualitySpec& mimic, const std::vector<double>& gear) {
    TendonSpec tendon;
    tendon.spatial = false;
    tendon.source = mimic.source;
    tendon.name = mimic.object1 + "_mimic";
    const auto taken = [&](const TendonSpec& other) { return other.name == tendon.name; };
    while (std::any_of(spec_.tendons.begin(), spec_.tendons.end(), taken)) tendon.name += "_";
    const auto add = [&](const std::string& joint, double coefficient) {
      tendon.path.push_back({WrapType::kJoint, joint, "", coefficient, mimic.source});
    };
    add(mimic.object1, 1);
    for (size_t i = 0; i < gear.size(); ++i) add(mimic.leaders[i], gear[i]);
    mimic.type = EqualityType::kTendon;
    mimic.objtype = ObjType::kTendon;
    mimic.object1 = tendon.name;
    mimic.object2.clear();
    mimic.data[1] = 1;
    spec_.tendons.push_back(std::move(tendon));
  }

  // ---- files --------------------------------------------------------------------------------------------

  bool is_missing(const SpecObject& asset, const std::string& directory, const std::string& file) const {
    if (file.empty()) return false;
    const std::string path = asset_path(spec_.compilers[asset.compiler], directory, file);
    std::error_code problem;
    return !find_in_memory(spec_, path) && !std::filesystem::is_regular_file(path, problem);
  }

  void inline_meshes() {
    const std::vector<std::string> names = inline_foreign_meshes(spec_);
    for (const MeshSpec& mesh : spec_.meshes) {
      if (std::find(names.begin(), names.end(), mesh.name) == names.end()) continue;
      loss(mesh.source, "file", "mesh",
           "<mesh name='" + mesh.name +
               "'> has a file of a format that MuJoCo does not read; its vertices and faces stand in "
               "the text, without normals and texture coordinates");
    }
  }

  void drop_missing_meshes() {
    std::set<std::string> missing;
    for (const MeshSpec& mesh : spec_.meshes) {
      if (!is_missing(mesh, spec_.compilers[mesh.compiler].meshdir, mesh.file)) continue;
      missing.insert(mesh.name);
      loss(mesh.source, "file", "mesh",
           "<mesh name='" + mesh.name +
               "'> has no file, which MuJoCo refuses; it is left out with the geoms that show it");
    }
    std::erase_if(spec_.meshes, [&](const MeshSpec& mesh) { return missing.count(mesh.name) > 0; });
    std::erase_if(spec_.geoms, [&](const GeomSpec& geom) { return missing.count(geom.mesh) > 0; });
  }

  void drop_missing_textures() {
    std::set<std::string> missing;
    for (const TextureSpec& texture : spec_.textures) {
      if (texture.builtin != TextureBuiltin::kNone) continue;
      const std::string& directory = spec_.compilers[texture.compiler].texturedir;
      bool gone = is_missing(texture, directory, texture.file);
      for (const std::string& side : texture.cubefiles) gone |= is_missing(texture, directory, side);
      if (!gone) continue;
      missing.insert(texture.name);
      loss(texture.source, "file", "texture",
           "<texture name='" + texture.name + "'> has no file, which MuJoCo refuses; it is left out");
    }
    std::erase_if(spec_.textures, [&](const TextureSpec& texture) { return missing.count(texture.name) > 0; });
    for (MaterialSpec& material : spec_.materials) {
      for (std::string& texture : material.textures) {
        if (missing.count(texture)) texture.clear();
      }
    }
    for (LightSpec& light : spec_.lights) {
      if (missing.count(light.texture)) light.texture.clear();
    }
  }

  Spec& spec_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool use_standard_forms(Spec& spec, Diagnostics& diagnostics) { return StandardForms(spec, diagnostics).use(); }

}  // namespace pliant

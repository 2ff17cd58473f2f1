// One file has one set of compiler settings. Attached models bring their own, so what those settings act on is turned
// into what the main ones say:
//   angles          as they are when all agree, else everything in radians
//   Euler angles    another sequence becomes a quaternion
//   autolimits      on when any model has it on: a range that it would ignore is an error anyway
//   alignfree       'align' of the free joint itself
//   fitaabb         as all shapes that are fitted to meshes have it; where they disagree, a loss
//   inertia         bounds, groups and origin: every body gets the <inertial> that compiling gives it (also where
//                   'saveinertial' asks for it)
// Keyframes of attached models are values of single joints; they are written as those of the whole, which compiling
// knows. A frame chain is left as it is, but for its scale where compiled numbers stand in it or the text would tear it
// apart around a tendon (mjcf_torn_frames.cpp).

#include <algorithm>
#include <optional>
#include <set>

#include "write/mjcf_writer.h"
#include "compile/asset_files.h"
#include "compile/compile.h"
#include "math/quat.h"
#include "pliant/compile.h"
#include "spec/euler.h"
#include "spec/tree.h"

namespace pliant {
namespace {

constexpr double kPi = 3.14159265358979323846;

template <class F>
void for_tree_objects(Spec& spec, F visit) {
  for (auto& body : spec.bodies) visit(body);
  for (auto& frame : spec.frames) visit(frame);
  for (auto& joint : spec.joints) visit(joint);
  for (auto& geom : spec.geoms) visit(geom);
  for (auto& site : spec.sites) visit(site);
  for (auto& camera : spec.cameras) visit(camera);
  for (auto& light : spec.lights) visit(light);
}

std::set<int> compilers_of_tree(Spec& spec) {
  std::set<int> used = {0};
  for_tree_objects(spec, [&](const SpecObject& object) { used.insert(object.compiler); });
  return used;
}

// the formulas are those of the compiler, so that the numbers it makes of them are the same
void to_radians(Orientation& orientation) {
  if (orientation.kind == OrientationKind::kAxisAngle) orientation.value[3] = orientation.value[3] / 180.0 * kPi;
  if (orientation.kind != OrientationKind::kEuler) return;
  for (int i = 0; i < 3; ++i) orientation.value[i] = orientation.value[i] / 180.0 * kPi;
}

void to_radians(JointSpec& joint) {
  const bool angle_of_one = joint_kind(joint.type).is_angle(), ball = joint_kind(joint.type).is_ball();
  const bool limited =
      joint.limited == Limited::kTrue || (joint.limited == Limited::kAuto && joint.range[0] < joint.range[1]);
  // a range that limits nothing is stored as written
  for (double& angle : joint.range) {
    if (limited && (angle_of_one || ball) && angle != 0) angle *= kPi / 180.0;
  }
  if (angle_of_one || ball) joint.springyield *= kPi / 180.0;
  if (!angle_of_one) return;
  joint.ref *= kPi / 180.0;
  joint.springref *= kPi / 180.0;
}

void resequence(Orientation& orientation, const CompilerSpec& own, const CompilerSpec& main) {
  if (orientation.kind != OrientationKind::kEuler || own.eulerseq == main.eulerseq) return;
  const double angles[3] = {orientation.value[0], orientation.value[1], orientation.value[2]};
  const Quat q = quat_from_euler(angles, own.eulerseq, own.degree);
  orientation.kind = OrientationKind::kQuat;
  orientation.quat = {q.w, q.x, q.y, q.z};
}

/// Calls f for every orientation of the tree with the settings that it was written under.
template <class F>
void for_orientations(Spec& spec, F visit) {
  for (BodySpec& body : spec.bodies) {
    visit(body.orientation, spec.compilers[body.compiler]);
    visit(body.iorientation, spec.compilers[body.compiler]);
  }
  const auto each = [&](auto& list) {
    for (auto& object : list) visit(object.orientation, spec.compilers[object.compiler]);
  };
  each(spec.frames), each(spec.geoms), each(spec.sites), each(spec.cameras);
}

void unify_angles(Spec& spec, const std::set<int>& used, bool radians) {
  CompilerSpec& main = spec.compilers[0];
  for_orientations(spec, [&](Orientation& o, const CompilerSpec& own) { resequence(o, own, main); });
  const bool agree =
      std::all_of(used.begin(), used.end(), [&](int c) { return spec.compilers[c].degree == main.degree; });
  if (agree && !(radians && main.degree)) return;
  for_orientations(spec, [](Orientation& o, const CompilerSpec& own) {
    if (own.degree) to_radians(o);
  });
  for (JointSpec& joint : spec.joints) {
    if (spec.compilers[joint.compiler].degree) to_radians(joint);
  }
  // what an element has from its class is compared with it as text: both must be in the same unit
  if (agree) {
    for (DefaultClass& klass : spec.classes) {
      to_radians(klass.joint);
      to_radians(klass.geom.orientation), to_radians(klass.site.orientation), to_radians(klass.camera.orientation);
    }
  }
  main.degree = false;
}

/// An order of Euler angles that no orientation uses means nothing. (Classes have orientations, too.)
void drop_unused_sequence(Spec& spec) {
  bool used = false;
  const auto look = [&](const Orientation& o) { used |= o.kind == OrientationKind::kEuler; };
  for_orientations(spec, [&](const Orientation& o, const CompilerSpec&) { look(o); });
  for (const DefaultClass& klass : spec.classes) {
    look(klass.geom.orientation), look(klass.site.orientation), look(klass.camera.orientation);
  }
  if (!used) spec.compilers[0].eulerseq = CompilerSpec{}.eulerseq;
}

/// What the compiler would find out: as many numbers as the longest list has.
void say_sizes_of_user_data(Spec& spec) {
  const auto say = [](int& size, const auto& list) {
    if (size >= 0) return;
    size_t most = 0;
    for (const auto& object : list) most = std::max(most, object.user.size());
    if (most > 0) size = static_cast<int>(most);
  };
  SizeSpec& size = spec.size;
  say(size.nuser_body, spec.bodies), say(size.nuser_jnt, spec.joints), say(size.nuser_geom, spec.geoms);
  say(size.nuser_site, spec.sites), say(size.nuser_cam, spec.cameras), say(size.nuser_tendon, spec.tendons);
  say(size.nuser_actuator, spec.actuators), say(size.nuser_sensor, spec.sensors);
}

void unify_limits(Spec& spec, const std::set<int>& used) {
  CompilerSpec& main = spec.compilers[0];
  for (const int c : used) main.autolimits |= spec.compilers[c].autolimits;
  // only <freejoint> can say 'align' itself; a free joint with other attributes follows the setting, so the setting
  // follows it
  const bool main_align = main.alignfree;
  const auto align_of = [&](const JointSpec& joint) {
    const int c = spec.bodies[joint.body].compiler;
    return c == 0 ? main_align : spec.compilers[c].alignfree;
  };
  // (a body that carries others is never aligned)
  std::vector<bool> carries(spec.bodies.size(), false);
  for (size_t b = 1; b < spec.bodies.size(); ++b) carries[spec.bodies[b].parent] = true;
  const auto concerns = [&](const JointSpec& joint) { return joint_kind(joint.type).floats() && !carries[joint.body]; };
  for (const JointSpec& joint : spec.joints) {
    if (concerns(joint) && !is_plain_free_joint(joint)) main.alignfree = align_of(joint);
  }
  for (JointSpec& joint : spec.joints) {
    if (!concerns(joint) || joint.align != Limited::kAuto) continue;
    if (align_of(joint) != main.alignfree) joint.align = align_of(joint) ? Limited::kTrue : Limited::kFalse;
  }
}

/// The way that shapes are fitted to meshes; where models disagree, that of the first shape, and the others lose
/// theirs.
void unify_fits(Spec& spec, Diagnostics& diagnostics) {
  const auto fits = [](const GeomSpec& geom) { return !geom.mesh.empty() && geom.type != GeomType::kMesh; };
  const auto first = std::find_if(spec.geoms.begin(), spec.geoms.end(), fits);
  if (first == spec.geoms.end()) return;
  const bool whole = spec.compilers[first->compiler].fitaabb;
  for (const GeomSpec& geom : spec.geoms) {
    if (!fits(geom) || spec.compilers[geom.compiler].fitaabb == whole) continue;
    diagnostics.warning(Code::kWriteLoss, spec.origin(geom.source), spec.tag(geom.source),
                        "<geom name='" + geom.name +
                            "'> is fitted to its mesh as 'fitaabb' of its own model says; in the text "
                            "it is fitted as the first such geom is");
  }
  spec.compilers[0].fitaabb = whole;
}

bool same_inertia_rules(const CompilerSpec& a, const CompilerSpec& b) {
  return a.boundmass == b.boundmass && a.boundinertia == b.boundinertia && a.balanceinertia == b.balanceinertia &&
         a.inertiafromgeom == b.inertiafromgeom && a.inertiagrouprange == b.inertiagrouprange;
}

/// Writes out the inertia of every body; the Spec must be in the order of the tree.
bool write_out_inertias(Spec& spec, Diagnostics& diagnostics) {
  Spec plain = spec;
  // bodies as they are before anything is fused, moved or scaled
  for (CompilerSpec& compiler : plain.compilers) {
    compiler.fusestatic = compiler.discardvisual = compiler.alignfree = false;
    compiler.settotalmass = -1;
  }
  for (JointSpec& joint : plain.joints) joint.align = Limited::kFalse;
  const std::optional<Model> compiled = compile_to_write(plain, diagnostics);
  if (!compiled) return false;
  const Model& model = *compiled;
  for (int b = 1; b < model.nbody; ++b) {
    BodySpec& body = spec.bodies[b];
    const double* moments = model.body_inertia + 3 * b;
    const bool weighs = model.body_mass[b] != 0 || moments[0] != 0 || moments[1] != 0 || moments[2] != 0;
    if (!body.has_inertial && !weighs && model.body_geomnum[b] == 0) continue;  // nothing to say
    body.has_inertial = true;
    body.inertial_frame = -1;  // compiled numbers are those of the body
    body.mass = model.body_mass[b];
    std::copy_n(model.body_ipos + 3 * b, 3, body.ipos.begin());
    std::copy_n(moments, 3, body.inertia.begin());
    body.iorientation = {};
    std::copy_n(model.body_iquat + 4 * b, 4, body.iorientation.quat.begin());
    body.fullinertia[0] = kUndefined;
  }
  CompilerSpec& main = spec.compilers[0];
  const CompilerSpec fresh;
  main.boundmass = fresh.boundmass;
  main.boundinertia = fresh.boundinertia;
  main.balanceinertia = fresh.balanceinertia;
  main.inertiafromgeom = fresh.inertiafromgeom;
  return true;
}

/// Meshes that are only looked at and could not be used are left out, as compiling does: no attribute says that they
/// may.
bool drop_unusable_meshes(Spec& spec, Diagnostics& diagnostics) {
  const auto is_optional = [](const MeshSpec& mesh) { return mesh.optional; };
  if (std::none_of(spec.meshes.begin(), spec.meshes.end(), is_optional)) return true;
  Spec whole = spec;
  whole.compilers[0].discardvisual = false;
  const std::optional<Model> model = compile_to_write(whole, diagnostics);
  if (!model) return false;
  std::set<std::string> unusable;
  for (const MeshSpec& mesh : spec.meshes) {
    if (mesh.optional && model->id(ObjType::kMesh, mesh.name) < 0) unusable.insert(mesh.name);
  }
  std::erase_if(spec.meshes, [&](const MeshSpec& mesh) { return unusable.count(mesh.name) > 0; });
  std::erase_if(spec.geoms, [&](const GeomSpec& geom) { return unusable.count(geom.mesh) > 0; });
  return true;
}

/// Frames without scale: numbers inside as they are once scaled.
bool multiply_scales(Spec& spec, Diagnostics& diagnostics) {
  Diagnostics own;
  for (const std::string& file : spec.files) own.add_file(file);
  const auto scales = [](const FrameSpec& frame) { return frame.scale != FrameSpec{}.scale; };
  if (std::any_of(spec.frames.begin(), spec.frames.end(), scales)) {
    put_skins_inline(spec, own, [](const SkinSpec&) { return true; });
  }
  scale_spec(spec, own);
  for (const Diagnostic& finding : own.list()) {
    if (finding.severity != Severity::kError) continue;
    diagnostics.error(Code::kNotWritable, Origin{0, 0, 0}, finding.element,
                      "the model cannot be written, because it cannot be scaled: " + finding.text());
  }
  return !own.has_errors();
}

/// Keyframes in full, in the order and with the empty ones that compiling gives them.
bool write_out_keys(Spec& spec, Diagnostics& diagnostics) {
  const std::optional<Model> compiled = compile_to_write(spec, diagnostics);
  if (!compiled) return false;
  const Model& model = *compiled;
  const size_t own = std::find_if(spec.keys.begin(), spec.keys.end(), [](const KeySpec& key) { return key.attached; }) -
                     spec.keys.begin();
  spec.keys.insert(spec.keys.begin() + own, model.nkey - spec.keys.size(), KeySpec{});
  const auto part = [](const double* all, int row, int width) {
    return std::vector<double>(all + size_t(row) * width, all + size_t(row + 1) * width);
  };
  // zeros are what an absent list means (and the reference miscounts activations of some actuators in one that is
  // there)
  const auto part_unless_zero = [&](const double* all, int row, int width) {
    std::vector<double> values = part(all, row, width);
    if (std::all_of(values.begin(), values.end(), [](double x) { return x == 0; })) values.clear();
    return values;
  };
  for (int i = 0; i < model.nkey; ++i) {
    KeySpec& key = spec.keys[i];
    key.qpos = part(model.key_qpos, i, model.nq);
    key.qvel = part_unless_zero(model.key_qvel, i, model.nv);
    key.act = part_unless_zero(model.key_act, i, model.na);
    key.ctrl = part_unless_zero(model.key_ctrl, i, model.nu);
    key.mpos = part(model.key_mpos, i, 3 * model.nmocap);
    key.mquat = part(model.key_mquat, i, 4 * model.nmocap);
    key.plastic = part(model.key_plastic, i, model.nplastic);
    key.attached = false;
    key.states.clear();
  }
  return true;
}

}  // namespace

std::optional<Model> compile_to_write(const Spec& spec, Diagnostics& diagnostics) {
  Diagnostics own;
  for (const std::string& file : spec.files) own.add_file(file);
  std::optional<Model> model = compile(spec, own).model;
  if (model) return model;
  for (const Diagnostic& finding : own.list()) {
    if (finding.severity != Severity::kError) continue;
    diagnostics.error(Code::kNotWritable, Origin{0, 0, 0}, finding.element,
                      "the model cannot be written, because it does not compile: " + finding.text());
  }
  return model;
}

bool flatten(Spec& spec, Diagnostics& diagnostics, bool reference_form) {
  sort_tree(spec);
  const std::set<int> used = compilers_of_tree(spec);
  // bodies of attached models have other names than their files of skins say
  put_skins_inline(spec, diagnostics, [](const SkinSpec& skin) { return !skin.file_prefix.empty(); });
  const bool attached_keys =
      std::any_of(spec.keys.begin(), spec.keys.end(), [](const KeySpec& key) { return key.attached; });
  const CompilerSpec main = spec.compilers[0];
  const bool one_rule = std::all_of(spec.bodies.begin(), spec.bodies.end(), [&](const BodySpec& body) {
    return same_inertia_rules(spec.compilers[body.compiler], main);
  });
  const bool inertias = !one_rule || main.saveinertial;
  // compiled numbers cannot stand in frames that would scale them once more
  const bool unscaled = attached_keys || inertias || tendons_lose_scale(spec);
  if (unscaled && !multiply_scales(spec, diagnostics)) return false;
  if (attached_keys && !write_out_keys(spec, diagnostics)) return false;
  if (!drop_unusable_meshes(spec, diagnostics) || !settle_contact_wishes(spec, diagnostics)) return false;
  if (inertias && !write_out_inertias(spec, diagnostics)) return false;
  if (reference_form) {
    unify_angles(spec, used, true);
    drop_unused_sequence(spec);
    say_sizes_of_user_data(spec);
  }
  if (used.size() == 1) return true;
  unify_fits(spec, diagnostics);
  if (!reference_form) unify_angles(spec, used, false);
  unify_limits(spec, used);
  return true;
}

}  // namespace pliant

// The MJCF schema of the kinematic tree: bodies, frames, joints, geoms, sites, cameras, lights.

#include "load/mjcf_schema.h"

namespace pliant {
namespace {

constexpr Keyword kSleepList[] = {{"auto", 0}, {"never", 3}, {"allowed", 4}, {"init", 5}};
constexpr Keyword kFalseAutoList[] = {{"false", 0}, {"auto", 1}};
constexpr Keyword kScalingList[] = {{"similar", 0}, {"geometry", 1}};
constexpr Keyword kFluidList[] = {{"none", 0}, {"ellipsoid", 1}};
constexpr Keyword kProjectionList[] = {{"perspective", 0}, {"orthographic", 1}};
constexpr Keyword kCamOutputList[] = {{"rgb", 1}, {"depth", 2}, {"distance", 4}, {"normal", 8}, {"segmentation", 16}};

// at most one of these may be given
std::vector<AttributeSchema> with_orientation(std::vector<AttributeSchema> rows) {
  rows.push_back(unbound("quat", ValueKind::kReal, 4, 4));
  rows.push_back(unbound("axisangle", ValueKind::kReal, 4, 4));
  rows.push_back(unbound("xyaxes", ValueKind::kReal, 6, 6));
  rows.push_back(unbound("zaxis", ValueKind::kReal, 3, 3));
  rows.push_back(unbound("euler", ValueKind::kReal, 3, 3));
  return rows;
}

const Rule kOneOrientation = {RuleKind::kExclusive, {{"quat"}, {"axisangle"}, {"xyaxes"}, {"zaxis"}, {"euler"}}};

void add_joint(SchemaTable& table) {
  using J = JointSpec;
  add_element(table, "joint", "joint",
              {name_row<J>(),
               class_row(),
               word<J, &J::type>("type", kWordsJointType),
               row<J, &J::group>("group").viewing(),
               row<J, &J::pos>("pos"),
               row<J, &J::axis>("axis"),
               row<J, &J::springdamper>("springdamper"),
               word<J, &J::limited>("limited", kWordsLimited),
               word<J, &J::actuatorfrclimited>("actuatorfrclimited", kWordsLimited),
               upto<J, &J::solreflimit>("solreflimit"),
               upto<J, &J::solimplimit>("solimplimit"),
               upto<J, &J::solreffriction>("solreffriction"),
               upto<J, &J::solimpfriction>("solimpfriction"),
               upto<J, &J::stiffness>("stiffness"),
               row<J, &J::range>("range"),
               row<J, &J::actuatorfrcrange>("actuatorfrcrange"),
               row<J, &J::actuatorgravcomp>("actuatorgravcomp"),
               row<J, &J::margin>("margin"),
               row<J, &J::ref>("ref"),
               row<J, &J::springref>("springref"),
               row<J, &J::springyield>("springyield"),
               row<J, &J::armature>("armature"),
               upto<J, &J::damping>("damping"),
               row<J, &J::frictionloss>("frictionloss"),
               row<J, &J::user>("user")});
  add_element(table, "freejoint", "freejoint",
              {name_row<J>(), row<J, &J::group>("group").viewing(), word<J, &J::align>("align", kWordsLimited)});
}

void add_geom(SchemaTable& table) {
  auto& plugin = add_element(table, "plugin", "geom_plugin", {});
  plugin.support = Support::kUnsupported;
  plugin.note = "signed distance plugins are not supported";
  using G = GeomSpec;
  auto& geom = add_element(table, "geom", "geom",
                           with_orientation({name_row<G>(),
                                             class_row(),
                                             word<G, &G::type>("type", kWordsGeomType),
                                             row<G, &G::contype>("contype"),
                                             row<G, &G::conaffinity>("conaffinity"),
                                             row<G, &G::condim>("condim"),
                                             row<G, &G::group>("group"),
                                             row<G, &G::priority>("priority"),
                                             upto<G, &G::size>("size"),
                                             refers<G, &G::material>("material", ObjType::kMaterial).viewing(),
                                             upto<G, &G::friction>("friction"),
                                             word<G, &G::friction_law>("friction_law", kWordsFrictionLaw),
                                             row<G, &G::mass>("mass"),
                                             row<G, &G::density>("density"),
                                             row<G, &G::shellinertia>("shellinertia"),
                                             row<G, &G::solmix>("solmix"),
                                             upto<G, &G::solref>("solref"),
                                             upto<G, &G::solimp>("solimp"),
                                             row<G, &G::margin>("margin"),
                                             row<G, &G::gap>("gap"),
                                             upto<G, &G::surfacevel>("surfacevel"),
                                             row<G, &G::adhesion>("adhesion"),
                                             row<G, &G::fromto>("fromto"),
                                             row<G, &G::pos>("pos"),
                                             refers<G, &G::hfield>("hfield", ObjType::kHfield),
                                             refers<G, &G::mesh>("mesh", ObjType::kMesh),
                                             row<G, &G::fitscale>("fitscale"),
                                             row<G, &G::castshadow>("castshadow").viewing(),
                                             row<G, &G::rgba>("rgba").viewing(),
                                             unbound_word("fluidshape", kFluidList),
                                             upto<G, &G::fluidcoef>("fluidcoef"),
                                             row<G, &G::restitution>("restitution"),
                                             row<G, &G::stiffness>("stiffness"),
                                             row<G, &G::damping_contact>("damping_contact"),
                                             word<G, &G::restitution_mode>("restitution_mode", kWordsRestitutionMode),
                                             row<G, &G::user>("user")}));
  geom.rules = {kOneOrientation};
  geom.children.push_back({&plugin, Often::kAny});
}

void add_site(SchemaTable& table) {
  using S = SiteSpec;
  add_element(
      table, "site", "site",
      with_orientation({name_row<S>(), class_row(), word<S, &S::type>("type", kWordsGeomType),
                        row<S, &S::group>("group").viewing(), row<S, &S::pos>("pos"),
                        refers<S, &S::material>("material", ObjType::kMaterial).viewing(),
                        refers<S, &S::mesh>("mesh", ObjType::kMesh), upto<S, &S::size>("size"),
                        row<S, &S::fromto>("fromto"), row<S, &S::rgba>("rgba").viewing(), row<S, &S::user>("user")}))
      .rules = {kOneOrientation};
}

void add_camera_light(SchemaTable& table) {
  using C = CameraSpec;
  AttributeSchema output = word<C, &C::output>("output", kCamOutputList).viewing();
  output.kind = ValueKind::kFlags;
  auto& camera =
      add_element(table, "camera", "camera",
                  with_orientation({name_row<C>(), class_row(), word<C, &C::projection>("projection", kProjectionList),
                                    row<C, &C::fovy>("fovy"), row<C, &C::ipd>("ipd").viewing(),
                                    row<C, &C::resolution>("resolution"), output, row<C, &C::pos>("pos"),
                                    word<C, &C::mode>("mode", kWordsCamLight),
                                    refers<C, &C::target>("target", ObjType::kBody).outside_defaults(),
                                    row<C, &C::focal>("focal"), row<C, &C::focalpixel>("focalpixel"),
                                    row<C, &C::principal>("principal"), row<C, &C::principalpixel>("principalpixel"),
                                    row<C, &C::sensorsize>("sensorsize"), row<C, &C::user>("user")}));
  camera.rules = {kOneOrientation, {RuleKind::kExclusive, {{"fovy"}, {"sensorsize"}}}};
  using L = LightSpec;
  auto& light = add_element(table, "light", "light",
                            {name_row<L>(),
                             class_row(),
                             unbound("directional", ValueKind::kBool).viewing(),
                             unbound_word("type", kWordsLightType).viewing(),
                             row<L, &L::castshadow>("castshadow").viewing(),
                             row<L, &L::active>("active").viewing(),
                             row<L, &L::pos>("pos").viewing(),
                             row<L, &L::dir>("dir").viewing(),
                             row<L, &L::bulbradius>("bulbradius").viewing(),
                             row<L, &L::intensity>("intensity").viewing(),
                             row<L, &L::range>("range").viewing(),
                             row<L, &L::attenuation>("attenuation").viewing(),
                             row<L, &L::cutoff>("cutoff").viewing(),
                             row<L, &L::softness>("softness").viewing(),
                             row<L, &L::exponent>("exponent").viewing(),
                             row<L, &L::ambient>("ambient").viewing(),
                             row<L, &L::diffuse>("diffuse").viewing(),
                             row<L, &L::specular>("specular").viewing(),
                             word<L, &L::mode>("mode", kWordsCamLight).viewing(),
                             refers<L, &L::target>("target", ObjType::kBody).outside_defaults().viewing(),
                             refers<L, &L::texture>("texture", ObjType::kTexture).outside_defaults().viewing()});
  light.rules = {{RuleKind::kExclusive, {{"directional"}, {"type"}}}};
}

void add_inertial(SchemaTable& table) {
  using B = BodySpec;
  auto& inertial =
      add_element(table, "inertial", "inertial",
                  with_orientation({row<B, &B::ipos>("pos").must(), row<B, &B::mass>("mass").must(),
                                    row<B, &B::inertia>("diaginertia"), row<B, &B::fullinertia>("fullinertia")}));
  inertial.rules = {
      {RuleKind::kExclusive, {{"fullinertia"}, {"quat"}, {"axisangle"}, {"xyaxes"}, {"zaxis"}, {"euler"}}},
      {RuleKind::kExclusive, {{"fullinertia"}, {"diaginertia"}}}};
}

}  // namespace

void add_body_schema(SchemaTable& table) {
  add_joint(table);
  add_geom(table);
  add_site(table);
  add_camera_light(table);
  add_inertial(table);
  add_element(table, "attach", "attach",
              {unbound("model", ValueKind::kText), unbound("body", ValueKind::kText),
               unbound("frame", ValueKind::kText), unbound("prefix", ValueKind::kText).must()})
      .rules = {{RuleKind::kExclusive, {{"body"}, {"frame"}}}};
  const auto unsupported = [&](const char* tag, const char* id, const char* note) -> ElementSchema& {
    auto& element = add_element(table, tag, id, {});
    element.support = Support::kUnsupported;
    element.note = note;
    return element;
  };
  ElementSchema& plugin = unsupported("plugin", "body_plugin", "engine plugins are not supported");
  ElementSchema& composite = unsupported(
      "composite", "composite", "MuJoCo 4 has removed it: 1D flexcomp took its place, which is not supported either");
  ElementSchema& flexcomp = unsupported("flexcomp", "flexcomp", "deformable bodies are not supported");
  using B = BodySpec;
  auto& body =
      add_element(table, "body", "body",
                  with_orientation({name_row<B>(), unbound("childclass", ValueKind::kClass), row<B, &B::pos>("pos"),
                                    row<B, &B::mocap>("mocap"), row<B, &B::gravcomp>("gravcomp"),
                                    word<B, &B::sleep>("sleep", kSleepList), unbound_word("simple", kFalseAutoList),
                                    unbound_word("fuse", kFalseAutoList), row<B, &B::user>("user")}));
  body.rules = {kOneOrientation};
  using F = FrameSpec;
  auto& frame = add_element(
      table, "frame", "frame",
      with_orientation({name_row<F>(), unbound("childclass", ValueKind::kClass), row<F, &F::pos>("pos"),
                        unbound("scale", ValueKind::kReal, 1, 3), word<F, &F::scaling>("scaling", kScalingList),
                        row<F, &F::massscale>("massscale")}));
  frame.rules = {kOneOrientation};
  auto& replicate =
      add_element(table, "replicate", "replicate",
                  {unbound("count", ValueKind::kInt).must(), unbound("offset", ValueKind::kReal, 3, 3),
                   unbound("euler", ValueKind::kReal, 3, 3), unbound("sep", ValueKind::kText),
                   unbound("prefix", ValueKind::kText).no_effect("copies differ by suffix; the prefix is never used"),
                   unbound("childclass", ValueKind::kClass)});
  auto& world = add_element(table, "worldbody", "worldbody", {});
  const auto find = [&](std::string_view id) -> const ElementSchema* {
    for (const auto& element : table) {
      if (id == element->id) return element.get();
    }
    return nullptr;
  };
  for (ElementSchema* parent : {&body, &frame, &replicate, &world}) {
    for (const ElementSchema* child :
         {find("geom"), find("site"), find("camera"), find("light"), find("attach"),
          static_cast<const ElementSchema*>(&plugin), static_cast<const ElementSchema*>(&composite),
          static_cast<const ElementSchema*>(&flexcomp), static_cast<const ElementSchema*>(&body),
          static_cast<const ElementSchema*>(&frame), static_cast<const ElementSchema*>(&replicate), find("joint"),
          find("freejoint")}) {
      parent->children.push_back({child, Often::kAny});
    }
    parent->children.push_back({find("inertial"), Often::kOnce});
  }
}

}  // namespace pliant

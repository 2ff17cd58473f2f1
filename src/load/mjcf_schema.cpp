// The MJCF schema: sections of the document except the kinematic tree, actuators and sensors, which have
// files of their own. One row per attribute; see mjcf_schema.h for what a row says.

#include "load/mjcf_schema.h"

#include <cstring>
#include <memory>
#include <unordered_map>

namespace pliant {
namespace {

constexpr Keyword kBoolList[] = {{"false", 0}, {"true", 1}};
constexpr Keyword kLimitedList[] = {{"false", 0}, {"true", 1}, {"auto", 2}};
constexpr Keyword kEnableList[] = {{"disable", 0}, {"enable", 1}};
constexpr Keyword kAngleList[] = {{"radian", 0}, {"degree", 1}};
constexpr Keyword kCoordinateList[] = {{"local", 0}, {"global", 1}};
constexpr Keyword kConflictList[] = {{"warning", 0}, {"merge", 1}, {"error", 2}};
constexpr Keyword kLengthRangeList[] = {{"none", 0}, {"muscle", 1}, {"muscleuser", 2}, {"all", 3}};
constexpr Keyword kIntegratorList[] = {{"Euler", 0},        {"RK4", 1},      {"implicit", 2},
                                       {"implicitfast", 3}, {"discrete", 4}, {"midpoint", 5}};
constexpr Keyword kPassthroughList[] = {{"none", 0}, {"textures", 1}};
constexpr Keyword kConeList[] = {{"pyramidal", 0}, {"elliptic", 1}};
constexpr Keyword kFrictionList[] = {{"regularized", 0}, {"anchored", 1}};
constexpr Keyword kSpinList[] = {{"plain", 0}, {"conserving", 1}};
constexpr Keyword kResolutionList[] = {{"convex", 0}, {"signorini", 1}};
constexpr Keyword kJacobianList[] = {{"dense", 0}, {"sparse", 1}, {"auto", 2}};
constexpr Keyword kSolverList[] = {
#define SOLVER(name, function, keyword, dual, substeps, row_memory, reference) \
  {keyword, static_cast<int>(SolverType::k##name)},
#include "pliant/solvers.def"
#undef SOLVER
};
constexpr Keyword kJointList[] = {
#define JOINT(name, file, keyword, positions, velocities, quaternion, motion) \
  {keyword, static_cast<int>(JointType::k##name)},
#include "pliant/joints.def"
#undef JOINT
};
constexpr Keyword kGeomList[] = {{"plane", 0},    {"hfield", 1}, {"sphere", 2}, {"capsule", 3}, {"ellipsoid", 4},
                                 {"cylinder", 5}, {"box", 6},    {"mesh", 7},   {"sdf", 8}};
constexpr Keyword kCamLightList[] = {
    {"fixed", 0}, {"track", 1}, {"trackcom", 2}, {"targetbody", 3}, {"targetbodycom", 4}};
constexpr Keyword kLightTypeList[] = {{"spot", 0}, {"directional", 1}, {"point", 2}, {"image", 3}};
constexpr Keyword kInterpList[] = {{"zoh", 0}, {"linear", 1}, {"cubic", 2}};
constexpr Keyword kFrameObjectList[] = {{"body", 1}, {"xbody", 2}, {"geom", 5}, {"site", 6}, {"camera", 7}};
constexpr Keyword kTextureList[] = {{"2d", 0}, {"cube", 1}, {"skybox", 2}};
constexpr Keyword kColorList[] = {{"auto", 0}, {"linear", 1}, {"sRGB", 2}};
constexpr Keyword kBuiltinList[] = {{"none", 0}, {"gradient", 1}, {"checker", 2}, {"flat", 3}};
constexpr Keyword kMarkList[] = {{"none", 0}, {"edge", 1}, {"cross", 2}, {"random", 3}};
constexpr Keyword kTexRoleList[] = {{"rgb", 1},     {"occlusion", 2}, {"roughness", 3}, {"metallic", 4}, {"normal", 5},
                                    {"opacity", 6}, {"emissive", 7},  {"rgba", 8},      {"orm", 9}};
constexpr Keyword kFrictionLawList[] = {{"auto", 0}, {"regularized", 1}, {"anchored", 2}};
constexpr Keyword kRestitutionModeList[] = {{"auto", 0}, {"impact", 1}};
constexpr Keyword kMimicModeList[] = {{"exact", 0}, {"hard", 1}, {"soft", 2}};
constexpr Keyword kMeshInertiaList[] = {{"convex", 0}, {"exact", 1}, {"legacy", 2}, {"shell", 3}};
constexpr Keyword kMeshBuiltinList[] = {{"none", 0},        {"sphere", 1},     {"hemisphere", 2}, {"cone", 3},
                                        {"supersphere", 4}, {"supertorus", 5}, {"wedge", 6},      {"plate", 7},
                                        {"grid", 8},        {"box", 9},        {"cylinder", 10},  {"ellipsoid", 11},
                                        {"square", 12},     {"disc", 13}};
// numbers were the only form once, and are still allowed
constexpr Keyword kHeadlightList[] = {{"false", 0}, {"true", 1}, {"auto", 2}, {"0", 0}, {"1", 1}, {"2", 2}};

constexpr const char* kThreads = "the result is the same on any number of threads";

const ElementSchema& get(const SchemaTable& table, std::string_view id) {
  for (const auto& element : table) {
    if (id == element->id) return *element;
  }
  std::abort();  // a slip in the table itself; the schema test builds every element
}

void link(ElementSchema& parent, const SchemaTable& table, std::initializer_list<const char*> ids,
          Often often = Often::kAny) {
  for (const char* id : ids) parent.children.push_back({&get(table, id), often});
}

void add_compiler(SchemaTable& table) {
  using L = LengthRangeSpec;
  add_element(table, "lengthrange", "lengthrange",
              {word<L, &L::mode>("mode", kLengthRangeList), row<L, &L::useexisting>("useexisting"),
               row<L, &L::uselimit>("uselimit"), row<L, &L::accel>("accel"), row<L, &L::maxforce>("maxforce"),
               row<L, &L::timeconst>("timeconst"), row<L, &L::timestep>("timestep"), row<L, &L::inttotal>("inttotal"),
               row<L, &L::interval>("interval"), row<L, &L::tolrange>("tolrange")});
  using C = CompilerSpec;
  auto& compiler = add_element(table, "compiler", "compiler",
                               {row<C, &C::autolimits>("autolimits"),
                                row<C, &C::boundmass>("boundmass"),
                                row<C, &C::boundinertia>("boundinertia"),
                                row<C, &C::settotalmass>("settotalmass"),
                                row<C, &C::balanceinertia>("balanceinertia"),
                                row<C, &C::inertiatolerance>("inertiatolerance"),
                                row<C, &C::strippath>("strippath"),
                                unbound_word("coordinate", kCoordinateList),
                                unbound_word("angle", kAngleList),
                                row<C, &C::fitaabb>("fitaabb"),
                                row<C, &C::eulerseq>("eulerseq"),
                                row<C, &C::meshdir>("meshdir"),
                                row<C, &C::texturedir>("texturedir"),
                                row<C, &C::discardvisual>("discardvisual"),
                                row<C, &C::usethread>("usethread").no_effect(kThreads),
                                row<C, &C::fusestatic>("fusestatic"),
                                word<C, &C::inertiafromgeom>("inertiafromgeom", kLimitedList),
                                row<C, &C::inertiagrouprange>("inertiagrouprange"),
                                row<C, &C::saveinertial>("saveinertial").no_effect("concerns saving only"),
                                row<C, &C::savecompiled>("savecompiled").no_effect("concerns saving only"),
                                row<C, &C::savecanonical>("savecanonical").no_effect("concerns saving only"),
                                unbound("assetdir", ValueKind::kText),
                                row<C, &C::alignfree>("alignfree"),
                                word<C, &C::conflict>("conflict", kConflictList),
                                word<C, &C::passthrough>("passthrough", kPassthroughList).viewing()});
  link(compiler, table, {"lengthrange"}, Often::kOnce);
}

void add_option(SchemaTable& table) {
  auto& flag = add_element(table, "flag", "flag", {});
  for (const char* name : {"constraint",
                           "equality",
                           "frictionloss",
                           "limit",
                           "contact",
                           "spring",
                           "damper",
                           "gravity",
                           "clampctrl",
                           "warmstart",
                           "filterparent",
                           "actuation",
                           "refsafe",
                           "sensor",
                           "midphase",
                           "eulerdamp",
                           "autoreset",
                           "nativeccd",
                           "island",
                           "multiccd",
                           "override",
                           "energy",
                           "fwdinv",
                           "invdiscrete",
                           "sleep",
                           "diagexact",
                           "ipc",
                           "speculative",
                           "speculative_exact",
                           "diagstack"}) {
    flag.attributes.push_back(unbound_word(name, kEnableList));
  }
  using O = Options;
  auto& option = add_element(table, "option", "option",
                             {row<O, &O::timestep>("timestep"),
                              row<O, &O::impratio>("impratio"),
                              row<O, &O::tolerance>("tolerance"),
                              row<O, &O::ls_tolerance>("ls_tolerance"),
                              row<O, &O::noslip_tolerance>("noslip_tolerance"),
                              row<O, &O::ccd_tolerance>("ccd_tolerance"),
                              row<O, &O::sleep_tolerance>("sleep_tolerance"),
                              row<O, &O::gravity>("gravity"),
                              row<O, &O::wind>("wind"),
                              row<O, &O::magnetic>("magnetic"),
                              row<O, &O::density>("density"),
                              row<O, &O::viscosity>("viscosity"),
                              row<O, &O::o_margin>("o_margin"),
                              upto<O, &O::o_solref>("o_solref"),
                              upto<O, &O::o_solimp>("o_solimp"),
                              upto<O, &O::o_friction>("o_friction"),
                              word<O, &O::integrator>("integrator", kIntegratorList),
                              word<O, &O::cone>("cone", kConeList),
                              word<O, &O::friction>("friction", kFrictionList),
                              word<O, &O::spin>("spin", kSpinList),
                              word<O, &O::resolution>("resolution", kResolutionList),
                              word<O, &O::jacobian>("jacobian", kJacobianList),
                              word<O, &O::solver>("solver", kSolverList),
                              row<O, &O::iterations>("iterations"),
                              row<O, &O::ls_iterations>("ls_iterations"),
                              row<O, &O::noslip_iterations>("noslip_iterations"),
                              row<O, &O::ccd_iterations>("ccd_iterations"),
                              row<O, &O::sdf_iterations>("sdf_iterations"),
                              row<O, &O::sdf_initpoints>("sdf_initpoints"),
                              row<O, &O::tgs_substeps>("tgs_substeps"),
                              row<O, &O::tgs_sweeps>("tgs_sweeps"),
                              row<O, &O::discrete_full>("discrete_full"),
                              unbound("actuatorgroupdisable", ValueKind::kInt, 0, 31)});
  link(option, table, {"flag"}, Often::kOnce);
}

void add_size(SchemaTable& table) {
  using S = SizeSpec;
  auto& size = add_element(
      table, "size", "size",
      {unbound("memory", ValueKind::kText), row<S, &S::njmax>("njmax"), row<S, &S::nconmax>("nconmax"),
       row<S, &S::nstack>("nstack").no_effect("Pliant sizes its own memory"), row<S, &S::nuserdata>("nuserdata"),
       row<S, &S::nkey>("nkey"), row<S, &S::nuser_body>("nuser_body"), row<S, &S::nuser_jnt>("nuser_jnt"),
       row<S, &S::nuser_geom>("nuser_geom"), row<S, &S::nuser_site>("nuser_site"), row<S, &S::nuser_cam>("nuser_cam"),
       row<S, &S::nuser_tendon>("nuser_tendon"), row<S, &S::nuser_actuator>("nuser_actuator"),
       row<S, &S::nuser_sensor>("nuser_sensor")});
  size.rules = {{RuleKind::kExclusive, {{"memory"}, {"nstack"}}}, {RuleKind::kExclusive, {{"memory"}, {"njmax"}}}};
  using T = Statistic;
  add_element(table, "statistic", "statistic",
              {row<T, &T::meaninertia>("meaninertia"), row<T, &T::meanmass>("meanmass"),
               row<T, &T::meansize>("meansize"), row<T, &T::extent>("extent"), row<T, &T::center>("center")});
}

template <class V>
std::vector<AttributeSchema> viewing(std::vector<AttributeSchema> rows) {
  for (AttributeSchema& r : rows) r.support = Support::kViewing;
  return rows;
}

void add_visual(SchemaTable& table) {
  using G = decltype(Visual::global);
  add_element(
      table, "global", "global",
      viewing<G>({row<G, &G::cameraid>("cameraid"), row<G, &G::orthographic>("orthographic"), row<G, &G::fovy>("fovy"),
                  row<G, &G::ipd>("ipd"), row<G, &G::azimuth>("azimuth"), row<G, &G::elevation>("elevation"),
                  row<G, &G::linewidth>("linewidth"), row<G, &G::glow>("glow"), row<G, &G::offwidth>("offwidth"),
                  row<G, &G::offheight>("offheight"), row<G, &G::realtime>("realtime"),
                  row<G, &G::ellipsoidinertia>("ellipsoidinertia"), row<G, &G::bvactive>("bvactive")}));
  using Q = decltype(Visual::quality);
  add_element(table, "quality", "quality",
              viewing<Q>({row<Q, &Q::shadowsize>("shadowsize"), row<Q, &Q::offsamples>("offsamples"),
                          row<Q, &Q::numslices>("numslices"), row<Q, &Q::numstacks>("numstacks"),
                          row<Q, &Q::numquads>("numquads")}));
  using H = decltype(Visual::headlight);
  add_element(table, "headlight", "headlight",
              viewing<H>({row<H, &H::ambient>("ambient"), row<H, &H::diffuse>("diffuse"),
                          row<H, &H::specular>("specular"), word<H, &H::active>("active", kHeadlightList)}));
  using M = decltype(Visual::map);
  add_element(table, "map", "map",
              viewing<M>({row<M, &M::stiffness>("stiffness"), row<M, &M::stiffnessrot>("stiffnessrot"),
                          row<M, &M::force>("force"), row<M, &M::torque>("torque"), row<M, &M::alpha>("alpha"),
                          row<M, &M::fogstart>("fogstart"), row<M, &M::fogend>("fogend"), row<M, &M::znear>("znear"),
                          row<M, &M::zfar>("zfar"), row<M, &M::haze>("haze"), row<M, &M::shadowclip>("shadowclip"),
                          row<M, &M::shadowscale>("shadowscale"), row<M, &M::actuatortendon>("actuatortendon")}));
  using S = decltype(Visual::scale);
  add_element(table, "scale", "scale",
              viewing<S>({row<S, &S::forcewidth>("forcewidth"), row<S, &S::contactwidth>("contactwidth"),
                          row<S, &S::contactheight>("contactheight"), row<S, &S::connect>("connect"),
                          row<S, &S::com>("com"), row<S, &S::camera>("camera"), row<S, &S::light>("light"),
                          row<S, &S::selectpoint>("selectpoint"), row<S, &S::jointlength>("jointlength"),
                          row<S, &S::jointwidth>("jointwidth"), row<S, &S::actuatorlength>("actuatorlength"),
                          row<S, &S::actuatorwidth>("actuatorwidth"), row<S, &S::framelength>("framelength"),
                          row<S, &S::framewidth>("framewidth"), row<S, &S::constraint>("constraint"),
                          row<S, &S::slidercrank>("slidercrank"), row<S, &S::frustum>("frustum")}));
  using R = decltype(Visual::rgba);
  add_element(table, "rgba", "rgba",
              viewing<R>({row<R, &R::fog>("fog"),
                          row<R, &R::haze>("haze"),
                          row<R, &R::force>("force"),
                          row<R, &R::inertia>("inertia"),
                          row<R, &R::joint>("joint"),
                          row<R, &R::actuator>("actuator"),
                          row<R, &R::actuatornegative>("actuatornegative"),
                          row<R, &R::actuatorpositive>("actuatorpositive"),
                          row<R, &R::com>("com"),
                          row<R, &R::camera>("camera"),
                          row<R, &R::light>("light"),
                          row<R, &R::selectpoint>("selectpoint"),
                          row<R, &R::connect>("connect"),
                          row<R, &R::contactpoint>("contactpoint"),
                          row<R, &R::contactforce>("contactforce"),
                          row<R, &R::contactfriction>("contactfriction"),
                          row<R, &R::contacttorque>("contacttorque"),
                          row<R, &R::contactgap>("contactgap"),
                          row<R, &R::rangefinder>("rangefinder"),
                          row<R, &R::constraint>("constraint"),
                          row<R, &R::slidercrank>("slidercrank"),
                          row<R, &R::crankbroken>("crankbroken"),
                          row<R, &R::frustum>("frustum"),
                          row<R, &R::bv>("bv"),
                          row<R, &R::bvactive>("bvactive")}));
  auto& visual = add_element(table, "visual", "visual", {});
  link(visual, table, {"global", "quality", "headlight", "map", "scale", "rgba"}, Often::kOnce);
}

void add_assets(SchemaTable& table) {
  using M = MeshSpec;
  add_element(table, "mesh", "mesh",
              {name_row<M>(), class_row(), row<M, &M::content_type>("content_type").outside_defaults(),
               row<M, &M::file>("file").outside_defaults(), row<M, &M::vertex>("vertex").outside_defaults(),
               row<M, &M::normal>("normal").outside_defaults(), row<M, &M::texcoord>("texcoord").outside_defaults(),
               row<M, &M::face>("face").outside_defaults(), row<M, &M::refpos>("refpos").outside_defaults(),
               row<M, &M::refquat>("refquat").outside_defaults(), row<M, &M::scale>("scale"),
               row<M, &M::smoothnormal>("smoothnormal").outside_defaults(), row<M, &M::maxhullvert>("maxhullvert"),
               word<M, &M::inertia>("inertia", kMeshInertiaList),
               word<M, &M::builtin>("builtin", kMeshBuiltinList).outside_defaults(),
               row<M, &M::params>("params").outside_defaults(),
               refers<M, &M::material>("material", ObjType::kMaterial).outside_defaults()});
  using H = HfieldSpec;
  add_element(
      table, "hfield", "hfield",
      {name_row<H>(), row<H, &H::content_type>("content_type"), row<H, &H::file>("file"), row<H, &H::nrow>("nrow"),
       row<H, &H::ncol>("ncol"), row<H, &H::size>("size").must(), row<H, &H::elevation>("elevation")});
  using B = SkinBoneSpec;
  add_element(table, "bone", "bone",
              {refers<B, &B::body>("body", ObjType::kBody).must().viewing(),
               row<B, &B::bindpos>("bindpos").must().viewing(), row<B, &B::bindquat>("bindquat").must().viewing(),
               row<B, &B::vertid>("vertid").must().viewing(), row<B, &B::vertweight>("vertweight").must().viewing()});
  using K = SkinSpec;
  auto& skin = add_element(table, "skin", "skin",
                           {name_row<K>(), row<K, &K::file>("file").viewing(),
                            refers<K, &K::material>("material", ObjType::kMaterial).viewing(),
                            row<K, &K::rgba>("rgba").viewing(), row<K, &K::inflate>("inflate").viewing(),
                            row<K, &K::vertex>("vertex").viewing(), row<K, &K::texcoord>("texcoord").viewing(),
                            row<K, &K::face>("face").viewing(), row<K, &K::group>("group").viewing()});
  link(skin, table, {"bone"});
  using T = TextureSpec;
  add_element(table, "texture", "texture",
              {name_row<T>(),
               class_row(),
               word<T, &T::type>("type", kTextureList).viewing(),
               word<T, &T::colorspace>("colorspace", kColorList).viewing(),
               row<T, &T::content_type>("content_type").outside_defaults().viewing(),
               row<T, &T::file>("file").outside_defaults().viewing(),
               row<T, &T::gridsize>("gridsize").viewing(),
               row<T, &T::gridlayout>("gridlayout").viewing(),
               unbound("fileright", ValueKind::kFile).outside_defaults().viewing(),
               unbound("fileleft", ValueKind::kFile).outside_defaults().viewing(),
               unbound("fileup", ValueKind::kFile).outside_defaults().viewing(),
               unbound("filedown", ValueKind::kFile).outside_defaults().viewing(),
               unbound("filefront", ValueKind::kFile).outside_defaults().viewing(),
               unbound("fileback", ValueKind::kFile).outside_defaults().viewing(),
               word<T, &T::builtin>("builtin", kBuiltinList).viewing(),
               row<T, &T::rgb1>("rgb1").viewing(),
               row<T, &T::rgb2>("rgb2").viewing(),
               word<T, &T::mark>("mark", kMarkList).viewing(),
               row<T, &T::markrgb>("markrgb").viewing(),
               row<T, &T::random>("random").viewing(),
               row<T, &T::width>("width").viewing(),
               row<T, &T::height>("height").viewing(),
               row<T, &T::hflip>("hflip").viewing(),
               row<T, &T::vflip>("vflip").viewing(),
               row<T, &T::nchannel>("nchannel").viewing(),
               word<T, &T::embed>("embed", kLimitedList).viewing()});
  add_element(table, "layer", "layer",
              {unbound_ref("texture", ObjType::kTexture).must().viewing(),
               unbound_word("role", kTexRoleList).must().viewing()});
  using A = MaterialSpec;
  auto& material =
      add_element(table, "material", "material",
                  {name_row<A>(), class_row(), unbound_ref("texture", ObjType::kTexture).viewing(),
                   row<A, &A::texrepeat>("texrepeat").viewing(), row<A, &A::texuniform>("texuniform").viewing(),
                   row<A, &A::emission>("emission").viewing(), row<A, &A::specular>("specular").viewing(),
                   row<A, &A::shininess>("shininess").viewing(), row<A, &A::reflectance>("reflectance").viewing(),
                   row<A, &A::metallic>("metallic").viewing(), row<A, &A::roughness>("roughness").viewing(),
                   row<A, &A::rgba>("rgba").viewing()});
  link(material, table, {"layer"});
  add_element(table, "model", "asset_model",
              {unbound("name", ValueKind::kText), unbound("file", ValueKind::kFile).must(),
               unbound("content_type", ValueKind::kText).no_effect("models are read as MJCF")});
  auto& asset = add_element(table, "asset", "asset", {});
  link(asset, table, {"mesh", "hfield", "skin", "texture", "material", "asset_model"});
}

void add_contact(SchemaTable& table) {
  using P = PairSpec;
  add_element(table, "pair", "pair",
              {name_row<P>(), class_row(), refers<P, &P::geom1>("geom1", ObjType::kGeom).outside_defaults().must(),
               refers<P, &P::geom2>("geom2", ObjType::kGeom).outside_defaults().must(), row<P, &P::condim>("condim"),
               upto<P, &P::friction>("friction"), word<P, &P::friction_law>("friction_law", kWordsFrictionLaw),
               upto<P, &P::solref>("solref"), upto<P, &P::solreffriction>("solreffriction"),
               upto<P, &P::solimp>("solimp"), row<P, &P::gap>("gap"), row<P, &P::margin>("margin"),
               row<P, &P::adhesion>("adhesion"), row<P, &P::restitution>("restitution"),
               row<P, &P::stiffness>("stiffness"), row<P, &P::damping_contact>("damping_contact"),
               word<P, &P::restitution_mode>("restitution_mode", kWordsRestitutionMode)});
  using E = ExcludeSpec;
  add_element(table, "exclude", "exclude",
              {name_row<E>(), refers<E, &E::body1>("body1", ObjType::kBody).must(),
               refers<E, &E::body2>("body2", ObjType::kBody).must()});
  auto& contact = add_element(table, "contact", "contact", {});
  link(contact, table, {"pair", "exclude"});
}

void add_equality(SchemaTable& table) {
  using E = EqualitySpec;
  const std::vector<AttributeSchema> base = {name_row<E>(), class_row(), row<E, &E::active>("active"),
                                             upto<E, &E::solref>("solref"), upto<E, &E::solimp>("solimp")};
  const auto with = [&](std::vector<AttributeSchema> own) {
    std::vector<AttributeSchema> rows = base;
    rows.insert(rows.end(), own.begin(), own.end());
    return rows;
  };
  const AttributeSchema body1 = unbound_ref("body1", ObjType::kBody), body2 = unbound_ref("body2", ObjType::kBody),
                        site1 = unbound_ref("site1", ObjType::kSite), site2 = unbound_ref("site2", ObjType::kSite),
                        anchor = unbound("anchor", ValueKind::kReal, 3, 3);
  auto& connect = add_element(table, "connect", "connect", with({body1, body2, anchor, site1, site2}));
  connect.rules = {{RuleKind::kExclusive, {{"site1", "site2"}, {"body1", "body2", "anchor"}}},
                   {RuleKind::kOneOf, {{"site1", "site2"}, {"body1", "anchor"}}}};
  auto& weld = add_element(table, "weld", "weld",
                           with({body1, body2, unbound("relpose", ValueKind::kReal, 7, 7), anchor, site1, site2,
                                 unbound("torquescale", ValueKind::kReal)}));
  weld.rules = {{RuleKind::kExclusive, {{"site1", "site2"}, {"body1", "body2", "anchor", "relpose"}}},
                {RuleKind::kOneOf, {{"site1", "site2"}, {"body1"}}}};
  add_element(table, "joint", "equality_joint",
              with({refers<E, &E::object1>("joint1", ObjType::kJoint).must(),
                    refers<E, &E::object2>("joint2", ObjType::kJoint), part<E, &E::data, 0, 5>("polycoef")}));
  add_element(table, "tendon", "equality_tendon",
              with({refers<E, &E::object1>("tendon1", ObjType::kTendon).must(),
                    refers<E, &E::object2>("tendon2", ObjType::kTendon), part<E, &E::data, 0, 5>("polycoef")}));
  // not in the reference: files without it never see it
  add_element(table, "mimic", "mimic",
              {name_row<E>(), class_row(), row<E, &E::active>("active"),
               refers<E, &E::object1>("joint1", ObjType::kJoint).must(), unbound("joint2", ValueKind::kText).must(),
               row<E, &E::gear>("gear"), row<E, &E::offset>("offset"), word<E, &E::mode>("mode", kWordsMimicMode),
               row<E, &E::naturalfreq>("naturalfreq"), row<E, &E::dampratio>("dampratio"), row<E, &E::erp>("erp")});
  auto& equality = add_element(table, "equality", "equality", {});
  for (const EqualityKind& kind : kEqualityKinds) equality.children.push_back({&get(table, kind.element), Often::kAny});
  for (const char* tag : {"flex", "flexvert", "flexstrain"}) {
    auto& flex = add_element(table, tag, std::strcmp(tag, "flex") == 0 ? "equality_flex" : tag, {});
    flex.support = Support::kUnsupported;
    flex.note = std::strcmp(tag, "flexvert") == 0
                    ? "MuJoCo 4 has removed it: elasticity of the flex took its place, and deformable bodies are not "
                      "supported"
                    : "deformable bodies are not supported";
    equality.children.push_back({&flex, Often::kAny});
  }
  auto& defaults =
      add_element(table, "equality", "default_equality",
                  {row<E, &E::active>("active"), upto<E, &E::solref>("solref"), upto<E, &E::solimp>("solimp")});
  defaults.in_default = true;
}

std::vector<AttributeSchema> tendon_rows(bool spatial, bool in_default) {
  using T = TendonSpec;
  std::vector<AttributeSchema> rows;
  if (!in_default) {
    rows = {name_row<T>(), class_row()};
  }
  for (const AttributeSchema& r :
       {row<T, &T::group>("group").viewing(), word<T, &T::limited>("limited", kLimitedList),
        word<T, &T::actuatorfrclimited>("actuatorfrclimited", kLimitedList), row<T, &T::range>("range"),
        row<T, &T::actuatorfrcrange>("actuatorfrcrange"), row<T, &T::armature>("armature"),
        upto<T, &T::solreflimit>("solreflimit"), upto<T, &T::solimplimit>("solimplimit"),
        upto<T, &T::solreffriction>("solreffriction"), upto<T, &T::solimpfriction>("solimpfriction"),
        row<T, &T::frictionloss>("frictionloss"), upto<T, &T::springlength>("springlength"),
        row<T, &T::springyield>("springyield"), row<T, &T::margin>("margin"), upto<T, &T::stiffness>("stiffness"),
        upto<T, &T::damping>("damping"), row<T, &T::user>("user")}) {
    rows.push_back(r);
  }
  if (spatial) {
    rows.push_back(row<T, &T::width>("width").viewing());
    rows.push_back(refers<T, &T::material>("material", ObjType::kMaterial).viewing());
    rows.push_back(row<T, &T::rgba>("rgba").viewing());
  }
  return rows;
}

void add_tendons(SchemaTable& table) {
  using W = WrapSpec;
  add_element(table, "site", "tendon_site", {refers<W, &W::object>("site", ObjType::kSite).must()});
  add_element(
      table, "geom", "tendon_geom",
      {refers<W, &W::object>("geom", ObjType::kGeom).must(), refers<W, &W::sidesite>("sidesite", ObjType::kSite)});
  add_element(table, "pulley", "pulley", {row<W, &W::prm>("divisor").must()});
  add_element(table, "joint", "tendon_joint",
              {refers<W, &W::object>("joint", ObjType::kJoint).must(), row<W, &W::prm>("coef").must()});
  auto& spatial = add_element(table, "spatial", "spatial", tendon_rows(true, false));
  link(spatial, table, {"tendon_site", "tendon_geom", "pulley"});
  auto& fixed = add_element(table, "fixed", "fixed", tendon_rows(false, false));
  link(fixed, table, {"tendon_joint"});
  auto& tendon = add_element(table, "tendon", "tendon", {});
  link(tendon, table, {"spatial", "fixed"});
  add_element(table, "tendon", "default_tendon", tendon_rows(true, true)).in_default = true;
}

void add_custom(SchemaTable& table) {
  using N = NumericSpec;
  add_element(table, "numeric", "numeric", {name_row<N>().must(), row<N, &N::size>("size"), row<N, &N::data>("data")});
  using T = TextSpec;
  add_element(table, "text", "text", {name_row<T>().must(), row<T, &T::data>("data")});
  using E = TupleElementSpec;
  add_element(
      table, "element", "tuple_element",
      {unbound("objtype", ValueKind::kText).must(), row<E, &E::objname>("objname").must(), row<E, &E::prm>("prm")});
  using U = TupleSpec;
  auto& tuple = add_element(table, "tuple", "tuple", {name_row<U>().must()});
  link(tuple, table, {"tuple_element"});
  auto& custom = add_element(table, "custom", "custom", {});
  link(custom, table, {"numeric", "text", "tuple"});
  using K = KeySpec;
  add_element(table, "key", "key",
              {name_row<K>(), row<K, &K::time>("time"), row<K, &K::qpos>("qpos"), row<K, &K::qvel>("qvel"),
               row<K, &K::act>("act"), row<K, &K::mpos>("mpos"), row<K, &K::mquat>("mquat"), row<K, &K::ctrl>("ctrl"),
               row<K, &K::plastic>("plastic")});
  auto& keyframe = add_element(table, "keyframe", "keyframe", {});
  link(keyframe, table, {"key"});
}

void add_unsupported_sections(SchemaTable& table) {
  auto& plugin = add_element(table, "plugin", "extension_plugin", {});
  plugin.support = Support::kUnsupported;
  plugin.note = "engine plugins are not supported (MuJoCo 4 has removed the cable plugin: 1D flexcomp took its place)";
  auto& extension = add_element(table, "extension", "extension", {});
  extension.children.push_back({&plugin, Often::kAny});
  auto& flex = add_element(table, "flex", "flex", {});
  flex.support = Support::kUnsupported;
  flex.note = "deformable bodies are not supported";
  auto& deformable = add_element(table, "deformable", "deformable", {});
  deformable.children.push_back({&flex, Often::kAny});
  deformable.children.push_back({&get(table, "skin"), Often::kAny});
}

// the form an element has inside <default>: no name, no class, nothing that only a single object can have
void add_default_form(SchemaTable& table, const char* id, const char* default_id) {
  const ElementSchema& primary = get(table, id);
  std::vector<AttributeSchema> rows;
  for (const AttributeSchema& r : primary.attributes) {
    if (r.kind == ValueKind::kName || r.kind == ValueKind::kClass || r.no_default) continue;
    AttributeSchema copy = r;
    copy.required = false;
    rows.push_back(copy);
  }
  auto children = primary.children;
  auto& element = add_element(table, primary.tag, default_id, std::move(rows));
  element.children = std::move(children);
  element.in_default = true;
}

SchemaTable build() {
  SchemaTable table;
  table.reserve(256);
  add_compiler(table);
  add_option(table);
  add_size(table);
  add_visual(table);
  add_assets(table);
  add_body_schema(table);
  add_contact(table);
  add_equality(table);
  add_tendons(table);
  add_actuator_schema(table);
  add_sensor_schema(table);
  add_custom(table);
  add_unsupported_sections(table);
  for (auto [id, default_id] : {std::pair{"mesh", "default_mesh"},
                                {"material", "default_material"},
                                {"texture", "default_texture"},
                                {"joint", "default_joint"},
                                {"geom", "default_geom"},
                                {"site", "default_site"},
                                {"camera", "default_camera"},
                                {"light", "default_light"},
                                {"pair", "default_pair"}}) {
    add_default_form(table, id, default_id);
  }
  auto& defaults = add_element(table, "default", "default", {unbound("class", ValueKind::kText)});
  for (const char* id :
       {"default_mesh",        "default_material",    "default_texture", "default_joint",    "default_geom",
        "default_site",        "default_camera",      "default_light",   "default_pair",     "default_equality",
        "default_tendon",      "default_general",     "default_motor",   "default_position", "default_velocity",
        "default_intvelocity", "default_orientation", "default_pid",     "default_damper",   "default_cylinder",
        "default_muscle",      "default_adhesion",    "default_dcmotor"}) {
    defaults.children.push_back({&get(table, id), Often::kOnce});
  }
  defaults.children.push_back({&defaults, Often::kAny});
  auto& root = add_element(table, "mujoco", "mujoco", {unbound("model", ValueKind::kText)});
  link(root, table,
       {"compiler", "option", "size", "statistic", "visual", "default", "extension", "asset", "worldbody", "deformable",
        "contact", "tendon", "equality", "actuator", "sensor", "custom", "keyframe"});
  return table;
}

const SchemaTable& table() {
  static const SchemaTable kTable = build();
  return kTable;
}

}  // namespace

const std::span<const Keyword> kWordsBool = kBoolList, kWordsLimited = kLimitedList, kWordsJointType = kJointList,
                               kWordsGeomType = kGeomList, kWordsCamLight = kCamLightList,
                               kWordsLightType = kLightTypeList, kWordsInterp = kInterpList,
                               kWordsFrameObject = kFrameObjectList, kWordsEnable = kEnableList,
                               kWordsMimicMode = kMimicModeList, kWordsRestitutionMode = kRestitutionModeList,
                               kWordsFrictionLaw = kFrictionLawList;

ElementSchema& add_element(SchemaTable& table, const char* tag, const char* id,
                           std::vector<AttributeSchema> attributes) {
  auto element = std::make_unique<ElementSchema>();
  element->tag = tag;
  element->id = id;
  element->attributes = std::move(attributes);
  table.push_back(std::move(element));
  return *table.back();
}

const AttributeSchema* ElementSchema::find(std::string_view name) const {
  for (const AttributeSchema& r : attributes) {
    if (name == r.name) return &r;
  }
  return nullptr;
}

const ElementSchema* ElementSchema::find_child(std::string_view child_tag, Often* often) const {
  for (const Child& child : children) {
    if (child_tag != child.element->tag) continue;
    if (often) *often = child.often;
    return child.element;
  }
  return nullptr;
}

const ElementSchema& mjcf_schema() {
  static const ElementSchema& kRoot = get(table(), "mujoco");
  return kRoot;
}

const ElementSchema& mjcf_element(std::string_view id) { return get(table(), id); }

const std::vector<const ElementSchema*>& mjcf_elements() {
  static const std::vector<const ElementSchema*> kAll = [] {
    std::vector<const ElementSchema*> all;
    for (const auto& element : table()) all.push_back(element.get());
    return all;
  }();
  return kAll;
}

}  // namespace pliant

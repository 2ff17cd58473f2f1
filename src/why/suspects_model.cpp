// Inputs, bodies and options as suspects, and what the loader and the doctor say about the model.
//
// How far a stiff element is beyond its bound has three factors: its own numbers, the timestep, and the inertia that it
// acts on. share_blame gives each its part, measured from what is usual: 2 ms, and the mass of a body of its size. The
// last it shares with forces that accelerate what they act on too much, too.

#include <algorithm>
#include <cmath>

#include "why/remedies.h"
#include "why/suspect.h"

namespace pliant::whys {

using doctoring::element_text;
using doctoring::number;

namespace {

constexpr double kLightest = 50, kHeaviest = 25000,
                 kUsualDensity = 1000;                   // kg/m³ of the box around a body, half filled
constexpr double kLeastRadius = 0.1, kMostRadius = 2.5;  // radius of gyration against that of the shape
constexpr double kChainRatio = 100, kStackRatio = 15;
constexpr double kLargest = 20;      // m
constexpr double kMostGravcomp = 3;  // times the weight

double decades(double ratio) { return ratio > 0 && std::isfinite(ratio) ? std::log10(ratio) : -1; }

/// What a body of this shape usually weighs; 0 when it has no shape.
struct Shape {
  double volume = 0, radius = 0;
};

Shape shape_of(const Model& m, int body) {
  Shape out;
  for (int k = 0; k < m.body_geomnum[body]; ++k) {
    const int g = m.body_geomadr[body] + k;
    const auto type = static_cast<GeomType>(m.geom_type[g]);
    if (type == GeomType::kPlane || type == GeomType::kHfield) continue;
    const double* half = m.geom_aabb + 6 * g + 3;
    out.volume += 0.5 * 8 * half[0] * half[1] * half[2];
    const double* at = m.geom_pos + 3 * g;
    const double* com = m.body_ipos + 3 * body;
    out.radius = std::max(out.radius, std::hypot(at[0] - com[0], at[1] - com[1], at[2] - com[2]) + m.geom_rbound[g]);
  }
  return out;
}

/// Moments as a ball of that mass and radius has them, if those of the body do not fit.
void usual_moments(double mass, double radius, double out[3]) {
  for (int k = 0; k < 3; ++k) out[k] = 0.3 * mass * radius * radius;
}

/// A contact is as soft as its lighter side.
void suspect_light_sides(const Scene& scene, std::vector<Suspect>& out) {
  const Model& m = scene.m;
  const Data& d = scene.pose.data;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& c = d.contact[i];
    const int b1 = m.geom_bodyid[c.geom[0]], b2 = m.geom_bodyid[c.geom[1]];
    if (c.row < 0 || !doctoring::floats(m, b1) || !doctoring::floats(m, b2) || m.body_treeid[b1] == m.body_treeid[b2])
      continue;
    const double m1 = doctoring::tree_mass(m, b1), m2 = doctoring::tree_mass(m, b2);
    const int light = m.body_rootid[m1 < m2 ? b1 : b2];
    const double heavy = std::max(m1, m2), ratio = heavy / std::max(std::min(m1, m2), 1e-12);
    const double broken = decades(ratio / kStackRatio);
    if (!(broken > 0)) continue;
    auto same = std::find_if(out.begin(), out.end(),
                             [&](const Suspect& s) { return s.type == ObjType::kBody && s.id == light; });
    if (same == out.end()) {
      Suspect s;
      s.kind = "mass", s.type = ObjType::kBody, s.id = light;
      s.element = element_text(m, ObjType::kBody, light), s.origin = m.origin(ObjType::kBody, light);
      s.near = scene.touches_body(light);
      out.push_back(std::move(s));
      same = out.end() - 1;
    } else if (same->broken >= broken) {
      continue;
    }
    same->broken = broken;
    same->rule =
        "a contact is as soft as its lighter side: " + number(ratio) + " times the mass of this body presses on it";
    same->evidence = {{"mass", std::min(m1, m2), "kg"}, {"mass of the other", heavy, "kg"}, {"ratio", ratio, ""}};
    const double f = 0.1 * ratio;
    const double* moments = m.body_inertia + 3 * light;
    const double cured[3] = {moments[0] * f, moments[1] * f, moments[2] * f};
    same->remedies.insert(same->remedies.begin(),
                          body_inertial(m, light, m.body_mass[light] * f, cured,
                                        "mass of " + same->element + " a tenth of what presses on it"));
  }
}

/// Things larger than any machine: lengths in millimetres.
void suspect_sizes(const Scene& scene, std::vector<Suspect>& out) {
  const Model& m = scene.m;
  for (int g = 0; g < m.ngeom; ++g) {
    const int body = m.geom_bodyid[g];
    if (m.body_treeid[body] < 0 || !(m.geom_rbound[g] > kLargest)) continue;
    Suspect s;
    s.kind = "size", s.type = ObjType::kGeom, s.id = g;
    s.element = element_text(m, ObjType::kGeom, g), s.origin = m.origin(ObjType::kGeom, g);
    s.near = scene.touches_body(body);
    s.broken = 1 + decades(m.geom_rbound[g] / kLargest);
    s.rule = "lengths are metres: this geom is " + doctoring::length_text(2 * m.geom_rbound[g]) +
             " long, its body weighs " + number(m.body_mass[body]) +
             " kg (a mesh in millimetres wants scale=\"0.001 0.001 0.001\")";
    s.evidence = {{"radius", m.geom_rbound[g], "m"}, {"mass of its body", m.body_mass[body], "kg"}};
    out.push_back(std::move(s));
  }
}

bool is_bad(double x) { return !std::isfinite(x) || std::abs(x) > 1e10; }

}  // namespace

bool Scene::touches(const std::vector<double>& j) const {
  if (j.empty()) return false;
  if (seen.dof >= 0 && j[static_cast<size_t>(seen.dof)] != 0) return true;
  double part = 0, all = 0, size = 0;
  for (int i = 0; i < m.nv; ++i) {
    const auto k = static_cast<size_t>(i);
    part += j[k] * mode[k], all += mode[k] * mode[k], size += j[k] * j[k];
  }
  return std::abs(part) > 0.05 * std::sqrt(all * size);
}

bool Scene::touches_body(int body) const {
  const int tree = m.body_treeid[body];
  if (tree < 0) return false;
  if (seen.dof >= 0) return m.dof_treeid[seen.dof] == tree;
  for (int i = 0; i < m.nv; ++i) {
    if (m.dof_treeid[i] == tree && mode[static_cast<size_t>(i)] != 0) return true;
  }
  return false;
}

Scene scene_of(const Model& m, const Past& past, const Seen& seen, size_t from, bool timestep, bool unconverged) {
  const size_t at = std::min(static_cast<size_t>(seen.step), past.states.size() - 1);
  Scene scene{m, past, seen, at, from, timestep, unconverged, {"", -1, past.states[at], Data(m)}, {}, 0};
  // numbers that are no numbers are said elsewhere; here everything else is looked at
  State& s = scene.pose.state;
  const auto clean = [](double* x, int n) {
    for (int i = 0; i < n; ++i) x[i] = is_bad(x[i]) ? 0 : x[i];
  };
  clean(s.ctrl, m.nu), clean(s.qfrc_applied, m.nv), clean(s.xfrc_applied, 6 * m.nbody), clean(s.act, m.na);
  forward(m, s, scene.pose.data);
  scene.mode.assign(static_cast<size_t>(m.nv), 0.0);
  const auto take = [&](const State& a, const State& b) {
    for (int i = 0; i < m.nv; ++i) {
      const double x = b.qvel[i] - a.qvel[i];
      scene.mode[static_cast<size_t>(i)] = std::isfinite(x) ? x : 0;
    }
  };
  if (at + 1 < past.states.size())
    take(past.states[at], past.states[at + 1]);
  else if (at > 0)
    take(past.states[at - 1], past.states[at]);
  else
    for (int i = 0; i < m.nv; ++i)
      scene.mode[static_cast<size_t>(i)] = std::isfinite(scene.pose.data.qacc[i]) ? scene.pose.data.qacc[i] : 0;
  std::vector<double> product(static_cast<size_t>(m.nv));
  multiply_mass(m, scene.pose.data, scene.mode.data(), product.data());
  for (size_t i = 0; i < product.size(); ++i) scene.mode_energy += product[i] * scene.mode[i];
  return scene;
}

void suspect_inputs(const Scene& scene, std::vector<Suspect>& out) {
  const Model& m = scene.m;
  const State& s = scene.past.states[scene.at];
  const auto bad = [&](const char* field, const double* x, int n) {
    for (int i = 0; i < n; ++i) {
      if (!is_bad(x[i])) continue;
      const FieldPlace place = place_of(m, field, i);
      Suspect suspect;
      suspect.kind = "input", suspect.type = place.type, suspect.id = place.id;
      suspect.element = std::string(field) + "[" + std::to_string(i) + "]";
      if (place.id >= 0)
        suspect.element += " of " + element_text(m, place.type, place.id),
            suspect.origin = m.origin(place.type, place.id);
      suspect.rule = "an input must be a number: here it is " + number(x[i]);
      suspect.evidence = {{field, x[i], ""}};
      suspect.broken = 3, suspect.prior = 3, suspect.near = true;
      Variant v;
      v.what =
          "the last good value of the inputs in place of those that are no numbers: look at the program that sets " +
          std::string(field);
      v.good_inputs = true;
      suspect.remedies.push_back(v);
      suspect.without = v;
      out.push_back(std::move(suspect));
      return;
    }
  };
  bad("ctrl", s.ctrl, m.nu);
  bad("qfrc_applied", s.qfrc_applied, m.nv);
  bad("xfrc_applied", s.xfrc_applied, 6 * m.nbody);
  bad("mocap_pos", s.mocap_pos, 3 * m.nmocap);
  bad("mocap_quat", s.mocap_quat, 4 * m.nmocap);
  bad("act", s.act, m.na);

  if (scene.outside) {
    const auto& all = scene.past.foreign;
    // the last one before the trouble: what went well before went well
    auto at = std::find_if(all.rbegin(), all.rend(), [&](const Foreign& f) { return f.row <= scene.at; });
    while (at + 1 != all.rend() && (at + 1)->row + 1 == at->row && (at + 1)->row >= scene.from) ++at;
    Suspect outside;
    outside.kind = "input", outside.type = ObjType::kJoint, outside.id = m.dof_jntid[at->dof];
    outside.element = "what acted on " + element_text(m, ObjType::kJoint, outside.id) +
                      " from t = " + number(*scene.past.states[at->row].time) + " s on";
    outside.origin = m.origin(ObjType::kJoint, outside.id);
    outside.rule = std::string("the model makes a step by itself: ") +
                   (at->position ? "it moves at " : "a velocity of ") + number(at->simulated) +
                   ", and the trajectory has " + number(at->given) +
                   " (m/s or rad/s); a control, a force or a state was set that is not in the rows";
    outside.evidence = {{"velocity in the trajectory", at->given, "m/s|rad/s"},
                        {"velocity of the model", at->simulated, "m/s|rad/s"}};
    outside.broken = 3, outside.prior = 3, outside.near = true;
    out.push_back(std::move(outside));
  }

  // velocities that it starts with
  const State& first = scene.past.states.front();
  for (int i = 0; i < m.nv && scene.past.forgotten == 0; ++i) {
    constexpr double kFastest = 343;
    if (std::abs(first.qvel[i]) <= kFastest || scene.at > 50) continue;
    Suspect suspect;
    suspect.kind = "input", suspect.type = ObjType::kJoint, suspect.id = m.dof_jntid[i];
    suspect.element = "qvel of " + element_text(m, ObjType::kJoint, suspect.id),
    suspect.origin = m.origin(ObjType::kJoint, suspect.id);
    suspect.rule = "it starts with a velocity of " + number(first.qvel[i]) + " m/s or rad/s";
    suspect.broken = 2 + decades(std::abs(first.qvel[i]) / kFastest), suspect.near = true;
    out.push_back(std::move(suspect));
    break;
  }
  // mocap bodies that jump
  for (size_t i = scene.from + 1; i <= scene.at && i < scene.past.states.size() && m.nmocap > 0; ++i) {
    const double* now = scene.past.states[i].mocap_pos;
    const double* before = scene.past.states[i - 1].mocap_pos;
    int jumped = -1;
    double jump = 0;
    for (int k = 0; k < m.nmocap; ++k) {
      const double way = std::hypot(now[3 * k] - before[3 * k], now[3 * k + 1] - before[3 * k + 1],
                                    now[3 * k + 2] - before[3 * k + 2]);
      if (way > jump) jump = way, jumped = k;
    }
    constexpr double kFastMocap = 30;  // m/s
    if (!(jump > kFastMocap * m.opt.timestep)) continue;
    int body = 0;
    while (body < m.nbody && m.body_mocapid[body] != jumped) ++body;
    Suspect suspect;
    suspect.kind = "input", suspect.type = ObjType::kBody, suspect.id = body;
    suspect.element = "mocap_pos of " + element_text(m, ObjType::kBody, body),
    suspect.origin = m.origin(ObjType::kBody, body);
    suspect.rule =
        "a mocap body that jumps by " + doctoring::length_text(jump) + " in a step pulls what is tied to it as fast";
    suspect.broken = 1 + decades(jump / (kFastMocap * m.opt.timestep)), suspect.near = true;
    out.push_back(std::move(suspect));
    break;
  }

  // forces that users apply, against the weight of what they act on
  double most = 0;
  int body = -1;
  for (size_t i = scene.from; i <= scene.at && i < scene.past.states.size(); ++i) {
    for (int b = 1; b < m.nbody; ++b) {
      const double* x = scene.past.states[i].xfrc_applied + 6 * b;
      const double push = std::hypot(x[0], x[1], x[2]) / std::max(doctoring::tree_mass(m, b), 1e-12) / 9.81;
      if (std::isfinite(push) && push > most) most = push, body = b;
    }
  }
  if (body >= 0 && most > kUsualPush) {
    Suspect suspect;
    suspect.kind = "input", suspect.type = ObjType::kBody, suspect.id = body;
    suspect.element = "xfrc_applied of " + element_text(m, ObjType::kBody, body),
    suspect.origin = m.origin(ObjType::kBody, body);
    suspect.rule = "a force of " + number(most) + " times the weight of what it acts on is applied from outside";
    suspect.broken = decades(most / kUsualPush), suspect.near = scene.touches_body(body);
    out.push_back(std::move(suspect));
  }
}

void suspect_bodies(const Scene& scene, std::vector<Suspect>& out) {
  const Model& m = scene.m;
  double typical = 0;
  int moving = 0;
  for (int b = 1; b < m.nbody; ++b) {
    if (m.body_treeid[b] >= 0 && m.body_mass[b] > 0) typical += std::log(m.body_mass[b]), ++moving;
  }
  typical = moving > 0 ? std::exp(typical / moving) : 1;
  for (int b = 1; b < m.nbody; ++b) {
    if (m.body_treeid[b] < 0 || m.body_weldid[b] != b) continue;
    const double mass = m.body_mass[b];
    const double* moments = m.body_inertia + 3 * b;
    const double largest = std::max({moments[0], moments[1], moments[2]});
    const Shape shape = shape_of(m, b);
    Suspect s;
    s.kind = "mass", s.type = ObjType::kBody, s.id = b;
    s.element = element_text(m, ObjType::kBody, b), s.origin = m.origin(ObjType::kBody, b);
    s.near = scene.touches_body(b);
    s.evidence = {{"mass", mass, "kg"}, {"largest moment", largest, "kg m^2"}};
    const auto cure = [&](double new_mass, const std::string& what) {
      double cured[3];
      const double f = mass > 0 ? new_mass / mass : 0, radius = std::sqrt(largest / std::max(mass, 1e-300));
      const bool fits = mass > 0 && (shape.radius == 0 ||
                                     (radius > kLeastRadius * shape.radius && radius < kMostRadius * shape.radius));
      if (fits)
        for (int k = 0; k < 3; ++k) cured[k] = moments[k] * f;
      else
        usual_moments(new_mass, shape.radius > 0 ? shape.radius : 0.05, cured);
      s.remedies.push_back(body_inertial(m, b, new_mass, cured, what));
    };
    if (shape.volume > 0 && mass > 0) {
      const double density = mass / shape.volume;
      s.evidence.push_back({"mass per volume of its geoms", density, "kg/m^3"});
      const double light = decades(kLightest / density), heavy = decades(density / kHeaviest);
      if (std::max(light, heavy) > 0) {
        s.broken = std::max(light, heavy);
        s.rule = std::string("bodies have 100 to 10 000 kg/m³: this one, of ") + number(mass) + " kg, has " +
                 number(density);
        cure(kUsualDensity * shape.volume, "mass of " + s.element + " as water of that size has it");
      }
    }
    // against its neighbours: what it carries, and what carries it
    double carried = 0;
    for (int c = b + 1; c < m.nbody; ++c) {
      if (m.body_weldid[c] == c && m.body_weldid[m.body_parentid[c]] == b) carried += m.body_subtreemass[c];
    }
    double armature = doctoring::kNever;
    for (int k = 0; k < m.body_dofnum[b]; ++k) armature = std::min(armature, m.dof_armature[m.body_dofadr[b] + k]);
    double own = 0;
    for (int c = b; c < m.nbody; ++c) own += m.body_weldid[c] == b ? m.body_mass[c] : 0;
    const double ratio = carried / std::max(own, 1e-12), against = typical / std::max(own, 1e-12);
    if (armature == 0 && decades(ratio / kChainRatio) > std::max(s.broken, 0.0)) {
      s.broken = decades(ratio / kChainRatio);
      s.rule = "a body that carries " + number(ratio) + " times its own mass makes constraints soft or shaking";
      cure(std::max(carried / 20, own), "mass of " + s.element + " a twentieth of what it carries");
    } else if (decades(against / 1000) > std::max(s.broken, 0.0)) {
      s.broken = decades(against / 1000);
      s.rule = "a body of " + number(own) + " kg among bodies of " + number(typical) + " kg";
      cure(typical / 20, "mass of " + s.element + " nearer to that of its neighbours");
    }
    if (m.body_gravcomp[b] > kMostGravcomp && decades(m.body_gravcomp[b] / kMostGravcomp) > std::max(s.broken, 0.0)) {
      s.kind = "gravity";
      s.broken = decades(m.body_gravcomp[b] / kMostGravcomp);
      s.rule = "gravcomp is a share of the weight, and 1 carries all of it: here it is " + number(m.body_gravcomp[b]);
      s.evidence.push_back({"gravcomp", m.body_gravcomp[b], ""});
      s.without = body_gravcomp(m, b, 0);
      s.remedies = {body_gravcomp(m, b, 1)};
    }
    const doctoring::GeomsPlace geoms = doctoring::place_of_geoms(m, b);
    if (const double off = decades(geoms.away / (doctoring::kFarCentre * geoms.radius));
        geoms.radius > 0 && mass > 0 && off > 0) {
      if (2 * off > std::max(s.broken, 0.0)) {
        s.kind = "inertia";
        s.broken = 2 * off;
        s.rule = "the centre of mass of a body lies within its shape: this one's is " +
                 doctoring::length_text(geoms.away) + " away from its geoms, which are " +
                 doctoring::length_text(2 * geoms.radius) + " large (a pos of <inertial> in millimetres?)";
        s.evidence.push_back({"distance of the centre of mass", geoms.away, "m"});
        s.remedies.insert(s.remedies.begin(),
                          body_centre(m, b, geoms.centre, "centre of mass of " + s.element + " amid its geoms"));
      }
    } else if (shape.radius > 0 && mass > 0) {
      const double radius = std::sqrt(largest / mass);
      const double small = decades(kLeastRadius * shape.radius / std::max(radius, 1e-300)),
                   large = decades(radius / (kMostRadius * shape.radius));
      if (2 * std::max(small, large) > std::max(s.broken, 0.0)) {
        s.kind = "inertia";
        s.broken = 2 * std::max(small, large);
        s.rule = "the mass of a body sits within its shape: this one has a radius of gyration of " +
                 doctoring::length_text(radius) + ", and geoms within " + doctoring::length_text(shape.radius);
        double cured[3];
        usual_moments(mass, shape.radius, cured);
        s.remedies.insert(s.remedies.begin(),
                          body_inertial(m, b, mass, cured, "moments of " + s.element + " that fit its geoms"));
      }
    }
    if (s.broken > 0) out.push_back(std::move(s));
  }
  suspect_light_sides(scene, out);
  suspect_sizes(scene, out);
}

void suspect_options(const Scene& scene, std::vector<Suspect>& out) {
  const Model& m = scene.m;
  const double h = m.opt.timestep;
  Suspect s;
  s.kind = "timestep", s.element = "<option timestep>", s.near = true;
  s.evidence = {{"timestep", h, "s"}};
  s.broken = scene.timestep ? decades(h / kUsualTimestep) : -1;
  if (s.broken > 0)
    s.rule = "the timestep of " + doctoring::time_text(h) +
             " is long: 1 to 5 ms are usual, and a shorter one is free of this";
  if (scene.timestep) {
    for (const int parts : {2, 4, 10, 40}) s.remedies.push_back(finer_timestep(m, parts));
    out.push_back(s);
  }

  const double g = doctoring::gravity_size(m);
  if (g > 20) {
    Suspect weight;
    weight.kind = "gravity", weight.element = "<option gravity>", weight.near = true;
    weight.broken = 2 * decades(g / 20);
    weight.evidence = {{"gravity", g, "m/s^2"}};
    weight.rule = "gravity is " + number(g) + " m/s²: lengths are metres, and the Earth has 9.81";
    weight.remedies.push_back(with_gravity(m, 9.81));
    weight.without = with_gravity(m, 9.81);
    out.push_back(std::move(weight));
  }

  if (scene.unconverged || m.opt.iterations < 10) {
    Suspect solver;
    solver.kind = "solver", solver.element = "<option solver>", solver.near = true;
    solver.broken = scene.unconverged ? 0.7 + std::max(0.0, decades(20.0 / std::max(m.opt.iterations, 1))) : 0;
    solver.evidence = {{"iterations", double(m.opt.iterations), ""}, {"tolerance", m.opt.tolerance, ""}};
    solver.rule =
        "forces of constraints must be solved for: in most steps the solver stopped before its tolerance, after at "
        "most " +
        std::to_string(m.opt.iterations) + " iterations";
    solver.remedies.push_back(with_solver(SolverType::kNewton, "Newton", 100));
    solver.without = solver.remedies.front();
    out.push_back(std::move(solver));
  }
  if (m.opt.density > 2000 || m.opt.viscosity > 10) {
    Suspect fluid;
    fluid.kind = "fluid", fluid.element = "<option density viscosity>", fluid.near = true;
    fluid.broken = std::max(decades(m.opt.density / 2000), decades(m.opt.viscosity / 10));
    fluid.evidence = {{"density", m.opt.density, "kg/m^3"}, {"viscosity", m.opt.viscosity, "Pa s"}};
    fluid.rule = "the fluid around everything is denser or thicker than any: water has 1000 kg/m³ and 0.001 Pa s";
    Variant v;
    v.what = "a fluid as water is";
    v.change = [](Model& x) {
      x.opt.density = std::min(x.opt.density, 1000.0), x.opt.viscosity = std::min(x.opt.viscosity, 0.001);
    };
    v.edits = {{"option", "", "", "density", number(std::min(m.opt.density, 1000.0)), "", "", ""},
               {"option", "", "", "viscosity", number(std::min(m.opt.viscosity, 0.001)), "", "", ""}};
    fluid.remedies.push_back(v);
    fluid.without = v;
    out.push_back(std::move(fluid));
  }
  // couplings of joints that have no rows of their own
  for (int e = 0; e < m.neq; ++e) {
    if (!equality_kind(m.eq_type[e]).ties_joints() || m.eq_obj2id[e] < 0) continue;
    if (std::any_of(out.begin(), out.end(),
                    [&](const Suspect& x) { return x.type == ObjType::kEquality && x.id == e; }))
      continue;
    Suspect mimic;
    mimic.kind = "equality", mimic.type = ObjType::kEquality, mimic.id = e;
    mimic.element = element_text(m, ObjType::kEquality, e), mimic.origin = m.origin(ObjType::kEquality, e);
    std::vector<double> j(static_cast<size_t>(m.nv));
    j[static_cast<size_t>(m.jnt_dofadr[m.eq_obj1id[e]])] = 1;
    const bool follower_limit =
        (scene.seen.type == ObjType::kJoint) && (scene.seen.id == m.eq_obj1id[e] || scene.seen.id == m.eq_obj2id[e]);
    mimic.near = scene.touches(j) || follower_limit;
    if (follower_limit && scene.seen.band == Band::kLimit) {
      mimic.broken = 0.5;
      mimic.rule = "it leads " + element_text(m, ObjType::kJoint, scene.seen.id) +
                   " beyond its limit: the sign of a coupling, or the range, is wrong";
    }
    mimic.remedies.push_back(equality_flipped(m, e));
    out.push_back(std::move(mimic));
  }
}

void suspect_findings(const Scene& scene, const std::vector<Diagnostic>* diagnostics, std::vector<Suspect>& out) {
  const DoctorReport report = doctor(scene.m, diagnostics, {0});
  for (const Finding& f : report.findings) {
    if (f.severity == FindingSeverity::kNote) continue;
    // the timestep of every element is looked at here, at the moment that matters
    if (f.code.starts_with("D1")) continue;
    const double weight = f.severity == FindingSeverity::kError ? 0.6 : 0.2;
    const auto same = std::find_if(out.begin(), out.end(), [&](const Suspect& s) {
      return f.element.find(s.element) != std::string::npos && !s.element.empty();
    });
    if (same != out.end() && !same->rule.empty()) {
      same->prior = std::max(same->prior, weight);
      continue;
    }
    Suspect s;
    s.kind = "model", s.element = f.element, s.origin = f.origin, s.rule = f.message, s.evidence = f.evidence;
    s.broken = weight;
    // a coupling that the finding is about may have the wrong sign
    for (const Suspect& other : out) {
      if (other.kind == "equality" && f.message.find(other.element) != std::string::npos) {
        s.remedies = other.remedies;
        break;
      }
    }
    out.push_back(std::move(s));
  }
}

void share_blame(const Scene& scene, std::vector<Suspect>& all) {
  const double late = std::max(0.0, std::log10(scene.m.opt.timestep / kUsualTimestep));
  double light = 0;
  for (const Suspect& s : all) {
    const bool is_light = (s.kind == "mass" || s.kind == "inertia") && s.near;
    if (is_light && s.rule.find("has") != std::string::npos) light = std::max(light, s.broken);
  }
  for (Suspect& s : all) {
    const bool acts = s.kind == "actuator" || s.kind == "spring" || s.kind == "damper" || s.kind == "equality" ||
                      s.kind == "limit" || s.kind == "contact";
    const bool pushes =
        s.rule.starts_with("a force that accelerates") || s.rule.starts_with("a constraint that accelerates");
    if (acts && pushes) s.broken -= light;
    if (!acts || !s.rule.starts_with("a timestep can follow")) continue;
    const double power = s.kind == "damper" ? 1 : 2;
    // a body that is much too light makes everything stiff that acts on it
    s.broken -= power * late + light;
  }
  for (Suspect& s : all) {
    if (s.kind == "timestep" && s.broken > 0) s.broken *= 2;
  }
}

}  // namespace pliant::whys

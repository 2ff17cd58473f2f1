#pragma once
// Options of a simulation, statistics and viewer settings: plain values, the same in Spec and Model.

#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "pliant/types.h"

namespace pliant {

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
inline bool defined(double x) { return !std::isnan(x); }

template <int n>
using Reals = std::array<double, n>;
template <int n>
using Floats = std::array<float, n>;
template <int n>
using Ints = std::array<int, n>;

inline constexpr Reals<kNumRef> kDefaultSolref = {0.02, 1};
inline constexpr Reals<kNumImp> kDefaultSolimp = {0.9, 0.95, 0.001, 0.5, 2};

struct Options {
  double timestep = 0.002, impratio = 1, tolerance = 1e-8, ls_tolerance = 0.01, noslip_tolerance = 1e-6,
         ccd_tolerance = 1e-6, sleep_tolerance = 1e-3;
  Reals<3> gravity = {0, 0, -9.81}, wind = {}, magnetic = {0, -0.5, 0};
  double density = 0, viscosity = 0, o_margin = 0;
  Reals<kNumRef> o_solref = kDefaultSolref;
  Reals<kNumImp> o_solimp = kDefaultSolimp;
  Reals<5> o_friction = {1, 1, 0.005, 0.0001, 0.0001};
  Integrator integrator = Integrator::kEuler;
  ConeType cone = ConeType::kPyramidal;
  FrictionLaw friction = FrictionLaw::kRegularized;  ///< of contacts: held by creeping, or by where it began to stick
  SpinLaw spin =
      SpinLaw::kPlain;  ///< of bodies by themselves: as the integrator has it, or keeping momentum and energy
  Resolution resolution = Resolution::kConvex;  ///< of sliding contacts: lifted as convexity wants, or not lifted
  JacobianType jacobian = JacobianType::kAuto;
  SolverType solver = SolverType::kNewton;
  int iterations = 100, ls_iterations = 50, noslip_iterations = 0, ccd_iterations = 35;
  int disableflags = 0, enableflags = 0, disableactuator = 0;
  int sdf_initpoints = 40, sdf_iterations = 10;
  int tgs_substeps = 4, tgs_sweeps = 2;  ///< of the solver TGS: parts of a step, sweeps over the rows in each
  int discrete_full = 0;  ///< discrete: 1 = gyroscopic terms of free bodies with rows, and terms of tendons and
                          ///< actuators under PGS, are implicit, too; the reference leaves them explicit
};

/// Whether the step solves with M - h D for the velocities, after the constraint solve.
constexpr bool is_implicit(Integrator integrator) {
  return integrator == Integrator::kImplicit || integrator == Integrator::kImplicitFast;
}
/// Whether constraint solve and implicit step are one.
inline bool is_discrete(const Options& o) { return o.integrator == Integrator::kDiscrete; }

/// A line of solvers.def.
struct SolverTraits {
  SolverType type;
  const char* keyword;
  bool dual, substeps, row_memory, reference;
};
inline constexpr SolverTraits kSolvers[] = {
#define SOLVER(name, function, keyword, dual, substeps, row_memory, reference) \
  {SolverType::k##name, keyword, dual, substeps, row_memory, reference},
#include "pliant/solvers.def"
#undef SOLVER
};
inline constexpr int kNumSolvers = std::size(kSolvers);
/// Of a number that is no solver: those of Newton.
inline const SolverTraits& traits(SolverType solver) {
  const int i = static_cast<int>(solver);
  return kSolvers[i >= 0 && i < kNumSolvers ? i : static_cast<int>(SolverType::kNewton)];
}

/// In how many parts the solver takes a step: more than one only if it has substeps, and not where Runge-Kutta has its
/// own, the forces of the middle count for all of it (midpoint), or it is one implicit solve (discrete).
inline int solver_substeps(const Options& o) {
  const bool parts = traits(o.solver).substeps && o.integrator != Integrator::kRk4 &&
                     o.integrator != Integrator::kMidpoint && !is_discrete(o);
  return parts && o.tgs_substeps > 1 ? o.tgs_substeps : 1;
}
/// Length of such a part: the timestep that constraint rows see [s].
inline double solver_timestep(const Options& o) { return o.timestep / solver_substeps(o); }

struct Statistic {
  double meaninertia = kUndefined, meanmass = kUndefined, meansize = kUndefined, extent = kUndefined;
  Reals<3> center = {kUndefined, kUndefined, kUndefined};
};

/// Kept for viewers; the engine does not use it. Names and defaults follow MJCF's <visual>.
struct Visual {
  struct {
    int cameraid = -1;
    bool orthographic = false;
    float fovy = 45, ipd = 0.068f, azimuth = 90, elevation = -45, linewidth = 1, glow = 0.3f, realtime = 1;
    int offwidth = 640, offheight = 480;
    bool ellipsoidinertia = false, bvactive = false;
  } global;
  struct {
    int shadowsize = 4096, offsamples = 4, numslices = 28, numstacks = 16, numquads = 4;
  } quality;
  struct {
    Floats<3> ambient = {0.1f, 0.1f, 0.1f}, diffuse = {0.4f, 0.4f, 0.4f}, specular = {0.5f, 0.5f, 0.5f};
    int active = 2;  ///< 0 off, 1 on, 2 as the viewer likes
  } headlight;
  struct {
    float stiffness = 100, stiffnessrot = 500, force = 0.005f, torque = 0.1f, alpha = 0.3f, fogstart = 3, fogend = 10,
          znear = 0.01f, zfar = 50, haze = 0.3f, shadowclip = 1, shadowscale = 0.6f, actuatortendon = 2;
  } map;
  struct {
    float forcewidth = 0.1f, contactwidth = 0.3f, contactheight = 0.1f, connect = 0.2f, com = 0.4f, camera = 0.3f,
          light = 0.3f, selectpoint = 0.2f, jointlength = 1, jointwidth = 0.1f, actuatorlength = 0.7f,
          actuatorwidth = 0.2f, framelength = 1, framewidth = 0.1f, constraint = 0.1f, slidercrank = 0.2f, frustum = 10;
  } scale;
  struct {
    Floats<4> fog = {0, 0, 0, 1}, haze = {1, 1, 1, 1}, force = {1, 0.5f, 0.5f, 1}, inertia = {0.8f, 0.2f, 0.2f, 0.6f},
              joint = {0.2f, 0.6f, 0.8f, 1}, actuator = {0.2f, 0.25f, 0.2f, 1},
              actuatornegative = {0.2f, 0.6f, 0.9f, 1}, actuatorpositive = {0.9f, 0.4f, 0.2f, 1},
              com = {0.9f, 0.9f, 0.9f, 1}, camera = {0.6f, 0.9f, 0.6f, 1}, light = {0.6f, 0.6f, 0.9f, 1},
              selectpoint = {0.9f, 0.9f, 0.1f, 1}, connect = {0.2f, 0.2f, 0.8f, 1},
              contactpoint = {0.9f, 0.6f, 0.2f, 1}, contactforce = {0.7f, 0.9f, 0.9f, 1},
              contactfriction = {0.9f, 0.8f, 0.4f, 1}, contacttorque = {0.9f, 0.7f, 0.9f, 1},
              contactgap = {0.5f, 0.8f, 0.9f, 1}, rangefinder = {1, 1, 0.1f, 1}, constraint = {0.9f, 0, 0, 1},
              slidercrank = {0.5f, 0.3f, 0.8f, 1}, crankbroken = {0.9f, 0, 0, 1}, frustum = {1, 1, 0, 0.2f},
              bv = {0, 1, 0, 0.5f}, bvactive = {1, 0, 0, 0.5f};
  } rgba;
};

/// Calls f for every member, in a fixed order: saving, hashing and comparing go through here.
template <class O, class F>
void visit_options(O& o, F&& f) {
  f(o.timestep);
  f(o.impratio);
  f(o.tolerance);
  f(o.ls_tolerance);
  f(o.noslip_tolerance);
  f(o.ccd_tolerance);
  f(o.sleep_tolerance);
  f(o.gravity);
  f(o.wind);
  f(o.magnetic);
  f(o.density);
  f(o.viscosity);
  f(o.o_margin);
  f(o.o_solref);
  f(o.o_solimp);
  f(o.o_friction);
  f(o.integrator);
  f(o.cone);
  f(o.jacobian);
  f(o.solver);
  f(o.iterations);
  f(o.ls_iterations);
  f(o.noslip_iterations);
  f(o.ccd_iterations);
  f(o.disableflags);
  f(o.enableflags);
  f(o.disableactuator);
  f(o.sdf_initpoints);
  f(o.sdf_iterations);
  f(o.tgs_substeps);
  f(o.tgs_sweeps);
  f(o.discrete_full);
  f(o.friction);
  f(o.spin);
  f(o.resolution);
}
template <class S, class F>
void visit_statistic(S& s, F&& f) {
  f(s.meaninertia);
  f(s.meanmass);
  f(s.meansize);
  f(s.extent);
  f(s.center);
}
template <class V, class F>
void visit_visual(V& v, F&& f) {
  f(v.global.cameraid);
  f(v.global.orthographic);
  f(v.global.fovy);
  f(v.global.ipd);
  f(v.global.azimuth);
  f(v.global.elevation);
  f(v.global.linewidth);
  f(v.global.glow);
  f(v.global.realtime);
  f(v.global.offwidth);
  f(v.global.offheight);
  f(v.global.ellipsoidinertia);
  f(v.global.bvactive);
  f(v.quality.shadowsize);
  f(v.quality.offsamples);
  f(v.quality.numslices);
  f(v.quality.numstacks);
  f(v.quality.numquads);
  f(v.headlight.ambient);
  f(v.headlight.diffuse);
  f(v.headlight.specular);
  f(v.headlight.active);
  f(v.map.stiffness);
  f(v.map.stiffnessrot);
  f(v.map.force);
  f(v.map.torque);
  f(v.map.alpha);
  f(v.map.fogstart);
  f(v.map.fogend);
  f(v.map.znear);
  f(v.map.zfar);
  f(v.map.haze);
  f(v.map.shadowclip);
  f(v.map.shadowscale);
  f(v.map.actuatortendon);
  f(v.scale.forcewidth);
  f(v.scale.contactwidth);
  f(v.scale.contactheight);
  f(v.scale.connect);
  f(v.scale.com);
  f(v.scale.camera);
  f(v.scale.light);
  f(v.scale.selectpoint);
  f(v.scale.jointlength);
  f(v.scale.jointwidth);
  f(v.scale.actuatorlength);
  f(v.scale.actuatorwidth);
  f(v.scale.framelength);
  f(v.scale.framewidth);
  f(v.scale.constraint);
  f(v.scale.slidercrank);
  f(v.scale.frustum);
  f(v.rgba.fog);
  f(v.rgba.haze);
  f(v.rgba.force);
  f(v.rgba.inertia);
  f(v.rgba.joint);
  f(v.rgba.actuator);
  f(v.rgba.actuatornegative);
  f(v.rgba.actuatorpositive);
  f(v.rgba.com);
  f(v.rgba.camera);
  f(v.rgba.light);
  f(v.rgba.selectpoint);
  f(v.rgba.connect);
  f(v.rgba.contactpoint);
  f(v.rgba.contactforce);
  f(v.rgba.contactfriction);
  f(v.rgba.contacttorque);
  f(v.rgba.contactgap);
  f(v.rgba.rangefinder);
  f(v.rgba.constraint);
  f(v.rgba.slidercrank);
  f(v.rgba.crankbroken);
  f(v.rgba.frustum);
  f(v.rgba.bv);
  f(v.rgba.bvactive);
}

}  // namespace pliant

// The table of what changed between MuJoCo 3.12 and 4.0 in ways that a model can feel: one line per cause. `pliant
// codes` prints it. A cause that Pliant does not read (flexes, composites, plugins) is known by its element.

#include "pliant/changed_since.h"

namespace pliant {

const char* effect_name(ChangeEffect effect) {
  constexpr const char* kNames[] = {"file", "acceleration", "step", "reading", "numbers"};
  return kNames[static_cast<int>(effect)];
}

const std::vector<ChangeCode>& change_codes() {
  using enum ChangeEffect;
  static const std::vector<ChangeCode> kCodes = {
      {"C101", "3.14", kAcceleration, "principal axes to rounding",
       "The search for principal axes used to stop at a microradian, or at 1e-12 kg m² beside the diagonal, and what "
       "was left was dropped. Small bodies and meshes are concerned most."},
      {"C103", "3.15", kAcceleration, "damping ratio by the inertia that is felt",
       "dampratio of an actuator: kv = 2 dampratio √(kp m) with m = 1/(J M⁻¹ Jᵀ) at qpos0; before, m was the sum of "
       "the inertias of all joints it moves, each as if it were alone. Resolved by the compiler only."},
      {"C104", "3.16", kAcceleration, "defaults of actuators by shortcut",
       "A shortcut (position, velocity, …) takes its own parameters from defaults written with the same shortcut or "
       "with general; before, all shortcuts of a class shared one record. <pid> without kp has kp = 1."},
      {"C105", "3.14", kAcceleration, "actuatorfrcrange of a tendon limits by itself",
       "actuatorfrclimited of tendons is automatic as everywhere else: giving the range is enough."},
      {"C106", "3.16", kFile, "keyframes as they are written",
       "A keyframe has the numbers of the whole model. In 3.12 it had those of the model before <replicate> made "
       "copies, and became one keyframe per copy; as many numbers as the whole model has were refused."},
      {"C107", "3.13", kAcceleration, "mimic joints of a URDF",
       "<mimic> was left out, and the joint moved freely; it is a soft joint equality since 3.13. Pliant couples the "
       "joint exactly (docs/urdf.md)."},
      {"C108", "4.0", kAcceleration, "armature of fixed tendons in inverse weights",
       "Bodies that stand alone took their inverse weights (dof_invweight0, body_invweight0) without the armature of "
       "fixed tendons; constraints on them were softer or firmer for it."},
      {"C201", "3.13", kAcceleration, "points of a mesh on a plane",
       "Up to four points that spread over the face that lies on the plane; before, the lowest vertex and up to two of "
       "its neighbours."},
      {"C202", "3.17", kAcceleration, "points of cylinders, capsules and margins",
       "Faces and lines are clipped at once: 4 points for a face, 2 for a line, 1 for a point (3.13 cylinders, 3.15 "
       "capsules, 3.17 with a margin, 4.0.1 edges of cylinders). Before, shapes were turned by a milliradian and "
       "searched again, for up to 5 points."},
      {"C203", "4.0", kAcceleration, "points of meshes on meshes and boxes",
       "Normals of a mesh's faces come from their whole outline (3.17), faces and corners are chosen and ordered by "
       "other rules (4.0): where faces lie on each other, other points of the same patch are taken."},
      {"C204", "3.16", kAcceleration, "nearly parallel capsules",
       "The nearest points of two capsules no longer lose digits where their axes are nearly parallel."},
      {"C301", "4.0", kStep, "actuators at the limit of their joint or tendon",
       "implicit and implicitfast: an actuator whose force actuatorfrcrange cuts gives no damping to the step any "
       "more, as it was with its own forcerange."},
      {"C302", "4.0", kStep, "ball and free joints under RK4",
       "Turns of the four stages are composed (Runge-Kutta-Munthe-Kaas) instead of averaging angular velocities."},
      {"C303", "4.0", kAcceleration, "side sites outside of their geom",
       "A tendon goes round a geom in the sense in which the side site lies, past it; before, the middle of the path "
       "was to lie on its side. arm26.xml of 3.12 finds no length range any more."},
      {"C304", "3.17", kAcceleration, "when PGS, noslip and solvers without islands stop",
       "Improvements are measured by trace(M) of the configuration, before by meaninertia · nv. A matter of the "
       "tolerance only."},
      {"C305", "4.0", kAcceleration, "lift of small or slow ellipsoids",
       "fluidshape=\"ellipsoid\": lift was divided by at least 1e-15 (speed · |normal|², m⁸ m³/s³), so that small or "
       "slow geoms had hardly any."},
      {"C306", "4.0", kAcceleration, "angle between a site and its reference site",
       "Actuators with refsite and a rotational gear: quaternions of site and body were multiplied in the wrong order, "
       "which shows where a site is turned in its body."},
      {"C401", "4.0", kReading, "accelerometers that cannot move",
       "accelerometer and framelinacc on static and mocap bodies read −gravity, as everywhere; they read 0."},
      {"C402", "3.14", kReading, "force and torque with welds",
       "Torques of weld equalities enter cfrc_int with their scale and in world axes."},
      {"C403", "3.14", kReading, "force and torque with tendons",
       "Forces of spatial tendons enter cfrc_int, and with it force and torque sensors."},
      {"C404", "3.16", kReading, "stage of contact sensors",
       "A contact sensor is read with forces only if it needs them (force, torque, maxforce, netforce), else with "
       "velocities or positions."},
      {"C501", "4.0", kFile, "elements that are gone",
       "<composite>, the cable plugin, <flexvert>, equality=\"vert\" of <flexcomp> and internal of a flex's <contact> "
       "are no longer read."},
      {"C502", "4.0", kFile, "files that are refused",
       "New errors: height fields of fewer than 2 rows or columns; fixed tendons on ball or free joints, with a joint "
       "twice, or with negative armature; pulleys with a divisor that is not positive; built-in textures of other than "
       "3 channels; skin faces out of range; discardvisual with inertiafromgeom=\"true\" and visual geoms that have "
       "mass."},
      {"C503", "4.0", kNumbers, "attributes on their way out",
       "settotalmass and meaninertia still work, with a warning."},
  };
  return kCodes;
}

}  // namespace pliant

#pragma once
// Changes to try, each as a change of the Model and as a line of MJCF.

#include "why/suspect.h"

namespace pliant::whys {

// ---- options
Variant finer_timestep(const Model& m, int parts);
Variant with_integrator(Integrator integrator, const char* keyword);
Variant with_solver(SolverType solver, const char* keyword, int iterations);
Variant with_gravity(const Model& m, double size);

// ---- joints and tendons: "stiffness", "damping", "armature", "frictionloss"
Variant joint_number(const Model& m, int joint, const char* attribute, double value);
Variant tendon_number(const Model& m, int tendon, const char* attribute, double value);
Variant joint_range(const Model& m, int joint, double low, double high, std::string what);
Variant tendon_range(const Model& m, int tendon, double low, double high, std::string what);
/// Its springref read as degrees.
Variant springref_in_radians(const Model& m, int joint);
/// A start with no joint beyond its limits: moved to them, or its angles read as degrees. None where that is not so.
std::optional<Variant> start_in_ranges(const Model& m, const State& start, bool degrees);
Variant without_limit(const Model& m, ObjType joint_or_tendon, int id);
/// Dry friction of a joint or tendon as soft as by default.
Variant friction_solref(const Model& m, ObjType joint_or_tendon, int id, double time, double ratio);
Variant limit_solref(const Model& m, ObjType type, int id, double time, double ratio);

// ---- actuators
/// Gain and bias times a positive factor.
Variant actuator_scaled(const Model& m, int actuator, double factor, std::string what);
/// Feedback of position, of velocity or of both with the other sign.
Variant actuator_turned(const Model& m, int actuator, bool position, bool velocity);
/// Its feedback of velocity (kv).
Variant actuator_damping(const Model& m, int actuator, double kv);
Variant actuator_gear(const Model& m, int actuator, double factor);
/// The time constant of its filter.
Variant actuator_filter(const Model& m, int actuator, double time);
/// Its filter integrated exactly, whatever the timestep.
Variant actuator_filter_exact(const Model& m, int actuator);
Variant actuator_off(const Model& m, int actuator);

// ---- contacts
Variant contact_solref(const Model& m, int geom1, int geom2, int pair, double time, double ratio);
/// As stiff as the timestep allows.
Variant contact_stiffer(const Model& m, int geom1, int geom2, int pair);
Variant bodies_excluded(const Model& m, int body1, int body2);
/// A body that floats is moved by a vector: its pos, or, where `start` (if known) is another one, the keyframe.
Variant body_moved(const Model& m, int body, const double shift[3], const State* start);

// ---- equalities
Variant equality_solref(const Model& m, int equality, double time, double ratio);
Variant equality_off(const Model& m, int equality);
/// The linear term of a joint or mimic equality with the other sign.
Variant equality_flipped(const Model& m, int equality);

// ---- bodies
/// Mass and moments.
Variant body_inertial(const Model& m, int body, double mass, const double moments[3], std::string what);
/// The centre of mass, in the frame of the body.
Variant body_centre(const Model& m, int body, const double at[3], std::string what);
Variant body_gravcomp(const Model& m, int body, double share);

/// The lines to copy.
std::string mjcf_of(const std::vector<MjcfEdit>& edits);

}  // namespace pliant::whys

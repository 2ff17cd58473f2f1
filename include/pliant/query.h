#pragma once
// Questions about a state: Jacobians, velocities of objects, energies, momenta, forces on bodies,
// products with the mass matrix, rays, distances, inverse dynamics.
//
// All of them read Data as `forward` left it; where less is enough, the comment names the phase.
// Nothing here moves State, and only the functions that take Data without const write it (the
// fields they name). Arrays are given by their first number; matrices are dense, row by row.
// Spatial velocities and accelerations are [angular, linear], as in Data.

#include <array>
#include <string>
#include <vector>

#include "pliant/inverse.h"
#include "pliant/step.h"

namespace pliant {

// ---- Jacobians (after the position phase)
// ---------------------------------------------------------------

/// Velocity of a point fixed to a body (jacp) and angular velocity of the body (jacr) per unit
/// velocity of each dof: 3 x nv, world axes. The point is given in world coordinates. nullptr: not
/// wanted.
void jacobian(const Model& m, const Data& d, int body, const double point[3], double* jacp, double* jacr);
/// Of the body's origin.
void jacobian_body(const Model& m, const Data& d, int body, double* jacp, double* jacr);
/// Of the body's centre of mass.
void jacobian_body_com(const Model& m, const Data& d, int body, double* jacp, double* jacr);
/// Of the centre of mass of the body and everything it carries.
void jacobian_subtree_com(const Model& m, const Data& d, int body, double* jacp);
/// Of a geom's centre.
void jacobian_geom(const Model& m, const Data& d, int geom, double* jacp, double* jacr);
/// Of a site.
void jacobian_site(const Model& m, const Data& d, int site, double* jacp, double* jacr);
/// Of a point and of an axis, both fixed to a body and given in world coordinates: jacaxis is the
/// velocity of the axis' tip.
void jacobian_point_axis(const Model& m, const Data& d, int body, const double point[3], const double axis[3],
                         double* jacp, double* jacaxis);
/// Time derivative of `jacobian` (after the velocity phase).
void jacobian_dot(const Model& m, const Data& d, int body, const double point[3], double* jacp, double* jacr);
/// Angular momentum of a subtree about its centre of mass per unit velocity of each dof: 3 x nv.
void angular_momentum_matrix(const Model& m, const Data& d, int body, double* matrix);

// ---- motion of objects
// -----------------------------------------------------------------------------------

/// Velocity [angular, linear] of a body (kBody: its inertial frame, kXbody: its frame), geom, site
/// or camera, in world axes or in its own (`local`). After the velocity phase.
void object_velocity(const Model& m, const Data& d, ObjType type, int id, bool local, double velocity[6]);
/// Acceleration [angular, linear], gravity counted as upward acceleration: what an accelerometer
/// there feels. Needs `body_forces` to have run. Objects that cannot move feel gravity alone.
void object_acceleration(const Model& m, const Data& d, ObjType type, int id, bool local, double acceleration[6]);

// ---- mass matrix (after the position phase)
// ---------------------------------------------------------------

/// The mass matrix as nv x nv numbers; `values` are in the places of Data::M.
void full_mass(const Model& m, const double* values, double* dense);
/// The factors qLD and qLDiagInv of M as it is; the step does this by itself.
void factor_mass(const Model& m, const State& s, Data& d);
/// y = M x.
void multiply_mass(const Model& m, const Data& d, const double* x, double* y);
/// y = M^½ x, with M = (M^½)' M^½: D^½ L x.
void multiply_sqrt_mass(const Model& m, const Data& d, const double* x, double* y);
/// x becomes M⁻¹ x.
void solve_mass(const Model& m, const Data& d, double* x);
/// x becomes the solution y of (M^½)' y = x: |y|² = x' M⁻¹ x.
void solve_sqrt_mass(const Model& m, const Data& d, double* x);
/// qfrc += J' (force, torque): a force at a point of a body, and a torque, in world axes.
void apply_force(const Model& m, const Data& d, int body, const double point[3], const double force[3],
                 const double torque[3], double* qfrc);

// ---- coordinates
// -----------------------------------------------------------------------------------------

/// qpos after time h with velocity qvel, joint by joint.
void integrate_pos(const Model& m, double* qpos, const double* qvel, double h);
/// The velocity that leads from qpos_b to qpos_a in time h.
void differentiate_pos(const Model& m, double* qvel, double h, const double* qpos_b, const double* qpos_a);
/// Quaternions of a configuration to unit length.
void normalize_pos(const Model& m, double* qpos);

// ---- on demand
// -------------------------------------------------------------------------------------------

/// Potential energy of gravity and springs into Data::energy[0] (after the position phase).
void potential_energy(const Model& m, const State& s, Data& d);
/// Kinetic energy ½ v' M v into Data::energy[1] (after the position phase).
void kinetic_energy(const Model& m, const State& s, Data& d);
/// subtree_linvel and subtree_angmom (after the velocity phase).
void subtree_velocity(const Model& m, const State& s, Data& d);
/// cacc, cfrc_int and cfrc_ext, with the accelerations in Data::qacc.
void body_forces(const Model& m, const State& s, Data& d);
/// Force that the accelerations `qacc` (nullptr: none) need beside Coriolis, centrifugal and
/// gravity forces; armature is not included. Uses bias_acc and bias_force. After the velocity
/// phase.
void newton_euler(const Model& m, const State& s, Data& d, const double* qacc, double* qfrc);

// ---- sensors
// ---------------------------------------------------------------------------------------------

/// What a sensor would report at `time`, from its history and with its delay; without a history,
/// what it reports now. order of interpolation: 0 the older sample, 1 linear, 2 cubic, -1 as the
/// model says.
void read_sensor(const Model& m, const State& s, const Data& d, int sensor, double time, int order, double* reading);

// ---- rays, distances, contact forces (after the position phase; forces after the acceleration phase)
// ------------------------------------------------------------------------------------------------------

/// Which geoms rays see. Geoms that are drawn invisible (alpha 0) are never seen; whether they collide plays no role.
struct RayFilter {
  std::array<bool, 6> group = {true, true, true, true, true, true};  ///< by geom_group; the last for all above 5
  bool fixed = true;                                                 ///< geoms that cannot move
  int exclude_body = -1;                                             ///< a body whose geoms are not seen
};

/// Where a ray point + distance * direction meets a surface first, from outside or inside.
struct RayHit {
  double distance = -1;   ///< in lengths of the direction; -1 if nothing is hit
  int geom = -1;          ///< of equal distances the lowest
  double normal[3] = {};  ///< outward unit normal, world; of meshes by the winding of the triangle
};

/// The nearest geom along a ray. A direction of length zero hits nothing.
RayHit ray(const Model& m, const Data& d, const double point[3], const double direction[3],
           const RayFilter& filter = {});
/// Many rays from one point: directions 3 x n. Geoms whose bounding sphere is farther away than `cutoff` (planes: whose
/// plane is) are left out.
void rays(const Model& m, const Data& d, const double point[3], int n, const double* directions,
          const RayFilter& filter, double cutoff, RayHit* hits);
/// One geom; `normal` (nullptr: not wanted) is zero without a hit.
double ray_geom(const Model& m, const Data& d, int geom, const double point[3], const double direction[3],
                double normal[3]);
/// A plane, sphere, capsule, ellipsoid, cylinder or box anywhere.
double ray_shape(GeomType type, const double pos[3], const double mat[9], const double size[3], const double point[3],
                 const double direction[3], double normal[3]);

/// Signed distance of two geoms, negative if they overlap, and their nearest points in the world. At most `limit`,
/// and then both points are zero; what cannot collide (plane and plane …) is at `limit`.
struct GeomDistance {
  double distance = 0;
  double from[3] = {}, to[3] = {};  ///< on the first and the second geom
};
GeomDistance geom_distance(const Model& m, const Data& d, int geom1, int geom2, double limit);
/// Whether a point of the world is inside the volume of a site; of a mesh, inside its convex hull.
bool is_inside_site(const Model& m, const Data& d, int site, const double point[3]);

/// Force and torque of a contact on the body of its second geom: along the normal and the two tangents of its frame,
/// then about them.
void contact_force(const Data& d, int contact, double force[6]);

// ---- residuals of constraints (after the position phase; forces after the acceleration phase)
// ------------------------------------------------------------------------------------------------------

/// How far an equality or a limit is from holding, and what it pushes with.
struct Residual {
  std::string kind;  ///< "connect", "weld position", "weld rotation", "joint", "tendon", "joint limit", "tendon limit"
  std::string name;  ///< of the equality, joint or tendon; "equality 3" for those without
  double value = 0;  ///< size of the violation [m|rad]; of limits the distance to it, negative beyond
  double force = 0;  ///< of the row, or size of the force of all its rows
  std::string origin;  ///< "file:line:column"
  int row = -1;        ///< its first constraint row
};
/// All active equalities, and limits that are near enough to have a row, in the order of their rows.
std::vector<Residual> constraint_residuals(const Model& m, const Data& d);

}  // namespace pliant

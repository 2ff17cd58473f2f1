/* Pliant for C, and for languages that call C.
 *
 * Models, states and data are handles; their arrays are plain memory, read and written in place. For every line of the
 * field lists (model_fields.def, state_fields.def, data_fields.def, contact_fields.def) and of model_sizes.def there is
 * a function, declared here from the same list:
 *
 *   int pliant_model_nbody(const pliant_model *model);
 *   double *pliant_model_body_mass(pliant_model *model, size_t *length);        // a parameter: may be written
 *   const int32_t *pliant_model_body_parentid(const pliant_model *model, size_t *length);   // the structure: may not
 *   double *pliant_state_qpos(pliant_state *state, size_t *length);
 *   const double *pliant_data_xpos(const pliant_data *data, size_t *length);
 *   const double *pliant_contact_dist(const pliant_data *data, int contact);
 *
 * docs/fields.md and docs/state.md say what each means. Languages without C's preprocessor get the same arrays by name
 * (pliant_find_*_array) or by number (pliant_get_*_array).
 *
 * Nothing here throws or ends the program. A function that makes something answers NULL when it cannot, one that
 * answers an int a negative number; pliant_last_error() then says why. Handles may be used by any thread, but by one at
 * a time; a model that nobody writes to may be shared.
 */
#ifndef PLIANT_C_H
#define PLIANT_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pliant_model pliant_model;
typedef struct pliant_state pliant_state;
typedef struct pliant_data pliant_data;
typedef struct pliant_batch pliant_batch;

/* Scalars of the field lists. */
typedef double pliant_real;
typedef float pliant_f32;
typedef int32_t pliant_i32;
typedef int64_t pliant_i64;
typedef uint8_t pliant_u8;
typedef bool pliant_boolean;
typedef char pliant_chr;
typedef int32_t pliant_ContactExclude;

enum { PLIANT_FAILED = -1 };

/* "0.2.0" */
const char* pliant_version(void);
/* Why the last call of this thread that failed did so; "" if none has. Valid until the next failure. */
const char* pliant_last_error(void);
/* Frees what a function that answers char * has made. */
void pliant_free_text(char* text);

/* ---- models --------------------------------------------------------------------------------------------- */

/* MJCF, URDF, an archive of either (*.mjz, *.zip) or a compiled model (*.plm). pliant_last_error() has all findings,
 * each with file, line and column. */
pliant_model* pliant_load_model(const char* path);
/* From `length` bytes of text. */
pliant_model* pliant_load_model_string(const char* text, size_t length);
pliant_model* pliant_copy_model(const pliant_model* model);
void pliant_free_model(pliant_model* model);
/* A compiled model, which loads in milliseconds; 0, or PLIANT_FAILED. */
int pliant_save_model(const pliant_model* model, const char* path);
/* Recomputes what follows from parameters (masses, frames, sizes …) that were written; 0, or PLIANT_FAILED and the
 * model is as it was. */
int pliant_set_const(pliant_model* model);

#define PLIANT_OBJECTS(OBJECT)    \
  OBJECT(BODY, 1, kBody)          \
  OBJECT(JOINT, 3, kJoint)        \
  OBJECT(GEOM, 5, kGeom)          \
  OBJECT(SITE, 6, kSite)          \
  OBJECT(CAMERA, 7, kCamera)      \
  OBJECT(LIGHT, 8, kLight)        \
  OBJECT(MESH, 10, kMesh)         \
  OBJECT(SKIN, 11, kSkin)         \
  OBJECT(HFIELD, 12, kHfield)     \
  OBJECT(TEXTURE, 13, kTexture)   \
  OBJECT(MATERIAL, 14, kMaterial) \
  OBJECT(PAIR, 15, kPair)         \
  OBJECT(EXCLUDE, 16, kExclude)   \
  OBJECT(EQUALITY, 17, kEquality) \
  OBJECT(TENDON, 18, kTendon)     \
  OBJECT(ACTUATOR, 19, kActuator) \
  OBJECT(SENSOR, 20, kSensor)     \
  OBJECT(NUMERIC, 21, kNumeric)   \
  OBJECT(TEXT, 22, kText)         \
  OBJECT(TUPLE, 23, kTuple)       \
  OBJECT(KEY, 24, kKey)

/* Kinds of objects that have names: PLIANT_BODY … */
typedef enum pliant_object {
#define OBJECT(name, number, enumerator) PLIANT_##name = number,
  PLIANT_OBJECTS(OBJECT)
#undef OBJECT
} pliant_object;

/* Number of a named object, or PLIANT_FAILED. */
int pliant_find_id(const pliant_model* model, pliant_object kind, const char* name);
/* Name of an object, "" if it has none; NULL if there is no such object. Belongs to the model. */
const char* pliant_name_of(const pliant_model* model, pliant_object kind, int id);

/* Options by name ("timestep", "gravity", "iterations", "integrator" …; names and numbers are MuJoCo's). Answers how
 * many numbers the option has and writes at most `capacity` of them; PLIANT_FAILED if there is no such option. */
int pliant_get_option(const pliant_model* model, const char* name, double* values, size_t capacity);
/* 0, or PLIANT_FAILED and nothing has changed: the option does not exist, has another number of values or may not be
 * this. */
int pliant_set_option(pliant_model* model, const char* name, const double* values, size_t count);

/* ---- states and data ------------------------------------------------------------------------------------ */

/* A state is what must be kept to continue bit for bit: a copy is a snapshot. */
pliant_state* pliant_new_state(const pliant_model* model);
pliant_state* pliant_copy_state(const pliant_state* state);
void pliant_free_state(pliant_state* state);
/* To the start (key = -1) or to a keyframe; 0, or PLIANT_FAILED. */
int pliant_reset_state(const pliant_model* model, pliant_state* state, int key);
/* Equal states have equal hashes; 0 for NULL. */
uint64_t pliant_hash_state(const pliant_state* state);

/* Data is what a step computes, and can be thrown away. */
pliant_data* pliant_new_data(const pliant_model* model);
void pliant_free_data(pliant_data* data);

/* A state as one vector: `parts` are the bits of MuJoCo's mjtState (time 1, qpos 2, qvel 4, act 8 …; all of physics:
 * PLIANT_STATE_PHYSICS). Answers how many numbers it has, or PLIANT_FAILED. */
enum { PLIANT_STATE_PHYSICS = 0x601f };
int pliant_state_vector_size(const pliant_model* model, unsigned parts);
int pliant_get_state_vector(const pliant_model* model, const pliant_state* state, unsigned parts, double* vector);
int pliant_set_state_vector(const pliant_model* model, pliant_state* state, unsigned parts, const double* vector);

/* ---- steps ---------------------------------------------------------------------------------------------- */

/* Each answers 0, bits of faults (pliant::Fault in state.h) where a number was wrong and the step was refused with the
 * state as it was, or PLIANT_FAILED where the handles do not belong together. */
int pliant_step(const pliant_model* model, pliant_state* state, pliant_data* data);
/* Everything that follows from the state, without moving it. */
int pliant_forward(const pliant_model* model, const pliant_state* state, pliant_data* data);
/* The two halves of a step, between which controls and forces may be set. */
int pliant_step1(const pliant_model* model, const pliant_state* state, pliant_data* data);
int pliant_step2(const pliant_model* model, pliant_state* state, pliant_data* data);
/* What the faults of the last call were, a line each: "ctrl[3] (actuator 'elbow' at arm.xml:12:7) is nan at t = 1.5 …".
 */
char* pliant_describe_faults(const pliant_model* model, const pliant_data* data, int faults);

/* ---- contacts of the last step or forward ----------------------------------------------------------------- */

int pliant_contact_count(const pliant_data* data);
/* Force along the normal and two tangents, and torque about them, on the body of the second geom; 0 or PLIANT_FAILED.
 */
int pliant_contact_force(const pliant_data* data, int contact, double force[6]);

/* ---- what constraints will do ------------------------------------------------------------------------------ */

/* Depth at rest, bounce, settling, limits of the timestep of two geoms that meet at `impact` m/s: text for people, or
 * JSON. */
char* pliant_explain_contact(const pliant_model* model, const pliant_state* state, int geom1, int geom2, double impact,
                             bool json);
/* The same of everything in the model that can be explained. */
char* pliant_explain_all(const pliant_model* model, const pliant_state* state, double impact, bool json);
/* What in the model will misbehave, and the change that cures it. */
char* pliant_doctor(const pliant_model* model, bool json);

/* ---- arrays by name and by number -------------------------------------------------------------------------- */

/* An array of a model, a state, data, or of all worlds of a batch. */
typedef enum pliant_scalar {
  PLIANT_REAL,
  PLIANT_F32,
  PLIANT_I32,
  PLIANT_I64,
  PLIANT_U8,
  PLIANT_BOOLEAN,
  PLIANT_CHR
} pliant_scalar;
typedef struct pliant_array {
  const char* name;
  pliant_scalar scalar;
  void* data;
  int count, width; /* rows, and numbers in a row */
  bool writable;
  const char *unit, *meaning;
} pliant_array;

/* 0 and the array, or PLIANT_FAILED. */
int pliant_find_model_array(pliant_model* model, const char* name, pliant_array* found);
int pliant_find_state_array(pliant_state* state, const char* name, pliant_array* found);
int pliant_find_data_array(pliant_data* data, const char* name, pliant_array* found);
/* Arrays 0 … count - 1, in the order of the lists. */
int pliant_model_array_count(void);
int pliant_state_array_count(void);
int pliant_data_array_count(void);
int pliant_get_model_array(pliant_model* model, int index, pliant_array* found);
int pliant_get_state_array(pliant_state* state, int index, pliant_array* found);
int pliant_get_data_array(pliant_data* data, int index, pliant_array* found);

/* ---- many worlds ------------------------------------------------------------------------------------------- */

/* `nworld` worlds of one model on `threads` threads of the CPU (0: one per core). It keeps a copy of the model. Numbers
 * of world w do not depend on the others. */
pliant_batch* pliant_new_batch(const pliant_model* model, int nworld, int threads);
void pliant_free_batch(pliant_batch* batch);
/* 0, or PLIANT_FAILED; a world with a fault stays where it was. */
int pliant_step_batch(pliant_batch* batch, int steps);
/* Worlds with a non-zero mask start again; NULL: all. */
int pliant_reset_batch(pliant_batch* batch, const uint8_t* mask);
/* Faults of every world's last step, nworld numbers; NULL if batch is. */
const int* pliant_batch_faults(pliant_batch* batch);
/* An array of all worlds ("qpos", "ctrl", "sensordata"): count = nworld rows, one after the other. 0 or PLIANT_FAILED.
 */
int pliant_find_batch_array(pliant_batch* batch, const char* name, pliant_array* found);

/* Trajectories from `state` (nworld vectors of PLIANT_STATE_PHYSICS) under `control` (nworld x nstep x nu; NULL:
 * zeros). Results, each NULL if not wanted: states (nworld x nstep vectors), sensordata (nworld x nstep x nsensordata),
 * faults (nworld). Answers how many worlds were refused a step; those repeat their last good state. Or PLIANT_FAILED.
 */
int pliant_rollout(const pliant_model* model, int nworld, int nstep, int threads, const double* state,
                   const double* control, double* states, double* sensordata, int32_t* faults);

/* ---- a function per line of the lists ----------------------------------------------------------------------- */

/* Counts: 0 for NULL. */
#define SIZE(name, meaning) int pliant_model_##name(const pliant_model* model);
#include "pliant/model_sizes.def"
#undef SIZE

/* Parameters may be written between steps; the structure, and what is derived from the two, may not. Every function
 * writes the number of elements to `length`, unless that is NULL, and answers NULL for NULL. */
#define PLIANT_ACCESS_parameter
#define PLIANT_ACCESS_structure const
#define PLIANT_ACCESS_derived const
#define FIELD(type, name, count, width, cls, unit, meaning) \
  PLIANT_ACCESS_##cls pliant_##type* pliant_model_##name(PLIANT_ACCESS_##cls pliant_model* model, size_t* length);
#include "pliant/model_fields.def"
#undef FIELD

#define FIELD(type, name, count, width, layout, unit, meaning) \
  pliant_##type* pliant_state_##name(pliant_state* state, size_t* length);
#include "pliant/state_fields.def"
#undef FIELD

#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  const pliant_##type* pliant_data_##name(const pliant_data* data, size_t* length);
#include "pliant/data_fields.def"
#undef FIELD

/* NULL if there is no contact of that number. */
#define FIELD(owner, type, name, width, unit, meaning) \
  const pliant_##type* pliant_contact_##name(const pliant_data* data, int contact);
#include "pliant/contact_fields.def"
#undef FIELD

#ifdef __cplusplus
}
#endif

#endif

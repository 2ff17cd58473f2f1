// The table of clamps.

#include "analysis/clamps.h"

#include <cstring>

namespace pliant {
namespace {

constexpr ClampLine kTable[] = {
    {"solref-mixed", "clamps", 0, "explain",
     "solref has one positive and one negative number: the default 0.02 1 is used",
     "write both positive (timeconst dampratio) or both negative (-stiffness -damping)"},
    {"refsafe", "clamps", 1, "explain",
     "timeconst is shorter than two timesteps: two timesteps are used (integrator discrete: stiffer than the timestep "
     "resolves, the stiffest row without rebound is used)",
     "a smaller timestep, a larger timeconst, or the negative format of solref"},
    {"impedance", "clamps", 2, "explain",
     "d0, dwidth or midpoint of solimp lies outside 0.0001 to 0.9999 and was moved there",
     "numbers within these bounds"},
    {"width", "clamps", 3, "explain", "the width of solimp is negative: zero is used", "a width above zero"},
    {"power", "clamps", 4, "explain", "the power of solimp is below 1: 1 is used", "a power of 1 or more"},
    {"friction", "clamps", 5, "explain", "a friction coefficient below 0.00001 was raised to it",
     "condim 1 for contacts without friction"},
    {"solreffriction", "clamps", 6, "explain", "solreffriction has mixed signs: friction uses solref",
     "two numbers of one sign"},
    {"regularizer", "clamps", 7, "explain",
     "the softness R of a row is at its lower bound: the row is as hard as numbers allow",
     "impedances below 0.9999, or bodies that are not weightless"},
    {"stiffest", "clamps", 8, "explain",
     "integrator discrete: the impedance of a row at the end of the step is at its upper bound 0.9999",
     "a larger timeconst or a smaller timestep, if it should give way more"},
    {"gyroscopic-explicit", "gyroscopic_explicit", 0, "doctor",
     "integrator discrete: gyroscopic terms of a spinning free body with contacts, tendons or servos were those of the "
     "start of the step, as in MuJoCo: fast spins gain energy",
     "option discrete_full=\"1\", or the integrator implicitfast"},
    {"terms-explicit", "terms_explicit", 0, "doctor",
     "integrator discrete with solver PGS: stiffness and damping of tendons and actuators were those of the start of "
     "the step, as in MuJoCo",
     "option discrete_full=\"1\", or the solver Newton or CG"},
    {"energy-uncorrected", "energy_uncorrected", 0, "doctor",
     "integrator midpoint: the energy of a tree was left as the rule without correction has it: it turns or moves too "
     "far in a step, or what would have to change is more than a hundredth of its motion",
     "a smaller timestep"},
    {"signorini-convex", "signorini_convex", 0, "doctor",
     "resolution signorini: no forces were found that do not lift what slides, those of the convex problem were used",
     "smaller friction coefficients or a smaller timestep, where it happens often"},
    {"bad-position", "faults", 0, "doctor", "a position is not a number or beyond 1e10: the step was refused",
     "look for instability"},
    {"bad-velocity", "faults", 1, "doctor", "a velocity is not a number or beyond 1e10: the step was refused",
     "look for instability"},
    {"bad-control", "faults", 2, "doctor", "a control is not a number or beyond 1e10: the step was refused",
     "check the controller"},
    {"bad-force", "faults", 3, "doctor", "an applied force is not a number or beyond 1e10: the step was refused",
     "check what is applied"},
    {"bad-activation", "faults", 4, "doctor", "an activation is not a number or beyond 1e10: the step was refused",
     "check the actuator's dynamics"},
    {"bad-mocap", "faults", 5, "doctor", "a mocap pose is not a number or beyond 1e10: the step was refused",
     "check what drives it"},
    {"bad-acceleration", "faults", 6, "doctor", "an acceleration is not a number or beyond 1e10: the step was refused",
     "a smaller timestep; see the dt budget"},
    {"singular-inertia", "faults", 7, "doctor", "the mass matrix cannot be factored: a joint moves nothing",
     "mass, inertia or armature for that joint"},
    {"null-quaternion", "faults", 8, "doctor", "a quaternion of length zero was read as no rotation",
     "write a quaternion"},
    {"contact-overflow", "faults", 9, "doctor", "contacts were dropped: the memory is fixed and full",
     "more memory in <size>"},
    {"bad-contact", "faults", 10, "doctor", "a contact that is not finite was dropped",
     "check the shapes of the two geoms"},
    {"friction-floor", "faults", 11, "doctor", "a friction coefficient below 0.00001 was raised to it",
     "condim 1 for contacts without friction"},
    {"row-overflow", "faults", 12, "doctor", "the memory is too small for the constraint rows: there are none",
     "more memory in <size>"},
    {"bad-row", "faults", 13, "doctor", "a constraint row is not finite: the step was refused",
     "check the numbers of that constraint"},
    {"solver-failed", "faults", 14, "doctor",
     "the solver met a matrix that is not positive definite: its best point was used",
     "mass ratios and impedances nearer to each other"},
    {"follower-ignored", "faults", 15, "doctor",
     "a joint that follows others exactly was set otherwise: it was moved to where they say", "set the leaders only"},
    {"bad-time", "faults", 16, "doctor", "the time is not a number or beyond 1e10: the step was refused",
     "check who sets it"},
    {"bad-warmstart", "faults", 17, "doctor",
     "an acceleration to start the solver with is not a number or beyond 1e10: the step was refused", "set it to zero"},
    {"bad-history", "faults", 18, "doctor", "the cursor of a history is none of its places: the step was refused",
     "check who writes the history"},
    {"bad-reading", "faults", 19, "doctor", "a sensor reads something that is not finite: the step was refused",
     "check what the sensor is attached to"},
    {"bad-option", "faults", 20, "doctor", "an option is outside its range: the step was refused", "check the option"},
    {"bad-parameter", "faults", 21, "doctor", "a parameter is none of its allowed values: the step was refused",
     "condim 1, 3, 4 or 6"},
    {"row-miscount", "faults", 22, "doctor", "constraint rows were miscounted: the step was refused",
     "report it with the model"},
    {"row-memory", "row_memory_dropped", 0, "doctor",
     "forces of constraints were not remembered for the next step: the memory is fixed and full",
     "more memory in <size>"},
    {"control-range", "ctrl_clamped", 0, "doctor", "a control outside its range was moved to the end of it",
     "a keyframe with ctrl inside the range, or a range that has 0 in it"},
};

}  // namespace

std::span<const ClampLine> clamp_table() { return kTable; }

const ClampLine* find_clamp(const char* counter, int index) {
  for (const ClampLine& line : kTable) {
    if (std::strcmp(line.counter, counter) == 0 && line.index == index) return &line;
  }
  return nullptr;
}

int64_t clamp_count(const ClampLine& line, const Model& model, const Data& data) {
  const std::string counter = line.counter;
  if (counter == "clamps") return data.clamps[line.index];
  if (counter == "faults") return data.faults[line.index].count;
  if (counter == "row_memory_dropped") return data.row_memory_dropped;
  if (counter == "gyroscopic_explicit") return data.gyroscopic_explicit;
  if (counter == "terms_explicit") return data.terms_explicit;
  if (counter == "energy_uncorrected") return data.energy_uncorrected;
  if (counter == "signorini_convex") return data.signorini_convex;
  int64_t sum = 0;
  for (int i = 0; i < model.nu; ++i) sum += data.ctrl_clamped[i];
  return sum;
}

std::vector<ClampNote> clamp_notes(int row_clamps) {
  std::vector<ClampNote> out;
  for (int bit = 0; bit < kNumRowClamps; ++bit) {
    const ClampLine* line = row_clamps & (1 << bit) ? find_clamp("clamps", bit) : nullptr;
    if (line) out.push_back({line->code, std::string(line->meaning) + "; cure: " + line->cure});
  }
  return out;
}

}  // namespace pliant

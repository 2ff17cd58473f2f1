// Joints: limits, axes, references. Reads and rewrites the working JointSpec (pos and axis in the body
// frame, angles in radians); writes Work::joint_limited, joint_actfrclimited.

#include <cmath>

#include "base/text.h"
#include "compile/compile.h"

namespace pliant {

void compile_joint(Work& work, int id) {
  JointSpec& joint = work.spec.joints[id];
  const CompilerSpec& compiler = work.compiler(joint);
  const JointKind& kind = joint_kind(joint.type);
  const bool is_free = kind.floats(), is_ball = kind.is_ball();

  const auto& sd = joint.springdamper;
  if ((sd[0] != 0 || sd[1] != 0) && (sd[0] <= 0 || sd[1] <= 0)) {
    work.error(Code::kBadJoint, joint, "springdamper",
               "springdamper needs a time constant and a damping ratio greater than 0");
  }

  if (joint.springyield < 0) {
    work.error(Code::kBadJoint, joint, "springyield",
               "springyield must not be negative: " + number_text(joint.springyield),
               "0 stands for a spring that does not yield");
  } else if (is_free && joint.springyield > 0) {
    work.error(Code::kBadJoint, joint, "springyield", "the spring of a free joint cannot yield");
  }

  // limits
  if (is_free) {
    if (joint.limited == Limited::kTrue) {
      work.error(Code::kBadJoint, joint, "limited", "a free joint cannot be limited");
    }
    joint.limited = Limited::kFalse;
  } else {
    check_autolimits(work, joint, joint.limited, joint.range, "range", "limited");
  }
  const bool limited = is_limited(joint.limited, joint.range);
  if (limited) {
    if (!is_ball && joint.range[0] >= joint.range[1]) {
      work.error(
          Code::kBadRange, joint, joint.range[0] == 0 && joint.range[1] == 0 ? "limited" : "range",
          "is limited, but its range " + number_text(joint.range[0]) + " " + number_text(joint.range[1]) + " is empty",
          "range needs its lower limit first");
    }
    if (is_ball && joint.range[0] != 0) {
      work.error(Code::kBadRange, joint, "range", "the range of a ball joint starts at 0");
    }
    if (compiler.degree && (kind.is_angle() || is_ball)) {
      for (double& angle : joint.range) {
        if (angle != 0) angle *= kPi / 180.0;
      }
    }
  } else if (compiler.degree && kind.is_angle() && (joint.range[0] != 0 || joint.range[1] != 0)) {
    // a quirk of the reference that its users' numbers depend on
    work.warning(Code::kDegreesKept, joint, "range", "is not limited: its range is stored as written, in degrees");
  }
  work.joint_limited[id] = limited;

  if (is_free || is_ball)
    joint.actuatorfrclimited = Limited::kFalse;
  else {
    check_autolimits(work, joint, joint.actuatorfrclimited, joint.actuatorfrcrange, "actuatorfrcrange",
                     "actuatorfrclimited");
  }
  const bool force_limited = is_limited(joint.actuatorfrclimited, joint.actuatorfrcrange);
  if (force_limited && joint.actuatorfrcrange[0] >= joint.actuatorfrcrange[1]) {
    work.error(Code::kBadRange, joint, "actuatorfrcrange", "actuatorfrcrange needs its lower limit first");
  }
  work.joint_actfrclimited[id] = force_limited;

  // axis and anchor, in the body frame
  Vec3 axis = is_free || is_ball ? Vec3{0, 0, 1} : vec3(joint.axis);
  Vec3 pos = is_free ? Vec3{} : vec3(joint.pos);
  if (joint.frame >= 0 && !is_free) {
    const Pose& frame = work.frames[joint.frame];
    if (!is_ball) axis = rotate(frame.quat, axis);
    pos = frame.pos + rotate(frame.quat, pos);
  }
  const double length = norm(axis);
  if (length * length < kCompileEps) {
    work.error(Code::kBadJoint, joint, "axis", "the axis has zero length");
  } else if (std::abs(length - 1) > kCompileEps) {
    axis = {axis.x / length, axis.y / length, axis.z / length};
  }
  joint.axis = {axis.x, axis.y, axis.z};
  joint.pos = {pos.x, pos.y, pos.z};

  if (kind.is_angle() && compiler.degree) {
    joint.ref *= kPi / 180.0;
    joint.springref *= kPi / 180.0;
  }
  if ((kind.is_angle() || is_ball) && compiler.degree) joint.springyield *= kPi / 180.0;
  for (const auto& [value, attribute] : {std::pair{joint.armature, "armature"},
                                         {joint.frictionloss, "frictionloss"},
                                         {joint.damping[0], "damping"},
                                         {joint.stiffness[0], "stiffness"}}) {
    if (value < 0) {
      work.warning(Code::kUnitsSuspect, joint, attribute,
                   std::string(attribute) + " is negative: " + number_text(value));
    }
  }
}

}  // namespace pliant

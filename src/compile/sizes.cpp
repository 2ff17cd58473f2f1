// Sizes of the kinematic tree, and the lengths of user data.

#include <algorithm>

#include "compile/compile.h"
#include "compile/counts.h"
#include "spec/plastic.h"

namespace pliant {
namespace {

/// -1 = as long as the longest; a longer vector than asked for is an error.
template <class T>
int user_length(Work& work, int given, const std::vector<T>& list, const char* size_name) {
  int longest = 0;
  for (const T& object : list) {
    const int n = static_cast<int>(object.user.size());
    longest = std::max(longest, n);
    if (given >= 0 && n > given) {
      work.error(Code::kBadSize, object, "user",
                 "has " + std::to_string(n) + " user values, more than " + size_name + "=" + std::to_string(given));
    }
  }
  return given >= 0 ? given : longest;
}

}  // namespace

void count_user_sizes(Work& work) {
  const Spec& s = work.spec;
  ModelSizes& n = work.sizes;
  n.nuser_body = user_length(work, s.size.nuser_body, s.bodies, "nuser_body");
  n.nuser_jnt = user_length(work, s.size.nuser_jnt, s.joints, "nuser_jnt");
  n.nuser_geom = user_length(work, s.size.nuser_geom, s.geoms, "nuser_geom");
  n.nuser_site = user_length(work, s.size.nuser_site, s.sites, "nuser_site");
  n.nuser_cam = user_length(work, s.size.nuser_cam, s.cameras, "nuser_cam");
}

void count_sizes(Work& work) {
  const Spec& s = work.spec;
  ModelSizes& n = work.sizes;
  n.nbody = static_cast<int>(s.bodies.size());
  n.njnt = static_cast<int>(s.joints.size());
  n.ngeom = static_cast<int>(s.geoms.size());
  n.nsite = static_cast<int>(s.sites.size());
  n.ncam = static_cast<int>(s.cameras.size());
  n.nlight = static_cast<int>(s.lights.size());
  n.nq = n.nv = n.nmocap = n.ngravcomp = 0;
  for (const JointSpec& joint : s.joints) {
    n.nq += joint_kind(joint.type).positions;
    n.nv += joint_kind(joint.type).velocities;
  }
  for (size_t b = 0; b < s.bodies.size(); ++b) {
    work.bodies[b].mocapid = s.bodies[b].mocap ? n.nmocap++ : -1;
    n.ngravcomp += s.bodies[b].gravcomp > 0;
  }
  n.nplastic = plastic_of_joints(s);
  for (const TendonSpec& tendon : s.tendons) n.nplastic += tendon.springyield > 0 ? kTendonPlastic : 0;
  n.nuserdata = s.size.nuserdata;
  n.njmax = s.size.njmax;
  n.nconmax = s.size.nconmax;
  count_objects(work);
}

}  // namespace pliant

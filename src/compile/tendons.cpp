// Tendons: paths, limits, spring lengths.
//
// Reads Spec::tendons; writes Work::tendons, then tendon_* and wrap_*. A fixed tendon is a weighted
// sum of joint positions; a spatial one is a string through sites, around spheres and cylinders,
// with pulleys that divide it into branches. Lengths at the reference pose come from set_const.
// (Columns of tendon Jacobians and the trees a tendon touches: sparsity.cpp.)

#include <algorithm>
#include <set>

#include "base/text.h"
#include "compile/compile.h"
#include "compile/counts.h"
#include "spec/plastic.h"

namespace pliant {
namespace {

// A place on a path, for findings: path elements have a source but no name.
void path_error(Work& work, const TendonSpec& tendon, const WrapSpec& wrap, std::string_view attribute,
                std::string message, std::string hint = {}) {
  work.error_at(Code::kBadTendon, wrap.source >= 0 ? wrap.source : tendon.source, attribute,
                describe(work.spec, tendon) + " " + std::move(message), std::move(hint));
}

int reference_source(const TendonSpec& tendon, const WrapSpec& wrap) {
  return wrap.source >= 0 ? wrap.source : tendon.source;
}

WrapWork resolve_geom(Work& work, const TendonSpec& tendon, const WrapSpec& spec) {
  WrapWork wrap{WrapType::kSphere, -1, -1};
  const int source = reference_source(tendon, spec);
  wrap.object = work.resolve(ObjType::kGeom, spec.object, source, "geom");
  if (wrap.object >= 0) {
    const GeomType type = work.spec.geoms[wrap.object].type;
    if (type == GeomType::kCylinder) {
      wrap.type = WrapType::kCylinder;
    } else if (type != GeomType::kSphere) {
      path_error(work, tendon, spec, "geom",
                 "wraps around " + quote(spec.object) + ", which is neither a sphere nor a cylinder");
    }
    work.geoms[wrap.object].visual = false;
  }
  // the site that tells which side to pass on stands where other elements have their coefficient
  if (!spec.sidesite.empty()) {
    wrap.prm = work.resolve(ObjType::kSite, spec.sidesite, source, "sidesite");
  }
  return wrap;
}

WrapWork resolve_wrap(Work& work, const TendonSpec& tendon, const WrapSpec& spec) {
  WrapWork wrap{spec.type, -1, spec.prm};
  const int source = reference_source(tendon, spec);
  switch (spec.type) {
    case WrapType::kJoint:
      wrap.object = work.resolve(ObjType::kJoint, spec.object, source, "joint");
      if (wrap.object >= 0) {
        if (!joint_kind(work.spec.joints[wrap.object].type).is_scalar()) {
          path_error(work, tendon, spec, "joint",
                     "names the joint " + quote(spec.object) + ", which is neither a hinge nor a slide");
        }
      }
      break;
    case WrapType::kSite:
      wrap.object = work.resolve(ObjType::kSite, spec.object, source, "site");
      wrap.prm = 0;
      break;
    case WrapType::kSphere:
    case WrapType::kCylinder:
      return resolve_geom(work, tendon, spec);
    case WrapType::kPulley:
      if (spec.prm <= 0) {
        path_error(work, tendon, spec, "divisor",
                   "has a pulley with the divisor " + number_text(spec.prm) + "; it must be greater than 0");
      }
      break;
    case WrapType::kNone:
      path_error(work, tendon, spec, "", "has a path element of no known kind");
      break;
  }
  return wrap;
}

bool is_geom(WrapType type) { return type == WrapType::kSphere || type == WrapType::kCylinder; }

void check_spatial_element(Work& work, const TendonSpec& tendon, const TendonWork& out, size_t i) {
  const WrapSpec& spec = tendon.path[i];
  const auto& path = out.path;
  // a path that begins or ends here has a pulley beyond, as far as the rules below go
  const WrapType before = i == 0 ? WrapType::kPulley : path[i - 1].type;
  const WrapType after = i + 1 == path.size() ? WrapType::kPulley : path[i + 1].type;
  const WrapType type = path[i].type;
  if (type == WrapType::kJoint) {
    path_error(work, tendon, spec, "joint", "has a joint in its path; joints belong to fixed tendons");
  } else if (type == WrapType::kPulley) {
    if (i > 0 && before == WrapType::kPulley) {
      path_error(work, tendon, spec, "", "has one pulley right after another");
    }
    if (i + 1 == path.size()) path_error(work, tendon, spec, "", "ends with a pulley");
  } else if (type == WrapType::kSite) {
    if (before == WrapType::kPulley && after == WrapType::kPulley) {
      path_error(work, tendon, spec, "site", "has the site " + quote(spec.object) + " alone between pulleys or ends",
                 "every branch needs at least two points");
    }
    if (after == WrapType::kSite && path[i].object >= 0 && path[i].object == path[i + 1].object) {
      path_error(work, tendon, tendon.path[i + 1], "site", "names the site " + quote(spec.object) + " twice in a row");
    }
  } else if (is_geom(type)) {
    if (before != WrapType::kSite || after != WrapType::kSite) {
      path_error(work, tendon, spec, "geom",
                 "has the geom " + quote(spec.object) + " without a site before and after it");
    }
    if (tendon.armature > 0) {
      path_error(work, tendon, spec, "geom", "has armature, which cannot be combined with wrapping");
    }
  }
}

void compile_path(Work& work, const TendonSpec& tendon, TendonWork& out) {
  out.path.clear();
  for (const WrapSpec& spec : tendon.path) out.path.push_back(resolve_wrap(work, tendon, spec));
  if (out.path.empty()) {
    work.error(Code::kBadTendon, tendon, "", "has an empty path");
    return;
  }
  if (tendon.armature < 0) {
    work.error(Code::kBadTendon, tendon, "armature",
               "cannot have the negative armature " + number_text(tendon.armature));
  }
  // the first element decides, as in the reference
  if (out.path[0].type == WrapType::kJoint) {
    std::set<int> joints;
    for (size_t i = 0; i < out.path.size(); ++i) {
      if (out.path[i].type != WrapType::kJoint) {
        path_error(work, tendon, tendon.path[i], "", "is a fixed tendon: its path may hold joints only");
      } else if (out.path[i].object >= 0 && !joints.insert(out.path[i].object).second) {
        path_error(work, tendon, tendon.path[i], "joint", "names the joint " + quote(tendon.path[i].object) + " twice",
                   "add its coefficients up");
      }
    }
    return;
  }
  if (out.path.size() < 2) {
    work.error(Code::kBadTendon, tendon, "", "needs at least two points on its path");
  }
  if (tendon.width <= 0) {
    work.error(Code::kBadTendon, tendon, "width", "needs a positive width, not " + number_text(tendon.width));
  }
  for (size_t i = 0; i < out.path.size(); ++i) check_spatial_element(work, tendon, out, i);
}

std::string range_text(const Reals<2>& range) { return number_text(range[0]) + " " + number_text(range[1]); }

void compile_limits(Work& work, const TendonSpec& tendon, TendonWork& out) {
  check_autolimits(work, tendon, tendon.limited, tendon.range, "range", "limited");
  out.limited = is_limited(tendon.limited, tendon.range);
  if (out.limited && tendon.range[0] >= tendon.range[1]) {
    const bool given = tendon.range[0] != 0 || tendon.range[1] != 0;
    work.error(Code::kBadRange, tendon, given ? "range" : "limited",
               "is limited, but its range " + range_text(tendon.range) + " is empty",
               "range needs its lower limit first");
  }

  const Reals<2>& force = tendon.actuatorfrcrange;
  check_autolimits(work, tendon, tendon.actuatorfrclimited, force, "actuatorfrcrange", "actuatorfrclimited");
  out.actfrclimited = is_limited(tendon.actuatorfrclimited, force);
  if (out.actfrclimited && (force[0] >= force[1] || force[0] > 0 || force[1] < 0)) {
    work.error(Code::kBadRange, tendon, "actuatorfrcrange",
               "its actuatorfrcrange " + range_text(force) + " must be a range that includes 0");
  }
  if (tendon.springyield < 0) {
    work.error(Code::kBadTendon, tendon, "springyield",
               "springyield must not be negative: " + number_text(tendon.springyield),
               "0 stands for a spring that does not yield");
  }
  if (tendon.springlength[0] > tendon.springlength[1]) {
    work.error(Code::kBadRange, tendon, "springlength",
               "its springlength " + range_text(tendon.springlength) + " is decreasing");
  }
}

int longest_user(const Spec& spec) {
  size_t longest = 0;
  for (const TendonSpec& tendon : spec.tendons) longest = std::max(longest, tendon.user.size());
  return static_cast<int>(longest);
}

}  // namespace

void compile_tendons(Work& work) {
  const Spec& spec = work.spec;
  work.tendons.resize(spec.tendons.size());
  for (size_t i = 0; i < work.tendons.size(); ++i) {
    const TendonSpec& tendon = spec.tendons[i];
    compile_path(work, tendon, work.tendons[i]);
    compile_limits(work, tendon, work.tendons[i]);
    if (spec.size.nuser_tendon >= 0 && tendon.user.size() > static_cast<size_t>(spec.size.nuser_tendon)) {
      work.error(Code::kBadSize, tendon, "user",
                 "has " + std::to_string(tendon.user.size()) + " user values, but nuser_tendon is " +
                     std::to_string(spec.size.nuser_tendon));
    }
  }
}

void count_tendons(Work& work) {
  const Spec& spec = work.spec;
  work.sizes.ntendon = static_cast<int>(spec.tendons.size());
  work.sizes.nuser_tendon = spec.size.nuser_tendon >= 0 ? spec.size.nuser_tendon : longest_user(spec);
  size_t wraps = 0;
  for (const TendonWork& tendon : work.tendons) wraps += tendon.path.size();
  work.sizes.nwrap = static_cast<int>(wraps);
}

void write_tendons(const Work& work, Model& model) {
  const auto copy = [](const auto& from, double* to) { std::copy(from.begin(), from.end(), to); };
  int at = 0, plastic = plastic_of_joints(work.spec);
  for (size_t i = 0; i < work.tendons.size(); ++i) {
    const TendonSpec& spec = work.spec.tendons[i];
    const TendonWork& tendon = work.tendons[i];
    model.tendon_type[i] = static_cast<int>(spec.spatial ? TendonType::kSpatial : TendonType::kFixed);
    model.tendon_plasticadr[i] = spec.springyield > 0 ? plastic : -1;
    if (spec.springyield > 0) plastic += kTendonPlastic;
    model.tendon_adr[i] = at;
    model.tendon_num[i] = static_cast<int>(tendon.path.size());
    model.tendon_matid[i] = tendon.material;
    model.tendon_group[i] = spec.group;
    model.tendon_limited[i] = tendon.limited;
    model.tendon_actfrclimited[i] = tendon.actfrclimited;
    model.tendon_width[i] = spec.width;
    copy(spec.solreflimit, model.tendon_solref_lim + kNumRef * i);
    copy(spec.solimplimit, model.tendon_solimp_lim + kNumImp * i);
    copy(spec.solreffriction, model.tendon_solref_fri + kNumRef * i);
    copy(spec.solimpfriction, model.tendon_solimp_fri + kNumImp * i);
    copy(spec.range, model.tendon_range + 2 * i);
    copy(spec.actuatorfrcrange, model.tendon_actfrcrange + 2 * i);
    model.tendon_margin[i] = spec.margin;
    model.tendon_stiffness[i] = spec.stiffness[0];
    model.tendon_damping[i] = spec.damping[0];
    for (int k = 0; k < kNumPoly; ++k) {
      model.tendon_stiffnesspoly[kNumPoly * i + k] = spec.stiffness[k + 1];
      model.tendon_dampingpoly[kNumPoly * i + k] = spec.damping[k + 1];
    }
    model.tendon_springyield[i] = spec.springyield;
    model.tendon_armature[i] = spec.armature;
    model.tendon_frictionloss[i] = spec.frictionloss;
    copy(spec.springlength, model.tendon_lengthspring + 2 * i);
    model.tendon_length0[i] = model.tendon_invweight0[i] = kUndefined;
    copy(spec.user, model.tendon_user + static_cast<size_t>(model.nuser_tendon) * i);
    std::copy(spec.rgba.begin(), spec.rgba.end(), model.tendon_rgba + 4 * i);
    for (const WrapWork& wrap : tendon.path) {
      model.wrap_type[at] = static_cast<int>(wrap.type);
      model.wrap_objid[at] = wrap.object;
      model.wrap_prm[at] = wrap.prm;
      ++at;
    }
  }
}

}  // namespace pliant

// The attributes restitution, stiffness, damping_contact and restitution_mode of geoms and pairs become solref and
// solimp.
//
// Reads the Spec, body_invweight0, timestep and integrator; writes geom_solref, geom_solimp, geom_solmix, pair_solref,
// pair_solimp. A geom is designed against a partner that does not move. In a contact its solref wins over one in the
// positive format (the smaller numbers count), and its large solmix makes its solimp win; of two geoms with wishes the
// harder and more damped numbers count. A pair is designed for its own two bodies. Files without these attributes never
// come here.

#include <algorithm>
#include <stdexcept>

#include "compile/compile.h"
#include "pliant/design.h"

namespace pliant {
namespace {

/// solmix of a geom with wishes: its impedance counts, not that of a partner without.
constexpr double kDecides = 1e6;

bool has_wish(const ContactWish& wish) {
  return defined(wish.restitution) || defined(wish.stiffness) || defined(wish.damping_contact) ||
         wish.restitution_mode != RestitutionMode::kAuto;
}

/// What friction pyramids make of the softness along the normal: 1 for the other cones.
double pyramid_factor(const Options& o, int condim, double mu) {
  if (condim == 1 || o.cone == ConeType::kElliptic) return 1;
  return mu * mu * (1 + mu * mu) / ((condim - 1) * o.impratio);
}

/// Design of one element; false where there is none, with an error in the work's diagnostics if it was asked for.
bool design_wish(Work& work, const SpecObject& object, const ContactWish& wish, Code code, double inverse_mass,
                 const Options& o, DesignResult& made) {
  const auto fail = [&](const char* attribute, const std::string& why) {
    work.error(code, object, attribute, why);
    return false;
  };
  if (work.spec.has_attribute(object.source, "solref")) {
    return fail("solref", "says what restitution, stiffness or damping_contact say already: leave one out");
  }
  if (wish.restitution_mode != RestitutionMode::kAuto && !defined(wish.restitution)) {
    if (!work.spec.has_attribute(object.source, "restitution_mode")) return false;
    return fail("restitution_mode", "needs a restitution");
  }
  const bool spring = defined(wish.stiffness) || defined(wish.damping_contact);
  if (spring && !(inverse_mass > 0)) {
    // what a default class says of moving geoms does not concern this one
    const bool own = work.spec.has_attribute(object.source, "stiffness") ||
                     work.spec.has_attribute(object.source, "damping_contact");
    if (!own) return false;
    return fail(
        "stiffness",
        code == Code::kBadPair
            ? "is for two geoms whose centres cannot move, so that no mass is known: write solref"
            : "is for a geom that cannot move, so that no mass is known: write it on the other geom or on a <pair>, or "
              "ask `pliant design` for a solref");
  }
  DesignRequest request;
  request.restitution = wish.restitution;
  request.stiffness = wish.stiffness;
  request.damping = wish.damping_contact;
  if (inverse_mass > 0) request.mass = 1 / inverse_mass;
  request.timestep = o.timestep;
  request.substeps = solver_substeps(o);
  request.integrator = o.integrator;
  request.mode = wish.restitution_mode == RestitutionMode::kImpact ? "impact" : "auto";
  if (spring && request.mode == "impact")
    return fail("restitution_mode", "impact has no stiffness: leave one of them out");
  try {
    made = design(request);
  } catch (const std::invalid_argument& problem) {
    return fail(spring ? "stiffness" : "restitution", problem.what());
  }
  return made.possible || fail(spring ? "stiffness" : "restitution", "is not possible: " + made.refusal);
}

}  // namespace

void write_contact_wishes(Work& work, Model& m) {
  DesignResult made;
  for (int g = 0; g < m.ngeom; ++g) {
    const GeomSpec& spec = work.spec.geoms[g];
    if (!has_wish(spec)) continue;
    const double weight =
        m.body_invweight0[2 * m.geom_bodyid[g]] * pyramid_factor(m.opt, spec.condim, spec.friction[0]);
    if (!design_wish(work, spec, spec, Code::kBadGeom, weight, m.opt, made)) continue;
    std::copy(made.solref.begin(), made.solref.end(), m.geom_solref + kNumRef * g);
    std::copy(made.solimp.begin(), made.solimp.end(), m.geom_solimp + kNumImp * g);
    m.geom_solmix[g] = kDecides;
  }
  for (int p = 0; p < m.npair; ++p) {
    const PairSpec& spec = work.spec.pairs[p];
    if (!has_wish(spec)) continue;
    const int body1 = m.geom_bodyid[m.pair_geom1[p]], body2 = m.geom_bodyid[m.pair_geom2[p]];
    const double weight = (m.body_invweight0[2 * body1] + m.body_invweight0[2 * body2]) *
                          pyramid_factor(m.opt, spec.condim, spec.friction[0]);
    if (!design_wish(work, spec, spec, Code::kBadPair, weight, m.opt, made)) continue;
    std::copy(made.solref.begin(), made.solref.end(), m.pair_solref + kNumRef * p);
    std::copy(made.solimp.begin(), made.solimp.end(), m.pair_solimp + kNumImp * p);
  }
}

}  // namespace pliant

// The attributes restitution, stiffness, damping_contact and restitution_mode in a written model.
//
// In the text every attribute stands at its own element, also what a default class said of many. There a wish and a
// solref exclude each other, and a wish that cannot be fulfilled is an error, while compiling leaves alone what a
// default class says of geoms it does not concern. So wishes without effect are taken away, and solref where a wish
// decides. MuJoCo gets the numbers that compiling makes of the wishes.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "write/mjcf_writer.h"

namespace pliant {
namespace {

bool has_wish(const ContactWish& wish) {
  return !std::isnan(wish.restitution) || !std::isnan(wish.stiffness) || !std::isnan(wish.damping_contact) ||
         wish.restitution_mode != RestitutionMode::kAuto;
}

bool any_wish(const Spec& spec) {
  const auto wishes = [](const ContactWish& wish) { return has_wish(wish); };
  return std::any_of(spec.geoms.begin(), spec.geoms.end(), wishes) ||
         std::any_of(spec.pairs.begin(), spec.pairs.end(), wishes);
}

/// Whether the wish of an element of a model that compiles leads to no numbers.
bool is_idle(const ContactWish& wish, double inverse_mass) {
  if (std::isnan(wish.restitution) && wish.restitution_mode != RestitutionMode::kAuto) return true;
  return !(std::isnan(wish.stiffness) && std::isnan(wish.damping_contact)) && !(inverse_mass > 0);
}

std::string pair_label(size_t index) { return "pair " + std::to_string(index); }

/// The Model with all geoms, in the order of the Spec, and pairs by labels: compiling sorts them.
std::optional<Model> compile_whole(const Spec& spec, Diagnostics& diagnostics) {
  Spec whole = spec;
  for (CompilerSpec& compiler : whole.compilers) compiler.fusestatic = compiler.discardvisual = false;
  for (size_t i = 0; i < whole.pairs.size(); ++i) whole.pairs[i].name = pair_label(i);
  return compile_to_write(whole, diagnostics);
}

}  // namespace

bool settle_contact_wishes(Spec& spec, Diagnostics& diagnostics) {
  if (!any_wish(spec)) return true;
  const std::optional<Model> compiled = compile_whole(spec, diagnostics);
  if (!compiled) return false;
  const Model& model = *compiled;
  const auto settle = [](auto& element, double inverse_mass, const Reals<kNumRef>& plain) {
    if (!has_wish(element)) return;
    if (is_idle(element, inverse_mass)) {
      static_cast<ContactWish&>(element) = {};
    } else {
      element.solref = plain;
    }
  };
  for (int g = 0; g < model.ngeom; ++g) {
    settle(spec.geoms[g], model.body_invweight0[2 * model.geom_bodyid[g]], GeomSpec{}.solref);
  }
  for (size_t i = 0; i < spec.pairs.size(); ++i) {
    const int p = model.id(ObjType::kPair, pair_label(i));
    const int body1 = model.geom_bodyid[model.pair_geom1[p]], body2 = model.geom_bodyid[model.pair_geom2[p]];
    settle(spec.pairs[i], model.body_invweight0[2 * body1] + model.body_invweight0[2 * body2], PairSpec{}.solref);
  }
  return true;
}

bool compute_contact_wishes(Spec& spec, Diagnostics& diagnostics) {
  if (!any_wish(spec)) return true;
  const std::optional<Model> compiled = compile_whole(spec, diagnostics);
  if (!compiled) return false;
  const Model& model = *compiled;
  const auto name_loss = [&](const SpecObject& element, const char* tag) {
    std::string message = std::string("<") + tag + (element.name.empty() ? "" : " name=" + quote(element.name));
    diagnostics.warning(Code::kWriteLoss, spec.origin(element.source), tag,
                        message +
                            "> restitution, stiffness and damping_contact become the solref and solimp that they "
                            "mean at this timestep");
  };
  for (int g = 0; g < model.ngeom; ++g) {
    GeomSpec& geom = spec.geoms[g];
    if (!has_wish(geom)) continue;
    name_loss(geom, "geom");
    static_cast<ContactWish&>(geom) = {};
    std::copy_n(model.geom_solref + kNumRef * g, kNumRef, geom.solref.begin());
    std::copy_n(model.geom_solimp + kNumImp * g, kNumImp, geom.solimp.begin());
    geom.solmix = model.geom_solmix[g];
  }
  for (size_t i = 0; i < spec.pairs.size(); ++i) {
    PairSpec& pair = spec.pairs[i];
    if (!has_wish(pair)) continue;
    name_loss(pair, "pair");
    static_cast<ContactWish&>(pair) = {};
    const int p = model.id(ObjType::kPair, pair_label(i));
    std::copy_n(model.pair_solref + kNumRef * p, kNumRef, pair.solref.begin());
    std::copy_n(model.pair_solimp + kNumImp * p, kNumImp, pair.solimp.begin());
  }
  return true;
}

}  // namespace pliant

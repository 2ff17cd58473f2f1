// Whether friction of this model sticks where it was. Every step asks several times: the file is compiled as those of
// the step are, which looks at eight geoms at once.

#include "pliant/model.h"

namespace pliant {

bool has_anchors(const Model& m) {
  constexpr int kAnchored = static_cast<int>(OwnFrictionLaw::kAnchored);
  int anchored = m.opt.friction == FrictionLaw::kAnchored;
  for (int g = 0; g < m.ngeom; ++g) anchored |= m.geom_frictionlaw[g] == kAnchored;
  for (int p = 0; p < m.npair; ++p) anchored |= m.pair_frictionlaw[p] == kAnchored;
  return anchored != 0;
}

}  // namespace pliant

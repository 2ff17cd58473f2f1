// Binary models: the input is the payload, sealed with a checksum that fits, as somebody would who
// wants to get nonsense past the reader. The input is also read as a whole file.

#include <algorithm>

#include "model/plm_format.h"
#include "pliant/model_io.h"
#include "pliant/step.h"
#include "sound.h"
#include "targets.h"

namespace pliant::fuzz {
namespace {

/// What the reader lets through must be fit for use: some steps follow every index. What they
/// compute is nonsense as often as the model is.
void use(const Model& model) {
  constexpr int64_t kMost = 10'000;  // of numbers that a State or Data would be as large as
  if (std::max({model.nuserdata, model.nhistory, model.nsensordata, model.njmax, model.nconmax}) > kMost) return;
  // what a user may ask for, and then has to wait for
  constexpr int kMostIterations = 1000;
  const Options& opt = model.opt;
  if (model.arena_bytes > (int64_t{1} << 24) ||
      std::max({opt.iterations, opt.ls_iterations, opt.noslip_iterations, opt.ccd_iterations, opt.tgs_substeps,
                opt.tgs_sweeps}) > kMostIterations)
    return;
  State state(model);
  Data data(model);
  for (int i = 0; i < 2; ++i) step(model, state, data);
}

void read(std::string_view file) {
  try {
    const Model model = read_plm(file);
    require_sound(model);
    use(model);
  } catch (const LoadError&) {
  }
}

}  // namespace

void plm(std::string_view bytes) {
  read(bytes);
  read(seal_plm(bytes));
}

}  // namespace pliant::fuzz

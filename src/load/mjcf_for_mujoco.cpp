// What MuJoCo does not read, in the closest form that it reads.

#include "load/mjcf_writer.h"

namespace pliant {

void use_standard_forms(Spec&, Diagnostics&) {}

}  // namespace pliant

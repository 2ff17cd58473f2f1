// Force of a contact (constraint/contact_force_hd.h).

#include "constraint/contact_force_hd.h"
#include "pliant/query.h"

namespace pliant {

void contact_force(const Data& d, int contact, double force[6]) {
  const auto wrench = contact_wrench(d, contact);
  for (int k = 0; k < 3; ++k) force[k] = wrench.force[k], force[3 + k] = wrench.torque[k];
}

}  // namespace pliant

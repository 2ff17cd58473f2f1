#pragma once
// A contact whose friction cone is a pyramid: two rows for each direction of friction, normal ± μ_k direction_k.
//
// reads contact cdof · writes contact.row contact.mu
// diagA of an edge: force + μ_k² · (force or torque), the normal's share plus the direction's.

#include "constraint/contact_directions_hd.h"

namespace pliant {

template <int dim, class M, class D, class C, class Sink>
PLIANT_HD void pyramid_rows(const M& m, const D& d, int id, C& contact, Sink& sink) {
  using R = typename D::Real;
  const ContactBodies<M> bodies(m, contact);
  if (!sink.begin(RowType::kContactPyramidal, id, 2 * (dim - 1), bodies.chain, shares_columns(m, d, id, bodies)))
    return;
  R* const J = sink.J(0);
  const int length = sink.length();
  for_pair_columns(bodies.chain, d, contact_directions<dim>(m, d, contact, bodies.a, bodies.b), length,
                   [&](int place, const R* values) {
                     for (int k = 1; k < dim; ++k) {
                       const R across = contact.friction[k - 1] * values[k];
                       J[(2 * k - 2) * length + place] = values[0] + across;
                       J[(2 * k - 1) * length + place] = values[0] - across;
                     }
                   });
  const ContactWeights<R> weights(m, bodies.a, bodies.b);
  for (int k = 1; k < dim; ++k) {
    const R mu = contact.friction[k - 1], weight = weights.force + mu * mu * (k <= 2 ? weights.force : weights.torque);
    const R across = mu * contact.slip[k - 1];
    sink.row(2 * k - 2, contact.dist + across, contact.includemargin, weight);
    sink.row(2 * k - 1, contact.dist - across, contact.includemargin, weight);
  }
  sink.finish_contact(contact, dim);
}

template <class M, class S, class D, class Sink>
PLIANT_HD void contact_pyramidal_rows(const M& m, const S&, const D& d, int id, Sink& sink) {
  auto& contact = d.contact[id];
  if (contact.dim == 3) return pyramid_rows<3>(m, d, id, contact, sink);
  if (contact.dim == 4) return pyramid_rows<4>(m, d, id, contact, sink);
  pyramid_rows<6>(m, d, id, contact, sink);
}

}  // namespace pliant

#pragma once
// A contact with an elliptic friction cone: a row along the normal and one for each direction of friction.
//
// reads contact cdof · writes contact.row contact.mu · friction rows have a velocity, and a slip where it is anchored

#include "constraint/contact_directions_hd.h"

namespace pliant {

template <int dim, class M, class D, class C, class Sink>
PLIANT_HD void cone_rows(const M& m, const D& d, int id, C& contact, Sink& sink) {
  using R = typename D::Real;
  const ContactBodies<M> bodies(m, contact);
  if (!sink.begin(RowType::kContactElliptic, id, dim, bodies.chain, shares_columns(m, d, id, bodies))) return;
  R* const J = sink.J(0);
  const int length = sink.length();
  for_pair_columns(bodies.chain, d, contact_directions<dim>(m, d, contact, bodies.a, bodies.b), length,
                   [&](int place, const R* values) {
                     for (int k = 0; k < dim; ++k) J[k * length + place] = values[k];
                   });
  const ContactWeights<R> weights(m, bodies.a, bodies.b);
  sink.row(0, contact.dist, contact.includemargin, weights.force);
  for (int k = 1; k < dim; ++k) sink.row(k, contact.slip[k - 1], R(0), k <= 2 ? weights.force : weights.torque);
  sink.finish_contact(contact, dim);
}

template <class M, class S, class D, class Sink>
PLIANT_HD void contact_elliptic_rows(const M& m, const S&, const D& d, int id, Sink& sink) {
  auto& contact = d.contact[id];
  if (contact.dim == 3) return cone_rows<3>(m, d, id, contact, sink);
  if (contact.dim == 4) return cone_rows<4>(m, d, id, contact, sink);
  cone_rows<6>(m, d, id, contact, sink);
}

}  // namespace pliant

#pragma once
// A contact without friction: one row along the normal.
//
// reads contact cdof · writes contact.row

#include "constraint/contact_directions_hd.h"

namespace pliant {

template <class M, class S, class D, class Sink>
PLIANT_HD void contact_frictionless_rows(const M& m, const S&, const D& d, int id, Sink& sink) {
  using R = typename D::Real;
  auto& contact = d.contact[id];
  const ContactBodies<M> bodies(m, contact);
  if (!sink.begin(RowType::kContactFrictionless, id, 1, bodies.chain, shares_columns(m, d, id, bodies))) return;
  R* const J = sink.J(0);
  for_pair_columns(bodies.chain, d, contact_directions<1>(m, d, contact, bodies.a, bodies.b), sink.length(),
                   [&](int place, const R* values) { J[place] = values[0]; });
  sink.row(0, contact.dist, contact.includemargin, ContactWeights<R>(m, bodies.a, bodies.b).force);
  sink.finish_contact(contact, 1);
}

}  // namespace pliant

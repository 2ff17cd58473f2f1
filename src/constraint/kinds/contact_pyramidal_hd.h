#pragma once
// A contact whose friction cone is a pyramid: two rows for each direction of friction, normal ± μ_k direction_k.
//
// reads contact cdof · writes contact.row contact.mu
// diagA of an edge: force + μ_k² · (force or torque), the normal's share plus the direction's.
//
// Where friction is anchored, edges share what the contact carries so that slips do not change its sum. With the depth p
// and t_k = μ_k σ_k the two edges along direction k carry s_k ± t_k (times K d / R):
//
//   s_k = max(w, |t_k|),   Σ s_k = n p over the n directions
//
// As long as all |t_k| ≤ p that is p ± t_k. Beyond, an edge would have to pull; without that its partner's load, and so
// the normal force, would grow with the slip, and near the angle of friction lift the body out of its contacts. Slips
// beyond the pyramid, Σ |t_k| > n p, count as far as it reaches.

#include "constraint/contact_directions_hd.h"

namespace pliant {

/// What the edges of n directions carry: t becomes that part of it that the pyramid holds, s the mean of two edges. False
/// where every edge carries p ± t_k.
template <int n, class R>
PLIANT_HD bool share_slips(R p, R (&t)[n], R (&s)[n]) {
  R largest = 0, sum = 0;
  for (int k = 0; k < n; ++k) {
    const R size = std::abs(t[k]);
    largest = size > largest ? size : largest;
    sum += size;
  }
  if (!(largest > p)) return false;
  R level = 0;
  if (sum < n * p) {
    // those above the level keep what they need, the others share the rest: the level falls until it does no more
    level = p;
    for (int pass = 0; pass < n; ++pass) {
      R rest = n * p;
      int sharing = n;
      for (int k = 0; k < n; ++k) {
        if (std::abs(t[k]) > level) rest -= std::abs(t[k]), --sharing;
      }
      level = sharing > 0 ? at_least(R(0), rest / sharing) : R(0);
    }
  } else {
    for (int k = 0; k < n; ++k) t[k] *= n * p / sum;
  }
  for (int k = 0; k < n; ++k) s[k] = at_least(level, std::abs(t[k]));
  return true;
}

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
  R across[dim - 1], share[dim - 1];
  for (int k = 1; k < dim; ++k) across[k - 1] = contact.friction[k - 1] * contact.slip[k - 1];
  const bool shared = share_slips(R(contact.includemargin - contact.dist), across, share);
  for (int k = 1; k < dim; ++k) {
    const R mu = contact.friction[k - 1], weight = weights.force + mu * mu * (k <= 2 ? weights.force : weights.torque);
    const R pos = shared ? contact.includemargin - share[k - 1] : R(contact.dist);
    sink.row(2 * k - 2, pos + across[k - 1], contact.includemargin, weight);
    sink.row(2 * k - 1, pos - across[k - 1], contact.includemargin, weight);
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

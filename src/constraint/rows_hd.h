#pragma once
// All rows of a step, through the table of kinds: label contacts, count, write by position, verify.
//
// On the CPU all_rows is called twice, with a RowCounter and with a RowWriter: memory is taken in between. On a device
// there is memory for a capacity, and the writer counts what it is about to write.

#include "constraint/equality_kinds_hd.h"
#include "constraint/kinds/contact_elliptic_hd.h"
#include "constraint/kinds/contact_frictionless_hd.h"
#include "constraint/kinds/contact_pyramidal_hd.h"
#include "constraint/kinds/friction_dof_hd.h"
#include "constraint/kinds/friction_tendon_hd.h"
#include "constraint/kinds/limit_joint_hd.h"
#include "constraint/kinds/limit_tendon_hd.h"

namespace pliant {

template <class M, class S, class D, class Sink>
PLIANT_HD void equality_rows(const M& m, const S& s, const D& d, int equality, Sink& sink) {
  with_equality(m.eq_type[equality], [&](auto kind) PLIANT_INLINED { kind.rows(m, s, d, equality, sink); });
}

/// Whether a contact that no dof can change has no rows. In the reference's sparse mode none has. With a dense Jacobian
/// those between parts of one moving body have.
template <class M>
PLIANT_HD bool is_without_rows(const M& m, const ContactBodies<M>& bodies, bool sparse) {
  const int last = last_dof(m, bodies.a);
  if (last != last_dof(m, bodies.b)) return false;
  return sparse || last < 0;
}

/// Whether a contact has rows, before any is counted.
template <class M, class D>
PLIANT_HD void label_contact(const M& m, D& d, int id, bool sparse) {
  auto& contact = d.contact[id];
  contact.row = -1;
  // without any dof there are no rows at all
  if (m.nv == 0 || (contact.exclude != ContactExclude::kNone && contact.exclude != ContactExclude::kNoDofs)) return;
  const ContactBodies<M> bodies(m, contact);
  contact.exclude = is_without_rows(m, bodies, sparse) ? ContactExclude::kNoDofs : ContactExclude::kNone;
}

template <class M, class S, class D, class Sink>
PLIANT_HD void contact_rows(const M& m, const S& s, const D& d, int id, bool elliptic, Sink& sink) {
  if (d.contact[id].exclude != ContactExclude::kNone) return;
  const int dim = contact_dim(d.contact[id]);
#define ELEMENTS(kind, type, law, count, flag, section, sharing)
#define CONTACT(kind, type, law, condition) \
  if (condition) return kind##_rows(m, s, d, id, sink);
#include "constraint/kinds.def"
#undef ELEMENTS
#undef CONTACT
}

template <class Team, class M, class S, class D, class Sink>
PLIANT_HD void all_rows(const Team& team, const M& m, const S& s, const D& d, Sink& sink) {
  const int off = m.opt.disableflags;
  if (!(off & kDisableEquality)) {
    sink.one_by_one(team, m.neq, RowSection::kEquality, [&](int i, auto& to) PLIANT_INLINED {
      if (s.eq_active[i] && m.eq_mimicid[i] < 0) equality_rows(m, s, d, i, to);
    });
    sink.one_by_one(team, m.nmimicrow, RowSection::kEquality, [&](int i, auto& to) PLIANT_INLINED {
      const int equality = m.mimic_eqid[m.mimicrow_mimicid[i]];
      if (s.eq_active[equality]) equality_rows(m, s, d, equality, to);
    });
  }
#define ELEMENTS(kind, type, law, count, flag, section, sharing)                        \
  if (!(off & flag)) {                                                                  \
    sink.sharing(team, m.count, RowSection::section,                                    \
                 [&](int i, auto& to) PLIANT_INLINED { kind##_rows(m, s, d, i, to); }); \
  }
#define CONTACT(kind, type, law, condition)
#include "constraint/kinds.def"
#undef ELEMENTS
#undef CONTACT
  if (off & kDisableContact || m.nv == 0) return;
  const bool elliptic = m.opt.cone == ConeType::kElliptic;
  sink.shared_out(team, d.ncon, RowSection::kContact,
                  [&](int i, auto& to) PLIANT_INLINED { contact_rows(m, s, d, i, elliptic, to); });
}

}  // namespace pliant

#pragma once
// All rows of a step, through the table of kinds.
//
// Called twice: with a RowCounter, then with a RowWriter.

#include "constraint/kinds/contact_elliptic_hd.h"
#include "constraint/kinds/contact_frictionless_hd.h"
#include "constraint/kinds/contact_pyramidal_hd.h"
#include "constraint/kinds/equality_connect_hd.h"
#include "constraint/kinds/equality_joint_hd.h"
#include "constraint/kinds/equality_tendon_hd.h"
#include "constraint/kinds/equality_weld_hd.h"
#include "constraint/kinds/friction_dof_hd.h"
#include "constraint/kinds/friction_tendon_hd.h"
#include "constraint/kinds/limit_joint_hd.h"
#include "constraint/kinds/limit_tendon_hd.h"
#include "constraint/kinds/mimic_soft_hd.h"

namespace pliant {

template <class M, class S, class D, class Sink>
PLIANT_HD void equality_rows(const M& m, const S& s, const D& d, int equality, Sink& sink) {
  switch (static_cast<EqualityType>(m.eq_type[equality])) {
#define EQUALITY(type, kind) \
  case EqualityType::type:   \
    return kind##_rows(m, s, d, equality, sink);
#define ELEMENTS(kind, count, flag)
#define CONTACT(kind, condition)
#include "constraint/kinds.def"
#undef EQUALITY
#undef ELEMENTS
#undef CONTACT
    default:
      return;  // flexes: the loader does not let them in
  }
}

template <class M, class S, class D, class Sink>
PLIANT_HD void contact_rows(const M& m, const S& s, const D& d, int id, bool elliptic, bool drop_without_dofs,
                            Sink& sink) {
  Contact& contact = d.contact[id];
  contact.row = -1;
  if (contact.exclude != ContactExclude::kNone && contact.exclude != ContactExclude::kNoDofs) return;
  // the reference's sparse mode leaves out contacts that no dof can change
  const ContactBodies<M> bodies(m, contact);
  const bool without_dofs = last_dof(m, bodies.a) == last_dof(m, bodies.b);
  contact.exclude = without_dofs && drop_without_dofs ? ContactExclude::kNoDofs : ContactExclude::kNone;
  if (contact.exclude != ContactExclude::kNone) return;
  const int dim = contact_dim(contact);
#define EQUALITY(type, kind)
#define ELEMENTS(kind, count, flag)
#define CONTACT(kind, condition) \
  if (condition) return kind##_rows(m, s, d, id, sink);
#include "constraint/kinds.def"
#undef EQUALITY
#undef ELEMENTS
#undef CONTACT
}

/// `sparse`: which rows exist is decided as in the reference's sparse mode.
template <class M, class S, class D, class Sink>
PLIANT_HD void all_rows(const M& m, const S& s, const D& d, bool sparse, Sink& sink) {
  const int off = m.opt.disableflags;
  if (!(off & kDisableEquality)) {
    for (int i = 0; i < m.neq; ++i) {
      if (s.eq_active[i] && m.eq_mimicid[i] < 0) equality_rows(m, s, d, i, sink);
    }
    for (int i = 0; i < m.nmimicrow; ++i) {
      const int equality = m.mimic_eqid[m.mimicrow_mimicid[i]];
      if (s.eq_active[equality]) equality_rows(m, s, d, equality, sink);
    }
  }
#define EQUALITY(type, kind)
#define ELEMENTS(kind, count, flag)                                  \
  if (!(off & flag)) {                                               \
    for (int i = 0; i < m.count; ++i) kind##_rows(m, s, d, i, sink); \
  }
#define CONTACT(kind, condition)
#include "constraint/kinds.def"
#undef EQUALITY
#undef ELEMENTS
#undef CONTACT
  if (off & kDisableContact) return;
  const bool elliptic = m.opt.cone == ConeType::kElliptic;
  for (int i = 0; i < d.ncon; ++i) contact_rows(m, s, d, i, elliptic, sparse, sink);
}

}  // namespace pliant

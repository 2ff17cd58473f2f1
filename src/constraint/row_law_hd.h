#pragma once
// Laws of rows, from the table of kinds.

#include "constraint/reference_hd.h"
#include "pliant/row_law.h"

namespace pliant {

/// The law of rows of a type. Several kinds may write rows of one type; they have one law.
PLIANT_HD constexpr RowLaw law_of(RowType type) {
  switch (type) {
    case RowType::kEquality:
      return RowLaw::kEquality;
#define ELEMENTS(kind, type, law, count, flag, section, sharing) \
  case RowType::type:                                            \
    return RowLaw::law;
#define CONTACT(kind, type, law, condition) \
  case RowType::type:                       \
    return RowLaw::law;
#include "constraint/kinds.def"
#undef ELEMENTS
#undef CONTACT
  }
  return RowLaw::kEquality;
}

/// Sets the block, a fresh one, that begins with a row; dim 0: the row belongs to a block before it.
template <class D, class Block>
PLIANT_HD void set_row_block(const D& d, int row, Block& block) {
  block.first = row;
  const auto type = static_cast<RowType>(d.rows.row_type[row]);
  block.law = law_of(type);
  if (block.law == RowLaw::kFriction) block.bound = d.rows.row_frictionloss[row];
  const bool elliptic = type == RowType::kContactElliptic;
  if (elliptic || type == RowType::kContactPyramidal) {
    const auto& rows = d.rows;
    const auto& contact = d.contact[rows.row_id[row]];
    const bool continues =
        row > 0 && rows.row_type[row - 1] == rows.row_type[row] && rows.row_id[row - 1] == rows.row_id[row];
    if (elliptic) {
      block.dim = continues ? 0 : contact.dim;
      block.mu = contact.mu;
      block.friction = contact.friction;
    } else {
      block.edges = continues ? -1 : contact_row_count(contact, false);
    }
  }
}
template <class Block, class D>
PLIANT_HD Block row_block(const D& d, int row) {
  Block block;
  set_row_block(d, row, block);
  return block;
}

}  // namespace pliant

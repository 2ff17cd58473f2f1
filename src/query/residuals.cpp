// Residuals of equalities and limits by name, from their rows.
//
// reads rows (row_type row_id row_pos row_force) · allocates: not for use within a step

#include <cmath>

#include "constraint/equality_kinds_hd.h"
#include "pliant/place.h"
#include "pliant/query.h"

namespace pliant {
namespace {

Residual start(const Model& m, ObjType type, int id, const char* kind, int row) {
  Residual residual;
  residual.kind = kind;
  residual.name = m.name(type, id);
  if (residual.name.empty()) residual.name = object_text(m, {type, id});
  residual.origin = m.origin(type, id);
  residual.row = row;
  return residual;
}

// A single row keeps its signs, several are measured by their lengths.
Residual measure(Residual residual, const Rows& rows, int n) {
  const double *pos = rows.row_pos + residual.row, *force = rows.row_force + residual.row;
  residual.value = n == 1 ? pos[0] : std::hypot(pos[0], pos[1], pos[2]);
  residual.force = n == 1 ? force[0] : std::hypot(force[0], force[1], force[2]);
  return residual;
}

// Returns how many rows the equality has.
int add_equality(const Model& m, const Rows& rows, int row, std::vector<Residual>& out) {
  const int id = rows.row_id[row];
  return with_equality(m.eq_type[id], [&](auto kind) {
    kind.residuals(m, id, row, [&](const char* name, int first, int n) -> Residual& {
      out.push_back(measure(start(m, ObjType::kEquality, id, name, first), rows, n));
      return out.back();
    });
    return kind.kRows;
  });
}

}  // namespace

std::vector<Residual> constraint_residuals(const Model& m, const Data& d) {
  const Rows& rows = d.rows;
  std::vector<Residual> out;
  for (int i = 0; i < rows.ne;) i += add_equality(m, rows, i, out);
  for (int i = rows.ne + rows.nf; i < rows.ne + rows.nf + rows.nl; ++i) {
    const bool joint = static_cast<RowType>(rows.row_type[i]) == RowType::kLimitJoint;
    out.push_back(measure(
        start(m, joint ? ObjType::kJoint : ObjType::kTendon, rows.row_id[i], joint ? "joint limit" : "tendon limit", i),
        rows, 1));
  }
  return out;
}

}  // namespace pliant

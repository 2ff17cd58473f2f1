// Words and small quantities that the checks of the doctor share.

#include <cstdio>

#include "doctor/doctor_case.h"

namespace pliant::doctoring {

std::string number(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", x + 0.0);  // (no -0)
  return buffer;
}

std::string percent(double share) { return number(100 * share) + " %"; }

std::string time_text(double seconds) {
  if (!(seconds < kNever)) return "any";
  return seconds < 1e-3 ? number(1e6 * seconds) + " µs"
         : seconds < 1  ? number(1e3 * seconds) + " ms"
                        : number(seconds) + " s";
}

std::string timestep_text(const DoctorReport& report) {
  const std::string start = "timestep " + time_text(report.timestep) + "; ";
  if (report.budget.empty()) return start + "nothing in the model bounds it";
  const TimestepLimit& b = report.budget[0];
  return start + "stable up to " + time_text(b.limit) + ", limited by " + b.element + " (" + b.kind + ")";
}

std::string length_text(double metres) {
  const double size = std::abs(metres);
  if (size == 0) return "0 m";
  return size < 1e-3 ? number(1e6 * metres) + " µm" : size < 0.1 ? number(1e3 * metres) + " mm" : number(metres) + " m";
}

std::string element_text(const Model& m, ObjType type, int id) {
  // kinds that have no state of their own
  const std::string text = object_text(m, {type, id});
  return (type == ObjType::kMesh ? "mesh" : type == ObjType::kPair ? "pair" : "") + text;
}

std::string geom_pair_text(const Model& m, int geom1, int geom2) {
  return element_text(m, ObjType::kGeom, geom1) + " and " + element_text(m, ObjType::kGeom, geom2);
}

std::string body_name(const Model& m, int body) {
  return body == 0 ? "world" : std::string(m.name(ObjType::kBody, body));
}

std::string direction_text(const double* unit, double sign) {
  std::string out;
  for (int k = 0; k < 3; ++k) out += (k ? " " : "") + number(std::abs(unit[k]) < 5e-5 ? 0.0 : sign * unit[k]);
  return "(" + out + ")";
}

std::string exclude_line(const Model& m, int body1, int body2) {
  const std::string a = body_name(m, body1), b = body_name(m, body2);
  if (a.empty() || b.empty()) {
    const int nameless = a.empty() ? body1 : body2;
    return "name the body at " + m.origin(ObjType::kBody, nameless) + ", then <exclude body1=\"" +
           (a.empty() ? "…" : a) + "\" body2=\"" + (b.empty() ? "…" : b) + "\"/> in <contact>";
  }
  return "<exclude body1=\"" + a + "\" body2=\"" + b + "\"/> in <contact>";
}

double inverse_inertia(const Model& m, const Data& d, const std::vector<double>& x, std::vector<double>* moved) {
  std::vector<double> y = x;
  solve_mass(m, d, y.data());
  double sum = 0;
  for (int i = 0; i < m.nv; ++i) sum += x[i] * y[i];
  if (moved) *moved = std::move(y);
  return sum;
}

std::vector<double> row_vector(const Model& m, const Rows& rows, int row) {
  std::vector<double> x(m.nv);
  const double* entry = rows.row_J + rows.row_Jadr[row];
  for (int k = 0; k < rows.row_segnum[row]; ++k) {
    const int s = rows.row_segadr[row] + k;
    for (int i = 0; i < rows.segment_len[s]; ++i) x[rows.segment_dof[s] + i] = *entry++;
  }
  return x;
}

bool can_move(const Model& m, int body) { return m.body_treeid[body] >= 0; }

bool floats(const Model& m, int body) {
  if (!can_move(m, body)) return false;
  const int root = m.body_rootid[body];
  int slides = 0;
  for (int k = 0; k < m.body_jntnum[root]; ++k) {
    const JointKind& kind = joint_kind(m.jnt_type[m.body_jntadr[root] + k]);
    if (kind.floats()) return true;
    slides += kind.is_length();
  }
  return slides >= 2;
}

double tree_mass(const Model& m, int body) { return can_move(m, body) ? m.body_subtreemass[m.body_rootid[body]] : 0; }

bool scalar_joint(const Model& m, int joint) { return joint_kind(m.jnt_type[joint]).is_scalar(); }

double gravity_size(const Model& m) {
  const auto& g = m.opt.gravity;
  return m.opt.disableflags & kDisableGravity ? 0 : std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
}

}  // namespace pliant::doctoring

// Finds how two geoms would touch: contact points by the engine's own pair functions, responses J M⁻¹ Jᵀ at the state
// given.
//
// reads Model State · cost: one forward, and one solve with the mass matrix per contact point

#include "analysis/contact_patch.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "collision/contact_params_hd.h"
#include "collision/filter_hd.h"
#include "collision/pair_table.h"
#include "constraint/stacks.h"
#include "model/position_lead.h"
#include "pliant/query.h"
#include "pliant/step.h"

namespace pliant {
namespace {

/// How far surfaces overlap when their contact points are looked for, relative to the size of the smaller geom.
constexpr double kTouch = 1e-6;
/// How far a body leans downhill on a slope [rad].
constexpr double kLean = 1e-6;

int explicit_pair(const Model& m, int geom1, int geom2) {
  for (int p = 0; p < m.npair; ++p) {
    const int a = m.pair_geom1[p], b = m.pair_geom2[p];
    if ((a == geom1 && b == geom2) || (a == geom2 && b == geom1)) return p;
  }
  return -1;
}

/// Points of the pair where they are, or where they would be if geom2 came nearer by `shift`.
std::vector<ContactPoint> touch(const Model& m, const Data& d, int geom1, int geom2, double reach, double& distance,
                                Vec3& shift) {
  ShapeT<double> a = geom_shape(m, d, geom1), b = geom_shape(m, d, geom2);
  const bool single = (m.opt.disableflags & kDisableMultiCcd) != 0;
  const auto function = pair_function<double>(a.type, b.type, single);
  std::vector<ContactPoint> points(kMaxPairPoints);
  int n = function(a, b, reach, points.data());
  if (n == 0) {
    const GeomDistance apart = geom_distance(m, d, geom1, geom2, 1e9);
    const Vec3 way = vec3(apart.to, 0) - vec3(apart.from, 0);
    const double length = norm(way), size = std::max(1e-6, m.geom_rbound[geom2]);
    if (length > 0) shift = way * (-(apart.distance + kTouch * size) / length);
    b.pos = b.pos + shift;
    distance = apart.distance;
    n = function(a, b, 0, points.data());
  } else {
    distance = points[0].dist;
    for (int i = 1; i < n; ++i) distance = std::min(distance, points[i].dist);
  }
  points.resize(n);
  return points;
}

/// Points of a shape that leans a little along `downhill`, about the place where it touches.
std::vector<Vec3> leaning_points(const Model& m, const Data& d, const ContactPatch& patch, Vec3 shift, Vec3 downhill) {
  const int geom1 = patch.contact.geom[0], geom2 = patch.contact.geom[1];
  ShapeT<double> shapes[2] = {geom_shape(m, d, geom1), geom_shape(m, d, geom2)};
  shapes[1].pos = shapes[1].pos + shift;
  ShapeT<double>& leaning = shapes[patch.pressing_side];
  const Vec3 normal = vec3(patch.contact.frame, 0) * (patch.pressing_side ? 1.0 : -1.0);
  const Vec3 axis = cross(normal, downhill) * kLean;
  for (int k = 0; k < 3; ++k) {
    const Vec3 column{leaning.mat(0, k), leaning.mat(1, k), leaning.mat(2, k)}, turned = column + cross(axis, column);
    leaning.mat(0, k) = turned.x, leaning.mat(1, k) = turned.y, leaning.mat(2, k) = turned.z;
  }
  std::vector<ContactPoint> points(kMaxPairPoints);
  const double reach = 4 * kLean * std::max(m.geom_rbound[geom1], m.geom_rbound[geom2]);
  const int n = pair_function<double>(shapes[0].type, shapes[1].type)(shapes[0], shapes[1], reach, points.data());
  std::vector<Vec3> out;
  for (int i = 0; i < n; ++i) out.push_back(patch.pressing_side ? points[i].pos - shift : points[i].pos);
  return out;
}

/// Velocity of one side along a direction per velocity of each dof.
std::vector<double> row_of(const Model& m, const Data& d, int body, Vec3 point, Vec3 direction) {
  std::vector<double> jac(3 * m.nv), row(m.nv);
  const double p[3] = {point.x, point.y, point.z};
  jacobian(m, d, body, p, jac.data(), nullptr);
  for (int i = 0; i < m.nv; ++i)
    row[i] = direction.x * jac[i] + direction.y * jac[m.nv + i] + direction.z * jac[2 * m.nv + i];
  return row;
}

double product(const std::vector<double>& a, const double* b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> minus(std::vector<double> a, const std::vector<double>& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

using Matrix = std::vector<std::vector<double>>;

/// J M⁻¹ Jᵀ.
Matrix responses(const Model& m, const Data& d, const Matrix& rows) {
  Matrix out;
  for (const auto& row : rows) {
    std::vector<double> x = row;
    if (m.nv) solve_mass(m, d, x.data());
    std::vector<double> line;
    for (const auto& other : rows) line.push_back(product(other, x.data()));
    out.push_back(line);
  }
  return out;
}

/// Acceleration per newton when all rows share a force alike.
double common_response(const Matrix& A) {
  double sum = 0;
  for (const auto& line : A) {
    for (const double x : line) sum += x;
  }
  const double n = static_cast<double>(A.size());
  return sum / (n * n);
}

/// Largest eigenvalue, by power iteration.
double largest_response(const Matrix& A) {
  const size_t n = A.size();
  std::vector<double> x(n), y(n);
  for (size_t i = 0; i < n; ++i) x[i] = 1 + 0.37 * std::sin(1 + 2.0 * i);
  double value = 0;
  for (int turn = 0; turn < 300; ++turn) {
    double size = 0;
    for (size_t i = 0; i < n; ++i) {
      y[i] = product(A[i], x.data());
      size += y[i] * y[i];
    }
    size = std::sqrt(size);
    if (size == 0) return 0;
    for (size_t i = 0; i < n; ++i) x[i] = y[i] / size;
    value = size;
  }
  return value;
}

/// The force with which one side alone would press on the other, held still.
double pressing(const Model& m, const Data& d, const Matrix& side) {
  const double response = common_response(responses(m, d, side));
  if (!(response > 0)) return 0;
  double accel = 0;
  for (const auto& row : side) accel += product(row, d.qacc_smooth);
  return std::max(0.0, -accel / static_cast<double>(side.size()) / response);
}

bool is_lone_free_body(const Model& m, int body) {
  const int group = m.body_weldid[body];
  if (m.body_dofnum[group] != 6 || m.body_jntnum[group] != 1 || m.body_parentid[group] != 0) return false;
  for (int b = group + 1; b < m.nbody && m.body_parentid[b] >= group; ++b) {
    if (m.body_weldid[b] != group) return false;
  }
  return true;
}

/// J M⁻¹ Jᵀ of the relative motion of the two bodies: velocity at a point and angular velocity.
SixBySix twist_response(const Model& m, const Data& d, int body1, Vec3 point1, int body2, Vec3 point2) {
  const size_t nv = static_cast<size_t>(m.nv);
  Matrix rows(6, std::vector<double>(nv));
  for (int side = 0; side < 2; ++side) {
    const Vec3 at = side ? point2 : point1;
    const double p[3] = {at.x, at.y, at.z};
    std::vector<double> moves(3 * nv), turns(3 * nv);
    jacobian(m, d, side ? body2 : body1, p, moves.data(), turns.data());
    for (size_t i = 0; i < 3 * nv; ++i) {
      rows[i / nv][i % nv] += side ? moves[i] : -moves[i];
      rows[3 + i / nv][i % nv] += side ? turns[i] : -turns[i];
    }
  }
  const Matrix A = responses(m, d, rows);
  SixBySix out{};
  for (int i = 0; i < 6; ++i) std::copy_n(A[i].begin(), 6, out[i].begin());
  return out;
}

/// What R0 is made of: the estimate of the first row of each contact, as a polynomial of friction.
std::array<double, 3> first_row_estimate(const Model& m, const ContactPatch& patch, const Matrix& normal,
                                         const Matrix& sliding, const Matrix& both) {
  const int body1 = m.geom_bodyid[patch.contact.geom[0]], body2 = m.geom_bodyid[patch.contact.geom[1]];
  const bool pyramid = patch.contact.dim > 1 && !patch.elliptic;
  if (m.opt.enableflags & kEnableDiagExact) {
    // first edge of a pyramid: normal + μ tangent
    if (pyramid) return {normal[0][0], 2 * both[0][1], sliding[0][0]};
    return {normal[0][0], 0, 0};
  }
  const double weight = m.body_invweight0[2 * body1] + m.body_invweight0[2 * body2];
  return {weight, 0, pyramid ? weight : 0};
}

}  // namespace

std::string why_never(const Model& m, int geom1, int geom2) {
  if (geom1 == geom2) return "a geom does not touch itself";
  const auto type1 = static_cast<GeomType>(m.geom_type[geom1]), type2 = static_cast<GeomType>(m.geom_type[geom2]);
  if (max_pair_points(std::min(type1, type2), std::max(type1, type2)) == 0)
    return "shapes of these two types never collide";
  const GeomTag a = geom_tag(m, geom1), b = geom_tag(m, geom2);
  const bool moves = a.moves || b.moves;
  if (!moves) return "neither of them can move";
  if (explicit_pair(m, geom1, geom2) >= 0) return "";
  if (a.group == b.group) return "they are parts of one rigid body";
  const bool filter_parent = !(m.opt.disableflags & kDisableFilterParent);
  if (!joints_allow(a, b, filter_parent)) return "one carries the other through a joint (flag filterparent)";
  if (!bits_allow(a, b)) return "their contype and conaffinity bits do not meet";
  const int low = std::min(a.body, b.body), high = std::max(a.body, b.body);
  if (is_excluded(m, body_signature(low, high))) return "an <exclude> names their bodies";
  return "";
}

double ContactPatch::normal_estimate() const {
  if (contact.dim == 1 || elliptic) return row_estimate;
  // 2 (dim − 1) edges, each with R = 2 μ²/impratio · R0, share the normal force
  return contact.friction[0] * contact.friction[0] / impratio * row_estimate / (contact.dim - 1);
}

ScalarRow ContactPatch::row(const Model& m) const {
  ScalarRow row;
  for (int i = 0; i < kNumRef; ++i) row.solref[i] = contact.solref[i];
  for (int i = 0; i < kNumImp; ++i) row.solimp[i] = contact.solimp[i];
  row.timestep = m.opt.timestep;
  row.refsafe = !(m.opt.disableflags & kDisableRefSafe);
  row.integrator = m.opt.integrator;
  row.substeps = solver_substeps(m.opt);
  row.leads = position_lead(m) > 0;
  row.response = response;
  row.estimate = normal_estimate() / static_cast<double>(points.size());
  row.free_accel = -response * load;
  return row;
}

ContactPatch find_patch(const Model& m, const State& state, int geom1, int geom2) {
  if (m.geom_type[geom1] > m.geom_type[geom2]) std::swap(geom1, geom2);
  if (const std::string reason = why_never(m, geom1, geom2); !reason.empty()) {
    throw std::invalid_argument("these geoms never touch: " + reason);
  }
  State s(state);
  std::fill(s.qvel, s.qvel + m.nv, 0.0);
  Data d(m);
  forward(m, s, d);

  ContactPatch patch;
  const int pair = explicit_pair(m, geom1, geom2);
  set_parameters(m, geom1, geom2, pair, patch.contact);
  Vec3 shift{0, 0, 0};
  const auto points = touch(m, d, geom1, geom2, patch.contact.includemargin, patch.distance, shift);
  if (points.empty()) throw std::invalid_argument("no way of touching was found for these geoms");
  set_frame(points[0], patch.contact);
  patch.elliptic = m.opt.cone == ConeType::kElliptic;
  patch.impratio = std::max(kTiny, m.opt.impratio);

  // rows of the normal and of the first tangent, of both sides and of each alone
  const int body1 = m.geom_bodyid[geom1], body2 = m.geom_bodyid[geom2];
  const Vec3 tangent{patch.contact.frame[3], patch.contact.frame[4], patch.contact.frame[5]};
  Matrix normal, sliding, side1, side2;
  for (const ContactPoint& point : points) {
    // where the point is on a body that was not moved
    const Vec3 there = point.pos - shift;
    side1.push_back(row_of(m, d, body1, point.pos, point.normal * -1.0));
    side2.push_back(row_of(m, d, body2, there, point.normal));
    std::vector<double> both = side2.back();
    for (size_t i = 0; i < both.size(); ++i) both[i] += side1.back()[i];
    normal.push_back(both);
    sliding.push_back(minus(row_of(m, d, body2, there, tangent), row_of(m, d, body1, point.pos, tangent)));
  }
  const Matrix A = responses(m, d, normal), A_sliding = responses(m, d, sliding);
  const double n = static_cast<double>(points.size());
  patch.response = common_response(A);
  patch.stiffest_response = std::max(patch.response, largest_response(A) / n);
  patch.sliding_response = std::max(common_response(A_sliding), largest_response(A_sliding) / n);
  const double mu = patch.contact.friction[0];
  const auto& parts = patch.estimate_parts =
      first_row_estimate(m, patch, A, A_sliding, responses(m, d, {normal[0], sliding[0]}));
  patch.row_estimate = parts[0] + mu * (parts[1] + mu * parts[2]);

  // the side that presses harder
  double load1 = pressing(m, d, side1), load2 = pressing(m, d, side2);
  // flag diagstack: as they touch now, the bodies respond and press with what they carry
  if (StackedMasses stack; m.opt.enableflags & kEnableDiagStack && stacked_masses(m, d, geom1, geom2, stack)) {
    const double ratio = (1 / stack.moved[0] + 1 / stack.moved[1]) / (1 / stack.alone[0] + 1 / stack.alone[1]);
    for (double* response : {&patch.response, &patch.stiffest_response, &patch.sliding_response, &patch.row_estimate}) {
      *response *= ratio;
    }
    for (double& part : patch.estimate_parts) part *= ratio;
    load1 *= std::isfinite(stack.moved[0]) ? stack.moved[0] / stack.alone[0] : 1;
    load2 *= std::isfinite(stack.moved[1]) ? stack.moved[1] / stack.alone[1] : 1;
  }
  patch.pressing_side = load2 >= load1 ? 1 : 0;
  patch.load = std::max(load1, load2);
  for (const ContactPoint& point : points) patch.points.push_back(patch.pressing_side ? point.pos - shift : point.pos);
  patch.slope_points = leaning_points(m, d, patch, shift, tangent);
  if (patch.slope_points.size() != patch.points.size()) patch.slope_points = patch.points;
  const int body = patch.pressing_side ? body2 : body1;
  patch.free_body = is_lone_free_body(m, body);
  patch.centre = vec3(d.subtree_com, m.body_rootid[body]);
  patch.mass = m.body_subtreemass[m.body_rootid[body]];

  // for its motion as a whole
  patch.shapes[0] = geom_shape(m, d, geom1);
  patch.shapes[1] = geom_shape(m, d, geom2);
  patch.shapes[1].pos = patch.shapes[1].pos + shift;
  patch.touching = points;
  const int pressing_geom = patch.contact.geom[patch.pressing_side];
  for (int k = 0; k < 3; ++k) {
    const double along = dot(patch.shapes[patch.pressing_side].mat.column(k), points[0].normal);
    patch.thickness += 2 * std::abs(along) * m.geom_aabb[6 * pressing_geom + 3 + k];
  }
  const Vec3 moved = patch.pressing_side ? shift : Vec3{0, 0, 0};
  patch.pivot = patch.centre + moved;
  if (!patch.free_body) {
    patch.pivot = {0, 0, 0};
    for (const ContactPoint& point : points) patch.pivot = patch.pivot + point.pos * (1 / n);
  }
  patch.twist_response = twist_response(m, d, body1, patch.pivot, body2, patch.pivot - shift);
  if (!(patch.response > 0)) throw std::invalid_argument("these geoms cannot move along the contact's normal");
  return patch;
}

}  // namespace pliant

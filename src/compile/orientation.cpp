// Orientations in all their MJCF forms, frames composed, principal axes of an inertia.
//
// Reads Spec orientations; writes Work::frames. Operation orders follow the reference where they decide a
// sign or a branch (principal axes of equal moments, antiparallel axes).

#include <cmath>

#include "base/text.h"
#include "compile/compile.h"
#include "spec/euler.h"

namespace pliant {
namespace {

double normalize(Vec3& v) {
  const double squared = dot(v, v);
  if (squared < kCompileEps) return 0;
  const double n = std::sqrt(squared);
  if (std::abs(n - 1) > kCompileEps) v = {v.x / n, v.y / n, v.z / n};
  return n;
}

/// Quaternion of a rotation matrix given by its columns.
Quat quat_from_axes(Vec3 x, Vec3 y, Vec3 z) {
  Quat q;
  if (x.x + y.y + z.z > 0) {
    q.w = 0.5 * std::sqrt(1 + x.x + y.y + z.z);
    q.x = 0.25 * (y.z - z.y) / q.w;
    q.y = 0.25 * (z.x - x.z) / q.w;
    q.z = 0.25 * (x.y - y.x) / q.w;
  } else if (x.x > y.y && x.x > z.z) {
    q.x = 0.5 * std::sqrt(1 + x.x - y.y - z.z);
    q.w = 0.25 * (y.z - z.y) / q.x;
    q.y = 0.25 * (y.x + x.y) / q.x;
    q.z = 0.25 * (z.x + x.z) / q.x;
  } else if (y.y > z.z) {
    q.y = 0.5 * std::sqrt(1 - x.x + y.y - z.z);
    q.w = 0.25 * (z.x - x.z) / q.y;
    q.x = 0.25 * (y.x + x.y) / q.y;
    q.z = 0.25 * (z.y + y.z) / q.y;
  } else {
    q.z = 0.5 * std::sqrt(1 - x.x - y.y + z.z);
    q.w = 0.25 * (x.y - y.x) / q.z;
    q.x = 0.25 * (z.x + x.z) / q.z;
    q.y = 0.25 * (z.y + y.z) / q.z;
  }
  return normalized(q);
}

using Matrix = double[3][3];

void rotation_matrix(Quat q, Matrix& m) {
  const Vec3 columns[3] = {rotate(q, Vec3{1, 0, 0}), rotate(q, Vec3{0, 1, 0}), rotate(q, Vec3{0, 0, 1})};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) m[r][c] = columns[c][r];
  }
}

/// D = Rᵀ A R
void conjugate_by(const Matrix& r, const Matrix& a, Matrix& d) {
  Matrix t;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) t[i][j] = r[0][i] * a[0][j] + r[1][i] * a[1][j] + r[2][i] * a[2][j];
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) d[i][j] = t[i][0] * r[0][j] + t[i][1] * r[1][j] + t[i][2] * r[2][j];
  }
}

}  // namespace

Quat normalized(Quat q) {
  const double squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  if (squared < kCompileEps) return q;
  const double n = std::sqrt(squared);
  if (std::abs(n - 1) > kCompileEps) q = {q.w / n, q.x / n, q.y / n, q.z / n};
  return q;
}

Pose compose(const Pose& parent, const Pose& child) {
  return {parent.pos + rotate(parent.quat, child.pos), normalized(parent.quat * child.quat)};
}

Quat quat_from_z(Vec3 z) {
  // axis = ẑ × z; for antiparallel vectors any axis will do: x
  Vec3 axis = cross(Vec3{0, 0, 1}, z);
  const double s = normalize(axis);
  constexpr double kParallel = 1e-10;
  if (s < kParallel) axis = {1, 0, 0};
  const double angle = std::atan2(s, z.z);
  const double half = std::sin(angle / 2);
  return {std::cos(angle / 2), axis.x * half, axis.y * half, axis.z * half};
}

namespace {

/// What is wrong with an orientation; nothing when `message` is null.
struct OrientationProblem {
  const char *attribute = nullptr, *message = nullptr;
};

Quat quat_of(const CompilerSpec& compiler, const Orientation& orientation, OrientationProblem& problem) {
  const auto& v = orientation.value;
  const auto bad = [&](const char* attribute, const char* message) {
    problem = {attribute, message};
    return Quat{};
  };
  switch (orientation.kind) {
    case OrientationKind::kQuat:
      return normalized(quat(orientation.quat));
    case OrientationKind::kAxisAngle: {
      Vec3 axis{v[0], v[1], v[2]};
      if (normalize(axis) < kCompileEps) return bad("axisangle", "has an axis of zero length");
      const double angle = compiler.degree ? v[3] / 180.0 * kPi : v[3];
      const double s = std::sin(angle / 2);
      return {std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
    }
    case OrientationKind::kXyAxes: {
      Vec3 x{v[0], v[1], v[2]}, y{v[3], v[4], v[5]};
      if (normalize(x) < kCompileEps) return bad("xyaxes", "has an x axis of zero length");
      y = y - x * dot(x, y);
      if (normalize(y) < kCompileEps) return bad("xyaxes", "has a y axis of zero length or along x");
      Vec3 z = cross(x, y);
      if (normalize(z) < kCompileEps) return bad("xyaxes", "has parallel axes");
      return quat_from_axes(x, y, z);
    }
    case OrientationKind::kZAxis: {
      Vec3 z{v[0], v[1], v[2]};
      if (normalize(z) < kCompileEps) return bad("zaxis", "has a z axis of zero length");
      return quat_from_z(z);
    }
    case OrientationKind::kEuler: {
      const double angles[3] = {v[0], v[1], v[2]};
      return quat_from_euler(angles, compiler.eulerseq, compiler.degree);
    }
  }
  return {};
}

}  // namespace

Quat resolve_orientation(Work& work, const SpecObject& object, int source, const Orientation& orientation) {
  OrientationProblem problem;
  const Quat quat = quat_of(work.compiler(object), orientation, problem);
  if (problem.message) {
    work.error_at(Code::kBadOrientation, source, problem.attribute,
                  describe(work.spec, object) + " " + problem.message);
  }
  return quat;
}

Quat quiet_orientation(const Work& work, const SpecObject& object, const Orientation& orientation) {
  OrientationProblem ignored;
  return quat_of(work.compiler(object), orientation, ignored);
}

void compile_frames(Work& work) {
  // a frame stands after its parent in the list
  work.frames.resize(work.spec.frames.size());
  for (size_t i = 0; i < work.spec.frames.size(); ++i) {
    const FrameSpec& frame = work.spec.frames[i];
    Pose pose{vec3(frame.pos), resolve_orientation(work, frame, frame.source, frame.orientation)};
    if (frame.parent >= 0) pose = compose(work.frames[frame.parent], pose);
    pose.quat = normalized(pose.quat);
    work.frames[i] = pose;
  }
}

void diagonalize(const double (&full)[3][3], std::array<double, 3>& moments, Quat& axes, double tolerance) {
  // Jacobi rotations accumulated in a quaternion, largest entry beside the diagonal first, down to rounding. Pivots,
  // formulas and both limits are the reference's: where moments nearly coincide, they decide about the axes.
  constexpr double kOffDiagonal = 4e-15, kEqualMoments = 1e-12;  // relative to the largest entry
  constexpr int kMaxRotations = 500;
  double scale = 0;
  for (const auto& row : full) {
    for (double entry : row) scale = std::max(scale, std::abs(entry));
  }
  axes = {};
  for (int iteration = 0; iteration < kMaxRotations; ++iteration) {
    Matrix r, d;
    rotation_matrix(axes, r);
    conjugate_by(r, full, d);
    moments = {d[0][0], d[1][1], d[2][2]};
    int row = 1, column = 2, axis = 0;
    if (std::abs(d[0][1]) > std::abs(d[0][2]) && std::abs(d[0][1]) > std::abs(d[1][2])) {
      row = 0, column = 1, axis = 2;
    } else if (std::abs(d[0][2]) > std::abs(d[1][2])) {
      row = 0, column = 2, axis = 1;
    }
    if (std::abs(d[row][column]) <= scale * std::max(tolerance, kOffDiagonal)) break;
    const double tau = (d[column][column] - d[row][row]) / (2 * d[row][column]);
    const double t = tau >= 0 ? 1.0 / (tau + std::sqrt(1 + tau * tau)) : -1.0 / (-tau + std::sqrt(1 + tau * tau));
    const double half = t / (1 + std::sqrt(1 + t * t));  // tangent of half the angle
    Quat turn{1.0 / std::sqrt(1 + half * half), 0, 0, 0};
    turn[axis + 1] = (axis == 1 ? half : -half) * turn.w;
    axes = normalized(normalized(axes * turn));
  }
  // descending order by quarter turns; equal moments stay where they are
  for (int pass = 0; pass < 3; ++pass) {
    const int i = pass % 2;
    if (moments[i] + scale * std::max(tolerance, kEqualMoments) >= moments[i + 1]) continue;
    std::swap(moments[i], moments[i + 1]);
    Quat turn{0.707106781186548, 0, 0, 0};
    turn[(i + 2) % 3 + 1] = turn.w;
    axes = normalized(normalized(axes * turn));
  }
}

bool usable_moments(const CompilerSpec& compiler, const std::array<double, 3>& moments) {
  if (compiler.boundinertia <= 0) return moments[2] >= kCompileEps;
  return moments[2] >= -kCompileEps * std::max(1.0, moments[0]);
}

}  // namespace pliant

// Principal axes of inertias. 3.12 stopped turning when the next turn was below a microradian, or an off-diagonal below
// 1e-12 kg m²; since 3.14 the search goes on to rounding. What was left beside the diagonal was dropped, so that the
// inertia itself was another one.
//
// Tensors come from the Model (moments and frame of today are exact) or, where the file gives one, from the Spec. Two
// searches can come one after the other: of a mesh, at unit density, and of the body that its geoms make up.

#include <algorithm>
#include <array>
#include <map>

#include "changes/changes.h"
#include "compile/constants.h"
#include "math/field_values.h"

namespace pliant::changes {
namespace {

struct Tensor {
  double m[3][3] = {};
};

struct Principal {
  std::array<double, 3> moments{};
  Quat axes;
};

Tensor tensor_of(const Principal& p) {
  const Vec3 axis[3] = {rotate(p.axes, Vec3{1, 0, 0}), rotate(p.axes, Vec3{0, 1, 0}), rotate(p.axes, Vec3{0, 0, 1})};
  Tensor t;
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 3; ++k) {
      for (int a = 0; a < 3; ++a) t.m[r][k] += axis[a][r] * axis[a][k] * p.moments[a];
    }
  }
  return t;
}

Quat unit(Quat q) {
  const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return n > 0 ? Quat{q.w / n, q.x / n, q.y / n, q.z / n} : Quat{};
}

/// The search of 3.12.
Principal rough_axes(const Tensor& full) {
  constexpr double kEps = 1e-12;
  constexpr int kMaxTurns = 500;
  Principal p;
  for (int turn = 0; turn < kMaxTurns; ++turn) {
    const Vec3 axis[3] = {rotate(p.axes, Vec3{1, 0, 0}), rotate(p.axes, Vec3{0, 1, 0}), rotate(p.axes, Vec3{0, 0, 1})};
    double d[3][3];
    for (int r = 0; r < 3; ++r) {
      const Vec3 row{full.m[0][0] * axis[r].x + full.m[1][0] * axis[r].y + full.m[2][0] * axis[r].z,
                     full.m[0][1] * axis[r].x + full.m[1][1] * axis[r].y + full.m[2][1] * axis[r].z,
                     full.m[0][2] * axis[r].x + full.m[1][2] * axis[r].y + full.m[2][2] * axis[r].z};
      for (int k = 0; k < 3; ++k) d[r][k] = dot(row, axis[k]);
    }
    p.moments = {d[0][0], d[1][1], d[2][2]};
    int row = 1, column = 2, about = 0;
    if (std::abs(d[0][1]) > std::abs(d[0][2]) && std::abs(d[0][1]) > std::abs(d[1][2])) {
      row = 0, column = 1, about = 2;
    } else if (std::abs(d[0][2]) > std::abs(d[1][2])) {
      row = 0, column = 2, about = 1;
    }
    if (std::abs(d[row][column]) < kEps) break;
    const double tau = (d[column][column] - d[row][row]) / (2 * d[row][column]);
    const double t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
    const double cosine = 1 / std::sqrt(1 + t * t);
    if (cosine > 1 - kEps) break;
    double sine = std::sqrt(0.5 - 0.5 * cosine);
    if ((tau >= 0) != (about == 1)) sine = -sine;
    Quat q{std::sqrt(1 - sine * sine), 0, 0, 0};
    q[about + 1] = sine;
    p.axes = unit(p.axes * q);
  }
  for (int pass = 0; pass < 3; ++pass) {
    const int i = pass % 2;
    if (p.moments[i] + kEps >= p.moments[i + 1]) continue;
    std::swap(p.moments[i], p.moments[i + 1]);
    Quat q{std::sqrt(0.5), 0, 0, 0};
    q[(i + 2) % 3 + 1] = q.w;
    p.axes = unit(p.axes * q);
  }
  return p;
}

/// Volume (area of a shell) and moments of a mesh at unit density, in its own frame, from what the Model has of it.
struct MeshMass {
  double volume = 0;
  std::array<double, 3> moments{};
};
MeshMass mesh_mass(const Model& m, int mesh, MeshInertia mode) {
  const float* vertex = m.mesh_vert + 3 * m.mesh_vertadr[mesh];
  const int* face = m.mesh_face + 3 * m.mesh_faceadr[mesh];
  int faces = m.mesh_facenum[mesh];
  if (mode == MeshInertia::kConvex && m.mesh_graphadr[mesh] >= 0) {
    const int* graph = m.mesh_graph + m.mesh_graphadr[mesh];
    faces = graph[1];
    face = graph + 2 + 2 * graph[0] + graph[0] + 3 * graph[1];
  }
  MeshMass mass;
  double second[3] = {};
  for (int f = 0; f < faces; ++f) {
    Vec3 p[3];
    for (int k = 0; k < 3; ++k) {
      const float* v = vertex + 3 * face[3 * f + k];
      p[k] = {v[0], v[1], v[2]};
    }
    const bool shell = mode == MeshInertia::kShell;
    const Vec3 normal = cross(p[1] - p[0], p[2] - p[0]);
    double part = shell ? norm(normal) / 2 : dot(p[0], normal) / 6;
    if (mode == MeshInertia::kLegacy) part = std::abs(part);
    mass.volume += part;
    for (int k = 0; k < 3; ++k) {
      const double a = p[0][k], b = p[1][k], c = p[2][k];
      second[k] += part / (shell ? 6 : 10) * (a * a + b * b + c * c + a * b + b * c + c * a);
    }
  }
  mass.moments = {second[1] + second[2], second[0] + second[2], second[0] + second[1]};
  return mass;
}

Quat inverse(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }
double turn_between(Quat a, Quat b) {
  const Quat d = inverse(a) * b;
  return 2 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::abs(d.w));
}

/// What 3.12 made of a mesh: moments and turn of its frame, against today's.
struct MeshFrame {
  MeshMass mass;
  Principal before;  ///< axes: seen from today's frame
};

struct Frames {
  const Case& c;
  std::map<int, MeshFrame> meshes;

  const MeshFrame& mesh(int id) {
    const auto found = meshes.find(id);
    if (found != meshes.end()) return found->second;
    const int in_spec = spec_index(c, c.spec.meshes, ObjType::kMesh, id);
    const MeshInertia mode = in_spec < 0 ? MeshInertia::kLegacy : c.spec.meshes[in_spec].inertia;
    MeshFrame frame;
    frame.mass = mesh_mass(c.m, id, mode);
    const Quat today = quat(c.m.mesh_quat, id);
    frame.before = rough_axes(tensor_of({frame.mass.moments, today}));
    frame.before.axes = unit(inverse(today) * frame.before.axes);
    return meshes[id] = frame;
  }
};

// Geoms that gave a body its inertia, as the Model has them; false if the body has its own <inertial>.
bool from_geoms(const Case& c, int body, std::vector<int>& geoms) {
  const int b = spec_index(c, c.spec.bodies, ObjType::kBody, body);
  if (b < 0) return false;
  const BodySpec& spec = c.spec.bodies[b];
  const CompilerSpec& compiler = c.spec.compilers[spec.compiler];
  if (compiler.inertiafromgeom == InertiaFromGeom::kFalse) return false;
  if (compiler.inertiafromgeom == InertiaFromGeom::kAuto && spec.has_inertial) return false;
  for (int k = 0; k < c.m.body_geomnum[body]; ++k) {
    const int g = c.m.body_geomadr[body] + k, group = c.m.geom_group[g];
    const int in_spec = spec_index(c, c.spec.geoms, ObjType::kGeom, g);
    if (in_spec < 0 || group < compiler.inertiagrouprange[0] || group > compiler.inertiagrouprange[1]) continue;
    const GeomSpec& geom = c.spec.geoms[in_spec];
    const bool massless = geom.type == GeomType::kPlane || geom.type == GeomType::kHfield ||
                          (std::isnan(geom.mass) ? geom.density <= 0 : geom.mass <= 0);
    if (!massless) geoms.push_back(g);
  }
  return true;
}

/// Moments and frame that 3.12 gave a body; false if they are as today.
bool body_before(Frames& frames, int body, Principal& before) {
  const Case& c = frames.c;
  const Model& m = c.m;
  const Vec3 moments = vec3(m.body_inertia, body);
  const Principal today{{moments.x, moments.y, moments.z}, quat(m.body_iquat, body)};
  std::vector<int> geoms;
  if (!from_geoms(c, body, geoms)) {
    const int b = spec_index(c, c.spec.bodies, ObjType::kBody, body);
    if (b < 0) return false;
    const auto& full = c.spec.bodies[b].fullinertia;  // xx yy zz xy xz yz
    if (std::isnan(full[0])) return false;
    const double trace = full[0] + full[1] + full[2], now = moments.x + moments.y + moments.z;
    if (!(std::abs(trace - now) <= 1e-6 * now)) return false;  // scaled or replaced by the compiler
    before = rough_axes({{{full[0], full[3], full[4]}, {full[3], full[1], full[5]}, {full[4], full[5], full[2]}}});
    return true;
  }
  // a change of a mesh's tensor is one of the body's
  Tensor total = tensor_of(today);
  bool changed = false;
  for (int g : geoms) {
    if (static_cast<GeomType>(m.geom_type[g]) != GeomType::kMesh || m.geom_dataid[g] < 0) continue;
    const MeshFrame& mesh = frames.mesh(m.geom_dataid[g]);
    const int in_spec = spec_index(c, c.spec.geoms, ObjType::kGeom, g);
    const GeomSpec& spec = c.spec.geoms[in_spec];
    if (!(mesh.mass.volume > 0)) continue;
    const double density = std::isnan(spec.mass) ? spec.density : spec.mass / mesh.mass.volume;
    const Quat frame = quat(m.geom_quat, g);
    Principal now{mesh.mass.moments, frame}, then{mesh.before.moments, unit(frame * mesh.before.axes)};
    if (geoms.size() == 1) {
      // its own frame, no second search; moments in proportion to the exact ones
      for (int k = 0; k < 3; ++k) then.moments[k] *= density;
      before = then;
      return true;
    }
    const Tensor a = tensor_of(now), b = tensor_of(then);
    for (int r = 0; r < 3; ++r) {
      for (int k = 0; k < 3; ++k) total.m[r][k] += density * (b.m[r][k] - a.m[r][k]);
    }
    changed = true;
  }
  if (geoms.size() < 2 && !changed) return false;
  before = rough_axes(total);
  return true;
}

/// Frames that are nearly those of the body are taken for them, in both versions.
SameFrame frame_of_body(Quat axes, Vec3 place) {
  constexpr double kNear = 1e-6;
  const auto near = [&](Quat q) {
    return std::abs(std::abs(q.w) - 1) < kNear && std::abs(q.x) < kNear && std::abs(q.y) < kNear &&
           std::abs(q.z) < kNear;
  };
  if (!near(axes)) return SameFrame::kNone;
  const bool at_origin = std::abs(place.x) < kNear && std::abs(place.y) < kNear && std::abs(place.z) < kNear;
  return at_origin ? SameFrame::kBody : SameFrame::kBodyRot;
}

double tensor_difference(const Principal& a, const Principal& b) {
  const Tensor x = tensor_of(a), y = tensor_of(b);
  double most = 0;
  for (int r = 0; r < 3; ++r) {
    for (int k = 0; k < 3; ++k) most = std::max(most, std::abs(x.m[r][k] - y.m[r][k]));
  }
  return most / std::max({a.moments[0], a.moments[1], a.moments[2], 1e-300});
}

}  // namespace

void find_inertia_frames(Case& c) {
  const Model& m = c.m;
  constexpr double kRounding = 1e-13;  // of a tensor
  Frames frames{c, {}};
  struct Turned {
    int body;
    Principal before, after;
    double tensor, turn, moments;
  };
  std::vector<Turned> turned;
  for (int b = 1; b < m.nbody; ++b) {
    Turned t{b, {}, {}, 0, 0, 0};
    const Vec3 now = vec3(m.body_inertia, b);
    t.after = {{now.x, now.y, now.z}, quat(m.body_iquat, b)};
    if (!(now.x > 0) || !body_before(frames, b, t.before)) continue;
    t.tensor = tensor_difference(t.after, t.before);
    t.turn = turn_between(t.before.axes, t.after.axes);
    for (int k = 0; k < 3; ++k) t.moments = std::max(t.moments, std::abs(t.before.moments[k] / now[k] - 1));
    if (t.tensor > kRounding) turned.push_back(t);
  }
  if (turned.empty()) return;
  const auto put = [&](Model& to, const Turned& t) {
    for (int k = 0; k < 3; ++k) to.body_inertia[3 * t.body + k] = t.before.moments[k];
    for (int k = 0; k < 4; ++k) to.body_iquat[4 * t.body + k] = t.before.axes[k];
    to.body_sameframe[t.body] = static_cast<uint8_t>(frame_of_body(t.before.axes, vec3(m.body_ipos, t.body)));
    // geoms and sites keep their places
    const auto hold = [](auto* frames, int first, int count) {
      for (int i = first; i < first + count; ++i) {
        const auto frame = static_cast<SameFrame>(frames[i]);
        if (frame == SameFrame::kInertia || frame == SameFrame::kInertiaRot) frames[i] = 0;
      }
    };
    hold(to.geom_sameframe, m.body_geomadr[t.body], m.body_geomnum[t.body]);
    for (int i = 0; i < m.nsite; ++i) {
      if (m.site_bodyid[i] == t.body) hold(to.site_sameframe, i, 1);
    }
  };
  Model before = m;
  for (const Turned& t : turned) put(before, t);
  renew_constants(before);
  const Largest all = effect_on_acceleration(c, before);
  for (const Turned& t : turned) {
    Change& change =
        add(c, "C101", ObjType::kBody, t.body,
            "3.12 stopped before its inertia was diagonal: the principal frame turns by " + number(t.turn) +
                " rad, moments differ by " + number(t.moments) + ", the inertia itself by " + number(t.tensor) +
                " (relative). All such bodies together: " + all.text());
    change.seen = all.seen();
    change.size = all.size;
    for (int k = 0; k < 3; ++k) {
      change.numbers.push_back(
          {"body_inertia[" + std::to_string(k) + "]", t.before.moments[k], t.after.moments[k], "kg m^2"});
    }
    for (int k = 0; k < 4; ++k) {
      change.numbers.push_back({"body_iquat[" + std::to_string(k) + "]", t.before.axes[k], t.after.axes[k], ""});
    }
  }
}

}  // namespace pliant::changes

// Constraint rows: Jacobians and their rates by finite differences for every kind, golden numbers, counting.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "constraint/constraint.h"
#include "constraint/reference_hd.h"
#include "constraint/rows_hd.h"
#include "pliant/pliant.h"
#include "pliant/step.h"
#include "tests/base/fiber_team.h"
#include "tests/step/scenes.h"

namespace pliant {
namespace {

Model load_case(const char* name) { return load_model(source_folder() / "tests/parity/cases" / name); }

Model model_of(const std::string& text) { return load_model_string(text); }

void run(const Model& m, const State& s, Data& d, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    for (const StageInfo& stage : pipeline()) {
      if (std::string(name) == stage.name) stage.run(m, s, d);
    }
  }
}

// Everything up to the references, with contacts given by hand.
void make_rows(const Model& m, const State& s, Data& d, const std::vector<Contact>& contacts = {}) {
  run(m, s, d, {"poses", "com", "tendons", "inertia"});
  d.arena.reset();
  d.ncon = static_cast<int>(contacts.size());
  d.contact = d.arena.take<Contact>(contacts.size());
  std::copy(contacts.begin(), contacts.end(), d.contact);
  run(m, s, d, {"constraint", "velocity", "passive", "bias", "reference"});
}

std::vector<double> dense_row(const Model& m, const Rows& rows, int i) {
  std::vector<double> dense(m.nv);
  const double* J = rows.row_J + rows.row_Jadr[i];
  for (int s = rows.row_segadr[i]; s < rows.row_segadr[i] + rows.row_segnum[i]; ++s) {
    for (int k = 0; k < rows.segment_len[s]; ++k) dense[rows.segment_dof[s] + k] = *J++;
  }
  return dense;
}

Contact contact_at(Vec3 pos, Vec3 normal, int geom0, int geom1, int dim) {
  Contact c{};
  c.dist = -0.001;
  const Vec3 x = normalized(normal), start = std::abs(x.y) < 0.5 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const Vec3 y = normalized(start - x * dot(x, start)), z = cross(x, y);
  for (int k = 0; k < 3; ++k) c.pos[k] = pos[k], c.frame[k] = x[k], c.frame[3 + k] = y[k], c.frame[6 + k] = z[k];
  const double friction[5] = {0.8, 0.6, 0.02, 0.004, 0.003};
  std::copy_n(friction, 5, c.friction);
  std::copy_n(kDefaultSolref.data(), 2, c.solref);
  std::copy_n(kDefaultSolimp.data(), 5, c.solimp);
  c.dim = dim;
  c.geom[0] = geom0, c.geom[1] = geom1;
  c.row = c.pair = -1;
  return c;
}

// ---- finite differences ------------------------------------------------------------------------

struct Kinds : testing::Test {
  Kinds() : m(load_case("rows_kinds.xml")), s(m), d(m) {
    // everything beyond its limits exists in all states near this one
    for (int j = 0; j < m.njnt; ++j) m.jnt_margin[j] = 10;
    for (int t = 0; t < m.ntendon; ++t) m.tendon_margin[t] = 10;
    randomise(m, s, 3);
    make_rows(m, s, d);
  }
  /// f of the Data at positions moved by ±h along `velocity`, as a slope.
  template <class F>
  double slope(const double* velocity, F&& f) {
    constexpr double kStep = 1e-6;
    double value[2];
    for (int side = 0; side < 2; ++side) {
      State there = s;
      integrate_pos(m, there.qpos, velocity, side ? kStep : -kStep);
      Data data(m);
      make_rows(m, there, data);
      EXPECT_EQ(data.rows.n, d.rows.n);
      value[side] = f(data);
    }
    return (value[1] - value[0]) / (2 * kStep);
  }
  Model m;
  State s;
  Data d;
};

TEST_F(Kinds, JacobiansAreDerivativesOfResiduals) {
  int seen[8] = {};
  for (int dof = 0; dof < m.nv; ++dof) {
    std::vector<double> along(m.nv);
    along[dof] = 1;
    for (int i = 0; i < d.rows.n; ++i) {
      const auto type = static_cast<RowType>(d.rows.row_type[i]);
      ++seen[d.rows.row_type[i]];
      const double entry = dense_row(m, d.rows, i)[dof];
      const std::string what = "row " + std::to_string(i) + " type " + std::to_string(d.rows.row_type[i]);
      if (type == RowType::kFrictionDof) {
        EXPECT_EQ(entry, d.rows.row_id[i] == dof) << what;
        continue;
      }
      const double expected = slope(along.data(), [&](const Data& data) {
        return type == RowType::kFrictionTendon ? data.ten_length[data.rows.row_id[i]] : data.rows.row_pos[i];
      });
      EXPECT_NEAR(entry, expected, 1e-7 * (1 + std::abs(expected))) << what << " dof " << dof;
    }
  }
  for (RowType type : {RowType::kEquality, RowType::kFrictionDof, RowType::kFrictionTendon, RowType::kLimitJoint,
                       RowType::kLimitTendon}) {
    EXPECT_GT(seen[static_cast<int>(type)], 0) << "type " << static_cast<int>(type) << " has no row";
  }
}

TEST_F(Kinds, ReferencesContainTheRateOfTheJacobian) {
  int checked = 0;
  for (int i = 0; i < d.rows.ne; ++i) {
    const double* kbip = d.rows.row_KBIP + 4 * i;
    const double spring = -kbip[1] * d.rows.row_vel[i] - kbip[0] * kbip[2] * (d.rows.row_pos[i] - d.rows.row_margin[i]);
    const auto type = static_cast<EqualityType>(m.eq_type[d.rows.row_id[i]]);
    const bool held = type == EqualityType::kConnect || type == EqualityType::kWeld;
    // J̇ v: the row's velocity changes although qvel does not
    const double rate = held ? slope(s.qvel, [&](const Data& data) { return data.rows.row_vel[i]; }) : 0;
    EXPECT_NEAR(d.rows.row_aref[i], spring - rate, 1e-6 * (1 + std::abs(spring))) << "row " << i;
    checked += held && std::abs(rate) > 1e-3;
  }
  EXPECT_GT(checked, 10) << "the rates are too small to tell";
}

TEST(ContactRows, FollowPointsOfBothBodies) {
  Model m = load_case("rows_kinds.xml");
  m.opt.disableflags |= kDisableEquality | kDisableFrictionLoss | kDisableLimit;
  const auto geom_of = [&](const char* body) { return m.body_geomadr[m.id(ObjType::kBody, body)]; };
  State s(m);
  randomise(m, s, 5);
  const std::pair<const char*, const char*> pairs[] = {{"fore", "side"}, {"twig", "loose"}, {"slider", "twig"},
                                                       {"arm", "twig"},  {"hand", "fore"},  {"side", "slider"}};
  for (ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
    m.opt.cone = cone;
    for (int dim : {1, 3, 4, 6}) {
      std::vector<Contact> contacts;
      for (const auto& [a, b] : pairs) {
        contacts.push_back(contact_at({0.2, 0.1, 0.9}, {0.3, -0.5, 0.8}, geom_of(a), geom_of(b), dim));
      }
      Data d(m);
      make_rows(m, s, d, contacts);
      for (int dof = 0; dof < m.nv; ++dof) {
        // points fixed in the bodies, and turns of the bodies
        std::vector<double> along(m.nv);
        along[dof] = 1;
        constexpr double kStep = 1e-6;
        Data moved[2] = {Data(m), Data(m)};
        for (int side = 0; side < 2; ++side) {
          State there = s;
          integrate_pos(m, there.qpos, along.data(), side ? kStep : -kStep);
          run(m, there, moved[side], {"poses"});
        }
        for (const Contact& c : std::span(d.contact, contacts.size())) {
          Vec3 shift[2], turn[2];
          for (int k = 0; k < 2; ++k) {
            const int body = m.geom_bodyid[c.geom[k]];
            const Mat3 axes = mat3(d.xmat, body);
            const Vec3 arm = vec3(c.pos, 0) - vec3(d.xpos, body);
            const Vec3 local{dot({axes.m[0], axes.m[3], axes.m[6]}, arm), dot({axes.m[1], axes.m[4], axes.m[7]}, arm),
                             dot({axes.m[2], axes.m[5], axes.m[8]}, arm)};
            const auto point = [&](const Data& x) { return vec3(x.xpos, body) + mat3(x.xmat, body) * local; };
            shift[k] = (point(moved[1]) - point(moved[0])) * (0.5 / kStep);
            turn[k] =
                rotation_vector(quat(moved[1].xquat, body) * conjugate(quat(moved[0].xquat, body))) * (0.5 / kStep);
          }
          const Vec3 lin = shift[1] - shift[0], ang = turn[1] - turn[0];
          double S[6];
          for (int k = 0; k < 6; ++k) S[k] = dot(vec3(c.frame, k % 3), k < 3 ? lin : ang);
          for (int k = 0; k < contact_row_count(c, cone == ConeType::kElliptic); ++k) {
            const int direction = k / 2 + 1;
            const double expected = dim == 1 ? S[0]
                                    : cone == ConeType::kElliptic
                                        ? S[k]
                                        : S[0] + (k % 2 ? -1 : 1) * c.friction[direction - 1] * S[direction];
            EXPECT_NEAR(dense_row(m, d.rows, c.row + k)[dof], expected, 1e-7)
                << "dim " << dim << " row " << k << " dof " << dof;
          }
        }
      }
    }
  }
}

// ---- numbers -----------------------------------------------------------------------------------

TEST(Rows, CountEqualsWrite) {
  Model m = load_case("rows_kinds.xml");
  m.opt.jacobian = JacobianType::kSparse;
  for (int seed = 0; seed < 20; ++seed) {
    State s(m);
    randomise(m, s, seed);
    Data d(m);
    make_rows(m, s, d);
    RowCounter<double> count;
    all_rows(SerialTeam{}, m, s, d, count);
    EXPECT_EQ(count.rows, d.rows.n);
    EXPECT_EQ(count.entries, d.rows.nentry);
    EXPECT_EQ(count.segments, d.rows.nsegment);
  }
}

// A free sphere of mass 1 and radius 0.1 whose centre is at z = 0.0995 over a plane.
struct Golden : testing::Test {
  Golden()
      : m(model_of("<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .0995'><freejoint/>"
                   "<geom size='.1' mass='1'/></body></worldbody></mujoco>")),
        s(m),
        d(m) {}
  void contact(ConeType cone, int dim, double mu) {
    m.opt.cone = cone;
    Contact c = contact_at({0, 0, -0.00025}, {0, 0, 1}, 0, 1, dim);
    c.dist = -5e-4;
    c.friction[0] = c.friction[1] = mu;
    c.friction[2] = 0.005, c.friction[3] = c.friction[4] = 0.0001;
    make_rows(m, s, d, {c});
  }
  Model m;
  State s;
  Data d;
};

TEST_F(Golden, SphereOnPlane) {
  const struct {
    ConeType cone;
    int dim;
    double mu, R, force, qacc;
  } rows[] = {{ConeType::kPyramidal, 1, 1, 0.08108108108, 10.25932618, 0.4493261773},
              {ConeType::kElliptic, 1, 1, 0.08108108108, 10.25932618, 0.4493261773},
              {ConeType::kElliptic, 3, 0.5, 0.08108108108, 10.25932618, 0.4493261773},
              {ConeType::kPyramidal, 3, 1, 0.3243243243, 2.564831544, 0.4493261773},
              {ConeType::kPyramidal, 3, 0.5, 0.05067567568, 2.738102066, 1.142408263},
              {ConeType::kPyramidal, 3, 2, 3.243243243, 1.531242713, -3.685029148},
              {ConeType::kPyramidal, 4, 0.5, 0.05067567568, 1.833045436, 1.188272619}};
  m.opt.tolerance = 0;
  for (const auto& row : rows) {
    contact(row.cone, row.dim, row.mu);
    run(m, s, d, {"transmission", "actuation", "acceleration", "solver"});
    EXPECT_NEAR(d.rows.row_force[0], row.force, 1e-8) << "mu " << row.mu << " dim " << row.dim;
    EXPECT_NEAR(d.qacc[2], row.qacc, 1e-9) << "mu " << row.mu << " dim " << row.dim;
    for (int i = 0; i < d.rows.n; ++i) {
      EXPECT_NEAR(d.rows.row_R[i], row.R, 1e-9 * row.R);
      EXPECT_NEAR(d.rows.row_D[i] * d.rows.row_R[i], 1, 1e-15);
      EXPECT_NEAR(d.rows.row_KBIP[4 * i + 2], 0.925, 1e-12);
      EXPECT_NEAR(d.rows.row_KBIP[4 * i + 1], 105.2631579, 1e-6);
    }
    EXPECT_NEAR(d.rows.row_KBIP[0], 2770.083102, 1e-6);
    EXPECT_NEAR(d.rows.row_aref[0], 1.281163435, 1e-9);
  }
}

TEST(GoldenNumbers, EllipticContactOfSixDimensions) {
  Model m = model_of(
      "<mujoco><option timestep='.005' impratio='10' cone='elliptic'/><worldbody><geom type='plane' size='1 1 1'/>"
      "<body pos='0 0 .0997'><freejoint/><geom size='.1' mass='2'/></body></worldbody></mujoco>");
  State s(m);
  Data d(m);
  Contact c = contact_at({0, 0, 0}, {0, 0, 1}, 0, 1, 6);
  c.dist = -3e-4;
  const double friction[5] = {0.8, 0.8, 0.02, 0.002, 0.002};
  std::copy_n(friction, 5, c.friction);
  c.solref[0] = 0.012, c.solref[1] = 0.85;
  make_rows(m, s, d, {c});
  ASSERT_EQ(d.rows.n, 6);
  EXPECT_NEAR(d.contact[0].mu, 0.2529822128, 1e-10);
  EXPECT_NEAR(d.rows.row_KBIP[0], 10650.0696, 1e-3);
  const double R[6] = {0.0500550055, 0.00500550055, 0.00500550055, 8.00880088, 800.880088, 800.880088};
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(d.rows.row_KBIP[4 * i + 2], 0.909, 1e-12);
    EXPECT_NEAR(d.rows.row_KBIP[4 * i + 1], 175.4385965, 1e-6);
    if (i > 0) {
      EXPECT_EQ(d.rows.row_KBIP[4 * i], 0) << "friction has no stiffness";
    }
    EXPECT_NEAR(d.rows.row_R[i], R[i], 1e-8 * R[i]);
  }
}

TEST(GoldenNumbers, FrictionLossWithMixedReference) {
  Model m = model_of(
      "<mujoco><worldbody><body><joint type='slide' frictionloss='.3' solimpfriction='.4 .8 0' solreffriction='-10 3'/>"
      "<geom size='.1' mass='2'/></body></worldbody></mujoco>");
  State s(m);
  Data d(m);
  make_rows(m, s, d);
  ASSERT_EQ(d.rows.n, 1);
  EXPECT_NEAR(d.rows.row_KBIP[1], 125, 1e-10);
  EXPECT_NEAR(d.rows.row_KBIP[2], 0.6, 1e-15);
  EXPECT_NEAR(d.rows.row_R[0], 1.0 / 3, 1e-15);
  EXPECT_EQ(d.rows.row_clamps[0], static_cast<int>(RowClamp::kSolrefMixed));
  EXPECT_EQ(d.clamps[0], 1) << "counted";
}

TEST(Rows, ContactOfImmobileBodies) {
  Model m = model_of(
      "<mujoco><worldbody><geom size='.1'/><geom size='.1' pos='.15 0 0'/>"
      "<body pos='1 0 0'><joint/><geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>");
  State s(m);
  Data d(m);
  // no rows, whichever way the Jacobian is stored, with and without islands; the contact stays
  for (int i = 0; i < 4; ++i) {
    m.opt.jacobian = i & 1 ? JacobianType::kDense : JacobianType::kSparse;
    m.opt.disableflags = i & 2 ? kDisableIsland : 0;
    make_rows(m, s, d, {contact_at({0.1, 0, 0}, {1, 0, 0}, 0, 1, 3)});
    EXPECT_EQ(d.rows.n, 0);
    EXPECT_EQ(d.ncon, 1);
    EXPECT_EQ(d.contact[0].row, -1);
    EXPECT_EQ(d.contact[0].exclude, ContactExclude::kNoDofs);
  }
}

// Rows in arrays of their own, each with something behind it that shows a write beyond its end.
struct GuardedRows {
  explicit GuardedRows(const CountedRows& count) {
    [[maybe_unused]] const int nrow = count.rows, nsegment = count.segments, nentry = static_cast<int>(count.entries);
    rows.row_room = nrow, rows.segment_room = nsegment, rows.entry_room = nentry;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) \
  rows.name = take<scalar::type>(static_cast<size_t>(count) * (width));
#include "pliant/row_fields.def"
#undef FIELD
  }
  bool whole() const {
    for (const auto& [bytes, used] : arrays) {
      if (!std::all_of(bytes.begin() + static_cast<long>(used), bytes.end(), [](char b) { return b == 0x5a; }))
        return false;
    }
    return true;
  }
  template <class T>
  T* take(size_t n) {
    arrays.emplace_back(std::vector<char>(n * sizeof(T) + 4096, 0x5a), n * sizeof(T));
    return reinterpret_cast<T*>(arrays.back().first.data());
  }
  Rows rows;
  std::deque<std::pair<std::vector<char>, size_t>> arrays;
};

// Every member of a team writes rows at their places: all arrays have the bits that one member alone writes.
template <int members>
void expect_same_rows(const Model& m, const State& s, const Data& d, const std::string& what) {
  const CountedRows room{d.rows.row_room, d.rows.segment_room, d.rows.entry_room};
  GuardedRows alone(room), together(room);
  const RowSettings<double> settings{.shortest_time = 0.004, .drop_zero_rows = m.opt.jacobian == JacobianType::kDense};
  RowWriter<Rows, double> writer(alone.rows, settings);
  all_rows(SerialTeam{}, m, s, d, writer);
  ASSERT_FALSE(writer.overflowed()) << what;
  std::vector<Rows> views(members, together.rows);
  FiberTeam<members>::run([&](const FiberTeam<members>& team) {
    Rows& mine = views[static_cast<size_t>(team.lane())];
    RowWriter<Rows, double> its(mine, settings);
    all_rows(team, m, s, d, its);
    EXPECT_FALSE(its.overflowed()) << what;
  });
  const int nrow = alone.rows.n, nsegment = alone.rows.nsegment, nentry = alone.rows.nentry;
  for (const Rows& view : views) {
    EXPECT_EQ(view.n, nrow) << what;
    EXPECT_EQ(view.nsegment, nsegment) << what;
    EXPECT_EQ(view.nentry, nentry) << what;
    EXPECT_EQ(view.ne, alone.rows.ne) << what;
    EXPECT_EQ(view.nf, alone.rows.nf) << what;
    EXPECT_EQ(view.nl, alone.rows.nl) << what;
  }
  EXPECT_TRUE(together.whole()) << what;
  const std::string later = "reference solver";
#define FIELD(owner, type, name, count, width, layout, unit, meaning)                                                  \
  if (later.find(#owner) == std::string::npos && std::string(#name) != "row_island") {                                 \
    EXPECT_EQ(                                                                                                         \
        std::memcmp(alone.rows.name, together.rows.name, sizeof(scalar::type) * static_cast<size_t>(count) * (width)), \
        0)                                                                                                             \
        << #name << ' ' << what;                                                                                       \
  }
#include "pliant/row_fields.def"
#include "tests/source_folder.h"
#undef FIELD
}

TEST(Rows, TeamsWriteTheBitsOfOne) {
  for (const char* name : {"rows_kinds.xml", "rows_contacts.xml"}) {
    Model m = load_case(name);
    for (const ConeType cone : {ConeType::kPyramidal, ConeType::kElliptic}) {
      for (const JacobianType jacobian : {JacobianType::kDense, JacobianType::kSparse}) {
        m.opt.cone = cone;
        m.opt.jacobian = jacobian;
        for (int seed = 0; seed < 5; ++seed) {
          State s(m);
          randomise(m, s, seed);
          Data d(m);
          forward(m, s, d);
          if (d.rows.n == 0) continue;
          const std::string what = std::string(name) + " seed " + std::to_string(seed);
          expect_same_rows<2>(m, s, d, what);
          expect_same_rows<8>(m, s, d, what);
          expect_same_rows<32>(m, s, d, what);
        }
      }
    }
  }
}

// More rows than counted: a fault with a name in every build, and nothing is written beyond the room.
TEST(Rows, AMiscountIsAFaultAndWritesNothingBeyondItsRoom) {
  Model m = load_case("rows_kinds.xml");
  m.opt.jacobian = JacobianType::kSparse;
  State s(m);
  randomise(m, s, 3);
  Data d(m);
  make_rows(m, s, d);
  ASSERT_GT(d.rows.n, 8);
  const CountedRows all{d.rows.n, d.rows.nsegment, d.rows.nentry};
  for (int kind = 0; kind < 3; ++kind) {
    for (int cut = 2; cut < 8; ++cut) {
      CountedRows less = all;
      if (kind == 0) less.rows -= less.rows / cut;
      if (kind == 1) less.segments -= less.segments / cut;
      if (kind == 2) less.entries -= less.entries / cut;
      GuardedRows guarded(less);
      RowWriter<Rows, double> writer(guarded.rows, {});
      all_rows(SerialTeam{}, m, s, d, writer);
      EXPECT_TRUE(writer.overflowed()) << kind << ' ' << cut;
      EXPECT_TRUE(guarded.whole()) << kind << ' ' << cut;

      const int64_t before = d.faults[static_cast<int>(Fault::kRowMiscount)].count;
      write_rows(m, s, d, less);
      EXPECT_EQ(d.faults[static_cast<int>(Fault::kRowMiscount)].count, before + 1) << kind << ' ' << cut;
      EXPECT_EQ(d.rows.n, 0);
      EXPECT_EQ(d.islands.n, 0);
    }
  }
  GuardedRows enough(all);
  RowWriter<Rows, double> writer(enough.rows, {});
  all_rows(SerialTeam{}, m, s, d, writer);
  EXPECT_FALSE(writer.overflowed());
  EXPECT_TRUE(enough.whole());
  EXPECT_EQ(enough.rows.n, all.rows);
}

TEST(Rows, FixedMemoryIsAFaultNotACrash) {
  Model m = load_case("rows_kinds.xml");
  State s(m);
  Data d(m);
  d.arena.reserve(1 << 12);
  d.arena.fixed = true;
  forward(m, s, d);
  EXPECT_EQ(d.rows.n, 0);
  EXPECT_EQ(d.faults[static_cast<int>(Fault::kRowOverflow)].count, 1);
  for (int i = 0; i < m.nv; ++i) EXPECT_TRUE(std::isfinite(d.qacc[i]));
}

// ---- the same rows in Genesis's terms ------------------------------------------------------------

// imp_aref of Genesis: seven numbers (timeconst, dampratio, dmin, dmax, width, mid, power).
struct ImpAref {
  double imp, aref;
  ImpAref(const double* solref, const double* solimp, double size, double pos, double vel) {
    const double x = std::abs(size) / solimp[2], mid = solimp[3], p = solimp[4], dmax = solimp[1];
    const double y =
        x < mid ? std::pow(x, p) / std::pow(mid, p - 1) : 1 - std::pow(1 - x, p) / std::pow(1 - mid, p - 1);
    imp = x > 1 ? dmax : solimp[0] + y * (dmax - solimp[0]);
    const double b = 2 / (dmax * solref[0]), k = 1 / (dmax * dmax * solref[0] * solref[0] * solref[1] * solref[1]);
    aref = -b * vel - k * imp * pos;
  }
};

struct GenesisRows : testing::Test {
  // one tree of hinges, so that a weld does not let J̇ v in at rest
  GenesisRows()
      : m(model_of(
            "<mujoco><worldbody><body name='a'><joint name='x' axis='0 0 1' range='-10 10'/>"
            "<geom type='capsule' size='.03' fromto='0 0 0 .4 0 0'/><body name='b' pos='.4 0 0'>"
            "<joint name='y' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/></body></body>"
            "<body name='c' pos='1 0 0'><freejoint/><geom name='ball' size='.1'/></body></worldbody>"
            "<equality><connect body1='b' body2='c' anchor='.3 0 0'/><weld body1='b' body2='c' torquescale='.7'/>"
            "<joint joint1='x' joint2='y' polycoef='.1 .5 .2 .1 .3'/></equality></mujoco>")),
        s(m),
        d(m) {
    s.qpos[0] = 0.25, s.qpos[1] = 0.3, s.qpos[2] += 0.02, s.qpos[4] += 0.01;
  }
  void expect_row(int i, const double* solref, const double* solimp, double size, double weight) {
    const ImpAref law(solref, solimp, size, d.rows.row_pos[i] - d.rows.row_margin[i], d.rows.row_vel[i]);
    EXPECT_NEAR(d.rows.row_KBIP[4 * i + 2], law.imp, 1e-14) << "row " << i;
    EXPECT_NEAR(d.rows.row_aref[i], law.aref, 1e-12 * (1 + std::abs(law.aref))) << "row " << i;
    EXPECT_NEAR(d.rows.row_R[i], weight * (1 - law.imp) / law.imp, 1e-14 * (1 + d.rows.row_R[i])) << "row " << i;
  }
  Model m;
  State s;
  Data d;
};

TEST_F(GenesisRows, Equalities) {
  make_rows(m, s, d);
  ASSERT_EQ(d.rows.ne, 10);
  const double* w = m.body_invweight0;
  const double length = std::hypot(d.rows.row_pos[0], d.rows.row_pos[1], d.rows.row_pos[2]);
  double all = 0;
  for (int i = 3; i < 9; ++i) all += d.rows.row_pos[i] * d.rows.row_pos[i];
  for (int i = 0; i < 9; ++i) {
    const int kind = i < 3 ? 0 : 1, part = i < 6 ? 0 : 1;
    expect_row(i, m.eq_solref + 2 * kind, m.eq_solimp + 5 * kind, kind ? std::sqrt(all) : length,
               w[2 * 2 + part] + w[2 * 3 + part]);
  }
  expect_row(9, m.eq_solref + 4, m.eq_solimp + 10, d.rows.row_pos[9], m.dof_invweight0[0] + m.dof_invweight0[1]);
  const double q = s.qpos[1];
  EXPECT_NEAR(d.rows.row_pos[9], s.qpos[0] - (0.1 + 0.5 * q + 0.2 * q * q + 0.1 * q * q * q + 0.3 * q * q * q * q),
              1e-15);
}

TEST_F(GenesisRows, LimitAndContact) {
  s.qvel[0] = 0.4, s.qvel[2] = -0.3, s.qvel[4] = 0.7;
  Contact c = contact_at({0.2, 0.1, 0}, {0.1, 0.2, 1}, 0, 2, 3);
  c.dist = -0.0006;
  c.friction[0] = c.friction[1] = 0.7;
  make_rows(m, s, d, {c});
  ASSERT_EQ(d.rows.nl, 1);
  const int limit = d.rows.ne;
  expect_row(limit, m.jnt_solref, m.jnt_solimp, d.rows.row_pos[limit], m.dof_invweight0[0]);
  const double mu = 0.7, w = m.body_invweight0[2] + m.body_invweight0[6];
  for (int k = 0; k < 4; ++k) {
    expect_row(d.contact[0].row + k, c.solref, c.solimp, c.dist, w * (1 + mu * mu) * 2 * mu * mu);
  }
}

// ---- islands -----------------------------------------------------------------------------------

TEST(Islands, AreNumberedByTheirLowestTree) {
  std::string bodies;
  for (int i = 0; i < 6; ++i)
    bodies += "<body pos='" + std::to_string(i) + " 0 0'><freejoint/><geom size='.1'/></body>";
  Model m = model_of("<mujoco><worldbody>" + bodies + "</worldbody></mujoco>");
  State s(m);
  Data d(m);
  const auto touch = [&](int a, int b) { return contact_at({0, 0, 0}, {1, 0, 0}, a, b, 3); };
  make_rows(m, s, d, {touch(3, 5), touch(1, 4), touch(4, 5)});
  ASSERT_EQ(d.islands.n, 1);
  make_rows(m, s, d, {touch(2, 5), touch(1, 4)});
  ASSERT_EQ(d.islands.n, 2);
  const std::vector<int> trees(d.islands.tree_island, d.islands.tree_island + 6);
  EXPECT_EQ(trees, (std::vector<int>{-1, 0, 1, -1, 0, 1}));
  for (int i = 0; i < d.rows.n; ++i) EXPECT_EQ(d.rows.row_island[i], i < 4 ? 1 : 0);
  EXPECT_EQ(d.islands.ndof, 24);
  EXPECT_EQ(d.islands.island_dofadr[1], 12);
  EXPECT_EQ(d.islands.island_dof[0], 6);
  EXPECT_EQ(d.islands.island_dof[6], 24);
  EXPECT_EQ(d.islands.island_row[0], 4);
  m.opt.disableflags |= kDisableIsland;
  make_rows(m, s, d, {touch(2, 5), touch(1, 4)});
  EXPECT_EQ(d.islands.n, 0);
}

}  // namespace
}  // namespace pliant

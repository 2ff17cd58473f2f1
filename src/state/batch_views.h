#pragma once
// Model, State and Data of many worlds, as kernels see them: the members of the field lists, with a scalar type
// of choice and any distance between the numbers of one world.
//
// `Strided` is what a kernel indexes. In a batch with worlds innermost, number i of world w lies at
// base[i * stride + w]: neighbouring threads, which work on neighbouring worlds, read neighbouring
// memory. With one world after the other the distance is 1.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "pliant/state.h"

#include "base/hd.h"
#include "model/contact_rules_hd.h"
#include "model/sensor_kinds.h"
#include "state/collision_memory.h"
#include "state/hard_mimic_memory.h"

namespace pliant {

template <class T>
struct Strided {
  T* base = nullptr;
  int stride = 1;
  PLIANT_HD T& operator[](int i) const { return base[static_cast<ptrdiff_t>(i) * stride]; }
  PLIANT_HD Strided operator+(int i) const { return {base + static_cast<ptrdiff_t>(i) * stride, stride}; }
};

/// How bodies and dofs can be shared out among the members of a team; follows from the Model (tree_order.h).
struct TreeOrder {
  int nlevel = 0;                      // depths of bodies; the world has depth 0
  const int* level_adr = nullptr;      // nlevel + 1
  const int* level_body = nullptr;     // nbody, by depth
  const int* child_adr = nullptr;      // nbody + 1
  const int* child = nullptr;          // children of every body, ascending
  int ndof_level = 0;                  // depths of dofs: entries left of the diagonal of M
  const int* dof_level_adr = nullptr;  // ndof_level + 1
  const int* level_dof = nullptr;      // nv
  const int* entry_row = nullptr;      // of every entry of M
  const int* moment_adr = nullptr;     // first moment entry of every actuator; nullptr if that depends on the State
  bool moments_disjoint = false;       // no dof has two actuators
};

/// Options that stages read, in the scalar of the kernel.
template <class Real>
struct OptionsView {
  Real timestep = 0, density = 0, viscosity = 0;
  Real gravity[3] = {}, wind[3] = {}, magnetic[3] = {};
  Real impratio = 1, tolerance = 0, ls_tolerance = 0, noslip_tolerance = 0, ccd_tolerance = 0;
  Real o_margin = 0, o_solref[kNumRef] = {}, o_solimp[kNumImp] = {}, o_friction[5] = {};
  int iterations = 0, ls_iterations = 0, noslip_iterations = 0, ccd_iterations = 0, substeps = 1, discrete_full = 0;
  Integrator integrator = Integrator::kEuler;
  ConeType cone = ConeType::kPyramidal;
  FrictionLaw friction = FrictionLaw::kRegularized;
  JacobianType jacobian = JacobianType::kAuto;
  SolverType solver = SolverType::kNewton;
  int disableflags = 0, enableflags = 0, disableactuator = 0;
};

template <class Real>
OptionsView<Real> options_view(const Options& o) {
  OptionsView<Real> v;
  v.timestep = static_cast<Real>(o.timestep);
  v.density = static_cast<Real>(o.density);
  v.viscosity = static_cast<Real>(o.viscosity);
  for (int k = 0; k < 3; ++k) {
    v.gravity[k] = static_cast<Real>(o.gravity[k]);
    v.wind[k] = static_cast<Real>(o.wind[k]);
    v.magnetic[k] = static_cast<Real>(o.magnetic[k]);
  }
  v.impratio = static_cast<Real>(o.impratio);
  v.tolerance = static_cast<Real>(o.tolerance);
  v.ls_tolerance = static_cast<Real>(o.ls_tolerance);
  v.ccd_tolerance = static_cast<Real>(o.ccd_tolerance);
  v.o_margin = static_cast<Real>(o.o_margin);
  for (int k = 0; k < kNumRef; ++k) v.o_solref[k] = static_cast<Real>(o.o_solref[k]);
  for (int k = 0; k < kNumImp; ++k) v.o_solimp[k] = static_cast<Real>(o.o_solimp[k]);
  for (int k = 0; k < 5; ++k) v.o_friction[k] = static_cast<Real>(o.o_friction[k]);
  v.ccd_iterations = o.ccd_iterations;
  v.substeps = solver_substeps(o);
  v.iterations = o.iterations;
  v.ls_iterations = o.ls_iterations;
  v.noslip_iterations = o.noslip_iterations;
  v.noslip_tolerance = static_cast<Real>(o.noslip_tolerance);
  v.discrete_full = o.discrete_full;
  v.integrator = o.integrator;
  v.cone = o.cone;
  v.friction = o.friction;
  v.jacobian = o.jacobian;
  v.solver = o.solver;
  v.disableflags = o.disableflags;
  v.enableflags = o.enableflags;
  v.disableactuator = o.disableactuator;
  return v;
}

/// As those of Options.
template <class Real>
PLIANT_HD bool is_discrete(const OptionsView<Real>& o) {
  return o.integrator == Integrator::kDiscrete;
}
template <class Real>
PLIANT_HD Real solver_timestep(const OptionsView<Real>& o) {
  return o.timestep / Real(o.substeps);
}

/// Whether a field of Model may differ from world to world: real numbers that are not structure.
constexpr bool is_batchable(Scalar scalar, FieldClass cls) {
  return scalar == Scalar::real && cls != FieldClass::structure;
}

/// Type of a field of ModelView.
template <class T, Scalar scalar, FieldClass cls>
using ModelField = std::conditional_t<is_batchable(scalar, cls), Strided<const T>, const T*>;

/// Model for a kernel. A field that is given per world has a stride other than 1 (a batch has at least 32 places).
template <class R>
struct ModelView : ModelSizes {
  using Real = R;
#define FIELD(type, name, count, width, cls, unit, meaning) \
  ModelField<typename Scalars<R>::type, Scalar::type, FieldClass::cls> name{};
#include "pliant/model_fields.def"
#undef FIELD
  OptionsView<R> opt;
  Strided<const R> gravity_of_worlds;  // where worlds differ; opt.gravity is the world's own then, in of_world
  TreeOrder order;
  CandidateTable candidates;
  bool may_be_damped = true;  // whether Euler takes joint damping implicitly in any world
  bool may_attract = true;    // whether contacts attract in any world
  SensorNeeds sensor_needs;
};

namespace detail {
template <class T>
PLIANT_HD void to_world(Strided<const T>& field, int world) {
  if (field.stride != 1) field.base += world;
}
template <class T>
PLIANT_HD void to_world(const T*&, int) {}
}  // namespace detail

/// The Model as world `world` sees it.
template <class R>
PLIANT_HD ModelView<R> of_world(ModelView<R> m, int world) {
#define FIELD(type, name, count, width, cls, unit, meaning) detail::to_world(m.name, world);
#include "pliant/model_fields.def"
#undef FIELD
  if (m.gravity_of_worlds.base) {
    for (int k = 0; k < 3; ++k) m.opt.gravity[k] = m.gravity_of_worlds.base[k * m.gravity_of_worlds.stride + world];
  }
  return m;
}

/// Whether a text of words separated by spaces has this one.
constexpr bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || text[at - 1] == ' ') && (end == text.size() || text[end] == ' ')) return true;
  }
  return false;
}

/// Whether a batch on a device can have the arrays of this owner: what stages for teams write, readings on their way
/// into histories, the solver and the integrators.
constexpr bool is_on_device(std::string_view owner) {
#define TEAM_STAGE(name, title, phase, condition, writes, reads) \
  if (has_word(writes, owner)) return true;
#define WORLD_STAGE(name, title, phase, condition, writes, reads)
#include "pliant/stages.def"
#undef TEAM_STAGE
#undef WORLD_STAGE
  return owner == "solver" || owner == "integrate" || owner == "factors" || owner == "implicit" || owner == "metric" ||
         owner == "scratch" || owner == "delay";
}
/// Whether it has them for a model with this integrator.
constexpr bool is_on_device(std::string_view owner, Integrator integrator) {
  const bool discrete = integrator == Integrator::kDiscrete;
  if (owner == "implicit" && !is_implicit(integrator) && !discrete) return false;  // (discrete: drag of fluids)
  return is_on_device(owner) && (owner != "metric" || discrete);
}

/// State of a batch: where each array begins. State of a world: what a kernel indexes.
template <class R>
struct StateArrays {
#define FIELD(type, name, count, width, layout, unit, meaning) typename Scalars<R>::type* name = nullptr;
#include "pliant/state_fields.def"
#undef FIELD
};
template <class R>
struct StateView {
  using Real = R;
#define FIELD(type, name, count, width, layout, unit, meaning) Strided<typename Scalars<R>::type> name;
#include "pliant/state_fields.def"
#undef FIELD
};

template <class R>
struct DataArrays {
#define FIELD(owner, type, name, count, width, layout, unit, meaning) typename Scalars<R>::type* name = nullptr;
#include "pliant/data_fields.def"
#undef FIELD
};
template <class R>
struct DataView {
  using Real = R;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) Strided<typename Scalars<R>::type> name;
#include "pliant/data_fields.def"
#undef FIELD
  // of the world alone, one after the other
  int ncon = 0;
  ContactT<R>* contact = nullptr;
  int contact_room = 0;          // contacts that fit there
  CollisionMemory<R> collision;  // working memory of the stage collision
  HardMimicMemory<R> hard_mimics;
  RowsT<R> rows;
  MetricT<Strided<R>> metric;
};

/// How the worlds of a batch lie in memory. `places` is the number of worlds there is room for.
struct BatchLayout {
  int places = 1;
};

/// World `world` of an array with n numbers per world.
template <class T>
PLIANT_HD Strided<T> world_field(T* base, Layout layout, int world, BatchLayout batch, int n) {
  if (layout == Layout::interleaved) return {base + world, batch.places};
  return {base + static_cast<ptrdiff_t>(world) * n, 1};
}

namespace detail {
// The lists write counts as bare names of sizes: these structs have the names as members.
template <class R>
struct StateOfWorld : ModelSizes {
  PLIANT_HD StateView<R> operator()(const StateArrays<R>& a, int world, BatchLayout batch) const {
    StateView<R> v;
#define FIELD(type, name, count, width, layout, unit, meaning) \
  v.name = world_field(a.name, Layout::layout, world, batch, (count) * (width));
#include "pliant/state_fields.def"
#undef FIELD
    return v;
  }
};
template <class R>
struct DataOfWorld : ModelSizes {
  PLIANT_HD DataView<R> operator()(const DataArrays<R>& a, int world, BatchLayout batch) const {
    DataView<R> v;
#define FIELD(owner, type, name, count, width, layout, unit, meaning)              \
  if constexpr (is_on_device(#owner)) {                                            \
    v.name = world_field(a.name, Layout::layout, world, batch, (count) * (width)); \
  }
#include "pliant/data_fields.def"
#undef FIELD
    return v;
  }
};
}  // namespace detail

template <class R>
PLIANT_HD StateView<R> state_of_world(const StateArrays<R>& a, const ModelSizes& sizes, int world, BatchLayout batch) {
  return static_cast<const detail::StateOfWorld<R>&>(sizes)(a, world, batch);
}
template <class R>
PLIANT_HD DataView<R> data_of_world(const DataArrays<R>& a, const ModelSizes& sizes, int world, BatchLayout batch) {
  return static_cast<const detail::DataOfWorld<R>&>(sizes)(a, world, batch);
}

}  // namespace pliant

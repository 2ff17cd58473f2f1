// Checks of a Model read from a file, driven by model_links.def: sizes, the rows of the table,
// numbers and texts. Fields that need more than a bound have functions in array_checks_special.cpp,
// array_checks_step.cpp, array_checks_actuators.cpp and array_checks_mesh.cpp.

#include "model/array_checks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "model/array_checker.h"
#include "pliant/model_checks.h"
#include "pliant/option_checks.h"

namespace pliant {
namespace {

enum FieldIndex : int {
#define FIELD(type, name, count, width, cls, unit, meaning) kField_##name,
#include "pliant/model_fields.def"
#undef FIELD
  kFieldCount
};

// ---- every integer field has exactly one row
// -----------------------------------------------------------

constexpr bool every_integer_field_has_one_row() {
  std::array<int, kFieldCount> rows{};
#define INDEX(field, lowest, size) ++rows[kField_##field];
#define ABOVE(field, lowest) ++rows[kField_##field];
#define SPAN(address, number, size) ++rows[kField_##address], ++rows[kField_##number];
#define CODE(field, last) ++rows[kField_##field];
#define KIND(field) ++rows[kField_##field];
#define OBJECT(field, kind) ++rows[kField_##field];
#define BODIES(field) ++rows[kField_##field];
#define ALWAYS(field, value) ++rows[kField_##field];
#define ANY(field) ++rows[kField_##field];
#define SPECIAL(field, check) ++rows[kField_##field];
#include "model/model_links.def"
  constexpr Scalar kScalars[] = {
#define FIELD(type, name, count, width, cls, unit, meaning) Scalar::type,
#include "pliant/model_fields.def"
#undef FIELD
  };
  for (int i = 0; i < kFieldCount; ++i) {
    const bool is_integer = kScalars[i] == Scalar::i32 || kScalars[i] == Scalar::i64 || kScalars[i] == Scalar::u8;
    if (rows[i] != (is_integer ? 1 : 0)) return false;
  }
  return true;
}
static_assert(every_integer_field_has_one_row(), "model_links.def: a row is missing, double or stray");

}  // namespace

// ---- rows
// ----------------------------------------------------------------------------------------------

void ArrayChecker::between(const char* name, size_t place, int64_t value, int64_t low, int64_t high) {
  if (value >= low && value <= high) return;
  std::string allowed = high < low    ? "no value is possible here"
                        : low == high ? "it must be " + std::to_string(low)
                                      : "it must be " + std::to_string(low) + " to " + std::to_string(high);
  fail(item_text(name, place) + " is " + std::to_string(value) + "; " + allowed);
}

void ArrayChecker::above(const char* name, const int32_t* data, size_t n, int lowest) {
  for (size_t i = 0; i < n && fine(); ++i) {
    between(name, i, data[i], lowest, std::max(static_cast<int64_t>(i) - 1, int64_t{lowest}));
  }
}

void ArrayChecker::span(const char* name, const int32_t* address, const int32_t* number, size_t n, int size) {
  for (size_t i = 0; i < n && fine(); ++i) {
    const int64_t first = address[i], count = number[i], least = count > 0 ? 0 : -1;
    if (count >= 0 && first >= least && first + count <= size) continue;
    fail(item_text(name, i) + " is " + std::to_string(first) + ", the start of " + std::to_string(count) +
         " items; there are " + std::to_string(size));
  }
}

void ArrayChecker::object(const char* name, const int32_t* data, const int32_t* kind, size_t n) {
  for (size_t i = 0; i < n && fine(); ++i) {
    between(name, i, data[i], -1, m.count(static_cast<ObjType>(kind[i])) - 1);
  }
}

void ArrayChecker::bodies(const char* name, const int32_t* data, size_t n) {
  for (size_t i = 0; i < n && fine(); ++i) {
    const auto both = static_cast<uint32_t>(data[i]);
    between(name, i, both >> 16, 0, nbody - 1);
    between(name, i, both & 0xFFFF, 0, nbody - 1);
  }
}

void ArrayChecker::links() {
  const auto length = [&](FieldIndex field) {
    return static_cast<size_t>(m.field_count(field)) * static_cast<size_t>(m.field_width(field));
  };
  // bounds first: the checks of single fields rely on them
#define INDEX(field, lowest, size) all_between(#field, m.field, length(kField_##field), lowest, int64_t{size} - 1);
#define ABOVE(field, lowest) above(#field, m.field, length(kField_##field), lowest);
#define SPAN(address, number, size) span(#address, m.address, m.number, length(kField_##address), size);
#define CODE(field, last) all_between(#field, m.field, length(kField_##field), 0, static_cast<int>(last));
#define KIND(field) all_between(#field, m.field, length(kField_##field), 0, kNumObjTypes - 1);
#define OBJECT(field, kind) object(#field, m.field, m.kind, length(kField_##field));
#define BODIES(field) bodies(#field, m.field, length(kField_##field));
#define ALWAYS(field, value) all_between(#field, m.field, length(kField_##field), value, value);
#define ANY(field)
#define SPECIAL(field, check)
#include "model/model_links.def"
#define INDEX(field, lowest, size)
#define ABOVE(field, lowest)
#define SPAN(address, number, size)
#define CODE(field, last)
#define KIND(field)
#define OBJECT(field, kind)
#define BODIES(field)
#define ALWAYS(field, value)
#define ANY(field)
// a function that several fields share runs once
#define SPECIAL(field, check)                                  \
  if (fine() && std::strcmp(last_check, #check) != 0) check(); \
  last_check = #check;
  const char* last_check = "";
#include "model/model_links.def"
}

// ---- numbers and texts
// ---------------------------------------------------------------------------------

namespace {

template <class T>
bool all_finite(const T* data, size_t n) {
  // NaN and infinities have all bits of the exponent set; no branches, so that it runs eight at a
  // time: a mask as wide as the number, because a bool would have to be packed
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  constexpr Bits kExponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  Bits any = 0;
  for (size_t i = 0; i < n; ++i) {
    Bits bits;
    std::memcpy(&bits, data + i, sizeof bits);
    any |= (bits & kExponent) == kExponent ? ~Bits{0} : Bits{0};
  }
  return any == 0;
}

bool is_pending(const Model& model, std::string_view name) {
  return std::find(model.pending.begin(), model.pending.end(), name) != model.pending.end();
}

/// Numbers in a setting, which may be an array; integers are not looked at.
template <class T>
bool is_finite_setting(const T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value);
  } else if constexpr (requires { value.begin(); }) {
    return std::all_of(value.begin(), value.end(), [](auto x) { return is_finite_setting(x); });
  } else {
    return true;
  }
}

}  // namespace

void ArrayChecker::settings() {
  const auto finite = [&](const auto& value) {
    if (!is_finite_setting(value)) fail("a setting for viewers is not finite");
  };
  if (const OptionProblem problem = option_problem(m.opt)) fail(to_text(problem));
  visit_visual(m.vis, finite);
  constexpr int64_t kMaxArena = int64_t{1} << 40;
  if (m.arena_bytes < -1 || m.arena_bytes > kMaxArena) fail("arena_bytes is " + std::to_string(m.arena_bytes));
  const struct {
    const char* name;
    bool fine;
  } statistics[] = {{"stat.meaninertia", is_finite_setting(m.stat.meaninertia)},
                    {"stat.meanmass", is_finite_setting(m.stat.meanmass)},
                    {"stat.meansize", is_finite_setting(m.stat.meansize)},
                    {"stat.extent", is_finite_setting(m.stat.extent)},
                    {"stat.center", is_finite_setting(m.stat.center)}};
  for (const auto& [name, fine] : statistics) {
    if (!fine && !is_pending(m, name)) fail(std::string(name) + " is not finite");
  }
  const auto fields = model_fields();
  for (const std::string& name : m.pending) {
    const bool known =
        std::any_of(std::begin(statistics), std::end(statistics), [&](auto& s) { return name == s.name; }) ||
        std::any_of(fields.begin(), fields.end(), [&](auto& f) { return name == f.name && f.scalar == Scalar::real; });
    if (!known) fail("a field that does not exist is listed as pending");
  }
}

void ArrayChecker::finite_numbers() {
  const auto fields = model_fields();
  for (int i = 0; i < kFieldCount && fine(); ++i) {
    const size_t n = size_t(m.field_count(i)) * m.field_width(i);
    const void* data = m.field_data(i);
    const Scalar scalar = fields[i].scalar;
    const bool finite = scalar == Scalar::real  ? all_finite(static_cast<const double*>(data), n)
                        : scalar == Scalar::f32 ? all_finite(static_cast<const float*>(data), n)
                                                : true;
    if (!finite && !is_pending(m, fields[i].name)) fail(std::string(fields[i].name) + " is not finite");
  }
}

void ArrayChecker::truth_values() {
  const auto fields = model_fields();
  for (int i = 0; i < kFieldCount; ++i) {
    if (fields[i].scalar != Scalar::boolean) continue;
    // as bytes: a bool that is neither may not be looked at
    all_between(fields[i].name, static_cast<const uint8_t*>(m.field_data(i)),
                size_t(m.field_count(i)) * m.field_width(i), 0, 1);
  }
}

void ArrayChecker::texts() {
  if (nnames < 1 || m.names[nnames - 1] != '\0') fail("names do not end with a zero");
  if (npaths < 1 || m.paths[npaths - 1] != '\0') fail("paths do not end with a zero");
  for (int i = 0; i < ntext && fine(); ++i) {
    if (m.text_size[i] < 1 || m.text_data[m.text_adr[i] + m.text_size[i] - 1] != '\0') {
      fail("text " + std::to_string(i) + " does not end with a zero");
    }
  }
}

void ArrayChecker::origins() {
  for (const auto& [type, list] : m.origins) {
    if (static_cast<int>(type) < 0 || static_cast<int>(type) >= kNumObjTypes ||
        list.size() > static_cast<size_t>(m.count(type))) {
      fail("origins of objects that do not exist");
    }
    for (const Origin& origin : list) {
      if (origin.file < -1 || origin.file >= static_cast<int64_t>(m.files.size())) {
        fail("an origin in a file that is not listed");
      }
    }
  }
}

std::string ArrayChecker::check_links() {
  truth_values();
  settings();
  links();
  if (fine()) tree_shape();
  if (fine()) simple_dofs();
  if (fine()) trees();
  if (fine()) contact_candidates();
  if (fine()) dof_patterns();
  if (fine()) mass_tree();
  if (fine()) moment_entries();
  if (fine()) actuator_shapes();
  if (fine()) sensor_kinds();
  if (fine()) sensor_shapes();
  if (fine()) state_sizes();
  if (fine()) texts();
  origins();
  return problem_;
}

std::string ArrayChecker::check_numbers() {
  finite_numbers();
  return problem_;
}

// ---- doors
// ---------------------------------------------------------------------------------------------

std::string size_problem(const ModelSizes& n) {
#define SIZE(name, meaning) \
  if (n.name < 0 && n.name != -1) return #name " is " + std::to_string(n.name);
#include "pliant/model_sizes.def"
#undef SIZE
  // -1 stands for "automatic" in these two alone
  ModelSizes counts = n;
  counts.njmax = counts.nconmax = 0;
#define SIZE(name, meaning) \
  if (counts.name < 0) return #name " is -1";
#include "pliant/model_sizes.def"
#undef SIZE
  // sizes that no array of the file bounds; what is allocated by them later must not be absurd
  constexpr int64_t kMaxStateNumbers = int64_t{1} << 26, kMaxBodies = int64_t{1} << 28;
  const struct {
    const char* name;
    int64_t value, most;
  } bounds[] = {{"nbody", n.nbody, kMaxBodies},
                {"nmocap", n.nmocap, n.nbody},
                {"ngravcomp", n.ngravcomp, n.nbody},
                {"ntree", n.ntree, n.nbody},
                {"nv", n.nv, 6 * int64_t{n.njnt}},
                {"nq", n.nq, 7 * int64_t{n.njnt}},
                {"nM", n.nM, int64_t{n.nv} * (int64_t{n.nv} + 1) / 2},
                {"nJmom", n.nJmom, int64_t{n.nout} * n.nv},
                {"nuserdata", n.nuserdata, kMaxStateNumbers},
                {"nhistory", n.nhistory, kMaxStateNumbers},
                {"nsensordata", n.nsensordata, kMaxStateNumbers},
                {"nemax", n.nemax, 7 * int64_t{n.neq}},
                {"npolygonmax", n.npolygonmax, n.nmeshpolyvert},
                {"nmeshdegmax", n.nmeshdegmax, n.nmeshpolymap},
                {"nbvhstatic", n.nbvhstatic, n.nbvh}};
  for (const auto& [name, value, most] : bounds) {
    if (value > most) {
      return std::string(name) + " is " + std::to_string(value) + "; it can be " + std::to_string(most) + " at most";
    }
  }
  if (n.nbody < 1) return "there is no world";
  if (n.nbvhstatic != n.nbvh) return "nbvhstatic differs from nbvh";
  return {};
}

bool is_checked_field(int field) {
  static const std::array<bool, kFieldCount> kAnything = [] {
    std::array<bool, kFieldCount> anything{};
#define INDEX(field, lowest, size)
#define ABOVE(field, lowest)
#define SPAN(address, number, size)
#define CODE(field, last)
#define KIND(field)
#define OBJECT(field, kind)
#define BODIES(field)
#define ALWAYS(field, value)
#define ANY(field) anything[kField_##field] = true;
#define SPECIAL(field, check)
#include "model/model_links.def"
    return anything;
  }();
  const FieldInfo& info = model_fields()[static_cast<size_t>(field)];
  const bool integer = info.scalar == Scalar::i32 || info.scalar == Scalar::i64 || info.scalar == Scalar::u8;
  // (some of which the table says "any" are looked at together with others: they are not parameters)
  return integer && !(kAnything[static_cast<size_t>(field)] && info.cls == FieldClass::parameter);
}

std::string integer_problem(const Model& model) { return link_problem(model); }

std::string link_problem(const Model& model) { return ArrayChecker(model).check_links(); }
std::string number_problem(const Model& model) { return ArrayChecker(model).check_numbers(); }
std::string array_problem(const Model& model) {
  std::string problem = link_problem(model);
  return problem.empty() ? number_problem(model) : problem;
}

}  // namespace pliant

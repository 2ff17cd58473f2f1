// Model: one Python property per line of model_fields.def and model_sizes.def.

#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>

#include "bind.h"
#include "pliant/model_checks.h"
#include "pliant/model_io.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {

nb::dlpack::dtype dtype_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::real:
      return nb::dtype<double>();
    case Scalar::f32:
      return nb::dtype<float>();
    case Scalar::i32:
      return nb::dtype<int32_t>();
    case Scalar::i64:
      return nb::dtype<int64_t>();
    case Scalar::u8:
      return nb::dtype<uint8_t>();
    case Scalar::boolean:
      return nb::dtype<bool>();
    case Scalar::chr:
      return nb::dtype<int8_t>();
  }
  return nb::dtype<uint8_t>();
}

namespace {

// A field of width 1 is a vector; any other width, a count of the model included, makes a matrix.
bool is_vector(const FieldInfo& info) { return std::string_view(info.width_name) == "1"; }

// What arrays keep alive: the memory of the model.
nb::capsule memory_of(const PyModel& self) {
  using Owner = std::shared_ptr<Model>;
  auto owner = std::make_unique<Owner>(self.owner);
  nb::capsule capsule(owner.get(), [](void* p) noexcept { delete static_cast<Owner*>(p); });
  (void)owner.release();
  return capsule;
}

nb::object field_view(nb::handle self, int field) {
  const PyModel& owner = nb::cast<PyModel&>(self);
  const Model& model = owner.model;
  const FieldInfo& info = model_fields()[field];
  const size_t shape[2] = {static_cast<size_t>(model.field_count(field)),
                           static_cast<size_t>(model.field_width(field))};
  return nb::cast(nb::ndarray<nb::numpy>(model.field_data(field), is_vector(info) ? 1 : 2, shape, memory_of(owner),
                                         nullptr, dtype_of(info.scalar)),
                  nb::rv_policy::reference);
}

// All arrays as one block of bytes, so that views of it have one owner.
nb::object memory_view(nb::handle self) {
  const PyModel& owner = nb::cast<PyModel&>(self);
  const Model& model = owner.model;
  std::byte *first = nullptr, *last = nullptr;
  for (int field = 0; field < static_cast<int>(model_fields().size()); ++field) {
    auto* const data = static_cast<std::byte*>(model.field_data(field));
    const size_t bytes = scalar_bytes(model_fields()[field].scalar) * static_cast<size_t>(model.field_count(field)) *
                         static_cast<size_t>(model.field_width(field));
    if (!data || bytes == 0) continue;
    first = first ? std::min(first, data) : data;
    last = last ? std::max(last, data + bytes) : data + bytes;
  }
  const size_t shape[1] = {static_cast<size_t>(last - first)};
  return nb::cast(nb::ndarray<nb::numpy>(first, 1, shape, memory_of(owner), nullptr, nb::dtype<uint8_t>()),
                  nb::rv_policy::reference);
}

// Integers that the engine uses as codes, numbers and places: read-only arrays of a class whose assignments come back
// here, to be checked.
nb::object checked_view(nb::handle self, int field) {
  nb::object view = field_view(self, field).attr("view")(nb::module_::import_("pliant._checked").attr("CheckedArray"));
  view.attr("flags").attr("writeable") = false;
  view.attr("owner") = nb::make_tuple(self, model_fields()[field].name);
  return view;
}

void set_checked(nb::handle self, int field, nb::handle value) {
  Model& model = nb::cast<PyModel&>(self).model;
  nb::object view = field_view(self, field);
  auto* const data = static_cast<std::byte*>(model.field_data(field));
  const size_t bytes = scalar_bytes(model_fields()[field].scalar) * static_cast<size_t>(model.field_count(field)) *
                       static_cast<size_t>(model.field_width(field));
  const std::vector<std::byte> before(data, data + bytes);
  view[nb::ellipsis()] = value;
  const std::vector<std::byte> after(data, data + bytes);
  if (after == before) return;
  const std::string problem = integer_problem(model);
  if (problem.empty()) return;
  std::copy(before.begin(), before.end(), data);
  // what was wrong before is not this assignment's fault
  if (integer_problem(model) == problem) {
    std::copy(after.begin(), after.end(), data);
    return;
  }
  throw nb::value_error((std::string(model_fields()[field].name) + ": " + problem + "; nothing was changed").c_str());
}

nb::object text_bytes(const PyModel& self, int field) {
  return nb::bytes(static_cast<const char*>(self.model.field_data(field)),
                   static_cast<size_t>(self.model.field_count(field)));
}

std::string field_doc(const FieldInfo& info) {
  std::string doc = info.meaning;
  if (*info.unit) doc += std::string(" [") + info.unit + "]";
  return doc;
}

void bind_fields(nb::class_<PyModel>& cls) {
  int index = 0;
  for (const FieldInfo& info : model_fields()) {
    const int field = index++;
    const std::string doc = field_doc(info);
    if (info.scalar == Scalar::chr) {
      cls.def_prop_ro(info.name, [field](const PyModel& self) { return text_bytes(self, field); }, doc.c_str());
      continue;
    }
    if (is_checked_field(field)) {
      cls.def_prop_rw(
          info.name, [field](nb::handle self) { return checked_view(self, field); },
          [field](nb::handle self, nb::handle value) { set_checked(self, field, value); }, doc.c_str());
      continue;
    }
    cls.def_prop_rw(
        info.name, [field](nb::handle self) { return field_view(self, field); },
        [field](nb::handle self, nb::handle value) {
          nb::object view = field_view(self, field);
          view[nb::ellipsis()] = value;
        },
        doc.c_str());
  }
  index = 0;
  for (const SizeInfo& info : model_sizes()) {
    const int size = index++;
    cls.def_prop_ro(info.name, [size](const PyModel& self) { return self.model.size_value(size); }, info.meaning);
  }
}

// The two lists as Python data: what tests and documents walk over.
nb::list field_list() {
  static constexpr const char* kScalars[] = {"float64", "float32", "int32", "int64", "uint8", "bool", "bytes"};
  static constexpr const char* kClasses[] = {"structure", "parameter", "derived"};
  nb::list rows;
  for (const FieldInfo& info : model_fields()) {
    nb::dict row;
    row["name"] = info.name;
    row["dtype"] = kScalars[static_cast<int>(info.scalar)];
    row["count"] = info.count_name;
    row["width"] = info.width_name;
    row["class"] = kClasses[static_cast<int>(info.cls)];
    row["unit"] = info.unit;
    row["meaning"] = info.meaning;
    rows.append(row);
  }
  return rows;
}

// The form in which a model is pickled; what was found while loading it stays behind.
void construct_from_bytes(PyModel* self, nb::bytes bytes) {
  try {
    new (self) PyModel(read_plm({bytes.c_str(), bytes.size()}, "pickled model"), {}, {});
  } catch (const LoadError& error) {
    raise_load_error(error.diagnostics());
  }
}

// What a URDF leaves open, by the names of UrdfOptions.
UrdfOptions urdf_options_of(const nb::dict& given) {
  UrdfOptions options;
  for (const auto& [key, value] : given) {
    const std::string name = nb::cast<std::string>(key);
    if (name == "package_paths") {
      for (nb::handle path : value) options.package_paths.push_back(nb::cast<std::filesystem::path>(path).string());
    } else if (name == "actuators") {
      const std::string kind = value.is_none() ? "none" : nb::cast<std::string>(value);
      using Kind = UrdfOptions::Actuators;
      if (kind != "none" && kind != "effort" && kind != "position") {
        throw std::invalid_argument("actuators: 'effort', 'position' or None, not '" + kind + "'");
      }
      options.actuators = kind == "effort" ? Kind::kEffort : kind == "position" ? Kind::kPosition : Kind::kNone;
    } else if (name == "position_kp") {
      options.position_kp = nb::cast<double>(value);
    } else if (name == "fuse_fixed") {
      options.fuse_fixed = nb::cast<bool>(value);
    } else if (name == "floating_base") {
      options.floating_base = nb::cast<bool>(value);
    } else if (name == "self_collision") {
      options.self_collision = nb::cast<bool>(value);
    } else {
      throw std::invalid_argument("there is no option '" + name +
                                  "' for URDF models; there are package_paths, actuators, "
                                  "position_kp, fuse_fixed, floating_base and self_collision");
    }
  }
  return options;
}

// Loads and builds the object in place, so that Python classes may derive from Model.
void construct(PyModel* self, const std::optional<std::filesystem::path>& path, const std::optional<std::string>& xml,
               const std::optional<Assets>& assets, bool allow_unsupported,
               const std::optional<std::filesystem::path>& cache_dir, const std::optional<nb::dict>& urdf) {
  if (path.has_value() == xml.has_value()) {
    throw std::invalid_argument("Model: give either a path or xml");
  }
  LoadOptions options = options_of(assets, allow_unsupported, cache_dir);
  if (urdf) options.urdf = urdf_options_of(*urdf);
  Report report;
  {
    nb::gil_scoped_release release;
    report = path ? load_report(*path, options) : load_report_string(*xml, options);
  }
  if (!report.ok()) raise_load_error(report.diagnostics);
  new (self) PyModel(std::move(*report.model), std::move(report.ledger), std::move(report.diagnostics));
}

struct KindName {
  const char* name;
  ObjType type;
};
constexpr KindName kKindNames[] = {
    {"body", ObjType::kBody},         {"xbody", ObjType::kXbody},     {"joint", ObjType::kJoint},
    {"dof", ObjType::kDof},           {"geom", ObjType::kGeom},       {"site", ObjType::kSite},
    {"camera", ObjType::kCamera},     {"light", ObjType::kLight},     {"mesh", ObjType::kMesh},
    {"skin", ObjType::kSkin},         {"hfield", ObjType::kHfield},   {"texture", ObjType::kTexture},
    {"material", ObjType::kMaterial}, {"pair", ObjType::kPair},       {"exclude", ObjType::kExclude},
    {"equality", ObjType::kEquality}, {"tendon", ObjType::kTendon},   {"actuator", ObjType::kActuator},
    {"sensor", ObjType::kSensor},     {"numeric", ObjType::kNumeric}, {"text", ObjType::kText},
    {"tuple", ObjType::kTuple},       {"key", ObjType::kKey},
};

// A kind of object, given as "geom" or by its number.
ObjType kind_of(nb::handle kind) {
  if (!nb::isinstance<nb::str>(kind)) return static_cast<ObjType>(nb::cast<int>(nb::int_(kind)));
  const std::string_view wanted = nb::cast<std::string_view>(kind);
  std::string known;
  for (const KindName& entry : kKindNames) {
    if (wanted == entry.name) return entry.type;
    known += std::string(known.empty() ? "" : ", ") + entry.name;
  }
  throw std::invalid_argument("no kind of object is called '" + std::string(wanted) + "'; there are " + known);
}

// What Python offers beside the arrays.
void bind_methods(nb::class_<PyModel>& cls) {
  cls.def_prop_rw(
         "opt", [](PyModel& self) -> Options& { return self.model.opt; },
         [](PyModel& self, const Options& opt) { self.model.opt = opt; },
         nb::for_getter(nb::rv_policy::reference_internal), "options of the simulation")
      .def_prop_rw(
          "vis", [](PyModel& self) -> Visual& { return self.model.vis; },
          [](PyModel& self, const Visual& vis) { self.model.vis = vis; },
          nb::for_getter(nb::rv_policy::reference_internal), "settings for viewers")
      .def_prop_rw(
          "stat", [](PyModel& self) -> Statistic& { return self.model.stat; },
          [](PyModel& self, const Statistic& stat) { self.model.stat = stat; },
          nb::for_getter(nb::rv_policy::reference_internal), "typical magnitudes")
      .def_prop_ro(
          "_address", [](const PyModel& self) { return reinterpret_cast<uintptr_t>(self.owner.get()); },
          "where in memory the model is")
      .def_prop_ro(
          "pending", [](const PyModel& self) { return self.model.pending; },
          "fields that hold NaN until a later stage of the compiler fills them")
      .def_prop_ro(
          "diagnostics", [](const PyModel& self) { return self.diagnostics; }, "warnings of the load, ordered by place")
      .def_prop_ro(
          "ledger", [](const PyModel& self) { return self.ledger.entries(); }, "the fate of every attribute read")
      .def_prop_ro("ledger_files", [](const PyModel& self) { return self.ledger.files; })
      .def_prop_ro(
          "files", [](const PyModel& self) { return self.model.files; }, "files the model was read from")
      .def_prop_ro("_memory", memory_view, "memory of all arrays, as bytes")
      .def_prop_ro(
          "bytes", [](const PyModel& self) { return self.model.bytes(); }, "memory of all arrays")
      .def_prop_ro(
          "arena_bytes", [](const PyModel& self) { return self.model.arena_bytes; },
          "memory asked for in <size>; -1 if automatic")
      .def_prop_ro("model_name", [](const PyModel& self) { return text(self.model.model_name()); });

  cls.def(
         "name", [](const PyModel& self, nb::handle kind, int id) { return text(self.model.name(kind_of(kind), id)); },
         "kind"_a, "id"_a, "Name of an object; '' when it has none or does not exist.")
      .def(
          "id",
          [](const PyModel& self, nb::handle kind, std::string_view name) {
            return self.model.id(kind_of(kind), name);
          },
          "kind"_a, "name"_a, "Id of a named object; -1 when there is none.")
      .def(
          "count", [](const PyModel& self, nb::handle kind) { return self.model.count(kind_of(kind)); }, "kind"_a,
          "How many objects of this kind there are.")
      .def(
          "origin",
          [](const PyModel& self, nb::handle kind, int id) { return text(self.model.origin(kind_of(kind), id)); },
          "kind"_a, "id"_a, "file:line:column where an object was written; '' when unknown.");
}

}  // namespace

LoadOptions options_of(const std::optional<Assets>& assets, bool allow_unsupported,
                       const std::optional<std::filesystem::path>& cache_dir) {
  LoadOptions options;
  options.allow_unsupported = allow_unsupported;
  if (cache_dir) options.cache_dir = cache_dir->string();
  if (assets) {
    for (const auto& [name, data] : *assets) {
      options.assets.emplace(name, std::string(data.c_str(), data.size()));
    }
  }
  return options;
}

void bind_model(nb::module_& m) {
  nb::class_<PyModel> cls(m, "Model",
                          "A compiled model. Arrays are views into its memory: writing to them changes "
                          "the model.\n\n"
                          ">>> model = pliant.load_string('''<mujoco><worldbody>\n"
                          "...   <body name='ball'><freejoint/><geom size='0.1' mass='2'/></body>\n"
                          "... </worldbody></mujoco>''')\n"
                          ">>> model.nq, model.nv, model.id('body', 'ball')\n"
                          "(7, 6, 1)\n"
                          ">>> float(model.body_mass[1])\n"
                          "2.0\n");
  cls.def("__init__", construct, "path"_a = nb::none(), nb::kw_only(), "xml"_a = nb::none(), "assets"_a = nb::none(),
          "allow_unsupported"_a = false, "cache_dir"_a = nb::none(), "urdf"_a = nb::none())
      .def(nb::init<const PyModel&>(), "other"_a)
      .def("__getstate__",
           [](const PyModel& self) {
             const std::string bytes = write_plm(self.model);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__", construct_from_bytes)
      .def("_without_places", [](const PyModel& self) {
        const std::string bytes = write_plm(self.model, Places::kLeftOut);
        return nb::bytes(bytes.data(), bytes.size());
      });
  bind_fields(cls);
  bind_methods(cls);
  m.def(
      "joint_types",
      [] {
        nb::list rows;
        for (const JointKind& kind : kJointKinds) {
          rows.append(nb::make_tuple(kind.keyword, kind.positions, kind.velocities));
        }
        return rows;
      },
      "Every joint type, by its number in jnt_type: (keyword, numbers in qpos, numbers in qvel).");
  m.def("model_fields", field_list, "Every array of a Model.");
  m.def(
      "model_sizes",
      [] {
        nb::list rows;
        for (const SizeInfo& info : model_sizes()) rows.append(nb::make_tuple(info.name, info.meaning));
        return rows;
      },
      "Every count of a Model: (name, meaning).");
}

}  // namespace pliant::python

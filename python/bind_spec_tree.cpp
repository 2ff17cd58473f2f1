// SpecTree for pliant.mujoco.MjSpec: elements as Python objects, attributes by the table of edit.h.
//
// An element seen from Python keeps its whole model alive; the same element is the same Python object while somebody
// holds it. Arrays and lists are views into the element. Names, types and messages of MuJoCo are
// python/pliant/_spec.py.

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>

#include "bind.h"
#include "pliant/edit.h"
#include "pliant/model_checks.h"
#include "pliant/write_form.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

struct PyTree {
  std::shared_ptr<SpecTree> tree;
  Ledger read;  // of a tree that was just loaded: what its files have said
};

// ---- elements as Python objects -------------------------------------------------------------------------

template <class T>
nb::object alias(SpecTree* owner, T* part) {
  return nb::cast(std::shared_ptr<T>(owner->shared_from_this(), part));
}

nb::object wrap(SpecTree* owner, SpecElement* element) {
  if (!element) return nb::none();
  switch (element->kind) {
#define ELEMENT(kind, record, list, name) \
  case ElementKind::k##kind:              \
    return alias(owner, static_cast<ElementOf<record>*>(element));
#include "pliant/elements.def"
#undef ELEMENT
    case ElementKind::kCount:
      break;
  }
  return nb::none();
}

nb::object wrap_class(SpecTree* owner, DefaultElement* klass) {
  return klass ? alias(owner, klass) : nb::object(nb::none());
}

nb::list wrap_all(SpecTree* owner, const std::vector<SpecElement*>& elements) {
  nb::list out;
  for (SpecElement* element : elements) out.append(wrap(owner, element));
  return out;
}

ElementKind kind_of(const std::string& name) {
  for (int kind = 0; kind < kNumElementKinds; ++kind) {
    if (kind_name(static_cast<ElementKind>(kind)) == name) return static_cast<ElementKind>(kind);
  }
  throw std::invalid_argument("no kind of element is called '" + name + "'");
}

BodyElement& body_of(SpecElement& element) {
  if (element.kind != ElementKind::kBody) throw nb::type_error("a body is needed here");
  return static_cast<BodyElement&>(element);
}
FrameElement& frame_of(SpecElement& element) {
  if (element.kind != ElementKind::kFrame) throw nb::type_error("a frame is needed here");
  return static_cast<FrameElement&>(element);
}
FrameElement* frame_of(SpecElement* element) { return element ? &frame_of(*element) : nullptr; }

SpecTree& tree_of(const SpecElement& element) {
  if (!element.tree) throw std::invalid_argument("the element was removed from its model");
  return *element.tree;
}

// ---- lists ----------------------------------------------------------------------------------------------

/// A std::vector of an element, seen from Python.
template <class T>
struct ListView {
  nb::object owner;
  T* data;
  size_t size;
  std::vector<T>* list;  // null for texts of a fixed number
  size_t length() const { return list ? list->size() : size; }
  T& at(Py_ssize_t index) const {
    if (index < 0 || index >= static_cast<Py_ssize_t>(length())) {
      throw nb::index_error(
          ("index " + std::to_string(index) + " is out of range: there are " + std::to_string(length())).c_str());
    }
    return list ? (*list)[index] : data[index];
  }
};

template <class T>
nb::object view_list(nb::handle owner, void* member) {
  return nb::cast(ListView<T>{nb::borrow(owner), nullptr, 0, static_cast<std::vector<T>*>(member)});
}

template <class T>
void bind_list(nb::module_& m, const char* name) {
  using View = ListView<T>;
  nb::class_<View>(m, name, "Numbers or texts of an element; their number changes by assigning the attribute.")
      .def("__len__", [](const View& self) { return self.length(); })
      .def("__getitem__",
           [](const View& self, Py_ssize_t index) {
             if constexpr (std::is_same_v<T, std::string>) {
               return text(self.at(index));
             } else {
               return self.at(index);
             }
           })
      .def("__setitem__", [](const View& self, Py_ssize_t index, T value) { self.at(index) = std::move(value); });
}

/// Letters of a text, seen as a list of texts of one letter.
struct LetterView {
  nb::object owner;
  std::string* letters;
  char& at(Py_ssize_t index) const {
    if (index < 0 || index >= static_cast<Py_ssize_t>(letters->size()))
      throw nb::index_error("there is no such letter");
    return (*letters)[index];
  }
};

// ---- attributes -----------------------------------------------------------------------------------------

template <class T>
nb::object numbers(nb::handle owner, void* member, int count) {
  const size_t shape[1] = {static_cast<size_t>(count)};
  return nb::cast(nb::ndarray<nb::numpy>(member, 1, shape, owner, nullptr, nb::dtype<T>()), nb::rv_policy::reference);
}

template <class T>
nb::object number_or_numbers(nb::handle owner, void* member, int count) {
  if (count == 1) return nb::cast(*static_cast<T*>(member));
  return numbers<T>(owner, member, count);
}

nb::object get_field(nb::handle owner, const ElementField& field, void* record) {
  void* member = field.member(record);
  switch (field.type) {
    case FieldType::kReal:
      return number_or_numbers<double>(owner, member, field.count);
    case FieldType::kFloat:
      return number_or_numbers<float>(owner, member, field.count);
    case FieldType::kInt:
      return number_or_numbers<int>(owner, member, field.count);
    case FieldType::kBool:
      return nb::cast(*static_cast<bool*>(member));
    case FieldType::kText:
      if (field.count > 1) {
        return nb::cast(ListView<std::string>{nb::borrow(owner), static_cast<std::string*>(member),
                                              static_cast<size_t>(field.count), nullptr});
      }
      return text(*static_cast<std::string*>(member));
    case FieldType::kRealList:
      return view_list<double>(owner, member);
    case FieldType::kFloatList:
      return view_list<float>(owner, member);
    case FieldType::kIntList:
      return view_list<int>(owner, member);
    case FieldType::kByteList: {
      const auto& bytes = *static_cast<std::vector<uint8_t>*>(member);
      return nb::bytes(bytes.data(), bytes.size());
    }
  }
  return nb::none();
}

int checked_integer(const ElementField& field, int value) {
  const bool known =
      field.allowed.empty() || std::find(field.allowed.begin(), field.allowed.end(), value) != field.allowed.end();
  if (known && (field.flags == 0 || (value & ~field.flags) == 0)) return value;
  std::string values;
  for (const int allowed : field.allowed) values += (values.empty() ? "" : ", ") + std::to_string(allowed);
  throw std::invalid_argument(field.name + " cannot be " + std::to_string(value) +
                              (values.empty() ? "" : "; it is one of " + values));
}

template <class T>
void assign_list(void* member, nb::handle value) {
  *static_cast<std::vector<T>*>(member) = nb::cast<std::vector<T>>(value);
}

// Single values and whole lists; numbers of a fixed count are written through their view.
void set_field(const ElementField& field, void* record, nb::handle value) {
  void* member = field.member(record);
  switch (field.type) {
    case FieldType::kReal:
      *static_cast<double*>(member) = nb::cast<double>(value);
      break;
    case FieldType::kFloat:
      *static_cast<float*>(member) = nb::cast<float>(value);
      break;
    case FieldType::kInt: {
      // an enumeration has an int underneath
      const int number = checked_integer(field, nb::cast<int>(value));
      std::memcpy(member, &number, sizeof number);
      break;
    }
    case FieldType::kBool:
      *static_cast<bool*>(member) = nb::cast<bool>(value);
      break;
    case FieldType::kText:
      *static_cast<std::string*>(member) = nb::cast<std::string>(value);
      break;
    case FieldType::kRealList:
      assign_list<double>(member, value);
      break;
    case FieldType::kFloatList:
      assign_list<float>(member, value);
      break;
    case FieldType::kIntList:
      assign_list<int>(member, value);
      break;
    case FieldType::kByteList: {
      const auto bytes = nb::cast<nb::bytes>(value);
      const auto* data = static_cast<const uint8_t*>(bytes.data());
      static_cast<std::vector<uint8_t>*>(member)->assign(data, data + bytes.size());
      break;
    }
  }
}

nb::list field_table(std::span<const ElementField> fields) {
  static constexpr const char* kTypes[] = {"real",      "float",      "int",      "bool",     "text",
                                           "real_list", "float_list", "int_list", "byte_list"};
  nb::list rows;
  int index = 0;
  for (const ElementField& field : fields) {
    rows.append(nb::make_tuple(field.name, kTypes[static_cast<int>(field.type)], field.count, index++));
  }
  return rows;
}

Orientation* orientation_of(SpecElement& element, bool inertial) {
  switch (element.kind) {
    case ElementKind::kBody: {
      BodySpec& body = static_cast<BodyElement&>(element).value;
      return inertial ? &body.iorientation : &body.orientation;
    }
    case ElementKind::kFrame:
      return &static_cast<FrameElement&>(element).value.orientation;
    case ElementKind::kGeom:
      return &static_cast<ElementOf<GeomSpec>&>(element).value.orientation;
    case ElementKind::kSite:
      return &static_cast<ElementOf<SiteSpec>&>(element).value.orientation;
    case ElementKind::kCamera:
      return &static_cast<ElementOf<CameraSpec>&>(element).value.orientation;
    default:
      throw nb::type_error("the element has no orientation");
  }
}

struct OrientationView {
  nb::object owner;
  Orientation* orientation;
};

// ---- compiling ------------------------------------------------------------------------------------------

/// Which element a finding is about: while compiling, elements made by a program carry their number in place of a
/// column, which they do not have.
class ElementFinder {
 public:
  explicit ElementFinder(Spec& spec) : spec_(spec) {
#define ELEMENT(kind, record, list, name) note(ElementKind::k##kind, spec.list);
#include "pliant/elements.def"
#undef ELEMENT
  }
  std::vector<Diagnostic> named(const std::vector<Diagnostic>& found) const {
    std::vector<Diagnostic> out = found;
    for (Diagnostic& finding : out) {
      const int number = finding.column - kFirst;
      if (number < 0 || number >= static_cast<int>(elements_.size())) continue;
      const Place& place = elements_[number];
      finding.column = 0;
      finding.message += "\nElement name '" + place.object->name + "', id " + std::to_string(place.id);
      if (!place.object->info.empty()) finding.message += ", " + place.object->info;
    }
    return out;
  }

 private:
  static constexpr int kFirst = 1 << 24;
  struct Place {
    const SpecObject* object;
    int id;
  };
  template <class T>
  void note(ElementKind, const std::vector<T>& list) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i].source < 0) continue;
      Origin& at = spec_.sources[list[i].source].at;
      if (at.column > 0) continue;
      if (at.file < 0) {
        if (unnamed_ < 0) {
          unnamed_ = static_cast<int>(spec_.files.size());
          spec_.files.emplace_back();
        }
        at.file = unnamed_;
      }
      at.column = kFirst + static_cast<int>(elements_.size());
      elements_.push_back({&list[i], static_cast<int>(i)});
    }
  }
  Spec& spec_;
  int unnamed_ = -1;
  std::vector<Place> elements_;
};

void use_assets(Spec& spec, const std::optional<Assets>& assets) {
  if (!assets || assets->empty()) return;
  std::map<std::string, std::string> all;
  if (spec.assets) all = *spec.assets;
  for (const auto& [name, bytes] : *assets) all[name] = std::string(bytes.c_str(), bytes.size());
  spec.assets = std::make_shared<const std::map<std::string, std::string>>(std::move(all));
}

PyModel compile_tree(const PyTree& self, const std::optional<Assets>& assets) {
  Spec spec = self.tree->to_spec();
  use_assets(spec, assets);
  const ElementFinder finder(spec);
  Diagnostics diagnostics;
  for (const std::string& file : spec.files) diagnostics.add_file(file);
  Compiled compiled;
  {
    nb::gil_scoped_release release;
    compiled = compile(spec, diagnostics);
  }
  std::vector<Diagnostic> found = finder.named(diagnostics.list());
  if (!compiled.model) raise_load_error(found);
  // programs write numbers where files have words that a reader checks
  if (const std::string problem = integer_problem(*compiled.model); !problem.empty()) {
    Diagnostic refused;
    refused.code = Code::kBadRange;
    refused.message = "the compiled model cannot be used: " + problem;
    found.push_back(std::move(refused));
    raise_load_error(found);
  }
  return {std::move(*compiled.model), {}, std::move(found)};
}

nb::object write_tree(const PyTree& self, bool classes, bool for_mujoco, bool reference_form) {
  const Spec spec = self.tree->to_spec();
  Diagnostics diagnostics;
  for (const std::string& file : spec.files) diagnostics.add_file(file);
  WriteOptions options;
  options.for_mujoco = for_mujoco;
  options.keep_classes = classes;
  options.keep_paths = true;
  const std::string xml = reference_form ? write_mjcf_in_reference_form(spec, diagnostics, options)
                                         : write_mjcf(spec, diagnostics, options);
  if (diagnostics.has_errors()) raise_load_error(diagnostics.list());
  return text(xml);
}

PyTree load_tree(const std::optional<std::filesystem::path>& path, const std::optional<std::string>& xml,
                 const std::optional<Assets>& assets, bool allow_unsupported) {
  const LoadOptions options = options_of(assets, allow_unsupported, {});
  Loaded loaded = path ? load(*path, options) : load_string(*xml, options);
  if (!loaded.spec || loaded.diagnostics.has_errors()) raise_load_error(loaded.diagnostics.list());
  return {std::make_shared<SpecTree>(*loaded.spec), std::move(loaded.ledger)};
}

// ---- classes --------------------------------------------------------------------------------------------

void bind_element(nb::module_& m) {
  nb::class_<SpecElement>(m, "MjsElement", "A part of a model that can be edited.")
      .def_prop_ro("_kind", [](const SpecElement& self) { return std::string(kind_name(self.kind)); })
      .def_prop_ro("_address", [](const SpecElement& self) { return reinterpret_cast<uintptr_t>(&self); })
      .def_prop_rw(
          "name", [](SpecElement& self) { return text(self.name()); },
          [](SpecElement& self, std::string name) {
            if (self.tree && self.klass) {
              self.tree->rename(self, std::move(name));
            } else {
              self.object().name = std::move(name);
            }
          })
      .def_prop_rw(
          "info", [](SpecElement& self) { return text(self.object().info); },
          [](SpecElement& self, std::string info) { self.object().info = std::move(info); },
          "said in errors about this element")
      .def_prop_ro("id", [](SpecElement& self) { return self.tree && self.klass ? self.tree->id(self) : -1; })
      .def_prop_ro("_tree_address", [](SpecElement& self) { return reinterpret_cast<uintptr_t>(self.tree); })
      .def_prop_ro("_signature",
                   [](SpecElement& self) -> nb::object {
                     if (!self.tree) return nb::int_(0);
                     return nb::make_tuple(self.tree->signature_revision == self.tree->revision(),
                                           self.tree->signature);
                   })
      .def_prop_ro("_body",
                   [](SpecElement& self) { return self.tree ? wrap(self.tree, self.body) : nb::object(nb::none()); })
      .def_prop_ro("_frame",
                   [](SpecElement& self) { return self.tree ? wrap(self.tree, self.frame) : nb::object(nb::none()); })
      .def_prop_rw(
          "_class",
          [](SpecElement& self) { return self.tree ? wrap_class(self.tree, self.klass) : nb::object(nb::none()); },
          [](SpecElement& self, DefaultElement& klass) {
            if (klass.tree != self.tree) throw std::invalid_argument("the default class is not of this model");
            self.klass = &klass;
          })
      .def_prop_ro("_compiler", [](SpecElement& self) { return self.compiler; })
      .def("_get",
           [](nb::handle self, int index) {
             auto& element = nb::cast<SpecElement&>(self);
             return get_field(self, element_fields(element.kind)[index], element.record());
           })
      .def("_set", [](SpecElement& self, int index,
                      nb::handle value) { set_field(element_fields(self.kind)[index], self.record(), value); })
      .def("_letters",
           [](nb::handle self, int index) {
             auto& element = nb::cast<SpecElement&>(self);
             auto* letters = static_cast<std::string*>(element_fields(element.kind)[index].member(element.record()));
             return LetterView{nb::borrow(self), letters};
           })
      .def("_orientation",
           [](nb::handle self, bool inertial) {
             return OrientationView{nb::borrow(self), orientation_of(nb::cast<SpecElement&>(self), inertial)};
           })
      .def("_children",
           [](SpecElement& self, const std::string& kind) {
             const ElementKind wanted = kind_of(kind);
             if (!is_tree_kind(wanted)) throw std::invalid_argument("bodies have no " + kind);
             BodyElement& body = body_of(self);
             return wrap_all(&tree_of(self), body.children[static_cast<int>(wanted)]);
           })
      .def("_below",
           [](SpecElement& self, const std::string& kind) {
             return wrap_all(&tree_of(self), SpecTree::below(body_of(self), kind_of(kind)));
           })
      .def("_made_at",
           [](SpecElement& self, std::string file, int line) {
             self.program = std::move(file);
             self.program_line = line;
           })
      .def(
          "_add",
          [](SpecElement& self, const std::string& kind, DefaultElement* klass) {
            SpecTree& tree = tree_of(self);
            FrameElement* frame = self.kind == ElementKind::kFrame ? &frame_of(self) : nullptr;
            BodyElement& body = frame ? *frame->body : body_of(self);
            return wrap(&tree, &tree.add(kind_of(kind), body, frame, klass));
          },
          "kind"_a, "default"_a = nb::none())
      .def(
          "_set_frame", [](SpecElement& self, SpecElement* frame) { tree_of(self).set_frame(self, frame_of(frame)); },
          "frame"_a = nb::none())
      .def("_to_frame",
           [](SpecElement& self) {
             SpecTree& tree = tree_of(self);
             return wrap(&tree, &tree.to_frame(body_of(self)));
           })
      .def("_attach",
           [](SpecElement& self, SpecElement& part, const std::string& prefix, const std::string& suffix, bool copy) {
             SpecTree& tree = tree_of(self);
             if (self.kind == ElementKind::kFrame) {
               return wrap(&tree, &tree.attach(body_of(part), frame_of(self), prefix, suffix, copy));
             }
             return wrap(&tree, &tree.attach(frame_of(part), body_of(self), prefix, suffix, copy));
           });

#define ELEMENT(kind, record, list, name)                                                                            \
  nb::class_<ElementOf<record>, SpecElement>(m, class_name(ElementKind::k##kind).c_str()).def_static("_fields", [] { \
    return field_table(element_fields(ElementKind::k##kind));                                                        \
  });
  const auto class_name = [](ElementKind kind) -> std::string {
    if (kind == ElementKind::kHfield) return "MjsHField";
    std::string word(kind_name(kind));
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
    return "Mjs" + word;
  };
#include "pliant/elements.def"
#undef ELEMENT
}

void bind_default(nb::module_& m) {
  nb::class_<DefaultElement> cls(m, "MjsDefault", "A default class: one element per kind that can have defaults.");
  cls.def_prop_rw(
         "name", [](const DefaultElement& self) { return text(self.name); },
         [](DefaultElement& self, std::string name) {
           if (self.tree && self.tree->find_class(name) && name != self.name) {
             throw std::invalid_argument("the default class '" + name + "' exists already");
           }
           self.name = std::move(name);
         })
      .def_prop_ro("_parent", [](DefaultElement& self) {
        return self.tree ? wrap_class(self.tree, self.parent) : nb::object(nb::none());
      });
#define RECORD(member)                                                                           \
  cls.def_prop_ro(#member, [](DefaultElement& self) {                                            \
    if (!self.tree) throw std::invalid_argument("the default class was removed from its model"); \
    return alias(self.tree, &self.member);                                                       \
  });
  RECORD(joint)
  RECORD(geom)
  RECORD(site)
  RECORD(camera)
  RECORD(light)
  RECORD(mesh)
  RECORD(material)
  RECORD(texture)
  RECORD(pair)
  RECORD(equality)
  RECORD(tendon)
  RECORD(actuator)
#undef RECORD
}

// What records hold as lists of structs, as columns.
void bind_columns(nb::module_& m) {
  m.def("_tendon_path", [](ElementOf<TendonSpec>& self) {
    nb::list rows;
    for (const WrapSpec& wrap : self.value.path) {
      rows.append(nb::make_tuple(static_cast<int>(wrap.type), text(wrap.object), text(wrap.sidesite), wrap.prm));
    }
    return rows;
  });
  m.def("_add_wrap", [](ElementOf<TendonSpec>& self, int type, std::string object, std::string sidesite, double prm) {
    if (type < static_cast<int>(WrapType::kJoint) || type > static_cast<int>(WrapType::kCylinder)) {
      throw std::invalid_argument("there is no such kind of wrap");
    }
    self.value.path.push_back({static_cast<WrapType>(type), std::move(object), std::move(sidesite), prm, -1});
    self.value.spatial = self.value.path.front().type != WrapType::kJoint;
  });
  m.def("_tuple_columns", [](ElementOf<TupleSpec>& self) {
    nb::list types, names, numbers;
    for (const TupleElementSpec& element : self.value.elements) {
      types.append(static_cast<int>(element.objtype));
      names.append(text(element.objname));
      numbers.append(element.prm);
    }
    return nb::make_tuple(types, names, numbers);
  });
  m.def("_set_tuple_columns", [](ElementOf<TupleSpec>& self, const std::vector<int>& types,
                                 const std::vector<std::string>& names, const std::vector<double>& numbers) {
    std::vector<TupleElementSpec> elements(std::max({types.size(), names.size(), numbers.size()}));
    for (size_t i = 0; i < types.size(); ++i) {
      if (types[i] < 0 || types[i] >= kNumObjTypes) throw std::invalid_argument("objtype is no kind of object");
      elements[i].objtype = static_cast<ObjType>(types[i]);
    }
    for (size_t i = 0; i < names.size(); ++i) elements[i].objname = names[i];
    for (size_t i = 0; i < numbers.size(); ++i) elements[i].prm = numbers[i];
    self.value.elements = std::move(elements);
  });
  m.def("_skin_bones", [](ElementOf<SkinSpec>& self) {
    nb::list rows;
    for (const SkinBoneSpec& bone : self.value.bones) {
      rows.append(nb::make_tuple(text(bone.body), std::vector<float>(bone.bindpos.begin(), bone.bindpos.end()),
                                 std::vector<float>(bone.bindquat.begin(), bone.bindquat.end()), bone.vertid,
                                 bone.vertweight));
    }
    return rows;
  });
  m.def("_set_skin_bones",
        [](ElementOf<SkinSpec>& self, const std::vector<std::string>& bodies, const std::vector<float>& positions,
           const std::vector<float>& quaternions, const std::vector<std::vector<int>>& ids,
           const std::vector<std::vector<float>>& weights) {
          if (positions.size() % 3 || quaternions.size() % 4) {
            throw std::invalid_argument("bindpos needs 3 numbers per bone, bindquat 4");
          }
          std::vector<SkinBoneSpec> bones(
              std::max({bodies.size(), positions.size() / 3, quaternions.size() / 4, ids.size(), weights.size()}));
          for (size_t i = 0; i < bodies.size(); ++i) bones[i].body = bodies[i];
          for (size_t i = 0; i < positions.size(); ++i) bones[i / 3].bindpos[i % 3] = positions[i];
          for (size_t i = 0; i < quaternions.size(); ++i) bones[i / 4].bindquat[i % 4] = quaternions[i];
          for (size_t i = 0; i < ids.size(); ++i) bones[i].vertid = ids[i];
          for (size_t i = 0; i < weights.size(); ++i) bones[i].vertweight = weights[i];
          self.value.bones = std::move(bones);
        });
  m.def("_equality_leaders", [](ElementOf<EqualitySpec>& self) { return self.value.leaders; });
  m.def("_set_equality_leaders", [](ElementOf<EqualitySpec>& self, std::vector<std::string> leaders) {
    self.value.leaders = std::move(leaders);
  });
  m.def("_mesh_builtin", [](ElementOf<MeshSpec>& self, int builtin, std::vector<double> params) {
    if (builtin < 0 || builtin > static_cast<int>(MeshBuiltin::kDisc))
      throw std::invalid_argument("no such builtin mesh");
    self.value.builtin = static_cast<MeshBuiltin>(builtin);
    self.value.params = std::move(params);
  });
}

void bind_settings(nb::module_& m) {
  nb::class_<CompilerSpec>(m, "MjsCompiler", "Settings of the compiler.", nb::dynamic_attr())
      .def_static("_fields", [] { return field_table(compiler_fields()); })
      .def("_get", [](nb::handle self,
                      int index) { return get_field(self, compiler_fields()[index], &nb::cast<CompilerSpec&>(self)); })
      .def("_set",
           [](CompilerSpec& self, int index, nb::handle value) { set_field(compiler_fields()[index], &self, value); })
      .def("_letters",
           [](nb::handle self, int index) {
             void* record = &nb::cast<CompilerSpec&>(self);
             return LetterView{nb::borrow(self), static_cast<std::string*>(compiler_fields()[index].member(record))};
           })
      .def_prop_rw(
          "_model_dir", [](const CompilerSpec& self) { return text(self.model_dir); },
          [](CompilerSpec& self, std::string dir) { self.model_dir = std::move(dir); })
      .def_prop_ro(
          "LRopt", [](CompilerSpec& self) -> LengthRangeSpec& { return self.lengthrange; },
          nb::rv_policy::reference_internal);
  using L = LengthRangeSpec;
  nb::class_<L>(m, "MjLROpt", "Options of the computation of length ranges.")
      .def(nb::init<>())
      .def_prop_rw(
          "mode", [](const L& self) { return static_cast<int>(self.mode); },
          [](L& self, int mode) {
            if (mode < 0 || mode > 3)
              throw std::invalid_argument("mode is 0 (none), 1 (muscle), 2 (muscleuser) or 3 (all)");
            self.mode = static_cast<LengthRangeMode>(mode);
          })
      .def_rw("useexisting", &L::useexisting)
      .def_rw("uselimit", &L::uselimit)
      .def_rw("accel", &L::accel)
      .def_rw("maxforce", &L::maxforce)
      .def_rw("timeconst", &L::timeconst)
      .def_rw("timestep", &L::timestep)
      .def_rw("inttotal", &L::inttotal)
      .def_rw("interval", &L::interval)
      .def_rw("tolrange", &L::tolrange);
  nb::class_<OrientationView>(m, "MjsOrientation", "An orientation given in another way than as a quaternion.")
      .def_prop_rw(
          "_type", [](const OrientationView& self) { return static_cast<int>(self.orientation->kind); },
          [](OrientationView& self, int type) {
            if (type < 0 || type > static_cast<int>(OrientationKind::kEuler)) {
              throw std::invalid_argument("type is a number of mjtOrientation, from 0 to 4");
            }
            self.orientation->kind = static_cast<OrientationKind>(type);
          })
      .def("_values", [](nb::handle self, int count) {
        return numbers<double>(self, nb::cast<OrientationView&>(self).orientation->value.data(), count);
      });
  nb::class_<LetterView>(m, "MjCharVec", "Letters of an element.")
      .def("__len__", [](const LetterView& self) { return self.letters->size(); })
      .def("__getitem__", [](const LetterView& self, Py_ssize_t index) { return std::string(1, self.at(index)); })
      .def("__setitem__", [](const LetterView& self, Py_ssize_t index, const std::string& letter) {
        if (letter.size() != 1) throw std::invalid_argument("one letter is needed");
        self.at(index) = letter[0];
      });
}

// Sizes by their names in <size>, and the path of the model.
template <class T>
void size_property(nb::class_<PyTree>& cls, const char* name, T SizeSpec::* member) {
  cls.def_prop_rw(
      name, [member](const PyTree& self) { return self.tree->settings.size.*member; },
      [member](PyTree& self, T value) { self.tree->settings.size.*member = value; });
}

void bind_tree(nb::module_& m) {
  nb::class_<PyTree> cls(m, "SpecTree", "A model that can be edited.");
  cls.def("__init__", [](PyTree* self) { new (self) PyTree{std::make_shared<SpecTree>(), {}}; })
      .def(
          "__init__", [](PyTree* self, const PyTree& other) { new (self) PyTree{other.tree, {}}; }, "same"_a)
      .def_prop_ro(
          "_read", [](const PyTree& self) { return self.read.entries(); },
          "Every attribute that the files of the model have given, of a tree that was just loaded.")
      .def_static("_load", load_tree, "path"_a = nb::none(), "xml"_a = nb::none(), "assets"_a = nb::none(),
                  "allow_unsupported"_a = false)
      .def_prop_ro("_address", [](const PyTree& self) { return reinterpret_cast<uintptr_t>(self.tree.get()); })
      .def("_copy", [](const PyTree& self) { return PyTree{self.tree->copy(), {}}; })
      .def("_compile", compile_tree, "assets"_a = nb::none())
      .def("_write", write_tree, "classes"_a = true, "for_mujoco"_a = false, "reference_form"_a = false)
      .def_prop_ro("worldbody", [](PyTree& self) { return wrap(self.tree.get(), &self.tree->world()); })
      .def_prop_ro("default", [](PyTree& self) { return wrap_class(self.tree.get(), &self.tree->main_class()); })
      .def_prop_ro("compiler", [](PyTree& self) { return self.tree->compiler; })
      .def("_elements",
           [](PyTree& self, const std::string& kind) {
             return wrap_all(self.tree.get(), self.tree->elements(kind_of(kind)));
           })
      .def("_find", [](PyTree& self, const std::string& kind,
                       const std::string& name) { return wrap(self.tree.get(), self.tree->find(kind_of(kind), name)); })
      .def("find_default",
           [](PyTree& self, const std::string& name) {
             return wrap_class(self.tree.get(), self.tree->find_class(name));
           })
      .def(
          "_add",
          [](PyTree& self, const std::string& kind, DefaultElement* klass) {
            return wrap(self.tree.get(), &self.tree->add(kind_of(kind), klass));
          },
          "kind"_a, "default"_a = nb::none())
      .def("_add_default",
           [](PyTree& self, const std::string& name, DefaultElement* parent) {
             return wrap_class(self.tree.get(),
                               &self.tree->add_class(name, parent ? *parent : self.tree->main_class()));
           })
      .def("_remove", [](PyTree& self, SpecElement& element) { self.tree->remove(element); })
      .def("_remove_default", [](PyTree& self, DefaultElement& klass) { self.tree->remove(klass); })
      .def("_attach",
           [](PyTree& self, PyTree& child, SpecElement& frame, const std::string& prefix, const std::string& suffix,
              bool copy) {
             return wrap(self.tree.get(), &self.tree->attach(*child.tree, frame_of(frame), prefix, suffix, copy));
           })
      .def_prop_ro("_attached_whole", [](const PyTree& self) { return self.tree->attached_whole; })
      .def_prop_ro("_parent_address",
                   [](const PyTree& self) -> uintptr_t {
                     return self.tree->attached_whole ? reinterpret_cast<uintptr_t>(self.tree->attached_to()) : 0;
                   })
      .def("_parent", [](const PyTree& self) { return PyTree{self.tree->attached_to()->shared_from_this(), {}}; })
      .def_prop_ro("_revision", [](const PyTree& self) { return self.tree->revision(); })
      .def("_compiled_as",
           [](PyTree& self, uint64_t signature) {
             self.tree->signature = signature;
             self.tree->signature_revision = self.tree->revision();
           })
      .def_prop_ro("_signature",
                   [](const PyTree& self) {
                     return nb::make_tuple(self.tree->signature_revision == self.tree->revision(),
                                           self.tree->signature);
                   })
      .def_prop_rw(
          "modelname", [](const PyTree& self) { return text(self.tree->settings.model_name); },
          [](PyTree& self, std::string name) { self.tree->settings.model_name = std::move(name); })
      .def_prop_rw(
          "option", [](PyTree& self) -> Options& { return self.tree->settings.option; },
          [](PyTree& self, const Options& option) { self.tree->settings.option = option; },
          nb::rv_policy::reference_internal)
      .def_prop_rw(
          "stat", [](PyTree& self) -> Statistic& { return self.tree->settings.statistic; },
          [](PyTree& self, const Statistic& statistic) { self.tree->settings.statistic = statistic; },
          nb::rv_policy::reference_internal)
      .def_prop_rw(
          "visual", [](PyTree& self) -> Visual& { return self.tree->settings.visual; },
          [](PyTree& self, const Visual& visual) { self.tree->settings.visual = visual; },
          nb::rv_policy::reference_internal);
  size_property(cls, "memory", &SizeSpec::memory);
  size_property(cls, "njmax", &SizeSpec::njmax);
  size_property(cls, "nconmax", &SizeSpec::nconmax);
  size_property(cls, "nstack", &SizeSpec::nstack);
  size_property(cls, "nuserdata", &SizeSpec::nuserdata);
  size_property(cls, "nkey", &SizeSpec::nkey);
  size_property(cls, "nuser_body", &SizeSpec::nuser_body);
  size_property(cls, "nuser_jnt", &SizeSpec::nuser_jnt);
  size_property(cls, "nuser_geom", &SizeSpec::nuser_geom);
  size_property(cls, "nuser_site", &SizeSpec::nuser_site);
  size_property(cls, "nuser_cam", &SizeSpec::nuser_cam);
  size_property(cls, "nuser_tendon", &SizeSpec::nuser_tendon);
  size_property(cls, "nuser_actuator", &SizeSpec::nuser_actuator);
  size_property(cls, "nuser_sensor", &SizeSpec::nuser_sensor);
}

}  // namespace

void bind_spec_tree(nb::module_& m) {
  bind_list<double>(m, "MjDoubleVec");
  bind_list<float>(m, "MjFloatVec");
  bind_list<int>(m, "MjIntVec");
  bind_list<std::string>(m, "MjStringVec");
  bind_settings(m);
  bind_element(m);
  bind_default(m);
  bind_columns(m);
  bind_tree(m);
}

}  // namespace pliant::python

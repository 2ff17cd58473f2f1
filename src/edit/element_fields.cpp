// Attributes of elements under the names of MuJoCo's mjSpec.
//
// Rows of the MJCF schema that are bound to a member of a record are taken as they are; kRenamed has the names that
// mjSpec spells differently. What a file says in another way (orientations, kinds of actuators and sensors, files of
// cubes) is added below, one line each.

#include <algorithm>
#include <array>
#include <iterator>

#include "load/mjcf_schema.h"
#include "pliant/edit.h"

namespace pliant {
namespace {

using Fields = std::vector<ElementField>;

struct NewName {
  const char* element;  // "" = any
  const char* from;
  const char* to;
};
constexpr NewName kRenamed[] = {
    {"", "user", "userdata"},
    {"", "solreflimit", "solref_limit"},
    {"", "solimplimit", "solimp_limit"},
    {"joint", "solreffriction", "solref_friction"},
    {"spatial", "solreffriction", "solref_friction"},
    {"", "solimpfriction", "solimp_friction"},
    {"", "actuatorfrclimited", "actfrclimited"},
    {"", "actuatorfrcrange", "actfrcrange"},
    {"", "actuatorgravcomp", "actgravcomp"},
    {"camera", "target", "targetbody"},
    {"light", "target", "targetbody"},
    {"geom", "hfield", "hfieldname"},
    {"geom", "mesh", "meshname"},
    {"site", "mesh", "meshname"},
    {"geom", "shellinertia", "typeinertia"},
    {"geom", "fluidcoef", "fluid_coefs"},
    {"camera", "projection", "proj"},
    {"camera", "sensorsize", "sensor_size"},
    {"camera", "focal", "focal_length"},
    {"camera", "focalpixel", "focal_pixel"},
    {"camera", "principal", "principal_length"},
    {"camera", "principalpixel", "principal_pixel"},
    {"pair", "geom1", "geomname1"},
    {"pair", "geom2", "geomname2"},
    {"exclude", "body1", "bodyname1"},
    {"exclude", "body2", "bodyname2"},
    {"mesh", "vertex", "uservert"},
    {"mesh", "normal", "usernormal"},
    {"mesh", "texcoord", "usertexcoord"},
    {"mesh", "face", "userface"},
    {"skin", "vertex", "vert"},
    {"hfield", "elevation", "userdata"},
    {"inertial", "pos", "ipos"},
    {"inertial", "diaginertia", "inertia"},
};

std::string new_name(std::string_view element, std::string_view name) {
  for (const NewName& rule : kRenamed) {
    if (name == rule.from && (rule.element[0] == '\0' || element == rule.element)) return rule.to;
  }
  return std::string(name);
}

ElementField field_of(const AttributeSchema& row, std::string name) {
  ElementField field;
  field.name = std::move(name);
  field.member = row.member;
  field.count = row.max == kMany ? 1 : row.max;
  const bool many = row.max == kMany;
  switch (row.kind) {
    case ValueKind::kReal:
      field.type = many ? FieldType::kRealList : FieldType::kReal;
      break;
    case ValueKind::kFloat:
      field.type = many ? FieldType::kFloatList : FieldType::kFloat;
      break;
    case ValueKind::kInt:
      field.type = many ? FieldType::kIntList : FieldType::kInt;
      break;
    case ValueKind::kBool:
      field.type = FieldType::kBool;
      break;
    case ValueKind::kKeyword:
      field.type = FieldType::kInt;
      for (const Keyword& keyword : row.keywords) field.allowed.push_back(keyword.value);
      break;
    case ValueKind::kFlags:
      field.type = FieldType::kInt;
      for (const Keyword& keyword : row.keywords) field.flags |= keyword.value;
      break;
    default:
      field.type = FieldType::kText;
  }
  return field;
}

/// Everything that the schema binds to a member, names apart.
void add_schema(Fields& fields, const char* element) {
  for (const AttributeSchema& row : mjcf_element(element).attributes) {
    if (!row.member || row.kind == ValueKind::kName) continue;
    fields.push_back(field_of(row, new_name(element, row.name)));
  }
}

template <class Record, auto kMember>
ElementField plain(const char* name) {
  return field_of(row<Record, kMember>(name), name);
}
/// One of the numbers from `first` to `last`; the member is an enumeration.
template <class Record, auto kMember>
ElementField choice(const char* name, int first, int last, std::initializer_list<int> further = {}) {
  ElementField field;
  field.name = name;
  field.type = FieldType::kInt;
  field.member = &member_of<Record, kMember>;
  for (int value = first; value <= last; ++value) field.allowed.push_back(value);
  field.allowed.insert(field.allowed.end(), further);
  return field;
}
template <class Record, auto kMember>
ElementField texts(const char* name) {
  ElementField field;
  field.name = name;
  field.type = FieldType::kText;
  field.count =
      static_cast<int>(std::tuple_size_v<std::remove_reference_t<decltype(std::declval<Record&>().*kMember)>>);
  field.member = [](void* record) -> void* { return (static_cast<Record*>(record)->*kMember).data(); };
  return field;
}
template <class Record, Orientation Record::* kMember>
ElementField quaternion(const char* name) {
  ElementField field;
  field.name = name;
  field.count = 4;
  field.member = [](void* record) -> void* { return (static_cast<Record*>(record)->*kMember).quat.data(); };
  return field;
}

constexpr int kLastObject = static_cast<int>(ObjType::kKey);
constexpr int kLastSensor = static_cast<int>(SensorType::kUser);

constexpr const char* kSchemaElements[] = {
#define ELEMENT(kind, record, list, element) element,
#include "pliant/elements.def"
#undef ELEMENT
};

Fields make_fields(ElementKind kind) {
  Fields f;
  switch (kind) {
    case ElementKind::kBody: {
      using B = BodySpec;
      add_schema(f, "body");
      add_schema(f, "inertial");
      f.push_back(quaternion<B, &B::orientation>("quat"));
      f.push_back(quaternion<B, &B::iorientation>("iquat"));
      f.push_back(plain<B, &B::has_inertial>("explicitinertial"));
      f.push_back(plain<B, &B::simple_allowed>("simple"));
      f.push_back(plain<B, &B::fuse_allowed>("fuse"));
      f.push_back(plain<B, &B::childclass>("childclass"));
      break;
    }
    case ElementKind::kFrame:
      add_schema(f, "frame");
      f.push_back(quaternion<FrameSpec, &FrameSpec::orientation>("quat"));
      f.push_back(plain<FrameSpec, &FrameSpec::scale>("scale"));
      f.push_back(plain<FrameSpec, &FrameSpec::childclass>("childclass"));
      break;
    case ElementKind::kJoint:
      add_schema(f, "joint");
      f.push_back(choice<JointSpec, &JointSpec::align>("align", 0, 2));
      break;
    case ElementKind::kGeom:
      add_schema(f, "geom");
      f.push_back(quaternion<GeomSpec, &GeomSpec::orientation>("quat"));
      f.push_back(plain<GeomSpec, &GeomSpec::fluid_ellipsoid>("fluid_ellipsoid"));
      break;
    case ElementKind::kSite:
      add_schema(f, "site");
      f.push_back(quaternion<SiteSpec, &SiteSpec::orientation>("quat"));
      break;
    case ElementKind::kCamera:
      add_schema(f, "camera");
      f.push_back(quaternion<CameraSpec, &CameraSpec::orientation>("quat"));
      break;
    case ElementKind::kLight:
      add_schema(f, "light");
      f.push_back(choice<LightSpec, &LightSpec::type>("type", 0, 3));
      break;
    case ElementKind::kTexture:
      add_schema(f, "texture");
      f.push_back(texts<TextureSpec, &TextureSpec::cubefiles>("cubefiles"));
      f.push_back({"data", FieldType::kByteList, 1, &member_of<TextureSpec, &TextureSpec::pixels>, {}, 0});
      break;
    case ElementKind::kMaterial:
      add_schema(f, "material");
      f.push_back(texts<MaterialSpec, &MaterialSpec::textures>("textures"));
      break;
    case ElementKind::kEquality: {
      using E = EqualitySpec;
      add_schema(f, "default_equality");
      f.push_back(choice<E, &E::type>("type", 0, -1));
      for (const EqualityKind& known : kEqualityKinds) f.back().allowed.push_back(static_cast<int>(known.type));
      f.push_back(choice<E, &E::objtype>("objtype", 0, kLastObject));
      f.push_back(plain<E, &E::object1>("name1"));
      f.push_back(plain<E, &E::object2>("name2"));
      f.push_back(plain<E, &E::data>("data"));
      // mimics, which only Pliant has
      f.push_back(plain<E, &E::gear>("gear"));
      f.push_back(plain<E, &E::offset>("offset"));
      f.push_back(choice<E, &E::mode>("mode", 0, 2));
      f.push_back(plain<E, &E::naturalfreq>("naturalfreq"));
      f.push_back(plain<E, &E::dampratio>("dampratio"));
      f.push_back(plain<E, &E::erp>("erp"));
      break;
    }
    case ElementKind::kTendon:
      add_schema(f, "spatial");
      break;
    case ElementKind::kActuator: {
      using A = ActuatorSpec;
      add_schema(f, "general");
      f.push_back(choice<A, &A::kind>("type", 0, 11));
      f.push_back(plain<A, &A::gainprm>("gainprm"));
      f.push_back(plain<A, &A::biasprm>("biasprm"));
      f.push_back(plain<A, &A::dynprm>("dynprm"));
      f.push_back(plain<A, &A::ctrlspec>("ctrlspec"));
      f.push_back(plain<A, &A::actearly>("actearly"));
      f.push_back(choice<A, &A::trntype>("trntype", 0, 6, {static_cast<int>(TransmissionType::kUndefined)}));
      f.push_back(plain<A, &A::target>("target"));
      break;
    }
    case ElementKind::kSensor: {
      using S = SensorSpec;
      add_schema(f, "clock");
      f.push_back(choice<S, &S::type>("type", 0, kLastSensor));
      f.push_back(choice<S, &S::objtype>("objtype", 0, kLastObject));
      f.push_back(choice<S, &S::reftype>("reftype", 0, kLastObject));
      f.push_back(plain<S, &S::objname>("objname"));
      f.push_back(plain<S, &S::refname>("refname"));
      f.push_back(plain<S, &S::intprm>("intprm"));
      f.push_back(choice<S, &S::datatype>("datatype", 0, 3));
      f.push_back(choice<S, &S::needstage>("needstage", 0, 3));
      f.push_back(plain<S, &S::dim>("dim"));
      break;
    }
    case ElementKind::kTuple:  // lists of different things: see TupleSpec
    case ElementKind::kCount:
      break;
    default:
      add_schema(f, kSchemaElements[static_cast<int>(kind)]);
  }
  // a row of the schema and a line above may mean the same member
  Fields unique;
  for (ElementField& field : f) {
    if (std::none_of(unique.begin(), unique.end(), [&](const ElementField& other) { return other.name == field.name; }))
      unique.push_back(std::move(field));
  }
  return unique;
}

}  // namespace

std::span<const ElementField> element_fields(ElementKind kind) {
  static const auto kTables = [] {
    std::array<Fields, kNumElementKinds> tables;
    for (int i = 0; i < kNumElementKinds; ++i) tables[i] = make_fields(static_cast<ElementKind>(i));
    return tables;
  }();
  return kTables[static_cast<int>(kind)];
}

std::span<const ElementField> compiler_fields() {
  static const Fields kFields = [] {
    using C = CompilerSpec;
    Fields fields;
    add_schema(fields, "compiler");
    fields.push_back(plain<C, &C::degree>("degree"));
    return fields;
  }();
  return kFields;
}

}  // namespace pliant

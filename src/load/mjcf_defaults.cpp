// Default classes. A nested class starts as a copy of its parent after all of the parent's own settings,
// whatever their order in the file; all actuator shortcuts of a class share one record.

#include "base/text.h"
#include "load/mjcf_reader.h"

namespace pliant {
namespace {

/// Objects are copies of these records, and so know their class.
void mark_records(DefaultClass& own, int index) {
  own.joint.klass = own.geom.klass = own.site.klass = own.camera.klass = own.light.klass = own.mesh.klass = index;
  own.material.klass = own.texture.klass = own.pair.klass = own.equality.klass = own.tendon.klass = index;
  own.actuator.klass = index;
}

}  // namespace

int MjcfReader::find_class(const Attribute& attribute, const Element& element) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < spec.classes.size(); ++i) {
    if (spec.classes[i].name == attribute.value) return static_cast<int>(i);
    names.push_back(spec.classes[i].name);
  }
  error_at(Code::kUnknownClass, attribute, element, "there is no default class " + quote(attribute.value),
           did_you_mean(attribute.value, names));
  return -1;
}

int MjcfReader::class_of(const Element& element, int inherited) {
  const Attribute* attribute = element.find("class");
  if (!attribute) return inherited;
  const int found = find_class(*attribute, element);
  return found < 0 ? inherited : found;
}

void MjcfReader::read_default(const Element& element, int parent) {
  const ElementSchema& schema = mjcf_element("default");
  read_attributes(element, schema, nullptr);
  std::string name;
  const bool named = text(element, "class", name);
  int index = 0;
  if (parent < 0) {
    if (named && name != "main") {
      error_at(Code::kUnknownClass, *element.find("class"), element,
               "the top-level default class is called 'main', not " + quote(name),
               "put <default class=\"" + name + "\"> inside a <default>");
    }
  } else {
    if (name.empty()) {
      error(Code::kMissingAttribute, element, "a nested <default> needs the attribute 'class'");
    }
    for (const DefaultClass& other : spec.classes) {
      if (!name.empty() && other.name == name) {
        error_at(Code::kRepeatedClass, *element.find("class"), element,
                 "the default class " + quote(name) + " exists already");
      }
    }
    index = static_cast<int>(spec.classes.size());
    spec.classes.push_back(spec.classes[parent]);
    spec.classes.back().name = name;
    spec.classes.back().parent = parent;
    mark_records(spec.classes.back(), index);
  }
  spec.classes[index].source = source_of(element);

  std::vector<const Element*> nested;
  for_children(element, schema, [&](const Element& child, const ElementSchema& child_schema) {
    DefaultClass& own = spec.classes[index];
    const std::string_view id = child_schema.id;
    if (id == "default") {
      nested.push_back(&child);
    } else if (id == "default_joint") {
      read_attributes(child, child_schema, &own.joint);
    } else if (id == "default_geom") {
      read_geom(child, child_schema, own.geom);
      own.geom.source = source_of(child);
    } else if (id == "default_site") {
      read_attributes(child, child_schema, &own.site);
      read_orientation(child, own.site.orientation);
    } else if (id == "default_camera") {
      read_attributes(child, child_schema, &own.camera);
      read_orientation(child, own.camera.orientation);
    } else if (id == "default_light") {
      read_light(child, child_schema, own.light);
    } else if (id == "default_mesh") {
      read_attributes(child, child_schema, &own.mesh);
    } else if (id == "default_material") {
      read_material(child, child_schema, own.material);
    } else if (id == "default_texture") {
      read_texture(child, child_schema, own.texture);
    } else if (id == "default_pair") {
      read_attributes(child, child_schema, &own.pair);
      own.pair.source = source_of(child);
    } else if (id == "default_equality") {
      read_attributes(child, child_schema, &own.equality);
    } else if (id == "default_tendon") {
      read_attributes(child, child_schema, &own.tendon);
      double length[2];
      if (reals(child, "springlength", length) == 1) own.tendon.springlength[1] = length[0];
    } else {
      read_actuator(child, child_schema, index, own.actuator);
    }
  });
  for (const Element* child : nested) read_default(*child, index);
}

}  // namespace pliant

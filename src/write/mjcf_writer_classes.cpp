// Default classes as text, for writers that keep them: of a class only what differs from the one around it.

#include "write/mjcf_writer.h"

namespace pliant {

void MjcfWriter::write_classes() {
  if (!keep_classes_) return;
  std::vector<std::vector<int>> nested(spec.classes.size());
  for (size_t i = 1; i < spec.classes.size(); ++i) {
    if (spec.classes[i].parent >= 0) nested[spec.classes[i].parent].push_back(static_cast<int>(i));
  }
  XmlText outer = std::move(xml);
  xml = XmlText(1);
  write_class(0, nested);
  std::string content = xml.text();
  xml = std::move(outer);
  if (content != "  <default/>\n") xml.insert(content);
}

void MjcfWriter::write_class(int index, const std::vector<std::vector<int>>& nested) {
  static const DefaultClass kFresh;
  const DefaultClass& klass = spec.classes[index];
  const DefaultClass& around = klass.parent >= 0 ? spec.classes[klass.parent] : kFresh;
  xml.open("default");
  if (klass.parent >= 0) text("class", klass.name, klass.source);
  const auto record = [&](const char* id, const auto& own, const auto& fresh) {
    const ElementSchema& schema = mjcf_element(id);
    bool turned = false;
    if constexpr (requires { own.orientation; }) {
      turned = own.orientation.kind != fresh.orientation.kind || own.orientation.quat != fresh.orientation.quat ||
               own.orientation.value != fresh.orientation.value;
    }
    bool layers = false;
    if constexpr (requires { own.textures; }) layers = own.textures != fresh.textures;
    if (!differs(schema, own, fresh) && !turned && !layers) return;
    xml.open(schema.tag);
    bound(schema, own, fresh);
    if constexpr (requires { own.orientation; }) orientation(own.orientation, own.source, fresh.orientation);
    if constexpr (requires { own.fluid_ellipsoid; }) {
      if (own.fluid_ellipsoid != fresh.fluid_ellipsoid) word(schema, "fluidshape", own.fluid_ellipsoid ? 1 : 0);
    }
    if constexpr (requires { own.textures; }) {
      if (layers && !own.textures[1].empty()) text("texture", own.textures[1], own.source);
    }
    xml.close();
  };
  record("default_joint", klass.joint, around.joint);
  record("default_geom", klass.geom, around.geom);
  record("default_site", klass.site, around.site);
  record("default_mesh", klass.mesh, around.mesh);
  record("default_material", klass.material, around.material);
  record("default_texture", klass.texture, around.texture);
  record("default_pair", klass.pair, around.pair);
  record("default_equality", klass.equality, around.equality);
  record("default_tendon", klass.tendon, around.tendon);
  for (const int child : nested[index]) write_class(child, nested);
  xml.close();
}

void MjcfWriter::write_class_of(const SpecObject& object, int inherited) {
  if (!keep_classes_ || object.klass == inherited) return;
  if (object.klass < 0 || object.klass >= static_cast<int>(spec.classes.size())) return;
  text("class", spec.classes[object.klass].name, object.source);
}

int MjcfWriter::inherited_class(int body, int frame) const {
  const auto index_of = [&](const std::string& name) {
    for (size_t i = 0; i < spec.classes.size(); ++i) {
      if (spec.classes[i].name == name) return static_cast<int>(i);
    }
    return 0;
  };
  if (!keep_classes_) return 0;
  for (; body >= 0; frame = spec.bodies[body].frame, body = spec.bodies[body].parent) {
    for (; frame >= 0; frame = spec.frames[frame].parent) {
      if (!spec.frames[frame].childclass.empty()) return index_of(spec.frames[frame].childclass);
    }
    if (!spec.bodies[body].childclass.empty()) return index_of(spec.bodies[body].childclass);
  }
  return 0;
}

}  // namespace pliant

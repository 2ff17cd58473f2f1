// Links: mass and inertia, shapes to collide with and to look at, colours, mesh files.
//
// The conventions are those of the reference's importer where it has some: what is looked at is in group 1 and has
// neither contacts nor mass; a mesh is named after its file. A link's mass is what <inertial> says and nothing else.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "load/asset_path.h"
#include "load/package_path.h"
#include "math/principal_axes.h"
#include "load/urdf_reader.h"

namespace pliant {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// What decides whether two <mesh> elements mean the same asset, as far as the text tells.
std::string mesh_key(const Element& element) {
  const Attribute *file = element.find("filename"), *scale = element.find("scale");
  return std::string(file ? file->value : "") + "\n" + std::string(scale ? scale->value : "");
}

/// Whether a file is STL in its text form, which MJCF does not have.
bool is_text_stl(const std::string& path, const LoadOptions& options) {
  std::string head(400, '\0');
  if (const std::string* asset = find_asset(options, path)) {
    head = asset->substr(0, head.size());
  } else {
    std::ifstream stream(path, std::ios::binary);
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  }
  return head.starts_with("solid") && head.find("facet") != std::string::npos;
}

}  // namespace

void UrdfReader::read_link(const Element& element) {
  Link link;
  link.element = &element;
  const ElementSchema& schema = urdf_element("link");
  services_.read_attributes(element, schema, nullptr);
  BodySpec& body = link.body;
  body.source = source_of(element);
  const bool is_new = take_name(element, link_ids_, links_.size(), body.name);
  // whatever the shapes are: a link without <inertial> has no mass (urdf_mass.cpp looks after those that move)
  body.has_inertial = true;
  body.inertial_source = body.source;
  body.ipos = {0, 0, 0};
  Floats<4> rgba = {-1, 0, 0, 0};
  double friction = -1;
  services_.for_children(element, schema, [&](const Element& part, const ElementSchema& part_schema) {
    if (part.tag == "inertial") {
      read_inertial(part, body);
    } else if (part.tag == "contact") {
      services_.read_attributes(part, part_schema, nullptr);
      services_.for_children(part, part_schema, [&](const Element& value, const ElementSchema& value_schema) {
        services_.read_attributes(value, value_schema, nullptr);
        if (services_.real(value, "value", friction) && friction < 0) {
          services_.error_at(Code::kBadRange, *value.find("value"), value,
                             "friction of link " + quote(body.name) + " is negative");
        }
      });
    } else {
      read_shape(part, link, rgba, part.tag == "collision");
    }
  });
  for (GeomSpec& geom : link.geoms) {
    if (friction >= 0 && (geom.contype || geom.conaffinity)) geom.friction[0] = friction;
  }
  if (is_new) links_.push_back(std::move(link));
}

void UrdfReader::read_inertial(const Element& element, BodySpec& body) {
  const ElementSchema& schema = urdf_element("inertial");
  services_.read_attributes(element, schema, nullptr);
  body.inertial_source = source_of(element);
  double moments[6] = {};
  services_.for_children(element, schema, [&](const Element& part, const ElementSchema& part_schema) {
    services_.read_attributes(part, part_schema, nullptr);
    if (part.tag == "mass") {
      const bool read = services_.real(part, "value", body.mass);
      if (read && body.mass < 0) {
        services_.error_at(Code::kBadMass, *part.find("value"), part,
                           "link " + quote(body.name) + " has a negative mass: " + number_text(body.mass));
      }
      if (!read || body.mass < 0) body.mass = 1;  // an error: that it has no mass need not be said, too
    } else if (part.tag == "inertia") {
      static constexpr const char* kNames[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
      for (int k = 0; k < 6; ++k) {
        const bool read = services_.real(part, kNames[k], moments[k]);
        if (!read && k <= 2) moments[k] = 1;  // as with a mass
        if (!read || k > 2 || moments[k] >= -kNoInertia) continue;
        services_.error_at(Code::kBadInertia, *part.find(kNames[k]), part,
                           "link " + quote(body.name) + " has a negative moment of inertia: " + kNames[k] + " is " +
                               number_text(moments[k]));
      }
    }
  });
  for (const char* tag : {"mass", "inertia"}) {
    if (!child(element, tag)) {
      services_.error(Code::kMissingAttribute, element,
                      "<inertial> of link " + quote(body.name) + " has no <" + tag + ">");
    }
  }
  const Pose pose = origin_of(element);
  body.ipos = {pose.pos.x, pose.pos.y, pose.pos.z};
  if (std::all_of(moments, moments + 6, [](double x) { return x == 0; })) return;
  const double full[3][3] = {
      {moments[0], moments[3], moments[4]}, {moments[3], moments[1], moments[5]}, {moments[4], moments[5], moments[2]}};
  double principal[3];
  Quat axes;
  principal_axes(full, principal, axes);
  axes = pose.quat * axes;  // in the axes of the link
  if (std::all_of(principal, principal + 3, [](double x) { return std::abs(x) <= kNoInertia; })) return;
  body.inertia = {principal[0], principal[1], principal[2]};
  body.iorientation.quat = {axes.w, axes.x, axes.y, axes.z};
}

void UrdfReader::read_shape(const Element& element, Link& link, Floats<4>& rgba, bool collides) {
  const ElementSchema& schema = urdf_element(element.tag);
  services_.read_attributes(element, schema, nullptr);
  GeomSpec geom;
  geom.source = source_of(element);
  services_.text(element, "name", geom.name);
  // names of shapes are decoration in URDF, and often repeated
  if (!geom.name.empty() && !geom_names_.insert(geom.name).second) {
    ledger_.change_recent(element.find("name")->value_at, Fate::kIgnored, "another shape has this name");
    geom.name.clear();
  }
  if (!collides) {
    geom.contype = geom.conaffinity = 0;
    geom.group = 1;
    geom.density = 0;
  } else if (!options_.urdf.self_collision) {
    geom.contype = 0;  // meets what has contype 1, so not its own kind
  }
  bool usable = false;
  services_.for_children(element, schema, [&](const Element& part, const ElementSchema& part_schema) {
    services_.read_attributes(part, part_schema, nullptr);
    if (part.tag == "geometry") {
      usable = read_geometry(part, geom, collides);
    } else if (part.tag == "material") {
      services_.for_children(part, part_schema, [&](const Element& value, const ElementSchema& value_schema) {
        services_.read_attributes(value, value_schema, nullptr);
      });
      std::string name;
      services_.text(part, "name", name);
      const Element* color = child(part, "color");
      double values[4];
      if (collides) return;
      if (color && services_.reals(*color, "rgba", values) == 4) {
        for (int k = 0; k < 4; ++k) rgba[k] = static_cast<float>(values[k]);
      } else if (const auto known = materials_.find(name); known != materials_.end()) {
        rgba = known->second;
      }
    }
  });
  if (!child(element, "geometry")) {
    services_.error(Code::kMissingAttribute, element,
                    "<" + std::string(element.tag) + "> of link " + quote(link.body.name) + " has no <geometry>");
  }
  if (!usable) return;
  const Pose pose = origin_of(element);
  geom.pos = {pose.pos.x, pose.pos.y, pose.pos.z};
  geom.orientation.quat = {pose.quat.w, pose.quat.x, pose.quat.y, pose.quat.z};
  if (rgba[0] >= 0) geom.rgba = rgba;
  link.geoms.push_back(std::move(geom));
}

bool UrdfReader::read_geometry(const Element& geometry, GeomSpec& geom, bool collides) {
  if (geometry.children.size() != 1) {
    services_.error(
        geometry.children.empty() ? Code::kMissingAttribute : Code::kRepeatedElement, geometry,
        geometry.children.empty() ? "<geometry> has no shape that is known" : "<geometry> has more than one shape",
        "shapes are box, cylinder, sphere, capsule and mesh");
  }
  bool usable = false;
  services_.for_children(geometry, urdf_element("geometry"), [&](const Element& shape, const ElementSchema& schema) {
    services_.read_attributes(shape, schema, nullptr);
    if (shape.tag == "mesh") {
      usable = read_mesh(shape, geom, collides);
      return;
    }
    geom.type = shape.tag == "box"        ? GeomType::kBox
                : shape.tag == "cylinder" ? GeomType::kCylinder
                : shape.tag == "capsule"  ? GeomType::kCapsule
                                          : GeomType::kSphere;
    usable = true;
    // URDF gives whole lengths, MJCF halves
    double values[3];
    const auto size = [&](const char* name, int first, int count, double factor) {
      if (services_.reals(shape, name, {values, static_cast<size_t>(count)}) != count) {
        usable = false;
        return;
      }
      for (int k = 0; k < count; ++k) {
        geom.size[first + k] = factor * values[k];
        if (values[k] > 0) continue;
        services_.error_at(
            Code::kBadSize, *shape.find(name), shape,
            "<" + std::string(shape.tag) + "> needs a " + name + " greater than 0, not " + number_text(values[k]));
        usable = false;
        return;
      }
    };
    if (geom.type == GeomType::kBox) {
      size("size", 0, 3, 0.5);
      return;
    }
    size("radius", 0, 1, 1);
    if (geom.type != GeomType::kSphere) size("length", 1, 1, 0.5);
  });
  return usable;
}

bool UrdfReader::read_mesh(const Element& element, GeomSpec& geom, bool collides) {
  const Attribute* given = element.find("filename");
  if (!given) return false;
  Reals<3> scale = {1, 1, 1};
  double values[3];
  const int count = services_.reals(element, "scale", values);
  if (count == 2) {
    services_.error_at(Code::kWrongCount, *element.find("scale"), element,
                       "attribute 'scale' of <mesh> needs 3 values, or 1 for all");
    return false;
  }
  for (int k = 0; k < 3 && count > 0; ++k) scale[k] = values[count == 1 ? 0 : k];
  if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0) {
    services_.error_at(Code::kBadSize, *element.find("scale"), element, "a mesh cannot be scaled by 0");
    return false;
  }
  const std::string name(trimmed(given->value));
  const FoundFile found = find_urdf_file(name, directory_, in_memory_, meshdir_, options_);
  if (found.path.empty()) {
    std::string where;
    for (size_t i = 0; i < std::min<size_t>(found.tried.size(), 4); ++i)
      where += (i ? ", " : "looked for ") + quote(found.tried[i], 200);
    if (found.tried.size() > 4) where += " and in " + std::to_string(found.tried.size() - 4) + " more places";
    if (name.starts_with("package://")) where += "; --package-path (package_paths) names folders of packages";
    const std::string message = "mesh file " + quote(name, 200) + " is not found";
    if (collides) {
      services_.error_at(Code::kBadAsset, *given, element, message, where);
    } else {
      diagnostics_.warning(Code::kVisualFileMissing, given->value_at, element.tag,
                           message + "; the shape would only be looked at, and is left out", where);
      ledger_.change_recent(given->value_at, Fate::kIgnored, "the file is not found");
    }
    return false;
  }
  if (found.guessed && guess_.count++ == 0) guess_ = {1, given->value_at, name, found.path};

  // one asset per file and scale, named after the file
  std::string key = found.path;
  for (double s : scale) key += " " + number_text(s);
  // a mesh that is only looked at may have no volume, and may be damaged; one that collides has the volume of its hull
  const bool shown_only = !colliding_meshes_.count(mesh_key(element));
  if (shown_only) key += " shown";
  auto [entry, is_new] = mesh_names_.try_emplace(key);
  if (is_new) {
    const std::string stem(file_stem(found.path));
    std::string unique = stem;
    for (int i = 1; !used_mesh_names_.insert(unique).second; ++i) unique = stem + "_" + std::to_string(i);
    entry->second = unique;
    MeshSpec mesh;
    mesh.source = source_of(element);
    mesh.name = unique;
    // the compiler looks from the folder of the model
    const std::filesystem::path path(found.path), base(directory_);
    const std::filesystem::path relative =
        path.is_relative() && !directory_.empty() ? path.lexically_relative(base) : path;
    mesh.file = relative.empty() ? found.path : relative.string();
    mesh.scale = scale;
    // (the hull of a mesh that is mirrored is inside out, as in the reference, and would have no volume)
    const bool mirrored = scale[0] * scale[1] * scale[2] < 0;
    mesh.inertia = shown_only ? MeshInertia::kShell : mirrored ? MeshInertia::kLegacy : MeshInertia::kConvex;
    mesh.optional = shown_only;
    if (is_text_stl(found.path, options_)) mesh.content_type = "model/stl+text";
    spec_.meshes.push_back(std::move(mesh));
  }
  geom.type = GeomType::kMesh;
  geom.mesh = entry->second;
  return true;
}

void UrdfReader::report_guesses() {
  if (guess_.count == 0) return;
  std::string message = guess_.count == 1 ? "the package of a file is not known"
                                          : "the package of " + std::to_string(guess_.count) + " files is not known";
  diagnostics_.warning(
      Code::kGuessedPath, guess_.at, "mesh",
      message + "; found by the end of the path: " + quote(guess_.path, 200) + " for " + quote(guess_.name, 200),
      "--package-path (package_paths) names folders of packages");
}

void UrdfReader::collect(const Element& element, bool collides) {
  if (element.tag == "mesh" && collides) colliding_meshes_.insert(mesh_key(element));
  if (element.tag == "material") {
    const Element* color = child(element, "color");
    const Attribute* name = element.find("name");
    double values[4];
    if (color && name && !name->value.empty() && services_.reals(*color, "rgba", values) == 4) {
      Floats<4> rgba;
      for (int k = 0; k < 4; ++k) rgba[k] = static_cast<float>(values[k]);
      materials_.try_emplace(std::string(name->value), rgba);
    }
  }
  for (const Element& part : element.children) collect(part, collides || element.tag == "collision");
}

}  // namespace pliant

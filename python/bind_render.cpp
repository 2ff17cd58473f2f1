// Scenes and pictures: cameras, options, geoms and lights under MuJoCo's names, and the renderer.

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/filesystem.h>

#include <algorithm>
#include <string>
#include <utility>

#include "bind.h"
#include "pliant/render.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

// ---- attributes --------------------------------------------------------------------------------

/// Numbers of a member as a view of NumPy; assigning copies numbers into it.
template <class Owner, class Element, class Address>
void numbers(nb::class_<Owner>& cls, const char* name, size_t rows, size_t columns, Address address) {
  auto view = [=](nb::handle self) {
    Element* data = address(nb::cast<Owner&>(self));
    const size_t shape[2] = {rows, columns};
    return nb::cast(nb::ndarray<nb::numpy, Element>(data, columns > 1 ? 2 : 1, shape, self), nb::rv_policy::reference);
  };
  cls.def_prop_rw(name, view, [view](nb::handle self, nb::handle value) {
    nb::object array = view(self);
    array[nb::ellipsis()] = nb::module_::import_("numpy").attr("reshape")(value, array.attr("shape"));
  });
}

#define NUMBERS(name, type, rows, columns) \
  numbers<Owner, type>(cls, #name, rows, columns, [](Owner& o) { return &o.name[0]; });
#define NUMBER(name) cls.def_rw(#name, &Owner::name);
// An enum or flag as a number, as the reference has it.
#define CODE(name)                                                    \
  cls.def_prop_rw(                                                    \
      #name, [](const Owner& o) { return static_cast<int>(o.name); }, \
      [](Owner& o, int value) { o.name = static_cast<decltype(o.name)>(value); });

// clang-format off
void bind_camera(nb::module_& m) {
  using Owner = VisualCamera;
  nb::class_<Owner> cls(m, "MjvCamera", "A camera around a point, following a body, or one of the model's.");
  cls.def(nb::init<>());
  CODE(type) CODE(fixedcamid) CODE(trackbodyid) CODE(orthographic)
  NUMBERS(lookat, double, 3, 1) NUMBER(distance) NUMBER(azimuth) NUMBER(elevation)
}

void bind_view(nb::module_& m) {
  using Owner = ViewCamera;
  nb::class_<Owner> cls(m, "MjvGLCamera", "Where a scene is seen from, and the window through which.");
  cls.def(nb::init<>());
  NUMBERS(pos, double, 3, 1) NUMBERS(forward, double, 3, 1) NUMBERS(up, double, 3, 1)
  NUMBER(frustum_center) NUMBER(frustum_width) NUMBER(frustum_bottom) NUMBER(frustum_top) NUMBER(frustum_near)
  NUMBER(frustum_far) CODE(orthographic)
}

void bind_option(nb::module_& m) {
  using Owner = VisualOptions;
  nb::class_<Owner> cls(m, "MjvOption", "What of a model is shown.");
  cls.def(nb::init<>());
  CODE(label) CODE(frame) CODE(bvh_depth) CODE(flex_layer)
  NUMBERS(geomgroup, unsigned char, 6, 1) NUMBERS(sitegroup, unsigned char, 6, 1)
  NUMBERS(jointgroup, unsigned char, 6, 1) NUMBERS(tendongroup, unsigned char, 6, 1)
  NUMBERS(actuatorgroup, unsigned char, 6, 1) NUMBERS(flexgroup, unsigned char, 6, 1)
  NUMBERS(skingroup, unsigned char, 6, 1) NUMBERS(flags, unsigned char, kNumVisFlags, 1)
}

void bind_geom(nb::module_& m) {
  using Owner = VisualGeom;
  nb::class_<Owner> cls(m, "MjvGeom", "One thing of a scene.");
  cls.def(nb::init<>());
  CODE(type) CODE(dataid) CODE(objtype) CODE(objid) CODE(category) CODE(matid) CODE(texid) CODE(texuniform)
  CODE(texcoord) CODE(segid) CODE(castshadow)
  NUMBERS(size, double, 3, 1) NUMBERS(pos, double, 3, 1) NUMBERS(mat, double, 3, 3) NUMBERS(rgba, float, 4, 1)
  NUMBERS(texrepeat, float, 2, 1)
  NUMBER(emission) NUMBER(specular) NUMBER(shininess) NUMBER(reflectance) NUMBER(label)
}

void bind_light(nb::module_& m) {
  using Owner = VisualLight;
  nb::class_<Owner> cls(m, "MjvLight", "A light of a scene.");
  cls.def(nb::init<>());
  CODE(id) CODE(type) CODE(texid) CODE(headlight) CODE(castshadow)
  NUMBERS(pos, double, 3, 1) NUMBERS(dir, double, 3, 1) NUMBERS(attenuation, float, 3, 1)
  NUMBERS(ambient, float, 3, 1) NUMBERS(diffuse, float, 3, 1) NUMBERS(specular, float, 3, 1)
  NUMBER(cutoff) NUMBER(exponent) NUMBER(bulbradius) NUMBER(intensity) NUMBER(range) NUMBER(softness)
}
// clang-format on

// ---- scenes ------------------------------------------------------------------------------------

/// Geoms or lights of a scene: a sequence of references into it.
template <class Element>
struct Parts {
  nb::object scene;
  std::vector<Element>* parts;

  Element& at(nb::ssize_t index) const {
    const auto n = static_cast<nb::ssize_t>(parts->size());
    if (index < 0) index += n;
    if (index < 0 || index >= n)
      throw nb::index_error(
          ("there are " + std::to_string(n) + " of them; there is no " + std::to_string(index)).c_str());
    return (*parts)[static_cast<size_t>(index)];
  }
};

template <class Element>
void bind_parts(nb::module_& m, const char* name) {
  using List = Parts<Element>;
  nb::class_<List>(m, name)
      .def("__len__", [](const List& list) { return list.parts->size(); })
      .def(
          "__getitem__", [](const List& list, nb::ssize_t i) -> Element& { return list.at(i); },
          nb::rv_policy::reference_internal)
      .def("__getitem__", [](nb::handle self, const nb::slice& slice) {
        const List& list = nb::cast<List&>(self);
        auto [start, stop, step, count] = slice.compute(list.parts->size());
        nb::list out;
        for (size_t i = 0; i < count; ++i, start += step)
          out.append(nb::cast(list.at(static_cast<nb::ssize_t>(start)), nb::rv_policy::reference_internal, self));
        return out;
      });
}

void bind_scene(nb::module_& m) {
  bind_parts<VisualGeom>(m, "_Geoms");
  bind_parts<VisualLight>(m, "_Lights");
  using Owner = VisualScene;
  nb::class_<Owner> cls(m, "_Scene", nb::dynamic_attr());
  cls.def(nb::init<int>(), "maxgeom"_a);
  cls.def_ro("maxgeom", &Owner::maxgeom);
  cls.def_prop_rw(
      "ngeom", [](const Owner& o) { return o.ngeom; },
      [](Owner& o, int n) {
        if (n < 0 || n > static_cast<int>(o.geoms.size())) {
          throw nb::value_error(("a scene with room for " + std::to_string(o.geoms.size()) + " geoms cannot have " +
                                 std::to_string(n) + "; give MjvScene a larger maxgeom")
                                    .c_str());
        }
        o.ngeom = n;
      });
  cls.def_prop_rw(
      "nlight", [](const Owner& o) { return o.nlight; },
      [](Owner& o, int n) {
        if (n < 0 || n > static_cast<int>(o.lights.size()))
          throw nb::value_error(("a scene has 0 to 100 lights, not " + std::to_string(n)).c_str());
        o.nlight = n;
      });
  cls.def_ro("_left_out", &Owner::left_out);
  cls.def_prop_ro("geoms",
                  [](nb::handle self) { return Parts<VisualGeom>{nb::borrow(self), &nb::cast<Owner&>(self).geoms}; });
  cls.def_prop_ro("lights",
                  [](nb::handle self) { return Parts<VisualLight>{nb::borrow(self), &nb::cast<Owner&>(self).lights}; });
  cls.def_prop_ro("camera", [](nb::handle self) {
    Owner& scene = nb::cast<Owner&>(self);
    return nb::make_tuple(nb::cast(scene.camera[0], nb::rv_policy::reference_internal, self),
                          nb::cast(scene.camera[1], nb::rv_policy::reference_internal, self));
  });
  NUMBERS(flags, unsigned char, kNumRenderFlags, 1)
  // what a picture needs, as it is now
  cls.def("_snapshot", [](const Owner& scene) {
    VisualScene copy;
    copy.geoms.assign(scene.geoms.begin(), scene.geoms.begin() + scene.ngeom);
    copy.ngeom = scene.ngeom, copy.nlight = scene.nlight;
    copy.lights = scene.lights;
    copy.camera[0] = scene.camera[0], copy.camera[1] = scene.camera[1];
    copy.flags = scene.flags;
    copy.skin_vert = scene.skin_vert, copy.skin_normal = scene.skin_normal;
    return copy;
  });
}

/// The reference moves the point that a tracking camera looks at.
void follow_body(const Model& m, const Data& d, VisualCamera& camera) {
  if (camera.type != CameraType::kTracking || camera.trackbodyid < 0 || camera.trackbodyid >= m.nbody) return;
  std::copy_n(d.subtree_com + 3 * camera.trackbodyid, 3, camera.lookat);
}

void check_parts(const PyModel& model, const State& state, const Data& data) {
  if (state.fits(model.model) && data.fits(model.model)) return;
  throw std::invalid_argument("update_scene: the data belong to a model of other sizes");
}

// ---- pictures ----------------------------------------------------------------------------------

template <class T>
nb::object new_array(const char* type, std::initializer_list<int> shape, T*& data) {
  nb::list sizes;
  for (const int n : shape) sizes.append(n);
  nb::object array = nb::module_::import_("numpy").attr("empty")(nb::tuple(sizes), type);
  data = nb::cast<nb::ndarray<T, nb::c_contig, nb::device::cpu>>(array).data();
  return array;
}

}  // namespace

void bind_render(nb::module_& m) {
  bind_camera(m);
  bind_view(m);
  bind_option(m);
  bind_geom(m);
  bind_light(m);
  bind_scene(m);

  m.def("_default_free_camera", [](const PyModel& model) { return default_free_camera(model.model); });
  m.def("_update_camera", [](const PyModel& model, const Data& data, VisualCamera& camera, VisualScene& scene) {
    if (!data.fits(model.model))
      throw std::invalid_argument("mjv_updateCamera: the data belong to a model of other sizes");
    follow_body(model.model, data, camera);
    update_camera(model.model, data, camera, scene);
  });
  m.def("_update_scene", [](const PyModel& model, const State& state, const Data& data, const VisualOptions& options,
                            VisualCamera& camera, int categories, VisualScene& scene) {
    check_parts(model, state, data);
    follow_body(model.model, data, camera);
    update_scene(model.model, state, data, options, camera, scene, categories);
  });
  m.def(
      "_init_geom",
      [](VisualGeom& geom, int type, nb::handle size, nb::handle pos, nb::handle mat, nb::handle rgba) {
        const auto input = [](const char* name, nb::handle value, size_t n) {
          std::vector<double> out;
          if (!value.is_none()) {
            const double* from = Input("mjv_initGeom", name, value, n);
            out.assign(from, from + n);
          }
          return out;
        };
        const auto sizes = input("size", size, 3), place = input("pos", pos, 3), turn = input("mat", mat, 9),
                   color = input("rgba", rgba, 4);
        float color_single[4];
        std::transform(color.begin(), color.end(), color_single, [](double x) { return static_cast<float>(x); });
        const auto address = [](const std::vector<double>& v) { return v.empty() ? nullptr : v.data(); };
        init_geom(geom, type, address(sizes), address(place), address(turn), color.empty() ? nullptr : color_single);
      },
      "geom"_a, "type"_a, "size"_a.none(), "pos"_a.none(), "mat"_a.none(), "rgba"_a.none());
  m.def("_connect_geom", [](VisualGeom& geom, int type, double width, nb::handle from, nb::handle to) {
    connect_geom(geom, type, width, Input("mjv_connector", "from_", from, 3), Input("mjv_connector", "to", to, 3));
  });

  nb::class_<Renderer> cls(m, "_Renderer");
  cls.def(
      "__init__", [](Renderer* self, const PyModel& model, int threads) { new (self) Renderer(model.model, threads); },
      nb::keep_alive<1, 2>(), "model"_a, "threads"_a = 0);
  cls.def("set_samples", &Renderer::set_samples);
  cls.def("set_text_scale", &Renderer::set_text_scale);
  cls.def("reload", &Renderer::reload);
  cls.def("rgb", [](Renderer& self, const VisualScene& scene, int width, int height) {
    unsigned char* data;
    nb::object out = new_array("uint8", {height, width, 3}, data);
    const nb::gil_scoped_release release;
    self.rgb(scene, width, height, data);
    return out;
  });
  cls.def("depth", [](Renderer& self, const VisualScene& scene, int width, int height) {
    double* data;
    nb::object out = new_array("float64", {height, width}, data);
    const nb::gil_scoped_release release;
    self.depth(scene, width, height, data);
    return out;
  });
  cls.def("segid", [](Renderer& self, const VisualScene& scene, int width, int height) {
    int32_t* data;
    nb::object out = new_array("int32", {height, width}, data);
    const nb::gil_scoped_release release;
    self.segmentation(scene, width, height, data);
    return out;
  });
  cls.def("objects", [](Renderer& self, const VisualScene& scene, int width, int height) {
    int32_t* data;
    nb::object out = new_array("int32", {height, width, 2}, data);
    static_assert(sizeof(PixelObject) == 2 * sizeof(int32_t));
    const nb::gil_scoped_release release;
    self.segmentation(scene, width, height, reinterpret_cast<PixelObject*>(data));
    return out;
  });
  m.def("_write_text", [](const nb::ndarray<unsigned char, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>& pixels,
                          int x, int y, const std::string& text, int scale) {
    write_text(pixels.data(), static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)), x, y, text, scale);
  });
  m.def("_text_size", [](const std::string& text, int scale) {
    const auto [width, height] = text_size(text, scale);
    return nb::make_tuple(width, height);
  });
  m.def("_write_png", [](const std::filesystem::path& path,
                         const nb::ndarray<const unsigned char, nb::c_contig, nb::device::cpu>& pixels) {
    if (pixels.ndim() != 2 && pixels.ndim() != 3) throw nb::value_error("a picture has the shape (height, width, 3)");
    write_png(path, static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)),
              pixels.ndim() == 3 ? static_cast<int>(pixels.shape(2)) : 1, pixels.data());
  });
}

}  // namespace pliant::python

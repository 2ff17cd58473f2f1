// Options, Statistic and Visual as objects with attributes. Vectors are NumPy views into the Model.

#include <nanobind/ndarray.h>

#include <array>
#include <type_traits>

#include "bind.h"
#include "pliant/option_checks.h"

namespace nb = nanobind;

namespace pliant::python {
namespace {

template <class T>
struct ArrayOf : std::false_type {};
template <class T, size_t n>
struct ArrayOf<std::array<T, n>> : std::true_type {
  using Element = T;
  static constexpr size_t kSize = n;
};

// What a member of the options may be is known: anything else is an error that says so, and changes nothing.
template <class Member>
void set_option(Options& options, const char* name, Member Options::* member, nb::handle value) {
  using Number = std::conditional_t<std::is_enum_v<Member>, int, Member>;
  Number number;
  if (!nb::try_cast(nb::borrow(value), number)) {
    const std::string given = nb::repr(value).c_str(), option = std::string("opt.") + name;
    throw nb::value_error((option + " cannot be " + given + "; " + option_range(option)).c_str());
  }
  Options changed = options;
  changed.*member = static_cast<Member>(number);
  if (const OptionProblem problem = option_problem(changed, name)) throw nb::value_error(to_text(problem).c_str());
  options.*member = changed.*member;
}

// Binds one member: an array as a view, an enum or a flag as int, a number as itself.
template <class Owner, class Member>
void attribute(nb::class_<Owner>& cls, const char* name, Member Owner::* member) {
  if constexpr (std::is_same_v<Owner, Options> && !ArrayOf<Member>::value) {
    using Number = std::conditional_t<std::is_enum_v<Member>, int, Member>;
    cls.def_prop_rw(
        name, [member](const Options& options) { return static_cast<Number>(options.*member); },
        [name, member](Options& options, nb::handle value) { set_option(options, name, member, value); });
  } else if constexpr (ArrayOf<Member>::value) {
    using Array = ArrayOf<Member>;
    auto view = [member](nb::handle self) {
      Owner& owner = nb::cast<Owner&>(self);
      return nb::cast(nb::ndarray<nb::numpy, typename Array::Element>((owner.*member).data(), {Array::kSize}, self),
                      nb::rv_policy::reference);
    };
    cls.def_prop_rw(name, view, [view, name, member](nb::handle self, nb::handle value) {
      (void)name;  // arrays of other owners are not checked
      nb::object array = view(self);
      const Member before = nb::cast<Owner&>(self).*member;
      array[nb::ellipsis()] = value;
      if constexpr (std::is_same_v<Owner, Options>) {
        if (const OptionProblem problem = option_problem(nb::cast<Options&>(self), name)) {
          nb::cast<Options&>(self).*member = before;
          throw nb::value_error(to_text(problem).c_str());
        }
      }
    });
  } else if constexpr (std::is_enum_v<Member> || std::is_same_v<Member, bool>) {
    cls.def_prop_rw(
        name, [member](const Owner& owner) { return static_cast<int>(owner.*member); },
        [member](Owner& owner, int value) { owner.*member = static_cast<Member>(value); });
  } else {
    cls.def_prop_rw(
        name, [member](const Owner& owner) { return owner.*member; },
        [member](Owner& owner, Member value) { owner.*member = value; });
  }
}

#define ATTRIBUTE(name) attribute(cls, #name, &Owner::name);
// clang-format off

using Global = decltype(Visual::global);
using Quality = decltype(Visual::quality);
using Headlight = decltype(Visual::headlight);
using Map = decltype(Visual::map);
using Scale = decltype(Visual::scale);
using Rgba = decltype(Visual::rgba);

void bind_option(nb::module_& m) {
  using Owner = Options;
  nb::class_<Owner> cls(m, "MjOption", "Options of the simulation.");
  cls.def(nb::init<>());
  ATTRIBUTE(timestep) ATTRIBUTE(impratio) ATTRIBUTE(tolerance) ATTRIBUTE(ls_tolerance)
  ATTRIBUTE(noslip_tolerance) ATTRIBUTE(ccd_tolerance) ATTRIBUTE(sleep_tolerance)
  ATTRIBUTE(gravity) ATTRIBUTE(wind) ATTRIBUTE(magnetic) ATTRIBUTE(density) ATTRIBUTE(viscosity)
  ATTRIBUTE(o_margin) ATTRIBUTE(o_solref) ATTRIBUTE(o_solimp) ATTRIBUTE(o_friction)
  ATTRIBUTE(integrator) ATTRIBUTE(cone) ATTRIBUTE(jacobian) ATTRIBUTE(solver)
  ATTRIBUTE(iterations) ATTRIBUTE(ls_iterations) ATTRIBUTE(noslip_iterations)
  ATTRIBUTE(ccd_iterations) ATTRIBUTE(disableflags) ATTRIBUTE(enableflags)
  ATTRIBUTE(disableactuator) ATTRIBUTE(sdf_initpoints) ATTRIBUTE(sdf_iterations)
  ATTRIBUTE(tgs_substeps) ATTRIBUTE(tgs_sweeps) ATTRIBUTE(discrete_full) ATTRIBUTE(friction) ATTRIBUTE(spin)
  ATTRIBUTE(resolution)
}

void bind_statistic(nb::module_& m) {
  using Owner = Statistic;
  nb::class_<Owner> cls(m, "MjStatistic", "Typical magnitudes of a model.");
  cls.def(nb::init<>());
  ATTRIBUTE(meaninertia) ATTRIBUTE(meanmass) ATTRIBUTE(meansize) ATTRIBUTE(extent) ATTRIBUTE(center)
}

void bind_global(nb::handle scope) {
  using Owner = Global;
  nb::class_<Owner> cls(scope, "Global");
  cls.def(nb::init<>());
  ATTRIBUTE(cameraid) ATTRIBUTE(orthographic) ATTRIBUTE(fovy) ATTRIBUTE(ipd) ATTRIBUTE(azimuth)
  ATTRIBUTE(elevation) ATTRIBUTE(linewidth) ATTRIBUTE(glow) ATTRIBUTE(realtime) ATTRIBUTE(offwidth)
  ATTRIBUTE(offheight) ATTRIBUTE(ellipsoidinertia) ATTRIBUTE(bvactive)
}

void bind_quality(nb::handle scope) {
  using Owner = Quality;
  nb::class_<Owner> cls(scope, "Quality");
  cls.def(nb::init<>());
  ATTRIBUTE(shadowsize) ATTRIBUTE(offsamples) ATTRIBUTE(numslices) ATTRIBUTE(numstacks)
  ATTRIBUTE(numquads)
}

void bind_headlight(nb::handle scope) {
  using Owner = Headlight;
  nb::class_<Owner> cls(scope, "Headlight");
  cls.def(nb::init<>());
  ATTRIBUTE(ambient) ATTRIBUTE(diffuse) ATTRIBUTE(specular) ATTRIBUTE(active)
}

void bind_map(nb::handle scope) {
  using Owner = Map;
  nb::class_<Owner> cls(scope, "Map");
  cls.def(nb::init<>());
  ATTRIBUTE(stiffness) ATTRIBUTE(stiffnessrot) ATTRIBUTE(force) ATTRIBUTE(torque) ATTRIBUTE(alpha)
  ATTRIBUTE(fogstart) ATTRIBUTE(fogend) ATTRIBUTE(znear) ATTRIBUTE(zfar) ATTRIBUTE(haze)
  ATTRIBUTE(shadowclip) ATTRIBUTE(shadowscale) ATTRIBUTE(actuatortendon)
}

void bind_scale(nb::handle scope) {
  using Owner = Scale;
  nb::class_<Owner> cls(scope, "Scale");
  cls.def(nb::init<>());
  ATTRIBUTE(forcewidth) ATTRIBUTE(contactwidth) ATTRIBUTE(contactheight) ATTRIBUTE(connect)
  ATTRIBUTE(com) ATTRIBUTE(camera) ATTRIBUTE(light) ATTRIBUTE(selectpoint) ATTRIBUTE(jointlength)
  ATTRIBUTE(jointwidth) ATTRIBUTE(actuatorlength) ATTRIBUTE(actuatorwidth) ATTRIBUTE(framelength)
  ATTRIBUTE(framewidth) ATTRIBUTE(constraint) ATTRIBUTE(slidercrank) ATTRIBUTE(frustum)
}

void bind_rgba(nb::handle scope) {
  using Owner = Rgba;
  nb::class_<Owner> cls(scope, "Rgba");
  cls.def(nb::init<>());
  ATTRIBUTE(fog) ATTRIBUTE(haze) ATTRIBUTE(force) ATTRIBUTE(inertia) ATTRIBUTE(joint)
  ATTRIBUTE(actuator) ATTRIBUTE(actuatornegative) ATTRIBUTE(actuatorpositive) ATTRIBUTE(com)
  ATTRIBUTE(camera) ATTRIBUTE(light) ATTRIBUTE(selectpoint) ATTRIBUTE(connect)
  ATTRIBUTE(contactpoint) ATTRIBUTE(contactforce) ATTRIBUTE(contactfriction)
  ATTRIBUTE(contacttorque) ATTRIBUTE(contactgap) ATTRIBUTE(rangefinder) ATTRIBUTE(constraint)
  ATTRIBUTE(slidercrank) ATTRIBUTE(crankbroken) ATTRIBUTE(frustum) ATTRIBUTE(bv) ATTRIBUTE(bvactive)
}

// clang-format on
#undef ATTRIBUTE

template <class Part>
void part(nb::class_<Visual>& cls, const char* name, Part Visual::* member) {
  cls.def_prop_rw(
      name, [member](Visual& vis) -> Part& { return vis.*member; },
      [member](Visual& vis, const Part& part) { vis.*member = part; },
      nb::for_getter(nb::rv_policy::reference_internal));
}

}  // namespace

void bind_options(nb::module_& m) {
  bind_option(m);
  bind_statistic(m);
  nb::class_<Visual> cls(m, "MjVisual", "Settings for viewers; the engine does not use them.");
  cls.def(nb::init<>());
  bind_global(cls);
  bind_quality(cls);
  bind_headlight(cls);
  bind_map(cls);
  bind_scale(cls);
  bind_rgba(cls);
  part(cls, "global_", &Visual::global);
  part(cls, "quality", &Visual::quality);
  part(cls, "headlight", &Visual::headlight);
  part(cls, "map", &Visual::map);
  part(cls, "scale", &Visual::scale);
  part(cls, "rgba", &Visual::rgba);
}

}  // namespace pliant::python

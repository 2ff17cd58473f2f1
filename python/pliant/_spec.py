"""MjSpec: models built and changed in Python, under MuJoCo's names.

The model itself is C++ (include/pliant/edit.h); attributes of elements come from its table, which is made from the
schema of MJCF. Here are the names: classes get their attributes and methods, values are checked and converted, and what
mjSpec says in another way (orientations, paths of tendons, shortcuts of actuators) is translated.
"""

import math
import os
import sys
import time
import warnings
import weakref
import zipfile

import numpy as np

from . import _enums as E
from . import _pliant
from ._attributes import did_you_mean

# ---- attributes ----------------------------------------------------------------------------------

# Enumerations by class and attribute; "" stands for any class.
_ENUMS = {
    ("MjsBody", "sleep"): E.mjtSleepPolicy, ("MjsFrame", "scaling"): E.mjtScaling,
    ("MjsJoint", "type"): E.mjtJoint, ("MjsJoint", "align"): E.mjtAlignFree,
    ("", "limited"): E.mjtLimited, ("", "actfrclimited"): E.mjtLimited,
    ("MjsActuator", "ctrllimited"): E.mjtLimited, ("MjsActuator", "forcelimited"): E.mjtLimited,
    ("MjsActuator", "actlimited"): E.mjtLimited, ("MjsActuator", "type"): E.mjtActuator,
    ("MjsActuator", "gaintype"): E.mjtGain, ("MjsActuator", "biastype"): E.mjtBias,
    ("MjsActuator", "dyntype"): E.mjtDyn, ("MjsActuator", "trntype"): E.mjtTrn,
    ("MjsGeom", "type"): E.mjtGeom, ("MjsSite", "type"): E.mjtGeom, ("MjsGeom", "typeinertia"): E.mjtGeomInertia,
    ("MjsCamera", "mode"): E.mjtCamLight, ("MjsCamera", "proj"): E.mjtProjection,
    ("MjsLight", "mode"): E.mjtCamLight, ("MjsLight", "type"): E.mjtLightType,
    ("MjsMesh", "inertia"): E.mjtMeshInertia, ("MjsMesh", "builtin"): E.mjtMeshBuiltin,
    ("MjsTexture", "type"): E.mjtTexture, ("MjsTexture", "colorspace"): E.mjtColorSpace,
    ("MjsTexture", "builtin"): E.mjtBuiltin, ("MjsTexture", "mark"): E.mjtMark, ("MjsTexture", "embed"): E.mjtEmbed,
    ("MjsEquality", "type"): E.mjtEq, ("MjsEquality", "objtype"): E.mjtObj,
    ("MjsSensor", "type"): E.mjtSensor, ("MjsSensor", "objtype"): E.mjtObj, ("MjsSensor", "reftype"): E.mjtObj,
    ("MjsSensor", "datatype"): E.mjtDataType, ("MjsSensor", "needstage"): E.mjtStage,
    ("MjsCompiler", "inertiafromgeom"): E.mjtInertiaFromGeom, ("MjsCompiler", "conflict"): E.mjtConflict,
    ("MjsCompiler", "passthrough"): E.mjtPassthrough,
}  # fmt: skip
# Attributes that take fewer numbers: the others become zero.
_SHORTER = {"size", "stiffness", "damping"}
_ORIENTATIONS = {"axisangle": (E.mjtOrientation.mjORIENTATION_AXISANGLE, 4),
                 "xyaxes": (E.mjtOrientation.mjORIENTATION_XYAXES, 6),
                 "zaxis": (E.mjtOrientation.mjORIENTATION_ZAXIS, 3),
                 "euler": (E.mjtOrientation.mjORIENTATION_EULER, 3)}  # fmt: skip
_LETTERS = {"eulerseq": 3, "gridlayout": 12}


def _enum_of(cls, name):
    return _ENUMS.get((cls.__name__, name)) or _ENUMS.get(("", name))


def _name_text(value, name):
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"{name} should be a str, not {type(value).__name__}")
    return value


def _array(value, name, dtype):
    """One row of numbers."""
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"{name} should be numbers, not {type(value).__name__}")
    try:
        array = np.asarray(list(value) if not hasattr(value, "__array__") and hasattr(value, "__len__") else value)
        if array.size and array.dtype.kind not in "biuf":
            raise TypeError
        return array.astype(dtype).reshape(-1)
    except (TypeError, ValueError):
        raise TypeError(f"{name} should be numbers, not {value!r}") from None


def _assign_numbers(view, name, value, count):
    dtype = view.dtype
    scalar = np.isscalar(value) or (isinstance(value, np.ndarray) and value.ndim == 0)
    if scalar and not isinstance(value, (str, bytes)) and name in ("scale", "stiffness", "damping"):
        view[:] = 0
        view[: count if name == "scale" else 1] = value
        return
    array = _array(value, name, dtype)
    if name in _SHORTER and count == 3:
        if not 1 <= len(array) <= count:
            raise ValueError(f"{name} should be a list/array of size 1 to {count}.")
        view[:] = 0
        view[: len(array)] = array
        return
    if len(array) != count:
        raise ValueError(f"{name} should be a list/array of size {count}.")
    view[:] = array


def _assign_letters(self, index, name, value, strict):
    most = _LETTERS[name]
    if not isinstance(value, str):
        value = list(value)
        if any(len(letter) != 1 for letter in value):
            raise ValueError(f"{name}: list elements must be single characters")
        value = "".join(value)
    if strict and len(value) != most:
        raise ValueError(f"{name} should have length {most}, not {len(value)}")
    if len(value) > most:
        raise ValueError(f"{name} may have at most {most} characters, not {len(value)}")
    self._set(index, value.ljust(most, "\0") if name == "gridlayout" else value)


def _field_property(cls, name, kind, count, index):
    """The property of one attribute, and the function that sets it from a keyword argument."""
    enum = _enum_of(cls, name)
    if name in _LETTERS:
        return property(lambda self: self._letters(index),
                        lambda self, value: _assign_letters(self, index, name, value, False)), \
               lambda self, value: _assign_letters(self, index, name, value, True)  # fmt: skip
    if enum is not None and kind == "bool":

        def get(self):
            return enum(int(self._get(index)))

        def put(self, value):
            if int(value) not in (0, 1):
                raise ValueError(f"{name} cannot be {value!r}")
            self._set(index, bool(int(value)))

    elif enum is not None:

        def get(self):
            value = self._get(index)
            try:
                return enum(value)
            except ValueError:  # a value that only Pliant has
                return value

        def put(self, value):
            if isinstance(value, (str, bytes)) or value is None:
                raise TypeError(f"{name} should be a value of {enum.__name__}, not {value!r}")
            self._set(index, int(value))

    elif kind == "bool":

        def get(self):
            return self._get(index)

        def put(self, value):
            if isinstance(value, (str, bytes)) or value is None:
                raise TypeError(f"{name} should be a bool, not {value!r}")
            self._set(index, bool(value))

    elif kind == "text" and count > 1:

        def get(self):
            return self._get(index)

        def put(self, value):
            values = [_name_text(item, name) for item in value]
            if len(values) != count:
                raise ValueError(f"{name} must have exactly {count} elements, got {len(values)}")
            view = self._get(index)
            for i, item in enumerate(values):
                view[i] = item

    elif kind == "text":

        def get(self):
            return self._get(index)

        def put(self, value):
            self._set(index, _name_text(value, name))

    elif kind == "byte_list":

        def get(self):
            return self._get(index)

        def put(self, value):
            self._set(index, bytes(value))

    elif kind.endswith("_list"):
        dtype = {"real_list": np.float64, "float_list": np.float32, "int_list": np.int32}[kind]

        def get(self):
            return self._get(index)

        def put(self, value):
            self._set(index, _array(value, name, dtype).tolist())

    elif count > 1:

        def get(self):
            return self._get(index)

        def put(self, value):
            _assign_numbers(self._get(index), name, value, count)

    else:
        convert = int if kind == "int" else float

        def get(self):
            return self._get(index)

        def put(self, value):
            if isinstance(value, (str, bytes)) or value is None:
                raise TypeError(f"{name} should be a number, not {value!r}")
            if isinstance(value, np.ndarray) and value.size == 1:
                value = value.reshape(())[()]
            try:
                self._set(index, convert(value))
            except OverflowError:
                raise ValueError(f"{name}: {value} does not fit") from None

    return property(get, put), put


def _set_orientation(element, values, prefix=""):
    """Keyword arguments axisangle, xyaxes, zaxis and euler, of which one may be given."""
    given = {name: values.pop(prefix + name) for name in _ORIENTATIONS if values.get(prefix + name) is not None}
    if len(given) > 1:
        names = [prefix + name for name in _ORIENTATIONS]
        raise ValueError(f"Only one of: {', '.join(names[:-1])}, or {names[-1]} can be set.")
    for name, value in given.items():
        kind, count = _ORIENTATIONS[name]
        array = _array(value, prefix + name, np.float64)
        if len(array) != count:
            raise ValueError(f"{prefix + name} should be a list/array of size {count}.")
        orientation = element._orientation(bool(prefix))
        orientation._values(count)[:] = array
        orientation._type = int(kind)


def _fill(element, values):
    """Sets attributes from keyword arguments."""
    cls = type(element)
    values = dict(values)
    for name, value in list(values.items()):
        known = name in cls._SETTERS or name in ("name", "info") or name in cls._MORE
        orientation = (
            name.removeprefix("i") if cls is MjsBody and name[:1] == "i" and name[1:] in _ORIENTATIONS else name
        )
        if not known and not (cls._TURNS and orientation in _ORIENTATIONS):
            options = sorted([*cls._SETTERS, "name", "info"])
            raise TypeError(f"Invalid {name} keyword argument.{did_you_mean(name, options)}"
                            f" Valid options are: {', '.join(options)}.")  # fmt: skip
        if value is None:
            del values[name]
    if cls._TURNS:
        _set_orientation(element, values)
        if cls is MjsBody:
            _set_orientation(element, values, "i")
    for name, value in values.items():
        if name in cls._SETTERS:
            cls._SETTERS[name](element, value)
        else:
            setattr(element, name, _name_text(value, name) if name in ("name", "info") else value)


def _caller():
    """File and line of the program that called."""
    frame = sys._getframe(2)
    while frame and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)


def _made(element, values, undo):
    """A new element with its attributes; when one of them is wrong there is no new element."""
    try:
        element._made_at(*_caller())
        _fill(element, values)
    except Exception:
        undo(element)
        raise
    return element


# ---- elements ------------------------------------------------------------------------------------

MjsElement = _pliant.MjsElement
MjsCompiler, MjsDefault, MjsOrientation = _pliant.MjsCompiler, _pliant.MjsDefault, _pliant.MjsOrientation
MjDoubleVec, MjFloatVec, MjIntVec = _pliant.MjDoubleVec, _pliant.MjFloatVec, _pliant.MjIntVec
MjStringVec, MjCharVec = _pliant.MjStringVec, _pliant.MjCharVec

# class, kind, list of MjSpec, whether a class of defaults can be given
_KINDS = (
    ("MjsBody", "body", "bodies"), ("MjsFrame", "frame", "frames"), ("MjsJoint", "joint", "joints"),
    ("MjsGeom", "geom", "geoms"), ("MjsSite", "site", "sites"), ("MjsCamera", "camera", "cameras"),
    ("MjsLight", "light", "lights"), ("MjsMesh", "mesh", "meshes"), ("MjsHField", "hfield", "hfields"),
    ("MjsSkin", "skin", "skins"), ("MjsTexture", "texture", "textures"), ("MjsMaterial", "material", "materials"),
    ("MjsPair", "pair", "pairs"), ("MjsExclude", "exclude", "excludes"), ("MjsEquality", "equality", "equalities"),
    ("MjsTendon", "tendon", "tendons"), ("MjsActuator", "actuator", "actuators"), ("MjsSensor", "sensor", "sensors"),
    ("MjsNumeric", "numeric", "numerics"), ("MjsText", "text", "texts"), ("MjsTuple", "tuple", "tuples"),
    ("MjsKey", "key", "keys"),
)  # fmt: skip
_TREE_KINDS = ("body", "frame", "geom", "site", "joint", "light", "camera")
_LIST_OF = {kind: plural for _, kind, plural in _KINDS}
CLASSES = {name: getattr(_pliant, name) for name, _, _ in _KINDS}
globals().update(CLASSES)
MjsBody, MjsFrame, MjsGeom, MjsSite = (CLASSES[f"Mjs{name}"] for name in ("Body", "Frame", "Geom", "Site"))
MjsTendon, MjsActuator, MjsMesh = (CLASSES[f"Mjs{name}"] for name in ("Tendon", "Actuator", "Mesh"))
_WITH_DEFAULTS = {"joint", "geom", "site", "camera", "light", "mesh", "material", "texture", "pair", "equality",
                  "tendon", "actuator"}  # fmt: skip


def _install(cls, fields):
    cls._SETTERS, cls._MORE = {}, set()
    for name, kind, count, index in fields:
        attribute, setter = _field_property(cls, name, kind, count, index)
        setattr(cls, name, attribute)
        cls._SETTERS[name] = setter
    cls._TURNS = cls.__name__ in ("MjsBody", "MjsFrame", "MjsGeom", "MjsSite", "MjsCamera")


def _more(cls, name, attribute):
    setattr(cls, name, attribute)
    cls._MORE.add(name)


for _cls in CLASSES.values():
    _install(_cls, _cls._fields())
_install(MjsCompiler, MjsCompiler._fields())
MjsCompiler.authored = 0


def _repr(self):
    name = f" {self.name!r}" if self.name else ""
    return f"<{type(self).__name__}{name}>"


def _signature(self):
    current = self._signature
    if not current:
        return 0
    fresh, signature = current
    return signature if fresh else signature ^ 0x5BD1E995


def _parent(self):
    return self._body


MjsElement.__repr__ = _repr
MjsElement.signature = property(_signature, doc="that of the model compiled last, while nothing was added or removed")
MjsElement.compiler = property(lambda self: self._compiler, doc="settings of the compiler for this element")
for _name, _kind, _ in _KINDS:
    _cls = CLASSES[_name]
    if _kind in _WITH_DEFAULTS or _kind == "body":
        _more(_cls, "classname", property(lambda self: self._class, lambda self, value: setattr(self, "_class", value)))
    if _kind in _TREE_KINDS:
        _cls.parent = property(_parent, doc="the body it stands in")
        _cls.frame = property(lambda self: self._frame, doc="the frame around it")
        _cls.set_frame = lambda self, frame: self._set_frame(frame)
    if _cls._TURNS:

        def _set_alt(self, value, inertial=False):
            mine = self._orientation(inertial)
            mine._values(6)[:] = value._values(6)
            mine._type = value._type

        _cls.alt = property(lambda self: self._orientation(False), _set_alt)
MjsBody.ialt = property(lambda self: self._orientation(True), lambda self, value: _set_alt(self, value, True))
MjsTendon.default = lambda self: self._class


def _orientation_property(name):
    count = _ORIENTATIONS[name][1]

    def put(self, value):
        array = _array(value, name, np.float64)
        if len(array) != count:
            raise ValueError(f"{name} should be a list/array of size {count}.")
        self._values(count)[:] = array

    return property(lambda self: self._values(count), put)


for _name in _ORIENTATIONS:
    setattr(MjsOrientation, _name, _orientation_property(_name))
MjsOrientation.type = property(
    lambda self: E.mjtOrientation(self._type), lambda self, value: setattr(self, "_type", int(value))
)


def _adder(kind):
    def add(self, default=None, **attributes):
        if kind == "frame":
            element = self._add(kind)
            if default is not None:
                element._set_frame(default)
        else:
            element = self._add(kind, default)
        return _made(element, attributes, lambda made: _registered(made)._remove(made))

    add.__name__ = f"add_{kind}"
    add.__doc__ = f"Adds a {kind}; attributes as keyword arguments."
    return add


def _add_freejoint(self, **attributes):
    """Adds a joint with all six degrees of freedom."""
    for name in attributes:
        if name not in ("align", "group", "name"):
            raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
    element = self._add("joint", _registered(self).default)
    return _made(element, {**_FREE_JOINT, **attributes}, lambda made: _registered(made)._remove(made))


_FREE_JOINT = {"type": E.mjtJoint.mjJNT_FREE, "damping": 0, "frictionloss": 0, "armature": 0, "stiffness": 0,
               "limited": 2}  # fmt: skip


def _first(kind):
    def first(self):
        children = self._children(kind)
        return children[0] if children else None

    first.__doc__ = f"The first {kind} of this body, or None."
    return first


def _next(kind):
    def following(self, element):
        children = self._children(kind)
        at = next((i for i, child in enumerate(children) if child is element), None)
        if at is None:
            raise ValueError(f"the {kind} is not one of this body's")
        return children[at + 1] if at + 1 < len(children) else None

    following.__doc__ = f"The {kind} of this body after the given one, or None."
    return following


_KIND_OF_OBJ = {E.mjtObj.mjOBJ_BODY: "body", E.mjtObj.mjOBJ_FRAME: "frame", E.mjtObj.mjOBJ_GEOM: "geom",
                E.mjtObj.mjOBJ_SITE: "site", E.mjtObj.mjOBJ_JOINT: "joint", E.mjtObj.mjOBJ_LIGHT: "light",
                E.mjtObj.mjOBJ_CAMERA: "camera"}  # fmt: skip


def _find_all(self, kind):
    """All elements of a kind below this body, by the kind's name or mjtObj."""
    if not isinstance(kind, str):
        kind = _KIND_OF_OBJ.get(kind, "")
    if kind not in _TREE_KINDS:
        raise ValueError(
            "body.find_all supports the types: body, frame, geom, site, joint, light, camera."
        )  # fmt: skip
    own = [] if kind == "body" else self._children(kind)
    seen, found = {element._address for element in own}, list(own)
    found += [element for element in self._below(kind) if element._address not in seen]
    return found


def _find_child(self, name):
    """The body of this name below this one, or None."""
    return next((body for body in self._below("body") if body.name == name), None)


for _kind in _TREE_KINDS:
    for _cls in (MjsBody, MjsFrame):
        setattr(_cls, f"add_{_kind}", _adder(_kind))
    setattr(MjsBody, f"first_{_kind}", _first(_kind))
    setattr(MjsBody, f"next_{_kind}", _next(_kind))
    setattr(MjsBody, _LIST_OF[_kind], property(lambda self, kind=_kind: self._children(kind)))
MjsBody.add_freejoint = _add_freejoint
MjsFrame.add_freejoint = _add_freejoint
MjsBody.find_all, MjsBody.find_child = _find_all, _find_child
MjsBody.to_frame = lambda self: self._to_frame()


def _childclass(self):
    """Name of the default class of what stands in the body: its own, that of what is around it, or main."""
    element = self
    while element is not None:
        own = type(element)._OWN_CHILDCLASS.fget(element)
        if own:
            return own
        element = element._frame if element._frame is not None else element._body
    return "main"


for _cls in (MjsBody, MjsFrame):
    _cls._OWN_CHILDCLASS = _cls.childclass
MjsBody.childclass = property(_childclass, MjsBody.childclass.fset, doc=_childclass.__doc__)
_numeric_size = CLASSES["MjsNumeric"].size
CLASSES["MjsNumeric"].size = property(
    lambda self: max(_numeric_size.fget(self), 0),
    lambda self, value: _numeric_size.fset(self, value if value > 0 else -1),
    doc="how many numbers there are; 0 = as many as data has",
)


def _make_flex(self, *args, **kwargs):
    raise NotImplementedError("Pliant has no flexes: use bodies joined by joints or soft equalities")


MjsBody.make_flex = _make_flex


# The resolved scale of a frame is 3 numbers, or one for all.
def _attach_part(self, part, prefix, suffix):
    mine, theirs = _registered(self), _registered(part)
    prefix, suffix = prefix or "", suffix or ""
    take = mine._plan_assets(theirs, prefix, suffix) if mine is not theirs else None
    attached = self._attach(part, prefix, suffix, mine.copy_during_attach)
    if take:
        take()
    return attached


def _attach_body(self, body, prefix=None, suffix=None):
    """Moves a body of another model here; its names get the prefix and suffix."""
    return _attach_part(self, body, prefix, suffix)


def _attach_body_at_site(self, body, prefix=None, suffix=None):
    """Moves a body of another model to where the site is."""
    return _attach_part(_frame_at(self), body, prefix, suffix)


def _attach_frame(self, frame, prefix=None, suffix=None):
    """Moves a frame of another model into this body; its names get the prefix and suffix."""
    return _attach_part(self, frame, prefix, suffix)


def _frame_at(site):
    """A frame where a site is."""
    frame = site.parent._add("frame")
    if site.frame is not None:
        frame._set_frame(site.frame)
    frame.pos[:] = site.pos
    frame.quat[:] = site.quat
    _set_alt(frame, site.alt)
    return frame


MjsFrame.attach_body, MjsSite.attach_body, MjsBody.attach_frame = _attach_body, _attach_body_at_site, _attach_frame


# ---- tendons, tuples, skins ----------------------------------------------------------------------


class MjsWrap:
    """One piece of the path of a tendon."""

    __slots__ = ("_index", "_tendon", "info")

    def __init__(self, tendon, index):
        self._tendon, self._index, self.info = tendon, index, ""

    def _row(self):
        return _pliant._tendon_path(self._tendon)[self._index]

    def __eq__(self, other):
        return isinstance(other, MjsWrap) and (self._tendon is other._tendon and self._index == other._index)

    def __hash__(self):
        return hash((self._tendon._address, self._index))

    @property
    def target(self):
        """the joint, site or geom; None for a pulley"""
        kind = {1: "joint", 3: "site", 4: "geom", 5: "geom"}.get(self._row()[0])
        return _registered(self._tendon)._find(kind, self._row()[1]) if kind else None

    @property
    def sidesite(self):
        return _registered(self._tendon)._find("site", self._row()[2]) if self._row()[2] else None

    @property
    def coef(self):
        return self._row()[3] if self._row()[0] == E.mjtWrap.mjWRAP_JOINT else None

    @property
    def divisor(self):
        return self._row()[3] if self._row()[0] == E.mjtWrap.mjWRAP_PULLEY else None

    @property
    def type(self):
        kind = E.mjtWrap(self._row()[0])
        if kind == E.mjtWrap.mjWRAP_SPHERE:
            geom = self.target
            if geom is not None and geom.type == E.mjtGeom.mjGEOM_CYLINDER:
                return E.mjtWrap.mjWRAP_CYLINDER
        return kind


class MjsTendonPath:
    """The pieces of the path of a tendon, in order."""

    __slots__ = ("_tendon",)

    def __init__(self, tendon):
        self._tendon = tendon

    def __len__(self):
        return len(_pliant._tendon_path(self._tendon))

    def __getitem__(self, index):
        if not 0 <= index < len(self):
            raise IndexError(f"the path has {len(self)} pieces")
        return MjsWrap(self._tendon, index)


def _refused(name, empty, instead):
    """An attribute of things that Pliant does not have: it reads as empty, and takes nothing else."""

    def put(self, value):
        if np.size(value) == 0 or (np.size(value) == 1 and np.ravel(value)[0] == empty):
            return
        raise NotImplementedError(f"{name}: {instead}")

    return property(lambda self: empty, put, doc=f"always {empty!r}: {instead}")


_PLUGINS, _FLEXES = "Pliant has no plugins", "Pliant has no flexes"
for _cls in (MjsBody, MjsGeom, MjsMesh, CLASSES["MjsSensor"], MjsActuator):
    _cls.plugin = _refused("plugin", None, _PLUGINS)
for _name in ("userfacenormal", "userfacetexcoord"):
    setattr(MjsMesh, _name, _refused(_name, (), "normals and texture coordinates have the indices of vertices"))
for _name in ("usernode", "usertet"):
    setattr(MjsMesh, _name, _refused(_name, (), _FLEXES))
MjsMesh.needsdf = _refused("needsdf", False, "Pliant has no signed distance fields")
MjsMesh.octree_maxdepth = _refused("octree_maxdepth", 6, "Pliant has no octrees")
CLASSES["MjsCamera"].intrinsic = property(
    lambda self: np.zeros(4, np.float32), doc="always zero: given by focal_length, principal_length and sensor_size"
)


def _add_wrap(tendon, kind, name="", sidesite="", number=0.0):
    _pliant._add_wrap(tendon, int(kind), _name_text(name, "name"), _name_text(sidesite, "sidesite"), float(number))
    return MjsWrap(tendon, len(tendon.path) - 1)


MjsTendon.path = property(MjsTendonPath)
MjsTendon.wrap_site = lambda self, name: _add_wrap(self, E.mjtWrap.mjWRAP_SITE, name)
MjsTendon.wrap_geom = lambda self, name, sidesite="": _add_wrap(self, E.mjtWrap.mjWRAP_SPHERE, name, sidesite)
MjsTendon.wrap_joint = lambda self, name, coef: _add_wrap(self, E.mjtWrap.mjWRAP_JOINT, name, "", coef)
MjsTendon.wrap_pulley = lambda self, divisor: _add_wrap(self, E.mjtWrap.mjWRAP_PULLEY, "", "", divisor)


def _column(cls, read, write, number):
    def put(self, value):
        columns = list(read(self))
        columns[number] = list(value)
        write(self, *columns)

    return property(lambda self: read(self)[number], put)


_MjsTuple, _MjsSkin, _MjsEquality = CLASSES["MjsTuple"], CLASSES["MjsSkin"], CLASSES["MjsEquality"]
for _number, _name in enumerate(("objtype", "objname", "objprm")):
    _more(_MjsTuple, _name, _column(_MjsTuple, _pliant._tuple_columns, _pliant._set_tuple_columns, _number))


def _skin_columns(skin):
    bones = _pliant._skin_bones(skin)
    columns = [[], [], [], [], []]
    for bone in bones:
        columns[0].append(bone[0])
        columns[1] += bone[1]
        columns[2] += bone[2]
        columns[3].append(bone[3])
        columns[4].append(bone[4])
    return columns


for _number, _name in enumerate(("bodyname", "bindpos", "bindquat", "vertid", "vertweight")):
    _more(_MjsSkin, _name, _column(_MjsSkin, _skin_columns, _pliant._set_skin_bones, _number))
_more(
    _MjsEquality,
    "leaders",
    property(
        _pliant._equality_leaders,
        lambda self, value: _pliant._set_equality_leaders(self, list(value)),
        doc="joints that the first one follows, of a mimic (Pliant's own)",
    ),
)


# ---- actuators and meshes ------------------------------------------------------------------------


def _law(actuator, kind, gain, bias, dyn, ctrlspec=0):
    actuator.type, actuator.gaintype, actuator.biastype, actuator.dyntype = kind, gain, bias, dyn
    actuator.ctrlspec = ctrlspec


_A, _G, _B, _D = E.mjtActuator, E.mjtGain, E.mjtBias, E.mjtDyn
_INPUT_POS, _INPUT_VEL, _INPUT_PRESSURE = 1, 2, 32


def _damping(actuator, kp, kv, dampratio):
    """A damping ratio is a positive number in the place of the gain, which is negative."""
    if kv >= 0 and dampratio >= 0:
        raise ValueError("kv and dampratio cannot both be defined")
    actuator.biasprm[1] = -kp
    actuator.biasprm[2] = -kv if kv >= 0 else dampratio if dampratio >= 0 else 0


def _set_to_motor(self):
    _law(self, _A.mjACTUATOR_MOTOR, _G.mjGAIN_FIXED, _B.mjBIAS_NONE, _D.mjDYN_NONE)
    self.gainprm[:] = [1] + [0] * 9


def _set_to_position(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
    _law(self, _A.mjACTUATOR_POSITION, _G.mjGAIN_FIXED, _B.mjBIAS_AFFINE, _D.mjDYN_NONE, _INPUT_POS)
    self.gainprm[0] = kp
    _damping(self, kp, kv, dampratio)
    if timeconst >= 0:
        self.dynprm[0] = timeconst
    if timeconst > 0:
        self.dyntype = _D.mjDYN_FILTEREXACT
    self.inheritrange = float(inheritrange)


def _set_to_intvelocity(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
    _set_to_position(self, kp, kv, dampratio, timeconst, inheritrange)
    self.type, self.dyntype, self.ctrlspec = _A.mjACTUATOR_INTVELOCITY, _D.mjDYN_INTEGRATOR, _INPUT_VEL
    self.actlimited = E.mjtLimited.mjLIMITED_AUTO


def _set_to_orientation(self, kp, kv=-1, dampratio=-1, ctrlspec=0):
    _law(self, _A.mjACTUATOR_ORIENTATION, _G.mjGAIN_SO3, _B.mjBIAS_SO3, _D.mjDYN_NONE, ctrlspec)
    self.gainprm[0] = kp
    _damping(self, kp, kv, dampratio)


def _set_to_pid(self, kp, kv=-1, dampratio=-1, ki=-1, imax=-1, slewmax=-1, inheritrange=0, ctrlspec=0):
    _law(self, _A.mjACTUATOR_PID, _G.mjGAIN_PID, _B.mjBIAS_AFFINE, _D.mjDYN_PID, ctrlspec)
    self.gainprm[:] = [max(ki, 0)] + [0] * 9
    _damping(self, kp, kv, dampratio)
    self.dynprm[:] = [max(imax, 0), max(slewmax, 0)] + [0] * 8
    self.inheritrange = inheritrange


def _set_to_velocity(self, kv):
    _law(self, _A.mjACTUATOR_VELOCITY, _G.mjGAIN_FIXED, _B.mjBIAS_AFFINE, _D.mjDYN_NONE, _INPUT_VEL)
    self.gainprm[:] = [kv] + [0] * 9
    self.biasprm[:] = [0, 0, -kv] + [0] * 7


def _set_to_damper(self, kv):
    if kv < 0:
        raise ValueError("damping coefficient cannot be negative")
    _law(self, _A.mjACTUATOR_DAMPER, _G.mjGAIN_AFFINE, _B.mjBIAS_NONE, _D.mjDYN_NONE)
    self.gainprm[:] = [0, 0, -kv] + [0] * 7
    self.ctrllimited = E.mjtLimited.mjLIMITED_TRUE


def _set_to_cylinder(self, timeconst, bias, area, diameter=-1):
    _law(self, _A.mjACTUATOR_CYLINDER, _G.mjGAIN_FIXED, _B.mjBIAS_AFFINE, _D.mjDYN_FILTER, _INPUT_PRESSURE)
    self.dynprm[0], self.biasprm[0] = timeconst, bias
    self.gainprm[0] = math.pi / 4 * diameter * diameter if diameter >= 0 else area


def _set_to_adhesion(self, gain):
    if gain < 0:
        raise ValueError("adhesion gain cannot be negative")
    _law(self, _A.mjACTUATOR_ADHESION, _G.mjGAIN_FIXED, _B.mjBIAS_NONE, _D.mjDYN_NONE)
    self.gainprm[:] = [gain] + [0] * 9
    self.ctrllimited = E.mjtLimited.mjLIMITED_TRUE


# range, force, scale, lmin, lmax, vmax, fpmax, fvmax
_MUSCLE = (0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2)


def _set_to_muscle(self, timeconst=(-1, -1), tausmooth=0, range=(-1, -1), force=-1, scale=-1, lmin=-1, lmax=-1,
                   vmax=-1, fpmax=-1, fvmax=-1):  # fmt: skip
    fresh = self.gaintype != _G.mjGAIN_MUSCLE
    _law(self, _A.mjACTUATOR_MUSCLE, _G.mjGAIN_MUSCLE, _B.mjBIAS_MUSCLE, _D.mjDYN_MUSCLE)
    if fresh:
        self.gainprm[:] = [*_MUSCLE, 0]
        self.dynprm[:] = [0.01, 0.04] + [0] * 8
    if tausmooth < 0:
        raise ValueError("muscle tausmooth cannot be negative")
    for i, value in enumerate(timeconst):
        if value >= 0:
            self.dynprm[i] = value
    self.dynprm[2] = tausmooth
    for i, value in enumerate((*range, force, scale, lmin, lmax, vmax, fpmax, fvmax)):
        if value >= 0:
            self.gainprm[i] = value
    self.biasprm[:] = self.gainprm


def _set_to_dcmotor(self, motorconst, resistance, nominal=(0, 0, 0), saturation=(0, 0, 0), inductance=(0, 0),
                    cogging=(0, 0, 0), controller=(0,) * 6, thermal=(0,) * 6, lugre=(0,) * 5, **more):  # fmt: skip
    extra = {"nominal": nominal, "saturation": saturation, "inductance": inductance, "cogging": cogging,
             "controller": controller, "thermal": thermal, "lugre": lugre, **more}  # fmt: skip
    given = [name for name, value in extra.items() if np.any(np.asarray(value) != 0)]
    if given:
        raise NotImplementedError(f"set_to_dcmotor: {', '.join(given)} are read from MJCF only: write the actuator as"
                                  " <dcmotor> and load it with MjSpec.from_string")  # fmt: skip
    _law(self, _A.mjACTUATOR_DCMOTOR, _G.mjGAIN_DCMOTOR, _B.mjBIAS_DCMOTOR, _D.mjDYN_DCMOTOR)
    first, second = motorconst
    constant = math.sqrt(first * second) if first > 0 and second > 0 else max(first, second)
    self.gainprm[:] = [resistance, constant] + [0] * 8
    self.biasprm[:] = 0
    self.dynprm[:] = 0
    self.actdim = 0


for _name, _function in list(globals().items()):
    if _name.startswith("_set_to_"):
        setattr(MjsActuator, _name[1:], _function)

_M = E.mjtMeshBuiltin


def _maker(builtin, arguments, defaults=None):
    """A method that makes a mesh of a built-in kind; `arguments` are its names, `name:n` of n numbers."""
    words = [(word.partition(":")[0], int(word.partition(":")[2] or 1)) for word in arguments.split()]

    def make(self, *values, **named):
        given = dict(zip([name for name, _ in words], values)) | named
        params = []
        for name, count in words:
            if name not in given and name not in (defaults or {}):
                raise TypeError(f"missing argument: {name}")
            value = np.ravel(given.pop(name, (defaults or {}).get(name)))
            if len(value) != count:
                raise ValueError(f"{name} should be a list/array of size {count}.")
            params += [float(number) for number in value]
        if given:
            raise TypeError(f"unknown argument: {', '.join(given)}")
        _pliant._mesh_builtin(self, int(builtin), params)

    return make


for _name, _builtin, _words, _defaults in (
    ("sphere", _M.mjMESH_BUILTIN_SPHERE, "subdivision", None),
    ("hemisphere", _M.mjMESH_BUILTIN_HEMISPHERE, "resolution", None),
    ("cone", _M.mjMESH_BUILTIN_CONE, "nedge radius", None),
    ("supersphere", _M.mjMESH_BUILTIN_SUPERSPHERE, "resolution e n", None),
    ("supertorus", _M.mjMESH_BUILTIN_SUPERTORUS, "resolution radius s t", None),
    ("wedge", _M.mjMESH_BUILTIN_WEDGE, "resolution:2 fov:2 gamma",
     {"resolution": [0, 0], "fov": [0, 0], "gamma": 0}),
    ("plate", _M.mjMESH_BUILTIN_PLATE, "resolution:2", {"resolution": [0, 0]}),
    ("grid", _M.mjMESH_BUILTIN_GRID, "count:3 spacing:3 dim", {"dim": 3}),
    ("box", _M.mjMESH_BUILTIN_BOX, "count:3 spacing:3 dim", {"dim": 3}),
    ("cylinder", _M.mjMESH_BUILTIN_CYLINDER, "count:3 spacing:3 dim", {"dim": 3}),
    ("ellipsoid", _M.mjMESH_BUILTIN_ELLIPSOID, "count:3 spacing:3 dim", {"dim": 3}),
    ("square", _M.mjMESH_BUILTIN_SQUARE, "count:3 spacing:3", None),
    ("disc", _M.mjMESH_BUILTIN_DISC, "count:3 spacing:3", None),
):  # fmt: skip
    setattr(MjsMesh, f"make_{_name}", _maker(_builtin, _words, _defaults))


# ---- files in memory -----------------------------------------------------------------------------


class MjVfs:
    """Files in memory, by name: what a model names is looked for here first."""

    def __init__(self):
        self._files = {}

    def _open(self):
        if self._files is None:
            raise RuntimeError("VFS is closed")
        return self._files

    def __setitem__(self, name, content):
        files = self._open()
        name = _name_text(name, "name")
        if isinstance(content, str):
            content = content.encode()
        if not isinstance(content, (bytes, bytearray, memoryview)):
            raise TypeError(f"the content of a file should be bytes, not {type(content).__name__}")
        if name in files:
            raise ValueError(f"the file {name!r} is there already; delete it first")
        files[name] = bytes(content)

    def __delitem__(self, name):
        files = self._open()
        if name not in files:
            raise KeyError(name)
        del files[name]

    def __contains__(self, name):
        return name in self._open()

    def close(self):
        """Forgets all files; nothing can be done with it afterwards."""
        self._files = None

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *error):
        self.close()


def _as_bytes(assets):
    files = {}
    for name, content in (assets or {}).items():
        name = os.path.normpath(_name_text(name, "the name of a file"))
        files[name] = content.encode() if isinstance(content, str) else bytes(content)
    return files


def files_of(assets, vfs):
    """Files in memory from a dict and an MjVfs; None for none."""
    files = dict(vfs._open()) if vfs is not None else {}
    files.update(_as_bytes(assets))
    return files or None


# ---- models --------------------------------------------------------------------------------------

_SPECS = weakref.WeakValueDictionary()  # by the address of their tree


def _registered(element):
    """The MjSpec of an element."""
    found = _SPECS.get(element._tree_address)
    if found is None:
        raise ValueError("the element was removed from its model, or the model is gone")
    return found


class MjSpec(_pliant.SpecTree):
    """A model to build and to change; compile() makes an MjModel of it."""

    def __init__(self):
        super().__init__()
        self._prepare()

    def _prepare(self):
        self._assets = {}
        self._addresses = {}
        self.comment = ""
        self.override_assets = True
        self.copy_during_attach = False
        self.hasImplicitPluginElem = False
        self.timer = np.zeros(9)
        _SPECS[self._address] = self

    @classmethod
    def _of(cls, tree):
        self = cls.__new__(cls)
        _pliant.SpecTree.__init__(self, tree)
        self._prepare()
        return self

    # -- files --

    @classmethod
    def _load(cls, include, assets, vfs, **source):
        files = dict(vfs._open()) if vfs is not None else {}
        files.update(_as_bytes(include))
        files.update(_as_bytes(assets))
        self = cls._of(_pliant.SpecTree._load(assets=files or None, **source))
        self._assets = dict(assets or {})
        return self

    @staticmethod
    def from_file(filename, include=None, assets=None, vfs=None):
        """Reads a model; `include` and `assets` are files in memory by name."""
        filename = os.fspath(filename)
        return MjSpec._load(include, assets, vfs, path=filename.decode() if isinstance(filename, bytes) else filename)

    @staticmethod
    def from_string(xml, include=None, assets=None, vfs=None):
        """Reads a model given as text."""
        return MjSpec._load(include, assets, vfs, xml=_name_text(xml, "xml"))

    @staticmethod
    def from_zip(file):
        """Reads a model from an archive with one XML file and the files it names."""
        return from_zip(file)

    def to_zip(self, file):
        """Writes the model and its assets as an archive."""
        return to_zip(self, file)

    @property
    def assets(self):
        """files in memory, by name"""
        return self._assets

    @assets.setter
    def assets(self, value):
        self._assets = value

    def _files(self, vfs):
        if vfs is None:
            return _as_bytes(self._assets)
        files = vfs._open()
        if self._assets:
            raise ValueError("give files either as spec.assets or as an MjVfs, not both")
        return dict(files)

    def to_xml(self):
        """The model as MJCF."""
        return self._write()

    def to_file(self, filename):
        """Writes the model as an MJCF file."""
        with open(filename, "w") as file:
            file.write(self.to_xml())

    def encode(self, filename, model=None, content_type=None):
        """Writes the model as a file of the kind that its name says; returns the number of bytes."""
        if not os.fspath(filename).endswith(".xml"):
            raise _pliant.FatalError(f"there is no encoder for '{filename}'; models are written as .xml")
        self.to_file(filename)
        return os.path.getsize(filename)

    # -- compiling --

    def _remember(self, model):
        """Where the state of every element is, for recompile."""
        self._compiled_as(model.signature)
        joints, bodies, actuators = {}, {}, {}
        for joint, start, dof in zip(self._elements("joint"), model.jnt_qposadr, model.jnt_dofadr):
            joints[joint._address] = (int(start), int(dof))
        if len(self._elements("body")) == model.nbody:
            for body, mocap in zip(self._elements("body"), model.body_mocapid):
                if mocap >= 0:
                    bodies[body._address] = int(mocap)
        for index, actuator in enumerate(self._elements("actuator")[: model.nactuator]):
            actuators[actuator._address] = index
        self._addresses = {"joints": joints, "bodies": bodies, "actuators": actuators}

    def compile(self, vfs=None):
        """The compiled model."""
        from .mujoco import MjModel

        start = time.perf_counter()
        model = MjModel._make(self._compile(self._files(vfs) or None))
        self.timer[:] = time.perf_counter() - start
        for finding in model.diagnostics:
            warnings.warn(finding.text, stacklevel=2)
        self._remember(model)
        return model

    def recompile(self, m, d, vfs=None):
        """A new model, and data with the state of what was there before."""
        from .mujoco import MjData, mj_forward

        before = self._addresses
        if not before:
            raise ValueError("recompile: the model was not compiled from this MjSpec")
        model = self.compile(vfs)
        data, after = MjData(model), self._addresses
        data.time = d.time
        sizes = {int(kind): (positions, velocities)
                 for kind, (_, positions, velocities) in enumerate(_pliant.joint_types())}  # fmt: skip
        for index, (address, (start, dof)) in enumerate(after["joints"].items()):
            if address not in before["joints"]:
                continue
            old, old_dof = before["joints"][address]
            nq, nv = sizes[int(model.jnt_type[index])]
            if old + nq > m.nq or old_dof + nv > m.nv:
                continue
            data.qpos[start : start + nq] = d.qpos[old : old + nq]
            data.qvel[dof : dof + nv] = d.qvel[old_dof : old_dof + nv]
            data.qacc_warmstart[dof : dof + nv] = d.qacc_warmstart[old_dof : old_dof + nv]
            data.qfrc_applied[dof : dof + nv] = d.qfrc_applied[old_dof : old_dof + nv]
        for address, mocap in after["bodies"].items():
            if address in before["bodies"]:
                old = before["bodies"][address]
                data.mocap_pos[mocap], data.mocap_quat[mocap] = d.mocap_pos[old], d.mocap_quat[old]
        for address, index in after["actuators"].items():
            if address in before["actuators"]:
                new, old = model.actuator(index), m.actuator(before["actuators"][address])
                _copy_range(data.ctrl, new.ctrladr[0], new.ctrlnum[0], d.ctrl, old.ctrladr[0], old.ctrlnum[0])
                _copy_range(data.act, new.actadr[0], new.actnum[0], d.act, old.actadr[0], old.actnum[0])
        mj_forward(model, data)
        return model, data

    def copy(self):
        """A model of its own with equal elements."""
        other = MjSpec._of(self._copy())
        other._assets = dict(self._assets)
        other.comment = self.comment
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    # -- editing --

    def add_default(self, name, parent=None):
        """A new default class, below `parent`, or below main."""
        return self._add_default(_name_text(name, "name"), parent)

    def delete(self, element):
        """Removes an element or default class, with all that stands inside it or refers to it."""
        if isinstance(element, MjsDefault):
            return self._remove_default(element)
        if isinstance(element, MjsPlugin):
            self._plugins = [plugin for plugin in self.plugins if plugin is not element]
            return None
        return self._remove(element)

    def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
        """Moves the whole of another model to a frame or site of this one."""
        if (site is None) == (frame is None):
            raise ValueError("attach: give either a frame or a site")
        if isinstance(frame, (str, bytes)):
            frame = self.frame(_name_text(frame, "frame"))
            if frame is None:
                raise ValueError("Frame not found.")
        if isinstance(site, (str, bytes)):
            site = self.site(_name_text(site, "site"))
            if site is None:
                raise ValueError("Site not found.")
        prefix, suffix = prefix or "", suffix or ""
        take = self._plan_assets(child, prefix, suffix)
        made = frame is None
        if made:
            frame = _frame_at(site)
        try:
            new = self._attach(child, frame, prefix, suffix, self.copy_during_attach)
        except Exception:
            if made:
                self._remove(frame)
            raise
        take()
        return new

    def _plan_assets(self, child, prefix, suffix):
        """Files in memory of an attached model come along under new names; a function that does it."""
        names = {}
        for key in child._assets:
            folder, _, file = key.rpartition("/")
            stem, dot, extension = file.rpartition(".")
            new = prefix + (stem if dot else file) + suffix + (dot + extension if dot else "")
            if folder:
                new = f"{folder}/{new}" if prefix else f"{folder}//{new}"
            if new in self._assets and not self.override_assets:
                raise ValueError(f"Asset {key} already exists in parent spec.")
            names[key] = new
        assets = dict(child._assets)
        users = [asset for kind in ("mesh", "hfield", "texture", "skin") for asset in child._elements(kind)]

        def take():
            self._assets = {**self._assets, **{names[key]: content for key, content in assets.items()}}
            for asset in users:
                if asset.file in names:
                    asset.file = names[asset.file]

        return take

    @property
    def parent(self):
        """the model that this one was attached to, or None"""
        address = self._parent_address
        if not address:
            return None
        return _SPECS.get(address) or MjSpec._of(self._parent())

    def __eq__(self, other):
        return isinstance(other, MjSpec) and self._address == other._address

    def __hash__(self):
        return hash(self._address)

    def __repr__(self):
        return f"<MjSpec {self.modelname!r}>"

    # -- whole models --

    def adopt_inertial(self, body, vfs=None):
        """Gives a body the inertia that it has in the compiled model, so that it no longer follows its geoms."""
        if self.compiler.inertiafromgeom == E.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE:
            raise ValueError("adopt_inertial: under inertiafromgeom = true a body has the inertia of its geoms")
        model = self.compile(vfs)
        self._adopt(body, model, body.id)

    @staticmethod
    def _adopt(body, model, index):
        body.mass = float(model.body_mass[index])
        body.ipos, body.iquat, body.inertia = model.body_ipos[index], model.body_iquat[index], model.body_inertia[index]
        body.ialt.type = E.mjtOrientation.mjORIENTATION_QUAT
        body.fullinertia[0] = np.nan
        body.explicitinertial = True

    def fuse_static(self, vfs=None):
        """Makes frames of bodies that cannot move against their parents and that nothing names; returns how many."""
        if vfs is not None:
            vfs._open()
        fused, named = 0, self._named_bodies()
        for body in reversed(self._elements("body")[1:]):
            keeps = body.mocap or body.explicitinertial or not body.fuse or body._children("joint")
            if keeps or (body.name and body.name in named):
                continue
            body._to_frame()
            fused += 1
        return fused

    def _named_bodies(self):
        named = set()
        for exclude in self._elements("exclude"):
            named |= {exclude.bodyname1, exclude.bodyname2}
        for equality in self._elements("equality"):
            if equality.objtype == E.mjtObj.mjOBJ_BODY:
                named |= {equality.name1, equality.name2}
        for sensor in self._elements("sensor"):
            named |= {sensor.objname, sensor.refname}
        for actuator in self._elements("actuator"):
            if actuator.trntype == E.mjtTrn.mjTRN_BODY:
                named.add(actuator.target)
        for viewer in [*self._elements("camera"), *self._elements("light")]:
            named.add(viewer.targetbody)
        for group in self._elements("tuple"):
            named |= set(group.objname)
        for skin in self._elements("skin"):
            named |= set(skin.bodyname)
        return named

    def discard_visual(self, vfs=None):
        """Removes geoms that collide with nothing, materials and textures; inertias stay. Returns how many."""
        if vfs is not None:
            vfs._open()
        named = {name for pair in self._elements("pair") for name in (pair.geomname1, pair.geomname2)}
        named |= {name for sensor in self._elements("sensor") for name in (sensor.objname, sensor.refname)}
        named |= {name for group in self._elements("tuple") for name in group.objname}
        named |= {wrap[1] for tendon in self._elements("tendon") for wrap in _pliant._tendon_path(tendon)}
        visual = [geom for geom in self._elements("geom")
                  if not geom.contype and not geom.conaffinity and not (geom.name and geom.name in named)]  # fmt: skip
        model = self.compile(vfs) if visual else None
        bodies = {geom.parent._address: geom.parent for geom in visual if geom.parent.id > 0}
        forced = self.compiler.inertiafromgeom == E.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
        if forced and bodies:
            raise ValueError("discard_visual: under inertiafromgeom = true bodies would lose the mass of their geoms")
        for body in bodies.values():
            if not body.explicitinertial:
                self._adopt(body, model, body.id)
        assets = [*self._elements("material"), *self._elements("texture")]
        for element in [*visual, *assets]:
            self._remove(element)
        if assets:
            users = ("geom", "site", "tendon", "skin", "mesh")
            for user in [element for kind in users for element in self._elements(kind)]:
                user.material = ""
            for light in self._elements("light"):
                light.texture = ""
        return len(visual) + len(assets)

    def dedup_assets(self):
        """Keeps one of equal textures, and of equal meshes; returns how many were removed."""
        if self._attached_whole:
            raise ValueError("Cannot merge the assets of an attached mjSpec.")
        removed = 0
        for kind in ("texture", "mesh"):
            kept = {}
            for asset in self._elements(kind):
                key = _content(asset)
                if key not in kept:
                    kept[key] = asset
                    continue
                self._rename_uses(kind, asset.name, kept[key].name)
                self._remove(asset)
                removed += 1
        return removed

    def _rename_uses(self, kind, old, new):
        if kind == "texture":
            for material in self._elements("material"):
                material.textures = [new if name == old else name for name in material.textures]
            for light in self._elements("light"):
                light.texture = new if light.texture == old else light.texture
            return
        for user in [*self._elements("geom"), *self._elements("site")]:
            user.meshname = new if user.meshname == old else user.meshname

    def copy_back(self, model):
        raise NotImplementedError("copy_back: write the attributes of the elements; Pliant does not find out what of a"
                                  " compiled model was changed")  # fmt: skip

    # -- settings --

    @property
    def authored(self):
        """which settings a file has given: not kept; zero"""
        return MjsAuthored()

    meshdir = property(lambda self: self.compiler.meshdir, lambda self, v: setattr(self.compiler, "meshdir", v))
    texturedir = property(
        lambda self: self.compiler.texturedir, lambda self, v: setattr(self.compiler, "texturedir", v)
    )
    strippath = property(lambda self: self.compiler.strippath, lambda self, v: setattr(self.compiler, "strippath", v))
    modelfiledir = property(
        lambda self: self.compiler._model_dir, lambda self, v: setattr(self.compiler, "_model_dir", v)
    )
    nemax = 0

    @staticmethod
    def resolve_orientation(degree, sequence=None, orientation=None):
        """The quaternion that an orientation means."""
        spec = MjSpec()
        spec.compiler.degree = bool(degree)
        if sequence is not None:
            spec.compiler.eulerseq = "".join(sequence)
        body = spec.worldbody.add_body()
        _set_alt(body, orientation)
        return [float(value) for value in spec.compile().body_quat[1]]

    def activate_plugin(self, name):
        raise NotImplementedError(f"activate_plugin('{name}'): Pliant has no plugins")

    def add_plugin(self, **attributes):
        raise NotImplementedError("add_plugin: Pliant has no plugins")

    def add_flex(self, **attributes):
        raise NotImplementedError("add_flex: Pliant has no flexes")

    plugins = property(lambda self: [], doc="always empty: Pliant has no plugins")
    flexes = property(lambda self: [], doc="always empty: Pliant has no flexes")

    def plugin(self, name):
        return None

    def flex(self, name):
        return None


def _content(asset):
    """What an asset is, apart from its name, to compare it with others."""
    values = []
    for name in type(asset)._SETTERS:
        value = getattr(asset, name)
        values.append((name, value if isinstance(value, (str, bytes, int, float)) else tuple(value)))
    return tuple(values)


def _copy_range(target, start, count, source, first, number):
    if count == number and start >= 0 and first >= 0:
        target[start : start + count] = source[first : first + number]


def _spec_adder(kind):
    def add(self, default=None, **attributes):
        element = self._add(kind, default) if kind in _WITH_DEFAULTS else self._add(kind)
        return _made(element, attributes, self._remove)

    add.__name__ = f"add_{kind}"
    add.__doc__ = f"Adds a {kind}; attributes as keyword arguments."
    return add


for _, _kind, _plural in _KINDS:
    setattr(MjSpec, _kind, lambda self, name, kind=_kind: self._find(kind, _name_text(name, "name")))
    setattr(MjSpec, _plural, property(lambda self, kind=_kind: self._elements(kind)))
    if _kind not in _TREE_KINDS:
        setattr(MjSpec, f"add_{_kind}", _spec_adder(_kind))


class MjsAuthored:
    """Which settings a file has given. Pliant does not keep that: all are zero."""

    option = disableflags = enableflags = disableactuator = 0
    visual_global = visual_quality = visual_headlight = visual_map = visual_scale = visual_rgba = 0


class _Absent:
    """A kind of element that Pliant does not have: it exists by name, for isinstance and annotations."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(f"{type(self).__name__}: Pliant has no {self._WHAT}")


class MjsPlugin(_Absent):
    _WHAT = "plugins"


class MjsFlex(_Absent):
    _WHAT = "flexes"


class MjByteVec(_Absent):
    _WHAT = "lists of bytes; bytes are bytes"


def to_zip(spec, file):
    """Writes a model and its assets as an archive."""
    if isinstance(file, (str, os.PathLike)):
        folder = os.path.dirname(os.fspath(file))
        if folder:
            os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in {**spec.assets, f"{spec.modelname}.xml": spec.to_xml()}.items():
            archive.writestr(name, content)


def from_zip(file):
    """Reads a model from an archive with one XML file and the files it names."""
    if not zipfile.is_zipfile(file):
        raise ValueError(f"{file} is not a zip file")
    with zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        models = [name for name in names if name.endswith(".xml")]
        if not models:
            raise ValueError("the archive has no XML file")
        folder = os.path.dirname(models[-1])
        assets = {os.path.relpath(name, folder or "."): archive.read(name) for name in names if name != models[-1]}
        return MjSpec.from_string(archive.read(models[-1]).decode(), assets=assets)


# ---- bind ----------------------------------------------------------------------------------------


class _Bound:
    """Rows of several elements at once."""

    def __init__(self, views):
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        values = []
        for view in self._views:
            value = getattr(view, name)
            values += [value] if isinstance(value, (str, bytes)) or np.ndim(value) == 0 else list(value)
        return values

    def __setattr__(self, name, value):
        values = list(value)
        if len(values) != len(self._views):
            raise ValueError(f"Expected {len(self._views)} values, got {len(values)}")
        for view, item in zip(self._views, values):
            setattr(view, name, item)


def bind(owner, elements):
    """The rows of a model or of data that belong to elements of the MjSpec it was compiled from."""
    model = getattr(owner, "model", owner)
    single = isinstance(elements, MjsElement)
    views = []
    for element in [elements] if single else elements:
        if not isinstance(element, MjsElement):
            raise TypeError(f"bind: elements of an MjSpec are needed, not {type(element).__name__}")
        if not element._tree_address:
            raise IndexError("Invalid index -1: the element was removed from its MjSpec")
        if element.signature != model.signature:
            raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
        views.append(getattr(owner, element._kind)(element.id))
    return views[0] if single else _Bound(views)


NAMES = [
    "MjSpec", "MjsElement", "MjsCompiler", "MjsDefault", "MjsOrientation", "MjsWrap", "MjsTendonPath", "MjsAuthored",
    "MjsPlugin", "MjsFlex", "MjDoubleVec", "MjFloatVec", "MjIntVec", "MjStringVec", "MjCharVec", "MjByteVec", "MjVfs",
    "to_zip", "from_zip", *CLASSES,
]  # fmt: skip

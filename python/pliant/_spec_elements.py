"""Classes of the elements of an MjSpec: MjsBody, MjsGeom and so on, with the reference's attributes and methods."""

import atexit
import math
import weakref

import numpy as np

from . import _enums as E
from . import _pliant
from ._spec_fields import ORIENTATIONS, field_property, made_with, name_text, numbers_of
from ._spec_unsupported import give_elements

MODELS = weakref.WeakValueDictionary()  # by the address of their tree


def model_of(element):
    """The MjSpec of an element."""
    found = MODELS.get(element._tree_address)
    if found is None:
        raise ValueError("the element was removed from its model, or the model is gone")
    return found


class _Rest:
    """What an MjSpec that is gone has held beside its elements, which somebody may still hold."""

    def __init__(self, spec):
        self._assets, self._unsupported = spec._assets, spec._unsupported

    def _elements(self, kind):  # files are found by their names
        return []


# by the address of their tree; of the last few only, since nobody says when the elements are gone
_RESTS, _MOST_RESTS = {}, 16


def keep_rest(spec):
    """Called when an MjSpec goes."""
    if _RESTS is not None and (spec._assets or spec._unsupported):
        _RESTS[spec._address] = _Rest(spec)
        while len(_RESTS) > _MOST_RESTS:
            del _RESTS[next(iter(_RESTS))]


def forget_rest(address):
    """Another MjSpec has its tree there now."""
    if _RESTS is not None:
        _RESTS.pop(address, None)


@atexit.register
def _forget_all():
    """What is kept beyond the end of the program would count as leaked."""
    global _RESTS
    _RESTS = None


def owner_of(element):
    """The MjSpec of an element; what is left of it when it is gone, or None."""
    address = element._tree_address
    if not address:
        raise ValueError("the element was removed from its model")
    return MODELS.get(address) or (_RESTS or {}).get(address)


MjsElement = _pliant.MjsElement
MjsCompiler, MjsDefault, MjsOrientation = _pliant.MjsCompiler, _pliant.MjsDefault, _pliant.MjsOrientation
MjDoubleVec, MjFloatVec, MjIntVec = _pliant.MjDoubleVec, _pliant.MjFloatVec, _pliant.MjIntVec
MjStringVec, MjCharVec = _pliant.MjStringVec, _pliant.MjCharVec

# class, kind, list of MjSpec, whether a class of defaults can be given
KINDS = (
    ("MjsBody", "body", "bodies"), ("MjsFrame", "frame", "frames"), ("MjsJoint", "joint", "joints"),
    ("MjsGeom", "geom", "geoms"), ("MjsSite", "site", "sites"), ("MjsCamera", "camera", "cameras"),
    ("MjsLight", "light", "lights"), ("MjsMesh", "mesh", "meshes"), ("MjsHField", "hfield", "hfields"),
    ("MjsSkin", "skin", "skins"), ("MjsTexture", "texture", "textures"), ("MjsMaterial", "material", "materials"),
    ("MjsPair", "pair", "pairs"), ("MjsExclude", "exclude", "excludes"), ("MjsEquality", "equality", "equalities"),
    ("MjsTendon", "tendon", "tendons"), ("MjsActuator", "actuator", "actuators"), ("MjsSensor", "sensor", "sensors"),
    ("MjsNumeric", "numeric", "numerics"), ("MjsText", "text", "texts"), ("MjsTuple", "tuple", "tuples"),
    ("MjsKey", "key", "keys"),
)  # fmt: skip
TREE_KINDS = ("body", "frame", "geom", "site", "joint", "light", "camera")
_LIST_OF = {kind: plural for _, kind, plural in KINDS}
CLASSES = {name: getattr(_pliant, name) for name, _, _ in KINDS}
globals().update(CLASSES)
MjsBody, MjsFrame, MjsGeom, MjsSite = (CLASSES[f"Mjs{name}"] for name in ("Body", "Frame", "Geom", "Site"))
MjsTendon, MjsActuator, MjsMesh = (CLASSES[f"Mjs{name}"] for name in ("Tendon", "Actuator", "Mesh"))
WITH_DEFAULTS = {"joint", "geom", "site", "camera", "light", "mesh", "material", "texture", "pair", "equality",
                  "tendon", "actuator"}  # fmt: skip


def _install(cls, fields):
    cls._SETTERS, cls._MORE = {}, set()
    for name, kind, count, index in fields:
        attribute, setter = field_property(cls, name, kind, count, index)
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
for _name, _kind, _ in KINDS:
    _cls = CLASSES[_name]
    if _kind in WITH_DEFAULTS or _kind == "body":
        _more(_cls, "classname", property(lambda self: self._class, lambda self, value: setattr(self, "_class", value)))
    if _kind in TREE_KINDS:
        _cls.parent = property(_parent, doc="the body it stands in")
        _cls.frame = property(lambda self: self._frame, doc="the frame around it")
        _cls.set_frame = lambda self, frame: self._set_frame(frame)
    if _cls._TURNS:

        def set_alt(self, value, inertial=False):
            mine = self._orientation(inertial)
            mine._values(6)[:] = value._values(6)
            mine._type = value._type

        _cls.alt = property(lambda self: self._orientation(False), set_alt)
MjsBody.ialt = property(lambda self: self._orientation(True), lambda self, value: set_alt(self, value, True))


def _data_size(self):
    """How many numbers the sensor gives, as far as the model compiles."""
    return int(model_of(self).compile().sensor_dim[self.id])


CLASSES["MjsSensor"].get_data_size = _data_size
MjsTendon.default = lambda self: self._class


def _orientation_property(name):
    count = ORIENTATIONS[name][1]

    def put(self, value):
        array = numbers_of(value, name, np.float64)
        if len(array) != count:
            raise ValueError(f"{name} should be a list/array of size {count}.")
        self._values(count)[:] = array

    return property(lambda self: self._values(count), put)


for _name in ORIENTATIONS:
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
        return made_with(element, attributes, lambda made: model_of(made)._remove(made))

    add.__name__ = f"add_{kind}"
    add.__doc__ = f"Adds a {kind}; attributes as keyword arguments."
    return add


def _add_freejoint(self, **attributes):
    """Adds a joint with all six degrees of freedom."""
    for name in attributes:
        if name not in ("align", "group", "name"):
            raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
    element = self._add("joint", model_of(self).default)
    return made_with(element, {**_FREE_JOINT, **attributes}, lambda made: model_of(made)._remove(made))


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
    if kind not in TREE_KINDS:
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


for _kind in TREE_KINDS:
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
    mine, theirs = model_of(self), owner_of(part)
    prefix, suffix = prefix or "", suffix or ""
    take = mine._plan_assets(theirs, prefix, suffix) if theirs is not None and mine is not theirs else None
    if theirs is not None and mine is not theirs and mine.copy_during_attach:
        theirs._unsupported.refuse()
    attached = self._attach(part, prefix, suffix, mine.copy_during_attach)
    if take:
        take()
        mine._unsupported.add(theirs._unsupported)
    return attached


def _attach_body(self, body, prefix=None, suffix=None):
    """Moves a body of another model here; its names get the prefix and suffix."""
    return _attach_part(self, body, prefix, suffix)


def _attach_body_at_site(self, body, prefix=None, suffix=None):
    """Moves a body of another model to where the site is."""
    return _attach_part(frame_at(self), body, prefix, suffix)


def _attach_frame(self, frame, prefix=None, suffix=None):
    """Moves a frame of another model into this body; its names get the prefix and suffix."""
    return _attach_part(self, frame, prefix, suffix)


def frame_at(site):
    """A frame where a site is."""
    frame = site.parent._add("frame")
    if site.frame is not None:
        frame._set_frame(site.frame)
    frame.pos[:] = site.pos
    frame.quat[:] = site.quat
    set_alt(frame, site.alt)
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
        return model_of(self._tendon)._find(kind, self._row()[1]) if kind else None

    @property
    def sidesite(self):
        return model_of(self._tendon)._find("site", self._row()[2]) if self._row()[2] else None

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


give_elements(model_of, (MjsBody, MjsGeom, MjsMesh, CLASSES["MjsSensor"], MjsActuator), MjsMesh)
for _name in ("userfacenormal", "userfacetexcoord"):
    setattr(MjsMesh, _name, _refused(_name, (), "normals and texture coordinates have the indices of vertices"))
MjsMesh.needsdf = _refused("needsdf", False, "Pliant has no signed distance fields")
MjsMesh.octree_maxdepth = _refused("octree_maxdepth", 6, "Pliant has no octrees")
CLASSES["MjsCamera"].intrinsic = property(
    lambda self: np.zeros(4, np.float32), doc="always zero: given by focal_length, principal_length and sensor_size"
)


def _add_wrap(tendon, kind, name="", sidesite="", number=0.0):
    _pliant._add_wrap(tendon, int(kind), name_text(name, "name"), name_text(sidesite, "sidesite"), float(number))
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

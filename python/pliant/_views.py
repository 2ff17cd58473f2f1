"""Named access: model.body("torso").mass, data.body("torso").xpos. One table of kinds; the fields of a model
come from the field list.

A view gives the rows of one object, without the prefix of the kind. Rows are views into the model or data:
writing to them changes it. As in the reference, a single number is an array of one element.
"""

import dataclasses
import operator
import weakref

import numpy as np

from . import _enums, _pliant
from ._attributes import describe, did_you_mean

# by mjtJoint
_QPOS_NUM = [positions for _, positions, _ in _pliant.joint_types()]
_DOF_NUM = [velocities for _, _, velocities in _pliant.joint_types()]


@dataclasses.dataclass(frozen=True)
class Kind:
    title: str  # of the class of its views
    accessors: tuple  # methods of MjModel
    type: int  # mjtObj
    prefix: str
    count: str


KINDS = (
    Kind("Actuator", ("actuator",), _enums.mjtObj.mjOBJ_ACTUATOR, "actuator", "nactuator"),
    Kind("Body", ("body",), _enums.mjtObj.mjOBJ_BODY, "body", "nbody"),
    Kind("Camera", ("camera", "cam"), _enums.mjtObj.mjOBJ_CAMERA, "cam", "ncam"),
    Kind("Equality", ("equality", "eq"), _enums.mjtObj.mjOBJ_EQUALITY, "eq", "neq"),
    Kind("Exclude", ("exclude",), _enums.mjtObj.mjOBJ_EXCLUDE, "exclude", "nexclude"),
    Kind("Geom", ("geom",), _enums.mjtObj.mjOBJ_GEOM, "geom", "ngeom"),
    Kind("Hfield", ("hfield",), _enums.mjtObj.mjOBJ_HFIELD, "hfield", "nhfield"),
    Kind("Joint", ("joint", "jnt"), _enums.mjtObj.mjOBJ_JOINT, "jnt", "njnt"),
    Kind("Light", ("light",), _enums.mjtObj.mjOBJ_LIGHT, "light", "nlight"),
    Kind("Material", ("material", "mat"), _enums.mjtObj.mjOBJ_MATERIAL, "mat", "nmat"),
    Kind("Mesh", ("mesh",), _enums.mjtObj.mjOBJ_MESH, "mesh", "nmesh"),
    Kind("Numeric", ("numeric",), _enums.mjtObj.mjOBJ_NUMERIC, "numeric", "nnumeric"),
    Kind("Pair", ("pair",), _enums.mjtObj.mjOBJ_PAIR, "pair", "npair"),
    Kind("Sensor", ("sensor",), _enums.mjtObj.mjOBJ_SENSOR, "sensor", "nsensor"),
    Kind("Site", ("site",), _enums.mjtObj.mjOBJ_SITE, "site", "nsite"),
    Kind("Skin", ("skin",), _enums.mjtObj.mjOBJ_SKIN, "skin", "nskin"),
    Kind("Tendon", ("tendon", "ten"), _enums.mjtObj.mjOBJ_TENDON, "tendon", "ntendon"),
    Kind("Text", ("text",), _enums.mjtObj.mjOBJ_TEXT, "text", "ntext"),
    Kind("Texture", ("texture", "tex"), _enums.mjtObj.mjOBJ_TEXTURE, "tex", "ntex"),
    Kind("Tuple", ("tuple",), _enums.mjtObj.mjOBJ_TUPLE, "tuple", "ntuple"),
    Kind("Keyframe", ("keyframe", "key"), _enums.mjtObj.mjOBJ_KEY, "key", "nkey"),
)


def _row(name):
    def get(model, index):
        array = getattr(model, name)
        return array[index : index + 1] if array.ndim == 1 else array[index]

    return get


def _rows(name, first, number):
    """Rows first(model, id) … of a field, number(model, id) of them."""

    def get(model, index):
        start = first(model, index)
        return getattr(model, name)[start : start + number(model, index)]

    return get


def _rows_or_row(name, first, number):
    """Like _rows, but one row of a matrix is a vector."""
    rows = _rows(name, first, number)

    def get(model, index):
        array = rows(model, index)
        return array[0] if array.ndim == 2 and len(array) == 1 else array

    return get


def _at(name):
    return lambda model, index: int(getattr(model, name)[index])


def _by_joint_type(table):
    return lambda model, index: table[int(model.jnt_type[index])]


def _actuator_fields(fields):
    for name, count in _FIELD_COUNTS:
        if name.startswith("actuator_") and count in ("nu", "nout"):
            part = "ctrl" if count == "nu" else "out"
            first, number = _at(f"actuator_{part}adr"), _at(f"actuator_{part}num")
            fields[name.removeprefix("actuator_")] = _rows_or_row(name, first, number)


def _joint_fields(fields):
    dofs = _at("jnt_dofadr"), _by_joint_type(_DOF_NUM)
    for name, count in _FIELD_COUNTS:
        short = name.removeprefix("dof_")
        # Both lists have bodyid, solref and solimp: the reference shows the body of the dofs and the
        # softness of the joint's limit.
        if name.startswith("dof_") and count == "nv" and (short == "bodyid" or short not in fields):
            fields[short] = _rows(name, *dofs)
    positions = _at("jnt_qposadr"), _by_joint_type(_QPOS_NUM)
    fields["qpos0"] = _rows("qpos0", *positions)
    fields["qpos_spring"] = _rows("qpos_spring", *positions)


def _tendon_fields(fields):
    fields["_limited"] = _row("tendon_limited")  # another name of it in the reference
    fields["J_rownnz"] = _row("ten_J_rownnz")
    fields["J_rowadr"] = _row("ten_J_rowadr")
    fields["J_colind"] = _rows("ten_J_colind", _at("ten_J_rowadr"), _at("ten_J_rownnz"))


def _tuple_fields(fields):
    for name in ("objtype", "objid", "objprm"):
        fields[name] = _rows(f"tuple_{name}", _at("tuple_adr"), _at("tuple_size"))


def _numeric_fields(fields):
    fields["data"] = _rows("numeric_data", _at("numeric_adr"), _at("numeric_size"))


def _text_fields(fields):
    def data(model, index):
        first, size = int(model.text_adr[index]), int(model.text_size[index])
        return model.text_data[first : first + size - 1].decode()

    fields["data"] = data


def _hfield_fields(fields):
    def data(model, index):
        shape = int(model.hfield_nrow[index]), int(model.hfield_ncol[index])
        first = int(model.hfield_adr[index])
        return model.hfield_data[first : first + shape[0] * shape[1]].reshape(shape)

    fields["data"] = data


def _texture_fields(fields):
    def data(model, index):
        shape = tuple(int(size[index]) for size in (model.tex_height, model.tex_width, model.tex_nchannel))
        first = int(model.tex_adr[index])
        return model.tex_data[first : first + shape[0] * shape[1] * shape[2]].reshape(shape)

    fields["data"] = data


_SPECIAL = {
    "Actuator": _actuator_fields,
    "Joint": _joint_fields,
    "Tendon": _tendon_fields,
    "Tuple": _tuple_fields,
    "Numeric": _numeric_fields,
    "Text": _text_fields,
    "Hfield": _hfield_fields,
    "Texture": _texture_fields,
}

_FIELD_COUNTS = [(field["name"], field["count"]) for field in _pliant.model_fields()]


class _Place:
    """Where a view looks: an object of a model, or of its data. Arrays that were asked for are kept in `rows`, which
    all views of the object have as their attributes."""

    __slots__ = ("__dict__", "__weakref__", "_model", "id")

    def __init__(self, owner, index, rows):
        self._model, self.id, self.__dict__ = owner, index, rows


class _View(_Place):
    """One object of a model, or of its data."""

    __slots__ = ()
    _kind = None
    _fields = {}

    @property
    def name(self):
        return self._owner_model.name(self._kind.type, self.id)

    @property
    def origin(self):
        """Where it was written, as file:line:column."""
        return self._owner_model.origin(self._kind.type, self.id)

    @property
    def _owner_model(self):
        return self._model

    def __getattr__(self, name):
        raise self._no_attribute(name)

    def __setattr__(self, name, value):
        if name not in self._fields:
            raise self._no_attribute(name)
        getattr(self, name)[...] = value

    def _no_attribute(self, name):
        known = sorted([*(field for field in self._fields if not field.startswith("_")), "id", "name"])
        return AttributeError(
            f"'{type(self).__name__}' object has no attribute '{name}'.{did_you_mean(name, known)}"
            f" It has: {', '.join(known)}"
        )

    def __dir__(self):
        return sorted([*(name for name in self._fields if not name.startswith("_")), "id", "name"])

    def __eq__(self, other):
        return type(self) is type(other) and self._model is other._model and self.id == other.id

    def __hash__(self):
        return hash((type(self), id(self._model), self.id))

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle '{type(self).__name__}' object: pickle what it belongs to, and ask that for it")

    __repr__ = describe


class _Rows:
    """Rows of one object: those that are views of memory are kept, so that asking again gives the same array, and costs
    no more than an attribute."""

    def __init__(self, name, get):
        self.name, self.get = name, get

    def __get__(self, view, cls=None):
        if view is None:
            return self
        value = self.get(view._model, view.id)
        if isinstance(value, np.ndarray) and self.get is not _moment:  # which is computed anew
            view.__dict__[self.name] = value
        return value


def _make_class(name, base, kind, fields):
    space = {"__slots__": (), "_kind": kind, "_fields": fields}
    return type(name, (base,), space | {field: _Rows(field, get) for field, get in fields.items()})


def _view_class(kind):
    fields = {}
    for name, count in _FIELD_COUNTS:
        if name.startswith(kind.prefix + "_") and count == kind.count:
            fields[name.removeprefix(kind.prefix + "_")] = _row(name)
    if kind.title in _SPECIAL:
        _SPECIAL[kind.title](fields)
    return _make_class(f"_MjModel{kind.title}Views", _View, kind, fields)


def names_of(model, kind):
    """Names of all objects of a kind that have one."""
    names = (model.name(kind.type, index) for index in range(getattr(model, kind.count)))
    return sorted(name for name in names if name)


def _find(model, kind, name):
    """Id of an object given by name or id."""
    if isinstance(name, bytes):
        name = name.decode()
    if isinstance(name, str):
        index = model.id(kind.type, name)
        if index < 0:
            known = names_of(model, kind)
            hint = did_you_mean(name, known)
            raise KeyError(f"Invalid name '{name}'. Valid names: {known}" + (f".{hint}" if hint else ""))
        return index
    index, count = operator.index(name), getattr(model, kind.count)
    if not 0 <= index < count:
        raise IndexError(f"Invalid index {index}. Valid indices from 0 to {count - 1}")
    return index


def _no_view():
    return None


def _entry(owner, kind, model, name):
    """[reference to the view, if somebody has one; id; arrays that were asked for] of an object, kept by the owner."""
    index = _find(model, kind, name)
    kept = owner.__dict__.setdefault(f"_named_{kind.prefix}", {})
    entry = kept.get(index)
    if entry is None:
        entry = kept[index] = [_no_view, index, {}]
    if type(name) is str:
        kept[name] = entry
    return entry


def _accessor(kind, view, model_of):
    place, exact, reference = f"_named_{kind.prefix}", (str, int), weakref.ref

    def access(self, name=""):
        kept = self.__dict__.get(place)
        entry = kept.get(name) if kept is not None and type(name) in exact else None
        if entry is None:
            entry = _entry(self, kind, model_of(self), name)
        found = entry[0]()
        if found is None:
            # kept weakly, since a view keeps its owner: who holds one gets the same one again
            found = _Place(self, entry[1], entry[2])
            found.__class__ = view  # past __setattr__, which is for fields
            entry[0] = reference(found)
        return found

    access.__name__ = kind.accessors[0]
    access.__doc__ = f"The {kind.accessors[0]} of this name or id."
    return access


def add_accessors(cls):
    """Gives a model class its accessors."""
    for kind in KINDS:
        access = _accessor(kind, _view_class(kind), lambda model: model)
        for name in kind.accessors:
            setattr(cls, name, access)
    return cls


# ---- data ----------------------------------------------------------------------------------------


def _of_model(get):
    return lambda data, index: get(data.model, index)


def _plain(names, prefix=""):
    return {name: _row(prefix + name) for name in names.split()}


def _moment(data, index):
    """The actuator's row of the moment matrix, dense; several rows for several outputs."""
    first, number = int(data.model.actuator_outadr[index]), int(data.model.actuator_outnum[index])
    rows = np.zeros((number, data.model.nv))
    for row in range(number):
        at, size = int(data.moment_rowadr[first + row]), int(data.moment_rownnz[first + row])
        rows[row, data.moment_colind[at : at + size]] = data.actuator_moment[at : at + size]
    rows.flags.writeable = False  # a copy: writing to it would change nothing
    return rows[0] if number == 1 else rows


def _plastic(address, number):
    """Where the spring of an object is at rest; empty if it does not yield."""

    def get(data, index):
        first = int(getattr(data.model, address)[index])
        return data.plastic[first : first + number(data.model, index)] if first >= 0 else data.plastic[:0]

    return get


def _data_fields():
    dofs = _of_model(_at("jnt_dofadr")), _of_model(_by_joint_type(_DOF_NUM))
    positions = _of_model(_at("jnt_qposadr")), _of_model(_by_joint_type(_QPOS_NUM))
    outputs = _of_model(_at("actuator_outadr")), _of_model(_at("actuator_outnum"))
    joint = {name: _rows(name, *dofs) for name in """
        cdof cdof_dot qLDiagInv qacc qacc_smooth qacc_warmstart qfrc_actuator qfrc_applied qfrc_bias
        qfrc_constraint qfrc_inverse qfrc_passive qfrc_smooth qvel
    """.split()}  # fmt: skip
    joint["qpos"] = _rows("qpos", *positions)
    joint["plastic"] = _plastic("jnt_plasticadr", _by_joint_type(_QPOS_NUM))
    actuator = {name: _rows(f"actuator_{name}", *outputs) for name in ("force", "length", "velocity")}
    actuator["ctrl"] = _rows("ctrl", _of_model(_at("actuator_ctrladr")), _of_model(_at("actuator_ctrlnum")))
    actuator["moment"] = _moment
    return {
        "Actuator": actuator,
        "Body": _plain(
            "cacc cfrc_ext cfrc_int cinert crb cvel subtree_angmom subtree_com subtree_linvel xfrc_applied ximat"
            " xipos xiquat xmat xpos xquat"
        ),
        "Camera": _plain("xmat xpos", "cam_"),
        "Geom": _plain("xmat xpos xquat", "geom_"),
        "Joint": joint | _plain("xanchor xaxis"),
        "Light": _plain("xdir xpos", "light_"),
        "Sensor": {"data": _rows("sensordata", _of_model(_at("sensor_adr")), _of_model(_at("sensor_dim")))},
        "Site": _plain("xmat xpos xquat", "site_"),
        "Tendon": _plain("length velocity wrapadr wrapnum", "ten_")
        | {"plastic": _plastic("tendon_plasticadr", lambda model, index: 2)},
    }


class _DataView(_View):
    __slots__ = ()

    @property
    def _owner_model(self):
        return self._model.model


def add_data_accessors(cls):
    """Gives a data class its accessors."""
    fields = _data_fields()
    for kind in KINDS:
        if kind.title not in fields:
            continue
        view = _make_class(f"_MjData{kind.title}Views", _DataView, kind, fields[kind.title])
        access = _accessor(kind, view, lambda data: data.model)
        for name in kind.accessors:
            setattr(cls, name, access)
    return cls

"""What an MjSpec may hold and Pliant cannot simulate: flexes, plugins, volumes of meshes.

Programs make, change, copy and delete them like other elements; a model that still has one is refused, by name, when it
is compiled or written.
"""

import numpy as np

from . import _enums as E
from . import _pliant
from ._attributes import did_you_mean
from ._spec_fields import calling_line, name_text

_INSTEAD = {
    "flex": "deformable bodies are not supported: use bodies joined by joints or soft equalities",
    "plugin": "engine plugins are not supported: write what it does as actuators, forces or callbacks",
    "volume": "volumes of meshes are for deformable bodies, which are not supported",
}


class _Element:
    """An element by its attributes; numbers and texts are checked as those of other elements are."""

    _KIND, _DEFAULTS = "", {}

    def __init__(self, *args, **kwargs):
        raise TypeError(f"{type(self).__name__}: use MjSpec.add_{self._KIND}")

    @classmethod
    def _make(cls, **attributes):
        self = object.__new__(cls)
        values = {name: np.array(value) if isinstance(value, np.ndarray) else value
                  for name, value in cls._DEFAULTS.items()}  # fmt: skip
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_place", calling_line())
        for name, value in attributes.items():
            if name not in cls._DEFAULTS:
                options = sorted(cls._DEFAULTS)
                raise TypeError(f"Invalid {name} keyword argument.{did_you_mean(name, options)}"
                                f" Valid options are: {', '.join(options)}.")  # fmt: skip
            if value is not None:
                setattr(self, name, value)
        return self

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._values:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'."
                                 f"{did_you_mean(name, list(self._DEFAULTS))}", name=name, obj=self)  # fmt: skip
        return self._values[name]

    def __setattr__(self, name, value):
        usual = self._DEFAULTS.get(name)
        if name not in self._DEFAULTS:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)
        if isinstance(usual, str):
            value = name_text(value, name)
        elif isinstance(usual, bool):
            if isinstance(value, (str, bytes)):
                raise TypeError(f"{name} should be a bool, not {value!r}")
            value = bool(value)
        elif isinstance(usual, np.ndarray):
            if isinstance(value, (str, bytes)):
                raise TypeError(f"{name} should be numbers, not {value!r}")
            array = np.asarray(value, usual.dtype).ravel()
            if len(array) != len(usual):
                raise ValueError(f"{name} should be a list/array of size {len(usual)}.")
            self._values[name][:] = array
            return
        elif isinstance(usual, (int, float)):
            if isinstance(value, (str, bytes)):
                raise TypeError(f"{name} should be a number, not {value!r}")
            value = type(usual)(value)
        elif isinstance(usual, dict):
            value = {name_text(key, "key"): name_text(item, "value") for key, item in value.items()}
        else:  # a list of any length
            if isinstance(value, (str, bytes)):
                raise TypeError(f"{name} should be a list, not {value!r}")
            value = list(value)
        self._values[name] = value

    def __dir__(self):
        return sorted([*self._DEFAULTS, "id", "signature"])

    def __repr__(self):
        name = f" {self.name!r}" if self.name else ""
        return f"<{type(self).__name__}{name}>"

    def _copy(self):
        other = object.__new__(type(self))
        values = {name: value.copy() if hasattr(value, "copy") else value for name, value in self._values.items()}
        object.__setattr__(other, "_values", values)
        object.__setattr__(other, "_place", self._place)
        return other

    id, signature = property(lambda self: -1), property(lambda self: 0)


class MjsPlugin(_Element):
    """An instance of a plugin. Pliant has no plugins: a model that uses one does not compile."""

    _KIND = "plugin"
    _DEFAULTS = {"name": "", "plugin_name": "", "active": False, "info": "", "config": {}}


class MjsFlex(_Element):
    """A deformable body. Pliant has none: a model that has one does not compile."""

    _KIND = "flex"
    _DEFAULTS = {
        "name": "", "info": "", "activelayers": 1, "cellcount": np.ones(3, np.int32), "conaffinity": 1, "condim": 3,
        "contype": 1, "damping": 0.0, "dim": 2, "edgedamping": 0.0, "edgestiffness": 0.0, "elastic2d": 0,
        "elastic3d": 0, "elem": [], "elemtexcoord": [], "flatskin": False, "friction": np.array([1, 0.005, 0.0001]),
        "gap": 0.0, "group": 0, "margin": 0.0, "material": [], "node": [], "nodebody": [], "order": 0, "passive": 0,
        "poisson": 0.0, "priority": 0, "radius": 0.005, "rgba": np.array([0.5, 0.5, 0.5, 1], np.float32), "section": 0,
        "sectionsize": np.zeros(2), "selfcollide": int(E.mjtFlexSelf.mjFLEXSELF_AUTO), "shear": 0.0,
        "size": np.zeros(3), "solimp": np.array([0.9, 0.95, 0.001, 0.5, 2]), "solmix": 1.0,
        "solref": np.array([0.02, 1]), "stressyield": np.zeros(2), "texcoord": [], "thickness": -1.0, "vert": [],
        "vertbody": [], "young": 0.0,
    }  # fmt: skip


class Unsupported:
    """What one MjSpec holds of these."""

    def __init__(self):
        self.plugins, self.flexes = [], []
        self.uses = {}  # address of an element → (element, {attribute: value})

    def __bool__(self):
        return bool(self.plugins or self.flexes or self.uses)

    def of(self, element, name, make):
        """An attribute of an element; made when it is first asked for."""
        values = self.uses.setdefault(element._address, (element, {}))[1]
        if name not in values:
            values[name] = make()
        return values[name]

    def put(self, element, name, value):
        self.uses.setdefault(element._address, (element, {}))[1][name] = value

    def add(self, other):
        """Those of a model that was attached."""
        self.plugins += other.plugins
        self.flexes += other.flexes
        self.uses.update(other.uses)

    def copy_into(self, spec, other_spec):
        """To a copy of the model, whose elements are in the same order."""
        other = other_spec._unsupported
        other.plugins = [plugin._copy() for plugin in self.plugins]
        other.flexes = [flex._copy() for flex in self.flexes]
        for element, values in self.uses.values():
            if element._tree_address != spec._address:
                continue
            mine = spec._elements(element._kind)
            at = next(i for i, one in enumerate(mine) if one._address == element._address)
            for name, value in values.items():
                other.put(other_spec._elements(element._kind)[at], name,
                          value._copy() if isinstance(value, MjsPlugin) else list(value))  # fmt: skip

    def _problems(self):
        for kind, elements in (("plugin", self.plugins), ("flex", self.flexes)):
            for element in elements:
                named = f" name={element.name!r}" if element.name else ""
                yield element._place, f"<{kind}{named}> is not supported: {_INSTEAD[kind]}"
        for element, values in self.uses.values():
            if not element._tree_address:  # removed
                continue
            named = f" name={element.name!r}" if element.name else ""
            for name, value in values.items():
                if isinstance(value, MjsPlugin):
                    if value.active:
                        yield value._place, f"<{element._kind}{named}> uses a plugin: {_INSTEAD['plugin']}"
                elif len(value):
                    yield ("", 0), f"<{element._kind}{named}> has {name}: {_INSTEAD['volume']}"

    def refuse(self):
        """Raises a LoadError that names all of them."""
        problems = list(self._problems())
        if not problems:
            return
        lines = []
        for (file, line), message in problems:
            place = f"{file}:{line}:0: " if file else ""
            lines.append(f"{place}error[E501] {message}")
        count = "1 error" if len(problems) == 1 else f"{len(problems)} errors"
        error = _pliant.LoadError("\n".join([*lines, f"{count}, 0 warnings"]))
        error.diagnostics = []
        raise error


def _read(element_model, element, name, make):
    try:
        return element_model(element)._unsupported.of(element, name, make)
    except ValueError:  # the model is gone
        return make()


def _plugin_of(element_model):
    def get(self):
        return _read(element_model, self, "plugin", MjsPlugin._make)

    def put(self, value):
        if not isinstance(value, MjsPlugin):
            raise TypeError(f"plugin should be an MjsPlugin, not {type(value).__name__}")
        element_model(self)._unsupported.put(self, "plugin", value._copy())

    return property(get, put, doc="the plugin that it uses; Pliant has none, and refuses a model where one is active")


def _volume_of(element_model, name, convert):
    def get(self):
        return _read(element_model, self, name, list)

    def put(self, value):
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{name} should be numbers, not {value!r}")
        element_model(self)._unsupported.put(self, name, [convert(number) for number in value])

    return property(get, put, doc="for deformable bodies, which Pliant does not have: refused when it is compiled")


def give_elements(model_of, with_plugins, mesh):
    """Gives classes of elements the attributes that they have for these things."""
    for cls in with_plugins:
        cls.plugin = _plugin_of(model_of)
        cls._MORE.add("plugin")
    for name, convert in (("usernode", float), ("usertet", int)):
        setattr(mesh, name, _volume_of(model_of, name, convert))
        mesh._MORE.add(name)

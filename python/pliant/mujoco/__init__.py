"""The names of MuJoCo's Python package, as far as Pliant has them.

    import pliant.mujoco as mujoco          # or, before other packages import mujoco:
    # import sys, pliant.mujoco; sys.modules["mujoco"] = pliant.mujoco

    model = mujoco.MjModel.from_xml_path("robot.xml")
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.1
    mujoco.mj_step(model, data)
    data.body("torso").xpos

A step is never reset silently: when a number is not finite or beyond 1e10, mj_step raises StepError (a
FatalError), which names it, and the state stays as it was before the step.

Names, shapes and types of fields, enumerations and constants are those of version 4.0.1; docs/compatibility.md lists
what is the same, what differs and what is absent. Arrays of things Pliant does not have (flexes, plugins, octrees) are
there with size zero.
"""

import hashlib as _hashlib
import importlib as _importlib
import os as _os
import sys as _sys
import weakref as _weakref
from typing import Union as _Union

import numpy as _np

from .. import (
    _callbacks,
    _compat,
    _earlier,
    _figure,
    _functions,
    _histories,
    _length_range,
    _log,
    _math,
    _pliant,
    _render,
    _spec,
    _texts,
)
from .._attributes import KeptView as _KeptView
from .._attributes import assign_numbers as _assign_numbers
from .._attributes import did_you_mean, no_attribute
from .._checked import CheckedArray as _CheckedArray
from .._contact import MjContact
from .._data import MjData, MjSolverStat, MjTimerStat, MjWarningStat
from .._enums import *  # noqa: F403
from .._pliant import FatalError, LoadError, MjLROpt, MjOption, MjStatistic, MjVisual, StepError
from .._spec_errors import with_line as _with_line
from .._views import add_accessors

__version__ = "4.0.1"

MJTNUM_BYTES = 8
MJTNUM_DTYPE = _np.float64

# Sizes and arrays of things Pliant does not have; arrays by element type and shape of a row.
_ABSENT_SIZES = """
    nJfe nbvhdynamic nefm0L nefm0dof nefmCvert nflex nflexbending nflexedge nflexelem nflexelemdata
    nflexelemedge nflexnode nflexshelldata nflexstiffness nflextexcoord nflexvert noct
    nplugin npluginattr npluginstate
"""
_ABSENT_ARRAYS = {
    ("float64", ()): """
        efm0_L flex_bending flex_damping flex_edgedamping flex_edgestiffness flex_gap flex_margin
        flex_radius flex_solmix flex_stiffness flexedge_invweight0 flexedge_length0
    """,
    ("float64", (2,)): "flex_solref flex_yield",
    ("float64", (3,)): "flex_friction flex_node flex_node0 flex_size flex_vert flex_vert0",
    ("float64", (5,)): "flex_solimp",
    ("float64", (6,)): "oct_aabb",
    ("float64", (8,)): "oct_coeff",
    ("float32", (2,)): "flex_texcoord",
    ("float32", (4,)): "flex_rgba",
    ("bool", ()): "flex_centered flex_flatskin flex_rigid flexedge_rigid",
    ("int8", ()): "plugin_attr",
    ("int32", ()): """
        efm0_L_colind efm0_L_rowadr efm0_L_rownnz efm0_dofid efmC_perm flex_activelayers
        flex_bendingadr flex_bvhadr flex_bvhnum flex_conaffinity flex_condim flex_contype flex_dim
        flex_edgeadr flex_edgeequality flex_edgenum flex_elem flex_elemadr flex_elemdataadr
        flex_elemedge flex_elemedgeadr flex_elemlayer flex_elemnum flex_elemtexcoord flex_group
        flex_interp flex_matid flex_nodeadr flex_nodebodyid flex_nodenum flex_passive
        flex_plasticadr flex_plasticmode flex_priority flex_selfcollide flex_shell flex_shelldataadr
        flex_shellnum flex_stiffnessadr flex_texcoordadr flex_vertadr flex_vertbodyid flex_vertcell
        flex_vertnum flexedge_J_colind flexedge_J_rowadr flexedge_J_rownnz name_flexadr
        name_pluginadr oct_depth plugin plugin_attradr plugin_stateadr plugin_statenum
    """,
    ("int32", (2,)): "flex_edge flex_edgeflap",
    ("int32", (3,)): "flex_cellnum",
    ("int32", (8,)): "oct_child",
}  # fmt: skip


# Arrays of flexes that releases before 4.0 had: programs made for those (dm_control 1.0.50) ask for them.
_EARLIER_ARRAYS = {
    ("float64", (4,)): "flex_vertmetric",
    ("int32", ()): "flex_vertedgeadr flex_vertedgenum",
    ("int32", (2,)): "flex_vertedge flexvert_J_colind flexvert_J_rowadr flexvert_J_rownnz",
}  # fmt: skip


def _add_absent(cls):
    def empty(dtype, row):
        array = _np.zeros((0, *row), dtype)
        put = lambda self, value: _assign_numbers("an array of what Pliant does not have", array, value)  # noqa: E731
        return property(lambda self: array, put, doc="always empty: Pliant does not have these")

    for name in _ABSENT_SIZES.split():
        setattr(cls, name, property(lambda self: 0, doc="always 0: Pliant does not have these"))
    for (dtype, row), names in [*_ABSENT_ARRAYS.items(), *_EARLIER_ARRAYS.items()]:
        for name in names.split():
            setattr(cls, name, empty(dtype, row))
    return cls


_VIEWS = set()  # names of all arrays of MjModel


def _in_memory(model, array):
    """The same array as a view of the model's memory, which all its arrays have as their base."""
    kept = model.__dict__.get("_bytes")
    if kept is None:
        memory = model._memory
        kept = model.__dict__["_bytes"] = memory, memory.__array_interface__["data"][0]
    memory, start = kept
    place = array.__array_interface__["data"][0] - start
    return _np.ndarray(array.shape, array.dtype, memory, place)


def _keep_views(cls):
    """Arrays are made once and kept: `m.body_mass is m.body_mass`, and asking again costs nothing."""
    for field in _pliant.model_fields():
        name = field["name"]
        compiled = getattr(_pliant.Model, name)

        def make(model, name=name, compiled=compiled):
            value = compiled.__get__(model)
            if isinstance(value, _CheckedArray):
                value.owner = _weakref.ref(model), name
            elif isinstance(value, _np.ndarray) and value.size:
                value = _in_memory(model, value)
            return value

        setattr(cls, name, _KeptView(name, make, compiled.__doc__))
        _VIEWS.add(name)
    return cls


@_keep_views
@_add_absent
@add_accessors
class MjModel(_pliant.Model):
    """A compiled model under MuJoCo's names.

    Beyond the reference it knows what was found while loading: `diagnostics`, `ledger`, `pending` and
    origin(kind, id).
    """

    def __init__(self):
        raise TypeError("MjModel: use MjModel.from_xml_path or MjModel.from_xml_string")

    @classmethod
    def _make(cls, *args, **kwargs):
        self = cls.__new__(cls)
        try:
            _pliant.Model.__init__(self, *args, **kwargs)
        except LoadError as error:
            raise _with_line(error) from None
        if "gymnasium.envs.mujoco.mujoco_rendering" in _sys.modules:  # its window is OpenGL's, ours the browser's
            _importlib.import_module("pliant.viewer.gymnasium_window").serve(_sys.modules[__name__])
        return self

    @classmethod
    def from_xml_path(cls, filename, assets=None, vfs=None):
        """Loads a file; `assets` maps file names to bytes used instead of files of that name, `vfs` is an MjVfs."""
        path, files = _text(_os.fspath(filename)), _spec.files_of(assets, vfs)
        with _log.compile_time():
            model = cls._make(path, assets=files)
        _texts.remember_last(path=path, assets=files)
        return model._with_source(path=path, assets=files)

    @classmethod
    def from_xml_string(cls, xml, assets=None, vfs=None):
        """Loads a model given as text; `assets` and `vfs` as in from_xml_path."""
        text, files = _text(xml), _spec.files_of(assets, vfs)
        with _log.compile_time():
            model = cls._make(xml=text, assets=files)
        _texts.remember_last(xml=text, assets=files)
        return model._with_source(xml=text, assets=files)

    def _with_source(self, **source):
        """Kept where the model needs its files again: textures that stayed in them (mj_embedAssets)."""
        if _np.any(self.tex_adr < 0):
            self.__dict__["_source"] = source
        return self

    @classmethod
    def from_binary_path(cls, filename, assets=None, vfs=None):
        """Loads a model that mj_saveModel or `pliant compile` has written; .mjb files of MuJoCo are another format."""
        if vfs is not None or assets:
            files = _spec.files_of(assets, vfs)
            if _text(_os.fspath(filename)) in files:
                return _restore_model(cls, files[_text(_os.fspath(filename))])
        try:
            with open(filename, "rb") as file:
                state = file.read()
        except OSError as problem:  # a ValueError, as for every model that cannot be loaded, here and in the reference
            raise LoadError(f"{filename}: {problem.strerror or problem}") from None
        try:
            return _restore_model(cls, state)
        except LoadError as error:  # which knows of bytes only
            named = LoadError(str(error).replace("pickled model:", f"{filename}:", 1))
            named.diagnostics = error.diagnostics
            raise named from None

    @property
    def signature(self):
        """a number that tells models of other elements apart: names, their order and all sizes are in it"""
        sizes = [getattr(self, name) for name, _ in _pliant.model_sizes()]
        text = _hashlib.blake2b(self.names + repr(sizes).encode(), digest_size=8)
        return int.from_bytes(text.digest(), "little")

    def bind(self, elements):
        """The rows of elements of the MjSpec that this model was compiled from."""
        return _spec.bind(self, elements)

    def __reduce__(self):
        return _restore_model, (type(self), self.__getstate__())

    def __copy__(self):
        return self._make(self)

    def __deepcopy__(self, memo):
        return self._make(self)

    @property
    def flg_gravcomp(self):
        """whether any body has gravity compensation; a negative one alone does not count"""
        return "flg_gravcomp" in self._raised or bool(_np.any(self.body_gravcomp > 0))

    @flg_gravcomp.setter
    def flg_gravcomp(self, value):
        self._raise_flag("flg_gravcomp", value, bool(_np.any(self.body_gravcomp > 0)), "body_gravcomp")

    @property
    def ngravcomp(self):
        """number of bodies with gravity compensation; 1 where there is none and flg_gravcomp was set"""
        return max(_pliant.Model.ngravcomp.__get__(self), int("flg_gravcomp" in self._raised))

    @property
    def flg_surfacevel(self):
        """whether the surface of any geom moves"""
        return "flg_surfacevel" in self._raised or bool(_np.any(self.geom_surfacevel))

    @flg_surfacevel.setter
    def flg_surfacevel(self, value):
        self._raise_flag("flg_surfacevel", value, bool(_np.any(self.geom_surfacevel)), "geom_surfacevel")

    @property
    def _raised(self):
        """Flags that a program has set; the engine looks at the numbers themselves, so that they change nothing."""
        return self.__dict__.setdefault("_flags", set())

    def _raise_flag(self, name, value, needed, field):
        if isinstance(value, (str, bytes)) or not isinstance(value, (bool, int, float, _np.generic)):
            raise TypeError(f"{name} should be a bool, not {type(value).__name__}")
        if value:
            self._raised.add(name)
        elif needed:
            raise ValueError(f"{name}: set {field} to zero; the engine looks at the numbers themselves")
        else:
            self._raised.discard(name)

    @property
    def flg_adhesion(self):
        """whether any contact attracts"""
        return bool(_np.any(self.geom_adhesion) or _np.any(self.pair_adhesion))

    @property
    def nbuffer(self):
        """bytes of all arrays; another number than the reference's, whose layout differs"""
        return self.bytes

    @property
    def narena(self):
        """bytes asked for in <size>; -1 if automatic"""
        return self.arena_bytes

    def __getattr__(self, name):
        raise no_attribute(self, name, list_all=False)

    def __setattr__(self, name, value):
        if name in _VIEWS:
            getattr(_pliant.Model, name).__set__(self, value)
        elif not hasattr(type(self), name):
            raise no_attribute(self, name, list_all=False)
        else:
            super().__setattr__(name, value)


def _text(value):
    """A text given as str or bytes."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode()
    if not isinstance(value, str):
        raise TypeError(f"a text or a path is wanted, not {type(value).__name__}")
    return value


MjData.bind = _spec.bind


def _restore_model(cls, state):
    model = cls.__new__(cls)
    model.__setstate__(state)
    return model


UnexpectedError = FatalError
globals().update(_spec.NAMES)
MjStruct = _Union[tuple([*_spec.CLASSES.values(), _spec.MjsPlugin, _spec.MjsFlex])]  # noqa: UP007
MjVisualHeadlight, MjVisualRgba = MjVisual.Headlight, MjVisual.Rgba
# functions: of the compiled module, and those written in Python
globals().update({name: value for name, value in vars(_pliant).items() if name.startswith(("mj_", "mju_", "mjd_"))})
globals().update(_functions.FUNCTIONS)
for _part in (_earlier, _histories, _length_range, _texts):
    globals().update(_part.FUNCTIONS)
globals().update(_math.FUNCTIONS)
globals().update(_render.FUNCTIONS)
globals().update(_render.CLASSES)
globals().update(_callbacks.FUNCTIONS)
globals().update(_figure.NAMES)
MjLogConfig = _log.MjLogConfig


_OWN = """
    FatalError LoadError MJTNUM_BYTES MJTNUM_DTYPE MjContact MjData MjLROpt MjModel MjOption MjSolverStat
    MjStatistic MjStruct MjTimerStat MjVisual MjVisualHeadlight MjVisualRgba MjWarningStat StepError UnexpectedError
    __version__
""".split()
_OWN += [*_spec.NAMES, *_callbacks.FUNCTIONS, *_render.CLASSES, *_figure.NAMES, "MjLogConfig"]
__all__ = _OWN + [name for name in globals() if name.startswith("mj") and name not in _OWN]


_SUBMODULES = ("batch", "egl", "gl_context", "glfw", "minimize", "osmesa", "renderer", "rendering", "rollout", "viewer")


def __dir__():
    return sorted(__all__)


def __getattr__(name):
    if name in _SUBMODULES:  # as in the reference, `import mujoco` alone is enough
        return _importlib.import_module(f"pliant.mujoco.{name}")
    message = f"pliant.mujoco has no '{name}'."
    if instead := _compat.instead_of(name):
        message += f" Instead: {instead}."
        if _compat.can_be_named(name):
            globals()[name] = _compat.placeholder(name, message)
            return globals()[name]
    else:
        message += did_you_mean(name, __all__) + " docs/compatibility.md lists all names."
    raise AttributeError(message, name=name)

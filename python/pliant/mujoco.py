"""The names of MuJoCo's Python package, as far as Pliant has them.

    import pliant.mujoco as mujoco

    model = mujoco.MjModel.from_xml_path("robot.xml")
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.1
    mujoco.mj_step(model, data)
    data.body("torso").xpos

A step is never reset silently: when a number is not finite or beyond 1e10, mj_step raises StepError (a
FatalError), which names it, and the state stays as it was before the step.

Names, shapes and types of fields, enumerations and constants are those of version 3.12.0. Things
Pliant does not have (flexes, plugins, octrees) are there with size zero.
"""

import os

import numpy as np

from . import _enums, _pliant
from ._attributes import did_you_mean, no_attribute
from ._data import MjContact, MjData, MjSolverStat, MjTimerStat, MjWarningStat
from ._enums import *  # noqa: F403
from ._pliant import FatalError, LoadError, MjOption, MjStatistic, MjVisual, StepError
from ._views import add_accessors

__version__ = "3.12.0"

MJTNUM_BYTES = 8
MJTNUM_DTYPE = np.float64

# Sizes and arrays of things Pliant does not have; arrays by element type and shape of a row.
_ABSENT_SIZES = """
    nJfe nJfv nbvhdynamic nefm0L nefm0dof nflex nflexbending nflexedge nflexelem nflexelemdata
    nflexelemedge nflexevpair nflexnode nflexshelldata nflexstiffness nflextexcoord nflexvert noct
    nplugin npluginattr npluginstate
"""
_ABSENT_ARRAYS = {
    ("float64", ()): """
        efm0_L flex_bending flex_damping flex_edgedamping flex_edgestiffness flex_gap flex_margin
        flex_radius flex_solmix flex_stiffness flexedge_invweight0 flexedge_length0
    """,
    ("float64", (2,)): "flex_solref",
    ("float64", (3,)): "flex_friction flex_node flex_node0 flex_size flex_vert flex_vert0",
    ("float64", (4,)): "flex_vertmetric",
    ("float64", (5,)): "flex_solimp",
    ("float64", (6,)): "oct_aabb",
    ("float64", (8,)): "oct_coeff",
    ("float32", (2,)): "flex_texcoord",
    ("float32", (4,)): "flex_rgba",
    ("bool", ()): "flex_centered flex_flatskin flex_internal flex_rigid flexedge_rigid",
    ("int8", ()): "plugin_attr",
    ("int32", ()): """
        efm0_L_colind efm0_L_rowadr efm0_L_rownnz efm0_dofid flex_activelayers flex_bendingadr
        flex_bvhadr flex_bvhnum flex_conaffinity flex_condim flex_contype flex_dim flex_edgeadr
        flex_edgeequality flex_edgenum flex_elem flex_elemadr flex_elemdataadr flex_elemedge
        flex_elemedgeadr flex_elemlayer flex_elemnum flex_elemtexcoord flex_evpairadr
        flex_evpairnum flex_group flex_interp flex_matid flex_nodeadr flex_nodebodyid
        flex_nodenum flex_passive flex_priority flex_selfcollide flex_shell flex_shelldataadr
        flex_shellnum flex_stiffnessadr flex_texcoordadr flex_vertadr flex_vertbodyid
        flex_vertedgeadr flex_vertedgenum flex_vertnum flexedge_J_colind flexedge_J_rowadr
        flexedge_J_rownnz name_flexadr name_pluginadr oct_depth plugin plugin_attradr
        plugin_stateadr plugin_statenum
    """,
    ("int32", (2,)): """
        flex_edge flex_edgeflap flex_evpair flex_vertedge flexvert_J_colind flexvert_J_rowadr
        flexvert_J_rownnz
    """,
    ("int32", (3,)): "flex_cellnum",
    ("int32", (8,)): "oct_child",
}  # fmt: skip


def _add_absent(cls):
    def empty(dtype, row):
        array = np.zeros((0, *row), dtype)
        return property(lambda self: array, doc="always empty: Pliant does not have these")

    for name in _ABSENT_SIZES.split():
        setattr(cls, name, property(lambda self: 0, doc="always 0: Pliant does not have these"))
    for (dtype, row), names in _ABSENT_ARRAYS.items():
        for name in names.split():
            setattr(cls, name, empty(dtype, row))
    return cls


@_add_absent
@add_accessors
class MjModel(_pliant.Model):
    """A compiled model under MuJoCo's names.

    Beyond the reference it knows what was found while loading: `diagnostics`, `ledger`, `pending` and
    origin(kind, id).
    """

    __slots__ = ()

    def __init__(self):
        raise TypeError("MjModel: use MjModel.from_xml_path or MjModel.from_xml_string")

    @classmethod
    def _make(cls, *args, **kwargs):
        self = cls.__new__(cls)
        _pliant.Model.__init__(self, *args, **kwargs)
        return self

    @classmethod
    def from_xml_path(cls, filename, assets=None):
        """Loads a file; `assets` maps file names to bytes used instead of files of that name."""
        return cls._make(os.fspath(filename), assets=assets)

    @classmethod
    def from_xml_string(cls, xml, assets=None):
        """Loads a model given as text; `assets` as in from_xml_path."""
        return cls._make(xml=xml, assets=assets)

    def __reduce__(self):
        return _restore_model, (type(self), self.__getstate__())

    def __copy__(self):
        return self._make(self)

    def __deepcopy__(self, memo):
        return self._make(self)

    @property
    def flg_gravcomp(self):
        """whether any body has gravity compensation; a negative one alone does not count"""
        return bool(np.any(self.body_gravcomp > 0))

    @property
    def flg_surfacevel(self):
        """whether the surface of any geom moves"""
        return bool(np.any(self.geom_surfacevel))

    @property
    def flg_adhesion(self):
        """whether any contact attracts"""
        return bool(np.any(self.geom_adhesion) or np.any(self.pair_adhesion))

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
        if not hasattr(type(self), name):
            raise no_attribute(self, name, list_all=False)
        super().__setattr__(name, value)


def _restore_model(cls, state):
    model = cls.__new__(cls)
    model.__setstate__(state)
    return model


UnexpectedError = FatalError
# the functions of the compiled module that carry the reference's names
globals().update({name: value for name, value in vars(_pliant).items() if name.startswith(("mj_", "mju_"))})


def mj_name2id(m, type, name):
    """Id of the object of this kind (mjtObj) and name; -1 when there is none."""
    return m.id(int(type), name)


def mj_id2name(m, type, id):
    """Name of the object of this kind (mjtObj) and id; None when it has none or does not exist."""
    return m.name(int(type), int(id)) or None


def mj_setKeyframe(m, d, k):
    """Keeps the state as keyframe k of the model."""
    if not 0 <= k < m.nkey:
        raise FatalError(f"mj_setKeyframe: there is no keyframe {k}; the model has {m.nkey}")
    m.key_time[k] = d.time
    m.key_qpos[k], m.key_qvel[k], m.key_act[k], m.key_ctrl[k] = d.qpos, d.qvel, d.act, d.ctrl
    m.key_mpos[k], m.key_mquat[k] = d.mocap_pos.ravel(), d.mocap_quat.ravel()


def mj_getTotalmass(m):
    """Sum of all masses [kg]."""
    return float(m.body_mass.sum())


def mj_setTotalmass(m, newmass):
    """Scales masses and inertias so that the masses add up to newmass; mj_setConst is left to the caller."""
    scale = max(mjMINVAL, newmass / max(mjMINVAL, mj_getTotalmass(m)))  # noqa: F405
    m.body_mass *= scale
    m.body_inertia *= scale


def mj_isPyramidal(m):
    """Whether friction cones are pyramids."""
    return int(m.opt.cone == _enums.mjtCone.mjCONE_PYRAMIDAL)


def mj_isSparse(m):
    """Whether the reference would use sparse Jacobians; Pliant's have one form."""
    auto = m.opt.jacobian == _enums.mjtJacobian.mjJAC_AUTO and m.nv >= 60
    return int(auto or m.opt.jacobian == _enums.mjtJacobian.mjJAC_SPARSE)


def mj_isDual(m):
    """Whether the constraint solver works on forces."""
    return int(m.opt.solver == _enums.mjtSolver.mjSOL_PGS or m.opt.noslip_iterations > 0)


def mj_version():
    """Version of the reference whose names these are."""
    return _enums.mjVERSION_HEADER


def mj_versionString():
    """Version of the reference whose names these are, as text."""
    return __version__


_OWN = """
    FatalError LoadError MJTNUM_BYTES MJTNUM_DTYPE MjContact MjData MjModel MjOption MjSolverStat MjStatistic
    MjTimerStat MjVisual MjWarningStat StepError UnexpectedError __version__
""".split()
__all__ = _OWN + [name for name in globals() if name.startswith("mj")]


def __dir__():
    return sorted(__all__)


def __getattr__(name):
    message = f"pliant.mujoco has no '{name}'.{did_you_mean(name, __all__)}"
    if name.startswith(("mj", "Mj")):
        message += (
            " It has models, data, stepping, Jacobians, rays, distances and state vectors so far; the rest, such as"
            " rendering, arrives with later stages or not at all."
        )
    raise AttributeError(message)

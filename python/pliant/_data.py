"""MjData: a State and its Data under MuJoCo's names.

Arrays are views into the memory of the simulation. A view is made when it is first asked for and kept in the
object, so that `d.qpos` costs a lookup; the views hold the parts of the data alive, not the object itself.
Assigning to a field copies numbers into it.
"""

import copy

import numpy as np

from . import _enums, _pliant
from ._attributes import describe, equal, no_attribute
from ._contact import _MjContactList
from ._rows import add_rows
from ._views import add_data_accessors

_STATE_FIELDS = {row["name"]: row for row in _pliant.state_fields() if row["name"] != "time"}
# Arrays of Data that the reference has, too; working memory and the like stay inside.
_REFERENCE_ARRAYS = set(
    """
    M act_dot actuator_force actuator_length actuator_moment actuator_velocity cacc cam_xmat cam_xpos cdof
    cdof_dot cfrc_ext cfrc_int cinert crb cvel efm_aid efm_ak efm_as efm_c efm_ca efm_ck efm_diag efm_sdiag efm_tid
    efm_tk efm_ts energy geom_xmat geom_xpos geom_xquat light_xdir light_xpos
    moment_colind moment_rowadr moment_rownnz qDeriv qH qHDiagInv qLD qLDiagInv qLU qacc qacc_smooth
    qfrc_actuator qfrc_adhesion qfrc_bias qfrc_constraint qfrc_damper qfrc_fluid qfrc_gravcomp qfrc_inverse
    qfrc_passive qfrc_smooth qfrc_spring sensordata site_xmat site_xpos site_xquat solver_fwdinv subtree_angmom
    subtree_com subtree_linvel ten_J ten_length ten_velocity ten_wrapadr ten_wrapnum wrap_obj wrap_xpos xanchor xaxis
    ximat xipos xiquat xmat xpos xquat
""".split()
)
_DATA_FIELDS = {row["name"]: row for row in _pliant.data_fields() if row["name"] in _REFERENCE_ARRAYS}

# Sizes and arrays of things a step does not have (yet): sleep, flexes, plugins.
_ABSENT_SIZES = """
    maxuse_arena maxuse_con maxuse_efc maxuse_stack nA nY nefmK nefmL nefmcon nefmdof nplugin parena pbase pstack
    threadpool
""".split()
_ABSENT_ARRAYS = {
    ("float64", ()): """
        efm_K_val efm_L efm_con_val flexedge_J flexedge_length flexedge_velocity flexelem_krot flexvert_lambda
        plugin_state
    """,
    ("float64", (3,)): "flexvert_xpos",
    ("float64", (6,)): "bvh_aabb_dyn flexelem_aabb flexvert_hessian",
    ("float64", (9,)): "flexedge_hessian",
    ("bool", ()): "flex_hessian_valid",
    ("int32", ()): "efm_K_colind efm_con_ind efm_dofid flexvert_conage plugin",
    ("uint64", ()): "plugin_data",
}  # fmt: skip
# Arrays with a size but without a meaning yet: dtype, size in the model or a number, value or values.
_CONSTANT_ARRAYS = {
    "body_awake": ("int32", "nbody", lambda n: np.where(np.arange(n) == 0, -1, 1)),
    "body_awake_ind": ("int32", "nbody", np.arange),
    "bvh_active": ("bool", "nbvh", 0),
    "dof_awake_ind": ("int32", "nv", np.arange),
    "efm_K_rowadr": ("int32", "nv", 0),
    "efm_K_rownnz": ("int32", "nv", 0),
    "efm_fluid": ("float64", "nC", 0),
    "parent_awake_ind": ("int32", "nbody", lambda n: np.roll(np.arange(n), -1)),
    "solver_nnz": ("int32", _enums.mjNISLAND, 0),
    "tree_asleep": ("int32", "ntree", -(1 + 10)),  # as the reference: awake for at least mjMINAWAKE steps
    "tree_awake": ("int32", "ntree", 1),
}


_VIEWS = set()  # names of all of them


class _View:
    """A field, made when first asked for; the object keeps it from then on."""

    def __init__(self, name, make, doc):
        self.name, self.make, self.__doc__ = name, make, doc
        _VIEWS.add(name)

    def __get__(self, data, owner=None):
        if data is None:
            return self
        value = self.make(data)
        data.__dict__[self.name] = value
        return value


def _doc(row):
    return row["meaning"] + (f" [{row['unit']}]" if row["unit"] else "")


def _field(part, name):
    return lambda data: getattr(getattr(data, part), name)


def _constant(dtype, size, value):
    def make(data):
        n = getattr(data.model, size) if isinstance(size, str) else size
        return np.full(n, value(n) if callable(value) else value, dtype)

    return make


# ---- lists of statistics ------------------------------------------------------------


class _Record:
    """One line of a list, with attributes."""

    def __init__(self, **values):
        self.__dict__.update(values)

    __repr__ = describe
    __eq__ = equal
    __hash__ = None


class _List:
    """Several lines: indexed, or one attribute of all of them as an array."""

    _line = "Stat"

    def __init__(self, **columns):
        self.__dict__.update(columns)
        self._n = len(next(iter(columns.values())))

    def __len__(self):
        return self._n

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._n))]
        index = int(index)
        if not -self._n <= index < self._n:
            raise IndexError(f"{type(self).__name__} has {self._n} entries; there is no {index}")
        columns = {k: v for k, v in vars(self).items() if not k.startswith("_")}
        return self._line(**{name: array[index] for name, array in columns.items()})

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        columns = {k: v for k, v in vars(self).items() if not k.startswith("_")}
        return all(np.array_equal(array, vars(other).get(name)) for name, array in columns.items())

    __hash__ = None
    __repr__ = describe


def _list_classes(list_name, line_name):
    line = type(line_name, (_Record,), {})
    return type(list_name, (_List,), {"_line": line}), line


_SolverColumns, MjSolverStat = _list_classes("_SolverColumns", "MjSolverStat")


class _MjSolverStatList(_SolverColumns):
    """Statistics of every iteration, and the certificate of the answer."""

    def __init__(self, reports, **columns):
        super().__init__(**columns)
        self._reports = reports

    @property
    def reports(self):
        """one dict per island: status, iterations, gap, gradient, cone_violation, converged …"""
        return self._reports

    @property
    def gap(self):
        """the cost of no island is farther than this from its minimum (scaled as the tolerance)"""
        return max((report["gap"] for report in self._reports), default=0.0)

    @property
    def iterations(self):
        """the most iterations of an island"""
        return max((report["iterations"] for report in self._reports), default=0)

    @property
    def converged(self):
        """whether every island is proven to be within tolerance"""
        return all(report["converged"] for report in self._reports)


_WarningColumns, MjWarningStat = _list_classes("_WarningColumns", "MjWarningStat")


class _LiveWarning(MjWarningStat):
    """A line whose numbers can be written, which changes the list."""

    def __init__(self, columns, index):
        super().__init__(lastinfo=columns.lastinfo[index], number=columns.number[index])
        self.__dict__["_place"] = columns, index

    def __setattr__(self, name, value):
        columns, index = self._place
        getattr(columns, name)[index] = value
        self.__dict__[name] = value


class _MjWarningStatList(_WarningColumns):
    def __getitem__(self, index):
        if isinstance(index, slice):
            return super().__getitem__(index)
        index = int(index)
        if not -self._n <= index < self._n:
            raise IndexError(f"{type(self).__name__} has {self._n} entries; there is no {index}")
        return _LiveWarning(self, index)


_MjTimerStatList, MjTimerStat = _list_classes("_MjTimerStatList", "MjTimerStat")

# Kinds of faults (Fault in state.h) by the warning of the reference that stands for them.
_WARNINGS = {"BADQPOS": 0, "BADQVEL": 1, "BADCTRL": 2, "BADQACC": 6, "INERTIA": 7, "CONTACTFULL": 9}
# Stages of the pipeline by the timer that counts them.
_TIMERS = {
    "POS_KINEMATICS": ("poses", "com", "tendons"),
    "POS_INERTIA": ("inertia",),
    "POS_COLLISION": ("collision",),
    "POSITION": (
        "poses",
        "com",
        "tendons",
        "inertia",
        "collision",
        "constraint",
        "transmission",
        "position sensors",
        "potential energy",
    ),
    "VELOCITY": ("velocity", "passive", "bias", "velocity sensors", "kinetic energy"),
    "ACTUATION": ("actuation",),
    "CONSTRAINT": ("solver",),
}


@add_data_accessors
@add_rows
class MjData(_pliant.World):
    """Everything a simulation of one model holds: its state, and what the last step computed.

    Arrays are writable views. `state` and `data` are the same memory as pliant.State and pliant.Data.
    """

    def __init__(self, model):
        if not isinstance(model, _pliant.Model):
            raise TypeError(f"MjData(): the argument should be an MjModel, not {type(model).__name__}")
        super().__init__(model)

    def __setattr__(self, name, value):
        if name in _VIEWS:
            _assign(name, getattr(self, name), value)
        elif not hasattr(type(self), name):
            raise no_attribute(self, name, list_all=False)
        else:
            super().__setattr__(name, value)

    def __getattr__(self, name):
        raise no_attribute(self, name, list_all=False)

    def __copy__(self):
        other = type(self)(self.model)
        other.assign(self)
        return other

    def __deepcopy__(self, memo):
        other = type(self)(copy.deepcopy(self.model, memo))
        other.assign(self)
        return other

    def __reduce__(self):
        fields = {name: getattr(self, name).copy() for name in (*_STATE_FIELDS, *_DATA_FIELDS)}
        return _restore, (
            type(self),
            self.model,
            self.time,
            fields,
            _pliant.pack_step(self.model, self.state, self.data),
        )

    @property
    def contact(self):
        """contacts of the last step"""
        return _MjContactList(self.data)

    @property
    def ncon(self):
        """number of contacts"""
        return self.data.ncon

    @property
    def solver(self):
        """what the constraint solver did in each iteration, and the certificate: gap, iterations, converged"""
        n = _enums.mjNISLAND * _enums.mjNSOLVER
        names = {"gradient": float, "improvement": float, "lineslope": float, "nactive": "int32",
                 "nchange": "int32", "neval": "int32", "nupdate": "int32"}  # fmt: skip
        columns = {name: np.zeros(n, dtype) for name, dtype in names.items()}
        for island, lines in enumerate(_pliant.solver_history(self.data)):
            for i, line in enumerate(lines):
                for name, value in zip(names, line):
                    columns[name][island * _enums.mjNSOLVER + i] = value
        return _MjSolverStatList(self.solver_reports, **columns)

    @property
    def warning(self):
        """how often each kind of fault was met since the last reset, and where last; see describe_faults()"""
        n = int(_enums.mjtWarning.mjNWARNING)
        if "_warnings" not in self.__dict__:
            fresh = _MjWarningStatList(lastinfo=np.zeros(n, np.int32), number=np.zeros(n, np.int32))
            self.__dict__["_warnings"] = fresh, np.zeros(n, np.int32)
        # the same arrays every time: programs keep them, and write to them
        kept, seen = self.__dict__["_warnings"]
        now, faults = np.zeros(n, np.int32), self.faults
        for name, fault in _WARNINGS.items():
            at = int(_enums.mjtWarning[f"mjWARN_{name}"])
            now[at] = faults[fault][0]
            if now[at] != seen[at]:
                kept.lastinfo[at] = max(0, faults[fault][2])
        kept.number[:] = now if np.any(now < seen) else kept.number + (now - seen)
        seen[:] = now
        return kept

    def count_resets(self, counts):
        """After a reset because of a fault: the faults that led to it stay counted."""
        self.warning.number[:] = counts

    @property
    def timer(self):
        """seconds spent in parts of a step; counted while `timing` is set"""
        n = int(_enums.mjtTimer.mjNTIMER)
        duration, number = np.zeros(n), np.zeros(n, np.int32)
        times = self.stage_times
        for name, stages in _TIMERS.items():
            at = int(_enums.mjtTimer[f"mjTIMER_{name}"])
            duration[at] = sum(times[stage][0] for stage in stages)
            number[at] = times[stages[0]][1]
        step = int(_enums.mjtTimer.mjTIMER_FORWARD)
        duration[step] = sum(seconds for seconds, _ in times.values())
        number[step] = times["solver"][1]
        return _MjTimerStatList(duration=duration, number=number)

    @property
    def nbuffer(self):
        """bytes of all arrays; another number than the reference's, whose layout differs"""
        return self.bytes

    @property
    def narena(self):
        """bytes asked for in <size>; -1 if automatic"""
        return self.model.arena_bytes

    @property
    def signature(self):
        """not kept by Pliant"""
        return 0


def _assign(name, view, value):
    """Copies numbers into a field, as NumPy would, but never by rounding."""
    # the common cases, quickly
    same = type(value) is np.ndarray and value.dtype == view.dtype and value.shape == view.shape
    if (same or type(value) is float) and view.dtype == np.float64:
        view[...] = value
        return
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} holds numbers ({view.dtype}), not {array.dtype}")
    casting = "unsafe" if view.dtype == np.bool_ else "same_kind"
    try:
        np.copyto(view, array, casting=casting)
    except ValueError:
        message = f"{name} has shape {view.shape} and cannot take an array of shape {array.shape}"
        raise ValueError(message) from None
    except TypeError:
        raise TypeError(f"{name} holds {view.dtype} and cannot take {array.dtype}") from None


def _restore(cls, model, time, fields, step):
    data = cls(model)
    data.time = time
    for name, value in fields.items():
        getattr(data, name)[...] = value
    _pliant.unpack_step(model, data.state, data.data, step)
    return data


def _zero(self):
    return 0


def _add_fields(cls):
    for part, fields in (("state", _STATE_FIELDS), ("data", _DATA_FIELDS)):
        for name, row in fields.items():
            setattr(cls, name, _View(name, _field(part, name), _doc(row)))
    for name in _ABSENT_SIZES:
        setattr(cls, name, property(_zero, doc="always 0: Pliant does not have these yet"))
    for (dtype, row), names in _ABSENT_ARRAYS.items():
        for name in names.split():
            make = lambda data, dtype=dtype, row=row: np.zeros((0, *row), dtype)  # noqa: E731
            setattr(cls, name, _View(name, make, "always empty: Pliant does not have these yet"))
    for name, constant in _CONSTANT_ARRAYS.items():
        setattr(cls, name, _View(name, _constant(*constant), "constant: Pliant does not compute this yet"))
    for name, size, less in (("nbody_awake", "nbody", 0), ("nparent_awake", "nbody", 1), ("nv_awake", "nv", 0),
                             ("ntree_awake", "ntree", 0)):  # fmt: skip
        get = lambda self, size=size, less=less: getattr(self.model, size) - less  # noqa: E731
        setattr(cls, name, property(get, doc="all of them: nothing sleeps yet"))


_add_fields(MjData)

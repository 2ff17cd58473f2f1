"""MjData: a State and its Data under MuJoCo's names.

Arrays are views into the memory of the simulation. A view is made when it is first asked for and kept in the
object, so that `d.qpos` costs a lookup; the views hold the parts of the data alive, not the object itself.
Assigning to a field copies numbers into it.
"""

import copy

import numpy as np

from . import _enums, _pliant
from ._attributes import KeptView, assign_numbers, equal, no_attribute
from ._contact import _MjContactList
from ._earlier import along_branches
from ._rows import add_rows, as_memory
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
# Arrays of flexes that releases before 4.0 had: programs made for those (dm_control 1.0.50) ask for them.
_EARLIER_ARRAYS = {("float64", (2,)): "flexvert_J flexvert_length"}
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


def _view(name, make, doc):
    _VIEWS.add(name)
    return KeptView(name, make, doc)


def _doc(row):
    return row["meaning"] + (f" [{row['unit']}]" if row["unit"] else "")


def _field(part, name):
    return lambda data: getattr(getattr(data, part), name)


def _constant(dtype, size, value):
    def make(data):
        n = getattr(data.model, size) if isinstance(size, str) else size
        return as_memory(np.full(n, value(n) if callable(value) else value, dtype))

    return make


# ---- lists of statistics ------------------------------------------------------------


class _Record:
    """One line of a list: the numbers of its columns, in order of their names."""

    _columns = {}  # name → type

    def __init__(self, **values):
        for name, kind in self._columns.items():
            object.__setattr__(self, name, kind(values.get(name, 0)))

    def __setattr__(self, name, value):
        if name not in self._columns:
            raise no_attribute(self, name)
        object.__setattr__(self, name, self._columns[name](value))

    def __repr__(self):
        lines = [f"  {name}: {getattr(self, name)!r}" for name in self._columns]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])

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
        return self._line(**{name: getattr(self, name)[index] for name in self._line._columns})

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        names = self._line._columns
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None

    def __repr__(self):
        lines = [f"  {name}: {getattr(self, name)!r}" for name in self._line._columns]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])


def _list_classes(list_name, line_name, **columns):
    line = type(line_name, (_Record,), {"_columns": columns})
    return type(list_name, (_List,), {"_line": line}), line


_SolverColumns, MjSolverStat = _list_classes(
    "_SolverColumns", "MjSolverStat", gradient=float, improvement=float, lineslope=float, nactive=int, nchange=int,
    neval=int, nupdate=int,
)  # fmt: skip


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


_WarningColumns, MjWarningStat = _list_classes("_WarningColumns", "MjWarningStat", lastinfo=int, number=int)


class _LiveWarning(MjWarningStat):
    """A line of the list of warnings: what is read and written is the list's."""

    def __init__(self, rows, index):
        object.__setattr__(self, "_place", (rows, index))

    def __setattr__(self, name, value):
        if name not in self._columns:
            raise no_attribute(self, name)
        rows, index = self._place
        getattr(rows, name)[index] = value

    def __copy__(self):
        return MjWarningStat(lastinfo=self.lastinfo, number=self.number)

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __eq__(self, other):
        return isinstance(other, MjWarningStat) and equal(self.__copy__(), copy.copy(other))

    __hash__ = None


def _live_column(name):
    return property(lambda self: int(getattr(self._place[0], name)[self._place[1]]))


_LiveWarning.__name__ = _LiveWarning.__qualname__ = "MjWarningStat"
for _name in MjWarningStat._columns:
    setattr(_LiveWarning, _name, _live_column(_name))


class _MjWarningStatList(_WarningColumns):
    """The warnings of some data, as they are when looked at."""

    def __init__(self, data):
        self._data, self._n = data, int(_enums.mjtWarning.mjNWARNING)

    @property
    def number(self):
        """how often"""
        return _warning_counts(self._data)[0]

    @property
    def lastinfo(self):
        """where last"""
        return _warning_counts(self._data)[1]

    def __getitem__(self, index):
        if isinstance(index, slice):
            return super().__getitem__(index)
        super().__getitem__(index)  # for its errors
        return _LiveWarning(self, int(index))


def _warning_counts(data):
    """(number, lastinfo): the same arrays every time, since programs keep them, and write to them."""
    n = int(_enums.mjtWarning.mjNWARNING)
    number, lastinfo, seen = data.__dict__.setdefault(
        "_warnings", (np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros(n, np.int32))
    )
    now, faults = np.zeros(n, np.int32), data.faults
    for name, fault in _WARNINGS.items():
        at = int(_enums.mjtWarning[f"mjWARN_{name}"])
        now[at] = faults[fault][0]
        if now[at] != seen[at]:
            lastinfo[at] = max(0, faults[fault][2])
    number[:] = now if np.any(now < seen) else number + (now - seen)
    seen[:] = now
    return number, lastinfo


_MjTimerStatList, MjTimerStat = _list_classes("_MjTimerStatList", "MjTimerStat", duration=float, number=int)

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
            assign_numbers(name, getattr(self, name), value)
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
        return _MjContactList(self.data, self.__dict__.setdefault("_hessians", {}))

    @property
    def qM(self):
        """the mass matrix as releases before 4.0 had it: along the branches of the tree"""
        return as_memory(along_branches(self))

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
        return _MjWarningStatList(self)

    def count_warning(self, name, info):
        """A fault that was found outside a step (mj_checkPos …)."""
        number, lastinfo = _warning_counts(self)
        number[_enums.mjtWarning[f"mjWARN_{name}"]] += 1
        lastinfo[_enums.mjtWarning[f"mjWARN_{name}"]] = info

    def count_resets(self, counts):
        """After a reset because of a fault: the faults that led to it stay counted."""
        self.warning.number[:] = counts

    @property
    def timer(self):
        """seconds spent in steps; in parts of them while `timing` is set"""
        n = int(_enums.mjtTimer.mjNTIMER)
        duration, number = np.zeros(n), np.zeros(n, np.int32)
        times = self.stage_times
        for name, stages in _TIMERS.items():
            at = int(_enums.mjtTimer[f"mjTIMER_{name}"])
            duration[at] = sum(times[stage][0] for stage in stages)
            number[at] = times[stages[0]][1]
        steps, forwards = int(_enums.mjtTimer.mjTIMER_STEP), int(_enums.mjtTimer.mjTIMER_FORWARD)
        duration[steps], number[steps], duration[forwards], number[forwards] = self._call_times
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
        """that of the model"""
        return getattr(self.model, "signature", 0)


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
            setattr(cls, name, _view(name, _field(part, name), _doc(row)))
    for name in _ABSENT_SIZES:
        setattr(cls, name, property(_zero, doc="always 0: Pliant does not have these yet"))
    for (dtype, row), names in [*_ABSENT_ARRAYS.items(), *_EARLIER_ARRAYS.items()]:
        for name in names.split():
            make = lambda data, dtype=dtype, row=row: np.zeros((0, *row), dtype)  # noqa: E731
            setattr(cls, name, _view(name, make, "always empty: Pliant does not have these yet"))
    for name, constant in _CONSTANT_ARRAYS.items():
        setattr(cls, name, _view(name, _constant(*constant), "constant: Pliant does not compute this yet"))
    for name, size, less in (("nbody_awake", "nbody", 0), ("nparent_awake", "nbody", 1), ("nv_awake", "nv", 0),
                             ("ntree_awake", "ntree", 0)):  # fmt: skip
        get = lambda self, size=size, less=less: getattr(self.model, size) - less  # noqa: E731
        setattr(cls, name, property(get, doc="all of them: nothing sleeps yet"))


_add_fields(MjData)

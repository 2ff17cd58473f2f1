"""Rollouts: many trajectories at once, in the shapes of mujoco.rollout, with what it lacks: threads of its own,
parameters and a status per world, chunks that continue.
"""

import os
import pathlib
import threading
import warnings

import numpy as np

from . import _enums, _pliant
from ._recording import record_rollout

_CTRL = int(_enums.mjtState.mjSTATE_CTRL)
_FULL = int(_enums.mjtState.mjSTATE_FULLPHYSICS)
_USER = int(_enums.mjtState.mjSTATE_USER)
# in the order of a state vector
_USER_PARTS = [
    (int(_enums.mjtState.mjSTATE_CTRL), "ctrl"),
    (int(_enums.mjtState.mjSTATE_QFRC_APPLIED), "qfrc_applied"),
    (int(_enums.mjtState.mjSTATE_XFRC_APPLIED), "xfrc_applied"),
    (int(_enums.mjtState.mjSTATE_EQ_ACTIVE), "eq_active"),
    (int(_enums.mjtState.mjSTATE_MOCAP_POS), "mocap_pos"),
    (int(_enums.mjtState.mjSTATE_MOCAP_QUAT), "mocap_quat"),
    (int(_enums.mjtState.mjSTATE_USERDATA), "userdata"),
]
_idle = {}  # rollout engines that nobody uses, by number of threads
_idle_lock = threading.Lock()


class RolloutResult(tuple):
    """(state, sensordata), and as attributes:

    state        (nbatch, nstep, nstate) after every step
    sensordata   (nbatch, nstep, nsensordata)
    warmstart    (nbatch, nv): give it as initial_warmstart, with the last states, to continue with the same bits
    status       (nbatch,) bits of the fault for which a world's step was refused, -1 if set_const refused its
                 parameters; 0 if all is well
    steps        (nbatch,) steps that were made
    faults       (world, step, message) of the worlds that stopped
    cluster      with ray=…: what the cluster did, a pliant.scale.Report
    """

    def __new__(cls, state, sensordata, **more):
        self = super().__new__(cls, (state, sensordata))
        self.state, self.sensordata = state, sensordata
        self.__dict__.update(more)
        return self


def _acquire(nthread):
    with _idle_lock:
        engines = _idle.get(nthread)
        if engines:
            return engines.pop()
    return _pliant.Rollout(nthread)


def _release(nthread, engine):
    with _idle_lock:
        _idle.setdefault(nthread, []).append(engine)


def _forget_threads():
    """After a fork the threads of the engines are the parent's."""
    for engines in _idle.values():
        _leaked.extend(engines)
    _idle.clear()


_leaked = []  # never destroyed: their threads do not exist in this process
os.register_at_fork(after_in_child=_forget_threads)


def _array(name, value, ndim, width):
    """As a contiguous array of float64 with ndim dimensions, of which the last has `width` numbers."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be a numpy array or float")
    if array.ndim > ndim:
        raise ValueError(f"{name} can have at most {ndim} dimensions")
    array = array.reshape((1,) * (ndim - array.ndim) + array.shape)
    if array.shape[-1] != width:
        raise ValueError(f"trailing dimension of {name} must be {width}, got {array.shape[-1]}")
    return np.ascontiguousarray(array, np.float64)


def _output(name, value, shape, dtype=np.float64):
    if value is None:
        return np.empty(shape, dtype)
    if (
        not isinstance(value, np.ndarray)
        or value.dtype != dtype
        or not value.flags.c_contiguous
        or not value.flags.writeable
    ):
        found = f"{value.dtype} array" if isinstance(value, np.ndarray) else type(value).__name__
        raise ValueError(f"rollout: {name} should be a writeable, contiguous array of {np.dtype(dtype)}, not a {found}")
    if value.size != int(np.prod(shape)):
        raise ValueError(f"rollout: {name} should be of shape {shape}, but it is {value.shape}")
    return value


def _common(dimension, default, **sizes):
    """The size of a dimension that all that are not 1 agree on."""
    result = default
    for name, size in sizes.items():
        if size in (None, 1):
            continue
        if result not in (None, 1, size):
            raise ValueError(f"dimension {dimension} inferred as {result} but {name} has {size}")
        result = size
    return 1 if result is None else result


def _parameters(model, parameters, nbatch):
    """Rows of numbers, one or nbatch per parameter; a single row may be given in the shape of the model's array."""
    rows = {}
    for name, value in (parameters or {}).items():
        field = getattr(model, name)
        value = np.asarray(value, np.float64)
        n = 1 if value.size == field.size else nbatch
        if value.size != n * field.size:
            raise ValueError(
                f"rollout: parameter {name} should be of shape {(nbatch, *field.shape)}, but it is {value.shape}"
            )
        rows[name] = np.ascontiguousarray(value.reshape(n, field.size))
    return rows


def _control_parts(model, control, control_spec):
    """The arrays of State that controls are made of: {name: (nbatch or 1, nstep or 1, n)}."""
    parts, at = {}, 0
    for bit, name in _USER_PARTS:
        size = _pliant.mj_stateSize(model, bit) if control_spec & bit else 0
        if size and control is not None:
            parts[name] = control[:, :, at : at + size]
        at += size
    return parts


class _Job:
    """A rollout whose arguments are checked: inputs, outputs, sizes."""

    def __init__(self, model, initial_state, control, nstep, control_spec, initial_warmstart, state, sensordata,
                 parameters, set_const, record, keep=True):  # fmt: skip
        models = list(model) if isinstance(model, (list, tuple)) else [model]
        if not models or not all(isinstance(one, _pliant.Model) for one in models):
            raise TypeError("rollout: model should be a Model or a list of them")
        if control_spec & ~_USER:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        first = models[0]
        nstate, ncontrol = _pliant.mj_stateSize(first, _FULL), _pliant.mj_stateSize(first, control_spec)
        initial_state = _array("initial_state", initial_state, 2, nstate)
        if initial_state is None:
            raise ValueError("rollout: initial_state is needed")
        initial_warmstart = _array("initial_warmstart", initial_warmstart, 2, first.nv)
        control = _array("control", control, 3, ncontrol)
        given = {name: len(np.asarray(value)) for name, value in (parameters or {}).items()
                 if np.size(value) != np.size(getattr(first, name))}  # fmt: skip
        nbatch = _common(
            0, None, initial_state=len(initial_state), model=len(models),
            control=None if control is None else len(control),
            initial_warmstart=None if initial_warmstart is None else len(initial_warmstart),
            state=len(state) if np.ndim(state) == 3 else None,
            sensordata=len(sensordata) if np.ndim(sensordata) == 3 else None, **given,
        )  # fmt: skip
        nstep = _common(
            1, nstep, control=None if control is None else control.shape[1],
            state=np.shape(state)[-2] if np.ndim(state) >= 2 else None,
            sensordata=np.shape(sensordata)[-2] if np.ndim(sensordata) >= 2 else None,
        )  # fmt: skip
        self.models, self.nbatch, self.nstep, self.control_spec = models, nbatch, nstep, control_spec
        self.initial_state, self.initial_warmstart, self.control = initial_state, initial_warmstart, control
        if keep:  # (a sweep keeps what it measures only)
            self.state = _output("state", state, (nbatch, nstep, nstate))
            self.sensordata = _output("sensordata", sensordata, (nbatch, nstep, first.nsensordata))
        self.warmstart = np.empty((nbatch, first.nv))
        self.status, self.steps = np.zeros(nbatch, np.int32), np.zeros(nbatch, np.int32)
        self.rows, self.set_const = _parameters(first, parameters, nbatch), set_const
        if record is not None and pathlib.Path(record).suffix != ".plr":
            raise ValueError(
                f"rollout: {record}: a rollout is recorded as *.plr (convert_recording makes others of it)"
            )
        self.record = record
        self.warmstarts = None if record is None else np.empty((nbatch, nstep, first.nv))
        self.faults = []

    def run(self, nthread):
        """On the threads of this process."""
        engine = _acquire(nthread)
        control = self.control
        try:
            self.faults = engine.run(
                self.models, self.nbatch, self.nstep, self.control_spec, self.initial_state, self.initial_warmstart,
                control, 1 if control is None else control.shape[1], self.state, self.sensordata, self.warmstart,
                self.status, self.steps, self.rows, self.set_const, self.warmstarts,
            )  # fmt: skip
        finally:
            _release(nthread, engine)

    def finish(self, on_fault, **more):
        """Writes the recording, tells of faults, and hands over the results."""
        if self.record is not None and self.nstep > 0:
            notes = [f"worlds have their own {name}: a replay uses the model's" for name in self.rows]
            if len(self.models) > 1:
                notes.append("worlds have their own models: the one inside is that of world 0")
            parts = _control_parts(self.models[0], self.control, self.control_spec)
            record_rollout(self.record, self.models[0], self.state, parts, self.initial_state, self.initial_warmstart,
                           self.warmstarts, self.faults, notes)  # fmt: skip
        if self.faults and on_fault != "ignore":
            world, step, message = self.faults[0]
            text = (
                f"rollout: {len(self.faults)} of {self.nbatch} worlds stopped; first: world {world}, step {step}: "
                f"{message}"
            )
            if on_fault == "raise":
                raise _pliant.StepError(text)
            warnings.warn(text, RuntimeWarning, stacklevel=3)
        return RolloutResult(self.state, self.sensordata, warmstart=self.warmstart, status=self.status,
                             steps=self.steps, faults=self.faults, **more)  # fmt: skip


def rollout(
    model,
    initial_state,
    control=None,
    nstep=None,
    nthread=0,
    *,
    control_spec=_CTRL,
    initial_warmstart=None,
    state=None,
    sensordata=None,
    parameters=None,
    set_const=False,
    on_fault="warn",
    record=None,
    ray=None,
    progress=False,
):
    """Moves many worlds from given states under given controls; returns (state, sensordata), see RolloutResult.

    model              a Model, or one per world, all of the same sizes
    initial_state      ([nbatch or 1], nstate), vectors of mjSTATE_FULLPHYSICS (mj_getState)
    control            ([nbatch or 1], [nstep or 1], ncontrol): parts `control_spec` (mjtState) of the state; None: zero
    nstep              steps; by default as many as control has
    nthread            threads; 0: one per core. Bits of the results do not depend on it
    initial_warmstart  ([nbatch or 1], nv); by default zero
    state, sensordata  arrays to write to, without copying; by default new ones
    parameters         {"body_mass": (nbatch, nbody), …}: numbers of the model that differ from world to world
    set_const          recompute what follows from the parameters (mj_setConst), world by world
    on_fault           "warn", "raise" or "ignore": a world whose step is refused stays where it is, and the rest of its
                       outputs repeats the last good state
    record             a file, *.plr, that gets all worlds: the start and every step, to be shown and replayed
    ray                True, or a pliant.scale.Cluster: worlds go to the workers of a Ray cluster in chunks (which have
                       threads of their own). The results have the same bits, and `cluster` tells what it cost
    progress           with `ray`: True writes lines to stderr; or a function that is given a pliant.scale.Progress

    >>> model = pliant.load("models/drop.xml")
    >>> start = pliant.scale.start_state(model)
    >>> result = pliant.rollout(model, [start, start], nstep=50)
    >>> result.state.shape == (2, 50, start.size), result.status.tolist()
    (True, [0, 0])
    >>> more = pliant.rollout(model, result.state[:, -1], nstep=50, initial_warmstart=result.warmstart)
    >>> whole = pliant.rollout(model, start, nstep=100)
    >>> more.state[0, -1].tobytes() == whole.state[0, -1].tobytes()
    True
    """
    if on_fault not in ("warn", "raise", "ignore"):
        raise ValueError(f"rollout: on_fault should be 'warn', 'raise' or 'ignore', not {on_fault!r}")
    if nthread < 0:
        raise ValueError(f"rollout: nthread should be at least 0, not {nthread}")
    if nstep is not None and nstep < 0:
        raise ValueError(f"rollout: nstep should be at least 0, not {nstep}")
    job = _Job(model, initial_state, control, nstep, control_spec, initial_warmstart, state, sensordata, parameters,
               set_const, record)  # fmt: skip
    if job.nstep == 0:
        job.warmstart[:] = 0 if job.initial_warmstart is None else job.initial_warmstart
        return job.finish("ignore")
    if ray is None or ray is False:
        if progress:
            raise ValueError("rollout: progress is shown of rollouts on a cluster: give ray=True, too")
        job.run(nthread)
        return job.finish(on_fault)
    from .scale import _rollouts  # (Ray is an extra, and takes seconds to import)

    return job.finish(on_fault, cluster=_rollouts.run(job, ray, progress))


def batch_rollout(self, control=None, nstep=None, *, state=None, sensordata=None):
    """Moves every world by several steps, each with its own controls; returns (state, sensordata) as pliant.rollout
    does.

    control: (nworld, nstep, nu); None: controls stay as they are. Continues from where the worlds are, so that a
    long rollout cut into chunks, with a policy in between, has the same bits as in one piece. `status` tells of faults.
    """
    nu = self.nu
    control = _array("control", control, 3, nu)
    nstep = _common(1, nstep, control=None if control is None else control.shape[1])
    if control is not None and control.shape != (self.nworld, nstep, nu):
        control = np.ascontiguousarray(np.broadcast_to(control, (self.nworld, nstep, nu)))
    state = _output("state", state, (self.nworld, nstep, self.nstate))
    sensordata = _output("sensordata", sensordata, (self.nworld, nstep, self.nsensordata))
    _pliant.batch_rollout(self, nstep, control, state, sensordata)
    return state, sensordata

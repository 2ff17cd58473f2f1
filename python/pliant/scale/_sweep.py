"""Parameter sweeps: a rollout for every combination of values, and what is measured of each."""

import functools
import itertools
import warnings

import numpy as np

from .. import _enums, _pliant, _rollout
from ._paths import Path, rows_of
from ._rollouts import compute
from ._rollouts import run as run_on_cluster

_CTRL = int(_enums.mjtState.mjSTATE_CTRL)
_FULL = int(_enums.mjtState.mjSTATE_FULLPHYSICS)


class Sweep:
    """Results of sweep().

    names    parameters, in the order of the grid
    points   a list of tuples: the values of every combination
    shape    how many values each parameter has
    values   {name of a measurement: array of `shape`}
    status   (number of points): bits of faults, as of rollout(); 0 if all is well
    report   what the cluster did, or None
    """

    def __init__(self, names, points, shape, values, status, faults, report):
        self.names, self.points, self.shape, self.values = names, points, shape, values
        self.status, self.faults, self.report = status, faults, report

    def best(self, measurement, largest=False):
        """(values of the parameters, measurement) where a measurement is smallest, or largest; points whose
        simulation stopped do not count."""
        numbers = np.where(self.status == 0, self.values[measurement].ravel(), np.nan)
        if np.isnan(numbers).all():
            raise ValueError(f"sweep: {measurement} has no value anywhere")
        at = int(np.nanargmax(numbers) if largest else np.nanargmin(numbers))
        return dict(zip(self.names, self.points[at])), float(numbers[at])

    def __str__(self):
        head = [*self.names, *self.values, "status"]
        columns = [values.ravel() for values in self.values.values()]
        rows = [
            [*(f"{x:.6g}" if np.ndim(x) == 0 else "…" for x in point), *(f"{c[i]:.6g}" for c in columns),
             str(self.status[i])]
            for i, point in enumerate(self.points)
        ]  # fmt: skip
        widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in [head, *rows])

    def __repr__(self):
        return f"<Sweep of {', '.join(self.names)}: {len(self.points)} points, measured: {', '.join(self.values)}>"


def _measured(measure, model, state, sensordata):
    """{name: number} of one world."""
    found = measure(model, state, sensordata)
    if isinstance(found, np.ndarray) and found.ndim == 1:
        return found  # (of identify(): all readings)
    if not isinstance(found, dict):
        found = {"value": found}
    return {name: float(value) for name, value in found.items()}


def _last_reading(model, state, sensordata):
    """Without `measure`: what every sensor reads at the end, by name, and the time."""
    found = {"time": state[-1, 0]}
    for i in range(model.nsensor):
        at, n = int(model.sensor_adr[i]), int(model.sensor_dim[i])
        name = model.name("sensor", i) or f"sensor{i}"
        for k in range(n):
            found[name if n == 1 else f"{name}[{k}]"] = sensordata[-1, at + k]
    return found


def _compute_and_measure(worker, measure, models, **arguments):
    """In a worker: trajectories stay there, measurements come back."""
    state, sensordata, _, status, _, faults, _ = compute(worker, models, **arguments)
    own = [worker.get(model) for model in models]
    found = [_measured(measure, own[i % len(own)], state[i], sensordata[i]) for i in range(len(state))]
    return found, status, faults


def start_state(model):
    """The state vector that a model starts with, as rollout() takes it: to be changed."""
    vector = np.empty(_pliant.mj_stateSize(model, _FULL))
    _pliant.mj_getState(model, _pliant.World(model), vector, _FULL)
    return vector


def sweep(model, grid, *, nstep=None, control=None, initial_state=None, measure=None, set_const=True, on_fault="warn",
          ray=None, progress=False):  # fmt: skip
    """A rollout for every combination of parameters; returns a Sweep.

    model          a Model
    grid           {"geom_friction[foot][0]": [0.4, 0.8], "opt.timestep": [0.001, 0.002], …}: an array of the model,
                   with the name or number of the object (or * for all) and the column, or an option
    nstep          steps; by default as many as control has
    control        (nstep, nu); None: zero
    initial_state  a vector as rollout() takes it; by default the model's start
    measure        measure(model, state, sensordata) → a number or {name: number}, of the (nstep, n) arrays of one
                   world; on a cluster it runs in the workers. By default the last reading of every sensor
    set_const      recompute what follows from the parameters, world by world
    ray, progress  as in rollout(): None is the cores of this machine

    >>> model = pliant.load("models/drop.xml")
    >>> swept = pliant.scale.sweep(model, {"opt.timestep": [0.001, 0.002]}, nstep=10)
    >>> swept.values["time"].round(6).tolist()
    [0.01, 0.02]
    >>> swept.best("time")[0]
    {'opt.timestep': 0.001}
    """
    if not isinstance(model, _pliant.Model):
        raise TypeError(f"sweep: model should be a Model, not {type(model).__name__}")
    if not grid:
        raise ValueError("sweep: the grid is empty")
    paths = [Path(model, text) for text in grid]
    values = [np.asarray(given).tolist() for given in grid.values()]
    points = list(itertools.product(*values))
    if not points:
        raise ValueError("sweep: a parameter has no values")
    found, status, faults, report = measured_points(
        "sweep", model, paths, points, measure or _last_reading, nstep, control, initial_state, set_const, ray, progress
    )
    if faults and on_fault != "ignore":
        at, step, message = faults[0]
        where = ", ".join(f"{path.text} = {value}" for path, value in zip(paths, points[at]))
        text = f"sweep: {len(faults)} of {len(points)} simulations stopped; first: {where}, step {step}: {message}"
        if on_fault == "raise":
            raise _pliant.StepError(text)
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    names = list(dict.fromkeys(name for one in found for name in one))
    shape = tuple(map(len, values))
    columns = {name: np.array([one.get(name, np.nan) for one in found]).reshape(shape) for name in names}
    return Sweep(list(grid), points, shape, columns, status, faults, report)


def measured_points(what, model, paths, points, measure, nstep, control, initial_state, set_const, ray, progress):
    """(measurements, status, faults, report) of a rollout for every point: a list of values, one for each path."""
    parameters, models = rows_of(model, paths, points)
    start = start_state(model) if initial_state is None else initial_state
    job = _rollout._Job(models or model, start, control, nstep, _CTRL, None, None, None, parameters, set_const, None,
                        keep=False)  # fmt: skip
    if job.nstep < 1:
        raise ValueError(f"{what}: nstep should be at least 1")
    found, faults = [None] * job.nbatch, []

    def take(first, end, results):
        measured, status, stopped = results
        found[first:end], job.status[first:end] = measured, status
        faults.extend((first + world, step, message) for world, step, message in stopped)

    function = functools.partial(_compute_and_measure, measure=measure)
    report = run_on_cluster(job, ray, progress, function, take, what)
    return found, job.status, sorted(faults), report

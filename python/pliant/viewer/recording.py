"""States over time: recordings of `pliant run --record`, rows of rollouts, lists of states."""

import os
import pathlib
import warnings

import numpy as np

from .. import _pliant
from .._recording import _STATE, Recording, RecordingError, read_recording

FULL_PHYSICS = 15  # mjSTATE_FULLPHYSICS: time, qpos, qvel, act and histories


def read(path):
    """A recording file, *.plr, *.npz or *.csv; of a recording of several worlds the first."""
    if not pathlib.Path(path).exists():
        raise RecordingError(f"{path}: there is no such file")
    found = read_recording(path)
    if found.worlds > 1:
        warnings.warn(f"{path}: world 0 of {found.worlds} is shown", RuntimeWarning, stacklevel=2)
    return found.world(0)


def _of_rows(model, rows):
    """Rows of qpos, or of the whole physics state as rollouts give them."""
    rows = np.asarray(rows, float)
    if rows.ndim == 3 and len(rows) == 1:
        rows = rows[0]
    if rows.ndim != 2:
        raise RecordingError(f"states are rows of numbers, (n, …); these have shape {rows.shape}")
    whole = _pliant.mj_stateSize(model, FULL_PHYSICS)
    if rows.shape[1] == whole:
        nq, nv, na = model.nq, model.nv, model.na
        fields = {"qpos": rows[:, 1 : 1 + nq], "qvel": rows[:, 1 + nq : 1 + nq + nv]}
        if na:
            fields["act"] = rows[:, 1 + nq + nv : 1 + nq + nv + na]
        return Recording(rows[:, 0], fields, {})
    if rows.shape[1] == model.nq:
        return Recording(model.opt.timestep * np.arange(len(rows)), {"qpos": rows}, {})
    raise RecordingError(
        f"rows of states have nq = {model.nq} numbers (qpos) or {whole} (the physics state of a rollout); these have "
        f"{rows.shape[1]}"
    )


def _of_states(states):
    """A list of State or MjData."""
    states = [getattr(s, "state", s) for s in states]
    fields = {name: np.array([np.array(getattr(s, name)) for s in states]) for name in _STATE}
    return Recording(np.array([float(s.time[0]) for s in states]), fields, {})


def recording_of(model, source):
    """What `save_html` takes: a Recording, a file, a dict of arrays, rows of states, a list of State or MjData."""
    if isinstance(source, Recording):
        out = source
    elif isinstance(source, (str, os.PathLike)):
        out = read(source)
    elif isinstance(source, dict):
        fields = {name: np.asarray(values) for name, values in source.items() if name != "time"}
        n = len(next(iter(fields.values()), ()))
        out = Recording(np.asarray(source.get("time", model.opt.timestep * np.arange(n)), float), fields, {})
    elif isinstance(source, (list, tuple)) and source and hasattr(getattr(source[0], "state", source[0]), "qpos"):
        out = _of_states(source)
    else:
        out = _of_rows(model, source)
    if not len(out):
        raise RecordingError("the recording has no rows")
    if not np.all(np.isfinite(out.time)) or np.any(np.diff(out.time) <= 0):
        raise RecordingError("times of a recording must increase")
    out.check(model)
    bad = ~np.isfinite(out.fields["qpos"]).reshape(len(out), -1).all(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise RecordingError(f"qpos of row {row} (t = {out.time[row]:g}) is not finite, and cannot be shown")
    return out

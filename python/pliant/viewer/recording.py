"""States over time: recordings of `pliant run --record`, rows of rollouts, lists of states."""

import csv
import dataclasses
import os
import pathlib

import numpy as np

from .. import _pliant

FULL_PHYSICS = 15  # mjSTATE_FULLPHYSICS: time, qpos, qvel, act and histories
# arrays of State that decide what a forward pass computes, as far as a recording has them
_STATE = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "eq_active", "qfrc_applied", "xfrc_applied")


class RecordingError(ValueError):
    """A recording that cannot be shown: what is wrong with it and what to do."""


@dataclasses.dataclass
class Recording:
    """`time` (n,), and per name of a field its numbers (n, size); `names` has names of columns where they are known."""

    time: np.ndarray
    fields: dict
    names: dict
    model_file: str | None = None

    def __len__(self):
        return len(self.time)

    def check(self, model):
        """Refuses a recording of another model."""
        if "qpos" not in self.fields:
            raise RecordingError("the recording has no qpos: record with --fields qpos,qvel")
        for name in _STATE:
            if name in self.fields:
                want, got = getattr(_pliant.State(model), name).size, self.fields[name][0].size
                if want != got:
                    raise RecordingError(
                        f"the recording does not belong to this model: it has {got} numbers of {name} where the "
                        f"model has {want}"
                    )

    def put(self, row, state):
        """Sets a state to a row of the recording."""
        state.time[...] = self.time[row]
        for name in _STATE:
            if name in self.fields:
                target = getattr(state, name)
                target[...] = self.fields[name][row].reshape(target.shape)

    def rows_at(self, fps):
        """The rows nearest to `fps` frames per second; all where there are fewer."""
        if len(self) < 2:
            return np.arange(len(self))
        count = int(np.floor((self.time[-1] - self.time[0]) * fps + 1e-9)) + 1
        wanted = self.time[0] + np.arange(count) / fps
        rows = np.searchsorted(self.time, wanted - 1e-9).clip(0, len(self) - 1)
        return np.unique(np.append(rows, len(self) - 1))


def _read_npz(path):
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError) as problem:
        raise RecordingError(f"{path}: not a recording ({problem})") from None
    if "time" not in arrays:
        raise RecordingError(f"{path}: has no array 'time', so it is no recording of `pliant run --record`")
    names = {name[: -len("_names")]: [str(x) for x in a] for name, a in arrays.items() if name.endswith("_names")}
    model_file = str(arrays["model_file"].ravel()[0]) if "model_file" in arrays else None
    skip = {"time", "model_file", *(name + "_names" for name in names)}
    fields = {name: a for name, a in arrays.items() if name not in skip}
    return Recording(arrays["time"].astype(float), fields, names, model_file)


def _read_csv(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            lines = csv.reader(file)
            head = next(lines, [])
            numbers = np.array([[float(x) for x in line] for line in lines if line])
    except (OSError, ValueError, UnicodeDecodeError) as problem:
        raise RecordingError(f"{path}: not a recording ({problem})") from None
    if not head or head[0] != "time" or numbers.ndim != 2 or numbers.shape[1] != len(head):
        raise RecordingError(f"{path}: the first line of a recording names its columns, 'time' first")
    names, columns = {}, {}
    for i, title in enumerate(head[1:], 1):
        field = title.split(".")[0].split("[")[0]
        names.setdefault(field, []).append(title)
        columns.setdefault(field, []).append(i)
    return Recording(numbers[:, 0], {field: numbers[:, at] for field, at in columns.items()}, names)


def read(path):
    """A recording file, *.npz or *.csv."""
    path = pathlib.Path(path)
    if not path.exists():
        raise RecordingError(f"{path}: there is no such file")
    if path.suffix == ".npz":
        return _read_npz(path)
    if path.suffix == ".csv":
        return _read_csv(path)
    raise RecordingError(f"{path}: recordings end in .npz or .csv")


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
    return out

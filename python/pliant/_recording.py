"""Recordings: simulations over time in files, written as they go, read back, replayed (docs/recordings.md)."""

import dataclasses
import itertools
import os
import pathlib
import warnings

import numpy as np

from . import _pliant

# arrays of State that decide what a forward pass computes, as far as a recording has them
_STATE = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "eq_active", "qfrc_applied", "xfrc_applied")


class RecordingError(ValueError):
    """A recording that cannot be used: what is wrong with it and what to do."""

    __module__ = "pliant"  # where programs find it: an error that nobody catches is shown with it


@dataclasses.dataclass
class Event:
    """Something that happened after `row` rows: a "fault", "stopped", "reset", or a word of the user's."""

    row: int
    time: float
    kind: str
    text: str


@dataclasses.dataclass
class Recording:
    """States over time.

    time       (n,)
    fields     {name: (n, …)}, with an axis of worlds after the first where there are several
    names      {name: names of its numbers}, where they are known
    steps      (n,) timesteps, counted; None when the file does not say
    events     list of Event
    end        why it ended: "finished", "fault", "stopped"; "" when its end is missing or it does not say
    note       what is missing of the file; "" when it is whole
    """

    time: np.ndarray
    fields: dict
    names: dict
    model_file: str | None = None
    worlds: int = 1
    steps: np.ndarray | None = None
    events: list = dataclasses.field(default_factory=list)
    end: str = ""
    note: str = ""
    version: str = ""
    path: str | None = None

    def __len__(self):
        return len(self.time)

    def model(self):
        """The model inside the file; None where there is none. Raises LoadError if another version wrote it."""
        return None if self.path is None else _recorded_model(self.path)

    def world(self, number):
        """The recording of one world of several."""
        if not 0 <= number < self.worlds:
            raise IndexError(f"the recording has {self.worlds} worlds, and no world {number}")
        if self.worlds == 1:
            return self
        fields = {name: values[:, number] for name, values in self.fields.items()}
        return dataclasses.replace(self, fields=fields, worlds=1)

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


def _recorded_model(path):
    try:
        return _pliant._recorded_model(path)
    except RuntimeError as problem:
        raise RecordingError(str(problem)) from None


def is_chunked(path):
    """Whether a file begins as *.plr does, whatever its name."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(8) == b"PLIANTR\n"


def read_recording(path):
    """A recording file as a Recording: *.plr (also what a killed run has left, *.part), *.npz or *.csv.

    A file without its end is read up to the last whole chunk, with a RuntimeWarning and in `note` what is missing.
    """
    path = pathlib.Path(path)
    try:
        found = _pliant._read_recording(path)
    except RuntimeError as problem:
        raise RecordingError(str(problem)) from None
    if found["note"]:
        warnings.warn(found["note"], RuntimeWarning, stacklevel=2)
    fields, names = found["fields"], found["names"]
    time = fields.pop("time")
    names.pop("time", None)
    return Recording(
        time, fields, names, found["model_file"] or None, found["worlds"],
        np.array(found["steps"], np.int64) if found["steps"] else None,
        [Event(*event) for event in found["events"]], found["end"], found["note"], found["version"],
        os.fspath(path) if is_chunked(path) else None,
    )  # fmt: skip


def convert_recording(source, target, fields=()):
    """Writes a recording (*.plr) as *.npz or *.csv, all of its fields or these, in little memory."""
    try:
        note = _pliant._convert_recording(pathlib.Path(source), pathlib.Path(target), list(fields))
    except RuntimeError as problem:
        raise RecordingError(str(problem)) from None
    if note:
        warnings.warn(note, RuntimeWarning, stacklevel=2)


class ReplayReport(dict):
    """What replay() found, as attributes: same, first (where it left the recording, or None), steps, same_rows, fault,
    recorded_fault, text (all of it in words), …"""

    __getattr__ = dict.__getitem__

    def __str__(self):
        return self["text"]


def replay(path, model=None, *, start=None, stop=None, until_fault=False, world=0):
    """Simulates a recording (*.plr) again and compares every bit of its states: a ReplayReport.

    `start` and `stop` are times; `model` stands in for the one inside the recording. The same binary gives the same
    bits; elsewhere `first` says from which step on they differ.
    """
    path = pathlib.Path(path)
    model = model if model is not None else _recorded_model(path)
    if model is None:
        raise RecordingError(f"{path} has no model inside; give it as `model`")
    try:
        return ReplayReport(_pliant._replay(model, path, start, stop, until_fault, world))
    except RuntimeError as problem:
        raise RecordingError(str(problem)) from None


class Recorder:
    """Writes a simulation to a file as it goes.

        with pliant.Recorder(model, "run.plr") as recorder:
            for _ in range(1000):
                state.ctrl[:] = policy(state)
                recorder.record(state)        # a state with the inputs of the step that comes next
                pliant.step(model, state, data)

    *.plr has the whole State, and is replayed bit for bit; `fields` names arrays of Data besides. *.npz and *.csv have
    `fields` only. With a Batch in place of the model all its worlds are recorded (*.plr only), by record() without
    arguments. The file has its name after finish() (or the end of `with`); until then it is called FILE.part. Memory
    does not grow. When the `with` block is left by an exception, that is the last event of the recording.
    """

    def __init__(self, source, path, fields=None, *, embed_model=True):
        path = pathlib.Path(path)
        self.path = path
        self._batch = source if isinstance(source, _pliant.Batch) else None
        chunked = path.suffix == ".plr"
        if self._batch is not None:
            if not chunked:
                raise ValueError(f"{path}: a batch is recorded as *.plr (convert_recording makes others of it)")
            self._writer = _pliant._BatchRecorder(source, path, list(fields or ()), embed_model)
        else:
            wanted = list(fields if fields is not None else () if chunked else ("qpos", "qvel"))
            self._writer = _pliant._WorldRecorder(source, path, wanted, embed_model)
        self._step = 0
        self._time = 0.0

    @property
    def rows(self):
        return self._writer.rows

    @property
    def unfinished(self):
        """Where the recording is until it is finished."""
        return self._writer.unfinished

    def record(self, state=None, data=None, *, step=None):
        """Adds a row: a State (and the Data that belongs to it, where fields of Data are recorded), or an MjData; for
        a batch nothing. `step` counts timesteps; without it rows are a step apart."""
        step = self._step if step is None else step
        if self._batch is not None:
            if state is not None:
                raise TypeError("Recorder.record: a batch is recorded as it is, without arguments")
            self._writer.record(step)
            self._time = float(self._batch.field("time")[0, 0])
        else:
            if state is None:
                raise TypeError("Recorder.record: give the state to record")
            data = getattr(state, "data", None) if data is None else data
            state = getattr(state, "state", state)
            self._writer.record(state, data, step)
            self._time = float(state.time[0])
        self._step = step + 1

    def event(self, kind, text="", time=None):
        """Says what happened after the last row. The kind "reset" tells replay that the next state was set from
        outside."""
        self._writer.event(kind, self._time if time is None else time, text)

    def flush(self):
        """Hands the rows over to the system, as a chunk that survives this process (*.plr). This happens by itself
        every second, and whenever 256 kB have come together."""
        self._writer.flush()

    def finish(self, reason="finished"):
        """Writes what is left and gives the file its name."""
        self._writer.finish(reason)

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, trace):
        if kind is None:
            self.finish()
            return
        stopped = issubclass(kind, KeyboardInterrupt)
        reason = "stopped" if stopped else "fault"
        try:
            self.event(reason, "Ctrl-C" if stopped else f"{kind.__name__}: {problem}")
            self.finish(reason)
        except RuntimeError as trouble:
            # the exception that is under way matters more; it may be this one
            warnings.warn(f"the recording could not be finished: {trouble}", RuntimeWarning, stacklevel=2)


class FlightRecorder:
    """The last seconds of a simulation in memory, for the moment when something goes wrong.

        flight = pliant.FlightRecorder(model, seconds=5)
        with flight.guard("crash.plr"):
            while True:
                flight.record(state)          # before every step
                if pliant.step(model, state, data):
                    raise RuntimeError(pliant.describe_faults(model, data))

    write() writes at any time.
    """

    def __init__(self, model, seconds=5.0, most_bytes=64 << 20):
        self._model = model
        self._ring = _pliant._FlightRecorder(model, seconds, most_bytes)

    def record(self, state):
        """Keeps a state (or MjData) with the inputs of the step that comes next."""
        self._ring.record(getattr(state, "state", state))

    rows = property(lambda self: self._ring.rows, doc="states that are kept")
    capacity = property(lambda self: self._ring.capacity, doc="states that can be kept")

    def clear(self):
        """Forgets all: after a reset."""
        self._ring.clear()

    def write(self, path, kind="asked", text=""):
        """Writes what is kept as a recording (*.plr), with what happened after it."""
        self._ring.write(self._model, pathlib.Path(path), kind, text)

    def guard(self, path):
        """A context that writes the recording when it is left by an exception, Ctrl-C among them."""
        return _Guard(self, path)


class _Guard:
    def __init__(self, flight, path):
        self._flight, self._path = flight, path

    def __enter__(self):
        return self._flight

    def __exit__(self, kind, problem, trace):
        if kind is None or self._flight.rows == 0:
            return
        stopped = issubclass(kind, KeyboardInterrupt)
        self._flight.write(self._path, "stopped" if stopped else "fault",
                           "Ctrl-C" if stopped else f"{kind.__name__}: {problem}")  # fmt: skip


def record_rollout(path, model, state, control_parts, initial, warmstart0, warmstarts, faults, notes):
    """Writes what a rollout did: rows of all worlds, a row per step and the start."""
    nworld, nstep, _ = state.shape
    sizes = {"time": 1, "qpos": model.nq, "qvel": model.nv, "act": model.na, "history": model.nhistory,
             "plastic": model.nplastic}  # fmt: skip
    names = [name for name, size in sizes.items() if size]
    writer = _pliant._ArrayWriter(
        model, pathlib.Path(path), [*names[1:], *control_parts, "qacc_warmstart"], nworld, True
    )
    initial = np.broadcast_to(initial, (nworld, initial.shape[1]))
    warmstart0 = np.zeros((nworld, model.nv)) if warmstart0 is None else np.broadcast_to(
        warmstart0, (nworld, model.nv))  # fmt: skip
    for text in notes:
        writer.event("note", 0.0, text)
    starts = np.cumsum([0, *(sizes[name] for name in names)])
    for k in range(nstep + 1):
        row = initial if k == 0 else state[:, k - 1]
        arrays = [np.ascontiguousarray(row[:, a:b]) for a, b in itertools.pairwise(starts)]
        at = min(k, nstep - 1)
        for name, values in control_parts.items():
            now = np.broadcast_to(values[:, at if values.shape[1] > 1 else 0], (nworld, values.shape[2]))
            arrays.append(np.ascontiguousarray(now.astype(bool) if name == "eq_active" else now))
        arrays.append(np.ascontiguousarray(warmstart0 if k == 0 else warmstarts[:, k - 1]))
        writer.add_row(k, arrays)
    for world, step, message in faults:
        writer.event("world fault", float(initial[world, 0] if step == 0 else state[world, step - 1, 0]),
                     f"world {world}, step {step}: {message}")  # fmt: skip
    writer.finish("finished")

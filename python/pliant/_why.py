"""Why a simulation went wrong (docs/why.md)."""

import json
import pathlib

import numpy as np

from . import _pliant
from ._recording import RecordingError, _recorded_model, is_chunked


class WhyReport(dict):
    """What why() found, as attributes: trouble, known, nature, departures, chain, suspects (the most likely culprit
    first), fixes (those that worked first), ledger, notes, text (all of it in words), html (a page)."""

    __getattr__ = dict.__getitem__

    @property
    def culprit(self):
        """The first suspect, or None."""
        return self["suspects"][0] if self["suspects"] else None

    def __str__(self):
        return self["text"]


def why(source, model=None, *, states=None, seconds=10.0, key=None, world=0):
    """Says why a simulation went wrong: a WhyReport.

    `source` is a Model or a model file, which is run until something goes wrong (at most `seconds`, from keyframe
    `key`), or a recording (*.plr), whose model may be replaced by `model`. With `states`, an array with a row per step
    (qpos and qvel, or time, qpos, qvel and act), `source` is the model of these: of a run of MuJoCo, say.
    """
    recording = None
    if isinstance(source, _pliant.Model):
        model = source
    else:
        path = pathlib.Path(source)
        # a damaged one is no model either: the reader of recordings knows what is wrong with it
        if is_chunked(path) or (path.suffix == ".plr" and path.is_file()):
            recording = path
            model = model if model is not None else _recorded_model(path)
            if model is None:
                raise RecordingError(f"{path} has no model inside; give it as `model`")
        else:
            model = _pliant.Model(path)
    if not seconds >= 0:
        raise ValueError(f"why: seconds should be a number of at least 0, not {seconds!r}")
    rows = None if states is None else np.ascontiguousarray(states, dtype=np.float64)
    number = -1
    if key is not None:
        number = key if isinstance(key, int) else model.id("key", key)
        if number < 0:
            raise ValueError(f"there is no keyframe {key!r}")
    try:
        report, text, page = _pliant._why(model, recording, rows, seconds, number, world)
    except RuntimeError as problem:
        raise RecordingError(str(problem)) from None
    return WhyReport(json.loads(report), text=text, html=page)

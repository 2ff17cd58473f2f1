"""The doctor's findings as a list that a notebook shows as a table."""

from __future__ import annotations

import os
from typing import Any

from . import _pliant


class Findings(list):
    """What `doctor` found, worst first."""


def doctor(model: Any, seconds: float = 1.0) -> Findings:
    """What in a model, or a model file, will misbehave: findings, worst first. `seconds`: length of the trial run, 0
    for none."""
    if isinstance(model, (str, os.PathLike)):
        model = _pliant.Model(model)
    if not seconds >= 0:
        raise ValueError(f"doctor: seconds should be a number of at least 0, not {seconds!r}")
    return Findings(_pliant.doctor(model, seconds))

"""The doctor's findings as a list that a notebook shows as a table."""

from __future__ import annotations

from typing import Any

from . import _pliant


class Findings(list):
    """What `doctor` found, worst first."""


def doctor(model: Any, seconds: float = 1.0) -> Findings:
    """What in a model will misbehave: findings, worst first. `seconds`: length of the trial run, 0 for none."""
    return Findings(_pliant.doctor(model, seconds))

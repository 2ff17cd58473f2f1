"""What a constraint will do before it does it, and which numbers make it do what is wanted."""

from __future__ import annotations

import difflib
import json
import math
import numbers
from typing import Any

from . import _pliant

# numbers that JSON cannot write: no limit, or never
_UNLIMITED = (
    "rest_depth",
    "contact_steps",
    "settle_time",
    "creep_speed",
    "dampratio",
    "stable_dt",
    "stable_dt_sliding",
)


# wishes that are words; all others are numbers
_WORDS = ("material", "target", "mode", "integrator")


class _Answer:
    """Attributes are the names of the JSON that `pliant explain --json` and `pliant design --json` print; as a text it
    is what they print without."""

    __slots__ = ("__dict__", "_text")  # (the text is not one of the attributes)

    def __init__(self, values: dict[str, Any], text: str = ""):
        for name in _UNLIMITED:
            if name in values and values[name] is None:
                values[name] = math.inf
        self.__dict__.update(values)
        self._text = text

    def __str__(self) -> str:
        """What the command line prints, but for classes that set a number: a Model does not know them."""
        return self._text

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name}={value!r}" for name, value in self.__dict__.items() if isinstance(value, (int, float, str))
        )
        return f"<{type(self).__name__} {shown}>"


class Explanation(_Answer):
    """rest_depth restitution restitution_range contact_steps settle_time creep_speed stiffness damping frequency
    dampratio stable_dt clamped sources, and what else `pliant explain` prints. Infinite: never, or no limit."""


class Explanations(list):
    """All explanations of a model: a list, which a notebook shows as a table."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))


class Design(_Answer):
    """possible, solref, solimp, attributes, notes and predictions; or refusal and nearest."""


def _id(model: Any, kind: str, which: int | str, called: str = "") -> int:
    if isinstance(which, str):
        found = model.id(kind, which)
        if found < 0:
            names = [model.name(kind, i) for i in range(model.count(kind))]
            close = difflib.get_close_matches(which, [name for name in names if name], 1)
            raise ValueError(
                f"there is no {called or kind} {which!r}" + (f"; did you mean {close[0]!r}?" if close else "")
            )
        return found
    return int(which)


def explain(
    model: Any,
    geom1: int | str | None = None,
    geom2: int | str | None = None,
    *,
    joint: int | str | None = None,
    equality: int | str | None = None,
    mimic: int | str | None = None,
    impact: float = 1.0,
    state: Any = None,
) -> Explanation | Explanations:
    """Explains a pair of geoms, the limits of a joint, an equality or a mimic, by name or number; without any,
    everything the model has. `impact` is the speed [m/s] that the bounce is predicted for, `state` where the model
    stands (its start).

    >>> model = pliant.load("models/drop.xml")
    >>> found = pliant.explain(model, "floor", 1)
    >>> 0 <= found.restitution <= 1 and found.stiffness > 0
    True
    >>> "stiffness" in str(found)               # print(found) is what the command line prints
    True
    """
    if geom1 is not None or geom2 is not None:
        if geom1 is None or geom2 is None:
            raise ValueError("explain needs both geom1 and geom2")
        chosen = ("contact", _id(model, "geom", geom1), _id(model, "geom", geom2))
    elif joint is not None:
        chosen = ("joint", _id(model, "joint", joint), -1)
    elif equality is not None:
        chosen = ("equality", _id(model, "equality", equality), -1)
    elif mimic is not None:
        chosen = ("mimic", _id(model, "equality", mimic, "mimic"), -1)
    else:
        chosen = ("all", -1, -1)
    found = [
        Explanation(json.loads(answer), text) for answer, text in _pliant.explain_answers(model, *chosen, impact, state)
    ]
    return Explanations(found) if chosen[0] == "all" else found[0]


def design(**wishes: Any) -> Design:
    """Numbers for a wanted behaviour: restitution, impact, max_depth, stiffness [N/m], damping [N s/m], mass,
    rest_depth, settle, material, target ('geom', 'pair', 'limit', 'equality', 'mimic'), mode ('auto', 'spring',
    'impact'), timestep, integrator, substeps, gravity. What cannot be had has `possible` False, and `refusal` and
    `nearest`.

    >>> wish = pliant.design(restitution=0.5, impact=1.0, max_depth=0.01, mass=1.0, timestep=0.001)
    >>> wish.possible, len(wish.solref)
    (True, 2)
    """
    for name, value in wishes.items():
        if name not in _WORDS and (isinstance(value, (str, bytes)) or not isinstance(value, numbers.Real)):
            raise TypeError(f"design: {name} should be a number, not {value!r}")
        if name in _WORDS and not isinstance(value, str):
            raise TypeError(f"design: {name} should be a word, not {value!r}")
    answer, text = _pliant.design_answer(wishes)
    return Design(json.loads(answer), text)

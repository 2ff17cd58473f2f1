"""Example calls of every function of the drop-in module, to be run on both modules.

CALLS has, by name, a function (module, model, data, rng) → results; the files calls_*.py fill it, by subject.
"""

import calls_math  # noqa: F401
import calls_programs  # noqa: F401
import calls_queries  # noqa: F401
import calls_scenes  # noqa: F401
import calls_steps  # noqa: F401
from calls_registry import CALLS, XML, example, fields, make

__all__ = ["CALLS", "XML", "example", "fields", "make"]

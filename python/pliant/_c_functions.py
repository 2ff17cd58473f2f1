"""C functions as callbacks: which can be called, and with what.

The reference gives them the addresses of its structs mjModel and mjData. Pliant has no such structs: machine code would
read other memory than it means, and is refused. A Python function in the form of a C function (ctypes.CFUNCTYPE) that
declares both as c_void_p reads no memory; it is called with the addresses of Pliant's own objects, which say no more
than whether two calls were about the same data.
"""

import ctypes

from . import _pliant

C_FUNCTION = ctypes.CFUNCTYPE(None).__base__
# what a C function made from a Python function keeps, and one made from an address does not
_FROM_PYTHON = type(next(iter(ctypes.CFUNCTYPE(None)(lambda: None)._objects.values())))
# stages after which the threads of a Batch call them
_STAGES = {"control": "actuation", "passive": "passive"}


def _reads_nothing(function):
    kept = (function._objects or {}).values()
    return any(isinstance(one, _FROM_PYTHON) for one in kept) and function.argtypes[:2] == (ctypes.c_void_p,) * 2


def with_objects(callback):
    """A callback that is given objects, from one that may be a C function; others are left alone."""
    is_c = isinstance(callback, C_FUNCTION)
    if is_c and _reads_nothing(callback):
        return lambda m, d, *more: callback(*_pliant._addresses(m, d), *more)
    if is_c or type(callback).__name__ == "PyCapsule":
        raise NotImplementedError(
            "a C function as callback would be given the reference's structs mjModel and mjData, which Pliant does not"
            " have: give a Python function (ctypes functions made from one, whose arguments are c_void_p, are called)"
        )
    return callback


def for_threads(callbacks):
    """(stage, address) of those that threads of the engine can call themselves, of callbacks by name."""
    return [(_STAGES[name], ctypes.cast(callback, ctypes.c_void_p).value)
            for name, callback in callbacks.items() if can_run_in_threads(name, callback)]  # fmt: skip


def can_run_in_threads(name, callback):
    return name in _STAGES and isinstance(callback, C_FUNCTION)

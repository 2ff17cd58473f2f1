"""What happens when a step is refused: an error, a warning, or what the reference does.

set_on_fault("reset") is the reference's way: a step from a position, velocity, activation or force that is no number,
or beyond 1e10, starts from the initial state instead; with such a control it is made as if all controls were zero; and
mj_forward and mj_inverse leave what follows from such numbers. data.warning counts what the reference counts.
"""

import ctypes
import os
import warnings

import numpy as np

from . import _enums, _pliant

_on_fault = "raise"
_user_warning = None
when_changed = []  # called when set_on_fault was
_C_FUNCTION = ctypes.CFUNCTYPE(None).__base__
# Kinds of faults (Fault in state.h), by what the reference calls them.
_NAMES = {0: "BADQPOS", 1: "BADQVEL", 2: "BADCTRL", 6: "BADQACC", 7: "INERTIA"}
_INERTIA = 7
_OF_STATE = ("BADQPOS", "BADQVEL", "BADQACC")


def set_on_fault(what):
    """What mj_step does with a step that cannot be made: "raise" a StepError and leave the state, as from the start;
    "reset" the data to the initial state, as the reference does, counted in data.warning; or "warn" and do nothing."""
    global _on_fault
    if what not in ("raise", "reset", "warn"):
        raise ValueError(f"on_fault is 'raise', 'reset' or 'warn', not {what!r}")
    _on_fault = what
    for function in when_changed:
        function()


def get_on_fault():
    """What set_on_fault, or PLIANT_ON_FAULT in the environment, has said."""
    return _on_fault


def set_mju_user_warning(py_callback):
    """A function that is told of faults which are no errors (set_on_fault), of ctypes, too; None: Python's warnings."""
    global _user_warning
    if py_callback is not None and not callable(py_callback):
        raise TypeError("callback is not an Optional[Callable]")
    _user_warning = py_callback


def get_mju_user_warning():
    """The function given to set_mju_user_warning, or None."""
    return _user_warning


def _tell(error):
    if _user_warning is not None:
        _user_warning(str(error).encode() if isinstance(_user_warning, _C_FUNCTION) else str(error))
    else:
        warnings.warn(str(error), RuntimeWarning, stacklevel=5)


def first_bad(values):
    """Index of the first number that is none or beyond 1e10; None: all are fine."""
    bad = np.flatnonzero(~(np.abs(values) <= _enums.mjMAXVAL))
    return int(bad[0]) if len(bad) else None


def actuates(m):
    return not m.opt.disableflags & _enums.mjtDisableBit.mjDSBL_ACTUATION


class Controls:
    """While bad controls are zero, all of them. Afterwards those come back that nobody has set meanwhile: the zeros are
    negative, so that they are known."""

    def __init__(self, d):
        self.d, self.given = d, None

    @classmethod
    def of(cls, d):
        """Those that a fault has taken, or new ones."""
        return d.__dict__.get("_controls") or cls(d)

    def check(self, times):
        """Zero from now on if any is bad, and counted: whether that is so."""
        ctrl = self.d.ctrl
        at = first_bad(ctrl)
        if at is None:
            return False
        self.give_back()
        self.given = ctrl.copy()
        ctrl[:] = -0.0
        for _ in range(times):
            self.d.count_warning("BADCTRL", at)
        return True

    def give_back(self):
        if self.given is not None:
            ctrl = self.d.ctrl
            ctrl[:] = np.where((ctrl == 0) & np.signbit(ctrl), self.given, ctrl)
            self.given = None


def _attempt(run, m, d):
    """The StepError that running leads to, or None."""
    try:
        run(m, d)
    except _pliant.StepError as error:
        return error
    return None


def _counted(error):
    """Names of the faults that a refused step has counted."""
    return [name for kind, name in _NAMES.items() if error.faults >> kind & 1]


def _of_state(error):
    return bool(set(_OF_STATE).intersection(_counted(error)))


def _take_back(error, d, names):
    for name in set(names).intersection(_counted(error)):
        d.warning.number[_enums.mjtWarning[f"mjWARN_{name}"]] -= 1


def _reset(error, m, d, part):
    if part != "check" and not _of_state(error):  # the reference sees it when it sees accelerations
        d.count_warning("BADQACC", first_bad(d.qfrc_applied) or 0)
    counts = d.warning.number.copy()
    _pliant.mj_resetData(m, d)
    d.count_resets(counts)


def _as_the_reference(error, m, d, part, run, redo, asked):
    controls = Controls(d)
    if part != "check" and actuates(m):
        passes = 4 if part == "step" and m.opt.integrator == _enums.mjtIntegrator.mjINT_RK4 else int(part != "step1")
        counted = _counted(error)
        if controls.check(0 if asked else passes):
            if "BADCTRL" in counted or part == "forward":  # counted already
                _take_back(error, d, counted)
            d.__dict__["_controls"] = controls
            try:
                error = _attempt(run, m, d)
            finally:
                del d.__dict__["_controls"]
    if error is not None and part == "forward":  # what was computed stays
        _take_back(error, d, ["BADQACC"])
        if d.faults[_INERTIA][0] and not np.isfinite(d.M).all():  # the reference does not count it as singular
            d.warning.number[_enums.mjtWarning.mjWARN_INERTIA] -= 1
    elif error is not None and part == "step1" and not _of_state(error):  # mj_step2 will see it
        if (other := _attempt(_pliant.mj_forward, m, d)) is not None:
            _take_back(other, d, _counted(other))
    elif error is not None:
        _reset(error, m, d, part)
        if redo is not None and (again := _attempt(redo, m, d)) is not None:
            _reset(again, m, d, part)
        return
    controls.give_back()


def guarded(run, m, d, part, redo=None, asked=False):
    """Runs a part of a step, "step", "step1", "step2", "forward" or "check". A fault is what set_on_fault says; after a
    reset, `redo` is what is left to do. `asked`: a callback gives controls on the way, where they are looked at
    again."""
    try:
        run(m, d)
    except _pliant.StepError as error:
        if _on_fault == "raise":
            raise
        if _on_fault == "reset":
            _as_the_reference(error, m, d, part, run, redo, asked)
        _tell(error)


def _check(field, warning):
    """mj_checkPos and the like."""

    def refuse(m, d):
        at = first_bad(getattr(d, field))
        raise _pliant.StepError(f"mjWARN_{warning}: {field}[{at}] is {getattr(d, field)[at]} at t = {d.time}")

    def check(m, d):
        at = first_bad(getattr(d, field))
        if at is None:
            return
        if _on_fault != "raise":
            d.count_warning(warning, at)
        guarded(refuse, m, d, "check", _pliant.mj_forward if field == "qacc" else None)

    check.__name__ = check.__qualname__ = {"qpos": "mj_checkPos", "qvel": "mj_checkVel", "qacc": "mj_checkAcc"}[field]
    check.__doc__ = f"If {field} holds NaN or numbers beyond 1e10: what set_on_fault says, from the start a StepError."
    return check


FUNCTIONS = {"set_on_fault": set_on_fault, "get_on_fault": get_on_fault, "set_mju_user_warning": set_mju_user_warning,
             "get_mju_user_warning": get_mju_user_warning, "mj_checkPos": _check("qpos", "BADQPOS"),
             "mj_checkVel": _check("qvel", "BADQVEL"), "mj_checkAcc": _check("qacc", "BADQACC")}  # fmt: skip

set_on_fault(os.environ.get("PLIANT_ON_FAULT", "raise"))

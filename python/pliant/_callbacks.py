"""Callbacks of MuJoCo, and what happens when a step is refused: both need Python around the engine's step.

While no callback is set and faults are errors, as from the start, mj_step is the engine's own. With a callback the
parts of a step run one after the other, and the callback between them; what it raises leaves the step at once.
"""

import os
import warnings

import numpy as np

from . import _enums, _pliant

_IN_STEP = ("control", "passive", "sensor")
_NEEDS = {
    "act_dyn": "dyntype='user' has no law in Pliant: write data.act between steps",
    "act_gain": "gaintype='user' has no law in Pliant: use qfrc_applied, or set_mjcb_passive",
    "act_bias": "biastype='user' has no law in Pliant: use qfrc_applied, or set_mjcb_passive",
}
# Called around the engine's own step.
_AROUND = ("contactfilter", "time")
_callbacks = dict.fromkeys([*_IN_STEP, *_AROUND, *_NEEDS])
_on_fault = "raise"
_wrapped = False  # whether the engine's step alone is not enough


def _update():
    global _wrapped
    _wrapped = _on_fault != "raise" or any(_callbacks[name] is not None for name in (*_IN_STEP, *_AROUND))


def set_on_fault(what):
    """What mj_step does with a step that cannot be made: "raise" a StepError and leave the state, as from the start;
    "reset" the data to the initial state, as the reference does, counted in data.warning; or "warn" and do nothing."""
    global _on_fault
    if what not in ("raise", "reset", "warn"):
        raise ValueError(f"on_fault is 'raise', 'reset' or 'warn', not {what!r}")
    _on_fault = what
    _update()


def get_on_fault():
    """What set_on_fault, or PLIANT_ON_FAULT in the environment, has said."""
    return _on_fault


def _setter(name):
    def put(py_callback):
        if py_callback is not None and not callable(py_callback):
            raise TypeError("callback is not an Optional[Callable]")
        if name in _NEEDS and py_callback is not None:
            raise NotImplementedError(f"set_mjcb_{name}: {_NEEDS[name]}")
        _callbacks[name] = py_callback
        _update()

    put.__name__ = put.__qualname__ = f"set_mjcb_{name}"
    put.__doc__ = f"Sets the callback {name}; None removes it."
    return put


def _getter(name):
    def get():
        return _callbacks[name]

    get.__name__ = get.__qualname__ = f"get_mjcb_{name}"
    get.__doc__ = f"The callback {name}, or None."
    return get


def mj_resetCallbacks():
    """Removes all callbacks."""
    for name in _callbacks:
        _callbacks[name] = None
    _update()


def refuse_callbacks(what):
    """For calls whose steps are the engine's own: a callback that would not be called is an error."""
    given = [f"mjcb_{name}" for name in (*_IN_STEP, "contactfilter") if _callbacks[name] is not None]
    if given:
        raise ValueError(f"{what} calls no Python: remove {', '.join(given)} with mj_resetCallbacks, or use mj_step")


def _call(name, *args):
    if _callbacks[name] is not None:
        _callbacks[name](*args)


def _sense(m, d, stage):
    """Sensors of a stage; user sensors are filled in by the callback."""
    (_pliant.mj_sensorPos, _pliant.mj_sensorVel, _pliant.mj_sensorAcc)[stage - 1](m, d)
    if _callbacks["sensor"] is not None:
        user = m.sensor_type == _enums.mjtSensor.mjSENS_USER
        if np.any(user & (m.sensor_needstage == stage)):
            _call("sensor", m, d, stage)


def _velocity(m, d):
    _pliant.mj_fwdPosition(m, d)
    _sense(m, d, 1)
    if m.opt.enableflags & _enums.mjtEnableBit.mjENBL_ENERGY:
        _pliant.mj_energyPos(m, d)
    _pliant.mj_fwdVelocity(m, d)
    _call("passive", m, d)
    _sense(m, d, 2)
    if m.opt.enableflags & _enums.mjtEnableBit.mjENBL_ENERGY:
        _pliant.mj_energyVel(m, d)


def _acceleration(m, d):
    _pliant.mj_fwdActuation(m, d)
    _pliant.mj_fwdAcceleration(m, d)
    _pliant.mj_fwdConstraint(m, d)
    _sense(m, d, 3)


def _forward(m, d):
    _velocity(m, d)
    if not m.opt.disableflags & _enums.mjtDisableBit.mjDSBL_ACTUATION:
        _call("control", m, d)
    _acceleration(m, d)


def _integrate(m, d):
    integrator = m.opt.integrator
    if integrator == _enums.mjtIntegrator.mjINT_EULER:
        _pliant.mj_Euler(m, d)
    elif integrator in (_enums.mjtIntegrator.mjINT_IMPLICIT, _enums.mjtIntegrator.mjINT_IMPLICITFAST):
        _pliant.mj_implicit(m, d)
    else:
        raise NotImplementedError("callbacks work with the integrators Euler, implicit and implicitfast")


def _filter_contacts(m, d):
    """Contacts of pairs of geoms that the callback says something other than 0 to are forgotten."""
    refused, kept = {}, np.ones(d.ncon, bool)
    for i, pair in enumerate(d.contact.geom.tolist()):
        pair = tuple(pair)
        if pair not in refused:
            refused[pair] = bool(_callbacks["contactfilter"](m, d, *pair))
        kept[i] = not refused[pair]
    if not np.all(kept):
        _pliant._keep_contacts(d, kept)


def _now():
    time = _callbacks["time"]()
    try:
        return float(time)
    except (TypeError, ValueError):
        raise TypeError("mjcb_time callback did not return a number") from None


def _around(function, m, d, place):
    """Runs part of a step with the callbacks that the engine has a place for; `place` is that of its time in
    _call_times: 0 for steps, 2 for mj_forward."""
    before, start = d._call_times, _now() if _callbacks["time"] is not None else None
    if _callbacks["contactfilter"] is not None:
        _pliant._run_with_probe(d, "collision", lambda: _filter_contacts(m, d), lambda: function(m, d))
    else:
        function(m, d)
    if start is not None:
        times, spent = list(before), _now() - start
        for at in {place, 2}:
            times[at : at + 2] = times[at] + spent, times[at + 1] + 1
        d._call_times = tuple(times)


def _has_callbacks():
    return any(_callbacks[name] is not None for name in _IN_STEP)


def _one_step(m, d):
    if not _has_callbacks():
        return _native["mj_step"](m, d)
    _forward(m, d)
    _integrate(m, d)
    return None


def _guarded(function, m, d, place=None):
    """Calls; a fault is what set_on_fault says."""
    try:
        if place is None:
            function(m, d)
        else:
            _around(function, m, d, place)
    except _pliant.StepError as error:
        if _on_fault == "raise":
            raise
        counts = d.warning.number.copy()
        if _on_fault == "reset":
            _pliant.mj_resetData(m, d)
            d.count_resets(counts)
        if _user_warning is not None:
            _user_warning(str(error))
        else:
            warnings.warn(str(error), RuntimeWarning, stacklevel=3)


_user_warning = None


def set_mju_user_warning(py_callback):
    """A function that is told of faults which are no errors (set_on_fault); None: Python's warnings are."""
    global _user_warning
    if py_callback is not None and not callable(py_callback):
        raise TypeError("callback is not an Optional[Callable]")
    _user_warning = py_callback


def get_mju_user_warning():
    """The function given to set_mju_user_warning, or None."""
    return _user_warning


_native = {name: getattr(_pliant, name) for name in ("mj_step", "mj_step1", "mj_step2", "mj_forward")}


def mj_step(m, d, nstep=1):
    if not _wrapped:
        return _native["mj_step"](m, d, nstep)
    for _ in range(nstep):
        _guarded(_one_step, m, d, 0)
    return None


def _step1(m, d):
    _velocity(m, d)
    _call("control", m, d)


def mj_step1(m, d):
    if not _wrapped:
        return _native["mj_step1"](m, d)
    return _guarded(_step1 if _has_callbacks() else _native["mj_step1"], m, d, 2)


def mj_step2(m, d):
    if not _wrapped:
        return _native["mj_step2"](m, d)
    return _guarded(_native["mj_step2"], m, d)


def mj_forward(m, d):
    if not _wrapped:
        return _native["mj_forward"](m, d)
    return _guarded(_forward if _has_callbacks() else _native["mj_forward"], m, d, 2)


def _check(field, warning):
    """mj_checkPos and the like."""

    def check(m, d):
        values = getattr(d, field)
        bad = np.flatnonzero(~(np.abs(values) <= _enums.mjMAXVAL))
        if not len(bad):
            return
        message = f"mjWARN_{warning}: {field}[{bad[0]}] is {values[bad[0]]} at t = {d.time}"
        if _on_fault != "raise":
            d.count_warning(warning, int(bad[0]))
        _guarded(lambda m, d: _refuse(message), m, d)

    check.__name__ = check.__qualname__ = {"qpos": "mj_checkPos", "qvel": "mj_checkVel", "qacc": "mj_checkAcc"}[field]
    check.__doc__ = f"If {field} holds NaN or numbers beyond 1e10: what set_on_fault says, from the start a StepError."
    return check


def _refuse(message):
    raise _pliant.StepError(message)


for _name, _function in _native.items():
    globals()[_name].__doc__ = _function.__doc__

FUNCTIONS = {"mj_step": mj_step, "mj_step1": mj_step1, "mj_step2": mj_step2, "mj_forward": mj_forward,
             "mj_resetCallbacks": mj_resetCallbacks, "set_on_fault": set_on_fault,
             "get_on_fault": get_on_fault, "set_mju_user_warning": set_mju_user_warning,
             "get_mju_user_warning": get_mju_user_warning,
             "mj_checkPos": _check("qpos", "BADQPOS"), "mj_checkVel": _check("qvel", "BADQVEL"),
             "mj_checkAcc": _check("qacc", "BADQACC")}  # fmt: skip
for _name in _callbacks:
    FUNCTIONS[f"set_mjcb_{_name}"] = _setter(_name)
    FUNCTIONS[f"get_mjcb_{_name}"] = _getter(_name)

set_on_fault(os.environ.get("PLIANT_ON_FAULT", "raise"))

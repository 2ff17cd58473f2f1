"""Callbacks of MuJoCo, and what happens when a step is refused: both need Python around the engine's step.

While no callback is set and faults are errors, as from the start, mj_step is the engine's own. Callbacks are called
between the stages of a step, in all passes of a Runge-Kutta step, too; what one raises leaves the step, and the state
is that before it.
"""

import ctypes
import os
import warnings

import numpy as np

from . import _enums, _pliant

# Called between the stages of a step, in this order.
_IN_STEP = ("contactfilter", "passive", "sensor", "control", "act_dyn", "act_gain", "act_bias")
_LAWS = _IN_STEP[-3:]
_callbacks = dict.fromkeys([*_IN_STEP, "time"])
_on_fault = "raise"
_wrapped = False  # whether the engine's step alone is not enough


def _update():
    global _wrapped
    _wrapped = _on_fault != "raise" or any(callback is not None for callback in _callbacks.values())


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


_C_FUNCTION = ctypes.CFUNCTYPE(None).__base__


def _refuse_c_function(callback):
    """ctypes functions, and capsules with the address of one."""
    if isinstance(callback, _C_FUNCTION) or type(callback).__name__ == "PyCapsule":
        raise NotImplementedError(
            "a C function as callback would be given the reference's structs mjModel and mjData, which Pliant does not"
            " have: give a Python function"
        )


def _setter(name):
    def put(py_callback):
        if name != "time":  # whose functions are given nothing
            _refuse_c_function(py_callback)
        if py_callback is not None and not callable(py_callback):
            raise TypeError("callback is not an Optional[Callable]")
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
    given = [f"mjcb_{name}" for name in _IN_STEP if _callbacks[name] is not None]
    if given:
        raise ValueError(f"{what} calls no Python: remove {', '.join(given)} with mj_resetCallbacks, or use mj_step")


def _call(name, *args):
    if _callbacks[name] is not None:
        _callbacks[name](*args)


def _number(name, *args):
    """What a callback that gives a number gives."""
    value = _callbacks[name](*args)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"mjcb_{name} callback did not return a number") from None


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


def _sense(m, d, stage):
    """Sensors of a user are filled in by the callback."""
    user = m.sensor_type == _enums.mjtSensor.mjSENS_USER
    if np.any(user & (m.sensor_needstage == stage)):
        _call("sensor", m, d, stage)


# ---- laws of actuators ---------------------------------------------------------------------------


def _of_user(m, law, user):
    """Actuators whose law is the callback's, those of disabled groups left out."""
    if _callbacks[f"act_{law}"] is None:
        return []
    types = getattr(m, f"actuator_{law}type")
    groups = m.actuator_group
    off = (groups >= 0) & (groups < 31) & ((m.opt.disableactuator >> np.clip(groups, 0, 30)) & 1).astype(bool)
    return np.flatnonzero((types == user) & ~off).tolist()


def _actuate(m, d):
    """Rates of activations, gains and biases that callbacks give; then forces once more."""
    rates = _of_user(m, "dyn", _enums.mjtDyn.mjDYN_USER)
    gains = _of_user(m, "gain", _enums.mjtGain.mjGAIN_USER)
    biases = _of_user(m, "bias", _enums.mjtBias.mjBIAS_USER)
    if not (rates or gains or biases):
        return
    for i in rates:
        first, number = int(m.actuator_actadr[i]), int(m.actuator_actnum[i])
        if number == 1:
            d.act_dot[first] = _number("act_dyn", m, d, i)
        elif number > 1:  # such a callback writes the rates itself
            _call("act_dyn", m, d, i)
    kept = d.act_dot.copy()
    d.actuator_force[:] = 0
    gain = {i: _number("act_gain", m, d, i) for i in gains}
    bias = {i: _number("act_bias", m, d, i) for i in biases}
    more = {i: _early(m, d, i, gain) for i in rates if m.actuator_actearly[i] and m.actuator_actnum[i] > 0}
    for i in more.keys() & bias.keys():
        bias[i] += more.pop(i)
    _pliant._actuate(m, d, gain, bias, more)
    d.act_dot[:] = kept


def _early(m, d, i, gain):
    """Force of an actuator that uses its activation of the next step, beyond that of the present one."""
    last = int(m.actuator_actadr[i]) + int(m.actuator_actnum[i]) - 1
    kind = m.actuator_gaintype[i]
    if i in gain:
        factor = gain[i]
    elif kind in (_enums.mjtGain.mjGAIN_FIXED, _enums.mjtGain.mjGAIN_USER):
        factor = m.actuator_gainprm[i, 0] if kind == _enums.mjtGain.mjGAIN_FIXED else 1.0
    else:
        raise NotImplementedError("actearly with dyntype 'user' needs gaintype 'fixed' or 'user'")
    now = d.act[last]
    then = now + m.opt.timestep * d.act_dot[last]
    if m.actuator_actlimited[i]:
        now, then = np.clip([now, then], *m.actuator_actrange[i])
    return float(factor * (then - now))


# ---- steps ---------------------------------------------------------------------------------------


def _actuates(m):
    return not m.opt.disableflags & _enums.mjtDisableBit.mjDSBL_ACTUATION


def _stages(control):
    """Stages after which callbacks are called."""
    names = {
        "contactfilter": ["collision"],
        "passive": ["passive"],
        "sensor": ["position sensors", "velocity sensors", "acceleration sensors"],
        **dict.fromkeys(_LAWS, ["actuation"]),
    }
    if control:
        names["control"] = ["actuation"]
    return sorted({stage for name, stages in names.items() if _callbacks[name] is not None for stage in stages})


def _with_callbacks(function, control=True):
    """A part of a step, with callbacks between its stages."""

    def run(m, d):
        def at_stage(stage):
            if stage == "collision":
                _filter_contacts(m, d)
            elif stage == "passive":
                _call("passive", m, d)
            elif stage == "actuation":
                if not _actuates(m):
                    return
                if control and _callbacks["control"] is not None:
                    _call("control", m, d)
                    _pliant._actuate(m, d, {}, {}, {})
                _actuate(m, d)
            else:
                _sense(m, d, {"position sensors": 1, "velocity sensors": 2, "acceleration sensors": 3}[stage])

        if stages := _stages(control):
            _pliant._run_with_probe(d, stages, at_stage, lambda: function(m, d))
        else:
            function(m, d)

    return run


def _around(function, m, d, place):
    """Runs part of a step and counts its time where the callback of time says so; `place` is that in _call_times: 0 for
    steps, 2 for mj_forward."""
    if _callbacks["time"] is None:
        return function(m, d)
    before, start = d._call_times, _number("time")
    function(m, d)
    times, spent = list(before), _number("time") - start
    for at in {place, 2}:
        times[at : at + 2] = times[at] + spent, times[at + 1] + 1
    d._call_times = tuple(times)
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
            _user_warning(str(error).encode() if isinstance(_user_warning, _C_FUNCTION) else str(error))
        else:
            warnings.warn(str(error), RuntimeWarning, stacklevel=3)


_user_warning = None


def set_mju_user_warning(py_callback):
    """A function that is told of faults which are no errors (set_on_fault), of ctypes, too; None: Python's warnings."""
    global _user_warning
    if py_callback is not None and not callable(py_callback):
        raise TypeError("callback is not an Optional[Callable]")
    _user_warning = py_callback


def get_mju_user_warning():
    """The function given to set_mju_user_warning, or None."""
    return _user_warning


_native = {name: getattr(_pliant, name) for name in ("mj_step", "mj_step1", "mj_step2", "mj_forward")}


_one_step = _with_callbacks(_native["mj_step"])
_one_forward = _with_callbacks(_native["mj_forward"])
_first_half = _with_callbacks(_native["mj_step1"], control=False)
_second_half = _with_callbacks(_native["mj_step2"], control=False)


def mj_step(m, d, nstep=1):
    if not _wrapped:
        return _native["mj_step"](m, d, nstep)
    for _ in range(nstep):
        _guarded(_one_step, m, d, 0)
    return None


def _step1(m, d):
    _first_half(m, d)
    if _actuates(m):
        _call("control", m, d)


def mj_step1(m, d):
    if not _wrapped:
        return _native["mj_step1"](m, d)
    return _guarded(_step1, m, d, 2)


def mj_step2(m, d):
    if not _wrapped:
        return _native["mj_step2"](m, d)
    return _guarded(_second_half, m, d)


def mj_forward(m, d):
    if not _wrapped:
        return _native["mj_forward"](m, d)
    return _guarded(_one_forward, m, d, 2)


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
mj_step.__doc__ = """mj_step(m, d, nstep=1)

Moves the data by a timestep. Optionally, repeat nstep times. Raises StepError when a step is refused; the state is then
that before the step."""

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

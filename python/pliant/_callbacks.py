"""Callbacks of MuJoCo, and what happens when a step is refused: both need Python around the engine's step.

While no callback is set and faults are errors, as from the start, mj_step is the engine's own. Callbacks are called
between the stages of a step, in all passes of a Runge-Kutta step, too; what one raises leaves the step, and the state
is that before it.
"""

import numpy as np

from . import _c_functions, _enums, _faults, _pliant
from ._faults import actuates, guarded
from ._wrappers import like_native

# Called between the stages of a step, in this order.
_IN_STEP = ("contactfilter", "passive", "sensor", "control", "act_dyn", "act_gain", "act_bias")
_LAWS = _IN_STEP[-3:]
_given = dict.fromkeys([*_IN_STEP, "time"])  # what programs have set
_callbacks = dict.fromkeys(_given)  # what is called
_called = False  # whether there is any
_wrapped = False  # whether the engine's step alone is not enough


def _update():
    global _called, _wrapped
    _called = any(callback is not None for callback in _callbacks.values())
    _wrapped = _called or _faults.get_on_fault() != "raise"


_faults.when_changed.append(_update)
_update()


def _setter(name):
    def put(py_callback):
        # (functions of the clock are given nothing)
        callback = py_callback if name == "time" else _c_functions.with_objects(py_callback)
        if callback is not None and not callable(callback):
            raise TypeError("callback is not an Optional[Callable]")
        _given[name], _callbacks[name] = py_callback, callback
        _update()

    put.__name__ = put.__qualname__ = f"set_mjcb_{name}"
    put.__doc__ = f"Sets the callback {name}; None removes it."
    return put


def _getter(name):
    def get():
        return _given[name]

    get.__name__ = get.__qualname__ = f"get_mjcb_{name}"
    get.__doc__ = f"The callback {name}, or None."
    return get


def mj_resetCallbacks():
    """Removes all callbacks."""
    for name in _given:
        _given[name] = _callbacks[name] = None
    _update()


def refuse_callbacks(what, *, c_functions=False):
    """For calls whose steps are the engine's own: a callback that would not be called is an error. With c_functions,
    those that the engine's threads can call are none, and are returned."""
    given = [f"mjcb_{name}" for name in _IN_STEP if _given[name] is not None
             and not (c_functions and _c_functions.can_run_in_threads(name, _given[name]))]  # fmt: skip
    if given:
        raise ValueError(f"{what} calls no Python: remove {', '.join(given)} with mj_resetCallbacks, or use mj_step")
    return _c_functions.for_threads(_given)


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


_NO_PASSIVE = _enums.mjtDisableBit.mjDSBL_SPRING | _enums.mjtDisableBit.mjDSBL_DAMPER


def _with_callbacks(function, control=True):
    """A part of a step, with callbacks between its stages."""

    def run(m, d, *more, **named):
        controls = _faults.Controls.of(d)

        def at_stage(stage):
            if stage == "collision":
                _filter_contacts(m, d)
            elif stage == "passive":
                if m.opt.disableflags & _NO_PASSIVE != _NO_PASSIVE:
                    _call("passive", m, d)
            elif stage == "actuation":
                if not actuates(m):
                    return
                if control and _callbacks["control"] is not None:
                    controls.give_back()
                    _call("control", m, d)
                    if _faults.get_on_fault() == "reset":
                        controls.check(1)
                    _pliant._actuate(m, d, {}, {}, {})
                _actuate(m, d)
            else:
                _sense(m, d, {"position sensors": 1, "velocity sensors": 2, "acceleration sensors": 3}[stage])

        if stages := _stages(control):
            _pliant._run_with_probe(d, stages, at_stage, lambda: function(m, d, *more, **named))
        else:
            function(m, d, *more, **named)
        controls.give_back()

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


_native = {name: getattr(_pliant, name) for name in ("mj_step", "mj_step1", "mj_step2", "mj_forward", "mj_inverse")}
_with = {name: _with_callbacks(function) for name, function in _native.items()}
_first_half = _with_callbacks(_native["mj_step1"], control=False)
_second_half = _with_callbacks(_native["mj_step2"], control=False)


def _one_step(m, d):
    _around(_with["mj_step"], m, d, 0)


def _one_forward(m, d):
    _around(_with["mj_forward"], m, d, 2)


def mj_step(m, d, nstep=1):
    if not _wrapped:
        return _native["mj_step"](m, d, nstep)
    step = _one_step if _called else _native["mj_step"]
    for _ in range(nstep):
        guarded(step, m, d, "step", step, _callbacks["control"] is not None)
    return None


def _step1(m, d):
    _first_half(m, d)
    if actuates(m):
        _call("control", m, d)


def _timed_step1(m, d):
    _around(_step1, m, d, 2)


def mj_step1(m, d):
    if not _wrapped:
        return _native["mj_step1"](m, d)
    return guarded(_timed_step1, m, d, "step1", _timed_step1)


def _step2_anew(m, d):
    _with["mj_forward"](m, d)
    _second_half(m, d)


def mj_step2(m, d):
    if not _wrapped:
        return _native["mj_step2"](m, d)
    return guarded(_second_half, m, d, "step2", _step2_anew)


def mj_forward(m, d):
    if not _wrapped:
        return _native["mj_forward"](m, d)
    return guarded(_one_forward, m, d, "forward", asked=_callbacks["control"] is not None)


def mj_inverse(m, d):
    if not _wrapped:
        return _native["mj_inverse"](m, d)
    return guarded(_with["mj_inverse"], m, d, "forward")


for _name, _function in _native.items():
    globals()[_name].__doc__ = _function.__doc__
mj_step.__doc__ = """mj_step(m, d, nstep=1)

Moves the data by a timestep. Optionally, repeat nstep times. Raises StepError when a step is refused; the state is then
that before the step."""


def _part(name, control):
    """A function that runs some stages of a step."""
    native = getattr(_pliant, name)
    with_callbacks = _with_callbacks(native, control)

    def run(*args, **kwargs):
        return (with_callbacks if _called else native)(*args, **kwargs)

    return like_native(run, native, name)


FUNCTIONS = {**_faults.FUNCTIONS, "mj_resetCallbacks": mj_resetCallbacks,
             **{name: globals()[name] for name in _native},
             **{name: _part(name, control=True) for name in (
                 "mj_forwardSkip", "mj_RungeKutta", "mj_Euler", "mj_implicit")},
             **{name: _part(name, control=False) for name in (
                 "mj_inverseSkip", "mj_fwdPosition", "mj_fwdVelocity", "mj_fwdActuation", "mj_collision", "mj_passive",
                 "mj_sensorPos", "mj_sensorVel", "mj_sensorAcc")}}  # fmt: skip
for _name in _given:
    FUNCTIONS[f"set_mjcb_{_name}"] = _setter(_name)
    FUNCTIONS[f"get_mjcb_{_name}"] = _getter(_name)

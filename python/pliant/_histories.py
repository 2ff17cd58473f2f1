"""Histories of controls and readings (docs/state.md): filling and reading them under MuJoCo's names."""

import numpy as np

from . import _pliant


def _place(function, what, m, id, counts, addresses, width):
    """Start, samples and numbers per sample of a history; the samples are 0 where there is none."""
    if not 0 <= id < len(counts):
        raise IndexError(f"{function}(): there is no {what} {id}; the model has {len(counts)}")
    return int(addresses[id]), int(counts[id, 0]), int(width[id])


def _fill(function, d, place, times, values):
    start, samples, dim = place
    if not samples:
        raise _pliant.FatalError(f"{function}: there is no history: give the element 'nsample'")
    values = np.asarray(values, float)
    if values.size != samples * dim or (values.ndim > 1 and values.shape != (samples, dim)):
        raise TypeError(f"{function}(): values should be of shape ({samples}, {dim}), but it is {values.shape}")
    at = start + 2
    if times is not None:
        times = np.asarray(times, float)
        if times.size != samples:
            raise TypeError(f"{function}(): times should have {samples} numbers, but its shape is {times.shape}")
        if not np.all(np.diff(times.ravel()) > 0):
            raise _pliant.FatalError(f"{function}: times should increase: {times.ravel().tolist()}")
        d.history[at : at + samples] = times.ravel()
        d.history[start + 1] = samples - 1  # the newest is the last
        order = np.arange(samples)
    else:  # values come in the order of the times that are there
        order = (int(d.history[start + 1]) + 1 + np.arange(samples)) % samples
    d.history[at + samples :][: samples * dim].reshape(samples, dim)[order] = values.reshape(samples, dim)


def mj_initCtrlHistory(m, d, id, times, values):
    """Fills the history of an actuator's controls, oldest first; times None: those that are there stay."""
    place = _place(
        "mj_initCtrlHistory", "actuator", m, id, m.actuator_history, m.actuator_historyadr, m.actuator_ctrlnum
    )
    _fill("mj_initCtrlHistory", d, place, times, values)


def mj_initSensorHistory(m, d, id, times, values, phase):
    """Fills the history of a sensor's readings, oldest first; times None: those that are there stay. phase is the time
    of the last reading of a sensor with an interval."""
    place = _place("mj_initSensorHistory", "sensor", m, id, m.sensor_history, m.sensor_historyadr, m.sensor_dim)
    _fill("mj_initSensorHistory", d, place, times, values)
    d.history[place[0]] = phase


def _read(history, place, time, order):
    """The value of a history at a time: the older sample (order 0), a line (1) or a cubic with Catmull-Rom slopes."""
    start, samples, dim = place
    ring = (int(history[start + 1]) + 1 + np.arange(samples)) % samples
    times = history[start + 2 :][:samples][ring]
    values = history[start + 2 + samples :][: samples * dim].reshape(samples, dim)[ring]
    tiny = 1e-15
    if time <= times[0] + tiny:
        return values[0]
    if time >= times[-1] - tiny:
        return values[-1]
    after = int(np.searchsorted(times, time))
    before = after - 1
    if abs(time - times[after]) < tiny:
        return values[after]
    if order == 0:
        return values[before]
    span = times[after] - times[before]
    x = (time - times[before]) / span
    if order == 1:
        return (1 - x) * values[before] + x * values[after]
    slopes = np.zeros((2, dim))  # per span; 0 at the ends of the history
    if before > 0:
        slopes[0] = (values[after] - values[before - 1]) * span / (times[after] - times[before - 1])
    if after < samples - 1:
        slopes[1] = (values[after + 1] - values[before]) * span / (times[after + 1] - times[before])
    return (
        (2 * x**3 - 3 * x**2 + 1) * values[before]
        + (3 * x**2 - 2 * x**3) * values[after]
        + (x**3 - 2 * x**2 + x) * slopes[0]
        + (x**3 - x**2) * slopes[1]
    )


def mj_readCtrl(m, d, id, time, result, interp):
    """The controls that an actuator with a delay sees at a time, into result; interp: 0 the older sample, 1 linear,
    2 cubic, -1 as the model says."""
    name = "mj_readCtrl"
    place = _place(name, "actuator", m, id, m.actuator_history, m.actuator_historyadr, m.actuator_ctrlnum)
    if not isinstance(result, np.ndarray) or result.dtype != np.float64 or result.size != place[2]:
        raise TypeError(f"{name}(): result should be an array of {place[2]} float64")
    if not place[1]:
        first = int(m.actuator_ctrladr[id])
        result.flat[:] = d.ctrl[first : first + place[2]]
    else:
        order = int(m.actuator_history[id, 1]) if interp < 0 else interp
        result.flat[:] = _read(d.history, place, time - m.actuator_delay[id], order)
    return result


FUNCTIONS = {f.__name__: f for f in (mj_initCtrlHistory, mj_initSensorHistory, mj_readCtrl)}

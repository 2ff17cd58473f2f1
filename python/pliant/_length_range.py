"""mj_setLengthRange: how short and how long an actuator can become, found by pulling the mechanism to both ends.

The method of src/compile/length_ranges.cpp, for one actuator of a compiled model.
"""

import copy
import math

import numpy as np

from . import _enums, _pliant

_QUIET = (
    _enums.mjtDisableBit.mjDSBL_FRICTIONLOSS | _enums.mjtDisableBit.mjDSBL_CONTACT | _enums.mjtDisableBit.mjDSBL_SPRING
    | _enums.mjtDisableBit.mjDSBL_DAMPER | _enums.mjtDisableBit.mjDSBL_GRAVITY | _enums.mjtDisableBit.mjDSBL_ACTUATION
)  # fmt: skip
_MOST_STEPS = 1e6


def _is_wanted(m, index, mode):
    muscle = (
        m.actuator_gaintype[index] == _enums.mjtGain.mjGAIN_MUSCLE
        or m.actuator_biastype[index] == _enums.mjtBias.mjBIAS_MUSCLE
    )
    user = (
        m.actuator_gaintype[index] == _enums.mjtGain.mjGAIN_USER
        or m.actuator_biastype[index] == _enums.mjtBias.mjBIAS_USER
    )
    return mode == 3 or (mode >= 1 and muscle) or (mode == 2 and user)


def _limits(m, index):
    """The range of the joint or tendon that the actuator moves, or None."""
    target, kind = int(m.actuator_trnid[index, 0]), m.actuator_trntype[index]
    if kind in (_enums.mjtTrn.mjTRN_JOINT, _enums.mjtTrn.mjTRN_JOINTINPARENT):
        return m.jnt_range[target] if m.jnt_limited[target] else None
    if kind == _enums.mjtTrn.mjTRN_TENDON:
        return m.tendon_range[target] if m.tendon_limited[target] else None
    return None


def _pull(m, d, out, sign, opt):
    """Lengths at the end of a simulation in which the actuator alone pulls."""
    _pliant.mj_resetData(m, d)
    damping, lengths, acceleration = math.exp(-m.opt.timestep / max(0.01, opt.timeconst)), [], np.zeros((1, m.nv))
    while d.time < opt.inttotal:
        d.qvel[:] *= damping
        _pliant.mj_step1(m, d)
        moment = np.zeros((1, m.nv))
        at = slice(int(d.moment_rowadr[out]), int(d.moment_rowadr[out] + d.moment_rownnz[out]))
        moment[0, d.moment_colind[at]] = d.actuator_moment[at]
        _pliant.mj_solveM(m, d, acceleration, moment)
        scale = opt.accel / max(_enums.mjMINVAL, float(np.linalg.norm(acceleration)))
        size = scale * float(np.linalg.norm(moment))
        if opt.maxforce > 0 and size > opt.maxforce:
            scale *= opt.maxforce / size
        d.qfrc_applied[:] = sign * scale * moment[0]
        _pliant.mj_step2(m, d)
        if d.time > opt.inttotal - opt.interval:
            lengths.append(float(d.actuator_length[out]))
    return lengths


def mj_setLengthRange(m, d, index, opt):
    """Writes actuator_lengthrange of one actuator, as the options say; d is not touched."""
    if not 0 <= index < m.nactuator:
        raise _pliant.FatalError(f"mj_setLengthRange: there is no actuator {index}; the model has {m.nactuator}")
    out = int(m.actuator_outadr[index])
    low, high = m.actuator_lengthrange[out]
    if not _is_wanted(m, index, opt.mode) or (opt.useexisting and low < high):
        return
    if opt.uselimit and (limits := _limits(m, index)) is not None:
        m.actuator_lengthrange[out] = limits
        return
    name = f"actuator '{m.name('actuator', index) or index}'"
    quiet = copy.copy(m)
    quiet.opt.disableflags = int(_QUIET)
    if opt.timestep > 0:
        quiet.opt.timestep = opt.timestep
    if opt.inttotal / quiet.opt.timestep > _MOST_STEPS:
        raise _pliant.FatalError(f"mj_setLengthRange: {name} would take more than a million steps; lower opt.inttotal")
    data = type(d)(quiet)
    ends = [_pull(quiet, data, out, sign, opt) for sign in (-1, 1)]
    low, high = min(ends[0]), max(ends[1])
    moves = max(max(end) - min(end) for end in ends)
    if not high > low or moves > opt.tolrange * (high - low):
        raise _pliant.FatalError(
            f"mj_setLengthRange: {name} has no length range: from {low} to {high}, moving by {moves} at the end; "
            "its joints may need limits"
        )
    m.actuator_lengthrange[out] = low, high


FUNCTIONS = {"mj_setLengthRange": mj_setLengthRange}

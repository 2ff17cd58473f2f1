"""Example calls of the helpers mju_*: arguments from the words of their table (pliant._math), drawn at random in the
sizes these words ask for.
"""

import numpy as np

from calls_registry import CALLS
from pliant import _math

_SIZES = {"n": 4, "m": 3, "k": 5, "l": 2, "p": 6, "q": 7}
_BAND = {"ntotal": 6, "nband": 3, "ndense": 2, "nvec": 1, "flg_sym": 1}
# arguments that cannot be drawn at random
_SPECIAL = {
    "mju_Halton": {"index": 11, "base": 3}, "mju_bandDiag": {"i": 5} | _BAND, "mju_euler2Quat": {"seq": "xYz"},
    "mju_writeNumBytes": {"nbytes": 4096}, "mju_clip": {"x": 2.5, "min": -1, "max": 1}, "mju_round": {"x": 2.7},
    "mju_springDamper": {"Kp": 4.0, "Kv": 0.3, "dt": 0.5}, "mju_standardNormal": {"num2": None},
    "mju_muscleGain": {"len": 1.1, "vel": 0.2, "lengthrange": [0.8, 1.4], "acc0": 1.5,
                       "prm": [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2]},
    "mju_muscleBias": {"len": 1.4, "lengthrange": [0.8, 1.4], "acc0": 1.5,
                       "prm": [0.75, 1.3, 30, 200, 0.5, 1.6, 1.5, 1.3, 1.2]},
    "mju_muscleDynamics": {"ctrl": 0.7, "act": 0.4, "prm": [0.01, 0.04, 0.2]},
    "mju_encodePyramid": {"pyramid": np.zeros(4), "force": [2, 0.1, 0.2], "mu": [0.5, 0.4]},
    "mju_decodePyramid": {"force": np.zeros(3), "pyramid": [1, 0.5, 0.2, 0.1], "mu": [0.5, 0.4]},
}  # fmt: skip
_UNIT = ("quat", "quat1", "quat2", "qa", "qb")


def _spd(rng, n):
    a = rng.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def _banded(rng):
    n, nband, ndense = _BAND["ntotal"], _BAND["nband"], _BAND["ndense"]
    dense = _spd(rng, n)
    for i in range(n - ndense):
        dense[i, : max(0, i - nband + 1)] = 0
    dense = np.tril(dense)
    dense += np.tril(dense, -1).T + 10 * np.eye(n)
    band = np.zeros((n - ndense) * nband + ndense * n)
    _math.FUNCTIONS["mju_dense2Band"](band, dense, n, nband, ndense)
    return dense, band


def _draw(name, argument, rng):
    if argument.kind == "f":
        return float(rng.uniform(0.1, 0.9))
    if argument.kind == "i":
        return _BAND.get(argument.name, 1)
    shape = [int(size) if size.isdigit() else _SIZES[size] for size in argument.sizes]
    value = rng.normal(size=shape)
    if argument.dtype == np.int32:
        return rng.integers(-9, 9, shape).astype(np.int32)
    if argument.name in _UNIT and shape == [4]:
        return value / np.linalg.norm(value)
    if argument.name in ("mat", "rotnew2old") and shape == [9]:
        rotation = np.linalg.qr(value.reshape(3, 3))[0]
        rotation *= np.sign(np.linalg.det(rotation))
        return (rotation * [3, 2, 1] @ rotation.T if name == "mju_eig3" else rotation).ravel()
    if argument.name == "mat" and "chol" in name:
        return _spd(rng, shape[0]) if name == "mju_cholFactor" else np.linalg.cholesky(_spd(rng, shape[0]))
    return value.astype(argument.dtype)


def _arguments(name, rng):
    words = _math.TABLE[name][0]
    special = dict(_SPECIAL.get(name, {}))
    if "band" in name.lower() and name != "mju_bandDiag":
        dense, band = _banded(rng)
        n = _BAND["ntotal"]
        factor = np.zeros_like(band)
        _math.FUNCTIONS["mju_dense2Band"](factor, np.linalg.cholesky(dense), n, _BAND["nband"], _BAND["ndense"])
        special |= {
            "mju_band2Dense": {"res": np.zeros((n, n)), "mat": band},
            "mju_dense2Band": {"res": np.zeros_like(band), "mat": dense},
            "mju_bandMulMatVec": {"res": np.zeros(n), "mat": band.reshape(-1, 1), "vec": rng.normal(size=(n, 1))},
            "mju_cholFactorBand": {"mat": band},
            "mju_cholSolveBand": {"res": np.zeros(n), "mat": factor, "vec": rng.normal(size=n)},
        }[name]  # fmt: skip
    arguments = []
    for word in words.removesuffix("->").split():
        argument = _math._Argument(word)
        value = special.get(argument.name, None)
        if argument.name not in special:
            value = _draw(name, argument, rng)
        elif argument.kind == "array" and value is not None:
            value = np.array(value, argument.dtype)
        arguments.append(value)
    return arguments


def _call_mju(name):
    def call(module, model, data, rng):
        arguments = _arguments(name, rng)
        returned = getattr(module, name)(*arguments)
        if isinstance(returned, str):
            returned = [ord(letter) for letter in returned]
        return [returned, *[value for value in arguments if isinstance(value, np.ndarray)]]

    return call


CALLS.update({name: _call_mju(name) for name in _math.TABLE})

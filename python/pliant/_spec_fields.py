"""Attributes of the elements of an MjSpec: properties made from the table of edit.h, values checked and converted."""

import os
import sys

import numpy as np

from . import _enums as E
from ._attributes import did_you_mean

# Enumerations by class and attribute; "" stands for any class.
_ENUMS = {
    ("MjsBody", "sleep"): E.mjtSleepPolicy, ("MjsFrame", "scaling"): E.mjtScaling,
    ("MjsJoint", "type"): E.mjtJoint, ("MjsJoint", "align"): E.mjtAlignFree,
    ("", "limited"): E.mjtLimited, ("", "actfrclimited"): E.mjtLimited,
    ("MjsActuator", "ctrllimited"): E.mjtLimited, ("MjsActuator", "forcelimited"): E.mjtLimited,
    ("MjsActuator", "actlimited"): E.mjtLimited, ("MjsActuator", "type"): E.mjtActuator,
    ("MjsActuator", "gaintype"): E.mjtGain, ("MjsActuator", "biastype"): E.mjtBias,
    ("MjsActuator", "dyntype"): E.mjtDyn, ("MjsActuator", "trntype"): E.mjtTrn,
    ("MjsGeom", "type"): E.mjtGeom, ("MjsSite", "type"): E.mjtGeom, ("MjsGeom", "typeinertia"): E.mjtGeomInertia,
    ("MjsCamera", "mode"): E.mjtCamLight, ("MjsCamera", "proj"): E.mjtProjection,
    ("MjsLight", "mode"): E.mjtCamLight, ("MjsLight", "type"): E.mjtLightType,
    ("MjsMesh", "inertia"): E.mjtMeshInertia, ("MjsMesh", "builtin"): E.mjtMeshBuiltin,
    ("MjsTexture", "type"): E.mjtTexture, ("MjsTexture", "colorspace"): E.mjtColorSpace,
    ("MjsTexture", "builtin"): E.mjtBuiltin, ("MjsTexture", "mark"): E.mjtMark, ("MjsTexture", "embed"): E.mjtEmbed,
    ("MjsEquality", "type"): E.mjtEq, ("MjsEquality", "objtype"): E.mjtObj,
    ("MjsSensor", "type"): E.mjtSensor, ("MjsSensor", "objtype"): E.mjtObj, ("MjsSensor", "reftype"): E.mjtObj,
    ("MjsSensor", "datatype"): E.mjtDataType, ("MjsSensor", "needstage"): E.mjtStage,
    ("MjsCompiler", "inertiafromgeom"): E.mjtInertiaFromGeom, ("MjsCompiler", "conflict"): E.mjtConflict,
    ("MjsCompiler", "passthrough"): E.mjtPassthrough,
}  # fmt: skip
# Attributes that take fewer numbers: the others become zero.
_SHORTER = {"size", "stiffness", "damping"}
ORIENTATIONS = {"axisangle": (E.mjtOrientation.mjORIENTATION_AXISANGLE, 4),
                 "xyaxes": (E.mjtOrientation.mjORIENTATION_XYAXES, 6),
                 "zaxis": (E.mjtOrientation.mjORIENTATION_ZAXIS, 3),
                 "euler": (E.mjtOrientation.mjORIENTATION_EULER, 3)}  # fmt: skip
_LETTERS = {"eulerseq": 3, "gridlayout": 12}


def _enum_of(cls, name):
    return _ENUMS.get((cls.__name__, name)) or _ENUMS.get(("", name))


def name_text(value, name):
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"{name} should be a str, not {type(value).__name__}")
    return value


def _whole(value, name):
    """An int as C has it."""
    try:
        number = int(value)
    except (OverflowError, ValueError):  # inf, nan
        number = None
    if number is None or not -(2**31) <= number < 2**31:
        raise ValueError(f"{name}: {value!r} does not fit into 32 bits")
    return number


def numbers_of(value, name, dtype):
    """One row of numbers."""
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"{name} should be numbers, not {type(value).__name__}")
    try:
        array = np.asarray(list(value) if not hasattr(value, "__array__") and hasattr(value, "__len__") else value)
        if array.size and array.dtype.kind not in "biuf":
            raise TypeError
        if np.issubdtype(dtype, np.integer) and array.size:
            info = np.iinfo(dtype)
            if not (np.isfinite(array).all() and array.min() >= info.min and array.max() <= info.max):
                raise TypeError
        return array.astype(dtype).reshape(-1)
    except (TypeError, ValueError):
        raise TypeError(f"{name} should be numbers, not {value!r}") from None


def _assign_numbers(view, name, value, count):
    dtype = view.dtype
    scalar = np.isscalar(value) or (isinstance(value, np.ndarray) and value.ndim == 0)
    if scalar and not isinstance(value, (str, bytes)) and name in ("scale", "stiffness", "damping"):
        view[:] = 0
        view[: count if name == "scale" else 1] = value
        return
    array = numbers_of(value, name, dtype)
    if name in _SHORTER and count == 3:
        if not 1 <= len(array) <= count:
            raise ValueError(f"{name} should be a list/array of size 1 to {count}.")
        view[:] = 0
        view[: len(array)] = array
        return
    if len(array) != count:
        raise ValueError(f"{name} should be a list/array of size {count}.")
    view[:] = array


def _assign_letters(self, index, name, value, strict):
    most = _LETTERS[name]
    if not isinstance(value, str):
        value = list(value)
        if any(len(letter) != 1 for letter in value):
            raise ValueError(f"{name}: list elements must be single characters")
        value = "".join(value)
    if strict and len(value) != most:
        raise ValueError(f"{name} should have length {most}, not {len(value)}")
    if len(value) > most:
        raise ValueError(f"{name} may have at most {most} characters, not {len(value)}")
    self._set(index, value.ljust(most, "\0") if name == "gridlayout" else value)


def field_property(cls, name, kind, count, index):
    """The property of one attribute, and the function that sets it from a keyword argument."""
    enum = _enum_of(cls, name)
    if name in _LETTERS:
        return property(lambda self: self._letters(index),
                        lambda self, value: _assign_letters(self, index, name, value, False)), \
               lambda self, value: _assign_letters(self, index, name, value, True)  # fmt: skip
    if enum is not None and kind == "bool":

        def get(self):
            return enum(int(self._get(index)))

        def put(self, value):
            if isinstance(value, (str, bytes)) or value is None:
                raise TypeError(f"{name} should be a value of {enum.__name__}, not {value!r}")
            if _whole(value, name) not in (0, 1):
                raise ValueError(f"{name} cannot be {value!r}")
            self._set(index, bool(_whole(value, name)))

    elif enum is not None:

        def get(self):
            value = self._get(index)
            try:
                return enum(value)
            except ValueError:  # a value that only Pliant has
                return value

        def put(self, value):
            if isinstance(value, (str, bytes)) or value is None:
                raise TypeError(f"{name} should be a value of {enum.__name__}, not {value!r}")
            self._set(index, _whole(value, name))

    elif kind == "bool":

        def get(self):
            return self._get(index)

        def put(self, value):
            if isinstance(value, (str, bytes)) or value is None:
                raise TypeError(f"{name} should be a bool, not {value!r}")
            self._set(index, bool(value))

    elif kind == "text" and count > 1:

        def get(self):
            return self._get(index)

        def put(self, value):
            values = [name_text(item, name) for item in value]
            if len(values) != count:
                raise ValueError(f"{name} must have exactly {count} elements, got {len(values)}")
            view = self._get(index)
            for i, item in enumerate(values):
                view[i] = item

    elif kind == "text":

        def get(self):
            return self._get(index)

        def put(self, value):
            self._set(index, name_text(value, name))

    elif kind == "byte_list":

        def get(self):
            return self._get(index)

        def put(self, value):
            self._set(index, bytes(value))

    elif kind.endswith("_list"):
        dtype = {"real_list": np.float64, "float_list": np.float32, "int_list": np.int32}[kind]

        def get(self):
            return self._get(index)

        def put(self, value):
            self._set(index, numbers_of(value, name, dtype).tolist())

    elif count > 1:

        def get(self):
            return self._get(index)

        def put(self, value):
            _assign_numbers(self._get(index), name, value, count)

    else:
        convert = (lambda value: _whole(value, name)) if kind == "int" else float

        def get(self):
            return self._get(index)

        def put(self, value):
            if isinstance(value, (str, bytes)) or value is None:
                raise TypeError(f"{name} should be a number, not {value!r}")
            if isinstance(value, np.ndarray) and value.size == 1:
                value = value.reshape(())[()]
            try:
                self._set(index, convert(value))
            except OverflowError:
                raise ValueError(f"{name}: {value} does not fit") from None

    return property(get, put), put


def _set_orientation(element, values, prefix=""):
    """Keyword arguments axisangle, xyaxes, zaxis and euler, of which one may be given."""
    given = {name: values.pop(prefix + name) for name in ORIENTATIONS if values.get(prefix + name) is not None}
    if len(given) > 1:
        names = [prefix + name for name in ORIENTATIONS]
        raise ValueError(f"Only one of: {', '.join(names[:-1])}, or {names[-1]} can be set.")
    for name, value in given.items():
        kind, count = ORIENTATIONS[name]
        array = numbers_of(value, prefix + name, np.float64)
        if len(array) != count:
            raise ValueError(f"{prefix + name} should be a list/array of size {count}.")
        orientation = element._orientation(bool(prefix))
        orientation._values(count)[:] = array
        orientation._type = int(kind)


def _fill(element, values):
    """Sets attributes from keyword arguments."""
    cls = type(element)
    values = dict(values)
    for name, value in list(values.items()):
        known = name in cls._SETTERS or name in ("name", "info") or name in cls._MORE
        orientation = (
            name.removeprefix("i")
            if cls.__name__ == "MjsBody" and name[:1] == "i" and name[1:] in ORIENTATIONS
            else name
        )
        if not known and not (cls._TURNS and orientation in ORIENTATIONS):
            options = sorted([*cls._SETTERS, "name", "info"])
            raise TypeError(f"Invalid {name} keyword argument.{did_you_mean(name, options)}"
                            f" Valid options are: {', '.join(options)}.")  # fmt: skip
        if value is None:
            del values[name]
    if cls._TURNS:
        _set_orientation(element, values)
        if cls.__name__ == "MjsBody":
            _set_orientation(element, values, "i")
    for name, value in values.items():
        if name in cls._SETTERS:
            cls._SETTERS[name](element, value)
        else:
            setattr(element, name, name_text(value, name) if name in ("name", "info") else value)


_PACKAGE = os.path.dirname(__file__) + os.sep


def calling_line():
    """File and line of the program that called."""
    frame = sys._getframe(2)
    while frame and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)


def made_with(element, values, undo):
    """A new element with its attributes; when one of them is wrong there is no new element."""
    try:
        element._made_at(*calling_line())
        _fill(element, values)
    except Exception:
        undo(element)
        raise
    return element

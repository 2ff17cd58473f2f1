"""Errors that say what exists, and a readable repr, for objects with attributes."""

import difflib
import operator

import numpy as np


def did_you_mean(wanted, known):
    """ " Did you mean 'x'?", or "" when nothing is close."""
    close = difflib.get_close_matches(wanted, known, n=3, cutoff=0.6)
    return f" Did you mean {' or '.join(repr(name) for name in close)}?" if close else ""


def public_names(owner):
    return [name for name in dir(owner) if not name.startswith("_")]


def no_attribute(owner, name, list_all=True):
    """The AttributeError for a name that does not exist."""
    message = f"'{type(owner).__name__}' object has no attribute '{name}'."
    if not name.startswith("_"):
        known = public_names(type(owner))
        message += did_you_mean(name, known)
        if list_all:
            message += f" It has: {', '.join(known)}"
    return AttributeError(message, name=name, obj=owner)


def _getattr(self, name):
    raise no_attribute(self, name)


def _getattr_short(self, name):
    raise no_attribute(self, name, list_all=False)


def _setattr(self, name, value):
    if not hasattr(type(self), name):
        raise no_attribute(self, name)
    current = getattr(self, name)
    if isinstance(current, np.ndarray) and current.flags.writeable:
        filled = current.copy()
        assign_numbers(name, filled, value)  # (one number for all of them, too)
        try:
            return object.__setattr__(self, name, filled)  # options check what they are given
        except AttributeError:
            return assign_numbers(name, current, value)
    if isinstance(current, bool) and hasattr(value, "__index__") and not isinstance(value, np.ndarray):
        value = bool(operator.index(value))  # flags are numbers in C
    elif isinstance(current, bool) and isinstance(value, np.bool_):
        value = bool(value)
    elif isinstance(current, int) and isinstance(value, np.bool_):
        value = int(value)
    return object.__setattr__(self, name, value)


class KeptView:
    """A field that is made when first asked for; the object keeps it from then on, in its __dict__."""

    def __init__(self, name, make, doc):
        self.name, self.make, self.__doc__ = name, make, doc

    def __get__(self, owner, cls=None):
        if owner is None:
            return self
        value = self.make(owner)
        owner.__dict__[self.name] = value
        return value


def _fits(array, dtype):
    """Whether integers can take the numbers as they are."""
    if dtype.kind not in "iu" or not np.all(np.isfinite(array)):
        return False
    with np.errstate(invalid="ignore"):
        return np.array_equal(array.astype(dtype), array)


def plain_number(name, value, usual):
    """A number of the type of another one."""
    wrong = isinstance(value, (str, bytes, bytearray, complex, list, tuple, dict)) or value is None
    try:
        if wrong or (isinstance(value, np.ndarray) and value.ndim):
            raise TypeError
        if isinstance(usual, float):
            return float(value)
        return type(usual)(operator.index(value.item() if isinstance(value, (np.bool_, np.ndarray)) else value))
    except TypeError:
        kind = type(usual).__name__
        raise TypeError(f"{name} should be of type {kind}, not {type(value).__name__}") from None


def assign_numbers(name, view, value):
    """Copies numbers into a field, as NumPy would, but never by rounding."""
    # the common cases, quickly
    same = type(value) is np.ndarray and value.dtype == view.dtype and value.shape == view.shape
    if (same or type(value) is float) and view.dtype == np.float64:
        view[...] = value
        return
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{name} holds numbers ({view.dtype}), not {array.dtype}")
    casting = "unsafe" if view.dtype == np.bool_ or _fits(array, view.dtype) else "same_kind"
    try:
        np.copyto(view, array, casting=casting)
    except ValueError:
        message = f"{name} has shape {view.shape} and cannot take an array of shape {array.shape}"
        raise ValueError(message) from None
    except TypeError:
        raise TypeError(f"{name} holds {view.dtype} and cannot take {array.dtype}") from None


def describe(self):
    lines = [f"  {name}: {getattr(self, name)!r}" for name in public_names(self)]
    return "\n".join([f"<{type(self).__name__}", *lines, ">"])


def _equal_values(one, other):
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind == "f")
    return one == other or (one != one and other != other)


def equal(self, other):
    """Whether two objects of a class have equal attributes; two NaN are equal."""
    if type(self) is not type(other):
        return NotImplemented
    names = [name for name in public_names(self) if not callable(getattr(self, name))]
    return all(_equal_values(getattr(self, name), getattr(other, name)) for name in names)


def _copy(self, memo=None):
    other = type(self)()
    for name in public_names(self):
        if not callable(getattr(self, name)):
            setattr(other, name, getattr(self, name))
    return other


def explain_attributes(cls):
    """Gives a compiled class with a few attributes its errors, its repr, equality and copies."""
    cls.__getattr__ = _getattr
    cls.__setattr__ = _setattr
    cls.__repr__ = describe
    cls.__eq__ = equal
    cls.__hash__ = None
    cls.__copy__ = cls.__deepcopy__ = _copy


def explain_missing(cls):
    """Gives a compiled class with hundreds of attributes its errors."""
    cls.__getattr__ = _getattr_short

"""Contacts of the last step: a list of views into the memory of the simulation.

The list is live: after a step it shows that step's contacts. A row that was kept shows whatever its place holds
now; its memory stays valid even when the simulation has moved on to other memory.
"""

import numpy as np

from . import _pliant
from ._attributes import describe

_DTYPE = np.dtype(_pliant.contact_layout())
# columns of the reference that are constant here: no flexes, and cone Hessians live in the solver
_CONSTANT = {"H": (36, 0.0), "elem": (2, -1), "flex": (2, -1), "vert": (2, -1)}
_SIDES = {"geom1": 0, "geom2": 1}


def _constant(name):
    size, value = _CONSTANT[name]
    return lambda n: np.full((*n, size), value, np.float64 if name == "H" else np.int32)


class MjContact:
    """One contact."""

    __slots__ = ("_row",)

    def __init__(self, _row=None):
        object.__setattr__(self, "_row", np.zeros(1, _DTYPE)[0] if _row is None else _row)

    def __copy__(self):
        return MjContact(self._row.copy())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return _restore, (self._row.tobytes(),)

    def __eq__(self, other):
        return isinstance(other, MjContact) and self._row.tobytes() == other._row.tobytes()

    __hash__ = None
    __repr__ = describe


def _restore(memory):
    return MjContact(np.frombuffer(bytearray(memory), _DTYPE)[0])


class _MjContactList:
    """All contacts: indexed, or one attribute of all of them as an array."""

    __slots__ = ("_data",)

    def __init__(self, data):
        self._data = data  # pliant.Data: holds the memory, not the object that holds this list

    @property
    def _rows(self):
        return self._data.contact_memory().view(_DTYPE)[:, 0]

    def __len__(self):
        return self._data.ncon

    def __getitem__(self, index):
        rows = self._rows
        if isinstance(index, slice):
            return [MjContact(rows[i]) for i in range(*index.indices(len(rows)))]
        index = int(index)
        if not -len(rows) <= index < len(rows):
            raise IndexError(f"there are {len(rows)} contacts; there is no {index}")
        return MjContact(rows[index])

    def __iter__(self):
        return iter(self[:])

    def __eq__(self, other):
        return isinstance(other, _MjContactList) and self._rows.tobytes() == other._rows.tobytes()

    __hash__ = None
    __repr__ = describe


def _add_columns():
    for name in _DTYPE.names:
        if _DTYPE[name].shape:  # arrays are views
            get = lambda self, name=name: self._row[name]  # noqa: E731

            def set_(self, value, name=name):
                self._row[name][...] = value
        else:
            get = lambda self, name=name: self._row[name].item()  # noqa: E731

            def set_(self, value, name=name):
                self._row[name] = value

        setattr(MjContact, name, property(get, set_))
        setattr(_MjContactList, name, property(lambda self, name=name: self._rows[name]))
    for name, side in _SIDES.items():

        def set_side(self, value, side=side):
            self._row["geom"][side] = value

        get = lambda self, side=side: int(self._row["geom"][side])  # noqa: E731
        setattr(MjContact, name, property(get, set_side))
        setattr(_MjContactList, name, property(lambda self, side=side: self._rows["geom"][:, side]))
    for name in _CONSTANT:
        make = _constant(name)
        setattr(MjContact, name, property(lambda self, make=make: make(())))
        setattr(_MjContactList, name, property(lambda self, make=make: make((len(self),))))


_add_columns()

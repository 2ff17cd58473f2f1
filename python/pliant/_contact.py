"""Contacts of the last step: a list of views into the memory of the simulation.

The list is live: after a step it shows that step's contacts. A row that was kept shows whatever its place holds
now; its memory stays valid even when the simulation has moved on to other memory.
"""

import numpy as np

from . import _pliant
from ._attributes import describe

_DTYPE = np.dtype(_pliant.contact_layout())
# without what has no name here, and without the bytes at the end of a contact, which nobody writes
_PACKED = np.dtype([(name, _DTYPE[name]) for name in _DTYPE.names])
# columns of the reference that are constant here: no flexes. H is what a program has written there, zero from the
# start: cone Hessians live in the solver, which does not look at these
_CONSTANT = {"H": (36, 0.0), "elem": (2, -1), "flex": (2, -1), "vert": (2, -1)}
_SIDES = {"geom1": 0, "geom2": 1}


def _bytes(rows):
    """All numbers of contacts that have a name, and nothing else."""
    return np.asarray(rows).astype(_PACKED).tobytes()


def _constant(name, *shape):
    size, value = _CONSTANT[name]
    array = np.full((*shape, size), value, np.float64 if name == "H" else np.int32)
    array.flags.writeable = False
    return array


class MjContact:
    """One contact: of a list, or made by itself."""

    __slots__ = ("_more", "_row")

    def __init__(self, _row=None, _hessian=None):
        more = None if _hessian is None else {"H": _hessian}
        if _row is None:  # of nobody: all its columns can be written
            _row, more = np.zeros(1, _DTYPE)[0], {name: np.array(_constant(name)) for name in _CONSTANT}
        object.__setattr__(self, "_row", _row)
        object.__setattr__(self, "_more", more)

    def _columns(self):
        return [name for name in dir(MjContact) if not name.startswith("_")]

    def __copy__(self):
        other = MjContact()
        object.__setattr__(other, "_row", self._row.copy())
        for name, array in other._more.items():
            array[...] = getattr(self, name)
        return other

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return _restore, (_bytes(self._row), {name: np.array(getattr(self, name)) for name in _CONSTANT})

    def __eq__(self, other):
        return (
            isinstance(other, MjContact)
            and _bytes(self._row) == _bytes(other._row)
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _CONSTANT)
        )

    __hash__ = None

    def __repr__(self):
        lines = [f"  {name}: {getattr(self, name)!r}" for name in self._columns()]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])


def _restore(memory, more):
    contact = MjContact()
    object.__setattr__(contact, "_row", np.frombuffer(memory, _PACKED).astype(_DTYPE)[0])
    contact._more.update(more)
    return contact


class _Contacts:
    """Contacts in a row: indexed, or one attribute of all of them as an array."""

    __slots__ = ()

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, index):
        rows = self._rows
        if not isinstance(index, (int, np.integer)):
            return _MjContactSlice(rows[index], self._hessians[: len(rows)][index])
        if not -len(rows) <= index < len(rows):
            raise IndexError(f"there are {len(rows)} contacts; there is no {index}")
        return MjContact(rows[index], self._hessians[: len(rows)][index])

    def __iter__(self):
        rows, hessians = self._rows, self._hessians
        return (MjContact(rows[i], hessians[i]) for i in range(len(rows)))

    def __eq__(self, other):
        return isinstance(other, _Contacts) and _bytes(self._rows) == _bytes(other._rows)

    __hash__ = None
    __repr__ = describe


class _MjContactList(_Contacts):
    """All contacts of some data, as they are when looked at."""

    __slots__ = ("_data", "_kept")

    def __init__(self, data, kept=None):
        self._data = data  # pliant.Data: holds the memory, not the object that holds this list
        self._kept = {} if kept is None else kept  # H, as programs have written it

    @property
    def _hessians(self):
        n = self._data.ncon
        if len(self._kept.get("H", ())) < n:
            grown = np.zeros((max(8, 2 * n), _CONSTANT["H"][0]))
            old = self._kept.get("H", grown[:0])
            grown[: len(old)] = old
            self._kept["H"] = grown
        return self._kept.get("H", np.zeros((0, _CONSTANT["H"][0])))

    @property
    def _rows(self):
        return self._data.contact_memory().view(_DTYPE)[:, 0]

    def __len__(self):
        return self._data.ncon


class _MjContactSlice(_Contacts):
    """Some of the contacts."""

    __slots__ = ("_hessians", "_rows")

    def __init__(self, rows, hessians):
        self._rows, self._hessians = rows, hessians


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
        setattr(_Contacts, name, property(lambda self, name=name: self._rows[name]))
    for name, side in _SIDES.items():

        def set_side(self, value, side=side):
            self._row["geom"][side] = value

        get = lambda self, side=side: int(self._row["geom"][side])  # noqa: E731
        setattr(MjContact, name, property(get, set_side))
        setattr(_Contacts, name, property(lambda self, side=side: self._rows["geom"][:, side]))
    for name in _CONSTANT:

        def get(self, name=name):
            return _constant(name) if name not in (self._more or ()) else self._more[name]

        def set_constant(self, value, name=name):
            if name not in (self._more or ()):
                raise AttributeError(f"{name} of a contact of MjData cannot be set: Pliant has no flexes")
            self._more[name][...] = value

        setattr(MjContact, name, property(get, set_constant))
        if name != "H":
            setattr(_Contacts, name, property(lambda self, name=name: _constant(name, len(self))))
    _Contacts.H = property(lambda self: self._hessians[: len(self)])


_add_columns()

"""Integers of a model that say what is what and what belongs to what: types, ids, addresses.

The engine uses them without looking again, so what is written into them is checked first. Reading them is NumPy's
business; `model.eq_obj2id[3] = 5` and slices of such arrays work as ever, but raise ValueError when the model would no
longer hold together, and change nothing then.
"""

import weakref

import numpy as np


class CheckedArray(np.ndarray):
    """A view of such integers: assignments to its items go through the model."""

    def __array_finalize__(self, source):
        self.owner = getattr(source, "owner", None)

    def __setitem__(self, key, value):
        if self.flags.writeable or self.owner is None:  # a copy
            super().__setitem__(key, value)
            return
        model, field = self.owner
        if isinstance(model, weakref.ref):  # the model keeps this array: it must not keep the model
            model = model()
            if model is None:
                raise ReferenceError(f"{field} can be written while its model exists; keep the model")
        whole = getattr(model, field)
        changed = np.array(whole)
        place = self.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        np.ndarray(self.shape, self.dtype, changed, place, self.strides)[key] = value
        setattr(model, field, changed)

    def __array_ufunc__(self, function, method, *inputs, out=None, **options):
        inputs = [np.asarray(x) if isinstance(x, CheckedArray) else x for x in inputs]
        if out is None:
            return getattr(function, method)(*inputs, **options)
        plain = tuple(np.array(x) if isinstance(x, CheckedArray) else x for x in out)
        getattr(function, method)(*inputs, out=plain, **options)
        for target, values in zip(out, plain):
            if isinstance(target, CheckedArray):
                target[...] = values
        return out[0] if len(out) == 1 else out

    def __reduce__(self):
        return np.asarray(self).copy().__reduce__()

    def __repr__(self):
        return repr(np.asarray(self))

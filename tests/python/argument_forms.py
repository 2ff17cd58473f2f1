"""Forms in which programs give arguments and attributes: types, orders and strides of arrays, kinds of numbers, None,
bytes, keywords. Whether a function or attribute takes a form is asked of both modules (test_argument_forms.py).
"""

import enum
import inspect
import re

import numpy as np

import calls

# what takes functions, or writes files named by texts: other forms of these mean other things
NOT_CALLED = re.compile(
    r"set_mj|mj_print|mj_save|mju_getXML|mj_resetCallbacks|mjr_|from_zip|mju_writeLog|mjv_updateSkin"
)


# ---- forms of a value ----------------------------------------------------------------------------


def _array_forms(value):
    yield "float32", value.astype(np.float32)
    yield "float64", value.astype(np.float64)
    yield "int32", value.astype(np.int32)
    yield "int64", value.astype(np.int64)
    yield "bool", value.astype(bool)
    yield "object", value.astype(object)
    yield "complex", value.astype(complex)
    yield "text array", value.astype(str)
    yield "big endian", value.astype(value.dtype.newbyteorder(">"))
    yield "list", value.tolist()
    yield "tuple", tuple(value.tolist()) if value.ndim else value.item()
    yield "read-only", _frozen(value)
    yield "subclass", value.copy().view(Mine)
    wide = np.zeros((*value.shape[:-1], 2 * value.shape[-1]), value.dtype) if value.ndim else value
    if value.ndim:
        wide[..., ::2] = value
        yield "strided", wide[..., ::2]
        yield "reversed", value[..., ::-1]
        yield "flat", value.ravel().copy()
        yield "one more", np.zeros((*value.shape[:-1], value.shape[-1] + 1), value.dtype)
        yield "one axis more", value[None].copy()
    if value.ndim == 1:
        yield "column", value[:, None].copy()
        yield "row", value[None, :].copy()
    if value.ndim == 2:
        yield "columns first", np.asfortranarray(value)
        yield "transposed", value.T.copy()
    yield "memoryview", memoryview(np.ascontiguousarray(value))
    yield from _never()


def _frozen(value):
    value = value.copy()
    value.flags.writeable = False
    return value


class Mine(np.ndarray):
    """Some program's own class of arrays."""


class _Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class _Float:
    def __init__(self, value):
        self.value = value

    def __float__(self):
        return float(self.value)


def _never():
    """What stands for no number, array or object."""
    yield "None", None
    yield "str", "text"
    yield "bytes", b"text"
    yield "dict", {}
    yield "object of nothing", object()


def _int_forms(value):
    for kind in (np.int8, np.int32, np.int64, np.uint8, np.uint64):
        if np.iinfo(kind).min <= value <= np.iinfo(kind).max:
            yield kind.__name__, kind(value)
    yield "float", float(value)
    yield "np.float64", np.float64(value)
    yield "np.float32", np.float32(value)
    yield "array of one", np.array([value])
    yield "array of none", np.array(value)
    yield "__index__", _Index(int(value))
    yield "__float__", _Float(value)
    yield "list", [int(value)]
    yield "complex", complex(value)
    if value in (0, 1):
        yield "bool", bool(value)
        yield "np.bool_", np.bool_(value)
    yield from _never()


def _float_forms(value):
    yield "int", int(value)
    for kind in (np.float16, np.float32, np.float64, np.int32, np.int64):
        yield kind.__name__, kind(value)
    yield "bool", bool(value)
    yield "np.bool_", np.bool_(value)
    yield "array of one", np.array([value])
    yield "array of none", np.array(value)
    yield "__index__", _Index(int(value))
    yield "__float__", _Float(value)
    yield "list", [value]
    yield "complex", complex(value)
    yield from _never()


def _bool_forms(value):
    yield "int", int(value)
    yield "two", 2
    yield "float", float(value)
    yield "np.bool_", np.bool_(value)
    yield "np.int64", np.int64(value)
    yield "np.uint8", np.uint8(value)
    yield "array of none", np.array(value)
    yield from _never()


def _text_forms(value):
    yield "bytes", value.encode()
    yield "bytearray", bytearray(value.encode())
    yield "np.str_", np.str_(value)
    yield "int", 3
    yield "None", None
    yield "list", [value]


def forms(value):
    """(label, value in another form) of everything that a program might give in its place."""
    if isinstance(value, np.ndarray) and value.dtype.kind not in "biuf":
        return list(_never())
    if isinstance(value, np.ndarray):
        return list(_array_forms(value))
    if isinstance(value, (bool, np.bool_)):
        return list(_bool_forms(bool(value)))
    if isinstance(value, (int, np.integer, enum.Enum)) or type(value).__module__.endswith("_enums"):
        return [("int", int(value)), *_int_forms(int(value))]
    if isinstance(value, (float, np.floating)):
        return list(_float_forms(float(value)))
    if isinstance(value, str):
        return list(_text_forms(value))
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], (int, float)):
        return list(_array_forms(np.array(value)))
    # (the reference ends the process when it is given None for a struct)
    return [form for form in _never() if form[1] is not None]


# ---- functions -----------------------------------------------------------------------------------


class _Recording:
    """A module, one of whose functions notes what it is called with."""

    def __init__(self, module, name):
        self._module, self._name, self.calls = module, name, []

    def __getattr__(self, name):
        function = getattr(self._module, name)
        if name != self._name:
            return function

        def noted(*args, **kwargs):
            self.calls.append((args, kwargs))
            return function(*args, **kwargs)

        noted.__name__, noted.__doc__ = name, function.__doc__
        return noted


def _copied(value):
    return value.copy() if isinstance(value, np.ndarray) else value


def _names(function):
    """Names of the arguments, of a function of the reference, from the first line of its documentation."""
    line = (function.__doc__ or "").split("\n")[0]
    inside = line[line.find("(") + 1 : line.rfind(") ->")]
    return re.findall(r"(\w+): ", re.sub(r"\[[^\]]*\]", "", inside))


def example_arguments(module, name):
    """What the example of a function calls it with."""
    model, data = calls.make(module)
    recording = _Recording(module, name)
    calls.CALLS[name](recording, model, data, np.random.default_rng(5))
    return recording.calls[0]


def function_cases(module, name, like):
    """(label, call) of forms of the arguments of the example call of a function. `like` are the arguments of the
    reference's call: forms are those of its numbers, structs are the module's own."""
    args, kwargs = example_arguments(module, name)
    function, names = getattr(module, name), like[2]
    cases = [("as it is", lambda: function(*map(_copied, args), **kwargs))]
    for i, value in enumerate(like[0]):
        for label, other in forms(value):
            changed = [*args[:i], other, *args[i + 1 :]]
            cases.append((f"{i}: {label}", lambda changed=changed: function(*map(_copied, changed), **kwargs)))
    for key, value in like[1].items():
        for label, other in forms(value):
            changed = {**kwargs, key: other}
            cases.append((f"{key}: {label}", lambda changed=changed: function(*map(_copied, args), **changed)))
    if len(names) >= len(args):
        named = dict(zip(names, args))
        cases.append(
            ("by keyword", lambda: function(**{key: _copied(value) for key, value in named.items()}, **kwargs))
        )
        last = {names[len(args) - 1]: args[-1]} if args else {}
        cases.append(("last by keyword", lambda: function(*map(_copied, args[:-1]), **last, **kwargs)))
    cases.append(("another keyword", lambda: function(*map(_copied, args), no_such_argument=1, **kwargs)))
    cases.append(("seven arguments more", lambda: function(*map(_copied, args), 0, 0, 0, 0, 0, 0, 0, **kwargs)))
    if args:
        cases.append(("without the first", lambda: function(*map(_copied, args[1:]), **kwargs)))
    return cases


def like_of(reference, name):
    return (*example_arguments(reference, name), _names(getattr(reference, name)))


# ---- attributes ----------------------------------------------------------------------------------


def structs(module):
    """Objects whose attributes programs read and write."""
    model, data = calls.make(module)
    return {
        "MjModel": model, "MjData": data, "MjOption": model.opt, "MjStatistic": model.stat,
        "MjVisualGlobal": model.vis.global_, "MjVisualQuality": model.vis.quality, "MjVisualMap": model.vis.map,
        "MjVisualHeadlight": model.vis.headlight, "MjVisualScale": model.vis.scale, "MjVisualRgba": model.vis.rgba,
        "MjContact": module.MjContact(), "MjLROpt": module.MjLROpt(), "MjvCamera": module.MjvCamera(),
        "MjvOption": module.MjvOption(), "MjvPerturb": module.MjvPerturb(), "MjvFigure": module.MjvFigure(),
        "MjWarningStat": data.warning[0], "body of a model": model.body("arm"),
        "joint of a model": model.joint("wrist"),
        "geom of a model": model.geom("box"), "actuator of a model": model.actuator("slow"),
        "body of data": data.body("arm"), "joint of data": data.joint("wrist"),
        "actuator of data": data.actuator("slow"),
    }  # fmt: skip


def attributes(owner):
    """Names of attributes with a value."""
    names = []
    for name in dir(owner):
        if name.startswith("_") or inspect.isroutine(getattr(owner, name, None)):
            continue
        names.append(name)
    return names


def attribute_cases(owner, name, value):
    """(label, call) of reading an attribute and of forms of what is written to it: those of `value`, the
    reference's."""
    cases = [("read", lambda: getattr(owner, name))]
    if not isinstance(value, (np.ndarray, bool, int, float, str)):
        return cases
    usual = _copied(value)

    def put(other):
        setattr(owner, name, other)
        setattr(owner, name, usual)

    cases.append(("the same", lambda: put(usual)))
    if isinstance(value, np.ndarray):
        cases.append(("one number for all", lambda: put(usual.flat[0] if usual.size else 0)))
    for label, other in forms(usual):
        cases.append((label, lambda other=other: put(other)))
    return cases


def accepts(call):
    """Whether a call is taken; what it raises otherwise is of no matter here."""
    try:
        call()
    except Exception:
        return False
    return True

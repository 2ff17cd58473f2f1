"""MjSpec.copy_back: what was changed in a compiled model, written into the elements that it came from.

An attribute and what the compiler makes of it need not be the same numbers: angles are in degrees, positions in frames.
The compiler itself says how they go together: a copy of the MjSpec is compiled with each number moved by one, and the
changed number is solved for. At the end a copy with all new values is compiled; where it does not have the numbers of
the model, nothing is written, and the error says what the MjSpec cannot express.
"""

import numpy as np

from . import _enums as E
from . import _pliant

_KINDS = {"body": "body", "jnt": "joint", "dof": "joint", "geom": "geom", "site": "site", "cam": "camera",
          "light": "light", "mat": "material", "pair": "pair", "eq": "equality", "tendon": "tendon",
          "actuator": "actuator", "sensor": "sensor", "key": "key", "hfield": "hfield", "skin": "skin"}  # fmt: skip
_NAMES = {"user": "userdata", "mpos": "mpos", "active0": "active", "dim": "condim", "solref_lim": "solref_limit",
          "solimp_lim": "solimp_limit", "solref_fri": "solref_friction", "solimp_fri": "solimp_friction",
          "fluid": "fluid_coefs", "sensorsize": "sensor_size"}  # fmt: skip
_JOINT_NAMES = {("jnt", "solref"): "solref_limit", ("jnt", "solimp"): "solimp_limit",
                ("dof", "solref"): "solref_friction", ("dof", "solimp"): "solimp_friction"}  # fmt: skip
_INERTIA = ("body_mass", "body_ipos", "body_iquat", "body_inertia")


def _refuse(field, spec, kind, index, why):
    element = spec._elements(kind)[index] if kind else None
    what = f" of {kind} {element.name!r}" if element is not None and element.name else f"[{index}]" if kind else ""
    raise ValueError(f"copy_back: {field}{what} was changed in the model, {why}; nothing was written")


def _fields():
    """(field of the model, kind, attribute) of everything that can be copied back."""
    for row in _pliant.model_fields():
        name = row["name"]
        prefix, _, rest = name.partition("_")
        if row["class"] != "parameter" or prefix not in _KINDS:
            continue
        yield name, _KINDS[prefix], _JOINT_NAMES.get((prefix, rest)) or _NAMES.get(rest, rest)


_TABLE = {name: (kind, attribute) for name, kind, attribute in _fields()}


def _numbers(value):
    return np.atleast_1d(np.asarray(list(value) if hasattr(value, "__len__") else value, float)).astype(float)


def _row(model, field, index):
    """Numbers of a field that belong to an element."""
    array = getattr(model, field)
    if field.startswith("dof_"):
        first, last = int(model.jnt_dofadr[index]), int(model.jnt_dofadr[index]) + 1
        return np.asarray(array[first:last], float).ravel()
    return np.asarray(array[index], float).ravel()


def _changed(old, new):
    """(field, element) of everything that is not as the MjSpec compiles to."""
    for row in _pliant.model_fields():
        field = row["name"]
        if row["class"] != "parameter" or row["dtype"] in ("char", "text"):
            continue
        before, after = np.asarray(getattr(old, field)), np.asarray(getattr(new, field))
        if before.dtype.kind not in "biuf" or np.array_equal(before, after, equal_nan=before.dtype.kind == "f"):
            continue
        different = before != after
        rows = np.flatnonzero(different.reshape(len(before), -1).any(axis=1))
        if field.startswith("dof_"):
            rows = sorted({int(new.dof_jntid[dof]) for dof in rows})
        for index in rows:
            yield field, int(index)


def _assign(element, attribute, numbers):
    value = getattr(element, attribute)
    if isinstance(value, np.ndarray) or hasattr(value, "__len__"):
        setattr(element, attribute, numbers)
    else:
        setattr(element, attribute, type(value)(numbers[0]))


def _quaternions(spec, old, changes):
    """New values of orientations: what is around an element turns it from the left."""

    def multiply(p, q):
        out = np.zeros(4)
        w, v, x, u = p[0], p[1:], q[0], q[1:]
        out[0] = w * x - v @ u
        out[1:] = w * u + x * v + np.cross(v, u)
        return out

    found = {}
    for field, index, target in changes:
        kind, _ = _TABLE[field]
        element = spec._elements(kind)[index]
        before = _row(old, field, index)
        if element.alt.type == E.mjtOrientation.mjORIENTATION_QUAT:
            own = _numbers(element.quat)
        else:
            compiler = element.compiler
            own = np.array(spec.resolve_orientation(compiler.degree, list(compiler.eulerseq), element.alt))
        own = own / np.linalg.norm(own)
        around = multiply(before, own * [1, -1, -1, -1])
        if np.allclose(around, [1, 0, 0, 0], atol=1e-12):
            around = np.array([1.0, 0, 0, 0])
        found[field, index] = multiply(around * [1, -1, -1, -1], target)
    return found


def _solve(spec, old, changes, compile_copy):
    """New values of attributes whose numbers the compiler maps straight: moved by one each, all elements at once."""
    found, open_ = {}, []
    for field, index, target in changes:
        kind, attribute = _TABLE[field]
        element = spec._elements(kind)[index]
        own, before = _numbers(getattr(element, attribute)), _row(old, field, index)
        if len(own) < len(target) and len(own):  # those left out are as they were
            if not np.array_equal(before[len(own) :], target[len(own) :]):
                _refuse(field, spec, kind, index, "but its element has fewer numbers")
            before, target = before[: len(own)], target[: len(own)]
        same = len(own) == len(before) and np.array_equal(own, before)
        if same or attribute == "userdata" or len(own) != len(before):
            found[field, index] = target if len(own) <= len(target) else np.append(target, own[len(target) :])
        else:
            open_.append((field, index, target, own, before))
    slopes = {(field, index): np.zeros((len(own), len(own))) for field, index, _, own, _ in open_}
    for number in range(max((len(own) for _, _, _, own, _ in open_), default=0)):
        moved = {}
        for field, index, _, own, _ in open_:
            if number < len(own):
                moved[field, index] = own + np.eye(len(own))[number]
        model = compile_copy(moved)
        for field, index, _, own, before in open_:
            if number < len(own):
                slopes[field, index][:, number] = _row(model, field, index)[: len(own)] - before
    for field, index, target, own, before in open_:
        slope = slopes[field, index]
        if abs(np.linalg.det(slope)) < 1e-12:
            _refuse(field, spec, _TABLE[field][0], index, "but follows from something else")
        step = np.where(target == before, 0.0, 1.0)
        if np.count_nonzero(slope - np.diag(np.diag(slope))) == 0:  # numbers that did not change stay as written
            found[field, index] = own + step * (target - before) / np.diag(slope)
        else:
            found[field, index] = own + np.linalg.solve(slope, target - before)
    return found


def _write(spec, values, bodies, model):
    for (field, index), numbers in values.items():
        kind, attribute = _TABLE[field]
        element = spec._elements(kind)[index]
        if attribute == "quat":
            element.alt.type = E.mjtOrientation.mjORIENTATION_QUAT
        _assign(element, attribute, numbers)
    for index in sorted(bodies):
        spec._adopt(spec._elements("body")[index], model, index)


def _copy_settings(spec, old, model):
    if model.opt != old.opt:
        spec.option = model.opt
    if model.vis != old.vis:
        spec.visual = model.vis


_PLACED = {"geom": ("geom_pos", "geom_quat", "geom_size"), "site": ("site_pos", "site_quat", "site_size")}


def _between_ends(spec, changed):
    """(kind, place) of elements that are given by two ends, whose place or size was changed."""
    found = {(kind, index) for field, index in changed for kind, fields in _PLACED.items() if field in fields}
    return sorted((kind, index) for kind, index in found if np.isfinite(spec._elements(kind)[index].fromto[0]))


def _give_places(spec, moved, old):
    """Positions, orientations and sizes instead of two ends; at the origin for now."""
    for kind, index in moved:
        element = spec._elements(kind)[index]
        element.fromto = np.full(6, np.nan)
        element.pos, element.quat = np.zeros(3), [1, 0, 0, 0]
        element.alt.type = E.mjtOrientation.mjORIENTATION_QUAT
        element.size = _row(old, f"{kind}_size", index)


def copy_back(spec, model):
    """Writes what differs between a model and what the MjSpec compiles to into the MjSpec, or raises a ValueError."""
    old = spec.copy().compile()
    if old.signature != model.signature:
        raise ValueError("copy_back: the model was not compiled from this MjSpec as it is now")
    changed = list(_changed(old, model))
    if moved := _between_ends(spec, changed):
        changed += [(field, index) for kind, index in moved for field in _PLACED[kind] if (field, index) not in changed]
        trial = spec.copy()
        _give_places(trial, moved, old)
        _write_changes(trial, trial.copy().compile(), model, changed)  # or an error, before anything is written
        _give_places(spec, moved, old)
        old = spec.copy().compile()
    _write_changes(spec, old, model, changed)


def _write_changes(spec, old, model, changed):
    straight, turned, bodies = [], [], set()
    for field, index in changed:
        if field in _INERTIA:
            bodies.add(index)
            continue
        kind, attribute = _TABLE.get(field, (None, None))
        if kind is None or not hasattr(spec._elements(kind)[index], attribute):
            _refuse(field, spec, kind, index, "but no attribute of an element says it")
        target = _row(model, field, index)
        if field.startswith("dof_"):
            first, number = int(model.jnt_dofadr[index]), (6, 3, 1, 1)[int(model.jnt_type[index])]
            rows = np.asarray(getattr(model, field)[first : first + number], float)
            if np.any(rows != rows[0]):
                _refuse(field, spec, kind, index, "to numbers that differ between the dofs of a joint")
        (turned if attribute == "quat" else straight).append((field, index, target))

    def compile_copy(values, bodies=()):
        trial = spec.copy()
        _write(trial, values, bodies, model)
        return trial.compile()

    try:
        values = {**_quaternions(spec, old, turned), **_solve(spec, old, straight, compile_copy)}
        checked = compile_copy(values, bodies)
    except _pliant.LoadError as error:
        raise ValueError(f"copy_back: what was changed in the model does not compile: {error}") from None
    wanted = [*[(field, index) for field, index, _ in (*straight, *turned)],
              *[(field, index) for index in bodies for field in _INERTIA]]  # fmt: skip
    for field, index in wanted:
        got, target = _row(checked, field, index), _row(model, field, index)
        close = np.allclose(got, target, rtol=1e-9, atol=1e-12)
        if not close and field.endswith("quat"):
            close = np.allclose(got, -target, rtol=1e-9, atol=1e-12)
        if not close:
            _refuse(field, spec, _TABLE[field][0], index, "but the MjSpec compiles to other numbers")
    _write(spec, values, bodies, model)
    _copy_settings(spec, old, model)

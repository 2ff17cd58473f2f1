#!/usr/bin/env python3
"""Compares a model compiled by Pliant with the same model compiled by the reference, field by field.

    .venv/bin/python tests/parity/compare.py FILE...

prints, for each file, every field that differs, with its first few differences.
"""

import argparse
import dataclasses
import inspect
import pathlib
import sys

import mujoco
import numpy as np

import known
import pliant
import pliant.mujoco

# The object a row of a field belongs to, by the count of that field.
KIND_OF_COUNT = {
    "nbody": "body", "njnt": "joint", "nv": "dof", "ngeom": "geom", "nsite": "site",
    "ncam": "camera", "nlight": "light", "nmesh": "mesh", "nskin": "skin", "nhfield": "hfield",
    "ntex": "texture", "nmat": "material", "npair": "pair", "nexclude": "exclude",
    "neq": "equality", "ntendon": "tendon", "nactuator": "actuator", "nsensor": "sensor",
    "nnumeric": "numeric", "ntext": "text", "ntuple": "tuple", "nkey": "key",
}  # fmt: skip

COUNT_OF_FIELD = {field["name"]: field["count"] for field in pliant.model_fields()}

MISSING = object()


@dataclasses.dataclass
class Difference:
    field: str
    what: str
    index: tuple | None = None  # of the worst entry
    error: float = 0.0
    where: str = ""  # object of the worst entry and its origin
    entries: list = dataclasses.field(default_factory=list)  # (index, reference, pliant)
    count: int = 0  # of differing entries

    def __str__(self):
        text = f"{self.field}: {self.what}"
        if self.index is not None:
            worst = max(self.entries, key=lambda entry: entry[0] == self.index)
            place = f"[{', '.join(map(str, self.index))}]" if self.index else ""
            text += f" at {self.field}{place}: reference {worst[1]!r}, pliant {worst[2]!r}"
        return text + (f"; {self.where}" if self.where else "")


@dataclasses.dataclass
class Comparison:
    fields: int = 0
    differences: list = dataclasses.field(default_factory=list)
    pending: list = dataclasses.field(default_factory=list)
    worst: float = 0.0  # relative error of the fields within tolerance
    worst_field: str = ""
    undetermined: list = dataclasses.field(default_factory=list)  # bodies judged by their inertia tensor


def reference_fields(reference):
    """(name, value) for everything a model of the reference holds, options included."""
    yield from _attributes(reference, "")
    yield from _attributes(reference.opt, "opt.")
    yield from _attributes(reference.stat, "stat.")
    for part in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        yield from _attributes(getattr(reference.vis, part), f"vis.{part}.")


def _attributes(owner, prefix):
    for name in dir(owner):
        if name.startswith("_"):
            continue
        value = getattr(owner, name)
        if isinstance(value, (int, float, bytes, str, np.ndarray)):
            yield prefix + name, value
        elif not callable(value) and not inspect.isclass(value) and name not in ("opt", "vis", "stat"):
            raise TypeError(f"field {prefix}{name} of the reference has the unforeseen type {type(value)}")


def pliant_field(model, name):
    value = model
    for part in name.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            return MISSING
    return value


def owner(model, field, row):
    """The object that a row of a field belongs to, with its name and origin."""
    count = COUNT_OF_FIELD.get(field)
    if count in ("nu", "nout"):
        first = model.actuator_ctrladr if count == "nu" else model.actuator_outadr
        number = model.actuator_ctrlnum if count == "nu" else model.actuator_outnum
        kind, row = "actuator", _group(first, number, row)
    elif count == "nq":
        kind, row = "joint", _last_not_above(model.jnt_qposadr, row)
    elif count == "nwrap":
        kind, row = "tendon", _group(model.tendon_adr, model.tendon_num, row)
    else:
        kind = KIND_OF_COUNT.get(count)
    if kind == "dof":
        kind, row = "joint", int(model.dof_jntid[row]) if row < len(model.dof_jntid) else -1
    if kind is None or row is None or row < 0:
        return ""
    origin = model.origin(kind, row)
    return f"{kind} {row} '{model.name(kind, row)}'" + (f" at {origin}" if origin else "")


def _last_not_above(addresses, value):
    found = np.flatnonzero(np.asarray(addresses) <= value)
    return int(found[-1]) if found.size else None


def _group(first, number, row):
    found = np.flatnonzero((np.asarray(first) <= row) & (row < np.asarray(first) + np.asarray(number)))
    return int(found[0]) if found.size else None


def compare_field(name, reference, ours, pending, model=None, most=8):
    """(Difference or None, relative error). Of a pending field only the shape and type count."""
    if ours is MISSING:
        return Difference(name, "does not exist in pliant"), 0.0
    if isinstance(reference, (bytes, str)):
        return _compare_text(name, reference, ours, most), 0.0

    if not isinstance(ours, type(reference)):  # integers that are checked when written are a kind of ndarray
        return Difference(name, f"type {type(reference).__name__} in the reference, "
                                f"{type(ours).__name__} in pliant"), 0.0  # fmt: skip
    a, b = np.asarray(reference), np.asarray(ours)
    if a.shape != b.shape:
        return Difference(name, f"shape {a.shape} in the reference, {b.shape} in pliant"), 0.0
    if a.dtype != b.dtype:
        return Difference(name, f"dtype {a.dtype} in the reference, {b.dtype} in pliant"), 0.0
    if a.size == 0 or pending:
        return None, 0.0

    if a.dtype.kind != "f":
        error = (a != b).astype(float)
        relative, limit, scale = float(error.max()), 0.0, 1.0
    else:
        a64, b64 = a.astype(np.float64), b.astype(np.float64)
        with np.errstate(invalid="ignore"):
            error = np.where(a64 == b64, 0.0, np.abs(a64 - b64))
        error[np.isnan(a64) & np.isnan(b64)] = 0.0
        error[np.isnan(error)] = np.inf  # not a number on one side only
        finite = np.abs(a64[np.isfinite(a64)])
        scale = float(finite.max()) if finite.size else 0.0
        scale = scale if scale >= known.SMALL_REFERENCE else 1.0
        relative = float(error.max()) / scale
        limit = known.RELATIVE_TOLERANCE
    if relative <= limit:
        return None, relative

    # An entry differs when it alone would break the tolerance of the field.
    differing = np.argwhere(error > limit * scale)
    worst = np.unravel_index(int(error.argmax()), a.shape)
    listed = [tuple(int(i) for i in index) for index in differing[:most]]
    worst = tuple(int(i) for i in worst)
    if worst not in listed:
        listed.append(worst)
    entries = [(index, a[index].item(), b[index].item()) for index in listed]
    what = f"{len(differing)} of {a.size} differ"
    if a.dtype.kind == "f":
        what += f", relative error {relative:.3g}"
    difference = Difference(name, what, index=worst, error=relative, entries=entries, count=len(differing))
    if model is not None and worst:
        difference.where = owner(model, name, worst[0])
    return difference, relative


def _compare_text(name, reference, ours, most):
    if not isinstance(ours, type(reference)):  # integers that are checked when written are a kind of ndarray
        return Difference(name, f"type {type(reference).__name__} in the reference, "
                                f"{type(ours).__name__} in pliant")  # fmt: skip
    if reference == ours:
        return None
    a, b = reference.split(b"\0"), ours.split(b"\0")
    what = f"{len(a)} texts in the reference, {len(b)} in pliant" if len(a) != len(b) else "texts differ"
    entries = [((i,), x, y) for i, (x, y) in enumerate(zip(a, b)) if x != y]
    if not entries and len(a) != len(b):
        i = min(len(a), len(b))
        entries = [((i,), a[i] if i < len(a) else None, b[i] if i < len(b) else None)]
    return Difference(name, what, index=entries[0][0], entries=entries[:most], count=len(entries))


def inertia_tensor(model, body):
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, model.body_iquat[body])
    axes = matrix.reshape(3, 3)
    return axes @ np.diag(model.body_inertia[body]) @ axes.T


def undetermined_axes(reference, model):
    """Bodies whose principal axes differ because rounding decides about them: two moments nearly coincide,
    and the inertia tensors are equal."""
    found = []
    if reference.nbody != model.nbody:
        return found
    for body in range(reference.nbody):
        moments = np.sort(reference.body_inertia[body])
        largest = moments[2]
        if np.abs(reference.body_iquat[body] - model.body_iquat[body]).max() <= known.RELATIVE_TOLERANCE:
            continue
        if np.diff(moments).min() >= known.CLOSE_MOMENTS * largest:
            continue
        error = np.abs(inertia_tensor(reference, body) - inertia_tensor(model, body)).max()
        if error <= known.TENSOR_TOLERANCE * largest:
            found.append(body)
    return found


def without_bodies(name, value, reference, bodies):
    """The rows of a field that do not depend on the principal axes of these bodies."""
    if name == "body_iquat":
        return np.delete(value, bodies, axis=0)
    if name == "bvh_aabb":  # boxes are in the inertial frame
        first, number = reference.body_bvhadr, reference.body_bvhnum
        rows = [row for b in bodies for row in range(first[b], first[b] + number[b])]
        return np.delete(value, rows, axis=0) if rows and max(rows) < len(value) else value
    return value


def without_planes(fluid, reference):
    """What the reference computes for planes without bounds is not a number; Pliant has zeros. They never move."""
    planes = reference.geom_type == mujoco.mjtGeom.mjGEOM_PLANE
    return np.where(np.isnan(fluid) & planes[:, None], 0.0, fluid)


def compare_models(reference, model, most=8, by_tensor=False):
    """Compares every field of the reference's model. With by_tensor, principal axes that rounding decides
    about are judged by the inertia tensor instead; the result lists the bodies."""
    result = Comparison(pending=list(model.pending))
    if by_tensor:
        result.undetermined = undetermined_axes(reference, model)
    for name, value in reference_fields(reference):
        if name in known.NOT_COMPARED:
            continue
        result.fields += 1
        ours = pliant_field(model, name)
        if result.undetermined and ours is not MISSING:
            value, ours = (without_bodies(name, v, reference, result.undetermined) for v in (value, ours))
        if name == "geom_fluid":
            value = without_planes(value, reference)
        difference, relative = compare_field(name, value, ours, name in model.pending, model, most)
        if difference is not None:
            result.differences.append(difference)
        elif relative > result.worst:
            result.worst, result.worst_field = relative, name
    for name in model.pending:
        if name not in known.MAY_BE_PENDING:
            result.differences.append(Difference(name, "is pending, but known.py does not allow it"))
    # Counts first: when they differ, the shapes that follow from them do too.
    sizes = {name for name, _ in pliant.model_sizes()}
    result.differences.sort(key=lambda difference: difference.field not in sizes)
    return result


def load_reference(path):
    """(model, message): the reference's model, or None and why it refuses the file."""
    try:
        return mujoco.MjModel.from_xml_path(str(path)), ""
    except Exception as error:  # whatever the reference raises is its answer
        return None, str(error).strip() or type(error).__name__


def out_of_scope(reference):
    """What the model uses that Pliant does not have yet; '' if nothing."""
    return ", ".join(what for size, what in known.OUT_OF_SCOPE.items() if getattr(reference, size) > 0)


def show(path, most, verbose):
    print(f"== {path}")
    reference, message = load_reference(path)
    if reference is None:
        print(f"the reference refuses it: {message}")
    try:
        model = pliant.mujoco.MjModel.from_xml_path(str(path))
    except pliant.LoadError as error:
        print("pliant refuses it:" if reference is not None else "so does pliant:")
        print(error)
        return reference is None
    for diagnostic in model.diagnostics:
        print(diagnostic.text)
    if reference is None:
        print("pliant accepts it")
        return False
    scope = out_of_scope(reference)
    if scope:
        print(f"out of scope: {scope}")

    result = compare_models(reference, model, most)
    for difference in result.differences:
        print(f"{difference.field}: {difference.what}")
        for index, a, b in difference.entries:
            place = f"[{', '.join(map(str, index))}]" if index else ""
            at = owner(model, difference.field, index[0]) if index else ""
            print(f"    {place:10} reference {a!r:<24} pliant {b!r:<24} {at}")
        left = difference.count - len(difference.entries)
        if left > 0:
            print(f"    and {left} more")
    if result.pending and (verbose or result.differences):
        print("pending: " + ", ".join(result.pending))
    print(f"{result.fields} fields compared, {len(result.differences)} differ; "
          f"worst of the others {result.worst:.2g} {result.worst_field}")  # fmt: skip
    return not result.differences


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE")
    parser.add_argument("-n", type=int, default=8, help="differences listed per field")
    parser.add_argument("-v", action="store_true", help="say what is pending, too")
    arguments = parser.parse_args()
    good = [show(path, arguments.n, arguments.v) for path in arguments.files]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

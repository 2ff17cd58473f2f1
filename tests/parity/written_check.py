#!/usr/bin/env python3
"""Writes models as MJCF and looks at what comes back.

    .venv/bin/python tests/parity/written_check.py FILE...

For each file one line of JSON:
  pliant   fields of the model loaded from the written text that differ from those of the original, by more than
           1e-12 (whole numbers and names: at all)
  mujoco   fields of kinematics, M and bias forces that the reference, given the text written for it, computes
           differently from Pliant on the original, by more than 1e-9; or its message when it refuses the text
  worst    the largest difference of either kind
  losses   findings of the writer (for MuJoCo)
"""

import json
import pathlib
import sys
import tempfile

import numpy as np
import pliant

SAME, CLOSE = 1e-12, 1e-9
# What cannot be equal by nature: file names are seen from the folder of the text.
BY_NATURE = ("paths", "npaths", "mesh_pathadr", "hfield_pathadr", "skin_pathadr", "tex_pathadr")
STAGES = ("poses", "com", "inertia", "velocity", "bias")


def numbers(owner):
    for name in dir(owner):
        if name.startswith("_"):
            continue
        value = getattr(owner, name)
        if isinstance(value, (int, float, np.ndarray)):
            yield name, np.asarray(value)


def everything(model):
    """(name, array) of all that a model holds."""
    for row in pliant.model_fields():
        if row["name"] not in BY_NATURE:
            yield row["name"], np.asarray(getattr(model, row["name"]))
    for name, _ in pliant.model_sizes():
        if name not in BY_NATURE:
            yield name, np.asarray(getattr(model, name))
    parts = {"opt": model.opt, "stat": model.stat}
    parts |= {f"vis.{part}": getattr(model.vis, part) for part in ("global_", "quality", "headlight", "map", "scale", "rgba")}
    for part, owner in parts.items():
        for name, value in numbers(owner):
            yield f"{part}.{name}", value
    yield "arena_bytes", np.asarray(model.arena_bytes)


def difference(a, b):
    """0 if equal, else the largest error relative to max(1, |a|); infinite for other shapes and whole numbers."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return np.inf
    if np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
        return 0.0
    if a.dtype.kind != "f":
        return np.inf
    if not np.array_equal(np.isnan(a), np.isnan(b)):
        return np.inf
    return float(np.nanmax(np.abs(a - b) / np.maximum(1, np.abs(a))))


def differing(original, written):
    """[(name, error)] of what is not the same."""
    again = dict(everything(written))
    errors = [(name, difference(value, again[name])) for name, value in everything(original)]
    return [(name, error) for name, error in errors if error > SAME], max(error for _, error in errors)


def compare_with_reference(path, model):
    import dynamics
    import mujoco

    try:
        reference = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        return [f"refused: {error}"], np.inf
    found = dynamics.compare_stages(reference, model, states=2, stages=STAGES)
    worst = max((d.error for d in found.values()), default=0.0)
    return [f"{field}: {d.error:.1e}" for (_, field), d in found.items() if not d.error <= CLOSE], worst


def check(path, folder, **options):
    """What becomes of one model; None when Pliant refuses it as it is."""
    try:
        original = pliant.load(path)
    except pliant.LoadError:
        return None
    spec = pliant.Spec(path)
    spec.save(folder / "written.xml")
    found, worst = differing(original, pliant.load(folder / "written.xml"))
    spec = pliant.Spec(path)
    spec.save(folder / "standard.xml", for_mujoco=True)
    theirs, their_worst = compare_with_reference(folder / "standard.xml", original)
    losses = [d.text for d in spec.diagnostics if d.code == "W650"]
    return {"pliant": found, "mujoco": theirs, "worst": [worst, their_worst], "losses": losses}


def main():
    for path in sys.argv[1:]:
        print(json.dumps({"begin": path}), flush=True)
        with tempfile.TemporaryDirectory() as folder:
            result = check(path, pathlib.Path(folder))
        print(json.dumps({"path": path, "result": result}), flush=True)


if __name__ == "__main__":
    main()

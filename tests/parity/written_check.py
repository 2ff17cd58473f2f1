#!/usr/bin/env python3
"""Writes models as MJCF and looks at what comes back.

    .venv/bin/python tests/parity/written_check.py FILE...

For each file one line of JSON:
  pliant   fields of the model loaded from the written text that differ from those of the original, by more than
           1e-12 (whole numbers and names: at all)
  mujoco   fields of kinematics, M and bias forces that the reference, given the text written for it, computes
           differently from Pliant on the original, by more than 1e-9; or its message when it refuses the text
           (null when the text is too large for it)
  named    losses that the writer itself names: two ways to fit shapes to meshes in one model
  engine   whether the reference computes the same differences from the original itself: then they are not the text's
  worst    the largest difference of either kind
  losses   findings of the writer (for MuJoCo)

The mimic is eliminated from Pliant's M and cannot be from the reference's: it is compared in its hard form. Moments of
inertia that the reference refuses are replaced in the text; the comparison takes them from there, for the bodies that a
loss names.
"""

import json
import pathlib
import re
import sys
import tempfile

import numpy as np

import compare
import pliant
from pliant import _pliant

SAME, CLOSE = 1e-12, 1e-9
# What cannot be equal by nature: file names are seen from the folder of the text.
BY_NATURE = ("paths", "npaths", "mesh_pathadr", "hfield_pathadr", "skin_pathadr", "tex_pathadr")
STAGES = ("poses", "com", "tendons", "inertia", "transmission", "velocity", "bias")
MOST_ELEMENTS = 50_000  # the reference reads a text in a time that grows with the square of their number: minutes above
COMPARED = "xpos xquat xipos ximat site_xpos site_xmat xanchor xaxis subtree_com cinert cdof M cvel qfrc_bias".split()


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
    parts |= {
        f"vis.{part}": getattr(model.vis, part) for part in ("global_", "quality", "headlight", "map", "scale", "rgba")
    }
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


def compare_with_reference(path, model, states=2):
    """Both engines from the same states, the original in Pliant and the written text in the reference."""
    import mujoco

    try:
        reference_model = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        return [f"refused: {error}"], np.inf
    # what is compared needs neither contacts nor constraints, over which the reference gives up on some documents
    reference_model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT) | int(
        mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    )
    reference_model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    reference, rng = mujoco.MjData(reference_model), np.random.default_rng(0)
    state, data = pliant.State(model), pliant.Data(model)
    if state.qpos.shape != reference.qpos.shape:
        return [f"nq: {len(state.qpos)} and {len(reference.qpos)}"], np.inf
    worst = {}
    undetermined = compare.undetermined_axes(reference_model, model)  # cinert compares their tensors
    for _ in range(states):
        velocity = rng.standard_normal(reference_model.nv)
        mujoco.mj_integratePos(reference_model, reference.qpos, velocity, 0.1)
        reference.qvel[:] = velocity
        state.qpos[...], state.qvel[...] = reference.qpos, reference.qvel
        mujoco.mj_fwdPosition(reference_model, reference)
        mujoco.mj_fwdVelocity(reference_model, reference)
        for stage in STAGES:
            _pliant.run_stage(model, state, data, stage)
        for name in COMPARED:
            ours = np.asarray(getattr(data, name))
            theirs = np.asarray(getattr(reference, name)).reshape(ours.shape)
            if name == "ximat":
                ours, theirs = (np.delete(value, undetermined, axis=0) for value in (ours, theirs))
            scale = max(1.0, np.max(np.abs(theirs), initial=0))
            error = np.max(np.abs(theirs - ours), initial=0) / scale
            worst[name] = max(worst.get(name, 0.0), float(error))
    return [f"{name}: {error:.1e}" for name, error in worst.items() if not error <= CLOSE], max(worst.values())


def as_the_reference_can(spec, path, losses, standard):
    """The original with followers that move by themselves, and with the moments of `standard` for the bodies that
    losses name."""
    text = spec.to_xml()
    plain = re.sub(r"<mimic (?![^>]*mode=)", '<mimic mode="hard" ', text)
    model = pliant.load(path) if plain == text else pliant.load_string(plain)
    for loss in losses:
        named = re.search(r"<body name='(.*)'> has the moments of inertia .*, which MuJoCo refuses", loss)
        if named:
            body = model.id("body", named[1])
            model.body_inertia[body], model.body_iquat[body] = standard.body_inertia[body], standard.body_iquat[body]
    return model


def check(path, folder):
    """What becomes of one model; None when Pliant refuses it as it is."""
    try:
        original = pliant.load(path)
    except pliant.LoadError:
        return None
    spec = pliant.Spec(path)
    spec.save(folder / "written.xml")
    found, worst = differing(original, pliant.load(folder / "written.xml"))
    named = [d.text for d in spec.diagnostics if d.code == "W650"]
    result = {"pliant": found, "named": named, "mujoco": None, "worst": [worst, 0.0], "losses": []}
    if (folder / "written.xml").read_text().count("<") > MOST_ELEMENTS:
        return result
    spec = pliant.Spec(path)
    spec.save(folder / "standard.xml", for_mujoco=True)
    losses = [d.text for d in spec.diagnostics if d.code == "W650"]
    given = as_the_reference_can(spec, path, losses, pliant.load(folder / "standard.xml"))
    theirs, their_worst = compare_with_reference(folder / "standard.xml", given)
    if theirs and np.isfinite(their_worst) and compare_with_reference(path, given) == (theirs, their_worst):
        result["engine"] = True
    return result | {"mujoco": theirs, "worst": [worst, their_worst], "losses": losses}


def main():
    for path in sys.argv[1:]:
        print(json.dumps({"begin": path}), flush=True)
        with tempfile.TemporaryDirectory() as folder:
            result = check(path, pathlib.Path(folder))
        print(json.dumps({"path": path, "result": result}), flush=True)


if __name__ == "__main__":
    main()

"""repr and _repr_html_: short, true, and safe with names that look like HTML."""

import pathlib

import numpy as np
import pytest

import pliant
import pliant.mujoco as mujoco

GRIPPER = str(pathlib.Path(__file__).resolve().parents[2] / "models" / "gripper.xml")


def test_everything_has_a_look():
    model = pliant.load(GRIPPER)
    state, data = pliant.State(model), pliant.Data(model)
    pliant.forward(model, state, data)
    rows = np.zeros((1, pliant._pliant.mj_stateSize(model, 15)))
    pliant._pliant.mj_getState(model, pliant._pliant.World(model), rows[0], 15)
    things = {
        "Model 'gripper': 5 bodies": model,
        "hash: ": state,
        f"contacts: {data.ncon}": data,
        "worlds: 3": pliant.Batch(model, 3),
        "qvel: 9 numbers": mujoco.MjData(mujoco.MjModel.from_xml_path(GRIPPER)),
        "Explanation": pliant.explain(model, "block", "table"),
        "Design": pliant.design(restitution=0.5),
    }
    for part, thing in things.items():
        assert part in repr(thing) and len(repr(thing)) < 2000
        assert thing._repr_html_().startswith("<table>")
    assert "gripper.xml:" in pliant.explain(model, "block", "table")._repr_html_()
    assert "1 × 4 × 20" in pliant.rollout(model, rows, nstep=4)._repr_html_()


def test_names_are_text():
    model = pliant.load_string('<mujoco model="&lt;b&gt;x"/>')
    assert "<b>x" not in model._repr_html_() and "&lt;b&gt;x" in model._repr_html_()


def test_findings():
    model = pliant.load(str(pathlib.Path(GRIPPER).parent / "mimic_gripper.xml"))
    findings = pliant.doctor(model, 0.1)
    if not findings:
        pytest.skip("nothing was found")
    assert findings[0].code in findings[0]._repr_html_()

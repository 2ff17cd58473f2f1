"""repr and _repr_html_: short, true, and safe with names that look like HTML."""

import base64
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


def test_data_show_a_picture_and_stay_as_they_are():
    model = mujoco.MjModel.from_xml_path(GRIPPER)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    before = data.state.hash(), np.array(data.xpos)
    shown = data._repr_html_()
    assert shown.startswith("<table>") and before[0] == data.state.hash() and np.array_equal(before[1], data.xpos)
    picture = base64.b64decode(shown.split("base64,")[1].split('"')[0])
    assert picture.startswith(b"\x89PNG") and len(picture) > 2000
    # other states, other pictures; what cannot be drawn says why
    data.qpos[:3] += 0.1
    assert data._repr_html_() != shown
    data.qpos[0] = np.nan
    assert "no picture" in data._repr_html_() and "qpos" in data._repr_html_()


def test_lists_are_tables():
    model = pliant.load(GRIPPER)
    everything = pliant.explain(model)
    assert isinstance(everything, list) and everything._repr_html_().count("<tr>") == len(everything) + 1
    findings = pliant.doctor(model, 0)
    assert isinstance(findings, list) and f"{len(findings)} findings" in findings._repr_html_()
    report = pliant.changed_since(GRIPPER)
    assert repr(report).startswith("<ChangeReport since 3.12") and report._repr_html_().startswith("<pre>")


def test_names_are_text():
    model = pliant.load_string('<mujoco model="&lt;b&gt;x"/>')
    assert "<b>x" not in model._repr_html_() and "&lt;b&gt;x" in model._repr_html_()


def test_findings():
    model = pliant.load(str(pathlib.Path(GRIPPER).parent / "mimic_gripper.xml"))
    findings = pliant.doctor(model, 0.1)
    if not findings:
        pytest.skip("nothing was found")
    assert findings[0].code in findings[0]._repr_html_()

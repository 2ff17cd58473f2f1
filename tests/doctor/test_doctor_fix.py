"""`pliant doctor --fix`: planted faults cured in the text of the file, nothing made worse, nothing else touched; the
report on one screen."""

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import pliant

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))
sys.path.insert(0, str(ROOT / "tests" / "analysis"))
from doctor_faults import FAULTS  # noqa: E402

CURED = 27  # of thirty
AGREE = 1e-8  # of the largest number


def run(*words):
    return subprocess.run([PROGRAM, "doctor", *map(str, words)], capture_output=True, text=True)


def findings(path):
    report = json.loads(run(path, "--json").stdout)
    return report, {(f["code"], f["element"]) for f in report["findings"] if f["severity"] != "note"}


@pytest.fixture(scope="module")
def mended(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted")
    out = {}
    for name, _, _, xml in FAULTS:
        path, target = folder / f"{name}.xml", folder / f"{name}.mended.xml"
        path.write_text(xml)
        done = run(path, "--fix", target)
        assert path.read_text() == xml and not list(folder.glob("*.tried.xml"))
        out[name] = (path, target if target.exists() else None, done)
    return out


def test_planted_faults_are_cured_and_nothing_gets_worse(mended):
    left = []
    for name, code, word, _ in FAULTS:
        path, target, done = mended[name]
        if target is None:
            assert "nothing was written" in done.stdout, name
            left.append(name)
            continue
        before, had = findings(path)
        after, has = findings(target)
        assert after["loaded"] and after["errors"] <= before["errors"], name
        if before["loaded"]:
            assert has <= had, name
        if any(c == code and word in element for c, element in has):
            left.append(name)
    assert len(FAULTS) - len(left) >= CURED, left


def without_comments(text):
    return re.sub(r"\s+", " ", re.sub(r"<!--.*?-->\s*", "", text))


def test_everything_else_stays_as_it_was(mended):
    path, target, _ = mended["actuator_gain"]
    text = target.read_text()
    assert "<!-- pliant doctor: D104" in text
    old, new = without_comments(path.read_text()), without_comments(text)
    differing = [i for i, (a, b) in enumerate(zip(old.split('"'), new.split('"'), strict=False)) if a != b]
    assert len(differing) == text.count("<!-- pliant doctor:")  # an attribute for every comment
    before, after = pliant.load(path), pliant.load(target)
    for array in ("body_mass", "body_inertia", "geom_size", "dof_damping", "jnt_range", "qpos0"):
        assert (getattr(before, array) == getattr(after, array)).all(), array


def apart(theirs, ours):
    return np.abs(theirs - ours).max(initial=0) / max(np.abs(theirs).max(initial=0), 1)


def test_mended_models_move_as_in_the_reference(mended):
    """One step from the start and from states along a trajectory of the reference."""
    mujoco = pytest.importorskip("mujoco")
    compared, rows = 0, 0
    for name, (_, target, _) in mended.items():
        if target is None:
            continue
        reference, model = mujoco.MjModel.from_xml_path(str(target)), pliant.load(target)
        data, state, mine = mujoco.MjData(reference), pliant.State(model), pliant.Data(model)
        for steps in (0, 1, 30, 100, 150):
            for _ in range(steps):
                mujoco.mj_step(reference, data)
            for field in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
                getattr(state, field)[:] = getattr(data, field)
            state.time[:] = data.time
            mujoco.mj_step(reference, data)
            pliant.step(model, state, mine)
            rows += data.nefc
            for field, of in (("qpos", state), ("qvel", state), ("qacc", mine)):
                assert apart(getattr(data, field), getattr(of, field)) <= AGREE, (name, steps, field)
        compared += 1
    assert compared >= CURED and rows > 100


def test_a_model_is_never_written_over(tmp_path):
    path = tmp_path / "a.xml"
    path.write_text(FAULTS[0][3])
    done = run(path, "--fix", path)
    assert done.returncode == 2 and path.read_text() == FAULTS[0][3]


def test_the_report_fits_a_screen(tmp_path):
    links = "".join(
        f'<body name="b{i}" pos="0.1 0 0"><joint name="j{i}" axis="0 1 0" stiffness="1e6"/>'
        '<geom size="0.02" mass="0.1" contype="0" conaffinity="0"/>'
        for i in range(30)
    )
    path = tmp_path / "chain.xml"
    path.write_text(f"<mujoco><worldbody>{links}{'</body>' * 30}</worldbody></mujoco>")
    text = run(path, "--seconds", "0.01").stdout
    assert len(text.splitlines()) <= 50 and max(map(len, text.splitlines())) <= 100
    assert "more like it" in text
    assert len(run(path, "--seconds", "0.01", "--all").stdout) > 2 * len(text)


TWO_BOXES = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="lower" pos="0 0 .1"><freejoint/><geom name="lower" type="box" size=".1 .1 .1"/></body>
  <body name="upper" pos="0 0 .22"><freejoint/><geom name="upper" type="box" size=".1 .1 .1"/></body>
</worldbody></mujoco>
"""
ROD = """<mujoco><worldbody><body name="rod" pos="0 0 1"><joint name="rod" axis="0 1 0"/>{}
  <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" mass=".5"/></body></worldbody>{}</mujoco>
"""


def fixed(tmp_path, xml):
    """The fixed model, and the text of its file."""
    path, target = tmp_path / "a.xml", tmp_path / "b.xml"
    path.write_text(xml)
    done = run(path, "--fix", target)
    assert done.returncode == 0 and "cured" in done.stdout, done.stdout
    return pliant.load(target), target.read_text()


def test_boxes_of_a_stack_start_apart_and_still_touch(tmp_path):
    """An excluded pair would have cured it, too: the upper box would have fallen through the lower one."""
    model, text = fixed(tmp_path, TWO_BOXES)
    assert "<exclude" not in text
    assert model.body_pos[model.id("body", "upper")][2] == pytest.approx(0.3, abs=2e-3)
    state, data = pliant.State(model), pliant.Data(model)
    for _ in range(500):
        pliant.step(model, state, data)
    assert state.qpos[9] == pytest.approx(0.3, abs=2e-3) and abs(state.qvel[8]) < 1e-2


def test_a_gain_is_made_smaller_before_the_timestep_is_a_thousandth(tmp_path):
    servo = '<actuator><velocity name="servo" joint="rod" kv="50000"/></actuator>'
    model, text = fixed(tmp_path, ROD.format("", servo))
    assert model.opt.timestep == 0.002 and "timestep=" not in text
    # semi-implicit steps of a damper on an inertia are stable while h kv / I stays below 2
    inertia = 0.5 * 0.3**2 / 3
    assert 0 < model.actuator_gainprm[0, 0] * 0.002 / inertia < 2


def test_a_centre_of_mass_in_millimetres_is_put_amid_the_geoms(tmp_path):
    inertial = '<inertial pos="150 0 0" mass=".5" diaginertia=".004 .004 .0001"/>'
    model, _ = fixed(tmp_path, ROD.format(inertial, ""))
    np.testing.assert_allclose(model.body_ipos[1], [0.15, 0, 0], atol=1e-9)
    np.testing.assert_allclose(model.body_pos[1], [0, 0, 1])  # (the body stays where it is)
    np.testing.assert_allclose(np.sort(model.body_inertia[1]), [1e-4, 4e-3, 4e-3])
    report = json.loads(run(tmp_path / "a.xml", "--json").stdout)
    (finding,) = [f for f in report["findings"] if f["code"] == "D302"]
    # the capsule reaches 0.17 m from its middle, which is 149.85 m from the mass
    assert finding["evidence"][0]["value"] == pytest.approx(150 - 0.15 - 0.17)


def test_a_full_tensor_of_the_wrong_size_becomes_that_of_the_shape(tmp_path):
    """The number that was said not to cure it had never been written."""
    path, target = tmp_path / "heavy.xml", tmp_path / "mended.xml"
    path.write_text(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body name='block' pos='0 0 1'><freejoint/>"
        "<inertial mass='1' pos='0 0 0' fullinertia='2000 2500 1700 3 0 0'/><geom type='box' size='.1 .1 .1'/>"
        "</body></worldbody></mujoco>"
    )
    done = run(path, "--fix", target)
    assert "before: 0 errors and 1 warning; after: 0 errors and 0 warnings" in done.stdout, done.stdout
    assert pliant.load(target).body_inertia[1].max() < 1


def test_where_nothing_is_wrong_nothing_is_left(tmp_path):
    done = run(ROOT / "models" / "drop.xml", "--fix", tmp_path / "mended.xml")
    assert "there is nothing to cure" in done.stdout and not (tmp_path / "mended.xml").exists()

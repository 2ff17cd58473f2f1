"""The panels of the viewer, worked as a browser works them: sliders, switches, keyframes, lines to copy, marks."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import pliant

pytest.importorskip("viser", reason="no viser: pip install -r requirements-viewer.txt")

from fake_browser import CAMERA, FakeBrowser
from test_viewer_server import ROOT, Live, do, wait_for

GRIPPER = ROOT / "models" / "mimic_gripper.xml"


def put(client, handle, value):
    """What a browser sends when somebody moves a slider, ticks a box or presses a button."""
    client.send({"type": "GuiUpdateMessage", "uuid": handle._impl.uuid, "updates": {"value": value}})


def named(session, label):
    """The element of the panels with this label."""
    handles = session.server.viser.gui._gui_input_handle_from_uuid.values()
    return next(handle for handle in handles if getattr(handle, "label", None) == label)


@pytest.fixture
def watched():
    with Live(str(GRIPPER), paused=True) as session:
        client = FakeBrowser(session.server.address)
        assert wait_for(lambda: client.messages > 1)
        yield session, client
        client.close()


def test_sliders_switches_and_keyframes(watched):
    session, client = watched
    model, state = session.model, session.world.state
    put(client, named(session, "grip"), 0.03)
    assert wait_for(lambda: abs(state.ctrl[model.id("actuator", "grip")] - 0.03) < 1e-9)
    joint = int(model.jnt_qposadr[model.id("joint", "lift")])
    put(client, next(s for s, field, i, *_ in session.panels.sliders if (field, i) == ("qpos", joint)), 0.1)
    assert wait_for(lambda: abs(state.qpos[joint] - 0.1) < 1e-9)
    equality = model.id("equality", "indicator")
    put(client, named(session, "indicator"), False)
    assert wait_for(lambda: not state.eq_active[equality])
    put(client, named(session, "Go to keyframe"), True)
    assert wait_for(lambda: np.array_equal(state.qpos, model.key_qpos[0]))
    put(client, named(session, "speed"), 0.5)
    assert wait_for(lambda: session.speed == 0.5)
    assert session.trouble == ""


def test_mimics_say_residual_and_force(watched):
    session, _ = watched
    do(session, lambda: session.step(5))
    do(session, session.refresh)
    do(session, session._copy)
    text = session.panels._mimic_text().splitlines()
    reports = pliant._pliant.mimic_reports(session.model, session.shown.state, session.shown.data)
    assert len(text) == 2 + session.model.nmimic == 5
    for line, report in zip(text[2:], reports):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert report["sentence"] in cells[0] and float(cells[1]) == pytest.approx(
            report["residual"], rel=0.01, abs=1e-12
        )
        assert float(cells[2]) == pytest.approx(report["force"], rel=1e-3, abs=1e-9)
    assert any(report["force"] for report in reports)


def test_copied_lines_are_mjcf(watched):
    session, client = watched
    do(session, lambda: session.reset(0))
    do(session, session.panels._copy_pose)
    key = ElementTree.fromstring(session.panels.copied.content.strip("`xml\n"))
    put(client, named(session, "View as <camera>"), True)
    assert wait_for(lambda: "<camera" in session.panels.copied.content)
    camera = ElementTree.fromstring(session.panels.copied.content.strip("`xml\n"))
    tree = ElementTree.parse(GRIPPER)
    tree.getroot().find("worldbody").append(camera)
    tree.getroot().find("keyframe").append(key)
    model = pliant.load_string(ElementTree.tostring(tree.getroot(), encoding="unicode"))
    pose, view = model.id("key", "pose"), model.id("camera", "view")
    assert np.allclose(model.key_qpos[pose], model.key_qpos[0], atol=1e-6)
    assert np.allclose(model.key_ctrl[pose], model.key_ctrl[0], atol=1e-6)
    turn = np.array(model.cam_mat0[view]).reshape(3, 3)
    away = np.array(CAMERA["position"])
    assert np.allclose(model.cam_pos[view], away) and np.allclose(turn[:, 2], away / np.linalg.norm(away), atol=1e-3)
    assert float(model.cam_fovy[view]) == pytest.approx(np.degrees(CAMERA["fov"]), rel=1e-3)


TROUBLED = """<mujoco><worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="2 2 .1"/>
  <body name="sunk" pos="0 0 .02"><freejoint/><geom name="ball" size=".1"/></body>
  <body name="fine" pos="1 0 .0995"><freejoint/><geom name="other" size=".1"/></body></worldbody></mujoco>"""


def test_findings_are_marks_and_islands_are_colours(tmp_path):
    (tmp_path / "troubled.xml").write_text(TROUBLED)
    with Live(str(tmp_path / "troubled.xml"), paused=True) as session:
        scene, panels, model = session.scene, session.panels, session.model
        do(session, panels._doctor)
        sunk = model.id("body", "sunk")
        assert sunk in scene.findings and "**D" in panels.doctor.content
        marks = {key: handle.text for key, handle in scene.labels}
        assert marks[("body", sunk)].startswith("⚠ ")
        do(session, lambda: panels._mark({}))
        assert not scene.findings and not scene.labels
        panels._option("islands", True)
        frames = session.frames
        assert wait_for(lambda: session.frames > frames + 1)
        colours = {
            int(solid): tuple(colour)
            for part in scene.parts if hasattr(part, "colours")
            for solid, colour in zip(part.ids, np.asarray(part.handle.batched_colors))
        }  # fmt: skip
        ball, other = colours[model.id("geom", "ball")], colours[model.id("geom", "other")]
        assert ball != other and len({ball, other} - {(128, 128, 128), (127, 127, 127)}) == 2
        assert session.trouble == ""

"""`pliant doctor`: planted faults by name, healthy models without errors, text that fits, exit status, Python."""

import json
import os
import pathlib
import re
import subprocess

import pytest

import pliant
from doctor_faults import FAULTS

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))
OWN = sorted((ROOT / "models").glob("*.xml"))

SCHUNK = (
    "the palm's moments of inertia are 3e-6 2e-6 9e-7: the first exceeds the sum of the others, which no body can have"
)
# Models with errors, each looked at: what they are.
REVIEWED = {
    "bin_of_boxes.xml": "boxes are thrown in at random, some into each other",
    "menagerie/shadow_hand/keyframes.xml": "a part that others include: its keyframes fit no model",
    "mujoco/collision_box/boxbox_deep.xml": "made to test boxes deep inside each other",
    "menagerie/google_barkour_vb/scene_hfield_mjx.xml": "its home pose stands knee-deep in rough terrain",
    "mujoco/tendon_arm/arm26.xml": "refused, as by MuJoCo 4.0.1: past their side sites muscles have no length range",
    "mujoco/replicate/particle_free2d.xml": "particles are laid out across the walls of their box",
    "urdf/inspire_hand/inspire_hand_left.urdf": "with all joints at zero the thumb lies 13 mm inside the palm (the "
    "reference sees it, too)",
    "urdf/panda/urdf/panda_collision.urdf": "with all joints at zero, outside the range of the wrist, the hand is "
    "folded into link 5",
    **{f"urdf/schunk_hand/schunk_svh_hand_{side}.urdf": SCHUNK for side in ("left", "left_glb", "right", "right_glb")},
}


def run(*arguments):
    return subprocess.run([PROGRAM, "doctor", *map(str, arguments)], capture_output=True, text=True)


def findings(path):
    return json.loads(run(path, "--json").stdout)["findings"]


def test_every_counter_of_data_has_a_line():
    """What counts says "since the Data was made" where it is declared; clamps.cpp has a line for it (indices:
    explain_test.cpp)."""
    include, table = ROOT / "include" / "pliant", (ROOT / "src" / "analysis" / "clamps.cpp").read_text()
    counters = re.findall(r"since the Data was made.*\n.*?(\w+)(?:\{\}| = 0)?;", (include / "state.h").read_text())
    counters += re.findall(
        r"FIELD\(\w+,\s*\w+,\s*(\w+),.*since the Data was made", (include / "data_fields.def").read_text()
    )
    assert {"clamps", "faults", "row_memory_dropped", "ctrl_clamped"} <= set(counters)
    assert not [name for name in counters if f'"{name}"' not in table]


COUNTED = {
    "gyroscopic-explicit": """<mujoco><option integrator="discrete" {}/><worldbody><geom type="plane" size="3 3 1"/>
      <body pos="0 0 .5" euler="30 40 0"><freejoint/><geom type="box" size=".1 .15 .2"/></body></worldbody></mujoco>""",
    "terms-explicit": """<mujoco><option integrator="discrete" solver="PGS" {}/><worldbody>
      <body><joint name="a" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/></body></worldbody>
      <tendon><fixed stiffness="50"><joint joint="a" coef="1"/></fixed></tendon></mujoco>""",
}


@pytest.mark.parametrize("code", COUNTED)
def test_terms_that_discrete_leaves_explicit_are_counted(tmp_path, code):
    """As in the reference, said; with the sound rule there is nothing to say."""
    for option, said in (("", True), ('discrete_full="1"', False)):
        path = tmp_path / f"{said}.xml"
        path.write_text(COUNTED[code].format(option))
        assert any(code in json.dumps(finding) for finding in findings(path)) == said


def test_there_are_thirty():
    assert len(FAULTS) >= 30 and len({name for name, *_ in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("name,code,word,xml", FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_planted_fault_is_among_the_first_two(tmp_path, name, code, word, xml):
    path = tmp_path / f"{name}.xml"
    path.write_text(xml)
    first = findings(path)[:2]
    named = [f for f in first if f["code"] == code and word in f["element"] + " " + f["message"]]
    assert named, first
    assert named[0]["change"] and named[0]["origin"].startswith(str(path))
    assert named[0]["severity"] in ("error", "warning")


def test_the_exclude_line_cures(tmp_path):
    xml = next(fault for fault in FAULTS if fault[0] == "overlap_at_start")[3]
    path = tmp_path / "overlap.xml"
    path.write_text(xml)
    change = findings(path)[0]["change"]
    line = change[: change.index("/>") + 2]
    path.write_text(xml.replace("</mujoco>", f"<contact>{line}</contact></mujoco>"))
    assert not [f for f in findings(path) if f["code"] == "D201"]


def test_the_nearest_tensor_loads(tmp_path):
    xml = next(fault for fault in FAULTS if fault[0] == "impossible_diaginertia")[3]
    path = tmp_path / "part.xml"
    path.write_text(xml)
    change = findings(path)[0]["change"]
    path.write_text(xml.replace('diaginertia="0.01 0.01 0.05"', change[change.index("diaginertia") :]))
    assert run(path).returncode == 0


def test_text_fits_and_help_has_an_example(tmp_path):
    for name, _, _, xml in FAULTS:
        path = tmp_path / f"{name}.xml"
        path.write_text(xml)
        text = run(path, "--seconds", "0.05").stdout
        assert max(map(len, text.splitlines())) <= 100, text
    text = run("--help").stdout
    assert "Example: pliant doctor" in text
    assert max(map(len, (text + run("--codes").stdout).splitlines())) <= 100


def test_exit_status(tmp_path):
    faults = {name: xml for name, _, _, xml in FAULTS}
    for name, plain, strict in (("joint_spring", 1, 1), ("margin_floats", 0, 1), ("impossible_diaginertia", 2, 2)):
        path = tmp_path / f"{name}.xml"
        path.write_text(faults[name])
        assert (run(path).returncode, run(path, "--strict").returncode) == (plain, strict)
    assert run().returncode == 2


@pytest.mark.parametrize("path", OWN, ids=[path.stem for path in OWN])
def test_our_own_scenes_are_healthy(path):
    assert path.name in REVIEWED or not [f for f in findings(path) if f["severity"] == "error"]


@pytest.mark.slow
def test_models_of_others_are_healthy():
    folder = os.environ.get("PLIANT_MODELS")
    if not folder:
        pytest.skip("PLIANT_MODELS is not set")
    folder = pathlib.Path(folder)
    sick = {}
    for path in sorted([*folder.rglob("*.xml"), *folder.rglob("*.urdf")]):
        errors = [f for f in findings(path) if f["severity"] == "error"]
        if errors and path.relative_to(folder).as_posix() not in REVIEWED:
            sick[str(path)] = [f["message"] for f in errors]
    assert not sick


def test_python(tmp_path):
    xml = next(fault for fault in FAULTS if fault[0] == "joint_spring")[3]
    (tmp_path / "model.xml").write_text(xml)
    assert [f.code for f in pliant.doctor(tmp_path / "model.xml")] == [
        f.code for f in pliant.doctor(str(tmp_path / "model.xml"))
    ]
    with pytest.raises(ValueError, match="seconds should be"):
        pliant.doctor(tmp_path / "model.xml", seconds=-1)
    model = pliant.load_string(xml)
    first = pliant.doctor(model)[0]
    assert (first.code, first.severity, first.element) == ("D105", "error", "joint 'hinge'")
    assert 0 < first.evidence["stable timestep"] < 0.002
    kind, element, limit = pliant.timestep_budget(model)[0]
    assert (kind, element) == ("spring", "joint 'hinge'") and limit == first.evidence["stable timestep"]


def advice(tmp_path, xml):
    path = tmp_path / "model.xml"
    path.write_text(xml)
    return findings(path)


FOOT = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
<body name="torso" pos="0 0 {z}"><freejoint/><geom size="0.1" mass="5"/>
<body name="foot" pos="0 0 -0.3"><joint name="ankle" axis="0 1 0" range="-90 90" limited="true"/>
<geom type="box" size="0.1 0.05 0.02" mass="1"/></body></body></worldbody></mujoco>"""


def test_feet_at_rest_on_the_floor_are_no_finding(tmp_path):
    assert not [f for f in advice(tmp_path, FOOT.format(z=0.319)) if f["code"] == "D201"]


def test_nobody_is_told_to_fall_through_the_floor(tmp_path):
    found = [f for f in advice(tmp_path, FOOT.format(z=0.305)) if f["code"] == "D201"]
    assert len(found) == 1
    assert "exclude" not in found[0]["change"] and "start body 'torso'" in found[0]["change"]
    # neither by what a joint runs into
    assert not [f for f in advice(tmp_path, FOOT.format(z=0.33)) if "world" in f["change"]]


def test_a_limit_that_is_reached_is_reachable(tmp_path):
    # the arm touches the block exactly at its limit
    xml = """<mujoco><compiler angle="radian"/><worldbody>
      <geom name="block" type="box" pos="0.4 0 {z}" size="0.1 0.1 0.1"/>
      <body name="arm"><joint name="j" axis="0 1 0" range="-1.614 {limit}" limited="true"/>
      <geom type="capsule" fromto="0.1 0 0 0.5 0 0" size="0.02"/></body></worldbody></mujoco>"""
    for z, limit in ((-0.16, 0.1), (-0.3, 0.6), (-0.2, 0.17), (-0.25, 0.27), (-0.25, 0.28), (-0.3, 0.38), (-0.3, 0.39)):
        for f in advice(tmp_path, xml.format(z=z, limit=limit)):
            if f["code"] == "D603":
                limit_at, stopped = (e["value"] for e in f["evidence"])
                assert f"{limit_at:.4g}" != f"{stopped:.4g}", f


def test_whole_turns_are_no_degrees(tmp_path):
    xml = """<mujoco><compiler angle="radian"/><worldbody><body>
      <joint name="winch" axis="0 0 1" range="-{r} {r}" limited="true"/>
      <geom size="0.1"/></body></worldbody></mujoco>"""
    codes = lambda r: [f["code"] for f in advice(tmp_path, xml.format(r=r))]  # noqa: E731
    assert "D602" not in codes(31.41) and "D602" not in codes(62.832)
    assert "D602" in codes(90) and "D602" in codes(170)


def test_no_trial_has_a_reason(tmp_path):
    path = tmp_path / "still.xml"
    path.write_text('<mujoco><worldbody><geom size="0.1"/></worldbody></mujoco>')
    text = run(path).stdout
    assert "0 steps" not in text and "nothing in the model can move" in text
    assert "none was asked for" in run(ROOT / "models" / "drop.xml", "--seconds", "0").stdout


def test_friction_that_no_surface_has_is_not_advised(tmp_path):
    xml = """<mujoco><worldbody><geom type="plane" size="5 5 1" zaxis="0 -0.9 0.3"/>
      <body pos="0 -0.09 0.03"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"""
    for f in advice(tmp_path, xml):
        for number in re.findall(r'friction(?:="| of )([0-9.]+)', f["change"]):
            assert float(number) <= 1.5, f

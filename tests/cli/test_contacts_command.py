"""`pliant contacts`: text, JSON, rules and where values come from."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))

SCENE = """<mujoco>
  <default>
    <geom friction="0.3"/>
    <default class="soft">
      <geom solref="0.1 1"/>
      <default class="softer"><geom solimp="0.5 0.6 0.1"/></default>
    </default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" priority="0" margin="0.001"/>
    <body name="ball" pos="0 0 0.09" childclass="softer"><freejoint/><geom name="ball" size="0.1" solmix="3"/></body>
    <body name="boss" pos="1 0 0.09"><freejoint/><geom name="boss" size="0.1" priority="2" condim="1"/></body>
    <body name="paired" pos="2 0 0.09"><freejoint/><geom name="paired" size="0.1"/></body>
    <body name="far" pos="3 0 1"><freejoint/><geom size="0.1"/></body>
  </worldbody>
  <contact><pair geom1="floor" geom2="paired" friction="0.9"/></contact>
  <keyframe><key name="up" qpos="0 0 5 1 0 0 0  1 0 5 1 0 0 0  2 0 5 1 0 0 0  3 0 5 1 0 0 0"/></keyframe>
</mujoco>"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scene.xml").write_text(SCENE)
    return tmp_path


def run(folder, *arguments):
    return subprocess.run([PROGRAM, "contacts", *arguments], capture_output=True, text=True, cwd=folder)


def line_of(text):
    return 1 + SCENE[: SCENE.index(text)].count("\n")


def test_json(folder):
    done = run(folder, "scene.xml", "--json")
    assert done.returncode == 0, done.stderr
    contacts = json.loads(done.stdout)["contacts"]
    assert [c["geoms"] for c in contacts] == [["floor", "ball"], ["floor", "boss"], ["floor", "paired"]]
    ball, boss, paired = contacts
    assert ball["dist"] == pytest.approx(-0.01) and ball["rule"] == "solmix 0.25 : 0.75"
    # a value from a default class, through childclass and the class's parent
    solref = ball["parameters"]["solref"]
    assert solref["rule"] == "solmix" and solref["value"] == pytest.approx([0.08, 1])
    assert solref["origins"][0].endswith("(not set)")
    assert (
        solref["origins"][1].startswith(f"scene.xml:{line_of('solref=')}:") and "class 'soft'" in solref["origins"][1]
    )
    assert "class 'softer'" in ball["parameters"]["solimp"]["origins"][1]
    assert "class 'main'" in ball["parameters"]["friction"]["origins"][0]
    # an attribute of its own
    margin = ball["parameters"]["margin"]
    assert margin["rule"] == "sum" and margin["origins"][0].startswith(f"scene.xml:{line_of('margin=')}:")
    assert boss["rule"] == "priority of boss" and boss["parameters"]["condim"]["value"] == [1]
    assert len(boss["parameters"]["condim"]["origins"]) == 1
    assert paired["rule"] == "pair" and paired["pair"].startswith(f"scene.xml:{line_of('<pair')}:")
    assert paired["parameters"]["friction"]["value"][:2] == [0.9, 1]


def test_text(folder):
    done = run(folder, "scene.xml", "--parameters")
    assert done.returncode == 0 and done.stdout.startswith("3 contacts")
    for words in ("floor – ball", "rule: solmix 0.25 : 0.75", "rule: priority of boss", "distance -0.01", "larger"):
        assert words in done.stdout, words


def test_table(folder):
    """A line per contact, with bodies and forces."""
    lines = run(folder, "scene.xml").stdout.splitlines()
    assert (
        lines[0].startswith("3 contacts at t = 0") and lines[1].split()[:2] == ["bodies", "geoms"] and len(lines) == 5
    )
    assert lines[2].split()[:8] == ["0", "world", "–", "ball", "floor", "–", "ball", "-0.01"]
    assert len({len(line) for line in lines[1:]}) == 1  # the last column ends in one place


def test_forces_after_a_while(folder):
    """Balls at rest: every contact carries a weight."""
    done = run(folder, "scene.xml", "--after", "3", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 0 and data["time"] == pytest.approx(3)
    weight = 1000 * 4 / 3 * 3.141592653589793 * 0.1**3 * 9.81
    assert len(data["contacts"]) == 4  # the one that fell, too
    for contact in data["contacts"]:
        assert contact["normal_force"] == pytest.approx(weight, rel=0.02) and contact["bodies"][0] == "world"
        assert contact["friction_force"] < 1e-3 * weight
    assert "4 contacts at t = 3" in run(folder, "scene.xml", "--after", "3").stdout
    assert run(folder, "scene.xml", "--after", "-1").returncode == 2


def test_key(folder):
    assert run(folder, "scene.xml", "--key", "up").stdout.startswith("0 contacts")
    assert json.loads(run(folder, "scene.xml", "--key", "0", "--json").stdout)["contacts"] == []
    wrong = run(folder, "scene.xml", "--key", "down")
    assert wrong.returncode == 2 and "'up'" in wrong.stderr


def test_binary_models(folder):
    subprocess.run([PROGRAM, "compile", "scene.xml", "scene.plm"], check=True, capture_output=True, cwd=folder)
    contacts = json.loads(run(folder, "scene.plm", "--json").stdout)["contacts"]
    assert len(contacts) == 3 and contacts[0]["origins"][0].startswith("scene.xml:")


def test_broken_model(folder):
    (folder / "bad.xml").write_text("<mujoco><worldbody><geom size='nan'/></worldbody></mujoco>")
    done = run(folder, "bad.xml")
    assert done.returncode == 2 and "bad.xml:1:" in done.stderr and done.stdout == ""

"""Every command that takes a model takes URDF, with the options that URDF needs."""

import json
import pathlib
import re
import sys

import pytest

import pliant
import pliant.mujoco
from test_cli import run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
import seeds

BOX = '<collision><origin xyz="0 0 0.1"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision>'
INERTIAL = '<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial>'
LIMIT = '<limit lower="-1" upper="1" effort="5" velocity="1"/>'
ROBOT = f"""<robot name="two fingers">
<link name="base">{INERTIAL}{BOX}</link>
<link name="left">{INERTIAL}{BOX}</link>
<link name="right">{INERTIAL}<visual><geometry><mesh filename="package://hand/meshes/part.gltf"/></geometry></visual>
</link>
<joint name="j" type="revolute"><parent link="base"/><child link="left"/><axis xyz="0 1 0"/>{LIMIT}</joint>
<joint name="k" type="revolute"><origin xyz="0.5 0 0"/><parent link="base"/><child link="right"/>
  <axis xyz="0 1 0"/>{LIMIT}
<mimic joint="j" multiplier="-1"/></joint></robot>"""
OPTIONS = ("--package-path", "ws", "--floating-base", "--actuators", "position", "--no-self-collision")

# Commands with a model, and what they print about this one.
COMMANDS = {
    "info": ([], "bodies"),
    "run": (["--steps", "20"], "steps"),
    "render": (["-o", "out.png", "--size", "64x48"], "out.png"),
    "view": (["--seconds", "0.1", "--html", "out.html"], "out.html"),
    "contacts": ([], ""),
    "explain": (["--all"], "mimic"),
    "doctor": ([], ""),
    "why": ([], ""),
    "solvers": ([], "newton"),
    "compile": (["out.plm"], "out.plm"),
    "convert": (["out.xml"], "out.xml"),
}
WITHOUT_MODEL = {"design", "schema", "codes", "plot", "recording", "replay"}


@pytest.fixture
def folder(tmp_path):
    package = tmp_path / "ws" / "hand"
    (package / "meshes" / "images").mkdir(parents=True)
    (package / "meshes" / "part.gltf").write_text(seeds.gltf("part%20data.bin", "images/skin.png"))
    (package / "meshes" / "part data.bin").write_bytes(seeds.mesh_buffer())
    (package / "meshes" / "images" / "skin.png").write_bytes(b"an image")
    (tmp_path / "urdf").mkdir()
    (tmp_path / "urdf" / "robot.urdf").write_text(ROBOT)
    return tmp_path


def test_the_list_is_complete():
    listed = re.search(r"(?s)Subcommands:\n(.*?)\n\n", run("--help").stdout)[1]
    assert {line.split()[0] for line in listed.splitlines() if re.match(r"  \w", line)} == set(COMMANDS) | WITHOUT_MODEL


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command, folder):
    more, says = COMMANDS[command]
    done = run(command, "urdf/robot.urdf", *more, *OPTIONS, folder=folder)
    assert done.returncode in (0, 1), done.stderr  # 1: the doctor has found something
    assert says in (done.stdout + done.stderr).lower()
    assert "E4" not in done.stderr
    bad = run(command, "urdf/robot.urdf", *more, "--actuators", "magic", folder=folder)
    assert bad.returncode == 2


def test_options_arrive_in_every_format(folder):
    for command, out in (("convert", "o.xml"), ("compile", "o.plm")):
        assert run(command, "urdf/robot.urdf", out, *OPTIONS, folder=folder).returncode == 0
        model = pliant.load(folder / out)
        assert (model.nv, model.nu, model.nmesh) == (8, 1, 1)
    told = json.loads(run("info", "urdf/robot.urdf", "--json", *OPTIONS, folder=folder).stdout)
    assert told["sizes"]["nv"] == 8


def test_python_doors(folder, monkeypatch):
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(folder / "ws"))
    path = folder / "urdf" / "robot.urdf"
    assert pliant.load(path).nmesh == 1
    assert pliant.load_string(ROBOT).nmesh == 1
    assert pliant.mujoco.MjModel.from_xml_path(str(path)).nmesh == 1
    assert pliant.mujoco.MjModel.from_xml_string(ROBOT).nmesh == 1
    assert pliant.load(path, urdf={"actuators": "effort"}).nu == 1


def test_gltf_is_copied_with_the_files_it_names(folder):
    other = folder / "ws" / "foot" / "part.gltf"
    other.parent.mkdir()
    other.write_text(seeds.gltf("part data.bin"))  # the same names, in another folder
    (other.parent / "part data.bin").write_bytes(seeds.mesh_buffer()[:-6] + bytes(6))
    second = '<visual><geometry><mesh filename="package://foot/part.gltf"/></geometry></visual></link>'
    (folder / "urdf" / "robot.urdf").write_text(ROBOT.replace("</link>", second, 1))
    done = run(
        "convert", "urdf/robot.urdf", "out/robot.xml", "--copy-assets", "files", "--package-path", "ws", folder=folder
    )
    assert done.returncode == 0 and "no file" not in done.stderr, done.stderr
    copied = sorted(
        str(path.relative_to(folder / "out" / "files"))
        for path in (folder / "out").rglob("*.*")
        if path.name != "robot.xml"
    )
    assert [name.split("/")[0] for name in copied] == ["part"] * 2 + ["part_2"] * 3
    before = pliant.load(folder / "urdf" / "robot.urdf", urdf={"package_paths": [str(folder / "ws")]})
    (folder / "ws").rename(folder / "gone")
    after = pliant.load(folder / "out" / "robot.xml")
    assert (
        after.nmesh == 2 and (after.mesh_vert == before.mesh_vert).all() and (after.mesh_face == before.mesh_face).all()
    )


def test_files_that_gltf_names_and_nobody_has_are_named(folder):
    (folder / "ws" / "hand" / "meshes" / "images" / "skin.png").unlink()
    done = run(
        "convert", "urdf/robot.urdf", "robot.xml", "--copy-assets", "files", "--package-path", "ws", folder=folder
    )
    assert done.returncode == 0
    assert "W650" in done.stderr and "skin.png" in done.stderr


def test_exact_mimics_become_equalities_for_mujoco(folder):
    done = run("convert", "urdf/robot.urdf", "robot.xml", "--for-mujoco", *OPTIONS, folder=folder)
    assert done.returncode == 0 and "<mimic> of joint 'k' becomes an equality" in done.stderr
    import mujoco

    assert mujoco.MjModel.from_xml_path(str(folder / "robot.xml")).neq == 1

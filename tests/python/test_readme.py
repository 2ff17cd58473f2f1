"""README.md: every Python block and every line of the command line runs on its own, and every command is listed."""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
PYTHON = [text for language, text in BLOCKS if language == "python"]
# without the comment at the end of a line
LINES = [
    line.split(" #")[0].strip()
    for language, text in BLOCKS
    if language == ""
    for line in text.splitlines()
    if line.startswith("build/pliant ")
]

ROBOT = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/>
  <body pos="0 0 0.099"><freejoint/><geom size="0.1"/></body></worldbody>
  <keyframe><key name="home" qpos="0 0 0.099 1 0 0 0"/></keyframe></mujoco>"""
URDF = """<robot name="r"><link name="base"><inertial><mass value="1"/>
  <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""


@pytest.fixture
def folder(tmp_path):
    """The folder that README speaks from, with a robot of the reader's own in it."""
    (tmp_path / "models").symlink_to(ROOT / "models")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "pliant").symlink_to(PROGRAM)
    (tmp_path / "robot.xml").write_text(ROBOT)
    (tmp_path / "robot.urdf").write_text(URDF)
    (tmp_path / "run.csv").write_text("time,qpos.lift\n0,0\n0.1,1\n")
    (tmp_path / "DIR").mkdir()
    record = [PROGRAM, "run", "robot.xml", "--steps", "20", "--record", "run.plr"]
    subprocess.run(record, cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def test_there_is_something_to_run():
    assert len(PYTHON) >= 3 and len(LINES) >= 12


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_python_block(number, folder):
    done = subprocess.run([sys.executable, "-c", PYTHON[number]], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, PYTHON[number] + done.stderr
    assert done.stdout


@pytest.mark.parametrize("line", LINES)
def test_command(line, folder):
    done = subprocess.run(shlex.split(line), cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, line + "\n" + done.stdout + done.stderr


def test_every_command_is_listed():
    commands = {path.stem.removeprefix("cmd_") for path in (ROOT / "apps" / "pliant").glob("cmd_*.cpp")}
    listed = {shlex.split(line)[1] for line in LINES}
    assert commands <= listed, commands - listed


def test_the_record_is_there(folder):
    line = next(line for line in LINES if "--record" in line)
    subprocess.run(shlex.split(line), cwd=folder, check=True, capture_output=True)
    assert (folder / "out.npz").stat().st_size > 0

"""`python -m pliant` is the command line."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

import pliant
from test_cli import ROOT, run


def python(*arguments, folder=ROOT):
    folder_of_package = str(pathlib.Path(pliant.__file__).parents[1])
    return subprocess.run(
        [sys.executable, "-m", "pliant", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": folder_of_package},
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["info", "models/drop.xml"],
        ["explain", "models/gripper.xml", "--geoms", "block", "table"],
        ["design", "--restitution", "0.8"],
        ["codes", "D201"],
        ["run", "models/no.xml", "--json"],
    ],
    ids=" ".join,
)
def test_python_prints_what_the_program_prints(arguments):
    ours, theirs = python(*arguments), run(*arguments)
    assert (ours.returncode, ours.stdout, ours.stderr) == (theirs.returncode, theirs.stdout, theirs.stderr)


def test_python_runs_a_model(tmp_path):
    done = python("run", ROOT / "models/drop.xml", "--steps", 20, "--json", "--record", "out.csv", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    theirs = json.loads(run("run", "models/drop.xml", "--steps", 20, "--json").stdout)
    assert json.loads(done.stdout)["state_hash"] == theirs["state_hash"]
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 22


def test_python_refuses_wrong_usage():
    for arguments in (["nonsense"], ["run"], ["run", "models/drop.xml", "--steps", "x"], ["--nonsense"]):
        done = python(*arguments)
        assert done.returncode == 2 and not done.stdout and "python -m pliant" in done.stderr
    assert "Usage: python -m pliant run FILE" in python("run", "--help").stdout


def test_names_of_files_that_are_no_text(tmp_path):
    name = b"caf\xe9.xml"
    (tmp_path / os.fsdecode(name)).write_bytes((ROOT / "models/drop.xml").read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "pliant", "info", name],
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(pathlib.Path(pliant.__file__).parents[1])},
    )
    assert done.returncode == 0 and b"drop" in done.stdout, done.stderr


def test_without_arguments_it_tells_about_itself():
    done = python()
    assert done.returncode == 0 and pliant.__version__ in done.stdout and "--help" in done.stdout


def test_ctrl_c_ends_a_simulation_and_keeps_the_recording(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "pliant", "run", ROOT / "models/drop.xml", "--steps", "1000000000", "--every", "1000",
         "--record", "out.csv", "--json"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(pathlib.Path(pliant.__file__).parents[1])},
    )  # fmt: skip
    while not any(tmp_path.iterdir()):
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and json.loads(out)["end"] == "stopped", err
    assert (tmp_path / "out.csv").exists()

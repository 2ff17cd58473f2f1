"""`make wheel`: a wheel that installs in a fresh environment, brings the command `pliant`, and imports quickly."""

import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.alone  # it measures how long an import takes
@pytest.mark.skipif(not importlib.util.find_spec("auditwheel"), reason="scripts/install-deps --wheel")
def test_the_wheel_works_where_nothing_else_is():
    command = [sys.executable, ROOT / "scripts" / "make-wheel", "--test"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"wrote out/wheels/pliant-[\d.]+-cp\d+-cp\d+-manylinux_\d+_\d+_\w+\.whl: ", done.stdout)


def test_the_command_is_named():
    """pip makes `pliant` from this entry, which calls what `python -m pliant` does."""
    text = (ROOT / "pyproject.toml").read_text()
    assert re.search(r'^\[project\.scripts\]\npliant = "pliant\.__main__:main"$', text, re.MULTILINE)
    from pliant.__main__ import main

    assert callable(main)

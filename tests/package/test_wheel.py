"""`make wheel`: a wheel that installs in a fresh environment, brings the command `pliant`, and imports quickly."""

import importlib.machinery
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
    assert "auditwheel show: clean" in done.stdout


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.skipif(not importlib.util.find_spec("auditwheel"), reason="scripts/install-deps --wheel")
def test_wheels_for_other_pythons():
    """Where there are others: one for each before 3.12, one with the stable ABI for all later ones."""
    loader = importlib.machinery.SourceFileLoader("make_wheel", str(ROOT / "scripts" / "make-wheel"))
    maker = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_wheel", loader))
    loader.exec_module(maker)
    targets = maker.targets(True)
    if len(targets) == 1:
        pytest.skip("no other Python with headers is here")
    command = [sys.executable, ROOT / "scripts" / "make-wheel", "--pythons", "--test"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("auditwheel show: clean") == len(targets)
    assert done.stdout.count("installed in") == sum(len(target.pythons) for target in targets)


def test_the_command_is_named():
    """pip makes `pliant` from this entry, which calls what `python -m pliant` does."""
    text = (ROOT / "pyproject.toml").read_text()
    assert re.search(r'^\[project\.scripts\]\npliant = "pliant\.__main__:main"$', text, re.MULTILINE)
    from pliant.__main__ import main

    assert callable(main)

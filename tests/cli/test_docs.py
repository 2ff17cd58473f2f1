"""docs/mjcf.md and docs/errors.md follow from the schema and the table of codes."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_pages_are_up_to_date():
    script = ROOT / "scripts" / "make-docs"
    run = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr

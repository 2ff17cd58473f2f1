"""docs/fields.md follows from the field lists, and every line of those says something."""

import pathlib
import subprocess
import sys

import pliant

ROOT = pathlib.Path(__file__).resolve().parent.parent


def test_page_is_up_to_date():
    script = ROOT / "scripts" / "make-field-docs"
    run = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_field_has_a_meaning():
    assert [field["name"] for field in pliant.model_fields() if not field["meaning"]] == []
    assert [name for name, meaning in pliant.model_sizes() if not meaning] == []


def test_names_are_unique():
    names = [field["name"] for field in pliant.model_fields()]
    names += [name for name, _ in pliant.model_sizes()]
    assert len(names) == len(set(names))

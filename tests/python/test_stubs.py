"""The stub of the compiled module says what its classes have: names, types and shapes, in both directions."""

import ast
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import pliant
from pliant import _pliant

ROOT = pathlib.Path(__file__).parents[2]
STUB = ROOT / "python" / "pliant" / "_pliant.pyi"
TYPES = {"_Bytes": bytes, "int": int, "float": float, "bool": bool, "str": str}


def members(name):
    """{attribute: (type, comment)} of a class of the stub."""
    text = STUB.read_text()
    lines = text.splitlines()
    node = next(n for n in ast.parse(text).body if isinstance(n, ast.ClassDef) and n.name == name)
    found = {}
    for item in node.body:
        if isinstance(item, ast.AnnAssign):
            found[item.target.id] = (ast.unparse(item.annotation), lines[item.lineno - 1].partition("#")[2].strip())
        elif isinstance(item, ast.FunctionDef):
            found[item.name] = ("", "")
    return found


@pytest.fixture(scope="module")
def objects():
    model = pliant.load(ROOT / "tests" / "parity" / "cases" / "rows_kinds.xml")
    state, data = pliant.State(model), pliant.Data(model)
    pliant.step(model, state, data, 5)
    return {"Model": model, "State": state, "Data": data, "MjOption": model.opt, "MjStatistic": model.stat,
            "Batch": pliant.Batch(model, 3)}  # fmt: skip


def matches(value, annotation):
    if annotation in TYPES:
        return isinstance(value, TYPES[annotation])
    dtype = re.fullmatch(r"NDArray\[np\.(\w+)\]", annotation)
    return bool(dtype) and isinstance(value, np.ndarray) and value.dtype == np.dtype(dtype[1].rstrip("_"))


@pytest.mark.parametrize("name", ["Model", "State", "Data", "MjOption", "MjStatistic", "Batch"])
def test_attributes_have_their_types(objects, name):
    typed = {attribute: given for attribute, given in members(name).items() if given[0]}
    assert len(typed) > 4
    wrong = [
        f"{attribute}: {annotation}, but it is {type(value).__name__} {getattr(value, 'dtype', '')}"
        for attribute, (annotation, _) in typed.items()
        if not matches(value := getattr(objects[name], attribute), annotation)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", ["Model", "State", "Data"])
def test_shapes_are_those_of_the_comments(objects, name):
    model, checked = objects["Model"], 0
    for attribute, (annotation, comment) in members(name).items():
        shape = re.match(r"\((\w+),(?: (\w+))?\)", comment)
        if not annotation.startswith("NDArray") or not shape:
            continue
        wanted = [int(word) if word.isdigit() else getattr(model, word, None) for word in shape.groups() if word]
        if None in wanted:
            continue
        assert getattr(objects[name], attribute).shape == tuple(wanted), attribute
        checked += 1
    assert checked >= 14


@pytest.mark.parametrize("name", ["Model", "State", "Data", "MjOption", "MjStatistic"])
def test_nothing_is_missing(name):
    cls = getattr(_pliant, name)
    public = {attribute for attribute in dir(cls) if not attribute.startswith("_")}
    assert public - set(members(name)) == set()


def test_stubs_are_up_to_date():
    done = subprocess.run([sys.executable, ROOT / "scripts" / "make-stubs", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

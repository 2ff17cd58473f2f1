"""The notebooks of examples/: they run, and what is stored is what they say now."""

import importlib.util
import pathlib
from importlib.machinery import SourceFileLoader

import pytest

nbformat = pytest.importorskip("nbformat", reason="no nbformat: pip install -r requirements-notebook.txt")
pytest.importorskip("nbclient", reason="no nbclient: pip install -r requirements-notebook.txt")
pytest.importorskip("ipykernel", reason="no ipykernel: pip install -r requirements-notebook.txt")

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples" / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))


def maker():
    """scripts/make-notebooks as a module."""
    loader = SourceFileLoader("make_notebooks", str(ROOT / "scripts" / "make-notebooks"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_notebooks", loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", NAMES)
def test_stored_notebooks_are_those_of_the_texts(name):
    stored = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(stored)
    wanted = maker().cells_of((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    assert [(c.cell_type, c.source) for c in stored.cells] == [(c.cell_type, c.source) for c in wanted]
    code = [c for c in stored.cells if c.cell_type == "code"]
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))
    assert not any(output.output_type == "error" for c in code for output in c.outputs)


def test_there_are_pictures_and_tables_in_them():
    text = "".join((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8") for name in NAMES)
    assert text.count("data:image/png;base64") >= 3 and text.count("<table>") >= 6


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_they_run_and_show_what_is_stored(name):
    if name == "viewer":
        pytest.importorskip("viser", reason="no viser: pip install -r requirements-viewer.txt")
    now = maker().executed(FOLDER / f"{name}.py")
    stored = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)

    def shown(notebook):
        """Kinds of output of every cell; numbers may differ in their last digits between machines."""
        return [[(o.output_type, sorted(o.get("data", {}))) for o in c.get("outputs", [])] for c in notebook.cells]

    assert shown(now) == shown(stored)

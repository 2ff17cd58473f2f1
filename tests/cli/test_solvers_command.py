"""pliant solvers: table, JSON, page; states by keyframe and after some time."""

import json
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "build" / "pliant"


def solvers(*arguments):
    return subprocess.run([PROGRAM, "solvers", *arguments], cwd=ROOT, capture_output=True, text=True)


def test_all_solvers_find_the_same_answer():
    done = solvers("models/drop.xml", "--after", "1", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["rows"] > 0 and result["contacts"] > 0
    assert result["disagreement"] < 1e-6
    rows = {row["solver"]: row for row in result["solvers"]}
    assert set(rows) == {"Newton", "CG", "PGS", "TGS", "auto"} and result["chosen"] == "Newton"
    for row in rows.values():
        if row["converged"]:
            assert row["gap"] < result["tolerance"]
        assert row["microseconds"] > 0
    assert rows["Newton"]["converged"] and rows["Newton"]["error"] < 1e-4
    # more iterations, smaller gap: the curve of Newton ends far below where it began
    gaps = rows["CG"]["gaps"]
    assert min(gaps) <= gaps[0]
    assert len(rows["TGS"]["times"]) == len(rows["TGS"]["gaps"]) and min(rows["TGS"]["gaps"]) <= rows["TGS"]["gaps"][0]


def test_table_and_page(tmp_path):
    page = tmp_path / "page.html"
    done = solvers("models/drop.xml", "--after", "1", "--html", page)
    assert done.returncode == 0, done.stderr
    for word in ("Newton", "CG", "PGS", "TGS", "gap", "proven", "(the model's)"):
        assert word in done.stdout
    text = page.read_text()
    assert text.count("<svg") == 2 and "polyline" in text


def test_what_auto_takes_is_said_for_every_island():
    done = solvers("models/drop.xml", "--after", "1", "--json")
    result = json.loads(done.stdout)
    assert len(result["choices"]) == result["islands"]
    assert sum(choice["rows"] for choice in result["choices"]) == result["rows"]
    for choice in result["choices"]:
        assert choice["why"].startswith(("nothing to do:", "CG", "Newton:"))
    text = solvers("models/drop.xml", "--after", "1").stdout
    assert "what auto takes, by islands" in text
    assert all(choice["why"] in text for choice in result["choices"])


def test_nothing_to_solve():
    done = solvers("models/drop.xml")
    assert done.returncode == 0 and "no constraints in this state" in done.stdout


@pytest.mark.parametrize("arguments, message", [
    (["models/drop.xml", "--key", "nowhere"], "there is no keyframe 'nowhere'"),
    (["models/none.xml"], "none.xml"),
    (["models/drop.xml", "--after", "-1"], "--after"),
    (["models/drop.xml", "--html", "/nowhere/page.html"], "cannot write /nowhere/page.html"),
])  # fmt: skip
def test_messages(arguments, message):
    done = solvers(*arguments)
    assert done.returncode != 0 and message in done.stdout + done.stderr

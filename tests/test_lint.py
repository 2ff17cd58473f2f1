"""scripts/lint finds what it should, where it is, and says nothing about the rest."""

import json
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent

# the same local name in both: they cannot be read as one text
CPP = "namespace {\n\nint same(int x) { return x; }\n\n}  // namespace\n\n"
CLEAN = {
    "src/one.cpp": CPP + "int one(int x) { return same(x); }\n",
    "src/two.cpp": CPP + "int two(int x) { return same(x); }\n",
    "src/use.h": "#pragma once\n\nint one(int x);\nint two(int x);\n",
    "src/three.cpp": '#include "use.h"\n\nint three() { return one(1) + two(2); }\n',
    "tests/good.py": "import os\n\nprint(os.sep)\n",
}


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def project(tmp_path):
    tools = ROOT / ".venv"
    if not (tools / "bin" / "clang-tidy").exists():
        pytest.skip("the tools are not in .venv: run scripts/install-deps")
    for name in (".clang-format", ".clang-tidy", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "scripts").mkdir()
    for name in ("lint", "file_groups.py"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts")
    (tmp_path / ".venv").symlink_to(tools)
    write(tmp_path, CLEAN)
    (tmp_path / ".gitignore").write_text(".venv\nbuild/\n")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path


def lint(project, *arguments):
    command = [sys.executable, "scripts/lint", "--report", "report.json", *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    report = json.loads((project / "report.json").read_text())
    failed = {check["name"].removeprefix("lint: ") for check in report if not check["passed"]}
    assert (done.returncode == 0) == (not failed), done.stdout + done.stderr
    return failed, done.stdout


def test_clean_code_is_clean_and_remembered(project):
    failed, text = lint(project)
    assert not failed, text
    assert "3 of 3 files checked in 2 groups" in text
    assert "0 of 3 files checked" in lint(project)[1]
    # a header that a group reads counts, too
    write(project, {"src/use.h": CLEAN["src/use.h"] + "int four();\n"})
    assert "2 of 3 files checked in 1 groups" in lint(project)[1]


@pytest.mark.parametrize(
    ("check", "name", "text", "place"),
    [
        ("clang-format", "src/two.cpp", "int  two(){return 1;}\n", "src/two.cpp:1:4: not as clang-format writes it"),
        ("ruff format", "tests/bad.py", "x=[1,2]\n", "tests/bad.py:1:2: not as ruff format writes it"),
        ("columns", "src/two.cpp", f"// {'x' * 128}\n", "src/two.cpp:1:121: the line has 131 columns"),
        ("ruff", "tests/bad.py", "import os\n", "tests/bad.py:1:8: F401"),
        ("clang-tidy", "src/two.cpp", CPP + "bool two(int x) { return same(x) == x || x == x; }\n",
         "src/two.cpp:7:44: "),
        ("clang-tidy", "src/two.cpp", CPP + "int two() { return missing(1); }\n", "src/two.cpp:7:20: "),
        ("clang-tidy", "src/use.h", CLEAN["src/use.h"] + "inline bool odd(int x) { return x != x; }\n",
         "src/use.h:5:35"),
    ],
)  # fmt: skip
def test_each_check_finds_its_mistake(project, check, name, text, place):
    write(project, {name: text})
    failed, printed = lint(project, "--only", check)
    assert failed == {check}, printed
    assert any(line.startswith(place) for line in printed.splitlines()), printed


def test_fix_mends_what_the_formatters_can(project):
    write(
        project,
        {"src/two.cpp": "int  two(){return 1;}\n", "tests/bad.py": "import sys\nimport os\nx=[os.sep,sys.path]\n"},
    )
    failed, printed = lint(project, "--fix")
    assert not failed, printed
    assert (project / "src/two.cpp").read_text() == "int two() { return 1; }\n"

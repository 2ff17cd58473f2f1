"""--json, --quiet and --progress: every command has the first two, what may take long has the third."""

import json
import os
import pty
import re
import subprocess

import pytest

from test_cli import FAILS, PROGRAM, ROOT, WARNS, file, run  # noqa: F401 (a fixture)

DROP = "models/drop.xml"
CALLS = {
    "info": ["info", DROP],
    "run": ["run", DROP, "--steps", "20"],
    "render": ["render", DROP, "-o", "@/x.png", "--size", "20x15"],
    "view": ["view", DROP, "--seconds", "0.1", "--html", "@/x.html"],
    "plot": ["plot", "@/run.csv", "-o", "@/x.svg"],
    "replay": ["replay", "@/run.plr"],
    "why": ["why", "@/run.plr"],
    "recording": ["recording", "@/run.plr"],
    "contacts": ["contacts", "models/stack_of_boxes.xml"],
    "explain": ["explain", "models/stack_of_boxes.xml", "--all"],
    "design": ["design", "--restitution", "0.5"],
    "doctor": ["doctor", DROP, "--seconds", "0.1"],
    "solvers": ["solvers", "models/stack_of_boxes.xml"],
    "compile": ["compile", DROP, "@/x.plm"],
    "convert": ["convert", DROP, "@/x.xml"],
    "schema": ["schema"],
    "codes": ["codes"],
}
WRITES = ("render", "view", "plot", "compile", "convert")
LONG = {"why", "run", "render", "view", "explain", "doctor", "solvers"}
PROGRESS = re.compile(r"(\d+) %  \S+ of \S+ (\w+)  \S+ \2/s .*left")


@pytest.fixture
def call(tmp_path):
    def made(name, *more):
        for recording in (word for word in CALLS[name] if word.startswith("@/run.")):
            run("run", DROP, "--steps", "20", "--record", recording.replace("@", str(tmp_path)))
        words = [word.replace("@", str(tmp_path)) for word in CALLS[name]]
        return run(*words, *more)

    return made


def test_every_command_is_here():
    names = re.findall(r"^  (\w+) +[A-Z]", run("--help").stdout, re.M)
    assert sorted(names) == sorted(CALLS)
    for name in names:
        shown = run(name, "--help").stdout
        assert "--json" in shown and "--quiet" in shown, name
        assert ("--progress" in shown) == (name in LONG), name


@pytest.mark.parametrize("name", CALLS)
def test_json(call, name):
    done = call(name, "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    if name in WRITES:
        assert found["ok"] is True and found["diagnostics"] == [] and os.path.exists(found["output"])


@pytest.mark.parametrize("name", CALLS)
def test_quiet(call, name):
    done = call(name, "--quiet")
    assert done.returncode == 0 and done.stdout == "" and done.stderr == ""


@pytest.mark.parametrize("name", WRITES)
def test_failures_are_json_too(tmp_path, name):
    words = [word.replace("@", str(tmp_path)) for word in CALLS[name]]
    words[1] = str(tmp_path / ("no.npz" if name in ("plot", "view") else "no.xml"))
    done = run(*words, "--json", "--quiet")
    assert done.returncode == 2 and json.loads(done.stdout)["ok"] is False and done.stderr


def test_quiet_keeps_errors_and_drops_warnings(file):  # noqa: F811
    path = file.folder / file(WARNS)
    assert "W" in run("compile", path, file.folder / "m.plm").stderr
    warned = run("compile", path, file.folder / "m.plm", "--quiet")
    assert warned.returncode == 0 and warned.stdout == warned.stderr == ""
    failed = run("compile", file.folder / file(FAILS), file.folder / "m.plm", "--quiet")
    assert failed.returncode == 2 and "gravty" in failed.stderr and failed.stdout == ""


def test_progress_says_rate_and_time_left(tmp_path):
    """Not on a terminal: lines, one every two seconds, on standard error; JSON stays JSON."""
    words = [PROGRAM, "run", ROOT / "models/stack_of_boxes.xml", "--seconds", "1e6", "--json", "--progress"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        line = running.stderr.readline()
        running.terminate()
        out, _ = running.communicate()
    assert PROGRESS.search(line) and "x real time" in line and " h " in line, line
    assert json.loads(out)["end"] == "stopped"
    silent = run("run", DROP, "--steps", "20")
    assert silent.stderr == ""


def test_on_a_terminal_it_is_drawn_and_wiped_away(tmp_path):
    try:
        ours, theirs = pty.openpty()
    except OSError as problem:
        pytest.skip(f"there is no terminal to be had: {problem}")  # containers without /dev/pts
    words = [PROGRAM, "run", ROOT / "models/stack_of_boxes.xml", "--seconds", "1e6"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=theirs) as running:
        seen = b""
        while seen.count(b"left") < 3:
            seen += os.read(ours, 4096)
        running.terminate()
        running.wait()
    os.close(theirs)
    rest = b""
    try:
        while part := os.read(ours, 4096):
            rest += part
    except OSError:
        pass  # the other end is closed
    os.close(ours)
    assert PROGRESS.search(seen.decode()) and b"\r\x1b[K[" in seen
    assert (seen + rest).rstrip().endswith(b"\x1b[K")


def test_progress_and_quiet_exclude_each_other():
    done = run("run", DROP, "--quiet", "--progress")
    assert done.returncode == 2 and "exclude" in done.stderr

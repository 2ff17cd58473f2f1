"""The campaign of scripts/soak: it adds up, resumes, finds what is planted, and makes it small."""

import importlib.machinery
import importlib.util
import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import pliant
import random_control
import seeds
from pliant.scale import start_state

loader = importlib.machinery.SourceFileLoader("soak", str(seeds.ROOT / "scripts" / "soak"))
soak = importlib.util.module_from_spec(importlib.util.spec_from_loader("soak", loader))
loader.exec_module(soak)


class Counting:
    """A target that does what it is told."""

    name, unit = "counting", "numbers"

    def __init__(self, found=()):
        self.seeds, self.found = [], found

    def slice(self, seed, seconds):
        self.seeds.append(seed)
        return soak.Slice(inputs=10, steps=3, found=self.found if seed == 2 else ())


def run(target, totals, tmp_path, slices):
    while len(target.seeds) < slices:
        soak.campaign([target], totals, 0.01, 1, "abc", found=tmp_path / "found")


def test_totals_add_up_and_no_seed_is_used_twice(tmp_path):
    path = tmp_path / "totals.json"
    first = Counting()
    run(first, soak.Totals(path), tmp_path, 2)
    second = Counting()
    run(second, soak.Totals(path), tmp_path, 2)  # as after a restart
    used = first.seeds + second.seeds
    assert used == list(range(len(used)))
    done = json.loads(path.read_text())
    assert done["targets"]["counting"]["inputs"] == 10 * len(used) == done["commits"]["abc"]["inputs"]
    assert done["targets"]["counting"]["steps"] == 3 * len(used)


@pytest.mark.parametrize("together", [False, True])
def test_slices_that_share_nothing_run_side_by_side(together, tmp_path):
    class Waiting(Counting):
        running = most = 0

        def slice(self, seed, seconds):
            with guard:
                self.running += 1
                self.most = max(self.most, self.running)
            time.sleep(0.05)
            with guard:
                self.running -= 1
            return super().slice(seed, seconds)

    guard, target = threading.Lock(), Waiting()
    target.together = together
    soak.campaign([target], soak.Totals(tmp_path / "totals.json"), 0.3, 2, "abc", found=tmp_path / "found")
    assert target.most == (2 if together else 1)
    assert sorted(target.seeds) == list(range(len(target.seeds)))


def test_findings_are_kept_and_named(tmp_path):
    totals = soak.Totals(tmp_path / "totals.json")
    run(Counting([("it broke | here", b"bytes")]), totals, tmp_path, 3)
    assert (tmp_path / "found" / "counting" / "000.input").read_bytes() == b"bytes"
    text = soak.page(totals)
    assert "| counting | it broke / here | abc | open |" in text and "1 findings, 1 of them open" in text


def test_a_planted_crash_is_found_and_made_small(tmp_path, monkeypatch):
    """A program that dies on inputs with an X: of a long input two bytes remain at most."""
    program = tmp_path / "program"
    program.write_text(
        f"#!{sys.executable}\n"
        "import os, sys\n"
        "paths = sys.argv[3:]\n"
        "bad = [p for p in paths if b'X' in open(p, 'rb').read()]\n"
        "if bad or int(sys.argv[2]) > 0:\n"
        "    open('fuzz-stl.input', 'wb').write(b'a' * 300 + b'X' + b'b' * 200)\n"
        "    os.abort()\n"
        "print('stl: slowest 0.001 s')\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(soak, "WORK", tmp_path / "work")
    done = soak.Files("stl", program).slice(5, 1)
    assert done.inputs == 0 and len(done.found) == 1
    text, data = done.found[0]
    assert "seed 5" in text and data == b"X"


@pytest.mark.parametrize(("code", "hangs"), [("while True: pass", True), ("import time; time.sleep(2.5)", False)])
def test_hangs_are_measured_in_processor_time(code, hangs, monkeypatch):
    """A program that computes for ever hangs; one that waits, as beside others on a busy machine, does not yet."""
    monkeypatch.setattr(soak, "GRACE", 0.5)
    assert (soak.run([sys.executable, "-c", code], 0.5)[0] is None) == hangs


def test_minimised_keeps_what_matters():
    both = b"0123456789" * 20 + b"left" + b"." * 100 + b"right" + b"!" * 50
    small = soak.minimised(both, lambda data: b"left" in data and b"right" in data)
    assert small == b"leftright"
    assert soak.minimised(b"fine", lambda data: False) == b"fine"


def test_other_seeds_are_other_mutations(tmp_path):
    """The program of the fuzz targets: the same count, whatever the seed."""
    target = soak.Files("stl")
    monkey = soak.WORK
    soak.WORK = tmp_path
    try:
        assert [target.slice(seed, 0.5).found for seed in (3, 4)] == [[], []]
    finally:
        soak.WORK = monkey


def test_the_page_is_up_to_date():
    done = subprocess.run([sys.executable, seeds.ROOT / "scripts" / "soak", "--page", "--check"], text=True,
                          capture_output=True)  # fmt: skip
    assert done.returncode == 0, done.stdout


# ---- random control ------------------------------------------------------------------------------


def outcome():
    model = pliant.load(seeds.ROOT / "models" / "gripper.xml")
    start = np.repeat(start_state(model)[None], 2, 0)
    control = random_control.controls(model, np.random.default_rng(0), 2, 40)
    control[1, 25] = np.nan
    result = pliant.rollout(model, start, control, control_spec=random_control.control_spec(), on_fault="ignore")
    return model, start, result


def test_a_world_that_stops_with_a_reason_is_no_finding():
    model, start, result = outcome()
    assert result.status[1] != 0 and result.steps.tolist() == [40, 25]
    assert random_control.problems(model, start, result) == []


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda r: r.state.__setitem__((0, 7, 3), np.nan), "not finite"),
        (lambda r: r.state.__setitem__((0, slice(20, None), 0), 0.0), "time went"),
        (lambda r: r.sensordata.__setitem__((0, 3, 0), np.inf), "a sensor is not finite"),
        (lambda r: r.state.__setitem__((1, 30, 1), 0.123), "the state has changed"),
        (lambda r: r.faults.clear(), "nobody says why"),
    ],
)
def test_silence_is_found(spoil, words):
    model, start, result = outcome()
    if "sensor" in words and result.sensordata.shape[2] == 0:
        pytest.skip("the model has no sensors")
    spoil(result)
    assert any(words in problem for problem in random_control.problems(model, start, result))


def test_time_of_trials_is_that_of_the_processor(monkeypatch, capsys):
    """A machine that does other things makes slices longer on the clock, not emptier."""
    clock, made = [0.0], []
    monkeypatch.setattr(random_control.time, "process_time", lambda: clock[0])
    monkeypatch.setattr(random_control.time, "monotonic", lambda: 1e6 * len(made))

    def run(self, number):
        made.append(number)
        clock[0] += 1.0

    monkeypatch.setattr(random_control.Trials, "run", run)
    assert random_control.main(["1", "5"]) == 0
    assert made == [0, 1, 2, 3, 4] and json.loads(capsys.readouterr().out)["inputs"] == 5


def test_ctrl_c_keeps_what_was_done(tmp_path):
    """The campaign ends at once, and the slice under way is written down."""
    program = (
        "import importlib.machinery as m, importlib.util as u, pathlib, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # (ignored where tests run in the background)
        f"loader = m.SourceFileLoader('soak', {str(seeds.ROOT / 'scripts' / 'soak')!r})\n"
        "soak = u.module_from_spec(u.spec_from_loader('soak', loader))\n"
        "loader.exec_module(soak)\n"
        f"totals = soak.Totals(pathlib.Path({str(tmp_path / 'totals.json')!r}))\n"
        "print('begin', flush=True)\n"
        f"soak.campaign([soak.Control()], totals, 600, 1, 'abc', 600, found=pathlib.Path({str(tmp_path)!r}))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], start_new_session=True, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    assert process.stdout.readline() == "begin\n"
    time.sleep(8)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=120)
    done = json.loads((tmp_path / "totals.json").read_text())["targets"]["random control"]
    assert done["next_seed"] == 1 and done["steps"] > 0 and done["findings"] == 0 and done["seconds"] < 120


def test_trials_can_be_made_again(capsys):
    for _ in range(2):
        assert random_control.main(["--trial", "1", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == lines[2:] and json.loads(lines[1])["inputs"] == 1


def test_sizes_of_models_are_counted():
    """Every model has a class, its steps are counted there, and models of many dofs or contacts make fewer."""
    trials = random_control.Trials(1)
    for number in range(12):
        trials.run(number)
    assert sum(trials.classes.values()) == trials.steps > 0 and trials.found == []
    for contype, size in (0, (random_control.WORLDS, 62)), (1, (2, 10)):
        bodies = f"<body><joint/><geom size='.1' contype='{contype}'/></body>" * 100
        model = pliant.load_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
        assert random_control.class_of(model) == "100 dofs and more"
        assert random_control.size_of(model) == size
    totals = soak.Totals(seeds.ROOT / "nowhere.json")
    totals.write = lambda: None
    totals.of(soak.Control.name)
    for _ in range(2):
        totals.add(soak.Control.name, "abc", soak.Slice(steps=7, classes={"3 to 9 dofs": 5, "1 to 2 dofs": 2}), 1)
    assert "| 1 to 2 dofs | 4 |\n| 3 to 9 dofs | 10 |" in soak.page(totals)


def test_a_rollout_in_parts_is_the_rollout():
    """Parts bound the memory, and change neither states nor what stops."""
    paths = random_control.Trials(2), random_control.Trials(2)
    whole, parts = [], []
    for trials, most, seen in zip(paths, (10**9, 2000), (whole, parts), strict=True):
        original, random_control.MOST_NUMBERS = random_control.MOST_NUMBERS, most
        part = trials.part
        trials.part = lambda *arguments, part=part, seen=seen: seen.append(part(*arguments)) or seen[-1]
        try:
            trials.run(1)
        finally:
            random_control.MOST_NUMBERS = original
    assert len(whole) == 1 < len(parts) and paths[0].steps == paths[1].steps
    assert (whole[0].status == 0).all()
    np.testing.assert_array_equal(whole[0].state, np.concatenate([part.state for part in parts], axis=1))


def test_a_slow_step_is_found_among_quick_ones(monkeypatch):
    """Only a step above the bound counts, not many steps together."""
    model = pliant.load(seeds.ROOT / "models" / "drop.xml")
    start, control = start_state(model)[None], np.zeros((1, 5, model.nu + model.nv))
    clock, original, calls, fourth = [0.0], random_control.roll, [], [0.4]

    def slow(model, start, warmstart, control):
        calls.append(control.shape[1])
        clock[0] += sum(0.4 if len(calls) != 4 else fourth[0] for _ in range(control.shape[1]))
        return original(model, start, warmstart, control)

    monkeypatch.setattr(random_control, "roll", slow)
    monkeypatch.setattr(random_control.time, "process_time", lambda: clock[0])
    for late, words in ((0.4, []), (1.5, ["drop: a step of 1.5 s"])):
        calls.clear()
        fourth[0] = late
        trials = random_control.Trials(0)
        trials.part("drop", model, start, np.zeros((1, model.nv)), control)
        assert calls == [5, 1, 1, 1, 1, 1] and trials.found == words

"""Recordings of `pliant run`: formats, killed runs, full disks, the flight recorder, replay."""

import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import pliant
from pendulum import pendulum
from pendulum import run_in as run
from test_cli import PROGRAM, ROOT

PENDULUM = pendulum()
SWING = PENDULUM.replace('<freejoint name="root"/>', "")
# it falls so fast that its velocity passes 1e10 after two seconds
FALLS = PENDULUM.replace("<option ", '<option gravity="0 0 -5e9" ')


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pendulum.xml").write_text(PENDULUM)
    (tmp_path / "falls.xml").write_text(FALLS)
    (tmp_path / "swing.xml").write_text(SWING)
    return tmp_path


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# ---- the commands


def test_what_is_in_it(folder):
    done = run(folder, "run", "pendulum.xml", "--steps", 50, "--ctrl", "noise:1,3", "--record", "r.plr",
               "--fields", "xpos")  # fmt: skip
    assert done.returncode == 0 and "51 rows" in done.stdout, done.stderr
    assert names(folder) == ["falls.xml", "pendulum.xml", "r.plr", "swing.xml"]
    done = run(folder, "recording", "r.plr")
    assert done.returncode == 0 and not done.stderr
    for words in ("rows       51: t = 0 … 0.5, steps 0 … 50", "end        finished", "timestep 0.01", "pendulum.xml"):
        assert words in done.stdout
    data = json.loads(run(folder, "recording", "r.plr", "--json").stdout)
    fields = {field["name"]: field for field in data["fields"]}
    assert (
        data["rows"] == 51
        and data["whole"]
        and fields["xpos"] == {"name": "xpos", "of": "Data", "count": 3, "width": 3}
    )
    assert {"time", "qpos", "qvel", "ctrl", "xfrc_applied", "qacc_warmstart"} <= set(fields)


def test_conversion(folder):
    for name in ("r.plr", "direct.npz", "direct.csv"):
        arguments = ("--steps", 20, "--ctrl", "noise:1,3", "--fields", "qpos,ctrl,xpos")
        assert run(folder, "run", "pendulum.xml", *arguments, "--record", name).returncode == 0
    for end in ("npz", "csv"):
        done = run(folder, "recording", "r.plr", "--fields", "qpos,ctrl,xpos", "-o", f"made.{end}")
        assert done.returncode == 0 and "21 rows" in done.stdout
        assert (folder / f"made.{end}").read_bytes() == (folder / f"direct.{end}").read_bytes()
    done = run(folder, "recording", "r.plr", "--fields", "qpoz", "-o", "x.csv")
    assert done.returncode == 2 and "did you mean 'qpos'" in done.stderr and not (folder / "x.csv").exists()
    assert run(folder, "recording", "r.plr", "--fields", "qpos").returncode == 2


def test_other_commands_take_it(folder):
    assert run(folder, "run", "pendulum.xml", "--steps", 20, "--record", "r.plr").returncode == 0
    (folder / "pendulum.xml").unlink()  # the model is inside
    assert run(folder, "view", "r.plr", "--html", "r.html").returncode == 0
    assert run(folder, "plot", "r.plr", "--fields", "qpos.hinge", "-o", "r.svg").returncode == 0
    done = run(folder, "render", "r.plr", "-o", "r_%02d.png", "--size", "32x24", "--fps", "20")
    assert done.returncode == 0 and "5 pictures" in done.stdout, done.stderr


def test_refusals(folder):
    (folder / "text.plr").write_text("this is no recording")
    (folder / "empty.plr").write_bytes(b"")
    run(folder, "run", "pendulum.xml", "--steps", 5, "--record", "good.plr")
    data = bytearray((folder / "good.plr").read_bytes())
    data[8] = 77
    (folder / "later.plr").write_bytes(data)
    for name, why in (
        ("text.plr", "does not begin as one"),
        ("empty.plr", "it is empty"),
        ("later.plr", "of another version"),
        ("nothing.plr", "No such file"),
        ("god.plr", "did you mean 'good.plr'"),
        (".", "Is a directory"),
    ):
        for command in ("recording", "replay"):
            done = run(folder, command, name)
            assert done.returncode == 2 and why in done.stderr, (command, name, done.stderr)


# ---- what survives


def check_leftover(folder, note="no end|cut short"):
    """What a killed run has left: nothing to speak of, or a recording that is right as far as it goes."""
    left = list(folder.glob("*.part"))
    if not left:
        return 0
    done = run(folder, "recording", left[0].name, "--json")
    if done.returncode == 2:
        assert "empty" in done.stderr or "before its head was whole" in done.stderr, done.stderr
        return 0
    data = json.loads(done.stdout)
    assert done.returncode == 1 and not data["whole"] and data["note"] and data["note"] in done.stderr
    if data["rows"]:
        replayed = run(folder, "replay", left[0].name, "--json")
        assert replayed.returncode == 0 and json.loads(replayed.stdout)["same"], replayed.stderr
    return data["rows"]


def kill(folder, after):
    old = (folder / "r.plr").read_bytes()
    process = subprocess.Popen([PROGRAM, "run", "pendulum.xml", "--steps", "1000000000", "--record", "r.plr"],
                               cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    time.sleep(after)
    process.kill()
    process.wait()
    assert (folder / "r.plr").read_bytes() == old  # the one before is there until the new one is whole
    rows = check_leftover(folder)
    for path in folder.glob("*.part"):
        path.unlink()
    return rows


def killed(folder, times, longest):
    assert run(folder, "run", "pendulum.xml", "--steps", 3, "--record", "r.plr").returncode == 0
    moments = random.Random(7)
    rows = [kill(folder, moments.uniform(0, longest)) for _ in range(times)]
    assert max(rows) > 100
    return rows


def test_killed_runs(folder):
    killed(folder, 6, 0.8)


@pytest.mark.slow
def test_many_killed_runs(folder):
    rows = killed(folder, 200, 0.4)
    print(f"200 killed runs, {sum(r > 0 for r in rows)} with rows, {max(rows)} at most")


def test_a_killed_run_to_npz_leaves_its_rows(folder):
    process = subprocess.Popen([PROGRAM, "run", "pendulum.xml", "--steps", "1000000000", "--record", "r.npz"],
                               cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    deadline = time.time() + 30
    left = folder / "r.npz.rows.part"
    while time.time() < deadline and not (left.exists() and left.stat().st_size > 100_000):
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert not (folder / "r.npz").exists()
    with pytest.warns(RuntimeWarning, match="no end|cut short"):
        assert len(pliant.read_recording(left)) > 100


def limited(folder, words, size):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return run(folder, *words, preexec_fn=limit)


@pytest.mark.parametrize("size", [100, 30_000, 600_000])
def test_full_disk(folder, size):
    (folder / "r.plr").write_text("what was there before")
    done = limited(folder, ["run", "pendulum.xml", "--steps", 20_000, "--record", "r.plr"], size)
    assert done.returncode == 2 and "cannot write r.plr: File too large" in done.stderr, done.stderr
    assert (folder / "r.plr").read_text() == "what was there before" and "recorded" not in done.stdout
    part = folder / "r.plr.part"
    assert part.exists() == (size == 600_000)
    if part.exists():
        assert "what was recorded before is in r.plr.part" in done.stderr
        data = json.loads(run(folder, "recording", "r.plr.part", "--json").stdout)
        assert data["rows"] > 500 and part.stat().st_size <= size
        assert run(folder, "replay", "r.plr.part").returncode == 0
    assert [name for name in names(folder) if not name.endswith((".xml", "r.plr", "r.plr.part"))] == []


def test_places_that_cannot_be_written(folder):
    done = run(folder, "run", "pendulum.xml", "--steps", 5, "--record", "nowhere/r.plr")
    assert done.returncode == 2 and "cannot write nowhere/r.plr: No such file" in done.stderr
    done = run(folder, "run", "pendulum.xml", "--steps", 5, "--record", "/proc/r.plr")
    assert done.returncode == 2 and "cannot write /proc/r.plr" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_read_only_folder(folder):
    (folder / "closed").mkdir()
    (folder / "closed").chmod(0o555)
    done = run(folder, "run", "pendulum.xml", "--steps", 5, "--record", "closed/r.plr")
    assert done.returncode == 2 and "Permission denied" in done.stderr


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_device(folder):
    (folder / "r.plr").symlink_to("/dev/full")
    done = run(folder, "run", "pendulum.xml", "--steps", 5, "--record", "r.plr")
    assert done.returncode == 2 and "No space left on device" in done.stderr


# A process begins with the memory of the one that started it, so that a small one starts it.
MEASURE = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss)
sys.exit(status != 0)
"""


def peak(folder, steps, file, every=1):
    """Most memory of a run [kB]."""
    words = ["run", "swing.xml", "--steps", steps, "--record", file, "--every", every]
    done = subprocess.run([sys.executable, "-S", "-E", "-c", MEASURE, PROGRAM, *map(str, words)], cwd=folder,
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return int(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("file", ["r.plr", "r.npz"])
def test_memory_does_not_grow(folder, file):
    few, many = peak(folder, 5_000, file), peak(folder, 100_000, file)
    assert many < few + 2000, (few, many)  # all rows would be 20 MB


@pytest.mark.slow
def test_memory_does_not_grow_in_ten_million_steps(folder):
    few, many = peak(folder, 100_000, "r.plr"), peak(folder, 10_000_000, "r.plr", every=10)
    (folder / "r.plr").unlink()  # some hundred megabytes
    print(f"memory: {few} kB for 1e5 steps, {many} kB for 1e7")
    assert many < few + 2000


# ---- the flight recorder


def test_a_fault_is_written_and_replayed(folder):
    done = run(folder, "run", "falls.xml", "--steps", 1000, "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 1 and data["flight"]["file"] == "falls.flight.plr"
    found = json.loads(run(folder, "recording", "falls.flight.plr", "--json").stdout)
    assert found["end"] == "fault" and found["events"][0]["text"] == data["message"]
    assert found["rows"] == data["flight"]["rows"] == data["steps"] + 1  # five seconds would be 501
    for more in ([], ["--until-fault"], ["--from", "1.5"]):
        done = run(folder, "replay", "falls.flight.plr", "--json", *more)
        replayed = json.loads(done.stdout)
        assert done.returncode == 0 and replayed["same"] and replayed["fault"] == data["message"]
    assert "as recorded" in run(folder, "replay", "falls.flight.plr").stdout
    replayed = json.loads(run(folder, "replay", "falls.flight.plr", "--to", "1", "--json").stdout)
    assert replayed["steps"] == 100 and not replayed["fault"]


def test_it_keeps_the_last_seconds(folder):
    done = run(folder, "run", "pendulum.xml", "--steps", 300, "--flight", "f.plr", "--flight-seconds", 0.5)
    assert done.returncode == 0 and "flight     f.plr: the last 51 states" in done.stdout
    data = json.loads(run(folder, "recording", "f.plr", "--json").stdout)
    assert data["rows"] == 51 and data["stop"] == pytest.approx(2.99) and data["end"] == "finished"
    assert run(folder, "replay", "f.plr").returncode == 0


def test_it_is_not_written_without_a_reason(folder):
    before = names(folder)
    assert run(folder, "run", "pendulum.xml", "--steps", 300).returncode == 0
    assert run(folder, "run", "falls.xml", "--steps", 300, "--flight-seconds", 0).returncode == 1
    assert names(folder) == before
    # a recording has the same and more
    assert run(folder, "run", "falls.xml", "--steps", 300, "--record", "r.plr").returncode == 1
    assert names(folder) == sorted([*before, "r.plr"])
    assert "as recorded" in run(folder, "replay", "r.plr").stdout


def test_a_place_that_it_cannot_write(folder):
    done = run(folder, "run", "falls.xml", "--steps", 300, "--flight", "nowhere/f.plr")
    assert done.returncode == 1 and "the flight recorder: cannot write nowhere/f.plr" in done.stderr
    done = run(folder, "run", "falls.xml", "--steps", 300, "--flight", "falls.xml")
    assert done.returncode == 2 and "overwritten" in done.stderr and (folder / "falls.xml").read_text() == FALLS


@pytest.mark.alone
@pytest.mark.parametrize("record", [False, True])
def test_ctrl_c(folder, record):
    words = ["--record", "r.plr"] if record else []
    process = subprocess.Popen([PROGRAM, "run", "pendulum.xml", "--steps", "1000000000", "--json", *words], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # fmt: skip
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    file = "r.plr" if record else "pendulum.flight.plr"
    found = json.loads(run(folder, "recording", file, "--json").stdout)
    assert found["end"] == "stopped" and found["events"][-1]["kind"] == "stopped" and found["whole"]
    assert json.loads(out).get("flight", {}).get("file") == (None if record else file)


# ---- replay


def test_another_model_differs(folder):
    assert (
        run(folder, "run", "pendulum.xml", "--steps", 100, "--ctrl", "noise:1,3", "--record", "r.plr").returncode == 0
    )
    (folder / "other.xml").write_text(PENDULUM.replace('axis="0 1 0"', 'axis="0 1 0" damping="0.01"'))
    done = run(folder, "replay", "r.plr", "--model", "other.xml")
    assert done.returncode == 1 and "replay     differs from step 1 on" in done.stdout and "joint" in done.stdout
    done = run(folder, "replay", "r.plr", "--model", ROOT / "models" / "drop.xml")
    assert done.returncode == 2 and "it is of another model" in done.stderr
    assert run(folder, "replay", "r.plr", "--from", 7).returncode == 2


def test_energy_names_the_element_that_feeds(folder):
    """A motor with a gain of the wrong sign does all the work, and is named with its line."""
    text = PENDULUM.replace(
        '<motor name="motor" joint="hinge"/>',
        '<general name="wrong" joint="hinge" biastype="affine" biasprm="1 3 0" gainprm="0"/>',
    ).replace("<option ", '<option gravity="0 0 0" ')
    (folder / "wrong.xml").write_text(text)
    assert run(folder, "run", "wrong.xml", "--steps", 30, "--record", "r.plr").returncode == 0
    done = run(folder, "replay", "r.plr", "--energy")
    line = 1 + text[: text.index("<general")].count("\n")
    first = done.stdout.split("work done on the bodies:\n")[1].splitlines()[0]
    assert f"actuator 'wrong' (wrong.xml:{line}:" in first, done.stdout
    energy = json.loads(run(folder, "replay", "r.plr", "--energy", "--json").stdout)["energy"]
    assert energy["entries"][0]["work"] > 0 and energy["steps"] == 30
    assert energy["kinetic_change"] == pytest.approx(energy["works"] + energy["integration"], abs=1e-9 * energy["flow"])
    assert json.loads(run(folder, "replay", "r.plr", "--json").stdout)["energy"] is None


def test_rows_that_are_steps_apart(folder):
    assert run(folder, "run", "pendulum.xml", "--steps", 100, "--every", 10, "--record", "r.plr").returncode == 0
    done = run(folder, "replay", "r.plr")
    assert done.returncode == 0 and "90 steps have no row" in done.stdout and "the same bits" in done.stdout


def test_numbers_of_all_formats_agree(folder):
    for file in ("r.plr", "r.npz", "r.csv"):
        assert run(folder, "run", "pendulum.xml", "--steps", 50, "--record", file).returncode == 0
    read = [pliant.read_recording(folder / file) for file in ("r.plr", "r.npz", "r.csv")]
    for other in read[1:]:
        assert np.array_equal(read[0].time, other.time)
        for name in ("qpos", "qvel"):
            assert np.array_equal(read[0].fields[name], other.fields[name]) and read[0].names[name] == other.names[name]

"""`pliant run`: exit status, recordings, controls, Ctrl-C."""

import csv
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import numpy as np
import pytest

import pliant
import pliant.mujoco as mujoco
from pendulum import pendulum, run_in
from test_cli import PROGRAM, ROOT

PENDULUM = pendulum(
    """<motor name="a, &quot;b&quot;" joint="hinge"/>
    <motor name="limited" joint="hinge" ctrlrange="0 4"/>""",
    '<keyframe><key name="up" time="2" qpos="0 0 1 1 0 0 0 3"/></keyframe>',
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pendulum.xml").write_text(PENDULUM)
    return tmp_path


def run(folder, *arguments, name="pendulum.xml"):
    return run_in(folder, "run", name, *arguments)


def test_summary(folder):
    done = run(folder, "--steps", 50)
    assert done.returncode == 0, done.stderr
    assert "pendulum" in done.stdout and "50 of 0.01 s: t = 0 … 0.5" in done.stdout
    assert "steps/s" in done.stdout and "real time" in done.stdout
    assert "\r" not in done.stderr  # no bar without a terminal


def test_seconds_key_and_json(folder):
    done = run(folder, "--seconds", 0.25, "--key", "up", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 0 and data["end"] == "finished" and data["steps"] == 25
    assert data["time"] == pytest.approx(2.25) and data["faults"] == [] and data["message"] == ""
    assert json.loads(run(folder, "--steps", 1, "--key", "0", "--json").stdout)["time"] == pytest.approx(2.01)


def test_same_run_same_bits(folder):
    arguments = ("--steps", 40, "--ctrl", "noise:0.5,7", "--json")
    a, b = (json.loads(run(folder, *arguments).stdout)["state_hash"] for _ in range(2))
    c = json.loads(run(folder, "--steps", 40, "--ctrl", "noise:0.5,8", "--json").stdout)["state_hash"]
    assert a == b != c


def test_timers(folder):
    done = run(folder, "--steps", 20, "--timers")
    assert re.search(r"^poses +[\d.]+ +[\d.]+ %$", done.stdout, re.M) and "integration" in done.stdout
    data = json.loads(run(folder, "--steps", 20, "--timers", "--json").stdout)
    assert {"poses", "solver"} < {row["stage"] for row in data["stages"]}


def simulate(steps, controls=None):
    """The same in Python: rows of (time, qpos, qvel)."""
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    data, rows = mujoco.MjData(model), []
    for i in range(steps + 1):
        if controls is not None and i < steps:
            data.ctrl = controls[min(i, len(controls) - 1)]
        rows.append([data.time, *data.qpos, *data.qvel])
        if i < steps:
            mujoco.mj_step(model, data)
    return np.array(rows)


def test_csv(folder):
    done = run(folder, "--steps", 10, "--record", "out.csv", "--fields", "qpos,qvel,ctrl")
    assert done.returncode == 0 and "11 rows" in done.stdout
    with open(folder / "out.csv", newline="") as file:
        head, *rows = csv.reader(file)
    assert head[:2] == ["time", "qpos.root[0]"] and "qpos.hinge" in head and "qvel.root[5]" in head
    assert head[-2:] == ['ctrl.a, "b"', "ctrl.limited"]
    numbers = np.array(rows, float)
    assert np.array_equal(numbers[:, :-2], simulate(10))  # numbers read back exactly


def test_npz(folder):
    done = run(folder, "--steps", 10, "--record", "out.npz", "--fields", "qpos,xpos,energy,ctrl")
    assert done.returncode == 0, done.stderr
    data = np.load(folder / "out.npz")
    assert set(data) == {"time", "qpos", "qpos_names", "xpos", "xpos_names", "energy", "energy_names", "ctrl",
                         "ctrl_names", "model_file"}  # fmt: skip
    assert data["time"].shape == (11,) and data["qpos"].shape == (11, 8) and data["xpos"].shape == (11, 3, 3)
    assert data["qpos_names"][-1] == "qpos.hinge" and data["xpos_names"][8] == "xpos.arm[2]"
    assert data["energy_names"].tolist() == ["energy[0]", "energy[1]"]
    assert np.array_equal(data["qpos"], simulate(10)[:, 1:9])
    # what follows from a state stands in its row
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    one = mujoco.MjData(model)
    one.qpos = data["qpos"][7]
    mujoco.mj_kinematics(model, one)
    assert np.array_equal(one.xpos, data["xpos"][7])


def test_every(folder):
    run(folder, "--steps", 10, "--record", "out.npz", "--every", 5)
    assert np.load(folder / "out.npz")["time"] == pytest.approx([0, 0.05, 0.1])


def test_controls_from_a_file(folder):
    controls = np.random.default_rng(0).normal(size=(6, 2))
    np.savetxt(folder / "ctrl.csv", controls, delimiter=",", comments="", header='"a, ""b""", limited')
    done = run(folder, "--steps", 10, "--ctrl", "ctrl.csv", "--record", "out.npz")
    assert done.returncode == 0 and "the last row was held" in done.stdout
    expected = simulate(10, controls)
    assert np.array_equal(np.load(folder / "out.npz")["qpos"], expected[:, 1:9])
    assert "4 were not used" in run(folder, "--steps", 2, "--ctrl", "ctrl.csv").stdout


def test_a_recording_plays_again(folder):
    first = run(folder, "--steps", 20, "--ctrl", "noise:1,3", "--record", "c.csv", "--fields", "ctrl", "--json")
    again = run(folder, "--steps", 20, "--ctrl", "c.csv", "--json")
    assert json.loads(first.stdout)["state_hash"] == json.loads(again.stdout)["state_hash"]


def test_noise_stays_about_the_range(folder):
    run(folder, "--steps", 200, "--ctrl", "noise:0.1,1", "--record", "out.npz", "--fields", "ctrl")
    ctrl = np.load(folder / "out.npz")["ctrl"][:-1]
    assert np.std(ctrl[:, 0]) == pytest.approx(0.1, rel=0.3)
    assert np.mean(ctrl[:, 1]) == pytest.approx(2, abs=0.1) and np.std(ctrl[:, 1]) == pytest.approx(0.2, rel=0.3)


A, B = '"a, ""b"""', "limited"


@pytest.mark.parametrize(
    "header",
    [f"{A},{B}", f"{B},{A}", f"time,{A},{B}", f"{B},time,{A}", 'ctrl.limited,"ctrl.a, ""b"""', f"\ufeff {B} , {A}"],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["unix", "windows"])
def test_columns_of_controls_are_found_by_name(folder, header, end):
    names = next(csv.reader([header.removeprefix("\ufeff")], skipinitialspace=True))
    values = {"limited": 3, "time": 0}
    row = [values.get(name.strip().removeprefix("ctrl."), -1) for name in names]
    lines = [header, ",".join(map(str, row)), ""]
    (folder / "ctrl.csv").write_bytes(end.join(lines).encode("utf-8"))
    done = run(folder, "--steps", 2, "--ctrl", "ctrl.csv", "--record", "out.npz", "--fields", "ctrl")
    assert done.returncode == 0, done.stderr
    assert np.load(folder / "out.npz")["ctrl"][0].tolist() == [-1, 3]


def test_names_that_look_like_something_else(folder):
    """Actuators called ctrl.x beside x, time, or a number; one without a name."""
    motors = "".join(
        f'<motor {name} joint="hinge"/>' for name in ('name="x"', 'name="ctrl.x"', 'name="time"', 'name="7"', "")
    )
    text = re.sub(r"(?s)<actuator>.*</actuator>", f"<actuator>{motors}</actuator>", PENDULUM)
    (folder / "odd.xml").write_text(text)
    arguments = ("--steps", 3, "--ctrl", "noise:1,3", "--record", "c.csv", "--fields", "ctrl", "--json")
    first = run(folder, *arguments, name="odd.xml")
    again = run(folder, "--steps", 3, "--ctrl", "c.csv", "--json", name="odd.xml")
    assert json.loads(first.stdout)["state_hash"] == json.loads(again.stdout)["state_hash"], again.stderr
    text = re.sub(r"(?s)<actuator>.*</actuator>", '<actuator><motor name="7" joint="hinge"/></actuator>', PENDULUM)
    (folder / "seven.xml").write_text(text)
    (folder / "seven.csv").write_text("7\n1\n")
    done = run(folder, "--ctrl", "seven.csv", name="seven.xml")
    assert done.returncode == 2 and "seven.csv:1: this could be numbers or the names" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # names
        (f"{A},limted\n1,2\n", "bad.csv:1:12: there is no actuator 'limted'; did you mean 'limited'?"),
        ("ctrl.limted,x\n1,2\n", "bad.csv:1:1: there is no actuator 'ctrl.limted'"),
        ("elbow,knee\n1,2\n", "bad.csv:1:1: there is no actuator 'elbow'; the model has 'a, \"b\"', 'limited'"),
        (f"# c\n\n{B},{B}\n1,2\n", "bad.csv:3:9: there are two columns 'limited'"),
        ("time,time\n0,1\n", "bad.csv:1:6: there are two columns 'time'"),
        (f"{B}\n1\n", "bad.csv:1:1: there is no column for 'a, \"b\"'"),
        ("time\n1\n", "bad.csv:1:1: there are no columns for 'a, \"b\"', 'limited'"),
        ("a;b\n1;2\n", "columns are separated by commas"),
        (f"{A},{B},speed\n1,2,3\n", "bad.csv:1:20: there is no actuator 'speed'"),
        (f"{A},1\n1,2\n", "bad.csv:1:12: there is no actuator '1'"),
        # numbers
        ("1,2\n3\n", "bad.csv:2: 1 numbers, but the model has 2 controls"),
        ("1,2,3\n", "bad.csv:1: 3 numbers"),
        ("1,2\n\n# note\n1,x\n", "bad.csv:4:3: 'x' is not a number"),
        ("1,x\n1,2\n", "bad.csv:1:3: 'x' is not a number"),
        ("1,nan\n", "bad.csv:1:3: nan is not finite"),
        ("1,\n", "bad.csv:1:3: '' is not a number"),
        (f"time,{A},{B}\n0,1,2\n0,1,2\n", "bad.csv:3:1: times must increase"),
        (f"time,{A},{B}\n0,1\n", "bad.csv:2: 2 numbers"),
        (f"{A},{B}\n", "bad.csv: there are no controls"),
        ("", "bad.csv: there are no controls"),
    ],
)
def test_bad_controls(folder, text, message):
    (folder / "bad.csv").write_text(text)
    done = run(folder, "--ctrl", "bad.csv")
    assert done.returncode == 2 and message in done.stderr and not done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ctrl", "none.csv"], "none.csv: cannot open"),
        (["--ctrl", "noise:x"], "noise:SIGMA"),
        (["--ctrl", "noise:1,-2"], "noise:SIGMA"),
        (["--key", "down"], "there is no keyframe 'down'; there are 'up'"),
        (["--record", "out.txt"], "ends in .plr, .csv or .npz"),
        (["--record", "no/such/folder/out.csv"], "cannot write"),
        (["--record", "out.csv", "--fields", "qpoz"], "there is no field 'qpoz' to record: did you mean 'qpos'?"),
        (["--ctrl", "."], "cannot open the file of controls: Is a directory"),
        (["--record", "out.csv", "--fields", "qpos,"], "there is no field ''"),
        (["--steps", "-1"], "steps"),
        (["--steps", "1", "--seconds", "1"], "exclude"),
        (["--every", "0"], "every"),
    ],
)
def test_wrong_usage(folder, arguments, message):
    done = run(folder, *arguments)
    assert done.returncode == 2 and message in done.stderr and not done.stdout


def test_model_that_does_not_load(folder):
    (folder / "bad.xml").write_text("<mujoco><boddy/></mujoco>")
    done = run(folder, name="bad.xml")
    assert done.returncode == 2 and "bad.xml:1:9: error" in done.stderr


def test_no_actuators(folder):
    (folder / "ball.xml").write_text(
        "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    )
    assert run(folder, name="ball.xml").returncode == 0
    done = run(folder, "--ctrl", "noise:1", name="ball.xml")
    assert done.returncode == 2 and "no actuators" in done.stderr


def test_fault(folder):
    # it falls so fast that its velocity passes 1e10 after two seconds
    (folder / "falls.xml").write_text(PENDULUM.replace("<option ", '<option gravity="0 0 -5e9" '))
    arguments = ("--steps", 1000, "--record", "out.csv")
    done = run(folder, *arguments, name="falls.xml")
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(
        r"q(vel|pos)\[2\] \(joint 'root' at falls.xml:\d+:\d+\) is -1\S*, beyond 1e10, at t = ", done.stderr
    )
    assert "the state was not changed" in done.stderr
    data = json.loads(run(folder, *arguments, "--json", name="falls.xml").stdout)
    assert data["end"] == "fault" and 150 < data["steps"] < 250 and data["message"]
    assert data["faults"][0]["object"] == "joint 'root'" and data["faults"][0]["count"] == 1
    rows = (folder / "out.csv").read_text().splitlines()
    assert len(rows) == 1 + data["steps"] + 1  # what was good is kept, the last good state included


@pytest.mark.alone
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("file", ["out.csv", "out.npz"])
def test_stop(folder, file, signal_number):
    command = [PROGRAM, "run", "pendulum.xml", "--steps", "1000000000", "--every", "1000", "--record", file, "--json"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    process.send_signal(signal_number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    data = json.loads(out)
    assert data["end"] == "stopped" and data["steps"] > 0
    if file == "out.npz":
        times = np.load(folder / file)["time"]
    else:
        times = np.loadtxt(folder / file, delimiter=",", skiprows=1, ndmin=2)[:, 0]
    assert len(times) == data["record"]["rows"] > 0 and np.all(np.diff(times) > 0)


def test_plm(folder):
    subprocess.run([PROGRAM, "compile", "pendulum.xml", "p.plm"], cwd=folder, check=True, capture_output=True)
    a, b = (json.loads(run(folder, "--steps", 30, "--json", name=name).stdout) for name in ("pendulum.xml", "p.plm"))
    assert a["state_hash"] == b["state_hash"]


@pytest.mark.parametrize("program", ["examples/pendulum"])
def test_cpp_example(program):
    path = PROGRAM.parent / program
    if not path.exists():
        pytest.skip("examples are not built")
    done = subprocess.run([path], capture_output=True, text=True)
    assert done.returncode == 0
    energies = [float(line.split()[-1]) for line in done.stdout.splitlines()[1:]]
    assert len(energies) == 11 and max(energies) - min(energies) < 1e-4


def test_python_example():
    import sys

    done = subprocess.run([sys.executable, ROOT / "examples" / "pendulum.py"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(pathlib.Path(pliant.__file__).parents[1])})  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "ctrl[0] (actuator 'motor'" in done.stdout


def test_a_flight_recording_that_was_asked_for_and_cannot_be_written(folder):
    done = run(folder, "--steps", 5, "--flight", folder / "missing" / "f.plr")
    assert done.returncode == 2 and "flight recorder" in done.stderr and "steps      5" in done.stdout


def test_compile_names_the_size_of_the_file(folder):
    done = run_in(folder, "compile", "pendulum.xml", "pendulum.plm")
    assert f"pendulum.plm: {(folder / 'pendulum.plm').stat().st_size} bytes" in done.stdout


def test_a_link_that_leads_nowhere_is_not_offered_as_its_own_correction(folder):
    (folder / "dangling.xml").symlink_to("gone.xml")
    done = run(folder, name="dangling.xml")
    assert done.returncode == 2 and "link to 'gone.xml'" in done.stderr and "did you mean" not in done.stderr

"""`pliant why`: seeded faults by name, fixes that hold when they are written into the file, healthy models, recordings,
trajectories of the reference, Python."""

import copy
import json
import math
import os
import pathlib
import shutil
import subprocess
import threading
import time
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import pliant
from later_faults import LATER, LATER_STRANGERS
from stranger_faults import PAIRS, STRANGERS
from why_faults import FAULTS, FLOOR, FURTHER, arm, ball, box, scene

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))
NAMED, CURED = 36, 32  # of forty
FURTHER_NAMED = 13  # of fifteen
FINE = 16
FAR = 0.1
ROWS = 20
HAIR = 0.01  # m or rad: where less than that moves, nobody looks for a tenth of it


def run(*words):
    return subprocess.run([PROGRAM, "why", *map(str, words)], capture_output=True, text=True)


def record_with_bad_control(xml, path, bad):
    """A program that sets a control that is no number, with a flight recorder."""
    model = pliant.load_string(xml)
    state, data, flight = pliant.State(model), pliant.Data(model), pliant.FlightRecorder(model)
    control, first, value = bad
    for step in range(first + 5):
        if step >= first:
            state.ctrl[control] = value
        flight.record(state)
        try:
            pliant.step(model, state, data)
        except pliant.StepError:
            break
        if state.time < (step + 0.5) * model.opt.timestep:
            break
    flight.write(path)


def report_of(fault, folder):
    name, _, _, xml, options = fault
    path = folder / f"{name}.xml"
    path.write_text(xml)
    if "bad" in options:
        path = folder / f"{name}.plr"
        record_with_bad_control(xml, path, options["bad"])
    words = ["--key", options["key"]] if "key" in options else []
    done = run(path, "--json", "--seconds", 2, *words)
    assert done.returncode in (0, 1, 2), (name, done.stderr)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    return {fault[0]: report_of(fault, folder) for fault in FAULTS}


def test_there_are_forty():
    assert len(FAULTS) >= 40 and len({fault[0] for fault in FAULTS}) == len(FAULTS)


def missed(faults, reports):
    """Faults whose culprit is not the first suspect."""
    out = []
    for name, kinds, words, *_ in faults:
        suspects = reports[name]["suspects"]
        first = suspects[0] if suspects else {"kind": "", "element": "", "rule": "", "origin": ""}
        said = first["element"] + first["rule"] + first["origin"]
        if first["kind"] not in kinds or not any(word in said for word in words):
            out.append((name, first["kind"], first["element"], first["rule"]))
    return out


def test_the_culprit_is_named_first(reports):
    wrong = missed(FAULTS, reports)
    assert len(FAULTS) - len(wrong) >= NAMED, wrong


def test_further_faults(tmp_path):
    wrong = missed(FURTHER, {fault[0]: report_of(fault, tmp_path) for fault in FURTHER})
    assert len(FURTHER) - len(wrong) >= FURTHER_NAMED, wrong


def stranger(fault, folder):
    """The report about a model of others with a slip in it; None where it is not there."""
    name, _, _, model, changes, options = fault
    path = folder / f"{name}.xml"
    text = model
    if not model.startswith("<"):
        base = ROOT if model.startswith("models/") else pathlib.Path(os.environ.get("PLIANT_MODELS", "nowhere"))
        if not (base / model).exists():
            return None
        shutil.copytree((base / model).parent, folder / name)
        path = folder / name / pathlib.Path(model).name
        text = path.read_text()
    for old, new in changes:
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    path.unlink(missing_ok=True)
    path.write_text(text)
    words = []
    if "ctrl" in options:
        rows = ["time", *options["ctrl"]], ["0", *map(str, options["ctrl"].values())]
        (folder / f"{name}.csv").write_text("".join(",".join(row) + "\n" for row in rows))
        words = ["--ctrl", folder / f"{name}.csv"]
    if "key" in options:
        words = [*words, "--key", options["key"]]
    done = run(path, "--json", "--seconds", 2, *words)
    assert done.returncode in (0, 1), (name, done.stderr)
    return json.loads(done.stdout)


def strangers(faults, folder):
    found = {fault[0]: stranger(fault, folder) for fault in faults}
    faults = [fault for fault in faults if found[fault[0]]]
    wrong = missed(faults, found)
    failed = [name for name, report in found.items() if report and not any(fix["worked"] for fix in report["fixes"])]
    return len(faults), wrong, failed


def test_faults_of_strangers(tmp_path):
    number, wrong, failed = strangers(STRANGERS, tmp_path)
    assert number >= 2 and number - len(wrong) >= number - 1, wrong
    assert number - len(failed) >= number - 2, failed


def test_two_faults_at_once(tmp_path):
    number, wrong, failed = strangers(PAIRS, tmp_path)
    assert number >= 1 and not wrong and not failed, (wrong, failed)


@pytest.fixture(scope="module")
def later(tmp_path_factory):
    folder = tmp_path_factory.mktemp("later")
    return {fault[0]: report_of(fault, folder) for fault in LATER}


def test_later_faults(later):
    assert not missed(LATER, later)
    failed = [fault[0] for fault in LATER if not holds(fault, later[fault[0]])]
    assert not failed


def test_later_faults_of_strangers(tmp_path):
    number, wrong, failed = strangers(LATER_STRANGERS, tmp_path)
    if number == 0:
        pytest.skip("PLIANT_MODELS is not set")
    assert not wrong and not failed, (wrong, failed)


def test_numbers_of_later_faults(later):
    """What the rules say, against what can be worked out by hand."""

    def evidence(name, word):
        return next(e["value"] for e in later[name]["suspects"][0]["evidence"] if word in e["name"])

    assert evidence("filter_faster_than_a_step", "h/tau") == pytest.approx(0.002 / 1e-5)
    # the rod reaches from 0 to 0.3 m, with a ball of 0.02 m at each end: the mass at 150 m is 149.68 m from it
    assert evidence("centre_of_mass_in_millimetres", "distance") == pytest.approx(150 - 0.15 - 0.17)
    assert evidence("gravcomp_in_percent", "gravcomp") == 100
    # b h + k h²/2 of a friction row: k = 0, b = 1e7/dmax, and of that the share A/(A + R) = dmin of an impedance
    # that starts at its lower end
    assert evidence("dry_friction_too_stiff", "b h") == pytest.approx(0.002 * 1e7 / 0.95 * 0.9, rel=0.01)
    radians = next(fix for fix in later["keyframe_in_degrees"]["fixes"] if fix["worked"])
    qpos = [float(x) for x in radians["edits"][0]["value"].split()]
    np.testing.assert_allclose(qpos, np.radians([-40, 70, 20]), rtol=1e-3)


def test_it_has_a_place_and_a_rule(reports):
    for name, report in reports.items():
        first = report["suspects"][0]
        assert first["rule"], name
        assert first["origin"] or first["element"].startswith("<option"), name


def apply(root, edits):
    """Changes a document as a fix says."""
    for edit in edits:
        if edit["line"]:
            element = ElementTree.fromstring(edit["line"])
            if edit["section"].startswith("body"):
                body = next(b for b in root.iter("body") if b.get("name") == edit["name"])
                for old in body.findall("inertial"):
                    body.remove(old)
                body.insert(0, element)
            else:
                section = root.find(edit["section"])
                if section is None:
                    section = ElementTree.SubElement(root, edit["section"])
                section.append(element)
        elif edit["tag"] == "option":
            root.find("option").set(edit["attribute"], edit["value"])
        else:
            found = [e for tag in edit["tag"].split("|") for e in root.iter(tag) if e.get("name") == edit["name"]]
            assert found, edit
            found[0].set(edit["attribute"], edit["value"])


def path_of(root, options, every, parts):
    """Positions over time, a row per `every` timesteps of the document; None when a step is refused."""
    root = copy.deepcopy(root)
    option = root.find("option")
    option.set("timestep", repr(float(option.get("timestep")) / parts))
    model = pliant.load_string(ElementTree.tostring(root, encoding="unicode"))
    state, data = pliant.State(model), pliant.Data(model)
    if "key" in options:
        state.reset(model, int(options["key"]))
    rows = [np.array(state.qpos)]
    for _ in range(ROWS):
        for _ in range(every * parts):
            try:
                pliant.step(model, state, data)
            except pliant.StepError:
                return None
        rows.append(np.array(state.qpos))
    return np.array(rows)


def holds(fault, report):
    """Whether the first fix that is said to work does so when it is written into the file: finite, and near itself with
    a fine timestep."""
    _, _, _, xml, options = fault
    for fix in report["fixes"]:
        if not fix["worked"]:
            continue
        if not fix["edits"]:
            # in the program that sets the controls, or tried by the doctor on a model that does not load
            return "bad" in options or bool(report["problem"])
        root = ElementTree.fromstring(xml)
        apply(root, fix["edits"])
        seconds = max(report["departures"][0]["time"] if report["departures"] else 0, 0.1)
        every = math.ceil(seconds / float(root.find("option").get("timestep")) / ROWS)
        coarse, fine = (path_of(root, options, every, parts) for parts in (1, FINE))
        if coarse is None or fine is None:
            return False
        return np.abs(coarse - fine).max() < FAR * max(np.abs(fine - fine[0]).max(), HAIR)
    return False


def test_fixes_hold_when_they_are_written_down(reports):
    failed = [fault[0] for fault in FAULTS if not holds(fault, reports[fault[0]])]
    assert len(FAULTS) - len(failed) >= CURED, failed


def test_the_report_is_whole(reports, tmp_path):
    report = reports["high_gain"]
    assert report["trouble"] and report["known"] and report["nature"] == "timestep"
    assert len(report["chain"]) >= 3
    ledger = report["ledger"]
    assert any("fore_servo" in name for name in ledger["elements"])
    for step in ledger["steps"]:
        total = sum(step["work"]) + step["integration"]
        flow = sum(map(abs, step["work"])) + abs(step["integration"])
        assert abs(total - step["kinetic_change"]) <= 1e-9 * flow + 1e-12
    assert {fix["verdict"] for fix in report["fixes"]} >= {"worked"}

    path, page = tmp_path / "a.xml", tmp_path / "a.html"
    path.write_text(next(fault[3] for fault in FAULTS if fault[0] == "high_gain"))
    done = run(path, "--html", page)
    assert done.returncode == 1 and "culprit" in done.stdout and "worked" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert "fore_servo" in page.read_text() and "<script" not in page.read_text()


@pytest.mark.parametrize("name", ["drop", "gripper", "quadruped", "stack_of_boxes"])
def test_healthy_models_have_nothing_to_explain(name):
    done = run(ROOT / "models" / f"{name}.xml", "--seconds", 0.3, "--json")
    assert done.returncode == 0, done.stdout
    report = json.loads(done.stdout)
    assert not report["trouble"] and not report["known"] and report["notes"]


def test_a_trajectory_of_the_reference(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    fault = next(fault for fault in FAULTS if fault[0] == "high_gain")
    path = tmp_path / "arm.xml"
    path.write_text(fault[3])
    model = mujoco.MjModel.from_xml_string(fault[3])
    data = mujoco.MjData(model)
    rows = []
    for _ in range(12):
        rows.append(np.concatenate([data.qpos, data.qvel]))
        mujoco.mj_step(model, data)
    np.save(tmp_path / "states.npy", np.array(rows))
    done = run("--mujoco", path, "--states", tmp_path / "states.npy", "--json")
    assert done.returncode == 1, done.stderr
    assert "fore_servo" in json.loads(done.stdout)["suspects"][0]["element"]
    assert pliant.why(pliant.load(path), states=np.array(rows)).culprit["kind"] == "actuator"


def trajectory(folder, name, xml, act=None, steps=200):
    """A run of the reference in which `act` does what the rows do not have; the words of the command."""
    mujoco = pytest.importorskip("mujoco")
    path = folder / f"{name}.xml"
    path.write_text(xml)
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    rows = []
    for i in range(steps):
        if act:
            act(i, data)
        rows.append(np.concatenate([data.qpos, data.qvel]))
        mujoco.mj_step(model, data)
    np.save(folder / f"{name}.npy", np.array(rows))
    return ["--mujoco", path, "--states", folder / f"{name}.npy"]


BALL = scene(FLOOR + ball())


def test_a_force_that_the_rows_do_not_have_is_no_fault_of_the_timestep(tmp_path):
    def kick(i, data):
        data.xfrc_applied[1, 2] = 1e5 if i == 100 else 0

    report = json.loads(run(*trajectory(tmp_path, "kick", BALL, kick), "--json").stdout)
    assert report["trouble"] and report["nature"] == "outside" and not report["fixes"]
    first = report["suspects"][0]
    assert first["kind"] == "input" and "'ball' from t = 0.2 s" in first["element"]
    # (F/m - g) h and the velocity before, against - g h and the velocity before; 1 kg
    given, simulated = (e["value"] for e in first["evidence"])
    assert given - simulated == pytest.approx(1e5 * 0.002, rel=1e-6)


def test_a_state_that_is_set_is_seen(tmp_path):
    def teleport(i, data):
        if i == 100:
            data.qpos[0] += 1.0

    report = json.loads(run(*trajectory(tmp_path, "teleport", scene(arm()), teleport), "--json").stdout)
    (note,) = [note for note in report["notes"] if "a state that was set" in note]
    assert note.startswith("1 of 199 steps") and "at t = 0.198 s" in note and "'upper'" in note


def test_a_trajectory_with_a_number_that_is_none(tmp_path):
    words = trajectory(tmp_path, "gap", BALL)
    rows = np.load(words[-1])
    rows[50, 8] = np.nan
    np.save(words[-1], rows)
    report = json.loads(run(*words, "--json").stdout)
    assert report["nature"] == "outside" and report["suspects"][0]["kind"] == "input"
    assert "t = 0.098 s" in report["suspects"][0]["element"]


def test_trajectories_of_healthy_models_are_their_own(tmp_path):
    """No step is called foreign because two programs round differently."""
    stack = scene(FLOOR + box("low", "0 0 0.1") + box("high", "0.02 0 0.32"))
    for name, xml in (("ball", BALL), ("stack", stack), ("arm", scene(arm()))):
        report = json.loads(run(*trajectory(tmp_path, name, xml), "--json").stdout)
        assert not report["trouble"] and not any("not in the rows" in note for note in report["notes"]), name


def test_what_cannot_be_used_is_said(tmp_path):
    for words in (["nothing.plr"], ["nothing.xml"], [ROOT / "models" / "drop.xml", "--mujoco"]):
        done = run(*words)
        assert done.returncode == 2 and done.stderr + done.stdout
    done = subprocess.run(
        [PROGRAM, "run", ROOT / "models" / "drop.xml", "--steps", "50", "--record", tmp_path / "r.plr"]
    )
    (tmp_path / "r.plr").write_bytes((tmp_path / "r.plr").read_bytes()[:-1000])  # in the only chunk of rows
    done = run(tmp_path / "r.plr")
    assert done.returncode == 2 and "no rows (" in done.stderr and "cut short" in done.stderr
    np.save(tmp_path / "wide.npy", np.zeros((4, 99)))
    done = run("--mujoco", ROOT / "models" / "drop.xml", "--states", tmp_path / "wide.npy")
    assert done.returncode == 2 and "99 numbers" in done.stderr
    np.save(tmp_path / "none.npy", np.zeros((0, 99)))
    done = run("--mujoco", ROOT / "models" / "drop.xml", "--states", tmp_path / "none.npy")
    assert done.returncode == 2 and "there are no rows" in done.stderr
    (tmp_path / "bad.npy").write_bytes(b"no array")
    assert run("--mujoco", ROOT / "models" / "drop.xml", "--states", tmp_path / "bad.npy").returncode == 2


def test_what_starts_from_a_keyframe_is_moved_there(tmp_path):
    """pos of the body changes nothing for a run that starts from a keyframe."""
    path = tmp_path / "sunk.xml"
    path.write_text(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/><body name='block' pos='0 0 .5'><freejoint/>"
        "<geom type='box' size='.1 .1 .1'/></body></worldbody>"
        "<keyframe><key name='home' qpos='0 0 .02 1 0 0 0'/></keyframe></mujoco>"
    )
    fix = json.loads(run(path, "--json", "--key", "home").stdout)["fixes"][0]
    assert fix["worked"] and fix["edits"][0]["tag"] == "key" and fix["edits"][0]["attribute"] == "qpos"
    assert float(fix["edits"][0]["value"].split()[2]) > 0.1


def test_a_slide_beyond_its_limit_has_no_angle(tmp_path):
    path = tmp_path / "drawer.xml"
    path.write_text(
        "<mujoco><worldbody><body><joint name='drawer' type='slide' range='.015 .037' limited='true' damping='1'/>"
        "<geom size='.05'/></body></worldbody></mujoco>"
    )
    assert not any("radians" in fix["what"] for fix in json.loads(run(path, "--json").stdout)["fixes"])


def test_feedback_that_is_turned_keeps_its_target(tmp_path):
    """With the gain turned as well, the servo holds the mirrored angle: nothing leaves its band there either."""
    path = tmp_path / "servo.xml"
    path.write_text(
        "<mujoco><worldbody><body pos='0 0 1'><joint name='j' axis='0 0 1' range='-180 180' limited='true'"
        " armature='.1'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.02' mass='1'/></body></worldbody>"
        "<actuator><general name='servo' joint='j' gainprm='200' biastype='affine' biasprm='0 200 -10'/></actuator>"
        "<keyframe><key name='home' qpos='1' ctrl='1'/></keyframe></mujoco>"
    )
    fixes = json.loads(run(path, "--json", "--key", "home").stdout)["fixes"]
    turned = next(fix for fix in fixes if "turned" in fix["what"])
    assert turned["worked"] and [edit["attribute"] for edit in turned["edits"]] == ["biasprm"]


def test_a_mistake_in_a_default_class_is_cured_in_all_its_elements(tmp_path):
    """One line of a class is a mistake in each of its elements, and no change of one or two of them cures it."""
    n, arm = 3, ""
    for i in reversed(range(n)):
        arm = (
            f"<body pos='{0.1 if i else 0} 0 0'><joint name='j{i}' axis='0 0 1' armature='.1'/>"
            f"<geom type='capsule' fromto='0 0 0 .1 0 0' size='.02' mass='1'/>{arm}</body>"
        )
    servos = "".join(f"<general name='servo{i}' joint='j{i}'/>" for i in range(n))
    path = tmp_path / "servos.xml"
    path.write_text(
        "<mujoco><default><general gainprm='200' biastype='affine' biasprm='0 200 -10'/></default>"
        f"<worldbody>{arm}</worldbody><actuator>{servos}</actuator>"
        "<keyframe><key name='home' qpos='1 1 1' ctrl='1 1 1'/></keyframe></mujoco>"
    )
    fix = json.loads(run(path, "--json", "--key", "home").stdout)["fixes"][0]
    assert fix["worked"] and "the same of 2 others" in fix["what"]
    assert sorted((edit["name"], edit["attribute"]) for edit in fix["edits"]) == [
        (f"servo{i}", "biasprm") for i in range(n)
    ]


def test_other_threads_go_on():
    """`pliant.why` gives the interpreter's lock back while it simulates."""
    xml = next(fault[3] for fault in FAULTS if fault[0] == "high_gain")
    model = pliant.load_string(xml)
    turns, ended = [0], threading.Event()

    def turn():
        while not ended.is_set():
            turns[0] += 1
            time.sleep(1e-3)

    other = threading.Thread(target=turn)
    other.start()
    try:
        before, begin = turns[0], time.perf_counter()
        pliant.why(model, seconds=2)
        took, made = time.perf_counter() - begin, turns[0] - before
    finally:
        ended.set()
        other.join()
    assert took < 0.02 or made >= 3, (took, made)


def test_python(tmp_path):
    xml = next(fault[3] for fault in FAULTS if fault[0] == "velocity_servo_sign")
    report = pliant.why(pliant.load_string(xml), seconds=1)
    assert report.trouble and report.culprit["kind"] == "actuator" and "spin" in report.culprit["element"]
    assert "culprit" in str(report) and report.html.startswith("<!doctype html>")
    with pytest.raises(ValueError, match="keyframe"):
        pliant.why(pliant.load_string(xml), key="nowhere")
    for seconds in (-1, math.nan):
        with pytest.raises(ValueError, match="seconds should be"):
            pliant.why(pliant.load_string(xml), seconds=seconds)
    for bytes_of_a_file in (b"", b"\0 of another program"):
        (tmp_path / "torn.plr").write_bytes(bytes_of_a_file)
        with pytest.raises(pliant.RecordingError, match="as a recording"):
            pliant.why(tmp_path / "torn.plr")

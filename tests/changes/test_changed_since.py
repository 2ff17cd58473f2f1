"""`pliant info --changed-since 3.12`: planted changes by name, place and number; models of others as the wheels say."""

import json
import math
import os
import pathlib
import subprocess

import numpy as np
import pytest

import pliant
from planted import PLANTED
from states import models, states_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("PLIANT_PROGRAM", ROOT / "build" / "pliant"))
# Measured with both wheels by scripts/make-changed-since-table: None, or what differs and why.
TRUTH = json.loads((pathlib.Path(__file__).parent / "truth.json").read_text())
CASES = {p.name: p for p in PLANTED}


def report_of(name):
    return pliant.changed_since(xml=CASES[name].xml)


def numbers_of(name, code):
    return next(c for c in report_of(name).changes if c.code == code).numbers


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


@pytest.mark.parametrize("planted", PLANTED, ids=[p.name for p in PLANTED])
def test_a_planted_change_is_named_with_its_place(planted, tmp_path):
    path = tmp_path / f"{planted.name}.{planted.ending}"
    path.write_text(planted.xml)
    report = pliant.changed_since(path)
    named = [c for c in report.changes if c.code == planted.code and c.element == planted.element]
    assert named, str(report)
    assert report.differs == (planted.effect in ("motion", "refused")), str(report)
    assert named[0].seen == (planted.effect != "note"), str(report)
    line = next(i for i, text in enumerate(planted.xml.splitlines(), 1) if planted.marker in text)
    assert named[0].origin.startswith(f"{path}:{line}:"), named[0].origin
    assert {c.code for c in report.changes if c.seen} <= {planted.code}, str(report)


@pytest.mark.parametrize("planted", PLANTED, ids=[p.name for p in PLANTED])
def test_without_it_the_model_moves_as_before(planted):
    report = pliant.changed_since(xml=planted.cured)
    assert report.loaded and not report.differs and planted.code not in {c.code for c in report.changes if c.seen}
    if planted.effect == "note":
        assert planted.code not in {c.code for c in report.changes}, str(report)


@pytest.mark.parametrize("planted", PLANTED, ids=[p.name for p in PLANTED])
def test_planted_changes_are_what_both_versions_of_mujoco_do(planted):
    line, cured = TRUTH[f"planted/{planted.name}"] or {}, TRUTH[f"cured/{planted.name}"] or {}
    shown = {"refused": "refused" in line, "motion": "causes" in line, "reading": "reading" in line, "note": not line}
    assert shown[planted.effect], line
    assert "refused" not in cured and set(cured.get("causes", ())) <= {"contact rounding"}, cured
    assert planted.effect != "reading" or "reading" not in cured


def test_every_code_is_planted():
    assert {p.code for p in PLANTED} == {row[0] for row in pliant.change_codes()}


def test_numbers_of_damping_ratios():
    # M = [6 2; 2 1] + 1e-4 [2 1; 1 1]; the shoulder alone feels 1/(M^-1)_11
    m11, m12, m22 = 6 + 2e-4, 2 + 1e-4, 1 + 1e-4
    before, after = numbers_of("dampratio", "C103")["kv"]
    assert before == pytest.approx(2 * math.sqrt(100 * m11), rel=1e-12)
    assert after == pytest.approx(2 * math.sqrt(100 * (m11 - m12**2 / m22)), rel=1e-12)


def test_numbers_of_principal_axes():
    # 3.12 kept the diagonal; today's moments are the eigenvalues
    numbers = numbers_of("inertia_frame", "C101")
    exact = np.linalg.eigvalsh(np.array([[3e-8, 8e-13, 0], [8e-13, 2e-8, 0], [0, 0, 1.5e-8]]))[::-1]
    for k, diagonal in enumerate((3e-8, 2e-8, 1.5e-8)):
        before, after = numbers[f"body_inertia[{k}]"]
        assert before == diagonal and after == pytest.approx(exact[k], rel=1e-14)


def test_numbers_of_tendon_armature():
    before, after = numbers_of("tendon_armature", "C108")["dof_invweight0"]
    assert (before, after) == (pytest.approx(1, rel=1e-12), pytest.approx(1 / 3, rel=1e-12))


def test_numbers_of_a_side_site():
    # from (2, 0) to (0, 2) past (-1.5, .5): 3.12 went the long way round a unit circle, 270 degrees less both tangents;
    # seen from the centre, the way past the site turns by 90 degrees, which is less than the tangents take: straight
    before, after = numbers_of("side_site", "C303")["ten_length"]
    tangent, bend = math.sqrt(3), math.acos(1 / 2)
    assert before == pytest.approx(2 * tangent + 3 * math.pi / 2 - 2 * bend, rel=1e-12)
    assert after == pytest.approx(math.sqrt(8), rel=1e-12)


def test_numbers_of_saturation():
    # Delta v = h F/m without, h F/(m + h kv) with the slope of a servo that is cut off
    change = next(c for c in report_of("saturated").changes if c.code == "C301")
    assert change.size == pytest.approx(0.01 * 10 / 2 - 0.01 * 10 / (2 + 0.01 * 20), rel=1e-9)


def test_numbers_of_lift():
    # 3.12 divided by 1e-15 where speed |normal|^2 is less
    size, v = np.array([0.025, 0.01, 0.001]), np.array([0.1, 0.2, 0.3])
    normal = np.array([size[1] * size[2], size[2] * size[0], size[0] * size[1]]) ** 2 * v
    share = np.linalg.norm(v) * normal @ normal / 1e-15
    before, after = numbers_of("small_lift", "C305")["share of the lift"]
    assert before <= share * (1 + 1e-9) and after == 1


def test_size_of_tumbling():
    """The mean of angular velocities misses the commutator of turns: what is left after one step is of third order."""
    halved = CASES["tumbling"].xml.replace('timestep="0.005"', 'timestep="0.0025"')
    sizes = [
        max(c.size for c in report.changes if c.code == "C302")
        for report in (report_of("tumbling"), pliant.changed_since(xml=halved))
    ]
    assert 0 < sizes[1] < sizes[0] / 4


def test_contact_points():
    counts = {"mesh_on_plane": ("C201", 3, 4), "cylinder_on_box": ("C202", 5, 4)}
    for name, (code, before, after) in counts.items():
        assert numbers_of(name, code)["contact points"] == (before, after)


def test_states_can_be_given():
    xml = CASES["saturated"].xml
    assert not pliant.changed_since(xml=xml, states=[{"ctrl": [0.1]}]).differs
    assert pliant.changed_since(xml=xml, states=[{"ctrl": [0.1]}, {"ctrl": np.array([5.0])}]).states == 2
    with pytest.raises(ValueError, match="states\\[0\\]: qpos has 2 numbers, the model 1"):
        pliant.changed_since(xml=xml, states=[{"qpos": [0, 1]}])
    with pytest.raises(ValueError, match="there is no 'pos'"):
        pliant.changed_since(xml=xml, states=[{"pos": [0]}])


def test_python_arguments():
    with pytest.raises(TypeError, match="path or xml"):
        pliant.changed_since()
    with pytest.raises(ValueError, match="since MuJoCo 3.12, not since '3.9'"):
        pliant.changed_since(xml="<mujoco/>", since="3.9")
    with pytest.raises(pliant.LoadError, match="there is no file"):
        pliant.changed_since("missing.xml")


def test_every_code_is_in_the_page_and_can_be_explained():
    page = (ROOT / "docs" / "changed_since.md").read_text()
    codes = pliant.change_codes()
    assert [row[0] for row in codes] == sorted({row[0] for row in codes})
    for code, version, effect, title, _ in codes:
        assert f"| {code} | {version} | {effect} | {title} |" in page, code
        assert title in run("codes", code).stdout


def test_command(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(CASES["dampratio"].xml)
    text = run("info", path, "--changed-since", "3.12")
    assert text.returncode == 0 and "kv 48.99 → 28.29" in text.stdout and f"{path}:14:" in text.stdout
    assert max(len(line) for line in text.stdout.splitlines() if str(path) not in line) <= 100
    assert run("info", path, "--changed-since", "3.12", "--strict").returncode == 1
    found = json.loads(run("info", path, "--changed-since", "3.12", "--json").stdout)
    assert found["differs"] and found["changes"][0]["code"] == "C103"
    wrong = run("info", path, "--changed-since", "3.1")
    assert wrong.returncode == 2 and "since MuJoCo 3.12" in wrong.stderr
    path.write_text(CASES["composite"].xml)
    refused = run("info", path, "--changed-since", "3.12")
    assert refused.returncode == 2 and "C501" in refused.stdout and "error[" in refused.stderr


def test_the_doctor_has_a_note_per_cause(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(CASES["dampratio"].xml)
    notes = [f for f in json.loads(run("doctor", path, "--json").stdout)["findings"] if f["code"] == "C103"]
    assert len(notes) == 1 and notes[0]["severity"] == "note" and "kv 48.99 → 28.29" in notes[0]["message"]


@pytest.mark.slow
def test_models_of_others():
    """Names every model that differs for a reason other than rounding of contacts, and no other one."""
    import mujoco

    paths = {name: path for name, path in models() if name in TRUTH}
    if not paths:
        pytest.skip("neither PLIANT_MODELS nor gymnasium nor dm_control is there")
    wrong = {}
    for name, path in paths.items():
        line = TRUTH[name] or {}
        expected = "refused" in line or bool(set(line.get("causes", ())) - {"contact rounding"})
        states = []
        if "refused" not in line:
            m = mujoco.MjModel.from_xml_path(str(path))
            m.opt.tolerance, m.opt.iterations = 1e-15, max(m.opt.iterations, 200)
            states = states_of(mujoco, m, mujoco.MjData(m))
        report = pliant.changed_since(path, states=states, allow_unsupported=True)
        codes = sorted({c.code for c in report.changes if c.seen})
        if report.differs != expected:
            wrong[name] = (line, codes)
    assert not wrong, "\n".join(f"{name}: {why}" for name, why in wrong.items())

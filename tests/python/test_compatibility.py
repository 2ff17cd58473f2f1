"""Every line of docs/compatibility.md is tried: what it calls the same is the same, what differs is there, what is
absent says what to use instead.
"""

import pathlib
import re
import subprocess
import sys

import mujoco as reference
import mujoco.batch as reference_batch
import mujoco.rollout as reference_rollout
import numpy as np
import pytest

import calls
import pliant.mujoco as ours
import pliant.mujoco.batch as our_batch
import pliant.mujoco.rollout as our_rollout

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINE = re.compile(r"\| `([^`]+)` \| (same|differs|absent) \| (.*) \|$")
# results of the same function differ by rounding, and by the solver's tolerance after a step
TOLERANCE = 1e-6


def read_page():
    section, lines = "", []
    for line in (ROOT / "docs/compatibility.md").read_text().splitlines():
        if line.startswith("## "):
            section = line[3:]
        elif match := LINE.match(line):
            lines.append((section, *match.groups()))
    return lines


LINES = read_page()
FUNCTIONS = [(name, status) for section, name, status, _ in LINES if section == "Functions" and status != "absent"]
# differences that the results show
OTHER_RESULTS = {"mju_eig3", "mju_mat2Rot", "mju_standardNormal", "mj_resetDataDebug"}
SECTIONS = {section for section, *_ in LINES}


def test_page_is_up_to_date():
    script = ROOT / "scripts/make-compatibility-page"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_page_is_complete():
    on_page = {name for _, name, _, _ in LINES}
    for name in dir(reference):
        if not name.startswith("_"):
            assert name in on_page or name in ("batch", "rollout"), name
    assert len(LINES) > 1400


def selected(*statuses, section=None):
    return [(name, note) for where, name, status, note in LINES
            if status in statuses and (section is None or where == section)]  # fmt: skip


@pytest.mark.parametrize("name, note", selected("absent"), ids=lambda value: str(value)[:40])
def test_absent_names_say_what_to_use(name, note):
    assert note
    if name in ("viewer", "sysid", "usd", "renderer") or "." not in name:
        # what stands for it may be mentioned; using it is the error
        with pytest.raises((AttributeError, NotImplementedError)) as error:
            getattr(ours, name)()
        assert note in str(error.value)
        return
    cls, attribute = name.split(".")
    assert not hasattr(getattr(ours, cls), attribute)


@pytest.mark.parametrize(
    "name, note", selected("same", "differs", section="Constants"), ids=lambda value: str(value)[:40]
)
def test_constants(name, note):
    expected, actual = getattr(reference, name), getattr(ours, name)
    if isinstance(expected, (list, tuple, np.ndarray)):
        assert np.array_equal(np.asarray(expected, object), np.asarray(actual, object))
    else:
        assert actual == expected, (actual, expected)


@pytest.mark.parametrize(
    "name, note", selected("same", "differs", section="Enumerations"), ids=lambda value: str(value)[:40]
)
def test_enumerations(name, note):
    expected, actual = getattr(reference, name), getattr(ours, name)
    assert {key: int(value) for key, value in expected.__members__.items()} == {
        key: int(value) for key, value in actual.__members__.items()
    }


def test_functions_all_have_an_example():
    assert [name for name, _ in FUNCTIONS if name not in calls.CALLS] == []


def flat(results):
    return [np.asarray(result if result is not None else 0, float).ravel() for result in results]


@pytest.mark.parametrize("name, status", FUNCTIONS)
def test_functions(name, status):
    results = []
    if name.startswith("mjr_"):  # the reference needs a graphics driver
        assert status == "differs"
        model, data = calls.make(ours)
        assert all(np.isfinite(result).all() for result in flat(calls.CALLS[name](ours, model, data, None)))
        return
    for module in (reference, ours):
        model, data = calls.make(module)
        results.append(flat(calls.CALLS[name](module, model, data, np.random.default_rng(5))))
    if name in OTHER_RESULTS:
        assert status == "differs"
        assert all(np.isfinite(result).all() for result in results[1])
        return
    for expected, actual in zip(*results, strict=True):
        assert expected.shape == actual.shape
        scale = 1 + np.abs(expected).max(initial=0)
        assert np.abs(expected - actual).max(initial=0) <= TOLERANCE * scale


@pytest.mark.parametrize(
    "name", [name for section, name, status, _ in LINES if section == "Classes" and status != "absent"]
)
def test_classes(name):
    cls = getattr(ours, name)
    assert (isinstance(cls, type) and cls.__doc__ is not None) or issubclass(cls, Exception) or cls.__name__


def instances(module):
    model, data = calls.make(module)
    return {
        "MjModel": model, "MjData": data, "MjContact": data.contact[0], "MjOption": model.opt,
        "MjStatistic": model.stat,
        "MjVisual": model.vis, "MjSolverStat": data.solver[0], "MjTimerStat": data.timer[0],
        "MjWarningStat": data.warning[0],
    }  # fmt: skip


ATTRIBUTES = [name for section, name, status, _ in LINES if section.startswith("Attributes") and status != "absent"]


@pytest.fixture(scope="module")
def both():
    return instances(reference), instances(ours)


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes(name, both):
    cls, attribute = name.split(".")
    expected, actual = (getattr(side[cls], attribute) for side in both)
    if callable(expected) and not isinstance(expected, np.ndarray):
        assert callable(actual)
        if cls in ("MjModel", "MjData") and attribute not in ("from_xml_path", "from_xml_string"):
            _named_access(attribute, both, cls)
        return
    if isinstance(expected, np.ndarray):
        assert (actual.dtype, actual.ndim) == (expected.dtype, expected.ndim)
    elif isinstance(expected, (int, float, bool)):
        assert isinstance(actual, (int, float, bool, np.number))


def _named_access(attribute, both, cls):
    """The first object of the kind has the same id and the same attributes."""
    try:
        expected = getattr(both[0][cls], attribute)(0)
    except (IndexError, TypeError, KeyError, ValueError):
        return
    actual = getattr(both[1][cls], attribute)(0)
    assert actual.id == expected.id and actual.name == expected.name
    names = [name for name in dir(expected) if not name.startswith("_")]
    assert [name for name in names if not hasattr(actual, name)] == []


def module_names(module):
    return [name for section, name, status, _ in LINES if section == "Modules" and name.startswith(f"{module}.")]


@pytest.mark.parametrize("name", module_names("batch"))
def test_batch_module(name):
    """(test_mujoco_batch.py compares what they do)"""
    expected, actual = reference_batch, our_batch
    for part in name.split(".")[1:]:
        expected, actual = getattr(expected, part), getattr(actual, part)
    assert type(actual) is type(expected) and (isinstance(actual, frozenset) or actual.__doc__)


@pytest.mark.parametrize("name", module_names("rollout"))
def test_rollout_module(name):
    expected, actual = (getattr(module, name.split(".")[1]) for module in (reference_rollout, our_rollout))
    if name != "rollout.rollout":
        assert callable(actual) and callable(expected)
        return
    results = []
    for module, function in ((reference, expected), (ours, actual)):
        model, data = calls.make(module)
        full = int(module.mjtState.mjSTATE_FULLPHYSICS)
        state = np.zeros(module.mj_stateSize(model, full))
        module.mj_getState(model, data, state, full)
        control = np.linspace(-1, 1, 3 * 4 * model.nu).reshape(3, 4, model.nu)
        results.append(function(model, data, state, control))
    for a, b in zip(*results, strict=True):
        assert a.shape == b.shape and np.abs(a - b).max() < 1e-6


def test_stubs_are_up_to_date():
    script = ROOT / "scripts/make-stubs"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

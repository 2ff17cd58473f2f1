"""The tutorials run on both modules, with equal results; and say what they are meant to say."""

import importlib.util
import pathlib
import subprocess
import sys

import mujoco
import numpy as np
import pytest

import pliant
import pliant.mujoco

TUTORIALS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "tutorials"
# results of long simulations differ by what a solver's tolerance (1e-8) grows to; those of derivatives by eps (1e-6)
TOLERANCES = {
    "contact_forces": 1e-6, "inverse_kinematics": 1e-9, "lqr_balance": 1e-6, "identify_solref": 1e-4, "rollouts": 1e-6,
}  # fmt: skip


def load(name):
    spec = importlib.util.spec_from_file_location(name, TUTORIALS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", sorted(path.stem for path in TUTORIALS.glob("*.py")))
def test_equal_results(name):
    tutorial = load(name)
    arguments = {"steps": 30} if name == "rollouts" else {}
    expected, actual = tutorial.run(mujoco, **arguments), tutorial.run(pliant.mujoco, **arguments)
    assert sorted(expected) == sorted(actual)
    for key in expected:
        a, b = np.asarray(expected[key]), np.asarray(actual[key])
        assert np.abs(a - b).max() <= TOLERANCES[name] * max(1, np.abs(a).max()), key


@pytest.mark.parametrize("name", sorted(path.stem for path in TUTORIALS.glob("*.py")))
def test_as_a_script(name):
    done = subprocess.run([sys.executable, TUTORIALS / f"{name}.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_rollouts_with_the_native_function():
    tutorial = load("rollouts")

    def native(model, data, states, controls):
        return pliant.rollout(model, states, controls, nthread=2)

    assert np.array_equal(
        tutorial.run(pliant.mujoco, native, steps=10)["angles"], tutorial.run(pliant.mujoco, steps=10)["angles"]
    )

"""Gymnasium's MuJoCo environments, unchanged, on the reference and on Pliant: the same first steps, the same mean
rewards.

The only difference between the runs is the documented line sys.modules["mujoco"] = pliant.mujoco (gym_run.py).
"""

import functools
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = (
    "Ant HalfCheetah Hopper Humanoid HumanoidStandup Walker2d Swimmer Reacher Pusher InvertedPendulum "
    "InvertedDoublePendulum"
).split()  # fmt: skip
SEEDS = 10
EPISODE = 100  # steps of random actions
PGS = 0


@functools.cache
def run(module, mode, *arguments):
    pytest.importorskip("imageio", reason="gymnasium's environments import imageio")
    command = [
        sys.executable,
        str(ROOT / "tests/python/gym_run.py"),
        module,
        mode,
        ",".join(NAMES),
        str(SEEDS),
        *arguments,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def both(mode, name, *arguments):
    expected, actual = run("mujoco", mode, *arguments)[name], run("pliant", mode, *arguments)[name]
    assert expected["module"].startswith("mujoco") and actual["module"] == "pliant.mujoco"
    return expected, actual


def differences(expected, actual, path=""):
    """Largest difference of every array, relative to numbers above 1."""
    if isinstance(expected, dict):
        assert sorted(expected) == sorted(actual), path
        return [d for key in expected for d in differences(expected[key], actual[key], f"{path}.{key}")]
    a, b = np.asarray(expected, float), np.asarray(actual, float)
    assert a.shape == b.shape, path
    return [(float(np.max(np.abs(a - b) / np.maximum(1, np.abs(a)), initial=0)), path)]


@pytest.mark.parametrize("name", NAMES)
def test_first_step_with_newton_to_the_end(name):
    expected, actual = both("first-exact", name)
    for a, b in zip(expected["results"], actual["results"], strict=True):
        assert max(differences(a, b)) < (1e-8, ""), max(differences(a, b))


@pytest.mark.parametrize("name", NAMES)
def test_first_step_with_shipped_options(name):
    expected, actual = both("first", name)
    worst = max(max(differences(a, b)) for a, b in zip(expected["results"], actual["results"], strict=True))
    if expected["solver"] == PGS:
        print(f"{name} (PGS, not gated): {worst}")
        return
    assert worst < (1e-5, ""), worst


@pytest.mark.parametrize("name", NAMES)
def test_mean_reward_of_random_actions(name):
    expected, actual = both("rewards", name, str(EPISODE))
    a, b = np.array(expected["results"]), np.array(actual["results"])
    standard_error = np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
    assert abs(a.mean() - b.mean()) <= 2 * standard_error + 1e-9, (a.mean(), b.mean(), standard_error)
    assert np.isfinite(b).all()

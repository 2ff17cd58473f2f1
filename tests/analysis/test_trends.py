"""Advice on tuning contacts, as trends of a ball that falls on a floor: what grows and what falls with each parameter.

A trend is monotone over the values tried, from a base of soft rubber. Where the usual advice fails, the trend found is
asserted here and docs/physics.md says so.
"""

import itertools

import pytest

import pliant

BASE = {"timeconst": 0.06, "dampratio": 0.2, "d0": 0.5, "dwidth": 0.9, "width": 0.02, "midpoint": 0.5, "power": 2}
STEP = 0.0005

VALUES = {
    "timeconst": (0.02, 0.04, 0.06, 0.1),
    "dampratio": (0.1, 0.2, 0.4, 0.8),
    "d0": (0.1, 0.3, 0.5, 0.7, 0.9),
    "dwidth": (0.6, 0.7, 0.8, 0.9, 0.97),
    "width": (0.002, 0.01, 0.03, 0.1, 0.3),
    "midpoint": (0.1, 0.3, 0.5, 0.7, 0.9),
    "power": (1, 2, 3, 5),
}

# (parameter, what is measured): "up" or "down" with the parameter
TRENDS = {
    ("timeconst", "duration"): "up",
    ("timeconst", "depth"): "up",
    ("timeconst", "rest"): "up",
    ("dampratio", "duration"): "up",
    ("dampratio", "depth"): "up",
    ("dampratio", "rest"): "up",
    ("dampratio", "restitution"): "down",
    ("d0", "duration"): "down",
    ("d0", "depth"): "down",
    ("d0", "rest"): "down",
    ("dwidth", "depth"): "up",  # against the advice: stiffness is divided by dwidth squared
    ("dwidth", "rest"): "up",  # likewise, while the depth at rest is below the width
    ("width", "duration"): "up",
    ("width", "depth"): "up",
    ("width", "rest"): "up",
    ("midpoint", "duration"): "up",
    ("midpoint", "depth"): "up",
    ("midpoint", "rest"): "up",
    ("power", "rest"): "up",
    ("power", "depth"): "down",  # against the advice: beyond the midpoint a higher power is the firmer one
}


def drop(**changes):
    """restitution, time in contact, depth and depth at rest of the ball."""
    p = BASE | changes
    xml = (
        f"<mujoco><option timestep='{STEP}' cone='elliptic'/><worldbody>"
        f"<geom type='plane' size='1 1 1' priority='1' condim='1' solref='{p['timeconst']} {p['dampratio']}' "
        f"solimp='{p['d0']} {p['dwidth']} {p['width']} {p['midpoint']} {p['power']}'/>"
        "<body pos='0 0 .1'><joint type='slide' axis='0 0 1'/><geom size='.1' mass='1'/></body></worldbody></mujoco>"
    )
    model = pliant.load_string(xml)
    state, data = pliant.State(model), pliant.Data(model)
    state.qvel[0] = speed = -2.0
    depth, duration, restitution = 0.0, 0, 0.0
    for _ in range(int(2 / STEP)):
        assert not pliant.step(model, state, data)
        duration += 1
        depth = max(depth, -state.qpos[0])
        if state.qpos[0] >= 0:
            restitution = state.qvel[0] / -speed
            break
    state.qpos[0], state.qvel[0] = 0, 0
    for _ in range(int(3 / STEP)):
        pliant.step(model, state, data)
    return {"restitution": restitution, "duration": duration * STEP, "depth": depth, "rest": -state.qpos[0]}


@pytest.fixture(scope="module")
def sweeps():
    return {name: [drop(**{name: value}) for value in values] for name, values in VALUES.items()}


@pytest.mark.parametrize("parameter,measure", TRENDS, ids=[f"{a}-{b}" for a, b in TRENDS])
def test_trend(sweeps, parameter, measure):
    numbers = [result[measure] for result in sweeps[parameter]]
    if TRENDS[parameter, measure] == "down":
        numbers.reverse()
    slack = STEP if measure == "duration" else 1e-9
    assert all(b >= a - slack for a, b in itertools.pairwise(numbers)) and numbers[-1] > numbers[0], numbers


def test_dwidth_firms_what_rests_deeper_than_the_width():
    depths = [drop(dwidth=value, width=1e-4)["rest"] for value in VALUES["dwidth"]]
    assert depths == sorted(depths, reverse=True)

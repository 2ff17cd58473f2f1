"""The flag diagstack: a light body under a heavy one sinks as deep as its contact says, not by the ratio of masses."""

import itertools

import numpy as np
import pytest

import pliant
import pliant.mujoco

SOLVERS = {
    "Newton": "",
    "elliptic": 'cone="elliptic"',
    "CG": 'solver="CG" tolerance="1e-13"',
    "implicitfast": 'integrator="implicitfast"',
    "discrete": 'integrator="discrete"',
    "stiff": 'o_solref=".01 1"',
}
FLAG = 'diagstack="enable"'


def scene(bodies, options="", flag=FLAG, gravity="0 0 -9.81"):
    override = 'override="enable"' if "o_solref" in options else ""
    return pliant.load_string(
        f'<mujoco><option gravity="{gravity}" {options}><flag {override} {flag}/></option><worldbody>'
        f'<geom name="floor" type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>'
    )


def box(z, mass, x=0.0, size=".05 .05 .05", name=""):
    geom = f'<geom {name and f"name={name!r}"} type="box" size="{size}" mass="{mass}"/>'
    return f'<body pos="{x} 0 {z}"><freejoint/>{geom}</body>'


def rest(model, seconds=4):
    state, data = pliant.State(model), pliant.Data(model)
    for _ in range(round(seconds / model.opt.timestep)):
        pliant.step(model, state, data)
    return state, data


def depth_of_one(mass, options=""):
    state, _ = rest(scene(box(0.05, mass), options))
    return 0.05 - state.qpos[2]


@pytest.mark.parametrize("options", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("ratio", [10, 100, 300, 1000, 10000])
def test_light_below_heavy(ratio, options):
    promised = depth_of_one(1 + ratio, options)
    state, _ = rest(scene(box(0.05, 1) + box(0.15, ratio), options))
    depth = 0.05 - state.qpos[2], state.qpos[2] + 0.1 - state.qpos[9]
    print(f"{ratio} {options}: promised {promised:.3e}, below {depth[0]:.3e}, between {depth[1]:.3e}")
    assert depth[0] == pytest.approx(promised, rel=0.05)
    assert np.abs(state.qvel).max() < 1e-5
    # without the flag it sinks by the ratio (this test can fail)
    if ratio == 100 and options == "":
        state, _ = rest(scene(box(0.05, 1) + box(0.15, ratio), options, flag=""))
        assert 0.05 - state.qpos[2] > 10 * promised


def test_the_depth_is_that_of_the_law():
    """Closed form: four springs K d / R with R = (1 - d)/d over the whole mass carry the whole weight."""
    state, _ = rest(scene(box(0.05, 1) + box(0.15, 300), 'cone="elliptic"'))
    depth = 0.05 - state.qpos[2]
    # d(r) of the default solimp: 0.9 at 0, 0.95 from 1 mm on, parabolas between
    x = depth / 0.001
    d = 0.9 + 0.05 * (2 * x * x if x < 0.5 else 1 - 2 * (1 - x) ** 2)
    stiffness = 4 * (1 / (0.95 * 0.02) ** 2) * d * d / (1 - d) * 301
    assert stiffness * depth == pytest.approx(301 * 9.81, rel=1e-3)


def test_what_stands_by_itself_keeps_its_bits():
    for bodies in (box(0.05, 1), box(0.05, 1) + box(0.05, 50, x=0.5)):
        ends = [rest(scene(bodies, flag=flag), 1)[0].hash() for flag in ("", FLAG)]
        assert ends[0] == ends[1]


def test_a_beam_on_two_posts_is_shared():
    """Each post carries half of the beam; all three contacts are as deep as for one body of what they carry."""
    beam = box(0.15, 200, x=0.2, size=".4 .05 .05")
    state, _ = rest(scene(box(0.05, 1) + box(0.05, 1, x=0.4) + beam))
    promised = depth_of_one(101)
    for post in (state.qpos[2], state.qpos[9]):
        assert 0.05 - post == pytest.approx(promised, rel=0.05)


def test_ten_boxes_each_twice_as_heavy_as_the_one_below():
    boxes = "".join(box(0.05 + 0.1 * k, 2.0**k) for k in range(10))
    state, _ = rest(scene(boxes), 6)
    heights = state.qpos.reshape(-1, 7)[:, 2]
    promised = depth_of_one(2.0**10 - 1)
    assert 0.05 - heights[0] == pytest.approx(promised, rel=0.05)
    for low, high in itertools.pairwise(heights):
        assert low + 0.1 - high == pytest.approx(promised, rel=0.3)


def test_explain_and_doctor_know_it():
    bodies = box(0.0499, 1, name="light") + box(0.1498, 300, name="heavy")
    state, _ = rest(scene(bodies))
    model = scene(bodies)
    below, between = pliant.explain(model, "floor", "light"), pliant.explain(model, "light", "heavy")
    assert below.load == pytest.approx(301 * 9.81, rel=1e-3)
    assert below.rest_depth == pytest.approx(0.05 - state.qpos[2], rel=0.02)
    assert between.rest_depth == pytest.approx(state.qpos[2] + 0.1 - state.qpos[9], rel=0.02)
    # where it is off, the doctor names the ratio and the flag
    codes = {flag: [f.code for f in pliant.doctor(scene(bodies, flag=flag))] for flag in ("", FLAG)}
    assert "D304" in codes[""] and "D304" not in codes[FLAG]


def test_a_file_says_so_and_it_is_written():
    spec = pliant.mujoco.MjSpec.from_string(f"<mujoco><option><flag {FLAG}/></option></mujoco>")
    assert 'diagstack="enable"' in spec.to_xml()
    assert scene(box(0.05, 1)).opt.enableflags == 1 << 9
    with pytest.raises(pliant.LoadError, match="did you mean 'diagstack'"):
        pliant.load_string('<mujoco><option><flag diagstak="enable"/></option></mujoco>')

"""Anchored friction where it matters: slopes to 99 % of the angle, a cube in a gripper, one foot, a tower."""

import math

import numpy as np
import pytest

import pliant

SOLVERS = ["Newton", "CG", "PGS", "TGS"]
CONES = ["pyramidal", "elliptic"]


def slope(tangent, direction, cone, solver, law="anchored", solimp=".9 .95 .001"):
    """A box on a slope that gravity makes; friction 1."""
    angle = math.atan(tangent)
    along, down = 9.81 * math.sin(angle), 9.81 * math.cos(angle)
    gravity = f"{along * math.cos(direction)} {along * math.sin(direction)} {-down}"
    return pliant.load_string(
        f'<mujoco><option friction="{law}" cone="{cone}" solver="{solver}" gravity="{gravity}" tolerance="1e-13" '
        f'iterations="1000"/><default><geom solimp="{solimp}"/></default><worldbody>'
        '<geom type="plane" size="9 9 1"/><body pos="0 0 .0499"><freejoint/><geom type="box" size=".1 .1 .05"/></body>'
        "</worldbody></mujoco>"
    )


def run(model, state, data, seconds):
    for _ in range(round(seconds / model.opt.timestep)):
        pliant.step(model, state, data)


def limit(cone, direction):
    """The tangent of the angle of friction: of a pyramid |T_x| + |T_y| = μ N."""
    return 1 if cone == "elliptic" else 1 / (abs(math.cos(direction)) + abs(math.sin(direction)))


@pytest.mark.parametrize("seconds", [6, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("direction", [0, math.pi / 2, math.pi / 4], ids=["x", "y", "diagonal"])
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("cone", CONES)
def test_nothing_creeps_to_the_angle_of_friction(cone, solver, direction, seconds):
    for tangent in (math.tan(math.radians(20)), 0.99 * limit(cone, direction)):
        model = slope(tangent, direction, cone, solver)
        state, data = pliant.State(model), pliant.Data(model)
        run(model, state, data, seconds - 1)
        before = state.qpos.copy()
        run(model, state, data, 1)
        print(cone, solver, f"{tangent:.3f}", np.abs(state.qpos - before).max(), np.abs(state.qpos[:2]).max())
        assert np.abs(state.qpos - before).max() <= 1e-9
        assert np.abs(state.qpos[:2]).max() < 0.015


@pytest.mark.parametrize("direction", [0, math.pi / 4], ids=["x", "diagonal"])
@pytest.mark.parametrize("cone", CONES)
def test_beyond_the_angle_it_slides(cone, direction):
    model = slope(1.05 * limit(cone, direction), direction, cone, "Newton")
    state, data = pliant.State(model), pliant.Data(model)
    run(model, state, data, 4)
    assert np.linalg.norm(state.qpos[:2]) > 0.05


def test_a_pyramid_does_not_lift_what_it_holds():
    """Closed form: slips do not change the sum of the edges, so that the box lies as deep as gravity presses it."""
    depths = []
    for tangent in (0.0, 0.5, 0.9, 0.99):
        model = slope(tangent, 0, "pyramidal", "Newton", solimp=".9 .9 .001")
        # the load is that of a level floor, the rest only pulls along it
        model.opt.gravity = (9.81 * tangent, 0, -9.81)
        state, data = pliant.State(model), pliant.Data(model)
        run(model, state, data, 6)
        depths.append(0.05 - state.qpos[2])
    print(depths)
    assert depths == pytest.approx([depths[0]] * 4, rel=1e-4)


GRIPPER = """
<mujoco><option friction="anchored" cone="{cone}" solver="{solver}"/><worldbody>
  <body pos="0 0 1">
    <body pos="-.06 0 0"><joint name="left" type="slide" axis="1 0 0" damping="20"/>
      <geom type="box" size=".02 .03 .03" mass=".2"/></body>
    <body pos=".06 0 0"><joint name="right" type="slide" axis="-1 0 0" damping="20"/>
      <geom type="box" size=".02 .03 .03" mass=".2"/></body>
  </body>
  <body pos="0 0 1"><freejoint/><geom type="box" size=".04 .02 .02" mass=".5"/></body>
</worldbody><actuator><motor joint="left"/><motor joint="right"/></actuator></mujoco>"""


@pytest.mark.parametrize("minutes", [0.2, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.parametrize("cone", CONES)
def test_a_gripper_holds_its_cube(cone, minutes):
    model = pliant.load_string(GRIPPER.format(cone=cone, solver="Newton"))
    state, data = pliant.State(model), pliant.Data(model)
    state.ctrl[:] = 15
    run(model, state, data, 2)
    before = state.qpos.copy()
    run(model, state, data, 60 * minutes)
    print(cone, np.abs(state.qpos - before).max())
    assert np.abs(state.qpos - before).max() <= 1e-6


ONE_FOOT = """
<mujoco><option friction="anchored" cone="{cone}" gravity=".4 .2 -9.8" integrator="implicitfast"/>
<default><geom density="1000"/><position kp="500" kv="30"/><joint damping="1" armature=".02"/></default><worldbody>
  <geom type="plane" size="5 5 1"/>
  <body name="foot" pos="0 0 .02"><freejoint/><geom type="box" size=".1 .05 .02"/>
    <body pos="0 0 .03"><joint name="ankle_y" axis="0 1 0"/><joint name="ankle_x" axis="1 0 0"/>
      <geom type="capsule" size=".03" fromto="0 0 .03 0 0 .35"/>
      <body pos="0 0 .37"><joint name="knee" axis="0 1 0"/><geom type="capsule" size=".035" fromto="0 0 0 0 0 .35"/>
        <body pos="0 0 .38"><joint name="hip_y" axis="0 1 0"/><joint name="hip_x" axis="1 0 0"/>
          <geom type="box" size=".06 .08 .15" pos="0 0 .17" mass="8"/>
          <body pos="0 .08 0"><joint name="free_hip" axis="0 1 0"/>
            <geom type="capsule" size=".03" fromto="0 0 -.02 0 0 -.3" mass="1"/></body>
        </body></body></body></body>
</worldbody><actuator>
  <position joint="ankle_y"/><position joint="ankle_x"/><position joint="knee"/><position joint="hip_y"/>
  <position joint="hip_x"/><position joint="free_hip"/>
</actuator></mujoco>"""


@pytest.mark.parametrize("cone", CONES)
def test_one_foot_does_not_drift(cone):
    """A biped on one foot, pulled sideways by a floor that is not level."""
    model = pliant.load_string(ONE_FOOT.format(cone=cone))
    state, data = pliant.State(model), pliant.Data(model)
    run(model, state, data, 15)
    before = state.qpos.copy()
    assert 0.0195 < before[2] < 0.02 and data.ncon == 4
    run(model, state, data, 5)
    print(cone, np.abs(state.qpos[:7] - before[:7]).max())
    assert np.abs(state.qpos[:7] - before[:7]).max() <= 1e-8
    # regularised friction drifts
    model.opt.friction = 0
    state = pliant.State(model)
    run(model, state, data, 5)
    before = state.qpos.copy()
    run(model, state, data, 1)
    assert np.abs(state.qpos[:2] - before[:2]).max() > 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("cone", CONES)
def test_a_tower_of_twenty_boxes_stands(cone):
    """With the impedance of its stack: contacts that are as soft as for one box would buckle under nineteen."""
    rng = np.random.default_rng(4)
    boxes = "".join(
        f'<body pos="{x} {y} {0.05 + 0.1 * k}"><freejoint/><geom type="box" size=".05 .05 .05"/></body>'
        for k, (x, y) in enumerate(rng.uniform(-0.0005, 0.0005, (20, 2)))
    )
    model = pliant.load_string(
        f'<mujoco><option friction="anchored" cone="{cone}"><flag diagstack="enable"/></option><worldbody>'
        f'<geom type="plane" size="5 5 1"/>{boxes}</worldbody></mujoco>'
    )
    state, data = pliant.State(model), pliant.Data(model)
    run(model, state, data, 60)
    places = state.qpos.reshape(-1, 7)
    print(cone, np.abs(places[:, :2]).max(), places[-1, 2], np.abs(state.qvel).max())
    assert np.abs(places[:, :2]).max() < 0.05
    assert places[-1, 2] > 1.9

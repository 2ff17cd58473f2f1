"""Things that went wrong in ordinary scenes, each by itself: boxes on equal boxes, rods pressed into boxes, hard mimics
with damping, tendons that end on the rim of their pulley."""

import math

import numpy as np
import pytest

import pliant


def steps(model, state, data, n):
    for _ in range(n):
        pliant.step(model, state, data)


# ---- box on box --------------------------------------------------------------------------------------------------


def two_boxes(offset, yaw, options=""):
    return pliant.load_string(
        f'<mujoco><option {options}/><worldbody><geom type="plane" size="5 5 1"/>'
        '<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        f'<body pos="{offset} 0 .3" euler="0 0 {yaw}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        "</worldbody></mujoco>"
    )


@pytest.mark.parametrize("options", ["", 'cone="elliptic"', 'timestep=".005"'])
@pytest.mark.parametrize("offset", [0, 1e-9, 1e-7, 1e-6])
@pytest.mark.parametrize("yaw", [0, 90, 180, 1e-6])
def test_boxes_whose_edges_coincide_come_to_rest(offset, yaw, options):
    """Rounding used to add vertices in the middle of edges, and take them away: boxes hummed."""
    model = two_boxes(offset, yaw, options)
    state, data = pliant.State(model), pliant.Data(model)
    steps(model, state, data, 1000)
    for _ in range(500):
        pliant.step(model, state, data)
        assert data.ncon == 8
    assert np.abs(state.qvel).max() < 1e-7


def test_boxes_that_are_turned_touch_in_an_octagon():
    """What is told from rounding is not changed: eight points where two squares cross."""
    for yaw in (1e-3, 0.1, 10, 45):
        model = two_boxes(0, yaw)
        state, data = pliant.State(model), pliant.Data(model)
        state.qpos[9] -= 1e-4
        pliant.forward(model, state, data)
        assert data.ncon == 4 + 8, yaw


# ---- rods --------------------------------------------------------------------------------------------------------


def pressed_rod(shape, force, pose):
    model = pliant.load_string(
        '<mujoco><worldbody><geom type="box" size=".2 .2 .1" pos="0 0 -.1"/>'
        f'<body {pose}><freejoint/><geom type="{shape}" size=".01 .1" mass=".1"/></body></worldbody></mujoco>'
    )
    state, data = pliant.State(model), pliant.Data(model)
    for i in range(1500):
        state.xfrc_applied[1, 2] = -force * min(1, i / 500)
        pliant.step(model, state, data)
    return state


@pytest.mark.parametrize("pose", ['pos="0 0 .0099" euler="0 90 0"', 'pos=".05 .02 .0099" euler="30 90 0"'])
@pytest.mark.parametrize("force", [10, 100, 300, 1000])
def test_a_pressed_rod_lies_as_deep_as_a_cylinder(force, pose):
    """Once all of its axis was inside the box, a capsule was pushed at one end only, turned and fell through."""
    capsule, cylinder = (pressed_rod(shape, force, pose) for shape in ("capsule", "cylinder"))
    assert capsule.qpos[2] == pytest.approx(cylinder.qpos[2], abs=1e-6)
    assert np.abs(capsule.qvel).max() < 1e-6
    assert capsule.qpos[2] > -0.1


# ---- hard mimics -------------------------------------------------------------------------------------------------


def geared(damping, options, mode="hard"):
    """Two arms that gravity and a motor move, one follows the other; a third follows both."""
    return pliant.load_string(f"""
      <mujoco><option timestep=".002" {options}/><worldbody>
        <body><joint name="a" axis="0 1 0" damping="{damping}"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"/>
          <body pos=".3 0 0"><joint name="b" axis="0 1 0"/>
            <geom type="capsule" size=".02" fromto="0 0 0 .2 0 0"/></body>
        </body>
        <body pos="0 1 0"><joint name="c" axis="0 1 0" damping="{damping / 3}"/>
          <geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"/></body>
      </worldbody><equality>
        <mimic joint1="b" joint2="a" gear="-.7" mode="{mode}"/>
        <mimic joint1="c" joint2="a b" gear="-.5 .4" mode="{mode}"/>
      </equality><actuator><motor joint="a"/></actuator></mujoco>""")


def mimic_error(model, n=1500):
    state, data = pliant.State(model), pliant.Data(model)
    worst = 0
    for i in range(n):
        state.ctrl[0] = 3 * math.sin(0.01 * i)
        pliant.step(model, state, data)
        a, b, c = state.qpos
        if i > 100:
            worst = max(worst, abs(b - 0.7 * a), abs(c - 0.5 * a + 0.4 * b))
    return worst


@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS", "TGS"])
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_hard_mimics_hold_as_well_with_damping(integrator, solver):
    """The integrator's implicit damping moved followers away from what the solver had found: by 2e-4 rad."""
    options = f'integrator="{integrator}" solver="{solver}" iterations="500" tolerance="1e-12"'
    without, with_damping = mimic_error(geared(0, options)), mimic_error(geared(1, options))
    print(integrator, solver, without, with_damping)
    assert with_damping < 2 * without + 1e-9


def test_a_hard_mimic_with_damping_moves_as_an_exact_one():
    """Independent of rows: joints that are reduced at load. (h → 0: both integrate the same equations.)"""
    for integrator in ("Euler", "implicitfast"):
        ends = []
        for mode in ("hard", "exact"):
            model = geared(1, f'integrator="{integrator}"', mode)
            state, data = pliant.State(model), pliant.Data(model)
            steps(model, state, data, 250)
            ends.append(state.qpos.copy())
        assert np.abs(ends[0] - ends[1]).max() < 1e-4, integrator


# ---- tendons -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "insertion", ["0 0 -.012", ".0072 0 -.0096", ".012 0 0", ".025 0 -.009"], ids=["below", "slanted", "ahead", "off"]
)
def test_tendons_do_not_jump(insertion):
    """A tendon that ends on the rim of its pulley: rounding says whether the site is inside it, and whether the arc is
    negative, which was a whole turn."""
    model = pliant.load_string(f"""
      <mujoco><option timestep=".001"/><worldbody>
        <geom name="pulley" type="cylinder" size=".012 .009" euler="90 0 0" contype="0" conaffinity="0"/>
        <site name="origin" pos="-.03 0 -.012"/><site name="side" pos="0 0 -.016"/>
        <body><joint axis="0 1 0" damping=".005" armature="1e-4" range="-60 80" limited="true"/>
          <geom type="capsule" size=".006" fromto="0 0 0 .05 0 0" contype="0" conaffinity="0"/>
          <site name="insertion" pos="{insertion}"/></body>
      </worldbody><tendon><spatial name="flexor"><site site="origin"/><geom geom="pulley" sidesite="side"/>
        <site site="insertion"/></spatial></tendon>
      <actuator><motor tendon="flexor" gear="-1"/></actuator></mujoco>""")
    state, data = pliant.State(model), pliant.Data(model)
    lengths, angles = [], []
    for i in range(3000):
        state.ctrl[0] = 0.02 * (1 + math.sin(0.01 * i))
        pliant.forward(model, state, data)
        lengths.append(data.ten_length[0])
        angles.append(state.qpos[0])
        pliant.step(model, state, data)
    # a path around the pulley changes by at most the distance that the insertion moves
    reach = np.hypot(*np.array(insertion.split(), float)[[0, 2]])
    moved = reach * np.abs(np.diff(angles)) + 1e-6
    jumps = np.abs(np.diff(lengths)) > moved
    print(insertion, jumps.sum(), np.abs(np.diff(lengths)).max())
    assert np.ptp(angles) > 0.3
    assert not jumps.any()

"""Predicted contacts by their own laws: a bullet and a plate, the aim of a row, what the flag leaves alone."""

import math

import numpy as np
import pytest

import pliant

H = 0.002
INTEGRATORS = ["Euler", "RK4", "implicit", "implicitfast", "discrete"]
BULLETS = {
    "sphere": '<geom type="sphere" size=".005" mass=".01"/>',
    "capsule": '<geom type="capsule" size=".003 .01" mass=".01"/>',
    "box": '<geom type="box" size=".004 .005 .006" mass=".01"/>',
    "cylinder": '<geom type="cylinder" size=".004 .006" mass=".01"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".004 .005 .006" mass=".01"/>',
    "mesh": '<geom type="mesh" mesh="wedge" mass=".01"/>',
}
WEDGE = '<asset><mesh name="wedge" vertex="0 0 0 .01 0 0 0 .012 0 .01 .012 0 0 0 .008 .01 0 .008"/></asset>'
PLATES = {
    "box": '<geom type="box" size="3 3 .001" {}/>',
    "cylinder": '<geom type="cylinder" size="3 .001" {}/>',
    "plane": '<geom type="plane" size="3 3 1" {}/>',
}


def scene(bullet, plate, height, options="", law="", exact=True, gravity="0 0 -9.81"):
    flag = 'speculative_exact="enable"' if exact else ""
    return pliant.load_string(
        f'<mujoco><option timestep="{H}" gravity="{gravity}" {options}><flag speculative="enable" {flag}/></option>'
        f'{WEDGE}<worldbody>{PLATES[plate].format(law)}<body pos=".1 .2 {height}" quat=".9 .3 .2 .1"><freejoint/>'
        f"{BULLETS[bullet]}</body></worldbody></mujoco>"
    )


def integrators():
    """Those that this build knows."""
    known = []
    for name in INTEGRATORS:
        try:
            pliant.load_string(f'<mujoco><option integrator="{name}"/></mujoco>')
            known.append(name)
        except pliant.LoadError:
            assert name == "discrete"
    return known


def run(model, velocity, steps=400):
    """The lowest and the last height of the bullet's centre of mass above the middle of the plate."""
    state, data = pliant.State(model), pliant.Data(model)
    state.qvel[:] = velocity
    lowest = last = math.inf
    for _ in range(steps):
        pliant.step(model, state, data)
        assert np.isfinite(state.qpos).all()
        if np.abs(state.qpos[:2]).max() > 2.9:  # the plate ends here
            break
        pliant.forward(model, state, data)
        last = data.xipos[-1][2]
        lowest = min(lowest, last)
    return lowest, last


LAWS = [
    "",
    'solref=".1 1"',
    'solref=".02 .2"',
    'solimp=".5 .9 3"',
    'solimp="0 .5 .1"',
    'solref="-1000 -5"',
    'solref="0 -100"',
    'margin=".003"',
    'condim="1"',
]


@pytest.mark.parametrize("integrator", integrators())
@pytest.mark.parametrize("bullet", BULLETS)
def test_a_bullet_never_passes_a_plate(bullet, integrator):
    """At any speed from one that the contact itself stops to 1000 m/s, along any path, for any law of the contact."""
    rng = np.random.default_rng(7)
    for k in range(24):
        speed = 10 ** rng.uniform(-1, 3) if k else 1000.0
        law, plate = LAWS[k % len(LAWS)], list(PLATES)[k % 3]
        cone = ["pyramidal", "elliptic"][k % 2]
        height = 0.02 + speed * H * rng.uniform(0, 3)
        # some of these laws do not even carry the bullet's weight
        gravity = "0 0 0" if law else "0 0 -9.81"
        model = scene(bullet, plate, height, f'integrator="{integrator}" cone="{cone}"', law, gravity=gravity)
        aim = np.array([*rng.normal(size=2) * 0.1, -1])
        velocity = [*speed * aim / np.linalg.norm(aim), *rng.normal(size=3) * rng.choice([0, 30, 300])]
        lowest, last = run(model, velocity, 300)
        # what dips into a plane, which has no other side, comes back
        assert (last if plate == "plane" else lowest) > 0, (speed, law, plate, cone, height, lowest, last)


@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton", "TGS"])
def test_with_every_solver(solver):
    for speed in (3.0, 70.0, 999.0):
        model = scene("box", "box", 0.3, f'solver="{solver}"')
        assert run(model, [0, 0, -speed, 5, 7, 0])[0] > 0, speed


def test_the_flag_alone_lets_some_pass():
    """What the option is for; if this fails, the option can go."""
    assert run(scene("sphere", "box", 0.5, 'integrator="RK4"', exact=False), [0, 0, -700, 0, 0, 0])[0] < 0
    assert run(scene("sphere", "box", 0.5, "", 'solimp=".5 .9 3"', exact=False), [0, 0, -700, 0, 0, 0])[0] < 0


@pytest.mark.parametrize("integrator", integrators())
@pytest.mark.parametrize("law", LAWS)
def test_exact_rows_meet_their_aim(law, integrator):
    """After the step the bullet is 2 % of its way before the plate, and as fast as it takes to have come there."""
    model = scene("sphere", "box", 0.5, f'integrator="{integrator}"', law, gravity="0 0 0")
    state, data = pliant.State(model), pliant.Data(model)
    state.qvel[2] = -400
    margin = 0.003 if "margin" in law else 0
    gap = 0.5 - 0.005 - 0.001 - margin
    pliant.step(model, state, data)
    assert data.ncon == 1
    assert state.qpos[2] - 0.006 - margin == pytest.approx(0.02 * gap, abs=1e-6)
    assert state.qvel[2] == pytest.approx(-0.98 * gap / H, rel=1e-5)


def test_the_reference_rule_meets_its_aim_where_it_can():
    """d(r) flat, Euler, one free sphere: v after the step is t v."""
    model = scene("sphere", "plane", 0.5, "", 'solimp=".9 .9 .001" condim="1"', exact=False, gravity="0 0 0")
    state, data = pliant.State(model), pliant.Data(model)
    state.qvel[2] = -400
    gap = 0.5 - 0.005
    pliant.step(model, state, data)
    assert state.qvel[2] == pytest.approx(-0.98 * gap / H, rel=1e-12)


def test_slow_contacts_keep_their_law():
    """A ball that bounces is not fast: with and without the flag and the option it does the same, bit for bit."""
    text = """<mujoco><option><flag {}/></option><worldbody><geom type="plane" size="1 1 1" solref="-3000 -5"/>
      <body pos="0 0 .3"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    paths = []
    for flag in ("", 'speculative="enable"', 'speculative="enable" speculative_exact="enable"'):
        model = pliant.load_string(text.format(flag))
        state, data = pliant.State(model), pliant.Data(model)
        path = []
        for _ in range(500):
            pliant.step(model, state, data)
            path.append(state.qpos.copy())
        paths.append(np.array(path))
    assert paths[0][:, 2].max() > 0.25 and (paths[0] == paths[1]).all() and (paths[0] == paths[2]).all()


def test_many_bodies_and_trees_of_geoms():
    """Nothing fast is lost by the broad phase: 150 bullets, sorted by it, at a wall of 64 tiles in one body."""
    tiles = "".join(
        f'<geom type="box" size=".26 .26 .001" pos="{x / 2} {y / 2} 0"/>' for x in range(-4, 4) for y in range(-4, 4)
    )
    rng = np.random.default_rng(3)
    bullets = "".join(
        f'<body pos="{x:.3f} {y:.3f} {z:.3f}"><freejoint/><geom size=".005"/></body>'
        for x, y, z in zip(rng.uniform(-2, 1.5, 150), rng.uniform(-2, 1.5, 150), rng.uniform(0.5, 40, 150))
    )
    for moving in (
        "",
        '<joint type="slide" axis="1 0 0" armature="1e6"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>',
    ):
        model = pliant.load_string(
            f'<mujoco><option timestep="{H}" gravity="0 0 0">'
            '<flag speculative="enable" speculative_exact="enable"/></option>'
            f"<worldbody><body>{moving}{tiles}</body>{bullets}</worldbody></mujoco>"
        )
        state, data = pliant.State(model), pliant.Data(model)
        first = model.nv - 6 * 150
        state.qvel[first + 2 :: 6] = rng.uniform(-1000, -100, 150)
        if moving:
            state.qvel[0] = 5
        for _ in range(300):
            pliant.step(model, state, data)
        at = np.reshape(state.qpos[model.nq - 7 * 150 :], (150, 7))[:, :3] - [model.nq % 7 and state.qpos[0], 0, 0]
        # some meet others on their way, and leave sideways
        above = (np.abs(at[:, :2] + 0.25) < 2).all(axis=1)
        assert above.sum() > 100 and (at[above, 2] > 0).all()


def test_mimics_are_part_of_it():
    """The follower's tip comes to the plate; the leader has nothing to touch."""
    text = """<mujoco><option timestep=".002" gravity="0 0 0">
      <flag speculative="enable" speculative_exact="enable"/></option><worldbody><geom type="box" size="1 1 .001"/>
      <body pos="0 0 1"><joint name="a" type="slide" axis="0 0 1"/><geom size=".01" contype="0" conaffinity="0"/></body>
      <body pos=".5 0 .5"><joint name="b" type="slide" axis="0 0 1"/><geom size=".005" mass=".1"/></body></worldbody>
      <equality><mimic joint1="b" joint2="a" gear="-2"/></equality></mujoco>"""
    model = pliant.load_string(text)
    state, data = pliant.State(model), pliant.Data(model)
    state.qvel[:] = [-200, -400]
    for _ in range(200):
        pliant.step(model, state, data)
    assert 0 < 0.5 + state.qpos[1] < 0.05
    assert state.qpos[1] == pytest.approx(2 * state.qpos[0], rel=1e-12)


HFIELD = """<mujoco><option><flag {}/></option><asset><hfield name="h" nrow="2" ncol="2" elevation="0 0 0 0"
  size="1 1 .1 .1"/></asset><worldbody><geom name="ground" type="hfield" hfield="h"/></worldbody></mujoco>"""


def test_what_is_not_followed_is_said():
    def findings(flags):
        try:
            return [str(w) for w in pliant.load_string(HFIELD.format(flags)).diagnostics], None
        except pliant.LoadError as error:
            return [], str(error)

    warnings, error = findings('speculative="enable"')
    assert error is None and any("height fields" in w and "ground" in w for w in warnings)
    _, error = findings('speculative="enable" speculative_exact="enable"')
    assert error and "height fields" in error and "ground" in error
    warnings, error = findings('speculative_exact="enable"')
    assert error is None and any("has no effect without" in w for w in warnings)
    warnings, error = findings('speculative="enable" nativeccd="disable"')
    assert error is None and any("nativeccd" in w for w in warnings)

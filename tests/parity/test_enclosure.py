"""insidesite enclosed="true": how far a body juts out of a site, against closed forms, directions tried one by one, and
the reference, whose search ends early: never below it, and equal where it has found the maximum."""

import itertools

import mujoco
import numpy as np
import pytest

import pliant.mujoco as pm

SHAPES = ["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]
SMALL = {"sphere": ".11", "capsule": ".07 .12", "ellipsoid": ".07 .11 .16", "cylinder": ".08 .13", "box": ".07 .1 .13"}
LARGE = {"sphere": ".4", "capsule": ".3 .35", "ellipsoid": ".3 .4 .5", "cylinder": ".35 .4", "box": ".3 .35 .4"}
MESHES = """
  <mesh name="small" vertex="-.1 -.1 -.1 .1 -.1 -.1 -.1 .13 -.1 0 0 .2 .05 .08 -.1"/>
  <mesh name="large" vertex="-.4 -.4 -.4 .4 -.4 -.4 -.4 .4 -.4 .4 .4 -.4 0 0 .5 .1 .1 .45"/>
"""


def shape(kind, sizes, mesh):
    return f'type="mesh" mesh="{mesh}"' if kind == "mesh" else f'type="{kind}" size="{sizes[kind]}"'


def document(inner, outer, objtype="geom"):
    name = {"geom": "g", "site": "s", "body": "b", "xbody": "b"}[objtype]
    a, b = shape(inner, SMALL, "small"), shape(outer, LARGE, "large")
    return f"""<mujoco><asset>{MESHES}</asset><worldbody>
      <site name="zone" {b} pos=".1 .2 .3" euler="10 20 30"/>
      <body name="b"><freejoint/><geom name="g" {a}/><site name="s" {a}/>
        <body name="c" pos="0 0 .1"><joint/><geom size=".05" pos=".1 0 0"/></body></body></worldbody>
      <sensor><insidesite objtype="{objtype}" objname="{name}" site="zone" enclosed="true"/>
        <insidesite objtype="{objtype}" objname="{name}" site="zone"/></sensor></mujoco>"""


def place(rng, data, scale):
    data.qpos[:3] = np.array([0.1, 0.2, 0.3]) + scale * rng.normal(size=3)
    data.qpos[3:7] = rng.normal(size=4)


def support(kind, size, vertices):
    """σ(n) of a shape about 0, for rows of directions."""
    return {
        "sphere": lambda n: size[0] * np.linalg.norm(n, axis=1),
        "capsule": lambda n: size[0] * np.linalg.norm(n, axis=1) + size[1] * np.abs(n[:, 2]),
        "ellipsoid": lambda n: np.linalg.norm(n * size, axis=1),
        "cylinder": lambda n: size[0] * np.linalg.norm(n[:, :2], axis=1) + size[1] * np.abs(n[:, 2]),
        "box": lambda n: np.abs(n) @ size,
        "mesh": lambda n: (n @ vertices.T).max(axis=1),
    }[kind]


def spiral(n):
    i = np.arange(n) + 0.5
    phi, theta = np.arccos(1 - 2 * i / n), np.pi * (1 + 5**0.5) * i
    return np.c_[np.cos(theta) * np.sin(phi), np.sin(theta) * np.sin(phi), np.cos(phi)]


DIRECTIONS = spiral(20000)


def by_directions(m, d, inner, outer, rng):
    """max over n of σ_A(n) - σ_B(n): many directions, and ever smaller steps from the best of them."""
    vertices = [m.mesh_vert[m.mesh_vertadr[i] : m.mesh_vertadr[i] + m.mesh_vertnum[i]].astype(float) for i in range(2)]
    a, b = support(inner, m.geom_size[0], vertices[0]), support(outer, m.site_size[0], vertices[1])
    turn_a, turn_b, pos_b = d.geom_xmat[0].reshape(3, 3), d.site_xmat[0].reshape(3, 3), d.site_xpos[0]
    if outer == "mesh":  # the mesh lies in the site as its file has it
        pos_b = pos_b + turn_b @ m.mesh_pos[1]
        quat = np.zeros(9)
        mujoco.mju_quat2Mat(quat, m.mesh_quat[1])
        turn_b = turn_b @ quat.reshape(3, 3)

    def height(n):
        return a(n @ turn_a) - b(n @ turn_b) + n @ (d.geom_xpos[0] - pos_b)

    best = DIRECTIONS[np.argsort(-height(DIRECTIONS))[:30]]
    for k in range(35):
        near = best[:, None, :] + 0.02 * 0.7**k * rng.normal(size=(len(best), 30, 3))
        near = np.concatenate([best[:, None, :], near], axis=1)
        near /= np.linalg.norm(near, axis=2, keepdims=True)
        chosen = height(near.reshape(-1, 3)).reshape(len(best), -1).argmax(axis=1)
        best = near[np.arange(len(best)), chosen]
    return height(best).max()


@pytest.mark.parametrize("inner, outer", list(itertools.product(SHAPES, SHAPES)))
def test_all_pairs(inner, outer):
    m, model = (module.MjModel.from_xml_string(document(inner, outer)) for module in (mujoco, pm))
    assert np.array_equal(model.sensor_intprm, m.sensor_intprm)
    assert np.array_equal(model.sensor_datatype, m.sensor_datatype)
    expected, d, rng = mujoco.MjData(m), pm.MjData(model), np.random.default_rng(4)
    signs = set()
    for k in range(12):
        place(rng, expected, 0.1 if k % 2 else 0.5)
        d.qpos = expected.qpos
        mujoco.mj_forward(m, expected)
        pm.mj_forward(model, d)
        value = d.sensordata[0]
        signs.add(value > 0)
        assert value > expected.sensordata[0] - 1e-9
        found = by_directions(model, d, inner, outer, rng)
        assert found - 1e-9 < value < found + 2e-5, (found, value)
        assert d.sensordata[1] == expected.sensordata[1]
    assert signs == {True, False}


@pytest.mark.parametrize(
    "inner, outer", list(itertools.product(["sphere", "capsule", "box", "mesh"], ["sphere", "box"]))
)
def test_corners(inner, outer):
    """Corners, and the ends of a segment, one by one: exact."""
    model = pm.MjModel.from_xml_string(document(inner, outer))
    d, rng = pm.MjData(model), np.random.default_rng(5)
    size, radius = model.geom_size[0], 0.0
    if inner in ("sphere", "capsule"):
        radius, half = size[0], size[1] if inner == "capsule" else 0
        points = np.array([[0, 0, half], [0, 0, -half]])
    elif inner == "box":
        points = np.array(list(itertools.product((-1, 1), repeat=3))) * size
    else:
        points = model.mesh_vert[: model.mesh_vertnum[0]].astype(float)
    for k in range(40):
        place(rng, d, 0.1 if k % 2 else 0.5)
        pm.mj_forward(model, d)
        world = points @ d.geom_xmat[0].reshape(3, 3).T + d.geom_xpos[0]
        local = (world - d.site_xpos[0]) @ d.site_xmat[0].reshape(3, 3)
        if outer == "sphere":
            distance = np.linalg.norm(local, axis=1) - model.site_size[0, 0]
        else:
            beyond = np.abs(local) - model.site_size[0]
            distance = np.linalg.norm(np.maximum(beyond, 0), axis=1) + np.minimum(beyond.max(axis=1), 0)
        assert abs(d.sensordata[0] - distance.max() - radius) < 1e-14


@pytest.mark.parametrize("objtype", ["site", "body", "xbody"])
def test_objects(objtype):
    m, model = (module.MjModel.from_xml_string(document("box", "ellipsoid", objtype)) for module in (mujoco, pm))
    expected, d, rng = mujoco.MjData(m), pm.MjData(model), np.random.default_rng(6)
    for _ in range(20):
        place(rng, expected, 0.3)
        expected.qpos[7] = rng.normal()
        d.qpos = expected.qpos
        mujoco.mj_forward(m, expected)
        pm.mj_forward(model, d)
        assert abs(d.sensordata[0] - expected.sensordata[0]) < 1e-9


@pytest.mark.parametrize("outer", SHAPES)
def test_points_inside(outer):
    m, model = (module.MjModel.from_xml_string(document("sphere", outer)) for module in (mujoco, pm))
    expected, d, rng = mujoco.MjData(m), pm.MjData(model), np.random.default_rng(7)
    mujoco.mj_forward(m, expected)
    pm.mj_forward(model, d)
    inside = 0
    for _ in range(2000):
        point = rng.normal(size=3) * 0.35 + [0.1, 0.2, 0.3]
        answer = pm.mj_insideSite(model, d, 0, point)
        assert answer == mujoco.mj_insideSite(m, expected, 0, point)
        inside += answer
    assert 200 < inside < 1900


@pytest.mark.parametrize(
    "world, attributes",
    [
        ('<camera name="b"/>', 'objtype="camera"'),
        ('<geom name="b" type="plane" size="1 1 1"/>', 'objtype="geom"'),
        ('<body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>', 'objtype="body"'),
        ('<body name="b"><geom size="1"/><geom type="plane" size="1 1 1"/></body>', 'objtype="body"'),
    ],
)
def test_what_cannot_be_enclosed(world, attributes):
    xml = f"""<mujoco><worldbody>{world}<site name="z" size="1"/></worldbody>
      <sensor><insidesite {attributes} objname="b" site="z" enclosed="true"/></sensor></mujoco>"""
    for module in (mujoco, pm):
        with pytest.raises(ValueError, match="enclosed"):
            module.MjModel.from_xml_string(xml)

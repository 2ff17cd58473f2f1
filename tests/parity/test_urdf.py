"""URDFs of others: everything in them has a fate, and what the model says equals an independent parser (yourdfpy).

Models: PLIANT_MODELS/urdf and the package example-robot-data. Masses, inertias, frames, limits and forward kinematics
are compared to 1e-9; links without mass are compared where nothing was put in its place (W632 names them). Mimics hold
while the robot falls.
"""

import collections
import functools
import io
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import conftest
import pliant
import urdf_ledger

yourdfpy = pytest.importorskip("yourdfpy")

TOLERANCE = 1e-9
DOF_TYPES = ("revolute", "continuous", "prismatic")

# One of each robot of the package in the fast tier; all of them in the slow one.
QUICK = (
    "a1",
    "z1",
    "solo12",
    "panda",
    "allegro_right_hand",
    "romeo_small",
    "TwoDofs",
    "finger_edu",
    "hector",
    "kinova",
)


def documents():
    """Every URDF at hand; those of the models of others and the quick ones in the fast tier."""
    ours = os.environ.get("PLIANT_MODELS") or "\0"
    return [
        pytest.param(path, id=name, marks=() if str(path).startswith(ours) or path.stem in QUICK else pytest.mark.slow)
        for path, name in conftest.named_urdf_files()
    ]


@functools.lru_cache(maxsize=4)
def load(path):
    return pliant.load(path)


def positions(model, qpos):
    """Pose of every body in the world, by name."""
    state, data = pliant.State(model), pliant.Data(model)
    state.qpos[:] = qpos
    pliant.forward(model, state, data)
    return {model.name("body", i): (np.array(data.xpos[i]), rotation(data.xquat[i])) for i in range(model.nbody)}


def rotation(quat):
    w, x, y, z = quat
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


WORST = collections.Counter()  # by the calling test


@pytest.fixture(scope="module", autouse=True)
def say_the_worst():
    yield
    print("\nworst differences from yourdfpy:", dict(WORST) or "none compared")


def assert_close(value, expected, what):
    value, expected = np.asarray(value, float), np.asarray(expected, float)
    error = np.abs(value - expected).max(initial=0) / max(1.0, np.abs(expected).max(initial=0))
    test = sys._getframe(1).f_code.co_name
    WORST[test] = max(WORST[test], float(error))
    assert error <= TOLERANCE, (what, value, expected)


@functools.lru_cache(maxsize=4)
def parsed(path):
    """The robot as yourdfpy sees it, which cannot go on when a mimic names no joint: those are taken out before."""
    tree = ElementTree.parse(path)
    joints = {joint.get("name"): joint for joint in tree.getroot().findall("joint")}
    for joint in joints.values():
        for mimic in joint.findall("mimic"):
            if mimic.get("joint") not in joints:
                joint.remove(mimic)
    text = io.BytesIO()
    tree.write(text)
    text.seek(0)
    return yourdfpy.URDF.load(
        text, load_meshes=False, load_collision_meshes=False, build_scene_graph=True, build_collision_scene_graph=False
    )


def settled(model):
    """Links that got a mass or an inertia."""
    return {re.search(r"link '([^']*)'", finding.message)[1] for finding in model.diagnostics if finding.code == "W632"}


@pytest.mark.parametrize("path", documents())
def test_every_attribute_has_a_fate(path):
    urdf_ledger.assert_complete(ElementTree.parse(path).getroot(), load(path).ledger)


@pytest.mark.parametrize("path", documents())
def test_masses_inertias_and_limits(path):
    model, robot = load(path), parsed(path)
    changed = settled(model)
    for link in robot.robot.links:
        if link.name in changed or link.name == "world":
            continue
        body = model.id("body", link.name)
        assert body > 0, link.name
        inertial = link.inertial
        assert_close(model.body_mass[body], (inertial.mass if inertial else 0) or 0, link.name)
        if inertial is None or inertial.inertia is None or not np.any(inertial.inertia):
            continue
        origin = inertial.origin if inertial.origin is not None else np.eye(4)
        assert_close(model.body_ipos[body], origin[:3, 3], link.name)
        frame = rotation(model.body_iquat[body])
        own = frame @ np.diag(model.body_inertia[body]) @ frame.T
        assert_close(own, origin[:3, :3] @ inertial.inertia @ origin[:3, :3].T, link.name)
    for joint in robot.robot.joints:
        if joint.type not in DOF_TYPES:
            continue
        id = model.id("joint", joint.name)
        assert id >= 0, joint.name
        limit = joint.limit
        lower, upper = (limit.lower or 0, limit.upper or 0) if limit else (0, 0)
        limited = joint.type != "continuous" and lower < upper
        assert bool(model.jnt_limited[id]) == limited, joint.name
        if limited:
            assert_close(model.jnt_range[id], [lower, upper], joint.name)
        if limit and limit.effort:
            assert_close(model.jnt_actfrcrange[id], [-abs(limit.effort), abs(limit.effort)], joint.name)
        axis = np.asarray(joint.axis, float)
        assert_close(model.jnt_axis[id], axis / np.linalg.norm(axis), joint.name)
        dof = model.jnt_dofadr[id]
        if joint.dynamics:
            assert_close(model.dof_damping[dof], joint.dynamics.damping or 0, joint.name)
            assert_close(model.dof_frictionloss[dof], joint.dynamics.friction or 0, joint.name)


@pytest.mark.parametrize("path", documents())
def test_forward_kinematics(path):
    model, robot = load(path), parsed(path)
    joints = {joint.name: joint for joint in robot.robot.joints}
    if any(joint.type not in (*DOF_TYPES, "fixed") for joint in joints.values()):
        pytest.skip("yourdfpy has no kinematics of these joints")
    rng = np.random.default_rng(3)
    qpos = np.array(model.qpos0)
    values = {}
    for joint in joints.values():
        if joint.type in DOF_TYPES and not joint.mimic:
            values[joint.name] = rng.uniform(-0.7, 0.7)
    for joint in joints.values():
        if joint.mimic and joint.type in DOF_TYPES:  # one that was frozen has a mimic without effect
            at, gear, offset = joint, 1.0, 0.0
            while at.mimic:
                m, o = at.mimic.multiplier, at.mimic.offset
                gear, offset = gear * (1 if m is None else m), offset + gear * (o or 0)
                at = joints[at.mimic.joint]
            values[joint.name] = gear * values[at.name] + offset
    for name, value in values.items():
        qpos[model.jnt_qposadr[model.id("joint", name)]] = value
    robot.update_cfg({name: value for name, value in values.items() if name in robot.actuated_joint_names})
    poses = positions(model, qpos)
    for link in robot.robot.links:
        if link.name == "world":
            continue
        expected = robot.get_transform(link.name, collision_geometry=False)
        position, turned = poses[link.name]
        assert_close(position, expected[:3, 3], link.name)
        assert_close(turned, expected[:3, :3], link.name)


def with_mimics():
    return [case for case in documents() if "<mimic" in case.values[0].read_text(encoding="utf-8", errors="replace")]


@pytest.mark.parametrize("path", with_mimics())
def test_mimics_settle_where_the_file_says(path):
    model = load(path)
    joints = {joint.get("name"): joint for joint in ElementTree.parse(path).getroot().findall("joint")}
    pairs, without_effect = [], 0
    for name, joint in joints.items():
        mimic = joint.find("mimic")
        if mimic is None:
            continue
        if mimic.get("joint") not in joints or joint.get("type") == "fixed":
            without_effect += 1
            continue
        pairs.append((name, mimic.get("joint"), float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))))
    # what cannot be followed is named, one by one
    dropped = [d for d in model.diagnostics if "to mimic; joint" in d.message or "is fixed: its mimic" in d.message]
    assert len(dropped) == without_effect and len(pairs) + without_effect > 0
    state, data = pliant.State(model), pliant.Data(model)
    for _ in range(50):
        assert pliant.step(model, state, data) == 0
    at = {
        name: state.qpos[model.jnt_qposadr[model.id("joint", name)]] for name in joints if model.id("joint", name) >= 0
    }
    for follower, leader, multiplier, offset in pairs:
        assert abs(at[follower] - (multiplier * at[leader] + offset)) <= TOLERANCE, follower


@pytest.mark.parametrize("path", documents())
def test_every_moving_link_without_mass_is_named(path):
    """Those, and no others: a link whose fixed companions weigh something is fine. What was done is what the finding
    says."""
    model, robot = load(path), parsed(path).robot
    below = collections.defaultdict(list)
    for joint in robot.joints:
        below[joint.parent].append(joint)
    inertials = {link.name: link.inertial for link in robot.links}

    def weighs(link):
        inertial = inertials[link]
        if inertial and inertial.mass and inertial.inertia is not None and np.abs(inertial.inertia).max() > 1e-15:
            return True
        return any(joint.type == "fixed" and weighs(joint.child) for joint in below[link])

    expected = {joint.child for joint in robot.joints if joint.type != "fixed" and not weighs(joint.child)}
    assert settled(model) == expected
    for finding in model.diagnostics:
        if finding.code != "W632":
            continue
        name = re.search(r"link '([^']*)'", finding.message)[1]
        body = model.id("body", name)
        if "1e-9 kg" in finding.message:
            assert model.body_mass[body] == 1e-9
        if "1e-10 kg m²" in finding.message:
            assert np.all(model.body_inertia[body] == 1e-10)
        if "collision shapes" in finding.message:
            volume = 0
            for geom in np.flatnonzero((model.geom_bodyid == body) & (model.geom_conaffinity != 0)):
                a, b, c = model.geom_size[geom]
                volumes = {2: 4 / 3 * np.pi * a**3, 5: 2 * np.pi * a**2 * b, 6: 8 * a * b * c}
                volume += volumes.get(model.geom_type[geom], np.nan)
            assert np.isnan(volume) or model.body_mass[body] == pytest.approx(1000 * volume, rel=1e-9)


@pytest.mark.parametrize("path", documents())
def test_volumes_of_hulls(path):
    """What is said about hulls that are far larger than their mesh, computed anew with another hull."""
    spatial = pytest.importorskip("scipy.spatial")
    model, found = load(path), 0
    for finding in model.diagnostics:
        said = re.search(
            r"mesh '([^']*)' collides .* as its convex hull, which has ([\d.]+) times its volume", finding.message
        )
        if finding.code != "W634" or not said:
            continue
        mesh = model.id("mesh", said[1])
        first, faces = model.mesh_vertadr[mesh], model.mesh_faceadr[mesh]
        vertices = np.asarray(model.mesh_vert[first : first + model.mesh_vertnum[mesh]], float)
        triangles = np.asarray(model.mesh_face[faces : faces + model.mesh_facenum[mesh]])
        edges = np.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        if sorted(map(tuple, edges)) != sorted(map(tuple, edges[:, ::-1])):
            continue  # it has holes, and no volume
        corners = vertices[triangles]
        volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
        assert float(said[2]) == pytest.approx(spatial.ConvexHull(vertices).volume / volume, rel=1e-3)
        found += 1
    if not found:
        pytest.skip("no such mesh without holes")

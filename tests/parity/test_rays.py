"""Rays against the reference: every type of geom, meshes, height fields, whole scenes, filters.

Where an answer is not unique it is listed by rule, never by a wider tolerance:
  * a ray along a plane (its hit would be 1e12 lengths away) may hit or miss,
  * a ray that grazes a round shape (its chord is shorter than 1e-6 of the shape) may hit or miss,
  * normals are compared where the next hit of the ray, 1e-9 farther, is on the same face (not at edges).
"""

import mujoco
import numpy as np
import pliant.mujoco as pm
import pytest

TOLERANCE = 1e-9
FAST, SLOW = 3000, 100_000
G = mujoco.mjtGeom
PRIMITIVES = [G.mjGEOM_PLANE, G.mjGEOM_SPHERE, G.mjGEOM_CAPSULE, G.mjGEOM_ELLIPSOID, G.mjGEOM_CYLINDER, G.mjGEOM_BOX]
COUNTS = [FAST, pytest.param(SLOW, marks=pytest.mark.slow)]


def rotation(rng):
    q = rng.normal(size=4)
    mat = np.zeros(9)
    mujoco.mju_quat2Mat(mat, q / np.linalg.norm(q))
    return mat


def random_ray(rng, pos, mat, size):
    """Towards a point of the shape's box, from far, near or inside; of any length; sometimes along an axis."""
    frame = mat.reshape(3, 3)
    half = np.where(size > 0, size, 1.0)
    target = pos + frame @ (rng.uniform(-1.3, 1.3, 3) * half)
    kind = rng.integers(5)
    if kind == 0:  # from inside or near
        point = pos + frame @ (rng.uniform(-1, 1, 3) * half)
    else:
        point = target + rng.normal(size=3) * np.linalg.norm(half) * 10 ** rng.uniform(-1, 2)
    direction = target - point
    if kind == 1:  # along an axis of the shape: two components are zero but for rounding
        direction = frame[:, rng.integers(3)] * rng.choice([-1, 1])
        point = target - direction * rng.uniform(-1, 3) * np.linalg.norm(half)
    if kind == 2:  # away
        direction = -direction
    return point, direction * 10 ** rng.uniform(-2, 2) / max(np.linalg.norm(direction), 1e-12)


def compare(got, want, normal, normal_want, x_scale, what):
    assert (got < 0) == (want < 0), f"{what}: {got} instead of {want}"
    if want < 0:
        assert not np.any(normal), what
        return
    assert abs(got - want) <= TOLERANCE * max(1, abs(want), x_scale), f"{what}: {got} instead of {want}"
    assert np.allclose(normal, normal_want, atol=1e-7), f"{what}: normal {normal} instead of {normal_want}"


def is_unique(cast, point, direction, x):
    """Whether slightly moved rays agree about hit and normal: not at an edge, not grazing."""
    answers = []
    if abs(x) > 1e12:
        return False
    step = 1e-7 * max(1.0, abs(x)) * np.linalg.norm(direction)
    for axis in np.vstack([np.eye(3), -np.eye(3)]):
        normal = np.zeros(3)
        answers.append((cast(point + axis * step, direction, normal), normal))
    hits = [a[0] >= 0 for a in answers]
    if any(h != hits[0] for h in hits):
        return False
    return all(np.allclose(a[1], answers[0][1], atol=1e-2) for a in answers)


def check(cast, cast_want, point, direction, what):
    normal, normal_want = np.full(3, 7.0), np.full(3, 7.0)
    got, want = cast(point, direction, normal), cast_want(point, direction, normal_want)
    try:
        compare(got, want, normal, normal_want, 0.0, what)
    except AssertionError:
        if is_unique(cast_want, point, direction, max(got, want)):
            raise
        return 0
    return 1


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("geom_type", PRIMITIVES, ids=lambda t: t.name[7:].lower())
def test_primitives(geom_type, count):
    rng = np.random.default_rng(int(geom_type))
    compared = hits = 0
    for _ in range(count):
        pos, mat = rng.normal(size=3) * 2, rotation(rng)
        size = 10 ** rng.uniform(-1.5, 0.5, 3)
        if geom_type == G.mjGEOM_PLANE:
            size[rng.integers(2)] *= rng.integers(2)  # some are endless
        if geom_type == G.mjGEOM_CAPSULE and rng.integers(4) == 0:
            size[1] = 0
        point, direction = random_ray(rng, pos, mat, size)
        compared += check(
            lambda p, v, n: pm.mju_rayGeom(pos, mat, size, p, v, int(geom_type), n),
            lambda p, v, n: mujoco.mju_rayGeom(pos, mat, size, p, v, int(geom_type), n),
            point, direction, f"{geom_type.name} size {size} ray {point} {direction}",
        )  # fmt: skip
        hits += mujoco.mju_rayGeom(pos, mat, size, point, direction, int(geom_type)) >= 0
    along = 0.005 if geom_type == G.mjGEOM_PLANE else 0.0001  # share of rays without a unique answer
    assert compared >= (1 - along) * count - 1 and hits > 0.1 * count


def both(xml):
    models = mujoco.MjModel.from_xml_string(xml), pm.MjModel.from_xml_string(xml)
    datas = mujoco.MjData(models[0]), pm.MjData(models[1])
    mujoco.mj_forward(models[0], datas[0])
    pm.mj_forward(models[1], datas[1])
    return (*models, *datas)


MESHES = {
    "sphere": '<mesh name="m" builtin="sphere" params="3" scale="0.3 0.2 0.5"/>',
    "torus": '<mesh name="m" builtin="supertorus" params="30 0.4 1 1" scale="0.3 0.3 0.3"/>',
    "wedge": '<mesh name="m" builtin="wedge" params="12 8 60 40 0.1" scale="0.5 0.5 0.5"/>',
    "box": '<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1"/>',
    "cone": '<mesh name="m" builtin="cone" params="7 0.3" scale="0.5 0.5 0.5"/>',
}


def mesh_scene(name):
    return both(
        f"<mujoco><asset>{MESHES[name]}</asset><worldbody>"
        '<geom type="mesh" mesh="m" pos="0.3 -0.2 0.1" euler="20 30 50"/></worldbody></mujoco>'
    )


def nearest_triangle(m, d, point, direction):
    """All triangles of mesh 0 on geom 0, by Möller and Trumbore: the smallest x, or -1."""
    frame = d.geom_xmat[0].reshape(3, 3)
    p, v = frame.T @ (point - d.geom_xpos[0]), frame.T @ direction
    a, b, c = (m.mesh_vert[m.mesh_face[:, k]].astype(float) for k in range(3))
    e1, e2, s = b - a, c - a, p - a
    h, q = np.cross(v, e2), np.cross(s, e1)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = 1 / np.sum(e1 * h, 1)
        u, w, x = f * np.sum(s * h, 1), f * (q @ v), f * np.sum(e2 * q, 1)
    x = x[(u >= -1e-12) & (w >= -1e-12) & (u + w <= 1 + 1e-12) & (x >= 0)]
    return x.min() if len(x) else -1.0


# The reference's boxes around triangles in a plane of the mesh's axes are 1e-14 thick, and a ray that spends less than
# a rounding error inside misses them: from far away it looks through such faces.
LOOKED_THROUGH = {"box", "wedge", "cone"}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", MESHES)
def test_meshes(name, count):
    m, p, d, q = mesh_scene(name)
    rng = np.random.default_rng(len(name))
    size = np.maximum(m.geom_size[0], 1e-3)
    compared = hits = lost = 0
    for _ in range(count):
        point, direction = random_ray(rng, d.geom_xpos[0], d.geom_xmat[0], size)
        want, got = mujoco.mj_rayMesh(m, d, 0, point, direction), pm.mj_rayMesh(p, q, 0, point, direction)
        hits += got >= 0
        if got >= 0 and (want < 0 or want > got * (1 + 1e-6)):
            assert abs(got - nearest_triangle(m, d, point, direction)) < 1e-9 * max(1, got)
            lost += 1
            continue
        compared += check(
            lambda a, v, n: pm.mj_rayMesh(p, q, 0, a, v, n),
            lambda a, v, n: mujoco.mj_rayMesh(m, d, 0, a, v, n),
            point, direction, f"{name} ray {point} {direction}",
        )  # fmt: skip
    assert lost == 0 or name in LOOKED_THROUGH
    assert compared >= 0.999 * (count - lost) - 1 and hits > 0.1 * count


@pytest.mark.parametrize("count", COUNTS)
def test_height_field(count):
    rng = np.random.default_rng(8)
    heights = " ".join(f"{x:.3f}" for x in rng.uniform(0, 1, 11 * 17))
    m, p, d, q = both(
        f'<mujoco><asset><hfield name="h" nrow="11" ncol="17" size="1.5 1 0.4 0.2" elevation="{heights}"/></asset>'
        '<worldbody><geom type="hfield" hfield="h" pos="0.3 -0.2 0.1" euler="20 30 50"/></worldbody></mujoco>'
    )
    compared = hits = 0
    for _ in range(count):
        point, direction = random_ray(rng, d.geom_xpos[0], d.geom_xmat[0], np.array([1.5, 1, 0.5]))
        compared += check(
            lambda a, v, n: pm.mj_rayHfield(p, q, 0, a, v, n),
            lambda a, v, n: mujoco.mj_rayHfield(m, d, 0, a, v, n),
            point, direction, f"ray {point} {direction}",
        )  # fmt: skip
        hits += mujoco.mj_rayHfield(m, d, 0, point, direction) >= 0
    assert compared >= 0.999 * count - 1 and hits > 0.1 * count

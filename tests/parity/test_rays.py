"""Rays against the reference: every type of geom, meshes, height fields, whole scenes, filters.

Where an answer is not unique it is listed by rule, never by a wider tolerance:
  * a ray along a plane (to 1e-12 of its length) may hit or miss,
  * a ray that grazes a round shape (its chord is shorter than 1e-6 of the shape) may hit or miss,
  * normals are compared where the next hit of the ray, 1e-9 farther, is on the same face (not at edges).
"""

import mujoco
import numpy as np
import pytest

import pliant.mujoco as pm

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
        if geom_type == G.mjGEOM_PLANE and abs(mat[2::3] @ direction) < 1e-12 * np.linalg.norm(direction):
            continue
        compared += check(
            lambda p, v, n: pm.mju_rayGeom(pos, mat, size, p, v, int(geom_type), n),
            lambda p, v, n: mujoco.mju_rayGeom(pos, mat, size, p, v, int(geom_type), n),
            point, direction, f"{geom_type.name} size {size} ray {point} {direction}",
        )  # fmt: skip
        hits += mujoco.mju_rayGeom(pos, mat, size, point, direction, int(geom_type)) >= 0
    along = 0.2 if geom_type == G.mjGEOM_PLANE else 0.0001  # share of rays without a unique answer
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


SCENE = """
<mujoco><asset>
  <hfield name="h" nrow="3" ncol="4" size="1 1 0.3 0.1" elevation="0 .2 .5 1 .3 .2 .8 0 1 0 .5 .4"/>
  <mesh name="m" builtin="sphere" params="2" scale="0.3 0.2 0.4"/>
  <material name="glass" rgba="1 1 1 0"/><material name="wood" rgba="1 1 1 1"/></asset>
<worldbody>
  <geom type="plane" size="4 4 1" group="0"/>
  <geom type="hfield" hfield="h" pos="2 0 0.2" group="1"/>
  <geom type="box" size="0.3 0.2 0.1" pos="-1 0 0.5" material="wood" rgba="1 1 1 0" group="2"/>
  <geom type="sphere" size="0.4" pos="-1 0 0.7" material="glass" group="2"/>
  <geom type="sphere" size="0.3" pos="1 1 0.7" rgba="1 1 1 0"/>
  <body pos="0 0 1"><freejoint/><geom type="mesh" mesh="m" group="3" contype="0" conaffinity="0"/>
    <geom type="capsule" size="0.1 0.3" pos="0.5 0 0" group="4"/></body>
  <body pos="0 -1.5 0.6"><freejoint/><geom type="cylinder" size="0.3 0.2" group="5"/>
    <geom type="ellipsoid" size="0.3 0.2 0.1" pos="0 0.3 0.3" group="9"/></body>
  <body pos="0 1.5 0.6"><geom type="box" size="0.1 0.2 0.3" euler="10 20 30" group="-1"/></body>
</worldbody></mujoco>"""


def test_scene_with_filters():
    m, p, d, q = both(SCENE)
    rng = np.random.default_rng(2)
    geoms, seen = np.zeros((2, 1), np.int32), set()
    for _ in range(2000):
        point, direction = rng.uniform([-3, -3, 0], [3, 3, 2]), rng.normal(size=3)
        group = None if rng.integers(2) else rng.integers(0, 2, 6).astype(np.uint8)
        fixed, body = bool(rng.integers(2)), int(rng.integers(-1, m.nbody))
        normals = np.full((2, 3), 7.0)
        want = mujoco.mj_ray(m, d, point, direction, group, fixed, body, geoms[0], normals[0])
        got = pm.mj_ray(p, q, point, direction, group, fixed, body, geoms[1], normals[1])
        assert abs(got - want) < TOLERANCE * max(1, want) and geoms[0] == geoms[1]
        assert np.allclose(*normals, atol=1e-7)
        seen.add(int(geoms[0, 0]))
        # one ray of many is the same ray
        dist = np.zeros(1)
        pm.mj_multiRay(p, q, point, direction, group, fixed, body, geoms[1], dist, normals[1], 1, 1e10)
        assert dist[0] == got and geoms[0] == geoms[1] and np.allclose(*normals, atol=1e-7)
    assert seen == {-1, 0, 1, 2, 5, 6, 7, 8, 9}


def test_many_rays():
    m, p, d, q = both(SCENE)
    rng = np.random.default_rng(4)
    n = 1000
    vec = rng.normal(size=(n, 3))
    vec[77] = 0
    point = np.array([0.1, -0.2, 2.0])
    geom, dist = np.full(n, 7, np.int32), np.zeros(n)
    normal_flat = np.zeros(3 * n)
    pm.mj_multiRay(p, q, point, vec.ravel(), None, True, -1, geom, dist, normal_flat, n, 1e10)
    assert dist[77] == -1 and geom[77] == -1 and not normal_flat[3 * 77 : 3 * 78].any()
    one, direction = np.zeros(1, np.int32), np.zeros(3)
    for i in set(range(n)) - {77}:
        assert dist[i] == pytest.approx(mujoco.mj_ray(m, d, point, vec[i], None, True, -1, one, direction), abs=1e-9)
        assert geom[i] == one[0] and np.allclose(normal_flat[3 * i : 3 * i + 3], direction, atol=1e-7)
    with pytest.raises(pm.FatalError, match="length"):
        pm.mj_ray(p, q, point, np.zeros(3), None, True, -1, one)


def many(module, m, d, point, vec, cutoff=1e10):
    geom, dist = np.zeros(1, np.int32), np.zeros(1)
    module.mj_multiRay(m, d, np.array(point, float), np.array(vec, float), None, True, -1, geom, dist, None, 1, cutoff)
    return dist[0]


def test_many_rays_see_what_one_ray_sees():
    down = np.array([0, 0, -1.0])
    # a geom off the centre of mass of a body that is turned
    m, p, d, q = both(
        '<mujoco><worldbody><body euler="0 0 180"><geom size="0.1" pos="3 0 0"/>'
        '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>'
    )
    assert many(mujoco, m, d, [-3, 0, 1], down) == pytest.approx(0.9, abs=1e-12)
    assert many(pm, p, q, [-3, 0, 1], down) == pytest.approx(0.9, abs=1e-12)
    # a visual geom outside the collision geoms of its body: the reference's mj_multiRay loses what its mj_ray hits
    m, p, d, q = both(
        '<mujoco><worldbody><body><freejoint/><geom size="0.1"/>'
        '<geom size="0.1" pos="3 0 0" contype="0" conaffinity="0"/></body></worldbody></mujoco>'
    )
    point = np.array([3.0, 0, 1])
    assert mujoco.mj_ray(m, d, point, down, None, True, -1, None) == pytest.approx(0.9, abs=1e-12)
    assert many(mujoco, m, d, point, down) == -1
    assert many(pm, p, q, point, down) == pytest.approx(0.9, abs=1e-12)
    # a cutoff leaves out bounding spheres that are out of reach; planes have none
    for geom in ('type="plane" size="0 0 1"', 'type="plane" size="60 1 1"', 'size="0.5"', 'type="box" size="1 1 1"'):
        m, p, d, q = both(f"<mujoco><worldbody><geom {geom}/></worldbody></mujoco>")
        for x in (0, 50):
            for height in (1, 5, 10.2, 11, 11.5, 11.8, 15):
                expected = many(mujoco, m, d, [x, 0, height], down, 10)
                assert many(pm, p, q, [x, 0, height], down, 10) == pytest.approx(expected, abs=1e-12)


def test_rays_of_any_length():
    """Hits do not depend on units: the reference loses short directions and small geoms."""
    pos, mat, box = np.zeros(3), np.eye(3).ravel(), int(G.mjGEOM_BOX)
    for scale in (1e-6, 1e-3, 1.0, 1e3):
        size, point = np.full(3, 0.5) * scale, np.array([0.1, 0.2, 2.0]) * scale
        for length in (1e-9, 1.0, 1e6):
            for geom_type in PRIMITIVES:
                x = pm.mju_rayGeom(pos, mat, size, point, np.array([0, 0, -length]), int(geom_type))
                assert x > 0 and x * length == pytest.approx(
                    pm.mju_rayGeom(pos, mat, size, point, np.array([0, 0, -1.0]), int(geom_type)), rel=1e-12
                )
    assert mujoco.mju_rayGeom(pos, mat, size / 1e9, point / 1e9, np.array([0, 0, -1e-9]), box) == -1

"""Distances of geoms against the reference: all pairs of types, apart, touching, overlapping, with any cutoff.

Compared by rule: the distance to 1e-9 by formula and to 2e-6 where the reference iterates. Where two geoms overlap
and the depths differ (the reference's is a lower bound, and wrong for rods through boxes), Pliant's must be right by
the reference's own words: pushed apart by it the geoms are apart, and pushed by less along the reference's own
direction they still overlap. The two points are compared where the pair is apart and the distance comes from a
formula; elsewhere they must be as far from each other as the distance says. The distance to a height field is not
compared: the reference's is wrong by 1.5 times the cutoff; test_above_height_field has the true one.
"""

import mujoco
import numpy as np
import pytest

import pliant.mujoco as pm

SHAPES = {
    "plane": 'type="plane" size="0 0 1"',
    "sphere": 'type="sphere" size="0.12"',
    "capsule": 'type="capsule" size="0.07 0.15"',
    "ellipsoid": 'type="ellipsoid" size="0.1 0.15 0.2"',
    "cylinder": 'type="cylinder" size="0.1 0.15"',
    "box": 'type="box" size="0.1 0.15 0.2"',
    "mesh": 'type="mesh" mesh="m"',
}
PAIRS = [(a, b) for i, a in enumerate(SHAPES) for b in list(SHAPES)[i:] if b != "plane"]
FORMULA = {("plane", b) for b in SHAPES} | {
    ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"), ("capsule", "capsule"),
    ("capsule", "box"),
}  # fmt: skip
FAST, SLOW = 150, 10_000


def both(xml):
    models = mujoco.MjModel.from_xml_string(xml), pm.MjModel.from_xml_string(xml)
    return (*models, mujoco.MjData(models[0]), pm.MjData(models[1]))


def scene(a, b):
    free = "" if a == "plane" else "<freejoint/>"
    return both(
        '<mujoco><asset><mesh name="m" builtin="sphere" params="1" scale="0.1 0.15 0.2"/></asset><worldbody>'
        f"<body>{free}<geom {SHAPES[a]}/></body><body><freejoint/><geom {SHAPES[b]}/></body></worldbody></mujoco>"
    )


def pushed(m, d, way, depth):
    """Distance by the reference after the second geom moved."""
    other = mujoco.MjData(m)
    other.qpos[:] = d.qpos
    other.qpos[-7:-4] += way / np.linalg.norm(way) * depth
    mujoco.mj_kinematics(m, other)
    return mujoco.mj_geomDistance(m, other, 0, 1, 10, None)


def is_right_depth(m, d, got, mine, segment):
    """By the reference, with points on the first and the second geom; 2e-6 is its own accuracy."""
    if pushed(m, d, mine[:3] - mine[3:], -got + 2e-6) <= -2e-6:
        return False
    return not segment.any() or pushed(m, d, segment[:3] - segment[3:], -got - 4e-6) < 2e-6


def pose(rng, m, d):
    """Random turns; the second geom from deep inside to far away."""
    for body in range(1, m.nbody):
        if m.body_jntnum[body] == 0:
            continue
        adr = m.jnt_qposadr[m.body_jntadr[body]]
        d.qpos[adr : adr + 3] = 0
        turn = rng.normal(size=4) if rng.random() < 0.9 else np.eye(4)[rng.integers(4)]
        d.qpos[adr + 3 : adr + 7] = turn / np.linalg.norm(turn)
    way = rng.normal(size=3)
    d.qpos[-7:-4] = way / np.linalg.norm(way) * rng.uniform(0.02, 0.8)


@pytest.mark.parametrize("count", [FAST, pytest.param(SLOW, marks=pytest.mark.slow)])
@pytest.mark.parametrize("a, b", PAIRS, ids=lambda x: x)
def test_pairs(a, b, count):
    m, p, d, q = scene(a, b)
    rng = np.random.default_rng(len(a) * 100 + len(b))
    formula = (a, b) in FORMULA
    worst, differ, seen = 0.0, 0, {"apart": 0, "overlap": 0, "beyond": 0}
    for _ in range(count):
        pose(rng, m, d)
        q.qpos[:] = d.qpos
        mujoco.mj_kinematics(m, d)
        pm.mj_kinematics(p, q)
        limit = rng.choice([0.0, -0.1, 0.1, 0.3, 10.0])
        order = (0, 1) if rng.integers(2) else (1, 0)
        segment, mine = np.full(6, 7.0), np.full(6, 7.0)
        want = mujoco.mj_geomDistance(m, d, *order, limit, segment)
        got = pm.mj_geomDistance(p, q, *order, limit, mine)
        what = f"{a} {b} limit {limit} qpos {d.qpos.tolist()}: {got} instead of {want}"
        if abs(got - want) > (1e-9 if formula else 2e-6):
            flip = slice(None) if order == (0, 1) else [3, 4, 5, 0, 1, 2]
            assert got < 0 and want < 0 and is_right_depth(m, d, got, mine[flip], segment[flip]), what
            differ += 1
            continue
        worst = max(worst, abs(got - want))
        beyond = got == limit and not mine.any()
        seen["beyond" if beyond else "apart" if got > 0 else "overlap"] += 1
        if beyond:
            continue
        assert abs(np.linalg.norm(mine[3:] - mine[:3]) - abs(got)) < 1e-9, what
        if formula and got > 0:
            assert np.allclose(mine, segment, atol=1e-7), f"{what}: points {mine} instead of {segment}"
    assert min(seen.values()) > 0.02 * count, seen
    print(f"{a} {b}: {worst:.1e} {seen}, {differ} depths differ")


def test_above_height_field():
    """A sphere over rough ground against the nearest of all triangles; the reference is off by 1.5 times the limit."""
    rng = np.random.default_rng(3)
    nrow, ncol, size = 30, 40, np.array([1.5, 1.0, 0.3, 0.1])
    heights = " ".join(f"{x:.3f}" for x in rng.uniform(0, 1, nrow * ncol))
    m, p, d, q = both(
        f'<mujoco><asset><hfield name="h" nrow="{nrow}" ncol="{ncol}" size="1.5 1 0.3 0.1" elevation="{heights}"/>'
        '</asset><worldbody><geom type="hfield" hfield="h" pos="0.1 0.2 0.3" euler="10 20 30"/>'
        '<body><freejoint/><geom size="0.2"/></body></worldbody></mujoco>'
    )
    data = m.hfield_data.reshape(nrow, ncol) * size[2]
    x, y = np.linspace(-size[0], size[0], ncol), np.linspace(-size[1], size[1], nrow)
    corner = np.stack([*np.meshgrid(x, y), data], -1)
    a, b, c, e = corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]
    triangles = np.concatenate([np.stack(t, 2).reshape(-1, 3, 3) for t in ((a, b, c), (a, c, e))])
    off = 0
    for _ in range(40):
        mujoco.mj_kinematics(m, d)
        frame = d.geom_xmat[0].reshape(3, 3)
        local = np.append(rng.uniform(-1, 1, 2) * size[:2] * 0.8, rng.uniform(0.45, 0.9))
        d.qpos[:3] = q.qpos[:3] = d.geom_xpos[0] + frame @ local
        mujoco.mj_kinematics(m, d)
        pm.mj_kinematics(p, q)
        true = min(distance_to_triangle(local, t) for t in triangles) - 0.2
        segment = np.zeros(6)
        limit = rng.choice([0.3, 1.0, 3.0])
        got = pm.mj_geomDistance(p, q, 1, 0, limit, segment)
        assert abs(got - min(true, limit)) < 1e-9, (got, true, limit)
        if got < limit:
            assert abs(np.linalg.norm(segment[3:] - segment[:3]) - abs(got)) < 1e-9
        off += abs(mujoco.mj_geomDistance(m, d, 1, 0, limit, None) - min(true, limit)) > 0.1
    assert off > 20  # that the reference needs no correction any more would be news


def distance_to_triangle(p, t):
    """Ericson, Real-Time Collision Detection, 5.1.5."""
    ab, ac, ap, bp, cp = t[1] - t[0], t[2] - t[0], p - t[0], p - t[1], p - t[2]
    d1, d2, d3, d4, d5, d6 = ab @ ap, ac @ ap, ab @ bp, ac @ bp, ab @ cp, ac @ cp
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    if d1 <= 0 and d2 <= 0:
        q = t[0]
    elif d3 >= 0 and d4 <= d3:
        q = t[1]
    elif d6 >= 0 and d5 <= d6:
        q = t[2]
    elif vc <= 0 <= d1 and d3 <= 0:
        q = t[0] + d1 / (d1 - d3) * ab
    elif vb <= 0 <= d2 and d6 <= 0:
        q = t[0] + d2 / (d2 - d6) * ac
    elif va <= 0 and d4 >= d3 and d5 >= d6:
        q = t[1] + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (t[2] - t[1])
    else:
        q = t[0] + (ab * vb + ac * vc) / (va + vb + vc)
    return np.linalg.norm(p - q)

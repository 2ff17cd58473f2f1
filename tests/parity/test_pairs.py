"""Analytic pairs of geoms beside the reference: as many points, distances to 1e-9, places and normals to 1e-7.

Where the answer is not unique, or the reference's is wrong, a rule of pair_poses.py says so by name; no tolerance is
wider for it. 10⁴ poses per pair in `make test-full`, about a thousand in `make test`.
"""

import numpy as np
import pytest

import pair_poses

PAIRS = [
    pytest.param(*types, mesh, id="-".join(types) + (f"-{mesh}" if "mesh" in types else ""))
    for types in pair_poses.ANALYTIC
    for mesh in (("cube", "30", "300") if "mesh" in types else ("cube",))
]
DIST, PLACE = 1e-9, 1e-7


def worst(ours, theirs):
    """Largest difference per pose; points that only one side has do not count here."""
    difference = np.nan_to_num(np.abs(ours - theirs))
    return difference.reshape(len(difference), -1).max(1)


def differences(pair, a, b):
    """Poses that differ although nothing excuses them: {aspect: (indices, differences)}, and how often rules held."""
    ours, theirs = pair.ours(a, b), pair.theirs(a, b)
    width = min(ours.dist.shape[1], theirs.dist.shape[1])
    aspects, held = pair_poses.compared(pair, a, b)
    # numbers that a pose has twice the scale of: rounding of coordinates far from the origin
    scale = np.maximum(1, np.abs(np.concatenate([a[:, 3:6], b[:, 3:6]], 1)).max(1) * 1e-2)
    found = {}

    def check(name, on, difference, limit):
        bad = on & (difference > limit)
        if bad.any():
            found[name] = (np.flatnonzero(bad), difference[bad])

    same = ours.count == theirs.count
    check("count", aspects["count"], np.abs(ours.count - theirs.count), 0)
    check("hit", aspects["deepest"] | aspects["first"], (ours.count > 0) != (theirs.count > 0), 0)
    both = (ours.count > 0) & (theirs.count > 0)
    with np.errstate(invalid="ignore"):
        lowest = [np.nanmin(np.where(np.isnan(x.dist), np.inf, x.dist), 1) for x in (ours, theirs)]
        deepest = np.where(both, np.abs(np.subtract(*lowest, where=both, out=np.zeros(len(a)))), 0)
    check("deepest", aspects["deepest"], deepest, DIST * scale)
    check("dist", aspects["dist"] & same, worst(ours.dist[:, :width], theirs.dist[:, :width]), DIST * scale)
    every = aspects["all"] & same
    for name, columns, on in (("first", slice(0, 1), aspects["first"]), ("all", slice(0, width), every)):
        for what in ("pos", "normal"):
            difference = worst(getattr(ours, what)[:, columns], getattr(theirs, what)[:, columns])
            check(f"{what} of {name}", on, difference, PLACE)
    return found, held, ours


@pytest.mark.parametrize("first,second,mesh", PAIRS)
@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_pair_equals_reference(first, second, mesh, count):
    pair = pair_poses.Pair(first, second, mesh)
    problems, hits, total = [], 0, 0
    for kind in pair_poses.KINDS:
        rng = np.random.default_rng([count, len(kind)])
        a, b = pair_poses.poses(pair, rng, count, kind)
        found, held, ours = differences(pair, a, b)
        for rule, number in held.items():
            # a rule that excuses most poses of every kind would compare nothing
            assert number < count or kind in ("coincident", "features") or rule == "few_vertices"
        for what, (where, difference) in found.items():
            k = where[0]
            pose = f"{a[k].tolist()} {b[k].tolist()}"
            problems.append(f"{kind}: {what} in {len(where)} poses, {difference.max():.3g}; {pose}")
        hits += int((ours.count > 0).sum())
        total += count
    assert hits > 0.3 * total
    assert not problems, "\n".join(problems)


def test_rules_do_not_hide_errors():
    """A wrong answer in an ordinary pose is found: depth, place, normal, number of points."""
    pair = pair_poses.Pair("box", "box")
    a, b = pair_poses.poses(pair, np.random.default_rng(1), 200, "general")
    ours = pair.ours
    for spoil in ("dist", "pos", "normal"):

        def spoiled(a, b, single=False, what=spoil):
            answer = ours(a, b, single)
            getattr(answer, what)[:] += 1e-6
            return answer

        pair.ours = spoiled
        found, _, _ = differences(pair, a, b)
        assert any(name.startswith(spoil) for name in found)
    pair.ours = lambda a, b, single=False: ours(a, b + np.eye(16)[3] * 0.3, single)
    assert "count" in differences(pair, a, b)[0]


@pytest.mark.parametrize("first,second,mesh", PAIRS)
def test_single_precision(first, second, mesh):
    """In single precision depths are right to 1e-5 of the size, wherever the double ones are not about to change."""
    pair = pair_poses.Pair(first, second, mesh)
    for kind in ("general", "touching", "deep", "margin"):
        a, b = pair_poses.poses(pair, np.random.default_rng([3, len(kind)]), 200, kind)
        # the same inputs in both: numbers that single precision has
        a, b = a.astype(np.float32).astype(float), b.astype(np.float32).astype(float)
        size = np.maximum(pair_poses.extent(a, first) + pair_poses.extent(b, second), np.abs(b[:, 3:6]).max(1))
        double, single = pair.ours(a, b), pair.ours(a, b, single=True)
        lowest = [np.min(np.where(np.isnan(x.dist), np.inf, x.dist), 1) for x in (double, single)]
        missed = (double.count > 0) & (single.count == 0) & (lowest[0] < a[:, 15] - 1e-5 * size)
        assert not missed.any()
        both = (double.count > 0) & (single.count > 0)
        error = np.abs(lowest[0][both] - lowest[1][both]) / size[both]
        assert error.max() < 1e-5, (kind, error.max())
        assert np.isfinite(single.normal[single.count > 0][:, 0]).all()


def separated(pair, a, b, contacts):
    """Whether the first geom, moved along the normal of its deepest point by the depth, is out of the second. Poses
    without points are not."""
    k = np.argmin(np.where(np.isnan(contacts.dist), np.inf, contacts.dist), 1)
    rows = np.arange(len(a))
    moved = a.copy()
    moved[:, 3:6] += contacts.normal[rows, k] * (contacts.dist[rows, k] * (1 + 1e-5) - 1e-9)[:, None]
    moved[:, 15] = 0
    return (contacts.count > 0) & (pair.ours(np.nan_to_num(moved), b).count == 0)


def test_pierced_boxes_beside_reference():
    """Where the axis of a capsule enters a box there is always a way out here; the reference's is often none."""
    pair = pair_poses.Pair("capsule", "box")
    a, b = pair_poses.poses(pair, np.random.default_rng(5), 4000, "pierced")
    a[:, 0] *= 0.1
    a[:, 15] = 0
    inside = pair_poses.enters_box(pair, a, b)
    a, b = a[inside], b[inside]
    ours, theirs = pair.ours(a, b), pair.theirs(a, b)
    assert len(a) > 500
    assert (ours.count > 0).all()
    assert separated(pair, a, b, ours).mean() > 0.999
    nothing, out = theirs.count == 0, separated(pair, a, b, theirs)
    print(f"pierced boxes: {len(a)}; reference: no contact {nothing.mean():.1%}, no way out {(~out).mean():.1%}")
    assert nothing.mean() > 0.01 and (~out).mean() > 0.1


def test_small_meshes_beside_reference():
    """A cube made of a mesh, flat on a plane and turned a little: four corners; the reference has one to three."""
    pair = pair_poses.Pair("plane", "mesh", "cube")
    rng = np.random.default_rng(6)
    a, b = pair_poses.poses(pair, rng, 500, "general")
    a[:, 6:15] = np.eye(3).ravel()
    a[:, 15] = 0
    tilt = np.concatenate([np.ones((500, 1)), rng.normal(size=(500, 3)) * 1e-4], 1)
    b[:, 6:15] = pair_poses.matrix(tilt)
    b[:, 3:6] = a[:, 3:6] + [0, 0, 0.0995]
    ours, theirs = pair.ours(a, b), pair.theirs(a, b)
    assert (ours.count == 4).all()
    assert (theirs.count < 4).all() and (theirs.count < 3).any()

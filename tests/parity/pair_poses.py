"""Poses of two geoms that find what random poses do not: touching, aligned, coincident, pierced, tiny, huge.

A pose is a row of 16 numbers per geom: size (3), position (3), matrix (9), margin (1, the first geom's counts).
Uniform poses find almost nothing; every kind below exists because it found something.
"""

import dataclasses

import mujoco
import numpy as np

from pliant import _pliant
from pliant import mujoco as pliant_mujoco

TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
ANALYTIC = (
    ("plane", "sphere"), ("plane", "capsule"), ("plane", "ellipsoid"), ("plane", "cylinder"), ("plane", "box"),
    ("plane", "mesh"), ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"),
    ("capsule", "capsule"), ("capsule", "box"), ("box", "box"),
)  # fmt: skip


def mesh_points(rng, kind):
    """Vertices of a hull: a cube, or points on an ellipsoid."""
    if kind == "cube":
        return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.1
    points = rng.normal(size=(int(kind), 3))
    return points / np.linalg.norm(points, axis=1, keepdims=True) * [0.1, 0.15, 0.2]


class Pair:
    """Two geoms in both engines. Sizes and poses are written directly, so that nothing but the narrow phase differs."""

    def __init__(self, first, second, mesh="cube", seed=0):
        self.types = first, second
        rng = np.random.default_rng(seed)
        points = " ".join(f"{x:.9g}" for x in mesh_points(rng, mesh).ravel())
        geoms = []
        for name, kind in zip("ab", self.types):
            shape = {"mesh": 'mesh="m"', "plane": 'size="1 1 1"'}.get(kind, 'size=".1 .1 .1"')
            joint = "" if kind == "plane" else '<joint type="free"/>'
            geoms.append(f'<body>{joint}<geom name="{name}" type="{kind}" {shape} contype="0" conaffinity="1"/></body>')
        xml = (
            f'<mujoco><asset><mesh name="m" vertex="{points}"/></asset><worldbody>{"".join(geoms)}</worldbody>'
            f'<contact><pair geom1="a" geom2="b"/></contact></mujoco>'
        )
        self.reference = mujoco.MjModel.from_xml_string(xml)
        self.data = mujoco.MjData(self.reference)
        self.model = pliant_mujoco.MjModel.from_xml_string(xml)
        for i, kind in enumerate(self.types):
            # everything reaches the narrow phase; plane and mesh use their radius in it
            if kind not in ("plane", "mesh"):
                self.reference.geom_rbound[i] = 1e9
        self.mesh_size = self.reference.geom_size.copy()

    def ours(self, a, b, single=False):
        rows = _pliant.collide_pairs(self.model, 0, 1, a, b, single)
        return unpack(rows)

    def theirs(self, a, b):
        m, d = self.reference, self.data
        most = 8
        result = Contacts.empty(len(a), most)
        for k in range(len(a)):
            for i, row in enumerate((a[k], b[k])):
                m.geom_size[i] = row[:3]
                d.geom_xpos[i] = row[3:6]
                d.geom_xmat[i] = row[6:15]
            m.pair_margin[0] = a[k, 15]
            mujoco.mj_collision(m, d)
            n = d.ncon
            result.count[k] = n
            contact = d.contact
            result.dist[k, :n] = contact.dist
            result.pos[k, :n] = contact.pos
            result.normal[k, :n] = contact.frame[:, :3]
            result.tangent[k, :n] = contact.frame[:, 3:6]
        return result


@dataclasses.dataclass
class Contacts:
    count: np.ndarray
    dist: np.ndarray
    pos: np.ndarray
    normal: np.ndarray
    tangent: np.ndarray

    @staticmethod
    def empty(n, most):
        vectors = (np.full((n, most, 3), np.nan) for _ in range(3))
        return Contacts(np.zeros(n, int), np.full((n, most), np.nan), *vectors)


def unpack(rows):
    """Contacts from the rows of collide_pairs."""
    count = rows[:, 0].astype(int)
    points = rows[:, 1:].reshape(len(rows), -1, 10).copy()
    points[np.arange(points.shape[1])[None, :] >= count[:, None]] = np.nan
    return Contacts(count, points[..., 0], points[..., 1:4], points[..., 4:7], points[..., 7:10])


# ---- poses ---------------------------------------------------------------------------------------


def matrix(quat):
    mat = np.empty((len(quat), 9))
    for row, q in zip(mat, quat / np.linalg.norm(quat, axis=1, keepdims=True)):
        mujoco.mju_quat2Mat(row, q)
    return mat


def random_matrix(rng, n):
    return matrix(rng.normal(size=(n, 4)))


def multiply(a, b):
    return np.einsum("nij,njk->nik", a.reshape(-1, 3, 3), b.reshape(-1, 3, 3)).reshape(-1, 9)


def aligned_matrix(rng, n):
    """Turns by multiples of 45 degrees about a coordinate axis, many of them by multiples of 90; some with noise."""
    quat = np.zeros((n, 4))
    angle = rng.choice([0, 0, 0, 0.5, 0.5, 1, 1.5, 0.25, 0.75], n) * np.pi
    quat[:, 0] = np.cos(angle / 2)
    quat[np.arange(n), 1 + rng.integers(0, 3, n)] = np.sin(angle / 2)
    noise = 10 ** rng.uniform(-16, -1, n) * (rng.random(n) < 0.5)
    quat[:, 1:] += noise[:, None] * rng.normal(size=(n, 3))
    exact = matrix(quat)
    # clean zeros and ones where there is no noise
    clean = noise == 0
    rounded = np.round(exact[clean])
    whole = np.abs(rounded - exact[clean]).max(1) < 1e-12
    exact[np.flatnonzero(clean)[whole]] = rounded[whole]
    return exact


def random_sizes(rng, n, kind, pair, which, spread):
    if kind == "plane":
        return np.ones((n, 3))
    if kind == "mesh":
        return np.tile(pair.mesh_size[which], (n, 1))
    return 10 ** rng.uniform(*spread, (n, 3))


def feature_points(rng, rows, kind):
    """A random corner, edge point, rim point, end or centre of each geom, in the world."""
    n = len(rows)
    size, pos, mat = rows[:, :3], rows[:, 3:6], rows[:, 6:15].reshape(-1, 3, 3)
    if kind == "plane":
        local = rng.normal(size=(n, 3)) * [1, 1, 0]
    elif kind in ("box", "mesh"):
        local = size * rng.choice([-1, 1, 1, 0], (n, 3)) * np.where(rng.random((n, 3)) < 0.2, rng.random((n, 3)), 1)
    elif kind == "sphere":
        local = np.zeros((n, 3))
    else:
        turn = rng.choice([0, 0.5, 1, 0.1], n) * np.pi
        radius = size[:, 0] * rng.choice([0, 1], n)
        height = size[:, 1] * rng.choice([-1, 0, 1, 0.3], n)
        local = np.stack([radius * np.cos(turn), radius * np.sin(turn), height], 1)
    return np.einsum("nij,nj->ni", mat, local) + pos


def extent(rows, kind):
    if kind == "plane":
        return np.zeros(len(rows))
    if kind == "sphere":
        return rows[:, 0]
    if kind in ("capsule", "cylinder"):
        return rows[:, 0] + rows[:, 1]
    return np.linalg.norm(rows[:, :3], axis=1)


def touching(pair, a, b, direction):
    """b moved along the direction until it just touches (bisection with our own function; margin 0)."""
    a, b = a.copy(), b.copy()
    a[:, 15] = 0
    reach = extent(a, pair.types[0]) + extent(b, pair.types[1])
    low, high = np.zeros(len(a)), 1.01 * reach
    start = a[:, 3:6].copy()
    for _ in range(60):
        middle = (low + high) / 2
        b[:, 3:6] = start + direction * middle[:, None]
        hit = pair.ours(a, b).count > 0
        low, high = np.where(hit, middle, low), np.where(hit, high, middle)
    b[:, 3:6] = start + direction * low[:, None]
    return b


KINDS = (
    "general", "touching", "deep", "margin", "aligned", "aligned_touching", "coincident", "features", "sizes", "far",
    "pierced",
)  # fmt: skip


def poses(pair, rng, n, kind):
    """n poses of one kind: rows of a, rows of b."""
    spread = {"sizes": (-3, 2), "pierced": (-2, 1)}.get(kind, (-1.5, -0.5))
    rows = []
    for which, geom in enumerate(pair.types):
        row = np.zeros((n, 16))
        row[:, :3] = random_sizes(rng, n, geom, pair, which, spread)
        align = kind.startswith("aligned") or (kind in ("features", "coincident") and rng.random() < 0.5)
        row[:, 6:15] = aligned_matrix(rng, n) if align else random_matrix(rng, n)
        rows.append(row)
    a, b = rows
    if kind.startswith("aligned") and rng.random() < 0.5:
        # turned together: aligned with each other, not with the world
        turn = random_matrix(rng, n)
        a[:, 6:15], b[:, 6:15] = multiply(turn, a[:, 6:15]), multiply(turn, b[:, 6:15])
    a[:, 3:6] = rng.normal(size=(n, 3)) * np.where(rng.random((n, 1)) < 0.3, 0, 1)
    if kind == "far":
        a[:, 3:6] *= 10 ** rng.uniform(0, 3, (n, 1))
    reach = extent(a, pair.types[0]) + extent(b, pair.types[1])
    direction = rng.normal(size=(n, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    if pair.types[0] == "plane":
        # towards the front
        z = a[:, 6:15].reshape(-1, 3, 3)[:, :, 2]
        direction *= np.sign(np.sum(direction * z, 1, keepdims=True))
    if kind == "aligned_touching":
        direction = a[:, 6:15].reshape(-1, 3, 3)[np.arange(n), :, rng.integers(0, 3, n)]
        if pair.types[0] == "plane":
            direction = a[:, 6:15].reshape(-1, 3, 3)[:, :, 2]
    b[:, 3:6] = a[:, 3:6] + direction * (reach * rng.uniform(0, 1.1, n))[:, None]
    if kind == "deep" or kind == "pierced":
        b[:, 3:6] = a[:, 3:6] + direction * (reach * rng.uniform(0, 0.4, n))[:, None]
    if kind in ("touching", "aligned_touching", "margin"):
        b = touching(pair, a, b, direction)
        push = 10 ** rng.uniform(-8, -1, n) * reach * rng.choice([-1, 1, 0] if kind != "margin" else [1], n)
        b[:, 3:6] += direction * push[:, None]
    if kind == "coincident":
        offset = rng.normal(size=(n, 3)) * 10 ** rng.uniform(-18, -2, (n, 1)) * (rng.random((n, 1)) < 0.6)
        b[:, 3:6] = a[:, 3:6] + offset
    if kind == "features":
        b[:, 3:6] += feature_points(rng, a, pair.types[0]) - feature_points(rng, b, pair.types[1])
    if kind == "margin" or rng.random() < 0.3:
        a[:, 15] = reach * 10 ** rng.uniform(-4, 0, n)
    return a, b


# ---- where the reference's answer is not the only one, or not the right one ------------------------
#
# A rule takes the pair and the poses and says for which of them it holds and what may still be compared there: "count"
# (number of points), "dist" (all distances), "deepest" (the smallest distance), "first" (everything about the first
# point), "all". Rules look at the poses, never at the answers, so that they cannot hide an error.


def axis(rows):
    return rows[:, 6:15].reshape(-1, 3, 3)[:, :, 2]


def local(rows, points):
    """Points in the axes of the geoms."""
    return np.einsum("nji,nj->ni", rows[:, 6:15].reshape(-1, 3, 3), points - rows[:, 3:6])


def segment_distance(a, b):
    """Between the axes of two capsules; a sphere's axis has no length."""
    half = [axis(rows) * length[:, None] for rows, length in ((a, a[:, 1]), (b, b[:, 1]))]
    apart = a[:, 3:6] - b[:, 3:6]
    best = np.full(len(a), np.inf)
    # alternate projections from many starts: slow and simple
    for start in np.linspace(-1, 1, 5):
        x = np.full(len(a), start)
        for _ in range(60):
            with np.errstate(divide="ignore", invalid="ignore"):
                y = np.sum(half[1] * (apart + half[0] * x[:, None]), 1) / np.sum(half[1] ** 2, 1)
                y = np.clip(np.nan_to_num(y), -1, 1)
                x = np.sum(half[0] * (half[1] * y[:, None] - apart), 1) / np.sum(half[0] ** 2, 1)
                x = np.clip(np.nan_to_num(x), -1, 1)
        best = np.minimum(best, np.linalg.norm(apart + half[0] * x[:, None] - half[1] * y[:, None], axis=1))
    return best


def enters_box(pair, a, b):
    """The axis of a capsule has points inside the box or on its surface: the reference looks for the nearest point of
    the axis, which does not exist there, and can find nothing or two opposite normals."""
    size, centre = b[:, :3] + 1e-9 * np.maximum(1, np.abs(a[:, 3:6]).max(1, keepdims=True)), local(b, a[:, 3:6])
    half = np.einsum("nji,nj->ni", b[:, 6:15].reshape(-1, 3, 3), axis(a)) * a[:, 1:2]
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(-size - centre) / half, (size - centre) / half])
    low, high = np.fmax(np.fmin(*ends), -1).max(1), np.fmin(np.fmax(*ends), 1).min(1)
    parallel_outside = ((half == 0) & (np.abs(centre) >= size)).any(1)
    return (low < high) & ~parallel_outside


def thick_capsule(pair, a, b):
    """The reference compares squared distances with lengths: capsules whose radius and margin are so large that the
    square of the reach is more than its bound lose contacts."""
    return (a[:, 0] + a[:, 15]) ** 2 > a[:, 15] + 2 * (a[:, 0] + a[:, 1] + b[:, :3].sum(1))


def meeting_axes(pair, a, b):
    """Axes (or centres) that meet: every direction across them separates. The reference takes the x axis of the world
    if the axes are parallel too, which need not separate."""
    rows = [rows.copy() for rows in (a, b)]
    for row, kind in zip(rows, pair.types):
        if kind == "sphere":
            row[:, 1] = 0
    return segment_distance(*rows) < 1e-9 * np.maximum(1, np.abs(a[:, 3:6]).max(1))


def on_cylinder(pair, a, b):
    """A sphere's centre on the axis or on the rim of a cylinder."""
    p = local(b, a[:, 3:6])
    radius, height = np.hypot(p[:, 0], p[:, 1]), np.abs(p[:, 2])
    tolerance = 1e-9 * np.maximum(1, np.abs(a[:, 3:6]).max(1))
    rim = np.hypot(radius - b[:, 0], height - b[:, 1])
    return (radius < tolerance) | (rim < tolerance)


def upright_by_rounding(pair, a, b):
    """A cylinder tilted less than 1e-6 rad: the reference makes lengths of rounding errors divided by the tilt."""
    return np.linalg.norm(np.cross(axis(a), axis(b)), axis=1) < 1e-6


def flat_face(pair, a, b):
    """A face of more than four corners that lies flat, sloped by less than 1e-3: the four corners that carry do not
    depend on which one is lowest here; in the reference they change with it, and what stands there hums."""
    mesh = pair.reference
    normals = mesh.mesh_polynormal[mesh.mesh_polyvertnum > 4]
    down = -np.einsum("nji,nj->ni", b[:, 6:15].reshape(-1, 3, 3), axis(a))
    return (down @ normals.T > 1 - 0.6e-6).any(1) if len(normals) else np.zeros(len(a), bool)


def balanced_box(pair, a, b):
    """A box that stands exactly on an edge or corner: more than four corners are not above its middle. The reference
    takes the first four, here the deepest four."""
    rise = np.einsum("nji,nj->ni", b[:, 6:15].reshape(-1, 3, 3), axis(a)) * b[:, :3]
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return (np.abs(rise @ signs.T) < 1e-12 * b[:, :3].sum(1, keepdims=True)).any(1)


def touches_by_rounding(pair, a, b):
    """One side has a point and the other has none, and what there is is as far away as the margin, to the last bits of
    the coordinates: the reference's compiler adds up the same products in another order."""
    ours, theirs = pair.ours(a, b), pair.theirs(a, b)
    dist = np.where(ours.count > 0, ours.dist[:, 0], theirs.dist[:, 0])
    bits = 4 * np.finfo(float).eps * np.abs(np.concatenate([a[:, 3:6], b[:, 3:6], b[:, :3]], 1)).sum(1)
    return (ours.count != theirs.count) & (np.abs(dist - a[:, 15]) < bits)


def edges_coincide(pair, a, b):
    """A corner of a box is as far out as a face of the other, to a millionth of its size: here it is on that edge,
    in the reference it is whatever the last bits say, and what lies there hums."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    near = np.zeros(len(a), bool)
    for box, other in ((a, b), (b, a)):
        corners = np.einsum("nij,nkj->nki", other[:, 6:15].reshape(-1, 3, 3), signs * other[:, None, :3])
        inside = np.stack([local(box, other[:, 3:6] + corners[:, k]) for k in range(8)], 1)
        size = box[:, None, :3]
        near |= (np.abs(np.abs(inside) - size) < 2e-6 * size).any((1, 2))
    return near


RULES = {
    ("plane", "ellipsoid"): [(touches_by_rounding, ())],
    ("plane", "cylinder"): [(upright_by_rounding, ())],
    ("plane", "box"): [(balanced_box, ("count",))],
    ("plane", "mesh"): [(flat_face, ("count",))],
    ("sphere", "sphere"): [(meeting_axes, ("count", "dist"))],
    ("sphere", "capsule"): [(meeting_axes, ("count", "dist"))],
    ("sphere", "cylinder"): [(on_cylinder, ("count", "dist"))],
    ("capsule", "capsule"): [(meeting_axes, ("count", "dist"))],
    ("box", "box"): [(touches_by_rounding, ()), (edges_coincide, ("deepest",))],
    ("capsule", "box"): [(enters_box, ()), (thick_capsule, ())],
}


def compared(pair, a, b):
    """What is compared in each pose: a boolean array per aspect, and how many poses each rule holds for."""
    aspects = {name: np.ones(len(a), bool) for name in ("count", "dist", "deepest", "first", "all")}
    held = {}
    for rule, allowed in RULES.get(pair.types, ()):
        mask = rule(pair, a, b)
        held[rule.__name__] = int(mask.sum())
        for name, on in aspects.items():
            if name not in allowed:
                on &= ~mask
    return aspects, held

"""Predicted contacts (flag speculative) equal the reference's: which pairs, how many points, where, how far.

Random pairs of all convex kinds with poses and velocities; lines of sight scene by scene; random crowds. Velocities and
positions are set, so a difference is one of collision. Points of a pair are compared as sets: which comes first depends
on the order in which a search has met the corners of a face.
"""

import itertools

import mujoco
import numpy as np
import pytest

import pliant.mujoco as own

INTEGRATORS = ["Euler", "RK4", "implicit", "implicitfast", "discrete"]
KINDS = ["plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]
PAIRS = [pair for pair in itertools.combinations_with_replacement(KINDS, 2) if pair != ("plane", "plane")]
TOLERANCE = 1e-9
ROUNDED = 1e-6  # of meshes whose vertices, 24 bits each, are in another frame than the reference's
# of directions and places of smooth shapes: at the least distance they are known to half as many digits as it is
SMOOTH, SMOOTH_TOLERANCE = {"ellipsoid", "cylinder"}, 1e-5
ANGLES = np.pi / 2 * np.arange(4)


def numbers(values):
    return " ".join(f"{v:.17g}" for v in np.ravel(values))


def product(q, p):
    out = np.zeros(4)
    mujoco.mju_mulQuat(out, q, p)
    return out


def turn(vector):
    angle = np.linalg.norm(vector)
    if angle == 0:
        return np.array([1.0, 0, 0, 0])
    return np.r_[np.cos(angle / 2), np.sin(angle / 2) * vector / angle]


def matrix(q):
    out = np.zeros(9)
    mujoco.mju_quat2Mat(out, q)
    return out.reshape(3, 3)


def random_quat(rng, aligned):
    if not aligned:
        q = rng.normal(size=4)
        return q / np.linalg.norm(q)
    # faces and lines that look at each other, exactly or nearly
    q = np.array([1.0, 0, 0, 0])
    for axis in np.eye(3):
        q = product(q, turn(axis * rng.choice(ANGLES)))
    return product(turn(rng.normal(size=3) * rng.choice([0, 0.003, 0.03, 0.1])), q)


def random_mesh(rng, name):
    if rng.random() < 0.4:  # a prism
        corners = int(rng.integers(3, 9))
        angles = np.arange(corners) * 2 * np.pi / corners
        radius, height = rng.uniform(0.03, 0.2, 2)
        vertices = [[1.3 * radius * np.cos(a), radius * np.sin(a), z] for z in (-height, height) for a in angles]
    else:
        vertices = rng.normal(size=(int(rng.integers(4, 20)), 3))
        vertices *= rng.uniform(0.03, 0.2, 3) / np.linalg.norm(vertices, axis=1)[:, None]
    return f'<mesh name="{name}" vertex="{numbers(vertices)}"/>'


def random_geom(rng, kind, name):
    size = rng.uniform(0.02, 0.2, 3)
    attributes = f'name="{name}" type="{kind}"'
    if kind == "mesh":
        attributes += f' mesh="{name}"'
    elif kind == "plane":
        attributes += ' size="5 5 1"'
    else:
        count = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
        attributes += f' size="{numbers(size[:count])}"'
    for share, text in (
        (0.3, f'margin="{rng.uniform(0, 0.05):.17g}"'),
        (0.2, f'gap="{rng.uniform(0, 0.1):.17g}"'),
        (0.5, f'solref="{rng.choice([".02 1", ".005 .7", ".001 1", "-2000 -50", "0 -400", "-5000 0"])}"'),
        (0.5, f'solimp="{rng.choice([".9 .95 .001", ".5 .9 3", ".99 .999 .01", "0 .9999 .1"])}"'),
    ):
        if rng.random() < share:
            attributes += " " + text
    return f"<geom {attributes}/>"


def take_shapes(theirs, ours):
    """Meshes in the frames of the reference: vertices are kept with 24 bits, and rounded otherwise in another frame.

    Whether that could be done: a symmetric mesh can have another frame altogether, and faces another order.
    """
    fields = "mesh_vert geom_pos geom_quat geom_aabb geom_rbound body_ipos body_iquat".split()
    pairs = [(getattr(theirs, field), getattr(ours, field)) for field in fields]
    if not all(np.allclose(a, b, atol=1e-4) for a, b in pairs):
        return False
    for a, b in pairs:
        b[:] = a
    if theirs.mesh_polynormal.shape != ours.mesh_polynormal.shape:
        return False
    same = np.abs(theirs.mesh_polynormal - ours.mesh_polynormal).max(axis=1) < 1e-4
    ours.mesh_polynormal[same] = theirs.mesh_polynormal[same]
    return same.all()


class Case:
    """Two geoms, one of which can be fixed, on a way that mostly meets."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        kinds = list(PAIRS[seed % len(PAIRS)])
        if kinds[0] != "plane" and rng.random() < 0.5:
            kinds.reverse()
        self.kinds, self.same_meshes = kinds, True
        self.assets = "".join(random_mesh(rng, f"g{i}") for i in range(2) if kinds[i] == "mesh")
        self.geoms = [random_geom(rng, kind, f"g{i}") for i, kind in enumerate(kinds)]
        self.fixed = kinds[0] == "plane" or rng.random() < 0.4
        self.timestep = float(rng.choice([0.001, 0.002, 0.01, 0.03]))
        aligned = rng.random() < 0.3
        self.quats = [random_quat(rng, aligned), random_quat(rng, aligned)]
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        axes = matrix(self.quats[0])
        if aligned and rng.random() < 0.7:
            way = axes[:, rng.integers(3)] * rng.choice([-1, 1])
        gap = 10 ** rng.uniform(-2.5, 0.3)
        if kinds[0] == "plane":
            way = axes[:, 2] if rng.random() < 0.5 else way * np.sign(way @ axes[:, 2])
            self.pos = way * (gap + 0.25) / max(0.2, way @ axes[:, 2])
        else:
            self.pos = way * (0.35 + gap)
        travel = gap * 10 ** rng.uniform(-0.3, 1)
        aim = -way * travel + rng.normal(size=3) * rng.choice([0, 0.05, 0.3]) * travel
        share = 0 if self.fixed else rng.choice([0, 1, 0.5])
        self.lin = [-aim * share / self.timestep, aim * (1 - share) / self.timestep]
        self.ang = [rng.normal(size=3) * rng.choice([0, 0.1, 1]) / self.timestep for _ in range(2)]
        self.options = f'timestep="{self.timestep}" integrator="{rng.choice(INTEGRATORS)}"'
        self.discrete = "discrete" in self.options
        self.flags = "".join(
            f' {name}="disable"' for name, p in (("multiccd", 0.25), ("refsafe", 0.2)) if rng.random() < p
        )
        turn = sum(self.timestep * np.linalg.norm(w) for w in self.ang)
        self.reach = sum(self.timestep * np.linalg.norm(v) for v in self.lin) + 0.5 * turn
        self.turn = turn

    def forward(self, module, shift=0.0, flag="enable"):
        """Contacts; the second geom a little aside."""
        joint = "" if self.fixed else "<freejoint/>"
        text = f"""
            <mujoco><option {self.options} ccd_tolerance="1e-15" ccd_iterations="1000"><flag speculative="{flag}"
              {self.flags}/></option><asset>{self.assets}</asset><worldbody>
              <body quat="{numbers(self.quats[0])}">{joint}{self.geoms[0]}</body>
              <body pos="{numbers(self.pos + shift)}" quat="{numbers(self.quats[1])}"><freejoint/>{self.geoms[1]}</body>
            </worldbody></mujoco>"""
        model = module.MjModel.from_xml_string(text)
        if module is own and self.assets:
            self.same_meshes = take_shapes(mujoco.MjModel.from_xml_string(text), model)
        data = module.MjData(model)
        velocities = [np.r_[lin, ang] for lin, ang in zip(self.lin, self.ang)]
        data.qvel[:] = np.concatenate(velocities[1:] if self.fixed else velocities)
        module.mj_forward(model, data)
        return contacts(data)

    def scales(self, found):
        """By how much an error of the time of impact is larger in the distance, and those of place and direction.

        The distance is (1 - t - b) / k times the approach per step, which is that of the place along the normal.
        """
        h, ref, most = self.timestep, found[0]["solref"], found[0]["dmax"]
        safe = "refsafe" not in self.flags
        tau = max(ref[0], 2 * h) if safe and not self.discrete else ref[0]
        b, k = (2 * h / tau, h * h / (tau * ref[1]) ** 2) if ref[0] > 0 else (-h * ref[1], -h * h * ref[0])
        if self.discrete and safe and ref[0] > 0 and k > most:
            b, k = 2 * ref[1] * np.sqrt(most), most
        if k <= 1e-15:
            return 1.0, 0.0, 0.0
        # discrete: (1 - t - t (b + k)) / k
        slope = 1 + b + k if self.discrete else 1.0
        scale = max(1.0, self.reach * slope / k)
        return scale, self.turn * slope * (1 + b) / k / scale, self.reach * slope * (1 + b) / k / scale


def contacts(data):
    found = []
    for c in data.contact[: data.ncon]:
        found.append(
            {
                "what": (*map(int, c.geom), int(c.dim), int(c.exclude)),
                "margin": float(c.includemargin),
                "dist": float(c.dist),
                "pos": np.array(c.pos),
                "normal": np.array(c.frame)[:3],
                "solref": np.array(c.solref),
                "dmax": float(np.clip(c.solimp[1], 1e-4, 0.9999)),
            }
        )
    return found


def in_order_of(theirs, ours):
    """Ours, each where the nearest of theirs of the same pair is."""
    left, out = list(ours), []
    for c in theirs:
        same = [k for k in left if k["what"] == c["what"]]
        if not same:
            return None
        best = min(same, key=lambda k: np.abs(k["pos"] - c["pos"]).max() + abs(k["dist"] - c["dist"]))
        left = [k for k in left if k is not best]
        out.append(best)
    return out if not left else None


def difference(theirs, ours, scale=1.0, places=1.0, turning=0.0, straying=0.0):
    """The largest, of distances, places and directions in units of their scales; None: other contacts.

    turning, straying: by how much a distance follows the place, where geoms turn, and the normal.
    """
    ours = in_order_of(theirs, ours)
    if ours is None:
        return None
    return max(
        (
            max(
                abs(a["dist"] - b["dist"]) / scale
                - turning * np.linalg.norm(a["pos"] - b["pos"])
                - straying * np.linalg.norm(a["normal"] - b["normal"]),
                np.abs(a["pos"] - b["pos"]).max() / places,
                np.abs(a["normal"] - b["normal"]).max() / places,
                abs(a["margin"] - b["margin"]),
            )
            for a, b in zip(theirs, ours)
        ),
        default=0.0,
    )


def without_lines(theirs, ours, cap=False):
    """Both, without pairs that touch along a line or on a cap and are right about all but the ends or corners of it.

    An edge or side that lies on a face has two points. We ask that the face looks along the contact's normal
    (kEdgeTowards in collision/multicontact_hd.h); the reference takes faces that hardly look that way as well, so that
    noise decides whether there is a second point. Of the 16 corners of a cap four are kept, and many choices are as
    good. Direction and distance are the same.
    """
    for key in {c["what"] for c in theirs} | {c["what"] for c in ours}:
        groups = [[c for c in found if c["what"] == key] for found in (theirs, ours)]
        counts = {len(group) for group in groups}
        if not (counts in ({1, 2}, {2}) or (cap and counts == {4})):
            continue
        every = groups[0] + groups[1]
        same = all(
            abs(c["dist"] - every[0]["dist"]) < 1e-6 and np.abs(c["normal"] - every[0]["normal"]).max() < 1e-6
            for c in every
        )
        apart = difference(*groups)
        if same and (apart is None or apart > 1e-6):
            theirs, ours = ([c for c in found if c["what"] != key] for found in (theirs, ours))
    return theirs, ours


def roughness(case, module, reference, scale, seed):
    """How far contacts are from changing smoothly with the pose: the accuracy of a search, seen from outside.

    Along a short line of poses every number is nearly a polynomial; what is left is noise. Infinite where other
    contacts appear.
    """
    way = np.random.default_rng(seed).normal(size=3)
    places, rows = np.linspace(-1, 1, 21), []
    for x in places:
        found = in_order_of(reference, case.forward(module, 3e-5 * x * way))
        if found is None:
            return np.inf
        rows.append(np.concatenate([[c["dist"] / scale, *c["pos"], *c["normal"]] for c in found]))
    fit = np.polynomial.polynomial.polyfit(places, np.array(rows), 3)
    return np.abs(np.polynomial.polynomial.polyval(places, fit).T - np.array(rows)).max()


def compare(seeds):
    """Cases with contacts; that agree; within noise; with one point of a line for two; wrong ones."""
    met, agree, noise, lines, wrong = 0, 0, 0, 0, []
    for seed in seeds:
        case = Case(seed)
        theirs, ours = case.forward(mujoco), case.forward(own)
        if theirs and difference(theirs, case.forward(mujoco, flag="disable")) == 0:
            continue  # nothing is predicted: contacts of the gap, or contacts
        met += bool(theirs)
        count = len(theirs)
        theirs, ours = without_lines(theirs, ours, "cylinder" in case.kinds)
        lines += len(theirs) < count
        scale, *follows = case.scales(theirs) if theirs else (1.0, 0.0, 0.0)
        smooth = bool(SMOOTH & {*case.kinds})
        off = difference(theirs, ours, scale, *((SMOOTH_TOLERANCE / TOLERANCE, *follows) if smooth else ()))
        if off is not None and off <= (TOLERANCE if case.same_meshes else ROUNDED):
            agree += 1
            continue
        # The reference's search for nearest points of smooth shapes stops short, and faces that look straight at each
        # other have many nearest points. Its contacts are then rough by as much as they are off; ours are not.
        rough, ours_rough = (
            roughness(case, module, mine, scale, seed) for module, mine in ((mujoco, theirs), (own, ours))
        )
        if rough >= (np.inf if off is None else 0.1 * off):
            noise += 1
        else:
            wrong.append((seed, case.kinds, len(theirs), len(ours), off, rough, ours_rough))
    return met, agree, noise, lines, wrong


def check(seeds):
    met, agree, noise, lines, wrong = compare(seeds)
    print(
        f"{len(seeds)} cases, {met} with contacts: {agree} equal, {noise} within the reference's noise, {lines} lines"
    )
    assert met > 0.25 * len(seeds)
    assert not wrong
    assert noise <= 0.04 * len(seeds) and lines <= 0.005 * len(seeds)


def test_random_pairs():
    check(range(20 * len(PAIRS)))


@pytest.mark.slow
def test_ten_thousand_random_pairs():
    check(range(1000, 11000))


# ---- lines of sight -----------------------------------------------------------------------------

BALL = '<body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size=".05" {}/>{}</body>'
BOX = '<body name="ball" pos="0 0 1"><freejoint/><geom name="ball" type="box" size=".1 .1 .1"/></body>'
ROD = (
    '<body pos=".15 0 1.1"><freejoint/><geom type="capsule" size=".05" fromto="-.15 0 -.15 .15 0 .15"/></body>'
    '<geom type="sphere" pos=".2 0 .75" size="{}" margin="{}"/>'
)
FLOOR = '<geom name="floor" type="box" size="1 1 .01" {}/>'
WALL = '<geom name="wall" type="box" size="1 1 .01" pos="0 0 .5" {}/>'
FREE_FLOOR = '<body name="floor"><freejoint/><geom name="floor" type="box" size="1 1 .01" {}/>{}</body>'
FREE_WALL = '<body name="wall" pos="0 0 .5"><freejoint/><geom name="wall" type="box" size=".3 .3 .01"/></body>'
DOWN, REST = [0, 0, -120, 0, 0, 0], [0] * 6
TWO = 'contype="2" conaffinity="2"'
THREE = 'contype="3" conaffinity="3"'
NONE = 'contype="0" conaffinity="0"'

SIGHTS = {
    "wall": (FLOOR + WALL + BALL, DOWN, ""),
    "wall that collides with nothing": (FLOOR + WALL.format(NONE) + BALL, DOWN, ""),
    "wall for others": (FLOOR.format(THREE) + WALL.format(TWO) + BALL, DOWN, ""),
    "wall that the floor ignores": (FLOOR.format(TWO) + WALL + BALL.format(THREE, ""), DOWN, ""),
    "on the ball": (FLOOR + BALL.format("", '<geom type="box" size=".3 .3 .01" pos="0 0 -.5"/>'), DOWN, ""),
    "free": (FLOOR + FREE_WALL + BALL, REST + DOWN, ""),
    "moving aside": (FLOOR + FREE_WALL + BALL, [500, 0, 0, 0, 0, 0] + DOWN, ""),
    "excluded": (FLOOR + FREE_WALL + BALL, REST + DOWN, '<exclude body1="ball" body2="wall"/>'),
    "excluded from the world": (FLOOR + FREE_WALL + BALL, REST + DOWN, '<exclude body1="world" body2="wall"/>'),
    "explicit": (FLOOR + WALL.format(NONE) + BALL, DOWN, '<pair geom1="wall" geom2="ball"/>'),
    "explicit floor": (FLOOR.format(NONE) + WALL + BALL, DOWN, '<pair geom1="floor" geom2="ball" solref=".01 .5"/>'),
    "plane": (FLOOR + '<geom type="plane" size=".01 .01 1" pos="3 0 .5"/>' + BALL, DOWN, ""),
    "around the ball": (FLOOR + '<geom size=".3" pos="0 0 1.1"/>' + BALL, DOWN, ""),
    "beside": (FLOOR + '<geom type="box" size=".1 .1 .01" pos=".13 0 .5"/>' + BALL, DOWN, ""),
    "in the floor": (FLOOR + '<geom type="box" size=".5 .5 .02"/>' + BALL, DOWN, ""),
    "flush": (FLOOR + '<geom type="box" size=".5 .5 .01"/>' + BALL, DOWN, ""),
    "just above the floor": (FLOOR + '<geom type="box" size=".5 .5 .01" pos="0 0 .001"/>' + BALL, DOWN, ""),
    "just below the ball": (FLOOR + '<geom type="box" size=".5 .5 .01" pos="0 0 .939"/>' + BALL, DOWN, ""),
    "below one corner": (FLOOR + '<geom type="box" size=".05 .05 .01" pos=".1 .1 .5"/>' + BOX, DOWN, ""),
    "below the middle": (FLOOR + '<geom type="box" size=".05 .05 .01" pos="0 0 .5"/>' + BOX, DOWN, ""),
    "part of the moving floor": (
        FREE_FLOOR.format("", '<geom type="box" size=".5 .5 .01" pos="0 0 .5"/>') + BALL,
        REST + DOWN,
        "",
    ),
    "child of the moving floor": (
        FREE_FLOOR.format("", '<body><joint type="slide"/><geom type="box" size=".5 .5 .01" pos="0 0 .5"/></body>')
        + BALL,
        [*REST, 0, *DOWN],
        "",
    ),
    "the floor is faster": (WALL.format(TWO) + FREE_FLOOR.format(THREE, "") + BALL, [0, 0, 120, 0, 0, 0, *REST], ""),
    "both are as fast": (
        WALL + FREE_FLOOR.format(TWO, "") + BALL.format(THREE, ""),
        [0, 0, 60, 0, 0, 0, 0, 0, -60, 0, 0, 0],
        "",
    ),
    "touched": (FLOOR + ROD.format(0.24, 0), DOWN, ""),
    "within its margin": (FLOOR + ROD.format(0.22, 0.2), DOWN, ""),
    "not touched": (FLOOR + ROD.format(0.22, 0), DOWN, ""),
    "in its gap": (FLOOR + WALL.format('gap="1"') + BALL, DOWN, ""),
    "mocap": (FLOOR + '<body mocap="true" pos="0 0 .5"><geom type="box" size=".5 .5 .01"/></body>' + BALL, DOWN, ""),
    "mesh": (FLOOR + '<geom type="mesh" mesh="plate" pos="0 0 .5"/>' + BALL, DOWN, ""),
    "parent": (
        '<geom type="box" size="1 1 .01" pos="0 0 -.3"/><body pos="0 0 .5"><joint type="slide" axis="1 0 0"/>'
        '<geom type="box" size=".5 .5 .01"/><body pos="0 0 .5"><joint type="slide" axis="0 0 1"/>'
        '<geom size=".05"/></body></body>',
        [0, -180],
        "",
    ),
}
PLATE = '<mesh name="plate" vertex="1 1 .01 1 1 -.01 1 -1 .01 1 -1 -.01 -1 1 .01 -1 1 -.01 -1 -1 .01 -1 -1 -.01"/>'


@pytest.mark.parametrize("scene", SIGHTS)
@pytest.mark.parametrize("options", ["", 'o_margin=".02" o_solref="-3000 -50"'])
def test_lines_of_sight(scene, options):
    world, velocity, rest = SIGHTS[scene]
    flag = ' override="enable"' if options else ""
    found = []
    for module in (mujoco, own):
        model = module.MjModel.from_xml_string(
            f'<mujoco><option timestep=".01" {options}><flag speculative="enable"{flag}/></option>'
            f"<asset>{PLATE}</asset><worldbody>{world.replace('{}', '')}</worldbody><contact>{rest}</contact></mujoco>"
        )
        data = module.MjData(model)
        data.qvel[:] = velocity
        module.mj_forward(model, data)
        found.append(contacts(data))
    off = difference(*found, 100.0)
    assert off is not None and off <= TOLERANCE, found


# ---- crowds -------------------------------------------------------------------------------------


def crowd(seed):
    rng = np.random.default_rng(seed)
    bodies, geoms = "", int(rng.choice([1, 3]))
    for i in range(int(rng.choice([6, 20, 60]))):
        joint = "" if rng.random() < 0.3 else "<freejoint/>"
        parts = "".join(
            f'<geom type="{kind}" size="{numbers(rng.uniform(0.02, 0.15, 3))}"'
            f' pos="{numbers(rng.normal(size=3) * 0.1)}" quat="{numbers(random_quat(rng, False))}"/>'
            for kind in rng.choice(["sphere", "capsule", "box"], geoms)
        )
        bodies += f'<body name="b{i}" pos="{numbers(rng.uniform(-2, 2, 3))}">{joint}{parts}</body>'
    return (
        '<mujoco><option timestep=".005"><flag speculative="enable"/></option><worldbody>'
        f'<geom type="plane" size="5 5 1" pos="0 0 -2.5"/>{bodies}</worldbody></mujoco>'
    )


def compare_crowd(seed):
    """Contacts of a crowd, of pairs that do not touch yet; whether pairs are in the same order."""
    text, found, order = crowd(seed), [], []
    model = mujoco.MjModel.from_xml_string(text.replace('speculative="enable"', ""))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    touching = {tuple(map(int, c.geom)) for c in data.contact[: data.ncon]}
    rng = np.random.default_rng(seed)
    velocity = rng.normal(size=model.nv) * rng.choice([1, 30, 300])
    for module in (mujoco, own):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        data.qvel[:] = velocity
        module.mj_forward(model, data)
        every = contacts(data)
        order.append([key for key, _ in itertools.groupby(c["what"][:2] for c in every)])
        found.append([c for c in every if c["what"][:2] not in touching])
    return difference(*without_lines(*found), 1e4), order[0] == order[1], found


@pytest.mark.parametrize("count", [30, pytest.param(600, marks=pytest.mark.slow)])
def test_crowds(count):
    """A point of a line (see without_lines) can be hidden where the reference's two are not, and has another place."""
    predicted, odd = 0, []
    for seed in range(count):
        off, same_order, found = compare_crowd(seed)
        predicted += len(found[0])
        if off is None or off > 1e-8 or not same_order:
            odd.append((seed, off, same_order, len(found[0]), len(found[1])))
    print(f"{count} crowds, {predicted} predicted contacts: {odd}")
    assert len(odd) <= count // 200, odd
    assert predicted > 4 * count


FAST_BODIES = """<mujoco><option timestep=".002" integrator="{integrator}" cone="{cone}" tolerance="1e-15"
  iterations="200" ls_iterations="100" ccd_tolerance="1e-15" ccd_iterations="1000"><flag speculative="enable"/></option>
<worldbody><geom type="plane" size="5 5 1" solimp="{solimp}" solref="{solref}"/>
  <geom type="box" pos="0 0 .2" size="3 .4 .01" solref="{solref}"/>
  <body pos="0 1 .5"><freejoint/><geom size=".05"/></body>
  <body pos="1 1 .7" euler="20 30 0"><freejoint/><geom type="box" size=".05 .06 .07"/></body>
  <body pos="2 0 .8" euler="0 40 0"><freejoint/><geom type="capsule" size=".03 .1"/></body>
  <body pos="-2 0 .6"><joint type="slide" axis="0 0 1" damping="2"/><joint axis="1 0 0" stiffness="3"/>
    <geom type="ellipsoid" size=".04 .05 .06"/></body>
  <body pos="-1 0 1"><freejoint/><geom size=".06"/></body><body pos="-1 0 .7"><freejoint/><geom size=".06"/></body>
</worldbody></mujoco>"""
VELOCITIES = [1, 2, -240, 0, 0, 0, 3, -1, -320, 5, 6, 7, 2, 0, -380, 9, -4, 3, -250, 11]
VELOCITIES += [0, 0, -200, 1, 2, 3, 0, 0, -20, 3, 2, 1]


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("solref", [".02 1", ".001 1", "-3000 -60"])
@pytest.mark.parametrize("solimp", [".9 .95 .001", ".5 .9 3"])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_rows_of_predicted_contacts(integrator, solimp, solref, cone):
    """Contacts, and the acceleration that follows from their rows, under every integrator; then the step."""
    text = FAST_BODIES.format(integrator=integrator, solimp=solimp, solref=solref, cone=cone)
    found, accelerations, ends = [], [], []
    for module in (mujoco, own):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        data.qvel[:] = VELOCITIES
        module.mj_forward(model, data)
        found.append(contacts(data))
        accelerations.append(np.array(data.qacc))
        module.mj_step(model, data)
        ends.append(np.r_[data.qvel, data.qpos])
    assert len({c["what"][:2] for c in found[0]}) == 5
    # a distance is (1 - t - b) / k times the approach, up to half a metre per step
    scale = max(1, max(abs(c["dist"]) for c in found[0]))
    off = difference(*found, scale)
    assert off is not None and off <= TOLERANCE
    assert np.abs(accelerations[0] - accelerations[1]).max() <= TOLERANCE * np.abs(accelerations[0]).max()
    # within a step of Runge-Kutta the four places differ by rounding of the distances times the stiffness
    assert np.abs(ends[0] - ends[1]).max() <= TOLERANCE * np.abs(ends[0]).max()

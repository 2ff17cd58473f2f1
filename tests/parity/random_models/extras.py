"""Meshes, height fields and attachments of the model itself for random documents (generator.py).

They draw from a random generator of their own, so that what a seed gives beside them stays as it is.
"""

import random

# how often a document has the feature
FREQUENCY = {"meshes": 0.25, "hfields": 0.1, "selfattach": 0.1}

BOX = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
BOX_FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6),
             (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]  # fmt: skip
FITTED = ("sphere", "capsule", "ellipsoid", "cylinder", "box")


class Extras:
    """What one Generator draws here."""

    def __init__(self, seed):
        self.rng = random.Random(f"extras {seed}")
        self.features = {f for f, p in FREQUENCY.items() if self.rng.random() < p}
        self.meshes, self.plates, self.hfields = [], [], []

    def text(self, values):
        return " ".join(f"{v:.4g}" for v in values)

    def chance(self, p):
        return self.rng.random() < p

    def uniform(self, low, high, count):
        return [self.rng.uniform(low, high) for _ in range(count)]

    # ---- assets ---------------------------------------------------------------------------------------

    def assets(self, node):
        if "meshes" in self.features:
            for number in range(self.rng.randint(1, 4)):
                self.mesh(node, f"mesh{number}")
        if "hfields" in self.features:
            for number in range(self.rng.randint(1, 2)):
                self.hfield(node, f"hills{number}")

    def mesh(self, node, name):
        a = {"name": name}
        form = self.rng.choice(("points", "points", "box", "builtin", "builtin"))
        flat = False
        if form == "points":
            count = self.rng.randint(4, 24)
            a["vertex"] = self.text(self.rng.gauss(0, 0.2) for _ in range(3 * count))
            if self.chance(0.2):
                a["texcoord"] = self.text(self.uniform(0, 1, 2 * count))
        elif form == "box":
            # corners moved about, so that its sides are no longer flat
            amount = self.rng.choice((0, 0.02, 0.3))
            a["vertex"] = self.text(c * 0.2 + self.rng.uniform(-amount, amount) / 2 for v in BOX for c in v)
            a["face"] = " ".join(str(i) for f in BOX_FACES for i in f)
            if self.chance(0.2):
                a["normal"] = self.text(c for v in BOX for c in v)
        else:
            flat = self.builtin(a)
        if self.chance(0.4):
            a["scale"] = self.text(x * self.rng.choice((1, 1, 1, -1)) for x in self.uniform(0.2, 2, 3))
        if self.chance(0.3):
            a["refpos"] = self.text(self.uniform(-0.5, 0.5, 3))
        if self.chance(0.3):
            a["refquat"] = self.text(self.uniform(-1, 1, 4))
        if self.chance(0.4):
            a["inertia"] = self.rng.choice(("legacy", "exact", "convex", "shell"))
        if self.chance(0.2):
            a["maxhullvert"] = str(self.rng.randint(4, 12))
        if self.chance(0.3):
            a["smoothnormal"] = self.rng.choice(("true", "false"))
        node.add("mesh", a)
        (self.plates if flat else self.meshes).append(name)

    def builtin(self, a):
        """True for a shape without volume."""
        shape = a["builtin"] = self.rng.choice(
            ("sphere", "hemisphere", "cone", "supersphere", "supertorus", "wedge", "plate")
            + ("grid", "box", "cylinder", "ellipsoid", "square", "disc")
        )
        whole = self.rng.randint
        params = {
            "sphere": lambda: [whole(0, 2)],
            "hemisphere": lambda: [whole(0, 4)],
            "cone": lambda: [whole(3, 9), self.rng.choice((0, 0.5, 1))],
            "supersphere": lambda: [whole(4, 9), *self.uniform(0.4, 2, 2)],
            "supertorus": lambda: [whole(4, 9), *self.uniform(0.2, 0.8, 3)],
            "wedge": lambda: [whole(3, 6), whole(2, 5), *self.uniform(20, 80, 2), self.rng.choice((0, 0.5, 1))],
            "plate": lambda: [whole(2, 5), whole(2, 5)],
            **dict.fromkeys(("grid", "box", "cylinder", "ellipsoid", "square", "disc"), lambda: self.lattice(shape)),
        }[shape]()
        a["params"] = self.text(params)
        return shape in ("plate", "square", "disc") or (shape == "grid" and params[6:] == [2])

    def lattice(self, shape):
        """Counts and spacings, and maybe the dimension."""
        counts = [self.rng.randint(2, 4) for _ in range(3)]
        dim = [] if shape in ("square", "disc") or self.chance(0.3) else [self.rng.choice((2, 3))]
        if shape in ("square", "disc") or (shape == "grid" and dim == [2]):
            counts[2] = 1
        return counts + self.uniform(0.05, 0.3, 3) + dim

    def hfield(self, node, name):
        rows, columns = (self.rng.randint(1 if self.chance(0.1) else 2, 5) for _ in range(2))
        a = {"name": name, "nrow": str(rows), "ncol": str(columns), "size": self.text(self.uniform(0.1, 2, 4))}
        if self.chance(0.7):
            a["elevation"] = self.text(self.uniform(-1, 3, rows * columns))
        node.add("hfield", a)
        self.hfields.append(name)

    # ---- their users ----------------------------------------------------------------------------------

    def shape(self, a):
        """Makes a geom of a mesh or height field, by chance; its type then."""
        if "fromto" in a or a.get("type") == "plane":
            return None
        if self.meshes and self.chance(0.35):
            a["mesh"] = self.rng.choice(self.meshes)
            a["type"] = "mesh" if self.chance(0.7) else self.rng.choice(FITTED)
            if self.chance(0.2):
                a["fitscale"] = self.text(self.uniform(0.5, 2, 1))
            if a["type"] == "mesh":
                a.pop("shellinertia", None)
        elif self.plates and self.chance(0.1):
            # massless: rounding decides whether the moments of a plate need balancing
            a |= {"type": "mesh", "mesh": self.rng.choice(self.plates), "contype": "0", "conaffinity": "0", "mass": "0"}
            a.pop("shellinertia", None)
        elif self.hfields and self.chance(0.1):
            a |= {"type": "hfield", "hfield": self.rng.choice(self.hfields)}
        else:
            return None
        return a["type"]

    def site(self, a):
        """Makes a site of a mesh, by chance."""
        if self.meshes and self.chance(0.2):
            a |= {"type": "mesh", "mesh": self.rng.choice(self.meshes)}

    def tactile(self, node, geom):
        if geom and (self.meshes or self.plates) and self.chance(0.3):
            node.add("tactile", {"geom": geom.name, "mesh": self.rng.choice(self.meshes + self.plates)})
            if self.chance(0.3):
                node.children[-1].attributes["cutoff"] = self.text(self.uniform(0, 5, 1))

    def self_attach(self, world, bodies, frames):
        """Copies of parts; last in the world, so that everything has been read."""
        if "selfattach" not in self.features:
            return
        for number in range(self.rng.randint(1, 2)):
            kind, names = ("body", bodies) if self.chance(0.7) or not frames else ("frame", frames)
            if names:
                world.add("attach", {kind: self.rng.choice(names), "prefix": f"copy{number}-"})

"""What a finished document gets beside: files of meshes, pictures and height fields, skins, and rare attributes.

Drawn from a generator of its own, so that what a seed gives otherwise stays as it is.
"""

import math
import random
import struct
import zlib

from random_models.document import Node

# how often a document has the feature
FREQUENCY = {"meshfiles": 0.6, "pictures": 0.5, "terrains": 0.6, "skins": 0.1, "rare": 0.4}
FOLDERS = {"mesh": ("meshdir", "shapes"), "texture": ("texturedir", "pictures")}


def number(value):
    return f"{value:.4g}"


# ---- files ----------------------------------------------------------------------------------------------


def png(width, height, pixels, channels):
    """A picture of 8 bits per channel, 1 (grey) or 3."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(pixels[i * width * channels : (i + 1) * width * channels]) for i in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def obj(vertices, faces, normals, texcoords):
    lines = ["# a mesh"] + ["v " + " ".join(map(number, v)) for v in vertices]
    lines += ["vt " + " ".join(map(number, t)) for t in texcoords] + ["vn " + " ".join(map(number, n)) for n in normals]

    def corner(i):
        if normals and texcoords:
            return f"{i + 1}/{i + 1}/{i + 1}"
        return f"{i + 1}//{i + 1}" if normals else f"{i + 1}/{i + 1}" if texcoords else str(i + 1)

    return "\n".join(lines + ["f " + " ".join(map(corner, f)) for f in faces]).encode() + b"\n"


def stl(vertices, faces, *_):
    triangles = [t for f in faces for t in ((f[0], f[i], f[i + 1]) for i in range(1, len(f) - 1))]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *(c for i in t for c in vertices[i]), 0) for t in triangles)
    return b"\0" * 80 + struct.pack("<I", len(triangles)) + body


def msh(vertices, faces, normals, texcoords):
    flat = [c for v in vertices for c in v] + [c for n in normals for c in n] + [c for t in texcoords for c in t]
    triangles = [i for f in faces for i in f]
    counts = (len(vertices), len(normals), len(texcoords), len(faces))
    return (
        struct.pack("<4i", *counts)
        + struct.pack(f"<{len(flat)}f", *flat)
        + struct.pack(f"<{len(triangles)}i", *triangles)
    )


class Late:
    """What one document draws here."""

    def __init__(self, seed, generator):
        self.rng = random.Random(f"late {seed}")
        self.features = {f for f, p in FREQUENCY.items() if self.rng.random() < p}
        self.generator = generator
        self.folders = {}

    def chance(self, p):
        return self.rng.random() < p

    def reals(self, low, high, count):
        return " ".join(number(self.rng.uniform(low, high)) for _ in range(count))

    def span(self, low, high):
        return " ".join(number(v) for v in sorted(self.rng.uniform(low, high) for _ in range(2)))

    def add_to(self, root, data):
        """Changes the tree of the main file; puts files into `data`."""
        nodes = list(root.walk())
        if "meshfiles" in self.features:
            self.mesh_files(root, nodes, data)
        if "pictures" in self.features:
            self.pictures(root, nodes, data)
        if "terrains" in self.features:
            self.terrains(nodes, data)
        if "skins" in self.features:
            self.skin(root)
        if "rare" in self.features:
            for node in root.walk():
                self.rare(node)

    def place(self, root, kind, name, data, content):
        """Puts a file where the compiler looks for it; the value of the attribute `file`."""
        folder = self.folder(root, kind)
        data[f"{folder}/{name}" if folder else name] = content
        return name

    def folder(self, root, kind):
        """The folder of all files of a kind, given to the compiler when it is first asked for."""
        if kind not in self.folders:
            compilers = [n for n in root.children if n.tag == "compiler"]
            given = kind in FOLDERS and compilers and self.chance(0.5)
            self.folders[kind] = FOLDERS[kind][1] if given else ""
            if given:
                compilers[-1].attributes[FOLDERS[kind][0]] = FOLDERS[kind][1]
        return self.folders[kind]

    # ---- meshes ---------------------------------------------------------------------------------------

    def mesh_files(self, root, nodes, data):
        for node in nodes:
            a = node.attributes
            if node.tag != "mesh" or "vertex" not in a or not self.chance(0.6):
                continue
            vertices = self.triples(a.pop("vertex"))
            faces = self.triples(a.pop("face"), int) if "face" in a else self.cone(vertices)
            normals = self.triples(a.pop("normal")) if "normal" in a else []
            texcoords = self.triples(a.pop("texcoord"), float, 2) if "texcoord" in a else []
            ending, write = self.rng.choice((("obj", obj), ("stl", stl), ("msh", msh), ("OBJ", obj)))
            name = f"{a['name']}.{ending}"
            a["file"] = self.place(root, "mesh", name, data, write(vertices, faces, normals, texcoords))
            if self.chance(0.15):
                a["content_type"] = {"obj": "model/obj", "stl": "model/stl", "msh": "model/vnd.mujoco.msh"}[
                    ending.lower()
                ]
            if self.chance(0.3):
                del a["name"]  # that of the file is the same

    @staticmethod
    def triples(text, kind=float, width=3):
        values = list(map(kind, text.split()))
        return [tuple(values[i : i + width]) for i in range(0, len(values), width)]

    @staticmethod
    def cone(vertices):
        """Some closed surface, for points without faces: a fan from the first and back from the last."""
        n = len(vertices)
        ring = list(range(1, n - 1))
        if len(ring) < 3:
            return [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
        pairs = list(zip(ring, ring[1:] + ring[:1]))
        return [(0, j, i) for i, j in pairs] + [(n - 1, i, j) for i, j in pairs]

    # ---- pictures and height fields -------------------------------------------------------------------

    def picture(self, width, height, channels):
        return png(width, height, [self.rng.randrange(256) for _ in range(width * height * channels)], channels)

    def pictures(self, root, nodes, data):
        for number, node in enumerate(n for n in nodes if n.tag == "texture" and "builtin" in n.attributes):
            a = node.attributes
            if a.get("name") == "woven" or "class" in a or not self.chance(0.6):
                continue
            for name in ("builtin", "width", "height", "nchannel", "mark", "markrgb", "random"):
                a.pop(name, None)
            kind = a.get("type", "cube")
            if kind == "2d" or self.chance(0.4):
                side = self.rng.randint(1, 5)
                height = self.rng.randint(1, 5) if kind == "2d" else side
                a["file"] = self.place(root, "texture", f"p{number}.png", data, self.picture(side, height, 3))
            elif self.chance(0.5):
                side = self.rng.randint(1, 4)
                a["gridsize"], a["gridlayout"] = self.rng.choice(
                    (("3 4", ".U..LFRB.D.."), ("2 3", "RLUDFB"), ("1 1", "."))
                )
                rows, columns = map(int, a["gridsize"].split())
                picture = self.picture(side * columns, side * rows, 3)
                a["file"] = self.place(root, "texture", f"p{number}.png", data, picture)
            else:
                side = self.rng.randint(1, 4)
                for face in ("right", "left", "up", "down", "front", "back"):
                    if self.chance(0.8):
                        picture = self.picture(side, side, 3)
                        a[f"file{face}"] = self.place(root, "texture", f"p{number}{face}.png", data, picture)
            if self.chance(0.2):
                a["content_type"] = "image/png"

    def terrains(self, nodes, data):
        for number, node in enumerate(n for n in nodes if n.tag == "hfield"):
            a = node.attributes
            rows, columns = int(a.pop("nrow")), int(a.pop("ncol"))
            a.pop("elevation", None)
            if self.chance(0.5):
                heights = [self.rng.uniform(-1, 3) for _ in range(rows * columns)]
                data[f"h{number}.hf"] = struct.pack(f"<2i{len(heights)}f", rows, columns, *heights)
                a["file"] = f"h{number}.hf"
                if self.chance(0.3):
                    a["content_type"] = "image/vnd.mujoco.hfield"
            else:
                data[f"h{number}.png"] = self.picture(columns, rows, 1)
                a["file"] = f"h{number}.png"

    # ---- skins ----------------------------------------------------------------------------------------

    def skin(self, root):
        bodies = [o.name for o in self.generator.known.get("body", ()) if not o.scope]
        if not bodies or self.generator.level:
            return
        count = self.rng.randint(3, 8)
        a = {"vertex": self.reals(-1, 1, 3 * count), "name": "hide"}
        a["face"] = " ".join(str(self.rng.randrange(count)) for _ in range(3 * self.rng.randint(1, 5)))
        more = {"rgba": self.reals(0, 1, 4), "inflate": self.reals(-0.1, 0.1, 1), "group": str(self.rng.randint(0, 5)),
                "texcoord": self.reals(0, 1, 2 * count)}  # fmt: skip
        for name, value in more.items():
            if self.chance(0.4):
                a[name] = value
        skin = Node("skin", a)
        for body in self.rng.sample(bodies, min(len(bodies), self.rng.randint(1, 3))):
            used = sorted(self.rng.sample(range(count), self.rng.randint(1, count)))
            bone = skin.add("bone", {"body": body, "bindpos": self.reals(-1, 1, 3), "bindquat": self.reals(-1, 1, 4)})
            bone.attributes |= {"vertid": " ".join(map(str, used)), "vertweight": self.reals(0.1, 1, len(used))}
        missing = set(range(count)) - {int(i) for bone in skin.children for i in bone.attributes["vertid"].split()}
        if missing:  # every vertex needs a bone
            skin.children[0].attributes["vertid"] = " ".join(map(str, range(count)))
            skin.children[0].attributes["vertweight"] = self.reals(0.1, 1, count)
        root.children.append(Node("deformable", {}, [skin]))

    # ---- rare attributes ------------------------------------------------------------------------------

    def rare(self, node, p=0.15):
        rows = RARE.get(node.tag, {})
        for name, value in rows.items():
            if name not in node.attributes and self.chance(p):
                node.attributes[name] = value(self)
        if node.tag == "default":
            for child in node.children:
                for name, value in RARE_DEFAULTS.get(child.tag, {}).items():
                    if name not in child.attributes and self.chance(p):
                        child.attributes[name] = value(self)
            if self.chance(p / 2):
                node.add("mesh", {n: v(self) for n, v in MESH_DEFAULTS.items() if self.chance(0.5)})


def word(*words):
    return lambda late: late.rng.choice(words)


def reals(low, high, count):
    return lambda late: late.reals(low, high, count)


def whole(low, high):
    return lambda late: str(late.rng.randint(low, high))


def span(low, high):
    return lambda late: late.span(low, high)


HISTORY = {"nsample": whole(1, 4), "delay": reals(0, 0.01, 1), "interp": word("zoh", "linear", "cubic")}
RARE = {
    "lengthrange": {
        "interval": reals(1, 3, 1), "inttotal": reals(5, 15, 1), "maxforce": reals(0, 10, 1),
        "timeconst": reals(0.1, 2, 1), "timestep": reals(0.001, 0.02, 1),
        "tolrange": reals(0.01, 0.1, 1), "uselimit": word("true", "false"),
    },
    "flag": {"ipc": word("disable")},
    "general": {"inheritrange": lambda late: late.rng.choice(("0", "0", late.reals(0.5, 1.5, 1)))},
    "pid": {"posrange": span(-2, 2)},
    "dcmotor": {"nominal": lambda late: late.reals(1, 20, late.rng.randint(1, 3))},
    "orientation": HISTORY,
    "tactile": {"user": reals(-1, 1, 1), **HISTORY},
}  # fmt: skip
# of elements in a default class
RARE_DEFAULTS = {
    "joint": {"actuatorfrcrange": lambda late: late.span(-50, 50), "actuatorfrclimited": word("true", "false", "auto")},
    "texture": {"gridsize": word("1 1", "2 3"), "nchannel": word("3"), "type": word("2d", "cube"),
                "height": whole(1, 6), "builtin": word("flat", "checker")},
    "motor": {"cranklength": reals(0.1, 2, 1), **HISTORY},
    "general": {"cranklength": reals(0.1, 2, 1), **HISTORY},
    "position": {"cranklength": reals(0.1, 2, 1), "inheritrange": word("0")},
    "velocity": {"cranklength": reals(0.1, 2, 1)},
    "cylinder": {"cranklength": reals(0.1, 2, 1)},
    "muscle": {"cranklength": reals(0.1, 2, 1)},
    "damper": {"cranklength": reals(0.1, 2, 1)},
}  # fmt: skip
MESH_DEFAULTS = {
    "scale": reals(0.5, 2, 3),
    "inertia": word("legacy", "exact", "convex", "shell"),
    "maxhullvert": lambda late: str(math.ceil(late.rng.uniform(4, 20))),
}

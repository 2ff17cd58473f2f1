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
# The same of what is drawn last of all, from yet another generator.
LAST = {"assetdir": 0.3, "assets": 0.5, "classes": 0.4, "inputs": 0.4, "modeltypes": 0.3, "histories": 0.6}


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


def skn(vertices, faces, texcoords, bones):
    """A skin; a bone is the name of its body, pose, vertices and their weights."""
    flat = [c for v in vertices for c in v] + [c for t in texcoords for c in t]
    counts = (len(vertices), len(texcoords), len(faces), len(bones))
    content = struct.pack("<4i", *counts) + struct.pack(f"<{len(flat)}f", *flat)
    content += struct.pack(f"<{3 * len(faces)}i", *(i for f in faces for i in f))
    for body, pose, ids, weights in bones:
        content += struct.pack("<40s7fi", body.encode(), *pose, len(ids))
        content += struct.pack(f"<{len(ids)}i", *ids) + struct.pack(f"<{len(ids)}f", *weights)
    return content


class Late:
    """What one document draws here."""

    def __init__(self, seed, generator):
        self.rng, self.seed = random.Random(f"late {seed}"), seed
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
        self.last(root, data)

    def place(self, root, kind, name, data, content):
        """Puts a file where the compiler looks for it; the value of the attribute `file`."""
        folder = self.folder(root, kind)
        data[f"{folder}/{name}" if folder else name] = content
        return name

    def beside_meshes(self, name, data, content):
        """The same for a file that is sought where meshes are, wherever that is by now."""
        folder = self.folders.get("mesh")
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
                content = struct.pack(f"<2i{len(heights)}f", rows, columns, *heights)
                a["file"] = self.beside_meshes(f"h{number}.hf", data, content)
                if self.chance(0.3):
                    a["content_type"] = "image/vnd.mujoco.hfield"
            else:
                a["file"] = self.beside_meshes(f"h{number}.png", data, self.picture(columns, rows, 1))

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

    # ---- drawn last -----------------------------------------------------------------------------------

    def last(self, root, data):
        self.rng = random.Random(f"last {self.seed}")
        features = {f for f, p in LAST.items() if self.chance(p)}
        nodes = list(root.walk())
        if "assets" in features:
            self.dress_assets(nodes, data)
        if "classes" in features:
            for node in nodes:
                if node.tag == "default":
                    self.dress_class(node)
        if "inputs" in features:
            for node in nodes:
                if node.tag == "general":
                    self.pid_inputs(node.attributes)
                if node.tag == "orientation" and "forcelimited" not in node.attributes and self.chance(0.3):
                    node.attributes["forcelimited"] = "false"
        if "histories" in features:
            for section in nodes:
                for sensor in section.children if section.tag == "sensor" else ():
                    self.history(sensor)
        if "modeltypes" in features:
            for node in nodes:
                if node.tag == "model":
                    node.attributes["content_type"] = "text/xml"
                if node.tag == "replicate" and self.chance(0.5):
                    node.attributes["prefix"] = self.rng.choice(("p-", "left_"))
        if "assetdir" in features:
            self.asset_folder(root, data)

    def history(self, sensor):
        a = sensor.attributes
        if sensor.tag in ("plugin", "include") or "nsample" in a or not self.chance(0.9):
            return
        a["nsample"] = str(self.rng.randint(1, 5))
        for name, value in {"delay": self.reals(0, 0.01, 1), "interval": self.reals(0.001, 0.02, 1)}.items():
            if self.chance(0.85):
                a[name] = value
        if self.chance(0.5):
            a["interp"] = self.rng.choice(("zoh", "linear", "cubic"))
        if sensor.tag == "tactile" and "name" not in a and self.chance(0.5):
            a["name"] = f"skin of {self.rng.random():.6f}"

    def names_of(self, nodes, tag):
        return [n.attributes["name"] for n in nodes if n.tag == tag and "name" in n.attributes]

    def dress_assets(self, nodes, data):
        """Classes and materials of meshes, materials of skins, skins in files."""
        materials = self.names_of(nodes, "material")
        classes = sorted(self.generator.classes)
        for node in nodes:
            a = node.attributes
            if node.tag == "mesh" and ("vertex" in a or "file" in a or "builtin" in a):
                if materials and self.chance(0.4):
                    a["material"] = self.rng.choice(materials)
                if len(classes) > 1 and self.chance(0.3):
                    a["class"] = self.rng.choice(classes)
            if node.tag == "skin":
                if materials and self.chance(0.5):
                    a["material"] = self.rng.choice(materials)
                if self.chance(0.5):
                    self.skin_file(node, data)

    def skin_file(self, skin, data):
        a = skin.attributes
        vertices, faces = self.triples(a.pop("vertex")), self.triples(a.pop("face"), int)
        texcoords = self.triples(a.pop("texcoord"), float, 2) if "texcoord" in a else []
        bones = []
        for bone in skin.children:
            values = {n: [float(x) for x in v.split()] for n, v in bone.attributes.items() if n != "body"}
            ids = [int(i) for i in values["vertid"]]
            pose = values["bindpos"] + values["bindquat"]
            bones.append((bone.attributes["body"], pose, ids, values["vertweight"]))
        skin.children = []
        a["file"] = self.beside_meshes("hide.skn", data, skn(vertices, faces, texcoords, bones))

    def dress_class(self, default):
        """What may name an asset in a class: the reference looks for it when an element of the class is compiled."""
        materials, meshes = self.generator.known.get("material", ()), self.generator.extras.meshes
        fields = self.generator.extras.hfields
        for child in default.children:
            a = child.attributes
            if child.tag in ("site", "tendon") and materials and "material" not in a and self.chance(0.3):
                a["material"] = self.rng.choice(materials).name
            if child.tag == "site" and "pos" not in a and self.chance(0.1):
                a["fromto"] = self.reals(-0.5, 0.5, 6)
            if child.tag in ("site", "geom") and meshes and "type" not in a and self.chance(0.1):
                a["type"], a["mesh"] = "mesh", self.rng.choice(meshes)
            elif child.tag == "geom" and fields and "type" not in a and self.chance(0.1):
                a["type"], a["hfield"] = "hfield", self.rng.choice(fields)
            if child.tag == "texture" and "gridsize" in a and self.chance(0.5):
                a["gridlayout"] = {"1 1": ".", "2 3": "RLUDFB"}[a["gridsize"]]
            if child.tag == "joint" and self.chance(0.05):
                a["springdamper"] = self.reals(0.1, 2, 2)
            if child.tag == "general" and self.chance(0.5):
                self.pid_inputs(a)
                if self.chance(0.5):
                    a["actdim"] = self.rng.choice(("0", "1", "2"))
            if child.tag in CLASSES_OF_ACTUATORS:
                for name, value in CLASSES_OF_ACTUATORS[child.tag].items():
                    if name not in a and self.chance(0.2):
                        a[name] = value(self)

    def pid_inputs(self, a):
        """A general actuator may be a PID, whose inputs have ranges of their own."""
        if self.chance(0.4):
            a["gaintype"] = a["biastype"] = "pid"
            a["dyntype"] = "none"
        for name in ("velrange", "ffrange"):
            if self.chance(0.3):
                a[name] = self.span(-2, 2)
        if self.chance(0.5):
            a["input"] = self.rng.choice(("pos", "vel", "pos vel", "pos ff", "pos vel ff", "expmap", "none"))

    def asset_folder(self, root, data):
        """One folder for files of all kinds."""
        compilers = [n for n in root.children if n.tag == "compiler"]
        given = {name for n in compilers for name in ("meshdir", "texturedir") if name in n.attributes}
        if not compilers or given or not data:
            return
        compilers[-1].attributes["assetdir"] = "stuff"
        for name in list(data):
            data[f"stuff/{name}"] = data.pop(name)

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
CRANK = {"cranklength": reals(0.1, 2, 1)}
DRIVE = {"damping": reals(0, 2, 1), "armature": reals(0, 0.5, 1)}
CLASSES_OF_ACTUATORS = {
    "general": DRIVE,
    "motor": {"ctrllimited": word("true", "false"), **DRIVE},
    "position": HISTORY,
    "velocity": HISTORY,
    "intvelocity": {"forcelimited": word("false"), "dampratio": reals(0.1, 2, 1), **HISTORY, **CRANK, **DRIVE},
    "orientation": {"forcelimited": word("false")},
    "pid": {"inheritrange": word("0"), **HISTORY, **CRANK},
    "damper": HISTORY,
    "dcmotor": {"controller": reals(0.1, 5, 3), **CRANK, **DRIVE},
}
MESH_DEFAULTS = {
    "scale": reals(0.5, 2, 3),
    "inertia": word("legacy", "exact", "convex", "shell"),
    "maxhullvert": lambda late: str(math.ceil(late.rng.uniform(4, 20))),
}

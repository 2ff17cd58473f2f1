#!/usr/bin/env python3
"""Random MJCF documents for the comparison with the reference: the same seed gives the same document.

    .venv/bin/python tests/parity/random_models.py SEED            prints the document
    .venv/bin/python tests/parity/random_models.py SEED FOLDER     writes its files there

Each document uses a random selection of features, so that a failing one is small and every pair of
features meets somewhere. Most documents are meant to be valid, but validity is not proved here: the
reference decides. What the attributes of an element may be stands in random_attributes.py.
"""

import copy
import dataclasses
import math
import pathlib
import random
import sys

import random_attributes as table
import random_meshes

FEATURES = (
    "compiler option size statistic visual custom defaults childclass frames replicate inertial tightinertia"
    " mocap cameras lights textures materials pairs excludes equality tendons actuators sensors keyframes"
    " includes attach unicode oddspace noautolimits fusestatic discardvisual alignfree totalmass history"
    " sleep unnamed repeated planes fluid mixed mistakes oddxml extremes large scaling"
).split()  # fmt: skip
# how often a document has the feature; others: half of them
FREQUENCY = {
    "includes": 0.15, "attach": 0.2, "mixed": 0.05, "mistakes": 0.04, "noautolimits": 0.15,
    "fusestatic": 0.2, "discardvisual": 0.2, "alignfree": 0.2, "totalmass": 0.15, "tightinertia": 0.15,
    "oddxml": 0.2, "extremes": 0.1, "large": 0.05, "textures": 0.3, "replicate": 0.35, "sleep": 0.2, "history": 0.2,
    "visual": 0.2, "statistic": 0.2, "scaling": 0.3,
}  # fmt: skip
PRIMITIVES = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3, "plane": 3}
FROMTO = ("capsule", "cylinder", "ellipsoid", "box")
USER_KINDS = ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")


@dataclasses.dataclass
class Node:
    """An element."""

    tag: str
    attributes: dict = dataclasses.field(default_factory=dict)
    children: list = dataclasses.field(default_factory=list)

    def add(self, tag, attributes=None):
        self.children.append(Node(tag, dict(attributes or {})))
        return self.children[-1]

    def text(self, indent=0, odd=None):
        """The XML; `odd` is a random generator that makes it look unusual."""
        pad = "  " * indent
        quote = '"' if odd is None or odd.random() < 0.8 else "'"
        escape = {"&": "&amp;", "<": "&lt;", quote: "&quot;" if quote == '"' else "&apos;"}
        if odd:
            escape |= {"ö": "&#246;", "x": odd.choice(("x", "&#x78;"))}
        parts = [f"{n}={quote}{''.join(escape.get(c, c) for c in v)}{quote}" for n, v in self.attributes.items()]
        gap = " " if odd is None else odd.choice((" ", "  ", "\n\t"))
        attributes = "".join(gap + part for part in parts)
        note = f"{pad}<!-- -x- <{self.tag}> -->\n" if odd and odd.random() < 0.1 else ""
        if not self.children:
            end = "/>" if odd is None or odd.random() < 0.8 else f"></{self.tag}>"
            return f"{note}{pad}<{self.tag}{attributes}{end}\n"
        inside = "".join(child.text(indent + 1, odd) for child in self.children)
        return f"{note}{pad}<{self.tag}{attributes}>\n{inside}{pad}</{self.tag}>\n"

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


@dataclasses.dataclass
class Document:
    files: dict  # path relative to the folder: root Node; the main file comes first
    odd: int | None = None  # seed of unusual XML

    @property
    def main(self):
        return next(iter(self.files))

    def write(self, folder):
        """Writes all files; returns the path of the main one."""
        for name, root in self.files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.file_text(root), encoding="utf-8")
        return str(pathlib.Path(folder, self.main))

    def file_text(self, root):
        if self.odd is None:
            return root.text()
        return '<?xml version="1.0" encoding="utf-8"?>\n' + root.text(0, random.Random(self.odd))

    def text(self):
        if len(self.files) == 1:
            return self.file_text(self.files[self.main])
        return "".join(f"<!-- {name} -->\n{self.file_text(root)}" for name, root in self.files.items())

    def copy(self):
        return copy.deepcopy(self)


@dataclasses.dataclass
class Known:
    """A named object that others may refer to."""

    name: str
    scope: tuple = ()  # replicates around it
    type: str = ""  # of a joint or geom
    limited: bool = False
    body: int = 0  # serial number of its body


@dataclasses.dataclass
class Place:
    """Where in the tree an element stands."""

    klass: str = "main"
    scope: tuple = ()
    depth: int = 0  # of bodies
    body: int = 0  # serial number of the body
    static: bool = True  # nothing above moves
    frames: int = 0  # frames and replicates around, inside the body
    grow: float = 1.0  # how likely further content is


class Generator:
    def __init__(self, seed, parent=None):
        self.rng = random.Random(seed)
        self.level = parent is not None  # a model to attach
        self.features = {f for f in FEATURES if self.chance(FREQUENCY.get(f, 0.5))}
        self.fuses = self.has("fusestatic")
        if parent:
            self.features -= {"attach", "includes", "visual", "mistakes"}
            self.fuses |= parent.fuses
            self.features |= parent.features & {"discardvisual"}
        self.density = self.rng.choice((0.05, 0.15, 0.3, 0.5))
        self.known = {}
        self.serial = 0
        self.bodies = 0
        self.replicates = 0
        self.nq = self.nv = self.nmocap = self.nu = self.na = self.nplastic = 0
        self.several = False  # some actuator may have several inputs or states
        self.files = {}
        self.user_sizes = {}
        self.degree = True
        self.autolimits = "noautolimits" not in self.features
        self.classes = {"main": {}}
        self.child_models = []
        self.extras = random_meshes.Extras(seed)

    # ---- drawing --------------------------------------------------------------------------------------

    def has(self, feature):
        return feature in self.features

    def chance(self, p):
        return self.rng.random() < p

    def uniform(self, low, high):
        return self.rng.uniform(low, high)

    def number(self, value):
        if self.has("extremes") and self.chance(0.05):
            value *= self.rng.choice((1e-6, 1e-3, 1e2, 1e3))
        if not self.has("oddspace") or self.chance(0.6):
            return f"{value:.4g}"
        return self.rng.choice((f"{value:+.4g}", f"{value:.3e}", f"{value:.5E}", f"{value:.6f}", f"0{value:.3f}"
                                if value >= 0 else f"{value:.3f}"))  # fmt: skip

    def join(self, parts):
        if not self.has("oddspace") or self.chance(0.6):
            return " ".join(parts)
        gaps = (" ", "  ", "\n", "\t", " \r\n ")
        text = "".join(self.rng.choice(gaps) + part for part in parts)
        return (text if self.chance(0.5) else text.lstrip()) + self.rng.choice(("", " ", "\n"))

    def vector(self, values):
        return self.join([self.number(v) for v in values])

    def wholes(self, values):
        return self.join([str(v) for v in values])

    def words(self, words):
        return self.join(words) if words else "rgb"

    def real(self, low, high):
        return self.number(self.uniform(low, high))

    def reals(self, low, high, n):
        return self.vector([self.uniform(low, high) for _ in range(n)])

    def whole(self, low, high):
        return str(self.rng.randint(low, high))

    def span(self, low, high):
        middle = self.uniform(low, high)
        return self.vector([self.uniform(low, middle), middle + (high - middle) * self.uniform(0.1, 1)])

    def angle(self):
        if self.chance(0.2):
            return self.rng.choice((0, 90, 180, -90)) * (1 if self.degree else math.pi / 180)
        return self.uniform(-180, 180) if self.degree else self.uniform(-math.pi, math.pi)

    def direction(self, n, unit=False):
        if self.chance(0.2):
            values = [0.0] * n
            values[self.rng.randrange(n)] = self.rng.choice((1.0, -1.0))
            return values
        values = [self.rng.gauss(0, 1) + 0.01 for _ in range(n)]
        length = math.hypot(*values) if unit else 1
        return [round(v / length, 6) for v in values]

    def user(self, kind):
        most = self.user_sizes.get(kind, 3)
        return self.reals(-5, 5, self.rng.randint(0, most))

    def draw(self, attributes, rows, density=None):
        """Adds a random selection of attributes."""
        for name, value in rows.items():
            if name not in attributes and self.chance(self.density if density is None else density):
                attributes[name] = value(self)
        return attributes

    def orient(self, attributes, p=None):
        if self.chance(0.5 if p is None else p):
            kind = self.rng.choice(table.ORIENTATIONS)
            attributes[kind] = table.orientation(self, kind)

    def limit(self, attributes, range_name, limited_name, low, high, p=None):
        """A range with its switch, in the forms that are legal here; returns whether it limits."""
        if not self.chance(self.density if p is None else p):
            return False
        attributes[range_name] = self.span(low, high)
        state = self.rng.choice(("true", "false") if not self.autolimits else ("", "", "true", "false", "auto"))
        if state:
            attributes[limited_name] = state
        return state != "false"

    # ---- names ----------------------------------------------------------------------------------------

    def name(self, attributes, kind, place=None, p=None, **info):
        """Names the element or not; a name can be referred to."""
        if self.chance((0.3 if self.has("unnamed") else 0.05) if p is None else 1 - p):
            return None
        self.serial += 1
        name = f"{kind[:2]}{self.serial}x"  # no digit at the end, where <replicate> adds some
        if self.has("unicode") and self.chance(0.3):
            name = self.rng.choice(("gelb–", "größe ", "手", "a/b_", "x&y<", "naïve.", " lead")) + name
        attributes["name"] = name
        scope = place.scope if place else ()
        body = place.body if place else 0
        self.known.setdefault(kind, []).append(Known(name, scope, body=body, **info))
        return name

    def candidates(self, kind, scope, where=None):
        """Objects of a kind inside exactly these replicates; all of them when scope is None."""
        found = [o for o in self.known.get(kind, ()) if scope is None or o.scope == scope]
        return [o for o in found if where is None or where(o)]

    def pick(self, kind, scope, where=None):
        found = self.candidates(kind, scope, where)
        if self.has("mistakes") and self.chance(0.03):
            return Known("nobody")
        return self.rng.choice(found) if found else None

    def pick_scope(self):
        if self.has("mixed") and self.chance(0.3):
            return None
        scopes = sorted({o.scope for objects in self.known.values() for o in objects} | {()})
        return self.rng.choice(scopes) if self.chance(0.5) else ()

    # ---- the document ---------------------------------------------------------------------------------

    def document(self, name="main.xml"):
        root = Node("mujoco")
        if self.chance(0.5):
            root.attributes["model"] = self.rng.choice(("random", "zufällig", "a b"))
        sections = [self.compiler(), self.option(), self.size()]
        if self.has("statistic"):
            sections.append(Node("statistic", self.draw({}, table.STATISTIC)))
        if self.has("visual"):
            sections.append(self.visual())
        if self.has("defaults"):
            sections.append(self.defaults())
        asset = self.assets()
        sections.append(asset)
        world = Node("worldbody")
        self.fill(world, Place())
        self.watch_bodies(world)
        sections.append(world)
        for feature, section in (
            ("pairs", self.pairs), ("excludes", self.excludes), ("tendons", self.tendons),
            ("equality", self.equalities), ("actuators", self.actuators), ("sensors", self.sensors),
            ("custom", self.custom), ("keyframes", self.keyframes),
        ):  # fmt: skip
            if self.has(feature):
                sections.append(section())
        # in the reference, a wrapping geom keeps its name in the copy when its sidesite does
        sidesites = any("sidesite" in node.attributes for section in sections if section for node in section.walk())
        if not self.has("keyframes") and not sidesites:
            bodies, frames = ([o.name for o in self.known.get(kind, ()) if not o.scope] for kind in ("body", "frame"))
            # the reference leaves out some tendons between what stands directly in a frame and other things
            self.extras.self_attach(world, bodies, [] if self.has("tendons") else frames)
        sections = [s for s in sections if s is not None and (s.children or s.attributes or self.chance(0.1))]
        sections = self.arrange(sections)
        root.children = sections
        files = {name: root, **self.files}
        if self.has("includes"):
            self.split_into_files(root, files)
        return Document(files, self.rng.randrange(1000) if self.has("oddxml") else None)

    def arrange(self, sections):
        """Sections in odd order, and in several parts."""
        if self.has("repeated"):
            parts = []
            for section in sections:
                splits = ("worldbody", "asset", "contact", "tendon", "equality", "actuator", "sensor", "custom")
                if section.tag in splits and len(section.children) > 1 and self.chance(0.4):
                    at = self.rng.randrange(1, len(section.children))
                    second = Node(section.tag, {}, section.children[at:])
                    section.children = section.children[:at]
                    parts += [section, second]
                elif section.tag in ("option", "compiler") and len(section.attributes) > 1 and self.chance(0.4):
                    name = self.rng.choice(sorted(section.attributes))
                    second = Node(section.tag, {name: section.attributes.pop(name)})
                    parts += [section, second]
                else:
                    parts.append(section)
            sections = parts
            if self.chance(0.5):
                # the parts of one section keep their order, since ids follow from it
                keys = {}
                for section in sections:
                    keys.setdefault(section.tag, self.rng.random())
                sections.sort(key=lambda s: keys[s.tag])
        return sections

    def split_into_files(self, root, files):
        for number in range(self.rng.randint(1, 3)):
            # what is included in <option> (flags) or <compiler> (lengthrange) is lost in the reference
            holders = [n for n in root.walk() if n.children and n.tag not in ("option", "compiler")]
            holder = self.rng.choice(holders)
            first = self.rng.randrange(len(holder.children))
            last = self.rng.randint(first + 1, len(holder.children))
            taken = holder.children[first:last]
            if any(n.tag == "include" for t in taken for n in t.walk()):
                continue
            models = any(n.tag == "model" for t in taken for n in t.walk())  # are sought beside the file
            file = ("" if models else self.rng.choice(("", "parts/"))) + f"part{number}.xml"
            holder.children[first:last] = [Node("include", {"file": file})]
            files[file] = Node(self.rng.choice(("mujoco", "mujocoinclude")), {}, taken)

    def compiler(self):
        node = Node("compiler")
        a = node.attributes
        if self.has("compiler"):
            if self.chance(0.4):
                a["angle"] = self.rng.choice(("degree", "radian", "radian"))
                self.degree = a["angle"] == "degree"
            if self.chance(0.5):
                letters = self.rng.choice(("xyz", "zyx", "xzx", "yxz", "zzy", "xxx", "yzx"))
                a["eulerseq"] = "".join(c.upper() if self.chance(0.5) else c for c in letters)
            self.draw(a, {"balanceinertia": table.flag, "strippath": table.flag, "usethread": table.flag,
                          "saveinertial": table.flag, "savecompiled": table.flag, "savecanonical": table.flag,
                          "fitaabb": table.flag, "passthrough": table.word("none", "textures"),
                          "conflict": table.word("warning", "merge", "merge"),
                          "coordinate": table.word("local")})  # fmt: skip
        if not self.autolimits:
            a["autolimits"] = "false"
        elif self.chance(0.1):
            a["autolimits"] = "true"
        if self.has("tightinertia"):
            self.draw(a, {"inertiafromgeom": table.word("true", "false", "auto"),
                          "inertiagrouprange": lambda g: g.wholes(sorted((g.rng.randint(0, 3), g.rng.randint(2, 6)))),
                          "balanceinertia": table.flag}, 0.5)  # fmt: skip
        if self.chance(0.8 if self.has("tightinertia") else 0.1):
            a["boundmass"] = self.real(0.01, 1)
            a["boundinertia"] = self.real(0.01, 0.1)
        for feature, name in (("fusestatic",) * 2, ("discardvisual",) * 2, ("alignfree",) * 2):
            if self.has(feature):
                a[name] = "true"
        if self.has("totalmass"):
            a["settotalmass"] = self.real(1, 20)
        if self.has("actuators") or self.has("attach"):  # in other modes the reference simulates, and may never end
            node.add("lengthrange", self.draw({"mode": "none"}, {"accel": table.real(5, 40),
                                                                 "useexisting": table.flag}))  # fmt: skip
        return node

    def option(self):
        node = Node("option")
        if self.has("option"):
            self.draw(node.attributes, table.OPTION)
            if self.chance(0.5):
                flags = {name: table.word("enable", "disable") for name in table.FLAGS}
                node.add("flag", self.draw({}, flags))
        return node

    def size(self):
        node = Node("size")
        a = node.attributes
        if not self.has("size"):
            return node
        for kind in USER_KINDS:
            if self.chance(self.density):
                self.user_sizes[kind] = self.rng.randint(0, 4)
                a[f"nuser_{kind}"] = str(self.user_sizes[kind])
        if self.chance(0.3):
            a["memory"] = self.rng.choice(("2M", "300K", "1g", "-1", "1000000"))
        elif self.chance(0.3):
            self.draw(a, {"njmax": table.whole(-1, 900), "nconmax": table.whole(-1, 300),
                          "nstack": table.whole(-1, 100000)}, 0.5)  # fmt: skip
        self.draw(a, {"nuserdata": table.whole(0, 5), "nkey": table.whole(0, 4)})
        return node

    def visual(self):
        node = Node("visual")
        for tag, rows in table.VISUAL.items():
            if self.chance(0.5):
                node.add(tag, self.draw({}, rows))
        return node

    # ---- default classes ------------------------------------------------------------------------------

    def defaults(self):
        node = Node("default")
        if self.chance(0.3):
            node.attributes["class"] = "main"
        self.fill_default(node, "main")
        self.nested_defaults(node, "main", 0)
        return node

    def nested_defaults(self, node, parent, depth):
        if depth > 2:
            return
        for _ in range(self.rng.randint(0, 2) if depth else self.rng.randint(0, 3)):
            name = f"{parent if parent != 'main' else 'class'}-{len(self.classes)}"
            self.classes[name] = dict(self.classes[parent])
            child = node.add("default", {"class": name})
            self.fill_default(child, name)
            self.nested_defaults(child, name, depth + 1)
            if self.chance(0.2):  # own settings may also stand after nested classes
                self.rng.shuffle(child.children)

    def fill_default(self, node, klass):
        own = self.classes[klass]
        p = 0.6 * self.density + 0.1
        if self.chance(p):
            a = self.draw({}, table.JOINT)
            if self.chance(0.1):
                a["type"] = own["joint"] = self.rng.choice(("slide", "hinge"))  # ball: the reference crashes
            if self.chance(0.2):  # legal for balls as well
                a["range"] = self.vector([0, self.uniform(0.1, 1) * (90 if self.degree else 1.5)])
                if not self.autolimits or self.chance(0.3):
                    a["limited"] = self.rng.choice(("true", "false"))
            a.pop("springdamper", None)
            if not self.chance(0.1):  # a free joint must not have it
                a.pop("springyield", None)
            own["springyield"] = "springyield" in a or own.get("springyield", False)
            node.add("joint", a)
        if self.chance(p):
            a = self.draw({}, table.GEOM)
            if a.get("mass", "1").strip(" 0.+\n\teE") == "":
                del a["mass"]
            if self.chance(0.4) and not self.level:  # attached, the reference takes it for that of wrapped geoms
                a["type"] = own["geom"] = self.rng.choice(PRIMITIVES)
            if self.chance(0.5):
                n = 3 if self.chance(0.8) else self.rng.randint(1, 3)
                a["size"] = self.reals(0.02, 0.2, n)
                own["size"] = max(n, own.get("size", 0))
            if self.chance(0.2):
                self.orient(a, 1)
            if self.chance(0.2):
                a["pos"] = self.reals(-0.3, 0.3, 3)
                own["geom pos"] = True
            elif self.chance(0.05) and klass != "main":
                a["fromto"] = self.reals(-0.5, 0.5, 6)
                own["geom fromto"] = True
            if self.chance(0.1) and self.has("materials"):
                a["material"] = "classy"
            node.add("geom", a)
        if self.chance(p):
            a = self.draw({}, table.SITE)
            own["site pos"] = own.get("site pos") or "pos" in a
            if self.chance(0.4):
                a["type"] = self.rng.choice(PRIMITIVES)
            self.orient(a, 0.2)
            node.add("site", a)
        if self.chance(p):
            a = self.draw({}, table.CAMERA)
            self.intrinsics(a)
            self.orient(a, 0.2)
            node.add("camera", a)
        if self.chance(p):
            a = self.draw({}, table.LIGHT)
            self.light_type(a)
            node.add("light", a)
        if self.chance(p):
            a = self.draw({}, table.MATERIAL)
            if self.has("textures") and self.chance(0.3):
                a["texture"] = "woven"
            node.add("material", a)
        if self.chance(p):
            node.add("texture", self.draw({}, {**table.TEXTURE, "width": table.whole(1, 6)}))
        if self.chance(p):
            node.add("pair", self.draw({}, table.PAIR))
        if self.chance(p):
            node.add("equality", self.draw({}, table.EQUALITY))
        if self.chance(p):
            a = self.draw({}, {**table.TENDON, **table.TENDON_LOOKS})
            self.limit(a, "range", "limited", 0.1, 2)
            own["tendon springyield"] = "springyield" in a or own.get("tendon springyield", False)
            if self.chance(0.1):
                a["armature"] = self.real(0, 1)
            if self.chance(0.1):
                a["actuatorfrcrange"] = self.vector([self.uniform(-50, 0), self.uniform(0, 50)])
                if not self.autolimits or self.chance(0.3):
                    a["actuatorfrclimited"] = self.rng.choice(("true", "false"))
            node.add("tendon", a)
        if self.chance(0.3 * p if klass == "main" else p):
            tag = own["actuator"] = self.rng.choice(sorted(table.SHORTCUTS))
            a = self.draw({}, table.ACTUATOR)
            self.shortcut(a, tag, in_default=True)
            node.add(tag, a)

    def class_of(self, attributes, place=None, where=None):
        """The class an element takes its defaults from; maybe names one."""
        fitting = [name for name, own in sorted(self.classes.items()) if where is None or where(own)]
        if len(self.classes) > 1 and fitting and self.chance(0.25):
            attributes["class"] = self.rng.choice(fitting)
            return attributes["class"]
        return place.klass if place else "main"

    def childclass(self, attributes, place):
        if self.has("childclass") and len(self.classes) > 1 and self.chance(0.3):
            attributes["childclass"] = self.rng.choice(sorted(self.classes))
            return attributes["childclass"]
        return place.klass

    # ---- assets ---------------------------------------------------------------------------------------

    def assets(self):
        node = Node("asset")
        if self.has("textures"):
            for _ in range(self.rng.randint(1, 3)):
                self.texture(node)
            node.add("texture", {"name": "woven", "builtin": "flat", "width": "2"})  # named by classes
        if self.has("materials"):
            for _ in range(self.rng.randint(1, 3)):
                self.material(node)
            node.add("material", {"name": "classy"})
        if self.has("attach"):
            for number in range(self.rng.randint(1, 2)):
                self.child_model(node, number)
        self.extras.assets(node)
        self.rng.shuffle(node.children)
        return node

    def texture(self, node):
        a = self.draw({}, table.TEXTURE)
        if self.chance(0.7):
            a["type"] = self.rng.choice(("2d", "cube", "skybox"))
        a["builtin"] = self.rng.choice(("gradient", "checker", "flat"))
        a["width"] = self.whole(1, 12)
        if a.get("type") == "2d":
            a["height"] = self.whole(1, 12)
        elif self.chance(0.5):
            a["height"] = str(6 * int(a["width"]))
        if self.chance(0.1):
            a["nchannel"] = "3" if self.chance(0.9) else "4"
        self.class_of(a)
        self.name(a, "texture", p=1, type=a.get("type", "cube"))
        node.add("texture", a)

    def material(self, node):
        a = self.draw({}, table.MATERIAL)
        self.class_of(a)
        self.name(a, "material", p=1)
        child = node.add("material", a)
        textures = self.candidates("texture", ())
        if textures and self.chance(0.5):
            a["texture"] = self.rng.choice(textures).name
        elif textures and self.chance(0.6) and not self.has("defaults"):
            for _ in range(self.rng.randint(1, 3)):
                role = "rgb occlusion roughness metallic normal opacity emissive rgba orm".split()
                child.add("layer", {"texture": self.rng.choice(textures).name, "role": self.rng.choice(role)})

    def material_ref(self, attributes):
        if self.has("materials") and self.chance(0.3):
            attributes["material"] = self.pick("material", ()).name

    def child_model(self, node, number):
        child = Generator(self.rng.random(), self)
        file = f"child{number}.xml"
        document = child.document(file)
        self.files.update(document.files)
        a = {"file": file}
        if self.chance(0.7):
            a["name"] = f"model{number}"
        name = a.get("name") or document.files[file].attributes.get("model", "MuJoCo Model")
        if name in (other for other, _ in self.child_models):
            name = a["name"] = f"model{number}"
        node.add("model", a)
        self.child_models.append((name, child))

    # ---- the tree -------------------------------------------------------------------------------------

    def fill(self, node, place):
        """Content of the world, a body, a frame or a replicate; joints are placed by body()."""
        world = place.depth == 0
        room = place.grow * (0.6 if place.frames else 1)
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            self.geom(node, place)
        for _ in range(self.rng.choice((0, 0, 1, 2))):
            self.site(node, place)
        if self.has("cameras") and self.chance(0.3 * room):
            self.camera(node, place)
        if self.has("lights") and self.chance(0.3 * room):
            self.light(node, place)
        if self.has("frames") and self.chance(0.4 * room) and place.frames < 3:
            a = {}
            if self.chance(0.7):
                a["pos"] = self.reals(-0.5, 0.5, 3)
            self.orient(a)
            self.scale(a)
            klass = self.childclass(a, place)
            self.name(a, "frame", place, 0.3)
            child = node.add("frame", a)
            self.fill(child, dataclasses.replace(place, klass=klass, frames=place.frames + 1, grow=room * 0.6))
        if self.has("replicate") and self.chance(0.35 * room) and len(place.scope) < 2 and place.frames < 3:
            self.replicate(node, place, room)
        if self.child_models and self.chance(0.5 if world else 0.1) and (not place.scope or self.chance(0.2)):
            self.attach(node, place)
        count = self.rng.randint(1, 3) if world and not place.frames else self.rng.choice((0, 0, 1, 1, 2))
        large = self.has("large")
        for _ in range(count + 2 * large if self.chance(room) or large else 0):
            if place.depth < (9 if large else 4) and self.bodies < (70 if large else 15):
                self.body(node, place)
        if self.chance(0.3):
            self.rng.shuffle(node.children)

    def scale(self, a):
        """Resizes what stands in a frame."""
        if not self.has("scaling") or not self.chance(0.6):
            return
        self.draw(a, table.FRAME, 0.4)
        if self.chance(0.9):
            a["scale"] = self.real(0.3, 3)
        if self.chance(0.15) and (a.get("scaling") == "geometry" or self.chance(0.1)):
            factors = [self.uniform(0.3, 3) for _ in range(3)]
            if self.chance(0.6):  # round shapes need two equal ones
                factors[0] = factors[1]
            self.rng.shuffle(factors)
            a["scale"] = self.vector(factors)

    def replicate(self, node, place, room):
        a = {
            "count": self.rng.choice(
                ("1", "2", "3", "3", "4", "11", "101" if self.has("large") and not place.scope else "2")
            )
        }
        self.draw(a, {"offset": table.reals(-0.5, 0.5, 3), "sep": table.word("-", "_", "."),
                      "euler": lambda g: g.vector([g.angle() / 4 for _ in range(3)])}, 0.6)  # fmt: skip
        klass = self.childclass(a, place)
        self.replicates += 1
        child = node.add("replicate", a)
        scope = (*place.scope, self.replicates)
        before = self.nq, self.nv, self.nmocap, self.nplastic
        self.fill(child, dataclasses.replace(place, klass=klass, scope=scope, frames=place.frames + 1,
                                             grow=room * 0.5))  # fmt: skip
        extra = int(a["count"]) - 1
        self.nq += extra * (self.nq - before[0])
        self.nv += extra * (self.nv - before[1])
        self.nmocap += extra * (self.nmocap - before[2])
        self.nplastic += extra * (self.nplastic - before[3])

    def attach(self, node, place):
        model, child = self.rng.choice(self.child_models)
        self.serial += 1
        prefix = self.rng.choice((f"p{self.serial}_", f"{self.serial}/"))
        a = {"model": model, "prefix": prefix}
        # a part of a model with keyframes leaves the rest of its states to the next one, in the reference
        part = not child.has("keyframes")
        bodies = [o for o in child.known.get("body", ()) if not o.scope and part]
        frames = [o for o in child.known.get("frame", ()) if not o.scope and part]
        if bodies and self.chance(0.6):
            a["body"] = self.rng.choice(bodies).name
            self.known.setdefault("body", []).append(Known(prefix + a["body"], place.scope))
        elif frames and self.chance(0.3):
            a["frame"] = self.rng.choice(frames).name
        elif not place.scope:
            for kind in ("body", "joint", "geom", "site"):
                for o in child.known.get(kind, ()):
                    if not o.scope:
                        known = dataclasses.replace(o, name=prefix + o.name, body=1000 * self.serial + o.body)
                        self.known.setdefault(kind, []).append(known)
        node.add("attach", a)

    def body(self, node, place):
        self.bodies += 1
        a = {}
        if self.chance(0.8):
            a["pos"] = self.reals(-1, 1, 3)
        self.orient(a)
        self.draw(a, {"gravcomp": table.real(-1, 2), "simple": table.word("false", "auto"),
                      "fuse": table.word("false", "auto"), "user": table.user("body")})  # fmt: skip
        inside = Place(self.childclass(a, place), place.scope, place.depth + 1, self.bodies, place.static, 0,
                       place.grow * 0.7)  # fmt: skip
        self.name(a, "body", inside)
        top = place.depth == 0
        kind = self.rng.choice(("static", "joints", "joints", "joints", "ball", "free" if top else "joints"))
        if top and self.has("mocap") and self.chance(0.2):
            kind = "mocap"
            a["mocap"] = "true"
            self.nmocap += 1
        if kind not in ("static", "mocap"):
            inside.static = False
        if self.has("sleep") and top and kind not in ("static", "mocap") and self.chance(0.5):
            a["sleep"] = self.rng.choice(("auto", "never", "allowed", "init"))
        child = node.add("body", a)
        self.joints(child, inside, kind)
        if self.has("inertial") and self.chance(0.4):
            self.inertial(child, inside)
        elif kind != "static":
            self.geom(child, inside, massive=True)
        self.fill(child, inside)
        self.hide_in_frames(child)

    def hide_in_frames(self, body):
        """Moves a joint or the inertial into a frame."""
        if not self.has("frames"):
            return
        for number, child in enumerate(body.children):
            if child.tag in ("joint", "inertial", "freejoint") and self.chance(0.15):
                a = {"pos": self.reals(-0.3, 0.3, 3)}
                self.orient(a)
                self.scale(a)
                body.children[number] = Node("frame", a, [child])

    def joints(self, node, place, kind):
        if kind == "free":
            if self.chance(0.6):
                a = {}
                self.name(a, "joint", place, type="free")
                self.draw(a, {"group": table.whole(0, 5), "align": table.word("true", "false", "auto")})
                node.add("freejoint", a)
                self.nq += 7
                self.nv += 6
            else:
                self.joint(node, place, "free")
        elif kind == "ball":
            for _ in range(self.rng.choice((0, 0, 1))):
                self.joint(node, place, "slide")
            self.joint(node, place, "ball")
        elif kind == "joints":
            for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
                self.joint(node, place, self.rng.choice(("hinge", "hinge", "slide")))

    def joint(self, node, place, kind):
        a = self.draw({}, table.JOINT)
        klass = self.class_of(a, place)
        if kind != self.classes[klass].get("joint", "hinge") or self.chance(0.4):
            a["type"] = kind
        limited = False
        if kind == "ball":
            if self.chance(self.density):
                a["range"] = self.vector([0, self.uniform(0.2, 1) * (180 if self.degree else 3)])
                if not self.autolimits or self.chance(0.3):
                    a["limited"] = self.rng.choice(("true", "false"))
                limited = a.get("limited") != "false"
        elif kind != "free":
            high = 90 if self.degree and kind == "hinge" else 1.5
            limited = self.limit(a, "range", "limited", -high, high, max(self.density, 0.3))
            self.limit(a, "actuatorfrcrange", "actuatorfrclimited", -50, 50)
        elif not self.chance(0.1):
            a["limited"] = "false"
        if "springdamper" in a and self.chance(0.5):
            del a["springdamper"]
        if kind == "free" and not self.chance(0.02):
            a.pop("springyield", None)
        if "springyield" in a or self.classes[klass].get("springyield"):
            self.nplastic += {"free": 0, "ball": 4}.get(kind, 1)
        self.name(a, "joint", place, type=kind, limited=limited)
        node.add("joint", a)
        self.nq += {"free": 7, "ball": 4}.get(kind, 1)
        self.nv += {"free": 6, "ball": 3}.get(kind, 1)

    def inertial(self, node, place):
        a = {"pos": self.reals(-0.2, 0.2, 3), "mass": self.real(0.1, 5)}
        sides = [self.uniform(0.01, 0.1) for _ in range(3)]
        if self.chance(0.6):
            values = [sides[1] + sides[2], sides[0] + sides[2], sides[0] + sides[1]]
            if self.has("tightinertia") and self.chance(0.3):
                values[0] *= 3
            if self.chance(0.2):
                values[1] = values[0] = values[2]
            a["diaginertia"] = self.vector(values)
            self.orient(a)
        else:
            xx = yy = zz = xy = xz = yz = 0.0
            for _ in range(4):  # of points
                x, y, z = (self.uniform(-0.5, 0.5) for _ in range(3))
                xx, yy, zz = xx + y * y + z * z, yy + x * x + z * z, zz + x * x + y * y
                xy, xz, yz = xy - x * y, xz - x * z, yz - y * z
            if self.chance(0.2):
                xy = xz = yz = 0
            a["fullinertia"] = self.join([f"{v:.6g}" for v in (xx, yy, zz, xy, xz, yz)])
        node.add("inertial", a)

    def geom(self, node, place, massive=False):
        a = self.draw({}, table.GEOM)
        if not self.has("fluid"):
            a.pop("fluidshape", None)
        own = self.classes[self.class_of(a, place)]
        kind = own.get("geom", "sphere")
        if self.chance(0.7):
            plane = self.has("planes") and place.static and not massive and self.chance(0.3)
            kind = a["type"] = "plane" if plane else self.rng.choice(PRIMITIVES)
        if own.get("geom fromto") and a.get("type") != "plane":
            kind = a["type"] = self.rng.choice(FROMTO)
            a["size"] = self.reals(0.01, 0.1, self.rng.choice((1, 3)))
        elif kind in FROMTO and not own.get("geom pos") and self.chance(0.2):
            a["fromto"] = self.reals(-0.5, 0.5, 6)
            a["size"] = self.reals(0.01, 0.1, 1)
        else:
            if own.get("size", 0) < SIZES[kind] or self.chance(0.6):
                sizes = [self.uniform(0.02, 0.3) for _ in range(SIZES[kind] if self.chance(0.9) else 3)]
                if kind == "plane" and self.chance(0.3):
                    sizes[0] = 0
                a["size"] = self.vector(sizes)
            if self.chance(0.6):
                a["pos"] = self.reals(-0.5, 0.5, 3)
            self.orient(a)
        if massive:
            a.pop("density", None)
            if self.chance(0.5):
                a["mass"] = self.real(0.1, 3)
            else:
                a.pop("mass", None)
            if not self.has("tightinertia"):
                a["group"] = self.whole(0, 5)
        self.material_ref(a)
        kind = (None if own.get("geom fromto") or massive else self.extras.shape(a)) or kind
        self.name(a, "geom", place, type=kind)
        node.add("geom", a)

    def site(self, node, place):
        a = self.draw({}, table.SITE)
        own = self.classes[self.class_of(a, place)]
        if self.chance(0.4):
            a["type"] = self.rng.choice(PRIMITIVES)
        if a.get("type") in FROMTO and not own.get("site pos") and self.chance(0.2):
            a.pop("pos", None)
            a["fromto"] = self.reals(-0.5, 0.5, 6)
        else:
            self.orient(a)
        self.material_ref(a)
        if "fromto" not in a:
            self.extras.site(a)
        self.name(a, "site", place, type=a.get("type", ""))
        node.add("site", a)

    def intrinsics(self, a):
        form = self.rng.choice(("none", "fovy", "sensor", "resolution"))
        if form == "fovy":
            a["fovy"] = self.real(10, 120)
        elif form == "resolution":
            a["resolution"] = self.wholes([self.rng.randint(1, 640), self.rng.randint(1, 480)])
        elif form == "sensor":
            a["sensorsize"] = self.reals(0.01, 0.05, 2)
            a["resolution"] = self.wholes([self.rng.randint(1, 640), self.rng.randint(1, 480)])
            rows = {"focal": table.reals(0.01, 0.1, 2), "principal": table.reals(-0.01, 0.01, 2)}
            if self.chance(0.5):
                rows = {"focalpixel": table.reals(10, 500, 2), "principalpixel": table.reals(-50, 50, 2)}
            self.draw(a, rows, 0.6)

    def target(self, a, place):
        if self.chance(0.2):
            target = self.pick("body", place.scope)
            if target:
                a["target"] = target.name
                if self.chance(0.8):
                    a["mode"] = self.rng.choice(("targetbody", "targetbodycom"))

    def camera(self, node, place):
        a = self.draw({}, table.CAMERA)
        self.class_of(a, place)
        self.intrinsics(a)
        self.orient(a)
        self.target(a, place)
        self.name(a, "camera", place)
        node.add("camera", a)

    def light_type(self, a):
        if self.chance(0.2):
            a["directional"] = self.rng.choice(("true", "false"))
        elif self.chance(0.4):
            a["type"] = self.rng.choice(("spot", "directional", "point"))

    def light(self, node, place):
        a = self.draw({}, table.LIGHT)
        self.class_of(a, place)
        self.light_type(a)
        textures = self.candidates("texture", ())
        if textures and self.chance(0.2) and not place.scope:
            a["texture"] = self.rng.choice(textures).name
            if "directional" not in a:
                a["type"] = "image"
        self.target(a, place)
        self.name(a, "light", place)
        node.add("light", a)

    def watch_bodies(self, world):
        """Cameras and lights that look at bodies which come later."""
        bodies = self.candidates("body", ())
        copied = {id(n) for r in world.walk() if r.tag == "replicate" for n in r.walk()}
        for node in world.walk():
            if (
                id(node) not in copied
                and node.tag in ("camera", "light")
                and "target" not in node.attributes
                and bodies
                and self.chance(0.1)
            ):
                node.attributes["target"] = self.rng.choice(bodies).name
                node.attributes["mode"] = self.rng.choice(("targetbody", "targetbodycom", "fixed"))

    # ---- what refers to the tree ----------------------------------------------------------------------

    def pairs(self):
        node = Node("contact")
        for _ in range(self.rng.randint(1, 4)):
            scope = self.pick_scope()
            one = self.pick("geom", scope)
            two = one and self.pick("geom", scope, lambda o: o.body != one.body or self.chance(0.02))
            if two:
                a = {"geom1": one.name, "geom2": two.name}
                self.class_of(a)
                self.name(a, "pair")
                node.add("pair", self.draw(a, table.PAIR))
        return node

    def excludes(self):
        node = Node("contact")
        for _ in range(self.rng.randint(1, 4)):
            scope = self.pick_scope()
            one = self.pick("body", scope)
            two = one and self.pick("body", scope, lambda o: o.name != one.name)
            if two:
                a = {"body1": one.name, "body2": two.name}
                if self.chance(0.1):
                    a["body2"] = "world"
                self.name(a, "exclude")
                node.add("exclude", a)
        return node

    def equalities(self):
        node = Node("equality")
        for _ in range(self.rng.randint(1, 5)):
            scope = self.pick_scope() or ()  # the reference drops those between a replica and something else
            a = self.draw({}, table.EQUALITY)
            tag = self.rng.choice(("connect", "weld", "joint", "tendon"))
            kind = tag if tag in ("joint", "tendon") else self.rng.choice(("body", "site"))
            scalar = (lambda o: o.type in ("hinge", "slide")) if kind == "joint" else None
            one = self.pick(kind, scope, scalar)
            two = one and self.pick(kind, scope, lambda o: o.name != one.name and (not scalar or scalar(o)))
            if not one:
                continue
            a[f"{kind}1"] = one.name
            if two and (kind == "site" or self.chance(0.7)):
                a[f"{kind}2"] = two.name
            elif kind == "site":
                continue
            if tag in ("joint", "tendon"):
                self.draw(a, {"polycoef": table.reals(-1, 1, 1, 5)}, 0.6)
            elif kind == "body":
                if tag == "connect" or self.chance(0.4):
                    a["anchor"] = self.reals(-0.5, 0.5, 3)
                if tag == "weld" and self.chance(0.5):
                    zero = self.chance(0.2)
                    a["relpose"] = self.vector([self.uniform(-1, 1) for _ in range(3)]
                                               + ([0] * 4 if zero else self.direction(4)))  # fmt: skip
            if tag == "weld":
                self.draw(a, {"torquescale": table.real(0, 3)})
            self.class_of(a)
            self.name(a, "equality")
            node.add(tag, a)
        return node

    def tendons(self):
        node = Node("tendon")
        for _ in range(self.rng.randint(1, 4)):
            scope = self.pick_scope()
            a = self.draw({}, table.TENDON)
            limited = self.limit(a, "range", "limited", 0.1, 2)
            if self.chance(self.density):
                a["actuatorfrcrange"] = self.vector([self.uniform(-50, 0), self.uniform(0, 50)])
                if self.chance(0.5) or not self.autolimits:
                    a["actuatorfrclimited"] = self.rng.choice(("true", "false",
                                                               "true" if not self.autolimits else "auto"))  # fmt: skip
            if self.chance(0.5):
                path = self.fixed_path(scope)
                tag = "fixed"
            else:
                path = self.spatial_path(scope)
                tag = "spatial"
                self.draw(a, table.TENDON_LOOKS)
                self.material_ref(a)
            if not path:
                continue
            if all(n.tag != "geom" for n in path) and self.chance(self.density):
                a["armature"] = self.real(0, 1)
            self.class_of(a)
            of = () if scope is None else scope
            wraps = "wrapping" if any(n.tag == "geom" for n in path) else "plain"
            self.name(a, "tendon", Place(scope=of), limited=limited, type=wraps)
            node.add(tag, a).children = path
        return node

    def fixed_path(self, scope):
        path = []
        for _ in range(self.rng.randint(1, 3)):
            joint = self.pick("joint", scope, lambda o: o.type in ("hinge", "slide") or self.chance(0.05))
            used = {n.attributes["joint"] for n in path}
            if joint and (joint.name not in used or self.chance(0.02)):
                path.append(Node("joint", {"joint": joint.name, "coef": self.real(-2, 2)}))
        return path

    def spatial_path(self, scope):
        path = []
        last = None
        for _ in range(self.rng.choice((1, 1, 2))):
            points = []
            for _ in range(self.rng.randint(2, 4)):
                site = self.pick("site", scope, lambda o: o.name != last)
                if not site:
                    continue
                last = site.name
                if points and self.chance(0.3):
                    geom = self.pick("geom", scope, lambda o: o.type in ("sphere", "cylinder"))
                    if geom:
                        points.append(Node("geom", {"geom": geom.name}))
                        if self.chance(0.4):
                            points[-1].attributes["sidesite"] = self.pick("site", scope).name
                points.append(Node("site", {"site": site.name}))
            if len(points) < 2:
                continue
            if path or self.chance(0.1):
                path.append(Node("pulley", {"divisor": self.real(1, 4)}))
            path += points
        return path

    def shortcut(self, a, tag, in_default=False):
        """Attributes of an actuator, except its name, class and target."""
        if tag in table.LIMITED_SHORTCUTS and "ctrlrange" in a:
            state = self.rng.choice(("true", "false") if not self.autolimits else ("", "true", "false", "auto"))
            if state:
                a["ctrllimited"] = state
        if tag == "orientation":
            if self.chance(self.density) and self.autolimits:
                a["forcerange"] = self.vector([0, self.uniform(1, 50)])
        elif tag in table.FORCE_SHORTCUTS:
            self.limit(a, "forcerange", "forcelimited", -50, 50)
        if tag in ("damper", "adhesion") and not in_default:
            a["ctrlrange"] = self.span(0, 2)
        if tag in table.DYNAMIC_SHORTCUTS:
            rows = dict(table.ACTUATOR_DYNAMICS)
            if in_default:
                rows.pop("lengthrange")
                if self.chance(0.8):  # they fit joints and tendons only
                    del rows["damping"], rows["armature"]
            self.draw(a, rows)
        rows = dict(table.SHORTCUTS[tag])
        if in_default:
            rows.pop("tausmooth", None)
        if tag == "dcmotor":
            a["motorconst"] = self.reals(0.05, 0.2, 1)
            a["resistance"] = self.real(0.5, 3)
        self.draw(a, rows)
        if tag == "general" and a.get("dyntype", "none") == "none" and not self.chance(0.02):
            a.pop("actrange", None)
        if tag == "dcmotor" and a.get("input") in (None, "voltage", "none"):
            a.pop("controller", None)
        if "actrange" in a:
            state = self.rng.choice(("true", "false") if not self.autolimits else ("", "true", "false", "auto"))
            if state:
                a["actlimited"] = state
        if tag in table.DAMPED_SHORTCUTS and self.chance(self.density):
            a[self.rng.choice(("kv", "dampratio"))] = self.real(0, 2)
        if tag in table.INHERITING_SHORTCUTS and self.chance(0.1) and "ctrlrange" not in a and "actrange" not in a:
            a["inheritrange"] = self.real(0.5, 1.5)
        if self.has("history") and self.chance(0.3):
            a["nsample"] = self.whole(1, 5)
            a["delay"] = self.real(0, 0.01)
            self.draw(a, {"interp": table.word("zoh", "linear", "cubic")}, 0.5)

    def actuators(self):
        node = Node("actuator")
        for _ in range(self.rng.randint(1, 6)):
            scope = self.pick_scope()
            tag = self.rng.choice(("general", "general", *table.SHORTCUTS))
            target = self.actuator_target(tag, scope)
            if not target:
                continue
            a = {**target, **self.draw({}, table.ACTUATOR)}
            self.shortcut(a, tag)
            if not {"joint", "jointinparent", "tendon"} & a.keys() and not self.chance(0.02):
                for name in ("inheritrange", "damping", "armature"):
                    a.pop(name, None)
            self.class_of(a, None, lambda own: own.get("actuator", tag) == tag or self.chance(0.1))
            if tag == "general" and self.chance(0.05):
                a["actdim"] = self.whole(1, 4)
                a["dyntype"] = "user"
            self.name(a, "actuator", Place(scope=() if scope is None else scope))
            node.add(tag, a)
            self.nu += 1
            self.na += tag in ("intvelocity", "cylinder", "muscle") or a.get("dyntype", "none") != "none"
            self.several |= tag in ("pid", "dcmotor", "orientation", "general")
        return node

    def actuator_target(self, tag, scope):
        if tag == "adhesion":
            body = self.pick("body", scope)
            return body and {"body": body.name}
        if tag == "orientation" and self.chance(0.6):
            joint = self.pick("joint", scope, lambda o: o.type == "ball")
            return joint and {"joint": joint.name}
        kinds = ["joint", "joint", "joint", "jointinparent", "tendon", "cranksite", "site"]
        if tag == "muscle":
            kinds.remove("site")
        if tag == "general":
            kinds.append("body")
        if tag == "orientation":
            kinds = ["site"]
        kind = self.rng.choice(kinds)
        if kind in ("joint", "jointinparent"):
            joint = self.pick("joint", scope, lambda o: o.type in ("hinge", "slide") or self.chance(0.5))
            return joint and {kind: joint.name}
        if kind in ("tendon", "body"):
            found = self.pick(kind, scope, lambda o: o.type != "wrapping" or self.chance(0.1))
            return found and {kind: found.name}
        one = self.pick("site", scope)
        two = one and self.pick("site", scope, lambda o: o.name != one.name)
        if not one:
            return None
        if kind == "cranksite":
            return two and {"cranksite": one.name, "slidersite": two.name, "cranklength": self.real(0.1, 2)}
        target = {"site": one.name}
        if tag == "orientation" and not two:
            return None
        if two and (tag == "orientation" or self.chance(0.5)):
            target["refsite"] = two.name
        return target

    def sensors(self):
        node = Node("sensor")
        for _ in range(self.rng.randint(1, 8)):
            scope = self.pick_scope()
            found = self.sensor(scope)
            if not found:
                continue
            tag, a = found
            if tag == "user":
                self.draw(a, {"noise": table.real(0, 1), "user": table.user("sensor")})
            else:
                self.draw(a, table.SENSOR)
                if tag in table.DIRECTION_SENSORS and not self.chance(0.02):
                    a.pop("cutoff", None)
                if self.has("history") and self.chance(0.3):
                    a["nsample"] = self.whole(1, 5)
                    self.draw(a, {"delay": table.real(0, 0.01), "interval": table.interval,
                                  "interp": table.word("zoh", "linear", "cubic")}, 0.5)  # fmt: skip
            self.name(a, "sensor", Place(scope=() if scope is None else scope))
            node.add(tag, a)
        geoms = [o for o in self.known.get("geom", ()) if not o.scope]
        self.extras.tactile(node, self.extras.rng.choice(geoms) if geoms else None)
        return node

    def frame_object(self, scope, prefix="obj"):
        kind = self.rng.choice(("body", "xbody", "geom", "site", "camera"))
        found = self.pick("body" if kind == "xbody" else kind, scope)
        return found and {f"{prefix}type": kind, f"{prefix}name": found.name}

    def named(self, kind, scope, where=None):
        found = self.pick(kind, scope, where)
        return found and {kind: found.name}

    def sensor(self, scope):
        """(tag, attributes) or None."""
        family = self.rng.randrange(14)
        choice = self.rng.choice
        tag, a = None, None
        if family == 0:
            tag, a = choice(table.SITE_SENSORS), self.named("site", scope)
        elif family == 1:
            tag, a = choice(table.JOINT_SENSORS), self.named("joint", scope, lambda o: o.type in ("hinge", "slide"))
        elif family == 2:
            tag, a = choice(table.JOINT_LIMIT_SENSORS), self.named("joint", scope, lambda o: o.limited)
        elif family == 3:
            tag, a = choice(table.BALL_SENSORS), self.named("joint", scope, lambda o: o.type == "ball")
        elif family == 4:
            tag, a = choice(table.TENDON_SENSORS), self.named("tendon", scope)
        elif family == 5:
            tag, a = choice(table.TENDON_LIMIT_SENSORS), self.named("tendon", scope, lambda o: o.limited)
        elif family == 6:
            tag, a = choice(table.ACTUATOR_SENSORS), self.named("actuator", scope)
        elif family == 7:
            tag, a = choice(table.RELATIVE_SENSORS), self.frame_object(scope)
            if a and self.chance(0.5):
                a.update(self.frame_object(scope, "ref") or {})
        elif family == 8:
            tag, a = choice(table.FRAME_SENSORS), self.frame_object(scope)
        elif family == 9:
            tag, a = choice(table.SUBTREE_SENSORS), self.named("body", scope)
        elif family == 10:
            tag = choice(table.PAIR_SENSORS)
            one, two = choice(("geom", "body")), choice(("geom", "body"))
            first = self.pick(one, scope)
            second = first and self.pick(two, scope, lambda o: o.body != first.body)
            a = second and {f"{one}1": first.name, f"{two}2": second.name}
        elif family == 11:
            if not self.replicates and not self.level:  # the reference copies them along with anything
                tag, a = choice(table.GLOBAL_SENSORS), {}
        elif family == 12:
            tag, a = self.special_sensor(scope)
        else:
            tag, a = "contact", self.contact_sensor(scope)
        return (tag, a) if tag and a is not None else None

    def special_sensor(self, scope):
        tag = self.rng.choice(("rangefinder", "rangefinder", "camprojection", "insidesite", "user"))
        site = self.named("site", scope)
        if tag == "rangefinder":
            a = (self.named("camera", scope) if self.chance(0.3) else None) or site
            if a and self.chance(0.5):
                words = [w for w in ("dist", "dir", "origin", "point", "normal", "depth") if self.chance(0.4)]
                a["data"] = self.join(words or ["dist"])
            return tag, a
        if tag == "camprojection":
            camera = self.named("camera", scope)
            return tag, site and camera and {**site, **camera}
        if tag == "insidesite":
            a = self.frame_object(scope)
            if a and self.chance(0.4):
                a["enclosed"] = table.flag(self)
            return tag, site and a and {**a, **site}
        a = {"dim": self.whole(0, 4)}
        self.draw(a, {"datatype": table.word("real", "positive"), "needstage": table.word("pos", "vel", "acc")}, 0.5)
        if self.chance(0.5) or self.replicates or self.level:
            kind = self.rng.choice(("body", "joint", "geom", "site", "tendon", "actuator"))
            found = self.pick(kind, scope)
            if not found:
                return tag, None
            a.update(objtype=kind, objname=found.name)
        return tag, a

    def contact_sensor(self, scope):
        a = {}
        for side in ("1", "2"):
            kind = self.rng.choice(("geom", "body", "subtree", "", "site" if side == "1" else ""))
            if kind == "":
                continue
            found = self.pick("body" if kind == "subtree" else kind, scope)
            if found:
                a[kind if kind == "site" else kind + side] = found.name
        if not a and (self.replicates or self.level):
            return None
        fields = ("found", "force", "torque", "dist", "pos", "normal", "tangent", "linvel", "angvel")
        words = [w for w in fields if self.chance(0.35)]
        if words:
            a["data"] = self.join(words)
        self.draw(a, {"num": table.whole(1, 5), "reduce": table.word("none", "mindist", "maxforce", "netforce")}, 0.5)
        return a

    def custom(self):
        node = Node("custom")
        for _ in range(self.rng.randint(1, 4)):
            tag = self.rng.choice(("numeric", "text", "tuple"))
            a = {}
            self.name(a, tag, p=1)
            if tag == "numeric":
                n = self.rng.randint(0, 4)
                if n:
                    a["data"] = self.reals(-5, 5, n)
                if not n or self.chance(0.3):
                    a["size"] = str(n + self.rng.randint(0 if n else 1, 3))
                node.add(tag, a)
            elif tag == "text":
                a["data"] = self.rng.choice(("hello", "größe & <klein>", "two\nlines", " x "))
                node.add(tag, a)
            else:
                self.tuple(node.add(tag, a), a["name"])
                if not node.children[-1].children:
                    node.children.pop()
                    self.known[tag].pop()
        return node

    def tuple(self, node, own):
        for _ in range(self.rng.randint(1, 4)):
            kinds = "body xbody joint geom site camera light texture material pair exclude equality tendon actuator"
            kind = self.rng.choice((*kinds.split(), "sensor", "numeric", "text", "body" if self.level else "tuple"))
            found = self.pick("body" if kind == "xbody" else kind, (), lambda o: o.name != own and " " not in o.name)
            if found:
                a = {"objtype": kind, "objname": found.name}
                node.add("element", self.draw(a, {"prm": table.real(-2, 2)}, 0.4))

    def keyframes(self):
        node = Node("keyframe")
        copied = self.child_models
        for _ in range(self.rng.randint(1, 3)):
            a = {}
            self.name(a, "key")
            full = self.chance(0.7) or self.level  # of an attached model they must be complete
            for name, n in (("qpos", self.nq), ("qvel", self.nv), ("act", self.na), ("ctrl", self.nu),
                            ("mpos", 3 * self.nmocap), ("mquat", 4 * self.nmocap),
                            ("plastic", self.nplastic)):  # fmt: skip
                if name in ("act", "ctrl") and self.several and not self.chance(0.02):
                    continue  # the reference miscounts them where vectors are short or attached
                if n and not copied and self.chance(0.6):
                    size = n if full else self.rng.randint(1, n)
                    a[name] = self.vector([self.rng.gauss(0, 1) for _ in range(size)])
            self.draw(a, {"time": table.real(0, 5)}, 0.4)
            node.add("key", a)
        return node


def document(seed):
    """The random document of this seed."""
    return Generator(seed).document()


def mutated(seed, changes=2):
    """The random document of this seed with a few slips in it."""
    rng = random.Random(f"slips {seed}")
    made = document(seed)
    for _ in range(rng.randint(1, changes)):
        root = made.files[rng.choice(list(made.files))]
        nodes = list(root.walk())
        node = rng.choice(nodes)
        action = rng.choice(("attribute", "attribute", "attribute", "value", "value", "delete", "copy", "move", "add"))
        if action == "attribute" and node.attributes:
            del node.attributes[rng.choice(list(node.attributes))]
        elif action == "value" and node.attributes:
            name = rng.choice(list(node.attributes))
            words = node.attributes[name].split()
            slips = ["0", "-1", "1", "0 0", "0 0 0", "1e9", " ".join(words[:-1]), " ".join([*words, "1"]), "false"]
            slips += ["-" + w for w in words[:1]] + [" ".join(reversed(words)), "auto", "true", "3"]
            node.attributes[name] = rng.choice(slips)
        elif action == "add":
            # an attribute that others of its kind have
            donors = [n for n in nodes if n.tag == node.tag and n.attributes.keys() - node.attributes.keys()]
            if donors:
                donor = rng.choice(donors)
                name = rng.choice(sorted(donor.attributes.keys() - node.attributes.keys()))
                node.attributes[name] = donor.attributes[name]
        elif node.children:
            number = rng.randrange(len(node.children))
            if action == "delete":
                del node.children[number]
            elif action == "copy":
                twin = copy.deepcopy(node.children[number])
                for n in twin.walk():
                    if rng.random() < 0.9:
                        n.attributes.pop("name", None)
                node.children.append(twin)
            elif action == "move":
                host = rng.choice(nodes)
                taken = node.children[number]
                if all(n is not host for n in taken.walk()):
                    del node.children[number]
                    host.children.insert(rng.randint(0, len(host.children)), taken)
    return made


def main():
    """A negative seed asks for the document with slips."""
    seed = int(sys.argv[1])
    made = document(seed) if seed >= 0 else mutated(-seed)
    if len(sys.argv) > 2:
        print(made.write(sys.argv[2]))
    else:
        print(made.text())


if __name__ == "__main__":
    main()

"""The document as a whole: which features it has, the order of its sections, its files."""

import random

from random_models import attributes as table
from random_models.actuators import Actuators
from random_models.assets import Assets
from random_models.constraints import Constraints
from random_models.custom import Custom
from random_models.defaults import Defaults
from random_models.document import Document, Node, Place
from random_models.drawing import Drawing
from random_models.extras import Extras
from random_models.late import Late
from random_models.sensors import Sensors
from random_models.settings import Settings
from random_models.tree import Tree

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


class Generator(Drawing, Settings, Defaults, Assets, Tree, Constraints, Actuators, Sensors, Custom):
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
        self.extras = Extras(seed)
        self.late = Late(seed, self)

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
        data = {}
        if not self.level:
            self.late.add_to(root, data)
        files = {name: root, **self.files}
        if self.has("includes"):
            self.split_into_files(root, files)
        return Document(files, self.rng.randrange(1000) if self.has("oddxml") else None, data)

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


def document(seed):
    """The random document of this seed."""
    return Generator(seed).document()

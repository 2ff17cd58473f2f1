"""<worldbody>: bodies, frames, replicates, attachments and what they carry."""

import dataclasses

from random_models import attributes as table
from random_models.document import Known, Node, Place
from random_models.shapes import FROMTO, PRIMITIVES, SIZES


class Tree:
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

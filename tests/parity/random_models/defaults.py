"""<default>."""

from random_models import attributes as table
from random_models.document import Node
from random_models.shapes import PRIMITIVES


class Defaults:
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

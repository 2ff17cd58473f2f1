"""<contact>, <equality> and <tendon>."""

from random_models import attributes as table
from random_models.document import Node, Place


class Constraints:
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
